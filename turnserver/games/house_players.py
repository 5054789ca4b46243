"""The house players of all games, by key. They stand apart from the catalogue, which loads them when somebody asks for one."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from turnserver.games.okago import house as okago
from turnserver.games.sneaky_octopuses import house as sneaky_octopuses
from turnserver.games.take import house as take
from turnserver.games.tako import house as tako
from turnserver.games.tako_judo import house as tako_judo

CHOOSERS: Final[Mapping[str, Callable[[Any, Any], Any]]] = MappingProxyType(
    {
        "take": take.choose,
        "tako-judo": tako_judo.choose,
        "tako": tako.choose,
        "okago": okago.choose,
        "sneaky-octopuses": sneaky_octopuses.choose,
    }
)
"""What takes the rules of a game and a position where somebody has to choose, and gives a step."""
