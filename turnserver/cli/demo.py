"""`turnserver demo`: play a whole game through real mail on this machine, audit it, and say where everything lies.

With `--play` somebody at the terminal has the first seat: mails are shown there as a mail program shows them, and what is typed is the
answer.
"""

import asyncio
import mailbox
import shutil
import smtplib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Annotated, Any, NamedTuple, Protocol, Self

import typer
from aiosmtpd.smtp import SMTP, Envelope, Session
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from turnserver import games as catalogue
from turnserver.cli import complete
from turnserver.cli.game.commands import PICTURE_WIDTH, assignments
from turnserver.config import Audit, DatabaseSettings, Incoming, Jobs, Outgoing, Play, Settings, Site, reading
from turnserver.errors import BadOption, StoreError
from turnserver.ids import GameId, PlayerId
from turnserver.jobs import Server
from turnserver.mail.outbound.language import counted
from turnserver.mail.outbound.picture import png
from turnserver.play.events import Outcome, SeatOrder
from turnserver.play.state import GameState, Status
from turnserver.rules import Game
from turnserver.service.service import Service
from turnserver.store.log import verify as audit
from turnserver.web.sandbox.desk import answer_to, words_for

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
    """A game of the demo, when it is finished or the guest has left."""

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
        """Return the answer to the newest mail, or None to leave."""


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
        # The loop runs in a thread of its own, and takes calls from others only in this way.
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        """Take a mail."""
        # As it came over the line: `content` may have been decoded.
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
        people = [service.people.add(name, address_of(name), actor=ADMIN, cause=f"demo:{name}") for name in seated]
        server.nudge()
        for _ in people:
            file(directory, next_mail(sink))  # the welcomes: nobody answers those
        opened = service.games.open(game, options, seated, order=SeatOrder.GIVEN, actor=ADMIN, cause="demo:open").game
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
        return self.server.service.games.state(self.game)

    def play(self) -> HouseGame:
        patience = monotonic() + PATIENCE_SECONDS
        while True:
            try:
                raw = self.sink.arrived.get(timeout=GLANCE_SECONDS)
            except Empty:
                service = self.server.service
                # Nothing waits to be handled and every mail that was written has come: the guest has to write, or it is over.
                if service.mail.inbox_waiting() == 0 and self.mails == service.mail.mails_written():
                    state = self.state
                    if state.status is Status.ENDED or not self._ask(state):
                        return HouseGame(self.game, state, self.seated, self.mails, self.answers)
                    # A guest may think as long as they like.
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
            # Without asking: whoever types --play wants to play.
            if state.status is Status.INVITING and player not in state.accepted:
                self._answer(mail, "accept")
            else:
                self.guest.read(mail)
            return
        token = self.server.service.mail.token_in(mail["Reply-To"].addresses[0].addr_spec)
        text = words_for(state, player)
        # A mail may be older than the state: only the one about the pending turn is answered.
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
    """Return the address that a mail goes to."""
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


MARK = ".turnserver-demo"
"""The file by which a demo's directory is known."""
CONFIG = f"""# The demo, to be looked at with the other commands.
[site]
name = "turnserver demo"
address = "{ADDRESS}"
admin = "{ADMIN_ADDRESS}"

[database]
url = "sqlite:///{DATABASE}"

[outgoing]
transport = "maildir"
maildir = "outgoing"
"""

Key = Annotated[str, typer.Option(metavar="GAME", autocompletion=complete.keys, help="A key of `turnserver games`.")]
Played = Annotated[
    str | None, typer.Option("--play", metavar="GAME", autocompletion=complete.keys, help="Play this game yourself, against the house.")
]
Chosen = Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="Choose an option of the game.")]
Where = Annotated[Path, typer.Option("--dir", metavar="DIR", help="Where everything is kept; an earlier demo there is replaced.")]


def settings_file(directory: Path) -> Path:
    """Write the configuration with which the finished demo can be looked at: its mail stays in the directory."""
    path = directory / "turnserver.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


def fresh(directory: Path) -> Path:
    """An empty directory for a demo: what an earlier one left there is removed. Raises BadOption if it holds anything else."""
    # Everything there will be deleted, so it must be empty or marked as a demo's.
    if directory.exists() and any(directory.iterdir()) and not (directory / MARK).exists():
        raise BadOption(f"{directory} holds something that is not a demo. Name another directory with --dir, or empty this one.")
    if directory.exists():
        shutil.rmtree(directory)
    directory.mkdir(parents=True)
    (directory / MARK).write_text("`turnserver demo` made this directory and may remove it.\n", encoding="utf-8")
    return directory


class Terminal:
    """Somebody who reads mails on the screen and types answers."""

    def read(self, mail: EmailMessage) -> None:
        """Show a mail as a mail program does."""
        body = mail.get_body(("plain",))
        typer.echo(f"\n{'=' * 72}\nSubject: {mail['Subject']}\n{'-' * 72}")
        typer.echo(body.get_content().rstrip() if body else "")

    def write(self, state: GameState) -> str | None:
        """Ask for the answer to the newest mail: a line, or lines up to an empty one where turns take several. None at the end of input."""
        several = state.game.entry.several
        typer.echo("\nYour answer (an empty line sends it, Ctrl-D leaves):" if several else "\nYour answer (Ctrl-D leaves):")
        lines: list[str] = []
        while True:
            typer.echo("> ", nl=False)
            line = sys.stdin.readline()
            # The end of input leaves only before anything was typed; after that it sends, as an empty line does.
            if not line and not lines:
                typer.echo("")
                return None
            if line.strip():
                lines.append(line.rstrip("\n"))
            if lines and not (several and line.strip()):
                return "\n".join(lines)


def demo(*, game: Key = "take", played: Played = None, option: Chosen = None, directory: Where = Path("demo")) -> None:
    """Play a whole game between house players through real mail on this machine, audit it, and say where everything lies."""
    entry = catalogue.entry(game if played is None else played)
    options = catalogue.options_from_text(entry, assignments(option or []))
    written = settings_file(fresh(directory))
    began = monotonic()
    if played is None:
        # On the standard error, and gone when it is done: the report alone stays.
        with Progress(
            TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=Console(stderr=True), transient=True
        ) as bar:
            task = bar.add_task("inviting the players", total=None)
            done = play(directory, entry.key, options, lambda state: bar.update(task, description=_situation(state)))
    else:
        done = play(directory, entry.key, options, lambda _: None, Terminal())
    took = monotonic() - began
    # With the file that stays behind, and without the environment: the audit sees what the commands below will see.
    service = Service.connect(reading.load(written, {}))
    with service.db.read() as conn:
        findings = list(audit.verify(conn))
    events = len(service.games.history(done.game))
    service.db.close()
    drawn = _picture(directory, done.state)
    for line in _report(directory, done, drawn, events=events, findings=findings, took=took):
        typer.echo(line)
    if findings:
        raise typer.Exit(1)


def _situation(state: GameState) -> str:
    last = state.line.last
    if last is None:
        return "inviting the players"
    return f"turn {last.turn}: {state.seat_name(last.seat)} {last.text}"


def _picture(directory: Path, state: GameState) -> tuple[Path, Path]:
    """The final board as SVG and PNG."""
    svg = state.game.view.svg(state.line.position, state.line.last_step)
    vector, pixels = directory / "board.svg", directory / "board.png"
    vector.write_text(svg, encoding="utf-8")
    pixels.write_bytes(png(svg, PICTURE_WIDTH))
    return vector, pixels


def _report(
    directory: Path, done: HouseGame, drawn: tuple[Path, Path], *, events: int, findings: Sequence[audit.Finding], took: float
) -> Iterator[str]:
    """Yield the lines that tell what was done, where the files lie, and what to type next."""
    state = done.state
    yield state.game.view.text(state.line.position, state.line.last_step)
    yield ""
    yield f"{_result(done)} after {counted(state.line.length, 'turn')}."
    yield f"{done.mails} mails left by SMTP and {done.answers} answers came back by LMTP, in {took:.0f} seconds."
    if findings:
        yield f"AUDIT: {len(findings)} findings, the first: {findings[0].problem}"
    else:
        yield f"Audit: the {events} events of the game are unbroken, from the invitation to {'the result' if state.result else 'here'}."
    yield ""
    yield f"  mails     {directory / MAIL}/  (a maildir for each player)"
    yield f"  database  {directory / DATABASE}"
    yield f"  board     {drawn[0]} and {drawn[1]}"
    yield ""
    yield "Next, for example:"
    # As it was started, so that the lines can be copied where it is not on the PATH.
    command = f"  {sys.argv[0] if Path(sys.argv[0]).name == 'turnserver' else 'turnserver'} --config {directory / 'turnserver.toml'}"
    for words in (
        f"game board {{}} --turn {min(17, state.line.length)}",
        "game history {}",
        "game record {} --format html -o replay.html",
        "audit verify",
    ):
        yield f"{command} {words.format(done.game)}"


def _result(done: HouseGame) -> str:
    """Who won, and why, as the beginning of a sentence."""
    state, result = done.state, done.state.result
    if result is None:
        return "The game stands as you left it,"
    scores = f" ({', '.join(f'{state.seat_name(seat)} {score}' for seat, score in zip(state.seats, result.scores, strict=False))})"
    reason = f"{result.reason or result.by}{scores if result.scores else ''}"
    won = " and ".join(f"{done.players[seat - 1]} ({state.seat_name(seat)})" for seat in result.winners)
    return f"{won} won: {reason}," if won else f"{'A draw' if result.outcome is Outcome.DRAWN else 'No result'}: {reason},"
