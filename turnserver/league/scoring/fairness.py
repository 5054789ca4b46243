"""Findings for an admin: games given up in a row, pairs with unlikely results, uneven first moves, too many games at once.

Nothing here is proof of anything, and nothing follows from it by itself. A finding repeats the log, and never says what somebody meant.
Every finding has its games, so that somebody can look.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import sqrt
from statistics import median
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import GameId, PlayerId
from turnserver.league.formats.swiss import Breach
from turnserver.league.scoring.marks import WON, Mark, Scoring
from turnserver.league.scoring.record import Encounter

ABANDONED: Final = frozenset({Mark.FORFEIT, Mark.TIMEOUT})
TELLS_NOTHING: Final = frozenset({Mark.NO_RESULT, Mark.ANNULLED, Mark.BYE})
"""The marks that say nothing about how a player leaves their games."""


class Ending(NamedTuple):
    """A game that is over: how many turns all players together have played, and whether it was resigned.

    Its players are those who sat there at the end. `expected` is the expected score of the first of two by the ratings before the game,
    from 0 to 1; None if it is not known.
    """

    encounter: Encounter
    game: GameId
    turns: int
    resigned: bool = False
    expected: float | None = None


class Limits(NamedTuple):
    """The limits beyond which something is a finding. Short games are those with at most `short` turns of all players together."""

    # games in a row that a player has given up
    streak: int = 3
    # turns
    short: int = 10
    # short games in a row that one and the other gave up in turn
    trades: int = 4
    # short games that all went to the same player
    gifts: int = 4
    # games of a pair before its results can be a surprise
    pairs: int = 3
    # standard deviations from the expected score of a pair
    surprise: float = 3.0
    # games in which a player moved first more or less often than is due
    firsts: Fraction = Fraction(1)


USUAL: Final = Limits()
KNOWN: Final = 5
"""The number of played-out games after which their usual length is known."""


def fitting(lengths: Sequence[int]) -> Limits:
    """Return the limits for games whose lengths, if they were played out, are `lengths`.

    A short game is half as long as most, or as long as usual if that is less.
    """
    return USUAL if len(lengths) < KNOWN else USUAL._replace(short=min(USUAL.short, int(median(lengths)) // 2))


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive games of a player that ended because they did not come, let their time pass, or resigned after few turns."""

    player: PlayerId
    games: tuple[GameId, ...]


@dataclass(frozen=True, slots=True)
class Traded:
    """Games of a pair in which one player and then the other gave up after few turns. `winners` is parallel to the games."""

    players: tuple[PlayerId, PlayerId]
    games: tuple[GameId, ...]
    winners: tuple[PlayerId, ...]
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gifts:
    """The short games of two players, all of which one of them won, on the board or otherwise."""

    winner: PlayerId
    loser: PlayerId
    games: tuple[GameId, ...]
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unexpected:
    """Games of a pair in which one player's score is far from the score that the ratings let expect."""

    players: tuple[PlayerId, PlayerId]
    games: tuple[GameId, ...]
    scored: Fraction
    expected: float


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """A player's number of first moves, and the number that was due: in each game a share of one, by the number of players.

    `moved` are the games in which the player moved first, as far as they have been opened.
    """

    player: PlayerId
    games: int
    firsts: int
    due: Fraction
    moved: tuple[GameId, ...] = ()


@dataclass(frozen=True, slots=True)
class Forced:
    """A meeting, or a bye, of a round that could not be paired without it, with its game, if there is one."""

    breach: Breach
    round: int
    players: tuple[PlayerId, ...]
    games: tuple[GameId, ...]


@dataclass(frozen=True, slots=True)
class Crowded:
    """A player with more than `most` games at the same time."""

    player: PlayerId
    games: tuple[GameId, ...]
    most: int


Finding: TypeAlias = "Streak | Traded | Gifts | Unexpected | FirstMoves | Crowded | Forced"


def report(
    encounters: Sequence[Encounter], endings: Sequence[Ending], scoring: Scoring, limits: Limits = USUAL, at_once: int = 0
) -> tuple[Finding, ...]:
    """Return all findings about a season: its `encounters`, over or not, and its `endings` in the order in which the games ended.

    Nobody is to have more than `at_once` games at the same time; 0 is no limit.
    """
    return (
        *streaks(endings, limits),
        *trades(endings, limits),
        *gifts(endings, limits),
        *surprises(endings, scoring, limits),
        *first_moves(encounters, scoring, limits),
        *crowds(encounters, at_once),
    )


def streaks(endings: Iterable[Ending], limits: Limits = USUAL) -> Iterator[Streak]:
    """Yield every long run of games that a player gave up.

    The player did not come, let their time pass, or, where two play, resigned a short game. A game that was void or taken
    back neither adds to a run nor ends it.
    """
    games: defaultdict[PlayerId, list[tuple[bool, GameId]]] = defaultdict(list)
    for ending in endings:
        left = ABANDONED
        # at a larger table it is not known who resigned
        if ending.resigned and ending.turns <= limits.short and len(ending.encounter.players) == 2:
            left |= {Mark.LOSS}
        for player, mark in zip(ending.encounter.players, ending.encounter.marks, strict=True):
            if mark not in TELLS_NOTHING:
                games[player].append((mark in left, ending.game))
    for player, ended in sorted(games.items()):
        for abandoned, run in groupby(ended, key=lambda one: one[0]):
            found = tuple(game for _, game in run)
            if abandoned and len(found) >= limits.streak:
                yield Streak(player, found)


def trades(endings: Iterable[Ending], limits: Limits = USUAL) -> Iterator[Traded]:
    """Yield every long run of short games of a pair that were given up, and whose winner is another each time.

    Their longer games in between do not end a run: players who trade wins may play in earnest besides.
    """
    given_up = (one for one in endings if one.resigned or ABANDONED.intersection(one.encounter.marks))
    for players, won in _won(given_up, limits.short):
        run = won[:1]
        # a run is broken where the same player wins twice, and begins again with the second of those
        for one in won[1:]:
            if one.winner == run[-1].winner:
                yield from _traded(players, run, limits.trades)
                run = []
            run.append(one)
        yield from _traded(players, run, limits.trades)


def gifts(endings: Iterable[Ending], limits: Limits = USUAL) -> Iterator[Gifts]:
    """Yield the pairs with several short games, if one player won all of those."""
    for players, won in _won(endings, limits.short):
        winners = {one.winner for one in won}
        if len(won) >= limits.gifts and len(winners) == 1:
            (winner,) = winners
            (loser,) = set(players) - winners
            yield Gifts(winner, loser, tuple(one.game for one in won), tuple(one.turns for one in won))


def surprises(endings: Iterable[Ending], scoring: Scoring, limits: Limits = USUAL) -> Iterator[Unexpected]:
    """Yield the pairs with several games in which one player scored more than expected, by so many standard deviations.

    With the usual three, that is one pair of a thousand if all ratings are right. A win is 1 here, and a draw a half, not their worth in
    points.
    """
    found: defaultdict[tuple[PlayerId, PlayerId], list[tuple[GameId, Fraction, float]]] = defaultdict(list)
    for game, players, scored, expected in _scored(endings, scoring):
        # the games of a pair are counted together, from the side of the lower number
        low, high = players
        if low < high:
            found[low, high].append((game, scored, expected))
        else:
            found[high, low].append((game, 1 - scored, 1 - expected))
    for (one, other), played in sorted(found.items()):
        games, scores, dues = zip(*played, strict=True)
        scored, due = sum(scores, Fraction(0)), sum(dues)
        # the variances of independent games add up
        spread = sqrt(sum(each * (1 - each) for each in dues))
        if len(games) >= limits.pairs and abs(float(scored) - due) > limits.surprise * spread:
            if scored > due:
                yield Unexpected((one, other), games, scored, due)
            else:
                yield Unexpected((other, one), games, len(games) - scored, len(games) - due)


def first_moves(encounters: Iterable[Encounter], scoring: Scoring, limits: Limits = USUAL) -> Iterator[FirstMoves]:
    """Yield the players whose number of first moves differs much from the due number.

    Games on the board and games still played count.
    """
    games: defaultdict[PlayerId, int] = defaultdict(int)
    firsts: defaultdict[PlayerId, int] = defaultdict(int)
    due: defaultdict[PlayerId, Fraction] = defaultdict(Fraction)
    moved: defaultdict[PlayerId, list[GameId]] = defaultdict(list)
    for encounter in encounters:
        if scoring.played.issuperset(encounter.marks) and len(encounter.players) > 1:
            firsts[encounter.players[0]] += 1
            moved[encounter.players[0]] += [encounter.game] if encounter.game is not None else []
            for player in encounter.players:
                games[player] += 1
                due[player] += Fraction(1, len(encounter.players))
    for player in sorted(games):
        if abs(firsts[player] - due[player]) > limits.firsts:
            yield FirstMoves(player, games[player], firsts[player], due[player], tuple(moved[player]))


def crowds(encounters: Iterable[Encounter], most: int) -> Iterator[Crowded]:
    """Yield the players who have more than `most` games at the same time now; 0 is no limit."""
    running: defaultdict[PlayerId, list[GameId]] = defaultdict(list)
    for encounter in encounters:
        if encounter.game is not None and not encounter.is_over:
            for player in encounter.players:
                running[player].append(encounter.game)
    for player, games in sorted(running.items()):
        if most and len(games) > most:
            yield Crowded(player, tuple(games), most)


class _Won(NamedTuple):
    winner: PlayerId
    game: GameId
    turns: int


def _won(endings: Iterable[Ending], short: int) -> Iterator[tuple[tuple[PlayerId, PlayerId], list[_Won]]]:
    """Yield the short games of two that somebody has won, by pair."""
    found: defaultdict[tuple[PlayerId, PlayerId], list[_Won]] = defaultdict(list)
    for ending in endings:
        players, marks = ending.encounter.players, ending.encounter.marks
        # at a larger table nobody wins against one other player
        if len(players) == 2 and ending.turns <= short and WON.intersection(marks):
            low, high = sorted(players)
            winner = next(player for player, mark in zip(players, marks, strict=True) if mark in WON)
            found[low, high].append(_Won(winner, ending.game, ending.turns))
    yield from sorted(found.items())


def _scored(endings: Iterable[Ending], scoring: Scoring) -> Iterator[tuple[GameId, tuple[PlayerId, PlayerId], Fraction, float]]:
    # the score of the first player, whatever a win is worth in points
    for ending in endings:
        players, marks = ending.encounter.players, ending.encounter.marks
        if len(players) == 2 and ending.expected is not None and scoring.rated.issuperset(marks):
            scored = Fraction(1, 2) if marks[0] is Mark.DRAW else Fraction(marks[0] in WON)
            yield ending.game, (players[0], players[1]), scored, ending.expected


def _traded(players: tuple[PlayerId, PlayerId], run: Sequence[_Won], least: int) -> Iterator[Traded]:
    if len(run) >= least:
        winners, games, turns = zip(*run, strict=True)
        yield Traded(players, games, winners, turns)
