"""The cost of a Swiss pairing, worked out again from the list of all games, and all the pairings there are."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from turnserver.ids import PlayerId
from turnserver.league.scoring.marks import Mark, Scoring
from turnserver.league.scoring.record import Encounter


def all_pairings(players: Sequence[PlayerId], barred: set[frozenset[PlayerId]]) -> list[list[tuple[PlayerId, ...]]]:
    """Every way to pair as many as can be; whoever is left over is a tuple of one."""
    found = list(_ways(list(players), barred))
    fewest = min(len(way) for way in found)
    return [way for way in found if len(way) == fewest]


def _ways(players: list[PlayerId], barred: set[frozenset[PlayerId]]) -> Iterator[list[tuple[PlayerId, ...]]]:
    if not players:
        yield []
        return
    head, *rest = players
    for way in _ways(rest, barred):
        yield [(head,), *way]
    for other in rest:
        if {head, other} not in barred:
            for way in _ways([player for player in rest if player != other], barred):
                yield [(head, other), *way]


class Naive:
    """The players in pairing order, what they have played, and points they began with."""

    def __init__(
        self, players: Sequence[PlayerId], games: Sequence[Encounter], scoring: Scoring, extra: Mapping[PlayerId, Fraction]
    ) -> None:
        self.players, self.games, self.scoring, self.extra = players, games, scoring, extra
        self.final = {player: self.points(player, self.games) for player in players}
        self.last = max([game.round for game in games], default=0)
        parts = [score.denominator for score in self.final.values()]
        self.unit = next(Fraction(1, n) for n in range(1, 1000) if all(n % part == 0 for part in parts))
        self.groups = {
            score: [player for player in players if self.final[player] == score] for score in sorted(set(self.final.values()), reverse=True)
        }
        self.ranked = [player for group in self.groups.values() for player in group]

    def points(self, player: PlayerId, games: Sequence[Encounter]) -> Fraction:
        total = self.extra.get(player, Fraction(0))
        for game in games:
            if player in game.players and game.marks:
                total += self.scoring.points[game.marks[game.players.index(player)]]
        return total

    def real(self, game: Encounter) -> bool:
        """Return whether there were two, and they played."""
        return len(game.players) == 2 and all(mark in self.scoring.played for mark in game.marks)

    def met(self, one: PlayerId, other: PlayerId) -> bool:
        return any(set(game.players) == {one, other} and self.real(game) for game in self.games)

    def free(self, player: PlayerId) -> bool:
        return any(
            (player, mark) in zip(game.players, game.marks, strict=False) for game in self.games for mark in (Mark.BYE, Mark.WIN_BY_FORFEIT)
        )

    def due(self, player: PlayerId) -> tuple[str, int]:
        """Return what a player is due, `first` or `second` or nothing, and how much: 1, 2 or 3."""
        signs = "".join("x" if game.players[0] == player else "o" for game in self.games if player in game.players and self.real(game))
        surplus = signs.count("x") - signs.count("o")
        if not signs:
            return "", 0
        if surplus >= 2:
            return "second", 3
        if surplus <= -2:
            return "first", 3
        if signs.endswith("xx"):
            return "second", 3
        if signs.endswith("oo"):
            return "first", 3
        if surplus:
            return ("second" if surplus == 1 else "first"), 2
        return ("second" if signs.endswith("x") else "first"), 1

    def went(self, player: PlayerId) -> int:
        """1 if the player met somebody above them in the last round, -1 if below, or if they had points for nothing."""
        for game in self.games:
            if game.round == self.last and player in game.players:
                if not self.real(game):
                    mark = game.marks[game.players.index(player)]
                    return -1 if self.scoring.points[mark] > self.scoring.points[Mark.LOSS] else 0
                other = game.players[1 - game.players.index(player)]
                earlier = [one for one in self.games if one.round < self.last]
                mine, theirs = self.points(player, earlier), self.points(other, earlier)
                return (theirs > mine) - (theirs < mine)
        return 0

    def cost(self, way: Sequence[tuple[PlayerId, ...]]) -> tuple[int, ...]:
        """The figures of a pairing in the order in which they count."""
        pairs = [sorted(those, key=self.ranked.index) for those in way if len(those) == 2]
        byes = [those[0] for those in way if len(those) == 1]
        level = [(high, low) for high, low in pairs if self.final[high] == self.final[low]]
        floats = [(high, low) for high, low in pairs if self.final[high] != self.final[low]]
        refused = [min(self.due(high)[1], self.due(low)[1]) for high, low in pairs if self.due(high)[0] == self.due(low)[0] != ""]
        return (
            sum(self.met(high, low) for high, low in pairs),
            sum(self.free(player) for player in byes),
            refused.count(3),
            sum(int((self.final[player] - min(self.final.values())) / self.unit) for player in byes),
            sum(int((self.final[high] - self.final[low]) / self.unit) ** 2 for high, low in pairs),
            len(floats),
            sum(self.went(high) == -1 for high in [high for high, _ in floats] + byes) + sum(self.went(low) == 1 for _, low in floats),
            sum(strength > 1 for strength in refused),
            len(refused),
            sum(not self.across(high, low) for high, low in level),
            sum(self.off_level(high, low) ** 2 for high, low in level)
            + sum(self.from_end(player) ** 2 for player in [high for high, _ in floats] + byes)
            + sum(self.groups[self.final[low]].index(low) ** 2 for _, low in floats),
        )

    def across(self, high: PlayerId, low: PlayerId) -> bool:
        """Return whether the one is of the upper half of their group and the other of the lower."""
        group = self.groups[self.final[high]]
        upper, lower = group[: (len(group) + 1) // 2], group[len(group) // 2 :]
        return high in upper and low in lower

    def off_level(self, high: PlayerId, low: PlayerId) -> int:
        group = self.groups[self.final[high]]
        return group.index(low) - (group.index(high) + len(group) // 2)

    def from_end(self, player: PlayerId) -> int:
        return self.groups[self.final[player]][::-1].index(player)
