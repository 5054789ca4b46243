"""`turnserver doctor`: looks at everything that the service stands on and says in sentences what is wrong with it."""

import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, TypeAlias

import typer

from turnserver import resources, templates
from turnserver.cli.audit import group
from turnserver.cli.audit.group import Workers
from turnserver.cli.doctor import upgrade as upgradecheck
from turnserver.cli.doctor.findings import Check, check, not_tried
from turnserver.cli.mail.keys import told
from turnserver.cli.operate import NO_ADMIN
from turnserver.cli.output import show
from turnserver.cli.session import Session, session
from turnserver.config import Outgoing, Settings, reading
from turnserver.errors import ClockWrong, ConfigError, DatabaseMissing, LogError, MailError, TurnserverError
from turnserver.mail.outbound import compose
from turnserver.mail.outbound.language import counted, languages, span
from turnserver.mail.outbound.picture import png
from turnserver.mail.transport.maildir import waiting
from turnserver.mail.transport.outgoing import SmtpTransport
from turnserver.service.games.terms import check_time
from turnserver.service.service import Service
from turnserver.service.upkeep import checkpoints as checkpoint_keys
from turnserver.service.upkeep.standing import MOST_NAMED, overdue, some, traffic, unreached
from turnserver.store.incidents import health, outages, restorations
from turnserver.store.incidents.restorations import Worked
from turnserver.store.log import checkpoints, log, schema
from turnserver.store.mail import delivery_reports
from turnserver.store.people import erasing
from turnserver.text import listing

Closer: TypeAlias = Callable[[Session], Iterator[Check]]

GREETING_SECONDS = 5.0
_ROOM = 2**16
"""The number of bytes that a maildir has to have room for, which is more than a mail of ours has."""
_PUT_BACK = "`turnserver init` puts triggers and indexes back, `turnserver audit verify` says what else was changed"


@show.emits(list[Check])
def doctor(
    ctx: typer.Context,
    *,
    mail: Annotated[
        bool, typer.Option("--mail", help="Also check whether mail would be believed and answered: its form, its signatures, DNS.")
    ] = False,
    dns: Annotated[bool, typer.Option("--dns/--no-dns", help="With --mail: ask DNS, or only show the records that it should have.")] = True,
    nameserver: Annotated[
        str | None, typer.Option(metavar="IP[:PORT]", help="With --mail: ask this name server instead of the system's.")
    ] = None,
    address: Annotated[
        list[str] | None,
        typer.Option(metavar="IP", help="With --mail: the IP address that mail leaves from, if this machine does not know it."),
    ] = None,
    upgrade: Annotated[
        bool,
        typer.Option("--upgrade", help="Only check whether this program could take over the database from the program in use."),
    ] = False,
    workers: Workers = None,
    json: show.Json = False,
) -> None:
    """Check the configuration, the database, the mail server and the program's own files. Nothing is changed and nothing is sent."""
    run = session(ctx)
    closer: Closer | None = None
    if mail:
        from turnserver.cli.doctor import mail as mailcheck  # noqa: PLC0415  # what asks DNS is slow to import

        closer = partial(mailcheck.examine_mail, asked=mailcheck.asked(nameserver, address or [], dns=dns))
    found: list[Check] = []
    for one in upgradecheck.examine(run, workers) if upgrade else examine(run, closer):
        found.append(one)
        if not json:
            colour = {"ok": typer.colors.GREEN, "note": typer.colors.YELLOW, "wrong": typer.colors.RED}[one.state]
            typer.echo(f"{typer.style(f'{one.state:5}', fg=colour)}  {one.about}: {one.says}")
            if one.record:
                typer.echo(f"         {one.record}")
    wrong = sum(one.state == "wrong" for one in found)
    if json:
        show.json(found)
    else:
        typer.echo(f"\n{counted(wrong, 'thing')} {'is' if wrong == 1 else 'are'} wrong." if wrong else "\nNothing is wrong.")
    if wrong:
        raise typer.Exit(1)


def examine(run: Session, closer: Closer | None = None) -> Iterator[Check]:
    """Yield the findings in the order in which things are needed. Without a configuration or a database, leave out what needs it.

    `closer` adds a closer look, if there is a configuration.
    """
    faults = reading.faults(run.config, os.environ)
    yield from (check("configuration", "wrong", fault) for fault in faults)
    unread = list(_languages())
    yield from unread
    # All else needs settings and languages; only the program's own files can be looked at without them.
    if not faults and not unread:
        yield from _configuration(run)
        yield from _database(run)
        yield from _outgoing(run.settings)
        yield from _incoming(run.settings, run.outside.clock())
        yield from _mailboxes(run.settings)
        if closer is not None:
            yield from closer(run)
    yield from _files()


def _configuration(run: Session) -> Iterator[Check]:
    file = reading.locate(run.config, os.environ)
    settings = run.settings
    yield check("configuration", "ok", f"{file.absolute()} is in use" if file else "there is no file, so every setting has its default")
    if file is not None and reading.passwords(file):
        yield from _exposed("configuration", [file.absolute()], mode=640)
    if settings.site.address.endswith("@localhost"):
        yield check("configuration", "note", f"site.address is {settings.site.address}: nobody outside of this machine can answer it")
    if settings.lacks_admin:
        yield check("configuration", "wrong", NO_ADMIN)
    try:
        check_time(settings, run.outside.clock())
    except ConfigError as error:
        yield check("configuration", "wrong", str(error))


def _database(run: Session) -> Iterator[Check]:
    where = health.place(run.settings.database.url)
    try:
        service = run.service
        found = health.examine(service.db)
        journal = ", write-ahead log" if found.journal == "wal" else ""
        yield check("database", "ok", f"{where} can be read and written: {found.engine}, revision {found.revision}{journal}")
        if found.journal not in (None, "wal"):
            yield check("database", "wrong", f"{where} keeps no write-ahead log; put it on a file system of this machine")
        # it has addresses, and the keys of reply addresses
        yield from _exposed("database", [file] if (file := health.file_of(run.settings.database.url)) else [])
        yield from (check("database", "wrong", f"{problem}; {_PUT_BACK}") for problem in schema.differences(service.db))
        yield from _erased(service)
        yield from _traffic(service)
        yield _keys(service)
        yield from _checkpoints(service)
        yield from group.examine_losses(service)
        yield from _resting(service)
    except DatabaseMissing as error:
        yield check("database", "wrong", str(error))
    except TurnserverError as error:
        yield check("database", "wrong", f"{where}: {error}")


def _erased(service: Service) -> Iterator[Check]:
    with service.db.read() as conn:
        remains = erasing.unwiped(conn)
    if remains:
        told = f"the files of the database may still name player {remains[0]}: `turnserver player erase {remains[0]}` once more"
        yield check("erased players", "wrong", told)


def _keys(service: Service) -> Check:
    keys = service.mail.reply_keys()
    if not keys:
        return check("keys", "wrong", "there is no key for reply addresses; run `turnserver init`")
    return check("keys", "ok", told(keys))


def _resting(service: Service) -> Iterator[Check]:
    with service.db.read() as conn:
        resting = outages.quarantined_games(conn)
    if resting:
        those = some([f"{one.game} ({one.why})" for one in resting[:MOST_NAMED]], len(resting))
        kept = "nobody is served in them, their clocks stand still, and their mail is kept"
        yield check("games", "wrong", f"{counted(len(resting), 'game')} rest, whose logs this program cannot follow ({kept}): {those}")


def _checkpoints(service: Service) -> Iterator[Check]:
    """Check that checkpoints are signed and published, and how old the newest one is."""
    audit = service.settings.audit
    if not audit.key_files:
        yield check("checkpoints", "note", "audit.key_files names no key, so nobody could show that the log was rewritten")
        return
    now = service.clock()
    try:
        with service.db.read() as conn:
            last, size = checkpoints.last(conn), log.last_position(conn)
            late = overdue(conn, service.settings, last, now)
        checkpoint_keys.require_known(last, service.settings)
        keys = checkpoint_keys.signing(service.settings)
        files = checkpoint_keys.listed(audit.publish) if audit.publish else []
    except (ConfigError, LogError) as error:
        yield check("checkpoints", "wrong", str(error))
        return
    yield from _exposed("checkpoints", audit.key_files)
    if files and files[-1].size > size:
        yield check(
            "checkpoints", "wrong", f"{files[-1].path} is of {files[-1].size} events, and the log has only {size}: history was lost"
        )
    if last is None:
        none = f"none was made in the {span(late)} since the first event; `turnserver audit checkpoint add` says why" if late else ""
        says = none or f"none yet; {counted(len(keys), 'key')} will sign for {service.settings.origin}"
        yield check("checkpoints", "wrong" if late else "ok", says)
        return
    where = f", published in {audit.publish}" if audit.publish else ""
    says = f"the newest was made {span(now - last.at)} ago, of {counted(last.size, 'event')}{where}"
    yield check("checkpoints", "wrong" if late else "ok", f"{says}; `turnserver audit checkpoint add` says why" if late else says)
    if audit.publish and last.size not in {file.size for file in files}:
        yield check("checkpoints", "wrong", f"the newest one does not lie in {audit.publish}; `turnserver audit checkpoint add` says why")


def _clocks(service: Service, now: datetime, beat: datetime | None, worked: Worked, patience: timedelta) -> Check:
    """Check that some process watches the deadlines of games, and that this machine's clock can be right."""
    try:
        service.upkeep.require_clock()
    except ClockWrong as error:
        return check("clocks", "wrong", str(error))
    if beat is None:
        return check("clocks", "note", "nobody has looked at them yet; `turnserver serve` does, or `turnserver tick` from cron")
    asleep = now - beat > patience
    if worked.restored_at is not None:
        at = show.Times(service.settings.site.zone, now).full(worked.restored_at)
        says = f"nobody has looked at them since the database was restored at {at}"
        return check("clocks", "wrong" if asleep else "note", f"{says}; `turnserver serve` does")
    says = f"last looked at {span(now - beat)} ago"
    return check("clocks", "wrong" if asleep else "ok", f"{says}; is `turnserver serve` running?" if asleep else says)


def _traffic(service: Service) -> Iterator[Check]:
    """Check that processes are at work, and count the mails that wait."""
    now = service.clock()
    patience = timedelta(minutes=service.settings.jobs.outage_minutes)
    with service.db.read() as conn:
        beat, worked = outages.last_beat(conn), restorations.last_worked(conn)
        mails, lost = traffic(conn), delivery_reports.unreachable(conn)
        those = unreached(conn, lost)
    yield _clocks(service, now, beat, worked, patience)
    late = mails.waiting is not None and now - mails.waiting > patience
    since = f", the oldest for {span(now - mails.waiting)}" if mails.waiting else ""
    yield check("inbox", "wrong" if late else "ok", f"{counted(mails.came.get('new', 0), 'mail')} to be read{since}")
    yield from _given_up("inbox", mails.came, "failed", "could not be handled")
    stuck = mails.retrying.why
    why = f"; the newest because {stuck}" if stuck else ""
    yield check("outbox", "note" if stuck else "ok", f"{counted(mails.leaving.get('queued', 0), 'mail')} to be sent{why}")
    yield from _given_up("outbox", mails.leaving, "dead", "could not be sent")
    if lost:
        yield check("players", "note", f"mail to {those} comes back; `turnserver player show` says why")


def _given_up(box: str, counts: Mapping[str, int], status: str, what: str) -> Iterator[Check]:
    if number := counts.get(status, 0):
        look = f"`turnserver mail {box} list --status {status}` says why, `turnserver mail {box} retry --all` tries again"
        yield check(box, "wrong", f"{counted(number, 'mail')} {what}: {look}")


def _outgoing(settings: Settings) -> Iterator[Check]:
    outgoing = settings.outgoing
    yield from _signing(settings)
    yield _maildir_out(outgoing) if outgoing.transport == "maildir" else _smtp(outgoing, settings.site.domain)


def _signing(settings: Settings) -> Iterator[Check]:
    """Check that mails can be signed. Yields nothing if no key is configured."""
    if not settings.dkim.key_files:
        return
    from turnserver.mail.format import dkim  # noqa: PLC0415  # slow to import, and few need it

    try:
        keys = [f"{signer.selector} ({signer.algorithm})" for signer in dkim.signers(settings)]
    except ConfigError as error:
        yield check("outgoing", "wrong", str(error))
        return
    yield check("outgoing", "ok", f"mails are signed for {settings.signing_domain} with the selector {listing(keys, 'and')}")
    yield from _exposed("outgoing", settings.dkim.key_files)


def _exposed(about: str, files: Sequence[Path], mode: int = 600) -> Iterator[Check]:
    """Check that files with secrets are not for everybody. A group may read one, as SETUP.md gives some to that of the service."""
    for path in files:
        if path.stat().st_mode & 0o007:
            yield check(about, "wrong", f"{path} can be read by everybody on this machine: `chmod {mode} {path}`")


def _smtp(outgoing: Outgoing, domain: str) -> Check:
    where = f"the mail server at {outgoing.host} port {outgoing.port}"
    if outgoing.username and not outgoing.password:
        return not_tried("outgoing", where, "outgoing")
    server = SmtpTransport(outgoing)
    try:
        server.check(domain)
    except MailError as error:
        return check("outgoing", "wrong", f"{where}: {error}")
    finally:
        server.close()
    how = {"none": "", "starttls": ", secured by STARTTLS", "tls": ", secured by TLS"}[outgoing.security]
    who = f", logged in as {outgoing.username}" if outgoing.username else ""
    return check("outgoing", "ok", f"{where} answers{how}{who}")


def _maildir_out(outgoing: Outgoing) -> Check:
    beneath = outgoing.maildir / "tmp"
    # one that may not be looked at is taken as missing, and the try in the directory above it fails
    there = next(path for path in (beneath, *beneath.parents) if os.path.exists(path))  # noqa: PTH110  # that of a Path raises then
    try:
        # a full disk shows only when something is written
        with TemporaryFile(dir=there) as file:
            file.write(bytes(_ROOM))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = f"nothing can be written in {there}: {error.strerror}"
        return check("outgoing", "wrong", f"mail cannot go into the maildir {outgoing.maildir}: {why}")
    return check("outgoing", "ok", f"mail goes into the maildir {outgoing.maildir}")


def _incoming(settings: Settings, now: datetime) -> Iterator[Check]:
    incoming = settings.incoming
    yield _lmtp(incoming.lmtp_host, incoming.lmtp_port)
    if incoming.maildir:
        missing = [name for name in ("new", "cur", "tmp") if not os.access(Path(incoming.maildir, name), os.R_OK | os.W_OK | os.X_OK)]
        if missing:
            yield check("incoming", "wrong", f"{incoming.maildir} is not a maildir to work in: {', '.join(missing)} cannot be used")
        else:
            yield check("incoming", "ok", f"mail is collected from the maildir {incoming.maildir}")
            yield from _left(Path(incoming.maildir), now - timedelta(minutes=settings.jobs.outage_minutes), now)


def _left(maildir: Path, recent: datetime, now: datetime) -> Iterator[Check]:
    """Name the mail that waits although it was put there before a `recent` instant or cannot be read, and what cannot be mail."""
    new = maildir / "new"
    try:
        files = waiting(maildir)
    except TurnserverError as error:
        yield check("incoming", "wrong", str(error))
        return
    # whoever types this may read more than the service, so what has waited for long is told too
    if late := [file for file in files if file.plain and (file.put_at < recent or not os.access(file.path, os.R_OK))]:
        waits, hold = ("waits", "it holds") if len(late) == 1 else ("wait", "they hold")
        oldest = f"the oldest, {late[0].path.name}, for {span(now - late[0].put_at)}"
        says = f"{counted(len(late), 'mail')} in {new} {waits} to be fetched, {oldest}; {hold} up all deadlines"
        yield check("incoming", "wrong", f"{says}. `chown --reference={new} {late[0].path}` lets the service read it")
    if odd := [file.path.name for file in files if not file.plain]:
        yield check("incoming", "note", f"what is no mail is left in {new}: {some(odd[:MOST_NAMED], len(odd))}")


def _mailboxes(settings: Settings) -> Iterator[Check]:
    if settings.imap:
        from turnserver.cli.doctor import mailboxes as mailboxcheck  # noqa: PLC0415  # what speaks IMAP is slow to import

        yield from mailboxcheck.examine(settings)


def _lmtp(host: str, port: int) -> Check:
    """Check that our listener answers, or else that its port is free."""
    where = f"LMTP at {host} port {port}"
    # Port 0 takes any free port when the service starts, so nobody can be asked there yet.
    if port:
        try:
            with socket.create_connection((host, port), GREETING_SECONDS) as connection:
                greeting = connection.recv(500).decode("utf-8", "replace").strip()
        except ConnectionRefusedError:
            pass  # the port is free, as far as one can tell without taking it
        except OSError as error:
            return check("incoming", "wrong", f"{where}: {error}")
        else:
            # Our listener names itself in its greeting.
            if "turnserver" in greeting:
                return check("incoming", "ok", f"{where} is served")
            return check("incoming", "wrong", f"{where} belongs to another program, which says {greeting or 'nothing'}")
    try:
        # Taking the port for a moment is the only way to know whether it can be had.
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        socket.create_server(address[:2], family=family).close()
    except OSError as error:
        return check("incoming", "wrong", f"{where} cannot be used: {error.strerror or error}")
    return check("incoming", "ok", f"{where} is free for `turnserver serve`")


def _languages() -> Iterator[Check]:
    try:
        for one in languages().values():
            one.say("language")
    except ConfigError as error:
        yield check("files", "wrong", str(error))


def _files() -> Iterator[Check]:
    """Check that the files that come with the program are there, and that templates can be compiled."""
    schemas = resources.events_dir() / "schema"
    needed = (resources.templates_dir() / "mail" / "style.css", resources.font_file(), resources.config_dir() / "turnserver.toml")
    missing = [path for path in needed if not path.is_file()]
    if not any(schemas.glob("*.json")):
        missing.append(schemas)
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        yield check("files", "wrong", f"{missing[0]}{more} is missing: install turnserver again")
        return
    from turnserver.web import pages, static  # noqa: PLC0415  # all pages are slow to import

    wrong = [
        *templates.faults(compose.templates(), compose.given()),
        *templates.faults(templates.environment(), pages.given()),
        *static.faults(),
    ]
    if wrong:
        yield from (check("files", "wrong", f"{fault}: mend it, or install turnserver again") for fault in wrong)
        return
    try:
        # The renderer is a binary and may be broken although all files are there.
        png("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><text y='9'>a</text></svg>", 64)
    except (ValueError, OSError) as error:
        yield check("files", "wrong", f"no picture can be drawn: {error}")
        return
    yield check("files", "ok", "templates, font, events and default configuration are all there")
