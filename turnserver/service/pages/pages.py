"""The pages of a running turnserver: all of their parts, made in one place."""

from turnserver.config import Settings
from turnserver.outside import Clock, DrawLots
from turnserver.service.games.ledger import Ledger
from turnserver.service.keys import ReplyKeys
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.mailroom import Mailroom
from turnserver.service.pages.calendars import Calendars
from turnserver.service.pages.forms import PageForms
from turnserver.service.pages.own import OwnPages
from turnserver.service.pages.public import PublicPages
from turnserver.service.pages.sessions import Sessions
from turnserver.service.pages.turns import TurnPages
from turnserver.service.upkeep.upkeep import Upkeep


class Pages:
    """Knows who is signed in, and has the pages of a turn, those of a player, those for everybody, and calendars. Threads may share it."""

    def __init__(  # noqa: PLR0917  # what everything in this room is made of
        self,
        ledger: Ledger,
        leagues: Leagues,
        settings: Settings,
        reply_keys: ReplyKeys,
        mail: Mailroom,
        upkeep: Upkeep,
        clock: Clock,
        lot: DrawLots,
    ) -> None:
        """Carry out what players do on pages as `mail` does it. Nothing is done while `upkeep` has doubts about the `clock`."""
        forms = PageForms(ledger, leagues, settings, clock, lot, mail.outcomes, upkeep)
        self.sessions = Sessions(ledger, reply_keys, mail.deliverability, upkeep.guard, clock)
        self.turns = TurnPages(ledger, leagues, reply_keys, clock, forms)
        self.own = OwnPages(ledger, leagues, settings, clock, forms)
        self.public = PublicPages(ledger, leagues, settings, clock)
        self.calendars = Calendars(ledger, settings, reply_keys, clock)
