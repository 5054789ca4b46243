"""Signing in by a link: once, by its player alone, for a while; and nothing but digests is kept of what gives the right to it."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest

from tests.processes import start
from tests.service.signing import LINK, sign_in_link, signed_in
from tests.service.world import SITE, Chance, World
from turnserver.errors import NotFound, Refusal
from turnserver.ids import PlayerId
from turnserver.mail.format.tokens import Purpose, Token, sign
from turnserver.service.pages.sessions import WITHIN, Sessions
from turnserver.service.upkeep import losses
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database
from turnserver.store.log.tables import METADATA
from turnserver.store.mail import delivery_reports
from turnserver.store.people import sessions as rows
from turnserver.store.people.sessions import LASTS

STATEMENTS = 8
"""At least so many are executed on the way; a test that killed at fewer would have missed something."""


@pytest.fixture
def club(database_url: str, tmp_path: Path) -> Iterator[World]:
    """A world with chance, over each engine in turn."""
    db = Database.connect(database_url)
    yield World(db, tmp_path / "mail", entropy=Chance())
    db.close()


def number(world: World, name: str) -> PlayerId:
    return world.service.people.find(name).id


def tried(pages: Sessions, opened_by: str, nonce: str = "one form") -> str:
    """Sign in; gives the code of the refusal, or nothing."""
    try:
        pages.sign_in(opened_by, nonce, "a test")
    except Refusal as refused:
        return refused.code
    return ""


def test_a_link_signs_its_player_in(club: World) -> None:
    pages, opened_by = club.service.pages.sessions, sign_in_link(club, "Ada")
    assert pages.invitee(opened_by).name == "Ada"
    secret = pages.sign_in(opened_by, "one form", "Firefox on Linux")
    assert pages.player(secret) == number(club, "Ada")
    (only,) = pages.of(number(club, "Ada"), secret)
    assert (only.browser, only.made_at, only.seen_at, only.is_this) == ("Firefox on Linux", club.now, club.now, True)
    assert pages.of(number(club, "Bob"), secret) == []


def test_a_link_works_once_and_the_form_that_used_it_may_come_again(club: World) -> None:
    pages, opened_by = club.service.pages.sessions, sign_in_link(club, "Ada")
    first = pages.sign_in(opened_by, "one form", "a test")
    assert pages.sign_in(opened_by, "one form", "a test") == first
    assert tried(pages, opened_by, "another tab") == "used_link"
    with pytest.raises(Refusal, match="used already"):
        pages.invitee(opened_by)
    assert len(pages.of(number(club, "Ada"), first)) == 1
    pages.end_all(number(club, "Ada"))
    assert tried(pages, opened_by) != ""
    assert pages.player(first) is None


REFUSED: dict[str, Callable[[World], str]] = {
    "nothing": lambda _: "",
    "words": lambda _: "let me in",
    "a link that nobody has signed": lambda _: "1-7-7-7-1-" + 26 * "a",
    "a link that was never made": lambda world: signed(world, Purpose.SIGN_IN),
    "a link to a page": lambda world: signed(world, Purpose.PAGE),
    "a reply address": lambda world: signed(world, Purpose.REPLY),
    "a link to unsubscribe": lambda world: signed(world, Purpose.UNSUBSCRIBE),
    "a link in capitals": lambda world: sign_in_link(world, "Ada").upper(),
}


def signed(world: World, purpose: Purpose) -> str:
    with world.service.db.read() as conn:
        return sign(keyring.keys(conn, keyring.REPLY), Token(number(world, "Ada")), purpose)


@pytest.mark.parametrize("what", REFUSED)
def test_nothing_else_signs_anybody_in(club: World, what: str) -> None:
    opened_by = REFUSED[what](club)
    with pytest.raises(NotFound):
        club.service.pages.sessions.invitee(opened_by)
    with pytest.raises(NotFound):
        club.service.pages.sessions.sign_in(opened_by, "one form", "a test")


def test_a_link_is_no_use_for_anything_else(club: World) -> None:
    club.open()
    opened_by = sign_in_link(club, "Ada")
    with pytest.raises(NotFound):
        club.service.pages.turns.see(opened_by)
    assert club.service.people.unsubscriber(opened_by) is None
    box, _, domain = SITE.partition("@")
    club.answer("Ada", "settings", to=f"{box}+{opened_by}@{domain}")
    assert "refused" in club.outcome()


def test_links_and_sessions_are_over_in_the_end(club: World) -> None:
    pages, old, fresh = club.service.pages.sessions, sign_in_link(club, "Ada"), sign_in_link(club, "Ada")
    secret = pages.sign_in(fresh, "one form", "a test")
    club.now += WITHIN
    assert tried(pages, old) == "old_link"
    assert tried(pages, fresh) == ""
    club.now += LASTS - WITHIN - timedelta(seconds=1)
    assert pages.player(secret) == number(club, "Ada")
    with club.service.db.write() as tx:
        rows.seen(tx, secret, club.now)
    club.now += LASTS - timedelta(seconds=1)
    assert pages.player(secret) == number(club, "Ada")
    club.now += timedelta(seconds=1)
    assert pages.player(secret) is None
    assert pages.of(number(club, "Ada"), secret) == []


def test_what_is_over_is_forgotten(club: World) -> None:
    club.service.pages.sessions.sign_in(sign_in_link(club, "Ada"), "one form", "a test")
    kept = []
    for days in (0.5, 0.5, 88.9, 0.1):
        club.now += timedelta(days=days)
        with club.service.db.write() as tx:
            if rows.any_expired(tx, club.now):
                rows.erase_expired(tx, club.now)
        kept.append(tuple(len(everything(club)[name]) for name in ("sign_in", "session")))
    assert kept == [(1, 1), (0, 1), (0, 1), (0, 0)]


def test_a_player_ends_their_own_sessions_alone(club: World) -> None:
    pages, ada, bob = club.service.pages.sessions, number(club, "Ada"), number(club, "Bob")
    first, second = (pages.sign_in(sign_in_link(club, "Ada"), "one form", "a test") for _ in range(2))
    other = pages.sign_in(sign_in_link(club, "Bob"), "one form", "a test")
    unused = sign_in_link(club, "Ada")
    assert not pages.end(bob, rows.digest(first))
    assert pages.end(ada, rows.digest(first))
    assert [pages.player(secret) for secret in (first, second, other)] == [None, ada, bob]
    pages.end_all(ada)
    assert [pages.player(secret) for secret in (second, other)] == [None, bob]
    assert tried(pages, unused) != ""


def test_only_digests_are_kept(club: World) -> None:
    opened_by = sign_in_link(club, "Ada")
    secret = club.service.pages.sessions.sign_in(opened_by, "one form", "a test")
    there = str(everything(club))
    assert not [one for one in (secret, opened_by, opened_by.rpartition("-")[2]) if one in there]
    assert rows.digest(secret) in there


def test_whoever_uses_a_link_has_confirmed_their_address(club: World) -> None:
    club.service.people.add("Dora", "dora@example.org", actor="admin:test", cause="test:dora")
    assert club.service.people.find("Dora").confirmed_at is None
    signed_in(club, "Dora")
    assert club.service.people.find("Dora").confirmed_at == club.now


def test_whoever_uses_a_link_can_be_reached_again(club: World) -> None:
    """A link goes to a player whose mail came back too: their mailbox may work by now."""
    game = club.open()
    with club.service.db.write() as tx:
        delivery_reports.mark_unreachable(tx, number(club, "Ada"), club.now, "550 no such user")
    signed_in(club, "Ada")
    with club.service.db.read() as conn:
        assert delivery_reports.deliverability(conn, number(club, "Ada")).since is None
    club.settle()
    assert [mail["Subject"] for mail in club.mails("Ada")][-1].startswith(f"[Take {game}]")


@pytest.mark.parametrize("by", ["an admin", "a mail from there"])
def test_whoever_has_a_new_address_is_signed_out(club: World, by: str) -> None:
    """Somebody else may read the old one."""
    if by == "an admin":
        club.service.people.add("Dora", "dora@example.org", actor="admin:test", cause="test:dora")
        with club.service.db.write() as tx:
            rows.begin(tx, "a secret", number(club, "Dora"), "a test", club.now)
        club.service.people.edit("Dora", address="dora@example.net", actor="admin:test", cause="test:edit")
        assert club.service.pages.sessions.player("a secret") is None
        return
    unused, secret = sign_in_link(club, "Ada"), signed_in(club, "Ada")
    club.service.people.edit("Ada", address="ada@example.net", actor="admin:test", cause="test:edit")
    club.settle()
    assert club.service.pages.sessions.player(secret) == number(club, "Ada")
    club.answer("ada@example.net", "confirm", sender="ada@example.net")
    ada = club.service.people.find("Ada")
    assert (ada.address, ada.preferences.calendar_edition) == ("ada@example.net", 1)
    assert club.service.pages.sessions.player(secret) is None
    assert tried(club.service.pages.sessions, unused) != ""


def test_whoever_was_erased_is_signed_out(club: World) -> None:
    pages, unused = club.service.pages.sessions, sign_in_link(club, "Ada")
    secret = pages.sign_in(sign_in_link(club, "Ada"), "one form", "a test")
    club.service.people.erase(number(club, "Ada"), actor="admin:test", cause="test:erase")
    assert pages.player(secret) is None
    assert tried(pages, unused) == "not_found"
    assert [everything(club)[name] for name in ("sign_in", "session")] == [[], []]


@pytest.mark.parametrize("reason", ["restored", "noticed"])
def test_a_database_that_was_put_back_revives_nothing(club: World, reason: str) -> None:
    """Sessions that had ended since the backup are among those that it holds."""
    pages, unused = club.service.pages.sessions, sign_in_link(club, "Ada")
    secret = pages.sign_in(sign_in_link(club, "Ada"), "one form", "a test")
    with club.service.db.write() as tx:
        losses.begin(tx, os.urandom, club.now, lost=True, reason=reason)
    assert pages.player(secret) is None
    assert tried(pages, unused) != ""


@pytest.mark.engines
def test_of_two_processes_at_once_one_signs_in(club: World) -> None:
    opened_by, together, codes = sign_in_link(club, "Ada"), Barrier(2), list[str]()

    def press(nonce: str) -> None:
        pages = club.another_process().pages.sessions
        together.wait()
        codes.append(tried(pages, opened_by, nonce))

    tabs = [Thread(target=press, args=(nonce,)) for nonce in ("this one", "that one")]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(codes) == ["", "used_link"]
    assert len(everything(club)["session"]) == 1


@pytest.mark.long
@pytest.mark.thorough
def test_a_form_counts_once_wherever_its_process_is_killed(club: World, database_url: str) -> None:
    """Every life ends with nothing done or everything done; the browser that sends the form again is signed in, and one mail is sent."""
    seen, end = list[tuple[int, ...]](), "killed"
    opened_by = sign_in_link(club, "Ada")
    with start("sign_in", database_url, str(club.directory), opened_by, "bob@example.org", module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            if (end := process.hear()) == "killed":
                seen.append(written(club))
    assert end == "done"
    steps = [(0, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 1)]
    assert seen == sorted(seen)
    assert set(seen) == set(steps)
    assert seen.count(steps[0]) > STATEMENTS
    assert seen.count(steps[1]) > STATEMENTS
    assert club.service.pages.sessions.player(club.service.pages.sessions.sign_in(opened_by, "one form", "a test")) == number(club, "Ada")
    club.now += WITHIN / 3
    club.settle()
    (mailed,) = LINK.findall(club.text("Bob"))
    assert club.service.pages.sessions.invitee(mailed).name == "Bob"
    assert written(club) == steps[-1]


def written(world: World) -> tuple[int, ...]:
    """Count the used links of Ada, her sessions, and the links of Bob and the mails with them."""
    there = everything(world)
    ada, bob = number(world, "Ada"), number(world, "Bob")
    used = sum(row[1] == ada and row[-1] is not None for row in there["sign_in"])
    links = sum(row[1] == bob for row in there["sign_in"])
    return used, len(there["session"]), links, sum(row[1] == "sign_in" and row[2] == bob for row in there["outbox"])


def everything(world: World) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    with world.service.db.engine.connect() as conn:
        return {name: [tuple(row) for row in conn.execute(table.select())] for name, table in METADATA.tables.items()}
