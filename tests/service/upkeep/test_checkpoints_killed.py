"""A checkpoint whose process is killed with SIGKILL at every statement, and between its row and its file."""

from pathlib import Path

import pytest

from tests.processes import start
from tests.service.upkeep.checkpointed import published, settings, sound, stored
from tests.service.world import World
from turnserver.service.upkeep import checkpoints
from turnserver.store.log.database import Database

pytestmark = [pytest.mark.engines, pytest.mark.thorough]

STATEMENTS = 8
"""At least so many are executed; a test that killed at fewer would have missed something."""


@pytest.mark.long
def test_a_checkpoint_is_made_once_wherever_its_process_is_killed(database_url: str, tmp_path: Path) -> None:
    db = Database.connect(database_url)
    world = World(db, tmp_path / "mail", settings=settings(tmp_path))
    world.open()
    seen: list[tuple[int, int]] = []
    end = "killed"
    with start("checkpoint", database_url, str(tmp_path), module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            end = process.hear()
            seen.append((len(stored(world)), len(published(tmp_path))))
    assert end == "done"
    assert len(seen) > STATEMENTS
    assert [each for each, before in zip(seen, [None, *seen], strict=False) if each != before] in (
        [(0, 0), (1, 0), (1, 1)],
        [(0, 0), (1, 1)],
    )
    assert len(sound(world, tmp_path)) == 1
    db.close()


class Killed(BaseException):
    """Nothing that anybody catches."""


def test_half_a_file_is_never_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "published"

    def die(*_: object) -> None:
        raise Killed

    monkeypatch.setattr("os.fsync", die)
    with pytest.raises(Killed):
        checkpoints.write(str(directory), [(7, "half")])
    monkeypatch.undo()
    assert list(directory.iterdir()) == []
    checkpoints.write(str(directory), [(7, "whole"), (8, "next")])
    checkpoints.write(str(directory), [(7, "whole and signed by one more")])
    assert published(tmp_path) == {"7.checkpoint": "whole and signed by one more", "8.checkpoint": "next"}
