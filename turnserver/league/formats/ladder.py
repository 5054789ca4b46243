"""Ladder: players in an order, who challenge those above them for their places.

Everything is a function from a ladder to the next one; instants are arguments. Nobody is ever put off a ladder: a player who lets their
time pass or plays nothing for long stands lower, and that is all. A challenge is a game at once, since everybody who enters a ladder wants
to be challenged on it. To refuse a challenge is to let one's time pass.
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
    """The change of the order when a challenger wins."""

    STEPS_IN = "steps in"
    """The challenger takes the defender's place. The defender and all between them move down by one."""
    SWAPS = "swaps"
    """The two change places."""


LATE: Final = frozenset({Mark.TIMEOUT, Mark.FORFEIT})
"""The marks of a player who lets their time pass, or does not come."""
NOTHING: Final = frozenset({Mark.NO_RESULT, Mark.ANNULLED})


@dataclass(frozen=True, slots=True)
class LadderRules:
    """The rules of a ladder. The player at the top never drops for being idle, under any rules, because there is nobody to challenge."""

    # a player may challenge anybody up to so many places above
    reach: int = 3
    # challenges of their own at once
    games: int = 2
    # challenges of others to be met at once, whatever else a player plays: a challenge of their own is no cover
    defences: int = 2
    # after a challenge that a player has met, nobody may challenge them for so long
    rest: timedelta = timedelta(0)
    winner: Winner = Winner.STEPS_IN
    # a challenger who draws stands right below the defender; else a draw changes nothing
    draw_lifts: bool = False
    # places that a player drops besides, after a loss on time or a forfeit
    late_drop: int = 1
    # a player who plays nothing for so long drops, and again after as long; nobody does if it is None
    idle: timedelta | None = timedelta(days=60)
    # places that an idle player drops
    idle_drop: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError for rules by which nobody could play, and for drops below zero."""
        if min(self.reach, self.games, self.defences) < 1 or min(self.late_drop, self.idle_drop) < 0:
            raise ValueError("reach, games and defences are one at least, and nobody drops by less than nothing")
        if self.idle is not None and self.idle <= timedelta(0):
            raise ValueError("being idle takes some time")


class Rung(NamedTuple):
    """A player, the instant since which they are idle if they play nothing, and when they last met a challenge, if they have."""

    player: PlayerId
    idle_since: datetime
    defended: datetime | None = None


class LadderChallenge(NamedTuple):
    """A challenge: the meeting, the challenger, and the defender of the place."""

    meeting: int
    challenger: PlayerId
    defender: PlayerId


@dataclass(frozen=True, slots=True)
class Ladder:
    """The players, the first at the top, and the challenges that are being played, the oldest first."""

    rungs: tuple[Rung, ...] = ()
    claims: tuple[LadderChallenge, ...] = ()

    @property
    def order(self) -> tuple[PlayerId, ...]:
        """The players, the first at the top."""
        return tuple(rung.player for rung in self.rungs)


def begun(players: Sequence[PlayerId], now: datetime) -> Ladder:
    """Return a ladder of these players, the first at the top."""
    return Ladder(tuple(Rung(player, now) for player in players))


def join(ladder: Ladder, player: PlayerId, now: datetime) -> Ladder:
    """Return the ladder with a player at the bottom. A player who is on it keeps their place."""
    return ladder if player in ladder.order else replace(ladder, rungs=(*ladder.rungs, Rung(player, now)))


def leave(ladder: Ladder, player: PlayerId, now: datetime) -> Ladder:
    """Return the ladder without a player and the player's challenges. Those below move up, and the opponents are idle from `now`."""
    others = frozenset(one for claim in ladder.claims if player in claim[1:] for one in claim[1:])
    rungs = (rung._replace(idle_since=now) if rung.player in others else rung for rung in ladder.rungs if rung.player != player)
    return Ladder(tuple(rungs), tuple(claim for claim in ladder.claims if player not in claim[1:]))


def check(ladder: Ladder, rules: LadderRules, challenger: PlayerId, defender: PlayerId, now: datetime) -> None:
    """Raise NotAllowed, with a sentence for the challenger, if they may not challenge the defender now. Both are on the ladder.

    Its codes are `not_above`, `out_of_reach`, `open_already`, `too_many_games`, `too_many_defences` and `resting`.
    """
    order = ladder.order
    above = order.index(challenger) - order.index(defender)
    if above <= 0:
        raise NotAllowed("not_above", say("You can only challenge players above you."))
    if above > rules.reach:
        raise NotAllowed(
            "out_of_reach",
            say(
                "You can challenge players up to {n} place above you, and this one is {above} above you.",
                "You can challenge players up to {n} places above you, and this one is {above} above you.",
                n=rules.reach,
                above=above,
            ),
        )
    if any({challenger, defender} == {*claim[1:]} for claim in ladder.claims):
        raise NotAllowed("open_already", say("You two have a challenge going already. Finish that first."))
    if sum(claim.challenger == challenger for claim in ladder.claims) >= rules.games:
        raise NotAllowed(
            "too_many_games",
            say(
                "You can have {n} challenge of your own at a time. Finish it first.",
                "You can have {n} challenges of your own at a time. Finish one of them first.",
                n=rules.games,
            ),
        )
    if sum(claim.defender == defender for claim in ladder.claims) >= rules.defences:
        message = say("This player has as many challenges as anybody has to play at a time. Choose another player, or wait.")
        raise NotAllowed("too_many_defences", message)
    if _rests(ladder.rungs[order.index(defender)], rules, now):
        raise NotAllowed(
            "resting",
            say(
                "This player has just played a challenge and rests for {n} day. Choose another player, or wait.",
                "This player has just played a challenge and rests for {n} days. Choose another player, or wait.",
                n=rules.rest.days,
            ),
        )


def challenged(ladder: Ladder, claim: LadderChallenge) -> Ladder:
    """Return the ladder with one challenge more. The caller has checked that it is allowed."""
    return replace(ladder, claims=(*ladder.claims, claim))


def challenger_is_first(challenger: History, defender: History, *, lot: bool) -> bool:
    """Return whether the challenger moves first, by the games of both on this ladder so far. `lot` decides if nothing else does."""
    return not higher_is_first(defender, challenger, odd=not lot)


def over(ladder: Ladder, rules: LadderRules, meeting: int, marks: tuple[Mark, Mark], now: datetime) -> Ladder:
    """Return the ladder after a meeting that ended `now`. `marks` are the challenger's and the defender's.

    The order of now counts: a challenger who stands above the defender meanwhile has nothing to win. A meeting without a result changes
    nothing but that it is over. A meeting that is over already, because somebody left, changes nothing at all.
    """
    claim = next((claim for claim in ladder.claims if claim.meeting == meeting), None)
    if claim is None:
        return ladder
    found = _raised(_closed(ladder, claim, marks, now), rules, claim, marks[0])
    for player, mark in zip(claim[1:], marks, strict=True):
        if mark in LATE:
            found = _dropped(found, player, rules.late_drop)
    return found


def next_idle(ladder: Ladder, rules: LadderRules) -> tuple[datetime, tuple[PlayerId, ...]] | None:
    """Return when idle players drop next, and those players, the highest first. None if nobody will."""
    busy = {player for claim in ladder.claims for player in claim[1:]}
    # a player with a running challenge is not idle, and neither is the one at the top
    since = {rung.player: rung.idle_since for rung in ladder.rungs[1:] if rung.player not in busy}
    if rules.idle is None or not rules.idle_drop or not since:
        return None
    first = min(since.values())
    return first + rules.idle, tuple(player for player, instant in since.items() if instant == first)


def sunk(ladder: Ladder, rules: LadderRules, players: Sequence[PlayerId], now: datetime) -> Ladder:
    """Return the ladder after idle `players` have dropped `now`. They keep their order, and everybody else may pass them."""
    rungs, idle = list(ladder.rungs), frozenset(players)
    floor = len(rungs)
    # From the bottom up, and never below one who has dropped just now: so they keep their order.
    for at in reversed(range(len(rungs))):
        if rungs[at].player in idle:
            floor = min(at + rules.idle_drop, floor - 1)
            rungs.insert(floor, rungs.pop(at)._replace(idle_since=now))
    return replace(ladder, rungs=tuple(rungs))


def stood(ladder: Ladder, since: datetime, now: datetime) -> Ladder:
    """Return the ladder after a pause from `since` to `now`: what was before is later by its length, and what happened in it is now."""

    def moved(instant: datetime) -> datetime:
        return min(instant + (now - since), now)

    rungs = (
        Rung(rung.player, moved(rung.idle_since), moved(rung.defended) if rung.defended is not None else None) for rung in ladder.rungs
    )
    return replace(ladder, rungs=tuple(rungs))


def _rests(rung: Rung, rules: LadderRules, now: datetime) -> bool:
    return rung.defended is not None and now < rung.defended + rules.rest


def _closed(ladder: Ladder, claim: LadderChallenge, marks: tuple[Mark, Mark], now: datetime) -> Ladder:
    """Return the ladder without that challenge. Both players were busy until `now`, and a defender who has met it has a rest."""
    met = marks[1] not in LATE | NOTHING
    rungs = []
    for rung in ladder.rungs:
        defended = now if met and rung.player == claim.defender else rung.defended
        rungs.append(Rung(rung.player, now, defended) if rung.player in claim[1:] else rung)
    return Ladder(tuple(rungs), tuple(each for each in ladder.claims if each != claim))


def _raised(ladder: Ladder, rules: LadderRules, claim: LadderChallenge, mark: Mark) -> Ladder:
    """Return the ladder with the places that the challenger has won."""
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
    at = ladder.order.index(player)
    return _moved(ladder, at, at + places)


def _moved(ladder: Ladder, of: int, to: int) -> Ladder:
    rungs = list(ladder.rungs)
    # a place below the last one is the last
    rungs.insert(to, rungs.pop(of))
    return replace(ladder, rungs=tuple(rungs))


@dataclass(frozen=True, slots=True)
class Joined:
    """A player who joined."""

    player: PlayerId
    at: datetime


@dataclass(frozen=True, slots=True)
class Left:
    """A player who left."""

    player: PlayerId
    at: datetime


@dataclass(frozen=True, slots=True)
class ChallengeMadeAt:
    """A challenge that was made."""

    claim: LadderChallenge
    at: datetime


@dataclass(frozen=True, slots=True)
class ChallengeOver:
    """A meeting that ended, with the marks of the challenger and the defender."""

    meeting: int
    marks: tuple[Mark, Mark]
    at: datetime


@dataclass(frozen=True, slots=True)
class Sunk:
    """Players who dropped because they had played nothing for long."""

    players: tuple[PlayerId, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Stood:
    """The end of a pause that began at `since`: nobody was idle or had a rest meanwhile."""

    since: datetime
    at: datetime


Step: TypeAlias = Stood | Joined | Left | ChallengeMadeAt | ChallengeOver | Sunk


@dataclass(frozen=True, slots=True)
class Climb:
    """The history of a ladder: its `start`, the `steps` in the order of their instants, and the ladder after them."""

    rules: LadderRules
    start: Ladder
    ladder: Ladder
    steps: tuple[Step, ...] = ()


def after(climb: Climb, step: Step) -> Climb:
    """Return the history one step later. The end of a meeting is put at its instant; no other step goes before earlier ones."""
    step = replace(step, at=max(step.at, _earliest(climb, step)))
    place = bisect_right(climb.steps, step.at, key=lambda each: each.at)
    # The usual case. Without it, each step of a long season would play the whole history again.
    if place == len(climb.steps):
        return replace(climb, ladder=stepped(climb.rules, climb.ladder, step), steps=(*climb.steps, step))
    return _again(climb, (*climb.steps[:place], step, *climb.steps[place:]))


def corrected(climb: Climb, meeting: int, marks: tuple[Mark, Mark]) -> Climb:
    """Return the history with another result of a meeting that is over, at the instant of the first result."""
    return _again(climb, tuple(ChallengeOver(meeting, marks, step.at) if _ends(step, meeting) else step for step in climb.steps))


def reopened(climb: Climb, meeting: int) -> Climb:
    """Return the history without the end of a meeting, which goes on."""
    return _again(climb, tuple(step for step in climb.steps if not _ends(step, meeting)))


def returned(climb: Climb, player: PlayerId) -> Climb:
    """Return the history as if a player had not left the last time: they stand where they would stand, with their challenges."""
    at = max((number for number, step in enumerate(climb.steps) if isinstance(step, Left) and step.player == player), default=None)
    return climb if at is None else _again(climb, (*climb.steps[:at], *climb.steps[at + 1 :]))


def replayed(climb: Climb) -> Ladder:
    """Return the ladder after all steps, one after another."""
    return reduce(lambda ladder, step: stepped(climb.rules, ladder, step), climb.steps, climb.start)


def stepped(rules: LadderRules, ladder: Ladder, step: Step) -> Ladder:
    """Return the ladder one step later."""
    match step:
        case Stood():
            return stood(ladder, step.since, step.at)
        case Joined():
            return join(ladder, step.player, step.at)
        case Left():
            return leave(ladder, step.player, step.at)
        case ChallengeMadeAt():
            return challenged(ladder, step.claim)
        case ChallengeOver():
            return over(ladder, rules, step.meeting, step.marks, step.at)
        case Sunk():
            return sunk(ladder, rules, step.players, step.at)
        case _:
            assert_never(step)


def _again(climb: Climb, steps: tuple[Step, ...]) -> Climb:
    found = replace(climb, steps=steps)
    return replace(found, ladder=replayed(found))


def _ends(step: Step, meeting: int) -> bool:
    return isinstance(step, ChallengeOver) and step.meeting == meeting


def _earliest(climb: Climb, step: Step) -> datetime:
    # a meeting cannot end before its challenge; any other step stays behind what the log has before it
    for each in reversed(climb.steps):
        is_own = isinstance(each, ChallengeMadeAt) and isinstance(step, ChallengeOver) and each.claim.meeting == step.meeting
        if is_own or not (isinstance(step, ChallengeOver) or isinstance(each, ChallengeOver)):
            return each.at
    return step.at
