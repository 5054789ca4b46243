"""Round robin: everybody meets everybody, by the Berger tables (FIDE Handbook C.05, annex 1)."""

from collections.abc import Iterator, Sequence

from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter


def round_robin(players: Sequence[PlayerId], *, double: bool = False) -> tuple[Encounter, ...]:
    """All encounters of a round robin, in the order of rounds, numbered from 1; `players` are in the order of the numbers they have drawn.

    Every pair meets once, and everybody moves first as often as second, or once more, or once less. With an odd number, one player has a
    bye in each round, and each of them one. In a `double` one every pair meets twice, the other way round the second time; the last two
    rounds before that are exchanged, as the annex recommends: so nobody moves first, or second, three times running.
    Fewer than two players have nothing to play.
    """
    if len(players) < 2:
        return ()
    rounds = list(_rounds(len(players) + len(players) % 2))
    if double:
        turned = [[(second, first) for first, second in pairs] for pairs in rounds]
        rounds = [*rounds[:-2], *reversed(rounds[-2:]), *turned]
    return tuple(_encounter(at + 1, pair, players) for at, pairs in enumerate(rounds) for pair in pairs)


def _rounds(size: int) -> Iterator[list[tuple[int, int]]]:
    """The table for an even number of players, who are 0, 1, ...: the pairs of each round, first player first.

    All but the last player sit in a circle. One of them meets the last, and his neighbours on the one side those on the other, as far off.
    In the next round it is who sits half the circle further on. The last player moves second, first, second, ...
    """
    circle = size - 1
    for at in range(circle):
        head = at * (size // 2) % circle
        around = [((head + far) % circle, (head - far) % circle) for far in range(1, size // 2)]
        yield [(circle, head) if at % 2 else (head, circle), *around]


def _encounter(number: int, pair: tuple[int, int], players: Sequence[PlayerId]) -> Encounter:
    there = tuple(players[at] for at in pair if at < len(players))
    return Encounter(number, there, () if len(there) == 2 else (Mark.BYE,))
