"""A board to play on by touch: from the steps and touches that an address names to what they come to, and to what can be touched next.

The whole state of a turn that is being put together is in the address. So it works without scripts, the browser's way back takes the last
touch back, and nothing is kept on our side before the turn is played.
"""

from bisect import bisect
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from typing import Annotated, Any, Final, Literal, NamedTuple
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

from turnserver.errors import StepError
from turnserver.play.line import Line
from turnserver.rules import Choose, Game, Next, Roll, Rules
from turnserver.rules.place import Place, Touches
from turnserver.rules.svg import number
from turnserver.rules.touch import Reach, reach, why_not

MOST_LISTED: Final = 300
"""The most steps that are listed beside the board. Where there are more, touching the piece first makes the list shorter."""

MOST_STEPS: Final = 40
MOST_TOUCHES: Final = 12
LONGEST: Final = 80
"""No turn has as many steps, no step as many touches, and nothing that is written in either is as long."""


class Sofar(NamedTuple):
    """The steps chosen so far: steps in notation, and the touches of the step that is being said.

    The steps are those of one turn, or go on with the turns after it if somebody thinks `ahead`: for conditional moves, or where the whole
    game is tried. `kept` is what else each address of the page says.
    """

    steps: tuple[str, ...] = ()
    touched: Touches = ()
    ahead: bool = False
    kept: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, query: Sequence[tuple[str, str]], most_steps: int = MOST_STEPS) -> "Sofar":
        """Read an address that `query` has written; whatever else it says is left out."""
        fields = [(name, value) for name, value in query if value and len(value) <= LONGEST]
        steps = [value for name, value in fields if name == "s"]
        touched = [value for name, value in fields if name == "t"]
        return cls(tuple(steps[:most_steps]), tuple(touched[:MOST_TOUCHES]), any(name == "plan" for name, _ in fields))

    @property
    def query(self) -> str:
        """Return what an address says of this, from the question mark on."""
        ahead = [("plan", "1")] if self.ahead and not self.kept else []
        return "?" + urlencode([*self.kept, *ahead, *(("s", step) for step in self.steps), *(("t", name) for name in self.touched)])

    @property
    def back(self) -> "Sofar":
        """Return the same without the last touch, or without the last step."""
        return self._replace(touched=self.touched[:-1]) if self.touched else self._replace(steps=self.steps[:-1])


class Position(NamedTuple):
    """A position, and the step that led to it, if any."""

    at: Any
    last: Any = None


def mark_of(line: Line) -> str:
    """Return what stands for a line of turns in the address of its board: another text for another line.

    The version of the game would do as well, but from that a player could tell that the opponent has laid conditional moves.
    """
    return sha256(f"{line.length} {line.entry}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a game, and the size of the board in its units. More may stand beneath the board."""

    svg: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A place to touch."""

    name: Annotated[str, "its name in addresses"]
    words: Annotated[str, "the place and what is there"]
    points: Annotated[str, "the corners of its outline in the picture; empty for a button beside the board"]
    x: Annotated[str, "where a sign says that it can be touched, from the left"]
    y: Annotated[str, "the same from above"]
    query: Annotated[str, "the address of the page after the touch, from the question mark on"]
    state: Annotated[Literal["next", "touched", "other"], "`next` if a step goes on there, `touched`, or `other`"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A step that can be chosen."""

    text: Annotated[str, "the step in notation"]
    query: Annotated[str, "the address of the page with this step, from the question mark on"]


@dataclass(frozen=True, slots=True)
class TouchBoard:
    """The board of somebody who has to choose, and what they have chosen so far."""

    query: Annotated[str, "what the address says of the turn so far, from the question mark on"]
    back: Annotated[str, "the address that takes the last touch or step back; empty if there is none"]
    steps: Annotated[tuple[str, ...], "the steps so far, in notation"]
    turns: Annotated[tuple[str, ...], "the whole turns that these make, in notation"]
    spots: Annotated[tuple[Spot, ...], "the places in the picture, those that a step goes on with last"]
    buttons: Annotated[tuple[Spot, ...], "the places beside it"]
    offers: Annotated[tuple[Offer, ...], "the steps that the touches so far say"]
    listed: Annotated[tuple[Offer, ...], "the steps that are possible from here on, unless there are too many"]
    refusal: Annotated[str, "why the last touch leads nowhere; empty if it does not"]


class Dice(NamedTuple):
    """Dice of a board that somebody tries. They follow from a number in the address, so the way back shows the same rolls."""

    seed: str

    def fall(self, roll: Roll, before: Sequence[str], number: int) -> int:
        """Return the index of the step that a roll comes to, which is the `number`-th of all and stands after the steps `before`."""
        drawn = int.from_bytes(sha256("; ".join([self.seed, *before, str(number)]).encode()).digest())
        return bisect(list(accumulate(roll.weights)), drawn % sum(roll.weights))


def put_together(game: Game[Any, Any], start: Position, sofar: Sofar, dice: Dice | None = None) -> tuple[TouchBoard, Position]:
    """Return what is chosen so far from `start` on, and the position after its steps.

    Choosing ends with the turn; whoever thinks ahead goes on with the turns after it, until there is a roll or the game is over. With
    `dice`, rolls fall by themselves. Steps and touches that lead nowhere are left out, and `refusal` says why.
    """
    walk = _Walk(game, start, sofar, dice)
    refusal = ""
    for text in sofar.steps:
        if walk.is_over:
            break
        try:
            walk.go(game.rules.parse(walk.position.at, text))
        except StepError as refused:
            refusal = refused.message
            break
    # Touches belong to the step after all of these, so without one of them they mean nothing.
    touched = sofar.touched if walk.texts == [*sofar.steps] else ()
    return _touched(walk, touched, refusal), walk.position


class _Walk:
    """Goes from a position on by steps, and knows which turns these make."""

    def __init__(self, game: Game[Any, Any], start: Position, sofar: Sofar, dice: Dice | None) -> None:
        self.game = game
        self.position = start
        self.texts: list[str] = []
        self.turns: list[str] = []
        self._dice = dice
        self._rolls = 0
        self._begin = self._rolled()
        self._of_turn: list[str] = []
        self._sofar = sofar

    @property
    def is_over(self) -> bool:
        """Return whether there is nothing more to choose."""
        return not isinstance(self._begin, Choose) or (bool(self.turns) and not self._sofar.ahead)

    def sofar(self, touched: Touches) -> Sofar:
        """Return what is chosen so far, with the touches of the next step."""
        return self._sofar._replace(steps=tuple(self.texts), touched=touched)

    def go(self, step: object) -> None:
        """Take a step."""
        rules = self.game.rules
        text = rules.format(self.position.at, step)
        self.texts.append(text)
        self._of_turn.append(text)
        self.position = Position(rules.apply(self.position.at, step), step)
        after = self._rolled()
        # A choice names its seat and its turn, and all steps of a turn share one: another choice means another turn.
        if after != self._begin:
            self.turns.append("; ".join(self._of_turn))
            self._of_turn, self._begin = [], after

    def _rolled(self) -> Next:
        """Let the dice fall if there are any, and return who must act then."""
        rules = self.game.rules
        while isinstance(here := rules.next(self.position.at), Roll) and self._dice is not None:
            falls = rules.steps(self.position.at)[self._dice.fall(here, self.texts, self._rolls)]
            self._rolls += 1
            self.position = Position(rules.apply(self.position.at, falls), self.position.last)
        return here


def _touched(walk: _Walk, touched: Touches, refusal: str) -> TouchBoard:
    rules, view = walk.game.rules, walk.game.view
    if walk.is_over:
        return _board(walk, (), refusal)
    at = walk.position.at
    found = reach(rules, view, at, touched)
    if touched and not found.steps and not found.follow:
        # Whoever touches another piece of theirs has changed their mind.
        changed = reach(rules, view, at, touched[-1:])
        if not changed.steps and not changed.follow:
            return _touched(walk, touched[:-1], why_not(rules, view, at, touched))
        touched, found = touched[-1:], changed
    if len(found.steps) == 1 and not found.follow:
        walk.go(found.steps[0])
        return _touched(walk, (), refusal)
    return _open_board(walk, touched, found, refusal)


def _board(walk: _Walk, touched: Touches, refusal: str, **parts: Any) -> TouchBoard:  # noqa: ANN401  # fields
    sofar = walk.sofar(touched)
    back = sofar.back.query if sofar.steps or sofar.touched else ""
    nothing: dict[str, Any] = {"spots": (), "buttons": (), "offers": (), "listed": ()}
    return TouchBoard(query=sofar.query, back=back, steps=sofar.steps, turns=tuple(walk.turns), refusal=refusal, **nothing | parts)


def _open_board(walk: _Walk, touched: Touches, found: Reach[Any], refusal: str) -> TouchBoard:
    game, at, sofar = walk.game, walk.position.at, walk.sofar(touched)
    view = game.view
    # A board has hundreds of addresses, which all begin with what was chosen before.
    touches, chosen = sofar.query, walk.sofar(()).query
    spots = [_spot(sofar, _more(touches, "t", name), name, place, found.follow) for name, place in view.places(at, touched).items()]
    # What is drawn later lies above what it overlaps, and is what gets the touch.
    drawn = sorted((spot for spot in spots if spot.points), key=lambda spot: spot.state == "next")
    steps = [step for step in game.rules.steps(at) if any(one[: len(touched)] == touched for one in view.touches(at, step))]
    return _board(
        walk,
        touched,
        refusal,
        spots=tuple(drawn),
        buttons=tuple(spot for spot in spots if not spot.points and spot.state == "next"),
        offers=tuple(_offer(game.rules, at, chosen, step) for step in found.steps),
        listed=tuple(_offer(game.rules, at, chosen, step) for step in steps) if len(steps) <= MOST_LISTED else (),
    )


def _more(query: str, name: str, value: str) -> str:
    """Return what an address says with one thing more."""
    return f"{query}{'&' if len(query) > 1 else ''}{urlencode([(name, value)])}"


def _offer(rules: Rules[Any, Any], at: object, chosen: str, step: object) -> Offer:
    text = rules.format(at, step)
    return Offer(text, _more(chosen, "s", text))


def _spot(sofar: Sofar, query: str, name: str, place: Place, follow: Sequence[str]) -> Spot:
    state: Literal["next", "touched", "other"] = "next" if name in follow else "touched" if name in sofar.touched else "other"
    if not place.outline:
        return Spot(name, place.words, "", "", "", query, state)
    x, y = place.sign or place.centre
    points = " ".join(f"{number(across)},{number(down)}" for across, down in place.outline)
    return Spot(name, place.words, points, number(x), number(y), query, state)


@lru_cache(maxsize=500)
def picture(game: Game[Any, Any], at: Hashable, last: Hashable) -> Picture:
    """Return the picture of a position, with its last step marked. Pictures that were drawn lately are kept."""
    drawn = game.view.svg(at, last)
    # Only the first tag is parsed: it has the size, and parsing a whole picture takes time.
    head = ET.fromstring(drawn[: drawn.index(">")] + "/>")  # noqa: S314  # drawn by us
    return Picture(drawn, float(head.attrib["width"]), float(head.attrib["data-board"]))
