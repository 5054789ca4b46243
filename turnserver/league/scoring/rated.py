"""Which games of a league count for ratings.

Every game of a league that was played to a result on the board counts, and no other game does: whoever enters a league agrees to be
rated, and friends may play as they like. A game goes on counting when one of its players withdraws later, even if he is struck from the
table. What an admin has corrected counts as corrected; what he has annulled does not count, nor does a forfeit. Whom a seat counts for
that changed hands, the log of the game says.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from turnserver.games import find
from turnserver.ids import GameId
from turnserver.league.events import LeagueEvent, SeasonAnnounced
from turnserver.league.evolve import evolve
from turnserver.league.scoring.results import Bearer, Result, result_of
from turnserver.league.settings import scoring
from turnserver.league.state import Fixture, LeagueState, Season


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
