"""Touching the aquarium: each step is played by its touches, whatever can follow can be touched, and the rest is refused."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from tests.games.sneaky_octopuses.positions import product_position, scattered
from tests.games.sneaky_octopuses.scenes import play, scene
from turnserver import games
from turnserver.games.sneaky_octopuses.board import at
from turnserver.games.sneaky_octopuses.moves import Move
from turnserver.games.sneaky_octopuses.picture import SEATS_AT_HOME, centre
from turnserver.games.sneaky_octopuses.position import Options, Position
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.games.sneaky_octopuses.view import SneakyView
from turnserver.rules import Choose, Game, Rules, Seat
from turnserver.rules.kit import playout
from turnserver.rules.place import SMALLEST, Touches
from turnserver.rules.svg import WIDTH, Point
from turnserver.rules.touch import reach, why_not

# laws of every view that is a board to play on


class Board(NamedTuple):
    """A position of a game, and all sequences of touches in it as a tree."""

    rules: Rules[Any, Any]
    view: Any
    state: Any
    sequences: dict[Any, Sequence[Touches]]
    tree: dict[Touches, dict[str, None]]
    """Whatever can be touched next, by what was touched before."""


def board(rules: Rules[Any, Any], view: Any, state: Any) -> Board:
    sequences = {step: view.touches(state, step) for step in rules.steps(state)}
    tree: dict[Touches, dict[str, None]] = {(): {}}
    for several in sequences.values():
        for sequence in several:
            for length, name in enumerate(sequence):
                tree.setdefault(sequence[:length], {})[name] = None
            tree.setdefault(sequence, {})
    return Board(rules, view, state, sequences, tree)


def some(found: Sequence[Any], most: int, chance: random.Random) -> Sequence[Any]:
    return found if len(found) <= most else chance.sample(found, most)


def check_steps_are_played(one: Board, chance: random.Random, most: int) -> None:
    """Each sequence plays its step, and what plays it and what can follow is found touch by touch from the empty board."""
    pairs = [(step, sequence) for step, several in one.sequences.items() for sequence in several]
    assert all(one.sequences.values())
    for step, sequence in some(pairs, most, chance):
        for length in range(len(sequence)):
            assert sequence[length] in reach(one.rules, one.view, one.state, sequence[:length]).follow
        assert step in reach(one.rules, one.view, one.state, sequence).steps


def check_whole_tree(one: Board) -> None:
    """All that is reached by touching whatever can follow is all that may be played."""
    found: set[Any] = set()
    ways: list[Touches] = [()]
    while ways:
        way = ways.pop()
        steps, follow = reach(one.rules, one.view, one.state, way)
        found.update(steps)
        ways += [(*way, name) for name in follow]
    assert found == set(one.rules.steps(one.state))


def check_places(one: Board, chance: random.Random, most: int) -> None:
    """What can follow can be touched: a button, or an area in the picture that is large enough and apart from the others."""
    wide, high = size(one.view.svg(one.state))
    for touched in some(list(one.tree), most, chance):
        here = one.view.places(one.state, touched)
        assert one.tree[touched].keys() <= here.keys(), touched
        assert all(place.words for place in here.values())
        outlines = [here[name].outline for name in one.tree[touched] if here[name].outline]
        for outline in outlines:
            (left, right), (top, bottom) = spans(outline)
            assert left >= 0 and top >= 0 and right <= wide and bottom <= high  # noqa: PT018  # one area
            assert min(right - left, bottom - top) >= SMALLEST * wide / WIDTH
        assert not any(overlap(*pair) for pair in combinations(outlines, 2)), touched


def check_refusals(one: Board, chance: random.Random, most: int) -> None:
    """What can be touched, but leads nowhere, is refused as a written step is."""
    for touched in some(list(one.tree), most, chance):
        astray = [name for name in one.view.places(one.state, touched) if name not in one.tree[touched]]
        for name in some(astray, most, chance):
            reason = why_not(one.rules, one.view, one.state, (*touched, name))
            assert reason != "Nothing can be played there.", (touched, name)
            assert "isn't a step in" not in reason, (touched, name, reason)


def size(picture: str) -> tuple[float, float]:
    """The width and the height of a picture in its own units."""
    _, _, wide, high = map(float, ET.fromstring(picture).attrib["viewBox"].split())  # noqa: S314  # our own picture
    return wide, high


def spans(outline: Sequence[Point]) -> tuple[tuple[float, float], ...]:
    return tuple((min(along), max(along)) for along in zip(*outline, strict=True))


def overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two convex areas share more than an edge: no side of either has them on its two sides."""
    for area in (one, other):
        for (x, y), (next_x, next_y) in zip(area, (*area[1:], area[0]), strict=True):
            near, far = ([(next_y - y) * a - (next_x - x) * b for a, b in points] for points in (one, other))
            if max(near) <= min(far) + 1e-6 or max(far) <= min(near) + 1e-6:
                return False
    return True


# the laws in games and positions of Sneaky Octopuses

SEATS = (2, 3, 4)
SHORT = 150


@cache
def game(players: int) -> Game[Any, Any]:
    return games.find("sneaky-octopuses", players=players)


def chosen_at(players: int, seed: int) -> list[Position]:
    """Positions of a random game in which somebody chooses."""
    chance = random.Random(seed)  # noqa: S311  # repeatable games, not secrets
    played = [state for state, _ in islice(playout(game(players).rules, chance.choice), 600)]
    return [state for state in played if isinstance(game(players).rules.next(state), Choose)]


def strewn(players: int, seed: int) -> Iterator[Position]:
    """Positions with everybody anywhere, and those after a throw or a hit that waits for a choice."""
    chance = random.Random(seed)  # noqa: S311
    rules = game(players).rules
    while True:
        state = product_position(scattered(chance))
        if len(state.octopuses) != 4 * players or not isinstance(rules.next(state), Choose):
            continue
        yield state
        steps = rules.steps(state)
        acts = [
            *(step for step in steps if not isinstance(step, Move)),
            *some([step for step in steps if isinstance(step, Move)], 30, chance),
        ]
        open_actions = [one for one in (rules.apply(state, step) for step in acts) if one.action is not None]
        yield from some([one for one in open_actions if one.action.fish], 2, chance)
        yield from some([one for one in open_actions if not one.action.fish], 1, chance)


def boards(players: int, seed: int) -> list[Board]:
    rules, view = game(players).rules, game(players).view
    chance = random.Random(seed)  # noqa: S311
    states = [*some(chosen_at(players, seed), 12, chance), *islice(strewn(players, seed), 12)]
    return [board(rules, view, state) for state in states]


@pytest.fixture(scope="module", params=SEATS)
def all_boards(request: pytest.FixtureRequest) -> list[Board]:
    return [one for seed in range(2) for one in boards(request.param, seed)]


@pytest.fixture
def chance() -> random.Random:
    return random.Random(0)  # noqa: S311


def test_each_step_is_played_by_its_touches(all_boards: list[Board], chance: random.Random) -> None:
    for one in all_boards:
        check_steps_are_played(one, chance, 12)


def test_touches_reach_each_step_and_no_other(all_boards: list[Board]) -> None:
    few = [one for one in all_boards if len(one.sequences) <= SHORT]
    assert few
    for one in few:
        check_whole_tree(one)


def test_no_two_steps_have_the_same_touches(all_boards: list[Board]) -> None:
    for one in all_boards:
        every = [sequence for several in one.sequences.values() for sequence in several]
        assert len(every) == len(set(every))


def test_places_that_can_follow_are_there_and_apart(all_boards: list[Board], chance: random.Random) -> None:
    for one in all_boards:
        check_places(one, chance, 12)


def test_a_touch_that_leads_nowhere_is_refused(all_boards: list[Board], chance: random.Random) -> None:
    for one in all_boards:
        check_refusals(one, chance, 6)


def test_touches_at_random_are_refused(all_boards: list[Board], chance: random.Random) -> None:
    """Such as an address of a page that was changed by hand."""
    for one in all_boards:
        names = sorted({name for sequence in one.tree for name in sequence})
        for sequence in some(list(one.tree), 8, chance):
            touched = (*sequence, *chance.choices(names, k=chance.randint(1, 2)))
            if reach(one.rules, one.view, one.state, touched) == ((), ()):
                assert why_not(one.rules, one.view, one.state, touched) != "Nothing can be played there.", touched


@pytest.mark.parametrize("players", SEATS)
def test_nothing_is_touched_at_a_roll(players: int) -> None:
    rules, view = game(players).rules, SneakyView(Options(players=players))
    assert reach(rules, view, rules.start(), ()) == ((), ())
    assert {tuple(view.touches(rules.start(), step)) for step in rules.steps(rules.start())} == {()}


# touches by hand

RULES, VIEW = SneakyRules(Options()), SneakyView(Options())
CROWD = scene(
    "Blue Speedy b10, Blue Tako b8, Blue Squish d10, Red Tako f8, Red Squish d8",
    keepers="north h10 west, west b6 north",
    fish="3 b8, 4 b8, 1 c9, 1 c7, 2 c5, 5 d9, 2 b9",
)
HOLDER = scene("Blue Speedy b9, Blue Tako c10, Red Tako f10", fish="3 b9, 5 b9, 5 b9")
INKER = scene("Blue Squirt f8, Red Tako f5", keepers="north f10 south")
SQUEEZER = scene("Blue Squish d8", fish="5 d9")
HELD = scene("Blue Tako b9, Blue Squish b8", fish="4 b8")
SHUT_IN = scene("Blue Tako b10, Blue Squish b9, Blue Squirt c10")
CHAIN, _ = play(scene("Blue Tako b8, Blue Squish b10", fish="3 b8"), "Tako throw 3 b10")
CAUGHT, _ = play(scene("Blue Tako b8", keepers="west b7 north, north e11 south"), "Tako move b8-b7")
BOTH_OUT, _ = play(scene(), "Tako escape b9; Speedy escape b10")

CASES = {
    "pieces that can act, and the keepers": (CROWD, "", "", "b10 b8 d10 a9 h10 b6 k6 f1"),
    "a keeper": (CROWD, "k6", "keeper k6", ""),
    "an octopus at home is on its seat": (CROWD, "a9", "", "b9 c10"),
    "out onto a square": (CROWD, "a9 c10", "Squirt escape c10", ""),
    "who has acted does no more": (BOTH_OUT, "", "", "a10 a9 f11 a6 k6 f1"),
    "to a near square, or a slide": (CROWD, "b10", "", "b9 c10 b6 f10 g10 h10"),
    "a slide names its end": (CROWD, "b10 f10", "Speedy slide f10", ""),
    "a move square by square": (CROWD, "b10 c10", "Speedy move b10-c10", "b10 d10"),
    "on from there": (CROWD, "b8 b7 b6", "Tako move b8-b7-b6", ""),
    "past a mate": (CROWD, "b8 b9 b10", "", "b9 c10"),
    "a fish on the way": (CROWD, "b10 b9", "Speedy move b10-b9", "b8 b10 take2"),
    "that comes along": (CROWD, "b10 b9 take2", "", "b8 b10"),
    "to a square": (CROWD, "b10 b9 take2 b10", "Speedy move b10-b9+2-b10", "b9 c10"),
    "fish in hand": (HOLDER, "b9", "", "b8 b10 take3 take5 throw3 throw5"),
    "one of them comes along": (HOLDER, "b9 take5 b8", "Speedy move b9+5-b8", "b7 c8 b9"),
    "back where another lies": (HOLDER, "b9 take5 b8 b9", "Speedy move b9+5-b8-b9", "b8 b10 take3"),
    "a throw": (HOLDER, "b9 throw5", "", "b2 b3 b4 b5 b6 b7 b8 b10 home"),
    "a throw to a square": (HOLDER, "b9 throw5 b2", "Speedy throw 5 b2", ""),
    "a throw home": (HOLDER, "b9 throw3 home", "Speedy throw 3 home", ""),
    "a squeeze": (SQUEEZER, "d8", "", "d6 c8 e8 d10 d9"),
    "through and on": (SQUEEZER, "d8 d10", "Squish move d8-d10", "d8 c10 e10"),
    "a steal": (SQUEEZER, "d8 d9", "Squish steal d9", ""),
    "a jet of ink goes to all of its squares": (INKER, "f8 ink", "", "f9 f10 f7 f6 f5 e8 d8 c8 b8"),
    "whoever is hit": (INKER, "f8 ink f5", "Squirt ink S", ""),
    "the square before it": (INKER, "f8 ink f7", "Squirt ink S", ""),
    "a step onto the same square": (INKER, "f8 f7", "Squirt move f8-f7", "f6 f8"),
    "caught: kept, or thrown on at once": (CHAIN, "", "", "keep b10 b8 b9 c10 d10 e10 f10 g10 h10 i10 j10 home"),
    "kept by its button": (CHAIN, "keep", "Squish keep", ""),
    "kept, or thrown on by who has it": (CHAIN, "b10", "Squish keep", "b8 b9 c10 d10 e10 f10 g10 h10 i10 j10 home"),
    "thrown on": (CHAIN, "b8", "Squish throw 3 b8", ""),
    "thrown on by who has it": (CHAIN, "b10 home", "Squish throw 3 home", ""),
    "the free showers": (CAUGHT, "", "", "k7 a5 g1"),
    "a shower": (CAUGHT, "a5", "shower a5", ""),
}


@pytest.mark.parametrize(("state", "touched", "steps", "follow"), CASES.values(), ids=CASES)
def test_touches_play_and_are_followed(state: Position, touched: str, steps: str, follow: str) -> None:
    found, after = reach(RULES, VIEW, state, tuple(touched.split()))
    assert ("; ".join(RULES.format(state, step) for step in found), " ".join(after)) == (steps, follow)


REFUSED = {
    "no piece of one's own": (CROWD, "f8", "There is no keeper on f8."),
    "out already": (CROWD, "b11", "Speedy has left home already and is on b10."),
    "acted": (BOTH_OUT, "b9", "Tako has acted already this turn."),
    "acted, and home again": (BOTH_OUT._replace(octopuses=scene().octopuses), "b11", "Speedy has acted already this turn."),
    "shut in": (SHUT_IN, "b11", "your Squish is on b9 already."),
    "no way out": (CROWD, "a9 e5", "e5 doesn't touch Blue's home tank."),
    "not next to it": (CROWD, "b8 b6", "b8 and b6 aren't next to each other."),
    "someone in the way of a slide": (CROWD, "b10 b4", "The west keeper is in the way on b6."),
    "a wall": (CROWD, "b8 a8", "a8 is a wall."),
    "a tank elsewhere": (CROWD, "d10 c9", "c9 is not next to Squish on d10."),
    "an empty tank": (SQUEEZER, "d8 d7", "There is no fish left on d7."),
    "a tank on the way": (CROWD, "b8 c8 c7", "c7 is a fish tank."),
    "an opponent": (CROWD, "b8 c8 d8", "Red's Squish is on d8."),
    "too far": (CROWD, "b8 b9 b8 b9 c9", "A move goes at most 3 squares, and this one goes 4."),
    "fish under a mate": (HELD, "b9 b8 take4", "your Squish is on the fish on b8"),
    "a throw round a corner": (HOLDER, "b9 throw3 c10", "There is no straight way across the floor from b9 to c10."),
    "home from afar": (CROWD, "b8 throw4 home", "You can throw fish home only from b9, b10 or c10, and Tako is on b8."),
    "ink out of a corner": (scene("Blue Squirt b10"), "b10 ink", "Squirt is in the corner b10"),
    "ink at a tank": (INKER, "f8 ink g8", "There is no open square east of f8 for the ink."),
    "a throw on, past somebody": (CHAIN, "b7", "Your Tako is in the way on b8"),
    "a shower that is taken": (CAUGHT, "e11", "There is a keeper in the shower e11 already."),
    "no shower": (CAUGHT, "b8", "b8 isn't a shower."),
    "no place": (CROWD, "b8 nowhere", '"Tako move b8-nowhere" isn\'t a step in Sneaky Octopuses.'),
    "ink at what stands behind another": (INKER, "f8 ink f4", '"Squirt ink f4" isn\'t a step'),
    "more than a step": (CROWD, "k6 b8", '"keeper k6 b8" isn\'t a step'),
    "nothing": (CAUGHT, "", '"shower" isn\'t a step'),
}


@pytest.mark.parametrize(("state", "touched", "reason"), REFUSED.values(), ids=REFUSED)
def test_touches_are_refused_as_steps_are(state: Position, touched: str, reason: str) -> None:
    assert why_not(RULES, VIEW, state, tuple(touched.split())).startswith(reason)


WORDS = {
    "an octopus": (CROWD, "", "b10", "b10, your Speedy"),
    "with fish": (CROWD, "", "b8", "b8, your Tako, fish: yellow, white"),
    "of somebody else": (CROWD, "", "f8", "f8, Red's Tako"),
    "at home": (CROWD, "", "a9", "your Squirt at home"),
    "of somebody else at home": (CROWD, "", "i11", "Red's Speedy at home"),
    "a seat": (CROWD, "", "b11", "Speedy's seat in Blue's home"),
    "a home": (CROWD, "", "a11", "Blue's home"),
    "a keeper": (CROWD, "", "h10", "h10, the north keeper looking west"),
    "a keeper in a shower": (CAUGHT, "", "e11", "e11, the north keeper in the shower"),
    "a tank": (CROWD, "", "c5", "c5, tank, fish: orange"),
    "a tank without fish": (CROWD, "", "c4", "c4, empty tank"),
    "fish on the floor": (CROWD, "", "b9", "b9, fish: orange"),
    "floor": (CROWD, "", "e6", "e6, empty"),
    "an entrance": (CROWD, "", "a6", "a6, entrance"),
    "a shower": (CROWD, "", "a5", "a5, shower"),
    "a wall": (CROWD, "", "a8", "a8, wall"),
    "a fish that may come along": (CROWD, "b8", "take3", "Take the yellow fish along"),
    "a fish to throw": (CROWD, "b8", "throw4", "Throw the white fish"),
    "a fish on the way": (CROWD, "b8 b9", "take2", "Take the orange fish along"),
    "home for a throw": (CROWD, "b8 throw4", "home", "Your home"),
    "ink": (INKER, "f8", "ink", "Shoot ink"),
    "a fish that was caught": (CHAIN, "", "keep", "Keep the yellow fish"),
}


@pytest.mark.parametrize(("state", "touched", "name", "words"), WORDS.values(), ids=WORDS)
def test_places_are_said_in_words(state: Position, touched: str, name: str, words: str) -> None:
    assert VIEW.places(state, tuple(touched.split()))[name].words == words


def test_places_lie_where_the_picture_shows_them() -> None:
    squares = VIEW.places(CROWD)
    assert squares["b10"].centre == centre(at("b10"))
    # the wide place of a throw home holds the dot that marks it
    for seat, name in enumerate(VIEW.seat_names, start=1):
        home = VIEW.places(CHAIN._replace(seat=Seat(seat)), ())["home"]
        (left, right), (top, bottom) = spans(home.outline)
        x, y = centre(SEATS_AT_HOME[seat - 1][0])
        assert left < x < right and top < y < bottom, name  # noqa: PT018  # one area


def test_homes_that_nobody_has_are_no_places() -> None:
    two = Options(players=2)
    assert SneakyView(two).places(scene(options=two)).keys().isdisjoint(("i11", "k9", "a1", "c1"))


@pytest.mark.parametrize("touched", [("f6", "b9"), ("a9", "c10", "b9"), ("b8", "throw3", "b9", "b8"), ("b10", "f10", "e10"), ("nowhere",)])
def test_nothing_follows_a_step_that_cannot_go_on(touched: tuple[str, ...]) -> None:
    assert VIEW.places(CROWD, touched) == {}
