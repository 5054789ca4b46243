"""Take, by Mark Steere: grow bamboo on a hexagon until the other colour is gone."""

from typing import cast

from turnserver.games.take.position import Options, Position
from turnserver.games.take.rules import TakeRules
from turnserver.games.take.view import TakeView
from turnserver.rules import Entry, Game
from turnserver.rules import Options as AnyOptions
from turnserver.rules.hexagon import Cell
from turnserver.text import say


def _build(options: AnyOptions) -> Game[Position, Cell]:
    chosen = cast(Options, options)
    return Game(ENTRY, chosen, TakeRules(chosen), TakeView(chosen))


ENTRY = Entry(
    key="take",
    title="Take",
    designer="Mark Steere",
    summary=say("Grow stones one by one on a hexagon; what can grow no more is removed, and whoever has nothing left has lost."),
    revision=1,
    draws=False,
    chance=False,
    notation=say(
        "A move is one cell: row letter, then the number from the left.\n"
        "Growth: touches exactly one stone of yours. Seed: on a clod or tile,\n"
        "touching none of yours. Groups that can grow no more are removed."
    ),
    options=Options,
    build=_build,
    opening=("a1", "a2", "a3", "a4", "a5", "c1", "c4", "c5", "d1", "d8", "d7", "e1"),
)
