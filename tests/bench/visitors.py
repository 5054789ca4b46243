"""The cost of public pages, and of handling a mail while two hundred people look at them."""

import http.client
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event, Thread
from time import monotonic, process_time, thread_time
from typing import Final, Self

import msgspec

from tests.bench.accept import Accepted
from tests.bench.club import Club, Letter, settings
from tests.bench.measure import Budget, Cost, Figure, alternate
from tests.bench.pages import VIEWS, Visitor
from tests.bench.scale import Scale
from turnserver.config.leagues import preset
from turnserver.ids import GameId
from turnserver.league.commands import OpenLeague
from turnserver.service.service import Service
from turnserver.web.app import application, public_server
from turnserver.web.counts import Counts
from turnserver.web.server import LOOPBACK

BUDGET: Final = Budget(1.5)
CONNECTIONS: Final = 200
A_SECOND: Final = 20
"""The requests a second that the connections make together."""

PAUSE: Final = 0.05
"""The seconds between two mails."""

ACTOR: Final = "admin:bench"


class Crowd:
    """Two hundred browsers that keep their connections open and look at one page after another, from a thread of their own."""

    def __init__(self, port: int, paths: Sequence[str]) -> None:
        """Look at `paths` in turn."""
        self._port = port
        self._paths = paths
        self._over = Event()
        self._thread = Thread(target=self._look)
        self.wrong: list[str] = []
        self.seen = 0

    def __enter__(self) -> Self:
        """Open the connections, and begin to look."""
        self._open = [http.client.HTTPConnection(LOOPBACK, self._port, timeout=30) for _ in range(CONNECTIONS)]
        for one in self._open:
            one.connect()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Go."""
        self._over.set()
        self._thread.join()
        for one in self._open:
            one.close()

    def _look(self) -> None:
        due = monotonic()
        while not self._over.wait(max(due - monotonic(), 0)):
            due += 1 / A_SECOND
            connection, path = self._open[self.seen % CONNECTIONS], self._paths[self.seen % len(self._paths)]
            connection.request("GET", path, headers={"Accept": "text/html", "Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            answer.read()
            self.seen += 1
            if answer.status != 200:
                self.wrong.append(f"{path}: {answer.status}")


def visitors(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Processor time of each kind of page, and of a mail with and without the crowd."""
    web = msgspec.structs.replace(settings(Path()).web, port=0, games="public", leagues="public")
    club = Club(Service.initialise(msgspec.structs.replace(settings(directory / "visitors.db"), web=web)))
    games = [club.open(turns=10, seed=number) for number in range(scale.mails)]
    paths = {"club": "/", "game": f"/games/{games[0]}", "league": f"/leagues/{_league(club, scale)}", "rules": "/rules/take"}
    visitor = Visitor(application(club.service, Counts()))
    with closing(visitor):
        for what, path in paths.items():
            yield Figure(f"public.{what}", f"a public page: {what}", "ms", _seconds(visitor, path) * 1e3)
    mails = Mails(club, games, list(paths.values()))
    with ExitStack() as stack:
        mails.port = stack.enter_context(public_server(club.service, Counts())).port
        measured = alternate(scale.rounds, {"alone": mails.alone, "beside": mails.beside})
    if not mails.seen:
        raise AssertionError("nobody looked at a page")
    alone, beside, ratio = measured.typical("alone") * 1e3, measured.typical("beside") * 1e3, measured.ratio("beside", "alone")
    what = f"a mail beside {CONNECTIONS} visitors who ask {A_SECOND} times a second"
    yield Figure("public.crowd", what, "ms", beside, "a mail without them", alone, ratio, BUDGET)
    club.service.db.close()


class Mails(Accepted):
    """Mails handled one by one as they trickle in, in processor time of the thread that handles them, with visitors or without."""

    def __init__(self, club: Club, games: Sequence[GameId], paths: Sequence[str]) -> None:
        """Handle a mail of each of the `games`; visitors look at `paths`."""
        super().__init__(club, games, so_far=lambda: Cost(thread_time(), monotonic()))
        self._paths = paths
        self._next = Event()
        self.port = 0
        self.seen = 0

    def _receive(self, letter: Letter) -> None:
        # so slowly that all the visitors come by meanwhile; waiting takes no time of the processor
        self._next.wait(PAUSE)
        super()._receive(letter)

    def alone(self) -> float:
        """Nobody looks."""
        return self.one_by_one().processor

    def beside(self) -> float:
        """All visitors look; each gets each page."""
        with Crowd(self.port, self._paths) as crowd:
            took = self.one_by_one().processor
        if crowd.wrong:
            raise AssertionError(f"visitors saw errors: {crowd.wrong[:3]}")
        self.seen += crowd.seen
        return took


def _league(club: Club, scale: Scale) -> int:
    """A Swiss of a hundred players, whose first round is played."""
    service, ready = club.service, preset("swiss")
    people = [(f"Member {number}", f"p{number}@example.org") for number in range(scale.league)]
    names = [service.people.add(name, address, actor=ACTOR, cause=f"cli:{address}").name for name, address in people]
    command = OpenLeague("Evening Swiss", "take", {"size": 3}, ready.settings, ready.time)
    league = service.leagues.open(command, actor=ACTOR, cause="cli:league")
    service.leagues.announce(league, None, actor=ACTOR, cause="cli:announce")
    service.leagues.enter_all(league, names, actor=ACTOR, cause="cli:enter")
    service.leagues.start(league, ask=False, actor=ACTOR, cause="cli:start")
    while service.upkeep.sweep().acted:
        pass
    return league


def _seconds(visitor: Visitor, path: str) -> float:
    visitor.get(path)
    began = process_time()
    for _ in range(VIEWS):
        status, body, _ = visitor.get(path)
        if status != 200 or b"<main" not in body:
            raise AssertionError(f"{path}: {status}")
    return (process_time() - began) / VIEWS
