"""axe-core, vendored under `axe/` for tests alone: a real browser looks for whatever somebody cannot see, understand or reach."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Page

from tests.web.browsing import launched

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

Scheme = Literal["light", "dark"]


@contextmanager
def accessible_tab() -> Iterator[Page]:
    """A tab in which every page has axe."""
    with launched() as browser:
        tab = browser.new_page()
        tab.add_init_script(path=VENDORED / "axe.min.js")
        tab.goto("about:blank")
        yield tab


def show(tab: Page, shown: str) -> None:
    """Open an address, or a page that is given as a whole."""
    # a page that is set keeps the policy and the colours of the one that it is set into
    tab.goto("about:blank" if shown.startswith("<") else shown)
    if shown.startswith("<"):
        tab.set_content(shown, wait_until="domcontentloaded")


def violations(tab: Page, widths: Sequence[int], *, thoroughly: bool = False) -> dict[str, list[str]]:
    """Return what is wrong with the page of a tab, by rule and screen, light and dark, at each width. Parts that can be opened are open.

    Unless it looks `thoroughly`, it applies all rules on the first screen and on the others those that these matter to.
    """
    tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found: dict[str, list[str]] = {}
    rules = RULES
    for width in widths:
        for scheme in ("light", "dark"):
            tab.set_viewport_size({"width": width, "height": 800})
            tab.emulate_media(color_scheme=scheme)
            seen: Any = tab.evaluate("(rules) => axe.run(document, {...rules, iframes: false, resultTypes: ['violations']})", rules)
            for one in seen["violations"]:
                found[f"{one['id']}, {width} px, {scheme}"] = [node["html"] for node in one["nodes"]]
            rules = RULES if thoroughly else LOOKS
    return found
