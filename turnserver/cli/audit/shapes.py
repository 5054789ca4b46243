"""The shapes that the commands about the past print with --json."""

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from turnserver.ids import Stream


class TrailEntry(msgspec.Struct, frozen=True):
    """An event, and the request behind it."""

    position: Annotated[int, Meta(description="its place in the whole log, from 1")]
    stream: Annotated[str, Meta(description="the stream, such as game-17, league-3 or player-8")]
    version: Annotated[int, Meta(description="its place in the stream, from 1")]
    at: Annotated[datetime, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who did it: player-8, admin:name, service or stranger")]
    name: Annotated[str, Meta(description="the player's name today; else the actor again")]
    type: Annotated[str, Meta(description="the event's type in the event catalogue")]
    how: Annotated[str, Meta(description="the request behind it, in words")]
    cause: Annotated[str, Meta(description="the request behind it, as the log has it")]
    mail: Annotated[int | None, Meta(description="the number of the mail behind it in the inbox, if there is one and it is kept")]
    arrived_at: Annotated[datetime | None, Meta(description="when that mail arrived")]
    sender: Annotated[str | None, Meta(description="the sender on its envelope")]
    data: Annotated[dict[str, Any], Meta(description="the event's data")]
    hash: Annotated[str, Meta(description="the event's hash in hexadecimal")]


class MailBehind(msgspec.Struct, frozen=True):
    """The mail behind an event."""

    mail: Annotated[int, Meta(description="its number in the inbox")]
    position: Annotated[int, Meta(description="the event's place in the whole log")]
    stream: Annotated[str, Meta(description="the event's stream")]
    version: Annotated[int, Meta(description="the event's place in its stream")]
    type: Annotated[str, Meta(description="the event's type")]
    actor: Annotated[str, Meta(description="who did it")]
    received_at: Annotated[datetime, Meta(description="when the mail arrived")]
    source: Annotated[str, Meta(description="the way it came: lmtp, pipe, maildir, imap or sandbox")]
    sender: Annotated[str, Meta(description="the sender on its envelope; `<>` for the null sender, empty if it is not known")]
    recipient: Annotated[str, Meta(description="the address that it was sent to")]
    identity: Annotated[str, Meta(description="the identity that the log names; all copies of the mail share it")]
    size: Annotated[int, Meta(description="its size in bytes")]
    sha256: Annotated[str, Meta(description="the SHA-256 of its bytes, in hexadecimal")]
    genuine: Annotated[bool, Meta(description="whether these bytes have the identity that the log names")]


class ToldMail(msgspec.Struct, frozen=True):
    """A mail to a player, and how far it had come."""

    mail: Annotated[int, Meta(description="its number in the outbox; `turnserver mail outbox show` shows it")]
    kind: Annotated[str, Meta(description="its kind, such as turn or reminder")]
    version: Annotated[int, Meta(description="the number of events of the game that it showed")]
    written_at: Annotated[datetime, Meta(description="when it was written")]
    reached: Annotated[str, Meta(description="waiting, taken (by the next server), delivered, bounced or answered")]
    at: Annotated[datetime, Meta(description="when it got that far")]


class ToldGame(msgspec.Struct, frozen=True):
    """A game as a player knew it."""

    game: Annotated[int, Meta(description="the game's number")]
    title: Annotated[str, Meta(description="the title of the game")]
    status: Annotated[str, Meta(description="inviting, running or ended")]
    version: Annotated[int, Meta(description="the number of events in the game")]
    known: Annotated[
        int | None,
        Meta(description="the number of events that the newest letter to reach the player had shown; null if none had reached them"),
    ]
    mail: Annotated[int | None, Meta(description="the number of that letter in the outbox")]
    own: Annotated[int | None, Meta(description="the version of the player's own last event")]
    unknown: Annotated[int, Meta(description="the number of events by others that no letter had told yet; plans of others do not count")]
    held_turn: Annotated[int | None, Meta(description="the turn that was kept from the others because it could still be corrected")]
    held_until: Annotated[datetime | None, Meta(description="the end of that time")]
    planned: Annotated[int | None, Meta(description="the turn from which the player's plan answered; no mail told of such turns")]
    mails: Annotated[list[ToldMail], Meta(description="every mail to the player about it, oldest first")]


class ToldLeague(msgspec.Struct, frozen=True):
    """A league as a player knew it."""

    league: Annotated[int, Meta(description="the league's number")]
    known: Annotated[int, Meta(description="the number of events that the newest letter to reach the player had shown")]
    mail: Annotated[int, Meta(description="the number of that letter in the outbox")]


class ToldPlayer(msgspec.Struct, frozen=True):
    """All that a player had been told."""

    player: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="the player's name today")]
    at: Annotated[datetime, Meta(description="the moment that is asked about")]
    games: Annotated[list[ToldGame], Meta(description="the games that were not over, or the one that was asked for")]
    leagues: Annotated[list[ToldLeague], Meta(description="the leagues that a letter had told of")]


class ChangedFact(msgspec.Struct, frozen=True):
    """A fact that is not the same."""

    what: Annotated[str, Meta(description="the name of the fact, such as Deadline")]
    before: Annotated[str, Meta(description="its value on the first side; empty if it has none")]
    after: Annotated[str, Meta(description="its value on the second side; empty if it has none")]


class DiffSide(msgspec.Struct, frozen=True):
    """One side of a comparison."""

    stream: Annotated[Stream, Meta(description="the stream, such as game-17")]
    version: Annotated[int, Meta(description="the number of events in it")]
    at: Annotated[datetime, Meta(description="the moment")]


class DiffEvent(msgspec.Struct, frozen=True):
    """Something that happened between two moments."""

    version: Annotated[int, Meta(description="its place in the stream")]
    at: Annotated[datetime, Meta(description="when it was recorded")]
    actor: Annotated[str, Meta(description="who did it")]
    type: Annotated[str, Meta(description="the event's type")]
    what: Annotated[str, Meta(description="the event as a sentence")]


class TableMove(msgspec.Struct, frozen=True):
    """A player whose place or points in a league differ."""

    player: Annotated[int, Meta(description="the player's number")]
    name: Annotated[str, Meta(description="the player's name")]
    division_before: Annotated[str | None, Meta(description="the division before; null if the player was in no table")]
    place_before: Annotated[int | None, Meta(description="the place before")]
    points_before: Annotated[str | None, Meta(description="the points before, or the figure that decided places instead")]
    division_after: Annotated[str | None, Meta(description="the division after; null if the player is in no table")]
    place_after: Annotated[int | None, Meta(description="the place after")]
    points_after: Annotated[str | None, Meta(description="the points after, or the figure that decides places instead")]


class Diff(msgspec.Struct, frozen=True):
    """The differences between two moments."""

    one: Annotated[DiffSide, Meta(description="the earlier moment, or the first game")]
    other: Annotated[DiffSide, Meta(description="the later moment, or the second game")]
    events: Annotated[list[DiffEvent], Meta(description="the events between two moments of one stream, oldest first")]
    changes: Annotated[list[ChangedFact], Meta(description="the facts that differ")]
    boards: Annotated[list[str], Meta(description="both boards in characters, for games")]
    tables: Annotated[list[TableMove], Meta(description="players whose place or points differ, for leagues")]
