"""Commands and questions of admins about single games."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from turnserver.config import Settings
from turnserver.errors import NotAllowed, Refusal, WrongLines
from turnserver.ids import Burden, GameId, PlayerId, Recorded, Version, league_stream
from turnserver.league.events import DecidedBy
from turnserver.league.evolve import fold
from turnserver.outside import Clock, DrawLots
from turnserver.play.commands import Accept, AdminCommand, Command, FreezeClock, OpenGame, Reopen, Retract, Substitute
from turnserver.play.events import GameEvent, SeatOrder
from turnserver.play.state import GameState
from turnserver.records.record import Record
from turnserver.rules import Seat
from turnserver.service.games import new_games, records
from turnserver.service.games.folds import Decision, GameAt
from turnserver.service.games.ledger import Ledger
from turnserver.service.games.terms import terms
from turnserver.service.request import Request
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people


class GameCommands:
    """Opens games, carries out commands, and shows games. Each call has a transaction of its own. Threads may share it."""

    def __init__(self, ledger: Ledger, settings: Settings, clock: Clock, lot: DrawLots) -> None:
        """Serve the games of `ledger`; `lot` orders the players of a new one."""
        self._ledger = ledger
        self._settings = settings
        self._clock = clock
        self._lot = lot

    def open(
        self,
        game: str,
        options: Mapping[str, str | int | bool],
        players: Sequence[str],
        *,
        order: SeatOrder = SeatOrder.LOT,
        time: str | None = None,
        actor: str,
        cause: str,
    ) -> Decision:
        """Open a game and invite its players, named by number, name or address. Raises Refusal."""

        def work(tx: Transaction) -> Decision:
            now = self._clock()
            decision = self._invited(tx, game, options, players, order, time, now)
            self._ledger.write(tx, decision, Request(actor, cause, now))
            return decision

        return self._ledger.attempt(work)

    def open_all(
        self,
        game: str,
        options: Mapping[str, str | int | bool],
        tables: Mapping[int, Sequence[str]],
        *,
        order: SeatOrder = SeatOrder.LOT,
        time: str | None = None,
        actor: str,
        cause: str,
    ) -> list[Decision]:
        """Open a game for the players of each line of a list, by the number of the line. Raises WrongLines, and then none is opened."""

        def work(tx: Transaction) -> list[Decision]:
            now, wrong, opened = self._clock(), dict[int, list[str]](), list[Decision]()
            for line, players in tables.items():
                try:
                    opened.append(self._invited(tx, game, options, players, order, time, now))
                except Refusal as refusal:
                    wrong[line] = [refusal.message]
            if wrong:
                raise WrongLines(wrong)
            # The log comes last, for all of them: see `Ledger.prepare`.
            for decision in opened:
                self._ledger.prepare(tx, decision, Request(actor, cause, now))
            for decision in opened:
                self._ledger.append(tx, decision, Request(actor, cause, now))
            return opened

        return self._ledger.attempt(work)

    def _invited(  # noqa: PLR0917  # what a game is opened with
        self,
        tx: Transaction,
        game: str,
        options: Mapping[str, str | int | bool],
        players: Sequence[str],
        order: SeatOrder,
        time: str | None,
        now: datetime,
    ) -> Decision:
        seated = tuple(people.find_player(tx, who).id for who in players)
        drawn = self._lot(seated) if order is SeatOrder.LOT else seated
        command = OpenGame(game, options, drawn, order, terms(self._settings, time, now.date()))
        return new_games.invite(tx, self._ledger, command, now)

    def handle(self, game: GameId, command: Command, *, actor: str, cause: str) -> Decision:
        """Carry out a command. Raises Refusal, and then nothing has changed.

        An acceptance without entropy of its own adds the digest of the `cause`; its time zone is that of the player's account. An ended
        game is not reopened where its league would not hear of it: (`season_past`) after the season, and (`decided_in_league`) if the
        league has decided the meeting otherwise than by the game.
        """
        if isinstance(command, Accept):
            entropy = command.entropy or hashlib.sha256(cause.encode()).hexdigest()
            command = replace(command, entropy=entropy, zone=self._zone(command.player))
        return self._ledger.act(game, [command], Request(actor, cause, self._clock()), guard=_guard(game, command))

    def check(self, game: GameId, command: AdminCommand | FreezeClock) -> None:
        """Raise the Refusal with which `handle` would meet the command now. Writes nothing."""
        with self._ledger.db.read() as conn:
            at = self._ledger.games.load(conn, game)
            _guard(game, command)(conn, at)
            self._ledger.decide(game, at, [command], self._clock())

    def substitute(self, game: GameId, seat: Seat, who: str, rating: Burden, reason: str, *, actor: str, cause: str) -> Decision:
        """Have the player with that number, name or address play on at a seat. Raises Refusal, and then nothing has changed.

        Nobody plays on who wants no mail.
        """

        def work(tx: Transaction) -> Decision:
            person, now = people.find_player(tx, who), self._clock()
            if not person.preferences.subscribed:
                raise NotAllowed("unsubscribed", f"{person.name} doesn't want mail at the moment, so they can't be a substitute.")
            command = Substitute(seat, person.id, person.zone, rating, reason)
            decision = self._ledger.decide(game, self._ledger.games.load(tx, game), [command], now)
            return self._ledger.write(tx, decision, Request(actor, cause, now))

        return self._ledger.attempt(work)

    def record(self, game: GameId, version: Version | None = None) -> Record:
        """Return the record of a game as it is, or was after its first `version` events, for people. Raises NotFound."""
        with self._ledger.db.read() as conn:
            history = self._ledger.games.history(conn, game, version)
            return records.record(conn, game, self._ledger.games.state_after(game, history), history, site=self._settings.site.domain)

    def history(self, game: GameId) -> list[Recorded[GameEvent]]:
        """Return every event of a game. Raises NotFound."""
        with self._ledger.db.read() as conn:
            return self._ledger.games.history(conn, game)

    def state(self, game: GameId) -> GameState:
        """Return the game as it is. Raises NotFound."""
        with self._ledger.db.read() as conn:
            return self._ledger.games.load(conn, game).state

    def _zone(self, player: PlayerId) -> str:
        with self._ledger.db.read() as conn:
            return people.player(conn, player).zone


def _guard(game: GameId, command: Command) -> Callable[[Transaction, GameAt], None]:
    return partial(_league_would_hear, game) if isinstance(command, Reopen | Retract) else lambda _conn, _at: None


def _league_would_hear(game: GameId, conn: Transaction, at: GameAt) -> None:
    """Refuse to reopen a game whose league would take no other result of it."""
    where = leagues.meeting_of(conn, game)
    if at.state.result is None or where is None:
        return
    rows = log.load(conn, league_stream(where.league))
    state = fold(row.event for row in rows)
    if state.season is None or state.season.number != where.season:
        raise NotAllowed("season_past", f"Season {where.season} of {state.name} is past, so its results stay as they are.")
    fixture = state.season.fixtures[where.meeting - 1]
    if fixture.game != game or (fixture.marks and fixture.by is not DecidedBy.GAME):
        raise NotAllowed(
            "decided_in_league",
            f"Meeting {fixture.number} of {state.name} was decided in the league, so nothing that happens in its game would count there. "
            f"To change the result, use `turnserver league result`.",
        )
