"""After the database was put back: what was lost is noticed and told, and nothing of it acts on what is played now."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.service.mailroom.letters import letter
from tests.service.upkeep.lost_world import ADMIN, LostWorld
from tests.service.world import PEOPLE
from turnserver.audit.game.recheck import recheck
from turnserver.ids import GameId
from turnserver.store.log import verify as audit

SIZE = {"size": 3}
DAN = "dan@example.org"


@pytest.fixture
def lost_world(sqlite_url: str, tmp_path: Path) -> Iterator[LostWorld]:
    world = LostWorld(sqlite_url, tmp_path / "mail")
    yield world
    world.service.db.close()


@pytest.fixture
def any_lost_world(database_url: str, tmp_path: Path) -> Iterator[LostWorld]:
    world = LostWorld(database_url, tmp_path / "mail")
    yield world
    world.service.db.close()


def played(world: LostWorld, game: GameId) -> list[str]:
    return [turn.steps[0] for turn in world.state(game).line.turns]


def on_the_third_day(world: LostWorld) -> None:
    for _ in range(50):
        world.wait(hours=1)
        world.service.upkeep.sweep()
    world.settle()


def lose_two_turns(world: LostWorld, *, said: bool = True) -> tuple[GameId, EmailMessage, bytes]:
    """Bob has the second turn when the backup is made; both play on; five hours later all that is lost.

    Gives the mail that brought Ada the third turn, and the mail of Bob's that played the second one.
    """
    game = world.open(SIZE)
    world.answer("Ada", "a1")
    world.back_up()
    handled = world.answer("Bob", "e3")
    mail = world.newest("Ada")
    world.answer("Ada", "a2")
    assert played(world, game) == ["a1", "e3", "a2"]
    world.wait(hours=5)
    world.put_back(said=said)
    assert played(world, game) == ["a1"]
    return game, mail, handled


def test_the_whole_story(any_lost_world: LostWorld) -> None:
    world = any_lost_world
    game, lost, _ = lose_two_turns(world)
    deadline = world.state(game).deadline
    world.go_on()

    assert world.kinds("Ada") == ["restored"]
    assert world.kinds("Bob") == ["restored", "turn"]
    assert deadline is not None
    assert world.state(game).deadline == deadline + timedelta(hours=5)
    assert "put our service back to how it was on Sunday 1 March 2026, 12:00" in " ".join(world.text("Ada").split())

    world.answer("Ada", "a2", mail=lost)
    assert world.outcome() == "done: refused: lost"
    answer = " ".join(world.text("Ada").split())
    assert "The mail you replied to is lost too, so your reply changed nothing." in answer
    assert "send your move again if it is your turn" in answer
    assert "turn 2" in answer

    world.answer("Bob", "d2", mail=world.newest("Bob"))
    mail = world.newest("Ada")
    assert (world.state(game).turn, world.state(game).edition) == (3, 0)
    world.answer("Ada", "a2", mail=lost)
    assert world.outcome() == "done: refused: lost"
    world.answer("Ada", "a2", to=lost["Reply-To"])
    assert world.outcome() == "done: refused: lost"
    assert played(world, game) == ["a1", "d2"]
    world.answer("Ada", "b1", mail=mail)
    assert played(world, game) == ["a1", "d2", "b1"]

    assert world.known() == [f"game {game}, turn 3, edition 0"]
    assert list(recheck((row.event for row in world.service.games.history(game)), game)) == []
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []


def test_an_answer_from_before_that_was_handled_is_handled_again(lost_world: LostWorld) -> None:
    """It was fetched again, from a mailbox that keeps everything."""
    game, _, handled = lose_two_turns(lost_world)
    lost_world.deliver(handled)
    assert lost_world.outcome() == "done: carried out"
    assert played(lost_world, game) == ["a1", "e3"]
    lost_world.deliver(handled)
    assert lost_world.outcome() == "done: duplicate"


def test_an_answer_to_a_mail_of_the_pending_turn_that_is_lost(lost_world: LostWorld) -> None:
    """The turn is known, the mail is not: something may have been on offer in it."""
    world = lost_world
    game = world.open(SIZE)
    world.answer("Ada", "a1")
    world.back_up()
    world.answer("Bob", "pause 3 days")
    offer = world.newest("Ada")
    assert world.kinds("Ada")[-1] == "proposed"
    world.put_back()
    world.go_on()
    world.answer("Ada", "accept", mail=offer)
    assert world.outcome() == "done: refused: lost"
    assert [one.partition(",")[0] for one in world.known()] == [f"game {game}"]


def test_a_game_that_is_lost_is_not_the_next_one_of_its_number(lost_world: LostWorld) -> None:
    world = lost_world
    world.back_up()
    lost = world.open(accepted=False)
    invitation = world.newest("Ada")
    world.put_back()
    world.answer("Ada", "accept", mail=invitation)
    assert world.outcome() == "done: refused: lost"
    assert f"Game {lost} was opened later, so it is lost too." in " ".join(world.text("Ada").split())
    assert world.open(accepted=False) == lost
    for to in (None, invitation["Reply-To"]):
        world.answer("Ada", "accept", mail=invitation, to=to)
        assert world.outcome() == "done: refused: lost"
    assert world.state(lost).accepted == frozenset()
    assert world.known() == [f"game {lost}"]


def test_an_account_that_is_lost_is_not_the_next_one_of_its_number(lost_world: LostWorld) -> None:
    world = lost_world
    world.back_up()
    world.service.people.add("Dan", DAN, actor="admin:test", cause="test:Dan")
    world.settle()
    welcome = world.mails(DAN)[-1]
    world.put_back()
    eve = world.service.people.add("Eve", "eve@example.org", actor="admin:test", cause="test:Eve")
    for text in ("set language de", "unsubscribe"):
        world.answer("Dan", text, mail=welcome, sender=DAN)
        assert world.outcome().startswith("done: refused: lost")
    leaving = welcome["List-Unsubscribe"].partition("mailto:")[2].partition("?")[0].partition(">")[0]
    world.answer(DAN, "stop", mail=welcome, sender=DAN, to=leaving)
    assert world.service.people.find("Eve").preferences == eve.preferences
    assert world.kinds(DAN) == ["refusal"]
    assert "Your account was made later, so it is lost too." in " ".join(world.text(DAN).split())


def test_an_address_to_confirm_that_is_lost_confirms_nobody_else(lost_world: LostWorld) -> None:
    world = lost_world
    world.back_up()
    world.deliver(letter(DAN, "join Dan", number=1))
    asked = world.mails(DAN)[-1]
    world.put_back()
    world.deliver(letter("eve@example.org", "join Eve", number=2))
    world.answer("Dan", "confirm", mail=asked, sender=DAN)
    assert world.outcome() == "done: refused: lost"
    assert {person.name for person in world.service.people.everybody()} == set(PEOPLE)


def test_the_same_job_at_the_same_version_sends_another_mail(lost_world: LostWorld) -> None:
    """A mail program that knows the Message-ID would not show it."""
    world = lost_world
    game = world.open(SIZE)
    world.back_up()
    on_the_third_day(world)
    before = world.newest("Ada")
    assert world.kinds("Ada")[-1] == "reminder"
    world.put_back()
    world.go_on()
    on_the_third_day(world)
    assert world.kinds("Ada")[-1] == "reminder"
    assert world.newest("Ada")["Message-ID"] != before["Message-ID"]
    assert world.state(game).turn == 1


def test_a_bounce_of_a_lost_mail_is_not_held_against_the_next_of_its_number(lost_world: LostWorld) -> None:
    world = lost_world
    world.open(SIZE)
    world.back_up()
    world.answer("Ada", "a1")
    lost = world.newest("Bob")
    path = next(path for path in (world.directory / "new").iterdir() if lost["Message-ID"].strip() in path.read_text())
    sender = path.read_text().partition("Return-Path: <")[2].partition(">")[0]
    assert "+b-" in sender
    world.put_back()
    world.go_on()
    world.deliver(letter("mailer-daemon@example.org", "550 no such user", {"To": sender}, number=5))
    assert world.outcome() == "done: ignored: a bounce address that is not ours"


def test_mails_that_waited_are_replaced_by_the_present_state(lost_world: LostWorld) -> None:
    world = lost_world
    game = world.open(SIZE)
    world.answer("Ada", "a1", settle=False)
    world.service.mail.read_inbox()
    waiting = [mail.id for mail in world.outbox() if mail.status == "queued"]
    world.back_up(settle=False)
    world.put_back()
    world.go_on()
    assert [mail.status for mail in world.outbox() if mail.id in waiting] == ["called off"]
    assert world.kinds("Bob") == ["restored", "turn"]
    assert world.state(game).turn == 2


def test_nothing_lost_tells_nobody(lost_world: LostWorld) -> None:
    """The service moved to another machine. Whoever answers a mail from before is in the right game."""
    world = lost_world
    game = world.open(SIZE)
    world.answer("Ada", "a1")
    mail = world.newest("Bob")
    world.back_up()
    world.put_back(lost=False)
    world.go_on()
    assert world.kinds("Ada") == world.kinds("Bob") == []
    world.answer("Bob", "e3", mail=mail)
    assert played(world, game) == ["a1", "e3"]
    assert world.known() == []


def test_what_nobody_has_said_is_noticed(lost_world: LostWorld) -> None:
    """The file was copied back by hand: what shows it begins a new history."""
    world = lost_world
    game, lost, handled = lose_two_turns(world, said=False)
    world.answer("Ada", "a2", mail=lost)
    assert world.outcome() == "done: refused: lost"
    assert "We had to put our service back to an earlier state" in " ".join(world.text("Ada").split())
    world.deliver(handled)
    assert played(world, game) == ["a1", "e3"]
    world.answer("Ada", "a2", to=lost["Reply-To"])
    assert (world.outcome(), played(world, game)) == ("done: refused: lost", ["a1", "e3"])
    world.answer("Ada", "a2", mail=world.mails("Ada")[-2])
    world.go_on()
    assert "another service signs with the same keys" in " ".join(world.text(ADMIN).split())


def test_the_admin_hears_of_it_at_once_and_then_daily(lost_world: LostWorld) -> None:
    world = lost_world
    other = world.open(SIZE)
    game, lost, _ = lose_two_turns(world)
    world.go_on()
    reports = world.kinds(ADMIN).count("admin_report")
    world.answer("Ada", "a2", mail=lost)
    world.go_on()
    assert world.kinds(ADMIN).count("admin_report") == reports + 1
    assert f"game {game}, turn 3, edition 0" in " ".join(world.text(ADMIN).split())
    world.answer("Ada", "a2", mail=lost)
    world.go_on()
    assert world.kinds(ADMIN).count("admin_report") == reports + 1
    assert other != game


def test_who_answers_a_fresh_mail_on_an_old_thread_is_heard(lost_world: LostWorld) -> None:
    """Its references name lost mails as well; the first one that is ours counts."""
    world = lost_world
    game, lost, _ = lose_two_turns(world)
    world.go_on()
    fresh = world.newest("Bob")
    references = f"{lost['Message-ID'].strip()} {fresh['Message-ID'].strip()}"
    raw = letter(PEOPLE["Bob"], "d2", {"To": fresh["Reply-To"], "References": references}, number=9)
    world.deliver(raw)
    assert played(world, game) == ["a1", "d2"]
