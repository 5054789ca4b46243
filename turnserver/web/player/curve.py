"""A player's rating over time as a picture: a part of a page, which gives it its colours."""

from collections.abc import Sequence
from datetime import UTC
from typing import Final

from turnserver.league.scoring.ratings import RatingPoint
from turnserver.rules import svg
from turnserver.rules.svg import escape, number

WIDTH: Final = 640.0
HEIGHT: Final = 220.0
LEFT: Final = 56.0
MARGIN: Final = 24.0
MOST: Final = 240
"""The number of moments that are drawn. Of more, evenly chosen ones are, the last among them."""
STEPS: Final = (25, 50, 100, 200, 500, 1000)


def curve(points: Sequence[RatingPoint], title: str) -> str:
    """Return the curve as SVG without colours, from the first moment to the last; empty for fewer than two moments."""
    if len(points) < 2:
        return ""
    stride = -(-len(points) // MOST)
    chosen = [*points[:-1:stride], points[-1]]
    began, ended = chosen[0].at, chosen[-1].at
    lowest, highest = min(one.rating.rating for one in chosen), max(one.rating.rating for one in chosen)
    step = next((step for step in STEPS if (highest - lowest) / step <= 4), STEPS[-1])
    low, high = int(lowest // step) * step, int(-(-highest // step)) * step
    # A rating that has never changed needs some height too.
    high += step if high == low else 0
    # All games may have ended at one instant, as when a season is closed.
    length = (ended - began).total_seconds() or 1.0

    def across(at: float) -> float:
        return LEFT + at / length * (WIDTH - LEFT - MARGIN)

    def down(rating: float) -> float:
        return MARGIN + (high - rating) / (high - low) * (HEIGHT - 2.5 * MARGIN)

    line = " ".join(f"{number(across((one.at - began).total_seconds()))},{number(down(one.rating.rating))}" for one in chosen)
    levels = range(low, high + 1, step)
    return svg.element(
        "svg",
        svg.element("title", escape(title)),
        *(svg.element("line", x1=LEFT, y1=down(level), x2=WIDTH - MARGIN, y2=down(level)) for level in levels),
        *(svg.element("text", str(level), x=LEFT - 8, y=down(level) + 5, text_anchor="end") for level in levels),
        svg.element("text", f"{began.astimezone(UTC):%Y-%m}", x=LEFT, y=HEIGHT - 6, text_anchor="start"),
        svg.element("text", f"{ended.astimezone(UTC):%Y-%m}", x=WIDTH - MARGIN, y=HEIGHT - 6, text_anchor="end"),
        svg.element("polyline", points=line),
        viewBox=f"0 0 {number(WIDTH)} {number(HEIGHT)}",
        role="img",
        **{"class": "curve"},
    )
