"""`python -m tests.stack.mortal fetch URL PORT USER`: fetch what lies in a mailbox, again and again, each time killed one step later."""

import imaplib
import sys
from datetime import UTC, datetime, timedelta

from tests.stack.mailsystem import PASSWORD
from tests.store.child import lives, mortal
from turnserver.config import ImapAccount, Settings
from turnserver.service.mailroom.mailboxes import postmen
from turnserver.service.service import Service

BETWEEN_LIVES = timedelta(minutes=5)
"""Longer than the lease of a reader, so that the next life may go on."""


def main(_role: str, url: str, port: str, user: str) -> None:
    """For each number that is heard: one look, until that step. A step is a statement to the database or a line to the mail server."""
    account = ImapAccount(host="127.0.0.1", port=int(port), security="none", username=user, password=PASSWORD, move_to="Done")
    settings = Settings(imap={"club": account})
    send = imaplib.IMAP4.send

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)

        def ticking(connection: imaplib.IMAP4, data: bytes) -> None:
            tick()
            send(connection, data)

        imaplib.IMAP4.send = ticking  # type: ignore[method-assign, assignment]  # in a process that lives for one look
        service = Service(database, settings, clock=lambda: datetime.now(UTC) + fatal * BETWEEN_LIVES)
        for postman in postmen(service):
            postman.once()
        tick()

    lives(live)


if __name__ == "__main__":
    main(*sys.argv[1:])
