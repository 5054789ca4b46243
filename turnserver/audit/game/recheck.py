"""Playing a recorded game again, to see whether its rules bear out everything that its events say has happened.

A fold trusts the log. This does not: each turn is read as if it had just come in a mail, whose turn is next and how the rules end the game
are worked out anew, and so is everything that chance decided, as soon as the secret that it came from is known.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias, assert_never

from turnserver import games
from turnserver.audit.game.clocks import Reckoning
from turnserver.audit.game.transitions import out_of_course, still_owed
from turnserver.errors import Malformed, Refusal, StepError
from turnserver.ids import GameId, Version
from turnserver.play import events as e
from turnserver.play.chance import Chance, commitment, draw, pointed_at
from turnserver.play.evolve import FindGame, evolve
from turnserver.play.leaving import never_under_way
from turnserver.play.line import Board, Line
from turnserver.play.state import GameState, Status
from turnserver.rules import Choose, Leaving, Next, Over, Roll, Skipping
from turnserver.rules.kit import TurnText, format_turn, parse_turn

_HAND_OVER = (e.GameStarted, e.TurnPlayed, e.TurnSkipped, e.SeatLeft, e.TurnsRetracted, e.EndRetracted, e.GameReopened)
"""The events that say who is to move next."""


class About(StrEnum):
    """The subject of an objection: whether the event could happen at all, a decision of chance, time, or the result of the game."""

    RULES = "rules"
    CHANCE = "chance"
    CLOCKS = "clocks"
    RESULTS = "results"


class Objection(NamedTuple):
    """A fault of the event that led to `version`; `problem` is a clause."""

    version: Version
    problem: str
    about: About = About.RULES


Course: TypeAlias = Generator[Objection, None, GameState | None]
"""The objections to a game, and at the end the state that its events lead to; None if nobody can say how it stands."""

_Problems: TypeAlias = Iterator[tuple[About, str]]


class _LostError(Exception):
    """An event after which nobody can say how the board stands; the message says why."""


def recheck(
    events: Iterable[e.GameEvent], game: GameId, find: FindGame = games.find, kept: bytes | None = None, recorded: Iterable[datetime] = ()
) -> Course:
    """Yield an objection for everything in the events of a game, from the first on, that its rules do not confirm.

    `recorded` are the instants at which the events were, if the caller has them: a turn begins when it was recorded that it did.

    What chance drew is checked against the secret that the events reveal, and as long as they reveal none against the one that is `kept`,
    if the caller has it. Ends at the first event after which nobody can say how the board stands: a turn that is not legal, a roll that
    there was no cause for, or a history that is none.
    """
    history = tuple(events)
    told = [bytes.fromhex(event.secret) for event in history if isinstance(event, e.SecretRevealed)]
    known = (*told, *(() if kept is None else (kept,)))
    state: GameState | None = None
    clocks: Reckoning | None = None
    here: Next | None = None
    for at, (event, instant) in enumerate(zip_longest(history, recorded)):
        version, board, line = Version(at + 1), None, state.line if state is not None else None
        try:
            if state is not None and clocks is not None and here is not None:
                # Two events back: a resignation, then the leaving that it leads to, may have ended the game.
                moment = _MetEvent(state, here, history[max(0, at - 2) : at], event, game, known)
                yield from _objections(version, moment, clocks, instant)
                board, here = moment.board, moment.here
            # Whatever is wrong with an event, the rest is checked in the state that it has led to.
            state = evolve(state, event, find)
            if board is not None:
                # The turn was read as if it had just come, which says more than playing it after the log.
                state.line.memo = board
            if isinstance(event, e.GameOpened):
                clocks = Reckoning(event)
                yield from (Objection(version, problem, About.CLOCKS) for problem in clocks.terms_at_odds())
                yield from (Objection(version, problem, About.CHANCE) for problem in _opening(state, kept))
        except StepError as error:
            yield Objection(version, f"the turn is not legal: {error}")
            return None
        except (Refusal, Malformed, _LostError) as error:
            yield Objection(version, f"it cannot be played: {error}")
            return None
        if board is None:
            here = _comes_next(state, line, here)
        if isinstance(event, _HAND_OVER) and state.to_move != (by_rules := _to_move(here)):
            yield Objection(version, f"{_names(state.to_move)} is to move next, by the rules {_names(by_rules)}")
    if state is not None:
        yield from (Objection(state.version, problem, about) for about, problem in _missing(state, here, history[-1]))
    return state


def _objections(version: Version, moment: "_MetEvent", clocks: Reckoning, instant: datetime | None) -> Iterator[Objection]:
    for about, problem in moment.at_odds():
        yield Objection(version, problem, about)
    # Only to end a pause early takes everybody at the table.
    staying = moment.state.staying if isinstance(moment.event, e.ClockThawed) else ()
    for problem in clocks.at_odds(moment.event, instant, staying):
        yield Objection(version, problem, About.CLOCKS)


def _comes_next(state: GameState, before: Line | None, here: Next | None) -> Next | None:
    # The rules are asked once a position, as they may have much to work out.
    return here if state.line is before else state.game.rules.next(state.line.position)


@dataclass(slots=True)
class _MetEvent:
    """An event in the state that it meets, after the one or two events `before` it. `known` are the secrets that may be the game's.

    `here` is what the rules have come next in that state. Once all problems of a turn have been looked for, `board` is what it led to, and
    `here` is what comes next there.
    """

    state: GameState
    here: Next
    before: tuple[e.GameEvent, ...]
    event: e.GameEvent
    game: GameId
    known: tuple[bytes, ...]
    board: Board | None = None

    def at_odds(self) -> _Problems:  # noqa: C901  # one branch an event
        """Yield the problems of the event. Raises StepError for an illegal turn, _LostError if the board is unknown after it."""
        if wrong := self._ending():
            yield About.RESULTS, wrong
        if wrong := self._secret():
            yield About.CHANCE, wrong
        course = About.RESULTS if isinstance(self.event, e.GameEnded) else About.RULES
        for problem in out_of_course(self.state, self.before[-1], self.event):
            yield course, problem
        match self.event:
            case e.TurnPlayed() as turn:
                yield from self._turn(turn)
            case e.GameStarted() as start:
                position, self.here = yield from self._rolls(self.state.line.position, self.here, start.rolls)
                self.board = Board(position, None)
            case e.TurnSkipped() as skip:
                yield from self._skip(skip)
            case e.SeatLeft() as leaving:
                yield from self._leaving(leaving)
            case e.TurnsRetracted() if self.state.result is not None and self.state.commitment is not None:
                yield About.CHANCE, "turns are taken back after the secret was told"
            case e.EndRetracted() if self.state.commitment is not None:
                yield About.CHANCE, "the game goes on after the secret was told"
            case (
                e.GameOpened()
                | e.SeatResigned()
                | e.GameReopened()
                | e.SubstituteSeated()
                | e.TurnsRetracted()
                | e.EndRetracted()
                | e.InvitationEvent()
                | e.PlanEvent()
                | e.ProposalEvent()
                | e.LateEvent()
                | e.SeatOfferEvent()
                | e.ClockEvent()
                | e.EndEvent()
            ):
                pass
            case _:
                assert_never(self.event)

    def _ending(self) -> str | None:
        """Return the problem if the game does not end where and as the rules end it."""
        over, event = _over(self.state, self.here), self.event
        if over is None:
            if isinstance(event, e.GameEnded) and event.by in self._by_rules_only():
                return f"the game ends by {event.by.value}, but the rules have it go on"
            return None
        due = self._due()
        if not isinstance(event, e.GameEnded) or event.by is not due:
            return "the rules have ended the game, but their result does not come first"
        if (event.outcome, event.winners) != self._result(over, due):
            return f"the game is {_verdict(event.outcome, event.winners)}, by the rules it is {_verdict(*self._result(over, due))}"
        if event.outcome is not e.Outcome.VOID and event.scores != over.scores:
            return f"the scores are {_figures(event.scores)}, by the rules {_figures(over.scores)}"
        return None

    def _by_rules_only(self) -> tuple[e.EndedBy, ...]:
        # At a large table the others play on when somebody leaves, so only the rules can end the game then.
        large = isinstance(self.state.game.rules, Leaving)
        return (e.EndedBy.RULES, e.EndedBy.RESIGNATION, e.EndedBy.TIME) if large else (e.EndedBy.RULES,)

    def _due(self) -> e.EndedBy:
        # The leaving decided the game, unless chance rolled after it: then the rules did.
        if len(self.before) == 2 and isinstance(left := self.before[1], e.SeatLeft) and not left.rolls:
            if isinstance(self.before[0], e.SeatResigned):
                return e.EndedBy.RESIGNATION
            if isinstance(self.before[0], e.TurnTimedOut):
                return e.EndedBy.TIME
        return e.EndedBy.RULES

    def _result(self, over: Over, due: e.EndedBy) -> tuple[e.Outcome, tuple[int, ...]]:
        before = self.before[-1]
        if isinstance(before, e.SeatLeft) and due is e.EndedBy.TIME and never_under_way(self.state, before.seat):
            return e.Outcome.VOID, ()
        return (e.Outcome.WON if over.winners else e.Outcome.DRAWN), tuple(sorted(over.winners))

    def _secret(self) -> str | None:
        committed, has_ended = self.state.commitment, isinstance(self.before[-1], e.GameEnded)
        if isinstance(self.event, e.SecretRevealed):
            if committed is None or not has_ended:
                return "a secret is revealed where there is none to reveal"
            told = commitment(bytes.fromhex(self.event.secret))
            return None if told == committed else "the secret is not the one that the game has committed to"
        return "the game has ended, but its secret is not revealed" if committed is not None and has_ended else None

    def _turn(self, event: e.TurnPlayed) -> _Problems:
        state = self.state
        if (event.turn, event.seat) != (state.turn, state.to_move):
            yield About.RULES, f"it is turn {event.turn} by seat {event.seat}, but turn {state.turn} by {_names(state.to_move)} was due"
        if state.deadline is not None and event.received_at > state.deadline:
            yield About.CLOCKS, "it arrived after its deadline"
        read = yield from self._steps(event)
        position, self.here = read.state, read.next
        # Most turns have no roll after them.
        if event.rolls or isinstance(self.here, Roll):
            position, self.here = yield from self._rolls(position, self.here, event.rolls)
        self.board = Board(position, read.steps[-1])

    def _steps(self, event: e.TurnPlayed) -> Generator[tuple[About, str], None, TurnText[Any, Any]]:
        """Yield the problem of a turn that is not written as it should be, and return what it says."""
        rules: Any = self.state.game.rules
        before = self.state.line.position
        # A turn as it should be takes each step once: it is read as if it had just come, written again, and carried out.
        position, steps, here, after = before, list[Any](), self.here, self.here
        try:
            for text in event.steps:
                step = rules.parse(position, text)
                if (steps and after != here) or rules.format(position, step) != text:
                    break
                position = rules.apply(position, step)
                after = rules.next(position)
                steps.append(step)
            else:
                if after != here and isinstance(here, Choose):
                    return TurnText(tuple(steps), position, after)
        except StepError:
            pass
        # Any other is read whole, for what is to be said of it: it is not legal, or else it is not written so, or not in these steps.
        read = parse_turn(rules, before, event.text)
        yield About.RULES, f"{event.text} is written {format_turn(rules, before, read.steps)} in the log's notation"
        return read

    def _skip(self, event: e.TurnSkipped) -> _Problems:
        state, rules = self.state, self.state.game.rules
        if not isinstance(rules, Skipping) or state.to_move is None:
            raise _LostError("no turn of this game can be skipped")
        position = rules.skip(state.line.position)
        yield from self._rolls(position, rules.next(position), event.rolls)

    def _leaving(self, event: e.SeatLeft) -> _Problems:
        state, rules = self.state, self.state.game.rules
        if not isinstance(rules, Leaving) or state.to_move is None or event.seat not in state.staying:
            raise _LostError(f"seat {event.seat} has no table of more than two to leave")
        if not isinstance(why := self.before[-1], e.SeatResigned | e.TurnTimedOut) or why.seat != event.seat:
            yield About.RULES, f"seat {event.seat} has left, but has neither resigned nor run out of time"
        if event.to_move == state.to_move and event.clock != state.clock:
            yield About.CLOCKS, "the time of the pending turn was changed"
        position = rules.leave(state.line.position, event.seat)
        yield from self._rolls(position, rules.next(position), event.rolls)

    def _rolls(
        self,
        position: Any,  # noqa: ANN401  # whatever the rules use
        here: Next,
        rolls: tuple[e.Rolled, ...],
    ) -> Generator[tuple[About, str], None, tuple[Any, Next]]:
        """Yield the problems of the recorded rolls from `position` on, where `here` comes next, and return both as they are after them."""
        state, rules = self.state, self.state.game.rules
        key = _key(self.known, self.game, state.commitment, state.entropies) if rolls else None
        for number, rolled in enumerate(rolls, start=state.draws_made + 1):
            if not isinstance(here, Roll):
                raise _LostError(f"draw {rolled.number} has nothing to decide")
            below = sum(here.weights)
            for problem in _draw(rolled, number, below, key):
                yield About.CHANCE, problem
            step = None
            if 0 <= rolled.value < below:
                step = rules.steps(position)[pointed_at(here.weights, rolled.value)]
                meant = rules.format(position, step)
                if rolled.outcome != meant:
                    yield About.CHANCE, f"draw {number} gave {rolled.value}, which means {meant} and not {rolled.outcome}"
                    step = None
            position = rules.apply(position, rules.parse(position, rolled.outcome) if step is None else step)
            here = rules.next(position)
        if isinstance(here, Roll):
            # Nobody can say what it would have given, nor how the board stands after it.
            raise _LostError(f"draw {state.draws_made + len(rolls) + 1} was left out")
        return position, here


@lru_cache(maxsize=16)  # all rolls of a game come from one key
def _key(known: tuple[bytes, ...], game: GameId, committed: str | None, entropies: tuple[str, ...]) -> bytes | None:
    # A secret that the game has not committed to proves nothing about its rolls.
    secret = next((each for each in known if commitment(each) == committed), None)
    return Chance(game, secret).key(entropies) if secret is not None else None


def _opening(state: GameState, kept: bytes | None) -> Iterator[str]:
    if len(state.players) != len(set(state.players)) or len(state.players) != state.game.rules.seats:
        raise _LostError(f"it is for {state.game.rules.seats} different players")
    if state.game.entry.chance is (state.commitment is None):
        yield "a game with chance commits to a secret, and no other does"
    elif state.commitment is not None and kept is not None and commitment(kept) != state.commitment:
        yield "the secret that is kept for it is not the one that it has committed to"


def _missing(state: GameState, here: Next | None, last: e.GameEvent) -> _Problems:
    if _over(state, here) is not None:
        yield About.RESULTS, "the rules end the game with this turn, but no result follows"
    if state.commitment is not None and isinstance(last, e.GameEnded):
        yield About.CHANCE, "the game has ended, but its secret is not revealed"
    if owed := still_owed(state, last):
        yield About.RULES, owed


def _draw(rolled: e.Rolled, number: int, below: int, key: bytes | None) -> Iterator[str]:
    if rolled.number != number:
        yield f"draw {rolled.number} stands where draw {number} is due"
    if rolled.below != below:
        yield f"draw {number} is one of {rolled.below}, by the rules one of {below}"
    if not 0 <= rolled.value < below:
        yield f"draw {number} gave {rolled.value}, which is not one of {below}"
    elif key is not None and rolled.value != (value := draw(key, number, below)):
        yield f"draw {number} gave {rolled.value}, by the secret {value}"


def _over(state: GameState, here: Next | None) -> Over | None:
    return here if isinstance(here, Over) and state.status is Status.RUNNING else None


def _to_move(here: Next | None) -> int | None:
    return here.seat if isinstance(here, Choose) else None


def _verdict(outcome: e.Outcome, winners: tuple[int, ...]) -> str:
    return f"{outcome} by {_names(*winners)}" if winners else outcome


def _names(*seats: int | None) -> str:
    numbers = [str(seat) for seat in seats if seat is not None]
    return f"seat{'s' * (len(numbers) > 1)} {' and '.join(numbers)}" if numbers else "nobody"


def _figures(scores: tuple[int, ...]) -> str:
    return ", ".join(map(str, scores)) or "none"
