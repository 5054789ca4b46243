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

PLACES = (Path("turnserver.toml"), Path("/etc/turnserver/turnserver.toml"))
"""Where a configuration is looked for, in this order, when neither the caller nor `TURNSERVER_CONFIG` names one."""

_SQLITE = "sqlite:///"
_LINE = r"\A[^\r\n]*\Z"


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
    answers_per_day: Annotated[
        int, Meta(ge=0, le=10_000, description="How many automatic answers one address gets within a day, against mail loops.")
    ] = 10


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Defaults of new games."""

    days_per_move: Annotated[int, Meta(ge=1, le=90, description="Days for each turn, unless the game is opened with another number.")] = 3
    max_open_challenges: Annotated[int, Meta(ge=0, le=10_000, description="How many unanswered challenges a player may have out.")] = 10


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
    play: Play = Play()
    jobs: Jobs = Jobs()


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
        return f"TURNSERVER_{self.section}__{self.key}".upper()


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
    settings = msgspec.convert(values, Settings, dec_hook=_custom)
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
    """All settings in the order of the file."""
    return tuple(
        Setting(section.name, field.name, field.type, field.default, _meta(field.type).description or "", _may_be(field.type))
        for section in msgspec.structs.fields(Settings)
        for field in msgspec.structs.fields(section.type)
    )


def annotated() -> str:
    """The text of `config/turnserver.toml`: every setting at its default, with what it does and what it may be."""
    blocks = ["\n#\n".join(map(_comment, _PREFACE.split("\n\n")))]
    for section in msgspec.structs.fields(Settings):
        blocks.append(f"{_comment(inspect.cleandoc(section.type.__doc__))}\n[{section.name}]")
        blocks.extend(
            f"{_comment(setting.doc)}\n{_comment(_sentence(setting.may_be))}\n{setting.key} = {_toml(setting.default)}"
            for setting in every_setting()
            if setting.section == section.name
        )
    return "\n\n".join(blocks) + "\n"


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
    for given in chain(_from_file(file) if file else (), _from_environment(environ)):
        if isinstance(given, ConfigError):
            wrong.append(given)
            continue
        try:
            values.setdefault(given.section, {})[given.key] = _convert(given)
        except ConfigError as error:
            wrong.append(error)
    return values, wrong


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
        if section in sections and isinstance(keys, dict):
            yield from (_Given(str(path), f"{section}.{key}", section, key, value, text=False) for key, value in keys.items())
        elif isinstance(keys, dict):
            yield ConfigError(f"{path}: there is no section [{section}].{_suggestion(section, sections, '[{}]')}")
        else:
            homes = [section] if section in sections else [setting.section for setting in every_setting() if setting.key == section]
            hint = f" Is it meant for [{homes[0]}]?" if homes else ""
            yield ConfigError(f"{path}: the value {section} stands outside of the sections.{hint}")


def _from_environment(environ: Mapping[str, str]) -> Iterator[_Given | ConfigError]:
    near = {setting.variable.replace("__", "_"): setting.variable for setting in every_setting()}
    for variable, value in environ.items():
        section, between, key = variable.removeprefix("TURNSERVER_").partition("__")
        if not variable.startswith("TURNSERVER_"):
            continue
        if between:
            yield _Given("the environment", variable, section.lower(), key.lower(), value, text=True)
        elif variable in near:
            yield ConfigError(f"The environment has {variable}, which sets nothing. Did you mean {near[variable]}?")


def _convert(given: _Given) -> object:
    settings = {(setting.section, setting.key): setting for setting in every_setting()}
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


def _url(value: object) -> None:
    if not re.fullmatch(r"sqlite:///(?!:memory:)[^?]+|postgresql\+psycopg://.+", str(value)):
        raise ValueError("neither a file nor PostgreSQL")


def _anything(_value: object) -> None:
    """Accept what the type accepts."""


_CHECKS: Mapping[tuple[str, str], Callable[[object], None]] = {("site", "zone"): _zone, ("database", "url"): _url}


def _anchored(settings: Settings, base: Path) -> Settings:
    database, outgoing, incoming = settings.database, settings.outgoing, settings.incoming
    if database.url.startswith(_SQLITE):
        database = msgspec.structs.replace(database, url=f"{_SQLITE}{base / database.url.removeprefix(_SQLITE)}")
    if incoming.maildir:
        incoming = msgspec.structs.replace(incoming, maildir=str(base / incoming.maildir))
    outgoing = msgspec.structs.replace(outgoing, maildir=base / outgoing.maildir)
    return msgspec.structs.replace(settings, database=database, outgoing=outgoing, incoming=incoming)


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
