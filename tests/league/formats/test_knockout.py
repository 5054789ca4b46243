"""Knockout: whole cups with chance results, what each of them has to keep, and small ones in which a rule decides."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from tests.shortened import shortened
from turnserver.ids import PlayerId
from turnserver.league.formats.knockout import Bracket, Branch, Cup, Drawn, Lot, SharedPlaces, Vacancy, bracket, seeding
from turnserver.league.scoring.marks import OTHER_SIDE, USUAL, WON, Mark
from turnserver.league.scoring.record import Encounter, PlayRecord

MARKS = {"1": Mark.WIN, "=": Mark.DRAW, "0": Mark.LOSS, "n": Mark.NO_RESULT, "a": Mark.ANNULLED, "t": Mark.TIMEOUT, "-": Mark.FORFEIT}
SINGLE, DOUBLE = Cup(), Cup(losses=2)


def numbers(size: int) -> list[PlayerId]:
    return [PlayerId(number + 1) for number in range(size)]


def game(word: str) -> Encounter:
    """`2:3-1:0` is a game of round 2 in which 3 moves first and loses; `x`: neither came; `*`: it is played."""
    number, both, result = word.split(":")
    players = tuple(PlayerId(int(one)) for one in both.split("-"))
    if result in "*x":
        return Encounter(int(number), players, (Mark.FORFEIT, Mark.FORFEIT) if result == "x" else ())
    return Encounter(int(number), players, (MARKS[result], OTHER_SIDE[MARKS[result]]))


def stands(size: int, cup: Cup, games: str, withdrawn: Sequence[int] = (), lots: Mapping[Lot, PlayerId] | None = None) -> Bracket:
    record = PlayRecord(numbers(size), map(game, games.split()))
    return bracket(record, cup, USUAL, withdrawn=[PlayerId(one) for one in withdrawn], lots=lots or {})


def to_open(found: Bracket) -> str:
    return " ".join(f"{one.round}:{'-'.join(map(str, one.players))}" for one in found.to_open)


def placed(found: Bracket) -> dict[int, tuple[int, int]]:
    return {player: (place.best, place.worst) for player, place in found.places.items()}


Result = Callable[[Encounter], Mark]


def played(size: int, cup: Cup, result: Result, withdrawals: Mapping[int, Sequence[int]] | None = None) -> tuple[Bracket, list[Encounter]]:
    """A whole cup; whoever is in `withdrawals` leaves before that many games are over."""
    games, left = list[Encounter](), list[PlayerId]()
    while True:
        left += [PlayerId(one) for one in (withdrawals or {}).get(len(games), ())]
        found = bracket(PlayRecord(numbers(size), games), cup, USUAL, withdrawn=left)
        if not found.to_open:
            return found, games
        mark = result(found.to_open[0])
        games.append(Encounter(found.to_open[0].round, found.to_open[0].players, (mark, OTHER_SIDE[mark])))


def by_chance(chance: Random, *, draws: bool = False) -> Result:
    return lambda _: chance.choice((Mark.WIN, Mark.LOSS, Mark.DRAW) if draws else (Mark.WIN, Mark.LOSS))


def better_seed(encounter: Encounter) -> Mark:
    return Mark.WIN if encounter.players[0] < encounter.players[1] else Mark.LOSS


def losses(games: Sequence[Encounter]) -> Counter[PlayerId]:
    return Counter(player for one in games for player, mark in zip(one.players, one.marks, strict=True) if mark is Mark.LOSS)


@for_each(
    ("size", "seeds"),
    [
        (1, (1,)),
        (2, (1, 2)),
        (4, (1, 4, 2, 3)),
        (8, (1, 8, 4, 5, 2, 7, 3, 6)),
        (16, (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)),
    ],
)
def test_seeds_are_kept_apart(size: int, seeds: tuple[int, ...]) -> None:
    assert seeding(size) == seeds


@for_each("size", [2, 3, 5, 8, 13, 16, 21, 32, 33])
def test_the_better_seed_wins(size: int) -> None:
    found, _ = played(size, SINGLE, better_seed)
    order = sorted(found.places, key=lambda player: found.places[player])
    assert order[:2] == [1, 2]
    for (one, best), (other, worse) in pairwise(sorted(found.places.items())):
        assert best <= worse, (one, other)


@settings(max_examples=50)
@given(size=st.integers(2, 40), third=st.booleans(), chance=st.randoms(use_true_random=False))
def test_one_loss_is_enough(*, size: int, third: bool, chance: Random) -> None:
    found, games = played(size, Cup(third_place=third), by_chance(chance))
    losers = [tie for tie in found.ties if tie.branch is not Branch.THIRD and tie.loser is not Vacancy.EVER]
    assert len(losers) == size - 1
    assert len(games) == size - 1 + (third and size > 3)
    keeps_places(found, size)
    if not third:
        assert set(losses(games).values()) == {1}


def keeps_places(found: Bracket, size: int) -> None:
    shares = Counter(found.places.values())
    assert sorted(at for place in shares for at in range(place.best, place.worst + 1)) == list(range(1, size + 1))
    assert all(place.worst - place.best + 1 == many for place, many in shares.items())
    assert sorted(found.places) == numbers(size)
    assert (found.to_open, found.strays) == ((), ())


@pytest.mark.thorough
@given(size=st.integers(2, 40), chance=st.randoms(use_true_random=False))
def test_it_takes_two_losses(*, size: int, chance: Random) -> None:
    found, games = played(size, DOUBLE, by_chance(chance))
    keeps_places(found, size)
    lost = losses(games)
    champion, second = (next(player for player, place in found.places.items() if place == SharedPlaces(at, at)) for at in (1, 2))
    assert all(lost[player] == 2 for player in numbers(size) if player not in (champion, second))
    assert (lost[champion], lost[second]) in {(0, 2), (1, 2)}
    assert len(games) in (2 * size - 2, 2 * size - 1)


@settings(max_examples=60)
@given(size=st.integers(2, 20), two=st.booleans(), third=st.booleans(), chance=st.randoms(use_true_random=False))
def test_draws_and_withdrawals_leave_nobody_waiting(*, size: int, two: bool, third: bool, chance: Random) -> None:
    leaving = chance.sample(range(1, size + 1), chance.randrange(size + 1))
    withdrawals = {at: [one for one in leaving if one % 5 == at] for at in range(5)}
    found, games = played(size, Cup(losses=1 + two, third_place=third, replays=1), by_chance(chance, draws=True), withdrawals)
    keeps_places(found, size)
    assert all(len(tie.games) <= 2 for tie in found.ties)
    assert max(Counter((one.round, frozenset(one.players)) for one in games).values(), default=0) <= 2


@pytest.mark.thorough
@pytest.mark.parametrize("rounds", shortened([3, 4, 5, 6], first=2))
def test_nobody_meets_again_early_below(rounds: int) -> None:
    early = False
    for seed in range(8):
        found, _ = played(2**rounds, DOUBLE, by_chance(Random(seed)))  # noqa: S311  # results to pair by
        below = {frozenset(tie.players): tie.round - 1 for tie in found.ties if tie.branch is Branch.LOWER}
        above = {frozenset(tie.players) for tie in found.ties if tie.branch is Branch.UPPER}
        assert all(number >= rounds for both, number in below.items() if both in above)
        early |= any(number == rounds for both, number in below.items() if both in above)
    assert early


@settings(max_examples=30)
@given(size=st.integers(2, 32), chance=st.randoms(use_true_random=False))
def test_a_cup_is_what_halves_make_it(size: int, chance: Random) -> None:
    """The winner of a bracket is the winner between the winners of its halves."""
    strength = dict(zip(numbers(size), chance.sample(range(size), size), strict=True))
    found, _ = played(size, SINGLE, lambda one: Mark.WIN if strength[one.players[0]] > strength[one.players[1]] else Mark.LOSS)

    def best(seeds: Sequence[int]) -> PlayerId | None:
        if len(seeds) == 1:
            return PlayerId(seeds[0]) if seeds[0] <= size else None
        half = len(seeds) // 2
        halves = [one for one in (best(seeds[:half]), best(seeds[half:])) if one]
        assert len(halves) < 2 or frozenset(halves) in {frozenset(tie.players) for tie in found.ties}
        return max(halves, key=lambda one: strength[one], default=None)

    whole = seeding(1 << (size - 1).bit_length())
    assert found.places[best(whole) or PlayerId(0)] == SharedPlaces(1, 1)


@for_each(
    ("size", "cup", "games", "expected"),
    [
        # Byes are for the first seeds, and the lower seed moves first.
        (5, SINGLE, "", "1:5-4 2:3-2"),
        (8, SINGLE, "", "1:8-1 1:5-4 1:7-2 1:6-3"),
        # What is known can be played while others still are.
        (8, SINGLE, "1:8-1:0 1:5-4:1 1:7-2:*", "1:6-3 2:1-5"),
        # Each moves first as they are due.
        (4, SINGLE, "1:4-1:1 1:2-3:1", "2:4-2"),
        (4, SINGLE, "1:4-1:0 1:3-2:1", "2:1-3"),
        # Seats change after a draw, and after another; without a result they do not.
        (2, SINGLE, "1:1-2:=", "1:2-1"),
        (2, SINGLE, "1:1-2:= 1:2-1:=", "1:1-2"),
        (2, SINGLE, "1:1-2:= 1:2-1:n", "1:2-1"),
        (2, SINGLE, "1:1-2:n 1:1-2:a", "1:1-2"),
        (2, SINGLE, "1:1-2:= 1:2-1:= 1:1-2:=", ""),
        (2, SINGLE, "1:1-2:t", ""),
        # Those who have lost once go on below.
        (4, DOUBLE, "1:4-1:0 1:3-2:0", "2:1-2 2:4-3"),
        (4, DOUBLE, "1:4-1:0 1:3-2:0 2:1-2:1 2:3-4:0", "3:2-4"),
        (4, DOUBLE, "1:4-1:0 1:3-2:0 2:1-2:1 2:3-4:0 3:2-4:1", "4:2-1"),
        (4, DOUBLE, "1:4-1:0 1:3-2:0 2:1-2:1 2:3-4:0 3:2-4:1 4:1-2:0", "5:2-1"),
        # The third place is played for together with the first.
        (4, Cup(third_place=True), "1:4-1:0 1:3-2:0", "2:4-3 2:1-2"),
    ],
)
def test_what_is_to_be_played(size: int, cup: Cup, games: str, expected: str) -> None:
    assert to_open(stands(size, cup, games)) == expected


@for_each(
    ("size", "cup", "games", "withdrawn", "expected"),
    [
        (4, SINGLE, "1:4-1:1 1:3-2:*", [], {}),
        (4, SINGLE, "1:4-1:1 1:3-2:0", [], {1: (3, 4), 3: (3, 4)}),
        (2, SINGLE, "1:1-2:= " * 3, [], {2: (2, 2), 1: (1, 1)}),
        (2, Cup(replays=0), "1:2-1:=", [], {2: (2, 2), 1: (1, 1)}),
        # Whoever withdraws loses; of two, who did so first; what is decided stays.
        (2, SINGLE, "1:2-1:*", [1], {1: (2, 2), 2: (1, 1)}),
        (2, SINGLE, "1:2-1:*", [2], {2: (2, 2), 1: (1, 1)}),
        (2, SINGLE, "", [2], {2: (2, 2), 1: (1, 1)}),
        (2, SINGLE, "", [1, 2], {1: (2, 2), 2: (1, 1)}),
        (2, SINGLE, "", [2, 1], {2: (2, 2), 1: (1, 1)}),
        (2, SINGLE, "1:2-1:0", [1], {2: (2, 2), 1: (1, 1)}),
        (2, Cup(replays=0), "1:2-1:=", [1], {2: (2, 2), 1: (1, 1)}),
        (2, Cup(replays=0, drawn=Drawn.LOTS), "1:2-1:=", [1], {1: (2, 2), 2: (1, 1)}),
        (4, DOUBLE, "1:4-1:0 1:3-2:0 2:4-3:1", [1], {3: (4, 4), 1: (3, 3)}),
        # Neither came.
        (2, SINGLE, "1:2-1:x", [], {1: (1, 2), 2: (1, 2)}),
        (4, SINGLE, "1:4-1:x 1:3-2:0", [], {1: (2, 4), 4: (2, 4), 3: (2, 4), 2: (1, 1)}),
        (4, Cup(third_place=True), "1:4-1:x 1:3-2:0", [], {1: (3, 4), 4: (3, 4), 3: (2, 2), 2: (1, 1)}),
        # Whoever plays for the third place has the third or the fourth, and the final need not wait for it.
        (4, Cup(third_place=True), "1:4-1:0 1:3-2:*", [], {}),
        (4, Cup(third_place=True), "1:4-1:0 1:3-2:0 2:4-3:* 2:1-2:*", [], {3: (3, 4), 4: (3, 4)}),
        (4, Cup(third_place=True), "1:4-1:0 1:3-2:0 2:4-3:* 2:1-2:1", [], {3: (3, 4), 4: (3, 4), 2: (2, 2), 1: (1, 1)}),
        (4, Cup(third_place=True), "1:4-1:0 1:3-2:0 2:4-3:1 2:1-2:*", [], {3: (4, 4), 4: (3, 3)}),
        # Under the first rules only once their game has begun.
        (4, Cup(third_place=True), "1:4-1:0 1:3-2:0", [], {}),
        (4, Cup(third_place=True, third_apart=True), "1:4-1:0 1:3-2:0", [], {3: (3, 4), 4: (3, 4)}),
        (4, Cup(third_place=True, third_apart=True), "1:4-1:0 1:3-2:*", [], {}),
        (4, Cup(third_place=True, third_apart=True), "1:4-1:0 1:3-2:0 2:4-3:n 2:1-2:1", [], {3: (3, 4), 4: (3, 4), 2: (2, 2), 1: (1, 1)}),
        (4, DOUBLE, "1:4-1:x 1:3-2:x", [], {1: (1, 4), 2: (1, 4), 3: (1, 4), 4: (1, 4)}),
    ],
)
def test_who_has_which_place(size: int, cup: Cup, games: str, withdrawn: Sequence[int], expected: dict[int, tuple[int, int]]) -> None:
    assert placed(stands(size, cup, games, withdrawn)) == expected


def test_lots_decide_if_they_have_to() -> None:
    cup, lot = Cup(replays=0, drawn=Drawn.LOTS), Lot(1, frozenset(numbers(2)))
    assert stands(2, cup, "1:2-1:*").to_draw == ()
    assert (stands(2, cup, "1:2-1:=").to_draw, stands(2, cup, "1:2-1:=").to_open) == ((lot,), ())
    for winner, loser in ((1, 2), (2, 1)):
        found = stands(2, cup, "1:2-1:=", lots={lot: PlayerId(winner)})
        assert (found.to_draw, placed(found)) == ((), {winner: (1, 1), loser: (2, 2)})


def test_games_that_others_had_to_play_are_strays() -> None:
    found = stands(4, SINGLE, "1:4-1:1 1:3-2:0 2:2-1:1")
    assert (found.strays, to_open(found)) == ((game("2:2-1:1"),), "2:2-4")


def test_a_bye_may_be_recorded() -> None:
    record = PlayRecord(numbers(3), [Encounter(1, (PlayerId(1),), (Mark.BYE,))])
    assert bracket(record, SINGLE, USUAL).strays == ()


@pytest.mark.parametrize("mark", sorted(WON))
def test_however_it_is_won(mark: Mark) -> None:
    record = PlayRecord(numbers(2), [Encounter(1, (PlayerId(2), PlayerId(1)), (mark, OTHER_SIDE[mark]))])
    assert bracket(record, SINGLE, USUAL).places[PlayerId(2)] == SharedPlaces(1, 1)


@pytest.mark.parametrize(("losses", "replays"), [(0, 1), (3, 1), (1, -1)])
def test_what_cannot_be_played_is_refused(losses: int, replays: int) -> None:
    with pytest.raises(ValueError, match="one loss or two"):
        Cup(losses=losses, replays=replays)


@pytest.mark.parametrize("size", [0, 1])
def test_there_have_to_be_two(size: int) -> None:
    found = bracket(PlayRecord(numbers(size), []), SINGLE, USUAL)
    assert (found.ties, found.to_open, found.places) == ((), (), {})
