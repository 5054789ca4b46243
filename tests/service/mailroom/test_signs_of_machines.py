"""Mails of players that bear a sign of a machine, which a gateway, a provider or they themselves have put there; and mails of machines."""

from collections.abc import Mapping
from email import message_from_bytes
from typing import NamedTuple

import pytest

from tests.corpus import hostile
from tests.mail.format.reading import WRITER
from tests.service.mailroom.letters import key_of, letter, outcomes, post, reply_address
from tests.service.world import PEOPLE, World
from turnserver.mail.inbound.read import read

ADA = PEOPLE["Ada"]
CALENDAR = 'multipart/mixed; boundary="b"'
MEETING = "--b\nContent-Type: text/plain\n\n{}\n--b\nContent-Type: text/calendar; method={}\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n--b--\n"


class Sent(NamedTuple):
    """A mail that Ada's server sends in her turn, with these headers in place of the usual ones, under an envelope with this sender."""

    text: str
    headers: Mapping[str, str] = {}
    sender: str = ADA


MEANT = {
    "Exchange, where SRS would be too long": Sent("a1", sender="bounces+SRS=Vx3kT=AB@contoso.example"),
    "VERP": Sent("a1", sender="bounce+a1b2.c3-turns=club.example@mg.example.org"),
    "a mailing list's envelope": Sent("a1", sender="chess-bounces@lists.example"),
    "Exchange, out of office": Sent("a1", {"X-Auto-Response-Suppress": "OOF"}),
    "Exchange, everything": Sent("a1", {"X-Auto-Response-Suppress": "DR, OOF, AutoReply"}),
    "a gateway that unsubscribes": Sent("a1", {"List-Unsubscribe": "<mailto:x@esp.example>"}),
    "a list": Sent("a1", {"List-Id": "<club.lists.example>", "Precedence": "list"}),
    "bulk": Sent("a1", {"Precedence": "bulk"}),
    "a meeting": Sent(MEETING.format("a1", "REQUEST"), {"Content-Type": CALENDAR}),
    "a subject about an absence": Sent("a1", {"Subject": "Out of office next week - my move"}),
    "a subject with a car": Sent("a1", {"Subject": "Auto: my move"}),
    "a subject with something read": Sent("a1", {"Subject": "Lu : le coup"}),
}
IGNORED = {
    "Exchange's own words": Sent("accept", {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}),
    "the null sender": Sent("a1", sender=""),
    "a mailer": Sent("a1", sender="MAILER-DAEMON@mx.example.org"),
    "a vacation program": Sent("a1", {"Auto-Submitted": "auto-replied", "Precedence": "bulk"}),
    "an old vacation program": Sent("a1", {"Precedence": "junk"}),
    "words of a vacation": Sent("I am away until Monday.", {"X-Auto-Response-Suppress": "OOF"}),
    "one word of a vacation": Sent("resign", {"Subject": "Abwesenheitsnotiz"}),
    "a challenge of a filter": Sent("accept", {"Subject": "Re: verify #abc", "Precedence": "bulk"}),
    "a quoted move": Sent("I am away.\n\n> a1", {"List-Id": "<club.lists.example>"}),
    "our subject once more": Sent("a1", {"Subject": "Automatic reply: [Take 1] Ada, it's your move"}),
    "another sender": Sent("a1", {"From": "eve@example.net", "List-Id": "<club.lists.example>"}),
    "a calendar's answer": Sent(MEETING.format("a1", "REPLY"), {"Content-Type": CALENDAR}),
    "a calendar's word": Sent(MEETING.format("accept", "REQUEST"), {"Content-Type": CALENDAR}),
}


def arrive(world: World, sent: Sent) -> str:
    """Ada answers her newest mail; what that came to."""
    mail = world.mails("Ada")[-1]
    headers = {"From": ADA, "To": reply_address(mail), "Subject": f"Re: {mail['Subject']}", "Message-ID": "<1@example.org>", **sent.headers}
    raw = message_from_bytes(f"\n{sent.text}\n".encode(), policy=WRITER)
    for name, value in headers.items():
        raw[name] = value
    world.service.mail.receive(raw.as_bytes(), reply_address(mail), sent.sender, "test")
    world.settle()
    return outcomes(world)[-1]


@pytest.mark.parametrize("sent", MEANT.values(), ids=MEANT)
def test_a_move_of_a_player_is_played_whatever_was_put_into_the_mail(world: World, sent: Sent) -> None:
    game = world.open()
    assert (arrive(world, sent), world.state(game).line.length) == ("carried out", 1)


@pytest.mark.parametrize("sent", IGNORED.values(), ids=IGNORED)
def test_a_machine_is_not_obeyed_and_not_answered(world: World, sent: Sent) -> None:
    game = world.open()
    before = len(world.outbox())
    assert arrive(world, sent).startswith("ignored: ")
    assert (world.state(game).line.length, len(world.outbox())) == (0, before)


@pytest.mark.parametrize(("headers", "obeyed"), [({"List-Id": "<x.example>"}, True), ({"Precedence": "bulk"}, False)])
def test_an_invitation_is_accepted_only_where_no_machine_would_write_that(world: World, headers: dict[str, str], *, obeyed: bool) -> None:
    world.open(accepted=False)
    assert (arrive(world, Sent("accept", headers)) == "carried out") is obeyed


def test_a_line_that_is_not_understood_is_answered_whatever_the_envelope_says(world: World) -> None:
    world.open()
    before = len(world.mails("Ada"))
    assert arrive(world, Sent("What a lovely morning.", sender="bounce+a1@mg.example.org")) == "refused: not_understood"
    assert len(world.mails("Ada")) == before + 1


def test_an_admin_can_see_which_ignored_mail_may_have_been_a_players(world: World) -> None:
    world.open()
    assert (
        arrive(world, Sent("Hello there", {"List-Id": "<x.example>"})) == "ignored: list-id, without a command, from a player's own address"
    )


def test_what_is_too_long_to_be_read_shows_nothing(world: World) -> None:
    world.open_any("sneaky-octopuses", ["Ada", "Bob"])
    steps = read(hostile.line_mails()["chains of steps of its own"]).lines
    assert arrive(world, Sent("\n".join(steps), {"List-Id": "<x.example>"})).startswith("ignored: ")


def test_the_key_of_a_mail_may_be_a_copy(world: World) -> None:
    game = world.open()
    key = key_of(world.mails("Ada")[-1])
    assert post(world, letter(ADA, f"key {key}\r\na1", {"List-Id": "<x.example>"})) == "ignored: list-id"
    assert post(world, letter(ADA, f"key {key}\r\na1", number=2)) == "carried out"
    assert world.state(game).line.length == 1
