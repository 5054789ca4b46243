"""axe-core, vendored under `axe/` for tests alone: a real browser looks for whatever somebody cannot see, understand or reach."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, Page

VENDORED: Final = Path(__file__).parent / "axe"
VERSION: Final = "4.14.1"
SHA256: Final = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

RULES: Final[dict[str, Any]] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"],
    # It only says that hidden text was not looked at: the first line for a mail program's list, what a closed part of a page holds.
    "rules": {"hidden-content": {"enabled": False}},
}
"""All that WCAG 2.2 asks for on level AA, and what axe recommends besides. Level AAA, such as a contrast of 7, is not promised."""
LOOKS: Final[dict[str, Any]] = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"]}
}
"""The rules that colours and widths matter to."""

# All that axe found in order as well would take longer to hand over than to find.
LOOK: Final = """async (rules) => {
    const seen = await axe.run(document, {...rules, iframes: false, resultTypes: ["violations"]});
    return seen.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]);
}"""

META: Final = re.compile("<meta[^>]*>")

Scheme = Literal["light", "dark"]
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
Screen = tuple[int, Scheme]
"""A width in pixels, and whether the reader wants it light or dark."""


@contextmanager
def accessible_tab(browser: Browser) -> Iterator[Page]:
    """A tab in which every page has axe."""
    with browser.new_page() as tab:
        tab.add_init_script(path=VENDORED / "axe.min.js")
        tab.goto("about:blank")
        yield tab


def show(tab: Page, shown: str) -> None:
    """Open an address, or a page that is given as a whole."""
    if not shown.startswith("<"):
        tab.goto(shown)
        return
    # a page that is set keeps the policy and the colours of the one that it is set into, which the next mail has too
    if tab.url != "about:blank" or META.findall(tab.content()) != META.findall(shown):
        tab.goto("about:blank")
    tab.set_content(shown, wait_until="domcontentloaded")


def violations(tab: Page, screens: Iterable[Screen], *, thoroughly: bool = False) -> dict[str, list[str]]:
    """Return what is wrong with the page of a tab, by rule and screen, on each of these screens. Parts that can be opened are open.

    Unless it looks `thoroughly`, it applies all rules on the first screen and on the others those that these matter to.
    """
    tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found: dict[str, list[str]] = {}
    rules = RULES
    for width, scheme in screens:
        tab.set_viewport_size({"width": width, "height": 800})
        tab.emulate_media(color_scheme=scheme)
        for rule, places in tab.evaluate(LOOK, rules):
            found[f"{rule}, {width} px, {scheme}"] = places
        rules = RULES if thoroughly else LOOKS
    return found
