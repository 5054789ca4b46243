"""`turnserver mail outbox`: mails that go or have gone, what became of them, and another try."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec
import typer
from msgspec import Meta

from turnserver.cli.mail.group import Limit, Number, Raw, Retried, again, either, write_raw
from turnserver.cli.output import moments, show
from turnserver.cli.output.moments import AtAll
from turnserver.cli.output.shapes import name_in, names, times
from turnserver.cli.output.show import Times
from turnserver.cli.session import session
from turnserver.errors import BadOption
from turnserver.ids import LARGEST, PlayerId
from turnserver.mail.outbound.language import counted
from turnserver.service.mailroom.dispatch import kept_text
from turnserver.store.mail import outbox as goes
from turnserver.store.mail import retention
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.mail.retention import Remains


class Goes(StrEnum):
    """The states of an outgoing mail."""

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
    kind: Annotated[str, Meta(description="its kind, such as turn or reminder")]
    player: Annotated[int | None, Meta(description="the number of its player")]
    recipient: Annotated[str, Meta(description="the name of its player, or the address of somebody without an account")]
    game: Annotated[int | None, Meta(description="the number of its game")]
    status: Annotated[
        str,
        Meta(description="queued, sent, bounced or dead; held for a digest or merged into one; unwanted; or called off"),
    ]
    queued_at: Annotated[datetime, Meta(description="when it was queued")]
    next_at: Annotated[datetime | None, Meta(description="when it is tried next; null unless it is queued")]
    due_at: Annotated[datetime, Meta(description="when it should have left at the earliest")]
    sent_at: Annotated[datetime | None, Meta(description="when it was sent")]
    attempts: Annotated[int, Meta(description="the number of attempts to send it")]
    error: Annotated[str | None, Meta(description="the reason for the last failure")]
    message_id: Annotated[str, Meta(description="its Message-ID")]
    answer: Annotated[str | None, Meta(description="the answer of the next mail server that took it")]
    report: Annotated[
        str | None,
        Meta(description="the worst report about it since: delayed, delivered, or a bounce: soft, hard, or policy"),
    ]
    reported_at: Annotated[datetime | None, Meta(description="when that report came")]
    reason: Annotated[str | None, Meta(description="the status code and the reason that the mail system gave")]
    report_mail: Annotated[int | None, Meta(description="the number of the report in the inbox; null if the next server refused the mail")]
    answered_at: Annotated[datetime | None, Meta(description="when the first mail came that shows that the player has read it")]
    merged_into: Annotated[int | None, Meta(description="the number of the mail that tells its news, such as a digest")]


class OutMailDetails(OutMail, frozen=True):
    """A mail to be sent, as it is or will be written."""

    address: Annotated[str, Meta(description="the address that it goes to; empty if there is none any more")]
    subject: Annotated[str, Meta(description="its subject")]
    text: Annotated[str, Meta(description="its text, as it was sent or would be sent now")]
    removed: Annotated[
        str | None, Meta(description="what is left of the text that was sent, if that is not kept any more: `text` is composed anew")
    ]
    same: Annotated[bool | None, Meta(description="whether a text composed anew is the one that was sent; null if that is not known")]


def as_out(mail: OutboxItem, known: Mapping[PlayerId, str]) -> OutMail:
    """Return a row of the outbox as it is printed."""
    own: dict[str, Any] = {
        "recipient": name_in(known, mail.player) if mail.player else mail.address or "",
        "queued_at": mail.created_at,
        "next_at": mail.next_at if mail.status == Goes.QUEUED else None,
        "error": mail.last_error,
    }
    return OutMail(**own, **{name: getattr(mail, name) for name in OutMail.__struct_fields__ if name not in own})


def as_then(mail: OutboxItem, then: datetime) -> OutboxItem:
    """Return a mail that had been sent by then, without what was reported of it later."""
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
    """Return a sentence on a mail's way: when it left or will be tried again, what failed, and what was reported since."""
    why = f": {mail.error}" if mail.error else ""
    # The states that are missing here are told by when the mail left or will be tried.
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
    """Return what is known of a mail's delivery, as facts."""
    heard = f"{mail.report} on {clock.full(mail.reported_at)}: {mail.reason}" if mail.report and mail.reported_at else ""
    says = f", says mail {mail.report_mail} of the inbox" if mail.report_mail else ""
    read = clock.full(mail.answered_at) if mail.answered_at else ""
    return (("Taken", mail.answer or ""), ("Heard since", f"{heard}{says}"), ("Answered by the player", read))


@show.emits(list[OutMail])
def list_(
    ctx: typer.Context,
    *,
    status: Annotated[Goes | None, typer.Option(help="List only mails of this status.")] = None,
    limit: Limit = 100,
    at: AtAll = None,
    json: show.Json = False,
) -> None:
    """List outgoing mails, the newest first. With --at, list the mails that had been sent by that moment, as they were then."""
    if at is not None and status is not None:
        raise BadOption("For a moment in the past there are only mails sent by then. Leave out --status.")
    run = session(ctx)
    known = names(run)
    with run.service.db.read() as conn:
        then = moments.log_moment(run, conn, at, "the outbox")
        if then is None:
            found = goes.list_outbox(conn, status, limit)
        else:
            found = [as_then(mail, then.instant) for mail in goes.sent_until(conn, then.instant, limit)]
    mails = [as_out(mail, known) for mail in found]
    if json:
        show.json(mails)
        return
    clock = times(run, then)
    rows = [
        (str(mail.id), clock.at(mail.queued_at), mail.kind, mail.recipient, str(mail.game or ""), mail.status, went(mail, clock))
        for mail in mails
    ]
    headings = ("No", "Queued", "Kind", "To", "Game", "Status", "")
    show.table(headings, rows, right=("No", "Game"), empty="There are no such mails.", note=clock.note)


@show.emits(OutMailDetails)
def show_(ctx: typer.Context, number: Number, *, raw: Raw = False, json: show.Json = False) -> None:
    """Show an outgoing mail. Its text is the one that was sent, as long as that is kept; the rest is composed again."""
    run = session(ctx)
    service = run.service
    with service.db.read() as conn:
        item, left = goes.get(conn, number), retention.left_of_went(conn, number)
    written = service.mail.render(number)
    same = _is_same(item, left, kept_text(item, written.mail.text))
    if raw:
        write_raw(service.mail.sealed(number))
        if item.sent_at is not None and not same:
            typer.echo(f"Composed anew. {_SAME[same]}.", err=True)
        return
    mail = OutMailDetails(
        **msgspec.structs.asdict(as_out(item, names(run))),
        address=written.recipient,
        subject=written.mail.subject,
        text=item.text or written.mail.text,
        removed=str(left) if left is not None else None,
        same=same,
    )
    if json:
        show.json(mail)
        return
    clock = times(run)
    show.facts(
        (
            ("Mail", f"{mail.id}, {mail.kind}"),
            ("To", f"{mail.recipient} <{mail.address}>"),
            ("Game", str(mail.game or "")),
            ("Queued", clock.full(mail.queued_at)),
            ("Status", f"{mail.status}, tried {counted(mail.attempts, 'time')}"),
            ("", went(mail, clock)),
            *outcome(mail, clock),
            ("Subject" if same is not False else "Subject today", mail.subject),
        )
    )
    typer.echo()
    if left is not None:
        show.words(f"The text that was sent is not kept any more: {left}. Below it is composed anew. {_SAME[same]}.")
        typer.echo()
    typer.echo(mail.text, nl=False)


_SAME: Final = {
    True: "That is what was sent",
    False: "It is not what was sent: something that it depends on has changed since, such as the player's language",
    None: "Nobody knows whether that is what was sent",
}


def _is_same(item: OutboxItem, left: Remains | None, composed: str) -> bool | None:
    """Return whether the text of a mail that was sent is what is composed now; None if that is not known, or if it was not sent."""
    if item.sent_at is None or (left is not None and left.digest is None):
        return None
    return left.are_of(composed.encode()) if left is not None else item.text == composed


@show.emits(Retried)
def retry(
    ctx: typer.Context,
    number: Annotated[int | None, typer.Argument(metavar="[N]", min=1, max=LARGEST, help="A mail that is dead or came back.")] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Send every dead mail again.")] = False,
    json: show.Json = False,
) -> None:
    """Send mails again that failed or came back."""
    service = session(ctx).service
    either(number, everything)
    with service.db.read() as conn:
        mails = [number] if number is not None else sorted(mail.id for mail in goes.list_outbox(conn, Goes.DEAD, LARGEST))
    for mail in mails:
        service.mail.retry(mail)
    again(json, mails, "sent")
