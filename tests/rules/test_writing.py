"""Notations and capitals, blanks, quotes and dashes."""

from tests.cases import for_each
from turnserver.rules.writing import foreign_letter, plain, with_latin_squares


@for_each(
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


@for_each(
    ("text", "expected"),
    [
        ("\uff23\uff16\uff0d\uff21\uff14", "c6-a4"),
        ("\uff43\uff13\u3000\uff44\uff4f\uff57\uff4e", "c3 down"),
        ("\uff43\uff13\uff0e", "c3"),
        ("c3\u3002", "c3"),
        ("\U0001d41c\U0001d7d1", "c3"),
        ("\u24d2\u2462 \u212c\u00b2", "c3 b2"),
        ("c\u0663, \u096a", "c3, 4"),
        ("\u0410\u0417 \u04303-\u04416", "\u0430\u0437 a3-c6"),
        ("T\u0430k\u043e \u0435scape \u0441\u0031\u0030", "tako escape c10"),
        ("\u0391\uff13 \u03bf2", "a3 o2"),
        *[(f"c3{times}e5", "c3xe5") for times in ("\u0445", "\u0425", "\u03a7", "\u00d7", "\u2715", "\u2716", "\u2a2f")],
        *[(f"c6{dash}a4", "c6-a4") for dash in ("\u2015", "\ufe63", "\uff0d", "\u2500", "\u2796", "\u30fc", "\u05be", "\u2043")],
        *[(f"c6{arrow}a4", "c6-a4") for arrow in ("\u21d2", "\u2794", "\u27a1\ufe0f", "\u27f6")],
        *[
            (f"c{unseen}6-a4{unseen}", "c6-a4")
            for unseen in ("\u200b", "\u2060", "\ufeff", "\u00ad", "\u200e", "\ufe0f", "\u034f", "\u3164")
        ],
        *[(f"add{blank}a", "add a") for blank in ("\u00a0", "\u202f", "\u2007", "\u3000", "\u2800")],
        ("b9\uff0b3 \u2795", "b9+3 +"),
        ("\u0131nk", "ink"),
    ],
    ids=ascii,
)
def test_what_looks_like_notation_is_read_as_that(text: str, expected: str) -> None:
    assert plain(text) == expected


@for_each(
    ("text", "expected"),
    [
        ("\u04413 \u0441 5", "c3 \u0441 5"),
        ("\u0441\u0430\u0441", "\u0441\u0430\u0441"),
        ("\u04333", "\u04333"),
        ("\u0430\u04333", "\u0430\u04333"),
        ("c6\u037e", "c6\u037e"),
        ("\uff1e c6", "\uff1e c6"),
        ("\ufe65 c6", "\ufe65 c6"),
        ("\uff5c c6", "\uff5c c6"),
        ("c\u00bd \u3392 \ufdfa", "c\u00bd \u3392 \ufdfa"),
        ("\u00e93", "\u00e93"),
        ("c\u4e00", "c\u4e00"),
    ],
    ids=ascii,
)
def test_what_may_be_something_else_stays_as_it_is(text: str, expected: str) -> None:
    assert plain(text) == expected


@for_each(
    ("text", "named", "latin"),
    [
        ("c3", "", None),
        ("\u04413", "", None),
        ("\u04333", 'The letter "\u0433" in that is Cyrillic. Write a Latin one.', "a3"),
        ("c3x\u04125\u0432", 'The letter "\u0412" in that is Cyrillic. Write a Latin one.', None),
        ("tako move b9-\u03b38", 'The letter "\u03b3" in that is Greek. Write a Latin one.', "tako move b9-a8"),
        ("\u0432 5", 'The letter "\u0432" in that is Cyrillic. Write a Latin one.', None),
        ("\u00e93 \u05d03", "", None),
    ],
    ids=ascii,
)
def test_a_letter_that_is_not_read_is_named(text: str, named: str, latin: str | None) -> None:
    assert (foreign_letter(text), with_latin_squares(text)) == (named, latin)
