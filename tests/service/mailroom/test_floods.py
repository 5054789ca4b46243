"""Floods, loops and old mail: how much one sender may have of us, and what is never answered."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.service.mailroom.letters import counts, key_of, letter, outcomes, post, said, world_over
from tests.service.world import PEOPLE, SITE, World
from turnserver.config import Incoming
from turnserver.store.mail import inbox

ADA = PEOPLE["Ada"]


def test_mails_above_the_limit_of_an_hour_are_kept_and_answered_once(database_url: str, tmp_path: Path) -> None:
    """All that comes within the limit is done, and an hour later everything works again."""
    with world_over(database_url, tmp_path, Incoming(mails_per_hour=3)) as world:
        game = world.open()
        key, before = key_of(world.mails("Ada")[-1]), counts(world)["Ada"]
        world.wait(hours=2)
        for number in range(6):
            world.wait(minutes=1)
            post(world, letter(ADA, f"key {key}\r\nsay {number}", number=number))
        assert outcomes(world)[-6:] == ["said"] * 3 + ["refused: too_many"] * 3
        assert counts(world)["Ada"] == before + 1
        assert "More than 3 requests by mail or page" in said(world, "Ada")
        world.wait(minutes=61)
        assert post(world, letter(ADA, f"key {key}\r\na1", number=9)) == "carried out"
        assert world.state(game).line.length == 1


def test_nobody_uses_up_the_mails_of_another(sqlite_url: str, tmp_path: Path) -> None:
    """A flood under Ada's address without her token does not keep her from moving, nor one under Bob's address with her token Bob."""
    with world_over(sqlite_url, tmp_path, Incoming(mails_per_hour=3, sender_policy="off")) as world:
        game = world.open()
        ada, bob = (key_of(world.mails(name)[-1]) for name in ("Ada", "Bob"))
        world.wait(hours=2)
        for number in range(5):
            post(world, letter(ADA, "help", number=number))
        assert outcomes(world)[-2:] == ["refused: too_many"] * 2
        assert post(world, letter(ADA, f"key {ada}\r\na1", number=9)) == "carried out"
        for number in range(10, 15):
            post(world, letter(PEOPLE["Bob"], f"key {ada}\r\nsay hello", number=number))
        assert outcomes(world)[-1] == "refused: too_many"
        assert post(world, letter(PEOPLE["Bob"], f"key {bob}\r\nsay hello", number=20)) == "said"
        assert world.state(game).line.length == 1


def test_nobody_uses_up_the_answers_of_another(sqlite_url: str, tmp_path: Path) -> None:
    """After a flood under Ada's address without her token she still hears that a move was refused, and why."""
    with world_over(sqlite_url, tmp_path, Incoming(answers_per_day=10)) as world:
        world.open()
        turn = world.mails("Ada")[-1]
        world.wait(hours=2)
        for number in range(20):
            post(world, letter(ADA, "help", number=number))
        assert outcomes(world)[-1] == "answered; not answered: limit of the day"
        assert "We have sent 5 automatic answers to this address today" in said(world, "Ada")
        for _ in range(3):
            before = counts(world)["Ada"]
            world.answer("Ada", "z9", mail=turn)
            assert (counts(world)["Ada"], outcomes(world)[-1]) == (before + 1, "refused: off_board")


def test_who_has_had_all_answers_of_a_day_goes_on_vacation_all_the_same(sqlite_url: str, tmp_path: Path) -> None:
    with world_over(sqlite_url, tmp_path, Incoming(answers_per_day=1)) as world:
        game = world.open()
        turn = world.mails("Ada")[-1]
        for _ in range(3):
            world.answer("Ada", "help", mail=turn)
        assert outcomes(world)[-1] == "answered; not answered: limit of the day"
        world.answer("Ada", "vacation 3 days", mail=turn)
        assert "You are on vacation" in said(world, "Ada")
        assert len(world.state(game).freezes) == 1


@pytest.mark.parametrize(("most", "answered"), [(1, 1), (2, 1), (3, 2)])
def test_mails_without_a_token_are_answered_up_to_half_of_the_limit(sqlite_url: str, tmp_path: Path, most: int, answered: int) -> None:
    """An uneven half is rounded up, and the first answer that is left out is announced, on the next day again."""
    with world_over(sqlite_url, tmp_path, Incoming(answers_per_day=most)) as world:
        for day in range(2):
            before = counts(world)["Ada"]
            for number in range(5):
                post(world, letter(ADA, "help", number=10 * day + number))
            assert counts(world)["Ada"] == before + answered + 1
            world.wait(days=1, seconds=1)


def test_the_first_answer_that_is_left_out_is_announced_however_many_a_mail_asks_for(sqlite_url: str, tmp_path: Path) -> None:
    """Three at a time pass by the limit without meeting it."""
    with world_over(sqlite_url, tmp_path, Incoming(answers_per_day=10)) as world:
        world.open()
        turn = world.mails("Ada")[-1]
        for announced in (False, False, False, False, True, False):
            before = counts(world)["Ada"]
            world.answer("Ada", "history\nrules\nshow", mail=turn)
            assert ("automatic answers to this address today" in said(world, "Ada") and counts(world)["Ada"] == before + 1) is announced


def test_a_flood_from_a_stranger_gets_one_answer(sqlite_url: str, tmp_path: Path) -> None:
    with world_over(sqlite_url, tmp_path, Incoming(mails_per_hour=3)) as world:
        for number in range(6):
            post(world, letter("eve@example.net", "a1", number=number))
        assert len(world.mails("eve@example.net")) == 1
        assert outcomes(world)[-1] == "refused: too_many"


def test_arrival_counts_and_not_when_the_mail_is_handled(sqlite_url: str, tmp_path: Path) -> None:
    """A day's mail that was read at once, after an outage, was no flood."""
    with world_over(sqlite_url, tmp_path, Incoming(mails_per_hour=3)) as world:
        for number in range(10):
            world.wait(minutes=30)
            world.service.mail.receive(letter(ADA, "help", number=number), SITE, ADA, "test")
        world.settle()
        assert "refused: too_many" not in outcomes(world)


MACHINES = {
    "a vacation program": {"Auto-Submitted": "auto-replied"},
    "a list": {"List-Id": "<chess.example.org>"},
    "bulk": {"Precedence": "bulk"},
    "another turnserver": {"X-Loop": "turns@other.example", "Auto-Submitted": "auto-generated", "List-Id": "<turns.other.example>"},
    "ourselves": {"X-Loop": SITE},
    "our own address": {"From": SITE},
    "our own address with a token": {"From": SITE.replace("@", "+8-h-1-0-1-abc@")},
    "a list's owner": {"From": "owner-chess@example.org"},
    "a mailer": {"From": "MAILER-DAEMON@example.org"},
    "the null sender": {"Return-Path": "<>"},
}


@pytest.mark.parametrize("headers", MACHINES.values(), ids=MACHINES)
def test_a_machine_is_never_answered_nor_obeyed(world: World, headers: dict[str, str]) -> None:
    """RFC 3834, section 2; with a good token and a good move in it, and with nothing but a question."""
    game = world.open()
    key, before = key_of(world.mails("Ada")[-1]), len(world.outbox())
    for number, text in enumerate((f"key {key}\r\na1", "help", f"key {key}\r\nresend")):
        assert post(world, letter(ADA, text, headers, number=number)).startswith("ignored: ")
    assert (world.state(game).line.length, len(world.outbox())) == (0, before)


def test_two_services_do_not_answer_each_other(sqlite_url: str, tmp_path: Path) -> None:
    """Every mail of ours is a machine's to another turnserver, and to ourselves."""
    with world_over(sqlite_url, tmp_path) as world:
        world.open()
        post(world, letter("turns@other.example", "Dear player, it is your turn."))
        ours = [mail.as_bytes() for mail in world.mails("turns@other.example")]
        assert len(ours) == 1
        before = len(world.outbox())
        for number, raw in enumerate(ours):
            assert post(world, raw.replace(SITE.encode(), b"turns@third.example") + str(number).encode()).startswith("ignored: ")
        assert len(world.outbox()) == before


def collected(world: World, raw: bytes, age_hours: float) -> str:
    """A mail that lay in the maildir for so long."""
    world.service.mail.receive(raw, SITE, ADA, "maildir", world.now - timedelta(hours=age_hours))
    world.settle()
    return outcomes(world)[-1]


def test_what_lay_in_a_maildir_before_the_first_look_is_not_answered(database_url: str, tmp_path: Path) -> None:
    """It is kept and can be looked at; what came after it is mail like any other, also after a restart."""
    with world_over(database_url, tmp_path, Incoming(maildir="mail")) as world:
        world.service.mail.begin_collecting()
        assert collected(world, letter(ADA, "help", number=1), 0.1) == "ignored: older than the first look into the maildir"
        world.wait(hours=5)
        world.restart()
        world.service.mail.begin_collecting()
        assert collected(world, letter(ADA, "help", number=2), 4.9) == "answered"
        assert collected(world, letter(ADA, "help", number=3), 5.1).startswith("ignored: older")


def test_mail_that_came_while_a_site_took_another_maildir_is_answered(database_url: str, tmp_path: Path) -> None:
    """From when the old one was last read, since it may be the same one under another name; but no longer ago than a day."""
    for maildir, hours, silent in (("mail", 0, [4, 6, 23, 25]), ("mail-2", 5, [6, 23, 25]), ("mail-3", 40, [25])):
        with world_over(database_url, tmp_path, Incoming(maildir=maildir), again=hours > 0) as world:
            world.wait(hours=hours)
            begun = world.service.mail.begin_collecting()
            lay = {age: collected(world, letter(ADA, "help", number=hours + age), age) for age in (4, 6, 23, 25)}
            assert [age for age, outcome in lay.items() if outcome.startswith("ignored: older")] == silent
            world.service.mail.collected(begun, begun)


def test_a_clock_that_was_ahead_at_the_first_look_silences_nobody(sqlite_url: str, tmp_path: Path) -> None:
    with world_over(sqlite_url, tmp_path, Incoming(maildir="mail")) as world:
        world.wait(days=400)
        world.service.mail.begin_collecting()
        assert collected(world, letter(ADA, "help", number=1), 24 * 400).startswith("ignored: older")
        world.wait(days=-400)
        assert collected(world, letter(ADA, "help", number=2), 0.1) == "answered"


def test_copies_do_not_count(any_world: World) -> None:
    """A mail server that delivers again and again uses up nothing."""
    raw = letter(ADA, "help")
    for _ in range(5):
        post(any_world, raw)
    with any_world.service.db.read() as conn:
        assert inbox.traffic(conn, f"from {ADA}", any_world.now.replace(hour=0), any_world.now) == (1, 0)
