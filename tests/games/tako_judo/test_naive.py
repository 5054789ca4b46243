"""Tako Judo judged by others: games that another project's generator recorded, and a second engine written only to be obviously right."""

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.cases import for_each
from tests.games.lockstep import Chooser, anything, check_same, walk
from tests.games.tako_judo import naive_tako_judo
from tests.games.tako_judo.naive_tako_judo import DUEL, FREE_FOR_ALL, TEAMS, Piece, Position, Square
from tests.shortened import sampled, shortened
from turnserver import games

pytestmark = pytest.mark.thorough

TRACES = Path(__file__).parents[1] / "traces"
LETTERS = {"A": Piece(1, head=True), "a": Piece(1, head=False), "B": Piece(2, head=True), "b": Piece(2, head=False)}
SEATS = {"A": 1, "B": 2}

Line = dict[str, Any]


def recorded_games(kind: str) -> dict[str, list[Line]]:
    """The lines of every recorded game of one kind, in playing order, by the game's name."""
    with gzip.open(TRACES / f"tako-judo-{kind}.jsonl.gz", "rt") as lines:
        return {name: list(group) for name, group in groupby(map(json.loads, lines), key=lambda line: str(line["game"]))}


KINDS = ("random", "squeeze", "twiddle")
OF_EACH_KIND = {kind: recorded_games(kind) for kind in KINDS}
RECORDED = {name: lines for games_of_kind in OF_EACH_KIND.values() for name, lines in games_of_kind.items()}
LINES = [line for lines in RECORDED.values() for line in lines]
ENDED = [name for name, lines in RECORDED.items() if name in OF_EACH_KIND["twiddle"] and lines[-1]["over"]]


def read_board(text: str) -> dict[Square, Piece]:
    """The recording lists the ranks from the top."""
    rows = reversed(text.split("/"))
    return {(x, y): LETTERS[letter] for y, row in enumerate(rows) for x, letter in enumerate(row) if letter in LETTERS}


def squares(move: str) -> tuple[Square, Square]:
    origin, target = (("abcdefgh".index(name[0]), int(name[1:]) - 1) for name in move.split("-"))
    return origin, target


def read_line(lines: Sequence[Line], ply: int) -> Position:
    """The position before a recorded move, repetition left out of it."""
    line, earlier = lines[ply], lines[max(ply - 2, 0) : ply]
    last = {SEATS[one["to_move"]]: squares(one["move"]) for one in earlier}
    return Position(DUEL, False, 8, read_board(line["board"]), SEATS[line["to_move"]], ply + 1, last, frozenset(), (), None)


def names(moves: Iterator[tuple[Square, Square]]) -> set[str]:
    return {f"{naive_tako_judo.name(origin)}-{naive_tako_judo.name(target)}" for origin, target in moves}


def moves_of(lines: Sequence[Line]) -> list[str]:
    """The moves of a game up to the first twiddle."""
    kept = []
    for line in lines:
        if line["move"] is None or line["move"] == line["twiddle"]:
            break
        kept.append(str(line["move"]))
    return kept


def brushes(line: Line) -> bool:
    """Return whether a head's first step in this move is diagonal and one of the corners it brushes past is taken."""
    board = read_board(line["board"])
    (x, y), (to_x, to_y) = squares(line["move"])
    dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    corners = {(x + (2 if dx > 0 else -1), y + (0 if dy > 0 else 1)), (x + (0 if dx > 0 else 1), y + (2 if dy > 0 else -1))}
    return board[x, y].head and bool(dx and dy) and bool(corners & set(board))


def test_the_recording_holds_what_the_rulings_speak_of() -> None:
    assert (len(RECORDED), len(LINES)) == (48, 3640)
    assert Counter(line["why"] for line in LINES if line["over"]) == {
        "opponent-pinned": 23,
        "mover-pinned-himself": 3,
        "only-twiddle": 5,
    }
    assert sum(brushes(line) for line in LINES if line["move"]) > 20, "ruling 2: corners brushed past"
    assert sum(line["twiddle"] is not None for line in LINES) > 2000, "ruling 3: a move that the ban forbids"


@pytest.mark.parametrize("game", sampled(RECORDED, 3))
def test_the_naive_engine_agrees_with_the_recording(game: str) -> None:
    """Every line by itself, for some players twiddle; they also play on with nothing but a twiddle left, as the next line then shows."""
    lines = RECORDED[game]
    for ply, line in enumerate(lines):
        before = read_line(lines, ply)
        assert names(naive_tako_judo.moves(before, before.mover)) == set(line["legal_boardspace"])
        assert naive_tako_judo.legal(before) == set(line["legal_boardspace"]) - {line["twiddle"]}
        if line["move"] is None:
            assert naive_tako_judo.legal(before) == set(line["legal_rulesheet"]) == set()
            continue
        after = naive_tako_judo.judge(naive_tako_judo.moved(before, line["move"]))
        assert after.board == read_board(line["board_after"])
        if line["over"]:
            assert after.winners == frozenset({SEATS[line["winner"]]})
        elif ply + 1 < len(lines):
            follows = lines[ply + 1]
            stuck = set(follows["legal_boardspace"]) <= {follows["twiddle"]}
            assert after.winners == (frozenset({SEATS[line["to_move"]]}) if stuck else None)


@for_each("game", ENDED)
def test_the_naive_engine_plays_the_recorded_games_to_the_same_end(game: str) -> None:
    position = naive_tako_judo.start(DUEL, repetition=False)
    for text in moves_of(RECORDED[game]):
        position = naive_tako_judo.play(position, text)
    assert position.winners == frozenset({SEATS[RECORDED[game][-1]["winner"]]})


@pytest.mark.parametrize(("variant", "count"), [(DUEL, 56), (TEAMS, 58), (FREE_FOR_ALL, 58)])
def test_every_seat_of_the_naive_engine_begins_with_the_moves_that_are_known(variant: str, count: int) -> None:
    start = naive_tako_judo.start(variant)
    assert {len(names(naive_tako_judo.moves(start, seat))) for seat in naive_tako_judo.seats(start)} == {count}


# From here on the product is judged by the naive engine.


def restless(choices: random.Random, position: Position, legal: Sequence[str], played: Sequence[str]) -> str:  # noqa: ARG001  # a Chooser
    """Mostly back to squares where something stood before, so that positions return."""
    been = {square for text in played for square in text.split("-")}
    back = [text for text in legal if text.split("-")[-1] in been]
    return choices.choice(back if back and choices.random() < 0.8 else legal)


CIRCLES = {
    DUEL: "c7-b7 c2-b2 b7-b6 b2-b3 b6-c7 b3-c2",
    TEAMS: "d9-c9 i7-i8 g2-h2 b4-b3 c9-c8 i8-h8 h2-h3 b3-c3 c8-d9 h8-i7 h3-g2 c3-b4",
    FREE_FOR_ALL: "d9-c9 i7-i8 g2-h2 b4-b3 c9-c8 i8-h8 h2-h3 b3-c3 c8-d9 h8-i7 h3-g2 c3-b4",
}
"""Every octopus sends a tentacle round a triangle."""


def circling(choices: random.Random, position: Position, legal: Sequence[str], played: Sequence[str]) -> str:  # noqa: ARG001  # a Chooser
    """Round the triangles, again and again."""
    circle = CIRCLES[position.variant].split()
    return circle[len(played) % len(circle)]


@pytest.mark.parametrize(
    ("variant", "repetition", "choose", "leaving"),
    [
        (DUEL, True, restless, 0.0),
        (TEAMS, False, restless, 0.01),
        (FREE_FOR_ALL, True, anything, 0.02),
        pytest.param(DUEL, True, anything, 0.0, marks=pytest.mark.long),
        pytest.param(DUEL, False, restless, 0.0, marks=pytest.mark.long),
        pytest.param(TEAMS, True, restless, 0.0, marks=pytest.mark.long),
        pytest.param(TEAMS, True, anything, 0.02, marks=pytest.mark.long),
        pytest.param(FREE_FOR_ALL, True, restless, 0.0, marks=pytest.mark.long),
        pytest.param(FREE_FOR_ALL, False, restless, 0.01, marks=pytest.mark.long),
    ],
)
def test_both_engines_play_the_same_random_games(variant: str, repetition: bool, choose: Chooser, leaving: float) -> None:
    """Games until 700 positions have been seen, 2,100 a variant."""
    options = {"variant": variant, "repetition": repetition}
    seen, seed = 0, 0
    while seen < 700:
        seen += len(list(walk("tako-judo", naive_tako_judo, options, str(seed), most=700 - seen, choose=choose, leaving=leaving)))
        seed += 1


@pytest.mark.parametrize("variant", shortened([TEAMS, FREE_FOR_ALL]))
@pytest.mark.parametrize(("repetition", "skipping"), shortened([(True, 0.9), (True, 0.3), (False, 0.3)]))
def test_both_engines_play_the_same_games_with_skipped_turns(variant: str, repetition: bool, skipping: float) -> None:
    """With nine turns of ten skipped, positions come up for the third time."""
    options = {"variant": variant, "repetition": repetition}
    seen, seed, draws = 0, 0, 0
    while seen < 400:
        skipped = f"skipping {seed}"
        positions = list(walk("tako-judo", naive_tako_judo, options, skipped, most=100, choose=restless, leaving=0.01, skipping=skipping))
        draws += positions[-1].winners == frozenset()
        seen, seed = seen + len(positions), seed + 1
    assert bool(draws) == (skipping > 0.5)


@for_each(
    ("variant", "repetition", "plies"),
    [(DUEL, True, 14), (DUEL, False, 40), (TEAMS, True, 28), (TEAMS, False, 40), (FREE_FOR_ALL, True, 28), (FREE_FOR_ALL, False, 40)],
)
def test_both_engines_count_to_three(variant: str, repetition: bool, plies: int) -> None:
    """The first position in which every seat has a last move is there again after one circle, and drawn after two."""
    options = {"variant": variant, "repetition": repetition}
    positions = list(walk("tako-judo", naive_tako_judo, options, "", most=41, choose=circling))
    assert len(positions) == plies + 1
    assert positions[-1].winners == (frozenset() if repetition else None)


@pytest.mark.parametrize("game", ENDED)
def test_both_engines_judge_every_move_near_the_end_of_a_recorded_game_alike(game: str) -> None:
    """All that could have been played instead of the last move, and instead of the one before."""
    rules: Any = games.find("tako-judo", variant=DUEL, repetition=False).rules
    state, position, winners = rules.start(), naive_tako_judo.start(DUEL, repetition=False), set()
    moves = moves_of(RECORDED[game])
    for ply, text in enumerate(moves):
        for other in check_same(rules, state, naive_tako_judo, position) if ply >= len(moves) - 2 else ():
            after = naive_tako_judo.play(position, other)
            check_same(rules, rules.apply(state, rules.parse(state, other)), naive_tako_judo, after, [other])
            winners.add(after.winners)
        state, position = rules.apply(state, rules.parse(state, text)), naive_tako_judo.play(position, text)
    assert len(winners) > 1
