"""What happens in the aquarium, in words for somebody who was not there.

Octopuses are called by their names, keepers by the sides of the board on which they began.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from typing import Final, TypeAlias

from turnserver.games.sneaky_octopuses.board import COMPASS, NAMES, SHOWER_AT
from turnserver.games.sneaky_octopuses.happenings import (
    Began,
    Caught,
    Cleared,
    Dealt,
    Escaped,
    Happening,
    Heard,
    Inked,
    KeeperHit,
    Kept,
    Landed,
    LeftBehind,
    Moved,
    Nabbed,
    OctopusHit,
    PickedUp,
    RanInto,
    Rolled,
    Saw,
    Scored,
    SentToShower,
    Sheltered,
    Stole,
    Threw,
    Walked,
)
from turnserver.games.sneaky_octopuses.position import COLOURS, FISH, KEEPERS, OCTOPUSES, Piece, Position, kind_of, seat_of
from turnserver.words import listing

_Detail: TypeAlias = LeftBehind | PickedUp | Landed | Caught | Scored | OctopusHit | KeeperHit | Sheltered | Nabbed | Walked
"""What is told together with the happening that brought it about."""

_COUNTS: Final = ("no", "one", "two", "three", "four", "five")
_LISTED: Final = 3


def tell(seat_names: Sequence[str], after: Position, happened: Sequence[Happening]) -> tuple[str, ...]:
    """Sentences in the order of the happenings, which led to the position `after`, at a table whose seats have these names."""
    story = _Story(seat_names, after)
    sentences: list[str] = []
    place = 0
    while place < len(happened):
        details = tuple(takewhile(lambda one: isinstance(one, _Detail), happened[place + 1 :]))
        sentences += story.sentences(happened[place], details)
        place += 1 + len(details)
    return tuple(sentences)


class _Story:
    def __init__(self, seat_names: Sequence[str], after: Position) -> None:
        self._seats = seat_names
        self._after = after

    def sentences(self, one: Happening, details: Sequence[Happening]) -> Iterable[str]:  # noqa: C901, PLR0912  # one branch a happening
        match one:
            case Dealt() if self._after.dealt:
                yield f"The fish are dealt into the tanks; one {_left_out(self._after)} fish stays out of the game."
            case Began():
                yield f"{self._seats[one.seat - 1]} is drawn to begin."
            case Escaped():
                yield f"{self._name(one.octopus)} escapes to {NAMES[one.square]}."
            case Moved():
                yield from self._move(one, details)
            case RanInto():
                yield f"{self._name(one.octopus)} runs into {_keeper(one.keeper)} on {NAMES[one.square]} and goes home."
            case Stole():
                yield f"{self._name(one.octopus)} steals the {FISH[one.colour]} fish from {NAMES[one.square]}."
            case Threw():
                yield f"{self._name(one.octopus)} throws the {FISH[one.colour]} fish {self._flight(one, details)}."
            case Kept():
                yield f"{self._name(one.octopus)} keeps the {FISH[one.colour]} fish."
            case Inked():
                yield f"{self._name(one.octopus)} shoots ink {COMPASS[one.direction]} from {NAMES[one.start]} {self._jet(one, details)}."
            case SentToShower():
                yield f"{_capital(_keeper(one.keeper))} is sent to the shower at {NAMES[one.square]}."
            case Heard():
                yield f"{_capital(_keeper(one.keeper))} hears a noise on {NAMES[one.noise]} and turns {COMPASS[one.facing]}."
            case Saw():
                yield f"{_capital(_keeper(one.keeper))} sees what is going on at {NAMES[one.noise]}{self._approach(one, details)}."
            case Rolled():
                yield f"The die shows {one.number}: {self._walk(details)}."
            case Cleared():
                yield f"{_capital(_keeper(one.keeper))} comes out of the shower to {NAMES[one.entrance]}."
            case _:
                pass

    def _name(self, one: Piece) -> str:
        return f"{self._seats[seat_of(one) - 1]}'s {OCTOPUSES[kind_of(one)]}"

    def _mate(self, one: Piece, of: Piece) -> str:
        return OCTOPUSES[kind_of(one)] if seat_of(one) == seat_of(of) else self._name(one)

    def _move(self, one: Moved, details: Sequence[Happening]) -> Iterable[str]:
        left = [
            detail.colour for detail in takewhile(lambda detail: isinstance(detail, LeftBehind), details) if isinstance(detail, LeftBehind)
        ]
        handled = details[len(left) :]
        carried = one.carried
        rest: list[str] = []
        for detail, then in pairwise((*handled, None)):
            if isinstance(detail, PickedUp):
                swapped = then.colour if isinstance(then, LeftBehind) else 0
                carried = carried if rest else swapped
                instead = f" and leaves the {FISH[swapped]} one there" if swapped else ""
                rest.append(
                    f"On {NAMES[detail.square]} {OCTOPUSES[kind_of(one.octopus)]} picks up the {FISH[detail.colour]} fish{instead}."
                )
        taking = f" with the {FISH[carried]} fish" if carried else ""
        leaving = f", leaving {_fish(left)} behind" if left else ""
        yield f"{self._name(one.octopus)} goes from {NAMES[one.path[0]]} to {NAMES[one.path[-1]]}{taking}{leaving}."
        yield from rest

    def _flight(self, one: Threw, details: Sequence[Happening]) -> str:
        if one.end is None:
            scored = next(detail for detail in details if isinstance(detail, Scored))
            points = "1 point" if scored.count == 1 else f"{scored.count} points"
            return f"home for {points}; {self._seats[scored.seat - 1]} has {scored.total} now"
        way, end = f"from {NAMES[one.start]}", NAMES[one.end]
        match details[0]:
            case Caught() as caught:
                return f"{way} to {self._mate(caught.octopus, one.octopus)} on {end}{'' if caught.again else ', who keeps it'}"
            case OctopusHit() as hit:
                return f"{way} at {self._name(hit.octopus)} on {end}, who goes home"
            case KeeperHit() as hit:
                resting = [NAMES[detail.square] for detail in details if isinstance(detail, Landed) and detail.square != one.end]
                return f"{way} at {_keeper(hit.keeper)} on {end}{''.join(f'; the fish stays on {where}' for where in resting)}"
            case _:
                return f"{way} to {end}"

    def _jet(self, one: Inked, details: Sequence[Happening]) -> str:
        end = NAMES[one.end]
        match next(iter(details), None):
            case OctopusHit() as hit:
                return f"at {self._mate(hit.octopus, one.octopus)} on {end}, who goes home"
            case KeeperHit() as hit:
                return f"at {_keeper(hit.keeper)} on {end}"
            case Sheltered() as safe:
                return f"at {self._mate(safe.octopus, one.octopus)}, who is safe in the corner {end}"
            case _:
                return f"as far as {end} and hits nobody"

    def _catch(self, details: Sequence[Happening]) -> str:
        return "".join(f" and catches {self._name(detail.octopus)}" for detail in details if isinstance(detail, Nabbed))

    def _approach(self, one: Saw, details: Sequence[Happening]) -> str:
        return ", but cannot come closer" if one.to is None else f" and steps to {NAMES[one.to]}{self._catch(details)}"

    def _walk(self, details: Sequence[Happening]) -> str:
        walked = next(detail for detail in details if isinstance(detail, Walked))
        who, (start, *way) = _keeper(walked.keeper), walked.path
        if not way:
            return f"{who} stays {'in the shower' if start in SHOWER_AT else f'on {NAMES[start]}'}"
        verb = "leaves the shower" if start in SHOWER_AT else f"walks from {NAMES[start]}"
        return f"{who} {verb}{''.join(f' by {NAMES[one]}' for one in way[:-1])} to {NAMES[way[-1]]}{self._catch(details)}"


def _keeper(number: int) -> str:
    return f"the {KEEPERS[number]} keeper"


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _fish(colours: Sequence[int]) -> str:
    """`the red and the two black fish`; of more than three colours only how many."""
    counts = sorted(Counter(colours).items())
    if len(counts) > _LISTED:
        return f"{len(colours)} fish"
    names = [f"the {_COUNTS[count]} {FISH[colour]}" if count > 1 else f"the {FISH[colour]}" for colour, count in counts]
    return f"{listing(names, 'and')} fish"


def _left_out(after: Position) -> str:
    """The name of the colour of which one fish was not dealt."""
    return FISH[min(COLOURS, key=after.tanks.count)]
