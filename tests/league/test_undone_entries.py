"""Late entries that were mistakes and are undone."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, League, of, win
from tests.league.test_late_entries import FOUR, HALF, LATE, LATER, NONE, TABLES, THREE, begun, cup, drawn, entries, played, points
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.commands import Past
from turnserver.league.events import DecidedBy
from turnserver.league.presentation.crosstable import crosstable
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Pace, Settings
from turnserver.league.state import Phase, Season

SWISS = Settings(format=Format.SWISS, rounds=4)


def enter(league: League, past: Past = Past.HALF, who: PlayerId = LATE, division: str | None = None) -> None:
    league.do(c.Admit(who, 1500.0, "the wrong Eve", past, division))


def undo(league: League, who: PlayerId = LATE) -> list[e.LeagueEvent]:
    return league.do(c.UndoAdmission(who, "the wrong Eve"))


def without_meetings(season: Season) -> Season:
    return Season(**{name: getattr(season, name) for name in season.__struct_fields__} | {"fixtures": (), "byes": {}})


class Mistake(NamedTuple):
    """A season, and what earlier rounds are to somebody who is let in by mistake, besides what happens then."""

    league: Callable[[], League]
    past: Past
    then: Callable[[League], object] = lambda _: None


def next_round(league: League) -> None:
    drawn(league)
    league.do(c.CheckLeague())


MISTAKES: Mapping[str, Mistake] = {
    "Swiss, half points": Mistake(lambda: begun(SWISS, THREE), Past.HALF),
    "Swiss, byes, and one asked for": Mistake(lambda: begun(SWISS, FOUR, 2), Past.BYE, lambda league: league.do(c.AskBye(LATE))),
    "McMahon, absent": Mistake(lambda: begun(Settings(format=Format.MCMAHON, rounds=3, bounds=(1400,))), Past.ABSENT),
    "Swiss, half points, and then withdrawn": Mistake(lambda: begun(SWISS, THREE), Past.HALF, lambda league: league.do(c.Withdraw(LATE))),
    "Swiss, penalised": Mistake(lambda: begun(SWISS), Past.HALF, lambda league: league.do(c.Penalize(LATE, "1", "late"))),
    "Swiss, somebody plays on": Mistake(
        lambda: begun(SWISS), Past.HALF, lambda league: league.do(c.SubstitutePlayer(LATE, LATER, Burden.SEAT, "ill"))
    ),
    "a free place, played": Mistake(lambda: begun(Settings(pace=Pace.ROUND_BY_ROUND), THREE, 2), Past.PLAY),
    "a free place, forfeited": Mistake(lambda: begun(Settings(pace=Pace.ROUND_BY_ROUND), THREE, 2), Past.FORFEIT),
    "no free place, all paired, and then withdrawn": Mistake(
        lambda: begun(Settings()), Past.PLAY, lambda league: league.do(c.Withdraw(LATE))
    ),
    "tables, absent": Mistake(lambda: begun(TABLES, tuple(map(PlayerId, range(1, 9)))), Past.ABSENT),
}


@for_each("name", MISTAKES)
def test_it_is_as_if_they_had_not_been_there(name: str) -> None:
    case = MISTAKES[name]
    league, other = case.league(), case.league()
    enter(league, case.past)
    case.then(league)
    assert undo(league) == [e.AdmissionUndone(player=LATE, reason="the wrong Eve")]
    assert without_meetings(league.season) == without_meetings(other.season)
    assert [one for one in league.season.fixtures if not one.void] == list(other.season.fixtures)
    if league.state.settings.format is not Format.TABLES:
        played(league)
        played(other)
        assert league.state.last == other.state.last
        assert [one.encounter for one in league.season.fixtures if not one.void] == [one.encounter for one in other.season.fixtures]


def test_the_opponent_of_a_game_that_ends_by_it_has_a_bye_and_so_has_one_who_won_by_forfeit() -> None:
    # in its first round the entrant has withdrawn from a game; in the other a game is open
    for leaves in (True, False):
        league = begun(SWISS, THREE)
        enter(league)
        next_round(league)
        league.open_games()
        met = of(league, LATE)
        [opponent] = [player for player in met.players if player != LATE]
        before = points(league, opponent)
        if leaves:
            league.do(c.Withdraw(LATE))
        undone, added = undo(league)
        assert isinstance(added, e.MeetingsAdded)
        assert [(one.players, one.round) for one in added.meetings] == [((opponent,), 2)]
        assert points(league, opponent) == before + 1
        assert LATE not in [line.player for line in division_table(league.state, league.season, league.season.divisions[0]).standings]
        names = {player: f"P{player}" for player in (*THREE, LATE)}
        assert [
            line.name for line in crosstable(league.state, league.season, league.season.divisions[0], names).lines if "98" in line.name
        ] == []
        assert isinstance(undone, e.AdmissionUndone)
        played(league)
        assert league.season.phase is Phase.CLOSED


def test_where_all_meet_nobody_misses_the_games() -> None:
    league = begun(Settings(pace=Pace.ROUND_BY_ROUND), THREE)
    enter(league, Past.PLAY)
    league.open_games()
    assert len(undo(league)) == 1
    gone = [one for one in league.season.fixtures if LATE in one.players]
    assert gone
    assert all(one.void for one in gone)
    assert {one.by for one in gone if len(one.players) == 2} == {DecidedBy.ADMIN}
    played(league)
    assert {points(league, player) for player in THREE} == {Fraction(1)}


def test_whoever_is_undone_can_be_let_in_again_otherwise() -> None:
    league = begun(SWISS, FOUR, 2)
    enter(league, Past.BYE)
    undo(league)
    enter(league, Past.HALF)
    assert points(league, LATE) == HALF * 2
    undo(league)
    enter(league, Past.ABSENT)
    assert points(league, LATE) == NONE
    played(league)


def test_before_the_start_any_entry_is_taken_back() -> None:
    league = entries()
    league.do(c.Enter(ADA, 1500))
    assert league.do(c.UndoAdmission(ADA, "")) == [e.EntryWithdrawn(player=ADA)]


def test_the_last_players_of_a_division_take_it_along() -> None:
    league = begun(Settings(), FOUR)
    enter(league, Past.PLAY)
    enter(league, Past.PLAY, LATER)
    league.do(c.Divide({LATE: "1.2", LATER: "1.2"}, "a try"))
    undo(league)
    undo(league, LATER)
    assert [each.players for each in league.season.divisions] == [league.season.divisions[0].players]
    assert set(league.season.divisions[0].players) == set(FOUR)
    played(league)


def late_and_played() -> League:
    league = begun(SWISS, THREE)
    enter(league)
    next_round(league)
    win(league, LATE, next(player for player in of(league, LATE).players if player != LATE))
    return league


def two_late() -> League:
    league = begun(Settings(pace=Pace.ROUND_BY_ROUND), FOUR)
    enter(league, Past.ABSENT)
    enter(league, Past.ABSENT, LATER)
    return league


def at_a_table() -> League:
    league = begun(TABLES, tuple(map(PlayerId, range(1, 8))))
    enter(league, Past.ABSENT)
    next_round(league)
    assert any(LATE in one.players and len(one.players) > 2 for one in league.season.fixtures)
    return league


REFUSED: Mapping[str, tuple[Callable[[], League], PlayerId, str]] = {
    "who has a result": (late_and_played, LATE, "has_played"),
    "who was there from the start": (lambda: begun(SWISS), ADA, "not_late"),
    "who plays a cup": (cup, ADA, "not_late"),
    "who is not there": (lambda: begun(SWISS), LATE, "not_in_season"),
    "before the start, who has not entered": (entries, LATE, "not_in_season"),
    "the first of two whom the schedule follows": (two_late, LATE, "is_built_on"),
    "who sits at a table": (at_a_table, LATE, "sits_with_others"),
}


@for_each("name", REFUSED)
def test_refuses_an_entry_that_has_to_stay(name: str) -> None:
    make, who, code = REFUSED[name]
    league = make()
    before = league.state
    assert league.refusal(c.UndoAdmission(who, "a mistake")) == code
    assert league.state == before


def test_the_last_of_several_is_undone_first() -> None:
    league = two_late()
    undo(league, LATER)
    undo(league)
    played(league)
    assert {points(league, player) for player in (ADA, BOB, CLEO, DAN)} == {Fraction(3, 2)}
