"""Playing a recorded game again, to see whether its rules bear out everything that its events say has happened.

A fold trusts the log. This does not: each turn is read as if it had just come in a mail, and whose turn is next and how the rules end
the game are worked out anew.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from turnserver import games
from turnserver.envelope import Version
from turnserver.errors import Malformed, Refusal, StepError
from turnserver.play.events import EndedBy, GameEnded, GameEvent, GameStarted, Outcome, TurnPlayed, TurnsRetracted
from turnserver.play.evolve import Find, evolve
from turnserver.play.state import GameState, Status
from turnserver.rules import Choose, Over
from turnserver.rules.kit import format_turn, parse_turn


class Objection(NamedTuple):
    """What is wrong with the event that led to `version`, as a clause."""

    version: Version
    problem: str


def recheck(events: Iterable[GameEvent], find: Find = games.find) -> Iterator[Objection]:
    """Everything in a game's events, from the first on, that its rules do not bear out; nothing if all is well.

    Ends at the first event after which nobody can say how the board stands: a turn that is not legal, or a history that is none.
    """
    state: GameState | None = None
    for number, event in enumerate(events, start=1):
        version = Version(number)
        try:
            if state is not None:
                yield from (Objection(version, problem) for problem in _at_odds(state, event))
            state = evolve(state, event, find)
        except StepError as error:
            yield Objection(version, f"the turn is not legal: {error}")
            return
        except (Refusal, Malformed) as error:
            yield Objection(version, f"it cannot be played: {error}")
            return
        if isinstance(event, GameStarted | TurnPlayed | TurnsRetracted) and state.to_move != (by_rules := _to_move(state)):
            yield Objection(version, f"{_names(state.to_move)} is to move next, by the rules {_names(by_rules)}")
    if state is not None and _over(state) is not None:
        yield Objection(state.version, "the rules end the game with this turn, but no result follows")


def _at_odds(state: GameState, event: GameEvent) -> Iterator[str]:
    """What is wrong with an event in the state that it meets. Raises StepError for a turn that is not legal."""
    over = _over(state)
    by_rules = isinstance(event, GameEnded) and event.by is EndedBy.RULES
    if over is None and by_rules:
        yield "the game ends by the rules, but they have it go on"
    if over is not None and not by_rules:
        yield "the rules have ended the game, but their result does not come first"
    if over is not None and isinstance(event, GameEnded) and (event.outcome, event.winners) != _result(over):
        yield f"the game is {_verdict(event.outcome, event.winners)}, by the rules it is {_verdict(*_result(over))}"
    if isinstance(event, TurnPlayed):
        yield from _turn(state, event)


def _turn(state: GameState, event: TurnPlayed) -> Iterator[str]:
    if (event.turn, event.seat) != (state.turn, state.to_move):
        yield f"it is turn {event.turn} by seat {event.seat}, but turn {state.turn} by {_names(state.to_move)} was due"
    if state.deadline is not None and event.received_at > state.deadline:
        yield "it arrived after its deadline"
    rules: Any = state.game.rules
    read = parse_turn(rules, state.line.position, event.text)
    canonical = format_turn(rules, state.line.position, read.steps)
    if event.text != canonical:
        yield f"{event.text} is written {canonical} in the log's notation"


def _over(state: GameState) -> Over | None:
    """How the rules have ended a game that still waits for its result; None for any other game."""
    here = state.game.rules.next(state.line.position) if state.status is Status.RUNNING else None
    return here if isinstance(here, Over) else None


def _to_move(state: GameState) -> int | None:
    here = state.game.rules.next(state.line.position)
    return here.seat if isinstance(here, Choose) else None


def _result(over: Over) -> tuple[Outcome, tuple[int, ...]]:
    return (Outcome.WON if over.winners else Outcome.DRAWN), tuple(sorted(over.winners))


def _verdict(outcome: Outcome, winners: tuple[int, ...]) -> str:
    return f"{outcome} by {_names(*winners)}" if winners else outcome


def _names(*seats: int | None) -> str:
    """`seat 1`, `seats 1 and 3`, `nobody`."""
    numbers = [str(seat) for seat in seats if seat is not None]
    return f"seat{'s' * (len(numbers) > 1)} {' and '.join(numbers)}" if numbers else "nobody"
