"""Mail that comes back: what it does to the mail, to its player and to the others, and whom nobody can silence with it."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.mail.format.returned import away, dsn, exim, group, still_trying
from tests.service.world import BEGIN, PEOPLE, SITE, World
from turnserver.audit import derived_rows
from turnserver.config import Incoming, Settings, Site
from turnserver.ids import DeliveryStatus, GameId, PlayerId, player_stream
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.events import PlayerReachable, PlayerUnreachable
from turnserver.play.state import Status
from turnserver.service.mailroom.deliverability import ENOUGH, score
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.mail import delivery_reports, outbox

ADA, BOB = PlayerId(1), PlayerId(2)
ADMIN = "admin@example.net"
GONE = dsn(group("failed", "5.1.1", "smtp; 550 5.1.1 no such user"))
FULL = dsn(group("failed", "5.2.2", "smtp; 552 5.2.2 mailbox full"))
SETTINGS = Settings(site=Site(address=SITE, admin=ADMIN), incoming=Incoming(answers_per_day=1_000))


@pytest.fixture
def club(database: Database, tmp_path: Path) -> World:
    return World(database, tmp_path / "mail", settings=SETTINGS)


def newest(world: World, name: str) -> outbox.OutboxItem:
    """The newest mail that a player was sent."""
    return next(mail for mail in world.outbox() if mail.message_id == world.mails(name)[-1]["Message-ID"].strip())


def come_back(world: World, raw: bytes, *, to: str | None = None, name: str = "Ada", sender: str | None = "") -> None:
    """A mail comes to the envelope sender of the newest mail that a player was sent, or to another address."""
    recipient = to or world.mails(name)[-1]["Return-Path"].strip("<> ")
    fresh = raw.replace(b"Message-ID: <r", f"Message-ID: <{world.now.timestamp()}.{len(world.outbox())}.r".encode(), 1)
    fresh = fresh.replace(b"ada@example.org", PEOPLE.get(name, name).encode())
    world.service.mail.receive(fresh, recipient, sender, "test")
    world.settle()


def events(world: World, player: PlayerId = ADA) -> Sequence[object]:
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        return [row.event for row in log.load(conn, player_stream(player))][1:]


def kinds(world: World, name: str) -> list[str]:
    """The kinds of the mails that a player, or an address, was sent after the welcome."""
    by_id = {mail.message_id: mail.kind for mail in world.outbox()}
    return [by_id[mail["Message-ID"].strip()] for mail in world.mails(name) if by_id[mail["Message-ID"].strip()] != MailKind.WELCOME]


def test_every_mail_has_a_return_path_of_its_own(club: World) -> None:
    club.open()
    paths = [mail["Return-Path"].strip("<> ") for name in PEOPLE for mail in club.mails(name)]
    assert len(set(paths)) == len(paths)
    assert all(path.startswith("turns+b-") and path.endswith("@club.example") for path in paths)


def test_a_mailbox_that_is_gone_makes_its_player_unreachable_at_once(club: World) -> None:
    game = club.open()
    mail = newest(club, "Ada")
    come_back(club, GONE)
    assert club.outcome() == f"done: hard bounce of mail {mail.id}"
    row = next(one for one in club.outbox() if one.id == mail.id)
    assert (row.status, row.report, row.reason) == ("bounced", DeliveryStatus.HARD, "5.1.1 550 5.1.1 no such user")
    assert events(club) == [PlayerUnreachable(player=ADA)]
    assert kinds(club, "Bob")[-1] == MailKind.UNREACHABLE
    assert "our mail to Ada (Red) comes" in club.text("Bob")
    assert "Nobody loses on time because of that" in " ".join(club.text("Bob").split())
    assert kinds(club, ADMIN) == [MailKind.ADMIN_REPORT]
    told = " ".join(club.text(ADMIN).split())
    assert "Mail to Ada comes back" in told
    assert f"Running games: {game} " in told
    assert "ada@example.org" in told
    assert "turnserver player set 1 reachable yes" in told
    assert club.state(game).status is Status.RUNNING


@pytest.mark.parametrize(
    ("undelivered", "clock"), [("wait", "time counts for nobody who cannot be told of a turn"), ("count", "their clocks run on")]
)
def test_the_admin_reads_whether_clocks_run(club: World, undelivered: Literal["wait", "count"], clock: str) -> None:
    club.restart(replace(SETTINGS, play=replace(SETTINGS.play, undelivered=undelivered)))
    club.open()
    come_back(club, GONE)
    assert f"The other players of these games were told; {clock}" in " ".join(club.text(ADMIN).split())


def test_what_is_told_is_told_once(club: World) -> None:
    """However often mail comes back after that, and whatever comes twice."""
    paths = []
    for size in (2, 3, 4):
        club.open({"size": size})
        paths.append(club.mails("Ada")[-1]["Return-Path"].strip("<> "))
    for path, raw in zip([*paths, paths[0]], (GONE, FULL, GONE, GONE), strict=True):
        come_back(club, raw, to=path)
    assert kinds(club, "Bob").count(MailKind.UNREACHABLE) == len(paths)
    assert kinds(club, ADMIN) == [MailKind.ADMIN_REPORT]
    assert events(club) == [PlayerUnreachable(player=ADA)]


@for_each(
    ("days", "marked"),
    [
        ((0, 0.25, 0.5, 0.75), True),
        ((0, 1, 2, 3), True),
        ((0, 0, 0, 0), False),
        ((0, 0.1, 0.2, 1), False),
        ((0, 0.5, 1), False),
        ((0, 7, 14, 21), False),
    ],
    ids=["four in a day", "four in as many days", "four at once", "three of them in five hours", "three", "one a week"],
)
def test_soft_bounces_add_up_and_are_forgotten(days: tuple[float, ...], *, marked: bool) -> None:
    came = [(DeliveryStatus.SOFT, BEGIN + timedelta(days=day)) for day in days]
    assert (score(came, came[-1][1]) >= ENOUGH) is marked


def test_a_full_mailbox_makes_its_player_unreachable_the_fourth_time(club: World) -> None:
    """Only different mails count; the same one may come back twice."""
    paths = []
    for size in (2, 3, 4, 5):
        club.open({"size": size})
        paths.append(club.mails("Ada")[-1]["Return-Path"].strip("<> "))
    for path in paths:
        club.wait(hours=6)
        assert reach_of(club).since is None, path
        come_back(club, FULL, to=path)
        come_back(club, FULL, to=path)
    assert reach_of(club).since == club.now
    assert reach_of(club).why == "5.2.2 552 5.2.2 mailbox full"


DEAD = dsn(group("failed", "5.1.1", "smtp; 550 5.1.1 no such user", final="dead9@two.example"))
DEAD_NAMED = dsn(group("failed", "5.1.1", "smtp; 550 5.1.1 no such user", final="dead9@two.example", original="ada@example.org"))


@pytest.mark.parametrize("dead", [DEAD, DEAD_NAMED], ids=["final recipient", "both recipients"])
def test_a_dead_copy_of_a_mailbox_that_is_read_is_no_dead_mailbox(club: World, dead: bytes) -> None:
    """Ada answers each turn at once; nobody hears of it, and our mail counts as sent but for the first."""
    turns = []
    for size in (2, 3, 4):
        club.open({"size": size})
        turns.append(newest(club, "Ada").id)
        come_back(club, dead)
        club.answer("Ada", "a1")
        assert club.outcome() == "done: carried out"
        club.wait(days=1)
    assert [one.status for one in club.outbox() if one.id in turns] == ["sent", "sent", "bounced"]
    assert (reach_of(club).since, events(club)) == (None, [])
    assert not {MailKind.UNREACHABLE, MailKind.REACHABLE, MailKind.ADMIN_REPORT} & {*kinds(club, "Bob"), *kinds(club, ADMIN)}


def test_what_came_back_from_a_copy_counts_for_another_place(club: World) -> None:
    club.open({"size": 4})
    come_back(club, DEAD)
    club.answer("Ada", "help")
    come_back(club, DEAD)
    assert club.outcome().startswith("done: ignored: a forwarded copy of mail")
    come_back(club, GONE)
    assert reach_of(club).since == club.now


def test_a_mailbox_that_forwards_to_a_dead_one_only_is_dead_after_some_hours(club: World) -> None:
    """Two mails at once are no more than one; whoever reads a copy has time to answer."""
    for size in (2, 3):
        club.open({"size": size})
        come_back(club, DEAD)
    assert reach_of(club).since is None
    club.wait(hours=7)
    club.open({"size": 4})
    come_back(club, DEAD)
    assert reach_of(club).since == club.now
    assert "Reason: forwarded to dead9@two.example: 5.1.1 550 5.1.1 no such user" in " ".join(club.text(ADMIN).split())


def test_the_provider_that_refuses_a_forwarded_mail_is_named(club: World) -> None:
    club.open()
    come_back(club, dsn(group("failed", "5.7.1", "smtp; 550 5.7.1 blocked", final="ada@two.example")))
    assert "two.example refuses our mail" in " ".join(club.text(ADMIN).split())


def test_part_of_an_address_behind_a_plus_is_no_other_mailbox(club: World) -> None:
    club.open()
    come_back(club, dsn(group("failed", "5.1.1", "smtp; 550 5.1.1 no such user", final="ADA+games@example.org")))
    assert reach_of(club).since == club.now


def test_an_address_whose_server_takes_no_such_letters_needs_another(club: World) -> None:
    """And a true refusal by that provider is told all the same."""
    address = "jürgen@example.org"
    club.service.people.add("Jürgen", address, actor="admin:test", cause="test:letters")
    club.settle()
    letters = dsn(group("failed", "5.6.7", "smtp; 550 5.6.7 SMTPUTF8 is required, but was not offered by host", final="=?"))
    come_back(club, letters, name=address)
    assert "its server takes no address with letters beyond ASCII, so the player needs another one" in " ".join(club.text(ADMIN).split())
    assert reach_of(club, PlayerId(4)).since == club.now
    club.open()
    come_back(club, UNWANTED)
    assert "example.org refuses our mail" in " ".join(club.text(ADMIN).split())


def test_an_ascii_address_has_no_such_letters(club: World) -> None:
    club.open()
    come_back(club, dsn(group("failed", "5.6.7", "smtp; 550 5.6.7 SMTPUTF8 is required")))
    assert (reach_of(club).since, club.outcome()[:22]) == (None, "done: refusal of us by")


UNWANTED = dsn(group("failed", "5.7.1", "smtp; 550 5.7.1 blocked for its poor reputation"))


def test_a_server_that_does_not_want_us_says_nothing_about_a_player(club: World) -> None:
    """And the admin hears of it once a week, however many mails it refuses."""
    reports = []
    club.wait(days=1)  # it is Sunday
    for size in (2, 3, 4, 5, 6, 7):
        club.open({"size": size})
        come_back(club, UNWANTED)
        reports.append(kinds(club, ADMIN).count(MailKind.ADMIN_REPORT))
        club.wait(days=2)
    assert reports == [1, 1, 1, 1, 2, 2]
    assert (reach_of(club).since, events(club)) == (None, [])
    assert MailKind.UNREACHABLE not in kinds(club, "Bob")
    told = " ".join(club.text(ADMIN).split())
    assert "example.org refuses our mail" in told
    assert "Reason: 5.7.1 550 5.7.1 blocked for its poor reputation" in told


def test_when_most_mailboxes_of_a_provider_are_missing_it_is_about_us(club: World) -> None:
    """Nobody more is marked, and the admin hears who was before that could be seen."""
    for name in ("Ada", "Bob", "Cleo"):
        come_back(club, GONE, name=name)
    assert [reach_of(club, PlayerId(number)).since is not None for number in (1, 2, 3)] == [True, True, False]
    told = " ".join(club.text(ADMIN).split())
    assert "example.org refuses our mail" in told
    assert "said of 3 mailboxes, more than half of those we wrote to, that there are none" in told
    assert all(f"turnserver player set {number} reachable yes" in told for number in (1, 2))


def test_single_mailboxes_of_a_large_provider_are_missing(club: World) -> None:
    """Three of seven are no more than half."""
    for number in range(4):
        club.service.people.add(f"P{number}", f"p{number}@example.org", actor="admin:test", cause=f"test:p{number}")
    club.settle()
    for name in ("Ada", "Bob", "Cleo"):
        come_back(club, GONE, name=name)
    assert all(reach_of(club, PlayerId(number)).since for number in (1, 2, 3))


def test_missing_mailboxes_of_a_day_ago_do_not_count(club: World) -> None:
    for name in ("Ada", "Bob"):
        come_back(club, GONE, name=name)
    club.wait(days=2)
    club.service.mail.resend("Cleo", actor="admin:test", cause="test:again")
    club.settle()
    come_back(club, GONE, name="Cleo")
    assert reach_of(club, PlayerId(3)).since == club.now


def reach_of(world: World, player: PlayerId = ADA) -> delivery_reports.Reach:
    with world.service.db.read() as conn:
        return delivery_reports.deliverability(conn, player)


@pytest.mark.parametrize(
    ("raw", "outcome", "status"),
    [
        (dsn(group("delayed", "4.4.1")), "delay of mail", "sent"),
        (still_trying(), "delay of mail", "sent"),
        (dsn(group("delivered", "2.0.0")), "delivery of mail", "sent"),
        (away(), "ignored: nothing about mail", "sent"),
        (b"From: ada@example.org\nMessage-ID: <r>\n\nresign\n", "ignored: nothing about mail", "sent"),
        (exim("550 5.1.1 unknown"), "hard bounce of mail", "bounced"),
    ],
    ids=["late", "late, in words", "delivered", "an answering machine", "a command", "Exim"],
)
def test_whatever_comes_to_a_bounce_address_is_a_report_or_nothing(club: World, raw: bytes, outcome: str, status: str) -> None:
    """Never carried out, and never answered."""
    game = club.open()
    mail, written = newest(club, "Ada"), len(club.outbox())
    come_back(club, raw, sender="ada@example.org")
    assert club.outcome() == f"done: {outcome} {mail.id}"
    assert next(one for one in club.outbox() if one.id == mail.id).status == status
    assert club.state(game).status is Status.RUNNING
    if status == "sent":
        assert len(club.outbox()) == written
        assert events(club) == []


def forged(world: World) -> str:
    return str(world.mails("Ada")[-1]["Return-Path"]).strip("<> ").replace("+b-", "+b-1")


def test_a_bounce_address_that_we_did_not_write_counts_for_nothing(club: World) -> None:
    club.open()
    come_back(club, GONE, to=forged(club))
    assert club.outcome() == "done: ignored: a bounce address that is not ours"
    assert events(club) == []
    assert {mail.status for mail in club.outbox()} == {"sent"}


def returning(world: World, raw: bytes, reply_to: str = "") -> bytes:
    """The report with the Message-ID of Ada's newest mail, and with a reply address above it."""
    above = f"Reply-To: Turns <{reply_to}>\n" if reply_to else ""
    return raw.replace(
        b"Message-ID: <turn.0123456789abcdef@club.example>", f"{above}Message-ID: {newest(world, 'Ada').message_id}".encode()
    )


@pytest.mark.parametrize("raw", [GONE, exim("550 5.1.1 no such user")], ids=["by the book", "in words"])
def test_a_report_that_came_to_another_address_is_believed_if_it_returns_a_reply_address(club: World, raw: bytes) -> None:
    """Some systems answer the From line. Whoever got a copy of an answer of Ada's knows its Message-ID, and never her address."""
    club.open()
    mail, own, bobs = newest(club, "Ada"), *(str(club.mails(name)[-1]["Reply-To"].addresses[0].addr_spec) for name in ("Ada", "Bob"))
    for report in (raw, returning(club, raw), returning(club, raw, bobs), returning(club, raw, own.replace("+", "+0"))):
        come_back(club, report, to=SITE)
        assert club.outcome().startswith("done: ignored: ")
    assert (events(club), {one.status for one in club.outbox()}) == ([], {"sent"})
    come_back(club, returning(club, raw, own), to=SITE)
    assert club.outcome() == f"done: hard bounce of mail {mail.id}"
    assert events(club) == [PlayerUnreachable(player=ADA)]


def test_a_report_that_came_to_a_reply_address_is_believed(club: World) -> None:
    """Others answer where replies are to go."""
    club.open()
    mail, raw = newest(club, "Ada"), returning(club, GONE)
    come_back(club, raw, to=str(club.mails("Ada")[-1]["Reply-To"].addresses[0].addr_spec))
    assert club.outcome() == f"done: hard bounce of mail {mail.id}"


def test_who_comes_and_goes_within_a_day_is_told_of_by_few_mails(club: World) -> None:
    """Players know the return paths of their own mails."""
    club.open()
    for _ in range(15):
        come_back(club, GONE)
        club.wait(minutes=1)
        club.answer("Ada", "show")
    assert [kinds(club, "Bob").count(kind) for kind in (MailKind.UNREACHABLE, MailKind.REACHABLE)] == [1, 1]
    assert len(kinds(club, ADMIN)) == 1
    assert len(events(club)) > 10
    club.wait(days=1)
    club.open({"size": 3})
    come_back(club, GONE)
    assert kinds(club, "Bob").count(MailKind.UNREACHABLE) == 3  # of two games
    assert len(kinds(club, ADMIN)) == 2


def test_a_persons_answer_that_quotes_a_report_is_still_an_answer(club: World) -> None:
    game = club.open()
    mail = newest(club, "Ada")
    quoted = "\n".join(f"> {line}" for line in exim("550 5.1.1 unknown").decode().splitlines()).replace(
        "<turn.0123456789abcdef@club.example>", mail.message_id
    )
    club.answer("Ada", f"a1\n\n{quoted}")
    assert club.outcome() == "done: carried out"
    assert club.state(game).turn == 2


def test_whoever_writes_is_reachable_again(club: World) -> None:
    """The others hear of it, and Bob gets the mails once more that may have been lost."""
    first, second = club.open(), club.open({"size": 3})
    come_back(club, GONE)
    club.wait(hours=1)
    club.answer("Ada", "help", mail=[mail for mail in club.mails("Ada") if f"[Take {first}]" in mail["Subject"]][-1])
    assert events(club) == [PlayerUnreachable(player=ADA), PlayerReachable(player=ADA)]
    assert reach_of(club).since is None
    assert kinds(club, "Bob").count(MailKind.REACHABLE) == 2
    assert "Ada (Red) can be reached again" in club.text("Bob")
    assert kinds(club, "Ada")[-3:] == [MailKind.TURN, MailKind.TURN, MailKind.HELP]
    again = next(mail for mail in club.mails("Ada")[-3:] if f"[Take {second}]" in mail["Subject"])
    club.answer("Ada", "a1", mail=again)
    assert club.outcome() == "done: carried out"


def test_a_move_makes_its_player_reachable_and_is_played(club: World) -> None:
    """One transaction: the move, that the player is back, and no second mail about the turn that is played."""
    game = club.open()
    turn = club.mails("Ada")[-1]
    come_back(club, GONE)
    club.answer("Ada", "a1", mail=turn)
    assert club.outcome() == "done: carried out"
    assert club.state(game).turn == 2
    assert events(club)[-1] == PlayerReachable(player=ADA)
    assert kinds(club, "Ada").count(MailKind.TURN) == 1


def test_whoever_asks_for_their_mails_once_more_gets_them_once(club: World) -> None:
    club.open()
    turn = club.mails("Ada")[-1]
    come_back(club, GONE)
    club.wait(hours=1)
    club.answer("Ada", "resend", mail=turn)
    assert kinds(club, "Ada").count(MailKind.TURN) == 2
    assert events(club)[-1] == PlayerReachable(player=ADA)


def test_whoever_confirms_another_address_is_reachable_there(club: World) -> None:
    club.open()
    come_back(club, GONE)
    club.service.people.edit("Ada", address="ada@example.net", actor="admin:test", cause="test:moved")
    club.settle()
    assert reach_of(club).since is not None
    club.wait(hours=1)
    club.answer("ada@example.net", "confirm", sender="ada@example.net")
    assert reach_of(club).since is None
    assert MailKind.TURN in kinds(club, "ada@example.net")


def test_neither_a_machine_nor_somebody_without_a_token_makes_a_player_reachable(club: World) -> None:
    club.open()
    turn = club.mails("Ada")[-1]
    come_back(club, GONE)
    token = turn["Reply-To"].addresses[0].addr_spec
    come_back(club, away(to=token), to=token, sender="ada@example.org")
    club.answer("Ada", "help", mail=turn, to=SITE)
    assert reach_of(club).since is not None


def test_what_was_sent_before_counts_no_more_once_a_player_is_back(club: World) -> None:
    """Several mails were on their way; the reports on them come late."""
    club.open()
    first = club.mails("Ada")[-1]
    club.open({"size": 3})
    come_back(club, GONE)
    club.wait(hours=1)
    club.answer("Ada", "help", mail=first)
    club.wait(hours=1)
    come_back(club, GONE, to=first["Return-Path"].strip("<> "))
    assert club.outcome().startswith("done: hard bounce")
    assert reach_of(club).since is None
    club.wait(minutes=1)
    club.open({"size": 4})
    come_back(club, GONE)
    assert reach_of(club).since == club.now


def test_an_admin_says_that_mail_gets_through_again(club: World) -> None:
    club.open()
    come_back(club, GONE)
    club.wait(hours=1)
    club.service.people.edit("Ada", reachable=True, actor="admin:test", cause="test:reachable")
    club.settle()
    assert events(club) == [PlayerUnreachable(player=ADA), PlayerReachable(player=ADA)]
    assert kinds(club, "Ada")[-1] == MailKind.TURN
    assert kinds(club, "Bob")[-1] == MailKind.REACHABLE


def test_mail_to_somebody_without_an_account_comes_back(club: World) -> None:
    """There is no player to judge; the admin's own mailbox may be the one that is gone."""
    club.open()
    come_back(club, GONE)
    come_back(club, GONE, name=ADMIN)
    assert club.outcome().startswith("done: hard bounce of mail")
    assert kinds(club, ADMIN) == [MailKind.ADMIN_REPORT]


def test_an_invitation_that_came_back_is_sent_again(club: World) -> None:
    game = club.open(accepted=False)
    come_back(club, GONE)
    club.wait(hours=1)
    club.answer("Ada", "help", mail=club.welcomes["Ada"])
    assert kinds(club, "Ada")[-2:] == [MailKind.INVITATION, MailKind.HELP]
    club.answer("Ada", "accept", mail=club.mails("Ada")[-2])
    assert PlayerId(1) in club.state(GameId(game)).accepted


def test_an_unreachable_player_who_was_erased_is_none_in_any_row(club: World) -> None:
    come_back(club, GONE)
    assert events(club) == [PlayerUnreachable(player=ADA)]
    club.service.people.erase(ADA, actor="admin:test", cause="test:erase")
    with club.service.db.read() as conn:
        assert list(derived_rows.verify(conn)) == []
