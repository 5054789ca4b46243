"""`turnserver demo`: a short game between two house players by real mails, one of which is shown."""

import sys
import tempfile
import webbrowser
from email.message import EmailMessage
from pathlib import Path
from typing import Annotated, Final

import typer

from turnserver import games
from turnserver.cli.output import show
from turnserver.ids import GameId
from turnserver.service.service import Service
from turnserver.web.sandbox.desk import HOUSE, Desk, new_site, service_into
from turnserver.web.sandbox.mails import Capture

GAME: Final = "okago"
OPTIONS: Final = {"size": 6}
"""House players always play the same game. On this board it takes eleven turns, and both see what threatens."""
SHOWN: Final = 8
"""The turn whose mail is shown: far enough for the board to be worth a look."""


def demo(
    *,
    open_: Annotated[bool, typer.Option("--open", help="Show the picture of the board in a browser.")] = False,
) -> None:
    """Let two house players play a short game by mail, in seconds, and print one of the mails.

    Everything happens on this machine, on a database that is thrown away. The picture of the board stays.
    """
    players = HOUSE[: games.find(GAME, **OPTIONS).rules.seats]
    show.words(
        "turnserver plays slow board games by e-mail: a mail brings the board, and the answer to it is a move. Here two house players"
        f" meet at {games.entry(GAME).title}, by real mails that do not leave this machine."
    )
    with tempfile.TemporaryDirectory(prefix="turnserver-demo-") as temporary:
        maildir = Path(temporary) / "mails"
        with service_into(maildir, new_site(Path(temporary) / "turnserver.toml")) as service:
            desk = Desk(service, maildir, house=players)
            desk.open(GAME, OPTIONS)
            state = service.games.state(GameId(1))
            typer.echo("".join(f"\n{turn.turn:>4}  {players[turn.seat - 1]} plays {turn.text}" for turn in state.line.turns))
            typer.echo(f"\n{desk.capture.list()[0].news}\n\nThis is the mail with turn {SHOWN}:\n")
            mail = _mail_of(service, desk.capture)
    text, picture = mail.get_body(("plain",)), next(part for part in mail.walk() if part.get_content_type() == "image/png")
    typer.echo("".join(f"  | {line}\n" for line in (text.get_content() if text else "").splitlines()))
    # Not in the directory that is gone by now: the browser opens the picture after the command has ended.
    path = Path(tempfile.mkdtemp(prefix="turnserver-demo-")) / "board.png"
    path.write_bytes(picture.get_content())
    typer.echo(f"Beside the text it carries the same as HTML, with this picture: {path}\n")
    # As it was started, so that the line can be copied where it is not on the PATH.
    typer.echo(f"Now play yourself:  {sys.argv[0] if Path(sys.argv[0]).name == 'turnserver' else 'turnserver'} try")
    if open_:
        webbrowser.open(path.as_uri())


def _mail_of(service: Service, capture: Capture) -> EmailMessage:
    mails = (capture.message(one.id) for one in capture.list())
    tokens = ((mail, service.mail.token_in(mail["Reply-To"].addresses[0].addr_spec)) for mail in mails)
    return next(mail for mail, token in tokens if token is not None and token.turn == SHOWN)
