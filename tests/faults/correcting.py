"""One of two workers of a club, in a process of its own: `python -m tests.faults.correcting ROLE URL DIRECTORY`.

`tell` sends what is due, `correct` takes a turn back. For each line that is heard, with an instant and what the role needs besides, each
does so once, as if it were that instant, and says what came of it.
"""

import sys
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from tests.play import small_games
from tests.service.world import BEGIN, SITE
from tests.store.child import hear, say
from tests.terms import PLAIN
from turnserver.config import Settings, Site
from turnserver.errors import NotAllowed
from turnserver.ids import GameId, PlayerId
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.play.commands import Undo
from turnserver.service.service import Service
from turnserver.store.log.database import Database


def tell(service: Service, _now: datetime) -> str:
    """Send what is due."""
    sent = service.mail.send_outbox()
    return f"sent {sent.sent}"


def correct(service: Service, now: datetime, game: str, player: str, edition: str) -> str:
    """Take the player's turn back, by a mail that came two minutes ago."""
    undo = Undo(PlayerId(int(player)), now - timedelta(minutes=2), edition=int(edition))
    try:
        service.games.handle(GameId(int(game)), undo, actor=f"player-{player}", cause=f"mail:undo:{now.isoformat()}")
    except NotAllowed as refusal:
        return refusal.code
    return "corrected"


ROLES: Mapping[str, Callable[..., str]] = {"tell": tell, "correct": correct}


def main(role: str, url: str, directory: str) -> None:
    """Do what is heard, until nothing more is said."""
    now = [BEGIN]
    service = Service(
        Database.connect(url),
        Settings(site=Site(address=SITE), play=replace(PLAIN, correction_minutes=10)),
        clock=lambda: now[0],
        transport=lambda: MaildirTransport(Path(directory)),
        find=small_games.find,
    )
    say("ready")
    while line := hear():
        instant, *rest = line.split()
        now[0] = datetime.fromisoformat(instant)
        say(ROLES[role](service, now[0], *rest))


if __name__ == "__main__":
    main(*sys.argv[1:])
