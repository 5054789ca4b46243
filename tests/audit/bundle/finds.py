"""Catalogues of games that do something to the process that asks them, importable by name as other processes need them."""

import os
import signal
from collections.abc import Sequence
from typing import Any

from turnserver import games
from turnserver.audit.replaying import replay_all
from turnserver.ids import GameId
from turnserver.play.evolve import FindGame
from turnserver.rules import Game


def deadly(_key: str, _revision: int, /, **_options: object) -> Game[Any, Any]:
    """End the process at once, as the kernel does when memory is short."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def hanging(_key: str, _revision: int, /, **_options: object) -> Game[Any, Any]:
    """Say so, and come to no end."""
    os.write(1, b"begun\n")  # at once and whole, whoever else writes
    signal.pause()
    raise AssertionError


def failing(_key: str, _revision: int, /, **_options: object) -> Game[Any, Any]:
    """Rules with a fault in them."""
    raise ZeroDivisionError("in the rules")


FINDS: dict[str, FindGame] = {"hanging": hanging, "product": games.find}


def main(url: str, find: str, *wanted: str) -> None:
    """Play games again with two processes, one game at a time; die after the first outcome without saying goodbye."""
    numbers: Sequence[GameId] = [GameId(int(number)) for number in wanted]
    for outcome in replay_all(url, numbers, 2, find=FINDS[find], at_once=1):
        print(f"game {outcome.game}", flush=True)  # noqa: T201  # the test listens
        os.kill(os.getpid(), signal.SIGKILL)
