"""A newcomer's first minutes: the real program, a real browser, and a game that is won by tapping what the mails show."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cli.test_try_out import started
from tests.web.browsing import in_a_browser, mail_of
from tests.web.sandbox.boxes import new
from turnserver.web.server import LOOPBACK

pytestmark = in_a_browser

FOUR_IN_A_ROW = ("a1", "a5", "b1", "b5", "c1", "c5", "d1")


def answer(tab: Page, name: str, *news: str) -> None:
    """Send what stands in a player's box, and wait for one of these: a mail that comes at once takes the place of what was answered."""
    tab.get_by_label(f"Mails of {name}").get_by_role("button", name="Send").click()
    expect(tab.locator("body")).to_contain_text(re.compile("|".join(map(re.escape, news))))


@contextmanager
def typed(directory: Path) -> Iterator[str]:
    """Type `turnserver try okago`. Yield the address of the page."""
    with started(directory, "okago") as running:
        yield running.address


@contextmanager
def called(directory: Path) -> Iterator[str]:
    """Do what that does, without a process of its own."""
    with new(directory) as box:
        box.desk.open("okago")
        yield f"http://{LOOPBACK}:{box.port}/"


Begun = Callable[[Path], AbstractContextManager[str]]


@pytest.mark.parametrize(
    ("begun", "width", "moves"),
    [(called, 390, FOUR_IN_A_ROW[:3]), pytest.param(typed, 1200, FOUR_IN_A_ROW, marks=pytest.mark.long)],
    ids=["begun", "won"],
)
def test_a_game_is_played_by_tapping(tmp_path: Path, browser: Browser, begun: Begun, width: int, moves: tuple[str, ...]) -> None:
    with begun(tmp_path) as address, browser.new_page(viewport={"width": width, "height": 900}) as tab:
        tab.goto(address)
        for name in ("Ada", "Bob"):
            mail_of(tab, name).get_by_role("link", name="Accept").click()
            expect(tab.locator("textarea:focus")).to_have_value("accept")
            answer(tab, name, "carried out", "The game against Bob has begun")
        for name, move in zip(cycle(("Ada", "Bob")), moves, strict=False):
            mail_of(tab, name).get_by_role("link", name="Another move").click()
            tab.locator("textarea:focus").fill(move)
            answer(tab, name, f"{move}\ncarried out", f"{name} played {move}", "Okago 1 is over")
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        news = tab.locator(".list li:first-child").all_text_contents()
        if moves == FOUR_IN_A_ROW:
            assert news[0] == "Okago 1 is over: you win. By the rules of Okago: Red has four in a row."
            assert news[1].startswith("Okago 1 is over: Ada (Red) wins.")
        else:
            assert news[1].startswith("Ada played b1. Your move, ")


@pytest.mark.long
def test_more_mail_takes_no_words_away(tmp_path: Path, browser: Browser) -> None:
    """Another terminal opens a game while somebody writes: the page says so, and shows it once nobody writes."""
    with started(tmp_path) as running, browser.new_page() as tab:
        tab.goto(running.address)
        mail_of(tab, "Ada").get_by_role("link", name="Accept").click()
        assert running.other_command("game open take Ada Bob --option size=2").returncode == 0
        expect(tab.locator("#more")).to_be_visible()
        expect(tab.locator("textarea:focus")).to_have_value("accept")
        tab.get_by_text("More mail has come. Show it").click()
        expect(tab.locator("h3").first).to_contain_text("Take 2")
        running.other_command("game open take Ada Bob --option size=2")
        expect(tab.locator("h3").first).to_contain_text("Take 3")
