"""Random games of Sneaky Octopuses in which much happens: what there is to a step, a curious chooser, what came of them."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from tests.games.sneaky_octopuses import naive_board as naive
from tests.games.sneaky_octopuses.naive_keepers import may_step

KINDS = [
    "keeper",
    "keeper in an entrance",
    "keeper in a shower",
    "keeper with no way to go",
    "escape",
    "move",
    "carry",
    "pick up",
    "swap",
    "squeeze",
    "back to the start",
    "past a team-mate",
    "past an opponent",
    "onto a keeper",
    "slide",
    "steal",
    "throw",
    "throw home",
    "throw at a team-mate",
    "throw at an opponent",
    "throw at a keeper",
    "throw into an entrance",
    "throw on",
    "throw back",
    "keep",
    "ink",
    "ink at an opponent",
    "ink at a team-mate",
    "ink at a keeper",
    "ink at a corner",
    "ink into an entrance",
]
"""The traits of a step that an octopus or its player chooses."""


def traits(position: naive.Position, text: str) -> list[str]:
    """Return what is special about a legal step."""
    standing = {square: who for who, square in position.octopuses.items() if square != naive.HOME}
    name, *words = text.split()
    match words:
        case ["move", path]:
            return traits_of_move(position, standing, [part.split("+")[0] for part in path.split("-")], path)
        case ["escape" | "slide" as action, goal]:
            return [action, *(["onto a keeper"] if goal in position.keepers else [])]
        case ["throw", _, "home"]:
            return ["throw home", *(["throw on"] if position.stage == "chain" else [])]
        case ["throw", _, goal]:
            return [
                f"throw{aim(position, standing, goal)}",
                *(["throw on"] if position.stage == "chain" else []),
                *(["throw back"] if standing.get(goal) in {(position.seat, other) for other in position.involved[:-1]} else []),
                *(["throw into an entrance"] if naive.KIND[goal] == "e" else []),
            ]
        case ["ink", direction]:
            line = naive.ray(position.octopuses[position.seat, name], direction)
            goal = next((square for square in line if square in standing or square in position.keepers), line[-1])
            corner = ["ink at a corner"] if goal in naive.CORNERS and goal in standing else []
            return corner or [f"ink{aim(position, standing, goal)}", *(["ink into an entrance"] if naive.KIND[goal] == "e" else [])]
        case [square] if name == "keeper":
            stuck = square not in naive.SHOWERS and not any(may_step(position, other) for other in naive.beside(square))
            where = {".": "keeper", "e": "keeper in an entrance", "S": "keeper in a shower"}[naive.KIND[square]]
            return [where, *(["keeper with no way to go"] if stuck else [])]
        case _:
            return [words[0] if name in naive.NAMES else name]


def aim(position: naive.Position, standing: dict[str, tuple[int, str]], goal: str) -> str:
    """Return the octopus at whom something is thrown or squirted, if at any."""
    if goal in position.keepers:
        return " at a keeper"
    if goal in standing:
        return " at a team-mate" if standing[goal][0] == position.seat else " at an opponent"
    return ""


def traits_of_move(position: naive.Position, standing: dict[str, tuple[int, str]], squares: list[str], path: str) -> list[str]:
    """Return what is special about a move."""
    between = [standing[square][0] == position.seat for square in squares[1:-1] if square in standing and square != squares[0]]
    loads = path.count("+")
    found = {
        "past a team-mate": True in between,
        "past an opponent": False in between,
        "onto a keeper": squares[-1] in position.keepers,
        "back to the start": squares[-1] == squares[0],
        "squeeze": any(end not in naive.beside(start) for start, end in pairwise(squares)),
        "carry": "+" in path.split("-", maxsplit=1)[0],
        "pick up": loads > 0 and "+" not in path.split("-", maxsplit=1)[0],
        "swap": loads > 1,
    }
    return [trait for trait, true in found.items() if true] or ["move"]


class Curious:
    """Chooses steps of the kinds that it has chosen least, and counts them and what came of them."""

    def __init__(self) -> None:
        self.chosen: Counter[str] = Counter()
        """The number of steps of each kind that were chosen."""
        self.happened: Counter[str] = Counter()
        """The number of times that something came of the steps."""
        self._last: tuple[naive.Position, str] | None = None

    def __call__(self, choices: random.Random, position: naive.Position, legal: Sequence[str], played: Sequence[str]) -> str:  # noqa: ARG002  # others look back
        """One of the steps: first a kind, then a step of that kind."""
        kinds: dict[str, list[str]] = {}
        for text in legal:
            for trait in traits(position, text):
                kinds.setdefault(trait, []).append(text)
        (kind,) = choices.choices(list(kinds), [1 / (1 + self.chosen[kind]) ** 2 for kind in kinds])
        text = choices.choice(kinds[kind])
        self.chosen.update(traits(position, text))
        self._last = position, text
        return text

    def look(self, position: naive.Position) -> None:
        """Count what came of the step chosen last, if this position came of it."""
        if self._last is not None:
            self.happened.update(happenings(*self._last, position))
        self._last = None


def happenings(before: naive.Position, text: str, after: naive.Position) -> list[str]:
    """Return what came of a step besides what its text says."""
    if after.stage == "over":
        best = max(after.points(seat) for seat in after.home)
        return ["the target" if best >= after.target else "too late for all" if "home" in text else "the last round"]
    if text.startswith("die"):
        return after_the_die(before, after)
    if text.startswith(("deal", "first", "keeper")) or after.stage != "act":
        return []
    stepped = len(set(after.keepers) - set(before.keepers) - set(naive.SHOWERS))
    turned = sum(after.keepers.get(square, facing) != facing for square, facing in before.keepers.items())
    found = {
        "keepers step": stepped > 0,
        "several keepers step": stepped > 1,
        "keepers turn": turned > 0,
        "several keepers turn": turned > 1,
        "a reaction catches": reaction_catches(before, text, after),
        f"a chain of {len(before.involved)}": before.stage == "chain",
    }
    return [what for what, true in found.items() if true]


def reaction_catches(before: naive.Position, text: str, after: naive.Position) -> bool:
    """Return whether a keeper has stepped where an octopus was at the end of the action."""
    name, action, *how = text.split()
    standing = {who: square for who, square in before.octopuses.items() if square != naive.HOME}
    if action in {"escape", "move", "slide"}:
        standing[before.seat, name] = how[0].split("-")[-1]
    trodden = set(after.keepers) - set(before.keepers) - set(naive.SHOWERS)
    return name != "shower" and not trodden.isdisjoint(standing.values())


def after_the_die(before: naive.Position, after: naive.Position) -> list[str]:
    """Return what the activated keeper did, and what became of those in the showers."""
    found = {
        "a keeper has to stay in its shower": any(shower in after.keepers for shower in naive.SHOWERS),
        "a keeper comes out of a shower": before.nominated in naive.SHOWERS
        and naive.next_to(naive.SHOWERS[before.nominated], naive.INTO_THE_ROOM[naive.SHOWERS[before.nominated]])
        in set(after.keepers) - set(before.keepers),
        "an activated keeper catches": any(after.octopuses[who] == naive.HOME != square for who, square in before.octopuses.items()),
    }
    return [what for what, true in found.items() if true]
