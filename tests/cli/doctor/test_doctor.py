"""`doctor`: each thing that can be wrong is found and named, and what is well is said to be."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import NamedTuple

import pytest

from tests.cli.club import CONFIG, Club
from tests.cli.typed import MAILDIR, configure, declared, service_of, typed
from tests.jobs.sink import LOOPBACK, Sink, free_port
from turnserver import resources
from turnserver.cli.doctor.findings import Check
from turnserver.ids import PlayerId
from turnserver.mail.outbound import language
from turnserver.mail.transport.lmtp import Listener
from turnserver.service.upkeep import checkpoints as checkpoint_keys
from turnserver.store.mail import delivery_reports, inbox, outbox

IMAP = f'\n[imap.club]\nhost = "{LOOPBACK}"\nport = {free_port()}\nusername = "turns"\npassword = "secret"\n'
TURN_LINES = len((resources.templates_dir() / "mail/game/turn.txt.j2").read_text().splitlines())
NO_LOCALE = "language.toml has a key that names no language whose dates we can write. Give it, and its folder, the key of one"
LMTP = "\n[incoming]\nlmtp_port = 0\n"


def nothing(_recipients: Sequence[str], _sender: str | None, _raw: bytes) -> None:
    """Take a mail and forget it."""


class Case(NamedTuple):
    """`prepare` makes something of the club; then the check `about` says `says` in that state."""

    prepare: Callable[[Club, ExitStack], object]
    about: str
    state: str
    says: str


def config(text: str) -> Callable[[Club, ExitStack], object]:
    return lambda club, _: configure(club, text)


def unlinked(club: Club, _: ExitStack) -> None:
    (club.directory / "club.db").unlink()


def locked(club: Club, stack: ExitStack) -> None:
    holder = sqlite3.connect(club.directory / "club.db", isolation_level=None)
    stack.callback(holder.close)
    holder.execute("BEGIN IMMEDIATE")


def incomplete(*without: str) -> Callable[[Club, ExitStack], object]:
    return lambda club, stack: copied(club, stack, *without)


def copied(club: Club, stack: ExitStack, *without: str) -> Path:
    """Have the program use a copy of its templates without those of a name, and return where it lies."""
    copy = copytree(resources.templates_dir(), club.directory / "templates", ignore=ignore_patterns(*without))
    patched = stack.enter_context(pytest.MonkeyPatch.context())
    patched.setattr(resources, "templates_dir", lambda: copy)
    return copy


def ending(name: str, text: bytes) -> Callable[[Club, ExitStack], object]:
    """Append something to a template."""

    def prepare(club: Club, stack: ExitStack) -> None:
        path = copied(club, stack) / name
        path.write_bytes(path.read_bytes() + text)

    return prepare


def with_picture(club: Club, stack: ExitStack) -> None:
    there = copied(club, stack) / "page"
    (there / "static" / "logo.png").write_bytes(b"")
    me = there / "me.html.j2"
    me.write_text(me.read_text() + "{{ static('logo.png') }}")


def ticked(club: Club, _: ExitStack) -> None:
    service = service_of(club)
    service.upkeep.sweep()
    service.db.close()


def long_ago(club: Club, stack: ExitStack) -> None:
    ticked(club, stack)
    club.now += timedelta(hours=3)


def unread(club: Club, _: ExitStack) -> None:
    service = service_of(club)
    service.mail.receive(b"", "turns@club.example", "ada@example.org", "lmtp")
    service.db.close()
    club.now += timedelta(hours=2)


def failed(club: Club, _: ExitStack) -> None:
    service = service_of(club)
    number = service.mail.receive(b"", "turns@club.example", "ada@example.org", "lmtp")
    with service.db.write() as tx:
        inbox.failed(tx, number, "ZeroDivisionError: nobody foresaw it", club.now, final=True)
    service.db.close()


def dead(club: Club, _: ExitStack) -> None:
    service = service_of(club)
    for mail in outbox.claim(service.db, club.now, 2, timedelta(minutes=1), "test"):
        with service.db.write() as tx:
            outbox.dead(tx, mail.id, "test", "no such mailbox")
    service.db.close()


def unreachable(club: Club, _: ExitStack) -> None:
    service = service_of(club)
    with service.db.write() as tx:
        for number in (2, 1):
            delivery_reports.mark_unreachable(tx, PlayerId(number), club.now, "5.1.1 no such user")
    service.db.close()


def answered(club: Club, stack: ExitStack, security: str = "none", login: str = "") -> None:
    sink = stack.enter_context(Sink())
    configure(
        club, f'\n[outgoing]\nhost = "{LOOPBACK}"\nport = {sink.port}\nsecurity = "{security}"\nusername = "{login}"\npassword = "p"\n'
    )


def served(club: Club, stack: ExitStack) -> None:
    listener = Listener(nothing)
    _, port = listener.start()
    stack.callback(listener.stop)
    configure(club, f"\n[incoming]\nlmtp_port = {port}\n")


def taken(club: Club, stack: ExitStack) -> None:
    configure(club, f"\n[incoming]\nlmtp_port = {stack.enter_context(Sink()).port}\n")


def below_a_file(club: Club, _: ExitStack) -> None:
    (club.directory / "file").touch()
    configure(club, '\n[outgoing]\ntransport = "maildir"\nmaildir = "file/leaving"\n')


def maildir(club: Club, _: ExitStack) -> None:
    for name in ("new", "cur", "tmp"):
        (club.directory / "incoming" / name).mkdir(parents=True)
    configure(club, '\n[incoming]\nmaildir = "incoming"\n')


def waiting(club: Club, stack: ExitStack) -> None:
    """Two mails lie in the maildir since before an outage would be noticed, one came just now."""
    maildir(club, stack)
    for name, minutes in (("first", 120), ("second", 40), ("third", 1)):
        file = club.directory / "incoming" / "new" / name
        file.touch()
        os.utime(file, (at := (club.now - timedelta(minutes=minutes)).timestamp(), at))


def odd(club: Club, stack: ExitStack) -> None:
    maildir(club, stack)
    (club.directory / "incoming" / "new" / "odd").mkdir()


def keyless(club: Club, _: ExitStack) -> None:
    (club.directory / "checkpoint.pem").unlink()


def elsewhere(club: Club, stack: ExitStack) -> None:
    checkpointed(club, stack)
    keyless(club, stack)


def another_key(club: Club, stack: ExitStack) -> None:
    elsewhere(club, stack)
    checkpoint_keys.make(club.directory / "checkpoint.pem")


def readable(club: Club, _: ExitStack) -> None:
    (club.directory / "checkpoint.pem").chmod(0o644)


def not_private(club: Club, _: ExitStack) -> None:
    (club.directory / "club.db").chmod(0o644)


def told_to_all(settings: str) -> Callable[[Club, ExitStack], None]:
    """Settings in a file that everybody may read."""

    def prepare(club: Club, _: ExitStack) -> None:
        configure(club, settings)
        club.config.chmod(0o644)

    return prepare


def never_signed(club: Club, _: ExitStack) -> None:
    club.now += timedelta(days=3)


def no_checkpoints(club: Club, _: ExitStack) -> None:
    configure(club, "\n[audit]\nkey_files = []\n")


def checkpointed(club: Club, _: ExitStack) -> None:
    configure(club, '\n[audit]\npublish = "published"\n')
    service = service_of(club)
    service.upkeep.checkpoints.make()
    service.db.close()
    club.now += timedelta(days=2)


def unpublished(club: Club, stack: ExitStack) -> None:
    checkpointed(club, stack)
    next((club.directory / "published").iterdir()).unlink()


def rolled_back(club: Club, stack: ExitStack) -> None:
    checkpointed(club, stack)
    (club.directory / "published" / "999.checkpoint").touch()


def overdue(club: Club, stack: ExitStack) -> None:
    checkpointed(club, stack)
    club.printed("game open take Ada Bob")


CASES = {
    "no checkpoint yet": Case(lambda *_: None, "checkpoints", "ok", "None yet; 1 key will sign for club.example/turnserver."),
    "no key for checkpoints": Case(keyless, "checkpoints", "wrong", "checkpoint.pem is missing. `turnserver init` makes it"),
    "key on another machine": Case(elsewhere, "checkpoints", "wrong", "Copy its file to the place that audit.key_files names"),
    "another key than there": Case(another_key, "checkpoints", "wrong", "Copy its file to the place that audit.key_files names"),
    "key for everybody": Case(readable, "checkpoints", "wrong", "can be read by everybody"),
    "database for everybody": Case(not_private, "database", "wrong", "club.db can be read by everybody on this machine: `chmod 600"),
    "password for everybody": Case(
        told_to_all('\n[outgoing]\nusername = "turns"\npassword = "secret"\n'), "configuration", "wrong", "can be read by everybody"
    ),
    "nothing secret in it": Case(told_to_all('\n[outgoing]\nusername = "turns"\n'), "configuration", "ok", "turnserver.toml is in use."),
    "never a checkpoint": Case(never_signed, "checkpoints", "wrong", "None was made in the 3 days since the first event"),
    "no checkpoints wanted": Case(no_checkpoints, "checkpoints", "note", "audit.key_files names no key"),
    "checkpoint": Case(checkpointed, "checkpoints", "ok", "The newest was made 2 days ago"),
    "checkpoint not published": Case(unpublished, "checkpoints", "wrong", "The newest one does not lie in "),
    "published and lost": Case(rolled_back, "checkpoints", "wrong", "999.checkpoint is of 999 events, and the log has only"),
    "no new checkpoint": Case(overdue, "checkpoints", "wrong", "`turnserver audit checkpoint add` says why"),
    "which file": Case(lambda *_: None, "configuration", "ok", "turnserver.toml is in use."),
    "a wrong setting": Case(config("grace_hours = -1\n"), "configuration", "wrong", "play.grace_hours must be a whole number"),
    "a time control that cannot be read": Case(
        config('time = "soon"\n'), "configuration", "wrong", "setting play.time must be a time control such as 5d"
    ),
    "holidays of nowhere": Case(
        config('time = "3d, holidays XX"\n'), "configuration", "wrong", "setting play.time cannot be used: I don't know the holidays of XX."
    ),
    "another one": Case(config("days = 0\nx = 1\n"), "configuration", "wrong", "There is no setting play.x"),
    "not for the world": Case(
        lambda club, _: club.config.write_text('[database]\nurl = "sqlite:///club.db"\n'),
        "configuration",
        "note",
        "site.address is turns@localhost: nobody outside",
    ),
    "nobody to tell": Case(
        lambda club, _: club.config.write_text(CONFIG.replace("admin =", "# admin =")),
        "configuration",
        "wrong",
        "The setting site.admin is empty",
    ),
    "database": Case(lambda *_: None, "database", "ok", "club.db can be read and written: SQLite 3."),
    "write-ahead log": Case(lambda *_: None, "database", "ok", "revision 0014, write-ahead log."),
    "no database": Case(unlinked, "database", "wrong", "`turnserver init` creates it"),
    "locked database": Case(locked, "database", "wrong", "is locked by another process"),
    "never swept": Case(lambda *_: None, "clocks", "note", "Nobody has looked at them yet"),
    "swept": Case(ticked, "clocks", "ok", "Last looked at less than a minute ago."),
    "swept long ago": Case(long_ago, "clocks", "wrong", "Last looked at 3 hours ago; is `turnserver serve` running?"),
    "nothing to read": Case(lambda *_: None, "inbox", "ok", "0 mails to be read."),
    "unread": Case(unread, "inbox", "wrong", "1 mail to be read, the oldest for 2 hours."),
    "failed": Case(failed, "inbox", "wrong", "1 mail could not be handled: `turnserver mail inbox list --status failed` says why"),
    "dead": Case(dead, "outbox", "wrong", "2 mails could not be sent: `turnserver mail outbox list --status dead` says why"),
    "unreachable": Case(unreachable, "players", "note", "Mail to Ada (1) and Bob (2) comes back; `turnserver player show` says why."),
    "mail server": Case(answered, "outgoing", "ok", f"The mail server at {LOOPBACK} port"),
    "no mail server": Case(
        lambda club, _: configure(club, f'\n[outgoing]\nhost = "{LOOPBACK}"\nport = {free_port()}\n'),
        "outgoing",
        "wrong",
        "the mail server cannot be reached: Connection refused.",
    ),
    "no STARTTLS": Case(lambda club, stack: answered(club, stack, "starttls"), "outgoing", "wrong", "STARTTLS"),
    "no TLS": Case(lambda club, stack: answered(club, stack, "tls"), "outgoing", "wrong", "cannot be reached"),
    "no login": Case(lambda club, stack: answered(club, stack, login="ada"), "outgoing", "wrong", "does not work with us"),
    "out by maildir": Case(config(MAILDIR), "outgoing", "ok", "Mail goes into the maildir"),
    "no place for a maildir": Case(below_a_file, "outgoing", "wrong", "file: Not a directory"),
    "free port": Case(
        lambda club, _: configure(club, f"\n[incoming]\nlmtp_port = {free_port()}\n"), "incoming", "ok", "is free for `turnserver serve`"
    ),
    "any port": Case(config(LMTP), "incoming", "ok", "is free for `turnserver serve`"),
    "served": Case(served, "incoming", "ok", "is served."),
    "another program": Case(taken, "incoming", "wrong", "belongs to another program, which says 220"),
    "mailbox": Case(config(IMAP), "incoming", "wrong", "imap.club: the IMAP server 127.0.0.1 port"),
    "not our address": Case(config('\n[incoming]\nlmtp_host = "192.0.2.1"\nlmtp_port = 0\n'), "incoming", "wrong", "cannot be used"),
    "in by maildir": Case(maildir, "incoming", "ok", "Mail is collected from the maildir"),
    "mail that waits": Case(waiting, "incoming", "wrong", "the oldest, first, for 2 hours; they hold up all deadlines"),
    "no mail": Case(odd, "incoming", "note", "What is no mail is left in"),
    "no maildir": Case(config('\n[incoming]\nmaildir = "nowhere"\n'), "incoming", "wrong", "new, cur, tmp cannot be used"),
    "a file of ours is missing": Case(incomplete("style.css"), "files", "wrong", "mail/style.css is missing: install turnserver again"),
    "a mail is missing": Case(incomplete("turn.html.j2"), "files", "wrong", "mail/game/turn.html.j2 is missing: mend it, or"),
    "a part is missing": Case(incomplete("_board.txt.j2"), "files", "wrong", "mail/_board.txt.j2 is missing: mend it, or"),
    "a layout is missing": Case(incomplete("_site.html.j2"), "files", "wrong", "page/_site.html.j2 is missing: mend it, or"),
    "a page is missing": Case(incomplete("audit.html.j2"), "files", "wrong", "page/audit.html.j2 is missing: mend it, or"),
    "an open block": Case(
        ending("mail/game/turn.txt.j2", b"{% if %}"),
        "files",
        "wrong",
        f"mail/game/turn.txt.j2, line {TURN_LINES + 1}: Expected an expression",
    ),
    "no such variable": Case(
        ending("mail/game/turn.txt.j2", b"{{ nosuch }}"),
        "files",
        "wrong",
        f"mail/game/turn.txt.j2, line {TURN_LINES + 1}: there is no variable nosuch: mend it",
    ),
    "no such variable in a part": Case(
        ending("mail/_board.txt.j2", b"{{ bord }}"), "files", "wrong", "there is no variable bord: mend it, or"
    ),
    "a variable of HTML alone": Case(
        ending("mail/game/turn.txt.j2", b"{{ subject }}"), "files", "wrong", "there is no variable subject: mend it, or"
    ),
    "no such variable in a page": Case(
        ending("page/me.html.j2", b"{% macro one() %}{{ own }}{% endmacro %}"), "files", "wrong", "there is no variable own: mend it, or"
    ),
    "a script is missing": Case(incomplete("replay.js"), "files", "wrong", "page/static/replay.js is missing: mend it, or"),
    "a picture is there that no page loads": Case(
        with_picture,
        "files",
        "wrong",
        "page/static/logo.png is there, but pages load only .css and .js files that lie in page/static itself",
    ),
    "a style is no longer loaded": Case(
        ending("page/me.html.j2", b'{# static("old.css") #}{% if false %}{{ static("old.css") }}{% endif %}'),
        "files",
        "ok",
        "Templates, font",
    ),
    "not UTF-8": Case(ending("page/me.html.j2", b"\xff"), "files", "wrong", "page/me.html.j2 is not UTF-8 text: mend it"),
    "a class without a style": Case(
        ending("mail/game/turn.html.j2", b'<p class="nosuch">'),
        "files",
        "wrong",
        "mail/game/turn.html.j2: there is no rule in mail/style.css for '.nosuch'",
    ),
    "files": Case(lambda *_: None, "files", "ok", "Templates, font, events and default configuration are all there."),
}


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_finds(club: Club, stack: ExitStack, case: Case) -> None:
    case.prepare(club, stack)
    result = typed(club, "doctor --json")
    checks = declared(result.stdout, "doctor")
    assert isinstance(checks, list)
    fitting = [check for check in checks if isinstance(check, Check) and (check.about, check.state) == (case.about, case.state)]
    assert [check for check in fitting if case.says in check.says] != [], checks
    assert result.exit_code == any(check.state == "wrong" for check in checks)


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        (b'key = "eo"\nname = "Esperanto"\nx = [', "language.toml is not valid TOML: Invalid value (at end of document)."),
        (
            b'key = "eo"\nname "Esperanto"',
            "language.toml is not valid TOML: Expected '=' after a key in a key/value pair (at line 2, column 6).",
        ),
        (b'key = "eo"\nname = "\xff"', "language.toml is not UTF-8 text."),
        (b'name = "Esperanto"', "language.toml describes no language: Object missing required field `key`."),
        (b'key = "tlh"\nname = "Klingon"', NO_LOCALE),
        (b'key = "eo_"\nname = "Esperanto"', NO_LOCALE),
    ],
)
def test_a_mistake_in_a_language_is_named(club: Club, stack: ExitStack, toml: bytes, says: str) -> None:
    translated(club, stack, "language.toml", toml)
    refused = typed(club, "player show Ada")
    assert (refused.exit_code, f"/languages/eo/{says}" in refused.stderr, refused.stdout) == (1, True, ""), refused.output
    found = typed(club, "doctor --json")
    assert f"/languages/eo/{says}" in found.stdout
    assert found.exit_code == 1


def test_a_catalogue_that_is_none_is_named(club: Club, stack: ExitStack) -> None:
    translated(club, stack, "turnserver.po", b'msgid "language"\nmsgstr "\xff"\n')
    assert "/languages/eo/turnserver.po is no catalogue of sentences: " in typed(club, "doctor --json").stdout


def translated(club: Club, stack: ExitStack, name: str, content: bytes) -> None:
    """Have the program know another language, in which one file is this."""
    there = copied(club, stack) / "languages" / "eo"
    there.mkdir()
    (there / "language.toml").write_text('key = "eo"\nname = "Esperanto"\n')
    (there / name).write_bytes(content)
    language.languages.cache_clear()
    stack.callback(language.languages.cache_clear)


def test_every_template_is_compiled(club: Club, stack: ExitStack) -> None:
    there = sorted(copied(club, stack).rglob("*.j2"))
    for path in there:
        path.write_text(path.read_text() + "{% block new %}{{ 1 | nosuch }}{% endblock %}\n")
    checks = declared(typed(club, "doctor --json").stdout, "doctor")
    assert isinstance(checks, list)
    faulty = sorted(check.says.partition(", line ")[0] for check in checks if isinstance(check, Check) and check.about == "files")
    assert faulty == [str(path) for path in there]


def test_a_mistake_in_a_part_is_told_once(club: Club, stack: ExitStack) -> None:
    ending("mail/_board.txt.j2", b"{{ bord }}")(club, stack)
    assert typed(club, "doctor --json").stdout.count("there is no variable bord") == 1


def test_says_at_the_end_that_nothing_is_wrong(club: Club) -> None:
    result = typed(configure(club, MAILDIR + LMTP), "doctor")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "Nothing is wrong."), result.stdout


def test_counts_at_the_end_what_is_wrong(club: Club) -> None:
    result = typed(configure(club, "grace_hours = -1\nx = 1\n"), "doctor")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (1, "2 things are wrong."), result.stdout


def test_nothing_is_sent_and_nothing_changed(club: Club) -> None:
    with Sink() as sink:
        configure(club, f'\n[outgoing]\nhost = "{LOOPBACK}"\nport = {sink.port}\n{LMTP}')
        before = [typed(club, line).stdout for line in ("mail outbox list", "mail inbox list", "game list --all")]
        assert typed(club, "doctor").exit_code == 0
        assert sink.mails == []
        assert [typed(club, line).stdout for line in ("mail outbox list", "mail inbox list", "game list --all")] == before


def test_on_postgresql(club: Club, postgresql_url: str) -> None:
    club.config.write_text(club.config.read_text().replace("sqlite:///club.db", postgresql_url) + MAILDIR + LMTP)
    assert typed(club, "init").exit_code == 0
    result = typed(club, "doctor")
    assert result.exit_code == 0, result.stdout
    assert "can be read and written: PostgreSQL 1" in result.stdout


def test_a_password_is_never_shown(club: Club) -> None:
    configure(club, f'\n[outgoing]\nhost = "{LOOPBACK}"\nport = {free_port()}\nusername = "ada"\npassword = "sesame"\n')
    club.config.write_text(club.config.read_text().replace("sqlite:///club.db", "postgresql+psycopg://ada:sesame@127.0.0.1:1/club"))
    for line in ("doctor", "doctor --json", "tick", "init"):
        result = typed(club, line)
        assert result.exit_code == 1
        assert "sesame" not in result.output


def test_without_the_passwords_of_the_service_only_what_logs_in_is_refused(club: Club) -> None:
    configure(club, IMAP.replace('password = "secret"\n', "") + f'\n[outgoing]\nport = {free_port()}\nusername = "turns"\n{LMTP}')
    assert typed(club, "player list").exit_code == 0
    result = typed(club, "doctor")
    assert result.exit_code == 0, result.stdout
    said = " ".join(result.stdout.split())
    assert "imap.club: not logged in, since the password is not given here." in said
    assert "TURNSERVER_IMAP__CLUB__PASSWORD" in said
    assert "TURNSERVER_OUTGOING__PASSWORD" in said
    for line in ("tick", "serve"):
        refused = typed(club, line)
        assert refused.exit_code == 1
        assert "The password of imap.club is not given: TURNSERVER_IMAP__CLUB__PASSWORD in the environment sets it." in refused.stderr


def test_a_missing_database_is_named(club: Club, stack: ExitStack) -> None:
    unlinked(club, stack)
    result = typed(club, "player list")
    assert result.exit_code == 1
    assert "club.db: there is no database yet" in result.stderr
