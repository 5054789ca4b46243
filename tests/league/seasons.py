"""A league that tests drive: it decides, remembers what has happened, and has a clock that only tests move."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from turnserver.envelope import GameId, PlayerId
from turnserver.errors import Refusal
from turnserver.league.commands import AnnounceSeason, AttachGame, CarryResult, CheckLeague, Command, Enter, OpenLeague, StartSeason
from turnserver.league.course import due
from turnserver.league.decide import decide
from turnserver.league.events import LeagueEvent
from turnserver.league.evolve import fold
from turnserver.league.lots import Lots
from turnserver.league.marks import OTHER_SIDE, Mark
from turnserver.league.pairing import openable
from turnserver.league.settings import Settings
from turnserver.league.state import Fixture, LeagueState, Phase, Season

ADA, BOB, CLEO, DAN, EVE = map(PlayerId, (11, 12, 13, 14, 15))
LOTS = Lots(bytes(range(32)))
OPENED = datetime(2025, 3, 1, 12, tzinfo=UTC)
DECISIVE = (Mark.WIN, Mark.LOSS, Mark.DRAW, Mark.WIN_ON_TIME, Mark.TIMEOUT)


def day(days: float) -> datetime:
    """So long after the league was opened."""
    return OPENED + timedelta(days=days)


@dataclass
class League:
    settings: Settings
    lots: Lots = LOTS
    now: datetime = OPENED
    events: list[LeagueEvent] = field(default_factory=list)
    games: int = 0

    def __post_init__(self) -> None:
        self.events += decide(None, OpenLeague("Winter", "take", {}, self.settings), self.now, self.lots)
        self._state = fold(self.events)

    @property
    def state(self) -> LeagueState:
        return self._state

    @property
    def season(self) -> Season:
        assert self.state.season
        return self.state.season

    def do(self, *commands: Command) -> list[LeagueEvent]:
        """What followed, all together."""
        found: list[LeagueEvent] = []
        for command in commands:
            events = decide(self.state, command, self.now, self.lots)
            self._state = fold(events, self.state)
            found += events
        self.events += found
        return found

    def refusal(self, command: Command) -> str:
        """The code with which it is refused."""
        try:
            self.do(command)
        except Refusal as refused:
            return refused.code
        return "nothing"

    def begin(self, players: Sequence[PlayerId], ratings: Sequence[float] = ()) -> list[LeagueEvent]:
        """A season of these."""
        self.do(AnnounceSeason())
        self.do(*(Enter(player, rating) for player, rating in zip(players, ratings or [1500] * len(players), strict=True)))
        return self.do(StartSeason())

    def open_games(self) -> tuple[Fixture, ...]:
        """Open what is to be opened."""
        found = openable(self.state, self.season)
        for fixture in found:
            self.games += 1
            self.do(AttachGame(fixture.number, GameId(self.games)))
        return found

    def result(self, number: int, mark: Mark) -> list[LeagueEvent]:
        """The first player of a meeting has this."""
        return self.do(CarryResult(number, (mark, OTHER_SIDE[mark]), self.now))

    def play(self, random: Random, marks: Sequence[Mark] = DECISIVE) -> None:
        """Play the season to its end, without withdrawals."""
        while self.season.phase is Phase.RUNNING:
            self.play_some(random, marks)

    def play_some(self, random: Random, marks: Sequence[Mark] = DECISIVE) -> None:
        """Play one of the open games, or do what is due."""
        self.now += timedelta(hours=1)
        self.open_games()
        running = [fixture for fixture in self.season.fixtures if fixture.game is not None and not fixture.marks]
        if running:
            self.result(random.choice(running).number, random.choice(marks))
        instant = due(self.state)
        if instant is not None and instant <= self.now:
            self.do(CheckLeague())
