"""The files that pages load: the style sheet. Each has an address with its hash in it, so that browsers may keep it for ever."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from jinja2 import TemplateSyntaxError, nodes
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from turnserver import resources, templates

TYPES: Final = MappingProxyType({".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"})
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
    """Yield the files that pages load and that are not there, or that no page can load."""
    place, made = resources.templates_dir() / "page", templates.environment()
    names = dict[str, None]()
    for path in sorted(place.glob("*.j2")):
        # what is wrong with a template itself is told by `templates.faults`
        with suppress(TemplateSyntaxError, UnicodeDecodeError, OSError):
            names |= dict.fromkeys(_loaded(templates.parse(made, f"page/{path.name}")))
    able = {path.name for path in _paths()}
    for name in names:
        file = place / "static" / name
        if not file.is_file():
            yield f"{file} is missing"
        elif name not in able:
            yield f"{file} is there, but pages load only {' and '.join(TYPES)} files that lie in page/static itself"


def _loaded(tree: nodes.Template) -> Iterator[str]:
    for call in tree.find_all(nodes.Call):
        match call:
            case nodes.Call(node=nodes.Name(name="static"), args=[nodes.Const(value=str(name))]):
                yield name


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
    for path in _paths():
        body = path.read_bytes()
        found[f"{path.stem}-{sha256(body).hexdigest()[:12]}{path.suffix}"] = _File(path.name, TYPES[path.suffix], body)
    return found


def _paths() -> list[Path]:
    # an editor may leave a copy of a file there, which no page loads
    paths = sorted((resources.templates_dir() / "page" / "static").glob("*"))
    return [path for path in paths if path.suffix in TYPES and path.is_file()]


@cache
def _addresses() -> Mapping[str, str]:
    return {file.name: hashed for hashed, file in _files().items()}
