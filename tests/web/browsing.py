"""A real browser, the system's Chromium driven by Playwright; whatever a page tells its console is an error."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from playwright.sync_api import Page, sync_playwright

CHROMIUM = shutil.which("chromium")


@contextmanager
def browsing(width: int = 360, scheme: Literal["light", "dark"] = "light", *, scripts: bool = True) -> Iterator[Page]:
    """A tab of a width, with nothing remembered from before."""
    said: list[str] = []
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=scripts)
        # A policy that forbids something of our own says so here.
        tab.on("console", lambda message: said.append(message.text))
        yield tab
        browser.close()
    assert said == []
