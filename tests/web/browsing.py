"""A real browser: Debian's Chromium, driven by Playwright. Whatever a page tells its console is an error."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, sync_playwright

# The same browser without windows of its own begins in half the time and shows a page in a third.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser without tabs."""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def browsing(browser: Browser, width: int = 360, scheme: Literal["light", "dark"] = "light", *, scripts: bool = True) -> Iterator[Page]:
    """A tab of a width, with nothing remembered from before."""
    said: list[str] = []
    with browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=scripts) as tab:
        # A policy that forbids something of our own says so here.
        tab.on("console", lambda message: said.append(message.text))
        yield tab
    assert said == []


def mail_of(tab: Page, name: str) -> FrameLocator:
    """The mail of a player that the page of `turnserver try` shows."""
    return tab.locator(f"section[aria-label^='Mails of {name}']").frame_locator("iframe")
