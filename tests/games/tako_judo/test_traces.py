"""Tako Judo judged by games that another project's engine recorded."""

import gzip
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from tests.cases import for_each
from tests.games.tako_judo.boards import position, rules_for, written
from turnserver.games.tako_judo.position import Position
from turnserver.rules import Choose, Over, Seat

FOLDER = Path(__file__).parents[1] / "traces"
OURS = str.maketrans("AaBb", "NnSs")
SEATS = {"A": ("North", Seat(1)), "B": ("South", Seat(2))}


def recorded_games() -> dict[str, list[dict[str, Any]]]:
    """The lines of every recorded game, in playing order, by the game's name."""
    found = defaultdict(list)
    for kind in ("random", "squeeze", "twiddle"):
        with gzip.open(FOLDER / f"tako-judo-{kind}.jsonl.gz", "rt") as lines:
            for line in map(json.loads, lines):
                found[line["game"]].append(line)
    return dict(found)


RECORDED = recorded_games()
RULES = rules_for(repetition=False)


def check_line(state: Position, line: dict[str, Any]) -> Position:
    """The board, who is to move, and what is legal are as recorded; gives the position after the recorded move, whose board is too.

    That the game is over before a line can only be because the seat to move there could do nothing but twiddle.
    """
    assert written(RULES, state) == line["board"].translate(OURS)
    legal = sorted(RULES.format(state, step) for step in RULES.steps(state))
    if line["move"] is None:
        assert line["legal_boardspace"] == [line["twiddle"]]
        assert legal == line["legal_rulesheet"] == []
        return state
    pending = RULES.next(state)
    assert isinstance(pending, Choose)
    assert pending.seat == SEATS[line["to_move"]][1]
    assert legal == sorted(set(line["legal_boardspace"]) - {line["twiddle"]})
    after = RULES.apply(state, RULES.replay(state, line["move"]))
    assert written(RULES, after) == line["board_after"].translate(OURS)
    return after


def judge_by_itself(line: dict[str, Any]) -> Position:
    """The position of a line, with the one ban that it tells of."""
    came = [f"{line['to_move'].translate(OURS)} {'-'.join(reversed(line['twiddle'].split('-')))}"] if line["twiddle"] else []
    return position(RULES, line["board"].translate(OURS), SEATS[line["to_move"]][0], came=came)


def check_result(state: Position, line: dict[str, Any]) -> None:
    over = RULES.next(state)
    assert isinstance(over, Over)
    assert over.winners == {SEATS[line["winner"]][1]}
    how = {"opponent-pinned": "is pinned", "mover-pinned-himself": "is pinned by its own move", "only-twiddle": "could only twiddle"}
    assert over.reason.partition(" ")[2] == how[line["why"]]


def test_the_recording_holds_what_the_rulings_speak_of() -> None:
    lines = [line for game in RECORDED.values() for line in game]
    assert len(RECORDED) == 48
    assert len(lines) == 3640
    assert Counter(line["why"] for line in lines if line["over"]) == {"opponent-pinned": 23, "only-twiddle": 5, "mover-pinned-himself": 3}
    assert sum(line["twiddle"] is not None for line in lines) > 1000


@for_each("name", [name for name in RECORDED if "-tw-" in name])
def test_games_that_obey_the_ban_are_played_as_recorded(name: str) -> None:
    """The bans come from the moves before, and nobody tells us that a game is over."""
    state, lines = RULES.start(), RECORDED[name]
    ends = len(lines) if lines[-1]["move"] else len(lines) - 1
    for played, line in enumerate(lines, start=1):
        state = check_line(state, line)
        assert isinstance(RULES.next(state), Over) == (lines[-1]["over"] and played >= ends)
    if lines[-1]["over"]:
        check_result(state, lines[-1])


@for_each("name", RECORDED)
def test_every_recorded_position_by_itself(name: str) -> None:
    """In the other games the players do twiddle, so that only the recorded ban counts."""
    for line in RECORDED[name]:
        if line["move"] is None:
            continue
        state = check_line(judge_by_itself(line), line)
        if line["over"]:
            check_result(state, line)
