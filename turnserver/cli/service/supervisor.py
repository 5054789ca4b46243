"""What a service manager is told over its socket: that the service is ready, still works, and ends (sd_notify(3))."""

import os
import socket
from contextlib import suppress

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"


def tell(state: str) -> None:
    """Tell the service manager, if one started this process and listens; nothing goes wrong if it does not."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        line.settimeout(1)
        line.sendto(state.encode(), address.replace("@", "\0", 1) if address.startswith("@") else address)
