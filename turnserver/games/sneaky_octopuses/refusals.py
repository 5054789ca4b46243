"""Why a step is not legal: one sentence that names the rule and the squares."""

from collections.abc import Sequence
from typing import assert_never

from turnserver.errors import Illegal
from turnserver.games.sneaky_octopuses.board import CORNERS, ENTRANCES, FISH_INDEX, LINES, NAMES, SHOWER_AT, SIGHTS, STOCK
from turnserver.games.sneaky_octopuses.listing import free_showers
from turnserver.games.sneaky_octopuses.missteps import misstep
from turnserver.games.sneaky_octopuses.moves import REACH
from turnserver.games.sneaky_octopuses.naming import COLOUR_NAMES, DIRECTIONS, KEEPERS, fish, keeper_on, who, who_first
from turnserver.games.sneaky_octopuses.notation import StealColour, written
from turnserver.games.sneaky_octopuses.position import (
    NOWHERE,
    OCTOPUSES,
    SPEEDY,
    SQUIRT,
    Action,
    Options,
    Position,
    kind_of,
    piece,
    seat_of,
)
from turnserver.games.sneaky_octopuses.steps import (
    Deal,
    Die,
    Escape,
    First,
    Ink,
    Keep,
    Move,
    Nominate,
    Slide,
    Steal,
    Step,
    Throw,
    ToShower,
)
from turnserver.rules.square import Square
from turnserver.text import listing, say


def refusal(options: Options, state: Position, legal: Sequence[Step], step: Step | StealColour) -> Illegal:
    """Which rule forbids a step that is none of the legal ones."""
    if not legal:
        return Illegal(say("The game is over."), code="over")
    if isinstance(legal[0], Deal | First | Die):
        return _not_drawn(legal, step)
    match step:
        case Deal() | First() | Die():
            return Illegal(say("Fish, the first player and the die are drawn here, not by a player. Leave this out."), code="chance")
        case _ if state.action is not None and state.action.keeper is not None:
            return _wrong_shower(state, state.action.keeper, step)
        case _ if state.action is not None:
            return _wrong_in_chain(options, state, legal, state.action, step)
        case ToShower():
            return Illegal(say("No keeper has to go to a shower now: nobody has just run into one or hit one."), code="no_shower_now")
        case Keep():
            return Illegal(
                say("Nobody has just thrown a fish to {octopus}, so there is none to keep.", octopus=OCTOPUSES[step.octopus]),
                code="no_chain",
            )
        case Nominate():
            keepers = listing([keeper_on(number, keeper.square) for number, keeper in enumerate(state.keepers)], "and")
            return Illegal(
                say("There is no keeper on {square}; the keepers are on {keepers}.", square=NAMES[step.square], keepers=keepers),
                code="no_keeper",
            )
    return _wrong_act(options, state, step)


def missing(state: Position) -> str:
    """What a turn lacks whose last step has led here."""
    action = state.action
    if action is None:
        return say("Its last step is missing: the keeper who is to walk.")
    if action.keeper is not None:
        return say(
            "The {keeper} has to go to a shower, and the last step is missing: the keeper who is to walk.", keeper=KEEPERS[action.keeper]
        )
    return say(
        "{octopus} has just been thrown the {fish}: what he does with it is missing, and so is the last step, the keeper who is to walk.",
        octopus=OCTOPUSES[kind_of(action.holder)],
        fish=fish(action.fish),
    )


def _not_drawn(legal: Sequence[Step], step: Step | StealColour) -> Illegal:
    if not isinstance(step, Deal | First | Die):
        return Illegal(say("Chance comes first: there is nothing to choose before it."), code="roll_first")
    if isinstance(legal[0], Deal):
        colours = listing([COLOUR_NAMES[one.colour - 1] for one in legal if isinstance(one, Deal)])
        square = NAMES[legal[0].square]
        return Illegal(say("The next fish is for {square}, and it may be {colours}.", square=square, colours=colours), code="deal")
    if isinstance(legal[0], Die):
        return Illegal(say("That is not what is drawn now, but the die."), code="other_draw")
    return Illegal(say("That is not what is drawn now, but the first player."), code="other_draw")


def _wrong_shower(state: Position, keeper: int, step: Step | StealColour) -> Illegal:
    free = [f"shower {NAMES[one]}" for one in free_showers(state)]
    if not isinstance(step, ToShower):
        return Illegal(say("The {keeper} has to go to a shower first.", keeper=KEEPERS[keeper]), code="shower_first", meant=free)
    if step.square in SHOWER_AT:
        return Illegal(say("There is a keeper in the shower {square}.", square=NAMES[step.square]), code="shower_taken", meant=free)
    return Illegal(say("{square} is no shower.", square=NAMES[step.square]), code="no_such_shower", meant=free)


def _wrong_in_chain(options: Options, state: Position, legal: Sequence[Step], action: Action, step: Step | StealColour) -> Illegal:
    name, here = OCTOPUSES[kind_of(action.holder)], state.octopuses[action.holder]
    if isinstance(step, Throw) and (step.octopus, step.colour) == (kind_of(action.holder), action.fish):
        return _wrong_throw(options, state, here, step)
    return Illegal(
        say("{octopus} has just been thrown the {fish}: say first what he does with it.", octopus=name, fish=fish(action.fish)),
        code="chain_first",
        meant=[written(options, one) for one in (legal[0], *legal[1:][-2:])],
    )


def _wrong_act(options: Options, state: Position, step: Escape | Move | Slide | Steal | Throw | Ink | StealColour) -> Illegal:
    name, here = OCTOPUSES[step.octopus], state.octopuses[piece(state.seat, step.octopus)]
    if state.acted >> step.octopus & 1:
        return Illegal(say("{octopus} has acted already this turn.", octopus=name), code="acted")
    if isinstance(step, Escape):
        return _wrong_escape(options, state, here, step)
    if here == NOWHERE:
        told = say("{octopus} is at home: he has to escape before he does anything else.", octopus=name)
        return Illegal(told, code="in_tank", meant=_escapes(options, state, step.octopus))
    match step:
        case Move():
            return misstep(options, state, step)
        case Slide():
            return _wrong_slide(options, state, here, step)
        case Steal() | StealColour():
            return _wrong_steal(here, step)
        case Throw():
            return _wrong_throw(options, state, here, step)
        case Ink():
            return _wrong_ink(here, step)
        case _:
            assert_never(step)


def _wrong_escape(options: Options, state: Position, here: Square, step: Escape) -> Illegal:
    if here != NOWHERE:
        return Illegal(
            say("{octopus} has left home already and is on {square}.", octopus=OCTOPUSES[step.octopus], square=NAMES[here]),
            code="out_already",
        )
    if step.square in options.exits[state.seat - 1]:
        return _taken(options, state, step.square)
    return Illegal(
        say(
            "{square} does not touch {seat}'s home tank.",
            square=NAMES[step.square],
            seat=options.seat_names[state.seat - 1],
        ),
        code="not_an_exit",
        meant=_escapes(options, state, step.octopus),
    )


def _wrong_steal(here: Square, step: Steal | StealColour) -> Illegal:
    name, at = OCTOPUSES[step.octopus], NAMES[here]
    if isinstance(step, StealColour):
        return Illegal(
            say("No {fish} is in a tank next to {octopus} on {here}.", fish=fish(step.colour), octopus=name, here=at), code="no_such_fish"
        )
    square = NAMES[step.square]
    if step.square not in FISH_INDEX:
        return Illegal(say("{square} is no fish tank.", square=square), code="no_tank")
    if step.square not in STOCK[here]:
        return Illegal(say("{square} is not next to {octopus} on {here}.", square=square, octopus=name, here=at), code="not_adjacent")
    return Illegal(say("There is no fish left on {square}.", square=square), code="no_such_fish")


def _wrong_ink(here: Square, step: Ink) -> Illegal:
    if step.octopus != SQUIRT:
        return Illegal(say("Only Squirt shoots ink, not {octopus}.", octopus=OCTOPUSES[step.octopus]), code="not_squirt")
    if here in CORNERS:
        return Illegal(say("Squirt is in the corner {square}, and there is no shooting out of corners.", square=NAMES[here]), code="corner")
    return Illegal(
        say("There is no open square {direction} of {square} for the ink.", direction=DIRECTIONS[step.direction], square=NAMES[here]),
        code="no_room",
    )


def _wrong_slide(options: Options, state: Position, here: Square, step: Slide) -> Illegal:
    name, end = OCTOPUSES[step.octopus], NAMES[step.square]
    if step.octopus != SPEEDY:
        return Illegal(say("Only Speedy slides, not {octopus}.", octopus=name), code="not_speedy")
    if state.lying(here):
        return Illegal(
            say("Speedy slides only without fish, and there is one on {square}, where he is.", square=NAMES[here]), code="holds_fish"
        )
    if step.square not in SIGHTS[here] or step.square in ENTRANCES:
        return _not_straight(here, step.square)
    direction, between = SIGHTS[here][step.square]
    path = (here, *LINES[here][direction][: len(between) + 1])
    for one in path[1:]:
        octopus = state.octopus_on(one)
        foe = octopus is not None and seat_of(octopus) != state.seat
        if foe or (state.keeper_on(one) is not None and one != step.square):
            return Illegal(say("{who} is in the way on {square}.", who=who_first(options, state, one), square=NAMES[one]), code="blocked")
    if state.octopus_on(step.square) is not None:
        return _taken(options, state, step.square)
    move = written(options, Move(SPEEDY, path, (0,) * (len(path) - 1)))
    told = say("A slide goes further than {number} squares; to {square} it is a move.", number=REACH, square=end)
    return Illegal(told, code="too_near", meant=[move])


def _wrong_throw(options: Options, state: Position, here: Square, step: Throw) -> Illegal:
    name = OCTOPUSES[step.octopus]
    if step.colour not in state.lying(here):
        return Illegal(
            say("{octopus} holds no {fish} on {square}.", octopus=name, fish=fish(step.colour), square=NAMES[here]), code="no_such_fish"
        )
    if step.square is None:
        exits = _exits(options, state)
        return Illegal(
            say("A fish is thrown home from {exits} only, and {octopus} is on {square}.", exits=exits, octopus=name, square=NAMES[here]),
            code="far_from_home",
        )
    if step.square not in SIGHTS[here]:
        return _not_straight(here, step.square)
    direction, between = SIGHTS[here][step.square]
    for one in LINES[here][direction][: len(between)]:
        if in_the_way := who_first(options, state, one):
            return Illegal(
                say("{who} is in the way on {square}: a fish stops at the first piece.", who=in_the_way, square=NAMES[one]), code="blocked"
            )
    return Illegal(say("No fish comes to rest in an entrance, and nobody stands on {square}.", square=NAMES[step.square]), code="entrance")


def _taken(options: Options, state: Position, where: Square) -> Illegal:
    return Illegal(say("{square} is taken by {who}.", square=NAMES[where], who=who(options, state, where)), code="taken")


def _not_straight(here: Square, end: Square) -> Illegal:
    return Illegal(
        say("There is no straight way over the floor from {start} to {end}.", start=NAMES[here], end=NAMES[end]), code="not_straight"
    )


def _escapes(options: Options, state: Position, kind: int) -> list[str]:
    return [written(options, Escape(kind, one)) for one in options.exits[state.seat - 1]]


def _exits(options: Options, state: Position) -> str:
    return listing([NAMES[one] for one in options.exits[state.seat - 1]])
