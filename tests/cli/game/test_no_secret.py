"""The secret of a game with chance is nowhere outside of its table before the game has ended; afterwards everybody can read it."""

import base64
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes

import pytest

from tests.cli.club import ADA, BOB, NOON, Club
from tests.cli.typed import MAILDIR, configure, declared
from turnserver.cli.output.shapes import Board, GameDetails
from turnserver.play.commands import Accept, PlayTurn, Resign

GAME = 4
LINES = (
    "game list --all",
    f"game show {GAME}",
    f"game board {GAME}",
    f"game board {GAME} --turn 0 --moves",
    f"game history {GAME}",
    "audit verify",
    "mail inbox list",
    "mail outbox list",
    "mail outbox show 8",
)
MACHINES = LINES[1:5]
FILES = (
    f"game record {GAME} --format json -o {{dir}}/record.json",
    f"game record {GAME} -o {{dir}}/record.txt",
    f"game record {GAME} --format html -o {{dir}}/replay.html",
    f"game board {GAME} --svg {{dir}}/board.svg --png {{dir}}/board.png",
)
REFUSED = (
    f"game retract {GAME} --from 99 --reason no --yes",
    f"game result {GAME} 9 win --reason no --yes",
    "game open tako Ada Ada",
)


def secret_in(club: Club) -> bytes:
    with closing(sqlite3.connect(club.directory / "club.db")) as database, database:
        ((secret,),) = database.execute("SELECT value FROM secret WHERE name = ?", [f"game-{GAME}"]).fetchall()
    return bytes(secret)


def writings(secret: bytes) -> list[bytes]:
    """Return the forms in which the secret could have been written down."""
    texts = (secret.hex(), secret.hex().upper(), base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode())
    return [secret, repr(secret)[2:-1].encode(), *(text.rstrip("=").encode() for text in texts)]


def artefacts(club: Club) -> Iterator[tuple[str, bytes]]:
    """Everything that the commands print and write, and every mail."""
    club.run("tick")
    for line in (*LINES, *(f"{line} --json" for line in MACHINES), *FILES, *REFUSED):
        result = club.run(line)
        yield line, result.stdout_bytes + result.stderr_bytes + repr(result.exception).encode()
    for path in club.directory.rglob("*"):
        if path.parts[-3:-1] == ("leaving", "new"):
            for part in message_from_bytes(path.read_bytes()).walk():
                payload = part.get_payload(decode=True)
                yield "a mail", payload if isinstance(payload, bytes) else b""
        elif path.is_file() and not path.name.startswith("club.db"):
            yield path.name, path.read_bytes()


def leaks(club: Club, secret: bytes) -> set[str]:
    """Return the names of the artefacts that hold the secret, also broken into several lines."""
    found = writings(secret)
    return {name for name, text in artefacts(club) if any(each in text or each in b"".join(text.split()) for each in found)}


def test_the_secret_of_a_running_game_is_in_nothing_that_leaves_the_database(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    configure(club, MAILDIR)
    club.printed("game open tako Ada Bob --order given")
    club.ask(GAME, Accept(ADA, NOON), Accept(BOB, NOON))
    shown, board = (declared(club.printed(f"game {what} {GAME} --json"), f"game {what}") for what in ("show", "board --moves"))
    assert isinstance(shown, GameDetails)
    assert isinstance(board, Board)
    club.ask(GAME, PlayTurn((ADA, BOB)[(shown.to_move or 1) - 1], NOON, (board.legal or ["none"])[0]))
    secret = secret_in(club)
    assert leaks(club, secret) == set()
    assert not any(each.decode("latin-1") in caplog.text for each in writings(secret))
    assert len(list((club.directory / "leaving" / "new").iterdir())) > 10
    club.ask(GAME, Resign(BOB, NOON))
    assert leaks(club, secret) >= {f"game history {GAME}", f"game history {GAME} --json", "replay.html"}
