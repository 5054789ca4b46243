"""Rulings 10 to 12 of Sneaky Octopuses and what the fine points add to them: noise, walks and showers."""

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.changes import RULES, check_changes, facts
from tests.games.sneaky_octopuses.scenes import listed, play, scene
from turnserver.games.sneaky_octopuses.board import NAMES
from turnserver.games.sneaky_octopuses.happenings import Heard, Saw
from turnserver.games.sneaky_octopuses.position import Options
from turnserver.games.sneaky_octopuses.resolve import resolve

SHOWERED = {"north": "e11 south", "east": "k7 west", "south": "g1 north", "west": "a5 east"}


def awake(keepers: str) -> str:
    """These keepers are outside the showers, and the others in them."""
    outside = dict(one.split(maxsplit=1) for one in listed(keepers))
    return ", ".join(f"{side} {where}" for side, where in (SHOWERED | outside).items())


@for_each(
    ("octopuses", "keepers", "fish", "steps", "expected"),
    [
        pytest.param("Blue Squirt f4", "north f8 south", "3 e4", "Squirt steal e4", "3 f4, north f7 south", id="who sees it takes a step"),
        pytest.param("Blue Squirt f4", "north f8 east", "3 e4", "Squirt steal e4", "3 f4, north f8 south", id="who hears it turns"),
        pytest.param("Blue Squirt f4", "north f8 north", "3 e4", "Squirt steal e4", "3 f4, north f8 south", id="also from behind"),
        pytest.param("Blue Squirt d4", "north f8 south", "3 c4", "Squirt steal c4", "3 d4", id="out of its lines a keeper notices nothing"),
        pytest.param("Blue Squirt f4", "north f5 south", "3 e4", "Squirt steal e4", "3 f4, north f4 south, Blue Squirt home", id="caught"),
        pytest.param("Blue Squirt f4", "north f5 east", "3 e4", "Squirt steal e4", "3 f4, north f5 south", id="who turns stays"),
        pytest.param("Blue Squirt f4", "", "3 e4", "Squirt steal e4", "3 f4", id="nobody reacts in a shower"),
        pytest.param("Blue Squirt f4", "north f11 south", "3 e4", "Squirt steal e4", "3 f4, north f10 south", id="out of an entrance"),
        pytest.param("Blue Tako f4", "north f5 south", "3 e4", "Tako steal e4", "3 f4", id="Tako steals silently"),
        pytest.param("Blue Tako f4", "north f5 south", "3 f4", "Tako throw 3 f3", "3 f3", id="Tako throws silently"),
        pytest.param("Blue Tako f4", "north f6 south", "", "Tako move f4-f5", "Blue Tako f5", id="Tako moves silently"),
        pytest.param("", "north b8 north", "", "Tako escape b9", "Blue Tako b9", id="Tako escapes silently"),
        pytest.param("", "north b2 north", "", "Squirt escape b9", "Blue Squirt b9, north b3 north", id="an escape sounds where it ends"),
        pytest.param("Blue Squirt f4", "north f8 south", "", "Squirt move f4-g4-h4", "Blue Squirt h4, north f7 south", id="a move's start"),
        pytest.param("Blue Squirt h4", "north f8 south", "", "Squirt move h4-g4-f4", "Blue Squirt f4, north f7 south", id="a move's end"),
        pytest.param(
            "Blue Squirt g4", "north f8 south", "", "Squirt move g4-f4-g4", "north f7 south", id="a move's middle; and one to nowhere"
        ),
        pytest.param("Blue Squish d6", "north b8 east", "", "Squish move d6-d8", "Blue Squish d8, north c8 east", id="beyond a squeeze"),
        pytest.param("Blue Speedy c10", "north f7 north", "", "Speedy slide j10", "Blue Speedy j10, north f8 north", id="a slide's middle"),
        pytest.param("Blue Squirt b10", "north f7 north", "3 b10", "Squirt throw 3 j10", "3 j10, north f8 north", id="a throw's middle"),
        pytest.param("Blue Squirt f4", "north j8 west", "3 f4", "Squirt throw 3 j4", "3 j4, north j8 south", id="a throw's end"),
        pytest.param("Blue Squirt c10", "north f7 west", "", "Squirt ink E", "north f7 north", id="a jet's middle"),
        pytest.param("Blue Squirt c10", "north j7 west", "", "Squirt ink E", "north j7 north", id="a jet's end"),
        pytest.param("Blue Squirt f4", "north j4 north", "", "Squirt ink N", "north j4 west", id="a jet's beginning"),
        pytest.param(
            "Blue Squirt b9",
            "north b4 north",
            "3 b9, 3 c9, 3 d9, 3 e9",
            "Squirt throw 3 home",
            "Blue home 3, north b5 north",
            id="fine point: home",
        ),
        pytest.param(
            "Blue Squirt b9",
            "north b8 north, west b4 north",
            "",
            "Squirt move b9-b8; shower a5",
            "Blue Squirt home, north a5 east, west b5 north",
            id="after a contact, when the keeper is in its shower",
        ),
        pytest.param(
            "Blue Squirt f8, Red Tako f5",
            "south f2 north",
            "",
            "Squirt ink S",
            "Red Tako home, south f3 north",
            id="who is hit hides nothing any more",
        ),
    ],
)
def test_ruling_10_noise(octopuses: str, keepers: str, fish: str, steps: str, expected: str) -> None:
    check_changes(scene(octopuses, keepers=awake(keepers), fish=fish), steps, expected)


@for_each(
    ("octopuses", "keepers", "fish", "steps", "expected"),
    [
        pytest.param("Blue Squirt f4, Red Tako f6", "north f8 south", "3 e4", "Squirt steal e4", "3 f4", id="an octopus hides it"),
        pytest.param("Blue Squirt f4, Blue Tako f6", "north f8 south", "3 e4", "Squirt steal e4", "3 f4", id="a team-mate too"),
        pytest.param(
            "Blue Squirt f4", "north f9 south, south f6 north", "3 e4", "Squirt steal e4", "3 f4, south f6 south", id="a keeper hides it"
        ),
        pytest.param(
            "Blue Squirt f4", "north f8 south", "3 e4, 1 f6", "Squirt steal e4", "3 f4, north f7 south", id="fine point: fish do not"
        ),
        pytest.param("Blue Squirt e10", "north b8 east", "3 e9", "Squirt steal e9", "3 e10", id="tanks do"),
        pytest.param(
            "Blue Tako f6, Blue Squirt f4",
            "north f8 south",
            "3 f6",
            "Tako throw 3 f4; Squirt throw 3 h4",
            "3 h4, north f7 south",
            id="who handled the chain hides nothing: behind Tako Squirt is seen",
        ),
        pytest.param(
            "Blue Squirt g4, Blue Tako f4",
            "north f5 south",
            "",
            "Squirt move g4-f4-f3",
            "Blue Squirt f3, Blue Tako home, north f4 south",
            id="fine point: the noisy square may be occupied",
        ),
        pytest.param(
            "Blue Squirt f4, Blue Speedy h4",
            "north f8 south",
            "3 f4",
            "Squirt throw 3 h4; Speedy throw 3 f4",
            "north f7 south",
            id="fine point: one round of reactions to a chain",
        ),
        pytest.param(
            "Blue Squirt f8, Blue Speedy f10, Blue Squish b10",
            "south f6 north",
            "3 f8",
            "Squirt throw 3 f10; Speedy throw 3 b10; Squish throw 3 b6",
            "3 b6, south f6 west",
            id="the last noise in line counts, not the nearest",
        ),
        pytest.param(
            "Blue Squirt f10, Blue Squish b10",
            "north f8 west, south f6 north",
            "3 f10",
            "Squirt throw 3 b10; Squish throw 3 b8",
            "3 b8, north e8 west, south f7 north",
            id="each sees what the ones before did: the north keeper has left the line",
        ),
        pytest.param(
            "Blue Squirt f4",
            "north f5 south, south f3 north",
            "3 e4",
            "Squirt steal e4",
            "3 f4, north f4 south, Blue Squirt home",
            id="rank 5 comes before rank 3, and no keeper steps onto another",
        ),
        pytest.param(
            "Blue Squirt g4",
            "north f4 east, south h4 west",
            "3 g5",
            "Squirt steal g5",
            "3 g4, north g4 east, Blue Squirt home",
            id="in a rank file a comes first",
        ),
        pytest.param(
            "Blue Squirt f4",
            "south f5 south, north f3 north",
            "3 e4",
            "Squirt steal e4",
            "3 f4, south f4 south, Blue Squirt home",
            id="rank 5 before rank 3, whichever keeper it is",
        ),
        pytest.param(
            "Blue Squirt g4",
            "south f4 east, north h4 west",
            "3 g5",
            "Squirt steal g5",
            "3 g4, south g4 east, Blue Squirt home",
            id="file f before file h, whichever keeper it is",
        ),
        pytest.param(
            "Blue Squirt f2, Blue Tako f4, Blue Speedy f6",
            "north f8 south",
            "3 f2",
            "Squirt throw 3 f4; Tako throw 3 f6; Speedy keep",
            "3 f6, north f7 south",
            id="who keeps the fish at the end of a chain hides nothing either",
        ),
    ],
)
def test_ruling_10_who_reacts_to_what(octopuses: str, keepers: str, fish: str, steps: str, expected: str) -> None:
    check_changes(scene(octopuses, keepers=awake(keepers), fish=fish), steps, expected)


def test_ruling_10_fine_point_the_winning_throw_ends_the_game_before_any_reaction() -> None:
    before = scene("Blue Squirt b9", keepers=awake("north b8 north"), fish="3 b9", home="Blue 3 3 3")
    check_changes(before, "Squirt throw 3 home", "Blue home 3")


@pytest.mark.parametrize(
    ("octopuses", "keepers", "step", "noise"),
    [
        pytest.param("Blue Squirt f6, Blue Tako f5", "north f8 south", "Squirt move f6-f5-f4", "f5", id="fine point: who is passed hides"),
        pytest.param("Blue Squirt f4", "north f8 south", "Squirt move f4-f5-f6", "f6", id="the last, not the first"),
        pytest.param("Blue Squirt d6", "east k6 west", "Squirt ink W", "a6", id="fine point: a jet sounds in an empty entrance"),
    ],
)
def test_ruling_10_which_noise_counts(octopuses: str, keepers: str, step: str, noise: str) -> None:
    state = scene(octopuses, keepers=awake(keepers))
    _, happened = resolve(Options(), state, RULES.parse(state, step))
    assert [NAMES[one.noise] for one in happened if isinstance(one, Saw | Heard)] == [noise]


@for_each(
    ("start", "octopuses", "die", "expected"),
    [
        pytest.param("north f6 north", "", 1, "north f8 north", id="1: forward, forward"),
        pytest.param("north f6 north", "", 2, "north f8 north", id="2: the same"),
        pytest.param("north f8 south", "", 3, "north f6 south", id="3: forward; tanks to the right and left, so on"),
        pytest.param("north b9 north", "", 3, "north c10 east", id="3: forward, right, forward"),
        pytest.param("north j9 north", "", 4, "north i10 west", id="4: forward, left, forward"),
        pytest.param("north f6 north", "", 5, "north h6 east", id="5: right, forward, forward"),
        pytest.param("north f6 north", "", 6, "north d6 west", id="6: left, forward, forward"),
        pytest.param("north b10 north", "", 1, "north d10 east", id="odd: turns right until there is a way"),
        pytest.param("north b10 north", "", 2, "north b8 south", id="even: turns left until there is a way"),
        pytest.param("north b9 north", "", 4, "north c10 east", id="never back to where it began"),
        pytest.param("north b6 west", "", 1, "north b8 north", id="never into an entrance"),
        pytest.param("north b6 west, west h8 north", "", 1, "north b8 north", id="nor into one where nobody stands"),
        pytest.param("north f11 south", "", 1, "north f9 south", id="out of an entrance"),
        pytest.param("north f11 south", "", 6, "north f9 south", id="out of an entrance there is one way"),
        pytest.param("north f6 north, west f7 south", "", 1, "north h6 east", id="never into a keeper"),
        pytest.param("north f6 north", "Red Tako f7", 1, "north f7 north, Red Tako home", id="fine point: a catch ends the walk"),
        pytest.param("north f6 north", "Red Tako f8, Blue Tako f9", 1, "north f8 north, Red Tako home", id="also at its end"),
        pytest.param("north d4 north, west d5 north, east d3 north", "", 1, "", id="it can go nowhere"),
        pytest.param("north d4 north, west d5 north, east d3 north", "", 5, "", id="fine point: and keeps its facing"),
        pytest.param("north d3 north, west d5 north", "", 3, "north d4 north", id="fine point: also after a step"),
        pytest.param("north e11 south", "", 5, "north f10 south", id="5: out of a shower and on"),
        pytest.param("north e11 south", "", 4, "north f11 south", id="4: it is no further than the clearing takes it"),
        pytest.param("north e11 south, west f10 north", "", 6, "north f11 south", id="6: as far as it is free"),
        pytest.param("north e11 south, west f11 south", "", 6, "", id="not out of the shower if the entrance is taken"),
        pytest.param("north e11 south", "Blue Tako f10", 6, "north f10 south, Blue Tako home", id="onto an octopus"),
    ],
)
def test_ruling_11_walks(start: str, octopuses: str, die: int, expected: str) -> None:
    before = scene(octopuses, keepers=start, fish="3 f7, 4 c10")
    check_changes(before, f"keeper {start.split()[1]}; die {die}", expected)


@for_each("die", [1, 2, 3, 4])
def test_ruling_11_a_keeper_stays_in_its_shower_on_1_to_4(die: int) -> None:
    named, _ = play(scene(keepers="north e11 south, west f11 south"), "keeper e11")
    after, _ = play(named, f"die {die}")
    assert list(facts(after, Options())) == list(facts(named, Options()))


@for_each(
    ("keepers", "steps", "expected"),
    [
        pytest.param(
            awake(""),
            "keeper e11; die 1",
            "north f11 south, east k6 west, south f1 north, west a6 east",
            id="out of every shower, facing the floor",
        ),
        pytest.param("north e11 north, west f11 south", "keeper k6; die 1", "east i6 west", id="not if a keeper stands in the entrance"),
        pytest.param(
            "north e11 south, west f11 south", "keeper f11; die 1", "west f9 south, north f11 south", id="it may have left this turn"
        ),
        pytest.param("north a5 east, west b6 east", "keeper k6; die 1", "north a6 east, east i6 west", id="whichever keeper it is"),
    ],
)
def test_ruling_12_the_showers_are_cleared(keepers: str, steps: str, expected: str) -> None:
    check_changes(scene(keepers=keepers), steps, expected)
