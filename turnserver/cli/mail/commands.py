"""`turnserver mail`: what came and what goes, looked at and tried again; and the way in for a mail server that starts a program."""

import os
import sys
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Meta
from typer.core import TyperCommand

from turnserver.cli.game.found import names
from turnserver.cli.mail.outgoing import Goes, OutMail, OutMailDetails, as_out, as_then, outcome, went
from turnserver.cli.output import at as moments
from turnserver.cli.output import show
from turnserver.cli.output.at import AtAll
from turnserver.cli.output.tables import times
from turnserver.cli.session import session
from turnserver.errors import BadOption, PermanentFailure
from turnserver.mail.outbound.wording import counted
from turnserver.mail.transport.envelope import envelope
from turnserver.store.mail import inbox as came
from turnserver.store.mail import outbox as goes
from turnserver.store.mail.inbox import InboxSummary

app = typer.Typer(no_args_is_help=True, help="Look at mails that came and mails that go, try them again, and take one from a pipe.")
one = typer.Typer(no_args_is_help=True, help="Show one mail.")
app.add_typer(one, name="show")

EVERY = 2**62
"""More mails than there are."""

NULL_SENDERS = ("<>", "MAILER-DAEMON")
"""How mail servers name the null sender where an empty word would get lost."""


class Came(StrEnum):
    """What became of a mail that came."""

    NEW = "new"
    DONE = "done"
    FAILED = "failed"


class InMail(msgspec.Struct, frozen=True):
    """A mail that came."""

    id: Annotated[int, Meta(description="its number in the inbox")]
    received_at: Annotated[datetime, Meta(description="when it came")]
    source: Annotated[str, Meta(description="how it came: lmtp, pipe, maildir, imap or sandbox")]
    recipient: Annotated[str, Meta(description="the address that it was sent to")]
    sender: Annotated[str, Meta(description="the sender on its envelope; `<>` for the null sender, empty if nobody knows")]
    status: Annotated[str, Meta(description="new, done or failed")]
    outcome: Annotated[str | None, Meta(description="what it came to, once it is done")]
    error: Annotated[str | None, Meta(description="why it could not be handled, the last time")]
    attempts: Annotated[int, Meta(description="how often it was tried")]
    handled_at: Annotated[datetime | None, Meta(description="when it was done, or failed for good")]
    copy_of: Annotated[int | None, Meta(description="the number of the mail that it repeats")]


class ReadLine(msgspec.Struct, frozen=True):
    """A line of a mail."""

    verdict: Annotated[str, Meta(description="kept, or why it does not count")]
    text: Annotated[str, Meta(description="the line")]


class InMailDetails(InMail, frozen=True):
    """A mail that came, as it was read."""

    author: Annotated[str, Meta(description="the address in its From line")]
    subject: Annotated[str, Meta(description="its subject")]
    message_id: Annotated[str, Meta(description="its Message-ID")]
    automatic: Annotated[str | None, Meta(description="why it is taken for a machine's mail")]
    problem: Annotated[str | None, Meta(description="why a person's mail could not be used")]
    lines: Annotated[list[ReadLine], Meta(description="its text with what was made of each line")]


class Retried(msgspec.Struct, frozen=True):
    """What was queued again."""

    inbox: Annotated[list[int], Meta(description="mails that will be handled again")]
    outbox: Annotated[list[int], Meta(description="mails that will be sent again")]


Number = Annotated[int, typer.Argument(metavar="N", min=1, max=EVERY, help="The mail's number.")]
Limit = Annotated[int, typer.Option(min=1, max=1_000_000, metavar="N", help="List at most so many, the newest first.")]
Raw = Annotated[bool, typer.Option("--raw", help="Write the whole mail as it is, headers and all.")]


class _Pipe(TyperCommand):
    """A command whose every failure ends with EX_TEMPFAIL: the mail server that started it keeps the mail and tries again."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401  # inherited
        """Read the command line."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except typer.TyperException as error:
            error.exit_code = os.EX_TEMPFAIL
            raise

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401  # inherited
        """Run."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            error.exit_code = os.EX_DATAERR if isinstance(error, PermanentFailure) else os.EX_TEMPFAIL  # type: ignore[attr-defined]
            raise


@app.command("receive", cls=_Pipe)
def receive(
    ctx: typer.Context,
    *,
    recipient: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"],
            help="The address that the mail was sent to; else what its headers say.",
        ),
    ] = None,
    sender: Annotated[
        str | None, typer.Option(metavar="ADDRESS", envvar="SENDER", help="The sender on its envelope; else its Return-Path.")
    ] = None,
) -> None:
    """Take one mail from the standard input and keep it: for a mail server that starts a program.

    Ends with 0 once the mail is stored, with 75 if it has to be tried again, and with 65 if the mail is too large to be taken at all.
    """
    run = session(ctx)
    most = run.settings.incoming.max_bytes
    raw = sys.stdin.buffer.read(most + 1)
    if len(raw) > most:
        raise PermanentFailure(f"The mail is larger than incoming.max_bytes, {most} bytes, so it is not taken.")
    named = envelope(raw, run.settings.site.address)
    by = named.sender if sender is None else sender
    number = run.service.receive(raw, recipient or named.recipient, "" if by in NULL_SENDERS else by, "pipe")
    typer.echo(f"Kept as mail {number} of the inbox.")


@app.command("inbox")
@show.emits(list[InMail])
def inbox(
    ctx: typer.Context,
    *,
    status: Annotated[Came | None, typer.Option(help="List only mails of this status.")] = None,
    limit: Limit = 100,
    json: show.Json = False,
) -> None:
    """List the mails that came, the newest first."""
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


@app.command("outbox")
@show.emits(list[OutMail])
def outbox(
    ctx: typer.Context,
    *,
    status: Annotated[Goes | None, typer.Option(help="List only mails of this status.")] = None,
    limit: Limit = 100,
    at: AtAll = None,
    json: show.Json = False,
) -> None:
    """List the mails that go or have gone, the newest first; or those that had been sent by a moment of the past, as they were then."""
    if at is not None and status is not None:
        raise BadOption("At a moment of the past there are only mails that had been sent by then: leave --status away.")
    run = session(ctx)
    known = names(run)
    with run.service.db.read() as conn:
        then = moments.of_log(run, conn, at, "the outbox")
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


@one.command("in")
@show.emits(InMailDetails)
def show_in(ctx: typer.Context, number: Number, *, raw: Raw = False, json: show.Json = False) -> None:
    """Show a mail that came, and what was made of each of its lines."""
    run = session(ctx)
    item, reading = run.service.reading(number)
    if raw:
        _write(item.raw)
        return
    lines = [ReadLine(line.verdict, line.text) for line in reading.text]
    mail = InMailDetails(
        **msgspec.structs.asdict(_as_in(item)),
        author=reading.sender,
        subject=reading.subject,
        message_id=reading.message_id,
        automatic=reading.automatic,
        problem=reading.problem.message if reading.problem else None,
        lines=lines,
    )
    if json:
        show.json(mail)
        return
    clock = times(run)
    show.facts(
        (
            ("Mail", f"{mail.id}, by {mail.source}"),
            ("Arrived", clock.full(mail.received_at)),
            ("From", mail.author or "nobody"),
            ("Envelope", f"from {mail.sender or 'unknown'} to {mail.recipient}"),
            ("Subject", mail.subject),
            ("Status", f"{mail.status}, tried {counted(mail.attempts, 'time')}"),
            ("Came to", _came_to(mail)),
            ("Automatic", mail.automatic or ""),
            ("Problem", mail.problem or ""),
        )
    )
    typer.echo()
    show.table(("Verdict", "Line"), [(line.verdict, line.text) for line in mail.lines], empty="It has no text.")


@one.command("out")
@show.emits(OutMailDetails)
def show_out(ctx: typer.Context, number: Number, *, raw: Raw = False, json: show.Json = False) -> None:
    """Show a mail that goes or has gone. Its text is the one that was sent; everything else is written anew."""
    run = session(ctx)
    service = run.service
    with service.db.read() as conn:
        item = goes.get(conn, number)
    if raw:
        _write(service.sealed(number))
        return
    written = service.render(number)
    mail = OutMailDetails(
        **msgspec.structs.asdict(as_out(item, names(run))),
        address=written.recipient,
        subject=str(written.mail.message["Subject"]),
        text=item.text or written.mail.text,
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
            ("Subject", mail.subject),
        )
    )
    typer.echo(f"\n{mail.text}", nl=False)


@app.command("retry")
@show.emits(Retried)
def retry(
    ctx: typer.Context,
    number: Annotated[
        int | None, typer.Argument(metavar="N", min=1, max=EVERY, help="A mail of the outbox that is dead or came back.")
    ] = None,
    *,
    inbox: Annotated[bool, typer.Option("--in", help="N is a failed mail of the inbox.")] = False,
    all_dead: Annotated[bool, typer.Option("--all-dead", help="Send every dead mail again.")] = False,
    all_failed: Annotated[bool, typer.Option("--all-failed", help="Handle every failed mail again.")] = False,
    json: show.Json = False,
) -> None:
    """Try mails again that were given up: mails that could not be sent, and mails that could not be handled."""
    service = session(ctx).service
    everything = all_dead or all_failed
    if (number is None) is not everything or (inbox and everything):
        raise BadOption("Name one mail, or write --all-dead or --all-failed or both.")
    with service.db.read() as conn:
        failed = [mail.id for mail in came.list_inbox(conn, Came.FAILED, EVERY)] if all_failed else []
        dead = [mail.id for mail in goes.list_outbox(conn, Goes.DEAD, EVERY)] if all_dead else []
    if number is not None:
        (failed if inbox else dead).append(number)
    again = Retried(sorted(failed), sorted(dead))
    for mail in again.inbox:
        service.handle_again(mail)
    for mail in again.outbox:
        service.retry(mail)
    if json:
        show.json(again)
        return
    for numbers, what in ((again.inbox, "handled"), (again.outbox, "sent")):
        if numbers:
            typer.echo(f"{counted(len(numbers), 'mail')} will be {what} again.")
    if not again.inbox and not again.outbox:
        typer.echo("There are no such mails.")


def _as_in(mail: InboxSummary) -> InMail:
    return InMail(**{name: getattr(mail, name) for name in InMail.__struct_fields__})


def _came_to(mail: InMail) -> str:
    """The outcome, or why there is none yet."""
    if mail.copy_of is not None:
        return f"a copy of mail {mail.copy_of}"
    return mail.outcome or mail.error or ""


def _write(raw: bytes) -> None:
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()
