"""The resolution of a step: the position after it, and everything that happens on the way there."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias, assert_never, cast

from turnserver.games.sneaky_octopuses import happenings
from turnserver.games.sneaky_octopuses import moves as m
from turnserver.games.sneaky_octopuses.board import CORNERS, ENTRANCES, FISH_INDEX, FLOOR, LINES, PLACE, SHOWER_AT, SHOWERS, SIGHTS
from turnserver.games.sneaky_octopuses.position import (
    COLOURS,
    TAKO,
    Action,
    Keeper,
    Options,
    Piece,
    Position,
    kind_of,
    piece,
    seat_of,
    worth,
)
from turnserver.rules import Over, Seat
from turnserver.rules.square import Square
from turnserver.text import listing, say


def verdict(options: Options, state: Position | happenings.ChangingPosition) -> Over | None:
    """Return how the game has ended, or None while it goes on. A seat that has left does not win."""
    late = state.round > options.max_rounds
    # nothing can have been decided yet: this is asked for every legal step
    if not (late or state.left or any(map(any, state.landed))):
        return None
    return _verdict(options, state.landed, state.left, state.tanks, tuple(state.loose), late=late)


# kept by what it is worked out from, since it is asked for several times a position, and most steps move no fish
@lru_cache(maxsize=1024)
def _verdict(
    options: Options,
    landed: tuple[tuple[int, ...], ...],
    left: int,
    tanks: bytes,
    loose: tuple[tuple[Square, int], ...],
    *,
    late: bool,
) -> Over | None:
    lying = [fish for _, fish in loose]
    outside = tuple(tanks.count(colour) + lying.count(colour) for colour in COLOURS)
    names, scores = options.seat_names, tuple(map(worth, landed))
    staying = [index for index in range(options.players) if not left >> index & 1]
    most = max(scores[index] for index in staying)
    best = [index for index in staying if scores[index] == most]
    # in this order: the target (ruling 7), the last player who has not left, a target that is out of reach (ruling 14), the last round
    # (ruling 13)
    if most >= options.target:
        reason = _target_reached(options, best, most)
    elif len(staying) == 1:
        best, reason = staying, say("only {team} is left", team=names[staying[0]])
    elif all(_at_most(landed[index], outside) < options.target for index in staying):
        reason = _out_of_reach(options, best)
    elif late:
        reason = _stopped(options, best)
    else:
        return None
    return Over(frozenset(Seat(index + 1) for index in best), reason, scores)


def _target_reached(options: Options, best: Sequence[int], most: int) -> str:
    if len(best) > 1:
        return say("{teams} have {n} point", "{teams} have {n} points", teams=_teams(options, best), n=most)
    return say("{team} has {n} point", "{team} has {n} points", team=_teams(options, best), n=most)


def _out_of_reach(options: Options, best: Sequence[int]) -> str:
    teams, target = _teams(options, best), options.target
    if len(best) > 1:
        return say("nobody can get {target} points any more, and {teams} have most", target=target, teams=teams)
    return say("nobody can get {target} points any more, and {team} has most", target=target, team=teams)


def _stopped(options: Options, best: Sequence[int]) -> str:
    teams, rounds = _teams(options, best), options.max_rounds
    if len(best) > 1:
        return say(
            "the {n} round is over, and {teams} have most points",
            "the {n} rounds are over, and {teams} have most points",
            n=rounds,
            teams=teams,
        )
    return say(
        "the {n} round is over, and {team} has most points", "the {n} rounds are over, and {team} has most points", n=rounds, team=teams
    )


def _teams(options: Options, seats: Sequence[int]) -> str:
    return listing([options.seat_names[index] for index in seats], "and")


def _at_most(landed: tuple[int, ...], outside: tuple[int, ...]) -> int:
    return worth(tuple(map(sum, zip(landed, outside, strict=True))))


def react(scene: happenings.ChangingPosition) -> None:
    """Let each keeper outside the showers react once to the noise of the action, the first in reading order first."""
    if scene.noise:
        awake = [number for number, keeper in enumerate(scene.keepers) if not keeper.showering]
        # in reading order, each seeing what the ones before it did (ruling 10)
        for number in sorted(awake, key=lambda one: PLACE[scene.keepers[one].square]):
            _react(scene, number)


def walk(scene: happenings.ChangingPosition, number: int, die: int) -> None:
    """Let the named keeper walk as the die says. It catches the octopuses in its way, and the first one ends the walk."""
    start = scene.keepers[number]
    caught = len(scene.happened)
    # the walk is told before those whom it caught, but is known only at its end
    path = _leave_shower(scene, number, die) if start.showering else _walk(scene, number, die)
    nabbed = scene.happened[caught:]
    scene.happened[caught:] = [happenings.Walked(number, tuple(path), scene.keepers[number].facing), *nabbed]


def clear_showers(scene: happenings.ChangingPosition) -> None:
    """Let keepers step out of the showers, unless another keeper stands in the entrance."""
    for number, keeper in enumerate(scene.keepers):
        if keeper.showering:
            shower = SHOWERS[SHOWER_AT[keeper.square]]
            # otherwise it waits for the end of another turn (ruling 12)
            if scene.keeper_on(shower.entrance) is None:
                scene.keepers[number] = Keeper(shower.entrance, shower.facing)
                scene.happened.append(happenings.Cleared(number, shower.square, shower.entrance))


def _react(scene: happenings.ChangingPosition, number: int) -> None:
    here, facing = scene.keepers[number]
    # the last noisy square in sight counts (ruling 10)
    for noise in reversed(scene.noise):
        if noise not in SIGHTS[here]:
            continue
        direction, between = SIGHTS[here][noise]
        if between and not _hiding(scene).isdisjoint(between):
            continue
        if direction != facing:
            scene.keepers[number] = Keeper(here, direction)
            scene.happened.append(happenings.Heard(number, here, noise, direction))
        elif _passable(scene, step := LINES[here][direction][0]):
            scene.happened.append(happenings.Saw(number, here, noise, step))
            scene.advance(number, step, direction)
        else:
            scene.happened.append(happenings.Saw(number, here, noise, None))
        return


def _hiding(scene: happenings.ChangingPosition) -> set[Square]:
    # keepers block sight, and so do octopuses that had no part in the action (ruling 10)
    keepers = {keeper.square for keeper in scene.keepers}
    return keepers.union([one for piece, one in enumerate(scene.octopuses) if not scene.involved >> piece & 1])


def _walk(scene: happenings.ChangingPosition, number: int, die: int) -> list[Square]:
    """Walk two steps forward. On 3 or more the keeper turns before the second or the first step; the turn is lost if the step fails."""
    turn = 1 if die & 1 else -1
    path = [scene.keepers[number].square]
    # 1 and 2, 3 and 4, 5 and 6; odd numbers turn right, even ones left (ruling 11)
    for turns in ((0, 0), (0, turn), (turn, 0))[(die - 1) // 2]:
        here, facing = scene.keepers[number]
        for turned in ((facing + turns + further * turn) % 4 for further in range(4)):
            line = LINES[here][turned]
            # never back onto the square where the walk began (ruling 11)
            if line and line[0] != path[0] and _passable(scene, line[0]):
                path.append(line[0])
                if scene.advance(number, line[0], turned):
                    return path
                break
    return path


def _leave_shower(scene: happenings.ChangingPosition, number: int, die: int) -> list[Square]:
    """Leave the shower on 5 or 6: to the entrance and one square further, as far as it is free."""
    square, entrance, facing = SHOWERS[SHOWER_AT[scene.keepers[number].square]]
    path = [square]
    # on 1 to 4 it stays (ruling 11)
    if die < 5 or scene.keeper_on(entrance) is not None:
        return path
    scene.advance(number, entrance, facing)
    path.append(entrance)
    beyond = LINES[entrance][facing][0]
    if _passable(scene, beyond):
        scene.advance(number, beyond, facing)
        path.append(beyond)
    return path


def _passable(scene: happenings.ChangingPosition, where: Square) -> bool:
    return where in FLOOR and scene.keeper_on(where) is None


def act(scene: happenings.ChangingPosition, one: Piece, step: m.Escape | m.Move | m.Slide | m.Steal | m.Throw | m.Ink) -> None:
    """Let the octopus carry out the step. A throw may go on with a chain."""
    scene.involved |= 1 << one
    match step:
        case m.Move():
            _move(scene, one, step.path, step.takes)
        case m.Escape():
            scene.happened.append(happenings.Escaped(one, step.square))
            _sound(scene, one, step.square)
            scene.come(one, step.square)
        case m.Slide():
            path = _straight(scene.octopuses[one], step.square)
            _move(scene, one, path, (0,) * (len(path) - 1))
        case m.Steal():
            _steal(scene, one, step.square)
        case m.Throw(colour=colour, square=target):
            if target is None:
                _throw_home(scene, one, colour)
            else:
                _throw(scene, one, colour, target)
        case m.Ink():
            _shoot(scene, one, step.direction)
        case _:
            assert_never(step)


def send_to_shower(scene: happenings.ChangingPosition, keeper: int, where: Square) -> None:
    """Send the keeper to the shower on that square."""
    scene.keepers[keeper] = Keeper(where, SHOWERS[SHOWER_AT[where]].facing)
    scene.happened.append(happenings.SentToShower(keeper, where))


def _sound(scene: happenings.ChangingPosition, one: Piece, *squares: Square) -> None:
    # Tako is silent in all it does (ruling 10)
    if kind_of(one) != TAKO:
        scene.noise += squares


def _straight(start: Square, end: Square) -> tuple[Square, ...]:
    # both ends are included
    line = LINES[start][SIGHTS[start][end][0]]
    return (start, *line[: line.index(end) + 1])


def _move(scene: happenings.ChangingPosition, one: Piece, path: tuple[Square, ...], takes: tuple[int, ...]) -> None:
    start, carried = path[0], takes[0]
    if carried:
        scene.loose.remove((start, carried))
    # at most one fish comes along, the others stay (ruling 4)
    details: list[happenings.Happening] = [happenings.LeftBehind(one, start, fish) for where, fish in scene.loose if where == start]
    for where, fish in zip(path[1:-1], takes[1:], strict=True):
        if fish:
            scene.loose.remove((where, fish))
            details.append(happenings.PickedUp(one, where, fish))
            if carried:
                scene.loose.append((where, carried))
                details.append(happenings.LeftBehind(one, where, carried))
            carried = fish
    if carried:
        scene.loose.append((path[-1], carried))
    scene.happened += [happenings.Moved(one, path, carried), *details]
    _sound(scene, one, *path)
    scene.come(one, path[-1])


def _steal(scene: happenings.ChangingPosition, one: Piece, tank: Square) -> None:
    here, index = scene.octopuses[one], FISH_INDEX[tank]
    colour = scene.tanks[index]
    # a stolen fish leaves 0 behind, so places keep their numbers
    scene.tanks = scene.tanks[:index] + b"\0" + scene.tanks[index + 1 :]
    scene.loose.append((here, colour))
    scene.happened.append(happenings.Stole(one, tank, colour))
    _sound(scene, one, here)


def _throw_home(scene: happenings.ChangingPosition, one: Piece, colour: int) -> None:
    here, seat = scene.octopuses[one], seat_of(one)
    scene.loose.remove((here, colour))
    # the count makes the points: the k-th fish of one colour is worth k (ruling 7)
    landed = tuple(count + (fish == colour) for fish, count in enumerate(scene.landed[seat - 1], start=1))
    scene.landed = (*scene.landed[: seat - 1], landed, *scene.landed[seat:])
    scene.happened += [happenings.Threw(one, colour, here, None), happenings.Scored(seat, colour, landed[colour - 1], worth(landed))]
    _sound(scene, one, here)


def _throw(scene: happenings.ChangingPosition, one: Piece, colour: int, target: Square) -> None:
    here = scene.octopuses[one]
    way = _straight(here, target)
    # a fish never rests in an entrance (ruling 7)
    rest = way[-2] if target in ENTRANCES else target
    scene.loose.remove((here, colour))
    scene.loose.append((rest, colour))
    scene.happened.append(happenings.Threw(one, colour, here, target))
    _sound(scene, one, *way)
    keeper, octopus = scene.keeper_on(target), scene.octopus_on(target)
    if octopus is not None and seat_of(octopus) == seat_of(one):
        # whoever has handled the fish in this chain keeps it, or it could be thrown for ever (ruling 7)
        again = not scene.involved >> octopus & 1
        scene.happened.append(happenings.Caught(octopus, colour, again))
        if again:
            scene.involved |= 1 << octopus
            scene.fish, scene.holder = colour, octopus
        return
    if keeper is not None:
        scene.hit_keeper(keeper, "fish")
    if octopus is not None:
        scene.hit_octopus(octopus, "fish")
    scene.happened.append(happenings.Landed(colour, rest))


def _shoot(scene: happenings.ChangingPosition, one: Piece, direction: int) -> None:
    here = scene.octopuses[one]
    line = LINES[here][direction]
    standing = {*scene.octopuses, *(keeper.square for keeper in scene.keepers)}
    # the jet runs into an entrance, and over fish, but no further than the first piece (ruling 8)
    end = next((where for where in line if where in standing), line[-1])
    scene.happened.append(happenings.Inked(one, here, direction, end))
    _sound(scene, one, *_straight(here, end))
    keeper, octopus = scene.keeper_on(end), scene.octopus_on(end)
    if keeper is not None:
        scene.hit_keeper(keeper, "ink")
    # ink does nothing in a corner, but goes no further (ruling 8)
    elif octopus is not None and end in CORNERS:
        scene.happened.append(happenings.Sheltered(octopus, end))
    elif octopus is not None:
        scene.hit_octopus(octopus, "ink")


Resolved: TypeAlias = tuple[Position, tuple[happenings.Happening, ...]]


def resolve(options: Options, state: Position, step: m.Step) -> Resolved:
    """Return the position after the step, and the happenings in order. Defined on legal steps only."""
    scene = happenings.ChangingPosition(state)
    match step:
        # a throw in a chain is no action of the thrower's own, so it is not marked as having acted (ruling 7)
        case m.Throw() if state.action is not None:
            act(scene, state.action.holder, step)
            _conclude(scene, options)
        case m.Move() | m.Escape() | m.Slide() | m.Steal() | m.Throw() | m.Ink():
            scene.acted |= 1 << step.octopus
            act(scene, piece(state.seat, step.octopus), step)
            _conclude(scene, options)
        case m.Deal():
            scene.tanks += bytes((step.colour,))
            scene.happened.append(happenings.Dealt(step.square, step.colour))
        case m.First():
            scene.first = scene.seat = step.seat
            scene.happened.append(happenings.Began(step.seat))
        case m.Nominate():
            keeper = [keeper.square for keeper in state.keepers].index(step.square)
            scene.nominated = keeper
            scene.happened.append(happenings.Nominated(keeper, step.square))
        case m.Die():
            scene.happened.append(happenings.Rolled(step.number))
            walk(scene, cast(int, state.nominated), step.number)
            clear_showers(scene)
            scene.turn += 1
            scene.pass_on()
        case m.Keep():
            action = cast(Action, state.action)
            scene.happened.append(happenings.Kept(action.holder, action.fish))
            react(scene)
        case m.ToShower():
            send_to_shower(scene, cast(int, cast(Action, state.action).keeper), step.square)
            react(scene)
        case _:
            assert_never(step)
    return scene.position(), tuple(scene.happened)


def _conclude(scene: happenings.ChangingPosition, options: Options) -> None:
    # no reaction while a choice is open, nor after a fish thrown home has ended the game, as nothing else that an octopus does can
    if not scene.waiting and (scene.landed == scene.before.landed or verdict(options, scene) is None):
        react(scene)
