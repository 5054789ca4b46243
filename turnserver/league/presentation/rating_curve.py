"""The history of a rating as an SVG picture: the curve with its deviation, in the colours of the crosstables."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from turnserver.league.presentation.svg import EDGE, FAINT, INK, MARGIN, PAPER, SMALL, TITLE, WON_FILL, WORDS
from turnserver.league.scoring.ratings import Rating
from turnserver.rules import svg
from turnserver.text import Laid, say

WIDTH: Final = 720.0
HEIGHT: Final = 300.0
AXIS: Final = 70.0
"""The room for the figures beside the curve."""
LINE: Final = "#0a67b2"
Moment: TypeAlias = tuple[datetime, Rating]
"""A rating, and the instant from which on it holds."""

STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)
DAY: Final = timedelta(days=1)
LEAST: Final = 60.0
"""The least range of ratings from bottom to top. With less, a change of two would look like a leap."""


def draw_history(title: str, moments: Sequence[Moment]) -> str:
    """Return the picture of a history, the earliest moment first. The title says whose it is. Days are in UTC."""
    return Laid((title, say("No rated games yet."), tuple(moments)), _draw)


class _Frame(NamedTuple):
    """The range of instants and ratings of the curve."""

    begin: datetime
    end: datetime
    low: float
    high: float

    def at(self, instant: datetime, rating: float) -> svg.Point:
        """Return the point of an instant and a rating."""
        across = (instant - self.begin) / (self.end - self.begin)
        up = (rating - self.low) / (self.high - self.low)
        return MARGIN + AXIS + across * WIDTH, MARGIN + 2 * TITLE + (1 - up) * HEIGHT


def _draw(thing: tuple[str, str, tuple[Moment, ...]]) -> str:
    title, nothing, moments = thing
    width = WIDTH + AXIS + 2 * MARGIN
    heading = svg.text((MARGIN, MARGIN + TITLE / 2), title, TITLE, anchor="start", room=WIDTH - 2 * AXIS, fill=INK)
    if not moments:
        told = svg.text((width / 2, MARGIN + 2 * TITLE), nothing, WORDS, fill=FAINT)
        return svg.document(width, 3 * TITLE + 2 * MARGIN, PAPER, heading, told, title=title)
    frame = _frame(moments)
    parts = [heading, *_grid(frame), *_days(frame), *_curve(frame, moments)]
    return svg.document(width, HEIGHT + 2 * TITLE + 2 * MARGIN + 1.6 * SMALL, PAPER, *parts, title=title)


def _frame(moments: Sequence[Moment]) -> _Frame:
    low = min(rating.rating - rating.deviation for _, rating in moments)
    high = max(rating.rating + rating.deviation for _, rating in moments)
    spare = max(LEAST - (high - low), 0.0) / 2
    begin, end = moments[0][0], moments[-1][0]
    # a single moment stands in the middle of two days
    return _Frame(begin, end, low - spare, high + spare) if begin < end else _Frame(begin - DAY, end + DAY, low - spare, high + spare)


def _grid(frame: _Frame) -> Iterator[str]:
    # about five lines, each at a round rating
    step = next((step for step in STEPS if (frame.high - frame.low) / step <= 6), STEPS[-1])
    for rating in range(int(-(-frame.low // step) * step), int(frame.high) + 1, step):
        left, y = frame.at(frame.begin, rating)
        right, _ = frame.at(frame.end, rating)
        yield svg.polygon(((left, y), (right, y)), stroke=EDGE, stroke_width=2)
        yield svg.text((left - 10, y), str(rating), SMALL, anchor="end", fill=FAINT)


def _days(frame: _Frame) -> Iterator[str]:
    for instant, anchor in ((frame.begin, "start"), (frame.end, "end")):
        x, y = frame.at(instant, frame.low)
        yield svg.text((x, y + 1.4 * SMALL), instant.astimezone(UTC).date().isoformat(), SMALL, anchor=anchor, fill=FAINT)


def _curve(frame: _Frame, moments: Sequence[Moment]) -> Iterator[str]:
    upper = [frame.at(at, rating.rating + rating.deviation) for at, rating in moments]
    lower = [frame.at(at, rating.rating - rating.deviation) for at, rating in moments]
    points = [frame.at(at, rating.rating) for at, rating in moments]
    yield svg.polygon((*upper, *reversed(lower)), fill=WON_FILL, fill_opacity=0.7, stroke=WON_FILL, stroke_width=4, stroke_linejoin="round")
    yield svg.polygon((*points, *reversed(points)), fill="none", stroke=LINE, stroke_width=4, stroke_linejoin="round")
    if len(moments) <= 40:
        yield from (svg.circle(point, 5, fill=LINE) for point in points)
    _, last = moments[-1]
    x, y = MARGIN + AXIS + WIDTH, MARGIN + TITLE / 2
    yield svg.text((x, y), f"{last.rating:.0f} ± {last.deviation:.0f}", WORDS, anchor="end", fill=LINE)
