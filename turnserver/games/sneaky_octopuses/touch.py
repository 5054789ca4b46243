"""Touching the aquarium: an octopus and a place for what it does, or only the keeper that walks.

An octopus at home is touched on its seat in the picture. A move is touched square by square; a fish that comes along is a button on the
square where it lies. A slide, an escape and a steal need the last square alone. A throw and ink run over squares of moves, so they begin
with a button.
"""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from turnserver.games.sneaky_octopuses import moves as m
from turnserver.games.sneaky_octopuses.board import (
    COMPASS,
    ENTRANCES,
    FISH_INDEX,
    FLOOR,
    GRID,
    LINES,
    NAMES,
    READING,
    SHOWER_AT,
    SIGHTS,
    STEPS,
)
from turnserver.games.sneaky_octopuses.notation import COLOUR_NAMES, DIRECTIONS, name_fish, octopus, who
from turnserver.games.sneaky_octopuses.picture import ANGLES, HOME_OF, SEATS_AT_HOME, outline
from turnserver.games.sneaky_octopuses.position import COLOURS, NOWHERE, OCTOPUSES, SPEEDY, SQUIRT, Options, Position, kind_of, piece
from turnserver.rules.place import Place, Touches
from turnserver.rules.square import Square
from turnserver.text import joined, say

HOME: Final = "home"
KEEP: Final = "keep"
INK: Final = "ink"
TAKES: Final = {f"take{colour}": colour for colour in COLOURS}
"""The colour of the fish that goes along from the square touched before, by the name of its button."""
THROWS: Final = {f"throw{colour}": colour for colour in COLOURS}
"""The colour of the fish to be thrown, by the name of its button."""

_TAKE: Final = ("", *TAKES)
_THROW: Final = ("", *THROWS)


def touches(options: Options, state: Position, step: m.Step) -> Sequence[Touches]:
    """Return the sequences that play a step. See `rules.View`."""
    match step:
        case m.Move():
            way = [NAMES[step.path[0]]]
            for fish, onto in zip(step.takes, step.path[1:], strict=True):
                if fish:
                    way.append(_TAKE[fish])
                way.append(NAMES[onto])
            return (tuple(way),)
        case m.Nominate() | m.ToShower():
            return ((NAMES[step.square],),)
        case m.Escape() | m.Slide() | m.Steal():
            return ((_of_own(options, state, step.octopus), NAMES[step.square]),)
        case m.Throw():
            here, end = _of_own(options, state, step.octopus), HOME if step.square is None else NAMES[step.square]
            # there is no choice of fish where one was caught
            return ((here, _THROW[step.colour], end),) if state.action is None else ((end,), (here, end))
        case m.Keep():
            return ((KEEP,), (_of_own(options, state, step.octopus),))
        case m.Ink():
            here = _of_own(options, state, step.octopus)
            return tuple((here, INK, NAMES[one]) for one in _jet(state, step.direction))
        case m.Deal() | m.First() | m.Die():
            return ()
        case _:
            assert_never(step)


def _jet(state: Position, direction: int) -> Iterator[Square]:
    """Yield the squares that ink gets to in a direction."""
    for one in LINES[state.octopuses[piece(state.seat, SQUIRT)]][direction]:
        yield one
        if state.octopus_on(one) is not None or state.keeper_on(one) is not None:
            return


def _of_own(options: Options, state: Position, kind: int) -> str:
    """Return the square of an octopus of the seat to move, or its seat at home."""
    where = state.octopuses[piece(state.seat, kind)]
    return NAMES[_seats(options, state)[kind] if where == NOWHERE else where]


def _seats(options: Options, state: Position) -> Sequence[Square]:
    return SEATS_AT_HOME[options.homes[state.seat - 1]]


def _kind_of_own(options: Options, state: Position, name: str) -> int | None:
    """Return the kind of the octopus of the seat to move that is touched by that name; None if it is none of these."""
    return next((kind for kind in range(len(OCTOPUSES)) if _of_own(options, state, kind) == name), None)


def places(options: Options, state: Position, touched: Touches) -> dict[str, Place]:
    """Return all that can be touched next. See `rules.View`."""
    in_use = (one for one in READING if HOME_OF.get(one) in (None, *options.homes))
    squares = {NAMES[one]: Place(_words(options, state, one), outline(one)) for one in in_use}
    if state.action is not None and state.action.keeper is not None:
        return {} if touched else squares
    if state.action is not None:
        here = _of_own(options, state, kind_of(state.action.holder))
        if not touched:
            keep = Place(say("Keep the {fish}", fish=name_fish(state.action.fish)))
            return {KEEP: keep, **_aims(options, state, squares)}
        return _without(_aims(options, state, squares), here) if touched == (here,) else {}
    if not touched:
        return squares
    kind = _kind_of_own(options, state, touched[0])
    if kind is None:
        return {}
    if state.octopuses[piece(state.seat, kind)] == NOWHERE:
        return _without(squares, touched[0]) if len(touched) == 1 else {}
    return _after(options, state, squares, kind, touched)


def _after(options: Options, state: Position, squares: dict[str, Place], kind: int, touched: Touches) -> dict[str, Place]:
    """Return what can follow an octopus on the floor and the touches after it."""
    first, *rest = touched
    here = state.octopuses[piece(state.seat, kind)]
    match rest:
        case []:
            return _without(squares, first) | _verbs(state, kind)
        case [name] if name in THROWS:
            return _without(_aims(options, state, squares), first)
        case [name] if name == INK:
            ends = (end for direction in range(len(COMPASS)) for end in _ink_ends(state, direction))
            return {NAMES[one]: squares[NAMES[one]] for one in ends if NAMES[one] in squares}
        case [name, *_] if name in THROWS or name == INK or _is_tank(name) or _is_slide(kind, here, name):
            return {}
    if rest[-1] in TAKES:
        return _without(squares, touched[-2])
    return _without(squares, rest[-1]) | _fish(state, rest[-1])


def _is_tank(name: str) -> bool:
    return GRID.by_name.get(name) in FISH_INDEX


def _is_slide(kind: int, here: Square, name: str) -> bool:
    """Return whether an octopus that goes straight to a square can only slide there."""
    where = GRID.by_name.get(name)
    if kind != SPEEDY or where is None:
        return False
    return where in SIGHTS[here] and where not in ENTRANCES and len(SIGHTS[here][where][1]) >= m.REACH


def _ink_ends(state: Position, direction: int) -> Sequence[Square]:
    """Return the squares of a direction of ink: those of the jet, or the one that stops it at once."""
    here = state.octopuses[piece(state.seat, SQUIRT)]
    return tuple(_jet(state, direction)) or GRID.rays[here][2 * direction][:1]


def _verbs(state: Position, kind: int) -> dict[str, Place]:
    """Return the buttons for what an octopus does but on the squares around it."""
    here = state.octopuses[piece(state.seat, kind)]
    throws = {_THROW[fish]: Place(say("Throw the {fish}", fish=name_fish(fish))) for fish in state.lying(here)}
    ink = {INK: Place(say("Shoot ink"))} if kind == SQUIRT else {}
    return _fish(state, NAMES[here]) | throws | ink


def _fish(state: Position, name: str) -> dict[str, Place]:
    """Return a button for each colour of the fish on the square."""
    lying = state.lying(GRID.by_name[name]) if name in GRID.by_name else ()
    return {_TAKE[fish]: Place(say("Take the {fish} along", fish=name_fish(fish))) for fish in lying}


def _aims(options: Options, state: Position, squares: dict[str, Place]) -> dict[str, Place]:
    """Return the targets of a throw: the squares, and for those of the own home one wide place."""
    team = options.homes[state.seat - 1]
    home = Place(say("Your home"), outline(ANGLES[team], *SEATS_AT_HOME[team][:2]))
    return {HOME: home} | {name: place for name, place in squares.items() if HOME_OF.get(GRID.by_name[name]) != team}


def _without(found: dict[str, Place], name: str) -> dict[str, Place]:
    # nothing goes to where it is already
    return {other: place for other, place in found.items() if other != name}


def _words(options: Options, state: Position, where: Square) -> str:
    """Return a square and what is there."""
    if where in HOME_OF:
        return _at_home(options, state, where)
    square, keeper, there = NAMES[where], state.keeper_on(where), who(options, state, where)
    if keeper is not None:
        if where in SHOWER_AT:
            return say("{square}, {who} in the shower", square=square, who=there)
        return say("{square}, {who} looking {direction}", square=square, who=there, direction=DIRECTIONS[state.keepers[keeper].facing])
    if where in FISH_INDEX:
        fish = state.fish_in(where)
        return _with_fish(say("{square}, tank", square=square), [fish]) if fish else say("{square}, empty tank", square=square)
    if where in FLOOR:
        lying = state.lying(where)
        if there:
            return _with_fish(say("{square}, {who}", square=square, who=there), lying)
        return _with_fish(square, lying) if lying else say("{square}, empty", square=square)
    if where in ENTRANCES:
        return say("{square}, entrance", square=square)
    return say("{square}, shower", square=square) if where in SHOWER_AT else say("{square}, wall", square=square)


def _with_fish(place: str, fish: Sequence[int]) -> str:
    colours = joined(", ", [COLOUR_NAMES[one - 1] for one in fish])
    return say("{place}, fish: {colours}", "{place}, fish: {colours}", place=place, colours=colours, n=len(fish)) if fish else place


def _at_home(options: Options, state: Position, where: Square) -> str:
    seat = options.homes.index(HOME_OF[where])
    seats = SEATS_AT_HOME[HOME_OF[where]]
    if where in seats:
        one = piece(seat + 1, seats.index(where))
        if state.octopuses[one] == NOWHERE:
            name = say("your {octopus}", octopus=OCTOPUSES[kind_of(one)]) if seat + 1 == state.seat else octopus(options.seat_names, one)
            return say("{octopus} at home", octopus=name)
        return say("{octopus}'s seat in {seat}'s home", octopus=OCTOPUSES[kind_of(one)], seat=options.seat_names[seat])
    return say("{seat}'s home", seat=options.seat_names[seat])


def written(options: Options, state: Position, touched: Touches) -> str:
    """Return the step that the touches mean, legal or not. See `rules.View`."""
    # touches after the end of a step are written too: then nobody takes it for the step
    every = " ".join(touched)
    if state.action is not None and state.action.keeper is not None:
        return f"shower {every}"
    if state.action is not None:
        holder = kind_of(state.action.holder)
        own = _of_own(options, state, holder)
        # a fish that was caught is kept by its button, or by a touch of who has it
        if every in (KEEP, own):
            return f"{OCTOPUSES[holder]} keep"
        return f"{OCTOPUSES[holder]} throw {state.action.fish} {every.removeprefix(own + ' ')}"
    kind = _kind_of_own(options, state, touched[0]) if touched else None
    if kind is not None:
        return f"{OCTOPUSES[kind]} {_deed(options, state, kind, touched)}"
    seats = [NAMES[one] for one in _seats(options, state)]
    if touched and touched[0] in seats:
        # whoever sits there is out
        return f"{OCTOPUSES[seats.index(touched[0])]} escape {NAMES[options.exits[state.seat - 1][0]]}"
    return f"keeper {every}"


def _deed(options: Options, state: Position, kind: int, touched: Touches) -> str:
    here, rest = state.octopuses[piece(state.seat, kind)], touched[1:]
    if here == NOWHERE:
        return f"escape {' '.join(rest) or NAMES[options.exits[state.seat - 1][0]]}"
    match rest:
        case [name, *ends] if name in THROWS:
            return f"throw {THROWS[name]} {' '.join(ends) or NAMES[STEPS[here][0]]}"
        case [name] if name == INK:
            return f"ink {COMPASS[0]}"
        case [name, *ends] if name == INK:
            ways = (way for way in range(len(COMPASS)) if ends in [[NAMES[one]] for one in _ink_ends(state, way)])
            return f"ink {next((COMPASS[way] for way in ways), ' '.join(ends))}"
        case [name] if _is_tank(name):
            return f"steal {name}"
        case [name] if _is_slide(kind, here, name):
            return f"slide {name}"
    return f"move {_path(touched)}"


def _path(touched: Touches) -> str:
    """Return the path of a move. Where it stops short it goes on to some square, for a path has an end."""
    path: list[str] = []
    for name in touched:
        if name in TAKES:
            path[-1] += f"+{TAKES[name]}"
        else:
            path.append(name)
    if len(path) == 1 or touched[-1] in TAKES:
        last = GRID.by_name.get(path[-1].partition("+")[0])
        path += [NAMES[one] for one in STEPS[last][:1]] if last is not None else []
    return "-".join(path)
