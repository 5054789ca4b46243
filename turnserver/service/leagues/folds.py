"""Leagues as folded from their events, with the news of their games since, and the results of commands to them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from turnserver.errors import NotFound
from turnserver.ids import GameId, LeagueId, PlayerId, Recorded, Version, league_stream
from turnserver.league.events import LeagueEvent, SeasonAnnounced
from turnserver.league.evolve import fold
from turnserver.league.scoring.lots import Lots
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.store import refusals
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.text import say

REMEMBERED: Final = 200
"""The number of leagues that are remembered; one of a hundred players is some hundred kilobytes."""


class GameNews(NamedTuple):
    """News of games since the league was last written, as events for the league.

    `games` are the games that have changed, each with the version of its row that was read. `too_late` are games whose season takes no more
    results.
    """

    events: tuple[LeagueEvent, ...] = ()
    games: tuple[tuple[GameId, Version], ...] = ()
    too_late: tuple[GameId, ...] = ()


class LeagueAt(NamedTuple):
    """A league as it is: `stored` is the state in its log, `state` the same with the news `heard` of its games, still to be written.

    `head` is the hash of the last event in the log. `lots` are None if the secret that they come from is lost.
    """

    stored: LeagueState
    head: bytes
    lots: Lots | None
    state: LeagueState
    heard: GameNews = GameNews()

    @property
    def waits_for_secret(self) -> bool:
        """Return whether the lots are missing or differ from those that the season committed to. Their secret may be restored later."""
        season = self.stored.season
        if season is None or season.phase is Phase.CLOSED:
            # No season is under way that has committed to lots.
            return self.lots is None
        return self.lots is None or self.lots.commitment(season.number) != season.commitment

    def after(self, decision: "LeagueDecision") -> "LeagueAt":
        """Return the league with a decision about it and the news of its games, as if both were written already."""
        return self._replace(stored=decision.after, state=decision.after, heard=GameNews())


class LeagueDecision(NamedTuple):
    """The result of a command to a league, decided and not yet written.

    `before` and `head` are the state and the hash of the last event before it. `events` begin with those of `heard`, the news of games.
    """

    league: LeagueId
    before: LeagueState | None
    events: tuple[LeagueEvent, ...]
    after: LeagueState
    head: bytes | None
    heard: GameNews = GameNews()

    @property
    def own(self) -> tuple[LeagueEvent, ...]:
        """Return the events that follow from the command itself."""
        return self.events[len(self.heard.events) :]


def history(conn: Transaction, league: LeagueId) -> list[Recorded[LeagueEvent]]:
    """Return every event of a league. Raises NotFound."""
    rows = log.load(conn, league_stream(league))
    if not rows:
        raise refusals.no_league(str(league))
    return rows


def at_season(rows: Sequence[Recorded[LeagueEvent]], season: int) -> LeagueState:
    """Return a league as a season left it, with what was corrected after its end. Raises NotFound if there was no such season."""
    begins = {row.event.season: at for at, row in enumerate(rows) if isinstance(row.event, SeasonAnnounced)}
    if season not in begins:
        if not begins:
            raise NotFound(say("There was no season {season} in this league. It has had none yet.", season=season))
        raise NotFound(say("There was no season {season} in this league. It has had {had} so far.", season=season, had=len(begins)))
    # up to the next announcement
    return fold(row.event for row in rows[: begins.get(season + 1, len(rows))])


def known(state: LeagueState) -> set[PlayerId]:
    """Return every player whom the state of a league names."""
    return set().union(state.moved, state.roles, *state.barred, *_companies(state))


def company(state: LeagueState, player: PlayerId) -> set[PlayerId]:
    """Return everybody who is in the season with a player, or was in the last one with them. Nobody if the player was in neither."""
    return set().union(*(together for together in _companies(state) if player in together))


def _companies(state: LeagueState) -> tuple[set[PlayerId], set[PlayerId]]:
    last = {line.player for table in state.last for line in table.lines}
    return last, _of_season(state.season) if state.season is not None else set()


def _of_season(season: Season) -> set[PlayerId]:
    lines = {line for division in season.divisions for line in division.players}
    return lines | {entry.player for entry in season.entries} | set(season.acting.values())
