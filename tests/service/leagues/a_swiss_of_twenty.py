"""A Swiss of twenty, from the import of its players on, as a club lives it: commands, answers, sweeps, and mails that leave."""

from collections import Counter

from tests.service.leagues.league_world import ADMIN, lose_all, number, open_league, season, sweep
from tests.service.world import World
from turnserver.ids import LeagueId
from turnserver.league.commands import Withdraw
from turnserver.league.settings import Format, Settings, WhenUnfinished
from turnserver.league.state import Phase
from turnserver.service.people.importing import PersonLine
from turnserver.store.mail.outbox import OutboxItem

NAMES = tuple(f"Player {chr(ord('A') + at)}" for at in range(20))
ROUNDS = 5
SWISS = Settings(format=Format.SWISS, rounds=ROUNDS, round_days=30, ready_hours=48, least=6, when_unfinished=WhenUnfinished.FORFEIT)


def address(name: str) -> str:
    return f"{name[-1].lower()}@example.net"


class Club:
    """The players, their league, and what has left for them so far."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.league = LeagueId(0)
        self._seen = max((mail.id for mail in world.outbox()), default=0)

    def evening(self, *, ask: bool = True, minutes: float = 1) -> None:
        """An admin imports everybody, sets the league up, and starts it, each command some time after the one before."""
        world, leagues = self.world, self.world.service.leagues
        lines = [PersonLine(at, name, address(name)) for at, name in enumerate(NAMES, start=2)]
        world.service.people.add_all(lines, actor=ADMIN, cause="test:import")
        self._pass(minutes)
        self.league = open_league(world, SWISS)
        leagues.announce(self.league, None, actor=ADMIN, cause="test:announce")
        self._pass(minutes)
        leagues.enter_all(self.league, NAMES, actor=ADMIN, cause="test:enter")
        self._pass(minutes)
        leagues.start(self.league, ask=ask, actor=ADMIN, cause="test:start")
        self._pass(minutes)

    def _pass(self, minutes: float) -> None:
        self.world.wait(minutes=minutes)
        sweep(self.world)

    def all_ready(self) -> None:
        """Everybody answers the ready check with a word, and the season begins."""
        for name in NAMES:
            self.world.answer(address(name), "yes", sender=address(name), settle=False)
        sweep(self.world)
        self.world.wait(days=3)
        sweep(self.world)
        assert season(self.world, self.league).phase is Phase.RUNNING

    def play_round(self) -> None:
        """Every game of the round ends, and the next round begins, or the season is over."""
        lose_all(self.world, self.league)
        sweep(self.world)
        sweep(self.world)

    def withdraw(self, name: str) -> None:
        """An admin withdraws somebody."""
        self.world.service.leagues.handle(self.league, Withdraw(number(self.world, name)), actor=ADMIN, cause=f"test:withdraw:{name}")
        sweep(self.world)

    def sent(self) -> list[OutboxItem]:
        """The mails that have left for the twenty since this was asked before, in the order in which they left."""
        theirs = {number(self.world, name) for name in NAMES}
        left = [mail for mail in self.world.outbox() if mail.id > self._seen and mail.player in theirs]
        assert not [mail for mail in left if mail.status == "queued"], "something still waits to leave"
        self._seen = max((mail.id for mail in self.world.outbox()), default=0)
        found = [mail for mail in left if mail.status == "sent"]
        return sorted(found, key=lambda mail: (mail.due_at, mail.id))


def by_kind(mails: list[OutboxItem]) -> dict[str, int]:
    """Return the number of mails of each kind."""
    return dict(Counter(mail.kind for mail in mails))
