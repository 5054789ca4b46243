"""Tako Judo, by Kevin Lanzing: octopuses wrestle until the others cannot move."""

from typing import cast

from turnserver.games.tako_judo.position import Move, Options, Position
from turnserver.games.tako_judo.rules import TakoJudoForFour, TakoJudoRules
from turnserver.games.tako_judo.view import TakoJudoView
from turnserver.rules import Entry, Game
from turnserver.rules import Options as AnyOptions
from turnserver.text import say


def _build(options: AnyOptions) -> Game[Position, Move]:
    chosen = cast(Options, options)
    rules = TakoJudoRules(chosen) if chosen.variant == "duel" else TakoJudoForFour(chosen)
    return Game(ENTRY, chosen, rules, TakoJudoView(chosen, rules))


ENTRY = Entry(
    key="tako-judo",
    title="Tako Judo",
    designer="Kevin Lanzing",
    summary=say("Octopuses wrestle: tentacles move while their head sees them, and whoever can no longer move is pinned."),
    revision=1,
    draws=True,
    chance=False,
    notation=say(
        "A move is two squares: where a piece leaves, where it goes: c6-a4.\n"
        "Pieces move as a queen in chess, past nothing. A head is named by\n"
        "its lower left square and needs a way two squares wide. A tentacle\n"
        "moves only if its head sees it. Never straight back where the same\n"
        "piece came from on your last turn."
    ),
    options=Options,
    build=_build,
    seats=(2, 4),
    opening=("d6-d4", "e3-e5", "e6-f5", "d3-b5", "f5-d3", "c2-a2", "f6-g5", "f2-h4", "d4-f2", "c3-b4", "c6-e4", "f3-f6"),
)
