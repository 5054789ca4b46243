"""The catalogue of games: the one place where games are looked up by key."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from turnserver.errors import BadOption, UnknownRevision
from turnserver.games import okago, sneaky_octopuses, take, tako, tako_judo
from turnserver.rules import Entry, Game, Options, StateT, StepT
from turnserver.rules.kit import format_steps
from turnserver.rules.options import OptionInfo, Value, check_names, closest, describe, shown, typed
from turnserver.text import listing, say

CATALOGUE: Mapping[str, Entry] = MappingProxyType(
    {
        one.key: one
        for one in (
            take.ENTRY,
            tako_judo.ENTRY,
            tako.ENTRY,
            okago.ENTRY,
            sneaky_octopuses.ENTRY,
        )
    }
)
"""All games, by key."""

NAMES: Final = frozenset(name for one in CATALOGUE.values() for name in (one.key, one.title.casefold()))
"""All words that mean a game, in small letters: its key, and the title that people read everywhere."""


def key_of(name: str) -> str:
    """Return the key of a game whose name is in `NAMES`, however it is capitalised; any other words in the form of a key."""
    return "-".join(name.casefold().split())


def entry(key: str, revision: int | None = None, catalogue: Mapping[str, Entry] = CATALOGUE) -> Entry:
    """Return a game's line in the catalogue, by default of the newest revision. Raises BadOption with a suggestion, and UnknownRevision."""
    if key not in catalogue:
        raise BadOption(_no_game(key))
    newest = catalogue[key]
    known = {one.revision: one for one in (newest, *newest.earlier)}
    if revision is not None and revision not in known:
        installed = listing([str(one) for one in sorted(known)], "and")
        raise UnknownRevision(f"{newest.title} is not installed in revision {revision} of its rules, only in {installed}")
    return newest if revision is None else known[revision]


def find(key: str, revision: int | None = None, /, **options: Value) -> Game[Any, Any]:
    """Return a game with its options chosen; options left out have their defaults. A choice that was made lately gives the same object.

    Its rules are those of a revision, by default of the newest. Raises BadOption, and UnknownRevision.
    """
    return find_in(CATALOGUE, key, revision, **options)


def find_in(catalogue: Mapping[str, Entry], key: str, revision: int | None = None, /, **options: Value) -> Game[Any, Any]:
    """Do as `find` does, in another catalogue than the product's."""
    found = entry(key, revision, catalogue)
    check_names(found.options, options)
    return _game(found, found.options(**options))


def options_from_text(found: Entry, texts: Mapping[str, str]) -> dict[str, Value]:
    """Turn words that a person wrote, such as `{"size": "5"}`, into values that `find` takes for this game. Raises BadOption."""
    options = typed(found.options, texts)
    # called for its refusal: options that do not go together are refused before a game is opened with them
    found.options(**options)
    return options


def describe_options(found: Entry) -> tuple[OptionInfo, ...]:
    """Return the options of a game, in the order of their declaration."""
    return describe(found.options)


def rules_text(key: str) -> str:
    """Return the game's RULES.md: how to play, every ruling with its reason, the grammar of the notation. Raises BadOption."""
    return (files(_package(key)) / "RULES.md").read_text(encoding="utf-8")


def house(key: str) -> Callable[[Game[Any, Any], Any], Any]:
    """Return the house player of a game. Raises BadOption.

    The house player takes the game and a position where somebody must choose, and returns a step.
    """
    # imported only now, since few processes need a house player
    choose = import_module(f"{_package(key)}.house").choose
    return lambda game, state: choose(game.rules, state)


def _package(key: str) -> str:
    """Return the package of a game, which has its name. Raises BadOption."""
    return f"{__name__}.{entry(key).key.replace('-', '_')}"


def house_turn(game: Game[StateT, StepT], state: StateT) -> tuple[str, ...]:
    """Return a whole turn as the house plays it, or the rest of a turn: its steps in canonical notation, without a roll that may follow.

    Always the same for the same game and position; on every board and with all options it takes less than a second. Defined where somebody
    has to choose. Raises BadOption for a game that is not in the catalogue.
    """
    rules, choose = game.rules, house(game.entry.key)
    here, position = rules.next(state), state
    steps = []
    while rules.next(position) == here:
        steps.append(choose(game, position))
        position = rules.apply(position, steps[-1])
    return format_steps(rules, state, steps)


def _no_game(key: str) -> str:
    known = list(CATALOGUE)
    meant, all_games = closest(key, known), listing(known, "and")
    if meant is None:
        return say("There is no game called {name}. The games are {games}.", name=shown(key), games=all_games)
    return say(
        'There is no game called {name}. Did you mean "{meant}"? The games are {games}.', name=shown(key), meant=meant, games=all_games
    )


# Strangers choose options of boards to try, and there are more of them than a process can keep.
@lru_cache(maxsize=1024)
def _game(found: Entry, options: Options) -> Game[Any, Any]:
    return found.build(options)
