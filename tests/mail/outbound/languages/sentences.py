"""Prints every sentence that people read, by where it is seen, with its translations: one page of Markdown, to be read aloud.

`python -m tests.mail.outbound.languages.sentences` writes it to standard output.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.mail.outbound.languages.catalogues import LANGUAGES, ROOT, Message, catalogue, messages

# the first that a place begins with is its room
ROOMS = {
    "templates/mail": "Mails: templates by kind",
    "turnserver/mail/outbound/telling": "Histories: what happened, as mails tell it",
    "turnserver/mail/outbound": "Mails: what is written for each kind",
    "templates": "Pages",
    "turnserver/mail/inbound": "Help, and refusals of mails that cannot be read",
    "turnserver/games": "Games: refusals, boards and how a turn is told",
    "turnserver/rules": "Games: refusals that all of them share",
    "turnserver/play": "The turn and the table: refusals",
    "turnserver/league": "Leagues: refusals and tables",
    "turnserver": "The service: refusals, settings and answers",
}
_catalogue = cache(catalogue)
TERMINAL = ("turnserver/cli", "turnserver/config", "turnserver/web")
LANGUAGE_KEYS = sorted(path.parent.name for path in LANGUAGES.glob("*/language.toml"))


def page() -> str:
    """Return the whole page."""
    said = sorted(messages(), key=lambda one: (list(ROOMS).index(_room(one)), _seen(one), one.line))
    blocks = ["# Every sentence that people read"]
    read: set[str] = set()
    for room, of_room in groupby(said, _room):
        blocks.append(f"## {ROOMS[room]}")
        for seen, of_place in groupby(of_room, _seen):
            new = {one.text: one for one in of_place if one.text not in read}
            read |= set(new)
            blocks += [f"### {seen}", *map(_told, new.values())] if new else []
    blocks.append("## The terminal: words that are not translated")
    for path in sorted(path for place in TERMINAL for path in (ROOT / place).rglob("*.py")):
        if found := list(dict.fromkeys(_printed(path))):
            blocks += [f"### {path.relative_to(ROOT)}", *map(_item, found)]
    return "\n\n".join(blocks)


def _room(message: Message) -> str:
    return next(place for place in ROOMS if message.place.startswith(place))


def _seen(message: Message) -> str:
    # the two templates of a kind say the same
    return message.place.removesuffix(".j2").removesuffix(".html").removesuffix(".txt")


def _told(message: Message) -> str:
    lines = [_item(" / ".join(filter(None, (message.text, message.plural))))]
    for key in LANGUAGE_KEYS:
        known = _catalogue(key, message.part).get(message.text)
        string: Any = known.string if known is not None else ""  # babel has a tuple for plurals
        lines.append(f"  - {key}: {_line(string if isinstance(string, str) else ' / '.join(string))}")
    return "\n".join(lines)


def _item(text: str) -> str:
    return f"- {_line(text)}"


def _line(text: str) -> str:
    return " / ".join(text.splitlines())


def _printed(path: Path) -> Iterator[str]:
    """Yield the texts of three words or more in a file, in its order: plain ones and f-strings, but no docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    within = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    within |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in within]
    for node in sorted(texts, key=lambda one: (one.lineno, one.col_offset)):
        if (text := _text(node)).count(" ") > 1:
            yield text


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else _hole(part) for part in node.values)
    return node.value if isinstance(node.value, str) else ""


def _hole(part: ast.expr) -> str:
    return f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else ""


if __name__ == "__main__":
    sys.stdout.write(f"{page()}\n")
