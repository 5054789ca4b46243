"""Digests: once a day the mails held for a player become one mail. The digest replaces these mails in one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from turnserver.errors import Unplayable
from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.kinds import OF_EVENTS, UNTIL_ACTED_ON, MailKind
from turnserver.mail.outbound.notices.game import digest
from turnserver.outside import Clock
from turnserver.service.games.ledger import Ledger
from turnserver.service.request import Request
from turnserver.service.upkeep.quarantine import Quarantine
from turnserver.store.log.database import Transaction
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem

MOST = 100
"""The number of players who get their digest in one round."""


class Digests:
    """Makes digests. Several processes may run it: mails that one has taken over are not there for another."""

    def __init__(self, ledger: Ledger, clock: Clock, quarantine: Quarantine) -> None:
        """Make digests when their hour comes. `quarantine` hears of games that cannot be told of."""
        self._ledger = ledger
        self._clock = clock
        self._quarantine = quarantine

    def round(self) -> int:
        """Queue digests for at most `MOST` players whose hour has come. Return the number of these players, also of those without news."""
        with self._ledger.db.read() as conn:
            due = outbox.due_digests(conn, self._clock(), MOST)
        for player in due:
            self._tell(player)
        return len(due)

    def _tell(self, player: PlayerId) -> None:
        while True:
            try:
                return self._ledger.attempt(partial(self._gather, player=player))
            except Unplayable as error:
                # The mails about it stay held until it goes on. The news of other games leave now.
                self._quarantine.noted(error)

    def _gather(self, tx: Transaction, player: PlayerId) -> None:
        items = outbox.take_held(tx, player, self._clock())
        games = dict.fromkeys(item.game for item in items if item.game is not None)
        told = [one for game in games if (one := self._told(tx, player, game, [item for item in items if item.game == game])) is not None]
        if not told:
            return
        request = Request("service", f"digest:{items[0].id}", self._clock())
        for number in self._ledger.post.queue(tx, [digest(player, told)], request):
            outbox.merge_into(tx, (item.id for item in items), number)

    def _told(self, tx: Transaction, player: PlayerId, game: GameId, items: Sequence[OutboxItem]) -> Mapping[str, Any] | None:
        state = self._ledger.games.known_to(tx, game, player, self._clock())
        if not state.waits_for(player) and all(item.kind in UNTIL_ACTED_ON and "said" not in item.detail for item in items):
            return None
        told: dict[str, Any] = {"game": game, "version": state.version, "said": list(_said(items))}
        if any(item.kind == MailKind.RECEIPT for item in items):
            told["played"] = True
        if news := [item.version for item in items if item.kind in OF_EVENTS and item.version is not None]:
            told["since"] = min(*news, state.version)
        return told


def _said(items: Iterable[OutboxItem]) -> Iterable[Mapping[str, Any]]:
    for item in items:
        yield from item.detail.get("said", ())
