"""Tako Judo, by Kevin Lanzing: how the game runs. The numbers of rulings are those of RULES.md beside this file."""

from functools import cache

from turnserver.games.tako_judo import notation
from turnserver.games.tako_judo import position as repetition
from turnserver.games.tako_judo.position import Move, Options, Position, field, occupied, start
from turnserver.rules import Choose, Next, Over, Seat
from turnserver.rules.square import members
from turnserver.text import listing, say


class TakoJudoRules:
    """Tako Judo with its options chosen. A step is a move; moves are listed by start, then by end, in the order a1, b1, ..., a2, b2, ..."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.seats = len(options.seat_names)
        self.teams = options.teams
        self.field = field(options.size)

    def start(self) -> Position:
        """Return every octopus in the middle of its edge."""
        return self._settled(start(self.options), 0, 0, None)

    def next(self, state: Position) -> Next:
        """Return whose turn it is, or how the game ended."""
        return state.over or _choose(state.mover, state.turn)

    def steps(self, state: Position) -> tuple[Move, ...]:
        """Return every move of the seat to move but the one that would be twiddling (rulings 1 to 3)."""
        if state.over:
            return ()
        head, arms, ban = state.heads[state.mover], state.arms[state.mover], state.bans[state.mover]
        found: list[Move] = []
        for origin, ends in self.field.ends(head, arms, occupied(self.field, state), ban):
            row = self.field.moves[origin]
            found += [row[end] for end in members(ends)]
        return tuple(found)

    def apply(self, state: Position, step: Move) -> Position:
        """Move the piece, exhaust pinned octopuses (rulings 4 and 5), hand the turn on and count the position (ruling 6)."""
        turn, mover, heads, arms, bans, exhausted, past, _ = state
        origin, end = step
        if origin == heads[mover]:
            heads = (*heads[:mover], end, *heads[mover + 1 :])
        else:
            arms = (*arms[:mover], arms[mover] ^ (1 << origin | 1 << end), *arms[mover + 1 :])
        # the way back, with the same piece, on the seat's next turn (ruling 3)
        bans = (*bans[:mover], self.field.moves[end][origin], *bans[mover + 1 :])
        moved = Position(turn + 1, mover, heads, arms, bans, exhausted, past, None)
        if self.seats == 2:
            return self._settled(moved, 1 - mover, 0, self._judge(moved))
        # all that cannot move at all fall together, before the turn goes round (ruling 5)
        for seat in range(self.seats):
            if not exhausted >> seat & 1 and not self._can_move(moved, seat):
                exhausted |= 1 << seat
        return self._hand_over(moved, exhausted)

    def parse(self, state: Position, text: str) -> Move:
        """Read a move in any case and spacing. Raises Unreadable, or Illegal naming the rule."""
        step = notation.read(self.field, text)
        illegal = notation.refusal(self.options, state, step)
        if illegal is not None:
            raise illegal
        return step

    def format(self, state: Position, step: Move) -> str:  # noqa: ARG002  # other games need the position
        """Return the two squares, joined by a hyphen."""
        return notation.written(self.field, step)

    def replay(self, state: Position, text: str) -> Move:  # noqa: ARG002  # other games need the position
        """Return the move between those two squares. Raises Unreadable."""
        return notation.look_up(self.field, text)

    def occurrences(self, state: Position) -> int:
        """Return how often this position has come up, this time included; 0 if positions are not counted."""
        if not state.past:
            return 0
        _, mover, heads, arms, bans, _, past, _ = state
        key = repetition.position_key(self.options.size, mover=mover, heads=heads, arms=arms, bans=bans)
        return repetition.times_seen(past, key)

    def _judge(self, moved: Position) -> Over | None:
        """Return how the move just made has ended a game of two (ruling 4); None if it has not."""
        mover, other, names = moved.mover, 1 - moved.mover, self.options.seat_names
        # the opponent first: a mover who has pinned both has won (ruling 4)
        if not self._can_move(moved, other, moved.bans[other]):
            twiddles = self._can_move(moved, other)
            why = say("{name} could only twiddle", name=names[other]) if twiddles else say("{name} is pinned", name=names[other])
            return Over(frozenset({Seat(mover + 1)}), why)
        # a way back counts here: whether the mover may go it is judged at the next turn (ruling 4)
        if not self._can_move(moved, mover):
            return Over(frozenset({Seat(other + 1)}), say("{name} is pinned by its own move", name=names[mover]))
        return None

    def _hand_over(self, moved: Position, exhausted: int) -> Position:
        """Give the turn to the next free octopus. Exhaust, one by one, those before it that can only twiddle (ruling 5)."""
        seat, over = moved.mover, self._last_side(moved, exhausted)
        while over is None:
            seat = (seat + 1) % self.seats
            if exhausted >> seat & 1:
                continue
            if self._can_move(moved, seat, moved.bans[seat]):
                break
            exhausted |= 1 << seat
            over = self._last_side(moved, exhausted)
        return self._settled(moved, seat, exhausted, over)

    def _last_side(self, moved: Position, exhausted: int) -> Over | None:
        """Return how a game of four ended, if no more than one side has a free octopus (ruling 5); None otherwise."""
        names = self.options.seat_names
        free = [team for team in self.teams if not all(exhausted >> seat - 1 & 1 for seat in team)]
        if len(free) > 1:
            return None
        if not free:
            # if all sides fall together, the one that moved last has won (ruling 5)
            won = next(team for team in self.teams if moved.mover + 1 in team)
            return Over(won, say("no octopus is free, and {name} moved last", name=names[moved.mover]))
        fallen = [name for seat, name in enumerate(names, start=1) if seat not in free[0]]
        return Over(free[0], say("{names} are exhausted", names=listing(fallen, "and")))

    def _settled(self, moved: Position, seat: int, exhausted: int, over: Over | None) -> Position:
        """Return the position with `seat` to move and those seats exhausted, counted unless the game is over (ruling 6)."""
        turn, _, heads, arms, bans, before, past, _ = moved
        if past and over is None:
            # nobody recovers, so what came up before cannot come up again
            if exhausted != before:
                past = repetition.FRESH
            key = repetition.position_key(self.options.size, mover=seat, heads=heads, arms=arms, bans=bans)
            # this time is the third (ruling 6)
            if repetition.times_seen(past, key) == 2:
                over = Over(frozenset(), say("the same position came up for the third time"))
            past = repetition.with_position(past, key)
        return Position(turn, seat, heads, arms, bans, exhausted, past, over)

    def _can_move(self, position: Position, seat: int, ban: Move | None = None) -> bool:
        return self.field.can_move(position.heads[seat], position.arms[seat], occupied(self.field, position), ban)


class TakoJudoForFour(TakoJudoRules):
    """Tako Judo for four: somebody may leave, or let a turn pass, and the others play on."""

    def leave(self, state: Position, seat: Seat) -> Position:
        """Return the position after the octopus is exhausted; its pieces stay (ruling 5).

        Defined at the beginning of a turn, for a seat that has not left.
        """
        exhausted = state.exhausted | 1 << seat - 1
        if exhausted == state.exhausted:
            return state
        # whoever leaves out of turn hands nothing over
        if seat - 1 == state.mover:
            return self._hand_over(state, exhausted)
        return self._settled(state, state.mover, exhausted, self._last_side(state, exhausted))

    def skip(self, state: Position) -> Position:
        """Return the position for the next free octopus without a move. Last moves stay, and the position is counted (ruling 7)."""
        return self._hand_over(state._replace(turn=state.turn + 1), state.exhausted)


@cache
def _choose(mover: int, turn: int) -> Choose:
    return Choose(Seat(mover + 1), turn)
