"""`turnserver mail`: what came and what goes, looked at and tried again; and the way in for a mail server that starts a program."""

import os
import re
import sys
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Meta
from typer.core import TyperCommand

from turnserver import files
from turnserver.cli import complete
from turnserver.cli.game.found import names
from turnserver.cli.output import show
from turnserver.cli.output.shapes import name_in, times
from turnserver.cli.output.show import AtAll, Times
from turnserver.cli.session import session
from turnserver.config import SELECTOR, reading
from turnserver.errors import BadOption, PermanentFailure
from turnserver.ids import PlayerId
from turnserver.mail.format import dns
from turnserver.mail.format.envelope import envelope
from turnserver.mail.outbound.language import counted
from turnserver.store.log.secrets import KeyVersion
from turnserver.store.mail import inbox as came
from turnserver.store.mail import outbox as goes
from turnserver.store.mail.inbox import InboxSummary
from turnserver.store.mail.outbox import OutboxItem
from turnserver.text import listing

RSA_BITS = 2048
"""Long enough for years, and short enough for every DNS provider's form."""


class Type(StrEnum):
    """Kinds of keys."""

    RSA = "rsa"
    ED25519 = "ed25519"


class DkimKey(msgspec.Struct, frozen=True):
    """A key that was made."""

    file: Annotated[str, Meta(description="where the private key is")]
    selector: Annotated[str, Meta(description="its selector")]
    type: Annotated[str, Meta(description="rsa or ed25519")]
    name: Annotated[str, Meta(description="the name of the DNS record to publish, of type TXT")]
    value: Annotated[str, Meta(description="the text of that record, on one line")]
    line: Annotated[str, Meta(description="the record as a zone file has it")]


@show.emits(DkimKey)
def dkim_key(
    ctx: typer.Context,
    *,
    selector: Annotated[str, typer.Option(metavar="NAME", help="What tells this key from others of the domain, such as s1 or 2026a.")],
    kind: Annotated[
        Type, typer.Option("--type", help="Everybody verifies rsa; ed25519 is shorter, and best beside an rsa key.")
    ] = Type.RSA,
    directory: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to put SELECTOR.pem; else beside the configuration file.")
    ] = None,
    json: show.Json = False,
) -> None:
    """Make a key to sign mails with (DKIM) and print the DNS record to publish. A file that is there is never overwritten."""
    run = session(ctx)
    if re.fullmatch(SELECTOR, selector) is None:
        raise BadOption(f"The selector {selector!r} must be a name of letters, digits and hyphens, such as s1.")
    file = reading.locate(run.config, os.environ)
    path = ((directory or (file.parent if file else Path())) / f"{selector}.pem").absolute()
    pem, text = _made(kind)
    published = dns.dkim(selector, run.settings.signing_domain, text)  # before the file: a wrong configuration stops it here
    _write_key(path, pem)
    made = DkimKey(str(path), selector, kind.value, published.name, published.value, published.line)
    if json:
        show.json(made)
        return
    entry = path.name if directory is None else str(path)
    typer.echo(f"{made.file} holds the key; only its owner can read it, which has to be the user of the service.\n")
    typer.echo(f"Publish this record. In a form of your DNS provider:\n\n  name   {made.name}\n  type   TXT\n  value  {made.value}\n")
    typer.echo(f"or in a zone file:\n\n  {made.line}\n")
    typer.echo(f'Once `turnserver doctor --mail` sees it, put the file among the key_files of [dkim]: key_files = ["{entry}"]')


def _made(kind: Type) -> tuple[bytes, str]:
    """Return a new private key as PEM, and the text of its record."""
    # Only here: no other command needs them, and they take long to import.
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ed25519, rsa  # noqa: PLC0415

    from turnserver.mail.format.dkim import record  # noqa: PLC0415

    key = rsa.generate_private_key(65_537, RSA_BITS) if kind is Type.RSA else ed25519.Ed25519PrivateKey.generate()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return pem, record(key.public_key())


def _write_key(path: Path, pem: bytes) -> None:
    try:
        # On the disk before anybody publishes the record.
        files.write_new(path, pem)
    except FileExistsError as error:
        raise BadOption(f"There is a file {path} already, and it stays as it is. Choose another selector.") from error


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
    """Return a row of the outbox as it is printed."""
    recipient = name_in(known, mail.player) if mail.player else mail.address or ""
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


class ReplyKey(msgspec.Struct, frozen=True):
    """The change that was made to the keys of reply addresses."""

    version: Annotated[int, Meta(description="the version of the key that signs from now on")]
    retired: Annotated[list[int], Meta(description="the versions that do not count any more")]
    verifying: Annotated[list[int], Meta(description="the older versions that still count")]


class Resent(msgspec.Struct, frozen=True):
    """The mails that were queued again for a player."""

    player: Annotated[int, Meta(description="the player's number")]
    mails: Annotated[int, Meta(description="how many mails go to the player")]


@show.emits(ReplyKey)
def rotate_key(
    ctx: typer.Context,
    *,
    retire: Annotated[
        int, typer.Option(metavar="N", min=0, max=1_000_000, help="Let version N, and all before it, not count any more from now on.")
    ] = 0,
    retire_days: Annotated[
        int | None, typer.Option(metavar="DAYS", min=0, max=100_000, help="The same for versions that were replaced so many days ago.")
    ] = None,
    json: show.Json = False,
) -> None:
    """Make a new key for reply addresses. Addresses in mails that were sent before go on working until their key is retired."""
    service = session(ctx).service
    done = service.mail.rotate_key(retire=retire, retire_days=retire_days)
    older = [key.version for key in service.mail.reply_keys() if key.version != done.version]
    if json:
        show.json(ReplyKey(done.version, list(done.retired), older))
        return
    typer.echo(f"Reply addresses are signed with version {done.version} of the key from now on.")
    for versions, what in ((older, "what was signed before still counts"), (list(done.retired), "answers to older mails are refused")):
        if versions:
            numbers = listing([str(version) for version in versions], "and")
            state = "verified" if versions is older else "retired"
            typer.echo(f"{state.capitalize()}: {'version' if len(versions) == 1 else 'versions'} {numbers}; {what}.")


@show.emits(Resent)
def resend(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(metavar="WHO", autocompletion=complete.players, help="The player's number, name or mail address.")],
    *,
    json: show.Json = False,
) -> None:
    """Send a player everything once more that waits for a move or an answer, or else the list of the player's games."""
    run = session(ctx)
    person = run.service.people.find(who)
    number = run.service.mail.resend(str(person.id), actor=run.actor, cause=run.cause)
    if json:
        show.json(Resent(person.id, number))
        return
    typer.echo(f"{counted(number, 'mail')} {'goes' if number == 1 else 'go'} to {person.name} at {person.address}.")


def told(keys: list[KeyVersion]) -> str:
    """Return the doctor's sentence about the keys of reply addresses."""
    newest, older = keys[-1], keys[:-1]
    made = f", made {newest.made_at:%Y-%m-%d}" if newest.made_at else ""
    also = f"; {listing([str(key.version) for key in older], 'and')} still verified" if older else ""
    return f"reply addresses are signed with key version {newest.version}{made}{also}"


app = typer.Typer(no_args_is_help=True, help="Look at mails that came and mails that go, try them again, and take one from a pipe.")
one = typer.Typer(no_args_is_help=True, help="Show one mail.")

EVERY = 2**62
"""More mails than there are."""

NULL_SENDERS = ("<>", "MAILER-DAEMON")
"""How mail servers name the null sender where an empty word would get lost."""


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
    source: Annotated[str, Meta(description="how it came: lmtp, pipe, maildir, imap or sandbox")]
    recipient: Annotated[str, Meta(description="the address that it was sent to")]
    sender: Annotated[str, Meta(description="the sender on its envelope; `<>` for the null sender, empty if nobody knows")]
    status: Annotated[str, Meta(description="new, done, failed or resting")]
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
    """The mails that were queued again."""

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
            # A wrong command line is an admin's mistake, for which no mail may come back to its sender.
            error.exit_code = os.EX_TEMPFAIL
            raise

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401  # inherited
        """Run."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            # Whatever has failed: with 1, as any other command ends, a mail server would return the mail.
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
    # One byte more than is allowed shows that a mail is too large, however large it is.
    raw = sys.stdin.buffer.read(most + 1)
    if len(raw) > most:
        raise PermanentFailure(f"The mail is larger than incoming.max_bytes, {most} bytes, so it is not taken.")
    # What the mail server says of the envelope counts before the headers.
    named = envelope(raw, run.settings.site.address)
    by = named.sender if sender is None else sender
    number = run.service.mail.receive(raw, recipient or named.recipient, "" if by in NULL_SENDERS else by, "pipe")
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
        then = show.log_moment(run, conn, at, "the outbox")
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
    item, reading = run.service.mail.reading(number)
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
        _write(service.mail.sealed(number))
        return
    written = service.mail.render(number)
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
        service.mail.handle_again(mail)
    for mail in again.outbox:
        service.mail.retry(mail)
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
    if mail.copy_of is not None:
        return f"a copy of mail {mail.copy_of}"
    return mail.outcome or mail.error or ""


def _write(raw: bytes) -> None:
    # As bytes: a mail may be in any charset, or in none.
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()
