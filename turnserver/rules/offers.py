"""Offers in refusals: steps that are legal in this very position and near to the step that was refused.

A game's refusal says which rule forbids a step and never how to write another one. Only this module puts examples into a refusal, and it
takes each from the legal steps.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, takewhile
from typing import Final, NamedTuple

from turnserver.errors import StepError, Unreadable
from turnserver.rules import Choose, Over, Rules, SeveralSteps, StateT, StepT
from turnserver.rules.writing import foreign_letter, plain, with_latin_squares
from turnserver.text import joined, listing, say

_TOKEN: Final = re.compile(r"([a-z])([0-9]+)|(?:[a-z](?![0-9]))+|[0-9]+")
_LONGEST: Final = 200
"""The number of characters of a text that are compared."""


def with_offer(rules: Rules[StateT, StepT], state: StateT, text: str, refused: StepError, *, begun: bool) -> StepError:
    """Return the refusal with steps added that can be written in place of the text. Somebody has to choose in `state`.

    The steps are those that the game takes for the meant ones, if they are legal, or else the legal step most like the text. They are
    offered as turns if each is a whole turn; otherwise, or if the turn has `begun` with other steps, as the next step.
    """
    # the game only guesses what was meant, and what is offered has to be legal here
    meant = _legal(rules, state, refused.meant)
    steps = meant or _nearest(rules, state, refused.meant or (text,))
    offer = listing([quoted(rules.format(state, step)) for step in steps])
    is_whole = not begun and all(_completes(rules, state, step) for step in steps)
    parts = [refused.message]
    if isinstance(refused, Unreadable) and (letter := foreign_letter(text)):
        parts.append(letter)
    if meant:
        parts.append(say("You can write {steps}.", steps=offer) if is_whole else say("The next step can be {steps}.", steps=offer))
    elif is_whole:
        parts.append(say("You can write, for example, {step}.", step=offer))
    else:
        parts.append(say("The next step can be, for example, {step}.", step=offer))
    return type(refused)(joined(" ", parts), refused.code)


def ends_turn(rules: Rules[StateT, StepT], state: StateT, step: StepT) -> bool:
    """Return whether a step that a seat may choose in `state` ends its turn; see `SeveralSteps`."""
    return not isinstance(rules, SeveralSteps) or rules.ends_turn(state, step)


def rest_of_turn(rules: Rules[StateT, StepT], state: StateT) -> list[StepT]:
    """Return the steps from here to the hand-over, where somebody has to choose.

    Each is the first step that ends the turn, or else the first that ends the game, or else the first legal one.
    """
    pending, steps = rules.next(state), list[StepT]()
    several = rules if isinstance(rules, SeveralSteps) else None
    assert isinstance(pending, Choose)  # noqa: S101  # so says the docstring
    while rules.next(state) == pending:
        options = rules.steps(state)
        # A step has to be played to know that it ends the game, so those that end the turn come first.
        to_hand_over = (step for step in options if several is None or several.ends_turn(state, step))
        to_the_end = (step for step in options if isinstance(rules.next(rules.apply(state, step)), Over))
        steps.append(next(chain(to_hand_over, to_the_end, options)))
        state = rules.apply(state, steps[-1])
    return steps


def quoted(step: str) -> str:
    """Return one or several steps quoted for a sentence."""
    return say('"{text}"', text=step)


def _completes(rules: Rules[StateT, StepT], state: StateT, step: StepT) -> bool:
    # Whether a step ends the game, only the position after it can tell.
    return ends_turn(rules, state, step) or isinstance(rules.next(rules.apply(state, step)), Over)


class _Shape(NamedTuple):
    """A text taken apart: its words with a sign for each square and number, the places of those, and the text in small letters."""

    form: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    words: frozenset[str]
    last: str
    text: str


def _legal(rules: Rules[StateT, StepT], state: StateT, meant: Sequence[str]) -> list[StepT]:
    found = list[StepT]()
    for text in meant:
        with suppress(StepError):
            found.append(rules.parse(state, text))
    return found


def _nearest(rules: Rules[StateT, StepT], state: StateT, wanted: Sequence[str]) -> list[StepT]:
    """Return the legal step that is most like one of the texts; the first one of several."""
    # cut: there may be hundreds of legal steps, and each is compared with the whole text
    shapes = [_shape(plain(with_latin_squares(text[:_LONGEST]) or text[:_LONGEST])) for text in wanted]

    def unlikeness(step: StepT) -> tuple[int, ...]:
        shape = _shape(rules.format(state, step).lower())
        return min(_unlikeness(shape, other) for other in shapes)

    return [min(rules.steps(state), key=unlikeness)]


def _unlikeness(shape: _Shape, other: _Shape) -> tuple[int, ...]:
    """Return how unlike two texts are, for sorting.

    Texts of one form differ by the distance of their squares, others by the parts that they do not share.
    """
    if shape.form == other.form:
        apart = sum(abs(file - there) + abs(rank - up) for (file, rank), (there, up) in zip(shape.places, other.places, strict=True))
        return 0, apart
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(shape.text, other.text, strict=False)))
    return 1, -alike, shape.last != other.last, -len(shape.words & other.words), len(shape.form)


def _shape(text: str) -> _Shape:
    tokens = list(_TOKEN.finditer(text))
    words = [token[0] for token in tokens]
    return _Shape(
        form=tuple("#" if token[1] else "0" if token[0].isdecimal() else token[0] for token in tokens),
        places=tuple((ord(token[1]), int(token[2])) if token[1] else (0, int(token[0])) for token in tokens if token[0][-1].isdecimal()),
        words=frozenset(words),
        last=words[-1] if words else "",
        text=text,
    )
