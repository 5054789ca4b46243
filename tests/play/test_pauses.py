"""Pauses by agreement, and proposals as such."""

from datetime import timedelta

from msgspec.structs import replace

from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CLEO,
    EVE,
    GREEN,
    INVITING,
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
    left,
    named,
    played,
    running,
)
from tests.terms import THREE_DAYS
from turnserver.play import commands as c
from turnserver.play import events as e

PAUSE = e.ProposalKind.PAUSE
PROPOSED = (*NIM_2, e.ProposalMade(seat=RED, kind=PAUSE, days=10))
"""Red, who has three days from day 2 on, proposes a pause."""
STOPPED = e.ClockFrozen(number=1, kind=e.FreezeKind.PAUSE, seat=None, begins=day(3), ends=day(13), clock=due(2, 3, by=15, remind=14))
PAUSING = (*PROPOSED, e.ProposalAgreed(seat=BLUE), STOPPED)
HALTED = (*NIM_2, replace(STOPPED, kind=e.FreezeKind.HALT, ends=None, clock=due(2, 3)))
ENDED = e.ClockThawed(number=1, kind=e.FreezeKind.PAUSE, seat=None, ends=day(4), clock=due(2, 3, by=6, remind=5))
GOING_ON = replace(ENDED, ends=day(5), clock=due(2, 3, by=7, remind=6), by=BLUE)
"""Blue wants to go on, on day 4."""
TRIO_PROPOSED = (*TRIO, e.ProposalMade(seat=BLUE, kind=PAUSE, days=10))
TRIO_PAUSING = (
    *TRIO_PROPOSED,
    e.ProposalAgreed(seat=RED),
    e.ProposalAgreed(seat=GREEN),
    replace(STOPPED, begins=day(1), ends=day(11), clock=due(0, 3, by=13, remind=12)),
)
SHORT = running(terms=replace(THREE_DAYS, pause_days=5))
NONE = running(terms=replace(THREE_DAYS, pause_days=0))

CASES = [
    Case("a pause", NIM_2, c.Propose(BOB, day(3), PAUSE, 60), day(3), (e.ProposalMade(seat=BLUE, kind=PAUSE, days=60),)),
    Case("the usual pause", NIM_2, c.Propose(BOB, day(3), PAUSE), day(3), (e.ProposalMade(seat=BLUE, kind=PAUSE, days=14),)),
    Case("the longest where that is less", SHORT, c.Propose(BOB, day(1), PAUSE), day(1), (e.ProposalMade(seat=BLUE, kind=PAUSE, days=5),)),
    Case(
        "too long",
        SHORT,
        c.Propose(ADA, day(1), PAUSE, 6),
        day(1),
        Refused("bad_pause", "A pause in this game lasts 1 to 5 days."),
    ),
    Case("too short", NIM_2, c.Propose(ADA, day(3), PAUSE, 0), day(3), Refused("bad_pause", "1 to 60 days")),
    Case("where there are none", NONE, c.Propose(ADA, day(1), PAUSE, 1), day(1), Refused("no_pauses", "no pauses in")),
    Case("in a pause", PAUSING, c.Propose(ADA, day(4), PAUSE, 1), day(4), Refused("already_paused", "already")),
    Case("while an admin has stopped it", HALTED, c.Propose(ADA, day(4), PAUSE, 1), day(4), Refused("already_paused", "already")),
    Case("after a pause", PAUSING, c.Propose(ADA, day(13), PAUSE, 1), day(13), (e.ProposalMade(seat=RED, kind=PAUSE, days=1),)),
    Case("one's own is open", PROPOSED, c.Propose(ADA, day(3), PAUSE), day(3), Refused("already_proposed", "Wait for the answer")),
    Case("another's is open", PROPOSED, c.Propose(BOB, day(3), PAUSE), day(3), Refused("proposal_open", '"accept"')),
    Case("a draw beside a pause", PROPOSED, c.OfferDraw(BOB, day(3)), day(3), Refused("proposal_open", "Red")),
    Case("too late", NIM_2, c.Propose(ADA, day(5, seconds=1), PAUSE), day(6), Refused("too_late", "ran out")),
    Case("after the end", WON, c.Propose(ADA, day(4), PAUSE), day(4), Refused("game_over", "Red won")),
    Case("before the start", INVITING, c.Propose(ADA, day(0), PAUSE), day(0), Refused("not_started", "hasn't started")),
    Case("a stranger's", NIM_2, c.Propose(EVE, day(3), PAUSE), day(3), Refused("not_in_game", '"games"')),
    Case("yes", PROPOSED, c.Accept(BOB, day(3)), day(3), PAUSING[-2:]),
    Case(
        "yes, read after the time was up",
        PROPOSED,
        c.Accept(BOB, day(4.5)),
        day(7),
        (PAUSING[-2], replace(STOPPED, begins=day(4.5), ends=day(14.5), clock=due(2, 3, by=15, remind=4))),
    ),
    Case(
        "yes, at the very end",
        PROPOSED,
        c.Accept(BOB, day(5)),
        day(6),
        (
            PAUSING[-2],
            replace(
                STOPPED,
                begins=day(5) - timedelta.resolution,
                ends=day(15) - timedelta.resolution,
                clock=due(2, 3, by=15, remind=4),
            ),
        ),
    ),
    Case("yes to an earlier mail", PROPOSED, c.Accept(BOB, day(3), 2, 0), day(3), Refused("answer_to_earlier_mail", "newest mail")),
    Case("no", PROPOSED, c.Decline(BOB, day(3)), day(3), (e.ProposalDeclined(seat=BLUE),)),
    Case("yes to one's own", PROPOSED, c.Accept(ADA, day(3)), day(3), Refused("nothing_to_accept", "or play on")),
    Case(
        "yes after a turn",
        (*PROPOSED, played(3, RED, "1", BLUE, at=3)),
        c.Accept(BOB, day(3)),
        day(3),
        Refused("nothing_to_accept", "Play on"),
    ),
    Case("the first of two", TRIO_PROPOSED, c.Accept(ADA, day(1)), day(1), (e.ProposalAgreed(seat=RED),)),
    Case("twice", (*TRIO_PROPOSED, e.ProposalAgreed(seat=RED)), c.Accept(ADA, day(1)), day(1), Refused("already_accepted", "Wait")),
    Case(
        "the second of two",
        (*TRIO_PROPOSED, e.ProposalAgreed(seat=RED)),
        c.Accept(CLEO, day(1)),
        day(1),
        (e.ProposalAgreed(seat=GREEN), replace(STOPPED, begins=day(1), ends=day(11), clock=due(0, 3, by=13, remind=12))),
    ),
    Case(
        "going on, which takes notice",
        PAUSING,
        c.Resume(BOB, day(4)),
        day(4),
        (GOING_ON,),
    ),
    Case(
        "going on by oneself, again", (*PAUSING, GOING_ON), c.Resume(BOB, day(4)), day(4.5), Refused("already_resuming", "everybody else")
    ),
    Case(
        "going on, as everybody wants to",
        (*PAUSING, GOING_ON),
        c.Resume(ADA, day(4)),
        day(4.5),
        (replace(GOING_ON, by=RED, ends=day(4.5), clock=due(2, 3, by=6.5, remind=5.5)),),
    ),
    Case(
        "going on shortly before the end",
        PAUSING,
        c.Resume(ADA, day(12.5)),
        day(12.5),
        (replace(GOING_ON, by=RED, ends=day(13), clock=STOPPED.clock),),
    ),
    Case(
        "the second of three goes on, which changes nothing",
        (*TRIO_PAUSING, replace(GOING_ON, by=RED, clock=due(0, 3, by=7, remind=6))),
        c.Resume(CLEO, day(4.5)),
        day(4.5),
        (replace(GOING_ON, by=GREEN, clock=due(0, 3, by=7, remind=6)),),
    ),
    Case(
        "all of a table of three go on that two are left of",
        (
            *TRIO_PAUSING,
            replace(GOING_ON, by=RED, clock=due(0, 3, by=7, remind=6)),
            e.SeatResigned(seat=BLUE),
            left(BLUE, RED, since=0),
        ),
        c.Resume(CLEO, day(4.5)),
        day(4.5),
        (replace(GOING_ON, by=GREEN, ends=day(4.5), clock=due(0, 3, by=6.5, remind=5.5)),),
    ),
    Case(
        "going on twice",
        (*PAUSING, e.ClockThawed(number=1, kind=e.FreezeKind.PAUSE, seat=None, ends=day(4), clock=clock(3))),
        c.Resume(ADA, day(4)),
        day(5),
        Refused("not_paused", "This game isn't paused."),
    ),
    Case("going on after the pause", PAUSING, c.Resume(ADA, day(13)), day(13), Refused("not_paused", "Play on")),
    Case("going on against the admin", HALTED, c.Resume(ADA, day(4)), day(4), Refused("halted", "only they can")),
    Case("going on after the end", WON, c.Resume(ADA, day(4)), day(4), Refused("game_over", "Red won")),
    Case("a stranger goes on", PAUSING, c.Resume(EVE, day(4)), day(4), Refused("not_in_game", '"games"')),
    Case(
        "stopped by the organisers twice",
        HALTED,
        c.FreezeClock(e.FreezeKind.HALT, None, day(4), None, "r"),
        day(4),
        Refused("already_paused", "already"),
    ),
    Case("an admin ends a pause", PAUSING, c.Release("r"), day(4), (replace(ENDED, reason="r"),)),
    Case("an admin ends a halt", HALTED, c.Release(), day(4), (replace(ENDED, kind=e.FreezeKind.HALT),)),
    Case(
        "an admin ends both",
        (*PAUSING, replace(HALTED[-1], number=2, begins=day(4))),
        c.Release(),
        day(5),
        (
            replace(ENDED, ends=day(5), clock=due(2, 3)),
            replace(ENDED, number=2, kind=e.FreezeKind.HALT, ends=day(5), clock=due(2, 3, by=7, remind=6)),
        ),
    ),
    Case("an admin ends nothing", NIM_2, c.Release(), day(4), Refused("not_paused", "nothing to resume")),
    Case("an admin ends the pause of a game that is over", WON, c.Release(), day(4), Refused("game_over", "Red won")),
]


@named(CASES)
def test_pauses(case: Case) -> None:
    check(case)
