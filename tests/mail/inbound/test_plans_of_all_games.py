"""Plans of real games, however a mail program or a player lays out their lines: read as one plan, and as the same one."""

import re
import textwrap
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.play.test_conditional_moves import JUDO, OKAGO, SNEAKY, TAKE, TAKO, Grower, Scene
from turnserver import games
from turnserver.mail.inbound.phrases import If
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.understanding import understand
from turnserver.play.conditional_moves import read_plan, write_plan
from turnserver.rules.kit import reads_as_turn

GERMAN: Final = {"if": "wenn", "then": "dann", "else": "sonst"}
LAYOUTS: Mapping[str, Callable[[str], str]] = {
    "one line": str,
    "a line a branch": lambda text: text.replace("; else", "\nelse"),
    "empty lines between": lambda text: text.replace("; else", ";\n\nelse"),
    "brackets below": lambda text: text.replace(" (if", "\n(if"),
    "wrapped": lambda text: "\n".join(textwrap.wrap(text, 72, break_long_words=False, break_on_hyphens=False)),
    "in German": lambda text: re.sub(r"\b(?:if|then|else)\b", lambda word: GERMAN[word[0]], text),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("key", "scene", "depth"),
    [
        ("take", TAKE, 2),
        ("tako-judo", JUDO, 2),
        ("okago", OKAGO, 2),
        ("tako", TAKO, 2),
        ("sneaky-octopuses", SNEAKY, 1),
    ],
)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_a_plan_is_read_from_a_mail(key: str, scene: Scene, depth: int, layout: str, seed: int) -> None:
    grower, entry = Grower(scene.rules, seed), games.entry(key)
    position = grower.opening()
    plan = grower.plan(position, depth)
    assume(plan[0].expected is not None)
    resembles = partial(resembles_step, entry.step_words) if entry.several else None
    lines = LAYOUTS[layout](write_plan(plan)).split("\n")
    said = understand(lines, partial(reads_as_turn, scene.rules, position), games.CATALOGUE, resembles=resembles)
    assert not said.unclear
    (read,) = said.phrases
    assert isinstance(read, If)
    assert read_plan(scene.rules, position, read.text) == plan
