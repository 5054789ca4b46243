"""Writes who finds what into the docs anew: `make docs`."""

from pathlib import Path

import turnserver
from tests.audit.tampering import as_table, plainly

DOCS = Path(turnserver.__file__).parent / "AUDIT.md"
BEGIN, END = "<!-- who finds what: make docs -->\n", "<!-- end of who finds what -->\n"


def written(text: str) -> str:
    """The docs with the table as it is now. Raises ValueError if they have no place for it."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("AUDIT.md has no place for the table")
    return f"{before}{begin}\n{as_table()}\nNobody finds:\n\n{plainly()}\n{end}{after}"


if __name__ == "__main__":
    DOCS.write_text(written(DOCS.read_text(encoding="utf-8")), encoding="utf-8")
