"""A league in a database, with games in the log: what the tests of results and ratings play with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from msgspec.structs import replace

from tests.league.seasons import LOTS
from tests.store.scene import OPENED, day
from turnserver.ids import Burden, Event, GameId, LeagueId, PlayerId, Recorded, Stream, Version, game_stream, league_stream
from turnserver.league import commands as c
from turnserver.league.decide import decide
from turnserver.league.events import LeagueEvent
from turnserver.league.evolve import fold
from turnserver.league.pairing import openable
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.settings import Settings
from turnserver.league.state import LeagueState, Season
from turnserver.play.events import SubstituteSeated, TurnClock
from turnserver.play.evolve import fold as fold_game
from turnserver.rules import Seat
from turnserver.store.games import views
from turnserver.store.leagues import results
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log
from turnserver.store.log.database import Database, Transaction
from turnserver.store.people import accounts as people

ADA, BOB, CLEO, DAN, EVE = PLAYERS = tuple(map(PlayerId, (1, 2, 3, 4, 5)))
LEAGUE = LeagueId(1)


def add_everybody(database: Database) -> None:
    """Five players have accounts."""
    with database.write() as tx:
        for player, name in zip(PLAYERS, ("Ada", "Bob", "Cleo", "Dan", "Eve"), strict=True):
            people.add_player(tx, player, name, f"{name}@example.org", "UTC", day(0))


@dataclass
class Kept:
    """A league of Take whose every command is a transaction; `now` is moved by the tests."""

    database: Database
    settings: Settings = field(default_factory=Settings)
    game: str = "take"
    now: datetime = field(default_factory=lambda: day(0))
    state: LeagueState | None = None
    heads: dict[Stream, Recorded[Event]] = field(default_factory=dict)
    games: int = 0

    @property
    def season(self) -> Season:
        assert self.state is not None
        assert self.state.season is not None
        return self.state.season

    def do(self, *commands: c.Command) -> None:
        """All in one transaction."""
        before = after = self.state
        events: tuple[LeagueEvent, ...] = ()
        for command in commands:
            more = decide(after, command, self.now, LOTS)
            after, events = fold(more, after), (*events, *more)
        assert after is not None
        with self.database.write() as tx:
            leagues.save(tx, LEAGUE, before, after, opened_at=None if before else self.now)
            results.save(tx, LEAGUE, before, events)
            self._append(tx, league_stream(LEAGUE), events)
        self.state = after

    def begin(self, *players: PlayerId) -> None:
        """A season of these; all of its games are open."""
        if self.state is None:
            self.do(c.OpenLeague("Winter", self.game, {}, self.settings))
        self.do(c.AnnounceSeason(), *(c.Enter(player, 1500) for player in players), c.StartSeason())
        self.open_games()

    def open_games(self) -> None:
        """Open what can be opened."""
        assert self.state is not None
        for fixture in openable(self.state, self.season):
            self.games += 1
            self.open_game(GameId(self.games), fixture.players)
            self.do(c.AttachGame(fixture.number, GameId(self.games)))

    def open_game(self, game: GameId, players: Sequence[PlayerId]) -> None:
        """A game of these has been opened."""
        opened = replace(OPENED, players=tuple(players))
        with self.database.write() as tx:
            views.save_game(tx, game, fold_game([opened]), opened_at=self.now)
            self._append(tx, game_stream(game), [opened])

    def substitute(self, game: GameId, seat: int, player: PlayerId, rating: Burden) -> None:
        """Somebody plays on in a game."""
        with self.database.write() as tx:
            event = SubstituteSeated(seat=Seat(seat), player=player, zone="UTC", rating=rating, reason="", clock=TurnClock(since=self.now))
            self._append(tx, game_stream(game), [event])

    def result(self, meeting: int, mark: Mark, at: datetime | None = None) -> None:
        """The first player of a meeting has this."""
        self.do(c.CarryResult(meeting, (mark, OTHER_SIDE[mark]), at or self.now))

    def _append(self, tx: Transaction, stream: Stream, events: Sequence[Event]) -> None:
        last = self.heads.get(stream)
        recorded = log.append(
            tx,
            stream,
            last.version if last else Version(0),
            events,
            at=self.now,
            actor="service",
            cause=f"test:{stream}:{last.version if last else 0}",
            previous=last.hash if last else None,
        )
        self.heads[stream] = recorded[-1]
