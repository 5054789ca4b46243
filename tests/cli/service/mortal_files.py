"""Back a club up or restore it, killed at another touch of a file each time.

The command is `python -m tests.cli.service.mortal_files DIRECTORY WORDS...`.
"""

import os
import signal
import sys
from pathlib import Path

from tests.cli.club import Club
from tests.store.child import lives

TOUCHES = frozenset({"open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "sqlite3.connect"})
"""The event that Python announces before it does it."""


def main(directory: str, *words: str) -> None:
    """For each number that is heard, run the command line that `words` make, and die before it touches the directory that often."""

    def live(fatal: int) -> None:
        touches = 0

        def touch(event: str, given: tuple[object, ...]) -> None:
            nonlocal touches
            if event in TOUCHES and any(directory in os.fsdecode(one) for one in given if isinstance(one, str | bytes)):
                touches += 1
                if touches == fatal:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(touch)
        Club(Path(directory)).run(" ".join(words))

    lives(live)


if __name__ == "__main__":
    main(*sys.argv[1:])
