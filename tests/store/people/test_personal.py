"""No column is forgotten: each that can hold a word of anybody is declared, personal or not, and the docs show the same table."""

from itertools import chain

from sqlalchemy import Boolean, Float, Integer

from tests.store.people.personal_docs import DOCS, written
from turnserver.store.log.tables import METADATA
from turnserver.store.people import erasing

NUMBERS = (Integer, Float, Boolean)
"""The types that can hold neither a name nor an address."""


def columns() -> set[tuple[str, str]]:
    """Every column of every table that can hold words."""
    every = chain.from_iterable(table.columns for table in METADATA.tables.values())
    return {(column.table.name, column.name) for column in every if not isinstance(column.type, NUMBERS)}


def test_every_column_that_can_hold_words_is_declared_once() -> None:
    """A new one has to be put into the table in `erasing.py`, and erased if it is to be."""
    declared = [(name, column) for told in (erasing.PERSONAL, erasing.IMPERSONAL) for name in told for column in told[name]]
    assert sorted(set(declared)) == sorted(columns())
    assert len(declared) == len(set(declared))


def test_the_docs_show_this_table() -> None:
    """`turnserver/AUDIT.md` tells admins the same."""
    text = DOCS.read_text(encoding="utf-8")
    assert written(text) == text
