"""Every refusal of a step begins as a sentence does, and every example in it is legal in the position at hand, in every game."""

import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.scenes import scene
from tests.games.tako.piles import position
from turnserver import games
from turnserver.errors import StepError
from turnserver.mail.outbound.language import language
from turnserver.rules import Choose, Game, Roll
from turnserver.rules.kit import format_steps, parse_steps, parse_turn, playout, reads_as_turn, split_turn

AnyGame = Game[Any, Any]

CHOSEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("take", {}),
    ("take", {"variant": "high-churn", "size": 3}),
    ("okago", {}),
    ("okago", {"size": 7, "advanced": True}),
    ("tako-judo", {}),
    ("tako-judo", {"variant": "free-for-all"}),
    ("tako", {}),
    ("tako", {"betting": True}),
    ("sneaky-octopuses", {"players": 2}),
    ("sneaky-octopuses", {"players": 4}),
)
GERMAN = language("de")
TRIED = 40
"""The number of wrong answers, each in another position of a random game."""

_WHO, _SQUARE = "(?:Speedy|Tako|Squish|Squirt)", "[a-k][0-9]{1,2}"
EXAMPLE = {
    "take": r"(?<=write )[a-o][0-9]{1,2}\b|(?<=such as )[a-o][0-9]{1,2}\b",
    "okago": r"\b[a-h][0-9]x[a-h][0-9]\b|\b[a-h][0-9] down\b|(?<=write )[a-h][0-9]\b|(?<=such as )[a-h][0-9]\b",
    "tako-judo": r"\b[a-p][0-9]{1,2}-[a-p][0-9]{1,2}\b",
    "tako": r"\b(?:a|b|ab)[0-9]+\b|(?<=\")(?:pass|add [ab])(?=\")|\b[0-9] [0-9]\b",
    "sneaky-octopuses": rf"\b{_WHO} (?:(?:escape|slide|steal) {_SQUARE}\b|move {_SQUARE}[-+][-+0-9a-k]+|keep\b|throw [1-5] \w+)"
    rf"|\b(?:keeper|shower) {_SQUARE}\b|\b{_SQUARE}(?:-{_SQUARE})+\b",
}
"""The look of an example of a step, wherever it stands in a sentence."""

OFFER = re.compile(r'(You can write|The next step can be|Add)(?:, for example,)? ((?:"[^"]+"(?:, | or |\b)?)+)')
WRITTEN = {
    "take": ("a1", "e5", "b2", "c9", "j1", "e 12", "hello"),
    "okago": ("c3", "c3 down", "c3xe5", "g3xe2", "c3xd4", "d4xe5", "a1xa4", "e5xc3", "b2", "z9", "hello"),
    "tako-judo": ("c6-a4", "d1-d5", "e1-e4", "a1-h8", "d8-d5", "b2-b3", "h8-g8", "c12-c13", "hello"),
    "tako": ("a0", "a1 b2", "take 3", "2 from both", "add", "add a", "pass", "a9", "ab5", "b77", "HI 5", "1 4", "hello"),
    "sneaky-octopuses": (
        "Squirt moves to b7",
        "Tako steal c9",
        "Squirt move b9-b8-b7",
        "Tako escape c10",
        "Tako escape b9; Tako move b9-b8",
        "Squish move d10-d9",
        "Speedy slide b10-b2",
        "Tako throw home",
        "Tako steal red from c9",
        "Tako ink N",
        "shower a5",
        "keeper a1",
        "Squirt keep",
        "Tako move b9+3-b8+2",
        "hello",
    ),
}
"""Wrong in most positions, each in its own way."""

SQUARE = re.compile("[a-z][0-9]{1,2}")


def positions(game: AnyGame, dice: random.Random) -> Iterator[Any]:
    """Positions of random games in which somebody begins a turn, far apart."""
    while True:
        for state, _ in itertools.islice(playout(game.rules, dice.choice), dice.randrange(90), 500, dice.randrange(3, 30)):
            if isinstance(game.rules.next(state), Choose):
                yield state


def attempts(game: AnyGame, state: Any, dice: random.Random) -> Iterator[str]:
    """Yield what somebody may write here, seldom a legal turn: a text of the list, or steps of which the last is another one."""
    yield dice.choice(WRITTEN[game.entry.key])
    steps, here = list[str](), state
    while game.rules.next(here) == game.rules.next(state) and len(steps) < dice.randrange(1, 4):
        step = dice.choice(game.rules.steps(here))
        steps.append(game.rules.format(here, step))
        here = game.rules.apply(here, step)
    yield "; ".join(steps)
    steps[-1] = SQUARE.sub(lambda square: dice.choice((square[0], f"{dice.choice('abcdefgh')}{dice.randrange(1, 9)}")), steps[-1])
    yield "; ".join(steps)
    yield "; ".join([*steps[:-1], dice.choice(WRITTEN[game.entry.key])])
    yield "; ".join([*steps[:-1], steps[-1].replace("a", "\u0430\u0431", 1).replace("e", "\u0433", 1)])


def accepted(game: AnyGame, state: Any, text: str) -> list[str]:
    """The steps of the turn up to the one that was refused."""
    parts = split_turn(text)
    for number in range(len(parts), 0, -1):
        try:
            parse_steps(game.rules, state, "; ".join(parts[:number]))
        except StepError:
            continue
        return parts[:number]
    return []


def check(game: AnyGame, state: Any, text: str) -> list[str]:
    """Play what the refusal of the text has for examples, and give these. A StepError says which one is not legal."""
    try:
        parse_turn(game.rules, state, text)
    except StepError as refused:
        message = refused.message
        for said in (message, GERMAN.told(message)):
            assert said[0].isupper() or said[0] in '"\u201e', said
    else:
        return []
    begun = accepted(game, state, text)
    found = []
    for lead, listed in OFFER.findall(message):
        for example in re.findall(r'"([^"]+)"', listed):
            found.append(example)
            match lead:
                case "You can write":
                    parse_turn(game.rules, state, example)
                case "The next step can be":
                    parse_steps(game.rules, state, "; ".join([*begun, example]))
                case _:
                    parse_turn(game.rules, state, f"{text}; {example}")
    for example in re.findall(EXAMPLE[game.entry.key], OFFER.sub("", message)):
        if example not in text:
            found.append(example)
            parse_steps(game.rules, state, "; ".join([*begun, example]))
    assert found or " can " in message, message
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(("key", "options"), CHOSEN, ids=str)
def test_every_example_in_a_refusal_is_legal(key: str, options: dict[str, Any]) -> None:
    game = games.find(key, **options)
    dice = random.Random(f"{key} {options}")  # noqa: S311  # the same games each time
    examples = [
        (text, example)
        for state in itertools.islice(positions(game, dice), TRIED)
        for text in attempts(game, state, dice)
        for example in check(game, state, text)
    ]
    assert len(set(examples)) > TRIED // 4


@for_each("key", games.CATALOGUE)
def test_the_first_position_that_somebody_chooses_in_answers_every_text_with_a_legal_one(key: str) -> None:
    game = games.find(key)
    dice = random.Random(key)  # noqa: S311  # the same roll each time
    state = game.rules.start()
    while isinstance(game.rules.next(state), Roll):
        state = game.rules.apply(state, dice.choice(game.rules.steps(state)))
    for text in WRITTEN[key]:
        check(game, state, text)


OKAGO, JUDO = games.find("okago", size=7), games.find("tako-judo")
TAKO, SNEAKY = games.find("tako"), games.find("sneaky-octopuses")
ON_G3 = parse_turn(OKAGO.rules, parse_turn(OKAGO.rules, OKAGO.rules.start(), "g3").state, "a1").state
BEFORE_F3 = parse_turn(OKAGO.rules, parse_turn(OKAGO.rules, OKAGO.rules.start(), "g3").state, "f3").state
PILES = position(5, 5, "LO 3", white="pass add")
FLOOR = scene(
    "Blue Speedy b8, Blue Tako c8, Red Tako f8",
    keepers="north h10 west, west d8 north",
    fish="3 c8, 1 c9, 1 c7, 2 c5, 5 d9, 4 g9, 2 g3, 5 i5",
)


@for_each(
    ("game", "state", "text", "told"),
    [
        (OKAGO, ON_G3, "g3xe2", 'You can write, for example, "g1".'),
        (OKAGO, BEFORE_F3, "g3xe2", 'You can write, for example, "g3xe3".'),
        (OKAGO, BEFORE_F3, "g3xf3", 'You can write "g3xe3".'),
        (OKAGO, ON_G3, "\u0433\u0433", 'The letter "\u0433" in that is Cyrillic. Write a Latin one. You can write, for example, "b1".'),
        (JUDO, JUDO.rules.start(), "d7-d5", 'You can write, for example, "d6-d5".'),
        (TAKO, PILES, "take 4", 'You can write "a4", "b4" or "ab4".'),
        (TAKO, PILES, "take 3 from both", 'You can write "ab3".'),
        (TAKO, PILES, "a0", 'You can write, for example, "a3".'),
        (TAKO, PILES, "add", 'You can write "add a" or "add b".'),
        (SNEAKY, FLOOR, "Squirt move b9-b8-b7", 'The next step can be "Squirt escape b9", "Squirt escape b10" or "Squirt escape c10".'),
        (SNEAKY, FLOOR, "Squirt escape f6", 'The next step can be "Squirt escape b9", "Squirt escape b10" or "Squirt escape c10".'),
        (SNEAKY, FLOOR, "Tako steal red", 'The next step can be "Tako steal c7" or "Tako steal c9".'),
        (SNEAKY, FLOOR, "Tako throw b8", 'The next step can be "Tako throw 3 b8".'),
        (SNEAKY, FLOOR, "Tako move c8-d8-e8", 'The next step can be "Tako move c8-d8".'),
        (SNEAKY, FLOOR, "Tako move c8-d8; keeper k6", 'be "shower e11", "shower k7", "shower a5" or "shower g1".'),
        (SNEAKY, FLOOR, "keeper k7", 'You can write, for example, "keeper k6".'),
        (SNEAKY, FLOOR, "Squirt escape c10; keeper f2", 'The next step can be, for example, "keeper f1".'),
        (
            SNEAKY,
            FLOOR,
            "Squirt escape c10",
            '"Squirt escape c10". The last step is missing: the keeper to walk. Add, for example, "keeper g10".',
        ),
        (
            SNEAKY,
            FLOOR,
            "Tako move c8-d8",
            (
                'The turn isn\'t over with "Tako move c8-d8". The west keeper has to go to a shower, and the last step is '
                'missing: the keeper to walk. Add, for example, "shower e11; keeper e11".'
            ),
        ),
        (
            SNEAKY,
            FLOOR,
            "Tako throw 3 b8",
            (
                "Speedy has just caught the yellow fish. Two things are missing: what it does with that, "
                'and the last step, the keeper to walk. Add, for example, "Speedy keep; keeper h10".'
            ),
        ),
    ],
)
def test_what_a_refusal_offers(game: AnyGame, state: Any, text: str, told: str) -> None:
    with pytest.raises(StepError) as refused:
        parse_turn(game.rules, state, text)
    assert refused.value.message.endswith(told)
    assert check(game, state, text)


@pytest.mark.parametrize(
    "text",
    [
        "\uff54\uff41\uff4b\uff4f\u3000\uff53\uff54\uff45\uff41\uff4c\u3000\uff43\uff19\uff1b keeper f1",
        "T\u0430ko steal \u04419; k\u0435eper f1",
    ],
)
def test_a_turn_in_other_characters_is_read(text: str) -> None:
    assert format_steps(SNEAKY.rules, FLOOR, parse_turn(SNEAKY.rules, FLOOR, text).steps) == ("Tako steal c9", "keeper f1")


@for_each(("text", "reads"), [("\u0430\u0031", True), ("\u04331", True), ("\u0433", False), ("\u0432 5", False)])
def test_a_square_with_a_letter_of_another_alphabet_is_taken_for_a_step(text: str, *, reads: bool) -> None:
    assert reads_as_turn(OKAGO.rules, ON_G3, text) is reads
