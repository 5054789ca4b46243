"""What notations make of capitals, blanks, quotes and dashes."""

import pytest

from turnserver.rules.writing import plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \t\r\n", ""),
        ("C6  -\tA4\r\n", "c6 - a4"),
        ("c6\u00a0a4", "c6 a4"),
        *[(f"c6{dash}a4", "c6-a4") for dash in ("-", "\u2010", "\u2011", "\u2013", "\u2014", "\u2212")],
        *[(f"c6 {arrow} a4", "c6 - a4") for arrow in (">", "->", "\u2014>", "=>", "\u2192")],
        ("c6--a4", "c6--a4"),
        *[(f"{before}c6{after}", "c6") for before, after in ('""', "''", "()", "[]", "**", "__", "``")],
        *[(f"{before}c6{after}", "c6") for before, after in ("\u201c\u201d", "\u2018\u2019", "\u201e\u201c", "\u00ab\u00bb")],
        *[(f"c6{end}", "c6") for end in (".", "!", ",", ";", ":", "\u2026", ". ", ".)")],
        ("Tako, c6.", "tako, c6"),
        ("c6?", "c6?"),
        ("> c6", "- c6"),
    ],
    ids=ascii,
)
def test_plain(text: str, expected: str) -> None:
    assert plain(text) == expected
