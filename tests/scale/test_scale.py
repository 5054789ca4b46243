"""The log that audits are measured with is one that an audit has nothing to object to, and is the same every time."""

from pathlib import Path

import pytest

from tests.bench.club import settings
from tests.scale.filling import fill
from tests.scale.playing import play
from turnserver.audit import derived_rows
from turnserver.audit.replaying import replay_all
from turnserver.service.service import Service
from turnserver.store.log import verify as audit


@pytest.mark.long
def test_a_small_one(tmp_path: Path) -> None:
    service = Service.initialise(settings(tmp_path / "scale.db"))
    written, games = list(fill(service, events=200, seed=5, workers=1, at_once=3, ahead=1))[-1]
    with service.db.read() as conn:
        assert not list(audit.verify(conn))
        assert not list(derived_rows.verify(conn))
        known = audit.begun(conn).games
    assert written >= 200
    assert games == len(known)
    assert not [outcome for outcome in replay_all(service.settings.database.url, known, 1) if outcome.findings]
    service.db.close()


def test_a_game_is_always_the_same() -> None:
    assert play(3, seed=5) == play(3, seed=5)
    assert play(3, seed=5) != play(3, seed=6)
