"""The manifest of a bundle: events that have left the database, so that somebody who does not trust the service can check them.

Nothing stands in a manifest that cannot be checked against the other files. It is not signed: the checkpoint is, and the events lie in the
tree of that.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from turnserver.errors import Malformed
from turnserver.ids import Digest

MANIFEST: Final = "manifest.json"
EVENTS: Final = "events.jsonl"
PROOFS: Final = "proofs.jsonl"
CHECKPOINT: Final = "checkpoint"
KEYS: Final = "keys"
VERIFIER: Final = "verify.py"
ABOUT: Final = "README.txt"
SCHEMA: Final = "schema/"

FILES: Mapping[str, str] = MappingProxyType(
    {
        MANIFEST: "what is in the bundle, as below",
        EVENTS: "the events, a line each: an object with the columns of the envelope in their order, `data` being an object",
        CHECKPOINT: "a signed note with origin, size and root of the tree over the log (C2SP tlog-checkpoint and signed-note)",
        KEYS: "the keys that are said to have signed it, a line each (C2SP vkey): compare them with those that were published",
        PROOFS: "for each event, in the order of `events.jsonl`, where it lies in that tree; not in a bundle of the whole log",
        f"{SCHEMA}<type>.v<N>.json": "the JSON Schema of each type and version that occurs",
        VERIFIER: "checks hashes, tree, checkpoint and chance with nothing but Python",
        ABOUT: "what this is and what to do with it",
    }
)
"""Every file of a bundle and what is in it. Without a key to sign with there are neither checkpoint, keys nor proofs."""


class ListedStream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stream in a bundle, which has it from its first event on."""

    stream: Annotated[str, Meta(description="its name: `game-17`, `league-3`, `player-8`")]
    events: Annotated[int, Meta(description="how many events it has in the bundle, which is the version of the last", ge=1)]
    hash: Annotated[Digest, Meta(description="the hash of the last")]


class ListedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in a bundle."""

    size: Annotated[int, Meta(description="its length in bytes, unpacked", ge=0)]
    sha256: Annotated[Digest, Meta(description="its SHA-256 in hexadecimal")]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a bundle of turnserver."""

    format: Annotated[Literal[1], Meta(description="the version of this format")]
    what: Annotated[
        str,
        Meta(
            description="`all` for the whole log, else the stream that the bundle is about, with what has to be known to check it: of a "
            "league its games, of a game its league, of both the streams of those who play",
            pattern="^(all|(game|league)-[1-9][0-9]*)$",
        ),
    ]
    events: Annotated[int, Meta(description="how many events there are", ge=1)]
    streams: Annotated[
        tuple[ListedStream, ...], Meta(description="the streams, in the order in which they stand one after the other in `events.jsonl`")
    ]
    files: Annotated[dict[str, ListedFile], Meta(description="every other file of the bundle by its name")]

    @property
    def whole(self) -> bool:
        """Return whether the bundle holds everything that ever happened, up to some position."""
        return self.what == "all"


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The place of an event in the tree of the checkpoint."""

    position: Annotated[
        int, Meta(description="the event's position; its leaf has the index `position` - 1, and its hash as 32 bytes", ge=1)
    ]
    path: Annotated[tuple[bytes, ...], Meta(description="the inclusion path of RFC 6962, from the leaf up; each hash in base64")]


_read = msgspec.json.Decoder(Manifest).decode
_TITLES: Mapping[str, type[msgspec.Struct]] = MappingProxyType(
    {"manifest.json": Manifest, "each of `streams`": ListedStream, "each of `files`": ListedFile, "a line of `proofs.jsonl`": Proof}
)


def written(manifest: Manifest) -> bytes:
    """Return the text of a manifest."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def read(text: bytes) -> Manifest:
    """Return the manifest in a text, which has to be written as `written` does. Raises Malformed."""
    try:
        manifest = _read(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Malformed(f"{MANIFEST} is not the manifest of a bundle: {error}") from error
    # one manifest has one text, so a bundle cannot differ in ways that nobody looks at
    if written(manifest) != text:
        raise Malformed(f"{MANIFEST} is not written as manifests are")
    return manifest


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a manifest."""
    (found,), definitions = msgspec.json.schema_components([Manifest], ref_template="#/$defs/{name}")
    own = definitions.pop(found["$ref"].rpartition("/")[2])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **own, "$defs": definitions}


def fields() -> Mapping[str, Mapping[str, str]]:
    """Return the meaning of each field, by the name of its structure and its own name."""
    return {title: {each.name: _meaning(each.type) for each in msgspec.inspect.type_info(of).fields} for title, of in _TITLES.items()}  # type: ignore[attr-defined]  # they are structures


def _meaning(of: msgspec.inspect.Type) -> str:
    extra = of.extra_json_schema if isinstance(of, msgspec.inspect.Metadata) else None
    return str((extra or {})["description"])
