"""The actions that an octopus can take, and the choices that an open action asks for. Order: as each function says, and nothing else."""

from turnserver.games.sneaky_octopuses.board import CORNERS, FISH_INDEX, FLOOR, LINES, SHOWERS, STOCK, read_in_order
from turnserver.games.sneaky_octopuses.moves import look, moves, slides
from turnserver.games.sneaky_octopuses.position import NOWHERE, OCTOPUSES, SPEEDY, SQUIRT, Position, kind_of, piece
from turnserver.games.sneaky_octopuses.steps import Escape, Ink, Keep, Nominate, Steal, Step, Throw, ToShower
from turnserver.rules.square import Square


def choices(position: Position, exits: tuple[Square, ...]) -> tuple[Step, ...]:
    """Everything that the seat whose turn it is may do; `exits` are the squares beside its home.

    Actions in the order of `OCTOPUSES`, of each octopus: escapes, moves, slides, steals, throws, ink; then the keepers in reading order.
    While an action is open, only what goes on with it.
    """
    if position.action is not None:
        return _open_choices(position, exits)
    seen = look(position)
    found: list[Step] = []
    for kind in range(len(OCTOPUSES)):
        if position.acted >> kind & 1:
            continue
        here = position.octopuses[piece(position.seat, kind)]
        if here == NOWHERE:
            found += [Escape(kind, one) for one in exits if one not in position.octopuses]
            continue
        found += moves(seen, kind, here)
        if kind == SPEEDY:
            found += slides(seen, here)
        found += [Steal(kind, one) for one in STOCK[here] if position.tanks[FISH_INDEX[one]]]
        if here in seen.lying:
            targets = throw_targets(position, here, exits)
            found += [Throw(kind, colour, one) for colour in seen.lying[here] for one in targets]
        if kind == SQUIRT and here not in CORNERS:
            found += [Ink(kind, direction) for direction, line in enumerate(LINES[here]) if line]
    found += [Nominate(one) for one in read_in_order(keeper.square for keeper in position.keepers)]
    return tuple(found)


def throw_targets(position: Position, here: Square, exits: tuple[Square, ...]) -> list[Square | None]:
    """Where a fish from here can land on the floor, and whom it can hit, by their squares; then None if it can be thrown home."""
    targets: list[Square] = []
    standing = {*position.octopuses, *(keeper.square for keeper in position.keepers)}
    for line in LINES[here]:
        for one in line:
            if one in FLOOR or one in standing:
                targets.append(one)
            if one in standing:
                break
    return [*sorted(targets), *((None,) if here in exits else ())]


def free_showers(position: Position) -> tuple[Square, ...]:
    """The showers without a keeper, in reading order."""
    return read_in_order(shower.square for shower in SHOWERS if position.keeper_on(shower.square) is None)


def _open_choices(position: Position, exits: tuple[Square, ...]) -> tuple[Step, ...]:
    action = position.action
    if action is None or action.keeper is not None:
        return tuple(map(ToShower, free_showers(position)))
    kind, here = kind_of(action.holder), position.octopuses[action.holder]
    return (Keep(kind), *(Throw(kind, action.fish, one) for one in throw_targets(position, here, exits)))
