"""The keepers in the second, naive engine for Sneaky Octopuses: what they hear and see, how the die moves them, their showers.

The functions change the position that they are given.
"""

from tests.games.sneaky_octopuses import naive_board as naive


def react(position: naive.Position) -> None:
    """Let every keeper outside a shower answer to the noise of the action, one after the other, those nearest the top left first."""
    for square in [square for square in naive.READING_ORDER if square in position.keepers and square not in naive.SHOWERS]:
        direction = where_noise_is(position, square)
        if direction is None:
            continue
        ahead = naive.next_to(square, direction)
        if position.keepers[square] != direction:
            position.keepers[square] = direction
        elif may_step(position, ahead):
            walk(position, square, ahead, direction)


def where_noise_is(position: naive.Position, square: str) -> str | None:
    """Return the direction in which the keeper on this square sees the last of the noisy squares that it sees at all, if any."""
    for noisy in reversed(position.noise):
        for direction in naive.DIRECTIONS:
            if noisy in seen(position, square, direction):
                return direction
    return None


def seen(position: naive.Position, square: str, direction: str) -> list[str]:
    """Return what a keeper sees in one direction: up to the first keeper or octopus that has no part in the action, its square included."""
    found = []
    for other in naive.ray(square, direction):
        found.append(other)
        octopus = position.octopus_on(other)
        acts = octopus is not None and octopus[0] == position.seat and octopus[1] in position.involved
        if other in position.keepers or (octopus is not None and not acts):
            break
    return found


def may_step(position: naive.Position, square: str) -> bool:
    """Return whether a keeper may walk onto the square: floor without a keeper."""
    return naive.KIND.get(square) == "." and square not in position.keepers


def walk(position: naive.Position, start: str, end: str, facing: str) -> bool:
    """Put the keeper of one square onto another. Return whether it has caught an octopus there, which goes home without its fish."""
    del position.keepers[start]
    position.keepers[end] = facing
    caught = position.octopus_on(end)
    if caught is not None:
        position.octopuses[caught] = naive.HOME
    return caught is not None


def activate(position: naive.Position, die: int) -> None:
    """Move the nominated keeper as the die says."""
    begun = position.nominated
    if begun in naive.SHOWERS:
        leave_shower(position, begun, die)
        return
    turned = naive.RIGHT if die in {1, 3, 5} else naive.LEFT
    rotations = {1: [0, 0], 2: [0, 0], 3: [0, 1], 4: [0, 1], 5: [1, 0], 6: [1, 0]}[die]
    here = begun
    for rotate in rotations:
        facing = position.keepers[here]
        if rotate:
            facing = turned[facing]
        tries = [facing, turned[facing], turned[turned[facing]], turned[turned[turned[facing]]]]
        open_sides = [side for side in tries if may_step(position, naive.next_to(here, side)) and naive.next_to(here, side) != begun]
        if not open_sides:
            return
        ahead = naive.next_to(here, open_sides[0])
        if walk(position, here, ahead, open_sides[0]):
            return
        here = ahead


def leave_shower(position: naive.Position, shower: str, die: int) -> None:
    """On a 5 or 6 the keeper steps to the entrance and one square further, as far as there is no keeper in the way."""
    entrance = naive.SHOWERS[shower]
    facing = naive.INTO_THE_ROOM[entrance]
    if die in {1, 2, 3, 4} or entrance in position.keepers:
        return
    walk(position, shower, entrance, facing)
    if may_step(position, naive.next_to(entrance, facing)):
        walk(position, entrance, naive.next_to(entrance, facing), facing)


def clear_showers(position: naive.Position) -> None:
    """Every keeper in a shower steps to its entrance, if that is free, and faces the floor."""
    for shower, entrance in naive.SHOWERS.items():
        if shower in position.keepers and entrance not in position.keepers:
            walk(position, shower, entrance, naive.INTO_THE_ROOM[entrance])
