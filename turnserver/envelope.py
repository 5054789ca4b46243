"""Names that everybody shares: what the log knows about an event besides the event itself, and what becomes of a mail."""

from datetime import datetime
from enum import StrEnum
from typing import Generic, NamedTuple, NewType, TypeVar

Stream = NewType("Stream", str)
"""The name of one history: `game-17`, `league-3`, `player-8`."""

Version = NewType("Version", int)
"""An event's place in its stream: 1, 2, ...; 0 is the empty stream."""

Position = NewType("Position", int)
"""An event's place among all events: 1, 2, ... without a gap."""

PlayerId = NewType("PlayerId", int)
GameId = NewType("GameId", int)

E = TypeVar("E")


class Recorded(NamedTuple, Generic[E]):
    """One event as it stands in the log.

    `at` is when it was appended (UTC). `actor` is who wanted it: `player-8`, `admin:<name>` or `service`. `cause` is what asked for it:
    `mail:<identity>`, `cli:<invocation>`, `job:<name>:<key>`. `hash` chains it to the event before it in its stream.
    """

    position: Position
    stream: Stream
    version: Version
    at: datetime
    actor: str
    cause: str
    event: E
    hash: bytes


class Fate(StrEnum):
    """What a report says has become of a mail that the next server took.

    HARD and SOFT: it came back, for good or perhaps not. DELAYED: somebody still tries. DELIVERED: it arrived, or went on to where no
    reports come from. UNCLASSIFIED: it is no report, or one that cannot be read.
    """

    HARD = "hard"
    SOFT = "soft"
    DELAYED = "delayed"
    DELIVERED = "delivered"
    UNCLASSIFIED = "unclassified"


def game_stream(game: GameId) -> Stream:
    """The stream that holds a game's history."""
    return Stream(f"game-{game}")


def player_stream(player: PlayerId) -> Stream:
    """The stream that holds what happened to a player's account."""
    return Stream(f"player-{player}")
