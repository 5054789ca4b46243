"""What each player's rounds have come to, as tie-breaks look at them: a line for every game, for every bye, and for every round without.

How rounds without a game count is that of the FIDE Handbook, chapter C.07, in the edition in force since 1 March 2026. Where all pairings
are known beforehand, article 15.2: what was forfeited counts like a game. Where a round is paired by the standings, article 16: whoever
looks at his opponents meets a stand-in with as many points as himself in such a round (within bounds, 16.4), and an opponent who came no
more counts as if he had drawn all that was left (16.3).

Two things are ours. A game without a result, or whose result was taken back, is nobody's choice: it counts like a forfeit for the bound of
the stand-in, and not as a round left out by choice. And with a start in points, as McMahon has it, that start belongs to a player's score
and to the bound of 16.4.2.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import WON, Mark, Scoring
from turnserver.league.scoring.record import Encounter, Record


class Pairing(StrEnum):
    """Who meets whom: `fixed` before the first round, as in a round robin, or `by standing` round after round, as in a Swiss event."""

    FIXED = "fixed"
    BY_STANDING = "by standing"


class Kind(StrEnum):
    """What a round was to a player: a `game`, won or lost without one, void, a bye, nothing at all, or a game that is still played.

    A `penalty` is of no round: points that an admin has taken away.
    """

    GAME = "game"
    WALKOVER = "walkover"
    DEFAULT = "default"
    VOID = "void"
    BYE = "bye"
    ABSENT = "absent"
    RUNNING = "running"
    PENALTY = "penalty"


BY_CHOICE: Final = frozenset({Kind.ABSENT, Kind.DEFAULT})
"""The voluntary unplayed rounds of C.07, 16.1."""

DEFAULTED: Final = frozenset({Mark.LOSS, Mark.FORFEIT, Mark.TIMEOUT})

Places: TypeAlias = Mapping[int, Sequence[Fraction]]
"""Points for the first place, the second, ..., by how many are at the table."""

NO_PLACES: Final[Places] = MappingProxyType({})
NO_START: Final[Mapping[PlayerId, Fraction]] = MappingProxyType({})

Penalties: TypeAlias = Mapping[PlayerId, Sequence[Fraction]]
NO_PENALTIES: Final[Penalties] = MappingProxyType({})


class Line(NamedTuple):
    """A line of a player's sheet.

    `shares` is, at a table of more than two, how much of the first place, the second, ... is the player's: those who share places have
    equal parts of them. `met` is every opponent that he can be compared with, and what he scored against him.
    """

    round: int
    kind: Kind
    points: Fraction = Fraction(0)
    opponents: tuple[PlayerId, ...] = ()
    seat: int = 1
    won: bool = False
    shares: tuple[Fraction, ...] = ()
    met: tuple[tuple[PlayerId, Fraction], ...] = ()


class Worth(NamedTuple):
    """What a game that was won, drawn or lost is worth."""

    win: Fraction
    draw: Fraction
    loss: Fraction


class Sheets:
    """The sheets of a division, and what follows from them for each player."""

    def __init__(
        self,
        lines: Mapping[PlayerId, Sequence[Line]],
        worth: Worth,
        pairing: Pairing,
        start: Mapping[PlayerId, Fraction] = NO_START,
        *,
        penalties: Penalties = NO_PENALTIES,
    ) -> None:
        """Keep the `lines` of each player, in the order of rounds. `start` is what a player begins with, if not nothing.

        `penalties` are points that were taken from players. They are in nobody's score: what others have from having met a player stays.
        """
        self.players = tuple(lines)
        self.worth = worth
        self.pairing = pairing
        self.rounds = max((line.round for each in lines.values() for line in each), default=0)
        self._lines = {player: tuple(each) for player, each in lines.items()}
        self._start = start
        self._penalties = penalties
        self._adjusted = {player: self._as_opponent(player) for player in self.players}

    def start(self, player: PlayerId) -> Fraction:
        """What a player had before the first round."""
        return self._start.get(player, Fraction(0))

    def penalties(self, player: PlayerId) -> tuple[Fraction, ...]:
        """The points taken from a player, one after another."""
        return tuple(self._penalties.get(player, ()))

    def lines(self, player: PlayerId) -> tuple[Line, ...]:
        """A player's lines whose result is known."""
        return tuple(line for line in self._lines[player] if line.kind is not Kind.RUNNING)

    def score(self, player: PlayerId) -> Fraction:
        """All points of a player, before penalties."""
        return self.start(player) + sum((line.points for line in self._lines[player]), Fraction(0))

    def adjusted(self, player: PlayerId) -> Fraction:
        """The points of a player as somebody's opponent: the last rounds that he was not there for count as drawn (C.07, 16.3)."""
        return self._adjusted[player]

    def stand_in(self, player: PlayerId, line: Line) -> Fraction:
        """The points of whoever stands in for an opponent in a round of the player that was not played (C.07, 16.4)."""
        bounds = [self.adjusted(opponent) for opponent in line.opponents] or [self.start(player) + self.worth.draw * self.rounds]
        return min(self.score(player), *bounds)

    def is_game(self, line: Line) -> bool:
        """Whether a line counts as a game: it was played, or the pairings were fixed and it was won or lost without (C.07, 15.2)."""
        return line.kind is Kind.GAME or (self.pairing is Pairing.FIXED and line.kind in (Kind.WALKOVER, Kind.DEFAULT))

    def _as_opponent(self, player: PlayerId) -> Fraction:
        score = self.score(player)
        if self.pairing is Pairing.BY_STANDING:
            for line in reversed(self._lines[player]):
                if line.kind not in BY_CHOICE:
                    break
                if line.kind is Kind.ABSENT:
                    score += self.worth.draw - line.points
        return score


def sheets_of(
    record: Record,
    scoring: Scoring,
    pairing: Pairing,
    places: Places = NO_PLACES,
    start: Mapping[PlayerId, Fraction] = NO_START,
    *,
    penalties: Penalties = NO_PENALTIES,
) -> Sheets:
    """The sheets of a record.

    At a table of more than two a player has points for his place, and those who share places share the points for them; if he did not come,
    or there was no result, he has the points for that mark. Raises ValueError if there are no points for the places of such a table.
    """
    lines: dict[PlayerId, list[Line]] = {player: [] for player in record.players}
    worth = Worth(*(scoring.points[mark] for mark in (Mark.WIN, Mark.DRAW, Mark.LOSS)))
    for encounter in record.encounters:
        for at, player in enumerate(encounter.players):
            lines[player].append(_line(encounter, at, scoring, places, worth))
    if pairing is Pairing.BY_STANDING:
        rounds = max((encounter.round for encounter in record.encounters), default=0)
        for each in lines.values():
            there = {line.round for line in each}
            each.extend(Line(number, Kind.ABSENT) for number in range(1, rounds + 1) if number not in there)
            each.sort(key=lambda line: line.round)
    return Sheets(lines, worth, pairing, start, penalties=penalties)


def _line(encounter: Encounter, at: int, scoring: Scoring, places: Places, worth: Worth) -> Line:
    """The line of the player at that index."""
    others = tuple(player for player in encounter.players if player != encounter.players[at])
    if not encounter.is_over:
        return Line(encounter.round, Kind.RUNNING, opponents=others, seat=at + 1)
    mark = encounter.marks[at]
    line = Line(encounter.round, _kind(mark, scoring), scoring.points[mark], others, at + 1, mark in WON)
    if len(others) < 2:
        return line._replace(met=tuple((other, line.points) for other in others))
    if line.kind not in (Kind.GAME, Kind.WALKOVER) or not encounter.places:
        return line
    shares = _shares(encounter.places, at)
    values = places.get(len(encounter.players), ())
    if len(values) != len(shares):
        raise ValueError(f"no points for the places at a table of {len(shares)}")
    points = sum((share * value for share, value in zip(shares, values, strict=True)), Fraction(0))
    return line._replace(points=points, shares=shares, met=tuple(_met(encounter, at, scoring, worth)))


def _kind(mark: Mark, scoring: Scoring) -> Kind:
    if mark is Mark.BYE:
        return Kind.BYE
    if mark in scoring.played:
        return Kind.GAME
    if mark in WON:
        return Kind.WALKOVER
    return Kind.DEFAULT if mark in DEFAULTED else Kind.VOID


def _shares(places: Sequence[int], at: int) -> tuple[Fraction, ...]:
    """Of each place, the first one first, how much belongs to the player at that index."""
    before = sum(place < places[at] for place in places)
    sharing = places.count(places[at])
    return tuple(Fraction(int(before <= number < before + sharing), sharing) for number in range(len(places)))


def _met(encounter: Encounter, at: int, scoring: Scoring, worth: Worth) -> list[tuple[PlayerId, Fraction]]:
    """Whom of a larger table a player can be compared with, and how that ended."""
    own = encounter.places[at]
    outcome: defaultdict[bool | None, Fraction] = defaultdict(lambda: worth.draw, {True: worth.win, False: worth.loss})
    return [
        (player, outcome[None if place == own else own < place])
        for player, place, mark in zip(encounter.players, encounter.places, encounter.marks, strict=True)
        if player != encounter.players[at] and mark in scoring.played
    ]
