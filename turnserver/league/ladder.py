"""Ladder: players in an order, who challenge those above them for their places.

Everything is a function from a ladder to the next one; instants are arguments. Nobody is ever put off a ladder: whoever refuses, lets his
time pass or plays nothing for long stands lower, and that is all.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from turnserver.envelope import PlayerId
from turnserver.errors import NotAllowed
from turnserver.league.firsts import History, higher_is_first
from turnserver.league.marks import WON, Mark
from turnserver.words import say


class Winner(StrEnum):
    """What a challenger who wins does to the order."""

    STEPS_IN = "steps in"
    """He takes the place of whom he has challenged, who moves down by one, as do all between them."""
    SWAPS = "swaps"
    """The two change places."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a ladder is played.

    One may challenge whoever stands up to `reach` places above, and have `games` challenges of his own at once. Of others he has to meet
    `defences` at once, whatever else he plays: a challenge of his own is no cover. `draw_lifts`: a challenger who draws stands right below
    whom he has challenged; else a draw changes nothing. Besides what the challenger wins, whoever loses on time drops `timeout_drop` places
    and whoever refuses what he has to meet `refusal_drop`. Whoever plays nothing for `idle` drops `idle_drop`, and again after as long.
    """

    reach: int = 3
    games: int = 2
    defences: int = 2
    winner: Winner = Winner.STEPS_IN
    draw_lifts: bool = False
    timeout_drop: int = 0
    refusal_drop: int = 0
    idle: timedelta = timedelta(days=60)
    idle_drop: int = 1

    def __post_init__(self) -> None:
        """Raises ValueError for rules by which nobody could play, and for drops that are none."""
        if min(self.reach, self.games, self.defences) < 1 or min(self.timeout_drop, self.refusal_drop, self.idle_drop) < 0:
            raise ValueError("reach, games and defences are one at least, and nobody drops by less than nothing")
        if self.idle <= timedelta(0):
            raise ValueError("being idle takes some time")


class Rung(NamedTuple):
    """A player, and since when he has been idle if he plays nothing."""

    player: PlayerId
    idle_since: datetime


class Challenge(NamedTuple):
    """Who wants the place of whom."""

    challenger: PlayerId
    defender: PlayerId


@dataclass(frozen=True, slots=True)
class Ladder:
    """The players, the first at the top, and the challenges that are open or being played, the oldest first."""

    rungs: tuple[Rung, ...] = ()
    challenges: tuple[Challenge, ...] = ()

    @property
    def order(self) -> tuple[PlayerId, ...]:
        """The players, the first at the top."""
        return tuple(rung.player for rung in self.rungs)


def join(ladder: Ladder, player: PlayerId, now: datetime) -> Ladder:
    """The ladder with a player at the bottom; whoever is on it keeps his place."""
    return ladder if player in ladder.order else replace(ladder, rungs=(*ladder.rungs, Rung(player, now)))


def leave(ladder: Ladder, player: PlayerId, now: datetime) -> Ladder:
    """The ladder without a player who wants to go, and without his challenges; those below move up, and his opponents are idle from now."""
    others = frozenset(one for each in ladder.challenges if player in each for one in each)
    rungs = (Rung(rung.player, now) if rung.player in others else rung for rung in ladder.rungs if rung.player != player)
    return Ladder(tuple(rungs), tuple(each for each in ladder.challenges if player not in each))


def check(ladder: Ladder, rules: Rules, challenge: Challenge) -> None:
    """Raises NotAllowed, with a sentence for the challenger, if he may not challenge that player now."""
    order, (challenger, defender) = ladder.order, challenge
    if challenger not in order:
        raise NotAllowed("not_on_ladder", say("You are not on this ladder."))
    if defender not in order:
        raise NotAllowed("not_on_ladder", say("This player is not on this ladder."))
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
    if any(set(each) == set(challenge) for each in ladder.challenges):
        raise NotAllowed("open_already", say("There is a challenge between the two of you already."))
    if sum(each.challenger == challenger for each in ladder.challenges) >= rules.games:
        raise NotAllowed(
            "too_many_games",
            say("You may have {n} challenge of yours at a time.", "You may have {n} challenges of yours at a time.", n=rules.games),
        )
    if sum(each.defender == defender for each in ladder.challenges) >= rules.defences:
        raise NotAllowed("too_many_defences", say("This player has as many challenges as a player has to meet at a time."))


def open_to(ladder: Ladder, rules: Rules, challenger: PlayerId) -> tuple[PlayerId, ...]:
    """Whom a player may challenge now, the highest first."""
    return tuple(one for one in ladder.order if _allowed(ladder, rules, Challenge(challenger, one)))


def challenged(ladder: Ladder, rules: Rules, challenge: Challenge) -> Ladder:
    """The ladder with one challenge more. Raises NotAllowed as `check`."""
    check(ladder, rules, challenge)
    return replace(ladder, challenges=(*ladder.challenges, challenge))


def seats(challenge: Challenge, challenger: History, defender: History) -> tuple[PlayerId, PlayerId]:
    """The two in seat order, by what each has had so far on this ladder; if nothing else decides, the challenger moves first."""
    if higher_is_first(defender, challenger, odd=False):
        return challenge.defender, challenge.challenger
    return challenge.challenger, challenge.defender


def over(ladder: Ladder, rules: Rules, challenge: Challenge, mark: Mark, now: datetime) -> Ladder:
    """The ladder after a game; `mark` is what it was to the challenger.

    Places are those of now: if the challenger stands above the other meanwhile, he has nothing to win. A game without a result changes
    nothing but that it is over. Raises ValueError if there is no such challenge.
    """
    found = _raised(_closed(ladder, challenge, now), rules, challenge, mark)
    if mark is Mark.TIMEOUT:
        found = _dropped(found, challenge.challenger, rules.timeout_drop)
    if mark is Mark.WIN_ON_TIME:
        found = _dropped(found, challenge.defender, rules.timeout_drop)
    return found


def refused(ladder: Ladder, rules: Rules, challenge: Challenge, now: datetime) -> Ladder:
    """The ladder after a defender has refused a challenge, or not answered it: the challenger has won, and only he is not idle.

    Raises ValueError if there is no such challenge.
    """
    since = dict(ladder.rungs)
    closed = _closed(ladder, challenge, now)
    rungs = tuple(Rung(one, since[one] if one == challenge.defender else at) for one, at in closed.rungs)
    won = _raised(replace(closed, rungs=rungs), rules, challenge, Mark.WIN_BY_FORFEIT)
    return _dropped(won, challenge.defender, rules.refusal_drop)


def aged(ladder: Ladder, rules: Rules, now: datetime) -> tuple[Ladder, tuple[Rung, ...]]:
    """The ladder at `now`, and who has dropped since when he has been idle, in the order of time.

    Those who drop at the same time keep their order. Whoever has a challenge open is not idle. It does not matter how often this is asked
    in between.
    """
    drops = list[Rung]()
    while due := [rung for rung in ladder.rungs if rung.idle_since + rules.idle <= now and not _is_busy(ladder, rung.player)]:
        first = min(rung.idle_since for rung in due)
        floor = len(ladder.rungs)
        for rung in (rung for rung in reversed(due) if rung.idle_since == first):
            at = ladder.rungs.index(rung)
            rungs = (*ladder.rungs[:at], Rung(rung.player, first + rules.idle), *ladder.rungs[at + 1 :])
            floor = min(at + rules.idle_drop, floor - 1)
            ladder = _moved(replace(ladder, rungs=rungs), at, floor)
            drops.append(rung)
    return ladder, tuple(drops)


def _allowed(ladder: Ladder, rules: Rules, challenge: Challenge) -> bool:
    try:
        check(ladder, rules, challenge)
    except NotAllowed:
        return False
    return True


def _is_busy(ladder: Ladder, player: PlayerId) -> bool:
    return any(player in each for each in ladder.challenges)


def _closed(ladder: Ladder, challenge: Challenge, now: datetime) -> Ladder:
    """Without that challenge; both have been busy until now."""
    if challenge not in ladder.challenges:
        raise ValueError(f"player {challenge.challenger} has not challenged player {challenge.defender}")
    rungs = tuple(Rung(rung.player, now) if rung.player in challenge else rung for rung in ladder.rungs)
    return Ladder(rungs, tuple(each for each in ladder.challenges if each != challenge))


def _raised(ladder: Ladder, rules: Rules, challenge: Challenge, mark: Mark) -> Ladder:
    """With what the challenger has won."""
    order = ladder.order
    of, to = order.index(challenge.challenger), order.index(challenge.defender)
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
