"""Crosstables on pages: what stands in them, and that nothing in them runs."""

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Final

from tests.league.presentation.test_table_files import EVIL, TABLES, every_table
from turnserver.league.presentation.crosstable import Crosstable
from turnserver.mail.outbound.language import ENGLISH, language
from turnserver.templates import environment
from turnserver.web.league.page import table_parts

ALL: Final = """{% from "page/_crosstable.html.j2" import cross with context %}{% for part in tables %}{{ cross(part) }}{% endfor %}"""


def page(tables: Sequence[Crosstable], key: str = ENGLISH) -> str:
    """The tables as the page of a league has them."""
    spoken = language(key)
    parts = [table_parts(one) for one in spoken.told(tuple(tables))]
    return environment().from_string(ALL).render(tables=parts, say=spoken.say)


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
    known = "p div table thead tbody tr th td span"
    assert set(read(html).tags) <= set(known.split())
    assert len(read(html).rows) == len(found.lines) + 1
    assert len({len(row) for row in read(html).rows}) == 1
    assert EVIL not in html


def test_a_table_in_german() -> None:
    assert "Freilos" in page([TABLES["lower"]], "de")
