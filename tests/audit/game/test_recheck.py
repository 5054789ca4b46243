"""A recorded game is played again: what really happened passes, and whatever the rules do not bear out is named with its version."""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CHANCE,
    CLEO,
    COMMITTED,
    DAN,
    ENTROPY,
    GREEN,
    INVITING,
    NIM,
    NIM_1,
    NIM_2,
    RED,
    REVEALED,
    TRIO,
    WON,
    clock,
    day,
    due,
    ended,
    left,
    opened,
    played,
    running,
)
from tests.play.small_games import find
from tests.play.test_dice import THREE, TWICE, rolls
from tests.play.test_dice import WON as DICE_WON
from tests.play.test_leaving import GREEN_TIMED_OUT, RED_RESIGNED, RED_TIMED_OUT, WITHOUT_BLUE
from turnserver.audit.game.recheck import About, Objection, recheck
from turnserver.play import events as e

LAST = played(3, RED, "3", None, at=3)
RETRACTED = e.TurnsRetracted(first=2, reason="a slip", to_move=BLUE, clock=clock(4))
TEAM_WIN = (*running("pairs", (ADA, BOB, CLEO, DAN), heap=1), played(1, RED, "1", None, at=1))
DRAWN = (*running(heap=1, ending="nobody wins"), played(1, RED, "1", None, at=1))
OTHERWISE = (played(2, BLUE, "3", RED, at=5), played(3, RED, "1", None, at=6), ended(e.EndedBy.RULES, RED))

DECIDED = (*WITHOUT_BLUE, e.SeatResigned(seat=RED), left(RED, None, since=0))
LATE = (*RED_TIMED_OUT, e.TurnTimedOut(seat=BLUE, turn=1, deadline=day(6)), left(BLUE, None, since=0))
GREEN_WINS = ended(e.EndedBy.RESIGNATION, GREEN, reason="nobody else is left")
ROLLED_OUT = (
    *running("bones", (ADA, BOB, CLEO), heap=3, rolls=rolls(1, of=THREE), dice_from=1),
    e.SeatResigned(seat=RED),
    left(RED, None, since=0, rolls=rolls(2, of=THREE, weights=(3,))),
)
"""Red left, and the die of the next one took the last counter."""
AGAIN = (*TWICE, e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(2)))

RESIGNED = (*NIM_1, e.SeatResigned(seat=BLUE), ended(e.EndedBy.RESIGNATION, RED))
END_RETRACTED = e.EndRetracted(to_move=BLUE, clock=clock(4), reason="by mistake")

TRUE: dict[str, tuple[e.GameEvent, ...]] = {
    "nothing at all": (),
    "invited": INVITING,
    "under way": NIM_2,
    "won by the rules": WON,
    "won by a team": (*TEAM_WIN, ended(e.EndedBy.RULES, RED, GREEN)),
    "drawn by the rules": (*DRAWN, ended(e.EndedBy.RULES, drawn=True)),
    "resigned": RESIGNED,
    "timed out": (*NIM_1, e.TurnTimedOut(seat=BLUE, turn=2, deadline=day(4)), ended(e.EndedBy.TIME)),
    "won, reopened and played otherwise": (*WON, RETRACTED, *OTHERWISE),
    "won and annulled": (*WON, e.ResultAnnulled(reason="two accounts of one player")),
    "resigned, taken back and played on": (*RESIGNED, END_RETRACTED, played(2, BLUE, "1", RED, at=5), played(3, RED, "1", BLUE, at=6)),
    "left by all but one, taken back and left again": (
        *(*DECIDED, GREEN_WINS, replace(END_RETRACTED, to_move=GREEN)),
        *(e.SeatResigned(seat=RED), left(RED, None, since=0), GREEN_WINS),
    ),
    "a table that somebody left": WITHOUT_BLUE,
    "left by all but one": (*DECIDED, GREEN_WINS),
    "left by one who never moved": GREEN_TIMED_OUT,
    "two out of time before the third had moved": (*LATE, ended(e.EndedBy.TIME)),
    "won on time by the last one": (
        *GREEN_TIMED_OUT,
        e.TurnTimedOut(seat=RED, turn=3, deadline=day(6)),
        left(RED, None, since=0),
        ended(e.EndedBy.TIME, BLUE),
    ),
    "dice, under way": TWICE,
    "dice, to the end": DICE_WON,
    "dice, taken back and played again": (*AGAIN, played(1, RED, "1", BLUE, at=3, rolls=rolls(3))),
    "ended by a roll after a leaving": (*ROLLED_OUT, ended(e.EndedBy.RULES, BLUE, scores=(2, 1, 0)), REVEALED),
    "a challenge with chance that was declined": (
        opened("dice"),
        e.InvitationDeclined(player=BOB),
        ended(e.EndedBy.REFUSAL),
        REVEALED,
    ),
    "several steps in a turn": (*running(steps=2), played(1, RED, "1; 2", BLUE, at=1)),
}


@for_each("events", TRUE.values(), ids=TRUE)
def test_what_happened_passes(events: tuple[e.GameEvent, ...]) -> None:
    assert list(recheck(events, CHANCE.game, find)) == []


class Forged(NamedTuple):
    events: tuple[e.GameEvent, ...]
    version: int
    says: str


FALSE = {
    "an end taken back for the wrong seat": Forged((*RESIGNED, replace(END_RETRACTED, to_move=RED)), 8, "by the rules seat 2"),
    "an end taken back with more time": Forged((*RESIGNED, replace(END_RETRACTED, clock=due(4, 9, by=13))), 8, "by its bank 3 days"),
    "more than there is": Forged((*NIM_2, played(3, RED, "9", None, at=3)), 7, "the turn is not legal: You cannot take 9"),
    "no notation": Forged((*NIM, played(1, RED, "plenty", BLUE, at=1)), 5, "the turn is not legal: A move is a number"),
    "too few steps": Forged((*running(steps=2), played(1, RED, "1", BLUE, at=1)), 5, 'The turn isn\'t over with "1".'),
    "another way to write it": Forged((*NIM, played(1, RED, "take 2", BLUE, at=1)), 5, "take 2 is written 2"),
    "somebody else's turn": Forged((*NIM, played(1, BLUE, "2", BLUE, at=1)), 5, "turn 1 by seat 2, but turn 1 by seat 1 was due"),
    "a turn skipped": Forged((*NIM, played(2, RED, "2", BLUE, at=1)), 5, "turn 2 by seat 1, but turn 1"),
    "the same player again": Forged((*NIM, played(1, RED, "2", RED, at=1)), 5, "seat 1 is to move next, by the rules seat 2"),
    "the wrong player begins": Forged((*NIM[:-1], e.GameStarted(to_move=BLUE, clock=clock(0))), 4, "by the rules seat 1"),
    "the wrong player after a retraction": Forged((*NIM_2, replace(RETRACTED, to_move=RED)), 7, "seat 1 is to move next"),
    "late": Forged((*NIM, played(1, RED, "2", BLUE, at=3.5)), 5, "it arrived after its deadline"),
    "nobody to move though the game goes on": Forged((*NIM, played(1, RED, "2", None, at=1)), 5, "nobody is to move next"),
    "somebody to move though it is over": Forged((*NIM_2, replace(LAST, to_move=BLUE)), 7, "seat 2 is to move next, by the rules nobody"),
    "no result": Forged((*NIM_2, LAST), 7, "no result follows"),
    "resigned when it was over": Forged((*NIM_2, LAST, e.SeatResigned(seat=BLUE)), 8, "their result does not come first"),
    "ended too early": Forged((*NIM_2, ended(e.EndedBy.RULES, RED)), 7, "the rules have it go on"),
    "the loser's win": Forged((*NIM_2, LAST, ended(e.EndedBy.RULES, BLUE)), 8, "won by seat 2, by the rules it is won by seat 1"),
    "a draw that was a win": Forged((*NIM_2, LAST, ended(e.EndedBy.RULES, drawn=True)), 8, "is drawn, by the rules it is won by seat 1"),
    "half of a team": Forged((*TEAM_WIN, ended(e.EndedBy.RULES, RED)), 8, "by the rules it is won by seats 1 and 3"),
    "a turn after the end": Forged((*WON, played(4, BLUE, "1", RED, at=4)), 9, "turn 4 by nobody was due"),
    "no such game": Forged((opened("chess"),), 1, "it cannot be played: There is no game called chess"),
    "somebody has left without a word": Forged((*TRIO, left(RED, BLUE, since=1)), 6, "neither resigned nor run out of time"),
    "somebody else has left": Forged((*TRIO, e.SeatResigned(seat=BLUE), left(RED, BLUE, since=1)), 7, "neither resigned nor run out"),
    "left twice": Forged((*RED_RESIGNED, e.SeatResigned(seat=RED), left(RED, BLUE, since=1)), 9, "seat 1 has no table"),
    "left a table of two": Forged((*NIM, left(RED, BLUE, since=1)), 5, "no table of more than two"),
    "left before the start": Forged((*TRIO[:-1], left(RED, BLUE, since=1)), 5, "no table of more than two"),
    "resigned and stayed": Forged((*TRIO, e.SeatResigned(seat=RED)), 6, "has not left"),
    "resigned and played": Forged((*TRIO, e.SeatResigned(seat=RED), played(1, RED, "1", BLUE, at=1)), 7, "has not left"),
    "left, and time was given": Forged((*TRIO, e.SeatResigned(seat=BLUE), left(BLUE, RED, since=1)), 7, "the time of the pending turn"),
    "left, and the wrong one goes on": Forged((*TRIO, e.SeatResigned(seat=RED), left(RED, GREEN, since=1)), 7, "by the rules seat 2"),
    "the table was left by all but one, and no result": Forged(DECIDED, 10, "no result follows"),
    "the table was left, and the loser wins": Forged(
        (*DECIDED, replace(GREEN_WINS, winners=(RED,))), 11, "by the rules it is won by seat 3"
    ),
    "the table was left on time, it says": Forged((*DECIDED, replace(GREEN_WINS, by=e.EndedBy.TIME)), 11, "does not come first"),
    "left without a word, and a result on time": Forged(
        (*WITHOUT_BLUE, left(RED, None, since=0), ended(e.EndedBy.TIME, GREEN)), 10, "their result does not come first"
    ),
    "the table was left too early for a result": Forged((*RED_RESIGNED, ended(e.EndedBy.RESIGNATION, BLUE, GREEN)), 8, "have it go on"),
    "won though it never got under way": Forged((*LATE, ended(e.EndedBy.TIME, GREEN)), 10, "by the rules it is void"),
    "other scores": Forged(
        (*DICE_WON[:-2], ended(e.EndedBy.RULES, BLUE, scores=(3, 4)), REVEALED), 7, "the scores are 3, 4, by the rules 3, 3"
    ),
    "no scores": Forged((*DICE_WON[:-2], ended(e.EndedBy.RULES, BLUE), REVEALED), 7, "the scores are none, by the rules 3, 3"),
    "opened twice": Forged((*NIM, NIM[0]), 5, "it cannot be played: a game's history holds a second"),
}


@for_each("forged", FALSE.values(), ids=FALSE)
def test_what_did_not_happen_is_named(forged: Forged) -> None:
    found = list(recheck(forged.events, CHANCE.game, find))
    assert forged.says in "; ".join(objection.problem for objection in found if objection.version == forged.version), found


def test_a_wrong_turn_ends_the_check() -> None:
    """After an illegal turn there is no board to judge the rest on."""
    assert [objection.version for objection in recheck((*NIM, played(1, RED, "9", BLUE, at=1), *NIM_2[5:]), CHANCE.game, find)] == [5]


def events(event: int, **changes: Any) -> Callable[[tuple[e.GameEvent, ...]], tuple[e.GameEvent, ...]]:
    """The history with fields of one event changed, which is counted from the end if it is negative."""

    def change(history: tuple[e.GameEvent, ...]) -> tuple[e.GameEvent, ...]:
        changed = list(history)
        changed[event] = replace(changed[event], **changes)
        return tuple(changed)

    return change


OPENED, RED_JOINED, BLUE_JOINED, STARTED, TURN, LAST_TURN, END, SECRET = range(8)
"""The indices of the events of the game below."""
DICE = (
    *running("dice", rolls=rolls(1, 2), heap=9, dice_from=1, dice=2),
    played(1, RED, "1", BLUE, at=1, rolls=rolls(3, 4)),
    played(2, BLUE, "3", None, at=2),
    ended(e.EndedBy.RULES, BLUE, scores=(4, 5)),
    REVEALED,
)
"""Two dice a turn: the draws 1 to 4 show 2, 1, 1 and 1, so Red takes four and Blue the rest."""
_1, _2, _3, _4 = rolls(1, 2, 3, 4)


class Tampered(NamedTuple):
    """`version` is where it is found, `says` what is said of it. `kept`: also without the reveal, if the secret that is kept is at hand."""

    change: Callable[[tuple[e.GameEvent, ...]], tuple[e.GameEvent, ...]]
    version: int
    says: str
    kept: bool = True


def value(roll: e.Rolled, value: int) -> e.Rolled:
    return replace(roll, value=value)


TAMPERED = {
    "a value of the opening": Tampered(events(STARTED, rolls=(value(_1, 3), _2)), 4, "draw 1 gave 3, by the secret 4"),
    "a value": Tampered(events(TURN, rolls=(value(_3, 0), _4)), 5, "draw 3 gave 0, by the secret 2"),
    "a value and what it means": Tampered(
        events(STARTED, rolls=(replace(_1, value=0, outcome="1"), _2)), 4, "draw 1 gave 0, by the secret 4"
    ),
    "a value beyond the die": Tampered(events(TURN, rolls=(value(_3, 6), _4)), 5, "draw 3 gave 6, which is not one of 6"),
    "a value below 0": Tampered(events(TURN, rolls=(value(_3, -1), _4)), 5, "draw 3 gave -1, which is not one of 6"),
    "an outcome": Tampered(events(STARTED, rolls=(replace(_1, outcome="3"), _2)), 4, "draw 1 gave 4, which means 2 and not 3"),
    "an outcome that the die does not have": Tampered(events(TURN, rolls=(replace(_3, outcome="4"), _4)), 5, "is not legal"),
    "an outcome written otherwise": Tampered(events(STARTED, rolls=(replace(_1, outcome="take 2"), _2)), 4, "means 2 and not take 2"),
    "the number of faces": Tampered(events(TURN, rolls=(replace(_3, below=3), _4)), 5, "draw 3 is one of 3, by the rules one of 6"),
    "the order of two rolls": Tampered(events(STARTED, rolls=(_2, _1)), 4, "draw 2 stands where draw 1 is due"),
    "the order of two rolls, numbered anew": Tampered(
        events(STARTED, rolls=(replace(_2, number=1), replace(_1, number=2))), 4, "draw 1 gave 1, by the secret 4"
    ),
    "a roll left out": Tampered(events(TURN, rolls=(_3,)), 5, "draw 4 was left out"),
    "all rolls left out": Tampered(events(STARTED, rolls=()), 4, "draw 1 was left out"),
    "a roll doubled": Tampered(events(TURN, rolls=(_3, _3)), 5, "draw 3 stands where draw 4 is due"),
    "a roll too many": Tampered(events(TURN, rolls=(_3, _4, replace(_4, number=5))), 5, "draw 5 has nothing to decide"),
    "a draw skipped": Tampered(events(TURN, rolls=(_3, replace(_4, number=5))), 5, "draw 5 stands where draw 4 is due"),
    "a draw used again": Tampered(events(TURN, rolls=(replace(_1, number=3), _4)), 5, "draw 3 gave 4, by the secret 2"),
    "one's entropy": Tampered(events(BLUE_JOINED, entropy=ENTROPY[CLEO]), 4, "by the secret"),
    "one's entropy dropped": Tampered(events(BLUE_JOINED, entropy=None), 4, "by the secret"),
    "the entropies exchanged": Tampered(
        lambda history: events(RED_JOINED, entropy=ENTROPY[BOB])(events(BLUE_JOINED, entropy=ENTROPY[ADA])(history)), 4, "by the secret"
    ),
    "the commitment": Tampered(events(OPENED, commitment=ENTROPY[ADA]), 1, "is not the one that it has committed to"),
    "the commitment dropped": Tampered(events(OPENED, commitment=None), 1, "a game with chance commits to a secret"),
    "the commitment, as the reveal shows": Tampered(
        events(OPENED, commitment=ENTROPY[ADA]), 8, "not the one that the game has committed", kept=False
    ),
    "the secret": Tampered(events(SECRET, secret="ff" * 32), 8, "not the one that the game has committed to", kept=False),
    "the secret withheld": Tampered(lambda history: history[:SECRET], 7, "its secret is not revealed", kept=False),
    "the secret withheld, and then more": Tampered(
        lambda history: (*history[:SECRET], e.ResultAnnulled(reason="r")), 8, "its secret is not revealed", kept=False
    ),
    "the secret told twice": Tampered(lambda history: (*history, REVEALED), 9, "where there is none to reveal", kept=False),
    "the secret told too early": Tampered(lambda history: (*history[:TURN], REVEALED), 5, "where there is none to reveal", kept=False),
    "taken back after that": Tampered(
        lambda history: (*history, e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(6))),
        9,
        "taken back after the secret was told",
        kept=False,
    ),
    "going on after that": Tampered(lambda history: (*history, END_RETRACTED), 9, "goes on after the secret was told", kept=False),
}


def objections(history: tuple[e.GameEvent, ...], version: int, kept: bytes | None) -> str:
    return "; ".join(each.problem for each in recheck(history, CHANCE.game, find, kept) if each.version == version)


@for_each("tampered", TAMPERED.values(), ids=TAMPERED)
def test_whatever_is_changed_about_chance_is_found(tampered: Tampered) -> None:
    """By anybody once the secret is told, and while the game runs by whoever keeps the secret."""
    assert list(recheck(DICE, CHANCE.game, find)) == []
    changed = tampered.change(DICE)
    assert tampered.says in objections(changed, tampered.version, CHANCE.secret)
    if tampered.kept:
        assert tampered.says in objections(changed[: LAST_TURN - len(DICE)], tampered.version, CHANCE.secret)


@for_each("tampered", TAMPERED.values(), ids=TAMPERED)
def test_whatever_is_changed_about_chance_is_found_in_an_export(tampered: Tampered) -> None:
    """From the events alone, wherever the tampering leaves a secret that can be checked."""
    assert list(recheck(tampered.change(DICE), CHANCE.game, find))


def test_a_running_game_without_its_secret_is_checked_as_far_as_it_can_be() -> None:
    changed = events(TURN, rolls=(value(_3, 0), _4))(DICE)[:LAST_TURN]
    assert list(recheck(changed, CHANCE.game, find)) == []
    wrong = list(recheck(changed, CHANCE.game, find, bytes(32)))
    assert wrong == [Objection(wrong[0].version, "the secret that is kept for it is not the one that it has committed to", About.CHANCE)]


def test_another_number_of_the_game_makes_other_rolls() -> None:
    assert list(recheck(DICE, type(CHANCE.game)(18), find)) != []


def test_where_there_is_no_chance_nothing_is_rolled() -> None:
    history = (*NIM[:-1], e.GameStarted(to_move=RED, clock=clock(0), rolls=rolls(1)))
    assert [each.problem for each in recheck(history, CHANCE.game, find)] == ["it cannot be played: draw 1 has nothing to decide"]
    committed = (replace(opened(), commitment=COMMITTED), *NIM[1:])
    assert [each.version for each in recheck(committed, CHANCE.game, find)] == [1]
