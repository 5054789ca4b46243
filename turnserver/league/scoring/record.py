"""The record of a division: its encounters, and each player's part in them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from turnserver.ids import GameId, PlayerId
from turnserver.league.scoring.marks import OTHER_SIDE, WON, Mark, Scoring

Teams: TypeAlias = Sequence[Collection[int]]
"""Seats (1, 2, ...) that win and lose together."""


class Verdict(NamedTuple):
    """The mark of each player of a meeting, in seat order. At a table of more than two where somebody came first, also the places.

    Players who share a place have the same number, and as many numbers are left out behind them: 1, 2, 2, 4.
    """

    marks: tuple[Mark, ...]
    places: tuple[int, ...] = ()


def alike(players: Sequence[PlayerId], mark: Mark = Mark.NO_RESULT) -> Verdict:
    """Return the verdict that gives everybody the same mark, and nobody a place."""
    return Verdict((mark,) * len(players))


def drawn(players: Sequence[PlayerId], gone: Collection[PlayerId] = (), teams: Teams = ()) -> Verdict:
    """Return a draw of all sides that are still there. At a table of more than two, those who are `gone` have lost.

    If nobody is there, nobody has a result. `teams` are as in `ended`; without them everybody plays alone.
    """
    if len(players) == 2:
        return alike(players, Mark.DRAW)
    lost = abandoned(players, gone, teams)
    there = [player for player in players if player not in lost]
    return _parted(players, there, Mark.DRAW, Mark.LOSS) if there else alike(players)


def abandoned(players: Sequence[PlayerId], gone: Collection[PlayerId], teams: Teams = ()) -> frozenset[PlayerId]:
    """Return the players of the sides that are completely `gone`. `teams` are as in `ended`."""
    return frozenset(player for side in _sides(players, teams) if side.issubset(gone) for player in side)


def forfeited(players: Sequence[PlayerId], absent: Iterable[PlayerId], teams: Teams = ()) -> Verdict:
    """Return the verdict without a game, or without the end of one, if those who are `absent` do not come.

    `teams` are as in `ended`. Complete teams win; there is no result if no team is complete. A partner who came has lost.
    """
    away = frozenset(absent)
    if away.issuperset(players):
        return alike(players, Mark.FORFEIT)
    there = [player for side in _sides(players, teams) if side.isdisjoint(away) for player in side]
    if not there:
        return alike(players)
    marks, places = _parted(players, there, Mark.WIN_BY_FORFEIT, Mark.LOSS)
    return Verdict(tuple(Mark.FORFEIT if player in away else mark for player, mark in zip(players, marks, strict=True)), places)


def by_places(places: Sequence[int]) -> Verdict:
    """Return the verdict of a table that was played out, by the place of each player. It is a draw if all share the first place."""
    best = Mark.DRAW if len(set(places)) == 1 else Mark.WIN
    return Verdict(tuple(best if place == 1 else Mark.LOSS for place in places), tuple(places))


def ended(
    teams: Teams,
    winners: Collection[int],
    *,
    scores: Sequence[int] = (),
    left: Sequence[int] = (),
    late: Collection[int] = (),
) -> Verdict:
    """Return the verdict of a game that ended by itself.

    `teams` are the seats (1, 2, ...) that win and lose together; each team has the place of its best seat. Without `winners` it is a draw
    of all who played to the end. It is one of two, too, if both win. `scores` are by seat, the higher is the better. `left` are the seats
    that did not play to the end, in the order in which they left, and `late` the seats whose time was up.
    """
    seats = sorted(seat for team in teams for seat in team)
    if len(seats) == 2 and len(winners) != 1:
        return Verdict((Mark.DRAW, Mark.DRAW))
    ranks = [_rank(seat, winners or set(seats).difference(left), scores, left) for seat in seats]
    best = {seat: min(ranks[partner - 1] for partner in team) for team in teams for seat in team}
    places = tuple(1 + sum(best[other] < best[seat] for other in seats) for seat in seats)
    behind = {seat for seat, place in zip(seats, places, strict=True) if place > 1}
    # won on time only if everybody who is behind was late
    others_late = behind and behind.issubset(late)
    first = (Mark.WIN_ON_TIME if others_late else Mark.WIN) if winners else Mark.DRAW
    marks = (first if place == 1 else Mark.TIMEOUT if seat in late else Mark.LOSS for seat, place in zip(seats, places, strict=True))
    return Verdict(tuple(marks), places if len(seats) > 2 else ())


def fits(players: Sequence[PlayerId], verdict: Verdict, teams: Teams) -> bool:
    """Return whether marks and places go together for these players, who are two or more. `teams` are as in `ended`."""
    marks, places = verdict
    if len(marks) != len(players) or Mark.BYE in marks:
        return False
    if len(players) == 2:
        return not places and (marks == (Mark.FORFEIT, Mark.FORFEIT) or OTHER_SIDE[marks[0]] is marks[1])
    if not places:
        # without places, everybody has the same mark, and nobody has won
        return len(set(marks)) == 1 and marks[0] in (Mark.NO_RESULT, Mark.ANNULLED, Mark.FORFEIT)
    return _is_ranking(len(players), places) and _are_earned(marks, places) and not _parts_partners(places, teams)


def _sides(players: Sequence[PlayerId], teams: Teams) -> list[frozenset[PlayerId]]:
    return [frozenset(players[seat - 1] for seat in team) for team in teams] or [frozenset({player}) for player in players]


def _rank(seat: int, first: Collection[int], scores: Sequence[int], left: Sequence[int]) -> tuple[int, int]:
    # the less the better: the first, then those who stayed, then those who left, the last to leave first
    if seat in first:
        return 0, 0
    return (2, -left.index(seat)) if seat in left else (1, -scores[seat - 1] if scores else 0)


def _parted(players: Sequence[PlayerId], first: Sequence[PlayerId], mark: Mark, other: Mark) -> Verdict:
    # places are only for tables of more than two
    marks = tuple(mark if player in first else other for player in players)
    return Verdict(marks, tuple(1 if player in first else 1 + len(first) for player in players) if len(players) > 2 else ())


def _is_ranking(size: int, places: Sequence[int]) -> bool:
    return len(places) == size and all(place == 1 + sum(other < place for other in places) for place in places)


def _are_earned(marks: Sequence[Mark], places: Sequence[int]) -> bool:
    """Return whether first places and wins are earned: the first have won or all drawn, against others who have not.

    A player who won without a game won against somebody who was missing.
    """
    first = {mark for mark, place in zip(marks, places, strict=True) if place == 1}
    rest = {mark for mark, place in zip(marks, places, strict=True) if place > 1}
    missed = {OTHER_SIDE[mark] for mark in first & {Mark.WIN_BY_FORFEIT, Mark.WIN_ON_TIME}}
    return (first == {Mark.DRAW} or first <= WON) and rest <= {Mark.LOSS, Mark.TIMEOUT, Mark.FORFEIT} and missed <= rest


def _parts_partners(places: Sequence[int], teams: Teams) -> bool:
    return any(len({places[seat - 1] for seat in team}) > 1 for team in teams)


@dataclass(frozen=True, slots=True)
class Encounter:
    """Players who meet in a `round`, in seat order: the first moves first. One player alone has a bye.

    `marks` are in the same order, and empty while the game is played. In a game of more than two, `places` say who came first, second, ...;
    players who share a place have the same number. `worth` are the points of a bye that was asked for; None for any other.
    """

    round: int
    players: tuple[PlayerId, ...]
    marks: tuple[Mark, ...] = ()
    places: tuple[int, ...] = ()
    game: GameId | None = None
    worth: Fraction | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for marks or places that do not match the players, a player twice, and unless a bye has one player."""
        if not all(len(each) in (0, len(self.players)) for each in (self.marks, self.places)):
            raise ValueError("every player has a mark and a place, or nobody has")
        if len(set(self.players)) != len(self.players):
            raise ValueError("a player is in the meeting twice")
        if (Mark.BYE in self.marks) != (len(self.players) == 1):
            raise ValueError("a bye is for one player alone, and whoever is alone has a bye")

    @property
    def is_over(self) -> bool:
        """True if the result is known."""
        return bool(self.marks)


class PlayerPart(NamedTuple):
    """A player's part in an encounter: the round, the seat (1 is first), the opponents, the player's mark and place.

    `worth` are the points of a bye that the player asked for.
    """

    round: int
    seat: int
    opponents: tuple[PlayerId, ...]
    mark: Mark | None
    place: int | None
    game: GameId | None = None
    worth: Fraction | None = None


class PlayRecord:
    """The encounters of a division, by player, each player's in the order of rounds."""

    def __init__(self, players: Sequence[PlayerId], encounters: Iterable[Encounter], *, seat_begins: bool = True) -> None:
        """Keep the encounters of `players`. `seat_begins` is False where seat 1 is nothing to take turns at.

        Raises ValueError for an encounter of anybody else.
        """
        self._seat_begins = seat_begins
        self.players = tuple(players)
        self.encounters = tuple(sorted(encounters, key=lambda one: one.round))
        parts: dict[PlayerId, list[PlayerPart]] = {player: [] for player in self.players}
        for encounter in self.encounters:
            for player, part in _parts(encounter):
                if player not in parts:
                    raise ValueError(f"player {player} is not in this division")
                parts[player].append(part)
        self._parts: Mapping[PlayerId, tuple[PlayerPart, ...]] = {player: tuple(found) for player, found in parts.items()}

    def parts(self, player: PlayerId) -> tuple[PlayerPart, ...]:
        """Return the player's parts in encounters, finished or not."""
        return self._parts[player]

    def score(self, player: PlayerId, scoring: Scoring) -> Fraction:
        """Return the points of a player in games of two and byes."""
        parts = self.parts(player)
        asked = sum((part.worth for part in parts if part.worth is not None), Fraction(0))
        return asked + sum((scoring.points[part.mark] for part in parts if part.mark is not None and part.worth is None), Fraction(0))

    def met(self, scoring: Scoring) -> frozenset[frozenset[PlayerId]]:
        """Return the pairs who have met or are at it. A game that was not played on the board leaves its players strangers."""
        return frozenset(
            frozenset(encounter.players)
            for encounter in self.encounters
            if len(encounter.players) == 2 and (not encounter.is_over or scoring.played.issuperset(encounter.marks))
        )

    def firsts(self, scoring: Scoring) -> Mapping[PlayerId, tuple[bool, ...]]:
        """Return for each player whether they moved first, in games on the board or still played, in the order of rounds.

        Nobody did unless a seat begins.
        """
        found: defaultdict[PlayerId, list[bool]] = defaultdict(list)
        for player in self.players if self._seat_begins else ():
            for part in self.parts(player):
                if part.opponents and (part.mark is None or part.mark in scoring.played):
                    found[player].append(part.seat == 1)
        return {player: tuple(found[player]) for player in self.players}


def _parts(encounter: Encounter) -> Iterator[tuple[PlayerId, PlayerPart]]:
    for at, player in enumerate(encounter.players):
        yield (
            player,
            PlayerPart(
                encounter.round,
                at + 1,
                tuple(other for other in encounter.players if other != player),
                encounter.marks[at] if encounter.marks else None,
                encounter.places[at] if encounter.places else None,
                encounter.game,
                encounter.worth,
            ),
        )
