"""A ladder and all that has made it so, from which it is made again when a result changes or becomes known late.

The order of a ladder depends on what happened before what. A meeting is over when its result says so, even if that becomes known after
somebody else has played, joined or left; everything else happens in the order of the log.
"""

from bisect import bisect_right
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from typing import TypeAlias, assert_never

from turnserver.ids import PlayerId
from turnserver.league.formats.ladder import Claim, Ladder, Rules, challenged, join, leave, over, sunk
from turnserver.league.scoring.marks import Mark


@dataclass(frozen=True, slots=True)
class Joined:
    """A player has come."""

    player: PlayerId
    at: datetime


@dataclass(frozen=True, slots=True)
class Left:
    """A player has gone."""

    player: PlayerId
    at: datetime


@dataclass(frozen=True, slots=True)
class Made:
    """A challenge was made."""

    claim: Claim
    at: datetime


@dataclass(frozen=True, slots=True)
class Over:
    """A meeting has come to an end: what it was to the challenger and to the other."""

    meeting: int
    marks: tuple[Mark, Mark]
    at: datetime


@dataclass(frozen=True, slots=True)
class Sunk:
    """Players have dropped who had played nothing for long."""

    players: tuple[PlayerId, ...]
    at: datetime


Step: TypeAlias = Joined | Left | Made | Over | Sunk


@dataclass(frozen=True, slots=True)
class Climb:
    """A ladder that began as `start`, the `steps` that it has come by in the order of their instants, and what it is after them."""

    rules: Rules
    start: Ladder
    ladder: Ladder
    steps: tuple[Step, ...] = ()


def after(climb: Climb, step: Step) -> Climb:
    """One step later. The end of a meeting stands at its instant among the others; nothing else goes back before what was there."""
    step = replace(step, at=max(step.at, _earliest(climb, step)))
    place = bisect_right(climb.steps, step.at, key=lambda each: each.at)
    if place == len(climb.steps):
        return replace(climb, ladder=stepped(climb.rules, climb.ladder, step), steps=(*climb.steps, step))
    return _again(climb, (*climb.steps[:place], step, *climb.steps[place:]))


def corrected(climb: Climb, meeting: int, marks: tuple[Mark, Mark]) -> Climb:
    """With another result of a meeting that is over, at the instant of the first one."""
    return _again(climb, tuple(Over(meeting, marks, step.at) if _ends(step, meeting) else step for step in climb.steps))


def reopened(climb: Climb, meeting: int) -> Climb:
    """With a meeting that is played on after all."""
    return _again(climb, tuple(step for step in climb.steps if not _ends(step, meeting)))


def replayed(climb: Climb) -> Ladder:
    """What the steps make of the start, one after another: the ladder that it is."""
    return reduce(lambda ladder, step: stepped(climb.rules, ladder, step), climb.steps, climb.start)


def stepped(rules: Rules, ladder: Ladder, step: Step) -> Ladder:
    """The ladder one step later."""
    match step:
        case Joined():
            return join(ladder, step.player, step.at)
        case Left():
            return leave(ladder, step.player, step.at)
        case Made():
            return challenged(ladder, step.claim)
        case Over():
            return over(ladder, rules, step.meeting, step.marks, step.at)
        case Sunk():
            return sunk(ladder, rules, step.players, step.at)
        case _:
            assert_never(step)


def _again(climb: Climb, steps: tuple[Step, ...]) -> Climb:
    found = replace(climb, steps=steps)
    return replace(found, ladder=replayed(found))


def _ends(step: Step, meeting: int) -> bool:
    return isinstance(step, Over) and step.meeting == meeting


def _earliest(climb: Climb, step: Step) -> datetime:
    """Before which instant a step cannot be: a meeting's end before its challenge, anything else before what the log has before it."""
    for each in reversed(climb.steps):
        is_own = isinstance(each, Made) and isinstance(step, Over) and each.claim.meeting == step.meeting
        if is_own or not (isinstance(step, Over) or isinstance(each, Over)):
            return each.at
    return step.at
