"""Names that everybody shares: identifiers, the base of all events, an event's place in the log, and the fate of a mail."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final, Generic, NamedTuple, NewType, TypeAlias, TypeVar

import msgspec

LARGEST: Final = 2**62
"""A number that no row of any table has, and that both engines can look for."""

Stream = NewType("Stream", str)
"""The name of one history: `game-17`, `league-3`, `player-8`, `archive-5`."""

GameStream = NewType("GameStream", Stream)
LeagueStream = NewType("LeagueStream", Stream)
PlayerStream = NewType("PlayerStream", Stream)

Version = NewType("Version", int)
"""An event's place in its stream: 1, 2, ...; 0 is the empty stream."""

Position = NewType("Position", int)
"""An event's place among all events: 1, 2, ... without a gap."""

PlayerId = NewType("PlayerId", int)
GameId = NewType("GameId", int)
LeagueId = NewType("LeagueId", int)
ArchiveId = NewType("ArchiveId", int)

Instant: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)]
"""A moment with its time zone. The log holds it in UTC, and neither writes nor reads a naive one."""

Digest: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes in hexadecimal: a SHA-256, or a secret that has been revealed."""


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of all events: frozen; unknown fields are refused.

    An optional field is stored only when it differs from its default, so that adding one leaves the bytes of older events as they are.
    """


class EventType(NamedTuple):
    """The stored name and current schema version of an event."""

    name: str
    schema: int


class Burden(StrEnum):
    """The player for whose rating a result counts, of a seat that changed hands: the earlier owner (`seat`), the `substitute`, nobody."""

    SEAT = "seat"
    SUBSTITUTE = "substitute"
    NONE = "none"


E_co = TypeVar("E_co", covariant=True)


class Recorded(NamedTuple, Generic[E_co]):
    """One event as it stands in the log.

    `at` is when it was appended (UTC). `actor` is who wanted it: `player-8`, `admin:<name>` or `service`. `cause` is the request for it:
    `mail:<identity>`, `cli:<invocation>`, `job:<name>:<key>`. `hash` chains it to the event before it in its stream.
    """

    position: Position
    stream: Stream
    version: Version
    at: datetime
    actor: str
    cause: str
    event: E_co
    hash: bytes


class DeliveryStatus(StrEnum):
    """The fate of a mail that the next server took, as a report tells it."""

    # it came back: there is no such mailbox
    HARD = "hard"
    # it came back: we or our mail are not wanted there
    POLICY = "policy"
    # it came back for any other reason
    SOFT = "soft"
    # a server still tries
    DELAYED = "delayed"
    # the mail arrived, or went on to a place that sends no reports
    DELIVERED = "delivered"
    # this is no report, or an unreadable one
    UNCLASSIFIED = "unclassified"

    @property
    def came_back(self) -> bool:
        """True if the mail has not arrived and nobody tries any more."""
        return self in {DeliveryStatus.HARD, DeliveryStatus.POLICY, DeliveryStatus.SOFT}


def game_stream(game: GameId) -> GameStream:
    """Return the stream that holds a game's history."""
    return GameStream(Stream(f"game-{game}"))


def league_stream(league: LeagueId) -> LeagueStream:
    """Return the stream that holds a league's history."""
    return LeagueStream(Stream(f"league-{league}"))


def archive_stream(archived: ArchiveId) -> Stream:
    """Return the stream that holds a game of the archive."""
    return Stream(f"archive-{archived}")


def player_stream(player: PlayerId) -> PlayerStream:
    """Return the stream that holds the history of a player's account."""
    return PlayerStream(Stream(f"player-{player}"))


def actor(player: PlayerId) -> str:
    """Return the log's name for a player who asked for something."""
    return f"player-{player}"


def is_admin(who: str) -> bool:
    """Return whether the log calls an admin so."""
    return who.startswith("admin:")


def player_of(who: str) -> PlayerId | None:
    """Return the player whom the log calls `who`; None if it was no player."""
    kind, _, number = who.partition("-")
    return PlayerId(int(number)) if kind == "player" and number.isdigit() else None
