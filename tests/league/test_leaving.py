"""Withdrawals that are undone, and places of players who have withdrawn that somebody else fills."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, OPENED, League, day, of, win
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Pace, Settings
from turnserver.league.state import Fixture, Phase

FOUR = (ADA, BOB, CLEO, DAN)
WIN, LOSS, NONE = Mark.WIN, Mark.LOSS, Mark.NO_RESULT
ROBIN = Settings(round_days=10)
SWISS = Settings(format=Format.SWISS, rounds=3)
CUP = Settings(format=Format.KNOCKOUT, replays=0)
LADDER = Settings(format=Format.LADDER, rest_days=0)


def begun(settings: Settings, players: tuple[PlayerId, ...] = FOUR) -> League:
    league = League(settings)
    league.begin(players, [2000 - player for player in players])
    league.open_games()
    return league


def forfeited(fixture: Fixture, absent: PlayerId) -> tuple[Mark, ...]:
    return tuple(Mark.FORFEIT if player == absent else Mark.WIN_BY_FORFEIT for player in fixture.players)


def order(league: League) -> tuple[PlayerId, ...]:
    return league.season.order


def points(league: League) -> dict[PlayerId, str]:
    """The points of everybody who is in the table."""
    table = division_table(league.state, league.season, league.season.divisions[0])
    return {line.player: str(line.figures[0].value) for line in table.standings}


def numbers(league: League, *players: PlayerId) -> tuple[int, ...]:
    return tuple(one.number for one in league.season.fixtures if set(players) <= set(one.players))


def struck() -> League:
    """Ada has beaten Bob and has left before half of her games; the deadline of the first of three rounds has passed since."""
    league = begun(ROBIN)
    win(league, ADA, BOB)
    league.do(c.Withdraw(ADA))
    league.now = day(11)
    league.do(c.CheckLeague())
    return league


def late() -> League:
    """Ada has left after half of her games."""
    league = begun(ROBIN)
    win(league, ADA, BOB)
    win(league, CLEO, ADA)
    league.do(c.Withdraw(ADA))
    return league


def between_rounds() -> League:
    """Ada has left in the first round of a Swiss event, and the second one is paired without her."""
    league = begun(SWISS, (*FOUR, EVE))
    first = of(league, ADA)
    league.do(c.Withdraw(ADA))
    for one in league.season.fixtures:
        if not one.marks:
            league.result(one.number, WIN)
    league.do(c.CheckLeague())
    assert of(league, ADA) == league.season.fixtures[first.number - 1]
    return league


def in_the_round() -> League:
    """Ada has left in the round of a Swiss event that is still played."""
    league = begun(SWISS)
    league.do(c.Withdraw(ADA))
    return league


def both() -> League:
    """Ada has left, and Bob after her."""
    league = begun(ROBIN)
    league.do(c.Withdraw(ADA), c.Withdraw(BOB))
    return league


def both_late() -> League:
    """Ada has left after half of her games, and Dan likewise."""
    league = late()
    win(league, DAN, BOB)
    win(league, DAN, CLEO)
    league.do(c.Withdraw(DAN))
    return league


def everything(league: League) -> tuple[int, ...]:
    return tuple(one.number for one in league.season.fixtures if ADA in one.players and one.by is e.DecidedBy.WITHDRAWAL)


def nothing(_: League) -> tuple[int, ...]:
    return ()


class Back(NamedTuple):
    """A season that Ada has left, what is asked to be played, the opponents whom she then meets, and points of the table."""

    left: Callable[[], League]
    asked: Callable[[League], tuple[int, ...]] | None
    opponents: frozenset[PlayerId]
    points: Mapping[PlayerId, str]


BACK = {
    "struck, what is in time": Back(struck, None, frozenset({CLEO}), {ADA: "1", BOB: "0", CLEO: "0", DAN: "0"}),
    "struck, everything": Back(struck, everything, frozenset({CLEO, DAN}), {ADA: "1", BOB: "0", CLEO: "0", DAN: "0"}),
    "struck, nothing": Back(struck, nothing, frozenset(), {ADA: "1", BOB: "0", CLEO: "0", DAN: "0"}),
    "late, what is in time": Back(late, None, frozenset({DAN}), {ADA: "1", BOB: "0", CLEO: "1", DAN: "0"}),
    "late, nothing": Back(late, nothing, frozenset(), {ADA: "1", BOB: "0", CLEO: "1", DAN: "1"}),
    "a Swiss that went on": Back(between_rounds, None, frozenset(), {}),
    "a Swiss in its round": Back(in_the_round, None, frozenset({CLEO}), {ADA: "0", BOB: "0", CLEO: "0", DAN: "0"}),
    "another one has left": Back(both, None, frozenset({CLEO, DAN}), {ADA: "0", CLEO: "0", DAN: "0"}),
    "another one has left late": Back(both_late, None, frozenset(), {ADA: "2", BOB: "0", CLEO: "1", DAN: "2"}),
}


@for_each("name", BACK)
def test_whoever_comes_back_plays_what_was_asked_for(name: str) -> None:
    case = BACK[name]
    league = case.left()
    asked = case.asked(league) if case.asked is not None else None
    [returned, *_] = league.do(c.ReturnPlayer(ADA, "a typo", asked))
    assert isinstance(returned, e.PlayerReturned)
    assert (league.season.withdrawn.count(ADA), ADA in league.season.struck) == (0, False)
    open_ = [one for one in league.season.fixtures if ADA in one.players and not one.marks]
    assert {player for one in open_ for player in one.players} - {ADA} == case.opponents
    assert all(one.game is None and not one.overdue and (one.deadline is None or one.deadline > league.now) for one in open_)
    assert points(league).items() >= case.points.items()
    # the games of these are new
    assert {one.number for one in open_} <= {one.number for one in league.open_games()}


def test_what_is_too_late_has_as_much_time_as_a_round() -> None:
    league = begun(ROBIN)
    league.do(c.Withdraw(ADA))
    first = next(one for one in league.season.fixtures if ADA in one.players and one.round == 1)
    league.now = day(15)
    league.do(c.CheckLeague())
    _, moved = league.do(c.ReturnPlayer(ADA, "", (first.number,)))
    until = e.MovedDeadline(meeting=first.number, deadline=day(25), remind_at=day(22.5))
    assert moved == e.DeadlinesMoved(deadlines=(until,), reason="")


@pytest.mark.parametrize(("rules", "deadline"), [(1, day(15)), (2, day(15)), (3, None)])
def test_where_rounds_have_no_end_neither_has_what_is_too_late(rules: int, deadline: datetime | None) -> None:
    """By earlier rules it was due at once."""
    league = begun(replace(ROBIN, round_days=0, rules=rules))
    first = next(one for one in league.season.fixtures if ADA in one.players and one.round == 1)
    league.do(c.MoveDeadlines({first.number: day(12)}, "at last"))
    league.do(c.Withdraw(ADA))
    league.now = day(15)
    _, moved = league.do(c.ReturnPlayer(ADA, "", (first.number,)))
    assert isinstance(moved, e.DeadlinesMoved)
    assert [(one.meeting, one.deadline) for one in moved.deadlines] == [(first.number, deadline)]


def test_it_is_as_if_nobody_had_left() -> None:
    """But for the games, which are new."""
    league = begun(ROBIN)
    win(league, ADA, BOB)
    before = league.season
    league.do(c.Withdraw(ADA), c.ReturnPlayer(ADA, "a typo"))
    fixtures = tuple(replace(one, game=None) if ADA in one.players and not one.marks else one for one in before.fixtures)
    assert league.season == replace(before, fixtures=fixtures)


def announced() -> League:
    league = League(ROBIN)
    league.do(c.AnnounceSeason(), c.Enter(ADA, 1500))
    return league


REFUSED: Mapping[str, tuple[Callable[[], League], c.Command, str]] = {
    "who is there": (late, c.ReturnPlayer(BOB, ""), "not_withdrawn"),
    "who never was": (late, c.ReturnPlayer(PlayerId(99), ""), "not_withdrawn"),
    "a game that was played": (late, c.ReturnPlayer(ADA, "", (1, 2, 3, 4, 5, 6)), "not_by_withdrawal"),
    "no meeting": (late, c.ReturnPlayer(ADA, "", (99,)), "not_by_withdrawal"),
    "before the start": (announced, c.ReturnPlayer(ADA, ""), "season_not_begun"),
    "somebody who plays here": (late, c.SubstitutePlayer(ADA, BOB, Burden.SEAT, ""), "plays_already"),
    "a place that nobody has left": (late, c.SubstitutePlayer(PlayerId(99), EVE, Burden.SEAT, ""), "not_in_season"),
    "nobody waits": (late, c.SubstitutePlayer(ADA, None, Burden.SEAT, ""), "nobody_waits"),
}


@for_each("name", REFUSED)
def test_refuses_what_cannot_be_undone(name: str) -> None:
    make, command, code = REFUSED[name]
    league = make()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before


def test_a_place_that_was_left_is_filled_by_somebody_new() -> None:
    league = struck()
    returned, seated = league.do(c.SubstitutePlayer(ADA, EVE, Burden.SEAT, "Eve wants to play"))
    assert seated == e.PlayerSubstituted(player=ADA, substitute=EVE, rating=Burden.SEAT, reason="Eve wants to play")
    assert returned == e.PlayerReturned(player=ADA, meetings=everything_of(league, EVE), reason="Eve wants to play")
    assert (league.season.plays_as(EVE), league.season.plays_as(ADA)) == (ADA, None)
    assert points(league) == {ADA: "1", BOB: "0", CLEO: "0", DAN: "0"}
    # the new one may leave as well, and the former come back
    league.do(c.Withdraw(EVE))
    assert league.season.withdrawn == (ADA,)
    league.do(c.SubstitutePlayer(EVE, ADA, Burden.SEAT, "well again"))
    assert league.season.plays_as(ADA) == ADA
    assert not league.season.withdrawn


def everything_of(league: League, player: PlayerId) -> tuple[int, ...]:
    return tuple(one.number for one in league.season.fixtures if player in map(league.season.who, one.players) and not one.marks)


def test_the_first_of_the_waiting_list_fills_a_place() -> None:
    league = League(Settings(most=3))
    league.do(c.AnnounceSeason(), *(c.Enter(player, 1500) for player in FOUR), c.StartSeason())
    league.do(c.Withdraw(ADA), c.SubstitutePlayer(ADA, None, Burden.SEAT, ""))
    assert league.season.plays_as(DAN) == ADA


def test_a_ladder_stands_as_if_nobody_had_left() -> None:
    league = begun(LADDER)
    league.do(c.Challenge(CLEO, BOB))
    league.open_games()
    league.now = day(1)
    league.do(c.Withdraw(BOB))
    assert order(league) == (ADA, CLEO, DAN)
    league.do(c.ReturnPlayer(BOB, "a typo"))
    assert order(league) == (ADA, BOB, CLEO, DAN)
    win(league, CLEO, BOB)
    assert order(league) == (ADA, CLEO, BOB, DAN)


def test_a_full_ladder_takes_nobody_back() -> None:
    league = begun(replace(LADDER, most=4))
    league.do(c.Enter(EVE, 1400), c.Withdraw(BOB))
    assert order(league) == (ADA, CLEO, DAN, EVE)
    assert league.refusal(c.ReturnPlayer(BOB, "a typo")) == "season_full"
    league.do(c.Withdraw(EVE), c.ReturnPlayer(BOB, "a typo"))
    assert order(league) == (ADA, BOB, CLEO, DAN)


def test_a_cup_goes_on_with_whoever_is_back() -> None:
    league = begun(CUP)
    league.do(c.Withdraw(ADA))
    league.do(c.ReturnPlayer(ADA, "a typo"))
    win(league, ADA, DAN)
    win(league, BOB, CLEO)
    league.do(c.CheckLeague())
    win(league, ADA, BOB)
    league.do(c.CheckLeague())
    assert league.season.phase is Phase.CLOSED
    assert league.state.last[0].lines[0].player == ADA


@pytest.mark.parametrize(("missed", "met"), [(True, {BOB, CLEO}), (False, set())])
def test_rounds_that_were_paired_without_whoever_is_back_are_played_too(*, missed: bool, met: set[PlayerId]) -> None:
    league = begun(replace(ROBIN, pace=Pace.ROUND_BY_ROUND), FOUR)
    league.do(c.Withdraw(ADA))
    for _ in range(2):
        for one in league.season.fixtures:
            if not one.marks:
                league.result(one.number, WIN)
        league.do(c.CheckLeague())
    before = len(league.season.fixtures)
    events = league.do(c.ReturnPlayer(ADA, "a typo", missed=missed))
    assert bool([event for event in events if isinstance(event, e.MeetingsAdded)]) is missed
    added = league.season.fixtures[before:]
    assert all((one.deadline, bool(one.marks)) == (day(10), False) for one in added)
    assert {player for one in added for player in one.players} - {ADA} == met
    league.open_games()
    while league.season.phase is Phase.RUNNING:
        for one in league.season.fixtures:
            if not one.marks:
                league.result(one.number, WIN)
        league.do(c.CheckLeague())
    assert all(len(numbers(league, ADA, other)) == 1 for other in (BOB, CLEO, DAN) if missed)


def test_a_table_plays_on_with_whoever_is_back() -> None:
    players = tuple(map(PlayerId, range(1, 9)))
    league = League(Settings(format=Format.TABLES, rounds=2, pace=Pace.ROUND_BY_ROUND), game="sneaky-octopuses")
    league.begin(players)
    own = of(league, players[0])
    league.do(c.Withdraw(players[0]))
    assert own.number in league.do(c.ReturnPlayer(players[0], ""))[0].meetings  # type: ignore[union-attr]
    assert league.now == OPENED
    for one in league.season.fixtures:
        league.placed(one.number, 1, 2, 3, 4)
    league.do(c.CheckLeague())
    assert of(league, players[0]).round == 2
