"""An account of a pending turn's deadline, which adds up item by item, from a game's history.

A turn begins with some time. Time that was given since is added, and so is every time before the deadline that its clock stood still:
`since + allowance + given + stops == deadline`, exactly. Where two stops overlap, each moment counts once: for the calendar, or else for
the freeze that was first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from turnserver import games
from turnserver.ids import Recorded
from turnserver.play import events as e
from turnserver.play.clock.clock import control, live_time
from turnserver.play.clock.controls import Bank, Byoyomi, FixedHour, Increment, PerMove, Total, Unlimited, worth
from turnserver.play.clock.live_time import LiveTime, Off
from turnserver.play.evolve import FindGame, evolve
from turnserver.play.state import Freeze, GameState
from turnserver.rules import Seat

NOTHING: Final = timedelta(0)

Source: TypeAlias = Literal[
    "per turn", "first bank", "left over", "increment", "kept", "periods", "hour", "vacancy", "reopened", "again", "substitute"
]
"""The source of some of a turn's time.

`first bank` is the bank at the start of the game. `left over` is what the seat's last turn left. `increment` is what that turn added.
`kept` is the bank before byo-yomi, `periods` its periods together, `hour` the time until the hour at which each turn is due.
`vacancy` is how long a seat waits for a substitute. `reopened` is the time of a turn that cost the game and is played all the same.
`again` is the time of a turn that its seat has taken back.
`substitute` is the time of a player who took the seat over during the turn.
"""


class TimePart(NamedTuple):
    """A part of the time that a turn began with."""

    source: Source
    span: timedelta


class Given(NamedTuple):
    """Time that was added to the turn: the instant, who added it (as in the log), and the event."""

    at: datetime
    span: timedelta
    actor: str
    event: e.GameEvent


class Stop(NamedTuple):
    """A time during which the clock stood still. `took` is how long the clock would have run in it.

    `why` is `weekend`, `holiday`, `night`, or the kind of the freeze with this `number`, which `actor` asked for. `seat` is None if every
    clock stood still. `ends` is None if no end is known; then nothing can be added up.
    """

    why: str
    begins: datetime
    ends: datetime | None
    took: timedelta
    number: int | None = None
    seat: Seat | None = None
    actor: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """The pending turn: its seat, its beginning, and everything that makes its deadline.

    `parts` is empty if there is no limit. `deadline` is None without a limit, and while no end of a freeze is known.
    """

    seat: Seat
    turn: int
    since: datetime
    parts: tuple[TimePart, ...]
    given: tuple[Given, ...]
    stops: tuple[Stop, ...]
    deadline: datetime | None

    @property
    def time(self) -> timedelta:
        """All the time of the turn."""
        return sum((part.span for part in self.parts), NOTHING) + sum((given.span for given in self.given), NOTHING)

    @property
    def stopped(self) -> timedelta:
        """The sum of all stops: how much they move the deadline."""
        return sum((stop.took for stop in self.stops), NOTHING)


class BankRow(NamedTuple):
    """The effect of one standing turn on the clock of its seat: the time it had, used and left, and the bank after it.

    `granted` is the growth of the bank beyond the time that the turn left. The spans are None if there is no limit.
    """

    turn: int
    seat: Seat
    had: timedelta | None
    used: timedelta | None
    left: timedelta | None
    granted: timedelta
    bank: Bank


class _Moment(NamedTuple):
    """An event with the game before and after it."""

    before: GameState | None
    recorded: Recorded[e.GameEvent]
    after: GameState


def explain_deadline(history: Sequence[Recorded[e.GameEvent]], find: FindGame = games.find) -> Account | None:
    """Return the account of the turn that is pending at the end of a history. None if no turn is pending.

    The history begins with the first event of the game.
    """
    moments = tuple(_moments(history, find))
    state = moments[-1].after
    clock, seat = state.clock, state.to_move
    if clock is None or seat is None:
        return None
    began = next(at for at in reversed(range(len(moments))) if (was := moments[at].before) is None or _pending(was) != _pending(state))
    return Account(
        seat=seat,
        turn=state.turn,
        since=clock.since,
        parts=_parts(moments[began], seat),
        given=tuple(_given(moments[began + 1 :])),
        stops=() if clock.time is None else tuple(_stops(state, seat, clock.since, clock.deadline, history)),
        deadline=clock.deadline,
    )


def bank_rows(history: Sequence[Recorded[e.GameEvent]], find: FindGame = games.find) -> tuple[BankRow, ...]:
    """Return one row for each standing turn, oldest first: the effect of the turn on the clock of its seat."""
    moments = tuple(_moments(history, find))
    # by identity: the turns that stand are the very events of the history, and two of them may be equal
    rows = {
        id(one.recorded.event): _bank_row(one.before, one.recorded.event)
        for one in moments
        if one.before is not None and isinstance(one.recorded.event, e.TurnPlayed)
    }
    return tuple(rows[id(turn)] for turn in moments[-1].after.line.turns)


def _moments(history: Sequence[Recorded[e.GameEvent]], find: FindGame) -> Iterator[_Moment]:
    state: GameState | None = None
    for recorded in history:
        before, state = state, evolve(state, recorded.event, find)
        yield _Moment(before, recorded, state)


def _pending(state: GameState) -> tuple[object, ...]:
    # two states with the same values have the same pending turn
    mover = None if state.to_move is None else state.player_at(state.to_move)
    return state.to_move, mover, state.turn, state.edition, state.clock and state.clock.since


def _parts(moment: _Moment, seat: Seat) -> tuple[TimePart, ...]:
    """Return the parts of the time that a turn of `seat`, begun by this event, starts with. Empty without a limit."""
    state = moment.after
    time = state.clock.time if state.clock else None
    if time is None:
        return ()
    # these events give a turn time of their own; only for the others the control says where it comes from
    if state.vacant is not None:
        return (TimePart("vacancy", time),)
    if isinstance(moment.recorded.event, e.GameReopened):
        return (TimePart("reopened", time),)
    if isinstance(moment.recorded.event, e.TurnsRetracted) and moment.recorded.event.kind is not e.RetractionKind.ADMIN:
        return (TimePart("again", time),)
    if isinstance(moment.recorded.event, e.SubstituteSeated):
        return (TimePart("substitute", time),)
    last = next((turn for turn in reversed(state.line.numbered) if turn.seat == seat), None)
    left = NOTHING if isinstance(last, e.TurnSkipped) else last.left if last else None
    agreed = control(state).control
    match agreed:
        case PerMove():
            return (TimePart("per turn", time),)
        case FixedHour():
            return (TimePart("hour", time),)
        case Byoyomi():
            bank = state.banks[seat - 1]
            return _some(TimePart("kept", bank.time), TimePart("periods", bank.periods * agreed.period))
        case Increment() | Total() | Unlimited():
            return (
                (TimePart("first bank", time),) if left is None else _some(TimePart("left over", left), TimePart("increment", time - left))
            )
        case _:
            assert_never(agreed)


def _some(*parts: TimePart) -> tuple[TimePart, ...]:
    # at least one part stays, so that an account never looks like one without a limit
    return tuple(part for part in parts if part.span) or parts[:1]


def _given(moments: Sequence[_Moment]) -> Iterator[Given]:
    for before, recorded, after in moments:
        earlier = before.clock.time if before is not None and before.clock else None
        later = after.clock.time if after.clock else None
        if earlier is not None and later is not None and earlier != later:
            yield Given(recorded.at, later - earlier, recorded.actor, recorded.event)


def _stops(
    state: GameState, seat: Seat, since: datetime, deadline: datetime | None, history: Sequence[Recorded[e.GameEvent]]
) -> Iterator[Stop]:
    """Yield the stops of the clock until the deadline, or until it stops for good: first the calendar's, then the freezes'."""
    freezes = [freeze for freeze in state.freezes if freeze.seat in (None, seat)]
    # a turn with a time and no deadline waits for the end of a freeze
    until = deadline or max(since, min(freeze.begins for freeze in freezes if freeze.ends is None))
    regular = live_time(state, seat).calendar
    for why, begins, ends in LiveTime(regular).off(since, until):
        yield Stop(why, begins, ends, (ends or until) - begins)
    earlier: tuple[Off, ...] = ()
    for freeze in freezes:
        begins, ends = max(freeze.begins, since), min(freeze.ends or until, until)
        # time of the calendar and of the freezes before is counted with those already
        took = LiveTime(regular, earlier).between(begins, ends)
        earlier = (*earlier, Off(freeze.kind, freeze.begins, freeze.ends))
        if took or freeze.ends is None:
            yield _stop(freeze, took, history)


def _stop(freeze: Freeze, took: timedelta, history: Sequence[Recorded[e.GameEvent]]) -> Stop:
    """Return the stop of a freeze, with its actor and the reason that was given for it, else the one for its end."""
    about = [one for one in history if isinstance(one.event, e.ClockFrozen | e.ClockThawed) and one.event.number == freeze.number]
    reason = next((one.event.reason for one in about if isinstance(one.event, e.ClockFrozen | e.ClockThawed) and one.event.reason), "")
    return Stop(e.FreezeKind(freeze.kind).value, freeze.begins, freeze.ends, took, freeze.number, freeze.seat, about[0].actor, reason)


def _bank_row(before: GameState, event: e.TurnPlayed) -> BankRow:
    had = before.clock.time if before.clock else None
    used = None if had is None or event.left is None else had - event.left
    granted = NOTHING if event.left is None else worth(control(before).control, event.bank) - event.left
    return BankRow(event.turn, event.seat, had, used, event.left, max(NOTHING, granted), event.bank)
