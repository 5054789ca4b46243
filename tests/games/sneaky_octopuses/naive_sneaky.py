"""Sneaky Octopuses written a second time, slowly, from the rules alone: the yardstick for the product's engine.

Steps are texts in canonical notation. Squares, fish and pieces stand in dictionaries by name, every question is answered by a loop, and
nothing is remembered between calls but the numbers of deals. It shares no code with `turnserver` and imports none of it.
"""

from functools import cache
from itertools import combinations
from math import factorial

from tests.games.sneaky_octopuses import naive_board as naive
from tests.games.sneaky_octopuses import naive_keepers as keepers
from tests.games.sneaky_octopuses.naive_steps import steps, throws


def start(players: int, target: int = 10, max_rounds: int = 60) -> naive.Position:
    """The aquarium before the first fish is dealt: everybody at home, the keepers in their entrances."""
    seats = naive.TEAMS[players]
    octopuses = {(seat, name): naive.HOME for seat in seats for name in naive.NAMES}
    return naive.Position(players, target, max_rounds, home={seat: [] for seat in seats}, octopuses=octopuses)


def turn(position: naive.Position) -> tuple[str, int, int] | tuple[str, frozenset[int], tuple[int, ...]]:
    """("choose", seat, turn), ("roll", seat, turn) or ("over", winners, scores in seat order)."""
    if position.stage == "over":
        return "over", position.winners, tuple(position.points(seat) for seat in position.home)
    kind = "roll" if position.stage in {"deal", "first", "die"} else "choose"
    return kind, position.seat, position.turn


def legal(position: naive.Position) -> set[str]:
    """Every step that may be chosen, or that chance may choose, now."""
    if position.stage == "act":
        ready = [name for name in naive.NAMES if name not in position.acted]
        found = {step for name in ready for step in steps(position, name)}
        return found | {f"keeper {square}" for square in position.keepers}
    if position.stage == "chain":
        receiver = position.involved[-1]
        return {f"{receiver} keep"} | throws(position, receiver, position.thrown)
    if position.stage == "shower":
        return {f"shower {shower}" for shower in naive.SHOWERS if shower not in position.keepers}
    return set(weights(position))


def weights(position: naive.Position) -> dict[str, int]:
    """Return what chance may choose and how often, in proportion; nothing where nobody rolls."""
    if position.stage == "deal":
        square = next_fish_square(position)
        deals = {colour: good_deals(dealt(position, square, colour)) for colour in naive.COLOURS}
        return {f"deal {square} {colour}": number for colour, number in deals.items() if number}
    if position.stage == "first":
        return {naive.FIRST[letter]: 1 for letter in naive.TEAMS[position.players].values()}
    if position.stage == "die":
        return {f"die {pips}": 1 for pips in range(1, 7)}
    return {}


def next_fish_square(position: naive.Position) -> str:
    """The first fish square that has no fish yet."""
    return next(square for square in naive.FISH_SQUARES if not position.fish[square])


def dealt(position: naive.Position, square: str, colour: int) -> dict[str, int]:
    """The colours of the fish dealt, this one included, by square."""
    return {**{place: fish[0] for place, fish in position.fish.items() if fish}, square: colour}


def good_deals(colours: dict[str, int]) -> int:
    """Return the number of ways in which the fish squares that are still empty can be coloured so that no tank holds a colour twice."""
    tanks = []
    for tank in naive.TANKS:
        present = [colours[square] for square in tank.split() if square in colours]
        if len(set(present)) < len(present):
            return 0
        tanks.append((len(tank.split()) - len(present), tuple(sorted(present))))
    left = tuple(5 - list(colours.values()).count(colour) for colour in naive.COLOURS)
    return fillings(tuple(tanks), left) if min(left) >= 0 else 0


@cache
def fillings(tanks: tuple[tuple[int, tuple[int, ...]], ...], left: tuple[int, ...]) -> int:
    """The ways to fill the tanks, given as the number of empty squares and the colours present, from so many fish of each colour."""
    if not tanks:
        return 1
    (empty, present), *others = tanks
    total = 0
    for chosen in combinations([colour for colour in naive.COLOURS if colour not in present and left[colour - 1]], empty):
        rest = tuple(left[colour - 1] - (colour in chosen) for colour in naive.COLOURS)
        total += factorial(empty) * fillings(tuple(others), rest)
    return total


def play(position: naive.Position, text: str) -> naive.Position:
    """The position after a step. Raises ValueError if it is not legal."""
    if text not in legal(position):
        raise ValueError(f"{text} is not legal")
    after = position.copy()
    match text.split():
        case ["deal", square, colour]:
            after.fish[square].append(int(colour))
            after.stage = "deal" if any(not after.fish[place] for place in naive.FISH_SQUARES) else "first"
        case ["first", _]:
            after.first = next(seat for seat, letter in naive.TEAMS[after.players].items() if naive.FIRST[letter] == text)
            after.seat, after.stage = after.first, "act"
        case ["keeper", square]:
            after.nominated, after.stage = square, "die"
        case ["die", pips]:
            keepers.activate(after, int(pips))
            keepers.clear_showers(after)
            pass_turn(after, after.turn + 1)
        case ["shower", shower]:
            after.keepers[shower] = after.keepers.pop(after.hit)
            after.hit = ""
            end_action(after)
        case [_, "keep"]:
            after.thrown = 0
            end_action(after)
        case [name, action, *how]:
            act(after, name, action, how)
    return after


def act(position: naive.Position, name: str, action: str, how: list[str]) -> None:
    """Carry out an octopus's action, or its part in a chain."""
    if position.stage != "chain":
        position.acted.add(name)
        position.involved = [name]
    position.thrown = 0
    match action, how:
        case "escape", [goal]:
            make_noise(position, name, [goal])
            arrive(position, name, goal)
        case "move", [path]:
            move(position, name, path)
        case "slide", [goal]:
            square = position.octopuses[position.seat, name]
            make_noise(position, name, way(square, goal))
            arrive(position, name, goal)
        case "steal", [tank]:
            square = position.octopuses[position.seat, name]
            position.fish[square].append(position.fish[tank].pop())
            make_noise(position, name, [square])
        case "throw", [colour, "home"]:
            throw_home(position, name, int(colour))
        case "throw", [colour, goal]:
            throw(position, name, int(colour), goal)
        case "ink", [direction]:
            ink(position, name, direction)
    if position.stage != "over":
        end_action(position)


def end_action(position: naive.Position) -> None:
    """Ask what has to be chosen first, a fish's receiver or a keeper's shower; else let the keepers react."""
    if position.thrown:
        position.stage = "chain"
    elif position.hit:
        position.stage = "shower"
    else:
        keepers.react(position)
        position.involved, position.noise = [], []
        position.stage = "act"


def make_noise(position: naive.Position, name: str, squares: list[str]) -> None:
    """Everybody but Tako is heard."""
    if name != "Tako":
        position.noise += squares


def way(start: str, end: str) -> list[str]:
    """The squares of a straight line, both ends included."""
    line = naive.ray(start, naive.direction_of(start, end))
    return [start, *line[: line.index(end) + 1]]


def arrive(position: naive.Position, name: str, square: str) -> None:
    """Put the octopus on the square, unless there is a keeper: then it goes home, and the keeper has to go to a shower."""
    if square in position.keepers:
        position.hit = square
        position.octopuses[position.seat, name] = naive.HOME
    else:
        position.octopuses[position.seat, name] = square


def move(position: naive.Position, name: str, path: str) -> None:
    """Walk along the path, taking up and setting down the fish as it is written."""
    squares = []
    carried = 0
    for part in path.split("-"):
        square, _, colour = part.partition("+")
        squares.append(square)
        if colour:
            if carried:
                position.fish[square].append(carried)
            carried = int(colour)
            position.fish[square].remove(carried)
    if carried:
        position.fish[squares[-1]].append(carried)
    make_noise(position, name, squares)
    arrive(position, name, squares[-1])


def throw(position: naive.Position, name: str, colour: int, goal: str) -> None:
    """Throw a fish onto a square, and at the piece there if there is one."""
    square = position.octopuses[position.seat, name]
    line = way(square, goal)
    make_noise(position, name, line)
    position.fish[square].remove(colour)
    position.fish[line[-2] if naive.KIND[goal] == "e" else goal].append(colour)
    octopus = position.octopus_on(goal)
    if goal in position.keepers:
        position.hit = goal
    elif octopus is not None and octopus[0] != position.seat:
        position.octopuses[octopus] = naive.HOME
    elif octopus is not None and octopus[1] not in position.involved:
        position.involved.append(octopus[1])
        position.thrown = colour


def throw_home(position: naive.Position, name: str, colour: int) -> None:
    """Throw a fish into the active player's home, which may end the game."""
    square = position.octopuses[position.seat, name]
    make_noise(position, name, [square])
    position.fish[square].remove(colour)
    position.home[position.seat].append(colour)
    if position.points(position.seat) >= position.target:
        position.stage, position.winners = "over", frozenset({position.seat})
    else:
        end_if_hopeless(position)


def ink(position: naive.Position, name: str, direction: str) -> None:
    """Squirt a jet: it sends home or to a shower what it meets first, but not an octopus in a corner."""
    square = position.octopuses[position.seat, name]
    make_noise(position, name, [square])
    for place in naive.ray(square, direction):
        make_noise(position, name, [place])
        octopus = position.octopus_on(place)
        if place in position.keepers:
            position.hit = place
        if octopus is not None and place not in naive.CORNERS:
            position.octopuses[octopus] = naive.HOME
        if place in position.keepers or octopus is not None:
            break


def end_if_hopeless(position: naive.Position) -> None:
    """The game is over if nobody could reach the target even with all the fish that are not at home yet."""
    outside = [colour for fish in position.fish.values() for colour in fish]
    if all(naive.worth(position.home[seat] + outside) < position.target for seat in position.playing()):
        end_by_points(position)


def end_by_points(position: naive.Position) -> None:
    """The game is over; of those that are still there, whoever has most points has won."""
    best = max(position.points(seat) for seat in position.playing())
    position.winners = frozenset(seat for seat in position.playing() if position.points(seat) == best)
    position.stage = "over"


def pass_turn(position: naive.Position, number: int) -> None:
    """Give the turn to the next seat that is there; a round ends where the first player's place is reached or passed."""
    while True:
        position.seat = position.seat % position.players + 1
        if position.seat == position.first:
            position.rounds += 1
        if position.seat not in position.left:
            break
    position.turn, position.acted, position.nominated, position.stage = number, set(), "", "act"
    if position.rounds >= position.max_rounds:
        end_by_points(position)


def leave(position: naive.Position, seat: int) -> naive.Position:
    """The position after a seat has left, at the beginning of a turn."""
    after = position.copy()
    after.left.add(seat)
    for name in naive.NAMES:
        after.octopuses[seat, name] = naive.HOME
    if len(after.playing()) == 1:
        after.stage, after.winners = "over", frozenset(after.playing())
        return after
    end_if_hopeless(after)
    if after.stage != "over" and after.seat == seat:
        pass_turn(after, after.turn)
    return after


def skip(position: naive.Position) -> naive.Position:
    """The position after whoever has the turn did nothing at all, at the beginning of it."""
    after = position.copy()
    pass_turn(after, after.turn + 1)
    return after


def perft(position: naive.Position, depth: int) -> int:
    """The number of sequences of exactly `depth` steps from here, chance included."""
    if depth == 1:
        return len(legal(position))
    return sum(perft(play(position, text), depth - 1) for text in legal(position)) if depth else 1
