"""What counts for ratings: the finished games, whom each counts for, and who came out before whom."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from turnserver.games import find
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league.events import LeagueEvent, SeasonAnnounced
from turnserver.league.evolve import evolve
from turnserver.league.scoring.marks import WON, Mark, Scoring
from turnserver.league.scoring.record import Encounter
from turnserver.league.settings import scoring
from turnserver.league.state import Fixture, LeagueState, Season


class Bearer(NamedTuple):
    """Whose strength the others at the table are measured against, and whether the result counts for his own rating."""

    player: PlayerId
    counts: bool = True


def bearer(first: PlayerId, changes: Iterable[tuple[PlayerId, Burden]]) -> Bearer:
    """Who bears the result of a seat that was `first`'s and then went to substitutes, one after another.

    If it counts for `seat`, it goes on counting for whom it counted before; a result that counts for nobody stays so, unless a later
    substitute takes it upon himself.
    """
    found = Bearer(first)
    for player, burden in changes:
        match burden:
            case Burden.SEAT:
                pass
            case Burden.SUBSTITUTE:
                found = Bearer(player)
            case Burden.NONE:
                found = Bearer(player, counts=False)
            case _:
                assert_never(burden)
    return found


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game that counts for ratings, and when it ended.

    Players of one side win and lose together. `places` are the sides' own, in the same order: who came first has the least number, and who
    shares a place has the same one.
    """

    at: datetime
    game: GameId
    sides: tuple[tuple[Bearer, ...], ...]
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raises ValueError for an instant without a zone, fewer than two sides or an empty one, places missing, and a player twice."""
        if self.at.utcoffset() is None:
            raise ValueError("a result needs an instant with its zone")
        if len(self.sides) < 2 or not all(self.sides) or len(self.places) != len(self.sides):
            raise ValueError("a result has two sides or more, with players and a place each")
        players = [one.player for side in self.sides for one in side]
        if len(set(players)) != len(players):
            raise ValueError("somebody has played against himself")


NOBODY_ELSE: Final[Mapping[PlayerId, Bearer]] = MappingProxyType({})


def result_of(
    encounter: Encounter,
    at: datetime,
    scoring: Scoring,
    *,
    teams: Sequence[Sequence[int]] = (),
    bearers: Mapping[PlayerId, Bearer] = NOBODY_ELSE,
) -> Result | None:
    """What an encounter that ended `at` some instant is for ratings; None if it counts for none.

    It counts if it was a game, all of its marks are rated, and somebody won or it was a draw. `teams` are the seats (1, 2, ...) that win
    and lose together; without them, everybody is on his own. `bearers` are those who bear the result in the place of others; a game of
    which somebody would bear two seats counts for none.
    """
    marks = encounter.marks
    if encounter.game is None or len(encounter.players) < 2 or not marks or not scoring.rated.issuperset(marks):
        return None
    if encounter.places:
        places = encounter.places
    elif WON.intersection(marks) or set(marks) == {Mark.DRAW}:
        places = tuple(1 if mark in WON or mark is Mark.DRAW else 2 for mark in marks)
    else:
        return None
    seats = teams or [(seat,) for seat in range(1, len(encounter.players) + 1)]
    players = [bearers.get(player, Bearer(player)) for player in encounter.players]
    if len({one.player for one in players}) < len(players):
        return None
    return Result(
        at,
        encounter.game,
        tuple(tuple(players[seat - 1] for seat in team) for team in seats),
        tuple(places[team[0] - 1] for team in seats),
    )


class Played(NamedTuple):
    """A meeting with a game, and the league as it was at the end of that season, or is now."""

    state: LeagueState
    season: Season
    fixture: Fixture
    game: GameId

    def rated(self, seats: Sequence[Bearer]) -> Result | None:
        """What the game is for ratings if `seats` bear it, in their order; None if it counts for none, or has no result."""
        fixture = self.fixture
        if fixture.at is None:
            return None
        teams = [sorted(team) for team in find(self.state.game, **self.state.options).rules.teams]
        bearers = dict(zip(fixture.players, seats, strict=False))
        return result_of(fixture.encounter, fixture.at, scoring(self.state.settings), teams=teams, bearers=bearers)


def seasons(events: Iterable[LeagueEvent], state: LeagueState | None = None) -> Iterator[tuple[LeagueState, Season]]:
    """The league at the end of each season that `events` tell of, and after the last of them; before them it was in `state`."""
    for event in events:
        if isinstance(event, SeasonAnnounced) and state is not None and state.season is not None:
            yield state, state.season
        state = evolve(state, event)
    if state is not None and state.season is not None:
        yield state, state.season


def played(events: Iterable[LeagueEvent], before: LeagueState | None = None) -> Iterator[Played]:
    """The meetings with a game that are others after `events` than `before`, at the end of their seasons."""
    known = before.season if before is not None else None
    for state, season in seasons(events, before):
        old = known.fixtures if known is not None and known.number == season.number else ()
        for fixture in season.fixtures:
            if fixture.game is not None and (fixture.number > len(old) or old[fixture.number - 1] is not fixture):
                yield Played(state, season, fixture, fixture.game)
