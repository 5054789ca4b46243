"""Refusals: one sentence for each step that is not legal, which names the rule and the squares."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from turnserver.errors import Ambiguous, Illegal
from turnserver.games.sneaky_octopuses import moves as m
from turnserver.games.sneaky_octopuses.board import (
    CORNERS,
    ENTRANCES,
    FISH_INDEX,
    FLOOR,
    LINES,
    NAMES,
    PASSAGES,
    SHOWER_AT,
    SHOWERS,
    SIGHTS,
    STEPS,
    STOCK,
    WALLS,
)
from turnserver.games.sneaky_octopuses.notation import (
    COLOUR_NAMES,
    DIRECTIONS,
    KEEPERS,
    KeeperByName,
    Read,
    ShowerByName,
    StealColour,
    keeper_on,
    name_fish,
    who,
    who_first,
    written,
)
from turnserver.games.sneaky_octopuses.notation import name_fish as fish_named
from turnserver.games.sneaky_octopuses.position import (
    NOWHERE,
    OCTOPUSES,
    SPEEDY,
    SQUIRT,
    SQUISH,
    Action,
    Options,
    Position,
    kind_of,
    piece,
    seat_of,
)
from turnserver.rules.square import Square
from turnserver.text import listing, say


def no_floor(where: Square) -> Illegal:
    """Return the reason why no octopus comes to a square that is not floor."""
    name = NAMES[where]
    if where in FISH_INDEX:
        return Illegal(
            say(
                "There is a fish tank on {square}. Only Squish can squeeze through, under the middle: name the squares "
                "before and after it.",
                square=name,
            ),
            code="tank",
        )
    if where in ENTRANCES:
        return Illegal(say("There is the entrance of a shower on {square}, and octopuses stay out of it.", square=name), code="entrance")
    if where in SHOWER_AT:
        return Illegal(say("There is a shower on {square}, and octopuses stay out of it.", square=name), code="shower")
    if where in WALLS:
        return Illegal(say("There is a wall on {square}.", square=name), code="wall")
    return Illegal(say("There is a home tank on {square}, and octopuses don't walk in.", square=name), code="home_tank")


def misstep(options: Options, state: Position, step: m.Move) -> Illegal:
    """Return the rule that forbids the move of an octopus that is on the floor and has not acted (rulings 3 to 6 and 9)."""
    name, here = OCTOPUSES[step.octopus], state.octopuses[piece(state.seat, step.octopus)]
    if step.path[0] != here:
        return Illegal(
            say(
                "{octopus} is on {here}, not on {square}. Begin the path there.",
                octopus=name,
                here=NAMES[here],
                square=NAMES[step.path[0]],
            ),
            code="wrong_start",
        )
    if len(step.path) - 1 > m.REACH:
        return Illegal(
            say("A move goes at most {most} squares, and this one goes {number}.", most=m.REACH, number=len(step.path) - 1), code="too_far"
        )
    carried = 0
    for number, (where, fish, onto) in enumerate(zip(step.path, step.takes, step.path[1:], strict=False)):
        wrong = _no_step(step, where, onto) or _no_fish(options, state, step, number, carried) or _in_the_way(options, state, step, number)
        if wrong is not None:
            return wrong
        carried = fish or carried
    # every step was possible, so only a team-mate can stand in the way, and that at the end
    end = step.path[-1]
    return Illegal(
        say("{who} is on {square}. You can pass there, but not stay.", square=NAMES[end], who=who_first(options, state, end)), code="taken"
    )


def _no_step(step: m.Move, where: Square, onto: Square) -> Illegal | None:
    """Return the refusal of a step that the ground forbids; None if it does not."""
    if onto in STEPS[where] or (step.octopus == SQUISH and onto in PASSAGES[where]):
        return None
    if onto in PASSAGES[where]:
        tank = NAMES[PASSAGES[where][onto]]
        return Illegal(
            say(
                "The fish tank {tank} is between {start} and {end}, and only Squish can squeeze through.",
                start=NAMES[where],
                end=NAMES[onto],
                tank=tank,
            ),
            code="tank",
        )
    if onto not in FLOOR:
        return no_floor(onto)
    return Illegal(
        say("The squares {start} and {end} aren't next to each other. Name every square on the way.", start=NAMES[where], end=NAMES[onto]),
        code="not_adjacent",
    )


def _no_fish(options: Options, state: Position, step: m.Move, number: int, carried: int) -> Illegal | None:
    """Return the refusal of a fish that cannot be picked up on that square of the path; None if it can."""
    where, fish, name = step.path[number], step.takes[number], OCTOPUSES[step.octopus]
    square = NAMES[where]
    if not fish:
        return None
    lying = list(state.lying(where))
    # back on its first square, the octopus finds one fish less there: it took that along
    if number and where == step.path[0] and step.takes[0]:
        lying.remove(step.takes[0])
    stranger = who_first(options, state, where)
    if where != step.path[0] and stranger:
        return Illegal(
            say("{who} is on the fish on {square}, so {octopus} can't pick them up.", square=square, who=stranger, octopus=name),
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
                "{octopus} already brings a {fish} to {square}. Leave out the plus there.",
                octopus=name,
                fish=fish_named(fish),
                square=square,
            ),
            code="same_colour",
            meant=[written(options, replace(step, takes=(*step.takes[:number], 0, *step.takes[number + 1 :])))],
        )
    return None


def _in_the_way(options: Options, state: Position, step: m.Move, number: int) -> Illegal | None:
    """Return the refusal of a step from that square of the path that a keeper or an opponent forbids; None if nobody does."""
    where, onto, last = step.path[number], step.path[number + 1], step.path[-1]
    octopus = state.octopus_on(onto)
    stranger = who(options, state, onto)
    if state.keeper_on(onto) is not None and number + 2 < len(step.path):
        return Illegal(
            say("The move ends on {square}, where {who} is. Leave out what follows.", square=NAMES[onto], who=stranger),
            code="keeper_ends_it",
            meant=[written(options, replace(step, path=step.path[: number + 2], takes=step.takes[: number + 1]))],
        )
    if octopus is None or seat_of(octopus) == state.seat:
        return None
    # an opponent is passed in exactly two steps, neither of them a squeeze (ruling 5)
    past = number == 0 and len(step.path) == 3 and onto in STEPS[where] and last in STEPS[onto]
    if past and (last == where or not who(options, state, last)):
        return None
    return Illegal(
        say(
            "{who} is on {square}. To pass, a move has exactly two steps: "
            "onto that square and on to a free one next to it, without a squeeze.",
            who=who_first(options, state, onto),
            square=NAMES[onto],
        ),
        code="passing",
    )


def refusal(options: Options, state: Position, legal: Sequence[m.Step], step: m.Step | StealColour) -> Illegal:
    """Return the rule that forbids a step that is not one of the legal ones."""
    if not legal:
        return Illegal(say("The game is over."), code="over")
    # where chance is due, rolls are all there is
    if isinstance(legal[0], m.Deal | m.First | m.Die):
        return _not_drawn(legal, step)
    match step:
        case m.Deal() | m.First() | m.Die():
            return Illegal(say("Chance decides about fish, the first player and the die. Leave this out."), code="chance")
        case _ if state.action is not None and state.action.keeper is not None:
            return _wrong_shower(state, state.action.keeper, step)
        case _ if state.action is not None:
            return _wrong_in_chain(options, state, legal, state.action, step)
        case m.ToShower():
            return Illegal(
                say("No keeper has to go to a shower now, because nobody has just hit one or run into one."), code="no_shower_now"
            )
        case m.Keep():
            return Illegal(
                say("Nobody has just thrown a fish to {octopus}, so there is none to keep.", octopus=OCTOPUSES[step.octopus]),
                code="no_chain",
            )
        case m.Nominate():
            keepers = listing([keeper_on(number, keeper.square) for number, keeper in enumerate(state.keepers)], "and")
            return Illegal(
                say("There is no keeper on {square}. The keepers are on {keepers}.", square=NAMES[step.square], keepers=keepers),
                code="no_keeper",
            )
    return _wrong_act(options, state, step)


def missing(state: Position) -> str:
    """Return a sentence about the steps that the turn still needs."""
    action = state.action
    if action is None:
        return say("The last step is missing: the keeper to walk.")
    if action.keeper is not None:
        return say("The {keeper} has to go to a shower, and the last step is missing: the keeper to walk.", keeper=KEEPERS[action.keeper])
    return say(
        "{octopus} has just caught the {fish}. Two things are missing: what it does with that, and the last step, the keeper to walk.",
        octopus=OCTOPUSES[kind_of(action.holder)],
        fish=name_fish(action.fish),
    )


def _not_drawn(legal: Sequence[m.Step], step: m.Step | StealColour) -> Illegal:
    if not isinstance(step, m.Deal | m.First | m.Die):
        return Illegal(say("Chance comes first: there is nothing to choose before it."), code="roll_first")
    if isinstance(legal[0], m.Deal):
        colours = listing([COLOUR_NAMES[one.colour - 1] for one in legal if isinstance(one, m.Deal)])
        square = NAMES[legal[0].square]
        return Illegal(say("The next fish is for {square}, and it can be {colours}.", square=square, colours=colours), code="deal")
    if isinstance(legal[0], m.Die):
        return Illegal(say("The die is rolled now, not that."), code="other_draw")
    return Illegal(say("The first player is drawn now, not that."), code="other_draw")


def _wrong_shower(state: Position, keeper: int, step: m.Step | StealColour) -> Illegal:
    free = [f"shower {NAMES[one]}" for one in m.free_showers(state)]
    if not isinstance(step, m.ToShower):
        return Illegal(say("The {keeper} has to go to a shower first.", keeper=KEEPERS[keeper]), code="shower_first", meant=free)
    if step.square in SHOWER_AT:
        return Illegal(say("There is a keeper in the shower {square} already.", square=NAMES[step.square]), code="shower_taken", meant=free)
    return Illegal(say("There is no shower on {square}.", square=NAMES[step.square]), code="no_such_shower", meant=free)


def _wrong_in_chain(options: Options, state: Position, legal: Sequence[m.Step], action: Action, step: m.Step | StealColour) -> Illegal:
    name, here = OCTOPUSES[kind_of(action.holder)], state.octopuses[action.holder]
    if isinstance(step, m.Throw) and (step.octopus, step.colour) == (kind_of(action.holder), action.fish):
        return _wrong_throw(options, state, here, step)
    return Illegal(
        say("{octopus} has just caught the {fish}. Say first what it does with that.", octopus=name, fish=name_fish(action.fish)),
        code="chain_first",
        meant=[written(options, one) for one in (legal[0], *legal[1:][-2:])],
    )


def _wrong_act(options: Options, state: Position, step: m.Escape | m.Move | m.Slide | m.Steal | m.Throw | m.Ink | StealColour) -> Illegal:
    name, here = OCTOPUSES[step.octopus], state.octopuses[piece(state.seat, step.octopus)]
    if state.acted >> step.octopus & 1:
        return Illegal(say("{octopus} has acted already this turn.", octopus=name), code="acted")
    if isinstance(step, m.Escape):
        return _wrong_escape(options, state, here, step)
    if here == NOWHERE:
        message = say("{octopus} is still at home and has to escape first.", octopus=name)
        return Illegal(message, code="in_tank", meant=_escapes(options, state, step.octopus))
    match step:
        case m.Move():
            return misstep(options, state, step)
        case m.Slide():
            return _wrong_slide(options, state, here, step)
        case m.Steal() | StealColour():
            return _wrong_steal(here, step)
        case m.Throw():
            return _wrong_throw(options, state, here, step)
        case m.Ink():
            return _wrong_ink(here, step)
        case _:
            assert_never(step)


def _wrong_escape(options: Options, state: Position, here: Square, step: m.Escape) -> Illegal:
    if here != NOWHERE:
        return Illegal(
            say("{octopus} has left home already and is on {square}.", octopus=OCTOPUSES[step.octopus], square=NAMES[here]),
            code="out_already",
        )
    # the exit is right, so somebody stands on it
    if step.square in options.exits[state.seat - 1]:
        return _taken(options, state, step.square)
    return Illegal(
        say(
            "The square {square} doesn't touch {seat}'s home tank.",
            square=NAMES[step.square],
            seat=options.seat_names[state.seat - 1],
        ),
        code="not_an_exit",
        meant=_escapes(options, state, step.octopus),
    )


def _wrong_steal(here: Square, step: m.Steal | StealColour) -> Illegal:
    name, at = OCTOPUSES[step.octopus], NAMES[here]
    if isinstance(step, StealColour):
        return Illegal(
            say("No {fish} is in a tank next to {octopus} on {here}.", fish=name_fish(step.colour), octopus=name, here=at),
            code="no_such_fish",
        )
    square = NAMES[step.square]
    if step.square not in FISH_INDEX:
        return Illegal(say("There is no fish tank on {square}.", square=square), code="no_tank")
    if step.square not in STOCK[here]:
        return Illegal(
            say("The square {square} is not next to {octopus} on {here}.", square=square, octopus=name, here=at), code="not_adjacent"
        )
    return Illegal(say("There is no fish left on {square}.", square=square), code="no_such_fish")


def _wrong_ink(here: Square, step: m.Ink) -> Illegal:
    if step.octopus != SQUIRT:
        return Illegal(say("Only Squirt shoots ink, not {octopus}.", octopus=OCTOPUSES[step.octopus]), code="not_squirt")
    if here in CORNERS:
        return Illegal(say("Squirt is in the corner {square}, and you can't shoot out of a corner.", square=NAMES[here]), code="corner")
    return Illegal(
        say("There is no open square {direction} of {square} for the ink.", direction=DIRECTIONS[step.direction], square=NAMES[here]),
        code="no_room",
    )


def _wrong_slide(options: Options, state: Position, here: Square, step: m.Slide) -> Illegal:
    name, end = OCTOPUSES[step.octopus], NAMES[step.square]
    if step.octopus != SPEEDY:
        return Illegal(say("Only Speedy slides, not {octopus}.", octopus=name), code="not_speedy")
    if state.lying(here):
        return Illegal(say("Speedy slides only without fish, and has one on {square}.", square=NAMES[here]), code="holds_fish")
    if step.square not in SIGHTS[here] or step.square in ENTRANCES:
        return _not_straight(here, step.square)
    direction, between = SIGHTS[here][step.square]
    path = (here, *LINES[here][direction][: len(between) + 1])
    # team-mates are passed, and a keeper may be met at the end on purpose (rulings 5 and 6)
    for one in path[1:]:
        octopus = state.octopus_on(one)
        foe = octopus is not None and seat_of(octopus) != state.seat
        if foe or (state.keeper_on(one) is not None and one != step.square):
            return Illegal(say("{who} is in the way on {square}.", who=who_first(options, state, one), square=NAMES[one]), code="blocked")
    if state.octopus_on(step.square) is not None:
        return _taken(options, state, step.square)
    # the way is free: only a way as short as a move is left
    move = written(options, m.Move(SPEEDY, path, (0,) * (len(path) - 1)))
    message = say("A slide goes further than {number} squares. To {square}, write move instead.", number=m.REACH, square=end)
    return Illegal(message, code="too_near", meant=[move])


def _wrong_throw(options: Options, state: Position, here: Square, step: m.Throw) -> Illegal:
    name = OCTOPUSES[step.octopus]
    if step.colour not in state.lying(here):
        return Illegal(
            say("{octopus} has no {fish} on {square}.", octopus=name, fish=name_fish(step.colour), square=NAMES[here]),
            code="no_such_fish",
        )
    if step.square is None:
        exits = listing([NAMES[one] for one in options.exits[state.seat - 1]])
        return Illegal(
            say("You can throw fish home only from {exits}, and {octopus} is on {square}.", exits=exits, octopus=name, square=NAMES[here]),
            code="far_from_home",
        )
    if step.square not in SIGHTS[here]:
        return _not_straight(here, step.square)
    direction, between = SIGHTS[here][step.square]
    for one in LINES[here][direction][: len(between)]:
        # the squares between, since whoever stands on the last is hit (ruling 7)
        if in_the_way := who_first(options, state, one):
            return Illegal(
                say("{who} is in the way on {square}: a fish stops at the first piece.", who=in_the_way, square=NAMES[one]), code="blocked"
            )
    return Illegal(say("No fish stays in an entrance, and nobody is on {square} to catch it.", square=NAMES[step.square]), code="entrance")


def _taken(options: Options, state: Position, where: Square) -> Illegal:
    return Illegal(say("{who} is on {square} already.", square=NAMES[where], who=who_first(options, state, where)), code="taken")


def _not_straight(here: Square, end: Square) -> Illegal:
    return Illegal(
        say("There is no straight way across the floor from {start} to {end}.", start=NAMES[here], end=NAMES[end]), code="not_straight"
    )


def _escapes(options: Options, state: Position, kind: int) -> list[str]:
    return [written(options, m.Escape(kind, one)) for one in options.exits[state.seat - 1]]


def find(options: Options, state: Position, legal: Sequence[m.Step], said: Read) -> m.Step:
    """Return the one of the legal steps that was said. Raises Ambiguous, or Illegal naming the rule."""
    step = _with_squares(options, state, legal, said)
    if isinstance(step, StealColour) or step not in legal:
        raise refusal(options, state, legal, step)
    return step


def _with_squares(options: Options, state: Position, legal: Sequence[m.Step], said: Read) -> m.Step | StealColour:
    # a name becomes a square
    match said:
        case ShowerByName():
            return m.ToShower(SHOWERS[said.shower].square)
        case KeeperByName():
            return m.Nominate(state.keepers[said.keeper].square)
        case StealColour(octopus=kind, colour=colour):
            steals = [one for one in legal if isinstance(one, m.Steal) and one.octopus == kind and state.fish_in(one.square) == colour]
            # the squares next to an octopus may belong to different tanks, with a fish of the same colour each
            if len(steals) > 1:
                number = len(steals)
                raise Ambiguous(
                    say(
                        "{octopus} is next to {number} {fish}. Name the square of the one to steal.",
                        octopus=OCTOPUSES[kind],
                        number=number,
                        fish=name_fish(colour, number),
                    ),
                    code="several_fish",
                    meant=[written(options, one) for one in steals],
                )
            return steals[0] if steals else said
        case (
            m.Deal()
            | m.First()
            | m.Die()
            | m.Escape()
            | m.Move()
            | m.Slide()
            | m.Steal()
            | m.Throw()
            | m.Ink()
            | m.Keep()
            | m.ToShower()
            | m.Nominate()
        ):
            return said
        case _:
            assert_never(said)
