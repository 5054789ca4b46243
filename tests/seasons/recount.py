"""A season counted again by somebody who has never seen the program: from the JSON of the log, with nothing but the standard library.

Only for leagues in which everybody meets everybody and points are as usual.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

Data: TypeAlias = dict[str, Any]

POINTS = {"win": 2, "win by forfeit": 2, "win on time": 2, "draw": 1}
"""In halves; everything else is worth nothing."""


@dataclass
class Game:
    """The story of a game by its log: who sat down in which order, whose seat is whose now, and how it ended."""

    players: list[int]
    outcome: str = ""
    by: str = ""
    winners: list[int] = field(default_factory=list)
    annulled: bool = False

    def take(self, kind: str, data: Data) -> None:
        match kind:
            case "game.ended":
                self.outcome, self.by, self.winners = data["outcome"], data["by"], data["winners"]
            case "game.result_annulled":
                self.annulled = True
            case "game.reopened" | "game.turns_retracted" | "game.end_retracted":
                self.outcome, self.by, self.winners = "", "", []

    def marks(self) -> list[str]:
        """Return what it is to whoever sat down, in the order of seats."""
        if self.annulled or self.by == "annulment":
            return ["annulled"] * len(self.players)
        if self.outcome == "drawn":
            return ["draw"] * len(self.players)
        if self.outcome != "won":
            return ["no result"] * len(self.players)
        won, lost = ("win on time", "timeout") if self.by == "time" else ("win", "loss")
        return [won if seat in self.winners else lost for seat in range(1, len(self.players) + 1)]


@dataclass
class Season:
    """A season by the log of its league."""

    divisions: dict[str, list[int]] = field(default_factory=dict)
    tiers: dict[str, int] = field(default_factory=dict)
    meetings: dict[int, tuple[str, list[int]]] = field(default_factory=dict)
    games: dict[int, int] = field(default_factory=dict)
    results: dict[int, tuple[str, list[str]]] = field(default_factory=dict)
    struck: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)
    acting: dict[int, int] = field(default_factory=dict)
    late: set[int] = field(default_factory=set)
    divided: bool = False
    final: dict[str, list[Data]] = field(default_factory=dict)
    # the meetings whose game goes on although the season is closed
    again: set[int] = field(default_factory=set)

    def take(self, kind: str, data: Data) -> None:  # noqa: C901  # one branch an event
        match kind:
            case "league.season_started":
                self.divisions = {each["name"]: each["players"] for each in data["divisions"]}
                self.tiers = {each["name"]: each["tier"] for each in data["divisions"]}
            case "league.season_divided":
                self._divide(data)
            case "league.player_withdrawn":
                self.left.add(data["player"])
                self.struck.update([data["player"]] if data["struck"] else [])
            case "league.season_reopened":
                self.final = {}
                self.again.clear()
                for number in data["meetings"]:
                    del self.results[number]
                    self.games.pop(number, None)
            case "league.player_returned":
                self.left.discard(data["player"])
                self.struck.discard(data["player"])
                for number in data["meetings"]:
                    del self.results[number]
                    self.games.pop(number, None)
            case "league.player_admitted":
                self.divisions[data["division"]].insert(data["place"] - 1, data["player"])
                self.late.add(data["player"])
            case "league.admission_undone":
                self._forget(data["player"])
            case "league.player_substituted":
                self.acting[data["player"]] = data["substitute"]
            case "league.season_closed" | "league.tables_corrected":
                self.final = {each["division"]: each["lines"] for each in data["tables"]}
            case _:
                self._of_meetings(kind, data)

    def _forget(self, line: int) -> None:
        self.divisions = {name: [one for one in players if one != line] for name, players in self.divisions.items() if players != [line]}
        for those in (self.late, self.left, self.struck):
            those.discard(line)
        self.acting.pop(line, None)
        for number, (_, players) in tuple(self.meetings.items()):
            if line in players:
                del self.meetings[number]
                self.results.pop(number, None)

    def _divide(self, data: Data) -> None:
        self.divisions = {each["name"]: each["players"] for each in data["divisions"]}
        self.tiers = {each["name"]: each["tier"] for each in data["divisions"]}
        self.divided = True
        # what is not over between two who are apart now never will be
        for number, (_, players) in tuple(self.meetings.items()):
            if number not in self.results and len(players) == 2 and not self.together(players):
                del self.meetings[number]

    def _of_meetings(self, kind: str, data: Data) -> None:
        match kind:
            case "league.round_paired" | "league.meetings_added":
                self.meetings |= {each["number"]: (data["division"], each["players"]) for each in data["meetings"]}
            case "league.game_attached":
                self.games[data["meeting"]] = data["game"]
            case "league.result_recorded":
                self.results[data["meeting"]] = data["by"], data["marks"]
                self.again.discard(data["meeting"])
            case "league.result_corrected":
                self.results[data["meeting"]] = "admin", data["marks"]
                self.again.discard(data["meeting"])
            case "league.result_reopened":
                del self.results[data["meeting"]]
                self.again.update([data["meeting"]] if self.final else [])

    def together(self, players: list[int]) -> str:
        """Return the division in which two players are, or nothing."""
        return next((name for name, there in self.divisions.items() if set(players) <= set(there)), "")

    def counted(self) -> dict[int, tuple[str, list[int]]]:
        """Return the meetings of two who are in one division, with that."""
        found = {number: (self.together(players), players) for number, (_, players) in self.meetings.items() if len(players) == 2}
        return {number: meeting for number, meeting in found.items() if meeting[0]}

    def points(self) -> dict[int, Fraction]:
        """Return what each line of the tables has, by whose line it was at first."""
        halves: defaultdict[int, int] = defaultdict(int)
        for number, (_, players) in self.counted().items():
            if number not in self.again and not self.struck.intersection(players):
                for player, mark in zip(players, self.results[number][1], strict=True):
                    halves[player] += POINTS.get(mark, 0)
        return {line: Fraction(halves[line], 2) for players in self.divisions.values() for line in players if line not in self.struck}


RIGHTS = {
    # a season ends by an approval of its tables if no game ends with it
    "arbiter": ("result_recorded", "result_corrected", "deadlines_moved", "penalty_given", "round_approved", "lots_drawn", "season_closed"),
    "secretary": ("player_withdrawn", "player_returned", "player_substituted", "admission_undone"),
    "director": (
        *("season_paused", "season_resumed", "season_cancelled", "season_reopened", "season_divided", "season_moved", "rounds_moved"),
        *("renamed", "archived", "unarchived", "season_announced"),
    ),
}
"""The events that a role may bring about, by name; a director may do all of it. Other events follow from these."""


class Recount:
    """The whole log of a SQLite database, read once."""

    def __init__(self, path: str) -> None:
        self.games: dict[int, Game] = {}
        self.seasons: defaultdict[str, list[Season]] = defaultdict(list)
        self.roles: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        # what somebody did to a league without a right to it
        self.wrongs: list[str] = []
        cause = ""
        with closing(sqlite3.connect(path)) as connection, connection:
            for stream, kind, text, actor, asked in connection.execute(
                "SELECT stream, type, data, actor, cause FROM event ORDER BY position"
            ):
                if stream.startswith("league-") and actor.startswith("player-"):
                    self._judge(stream, actor, kind, first=asked != cause)
                cause = asked if stream.startswith("league-") else cause
                self._take(stream, kind, json.loads(text))
        connection.close()

    def _judge(self, stream: str, actor: str, kind: str, *, first: bool) -> None:
        roles, name = self.roles[stream, actor], kind.removeprefix("league.")
        allowed = any(name in names and (role in roles or "director" in roles) for role, names in RIGHTS.items())
        if first and not allowed:
            self.wrongs.append(f"{actor} did {kind} in {stream} as {sorted(roles) or 'nobody'}")

    def _take(self, stream: str, kind: str, data: Data) -> None:
        family, _, number = stream.partition("-")
        if kind == "game.opened":
            self.games[int(number)] = Game(data["players"])
        elif family == "game":
            self.games[int(number)].take(kind, data)
        elif kind == "league.role_given":
            self.roles[stream, f"player-{data['player']}"].add(data["role"])
        elif kind == "league.role_taken":
            self.roles[stream, f"player-{data['player']}"].remove(data["role"])
        elif kind == "league.season_announced":
            self.seasons[stream].append(Season())
        elif family == "league" and self.seasons[stream]:
            self.seasons[stream][-1].take(kind, data)

    def differences(self, stream: str) -> Iterator[str]:
        """Everything in which the final tables of a league differ from what its games came to."""
        for at, season in enumerate(self.seasons[stream], start=1):
            if season.final:
                yield from (f"season {at}: {told}" for told in (*self._results(season), *_pairs(season), *_tables(season)))

    def _results(self, season: Season) -> Iterator[str]:
        for number, (by, marks) in season.results.items():
            game = self.games.get(season.games.get(number, 0))
            if by == "game" and (game is None or game.marks() != marks):
                yield f"meeting {number} is {marks}, its game {game}"


def _pairs(season: Season) -> Iterator[str]:
    """Yield who has not met whom they were to meet, and meetings without a result."""
    meetings = season.counted()
    for name, players in season.divisions.items():
        met = [frozenset(pair) for where, pair in meetings.values() if where == name]
        due = {frozenset((one, other)) for one in players for other in players if one < other}
        # whoever was struck before others came has not met them
        needed = {pair for pair in due if season.struck.isdisjoint(pair)} if season.divided else due
        if len(met) != len(set(met)) or not needed <= set(met) <= due:
            yield f"division {name}: {len(met)} meetings of {len(due)}"
        first = [pair[0] for where, pair in meetings.values() if where == name]
        # whoever is late, or comes from another division, moves first as it happens
        if (
            not season.divided
            and season.late.isdisjoint(players)
            and max(map(abs, (2 * first.count(each) - len(players) + 1 for each in players)), default=0) > 1
        ):
            yield f"division {name}: not everybody has moved first as often as second"
    for number in meetings:
        if number not in season.results and number not in season.again:
            yield f"meeting {number} has no result"


def _tables(season: Season) -> Iterator[str]:
    points = season.points()
    for name, lines in season.final.items():
        expected = {season.acting.get(line, line): points[line] for line in season.divisions[name] if line in points}
        found = {line["player"]: Fraction(line["points"]) for line in lines}
        if found != expected:
            yield f"division {name}: {found} instead of {expected}"
        order = [(line["place"], -Fraction(line["points"])) for line in lines]
        if order != sorted(order) or (order and order[0][0] != 1):
            yield f"division {name}: places {order}"
