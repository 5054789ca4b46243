"""Settings: a TOML file overlaid by `TURNSERVER_<SECTION>__<KEY>` variables, as frozen values.

Every setting says here what it does and what it may be. The error messages and `config/turnserver.toml` are made from that;
`python -m turnserver.config` prints the file.
"""

import difflib
import inspect
import json
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeAlias, get_args
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from turnserver.errors import ConfigError
from turnserver.resources import languages_dir

PLACES = (Path("turnserver.toml"), Path("/etc/turnserver/turnserver.toml"))
"""Where a configuration is looked for, in this order, when neither the caller nor `TURNSERVER_CONFIG` names one."""

_SQLITE = "sqlite:///"
_LINE = r"\A[^\r\n]*\Z"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
SELECTOR = rf"{_LABEL}(\.{_LABEL})*"
"""What a DKIM selector looks like: labels of DNS with dots between them (RFC 6376, 3.1)."""


_ACCOUNT = re.compile(r"[a-z0-9]{1,30}")
_SECRET = {"secret": True}

Seconds: TypeAlias = Annotated[float, Meta(gt=0, le=86_400)]


def _shown(section: msgspec.Struct) -> list[tuple[str, object]]:
    """The fields of a section as they may reach a log line or a terminal."""
    values = [(field, getattr(section, field.name)) for field in msgspec.structs.fields(section)]
    return [(field.name, "(secret)" if value and _meta(field.type).extra == _SECRET else value) for field, value in values]


def _discreet(section: msgspec.Struct) -> str:
    return f"{type(section).__name__}({', '.join(f'{name}={value!r}' for name, value in _shown(section))})"


class Site(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who we are to players."""

    name: Annotated[str, Meta(min_length=1, pattern=_LINE, title="one line of text", description="The name that mails come from.")] = (
        "turnserver"
    )
    address: Annotated[
        str,
        Meta(
            pattern=r"\A[^@+\s<>\"]{1,14}@[^@\s<>\"]+\Z",
            title="a mail address with at most 14 characters and no + before the @, such as turns@example.org",
            description="The mailbox of the service. Players answer to it with a token behind a +, so the mail system must deliver"
            " turns+anything@example.org like turns@example.org.",
        ),
    ] = "turns@localhost"
    admin: Annotated[
        str,
        Meta(
            pattern=r"\A([^@\s<>\"]+@[^@\s<>\"]+)?\Z",
            title="a mail address, or nothing",
            description="Where players find a human; stands at the foot of help and error mails.",
        ),
    ] = ""
    zone: Annotated[
        str,
        Meta(title="a time zone such as Europe/Berlin", description="The time zone of players who have not named theirs."),
    ] = "UTC"
    language: Annotated[
        str,
        Meta(
            title="a language that there is, such as en or de",
            description="The language of mails to players who have not chosen theirs, and to strangers.",
        ),
    ] = "en"
    registration: Annotated[
        Literal["closed", "open"],
        Meta(
            description="Whether only an admin makes accounts, or anybody can have one who writes `join` and a name,"
            " and answers the mail that asks whether it was really him."
        ),
    ] = "closed"

    @property
    def domain(self) -> str:
        """What stands behind the @ of every address of ours."""
        return self.address.rpartition("@")[2]


class DatabaseSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the log lives."""

    __repr__, __rich_repr__ = _discreet, _shown

    url: Annotated[
        str,
        Meta(
            extra=_SECRET,
            title="a file, as sqlite:///path, or PostgreSQL, as postgresql+psycopg://user:password@host/database",
            description="The database. A file serves a club with one process; PostgreSQL serves several processes.",
        ),
    ] = "sqlite:///turnserver.db"
    busy_timeout_seconds: Annotated[Seconds, Meta(description="How long to wait for another process to let go of the database.")] = 5.0


class Outgoing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How mail leaves."""

    __repr__, __rich_repr__ = _discreet, _shown

    transport: Annotated[
        Literal["smtp", "maildir"],
        Meta(description="Hand mail to a server, or put it into a maildir for another program to send."),
    ] = "smtp"
    host: Annotated[str, Meta(min_length=1, pattern=_LINE, title="a host name or address", description="The SMTP server.")] = "localhost"
    port: Annotated[int, Meta(ge=1, le=65_535, description="Its port: 25 as a rule, 587 with starttls, 465 with tls.")] = 25
    security: Annotated[
        Literal["none", "starttls", "tls"],
        Meta(description="How the connection is encrypted; none is for a server on the same machine."),
    ] = "none"
    username: Annotated[str, Meta(description="The login, if the server wants one.")] = ""
    password: Annotated[str, Meta(extra=_SECRET, description="Its password; TURNSERVER_OUTGOING__PASSWORD keeps it out of this file.")] = ""
    timeout_seconds: Annotated[Seconds, Meta(description="How long to wait for each answer of the server.")] = 30.0
    maildir: Annotated[Path, Meta(description="The maildir, for the transport of that name; made when missing.")] = Path("outgoing")
    lease_seconds: Annotated[
        int, Meta(ge=10, le=86_400, description="How long a process may take to send a mail before another one tries.")
    ] = 120
    retry_seconds: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=2_592_000)], ...],
        Meta(description="How long to wait after each failure; a mail that fails once more after the last is dead."),
    ] = (60, 300, 1800, 7200, 21600, 43200, 86400)
    batch: Annotated[int, Meta(ge=1, le=10_000, description="How many mails are claimed at once.")] = 50


class Incoming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How mail arrives."""

    lmtp_host: Annotated[
        str,
        Meta(
            min_length=1,
            pattern=_LINE,
            title="a host name or address",
            description="Where the LMTP listener is bound; whoever reaches it can post mail under any name.",
        ),
    ] = "127.0.0.1"
    lmtp_port: Annotated[int, Meta(ge=0, le=65_535, description="Its port; 0 takes a free one.")] = 8024
    maildir: Annotated[str, Meta(title="a path, or nothing", description="A maildir to collect mail from, besides LMTP.")] = ""
    max_bytes: Annotated[int, Meta(ge=10_000, le=100_000_000, description="The size in bytes above which a mail is not taken.")] = 1_000_000
    max_attempts: Annotated[
        int, Meta(ge=1, le=100, description="How often a mail whose handling breaks down is tried before it waits for an admin.")
    ] = 5
    sender_policy: Annotated[
        Literal["off", "warn", "require"],
        Meta(
            description="What to do with a valid token that comes from another address than the player's:"
            " accept it, accept it and tell the player, or refuse it. Unless off, a token from another player's address is always refused."
        ),
    ] = "warn"
    authserv_id: Annotated[
        str,
        Meta(
            pattern=r"\A[^\s;\"()]*\Z",
            title="a name such as mx.example.org, or nothing to trust no such header",
            description="The name under which your own mail server writes Authentication-Results into each mail."
            " It must remove those that come with its name already.",
        ),
    ] = ""
    authentication: Annotated[
        Literal["off", "warn", "require"],
        Meta(
            description="What to do with a valid token in a mail of which that header does not prove, by DMARC or by aligned DKIM or SPF,"
            " that it comes from the domain in its From line: accept it, accept it and tell the player, or refuse it."
        ),
    ] = "off"
    answers_per_day: Annotated[
        int, Meta(ge=0, le=10_000, description="How many automatic answers one address gets within a day, against mail loops.")
    ] = 10
    mails_per_hour: Annotated[
        int,
        Meta(
            ge=1,
            le=100_000,
            description="How many mails of one sender are looked at within an hour. What comes above that is kept and counted as refused.",
        ),
    ] = 100


class Dkim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How outgoing mail is signed (DKIM, RFC 6376), so that others see that it is ours."""

    domain: Annotated[
        str,
        Meta(
            pattern=r"\A([A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*)?\Z",
            title="a domain, or nothing for the domain of site.address",
            description="The domain that signs.",
        ),
    ] = ""
    key_files: Annotated[
        tuple[Path, ...],
        Meta(
            title="a list of different files, each named after its selector, such as s1.pem",
            description="The private keys, RSA or Ed25519; `turnserver mail dkim-key` makes them. Every mail is signed by each of them;"
            " without keys, none is signed.",
        ),
    ] = ()


Folder: TypeAlias = Annotated[str, Meta(min_length=1, pattern=_LINE)]


class ImapAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mailbox that mail is fetched from over IMAP.

    There may be any number of such sections, each with a name of lower-case letters and digits in the place of `club`, and
    TURNSERVER_IMAP__CLUB__PASSWORD sets the password of this one. Mail that lies in a mailbox when it is first read is left alone.
    """

    __repr__, __rich_repr__ = _discreet, _shown

    host: Annotated[
        str,
        Meta(min_length=1, pattern=_LINE, title="a host name or address", description="The IMAP server.", examples=["imap.example.org"]),
    ]
    username: Annotated[
        str, Meta(min_length=1, pattern=_LINE, title="one line of text", description="The login.", examples=["turns@example.org"])
    ]
    password: Annotated[
        str,
        Meta(
            min_length=1,
            pattern=_LINE,
            extra=_SECRET,
            title="one line of text",
            description="Its password; the variable named above keeps it out of this file.",
            examples=["..."],
        ),
    ]
    port: Annotated[int, Meta(ge=1, le=65_535, description="The server's port: 993 with tls, 143 as a rule with starttls and none.")] = 993
    security: Annotated[
        Literal["tls", "starttls", "none"],
        Meta(description="How the connection is encrypted; none is for a server on the same machine."),
    ] = "tls"
    folders: Annotated[
        tuple[Folder, ...],
        Meta(
            min_length=1,
            title="a list of at least one folder",
            description="The folders that mail arrives in; name the one for spam too if you want nothing to be missed."
            " The first is watched all the time where the server offers that.",
        ),
    ] = ("INBOX",)
    move_to: Annotated[
        str,
        Meta(
            pattern=_LINE,
            title="a folder that is not in the list above, or nothing",
            description="Where a mail is moved once it is stored; made when missing. With nothing, it stays where it is, marked as read.",
        ),
    ] = ""
    idle: Annotated[bool, Meta(description="Whether to let the server tell of new mail at once (IDLE), if it can.")] = True
    poll_seconds: Annotated[
        float, Meta(gt=0, le=1_740, description="Seconds between two looks into the folders, whatever the server tells in between.")
    ] = 60.0
    timeout_seconds: Annotated[Seconds, Meta(description="How long to wait for each answer of the server.")] = 30.0


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The page where people unsubscribe with one touch (RFC 8058), served behind a web server that speaks HTTPS; off without a url."""

    url: Annotated[
        str,
        Meta(
            pattern=r"\A(https://[^\s<>,?#\"]+)?\Z",
            title="an https address without ? and #, or nothing",
            description="Where the web server passes requests on to us from, such as https://example.org/turns; it stands in every mail.",
        ),
    ] = ""
    host: Annotated[
        str,
        Meta(
            min_length=1,
            pattern=_LINE,
            title="a host name or address",
            description="Where the page is bound; only the web server needs to reach it.",
        ),
    ] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535, description="Its port; 0 takes a free one.")] = 8026


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Defaults of new games, and what holds in all of them."""

    time: Annotated[
        str,
        Meta(
            min_length=1,
            pattern=_LINE,
            title="a time control",
            description="The time for a game, unless it is opened with another one, as in `turnserver game open --time`.",
        ),
    ] = "5d+36h cap 10d"
    reminders: Annotated[
        tuple[
            Annotated[
                str, Meta(pattern=r"^([1-9][0-9]?%|[1-9][0-9]{0,2}h)$", title="a part of the time such as 50%, or hours such as 24h")
            ],
            ...,
        ],
        Meta(max_length=9, description="When to remind of a turn: when a part of its time has passed (50%), or before its end (24h)."),
    ] = ("50%", "80%", "24h", "4h")
    grace_hours: Annotated[int, Meta(ge=0, le=720, description="Hours that a player gets once a game when his time is up; 0 for none.")] = (
        24
    )
    when_late: Annotated[
        Literal["loss", "skip", "house", "substitute"],
        Meta(
            description="What becomes of a turn whose time is up. A game of two is lost. In a larger one the player loses his seat,"
            " or the turn is skipped, or played by the house, or the seat waits for a substitute."
        ),
    ] = "loss"
    void_turns: Annotated[
        int, Meta(ge=0, le=100, description="A game that ends on time is void if one side has completed fewer turns than this.")
    ] = 1
    reopen_hours: Annotated[
        int, Meta(ge=0, le=720, description="For how many hours the winner on time may offer to take the game up again; 0 for never.")
    ] = 48
    vacation_days: Annotated[int, Meta(ge=0, le=366, description="Days of vacation that a player has a year.")] = 30
    vacation_days_a_game: Annotated[
        int, Meta(ge=0, le=3660, description="Days of vacation that may stop a player's clock in one game.")
    ] = 60
    pause_days: Annotated[int, Meta(ge=0, le=366, description="The longest pause, in days, that players may agree on; 0 for none.")] = 60
    correction_minutes: Annotated[
        int, Meta(ge=0, le=1_440, description="Minutes in which a turn may be corrected before the others are told of it; 0 for none.")
    ] = 10
    draw_turns: Annotated[int, Meta(ge=1, le=1_000, description="After how many turns of the game a player may offer a draw again.")] = 10
    max_open_challenges: Annotated[int, Meta(ge=0, le=10_000, description="How many unanswered challenges a player may have out.")] = 10
    undelivered: Annotated[
        Literal["wait", "count"],
        Meta(
            description="What a player's clock does while the mail that tells him of his turn cannot be delivered:"
            " he gets that time back before he can lose on time, or it counts like any other."
        ),
    ] = "wait"
    max_undelivered_days: Annotated[
        int,
        Meta(ge=1, le=3650, description="After how many days of such waiting in one turn site.admin is told; the game waits on."),
    ] = 30


class Jobs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ticks how often."""

    send_seconds: Annotated[Seconds, Meta(description="Seconds between two looks at the outbox.")] = 5.0
    read_seconds: Annotated[Seconds, Meta(description="Seconds between two looks at the inbox.")] = 5.0
    sweep_seconds: Annotated[Seconds, Meta(description="Seconds between two looks for deadlines that have passed.")] = 15.0
    outage_minutes: Annotated[
        int, Meta(ge=1, le=10_080, description="After how many minutes without a sweep the time is given back to the players.")
    ] = 30


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be configured."""

    site: Site = Site()
    database: DatabaseSettings = DatabaseSettings()
    outgoing: Outgoing = Outgoing()
    incoming: Incoming = Incoming()
    dkim: Dkim = Dkim()
    web: Web = Web()
    play: Play = Play()
    jobs: Jobs = Jobs()
    imap: dict[str, ImapAccount] = {}

    @property
    def signing_domain(self) -> str:
        """The domain that signs mails."""
        return self.dkim.domain or self.site.domain


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it is documented: what it does, and what it `may_be` as a phrase."""

    section: str
    key: str
    type: object
    default: object
    doc: str
    may_be: str

    @property
    def name(self) -> str:
        """How messages call it: `outgoing.port`."""
        return f"{self.section}.{self.key}"

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return f"TURNSERVER_{self.section}__{self.key}".upper().replace(".", "__")


class _Given(NamedTuple):
    """A value that somebody wrote: `source` and `name` say where. In the environment everything is text."""

    source: str
    name: str
    section: str
    key: str
    value: object
    text: bool


def load(path: Path | None, environ: Mapping[str, str]) -> Settings:
    """Read the file at `path`, or the one that `locate` finds, and overlay the variables in `environ`.

    Relative paths, wherever they are written, are relative to the directory of the file, or to the working directory if there is no file;
    the paths in the result are absolute. Raises ConfigError naming the file or variable, the setting and what it may be.
    """
    file = locate(path, environ)
    values, wrong = _gathered(file, environ)
    if wrong:
        raise wrong[0]
    settings = msgspec.convert(_nested(values), Settings, dec_hook=_custom)
    return _anchored(settings, (file.parent if file else Path()).absolute())


def faults(path: Path | None, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Everything that `load` would object to, a sentence each; nothing if it would not."""
    try:
        file = locate(path, environ)
    except ConfigError as error:
        return (str(error),)
    return tuple(map(str, _gathered(file, environ)[1]))


def locate(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """The file in use: `path`, else what `TURNSERVER_CONFIG` names, else the first of PLACES that exists, else None.

    Raises ConfigError when a file that was named is not there.
    """
    named = path or (Path(environ["TURNSERVER_CONFIG"]) if environ.get("TURNSERVER_CONFIG") else None)
    if named is None:
        return next((place for place in PLACES if place.is_file()), None)
    if not named.is_file():
        origin = "" if path else "; TURNSERVER_CONFIG names it"
        raise ConfigError(f"There is no configuration file {named}{origin}.")
    return named


def every_setting() -> tuple[Setting, ...]:
    """All settings in the order of the file, less those of sections with a name of one's own."""
    return tuple(setting for section in _sections() for setting in _settings(section.name, section.type))


def account_settings(name: str) -> tuple[Setting, ...]:
    """The settings of the section [imap.name] in the order of the file; the default is NODEFAULT where one has to be given."""
    return _settings(f"imap.{name}", ImapAccount)


def annotated() -> str:
    """The text of `config/turnserver.toml`: every setting at its default, with what it does and what it may be."""
    blocks = ["\n#\n".join(map(_comment, _PREFACE.split("\n\n")))]
    for section in _sections():
        blocks.append(f"{_comment(inspect.cleandoc(section.type.__doc__))}\n[{section.name}]")
        blocks.extend(
            f"{_described(setting)}\n{setting.key} = {_toml(setting.default)}" for setting in _settings(section.name, section.type)
        )
    blocks.append("\n#\n".join(map(_comment, inspect.cleandoc(ImapAccount.__doc__ or "").split("\n\n"))) + "\n# [imap.club]")
    blocks.extend(f"{_described(setting)}\n# {setting.key} = {_toml(_example(setting))}" for setting in account_settings("club"))
    return "\n\n".join(blocks) + "\n"


def _sections() -> tuple[msgspec.structs.FieldInfo, ...]:
    return tuple(section for section in msgspec.structs.fields(Settings) if section.name != "imap")


def _settings(section: str, kind: type[msgspec.Struct]) -> tuple[Setting, ...]:
    return tuple(
        Setting(section, field.name, field.type, field.default, _meta(field.type).description or "", _may_be(field.type))
        for field in msgspec.structs.fields(kind)
    )


def _described(setting: Setting) -> str:
    return f"{_comment(setting.doc)}\n{_comment(_sentence(setting.may_be))}"


def _example(setting: Setting) -> object:
    """What the setting of an account is by default, or might be."""
    examples = _meta(setting.type).examples
    return examples[0] if examples else setting.default


_PREFACE = """\
The configuration of turnserver. Every setting stands here at its default; a file needs only what differs.

The file in use is the one named by --config, else by TURNSERVER_CONFIG, else ./turnserver.toml, else /etc/turnserver/turnserver.toml. \
Without any, the defaults hold.

A variable TURNSERVER_<SECTION>__<KEY> in the environment overrides the file: TURNSERVER_OUTGOING__PORT=587. \
Lists are written with commas: TURNSERVER_OUTGOING__RETRY_SECONDS=60,300.

Relative paths, wherever they are written, are relative to the directory of the file in use."""


def _gathered(file: Path | None, environ: Mapping[str, str]) -> tuple[dict[str, dict[str, object]], list[ConfigError]]:
    """What holds, by section and key, and what is wrong."""
    values: dict[str, dict[str, object]] = {}
    wrong: list[ConfigError] = []
    sources: dict[str, str] = {}
    for given in chain(_from_file(file) if file else (), _from_environment(environ)):
        if isinstance(given, ConfigError):
            wrong.append(given)
            continue
        sources.setdefault(given.section, given.source)
        try:
            values.setdefault(given.section, {})[given.key] = _convert(given)
        except ConfigError as error:
            values.setdefault(given.section, {}).setdefault(given.key, None)
            wrong.append(error)
    wrong += (error for section, source in sources.items() if "." in section for error in _incomplete(source, section, values[section]))
    incoming = values.get("incoming", {})
    if incoming.get("authentication", "off") not in ("off", None) and not incoming.get("authserv_id"):
        source = file or "The environment"
        wrong.append(ConfigError(f"{source}: incoming.authentication needs incoming.authserv_id, the name of the server that you trust."))
    return values, wrong


def _incomplete(source: str, section: str, account: Mapping[str, object]) -> Iterator[ConfigError]:
    """What is wrong with an account as a whole, which was first mentioned in `source`."""
    source = _capital(source)
    for setting in account_settings(section.partition(".")[2]):
        if setting.default is msgspec.NODEFAULT and setting.key not in account:
            yield ConfigError(f"{source}: {setting.name} must be given: {setting.may_be}.")
    folders = account.get("folders", ("INBOX",))
    if isinstance(folders, tuple) and str(account.get("move_to")).upper() in map(str.upper, folders):
        yield ConfigError(f"{source}: {section}.move_to must not be among {section}.folders, or mail would be fetched for ever.")


def _nested(values: Mapping[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """Sections with a name of one's own as they stand in Settings."""
    plain = {section: keys for section, keys in values.items() if "." not in section}
    return {**plain, "imap": {section.partition(".")[2]: keys for section, keys in values.items() if "." in section}}


def _from_file(path: Path) -> Iterator[_Given | ConfigError]:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        yield ConfigError(f"{path} cannot be read: {error.strerror}.")
        return
    except UnicodeDecodeError:
        yield ConfigError(f"{path} is not UTF-8 text.")
        return
    except tomllib.TOMLDecodeError as error:
        yield ConfigError(f"{path} is not valid TOML: {error}.")
        return
    sections = {field.name for field in msgspec.structs.fields(Settings)}
    for section, keys in content.items():
        if section == "imap" and isinstance(keys, dict):
            yield from _from_accounts(str(path), keys)
        elif section in sections and isinstance(keys, dict):
            yield from (_Given(str(path), f"{section}.{key}", section, key, value, text=False) for key, value in keys.items())
        elif isinstance(keys, dict):
            yield ConfigError(f"{path}: there is no section [{section}].{_suggestion(section, sections, '[{}]')}")
        else:
            homes = [section] if section in sections else [setting.section for setting in every_setting() if setting.key == section]
            hint = f" Is it meant for [{homes[0]}]?" if homes else ""
            yield ConfigError(f"{path}: the value {section} stands outside of the sections.{hint}")


def _from_accounts(path: str, accounts: Mapping[str, object]) -> Iterator[_Given | ConfigError]:
    for name, keys in accounts.items():
        if not isinstance(keys, dict):
            yield ConfigError(f"{path}: the value imap.{name} stands outside of the accounts. Write a section like [imap.club] above it.")
        elif not _ACCOUNT.fullmatch(name):
            yield ConfigError(f"{path}: [imap.{name}] must be named with lower-case letters and digits.")
        else:
            yield from (_Given(path, f"imap.{name}.{key}", f"imap.{name}", key, value, text=False) for key, value in keys.items())


def _from_environment(environ: Mapping[str, str]) -> Iterator[_Given | ConfigError]:
    near = {setting.variable.replace("__", "_"): setting.variable for setting in every_setting()}
    for variable, value in environ.items():
        section, between, key = variable.removeprefix("TURNSERVER_").partition("__")
        if not variable.startswith("TURNSERVER_"):
            continue
        if section == "IMAP" and "__" in key:
            account, _, key = key.partition("__")
            section = f"{section}.{account}"
        if between:
            yield _Given("the environment", variable, section.lower(), key.lower(), value, text=True)
        elif variable in near:
            yield ConfigError(f"The environment has {variable}, which sets nothing. Did you mean {near[variable]}?")


def _convert(given: _Given) -> object:
    account = given.section.partition(".")[2]
    known = (*every_setting(), *(account_settings(account) if account else ()))
    settings = {(setting.section, setting.key): setting for setting in known}
    setting = settings.get((given.section, given.key))
    if setting is None:
        names = [each.variable if given.text else each.name for each in settings.values()]
        raise ConfigError(f"{_capital(given.source)}: there is no setting {given.name}.{_suggestion(given.name, names)}")
    value = given.value
    if isinstance(value, str) and given.text and isinstance(setting.default, tuple):
        value = [part.strip() for part in value.split(",") if part.strip()]
    try:
        converted: object = msgspec.convert(value, setting.type, strict=not given.text, dec_hook=_custom)
        _CHECKS.get((given.section, given.key), _anything)(converted)
    except ValueError as error:
        shown = "" if _meta(setting.type).extra == _SECRET else f", not {_toml(given.value)}"
        raise ConfigError(f"{_capital(given.source)}: {given.name} must be {setting.may_be}{shown}.") from error
    return converted


def _custom(kind: type, value: object) -> object:
    if isinstance(value, kind):
        return value
    if not isinstance(value, str):
        raise ValueError("text expected")  # noqa: TRY004  # msgspec reports a ValueError like every other mistake in a value
    made: object = kind(value)
    return made


def _zone(value: object) -> None:
    try:
        ZoneInfo(str(value))
    except (KeyError, OSError) as error:
        raise ValueError("unknown zone") from error


def _language(value: object) -> None:
    if str(value) != "en" and not (languages_dir() / str(value) / "language.toml").is_file():
        raise ValueError("no such language")


def _url(value: object) -> None:
    if not re.fullmatch(r"sqlite:///(?!:memory:)[^?]+|postgresql\+psycopg://.+", str(value)):
        raise ValueError("neither a file nor PostgreSQL")


def _anything(_value: object) -> None:
    """Accept what the type accepts."""


def _selectors(value: object) -> None:
    paths = [path for path in value if isinstance(path, Path)] if isinstance(value, tuple) else []
    if not all(re.fullmatch(SELECTOR, path.stem) for path in paths) or len({path.stem.lower() for path in paths}) < len(paths):
        raise ValueError("no selectors, or one twice")


_CHECKS: Mapping[tuple[str, str], Callable[[object], None]] = {
    ("site", "zone"): _zone,
    ("site", "language"): _language,
    ("database", "url"): _url,
    ("dkim", "key_files"): _selectors,
}


def _anchored(settings: Settings, base: Path) -> Settings:
    database, outgoing, incoming = settings.database, settings.outgoing, settings.incoming
    if database.url.startswith(_SQLITE):
        database = msgspec.structs.replace(database, url=f"{_SQLITE}{base / database.url.removeprefix(_SQLITE)}")
    if incoming.maildir:
        incoming = msgspec.structs.replace(incoming, maildir=str(base / incoming.maildir))
    outgoing = msgspec.structs.replace(outgoing, maildir=base / outgoing.maildir)
    dkim = msgspec.structs.replace(settings.dkim, key_files=tuple(base / path for path in settings.dkim.key_files))
    return msgspec.structs.replace(settings, database=database, outgoing=outgoing, incoming=incoming, dkim=dkim)


def _meta(kind: object) -> Meta:
    """The last Meta of an annotated type: the one that belongs to the setting rather than to a type that several share."""
    found = [each for each in getattr(kind, "__metadata__", ()) if isinstance(each, Meta)]
    return found[-1] if found else Meta()


def _may_be(kind: object) -> str:
    return _meta(kind).title or _phrase(msgspec.inspect.type_info(kind), get_args(get_args(kind)[0]))


def _phrase(info: msgspec.inspect.Type, choices: Sequence[object]) -> str:
    match info:
        case msgspec.inspect.Metadata():
            phrase = _phrase(info.type, choices)
        case msgspec.inspect.IntType():
            phrase = f"a whole number from {info.ge} to {info.le}"
        case msgspec.inspect.FloatType():
            phrase = f"a number above {info.gt} and up to {info.le}"
        case msgspec.inspect.BoolType():
            phrase = "true or false"
        case msgspec.inspect.LiteralType():
            phrase = "one of " + ", ".join(map(_toml, choices))
        case msgspec.inspect.VarTupleType():
            phrase = f"a list; each item is {_phrase(info.item_type, ())}"
        case msgspec.inspect.CustomType(cls=cls) if cls is Path:
            phrase = "a path"
        case _:
            phrase = "text"
    return phrase


def _suggestion(word: str, known: Iterable[str], pattern: str = "{}") -> str:
    close = difflib.get_close_matches(word, sorted(known), n=1)
    return f" Did you mean {pattern.format(close[0])}?" if close else ""


def _toml(value: object) -> str:
    if isinstance(value, str | Path):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f"{value:_}" if isinstance(value, int) and value >= 1_000_000 else str(value)


def _comment(text: str) -> str:
    return textwrap.fill(text, 100, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False)


def _capital(text: str) -> str:
    return text if "/" in text or "." in text else text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


if __name__ == "__main__":
    sys.stdout.write(annotated())
