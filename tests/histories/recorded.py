"""The recorded games as they lie in `events/histories/`, and what `events/README.md` says about checking them."""

import re
from typing import Any

from tests.cases import for_each
from turnserver import resources
from turnserver.ids import Recorded
from turnserver.play.events import GameEvent, GameOpened
from turnserver.store.catalogue import events as catalogue
from turnserver.store.log import history

NAMES = sorted(path.stem for path in (resources.events_dir() / "histories").glob("*.jsonl"))

every_history = for_each("name", NAMES)


def text_of(name: str) -> str:
    return (resources.events_dir() / "histories" / f"{name}.jsonl").read_text(encoding="utf-8")


def recorded_of(name: str) -> list[Recorded[GameEvent]]:
    return [history.recorded(row) for row in catalogue.read_history(text_of(name))[1]]


def events_of(name: str) -> list[GameEvent]:
    return [recorded.event for recorded in recorded_of(name)]


def opening_of(name: str) -> GameOpened:
    opened = events_of(name)[0]
    assert isinstance(opened, GameOpened)
    return opened


def documented() -> dict[str, Any]:
    """The functions that events/README.md gives to those who have only a file and Python."""
    page = (resources.events_dir() / "README.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(block, names)  # noqa: S102  # the page is the project's own, and has to work
    return names
