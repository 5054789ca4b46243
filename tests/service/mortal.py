"""Take in, handle and answer a mail, again and again: `python -m tests.service.mortal mail URL DIRECTORY RECIPIENT SENDER RAW`."""

import sys
from datetime import timedelta
from pathlib import Path

from tests.service.world import BEGIN, SITE
from tests.store.child import lives, mortal
from turnserver.config import Incoming, Settings, Site
from turnserver.mail.transport import MaildirTransport
from turnserver.service import Service

BETWEEN_LIVES = timedelta(minutes=5)
"""Longer than any lease, so that the next life may take up what the last one held."""


def main(_role: str, url: str, directory: str, recipient: str, sender: str, raw: str) -> None:
    """For each number that is heard: the mail server hands the mail in, and the process does all it can before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = BEGIN + fatal * BETWEEN_LIVES
        settings = Settings(site=Site(address=SITE), incoming=Incoming(max_attempts=1_000))
        service = Service(database, settings, clock=lambda: now, lot=tuple, transport=lambda: MaildirTransport(Path(directory)))
        service.receive(Path(raw).read_bytes(), recipient, sender, "test")
        service.read_inbox()
        service.send_outbox()
        tick()

    lives(live)


if __name__ == "__main__":
    main(*sys.argv[1:])
