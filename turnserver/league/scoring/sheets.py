"""Sheets: a player's rounds as tie-breaks look at them, with a line for every game, every bye, and every round without either.

Rounds without a game count as in the FIDE Handbook, chapter C.07, in the edition in force since 1 March 2026. Where all pairings are known
beforehand, article 15.2: a forfeit counts like a game. Where a round is paired by the standings, article 16: in the figures of a player, a
stand-in with as many points as that player takes the opponent's place in such a round (within bounds, 16.4), and an opponent who came no
more counts as if they had drawn all that was left (16.3).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import WON, Mark, Scoring
from turnserver.league.scoring.record import Encounter, PlayRecord


class PairingTime(StrEnum):
    """The time of pairing: `fixed` before the first round, as in a round robin, or `by standing` round after round, as in a Swiss event."""

    FIXED = "fixed"
    BY_STANDING = "by standing"


class LineKind(StrEnum):
    """The kind of a player's round: a `game`, won or lost without one, void, a bye, nothing at all, or a game that is still played.

    A `requested` bye is one that the player wanted.

    A `penalty` belongs to no round: points that an admin has taken away.
    """

    GAME = "game"
    WALKOVER = "walkover"
    DEFAULT = "default"
    VOID = "void"
    BYE = "bye"
    REQUESTED = "requested"
    ABSENT = "absent"
    RUNNING = "running"
    PENALTY = "penalty"


AWAY: Final = frozenset({LineKind.ABSENT, LineKind.REQUESTED})
BY_CHOICE: Final = AWAY | {LineKind.DEFAULT}
"""The voluntary unplayed rounds of C.07, 16.1."""

DEFAULTED: Final = frozenset({Mark.LOSS, Mark.FORFEIT, Mark.TIMEOUT})

Places: TypeAlias = Mapping[int, Sequence[Fraction]]
"""Points for the first place, the second, ..., by how many are at the table."""

NO_PLACES: Final[Places] = MappingProxyType({})
NO_START: Final[Mapping[PlayerId, Fraction]] = MappingProxyType({})

Penalties: TypeAlias = Mapping[PlayerId, Sequence[Fraction]]
NO_PENALTIES: Final[Penalties] = MappingProxyType({})


class SheetLine(NamedTuple):
    """A line of a player's sheet.

    `shares` are, at a table of more than two, the player's parts of the first place, the second, ...; players who share places have equal
    parts of them. `met` is every opponent that the player can be compared with, and the player's score against them.
    """

    round: int
    kind: LineKind
    points: Fraction = Fraction(0)
    opponents: tuple[PlayerId, ...] = ()
    seat: int = 1
    won: bool = False
    shares: tuple[Fraction, ...] = ()
    met: tuple[tuple[PlayerId, Fraction], ...] = ()


class Worth(NamedTuple):
    """The worth of a game that was won, drawn or lost."""

    win: Fraction
    draw: Fraction
    loss: Fraction


class Sheets:
    """The sheets of a division, and the figures that follow from them for each player."""

    def __init__(
        self,
        lines: Mapping[PlayerId, Sequence[SheetLine]],
        worth: Worth,
        pairing: PairingTime,
        start: Mapping[PlayerId, Fraction] = NO_START,
        *,
        penalties: Penalties = NO_PENALTIES,
    ) -> None:
        """Keep the `lines` of each player, in the order of rounds. `start` are the points that a player begins with, if any.

        `penalties` are points that were taken from players. They are in nobody's score, so the figures of opponents stay as they are.
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
        """Return the points of a player before the first round."""
        return self._start.get(player, Fraction(0))

    def penalties(self, player: PlayerId) -> tuple[Fraction, ...]:
        """Return the points taken from a player, one after another."""
        return tuple(self._penalties.get(player, ()))

    def lines(self, player: PlayerId) -> tuple[SheetLine, ...]:
        """Return a player's lines whose result is known."""
        return tuple(line for line in self._lines[player] if line.kind is not LineKind.RUNNING)

    def score(self, player: PlayerId) -> Fraction:
        """Return all points of a player, before penalties."""
        return self.start(player) + sum((line.points for line in self._lines[player]), Fraction(0))

    def adjusted(self, player: PlayerId) -> Fraction:
        """Return the points of a player as an opponent. The rounds after their last one count as drawn (C.07, 16.3)."""
        return self._adjusted[player]

    def stand_in(self, player: PlayerId, line: SheetLine) -> Fraction:
        """Return the points of the stand-in for an opponent in a round that the player did not play (C.07, 16.4)."""
        # 16.4.2 bounds a round without an opponent by a draw in each round. Ours: a start in points, as McMahon has it, belongs to the
        # bound.
        bounds = [self.adjusted(opponent) for opponent in line.opponents] or [self.start(player) + self.worth.draw * self.rounds]
        return min(self.score(player), *bounds)

    def is_game(self, line: SheetLine) -> bool:
        """Return whether a line counts as a game: it was played, or with fixed pairings it was won or lost without a game (C.07, 15.2)."""
        return line.kind is LineKind.GAME or (self.pairing is PairingTime.FIXED and line.kind in (LineKind.WALKOVER, LineKind.DEFAULT))

    def _as_opponent(self, player: PlayerId) -> Fraction:
        score = self.score(player)
        if self.pairing is PairingTime.BY_STANDING:
            for line in reversed(self._lines[player]):
                if line.kind not in BY_CHOICE:
                    break
                if line.kind in AWAY:
                    score += self.worth.draw - line.points
        return score


def sheets_of(
    record: PlayRecord,
    scoring: Scoring,
    pairing: PairingTime,
    places: Places = NO_PLACES,
    start: Mapping[PlayerId, Fraction] = NO_START,
    *,
    penalties: Penalties = NO_PENALTIES,
) -> Sheets:
    """Return the sheets of a record.

    At a table of more than two a player has points for their place, and players who share places share the points for them. A player who
    did not come, or has no result, has the points for that mark. Raises ValueError if there are no points for the places of such a table.
    """
    lines: dict[PlayerId, list[SheetLine]] = {player: [] for player in record.players}
    worth = Worth(*(scoring.points[mark] for mark in (Mark.WIN, Mark.DRAW, Mark.LOSS)))
    for encounter in record.encounters:
        for at, player in enumerate(encounter.players):
            lines[player].append(_line(encounter, at, scoring, places, worth))
    # where pairs are fixed, a round without an opponent is nobody's absence
    if pairing is PairingTime.BY_STANDING:
        rounds = max((encounter.round for encounter in record.encounters), default=0)
        for each in lines.values():
            there = {line.round for line in each}
            each.extend(SheetLine(number, LineKind.ABSENT) for number in range(1, rounds + 1) if number not in there)
            each.sort(key=lambda line: line.round)
    return Sheets(lines, worth, pairing, start, penalties=penalties)


def _line(encounter: Encounter, at: int, scoring: Scoring, places: Places, worth: Worth) -> SheetLine:
    """Return the line for player `at` of an encounter. Raises ValueError if the settings lack points for its places."""
    others = tuple(player for player in encounter.players if player != encounter.players[at])
    if not encounter.is_over:
        return SheetLine(encounter.round, LineKind.RUNNING, opponents=others, seat=at + 1)
    if encounter.worth is not None:
        return SheetLine(encounter.round, LineKind.REQUESTED, encounter.worth)
    mark = encounter.marks[at]
    line = SheetLine(encounter.round, _kind(mark, scoring), scoring.points[mark], others, at + 1, mark in WON)
    if len(others) < 2:
        return line._replace(met=tuple((other, line.points) for other in others))
    # a player who did not come to a table has the points of that mark, and no place
    if line.kind not in (LineKind.GAME, LineKind.WALKOVER) or not encounter.places:
        return line
    shares = _shares(encounter.places, at)
    values = places.get(len(encounter.players), ())
    if len(values) != len(shares):
        raise ValueError(f"no points for the places at a table of {len(shares)}")
    points = sum((share * value for share, value in zip(shares, values, strict=True)), Fraction(0))
    return line._replace(points=points, shares=shares, met=tuple(_met(encounter, at, scoring, worth)))


def _kind(mark: Mark, scoring: Scoring) -> LineKind:
    if mark is Mark.BYE:
        return LineKind.BYE
    if mark in scoring.played:
        return LineKind.GAME
    if mark in WON:
        return LineKind.WALKOVER
    # Ours: a game without a result, or whose result was taken back, is nobody's choice. It bounds the stand-in as a forfeit does, but it is
    # no round left out by choice (`BY_CHOICE`).
    return LineKind.DEFAULT if mark in DEFAULTED else LineKind.VOID


def _shares(places: Sequence[int], at: int) -> tuple[Fraction, ...]:
    """Return how much of each place, the first one first, belongs to the player at that index."""
    before = sum(place < places[at] for place in places)
    sharing = places.count(places[at])
    return tuple(Fraction(int(before <= number < before + sharing), sharing) for number in range(len(places)))


def _met(encounter: Encounter, at: int, scoring: Scoring, worth: Worth) -> list[tuple[PlayerId, Fraction]]:
    """Return the players of a larger table with whom a player can be compared, with the player's score against each."""
    own = encounter.places[at]
    outcome: defaultdict[bool | None, Fraction] = defaultdict(lambda: worth.draw, {True: worth.win, False: worth.loss})
    return [
        (player, outcome[None if place == own else own < place])
        for player, place, mark in zip(encounter.players, encounter.places, encounter.marks, strict=True)
        if player != encounter.players[at] and mark in scoring.played
    ]
