"""Finds the sentences in code and templates, and brings every catalogue up to them.

`make docs` does it.

New sentences are added without a translation, what is not said any more is dropped. A sentence belongs to the part of the program that it
is written in: each game, the templates, and the rest have a catalogue of their own.
"""

import ast
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

ROOT = Path(__file__).parents[4]
LANGUAGES = ROOT / "templates/languages"
GAMES = ROOT / "turnserver/games"
WIDTH = 140
HEADER = r"""msgid ""
msgstr ""
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: {plurals}\n"

"""


class Message(NamedTuple):
    """A template in the code, with its plural or nothing, and where it stands."""

    text: str
    plural: str
    place: str
    line: int

    @property
    def part(self) -> str:
        """The catalogue that it belongs to."""
        path = ROOT / self.place
        if path.is_relative_to(GAMES) and path.parent != GAMES:
            return path.relative_to(GAMES).parts[0]
        return "templates" if path.is_relative_to(ROOT / "templates") else "turnserver"


def messages() -> tuple[Message, ...]:
    """Everything that `say` is called with. Raises ValueError for a call whose template does not stand there in full."""
    code = sorted((ROOT / "turnserver").rglob("*.py"))
    templates = sorted((ROOT / "templates").rglob("*.j2"))
    return (
        *(found for path in code for found in _in_code(path)),
        *(found for path in templates for found in _in_template(path)),
    )


@cache
def parts() -> dict[str, dict[str, Message]]:
    """The messages of each catalogue by their text."""
    found: dict[str, dict[str, Message]] = {}
    for message in messages():
        found.setdefault(message.part, {}).setdefault(message.text, message)
    return found


def _in_code(path: Path) -> Iterator[Message]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            yield _message(path, node.lineno, [one.value if isinstance(one, ast.Constant) else None for one in node.args])


def _in_template(path: Path) -> Iterator[Message]:
    for node in Environment(autoescape=True).parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        if isinstance(node.node, nodes.Name) and node.node.name == "say":
            yield _message(path, node.lineno, [one.value if isinstance(one, nodes.Const) else None for one in node.args])


def _message(path: Path, line: int, arguments: list[object]) -> Message:
    place = str(path.relative_to(ROOT))
    match arguments:
        case [str() as text]:
            return Message(text, "", place, line)
        case [str() as text, str() as plural]:
            return Message(text, plural, place, line)
    raise ValueError(f"{place}, line {line}: `say` needs the whole template as it is, and at most a plural")


def catalogue(language: str, part: str) -> Catalog:
    """A catalogue as it is in its file, empty if there is none."""
    path = LANGUAGES / language / f"{part}.po"
    if not path.is_file():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def brought_up(language: str, part: str) -> str:
    """Return a catalogue as it has to be: the sentences of today in the order of files and lines, with the translations that are known."""
    old, new = catalogue(language, part), Catalog(locale=language, fuzzy=False)
    for text, message in sorted(parts()[part].items(), key=lambda one: (one[1].place, one[1].line)):
        known = old.get(text)
        string = known.string if known is not None else ""
        new.add((text, message.plural) if message.plural else text, string, locations=[(message.place, 0)])
    written = BytesIO()
    write_po(written, new, width=WIDTH, omit_header=True, include_lineno=False)
    return HEADER.format(language=language, plurals=new.plural_forms) + written.getvalue().decode()


if __name__ == "__main__":
    for key in sorted(path.parent.name for path in LANGUAGES.glob("*/language.toml")):
        for name in parts():
            (LANGUAGES / key / f"{name}.po").write_text(brought_up(key, name), encoding="utf-8")
