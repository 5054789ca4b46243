"""The mail inside of an opaque S/MIME signature (RFC 8551, 3.5.2), which holds it as DER or BER (RFC 5652, 5.1).

Only what stands there is read: nothing is verified, as nothing is believed because of a signature.
"""

from typing import NamedTuple

_INTEGER, _OCTETS, _OID, _SEQUENCE, _SET = 0x02, 0x04, 0x06, 0x30, 0x31
_EXPLICIT, _CONSTRUCTED_OCTETS = 0xA0, 0x24
_DATA = bytes.fromhex("2a864886f70d010701")
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_LONGEST_LENGTH = 4
"""Bytes of a length; more of them would be longer than any mail."""


class _Element(NamedTuple):
    """Where the content of an element begins and ends; `end` is None where BER leaves that open."""

    tag: int
    begin: int
    end: int | None


def signed_content(data: bytes) -> bytes | None:
    """What was signed, or None if it is not there, since the data are encrypted, damaged or something else."""
    try:
        return _octets(data, _content_at(data))
    except (ValueError, IndexError):
        return None


def _content_at(data: bytes) -> int:
    """Where the signed octets begin: ContentInfo, SignedData, EncapsulatedContentInfo."""
    at = _enter(data, 0, _SEQUENCE)
    at = _pass(data, at, _OID, _SIGNED_DATA)
    at = _enter(data, at, _EXPLICIT)
    at = _enter(data, at, _SEQUENCE)
    at = _pass(data, at, _INTEGER)
    at = _pass(data, at, _SET)
    at = _enter(data, at, _SEQUENCE)
    at = _pass(data, at, _OID, _DATA)
    return _enter(data, at, _EXPLICIT)


def _octets(data: bytes, at: int) -> bytes:
    """An octet string, whole or in pieces."""
    whole = _element(data, at)
    if whole.tag == _OCTETS:
        return data[whole.begin : whole.end]
    if whole.tag != _CONSTRUCTED_OCTETS:
        raise ValueError
    pieces = []
    at = whole.begin
    while at < (len(data) if whole.end is None else whole.end) and data[at] == _OCTETS:
        piece = _element(data, at)
        pieces.append(data[piece.begin : piece.end])
        at = _end(piece)
    return b"".join(pieces)


def _enter(data: bytes, at: int, tag: int) -> int:
    element = _element(data, at)
    if element.tag != tag:
        raise ValueError
    return element.begin


def _pass(data: bytes, at: int, tag: int, content: bytes | None = None) -> int:
    element = _element(data, at)
    if element.tag != tag or (content is not None and data[element.begin : element.end] != content):
        raise ValueError
    return _end(element)


def _end(element: _Element) -> int:
    if element.end is None:
        raise ValueError
    return element.end


def _element(data: bytes, at: int) -> _Element:
    tag, length, begin = data[at], data[at + 1], at + 2
    if length == 0x80:
        return _Element(tag, begin, None)
    if length > 0x80:
        size = length - 0x80
        if size > _LONGEST_LENGTH:
            raise ValueError
        length, begin = int.from_bytes(data[begin : begin + size]), begin + size
    if begin + length > len(data):
        raise ValueError
    return _Element(tag, begin, begin + length)
