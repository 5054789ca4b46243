"""Mails that have not left yet and are not to: those about a turn that is corrected, or that a plan is to answer."""

from collections.abc import Iterable, Iterator, Sequence

from turnserver.errors import NotAllowed
from turnserver.ids import GameId, Version, game_stream
from turnserver.mail.outbound.notices.game import UNTIL_ACTED_ON, Kind, Notice
from turnserver.play.events import GameEvent, PlanLaid, RetractionKind, TurnPlayed, TurnsRetracted
from turnserver.play.state import GameState
from turnserver.service.games.plans import began_with
from turnserver.store.log import log
from turnserver.store.log.database import Transaction
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.text import say


def call_off(tx: Transaction, game: GameId, before: GameState | None, events: Sequence[GameEvent]) -> tuple[Notice, ...]:
    """Call the mails off that `events`, which are to follow on `before`, make untrue; gives what is to be told all the same.

    Refuses (`already_told`) if a mail has left that tells of a turn which is corrected, and then has changed nothing.
    """
    if before is None:
        return ()
    laid = next((event for event in events if isinstance(event, PlanLaid)), None)
    if laid is not None and laid.turn < before.turn:
        since = began_with(log.load(tx, game_stream(game))[: before.version], laid.turn)
        return tuple(_still_news(outbox.call_off_turn(tx, game, since, before.player_at(laid.seat))))
    turn = before.line.entry
    if isinstance(turn, TurnPlayed) and any(map(_is_correction, events)):
        return _call_off_turn(tx, game, before, turn)
    return ()


def _call_off_turn(tx: Transaction, game: GameId, state: GameState, turn: TurnPlayed) -> tuple[Notice, ...]:
    history = log.load(tx, game_stream(game))[: state.version]
    version = Version(max(index for index, row in enumerate(history, start=1) if row.event == turn))
    mover = state.player_at(turn.seat)
    if outbox.told_of(tx, game, version, mover):
        told = say('The others have just been told of your move. To ask them for it back, write "take back".')
        raise NotAllowed("already_told", told)
    return tuple(_still_news(outbox.call_off(tx, game, version, mover)))


def _still_news(unsent: Iterable[OutboxItem]) -> Iterator[Notice]:
    """What mails are to tell although the turn that they show was corrected: what is news all the same, and what was said."""
    for row in unsent:
        if row.kind not in UNTIL_ACTED_ON:
            yield Notice(Kind(row.kind), row.player, detail=row.detail)
        elif "said" in row.detail:
            yield Notice(Kind.SAID, row.player, detail={"said": row.detail["said"]})


def _is_correction(event: GameEvent) -> bool:
    return isinstance(event, TurnsRetracted) and event.kind is RetractionKind.CORRECTION
