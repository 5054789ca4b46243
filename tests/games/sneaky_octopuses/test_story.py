"""The story of a turn of Sneaky Octopuses."""

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.scenes import scene
from turnserver.games.sneaky_octopuses.position import Options, Position
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.games.sneaky_octopuses.view import SneakyView

OPTIONS = Options()


def told(state: Position, steps: str) -> list[str]:
    rules, view = SneakyRules(OPTIONS), SneakyView(OPTIONS)
    sentences: list[str] = []
    for text in steps.split(";"):
        step = rules.parse(state, text.strip())
        sentences += view.tell(state, step)
        state = rules.apply(state, step)
    return sentences


@for_each(
    ("state", "steps", "expected"),
    [
        pytest.param(scene(), "Speedy escape b9", ["Blue's Speedy escapes to b9."], id="an escape that nobody hears"),
        pytest.param(scene("Blue Squirt b9"), "Squirt move b9-b8-c8", ["Blue's Squirt goes from b9 to c8."], id="a move with empty arms"),
        pytest.param(
            scene("Blue Squirt b9", fish="1 b9, 5 b9, 5 b9, 3 b9"),
            "Squirt move b9+3-b8-c8",
            ["Blue's Squirt goes from b9 to c8 with the yellow fish, leaving the red and the two black fish behind."],
            id="one fish comes along, the others stay",
        ),
        pytest.param(
            scene("Blue Squirt b9", fish="1 b9, 2 b9, 3 b9, 4 b9, 4 b9"),
            "Squirt move b9-b8",
            ["Blue's Squirt goes from b9 to b8, leaving 5 fish behind."],
            id="more than can be listed",
        ),
        pytest.param(
            scene("Blue Squirt b9", fish="1 b9, 4 b8, 2 c8"),
            "Squirt move b9+1-b8+4-c8+2-d8",
            [
                "Blue's Squirt goes from b9 to d8 with the red fish.",
                "On b8 Squirt picks up the white fish and leaves the red one there.",
                "On c8 Squirt picks up the orange fish and leaves the white one there.",
            ],
            id="fish swapped on the way",
        ),
        pytest.param(
            scene("Blue Squirt b9", fish="1 b9, 4 b8"),
            "Squirt move b9-b8+4-c8",
            ["Blue's Squirt goes from b9 to c8, leaving the red fish behind.", "On b8 Squirt picks up the white fish."],
            id="a fish picked up",
        ),
        pytest.param(scene("Blue Squish d10"), "Squish move d10-d8-e8", ["Blue's Squish goes from d10 to e8."], id="under a tank"),
        pytest.param(
            scene("Blue Speedy b9"),
            "Speedy slide b3",
            [
                "Blue's Speedy goes from b9 to b3.",
                "The west keeper sees what is going on at b6 and steps to b6.",
                "The east keeper sees what is going on at b6 and steps to j6.",
            ],
            id="a slide that somebody sees",
        ),
        pytest.param(
            scene("Blue Squirt f8", fish="2 g8", keepers="north f10 west"),
            "Squirt steal g8",
            [
                "Blue's Squirt steals the orange fish from g8.",
                "The north keeper hears a noise on f8 and turns south.",
                "The south keeper sees what is going on at f8 and steps to f2.",
            ],
            id="one keeper hears and one sees",
        ),
        pytest.param(
            scene("Blue Speedy c10", keepers="north f11 south, east g10 west"),
            "Speedy move c10-d10-e10-f10",
            [
                "Blue's Speedy goes from c10 to f10.",
                "The north keeper sees what is going on at f10 and steps to f10 and catches Blue's Speedy.",
                "The east keeper sees what is going on at f10, but cannot come closer.",
                "The south keeper sees what is going on at f10 and steps to f2.",
            ],
            id="ruling 10: a catch, and no room for the second keeper",
        ),
        pytest.param(
            scene("Blue Squirt b9", fish="3 b9"), "Squirt throw 3 b7", ["Blue's Squirt throws the yellow fish from b9 to b7."], id="a throw"
        ),
        pytest.param(
            scene("Blue Squirt b9", fish="3 b9, 2 c9, 2 c7, 2 g9, 2 i9", home="Blue 3 3 1"),
            "Squirt throw 3 home",
            ["Blue's Squirt throws the yellow fish home for 3 points; Blue has 7 now."],
            id="the third fish of a colour",
        ),
        pytest.param(
            scene("Blue Squirt b9", fish="3 b9, 2 c9, 2 c7, 2 g9, 2 i9"),
            "Squirt throw 3 home",
            ["Blue's Squirt throws the yellow fish home for 1 point; Blue has 1 now."],
            id="the first fish of a colour",
        ),
        pytest.param(
            scene("Blue Squirt b8, Red Speedy e8", fish="3 b8"),
            "Squirt throw 3 e8",
            ["Blue's Squirt throws the yellow fish from b8 at Red's Speedy on e8, who goes home."],
            id="a fish that hits an opponent",
        ),
        pytest.param(
            scene("Blue Squirt c8, Blue Tako e8, Blue Squish e10", fish="3 c8"),
            "Squirt throw 3 e8; Tako keep",
            ["Blue's Squirt throws the yellow fish from c8 to Tako on e8.", "Blue's Tako keeps the yellow fish."],
            id="a fish for a team-mate",
        ),
        pytest.param(
            scene("Blue Squirt c8, Blue Tako e8", fish="3 c8"),
            "Squirt throw 3 e8; Tako throw 3 c8",
            [
                "Blue's Squirt throws the yellow fish from c8 to Tako on e8.",
                "Blue's Tako throws the yellow fish from e8 to Squirt on c8, who keeps it.",
            ],
            id="ruling 7: nobody handles a chain twice",
        ),
        pytest.param(
            scene("Blue Squirt f9", fish="3 f9"),
            "Squirt throw 3 f11; shower e11",
            [
                "Blue's Squirt throws the yellow fish from f9 at the north keeper on f11; the fish stays on f10.",
                "The north keeper is sent to the shower at e11.",
                "The south keeper sees what is going on at f11 and steps to f2.",
            ],
            id="fine point: no fish rests in an entrance",
        ),
        pytest.param(
            scene("Blue Squirt b8", keepers="west c8 north"),
            "Squirt ink E; shower k7",
            ["Blue's Squirt shoots ink east from b8 at the west keeper on c8.", "The west keeper is sent to the shower at k7."],
            id="ink at a keeper",
        ),
        pytest.param(
            scene("Blue Squirt b9, Blue Tako b7"),
            "Squirt ink S",
            ["Blue's Squirt shoots ink south from b9 at Tako on b7, who goes home."],
            id="ink at one's own",
        ),
        pytest.param(
            scene("Blue Squirt d10, Red Tako j10", keepers="north e8 south"),
            "Squirt ink E",
            [
                "Blue's Squirt shoots ink east from d10 at Red's Tako, who is safe in the corner j10.",
                "The south keeper sees what is going on at f10 and steps to f2.",
            ],
            id="ruling 8: corners are safe",
        ),
        pytest.param(
            scene("Blue Squirt c8"),
            "Squirt ink W",
            ["Blue's Squirt shoots ink west from c8 as far as b8 and hits nobody."],
            id="ink that hits nobody",
        ),
        pytest.param(
            scene("Blue Squirt b8", fish="3 b8", keepers="west c8 east"),
            "Squirt move b8+3-c8; shower a5",
            [
                "Blue's Squirt goes from b8 to c8 with the yellow fish.",
                "Blue's Squirt runs into the west keeper on c8 and goes home.",
                "The west keeper is sent to the shower at a5.",
            ],
            id="ruling 6: an octopus runs into a keeper",
        ),
        pytest.param(
            scene(keepers="north f9 east"),
            "keeper f9; die 5",
            ["The die shows 5: the north keeper walks from f9 by f8 to f7."],
            id="ruling 11: a walk",
        ),
        pytest.param(
            scene("Red Tako f8", keepers="north f9 south"),
            "keeper f9; die 1",
            ["The die shows 1: the north keeper walks from f9 to f8 and catches Red's Tako."],
            id="ruling 11: a catch ends the walk",
        ),
        pytest.param(
            scene(keepers="north e11 south, east f10 north"),
            "keeper e11; die 4",
            ["The die shows 4: the north keeper stays in the shower.", "The north keeper comes out of the shower to f11."],
            id="ruling 12: the shower is cleared",
        ),
        pytest.param(
            scene(keepers="north e11 south"),
            "keeper e11; die 6",
            ["The die shows 6: the north keeper leaves the shower by f11 to f10."],
            id="ruling 11: out of the shower on a six",
        ),
        pytest.param(
            scene(keepers="east f10 south"),
            "keeper f11; die 2",
            ["The die shows 2: the north keeper stays on f11."],
            id="ruling 11: nowhere to go",
        ),
        pytest.param(scene(), "keeper f11", [], id="the named keeper waits for the die"),
    ],
)
def test_it_is_told(state: Position, steps: str, expected: list[str]) -> None:
    assert told(state, steps) == expected


def test_the_example_of_the_rule_sheet_goes_as_it_says() -> None:
    state = scene("Blue Speedy c10")
    assert told(state, "Speedy move c10-d10-e10-f10; Tako escape b10; Squirt escape c10; Squish escape b9") == [
        "Blue's Speedy goes from c10 to f10.",
        "The north keeper sees what is going on at f10 and steps to f10 and catches Blue's Speedy.",
        "The south keeper sees what is going on at f10 and steps to f2.",
        "Blue's Tako escapes to b10.",
        "Blue's Squirt escapes to c10.",
        "The north keeper hears a noise on c10 and turns west.",
        "Blue's Squish escapes to b9.",
    ]


def test_the_deal_takes_one_sentence_and_the_draw_another() -> None:
    rules, view = SneakyRules(OPTIONS), SneakyView(OPTIONS)
    state = rules.start()
    sentences: list[str] = []
    while not state.dealt:
        step = rules.steps(state)[0]
        sentences += view.tell(state, step)
        state = rules.apply(state, step)
    names = {1: "red", 2: "orange", 3: "yellow", 4: "white", 5: "black"}
    (left_out,) = (name for colour, name in names.items() if state.tanks.count(colour) < 5)
    assert sentences == [f"The fish are dealt into the tanks; one {left_out} fish stays out of the game."]
    assert view.tell(state, rules.parse(state, "first purple")) == ("Purple is drawn to begin.",)
