"""The recorded games: proved, folded, decided again, recorded again, and judged by the second engine."""

import json
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import groupby
from typing import Any, cast

import pytest

from tests.histories.record import RECORDINGS, Recording, record
from tests.naive import naive_take
from turnserver import resources
from turnserver.envelope import Recorded
from turnserver.play.commands import (
    Accept,
    Adjudicate,
    Annul,
    Cancel,
    CheckClock,
    Command,
    CreditClock,
    Decline,
    OpenGame,
    PlayTurn,
    Resign,
    Retract,
)
from turnserver.play.decide import decide
from turnserver.play.events import (
    EVENT_TYPES,
    ClockCredited,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    EndedBy,
    GameEnded,
    GameEvent,
    GameOpened,
    InvitationAccepted,
    InvitationDeclined,
    PlayerReminded,
    ResultAnnulled,
    SeatLeft,
    SeatResigned,
    SecretRevealed,
    TurnPlayed,
    TurnsRetracted,
    TurnTimedOut,
)
from turnserver.play.evolve import fold
from turnserver.play.state import GameState
from turnserver.rules import Seat
from turnserver.store import catalogue, history

FILES = sorted((resources.events_dir() / "histories").glob("*.jsonl"))
COLOURS = {"R": Seat(1), "B": Seat(2)}

every_history = pytest.mark.parametrize("name", [path.stem for path in FILES])


def text_of(name: str) -> str:
    return (resources.events_dir() / "histories" / f"{name}.jsonl").read_text(encoding="utf-8")


def events_of(name: str) -> list[Recorded[GameEvent]]:
    return [history.recorded(row) for row in catalogue.read_history(text_of(name))[1]]


@every_history
def test_folds_to_the_end_in_its_heading(name: str) -> None:
    heading, rows = catalogue.read_history(text_of(name))
    history.prove(rows)
    assert catalogue.ending(fold(recorded.event for recorded in map(history.recorded, rows))) == heading.ends


def hash_as_documented() -> Callable[..., str]:
    """The function that events/README.md gives to those who have only a file and Python."""
    page = (resources.events_dir() / "README.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(page.partition("```python\n")[2].partition("```")[0], names)  # noqa: S102  # the page is the project's own, and has to work
    return cast("Callable[..., str]", names["hash_of"])


@every_history
def test_the_chain_holds_for_somebody_who_has_only_the_file_and_python(name: str) -> None:
    hash_of, previous = hash_as_documented(), ""
    for line, row in zip(text_of(name).splitlines()[1:], catalogue.read_history(text_of(name))[1], strict=True):
        event = json.loads(line)
        assert hash_of(event, previous) == event["hash"]
        assert hash_of({**event, "data": row.text}, previous) == event["hash"]
        assert hash_of({**event, "actor": "somebody else"}, previous) != event["hash"]
        previous = event["hash"]
    assert previous


def asked(first: GameEvent, state: GameState | None, at: datetime) -> Command:  # noqa: C901  # one branch a command
    """The command that the first of its events gives away."""
    if isinstance(first, GameOpened):
        return OpenGame(first.game, first.options, first.players, first.order, first.days_per_move, first.opened_by)
    assert state is not None
    match first:
        case InvitationAccepted(player=player):
            return Accept(player, at)
        case InvitationDeclined(player=player):
            return Decline(player, at)
        case TurnPlayed(turn=turn, seat=seat, steps=steps, received_at=received_at):
            return PlayTurn(state.player_at(seat), received_at, "; ".join(steps), turn, state.edition)
        case SeatResigned(seat=seat):
            return Resign(state.player_at(seat), at)
        case PlayerReminded() | TurnTimedOut():
            return CheckClock()
        case TurnsRetracted(first=turn, reason=reason):
            return Retract(turn, reason)
        case ClockCredited(seconds=seconds, reason=reason):
            return CreditClock(seconds, reason)
        case ResultAnnulled(reason=reason):
            return Annul(reason)
        case GameEnded(by=EndedBy.ADJUDICATION, winners=winners, reason=reason):
            return Adjudicate(winners, reason)
        case GameEnded(by=EndedBy.CANCELLATION, reason=reason):
            return Cancel(reason)
    raise AssertionError(f"no command begins with {first}")


@every_history
def test_every_command_is_decided_as_it_was(name: str) -> None:
    state: GameState | None = None
    for cause, group in groupby(events_of(name), key=lambda recorded: recorded.cause):
        batch = list(group)
        events = tuple(recorded.event for recorded in batch)
        assert decide(state, asked(events[0], state, batch[0].at), batch[0].at) == events, cause
        state = fold(events, state)


@pytest.mark.parametrize(("recording", "number"), [pytest.param(one, n, id=one.name) for n, one in enumerate(RECORDINGS, start=1)])
def test_recording_again_gives_the_same_file(recording: Recording, number: int) -> None:
    assert record(recording, number) == text_of(recording.name), "review `git diff events` after `python -m tests.histories.record`"


def standing(events: Iterable[GameEvent]) -> list[str]:
    """The placements that no retraction took back."""
    placements: list[str] = []
    for event in events:
        match event:
            case TurnPlayed(turn=turn, steps=(placement,)):
                assert turn == len(placements) + 1
                placements.append(placement)
            case TurnsRetracted(first=first):
                del placements[first - 1 :]
    return placements


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
    """The rows of a text board from the top, each cell one letter; coordinates, spaces and marks left out."""
    rows = [line for line in board if re.match(r" *[a-z]\d+ ?[ \[]", line)]
    return [re.sub(r"[a-z]\d+|[ \[\]]", "", line) for line in rows]


@every_history
def test_the_second_engine_agrees_on_every_move_and_on_the_winner(name: str) -> None:
    events = [recorded.event for recorded in events_of(name)]
    opened = events[0]
    assert isinstance(opened, GameOpened)
    position = naive_take.start(str(opened.options["variant"]), int(opened.options["size"]))
    for placement in standing(events):
        position = naive_take.play(position, placement).position  # refuses what is not legal
    by_rules = [event.winners for event in events if isinstance(event, GameEnded) and event.by is EndedBy.RULES]
    assert by_rules == ([(COLOURS[position.winner],)] if position.winner else [])
    assert letters(catalogue.read_history(text_of(name))[0].ends.board) == [
        "".join(LETTERS[position.cells[cell]] for cell in row) for row in reversed(naive_take.rows(position.side))
    ]


def test_everything_that_can_happen_to_a_game_of_take_happens() -> None:
    happened = {type(recorded.event) for path in FILES for recorded in events_of(path.stem)}
    of_games = {event for event, current in EVENT_TYPES.items() if current.name.startswith("game.")}
    unknown_to_take = {DrawOffered, DrawAccepted, DrawDeclined, SeatLeft, SecretRevealed}
    assert of_games - happened == unknown_to_take, "Take knows no draws, no chance, and no more than two players"
