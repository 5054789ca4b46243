"""`turnserver mail`: the group, what its commands share, the way in for a mail server that starts a program, and mails sent once more."""

import os
import sys
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Meta

from turnserver.cli import complete
from turnserver.cli.imported import PlainCommand, made_by
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.errors import BadOption, PermanentFailure
from turnserver.ids import LARGEST
from turnserver.mail.format.envelope import envelope
from turnserver.mail.outbound.language import counted

NULL_SENDERS = ("<>", "MAILER-DAEMON")
"""The name of the null sender where an empty word would get lost, as mail servers write it."""


class Resent(msgspec.Struct, frozen=True):
    """The mails that were queued again for a player."""

    player: Annotated[int, Meta(description="the player's number")]
    mails: Annotated[int, Meta(description="the number of mails that go to the player")]


class Retried(msgspec.Struct, frozen=True):
    """The mails that are tried again."""

    mails: Annotated[list[int], Meta(description="the numbers of the mails")]


Number = Annotated[int, typer.Argument(metavar="N", min=1, max=LARGEST, help="The mail's number.")]
Limit = Annotated[int, typer.Option(min=1, max=1_000_000, metavar="N", help="List at most N mails.")]
Raw = Annotated[bool, typer.Option("--raw", help="Print the whole mail with its headers, unchanged.")]


def again(ctx_json: bool, mails: list[int], what: str) -> None:  # noqa: FBT001  # the flag of the command line
    """Say which mails are tried again."""
    if ctx_json:
        show.json(Retried(mails))
    elif mails:
        typer.echo(f"{counted(len(mails), 'mail')} will be {what} again.")
    else:
        typer.echo("There are no such mails.")


def either(number: int | None, everything: bool) -> None:  # noqa: FBT001  # the flag of the command line
    """Raise BadOption unless there is one number of a mail, or all of them are meant."""
    if (number is None) is not everything:
        raise BadOption("Name one mail, or write --all.")


def write_raw(raw: bytes) -> None:
    """Write a mail to the standard output as it is."""
    # As bytes: a mail may be in any charset, or in none.
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


class _Pipe(PlainCommand):
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


@made_by(_Pipe)
def receive(
    ctx: typer.Context,
    *,
    recipient: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            # Postfix sets these for a program that an alias starts: the first still has the token when aliases have changed the address.
            envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"],
            help="The address that the mail was sent to; else the one in its headers.",
        ),
    ] = None,
    sender: Annotated[
        str | None, typer.Option(metavar="ADDRESS", envvar="SENDER", help="The sender on its envelope; else its Return-Path.")
    ] = None,
) -> None:
    """Receive one mail from the standard input, for a mail server that starts a program.

    It ends with 0 once the mail is stored, with 75 if the mail server has to try again, and with 65 if the mail is too large.
    """
    run = session(ctx)
    most = run.settings.incoming.max_bytes
    # One byte more than is allowed shows that a mail is too large, however large it is.
    raw = sys.stdin.buffer.read(most + 1)
    if len(raw) > most:
        raise PermanentFailure(f"The mail is larger than incoming.max_bytes, {most} bytes, so it is not taken.")
    # What the mail server says of the envelope counts before the headers.
    named = envelope(raw, run.settings.site.address)
    # An empty sender counts as one: that is how bounces come.
    by = named.sender if sender is None else sender
    number = run.service.mail.receive(raw, recipient or named.recipient, "" if by in NULL_SENDERS else by, "pipe")
    typer.echo(f"Kept as mail {number} of the inbox.")


@show.emits(Resent)
def resend(
    ctx: typer.Context,
    who: Annotated[str, typer.Argument(metavar="WHO", autocompletion=complete.players, help="The player's number, name or mail address.")],
    *,
    json: show.Json = False,
) -> None:
    """Send a player all mails again that wait for a move or an answer; if there are none, the list of their games."""
    run = session(ctx)
    person = run.service.people.find(who)
    number = run.service.mail.resend(str(person.id), actor=run.actor, cause=run.cause)
    if json:
        show.json(Resent(person.id, number))
        return
    typer.echo(f"{counted(number, 'mail')} {'goes' if number == 1 else 'go'} to {person.name} at {person.address}.")
