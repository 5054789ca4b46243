"""What a player had been told by a moment of the past, game by game."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from turnserver.audit.past.games import summary
from turnserver.audit.past.moments import Moment
from turnserver.ids import GameId, PlayerId, Recorded, Stream, Version
from turnserver.play.events import GameEvent, PlanDropped, PlanLaid
from turnserver.play.second_thoughts import told_at, untold
from turnserver.play.state import GameState
from turnserver.service.games.ledger import Ledger, actor
from turnserver.store.log.database import Transaction
from turnserver.store.mail import told
from turnserver.store.mail.told import TOLD, Letter


class KnownGame(NamedTuple):
    """What a player knew of a game then.

    `newest` is the letter that had reached him which shows the most of it, `own` the version of the last thing that he did himself.
    `unknown` counts what had happened that no letter had told him and that he had not done; plans of others are nobody's to know. Of the
    turn `held_turn`, if there is one, nobody but its player hears before `held_until`. `planned` is the turn from which his plan answers.
    """

    game: GameId
    state: GameState
    letters: list[Letter]
    newest: Letter | None
    own: Version | None
    unknown: int
    held_turn: int | None
    held_until: datetime | None
    planned: int | None


def known(conn: Transaction, ledger: Ledger, player: PlayerId, then: Moment) -> Iterator[KnownGame]:
    """What a player knew of each game that he had been written about, by their numbers."""
    by_stream = sorted(told.letters(conn, player, then.instant), key=lambda one: (one.stream, one.mail))
    games = {_number(stream): list(those) for stream, those in groupby(by_stream, key=lambda one: one.stream) if stream.startswith(_GAME)}
    for game in sorted(games):
        rows = then.upto(ledger.history(conn, game))
        if rows:
            state, _ = summary(game, rows, ledger.find)
            yield _known(state, player, then, rows, games[game])


def _known(state: GameState, player: PlayerId, then: Moment, rows: list[Recorded[GameEvent]], letters: list[Letter]) -> KnownGame:
    newest = max((one for one in letters if one.reached in TOLD), key=lambda one: (one.version, one.mail), default=None)
    held, seat = untold(state, then.instant), state.seat_of(player)
    kept_from_him = held is not None and state.player_at(held.seat) != player
    plan = state.plans[seat - 1] if seat is not None else None
    return KnownGame(
        game=_number(rows[0].stream),
        state=state,
        letters=letters,
        newest=newest,
        own=max((row.version for row in rows if row.actor == actor(player)), default=None),
        unknown=sum(1 for row in rows[newest.version if newest else 0 :] if _is_news(row, player)),
        held_turn=held.turn if held is not None and kept_from_him else None,
        held_until=told_at(state, then.instant) if kept_from_him else None,
        planned=plan.turn if plan is not None else None,
    )


def _is_news(row: Recorded[GameEvent], player: PlayerId) -> bool:
    return row.actor != actor(player) and not isinstance(row.event, PlanLaid | PlanDropped)


def newest_of_leagues(letters: Iterable[Letter]) -> dict[Stream, Letter]:
    """Of each league the letter that had reached the player and shows the most of it."""
    found: dict[Stream, Letter] = {}
    for one in letters:
        if not one.stream.startswith(_GAME) and one.reached in TOLD:
            found[one.stream] = max(found.get(one.stream, one), one, key=lambda letter: (letter.version, letter.mail))
    return found


_GAME = "game-"


def _number(stream: Stream) -> GameId:
    return GameId(int(stream.rpartition("-")[2]))
