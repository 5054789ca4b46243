"""What has been played in a division: its encounters, and each player's part in them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from turnserver.ids import GameId, PlayerId
from turnserver.league.scoring.marks import Mark, Scoring


@dataclass(frozen=True, slots=True)
class Encounter:
    """Players who meet in a `round`, in seat order: the first of them moves first. One alone has a bye.

    `marks` are in the same order, and empty while the game is played. In a game of more than two, `places` say who came first, second, ...;
    those who share a place have the same number.
    """

    round: int
    players: tuple[PlayerId, ...]
    marks: tuple[Mark, ...] = ()
    places: tuple[int, ...] = ()
    game: GameId | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for marks or places that are not one a player, a player twice, and a bye that is none."""
        if not all(len(each) in (0, len(self.players)) for each in (self.marks, self.places)):
            raise ValueError("every player has a mark and a place, or nobody has")
        if len(set(self.players)) != len(self.players):
            raise ValueError("somebody meets himself")
        if (Mark.BYE in self.marks) != (len(self.players) == 1):
            raise ValueError("a bye is for one player alone, and whoever is alone has a bye")

    @property
    def is_over(self) -> bool:
        """Whether the result is known."""
        return bool(self.marks)


class Part(NamedTuple):
    """A player's part in an encounter: in which round, as which of its players (1 is first), against whom, and what it was to him."""

    round: int
    seat: int
    opponents: tuple[PlayerId, ...]
    mark: Mark | None
    place: int | None

    @property
    def opponent(self) -> PlayerId | None:
        """The one opponent of a game of two; None for a bye."""
        return self.opponents[0] if self.opponents else None


class Record:
    """The encounters of a division, by player, each player's in the order of rounds."""

    def __init__(self, players: Sequence[PlayerId], encounters: Iterable[Encounter]) -> None:
        """Keep what was played by `players`. Raises ValueError for an encounter of anybody else."""
        self.players = tuple(players)
        self.encounters = tuple(sorted(encounters, key=lambda one: one.round))
        parts: dict[PlayerId, list[Part]] = {player: [] for player in self.players}
        for encounter in self.encounters:
            for player, part in _parts(encounter):
                if player not in parts:
                    raise ValueError(f"player {player} is not in this division")
                parts[player].append(part)
        self._parts: Mapping[PlayerId, tuple[Part, ...]] = {player: tuple(found) for player, found in parts.items()}

    def parts(self, player: PlayerId) -> tuple[Part, ...]:
        """What a player has had, finished or not."""
        return self._parts[player]

    def score(self, player: PlayerId, scoring: Scoring) -> Fraction:
        """The points of a player in games of two and byes."""
        return sum((scoring.points[part.mark] for part in self.parts(player) if part.mark is not None), Fraction(0))

    def met(self, scoring: Scoring) -> frozenset[frozenset[PlayerId]]:
        """The pairs who have met, or are at it: a game that was not played on the board leaves its players strangers."""
        return frozenset(
            frozenset(encounter.players)
            for encounter in self.encounters
            if len(encounter.players) == 2 and (not encounter.is_over or scoring.played.issuperset(encounter.marks))
        )

    def firsts(self, scoring: Scoring) -> Mapping[PlayerId, tuple[bool, ...]]:
        """For each player whether he moved first, in the games on the board or still played, in the order of rounds."""
        found: defaultdict[PlayerId, list[bool]] = defaultdict(list)
        for player in self.players:
            for part in self.parts(player):
                if part.opponents and (part.mark is None or part.mark in scoring.played):
                    found[player].append(part.seat == 1)
        return {player: tuple(found[player]) for player in self.players}


def _parts(encounter: Encounter) -> Iterator[tuple[PlayerId, Part]]:
    for at, player in enumerate(encounter.players):
        yield (
            player,
            Part(
                encounter.round,
                at + 1,
                tuple(other for other in encounter.players if other != player),
                encounter.marks[at] if encounter.marks else None,
                encounter.places[at] if encounter.places else None,
            ),
        )
