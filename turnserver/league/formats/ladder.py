"""Ladder: players in an order, who challenge those above them for their places.

Everything is a function from a ladder to the next one; instants are arguments. Nobody is ever put off a ladder: whoever lets his time pass
or plays nothing for long stands lower, and that is all. A challenge is a game at once, since whoever enters a ladder wants to be challenged
on it; to refuse one is to let its time pass.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import reduce
from typing import Final, NamedTuple, TypeAlias, assert_never

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league.formats.swiss import History, higher_is_first
from turnserver.league.scoring.marks import WON, Mark
from turnserver.text import say


class Winner(StrEnum):
    """What a challenger who wins does to the order."""

    STEPS_IN = "steps in"
    """He takes the place of whom he has challenged, who moves down by one, as do all between them."""
    SWAPS = "swaps"
    """The two change places."""


LATE: Final = frozenset({Mark.TIMEOUT, Mark.FORFEIT})
"""What it is to a player if he lets his time pass, or does not come."""
NOTHING: Final = frozenset({Mark.NO_RESULT, Mark.ANNULLED})


@dataclass(frozen=True, slots=True)
class Rules:
    """How a ladder is played.

    One may challenge whoever stands up to `reach` places above, and have `games` challenges of his own at once. Of others he has to meet
    `defences` at once, whatever else he plays: a challenge of his own is no cover; and after each that he has met, nobody may challenge him
    for the time of `rest`. `draw_lifts`: a challenger who draws stands right below whom he has challenged; else a draw changes nothing.
    Besides what the challenger wins, whoever loses on time or forfeits drops `late_drop` places. Whoever plays nothing for `idle` drops
    `idle_drop`, and again after as long; nobody does if that is None, and never who stands at the top, as he has nobody to challenge.
    """

    reach: int = 3
    games: int = 2
    defences: int = 2
    rest: timedelta = timedelta(0)
    winner: Winner = Winner.STEPS_IN
    draw_lifts: bool = False
    late_drop: int = 1
    idle: timedelta | None = timedelta(days=60)
    idle_drop: int = 1

    def __post_init__(self) -> None:
        """Raises ValueError for rules by which nobody could play, and for drops that are none."""
        if min(self.reach, self.games, self.defences) < 1 or min(self.late_drop, self.idle_drop) < 0:
            raise ValueError("reach, games and defences are one at least, and nobody drops by less than nothing")
        if self.idle is not None and self.idle <= timedelta(0):
            raise ValueError("being idle takes some time")


class Rung(NamedTuple):
    """A player, since when he has been idle if he plays nothing, and when he last met a challenge, if he has."""

    player: PlayerId
    idle_since: datetime
    defended: datetime | None = None


class Claim(NamedTuple):
    """Who wants the place of whom, and in which meeting they play for it."""

    meeting: int
    challenger: PlayerId
    defender: PlayerId


@dataclass(frozen=True, slots=True)
class Ladder:
    """The players, the first at the top, and the challenges that are being played, the oldest first."""

    rungs: tuple[Rung, ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def order(self) -> tuple[PlayerId, ...]:
        """The players, the first at the top."""
        return tuple(rung.player for rung in self.rungs)


def begun(players: Sequence[PlayerId], now: datetime) -> Ladder:
    """A ladder of these players, the first at the top."""
    return Ladder(tuple(Rung(player, now) for player in players))


def join(ladder: Ladder, player: PlayerId, now: datetime) -> Ladder:
    """The ladder with a player at the bottom; whoever is on it keeps his place."""
    return ladder if player in ladder.order else replace(ladder, rungs=(*ladder.rungs, Rung(player, now)))


def leave(ladder: Ladder, player: PlayerId, now: datetime) -> Ladder:
    """The ladder without a player who wants to go, and without his challenges; those below move up, and his opponents are idle from now."""
    others = frozenset(one for claim in ladder.claims if player in claim[1:] for one in claim[1:])
    rungs = (rung._replace(idle_since=now) if rung.player in others else rung for rung in ladder.rungs if rung.player != player)
    return Ladder(tuple(rungs), tuple(claim for claim in ladder.claims if player not in claim[1:]))


def check(ladder: Ladder, rules: Rules, challenger: PlayerId, defender: PlayerId, now: datetime) -> None:
    """Raises NotAllowed, with a sentence for the challenger, if he may not challenge that player now; both are on the ladder.

    Its codes are `not_above`, `out_of_reach`, `open_already`, `too_many_games`, `too_many_defences` and `resting`.
    """
    order = ladder.order
    above = order.index(challenger) - order.index(defender)
    if above <= 0:
        raise NotAllowed("not_above", say("You can challenge only players who stand above you."))
    if above > rules.reach:
        raise NotAllowed(
            "out_of_reach",
            say(
                "You can challenge players up to {n} place above you; this one stands {above} above you.",
                "You can challenge players up to {n} places above you; this one stands {above} above you.",
                n=rules.reach,
                above=above,
            ),
        )
    if any({challenger, defender} == {*claim[1:]} for claim in ladder.claims):
        raise NotAllowed("open_already", say("There is a challenge between the two of you already. Play that to its end first."))
    if sum(claim.challenger == challenger for claim in ladder.claims) >= rules.games:
        raise NotAllowed(
            "too_many_games",
            say(
                "You may have {n} challenge of yours at a time. Play it to its end first.",
                "You may have {n} challenges of yours at a time. Play one of them to its end first.",
                n=rules.games,
            ),
        )
    if sum(claim.defender == defender for claim in ladder.claims) >= rules.defences:
        told = say("This player has as many challenges as a player has to meet at a time. Choose another one, or wait.")
        raise NotAllowed("too_many_defences", told)
    if _rests(ladder.rungs[order.index(defender)], rules, now):
        raise NotAllowed(
            "resting",
            say(
                "This player has just met a challenge, and has {n} day of rest. Choose another one, or wait.",
                "This player has just met a challenge, and has {n} days of rest. Choose another one, or wait.",
                n=rules.rest.days,
            ),
        )


def open_to(ladder: Ladder, rules: Rules, challenger: PlayerId, now: datetime) -> tuple[PlayerId, ...]:
    """Whom a player on the ladder may challenge now, the highest first."""
    order = ladder.order
    at = order.index(challenger)
    return tuple(one for one in order[max(at - rules.reach, 0) : at] if _allowed(ladder, rules, challenger, one, now))


def challenged(ladder: Ladder, claim: Claim) -> Ladder:
    """The ladder with one challenge more; whether it is allowed has been checked."""
    return replace(ladder, claims=(*ladder.claims, claim))


def challenger_is_first(challenger: History, defender: History, *, lot: bool) -> bool:
    """Whether the challenger moves first, by what the two have had so far on this ladder; the `lot` says so if nothing else decides."""
    return not higher_is_first(defender, challenger, odd=not lot)


def over(ladder: Ladder, rules: Rules, meeting: int, marks: tuple[Mark, Mark], now: datetime) -> Ladder:
    """The ladder after a meeting that ended `now`; `marks` are what it was to the challenger and to the other.

    Places are those of now: if the challenger stands above the other meanwhile, he has nothing to win. A meeting without a result changes
    nothing but that it is over. One that is over already, as somebody has left, changes nothing at all.
    """
    claim = next((claim for claim in ladder.claims if claim.meeting == meeting), None)
    if claim is None:
        return ladder
    found = _raised(_closed(ladder, claim, marks, now), rules, claim, marks[0])
    for player, mark in zip(claim[1:], marks, strict=True):
        if mark in LATE:
            found = _dropped(found, player, rules.late_drop)
    return found


def next_idle(ladder: Ladder, rules: Rules) -> tuple[datetime, tuple[PlayerId, ...]] | None:
    """When somebody drops next who plays nothing until then, and who does, the highest first; None if nobody will."""
    busy = {player for claim in ladder.claims for player in claim[1:]}
    since = {rung.player: rung.idle_since for rung in ladder.rungs[1:] if rung.player not in busy}
    if rules.idle is None or not rules.idle_drop or not since:
        return None
    first = min(since.values())
    return first + rules.idle, tuple(player for player, instant in since.items() if instant == first)


def sunk(ladder: Ladder, rules: Rules, players: Sequence[PlayerId], now: datetime) -> Ladder:
    """The ladder after players have dropped `now` who have been idle. They keep their order, and everybody else may pass."""
    rungs, those = list(ladder.rungs), frozenset(players)
    floor = len(rungs)
    for at in reversed(range(len(rungs))):
        if rungs[at].player in those:
            floor = min(at + rules.idle_drop, floor - 1)
            rungs.insert(floor, rungs.pop(at)._replace(idle_since=now))
    return replace(ladder, rungs=tuple(rungs))


def _rests(rung: Rung, rules: Rules, now: datetime) -> bool:
    return rung.defended is not None and now < rung.defended + rules.rest


def _allowed(ladder: Ladder, rules: Rules, challenger: PlayerId, defender: PlayerId, now: datetime) -> bool:
    try:
        check(ladder, rules, challenger, defender, now)
    except NotAllowed:
        return False
    return True


def _closed(ladder: Ladder, claim: Claim, marks: tuple[Mark, Mark], now: datetime) -> Ladder:
    """Without that challenge; both have been busy until now, and who has met it has a rest."""
    met = marks[1] not in LATE | NOTHING
    rungs = []
    for rung in ladder.rungs:
        defended = now if met and rung.player == claim.defender else rung.defended
        rungs.append(Rung(rung.player, now, defended) if rung.player in claim[1:] else rung)
    return Ladder(tuple(rungs), tuple(each for each in ladder.claims if each != claim))


def _raised(ladder: Ladder, rules: Rules, claim: Claim, mark: Mark) -> Ladder:
    """With what the challenger has won."""
    order = ladder.order
    of, to = order.index(claim.challenger), order.index(claim.defender)
    if of < to:
        return ladder
    if mark in WON and rules.winner is Winner.SWAPS:
        rungs = list(ladder.rungs)
        rungs[of], rungs[to] = rungs[to], rungs[of]
        return replace(ladder, rungs=tuple(rungs))
    if mark in WON:
        return _moved(ladder, of, to)
    if mark is Mark.DRAW and rules.draw_lifts:
        return _moved(ladder, of, to + 1)
    return ladder


def _dropped(ladder: Ladder, player: PlayerId, places: int) -> Ladder:
    """With a player so many places lower, or at the bottom."""
    at = ladder.order.index(player)
    return _moved(ladder, at, at + places)


def _moved(ladder: Ladder, of: int, to: int) -> Ladder:
    rungs = list(ladder.rungs)
    rungs.insert(to, rungs.pop(of))
    return replace(ladder, rungs=tuple(rungs))


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
