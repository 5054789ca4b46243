"""What may stand as a recipient: one argument of an SMTP command, one line of a header."""

import re
from typing import Final

from turnserver.errors import PermanentFailure

_ADDRESS: Final = re.compile(r"[^\s<>\x00-\x1f\x7f]+@[^\s<>\x00-\x1f\x7f]+")


def check_address(address: str) -> None:
    """Raise PermanentFailure for an address that no mail can carry. Whether anybody lives there is the next server's business."""
    if not _ADDRESS.fullmatch(address):
        raise PermanentFailure(f"no mail can be addressed to {address!r}")
