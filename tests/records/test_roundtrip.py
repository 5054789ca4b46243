"""Every game that was recorded, and many played at random: as a text or as JSON it can be read back, and says the same."""

import json
import re
from itertools import chain

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from tests.games.test_laws import AnyGame, each_game
from tests.histories.recorded import events_of, every_history
from tests.records.played import records
from tests.shortened import shortened
from turnserver.ids import PlayerId
from turnserver.play.evolve import fold
from turnserver.records import jsonform
from turnserver.records.check import canonical
from turnserver.records.making import Circumstances, record_of
from turnserver.records.reading import read, read_all
from turnserver.records.record import Record
from turnserver.records.writing import COLUMNS, write

SCHEMA = Draft202012Validator(jsonform.schema())
LONG = re.compile("x{100}|y{90}")
"""The characters for which no line has room."""

NAMES = {PlayerId(number): name for number, name in enumerate(("Ada", 'Bob "the Boat"', "Cleo \\ Co", "Dan?", "Eve", "?"), start=1)}


def recorded(name: str) -> Record:
    events = events_of(name)
    return record_of(fold(events), events, Circumstances(names=NAMES, event="A league", site="Here"))


def check(record: Record) -> str:
    """The record is canonical already, and so is its text, which says it all in lines that fit."""
    assert canonical(record) == record
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text
    assert [one for _, one in jsonform.split(jsonform.write(record))] == [record]
    SCHEMA.validate(json.loads(jsonform.write(record)))
    assert all(len(line) <= COLUMNS or LONG.search(line) for line in text.splitlines())
    return text


@every_history
def test_recorded_games_are_read_back(name: str) -> None:
    check(recorded(name))


@pytest.mark.thorough
@pytest.mark.parametrize("turns", shortened([5, 0, 1, 300]))
@each_game
def test_random_games_are_read_back_however_they_end(game: AnyGame, turns: int) -> None:
    made = list(chain.from_iterable(records(game, seed, turns) for seed in range(1 if turns > 5 else 3)))
    texts = [check(record) for record in made]
    assert [each.record for each in read_all("\n".join(texts))] == made


def test_the_schema_is_what_the_program_reads() -> None:
    assert jsonform.SCHEMA.read_text(encoding="utf-8") == jsonform.schema_text()


def test_the_example_of_the_grammar_is_a_record() -> None:
    page = (jsonform.SCHEMA.parent / "RECORD.md").read_text(encoding="utf-8")
    example = page.split("```")[1].strip() + "\n"
    assert write(read(example)) == example
