"""Digests that players have kept find their event, or prove that history is another one now."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.cli.audit.past import Past
from tests.cli.typed import declared, typed
from tests.service.leagues import league_world
from turnserver.audit.checkpoints import in_text
from turnserver.audit.checkpoints import typed as read
from turnserver.cli.audit.witness import Witness
from turnserver.errors import BadOption
from turnserver.ids import GameId


@pytest.fixture
def past(tmp_path: Path, database_url: str) -> Iterator[Past]:
    """A game in which both have moved once, on each engine."""
    past = Past(tmp_path, database_url)
    past.world.open()
    for name, move in (("Ada", "a1"), ("Bob", "c2")):
        past.world.wait(hours=1)
        past.world.answer(name, move)
    past.world.settle()
    past.look()
    yield past
    past.close()


def witnesses(past: Past, words: str, code: int, answer: str | None = None) -> list[Witness]:
    result = past.run(f"audit witness --json {words}", answer)
    assert result.exit_code == code
    found = declared(result.stdout, "audit witness")
    assert isinstance(found, list)
    return found


def hashes(past: Past) -> list[str]:
    return [row.hash.hex() for row in past.world.service.games.history(GameId(1))]


def test_a_mail_is_a_witness(past: Past) -> None:
    mail = past.world.text("Ada")
    [digest] = in_text(mail.encode())
    version = next(at for at, each in enumerate(hashes(past), 1) if each.startswith(digest))
    [one] = witnesses(past, "", 0, mail)
    [event] = one.found
    assert (event.stream, event.version, event.hash) == ("game-1", version, hashes(past)[version - 1])
    assert (event.later, event.broken, event.sealed) == (len(hashes(past)) - version, [], None)
    assert event.turn in ("Ada", "Bob")
    assert event.board
    assert event.board.strip().splitlines()[-1] in mail
    assert event.mails


def test_it_may_be_typed_as_one_likes(past: Past) -> None:
    last = hashes(past)[-1]
    first, second = witnesses(past, f"'{last[:8].upper()} {last[8:16]}.' {hashes(past)[0]}", 0)
    assert [first.found[0].version, second.found[0].version] == [len(hashes(past)), 1]
    told = past.printed(f"audit witness {last[:16]}")
    assert "The chain of hashes to now holds." in told or "chain of hashes to now holds." in " ".join(told.split())
    assert "There is no checkpoint yet" in " ".join(told.split())


def test_what_is_in_no_history_is_said_to_be_in_none(past: Past) -> None:
    last = hashes(past)[-1][:16]
    wrong = f"{last[:3]}{'0' if last[3] != '0' else '1'}{last[4:]}"
    [one] = witnesses(past, wrong, 1)
    assert (one.found, len(one.near)) == ([], 1)
    result = typed(past, f"audit witness {wrong}")
    said = " ".join(result.stdout.split())
    assert result.exit_code == 1
    assert f"none of {one.events} events has a hash that begins with it" in said
    assert one.root in "".join(result.stdout.split())
    assert f"One digit differs from the hash at position {one.near[0]}" in said


@for_each("text", ["abc", "0123456789abcdefg", "f" * 65, "zzzzzzzz"])
def test_what_is_no_digest_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="is no digest"):
        read(text)


def test_a_text_without_one_is_refused(past: Past) -> None:
    result = past.run("audit witness", "Hello,\nmy key is 0123456789abcdef@club.example\n")
    assert result.exit_code in (1, 2)
    assert "no digest in this text" in result.output


def test_digests_are_found_in_quotations_and_in_encoded_mails() -> None:
    digest = sha256(b"x").hexdigest()[:16]
    head = "Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    mail = f"{head}> digest: {digest[:9]}=\n{digest[9:]}.\n"
    assert in_text(mail.encode()) == [digest]
    assert in_text(f"> Pr\u00fcfsumme: {digest.upper()}.\n> {digest}".encode()) == [digest]


def test_a_rewritten_history_is_betrayed(tmp_path: Path, sqlite_url: str) -> None:
    past = Past(tmp_path, sqlite_url)
    past.world.open()
    past.world.wait(hours=1)
    past.world.answer("Ada", "a1")
    past.look()
    digest = hashes(past)[3][:16]
    past.close()
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("DROP TRIGGER event_no_update")
        connection.execute("UPDATE event SET at = replace(at, ':00:', ':01:') WHERE stream = 'game-1' AND version = 5")
    connection.close()
    [one] = witnesses(past, digest, 1)
    assert len(one.found[0].broken) == 1
    assert "broken at position" in " ".join(typed(past, f"audit witness {digest}").stdout.split())


def test_mails_of_leagues_are_witnesses_too(tmp_path: Path, sqlite_url: str) -> None:
    past = Past(tmp_path, sqlite_url)
    past.world.want("html", "Ada")
    league = league_world.open_league(past.world)
    league_world.begin(past.world, league)
    past.look()
    rows = past.world.service.leagues.history(league)
    mail = next(mail for mail in past.world.mails("Ada") if "Take Winter; digest" in " ".join(bodies(mail)[0].split()))
    shown = {row.version for digest in in_text(mail.as_bytes()) for row in rows if row.hash.hex().startswith(digest)}
    assert len(shown) == 1
    assert ["; digest of" in body for body in bodies(mail)] == [True, True]
    [one] = witnesses(past, "", 0, bodies(mail)[0])
    assert (one.found[0].stream, one.found[0].version, one.found[0].board) == ("league-1", *shown, None)
    past.close()


def bodies(mail: EmailMessage) -> list[str]:
    """The mail as text and as HTML."""
    found = [mail.get_body((kind,)) for kind in ("plain", "html")]
    return [str(part.get_content()) for part in found if part is not None]
