"""Everything that is kept on a person, as files for that person: the same rows, the same mails, the same bytes each time."""

from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from turnserver.errors import TurnserverError
from turnserver.ids import PlayerId
from turnserver.service.games.ledger import actor
from turnserver.service.mailroom.dispatch import Dispatcher
from turnserver.service.people.erasing import known_addresses, plans_of
from turnserver.store.games import plans
from turnserver.store.log import trail
from turnserver.store.log.database import Transaction
from turnserver.store.mail import outbox
from turnserver.store.people import accounts as people
from turnserver.store.people import dossier
from turnserver.store.people.dossier import Row

_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
_encode = msgspec.json.Encoder(enc_hook=str).encode

README: Final = """What this service keeps on {name}, player {number}.

Files whose names end in .jsonl hold one JSON object a line, with the columns of the table as they are stored. Instants are UTC.

account/        a file for each table that has something under the player's number: the account with what was chosen (player), a new
                address that waits to be confirmed (confirmation), whether mail arrives (reach), how turns were kept to time
                (reliability), seats (seat), leagues (league_player), ratings (rating), lines of chat (chat), names in
                archived games (archive_name)
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
    """Everything that is kept on a player, by the names of files. Raises NotFound."""
    person = people.player(conn, player)
    addresses = known_addresses(conn, person)
    found = {"README.txt": README.format(name=person.name, number=player).encode()}
    found |= {f"account/{name}.jsonl": _lines(rows) for name, rows in dossier.rows(conn, player).items() if rows}
    found["plans.jsonl"] = _lines(
        {"game": game, "plan": kept.digest, "text": kept.text, "salt": kept.salt.hex()}
        for game, plan in plans_of(conn, player)
        if (kept := plans.of(conn, game, plan)) is not None
    )
    found["events.jsonl"] = _lines(_event(one) for one in trail.every(conn, trail.Asked(player=player)))
    came, went = dossier.came(conn, actor(player), addresses), dossier.went(conn, player, addresses)
    found["inbox.jsonl"] = _lines({name: value for name, value in row.items() if name != "raw"} for row in came)
    found |= {f"in-{int(row['id'] or 0)}.eml": raw for row in came if isinstance(raw := row["raw"], bytes) and raw}
    found["outbox.jsonl"] = _lines({**row, "detail": msgspec.json.decode(str(row["detail"]))} for row in went)
    for row in went:
        with suppress(TurnserverError, KeyError):  # what cannot be written any more, because nothing is left to write it from
            item = outbox.get(conn, int(row["id"] or 0))
            found[f"out-{item.id}.eml"] = dispatcher.render(item).mail.raw
    return found


def packed(found: dict[str, bytes]) -> bytes:
    """The files as a ZIP: the same bytes for the same files."""
    target = BytesIO()
    with ZipFile(target, "w") as archive:
        for name in sorted(found):
            entry = ZipInfo(name, _LONG_AGO)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, found[name])
    return target.getvalue()


def _lines(rows: Iterable[Row | dict[str, Any]]) -> bytes:
    return b"".join(_encode(row) + b"\n" for row in rows)


def _event(trace: trail.Trace) -> dict[str, Any]:
    return {**trace._asdict(), "data": msgspec.Raw(trace.data.encode())}
