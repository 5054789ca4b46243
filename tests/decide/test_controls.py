"""Time controls as people write them."""

import pytest

from turnserver.play.controls import PRESETS, parse, written

WRITTEN = {
    "3d": "3d",
    "1 day 12 hours": "1d12h",
    "5d+36h": "5d+36h cap 10d",
    "Total 60 days": "60d in all",
    "20d then 5 x 2d": "20d then 5x2d",
    "next 9:05 europe/BERLIN": "next 09:05 Europe/Berlin, at least 24h",
    "unlimited": "no limit",
}


@pytest.mark.parametrize(("text", "canonical"), WRITTEN.items())
def test_a_control_is_written_in_one_way(text: str, canonical: str) -> None:
    assert written(parse(text)) == canonical


@pytest.mark.parametrize("text", [*WRITTEN, *PRESETS])
def test_what_was_written_is_read_as_it_was(text: str) -> None:
    assert parse(written(parse(text))) == parse(text)
