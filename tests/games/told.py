"""The sentences of a game in other languages: all that it can be brought to say, and a language in which it shows what was forgotten."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree as ET

from turnserver import games
from turnserver.errors import BadOption, StepError
from turnserver.mail.inbound.understanding import understand
from turnserver.mail.outbound.language import language
from turnserver.mail.outbound.markdown import Block, blocks
from turnserver.rules import Choose, Game, Over
from turnserver.rules import options as kit_options
from turnserver.rules.kit import playout, reads_as_turn
from turnserver.text import retold

GERMAN = language("de")
MOST = 200
"""The number of steps of a random game that are looked at."""
_SVG = "{http://www.w3.org/2000/svg}"
_PLACE = re.compile(r"(\{[^}]*\})")
_QUIET = re.compile(r"\b[a-z]{4,}\b")


class _Shouting:
    """English in capitals: what is said in small letters is not told in other languages."""

    key = "en"

    def template(self, template: str, plural: str, number: int) -> str:
        chosen = plural if plural and number != 1 else template
        return "".join(part if part.startswith("{") else part.upper() for part in _PLACE.split(chosen))


SHOUTING = _Shouting()


@dataclass(frozen=True)
class Listening:
    """German that remembers what it was asked to say."""

    key: str = "de"
    asked: set[str] = field(default_factory=set)

    def template(self, template: str, plural: str, number: int) -> str:
        self.asked.add(template)
        return GERMAN.template(template, plural, number)


AnyGame = Game[Any, Any]


def every_game(key: str, *choices: dict[str, Any]) -> list[AnyGame]:
    """The game with each of these choices of options."""
    return [games.find(key, **chosen) for chosen in choices]


def course(game: AnyGame, seed: int) -> list[tuple[Any, Any]]:
    """The positions of a random game with the steps chosen in them, and the last one with None."""
    played = list(islice(playout(game.rules, random.Random(seed).choice), MOST))  # noqa: S311  # a repeatable game, no secret
    return [*played, (game.rules.apply(*played[-1]), None)]


def lettering(picture: str) -> list[str]:
    """Return what stands in a picture, and what its parts say they are."""
    root = ET.fromstring(picture)  # noqa: S314  # our own
    return [one.text or "" for one in root.iter() if one.tag in (f"{_SVG}text", f"{_SVG}title")]


def refusals(game: AnyGame, state: Any, texts: Sequence[str]) -> Iterator[str]:
    """Yield what is said of these texts in a position, as far as they are refused."""
    for text in texts:
        try:
            game.rules.parse(state, text)
        except StepError as refused:
            yield refused.message


def bad_options(key: str, *choices: dict[str, Any]) -> Iterator[str]:
    """Yield what is said of choices of options that cannot be."""
    for chosen in choices:
        try:
            games.find(key, **chosen)
        except BadOption as refused:
            yield refused.message


def said(game: AnyGame, seed: int, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Everything that is said in a random game, and of bad texts in it, each with a name for what it is."""
    view, rules, before = game.view, game.rules, None
    yield from (("seat", name) for name in view.seat_names)
    yield from (("entry", text) for text in (game.entry.summary, game.entry.notation))
    yield "options", kit_options.told(game.options)
    for state, step in course(game, seed):
        yield "board", view.text(state, before)
        yield "picture", view.svg(state, before, rules.steps(state) if isinstance(rules.next(state), Choose) else ())
        yield from (("refusal", text) for text in refusals(game, state, texts))
        pending = rules.next(state)
        if isinstance(pending, Over):
            yield "reason", pending.reason
        if step is not None:
            yield from (("story", text) for text in view.tell(state, step))
        before = step


def quiet(kind: str, text: str, notation: Sequence[str]) -> list[str]:
    """The words of four letters or more in what was said that a shouting language leaves in small letters, those of the notation apart."""
    shouted = retold(text, SHOUTING)
    spoken = lettering(shouted) if kind == "picture" else [re.sub('"[^"]*"', "", shouted)]
    return [f"{kind}: {word}" for one in spoken for word in _QUIET.findall(one) if word not in notation]


def check_all_told(game: AnyGame, seed: int, texts: Sequence[str], notation: Sequence[str]) -> None:
    """Nothing that is said in a random game stays in English, the words of the notation apart."""
    told = list(said(game, seed, texts))
    assert {"seat", "entry", "board", "picture", "refusal"} <= {kind for kind, _ in told}
    assert {word for kind, text in told for word in quiet(kind, text, notation)} == set()


def check_german_fits(game: AnyGame, seed: int) -> None:
    """Boards are at most 72 columns wide, what is told has at most 160 characters, and nothing reads as a step."""
    before = None
    for state, step in course(game, seed):
        board = GERMAN.told(game.view.text(state, before))
        told = [GERMAN.told(one) for one in game.view.tell(state, step)] if step is not None else []
        assert [one for one in told if len(one) > 160] == []
        assert [line for line in board.splitlines() if len(line) > 72 or line != line.rstrip()] == []
        assert [line for line in (*board.splitlines(), *told) if reads_as_turn(game.rules, state, line)] == []
        before = step


def german_sheet(key: str) -> str:
    """The rules in German, as they are in their file."""
    sheet = GERMAN.rules(key)
    assert sheet is not None
    return sheet


def sheets(key: str) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """The rules in English and in German."""
    return blocks(games.rules_text(key)), blocks(german_sheet(key))


def check_sheet(game: AnyGame, quoted: str) -> None:
    """The German rules are built and quote steps as the English ones, with the same notation; no line reads as a step or a command."""
    english, german = sheets(game.entry.key)
    assert [(one.kind, one.mark) for one in german] == [(one.kind, one.mark) for one in english]
    assert [one.text for one in german if one.kind == "code"] == [one.text for one in english if one.kind == "code"]
    assert _quoted(german, quoted) == _quoted(english, quoted)
    start, notation = game.rules.start(), GERMAN.told(game.entry.notation).splitlines()
    assert [line for line in (*german_sheet(game.entry.key).splitlines(), *notation) if len(line) > 72] == []
    assert 1 <= len(notation) <= 12
    board = GERMAN.told(game.view.text(start)).splitlines()
    check_mailed(game, start, [*notation, *board, *(line for one in german for line in _mailed(one))])


def check_mailed(game: AnyGame, state: Any, lines: Sequence[str]) -> None:
    """None of these lines of a mail, left in an answer without the mark of a quotation, is taken for a step or a command."""
    assert [line for line in lines if _asks_for_something(game, state, line)] == []


def _asks_for_something(game: AnyGame, state: Any, line: str) -> bool:
    """Return whether a line would do anything, or bring a question back."""
    return bool(understand([line], lambda text: reads_as_turn(game.rules, state, text), games.CATALOGUE).phrases)


def _mailed(block: Block) -> list[str]:
    """The lines of a paragraph in a mail of 72 columns, and as a mail program may join them."""
    if block.kind == "code":
        return [f"| {block.text}"]
    text = f"{block.mark} {block.text}" if block.kind == "item" else block.text
    return [text, *wrap(text, 72, subsequent_indent=" " * (len(block.mark) + 1) if block.kind == "item" else "")]


def _quoted(sheet: Sequence[Block], pattern: str) -> set[str]:
    return {found for one in sheet if one.kind != "code" for found in re.findall(pattern, one.text)}
