"""Addresses in headers: the quick way for a plain one and the standard library's for everything else come to the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.addresses import check_address, is_address, local_part, on_the_wire, spelled
from turnserver.errors import PermanentFailure
from turnserver.mail.format.mime import addresses, get_addresses

CASES: dict[str, tuple[str, ...]] = {
    "ada@example.org": ("ada@example.org",),
    "Ada <ada@example.org>": ("ada@example.org",),
    "<ada@example.org>": ("ada@example.org",),
    "Ada B. Carter-Dee <turns+8-h-5@club.example>": ("turns+8-h-5@club.example",),
    '"Ada, of the club" <ada@example.org>': ("ada@example.org",),
    "Ada <ada@example.org>, Bob <bob@example.org>": ("ada@example.org", "bob@example.org"),
    "ada@example.org (Ada)": ("ada@example.org",),
    "ada@example.org, ": ("ada@example.org",),
    "Ada": (),
    "": (),
}


@for_each("value", CASES)
def test_addresses_in_a_header(value: str) -> None:
    assert addresses([value]) == CASES[value]


@given(st.lists(st.lists(st.sampled_from(["Ada", "b", ".", "+", "-", "@", "@", "<", ">", " ", '"', ",", "x@y.z", "<x@y.z>"])).map("".join)))
def test_the_quick_way_finds_what_the_standard_library_finds(values: list[str]) -> None:
    listed = (address.strip() for _, address in get_addresses(values))
    assert addresses(values) == tuple(spelled(address) for address in listed if is_address(address))


INTERNATIONAL = {
    "jürgen@exämple.org": ("jürgen@exämple.org",),
    "Jürgen Groß <jürgen@exämple.org>": ("jürgen@exämple.org",),
    "Ада <ада@пример.рф>, 阿达 <阿达@例子.中国>": ("ада@пример.рф", "阿达@例子.中国"),
    '"a b"@example.org': ('"a b"@example.org',),
    'Ada <"a b"@example.org>': ('"a b"@example.org',),
    r'"a\"b"@example.org': (r'"a\"b"@example.org',),
    r'"a\\b"@example.org': (r'"a\\b"@example.org',),
    '"ada"@example.org': ("ada@example.org",),
    '"ada.b"@example.org': ("ada.b@example.org",),
    '"a@b"@example.org': ('"a@b"@example.org',),
    '"ü b"@example.org': ('"ü b"@example.org',),
}


@for_each("value", INTERNATIONAL)
def test_addresses_beyond_ascii_and_quoted_ones_are_read_as_they_came(value: str) -> None:
    as_parsed = value.encode().decode("ascii", "surrogateescape")
    assert addresses([as_parsed]) == INTERNATIONAL[value]


def test_bytes_that_are_no_text_belong_to_no_address() -> None:
    assert addresses([b"j\xfcrgen@example.org".decode("ascii", "surrogateescape")]) == ()


@for_each(
    ("address", "wire"),
    [
        ("ada@exämple.org", "ada@xn--exmple-cua.org"),
        ("ada@example.org", "ada@example.org"),
        ("jürgen@exämple.org", "jürgen@exämple.org"),
        ('"a b"@exämple.org', '"a b"@xn--exmple-cua.org'),
        (f"ada@{'ä' * 80}.org", f"ada@{'ä' * 80}.org"),
    ],
)
def test_a_domain_goes_out_in_ascii_where_that_is_enough(address: str, wire: str) -> None:
    assert on_the_wire(address) == wire


@for_each("address", ["ada", "ada@", "@example.org", "a b@example.org", 'a"b@example.org', '"a@example.org', "a@b@c", "a\n@b.c"])
def test_what_no_mail_can_be_addressed_to(address: str) -> None:
    with pytest.raises(PermanentFailure):
        check_address(address)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), min_size=1, max_size=20))
def test_whatever_stands_between_quotation_marks_comes_back(local: str) -> None:
    escaped = local.replace("\\", "\\\\").replace('"', '\\"')
    once = spelled(f'"{escaped}"@example.org')
    assert local_part(once) == local
    assert spelled(once) == once
