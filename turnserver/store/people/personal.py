"""What every column with text or bytes holds of people: how it is erased, or why there is nothing personal in it.

A test demands that each such column stands here, so a new one cannot be forgotten; `turnserver/AUDIT.md` shows this table. Numbers of
players and counts are not listed: a number stays its player's for ever, and says nothing once his row says nothing.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_INSTANT: Final = "an instant"
_OURS: Final = "a word or a number of the service's own"
_WHERE_NAMED: Final = "`former player N` stands in his place, and the row stays"

PERSONAL: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "player": {
            "name": "empty; where it was shown, `former player N` is",
            "name_key": "no name that anybody could have, so that his is free",
            "address": "empty",
            "address_key": "no address that anybody could have, so that his is free",
            "zone": "UTC; the zones of his seats and vacations stay in the log, where deadlines follow from them",
            "mail": "as it is for everybody at first",
            "digest": "empty",
            "quiet": "empty",
            "board": "as it is for everybody at first",
            "language": "English",
            "confirmed_at": "empty",
        },
        "confirmation": {
            "name": "the row goes",
            "address": "the row goes",
            "address_key": "the row goes",
            "expires_at": "the row goes",
        },
        "reach": {"since": "empty", "why": "empty: it may hold his address"},
        "chat": {"at": "the row goes", "text": f"the row goes if he said it; if somebody else names him, {_WHERE_NAMED}"},
        "archive": {"words": "empty if anything in it names him"},
        "archive_name": {"name": "empty if it is his"},
        "plan": {
            "digest": "the row goes; the digest stays in the log",
            "text": "the row goes",
            "salt": "the row goes",
            "laid_at": "the row goes",
        },
        "inbox": {
            "recipient": "empty, in his mails and where it names him",
            "sender": "empty, in his mails and where it names him",
            "raw": "empty, in his mails and in all that name him, encoded or not; `erased` keeps SHA-256 and length",
            "outcome": _WHERE_NAMED,
            "error": _WHERE_NAMED,
            "writer": "empty if it is an address; the number of a player stays",
        },
        "outbox": {
            "address": "empty",
            "address_key": "empty",
            "detail": f"without any text in mails to him; in others {_WHERE_NAMED}, and what he said goes",
            "in_reply_to": "empty in mails to him: his mail program made it",
            "last_error": f"empty in mails to him; in others {_WHERE_NAMED}",
            "text": "empty, in mails to him and in all that name him or pass on what he said; `erased` keeps SHA-256 and length",
            "answer": f"empty in mails to him; in others {_WHERE_NAMED}",
            "reason": f"empty in mails to him; in others {_WHERE_NAMED}",
        },
    }
)
"""The columns that can name somebody, by table, each with what is left of it when he is erased."""

IMPERSONAL: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "event": {
            "stream": "players have numbers in the log",
            "type": _OURS,
            "at": _INSTANT,
            "actor": "the number of a player, or the login name of an admin",
            "cause": "a digest of the mail that asked, or a number that the command line has made up",
            "data": "players have numbers; moves are notation; reasons are the words of admins, who have to leave names out",
            "hash": "a digest of all this",
        },
        "counter": {"name": _OURS},
        "player": {"created_at": "the log has it too", "erased_at": _INSTANT, "wiped_at": _INSTANT},
        "reach": {"cleared_at": _INSTANT},
        "game": {
            "game": "a key of the catalogue",
            "options": "how the game is played",
            "status": _OURS,
            "deadline_at": _INSTANT,
            "due_at": _INSTANT,
            "opened_at": _INSTANT,
            "ended_at": _INSTANT,
            "outcome": _OURS,
            "ended_by": _OURS,
            "winners": "numbers of seats",
        },
        "archive": {
            "game": "a key of the catalogue",
            "outcome": _OURS,
            "digest": "a digest of what the log says of the game",
            "imported_at": _INSTANT,
        },
        "league": {
            "name": "an admin's word for it",
            "name_key": "an admin's word for it",
            "game": "a key of the catalogue",
            "phase": _OURS,
            "due_at": _INSTANT,
            "opens_at": _INSTANT,
            "opened_at": _INSTANT,
        },
        "result": {
            "key": "a key of the catalogue",
            "at": _INSTANT,
            "sides": "numbers of players",
            "places": "numbers",
        },
        "rating": {"key": "a key of the catalogue", "at": _INSTANT},
        "rated": {"key": "a key of the catalogue", "since": _INSTANT},
        "inbox": {
            "identity": "a digest of the mail, by which a copy is known",
            "source": _OURS,
            "received_at": _INSTANT,
            "status": _OURS,
            "lease_until": _INSTANT,
            "lease_owner": "which process of which machine, as numbers",
            "handled_at": _INSTANT,
            "erased": "a digest of what was erased, and how long it was",
        },
        "outbox": {
            "kind": _OURS,
            "message_id": "a digest that nobody can guess, made with a key",
            "created_at": _INSTANT,
            "status": _OURS,
            "due_at": _INSTANT,
            "next_at": _INSTANT,
            "lease_until": _INSTANT,
            "lease_owner": "which process of which machine, as numbers",
            "sent_at": _INSTANT,
            "report": _OURS,
            "reported_at": _INSTANT,
            "answered_at": _INSTANT,
            "erased": "a digest of what was erased, and how long it was",
        },
        "checkpoint": {
            "at": _INSTANT,
            "reason": _OURS,
            "root": "digests of the log",
            "note": "digests of the log, and signatures",
            "frontier": "digests of the log",
        },
        "restoration": {"at": _INSTANT, "reason": _OURS, "since": _INSTANT},
        "loss": {"subject": _OURS, "evidence": _OURS, "at": _INSTANT, "reported_at": _INSTANT},
        "rest": {"since": _INSTANT, "why": _OURS},
        "mailbox": {"account": "the service's own mailbox", "folder": "a folder of it", "began_at": _INSTANT, "read_at": _INSTANT},
        "fetched": {"account": "the service's own mailbox", "folder": "a folder of it"},
        "reader": {
            "account": "the service's own mailbox",
            "lease_owner": "which process of which machine, as numbers",
            "lease_until": _INSTANT,
            "retry_at": _INSTANT,
        },
        "outage": {"began_at": _INSTANT, "ended_at": _INSTANT},
        "heartbeat": {"at": _INSTANT},
        "secret": {"name": "a stream, or what a key of the service is for", "value": "random bytes", "made_at": _INSTANT},
    }
)
"""The other columns, by table, each with the reason why nothing in it is erased."""

TABLES: Final = tuple(sorted(PERSONAL))
"""The tables that are written anew when somebody was erased."""


def as_table() -> str:
    """Both as a table in Markdown, for people."""
    lines = ["| Column | Of somebody who is erased |", "|---|---|"]
    for name in sorted({*PERSONAL, *IMPERSONAL}):
        lines += [f"| `{name}.{column}` | {told} |" for column, told in PERSONAL.get(name, {}).items()]
        same: dict[str, list[str]] = {}
        for column, why in IMPERSONAL.get(name, {}).items():
            same.setdefault(why, []).append(f"`{name}.{column}`")
        lines += [f"| {', '.join(columns)} | stays: {why} |" for why, columns in same.items()]
    return "\n".join(lines) + "\n"
