"""The first move. `x` stands for a game in which a player had it, `o` for one in which they moved second."""

from tests.cases import for_each
from turnserver.league.formats.swiss import Wish, WishStrength, clash, higher_is_first, wish


def history(signs: str) -> list[bool]:
    return [sign == "x" for sign in signs]


@for_each(
    ("signs", "due"),
    [
        ("", None),
        ("x", Wish(first=False, strength=WishStrength.STRONG, surplus=1)),
        ("o", Wish(first=True, strength=WishStrength.STRONG, surplus=1)),
        ("xo", Wish(first=True, strength=WishStrength.MILD, surplus=0)),
        ("ox", Wish(first=False, strength=WishStrength.MILD, surplus=0)),
        ("xx", Wish(first=False, strength=WishStrength.ABSOLUTE, surplus=2)),
        ("oo", Wish(first=True, strength=WishStrength.ABSOLUTE, surplus=2)),
        ("xoo", Wish(first=True, strength=WishStrength.ABSOLUTE, surplus=1)),
        ("oxo", Wish(first=True, strength=WishStrength.STRONG, surplus=1)),
        ("ooxx", Wish(first=False, strength=WishStrength.ABSOLUTE, surplus=0)),
        ("oxoox", Wish(first=True, strength=WishStrength.STRONG, surplus=1)),
        ("xxox", Wish(first=False, strength=WishStrength.ABSOLUTE, surplus=2)),
        ("xxoxo", Wish(first=False, strength=WishStrength.STRONG, surplus=1)),
        ("xxxoo", Wish(first=True, strength=WishStrength.ABSOLUTE, surplus=1)),
        ("xxxxoo", Wish(first=False, strength=WishStrength.ABSOLUTE, surplus=2)),
    ],
)
def test_what_is_due(signs: str, due: Wish | None) -> None:
    assert wish(history(signs)) == due


@for_each(
    ("one", "other", "refused"),
    [
        ("", "", None),
        ("x", "", None),
        ("", "x", None),
        ("x", "o", None),
        ("xx", "oo", None),
        ("x", "x", WishStrength.STRONG),
        ("xx", "x", WishStrength.STRONG),
        ("ox", "xx", WishStrength.MILD),
        ("oo", "xoo", WishStrength.ABSOLUTE),
    ],
)
def test_which_wish_cannot_come_true(one: str, other: str, refused: WishStrength | None) -> None:
    assert clash(wish(history(one)), wish(history(other))) is refused


@for_each(
    ("higher", "lower", "odd", "is_first"),
    [
        # Neither is due anything: the draw.
        ("", "", True, True),
        ("", "", False, False),
        # One is, or both are, and both can have it.
        ("o", "", False, True),
        ("x", "", True, False),
        ("", "o", True, False),
        ("", "x", False, True),
        ("xo", "xx", False, True),
        ("x", "o", True, False),
        # One is due it more.
        ("ox", "oxx", True, True),
        ("xox", "ox", True, False),
        ("xo", "oxo", True, False),
        ("oxo", "xoo", True, False),
        # Both are absolutely, one after having the other more often.
        ("xxoo", "oo", True, False),
        ("oo", "xxoo", True, True),
        # They change places since the last time that they had different ones; what only one of them has played does not count.
        ("xoxo", "oxxo", False, True),
        ("oxxo", "xoxo", True, False),
        # Both were first three times and second five times, and were last apart four games ago.
        ("ooxoxoxo", "xooxooxo", True, False),
        # They always had the same: the higher has their due.
        ("x", "x", True, False),
        ("o", "o", False, True),
        ("xo", "oxxo", False, True),
        ("xoox", "ox", True, False),
        ("xoo", "oxxoo", False, True),
    ],
)
def test_who_is_first(higher: str, lower: str, *, odd: bool, is_first: bool) -> None:
    assert higher_is_first(history(higher), history(lower), odd=odd) is is_first
