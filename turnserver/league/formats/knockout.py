"""Knockout: the bracket of a cup, with one loss or two until somebody is out, as a fold of its games.

Players are seeded; the bracket has room for a power of two, and the places that are left over are byes of the first seeds. Seed 1 meets the
last, and if the better seed always wins, 1 meets 2 in the final, and players who go out have worse seeds than those who are left.

With two losses there is a lower bracket for those who have lost once. In its odd rounds its own winners meet; in its even ones they meet
those who have just lost above, in turned order: the second round takes them from last to first, the fourth with its halves exchanged, and
so on by turns. So in a bracket for 2 to the power of k nobody meets an opponent again in the lower rounds before the k-th.

Rounds are numbered so that everybody has one opponent in a round: upper round r is 1, 2, 4, 6, ..., lower round r is r + 1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.league.formats.swiss import higher_is_first
from turnserver.league.scoring.marks import WON, Mark, Scoring
from turnserver.league.scoring.record import Encounter, PlayRecord


class Branch(StrEnum):
    """The part of the bracket in which players meet."""

    UPPER = "upper"
    LOWER = "lower"
    THIRD = "third place"
    FINAL = "final"


class Vacancy(Enum):
    """The reason for a missing player."""

    YET = "nobody is known yet"
    EVER = "nobody comes"


Side: TypeAlias = PlayerId | Vacancy


class Drawn(StrEnum):
    """The player who goes on if the last replay is drawn too."""

    HIGHER_SEED = "higher seed"
    LOTS = "lots"


@dataclass(frozen=True, slots=True)
class Cup:
    """The rules of a cup. A drawn game is replayed with seats changed. Raises ValueError for rules that cannot be played."""

    # so many put a player out, one or two
    losses: int = 1
    # those who lose the semifinals play for it; with two losses there is no need
    third_place: bool = False
    # of a tie, at most
    replays: int = 2
    drawn: Drawn = Drawn.HIGHER_SEED
    # those who are to play for the third place have places 3 and 4 before their game begins, too
    third_apart: bool = False

    def __post_init__(self) -> None:
        if self.losses not in (1, 2) or self.replays < 0:
            raise ValueError("one loss or two put a player out, and replays cannot be fewer than none")


class Lot(NamedTuple):
    """Two players between whom lots decide in a round."""

    round: int
    players: frozenset[PlayerId]


NO_LOTS: Final[Mapping[Lot, PlayerId]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BracketTie:
    """A place of the bracket: its players, their games, the winner and the loser. The better seed stands first."""

    round: int
    branch: Branch
    sides: tuple[Side, Side]
    games: tuple[Encounter, ...]
    winner: Side
    loser: Side

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """The players who are known already."""
        return _known(*self.sides)

    @property
    def is_open(self) -> bool:
        """True if both players are known, and the winner is not."""
        return len(self.players) == 2 and self.winner is Vacancy.YET


class SharedPlaces(NamedTuple):
    """The places shared by players who went out together, `best` to `worst`. Both are equal for one player alone."""

    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Bracket:
    """The standing of a cup: all ties in the order of rounds, the games to be opened now, and the lots to be drawn now.

    `places` are final. Players who go out in a round have them as soon as all of it is decided. The losers of the semifinals share places 3
    and 4 while they play for the third place. `strays` are games of no tie: after a correction others had to meet.
    """

    ties: tuple[BracketTie, ...]
    to_open: tuple[Encounter, ...]
    to_draw: tuple[Lot, ...]
    places: Mapping[PlayerId, SharedPlaces]
    strays: tuple[Encounter, ...]


def bracket(
    record: PlayRecord, cup: Cup, scoring: Scoring, *, withdrawn: Sequence[PlayerId] = (), lots: Mapping[Lot, PlayerId] = NO_LOTS
) -> Bracket:
    """Return the standing of a cup of the players of `record`, who are in seed order.

    A game counts for its two players in its round. A game without a result, or annulled, is played again, with the same seats. If neither
    player came, both are out. `withdrawn` lists players in the order in which they withdrew: each loses all undecided and later ties, but
    goes on against a player who withdrew earlier. `lots` are the drawn lots with their winners. With fewer than two players,
    there is nothing to play.
    """
    if len(record.players) < 2:
        return Bracket((), (), (), MappingProxyType({}), ())
    fold = _Fold(record, cup, scoring, withdrawn, lots)
    if cup.losses == 1:
        fold.single()
    else:
        fold.double()
    return fold.found()


def seeding(size: int) -> tuple[int, ...]:
    """Return the seeds of a bracket for `size`, a power of two, from top to bottom: 1, 16, 8, 9, ...; neighbours meet."""
    seeds = [1]
    while len(seeds) < size:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) + 1 - seed)]
    return tuple(seeds)


class _Fold:
    """A cup being played through from its first round. `outs` are groups who went out together, the first first; None if not known yet."""

    def __init__(self, record: PlayRecord, cup: Cup, scoring: Scoring, withdrawn: Sequence[PlayerId], lots: Mapping[Lot, PlayerId]) -> None:
        self.cup, self.lots, self.players = cup, lots, record.players
        self.seeds: dict[Side, int] = {player: at for at, player in enumerate(record.players)}
        self.firsts = record.firsts(scoring)
        self.left = {player: at for at, player in enumerate(withdrawn)}
        self.games: dict[Lot, list[Encounter]] = {}
        for game in record.encounters:
            self.games.setdefault(Lot(game.round, frozenset(game.players)), []).append(game)
        self.ties: list[BracketTie] = []
        self.outs: list[list[PlayerId] | None] = []

    def single(self) -> None:
        """Play through a cup in which one loss is enough."""
        sides, number = self._entered(), 1
        while len(sides) > 2:
            ties = self._round(number, Branch.UPPER, _neighbours(sides))
            # the losers of the semifinals are out only after their game for the third place
            last = len(sides) == 4 and self.cup.third_place
            self._out(ties, [] if last else [tie.loser for tie in ties])
            if last:
                third = self._tie(number + 1, Branch.THIRD, ties[0].loser, ties[1].loser)
                if (third.is_open and self.cup.third_apart) or any(not game.is_over for game in third.games):
                    # these two places are theirs, whoever wins, so the final's places need not wait for this game
                    self.outs.append([*third.players])
                else:
                    self._out([third], [third.loser])
                    self._out([third], [third.winner])
            sides, number = [tie.winner for tie in ties], number + 1
        self._final(number, sides[0], sides[1])

    def double(self) -> None:
        """Play through a cup in which it takes two losses."""
        ties = self._round(1, Branch.UPPER, _neighbours(self._entered()))
        self._out(ties, [])
        upper, lower, down = [tie.winner for tie in ties], [tie.loser for tie in ties], 0
        while len(upper) > 1:
            down += 2
            ties = self._round(down, Branch.UPPER, _neighbours(upper))
            below = self._round(down, Branch.LOWER, _neighbours(lower))
            self._out([*ties, *below], [tie.loser for tie in below])
            # turned, so that nobody meets an opponent again soon
            fallen = _turned([tie.loser for tie in ties], reverse=down % 4 == 2)
            again = self._round(down + 1, Branch.LOWER, list(zip([tie.winner for tie in below], fallen, strict=True)))
            self._out(again, [tie.loser for tie in again])
            upper, lower = [tie.winner for tie in ties], [tie.winner for tie in again]
        self._final(down + 2, upper[0], lower[0])

    def found(self) -> Bracket:
        """Return the standing of the cup after everything that was played."""
        places, left = dict[PlayerId, SharedPlaces](), len(self.players)
        for together in self.outs:
            # the places of later groups are counted from the earlier ones, which are not known yet
            if together is None:
                break
            places |= dict.fromkeys(together, SharedPlaces(left - len(together) + 1, left))
            left -= len(together)
        of_ties = {game for tie in self.ties for game in tie.games}
        waiting = [tie for tie in self.ties if tie.is_open and all(game.is_over for game in tie.games)]
        return Bracket(
            tuple(self.ties),
            tuple(self._next(tie) for tie in waiting if _draws(tie.games) <= self.cup.replays),
            tuple(Lot(tie.round, frozenset(tie.players)) for tie in waiting if _draws(tie.games) > self.cup.replays),
            MappingProxyType(places),
            tuple(game for games in self.games.values() for game in games if game not in of_ties),
        )

    def _entered(self) -> list[Side]:
        # the least power of two with room for all
        size = 1 << (len(self.players) - 1).bit_length()
        return [self.players[seed - 1] if seed <= len(self.players) else Vacancy.EVER for seed in seeding(size)]

    def _round(self, number: int, branch: Branch, pairs: Sequence[tuple[Side, Side]]) -> list[BracketTie]:
        return [self._tie(number, branch, *pair) for pair in pairs]

    def _final(self, number: int, one: Side, other: Side) -> None:
        """Play the final of `one`, who has not lost yet, against `other`. Where two losses put a player out, `one` may lose once."""
        tie = self._tie(number, Branch.FINAL, one, other)
        if self.cup.losses == 2 and len(tie.players) == 2 and tie.loser == one:
            tie = self._tie(number + 1, Branch.FINAL, one, other)
        self._out([tie], [tie.loser])
        self._out([tie], [tie.winner])

    def _tie(self, number: int, branch: Branch, *sides: Side) -> BracketTie:
        # missing players come last, and of two players the better seed comes first
        one, other = sorted(sides, key=lambda side: self.seeds.get(side, len(self.seeds)))
        games = tuple(self.games.get(Lot(number, frozenset(_known(one, other))), ()))
        tie = BracketTie(number, branch, (one, other), games, *self._outcome(number, one, other, games))
        self.ties.append(tie)
        return tie

    def _outcome(self, number: int, one: Side, other: Side, games: Sequence[Encounter]) -> tuple[Side, Side]:
        """Return the side that goes on, and the side that has lost."""
        if isinstance(one, Vacancy) or isinstance(other, Vacancy):
            # somebody without an opponent goes on; two missing sides make another one
            first, last = (other, one) if one is Vacancy.EVER else (one, other)
            return (first, Vacancy.EVER) if last is Vacancy.EVER else (Vacancy.YET, Vacancy.YET)
        # results count before withdrawals: whoever won and withdrew later has won
        winner = self._by_games(games)
        if winner is Vacancy.YET and _draws(games) > self.cup.replays:
            winner = self._after_draws(one, Lot(number, frozenset((one, other))))
        if winner is Vacancy.YET and (one in self.left or other in self.left):
            # later than every withdrawal
            never = len(self.left)
            winner = one if self.left.get(one, never) > self.left.get(other, never) else other
        if isinstance(winner, Vacancy):
            return winner, winner
        return (winner, other if winner == one else one)

    def _by_games(self, games: Sequence[Encounter]) -> Side:
        for game in games:
            for player, mark in zip(game.players, game.marks, strict=False):
                if mark in WON:
                    return player
            # neither came, so both are out
            if set(game.marks) == {Mark.FORFEIT}:
                return Vacancy.EVER
        return Vacancy.YET

    def _after_draws(self, better: PlayerId, lot: Lot) -> Side:
        return better if self.cup.drawn is Drawn.HIGHER_SEED else self.lots.get(lot, Vacancy.YET)

    def _out(self, ties: Sequence[BracketTie], losers: Sequence[Side]) -> None:
        """Put the losers of these ties out, if they are to be, and both players of a tie that nobody has won."""
        if any(tie.winner is Vacancy.YET for tie in ties):
            self.outs.append(None)
            return
        neither = [player for tie in ties for player in tie.players if tie.winner is Vacancy.EVER and player not in _known(*losers)]
        already = {player for together in self.outs for player in together or ()}
        self.outs.append([player for player in (*neither, *_known(*losers)) if player not in already])

    def _next(self, tie: BracketTie) -> Encounter:
        """Return the next game of a tie: seats as in the first one, changed after each draw."""
        better, worse = tie.players
        if tie.games:
            seats = tie.games[0].players
        elif not higher_is_first(self.firsts[better], self.firsts[worse], odd=False):
            seats = (worse, better)
        else:
            seats = (better, worse)
        return Encounter(tie.round, seats[::-1] if _draws(tie.games) % 2 else seats)


def _known(*sides: Side) -> tuple[PlayerId, ...]:
    return tuple(side for side in sides if not isinstance(side, Vacancy))


def _neighbours(sides: Sequence[Side]) -> list[tuple[Side, Side]]:
    return list(zip(sides[::2], sides[1::2], strict=True))


def _turned(sides: list[Side], *, reverse: bool) -> Iterator[Side]:
    half = len(sides) // 2
    return reversed(sides) if reverse else iter(sides[half:] + sides[:half])


def _draws(games: Sequence[Encounter]) -> int:
    return sum(Mark.DRAW in game.marks for game in games)
