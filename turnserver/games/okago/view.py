"""How a position of Okago looks, as text and as a picture."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

from turnserver.games.okago import picture
from turnserver.games.okago.ground import ground
from turnserver.games.okago.position import SEAT_NAMES, Jump, Options, Position, Step
from turnserver.rules.square import Square, members
from turnserver.text import Tongue, Words, joined, retold, say

_COLUMNS = 72


class OkagoView:
    """Okago's boards for one choice of options."""

    seat_names = SEAT_NAMES

    def __init__(self, options: Options) -> None:
        """Prepare the board."""
        self._ground = ground(options.size)
        self._options = options

    def text(self, state: Position, last: Step | None = None) -> str:
        """The board from the top rank down; then a legend, the hands, the row of four if there is one, and who may jump what."""
        board = self._ground.board
        files = "     " + "  ".join(name[0] for name in board.names[: board.width])
        lines: list[str] = [files]
        for rank in range(board.height, 0, -1):
            first = (rank - 1) * board.width
            cells = "".join(self._cell(state, square, last) for square in board.squares[first : first + board.width])
            lines.append(f" {rank}  {cells}  {rank}")
        lines += [files, "", *_legend(state, last), ""]
        red, blue = state.left
        lines.append(say("In hand: Red {red}, Blue {blue}", red=red, blue=blue))
        row = self._ground.fours(state.theirs)
        if row:
            winner = SEAT_NAMES[state.turn & 1]
            lines.append(_Listed(say("{who} has four in a row:", who=winner), tuple(board.names[square] for square in members(row))))
        else:
            lines += self._jumps(state)
        return joined("\n", [*lines, ""])

    def tell(self, state: Position, step: Step) -> tuple[str, ...]:
        """What a jump does to the three squares, and that a hand is empty now."""
        mover, other = SEAT_NAMES if state.turn & 1 else SEAT_NAMES[::-1]
        if not isinstance(step, Jump):
            return (say("That was {who}'s last piece in hand.", who=mover),) if state.my_left == 1 else ()
        origin, over, landing = (self._ground.board.names[square] for square in step)
        jumped = say(
            "{who} jumps over {over}: {other}'s piece there leaves the game, and the one from {origin} stays face-down on {landing}.",
            who=mover,
            over=over,
            other=other,
            origin=origin,
            landing=landing,
        )
        if self._ground.fours(state.mine ^ 1 << step.origin | 1 << step.landing):
            return (jumped,)
        return jumped, say("The No-Go lies on {over} now, where {other} may not place a piece in the next turn.", over=over, other=other)

    def svg(self, state: Position, last: Step | None = None, targets: Sequence[Step] = ()) -> str:
        """Red squircles and blue discs, face-up with a hole, face-down solid; the No-Go is a cross, jumps are arrows. Targets are dots."""
        return picture.draw(self._options, state, last, targets)

    def _cell(self, state: Position, square: Square, last: Step | None) -> str:
        sign = _sign(state, square)
        if isinstance(last, Jump) and square == last.origin:
            return f"({sign})"
        return f"[{sign}]" if last is not None and square == last.to else f" {sign} "

    def _jumps(self, state: Position) -> list[str]:
        """What the seat to move may jump, and what the other one could if it were its turn."""
        free = self._ground.board.full & ~state.taken
        lines: list[str] = []
        for seat, name in enumerate(SEAT_NAMES):
            jumps = tuple(self._ground.text(jump) for jump in self._ground.jumps(state.up[seat], state.up[1 - seat], free))
            to_move = seat != state.turn & 1
            if jumps:
                lines.append(_Listed(say("{who} may jump:", who=name) if to_move else say("{who} threatens:", who=name), jumps))
            else:
                lines.append(say("{who} may jump: nothing", who=name) if to_move else say("{who} threatens: nothing", who=name))
        return lines


def _sign(state: Position, square: Square) -> str:
    for signs, pieces in (("RB", state.up), ("rb", state.down)):
        for sign, of_seat in zip(signs, pieces, strict=True):
            if of_seat >> square & 1:
                return sign
    return "X" if state.no_go >> square & 1 else "."


def _legend(state: Position, last: Step | None) -> list[str]:
    lines: list[str] = [say("R, B  face-up: can jump, and can be jumped"), say("r, b  face-down: cannot jump, and cannot be jumped")]
    if state.no_go and state.turn == 1:
        lines.append(say("X     the No-Go: the centre is barred to Red's first piece"))
    elif state.no_go:
        lines.append(say("X     the No-Go: no placement there in this turn, but a jump may land"))
    if isinstance(last, Jump):
        lines.append(say("[ ]   the last move, a jump from ( )"))
    elif last is not None:
        lines.append(say("[ ]   the last move"))
    return lines


class _Listed(Words):
    """Names behind a heading, on lines that a mail has room for in each language."""

    __slots__ = ("heading", "names")

    heading: str
    names: tuple[str, ...]

    def __new__(cls, heading: str, names: tuple[str, ...]) -> Self:
        made = super().__new__(cls, _lines(heading, say("and"), names))
        made.heading, made.names = heading, names
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _Listed, (self.heading, self.names)

    def retold(self, tongue: Tongue) -> str:
        """See `Words.retold`."""
        return _lines(retold(self.heading, tongue), retold(say("and"), tongue), self.names)


def _lines(heading: str, joint: str, names: Iterable[str]) -> str:
    """Each line begins with words, or a name alone on it would read as a step."""
    lines = [heading]
    for name in names:
        if len(lines[-1]) + len(name) >= _COLUMNS:
            lines.append(f"{joint:>{len(heading)}}")
        lines[-1] += f" {name}"
    return "\n".join(lines)
