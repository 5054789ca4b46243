"""The files that pages load: the style sheet. Each has an address with its hash in it, so that browsers may keep it for ever."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from types import MappingProxyType
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from turnserver import resources

TYPES: Final = MappingProxyType({".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"})
_LOADED: Final = re.compile(r'\bstatic\("([^"]*)"\)')
FOR_EVER: Final = "public, max-age=31536000, immutable"


class _File(NamedTuple):
    name: str
    type: str
    body: bytes


def address(name: str) -> str:
    """Return the path of a file of `templates/page/static`. Raise KeyError if there is none."""
    return f"/static/{_addresses()[name]}"


def content(name: str) -> bytes:
    """Return a file of `templates/page/static`. Raise KeyError if there is none."""
    return _files()[_addresses()[name]].body


def faults() -> Iterator[str]:
    """Yield the files that pages load and that are not there."""
    place = resources.templates_dir() / "page"
    sources = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(place.glob("*.j2"))]
    for name in dict.fromkeys(name for source in sources for name in _LOADED.findall(source)):
        if not (place / "static" / name).is_file():
            yield f"{place / 'static' / name} is missing"


def show(request: Request) -> Response:
    """Answer a request for a file, by its name with the hash."""
    found = _files().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return Response(found.body, media_type=found.type, headers={"Cache-Control": FOR_EVER})


@cache
def _files() -> Mapping[str, _File]:
    """Return the files by their names with the hash."""
    found = {}
    for path in sorted((resources.templates_dir() / "page" / "static").iterdir()):
        # an editor may leave a copy of a file there, which no page loads
        if path.suffix not in TYPES or not path.is_file():
            continue
        body = path.read_bytes()
        found[f"{path.stem}-{sha256(body).hexdigest()[:12]}{path.suffix}"] = _File(path.name, TYPES[path.suffix], body)
    return found


@cache
def _addresses() -> Mapping[str, str]:
    return {file.name: hashed for hashed, file in _files().items()}
