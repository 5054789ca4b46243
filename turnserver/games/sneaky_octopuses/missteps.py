"""Why a move along a path is not legal."""

from dataclasses import replace

from turnserver.errors import Illegal
from turnserver.games.sneaky_octopuses.board import ENTRANCES, FISH_INDEX, FLOOR, NAMES, PASSAGES, SHOWER_AT, STEPS, WALLS
from turnserver.games.sneaky_octopuses.moves import REACH
from turnserver.games.sneaky_octopuses.naming import fish as fish_named
from turnserver.games.sneaky_octopuses.naming import who
from turnserver.games.sneaky_octopuses.notation import written
from turnserver.games.sneaky_octopuses.position import OCTOPUSES, SQUISH, Options, Position, piece, seat_of
from turnserver.games.sneaky_octopuses.steps import Move
from turnserver.rules.square import Square
from turnserver.text import say


def no_floor(where: Square) -> Illegal:
    """Why no octopus comes to a square that is none of the floor."""
    name = NAMES[where]
    if where in FISH_INDEX:
        return Illegal(
            say(
                "{square} is a fish tank; only Squish squeezes through, under the middle, and names the squares before and behind it.",
                square=name,
            ),
            code="tank",
        )
    if where in ENTRANCES:
        return Illegal(say("{square} is the entrance of a shower: octopuses stay out of it.", square=name), code="entrance")
    if where in SHOWER_AT:
        return Illegal(say("{square} is a shower: octopuses stay out of it.", square=name), code="shower")
    if where in WALLS:
        return Illegal(say("{square} is a wall.", square=name), code="wall")
    return Illegal(say("{square} is in a home tank: octopuses do not walk in.", square=name), code="home_tank")


def misstep(options: Options, state: Position, step: Move) -> Illegal:
    """Which rule forbids the move of an octopus that is on the floor and has not acted (rulings 3 to 6 and 9)."""
    name, here = OCTOPUSES[step.octopus], state.octopuses[piece(state.seat, step.octopus)]
    if step.path[0] != here:
        return Illegal(
            say(
                "{octopus} is on {here}, not on {square}; a path begins where he is.",
                octopus=name,
                here=NAMES[here],
                square=NAMES[step.path[0]],
            ),
            code="wrong_start",
        )
    if len(step.path) - 1 > REACH:
        return Illegal(
            say("A move goes {most} squares at most, and this one goes {number}.", most=REACH, number=len(step.path) - 1), code="too_far"
        )
    carried = 0
    for number, (where, fish, onto) in enumerate(zip(step.path, step.takes, step.path[1:], strict=False)):
        wrong = _no_step(step, where, onto) or _no_fish(options, state, step, number, carried) or _in_the_way(options, state, step, number)
        if wrong is not None:
            return wrong
        carried = fish or carried
    end = step.path[-1]
    return Illegal(
        say("{square} is taken by {who}: he can pass there, but not stay.", square=NAMES[end], who=who(options, state, end)), code="taken"
    )


def _no_step(step: Move, where: Square, onto: Square) -> Illegal | None:
    """Whether the ground forbids a step."""
    if onto in STEPS[where] or (step.octopus == SQUISH and onto in PASSAGES[where]):
        return None
    if onto in PASSAGES[where]:
        tank = NAMES[PASSAGES[where][onto]]
        return Illegal(
            say(
                "Between {start} and {end} is the fish tank {tank}; only Squish squeezes through.",
                start=NAMES[where],
                end=NAMES[onto],
                tank=tank,
            ),
            code="tank",
        )
    if onto not in FLOOR:
        return no_floor(onto)
    return Illegal(
        say("{start} and {end} are not next to each other; name every square on the way.", start=NAMES[where], end=NAMES[onto]),
        code="not_adjacent",
    )


def _no_fish(options: Options, state: Position, step: Move, number: int, carried: int) -> Illegal | None:
    """Whether a fish cannot be picked up on that square of the path."""
    where, fish, name = step.path[number], step.takes[number], OCTOPUSES[step.octopus]
    square = NAMES[where]
    if not fish:
        return None
    lying = list(state.lying(where))
    if number and where == step.path[0] and step.takes[0]:
        lying.remove(step.takes[0])
    stranger = who(options, state, where)
    if where != step.path[0] and stranger:
        return Illegal(
            say("The fish on {square} are under {who}: {octopus} cannot pick them up.", square=square, who=stranger, octopus=name),
            code="fish_held",
        )
    if fish not in lying:
        return Illegal(
            say("There is no {fish} on {square} for {octopus} to take along.", fish=fish_named(fish), square=square, octopus=name),
            code="no_such_fish",
        )
    if fish == carried:
        return Illegal(
            say(
                "{octopus} carries a {fish} to {square} already; leave out the plus there.",
                octopus=name,
                fish=fish_named(fish),
                square=square,
            ),
            code="same_colour",
            meant=[written(options, replace(step, takes=(*step.takes[:number], 0, *step.takes[number + 1 :])))],
        )
    return None


def _in_the_way(options: Options, state: Position, step: Move, number: int) -> Illegal | None:
    """Whether a keeper or an opponent forbids the step from that square of the path."""
    where, onto, last = step.path[number], step.path[number + 1], step.path[-1]
    octopus = state.octopus_on(onto)
    stranger = who(options, state, onto)
    if state.keeper_on(onto) is not None and number + 2 < len(step.path):
        return Illegal(
            say("The move ends on {square}, where {who} is; leave out what follows.", square=NAMES[onto], who=stranger),
            code="keeper_ends_it",
            meant=[written(options, replace(step, path=step.path[: number + 2], takes=step.takes[: number + 1]))],
        )
    if octopus is None or seat_of(octopus) == state.seat:
        return None
    past = number == 0 and len(step.path) == 3 and onto in STEPS[where] and last in STEPS[onto]
    if past and (last == where or not who(options, state, last)):
        return None
    return Illegal(
        say(
            "To pass {who} on {square} a move has exactly two steps: "
            "onto his square and on to a free square next to it, without a squeeze.",
            who=stranger,
            square=NAMES[onto],
        ),
        code="passing",
    )
