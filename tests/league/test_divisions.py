"""Promotion and relegation: small seasons in which each reason decides, and what every season has to keep."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.ids import PlayerId
from turnserver.league.divisions import Tier, TierDivision, TierMove, Why, next_season

LETTERS = {
    Why.STAYS: "",
    Why.PROMOTED: "+",
    Why.RELEGATED: "-",
    Why.MOVES_UP: "^",
    Why.KEEPS: "=",
    Why.MAKES_ROOM: "!",
    Why.BY_ADMIN: "@",
    Why.NEW: "*",
    Why.LEAVES: "",
}
THREE = (Tier(4, moves=1), Tier(4, moves=2), Tier(4))
WIDE = (Tier(4, moves=2), Tier(4, 2, moves=2), Tier(4))


def ids(text: str) -> list[PlayerId]:
    """Players are letters, `a` is 1."""
    return [PlayerId(ord(one) - 96) for one in text]


def season(text: str) -> dict[TierDivision, list[PlayerId]]:
    """`abcd efgh/ijkl`: a tier of one division, and one of two."""
    return {
        TierDivision(tier, division): ids(table)
        for tier, line in enumerate(text.split(), 1)
        for division, table in enumerate(line.split("/"), 1)
    }


def shown(moves: Sequence[TierMove], tiers: int) -> str:
    """The divisions as `season` has them, with a sign behind each player who does not just stay."""
    found: dict[TierDivision, str] = {}
    for move in moves:
        if move.after:
            found[move.after] = found.get(move.after, "") + chr(96 + move.player) + LETTERS[move.why]
    return " ".join("/".join(text for seat, text in sorted(found.items()) if seat.tier == tier) for tier in range(1, tiers + 1))


@for_each(
    ("tiers", "tables", "changes", "expected"),
    [
        (THREE, "abcd efgh ijkl", {}, "abce+ d-fi+j+ g-h-kl"),
        ((Tier(4), Tier(4)), "abcd efgh", {}, "abcd efgh"),
        ((Tier(4, moves=4), Tier(4)), "abcd efgh", {}, "e+f+g+h+ a-b-c-d-"),
        # Whoever leaves from among the last counts as one who has gone down. What is free above is filled from below.
        (THREE, "abcd efgh ijkl", {"leaving": "d"}, "abce+ fi+j+k^ g-h-l"),
        (THREE, "abcd efgh ijkl", {"leaving": "a"}, "bce+f^ d-i+j+k^ g-h-l"),
        (THREE, "abcd efgh ijkl", {"leaving": "e"}, "abcf+ d-i+j+k^ g-h-l"),
        (THREE, "abcd efgh ijkl", {"leaving": "i"}, "abce+ d-fj+k+ g-h-l"),
        # If nobody is below, the last ones stay, then come those from further below, and new ones.
        ((Tier(4, moves=1), Tier(4)), "abcd ef", {"leaving": "ab"}, "ce+f^d= "),
        ((Tier(4, moves=1), Tier(4), Tier(4)), "abcd e fg", {"leaving": "abd"}, "ce+f^g^  "),
        ((Tier(4, moves=1), Tier(4)), "abcd ", {"leaving": "a", "new": "xyz"}, "bcd=x* y*z*"),
        # New ones begin at the bottom, and nothing but new ones from the top.
        (THREE, "abcd efgh ijkl", {"new": "xyz"}, "abce+ d-fi+j+ g-lx*/h-ky*z*"),
        (THREE, "", {"new": "abcdefghij"}, "a*b*c*d* e*f*g*h* i*j*"),
        # What an admin says comes first: the last promoted makes room, then the last who would have stayed.
        (THREE, "abcd efgh ijkl", {"by_admin": "d1"}, "d@abc e!fi+j+ g-h-kl"),
        (THREE, "abcd efgh ijkl", {"by_admin": "l1"}, "l@abc d-e!fi+ g-h-j!k"),
        (THREE, "abcd efgh ijkl", {"by_admin": "k1 l1"}, "k@l@ab c!d-e!f g-h-i!j!"),
        (THREE, "abcd efgh ijkl", {"by_admin": "a3"}, "bce+f^ d-i+j+k^ a@g-h-l"),
        (THREE, "abcd efgh ijkl", {"by_admin": "a1 b1 c1 d1 e1"}, "a@b@c@d@e@ f!i+j+k^ g-h-l"),
        (THREE, "abcd efgh ijkl", {"by_admin": "d1", "leaving": "d"}, "abce+ fi+j+k^ g-h-l"),
        (THREE, "abcd efgh ijkl", {"by_admin": "x2", "new": "x"}, "abce+ x@d-fi+ g-kl/h-j!"),
        (THREE, "abcd efgh ijkl", {"by_admin": "y2"}, "abce+ d-fi+j+ g-h-kl"),
        # Side by side, places count, then merit, then the division; and all are dealt back and forth.
        (WIDE, "abcd efgh/ijkl mnop", {}, "abe+i+ c-jgn+/d-fkm+ h-l-op"),
        (WIDE, "abcd efgh/ijkl mnop", {"merit": "l"}, "abe+i+ c-jgn+/d-fkm+ l-h-op"),
        (WIDE, "abcd efgh/ijkl mnop", {"merit": "j", "leaving": "e"}, "abi+j+ c-gko^/d-fm+n+ h-l-p"),
    ],
)
def test_who_plays_where(tiers: Sequence[Tier], tables: str, changes: Mapping[str, str], expected: str) -> None:
    moves = next_season(
        tiers,
        season(tables),
        new=ids(changes.get("new", "")),
        leaving=set(ids(changes.get("leaving", ""))),
        by_admin={ids(one)[0]: int(one[1:]) for one in changes.get("by_admin", "").split()},
        merit=dict.fromkeys(ids(changes.get("merit", "")), Fraction(1, 2)),
    )
    assert shown(moves, len(tiers)) == expected
    assert [move.player for move in moves if move.after is None] == ids(changes.get("leaving", ""))


@settings(max_examples=150)
@given(
    shapes=st.lists(st.tuples(st.integers(1, 5), st.integers(1, 3), st.integers(0, 4)), min_size=1, max_size=4),
    many=st.integers(0, 50),
    chance=st.randoms(use_true_random=False),
)
def test_sizes_are_kept_over_seasons(shapes: Sequence[tuple[int, int, int]], many: int, chance: Random) -> None:
    tiers = [Tier(size, divisions, min(moves, size * divisions)) for size, divisions, moves in shapes]
    tables: dict[TierDivision, list[PlayerId]] = {}
    new = [PlayerId(number + 1) for number in range(many)]
    for number in range(3):
        players = [player for table in tables.values() for player in table] + new
        leaving = set(chance.sample(players, len(players) // 6))
        by_admin = {player: chance.randint(1, len(tiers)) for player in chance.sample(players, min(len(players), number))}
        moves = next_season(tiers, tables, new=new, leaving=leaving, by_admin=by_admin)
        assert sorted(move.player for move in moves) == sorted(players)
        keeps_sizes(tiers, moves, by_admin)
        assert all((move.after is None) == (move.player in leaving) for move in moves)
        assert all(move.after.tier == by_admin[move.player] for move in moves if move.after and move.player in by_admin)
        for move in moves:
            goes_where_they_should(move)
        tables = {}
        for move in chance.sample(moves, len(moves)):
            if move.after:
                tables.setdefault(move.after, []).append(move.player)
        new = [PlayerId(1000 * (number + 1) + at) for at in range(many // 8)]


def keeps_sizes(tiers: Sequence[Tier], moves: Sequence[TierMove], by_admin: Mapping[PlayerId, int]) -> None:
    sizes = Counter(move.after.tier for move in moves if move.after)
    for at, tier in enumerate(tiers[:-1], 1):
        put = sum(move.why is Why.BY_ADMIN and move.after is not None and move.after.tier == at for move in moves)
        others = sum(count for lower, count in sizes.items() if lower > at) - sum(lower > at for lower in by_admin.values())
        assert sizes[at] == max(tier.room, put) or (sizes[at] < tier.room and others <= 0)
    of_division = Counter(move.after for move in moves if move.after)
    for at, tier in enumerate(tiers, 1):
        counts = [count for seat, count in of_division.items() if seat.tier == at]
        assert not counts or max(counts) - min(counts) <= 1
        assert at == len(tiers) or len(counts) <= tier.divisions
        assert max(counts, default=0) <= tier.size or at < len(tiers)


def goes_where_they_should(move: TierMove) -> None:
    if move.before and move.after:
        step = move.after.tier - move.before.tier
        assert {
            Why.STAYS: step == 0,
            Why.KEEPS: step == 0,
            Why.PROMOTED: step == -1,
            Why.MOVES_UP: step < 0,
            Why.RELEGATED: step == 1,
            Why.MAKES_ROOM: step >= 0,
            Why.BY_ADMIN: True,
        }[move.why]
    else:
        assert move.why in (Why.NEW, Why.BY_ADMIN, Why.LEAVES)


@for_each(("size", "divisions", "moves"), [(0, 1, 0), (4, 0, 0), (4, 1, 5), (4, 1, -1)])
def test_tiers_that_cannot_be(size: int, divisions: int, moves: int) -> None:
    with pytest.raises(ValueError, match="a division and a player at least"):
        Tier(size, divisions, moves)


@for_each(
    ("tables", "new", "by_admin", "why"),
    [
        ("ab bc", "", {}, "two divisions"),
        ("ab cd", "b", {}, "two divisions"),
        ("ab cd ef gh", "", {}, "tiers are 1 to 3"),
        ("ab", "", {PlayerId(1): 0}, "tiers are 1 to 3"),
    ],
)
def test_what_cannot_be_is_refused(tables: str, new: str, by_admin: Mapping[PlayerId, int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        next_season(THREE, season(tables), new=ids(new), by_admin=by_admin)
