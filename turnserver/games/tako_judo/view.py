"""How a position of Tako Judo looks, as text and as a picture."""

from collections.abc import Sequence
from typing import assert_never

from turnserver.games.tako_judo import picture
from turnserver.games.tako_judo.field import Move, field
from turnserver.games.tako_judo.notation import written
from turnserver.games.tako_judo.position import Options, Position, twiddle
from turnserver.games.tako_judo.rules import TakoJudoRules
from turnserver.games.tako_judo.sight import CAUSES, Cause, hidden
from turnserver.rules.square import Square
from turnserver.text import joined, say


class TakoJudoView:
    """Tako Judo's boards for one choice of options."""

    def __init__(self, options: Options, rules: TakoJudoRules) -> None:
        """Prepare the board."""
        self.seat_names = options.seat_names
        self._options = options
        self._rules = rules
        self._field = field(options.size)

    def text(self, state: Position, last: Move | None = None) -> str:
        """The board from the top rank down; then a legend, how every octopus fares, and what would be twiddling."""
        board = self._field.board
        files = "   " + "".join(f" {chr(ord('a') + file)} " for file in range(board.width)).rstrip()
        lines = [files]
        for rank in reversed(range(board.height)):
            row = "".join(self._cell(state, board.at(file, rank), last) for file in range(board.width))
            lines.append(f"{rank + 1:2} {row} {rank + 1}")
        seats = joined(", ", [joined(" ", [name[0], name]) for name in self.seat_names])
        heads = say("{seats} (heads in capitals)", seats=seats)
        legend = heads if last is None else say("{seats} (heads in capitals), ( )[ ] last move", seats=seats)
        fares = [self._fares(state, seat) for seat, _ in enumerate(self.seat_names)]
        return joined("\n", [*lines, files, "", legend, *fares, *self._notes(state), ""])

    def tell(self, state: Position, step: Move) -> tuple[str, ...]:
        """Which octopuses the move exhausts."""
        after = self._rules.apply(state, step)
        fallen = [name for seat, name in enumerate(self.seat_names) if (after.exhausted ^ state.exhausted) >> seat & 1]
        return tuple(say("{name} can no longer move and is exhausted.", name=name) for name in fallen)

    def svg(self, state: Position, last: Move | None = None, targets: Sequence[Move] = ()) -> str:
        """Octopuses with an arm to every tentacle in sight; other tentacles are hollow, marked by what keeps them from moving."""
        return picture.draw(self._options, state, last, targets, self._notes(state))

    def _cell(self, state: Position, square: Square, last: Move | None) -> str:
        sign, blocks = ".", self._field.blocks
        for name, head, arms in zip(self.seat_names, state.heads, state.arms, strict=True):
            if blocks[head] >> square & 1:
                sign = name[0]
            elif arms >> square & 1:
                sign = name[0].lower()
        if last is not None:
            left, entered = (blocks[one] if last.end in state.heads else 1 << one for one in last)
            if entered >> square & 1:
                return f"[{sign}]"
            if left >> square & 1:
                return f"({sign})"
        return f" {sign} "

    def _fares(self, state: Position, seat: int) -> str:
        """The tentacles that the head does not see, by square and by the reason."""
        name, names = self.seat_names[seat], self._field.board.names
        if state.exhausted >> seat & 1:
            return say("{name}: exhausted", name=name)
        found = hidden(self._options, state, seat)
        squares = {cause: " ".join(names[one.arm] for one in found if one.cause == cause) for cause in CAUSES}
        stuck = [_stuck(cause, arms) for cause, arms in squares.items() if arms]
        if not stuck:
            return say("{name}: sees every tentacle", name=name)
        return say("{name}: {tentacles}", name=name, tentacles=joined("; ", stuck))

    def _notes(self, state: Position) -> list[str]:
        ban = twiddle(self._field, state)
        if ban is None:
            return []
        name = self.seat_names[state.mover]
        return [say("{name} may not move {move} this turn: twiddling.", name=name, move=written(self._field, ban))]


def _stuck(cause: Cause, squares: str) -> str:
    match cause:
        case "entangled":
            return say("entangled {squares}", squares=squares)
        case "blocked":
            return say("blocked {squares}", squares=squares)
        case "overreached":
            return say("overreached {squares}", squares=squares)
        case _:
            assert_never(cause)
