"""TAKO in other languages: what it says can be told in each, and German is complete."""

from typing import Any

import pytest

from tests.cases import for_each
from tests.games.tako.piles import SAMPLE, played, position, rules_for
from tests.games.told import GERMAN, AnyGame, bad_options, check_all_told, check_german_fits, check_sheet, every_game, lettering
from turnserver.errors import StepError
from turnserver.games.tako.position import Position
from turnserver.games.tako.view import TakoView
from turnserver.text import Words

ALL = "pass add"
OPEN = position(9, 9, "LO 1", white=ALL, black=ALL)
HOW = "ein Zug ist ein Stapel (a, b oder, für beide, ab) und eine Zahl, das Wort pass, oder das Wort add und ein Stapel."
GAMES = every_game("tako", {}, {"variant": "adept"}, {"betting": True, "stake": 5}, {"variant": "adept", "betting": True, "stake": 15})
TEXTS = (
    *("what", "a0", "a9", "ab9", "a20", "ab20", "a1 b2", "take 3", "2 from both", "pass", "add", "add a", "add b", "hi 7", "HI 1"),
    *("1 4", "free 3", "b1", "ab1", "a11", "ab11", "a5", "b5"),
)
NOTATION = ("pass", "standard", "adept", "stake", "betting")
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.options))


@each_game
@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_everything_said_can_be_told_in_other_languages(game: AnyGame, seed: int) -> None:
    check_all_told(game, seed, TEXTS, NOTATION)


@each_game
@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_german_fits_a_mail_and_reads_as_no_move(game: AnyGame, seed: int) -> None:
    check_german_fits(game, seed)


def test_the_german_rules_are_those_in_english() -> None:
    check_sheet(GAMES[0], r"\b(?:ab?|b)[1-9]\b|\b(?:HI|LO) [0-9]\b")


@for_each(
    ("options", "state", "text", "words"),
    [
        ({}, OPEN, "3", f"„3“ ist kein Zug in TAKO; {HOW}"),
        ({}, OPEN, "add", "Sag dazu, auf welchen Stapel du legst."),
        ({}, OPEN, "take 3", "Sag dazu, von welchem Stapel du 3 nimmst, oder ob von jedem."),
        ({}, OPEN, "2 from both", "Sag dazu, ob du von jedem Stapel 2 nimmst oder von beiden zusammen."),
        ({}, OPEN, "a0", "Nichts zu nehmen geht nicht. Nimm mindestens einen Stein."),
        ({"betting": True}, OPEN, "ab 0", "Nichts zu nehmen geht nicht. Nimm mindestens eine Münze."),
        ({}, OPEN, "a1 b2", "Von beiden Stapeln kannst du nur gleich viele nehmen, nicht 1 und 2."),
        ({}, OPEN, "hi 7", "HI 7 kann man hier nicht würfeln: Die Münze zeigt HI oder LO, der Würfel 1 bis 6."),
        ({}, OPEN, "HI 5", f"Gewürfelt ist schon, nämlich LO 1; {HOW}"),
        ({}, OPEN, "a10", "Stapel A hat 9 Steine; a10 nimmt 10."),
        ({}, OPEN, "ab10", "Stapel A hat 9 Steine; ab10 nimmt von jedem 10."),
        ({}, position(1, 0, "LO 1"), "a2", "Stapel A hat 1 Stein; a2 nimmt 2."),
        ({}, position(1, 0, "LO 1"), "b2", "Stapel B ist leer; b2 nimmt 2."),
        ({"betting": True}, position(1, 0, "LO 1"), "ab1", "Stapel B ist leer; ab1 nimmt von jedem 1."),
        ({"betting": True}, position(5, 5, "HI 2"), "a3", "HI 2: insgesamt höchstens 2 Münzen; a3 nimmt 3."),
        ({}, position(5, 5, "LO 3"), "ab1", "LO 3: insgesamt mindestens 3 Steine; ab1 nimmt 2."),
        ({}, position(5, 5, "LO 3"), "pass", "Du hast schon gepasst. Das geht nur einmal in der Partie."),
        ({}, position(5, 5, "LO 3"), "add a", "Du hast schon einen Stein dazugelegt. Das geht nur einmal in der Partie."),
        (
            {"betting": True},
            position(5, 5, "LO 3"),
            "add b",
            "Du hast schon eine Münze dazugelegt. Das geht nur einmal in der Partie.",
        ),
        (
            {},
            position(2, 2, "LO 3", white=ALL, turn=1),
            "ab2",
            "Der erste Zug darf nicht beide Stapel leeren, denn jede Seite soll zum Zug kommen; ab2 nimmt alles.",
        ),
        ({}, position(5, 5), "a1", "Erst kommen Münze und Würfel: Vor dem Wurf gibt es nichts zu wählen."),
        ({}, position(5, 5), "1 4", "Wer beginnt, ist schon ausgewürfelt."),
        ({}, rules_for().start(), "a1", "Zuerst wird ausgewürfelt, wer beginnt."),
        ({}, position(0, 0, "LO 1"), "a1", "Die Partie ist zu Ende."),
    ],
)
def test_refusals_in_german(options: dict[str, Any], state: Position, text: str, words: str) -> None:
    with pytest.raises(StepError) as refused:
        rules_for(**options).parse(state, text)
    assert GERMAN.told(refused.value.message) == words


def test_a_bad_choice_in_german() -> None:
    assert [GERMAN.told(words) for words in bad_options("tako", {"stake": 5})] == [
        "stake gibt es nur zusammen mit betting. Sonst hat jeder Stapel 11 Steine."
    ]


@for_each(
    ("options", "state", "step", "told"),
    [
        ({}, rules_for().start(), "1 4", ["Um den Anfang hat Weiß 1 und Schwarz 4 gewürfelt, also beginnt Schwarz."]),
        ({}, rules_for().start(), "3 3", ["Um den Anfang haben beide 3 gewürfelt, also wird der Wurf wiederholt."]),
        ({}, position(3, 3, mover="Black"), "HI 1", ["Schwarz hat HI 1 gewürfelt: insgesamt höchstens 1 Stein."]),
        ({"variant": "adept"}, position(3, 3), "FREE 2", ["Weiß hat FREE 2 gewürfelt: beliebig viele Steine."]),
        ({"variant": "adept", "betting": True}, position(3, 3), "FREE 2", ["Weiß hat FREE 2 gewürfelt: beliebig viele Münzen."]),
        ({}, position(3, 3, "LO 3"), "a3", ["Weiß hat 3 Steine von Stapel A genommen; in A bleiben 0, in B 3."]),
        ({"betting": True}, position(3, 3, "LO 2"), "ab1", ["Weiß hat von jedem Stapel 1 Münze genommen; in A bleiben 2, in B 2."]),
        ({}, position(9, 9, "LO 3", white="pass", black="add"), "pass", ["Weiß hat LO 3 an Schwarz weitergereicht."]),
        ({}, position(9, 9, "LO 3", white="pass", black="add", passed=True), "pass", ["Weiß hat LO 3 an Schwarz zurückgereicht."]),
        ({}, position(9, 0, "LO 3", white="add"), "add b", ["Weiß hat Stapel B um einen Stein auf 1 erhöht."]),
        (
            {"betting": True},
            position(9, 0, "LO 3", white="add", purses=(1, 0)),
            "add a",
            ["Weiß hat Stapel A um eine Münze aus dem eigenen Beutel auf 10 erhöht."],
        ),
        (
            {"betting": True},
            position(9, 0, "LO 3", mover="Black", black="add"),
            "add a",
            ["Schwarz hat Stapel A um eine Münze aus der Bank auf 10 erhöht."],
        ),
        (
            {},
            position(5, 0, "LO 6", white="pass"),
            "pass",
            [
                "Weiß hat LO 6 an Schwarz weitergereicht.",
                "Schwarz hat auf LO 6 (von Weiß) keinen Zug und keine Option mehr.",
                "Weiß hat den letzten Zug gemacht und gewinnt.",
            ],
        ),
        (
            {"betting": True},
            position(1, 0, mover="Black", purses=(9, 0)),
            "LO 2",
            [
                "Schwarz hat LO 2 gewürfelt: insgesamt mindestens 2 Münzen.",
                "Schwarz hat auf LO 2 keinen erlaubten Zug und keine Option mehr.",
                "Weiß hat den letzten Zug gemacht und gewinnt.",
                "Der Beutel von Schwarz ist leer, also gibt es nichts zu gewinnen.",
                "Am Ende in den Beuteln: Weiß 9, Schwarz 0.",
                "Die 1 Münze, die in den Stapeln bleibt, bekommt niemand.",
            ],
        ),
    ],
)
def test_stories_in_german(options: dict[str, Any], state: Position, step: str, told: list[str]) -> None:
    rules = rules_for(**options)
    sentences = TakoView(rules).tell(state, rules.parse(state, step))
    assert all(isinstance(one, Words) for one in sentences)
    assert [GERMAN.told(one) for one in sentences] == told


@pytest.mark.parametrize(
    ("options", "state", "last", "expected"),
    [
        pytest.param(
            {},
            position(8, 7, "HI 5", white=ALL, black="add"),
            "b2",
            """\
A  o o o o o o o o                          8 Steine
B  o o o o o o o . .                        7 Steine

Weiß hat HI 5 gewürfelt: insgesamt höchstens 5 Steine.
Erlaubt: a1 bis a5, b1 bis b5, ab1 bis ab2, pass, add a, add b.

            Optionen
Weiß    *   pass, add
Schwarz     add

o Stein, . zuletzt genommen, * am Zug
Letzter Zug, von Schwarz: b2
""",
            id="a take",
        ),
        pytest.param(
            {"betting": True},
            played(rules_for(betting=True), SAMPLE),
            "ab1",
            """\
A  $ .                                       1 Münze
B  $ $ .                                    2 Münzen

Weiß hat auf LO 4 keinen erlaubten Zug und keine Option mehr.
Schwarz hat den letzten Zug gemacht und gewinnt.
Schwarz bekommt die Hälfte der 6 Münzen von Weiß, aufgerundet: 3.
Am Ende in den Beuteln: Weiß 3, Schwarz 16.
Die 3 Münzen, die in den Stapeln bleiben, bekommt niemand.

            Optionen        Münzen im Beutel
Weiß        keine           6 - 3 = 3
Schwarz     add             13 + 3 = 16

$ Münze, . zuletzt genommen
Letzter Zug, von Schwarz: ab1
""",
            id="the end of the sample game for coins",
        ),
    ],
)
def test_boards_in_german(options: dict[str, Any], state: Position, last: str, expected: str) -> None:
    rules = rules_for(**options)
    assert GERMAN.told(TakoView(rules).text(state, rules.replay(state, last))) == expected


@for_each(
    ("options", "state", "last", "expected"),
    [
        ({}, position(3, 4, "LO 6", mover="Black", black=ALL, passed=True), "", ["Weiß hat LO 6 weitergereicht", "Schwarz"]),
        ({}, position(3, 4), "", ["Weiß am Zug", "zuerst fallen Münze und Würfel"]),
        ({}, rules_for().start(), "2 2", ["Weiß würfelt 2, Schwarz 2", "und der Wurf wird wiederholt"]),
        ({"betting": True}, position(1, 0, "LO 4"), "", ["TAKO, standard, um Münzen, 11 je Stapel", "Schwarz gewinnt"]),
    ],
)
def test_pictures_in_german(options: dict[str, Any], state: Position, last: str, expected: list[str]) -> None:
    rules = rules_for(**options)
    drawn = GERMAN.told(TakoView(rules).svg(state, rules.replay(state, last) if last else None))
    assert set(expected) <= set(lettering(drawn))
