"""The recorded games' rolls, recomputed with nothing but the file, Python and events/README.md."""

import json
from itertools import count
from typing import Any

import pytest

from tests.cases import for_each
from tests.histories.recorded import NAMES, documented, text_of
from tests.play.test_chance import DRAWS, HALF, KEY
from turnserver.store.catalogue import events as catalogue

Line = dict[str, Any]


def lines_of(name: str) -> list[Line]:
    return [json.loads(line) for line in text_of(name).splitlines()[1:]]


def rolls_in(events: list[Line]) -> list[Line]:
    return [roll for event in events for roll in event["data"].get("rolls", ())]


def wrong_rolls(events: list[Line]) -> list[Line]:
    wrong: list[Line] = documented()["wrong_rolls"](events)
    return wrong


TOLD = [name for name in NAMES if lines_of(name)[-1]["type"] == "game.secret_revealed"]
ROLLED = [name for name in NAMES if rolls_in(lines_of(name))]


def test_every_game_with_rolls_has_told_its_secret() -> None:
    assert ROLLED
    assert set(ROLLED) <= set(TOLD)


@for_each("name", TOLD)
def test_every_roll_follows_from_the_secret(name: str) -> None:
    events = lines_of(name)
    assert wrong_rolls(events) == []
    exported = [{**event, "data": row.text} for event, row in zip(events, catalogue.read_history(text_of(name))[1], strict=True)]
    assert wrong_rolls(exported) == []


@for_each("name", ROLLED)
@for_each("field", ["value", "number"])
def test_a_roll_of_another_value_or_number_is_found(name: str, field: str) -> None:
    events = lines_of(name)
    last = rolls_in(events)[-1]
    last[field] = last[field] - 1 if last[field] else 1
    assert wrong_rolls(events) == [last]


@for_each("name", ROLLED)
def test_what_each_seat_added_counts(name: str) -> None:
    for joined in range(len(lines_of(name)[0]["data"]["players"])):
        events = lines_of(name)
        data = [event["data"] for event in events if event["type"] == "game.invitation_accepted"][joined]
        del data["entropy"]
        assert wrong_rolls(events)


@for_each("name", TOLD)
def test_another_secret_is_found(name: str) -> None:
    events = lines_of(name)
    events[-1]["data"]["secret"] = "00" * 32
    with pytest.raises(ValueError, match="not the secret"):
        wrong_rolls(events)


@for_each("number", [1, 2, 3, 4])
def test_what_is_no_multiple_is_thrown_away(number: int) -> None:
    """Against the figures of another program."""
    texts = (f"draw {number} again {again}" if again else f"draw {number}" for again in count())
    expected = next(DRAWS[text] for text in texts if DRAWS[text] < HALF)
    assert documented()["draw"](KEY, number, HALF) == expected
    assert documented()["draw"](KEY, number, 6) == DRAWS[f"draw {number}"] % 6
