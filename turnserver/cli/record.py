"""The full history of a game as JSON, for programs that check it."""

from dataclasses import asdict
from typing import Annotated

import msgspec
from msgspec import Meta

from turnserver.cli import show
from turnserver.cli.shapes import Options
from turnserver.envelope import GameId, game_stream
from turnserver.mail.narrate import Table
from turnserver.service import Service
from turnserver.store import history


class Record(msgspec.Struct, frozen=True):
    """Everything that a game's history holds. Addresses and chat are not part of it.

    An event's `hash` is the SHA-256 of the hash before it (hexadecimal; empty before the first), a line feed, and the compact JSON array of
    its other fields in their order here, `data` as a string: its JSON with sorted keys and without spaces.
    """

    id: Annotated[int, Meta(description="the game's number")]
    game: Annotated[str, Meta(description="which game of the catalogue, by key")]
    options: Annotated[Options, Meta(description="every option of the game with its value")]
    players: Annotated[dict[str, str], Meta(description="the names of the players by number")]
    events: Annotated[tuple[history.Row, ...], Meta(description="every event as it is stored, oldest first")]


def as_json(service: Service, game: GameId, table: Table) -> str:
    """The record as indented JSON, ending in a line feed."""
    with service.db.read() as conn:
        events = history.load(conn, game_stream(game))[: table.state.version]
    record = Record(
        id=game,
        game=table.state.game.entry.key,
        options=asdict(table.state.game.options),
        players={str(player): table.name(player) for player in table.state.everybody},
        events=events,
    )
    return msgspec.json.format(show.as_json(record), indent=2).decode() + "\n"
