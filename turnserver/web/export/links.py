"""The links of exported pages: each address of a server as the file that has its page, relative to the page that leads there."""

import re
from collections.abc import Mapping
from html import escape, unescape
from posixpath import dirname, relpath
from typing import Final
from urllib.parse import parse_qs, urlsplit

from turnserver.service.pages.public import PublicNumbers
from turnserver.web.routes import whole

_LINK: Final = re.compile(r' (href|src)="(/[^"]*)"')
"""An address of ours in a page. Text has no plain quotation marks, so nobody's words look like one."""

_FILE: Final = re.compile(r"\.[a-z][a-z0-9]*$")
"""The end of an address that is a file. What follows the dot in the name of a division (`2.1`) is a number."""

_ONE_OF_A_KIND: Final = frozenset({"", "audit", "club.css", "leagues", "rules", "static"})


class Links:
    """Turns addresses into files. An address that the export does not have has none."""

    def __init__(self, seen: PublicNumbers, pictures: Mapping[str, str]) -> None:
        """Know what a stranger may see, and the files of pictures whose addresses say what they show."""
        self._numbers = {"games": frozenset(seen.games), "leagues": frozenset(seen.leagues), "players": frozenset(seen.players)}
        self._pictures = pictures

    def file(self, address: str) -> str:
        """Return the file with the page of an address, with the place within it; empty if there is none."""
        if address in self._pictures:
            return self._pictures[address]
        parts = urlsplit(address)
        path, asked = parts.path.strip("/"), {name: values[0] for name, values in parse_qs(parts.query).items()}
        if not self._has(path):
            return ""
        # Pictures, downloads and style sheets are files on a server already.
        if _FILE.search(path):
            return path
        match path.split("/"), asked:
            # a file cannot be asked for a moment; the replay has all of them
            case ["games", number], {"turn": moment}:
                return f"games/{number}/replay.html#{moment}"
            case ["games", number, "replay"], _:
                return f"games/{number}/replay.html"
            case ["games", _, "history"], {"page": page} if page != "1":
                return f"{path}/{page}.html"
            case ["players", _], {"before": before}:
                return f"{path}/before-{before}.html"
            case ["audit", "checkpoints", _], _:
                return f"{path}.checkpoint"
            # a board to try moves on needs a server
            case ["rules", _], {"dice": _}:
                return ""
        return f"{path}/index.html".removeprefix("/")

    def relative(self, page: str, file: str) -> str:
        """Return a page with its links as they are to be in a file."""

        def changed(link: re.Match[str]) -> str:
            leads_to = self.file(unescape(link[2]))
            # what has become visible since the export began has no page yet; its name stays as text
            return f' {link[1]}="{escape(relpath(leads_to, dirname(file) or "."))}"' if leads_to else ""

        return _LINK.sub(changed, page)

    def _has(self, path: str) -> bool:
        kind, _, rest = path.partition("/")
        if kind in self._numbers and rest:
            return whole(rest.partition("/")[0]) in self._numbers[kind]
        return kind in _ONE_OF_A_KIND
