"""Time that players give each other, from mail to mail."""

from datetime import timedelta

import pytest

from tests.service.leagues.league_world import begin, meeting, number, open_league, sound
from tests.service.world import World
from turnserver.league.settings import Settings
from turnserver.mail.outbound.kinds import MailKind


def told(world: World, name: str) -> str:
    return " ".join(world.text(name).split())


@pytest.mark.parametrize("words", ["give 2 days", "Gib ihm 2 Tage!"])
def test_the_opponent_hears_of_more_time_at_once_and_the_giver_with_the_next_turn(world: World, words: str) -> None:
    game = world.open()
    before, mails = world.state(game).deadline, len(world.mails("Bob"))
    assert before is not None
    world.answer("Bob", words, mail=world.mails("Bob")[-1])
    assert (world.outcome(), world.outbox()[0].kind) == ("done: carried out", MailKind.CLOCK_CHANGED)
    assert world.state(game).deadline == before + timedelta(days=2)
    assert "Bob (Blue) gave 2 days more for turn 1." in told(world, "Ada")
    assert len(world.mails("Bob")) == mails
    world.answer("Ada", "clock")
    assert "given by Bob (Blue) on" in told(world, "Ada")
    world.answer("Ada", "a2", mail=world.mails("Ada")[-2])
    assert "Bob (Blue) gave 2 days more for turn 1." in told(world, "Bob")
    assert sound(world)


def test_time_goes_with_a_move_in_one_mail(world: World) -> None:
    game = world.open()
    world.answer("Ada", "give 12 hours\na2")
    state = world.state(game)
    assert state.clock is not None
    assert state.deadline == world.now + timedelta(days=3, hours=12)
    assert world.outbox()[0].kind == MailKind.TURN
    assert "Ada (Red) gave 12 hours more for turn 2." in told(world, "Bob")


REFUSED = {"give 2 days": "own_turn", "undo\ngive 2 days": "conflict", "give 31 days\na2": "bad_gift"}


@pytest.mark.parametrize(("words", "code"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_given_changes_nothing(world: World, words: str, code: str) -> None:
    game = world.open()
    before = world.state(game)
    world.answer("Ada", words)
    assert world.outcome() == f"done: refused: {code}"
    assert world.state(game) == before


@pytest.mark.parametrize(("words", "line"), [("gib mir 2 bier", "gib <time>"), ("give it 2 goes", "give <time>")])
def test_a_line_that_begins_so_shows_how_it_is_written(world: World, words: str, line: str) -> None:
    game = world.open()
    before = world.state(game)
    world.answer("Bob", words)
    assert line in told(world, "Bob")
    assert world.state(game) == before


def test_no_time_goes_beyond_the_dates_of_a_league(world: World) -> None:
    league = open_league(world, Settings(round_days=5))
    begin(world, league)
    game = meeting(world, league, "Ada", "Bob").game
    assert game is not None
    state = world.state(game)
    other = "Ada" if state.to_move != state.seat_of(number(world, "Ada")) else "Bob"
    mail = next(mail for mail in world.mails(other) if f"Take {game}" in str(mail["Subject"]))
    world.answer(other, "give 1 day", mail=mail)
    assert world.outcome() == "done: carried out"
    world.answer(other, "give 2 days", mail=mail)
    assert world.outcome() == "done: refused: league_dates"
    assert "The dates of the league want this game to be over by" in told(world, other)
    assert sound(world)
