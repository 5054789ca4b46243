"""Writes the table of personal data into the docs anew: `python -m tests.store.people.personal_docs`."""

from pathlib import Path

import turnserver
from turnserver.store.people import erasing

DOCS = Path(turnserver.__file__).parent / "AUDIT.md"
BEGIN, END = "<!-- personal data: python -m tests.store.people.personal_docs -->\n", "<!-- end of personal data -->\n"


def written(text: str) -> str:
    """The docs with the table as it is now. Raises ValueError if they have no place for it."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("AUDIT.md has no place for the table")
    return f"{before}{begin}\n{erasing.as_table()}\n{end}{after}"


if __name__ == "__main__":
    DOCS.write_text(written(DOCS.read_text(encoding="utf-8")), encoding="utf-8")
