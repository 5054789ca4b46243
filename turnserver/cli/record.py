"""The full record of a game: as JSON for programs that check it, as a text for people."""

from dataclasses import asdict
from enum import StrEnum
from textwrap import fill
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from turnserver.cli import show
from turnserver.cli.replay import Replay, moves
from turnserver.cli.shapes import Options
from turnserver.envelope import GameId, game_stream
from turnserver.mail.narrate import Table
from turnserver.rules import Seat
from turnserver.service import Service
from turnserver.store import history

COLUMNS: Final = 72


class Format(StrEnum):
    """How a record is written."""

    JSON = "json"
    TEXT = "text"


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


def _who(table: Table, seat: Seat) -> str:
    """`Ada`, or `Ada, from turn 5 Carl`: everybody who had the seat, the first one first."""
    names = [table.name(table.state.player_of(seat, 0))]
    names += [f"from turn {each.turn} {table.name(each.player)}" for each in table.state.takeovers if each.seat == seat]
    return ", ".join(names)


def as_text(replay: Replay) -> str:
    """The record as a text of at most 72 columns: what was played by whom, and how it ended."""
    state, table = replay.state, replay.table
    heading = [
        f"Game {replay.id}: {state.game.entry.title}, by {state.game.entry.designer}",
        *(f"{name}: {value}" for name, value in asdict(state.game.options).items()),
        *(f"{state.seat_name(seat)}: {_who(table, seat)}" for seat in state.seats),
        f"events: {state.version}",
        f"head: {replay.head}",
    ]
    width = max((len(str(move.number)) for move in moves(replay)), default=1)
    names = max(len(state.seat_name(seat)) for seat in state.seats)
    played = [f"{move.number:>{width}}. {move.seat:<{names}} {move.text}" for move in moves(replay)]
    ending = fill(replay.result, COLUMNS) if replay.result else "The game goes on."
    return "\n".join([*heading, "", *played, "", ending]) + "\n"
