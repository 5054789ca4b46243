"""Which ways and shots the picture of a position shows: those of the turn under way, or of the one before until something is chosen."""

from collections.abc import Iterable

from turnserver.games.sneaky_octopuses.board import GRID, HOMES
from turnserver.games.sneaky_octopuses.happenings import (
    Cleared,
    Escaped,
    Happening,
    Inked,
    Moved,
    Nominated,
    Saw,
    SentToShower,
    Stole,
    Threw,
    Walked,
)
from turnserver.games.sneaky_octopuses.position import Position, Trail
from turnserver.rules.square import Square

_HOME_SQUARES = frozenset(one for home in HOMES for one in home)


def after(before: Position, happened: Iterable[Happening]) -> tuple[Trail, ...]:
    """The trails to show when all this has happened since the position `before`."""
    earlier = before.trails if before.acted or before.nominated is not None else ()
    if before.nominated is not None:
        earlier = earlier[:-1]  # the last one only marks who was named, and now it walks
    found = (_trail(before, one) for one in happened)
    return (*earlier, *(trail for trail in found if trail is not None))


def _trail(before: Position, one: Happening) -> Trail | None:
    match one:
        case Escaped():
            return Trail("way", (_home_beside(one.square), one.square))
        case Moved():
            return Trail("way", one.path)
        case Stole():
            return Trail("shot", (one.square, before.octopuses[one.octopus]))
        case Threw():
            return Trail("shot", (one.start, _home_beside(one.start) if one.end is None else one.end))
        case Inked():
            return Trail("shot", (one.start, one.end))
        case Saw() if one.to is not None:
            return Trail("walk", (one.square, one.to))
        case Walked():
            return Trail("walk", one.path)
        case Cleared():
            return Trail("walk", (one.shower, one.entrance))
        case SentToShower() | Nominated():
            return Trail("walk", (one.square,))
        case _:
            return None


def _home_beside(where: Square) -> Square:
    """A square of the home next to that square, which must touch one."""
    return next(ray[0] for ray in GRID.rays[where][::2] if ray[0] in _HOME_SQUARES)
