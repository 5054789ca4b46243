"""A club on an SQLite file whose admin sits at the command line, and whose clock is told the time."""

import shlex
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from typer.testing import CliRunner, Result

from turnserver.cli.app import app
from turnserver.cli.session import Outside
from turnserver.config import reading
from turnserver.ids import GameId, PlayerId, actor
from turnserver.outside import RandomBytes, system_entropy
from turnserver.play import commands as c
from turnserver.service.service import Service
from turnserver.store.log.database import Database

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PEOPLE = {"Ada": "ada@example.org", "Bob": "bob@example.org", "Cleo": "cleo@example.org"}
ADA, BOB, CLEO = PlayerId(1), PlayerId(2), PlayerId(3)
RUNNING, INVITING, ENDED = 1, 2, 3
"""The numbers of the club's games. In RUNNING two of five turns were taken back, ENDED was resigned by Bob."""

CONFIG = """[site]
address = "turns@club.example"
admin = "admin@club.example"
zone = "Europe/Berlin"

[database]
url = "sqlite:///club.db"
busy_timeout_seconds = 0.1

[play]
correction_minutes = 0
receipts = 0
"""


class Club:
    """A directory with a configuration, a database and whatever the commands write."""

    def __init__(self, directory: Path, asked: int = 0) -> None:
        """Use the club in this directory, whose players have `asked` for so much already. It is noon on the first of March."""
        self.directory = directory
        self.config = directory / "turnserver.toml"
        self.now = NOON
        self.asked = asked
        self.entropy: RandomBytes = system_entropy

    @property
    def outside(self) -> Outside:
        """The clock of the tests, and lots that fall as the players were named."""
        return Outside(clock=lambda: self.now, lot=tuple, entropy=self.entropy)

    def run(self, line: str, answer: str | None = None) -> Result:
        """Type a line, with {dir} for the directory, and perhaps an answer to a question."""
        words = shlex.split(line.format(dir=self.directory))
        return CliRunner().invoke(app, words, answer, env={"TURNSERVER_CONFIG": str(self.config), "COLUMNS": "80"}, obj=self.outside)

    def printed(self, line: str) -> str:
        """Return what a line prints that must succeed."""
        result = self.run(line)
        assert (result.exit_code, result.stderr) == (0, ""), result.output
        return result.stdout

    def json(self, line: str) -> object:
        """The JSON that a line prints."""
        return msgspec.json.decode(self.printed(line))

    def value(self, line: str, path: str) -> Any:  # whatever the command prints
        """Return the value at a path such as `0.games.1` of the JSON that a line prints."""
        found: Any = self.json(f"{line} --json")
        for step in path.split("."):
            found = found[int(step) if step.isdigit() else step]
        return found

    def ask(self, game: int, *commands: c.Command) -> None:
        """Do what players do, who have no command line."""
        settings = reading.load(self.config, {})
        service = Service(Database.connect(settings.database.url), settings, clock=lambda: self.now, lot=tuple)
        for command in commands:
            self.asked += 1
            # what no player asks for, the sweep does
            who = actor(command.player) if isinstance(command, c.PlayerCommand) else "service"
            service.games.handle(GameId(game), command, actor=who, cause=f"mail:{game}.{self.asked}")
        service.db.close()

    def play(self, game: int, players: Sequence[PlayerId], *moves: str) -> None:
        """Turns, the players taking them one after the other."""
        self.ask(game, *(c.PlayTurn(players[index % len(players)], self.now, move) for index, move in enumerate(moves)))


def found(directory: Path) -> Club:
    """Make a club with three players and three games."""
    club = Club(directory)
    club.config.write_text(CONFIG, encoding="utf-8")
    club.printed("init")
    for name, address in PEOPLE.items():
        club.printed(f"player add {name} {address}")
    club.printed("game open take Ada Bob --option size=3 --order given --time 5d")
    club.printed("game open take Cleo Ada --option variant=high-churn")
    club.printed("game open take Ada Bob --option size=2 --order given")
    club.ask(RUNNING, c.Accept(ADA, NOON), c.Accept(BOB, NOON))
    club.play(RUNNING, (ADA, BOB), "a1", "e3", "a2", "e2", "a3")
    club.printed(f"game retract {RUNNING} --from 4 --reason 'meant for another game' --yes")
    club.ask(ENDED, c.Accept(ADA, NOON), c.Accept(BOB, NOON))
    club.play(ENDED, (ADA, BOB), "a1", "c2")
    club.ask(ENDED, c.Resign(BOB, NOON))
    return club


def copied(template: Club, directory: Path) -> Club:
    """The same club somewhere else."""
    shutil.copytree(template.directory, directory, dirs_exist_ok=True)
    return Club(directory, template.asked)
