"""A database that an earlier program made is taken over whole: it verifies, what was on its way is understood, and the games go on.

`earlier/club/README.md` tells what lies there.
"""

import gzip
import json
import shutil
import smtplib
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import text

from tests.audit.test_tampering import moved
from tests.cli.club import Club, copied
from tests.cli.typed import service_of, typed
from tests.service.games import two_readings
from tests.service.mailroom.letters import letter
from tests.service.upkeep.checkpointed import write_key
from tests.store.incidents.copying import schema_of
from turnserver import games
from turnserver.config import reading
from turnserver.ids import DeliveryStatus, GameId, LeagueId
from turnserver.mail.outbound.language import language
from turnserver.mail.transport.lmtp import Listener
from turnserver.play.state import Status
from turnserver.service.service import Service
from turnserver.store.incidents import outages
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement
from turnserver.store.mail import inbox, outbox
from turnserver.store.mail.inbox import InboxSummary

KEPT = Path(__file__).parent / "earlier" / "club"
THEN = datetime(2026, 3, 3, 17, 16, tzinfo=UTC)
"""The instant at which the earlier program ended."""
OF_DAN = THEN.replace(hour=17, minute=0) + timedelta(days=1)
"""The instant at which Dan's digest is due next: 18:00 in Berlin."""


class Answer(NamedTuple):
    """A mail on its way, what becomes of it, and the events that it brings about; `swept` are those of the next sweep."""

    file: str
    outcome: str
    events: tuple[str, ...] = ()
    swept: tuple[str, ...] = ()


RESULT = ("league.result_recorded",)
"""The effect of each first sweep: the league hears of game 16."""

REMINDED = ("game.player_reminded",)
ANSWERS = (
    Answer("turn-take", "carried out", ("game.turn_played",)),
    Answer("turn-tako-judo", "carried out", ("game.turn_played",)),
    Answer("turn-tako", "carried out", ("game.turn_played",)),
    Answer("turn-okago", "carried out", ("game.turn_played",)),
    Answer("turn-sneaky-octopuses", "carried out", ("game.turn_played",)),
    Answer("turn-against-a-plan", "carried out", ("game.turn_played",), ("game.turn_played",)),
    Answer("accept-invitation", "carried out", ("game.invitation_accepted", "game.started")),
    Answer("confirm-resign", "carried out", ("game.seat_resigned", "game.ended")),
    Answer("accept-draw", "carried out", ("game.draw_accepted", "game.ended")),
    Answer("accept-undo", "carried out", ("game.proposal_agreed", "game.turns_retracted")),
    Answer("accept-seat", "carried out", ("game.clock_thawed", "game.substitute_seated")),
    Answer("correction", "carried out", ("game.turns_retracted",)),
    Answer("end-of-vacation", "vacation", ("game.clock_thawed", "game.clock_thawed", "player.vacation_ended"), REMINDED * 2),
    Answer("confirm-joining", "registered player 9", ("player.registered",)),
    Answer("confirm-address", "address confirmed", ("player.edited",)),
    Answer("board-in-german", "answered"),
    Answer("gone", "hard bounce of mail 140", ("player.unreachable",)),
    Answer("full", "soft bounce of mail 142"),
    Answer("slow", "delay of mail 141"),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The club, two minutes after the earlier program ended, brought up to date as an admin does it."""
    club = Club(tmp_path_factory.mktemp("before"))
    for name in ("turnserver.toml", "club.db.gz"):
        shutil.copy(KEPT / name, club.directory)
    (club.directory / "club.db").write_bytes(gzip.decompress((club.directory / "club.db.gz").read_bytes()))
    write_key(club.directory / "checkpoint.pem")
    club.now = THEN + timedelta(minutes=2)
    club.printed("init")
    return club


@pytest.fixture
def club(template: Club, tmp_path: Path) -> Club:
    """A copy of it."""
    club = copied(template, tmp_path)
    club.now = template.now
    return club


@pytest.fixture(params=["sqlite", "postgresql"])
def any_club(club: Club, request: pytest.FixtureRequest) -> Club:
    """The same, and also moved to PostgreSQL."""
    if request.param == "postgresql":
        moved(club, request.getfixturevalue("postgresql_url"))
    return club


@pytest.fixture
def service(club: Club) -> Iterator[Service]:
    """The program of today over the copy."""
    with closing((service := service_of(club)).db):
        yield service


@pytest.fixture
def able(club: Club) -> Iterator[Service]:
    """A program over the copy that also knows the second revision of Take."""
    settings = reading.load(club.config, {})
    with closing(Database.connect(settings.database.url)) as db:
        yield Service(db, settings, clock=lambda: club.now, find=two_readings.find)


def answer(name: str) -> tuple[bytes, EmailMessage]:
    """A mail on its way, raw and parsed."""
    raw = (KEPT / "answers" / f"{name}.eml").read_bytes()
    return raw, message_from_bytes(raw, policy=policy.default)


def envelope(mail: EmailMessage) -> tuple[str, str]:
    """Recipient and sender, as the mail server would tell them."""
    return mail["To"].addresses[0].addr_spec, "" if mail["Return-Path"] else mail["From"].addresses[0].addr_spec


def events(service: Service, after: int = 0) -> list[str]:
    """The types of the events after that position."""
    with service.db.read() as conn:
        rows = conn.rows(Statement(text("SELECT type FROM event WHERE position > :after ORDER BY position")), after=after)
    return [name for (name,) in rows]


def newest(service: Service, count: int = 1) -> list[InboxSummary]:
    """The newest mails that came, the oldest of them first."""
    with service.db.read() as conn:
        return inbox.list_inbox(conn, limit=count)[::-1]


def handle(service: Service) -> None:
    """Handle all mail that has come, and send none: drawing boards takes longest."""
    while any(service.mail.read_inbox()):
        pass


def settle(service: Service) -> None:
    """Handle and send until nothing is left."""
    while any((*service.mail.read_inbox(), *service.mail.send_outbox())):
        pass


def objections(club: Club) -> list[str]:
    """The streams that `audit verify` objects to, but for the game that rests, which it cannot play again."""
    verified = json.loads(typed(club, "audit verify --workers 1 --json").stdout)
    streams = [found["stream"] for found in verified["findings"]]
    streams.remove("game-21")
    return streams


def turn_mail(club: Club, service: Service, game: GameId) -> EmailMessage:
    """The newest mail of today's program about a game to whoever is to move."""
    state = service.games.state(game)
    assert state.to_move is not None
    address = service.people.find(str(state.player_at(state.to_move))).address
    with service.db.read() as conn:
        rows = outbox.list_outbox(conn, limit=1_000)
    ids = [row.message_id for row in rows if row.game == game]
    sent = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in (club.directory / "leaving" / "new").iterdir()]
    mine = {mail["Message-ID"].strip(): mail for mail in sent if mail["Delivered-To"] == address}
    return next(mine[one] for one in ids if one in mine)


def test_every_mail_on_its_way_has_its_line() -> None:
    assert sorted(path.stem for path in (KEPT / "answers").iterdir()) == sorted(one.file for one in ANSWERS)


def test_nothing_is_wrong_with_it(any_club: Club) -> None:
    assert objections(any_club) == []


def test_a_backup_that_the_earlier_program_made_is_restored(club: Club) -> None:
    shutil.copy(KEPT / "club.db.gz", club.directory)
    assert typed(club, "restore {dir}/club.db.gz --replace --nothing-lost").exit_code == 0
    assert objections(club) == []


def test_its_tables_are_those_of_a_new_database(service: Service, sqlite_url: str) -> None:
    with closing(Database.connect(sqlite_url)) as fresh:
        assert schema_of(service.db.engine) == schema_of(fresh.engine)


@pytest.mark.parametrize("one", ANSWERS, ids=lambda one: one.file)
def test_what_was_on_its_way_is_taken(club: Club, service: Service, one: Answer) -> None:
    """By a pipe, as a mail server starts it."""
    raw, mail = answer(one.file)
    recipient, sender = envelope(mail)
    before = len(events(service))
    assert typed(club, f"mail receive --recipient {recipient} --sender '{sender}'", raw).exit_code == 0
    handle(service)
    [came] = newest(service)
    assert (came.status, came.outcome) == ("done", one.outcome)
    assert tuple(events(service, before)) == one.events
    club.now += timedelta(minutes=2)
    service.upkeep.sweep()
    assert sorted(events(service, before)[len(one.events) :]) == sorted((*one.swept, *RESULT))


def test_all_of_it_comes_by_lmtp_and_the_games_go_on(any_club: Club) -> None:
    """In each of the five games, the player who has the turn then plays by answering the mail about it."""
    club = any_club
    with closing((service := service_of(club)).db):
        for person in service.people.everybody():  # drawing boards takes longest
            service.people.choose(str(person.id), [("mail", "text")], actor="admin:test", cause=f"test:text:{person.id}")
        listener = Listener(lambda recipients, sender, raw: service.mail.receive_for(recipients, raw, sender, "lmtp"))
        with smtplib.LMTP(*listener.start(), timeout=10) as client:
            for one in ANSWERS:
                raw, mail = answer(one.file)
                recipient, sender = envelope(mail)
                assert client.sendmail(sender, [recipient], raw) == {}
        listener.stop()
        settle(service)
        assert [(one.status, one.outcome) for one in newest(service, len(ANSWERS))] == [("done", one.outcome) for one in ANSWERS]
        club.now += timedelta(minutes=2)
        service.upkeep.sweep()
        settle(service)
        for game in map(GameId, range(1, 6)):
            state, mail = service.games.state(game), turn_mail(club, service, game)
            steps = "\n".join(games.house_turn(state.game, state.line.position))
            reply = letter(mail["Delivered-To"], steps, {"To": mail["Reply-To"], "In-Reply-To": mail["Message-ID"]}, number=game)
            service.mail.receive(reply, mail["Reply-To"].addresses[0].addr_spec, mail["Delivered-To"], "test")
            settle(service)
            assert newest(service)[0].outcome == "carried out"
            assert service.games.state(game).line.length > state.line.length
    assert objections(club) == []


REPORTS = {"gone": ("Ada", DeliveryStatus.HARD), "full": ("Bob", DeliveryStatus.SOFT), "slow": ("Cleo", DeliveryStatus.DELAYED)}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_of_the_mail_that_it_returns(service: Service, name: str) -> None:
    raw, mail = answer(name)
    service.mail.receive(raw, envelope(mail)[0], "", "test")
    handle(service)
    player, fate = REPORTS[name]
    with service.db.read() as conn:
        [row] = [row for row in outbox.list_outbox(conn, limit=1_000) if row.message_id in raw.decode()]
    assert (row.player, row.report) == (service.people.find(player).id, fate)


def test_mails_that_were_sent_are_the_same_to_mailboxes(able: Service) -> None:
    """Made again they have the same Message-ID and thread; the old addresses in them mean what the new ones do, under whatever key."""
    sent = json.loads(gzip.decompress((KEPT / "sent.json.gz").read_bytes()))
    for number, headers in sent.items():
        if headers["To"].endswith("<eve@example.org>"):  # who is erased
            continue
        made = message_from_bytes(able.mail.sealed(int(number)), policy=policy.default)
        for name in ("To", "Message-ID", "In-Reply-To", "References", "List-Id"):
            assert (number, name, (made[name] or "").split()) == (number, name, headers.get(name, "").split())
        then, now = (able.mail.token_in(address) for address in (headers["Reply-To"], made["Reply-To"]))
        assert (number, then) == (number, now)


def test_what_was_told_in_german_is_told_in_german(service: Service) -> None:
    cleo = service.people.find("Cleo").id
    with service.db.read() as conn:
        rows = outbox.list_outbox(conn, limit=1_000)
    [over] = [row.id for row in rows if (row.kind, row.game, row.player) == ("game_over", 12, cleo)]
    assert service.mail.render(over).mail.text.startswith(language("de").marker)


def test_a_game_that_rests_is_listed_and_goes_on_with_a_program_that_can(club: Club, service: Service, able: Service) -> None:
    service.upkeep.sweep()
    assert resting(service) == [21]
    assert {mail["status"] for mail in json.loads(typed(club, "mail inbox list --status resting --json").stdout)} == {"resting"}
    able.upkeep.sweep()
    handle(able)
    assert able.games.state(GameId(21)).line.length == 2
    assert resting(able) == []


def resting(service: Service) -> list[int]:
    """The games that rest."""
    with service.db.read() as conn:
        return [rest.game for rest in outages.quarantined_games(conn)]


def test_times_run_out(club: Club, service: Service) -> None:
    """Nobody answers for five days: all clocks that run do, but not of those on vacation, and not of the game that rests."""
    before = len(events(service))
    club.now += timedelta(minutes=5)
    settle(service)  # now Bob is told of the turn that is not corrected
    for _ in range(10):
        club.now += timedelta(hours=12)
        service.upkeep.sweep()
    over = [game for game in map(GameId, range(1, 25)) if game != 21 and service.games.state(game).status is not Status.RUNNING]
    assert over == [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 18, 19, 20, 22, 23, 24]
    assert events(service, before).count("game.turn_timed_out") == 14
    season = service.leagues.state(LeagueId(1)).season
    assert season is not None
    assert all(fixture.marks for fixture in season.fixtures)
    assert objections(club) == []


def test_held_mails_go_out_as_one_digest(club: Club, service: Service) -> None:
    club.now = OF_DAN - timedelta(minutes=1)
    settle(service)
    assert [row.status for row in of_dan(service)] == ["held", "held"]
    club.now = OF_DAN
    settle(service)
    assert [(row.kind, row.status) for row in of_dan(service)] == [("invitation", "merged"), ("invitation", "merged"), ("digest", "sent")]


def of_dan(service: Service) -> list[outbox.OutboxItem]:
    """Dan's mails after the welcome, the oldest first."""
    dan = service.people.find("Dan").id
    with service.db.read() as conn:
        return [row for row in outbox.list_outbox(conn, limit=1_000)[::-1] if row.player == dan and row.kind != "welcome"]


def test_a_mail_that_was_refused_is_sent_when_it_is_tried_again(club: Club, service: Service) -> None:
    typed(club, "mail outbox retry 164")
    settle(service)
    with service.db.read() as conn:
        assert outbox.get(conn, 164).status == "sent"
