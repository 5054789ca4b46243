"""A game as one web page that steps through it: no other file, no network, no limit but the length of the game.

Pictures of neighbouring turns share nearly all of their elements. The page holds each element once and each picture as a list of numbers,
which keeps a game of 300 turns on a large board below a megabyte without knowing anything about the game.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Annotated, Any, get_args, get_type_hints
from xml.etree import ElementTree as ET

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from turnserver import resources
from turnserver.cli.show import Times
from turnserver.envelope import GameId
from turnserver.mail.narrate import Table
from turnserver.play.line import Line
from turnserver.play.state import GameState
from turnserver.rules.options import in_words, listing

TEMPLATE = "page/replay.html.j2"
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True, slots=True)
class Replay:
    """A game to be replayed. `lines` are the game after no turn, after one, ..., `result` is empty while it has none."""

    id: GameId
    state: GameState
    table: Table
    head: str
    result: str
    lines: tuple[Line, ...]
    clock: Times


@dataclass(frozen=True, slots=True)
class Move:
    """A turn in the list beside the board."""

    number: Annotated[int, "the turn's number"]
    seat: Annotated[str, "what the game calls the seat that played it"]
    player: Annotated[str, "who sits there"]
    text: Annotated[str, "the move in canonical notation"]
    when: Annotated[str, "when it arrived, in the site's zone"]


@dataclass(frozen=True, slots=True)
class Album:
    """Pictures that share their elements."""

    parts: Annotated[tuple[str, ...], "every element and view box that occurs in a picture, once"]
    frames: Annotated[tuple[tuple[int, ...], ...], "for each picture the number of its view box and then those of its elements, in `parts`"]


@dataclass(frozen=True, slots=True)
class Page:
    """The variables of the template."""

    title: Annotated[str, "the game and its players"]
    facts: Annotated[tuple[tuple[str, str], ...], "name and value of what there is to know about the game"]
    result: Annotated[str, "how the game ended, as sentences; empty while it has not"]
    retracted: Annotated[bool, "whether turns were taken back, which the page leaves out"]
    moves: Annotated[tuple[Move, ...], "the turns in order"]
    last_picture: Annotated[str, "the board after the last turn as SVG, for browsers that run no scripts"]
    album: Annotated[Album, "the boards before the first turn and after each"]


def page(replay: Replay, progress: Callable[[Sequence[Line]], Iterable[Line]] = iter) -> str:
    """The page as HTML. `progress` goes through the lines while they are drawn."""
    view = replay.state.game.view
    pictures = [view.svg(line.position, line.last_step) for line in progress(replay.lines)]
    seated = [replay.table.at(seat) for seat in replay.state.seats]
    entry = replay.state.game.entry
    described = Page(
        title=f"{entry.title} {replay.id}: {listing(seated, 'and')}",
        facts=tuple(_facts(replay)),
        result=replay.result,
        retracted=replay.state.edition > 0,
        moves=moves(replay),
        last_picture=pictures[-1],
        album=album(pictures),
    )
    return _environment().get_template(TEMPLATE).render({one.name: getattr(described, one.name) for one in fields(Page)})


def moves(replay: Replay) -> tuple[Move, ...]:
    """The turns that stand, oldest first."""
    table = replay.table
    return tuple(
        Move(
            turn.turn,
            replay.state.seat_name(turn.seat),
            table.name(replay.state.player_at(turn.seat)),
            turn.text,
            replay.clock.at(turn.received_at),
        )
        for turn in replay.state.line.turns
    )


def album(pictures: Sequence[str]) -> Album:
    """Take SVG documents apart into elements that they share; in the order of a frame they make the picture again."""
    numbers: dict[str, int] = {}
    frames = tuple(tuple(numbers.setdefault(part, len(numbers)) for part in _parts(picture)) for picture in pictures)
    return Album(tuple(numbers), frames)


def readme() -> str:
    """The text of `templates/page/README.md`: the variables of the page."""
    return "\n".join(_readme_lines()) + "\n"


def _parts(picture: str) -> Iterator[str]:
    root = ET.fromstring(picture.replace(_NAMESPACE, "", 1))  # noqa: S314  # our own games drew it
    yield root.attrib["viewBox"]
    for element in root:
        yield ET.tostring(element, encoding="unicode")


def _facts(replay: Replay) -> Iterator[tuple[str, str]]:
    state, clock = replay.state, replay.clock
    turns = state.line.turns
    yield "Game", f"{state.game.entry.title}, by {state.game.entry.designer}"
    yield "Options", in_words(asdict(state.game.options))
    yield "Pace", f"{state.days_per_move} days a move"
    if turns:
        yield "First turn", clock.full(turns[0].received_at)
        yield "Last turn", clock.full(turns[-1].received_at)
    yield "History", f"{state.version} events, head {replay.head[:16]}"


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(resources.templates_dir())
    return Environment(
        loader=loader, undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )


def _readme_lines() -> Iterator[str]:
    yield "# Pages"
    yield ""
    yield "Made by `python -m turnserver.cli.replay`; the texts below stand in `turnserver/cli/replay.py`."
    yield ""
    yield "A page is one file that needs no other and no network. A name that is not in these lists is an error, and everything is escaped."
    models: tuple[tuple[str, type[Any]], ...] = (
        ("replay.html.j2", Page),
        ("The fields of a Move", Move),
        ("The fields of an Album", Album),
    )
    for heading, model in models:
        yield ""
        yield f"## {heading}"
        yield ""
        hints = get_type_hints(model, include_extras=True)
        for one in fields(model):
            shape, text = get_args(hints[one.name])
            parts = [part.__name__ for part in (shape, *get_args(shape)) if part in (Move, Album)]
            yield f"- `{one.name}`{f' ({parts[0]})' if parts else ''}: {text}"


if __name__ == "__main__":
    (resources.templates_dir() / "page" / "README.md").write_text(readme(), encoding="utf-8")
