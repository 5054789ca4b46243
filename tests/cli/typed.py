"""The input of the tests of the operator's commands: a line, and perhaps a mail on the standard input."""

import shlex
from collections.abc import Mapping

import msgspec
from typer.testing import CliRunner, Result

from tests.cli.club import Club
from turnserver.cli.app import app
from turnserver.config import reading
from turnserver.service.service import Service
from turnserver.store.log.database import Database
from turnserver.tools import command_reference as reference

COMMANDS = reference.commands(app)
SHAPES = {one.path.removeprefix("turnserver "): one.shape for one in COMMANDS if one.shape is not None}
MAILDIR = '\n[outgoing]\ntransport = "maildir"\nmaildir = "leaving"\n'
"""A way out for mail that always works."""


def typed(club: Club, line: str, mail: bytes = b"", **environ: str) -> Result:
    """Type a line, with a mail on the standard input."""
    env: Mapping[str, str] = {"TURNSERVER_CONFIG": str(club.config), "COLUMNS": "100", **environ}
    return CliRunner().invoke(app, shlex.split(line.format(dir=club.directory)), mail, env=env, obj=club.outside)


def configure(club: Club, text: str) -> Club:
    """The club with more in its configuration."""
    with club.config.open("a", encoding="utf-8") as file:
        file.write(text)
    return club


def declared(printed: str, line: str) -> object:
    """Return what a command printed, read as the shape that it declares; every key of it is a declared one."""
    name = max((name for name in SHAPES if line.startswith(name)), key=len)
    value: object = msgspec.json.decode(printed, type=SHAPES[name])
    assert msgspec.json.decode(msgspec.json.encode(value)) == msgspec.json.decode(printed)
    return value


def service_of(club: Club) -> Service:
    """A service over the club's database, on its clock. The caller closes it."""
    settings = reading.load(club.config, {})
    return Service(Database.connect(settings.database.url), settings, clock=lambda: club.now, lot=tuple)
