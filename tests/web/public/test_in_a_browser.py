"""A replay in a real browser, by buttons, keys, slider and list, and without scripts; on a phone nothing is wider than the screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from tests.web.browsing import browsing, in_a_browser
from tests.web.club import SETTINGS
from tests.web.public.showing import Shown, shown

pytestmark = [in_a_browser, pytest.mark.thorough, pytest.mark.long]

PUBLIC = replace(SETTINGS, web=replace(SETTINGS.web, games="public", leagues="public"))

STATE = """() => ({
  links: ["first", "previous", "next", "last"].map((id) => {
    const one = document.getElementById(id);
    return [one.getAttribute("aria-disabled"), one.hasAttribute("href") ? [...new URL(one.href).searchParams].sort() : null];
  }),
  alt: document.getElementById("board").alt,
  text: document.getElementById("text").textContent,
  earlier: !document.getElementById("earlier").hidden,
})"""
"""What a page has beside the board that follows from the moment it shows."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Shown]:
    directory = tmp_path_factory.mktemp("browser")
    (directory / "turnserver.db").write_bytes(sqlite_template.read_bytes())
    with shown(f"sqlite:///{directory / 'turnserver.db'}", directory, PUBLIC) as found:
        for name, move in (("Ada", "a1"), ("Bob", "b3"), ("Ada", "c2"), ("Bob", "a2")):
            world = found.club.world
            world.answer(name, move, mail=next(one for one in reversed(world.mails(name)) if "[Take 1]" in one["Subject"]))
        yield found


def test_goes_through_a_game_without_loading_it_again(there: Shown, browser: Browser) -> None:
    with browsing(browser, 1280) as tab:
        loads: list[str] = []
        tab.on("load", lambda page: loads.append(page.url))
        tab.goto(f"http://127.0.0.1:{there.club.port}/turns/games/{there.game}")
        now, board = tab.locator("#now"), tab.locator("#board")
        first = board.get_attribute("src")
        tab.keyboard.press("ArrowLeft")
        expect(now).to_have_text("Turn 3 of 4: Red c2")
        assert board.get_attribute("src") != first
        assert board.evaluate("one => one.complete && one.naturalWidth > 0")
        tab.locator("#previous").click()
        expect(now).to_have_text("Turn 2 of 4: Blue b3")
        tab.locator("#moves a").first.click()
        expect(now).to_have_text("Turn 1 of 4: Red a1")
        expect(tab.locator("#moves [aria-current]")).to_have_text("1. a1")
        tab.locator("#slider").fill("4")
        expect(now).to_have_text("Turn 4 of 4: Blue a2")
        assert tab.url.endswith("?turn=4")
        assert len(loads) == 1
        tab.keyboard.press("ArrowLeft")
        tab.keyboard.press("f")
        tab.wait_for_url("**?turn=3&flip=1")
        expect(now).to_have_text("Turn 3 of 4: Red c2")
        tab.keyboard.press("Home")
        tab.wait_for_url("**?turn=0&flip=1")
        expect(now).to_have_text("Before the first turn")


@pytest.mark.parametrize(("opened", "keys"), [("", "ArrowLeft"), ("?turn=0", "ArrowRight"), ("?turn=2&flip=1", "ArrowLeft")])
def test_what_a_script_shows_is_what_the_page_of_that_moment_shows(there: Shown, browser: Browser, opened: str, keys: str) -> None:
    """Step by step to an end of the game, and one step back from there."""
    page = f"http://127.0.0.1:{there.club.port}/turns/games/{there.game}{opened}"
    back = {"ArrowLeft": "ArrowRight", "ArrowRight": "ArrowLeft"}[keys]
    with browsing(browser, 1280) as tab, browsing(browser, 1280, scripts=False) as plain:
        loads: list[str] = []
        tab.on("load", lambda page: loads.append(page.url))
        tab.goto(page)
        steps = 2 if "2" in opened else 4
        for key in [*[keys] * steps, back]:
            before = tab.locator("#now").inner_text()
            tab.keyboard.press(key)
            expect(tab.locator("#now")).not_to_have_text(before)
            plain.goto(tab.url)
            assert tab.evaluate(STATE) == plain.evaluate(STATE)
        assert len(loads) == 1
        # and the other way, to the end of the game
        tab.keyboard.press("Home" if keys == "ArrowRight" else "End")
        expect(tab.locator("#now")).to_have_text("Before the first turn" if keys == "ArrowRight" else "Turn 4 of 4: Blue a2")


@pytest.mark.parametrize("scripts", [True, False])
def test_fits_a_phone(there: Shown, browser: Browser, scripts: bool) -> None:
    with browsing(browser, 360, scripts=scripts) as tab:
        for path in (f"/games/{there.game}?turn=2", f"/games/{there.game}/history", f"/leagues/{there.league}", "/leagues"):
            tab.goto(f"http://127.0.0.1:{there.club.port}/turns{path}")
            assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        # by the links alone
        tab.goto(f"http://127.0.0.1:{there.club.port}/turns/games/{there.game}?turn=2")
        tab.locator("#next").click()
        expect(tab.locator("#now")).to_have_text("Turn 3 of 4: Red c2")
        # the column of names stays where it is when the table is pushed aside
        tab.goto(f"http://127.0.0.1:{there.club.port}/turns/leagues/{there.league}")
        region, name = tab.locator(".scroll"), tab.locator("th.name").first
        before = name.bounding_box()
        region.evaluate("one => { one.scrollLeft = 500; }")
        after = name.bounding_box()
        assert before is not None
        assert after is not None
        assert 0 <= after["x"] - region.bounding_box()["x"] < 30  # type: ignore[index]  # it is there
