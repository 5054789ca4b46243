"""The settings as they are documented: in error messages and in `config/turnserver.toml`."""

import inspect
import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec

from turnserver.config import ImapAccount, Settings, meta, variable
from turnserver.text import capitalised

_PREFACE = """\
The configuration of turnserver. Every setting stands here at its default; a file needs only what differs.

The file in use is the one named by --config, else by TURNSERVER_CONFIG, else ./turnserver.toml, else /etc/turnserver/turnserver.toml. \
Without any, the defaults hold.

A variable TURNSERVER_<SECTION>__<KEY> in the environment overrides the file: TURNSERVER_OUTGOING__PORT=587. \
Lists are written with commas: TURNSERVER_OUTGOING__RETRY_SECONDS=60,300.

Relative paths, wherever they are written, are relative to the directory of the file in use."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as it is documented: its purpose, and a phrase for the values that it `may_be`."""

    section: str
    key: str
    type: object
    default: object
    doc: str
    may_be: str

    @property
    def name(self) -> str:
        """The name of the setting in messages: `outgoing.port`."""
        return f"{self.section}.{self.key}"

    @property
    def variable(self) -> str:
        """The environment variable that overrides the setting."""
        return variable(self.section, self.key)


@cache
def every_setting() -> tuple[Setting, ...]:
    """Return all settings in the order of the file, without settings of IMAP accounts, whose sections the admin names."""
    return tuple(setting for section in _sections() for setting in _settings(section.name, section.type))


def account_settings(name: str) -> tuple[Setting, ...]:
    """Return the settings of the section [imap.name] in the order of the file. The default is NODEFAULT where one has to be given."""
    return _settings(f"imap.{name}", ImapAccount)


def annotated() -> str:
    """Return the text of `config/turnserver.toml`: every setting at its default, with its purpose and its range."""
    blocks = ["\n#\n".join(map(_comment, _PREFACE.split("\n\n")))]
    for section in _sections():
        blocks.append(f"{_comment(inspect.cleandoc(section.type.__doc__))}\n[{section.name}]")
        blocks.extend(
            f"{_described(setting)}\n{setting.key} = {toml(setting.default)}" for setting in _settings(section.name, section.type)
        )
    blocks.append("\n#\n".join(map(_comment, inspect.cleandoc(ImapAccount.__doc__ or "").split("\n\n"))) + "\n# [imap.club]")
    blocks.extend(f"{_described(setting)}\n# {setting.key} = {toml(_example(setting))}" for setting in account_settings("club"))
    return "\n\n".join(blocks) + "\n"


def toml(value: object) -> str:
    """Return a value as it is written in TOML."""
    if isinstance(value, str | Path):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return f"{value:_}" if isinstance(value, int) and value >= 1_000_000 else str(value)


def shown(value: object) -> str:
    """Return a value as somebody wrote it, cut off at 60 characters."""
    text = toml(value) if not isinstance(value, dict) else "a section"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _sections() -> tuple[msgspec.structs.FieldInfo, ...]:
    return tuple(section for section in msgspec.structs.fields(Settings) if section.name != "imap")


def _settings(section: str, kind: type[msgspec.Struct]) -> tuple[Setting, ...]:
    return tuple(
        Setting(section, field.name, field.type, field.default, meta(field.type).description or "", _may_be(field.type))
        for field in msgspec.structs.fields(kind)
    )


def _described(setting: Setting) -> str:
    return f"{_comment(setting.doc)}\n{_comment(_sentence(setting.may_be))}"


def _example(setting: Setting) -> object:
    examples = meta(setting.type).examples
    return examples[0] if examples else setting.default


def _may_be(kind: object) -> str:
    return meta(kind).title or _phrase(msgspec.inspect.type_info(kind), get_args(get_args(kind)[0]))


def _phrase(info: msgspec.inspect.Type, choices: Sequence[object]) -> str:
    match info:
        # an item of a list has its own words
        case msgspec.inspect.Metadata(extra_json_schema={"title": str(title)}):
            phrase = title
        case msgspec.inspect.Metadata():
            phrase = _phrase(info.type, choices)
        case msgspec.inspect.IntType():
            phrase = f"a whole number from {info.ge} to {info.le}"
        case msgspec.inspect.FloatType():
            phrase = f"a number from {info.ge:g} to {info.le:g}"
        case msgspec.inspect.BoolType():
            phrase = "true or false"
        case msgspec.inspect.LiteralType():
            phrase = "one of " + ", ".join(map(toml, choices))
        case msgspec.inspect.VarTupleType():
            phrase = f"a list; each item is {_phrase(info.item_type, ())}"
        case msgspec.inspect.CustomType(cls=cls) if cls is Path:
            phrase = "a path"
        case _:
            phrase = "text"
    return phrase


def _comment(text: str) -> str:
    return textwrap.fill(text, 100, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False)


def _sentence(text: str) -> str:
    return f"{capitalised(text)}."
