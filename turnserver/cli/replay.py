"""A game as one web page that steps through it: no other file, no network, no limit but the length of the game.

It stops at every moment: after each step of a turn, after what chance decided then, and when somebody leaves the table. Pictures of
neighbouring moments share nearly all of their elements. The page holds each element once and each picture as a list of numbers, which keeps
it small without knowing anything about the game.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from typing import Annotated, assert_never
from xml.etree import ElementTree as ET

from turnserver.cli.show import Times
from turnserver.envelope import GameId
from turnserver.mail.narrate import Table, story
from turnserver.play.events import GameStarted, Rolled, SeatLeft, TurnPlayed, TurnSkipped
from turnserver.play.state import GameState
from turnserver.rules import Leaving, Skipping
from turnserver.rules.kit import replay_turn
from turnserver.rules.options import in_words
from turnserver.web import pages
from turnserver.words import listing

TEMPLATE = "page/replay.html.j2"
_BEFORE = "Before the first turn"
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True, slots=True)
class Replay:
    """A game to be replayed. `result` is empty while it has none."""

    id: GameId
    state: GameState
    table: Table
    head: str
    result: str
    clock: Times


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of a game: the board, and in words how it came about. `turn` is the turn that it belongs to, 0 before the first."""

    turn: int
    now: str
    told: tuple[str, ...]
    picture: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Moment:
    """A stop of the page."""

    name: Annotated[str, "how addresses name it: `7` is the end of turn 7, `7.2` the second stop within it"]
    turn: Annotated[int, "the number of its turn; 0 before the first"]
    now: Annotated[str, "what has just happened, in notation"]
    told: Annotated[tuple[str, ...], "what came of it, as sentences"]


@dataclass(frozen=True, slots=True)
class Move:
    """A turn in the list beside the board."""

    number: Annotated[int, "the turn's number"]
    seat: Annotated[str, "what the game calls the seat that played it"]
    player: Annotated[str, "who played it"]
    text: Annotated[str, "the move in canonical notation"]
    rolls: Annotated[tuple[str, ...], "what chance decided after it, in canonical notation"]
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
    several: Annotated[bool, "whether turns take several steps, so that a line of the list needs room"]
    moments: Annotated[tuple[Moment, ...], "the stops: one before the first turn and one for each picture after it"]
    last_picture: Annotated[str, "the board of the last moment as SVG, for browsers that run no scripts"]
    album: Annotated[Album, "the boards of all moments"]


def page(replay: Replay, progress: Callable[[Sequence[Scene]], Iterable[Scene]] = iter) -> str:
    """The page as HTML. `progress` goes through the moments while they are drawn."""
    shown = tuple(scenes(replay))
    pictures = [scene.picture() for scene in progress(shown)]
    seated = [replay.table.at(seat) for seat in replay.state.seats]
    entry = replay.state.game.entry
    described = Page(
        title=f"{entry.title} {replay.id}: {listing(seated, 'and')}",
        facts=tuple(_facts(replay)),
        result=replay.result,
        retracted=replay.state.edition > 0,
        moves=moves(replay),
        several=entry.several,
        moments=tuple(moments(shown)),
        last_picture=pictures[-1],
        album=album(pictures),
    )
    return pages.render(TEMPLATE, described)


def scenes(replay: Replay) -> Iterator[Scene]:
    """Every moment, oldest first: the start with what chance decided there, each step, the rolls after it, and who left."""
    state, game = replay.state, replay.state.game
    rules, entries = game.rules, state.line.entries
    position, last_step, turn = rules.start(), None, 0

    def scene(now: str, told: tuple[str, ...] = ()) -> Scene:
        return Scene(turn, now, told, partial(game.view.svg, position, last_step))

    def chance(rolls: Sequence[Rolled]) -> tuple[str, ...]:
        nonlocal position
        outcomes = [roll.outcome for roll in rolls]
        told = story(game, position, outcomes)
        position, _ = replay_turn(rules, position, outcomes)
        return told

    opening = entries[0].rolls if entries and isinstance(entries[0], GameStarted) else ()
    yield scene(_BEFORE, chance(opening))
    for entry in entries:
        match entry:
            case GameStarted():
                continue
            case TurnPlayed():
                turn, mover, many = entry.turn, state.seat_name(entry.seat), len(entry.steps)
                for number, text in enumerate(entry.steps, start=1):
                    told = story(game, position, [text])
                    position, last_step = replay_turn(rules, position, [text])
                    which = f", step {number} of {many}" if many > 1 else ""
                    who = f"the house for {mover}:" if entry.by_house else mover
                    yield scene(f"Turn {turn} of {state.line.length}{which}: {who} {text}", told)
            case TurnSkipped():
                assert isinstance(rules, Skipping)  # noqa: S101  # of other games the log has no such event
                turn, position = entry.turn, rules.skip(position)
                yield scene(f"Turn {turn} of {state.line.length}: {state.seat_name(entry.seat)} ran out of time, and the turn was skipped")
            case SeatLeft():
                assert isinstance(rules, Leaving)  # noqa: S101  # of other games the log has no such event
                position = rules.leave(position, entry.seat)
                yield scene(f"{f'After turn {turn}' if turn else _BEFORE}: {replay.table.at(entry.seat)} has left")
            case _:
                assert_never(entry)
        if entry.rolls:
            given = listing([roll.outcome for roll in entry.rolls], "and")
            told = chance(entry.rolls)
            yield scene(f"{f'After turn {turn}' if turn else _BEFORE}: chance gives {given}", told)


def moments(shown: Sequence[Scene]) -> Iterator[Moment]:
    """The stops with their names."""
    for turn, group in groupby(shown, key=lambda scene: scene.turn):
        stops = list(group)
        for number, scene in enumerate(stops, start=1):
            yield Moment(str(turn) if number == len(stops) else f"{turn}.{number}", turn, scene.now, scene.told)


def moves(replay: Replay) -> tuple[Move, ...]:
    """The turns that stand, oldest first."""
    table = replay.table
    return tuple(
        Move(
            turn.turn,
            replay.state.seat_name(turn.seat),
            table.name(replay.state.player_of(turn.seat, turn.turn)),
            turn.text,
            tuple(roll.outcome for roll in turn.rolls),
            replay.clock.at(turn.received_at),
        )
        for turn in replay.state.line.turns
    )


def album(pictures: Sequence[str]) -> Album:
    """Take SVG documents apart into elements that they share; in the order of a frame they make the picture again."""
    numbers: dict[str, int] = {}
    frames = tuple(tuple(numbers.setdefault(part, len(numbers)) for part in _parts(picture)) for picture in pictures)
    return Album(tuple(numbers), frames)


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
    yield "Time", state.terms.time
    for each in state.takeovers:
        yield state.seat_name(each.seat), f"{replay.table.name(each.former)}, from turn {each.turn} {replay.table.name(each.player)}"
    if turns:
        yield "First turn", clock.full(turns[0].received_at)
        yield "Last turn", clock.full(turns[-1].received_at)
    yield "History", f"{state.version} events, head {replay.head[:16]}"
