"""A game's events as sentences for people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, assert_never

from turnserver.envelope import PlayerId
from turnserver.mail.wording import counted, one_line, span
from turnserver.play.events import (
    ClockCredited,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    EndedBy,
    GameEnded,
    GameEvent,
    GameOpened,
    GameStarted,
    InvitationAccepted,
    InvitationDeclined,
    Outcome,
    PlayerReminded,
    ResultAnnulled,
    Rolled,
    SeatLeft,
    SeatResigned,
    SecretRevealed,
    TurnPlayed,
    TurnsRetracted,
    TurnTimedOut,
)
from turnserver.play.line import Entry, Line
from turnserver.play.state import GameState, Result
from turnserver.rules import Game, Leaving, Seat
from turnserver.words import listing


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits where, in words."""

    state: GameState
    people: Mapping[PlayerId, str]

    def name(self, player: PlayerId) -> str:
        """What a player is called, safe to print."""
        return one_line(self.people.get(player, "")) or f"player {player}"

    def at(self, seat: Seat) -> str:
        """`Bob (Blue)`."""
        return f"{self.name(self.state.player_at(seat))} ({self.state.seat_name(seat)})"


def sentence(event: GameEvent, table: Table, *, rolls: bool = True) -> str:  # noqa: C901, PLR0912  # one branch an event
    """What happened, in a sentence or two that name everybody and begin with none of the words that are commands.

    Without `rolls` it says nothing of what chance decided, for readers who are told more than its notation.
    """
    match event:
        case GameOpened():
            who = "an admin" if event.opened_by is None else table.name(event.opened_by)
            committed = f" Its chance comes from a secret with the SHA-256 {event.commitment}." if event.commitment else ""
            return f"The game was set up by {who}, {counted(event.days_per_move, 'day')} a move.{committed}"
        case InvitationAccepted():
            added = f", who added {event.entropy} to its chance" if event.entropy else ""
            return f"The invitation was accepted by {table.name(event.player)}{added}."
        case InvitationDeclined():
            return f"The invitation was declined by {table.name(event.player)}."
        case GameStarted():
            first = f" with {table.at(event.to_move)}" if event.to_move else ""
            return f"The game began{first}.{_rolled(event.rolls if rolls else ())}"
        case TurnPlayed():
            return f"Turn {event.turn}: {table.at(event.seat)} played {event.text}.{_rolled(event.rolls if rolls else ())}"
        case DrawOffered():
            return f"A draw was offered by {table.at(event.seat)}."
        case DrawAccepted():
            return f"The draw was accepted by {table.at(event.seat)}."
        case DrawDeclined():
            return f"The draw was declined by {table.at(event.seat)}."
        case SeatResigned():
            return f"The game was given up by {table.at(event.seat)}."
        case SeatLeft():
            what = "The others play on without" if event.to_move else "The table was left by"
            return f"{what} {table.at(event.seat)}.{_rolled(event.rolls if rolls else ())}"
        case PlayerReminded():
            return f"A reminder of turn {event.turn} went to {table.at(event.seat)}."
        case TurnTimedOut():
            return f"Time ran out for {table.at(event.seat)} at turn {event.turn}."
        case TurnsRetracted():
            return f"An admin took back the turns from {event.first} on{because(event.reason)}."
        case ClockCredited():
            return f"The clock of turn {event.turn} was given {span(timedelta(seconds=event.seconds))} more{because(event.reason)}."
        case GameEnded():
            return f"The game ended: {outcome(Result(event.outcome, event.by, event.winners, event.reason, event.scores), table)}"
        case SecretRevealed():
            return f"The secret that its chance came from was {event.secret}."
        case ResultAnnulled():
            return f"An admin took the result back{because(event.reason)}."
        case _:
            assert_never(event)


def story(game: Game[Any, Any], position: Any, steps: Iterable[str]) -> tuple[str, ...]:  # noqa: ANN401  # whatever the game's rules use
    """What comes of these steps, given in canonical notation and chosen or rolled one after another, beginning in `position`."""
    told: list[str] = []
    for text in steps:
        step = game.rules.replay(position, text)
        told += game.view.tell(position, step)
        position = game.rules.apply(position, step)
    return tuple(told)


def told(event: GameEvent, line: Line) -> tuple[str, ...]:
    """What came of an event on the board, chance after it included; nothing unless it is an entry of the line."""
    before = next((before for entry, before in line.backwards() if entry == event), None)
    if before is None or not isinstance(event, Entry):
        return ()
    position, rules = before.position, before.game.rules
    if isinstance(event, SeatLeft) and isinstance(rules, Leaving):
        position = rules.leave(position, event.seat)
    steps = event.steps if isinstance(event, TurnPlayed) else ()
    return story(before.game, position, (*steps, *(roll.outcome for roll in event.rolls)))


def _rolled(rolls: Sequence[Rolled]) -> str:
    """What chance decided, as a sentence that follows another one; empty if there was nothing."""
    return f" Chance then gave {listing([roll.outcome for roll in rolls], 'and')}." if rolls else ""


def because(reason: str) -> str:
    """A reason that somebody gave, ready to follow a sentence: `: the reason`, or nothing."""
    words = one_line(reason, longest=500).rstrip(".")
    return f": {words}" if words else ""


def outcome(result: Result, table: Table, reader: Seat | None = None) -> str:
    """The result, what brought it about, and the scores if there are any, a sentence each; `reader` is spoken to as "you"."""
    scores = [f"{table.at(seat)} {score}" for seat, score in zip(table.state.seats, result.scores, strict=False)]
    counted_out = f" The scores are {listing(scores, 'and')}." if scores else ""
    return f"{_verdict(result, table, reader)}. {_how(result, table)}{counted_out}"


def _verdict(result: Result, table: Table, reader: Seat | None) -> str:
    match result.outcome:
        case Outcome.WON if reader in result.winners:
            others = [table.at(seat) for seat in result.winners if seat != reader]
            if others and _shared(result, table):
                return f"you share the win with {listing(others, 'and')}"
            return f"you win, with {listing(others, 'and')}" if others else "you win"
        case Outcome.WON:
            verb = "share the win" if _shared(result, table) else "win" if len(result.winners) > 1 else "wins"
            return f"{listing([table.at(seat) for seat in result.winners], 'and')} {verb}"
        case Outcome.DRAWN:
            return "it is a draw"
        case Outcome.VOID:
            return "there is no result"
        case _:
            assert_never(result.outcome)


def _shared(result: Result, table: Table) -> bool:
    """Whether sides that played against each other have won."""
    return sum(not team.isdisjoint(result.winners) for team in table.state.game.rules.teams) > 1


def _how(result: Result, table: Table) -> str:
    match result.by:
        case EndedBy.RULES:
            return f"By the rules of {table.state.game.entry.title}{because(result.reason)}."
        case EndedBy.RESIGNATION | EndedBy.TIME:
            return _how_others_left(result, table)
        case EndedBy.AGREEMENT:
            return "The players agreed on it."
        case EndedBy.ADJUDICATION:
            return f"An admin decided the game{because(result.reason)}."
        case EndedBy.CANCELLATION:
            return f"An admin cancelled the game{because(result.reason)}."
        case EndedBy.ANNULMENT:
            return f"An admin annulled the game{because(result.reason)}."
        case EndedBy.REFUSAL:
            return "The invitation was declined."
        case _:
            assert_never(result.by)


def _how_others_left(result: Result, table: Table) -> str:
    """Of two, one left; of more, the rules have decided what it means that somebody did."""
    resigned = result.by is EndedBy.RESIGNATION
    if result.outcome is Outcome.VOID:
        return "Time ran out before every side had played."
    if len(table.state.seats) > 2:
        return f"It was decided by {'a resignation' if resigned else 'the clock'}{because(result.reason)}."
    others = listing([table.at(seat) for seat in table.state.seats if seat not in result.winners], "and")
    return f"The game was given up by {others}." if resigned else f"Time ran out for {others}."
