"""The shapes that the commands about the past print with --json."""

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from turnserver.ids import Stream


class TrailEntry(msgspec.Struct, frozen=True):
    """Something that happened, and what asked for it."""

    position: Annotated[int, Meta(description="its place in the whole log, from 1")]
    stream: Annotated[str, Meta(description="the stream, such as game-17, league-3 or player-8")]
    version: Annotated[int, Meta(description="its place in the stream, from 1")]
    at: Annotated[datetime, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who wanted it: player-8, admin:name, service or stranger")]
    name: Annotated[str, Meta(description="what that player is called today; else the actor again")]
    type: Annotated[str, Meta(description="the event's type, as the event catalogue has it")]
    how: Annotated[str, Meta(description="what asked for it, in words")]
    cause: Annotated[str, Meta(description="what asked for it, as the log has it")]
    mail: Annotated[int | None, Meta(description="the number of that mail in the inbox, if it was one that is kept")]
    arrived_at: Annotated[datetime | None, Meta(description="when that mail arrived")]
    sender: Annotated[str | None, Meta(description="the sender on its envelope")]
    data: Annotated[dict[str, Any], Meta(description="what the event holds")]
    hash: Annotated[str, Meta(description="its hash in hexadecimal")]


class MailBehind(msgspec.Struct, frozen=True):
    """The mail behind an event."""

    mail: Annotated[int, Meta(description="its number in the inbox")]
    position: Annotated[int, Meta(description="the event's place in the whole log")]
    stream: Annotated[str, Meta(description="the event's stream")]
    version: Annotated[int, Meta(description="the event's place in its stream")]
    type: Annotated[str, Meta(description="the event's type")]
    actor: Annotated[str, Meta(description="who wanted it")]
    received_at: Annotated[datetime, Meta(description="when the mail arrived")]
    source: Annotated[str, Meta(description="how it came: lmtp, pipe, maildir, imap or sandbox")]
    sender: Annotated[str, Meta(description="the sender on its envelope; `<>` for the null sender, empty if nobody knows")]
    recipient: Annotated[str, Meta(description="the address that it was sent to")]
    identity: Annotated[str, Meta(description="what its copies have in common, by which the log names it")]
    size: Annotated[int, Meta(description="how many bytes it has")]
    sha256: Annotated[str, Meta(description="the SHA-256 of its bytes, in hexadecimal")]
    genuine: Annotated[bool, Meta(description="whether these bytes have the identity that the log names")]


class ToldMail(msgspec.Struct, frozen=True):
    """A mail to a player, and how far it had come."""

    mail: Annotated[int, Meta(description="its number in the outbox; `turnserver mail outbox show` shows it")]
    kind: Annotated[str, Meta(description="what it was for, such as turn or reminder")]
    version: Annotated[int, Meta(description="how many events of the game it showed")]
    written_at: Annotated[datetime, Meta(description="when it was written")]
    reached: Annotated[str, Meta(description="waiting, taken (by the next server), delivered, bounced or answered")]
    at: Annotated[datetime, Meta(description="since when that was so")]


class ToldGame(msgspec.Struct, frozen=True):
    """A game as a player knew it."""

    game: Annotated[int, Meta(description="the game's number")]
    title: Annotated[str, Meta(description="which game it is")]
    status: Annotated[str, Meta(description="inviting, running or ended")]
    version: Annotated[int, Meta(description="how many events the game had had")]
    known: Annotated[
        int | None, Meta(description="how many of them the newest letter showed that had reached the player; none if none had")
    ]
    mail: Annotated[int | None, Meta(description="the number of that letter in the outbox")]
    own: Annotated[int | None, Meta(description="the version of the last event that the player asked for")]
    unknown: Annotated[
        int, Meta(description="how many events the player had neither asked for nor been told by a letter; plans of others do not count")
    ]
    held_turn: Annotated[int | None, Meta(description="the turn that nobody else was to know of yet, as it could be corrected")]
    held_until: Annotated[datetime | None, Meta(description="until when that was so")]
    planned: Annotated[int | None, Meta(description="the turn from which a plan of the player answered; no mail told of such turns")]
    mails: Annotated[list[ToldMail], Meta(description="every mail to the player about it, oldest first")]


class ToldLeague(msgspec.Struct, frozen=True):
    """A league as a player knew it."""

    league: Annotated[int, Meta(description="the league's number")]
    known: Annotated[int, Meta(description="how many events the newest letter about it showed that had reached the player")]
    mail: Annotated[int, Meta(description="the number of that letter in the outbox")]


class ToldPlayer(msgspec.Struct, frozen=True):
    """All that a player had been told."""

    player: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="what the player is called today")]
    at: Annotated[datetime, Meta(description="as of when")]
    games: Annotated[list[ToldGame], Meta(description="the games that were not over, or the one that was asked about")]
    leagues: Annotated[list[ToldLeague], Meta(description="the leagues that a letter had told of")]


class ChangedFact(msgspec.Struct, frozen=True):
    """A fact that is not the same."""

    what: Annotated[str, Meta(description="what it is, such as Deadline")]
    before: Annotated[str, Meta(description="what it is on the first side; empty for nothing")]
    after: Annotated[str, Meta(description="what it is on the second side; empty for nothing")]


class DiffSide(msgspec.Struct, frozen=True):
    """One side of a comparison."""

    stream: Annotated[Stream, Meta(description="the stream, such as game-17")]
    version: Annotated[int, Meta(description="how many events it had had")]
    at: Annotated[datetime, Meta(description="as of when")]


class DiffEvent(msgspec.Struct, frozen=True):
    """Something that happened between two moments."""

    version: Annotated[int, Meta(description="its place in the stream")]
    at: Annotated[datetime, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who wanted it")]
    type: Annotated[str, Meta(description="the event's type")]
    what: Annotated[str, Meta(description="what happened, as a sentence")]


class TableMove(msgspec.Struct, frozen=True):
    """A player who stands elsewhere in the tables of a league, or with other points."""

    player: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="that player's name")]
    division_before: Annotated[str | None, Meta(description="the division; none for a player in no table")]
    place_before: Annotated[int | None, Meta(description="the place there")]
    points_before: Annotated[str | None, Meta(description="the points, or what else places went by first")]
    division_after: Annotated[str | None, Meta(description="the division later")]
    place_after: Annotated[int | None, Meta(description="the place later")]
    points_after: Annotated[str | None, Meta(description="the points later")]


class Diff(msgspec.Struct, frozen=True):
    """The differences between two moments."""

    one: Annotated[DiffSide, Meta(description="the earlier moment, or the first game")]
    other: Annotated[DiffSide, Meta(description="the later moment, or the second game")]
    events: Annotated[list[DiffEvent], Meta(description="what happened between two moments of one stream, oldest first")]
    changes: Annotated[list[ChangedFact], Meta(description="what is not the same")]
    boards: Annotated[list[str], Meta(description="both boards in characters, for games")]
    tables: Annotated[list[TableMove], Meta(description="whose place or points are not the same, for leagues")]
