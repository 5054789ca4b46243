"""Keys of reply addresses, mails once more, and addresses that nobody has confirmed, at the command line."""

import pytest

from tests.cli.club import Club
from tests.cli.typed import declared, typed
from turnserver.cli.mail.group import Resent
from turnserver.cli.mail.keys import ReplyKey

SAYS = [
    ("mail rotate-key", "signed with version 2 of the key from now on.\nVerified: version 1; what was signed before still counts."),
    ("mail rotate-key --retire 1", "Retired: version 1; answers to older mails are refused."),
    ("mail resend Ada", "1 mail goes to Ada at ada@example.org."),
    ("mail resend 3", "1 mail goes to Cleo at cleo@example.org."),
    ("player list", "cleo@example.org  Europe/Berlin  not confirmed"),
    ("player show Cleo", "not confirmed"),
    ("player set Cleo address cleo@example.net", "cleo@example.net"),
    ("player set Ada address ada@example.net", "ada@example.net, if that is confirmed until"),
    ("player set Ada address ada@example.net", "ada@example.org"),
]


@pytest.mark.parametrize(("line", "fragment"), SAYS)
def test_says(club: Club, line: str, fragment: str) -> None:
    assert fragment in club.printed(line)


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("mail rotate-key --json", ReplyKey(2, [], [1])),
        ("mail rotate-key --retire 1 --json", ReplyKey(2, [1], [])),
        ("mail rotate-key --retire-days 0 --json", ReplyKey(2, [], [1])),
        ("mail resend Ada --json", Resent(1, 1)),
    ],
)
def test_json(club: Club, line: str, shape: object) -> None:
    assert declared(typed(club, line).stdout, line) == shape


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("mail rotate-key --retire 2", "There is no key version 2 to retire"),
        ("mail resend Zoe", 'There is nobody here with the number, name or address "Zoe"'),
        ("player set Ada address bob@example.org", "Another player has the address bob@example.org."),
    ],
)
def test_refuses(club: Club, line: str, sentence: str) -> None:
    result = typed(club, line)
    assert (result.exit_code, sentence in result.output) == (1, True)
    assert "Verified" not in typed(club, "mail rotate-key --retire 1").output


def test_the_doctor_knows_the_keys(club: Club) -> None:
    typed(club, "mail rotate-key")
    assert "keys: Reply addresses are signed with key version 2, made 2026-03-01; 1 still verified." in typed(club, "doctor").output
