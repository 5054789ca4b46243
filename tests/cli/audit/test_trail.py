"""The trail of who did what, when, and through which mail or command, as an admin sees it; with mails that really came."""

import csv
import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.audit.past import Past
from tests.cli.typed import declared, typed
from turnserver.audit.past import because
from turnserver.cli.audit.shapes import MailBehind, TrailEntry
from turnserver.store.log import trail
from turnserver.store.log.trail import Asked
from turnserver.store.mail import inbox

FIRST_MOVE = 5
"""The version of the first turn in a game of two."""


@pytest.fixture
def past(tmp_path: Path, sqlite_url: str) -> Iterator[Past]:
    """A game in which both have moved once by mail, an hour apart, and which an admin has then cancelled."""
    past = Past(tmp_path, sqlite_url)
    _play(past)
    yield past
    past.close()


def _play(past: Past) -> None:
    world = past.world
    world.open()
    for name, move in (("Ada", "a1"), ("Bob", "c2")):
        world.wait(hours=1)
        world.answer(name, move)
    world.wait(hours=1)
    past.look()
    past.printed("game cancel 1 --reason 'the club is closed' --yes")


def test_pages_are_the_whole(past: Past) -> None:
    whole = past.printed("audit trail --game 1 --per-page 100")
    pages = [past.printed(f"audit trail --game 1 --per-page 3 --page {page}") for page in (1, 2, 3)]
    assert past.printed("audit trail --game 1 --per-page 3") == pages[-1]
    assert "Page 3 of 3; 7 events in all." in pages[-1]
    for sentence in ("Turn 1: Ada (Red) played a1.", "the club is closed"):
        assert sentence in " ".join(whole.split())
        assert sum(sentence in " ".join(page.split()) for page in pages) == 1


def test_every_entry_is_the_log_with_its_cause(past: Past) -> None:
    entries = declared(typed(past, "audit trail --json").stdout, "audit trail")
    assert isinstance(entries, list)
    assert [one.position for one in entries] == list(range(1, len(entries) + 1))
    move: TrailEntry = next(one for one in entries if one.type == "game.turn_played")
    with past.db.read() as conn:
        mail = inbox.get(conn, move.mail or 0)
    assert (move.actor, move.name, move.arrived_at, move.sender) == ("player-1", "Ada", mail.received_at, "ada@example.org")
    assert (move.cause, move.how) == (f"mail:{mail.identity}", f"mail {mail.id} from ada@example.org")
    assert move.data["steps"] == ["a1"]
    end = entries[-1]
    assert (end.type, end.mail, end.how.split(",")[0], end.actor.split(":")[0]) == ("game.ended", None, "a command", "admin")


def test_lines_and_csv_tell_the_same(past: Past) -> None:
    whole: Any = past.json("audit trail --game 1 --json")
    assert [msgspec.json.decode(line) for line in past.printed("audit trail --game 1 --lines").splitlines()] == whole
    rows = list(csv.DictReader(StringIO(past.printed("audit trail --game 1 --csv"))))
    assert [(int(row["position"]), row["type"], row["cause"], msgspec.json.decode(row["data"])) for row in rows] == [
        (one["position"], one["type"], one["cause"], one["data"]) for one in whole
    ]
    assert past.json("audit trail --type league --json") == []


SAYS = {
    "a page for programs": ("audit trail --lines --per-page 2 --page 2 --game 1", 2),
    "whom it concerns": ("audit trail --player Bob --lines", 8),
    "what somebody did": ("audit trail --actor bob@example.org --lines", 3),
    "what players did": ("audit trail --actor players --lines", 5),
    "what an admin did": ("audit trail --actor admin:test --lines", 4),
    "since a time": ("audit trail --since '2026-03-01 14:00' --lines", 3),
    "until a time": ("audit trail --game 1 --until '2026-03-01 14:00' --lines", 5),
    "since a position": ("audit trail --since '#4' --until '#5' --lines", 2),
    "by the beginning of a cause": ("audit trail --cause cli --lines", 1),
}
REFUSES = {
    "no such page": ("audit trail --page 3", 1, "There is one page of such events; there is no page 3."),
    "no such type": ("audit trail --type chess", 1, "No type of event begins with 'chess'"),
    "no such game": ("audit trail --game 7", 1, "There is no game 7 here."),
    "two streams": ("audit trail --game 1 --league 1", 1, "give --game or --league."),
    "a version": ("audit trail --since 4", 1, "--since takes a position of the log such as #48211 or a time"),
    "two forms": ("audit trail --json --csv", 1, "Choose one of --json, --lines and --csv."),
    "nobody": ("audit trail --player Zoe", 1, 'There is nobody here with the number, name or address "Zoe"'),
    "no mail behind it": ("audit mail game-1 1", 1, "There was no mail behind game-1 version 1: it was asked for by test"),
    "a command behind it": ("audit mail game-1 7", 1, "it was asked for by a command, "),
    "no such version": ("audit mail game-1 9", 1, "game-1 has had 7 events so far; there is no version 9."),
    "no such stream": ("audit mail game-2 1", 1, "There is no stream 'game-2'"),
    "no such position": ("audit mail '#99'", 1, "There is no event at position #99."),
    "no event": ("audit mail game-1", 1, "Say which event: `game-17 12` is version 12 of game 17"),
}


@pytest.mark.parametrize(("line", "count"), SAYS.values(), ids=SAYS)
def test_how_many(past: Past, line: str, count: int) -> None:
    assert len(past.printed(line).splitlines()) == count


@pytest.mark.parametrize(("line", "code", "fragment"), REFUSES.values(), ids=REFUSES)
def test_refuses_in_one_sentence(past: Past, line: str, code: int, fragment: str) -> None:
    result = past.run(line)
    assert fragment in result.stderr
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)


def test_the_mail_behind_an_event_is_what_came(past: Past) -> None:
    move = next(one for one in past.json("audit trail --type game.turn_played --json"))  # type: ignore[attr-defined]
    with past.db.read() as conn:
        came = inbox.get(conn, move["mail"])
    for event in (f"game-1 {FIRST_MOVE}", f"1 {FIRST_MOVE}", f"'#{move['position']}'"):
        assert typed(past, f"audit mail {event} --raw").stdout_bytes == came.raw
    behind = declared(typed(past, f"audit mail game-1 {FIRST_MOVE} --json").stdout, "audit mail")
    assert isinstance(behind, MailBehind)
    assert (behind.sha256, behind.size) == (hashlib.sha256(came.raw).hexdigest(), len(came.raw))
    assert (behind.received_at, behind.recipient, behind.sender) == (came.received_at, came.recipient, "ada@example.org")
    printed = past.printed(f"audit mail game-1 {FIRST_MOVE} -o {{dir}}/move.eml")
    assert (past.directory / "move.eml").read_bytes() == came.raw
    assert f"The mail is in {past.directory}/move.eml." in printed
    assert behind.sha256 in printed


def test_days_begin_and_end_where_the_site_is(past: Past) -> None:
    assert past.printed("audit trail --until 2026-02-28 --lines") == ""
    assert len(past.printed("audit trail --since 2026-03-01 --until 2026-03-01 --lines").splitlines()) == 10
    past.now += timedelta(days=400)
    assert past.printed("audit trail --since 2026-03-02 --lines") == ""


def test_a_mail_that_was_changed_is_called_so(past: Past) -> None:
    with past.db.read() as conn:
        move = next(one for one in trail.every(conn, Asked(type="game.turn_played")))
        found = because(conn, move.cause).mail
    assert found is not None
    assert "THESE BYTES" not in past.printed(f"audit mail game-1 {FIRST_MOVE}")
    with closing(sqlite3.connect(past.directory / "turnserver.db")) as hand, hand:
        hand.execute("UPDATE inbox SET raw = CAST(replace(raw, 'a1', 'b1') AS BLOB) WHERE id = ?", (found.id,))
    assert "THESE BYTES ARE NOT THE MAIL THAT THE LOG NAMES" in " ".join(past.printed(f"audit mail game-1 {FIRST_MOVE}").split())
    assert not msgspec.json.decode(past.printed(f"audit mail game-1 {FIRST_MOVE} --json"))["genuine"]


def test_a_mail_that_was_erased_is_said_to_be(past: Past) -> None:
    past.printed("player erase Ada --yes")
    said = past.run(f"audit mail game-1 {FIRST_MOVE}").stderr
    assert f"was behind game-1 version {FIRST_MOVE}, and its bytes are not kept any more: " in said
    entry: Any = past.json("audit trail --type game.turn_played --json")[0]  # type: ignore[index]
    assert (entry["name"], entry["sender"], entry["how"]) == ("former player 1", "", f"mail {entry['mail']}")
