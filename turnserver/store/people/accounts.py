"""Players' accounts and players' chat: ordinary rows, apart from the log so that they can be erased."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, time
from typing import Any, Final, Literal, NamedTuple

import msgspec
from sqlalchemy import BindParameter, Case, ColumnElement, bindparam, case, func, insert, literal_column, select, update

from turnserver.errors import KeyTaken
from turnserver.ids import GameId, PlayerId
from turnserver.rules.writing import skeleton
from turnserver.store import refusals
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, Value, instant, optional_instant, plain, stamp
from turnserver.store.log.tables import ChatRow, PlayerRow
from turnserver.text import UMLAUTS


class Quiet(NamedTuple):
    """A time of the day during which no mail is to come, over midnight if it begins after it ends. Wall-clock time, never both equal."""

    begins: time
    ends: time


class Public(NamedTuple):
    """The words that strangers read on pages in the place of a player's name: a number (`off`), the `name`, or a pseudonym (`as`)."""

    how: Literal["off", "name", "as"] = "off"
    pseudonym: str = ""


class Preferences(msgspec.Struct, frozen=True):
    """A player's preferences about mail and pages. Times of the day are wall-clock time in the player's zone.

    `mail` is whether HTML and pictures come beside the text, `digest` when everything that can wait comes in one mail a day, `board` the
    size of pictures. A player who is not `subscribed` gets nothing but answers. `language` is the key of one that mails can be written in.
    `receipts` is whether a mail confirms each move of theirs: the `first` ones that they ever play, all of them at once or in the digest,
    or none. `subjects` is whether the subject of a mail about a game ends in what the game wants of them. `calendar_edition` is the number
    of the secret address of their calendar that holds: it goes up when they want another one.
    """

    mail: Literal["html", "text"] = "html"
    digest: time | None = None
    quiet: Quiet | None = None
    board: Literal["small", "medium", "large"] = "medium"
    reminders: bool = True
    calendar: bool = False
    subscribed: bool = True
    language: str = "en"
    receipts: Literal["first", "on", "digest", "off"] = "first"
    subjects: bool = True
    calendar_edition: int = 0
    public: Public = Public()


class Person(msgspec.Struct, frozen=True):
    """A player as others need to know them. `zone` is an IANA time zone; `address` is spelled as it was given.

    `confirmed_at` is when a mail first showed that the address is the player's, None as long as it is only said to be. For a player who was
    erased (`erased_at`) the name only says that there was somebody, and there is no address.
    """

    id: PlayerId
    name: str
    address: str
    zone: str
    created_at: datetime
    preferences: Preferences = Preferences()
    confirmed_at: datetime | None = None
    erased_at: datetime | None = None


class Said(msgspec.Struct, frozen=True):
    """One line of chat."""

    game: GameId
    player: PlayerId
    at: datetime
    text: str


_players = table(PlayerRow)
_player = _players.c
_chat = table(ChatRow).c


_CHOSEN = (
    _player.mail,
    _player.digest,
    _player.quiet,
    _player.board,
    _player.reminders,
    _player.calendar,
    _player.subscribed,
    _player.language,
    _player.receipts,
    _player.subjects,
    _player.calendar_edition,
    _player.public,
    _player.pseudonym,
)
"""The columns of `Preferences`, in the order of its fields."""


def _persons(*where: ColumnElement[bool]) -> Statement:
    known = (_player.id, _player.name, _player.address, _player.zone, _player.created_at)
    return Statement(select(*known, *_CHOSEN, _player.confirmed_at, _player.erased_at).where(*where).order_by(_player.id))


_ALL = _persons()
_BY_ID = _persons(_player.id == bindparam("which"))
_BY_ADDRESS = _persons(_player.address_key == bindparam("key"))
_BY_NAME = _persons(_player.name_key == bindparam("key"))
_BY_PSEUDONYM = _persons(_player.pseudonym_key == bindparam("key"))
_BEGINS_ALIKE = Statement(
    select(_player.id, _player.address)
    .where(func.substr(_player.address_key, literal_column("1"), literal_column("1")) == bindparam("letter"), _player.erased_at.is_(None))
    .order_by(_player.id)
)
_WRITTEN: dict[str, BindParameter[Any]] = {
    name: bindparam(name)
    for name in (
        *("name", "name_key", "address", "address_key", "zone", "pseudonym", "pseudonym_key"),
        *Preferences.__struct_fields__,
    )
}
# who is called so from before names were compared by their looks keeps the key
_KEPT: dict[str, Case[Any]] = {
    "name_key": case((_player.name == bindparam("name"), _player.name_key), else_=bindparam("name_key")),
    "pseudonym_key": case((_player.pseudonym == bindparam("pseudonym"), _player.pseudonym_key), else_=bindparam("pseudonym_key")),
}
_ADD = Statement(insert(_players).values(id=bindparam("number"), created_at=bindparam("since"), **_WRITTEN))
_EDIT = Statement(
    update(_players).where(_player.id == bindparam("number"), _player.created_at == bindparam("since")).values(**_WRITTEN | _KEPT)
)
_CONFIRM = Statement(
    update(_players).where(_player.id == bindparam("number"), _player.confirmed_at.is_(None)).values(confirmed_at=bindparam("at"))
)
_SAY = Statement(insert(table(ChatRow)).values({name: bindparam(name) for name in ("game", "player", "at", "text")}).inline())
_CHAT = Statement(
    select(_chat.game, _chat.player, _chat.at, _chat.text).where(_chat.game == bindparam("which")).order_by(_chat.at, _chat.id)
)

_NUMBER = re.compile(r"[0-9]{1,9}")
_LONGEST_MEANT: Final = 40
"""A longer text is no name that somebody has misspelt, and costs no statements."""
_IN_TWO_LETTERS: Final = re.compile("[aou]e")
_DOTTED: Final = str.maketrans("aou", "äöü")
_MARKS: Final = "\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327\u0328"
"""Grave, acute, circumflex, tilde, diaeresis, ring, caron, cedilla and ogonek, as they stand behind their letter."""


def fold_case(text: str) -> str:
    """Return the form in which names and addresses are compared: Unicode NFC without case, the same on both engines."""
    # folding may leave the composed form (Unicode 3.13, caseless matching), so the text is composed again afterwards
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def address_key(address: str) -> str:
    """Return the form in which addresses are compared: an international domain is the same in its own letters and in ASCII."""
    local, at, domain = address.rpartition("@")
    with suppress(UnicodeError):
        domain = domain if domain.isascii() else domain.encode("idna").decode("ascii")
    return fold_case(f"{local}{at}{domain}")


def _older_keys(address: str) -> Iterator[str]:
    """Yield the forms in which the same address may have been kept before its domain was compared in ASCII."""
    yield fold_case(address)
    local, at, domain = address.rpartition("@")
    with suppress(UnicodeError):
        yield fold_case(f"{local}{at}{domain.encode('ascii').decode('idna')}")


def add_player(  # noqa: PLR0917  # the columns of a row, in their order
    tx: Transaction, number: PlayerId, name: str, address: str, zone: str, at: datetime, language: str = "en"
) -> None:
    """Make an account. Raises NotAllowed (`name_taken`, `address_taken`)."""
    person = Person(number, name, address, zone, at, Preferences(language=language))
    require_free(tx, person)
    _write(tx, _ADD, person)


def edit_player(
    tx: Transaction,
    number: PlayerId,
    *,
    name: str | None = None,
    address: str | None = None,
    zone: str | None = None,
    preferences: Preferences | None = None,
) -> Person:
    """Change the given fields and return the account as it is now.

    Raises NotFound, also for an account that was erased, and NotAllowed like `add_player`.
    """
    old = player(tx, number)
    if old.erased_at is not None:
        raise refusals.erased(number)
    chosen = old.preferences if preferences is None else preferences
    new = Person(number, name or old.name, address or old.address, zone or old.zone, old.created_at, chosen, old.confirmed_at)
    require_free(tx, new, old)
    _write(tx, _EDIT, new)
    return new


def confirm(tx: Transaction, number: PlayerId, at: datetime) -> None:
    """Note that a player's address is their own, unless that was known before."""
    tx.run(_CONFIRM, number=number, at=stamp(at))


def player(conn: Transaction, number: PlayerId) -> Person:
    """Return the player of that number. Raises NotFound."""
    row = conn.row(_BY_ID, which=number)
    if row is None:
        raise refusals.no_player(number)
    return _person(row)


def names(conn: Transaction, players: Iterable[PlayerId]) -> dict[PlayerId, str]:
    """Return the name of each of these players. Raises NotFound."""
    return {number: player(conn, number).name for number in players}


def player_by_address(conn: Transaction, address: str) -> Person | None:
    """Return the player with that address, however it is capitalised, and in whichever letters its domain is written."""
    # accounts that were made before domains were compared in ASCII have other keys
    found = (conn.row(_BY_ADDRESS, key=key) for key in _older_keys(address))
    row = conn.row(_BY_ADDRESS, key=address_key(address)) or next(filter(None, found), None)
    return _person(row) if row else None


def addresses_like(conn: Transaction, address: str) -> list[tuple[PlayerId, str]]:
    """Return the players' addresses that begin with the same letter, by number: all that can be another spelling of one mailbox."""
    return [(PlayerId(number), other) for number, other in conn.rows(_BEGINS_ALIKE, letter=address_key(address)[:1])]


def player_by_name(conn: Transaction, name: str) -> Person | None:
    """Return the player of that name, however it is capitalised, or of one that looks like it."""
    return _first(conn, _BY_NAME, name)


def find_player(conn: Transaction, text: str) -> Person:
    """Return the player with that number, name or address, in this order. Raises NotFound, which names whoever may be meant."""
    text = plain(text.strip())
    # nine digits at most: a longer number is none of an integer column
    numbered = conn.rows(_BY_ID, which=int(text)) if _NUMBER.fullmatch(text) else []
    found = _person(numbered[0]) if numbered else _called(conn, text)
    if found is None:
        raise refusals.nobody_called(text, _meant(conn, text))
    return found


def player_called(conn: Transaction, text: str) -> Person:
    """Return the player with that name or address, for another player: numbers would tell them one stranger's name after another.

    Raises NotFound, which names whoever may be meant.
    """
    text = plain(text.strip())
    found = _called(conn, text)
    if found is None:
        raise refusals.nobody_called(text, _meant(conn, text), by_number=False)
    return found


def _called(conn: Transaction, text: str) -> Person | None:
    return player_by_name(conn, text) or player_by_address(conn, text)


def _meant(conn: Transaction, text: str) -> str:
    """Return the name of the only player whose name is this one on another keyboard, or the other way round; else empty."""
    spellings = _spellings(skeleton(text)) if len(text) <= _LONGEST_MEANT else ()
    found = {row[0]: _person(row).name for key in spellings if (row := conn.row(_BY_NAME, key=key))}
    return next(iter(found.values())) if len(found) == 1 else ""


def _spellings(key: str) -> Iterator[str]:
    """Yield a name with umlauts in one letter or two, without all marks of its letters, and with one mark more on any of them."""
    yield key.translate(UMLAUTS)
    yield _IN_TWO_LETTERS.sub(lambda found: found[0][0].translate(_DOTTED), key)
    yield "".join(letter for letter in unicodedata.normalize("NFD", key) if letter not in _MARKS)
    for at, letter in enumerate(key):
        marked = (unicodedata.normalize("NFC", letter + mark) for mark in _MARKS)
        yield from (f"{key[:at]}{one}{key[at + 1 :]}" for one in marked if len(one) == 1)


def list_players(conn: Transaction) -> list[Person]:
    """Return all players, by number."""
    return [_person(row) for row in conn.rows(_ALL)]


def say(tx: Transaction, game: GameId, player: PlayerId, at: datetime, text: str) -> None:
    """Keep a line that a player said to the others of a game."""
    tx.run(_SAY, game=game, player=player, at=stamp(at), text=plain(text))


def chat(conn: Transaction, game: GameId) -> list[Said]:
    """Return the lines of chat in a game, oldest first."""
    return [Said(game_id, who, instant(at), text) for game_id, who, at, text in conn.rows(_CHAT, which=game)]


def require_free(conn: Transaction, person: Person, before: Person | None = None) -> None:
    """Raise NotAllowed (`name_taken`, `address_taken`) if somebody else has the name, the pseudonym or the address of an account.

    Or a name that looks like it. What the account had `before` stays its own.
    """
    pseudonym = person.preferences.public.pseudonym
    names = () if before and before.name == person.name else ((refusals.NAME, person.name),)
    pseudonyms = () if before and before.preferences.public.pseudonym == pseudonym else ((refusals.PSEUDONYM, pseudonym),)
    called = [(constraint, find(conn, text)) for constraint, text in (*names, *pseudonyms) for find in (player_by_name, _by_pseudonym)]
    for constraint, holder in (*called, (refusals.ADDRESS, player_by_address(conn, person.address))):
        if holder is not None and holder.id != person.id:
            raise refusals.taken(constraint, person.name, person.address, pseudonym)


def _write(tx: Transaction, statement: Statement, person: Person) -> None:
    # it was asked before, which leaves the transaction usable; the unique indexes settle a race
    try:
        tx.run(
            statement,
            number=person.id,
            name=person.name,
            name_key=skeleton(person.name),
            address=person.address,
            address_key=address_key(person.address),
            zone=person.zone,
            since=stamp(person.created_at),
            **_chosen(person.preferences),
        )
    except KeyTaken as error:
        if error.constraint not in (refusals.NAME, refusals.PSEUDONYM, refusals.ADDRESS):
            raise
        raise refusals.taken(error.constraint, person.name, person.address, person.preferences.public.pseudonym) from error


def _by_pseudonym(conn: Transaction, pseudonym: str) -> Person | None:
    return _first(conn, _BY_PSEUDONYM, pseudonym)


def _first(conn: Transaction, statement: Statement, name: str) -> Person | None:
    # accounts that were made before names were compared by their looks have other keys, and whoever has the very name is meant
    row = conn.row(statement, key=fold_case(name)) or conn.row(statement, key=skeleton(name))
    return _person(row) if row else None


def _person(row: tuple[Any, ...]) -> Person:
    number, name, address, zone, created_at, mail, digest, quiet, *rest = row
    board, reminders, calendar, subscribed, language, receipts, subjects, calendar_edition, public, pseudonym, confirmed_at, erased_at = (
        rest
    )
    chosen = Preferences(
        mail=mail,
        digest=time.fromisoformat(digest) if digest else None,
        quiet=Quiet(*map(time.fromisoformat, quiet.split("-"))) if quiet else None,
        board=board,
        reminders=bool(reminders),
        calendar=bool(calendar),
        subscribed=bool(subscribed),
        language=language,
        receipts=receipts,
        subjects=bool(subjects),
        calendar_edition=calendar_edition,
        public=Public(public, pseudonym or ""),
    )
    shown = name if erased_at is None else refusals.former(PlayerId(number))
    confirmed, erased = optional_instant(confirmed_at), optional_instant(erased_at)
    return Person(PlayerId(number), shown, address, zone, instant(created_at), chosen, confirmed, erased)


def _chosen(preferences: Preferences) -> dict[str, Value]:
    values = msgspec.structs.asdict(preferences)
    digest, quiet, public = preferences.digest, preferences.quiet, preferences.public
    return {
        **values,
        "digest": f"{digest:%H:%M}" if digest else None,
        "quiet": f"{quiet.begins:%H:%M}-{quiet.ends:%H:%M}" if quiet else None,
        "public": public.how,
        "pseudonym": public.pseudonym or None,
        "pseudonym_key": skeleton(public.pseudonym) or None,
    }
