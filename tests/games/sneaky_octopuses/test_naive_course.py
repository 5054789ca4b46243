"""The naive engine for Sneaky Octopuses against its rulings: the deal, the order of turns, leaving, and the end."""

import random
from collections import Counter
from itertools import product

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses import naive_sneaky as naive
from tests.games.sneaky_octopuses.aquarium import aquarium, keepers, octopuses, played
from tests.games.sneaky_octopuses.naive_board import COLOURS, FISH_SQUARES, HOME, INTO_THE_ROOM, NAMES, TANKS, Position


def deal(seed: int, *, until: int = 24) -> Position:
    """The first fish of a deal by lot."""
    chance = random.Random(seed)  # noqa: S311  # a repeatable deal, not a secret
    position = naive.start(4)
    for _ in range(until):
        weights = naive.weights(position)
        position = naive.play(position, chance.choices(list(weights), list(weights.values()))[0])
    return position


def won(seats: set[int], *scores: int) -> tuple[str, frozenset[int], tuple[int, ...]]:
    """Return what `turn` says of a game that is over."""
    return "over", frozenset(seats), scores


def test_the_first_weights_count_every_good_deal() -> None:
    """Counted once more as the ways to give each of eight tanks three colours in order, by how many of each colour are used."""
    used: Counter[tuple[int, ...]] = Counter({(0, 0, 0, 0, 0): 1})
    for _ in TANKS:
        longer: Counter[tuple[int, ...]] = Counter()
        for counts, ways in used.items():
            for three in product(range(5), repeat=3):
                if len(set(three)) == 3:
                    longer[tuple(count + (colour in three) for colour, count in enumerate(counts))] += ways
        used = longer
    weights = naive.weights(naive.start(4))
    assert list(weights) == [f"deal c9 {colour}" for colour in COLOURS]
    assert sum(weights.values()) == sum(ways for counts, ways in used.items() if max(counts) <= 5) < 2**53


@pytest.mark.parametrize("seed", range(5))
def test_the_last_weights_count_what_can_still_be_dealt(seed: int) -> None:
    position = deal(seed, until=18)
    there = {square: fish[0] for square, fish in position.fish.items() if fish}
    expected: Counter[str] = Counter()
    for colours in product(COLOURS, repeat=6):
        whole = {**there, **dict(zip(FISH_SQUARES[18:], colours, strict=True))}
        apart = all(len({whole[square] for square in tank.split()}) == 3 for tank in TANKS)
        if apart and max(Counter(whole.values()).values()) <= 5:
            expected[f"deal {FISH_SQUARES[18]} {colours[0]}"] += 1
    assert naive.weights(position) == expected


@for_each("seed", range(5))
def test_the_weight_of_a_fish_is_what_the_next_ones_share(seed: int) -> None:
    position = deal(seed, until=0)
    for _ in range(23):
        weights = naive.weights(position)
        for step, weight in weights.items():
            assert sum(naive.weights(naive.play(position, step)).values()) == weight
        position = naive.play(position, random.Random(seed).choice(list(weights)))  # noqa: S311  # a repeatable deal, not a secret


@for_each("seed", range(20))
def test_ruling_1_no_tank_holds_a_colour_twice_and_one_fish_stays_out(seed: int) -> None:
    position = deal(seed)
    for tank in TANKS:
        assert len({fish for square in tank.split() for fish in position.fish[square]}) == 3
    assert sorted(Counter(fish[0] for fish in position.fish.values() if fish).values()) == [4, 5, 5, 5, 5]
    assert position.keepers == INTO_THE_ROOM


@pytest.mark.parametrize(
    ("players", "lots"), [(2, "blue purple"), (3, "blue red purple"), (4, "blue red purple green")], ids=["two", "three", "four"]
)
def test_the_first_player_is_drawn_by_lot(players: int, lots: str) -> None:
    position = naive.start(players)
    assert naive.turn(position) == ("roll", 1, 1)
    while position.stage == "deal":
        position = naive.play(position, min(naive.legal(position)))
    assert naive.turn(position) == ("roll", 1, 1)
    assert naive.weights(position) == {f"first {lot}": 1 for lot in lots.split()}
    for seat, lot in enumerate(lots.split(), start=1):
        begun = naive.play(position, f"first {lot}")
        assert naive.turn(begun) == ("choose", seat, 1)
        assert naive.turn(naive.play(begun, "keeper a6")) == ("roll", seat, 1)
        assert naive.turn(played(begun, "keeper a6; die 1")) == ("choose", seat % players + 1, 2)


def test_ruling_2_a_turn_lasts_until_the_die() -> None:
    position = aquarium("1 Speedy f8, 1 Tako f4", "b4 N", "f8 3", players=3, seat=1)
    expected = [
        ("Squirt escape b9", "choose"),
        ("Speedy throw 3 f4", "choose"),
        ("Tako keep", "choose"),
        ("Tako move f4-f3-f2-e2", "choose"),
        ("keeper e11", "roll"),
    ]
    for step, kind in expected:
        position = naive.play(position, step)
        assert naive.turn(position) == (kind, 1, 1)
    assert naive.weights(position) == {f"die {pips}": 1 for pips in range(1, 7)}
    position = naive.play(position, "die 3")
    assert naive.turn(position) == ("choose", 2, 2)
    assert not position.acted


def nearly(target: int, *, mine: tuple[int, ...] = (), theirs: tuple[int, ...] = (), fish: str = "b9 1", players: int = 2) -> Position:
    """Speedy of seat 1 stands beside its home with a red fish, heard by the keeper in b2; each seat has some fish at home."""
    position = aquarium("1 Speedy b9", "b2 E", fish, players=players)
    position.target, position.home[1], position.home[2] = target, list(mine), list(theirs)
    return position


ENDS = {
    "ruling 7: the first of a colour": (nearly(1), won({1}, 1, 0)),
    "ruling 7: the third of a colour": (nearly(6, mine=(1, 1)), won({1}, 6, 0)),
    "ruling 7: the first of another colour": (nearly(4, mine=(2, 2)), won({1}, 4, 0)),
    "ruling 7: the others' points do not count": (nearly(1, theirs=(2, 2)), won({1}, 1, 3)),
    "ruling 14: nobody can get there": (nearly(4, mine=(2,)), won({1}, 2, 0)),
    "ruling 14: whoever has most": (nearly(9, theirs=(2, 2)), won({2}, 1, 3)),
    "ruling 14: ties share": (nearly(9, theirs=(2,)), won({1, 2}, 1, 1)),
    "ruling 14: somebody could still, with a fish in a tank": (nearly(3, fish="b9 1, c9 1"), ("choose", 1, 1)),
    "ruling 14: somebody could still, with a fish on the floor": (nearly(3, fish="b9 1, f6 1"), ("choose", 1, 1)),
    "ruling 14: somebody else could still": (nearly(6, theirs=(2, 2), fish="b9 1, c9 2"), ("choose", 1, 1)),
    "ruling 14: not with a fish that somebody has at home": (nearly(3, theirs=(1,)), won({1, 2}, 1, 1)),
}


@for_each(("position", "expected"), ENDS.values(), ids=ENDS)
def test_throwing_home(position: Position, expected: object) -> None:
    after = naive.play(position, "Speedy throw 1 home")
    assert naive.turn(after) == expected
    over = naive.turn(after)[0] == "over"
    assert bool(naive.legal(after)) != over
    assert keepers(after) == ("b2 E" if over else "b2 N"), "the end comes before any reaction"


def test_ruling_7_a_chain_may_win() -> None:
    position = aquarium("1 Speedy c8, 1 Tako b8, 1 Squish b9", "b2 E", "c8 1")
    position.target = 1
    after = played(position, "Speedy throw 1 b8; Tako throw 1 b9; Squish throw 1 home")
    assert naive.turn(after) == won({1}, 1, 0)
    assert keepers(after) == "b2 E"


def passed(position: Position, turns: int) -> Position:
    """Turns in which nobody does a thing."""
    for _ in range(turns):
        position = played(position, f"keeper {min(position.keepers)}; die 1")
    return position


@pytest.mark.parametrize("first", [1, 2, 3])
def test_ruling_13_a_game_is_stopped_after_so_many_rounds(first: int) -> None:
    position = aquarium(players=3, seat=first)
    position.first, position.max_rounds = first, 2
    position.home = {1: [1], 2: [1, 1], 3: [2, 3, 4]}
    assert naive.turn(passed(position, 5))[0] == "choose"
    assert naive.turn(passed(position, 6)) == won({2, 3}, 1, 3, 3)


def table(players: int, seat: int, *, first: int = 1) -> Position:
    """Seats 2 and 3 have octopuses out; the fish that lie there let everybody hope."""
    fish = "b9 1, " + ", ".join(f"{square} {1 + number % 5}" for number, square in enumerate(FISH_SQUARES))
    position = aquarium("2 Tako f6, 3 Squish b9", fish=fish, players=players, seat=seat)
    position.first = first
    return position


def test_leaving_sends_the_octopuses_home_and_skips_the_turns() -> None:
    after = naive.leave(table(4, 1), 2)
    assert octopuses(after) == "3 Squish b9"
    assert after.fish["b9"] == [1]
    assert naive.turn(after) == ("choose", 1, 1)
    assert naive.turn(passed(after, 1)) == ("choose", 3, 2)
    assert all(after.octopuses[2, name] == HOME for name in NAMES)


def test_leaving_at_the_own_turn_hands_it_on_under_the_same_number() -> None:
    after = naive.leave(table(3, 2), 2)
    assert naive.turn(after) == ("choose", 3, 2)
    assert naive.turn(naive.leave(table(3, 3), 3)) == ("choose", 1, 3)


def test_the_last_one_who_stays_wins() -> None:
    alone = naive.leave(naive.leave(table(3, 1), 3), 1)
    assert naive.turn(alone) == won({2}, 0, 0, 0)
    assert not naive.legal(alone)


def test_leaving_may_leave_nobody_who_could_reach_the_target() -> None:
    position = aquarium(fish="c9 1", players=3)
    position.target, position.home = 6, {1: [2], 2: [1, 1], 3: [3, 4, 5]}
    assert naive.turn(naive.leave(position, 1)) == ("choose", 2, 1)
    assert naive.turn(naive.leave(position, 2)) == won({3}, 1, 3, 3)


def test_a_round_ends_where_the_first_player_would_have_had_the_turn() -> None:
    position = naive.leave(table(3, 1), 1)
    position.max_rounds = 1
    assert naive.turn(passed(position, 1)) == ("choose", 3, 2)
    assert naive.turn(passed(position, 2)) == won({2, 3}, 0, 0, 0)


def test_leaving_in_the_last_turn_of_the_last_round_ends_the_game() -> None:
    position = table(3, 3)
    position.max_rounds = 1
    assert naive.turn(naive.leave(position, 3)) == won({1, 2}, 0, 0, 0)
    assert naive.turn(naive.leave(position, 2)) == ("choose", 3, 3)
