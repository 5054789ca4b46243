"""`turnserver demo`: play a whole game through real mail on this machine, audit it, and say where everything lies.

With `--play` somebody at the terminal has the first seat: mails are shown there as a mail program shows them, and what is typed is the
answer.
"""

import shutil
import sys
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from turnserver import games as catalogue
from turnserver.cli import complete
from turnserver.cli.demo.house_game import ADDRESS, ADMIN_ADDRESS, DATABASE, MAIL, HouseGame, play
from turnserver.cli.game.commands import PICTURE_WIDTH, assignments
from turnserver.config import reading
from turnserver.errors import BadOption
from turnserver.mail.outbound.picture import png
from turnserver.mail.outbound.wording import counted
from turnserver.play.events import Outcome
from turnserver.play.state import GameState
from turnserver.service import Service
from turnserver.store.log import verify as audit

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
        with Progress(
            TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=Console(stderr=True), transient=True
        ) as bar:
            task = bar.add_task("inviting the players", total=None)
            done = play(directory, entry.key, options, lambda state: bar.update(task, description=_situation(state)))
    else:
        done = play(directory, entry.key, options, lambda _: None, Terminal())
    took = monotonic() - began
    service = Service.connect(reading.load(written, {}))
    with service.db.read() as conn:
        findings = list(audit.verify(conn))
    events = len(service.history(done.game))
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
    """What was done, where it lies, and what to type next."""
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
