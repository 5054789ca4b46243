"""The memory of a service with very many open games, each of them in the middle; measured in a process of its own.

Only so many of the games have a log of a game's usual length as are looked at; of the others there are only the first events.
"""

import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from tests.bench.club import Club, copies, settings
from tests.bench.measure import Budget, Figure
from tests.bench.scale import Scale
from turnserver.errors import NotAllowed
from turnserver.ids import GameId
from turnserver.play.commands import CheckClock
from turnserver.service.service import Service

TURNS: Final = 60
"""Half the length of a random game of Take on a board of side 5."""

SENT: Final = 5
_ROOT: Final = Path(__file__).parents[2]


class Served(msgspec.Struct):
    """Megabytes (10^6 bytes) when the service had started, and at the highest point of its life."""

    started: float
    highest: float


def memory(directory: Path, scale: Scale) -> Iterator[Figure]:
    """The highest point, with the service's own start for comparison."""
    path = directory / "memory.db"
    club = Club.found(path)
    copies(path, club.open(turns=TURNS), scale.touched, events=True)
    copies(path, club.open(), scale.open_games - scale.touched, events=True)
    club.deliver()
    club.service.db.close()
    command = [sys.executable, "-m", "tests.bench.memory", str(path), str(scale.touched), str(scale.moves)]
    done = subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.PIPE)
    served = msgspec.json.decode(done.stdout, type=Served)
    yield Figure(
        "memory",
        f"memory, {scale.open_games:,} open games, {scale.touched:,} looked at",
        "MB",
        served.highest,
        "the service just started",
        served.started,
        served.highest / served.started,
        Budget(150, absolute=True),
    )


def serve(path: Path, touched: int, moves: int) -> Served:
    """Look at so many games, play so many moves, send some mails and sweep between."""
    service = Service.connect(settings(path))
    started = highest_megabytes()
    club = Club(service)
    chance = Random(0)  # noqa: S311  # repeatable on purpose
    games = [GameId(number) for number in range(2, 2 + touched)]
    for count, game in enumerate(games):
        with suppress(NotAllowed):
            service.games.handle(game, CheckClock(), actor="service", cause="job:bench")
        if count % (touched // moves) == 0:
            club.play(game, chance, "cli:bench")
            service.upkeep.sweep()
    club.deliver()
    letters = list(islice(club.answers(games[:: touched // moves]), moves))
    for letter in letters:
        service.mail.receive(letter.raw, letter.recipient, letter.sender, "lmtp")
    while any(service.mail.read_inbox()):
        pass
    club.assert_played(letters)
    for number in range(1, SENT + 1):
        service.mail.render(number)
    service.db.close()
    return Served(started, highest_megabytes())


def highest_megabytes() -> float:
    """The most memory that this process ever had resident."""
    status = Path("/proc/self/status")
    if status.exists():  # what `resource` says on Linux includes what the parent had before the process became this one
        kilobytes = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(kilobytes) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # macOS, in bytes


def _main(arguments: Sequence[str]) -> None:
    path, touched, moves = arguments
    sys.stdout.buffer.write(msgspec.json.encode(serve(Path(path), int(touched), int(moves))))


if __name__ == "__main__":
    _main(sys.argv[1:])
