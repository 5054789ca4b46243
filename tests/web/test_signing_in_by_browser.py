"""From the mail to a move, a setting and out again, in a real browser on a phone without scripts, and by keyboard."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, Request, expect

from tests.service.world import PEOPLE
from tests.web.browsing import browsing, in_a_browser
from tests.web.club import SETTINGS, Club, serving

pytestmark = [in_a_browser, pytest.mark.thorough]

LOCAL = replace(SETTINGS, web=replace(SETTINGS.web, url=""))
"""At a name of this machine, where browsers take cookies without HTTPS."""


def by_touch(tab: Page, words: str) -> None:
    tab.get_by_role("button", name=words).click()


def by_keyboard(tab: Page, words: str) -> None:
    """Tab to the button, and press Enter."""
    wanted = tab.get_by_role("button", name=words)
    for _ in range(60):
        tab.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            break
    expect(wanted).to_be_focused()
    tab.keyboard.press("Enter")


@pytest.mark.long
@pytest.mark.parametrize(("press", "language"), [(by_touch, "en"), (by_keyboard, "de")])
def test_from_the_mail_to_the_move_and_out_again(
    sqlite_url: str, tmp_path: Path, browser: Browser, press: Callable[[Page, str], None], language: str
) -> None:
    words = WORDS[language]
    with serving(sqlite_url, tmp_path, LOCAL) as club, browsing(browser, 360, scripts=False) as tab:
        club.world.service.people.choose("Ada", [("language", language)], actor="admin:test", cause="test:language")
        game = club.world.open({"size": 3})
        address = f"http://127.0.0.1:{club.port}"
        asked: list[Request] = []
        tab.on("request", lambda one: asked.append(one))  # noqa: PLW0108  # Playwright cannot mark a built-in
        tab.goto(f"{address}/me")
        tab.get_by_role("textbox").fill(PEOPLE["Ada"])
        press(tab, "Mail me a link")
        expect(tab.get_by_role("heading")).to_have_text("Look into your mailbox.")
        tab.goto(address + mailed(club))
        press(tab, words["sign in"])
        tab.get_by_role("link", name=re.compile("Take 1")).click()
        tab.goto(f"{tab.url}?t=b2")
        press(tab, words["play"])
        expect(tab.locator("h1")).to_contain_text("b2")
        assert [turn.text for turn in club.world.state(game).line.turns] == ["b2"]
        tab.get_by_role("link", name=words["home"]).click()
        tab.get_by_text(words["settings"], exact=True).click()
        tab.locator("#s-board").select_option("large")
        press(tab, words["save"])
        expect(tab.get_by_role("status")).to_have_text(words["saved"])
        assert club.world.service.people.find("Ada").preferences.board == "large"
        tab.get_by_text(words["sessions"], exact=True).click()
        press(tab, words["out"])
        expect(tab.get_by_role("heading")).to_have_text("You are signed out.")
        tab.goto(f"{address}/play/1-1")
        expect(tab.get_by_role("button")).to_have_text("Mail me a link")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        said = {one.all_headers().get("origin") for one in asked if one.method == "POST"}
        assert said == {address}, "forms say where they come from, which is all that an old browser says"


WORDS = {
    "en": {
        "sign in": "Sign in as Ada",
        "play": "Play b2",
        "home": "Your games",
        "settings": "Settings",
        "save": "Save the settings",
        "saved": "Your settings are saved.",
        "sessions": "Where you are signed in",
        "out": "Sign out here",
    },
    "de": {
        "sign in": "Als Ada anmelden",
        "play": "b2 spielen",
        "home": "Deine Partien",
        "settings": "Einstellungen",
        "save": "Einstellungen speichern",
        "saved": "Deine Einstellungen sind gespeichert.",
        "sessions": "Wo du angemeldet bist",
        "out": "Hier abmelden",
    },
}


def mailed(club: Club) -> str:
    """The path of the link in the newest mail to Ada."""
    club.world.settle()
    (found,) = re.findall(r"\n(/sign-in/\S+)", club.world.text("Ada"))
    return str(found)
