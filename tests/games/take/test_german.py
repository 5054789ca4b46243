"""Take in other languages: what it says can be told in each, and German is complete."""

import pytest

from tests.cases import for_each
from tests.games.take.boards import position, rules_for
from tests.games.told import GERMAN, AnyGame, check_all_told, check_german_fits, check_sheet, every_game, lettering, sheets
from turnserver.errors import StepError
from turnserver.games.take.position import Position
from turnserver.games.take.view import TakeView
from turnserver.rules import Over

GAMES = every_game("take", {}, {"variant": "high-churn"}, {"size": 2}, {"size": 3, "variant": "high-churn"})
TEXTS = ("what", "", "c03", "z9", "a99", *(f"{row}{number}" for row in "abc" for number in range(1, 6)))
SPELLED = ("standard", "high", "churn")
"""The values of options are the same in every language."""
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.options.variant}-{game.options.size}")


@each_game
@pytest.mark.thorough
def test_everything_said_can_be_told_in_other_languages(game: AnyGame) -> None:
    check_all_told(game, 1, TEXTS, SPELLED)


@each_game
@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_german_fits_a_mail_and_reads_as_no_move(game: AnyGame, seed: int) -> None:
    check_german_fits(game, seed)


@each_game
def test_the_german_rules_are_those_in_english(game: AnyGame) -> None:
    check_sheet(game, r"\b[a-o][1-9][0-9]?\b")


def test_the_german_rules_give_every_ruling_with_its_reason() -> None:
    english, german = sheets("take")
    rulings = [(one.mark, one.text) for one in english if one.mark.endswith(".")]
    reasons = [one for one in german if one.text.startswith("Warum: ")]
    assert len(reasons) == len(rulings) == 4


@for_each(
    ("variant", "before", "move", "words"),
    [
        pytest.param(
            "standard",
            "##B/####/##R##/####/.##",
            "a1",
            "Das Feld a1 ist kahl und berührt keinen Stein von dir. Ein Keim ersetzt eine Scholle; ein Trieb berührt "
            "genau einen eigenen Stein.",
            id="a seed without a clod",
        ),
        pytest.param(
            "high-churn",
            "##b/####/##r##/####/.##",
            "a1",
            "Das Feld a1 ist kahl und berührt keinen Stein von dir. Ein Keim ersetzt eine Platte; ein Trieb berührt "
            "genau einen eigenen Stein.",
            id="a seed without a tile",
        ),
        *(
            pytest.param(
                "standard",
                board,
                "c3",
                f"Das Feld c3 berührt {number} Steine von dir. Ein Trieb berührt genau einen.",
                id=f"touches {number}",
            )
            for board, number in (
                ("##B/####/#R#R#/####/###", "zwei"),
                ("##B/#R##/#R#R#/####/###", "drei"),
                ("##B/#RR#/#R#R#/####/###", "vier"),
                ("##B/#RR#/#R#R#/#R##/###", "fünf"),
                ("##B/#RR#/#R#R#/#RR#/###", "sechs"),
            )
        ),
        pytest.param("standard", "##B/####/#R#R#/####/###", "c4", "Auf c4 liegt schon ein Stein von dir.", id="an own stone"),
        pytest.param("high-churn", "##b/####/#R#R#/####/###", "e3", "Auf e3 liegt schon ein gegnerischer Stein.", id="the other's stone"),
        pytest.param("standard", "##./####/#R#R#/####/###", "a1", "Die Partie ist zu Ende.", id="over"),
        pytest.param(
            "standard",
            "##B/####/##R##/####/###",
            "f1",
            "Dieses Brett hat kein Feld f1; seine Reihen gehen von a bis e.",
            id="no such row",
        ),
        pytest.param(
            "standard",
            "##B/####/##R##/####/###",
            "a4",
            "Dieses Brett hat kein Feld a4; die Reihe a geht von a1 bis a3.",
            id="no such number",
        ),
    ],
)
def test_refusals_in_german(variant: str, before: str, move: str, words: str) -> None:
    with pytest.raises(StepError) as refused:
        rules_for(before, variant).parse(position(before), move)
    assert GERMAN.told(refused.value.message) == words


def test_what_is_no_move_in_german() -> None:
    with pytest.raises(StepError) as refused:
        GAMES[0].rules.parse(GAMES[0].rules.start(), "ziehe")
    _, quoted, words = GERMAN.told(refused.value.message).partition("ziehe")
    assert quoted
    assert words[1:] == " ist kein Zug in Take. Schreib den Buchstaben einer Reihe und die Nummer eines Feldes."


@pytest.mark.parametrize(
    ("before", "to_move", "move", "reason"),
    [
        ("R#/R#B/RB", "Blue", "c2", "kein Stein ist mehr da, und Blau hat zuletzt gezogen"),
        ("BR/#R#/##", "Red", "b1", "Blau hat keine Steine mehr"),
        ("B#/R#R/##", "Blue", "c2", "Blau hat die letzten eigenen Steine entfernt"),
    ],
)
def test_results_in_german(before: str, to_move: str, move: str, reason: str) -> None:
    rules, state = rules_for(before), position(before, to_move)
    end = rules.next(rules.apply(state, rules.parse(state, move)))
    assert isinstance(end, Over)
    assert GERMAN.told(end.reason) == reason


@pytest.mark.parametrize(
    ("variant", "before", "to_move", "move", "expected"),
    [
        pytest.param(
            "high-churn",
            "bR/#R#/##",
            "Red",
            "b1",
            """\
 c1  # R  c2
b1 [r]R #  b3
 a1  # #  a2

R Rot, B Blau (r, b auf Platte), # Platte, . kahl, [ ] letzter Zug
Blau verliert: c1
""",
            id="a removal on tiles",
        ),
        pytest.param(
            "standard",
            "R#/R#B/RB",
            "Blue",
            "c2",
            """\
 c1  .[.] c2
b1  . # .  b3
 a1  . .  a2

R Rot, B Blau, # Scholle, . kahles Feld, [ ] letzter Zug
Rot verliert: a1 b1 c1
Blau verliert: a2 b3 c2
""",
            id="both colours",
        ),
    ],
)
def test_boards_in_german(variant: str, before: str, to_move: str, move: str, expected: str) -> None:
    rules, state = rules_for(before, variant), position(before, to_move)
    step = rules.parse(state, move)
    assert GERMAN.told(TakeView(rules.options).text(rules.apply(state, step), step)) == expected


def test_long_lists_of_removed_stones_stay_within_72_columns_in_german() -> None:
    rules = rules_for("########/#########/" + "/".join("#" * n for n in (10, 11, 12, 13, 14, 15, 14, 13, 12, 11, 10, 9, 8)))
    names, cells = rules.board.names, rules.board.cells
    red, blue = (sum(1 << cell for cell in some) for some in (cells[:60], cells[90:150]))
    lines = GERMAN.told(TakeView(rules.options).text(Position(9, 1 << cells[70], 1 << cells[80], 0, red, blue))).splitlines()
    told = [line.split(": ") for line in lines[lines.index("") + 2 :]]
    assert [first for first, _ in told if first.strip() != "und"] == ["Rot verliert", "Blau verliert"]
    assert len({first for first, _ in told}) == 4
    assert [name for _, last in told for name in last.split()] == [names[cell] for cell in (*cells[:60], *cells[90:150])]
    assert max(len(line) for line in lines) <= 72


def test_a_picture_in_german() -> None:
    before = "RB#/##B#/##B#B/####/#B#"
    rules, state = rules_for(before), position(before)
    drawn = TakeView(rules.options).svg(rules.apply(state, rules.parse(state, "c2")))
    told = GERMAN.told(drawn)
    assert [word for word in lettering(told) if len(word) > 2] == [
        *("Take, Seitenlänge 3, standard", "Rot 1", "Blau 2", "Scholle", "eben entfernt", "eben entfernt"),
    ]
    assert told.count("<text") == drawn.count("<text")
