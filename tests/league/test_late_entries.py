"""Players who come into a season that has begun."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

import pytest

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.commands import Past
from turnserver.league.presentation.explanations import explain
from turnserver.league.presentation.trf import report
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Pace, Settings, TierSize
from turnserver.league.state import Phase

THREE, FOUR = (ADA, BOB, CLEO), (ADA, BOB, CLEO, DAN)
LATE, LATER = PlayerId(98), PlayerId(99)
TABLES = Settings(format=Format.TABLES, rounds=3, pace=Pace.ROUND_BY_ROUND)


def begun(settings: Settings, players: tuple[PlayerId, ...] = FOUR, rounds: int = 1) -> League:
    """A season in which so many rounds are paired, and all games but those of the last were drawn."""
    league = League(settings, game="sneaky-octopuses" if settings.format is Format.TABLES else "take")
    league.begin(players, [2000 - 10 * player for player in players])
    while max(league.season.paired.values()) < rounds:
        drawn(league)
        league.do(c.CheckLeague())
    return league


def drawn(league: League) -> None:
    for one in league.season.fixtures:
        if not one.marks and len(one.players) == 2:
            league.result(one.number, Mark.DRAW)
        elif not one.marks:
            league.placed(one.number, *range(1, len(one.players) + 1))


def played(league: League) -> None:
    """Draw everything that is to come."""
    while league.season.phase is Phase.RUNNING:
        drawn(league)
        league.do(c.CheckLeague())


def points(league: League, player: PlayerId) -> Fraction:
    division = next(each for each in league.season.divisions if player in each.players)
    table = division_table(league.state, league.season, division)
    return next(line.figures[0].value for line in table.standings if line.player == player)


class Late(NamedTuple):
    """A season, what earlier rounds are to somebody late, their points then, how many games they have in the end, and points then."""

    league: Callable[[], League]
    past: Past
    now: Fraction
    games: int
    then: Fraction


def swiss(players: tuple[PlayerId, ...] = FOUR, form: Format = Format.SWISS) -> Callable[[], League]:
    return lambda: begun(Settings(format=form, rounds=3, bounds=(1800,) if form is Format.MCMAHON else ()), players, 2)


def robin(players: tuple[PlayerId, ...], pace: Pace = Pace.ROUND_BY_ROUND, rounds: int = 2) -> Callable[[], League]:
    return lambda: begun(Settings(pace=pace), players, rounds)


HALF, NONE = Fraction(1, 2), Fraction(0)
CASES = {
    "Swiss, absent": Late(swiss(), Past.ABSENT, NONE, 0, Fraction(1)),
    "Swiss, even then, absent": Late(swiss(THREE), Past.ABSENT, NONE, 1, HALF),
    "Swiss, half points": Late(swiss(THREE), Past.HALF, Fraction(1), 1, Fraction(3, 2)),
    "Swiss, byes": Late(swiss(THREE), Past.BYE, Fraction(2), 1, Fraction(5, 2)),
    "McMahon, half points": Late(swiss(THREE, Format.MCMAHON), Past.HALF, Fraction(2), 1, Fraction(5, 2)),
    "a free place, played": Late(robin(THREE), Past.PLAY, NONE, 3, Fraction(3, 2)),
    "a free place, forfeited": Late(robin(THREE), Past.FORFEIT, NONE, 3, HALF),
    "a free place, absent": Late(robin(THREE), Past.ABSENT, NONE, 1, HALF),
    "a free place, all paired": Late(robin(THREE, Pace.TOGETHER), Past.PLAY, NONE, 3, Fraction(3, 2)),
    "no free place, played": Late(robin(FOUR), Past.PLAY, NONE, 4, Fraction(2)),
    "no free place, forfeited": Late(robin(FOUR), Past.FORFEIT, NONE, 4, Fraction(1)),
    "no free place, absent": Late(robin(FOUR), Past.ABSENT, NONE, 2, Fraction(1)),
    "no free place, all paired": Late(robin(FOUR, Pace.TOGETHER), Past.PLAY, NONE, 4, Fraction(2)),
    "tables, absent": Late(lambda: begun(TABLES, tuple(map(PlayerId, range(1, 12))), 2), Past.ABSENT, NONE, 1, NONE),
}


@pytest.mark.parametrize("name", CASES)
def test_whoever_is_late_plays_what_is_to_come(name: str) -> None:
    case = CASES[name]
    league = case.league()
    others = {one.number: one.players for one in league.season.fixtures}
    [admitted, *_] = league.do(c.Admit(LATE, 1810.0, "the post was late", case.past))
    assert isinstance(admitted, e.PlayerAdmitted)
    assert points(league, LATE) == case.now
    played(league)
    own = [one for one in league.season.fixtures if LATE in one.players]
    games = [frozenset(one.players) for one in own if len(one.players) > 1]
    assert len(games) == len(set(games)) == case.games
    if league.state.settings.format is not Format.TABLES:
        assert points(league, LATE) == case.then
    # nobody else has lost a meeting or met somebody twice by it
    assert {number: league.season.fixtures[number - 1].players for number in others} == others
    pairs = [frozenset(one.players) for one in league.season.fixtures if len(one.players) == 2]
    assert len(pairs) == len(set(pairs)) or league.state.settings.format is not Format.ROUND_ROBIN


@for_each("double", [False, True])
@for_each("size", [2, 3, 4, 5])
@for_each("many", [1, 2, 3])
def test_everybody_meets_everybody_however_many_are_late(size: int, many: int, *, double: bool) -> None:
    form = Format.DOUBLE_ROUND_ROBIN if double else Format.ROUND_ROBIN
    league = begun(Settings(format=form, pace=Pace.ROUND_BY_ROUND, least=2), tuple(map(PlayerId, range(1, size + 1))))
    for number in range(many):
        league.do(c.Admit(PlayerId(50 + number), 1500.0, "", Past.PLAY))
    played(league)
    there = league.season.divisions[0].players
    met = [one.players for one in league.season.fixtures if len(one.players) == 2]
    assert len(there) == size + many
    assert len(met) == len(there) * (len(there) - 1) // (1 if double else 2)
    assert len(set(met)) == len(met)
    assert len({frozenset(pair) for pair in met}) == len(there) * (len(there) - 1) // 2


def test_the_strong_stand_where_they_belong() -> None:
    league = begun(Settings(format=Format.SWISS, rounds=3))
    order = league.season.divisions[0].players
    ratings = dict(zip(order, league.season.divisions[0].ratings, strict=True))
    league.do(c.Admit(LATE, ratings[order[1]], "", Past.ABSENT), c.Admit(LATER, 3000.0, "", Past.ABSENT))
    assert league.season.divisions[0].players == (LATER, *order[:2], LATE, *order[2:])
    assert [entry.player for entry in league.season.entries if entry.ready][-2:] == [LATE, LATER]


def test_a_division_is_named_or_is_the_smallest_of_the_lowest_tier() -> None:
    tiers = (TierSize(size=4), TierSize(size=4, divisions=2))
    league = begun(Settings(tiers=tiers), tuple(map(PlayerId, range(1, 12))))
    smallest = min(league.season.divisions, key=lambda each: (-each.tier, len(each.players))).name
    league.do(c.Admit(LATE, 1500.0, "", Past.PLAY), c.Admit(LATER, 1500.0, "", Past.PLAY, "1"))
    assert [each.name for each in league.season.divisions if LATE in each.players] == [smallest]
    assert LATER in league.season.divisions[0].players


def cup() -> League:
    return begun(Settings(format=Format.KNOCKOUT))


def one_to_come() -> League:
    return begun(Settings(format=Format.SWISS, rounds=2))


def over() -> League:
    return begun(Settings(format=Format.SWISS, rounds=2), FOUR, 2)


def left() -> League:
    league = begun(Settings())
    league.do(c.SubstitutePlayer(BOB, EVE, Burden.SEAT, ""), c.Withdraw(ADA))
    return league


def back() -> League:
    league = left()
    league.do(c.SubstitutePlayer(EVE, BOB, Burden.SEAT, ""))
    return league


def entries() -> League:
    league = League(Settings())
    league.do(c.AnnounceSeason())
    return league


def begun_ladder() -> League:
    league = League(Settings(format=Format.LADDER))
    league.begin(FOUR)
    return league


REFUSED: Mapping[str, tuple[Callable[[], League], c.Admit, str]] = {
    "a cup": (cup, c.Admit(LATE, 1500, "", Past.ABSENT), "no_late_entry"),
    "a ladder": (begun_ladder, c.Admit(LATE, 1500, "", Past.ABSENT), "no_late_entry"),
    "the last round": (over, c.Admit(LATE, 1500, "", Past.HALF), "no_more_rounds"),
    "all rounds paired": (left, c.Admit(LATE, 1500, "", Past.FORFEIT), "bad_past"),
    "half a point where all meet": (left, c.Admit(LATE, 1500, "", Past.HALF), "bad_past"),
    "games in a Swiss event": (one_to_come, c.Admit(LATE, 1500, "", Past.PLAY), "bad_past"),
    "games after the last round": (over, c.Admit(LATE, 1500, "", Past.PLAY), "no_more_rounds"),
    "who is there": (left, c.Admit(CLEO, 1500, "", Past.PLAY), "already_entered"),
    "a substitute": (left, c.Admit(EVE, 1500, "", Past.PLAY), "already_entered"),
    "who has a substitute": (left, c.Admit(BOB, 1500, "", Past.PLAY), "plays_already"),
    "a former substitute": (back, c.Admit(EVE, 1500, "", Past.PLAY), "plays_already"),
    "who has left": (left, c.Admit(ADA, 1500, "", Past.PLAY), "has_left"),
    "no division": (left, c.Admit(LATE, 1500, "", Past.PLAY, "2"), "not_found"),
    "before the start": (entries, c.Admit(LATE, 1500, "", Past.PLAY), "season_not_begun"),
}


@for_each("name", REFUSED)
def test_refuses_whoever_cannot_come(name: str) -> None:
    make, command, code = REFUSED[name]
    league = make()
    before = league.state
    assert league.refusal(command) == code
    assert league.state == before


def test_half_points_are_explained_and_exported() -> None:
    league = swiss(THREE)()
    league.now = day(3)
    league.do(c.Admit(LATE, 1500.0, "", Past.HALF))
    played(league)
    names = {player: f"P{player}" for player in (*THREE, LATE)}
    [division] = league.season.divisions
    told = explain(league.state, league.season, division, LATE, names)
    assert told[1].summands[:2] == ("Round 1: ½ (entered late).", "Round 2: ½ (entered late).")
    text = report(league.state, league.season, division, names).text
    line = next(one for one in text.splitlines() if one.startswith("001") and "P98" in one)
    assert line.count("0000 - H") == 2
    assert "Some points do not follow" not in text
