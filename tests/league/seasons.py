"""A league that tests drive: it decides, remembers what has happened, and has a clock that only tests move."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random

from turnserver.errors import Refusal
from turnserver.ids import GameId, PlayerId, Position, Recorded, Stream, Version
from turnserver.league import commands as c
from turnserver.league.course import due
from turnserver.league.decide import decide
from turnserver.league.events import LeagueEvent
from turnserver.league.evolve import fold
from turnserver.league.pairing import openable
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.record import by_places, ended
from turnserver.league.settings import Settings
from turnserver.league.state import Fixture, LeagueState, Phase, Season

ADA, BOB, CLEO, DAN, EVE = map(PlayerId, (11, 12, 13, 14, 15))
LOTS = Lots(bytes(range(32)))
OPENED = datetime(2025, 3, 1, 12, tzinfo=UTC)
DECISIVE = (Mark.WIN, Mark.LOSS, Mark.DRAW, Mark.WIN_ON_TIME, Mark.TIMEOUT)


def day(days: float) -> datetime:
    """So long after the league was opened."""
    return OPENED + timedelta(days=days)


def ending(
    fixture: Fixture, random: Random, at: datetime, marks: Sequence[Mark] = DECISIVE
) -> tuple[int, tuple[Mark, ...], datetime, tuple[int, ...]]:
    """Return one way in which the game of a meeting may end."""
    size = len(fixture.players)
    if size == 2:
        mark = random.choice(marks)
        return fixture.number, (mark, OTHER_SIDE[mark]), at, ()
    seats = random.sample(range(1, size + 1), size)
    left = seats[: random.choice((0, 0, 1, 2, size - 1))]
    scores = random.choices(range(5), k=size)
    winners = random.choice(((), seats[-1:], seats[-2:] if len(left) < size - 1 else seats[-1:]))
    found = ended([{seat} for seat in seats], winners, scores=scores, left=left, late=left[: random.randint(0, size)])
    return fixture.number, found.marks, at, found.places


LEAGUES: list["League"] = []
"""Those of the test that runs."""


def asked_by(command: c.Command) -> tuple[str, str]:
    """Return who asks for such a thing, and how its cause begins and ends."""
    match command:
        case c.CarryResult() | c.ReopenResult():
            return "service", "job:{}:results"
        case c.CheckLeague() | c.AttachGame():
            return "service", "job:{}"
        case c.Confirm() | c.Withdraw() | c.Challenge() | c.Enter(by_admin=False) | c.AskBye(worth=None) | c.DropBye(reason=""):
            return f"player-{command.player}", "mail:{}"
        case _:
            return "admin:test", "cli:{}"


@dataclass
class League:
    settings: Settings
    lots: Lots = LOTS
    now: datetime = OPENED
    events: list[LeagueEvent] = field(default_factory=list)
    games: int = 0
    game: str = "take"
    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    rows: list[Recorded[LeagueEvent]] = field(default_factory=list)
    requests: "count[int]" = field(default_factory=lambda: count(1))
    # who asks for everything, if it is not who mostly does
    actor: str = ""

    def __post_init__(self) -> None:
        command = c.OpenLeague("Winter", self.game, self.options, self.settings)
        self.events += decide(None, command, self.now, self.lots)
        self._state = fold(self.events)
        self._record(command, self.events)
        LEAGUES.append(self)

    @property
    def state(self) -> LeagueState:
        return self._state

    @property
    def season(self) -> Season:
        assert self.state.season
        return self.state.season

    def do(self, *commands: c.Command) -> list[LeagueEvent]:
        """Return what followed, all together."""
        found: list[LeagueEvent] = []
        for command in commands:
            events = decide(self.state, command, self.now, self.lots)
            self._state = fold(events, self.state)
            self._record(command, events)
            found += events
        self.events += found
        return found

    def _record(self, command: c.Command, events: Sequence[LeagueEvent]) -> None:
        actor, cause = asked_by(command)
        actor = self.actor or actor
        cause = cause.format(next(self.requests))
        for number, event in enumerate(events, len(self.rows) + 1):
            self.rows.append(Recorded(Position(number), Stream("league-1"), Version(number), self.now, actor, cause, event, b""))

    def refusal(self, command: c.Command) -> str:
        """The code with which it is refused."""
        try:
            self.do(command)
        except Refusal as refused:
            return refused.code
        return "nothing"

    def begin(self, players: Sequence[PlayerId], ratings: Sequence[float] = ()) -> list[LeagueEvent]:
        """A season of these."""
        self.do(c.AnnounceSeason())
        self.do(*(c.Enter(player, rating) for player, rating in zip(players, ratings or [1500] * len(players), strict=True)))
        return self.do(c.StartSeason())

    def open_games(self) -> tuple[Fixture, ...]:
        """Open what is to be opened."""
        found = openable(self.state, self.season)
        for fixture in found:
            self.games += 1
            self.do(c.AttachGame(fixture.number, GameId(self.games)))
        return found

    def result(self, number: int, mark: Mark) -> list[LeagueEvent]:
        """The first player of a meeting has this."""
        return self.do(c.CarryResult(number, (mark, OTHER_SIDE[mark]), self.now))

    def placed(self, number: int, *places: int) -> list[LeagueEvent]:
        """The players of a meeting of more than two have these places."""
        return self.do(c.CarryResult(number, *by_places(places)[:1], self.now, places))

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
            self.do(c.CarryResult(*ending(random.choice(running), random, self.now, marks)))
        instant = due(self.state)
        if instant is not None and instant <= self.now:
            self.do(c.CheckLeague())


def of(league: League, *players: PlayerId) -> Fixture:
    """The latest meeting of these."""
    return [fixture for fixture in league.season.fixtures if set(players) <= set(fixture.players)][-1]


def win(league: League, winner: PlayerId, loser: PlayerId) -> None:
    """The latest meeting of the two is won by the first."""
    fixture = of(league, winner, loser)
    league.result(fixture.number, Mark.WIN if fixture.players[0] == winner else Mark.LOSS)
