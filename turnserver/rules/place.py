"""Places on a board that can be touched, and the names by which a game knows them."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from turnserver.rules.svg import WIDTH, Point

Touches: TypeAlias = tuple[str, ...]
"""The names of places in the order in which they are touched."""

Outline: TypeAlias = tuple[Point, ...]
"""The corners of a convex area in the coordinates of a picture."""

SMALLEST: Final = 24 / 360 * WIDTH
"""The least width and height of a place in a picture that is `svg.WIDTH` wide: 24 pixels on a phone of 360 (WCAG 2.2, 2.5.8)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Something to touch: a part of the picture, or a button beside the board if it has no outline."""

    words: str
    """The place and what is there, for a screen reader, and the words on a button: `c4, red stone`."""
    outline: Outline = ()
    """The area in the picture. Empty for a button."""
    sign: Point | None = None
    """The point at which a sign says that it can be touched. If None, that is its middle."""

    @property
    def centre(self) -> Point:
        """Return the middle of the area that the outline spans. Defined for a place in the picture."""
        across, down = zip(*self.outline, strict=True)
        return (min(across) + max(across)) / 2, (min(down) + max(down)) / 2


def rectangle(x: float, y: float, width: float, height: float) -> Outline:
    """Return a rectangle by its upper left corner, as `svg.rect` draws it."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)
