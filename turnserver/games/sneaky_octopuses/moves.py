"""The moves and slides that an octopus can make (rulings 3 to 6 and 9)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from turnserver.games.sneaky_octopuses.board import FLOOR, LINES, PASSAGES, STEPS
from turnserver.games.sneaky_octopuses.position import OCTOPUSES, SPEEDY, SQUISH, Position, piece
from turnserver.games.sneaky_octopuses.steps import Move, Slide
from turnserver.rules.square import Square

REACH: Final = 3
"""How many squares a move goes at most; a slide goes further."""

WAYS: Final = tuple(
    STEPS if kind != SQUISH else tuple(tuple(sorted((*steps, *passages))) for steps, passages in zip(STEPS, PASSAGES, strict=True))
    for kind in range(len(OCTOPUSES))
)
"""For each kind of octopus and each floor square, the squares that are one step away."""


class Look(NamedTuple):
    """What stands and lies where, as the octopuses of one seat see it. `lying` holds each colour on a square once."""

    mates: frozenset[Square]
    foes: frozenset[Square]
    keepers: frozenset[Square]
    loose: tuple[tuple[Square, int], ...]
    lying: Mapping[Square, tuple[int, ...]]


def look(position: Position) -> Look:
    """What stands and lies where, for the seat whose turn it is."""
    first = piece(position.seat, 0)
    mates = position.octopuses[first : first + len(OCTOPUSES)]
    foes = position.octopuses[:first] + position.octopuses[first + len(OCTOPUSES) :]
    lying: dict[Square, tuple[int, ...]] = {}
    for where, colour in dict.fromkeys(position.loose):
        lying[where] = (*lying.get(where, ()), colour)
    return Look(frozenset(mates), frozenset(foes), frozenset(keeper.square for keeper in position.keepers), position.loose, lying)


def moves(seen: Look, kind: int, here: Square) -> list[Move]:
    """The moves of the octopus that stands here, by the fish that it takes along first, then square by square along their paths."""
    way = _Way(seen, kind, [])
    for fish in (0, *seen.lying.get(here, ())):
        way.extend((here,), (fish,), fish)
    return way.found


def slides(seen: Look, here: Square) -> list[Slide]:
    """Speedy's slides from here: further than a move goes, past team-mates, to any free square or onto a keeper, by their squares."""
    found: list[Square] = []
    if here not in seen.lying:
        for line in LINES[here]:
            for distance, one in enumerate(line, start=1):
                if one not in FLOOR or one in seen.foes:
                    break
                if distance > REACH and one not in seen.mates:
                    found.append(one)
                if one in seen.keepers:
                    break
    return [Slide(SPEEDY, one) for one in sorted(found)]


class _Way(NamedTuple):
    seen: Look
    kind: int
    found: list[Move]

    def extend(self, path: tuple[Square, ...], takes: tuple[int, ...], carried: int) -> None:
        """Find the moves that go on along the path, whose last square the octopus leaves with the fish `carried`."""
        mates, foes, keepers, _, lying = self.seen
        start, last = path[0], len(path) == REACH
        for one in WAYS[self.kind][path[-1]]:
            further = (*path, one)
            if one in foes:
                if len(path) == 1 and one in STEPS[start]:
                    self._pass(further, takes)
                continue
            passing = one in mates and one != start
            if not passing:
                self.found.append(Move(self.kind, further, takes))
            if last or one in keepers:
                continue
            self.extend(further, (*takes, 0), carried)
            if one in lying and not passing:
                for fish in lying[one]:
                    if fish != carried and (one != start or self._still_there(start, fish, takes[0])):
                        self.extend(further, (*takes, fish), fish)

    def _pass(self, path: tuple[Square, ...], takes: tuple[int, ...]) -> None:
        """Find the moves past the opponent at the end of the path (ruling 5)."""
        taken = (self.seen.mates - {path[0]}, self.seen.foes, self.seen.keepers)
        free = (one for one in STEPS[path[-1]] if not any(one in squares for squares in taken))
        self.found.extend(Move(self.kind, (*path, one), (*takes, 0)) for one in free)

    def _still_there(self, start: Square, fish: int, taken: int) -> bool:
        """Whether there is such a fish on the first square when the octopus comes back to it."""
        return fish != taken or self.seen.loose.count((start, fish)) > 1
