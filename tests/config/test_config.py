"""The configuration: what is written is what holds, what is wrong is said, and every setting is documented."""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest
import rich.pretty

from tests.cases import for_each
from turnserver import config, resources
from turnserver.config import handbook, reading
from turnserver.errors import ConfigError

SHIPPED = resources.config_dir() / "turnserver.toml"


def written(directory: Path, text: str) -> Path:
    file = directory / "turnserver.toml"
    file.write_text(text, encoding="utf-8")
    return file


ACCOUNT = '\nhost = "imap.example.org"\nusername = "turns"\npassword = "secret"\n'

MAILDIR = '[outgoing]\ntransport = "maildir"\n'

REFUSED = {
    "not TOML": ("[outgoing", {}, "not valid TOML"),
    "section misspelt": ("[outgoin]\nport = 25", {}, "There is no section [outgoin]. Did you mean [outgoing]?"),
    "setting misspelt": ("[outgoing]\nprot = 25", {}, "There is no setting outgoing.prot. Did you mean outgoing.port?"),
    "setting outside of its section": ("port = 25", {}, "The value port is outside of all sections. Is it meant for [outgoing]?"),
    "section as a value": ("outgoing = 25", {}, "The value outgoing is outside of all sections. Is it meant for [outgoing]?"),
    "text for a number": ('[outgoing]\nport = "smtp"', {}, 'outgoing.port must be a whole number from 1 to 65535, not "smtp"'),
    "number too large": ("[outgoing]\nport = 65536", {}, "outgoing.port must be a whole number from 1 to 65535, not 65536"),
    "fraction for a whole number": ("[play]\ngrace_hours = 1.5", {}, "play.grace_hours must be a whole number from 0 to 720, not 1.5"),
    "true for a number": ("[outgoing]\nport = true", {}, "outgoing.port must be a whole number from 1 to 65535, not true"),
    "not a number": ("[jobs]\nsweep_seconds = nan", {}, "jobs.sweep_seconds must be a number from 0.1 to 86400, not nan"),
    "no such choice": ('[outgoing]\nsecurity = "ssl"', {}, 'outgoing.security must be one of "none", "starttls", "tls", not "ssl"'),
    "wrong item in a list": ("[outgoing]\nretry_seconds = [60, 0]", {}, "each item is a whole number from 1 to 2592000, not [60, 0]"),
    "unknown zone": ('[site]\nzone = "Mars/Olympus"', {}, 'site.zone must be a time zone such as Europe/Berlin, not "Mars/Olympus"'),
    "zone that is a directory": ('[site]\nzone = "Europe"', {}, "site.zone must be a time zone"),
    "zone outside of the zones": ('[site]\nzone = "/etc/passwd"', {}, "site.zone must be a time zone"),
    "no address": ('[site]\naddress = "turns"', {}, "site.address must be a mail address"),
    "address that already has a token": ('[site]\naddress = "turns+a@example.org"', {}, "no + before the @"),
    "header injected through the name": ('[site]\nname = "a\\nBcc: ada@example.org"', {}, "site.name must be one line of text"),
    "header injected through the address": ("", {"TURNSERVER_SITE__ADMIN": "a\nb@example.org"}, "SITE__ADMIN must be a mail address"),
    "name of blanks": ('[site]\nname = "  "', {}, 'site.name must be one line of text of at most 80 characters, not "  "'),
    "name with an escape": ('[site]\nname = "a\\u001b[31m"', {}, "site.name must be one line of text"),
    "name that turns the text around": ('[site]\nname = "a\\u202e"', {}, "site.name must be one line of text"),
    "name of a page": (f'[site]\nname = "{"long " * 17}"', {}, "of at most 80 characters, not " + '"' + "long " * 11 + "l..."),
    "zone with leap seconds": ('[site]\nzone = "right/UTC"', {}, 'site.zone must be a time zone such as Europe/Berlin, not "right/UTC"'),
    "zone of a clock that nobody has set": ('[site]\nzone = "Factory"', {}, "site.zone must be a time zone such as Europe/Berlin"),
    "address with the dot of the root": ('[site]\naddress = "turns@club.example."', {}, "site.address must be a mail address with at most"),
    "address at no host": ('[site]\naddress = "turns@club/example"', {}, "site.address must be a mail address"),
    "two addresses": ('[site]\nadmin = "ada,bob@example.org"', {}, "site.admin must be a mail address, or nothing"),
    "admin who is the service": ('[site]\naddress = "t@a.org"\nadmin = "T@A.ORG"', {}, "site.admin must be another mailbox than site.addr"),
    "admin who is a token of the service": ('[site]\nadmin = "turns+me@localhost"', {}, "mail to turns+me@localhost comes back"),
    "admin with dots": ('[site]\naddress = "turns@gmail.com"\nadmin = "t.urns@googlemail.com"', {}, "another mailbox than site.address"),
    "admin in the letters of name servers": ('[site]\naddress = "t@bär.de"\nadmin = "t@xn--br-via.de"', {}, "another mailbox than site"),
    "host that is blank": ('[outgoing]\nhost = " "', {}, 'outgoing.host must be a host name or address, not " "'),
    "host that is a file": ('[incoming]\nlmtp_host = "/dev/null"', {}, 'lmtp_host must be a host name or address, not "/dev/null"'),
    "host that is an option": ('[web]\nhost = "-1"', {}, 'web.host must be a host name or address, not "-1"'),
    "hosts": (f"[imap.club]{ACCOUNT}".replace("imap.example.org", "a,b;c<d>"), {}, "imap.club.host must be a host name or address"),
    "host without end": (f'[outgoing]\nhost = "{"a" * 2000}"', {}, f'must be a host name or address, not "{"a" * 56}...'),
    "address with a number too large": ('[outgoing]\nhost = "10.0.0.256"', {}, "outgoing.host must be a host name or address"),
    "port without a host": ('[web]\nhealth = "/dev/null:80"', {}, "web.health must be a host and a port"),
    "pages with a password": ('[web]\nurl = "https://ada:secret@example.org"', {}, 'without a user, ? and #, or nothing, not "https://***@'),
    "pages of nowhere": ('[web]\nurl = "https:///turns"', {}, "web.url must be an https address"),
    "no time": ('[play]\ntime = "-5d"', {}, 'play.time must be a time control such as 5d+36h cap 10d, not "-5d". '),
    "too little time": ('[play]\ntime = "5d+36h cap 1h"', {}, 'such as 5d+36h cap 10d, not "5d+36h cap 1h". '),
    "no rest": ("[jobs]\nsend_seconds = 1e-300", {}, "jobs.send_seconds must be a number from 0.1 to 86400, not 1e-300"),
    "no rest between looks": (f"[imap.club]{ACCOUNT}poll_seconds = 0.5", {}, "imap.club.poll_seconds must be a number from 1 to 1740"),
    "one key twice": ('[audit]\nkey_files = ["a.pem", "old/../a.pem"]', {}, "audit.key_files must be a list of different files such as"),
    "path that ends early": ('[outgoing]\nmaildir = "a\\u0000b"', {}, "outgoing.maildir must be a path"),
    "maildir that is no place": (f'{MAILDIR}maildir = ""', {}, "outgoing.maildir must be a maildir of its own for the transport maildir"),
    "maildir that is everything": (f'{MAILDIR}maildir = "."', {}, "outgoing.maildir must be a maildir of its own"),
    "one maildir for both ways": (f'{MAILDIR}[incoming]\nmaildir = "x/../outgoing"', {}, "incoming.maildir and outgoing.maildir must be"),
    "path that is a number": ("[outgoing]\nmaildir = 3", {}, "outgoing.maildir must be a path, not 3"),
    "database of another kind": ('[database]\nurl = "mysql://localhost/x"', {}, "database.url must be a file"),
    "database that forgets": ('[database]\nurl = "sqlite:///:memory:"', {}, "database.url must be a file"),
    "no selector": ('[dkim]\nkey_files = ["s1.pem", "-.pem"]', {}, "dkim.key_files must be a list of different files, each named"),
    "one selector twice": ('[dkim]\nkey_files = ["s1.pem", "old/S1.pem"]', {}, "dkim.key_files must be a list of different files"),
    "account without a name": ('[imap]\nhost = "a"', {}, "imap.host is outside of all accounts. Write a section like [imap.club]"),
    "account with a bad name": (f"[imap.My-Club]{ACCOUNT}", {}, "must be named with lower-case letters and digits"),
    "account without a login": ('[imap.club]\nhost = "a"\npassword = "p"', {}, "imap.club.username must be given: one line of text"),
    "account in variables alone": ("", {"TURNSERVER_IMAP__CLUB__HOST": "a"}, "imap.club.username must be given"),
    "setting of an account misspelt": (f"[imap.club]{ACCOUNT}hots = 1", {}, "no setting imap.club.hots. Did you mean imap.club.host?"),
    "wrong value in an account": (f"[imap.club]{ACCOUNT}idle = 1", {}, "imap.club.idle must be true or false, not 1"),
    "silence that a server takes for death": (f"[imap.club]{ACCOUNT}poll_seconds = 1800", {}, "imap.club.poll_seconds must be a number"),
    "proxies that are no addresses": ('[web]\nproxies = ["foo"]', {}, "web.proxies must be a list of addresses and networks, such as"),
    "a network with too many bits": ('[web]\nproxies = ["10.0.0.0/33"]', {}, 'or 10.0.0.0/8, not ["10.0.0.0/33"]'),
    "a network with an address in it": ("", {"TURNSERVER_WEB__PROXIES": "10.0.0.1/8"}, "WEB__PROXIES must be a list of addresses"),
    "reminder beyond the time": ('[play]\nreminders = ["150%"]', {}, "a part of the time such as 50%, or hours such as 24h, not"),
    "reminder in words": ('[play]\nreminders = ["soon"]', {}, 'of the time such as 50%, or hours such as 24h, not ["soon"]'),
    "no folders": (f"[imap.club]{ACCOUNT}folders = []", {}, "imap.club.folders must be a list of at least one folder"),
    "moved to where it came from": (f'[imap.club]{ACCOUNT}move_to = "Inbox"', {}, "imap.club.move_to must not be among imap.club.folders"),
    "variable with a wrong value": ("", {"TURNSERVER_OUTGOING__PORT": "smtp"}, "TURNSERVER_OUTGOING__PORT must be a whole number"),
    "variable misspelt": ("", {"TURNSERVER_OUTGOING__PROT": "25"}, "Did you mean TURNSERVER_OUTGOING__PORT?"),
    "a second factor of nobody": ('[incoming]\nauthentication = "require"', {}, "incoming.authentication needs incoming.authserv_id"),
    "variable with one underscore": ("", {"TURNSERVER_OUTGOING_PORT": "25"}, "Did you mean TURNSERVER_OUTGOING__PORT?"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "environ", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_said(text: str, environ: Mapping[str, str], sentence: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    with pytest.raises(ConfigError) as refused:
        reading.load(file, environ)
    assert sentence in str(refused.value)
    assert ("environment" if environ else str(file)) in str(refused.value)


TAKEN = {
    "file": ("[outgoing]\nport = 587", {}, {"outgoing.port": 587}),
    "variable": ("", {"TURNSERVER_OUTGOING__PORT": "587"}, {"outgoing.port": 587}),
    "variable before file": ("[outgoing]\nport = 465", {"TURNSERVER_OUTGOING__PORT": "587"}, {"outgoing.port": 587}),
    "whole number for a fraction": ("[jobs]\nsweep_seconds = 3", {}, {"jobs.sweep_seconds": 3.0}),
    "list": ("[outgoing]\nretry_seconds = [1, 2]", {}, {"outgoing.retry_seconds": (1, 2)}),
    "list in a variable": ("", {"TURNSERVER_OUTGOING__RETRY_SECONDS": "1, 2"}, {"outgoing.retry_seconds": (1, 2)}),
    "empty list in a variable": ("", {"TURNSERVER_OUTGOING__RETRY_SECONDS": ""}, {"outgoing.retry_seconds": ()}),
    "password of digits in a variable": ("", {"TURNSERVER_OUTGOING__PASSWORD": "1234"}, {"outgoing.password": "1234"}),
    "addresses and networks": ("", {"TURNSERVER_WEB__PROXIES": "::1, 10.0.0.0/8"}, {"web.proxies": ("::1", "10.0.0.0/8")}),
    "addresses without a domain": (
        '[site]\naddress = "turns@[192.0.2.1]"\nadmin = "turns@[IPv6:::1]"',
        {},
        {"site.address": "turns@[192.0.2.1]", "site.admin": "turns@[IPv6:::1]"},
    ),
    "hosts": (
        '[outgoing]\nhost = "mx_1.bücher.example"\n[web]\nhost = "::"\nhealth = "[::1]:80"\n[incoming]\nlmtp_host = "fe80::1%eth0"',
        {},
        {"outgoing.host": "mx_1.bücher.example", "web.host": "::", "web.health": "[::1]:80", "incoming.lmtp_host": "fe80::1%eth0"},
    ),
    "admin beside the service": ('[site]\nadmin = "turns.admin+x@localhost"', {}, {"site.admin": "turns.admin+x@localhost"}),
    "the maildir of another program": ('[incoming]\nmaildir = "outgoing"', {}, {"outgoing.transport": "smtp"}),
    "variables of others": ("", {"TURNSERVER_PORT": "tcp://10.0.0.1:80", "OTHER__PORT": "x"}, {"outgoing.port": 25}),
    "absolute paths": (
        '[database]\nurl = "sqlite:////srv/log.db"\n[outgoing]\nmaildir = "/srv/out"\n[incoming]\nmaildir = "/srv/in"',
        {},
        {"database.url": "sqlite:////srv/log.db", "outgoing.maildir": Path("/srv/out"), "incoming.maildir": "/srv/in"},
    ),
    "PostgreSQL": (
        '[database]\nurl = "postgresql+psycopg://ada@localhost/turns"',
        {},
        {"database.url": "postgresql+psycopg://ada@localhost/turns"},
    ),
}


@pytest.mark.parametrize(("text", "environ", "expected"), TAKEN.values(), ids=TAKEN)
def test_what_is_written_holds(text: str, environ: Mapping[str, str], expected: Mapping[str, object], tmp_path: Path) -> None:
    settings = reading.load(written(tmp_path, text), environ)
    assert {name: value_of(settings, name) for name in expected} == expected


def test_accounts_have_names(tmp_path: Path) -> None:
    """As many as there are, from the file and from the environment, which may also complete each other."""
    file = written(tmp_path, f'[imap.one]{ACCOUNT}[imap.two]\nhost = "b"\nusername = "u"')
    assert not reading.load(file, {}).imap["two"].password  # what fetches no mail needs none
    more = {"HOST": "c", "USERNAME": "v", "PASSWORD": "w", "FOLDERS": "INBOX, Spam"}
    environ = {f"TURNSERVER_IMAP__THREE__{key}": value for key, value in more.items()}
    found = reading.load(file, {"TURNSERVER_IMAP__TWO__PASSWORD": "hidden", "TURNSERVER_IMAP__ONE__PORT": "143", **environ}).imap
    assert {name: (each.host, each.port, each.password, each.folders) for name, each in found.items()} == {
        "one": ("imap.example.org", 143, "secret", ("INBOX",)),
        "two": ("b", 993, "hidden", ("INBOX",)),
        "three": ("c", 993, "w", ("INBOX", "Spam")),
    }
    assert "hidden" not in repr(found)


@for_each("setting", handbook.account_settings("club"), ids=lambda setting: setting.name)
def test_every_setting_of_an_account_is_in_the_shipped_file_as_a_comment(setting: handbook.Setting) -> None:
    """Taken out of the comment, the account is one that can be read."""
    lines = SHIPPED.read_text("utf-8").splitlines()
    start = lines.index("# [imap.club]")
    line = next(number for number in range(start, len(lines)) if lines[number].startswith(f"# {setting.key} = "))
    account = tomllib.loads("\n".join(each.removeprefix("# ") for each in lines[start:] if " = " in each or "[imap" in each))["imap"][
        "club"
    ]
    assert getattr(msgspec.convert(account, config.ImapAccount), setting.key) in (setting.default, account[setting.key])
    assert lines[line - 1].startswith("# ")
    assert len(setting.doc.split()) > 1
    assert setting.doc.endswith(".")


def value_of(settings: config.Settings, name: str) -> object:
    section, key = name.split(".")
    value: object = getattr(getattr(settings, section), key)
    return value


def test_relative_paths_start_at_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, '[database]\nurl = "sqlite:///data/log.db"\n[incoming]\nmaildir = "in"')
    settings = reading.load(file, {"TURNSERVER_OUTGOING__MAILDIR": "out", "TURNSERVER_DKIM__KEY_FILES": "s1.pem, /srv/s2.pem"})
    assert settings.dkim.key_files == (tmp_path / "s1.pem", Path("/srv/s2.pem"))
    assert settings.database.url == f"sqlite:///{tmp_path}/data/log.db"
    assert settings.incoming.maildir == str(tmp_path / "in")
    assert settings.outgoing.maildir == tmp_path / "out"


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    absent, binary = tmp_path / "absent.toml", tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"no configuration file .*absent\.toml"):
        reading.load(absent, {})
    with pytest.raises(ConfigError, match=r"no configuration file .*TURNSERVER_CONFIG"):
        reading.load(None, {"TURNSERVER_CONFIG": str(absent)})
    with pytest.raises(ConfigError, match=r"binary\.toml is not UTF-8"):
        reading.load(binary, {})


def test_the_file_is_looked_for_in_the_documented_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, here = tmp_path / "named.toml", tmp_path / "turnserver.toml"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading, "PLACES", (Path("turnserver.toml"), tmp_path / "etc.toml"))
    assert reading.locate(None, {}) is None
    (tmp_path / "etc.toml").touch()
    assert reading.locate(None, {}) == tmp_path / "etc.toml"
    here.touch()
    assert reading.locate(None, {}) == Path("turnserver.toml")
    named.touch()
    assert reading.locate(None, {"TURNSERVER_CONFIG": str(named)}) == named
    assert reading.locate(here, {"TURNSERVER_CONFIG": str(named)}) == here


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current directory, which this user may not look into, not even as root."""
    directory = tmp_path / "closed"
    directory.mkdir()
    monkeypatch.chdir(directory)
    directory.chmod(0)
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    yield directory
    os.seteuid(before)
    directory.chmod(0o700)


def test_a_closed_current_directory_holds_no_file(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose place is not an accident is still an error."""
    monkeypatch.setattr(reading, "PLACES", (Path("turnserver.toml"),))
    assert reading.locate(None, {}) is None
    monkeypatch.setattr(reading, "PLACES", (closed / "etc.toml",))
    with pytest.raises(PermissionError):
        reading.locate(None, {})


def test_secrets_do_not_show(tmp_path: Path) -> None:
    hidden = "hunter2"
    text = f'[database]\nurl = "postgresql+psycopg://ada:{hidden}@localhost/turns"\n[outgoing]\npassword = "{hidden}"'
    settings = reading.load(written(tmp_path, text), {})
    assert settings.outgoing.password == hidden
    assert hidden not in repr(settings)
    assert hidden not in rich.pretty.pretty_repr(settings)
    with pytest.raises(ConfigError) as refused:
        reading.load(written(tmp_path, f'[database]\nurl = "postgres://ada:{hidden}@localhost/turns"'), {})
    assert hidden not in str(refused.value)
    # no room for the host in what is shown
    with pytest.raises(ConfigError) as refused:
        reading.load(written(tmp_path, f'[web]\nurl = "https://ada:{hidden}{"x" * 60}@example.org"'), {})
    assert 'not "https://***@example.org"' in str(refused.value)


def test_the_shipped_file_says_what_the_program_does() -> None:
    assert SHIPPED.read_text("utf-8") == handbook.annotated(), "run `make docs`"


def test_the_shipped_file_changes_nothing(tmp_path: Path) -> None:
    copy = written(tmp_path, SHIPPED.read_text("utf-8"))
    assert reading.load(copy, {}) == reading.load(written(tmp_path, ""), {})


def test_every_setting_is_in_the_shipped_file_with_its_default_and_a_comment() -> None:
    lines = SHIPPED.read_text("utf-8").splitlines()
    for setting in handbook.every_setting():
        start = lines.index(f"[{setting.section}]")
        line = next(number for number in range(start, len(lines)) if lines[number].startswith(f"{setting.key} = "))
        value: object = tomllib.loads(lines[line])[setting.key]
        assert value == json.loads(msgspec.json.encode(setting.default, enc_hook=str)), setting.name
        assert lines[line - 1].startswith("# "), setting.name
        assert lines[line - 2].startswith("# "), setting.name
        assert len(setting.doc.split()) > 1, setting.name
        assert setting.doc.endswith("."), setting.name


def test_every_mistake_is_found_at_once(tmp_path: Path) -> None:
    file = written(tmp_path, 'port = 25\n[outgoing]\nport = 0\nprot = 1\n[outgoin]\nport = 1\n[site]\nname = "Club"')
    found = reading.faults(file, {"TURNSERVER_PLAY__GRACE_HOURS": "soon"})
    named = [
        "The value port is",
        "outgoing.port must be",
        "no setting outgoing.prot",
        "no section [outgoin]",
        "PLAY__GRACE_HOURS must",
    ]
    assert [name for name, sentence in zip(named, found, strict=True) if name not in sentence] == []
    assert reading.faults(written(tmp_path, '[site]\nname = "Club"'), {}) == ()
    assert reading.faults(tmp_path / "none.toml", {}) == (f"There is no configuration file {tmp_path / 'none.toml'}.",)
