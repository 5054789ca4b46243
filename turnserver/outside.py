"""Time and chance, which come from outside. The service is given them; all lower layers take them as data."""

import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from turnserver.ids import PlayerId

Clock: TypeAlias = Callable[[], datetime]
"""Tells the present instant, in UTC."""

Running: TypeAlias = Callable[[], float]
"""Tells how many seconds have passed since some beginning, whoever sets the clock; those in which the machine was suspended count."""

DrawLots: TypeAlias = Callable[[Sequence[PlayerId]], tuple[PlayerId, ...]]
"""Puts players into an order that nobody can foresee."""

RandomBytes: TypeAlias = Callable[[int], bytes]
"""Gives so many bytes that nobody can foresee."""


def system_clock() -> datetime:
    """Return the machine's own clock, in UTC."""
    return datetime.now(UTC)


def system_running() -> float:
    """Return the seconds since the machine was started, without those of a suspension if the machine does not count them."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def system_entropy(count: int) -> bytes:
    """Return bytes from the operating system's source of randomness."""
    return secrets.token_bytes(count)


def draw_lots(players: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
    """Shuffle by the operating system's source of randomness."""
    return tuple(secrets.SystemRandom().sample(players, len(players)))
