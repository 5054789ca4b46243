"""What stands for what on both boards, the picture and the text."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from turnserver.games.sneaky_octopuses.board import GRID, HOMES, SIDE
from turnserver.rules.square import Square

CODES: Final = ("Sp", "Ta", "Sh", "St")
"""An octopus by its kind: three of the names begin alike, and two of these share three letters."""

KEEPERS: Final = "NESW"
"""A keeper by its number."""

ANGLES: Final = tuple(next(one for one in home if {GRID.file(one), GRID.rank(one)} <= {0, SIDE - 1}) for home in HOMES)
"""The square of each home that lies in a corner of the board, where the points are shown."""

SEATS_AT_HOME: Final = tuple(tuple(one for one in home if one != angle) for home, angle in zip(HOMES, ANGLES, strict=True))
"""The squares of each home in which its octopuses are shown, by kind."""

HOME_OF: Final[Mapping[Square, int]] = MappingProxyType({one: team for team, home in enumerate(HOMES) for one in home})
"""Which home a square belongs to."""
