"""`turnserver mail inbox`: mails that came, what was made of them, and another try."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.cli.mail.group import Limit, Number, Raw, Retried, again, either, write_raw
from turnserver.cli.output import show
from turnserver.cli.output.shapes import times
from turnserver.cli.session import session
from turnserver.errors import NotFound
from turnserver.ids import LARGEST
from turnserver.mail.outbound.language import counted
from turnserver.store.mail import inbox as came
from turnserver.store.mail import retention
from turnserver.store.mail.inbox import InboxSummary


class Came(StrEnum):
    """The states of an incoming mail. A mail about a quarantined game is `resting` until the game can be played again."""

    NEW = "new"
    DONE = "done"
    FAILED = "failed"
    RESTING = "resting"


class InMail(msgspec.Struct, frozen=True):
    """A mail in the inbox."""

    id: Annotated[int, Meta(description="its number in the inbox")]
    received_at: Annotated[datetime, Meta(description="when it came")]
    source: Annotated[str, Meta(description="the way it came: lmtp, pipe, maildir, imap or sandbox")]
    recipient: Annotated[str, Meta(description="the address that it was sent to")]
    sender: Annotated[str, Meta(description="the sender on its envelope; `<>` for the null sender, empty if it is not known")]
    status: Annotated[str, Meta(description="new, done, failed or resting")]
    outcome: Annotated[str | None, Meta(description="the outcome, once it is done")]
    error: Annotated[str | None, Meta(description="the reason for the last failure")]
    attempts: Annotated[int, Meta(description="the number of attempts to handle it")]
    handled_at: Annotated[datetime | None, Meta(description="when it was done, or failed for good")]
    copy_of: Annotated[int | None, Meta(description="the number of the mail that it is a copy of")]


class ReadLine(msgspec.Struct, frozen=True):
    """A line of a mail."""

    verdict: Annotated[str, Meta(description="kept, or the reason why it does not count")]
    text: Annotated[str, Meta(description="the line")]


class InMailDetails(InMail, frozen=True):
    """A mail that came, as it was read."""

    author: Annotated[str, Meta(description="the address in its From line")]
    subject: Annotated[str, Meta(description="its subject")]
    message_id: Annotated[str, Meta(description="its Message-ID")]
    automatic: Annotated[str | None, Meta(description="the reason why it counts as an automatic mail; null if it does not")]
    problem: Annotated[str | None, Meta(description="the reason why a person's mail could not be used")]
    lines: Annotated[list[ReadLine], Meta(description="the lines of its text")]
    removed: Annotated[str | None, Meta(description="what is left of its bytes, if they are not kept any more: then nothing is read in it")]


@show.emits(list[InMail])
def list_(
    ctx: typer.Context,
    *,
    status: Annotated[Came | None, typer.Option(help="List only mails of this status.")] = None,
    limit: Limit = 100,
    json: show.Json = False,
) -> None:
    """List incoming mails, the newest first."""
    run = session(ctx)
    with run.service.db.read() as conn:
        mails = [_as_in(mail) for mail in came.list_inbox(conn, status, limit)]
    if json:
        show.json(mails)
        return
    clock = times(run)
    rows = [(str(mail.id), clock.at(mail.received_at), mail.sender or "unknown", mail.status, _came_to(mail)) for mail in mails]
    headings = ("No", "Arrived", "From", "Status", "What it came to")
    show.table(headings, rows, right=("No",), empty="There are no such mails.", note=clock.note)


@show.emits(InMailDetails)
def show_(ctx: typer.Context, number: Number, *, raw: Raw = False, json: show.Json = False) -> None:
    """Show an incoming mail, and how each of its lines was read."""
    run = session(ctx)
    item, reading = run.service.mail.reading(number)
    with run.service.db.read() as conn:
        left = retention.left_of_came(conn, number)
    gone = f"Its bytes are not kept any more: {left}." if left is not None else ""
    if raw:
        if gone:
            raise NotFound(gone)
        write_raw(item.raw)
        return
    # What is read in a mail without bytes is not what was read in this one.
    lines = [ReadLine(line.verdict, line.text) for line in reading.text] if not gone else []
    mail = InMailDetails(
        **msgspec.structs.asdict(_as_in(item)),
        author=reading.sender,
        subject=reading.subject,
        message_id=reading.message_id,
        automatic=reading.automatic if not gone else None,
        problem=reading.problem.message if reading.problem and not gone else None,
        lines=lines,
        removed=str(left) if left is not None else None,
    )
    if json:
        show.json(mail)
        return
    clock = times(run)
    show.facts(
        (
            ("Mail", f"{mail.id}, by {mail.source}"),
            ("Arrived", clock.full(mail.received_at)),
            ("From", mail.author or ("not kept" if gone else "nobody")),
            ("Envelope", f"from {mail.sender or 'unknown'} to {mail.recipient}"),
            ("Subject", mail.subject),
            ("Status", f"{mail.status}, tried {counted(mail.attempts, 'time')}"),
            ("Came to", _came_to(mail)),
            ("Automatic", mail.automatic or ""),
            ("Problem", mail.problem or ""),
        )
    )
    typer.echo()
    if gone:
        show.words(gone)
        return
    show.table(("Verdict", "Line"), [(line.verdict, line.text) for line in mail.lines], empty="It has no text.")


@show.emits(Retried)
def retry(
    ctx: typer.Context,
    number: Annotated[int | None, typer.Argument(metavar="[N]", min=1, max=LARGEST, help="A failed mail.")] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Handle every failed mail again.")] = False,
    json: show.Json = False,
) -> None:
    """Handle failed mails again."""
    service = session(ctx).service
    either(number, everything)
    with service.db.read() as conn:
        mails = [number] if number is not None else sorted(mail.id for mail in came.list_inbox(conn, Came.FAILED, LARGEST))
    for mail in mails:
        service.mail.handle_again(mail)
    again(json, mails, "handled")


def _as_in(mail: InboxSummary) -> InMail:
    return InMail(**{name: getattr(mail, name) for name in InMail.__struct_fields__})


def _came_to(mail: InMail) -> str:
    if mail.copy_of is not None:
        return f"a copy of mail {mail.copy_of}"
    return mail.outcome or mail.error or ""
