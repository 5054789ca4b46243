"""A small year, by the same code as the whole one (`make year`): nothing in it differs from what the naive clock says."""

import pytest

from tests.year.the_year import Year

HAPPENS = (
    *("turns", "flags", "grace", "reminders", "mails", "thaws", "crashes", "outages found", "clock set", "sweeps by two at once"),
    *(f"freezes: {kind}" for kind in ("vacation", "pause", "halt", "undelivered", "outage")),
    *(f"taken back: {kind}" for kind in ("admin", "correction", "agreement")),
    *("turns by the house", "turns skipped", "seats that waited for somebody", "substitutes", "games taken up again", "ends taken back"),
    *("vacations", "vacations that ended early", "refused: too_late", "refused: already_told", "zones whose change a turn spanned"),
)
"""The things that must have happened for the year to show anything."""


@pytest.mark.long
def test_a_year_of_clocks_is_what_a_naive_clock_says(sqlite_url: str) -> None:
    year = Year(sqlite_url, games=60, seed=2027)
    year.run()
    year.close()
    assert {what: year.figures[what] for what in HAPPENS if not year.figures[what]} == {}


@pytest.mark.long
def test_so_it_is_on_postgresql(postgresql_url: str) -> None:
    """Two processes sweep at once and others are killed, over the engine that many share."""
    year = Year(postgresql_url, games=10, seed=7)
    year.run()
    year.close()
    assert {what: year.figures[what] for what in ("flags", "reminders", "crashes", "sweeps by two at once") if not year.figures[what]} == {}
