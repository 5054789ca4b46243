"""A club whose pages can be seen: Ada and Bob play a game of two, and a league with Cleo and Dan; Eve only has an account."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.service.leagues.league_world import begin, meeting, open_league
from tests.web.club import SETTINGS, Club, serving
from tests.web.turn.visitor import Visitor
from turnserver.config import Settings
from turnserver.ids import GameId, LeagueId

STRANGER = ""
EVERYBODY = ("Ada", "Dan", "Eve", STRANGER)
"""Somebody with a seat, somebody of the league who has none, somebody with an account, and a stranger."""

GAME = ("", "/board.svg", "/replay.json", "/history", "/record.txt", "/record.json")
LEAGUE = ("", "/seasons/1", "/seasons/1/divisions/1", "/seasons/1/tables.csv", "/seasons/1/results.csv", "/seasons/1/season.json")


class Visitors(dict[str, Visitor]):
    """Everybody at a browser; whoever has an account signs in when they are first asked for."""

    def __init__(self, club: Club) -> None:
        super().__init__()
        self._club = club

    def __missing__(self, who: str) -> Visitor:
        self[who] = self._club.visitor(who)
        return self[who]


class Shown(NamedTuple):
    """The club, its game, its league, and a game of that between Ada and Bob."""

    club: Club
    game: GameId
    league: LeagueId
    played: GameId
    at: Visitors

    def text(self, who: str, path: str) -> str:
        """Return what somebody reads at an address."""
        self.at[who].open(f"/turns{path}", Accept="text/html")
        return self.at[who].answer.text

    def status(self, who: str, path: str) -> int:
        """Return the status of the answer of the address."""
        self.text(who, path)
        return self.at[who].answer.status

    def seen_by(self, path: str) -> set[str]:
        """Everybody who may see an address."""
        return {who for who in EVERYBODY if self.status(who, path) == 200}


@contextmanager
def shown(url: str, directory: Path, settings: Settings = SETTINGS, *, league: bool = True) -> Iterator[Shown]:
    """Serve the club. Without a league, its number and that of its game are none."""
    with serving(url, directory, settings) as club:
        world, number, played = club.world, LeagueId(0), GameId(0)
        # Dan is here before the league, so that players keep their numbers; nobody reads pictures, which would take long to draw
        for name in ("Dan", "Eve"):
            world.service.people.add(name, f"{name.lower()}@example.org", actor="admin:test", cause=f"test:{name}")
        for name in ("Ada", "Bob", "Cleo", "Dan", "Eve"):
            world.service.people.choose(name, [("mail", "text")], actor="admin:test", cause=f"test:text:{name}")
        game = world.open({"size": 2})
        if league:
            number = open_league(world)
            begin(world, number)
            played = meeting(world, number, "Ada", "Bob").game or played
        yield Shown(club, game, number, played, Visitors(club))
