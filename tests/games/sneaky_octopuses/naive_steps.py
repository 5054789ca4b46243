"""The steps of an octopus in the second, naive engine for Sneaky Octopuses: every step is written out and tested by itself."""

from tests.games.sneaky_octopuses import naive_board as naive


def steps(position: naive.Position, name: str) -> set[str]:
    """Everything that the active player's octopus of that name may do as its action."""
    square = position.octopuses[position.seat, name]
    if square == naive.HOME:
        return {f"{name} escape {goal}" for goal in escapes(position)}
    found = {f"{name} move {path}" for walk in walks(name, square) if may_walk(position, walk) for path in loads(position, walk)}
    found |= {f"{name} steal {tank}" for tank in naive.beside(square) if naive.KIND[tank] == "F" and position.fish[tank]}
    found |= {step for colour in position.fish[square] for step in throws(position, name, colour)}
    if name == "Speedy" and not position.fish[square]:
        found |= {f"Speedy slide {goal}" for goal in slides(position, square)}
    if name == "Squirt" and square not in naive.CORNERS:
        found |= {f"Squirt ink {direction}" for direction in naive.DIRECTIONS if naive.ray(square, direction)}
    return found


def escapes(position: naive.Position) -> list[str]:
    """The floor squares beside the active player's home that no octopus stands on; a keeper may stand there."""
    home = naive.TEAMS[position.players][position.seat]
    return [
        square for square in naive.KIND if naive.KIND[square] == "." and naive.touches(square, home) and position.octopus_on(square) is None
    ]


def walks(name: str, start: str) -> list[list[str]]:
    """Every way over the floor of one to three squares, the start not counted, whatever stands there."""
    found = []
    ways = [[start]]
    for _ in range(3):
        ways = [[*way, square] for way in ways for square in reached(name, way[-1])]
        found += ways
    return found


def reached(name: str, square: str) -> list[str]:
    """The floor squares one step away: next to this one or, for Squish, on the other side of a tank."""
    found = [other for other in naive.beside(square) if naive.KIND[other] == "."]
    if name == "Squish":
        for squeeze in naive.SQUEEZES:
            one, _, other = squeeze.split()
            if square == one:
                found.append(other)
            if square == other:
                found.append(one)
    return found


def may_walk(position: naive.Position, walk: list[str]) -> bool:
    """Return whether nobody stands in the way: a keeper ends the walk, an opponent is passed in two steps, and no square takes two."""
    start, between, end = walk[0], walk[1:-1], walk[-1]
    standing = {where: seat for (seat, _), where in position.octopuses.items() if where not in {naive.HOME, start}}
    if any(square in position.keepers for square in between) or end in standing:
        return False
    if all(standing.get(square, position.seat) == position.seat for square in between):
        return True
    return len(walk) == 3 and walk[1] in naive.beside(start) and end in naive.beside(walk[1]) and end not in position.keepers


def loads(position: naive.Position, walk: list[str]) -> list[str]:
    """The walk written with every choice of what to take along, to pick up and to swap."""
    standing = {where for where in position.octopuses.values() if where != walk[0]}
    found = []
    ways = [("", 0, {square: list(position.fish[square]) for square in walk})]
    for square in walk[:-1]:
        longer = []
        for text, carried, fish in ways:
            longer.append((f"{text}{square}-", carried, fish))
            for colour in {1, 2, 3, 4, 5} - {carried}:
                if colour in fish[square] and square not in standing:
                    lying = {place: list(colours) for place, colours in fish.items()}
                    lying[square].remove(colour)
                    if carried:
                        lying[square].append(carried)
                    longer.append((f"{text}{square}+{colour}-", colour, lying))
        ways = longer
    for text, _, _ in ways:
        found.append(f"{text}{walk[-1]}")
    return found


def slides(position: naive.Position, start: str) -> list[str]:
    """Return the ends of slides of four squares or more: team-mates are passed, opponents stop it, a keeper may be its end."""
    found = []
    for direction in naive.DIRECTIONS:
        square, length = naive.next_to(start, direction), 1
        while naive.KIND.get(square) == ".":
            octopus = position.octopus_on(square)
            if octopus is not None and octopus[0] != position.seat:
                break
            if octopus is None and length >= 4:
                found.append(square)
            if square in position.keepers:
                break
            square, length = naive.next_to(square, direction), length + 1
    return found


def throws(position: naive.Position, name: str, colour: int) -> set[str]:
    """Every throw of a fish of that colour: along empty floor up to the first piece, which it may hit, or home if that is beside."""
    start = position.octopuses[position.seat, name]
    found = set()
    if naive.touches(start, naive.TEAMS[position.players][position.seat]):
        found.add(f"{name} throw {colour} home")
    for direction in naive.DIRECTIONS:
        for square in naive.ray(start, direction):
            if naive.KIND[square] == "." or square in position.keepers:
                found.add(f"{name} throw {colour} {square}")
            if square in position.keepers or position.octopus_on(square):
                break
    return found
