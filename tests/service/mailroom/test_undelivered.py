"""A clock waits for whoever cannot be told that it is their turn, and for nobody else; days are counted from when the turn began."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import NamedTuple

import msgspec
import pytest
from sqlalchemy import update

from tests.mail.format.returned import dsn, group
from tests.play import small_games
from tests.service.world import BEGIN, PEOPLE, SITE, World
from tests.terms import PLAIN
from turnserver import games
from turnserver.config import Jobs, Outgoing, Settings, Site
from turnserver.errors import TemporaryFailure
from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.transport.outgoing import MaildirTransport, Transport
from turnserver.play import events as e
from turnserver.play.commands import Retract
from turnserver.play.evolve import FindGame
from turnserver.service.games.folds import GameAt, Games
from turnserver.service.mailroom.undelivered import NEGLIGIBLE
from turnserver.service.service import Service
from turnserver.service.upkeep.deadlines import SweepCounts
from turnserver.store.games import views
from turnserver.store.log.database import Database, Transaction, table
from turnserver.store.log.statement import Statement, stamp
from turnserver.store.log.tables import GameRow

pytestmark = pytest.mark.thorough

ADMIN = "admin@example.net"
SETTINGS = Settings(
    site=Site(address=SITE, admin=ADMIN),
    outgoing=Outgoing(retry_seconds=(60, 300, 1800)),
    jobs=Jobs(outage_minutes=600),
    play=PLAIN,
)
COUNTING = msgspec.structs.replace(SETTINGS, play=msgspec.structs.replace(PLAIN, undelivered="count"))
EVERY = timedelta(hours=2)
"""From one round to the next; so a mail that does not leave is given up after six hours."""

MOVE_TIME = timedelta(days=3)
LATE = timedelta(hours=4)
"""More than the sweep is behind."""


class Refusing(MaildirTransport):
    """A mail server that is offered mail and takes none."""

    def send(self, mail: bytes, envelope_from: str, recipient: str) -> str:
        """Refuse it for now."""
        del mail, envelope_from
        raise TemporaryFailure(f"451 4.7.1 not now for {recipient}")


class Club(World):
    """A world whose mail server can be down, and where time passes as in a service that runs."""

    is_down = False
    refuses = False

    def down(self) -> None:
        """No mail leaves."""
        self.is_down = True

    def refuse(self) -> None:
        """The mail server answers, and takes none."""
        self.refuses = True

    def up(self) -> None:
        """Mail leaves again."""
        self.is_down = self.refuses = False

    def way_out(self) -> Transport:
        """A maildir, or where none can be."""
        if self.refuses:
            return Refusing(self.directory)
        return MaildirTransport(Path(__file__) if self.is_down else self.directory)

    def live(self, until: datetime) -> None:
        """Handle, sweep and send, again and again."""
        while self.now < until:
            self.tick()
            self.now = min(until, self.now + EVERY)
            if not any(mail.status == "queued" for mail in self.outbox()):
                self.rest(until, EVERY)
        self.tick()

    def tick(self) -> None:
        """One round of everything, and no more of sending than a running service would do."""
        self.service.mail.read_inbox()
        self.service.upkeep.sweep()
        self.service.mail.send_outbox()

    def newest(self, name: str, kind: MailKind | None = None) -> EmailMessage:
        """The newest mail that a player was sent, or the newest of a kind."""
        return [mail for mail in self.mails(name) if kind is None or mail["Message-ID"].startswith(f"<{kind}.")][-1]

    def bounce(self, status: str, name: str = "Bob", kind: MailKind | None = None) -> None:
        """The newest mail to a player comes back, or the newest of a kind."""
        raw = dsn(group("failed", status, final=PEOPLE[name])).replace(b"<r1@", f"<{self.now.timestamp()}@".encode())
        self.service.mail.receive(raw, self.newest(name, kind)["Return-Path"].strip("<> "), "", "test")

    def retry_dead(self) -> None:
        """The admin has every mail that was given up sent again."""
        for mail in self.outbox():
            if mail.status == "dead":
                self.service.mail.retry(mail.id)

    def happened(self, game: GameId, *kinds: type[e.GameEvent]) -> list[tuple[float, str]]:
        """Events of some kinds: after how many days from the beginning, and what."""
        rows = [row for row in self.service.games.history(game) if isinstance(row.event, kinds)]
        return [((row.at - BEGIN) / timedelta(days=1), type(row.event).__name__) for row in rows]

    def told_at(self, game: GameId, player: int, since: datetime = BEGIN) -> datetime:
        """Return when the first mail about a game was taken that reached a player after an instant."""
        mails = [mail for mail in self.outbox() if (mail.game, mail.player, mail.status) == (game, player, "sent")]
        return min(mail.sent_at for mail in mails if mail.sent_at is not None and mail.created_at >= since)


def club(database: Database, directory: Path, settings: Settings = SETTINGS, find: FindGame = games.find) -> Club:
    return Club(database, directory / "mail", settings=settings, find=find)


class Case(NamedTuple):
    """Events by the day of Bob's turn, and the day on which it is lost: three days after the mail about it, by all that stands here."""

    name: str
    days: Mapping[float, Callable[[Club], object]]
    lost: float
    settings: Settings = SETTINGS


def back(world: Club) -> None:
    """Write as Bob; nothing shows that the mail about the turn was read."""
    world.answer("Bob", "help", mail=world.welcomes["Bob"], settle=False)


def answers(kind: MailKind, *, naming: bool = True) -> Callable[[Club], None]:
    """Answer Bob's newest mail of a kind, by an answer that names it or by its reply address alone."""

    def act(world: Club) -> None:
        mail = world.newest("Bob", kind)
        world.answer("Bob", "help", mail=mail, to=None if naming else str(mail["Reply-To"]), settle=False)

    return act


def bounced(*kinds: MailKind, status: str = "5.2.2") -> Callable[[Club], None]:
    """Let Bob's newest mail of each kind come back."""
    return together(*[partial(Club.bounce, status=status, kind=kind) for kind in kinds])


def together(*acts: Callable[[Club], object]) -> Callable[[Club], None]:
    """One after the other, and each is handled before the next."""

    def act(world: Club) -> None:
        for one in acts:
            one(world)
            world.tick()
            world.now += timedelta(minutes=1)

    return act


def full(world: Club) -> None:
    world.bounce("5.2.2")


def gone(world: Club) -> None:
    world.bounce("5.1.1")


CASES = [
    Case("told at once", {}, 3),
    Case("down over the deadline, but told before", {2: Club.down, 4: Club.up}, 3),
    Case("down for some hours", {0: Club.down, 0.1: Club.up}, 3.2),
    Case("down for a day", {0: Club.down, 1: Club.up}, 4),
    Case("down over the deadline", {0: Club.down, 4: Club.up}, 7),
    Case("the mail was given up, told by the reminder", {0: Club.refuse, 1: Club.up}, 5),
    Case("the mail was given up and sent again", {0: Club.refuse, 1: Club.up, 1.01: Club.retry_dead}, 4.05),
    Case("given up over the deadline, told when time is given back once more", {0: Club.refuse, 4: Club.up}, 9),
    Case("it came back, told by the reminder", {0.5: full}, 5),
    Case("it came back and so did the reminder, told by the credit", {0.5: full, 2.2: full}, 6.1),
    Case("the reminder came back", {2.5: full}, 3),
    Case("the mailbox was gone until Bob wrote", {0.5: gone, 7.5: back}, 10.5),
    Case("Bob wrote at once", {0.5: gone, 0.6: back}, 3.6),
    Case("Bob answered the mail that came back", {0.5: gone, 0.6: answers(MailKind.TURN)}, 3),
    Case("Bob answered it by its address alone", {0.5: gone, 0.6: answers(MailKind.TURN, naming=False)}, 3),
    Case("Bob answered it, and then it came back", {0.5: answers(MailKind.TURN), 2.9: bounced(MailKind.TURN, status="5.1.1")}, 3),
    Case(
        "Bob answered it, and then all came back",
        {0.5: answers(MailKind.TURN), 2.9: bounced(MailKind.TURN, MailKind.HELP, MailKind.REMINDER)},
        3,
    ),
    Case("all came back; Bob answered the first", {2.9: together(bounced(MailKind.TURN, MailKind.REMINDER), answers(MailKind.TURN))}, 3),
    Case(
        "all came back, and Bob answered the reminder",
        {2.9: together(bounced(MailKind.TURN, MailKind.REMINDER), answers(MailKind.REMINDER))},
        5,
    ),
    Case("it came back days later, told by the reminder", {2.9: bounced(MailKind.TURN)}, 5),
    Case("it came back, and Bob answered the reminder", {0.5: full, 2.2: answers(MailKind.REMINDER)}, 5),
    Case("it came back, and Bob wrote to the reminder's address", {0.5: full, 2.2: answers(MailKind.REMINDER, naming=False)}, 5),
    Case(
        "Bob answered the mail of the time given back",
        {0.5: gone, 4: answers(MailKind.CLOCK_CHANGED), 5.9: bounced(MailKind.CLOCK_CHANGED)},
        6,
    ),
    Case("Bob answered too late to lose what was given", {2.9: gone, 5: answers(MailKind.TURN), 5.9: bounced(MailKind.TURN)}, 6),
    Case("it came back after Bob had answered, who never wrote again", {0.5: answers(MailKind.TURN), 2: gone}, 3),
    Case("time counts here, down", {0: Club.down, 4: Club.up}, 3, COUNTING),
    Case("time counts here, gone", {0.5: gone}, 3, COUNTING),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_player_has_their_full_time_from_when_they_were_told(sqlite_url: str, tmp_path: Path, case: Case) -> None:
    database = Database.connect(sqlite_url)
    world = club(database, tmp_path, case.settings)
    game = world.open()
    bobs_turn(world)
    for day, act in sorted(case.days.items()):
        if day:
            world.live(BEGIN + timedelta(days=day))
        act(world)
    world.live(BEGIN + timedelta(days=case.lost) + 2 * LATE)
    ((lost, _),) = world.happened(game, e.TurnTimedOut)
    assert timedelta(days=case.lost) - LATE <= timedelta(days=lost) <= timedelta(days=case.lost) + 2 * LATE
    database.close()


def bobs_turn(world: Club) -> None:
    """Ada plays; what tells Bob of it is queued and not yet sent."""
    world.answer("Ada", "a1", settle=False)
    world.service.mail.read_inbox()


def given_back(world: World, game: GameId) -> list[e.ClockFrozen]:
    return [row.event for row in world.service.games.history(game) if isinstance(row.event, e.ClockFrozen)]


def test_time_is_given_back_once_and_the_player_hears_of_it(database: Database, tmp_path: Path) -> None:
    """By two processes at once."""
    world = club(database, tmp_path)
    game = world.open()
    world.down()
    bobs_turn(world)
    deadline = BEGIN + MOVE_TIME
    world.live(deadline)
    world.now += timedelta(minutes=1)
    together = Barrier(2)

    def sweep(service: Service) -> SweepCounts:
        together.wait()
        return service.upkeep.sweep()

    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(sweep, [world.another_process() for _ in range(2)]))
    assert sum(one.acted for one in done) == 1
    (freeze,) = given_back(world, game)
    assert (freeze.kind, freeze.seat, freeze.begins) == (e.FreezeKind.UNDELIVERED, 2, BEGIN)
    assert freeze.ends is not None
    assert world.state(game).deadline == deadline + (freeze.ends - freeze.begins)
    assert freeze.ends - freeze.begins - MOVE_TIME < LATE
    assert world.service.upkeep.sweep().acted == 0
    world.up()
    world.live(world.now + timedelta(days=1))
    assert "No mail got through to you" in " ".join(world.text("Bob").split())


@pytest.mark.parametrize(("late", "outcome"), [(timedelta(seconds=5), "carried out"), (timedelta(days=1), "carried out")])
def test_an_answer_after_the_deadline_is_in_time_if_the_clock_has_to_get_time_back(world: Club, late: timedelta, outcome: str) -> None:
    """It is read before the sweep has looked at the clock."""
    game = world.open()
    world.down()
    bobs_turn(world)
    world.live(BEGIN + MOVE_TIME - LATE)
    world.up()
    world.retry_dead()
    world.tick()
    world.now = BEGIN + MOVE_TIME + late
    world.answer("Bob", "a2", settle=False)
    world.service.mail.read_inbox()
    assert world.outcome() == f"done: {outcome}"
    assert world.state(game).turn == 3


@pytest.fixture
def world(sqlite_url: str, tmp_path: Path) -> Iterator[Club]:
    database = Database.connect(sqlite_url)
    yield club(database, tmp_path)
    database.close()


def test_a_small_delay_gives_nothing_back(world: Club) -> None:
    game = world.open()
    bobs_turn(world)
    world.now += NEGLIGIBLE
    world.live(BEGIN + MOVE_TIME + LATE)
    assert given_back(world, game) == []
    assert len(world.happened(game, e.TurnTimedOut)) == 1


def test_an_outage_of_everything_is_given_back_once(world: Club) -> None:
    """The service slept for two days with the mail in its outbox: the outage is credited, and that mail was late is not, once more."""
    game = world.open()
    world.service.upkeep.sweep()
    bobs_turn(world)
    world.wait(days=2)
    world.live(world.now + MOVE_TIME - LATE)
    assert [freeze.kind for freeze in given_back(world, game)] == [e.FreezeKind.OUTAGE]
    assert world.happened(game, e.TurnTimedOut) == []
    world.live(world.now + 2 * LATE)
    assert len(world.happened(game, e.TurnTimedOut)) == 1


def test_other_games_are_not_held_up(world: Club) -> None:
    waits, goes = world.open(), world.open({"size": 3})
    ada = {number: [mail for mail in world.mails("Ada") if f"[Take {number}]" in mail["Subject"]][-1] for number in (waits, goes)}
    world.answer("Ada", "a1", mail=ada[goes])
    world.down()
    world.answer("Ada", "a1", mail=ada[waits], settle=False)
    world.service.mail.read_inbox()
    world.live(BEGIN + MOVE_TIME + LATE)
    assert world.happened(waits, e.TurnTimedOut) == []
    assert len(world.happened(goes, e.TurnTimedOut)) == 1


def test_whom_mail_does_not_reach_is_not_reminded(world: Club) -> None:
    """The reminder is noted, and so is that the other has asked for the move; what gives time back is sent as a try."""
    game = world.open()
    bobs_turn(world)
    world.tick()
    gone(world)
    world.live(BEGIN + timedelta(hours=25))
    world.answer("Ada", "nudge", settle=False)
    world.live(BEGIN + MOVE_TIME + LATE)
    assert [len(world.happened(game, kind)) for kind in (e.PlayerReminded, e.PlayerNudged)] == [1, 1]
    kinds = [mail.kind for mail in world.outbox() if mail.player == 2 and mail.game == game]
    assert {MailKind.REMINDER, MailKind.NUDGED}.isdisjoint(kinds)
    assert kinds[0] == MailKind.CLOCK_CHANGED


def test_the_admin_hears_once_of_a_game_that_waits_for_long(world: Club) -> None:
    game = world.open()
    bobs_turn(world)
    world.tick()
    gone(world)
    world.live(BEGIN + timedelta(days=16))
    told = [mail for mail in world.outbox() if mail.kind == MailKind.ADMIN_REPORT and mail.detail["about"] != "status"]
    assert [mail.detail["about"] for mail in told] == ["held", "unreachable"]
    text = " ".join(world.text(ADMIN).split())
    assert f"Game {game} has waited 14 days for Bob" in text
    assert f"turnserver game result {game}" in text
    assert world.happened(game, e.TurnTimedOut) == []


def test_a_game_waits_for_mail_so_long_and_no_longer(sqlite_url: str, tmp_path: Path) -> None:
    """Then the clock has its own time and runs out; the other is told before, has won, and may play on."""
    database = Database.connect(sqlite_url)
    world = club(database, tmp_path, msgspec.structs.replace(SETTINGS, play=msgspec.structs.replace(PLAIN, void_turns=0)))
    game = world.open()
    bobs_turn(world)
    world.tick()
    gone(world)
    world.live(BEGIN + timedelta(days=16))
    told = " ".join(world.newest("Ada").get_body(("plain",)).get_content().split())  # type: ignore[union-attr]  # it has one
    assert f"In Take {game}, the clock of Bob (Blue) runs again. The game has waited 14 days for mail to reach Bob" in told
    assert "The time of Bob is up at Wednesday 18 March 2026, 12:00 (UTC)." in told
    assert 'answer the mail about it with "reopen"' in told
    world.live(BEGIN + timedelta(days=18))
    ((lost, _),) = world.happened(game, e.TurnTimedOut)
    assert 17 <= lost < 17.5
    world.answer("Ada", "reopen", mail=world.newest("Ada", MailKind.GAME_OVER), settle=False)
    world.live(world.now + EVERY)
    assert len(world.happened(game, e.ProposalMade)) == 1
    with world.service.db.read() as conn:
        assert views.tally_of(conn, PlayerId(2)).waits == len(given_back(world, game)) > 3
    database.close()


@pytest.mark.parametrize(
    ("play", "days"),
    [
        ({}, 14),
        ({"max_undelivered_days_a_game": 5}, 5),
        ({"max_undelivered_days_a_year": 7}, 7),
        ({"max_undelivered_days": 1}, 1),
    ],
)
def test_the_bounds_of_a_turn_a_game_and_a_year(sqlite_url: str, tmp_path: Path, play: Mapping[str, int], days: int) -> None:
    database = Database.connect(sqlite_url)
    world = club(database, tmp_path, msgspec.structs.replace(SETTINGS, play=msgspec.structs.replace(PLAIN, **play)))
    game = world.open()
    bobs_turn(world)
    world.tick()
    gone(world)
    world.live(BEGIN + timedelta(days=days + 4))
    ((lost, _),) = world.happened(game, e.TurnTimedOut)
    assert days + 3 <= lost < days + 3.5
    database.close()


def test_what_one_game_has_waited_counts_in_another(sqlite_url: str, tmp_path: Path) -> None:
    """And moments in which both waited count once: of 20 days a year the second game has the rest."""
    database = Database.connect(sqlite_url)
    world = club(database, tmp_path, msgspec.structs.replace(SETTINGS, play=msgspec.structs.replace(PLAIN, max_undelivered_days_a_year=20)))
    first = world.open()
    bobs_turn(world)
    world.tick()
    gone(world)
    world.live(BEGIN + timedelta(days=18))
    assert len(world.happened(first, e.TurnTimedOut)) == 1
    second = world.open()
    began = world.now
    mail = [mail for mail in world.mails("Ada") if f"[Take {second}]" in mail["Subject"]][-1]
    world.down()
    world.answer("Ada", "a1", mail=mail, settle=False)
    world.service.mail.read_inbox()
    world.live(began + timedelta(days=10))
    ((lost, _),) = world.happened(second, e.TurnTimedOut)
    assert timedelta(days=9) <= BEGIN + timedelta(days=lost) - began < timedelta(days=9.5)
    database.close()


def test_only_games_of_the_last_year_are_asked_how_long_they_have_waited(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database.connect(sqlite_url)
    world = club(database, tmp_path)
    of_old, of_late, waiting = (world.open() for _ in range(3))
    for game in (of_old, of_late):
        world.answer("Bob", "confirm resign", mail=next(mail for mail in world.mails("Bob") if f"[Take {game}]" in mail["Subject"]))
    with database.write() as tx:
        tx.run(Statement(update(table(GameRow)).where(table(GameRow).c.id == of_old).values(ended_at=stamp(BEGIN - timedelta(days=366)))))
    world.answer("Ada", "a1", mail=[mail for mail in world.mails("Ada") if f"[Take {waiting}]" in mail["Subject"]][-1])
    gone(world)
    world.live(BEGIN + timedelta(days=2.9))
    loaded: set[GameId] = set()
    load = Games.load

    def watched(self: Games, conn: Transaction, game: GameId) -> GameAt:
        loaded.add(game)
        return load(self, conn, game)

    monkeypatch.setattr(Games, "load", watched)
    world.live(BEGIN + timedelta(days=3.2))
    assert world.happened(waiting, e.ClockFrozen)
    assert loaded == {of_late, waiting}
    database.close()


def test_the_admin_hears_of_a_game_whose_player_is_back_and_gone_again_and_again(world: Club) -> None:
    """Bob writes before every deadline, and the mails after that come back."""
    game = world.open()
    bobs_turn(world)
    world.tick()
    while world.now < BEGIN + timedelta(days=13):
        gone(world)
        deadline = world.state(game).deadline
        assert deadline is not None
        world.live(deadline - LATE)
        back(world)
        world.live(deadline + EVERY)
    (held,) = [mail for mail in world.outbox() if mail.detail.get("about") == "held"]
    assert held.detail["days"] == SETTINGS.play.max_undelivered_days
    assert world.happened(game, e.TurnTimedOut) == []


def test_who_answers_what_is_said_to_have_come_back_gains_nothing_by_saying_it_of_every_mail(world: Club) -> None:
    game = world.open()
    bobs_turn(world)
    world.tick()
    while world.now < BEGIN + MOVE_TIME:
        kind = MailKind.TURN if world.now < BEGIN + timedelta(days=1) else None
        together(partial(Club.bounce, status="5.1.1", kind=kind), answers(MailKind.TURN))(world)
        world.live(world.now + timedelta(hours=7))
    world.live(BEGIN + MOVE_TIME + LATE)
    ((lost, _),) = world.happened(game, e.TurnTimedOut)
    assert given_back(world, game) == []
    assert lost <= 3.2


@pytest.mark.parametrize(("answered", "full_time"), [(True, False), (False, True)], ids=["answered", "not answered"])
def test_an_answer_to_a_digest_answers_what_it_tells(world: Club, *, answered: bool, full_time: bool) -> None:
    game = world.open()
    world.service.people.choose("Bob", [("digest", "18")], actor="admin:test", cause="test:digest")
    bobs_turn(world)
    world.live(BEGIN + timedelta(days=0.5))
    digest = world.newest("Bob", MailKind.DIGEST)
    world.bounce("5.1.1")
    world.live(BEGIN + timedelta(days=1))
    world.answer("Bob", "help", mail=digest if answered else world.welcomes["Bob"], settle=False)
    world.live(BEGIN + MOVE_TIME + LATE)
    assert bool(given_back(world, game)) is full_time
    assert bool(world.happened(game, e.TurnTimedOut)) is not full_time


def three(database: Database, directory: Path) -> tuple[Club, GameId]:
    world = club(database, directory, find=small_games.find)
    return world, world.open_any("trio", ["Ada", "Bob", "Cleo"])


def test_the_next_of_three_has_full_time_when_somebody_leaves(database: Database, tmp_path: Path) -> None:
    """Bob gives up while no mail leaves: then it is Cleo's turn, and her clock waits until she has heard of it."""
    world, game = three(database, tmp_path)
    world.answer("Ada", "2")
    world.live(BEGIN + timedelta(days=1))
    world.down()
    world.answer("Bob", "confirm resign", settle=False)
    world.live(BEGIN + timedelta(days=6))
    assert world.happened(game, e.TurnTimedOut) == []
    world.up()
    world.live(BEGIN + timedelta(days=9))
    heard = world.told_at(game, 3, BEGIN + timedelta(days=1))
    world.live(heard + MOVE_TIME - LATE)
    assert world.happened(game, e.TurnTimedOut) == []
    world.live(heard + MOVE_TIME + LATE)
    assert len(world.happened(game, e.TurnTimedOut)) == 1


def test_somebody_elses_leaving_changes_nothing_about_when_a_turn_began(database: Database, tmp_path: Path) -> None:
    """Cleo leaves while Bob, who was told at once, has the turn; that the mail about it is late gives Bob nothing."""
    world, game = three(database, tmp_path)
    world.answer("Ada", "2")
    world.live(BEGIN + timedelta(days=1))
    world.down()
    world.answer("Cleo", "confirm resign", settle=False)
    world.live(BEGIN + MOVE_TIME + LATE)
    assert given_back(world, game) == []
    assert len(world.happened(game, e.TurnTimedOut)) == 1


def test_a_turn_that_comes_back_begins_anew(world: Club) -> None:
    """The mail that said so then says nothing of the turn that is to be played again."""
    game = world.open()
    world.answer("Ada", "a1")
    world.live(BEGIN + timedelta(days=1))
    world.answer("Bob", "a2", settle=False)
    world.tick()
    world.down()
    world.service.games.handle(game, Retract(2, "a slip"), actor="admin:test", cause="test:retract")
    world.live(BEGIN + timedelta(days=4) + LATE)
    assert world.happened(game, e.TurnTimedOut) == []
    assert len(given_back(world, game)) == 1
