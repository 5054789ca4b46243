"""Reading the settings: a TOML file, overlaid by `TURNSERVER_<SECTION>__<KEY>` variables, becomes Settings or a list of errors."""

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from ipaddress import ip_address, ip_network
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec

from turnserver import files
from turnserver.addresses import LITERAL, same_box
from turnserver.config import SECRET, SELECTOR, Settings, meta
from turnserver.config.handbook import Setting, account_settings, every_setting, shown
from turnserver.errors import BadOption, ConfigError, MalformedProof
from turnserver.resources import languages_dir
from turnserver.text import capitalised

PLACES = (Path("turnserver.toml"), Path("/etc/turnserver/turnserver.toml"))
"""The places of a configuration, in this order, when neither the caller nor `TURNSERVER_CONFIG` names one."""

_SQLITE = "sqlite:///"
_ACCOUNT = re.compile(r"[a-z0-9]{1,30}")
_LONGEST_HOST = 253
_USER = re.compile(r"(?<=//)[^/@]*(?=@)")
# labels with dots between them, the last of which is not only digits: that would be an address with a mistake in it
_HOST = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*(?![0-9]+\.?\Z)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.?")


class _Given(NamedTuple):
    """A value that somebody wrote: `source` and `name` say where. `text` is true for the environment, where everything is text."""

    source: str
    name: str
    section: str
    key: str
    value: object
    text: bool


def load(path: Path | None, environ: Mapping[str, str]) -> Settings:
    """Read the file at `path`, or the one that `locate` finds, and overlay the variables in `environ`.

    Relative paths, wherever they are written, are relative to the directory of the file, or to the working directory if there is no file;
    the paths in the result are absolute. Raises ConfigError naming the file or variable, the setting, and its possible values.
    """
    settings, wrong = _read(locate(path, environ), environ)
    if settings is None:
        raise wrong[0]
    return settings


def faults(path: Path | None, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return every objection of `load`, a sentence each. Empty if the settings are good."""
    try:
        file = locate(path, environ)
    except ConfigError as error:
        return (str(error),)
    return tuple(map(str, _read(file, environ)[1]))


def locate(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """Return the file in use: `path`, else the one that `TURNSERVER_CONFIG` names, else the first of PLACES that exists, else None.

    Raises ConfigError when a file that was named is not there.
    """
    named = path or (Path(environ["TURNSERVER_CONFIG"]) if environ.get("TURNSERVER_CONFIG") else None)
    if named is None:
        return next((place for place in PLACES if _lies(place)), None)
    if not named.is_file():
        origin = "" if path else "; TURNSERVER_CONFIG names it"
        raise ConfigError(f"There is no configuration file {named}{origin}.")
    return named


def passwords(path: Path) -> list[str]:
    """Return the names of the settings that hold a password in a configuration file without faults."""
    given = [one for one in _from_file(path) if isinstance(one, _Given)]
    secret = [one for one in given if (setting := _setting_of(one)) and meta(setting.type).extra == SECRET]
    # the address of a database is secret as a whole, for the password that it may have in it
    return [one.name for one in secret if one.value and (one.section != "database" or urlsplit(str(one.value)).password)]


def read_toml(path: Path) -> dict[str, Any]:
    """Return what is in a TOML file. Raises ConfigError naming the file and, for a mistake in it, the line."""
    try:
        return tomllib.loads(files.read_text(path))
    except OSError as error:
        raise ConfigError(f"The file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"The file {path} is not UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"The file {path} is not valid TOML: {error}.") from error


def _lies(place: Path) -> bool:
    try:
        return place.is_file()
    except PermissionError:
        # An admin stands in their home directory, which is closed to the service, and runs a command as its user.
        if place.is_absolute():
            raise
        return False


def _read(file: Path | None, environ: Mapping[str, str]) -> tuple[Settings | None, list[ConfigError]]:
    """Return the settings, with absolute paths, or all errors."""
    values, wrong = _gathered(file, environ)
    if wrong:
        return None, wrong
    base = (file.parent if file else Path()).absolute()
    settings = _anchored(msgspec.convert(_nested(values), Settings, dec_hook=_custom), base)
    wrong = [ConfigError(f"{file or 'The environment'}: {said}") for said in _at_odds(settings, base)]
    return None if wrong else settings, wrong


def _gathered(file: Path | None, environ: Mapping[str, str]) -> tuple[dict[str, dict[str, object]], list[ConfigError]]:
    """Return the values that hold, by section and key, and all errors."""
    values: dict[str, dict[str, object]] = {}
    wrong: list[ConfigError] = []
    sources: dict[str, str] = {}
    # The environment comes last, so its values take the place of those in the file.
    for given in chain(_from_file(file) if file else (), _from_environment(environ)):
        if isinstance(given, ConfigError):
            wrong.append(given)
            continue
        # Where an account lacks something, the error names the place that mentioned it first.
        sources.setdefault(given.section, given.source)
        try:
            values.setdefault(given.section, {})[given.key] = _convert(given)
        except ConfigError as error:
            # one error is enough: without the key, an account would be said to lack it as well
            values.setdefault(given.section, {}).setdefault(given.key, None)
            wrong.append(error)
    wrong += (error for section, source in sources.items() if "." in section for error in _incomplete(source, section, values[section]))
    return values, wrong


def _incomplete(source: str, section: str, account: Mapping[str, object]) -> Iterator[ConfigError]:
    """Yield the errors of an account as a whole, which was first mentioned in `source`."""
    source = _capital(source)
    for setting in account_settings(section.partition(".")[2]):
        if setting.default is msgspec.NODEFAULT and setting.key not in account:
            yield ConfigError(f"{source}: The setting {setting.name} must be given: {setting.may_be}.")
    folders = account.get("folders", ("INBOX",))
    if isinstance(folders, tuple) and str(account.get("move_to")).upper() in map(str.upper, folders):
        yield ConfigError(
            f"{source}: The setting {section}.move_to must not be among {section}.folders, or mail would be fetched for ever."
        )


def _at_odds(settings: Settings, base: Path) -> Iterator[str]:
    """Yield the errors of settings that are good by themselves and do not go together."""
    site, incoming, outgoing = settings.site, settings.incoming, settings.outgoing
    # a header that anybody can write proves nothing without the name of its writer
    if incoming.authentication != "off" and not incoming.authserv_id:
        yield "The setting incoming.authentication needs incoming.authserv_id, the name of the server that you trust."
    if site.admin and same_box(site.admin, site.address):
        yield f"The setting site.admin must be another mailbox than site.address: mail to {site.admin} comes back to the service."
    if outgoing.transport == "maildir":
        out = os.path.realpath(outgoing.maildir)
        if out == os.path.realpath(base):
            yield f"The setting outgoing.maildir must be a maildir of its own for the transport maildir, not {base} itself."
        if incoming.maildir and os.path.realpath(incoming.maildir) == out:
            yield (
                f"The settings incoming.maildir and outgoing.maildir must be two maildirs, not both {outgoing.maildir}:"
                " the service would read its own mails."
            )


def _nested(values: Mapping[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    plain = {section: keys for section, keys in values.items() if "." not in section}
    return {**plain, "imap": {section.partition(".")[2]: keys for section, keys in values.items() if "." in section}}


def _from_file(path: Path) -> Iterator[_Given | ConfigError]:
    try:
        content = read_toml(path)
    except ConfigError as error:
        yield error
        return
    sections = {field.name for field in msgspec.structs.fields(Settings)}
    for section, keys in content.items():
        if section == "imap" and isinstance(keys, dict):
            yield from _from_accounts(str(path), keys)
        elif section in sections and isinstance(keys, dict):
            yield from (_Given(str(path), f"{section}.{key}", section, key, value, text=False) for key, value in keys.items())
        elif isinstance(keys, dict):
            yield ConfigError(f"{path}: There is no section [{section}].{_suggestion(section, sections, '[{}]')}")
        else:
            # a key that stands above the first section, or a section that was written as a value
            homes = [section] if section in sections else [setting.section for setting in every_setting() if setting.key == section]
            hint = f" Is it meant for [{homes[0]}]?" if homes else ""
            yield ConfigError(f"{path}: The value {section} is outside of all sections.{hint}")


def _from_accounts(path: str, accounts: Mapping[str, object]) -> Iterator[_Given | ConfigError]:
    for name, keys in accounts.items():
        if not isinstance(keys, dict):
            yield ConfigError(f"{path}: The value imap.{name} is outside of all accounts. Write a section like [imap.club] above it.")
        elif not _ACCOUNT.fullmatch(name):
            yield ConfigError(f"{path}: [imap.{name}] must be named with lower-case letters and digits.")
        else:
            yield from (_Given(path, f"imap.{name}.{key}", f"imap.{name}", key, value, text=False) for key, value in keys.items())


def _from_environment(environ: Mapping[str, str]) -> Iterator[_Given | ConfigError]:
    # one underscore instead of two is an easy mistake, and would silently set nothing; other variables may be another program's
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


def _known(given: _Given) -> tuple[Setting, ...]:
    account = given.section.partition(".")[2]
    return (*every_setting(), *(account_settings(account) if account else ()))


def _setting_of(given: _Given) -> Setting | None:
    return next((one for one in _known(given) if (one.section, one.key) == (given.section, given.key)), None)


def _convert(given: _Given) -> object:
    setting = _setting_of(given)
    if setting is None:
        names = [each.variable if given.text else each.name for each in _known(given)]
        raise ConfigError(f"{_capital(given.source)}: There is no setting {given.name}.{_suggestion(given.name, names)}")
    value = given.value
    if isinstance(value, str) and given.text and isinstance(setting.default, tuple):
        value = [part.strip() for part in value.split(",") if part.strip()]
    try:
        # `strict` off for the environment, where a number is written as text
        converted: object = msgspec.convert(value, setting.type, strict=not given.text, dec_hook=_custom)
        _CHECKS.get((given.section.partition(".")[0], given.key), _anything)(converted)
    except (ValueError, BadOption) as error:
        # a password with a mistake in it is still a secret
        but = "" if meta(setting.type).extra == SECRET else f", not {shown(_without_user(given.value))}"
        why = f" {error}" if isinstance(error, BadOption) else ""
        raise ConfigError(f"{_capital(given.source)}: The setting {given.name} must be {setting.may_be}{but}.{why}") from error
    return converted


def _without_user(value: object) -> object:
    return _USER.sub("***", value) if isinstance(value, str) else value


def _custom(kind: type, value: object) -> object:
    if isinstance(value, kind):
        return value
    if not isinstance(value, str):
        raise ValueError("text expected")  # noqa: TRY004  # msgspec reports a ValueError like every other mistake in a value
    if "\0" in value:
        raise ValueError("no path")
    made: object = kind(value)
    return made


def _zone(value: object) -> None:
    from turnserver.play.clock.live_time import is_place  # noqa: PLC0415  # help needs no clock

    if not is_place(str(value)):
        raise ValueError("no place")
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
    # raises ValueError for half of a pair of brackets, or a port that is no number
    _ = urlsplit(str(value)).port


def _web_url(value: object) -> None:
    if value:
        parts = urlsplit(str(value))
        _ = parts.port
        # everybody who gets a mail would get the password too
        if "@" in parts.netloc:
            raise ValueError("a user in it")
        _host(parts.hostname or "")


def _host(value: object) -> None:
    try:
        ip_address(str(value))
    except ValueError:
        _ascii(str(value))


def _ascii(name: str) -> str:
    """Return a host name or domain as name servers know it, in lower case. Raise ValueError if it is none."""
    if len(name) > _LONGEST_HOST:
        raise ValueError("too long")
    # the codec raises a ValueError for a label that is empty or too long
    found = name.encode("idna").decode("ascii").lower()
    if not _HOST.fullmatch(found):
        raise ValueError("no host name")
    return found


def _host_and_port(value: object) -> None:
    if value:
        _host(str(value).rpartition(":")[0].removeprefix("[").removesuffix("]"))


def _address(value: object) -> None:
    if value:
        domain = str(value).rpartition("@")[2]
        if literal := LITERAL.fullmatch(domain):
            ip_address(literal[1])
        elif _ascii(domain).endswith("."):
            raise ValueError("the dot of the root")


def _time(value: object) -> None:
    from turnserver.play.clock import controls  # noqa: PLC0415  # slow to import, and few commands need it

    controls.parse(str(value), "UTC")


def _different(value: object) -> None:
    paths = [os.path.normpath(path) for path in value if isinstance(path, Path)] if isinstance(value, tuple) else []
    if len(set(paths)) < len(paths):
        raise ValueError("one twice")


def _networks(value: object) -> None:
    # raises ValueError, also for an address within a network, which would match nobody
    for text in value if isinstance(value, tuple) else ():
        ip_network(text)


def _anything(_value: object) -> None:
    pass


def _selectors(value: object) -> None:
    paths = [path for path in value if isinstance(path, Path)] if isinstance(value, tuple) else []
    if not all(re.fullmatch(SELECTOR, path.stem) for path in paths) or len({path.stem.lower() for path in paths}) < len(paths):
        # the name of a file is its selector; DNS does not tell s1 from S1
        raise ValueError("no selectors, or one twice")


def _verification_keys(value: object) -> None:
    if value:
        from turnserver.proof.note import verification_key  # noqa: PLC0415  # cryptography takes long to import, and few name any

        try:
            for text in value if isinstance(value, tuple) else ():
                verification_key(text)
        except MalformedProof as error:
            raise ValueError("no verification key") from error


_CHECKS: Mapping[tuple[str, str], Callable[[object], None]] = {
    ("site", "address"): _address,
    ("site", "admin"): _address,
    ("site", "zone"): _zone,
    ("site", "language"): _language,
    ("database", "url"): _url,
    ("outgoing", "host"): _host,
    ("incoming", "lmtp_host"): _host,
    ("imap", "host"): _host,
    ("web", "url"): _web_url,
    ("web", "host"): _host,
    ("web", "health"): _host_and_port,
    ("web", "proxies"): _networks,
    ("dkim", "key_files"): _selectors,
    ("play", "time"): _time,
    ("audit", "key_files"): _different,
    ("audit", "verification_keys"): _verification_keys,
}


def _anchored(settings: Settings, base: Path) -> Settings:
    database, outgoing, incoming = settings.database, settings.outgoing, settings.incoming
    # paths are relative to the directory of the file; `base / path` leaves absolute ones alone
    if database.url.startswith(_SQLITE):
        database = msgspec.structs.replace(database, url=f"{_SQLITE}{base / database.url.removeprefix(_SQLITE)}")
    if incoming.maildir:
        incoming = msgspec.structs.replace(incoming, maildir=str(base / incoming.maildir))
    outgoing = msgspec.structs.replace(outgoing, maildir=base / outgoing.maildir)
    dkim = msgspec.structs.replace(settings.dkim, key_files=tuple(base / path for path in settings.dkim.key_files))
    audit = msgspec.structs.replace(settings.audit, key_files=tuple(base / path for path in settings.audit.key_files))
    if audit.publish:
        audit = msgspec.structs.replace(audit, publish=str(base / audit.publish))
    return msgspec.structs.replace(settings, database=database, outgoing=outgoing, incoming=incoming, dkim=dkim, audit=audit)


def _suggestion(word: str, known: Iterable[str], pattern: str = "{}") -> str:
    close = difflib.get_close_matches(word, sorted(known), n=1)
    return f" Did you mean {pattern.format(close[0])}?" if close else ""


def _capital(text: str) -> str:
    return text if "/" in text or "." in text else capitalised(text)
