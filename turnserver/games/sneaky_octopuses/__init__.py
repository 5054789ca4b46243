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
    seat_begins=False,
    opening=(
        "Speedy escape b3; Tako escape b2; Squish escape c2; keeper f11",
        "Speedy escape b9; Tako escape c10; Squish escape b10; keeper f9",
        "Speedy escape i10; Tako escape j10; keeper e10",
        "Speedy escape i2; Tako escape j2; Squish escape j3; keeper g10",
        "Speedy slide b8; Tako move b2-b3-b4-b5; Squish steal c3; Squirt escape b2; keeper i10",
        "Speedy steal c9; Squish move b10-c10-d10-d8; Squirt escape b10; Tako move c10-b10-c10-d10; keeper j6",
        "Tako move j10-i10-h10-h9; keeper f10",
        "Tako move j2-j3-j4-j5; Squish steal i3; Speedy slide d2; Squirt escape j2; keeper b6",
        "Squish throw 4 b2; Squirt throw 4 home; Speedy move b8-b7-b6; Tako steal c5; keeper d10",
        "Speedy throw 4 b10; Squirt throw 4 home; Squish steal d7; Tako escape c10; keeper d6",
        "Tako steal g9; Speedy escape j9; Squish escape i10; Squirt escape j10; keeper f2",
        "Squish throw 1 home; Speedy slide d6; Tako move j5-j6-i6; keeper f10",
    ),
)
