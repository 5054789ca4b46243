"""`turnserver mail dkim-key` and `rotate-key`: the keys that mails and reply addresses are signed with."""

import os
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver import files
from turnserver.cli.output import show
from turnserver.cli.session import session
from turnserver.config import SELECTOR, reading
from turnserver.errors import BadOption
from turnserver.mail.format import dns
from turnserver.store.log.secrets import KeyVersion
from turnserver.text import listing

RSA_BITS = 2048
"""Long enough for years, and short enough for every DNS provider's form."""


class Type(StrEnum):
    """Kinds of keys."""

    RSA = "rsa"
    ED25519 = "ed25519"


class DkimKey(msgspec.Struct, frozen=True):
    """A key that was made."""

    file: Annotated[str, Meta(description="the path of the private key")]
    selector: Annotated[str, Meta(description="its selector")]
    type: Annotated[str, Meta(description="rsa or ed25519")]
    name: Annotated[str, Meta(description="the name of the DNS record to publish, of type TXT")]
    value: Annotated[str, Meta(description="the text of that record, on one line")]
    line: Annotated[str, Meta(description="the record as a line of a zone file")]


@show.emits(DkimKey)
def dkim_key(
    ctx: typer.Context,
    *,
    selector: Annotated[
        str, typer.Option(metavar="NAME", help="The key's name, which no other key of the domain has, such as s1 or 2026a.")
    ],
    kind: Annotated[
        Type, typer.Option("--type", help="Everybody verifies rsa; ed25519 is shorter, and best beside an rsa key.")
    ] = Type.RSA,
    directory: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The directory for SELECTOR.pem; else that of the configuration file.")
    ] = None,
    json: show.Json = False,
) -> None:
    """Make a DKIM key, which signs mails, and print the DNS record to publish. An existing file is never overwritten."""
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
    typer.echo(f"The key is in {made.file}. Only its owner can read it; the owner has to be the user of the service.\n")
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
        raise BadOption(f"The file {path} exists already and was not changed. Choose another selector.") from error


class ReplyKey(msgspec.Struct, frozen=True):
    """The change that was made to the keys of reply addresses."""

    version: Annotated[int, Meta(description="the version of the key that signs from now on")]
    retired: Annotated[list[int], Meta(description="the versions that do not count any more")]
    verifying: Annotated[list[int], Meta(description="the older versions that still count")]


@show.emits(ReplyKey)
def rotate_key(
    ctx: typer.Context,
    *,
    retire: Annotated[int, typer.Option(metavar="N", min=0, max=1_000_000, help="Retire version N and all earlier ones, from now on.")] = 0,
    retire_days: Annotated[
        int | None,
        typer.Option(metavar="DAYS", min=0, max=100_000, help="Retire the versions that were replaced this many days ago or earlier."),
    ] = None,
    json: show.Json = False,
) -> None:
    """Make a new key for reply addresses. Addresses in earlier mails work until their key is retired."""
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


def told(keys: list[KeyVersion]) -> str:
    """Return the doctor's sentence about the keys of reply addresses."""
    newest, older = keys[-1], keys[:-1]
    made = f", made {newest.made_at:%Y-%m-%d}" if newest.made_at else ""
    also = f"; {listing([str(key.version) for key in older], 'and')} still verified" if older else ""
    return f"reply addresses are signed with key version {newest.version}{made}{also}"
