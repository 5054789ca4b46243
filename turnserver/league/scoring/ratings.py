"""Ratings: the fold of all results of a game into a rating for each player.

A game that only two can play is rated by Glicko-2, in periods (`glicko2`). One that more can play is rated by OpenSkill's Plackett-Luce
model, game after game: Weng and Lin, "A Bayesian approximation method for online ranking" (2011), algorithm 4. Both show points on the same
scale, on which somebody new has 1500 with a deviation of 350.

A rating is the fold of all results and nothing else: after a result was taken back or corrected, the fold is made again. A fold may begin
with the moments of an earlier one `before` some month. Then it gives the same result to the last bit as from the beginning.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from types import MappingProxyType
from typing import Final, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from turnserver.games import entry
from turnserver.ids import GameId, PlayerId
from turnserver.league.scoring import glicko2
from turnserver.league.scoring.results import RatedResult
from turnserver.text import say

PERIODS_LIMIT: Final = 110
"""The deviation above which a rating by Glicko-2 is provisional: for about ten games against well-known players."""

TABLES_LIMIT: Final = 200
"""The same for OpenSkill, which learns less from a game: about forty games."""

POINTS: Final = 42
"""The points of rating in one unit of OpenSkill, so that its uncertainty of a new player, 25/3, is 350 points."""

ORIGIN: Final = 1500 - 25 * POINTS
"""The rating that OpenSkill's 0 is, so that its 25 is 1500."""


class Rating(NamedTuple):
    """A player's estimated strength at a game, its standard deviation, and the number of games that counted.

    It is provisional while the deviation is more than the `limit`.
    """

    rating: float
    deviation: float
    games: int
    limit: int

    @property
    def is_provisional(self) -> bool:
        """True if too little is known to rely on the rating."""
        return self.deviation > self.limit

    def told(self) -> str:
        """Return the rating for players: `1464 ± 52`, with a note if it is provisional."""
        figures = f"{self.rating:.0f} \N{PLUS-MINUS SIGN} {self.deviation:.0f}"
        return say("{figures}, provisional", figures=figures) if self.is_provisional else figures


def provisional_told(limit: int) -> str:
    """Return a sentence about provisional ratings, for below a list of some."""
    return say("A rating is provisional while the figure behind \N{PLUS-MINUS SIGN} is more than {limit}.", limit=limit)


class ModelState(NamedTuple):
    """The state that a model continues from, in its own units: Glicko-2's rating, deviation and volatility, or OpenSkill's mu and sigma."""

    mean: float
    spread: float
    volatility: float = 0.0


class RatingPoint(NamedTuple):
    """A point of a player's history: the rating from the end of the last `game` that counts for it, `at` an instant.

    For Glicko-2 it is a period, for OpenSkill a game. The fold continues from `known`.
    """

    at: datetime
    game: GameId
    rating: Rating
    known: ModelState


NOBODY: Final[Mapping[PlayerId, RatingPoint]] = MappingProxyType({})


def month(at: datetime) -> int:
    """Return the number of the calendar month in UTC."""
    at = at.astimezone(UTC)
    return at.year * 12 + at.month


def month_began(at: datetime) -> datetime:
    """Return when the month of an instant began."""
    return at.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def next_month(at: datetime) -> datetime:
    """Return when the month after an instant begins."""
    return month_began(month_began(at) + timedelta(days=31))


class Ratings(ABC):
    """The ratings of all players of a game: the fold of its results onto the last moment of each player `before` them."""

    def __init__(self, results: Iterable[RatedResult], before: Mapping[PlayerId, RatingPoint] = NOBODY) -> None:
        """Fold results, given in any order, onto the moments `before`."""
        self._moments = defaultdict[PlayerId, list[RatingPoint]](list, {player: [last] for player, last in before.items()})
        # numbers part the games that ended at the same instant, so that there is one order only
        self._fold(sorted(results, key=lambda one: (one.at, one.game)))

    def players(self) -> frozenset[PlayerId]:
        """Return the players who have a rating."""
        return frozenset(self._moments)

    def history(self, player: PlayerId) -> tuple[RatingPoint, ...]:
        """Return the history of a player's rating, the earliest moment first. Empty for somebody new."""
        return tuple(self._moments.get(player, ()))

    def everybody(self, at: datetime) -> list[tuple[PlayerId, Rating]]:
        """Return all players who have a rating with what it is at an instant, the strongest first."""
        # the sort is stable, so that equals stay in the order of their numbers
        return sorted(((player, self.rating(player, at)) for player in sorted(self._moments)), key=lambda one: -one[1].rating)

    @abstractmethod
    def rating(self, player: PlayerId, at: datetime) -> Rating:
        """Return the rating at `at` of a player who plays no more games before then. Somebody new has one, too."""

    @abstractmethod
    def expected(self, sides: Sequence[Sequence[PlayerId]], at: datetime) -> tuple[float, ...]:
        """Return the part of its opponents that each of two or more sides beats on average. The parts add up to 1."""

    @abstractmethod
    def _fold(self, results: Iterable[RatedResult]) -> None:
        """Add the moments that results make, which come in order."""

    def _last(self, player: PlayerId) -> RatingPoint | None:
        return self._moments[player][-1] if player in self._moments else None

    def _add(self, player: PlayerId, known: ModelState, result: RatedResult, games: int) -> None:
        """Add a moment of a player: what is known after so many more `games`, the last of which came to `result`."""
        last = self._last(player)
        rating = self.shown(known, games + (last.rating.games if last is not None else 0))
        self._moments[player].append(RatingPoint(result.at, result.game, rating, known))

    @staticmethod
    @abstractmethod
    def shown(known: ModelState, games: int) -> Rating:
        """Return the rating that a model's state stands for."""


class Glicko2(Ratings):
    """Ratings of a game of two. Each month is a period, and the present one counts like a whole one.

    Raises ValueError for a result of more than two players.
    """

    def _fold(self, results: Iterable[RatedResult]) -> None:
        for number, played in groupby(results, key=lambda one: month(one.at)):
            self._month(number, played)

    def _month(self, number: int, results: Iterable[RatedResult]) -> None:
        """Add a month that is later than all others."""
        games: defaultdict[PlayerId, list[glicko2.PeriodGame]] = defaultdict(list)
        latest: dict[PlayerId, RatedResult] = {}
        before: dict[PlayerId, glicko2.Strength] = {}
        for result in results:
            (one,), (other,) = result.sides
            # all strengths are those at the beginning of the month, so they are taken before any game of it counts
            before |= {who.player: self._strength(who.player, number) for who in (one, other) if who.player not in before}
            here, there = result.places
            score = 0.5 if here == there else float(here < there)
            for who, opponent, scored in ((one, other, score), (other, one, 1 - score)):
                # a player for whom the result does not count is still an opponent of that strength
                if who.counts:
                    games[who.player].append(glicko2.PeriodGame(before[opponent.player], scored))
                    latest[who.player] = result
        for player, met in games.items():
            self._add(player, ModelState(*glicko2.after_period(before[player], met)), latest[player], len(met))

    def _strength(self, player: PlayerId, number: int) -> glicko2.Strength:
        """Return the strength with which a player begins a month."""
        last = self._last(player)
        if last is None:
            return glicko2.Strength()
        # the months between the last one and this one, without either
        return glicko2.idle(glicko2.Strength(*last.known), max(number - month(last.at) - 1, 0))

    def rating(self, player: PlayerId, at: datetime) -> Rating:
        """Return a player's rating at an instant. It grows uncertain with every whole month without a game."""
        last = self._last(player)
        return self.shown(ModelState(*self._strength(player, month(at))), last.rating.games if last is not None else 0)

    def expected(self, sides: Sequence[Sequence[PlayerId]], at: datetime) -> tuple[float, ...]:
        """Return the expected parts of two sides. Raises ValueError unless there are two players."""
        (one,), (other,) = sides
        number = month(at)
        score = glicko2.expected(self._strength(one, number), self._strength(other, number))
        return score, 1 - score

    @staticmethod
    def shown(known: ModelState, games: int) -> Rating:
        """Return the rating that a strength stands for."""
        return Rating(known.mean, known.spread, games, PERIODS_LIMIT)


class OpenSkill(Ratings):
    """Ratings of a game for more than two, or for teams: game after game. They do not grow uncertain without games."""

    _model = PlackettLuce()

    def _fold(self, results: Iterable[RatedResult]) -> None:
        for result in results:
            sides = [[self._known(one.player) for one in side] for side in result.sides]
            after = self._model.rate(sides, ranks=list(map(float, result.places)))
            for bearers, rated in zip(result.sides, after, strict=True):
                for one, new in zip(bearers, rated, strict=True):
                    if one.counts:
                        self._add(one.player, ModelState(new.mu, new.sigma), result, 1)

    def _known(self, player: PlayerId) -> PlackettLuceRating:
        last = self._last(player)
        return self._model.rating(last.known.mean, last.known.spread) if last is not None else self._model.rating()

    def rating(self, player: PlayerId, at: datetime) -> Rating:  # noqa: ARG002  # of the same form as that of Glicko-2
        """Return a player's rating at an instant."""
        last = self._last(player)
        return last.rating if last is not None else self.shown(ModelState(self._model.mu, self._model.sigma), 0)

    def expected(self, sides: Sequence[Sequence[PlayerId]], at: datetime) -> tuple[float, ...]:  # noqa: ARG002
        """Return the expected parts of the sides."""
        return tuple(self._model.predict_win([[self._known(player) for player in side] for side in sides]))

    @staticmethod
    def shown(known: ModelState, games: int) -> Rating:
        """Return the rating that a skill stands for."""
        return Rating(ORIGIN + POINTS * known.mean, POINTS * known.spread, games, TABLES_LIMIT)


def ratings(key: str, results: Iterable[RatedResult], before: Mapping[PlayerId, RatingPoint] = NOBODY) -> Ratings:
    """Return the ratings of the game with this key in the catalogue. Raises BadOption if there is none.

    `before` is the last moment of each player before the month of the first result.
    """
    return _model(key)(results, before)


def moment(key: str, at: datetime, game: GameId, games: int, known: ModelState) -> RatingPoint:
    """Return a moment of a player's rating from its stored parts. `games` is the number of games by then. Raises BadOption."""
    return RatingPoint(at, game, _model(key).shown(known, games), known)


def _model(key: str) -> "type[Glicko2 | OpenSkill]":
    return Glicko2 if entry(key).seats == (2,) else OpenSkill
