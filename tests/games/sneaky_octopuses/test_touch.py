"""Touching the aquarium: each step is played by its touches, whatever can follow can be touched, and the rest is refused."""

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.scenes import play, scene
from tests.games.touched import played, refused
from turnserver.games.sneaky_octopuses.board import at
from turnserver.games.sneaky_octopuses.picture import SEATS_AT_HOME, centre
from turnserver.games.sneaky_octopuses.position import Options, Position
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.games.sneaky_octopuses.view import SneakyView
from turnserver.rules import Seat

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


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_touched_at_a_roll(players: int) -> None:
    rules, view = SneakyRules(Options(players=players)), SneakyView(Options(players=players))
    assert played(rules, view, rules.start(), "") == ("", "")
    assert {tuple(view.touches(rules.start(), step)) for step in rules.steps(rules.start())} == {()}


@for_each(("state", "touched", "steps", "follow"), CASES.values(), ids=CASES)
def test_touches_play_and_are_followed(state: Position, touched: str, steps: str, follow: str) -> None:
    assert played(RULES, VIEW, state, touched) == (steps, follow)
    assert set(follow.split()) <= VIEW.places(state, tuple(touched.split())).keys()
    if steps:
        assert RULES.format(state, RULES.parse(state, VIEW.written(state, tuple(touched.split())))) in steps.split("; ")


REFUSED = {
    "no piece of one's own": (CROWD, "f8", "There is no keeper on f8."),
    "out already": (CROWD, "b11", "Speedy has left home already and is on b10."),
    "acted": (BOTH_OUT, "b9", "Tako has acted already this turn."),
    "acted, and home again": (BOTH_OUT._replace(octopuses=scene().octopuses), "b11", "Speedy has acted already this turn."),
    "shut in": (SHUT_IN, "b11", "Your Squish is on b9 already."),
    "no way out": (CROWD, "a9 e5", "The square e5 doesn't touch Blue's home tank."),
    "not next to it": (CROWD, "b8 b6", "The squares b8 and b6 aren't next to each other."),
    "someone in the way of a slide": (CROWD, "b10 b4", "The west keeper is in the way on b6."),
    "a wall": (CROWD, "b8 a8", "There is a wall on a8."),
    "a tank elsewhere": (CROWD, "d10 c9", "The square c9 is not next to Squish on d10."),
    "an empty tank": (SQUEEZER, "d8 d7", "There is no fish left on d7."),
    "a tank on the way": (CROWD, "b8 c8 c7", "There is a fish tank on c7."),
    "an opponent": (CROWD, "b8 c8 d8", "Red's Squish is on d8."),
    "too far": (CROWD, "b8 b9 b8 b9 c9", "A move goes at most 3 squares, and this one goes 4."),
    "fish under a mate": (HELD, "b9 b8 take4", "Your Squish is on the fish on b8"),
    "a throw round a corner": (HOLDER, "b9 throw3 c10", "There is no straight way across the floor from b9 to c10."),
    "home from afar": (CROWD, "b8 throw4 home", "You can throw fish home only from b9, b10 or c10, and Tako is on b8."),
    "ink out of a corner": (scene("Blue Squirt b10"), "b10 ink", "Squirt is in the corner b10"),
    "ink at a tank": (INKER, "f8 ink g8", "There is no open square east of f8 for the ink."),
    "a throw on, past somebody": (CHAIN, "b7", "Your Tako is in the way on b8"),
    "a shower that is taken": (CAUGHT, "e11", "There is a keeper in the shower e11 already."),
    "no shower": (CAUGHT, "b8", "There is no shower on b8."),
    "no place": (CROWD, "b8 nowhere", '"Tako move b8-nowhere" isn\'t a step in Sneaky Octopuses.'),
    "ink at what stands behind another": (INKER, "f8 ink f4", '"Squirt ink f4" isn\'t a step'),
    "more than a step": (CROWD, "k6 b8", '"keeper k6 b8" isn\'t a step'),
    "nothing": (CAUGHT, "", '"shower" isn\'t a step'),
}


@for_each(("state", "touched", "reason"), REFUSED.values(), ids=REFUSED)
def test_touches_are_refused_as_steps_are(state: Position, touched: str, reason: str) -> None:
    assert refused(RULES, VIEW, state, touched).startswith(reason)


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


@for_each(("state", "touched", "name", "words"), WORDS.values(), ids=WORDS)
def test_places_are_said_in_words(state: Position, touched: str, name: str, words: str) -> None:
    assert VIEW.places(state, tuple(touched.split()))[name].words == words


def test_places_lie_where_the_picture_shows_them() -> None:
    squares = VIEW.places(CROWD)
    assert squares["b10"].centre == centre(at("b10"))
    # the wide place of a throw home holds the dot that marks it
    for seat, name in enumerate(VIEW.seat_names, start=1):
        home = VIEW.places(CHAIN._replace(seat=Seat(seat)), ())["home"]
        (left, right), (top, bottom) = ((min(along), max(along)) for along in zip(*home.outline, strict=True))
        x, y = centre(SEATS_AT_HOME[seat - 1][0])
        assert left < x < right and top < y < bottom, name  # noqa: PT018  # one area


def test_homes_that_nobody_has_are_no_places() -> None:
    two = Options(players=2)
    assert SneakyView(two).places(scene(options=two)).keys().isdisjoint(("i11", "k9", "a1", "c1"))


@for_each("touched", [("f6", "b9"), ("a9", "c10", "b9"), ("b8", "throw3", "b9", "b8"), ("b10", "f10", "e10"), ("nowhere",)])
def test_nothing_follows_a_step_that_cannot_go_on(touched: tuple[str, ...]) -> None:
    assert VIEW.places(CROWD, touched) == {}
