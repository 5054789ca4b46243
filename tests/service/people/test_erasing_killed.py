"""Somebody is erased by a process that is killed at every statement: nothing is done, or all rows; once more does what is left."""

import pytest

from tests.processes import start
from tests.service.people.test_erasing import ZYX, found, lived
from tests.service.world import World
from turnserver.ids import player_stream
from turnserver.play.events import PlayerErased
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.people import erasing

pytestmark = [pytest.mark.engines, pytest.mark.thorough]

STATEMENTS = 40
"""At least so many are executed on the way."""


def trace(world: World) -> tuple[bool, int, bool]:
    """Return whether the name is gone, how often the log says so, and whether files are still to be rewritten; the log has to be whole."""
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        events = [row.event for row in log.load(conn, player_stream(ZYX))]
        waits = bool(erasing.unwiped(conn))
    return "former" in world.service.people.find(str(ZYX)).name, sum(isinstance(event, PlayerErased) for event in events), waits


@pytest.mark.long
def test_whoever_is_killed_while_erasing_has_done_nothing_or_all_rows(any_world: World, database_url: str) -> None:
    """Each life begins where the last one was killed; in the end nothing of them is left, and the log says so once."""
    lived(any_world)
    any_world.service.db.close()
    seen: list[tuple[bool, int, bool]] = []
    end = "killed"
    with start("erase", database_url, str(ZYX), module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            end = process.hear()
            seen.append(trace(any_world))
            any_world.service.db.close()
    assert end == "done"
    assert len(seen) > STATEMENTS
    assert list(dict.fromkeys(seen)) == [(False, 0, False), (True, 1, True), (True, 1, False)]
    assert found(database_url) == []
    Database.connect(database_url).close()
