"""Carrying out what players choose (rulings 4 to 9): each function changes the scene as the step says and notes what happens.

They are defined on legal steps. How the keepers react comes later.
"""

from typing import assert_never

from turnserver.games.sneaky_octopuses.board import CORNERS, ENTRANCES, FISH_INDEX, LINES, SHOWER_AT, SHOWERS, SIGHTS
from turnserver.games.sneaky_octopuses.happenings import (
    Caught,
    Escaped,
    Happening,
    Inked,
    Landed,
    LeftBehind,
    Moved,
    PickedUp,
    Scored,
    SentToShower,
    Sheltered,
    Stole,
    Threw,
)
from turnserver.games.sneaky_octopuses.position import TAKO, Keeper, Piece, kind_of, seat_of, worth
from turnserver.games.sneaky_octopuses.scene import Scene
from turnserver.games.sneaky_octopuses.steps import Escape, Ink, Move, Slide, Steal, Throw
from turnserver.rules.square import Square


def act(scene: Scene, one: Piece, step: Escape | Move | Slide | Steal | Throw | Ink) -> None:
    """The octopus does what the step says; a throw may go on with a chain."""
    scene.involved |= 1 << one
    match step:
        case Escape():
            scene.happened.append(Escaped(one, step.square))
            _sound(scene, one, step.square)
            scene.come(one, step.square)
        case Move():
            _move(scene, one, step.path, step.takes)
        case Slide():
            path = _straight(scene.octopuses[one], step.square)
            _move(scene, one, path, (0,) * (len(path) - 1))
        case Steal():
            _steal(scene, one, step.square)
        case Throw(colour=colour, square=target):
            if target is None:
                _throw_home(scene, one, colour)
            else:
                _throw(scene, one, colour, target)
        case Ink():
            _shoot(scene, one, step.direction)
        case _:
            assert_never(step)


def send_to_shower(scene: Scene, keeper: int, where: Square) -> None:
    """The keeper goes to the shower on that square."""
    scene.keepers[keeper] = Keeper(where, SHOWERS[SHOWER_AT[where]].facing)
    scene.happened.append(SentToShower(keeper, where))


def _sound(scene: Scene, one: Piece, *squares: Square) -> None:
    if kind_of(one) != TAKO:
        scene.noise += squares


def _straight(start: Square, end: Square) -> tuple[Square, ...]:
    """The squares of a straight way, both ends included."""
    line = LINES[start][SIGHTS[start][end][0]]
    return (start, *line[: line.index(end) + 1])


def _move(scene: Scene, one: Piece, path: tuple[Square, ...], takes: tuple[int, ...]) -> None:
    start, carried = path[0], takes[0]
    if carried:
        scene.loose.remove((start, carried))
    details: list[Happening] = [LeftBehind(one, start, fish) for where, fish in scene.loose if where == start]
    for where, fish in zip(path[1:-1], takes[1:], strict=True):
        if fish:
            scene.loose.remove((where, fish))
            details.append(PickedUp(one, where, fish))
            if carried:
                scene.loose.append((where, carried))
                details.append(LeftBehind(one, where, carried))
            carried = fish
    if carried:
        scene.loose.append((path[-1], carried))
    scene.happened += [Moved(one, path, carried), *details]
    _sound(scene, one, *path)
    scene.come(one, path[-1])


def _steal(scene: Scene, one: Piece, tank: Square) -> None:
    here, index = scene.octopuses[one], FISH_INDEX[tank]
    colour = scene.tanks[index]
    scene.tanks = scene.tanks[:index] + b"\0" + scene.tanks[index + 1 :]
    scene.loose.append((here, colour))
    scene.happened.append(Stole(one, tank, colour))
    _sound(scene, one, here)


def _throw_home(scene: Scene, one: Piece, colour: int) -> None:
    here, seat = scene.octopuses[one], seat_of(one)
    scene.loose.remove((here, colour))
    landed = tuple(count + (fish == colour) for fish, count in enumerate(scene.landed[seat - 1], start=1))
    scene.landed = (*scene.landed[: seat - 1], landed, *scene.landed[seat:])
    scene.happened += [Threw(one, colour, here, None), Scored(seat, colour, landed[colour - 1], worth(landed))]
    _sound(scene, one, here)


def _throw(scene: Scene, one: Piece, colour: int, target: Square) -> None:
    here = scene.octopuses[one]
    way = _straight(here, target)
    rest = way[-2] if target in ENTRANCES else target
    scene.loose.remove((here, colour))
    scene.loose.append((rest, colour))
    scene.happened.append(Threw(one, colour, here, target))
    _sound(scene, one, *way)
    keeper, octopus = scene.keeper_on(target), scene.octopus_on(target)
    if octopus is not None and seat_of(octopus) == seat_of(one):
        again = not scene.involved >> octopus & 1
        scene.happened.append(Caught(octopus, colour, again))
        if again:
            scene.involved |= 1 << octopus
            scene.fish, scene.holder = colour, octopus
        return
    if keeper is not None:
        scene.hit_keeper(keeper, "fish")
    if octopus is not None:
        scene.hit_octopus(octopus, "fish")
    scene.happened.append(Landed(colour, rest))


def _shoot(scene: Scene, one: Piece, direction: int) -> None:
    here = scene.octopuses[one]
    line = LINES[here][direction]
    standing = {*scene.octopuses, *(keeper.square for keeper in scene.keepers)}
    end = next((where for where in line if where in standing), line[-1])
    scene.happened.append(Inked(one, here, direction, end))
    _sound(scene, one, *_straight(here, end))
    keeper, octopus = scene.keeper_on(end), scene.octopus_on(end)
    if keeper is not None:
        scene.hit_keeper(keeper, "ink")
    elif octopus is not None and end in CORNERS:
        scene.happened.append(Sheltered(octopus, end))
    elif octopus is not None:
        scene.hit_octopus(octopus, "ink")
