"""Okago in other languages: what it says can be told in each, and German is complete."""

import copy

import pytest

from tests.cases import for_each
from tests.games.okago.boards import position, rules_for
from tests.games.told import GERMAN, AnyGame, bad_options, check_all_told, check_german_fits, check_sheet, every_game, lettering
from tests.shortened import shortened
from turnserver.errors import StepError
from turnserver.games.okago.position import Options
from turnserver.games.okago.rules import OkagoRules
from turnserver.games.okago.view import OkagoView
from turnserver.rules import Over
from turnserver.text import Sentence

GAMES = every_game("okago", {}, {"advanced": True}, {"size": 8}, {"size": 7, "advanced": True})
TEXTS = ("what", "z9", "c3", "a1", "d4 down", "c3xe5", "e3xc3", "c5xc3", "c3xd4", "d4xe5", "a1xc3", "b4xd4", "c3xa3", "c3xe1", "b2xb4")
NOTATION = ("down", "advanced")
BOARD = "R.B.B/.rb../X.R.R/..BbB/....."
NO_MOVE = (
    "ist kein Zug in Okago. Schreib ein Feld, um dort einen Stein zu legen "
    "(beim ersten von Blau darf das Wort down dahinter stehen), oder die beiden Felder eines Sprungs mit einem x dazwischen."
)
NO_GO = (
    "liegt bis zu deinem nächsten Zug das No-Go: "
    "Wo gerade ein Stein übersprungen wurde, kannst du keinen legen; ein Sprung darf dort landen."
)
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.options))


@each_game
@pytest.mark.thorough
@pytest.mark.parametrize("seed", shortened([1, 2]))
def test_everything_said_can_be_told_in_other_languages(game: AnyGame, seed: int) -> None:
    check_all_told(game, seed, TEXTS, NOTATION)


@each_game
@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_german_fits_a_mail_and_reads_as_no_move(game: AnyGame, seed: int) -> None:
    check_german_fits(game, seed)


def test_the_german_rules_are_those_in_english() -> None:
    check_sheet(GAMES[0], r"\b[a-h][1-8]x[a-h][1-8]\b|\b[a-h][1-8] down\b")


@for_each(
    ("text", "words"),
    [
        (
            "hm",
            f"„hm“ {NO_MOVE}",
        ),
        (
            "c3xd4",
            "Der Zug c3xd4 ist kein Sprung: Ein Sprung landet zwei Felder weiter in gerader Linie.",
        ),
        (
            "d4xe5",
            "Der Zug d4xe5 ist kein Sprung: Ein Sprung landet zwei Felder weiter in gerader Linie.",
        ),
        ("c3", "Auf c3 liegt schon ein Stein von dir. Wähl ein leeres Feld."),
        ("c4 down", "Auf c4 liegt schon ein Stein der Gegenseite. Wähl ein leeres Feld."),
        (
            "a3",
            f"Auf a3 {NO_GO}",
        ),
        ("a1 down", "Nur der erste Stein von Blau darf verdeckt gelegt werden; du legst offen."),
        ("c5xc3", "Der Stein auf c5 gehört der Gegenseite. Spring mit einem eigenen."),
        ("a1xc3", "Auf a1 liegt kein Stein, der springen könnte."),
        ("b4xd4", "Der Stein auf b4 ist verdeckt, also kann er nicht springen."),
        ("a5xc3", "Der Stein auf b4 ist dein eigener. Springen kannst du nur über die der Gegenseite."),
        ("c3xa3", "Auf b3 liegt kein Stein, den du überspringen könntest."),
        ("c3xe1", "Der Stein auf d2 ist verdeckt, also kannst du nicht über ihn springen."),
    ],
)
def test_refusals_in_german(text: str, words: str) -> None:
    check_refused(BOARD, text, words)


@pytest.mark.parametrize(
    ("board", "left", "text", "words"),
    [
        (
            "...../...../..RBb/...../.....",
            (3, 3),
            "c3xe3",
            "Auf e3 liegt ein anderer Stein, also kann ein Sprung über d3 dort nicht landen.",
        ),
        ("...../...../..RB./...../.....", (0, 3), "a1", "Du hast keinen Stein mehr in der Hand, also musst du springen."),
        ("...../...../..RB./...../BBBB.", (3, 3), "a1", "Die Partie ist zu Ende."),
    ],
)
def test_refusals_on_other_boards_in_german(board: str, left: tuple[int, int], text: str, words: str) -> None:
    check_refused(board, text, words, left)


def test_the_barred_centre_in_german() -> None:
    rules = OkagoRules(Options(advanced=True))
    with pytest.raises(StepError) as refused:
        rules.parse(rules.start(), "c3")
    words = "Auf c3 liegt das No-Go: Mit advanced darf der erste Stein von Rot nicht in die Mitte."
    assert GERMAN.told(refused.value.message) == words


def test_a_bad_choice_in_german() -> None:
    assert [GERMAN.told(words) for words in bad_options("okago", {"size": 6, "advanced": True})] == [
        "Die Option size kann mit advanced nicht 6 sein. Möglich ist 5 oder 7, denn dafür braucht das Brett ein Feld in der Mitte."
    ]


@pytest.mark.parametrize(
    ("board", "left", "reason"),
    [
        ("...../...../...../...../BBBB.", (3, 3), "Blau hat vier in einer Reihe"),
        ("...../...../..Rb./...../.....", (0, 3), "Rot hat keinen Stein in der Hand und keinen Sprung"),
    ],
)
def test_reasons_in_german(board: str, left: tuple[int, int], reason: str) -> None:
    over = rules_for(board).next(position(board, left=left))
    assert isinstance(over, Over)
    assert GERMAN.told(over.reason) == reason


@pytest.mark.parametrize(
    ("before", "to_move", "move", "left", "sentences"),
    [
        ("...../...../..RB./...../.....", "Red", "a1", (1, 6), ["Das war der letzte Stein, den Rot in der Hand hatte."]),
        (
            "...../...../..RB./...../.....",
            "Blue",
            "d3xb3",
            (6, 6),
            [
                "Blau springt über c3: Der Stein von Rot dort ist aus dem Spiel, und der von d3 bleibt verdeckt auf b3 liegen.",
                "Das No-Go liegt jetzt auf c3; dort darf Rot im nächsten Zug keinen Stein legen.",
            ],
        ),
    ],
)
def test_stories_in_german(before: str, to_move: str, move: str, left: tuple[int, int], sentences: list[str]) -> None:
    rules, state = rules_for(before), position(before, to_move, left)
    told = OkagoView(rules.options).tell(state, rules.parse(state, move))
    assert [GERMAN.told(one) for one in told] == sentences


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (
            "c5",
            """\
     a  b  c  d  e
 5   .  . [R] B  .   5
 4   .  .  R  R  .   4
 3   .  .  .  .  .   3
 2   .  b  .  .  .   2
 1   r  .  .  .  .   1
     a  b  c  d  e

R, B  Rot, Blau, offen: können springen und übersprungen werden
r, b  Rot, Blau, verdeckt: springen nicht, werden nicht übersprungen
[ ]   der letzte Zug

In der Hand: Rot 5, Blau 6
Rot droht mit: c5xe5
Blau kann springen: d5xb3 d5xd3 d5xb5
""",
        ),
        (
            "d5xd3",
            """\
     a  b  c  d  e
 5   .  .  . (.) .   5
 4   .  .  R  X  .   4
 3   .  .  . [b] .   3
 2   .  b  .  .  .   2
 1   r  .  .  .  .   1
     a  b  c  d  e

R, B  Rot, Blau, offen: können springen und übersprungen werden
r, b  Rot, Blau, verdeckt: springen nicht, werden nicht übersprungen
X     das No-Go: Hier darf in diesem Zug nur ein Sprung landen
[ ]   der letzte Zug, ein Sprung von ( )

In der Hand: Rot 6, Blau 6
Rot kann nicht springen.
Blau droht mit keinem Sprung.
""",
        ),
    ],
)
def test_boards_in_german(move: str, expected: str) -> None:
    board = "...B./..RR./...../.b.../r...."
    rules, state = rules_for(board), position(board, "Red" if move == "c5" else "Blue")
    step = rules.parse(state, move)
    assert GERMAN.told(OkagoView(rules.options).text(rules.apply(state, step), step)) == expected


def test_long_lists_of_jumps_are_broken_in_each_language() -> None:
    board = "......../.BBB..../.BRB..../.BBB..../....BBB./....BRB./....BBB./........"
    rules, state = rules_for(board), position(board)
    text = OkagoView(rules.options).text(state)
    jumps = [rules.format(state, step) for step in rules.steps(state) if "x" in rules.format(state, step)]
    lines = GERMAN.told(text).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("Rot kann springen:"))
    second = lines[first + 1]
    assert second.startswith("               und ")
    assert [name for line in lines[first : first + 2] for name in line.split() if "x" in name] == jumps
    assert max(map(len, lines)) <= 72
    assert isinstance(text, Sentence)
    listed = next(one for one in text.values.values() if str(one).startswith("Red may jump:"))
    assert GERMAN.told(copy.copy(listed)) == "\n".join(lines[first : first + 2])


def test_pictures_in_german() -> None:
    board = "...B./..RR./...../.b.../r...."
    rules, state = rules_for(board), position(board, "Blue")
    step = rules.parse(state, "d5xb3")
    after = rules.apply(state, step)
    shown = lettering(GERMAN.told(OkagoView(rules.options).svg(after, step, rules.steps(after))))
    assert {"Okago, 5 mal 5", "letzter Zug", "b3, Blau, verdeckt", "d4, Rot, offen", "c4, das No-Go", "a2: frei zum Legen"} <= set(shown)
    legend = {"Rot, 6 in der Hand", "Blau, 6 in der Hand", "verdeckt", "Sprung von", "hier kann einer hin"}
    assert legend | {"No-Go: hier darf jetzt nur ein Sprung hin"} <= set(shown)


def check_refused(board: str, text: str, words: str, left: tuple[int, int] = (6, 6)) -> None:
    rules, state = rules_for(board), position(board, left=left)
    with pytest.raises(StepError) as refused:
        rules.parse(state, text)
    assert GERMAN.told(refused.value.message) == words
