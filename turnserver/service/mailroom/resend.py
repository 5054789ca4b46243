"""Mails once more, for a player who has lost them: everything that waits for him, as it is now and with fresh reply addresses."""

from datetime import datetime
from typing import NamedTuple

from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.game import Notice
from turnserver.play.state import GameState, Status
from turnserver.service.games.ledger import Ledger, Request
from turnserver.store.games import views
from turnserver.store.incidents import quarantine as rests
from turnserver.store.log.database import Transaction
from turnserver.store.people.accounts import Person


class Fresh(NamedTuple):
    """A mail about a game as it is now."""

    notice: Notice
    game: GameId
    state: GameState


def waiting_for(conn: Transaction, ledger: Ledger, person: Person, now: datetime) -> tuple[Fresh, ...]:
    """One mail for each of a player's pending turns and unanswered invitations, also to a single seat, the oldest game first."""
    open_games = open_to(conn, person.id)
    found = ((game, ledger.seen(conn, game, ledger.load(conn, game).state, person.id, now)) for game in open_games)
    return tuple(Fresh(notice, game, state) for game, state in found if (notice := _waits(state, person)) is not None)


def open_to(conn: Transaction, player: PlayerId) -> list[GameId]:
    """The games that have not ended in which a player has a seat or was asked to take one over, the oldest first; none that rests."""
    own = (GameId(row.id) for row in views.list_games(conn, player=player) if row.status != Status.ENDED)
    return sorted({*own, *views.seats_offered(conn, player)} - rests.numbers(conn))


def send(tx: Transaction, ledger: Ledger, person: Person, request: Request) -> int:
    """Queue what waits for a player, or else the list of his games; the number of mails."""
    fresh = waiting_for(tx, ledger, person, request.now)
    for one in fresh:
        ledger.post(tx, [one.notice], request, one.game, one.state)
    if not fresh:
        ledger.post(tx, [notices.own_games(person.id)], request)
    return max(len(fresh), 1)


def _waits(state: GameState, person: Person) -> Notice | None:
    if state.status is Status.INVITING and person.id not in state.accepted:
        return notices.again(notices.Kind.INVITATION, person.id)
    if state.status is Status.RUNNING and state.to_move is not None and state.player_at(state.to_move) == person.id:
        return notices.again(notices.Kind.TURN, person.id)
    if state.seat_offer(person.id):
        return notices.again(notices.Kind.SEAT_OFFERED, person.id)
    return None
