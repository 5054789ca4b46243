"""Games with chance: what they commit to, what they roll, and that they tell their secret in the end and never before."""

import pytest
from msgspec.structs import replace

from tests.play import by_hand
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CHANCE,
    CLEO,
    COMMITTED,
    ENTROPY,
    GREEN,
    RED,
    REVEALED,
    Case,
    Refused,
    check,
    clock,
    day,
    ended,
    left,
    named,
    opened,
    played,
    running,
)
from tests.play.small_games import find
from tests.terms import THREE_DAYS
from turnserver.audit.game.recheck import recheck
from turnserver.errors import NotAllowed, SecretLost
from turnserver.ids import GameId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.chance import Chance
from turnserver.play.decide import decide
from turnserver.play.evolve import fold

TWO = (ENTROPY[ADA], ENTROPY[BOB])
THREE = (*TWO, ENTROPY[CLEO])
EMPTY = "the heap is empty"


def rolls(*numbers: int, of: tuple[str, ...] = TWO, weights: tuple[int, ...] = (3, 2, 1)) -> tuple[e.Rolled, ...]:
    """These draws, each of a die that shows 1, 2 or 3."""
    return tuple(by_hand.roll(number, of, weights) for number in numbers)


def joined(player: int) -> e.InvitationAccepted:
    return e.InvitationAccepted(player=(ADA, BOB, CLEO)[player], zone="UTC", entropy=ENTROPY[(ADA, BOB, CLEO)[player]])


def accept(player: int, at: float) -> c.Accept:
    who = (ADA, BOB, CLEO)[player]
    return c.Accept(who, day(at), entropy=ENTROPY[who])


FIRST = e.Rolled(number=1, below=6, value=4, outcome="2")
SECOND = e.Rolled(number=2, below=6, value=1, outcome="1")
"""The first two draws as `openssl` and `bc` work them out; see test_chance.py."""

INVITING = (opened("dice", dice_from=1), joined(0))
BEGUN = running("dice", rolls=(FIRST,), dice_from=1)
"""The first die has taken two of six; Red is to take one to three of four, by day 3."""
TWICE = (*BEGUN, played(1, RED, "1", BLUE, at=1, rolls=(SECOND,)))
"""Red has taken one and the second die another one; two are left to Blue, by day 4."""
QUIET = running("dice")
BONES = running("bones", (ADA, BOB, CLEO), heap=9, rolls=rolls(1, of=THREE), dice_from=1)
TAKEN_BACK = (*TWICE, e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(2)))
WON = (*TWICE, played(2, BLUE, "2", None, at=2), ended(e.EndedBy.RULES, BLUE, reason=EMPTY, scores=(3, 3)), REVEALED)

CASES = [
    Case(
        "a game commits to its secret",
        (),
        c.OpenGame("dice", {"dice_from": 1}, (ADA, BOB), e.SeatOrder.GIVEN, THREE_DAYS),
        day(0),
        (opened("dice", dice_from=1),),
    ),
    Case(
        "a challenger adds entropy",
        (),
        c.OpenGame("dice", {"dice_from": 1}, (ADA, BOB), e.SeatOrder.GIVEN, THREE_DAYS, ADA, entropy=ENTROPY[ADA]),
        day(0),
        (replace(opened("dice", dice_from=1), opened_by=ADA), joined(0)),
    ),
    Case(
        "no commitment and no entropy where there is no chance",
        (),
        c.OpenGame("nim", {}, (ADA, BOB), e.SeatOrder.GIVEN, THREE_DAYS, ADA, entropy=ENTROPY[ADA]),
        day(0),
        (replace(opened(), opened_by=ADA), e.InvitationAccepted(player=ADA, zone="UTC")),
    ),
    Case(
        "entropy is not kept where there is no chance", (opened(),), accept(1, 1), day(1), (e.InvitationAccepted(player=BOB, zone="UTC"),)
    ),
    Case("the first to accept rolls nothing", INVITING[:1], accept(1, 0), day(0), (joined(1),)),
    Case(
        "the last to accept begins the game with a roll",
        INVITING,
        accept(1, 0),
        day(0),
        (joined(1), e.GameStarted(to_move=RED, clock=clock(0), rolls=(FIRST,))),
    ),
    Case(
        "entropy counts in seat order, whoever was first",
        (INVITING[0], joined(1)),
        accept(0, 0),
        day(0),
        (joined(0), e.GameStarted(to_move=RED, clock=clock(0), rolls=(FIRST,))),
    ),
    Case(
        "a seat that adds nothing",
        INVITING,
        c.Accept(BOB, day(0)),
        day(0),
        (
            e.InvitationAccepted(player=BOB, zone="UTC"),
            e.GameStarted(to_move=RED, clock=clock(0), rolls=rolls(1, of=(ENTROPY[ADA], ""))),
        ),
    ),
    Case(
        "a game may begin without a roll",
        (opened("dice"), joined(0)),
        accept(1, 0),
        day(0),
        (joined(1), e.GameStarted(to_move=RED, clock=clock(0))),
    ),
    Case(
        "the opening roll ends the game",
        (opened("dice", heap=1, dice_from=1), joined(0)),
        accept(1, 0),
        day(0),
        (
            joined(1),
            e.GameStarted(to_move=None, clock=None, rolls=rolls(1, weights=(3,))),
            ended(e.EndedBy.RULES, RED, reason=EMPTY, scores=(1, 0)),
            REVEALED,
        ),
    ),
    Case("a turn, and the next one's die", BEGUN, c.PlayTurn(ADA, day(1), "1"), day(1), TWICE[-1:]),
    Case(
        "a roll counts what is left",
        TWICE[:-1],
        c.PlayTurn(ADA, day(1), "2"),
        day(1),
        (played(1, RED, "2", BLUE, at=1, rolls=rolls(2, weights=(3, 2))),),
    ),
    Case(
        "dice that come later",
        running("dice", heap=9, dice_from=2, dice=2),
        c.PlayTurn(ADA, day(1), "1"),
        day(1),
        (played(1, RED, "1", BLUE, at=1, rolls=(FIRST, SECOND)),),
    ),
    Case(
        "a roll ends the game",
        (*BEGUN[:-1], replace(BEGUN[-1], rolls=(FIRST,))),
        c.PlayTurn(ADA, day(1), "3"),
        day(1),
        (
            played(1, RED, "3", None, at=1, rolls=rolls(2, weights=(3,))),
            ended(e.EndedBy.RULES, BLUE, reason=EMPTY, scores=(5, 1)),
            REVEALED,
        ),
    ),
    Case("a turn ends the game", TWICE, c.PlayTurn(BOB, day(2), "2"), day(2), WON[-3:]),
    Case(
        "taken back, and the same roll before it",
        TWICE,
        c.Retract(1, "r"),
        day(2),
        TAKEN_BACK[-1:],
    ),
    Case(
        "played again with a draw of its own",
        TAKEN_BACK,
        c.PlayTurn(ADA, day(3), "1"),
        day(3),
        (played(1, RED, "1", BLUE, at=3, rolls=rolls(3)),),
    ),
    Case("an ended game is not reopened", WON, c.Retract(2, "r"), day(5), Refused("secret_revealed", "all further rolls would be known")),
    Case(
        "nor one that ended without a result",
        (*TWICE, ended(e.EndedBy.CANCELLATION), REVEALED),
        c.Retract(1, "r"),
        day(5),
        Refused("not_reopenable", "cannot be reopened"),
    ),
    Case("resigning", QUIET, c.Resign(ADA, day(1)), day(1), (e.SeatResigned(seat=RED), ended(e.EndedBy.RESIGNATION, BLUE), REVEALED)),
    Case(
        "time runs out",
        QUIET,
        c.CheckClock(),
        day(3),
        (e.TurnTimedOut(seat=RED, turn=1, deadline=day(3)), ended(e.EndedBy.TIME), REVEALED),
    ),
    Case("adjudicated", QUIET, c.Adjudicate((RED,), "r"), day(1), (ended(e.EndedBy.ADJUDICATION, RED, reason="r"), REVEALED)),
    Case("cancelled", QUIET, c.Cancel("r"), day(1), (ended(e.EndedBy.CANCELLATION, reason="r"), REVEALED)),
    Case("annulled while running", QUIET, c.Annul("r"), day(1), (ended(e.EndedBy.ANNULMENT, reason="r"), REVEALED)),
    Case("declined", INVITING, c.Decline(BOB, day(1)), day(1), (e.InvitationDeclined(player=BOB), ended(e.EndedBy.REFUSAL), REVEALED)),
    Case(
        "leaving on one's turn: the next one rolls",
        BONES,
        c.Resign(ADA, day(1)),
        day(1),
        (e.SeatResigned(seat=RED), left(RED, BLUE, since=1, rolls=rolls(2, of=THREE))),
    ),
    Case("leaving out of turn: nobody rolls", BONES, c.Resign(BOB, day(1)), day(1), (e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0))),
    Case(
        "the roll of the next one ends the game, by the rules",
        running("bones", (ADA, BOB, CLEO), heap=3, rolls=rolls(1, of=THREE), dice_from=1),
        c.CheckClock(),
        day(3),
        (
            e.TurnTimedOut(seat=RED, turn=1, deadline=day(3)),
            left(RED, None, since=0, rolls=rolls(2, of=THREE, weights=(3,))),
            ended(e.EndedBy.RULES, BLUE, reason=EMPTY, scores=(2, 1, 0)),
            REVEALED,
        ),
    ),
    Case(
        "everybody else has left",
        (*BONES, e.SeatResigned(seat=BLUE), left(BLUE, RED, since=0)),
        c.Resign(CLEO, day(1)),
        day(1),
        (
            e.SeatResigned(seat=GREEN),
            left(GREEN, None, since=0),
            ended(e.EndedBy.RESIGNATION, RED, reason="nobody else is left", scores=(2, 0, 0)),
            REVEALED,
        ),
    ),
]


@named(CASES)
def test_dice(case: Case) -> None:
    check(case)


LOST = pytest.mark.parametrize(
    ("chance", "says"),
    [(None, "not in the database"), (Chance(GameId(17), bytes(32)), "not the one")],
    ids=["none", "another one"],
)


@LOST
@pytest.mark.parametrize(
    "command",
    [
        c.PlayTurn(ADA, day(1), "1"),
        c.Resign(BOB, day(1)),
        c.CheckClock(),
        c.CreditClock(60, "an outage"),
        c.Adjudicate((RED,), "enough"),
        c.Annul("enough"),
        c.Retract(1, "enough"),
    ],
    ids=lambda command: type(command).__name__ if not isinstance(command, str) else command,
)
def test_a_game_does_not_go_on_without_its_secret(command: c.GameCommand, chance: Chance | None, says: str) -> None:
    """Not even where nothing is rolled: the end would have to reveal it."""
    with pytest.raises(SecretLost, match=says):
        decide(fold(QUIET, find=find), command, day(1), find, chance)


@LOST
@pytest.mark.parametrize("before", [QUIET, QUIET[:1], QUIET[:2]], ids=["running", "invited", "half accepted"])
def test_all_that_is_left_to_do_then_is_to_cancel_it(before: tuple[e.GameEvent, ...], chance: Chance | None, says: str) -> None:
    """Cancelling reveals nothing, and an audit finds that nothing was revealed."""
    state = fold(before, find=find)
    events = decide(state, c.Cancel("secret lost"), day(1), find, chance)
    assert events == (e.GameEnded(outcome=e.Outcome.VOID, by=e.EndedBy.CANCELLATION, winners=(), reason="secret lost"),)
    assert [found.problem for found in recheck((*before, *events), GameId(17), find)] == [
        "the game has ended, but its secret is not revealed"
    ]
    with pytest.raises(NotAllowed, match="is over"):
        decide(fold(events, state, find), c.PlayTurn(ADA, day(1), "1"), day(1), find, chance)
    assert says


def test_with_its_secret_a_cancelled_game_reveals_it() -> None:
    *_, last = decide(fold(QUIET, find=find), c.Cancel("enough"), day(1), find, CHANCE)
    assert last == REVEALED


def test_no_game_with_chance_is_opened_without_a_secret() -> None:
    with pytest.raises(ValueError, match="without a secret"):
        decide(None, c.OpenGame("dice", {}, (ADA, BOB), e.SeatOrder.GIVEN, THREE_DAYS), day(0), find)


def test_the_secret_is_in_no_event_before_the_end() -> None:
    state = fold(BEGUN, find=find)
    told = (*BEGUN, *decide(state, c.PlayTurn(ADA, day(1), "1"), day(1), find, CHANCE))
    assert REVEALED.secret not in repr(told)
    assert COMMITTED in repr(told)
