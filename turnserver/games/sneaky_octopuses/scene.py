"""A position while a step is carried out on it, with what has happened so far."""

from turnserver.games.sneaky_octopuses import trail
from turnserver.games.sneaky_octopuses.happenings import Cause, Happening, KeeperHit, Nabbed, OctopusHit, RanInto
from turnserver.games.sneaky_octopuses.position import NOWHERE, Action, Keeper, Piece, Position
from turnserver.rules import Seat
from turnserver.rules.square import Square


class Scene:
    """The fields of a position, to be changed in place; `position` freezes them again.

    The action under way has sounded on the squares `noise`, and the pieces `involved` took part in it. It waits for a choice while there
    is a keeper `awaited` in a shower, or a `fish` that its `holder` may throw on.
    """

    def __init__(self, before: Position) -> None:
        """Start from the position `before` the step; whatever that was waiting for, the step is the answer to."""
        self.turn, self.round, self.seat, self.first, self.left, self.acted = before[:6]
        self.octopuses = list(before.octopuses)
        self.keepers = list(before.keepers)
        self.tanks = before.tanks
        self.loose = list(before.loose)
        self.landed = before.landed
        noise, self.involved = before.action[:2] if before.action is not None else ((), 0)
        self.noise = list(noise)
        self.fish, self.holder = 0, Piece(0)
        self.awaited: int | None = None
        self.nominated: int | None = None
        self.trails = before.trails
        self.happened: list[Happening] = []
        self._before = before

    @property
    def waiting(self) -> bool:
        """Whether something has to be chosen before the keepers react."""
        return self.fish != 0 or self.awaited is not None

    def position(self) -> Position:
        """How everything stands now."""
        return Position(
            self.turn,
            self.round,
            self.seat,
            self.first,
            self.left,
            self.acted,
            tuple(self.octopuses),
            tuple(self.keepers),
            self.tanks,
            tuple(sorted(self.loose)),
            self.landed,
            Action(tuple(self.noise), self.involved, self.fish, self.holder, self.awaited) if self.waiting else None,
            self.nominated,
            trail.after(self._before, self.happened),
        )

    def pass_on(self) -> None:
        """The next seat that has not left is to play. A round ends on the way past the first player."""
        self.acted = 0
        while True:
            self.seat = Seat(self.seat % len(self.landed) + 1)
            self.round += self.seat == self.first
            if not self.left >> (self.seat - 1) & 1:
                return

    def octopus_on(self, where: Square) -> Piece | None:
        """The octopus on a floor square."""
        return Piece(self.octopuses.index(where)) if where in self.octopuses else None

    def keeper_on(self, where: Square) -> int | None:
        """The keeper on a square."""
        return next((number for number, keeper in enumerate(self.keepers) if keeper.square == where), None)

    def come(self, one: Piece, where: Square) -> None:
        """The octopus arrives on a square; if a keeper is there, it goes home and the keeper to a shower (ruling 6)."""
        keeper = self.keeper_on(where)
        if keeper is None:
            self.octopuses[one] = where
            return
        self.happened.append(RanInto(one, keeper, where))
        self.octopuses[one] = NOWHERE
        self._await(keeper)

    def hit_octopus(self, one: Piece, cause: Cause) -> None:
        """The octopus goes home because a fish or ink has hit it."""
        self.happened.append(OctopusHit(one, self.octopuses[one], cause))
        self.octopuses[one] = NOWHERE

    def hit_keeper(self, keeper: int, cause: Cause) -> None:
        """The keeper has to go to a shower because a fish or ink has hit it."""
        self.happened.append(KeeperHit(keeper, self.keepers[keeper].square, cause))
        self._await(keeper)

    def advance(self, keeper: int, where: Square, facing: int) -> bool:
        """The keeper goes to a square and faces that way. Whether it has caught an octopus there, which ends a walk."""
        self.keepers[keeper] = Keeper(where, facing)
        one = self.octopus_on(where)
        if one is None:
            return False
        self.happened.append(Nabbed(keeper, one, where))
        self.octopuses[one] = NOWHERE
        return True

    def _await(self, keeper: int) -> None:
        self.keepers[keeper] = Keeper(NOWHERE, self.keepers[keeper].facing)
        self.awaited = keeper
