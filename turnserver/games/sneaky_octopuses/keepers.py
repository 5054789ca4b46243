"""What keepers do: react to noise, walk when they are named, come out of the showers (rulings 10 to 12)."""

from turnserver.games.sneaky_octopuses.board import FLOOR, LINES, READING, SHOWER_AT, SHOWERS, SIGHTS
from turnserver.games.sneaky_octopuses.happenings import Cleared, Heard, Saw, Walked
from turnserver.games.sneaky_octopuses.position import Keeper
from turnserver.games.sneaky_octopuses.scene import Scene
from turnserver.rules.square import Square

_PLACE = tuple(READING.index(one) for one in range(len(READING)))
"""By square, its place in reading order."""


def react(scene: Scene) -> None:
    """Each keeper outside the showers reacts once to the noise of the action, the first in reading order first."""
    if scene.noise:
        awake = [number for number, keeper in enumerate(scene.keepers) if not keeper.showering]
        for number in sorted(awake, key=lambda one: _PLACE[scene.keepers[one].square]):
            _react(scene, number)


def walk(scene: Scene, number: int, die: int) -> None:
    """The named keeper walks as the die says; octopuses in its way are caught, and the first one ends the walk."""
    start = scene.keepers[number]
    caught = len(scene.happened)
    path = _leave_shower(scene, number, die) if start.showering else _walk(scene, number, die)
    nabbed = scene.happened[caught:]
    scene.happened[caught:] = [Walked(number, tuple(path), scene.keepers[number].facing), *nabbed]


def clear_showers(scene: Scene) -> None:
    """Keepers step out of the showers where no other keeper stands in the entrance."""
    for number, keeper in enumerate(scene.keepers):
        if keeper.showering:
            shower = SHOWERS[SHOWER_AT[keeper.square]]
            if scene.keeper_on(shower.entrance) is None:
                scene.keepers[number] = Keeper(shower.entrance, shower.facing)
                scene.happened.append(Cleared(number, shower.square, shower.entrance))


def _react(scene: Scene, number: int) -> None:
    here, facing = scene.keepers[number]
    hiding = {keeper.square for keeper in scene.keepers}
    hiding.update(one for piece, one in enumerate(scene.octopuses) if not scene.involved >> piece & 1)
    for noise in reversed(scene.noise):
        if noise not in SIGHTS[here]:
            continue
        direction, between = SIGHTS[here][noise]
        if not hiding.isdisjoint(between):
            continue
        if direction != facing:
            scene.keepers[number] = Keeper(here, direction)
            scene.happened.append(Heard(number, here, noise, direction))
        elif _passable(scene, step := LINES[here][direction][0]):
            scene.happened.append(Saw(number, here, noise, step))
            scene.advance(number, step, direction)
        else:
            scene.happened.append(Saw(number, here, noise, None))
        return


def _walk(scene: Scene, number: int, die: int) -> list[Square]:
    """Two steps forward and, on 3 or more, a turn before the second or the first of them, which comes to nothing if the step does."""
    turn = 1 if die & 1 else -1
    path = [scene.keepers[number].square]
    for turns in ((0, 0), (0, turn), (turn, 0))[(die - 1) // 2]:
        here, facing = scene.keepers[number]
        for turned in ((facing + turns + further * turn) % 4 for further in range(4)):
            line = LINES[here][turned]
            if line and line[0] != path[0] and _passable(scene, line[0]):
                path.append(line[0])
                if scene.advance(number, line[0], turned):
                    return path
                break
    return path


def _leave_shower(scene: Scene, number: int, die: int) -> list[Square]:
    """On 5 or 6 to the entrance and one further, as far as it is free."""
    square, entrance, facing = SHOWERS[SHOWER_AT[scene.keepers[number].square]]
    path = [square]
    if die < 5 or scene.keeper_on(entrance) is not None:
        return path
    scene.advance(number, entrance, facing)
    path.append(entrance)
    beyond = LINES[entrance][facing][0]
    if _passable(scene, beyond):
        scene.advance(number, beyond, facing)
        path.append(beyond)
    return path


def _passable(scene: Scene, where: Square) -> bool:
    return where in FLOOR and scene.keeper_on(where) is None
