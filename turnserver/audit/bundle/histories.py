"""The leagues of a bundle beside its games, which stood before them and are kept in a file until then."""

from collections.abc import Iterator, Sequence
from typing import IO, Any

from turnserver.audit.bundle.findings import Subject, Wrong
from turnserver.audit.bundle.streams import wrong_with
from turnserver.audit.league.leagues import History, crosscheck
from turnserver.audit.league.recheck import recheck
from turnserver.errors import TurnserverError
from turnserver.ids import GameId, Recorded
from turnserver.store.log import history
from turnserver.store.log.history import Row


class Histories:
    """The histories of games, to be looked up once all of them have come by. Only where each stands is kept in memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: dict[int, tuple[int, int]] = {}

    def keep(self, game: int, lines: Sequence[bytes]) -> None:
        """Keep the lines of a game."""
        self._file.seek(0, 2)
        self._places[game] = self._file.tell(), len(lines)
        self._file.writelines(lines)

    def of(self, game: GameId) -> History | None:
        """The history of a game; None if it is not in the bundle. Raises UnknownEvent or Malformed."""
        if game not in self._places:
            return None
        place, count = self._places[game]
        self._file.seek(place)
        return [history.recorded(history.read_line(self._file.readline())) for _ in range(count)]


def decided_again(rows: Sequence[Row], events: Sequence[Recorded[Any]], games: Histories) -> Iterator[Wrong]:
    """What is wrong with a league: by its own rules, and beside those of its games that are in the bundle."""
    if not events:
        yield wrong_with(rows[0], Subject.LEAGUES, "the league cannot be checked, because it cannot be read")
        return
    try:
        found = list(recheck(events)) or list(crosscheck(events, games.of))
    except TurnserverError as error:
        yield wrong_with(rows[0], Subject.LEAGUES, f"the league cannot be checked: {error}")
        return
    except Exception as error:  # noqa: BLE001  # whatever somebody has made of it, the rest of the bundle is to be looked at too
        yield wrong_with(rows[0], Subject.LEAGUES, f"the league cannot be checked: {type(error).__name__}: {error}")
        return
    for version, problem in found:
        yield wrong_with(rows[version - 1], Subject.LEAGUES, problem)
