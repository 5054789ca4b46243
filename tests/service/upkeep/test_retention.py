"""Old mail gives up its bytes after the time that the site has set; the log, and whatever is told from it, stays as it was."""

from datetime import timedelta
from email.message import EmailMessage
from hashlib import sha256
from typing import NamedTuple

import pytest

from tests.processes import start
from tests.service.world import World
from turnserver.audit.game.recheck import recheck
from turnserver.config import Retention
from turnserver.ids import GameId
from turnserver.mail.outbound.kinds import MailKind
from turnserver.service.upkeep.retention import OldMail
from turnserver.store.log import verify as audit
from turnserver.store.mail import inbox, retention

DAYS = 30


class Kept(NamedTuple):
    """The numbers of mails that came and that went, and of those among them that still have their bytes and texts."""

    came: int
    with_bytes: int
    went: int
    with_text: int


def kept(world: World) -> Kept:
    """Look at all mail. What is gone has left digest and length."""
    with world.service.db.read() as conn:
        came = [inbox.get(conn, one.id) for one in inbox.list_inbox(conn, limit=1_000)]
        assert all(bool(one.raw) == (retention.left_of_came(conn, one.id) is None) for one in came)
    went = world.outbox()
    return Kept(len(came), sum(bool(one.raw) for one in came), len(went), sum(one.text is not None for one in went))


def aged(world: World, days: float, mail_days: int = DAYS) -> int:
    """Let a process go through all mail, so many days later."""
    old = OldMail(world.service.ledger, Retention(mail_days=mail_days))
    return sum(iter(lambda: old.round(world.now + timedelta(days=days)), 0))


def over(world: World) -> GameId:
    """A game that Bob has given up."""
    game = world.open()
    world.answer("Ada", "a2")
    world.answer("Bob", "confirm resign")
    return game


def about(world: World, game: GameId) -> list[str | None]:
    return [mail.text for mail in world.outbox() if mail.game == game and mail.sent_at is not None]


@pytest.mark.parametrize(("days", "mail_days"), [(DAYS - 1, DAYS), (10_000, 0)])
def test_what_is_to_be_kept_is_kept(world: World, days: float, mail_days: int) -> None:
    over(world)
    before = kept(world)
    assert aged(world, days, mail_days) == 0
    assert kept(world) == before
    assert before.came == before.with_bytes


def test_old_mail_keeps_its_digest(any_world: World) -> None:
    over(any_world)
    before = kept(any_world)
    with any_world.service.db.read() as conn:
        first = inbox.list_inbox(conn, limit=1_000)[-1].id
        raw = inbox.get(conn, first).raw
    assert aged(any_world, DAYS + 1) == before.came + before.with_text
    assert kept(any_world) == before._replace(with_bytes=0, with_text=0)
    with any_world.service.db.read() as conn:
        assert str(retention.left_of_came(conn, first)) == f"{len(raw)} bytes, SHA-256 {sha256(raw).hexdigest()}"
    assert aged(any_world, DAYS + 1) == 0


def test_what_was_sent_about_a_game_that_goes_on_is_known_when_it_is_quoted(world: World) -> None:
    ended, running = over(world), world.open()
    assert aged(world, DAYS + 1)
    assert set(about(world, ended)) == {None}
    assert None not in about(world, running)
    turn = next(mail for mail in reversed(world.mails("Ada")) if "your move" in mail["Subject"])
    world.answer("Ada", f"b2\n\n{text_of(turn)}", mail=turn)
    assert world.state(running).turn == 2


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def test_a_mail_that_waits_keeps_its_bytes_and_so_does_whoever_shares_them(world: World) -> None:
    game = world.open()
    address = world.mails("Ada")[-1]["Reply-To"].addresses[0].addr_spec
    raw = b"From: ada@example.org\r\nMessage-ID: <1@example.org>\r\n\r\na2\r\n"
    world.service.mail.receive_for([address, address.upper()], raw, "ada@example.org", "test")
    aged(world, DAYS + 1)
    with world.service.db.read() as conn:
        shared = inbox.list_inbox(conn, limit=2)
        assert {one.status for one in shared} == {"new", "done"}
        assert [inbox.get(conn, one.id).raw for one in shared] == [raw] * 2
    world.settle()
    assert world.state(game).turn == 2
    aged(world, DAYS + 1)
    assert kept(world).with_bytes == 0


def test_another_copy_of_an_old_mail_is_still_a_copy(world: World) -> None:
    game = world.open()
    raw = world.answer("Ada", "a2")
    aged(world, DAYS + 1)
    world.deliver(raw)
    assert world.outcome() == "done: duplicate"
    assert world.state(game).turn == 2


def test_audits_need_no_old_mail(world: World) -> None:
    game = over(world)
    told = [mail.kind for mail in world.outbox() if mail.game == game]
    assert aged(world, DAYS + 1)
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
    assert list(recheck((row.event for row in world.service.games.history(game)), game)) == []
    assert [mail.kind for mail in world.outbox() if mail.game == game] == told
    again = next(mail for mail in world.outbox() if mail.kind == MailKind.GAME_OVER and mail.game == game)
    assert "resigned" in world.service.mail.render(again.id).mail.text


def test_a_sweep_goes_through_old_mail_page_by_page_and_then_waits_for_a_day(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PAGE", 2)
    over(world)
    old = OldMail(world.service.ledger, Retention(mail_days=DAYS))
    later = world.now + timedelta(days=DAYS, hours=1)
    rounds = list(iter(lambda: old.round(later), 0))
    assert len(rounds) > 3
    assert max(rounds) <= 4
    world.open()
    assert old.round(later + timedelta(hours=23)) == 0
    assert old.round(later + timedelta(days=DAYS)) > 0


@pytest.mark.long
@pytest.mark.engines
@pytest.mark.thorough
def test_old_mail_is_gone_or_there_wherever_its_process_is_killed(any_world: World, database_url: str) -> None:
    over(any_world)
    before = kept(any_world)
    gone = before._replace(with_bytes=0, with_text=0)
    seen: list[Kept] = []
    end = "killed"
    with start("age", database_url, str(DAYS), module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            end = process.hear()
            seen.append(kept(any_world))
    assert end == "done"
    turning = seen.index(gone)
    assert seen == [before] * turning + [gone] * (len(seen) - turning)
    assert turning > before.came
