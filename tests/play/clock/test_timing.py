"""The reminders, the end of the time, time given, and clocks that stand still."""

from msgspec.structs import replace

from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    EVE,
    NIM,
    NIM_1,
    NIM_2,
    RED,
    TRIO,
    WON,
    Case,
    Refused,
    check,
    clock,
    day,
    due,
    ended,
    named,
    played,
    reminded,
    running,
)
from tests.terms import THREE_DAYS
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.rules import Seat

HOUR = 3600
REMINDED = (*NIM_2, reminded(RED, 3))
"""Red's by day 5, and reminded on day 4."""
TIMED_OUT = (e.TurnTimedOut(seat=RED, turn=3, deadline=day(5)), ended(e.EndedBy.TIME, BLUE))


def credited(turn: int, seconds: int, clock: e.TurnClock, reason: str = "a slow train") -> e.ClockCredited:
    return e.ClockCredited(turn=turn, seconds=seconds, reason=reason, clock=clock)


def frozen(
    kind: e.FreezeKind, seat: Seat | None, begins: float, ends: float | None, clock: e.TurnClock, *, number: int = 1
) -> e.ClockFrozen:
    until = None if ends is None else day(ends)
    return e.ClockFrozen(number=number, kind=kind, seat=seat, begins=day(begins), ends=until, clock=clock)


def thawed(kind: e.FreezeKind, seat: Seat | None, ends: float, clock: e.TurnClock) -> e.ClockThawed:
    return e.ClockThawed(number=1, kind=kind, seat=seat, ends=day(ends), clock=clock)


def vacation(seat: Seat, begins: float, ends: float | None) -> c.FreezeClock:
    return c.FreezeClock(e.FreezeKind.VACATION, seat, day(begins), None if ends is None else day(ends))


def pause(begins: float, ends: float | None = None) -> c.FreezeClock:
    return c.FreezeClock(e.FreezeKind.PAUSE, None, day(begins), None if ends is None else day(ends))


def outage(begins: float, ends: float) -> c.FreezeClock:
    return c.FreezeClock(e.FreezeKind.OUTAGE, None, day(begins), day(ends))


LITTLE = (*REMINDED, credited(3, HOUR, due(2, 3 + 1 / 24, by=5 + 1 / 24)))
"""An hour more for Red, given after the reminder."""
MUCH = (*REMINDED, credited(3, 48 * HOUR, due(2, 5, by=7)))
"""Two days more for Red, who is not reminded a second time."""
LENT = (*REMINDED, credited(3, 363 * 24 * HOUR, due(2, 366, by=368)), credited(3, 363 * 24 * HOUR, due(2, 729, by=731)))
"""Two years for Red, but for three days."""

AWAY = (*NIM_2, frozen(e.FreezeKind.VACATION, RED, 3, 6, due(2, 3, by=8, remind=7)))
"""Red goes away for three days, when a day of three has passed."""
BOTH = (*AWAY, frozen(e.FreezeKind.OUTAGE, None, 5, 7, due(2, 3, by=9, remind=8), number=2))
"""The service stood still on the last of these days and one more."""
PAUSED = (*NIM_2, frozen(e.FreezeKind.PAUSE, None, 3, None, due(2, 3)))
"""Nobody knows how long; Red has two days left."""
RESUMED = (*PAUSED, thawed(e.FreezeKind.PAUSE, None, 13, due(2, 3, by=15, remind=14)))

OFTEN = running(terms=replace(THREE_DAYS, reminders=("50%", "80%", "24h", "4h")))[:-1]
"""Of three days from day 0, half have passed on day 1.5, and 57 hours 36 minutes are 80 %; 24 hours are left on day 2, then 4 hours."""
HALF, DAY_LEFT, MOST, LAST_HOURS = day(1.5), day(2), day(2.4), day(2, seconds=20 * HOUR)
STARTED = (*OFTEN, e.GameStarted(to_move=RED, clock=replace(clock(0), remind_at=HALF)))
HALF_TOLD = (*STARTED, e.PlayerReminded(seat=RED, turn=1, marks=("50%",), remind_at=DAY_LEFT))
CLOSE = (
    *running(terms=replace(THREE_DAYS, reminders=("50%", "37h", "24h")))[:-1],
    e.GameStarted(to_move=RED, clock=replace(clock(0), remind_at=day(0, seconds=35 * HOUR))),
)

UNLIMITED = (*running(terms=replace(THREE_DAYS, time="no limit"))[:-1], e.GameStarted(to_move=RED, clock=e.TurnClock(since=day(0))))

REMINDERS = [
    Case("nothing is due", NIM_2, c.CheckClock(), day(4, seconds=-1), Refused("not_due", "look again at 2025-03-05 12:00:00 UTC")),
    Case("a reminder", NIM_2, c.CheckClock(), day(4), (reminded(RED, 3),)),
    Case("a late reminder", NIM_2, c.CheckClock(), day(5, seconds=-1), (reminded(RED, 3),)),
    Case("once for each mark", REMINDED, c.CheckClock(), day(5, seconds=-1), Refused("not_due", "look again at 2025-03-06 12:00:00 UTC")),
    Case("a reminder for the next turn", (*REMINDED, played(3, RED, "1", BLUE, at=5)), c.CheckClock(), day(7), (reminded(BLUE, 4),)),
    Case("the first of several", STARTED, c.CheckClock(), HALF, HALF_TOLD[-1:]),
    Case(
        "the second",
        HALF_TOLD,
        c.CheckClock(),
        DAY_LEFT,
        (e.PlayerReminded(seat=RED, turn=1, marks=("24h",), remind_at=MOST),),
    ),
    Case(
        "several that are due at once are one mail",
        STARTED,
        c.CheckClock(),
        day(2.5),
        (e.PlayerReminded(seat=RED, turn=1, marks=("50%", "80%", "24h"), remind_at=LAST_HOURS),),
    ),
    Case(
        "what is due within the hour goes with it",
        CLOSE,
        c.CheckClock(),
        day(0, seconds=35 * HOUR),
        (e.PlayerReminded(seat=RED, turn=1, marks=("50%", "37h"), remind_at=DAY_LEFT),),
    ),
    Case(
        "and nothing that is due later",
        CLOSE,
        c.CheckClock(),
        day(0, seconds=46 * HOUR + 3599),
        (e.PlayerReminded(seat=RED, turn=1, marks=("50%", "37h"), remind_at=DAY_LEFT),),
    ),
    Case(
        "a freeze moves those that are to come and brings none back",
        HALF_TOLD,
        c.FreezeClock(e.FreezeKind.OUTAGE, None, HALF, day(4.5)),
        day(4.5),
        (frozen(e.FreezeKind.OUTAGE, None, 1.5, 4.5, due(0, 3, by=6, remind=5)),),
    ),
    Case(
        "one that was due in a freeze comes after it",
        STARTED,
        outage(1, 4),
        day(4),
        (frozen(e.FreezeKind.OUTAGE, None, 1, 4, due(0, 3, by=6, remind=4.5)),),
    ),
    Case(
        "time that is given moves those that are to come and brings none back",
        HALF_TOLD,
        c.CreditClock(72 * HOUR, "a slow train"),
        day(1.5),
        (credited(1, 72 * HOUR, due(0, 6, by=6, remind=4.8)),),
    ),
]

CREDITS = [
    Case(
        "a credit",
        NIM_2,
        c.CreditClock(HOUR, "a slow train"),
        day(3),
        (credited(3, HOUR, due(2, 3 + 1 / 24, by=5 + 1 / 24, remind=4 + 1 / 24)),),
    ),
    Case(
        "a credit after the deadline",
        NIM_2,
        c.CreditClock(48 * HOUR, "leave"),
        day(6),
        (credited(3, 48 * HOUR, due(2, 5, by=7, remind=6), "leave"),),
    ),
    Case("a credit after the reminder", REMINDED, c.CreditClock(HOUR, "a slow train"), day(4, seconds=HOUR), LITTLE[-1:]),
    Case("and it is not sent again", LITTLE, c.CheckClock(), day(4.5), Refused("not_due", "look again at 2025-03-06 13:00:00 UTC")),
    Case(
        "and the turn is due later",
        LITTLE,
        c.CheckClock(),
        day(5, seconds=HOUR),
        (e.TurnTimedOut(seat=RED, turn=3, deadline=day(5, seconds=HOUR)), ended(e.EndedBy.TIME, BLUE)),
    ),
    Case("a long credit after the reminder", REMINDED, c.CreditClock(48 * HOUR, "a slow train"), day(4.5), MUCH[-1:]),
    Case("nor is it then", MUCH, c.CheckClock(), day(6.5), Refused("not_due", "look again at 2025-03-08 12:00:00 UTC")),
    Case("little by little", LITTLE, c.CreditClock(47 * HOUR, "a slow train"), day(4.5), (credited(3, 47 * HOUR, due(2, 5, by=7)),)),
    Case("no credit", NIM_2, c.CreditClock(0, "r"), day(3), Refused("bad_credit", "1 to 31622400 seconds")),
    Case("time cannot be taken", NIM_2, c.CreditClock(-HOUR, "r"), day(3), Refused("bad_credit", "1 to 31622400 seconds")),
    Case("a year at most", NIM_2, c.CreditClock(31622401, "r"), day(3), Refused("bad_credit", "1 to 31622400 seconds")),
    Case(
        "up to two years for a turn",
        LENT,
        c.CreditClock(3 * 24 * HOUR, "r"),
        day(3),
        (credited(3, 3 * 24 * HOUR, due(2, 732, by=734), "r"),),
    ),
    Case("and not more", LENT, c.CreditClock(3 * 24 * HOUR + 1, "r"), day(3), Refused("bad_credit", "more than 732 days")),
    Case("a credit after the end", WON, c.CreditClock(HOUR, "r"), day(4), Refused("game_over", "Red won")),
    Case("a credit where there is no limit", UNLIMITED, c.CreditClock(HOUR, "r"), day(4), Refused("no_limit", "without a limit")),
    Case(
        "a credit in a pause counts after it",
        PAUSED,
        c.CreditClock(24 * HOUR, "a slow train"),
        day(10),
        (credited(3, 24 * HOUR, due(2, 4)),),
    ),
]

GIFTS = [
    Case(
        "the opponent gives time",
        NIM_2,
        c.GiveTime(BOB, day(3), 48),
        day(3),
        (e.TimeGiven(seat=BLUE, turn=3, seconds=48 * HOUR, clock=due(2, 5, by=7, remind=6)),),
    ),
    Case(
        "up to the date of the league",
        NIM_2,
        c.GiveTime(BOB, day(3), 24, day(6)),
        day(3),
        (e.TimeGiven(seat=BLUE, turn=3, seconds=24 * HOUR, clock=due(2, 4, by=6, remind=5)),),
    ),
    Case(
        "and not beyond it",
        NIM_2,
        c.GiveTime(BOB, day(3), 24, day(6, seconds=-1)),
        day(3),
        Refused(
            "league_dates", "over by 2025-03-07 11:59:59 UTC, and with so much more time the turn could last until 2025-03-07 12:00:00"
        ),
    ),
    Case("to oneself", NIM_2, c.GiveTime(ADA, day(3), 24), day(3), Refused("own_turn", "your own move")),
    Case("by a stranger", NIM_2, c.GiveTime(EVE, day(3), 24), day(3), Refused("not_in_game", "don't play in")),
    Case("at a larger table", TRIO, c.GiveTime(BOB, day(1), 24), day(1), Refused("not_of_two", "others would have to wait")),
    Case("when the time is up", NIM_2, c.GiveTime(BOB, day(5, seconds=1), 24), day(6), Refused("too_late", "Red ran out at 2025-03-06")),
    Case("no time", NIM_2, c.GiveTime(BOB, day(3), 0), day(3), Refused("bad_gift", "from one hour to 30 days")),
    Case(
        "as much as there may be",
        NIM_2,
        c.GiveTime(BOB, day(3), 720),
        day(3),
        (e.TimeGiven(seat=BLUE, turn=3, seconds=720 * HOUR, clock=due(2, 33, by=35, remind=34)),),
    ),
    Case("and an hour more", NIM_2, c.GiveTime(BOB, day(3), 721), day(3), Refused("bad_gift", "from one hour to 30 days")),
    Case("more than two years in all", LENT, c.GiveTime(BOB, day(3), 73), day(3), Refused("bad_gift", "more than 732 days")),
    Case("where there is no limit", UNLIMITED, c.GiveTime(BOB, day(4), 24), day(4), Refused("no_limit", "without a limit")),
    Case("after the end", WON, c.GiveTime(BOB, day(4), 24), day(4), Refused("game_over", "Red won")),
]

TIME_IS_UP = [
    Case("no flag before everything was heard", REMINDED, c.CheckClock(heard=day(5, seconds=-1)), day(6), Refused("not_due", "look again")),
    Case("a reminder was due when it was heard", NIM_2, c.CheckClock(heard=day(4)), day(4.5), (reminded(RED, 3),)),
    Case("time is up", REMINDED, c.CheckClock(), day(5), TIMED_OUT),
    Case("time is up unreminded", NIM_2, c.CheckClock(), day(9), TIMED_OUT),
    Case("nobody has moved", NIM, c.CheckClock(), day(3), (e.TurnTimedOut(seat=RED, turn=1, deadline=day(3)), ended(e.EndedBy.TIME))),
    Case(
        "one side has not moved", NIM_1, c.CheckClock(), day(4), (e.TurnTimedOut(seat=BLUE, turn=2, deadline=day(4)), ended(e.EndedBy.TIME))
    ),
    Case("no clock after the end", WON, c.CheckClock(), day(99), Refused("not_due", "No clock runs")),
    Case("no limit, no reminder and no flag", UNLIMITED, c.CheckClock(), day(9999), Refused("not_due", "at some other time")),
    Case("no flag during a vacation", AWAY, c.CheckClock(), day(6.5), Refused("not_due", "look again at 2025-03-08 12:00:00 UTC")),
    Case("a reminder after it", AWAY, c.CheckClock(), day(7), (reminded(RED, 3),)),
    Case("and the flag", AWAY, c.CheckClock(), day(8), (e.TurnTimedOut(seat=RED, turn=3, deadline=day(8)), ended(e.EndedBy.TIME, BLUE))),
    Case("no flag in a pause without end", PAUSED, c.CheckClock(), day(9999), Refused("not_due", "at some other time")),
    Case(
        "a flag after it",
        RESUMED,
        c.CheckClock(),
        day(15),
        (e.TurnTimedOut(seat=RED, turn=3, deadline=day(15)), ended(e.EndedBy.TIME, BLUE)),
    ),
]

FREEZES = [
    Case("a vacation during the turn", NIM_2, vacation(RED, 3, 6), day(2.5), AWAY[-1:]),
    Case(
        "a vacation that had begun before it",
        NIM_2,
        vacation(RED, 0, 4),
        day(2.5),
        (frozen(e.FreezeKind.VACATION, RED, 0, 4, due(2, 3, by=7, remind=6)),),
    ),
    Case("a vacation after the turn's time", NIM_2, vacation(RED, 5, 9), day(2.5), (frozen(e.FreezeKind.VACATION, RED, 5, 9, clock(2)),)),
    Case(
        "a vacation of the other seat stops no clock of this one",
        NIM_2,
        vacation(BLUE, 3, 6),
        day(2.5),
        (frozen(e.FreezeKind.VACATION, BLUE, 3, 6, clock(2)),),
    ),
    Case(
        "a vacation known before the turn began",
        (*NIM_1, frozen(e.FreezeKind.VACATION, RED, 3, 6, clock(1))),
        c.PlayTurn(BOB, day(2), "1"),
        day(2),
        (replace(played(2, BLUE, "1", RED, at=2), clock=due(2, 3, by=8, remind=7)),),
    ),
    Case("a pause without end", NIM_2, pause(3), day(3), PAUSED[-1:]),
    Case(
        "a pause without end that comes after the reminder",
        NIM_2,
        pause(4.5),
        day(3),
        (frozen(e.FreezeKind.PAUSE, None, 4.5, None, due(2, 3, remind=4)),),
    ),
    Case("a pause without end after the turn's time", NIM_2, pause(5), day(3), (frozen(e.FreezeKind.PAUSE, None, 5, None, clock(2)),)),
    Case("a turn may be played in a pause", PAUSED, c.PlayTurn(BOB, day(9), "1"), day(9), Refused("not_your_turn", "Red is to move")),
    Case(
        "time that an outage took",
        NIM_2,
        outage(2.5, 3.5),
        day(3.5),
        (frozen(e.FreezeKind.OUTAGE, None, 2.5, 3.5, due(2, 3, by=6, remind=5)),),
    ),
    Case(
        "an outage that was over when the turn began but for a day",
        NIM_2,
        outage(1, 3),
        day(3),
        (frozen(e.FreezeKind.OUTAGE, None, 1, 3, due(2, 3, by=6, remind=5)),),
    ),
    Case("an outage before the turn", NIM_2, outage(1, 2), day(3), Refused("not_due", "No clock lost any time")),
    Case("an outage where there is no limit", UNLIMITED, outage(1, 2), day(3), Refused("not_due", "No clock lost any time")),
    Case("an outage within a vacation counts once", AWAY, outage(4, 5), day(5), Refused("not_due", "No clock lost any time")),
    Case("an outage that outlasts a vacation counts once", AWAY, outage(5, 7), day(7), (BOTH[-1],)),
    Case(
        "and so does a vacation that is known after the outage",
        (*NIM_2, frozen(e.FreezeKind.OUTAGE, None, 5, 7, clock(2))),
        vacation(RED, 3, 6),
        day(2.5),
        (frozen(e.FreezeKind.VACATION, RED, 3, 6, due(2, 3, by=9, remind=8), number=2),),
    ),
    Case(
        "what was not delivered before the deadline, found out after it",
        NIM_2,
        c.FreezeClock(e.FreezeKind.UNDELIVERED, RED, day(2), day(5.5), "mail"),
        day(5.5),
        (replace(frozen(e.FreezeKind.UNDELIVERED, RED, 2, 5.5, due(2, 3, by=8.5, remind=7.5)), reason="mail"),),
    ),
    Case(
        "a seat that there is not",
        NIM_2,
        c.FreezeClock(e.FreezeKind.VACATION, Seat(3), day(4), day(9)),
        day(2),
        Refused("bad_freeze", "Nobody plays at that seat"),
    ),
    Case("an end before the beginning", NIM_2, pause(4, 3), day(2), Refused("bad_freeze", "Choose a later end")),
    Case("an end at the beginning", NIM_2, pause(4, 4), day(2), Refused("bad_freeze", "Choose a later end")),
    Case("a pause after the end", WON, pause(4), day(4), Refused("game_over", "Red won")),
    Case("a pause is over", PAUSED, c.ThawClock(1, day(13)), day(13), RESUMED[-1:]),
    Case(
        "a vacation ends early",
        AWAY,
        c.ThawClock(1, day(4), "back already"),
        day(4),
        (replace(thawed(e.FreezeKind.VACATION, RED, 4, due(2, 3, by=6, remind=5)), reason="back already"),),
    ),
    Case("a vacation ends late", AWAY, c.ThawClock(1, day(7)), day(4), (thawed(e.FreezeKind.VACATION, RED, 7, due(2, 3, by=9, remind=8)),)),
    Case("a vacation is not to be at all", AWAY, c.ThawClock(1, day(2.5)), day(2.5), (thawed(e.FreezeKind.VACATION, RED, 3, clock(2)),)),
    Case(
        "which is said once",
        (*AWAY, thawed(e.FreezeKind.VACATION, RED, 3, clock(2))),
        c.ThawClock(1, day(2.5)),
        day(2.5),
        Refused("no_such_freeze", "nothing to end"),
    ),
    Case(
        "the other of two ends", BOTH, c.ThawClock(1, day(4)), day(4), (thawed(e.FreezeKind.VACATION, RED, 4, due(2, 3, by=8, remind=5)),)
    ),
    Case(
        "no reminder comes back by that",
        (*REMINDED, *PAUSED[-1:]),
        c.ThawClock(1, day(13)),
        day(13),
        (thawed(e.FreezeKind.PAUSE, None, 13, due(2, 3, by=15)),),
    ),
    Case("ended already", RESUMED, c.ThawClock(1, day(13)), day(14), Refused("no_such_freeze", "nothing to end")),
    Case("a freeze that never was", PAUSED, c.ThawClock(2, day(13)), day(13), Refused("no_such_freeze", "nothing to end")),
    Case("the end of a pause after the end", WON, c.ThawClock(1, day(4)), day(4), Refused("game_over", "Red won")),
]

CASES = [*REMINDERS, *CREDITS, *GIFTS, *TIME_IS_UP, *FREEZES]


@named(CASES)
def test_timing(case: Case) -> None:
    check(case)
