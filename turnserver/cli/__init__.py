"""The `turnserver` command: what an admin runs in a terminal, a file or a folder a noun.

Commands ask the service and print. Nothing else imports this room.
"""

import signal
import sys


def main() -> None:
    """Run the command line that the process was started with, and end the process.

    It ends with 0, 1 (refused or failed), 2 (wrongly used), 3 (the database is not there any more as it was when it was opened), or 141
    (nobody reads what it prints any more).
    """
    try:
        from turnserver.cli.app import app  # noqa: PLC0415  # whoever imports one room of the package need not pay for all of them

        app(prog_name="turnserver")
    # Ctrl-C while all that is still being imported, which takes a while
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
