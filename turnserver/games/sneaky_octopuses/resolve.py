"""What comes of a step: the position after it, and everything that happens on the way there."""

from typing import TypeAlias, cast

from turnserver.games.sneaky_octopuses import acts, keepers, trail
from turnserver.games.sneaky_octopuses.ending import verdict
from turnserver.games.sneaky_octopuses.happenings import Began, Dealt, Happening, Kept, Nominated, Rolled
from turnserver.games.sneaky_octopuses.position import Action, Options, Position, piece
from turnserver.games.sneaky_octopuses.scene import Scene
from turnserver.games.sneaky_octopuses.steps import Deal, Die, First, Keep, Nominate, Step, Throw, ToShower

Resolved: TypeAlias = tuple[Position, tuple[Happening, ...]]


def resolve(options: Options, state: Position, step: Step) -> Resolved:
    """The position after the step, and what happens, in order. Defined on legal steps only."""
    scene = Scene(state)
    match step:
        case Deal():
            scene.tanks += bytes((step.colour,))
            scene.happened.append(Dealt(step.square, step.colour))
        case First():
            scene.first = scene.seat = step.seat
            scene.happened.append(Began(step.seat))
        case Nominate():
            keeper = [keeper.square for keeper in state.keepers].index(step.square)
            scene.nominated = keeper
            scene.happened.append(Nominated(keeper, step.square))
        case Die():
            scene.happened.append(Rolled(step.number))
            keepers.walk(scene, cast(int, state.nominated), step.number)
            keepers.clear_showers(scene)
            scene.turn += 1
            scene.pass_on()
        case Keep():
            action = cast(Action, state.action)
            scene.happened.append(Kept(action.holder, action.fish))
            keepers.react(scene)
        case ToShower():
            acts.send_to_shower(scene, cast(int, cast(Action, state.action).keeper), step.square)
            keepers.react(scene)
        case Throw() if state.action is not None:
            acts.act(scene, state.action.holder, step)
            _conclude(scene, options)
        case _:
            scene.acted |= 1 << step.octopus
            acts.act(scene, piece(state.seat, step.octopus), step)
            _conclude(scene, options)
    scene.trails = trail.after(state, scene.happened)
    return scene.position(), tuple(scene.happened)


def _conclude(scene: Scene, options: Options) -> None:
    """The keepers react, unless there is something to choose first or the game has come to its end with a fish thrown home."""
    if not scene.waiting and verdict(options, scene.position()) is None:
        keepers.react(scene)
