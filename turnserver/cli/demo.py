"""`turnserver demo`: a whole game between two house players, through real mail on loopback, in a directory of its own.

The service runs as `turnserver serve` would run it. What it sends goes by SMTP to a sink in this process, which plays the part of the
players' mail programs: it files each mail in the player's maildir and answers by LMTP as a mail program answers, original quoted below.
"""

import mailbox
import smtplib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from queue import Empty, Queue
from typing import NamedTuple, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from turnserver import games
from turnserver.config import DatabaseSettings, Incoming, Jobs, Outgoing, Settings, Site
from turnserver.envelope import GameId, PlayerId
from turnserver.errors import StoreError
from turnserver.jobs import Server
from turnserver.play.events import SeatOrder
from turnserver.play.state import GameState, Status
from turnserver.service import Service

PATIENCE_SECONDS = 60.0
"""How long the sink waits for the next mail before the demo is called a failure."""

PLAYERS = ("House One", "House Two")
LOOPBACK = "127.0.0.1"


class Demo(NamedTuple):
    """What a finished demo left behind."""

    game: GameId
    state: GameState
    mails: int
    answers: int


class Sink:
    """The players' mail server: accepts everything and hands it on."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.arrived: Queue[bytes] = Queue()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        """Take a mail."""
        self.arrived.put(bytes(envelope.original_content or b""))
        return "250 OK"


def settings_for(directory: Path, smtp_port: int, *, lmtp_port: int = 0) -> Settings:
    """A configuration that keeps everything below `directory` and everything on loopback."""
    return Settings(
        site=Site(name="turnserver demo", address="turns@demo.example", admin="admin@demo.example"),
        database=DatabaseSettings(url=f"sqlite:///{directory / 'turnserver.db'}"),
        outgoing=Outgoing(host=LOOPBACK, port=smtp_port),
        incoming=Incoming(lmtp_host=LOOPBACK, lmtp_port=lmtp_port),
        jobs=Jobs(),
    )


@contextmanager
def running(directory: Path) -> Iterator[tuple[Server, Sink]]:
    """A server over a fresh database in `directory`, and the sink that its mails go to."""
    sink = Sink()
    smtp = Controller(sink, hostname=LOOPBACK, port=0, ready_timeout=10)
    smtp.start()
    try:
        port = smtp.server.sockets[0].getsockname()[1]
        server = Server(Service.initialise(settings_for(directory, port)))
        server.start()
        try:
            yield server, sink
        finally:
            server.stop()
    finally:
        smtp.stop()


def answer_to(mail: EmailMessage, text: str) -> EmailMessage:
    """What a mail program makes of `text` written above a quoted mail."""
    body = mail.get_body(("plain",))
    quoted = "".join(f"> {line}\n" for line in (body.get_content() if body else "").splitlines())
    answer = EmailMessage()
    answer["From"] = mail["To"]
    answer["To"] = mail["Reply-To"]
    answer["Subject"] = f"Re: {mail['Subject']}"
    answer["Date"] = format_datetime(mail["Date"].datetime)
    answer["Message-ID"] = make_msgid(domain="demo.example")
    answer["In-Reply-To"] = mail["Message-ID"]
    answer["References"] = " ".join(filter(None, (mail["References"], mail["Message-ID"])))
    answer.set_content(f"{text}\n\nOn {mail['Date']}, {mail['From']} wrote:\n{quoted}")
    return answer


def words_for(state: GameState, player: PlayerId) -> str | None:
    """What a house player writes when a mail about this game arrives: an acceptance, a move, or nothing."""
    if state.status is Status.INVITING:
        return None if player in state.accepted else "accept"
    if state.status is Status.RUNNING and state.to_move == state.seat_of(player):
        return house_turn(state)
    return None


def house_turn(state: GameState) -> str:
    """A whole turn as the house plays it, in notation."""
    rules, choose = state.game.rules, games.house(state.game.entry.key)
    position = state.line.position
    here = rules.next(position)
    steps: list[str] = []
    while rules.next(position) == here:
        step = choose(state.game, position)
        steps.append(rules.format(position, step))
        position = rules.apply(position, step)
    return "; ".join(steps)


def play(directory: Path, game: str, options: Mapping[str, str | int | bool], watch: Callable[[GameState], None]) -> Demo:
    """Play one game to its end. `watch` is shown the game at every mail. Raises StoreError if mail stops coming before the end."""
    with running(directory) as (server, sink):
        service = server.service
        people = {
            person.address: person
            for person in (service.add_player(name, address_of(name), actor="admin:demo", cause=f"demo:{name}") for name in PLAYERS)
        }
        opened = service.open_game(game, options, PLAYERS, order=SeatOrder.GIVEN, actor="admin:demo", cause="demo:open").game
        server.nudge()
        mails, answered = 0, set[tuple[PlayerId, Status, int]]()
        while True:
            raw = next_mail(sink)
            mail = cast(EmailMessage, message_from_bytes(raw, policy=policy.default))
            mails += 1
            person = people[mail["To"].addresses[0].addr_spec]
            mailbox.Maildir(directory / "mail" / person.name.lower().replace(" ", "-")).add(raw)
            state = service.game(opened)
            watch(state)
            occasion = (person.id, state.status, state.turn)
            text = words_for(state, person.id)
            if text is not None and occasion not in answered:
                answered.add(occasion)
                deliver(server, answer_to(mail, text))
            if state.status is Status.ENDED and sink.arrived.empty() and not service.waiting_mails():
                return Demo(opened, state, mails, len(answered))


def deliver(server: Server, mail: EmailMessage) -> None:
    """Hand an answer in over LMTP, as a mail server would."""
    with smtplib.LMTP(LOOPBACK, server.port) as lmtp:
        lmtp.send_message(mail)


def next_mail(sink: Sink) -> bytes:
    """The next mail that left, waiting for it if need be."""
    try:
        return sink.arrived.get(timeout=PATIENCE_SECONDS)
    except Empty:
        raise StoreError(f"No mail has come for {PATIENCE_SECONDS:.0f} seconds; `turnserver mail outbox` shows what is stuck.") from None


def address_of(name: str) -> str:
    """A house player's mailbox."""
    return f"{name.lower().replace(' ', '-')}@demo.example"
