"""A player's private notes on a game: kept with a turn, for nobody else to see until their player publishes them after the end."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.ids import GameId, PlayerId
from turnserver.play.guards import seat_of
from turnserver.play.state import GameState
from turnserver.store.games import notes
from turnserver.store.log.database import Transaction
from turnserver.text import say

LONGEST: Final = 2_000
"""The number of characters that a note may have."""

MOST: Final = 200
"""The number of notes that a player may keep on a game."""


def turn_of(state: GameState, answered: int) -> int:
    """Return the turn that a note belongs to, from the turn of the mail that it answers: after the end, the last one that was played."""
    return answered if state.result is None else max(1, min(answered, state.line.length))


def refuse_stranger(state: GameState, player: PlayerId) -> None:
    """Raise NotAllowed for somebody who never sat at the table. Whoever has left it keeps their notes."""
    if player not in state.everybody:
        seat_of(state, player)


def fresh(conn: Transaction, player: PlayerId, game: GameId, turn: int, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts that are not kept yet with this turn. Raises NotAllowed (`long_note`, `too_many_notes`)."""
    for text in texts:
        if len(text) > LONGEST:
            message = say("A note can have {most} characters, and this one has {n}. Send it in parts.", most=LONGEST, n=len(text))
            raise NotAllowed("long_note", message)
    kept = notes.own(conn, player, game)
    same = {note.text for note in kept if note.turn == turn}
    wanted = tuple(text for text in dict.fromkeys(texts) if text not in same)
    if wanted and len(kept) + len(wanted) > MOST:
        raise NotAllowed("too_many_notes", say("There is room for {most} notes a game, and you have {n}.", most=MOST, n=len(kept)))
    return wanted


def keep(  # noqa: PLR0917  # the columns of a row, in their order
    tx: Transaction, player: PlayerId, game: GameId, turn: int, text: str, now: datetime
) -> None:
    """Keep a note with a turn, unless it is there already. Raises NotAllowed like `fresh`."""
    for one in fresh(tx, player, game, turn, [text]):
        notes.add(tx, player, game, turn, one, now)


def refuse_publishing(conn: Transaction, player: PlayerId, game: GameId, state: GameState, *, shown: bool) -> None:
    """Raise NotAllowed if a player cannot publish their notes, or cannot take that back: `not_over`, `no_notes`."""
    refuse_stranger(state, player)
    if shown and state.result is None:
        raise NotAllowed("not_over", say("The game is not over yet. You can publish your notes after its end."))
    if not notes.own(conn, player, game):
        raise NotAllowed("no_notes", say("You have no notes of this game."))


def publish(tx: Transaction, player: PlayerId, game: GameId, *, shown: bool) -> None:
    """Have a player's notes of a game stand in its record as comments, or take them out of it."""
    notes.publish(tx, player, game, shown=shown)
