"""An audit reckons every clock anew: what follows from the terms passes, and every clock that was forged is named."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import ADA, BLUE, BOB, CHANCE, CLEO, RED, day
from tests.play.small_games import find
from tests.terms import THREE_DAYS
from turnserver.audit.game.recheck import recheck
from turnserver.ids import Burden, PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.clock.controls import Bank
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.play.state import GameState

BANK = "5d+36h cap 10d"
HOUR = timedelta(hours=1)
MONTH_HOLIDAYS = (day(3).date(), day(20).date())

Doing = tuple[float, c.Command | str]
"""The day on which something is asked; a text is played by whoever has the turn."""


class Recording(NamedTuple):
    """The events of a game, and when each event was recorded."""

    events: tuple[e.GameEvent, ...]
    instants: tuple[datetime, ...]

    def objections(self, *, timed: bool = True) -> list[tuple[int, str]]:
        """Return what an audit has to say, with the versions."""
        found = recheck(self.events, CHANCE.game, find, recorded=self.instants if timed else ())
        return [(one.version, one.problem) for one in found]


def recorded(time: str, *doings: Doing, players: tuple[PlayerId, ...] = (ADA, BOB), minutes: int = 0, reading: int = 1) -> Recording:
    """A game that begins on day 0, Ada in New York and the others in Tokyo."""
    terms = replace(THREE_DAYS, time=time, reminders=("50%", "24h"), holidays=MONTH_HOLIDAYS, correction_minutes=minutes, clock=reading)
    opening = c.OpenGame("nim" if len(players) == 2 else "trio", {"heap": 30}, players, e.SeatOrder.GIVEN, terms, ADA, "America/New_York")
    accepting: Iterable[Doing] = [(0, c.Accept(player, day(0), zone="Asia/Tokyo")) for player in players[1:]]
    events, instants = list(decide(None, opening, day(0), find)), [day(0)] * 2
    for at, asked in (*accepting, *doings):
        state = fold(events, find=find)
        happened = decide(state, _turn(state, asked, day(at)) if isinstance(asked, str) else asked, day(at), find)
        events += happened
        instants += [day(at)] * len(happened)
    return Recording(tuple(events), tuple(instants))


def _turn(state: GameState, text: str, at: datetime) -> c.PlayTurn:
    return c.PlayTurn(state.player_at(state.to_move or RED), at, text)


def away(begins: float, ends: float | None, kind: e.FreezeKind = e.FreezeKind.VACATION) -> c.FreezeClock:
    return c.FreezeClock(kind, RED if kind is e.FreezeKind.VACATION else None, day(begins), None if ends is None else day(ends))


TIMES = (
    "3d",
    BANK,
    "60d in all",
    "2d then 3x1d",
    "next 20:00 Europe/Berlin, at least 24h",
    "no limit",
    "3d, no weekends, nights 22:00-07:00, holidays DE",
)


@for_each("time", TIMES)
@for_each("timed", [True, False])
@for_each("reading", [1, 2])
def test_clocks_that_follow_from_the_terms_pass(time: str, timed: bool, reading: int) -> None:
    doings: tuple[Doing, ...] = (
        *((1, "1"), (1.5, "1"), (1.5, away(2, 12)), (2, c.OfferDraw(ADA, day(2))), (2.5, "2"), (3, c.Retract(2, "r")), (4, "3")),
        *((5, c.Adjudicate((), "r")), (6, c.Reopen("r")), (6.5, "1")),
    )
    played = recorded(time, *doings, reading=reading)
    assert played.objections(timed=timed) == []


PLAYED = recorded(
    BANK,
    (1, "1"),
    (2, "1"),
    (2, away(3, 13)),
    (4, "1"),
    (5, c.CreditClock(86_400, "r")),
    (8, c.CheckClock()),
    (9, "1"),
    (9, c.FreezeClock(e.FreezeKind.HALT, None, day(9), None)),
    (20, c.ThawClock(2, day(20))),
    (21, c.Retract(2, "r")),
    (24, c.CheckClock()),
    (26.5, c.CheckClock()),
)
"""Two turns on days 1 and 2, a vacation of Red's from then on, a credit, a reminder, a halt, and the second turn taken back."""
LEFT = recorded("3d", (1, "1"), (2, c.Resign(BOB, day(2))), (4, "1"), players=(ADA, BOB, CLEO))
SECOND_THOUGHTS = recorded(
    BANK,
    (1, "1"),
    (1, c.Undo(ADA, day(1))),
    (2, "2"),
    (3, c.Undo(ADA, day(3))),
    (3, c.Accept(BOB, day(3))),
    (4, "1"),
    minutes=10,
)
"""A turn of Red's is corrected, and its second form taken back by agreement."""
PAUSED = recorded("3d", (1, c.Propose(ADA, day(1), e.ProposalKind.PAUSE, 2)), (1, c.Accept(BOB, day(1))))
ENDING_EARLY: tuple[Doing, ...] = (
    (1, c.Propose(ADA, day(1), e.ProposalKind.PAUSE, 9)),
    (1, c.Accept(BOB, day(1))),
    (3, c.Resume(ADA, day(3))),
    (3.5, c.Resume(BOB, day(3.5))),
)
ENDED_EARLY = recorded("3d", *ENDING_EARLY)
ENDED_TWICE = recorded("3d", *ENDING_EARLY, (4.5, c.ThawClock(1, day(24))))
"""A pause that is over is ended once more."""
ASKED = recorded("9d", (1, "1"), (5, c.Nudge(ADA, day(5))), (6, c.MakeClaim(ADA, day(6))), (7, "1"))
AHEAD = recorded("9d", *((at, c.PlayTurn(who, day(at, seconds=900), "1")) for at, who in ((1, ADA), (2, BOB))))
"""Two turns that came by a clock that was a quarter of an hour ahead of that of their records."""
CUT_SHORT = recorded("3d", (1, "1"), (2, "1"), (2, away(3, 5)), (6, c.ThawClock(1, day(4))))
"""A vacation that was cut short while the game rested, until after it would have ended."""
LONGER = recorded("3d", (2, c.FreezeClock(e.FreezeKind.UNDELIVERED, RED, day(1), day(2))), (2, c.ThawClock(1, day(2.5))))
BYOYOMI = recorded("2d then 3x1d", (3.5, "1"), (3.5, "1"))
GRANTED = recorded("3d", (1, c.CreditClock(86_400, "r")))
GIVEN = recorded("3d", (1, c.GiveTime(BOB, day(1), 24)))
MOVED = recorded(
    "3d, nights 22:00-07:00",
    *((1, "1"), (2, "1"), (2.5, c.Substitute(BLUE, CLEO, "America/New_York", Burden.SEAT, "r")), (3, "1"), (4, "1")),
)
"""The second seat lives by the nights of Tokyo, and then of New York."""


def test_the_games_that_are_forged_below_are_true() -> None:
    for recording in (PLAYED, LEFT, PAUSED, ENDED_EARLY, BYOYOMI, GRANTED, GIVEN, SECOND_THOUGHTS, MOVED, ASKED, AHEAD, CUT_SHORT, LONGER):
        assert recording.objections() == []
    assert sum(isinstance(event, e.PlayerReminded) for event in PLAYED.events) >= 2
    assert isinstance(PLAYED.events[-2], e.TurnTimedOut)


class Forged(NamedTuple):
    """The first event of a `kind` is changed; the objection to it `says` this, and there is no other."""

    recording: Recording
    kind: type[e.GameEvent]
    change: Callable[[e.GameEvent], e.GameEvent]
    says: str
    which: int = 0


def clock(**fields: object) -> Callable[[e.GameEvent], e.GameEvent]:
    """Another clock than was decided: a `deadline` or a `remind_at` that is so much later, or other fields of it."""

    def change(event: e.GameEvent) -> e.GameEvent:
        before = getattr(event, "clock", None)
        assert isinstance(before, e.TurnClock)
        later = {name: getattr(before, name) + by if isinstance(by, timedelta) else by for name, by in fields.items()}
        return replace(event, clock=replace(before, **later))

    return change


def other(**fields: object) -> Callable[[e.GameEvent], e.GameEvent]:
    """Other fields of the event."""
    return lambda event: replace(event, **fields)


DAY = timedelta(days=1)
DEADLINE, REMINDER = "the deadline is", "the next reminder is due at"

FALSE = {
    "the first deadline, an hour later": Forged(PLAYED, e.GameStarted, clock(deadline=HOUR), DEADLINE),
    "a deadline an hour earlier": Forged(PLAYED, e.TurnPlayed, clock(deadline=-HOUR), DEADLINE),
    "no deadline": Forged(PLAYED, e.TurnPlayed, clock(deadline=None), "the deadline is no instant"),
    "a reminder an hour later": Forged(PLAYED, e.GameStarted, clock(remind_at=HOUR), REMINDER),
    "no reminder": Forged(PLAYED, e.TurnPlayed, clock(remind_at=None), "is due at no instant"),
    "another reminder than the next": Forged(PLAYED, e.PlayerReminded, other(remind_at=day(9)), REMINDER),
    "more time than the bank holds": Forged(PLAYED, e.TurnPlayed, clock(time=DAY, deadline=DAY, remind_at=DAY / 2), "by its bank 5 days"),
    "a turn without limit": Forged(PLAYED, e.TurnPlayed, clock(time=None, deadline=None, remind_at=None), "the turn has None, by its bank"),
    "more left than was": Forged(PLAYED, e.TurnPlayed, other(left=5 * DAY), "the turn has left 5 days, 0:00:00, by the clock 4 days"),
    "a bank too large": Forged(PLAYED, e.TurnPlayed, other(bank=Bank(7 * DAY)), "the bank holds 7 days, 0:00:00 after it", 1),
    "a period too many": Forged(BYOYOMI, e.TurnPlayed, other(bank=Bank(periods=2)), "0:00:00 and 2 periods after it"),
    "a turn that began later than it did": Forged(PLAYED, e.TurnPlayed, clock(since=HOUR), "but it was recorded at"),
    "a turn that began later when somebody left": Forged(LEFT, e.TurnPlayed, clock(since=HOUR), "but it was recorded at"),
    "time taken back along with turns": Forged(PLAYED, e.TurnsRetracted, clock(time=-DAY), "the turn has 4 days"),
    "time won by a correction": Forged(SECOND_THOUGHTS, e.TurnsRetracted, clock(time=HOUR), "the turn has"),
    "time won by agreement": Forged(SECOND_THOUGHTS, e.TurnsRetracted, clock(time=HOUR), "the turn has", 1),
    "told before it was played": Forged(SECOND_THOUGHTS, e.TurnPlayed, clock(since=-timedelta(minutes=11)), "but it was recorded at"),
    "told after a part of a minute": Forged(SECOND_THOUGHTS, e.TurnPlayed, clock(since=-timedelta(seconds=90)), "but it was recorded at"),
    "told later than agreed": Forged(SECOND_THOUGHTS, e.TurnPlayed, clock(since=timedelta(minutes=1)), "but it was recorded at"),
    "a credit that moves the deadline too far": Forged(GRANTED, e.ClockCredited, clock(deadline=HOUR), DEADLINE),
    "a credit that gives more than it says": Forged(GRANTED, e.ClockCredited, other(seconds=60), "but it had 3 days, 0:01:00"),
    "a credit that lets the turn begin later": Forged(GRANTED, e.ClockCredited, clock(since=HOUR), "from 2025-03-01 13:00:00, but it had"),
    "a gift that moves the deadline too far": Forged(GIVEN, e.TimeGiven, clock(deadline=HOUR), DEADLINE),
    "a gift of more than it says": Forged(GIVEN, e.TimeGiven, other(seconds=60), "but it had 3 days, 0:01:00"),
    "a freeze that is longer": Forged(PLAYED, e.ClockFrozen, other(ends=day(14), seat=BLUE), DEADLINE),
    "a freeze that moves the deadline too far": Forged(PLAYED, e.ClockFrozen, clock(deadline=day(30)), "the deadline is 2025-03-31"),
    "a pause that begins later": Forged(PAUSED, e.ClockFrozen, other(begins=day(1) + HOUR, ends=day(3) + HOUR), "but it was agreed on at"),
    "a pause that one player ends at once": Forged(ENDED_EARLY, e.ClockThawed, other(ends=day(3)), "could end it at 2025-03-05 12:00:00"),
    "a pause that all end, later": Forged(ENDED_EARLY, e.ClockThawed, other(ends=day(4)), "could end it at 2025-03-05 00:00:00", 1),
    "a freeze that ends before it begins": Forged(PLAYED, e.ClockFrozen, other(ends=day(2)), "the freeze ends before it begins"),
    "a freeze that goes on without a clock": Forged(PLAYED, e.ClockFrozen, other(clock=None), "a clock that does not run cannot change"),
    "the end of a freeze, a day later": Forged(PLAYED, e.ClockThawed, other(ends=day(21)), DEADLINE),
    "the end of a freeze before it began": Forged(PLAYED, e.ClockThawed, other(ends=day(8)), "the freeze ends before it begins"),
    "the end of somebody else's freeze": Forged(PLAYED, e.ClockThawed, other(seat=BLUE), "was of another kind, or of another seat"),
    "the end of a freeze of another kind": Forged(PLAYED, e.ClockThawed, other(kind=e.FreezeKind.PAUSE), "was of another kind"),
    "the end of a pause that is over": Forged(
        ENDED_TWICE, e.ClockThawed, other(), "freeze 1 was over at 2025-03-05 00:00:00, so it cannot end"
    ),
    "a turn that came after its record": Forged(
        ASKED, e.TurnPlayed, other(received_at=day(1, seconds=901)), "it came at 2025-03-02 12:15:01, but was recorded before"
    ),
    "a nudge that came after its record": Forged(ASKED, e.PlayerNudged, other(asked_at=day(7)), "it came at 2025-03-08 12:00:00"),
    "a claim that came after its record": Forged(ASKED, e.ClaimMade, other(claimed_at=day(24)), "it came at 2025-03-25 12:00:00"),
    "somebody left, and the next has more time": Forged(LEFT, e.SeatLeft, clock(time=DAY, deadline=DAY), "the turn has 4 days"),
    "a seat whose zone is another": Forged(recorded("3d, nights 22:00-07:00"), e.InvitationAccepted, other(zone="Asia/Tokyo"), DEADLINE),
    "time is up too early": Forged(PLAYED, e.TurnTimedOut, other(deadline=day(90)), "before it was"),
    "a turn without a clock": Forged(PLAYED, e.GameStarted, other(clock=None), "do not go without each other"),
}


@for_each("forged", FALSE.values(), ids=FALSE)
def test_a_forged_clock_is_named(forged: Forged) -> None:
    at = [at for at, event in enumerate(forged.recording.events) if isinstance(event, forged.kind)][forged.which]
    events = forged.recording.events
    changed = forged.recording._replace(events=(*events[:at], forged.change(events[at]), *events[at + 1 :]))
    told = changed.objections()
    assert forged.says in "; ".join(problem for _, problem in told), told


def test_a_reminder_before_it_was_due_is_named_if_it_is_known_when_it_went_out() -> None:
    at = next(at for at, event in enumerate(PLAYED.events) if isinstance(event, e.PlayerReminded))
    early = PLAYED._replace(instants=(*PLAYED.instants[:at], day(5), *PLAYED.instants[at + 1 :]))
    assert [problem for _, problem in early.objections()] == [
        "it was recorded at 2025-03-06 12:00:00, but the reminder was due at 2025-03-08 18:00:00"
    ]
    assert early.objections(timed=False) == []


def test_a_reminder_of_a_game_that_does_not_run_is_one_objection() -> None:
    reminder = e.PlayerReminded(seat=RED, turn=1, marks=("24h",), remind_at=None)
    changed = PLAYED._replace(events=(PLAYED.events[0], reminder), instants=PLAYED.instants[:2])
    assert [problem for _, problem in changed.objections()] == [
        "PlayerReminded has no place here: nothing that went before could lead to it"
    ]


@for_each("mark", ["", "%", "half", "50", "-5h", "5.5h", "24 h", "99999h", "\N{ARABIC-INDIC DIGIT FIVE}%"])
def test_a_reminder_that_cannot_be_read_is_one_objection(mark: str) -> None:
    """The others are reckoned as ever."""
    opened = PLAYED.events[0]
    assert isinstance(opened, e.GameOpened)
    forged = replace(opened, terms=replace(opened.terms, reminders=(*opened.terms.reminders, mark)))
    says = f"the reminder {mark} is neither a part of a turn's time, such as 50%, nor hours before its end, such as 24h"
    assert PLAYED._replace(events=(forged, *PLAYED.events[1:])).objections() == [(1, says)]
