"""Why a step is not legal: one sentence that names the rule and the squares."""

from collections.abc import Sequence
from typing import assert_never

from turnserver.errors import Illegal
from turnserver.games.sneaky_octopuses.board import COMPASS, CORNERS, ENTRANCES, FISH_INDEX, LINES, NAMES, SHOWER_AT, SIGHTS, STOCK
from turnserver.games.sneaky_octopuses.listing import free_showers
from turnserver.games.sneaky_octopuses.missteps import misstep, who
from turnserver.games.sneaky_octopuses.moves import REACH
from turnserver.games.sneaky_octopuses.notation import StealColour, written
from turnserver.games.sneaky_octopuses.position import (
    FISH,
    KEEPERS,
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
from turnserver.words import listing


def refusal(options: Options, state: Position, legal: Sequence[Step], step: Step | StealColour) -> Illegal:
    """Which rule forbids a step that is none of the legal ones."""
    if not legal:
        return Illegal("The game is over.", code="over")
    if isinstance(legal[0], Deal | First | Die):
        return _not_drawn(legal, step)
    match step:
        case Deal() | First() | Die():
            return Illegal("Fish, the first player and the die are drawn here, not by a player. Leave this out.", code="chance")
        case _ if state.action is not None and state.action.keeper is not None:
            return _wrong_shower(state, state.action.keeper, step)
        case _ if state.action is not None:
            return _wrong_in_chain(options, state, legal, state.action, step)
        case ToShower():
            return Illegal("No keeper has to go to a shower now: nobody has just run into one or hit one.", code="no_shower_now")
        case Keep():
            return Illegal(f"Nobody has just thrown a fish to {OCTOPUSES[step.octopus]}, so there is none to keep.", code="no_chain")
        case Nominate():
            keepers = listing([f"{NAMES[keeper.square]} ({name})" for name, keeper in zip(KEEPERS, state.keepers, strict=True)], "and")
            return Illegal(f"There is no keeper on {NAMES[step.square]}; the keepers are on {keepers}.", code="no_keeper")
    return _wrong_act(options, state, step)


def _not_drawn(legal: Sequence[Step], step: Step | StealColour) -> Illegal:
    if not isinstance(step, Deal | First | Die):
        return Illegal("Chance comes first: there is nothing to choose before it.", code="roll_first")
    if isinstance(legal[0], Deal):
        colours = listing([FISH[one.colour] for one in legal if isinstance(one, Deal)])
        return Illegal(f"The next fish is for {NAMES[legal[0].square]}, and it may be {colours}.", code="deal")
    return Illegal(f"That is not what is drawn now, but the {'die' if isinstance(legal[0], Die) else 'first player'}.", code="other_draw")


def _wrong_shower(state: Position, keeper: int, step: Step | StealColour) -> Illegal:
    free = listing([f"shower {NAMES[one]}" for one in free_showers(state)])
    if not isinstance(step, ToShower):
        return Illegal(f"The {KEEPERS[keeper]} keeper has to go to a shower first: write {free}.", code="shower_first")
    if step.square in SHOWER_AT:
        return Illegal(f"There is a keeper in the shower {NAMES[step.square]}: write {free}.", code="shower_taken")
    return Illegal(f"{NAMES[step.square]} is no shower: write {free}.", code="no_such_shower")


def _wrong_in_chain(options: Options, state: Position, legal: Sequence[Step], action: Action, step: Step | StealColour) -> Illegal:
    name, fish, here = OCTOPUSES[kind_of(action.holder)], action.fish, state.octopuses[action.holder]
    if isinstance(step, Throw) and (step.octopus, step.colour) == (kind_of(action.holder), fish):
        return _wrong_throw(options, state, here, step)
    thrown = f"{name} has just been thrown the {FISH[fish]} fish"
    ways = listing([written(options, one) for one in (legal[0], *legal[1:][-2:])])
    return Illegal(f"{thrown}: say first what he does with it, such as {ways}.", code="chain_first")


def _wrong_act(options: Options, state: Position, step: Escape | Move | Slide | Steal | Throw | Ink | StealColour) -> Illegal:
    name, here = OCTOPUSES[step.octopus], state.octopuses[piece(state.seat, step.octopus)]
    if state.acted >> step.octopus & 1:
        return Illegal(f"{name} has acted already this turn.", code="acted")
    if isinstance(step, Escape):
        return _wrong_escape(options, state, here, step)
    if here == NOWHERE:
        return Illegal(f"{name} is in the tank: escape first, to {_exits(options, state)}.", code="in_tank")
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
        return Illegal(f"{OCTOPUSES[step.octopus]} is out of the tank already, on {NAMES[here]}.", code="out_already")
    if step.square in options.exits[state.seat - 1]:
        return Illegal(f"{NAMES[step.square]} is taken by {who(options, state, step.square)}.", code="taken")
    home = options.seat_names[state.seat - 1]
    return Illegal(f"{NAMES[step.square]} does not touch {home}'s home tank: escape to {_exits(options, state)}.", code="not_an_exit")


def _wrong_steal(here: Square, step: Steal | StealColour) -> Illegal:
    name = OCTOPUSES[step.octopus]
    if isinstance(step, StealColour):
        return Illegal(f"No {FISH[step.colour]} fish is in a tank next to {name} on {NAMES[here]}.", code="no_such_fish")
    if step.square not in FISH_INDEX:
        return Illegal(f"{NAMES[step.square]} is no fish tank.", code="no_tank")
    if step.square not in STOCK[here]:
        return Illegal(f"{NAMES[step.square]} is not next to {name} on {NAMES[here]}.", code="not_adjacent")
    return Illegal(f"There is no fish left on {NAMES[step.square]}.", code="no_such_fish")


def _wrong_ink(here: Square, step: Ink) -> Illegal:
    if step.octopus != SQUIRT:
        return Illegal(f"Only Squirt shoots ink, not {OCTOPUSES[step.octopus]}.", code="not_squirt")
    if here in CORNERS:
        return Illegal(f"Squirt is in the corner {NAMES[here]}, and there is no shooting out of corners.", code="corner")
    return Illegal(f"There is no open square {COMPASS[step.direction]} of {NAMES[here]} for the ink.", code="no_room")


def _wrong_slide(options: Options, state: Position, here: Square, step: Slide) -> Illegal:
    name, end = OCTOPUSES[step.octopus], NAMES[step.square]
    if step.octopus != SPEEDY:
        return Illegal(f"Only Speedy slides, not {name}.", code="not_speedy")
    if state.lying(here):
        return Illegal(f"Speedy slides only without fish, and there is one on {NAMES[here]}, where he is.", code="holds_fish")
    if step.square not in SIGHTS[here] or step.square in ENTRANCES:
        return Illegal(f"There is no straight way over the floor from {NAMES[here]} to {end}.", code="not_straight")
    direction, between = SIGHTS[here][step.square]
    path = (here, *LINES[here][direction][: len(between) + 1])
    for one in path[1:]:
        octopus = state.octopus_on(one)
        foe = octopus is not None and seat_of(octopus) != state.seat
        if foe or (state.keeper_on(one) is not None and one != step.square):
            return Illegal(f"{_capital(who(options, state, one))} is in the way on {NAMES[one]}.", code="blocked")
    if state.octopus_on(step.square) is not None:
        return Illegal(f"{end} is taken by {who(options, state, step.square)}.", code="taken")
    move = written(options, Move(SPEEDY, path, (0,) * (len(path) - 1)))
    return Illegal(f"A slide goes further than {REACH} squares; to {end} write {move}.", code="too_near")


def _wrong_throw(options: Options, state: Position, here: Square, step: Throw) -> Illegal:
    name = OCTOPUSES[step.octopus]
    if step.colour not in state.lying(here):
        return Illegal(f"{name} holds no {FISH[step.colour]} fish on {NAMES[here]}.", code="no_such_fish")
    if step.square is None:
        exits = _exits(options, state)
        return Illegal(f"A fish is thrown home from {exits} only, and {name} is on {NAMES[here]}.", code="far_from_home")
    end = NAMES[step.square]
    if step.square not in SIGHTS[here]:
        return Illegal(f"There is no straight way over the floor from {NAMES[here]} to {end}.", code="not_straight")
    direction, between = SIGHTS[here][step.square]
    for one in LINES[here][direction][: len(between)]:
        if in_the_way := who(options, state, one):
            return Illegal(f"{_capital(in_the_way)} is in the way on {NAMES[one]}: a fish stops at the first piece.", code="blocked")
    return Illegal(f"No fish comes to rest in an entrance, and nobody stands on {end}.", code="entrance")


def _exits(options: Options, state: Position) -> str:
    return listing([NAMES[one] for one in options.exits[state.seat - 1]])


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
