"""Touching a board of Okago, by hand; what holds everywhere stands in test_touch_laws.py."""

import pytest

from tests.cases import for_each
from tests.games.okago.boards import position, rules_for
from tests.games.touched import drawn, played, refused
from turnserver.games.okago.position import Options, Position
from turnserver.games.okago.rules import OkagoRules
from turnserver.games.okago.view import OkagoView

RULES = OkagoRules(Options())
VIEW = OkagoView(Options())
FIRST = RULES.apply(RULES.start(), RULES.parse(RULES.start(), "c3"))
JUMPS = position("...../...BB/..Rr./.b.../r....")
EMPTY_HANDED = position("...../.B.../..R../...../R....", left=(0, 6))
NO_GO = position("....R/...B./..X../...../R....")
ALL_BUT_C3 = " ".join(f"{file}{rank}" for rank in range(1, 6) for file in "abcde" if (file, rank) != ("c", 3))
CASES = {
    "a placement": (RULES.start(), "c3", "c3", ""),
    "Blue's first piece is face-up or face-down": (FIRST, "a1", "a1; a1 down", ""),
    "not on the other": (FIRST, "", "", ALL_BUT_C3),
    "a piece that can jump": (JUMPS, "c3", "", "e5"),
    "a jump": (JUMPS, "c3 e5", "c3xe5", ""),
    "hands empty, pieces that jump": (EMPTY_HANDED, "", "", "c3"),
    "and where they land": (EMPTY_HANDED, "c3", "", "a5"),
    "a jump onto the No-Go": (NO_GO, "e5", "", "c3"),
}


@for_each(("state", "touched", "steps", "follow"), CASES.values(), ids=CASES)
def test_touches_play_and_are_followed(state: Position, touched: str, steps: str, follow: str) -> None:
    assert played(RULES, VIEW, state, touched) == (steps, follow)


REFUSED = {
    "a piece of the other": (JUMPS, "d4", "Your opponent's piece is on d4 already."),
    "a piece that lies face-down": (JUMPS, "d3", "The piece on d3 is face-down, so it can't jump."),
    "a piece beside none of the other's": (position("...../...../R..../...../....."), "a3", "Your own piece is on a3 already."),
    "a piece beside one face-down": (position("...../...../.b.../R..../....."), "a2", "The piece on b3 is face-down, so you can't"),
    "the No-Go": (NO_GO, "c3", "The No-Go is on c3 until your next turn"),
    "nothing left in hand": (EMPTY_HANDED, "a1", "You have no pieces left in hand, so you have to jump."),
    "not over a piece": (JUMPS, "c3 c5", "There is no piece on c4 to jump over."),
    "onto the piece between": (JUMPS, "c3 d4", "The move c3xd4 isn't a jump: a jump lands two squares away in a straight line."),
    "no place": (JUMPS, "k9", "This board has no k9"),
    "more than a step": (JUMPS, "c3 e5 a1", '"c3xe5xa1" isn\'t a move in Okago.'),
    "nothing": (JUMPS, "", '"" isn\'t a move in Okago.'),
}


@for_each(("state", "touched", "reason"), REFUSED.values(), ids=REFUSED)
def test_touches_are_refused_as_steps_are(state: Position, touched: str, reason: str) -> None:
    assert refused(RULES, VIEW, state, touched).startswith(reason)


@for_each(
    ("state", "name", "words"),
    [
        (JUMPS, "c3", "c3, Red, face-up"),
        (JUMPS, "d3", "d3, Red, face-down"),
        (JUMPS, "e4", "e4, Blue, face-up"),
        (JUMPS, "b2", "b2, Blue, face-down"),
        (JUMPS, "e5", "e5, empty"),
        (NO_GO, "c3", "c3, the No-Go"),
    ],
)
def test_squares_are_said_in_words(state: Position, name: str, words: str) -> None:
    assert VIEW.places(state)[name].words == words


@for_each("size", range(5, 9))
def test_every_square_is_there_before_and_after_a_piece(size: int) -> None:
    rules = OkagoRules(Options(size=size))
    view = OkagoView(rules.options)
    state = position("/".join([*["." * size] * (size - 2), f".B{'.' * (size - 2)}", f"R{'.' * (size - 1)}"]))
    names = rules_for("/".join(["." * size] * size)).ground.board.names
    assert [*view.places(state)] == [*names]
    assert [*view.places(state, ("a1",))] == [*names[1:]]
    assert [*view.places(state, ("e5",)), *view.places(state, ("a1", "c3")), *view.places(state, ("k9",))] == []


def test_places_lie_where_the_picture_shows_the_squares() -> None:
    _, middle = next(drawn(VIEW.svg(RULES.start(), None, [RULES.parse(RULES.start(), "b4")]), "circle"))
    assert VIEW.places(RULES.start())["b4"].centre == pytest.approx(middle)
