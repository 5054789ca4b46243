"""`python -m tests.service.mailroom.digesting URL DIRECTORY`: make a digest and send it, again and again, killed later each time."""

import sys
from datetime import timedelta
from pathlib import Path

from tests.service.mortal import BETWEEN_LIVES
from tests.service.world import BEGIN, SITE
from tests.store.child import lives, mortal
from turnserver.config import Outgoing, Settings, Site
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.service.service import Service

DIGEST_AT = BEGIN + timedelta(hours=6)


def main(url: str, directory: str) -> None:
    """For each number that is heard: the hour of the digest has come, and the process does all it can before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = DIGEST_AT + fatal * BETWEEN_LIVES
        service = Service(
            database,
            Settings(site=Site(address=SITE), outgoing=Outgoing(max_deaths=1_000)),
            clock=lambda: now,
            transport=lambda: MaildirTransport(Path(directory)),
        )
        service.mail.send_outbox()
        tick()

    lives(live)


if __name__ == "__main__":
    main(*sys.argv[1:])
