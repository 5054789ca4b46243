"""Mails that go or have gone, as `turnserver mail` prints them."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from turnserver.cli.output.show import Times
from turnserver.ids import PlayerId
from turnserver.mail.outbound.wording import counted
from turnserver.store.mail.outbox import OutboxItem


class Goes(StrEnum):
    """What became of a mail to be sent."""

    QUEUED = "queued"
    HELD = "held"
    SENT = "sent"
    BOUNCED = "bounced"
    DEAD = "dead"
    MERGED = "merged"
    UNWANTED = "unwanted"
    CALLED_OFF = "called off"


class OutMail(msgspec.Struct, frozen=True):
    """A mail to be sent."""

    id: Annotated[int, Meta(description="its number in the outbox")]
    kind: Annotated[str, Meta(description="what it is for, such as turn or reminder")]
    player: Annotated[int | None, Meta(description="the number of the player who gets it")]
    recipient: Annotated[str, Meta(description="that player's name, or the address of somebody without an account")]
    game: Annotated[int | None, Meta(description="the number of the game that it is about")]
    status: Annotated[
        str,
        Meta(description="queued, sent, bounced or dead; held for a digest or merged into one; unwanted; or called off"),
    ]
    queued_at: Annotated[datetime, Meta(description="when it was queued")]
    next_at: Annotated[datetime | None, Meta(description="when it is tried next, while it is queued")]
    due_at: Annotated[datetime, Meta(description="when it was to leave")]
    sent_at: Annotated[datetime | None, Meta(description="when it was sent")]
    attempts: Annotated[int, Meta(description="how often it was tried")]
    error: Annotated[str | None, Meta(description="why it did not leave, the last time")]
    message_id: Annotated[str, Meta(description="its Message-ID")]
    answer: Annotated[str | None, Meta(description="what the next mail server said when it took it")]
    report: Annotated[
        str | None,
        Meta(description="the worst that was heard of it since: delayed, delivered, or a bounce: soft, hard, or policy"),
    ]
    reported_at: Annotated[datetime | None, Meta(description="when that was heard")]
    reason: Annotated[str | None, Meta(description="the status code and the reason, as the mail system gave them")]
    report_mail: Annotated[int | None, Meta(description="the mail of the inbox that says so; none if the next server refused it")]
    answered_at: Annotated[datetime | None, Meta(description="when the first mail came that shows that the player has read it")]
    merged_into: Annotated[int | None, Meta(description="the number of the digest that tells it")]


class OutMailDetails(OutMail, frozen=True):
    """A mail to be sent, as it is or will be written."""

    address: Annotated[str, Meta(description="the address that it goes to; empty if there is none any more")]
    subject: Annotated[str, Meta(description="its subject")]
    text: Annotated[str, Meta(description="its text: what was sent, or what would be sent now")]


def as_out(mail: OutboxItem, known: Mapping[PlayerId, str]) -> OutMail:
    """A row of the outbox as it is printed."""
    recipient = known.get(mail.player, f"player {mail.player}") if mail.player else mail.address or ""
    return OutMail(
        id=mail.id,
        kind=mail.kind,
        player=mail.player,
        recipient=recipient,
        game=mail.game,
        status=mail.status,
        queued_at=mail.created_at,
        next_at=mail.next_at if mail.status == Goes.QUEUED else None,
        due_at=mail.due_at,
        sent_at=mail.sent_at,
        attempts=mail.attempts,
        error=mail.last_error,
        message_id=mail.message_id,
        answer=mail.answer,
        report=mail.report,
        reported_at=mail.reported_at,
        reason=mail.reason,
        report_mail=mail.report_mail,
        answered_at=mail.answered_at,
        merged_into=mail.merged_into,
    )


def as_then(mail: OutboxItem, then: datetime) -> OutboxItem:
    """A mail that had been sent by then, without what was heard of it later."""
    heard = mail.reported_at is not None and mail.reported_at <= then
    came_back = heard and mail.report is not None and mail.report.came_back
    return msgspec.structs.replace(
        mail,
        status=Goes.BOUNCED if came_back else Goes.SENT,
        report=mail.report if heard else None,
        reported_at=mail.reported_at if heard else None,
        reason=mail.reason if heard else None,
        report_mail=mail.report_mail if heard else None,
        answered_at=mail.answered_at if mail.answered_at is not None and mail.answered_at <= then else None,
    )


def went(mail: OutMail, clock: Times) -> str:
    """When it left or will be tried, what has gone wrong, and what was heard of it since."""
    why = f": {mail.error}" if mail.error else ""
    match mail.status:
        case Goes.BOUNCED:
            return f"came back {clock.at(mail.reported_at or mail.queued_at)}, {mail.report}: {mail.reason or 'no reason given'}"
        case Goes.HELD:
            return f"waits for the digest of {clock.at(mail.due_at)}"
        case Goes.MERGED:
            return f"told in mail {mail.merged_into}" if mail.merged_into else "had nothing to tell any more"
        case Goes.UNWANTED:
            return "the player wants no mail"
    if mail.sent_at is not None:
        return f"sent {clock.at(mail.sent_at)}{f', {mail.report}' if mail.report else ''}"
    if mail.next_at is not None:
        return f"next try {clock.at(mail.next_at)}{why}" if mail.attempts else "to be sent"
    return f"given up after {counted(mail.attempts, 'attempt')}{why}"


def outcome(mail: OutMail, clock: Times) -> tuple[tuple[str, str], ...]:
    """What is known of its delivery, as facts."""
    heard = f"{mail.report} on {clock.full(mail.reported_at)}: {mail.reason}" if mail.report and mail.reported_at else ""
    says = f", says mail {mail.report_mail} of the inbox" if mail.report_mail else ""
    read = clock.full(mail.answered_at) if mail.answered_at else ""
    return (("Taken", mail.answer or ""), ("Heard since", f"{heard}{says}"), ("Answered by the player", read))
