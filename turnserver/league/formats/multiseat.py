"""Games of three or four: who sits at which table in which round, so that all meet equally often, and in which seat.

Tables are searched for, by exchanging two players of a round at a time as long as that mends as much as it spoils. It begins the same way
each time, so the same event has the same tables everywhere. An event with as many rounds as players, or one less, has a cycle if there is
one: a first round whose shifts around a circle make all pairs meet equally often. The rounds that are left, which are all those of a short
event, are evened together.

How often those meet who meet least and those who meet most, by players, size of tables, and rounds; the last column is of one less than
players. Where the two differ by more than one there may be a better way, which would take longer to find.

    players  size  3    5    7    all but one
          6     3  0-3  1-3  2-4  1-3
          9     3  0-1  1-2  1-2  2-2
         12     3  0-1  0-2  1-2  2-2
         15     3  0-1  0-1  1-1  2-2
         18     3  0-1  0-1  0-1  2-2
         21     3  0-1  0-1  0-1  2-2
         24     3  0-1  0-1  0-1  2-2
         27     3  0-1  0-1  0-1  2-2
         30     3  0-1  0-1  0-1  2-2
          8     4  0-2  1-3  3-3  3-3
         12     4  0-2  0-3  1-3  3-3
         16     4  0-1  1-1  1-2  3-3
         20     4  0-1  0-2  0-2  3-3
         24     4  0-1  0-1  0-2  3-3
         28     4  0-1  0-1  0-2  3-3
         32     4  0-1  0-1  0-1  2-4
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import chain, combinations, permutations
from math import comb
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter, Teams

MOST: Final = 32
"""The most players of one division; more are for several divisions."""

BEGINNINGS: Final = 4
FAR: Final = 1000
"""The number of meetings that barred pairs seem to have had."""
TRIES: Final = 30_000
"""The number of exchanges tried from each beginning: a second of work in all. More would hardly find more."""

_Round: TypeAlias = tuple[tuple[int, ...], ...]


def table_schedule(players: Sequence[PlayerId], rounds: int, size: int, teams: Teams = ()) -> tuple[Encounter, ...]:
    """Return the tables of all rounds, numbered from 1, with their players in seat order, and byes for those without a table.

    Tables have the `size` 3 or 4, and as many players sit as can. Byes differ by one at most. So do the times that a player has each seat;
    for meetings see the module. If seats win and lose together, as `teams`, all have other partners first, and then other seats. Raises
    ValueError for another size, and for fewer players than a table has or more than `MOST`.
    """
    if size not in {3, 4} or not size <= len(players) <= MOST:
        raise ValueError(f"tables are for 3 or 4, and there are players for one table at least, {MOST} at most")
    many = len(players) // size
    seated = _seated([list(table) for tables in _tables(len(players), rounds, size) for table in tables], size)
    found = list[Encounter]()
    for number in range(rounds):
        tables = [tuple(players[at] for at in table) for table in seated[number * many : (number + 1) * many]]
        busy = {player for table in tables for player in table}
        found += (Encounter(number + 1, table) for table in tables)
        found += (Encounter(number + 1, (player,), (Mark.BYE,)) for player in players if player not in busy)
    return _partnered(found, teams) if any(len(team) > 1 for team in teams) else tuple(found)


def next_tables(
    number: int,
    players: Sequence[PlayerId],
    before: Sequence[Encounter],
    size: int,
    *,
    barred: AbstractSet[frozenset[PlayerId]] = frozenset(),
    teams: Teams = (),
) -> tuple[Encounter, ...]:
    """Return the tables of round `number` for the remaining `players`, evened with the rounds `before`, and byes for those without a table.

    Byes go to players who have sat at the most tables. Players meet whom they have met least; `barred` pairs never meet. Instead, they are
    the next to have byes, and so is everybody at a table that cannot be had without such a pair.
    """
    seen = Counter(player for one in before if len(one.players) > 1 for player in one.players)
    kept = Counter(player for both in barred if both.issubset(players) for player in both)
    # The first order is fair. The second is for the case that it leaves people who cannot sit together: it sends those of barred pairs away
    # first.
    orders = [sorted(players, key=lambda player: -seen[player]), sorted(players, key=lambda player: (-kept[player], -seen[player]))]
    met = Counter(frozenset(both) for one in before for both in combinations(one.players, 2))
    # the search only weighs meetings, so a barred pair has to look like one that has met very often
    met += Counter(dict.fromkeys(barred, FAR))
    tables: list[tuple[PlayerId, ...]] = []
    for order in orders:
        there = [player for player in players if player in order[len(players) % size :]]
        laid = [table for table in _laid_anew(there, size, met) if not any(both.issubset(table) for both in barred)]
        tables = max(tables, laid, key=len)
        if len(tables) == len(players) // size:
            break
    seats, busy = _Seats(before, teams), {player for table in tables for player in table}
    return (
        *(Encounter(number, seats.best(table)) for table in tables),
        *(Encounter(number, (player,), (Mark.BYE,)) for player in players if player not in busy),
    )


def _laid_anew(players: Sequence[PlayerId], size: int, met: Mapping[frozenset[PlayerId], int]) -> list[tuple[PlayerId, ...]]:
    """Return tables for all players, at which those meet who have met least."""
    often = tuple(met.get(frozenset(both), 0) for both in combinations(players, 2))
    return [tuple(players[at] for at in table) for table in _next_round(len(players), size, often)]


@lru_cache(maxsize=64)  # whoever checks a round searches for the same one again
def _next_round(players: int, size: int, met: Sequence[int]) -> _Round:
    """Return tables of players 0, 1, ... of whom each pair, in the order of `combinations`, has `met` so often."""
    kinds = {frozenset(both): at for at, both in enumerate(combinations(range(players), 2))}
    # the search counts from the average, so it evens out what earlier rounds have left
    often = sum(met) // len(met)
    search = _Search(kinds, [often - times for times in met], TRIES // 10)
    return min(search.best([range(players)], size, beginning) for beginning in range(BEGINNINGS)).rounds[0]


class _Seats:
    """The seats and partners that each player has had so far."""

    def __init__(self, before: Iterable[Encounter], teams: Teams) -> None:
        self._pairs = [tuple(seat - 1 for seat in both) for team in teams for both in combinations(sorted(team), 2)]
        self._had = Counter[tuple[PlayerId, int]]()
        self._partners = Counter[frozenset[PlayerId]]()
        for one in before:
            if len(one.players) > 1:
                self.add(one.players)

    def add(self, table: Sequence[PlayerId]) -> None:
        """Count a table, in seat order."""
        self._had.update((player, at) for at, player in enumerate(table))
        self._partners.update(self._partnered(table))

    def best(self, table: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """Return the seating of a table that repeats partners least, and among such seatings repeats seats least."""
        return min(permutations(table), key=self._cost)

    def _cost(self, table: Sequence[PlayerId]) -> tuple[int, int]:
        return sum(self._partners[both] for both in self._partnered(table)), sum(self._had[player, at] for at, player in enumerate(table))

    def _partnered(self, table: Sequence[PlayerId]) -> list[frozenset[PlayerId]]:
        return [frozenset(table[at] for at in both) for both in self._pairs]


def _partnered(encounters: Iterable[Encounter], teams: Teams) -> tuple[Encounter, ...]:
    """Return the same encounters with everybody in another seat."""
    seats, found = _Seats((), teams), list[Encounter]()
    for one in encounters:
        if len(one.players) > 1:
            table = seats.best(one.players)
            seats.add(table)
            found.append(Encounter(one.round, table))
        else:
            found.append(one)
    return tuple(found)


@cache
def _tables(players: int, rounds: int, size: int) -> tuple[_Round, ...]:
    """Return the tables of players 0, 1, ... in rounds: whole cycles first, if there is one."""
    found = list[_Round]()
    # the shorter cycle first, since a season may have no more rounds than that
    for circle in (players - 1, players):
        if rounds >= circle and (first := _first_of_cycle(players, circle, size)):
            cycle = [_shifted(first, by, circle) for by in range(circle)]
            while rounds - len(found) >= circle:
                found += cycle
    return (*found, *_evened(players, rounds - len(found), size))


def _evened(players: int, rounds: int, size: int) -> Sequence[_Round]:
    """Return rounds in which meetings differ as little as was found. The idle players change from round to round."""
    idle = players % size
    starts = [[(at * idle + idle + one) % players for one in range(players - idle)] for at in range(rounds)]
    kinds = {frozenset(both): at for at, both in enumerate(combinations(range(players), 2))}
    search = _Search(kinds, [rounds * _pairs(players, size) // len(kinds)] * len(kinds))
    found = list[_SearchResult]()
    for beginning in range(BEGINNINGS):
        found.append(search.best(starts, size, beginning))
        if found[-1].cost == 0:
            break
    return min(found).rounds


def _first_of_cycle(players: int, circle: int, size: int) -> _Round | None:
    """Return the first round of a cycle by which everybody meets everybody equally often; None if there is none.

    A player off the circle stays put.
    """
    off, idle = players - circle, players % size
    often, rest = divmod(2 * circle * _pairs(players, size), players * (players - 1))
    # Three things rule a cycle out. The meetings of all rounds must share out evenly among all pairs. A player off the circle sits in every
    # round, so nobody can be idle. A distance of half an even circle has half as many pairs as the others, so its share must be even.
    if rest or (off and idle) or (circle % 2 == 0 and often % 2):
        return None
    kinds = {frozenset(both): _apart(*both, circle) for both in combinations(range(players), 2)}
    wanted = [often * off] + [often] * (circle // 2)
    if circle % 2 == 0:
        # the distance of half the circle, see above
        wanted[-1] //= 2
    search = _Search(kinds, wanted)
    found = (search.best([list(range(idle, players))], size, beginning) for beginning in range(BEGINNINGS))
    return next((one.rounds[0] for one in found if one.cost == 0), None)


def _apart(one: int, other: int, circle: int) -> int:
    # `other` is the later of the two, so only `other` can be off the circle; that one has distance 0
    return 0 if other == circle else min(other - one, circle - other + one)


def _shifted(tables: _Round, by: int, circle: int) -> _Round:
    return tuple(tuple(one if one == circle else (one + by) % circle for one in table) for table in tables)


def _pairs(players: int, size: int) -> int:
    # those who sit at one table in a round
    return players // size * comb(size, 2)


class _SearchResult(NamedTuple):
    """The result of a search: the cost that is left (0 is the best there is), the spread of meetings, and the rounds."""

    cost: int
    spread: int
    rounds: list[_Round]


class _Search:
    """A search that exchanges players between tables of a round, so that pairs of each kind meet `wanted` times, or once more."""

    def __init__(self, kinds: Mapping[frozenset[int], int], wanted: Sequence[int], tries: int = TRIES) -> None:
        size = 1 + max(max(both) for both in kinds)
        self.kinds = [[kinds.get(frozenset((one, other)), 0) for other in range(size)] for one in range(size)]
        self.wanted = wanted
        self.tries = tries
        self.over = list[int]()

    def best(self, starts: Sequence[Sequence[int]], size: int, beginning: int) -> _SearchResult:
        """Return rounds in which the players of `starts` sit in another order."""
        self.over = [-often for often in self.wanted]
        draws = _draws(beginning)
        rounds = [_laid(_shuffled(start, draws), size) for start in starts]
        cost = sum(map(_cost, self.over))
        cost += sum(self._met(*both) for tables in rounds for table in tables for both in combinations(table, 2))
        # with one table there is nothing to exchange
        if any(len(tables) > 1 for tables in rounds):
            for _ in range(self.tries):
                if cost == 0:
                    break
                tables = rounds[next(draws) % len(rounds)]
                here = next(draws) % len(tables)
                there = (here + 1 + next(draws) % (len(tables) - 1)) % len(tables)
                cost += self._exchanged(tables[here], tables[there], next(draws), next(draws))
        return _SearchResult(cost, max(self.over) - min(self.over), [tuple(map(tuple, tables)) for tables in rounds])

    def _exchanged(self, here: list[int], there: list[int], one: int, other: int) -> int:
        """Exchange two players unless that costs more. Return the change of the cost."""
        one, other = one % len(here), other % len(there)
        leaves, comes = here[one], there[other]
        stay, others = here[:one] + here[one + 1 :], there[:other] + there[other + 1 :]
        cost = self._replaced(leaves, comes, stay) + self._replaced(comes, leaves, others)
        # an exchange that changes nothing is kept too: it may lead out of a dead end
        if cost <= 0:
            here[one], there[other] = comes, leaves
            return cost
        self._replaced(comes, leaves, stay)
        self._replaced(leaves, comes, others)
        return 0

    def _met(self, one: int, other: int) -> int:
        """Count a meeting. Return the change of the cost."""
        kind = self.kinds[one][other]
        self.over[kind] += 1
        return self.over[kind] - 1

    def _replaced(self, leaves: int, comes: int, table: Sequence[int]) -> int:
        """Count the meetings of a table where one player comes for another. Return the change of the cost."""
        # the differences of `_cost`, which is what most of the time is spent on
        before, after, over, cost = self.kinds[leaves], self.kinds[comes], self.over, 0
        for player in table:
            kind = before[player]
            over[kind] -= 1
            cost -= over[kind]
            kind = after[player]
            cost += over[kind]
            over[kind] += 1
        return cost


def _cost(over: int) -> int:
    # nothing for 0 and 1, and more with each step away from them
    return over * (over - 1) // 2


def _draws(beginning: int) -> Iterator[int]:
    # D. E. Knuth's linear congruence for 64 bits, without the lower half: no evident order, the same each time
    state = beginning
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def _shuffled(players: Sequence[int], draws: Iterator[int]) -> list[int]:
    found = list(players)
    # Fisher and Yates, and not `random`, whose shuffles may differ from one Python to the next
    for at in range(len(found) - 1, 0, -1):
        other = next(draws) % (at + 1)
        found[at], found[other] = found[other], found[at]
    return found


def _laid(players: Sequence[int], size: int) -> list[list[int]]:
    return [list(players[at : at + size]) for at in range(0, len(players), size)]


def _seated(tables: list[list[int]], size: int) -> list[list[int]]:
    # Two seats are taken at a time: their players are the ends of lines, one a table. Walking along the lines until all are used makes
    # everybody begin as many lines as they end, give or take one. Each step makes the sum of squares less, so there is a last one.
    pairs = list(combinations(range(size), 2))
    while uneven := next((pair for pair in pairs if _is_uneven(tables, *pair)), None):
        _turn(tables, *uneven)
    return tables


def _is_uneven(tables: Sequence[Sequence[int]], one: int, other: int) -> bool:
    counts = Counter(table[one] for table in tables)
    counts.subtract(table[other] for table in tables)
    return any(abs(count) > 1 for count in counts.values())


def _turn(tables: Sequence[list[int]], one: int, other: int) -> None:
    """Let every player be `one` as often as `other`, give or take one, by exchanging the two at tables."""
    lines: dict[int, dict[int, int]] = {}
    for at, table in enumerate(tables):
        lines.setdefault(table[one], {})[at] = table[other]
        lines.setdefault(table[other], {})[at] = table[one]
    odd = (player for player, left in lines.items() if len(left) % 2)
    for start in chain(odd, lines):  # who is left with an odd number of lines comes first: their walk ends at another such
        _walk(tables, lines, start, one, other)


def _walk(tables: Sequence[list[int]], lines: dict[int, dict[int, int]], player: int, one: int, other: int) -> None:
    # a player who begins a line sits as `one`
    while lines[player]:
        at, ahead = lines[player].popitem()
        del lines[ahead][at]
        tables[at][one], tables[at][other] = player, ahead
        player = ahead
