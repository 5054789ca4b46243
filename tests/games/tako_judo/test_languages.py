"""Tako Judo told in other languages: nothing is left in English, and what German makes of it."""

import random
import re
from collections.abc import Iterator

import pytest

from tests.cases import for_each
from tests.games.tako_judo.boards import board, play, position, rules_for
from tests.games.told import GERMAN, AnyGame, Listening, check_sheet, every_game, german_sheet, lettering, quiet, sheets
from tests.mail.outbound.languages.catalogues import parts
from turnserver import games
from turnserver.errors import StepError
from turnserver.games.tako_judo.position import Options, Position
from turnserver.games.tako_judo.rules import TakoJudoForFour, TakoJudoRules
from turnserver.games.tako_judo.view import TakoJudoView
from turnserver.rules import Over, Seat
from turnserver.rules.kit import reads_as_turn
from turnserver.rules.options import told
from turnserver.text import retold

ENTRY = games.entry("tako-judo")
GAMES = every_game("tako-judo", {}, {"variant": "teams"})
SQUARES = r"\b[a-j][0-9]+(?:-[a-j][0-9]+)?\b"
DUEL, TEAMS, ALONE = rules_for(), rules_for("teams"), rules_for("free-for-all")
SAME_EVERYWHERE = ("duel", "teams", "free")
"""Words in small letters that no language changes: what options may be."""


def view(rules: TakoJudoRules) -> TakoJudoView:
    return TakoJudoView(rules.options, rules)


def refusal(rules: TakoJudoRules, state: Position, text: str) -> str:
    """Return what is said about a move that cannot be, nothing about one that can."""
    try:
        rules.parse(state, text)
    except StepError as refused:
        return refused.message
    return ""


def sampled(rules: TakoJudoRules, seed: int) -> Iterator[Position]:
    """The positions of a random game in which everybody hems the next one in, and some leave."""
    chance, state = random.Random(seed), rules.start()  # noqa: S311  # positions, not secrets
    yield state
    while (steps := rules.steps(state)) and state.turn < 120:
        after = [rules.apply(state, step) for step in chance.sample(steps, min(5, len(steps)))]
        state = min(after, key=lambda there: len(rules.steps(there)))
        if isinstance(rules, TakoJudoForFour) and state.over is None and chance.random() < 0.02:
            state = rules.leave(state, Seat(chance.randint(1, 4)))
        yield state


@pytest.mark.thorough
@pytest.mark.parametrize("rules", [DUEL, TEAMS, ALONE], ids=["duel", "teams", "free-for-all"])
def test_whatever_a_game_says_can_be_told_in_another_language(rules: TakoJudoRules) -> None:
    shown, chance, squares = view(rules), random.Random(1), rules.field.board.names  # noqa: S311  # as above
    said, drawn = [*shown.seat_names, refusal(rules, rules.start(), "xyz")], list[str]()
    for state in sampled(rules, seed=2):
        last = rules.steps(state)[0] if rules.steps(state) else None
        said += [shown.text(state, last), *(shown.tell(state, last) if last else ())]
        said += [refusal(rules, state, "-".join(chance.sample(squares, 2))) for _ in range(8)]
        said += [state.over.reason] if state.over else []
        drawn.append(shown.svg(state, last))
    told = [*(("text", one) for one in said), *(("picture", one) for one in drawn)]
    assert {word for kind, one in told for word in quiet(kind, one, SAME_EVERYWHERE)} == set()


CORNERS = ("8 ......NN", "7 ......NN", "4 n..s....", "2 SS......", "1 SS......")
HELD = ("8 ..n..NN.", "7 .....NN.", "3 .n......", "2 SS......", "1 SS......")
"""North may play c8-c1 and hold South."""
TIED = ("8 ..n..NN.", "7 .....NN.", "5 n.......", "4 .n......", "3 sn......", "2 SS......", "1 SS......")
"""The same, but South has a tentacle that can go from a3 to a4 and nowhere else."""
LOOSE = ("8 .....SS.", "7 .....SS.", "3 ns......", "2 NN......", "1 NNs.....")
"""North has one tentacle to move, and will be without a move then."""
STRUGGLE = ("8 NN......", "7 NN.s.n.n", "6 ..n.....", "4 ..n....s", "3 s.......", "2 .s....SS", "1 ......SS")
GRIP = ("10 NN.n....EE", "9 NN......EE", "8 ........s.", "6 ...e......", "2 WW......SS", "1 WW......SS")
"""North may play d10-h10 and exhaust East."""
EMBRACE = ("10 NNw.....EE", "9 NN......EE", "8 .s......s.", "7 ....n.....", "2 WW......SS", "1 WW......SS")
"""North may play e7-h10, and neither East nor North can move."""


def duel(*rows: str, came: tuple[str, ...] = ()) -> Position:
    return position(DUEL, board(*rows), came=came)


def four(rules: TakoJudoRules, *rows: str, exhausted: str = "") -> Position:
    return position(rules, board(*rows, size=10), exhausted=exhausted.split())


def reason(rules: TakoJudoRules, state: Position, moves: str) -> str:
    over = rules.next(play(rules, state, moves))
    assert isinstance(over, Over)
    return over.reason


def text(rules: TakoJudoRules, state: Position, move: str = "") -> str:
    """The board after a move, or before any."""
    last = rules.parse(state, move) if move else None
    return view(rules).text(state if last is None else rules.apply(state, last), last)


def heard(state: Position, name: str, *touched: str) -> str:
    """A place in the words for somebody who cannot see it."""
    return view(DUEL).places(state, touched)[name].words


CORNER = duel(*CORNERS)
START = DUEL.start()
ROUND = "c7-b7 f2-g2 b7-a7 g2-h2 a7-c7 h2-f2 "
SAID = {
    "the end of a game": (refusal(DUEL, play(DUEL, duel(*HELD), "c8-c1"), "a1-b1"), "Die Partie ist zu Ende."),
    "a head to touch": (heard(CORNER, "g7"), "g7, Kopf von Nord"),
    "a tentacle to touch": (heard(CORNER, "a4"), "a4, Arm von Nord, überdehnt"),
    "an empty square to touch": (heard(CORNER, "b4"), "b4, leer"),
    "where a head goes": (heard(CORNER, "g6", "g7"), "g6 als Feld unten links des Kopfes"),
    "no move": (
        refusal(DUEL, START, "c6xa4"),
        "„c6xa4“ ist kein Zug in Tako Judo. Schreib das Feld, auf dem eine Figur steht, und das, auf das sie zieht.",
    ),
    "no piece": (refusal(DUEL, CORNER, "b4-b5"), "Auf b4 steht keine Figur."),
    "another's tentacle": (refusal(DUEL, CORNER, "d4-d5"), "Auf d4 steht ein Arm von Süd, und du spielst Nord."),
    "another's head": (refusal(DUEL, CORNER, "b2-b3"), "Auf b2 steht der Kopf von Süd, und du spielst Nord."),
    "a head by another corner": (
        refusal(DUEL, CORNER, "h8-g8"),
        "Auf h8 steht dein Kopf. Nenne ihn nach seinem Feld unten links, also g7.",
    ),
    "a head by another corner, to where it cannot go": (
        refusal(DUEL, CORNER, "g8-a2"),
        "Auf g8 steht dein Kopf. Nenne ihn nach seinem Feld unten links, also g7.",
    ),
    "no line": (refusal(DUEL, CORNER, "g7-e6"), "Von g7 führt keine gerade Linie nach e6. Gezogen wird wie mit der Dame im Schach."),
    "across the edge": (refusal(DUEL, CORNER, "g7-h7"), "Dein Kopf würde über den Rand ragen: h7 wäre sein Feld unten links."),
    "overreached": (
        refusal(DUEL, CORNER, "a4-a5"),
        "Der Arm auf a4 ist überdehnt: Von dort führt keine gerade Linie zu deinem Kopf.",
    ),
    "entangled": (
        refusal(DUEL, duel(*STRUGGLE), "f7-f6"),
        "Der Arm auf f7 ist umklammert: Die gegnerische Figur auf d7 verdeckt ihn vor deinem Kopf.",
    ),
    "blocked": (
        refusal(DUEL, duel(*STRUGGLE), "h7-h6"),
        "Der Arm auf h7 ist blockiert: Die Figur deiner Seite auf f7 verdeckt ihn vor deinem Kopf.",
    ),
    "an own tentacle in the way": (refusal(DUEL, START, "c6-c7"), "Der Zug c6-c7 ist nicht frei: c7 (ein Arm von dir) steht im Weg."),
    "the own head in the way": (refusal(DUEL, START, "c8-e6"), "Der Zug c8-e6 ist nicht frei: d7 (dein Kopf) steht im Weg."),
    "another's tentacle in the way": (refusal(DUEL, START, "d6-d1"), "Der Zug d6-d1 ist nicht frei: d3 (ein Arm von Süd) steht im Weg."),
    "another's head in the way": (
        refusal(TEAMS, four(TEAMS, *GRIP), "d10-i10"),
        "Der Zug d10-i10 ist nicht frei: i10 (der Kopf von Ost) steht im Weg.",
    ),
    "two in the way of a head": (
        refusal(DUEL, START, "d7-d6"),
        (
            "Der Zug d7-d6 ist nicht frei: d6 (ein Arm von dir) und e6 (ein Arm von dir) stehen im Weg, "
            "und ein Kopf braucht einen Weg, der zwei Felder breit ist."
        ),
    ),
    "twiddling": (
        refusal(DUEL, play(DUEL, START, "c7-b7 c2-b2"), "b7-c7"),
        (
            "Der Zug b7-c7 wäre Zappeln: Diese Figur ist in deinem letzten Zug von c7 gekommen. "
            "Zieh eine andere oder mit dieser woandershin; danach ist der Weg zurück wieder offen."
        ),
    ),
    "pinned": (reason(DUEL, duel(*HELD), "c8-c1"), "Süd sitzt im Haltegriff"),
    "pinned but for twiddling": (reason(DUEL, duel(*TIED, came=("s a4-a3",)), "c8-c1"), "Süd könnte nur noch zappeln"),
    "pinned by itself": (reason(DUEL, duel(*LOOSE), "a3-c5"), "Nord hat sich durch den eigenen Zug festgesetzt"),
    "repetition": (reason(DUEL, START, 2 * ROUND + "c7-b7 f2-g2"), "dieselbe Stellung ist zum dritten Mal entstanden"),
    "a side is out": (reason(TEAMS, four(TEAMS, *GRIP, exhausted="West"), "d10-h10"), "Ost und West sind erschöpft"),
    "all but one are out": (
        reason(ALONE, four(ALONE, *GRIP, exhausted="South West"), "d10-h10"),
        "Ost, Süd und West sind erschöpft",
    ),
    "all are out": (
        reason(ALONE, four(ALONE, *EMBRACE, exhausted="South West"), "e7-h10"),
        "kein Krake ist mehr frei, und Nord hat zuletzt gezogen",
    ),
    "what befalls an octopus": (
        view(TEAMS).tell(four(TEAMS, *GRIP), TEAMS.parse(four(TEAMS, *GRIP), "d10-h10"))[0],
        "Ost kann nicht mehr ziehen und ist erschöpft.",
    ),
}


@for_each("name", SAID)
def test_what_is_said_in_german(name: str) -> None:
    words, german = SAID[name]
    assert retold(words, GERMAN) == german


def test_a_board_in_german() -> None:
    state = duel(*STRUGGLE, came=("s b1-b2",))
    assert retold(text(DUEL, state, "c6-e4"), GERMAN) == (
        """\
    a  b  c  d  e  f  g  h
 8  N  N  .  .  .  .  .  .  8
 7  N  N  .  s  .  n  .  n  7
 6  .  . (.) .  .  .  .  .  6
 5  .  .  .  .  .  .  .  .  5
 4  .  .  n  . [n] .  .  s  4
 3  s  .  .  .  .  .  .  .  3
 2  .  s  .  .  .  .  S  S  2
 1  .  .  .  .  .  .  S  S  1
    a  b  c  d  e  f  g  h

N Nord, S Süd (Köpfe groß), ( )[ ] letzter Zug
Nord: umklammert f7; blockiert h7; überdehnt c4
Süd: überdehnt a3 d7
Süd darf jetzt nicht b2-b1 ziehen: Das wäre Zappeln.
"""
    )


def test_a_board_for_four_in_german() -> None:
    told = retold(text(TEAMS, four(TEAMS, *GRIP), "d10-h10"), GERMAN).splitlines()
    assert told[-5:] == [
        "N Nord, E Ost, S Süd, W West (Köpfe groß), ( )[ ] letzter Zug",
        "Nord: sieht jeden Arm",
        "Ost: erschöpft",
        "Süd: sieht jeden Arm",
        "West: sieht jeden Arm",
    ]
    assert "N Nord, E Ost, S Süd, W West (Köpfe groß)" in retold(text(TEAMS, four(TEAMS, *GRIP)), GERMAN).splitlines()


def test_a_line_has_room_for_eight_tentacles_in_trouble() -> None:
    told = text(
        TEAMS, four(TEAMS, "10 wwwwNN...w", "9 ww..NN..w.", "8 nn.....n..", "5 ........EE", "4 ........EE", "2 WW..SS....", "1 WW..SS....")
    )
    last = retold(told, GERMAN).splitlines()[-1]
    assert last == "West: umklammert a9 b9 i9; blockiert a10 b10 j10; überdehnt c10 d10"
    assert len(last) <= 72


def test_a_picture_in_german() -> None:
    state = four(TEAMS, *GRIP, exhausted="East")
    words = [one for one in lettering(retold(view(TEAMS).svg(state), GERMAN)) if len(one) > 2]
    assert words == ["Tako Judo, teams", "Nord", "Ost (erschöpft)", "Süd", "West", "in Sicht"]


def test_the_catalogue_in_german() -> None:
    assert retold(ENTRY.summary, GERMAN) == (
        "Kraken ringen miteinander: Arme ziehen, solange ihr Kopf sie sieht, und wer nicht mehr ziehen kann, sitzt im Haltegriff."
    )
    assert [retold(one.doc, GERMAN) for one in games.describe_options(ENTRY)] == [
        "zwei Kraken, vier in zwei Teams oder vier gegeneinander",
        "yes, wenn es Remis ist, sobald eine Stellung zum dritten Mal entsteht",
    ]
    assert retold(ENTRY.notation, GERMAN).splitlines()[0] == "Ein Zug sind zwei Felder, woher und wohin, zum Beispiel c6-a4."


@pytest.mark.thorough
def test_every_sentence_has_an_example_here() -> None:
    listening, grip = Listening(), four(TEAMS, *GRIP, exhausted="East")
    struggle = duel(*STRUGGLE, came=("s b1-b2",))
    step = DUEL.parse(struggle, "c6-e4")
    boards = [text(DUEL, struggle, "c6-e4"), text(TEAMS, grip), view(TEAMS).svg(grip)]
    boards += [view(DUEL).svg(struggle, None, DUEL.steps(struggle)), view(DUEL).svg(DUEL.apply(struggle, step), step)]
    entry = [
        *(told(Options(repetition=one)) for one in (True, False)),
        ENTRY.summary,
        ENTRY.notation,
        *(one.doc for one in games.describe_options(ENTRY)),
    ]
    retold([*(words for words, _ in SAID.values()), *boards, *entry], listening)
    assert set(parts()["tako_judo"]) - listening.asked == set()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.options.variant)
def test_the_german_rules_are_those_in_english(game: AnyGame) -> None:
    check_sheet(game, SQUARES)


def test_the_german_rules_name_the_same_squares_in_the_same_order() -> None:
    english, german = sheets("tako-judo")
    assert german[0] == english[0]
    assert [re.findall(SQUARES, one.text) for one in german] == [re.findall(SQUARES, one.text) for one in english]


def test_the_german_rules_credit_the_designer_and_name_every_option() -> None:
    sheet = german_sheet("tako-judo")
    assert ENTRY.designer in sheet
    for option in games.describe_options(ENTRY):
        assert f"`{option.name}`" in sheet
        assert all(str(value) in sheet for value in (*option.choices, *(("yes", "no") if option.kind == "flag" else ())))


@pytest.mark.parametrize("state", [CORNER, START, duel(*STRUGGLE, came=("s b1-b2",))], ids=["corners", "start", "struggle"])
def test_no_line_under_a_german_board_reads_as_a_move(state: Position) -> None:
    assert [line for line in retold(text(DUEL, state), GERMAN).splitlines() if len(line) > 72 or reads_as_turn(DUEL, state, line)] == []
