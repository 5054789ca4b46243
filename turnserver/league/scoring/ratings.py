"""Ratings: the fold of all results of a game into a rating for each player.

A game that only two can play is rated by Glicko-2, in periods (`glicko2`). One that more can play is rated by OpenSkill's Plackett-Luce
model, game after game: Weng and Lin, "A Bayesian approximation method for online ranking" (2011), algorithm 4. Both show points on the same
scale, on which somebody new has 1500 with a deviation of 350.

A rating is the fold of all results and nothing else: after a result was taken back or corrected, the fold is made again. A fold may begin
with the moments of an earlier one `before` some month. Then it gives the same result to the last bit as from the beginning.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

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


class Ratings(Protocol):
    """The ratings of all players of a game."""

    def players(self) -> frozenset[PlayerId]:
        """Return the players who have a rating."""

    def history(self, player: PlayerId) -> tuple[RatingPoint, ...]:
        """Return the history of a player's rating, the earliest moment first. Empty for somebody new."""

    def rating(self, player: PlayerId, at: datetime) -> Rating:
        """Return the rating at `at` of a player who plays no more games before then. Somebody new has one, too."""

    def expected(self, sides: Sequence[Sequence[PlayerId]], at: datetime) -> tuple[float, ...]:
        """Return the part of its opponents that each of two or more sides beats on average. The parts add up to 1."""


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


def ratings(key: str, results: Iterable[RatedResult], before: Mapping[PlayerId, RatingPoint] = NOBODY) -> Ratings:
    """Return the ratings of the game with this key in the catalogue. Raises BadOption if there is none.

    `before` is the last moment of each player before the month of the first result.
    """
    return Glicko2(results, before) if _is_of_two(key) else OpenSkill(results, before)


def moment(key: str, at: datetime, game: GameId, games: int, known: ModelState) -> RatingPoint:
    """Return a moment of a player's rating from its stored parts. `games` is the number of games by then. Raises BadOption."""
    return RatingPoint(at, game, _of_strength(known, games) if _is_of_two(key) else _of_skill(known, games), known)


def _is_of_two(key: str) -> bool:
    return entry(key).seats == (2,)


class _Past(NamedTuple):
    month: int
    strength: glicko2.Strength
    moments: tuple[RatingPoint, ...]


class Glicko2:
    """Ratings of a game of two. Each month is a period, and the present one counts like a whole one."""

    def __init__(self, results: Iterable[RatedResult], before: Mapping[PlayerId, RatingPoint] = NOBODY) -> None:
        """Fold results, given in any order, onto the moments `before`. Raises ValueError for one of more than two players."""
        self._pasts = {player: _Past(month(last.at), glicko2.Strength(*last.known), (last,)) for player, last in before.items()}
        for number, played in groupby(_in_order(results), key=lambda one: month(one.at)):
            self._add(number, tuple(played))

    def _add(self, number: int, results: Sequence[RatedResult]) -> None:
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
            strength = glicko2.after_period(before[player], met)
            moments = self._pasts[player].moments if player in self._pasts else ()
            so_far = moments[-1].rating.games if moments else 0
            last, known = latest[player], ModelState(*strength)
            new = RatingPoint(last.at, last.game, _of_strength(known, so_far + len(met)), known)
            self._pasts[player] = _Past(number, strength, (*moments, new))

    def _strength(self, player: PlayerId, number: int) -> glicko2.Strength:
        """Return the strength with which a player begins a month."""
        if player not in self._pasts:
            return glicko2.Strength()
        past = self._pasts[player]
        # the months between the last one and this one, without either
        return glicko2.idle(past.strength, max(number - past.month - 1, 0))

    def players(self) -> frozenset[PlayerId]:
        """Return the players who have a rating. See `Ratings`."""
        return frozenset(self._pasts)

    def history(self, player: PlayerId) -> tuple[RatingPoint, ...]:
        """Return the history of a player's rating. See `Ratings`."""
        return self._pasts[player].moments if player in self._pasts else ()

    def rating(self, player: PlayerId, at: datetime) -> Rating:
        """Return a player's rating at an instant. See `Ratings`. It grows uncertain with every whole month without a game."""
        strength = self._strength(player, month(at))
        moments = self.history(player)
        return Rating(strength.rating, strength.deviation, moments[-1].rating.games if moments else 0, PERIODS_LIMIT)

    def expected(self, sides: Sequence[Sequence[PlayerId]], at: datetime) -> tuple[float, ...]:
        """Return the expected parts of two sides. See `Ratings`. Raises ValueError unless there are two players."""
        (one,), (other,) = sides
        number = month(at)
        score = glicko2.expected(self._strength(one, number), self._strength(other, number))
        return score, 1 - score


class OpenSkill:
    """Ratings of a game for more than two, or for teams. They do not grow uncertain without games."""

    def __init__(self, results: Iterable[RatedResult], before: Mapping[PlayerId, RatingPoint] = NOBODY) -> None:
        """Fold results, given in any order, onto the moments `before`: they count in the order in which the games ended."""
        self._model = PlackettLuce()
        self._moments = defaultdict[PlayerId, list[RatingPoint]](list, {player: [last] for player, last in before.items()})
        for result in _in_order(results):
            self._add(result)

    def _add(self, result: RatedResult) -> None:
        sides = [[self._known(one.player) for one in side] for side in result.sides]
        after = self._model.rate(sides, ranks=list(map(float, result.places)))
        for bearers, rated in zip(result.sides, after, strict=True):
            for one, new in zip(bearers, rated, strict=True):
                if one.counts:
                    self._note(one.player, ModelState(new.mu, new.sigma), result)

    def _note(self, player: PlayerId, known: ModelState, result: RatedResult) -> None:
        moments = self._moments[player]
        so_far = moments[-1].rating.games if moments else 0
        moments.append(RatingPoint(result.at, result.game, _of_skill(known, so_far + 1), known))

    def _known(self, player: PlayerId) -> PlackettLuceRating:
        history = self.history(player)
        return self._model.rating(history[-1].known.mean, history[-1].known.spread) if history else self._model.rating()

    def players(self) -> frozenset[PlayerId]:
        """Return the players who have a rating. See `Ratings`."""
        return frozenset(self._moments)

    def history(self, player: PlayerId) -> tuple[RatingPoint, ...]:
        """Return the history of a player's rating. See `Ratings`."""
        return tuple(self._moments.get(player, ()))

    def rating(self, player: PlayerId, at: datetime) -> Rating:  # noqa: ARG002  # of the same form as that of Glicko-2
        """Return a player's rating at an instant. See `Ratings`."""
        history = self.history(player)
        return history[-1].rating if history else _of_skill(ModelState(self._model.mu, self._model.sigma), 0)

    def expected(self, sides: Sequence[Sequence[PlayerId]], at: datetime) -> tuple[float, ...]:  # noqa: ARG002
        """Return the expected parts of the sides. See `Ratings`."""
        return tuple(self._model.predict_win([[self._known(player) for player in side] for side in sides]))


def _of_strength(known: ModelState, games: int) -> Rating:
    return Rating(known.mean, known.spread, games, PERIODS_LIMIT)


def _of_skill(known: ModelState, games: int) -> Rating:
    return Rating(ORIGIN + POINTS * known.mean, POINTS * known.spread, games, TABLES_LIMIT)


def _in_order(results: Iterable[RatedResult]) -> list[RatedResult]:
    # numbers part the games that ended at the same instant, so that there is one order only
    return sorted(results, key=lambda one: (one.at, one.game))
