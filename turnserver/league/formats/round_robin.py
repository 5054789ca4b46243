"""Round robin: everybody meets everybody, by the Berger tables (FIDE Handbook, C.05, annex 1), also whoever comes late."""

from collections.abc import Iterator, Sequence
from functools import cache

from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter


def round_robin(players: Sequence[PlayerId], *, double: bool = False) -> tuple[Encounter, ...]:
    """Return all encounters of a round robin, in the order of rounds from 1. `players` are in the order of their drawn numbers.

    Every pair meets once, and everybody moves first as often as second, give or take one. With an odd number, one player has a bye in each
    round, and each player has one bye. In a `double` one every pair meets twice, the other way round the second time. Fewer than two
    players have nothing to play.
    """
    if len(players) < 2:
        return ()
    rounds = list(_rounds(len(players) + len(players) % 2))
    if double:
        turned = [[(second, first) for first, second in pairs] for pairs in rounds]
        # The last two rounds of the first half are exchanged, as the annex recommends. Else somebody would move first, or second, three
        # times running.
        rounds = [*rounds[:-2], *reversed(rounds[-2:]), *turned]
    return tuple(_encounter(at + 1, pair, players) for at, pairs in enumerate(rounds) for pair in pairs)


def _rounds(size: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs of each round for an even number of players, who are 0, 1, ...; the first player of a pair moves first.

    All but the last player sit in a circle. One of them meets the last. The neighbours on one side of that one meet the neighbours on the
    other side, equally far off. In the next round it is the player half the circle further on. The last player moves second, first, second,
    ...
    """
    circle = size - 1
    for at in range(circle):
        head = at * (size // 2) % circle
        around = [((head + far) % circle, (head - far) % circle) for far in range(1, size // 2)]
        yield [(circle, head) if at % 2 else (head, circle), *around]


def _encounter(number: int, pair: tuple[int, int], players: Sequence[PlayerId]) -> Encounter:
    there = tuple(players[at] for at in pair if at < len(players))
    return Encounter(number, there, () if len(there) == 2 else (Mark.BYE,))


@cache
def scheduled(players: tuple[PlayerId, ...], whole: int, double: bool) -> tuple[Encounter, ...]:  # noqa: FBT001  # a cache is asked by position
    """Return the schedule of the first `whole` of these players, and the meetings of all who come behind them."""
    planned = round_robin(players[:whole], double=double)
    rounds = max((one.round for one in planned), default=1)
    return (*planned, *(one for at in range(whole, len(players)) for one in _besides(players[: at + 1], rounds, double)))


def _besides(players: tuple[PlayerId, ...], rounds: int, double: bool) -> Iterator[Encounter]:  # noqa: FBT001  # as `scheduled`
    """Yield the meetings of the last of these players with all others, over so many rounds."""
    *others, late = players
    half = rounds // 2 if double else rounds
    for at, other in enumerate(others):
        number = min(at + 1, half)
        pair = (other, late) if at % 2 else (late, other)
        yield Encounter(number, pair)
        if double:
            yield Encounter(half + number, pair[::-1])
