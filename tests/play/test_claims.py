"""Claims that the opponent does not move: making one, taking it back, deciding it, and what an audit knows of it."""

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CHANCE,
    EVE,
    GREEN,
    NIM,
    NIM_2,
    RED,
    TRIO,
    WON,
    Case,
    Refused,
    check,
    clock,
    day,
    ended,
    named,
    played,
    running,
)
from tests.play.small_games import find
from tests.terms import THREE_DAYS
from turnserver.audit.game.recheck import recheck
from turnserver.ids import Burden
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.evolve import fold

UNLIMITED = (*running(terms=replace(THREE_DAYS, time="no limit"))[:-1], e.GameStarted(to_move=RED, clock=e.TurnClock(since=day(0))))
MADE = e.ClaimMade(seat=BLUE, turn=3, claimed_at=day(3))
CLAIMED = (*NIM_2, MADE)
DROPPED = e.ClaimDropped(seat=BLUE)
DISMISSED = e.ClaimDecided(seat=BLUE, granted=False, reason="a storm")
GRANTED = e.ClaimDecided(seat=BLUE, granted=True, reason="gone")
LOST = ended(e.EndedBy.ADJUDICATION, BLUE, reason="gone")
NONE_WAITS = Refused("no_claim", "No claim waits")
SETTLED_AFTER = (*CLAIMED, DISMISSED, played(3, RED, "1", BLUE, at=4, began=2))
SETTLED = (*CLAIMED, played(3, RED, "1", BLUE, at=4, began=2))
TAKEN_OVER = e.SubstituteSeated(seat=RED, player=EVE, zone="UTC", rating=Burden.SEAT, reason="r", clock=clock(4))


def frozen(kind: e.FreezeKind) -> tuple[e.GameEvent, ...]:
    seat = RED if kind is e.FreezeKind.VACATION else None
    return (*NIM_2, e.ClockFrozen(number=1, kind=kind, seat=seat, begins=day(2.5), ends=day(9), clock=clock(2)))


CASES = [
    Case("a claim after a day", NIM_2, c.MakeClaim(BOB, day(3)), day(3), (MADE,)),
    Case(
        "sooner", NIM_2, c.MakeClaim(BOB, day(3, seconds=-1)), day(3), Refused("claim_too_early", "Make a claim after 2025-03-04 12:00:00")
    ),
    Case("in one's own turn", NIM_2, c.MakeClaim(ADA, day(3)), day(3), Refused("own_turn", "nothing to claim")),
    Case("by a stranger", NIM_2, c.MakeClaim(EVE, day(3)), day(3), Refused("not_in_game", "don't play in")),
    Case("at a larger table", TRIO, c.MakeClaim(BOB, day(2)), day(2), Refused("not_of_two", "games of two")),
    Case("when the time is up", NIM_2, c.MakeClaim(BOB, day(5, seconds=1)), day(6), Refused("too_late", "Red ran out")),
    Case("without a limit", UNLIMITED, c.MakeClaim(BOB, day(9)), day(9), (e.ClaimMade(seat=BLUE, turn=1, claimed_at=day(9)),)),
    Case("twice", CLAIMED, c.MakeClaim(BOB, day(4)), day(4), Refused("claim_open", "waits for the organisers already")),
    Case("again in that turn", (*CLAIMED, DISMISSED), c.MakeClaim(BOB, day(4)), day(4), Refused("claimed_already", "only one")),
    Case("on a vacation", frozen(e.FreezeKind.VACATION), c.MakeClaim(BOB, day(4)), day(4), Refused("clock_stands_still", "vacation")),
    Case("in a halt", frozen(e.FreezeKind.HALT), c.MakeClaim(BOB, day(4)), day(4), Refused("clock_stands_still", "a pause")),
    Case("after the end", WON, c.MakeClaim(BOB, day(4)), day(4), Refused("game_over", "Red won")),
    Case("in a later turn", SETTLED, c.MakeClaim(ADA, day(5)), day(5), (e.ClaimMade(seat=RED, turn=4, claimed_at=day(5)),)),
    Case("taken back", CLAIMED, c.DropClaim(BOB, day(4)), day(4), (DROPPED,)),
    Case("taken back by the other", CLAIMED, c.DropClaim(ADA, day(4)), day(4), Refused("no_claim", "No claim of yours")),
    Case("taken back when there is none", NIM_2, c.DropClaim(BOB, day(4)), day(4), Refused("no_claim", "No claim of yours")),
    Case("granted", CLAIMED, c.DecideClaim(granted=True, reason="gone"), day(4), (GRANTED, LOST)),
    Case("dismissed", CLAIMED, c.DecideClaim(granted=False, reason="a storm"), day(4), (DISMISSED,)),
    Case("decided without a reason", CLAIMED, c.DecideClaim(granted=False, reason=" "), day(4), Refused("reason_missing", "Give one")),
    Case("decided when there is none", NIM_2, c.DecideClaim(granted=True, reason="r"), day(4), Refused("no_claim", "game list --claims")),
    Case("decided after a move", SETTLED, c.DecideClaim(granted=True, reason="r"), day(4), NONE_WAITS),
    Case(
        "granted after it was dismissed",
        (*CLAIMED, DISMISSED),
        c.DecideClaim(granted=True, reason="r"),
        day(4),
        Refused("no_claim", "about turn 3 was dismissed already. `turnserver game result` decides"),
    ),
    Case("granted after it was taken back", (*CLAIMED, DROPPED), c.DecideClaim(granted=True, reason="r"), day(4), NONE_WAITS),
    Case("granted a turn after it was dismissed", SETTLED_AFTER, c.DecideClaim(granted=True, reason="r"), day(4), NONE_WAITS),
    Case(
        "decided for a seat that changed hands",
        (*CLAIMED, TAKEN_OVER),
        c.DecideClaim(granted=True, reason="r"),
        day(4),
        Refused("no_claim", "No"),
    ),
]


@named(CASES)
def test_claims(case: Case) -> None:
    check(case)


def test_a_decision_about_nothing_changes_nothing() -> None:
    assert fold((*NIM_2, DISMISSED), find=find).claim is None


TRUE = {
    "taken back": (*CLAIMED, DROPPED, played(3, RED, "1", BLUE, at=4, began=2)),
    "granted": (*CLAIMED, GRANTED, LOST),
    "dismissed": (*CLAIMED, DISMISSED),
    "settled, and another": (*SETTLED, e.ClaimMade(seat=RED, turn=4, claimed_at=day(5)), replace(DISMISSED, seat=RED)),
}


@for_each("history", TRUE.values(), ids=TRUE)
def test_an_audit_passes_true_claims(history: tuple[e.GameEvent, ...]) -> None:
    assert list(recheck(history, CHANCE.game, find)) == []


NO_PLACE, NOTHING_CAME = "has no place here", "a claim is granted, and the game goes on or is lost by it"
FORGED = {
    "within a day": ((*NIM_2, replace(MADE, claimed_at=day(2.9))), NO_PLACE),
    "by whoever has the turn": ((*NIM_2, replace(MADE, seat=RED)), NO_PLACE),
    "by a seat that there is not": ((*NIM_2, replace(MADE, seat=GREEN)), NO_PLACE),
    "about another turn": ((*NIM_2, replace(MADE, turn=2)), NO_PLACE),
    "twice": ((*CLAIMED, MADE), NO_PLACE),
    "again in that turn": ((*CLAIMED, DROPPED, MADE), NO_PLACE),
    "after the end": ((*WON, MADE), NO_PLACE),
    "at a larger table": ((*TRIO, replace(MADE, turn=1)), NO_PLACE),
    "taken back by the other": ((*CLAIMED, replace(DROPPED, seat=RED)), NO_PLACE),
    "taken back, and there was none": ((*NIM, DROPPED), NO_PLACE),
    "decided after a move": ((*SETTLED, DISMISSED), NO_PLACE),
    "decided twice": ((*CLAIMED, DISMISSED, DISMISSED), NO_PLACE),
    "decided without a reason": ((*CLAIMED, replace(DISMISSED, reason="")), NO_PLACE),
    "granted, and it goes on": ((*CLAIMED, GRANTED, played(3, RED, "1", BLUE, at=4, began=2)), NOTHING_CAME),
    "granted, and the other wins": ((*CLAIMED, GRANTED, ended(e.EndedBy.ADJUDICATION, RED, reason="gone")), NOTHING_CAME),
}


@for_each(("history", "says"), FORGED.values(), ids=FORGED)
def test_an_audit_names_forged_claims(history: tuple[e.GameEvent, ...], says: str) -> None:
    found = [one.problem for one in recheck(history, CHANCE.game, find) if one.version == len(history)]
    assert says in "; ".join(found), found
