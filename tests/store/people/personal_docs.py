"""Writes the table of personal data into the docs anew: `python -m tests.store.people.personal_docs`."""

from pathlib import Path

import turnserver
from turnserver.store.people.erasing import IMPERSONAL, PERSONAL

DOCS = Path(turnserver.__file__).parent / "AUDIT.md"
BEGIN, END = "<!-- personal data: python -m tests.store.people.personal_docs -->\n", "<!-- end of personal data -->\n"


def as_table() -> str:
    """Return both tables in Markdown, for people."""
    lines = ["| Column | Of somebody who is erased |", "|---|---|"]
    for name in sorted({*PERSONAL, *IMPERSONAL}):
        lines += [f"| `{name}.{column}` | {told} |" for column, told in PERSONAL.get(name, {}).items()]
        same: dict[str, list[str]] = {}
        for column, why in IMPERSONAL.get(name, {}).items():
            same.setdefault(why, []).append(f"`{name}.{column}`")
        lines += [f"| {', '.join(columns)} | stays: {why} |" for why, columns in same.items()]
    return "\n".join(lines) + "\n"


def written(text: str) -> str:
    """The docs with the table as it is now. Raises ValueError if they have no place for it."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("AUDIT.md has no place for the table")
    return f"{before}{begin}\n{as_table()}\n{end}{after}"


if __name__ == "__main__":
    DOCS.write_text(written(DOCS.read_text(encoding="utf-8")), encoding="utf-8")
