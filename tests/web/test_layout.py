"""The look of all pages, by the one to unsubscribe: on a phone and on a desk, light and dark, by keyboard, without scripts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser

from tests.service.world import SITE, World
from tests.terms import PLAIN
from tests.web.browsing import browsing, in_a_browser
from turnserver.config import Settings, Site, Web
from turnserver.store.log.database import Database
from turnserver.web.app import public_server
from turnserver.web.counts import Counts

pytestmark = in_a_browser

URL = "https://club.example/turns"
PAIRS = """() => [...document.querySelectorAll('body, main, h1, p, button')].map((one) => {
    const style = getComputedStyle(one);
    let ground = one;
    while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
    return [one.tagName, style.color, getComputedStyle(ground).backgroundColor];
})"""
"""The colours of text, and those beneath it."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[str]:
    """Yield the address of the page where Bob unsubscribes."""
    directory = tmp_path_factory.mktemp("layout")
    (directory / "turnserver.db").write_bytes(sqlite_template.read_bytes())
    db = Database.connect(f"sqlite:///{directory / 'turnserver.db'}")
    world = World(db, directory / "mail", settings=Settings(site=Site(address=SITE), play=PLAIN, web=Web(url=URL, port=0)))
    listed = str(world.welcomes["Bob"]["List-Unsubscribe"]).partition(f"<{URL}")[2].removesuffix(">")
    with public_server(world.service, Counts()) as server:
        yield f"{server.address}turns{listed}"
    db.close()


def luminance(colour: str) -> float:
    """By WCAG 2.2, of `rgb(1, 2, 3)`."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(", ")]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_can_be_read_and_tapped(address: str, browser: Browser, scheme: Literal["light", "dark"]) -> None:
    with browsing(browser, 360, scheme) as tab:
        for width in (360, 1280):
            tab.set_viewport_size({"width": width, "height": 800})
            tab.goto(address)
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            box = tab.get_by_role("button").bounding_box()
            assert box is not None
            assert box["height"] >= 44
            assert float(tab.evaluate("parseFloat(getComputedStyle(document.querySelector('main p')).fontSize)")) >= 16
        pairs: list[tuple[str, str, str]] = tab.evaluate(PAIRS)
        for tag, *colours in pairs:
            low, high = sorted(luminance(colour) for colour in colours)
            assert (high + 0.05) / (low + 0.05) >= 4.5, (tag, colours)
        body, main = (ground for tag, _, ground in pairs if tag in {"BODY", "MAIN"})
        assert [luminance(ground) < 0.1 for ground in (body, main)] == [scheme == "dark"] * 2


def test_can_be_used_by_keyboard(address: str, browser: Browser) -> None:
    with browsing(browser) as tab:
        tab.goto(address)
        places = []
        for _ in range(2):
            tab.keyboard.press("Tab")
            places.append(tab.evaluate("document.activeElement.textContent"))
            assert tab.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "3px"
            assert tab.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
        assert places == ["Skip to the content", "Send me nothing more"]


def test_says_what_it_is_to_a_screen_reader(address: str, browser: Browser) -> None:
    with browsing(browser) as tab:
        tab.goto(address)
        assert tab.get_attribute("html", "lang") == "en"
        assert tab.title() == "Mail from turnserver"
        assert [tab.get_by_role(role).count() for role in ("main", "heading", "button")] == [1, 1, 1]


def test_the_button_works_without_scripts(address: str, browser: Browser) -> None:
    """A browser says that the form is of our own page."""
    with browsing(browser, scripts=False) as tab:
        tab.goto(address)
        tab.get_by_role("button").click()
        assert tab.get_by_role("heading").text_content() == "turnserver sends you no more mail."
