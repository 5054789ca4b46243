"""How a position of Tako Judo looks, as text and as a picture."""

from collections.abc import Sequence

from turnserver.games.tako_judo import picture
from turnserver.games.tako_judo.field import Move, field
from turnserver.games.tako_judo.notation import written
from turnserver.games.tako_judo.position import Options, Position, twiddle
from turnserver.games.tako_judo.rules import TakoJudoRules
from turnserver.games.tako_judo.sight import hidden
from turnserver.rules.square import Square

_CAUSES = ("entangled", "blocked", "overreached")


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
        seats = ", ".join(f"{name[0]} {name}" for name in self.seat_names)
        lines += [files, "", f"{seats} (heads in capitals)"]
        if last is not None:
            lines[-1] += ", ( )[ ] last move"
        lines += [f"{name}: {self._fares(state, seat)}" for seat, name in enumerate(self.seat_names)]
        return "\n".join([*lines, *self._notes(state)]) + "\n"

    def tell(self, state: Position, step: Move) -> tuple[str, ...]:
        """Which octopuses the move exhausts."""
        after = self._rules.apply(state, step)
        fallen = [name for seat, name in enumerate(self.seat_names) if (after.exhausted ^ state.exhausted) >> seat & 1]
        return tuple(f"{name} can no longer move and is exhausted." for name in fallen)

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
        if state.exhausted >> seat & 1:
            return "exhausted"
        found = hidden(self._options, state, seat)
        names = self._field.board.names
        parts = []
        for cause in _CAUSES:
            squares = [names[one.arm] for one in found if one.cause == cause]
            if squares:
                parts.append(f"{cause} {' '.join(squares)}")
        return "; ".join(parts) or "sees every tentacle"

    def _notes(self, state: Position) -> list[str]:
        ban = twiddle(self._field, state)
        if ban is None:
            return []
        return [f"{self.seat_names[state.mover]} may not move {written(self._field, ban)} this turn: twiddling."]
