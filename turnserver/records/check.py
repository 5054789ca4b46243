"""Check a record: its course by the rules to the last turn, and its result by the rules or by its ending."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from msgspec.structs import replace

from turnserver import games
from turnserver.errors import BadOption, UnknownRevision
from turnserver.ids import GameId
from turnserver.play import events as e
from turnserver.play.state import GameState
from turnserver.records.archive import ArchiveImported, apart, together, without_words
from turnserver.records.course import Wrong, moments
from turnserver.records.record import Agreed, Comment, Item, Record, Resigned, Result, TimedOut, is_other
from turnserver.rules import Game, Leaving, Over, Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """A roll."""

    after: Annotated[int, "the number of the turn before it; 0 before the first"]
    undone: Annotated[bool, "whether the turn before it was taken back later"]
    number: Annotated[int, "which draw of the game it is"]
    below: Annotated[int, "how many values were possible"]
    value: Annotated[int, "the value drawn"]
    outcome: Annotated[str, "what the value meant, in canonical notation"]


@dataclass(frozen=True, slots=True)
class Proof:
    """All data from which anybody can compute the rolls of a game again, as `turnserver/play/chance.py` says."""

    game: Annotated[int, "the number of the game"]
    commitment: Annotated[str, "the SHA-256 of the secret, which was logged when the game was opened"]
    secret: Annotated[str, "the secret, which was told when the game had ended"]
    entropies: Annotated[tuple[str, ...], "what the seats added, in seat order; empty for a seat that added nothing"]
    draws: Annotated[tuple[Draw, ...], "every roll, those of turns that were taken back too"]


def proof_of(game: GameId, state: GameState, history: Sequence[e.GameEvent]) -> Proof | None:
    """Return the proof of a game's rolls. None while its secret is not revealed, and in a game without chance."""
    secret = next((event.secret for event in history if isinstance(event, e.SecretRevealed)), None)
    if secret is None or state.commitment is None:
        return None
    return Proof(int(game), state.commitment, secret, state.entropies, tuple(_draws(state, history)))


def _draws(state: GameState, history: Sequence[e.GameEvent]) -> Iterator[Draw]:
    # no draw is used twice, so its number says which roll it was
    standing = {roll.number for entry in state.line.entries for roll in entry.rolls}
    turn = 0
    for event in history:
        if isinstance(event, e.TurnPlayed | e.TurnSkipped):
            turn = event.turn
        if isinstance(event, e.GameStarted | e.TurnPlayed | e.TurnSkipped | e.SeatLeft):
            yield from (Draw(turn, roll.number not in standing, roll.number, roll.below, roll.value, roll.outcome) for roll in event.rolls)


_BEFORE_THE_END: Final = (e.EndedBy.ADJUDICATION, e.EndedBy.AGREEMENT, e.EndedBy.CANCELLATION, e.EndedBy.REFUSAL)
_WITHOUT_RESULT: Final = (e.EndedBy.CANCELLATION, e.EndedBy.ANNULMENT, e.EndedBy.REFUSAL)
_FORM: Final = {e.EndedBy.RESIGNATION: Resigned, e.EndedBy.TIME: TimedOut, e.EndedBy.AGREEMENT: Agreed}
"""The form that the last item has to have."""


def game_of(record: Record) -> Game[Any, Any]:
    """Return the game that was played, by the revision of its rules that the record names. Raise Wrong if there is no such game."""
    try:
        return games.find(record.game, record.revision, **record.options)
    except (BadOption, UnknownRevision) as error:
        raise Wrong(None, str(error)) from error


def canonical(record: Record, game: Game[Any, Any] | None = None) -> Record:
    """Return the record as its game writes it; a canonical record stays as it is. Raise Wrong if the rules do not bear it out.

    Missing options get their defaults. If the rules ended the game, its reason comes from the rules.
    """
    game = game or game_of(record)
    names = game.view.seat_names
    if len(record.players) != len(names):
        raise Wrong(None, f"there are {len(names)} seats in this game, {', '.join(names)}, and {len(record.players)} players")
    if bad := [name for name in record.others if not is_other(name, names)]:
        raise Wrong(None, f"a heading cannot have a line {bad[0]!r} of its own")
    played = tuple(moments(game, record.course))
    course = tuple(moment.item for moment in played)
    here = game.rules.next(played[-1].after if played else game.rules.start())
    over = here if isinstance(here, Over) else None
    # spelled out, so that the record means the same when a default changes
    options = {name: getattr(game.options, name) for name in game.options.__dataclass_fields__}
    return replace(record, options=options, course=course, result=_result(game, record.result, course, over))


def _result(game: Game[Any, Any], said: Result | None, course: Sequence[Item], over: Over | None) -> Result | None:
    """Return the result by the rules. Raise Wrong if the record's result contradicts it."""
    last = next((item for item in reversed(course) if not isinstance(item, Comment)), None)
    # at a larger table the others play on, and the rules say when that is over
    closed = isinstance(last, Agreed) or (isinstance(last, Resigned | TimedOut) and not isinstance(game.rules, Leaving))
    if said is None:
        if over is not None or closed:
            raise Wrong(None, "the game has ended, but the record has no result")
        return None
    if any(not 1 <= seat <= game.rules.seats for seat in said.winners):
        raise Wrong(None, f"the winners are seats from 1 to {game.rules.seats}")
    _check_how(said.by, last, over, closed=closed)
    if said.by in _WITHOUT_RESULT or (said.by is e.EndedBy.TIME and said.outcome is e.Outcome.VOID):
        return _same(said, e.Outcome.VOID, (), said.reason)
    if over is not None:
        return _same(said, e.Outcome.WON if over.winners else e.Outcome.DRAWN, tuple(sorted(over.winners)), str(over.reason), over.scores)
    if isinstance(last, Resigned | TimedOut) and closed:
        return _same(said, e.Outcome.WON, _others(game, last.seat), said.reason)
    if isinstance(last, Agreed):
        return _same(said, e.Outcome.DRAWN, (), said.reason)
    if said.outcome is e.Outcome.VOID or (said.outcome is e.Outcome.WON) is (not said.winners):
        raise Wrong(None, "an adjudication names winners or is a draw")
    return _same(said, said.outcome, tuple(sorted(said.winners)), said.reason)


def _check_how(by: e.EndedBy, last: Item | None, over: Over | None, *, closed: bool) -> None:
    """Raise Wrong if the game cannot have ended in the way that the record names."""
    # an admin may take any result away, whatever the game came to
    if by is e.EndedBy.ANNULMENT:
        return
    form = _FORM.get(by)
    if form is not None and not (isinstance(last, form) and (closed or over is not None)):
        raise Wrong(None, f"the game is said to have ended by {by.value}, but the last thing in it has not ended it so")
    if form is None and closed:
        raise Wrong(None, f"the last thing in the game has ended it, and not {by.value}")
    if by is e.EndedBy.RULES and over is None:
        raise Wrong(None, "by the rules the game goes on; if it ended in another way, its termination must say how")
    if by is e.EndedBy.RULES and isinstance(last, Resigned | TimedOut):
        raise Wrong(None, "what has ended the game is that somebody left")
    if over is not None and by in _BEFORE_THE_END:
        raise Wrong(None, f"the rules have ended the game, so it did not end by {by.value}")


def _others(game: Game[Any, Any], seat: Seat) -> tuple[Seat, ...]:
    own = next(team for team in game.rules.teams if seat in team)
    return tuple(Seat(other) for other in range(1, game.rules.seats + 1) if other not in own)


def _same(said: Result, outcome: e.Outcome, winners: tuple[Seat, ...], reason: str, scores: tuple[int, ...] = ()) -> Result:
    """Return the result by the rules. Raise Wrong if the record says another one. A record may omit the scores."""
    if (said.outcome, tuple(sorted(said.winners))) != (outcome, winners):
        seats = " and ".join(str(seat) for seat in winners)
        raise Wrong(None, f"the result is not what the game came to: {outcome.value}{f' by seat {seats}' if seats else ''}")
    # whoever writes a record by hand need not add up
    if said.scores not in {(), scores}:
        raise Wrong(None, f"the scores are {' '.join(map(str, scores)) or 'none'}, not {' '.join(map(str, said.scores))}")
    return Result(outcome=outcome, by=said.by, winners=winners, reason=reason, scores=scores)


def event_problem(event: object, version: int) -> str:
    """Return the problem of an event in the history of an archived game, as a clause; empty if there is none."""
    if not isinstance(event, ArchiveImported) or version != 1:
        return "the history of an archived game is one import"
    try:
        # nothing but the game says how many names there are, so it is looked up first
        seats = game_of(together(event, without_words(0, event))).rules.seats
        by_rules, _ = apart(canonical(together(event, without_words(seats, event))))
    except Wrong as error:
        return f"{f'item {error.index + 1} of its course: ' if error.index is not None else ''}{error}"
    return "" if by_rules == event else "it is not written as the rules write it"
