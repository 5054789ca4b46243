"""A whole game between house players, or of a guest against them, through real mail on loopback, in a directory of its own.

The service runs as `turnserver serve` would run it. What it sends goes by SMTP to a sink in this process, which plays the part of the
players' mail programs: it files each mail in the player's maildir and answers by LMTP as a mail program answers, original quoted below.
"""

import asyncio
import mailbox
import smtplib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, Protocol, Self

from aiosmtpd.smtp import SMTP, Envelope, Session

from turnserver import games as catalogue
from turnserver.cli.demo.answering import answer_to
from turnserver.config import Audit, DatabaseSettings, Incoming, Jobs, Outgoing, Play, Settings, Site
from turnserver.errors import StoreError
from turnserver.ids import GameId, PlayerId
from turnserver.jobs import Server
from turnserver.play.events import SeatOrder
from turnserver.play.state import GameState, Status
from turnserver.rules import Game
from turnserver.service import Service

PATIENCE_SECONDS = 60.0
"""How long the sink waits for a mail that is on its way before the game is called a failure."""
GLANCE_SECONDS = 0.05
"""How long it waits before it looks whether anything is on its way at all."""

ADDRESS = "turns@demo.example"
ADMIN_ADDRESS = "admin@demo.example"
ADMIN = "admin:demo"
DATABASE = "turnserver.db"
HOUSE = ("House One", "House Two", "House Three", "House Four")
GUEST = "Guest"
LOOPBACK = "127.0.0.1"
MAIL = "mail"
"""Where the players' maildirs are, within the demo's directory."""


_REFUSED = "The game stands still: a mail of the house was not carried out; `turnserver mail inbox` shows which."
_STUCK = f"No mail has come for {PATIENCE_SECONDS:.0f} seconds; `turnserver mail outbox` shows what is stuck."


class HouseGame(NamedTuple):
    """What a game left behind, finished or left by the guest."""

    game: GameId
    state: GameState
    players: tuple[str, ...]
    mails: int
    answers: int


class Guest(Protocol):
    """Somebody at the terminal, who is shown mails and writes answers."""

    def read(self, mail: EmailMessage) -> None:
        """Take note of a mail."""

    def write(self, state: GameState) -> str | None:
        """What to answer to the newest mail; None to leave."""


class Sink:
    """The players' mail server: accepts everything and hands it on. Listens from `with` to its end."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.arrived: Queue[bytes] = Queue()
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="sink", daemon=True)

    def __enter__(self) -> Self:
        """Listen on a port that the system gives."""
        self._thread.start()
        serving = self._loop.create_server(lambda: SMTP(self, hostname="localhost", loop=self._loop), LOOPBACK, 0)
        self._server = asyncio.run_coroutine_threadsafe(serving, self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        """Take a mail."""
        self.arrived.put(bytes(envelope.original_content or b""))
        return "250 OK"


def settings_for(directory: Path, smtp_port: int, *, lmtp_port: int = 0) -> Settings:
    """A configuration that keeps everything below `directory` and everything on loopback."""
    return Settings(
        site=Site(name="turnserver demo", address=ADDRESS, admin=ADMIN_ADDRESS),
        database=DatabaseSettings(url=f"sqlite:///{directory / DATABASE}"),
        outgoing=Outgoing(host=LOOPBACK, port=smtp_port),
        incoming=Incoming(lmtp_host=LOOPBACK, lmtp_port=lmtp_port, mails_per_hour=100_000),  # a house plays its months in minutes
        audit=Audit(key_files=()),  # nobody will ever ask what happened here
        jobs=Jobs(),
        play=Play(correction_minutes=0),  # a house has no second thoughts
    )


@contextmanager
def running(directory: Path) -> Iterator[tuple[Server, Sink]]:
    """A server over a fresh database in `directory`, and the sink that its mails go to."""
    with Sink() as sink:
        server = Server(Service.initialise(settings_for(directory, sink.port)))
        server.start()
        try:
            yield server, sink
        finally:
            server.stop()


def words_for(state: GameState, player: PlayerId) -> str | None:
    """What a house player writes when a mail about this game arrives: an acceptance, a move, or nothing."""
    if state.status is Status.INVITING:
        return None if player in state.accepted else "accept"
    if state.status is Status.RUNNING and state.to_move == state.seat_of(player):
        return house_turn(state)
    return None


def house_turn(state: GameState) -> str:
    """A whole turn as the house plays it, in notation."""
    return "; ".join(catalogue.house_turn(state.game, state.line.position))


def names(game: Game[Any, Any], guest: Guest | None) -> tuple[str, ...]:
    """Who plays, in seat order: a guest has the first seat."""
    seats = game.rules.seats
    return HOUSE[:seats] if guest is None else (GUEST, *HOUSE[: seats - 1])


def play(
    directory: Path,
    game: str,
    options: Mapping[str, str | int | bool],
    watch: Callable[[GameState], None],
    guest: Guest | None = None,
) -> HouseGame:
    """Play one game to its end, or until the guest leaves. `watch` is shown the game at every mail.

    Raises StoreError if a mail that is on its way does not come.
    """
    (directory / MAIL).mkdir(exist_ok=True)
    seated = names(catalogue.find(game, **options), guest)
    with running(directory) as (server, sink):
        service = server.service
        people = [service.add_player(name, address_of(name), actor=ADMIN, cause=f"demo:{name}") for name in seated]
        server.nudge()
        for _ in people:
            file(directory, next_mail(sink))  # the welcomes: nobody answers those
        opened = service.open_game(game, options, seated, order=SeatOrder.GIVEN, actor=ADMIN, cause="demo:open").game
        server.nudge()
        return _Evening(directory, server, sink, seated, {person.address: person.id for person in people}, opened, watch, guest).play()


class _Evening:
    """One game under way: what arrives is filed and answered, by the house at once and by the guest when nothing else is to come."""

    def __init__(  # noqa: PLR0917  # made in one place
        self,
        directory: Path,
        server: Server,
        sink: Sink,
        seated: tuple[str, ...],
        players: Mapping[str, PlayerId],
        game: GameId,
        watch: Callable[[GameState], None],
        guest: Guest | None,
    ) -> None:
        self.directory, self.server, self.sink, self.game = directory, server, sink, game
        self.seated, self.players = seated, players
        self.watch, self.guest = watch, guest
        self.mails, self.answers = len(players), 0
        self.newest: EmailMessage | None = None

    @property
    def state(self) -> GameState:
        return self.server.service.game(self.game)

    def play(self) -> HouseGame:
        patience = monotonic() + PATIENCE_SECONDS
        while True:
            try:
                raw = self.sink.arrived.get(timeout=GLANCE_SECONDS)
            except Empty:
                service = self.server.service
                if service.inbox_waiting() == 0 and self.mails == service.mails_written():
                    state = self.state
                    if state.status is Status.ENDED or not self._ask(state):
                        return HouseGame(self.game, state, self.seated, self.mails, self.answers)
                    patience = monotonic() + PATIENCE_SECONDS
                elif monotonic() > patience:
                    raise StoreError(_STUCK) from None
                continue
            patience = monotonic() + PATIENCE_SECONDS
            self._arrived(file(self.directory, raw))

    def _arrived(self, mail: EmailMessage) -> None:
        self.mails += 1
        player, state = self.players[recipient(mail)], self.state
        self.watch(state)
        if self.guest is not None and mail["To"].addresses[0].addr_spec == address_of(GUEST):
            self.newest = mail
            if state.status is Status.INVITING and player not in state.accepted:
                self._answer(mail, "accept")
            else:
                self.guest.read(mail)
            return
        token = self.server.service.token_in(mail["Reply-To"].addresses[0].addr_spec)
        text = words_for(state, player)
        if token is not None and token.turn == state.turn and text is not None:
            self._answer(mail, text)

    def _ask(self, state: GameState) -> bool:
        """Let the guest write; False if the guest leaves. Raises StoreError if it is the house that nothing was heard of."""
        if self.guest is None or self.newest is None:
            raise StoreError(_REFUSED)
        text = self.guest.write(state)
        if text is None:
            return False
        self._answer(self.newest, text)
        return True

    def _answer(self, mail: EmailMessage, text: str) -> None:
        self.answers += 1
        deliver(self.server, answer_to(mail, text))


def file(directory: Path, raw: bytes) -> EmailMessage:
    """Put a mail into its player's maildir, and read it."""
    mail = message_from_bytes(raw, policy=policy.default)
    mailbox.Maildir(directory / MAIL / recipient(mail).partition("@")[0]).add(raw)
    return mail


def recipient(mail: EmailMessage) -> str:
    """Whose mail it is."""
    address: str = mail["To"].addresses[0].addr_spec
    return address


def deliver(server: Server, mail: EmailMessage) -> None:
    """Hand an answer in over LMTP, as a mail server would."""
    with smtplib.LMTP(LOOPBACK, server.port) as lmtp:
        lmtp.send_message(mail)


def next_mail(sink: Sink) -> bytes:
    """The next mail that left, waiting for it if need be."""
    try:
        return sink.arrived.get(timeout=PATIENCE_SECONDS)
    except Empty:
        raise StoreError(_STUCK) from None


def address_of(name: str) -> str:
    """A player's mailbox."""
    return f"{name.lower().replace(' ', '-')}@demo.example"
