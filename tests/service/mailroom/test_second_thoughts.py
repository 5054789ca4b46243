"""Corrections before anybody else is told, and taking back by agreement, from mail to mail."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from tests.service.world import SITE, World
from tests.terms import PLAIN
from turnserver.config import Settings, Site
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.mail.outbound.game_words import Pending
from turnserver.play.events import RetractionKind, TurnsRetracted
from turnserver.play.reliability import Tally
from turnserver.rules import Seat
from turnserver.store.games import views
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement
from turnserver.store.mail import outbox

TEN_MINUTES = Settings(site=Site(address=SITE), play=replace(PLAIN, correction_minutes=10))


@pytest.fixture
def slow(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A world in which a turn may be corrected for ten minutes, over each engine in turn."""
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail", settings=TEN_MINUTES)
    db.close()


def begin(world: World) -> GameId:
    """A game of Take in which Ada has just played a1, the second turn."""
    game = world.open()
    world.answer("Ada", "a2")
    world.wait(minutes=10)
    world.settle()
    world.answer("Bob", "b1")
    world.wait(minutes=10)
    world.settle()
    world.answer("Ada", "a1")
    return game


def newest(world: World, name: str) -> str:
    """The text of the newest mail that a player got, on one line."""
    return " ".join(world.text(name).split())


def heard(world: World, name: str, since: int) -> list[str]:
    """Return what a player's mails since the first so many are about, each in its first paragraph."""
    mails = world.mails(name)[since:]
    bodies = (mail.get_body(("plain",)) for mail in mails)
    return [" ".join(str(body.get_content()).split("\n\n")[1].split()) for body in bodies if body]


def test_nobody_hears_of_a_turn_before_the_time_for_correction_is_over(slow: World) -> None:
    game = begin(slow)
    before = len(slow.mails("Bob"))
    slow.wait(minutes=9, seconds=59)
    slow.settle()
    assert len(slow.mails("Bob")) == before
    slow.wait(seconds=1)
    slow.settle()
    assert heard(slow, "Bob", before)[0].startswith("Ada played a1. Your move, ")
    clock = slow.state(game).clock
    assert clock is not None
    assert (clock.since, clock.deadline) == (slow.now, slow.now + clock.time if clock.time else None)


def test_whoever_has_heard_of_a_turn_may_answer_it_after_the_clock_was_set_back(slow: World) -> None:
    game = begin(slow)
    slow.wait(minutes=10)
    slow.settle()
    slow.wait(days=-2)
    slow.service.upkeep.confirm_clock()
    slow.answer("Bob", "b2")
    assert slow.outcome() == "done: carried out"
    assert slow.state(game).turn == 5


def of(minutes: int) -> Settings:
    """A site at which a turn may be corrected for so long."""
    return replace(TEN_MINUTES, play=replace(PLAIN, correction_minutes=minutes))


@pytest.mark.parametrize(("opened", "served", "minutes"), [(10, 0, 0), (10, 4, 4), (0, 10, 0), (10, 10, 10)])
def test_the_site_that_handles_a_turn_says_how_long_the_others_wait(slow: World, opened: int, served: int, minutes: int) -> None:
    """The settings of the process that opened the game do not matter; but nobody waits longer than the game's terms say."""
    slow.restart(of(opened))
    game = slow.open()
    slow.restart(of(served))
    before = len(slow.mails("Bob"))
    slow.answer("Ada", "a2")
    clock = slow.state(game).clock
    assert clock is not None
    assert clock.since == slow.now + timedelta(minutes=minutes)
    for waited in (max(0, minutes * 60 - 1), minutes > 0):
        assert waited or len(slow.mails("Bob")) == before + (not minutes)
        slow.wait(seconds=waited)
        slow.settle()
    assert heard(slow, "Bob", before)[0].startswith("Ada played a2.")
    with slow.service.db.read() as conn:
        assert list(audit.verify(conn)) == []


YOURS = Pending(yours=True, players="", when="WHEN").phrase.removesuffix("WHEN")
SIGNS = ("played a1", "Turn 3: Ada", "after turn 3", "YOUR MOVE", YOURS, "turn 4")
"""The words by which answers to the opponent show that a1 was played."""

LOOKS = ("show", "history", "games", "resend", "b2", "preview b2", "show turn 3", "rules", "clock", "say hello", "set digest 18:00")


@pytest.mark.parametrize("line", LOOKS)
def test_who_looks_meanwhile_does_not_see_it(slow: World, line: str) -> None:
    """The answer to any mail of the opponent knows nothing of the turn; and the turn comes in time."""
    begin(slow)
    before = len(slow.mails("Bob"))
    slow.answer("Bob", line)
    assert len(slow.mails("Bob")) == before + (not line.startswith("say"))
    for mail in slow.mails("Bob")[before:]:
        body = mail.get_body(("plain",))
        assert body is not None
        text = " ".join(body.get_content().split())
        assert [sign for sign in SIGNS if sign in text] == []
    if not line.startswith("set"):
        slow.wait(minutes=10)
        slow.settle()
        assert any("played a1" in text for text in heard(slow, "Bob", before))


def test_who_looks_afterwards_sees_it(slow: World) -> None:
    """No sign is one that no answer has any more, since a sentence was reworded."""
    begin(slow)
    slow.wait(minutes=10)
    slow.settle()
    seen = ""
    for line in LOOKS:
        slow.answer("Bob", line)
        seen += newest(slow, "Bob")
    assert [sign for sign in SIGNS if sign not in seen] == []


REFUSED = {
    "b2": ("turn_already_played", "Turn 2 is played already: b1 by Blue. It can't be changed; turn 3 is next."),
    "nudge": ("nudge_too_early", "Red has been to move for less than a day."),
    "accept": ("nothing_to_accept", "There is no offer to answer"),
    "decline": ("nothing_to_decline", "There is no offer to answer"),
    "resume": ("not_paused", "isn't paused"),
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_refused_meanwhile_is_refused_by_what_its_writer_knows(slow: World, line: str) -> None:
    """Also an answer to what its mover proposes meanwhile."""
    begin(slow)
    code, why = REFUSED[line]
    slow.answer("Ada", "pause 3 days")
    slow.answer("Bob", line)
    assert slow.outcome() == f"done: refused: {code}"
    assert why in newest(slow, "Bob")


def test_another_move_meanwhile_is_told_how_to_take_the_place_of_the_first(slow: World) -> None:
    begin(slow)
    turn = slow.mails("Ada")[-1]
    slow.answer("Ada", "c2", mail=turn)
    assert slow.outcome() == "done: refused: turn_already_played"
    assert 'To play something else instead, write "undo", and the other move below it.' in newest(slow, "Ada")
    slow.answer("Ada", "undo\nc2", mail=turn)
    assert slow.state(GameId(1)).line.turns[-1].steps == ("c2",)


def test_who_asks_for_a_move_that_was_just_played_will_hear_of_it(slow: World) -> None:
    """Bob has waited for more than a day, so nothing that Bob knows forbids the correction."""
    begin(slow)
    slow.wait(minutes=10)
    slow.settle()
    slow.answer("Bob", "b2")
    slow.wait(days=1, minutes=10)
    slow.settle()
    slow.answer("Ada", "c2")
    slow.answer("Bob", "nudge")
    assert slow.outcome() == "done: refused: not_told_yet"
    assert "a mail about it is on its way to you" in newest(slow, "Bob")


def test_a_word_meanwhile_reaches_the_mover_with_the_board_that_they_know(slow: World) -> None:
    begin(slow)
    slow.answer("Bob", "say hello")
    assert "Bob says:" in newest(slow, "Ada")
    assert "Bob (Blue) to move" in newest(slow, "Ada")


def test_a_vacation_meanwhile_does_not_say_whose_turn_it_is(slow: World) -> None:
    begin(slow)
    slow.answer("Bob", "vacation 3 days")
    assert "your clock stands still." in slow.text("Bob")
    assert "deadline" not in slow.text("Bob")


@pytest.mark.parametrize("words", ["undo b2\nsay Oops", "b2\nsay Oops\nundo"])
def test_a_correction_with_another_move(slow: World, words: str) -> None:
    """The opponent hears of the better move only, ten minutes after it."""
    game = begin(slow)
    before = len(slow.mails("Bob"))
    slow.wait(minutes=9)
    slow.answer("Ada", words)
    assert slow.state(game).line.last is not None
    assert [turn.text for turn in slow.state(game).line.turns] == ["a2", "b1", "b2"]
    slow.wait(minutes=1)
    slow.settle()
    assert len(slow.mails("Bob")) == before
    slow.wait(minutes=9)
    slow.settle()
    assert len(slow.mails("Bob")) == before + 1
    assert "played b2" in heard(slow, "Bob", before)[0]
    assert "a1" not in heard(slow, "Bob", before)[0]
    assert "Oops" in slow.text("Bob")
    got = {str(mail["Message-ID"]).strip() for mail in slow.mails("Bob")}
    assert set(str(slow.mails("Bob")[-1]["References"]).split()) <= got


def test_a_correction_without_another_move(slow: World) -> None:
    """The turn is the player's again, who hears so; what was said in the mail that was called off is told."""
    game = slow.open()
    slow.answer("Ada", "a2\nsay Here I come")
    bob, ada = len(slow.mails("Bob")), len(slow.mails("Ada"))
    slow.wait(minutes=4)
    slow.answer("Ada", "Undo.")
    assert "Your move was taken back; nobody else has seen it" in heard(slow, "Ada", ada)[0]
    assert "What you said with it has been passed on." in newest(slow, "Ada")
    slow.wait(minutes=30)
    slow.settle()
    assert ["Ada says:" in text for text in heard(slow, "Bob", bob)] == [True]
    assert "Here I come" in slow.text("Bob")
    assert "played a2" not in slow.text("Bob")
    state = slow.state(game)
    assert (state.to_move, state.turn, state.edition) == (1, 1, 1)
    slow.answer("Ada", "a1")
    slow.wait(minutes=10)
    slow.settle()
    assert "played a1" in heard(slow, "Bob", bob)[-1]
    assert "taken back" not in slow.text("Bob")


@pytest.mark.parametrize(("name", "knows"), [("Ada", True), ("Bob", False)])
def test_the_history_tells_of_a_corrected_turn_nobody_but_its_player(slow: World, name: str, *, knows: bool) -> None:
    begin(slow)
    slow.answer("Ada", "undo")
    assert "What you said" not in newest(slow, "Ada")
    slow.answer(name, "history", mail=slow.mails(name)[-1])
    assert ("b1" in newest(slow, name), "played a1" in newest(slow, name), "took back" in newest(slow, name)) == (True, knows, knows)


def test_a_correction_that_comes_too_late(slow: World) -> None:
    """With another move it is refused; alone it asks the others, who may agree."""
    game = begin(slow)
    slow.wait(minutes=10)
    slow.settle()
    slow.answer("Ada", "undo b2")
    assert slow.outcome() == "done: refused: already_told"
    slow.answer("Ada", "undo")
    assert "asks to take back a move" in slow.text("Bob").replace("\n", " ")
    slow.answer("Bob", "accept")
    event = slow.service.games.history(game)[-1].event
    assert isinstance(event, TurnsRetracted)
    assert (event.kind, event.first, event.seat) == (RetractionKind.AGREEMENT, 3, 1)
    for name in ("Ada", "Bob"):
        assert "Turn 3 was taken back, as you all agreed" in slow.text(name)


def test_a_correction_that_came_in_time_but_was_read_late(slow: World) -> None:
    """News that was told decides whether it can still be done."""
    game = begin(slow)
    slow.wait(minutes=9)
    slow.answer("Ada", "undo", settle=False)
    slow.wait(minutes=5)
    slow.service.mail.read_inbox()
    assert slow.state(game).turn == 3
    slow.settle()
    slow.answer("Ada", "a1")
    slow.wait(minutes=9)
    slow.answer("Ada", "undo", settle=False)
    slow.wait(minutes=5)
    slow.service.mail.send_outbox()
    slow.service.mail.read_inbox()
    assert slow.outcome() == "done: refused: already_told"


def test_a_correction_while_a_mail_may_have_left(slow: World) -> None:
    """The process that claimed the mail may have sent it and died before it could say so."""
    begin(slow)
    slow.wait(minutes=9)
    slow.answer("Ada", "undo", settle=False)
    slow.wait(minutes=1)
    lease = timedelta(minutes=2)
    assert [mail.kind for mail in outbox.claim(slow.service.db, slow.now, 9, lease, "somebody else")] == ["turn"]
    slow.wait(minutes=5)
    slow.service.mail.read_inbox()
    assert slow.outcome() == "done: refused: already_told"


def test_a_correction_twice(slow: World) -> None:
    """The second one asks the others for nothing: it was written before its writer knew that the first one was heard."""
    game = begin(slow)
    before, mail = len(slow.mails("Bob")), slow.mails("Ada")[-1]
    slow.answer("Ada", "undo", mail=mail)
    slow.answer("Ada", "undo", mail=mail)
    assert slow.outcome() == "done: refused: taken_back_already"
    assert (slow.state(game).turn, len(slow.mails("Bob"))) == (3, before)


def test_a_correction_of_a_correction(slow: World) -> None:
    """There is no newer mail to answer than the one that brought the turn."""
    game = begin(slow)
    before, mail = len(slow.mails("Bob")), slow.mails("Ada")[-1]
    slow.answer("Ada", "undo b2", mail=mail)
    slow.answer("Ada", "undo c1", mail=mail)
    assert slow.outcome() == "done: carried out"
    assert [turn.text for turn in slow.state(game).line.turns] == ["a2", "b1", "c1"]
    slow.wait(minutes=10)
    slow.settle()
    assert "played c1" in heard(slow, "Bob", before)[0]


def test_who_has_taken_a_seat_over_hears_so_though_the_turn_is_corrected(slow: World) -> None:
    """And so does whoever sat there; neither hears of the turn."""
    game = begin(slow)
    bob, cleo = len(slow.mails("Bob")), len(slow.mails("Cleo"))
    slow.service.games.substitute(game, Seat(2), "Cleo", Burden.SEAT, "ill", actor="admin:test", cause="test:substitute")
    slow.answer("Ada", "undo b2")
    slow.wait(minutes=10)
    slow.settle()
    assert [text.partition(".")[0] for text in heard(slow, "Bob", bob)] == ["Cleo took over your seat and plays on"]
    assert "Cleo took over your seat" in newest(slow, "Bob")
    assert [text.partition(",")[0] for text in heard(slow, "Cleo", cleo)] == ["Ada played b2. Your move", "You now play for Bob (Blue)"]
    assert "a1" not in " ".join([*heard(slow, "Bob", bob), *heard(slow, "Cleo", cleo)])


def test_what_is_due_for_a_digest_meanwhile_waits_for_the_next_one(slow: World) -> None:
    """A digest that comes in those minutes, because of a word, says nothing of the turn, and the turn is in the next one."""
    slow.open()
    slow.answer("Bob", "set digest 18:00")
    slow.answer("Ada", "say hello")
    slow.wait(hours=5, minutes=55)
    slow.settle()
    slow.answer("Ada", "a2")
    before = len(slow.mails("Bob"))
    slow.wait(minutes=5)
    slow.settle()
    assert len(slow.mails("Bob")) == before + 1
    assert "hello" in newest(slow, "Bob")
    assert "Red: Ada, to move" in newest(slow, "Bob")
    slow.wait(days=1)
    slow.settle()
    assert "a2" in slow.text("Bob")


def digested(world: World) -> int:
    """Bob wants a digest at six, and Ada has played a2 at ten to six; how many mails Bob has."""
    world.open()
    world.answer("Bob", "set digest 18:00")
    world.wait(hours=5, minutes=49)
    world.settle()
    world.answer("Ada", "a2")
    return len(world.mails("Bob"))


def test_a_turn_that_stands_in_a_digest_has_been_told(slow: World) -> None:
    before = digested(slow)
    slow.wait(minutes=9)
    slow.answer("Ada", "undo", settle=False)
    slow.wait(minutes=2)
    slow.service.mail.send_outbox()
    assert len(slow.mails("Bob")) == before + 1
    slow.service.mail.read_inbox()
    assert slow.outcome() == "done: refused: already_told"


def test_a_turn_that_was_corrected_is_in_no_digest_and_no_mail_in_its_stead(slow: World) -> None:
    before = digested(slow)
    slow.answer("Ada", "undo a1")
    slow.answer("Bob", "set digest off")
    slow.wait(days=1)
    slow.settle()
    assert [text for text in heard(slow, "Bob", before) if "a2" in text] == []
    assert any("played a1" in text for text in heard(slow, "Bob", before))


def test_who_wants_no_digest_any_more_hears_of_a_turn_no_earlier(slow: World) -> None:
    before = digested(slow)
    slow.answer("Bob", "set digest off")
    slow.wait(minutes=9)
    slow.settle()
    assert len(slow.mails("Bob")) == before + 1
    slow.wait(minutes=1)
    slow.settle()
    assert any("played a2" in text for text in heard(slow, "Bob", before))


def test_a_program_of_before_counted_each_correction_as_a_turn_more(slow: World, database_url: str) -> None:
    begin(slow)
    slow.answer("Ada", "undo")
    slow.answer("Ada", "c1")
    slow.wait(minutes=10)
    slow.settle()
    slow.answer("Bob", "substitute Cleo")
    slow.answer("Ada", "accept")
    slow.answer("Cleo", "accept")
    slow.answer("Cleo", "b2")
    for move in ("b3", "b2"):
        slow.answer("Cleo", f"undo {move}")
    counted = _tallies(slow)
    ada, bob, cleo = (slow.service.people.find(name).id for name in ("Ada", "Bob", "Cleo"))
    assert counted == {ada: Tally(2, 2), bob: Tally(1, 1), cleo: Tally(1, 1)}
    with slow.service.db.write() as tx:
        views.add_tallies(tx, {ada: Tally(1, 1), cleo: Tally(2, 2)})
        tx.run(Statement(text("DROP INDEX form_player")))  # which later revisions have added, as the column
        tx.run(Statement(text("ALTER TABLE heartbeat DROP COLUMN doubted_at")))
        tx.run(Statement(text("UPDATE alembic_version SET version_num = '0010'")))
    Database.create_or_upgrade(database_url).close()
    assert _tallies(slow) == counted


def _tallies(world: World) -> dict[PlayerId, Tally]:
    with world.service.db.read() as conn:
        return views.every_tally(conn)


def test_an_invitation_counts_no_turn_that_can_still_be_corrected(slow: World) -> None:
    begin(slow)
    ada, cleo = (slow.service.people.find(name).id for name in ("Ada", "Cleo"))
    told = []
    for _ in range(2):
        slow.answer("Ada", "challenge Cleo take")
        newest = max((row for row in slow.outbox() if row.player == cleo and "reliability" in row.detail), key=lambda row: row.id)
        told.append(newest.detail["reliability"][str(ada)][:2])
        slow.wait(minutes=10)
        slow.settle()
    assert told == [[1, 1], [2, 2]]
