"""The open games of a player, and the mails about those that wait for them."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.notices import game as notices
from turnserver.play.state import GameState, Status
from turnserver.service.games.ledger import Ledger
from turnserver.service.request import Request
from turnserver.store.games import views
from turnserver.store.incidents import outages
from turnserver.store.log.database import Transaction
from turnserver.store.people.accounts import Person


class Fresh(NamedTuple):
    """A mail about a game as it is now."""

    notice: Notice
    game: GameId
    state: GameState


def waiting_for(conn: Transaction, ledger: Ledger, person: Person, now: datetime, but: GameId | None = None) -> Iterator[Fresh]:
    """Yield a mail for each open game that waits for a player's turn, or answer to an invitation or an offered seat; oldest first.

    All are looked at `but` one, if it is named.
    """
    for game in open_to(conn, person.id):
        if game == but:
            continue
        state = ledger.games.known_to(conn, game, person.id, now)
        if (notice := _waits(state, person)) is not None:
            yield Fresh(notice, game, state)


def open_to(conn: Transaction, player: PlayerId) -> list[GameId]:
    """Return the open games in which a player has a seat or was asked to take one, the oldest first; none that is in quarantine."""
    own = (GameId(row.id) for row in views.list_games(conn, player=player) if row.status != Status.ENDED)
    # Games in quarantine cannot be shown to anybody.
    return sorted({*own, *views.seats_offered(conn, player)} - outages.quarantined_numbers(conn))


def own_games(conn: Transaction, ledger: Ledger, person: Person, now: datetime) -> list[tuple[GameId, GameState]]:
    """Return the open games that a player plays in or is asked into, as they may know them, the newest first."""
    games = sorted(open_to(conn, person.id), reverse=True)
    loaded = ((game, ledger.games.known_to(conn, game, person.id, now)) for game in games)
    return [
        (game, state)
        for game, state in loaded
        if state.seat_offer(person.id) or person.id in [state.player_at(seat) for seat in state.staying]
    ]


def resend(tx: Transaction, ledger: Ledger, person: Person, request: Request) -> int:
    """Queue a mail for each game that waits for a player; if none does, the list of own games. Return the number of mails."""
    fresh = tuple(waiting_for(tx, ledger, person, request.now))
    for one in fresh:
        ledger.post.queue(tx, [one.notice], request, one.game, one.state)
    if not fresh:
        ledger.post.queue(tx, [Notice(MailKind.GAMES, person.id)], request)
    return max(len(fresh), 1)


def _waits(state: GameState, person: Person) -> Notice | None:
    if state.status is Status.INVITING and person.id not in state.accepted:
        return notices.again(MailKind.INVITATION, person.id)
    if state.mover == person.id:
        return notices.again(MailKind.TURN, person.id)
    if state.seat_offer(person.id):
        return notices.again(MailKind.SEAT_OFFERED, person.id)
    return None
