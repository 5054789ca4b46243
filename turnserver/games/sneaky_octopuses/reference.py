"""The quick reference for the turn mail."""

from typing import Final

from turnserver.text import say

NOTATION: Final = say(
    "A turn: at most one action an octopus, then a keeper to walk; one step\n"
    "a line, or several with semicolons between. All squares on a way count.\n"
    "  out of the home tank: Speedy escape b9\n"
    "  up to three squares: Tako move b9-b8-b7\n"
    "  the same, and fish 3 comes along from b9: Tako move b9+3-b8-b7\n"
    "  under the middle of a tank, Squish only: Squish move d10-d8\n"
    "  four or more straight on, without a fish: Speedy slide b5\n"
    "  the fish of the tank square beside him: Tako steal c9\n"
    "  fish 3 to a square or at a piece: Tako throw 3 e6 (or 3 home)\n"
    "  when a mate threw it to him: Squirt keep (or Squirt throw 3 d4)\n"
    "  ink to N, E, S or W: Squirt ink N\n"
    "  a keeper was hit or run into: shower a5; the last step: keeper f6"
)
"""How to write a turn, by examples that stand behind a colon, so that no line of it is one."""
