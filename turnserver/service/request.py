"""A request: who asks for something, why and when."""

from datetime import datetime
from typing import NamedTuple


class Request(NamedTuple):
    """The actor who asks, the cause, and the instant of the decision.

    `in_reply_to` is the Message-ID of the mail that asked, or None if no mail did.
    """

    actor: str
    cause: str
    now: datetime
    in_reply_to: str | None = None
