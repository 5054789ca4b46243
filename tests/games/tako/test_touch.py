"""Touching TAKO, by hand; what holds everywhere stands in test_touch_laws.py."""

import pytest

from tests.cases import for_each
from tests.games.tako.piles import position, rules_for
from tests.games.touched import drawn, played, refused
from turnserver.games.tako.position import Position
from turnserver.games.tako.view import TakoView
from turnserver.rules.place import Place

RULES, COINS = rules_for(), rules_for(betting=True, variant="adept")
VIEW, COIN_VIEW = TakoView(RULES), TakoView(COINS)
HIGH = position(5, 3, "HI 4", white="pass add")
LOW = position(5, 3, "LO 4", white="pass")
LAST = position(2, 0, "HI 1", white="add")
NO_PAIR = position(4, 4, "HI 1", white="pass")
FEW = position(3, 2, "LO 5", white="add")

CASES = {
    "piles and options": (HIGH, "", "", "a b pass add"),
    "a number, the other pile or one more": (HIGH, "a", "", "1 2 3 4 b add"),
    "from one pile": (HIGH, "a 3", "a3", ""),
    "from both": (HIGH, "a b", "", "1 2"),
    "as many from each": (HIGH, "a b 2", "ab2", ""),
    "begun at the other pile": (HIGH, "b a 2", "ab2", ""),
    "pass": (HIGH, "pass", "pass", ""),
    "add": (HIGH, "add", "", "a b"),
    "to a pile": (HIGH, "add b", "add b", ""),
    "a pile before the word": (HIGH, "b add", "add b", ""),
    "at least": (LOW, "a", "", "4 5 b"),
    "too few in one of them": (LOW, "b", "", "a"),
    "but enough in both": (LOW, "b a", "", "2 3"),
    "an empty pile": (LAST, "b", "", "add"),
    "not both for one": (NO_PAIR, "a", "", "1"),
    "a roll comes first": (position(5, 3), "", "", ""),
}


@for_each(("state", "touched", "steps", "follow"), CASES.values(), ids=CASES)
def test_touches_play_and_are_followed(state: Position, touched: str, steps: str, follow: str) -> None:
    assert played(RULES, VIEW, state, touched) == (steps, follow)


def test_rolls_are_not_touched() -> None:
    for state in (RULES.start(), position(5, 3)):
        assert [VIEW.touches(state, step) for step in RULES.steps(state)] == [()] * len(RULES.steps(state))


REFUSED = {
    "used up": (LAST, "pass", "You have used your pass."),
    "added already": (LOW, "add", "You have used your add."),
    "added already, the pile first": (LOW, "a add", "You have used your add."),
    "an empty pile": (position(4, 0, "HI 3", white="pass"), "b", "Pile B is empty; b1 takes 1."),
    "above": (HIGH, "a 5", "HI 4: take at most 4 stones in all; a5 takes 5."),
    "above, together": (HIGH, "a b 3", "HI 4: take at most 4 stones in all; ab3 takes 6."),
    "above, begun at the other pile": (HIGH, "b a 3", "HI 4: take at most 4 stones in all; ab3 takes 6."),
    "above, even one of each": (NO_PAIR, "a b", "HI 1: take at most 1 stone in all; ab1 takes 2."),
    "below": (LOW, "a 3", "LO 4: take at least 4 stones in all; a3 takes 3."),
    "below, even all": (FEW, "a", "LO 5: take at least 5 stones in all; a3 takes 3."),
    "below, even all of both": (FEW, "b a", "LO 5: take at least 5 stones in all; ab2 takes 4."),
    "nothing there for both": (LAST, "a b", "Pile B is empty; ab1 takes 1 from each."),
    "more than a step": (HIGH, "pass a", '"pass-a" isn\'t a move in TAKO'),
    "a take from each, one after the other": (HIGH, "a 1 b 1", '"a-1-b-1" isn\'t a move in TAKO'),
    "nothing": (HIGH, "", '"" isn\'t a move in TAKO'),
}


@for_each(("state", "touched", "reason"), REFUSED.values(), ids=REFUSED)
def test_touches_are_refused_as_steps_are(state: Position, touched: str, reason: str) -> None:
    assert refused(RULES, VIEW, state, touched).startswith(reason)


PLACES = {
    "": "a: Pile A, 5 stones; b: Pile B, 1 stone; pass: Pass; add: Add a stone",
    "a": "b: Pile B, 1 stone; 1: Take 1; 2: Take 2; 3: Take 3; 4: Take 4; 5: Take 5; add: Add a stone",
    "a b": "1: Take 1 from each",
    "b a": "1: Take 1 from each",
    "add": "a: Pile A, 5 stones; b: Pile B, 1 stone",
    "pass": "",
    "a 3": "",
    "add a": "",
}


@for_each(("touched", "places"), PLACES.items())
def test_piles_and_buttons_are_said_in_words(touched: str, places: str) -> None:
    state = position(5, 1, "HI 4", white="pass add")
    found = VIEW.places(state, tuple(touched.split()))
    assert "; ".join(f"{name}: {place.words}" for name, place in found.items()) == places
    assert {name for name, place in found.items() if place.outline} == found.keys() & {"a", "b", "pass", "add"}
    coins = COIN_VIEW.places(state, tuple(touched.split()))
    assert [place.words for place in coins.values()] == [place.words.replace("stone", "coin") for place in found.values()]


def within(picture: str, place: Place) -> list[str]:
    """The words whose middle lies within a place, those of the legend apart."""
    (left, top), _, (right, bottom), _ = place.outline
    return [one.text or "" for one, (x, y) in drawn(picture, "text") if left < x < right and top < y < bottom]


@pytest.mark.parametrize("mover", ["White", "Black"])
def test_places_hold_what_the_picture_has_of_them(mover: str) -> None:
    state = position(5, 3, "HI 2", mover=mover, white="pass add", black="pass add")
    picture, found = VIEW.svg(state, None, RULES.steps(state)), VIEW.places(state)
    assert [within(picture, found[name]) for name in found] == [["A", "5", "1", "2", "1"], ["B", "3", "1", "2", "1"], ["pass"], ["add"]]
    # the line of the seat to move has a frame
    frame = next(y for one, (_, y) in drawn(picture, "rect") if one.get("height") == "58")
    assert {found[name].outline[0][1] for name in ("pass", "add")} == {frame}


def test_signs_cover_neither_words_nor_stones() -> None:
    picture = VIEW.svg(HIGH, None)
    things = [at for tag in ("text", "circle") for _, at in drawn(picture, tag)]
    for place in VIEW.places(HIGH, ()).values():
        across, down = zip(*place.outline, strict=True)
        assert place.sign is not None
        x, y = place.sign
        assert min(across) < x < max(across)
        assert min(down) < y < max(down)
        assert all(abs(x - left) > 15 or abs(y - top) > 15 for left, top in things)
