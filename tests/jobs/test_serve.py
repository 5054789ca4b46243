"""The real process: it takes mail, answers, ends cleanly, and comes back from a violent end with nothing lost and nothing done twice."""

import signal
import smtplib
import socket
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from threading import Event

import pytest

from tests.jobs.serving import SITE, TURNSERVER, Serving, configured, environment, loaded, serving
from tests.jobs.sink import LOOPBACK, PATIENCE_SECONDS, Mails, Sink, message_id, recipient
from tests.shortened import shortened
from turnserver.audit.game.recheck import recheck
from turnserver.ids import GameId
from turnserver.mail.transport.lmtp import MOST_RECIPIENTS
from turnserver.play.events import SeatOrder, TurnPlayed
from turnserver.play.state import Status
from turnserver.service.service import Service
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox, outbox, retention
from turnserver.web.sandbox.desk import answer_to, words_for

PEOPLE = {"Ada": "ada@example.org", "Bob": "bob@example.org"}
GAME = GameId(1)
LONG = pytest.mark.long
"""A process takes seconds to start, so of several cases of one kind `make test` has the first."""


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as sink:
        yield sink


def question(text: str = "help") -> EmailMessage:
    """A mail from Ada to the plain address."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = PEOPLE["Ada"], SITE, "a question", make_msgid(domain="example.org")
    mail.set_content(f"{text}\n")
    return mail


def peopled(path: Path) -> Service:
    """A service over the configured database, with two players who have had their welcome and want text alone: nobody looks at boards."""
    service = Service.initialise(loaded(path))
    for name, address in PEOPLE.items():
        service.people.add(name, address, actor="admin:test", cause=f"test:{name}")
        service.people.choose(name, [("mail", "text")], actor="admin:test", cause=f"test:text:{name}")
    service.mail.send_outbox()
    return service


def opened(service: Service, size: int = 2) -> None:
    """A game between the two."""
    service.games.open("take", {"size": size}, list(PEOPLE), order=SeatOrder.GIVEN, actor="admin:test", cause="test:open")


@pytest.mark.long
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_mail_is_answered_at_once_and_the_process_ends_cleanly(tmp_path: Path, sqlite_url: str, sink: Sink, by: signal.Signals) -> None:
    """The intervals are an hour: only the nudges can be that quick."""
    jobs: dict[str, object] = {"read_seconds": 3600, "send_seconds": 3600, "sweep_seconds": 3600}
    path = configured(tmp_path, sqlite_url, sink.port, jobs=jobs)
    service = peopled(path)
    with serving(path) as served:
        served.deliver(question())
        answer = sink.wait(3)[-1]
        assert recipient(answer) == PEOPLE["Ada"]
        assert served.stop(by) == 0
        assert served.log[-1].rstrip().endswith("stopped")
    with service.db.read() as conn:
        assert outbox.counts(conn) == {"sent": 3}
    service.db.close()


def moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def made_anew(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    Database.create_or_upgrade(f"sqlite:///{path}").close()


@pytest.mark.long
@pytest.mark.parametrize("happens", [Path.unlink, moved, made_anew], ids=["deleted", "moved", "made anew"])
def test_mail_is_not_taken_when_the_database_is_another(
    tmp_path: Path, sqlite_url: str, sink: Sink, happens: Callable[[Path], None]
) -> None:
    """The process ends with 3, which systemd does not start again."""
    jobs: dict[str, object] = {"read_seconds": 3600, "send_seconds": 3600, "sweep_seconds": 3600}
    path, file = configured(tmp_path, sqlite_url, sink.port, jobs=jobs), Path(sqlite_url.removeprefix("sqlite:///"))
    peopled(path).db.close()
    with serving(path) as served:
        served.deliver(question())
        sink.wait(3)
        happens(file)
        # 451, or nobody listens any more if something else looked first
        with pytest.raises((smtplib.SMTPDataError, smtplib.SMTPServerDisconnected, ConnectionError)):
            served.deliver(question("games"))
        assert served.process.wait(PATIENCE_SECONDS) == 3
        assert len([line for line in served.log if "CRITICAL" in line]) == 1
        assert served.log[-1].startswith("turnserver: the database is not the one any more")
    if file.exists():
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("SELECT count(*) FROM inbox").fetchone() == (0,)


@pytest.mark.long
def test_a_second_signal_ends_it_at_once(tmp_path: Path, sqlite_url: str, sink: Sink) -> None:
    """Nobody has to wait for a mail server that does not answer."""
    path = configured(tmp_path, sqlite_url, sink.port)
    service = Service.initialise(loaded(path))
    service.people.add("Ada", PEOPLE["Ada"], actor="admin:test", cause="test:Ada")
    service.db.close()
    begun, through = Event(), Event()

    def hang(_mail: EmailMessage) -> None:
        begun.set()
        through.wait(PATIENCE_SECONDS)

    sink.before_answer = hang
    with serving(path) as served:
        assert begun.wait(PATIENCE_SECONDS)
        served.process.terminate()
        served.wait("finishing what is under way")
        assert served.stop() == -signal.SIGTERM
    through.set()


@pytest.mark.long
def test_of_several_mails_only_the_one_in_hand_is_finished(tmp_path: Path, sqlite_url: str, sink: Sink) -> None:
    """A mail server that has become slow must not keep the process longer than systemd waits for it."""
    path = configured(tmp_path, sqlite_url, sink.port)
    service = Service.initialise(loaded(path))
    for name, address in PEOPLE.items():
        service.people.add(name, address, actor="admin:test", cause=f"test:{name}")
    service.db.close()
    begun, through = Event(), Event()

    def hang(_mail: EmailMessage) -> None:
        begun.set()
        through.wait(PATIENCE_SECONDS)

    sink.before_answer = hang
    with serving(path) as served:
        assert begun.wait(PATIENCE_SECONDS)
        served.process.terminate()
        # it takes no mail any more once it knows that it has to end
        with suppress(OSError):
            while True:
                socket.create_connection((LOOPBACK, served.port)).close()
        through.set()
        assert served.process.wait(PATIENCE_SECONDS) == 0
    assert len(sink.mails) == 1


@pytest.mark.long
def test_what_comes_into_the_maildir_is_answered(tmp_path: Path, sqlite_url: str, sink: Sink) -> None:
    """Mail from before the first look is fetched as well, but not answered."""
    box = tmp_path / "incoming"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    path = configured(tmp_path, sqlite_url, sink.port, incoming={"maildir": str(box)})
    peopled(path).db.close()
    (box / "new" / "1.mail").write_bytes(question().as_bytes())
    with serving(path) as served:
        served.wait("collect maildir: 1 delivered")
        (box / "new" / "2.mail").write_bytes(question("games").as_bytes())
        assert "Your games" in sink.wait(3)[-1]["Subject"]
        assert served.stop() == 0
    assert sorted(each.name for each in (box / "cur").iterdir()) == ["1.mail:2,S", "2.mail:2,S"]


def play(service: Service, sink: Sink, deliver: Callable[[EmailMessage], None], tend: Callable[[], None] = lambda: None) -> Mails:
    """Let both players answer their mails until the game has ended and every mail has come; gives all mails.

    They answer each turn once, and only a mail that is about the turn which is pending when they read it. `tend` is called after each mail.
    """
    answered: set[tuple[object, ...]] = set()
    seen = len(PEOPLE)  # the welcomes want no answer
    while True:
        mail = sink.wait(seen + 1)[seen]
        seen += 1
        tend()
        state = service.games.state(GAME)
        token = service.mail.token_in(mail["Reply-To"].addresses[0].addr_spec)
        assert token is not None
        text = words_for(state, token.player)
        context = (token.player, state.status, state.turn)
        if token.turn == state.turn and text is not None and context not in answered:
            answered.add(context)
            deliver(answer_to(mail, text))
        if state.status is Status.ENDED:
            with service.db.read() as conn:
                queue = outbox.list_outbox(conn, limit=10_000)
            return sink.wait_for([row.message_id for row in queue])


def check_nothing_lost_or_twice(service: Service, mails: Mails, *, repeated: int = 0) -> None:
    """Every turn was played once and by the rules; every mail of the outbox left, `repeated` of them twice; the log is whole."""
    rows = service.games.history(GAME)
    turns = [row.event.turn for row in rows if isinstance(row.event, TurnPlayed)]
    assert turns == list(range(1, len(turns) + 1))
    assert list(recheck((row.event for row in rows), GAME)) == []
    assert service.games.state(GAME).status is Status.ENDED
    with service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        queue = outbox.list_outbox(conn, limit=10_000)
        assert set(inbox.counts(conn)) == {"done"}
    assert {row.status for row in queue} == {"sent"}
    came = Counter(message_id(mail) for mail in mails)
    assert set(came) == {row.message_id for row in queue}
    assert came.total() - len(came) == repeated


def test_a_game_by_two_processes_on_one_postgresql(tmp_path: Path, postgresql_url: str, sink: Sink) -> None:
    """Each answer arrives at both of them, as from a mail server that was impatient."""
    path = configured(tmp_path, postgresql_url, sink.port)
    service = peopled(path)
    opened(service)
    with serving(path) as one, serving(path) as other:

        def deliver(mail: EmailMessage) -> None:
            one.deliver(mail)
            other.deliver(mail)

        mails = play(service, sink, deliver)
        assert (one.stop(), other.stop()) == (0, 0)
        assert [line for line in (*one.log, *other.log) if "ERROR" in line] == []
    check_nothing_lost_or_twice(service, mails)
    service.db.close()


def when_leases_have_run_out(path: Path) -> Service:
    """The service, ten minutes from now."""
    settings = loaded(path)
    return Service(Database.connect(settings.database.url), settings, clock=lambda: datetime.now(UTC) + timedelta(minutes=10))


@pytest.mark.long
def test_a_mail_to_many_of_our_addresses_is_stored_once_and_read_for_each(tmp_path: Path, sqlite_url: str, sink: Sink) -> None:
    path = configured(tmp_path, sqlite_url, sink.port)
    peopled(path).db.close()
    mail = question()
    mail.add_attachment(bytes(300_000), maintype="image", subtype="png")
    boxes = [f"turns+{number}@club.example" for number in range(MOST_RECIPIENTS)]
    with serving(path) as served, smtplib.LMTP(LOOPBACK, served.port) as lmtp:
        lmtp.ehlo()
        lmtp.mail("ada@example.org")
        assert {lmtp.rcpt(box)[0] for box in boxes} == {250}
        assert lmtp.docmd("DATA")[0] == 354
        lmtp.send(mail.as_bytes(policy=policy.SMTP) + b".\r\n")
        assert {lmtp.getreply()[0] for _ in boxes} == {250}
    db = Database.connect(sqlite_url)
    with db.read() as conn:
        kept = [inbox.get(conn, each.id) for each in inbox.list_inbox(conn)]
        stored = retention.space(conn).came
    db.close()
    assert {each.recipient for each in kept} == set(boxes)
    [raw] = {each.raw for each in kept}
    assert stored == len(raw)


def test_killed_right_after_it_has_accepted_mail(tmp_path: Path, sqlite_url: str, sink: Sink) -> None:
    """All mail that it had acknowledged is in the inbox, and the next process handles it."""
    path = configured(tmp_path, sqlite_url, sink.port)
    peopled(path).db.close()
    with serving(path) as served:
        with smtplib.LMTP(LOOPBACK, served.port) as lmtp:
            for _ in range(5):
                lmtp.send_message(question())
        assert served.stop(signal.SIGKILL) == -signal.SIGKILL
    service = when_leases_have_run_out(path)
    service.tick()
    with service.db.read() as conn:
        assert inbox.counts(conn) == {"done": 5}
        queue = outbox.list_outbox(conn)
    assert [row.status for row in queue] == ["sent"] * 7
    assert {message_id(mail) for mail in sink.mails} == {row.message_id for row in queue}
    service.db.close()


class Mortal:
    """A process that is killed in the moment when it has handed the mail of that number to the mail server, and then started again."""

    def __init__(self, path: Path, sink: Sink, number: int) -> None:
        self._path = path
        self._sink = sink
        self._number = number
        self.lives = [Serving(path)]

    def kill(self, _mail: EmailMessage) -> None:
        if len(self._sink.mails) == self._number - 1 and len(self.lives) == 1:
            self.lives[0].process.kill()
            self.lives[0].process.wait()

    def tend(self) -> None:
        """Start it again if it is dead, after what it left has been taken up."""
        if self.lives[-1].process.poll() is None:
            return
        service = when_leases_have_run_out(self._path)
        service.tick()
        service.db.close()
        self.lives.append(Serving(self._path))

    def deliver(self, mail: EmailMessage) -> None:
        """Hand a mail in as a mail server does, which tries until it is taken."""
        try:
            self.lives[-1].deliver(mail)
        except (OSError, smtplib.SMTPException):
            assert self.lives[-1].process.wait(PATIENCE_SECONDS) == -signal.SIGKILL
            self.tend()
            self.deliver(mail)


@pytest.mark.parametrize("number", shortened([3, 4, 7]))
def test_killed_while_it_sends_and_started_again(tmp_path: Path, sqlite_url: str, sink: Sink, number: int) -> None:
    """The mail server has the mail and the process dies before it knows.

    That mail is sent once more with the same Message-ID, which nobody can avoid; everything else happens once.
    """
    path = configured(tmp_path, sqlite_url, sink.port)
    service = peopled(path)
    opened(service)
    mortal = Mortal(path, sink, number)
    sink.before_answer = mortal.kill
    try:
        mails = play(service, sink, mortal.deliver, mortal.tend)
        assert len(mortal.lives) == 2
        assert mortal.lives[-1].stop() == 0
    finally:
        for life in mortal.lives:
            life.process.kill()
            life.process.wait()
    check_nothing_lost_or_twice(service, mails, repeated=1)
    service.db.close()


@pytest.mark.long
def test_mail_is_not_taken_while_the_database_is_locked(tmp_path: Path, sqlite_url: str, sink: Sink) -> None:
    """The mail server is told to try again, and when it does, everything goes on."""
    path = configured(tmp_path, sqlite_url, sink.port, database={"url": sqlite_url, "busy_timeout_seconds": 0.2})
    peopled(path).db.close()
    mail = question()
    holder = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    with serving(path) as served:
        served.wait("takes mail")
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(smtplib.SMTPDataError) as refused:
            served.deliver(mail)
        assert refused.value.smtp_code == 451
        holder.execute("ROLLBACK")
        served.deliver(mail)
        sink.wait(3)
        assert served.stop() == 0
    holder.close()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        pytest.param({"database": {"url": "sqlite:///none.db"}}, "`turnserver init` creates it", id="no database", marks=LONG),
        pytest.param(
            {"database": {"url": "postgresql+psycopg://nobody@127.0.0.1:1/club"}}, "cannot be reached", id="no server", marks=LONG
        ),
        pytest.param({"incoming": {"lmtp_port": "soon"}}, "incoming.lmtp_port must be a whole number", id="wrong setting", marks=LONG),
        pytest.param({"incoming": {"lmtp_port": None}}, "Address already in use", id="address taken", marks=LONG),
    ],
)
def test_what_cannot_be_served_is_one_sentence(
    tmp_path: Path, sqlite_url: str, sink: Sink, wrong: dict[str, dict[str, object]], says: str
) -> None:
    sections = {section: {key: sink.port if value is None else value for key, value in values.items()} for section, values in wrong.items()}
    path = configured(tmp_path, sqlite_url, sink.port, **sections)
    command = [*TURNSERVER, "--config", str(path), "serve"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert says in done.stderr
