"""The colour of a club on its pages: one that the admin chose, as far from the ground as its readers need."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from starlette.responses import Response

COLOURS: Final = "/club.css"
"""The path of the style sheet, which every page loads after its own one."""

READABLE: Final = 4.5
"""The least contrast of words and their ground (WCAG 2.2, 1.4.3)."""

Colour: TypeAlias = Sequence[float]
"""Red, green and blue, each from 0 to 255."""

_WHITE: Final = (255, 255, 255)
_BLACK: Final = (0, 0, 0)
# The cards of pages, as `style.css` has them: colours have to be read on these.
_LIGHT_CARD: Final = _WHITE
_DARK_CARD: Final = (0x21, 0x23, 0x1F)
_DARK_INK: Final = "#08150d"
_STEPS: Final = 32


def colours(colour: str) -> Response:
    """Return the style sheet for a colour such as `#1f6b3f`; an empty one leaves pages as they are."""
    return Response(style(colour), media_type="text/css; charset=utf-8", headers={"Cache-Control": "public, max-age=3600"})


def style(colour: str) -> str:
    """Return the rules for a colour, which is made darker on light screens and lighter on dark ones until words on it can be read."""
    if not colour:
        return ""
    light, dark = (_hex(_apart(colour, card, towards)) for card, towards in ((_LIGHT_CARD, _BLACK), (_DARK_CARD, _WHITE)))
    on_dark = f"@media (prefers-color-scheme: dark) {{ :root {{ --do: {dark}; --on-do: {_DARK_INK}; }} }}"
    return f":root {{ --do: {light}; --on-do: #ffffff; }}\n{on_dark}\n"


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def read(colour: str) -> Colour:
    """Return a colour that is written as `#rrggbb`."""
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def _apart(colour: str, ground: Colour, towards: Colour) -> Colour:
    """Return the colour, mixed with another one as little as it takes to be read on a ground, or to be ground for what is read on it."""
    own = read(colour)
    mixed = (tuple(a + (b - a) * step / _STEPS for a, b in zip(own, towards, strict=True)) for step in range(_STEPS + 1))
    # Rounded as the style sheet will have it, or a colour might just miss the contrast there.
    return next(one for one in mixed if contrast(tuple(map(round, one)), ground) >= READABLE)


def _luminance(colour: Colour) -> float:
    # relative luminance, as WCAG 2.2 defines it for sRGB
    red, green, blue = (part / 3294.6 if part <= 10.31475 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _hex(colour: Colour) -> str:
    return "#" + bytes(map(round, colour)).hex()
