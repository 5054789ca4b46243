"""Crosstables as pages: what stands in them, that nothing in them runs, and that a phone can show them."""

from html.parser import HTMLParser
from typing import Final
from xml.sax.saxutils import escape

from playwright.sync_api import Browser

from tests.league.presentation.test_table_files import EVIL, TABLES, every_table
from tests.web.browsing import browsing, in_a_browser
from turnserver.league.presentation.crosstable import Crosstable
from turnserver.web.crosstables import page

PHONE: Final = 340


class Cells(HTMLParser):
    """The texts in the cells of a page, row by row, and which elements there are."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert "onclick" not in dict(attrs)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.open = True

    def handle_endtag(self, tag: str) -> None:
        self.open = self.open and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.open:
            self.rows[-1][-1] += data


def read(html: str) -> Cells:
    cells = Cells()
    cells.feed(html)
    return cells


def test_a_page() -> None:
    found = read(page([TABLES["swiss"], TABLES["started"]]))
    assert found.rows == [
        ["Place", "Player", "Rating", "1", "2", "Pts", "Bh"],
        ["1", "Eve for Bob", "1400±100", "2 0", "4• +", "1", "1½"],
        ["2 =2", "Ada", "1712±61", "1• 1", "3 *", "1", "1"],
        ["3 =2", "Cleo", "", "F", "2• *", "1", "1"],
        ["4", "Dan", "", "", "1 -", "0", "0"],
        ["Place", "Player", "+", "1", "Pts", "W"],
        ["1", "Ada", "3", "2• 0", "3", "0"],
        ["2", "Bob", "0", "1 1", "1", "1"],
    ]


@every_table
def test_a_page_is_escaped_and_without_scripts(found: Crosstable) -> None:
    html = page([found])
    known = "html head meta title style body main section h1 p div table thead tbody tr th td span"
    assert set(read(html).tags) <= set(known.split())
    assert len(read(html).rows) == len(found.lines) + 1
    assert len({len(row) for row in read(html).rows}) == 1
    assert EVIL not in html


def test_a_page_in_german_and_one_of_nothing() -> None:
    html = page([TABLES["lower"]], "de")
    assert '<html lang="de">' in html
    assert "Freilos" in html
    assert "<title></title>" in page([])


MEASURE: Final = """() => Object.fromEntries([...document.querySelectorAll("iframe")].map((one) => {
  const page = one.contentDocument, wide = page.querySelector(".scroll"), told = page.querySelector(".aside");
  const says = told !== null && told.offsetHeight > 0;
  return [one.title, [page.documentElement.scrollWidth, wide.scrollWidth > wide.clientWidth, says]];
}))"""


@in_a_browser
def test_no_page_is_wider_than_a_phone_and_a_table_that_is_says_so(browser: Browser) -> None:
    pages = {name: escape(page([found]), {'"': "&quot;"}) for name, found in TABLES.items()}
    frames = (f'<iframe title="{name}" width="{PHONE}" frameborder="0" srcdoc="{html}"></iframe>' for name, html in pages.items())
    with browsing(browser) as tab:
        tab.set_content("<!DOCTYPE html>" + "".join(frames))
        seen = tab.evaluate(MEASURE)
    assert seen.keys() == TABLES.keys()
    assert {name: width for name, (width, _, _) in seen.items() if width > PHONE} == {}
    pushed = {name for name, (_, wider, _) in seen.items() if wider}
    assert pushed
    assert pushed <= {name for name, (_, _, told) in seen.items() if told}
