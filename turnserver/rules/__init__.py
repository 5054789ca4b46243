"""The rules interface: the parts that a game must offer, and nothing about mail, clocks, accounts or storage.

All text that a game shows to people, errors and pictures included, is made of `turnserver.text`, so that it can be translated.

A position is a value. `Rules.next` returns who is to act, `Rules.steps` their legal steps, and `Rules.apply` the position after one.
Everything generic (perft, replay, playouts, reading a whole turn) is a free function in `turnserver.rules.kit`.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import Field, dataclass
from typing import Any, ClassVar, Generic, NewType, Protocol, TypeAlias, TypeVar, runtime_checkable

from turnserver.rules.place import Place, Touches

Seat = NewType("Seat", int)
"""A place at the table: 1, 2, ... in playing order."""


@dataclass(frozen=True, slots=True)
class Choose:
    """`seat` must pick one of the legal steps. All steps up to the hand-over share one `turn` (1, 2, ...)."""

    seat: Seat
    turn: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance picks one of the steps; `weights` (1 or more, their sum below 2**53) runs parallel to `steps()`.

    `seat` is the seat that the roll is for. A roll stands before the first choice of a turn or after the last one, never between two.
    """

    seat: Seat
    turn: int
    weights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended. Several winners are a team or a shared win, none is a draw. `reason` is a phrase for people.

    `scores` are the final scores in seat order, in games that keep any.
    """

    winners: frozenset[Seat]
    reason: str
    scores: tuple[int, ...] = ()


Next: TypeAlias = Choose | Roll | Over

StateT = TypeVar("StateT")
StepT = TypeVar("StepT")
StateT_contra = TypeVar("StateT_contra", contravariant=True)
StepT_contra = TypeVar("StepT_contra", contravariant=True)


class Rules(Protocol[StateT, StepT]):
    """One game with its options already chosen. States are immutable, hashable and small."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    @property
    def teams(self) -> tuple[frozenset[Seat], ...]:
        """The seats that win and lose together; each seat stands in exactly one team."""

    def start(self) -> StateT:
        """Return the position before the first turn."""

    def next(self, state: StateT) -> Next:
        """Return who must act now, or how the game ended."""

    def steps(self, state: StateT) -> Sequence[StepT]:
        """Return every legal step, once, in the game's canonical order; empty if and only if the game is over."""

    def apply(self, state: StateT, step: StepT) -> StateT:
        """Return the position after `step`. Defined on members of `steps(state)` only."""

    def parse(self, state: StateT, text: str) -> StepT:
        """Read one legal step. Raises Unreadable, Illegal or Ambiguous; never guesses a nearly legal step.

        The messages contain no example of a step, for an example has to be legal here: `turnserver.rules.offers` adds it.

        Unreadable means that the text is no step of this game in any position and with any options. A step that is not legal here is
        Illegal, even with a square that is not on this board, so that the writer is told why.
        """

    def format(self, state: StateT, step: StepT) -> str:
        """Return the canonical notation of a step, which `parse` reads as the same step in the same position."""

    def replay(self, state: StateT, text: str) -> StepT:
        """Read a step that was legal according to the log, without checking. Raises Unreadable if it is no notation at all.

        Histories are folded with this function; `parse` is for people and for audits.
        """


@runtime_checkable
class Leaving(Protocol[StateT]):
    """An optional part of the rules of games for more than two seats: the others play on when somebody gives up."""

    def leave(self, state: StateT, seat: Seat) -> StateT:
        """Return the position after `seat` has left for good. Defined at the beginning of a turn, for a seat that has not left.

        If the turn was that seat's, the next seat has it, under the same number, and it may begin with a roll. Otherwise the same seat
        chooses as before. If the leaving decides the game, the game is over.
        """


@runtime_checkable
class Skipping(Protocol[StateT]):
    """An optional part of the rules of games for more than two seats: the others play on when somebody lets a turn pass."""

    def skip(self, state: StateT) -> StateT:
        """Return the position after the seat to move has let its turn pass without a step. Defined at the beginning of a turn.

        The turn counts as if it had been played: the next seat has the turn with the next number, which may begin with a roll. If that
        decides the game, the game is over.
        """


@runtime_checkable
class SeveralSteps(Protocol[StateT_contra, StepT_contra]):
    """An optional part of the rules of games with several steps a turn. In other games every step that a seat chooses ends its turn."""

    def ends_turn(self, state: StateT_contra, step: StepT_contra) -> bool:
        """Return whether a step that a seat may choose in `state` ends its turn.

        After any other step the same seat chooses again, unless the step ended the game.
        """

    def missing(self, state: StateT_contra) -> str:
        """Return a sentence about the missing steps of the turn. Defined where somebody has to choose, after the first step of a turn."""


class View(Protocol[StateT_contra, StepT_contra]):
    """The look of a position. A view knows no players' names: seats are told apart by `seat_names`."""

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The game's names of its seats, in seat order: `("Red", "Blue")`."""

    def text(self, state: StateT_contra, last: StepT_contra | None = None) -> str:
        """Return a mono-spaced board of at most 72 columns with coordinates and a legend, the `last` step marked.

        No line reads as a step.
        """

    def tell(self, state: StateT_contra, step: StepT_contra) -> Sequence[str]:
        """Return the effects of `step`, chosen or rolled in `state`, as sentences for somebody who was not there.

        The sentences name the seats and are in the order of events. Each has at most 160 characters, and none reads as a step. Empty if the
        notation says it all.
        """

    def svg(self, state: StateT_contra, last: StepT_contra | None = None, targets: Sequence[StepT_contra] = ()) -> str:
        """Return a self-contained SVG picture: coordinates, `last` marked, legal `targets` optionally marked, opaque background."""

    def touches(self, state: StateT_contra, step: StepT_contra) -> Sequence[Touches]:
        """Return every sequence of touches that plays a legal step, at least one, the most natural one first.

        Other names of a place and either order, where order means nothing, are sequences too. A sequence may begin a longer one, and
        several steps may share one: they are then offered by their notation.
        """

    def places(self, state: StateT_contra, touched: Touches = ()) -> Mapping[str, Place]:
        """Return all places that can be touched next, by name, after those that are `touched`; also those that no step goes on with.

        The names of squares are those of the notation. Places that a step goes on with do not overlap, and lie above the others. Where one
        is smaller than `SMALLEST`, its steps have other sequences too, of larger places or of buttons. Empty behind a step that never
        goes on.
        """

    def written(self, state: StateT_contra, touched: Touches) -> str:
        """Return the step that somebody would write who touches these places, legal or not, for `Rules.parse` to refuse it."""


@dataclass(frozen=True)
class Game(Generic[StateT, StepT]):
    """A game with its options chosen: all that the service needs to run it."""

    entry: "Entry"
    options: "Options"
    rules: Rules[StateT, StepT]
    view: View[StateT, StepT]


class Options(Hashable, Protocol):
    """A frozen dataclass per game; its constructor raises BadOption. Fields come from `turnserver.rules.options`."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue."""

    key: str
    title: str
    designer: str
    summary: str
    # the reading of the rules; it goes up when a ruling changes the course of some game
    revision: int
    # players may agree on a draw
    draws: bool
    # any variant rolls or draws by lot
    chance: bool
    # the quick reference for the turn mail: one to twelve lines of at most 72 characters, none of which reads as a step
    notation: str
    options: type[Options]
    build: Callable[[Options], Game[Any, Any]]
    # a turn may take several steps
    several: bool = False
    # where turns take several steps, each step has a square in it or one of these, in small letters; so a misspelt step is told from talk
    step_words: tuple[str, ...] = ()
    # how many may play, by the options that are chosen
    seats: tuple[int, ...] = (2,)
    # seat 1 moves first in every game; if not, chance decides who begins
    seat_begins: bool = True
    # the first turns of a game at the default options, for pictures beside the rules; rolls are the first ones of a board to try
    opening: tuple[str, ...] = ()
    # the older readings that are still served, since a game keeps the one that it was opened under
    earlier: "tuple[Entry, ...]" = ()
    # for players: how an older reading differs from the rules of today
    differs: str = ""
