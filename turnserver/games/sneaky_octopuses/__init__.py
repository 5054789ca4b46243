"""Sneaky Octopuses, by storyfeet: steal fish in an aquarium under the eyes of four keepers."""

from typing import cast

from turnserver.games.sneaky_octopuses.moves import Step
from turnserver.games.sneaky_octopuses.position import Options, Position
from turnserver.games.sneaky_octopuses.rules import SneakyRules, SneakyTable
from turnserver.games.sneaky_octopuses.view import NOTATION, SneakyView
from turnserver.rules import Entry, Game
from turnserver.rules import Options as AnyOptions
from turnserver.text import say


def _build(options: AnyOptions) -> Game[Position, Step]:
    chosen = cast(Options, options)
    rules = SneakyTable(chosen) if chosen.players > 2 else SneakyRules(chosen)
    return Game(ENTRY, chosen, rules, SneakyView(chosen))


ENTRY = Entry(
    key="sneaky-octopuses",
    title="Sneaky Octopuses",
    designer="storyfeet",
    summary=say("Steal fish from an aquarium's tanks and throw them home while four keepers look and listen; sets of a colour score most."),
    revision=1,
    draws=False,
    chance=True,
    notation=NOTATION,
    options=Options,
    build=_build,
    several=True,
    step_words=("speedy", "tako", "squish", "squirt", "escape", "slide", "steal", "throw", "ink", "keeper", "shower"),
    seats=(2, 3, 4),
)
