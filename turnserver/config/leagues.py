"""Presets of leagues: files of settings in TOML, those that come with the program and an admin's own, and settings given one by one.

A preset says what it is `about`, in one sentence. It may name a `game` of the catalogue with its `[options]` and a time control (`time`),
and has the settings of a league under `[settings]`; what it does not name is as usual. See `config/LEAGUES.md`.
"""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, fields

from turnserver import files
from turnserver.config.handbook import toml
from turnserver.config.league_settings import every_league_setting
from turnserver.errors import BadOption
from turnserver.league.settings import Settings, complete
from turnserver.resources import config_dir

SUFFIX: Final = ".toml"
YES_OR_NO: Final = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
NOTHING: Final = frozenset({"none", "never"})
"""How somebody writes that there is no value, where there may be none."""


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a league may be opened with. `path` is where it stands; `game` and `time` are empty where it leaves them open."""

    path: Path
    about: str
    game: str = ""
    time: str = ""
    options: dict[str, str | int | bool] = {}
    settings: Settings = Settings()

    @property
    def name(self) -> str:
        """That of the file, without its ending."""
        return self.path.stem


def presets_dir() -> Path:
    """Where the presets are that come with the program."""
    return config_dir() / "leagues"


def presets() -> tuple[Preset, ...]:
    """The presets that come with the program, by name."""
    return tuple(read_preset(path) for path in sorted(presets_dir().glob(f"*{SUFFIX}")))


def preset(named: str) -> Preset:
    """A preset that comes with the program, by its name, or that of a file, by its path. Raises BadOption."""
    own = Path(named)
    if own.suffix == SUFFIX or len(own.parts) > 1:
        return read_preset(own)
    path = presets_dir() / f"{named.strip().lower().replace(' ', '-')}{SUFFIX}"
    if not path.is_file():
        names = [one.stem for one in sorted(presets_dir().glob(f"*{SUFFIX}"))]
        hint = _suggestion(named, names) or " `turnserver league presets` lists them."
        raise BadOption(f"There is no preset {named!r}.{hint} A file of your own is named with its ending, {SUFFIX}.")
    return read_preset(path)


def read_preset(path: Path) -> Preset:
    """The preset in a file. Raises BadOption, naming the file, what is wrong in it and what may stand there."""
    try:
        content = tomllib.loads(files.read_text(path))
    except OSError as error:
        raise BadOption(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadOption(f"{path} is not UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise BadOption(f"{path} is not valid TOML: {error}.") from error
    try:
        return _preset(path, content)
    except BadOption as error:
        raise BadOption(f"{path}: {error}") from error


def _preset(path: Path, content: Mapping[str, Any]) -> Preset:
    parts = [field.name for field in fields(Preset) if field.name != "path"]
    for key, value in content.items():
        if key not in parts:
            where = f" Write it below [settings]: {key} is a setting." if key in SETTINGS else _suggestion(key, parts)
            raise BadOption(f"there is no {key} in a preset.{where}")
        if not isinstance(value, dict if key in {"settings", "options"} else str):
            raise BadOption(f"{key} must be {'a section' if key in {'settings', 'options'} else 'text'}.")
    if not content.get("about"):
        raise BadOption('about is missing. Say in a sentence what such a league is like: about = "Everybody meets everybody."')
    settings = settings_of(content.get("settings", {}))
    complete(settings)
    rest = {key: value for key, value in content.items() if key != "settings"}
    return Preset(path=path, settings=settings, **rest)


def settings_of(given: Mapping[str, Any], before: Settings | None = None) -> Settings:
    """Settings with values as TOML has them, on top of others. Raises BadOption for an unknown name and for a value of the wrong kind.

    Whether the settings go together, `league.settings.complete` says.
    """
    values: dict[str, Any] = asdict(before or Settings())
    for name, value in given.items():
        values[name] = _converted(known(name), _exact(value) if name in EXACT else value)
    return Settings(**values)


def with_assignments(settings: Settings, given: Iterable[str]) -> Settings:
    """The settings with others on top that somebody typed as `name=value`; a list has commas, `points.draw=1/3` is one of several.

    Raises BadOption.
    """
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals):
            raise BadOption(f"Write a setting as name=value, not {text!r}.")
        name, _, inner = name.replace("-", "_").partition(".")
        one: object = {**_marks(settings, known(name)), inner: value} if inner else _typed(known(name), value)
        settings = settings_of({name: one}, settings)
    return settings


def _marks(settings: Settings, name: str) -> Mapping[str, str]:
    """What a setting has by name, one of which is given."""
    before = getattr(settings, name)
    if not isinstance(before, dict):
        raise BadOption(f"{name} is one value and has no parts. Write {name}=value.")
    return before


def _typed(name: str, text: str) -> object:
    """What somebody means who types a value: as TOML has it, or plainly."""
    kind = SETTINGS[name].type
    try:
        value: object = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = _plain(kind, text)
    return [value] if _may_be(kind, []) and not isinstance(value, list) else value


def _plain(kind: object, text: str) -> object:
    word = text.lower()
    if word in NOTHING and _may_be(kind, None):
        return None
    if word in YES_OR_NO and _may_be(kind, True):  # noqa: FBT003  # a value of the setting
        return YES_OR_NO[word]
    if not _may_be(kind, []):
        return text
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [int(part) if part.isdecimal() else part for part in parts]


def _may_be(kind: Any, value: object) -> bool:  # noqa: ANN401  # a type expression
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _converted(name: str, value: object) -> object:
    """A value as the setting of that name has it. Raises BadOption."""
    setting = SETTINGS[name]
    try:
        made: object = msgspec.convert(value, setting.type)
    except msgspec.ValidationError as error:
        raise BadOption(f"{name} must be {setting.may_be}, not {_shown(value)}.") from error
    return made


def _shown(value: object) -> str:
    """A value as somebody wrote it, not too much of it."""
    text = toml(value) if not isinstance(value, dict) else "a section"
    return text if len(text) <= 60 else f"{text[:57]}..."


def known(name: str) -> str:
    """The name of a setting. Raises BadOption for any other."""
    if name not in SETTINGS:
        raise BadOption(f"There is no setting {name}.{_suggestion(name, SETTINGS)} `turnserver league settings` lists them.")
    return name


def _exact(value: object) -> object:
    """Points as text, also if they were written as numbers."""
    if isinstance(value, dict):
        return {key: _exact(one) for key, one in value.items()}
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _suggestion(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, sorted(known), n=1)
    return f" Did you mean {close[0]}?" if close else ""


SETTINGS: Final = {setting.name: setting for setting in every_league_setting()}
"""Every setting by name, in the order of the reference."""
EXACT: Final = frozenset({"points"})
"""Settings whose numbers are kept as text, since they are to be exact."""
