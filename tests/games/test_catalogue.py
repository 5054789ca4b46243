"""Looking games up, choosing their options, and what is said when that goes wrong."""

import dataclasses
import random
from typing import Any

import pytest

from tests.cases import for_each
from turnserver import games
from turnserver.errors import BadOption, UnknownRevision
from turnserver.games.take.position import Options
from turnserver.mail.outbound.language import language
from turnserver.rules import Choose
from turnserver.rules.kit import parse_turn, playout
from turnserver.rules.options import choice, flag, in_words, told, typed, validate, whole
from turnserver.text import listing, retold

GAMES = listing(list(games.CATALOGUE), "and")


def test_a_choice_names_one_game_for_good() -> None:
    assert games.find("take") is games.find("take", size=5, variant="standard")
    assert games.find("take") is not games.find("take", size=4)
    assert games.find("take", size=4).options == Options(size=4)
    assert games.find("take").entry is games.CATALOGUE["take"]


@for_each(
    ("key", "options", "words"),
    [
        ("tkae", {}, f'There is no game called "tkae". Did you mean "take"? The games are {GAMES}.'),
        ("chess", {}, f'There is no game called "chess". The games are {GAMES}.'),
        ("take", {"Sise": 5}, 'There is no option "Sise". Did you mean "size"? The options are variant and size.'),
        ("take", {"size": 9}, 'The option size can\'t be "9". Choose 2 to 8.'),
        ("take", {"size": 1}, 'The option size can\'t be "1". Choose 2 to 8.'),
        ("take", {"size": True}, 'The option size can\'t be "True". Choose 2 to 8.'),
        ("take", {"size": 5.0}, 'The option size can\'t be "5.0". Choose 2 to 8.'),
        ("take", {"size": "5"}, 'The option size can\'t be "5". Choose 2 to 8.'),
        ("take", {"variant": "churn"}, 'The option variant can\'t be "churn". Choose standard or high-churn.'),
        ("take", {"variant": 3}, 'The option variant can\'t be "3". Choose standard or high-churn.'),
    ],
)
def test_a_bad_choice_is_explained(key: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption) as refused:
        games.find(key, **options)
    assert refused.value.message == words


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ({}, {}),
        ({"size": "5"}, {"size": 5}),
        ({"size": " 05 ", "variant": "High-Churn"}, {"size": 5, "variant": "high-churn"}),
    ],
)
def test_options_are_read_from_text(texts: dict[str, str], options: dict[str, Any]) -> None:
    assert games.options_from_text(games.entry("take"), texts) == options


@for_each(
    ("texts", "words"),
    [
        ({"size": "large"}, 'The option size can\'t be "large". Choose 2 to 8.'),
        ({"size": "-3"}, 'The option size can\'t be "-3". Choose 2 to 8.'),
        ({"size": "11"}, 'The option size can\'t be "11". Choose 2 to 8.'),
        ({"size": "9" * 5000}, f'The option size can\'t be "{"9" * 40}...". Choose 2 to 8.'),
        ({"variant": "high churn"}, 'The option variant can\'t be "high churn". Choose standard or high-churn.'),
        ({"colour": "red"}, 'There is no option "colour". The options are variant and size.'),
    ],
)
def test_unreadable_options_are_explained(texts: dict[str, str], words: str) -> None:
    with pytest.raises(BadOption) as refused:
        games.options_from_text(games.entry("take"), texts)
    assert refused.value.message == words


def test_options_describe_themselves() -> None:
    described = games.describe_options(games.entry("take"))
    assert [(one.name, one.kind, one.default, one.allowed) for one in described] == [
        ("variant", "choice", "standard", "standard or high-churn"),
        ("size", "whole", 5, "2 to 8"),
    ]
    assert all(one.doc for one in described)


@for_each("key", games.CATALOGUE)
def test_as_many_play_as_some_choice_of_options_says(key: str) -> None:
    described = [one for one in games.describe_options(games.entry(key)) if one.name in {"variant", "players"}]
    chosen = [{one.name: value} for one in described for value in (*one.choices, *range(one.low, one.high + 1)) if one.allows(value)]
    assert {games.find(key, **one).rules.seats for one in ({}, *chosen)} == set(games.entry(key).seats)


@dataclasses.dataclass(frozen=True)
class Sample:
    shape: str = choice("round", ("round", "square", "long"), "a shape")
    count: int = whole(3, 1, 9, "a count")
    loud: bool = flag(default=False, doc="a noise")


@for_each(("text", "value"), [("yes", True), ("On", True), ("TRUE", True), ("1", True), ("no", False), ("off", False)])
def test_a_flag_is_read_from_words(text: str, *, value: bool) -> None:
    assert typed(Sample, {"loud": text}) == {"loud": value}


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        ({"loud": 1}, 'The option loud can\'t be "1". Choose yes or no.'),
        ({"shape": "flat"}, 'The option shape can\'t be "flat". Choose round, square or long.'),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(sample: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption) as refused:
        validate(Sample(**sample))
    assert refused.value.message == words
    validate(Sample())


def test_a_flag_that_is_no_flag_is_explained() -> None:
    with pytest.raises(BadOption, match=r'^The option loud can\'t be "perhaps". Choose yes or no\.$'):
        typed(Sample, {"loud": "perhaps"})


@pytest.mark.parametrize(("words", "phrase"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")])
def test_listing(words: list[str], phrase: str) -> None:
    assert listing(words) == phrase


def test_chosen_options_in_words() -> None:
    assert in_words({"variant": "betting", "stake": 11, "open": True, "blind": False}) == "variant betting, stake 11, open yes, blind no"


@for_each(
    ("key", "chosen", "english", "german"),
    [
        ("take", {}, "standard, 5 cells along each side", "standard, 5 Felder auf jeder Seite"),
        (
            "tako-judo",
            {},
            "duel, a draw when a position comes up for the third time",
            "duel, Remis, wenn eine Stellung zum dritten Mal entsteht",
        ),
        ("tako-judo", {"repetition": False}, "duel, no draw by repetition", "duel, kein Remis durch Wiederholung"),
        ("tako", {}, "standard, not for coins, 11 in each pile", "standard, nicht um Münzen, 11 in jedem Stapel"),
        ("tako", {"betting": True, "stake": 7}, "standard, for coins, 7 in each pile", "standard, um Münzen, 7 in jedem Stapel"),
        ("okago", {}, "5 by 5 squares, not advanced", "5 mal 5 Felder, Mitte von Anfang an frei"),
        ("okago", {"advanced": True}, "5 by 5 squares, advanced", "5 mal 5 Felder, mit verbotener Mitte"),
        ("sneaky-octopuses", {}, "4 teams, 10 points win, up to 60 rounds", "4 Teams, 10 Punkte gewinnen, bis zu 60 Runden"),
        (
            "sneaky-octopuses",
            {"target": 1, "max_rounds": 1},
            "4 teams, 1 point wins, up to 1 round",
            "4 Teams, 1 Punkt gewinnt, bis zu 1 Runde",
        ),
    ],
)
def test_players_read_options_in_words_of_their_language(key: str, chosen: dict[str, Any], english: str, german: str) -> None:
    words = told(games.find(key, **chosen).options)
    assert (words, retold(words, language("de"))) == (english, german)


def test_an_option_without_a_phrase_is_read_by_its_name() -> None:
    @dataclasses.dataclass(frozen=True)
    class Heap:
        heap: int = whole(9, 1, 20, "stones in the heap")

    assert told(Heap()) == "heap 9"


def test_a_game_without_options_says_so() -> None:
    @dataclasses.dataclass(frozen=True)
    class Plain:
        pass

    with pytest.raises(BadOption) as refused:
        typed(Plain, {"size": "5"})
    assert refused.value.message == 'There is no option "size". This game has no options.'


@pytest.mark.parametrize("key", list(games.CATALOGUE))
def test_every_game_has_a_house_player(key: str) -> None:
    game = games.find(key)
    position = next(state for state, _ in playout(game.rules, random.Random(1).choice) if isinstance(game.rules.next(state), Choose))  # noqa: S311  # a repeatable game, no secret
    assert games.house(key)(game, position) in game.rules.steps(position)
    assert parse_turn(game.rules, position, "; ".join(games.house_turn(game, position))).next != game.rules.next(position)


def test_a_revision_that_is_not_installed() -> None:
    newest = games.entry("take").revision
    assert games.find("take", newest) is games.find("take")
    with pytest.raises(UnknownRevision, match=f"^Take is not installed in revision 99 of its rules, only in {newest}$"):
        games.find("take", 99)
