"""The speed of proving a whole log: its hashes, and every game played again under its rules."""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

from tests.bench.club import Club, copies
from tests.bench.measure import Figure, alternate
from tests.bench.scale import Scale
from turnserver.audit.game.recheck import recheck
from turnserver.ids import GameId
from turnserver.service.service import Service
from turnserver.store.log import log
from turnserver.store.log import verify as chain

TURNS = 90


def audit(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Events a second, for information."""
    path = directory / "audit.db"
    club = Club.found(path)
    source = club.open(turns=TURNS)
    games = [source, *map(GameId, copies(path, source, scale.audited - 1, events=True))]
    service = club.service
    with service.db.read() as conn:
        events = log.last_position(conn)
    if events < len(games) * TURNS:
        raise AssertionError(f"{len(games)} games of {TURNS} turns have no more than {events} events")
    measured = alternate(min(scale.rounds, 3), {"hashes": lambda: _hashes(service), "rules": lambda: _rules(service, games)})
    service.db.close()
    yield Figure("audit.hashes", "verify hashes and form of the log", "events/s", events / measured.typical("hashes"))
    yield Figure("audit.rules", "play recorded games again", "events/s", events / measured.typical("rules"))


def _hashes(service: Service) -> float:
    began = process_time()
    with service.db.read() as conn:
        wrong = list(chain.verify(conn))
    if wrong:
        raise AssertionError(wrong)
    return process_time() - began


def _rules(service: Service, games: list[GameId]) -> float:
    began = process_time()
    wrong = [objection for game in games for objection in recheck((row.event for row in service.games.history(game)), game)]
    if wrong:
        raise AssertionError(wrong)
    return process_time() - began
