"""The events in the aquarium, in words for somebody who was not there.

Octopuses are called by their names, keepers by the sides of the board on which they began.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import TypeAlias, assert_never

from turnserver.games.sneaky_octopuses import happenings as h
from turnserver.games.sneaky_octopuses.board import NAMES, SHOWER_AT
from turnserver.games.sneaky_octopuses.notation import DIRECTIONS, KEEPERS, name_fish, octopus, those, those_fish
from turnserver.games.sneaky_octopuses.position import COLOURS, OCTOPUSES, Piece, Position, kind_of, seat_of
from turnserver.rules.square import Square
from turnserver.text import say

_Detail: TypeAlias = (
    h.LeftBehind | h.PickedUp | h.Landed | h.Caught | h.Scored | h.OctopusHit | h.KeeperHit | h.Sheltered | h.Nabbed | h.Walked
)
"""A happening that is told together with the one that brought it about."""


def tell(seat_names: Sequence[str], after: Position, happened: Sequence[h.Happening]) -> tuple[str, ...]:
    """Return sentences in the order of the happenings, which led to the position `after`. The seats of the table have these names."""
    story = _Story(seat_names, after)
    sentences: list[str] = []
    place = 0
    while place < len(happened):
        # one sentence tells what was done and what came of it
        details = tuple(_details(happened[place + 1 :]))
        sentences += story.sentences(happened[place], details)
        place += 1 + len(details)
    return tuple(sentences)


def _details(happened: Iterable[h.Happening]) -> Iterator[_Detail]:
    for one in happened:
        if not isinstance(one, _Detail):
            return
        yield one


class _Story:
    def __init__(self, seat_names: Sequence[str], after: Position) -> None:
        self._seats = seat_names
        self._after = after

    def sentences(self, one: h.Happening, details: Sequence[_Detail]) -> Iterable[str]:  # noqa: C901, PLR0912  # one branch a happening
        match one:
            case h.Dealt() if self._after.dealt:
                yield say("The fish are dealt into the tanks; one {fish} stays out of the game.", fish=name_fish(_left_out(self._after)))
            case h.Began():
                yield say("{seat} is drawn to begin.", seat=self._seats[one.seat - 1])
            case h.Escaped():
                yield say("{octopus} escapes to {square}.", octopus=self._name(one.octopus), square=NAMES[one.square])
            case h.Moved():
                yield from self._move(one, details)
            case h.RanInto():
                yield say(
                    "{octopus} runs into the {keeper} on {square} and goes home.",
                    octopus=self._name(one.octopus),
                    keeper=KEEPERS[one.keeper],
                    square=NAMES[one.square],
                )
            case h.Stole():
                name, square = self._name(one.octopus), NAMES[one.square]
                yield say("{octopus} steals the {fish} from {square}.", octopus=name, fish=name_fish(one.colour), square=square)
            case h.Threw():
                yield self._throw(one, details)
            case h.Kept():
                yield say("{octopus} keeps the {fish}.", octopus=self._name(one.octopus), fish=name_fish(one.colour))
            case h.Inked():
                yield self._ink(one, details)
            case h.SentToShower():
                yield say("The {keeper} is sent to the shower at {square}.", keeper=KEEPERS[one.keeper], square=NAMES[one.square])
            case h.Heard():
                yield say(
                    "The {keeper} hears a noise on {square} and turns {direction}.",
                    keeper=KEEPERS[one.keeper],
                    square=NAMES[one.noise],
                    direction=DIRECTIONS[one.facing],
                )
            case h.Saw():
                yield self._sight(one, details)
            case h.Rolled():
                yield say("The die shows {number}: {walk}.", number=one.number, walk=self._walk(details))
            case h.Cleared():
                yield say("The {keeper} comes out of the shower to {square}.", keeper=KEEPERS[one.keeper], square=NAMES[one.entrance])
            # only the end of the deal is told; who was named is the player's own step; the rest are details of what came before
            case (
                h.Dealt()
                | h.LeftBehind()
                | h.PickedUp()
                | h.Landed()
                | h.Caught()
                | h.Scored()
                | h.Sheltered()
                | h.OctopusHit()
                | h.KeeperHit()
                | h.Nabbed()
                | h.Nominated()
                | h.Walked()
            ):
                pass
            case _:
                assert_never(one)

    def _name(self, one: Piece) -> str:
        return octopus(self._seats, one)

    def _mate(self, one: Piece, of: Piece) -> str:
        return OCTOPUSES[kind_of(one)] if seat_of(one) == seat_of(of) else self._name(one)

    def _move(self, one: h.Moved, details: Sequence[_Detail]) -> Iterable[str]:
        # fish left at the start come first among the details, before anything is picked up
        left = [
            detail.colour
            for detail in takewhile(lambda detail: isinstance(detail, h.LeftBehind), details)
            if isinstance(detail, h.LeftBehind)
        ]
        handled = details[len(left) :]
        carried = one.carried
        rest: list[str] = []
        for detail, then in pairwise((*handled, None)):
            if isinstance(detail, h.PickedUp):
                # a fish left right after one was picked up was swapped for it
                swapped = then.colour if isinstance(then, h.LeftBehind) else 0
                carried = carried if rest else swapped
                rest.append(_pick_up(detail, swapped))
        yield self._way(one, carried, left)
        yield from rest

    def _way(self, one: h.Moved, carried: int, left: Sequence[int]) -> str:
        name, start, end = self._name(one.octopus), NAMES[one.path[0]], NAMES[one.path[-1]]
        if carried and left:
            return say(
                "{octopus} goes from {start} to {end} with the {fish}, leaving {others} behind.",
                octopus=name,
                start=start,
                end=end,
                fish=name_fish(carried),
                others=those_fish(left),
            )
        if carried:
            return say("{octopus} goes from {start} to {end} with the {fish}.", octopus=name, start=start, end=end, fish=name_fish(carried))
        if left:
            others = those_fish(left)
            return say("{octopus} goes from {start} to {end}, leaving {others} behind.", octopus=name, start=start, end=end, others=others)
        return say("{octopus} goes from {start} to {end}.", octopus=name, start=start, end=end)

    def _throw(self, one: h.Threw, details: Sequence[_Detail]) -> str:
        thrower, thrown = self._name(one.octopus), name_fish(one.colour)
        if one.end is None:
            scored = next(detail for detail in details if isinstance(detail, h.Scored))
            return say(
                "{octopus} throws the {fish} home for {n} point; {seat} has {total} now.",
                "{octopus} throws the {fish} home for {n} points; {seat} has {total} now.",
                octopus=thrower,
                fish=thrown,
                n=scored.count,
                seat=self._seats[scored.seat - 1],
                total=scored.total,
            )
        start, end = NAMES[one.start], NAMES[one.end]
        first = details[0]
        match first:
            case h.Caught() as caught:
                mate = self._mate(caught.octopus, one.octopus)
                if caught.again:
                    return say(
                        "{octopus} throws the {fish} from {start} to {mate} on {end}.",
                        octopus=thrower,
                        fish=thrown,
                        start=start,
                        mate=mate,
                        end=end,
                    )
                return say(
                    "{octopus} throws the {fish} from {start} to {mate} on {end}, who keeps it.",
                    octopus=thrower,
                    fish=thrown,
                    start=start,
                    mate=mate,
                    end=end,
                )
            case h.OctopusHit() as hit:
                return say(
                    "{octopus} throws the {fish} from {start} at {target} on {end}, who goes home.",
                    octopus=thrower,
                    fish=thrown,
                    start=start,
                    target=self._name(hit.octopus),
                    end=end,
                )
            case h.KeeperHit() as hit:
                resting = [NAMES[detail.square] for detail in details if isinstance(detail, h.Landed) and detail.square != one.end]
                return _throw_at_keeper(thrower, thrown, (start, end), hit.keeper, resting)
            case h.Landed() | h.LeftBehind() | h.PickedUp() | h.Scored() | h.Sheltered() | h.Nabbed() | h.Walked():
                return say("{octopus} throws the {fish} from {start} to {end}.", octopus=thrower, fish=thrown, start=start, end=end)
            case _:
                assert_never(first)

    def _ink(self, one: h.Inked, details: Sequence[_Detail]) -> str:
        shooter, direction, start, end = self._name(one.octopus), DIRECTIONS[one.direction], NAMES[one.start], NAMES[one.end]
        first = next(iter(details), None)
        match first:
            case h.OctopusHit() as hit:
                return say(
                    "{octopus} shoots ink {direction} from {start} at {target} on {end}, who goes home.",
                    octopus=shooter,
                    direction=direction,
                    start=start,
                    target=self._mate(hit.octopus, one.octopus),
                    end=end,
                )
            case h.KeeperHit() as hit:
                return say(
                    "{octopus} shoots ink {direction} from {start} at the {keeper} on {end}.",
                    octopus=shooter,
                    direction=direction,
                    start=start,
                    keeper=KEEPERS[hit.keeper],
                    end=end,
                )
            case h.Sheltered() as safe:
                return say(
                    "{octopus} shoots ink {direction} from {start} at {target}, who is safe in the corner {end}.",
                    octopus=shooter,
                    direction=direction,
                    start=start,
                    target=self._mate(safe.octopus, one.octopus),
                    end=end,
                )
            case None | h.LeftBehind() | h.PickedUp() | h.Landed() | h.Caught() | h.Scored() | h.Nabbed() | h.Walked():
                return say(
                    "{octopus} shoots ink {direction} from {start} as far as {end} and hits nobody.",
                    octopus=shooter,
                    direction=direction,
                    start=start,
                    end=end,
                )
            case _:
                assert_never(first)

    def _sight(self, one: h.Saw, details: Sequence[_Detail]) -> str:
        keeper, noise = KEEPERS[one.keeper], NAMES[one.noise]
        if one.to is None:
            return say("The {keeper} sees what is going on at {noise}, but cannot come closer.", keeper=keeper, noise=noise)
        caught = _caught(details)
        if caught is None:
            return say(
                "The {keeper} sees what is going on at {noise} and steps to {square}.", keeper=keeper, noise=noise, square=NAMES[one.to]
            )
        return say(
            "The {keeper} sees what is going on at {noise} and steps to {square} and catches {octopus}.",
            keeper=keeper,
            noise=noise,
            square=NAMES[one.to],
            octopus=self._name(caught),
        )

    def _walk(self, details: Sequence[_Detail]) -> str:
        """Return a clause, to stand behind a colon, about a keeper's walk and a catch."""
        walked = next(detail for detail in details if isinstance(detail, h.Walked))
        walk = _walk_alone(KEEPERS[walked.keeper], *walked.path)
        caught = _caught(details)
        return walk if caught is None else say("{walk} and catches {octopus}", walk=walk, octopus=self._name(caught))


def _pick_up(one: h.PickedUp, swapped: int) -> str:
    square, name, taken = NAMES[one.square], OCTOPUSES[kind_of(one.octopus)], name_fish(one.colour)
    if swapped:
        return say(
            "On {square} {octopus} picks up the {fish} and leaves {other} one there.",
            square=square,
            octopus=name,
            fish=taken,
            other=those(swapped),
        )
    return say("On {square} {octopus} picks up the {fish}.", square=square, octopus=name, fish=taken)


def _throw_at_keeper(thrower: str, thrown: str, way: tuple[str, str], keeper: int, resting: Sequence[str]) -> str:
    """Return a sentence about a throw at a keeper. The fish rests on another square than the keeper's if that is an entrance."""
    start, end = way
    for where in resting:
        return say(
            "{octopus} throws the {fish} from {start} at the {keeper} on {end}; the fish stays on {square}.",
            octopus=thrower,
            fish=thrown,
            start=start,
            keeper=KEEPERS[keeper],
            end=end,
            square=where,
        )
    return say(
        "{octopus} throws the {fish} from {start} at the {keeper} on {end}.",
        octopus=thrower,
        fish=thrown,
        start=start,
        keeper=KEEPERS[keeper],
        end=end,
    )


def _walk_alone(keeper: str, start: Square, *way: Square) -> str:
    if not way:
        if start in SHOWER_AT:
            return say("the {keeper} stays in the shower", keeper=keeper)
        return say("the {keeper} stays on {square}", keeper=keeper, square=NAMES[start])
    *between, end = (NAMES[one] for one in way)
    if not between:
        if start in SHOWER_AT:
            return say("the {keeper} leaves the shower to {end}", keeper=keeper, end=end)
        return say("the {keeper} walks from {start} to {end}", keeper=keeper, start=NAMES[start], end=end)
    passed = " ".join(between)
    if start in SHOWER_AT:
        return say("the {keeper} leaves the shower by {between} to {end}", keeper=keeper, between=passed, end=end)
    return say("the {keeper} walks from {start} by {between} to {end}", keeper=keeper, start=NAMES[start], between=passed, end=end)


def _caught(details: Sequence[_Detail]) -> Piece | None:
    # one octopus at most, for a catch ends the keeper's way
    return next((detail.octopus for detail in details if isinstance(detail, h.Nabbed)), None)


def _left_out(after: Position) -> int:
    # one fish of this colour was not dealt
    return min(COLOURS, key=after.tanks.count)
