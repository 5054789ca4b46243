"""Erase a person: first the rows, in one transaction with the event that says so, then what the database's files still hold of them.

The log names nobody, so it stays as it is, with every hash. Of mails to, from or about the person only digest and length stay. A process
that is killed has erased nothing, or the rows; then erasing once more does the rest.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any, Final, NamedTuple, assert_never
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from turnserver.errors import DatabaseBusy, NotAllowed, TurnserverError
from turnserver.ids import GameId, PlayerId, actor, game_stream, player_stream
from turnserver.mail.format.mentions import Mentions
from turnserver.mail.format.mime import addresses, parse
from turnserver.outside import Clock
from turnserver.play import events as e
from turnserver.service.games.ledger import Ledger
from turnserver.service.mailroom.dispatch import Dispatcher
from turnserver.service.people import player_log
from turnserver.service.people.leaving import games_of, ties
from turnserver.service.request import Request
from turnserver.store import refusals
from turnserver.store.games import archives, plans
from turnserver.store.log import log, trail
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, outbox
from turnserver.store.people import accounts as people
from turnserver.store.people import erasing
from turnserver.store.people.accounts import Person
from turnserver.store.people.erasing import CHAT, NOTES, TABLES, Came, Row, Went, Written

GONE: Final = "erased"
"""The replacement for an address or a word of a person for which there is no better one."""

_WAITING: Final = frozenset({"queued", "held"})
_to_json = msgspec.json.Encoder(order="sorted").encode


class Erased(NamedTuple):
    """The number of things that were erased of a player: mails that came, texts of mails that went, lines of chat, plans, notes.

    `renamed` says that the player once had another name, which is not known here any more.
    """

    player: PlayerId
    came: int
    went: int
    chat: int
    plans: int
    notes: int
    renamed: bool


class _Words(NamedTuple):
    """The keys by which a person is found: their number, their addresses, and every mention of them."""

    player: PlayerId
    addresses: frozenset[str]
    mentions: Mentions

    @property
    def shown(self) -> str:
        """Return the text that replaces the person's name."""
        return str(refusals.former(self.player))


class _Scan:
    """Rows that name a person, found page by page. A second pass reads only rows that are new since the first."""

    def __init__(self, words: _Words) -> None:
        self._words = words
        self._last_came = self._last_went = 0
        self._last_lines = {CHAT: 0, NOTES: 0}
        self._open: list[int] = []
        self.came: list[int] = []
        self.went: list[int] = []
        self.lines: dict[Written, list[int]] = {CHAT: [], NOTES: []}
        self.waiting = 0

    def go_on(self, conn: Transaction, seen: Callable[[int], object] = lambda _: None) -> None:
        """Read all rows that were missing, or not yet final, the last time. `seen` is called with the number of rows of each page."""
        while page := erasing.inbox_after(conn, self._last_came):
            for mail in page:
                if names(mail, self._words):
                    self.came.append(mail.id)
                    self.waiting += mail.status == "new"
            self._last_came = page[-1].id
            seen(len(page))
        # The text of a mail is written when it is sent, so what was unsent the last time may name the person now.
        again, self._open = self._open, []
        for number in again:
            self._look(erasing.went(conn, number))
        while out := erasing.outbox_after(conn, self._last_went):
            for told in out:
                self._look(told)
            self._last_went = out[-1].id
            seen(len(out))
        for of, found in self.lines.items():
            while lines := erasing.lines_after(conn, of, self._last_lines[of]):
                found += [line.id for line in lines if self._words.mentions.in_text(line.text)]
                self._last_lines[of] = lines[-1].id

    def _look(self, mail: Went) -> None:
        if mentioned(mail, self._words):
            self.went.append(mail.id)
        elif mail.status in _WAITING:
            self._open.append(mail.id)


def check(ledger: Ledger, person: Person, also: Iterable[str], *, leaves: bool) -> None:
    """Raise the NotAllowed that `erase` would raise now. Whoever `leaves` first is still part of something, which is no reason then."""
    with ledger.db.read() as conn:
        if not leaves:
            _refuse_ties(conn, ledger, person.id)
        # The search is long, and it can only find a reason while some mail is unread.
        if inbox.oldest_waiting(conn) is not None:
            scan = _Scan(_words(conn, person, also))
            scan.go_on(conn)
            _refuse_waiting(scan)


def erase(
    ledger: Ledger,
    clock: Clock,
    person: Person,
    also: Iterable[str],
    *,
    actor: str,
    cause: str,
    seen: Callable[[int], object] = lambda _: None,
) -> Erased:
    """Erase a player and everything that names them, by what is known of them and by the names and addresses in `also`.

    Raises NotAllowed (`still_playing`) while the player is part of something, and (`mail_waits`) while mail that names them is still
    to be read; then nothing has changed. Raises DatabaseBusy if only the files remain to be done. Doing it again is harmless.
    """
    # The long search is made where it holds up no writer. In the transaction that erases, only newer rows are left to read.
    with ledger.db.read() as conn:
        words = _words(conn, person, also)
        scan = _Scan(words)
        _refuse_early(conn, ledger, person.id, scan, seen)
    done = ledger.attempt(lambda tx: _erase_rows(tx, ledger, words, scan, Request(actor, cause, clock())))
    # Only now that the rows are gone: the files are written anew, which no transaction can hold.
    try:
        ledger.db.wipe(TABLES)
    except DatabaseBusy as error:
        told = f"The rows are erased, but the files of the database may still hold them: {error}. Erase once more."
        raise DatabaseBusy(told) from error
    ledger.attempt(lambda tx: erasing.wiped(tx, clock()))
    return done


def _erase_rows(tx: Transaction, ledger: Ledger, words: _Words, scan: _Scan, request: Request) -> Erased:
    history = log.load(tx, player_stream(words.player))
    # Asked once more, for whatever has come since the search.
    _refuse_early(tx, ledger, words.player, scan)
    for number in scan.came:
        mail = erasing.came(tx, number)
        erasing.empty_came(tx, _came_afterwards(mail, words), mail.raw)
    for number in scan.went:
        told = erasing.went(tx, number)
        erasing.empty_went(tx, _went_afterwards(told, words), told.text)
    chat, notes = (_erase_lines(tx, of, scan.lines[of], words) for of in (CHAT, NOTES))
    plans = sum(erasing.forget_plan(tx, game, plan) for game, plan in plans_of(tx, words.player))
    archives.forget_player(tx, words.player, words.mentions.in_text)
    renamed = any("name" in getattr(row.event, "fields", ()) for row in history)
    # Whoever erases once more finds no account, and the log says it once.
    if erasing.forget_account(tx, words.player, words.addresses, request.now):
        player_log.append(tx, history, e.PlayerErased(player=words.player), request)
    return Erased(words.player, len(scan.came), len(scan.went), chat, plans, notes, renamed)


def _erase_lines(tx: Transaction, of: Written, naming: Sequence[int], words: _Words) -> int:
    """Remove the person's lines, and their name from those of others. Return how many were theirs."""
    gone = erasing.forget_lines(tx, of, words.player)
    # Lines of the person themselves are gone by now, so another line may be the first after such a number.
    for page in [erasing.lines_after(tx, of, number - 1) for number in naming]:
        if page and page[0].id in naming:
            erasing.change_line(tx, of, page[0].id, words.mentions.without(page[0].text, words.shown))
    return gone


def names(mail: Came, words: _Words) -> bool:
    """Return whether a mail that came is from the person or mentions them, and something of it is left to erase."""
    texts = (mail.sender, mail.recipient, mail.writer, mail.outcome, mail.error)
    if mail.writer == actor(words.player) and (mail.raw or mail.sender or mail.recipient):
        return True
    return any(text and words.mentions.in_text(text) for text in texts) or bool(mail.raw and words.mentions.in_mail(mail.raw))


def mentioned(mail: Went, words: _Words) -> bool:
    """Return whether a mail of ours is to the person, mentions them or passes their words on, and something of it is left to erase."""
    if mail.player == words.player:
        left = (mail.text, mail.address, mail.last_error, mail.answer, mail.reason, mail.in_reply_to)
        return mail.status in _WAITING or any(left) or _blank(msgspec.json.decode(mail.detail)) != msgspec.json.decode(mail.detail)
    texts = (mail.address, mail.detail, mail.text, mail.last_error, mail.answer, mail.reason, mail.in_reply_to)
    return any(text and words.mentions.in_text(text) for text in texts) or _clean(mail.detail, words) != mail.detail


def _words(conn: Transaction, person: Person, also: Iterable[str]) -> _Words:
    """Return everything that a person is known by, without addresses that somebody else has now."""
    given = {word.strip() for word in also}
    known = known_addresses(conn, person) | {word for word in given if "@" in word}
    # Of somebody erased, the name is what everybody is to be shown, so it stays.
    names = {person.name, person.preferences.public.pseudonym} - {""} if person.erased_at is None else set()
    return _Words(person.id, known, Mentions(known | names | given))


def known_addresses(conn: Transaction, person: Person) -> frozenset[str]:
    """Return every address that the person wrote from, was written to, or wants to have."""
    written = erasing.written_by(conn, actor(person.id))
    froms = {sender for sender, _ in written} | {one for _, raw in written for one in addresses(parse(raw).headers.every("from"))}
    own = {person.address, *erasing.addresses_of(conn, person.id)}
    # The person may have written from an address that is somebody else's now. That one keeps it, and all its mail.
    mine = {address for address in froms if _is_free(conn, address, person.id)}
    return frozenset(address for address in own | mine if "@" in address)


def _is_free(conn: Transaction, address: str, player: PlayerId) -> bool:
    holder = people.player_by_address(conn, address) if "@" in address else None
    return holder is None or holder.id == player


def _refuse_early(conn: Transaction, ledger: Ledger, player: PlayerId, scan: _Scan, seen: Callable[[int], object] = lambda _: None) -> None:
    _refuse_ties(conn, ledger, player)
    scan.go_on(conn, seen)
    _refuse_waiting(scan)


def _refuse_ties(conn: Transaction, ledger: Ledger, player: PlayerId) -> None:
    there = ties(conn, ledger, player)
    if there:
        listed = "; ".join(tie.what for tie in there)
        raise NotAllowed("still_playing", f"{people.player(conn, player).name} still takes part: {listed}. See --leave.")


def _refuse_waiting(scan: _Scan) -> None:
    # Mail that waits may be a move, so it is not thrown away.
    if scan.waiting:
        told = f"Unread mail is theirs or names them ({scan.waiting}). Let the service read it first (turnserver tick)."
        raise NotAllowed("mail_waits", told)


def _came_afterwards(mail: Came, words: _Words) -> Came:
    own = mail.writer == actor(words.player)

    def kept(text: str) -> str:
        return "" if own or words.mentions.in_text(text) else text

    return mail._replace(
        # A mail that failed could be tried once more, and there is nothing left of it to try.
        status="done" if mail.status == "failed" else mail.status,
        sender=kept(mail.sender),
        recipient=kept(mail.recipient),
        writer=None if mail.writer and words.mentions.in_text(mail.writer) else mail.writer,
        outcome=GONE if mail.status == "failed" else _without(mail.outcome, words),
        error=_without(mail.error, words),
        raw=b"",
    )


def _went_afterwards(mail: Went, words: _Words) -> Went:
    """Return a mail of ours as erasing leaves it. Nothing more is sent to the person; mails to others go without their name and words."""
    if mail.player == words.player or (mail.address and words.mentions.in_text(mail.address)):
        status = "unwanted" if mail.status in _WAITING else mail.status
        detail = _to_json(_blank(msgspec.json.decode(mail.detail))).decode()
        return Went(mail.id, status, mail.player, None, detail, None, None, None, None, None)
    said = _clean(mail.detail, words)
    # Words of theirs may stand in the text without their name, so the text goes as a whole.
    passed_on = said != mail.detail and not words.mentions.in_text(mail.detail)
    return mail._replace(
        detail=said,
        text=None if mail.text and (passed_on or words.mentions.in_text(mail.text)) else mail.text,
        last_error=_without(mail.last_error, words),
        answer=_without(mail.answer, words),
        reason=_without(mail.reason, words),
        in_reply_to=None if mail.in_reply_to and words.mentions.in_text(mail.in_reply_to) else mail.in_reply_to,
    )


def _without(text: str | None, words: _Words) -> str | None:
    return words.mentions.without(text, words.shown) if text and words.mentions.in_text(text) else text


def _clean(detail: str, words: _Words) -> str:
    """Return a detail without the person's name, addresses and words."""

    def clean(value: Any) -> Any:  # noqa: ANN401  # JSON
        match value:
            # Words that are passed on stand beside the number of whoever said them.
            case {"player": words.player, "text": str(), **rest}:
                return {**{name: clean(one) for name, one in rest.items()}, "player": words.player, "text": ""}
            case dict():
                return {name: clean(one) for name, one in value.items()}
            case list():
                return [clean(one) for one in value]
            case str():
                return _without(value, words)
            case _:
                return value

    decoded = msgspec.json.decode(detail)
    cleaned = clean(decoded)
    return detail if cleaned == decoded else _to_json(cleaned).decode()


def _blank(value: Any) -> Any:  # noqa: ANN401  # JSON
    match value:
        case dict():
            return {name: _blank(one) for name, one in value.items()}
        case list():
            return [_blank(one) for one in value]
        case str():
            return ""
        case _:
            return value


def plans_of(conn: Transaction, player: PlayerId) -> Iterable[tuple[GameId, str]]:
    """Yield the game and digest of every plan that the player laid."""
    for game in games_of(conn, player):
        seated: dict[int, PlayerId] = {}
        for row in log.load(conn, game_stream(game)):
            match row.event:
                case e.GameOpened(players=players):
                    seated = dict(enumerate(players, start=1))
                case e.SubstituteSeated(seat=seat, player=coming):
                    # A seat may change hands, and a plan is that of whoever sat there.
                    seated[seat] = coming
                case e.PlanLaid(seat=seat, digest=plan) if seated.get(seat) == player:
                    yield game, plan
                case (
                    e.GameStarted()
                    | e.PlanLaid()
                    | e.PlanDropped()
                    | e.PlanActed()
                    | e.SeatResigned()
                    | e.SeatLeft()
                    | e.InvitationEvent()
                    | e.TurnEvent()
                    | e.ProposalEvent()
                    | e.LateEvent()
                    | e.SeatOfferEvent()
                    | e.ClockEvent()
                    | e.EndEvent()
                ):
                    pass
                case _:
                    assert_never(row.event)


# One for all, so that the same files make the same bytes; a ZIP knows no earlier day.
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
_encode = msgspec.json.Encoder(enc_hook=str).encode

README: Final = """What this service keeps on {name}, player {number}.

Files whose names end in .jsonl hold one JSON object a line, with the columns of the table as they are stored. Instants are UTC.

account/        a file for each table that has something under the player's number: the account with what was chosen (player), a new
                address that waits to be confirmed (confirmation), whether mail arrives (reach), how turns were kept to time
                (reliability), seats (seat), leagues (league_player), ratings (rating), lines of chat (chat), private notes
                (note), names in archived games (archive_name)
plans.jsonl     plans that the player laid
events.jsonl    what is in the log: what the player did, what became of the account, everything at a table where the player sat, and
                whatever names the player in a league. Others have numbers there, and no names. `cause` is what asked for it; those that
                begin with mail: name a mail of the inbox by its `identity`
inbox.jsonl     mails from the player, as they were handled; in-N.eml beside it is mail N to the byte
outbox.jsonl    mails to the player, with the text that was sent; out-N.eml beside it is mail N as it would be sent now, with its pictures

The texts of mails name those who played with the player, since that is what was sent. Nothing else of others is in here: neither what
they wrote, even if it names the player, nor mails to them or to the admin that do.
What is kept of mails that were erased is their digest and length (`erased`). Copies of mails on mail servers, logs and backups are not
in here.
"""


def files(conn: Transaction, player: PlayerId, dispatcher: Dispatcher) -> dict[str, bytes]:
    """Return everything that is kept on a player, by the names of files. Raises NotFound."""
    person = people.player(conn, player)
    addresses = known_addresses(conn, person)
    found = {"README.txt": README.format(name=person.name, number=player).encode()}
    found |= {f"account/{name}.jsonl": _lines(rows) for name, rows in erasing.rows(conn, player).items() if rows}
    found["plans.jsonl"] = _lines(
        {"game": game, "plan": kept.digest, "text": kept.text, "salt": kept.salt.hex()}
        for game, plan in plans_of(conn, player)
        if (kept := plans.of(conn, game, plan)) is not None
    )
    found["events.jsonl"] = _lines(
        {**one._asdict(), "data": msgspec.Raw(one.data.encode())} for one in trail.every(conn, trail.Asked(player=player))
    )
    came, went = erasing.mails_from(conn, actor(player), addresses), erasing.mails_to(conn, player, addresses)
    found["inbox.jsonl"] = _lines({name: value for name, value in row.items() if name != "raw"} for row in came)
    found |= {f"in-{int(row['id'] or 0)}.eml": raw for row in came if isinstance(raw := row["raw"], bytes) and raw}
    found["outbox.jsonl"] = _lines({**row, "detail": msgspec.json.decode(str(row["detail"]))} for row in went)
    for row in went:
        with suppress(TurnserverError, KeyError):  # what cannot be written any more, because nothing is left to write it from
            item = outbox.get(conn, int(row["id"] or 0))
            found[f"out-{item.id}.eml"] = dispatcher.render(item).mail.raw
    return found


def packed(found: dict[str, bytes]) -> bytes:
    """Return the files as a ZIP: the same bytes for the same files."""
    target = BytesIO()
    with ZipFile(target, "w") as archive:
        for name in sorted(found):
            entry = ZipInfo(name, _LONG_AGO)
            entry.compress_type = ZIP_DEFLATED
            # The upper half holds the permissions of Unix: whatever is unpacked is for its owner alone.
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, found[name])
    return target.getvalue()


def _lines(rows: Iterable[Row | dict[str, Any]]) -> bytes:
    return b"".join(_encode(row) + b"\n" for row in rows)
