"""What the commands about the past print with --json."""

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta


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
