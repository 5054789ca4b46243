"""The signed texts in mails, which nobody can forge: reply addresses, return paths and Message-IDs.

A reply token names a player and a turn (`turns+8-h-5-0-1-<mac>@example.org`), a return path the mail that bounced
(`turns+b-<mail>-<version>-<mac>@example.org`), and a Message-ID the subject of its mail. Each is signed for its own purpose. A signature
for one purpose is worth nothing for another.
"""

import hmac
import re
from base64 import b32encode
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from turnserver.errors import ConfigError
from turnserver.ids import GameId, PlayerId, Stream
from turnserver.mail.format.mime import addresses

Keys: TypeAlias = Mapping[int, bytes]
"""Secret keys by version. The highest version signs and all of them verify. To rotate a key, add one; to retire it, remove it."""

LOCAL_PART_OCTETS: Final = 64
_MAC_BYTES: Final = 16
_SHORT_MAC_BYTES: Final = 10
"""The size in Message-IDs, which give nobody the right to do anything."""
_BOUNCE: Final = b"turnserver bounce address\x00"
_MESSAGE_ID: Final = b"turnserver message id\x00"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
# the fields are player, game, turn, edition and the version of the key, in base 36 and in the clear, then HMAC-SHA256 over them, cut to 128
# bits, in base 32; all of it is lower case, and upper case means the same, because mail systems change the case of addresses; with
# identifiers up to 10^9, turns below 36^3 and editions below 36^2 there is room for a box name of 14 characters within the 64 octets of
# RFC 5321, 4.5.3.1.1
_TOKEN: Final = re.compile(r"(([0-9a-z]{1,7})-([0-9a-z]{1,7})-([0-9a-z]{1,7})-([0-9a-z]{1,7})-([0-9a-z]{1,7}))-([a-z2-7]{26})")


_SIGNED: Final = re.compile(
    r"[-.](?:(?<=-)(?:[0-9a-z]{1,7}(?:-[0-9a-z]{1,7}){3}|[0-9]{1,12}-[0-9]{1,4})-[a-z2-7]{26}|(?<=\.)[a-z2-7]{13}\.[a-z2-7]{16}(?=@))",
    re.IGNORECASE,
)
"""The form of everything that we sign, without its beginning: tokens, bounce addresses and Message-IDs.

The pattern begins with marks that are rare, so that a text is searched much faster than for any letter.
"""

_FIRST_FIELD: Final = re.compile(r"[0-9a-z]{0,7}\Z", re.IGNORECASE)
_LONGEST_FIELD: Final = 7
_MASK: Final = "***"


class Purpose(Enum):
    """The purpose of a token. A token that was signed for another purpose does not verify."""

    REPLY = b"turnserver reply address\x00"
    CONFIRM = b"turnserver confirmation\x00"
    UNSUBSCRIBE = b"turnserver unsubscription\x00"
    PAGE = b"turnserver page\x00"
    SIGN_IN = b"turnserver sign-in\x00"
    CALENDAR = b"turnserver calendar\x00"


class Token(NamedTuple):
    """The subject of an answer: one player and, unless `game` is 0, one turn of one game.

    In a token for `CONFIRM`, `player` is 0 and `game` is the number of the request to confirm. In one for `SIGN_IN`, the `game` is a number
    that was drawn by chance. In one for `CALENDAR`, `edition` counts the addresses that the player's calendar has had.
    """

    player: PlayerId
    game: GameId = GameId(0)
    turn: int = 0
    edition: int = 0


def sign(keys: Keys, token: Token, purpose: Purpose = Purpose.REPLY) -> str:
    """Return `token` as text, signed with the newest key. Raise ConfigError if there is no key."""
    if not keys:
        message = "there is no key for reply addresses: run `turnserver init`"
        raise ConfigError(message)
    return _written(*max(keys.items()), token, purpose)


def verify(keys: Keys, text: str, purpose: Purpose = Purpose.REPLY) -> Token | None:
    """Return the token in a text of any case. None for anything that `sign` did not write under one of `keys` for that `purpose`."""
    found = _TOKEN.fullmatch(text.strip().lower())
    if found is None:
        return None
    clear, *fields, mac = found.groups()
    player, game, turn, edition, version = (int(field, 36) for field in fields)
    key = keys.get(version)
    # compared in constant time, or a forger could find the signature letter by letter
    if key is None or not hmac.compare_digest(_mac(key, purpose.value, clear), mac):
        return None
    return Token(PlayerId(player), GameId(game), turn, edition)


def reply_address(site_address: str, keys: Keys, token: Token, purpose: Purpose = Purpose.REPLY) -> str:
    """Return the address for answers. Raise ConfigError if there is no key, or if `site_address` leaves no room for a token."""
    return _signed_address(site_address, sign(keys, token, purpose))


def signed_by(text: str) -> int:
    """Return the version of the key that a verified token names; 0 for a text without the form of a token."""
    found = _TOKEN.fullmatch(text.strip().lower())
    return int(found[6], 36) if found else 0


def like_token(text: str) -> bool:
    """Return whether a text has the form of a token, signed by us or not."""
    return _TOKEN.fullmatch(text.lower()) is not None


def masked(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines with `***` for everything that has the form of a signed text, even if it goes on in the next line.

    Anybody who sees a token can write in its player's name. So no token is passed on, not even one that its own player pasted.
    """
    # a mail program may have broken a token into two lines, so the lines are searched as one text
    whole = "".join(lines)
    if _SIGNED.search(whole) is None:
        return tuple(lines)
    starts = [0, *accumulate(map(len, lines))]
    spans = [(_begin(whole, starts, found.start()), found.end()) for found in _SIGNED.finditer(whole)]
    result = list(lines)
    touched: dict[int, list[tuple[int, int]]] = {}
    for first, last in spans:
        for index in range(bisect_right(starts, first) - 1, bisect_left(starts, last)):
            touched.setdefault(index, []).append((first, last))
    for index, inside in touched.items():
        begin, end = starts[index], starts[index + 1]
        pieces, at = list[str](), begin
        for first, last in inside:
            pieces += [whole[at : max(first, begin)], _MASK]
            at = min(last, end)
        result[index] = "".join([*pieces, whole[at:end]])
    return tuple(result)


def _begin(whole: str, starts: Sequence[int], at: int) -> int:
    """Return the beginning of a signed text whose first field ends here.

    It begins in this line: a word at the end of the line above is no part of it.
    """
    line = starts[bisect_right(starts, at) - 1]
    found = _FIRST_FIELD.search(whole, max(line, at - _LONGEST_FIELD), at)
    return found.start() if found else at


def find(recipients: Iterable[str]) -> str | None:
    """Return the first text that looks like a token in the local part of an address, with or without a display name. It is not verified."""
    return next(find_all(recipients), None)


def find_all(recipients: Iterable[str]) -> Iterator[str]:
    """Yield every text that looks like a token, in the order of the addresses. None is verified."""
    return _behind_plus(recipients, _TOKEN)


def _behind_plus(recipients: Iterable[str], form: re.Pattern[str]) -> Iterator[str]:
    return (text for recipient in recipients for text in _extensions(recipient) if form.fullmatch(text))


# several readers of one mail look for several things there
@lru_cache(maxsize=256)
def _extensions(recipient: str) -> tuple[str, ...]:
    # behind the last plus: the name of the box may have one too
    return tuple(address.rpartition("@")[0].lower().rpartition("+")[2] for address in addresses([recipient]))


def _written(version: int, key: bytes, token: Token, purpose: Purpose) -> str:
    clear = "-".join(base36(number) for number in (*token, version))
    return f"{clear}-{_mac(key, purpose.value, clear)}"


# one token is looked at for several purposes, and by several readers of one mail
@lru_cache(maxsize=256)
def _mac(key: bytes, purpose: bytes, clear: str, size: int = _MAC_BYTES) -> str:
    return _text(hmac.digest(key, purpose + clear.encode(), "sha256")[:size])


def _text(raw: bytes) -> str:
    return b32encode(raw).decode().rstrip("=").lower()


def _signed_address(site_address: str, signed: str) -> str:
    box, at, domain = site_address.rpartition("@")
    local = f"{box}+{signed}"
    if not (box and at and domain) or len(local.encode()) > LOCAL_PART_OCTETS:
        raise ConfigError(f"site.address: {site_address!r} must be box@domain, with a box name of at most 14 characters")
    return f"{local}@{domain}"


def base36(number: int) -> str:
    """Return a number, at least 0, in digits and lower-case letters."""
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits


_TAG: Final = re.compile(r"b-([1-9][0-9]{0,11})-([0-9]{1,4})-[a-z2-7]{26}")


def bounce_address(site_address: str, keys: Keys, mail: int) -> str:
    """Return the envelope sender of the mail with that number. Raise ConfigError if there is no key, or no room behind `site_address`."""
    if not keys:
        raise ConfigError("there is no key for bounce addresses: run `turnserver init`")
    return _signed_address(site_address, _written_bounce(*max(keys.items()), mail))


def find_bounce(recipients: Iterable[str]) -> str | None:
    """Return the first text that looks like a tag in the local part of an address, with or without a display name. It is not verified."""
    return next(_behind_plus(recipients, _TAG), None)


def verify_bounce(keys: Keys, tag: str) -> int | None:
    """Return the number of the mail that a tag in any case names. None for anything that we did not write under one of `keys`."""
    tag = tag.strip().lower()
    found = _TAG.fullmatch(tag)
    if found is None:
        return None
    mail, version = int(found[1]), int(found[2])
    key = keys.get(version)
    return mail if key is not None and hmac.compare_digest(_written_bounce(version, key, mail), tag) else None


def bounce_signed_by(tag: str) -> int:
    """Return the version of the key that a verified tag names; 0 for a text without the form of a tag."""
    found = _TAG.fullmatch(tag.strip().lower())
    return int(found[2]) if found else 0


def _written_bounce(version: int, key: bytes, mail: int) -> str:
    clear = f"b-{mail}-{version}"
    return f"{clear}-{_mac(key, _BOUNCE, clear)}"


_ID: Final = re.compile(r"<([a-z_]{1,30})\.(-|[gl][0-9]{1,12})\.([0-9a-z]{1,8})\.([a-z2-7]{13})\.([a-z2-7]{16})@[^<>\s]+>")
_NAMES: Final = {"g": "game", "l": "league"}


class Named(NamedTuple):
    """The content of a Message-ID: the kind of the mail, its subject such as `game 17`, and the version of the key."""

    kind: str
    about: str
    key: int


def write_message_id(keys: Keys, kind: str, stream: Stream | None, request: str, domain: str) -> str:
    """Return the Message-ID of a mail under the newest key. The same `request` gives the same one as long as that key is the newest."""
    key = keys[max(keys)]
    name, _, number = (stream or "").partition("-")
    about = f"{name[:1]}{number}" or "-"
    # Those that mailboxes have from before tell a version where the 0 is. That of a game counts events that its players may not know of,
    # such as conditional moves that wait.
    said = f"{kind}.{about}.0.{_text(hmac.digest(key, request.encode(), 'sha256')[:8])}"
    return f"<{said}.{_id_mac(key, said)}@{domain}>"


def verify_message_id(keys: Keys, text: str) -> Named | None:
    """Return the content of a Message-ID of ours. None for any that was not written under one of `keys`."""
    found = _ID.fullmatch(text.strip())
    if found is None:
        return None
    kind, about, version, told_apart, mac = found.groups()
    said = f"{kind}.{about}.{version}.{told_apart}"
    signed = next((number for number, key in keys.items() if hmac.compare_digest(_id_mac(key, said), mac)), None)
    if signed is None:
        return None
    return Named(kind, f"{_NAMES[about[0]]} {about[1:]}" if about != "-" else "", signed)


def _id_mac(key: bytes, said: str) -> str:
    return _mac(key, _MESSAGE_ID, said, _SHORT_MAC_BYTES)
