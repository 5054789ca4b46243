"""The results that count for ratings: finished games, the players they count for, and the order of the sides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league.events import LeagueEvent, SeasonAnnounced
from turnserver.league.evolve import evolve
from turnserver.league.formats.seating import teams_of
from turnserver.league.scoring.marks import WON, Mark, Scoring
from turnserver.league.scoring.record import Encounter
from turnserver.league.settings import scoring
from turnserver.league.state import Fixture, LeagueState, Season


class Bearer(NamedTuple):
    """The player whose strength the others at the table are measured against, and whether the result counts for that player's rating."""

    player: PlayerId
    counts: bool = True


def bearer(first: PlayerId, changes: Iterable[tuple[PlayerId, Burden]]) -> Bearer:
    """Return the bearer of the result of a seat that was `first`'s and then went to substitutes, one after another.

    With `SEAT`, the result goes on counting for the bearer before. A result that counts for nobody stays so, unless a later substitute
    takes it over.
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
class RatedResult:
    """A finished game that counts for ratings, and when it ended.

    Players of one side win and lose together. `places` are the places of the sides, in the same order: the first has the least number, and
    sides that share a place have the same one.
    """

    at: datetime
    game: GameId
    sides: tuple[tuple[Bearer, ...], ...]
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raise ValueError for an instant without a zone, fewer than two sides or an empty one, missing places, and a player twice."""
        if self.at.utcoffset() is None:
            raise ValueError("a result needs an instant with its zone")
        if len(self.sides) < 2 or not all(self.sides) or len(self.places) != len(self.sides):
            raise ValueError("a result has two sides or more, with players and a place each")
        players = [one.player for side in self.sides for one in side]
        if len(set(players)) != len(players):
            raise ValueError("a player is in the result twice")


NOBODY_ELSE: Final[Mapping[PlayerId, Bearer]] = MappingProxyType({})


def result_of(
    encounter: Encounter,
    at: datetime,
    scoring: Scoring,
    *,
    teams: Sequence[Sequence[int]] = (),
    bearers: Mapping[PlayerId, Bearer] = NOBODY_ELSE,
) -> RatedResult | None:
    """Return the result for ratings of an encounter that ended `at` some instant. None if it counts for no rating.

    It counts if it was a game, all of its marks are rated, and somebody won or it was a draw. `teams` are the seats (1, 2, ...) that win
    and lose together; without them, everybody plays alone. `bearers` bear the result in the place of others. A game of which one player
    would bear two seats counts for none.
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
    # one person cannot win against themselves
    if len({one.player for one in players}) < len(players):
        return None
    return RatedResult(
        at,
        encounter.game,
        tuple(tuple(players[seat - 1] for seat in team) for team in seats),
        tuple(places[team[0] - 1] for team in seats),
    )


class MeetingPlayed(NamedTuple):
    """A meeting with a game, and the league as it was at the end of that season, or is now."""

    state: LeagueState
    season: Season
    fixture: Fixture
    game: GameId

    def rated(self, seats: Sequence[Bearer]) -> RatedResult | None:
        """Return the result for ratings; `seats` are its bearers, in the players' order. None if there is none, or it counts for none."""
        fixture = self.fixture
        if fixture.at is None:
            return None
        teams = [sorted(team) for team in teams_of(self.state)]
        bearers = dict(zip(fixture.players, seats, strict=False))
        return result_of(fixture.encounter, fixture.at, scoring(self.state.settings), teams=teams, bearers=bearers)


def seasons(events: Iterable[LeagueEvent], state: LeagueState | None = None) -> Iterator[tuple[LeagueState, Season]]:
    """Yield the league at the end of each season in `events`, and after the last event. `state` is the league before them."""
    for event in events:
        if isinstance(event, SeasonAnnounced) and state is not None and state.season is not None:
            yield state, state.season
        state = evolve(state, event)
    if state is not None and state.season is not None:
        yield state, state.season


def played(events: Iterable[LeagueEvent], before: LeagueState | None = None) -> Iterator[MeetingPlayed]:
    """Yield the meetings with a game that differ between `before` and the end of `events`, at the end of their seasons."""
    known = before.season if before is not None else None
    for state, season in seasons(events, before):
        old = known.fixtures if known is not None and known.number == season.number else ()
        for fixture in season.fixtures:
            # a fixture that no event has changed is the same object
            if fixture.game is not None and (fixture.number > len(old) or old[fixture.number - 1] is not fixture):
                yield MeetingPlayed(state, season, fixture, fixture.game)
