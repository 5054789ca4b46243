"""Okago, by Cunning and Kindness: four in a row with the jumps of draughts."""

from typing import cast

from turnserver.games.okago.position import Options, Position, Step
from turnserver.games.okago.rules import OkagoRules
from turnserver.games.okago.view import OkagoView
from turnserver.rules import Entry, Game
from turnserver.rules import Options as AnyOptions
from turnserver.text import say


def _build(options: AnyOptions) -> Game[Position, Step]:
    chosen = cast(Options, options)
    return Game(ENTRY, chosen, OkagoRules(chosen), OkagoView(chosen))


ENTRY = Entry(
    key="okago",
    title="Okago",
    designer="Cunning and Kindness",
    summary=say("Place pieces or jump over enemy ones, which then leave the game; four in a row win."),
    revision=1,
    draws=False,
    chance=False,
    notation=say(
        "c3       place a piece face-up on c3 (Blue's first: or c3 down).\n"
        "c3xe5    jump from c3 over the enemy piece between them to e5.\n"
        "Only face-up pieces jump, over face-up ones; the jumper turns\n"
        "face-down for good. No placement where one was just jumped.\n"
        "Four of your pieces in a row win, whichever way they face."
    ),
    options=Options,
    build=_build,
    opening=("c3", "b1", "d3", "b3", "c3xa3", "c1", "a1", "c2", "c4", "c2xe4", "a2", "a4"),
)
