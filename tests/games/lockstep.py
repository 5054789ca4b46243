"""A product's engine and a naive one side by side through a random game, compared at every position.

A naive engine is a module of functions that speak in the notation of the game's rules, as `rules.format` writes it:

    start(**options) -> position
    legal(position) -> set[str]              every step, outcomes of chance included; empty once the game is over
    play(position, text) -> position         refuses what is not legal
    turn(position) -> ("choose" | "roll", seat, turn) or ("over", frozenset of winners, tuple of scores)
    weights(position) -> dict[str, int]      at a roll; only in games with chance
    leave(position, seat) -> position        only in games for more than two
    skip(position) -> position               only in games for more than two, at the beginning of a turn
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple
from types import ModuleType
from typing import Any, TypeAlias

from turnserver.games import find
from turnserver.rules import Choose, Over, Roll, Rules, Seat

Chooser: TypeAlias = Callable[[random.Random, Any, Sequence[str], Sequence[str]], str]
"""Picks a step in the naive engine's position: one of the legal ones (the third argument, sorted), knowing what was played before."""


def anything(choices: random.Random, position: Any, legal: Sequence[str], played: Sequence[str]) -> str:  # noqa: ARG001  # others look
    """Any legal step, all of them alike."""
    return choices.choice(legal)


def told(after: Choose | Roll | Over) -> tuple[Any, ...]:
    """Return what the product says comes next, in the naive engines' words."""
    if isinstance(after, Over):
        return "over", after.winners, after.scores
    return type(after).__name__.lower(), *astuple(after)[:2]


def check_same(rules: Rules[Any, Any], state: Any, naive: ModuleType, position: Any, way: Sequence[str] = ()) -> list[str]:
    """Both engines say the same of who is to act, or who won with which scores, of the steps and of their weights.

    Gives the steps, sorted. `way` is how the position came about, for the report of a difference.
    """
    after, expected = rules.next(state), naive.turn(position)
    assert told(after) == expected, f"{told(after)} instead of {expected} after {list(way)}"
    texts = [rules.format(state, step) for step in rules.steps(state)]
    legal = naive.legal(position)
    assert set(texts) == legal, f"{set(texts) - legal} too many, {legal - set(texts)} too few after {list(way)}"
    assert len(texts) == len(legal), f"a step is listed twice after {list(way)}"
    if isinstance(after, Roll):
        weights = dict(zip(texts, after.weights, strict=True))
        assert weights == naive.weights(position), f"{weights} instead of {naive.weights(position)} after {list(way)}"
    return sorted(legal)


def walk(
    key: str,
    naive: ModuleType,
    options: Mapping[str, Any],
    seed: str,
    *,
    opening: Sequence[str] = (),
    most: int = 1000,
    leaving: float = 0.0,
    skipping: float = 0.0,
    choose: Chooser = anything,
) -> Iterator[Any]:
    """One random game, repeatable by its seed: every position, as the naive engine has it, after both were found to say the same of it.

    It begins after the steps of `opening`, which are not compared, and stops after `most` positions or with the end of the game. At the
    beginning of every turn somebody who is still there gives up with the chance `leaving`, and then the turn is skipped with the chance
    `skipping`.
    """
    choices = random.Random(f"{key} {sorted(options.items())} {seed}")  # noqa: S311  # a repeatable game, not a secret
    rules: Any = find(key, **options).rules
    state, position = rules.start(), naive.start(**options)
    for text in opening:
        state, position = rules.apply(state, rules.parse(state, text)), naive.play(position, text)
    played, begun, stayed = list(opening), ("", 0, 0), list(range(1, rules.seats + 1))
    for _ in range(most):
        legal = check_same(rules, state, naive, position, played)
        yield position
        now = naive.turn(position)
        if now[0] == "over":
            return
        beginning = now[0] == "choose" and now != begun
        if beginning and choices.random() < leaving:
            leaver = choices.choice(stayed)
            stayed.remove(leaver)
            played.append(f"(seat {leaver} leaves)")
            state, position = rules.leave(state, Seat(leaver)), naive.leave(position, leaver)
            continue
        if beginning and skipping and choices.random() < skipping:
            played.append("(skipped)")
            state, position = rules.skip(state), naive.skip(position)
            continue
        begun = now if now[0] == "choose" else begun
        text = choose(choices, position, legal, played)
        played.append(text)
        state, position = rules.apply(state, rules.parse(state, text)), naive.play(position, text)
