"""Tie-breaks: figures that part players who have equal points, and the summands that each of them is made of.

They are those of the FIDE Handbook, chapter C.07, in the edition in force since 1 March 2026, whose articles are named here; `sheets` has
how rounds without a game count. The places of larger tables, lots and playoffs are ours.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.league.scoring.sheets import BY_CHOICE, LineKind, PairingTime, SheetLine, Sheets

ONE: Final = Fraction(1)


class TieBreak(StrEnum):
    """A figure that parts players, the points included; of all figures the higher is the better."""

    POINTS = "points"
    HEAD_TO_HEAD = "head to head"
    """Article 6: the scores of tied players against each other, see `head_to_head`."""
    SONNEBORN_BERGER = "sonneborn-berger"
    """Article 9.1: the points of each opponent, times the score against that opponent."""
    BUCHHOLZ = "buchholz"
    """Article 8.1: the points of all opponents. Not meant for round robins, where it tells nothing."""
    BUCHHOLZ_CUT_1 = "buchholz cut-1"
    """Article 14.1: Buchholz without the least of them. By 16.5, the least of the rounds left out by choice goes first."""
    BUCHHOLZ_MEDIAN_1 = "buchholz median-1"
    """Article 14.3: Buchholz without the least of them, as in cut-1, and then without the greatest of the others."""
    PROGRESSIVE = "progressive"
    """Article 7.5: the points after each round, added up. Ours: points that a player begins with count from the first round on."""
    KOYA = "koya"
    """Article 9.2: the points from games against opponents who have at least half of what could be won."""
    WINS = "wins"
    """Article 7.1: rounds worth a win, played or not."""
    GAMES_WON = "games won"
    """Article 7.2."""
    GAMES_AS_SECOND = "games as second player"
    """Article 7.3."""
    WINS_AS_SECOND = "games won as second player"
    """Article 7.4."""
    GAMES_PLAYED = "games on the board"
    FIRST_PLACES = "first places"
    """At tables of more than two, like the next two. Two who share the first place have half of it each, and half of the second."""
    SECOND_PLACES = "second places"
    THIRD_PLACES = "third places"
    PLAYOFF = "playoff"
    """Games between those who are tied; their figures are given."""
    LOTS = "lots"
    """The figures are given."""


AMONG_TIED: Final = frozenset({TieBreak.HEAD_TO_HEAD, TieBreak.PLAYOFF, TieBreak.LOTS})
"""The tie-breaks that have figures only for players who are tied when its turn comes."""


USUAL_ORDER: Final = MappingProxyType(
    {
        PairingTime.FIXED: (TieBreak.HEAD_TO_HEAD, TieBreak.SONNEBORN_BERGER, TieBreak.WINS, TieBreak.WINS_AS_SECOND, TieBreak.LOTS),
        PairingTime.BY_STANDING: (TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.WINS, TieBreak.LOTS),
    }
)
UNFIT: Final = MappingProxyType(
    {
        PairingTime.FIXED: frozenset({TieBreak.BUCHHOLZ, TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ_MEDIAN_1, TieBreak.GAMES_PLAYED}),
        PairingTime.BY_STANDING: frozenset[TieBreak](),
    }
)
"""Tie-breaks that tell nothing where everybody meets everybody."""
ABOUT_SECOND: Final = frozenset({TieBreak.GAMES_AS_SECOND, TieBreak.WINS_AS_SECOND})
"""Tie-breaks that ask who moved second. They look at the seat, so they say nothing where chance decides who begins."""
LARGE_TABLES: Final = frozenset({TieBreak.FIRST_PLACES, TieBreak.SECOND_PLACES, TieBreak.THIRD_PLACES})
USUAL_AT_TABLES: Final = (TieBreak.FIRST_PLACES, TieBreak.SECOND_PLACES, TieBreak.LOTS)
FOR_TWO: Final = UNFIT[PairingTime.FIXED] - {TieBreak.GAMES_PLAYED} | {
    TieBreak.SONNEBORN_BERGER,
    TieBreak.KOYA,
    TieBreak.GAMES_AS_SECOND,
    TieBreak.WINS_AS_SECOND,
}
"""Tie-breaks that are about the one opponent of a game, or about who moves second."""


class Term(NamedTuple):
    """A summand of a figure: its `score` times its `factor`.

    `kind` is the kind of the round. If the round was not a game, the score of a Buchholz or Sonneborn-Berger term is the stand-in's. For a
    term that does not come from a round, `kind` is None or a penalty, and the round is 0.
    """

    round: int
    opponents: tuple[PlayerId, ...]
    kind: LineKind | None
    score: Fraction
    factor: Fraction = ONE

    @property
    def value(self) -> Fraction:
        """The amount that this term adds to the figure."""
        return self.score * self.factor


class Figure(NamedTuple):
    """A player's figure: the sum of its terms. `among` are the tied players, if the figure is about them."""

    tie_break: TieBreak
    terms: tuple[Term, ...]
    among: tuple[PlayerId, ...] = ()

    @property
    def value(self) -> Fraction:
        """The sum of the terms."""
        return sum((term.value for term in self.terms), Fraction(0))


Tiers: TypeAlias = tuple[tuple[PlayerId, ...], ...]
"""Players in order, with those together whom nothing parts."""


def figure(sheets: Sheets, tie_break: TieBreak, player: PlayerId) -> Figure:
    """Return a figure that a player has alone. Raises ValueError for a tie-break that only tied players have."""
    if tie_break in AMONG_TIED:
        raise ValueError(f"a player alone has no figure for {tie_break.value}")
    if tie_break in COUNTED:
        return Figure(tie_break, tuple(_counted(sheets, tie_break, player)))
    return Figure(tie_break, tuple(SUMMED[tie_break](sheets, player)))


def given(tie_break: TieBreak, player: PlayerId, among: tuple[PlayerId, ...], value: Fraction) -> Figure:
    """Return a figure that came from outside: from a playoff, or from lots."""
    return Figure(tie_break, (Term(0, tuple(other for other in among if other != player), None, value),), among)


def split(players: Iterable[PlayerId], figures: Mapping[PlayerId, Figure]) -> Tiers:
    """Return the players by their figures, the highest first. Equal ones stay together in the order in which they came."""
    tiers: defaultdict[Fraction, list[PlayerId]] = defaultdict(list)
    for player in players:
        tiers[figures[player].value].append(player)
    return tuple(tuple(tiers[value]) for value in sorted(tiers, reverse=True))


def head_to_head(sheets: Sheets, tied: Sequence[PlayerId]) -> tuple[Tiers, tuple[tuple[PlayerId, Figure], ...]]:
    """Part tied players by their games against each other. Return their tiers, and all figures on the way, each with its player.

    Players who met several times have the average (6.1.2). If all of them have met, their scores decide, and players who are still tied are
    compared again among themselves (6.2). If not, a player goes first only if nobody else could have caught up with them, had they all met;
    then the same is asked of the others (6.3).
    """
    group = tuple(tied)
    if len(group) < 2:
        return (group,), ()
    figures = {player: Figure(TieBreak.HEAD_TO_HEAD, tuple(_mutual(sheets, player, group)), group) for player in group}
    strangers = {player: len(group) - 1 - len(_faced(figures[player])) for player in group}
    # 6.3: what each would have if they won, and if they lost, against all whom they have not met
    if any(strangers.values()):
        least = {player: figures[player].value + strangers[player] * sheets.worth.loss for player in group}
        most = {player: figures[player].value + strangers[player] * sheets.worth.win for player in group}
        first = [player for player in group if all(least[player] > most[other] for other in group if other != player)]
        tiers: Tiers = (tuple(first), tuple(player for player in group if player not in first)) if first else (group,)
    else:
        tiers = split(group, figures)
    applied = tuple(figures.items())
    if len(tiers) == 1:
        return tiers, applied
    again = [head_to_head(sheets, tier) for tier in tiers]
    return tuple(tier for parted, _ in again for tier in parted), applied + tuple(one for _, more in again for one in more)


def _mutual(sheets: Sheets, player: PlayerId, group: tuple[PlayerId, ...]) -> Iterator[Term]:
    """Yield the player's scores against each of the group, divided by how often they met."""
    tied = frozenset(group)
    met = [(line, other, score) for line in sheets.lines(player) if sheets.is_game(line) for other, score in line.met if other in tied]
    # 6.1.2
    times = [other for _, other, _ in met]
    for line, other, score in met:
        yield Term(line.round, (other,), line.kind, score, Fraction(1, times.count(other)))


def _faced(found: Figure) -> frozenset[PlayerId]:
    return frozenset(other for term in found.terms for other in term.opponents)


def _term(line: SheetLine, score: Fraction) -> Term:
    return Term(line.round, line.opponents, line.kind, score)


def _points(sheets: Sheets, player: PlayerId) -> Iterator[Term]:
    if sheets.start(player):
        yield Term(0, (), None, sheets.start(player))
    for line in sheets.lines(player):
        yield _term(line, line.points)
    for points in sheets.penalties(player):
        yield Term(0, (), LineKind.PENALTY, -points)


def _strengths(sheets: Sheets, player: PlayerId) -> Iterator[tuple[SheetLine, Term]]:
    # there is no stand-in where pairings are fixed
    for line in sheets.lines(player):
        if len(line.opponents) == 1 and sheets.is_game(line):
            yield line, _term(line, sheets.adjusted(line.opponents[0]))
        elif len(line.opponents) < 2 and sheets.pairing is PairingTime.BY_STANDING:
            yield line, _term(line, sheets.stand_in(player, line))


def _sonneborn_berger(sheets: Sheets, player: PlayerId) -> Iterator[Term]:
    return (term._replace(factor=line.points) for line, term in _strengths(sheets, player))


def _buchholz(sheets: Sheets, player: PlayerId) -> Iterator[Term]:
    return (term for _, term in _strengths(sheets, player))


def _buchholz_cut_1(sheets: Sheets, player: PlayerId) -> Iterable[Term]:
    terms = list(_buchholz(sheets, player))
    # 16.5: rounds left out by choice are cut before others
    by_choice = [at for at, term in enumerate(terms) if sheets.pairing is PairingTime.BY_STANDING and term.kind in BY_CHOICE]
    least = min(by_choice or range(len(terms)), key=lambda at: terms[at].score, default=None)
    return (term._replace(factor=Fraction(0)) if at == least else term for at, term in enumerate(terms))


def _buchholz_median_1(sheets: Sheets, player: PlayerId) -> Iterable[Term]:
    terms = list(_buchholz_cut_1(sheets, player))
    greatest = max((at for at, term in enumerate(terms) if term.factor), key=lambda at: terms[at].score, default=None)
    return (term._replace(factor=Fraction(0)) if at == greatest else term for at, term in enumerate(terms))


def _progressive(sheets: Sheets, player: PlayerId) -> Iterator[Term]:
    # the points of a round are in the score after it and after each later one
    if sheets.start(player):
        yield Term(0, (), None, sheets.start(player), Fraction(sheets.rounds))
    for line in sheets.lines(player):
        yield _term(line, line.points)._replace(factor=Fraction(sheets.rounds - line.round + 1))


def _koya(sheets: Sheets, player: PlayerId) -> Iterator[Term]:
    for line in sheets.lines(player):
        if len(line.opponents) == 1 and sheets.is_game(line) and _has_half(sheets, line.opponents[0]):
            yield _term(line, line.points)


def _has_half(sheets: Sheets, player: PlayerId) -> bool:
    # where everybody meets everybody, a round without an opponent is none in which anything could be won
    fixed = sheets.pairing is PairingTime.FIXED
    rounds = sum(bool(line.opponents) for line in sheets.lines(player)) if fixed else sheets.rounds
    return 2 * sheets.score(player) >= rounds * sheets.worth.win


SUMMED: Final[Mapping[TieBreak, Callable[[Sheets, PlayerId], Iterable[Term]]]] = MappingProxyType(
    {
        TieBreak.POINTS: _points,
        TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
        TieBreak.BUCHHOLZ: _buchholz,
        TieBreak.BUCHHOLZ_CUT_1: _buchholz_cut_1,
        TieBreak.BUCHHOLZ_MEDIAN_1: _buchholz_median_1,
        TieBreak.PROGRESSIVE: _progressive,
        TieBreak.KOYA: _koya,
    }
)


def _is_win(sheets: Sheets, line: SheetLine) -> bool:
    return line.won if len(line.opponents) > 1 else line.points >= sheets.worth.win


def _is_game(sheets: Sheets, line: SheetLine) -> bool:
    # a loss by forfeit is not a game when games are counted, even if pairings are fixed (15.2)
    return sheets.is_game(line) and line.kind is not LineKind.DEFAULT


def _is_game_as_second(sheets: Sheets, line: SheetLine) -> bool:
    return _is_game(sheets, line) and len(line.opponents) == 1 and line.seat == 2


COUNTED: Final[Mapping[TieBreak, Callable[[Sheets, SheetLine], bool | Fraction]]] = MappingProxyType(
    {
        TieBreak.WINS: _is_win,
        TieBreak.GAMES_WON: lambda sheets, line: _is_game(sheets, line) and line.won,
        TieBreak.GAMES_AS_SECOND: _is_game_as_second,
        TieBreak.WINS_AS_SECOND: lambda sheets, line: _is_game_as_second(sheets, line) and line.won,
        TieBreak.GAMES_PLAYED: lambda _, line: line.kind is LineKind.GAME,
        TieBreak.FIRST_PLACES: lambda _, line: bool(line.shares) and line.shares[0],
        TieBreak.SECOND_PLACES: lambda _, line: bool(line.shares) and line.shares[1],
        TieBreak.THIRD_PLACES: lambda _, line: bool(line.shares) and line.shares[2],
    }
)
"""The amount that a line adds to a figure that counts lines."""


def _counted(sheets: Sheets, tie_break: TieBreak, player: PlayerId) -> Iterator[Term]:
    for line in sheets.lines(player):
        if found := COUNTED[tie_break](sheets, line):
            yield _term(line, Fraction(found))
