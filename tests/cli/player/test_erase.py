"""Nobody is asked whether to erase an account when it is known that it cannot be erased now."""

from typing import NamedTuple

import pytest

from tests.cli.club import Club
from tests.cli.typed import service_of

MAIL = b"From: Ada <ada@example.org>\r\nTo: turns@club.example\r\nMessage-ID: <1@example.org>\r\n\r\ngames\r\n"
QUESTION = "for ever? [y/N]"


class Case(NamedTuple):
    """A line, whether a mail of Ada waits to be read, and a fragment of the standard error."""

    line: str
    waits: bool
    told: str


ASKED = {
    "a player who plays": Case("player erase Ada", False, "Ada still takes part: game 1, which they play; game 2, to"),
    "with unread mail": Case("player erase Ada --leave", True, "Unread mail is theirs or names them (1). Let the service read it first"),
    "with unread mail of somebody else": Case("player erase Cleo --leave", True, QUESTION),
    "a player who leaves": Case("player erase Ada --leave", False, QUESTION),
}


@pytest.mark.parametrize("case", ASKED.values(), ids=ASKED)
def test_only_what_can_be_done_is_asked(club: Club, case: Case) -> None:
    if case.waits:
        service = service_of(club)
        service.mail.receive(MAIL, "ada@example.org", "turns@club.example", "test")
        service.db.close()
    done = club.run(case.line, "n\n")
    assert (done.exit_code, case.told in done.stderr, QUESTION in done.stderr) == (1, True, case.told == QUESTION)
