"""What an admin may want to look into: games that were abandoned, pairs whose games look arranged, and who moved first too often.

Nothing here is proof of anything, and nothing follows from it by itself. Every finding has its games, so that somebody can look.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from turnserver.envelope import GameId, PlayerId
from turnserver.league.marks import WON, Mark, Scoring
from turnserver.league.record import Encounter

ABANDONED: Final = frozenset({Mark.FORFEIT, Mark.TIMEOUT})
TELLS_NOTHING: Final = frozenset({Mark.NO_RESULT, Mark.ANNULLED, Mark.BYE})
"""Marks that tell nothing about how a player leaves his games."""


class Ending(NamedTuple):
    """A game that is over: how many turns all players together have played, and whether it was resigned."""

    encounter: Encounter
    game: GameId
    turns: int
    resigned: bool = False


class Limits(NamedTuple):
    """From where on something is a finding.

    `streak`: so many games in a row that a player has abandoned. `short`: a game with so many turns or fewer of all players together.
    `trades`: so many short games in a row that one and the other gave up in turn. `gifts`: so many short games that all went to the same
    player. `firsts`: moving first more or less often than is due by more than so many games.
    """

    streak: int = 3
    short: int = 10
    trades: int = 4
    gifts: int = 4
    firsts: Fraction = Fraction(1)


USUAL: Final = Limits()


@dataclass(frozen=True, slots=True)
class Streak:
    """These games of a player ended one after another because he did not come or let his time pass."""

    player: PlayerId
    games: tuple[GameId, ...]


@dataclass(frozen=True, slots=True)
class Traded:
    """In these games one player and then the other gave up after few turns, in turn; `winners` as the games."""

    players: tuple[PlayerId, PlayerId]
    games: tuple[GameId, ...]
    winners: tuple[PlayerId, ...]
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gifts:
    """The short games of two players, in whatever way they ended, were all won by the same one."""

    winner: PlayerId
    loser: PlayerId
    games: tuple[GameId, ...]
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """In so many games the player moved first so often, and so often would have been due: a share of each game, by how many played it."""

    player: PlayerId
    games: int
    firsts: int
    due: Fraction


Finding: TypeAlias = "Streak | Traded | Gifts | FirstMoves"


def report(encounters: Iterable[Encounter], endings: Sequence[Ending], scoring: Scoring, limits: Limits = USUAL) -> tuple[Finding, ...]:
    """All findings about a season: about its `encounters`, over or not, and its `endings` in the order in which the games ended."""
    return (
        *streaks(endings, limits.streak),
        *trades(endings, limits.short, limits.trades),
        *gifts(endings, limits.short, limits.gifts),
        *first_moves(encounters, scoring, limits.firsts),
    )


def streaks(endings: Iterable[Ending], least: int = USUAL.streak) -> Iterator[Streak]:
    """Every run of `least` or more games that a player abandoned. What was void or taken back neither adds to a run nor ends it."""
    games: defaultdict[PlayerId, list[tuple[bool, GameId]]] = defaultdict(list)
    for ending in endings:
        for player, mark in zip(ending.encounter.players, ending.encounter.marks, strict=True):
            if mark not in TELLS_NOTHING:
                games[player].append((mark in ABANDONED, ending.game))
    for player, ended in sorted(games.items()):
        for abandoned, run in groupby(ended, key=lambda one: one[0]):
            found = tuple(game for _, game in run)
            if abandoned and len(found) >= least:
                yield Streak(player, found)


def trades(endings: Iterable[Ending], short: int = USUAL.short, least: int = USUAL.trades) -> Iterator[Traded]:
    """Every run of `least` or more games of a pair, given up after `short` turns at most, whose winner is another each time.

    Their longer games in between do not end a run: who trades wins may play in earnest besides.
    """
    given_up = (one for one in endings if one.resigned or ABANDONED.intersection(one.encounter.marks))
    for players, won in _won(given_up, short):
        run = won[:1]
        for one in won[1:]:
            if one.winner == run[-1].winner:
                yield from _traded(players, run, least)
                run = []
            run.append(one)
        yield from _traded(players, run, least)


def gifts(endings: Iterable[Ending], short: int = USUAL.short, least: int = USUAL.gifts) -> Iterator[Gifts]:
    """The pairs with `least` or more games of `short` turns at most, all of which went to the same of them."""
    for players, won in _won(endings, short):
        winners = {one.winner for one in won}
        if len(won) >= least and len(winners) == 1:
            (winner,) = winners
            (loser,) = set(players) - winners
            yield Gifts(winner, loser, tuple(one.game for one in won), tuple(one.turns for one in won))


def first_moves(encounters: Iterable[Encounter], scoring: Scoring, most: Fraction = USUAL.firsts) -> Iterator[FirstMoves]:
    """The players who moved first more or less often than is due to them, by more than `most`, in games on the board or still played."""
    games: defaultdict[PlayerId, int] = defaultdict(int)
    firsts: defaultdict[PlayerId, int] = defaultdict(int)
    due: defaultdict[PlayerId, Fraction] = defaultdict(Fraction)
    for encounter in encounters:
        if scoring.played.issuperset(encounter.marks) and len(encounter.players) > 1:
            firsts[encounter.players[0]] += 1
            for player in encounter.players:
                games[player] += 1
                due[player] += Fraction(1, len(encounter.players))
    for player in sorted(games):
        if abs(firsts[player] - due[player]) > most:
            yield FirstMoves(player, games[player], firsts[player], due[player])


class _Won(NamedTuple):
    winner: PlayerId
    game: GameId
    turns: int


def _won(endings: Iterable[Ending], short: int) -> Iterator[tuple[tuple[PlayerId, PlayerId], list[_Won]]]:
    """The short games of two that somebody has won, by pair."""
    found: defaultdict[tuple[PlayerId, PlayerId], list[_Won]] = defaultdict(list)
    for ending in endings:
        players, marks = ending.encounter.players, ending.encounter.marks
        if len(players) == 2 and ending.turns <= short and WON.intersection(marks):
            low, high = sorted(players)
            winner = next(player for player, mark in zip(players, marks, strict=True) if mark in WON)
            found[low, high].append(_Won(winner, ending.game, ending.turns))
    yield from sorted(found.items())


def _traded(players: tuple[PlayerId, PlayerId], run: Sequence[_Won], least: int) -> Iterator[Traded]:
    if len(run) >= least:
        winners, games, turns = zip(*run, strict=True)
        yield Traded(players, games, winners, turns)
