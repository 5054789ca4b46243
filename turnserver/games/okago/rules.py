"""Okago, by Cunning and Kindness: how the game runs. The numbers of rulings are those of RULES.md beside this file."""

from functools import cache

from turnserver.games.okago.notation import read, refusal, unreadable
from turnserver.games.okago.position import BLUE, PIECES, RED, SEAT_NAMES, Jump, Options, Position, Step, ground
from turnserver.rules import Choose, Next, Over, Seat
from turnserver.rules.square import members
from turnserver.text import say


class OkagoRules:
    """Okago with its options chosen.

    Steps are listed in this order: face-up placements a1, b1, ..., a2, ..., then face-down ones likewise, then jumps by the square they
    start from and the one they land on.
    """

    seats = 2
    teams = (frozenset({RED}), frozenset({BLUE}))

    def __init__(self, options: Options) -> None:
        self.options = options
        self.ground = ground(options.size)
        self._full = self.ground.board.full

    def start(self) -> Position:
        """Return an empty board. In the advanced game the No-Go lies on its centre (ruling 1)."""
        centre = 1 << len(self.ground.board.squares) // 2 if self.options.advanced else 0
        return Position(1, 0, 0, 0, 0, centre, PIECES, PIECES)

    def next(self, state: Position) -> Next:
        """Return whose turn it is, or who won (ruling 4). If the game is over, the seat to move has lost it."""
        if self.ground.fours(state.theirs):
            return _four(_waiting(state.turn))
        return _stuck(_waiting(state.turn)) if self.stuck(state) else _choose(state.turn)

    def stuck(self, state: Position) -> bool:
        """Return whether the seat to move can neither place nor jump (ruling 4)."""
        # A piece in hand can always be placed: as long as one of the 24 is in a hand, the 25 squares or more have at least two without a
        # piece, and the No-Go bars only one of them.
        return not state.my_left and not any(self.ground.jumps(state.my_up, state.their_up, self._full & ~state.taken))

    def steps(self, state: Position) -> tuple[Step, ...]:
        """Return the placements (rulings 1 and 3), then the jumps (ruling 2)."""
        turn, my_up, my_down, their_up, their_down, no_go, my_left, _ = state
        tables = self.ground
        theirs = their_up | their_down
        if tables.fours(theirs):
            return ()
        free = self._full & ~(my_up | my_down | theirs)
        found: list[Step] = []
        if my_left:
            open_squares = list(members(free & ~no_go))
            found += [tables.face_up[square] for square in open_squares]
            # only Blue's first piece may be placed face-down (ruling 1)
            if turn == 2:
                found += [tables.face_down[square] for square in open_squares]
        found += tables.jumps(my_up, their_up, free)
        return tuple(found)

    def apply(self, state: Position, step: Step) -> Position:
        """Place or jump, and hand the turn over. The No-Go goes where a piece was jumped, or is set aside (rulings 2 and 3)."""
        turn, my_up, my_down, their_up, their_down, _, my_left, their_left = state
        if isinstance(step, Jump):
            origin, over, landing = step
            gone = 1 << over
            # a position is seen from the seat to move; whoever has jumped lies face-down for good (ruling 2)
            return Position(turn + 1, their_up ^ gone, their_down, my_up ^ 1 << origin, my_down | 1 << landing, gone, their_left, my_left)
        square, down = step
        if down:
            my_down |= 1 << square
        else:
            my_up |= 1 << square
        # the No-Go barred this turn alone (ruling 3)
        return Position(turn + 1, their_up, their_down, my_up, my_down, 0, their_left, my_left - 1)

    def parse(self, state: Position, text: str) -> Step:
        """Read a step in any case and spacing. Raises Unreadable, or Illegal naming the rule."""
        step = read(self.ground, text)
        illegal = refusal(self.ground, state, step)
        if illegal is not None:
            raise illegal
        return step

    def format(self, state: Position, step: Step) -> str:  # noqa: ARG002  # other games need the position
        """Return `c3`, `c3 down` or `c3xe5`."""
        return self.ground.text(step)

    def replay(self, state: Position, text: str) -> Step:  # noqa: ARG002  # other games need the position
        """Return the step of that notation. Raises Unreadable."""
        try:
            return self.ground.by_text[text]
        except KeyError:
            raise unreadable(text) from None


def _waiting(turn: int) -> Seat:
    return BLUE if turn & 1 else RED


@cache
def _choose(turn: int) -> Choose:
    return Choose(RED if turn & 1 else BLUE, turn)


@cache
def _four(winner: Seat) -> Over:
    return Over(frozenset({winner}), say("{who} has four in a row", who=SEAT_NAMES[winner - 1]))


@cache
def _stuck(winner: Seat) -> Over:
    loser = RED if winner == BLUE else BLUE
    return Over(frozenset({winner}), say("{who} has no piece in hand and no jump", who=SEAT_NAMES[loser - 1]))
