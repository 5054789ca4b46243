"""The trail of a log in which everything happens that can be asked for, compared with a slow look at every event."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.service.world import World
from turnserver.ids import Burden, GameId, PlayerId, Position, Stream
from turnserver.play.commands import Substitute
from turnserver.rules import Seat
from turnserver.store.log import trail
from turnserver.store.log.trail import Asked, Trace

ADA, BOB, CLEO = PlayerId(1), PlayerId(2), PlayerId(3)
HOUR = timedelta(hours=1)
BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def busy(any_world: World) -> World:
    """Two games; in the first Cleo plays on for Bob, the second Bob has declined; an hour between any two things that happen."""
    first = any_world.open()
    any_world.wait(hours=1)
    any_world.answer("Ada", "a1")
    any_world.wait(hours=1)
    any_world.open(accepted=False)
    any_world.answer("Bob", "decline")
    any_world.wait(hours=1)
    any_world.service.games.handle(first, Substitute(Seat(2), CLEO, "UTC", Burden.SEAT, "Bob is gone"), actor="admin:root", cause="cli:1")
    any_world.settle()
    any_world.wait(hours=1)
    any_world.answer("Cleo", "c2")
    return any_world


ASKED = {
    "all": Asked(),
    "a stream": Asked(stream=Stream("game-1")),
    "an actor": Asked(actor="player-1"),
    "a kind of actor": Asked(kind="admin:"),
    "a type": Asked(type="game.turn_played"),
    "a family of types": Asked(type="player."),
    "a kind of cause": Asked(cause="mail:"),
    "an instant on": Asked(since=BEGIN + 2 * HOUR),
    "up to an instant": Asked(until=BEGIN + HOUR),
    "positions": Asked(first=Position(5), last=Position(8)),
    "all at once": Asked(Stream("game-1"), "player-1", "player-", "game.", "mail:", BEGIN, BEGIN + HOUR, Position(1), Position(9)),
    "nothing": Asked(type="game.nothing"),
}


def naive(events: list[Trace], asked: Asked) -> list[Trace]:
    return [
        one
        for one in events
        if (asked.stream is None or one.stream == asked.stream)
        and (asked.actor is None or one.actor == asked.actor)
        and one.actor.startswith(asked.kind or "")
        and one.type.startswith(asked.type or "")
        and one.cause.startswith(asked.cause or "")
        and (asked.since is None or one.at >= asked.since)
        and (asked.until is None or one.at <= asked.until)
        and (asked.first is None or one.position >= asked.first)
        and (asked.last is None or one.position <= asked.last)
    ]


def test_filters(busy: World) -> None:
    with busy.service.db.read() as conn:
        events = list(trail.every(conn, Asked()))
        assert [one.position for one in events] == list(range(1, len(events) + 1))
        for name, asked in ASKED.items():
            expected = naive(events, asked)
            assert list(trail.every(conn, asked)) == list(trail.every(conn, asked, page=2)) == expected, name
            assert trail.count(conn, asked) == len(expected), name
        assert any(naive(events, asked) for asked in ASKED.values())


CONCERNS = {
    ADA: {"game-1": range(1, 8), "game-2": range(1, 4), "player-1": range(1, 2)},
    BOB: {"game-1": range(1, 7), "game-2": range(1, 4), "player-2": range(1, 2)},
    CLEO: {"game-1": range(6, 8), "player-3": range(1, 2)},
}
"""The events that concern each: Bob sat at the first table until its sixth event, Cleo from then on."""


def test_whom_it_concerns(busy: World) -> None:
    with busy.service.db.read() as conn:
        for player, streams in CONCERNS.items():
            found = [(one.stream, one.version) for one in trail.every(conn, Asked(player=player))]
            assert sorted(found) == sorted((stream, version) for stream, versions in streams.items() for version in versions)
            turns = list(trail.every(conn, Asked(player=player, type="game.turn_played"), page=1))
            assert [one.version for one in turns] == [version for version in (5, 7) if version in streams["game-1"]]
            assert trail.count(conn, Asked(player=player, type="game.turn_played")) == len(turns)


def test_single_events(busy: World) -> None:
    with busy.service.db.read() as conn:
        whole = list(trail.every(conn, Asked()))
        assert [trail.at_position(conn, one.position) for one in whole] == whole
        assert [trail.at_version(conn, one.stream, one.version) for one in whole] == whole
        assert trail.at_position(conn, Position(len(whole) + 1)) is None
        assert [version for version, _, _ in trail.newest(conn, Stream("game-1"), 2)] == [7, 6]
        assert [one.recorded().event for one in whole if one.stream == "game-1"] == [
            row.event for row in busy.service.games.history(GameId(1))
        ]


def test_an_option_called_players_names_nobody(world: World) -> None:
    world.open_any("sneaky-octopuses", ["Ada", "Bob"], {"players": 2})
    with world.service.db.read() as conn:
        assert [trail.tables_of(conn, player) for player in (ADA, BOB, CLEO)] == [[GameId(1)], [GameId(1)], []]
