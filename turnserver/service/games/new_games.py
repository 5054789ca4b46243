"""Decide the opening of games: by players who invite others, and by leagues for players who have agreed already."""

from datetime import datetime
from hashlib import sha256
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.ids import GameId, game_stream
from turnserver.play.chance import SECRET_BYTES, Chance
from turnserver.play.commands import Accept, OpenGame
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.service.games.folds import Decision, GameAt, chance_of
from turnserver.service.games.ledger import Ledger
from turnserver.service.request import Request
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.text import say

_UNNUMBERED: Final = GameId(0)
"""The number of a game until it is certain that it is opened; nothing is rolled before that."""


def invite(tx: Transaction, ledger: Ledger, command: OpenGame, now: datetime) -> Decision:
    """Decide the opening of a game under the next free number, and keep its secret if it has chance. Raises Refusal.

    Nobody can be invited who wants no mail.
    """
    for player in command.players:
        invited = people.player(tx, player)
        if not invited.preferences.subscribed:
            message = say("{name} doesn't want mail at the moment, so you can't invite them.", name=invited.name)
            raise NotAllowed("unsubscribed", message)
    return _opened(tx, ledger, command, now)


def _opened(tx: Transaction, ledger: Ledger, command: OpenGame, now: datetime) -> Decision:
    secret = ledger.entropy(SECRET_BYTES)
    events = decide(None, command, now, ledger.find, Chance(_UNNUMBERED, secret))
    state = fold(events, find=ledger.find)
    game = GameId(log.next_number(tx, "game"))
    if state.commitment is not None:
        keyring.keep(tx, game_stream(game), secret)
    return Decision(game, None, events, state, None)


def begin(tx: Transaction, ledger: Ledger, command: OpenGame, request: Request) -> Decision:
    """Decide the opening of a game like `invite`, for players who have agreed already: their seats are taken, and the game begins.

    A player who wants no mail any more plays too, as in a game that has begun: else unsubscribing would keep a place of a ladder.
    The digest of the request's cause and the seat is what each player adds to the chance of the game. Raises Refusal.
    """
    opened = _opened(tx, ledger, command, request.now)
    takes = [
        Accept(
            player,
            request.now,
            zone=people.player(tx, player).zone,
            entropy=sha256(f"{request.cause} {seat}".encode()).hexdigest(),
        )
        for seat, player in enumerate(command.players, start=1)
    ]
    begun = ledger.decide(opened.game, GameAt(opened.after, b"", chance_of(tx, opened.game)), takes, request.now)
    return opened.followed_by(begun.events)
