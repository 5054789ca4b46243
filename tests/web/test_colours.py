"""The colour of a club: whatever it is, words on it and buttons in it can be read."""

import re

import pytest

from tests.cases import for_each
from turnserver.web.colours import READABLE, contrast, read, style

LIGHT, DARK = "#ffffff", "#21231f"


@for_each("colour", ["#1f6b3f", "#000000", "#ffffff", "#ffff00", "#FF0000", "#0000ff", "#777777", "#21231f"])
def test_every_colour_can_be_read(colour: str) -> None:
    light, on_light, dark, on_dark = (read(one) for one in re.findall(r"(#[0-9a-f]{6})", style(colour)))
    for one, other in ((light, on_light), (light, read(LIGHT)), (dark, on_dark), (dark, read(DARK))):
        assert contrast(one, other) >= READABLE


def test_a_colour_that_can_be_read_stays_as_it_is() -> None:
    assert style("#1f6b3f").startswith(":root { --do: #1f6b3f; --on-do: #ffffff; }")
    assert "--do: #ffff00; --on-do: #08150d" in style("#ffff00")


def test_without_a_colour_pages_stay_as_they_are() -> None:
    assert style("") == ""


@pytest.mark.parametrize(
    ("one", "other", "ratio"), [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#ffffff", "#ffffff", 1.0)]
)
def test_contrast_as_wcag_has_it(one: str, other: str, ratio: float) -> None:
    """4.48 to 1 is the known near miss of the grey #777777."""
    assert contrast(read(one), read(other)) == pytest.approx(ratio, abs=0.005)
