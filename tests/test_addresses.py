"""Addresses that are one mailbox, however they are written."""

from tests.cases import for_each
from turnserver.addresses import same_box


@for_each(
    ("address", "other", "same"),
    [
        ("ada@example.org", "Ada+games@EXAMPLE.org.", True),
        ('"ada"@example.org', "ada@example.org", True),
        ("ada@bär.example", "ada@xn--br-via.example", True),
        ("a.da@gmail.com", "ada@googlemail.com", True),
        ("a.da@example.org", "ada@example.org", False),
        ("ada@[IPv6:0::1]", "ada@[ipv6:::1]", True),
        ("ada@[192.0.2.1]", "ada@[192.0.2.2]", False),
        ("ada@[nothing]", "ada@[nothing]", True),
        ("ada@example.org", "bob@example.org", False),
    ],
)
def test_one_mailbox_has_many_addresses(address: str, other: str, same: bool) -> None:
    assert same_box(address, other) is same
