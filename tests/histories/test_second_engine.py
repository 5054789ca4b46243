"""The recorded games, judged by engines that were written a second time from the rules alone."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tests.cases import for_each
from tests.games.okago import naive_okago
from tests.games.sneaky_octopuses import naive_sneaky
from tests.games.take import naive_take
from tests.games.tako import naive_tako
from tests.games.tako_judo import naive_tako_judo
from tests.histories.recorded import NAMES, events_of, every_history, opening_of, text_of
from turnserver.play import events as e
from turnserver.play.line import Numbered
from turnserver.store.catalogue import events as catalogue


class Taking(NamedTuple):
    """A position of the naive Take and the number of the turn, which it does not know."""

    position: naive_take.Position
    turn: int


class NaiveTake:
    """The naive Take with the functions that the other naive engines have; see `tests.games.lockstep`."""

    @staticmethod
    def start(variant: str, size: int) -> Taking:
        return Taking(naive_take.start(variant, size), 1)

    @staticmethod
    def play(taking: Taking, text: str) -> Taking:
        return Taking(naive_take.play(taking.position, text).position, taking.turn + 1)

    @staticmethod
    def turn(taking: Taking) -> tuple[Any, ...]:
        winner, mover = taking.position.winner, taking.position.mover
        return ("over", frozenset({SEATS[winner]}), ()) if winner else ("choose", SEATS[mover], taking.turn)


SEATS = {"R": 1, "B": 2}

ENGINES: dict[str, Any] = {
    "take": NaiveTake,
    "tako-judo": naive_tako_judo,
    "tako": naive_tako,
    "okago": naive_okago,
    "sneaky-octopuses": naive_sneaky,
}


def standing(events: Iterable[e.GameEvent]) -> list[e.GameStarted | e.TurnPlayed | e.TurnSkipped | e.SeatLeft]:
    """Return what happened on the board and was not taken back."""
    entries: list[e.GameStarted | e.TurnPlayed | e.TurnSkipped | e.SeatLeft] = []
    for event in events:
        match event:
            case e.GameStarted() | e.TurnPlayed() | e.TurnSkipped() | e.SeatLeft():
                entries.append(event)
            case e.EndRetracted() if isinstance(entries[-1], e.SeatLeft) and entries[-1].to_move is None:
                entries.pop()
            case e.TurnsRetracted(first=first):
                del entries[next(at for at, entry in enumerate(entries) if isinstance(entry, Numbered) and entry.turn == first) :]
    return entries


def after(
    engine: Any, position: Any, entry: e.GameStarted | e.TurnPlayed | e.TurnSkipped | e.SeatLeft
) -> Any:  # each has positions of its own
    """The second engine's position one entry later; it refuses what is not legal."""
    match entry:
        case e.TurnPlayed(turn=turn, seat=seat, steps=steps):
            for step in steps:
                assert engine.turn(position) == ("choose", seat, turn)
                position = engine.play(position, step)
        case e.TurnSkipped(turn=turn, seat=seat):
            assert engine.turn(position) == ("choose", seat, turn)
            position = engine.skip(position)
        case e.SeatLeft(seat=seat):
            position = engine.leave(position, seat)
    for roll in entry.rolls:
        assert engine.turn(position)[0] == "roll"
        assert roll.below == sum(engine.weights(position).values())
        position = engine.play(position, roll.outcome)
    kind, seat, *_ = engine.turn(position)
    assert entry.to_move == {"choose": seat, "over": None}[kind]
    return position


def ending(events: Sequence[e.GameEvent]) -> e.GameEnded | None:
    """Return the last ending of the game, None if it was reopened after that or ended by people alone."""
    reopened = max((at for at, event in enumerate(events) if isinstance(event, e.TurnsRetracted | e.EndRetracted)), default=0)
    by_board = (e.EndedBy.RULES, e.EndedBy.RESIGNATION, e.EndedBy.TIME)
    return next((event for event in events[reopened:] if isinstance(event, e.GameEnded) and event.by in by_board), None)


@every_history
def test_the_second_engine_agrees_on_every_step_and_on_the_winner(name: str) -> None:
    opened, events = opening_of(name), events_of(name)
    engine = ENGINES[opened.game]
    position = engine.start(**opened.options)
    for entry in standing(events):
        position = after(engine, position, entry)
    ended = ending(events)
    kind, *result = engine.turn(position)
    if kind == "over":
        assert ended is not None
        assert result == [set(ended.winners), ended.scores]
    else:
        assert ended is None or (ended.by is not e.EndedBy.RULES and ended.scores == ())


LETTERS = {
    naive_take.Cell(cover, stone): letter
    for letter, cover, stone in [
        ("#", True, None),
        (".", False, None),
        ("R", False, "R"),
        ("B", False, "B"),
        ("r", True, "R"),
        ("b", True, "B"),
    ]
}


def letters(board: Iterable[str]) -> list[str]:
    """The rows of a text board of Take from the top, each cell one letter; coordinates, spaces and marks left out."""
    rows = [line for line in board if re.match(r" *[a-z]\d+ ?[ \[]", line)]
    return [re.sub(r"[a-z]\d+|[ \[\]]", "", line) for line in rows]


@for_each("name", [name for name in NAMES if opening_of(name).game == "take"])
def test_the_second_take_ends_with_the_same_board(name: str) -> None:
    taking = NaiveTake.start(**opening_of(name).options)  # type: ignore[arg-type]  # the options of Take
    for entry in standing(events_of(name)):
        taking = after(NaiveTake, taking, entry)
    position = taking.position
    assert letters(catalogue.read_history(text_of(name))[0].ends.board) == [
        "".join(LETTERS[position.cells[cell]] for cell in row) for row in reversed(naive_take.rows(position.side))
    ]
