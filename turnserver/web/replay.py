"""A game as one web page that steps through it: no other file, no network, no limit but the length of the game.

It stops at every moment: after each step of a turn, after what chance decided then, and when somebody leaves the table. Pictures of
neighbouring moments share nearly all of their elements. The page holds each element once and each picture as a list of numbers, which keeps
it small without knowing anything about the game.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Annotated, Any, NamedTuple

from turnserver.mail.outbound.language import ENGLISH, language
from turnserver.mail.outbound.telling.events import story
from turnserver.records.check import Proof
from turnserver.records.record import By, Comment, Item, Record, Resigned, Rolled, Seated, Skipped, TimedOut, Turn
from turnserver.rules import Game, Leaving, Skipping
from turnserver.rules.kit import replay_turn
from turnserver.text import listing, say
from turnserver.web import pages

TEMPLATE = "page/replay.html.j2"
_BEFORE = say("Before the first turn")
_TAG = re.compile(r"<(/?)[^>]*>")
_VIEW_BOX = re.compile(r' viewBox="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Replay:
    """A game to be replayed: its record, whose steps are trusted, and what stands beside the board.

    `result` is empty while it has none, `back` if there is no page of the game. `whens` says of a turn when it arrived, where that is
    known. `proof` is None if no roll can be checked (yet).
    """

    title: str
    game: Game[Any, Any]
    record: Record
    result: str
    facts: tuple[tuple[str, str], ...]
    whens: Mapping[int, str]
    retracted: bool = False
    proof: Proof | None = None
    back: str = ""

    @property
    def turns(self) -> int:
        """Return the number of turns."""
        return sum(isinstance(item, Turn | Skipped) for item in self.record.course)


@dataclass(frozen=True, slots=True)
class ReplayScene:
    """One moment of a game: the board, and in words how it came about. `turn` is the turn that it belongs to, 0 before the first.

    `at` is the position, and `last` the step that led to it, if any.
    """

    turn: int
    now: str
    told: tuple[str, ...]
    at: Any
    last: Any
    picture: Callable[[], str]


class Part(NamedTuple):
    """The turns from `first` to `last` of a game, with the position before them and the step that led there. Turn 0 is all before 1."""

    first: int
    last: int
    at: Any
    step: Any


@dataclass(frozen=True, slots=True)
class ReplayStop:
    """A moment that the page can show."""

    name: Annotated[str, "how addresses name it: `7` is the end of turn 7, `7.2` the second stop within it"]
    turn: Annotated[int, "the number of its turn; 0 before the first"]
    now: Annotated[str, "what has just happened, in notation"]
    told: Annotated[tuple[str, ...], "what came of it, as sentences"]


@dataclass(frozen=True, slots=True)
class ReplayMove:
    """A turn in the list beside the board."""

    number: Annotated[int, "the turn's number"]
    seat: Annotated[str, "what the game calls the seat that played it"]
    player: Annotated[str, "who played it"]
    text: Annotated[str, "the move in canonical notation, or that it was skipped"]
    rolls: Annotated[tuple[str, ...], "what chance decided after it, in canonical notation"]
    when: Annotated[str, "when it arrived, in the site's zone; empty if that is not known"]


@dataclass(frozen=True, slots=True)
class Album:
    """Pictures that share their elements."""

    parts: Annotated[tuple[str, ...], "every element and view box that occurs in a picture, once"]
    frames: Annotated[tuple[tuple[int, ...], ...], "for each picture the number of its view box and then those of its elements, in `parts`"]


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """The variables of the template."""

    title: Annotated[str, "the game and its players"]
    facts: Annotated[tuple[tuple[str, str], ...], "name and value of what there is to know about the game"]
    result: Annotated[str, "how the game ended, as sentences; empty while it has not"]
    retracted: Annotated[bool, "whether turns were taken back, which the page leaves out"]
    moves: Annotated[tuple[ReplayMove, ...], "the turns in order"]
    several: Annotated[bool, "whether turns take several steps, so that a line of the list needs room"]
    moments: Annotated[tuple[ReplayStop, ...], "the stops: one before the first turn and one for each picture after it"]
    last_picture: Annotated[str, "the board of the last moment as SVG, for browsers that run no scripts"]
    album: Annotated[Album, "the boards of all moments"]
    proof: Annotated[Proof | None, "what the rolls of a finished game came from; none if there is nothing to check"]
    back: Annotated[str, "the address of the page of the game; empty if there is none"]


def page(replay: Replay, progress: Callable[[Sequence[ReplayScene]], Iterable[ReplayScene]] = iter, language_key: str = ENGLISH) -> str:
    """Return the page as HTML, in a language. `progress` goes through the moments while they are drawn."""
    shown, spoken = scenes(replay), language(language_key)
    pictures = [spoken.told(scene.picture()) for scene in progress(shown)]
    described = ReplayPage(
        title=replay.title,
        facts=replay.facts,
        result=replay.result,
        retracted=replay.retracted,
        moves=tuple(moves(replay)),
        several=replay.game.entry.several,
        moments=tuple(moments(shown)),
        last_picture=pictures[-1],
        album=album(pictures),
        proof=replay.proof,
        back=replay.back,
    )
    return pages.render(TEMPLATE, spoken.told(described), spoken.key)


def scenes(replay: Replay, part: Part | None = None) -> list[ReplayScene]:
    """Return every moment, oldest first: the start with what chance decided there, each step, the rolls after it, and who left.

    A moment is told together with the comments on it. With `part`, only the moments of some turns are made.
    """
    made: list[ReplayScene] = []
    for scene in _Show(replay, part).scenes():
        if isinstance(scene, Comment):
            # There is a scene before any comment: the first one is made of no item.
            made[-1] = replace(made[-1], told=(*made[-1].told, scene.text))
        else:
            made.append(scene)
    return made


class _Show:
    """Goes through a record; the position is that after what was shown last."""

    def __init__(self, replay: Replay, part: Part | None) -> None:
        self._replay, self._game = replay, replay.game
        self._last: Any
        self._position, self._last, self._turn = (part.at, part.step, part.first) if part else (replay.game.rules.start(), None, 0)
        self._players = list(replay.record.players)
        self._from_start = part is None or part.first == 0
        self._course: list[Item] = []
        turn = 0
        for item in replay.record.course:
            turn = item.turn if isinstance(item, Turn | Skipped) else turn
            if part is None or part.first <= turn <= part.last:
                self._course.append(item)
            elif isinstance(item, Seated) and turn < part.first:
                self._players[item.seat - 1] = item.name

    def scenes(self) -> Iterator[ReplayScene | Comment]:
        """Yield the scenes, and each comment behind the scene that it belongs to."""
        # Rolls that follow each other make one scene.
        course = [list(items) for _, items in groupby(self._course, key=lambda item: isinstance(item, Rolled))]
        # If chance begins, the first picture is the one after it.
        if self._from_start and course and isinstance(course[0][0], Rolled):
            told = self._chance(course.pop(0))
            yield self._scene(_BEFORE, told)
        elif self._from_start:
            yield self._scene(_BEFORE)
        for group in course:
            if isinstance(group[0], Rolled):
                given = listing([item.outcome for item in group if isinstance(item, Rolled)], "and")
                told = self._chance(group)
                yield self._scene(say("{when}: chance gives {outcomes}", when=self._after, outcomes=given), told)
                continue
            for item in group:
                yield from self._item(item)

    def _item(self, item: Item) -> Iterator[ReplayScene | Comment]:
        game, rules = self._game, self._game.rules
        match item:
            case Turn():
                self._turn, many = item.turn, len(item.steps)
                for number, text in enumerate(item.steps, start=1):
                    # Before the position moves on: a step is told from where it begins.
                    told = story(game, self._position, [text])
                    self._position, self._last = replay_turn(rules, self._position, [text])
                    yield self._scene(self._step(item, number, many, text), told)
            case Skipped():
                assert isinstance(rules, Skipping)  # noqa: S101  # no record of another game has such an item
                self._turn, self._position = item.turn, rules.skip(self._position)
                mover = game.view.seat_names[item.seat - 1]
                yield self._scene(
                    say(
                        "Turn {turn} of {turns}: {player} ran out of time, and the turn was skipped",
                        turn=item.turn,
                        turns=self._replay.turns,
                        player=mover,
                    )
                )
            case Resigned() | TimedOut() if isinstance(rules, Leaving):
                self._position = rules.leave(self._position, item.seat)
                name, seat = self._players[item.seat - 1], game.view.seat_names[item.seat - 1]
                yield self._scene(say("{when}: {player} ({seat}) has left", when=self._after, player=name, seat=seat))
            case Seated():
                self._players[item.seat - 1] = item.name
            case Comment():
                yield item

    @property
    def _after(self) -> str:
        return say("After turn {turn}", turn=self._turn) if self._turn else _BEFORE

    def _step(self, item: Turn, number: int, many: int, text: str) -> str:
        mover: str = self._game.view.seat_names[item.seat - 1]
        who = say("the house for {player}:", player=mover) if item.by is By.HOUSE else mover
        turns = self._replay.turns
        if many == 1:
            return say("Turn {turn} of {turns}: {player} {move}", turn=item.turn, turns=turns, player=who, move=text)
        return say(
            "Turn {turn} of {turns}, step {step} of {steps}: {player} {move}",
            turn=item.turn,
            turns=turns,
            step=number,
            steps=many,
            player=who,
            move=text,
        )

    def _scene(self, now: str, told: tuple[str, ...] = ()) -> ReplayScene:
        picture = partial(self._game.view.svg, self._position, self._last)
        return ReplayScene(self._turn, now, told, self._position, self._last, picture)

    def _chance(self, rolls: Sequence[Item]) -> tuple[str, ...]:
        outcomes = [item.outcome for item in rolls if isinstance(item, Rolled)]
        told = story(self._game, self._position, outcomes)
        self._position, _ = replay_turn(self._game.rules, self._position, outcomes)
        return told


def moments(shown: Sequence[ReplayScene]) -> Iterator[ReplayStop]:
    """Yield the stops with their names."""
    for turn, group in groupby(shown, key=lambda scene: scene.turn):
        stops = list(group)
        for number, scene in enumerate(stops, start=1):
            yield ReplayStop(str(turn) if number == len(stops) else f"{turn}.{number}", turn, scene.now, scene.told)


def moves(replay: Replay) -> Iterator[ReplayMove]:
    """Yield the turns that stand, oldest first."""
    players, names = list(replay.record.players), replay.game.view.seat_names
    course = replay.record.course
    for index, item in enumerate(course):
        if isinstance(item, Seated):
            players[item.seat - 1] = item.name
        if isinstance(item, Turn | Skipped):
            text = "; ".join(item.steps) if isinstance(item, Turn) else say("(skipped)")
            when = replay.whens.get(item.turn, "")
            yield ReplayMove(item.turn, names[item.seat - 1], players[item.seat - 1], text, tuple(_rolls_after(course, index)), when)


def _rolls_after(course: Sequence[Item], index: int) -> Iterator[str]:
    # A player who left before the next turn may have caused some of the draws.
    for item in course[index + 1 :]:
        if isinstance(item, Turn | Skipped | Resigned | TimedOut):
            return
        if isinstance(item, Rolled):
            yield item.outcome


def album(pictures: Sequence[str]) -> Album:
    """Take SVG documents apart into elements that they share; in the order of a frame they make the picture again. No picture has none."""
    # In the order of their first use, so that a part's number is its place among the keys.
    numbers: dict[str, int] = {}
    frames = tuple(tuple(numbers.setdefault(part, len(numbers)) for part in _parts(picture)) for picture in pictures)
    return Album(tuple(numbers), frames)


def _parts(picture: str) -> Iterator[str]:
    """Yield the view box and then the outermost elements of a picture."""
    if not picture:
        return
    # Tiles have view boxes too, below that of the picture.
    yield _VIEW_BOX.findall(picture, 0, picture.index(">"))[0]
    # A parser would take ten times as long, and make the same text anew. No attribute of ours has a plain `>`.
    depth = begins = 0
    for tag in _TAG.finditer(picture):
        if depth == 1 and not tag[1]:
            begins = tag.start()
        is_whole = picture.endswith("/>", begins, tag.end())
        depth += -1 if tag[1] else 0 if is_whole else 1
        if depth == 1 and (tag[1] or is_whole):
            yield picture[begins : tag.end()]
