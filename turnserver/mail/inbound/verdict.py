"""What can be said about a line of a mail."""

from enum import StrEnum
from typing import NamedTuple


class Verdict(StrEnum):
    """Why a line counts or does not."""

    KEPT = "kept"
    QUOTED = "quoted"
    SENT = "our own words"
    MARKER = "marker"
    ATTRIBUTION = "attribution"
    HEADERS = "quoted headers"
    SEPARATOR = "separator"
    SIGNATURE = "signature"
    DEVICE = "device"
    BELOW = "below the cut"
    BEYOND = "beyond the size limit"


class Line(NamedTuple):
    """One line of a mail's text, and what was made of it."""

    text: str
    verdict: Verdict
