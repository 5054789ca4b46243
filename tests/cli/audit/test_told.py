"""The mails that a player had been sent by a moment: taken, come back, answered, or not written yet."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.audit.past import Past
from tests.cli.typed import declared, typed
from turnserver.cli.audit.shapes import ToldGame, ToldPlayer
from turnserver.config import Play
from turnserver.ids import DeliveryStatus, PlayerId
from turnserver.store.mail import delivery_reports, retention

SLOW = Play(time="3d", reminders=("24h",), grace_hours=0, correction_minutes=30, receipts=0)
"""A turn can be corrected for half an hour."""


@pytest.fixture
def past(tmp_path: Path, database_url: str) -> Iterator[Past]:
    """Ada, who begins, has moved an hour after the game began; nobody has heard of it for the next half hour."""
    past = Past(tmp_path, database_url, SLOW)
    past.world.open()
    past.world.wait(hours=1)
    past.world.answer("Ada", "a1")
    past.look()
    yield past
    past.close()


def told(past: Past, line: str) -> ToldPlayer:
    """Return what a line prints as JSON."""
    found = declared(typed(past, f"audit told {line} --json").stdout, "audit told")
    assert isinstance(found, ToldPlayer)
    return found


def of_game(past: Past, line: str) -> ToldGame:
    (game,) = told(past, line).games
    return game


def test_a_turn_that_can_be_corrected_is_known_to_its_player_alone(past: Past) -> None:
    ada, bob = of_game(past, "Ada"), of_game(past, "Bob")
    assert (ada.version, ada.own, ada.held_turn) == (5, 5, None)
    assert (bob.version, bob.known, bob.held_turn, bob.unknown) == (5, 4, 1, 1)
    assert bob.held_until == past.now + timedelta(minutes=30)
    assert "turn 1 was not told before 2026-03-01 14:30" in " ".join(past.printed("audit told Bob").split())


def test_later_it_is_told_and_then_it_still_was_not(past: Past) -> None:
    then = past.now
    past.world.wait(minutes=31)
    past.world.settle()
    past.look()
    assert (of_game(past, "Bob").known, of_game(past, "Bob").held_turn) == (5, None)
    before = of_game(past, f"Bob --at {then + timedelta(minutes=29):%Y-%m-%dT%H:%MZ}")
    assert (before.known, before.held_turn) == (4, 1)
    assert [mail.reached for mail in before.mails if mail.version == 5] == ["waiting"]


def test_what_came_back_told_nothing_unless_it_was_answered(past: Past) -> None:
    world = past.world
    world.wait(minutes=31)
    world.settle()
    past.look()
    bob = of_game(past, "Bob --game 1 --at 2026-03-01")
    assert bob.mail is not None
    world.wait(minutes=10)
    with past.db.write() as tx:
        assert delivery_reports.returned(tx, bob.mail, DeliveryStatus.HARD, "5.1.1 nobody there", world.now, mail=1) == PlayerId(2)
    past.look()
    bounced = of_game(past, "Bob")
    assert (bounced.known, bounced.mails[-1].reached, bounced.unknown) == (4, "bounced", 1)
    world.answer("Bob", "c2")
    past.look()
    answered = of_game(past, "Bob")
    assert (answered.known, answered.mail, answered.own, answered.mails[-1].reached) == (5, bob.mail, 6, "answered")
    assert of_game(past, "Bob --at 2026-03-01T13:35Z").mails[-1].reached == "taken"


def test_a_plan_answers_without_a_mail(past: Past) -> None:
    past.world.wait(minutes=31)
    past.world.settle()
    past.world.answer("Ada", "if c2 then b1")
    past.look()
    assert of_game(past, "Ada").planned == 2
    bob = of_game(past, "Bob")
    assert (bob.planned, bob.unknown) == (None, 0)


def test_one_game_with_all_mails_and_what_the_last_one_said(past: Past) -> None:
    printed = past.printed("audit told Bob --game 1")
    text = past.world.text("Bob")
    assert text.strip().splitlines()[0] in printed
    assert "`turnserver mail outbox show" in printed
    assert "invitation" in printed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("audit told Cleo --game 1", "Cleo had not been written about game 1 by then."),
        ("audit told Bob --at 3", "'3' is a version, and what a player was told has none."),
        ("audit told Zoe", 'There is nobody here with the number, name or address "Zoe"'),
    ],
)
def test_refuses_in_one_sentence(past: Past, line: str, says: str) -> None:
    result = past.run(line)
    assert says in result.stderr
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)


def test_before_the_first_mail_there_is_nothing(past: Past) -> None:
    assert told(past, "Bob --at '#1'").games == []
    assert "There were no games under way that any mail to the player was about." in past.printed("audit told Cleo")
    assert "Left out" not in past.printed("audit told Cleo")


def test_the_outbox_has_what_had_been_sent_by_then(past: Past) -> None:
    then = past.now
    past.world.wait(minutes=31)
    past.world.settle()
    sent = past.world.outbox()[0]
    assert (sent.kind, sent.sent_at) == ("turn", past.world.now)
    with past.db.write() as tx:
        delivery_reports.returned(tx, sent.id, DeliveryStatus.HARD, "5.1.1 nobody there", past.world.now + timedelta(minutes=5), mail=1)
    past.world.wait(minutes=10)
    past.look()
    at_once, soon = f"{then:%Y-%m-%dT%H:%MZ}", f"{then + timedelta(minutes=32):%Y-%m-%dT%H:%MZ}"
    assert {mail["id"] for mail in rows(past, f"mail outbox list --at {at_once}")} == {mail.id for mail in past.world.outbox()} - {sent.id}
    assert [(mail["id"], mail["status"], mail["report"]) for mail in rows(past, f"mail outbox list --at {soon} --limit 1")] == [
        (sent.id, "sent", None)
    ]
    assert (
        rows(past, "mail outbox list --limit 1 --at 2026-03-01")[0]["status"]
        == rows(past, "mail outbox list --limit 1")[0]["status"]
        == "bounced"
    )
    assert "Leave out --status" in past.run("mail outbox list --at 2026-03-01 --status sent").stderr


def rows(past: Past, line: str) -> list[dict[str, object]]:
    found = past.json(f"{line} --json")
    assert isinstance(found, list)
    return found


def test_a_player_as_they_were(past: Past) -> None:
    past.world.wait(minutes=31)
    past.world.settle()
    past.world.wait(hours=1)
    past.look()
    past.printed("game substitute 1 Bob Cleo --reason 'Bob is gone' -y")
    assert past.printed("player show Bob").endswith("Bob has no games.\n")
    then = past.printed("player show Bob --at '2026-03-01 14:00'")
    assert "Bob to move" in then
    assert "As of   2026-03-01 14:00 (Europe/Berlin)" in then
    assert past.printed("player show Cleo --at '2026-03-01 14:00'").endswith("Cleo had no games.\n")


def test_a_text_that_is_not_kept_is_not_shown(past: Past) -> None:
    past.world.answer("Bob", "confirm resign")
    past.look()
    mail = of_game(past, "Ada --game 1").mail
    assert mail is not None
    with past.db.write() as tx:
        retention.empty_went(tx, mail)
    shown = " ".join(past.printed("audit told Ada --game 1").split())
    assert f"The text of mail {mail} is not kept any more: " in shown
    assert " said (" not in shown
    assert "Left out is 1 game that was over; `--game 1` shows" in " ".join(past.printed("audit told Ada").split())
