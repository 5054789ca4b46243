"""TAKO, by Chuck Henry: two piles, a coin and a die, and the last to move wins."""

from typing import cast

from turnserver.games.tako.position import Options, Position, Step
from turnserver.games.tako.rules import TakoRules
from turnserver.games.tako.view import TakoView
from turnserver.rules import Entry, Game
from turnserver.rules import Options as AnyOptions
from turnserver.text import say


def _build(options: AnyOptions) -> Game[Position, Step]:
    chosen = cast(Options, options)
    rules = TakoRules(chosen)
    return Game(ENTRY, chosen, rules, TakoView(rules))


ENTRY = Entry(
    key="tako",
    title="TAKO",
    designer="Chuck Henry",
    summary=say("Take from two piles as many as a coin and a die allow, and be the one who makes the last move."),
    revision=1,
    draws=False,
    chance=True,
    notation=say(
        "a3 or b2: take from one pile. ab2: take two from each of them.\n"
        "HI 5: at most 5 in all. LO 5: at least 5 in all. FREE: any number.\n"
        "Once a game each: pass (the opponent answers your roll), and\n"
        "add a or add b (put one on that pile instead of taking any).\n"
        "You are rolled for before you choose. Who cannot move has lost."
    ),
    options=Options,
    build=_build,
    seat_begins=False,
    opening=("a4", "b7", "b1", "a2", "a4", "add a", "pass", "pass", "add b"),
)
