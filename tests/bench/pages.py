"""The cost of a turn page beside a constant page of its size that goes through the same application, and its weight."""

import asyncio
import gzip
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any, Final

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tests.bench.measure import Budget, Figure, alternate
from tests.bench.scale import Scale
from tests.service.world import World
from turnserver import resources
from turnserver.games import CATALOGUE
from turnserver.ids import GameId
from turnserver.mail.format.tokens import Token
from turnserver.rules.kit import example_turns
from turnserver.store.log.database import Database
from turnserver.web.app import application, guarded
from turnserver.web.counts import Counts
from turnserver.web.guard import Guard
from turnserver.web.picture import PARTS
from turnserver.web.routes import page
from turnserver.web.turn import board
from turnserver.web.turn.page import scene

BUDGET: Final = Budget(3)
"""For the mean of the games."""
MOST_BYTES: Final = 60_000
"""The most that a page may weigh with all that it loads, compressed."""
CONSTANT: Final = "a constant page of its size"
VIEWS: Final = 10
TURNS: Final = 6
"""The number of turns that were played before the page is looked at."""


class Visitor:
    """Asks an application in this process, without sockets."""

    def __init__(self, guard: Guard) -> None:
        """Ask `guard`."""
        self._guard = guard
        self._runner = asyncio.Runner()

    def close(self) -> None:
        """Ask no more."""
        self._runner.close()

    def get(self, path: str, cookie: str = "") -> tuple[int, bytes, bytes]:
        """Return the status, the body and the cookie that is set."""
        return self._runner.run(self._get(path, cookie))

    async def _get(self, path: str, cookie: str) -> tuple[int, bytes, bytes]:
        plain, _, query = path.partition("?")
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": plain,
            "raw_path": plain.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1:80"), (b"cookie", cookie.encode())],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._guard(scope, receive, send)
        headers: Mapping[bytes, bytes] = dict(sent[0]["headers"])
        return sent[0]["status"], b"".join(one.get("body", b"") for one in sent[1:]), headers.get(b"set-cookie", b"")


def pages(directory: Path, scale: Scale) -> Iterator[Figure]:
    """Processor time of a page with the fold and the picture in memory, and of a first view of both."""
    found: list[tuple[float, float, float]] = []
    for key in CATALOGUE:
        db = Database.create_or_upgrade(f"sqlite:///{directory / f'pages-{key}.db'}")
        world = World(db, directory / f"mail-{key}")
        game = begun(world, key)
        visitor, path, cookie = opened(world, game)
        _, body, _ = visitor.get(path, cookie)
        pictures = [visitor.get(f"{path}/board.svg?part={part}", cookie)[1] for part in PARTS]
        constant = Visitor(guarded([page("/constant", get=_constant(body.decode()))], "", "en"))
        sides = {"page": partial(_seconds, visitor, path, cookie), "constant": partial(_seconds, constant, "/constant", "")}
        with closing(visitor), closing(constant):
            measured = alternate(scale.rounds, sides)
        title = CATALOGUE[key].title
        found.append((measured.typical("page") * 1e3, measured.typical("constant") * 1e3, measured.ratio("page", "constant")))
        yield Figure(f"page.{key}", f"a turn page of {title}", "ms", found[-1][0], CONSTANT, *found[-1][1:])
        yield Figure(f"page.{key}.first", f"its first view and picture, {title}", "ms", _first(world, game) * 1e3)
        files = sum(len(gzip.compress(one.read_bytes())) for one in (resources.templates_dir() / "page" / "static").iterdir())
        weight = sum(len(gzip.compress(one)) for one in (body, *pictures)) + files
        yield Figure(f"page.{key}.weight", f"all that it loads, {title}", "B", weight, "60 kB", MOST_BYTES, weight / MOST_BYTES, Budget(1))
        db.close()
    took, baseline, ratio = (fmean(one) for one in zip(*found, strict=True))
    yield Figure("page", "a turn page, mean of the games", "ms", took, CONSTANT, baseline, ratio, BUDGET)


def begun(world: World, key: str) -> GameId:
    """A game that goes on after some turns. Dice, which depend on our Message-IDs, may end it early: then another."""
    while True:
        game = world.open_any(key, ["Ada", "Bob"])
        for _ in range(TURNS):
            state = world.state(game)
            if state.to_move:
                world.answer(mover(world, game), example_turns(state.game.rules, state.line.position, count=1)[0])
        if world.state(game).to_move:
            return game


def mover(world: World, game: GameId) -> str:
    """The name of whoever has the turn."""
    state = world.state(game)
    players = [state.player_at(state.to_move)] if state.to_move else []
    return next(person.name for person in world.service.people.everybody() if person.id in players)


def opened(world: World, game: GameId) -> tuple[Visitor, str, str]:
    """The browser of whoever has the turn, the path of their page, and its cookie."""
    visitor, state = Visitor(application(world.service, Counts())), world.state(game)
    person = world.service.people.find(mover(world, game))
    _, _, kept = visitor.get(f"/turn/{world.service.pages.turns.link(Token(person.id, game, state.turn, state.edition))}")
    return visitor, f"/play/{game}-{person.id}", kept.decode().partition(";")[0]


def _first(world: World, game: GameId) -> float:
    """A process that has just started: nothing is folded, nothing drawn."""
    world.restart()
    visitor, path, cookie = opened(world, game)
    board.picture.cache_clear()
    scene.cache_clear()
    with closing(visitor):
        began = process_time()
        status, _, _ = visitor.get(path, cookie)
        drawn, *_ = [visitor.get(f"{path}/board.svg?part={part}", cookie)[0] for part in PARTS]
        took = process_time() - began
    if (status, drawn) != (200, 200):
        raise AssertionError(f"{path}: {status}, {drawn}")
    return took


def _seconds(visitor: Visitor, path: str, cookie: str) -> float:
    began = process_time()
    for _ in range(VIEWS):
        status, body, _ = visitor.get(path, cookie)
        if status != 200 or b"<main" not in body:
            raise AssertionError(f"{path}: {status}")
    return (process_time() - began) / VIEWS


def _constant(text: str) -> Any:
    """Show a page of Jinja2 that says always the same."""
    environment = Environment(autoescape=True)
    template = environment.from_string(text.replace("{", "").replace("}", ""))

    def show(_: Request) -> HTMLResponse:
        return HTMLResponse(template.render())

    return show
