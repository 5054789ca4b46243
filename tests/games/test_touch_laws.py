"""The laws of every view that is a board to play on by touch, with every kind of option."""

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from tests.games.sneaky_octopuses.positions import strewn
from tests.games.test_laws import every_game, sample
from tests.games.told import SHOUTING, quiet
from turnserver import games
from turnserver.errors import Illegal
from turnserver.rules import Choose, Game
from turnserver.rules.place import SMALLEST, Outline, Place, Touches
from turnserver.rules.svg import WIDTH, Point
from turnserver.rules.touch import reach, why_not

pytestmark = pytest.mark.thorough

AnyGame = Game[Any, Any]
SIZES = (*(("take", size) for size in range(2, 9)), *(("okago", size) for size in range(5, 9)))
"""All sizes of boards: each has a picture of its own."""
MOST = 12
"""The number of sequences, places or beginnings of a position that are looked at, where there are many."""
SHORT = 150
"""The number of steps up to which every way to touch is gone."""


def all_games() -> Iterator[Any]:
    """Every choice of options, each game once; `make test` has two of each kind, `make long` the others."""
    found = {game: quick for game, _, quick in every_game()}
    found = {**dict.fromkeys((games.find(key, size=size) for key, size in SIZES), False), **found}
    for game, quick in found.items():
        yield pytest.param(game, id=described(game), marks=() if quick else pytest.mark.long)


def described(game: AnyGame) -> str:
    return " ".join(map(str, (game.entry.key, *vars(game.options).values())))


class Board(NamedTuple):
    """A position of a game, and all sequences of touches in it as a tree."""

    game: AnyGame
    view: Any
    state: Any
    sequences: dict[Any, Sequence[Touches]]
    tree: dict[Touches, dict[str, None]]
    """The places that can be touched next, by those that were touched before."""

    def places(self, touched: Touches) -> dict[str, Place]:
        return dict(self.view.places(self.state, touched))


def board(game: AnyGame, state: Any) -> Board:
    view: Any = game.view
    sequences = {step: view.touches(state, step) for step in game.rules.steps(state)}
    tree: dict[Touches, dict[str, None]] = {(): {}}
    for sequence in itertools.chain.from_iterable(sequences.values()):
        for length, name in enumerate(sequence):
            tree.setdefault(sequence[:length], {})[name] = None
        tree.setdefault(sequence, {})
    return Board(game, view, state, sequences, tree)


def elsewhere(game: AnyGame) -> Iterator[Any]:
    """Positions that random games hardly lead to."""
    if game.entry.key == "sneaky-octopuses" and game is games.find("sneaky-octopuses", players=game.rules.seats):
        yield from strewn(game.rules, 8, seed=0)


@pytest.fixture(scope="module", params=list(all_games()))
def boards(request: pytest.FixtureRequest) -> list[Board]:
    """Positions in which somebody chooses: of random games, the first ones among them, and some others."""
    game = request.param
    states = dict.fromkeys((*(state for state, _ in sample(game, 0)), *elsewhere(game)))
    return [board(game, state) for state in states if isinstance(game.rules.next(state), Choose)]


@pytest.fixture
def chance() -> random.Random:
    return random.Random(0)  # noqa: S311  # the same choice each time


def some(found: Sequence[Any], chance: random.Random) -> Sequence[Any]:
    return found if len(found) <= MOST else chance.sample(found, MOST)


def test_each_step_is_played_by_each_of_its_sequences(boards: list[Board], chance: random.Random) -> None:
    for one in boards:
        assert all(one.sequences.values())
        pairs = [(step, sequence) for step, several in one.sequences.items() for sequence in several]
        assert len(set(pairs)) == len(pairs)
        for step, sequence in some(pairs, chance):
            for length, name in enumerate(sequence):
                assert name in reach(one.game.rules, one.view, one.state, sequence[:length]).follow
            assert step in reach(one.game.rules, one.view, one.state, sequence).steps


def test_touches_reach_each_step_and_no_other(boards: list[Board]) -> None:
    few = [one for one in boards if len(one.sequences) <= SHORT]
    assert few or min(len(one.sequences) for one in boards) > SHORT
    for one in few:
        found: set[Any] = set()
        ways: list[Touches] = [()]
        while ways:
            way = ways.pop()
            steps, follow = reach(one.game.rules, one.view, one.state, way)
            assert steps or follow
            found.update(steps)
            ways += [(*way, name) for name in follow]
        assert found == set(one.game.rules.steps(one.state))


def test_whatever_can_follow_is_a_place(boards: list[Board], chance: random.Random) -> None:
    for one in boards:
        for touched in some(list(one.tree), chance):
            assert one.tree[touched].keys() <= one.places(touched).keys(), touched


def test_places_are_the_same_each_time_and_have_names_and_words(boards: list[Board], chance: random.Random) -> None:
    for one in boards:
        for touched in some(list(one.tree), chance):
            here = one.places(touched)
            assert list(here.items()) == list(one.places(touched).items())
            assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in here)
            assert all(place.words and place.words.isascii() and not set("<>&\n") & set(place.words) for place in here.values())
            assert len({place.words for place in here.values()}) == len(here), "each is heard as another one"


def test_words_are_told_in_other_languages(boards: list[Board], chance: random.Random) -> None:
    for one in boards:
        words = {place.words for touched in some(list(one.tree), chance) for place in one.places(touched).values()}
        assert [left for text in words for left in quiet("place", text, ())] == [], SHOUTING


def size(picture: str) -> tuple[float, float]:
    """The width and the height of a picture in its own units."""
    _, _, wide, high = map(float, ET.fromstring(picture).attrib["viewBox"].split())  # noqa: S314  # our own picture
    return wide, high


def spans(outline: Outline) -> tuple[tuple[float, float], ...]:
    return tuple((min(along), max(along)) for along in zip(*outline, strict=True))


def overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return whether two convex areas share more than an edge: no side of either has them on its two sides."""
    for area in (one, other):
        for (x, y), (next_x, next_y) in zip(area, (*area[1:], area[0]), strict=True):
            near, far = ([(next_y - y) * a - (next_x - x) * b for a, b in points] for points in (one, other))
            if max(near) <= min(far) + 1e-6 or max(far) <= min(near) + 1e-6:
                return False
    return True


def pairs_near(outlines: Sequence[Outline]) -> Iterator[tuple[Outline, Outline]]:
    """The pairs of areas of which the one begins above the end of the other: no others can overlap."""
    ordered = sorted(outlines, key=lambda outline: spans(outline)[1])
    for place, one in enumerate(ordered):
        below = itertools.takewhile(lambda other: spans(other)[1][0] < spans(one)[1][1], ordered[place + 1 :])  # noqa: B023  # taken at once
        yield from ((one, other) for other in below)


def test_places_that_can_follow_are_apart_and_in_the_picture(boards: list[Board], chance: random.Random) -> None:
    wide, high = size(boards[0].view.svg(boards[0].state))
    for one in boards:
        for touched in some(list(one.tree), chance):
            here = one.places(touched)
            for place in here.values():
                for x, y in place.outline:
                    assert 0 <= x <= wide
                    assert 0 <= y <= high
            following = [here[name].outline for name in one.tree[touched] if here[name].outline]
            assert not any(overlap(*pair) for pair in pairs_near(following)), touched


def test_each_step_has_touches_that_a_finger_can_tell_apart(boards: list[Board]) -> None:
    """At least one sequence of each step is of places as large as fingers need, and of buttons."""
    wide, _ = size(boards[0].view.svg(boards[0].state))
    least = SMALLEST * wide / WIDTH - 1e-6

    def fits(place: Place) -> bool:
        return not place.outline or all(end - begin >= least for begin, end in spans(place.outline))

    for one in boards:
        large = {(*touched, name) for touched in one.tree for name, place in one.places(touched).items() if fits(place)}
        for step, several in one.sequences.items():
            assert any(all(way[: length + 1] in large for length in range(len(way))) for way in several), step


def test_a_touch_that_leads_nowhere_is_refused_by_its_rule(boards: list[Board], chance: random.Random) -> None:
    astray = 0
    for one in boards:
        for touched in some(list(one.tree), chance):
            for name in some([name for name in one.places(touched) if name not in one.tree[touched]], chance):
                astray, way = astray + 1, (*touched, name)
                with pytest.raises(Illegal) as refused:
                    one.game.rules.parse(one.state, one.view.written(one.state, way))
                assert refused.value.code not in ("illegal", "over", "off_board"), way
                assert why_not(one.game.rules, one.view, one.state, way) == refused.value.message
    assert astray


def test_touches_at_random_are_refused(boards: list[Board], chance: random.Random) -> None:
    """Such as an address of a page that was changed by hand."""
    for one in boards:
        names = sorted({name for touched in some(list(one.tree), chance) for name in (*touched, *one.places(()))})
        for touched in some(list(one.tree), chance):
            way = (*touched, *chance.choices(names, k=chance.randint(1, 2)))
            if reach(one.game.rules, one.view, one.state, way) == ((), ()):
                assert why_not(one.game.rules, one.view, one.state, way) != "Nothing can be played there.", way


def test_what_a_step_says_is_what_its_touches_say(boards: list[Board], chance: random.Random) -> None:
    """The text that touches stand for is read as a step that they play, or asks which one."""
    for one in boards:
        for step, several in some(list(one.sequences.items()), chance):
            for way in several:
                told = one.game.rules.parse(one.state, one.view.written(one.state, way))
                assert told in reach(one.game.rules, one.view, one.state, way).steps, (step, way)
