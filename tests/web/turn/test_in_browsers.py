"""Each game is played to its end in two real browsers: one runs no scripts, the other is used by keyboard alone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.service.world import SITE, World
from tests.terms import PLAIN
from tests.web.browsing import in_a_browser
from tests.web.turn.visitor import link
from turnserver.config import Settings, Site, Web
from turnserver.games import house
from turnserver.ids import GameId
from turnserver.rules.touch import reach
from turnserver.store.log.database import Database
from turnserver.web.app import public_server
from turnserver.web.counts import Counts

pytestmark = [in_a_browser, pytest.mark.thorough]


class Table:
    """A game of Ada, who taps and runs no scripts, and Bob, who has a keyboard."""

    def __init__(self, world: World, address: str, browser: Browser, game: GameId) -> None:
        self.world, self.game, self._address = world, game, address
        self.pages: dict[str, Page] = {
            "Ada": browser.new_context(viewport=ViewportSize(width=360, height=740), java_script_enabled=False, has_touch=True).new_page(),
            "Bob": browser.new_context(viewport={"width": 1280, "height": 800}).new_page(),
        }
        self.wrong: list[str] = []
        for page in self.pages.values():
            page.on("pageerror", lambda error: self.wrong.append(str(error)))
            page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)

    def mover(self) -> str | None:
        """The name of whoever has the turn."""
        state = self.world.state(self.game)
        if state.to_move is None:
            return None
        return next(name for name in self.pages if self.world.service.people.find(name).id == state.player_at(state.to_move))

    def play(self, name: str) -> None:
        """Play a turn as the house would, by touch."""
        page, state = self.pages[name], self.world.state(self.game)
        page.goto(self._address + link(self.world, self.game, name).removeprefix("/turns"))
        found, position = state.game, state.line.position
        rules, view, choose = found.rules, found.view, house(found.entry.key)
        begin = rules.next(position)
        while rules.next(position) == begin:
            step = choose(found, position)
            touches = min(view.touches(position, step), key=len)
            for touch in touches:
                # a place in the picture, or a button beside it
                self.press(page, page.locator(f'[data-name="{touch}"]').last)
            here = reach(rules, view, position, touches)
            if len(here.steps) > 1 or here.follow:
                self.press(page, page.locator(".turn a", has_text=rules.format(position, step)).first)
            position = rules.apply(position, step)
        played = page.locator("button.broad")
        expect(played).to_be_visible()
        if page is self.pages["Ada"]:
            self.press(page, played)
        else:
            # The page has put the keyboard there.
            expect(played).to_be_focused()
            page.keyboard.press("Enter")
        expect(page.locator("button.broad")).to_have_count(0)
        self.world.settle()

    def press(self, page: Page, what: Any) -> None:
        """Tap it, or go there by keyboard and press Enter."""
        if page is self.pages["Ada"]:
            with page.expect_navigation():
                what.tap(force=True)
        else:
            before = page.url
            what.focus()
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: url != before)


GAMES: list[Any] = [
    ("take", {"size": 3}),
    ("tako-judo", {}),
    ("tako", {}),
    ("okago", {}),
    ("sneaky-octopuses", {"target": 3}),
]


@pytest.mark.long
@pytest.mark.parametrize(("key", "options"), GAMES, ids=[key for key, _ in GAMES])
def test_a_game_is_played_to_its_end(key: str, options: dict[str, Any], sqlite_url: str, tmp_path: Path, browser: Browser) -> None:
    db = Database.connect(sqlite_url)
    world = World(db, tmp_path / "mail", settings=Settings(site=Site(address=SITE), play=PLAIN, web=Web(port=0)))
    with public_server(world.service, Counts()) as server:
        table = Table(world, server.address.rstrip("/"), browser, world.open_any(key, ["Ada", "Bob"], options))
        turns = 0
        while (name := table.mover()) is not None:
            table.play(name)
            turns += 1
            assert turns < 300
        for page in table.pages.values():
            page.reload()
            expect(page.locator("h1")).to_contain_text("is over")
    assert world.state(table.game).line.length == turns
    assert table.wrong == []
    db.close()
