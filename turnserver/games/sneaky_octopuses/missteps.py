"""Why a move along a path is not legal, and what stands or is where, in words."""

from turnserver.errors import Illegal
from turnserver.games.sneaky_octopuses.board import ENTRANCES, FISH_INDEX, FLOOR, NAMES, PASSAGES, SHOWER_AT, STEPS, WALLS
from turnserver.games.sneaky_octopuses.moves import REACH
from turnserver.games.sneaky_octopuses.position import FISH, KEEPERS, OCTOPUSES, SQUISH, Options, Position, kind_of, piece, seat_of
from turnserver.games.sneaky_octopuses.steps import Move
from turnserver.rules.square import Square


def no_floor(where: Square) -> Illegal:
    """Why no octopus comes to a square that is none of the floor."""
    name = NAMES[where]
    if where in FISH_INDEX:
        return Illegal(
            f"{name} is a fish tank; only Squish squeezes through, under the middle, and writes both sides: d10-d8.", code="tank"
        )
    if where in ENTRANCES:
        return Illegal(f"{name} is the entrance of a shower: octopuses stay out of it.", code="entrance")
    if where in SHOWER_AT:
        return Illegal(f"{name} is a shower: octopuses stay out of it.", code="shower")
    if where in WALLS:
        return Illegal(f"{name} is a wall.", code="wall")
    return Illegal(f"{name} is in a home tank: octopuses do not walk in.", code="home_tank")


def who(options: Options, state: Position, where: Square) -> str:
    """Who stands on a square: `your Tako`, `Red's Tako`, `the north keeper`; an empty string if nobody does."""
    octopus, keeper = state.octopus_on(where), state.keeper_on(where)
    if octopus is not None:
        owner = "your" if seat_of(octopus) == state.seat else f"{options.seat_names[seat_of(octopus) - 1]}'s"
        return f"{owner} {OCTOPUSES[kind_of(octopus)]}"
    return f"the {KEEPERS[keeper]} keeper" if keeper is not None else ""


def misstep(options: Options, state: Position, step: Move) -> Illegal:
    """Which rule forbids the move of an octopus that is on the floor and has not acted (rulings 3 to 6 and 9)."""
    name, here = OCTOPUSES[step.octopus], state.octopuses[piece(state.seat, step.octopus)]
    if step.path[0] != here:
        return Illegal(f"{name} is on {NAMES[here]}, not on {NAMES[step.path[0]]}; a path begins where he is.", code="wrong_start")
    if len(step.path) - 1 > REACH:
        return Illegal(f"A move goes {REACH} squares at most, and this one goes {len(step.path) - 1}.", code="too_far")
    carried = 0
    for number, (where, fish, onto) in enumerate(zip(step.path, step.takes, step.path[1:], strict=False)):
        wrong = _no_step(step, where, onto) or _no_fish(options, state, step, number, carried) or _in_the_way(options, state, step, number)
        if wrong is not None:
            return wrong
        carried = fish or carried
    end = step.path[-1]
    return Illegal(f"{NAMES[end]} is taken by {who(options, state, end)}: he can pass there, but not stay.", code="taken")


def _no_step(step: Move, where: Square, onto: Square) -> Illegal | None:
    """Whether the ground forbids a step."""
    if onto in STEPS[where] or (step.octopus == SQUISH and onto in PASSAGES[where]):
        return None
    if onto in PASSAGES[where]:
        tank = NAMES[PASSAGES[where][onto]]
        return Illegal(f"Between {NAMES[where]} and {NAMES[onto]} is the fish tank {tank}; only Squish squeezes through.", code="tank")
    if onto not in FLOOR:
        return no_floor(onto)
    return Illegal(f"{NAMES[where]} and {NAMES[onto]} are not next to each other; name every square on the way.", code="not_adjacent")


def _no_fish(options: Options, state: Position, step: Move, number: int, carried: int) -> Illegal | None:
    """Whether a fish cannot be picked up on that square of the path."""
    where, fish, name = step.path[number], step.takes[number], OCTOPUSES[step.octopus]
    if not fish:
        return None
    lying = list(state.lying(where))
    if number and where == step.path[0] and step.takes[0]:
        lying.remove(step.takes[0])
    stranger = who(options, state, where)
    if where != step.path[0] and stranger:
        return Illegal(f"The fish on {NAMES[where]} are under {stranger}: {name} cannot pick them up.", code="fish_held")
    if fish not in lying:
        return Illegal(f"There is no {FISH[fish]} fish on {NAMES[where]} for {name} to take along.", code="no_such_fish")
    if fish == carried:
        return Illegal(f"{name} carries a {FISH[fish]} fish to {NAMES[where]} already; leave out the plus there.", code="same_colour")
    return None


def _in_the_way(options: Options, state: Position, step: Move, number: int) -> Illegal | None:
    """Whether a keeper or an opponent forbids the step from that square of the path."""
    where, onto, last = step.path[number], step.path[number + 1], step.path[-1]
    octopus = state.octopus_on(onto)
    stranger = who(options, state, onto)
    if state.keeper_on(onto) is not None and number + 2 < len(step.path):
        return Illegal(f"The move ends on {NAMES[onto]}, where {stranger} is; leave out what follows.", code="keeper_ends_it")
    if octopus is None or seat_of(octopus) == state.seat:
        return None
    past = number == 0 and len(step.path) == 3 and onto in STEPS[where] and last in STEPS[onto]
    if past and (last == where or not who(options, state, last)):
        return None
    way = "onto his square and on to a free square next to it, without a squeeze"
    return Illegal(f"To pass {stranger} on {NAMES[onto]} a move has exactly two steps: {way}.", code="passing")
