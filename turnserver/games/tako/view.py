"""The look of a position of TAKO, as text and as a picture, and the telling of its story."""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Final, NamedTuple, assert_never

from turnserver.games.tako import touch
from turnserver.games.tako.notation import allows, counted, purse, settlement
from turnserver.games.tako.position import (
    BLACK,
    PILES,
    SEAT_NAMES,
    WHITE,
    Add,
    Opening,
    Options,
    Pass,
    Position,
    Step,
    Take,
    Throw,
    name,
    opponent,
)
from turnserver.games.tako.rules import TakoRules
from turnserver.rules import Over, Seat, svg
from turnserver.rules.place import Outline, Place, Touches, rectangle
from turnserver.text import joined, say

_WIDTH: Final = 720
_EDGE: Final = 30
_PILES_AT: Final = (66, 167)
_BETWEEN: Final = 137
"""The height between the piles: under the numbers of the first."""
_ROLL_AT: Final = 290
_SEATS_AT: Final = (392, 456)
_OPTIONS_AT: Final = (269, 384)
_HEIGHT: Final = 494
_FIRST: Final = 100
"""The place of the first stone of a pile."""
_ROOM: Final = 535
"""The largest width of a pile."""
_WORDS: Final = _WIDTH - 2 * _EDGE - 208
"""The largest width of the words beside coin and die."""

_PAPER = "#fbf8f1"
_CLOTH = "#f3ecdd"
_LINE = "#d8ccb4"
_INK = "#33291e"
_FAINT = "#75664a"
_DIE, _FLIPPED = "#fffffe", "#e9e4d6"
_MARK = "#c2410c"
_STONE, _STONE_RIM, _STONE_SHINE = "#5d7480", "#33454e", "#8fa5b0"
_COIN, _COIN_RIM, _COIN_SHINE = "#e2b13c", "#86611a", "#f3d27c"
_DARK: Final = {
    _PAPER: "#1e1d1a",
    _CLOTH: "#2c2924",
    _LINE: "#4f4a40",
    _INK: "#f2ece0",
    _FAINT: "#b9ab90",
    _DIE: "#3a362f",
    _FLIPPED: "#3a362f",
    _MARK: "#ff8a4c",
    _STONE: "#7d98a6",
}
_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""The places of the pips on a die of six."""


class TakoPicture(NamedTuple):
    """Everything to be drawn. `over` is the end of the game, if it has ended."""

    options: Options
    state: Position
    over: Over | None
    last: Step | None
    targets: Sequence[Step]


def draw(scene: TakoPicture) -> str:
    """Return the whole picture."""
    options = scene.options
    parts = [svg.rect(14, 14, _WIDTH - 28, 216, rx=14, fill=_CLOTH, stroke=_LINE, stroke_width=2)]
    for pile in (0, 1):
        parts += _pile(scene, pile)
    parts.append(svg.tile((0, _ROLL_AT), svg.Box(0, -52, _WIDTH, 104), joined("", _roll(scene))))
    for seat in (WHITE, BLACK):
        parts.append(svg.tile((0, _SEATS_AT[seat - 1]), svg.Box(0, -31, _WIDTH, 62), joined("", _seat(scene, seat))))
    title = (
        say("TAKO, {variant}, betting {number} coins a pile", variant=options.variant, number=options.stake)
        if options.betting
        else f"TAKO, {options.variant}"
    )
    legend, end = svg.legend(_marks(scene), _HEIGHT, _INK, _WIDTH)
    return svg.document(_WIDTH, end + 8, _PAPER, *parts, legend, title=title, board=_HEIGHT, dark=_DARK)


def _marks(scene: TakoPicture) -> Iterator[svg.Mark]:
    """Yield what is on the table."""
    if scene.over is not None:
        yield svg.Mark(_larger(_star(svg.ORIGIN)), say("winner"))
    elif scene.state.mover is not None:
        yield svg.Mark(_larger(_turn(-8, 0)), say("to move"))
    if isinstance(scene.last, Take):
        yield svg.Mark(_taken(24), say("just taken"))
    if isinstance(scene.last, Add):
        yield svg.Mark(_piece(scene.options, svg.ORIGIN, 22) + _added(24), say("just added"))
    if isinstance(scene.last, Pass):
        yield svg.Mark(_token(marked=True), say("just passed"))
    if isinstance(scene.last, Throw):
        yield svg.Mark(_thrown(-24, -18, 48, 36), say("just rolled"))
    if any(not (unused.passing and unused.adding) for unused in scene.state.unused):
        yield svg.Mark(_token(marked=False), say("used up"))
    yield from _target_marks(scene.targets)


def _target_marks(targets: Sequence[Step]) -> Iterator[svg.Mark]:
    takes = [target for target in targets if isinstance(target, Take)]
    if any(not (take.a and take.b) for take in takes):
        yield svg.Mark(svg.text(svg.ORIGIN, "3", 36, fill=_INK), say("can be taken from one pile"))
    if any(take.a and take.b for take in takes):
        yield svg.Mark(_boxed("3", 36), say("from both piles, as many from each"))
    if len(takes) < len(targets):
        yield svg.Mark(_dot(svg.ORIGIN), say("option that can be used"))


def _token(*, marked: bool) -> str:
    return svg.group(_option(svg.ORIGIN, "", unused=False, marked=marked), transform="scale(0.6)")


def _larger(sign: str) -> str:
    return svg.group(sign, transform="scale(1.5)")


def _pile(scene: TakoPicture, pile: int) -> list[str]:
    """Return one row: its letter, the pile, outlines of the stones taken last, the count; below it the numbers that may be taken.

    A number stands under the first stone of as many. Numbers that may be taken from both piles at once have a box.
    """
    options, state, _, last, targets = scene
    there, y = state.piles[pile], _PILES_AT[pile]
    gone = (last.a, last.b) if isinstance(last, Take) else (0, 0)
    pitch = min(46.0, _ROOM / max(options.stake, *map(sum, zip(state.piles, gone, strict=True))))
    radius = 0.44 * pitch
    at = [(_FIRST + (place + 0.5) * pitch, y) for place in range(there + gone[pile])]
    stone, line = svg.around(radius + 6), svg.around(30)
    parts = [svg.tile((_EDGE + 25, y), line, svg.text(svg.ORIGIN, PILES[pile].upper(), 36, fill=_INK))]
    parts += [svg.tile(centre, stone, _piece(options, svg.ORIGIN, radius)) for centre in at[:there]]
    parts += [svg.tile(centre, stone, _taken(radius)) for centre in at[there:]]
    if last == Add(pile):
        parts.append(svg.tile(at[-1], stone, _added(radius + 2)))
    count = svg.text(svg.ORIGIN, str(there), 36, anchor="end", fill=_INK)
    parts.append(svg.tile((_WIDTH - _EDGE, y), svg.Box(-60, -30, 62, 60), count))
    for target in targets:
        if isinstance(target, Take) and (target.a, target.b)[pile]:
            # a take from both piles takes as many from each
            number = target.a or target.b
            x = at[there - number][0]
            if target.a and target.b:
                parts.append(svg.tile((x, y + radius + 30), line, _boxed(str(number), 20)))
            else:
                parts.append(svg.tile((x, y + radius + 10), line, svg.text(svg.ORIGIN, str(number), 20, fill=_INK)))
    return parts


def _taken(radius: float) -> str:
    return svg.circle(svg.ORIGIN, radius - 2, fill="none", stroke=_MARK, stroke_width=2.5, stroke_dasharray="5 4")


def _added(radius: float) -> str:
    return svg.circle(svg.ORIGIN, radius, fill="none", stroke=_MARK, stroke_width=4)


def _thrown(x: float, y: float, width: float, height: float) -> str:
    return svg.rect(x, y, width, height, rx=14, fill="none", stroke=_MARK, stroke_width=4)


def _turn(x: float, y: float) -> str:
    return svg.polygon([(x, y - 10), (x + 16, y), (x, y + 10)], fill=_INK)


def _dot(centre: svg.Point) -> str:
    return svg.circle(centre, 7, fill=_MARK)


def _boxed(words: str, size: float) -> str:
    half = 0.6 * size
    box = svg.rect(-1.4 * half, -half, 2.8 * half, 2 * half, rx=4, fill=_MARK)
    return box + svg.text(svg.ORIGIN, words, size, fill="#ffffff")


def _piece(options: Options, centre: svg.Point, radius: float) -> str:
    """Return a stone, or a coin with a raised edge and a square hole."""
    x, y = centre
    if options.betting:
        return svg.group(
            svg.circle(centre, radius, fill=_COIN, stroke=_COIN_RIM, stroke_width=2.5),
            svg.circle(centre, 0.72 * radius, fill="none", stroke=_COIN_SHINE, stroke_width=2),
            svg.rect(x - 0.22 * radius, y - 0.22 * radius, 0.44 * radius, 0.44 * radius, fill=_COIN_RIM),
        )
    return svg.group(
        svg.circle(centre, radius, fill=_STONE, stroke=_STONE_RIM, stroke_width=2.5),
        svg.circle((x - 0.3 * radius, y - 0.35 * radius), 0.22 * radius, fill=_STONE_SHINE),
    )


def _roll(scene: TakoPicture) -> list[str]:
    """Return the coin, the die, and their meaning in words, half-way up around 0."""
    options, state, _, last, _ = scene
    roll, y = state.roll, 0.0
    parts = [_flipped((_EDGE + 42, y), roll), _rolled(options, (_EDGE + 138, y), roll)]
    if isinstance(last, Throw):
        parts.append(_thrown(_EDGE - 10, y - 50, 206, 100))
    first, second = _headline(scene)
    parts.append(svg.text((_EDGE + 208, y - 20), first, 30, anchor="start", room=_WORDS, fill=_INK))
    parts.append(svg.text((_EDGE + 208, y + 18), second, 27, anchor="start", room=_WORDS, fill=_INK))
    return parts


def _headline(scene: TakoPicture) -> tuple[str, str]:
    options, state, over, last, _ = scene
    if over is not None and state.mover is not None:
        lost = say("{loser} cannot move on {roll}", loser=name(state.mover), roll=str(state.roll))
        return say("{winner} wins", winner=name(opponent(state.mover))), lost
    if isinstance(last, Opening):
        rolled = say("White rolled {white}, Black {black}", white=last.white, black=last.black)
        return rolled, say("and both roll again") if state.mover is None else say("{who} begins", who=name(state.mover))
    if state.mover is None:
        return say("Who begins?"), say("Each player rolls a die")
    if state.roll is None:
        return say("{who} to move", who=name(state.mover)), say("coin and die are rolled first")
    roll, order = str(state.roll), allows(state.roll, options)
    if state.passed:
        return say("{who} passed on {roll}", who=name(opponent(state.mover)), roll=roll), order
    return say("{who} rolled {roll}", who=name(state.mover), roll=roll), order


def _flipped(centre: svg.Point, roll: Throw | None) -> str:
    side = "?" if roll is None else roll.coin
    return svg.group(
        svg.circle(centre, 42, fill=_FLIPPED, stroke=_INK, stroke_width=3),
        svg.circle(centre, 35, fill="none", stroke=_FAINT, stroke_width=2),
        svg.text(centre, side, 20 if side == "FREE" else 30, fill=_INK),
    )


def _rolled(options: Options, centre: svg.Point, roll: Throw | None) -> str:
    """Return a die with pips, or the kite of a die of ten with its number."""
    x, y = centre
    if options.die == 10:
        kite = [(x, y - 46), (x + 42, y + 12), (x, y + 40), (x - 42, y + 12)]
        body = svg.polygon(kite, fill=_DIE, stroke=_INK, stroke_width=3, stroke_linejoin="round")
        return body + svg.text((x, y + 2), "?" if roll is None else str(roll.die), 32, fill=_INK)
    body = svg.rect(x - 38, y - 38, 76, 76, rx=14, fill=_DIE, stroke=_INK, stroke_width=3)
    if roll is None:
        return body + svg.text(centre, "?", 32, fill=_INK)
    return body + "".join(svg.circle((x + 21 * right, y + 21 * down), 7, fill=_INK) for right, down in _PIPS[roll.die])


def _seat(scene: TakoPicture, seat: Seat) -> list[str]:
    """Return one player's line, half-way up around 0: whether it is their turn, the two options, and the purse."""
    options, state, over, last, targets = scene
    y, unused = 0.0, state.unused[seat - 1]
    moved = state.mover is not None and seat == opponent(state.mover)
    asked = seat == state.mover and over is None
    parts = []
    if asked:
        parts.append(svg.rect(14, y - 29, _WIDTH - 28, 58, rx=14, fill=_CLOTH, stroke=_INK, stroke_width=2))
    if over is not None and seat in over.winners:
        parts.append(_star((_EDGE + 5, y)))
    elif asked:
        parts.append(_turn(_EDGE - 2, y))
    parts.append(svg.circle((_EDGE + 42, y), 15, fill="#ffffff" if seat == WHITE else "#1c1a17", stroke=_INK, stroke_width=3))
    parts.append(svg.text((_EDGE + 70, y), name(seat), 26, anchor="start", room=110, fill=_INK))
    passing, adding = _OPTIONS_AT
    parts.append(_option((passing, y), "pass", unused=unused.passing, marked=moved and isinstance(last, Pass)))
    parts.append(_option((adding, y), "add", unused=unused.adding, marked=moved and isinstance(last, Add)))
    if asked:
        parts += [_dot((passing + 43, y - 20)) for target in targets if isinstance(target, Pass)]
        parts += [_dot((adding + 43, y - 20)) for target in targets if target == Add(0)]
    if options.betting:
        parts.append(_piece(options, (480, y), 16))
        parts.append(svg.text((508, y), purse(state, seat, over), 26, anchor="start", fill=_INK))
    return parts


def _outlines(state: Position) -> dict[str, Outline]:
    """Return the areas of the piles on their cloth, and of the options of the seat to move. An area reaches as far as its player's line."""
    y, width = _SEATS_AT[(state.mover or WHITE) - 1] - 29, _OPTIONS_AT[1] - _OPTIONS_AT[0]
    passing, adding = (rectangle(x - width / 2, y, width, 58) for x in _OPTIONS_AT)
    a, b = (rectangle(14, top, _WIDTH - 28, end - top) for top, end in ((14, _BETWEEN), (_BETWEEN, 230)))
    return {"a": a, "b": b, "pass": passing, "add": adding}


def _option(centre: svg.Point, word: str, *, unused: bool, marked: bool) -> str:
    """Return an option's token. A spent one is struck out, and the one spent last is marked."""
    x, y = centre
    outline = _MARK if marked else _INK if unused else _LINE
    style: dict[str, str | float] = {"fill": _DIE if unused else "none", "stroke": outline, "stroke_width": 4 if marked else 2.5}
    parts = [svg.rect(x - 48, y - 20, 96, 40, rx=20, **style), svg.text((x, y), word, 25, fill=_INK if unused else _FAINT)]
    if not unused:
        parts.append(svg.rect(x - 36, y - 1.5, 72, 3, fill=outline if marked else _FAINT))
    return "".join(parts)


def _star(centre: svg.Point) -> str:
    rays = ((13 if corner % 2 == 0 else 5.5, corner * pi / 5 - pi / 2) for corner in range(10))
    return svg.polygon([(centre[0] + r * cos(angle), centre[1] + r * sin(angle)) for r, angle in rays], fill=_MARK)


class TakoView:
    """TAKO's table for one choice of options."""

    seat_names = SEAT_NAMES

    def __init__(self, rules: TakoRules) -> None:
        self._rules = rules
        self._options = rules.options

    def text(self, state: Position, last: Step | None = None) -> str:
        """Return the piles as rows with counts, the roll and its bound, and each player's options; at the end, the settlement."""
        over = self._over(state)
        lines = [self._pile(state, last, pile) for pile in (0, 1)]
        lines += ["", *self._situation(state, over), "", *self._players(state, over), "", self._legend(state, last)]
        if last is not None:
            lines.append(_last(state, last))
        return joined("\n", [*lines, ""])

    def tell(self, state: Position, step: Step) -> tuple[str, ...]:
        """Return sentences about the roll, take, pass or addition, about the rest, and about the end of the game if it ended."""
        after = self._rules.apply(state, step)
        over = self._over(after)
        return (self._told(state, step, after), *(_ending(after, over) if over else ()))

    def svg(self, state: Position, last: Step | None = None, targets: Sequence[Step] = ()) -> str:
        """Return the picture: rows of stones or coins, the roll as a coin and a die, the unused options.

        Stones that were taken are outlines, and numbers mark targets.
        """
        return draw(TakoPicture(self._options, state, self._over(state), last, targets))

    def touches(self, state: Position, step: Step) -> Sequence[Touches]:  # noqa: ARG002  # other games need the position
        """Return piles and a number, or an option. See `rules.View`."""
        return touch.touches(step)

    def places(self, state: Position, touched: Touches = ()) -> Mapping[str, Place]:
        """Return the piles, the options of the seat to move, and buttons for numbers. See `rules.View`."""
        return touch.places(self._options, state, touched, _outlines(state))

    def written(self, state: Position, touched: Touches) -> str:
        """Return a take or an option. See `rules.View`."""
        return touch.written(state, touched)

    def _over(self, state: Position) -> Over | None:
        pending = self._rules.next(state)
        return pending if isinstance(pending, Over) else None

    def _pile(self, state: Position, last: Step | None, pile: int) -> str:
        sign = "$" if self._options.betting else "o"
        there = [sign] * state.piles[pile]
        if isinstance(last, Take):
            there += "." * (last.a, last.b)[pile]
        if last == Add(pile):
            there[-1] = "+"
        return say(
            "{pile}  {stones:40}{number:>9}",
            pile=PILES[pile].upper(),
            stones=" ".join(there),
            number=counted(state.piles[pile], self._options),
        )

    def _situation(self, state: Position, over: Over | None) -> list[str]:
        """Return the roll and the possible answers to it, or how the game ended."""
        if state.mover is None:
            return [say("Each player is about to roll a die. The higher roll starts.")]
        if state.roll is None:
            return [say("{who} is about to roll.", who=name(state.mover))]
        if over is not None:
            return list(_ending(state, over))
        roll, order = str(state.roll), allows(state.roll, self._options)
        rolled = (
            say("{who} passed on {roll}: {order}.", who=name(opponent(state.mover)), roll=roll, order=order)
            if state.passed
            else say("{who} rolled {roll}: {order}.", who=name(state.mover), roll=roll, order=order)
        )
        return [rolled, say("Open now: {moves}.", moves=self._open(state))]

    def _open(self, state: Position) -> str:
        """Return every legal choice, takes as ranges: `a1 to a5, b1, pass`."""
        steps = self._rules.steps(state)
        takes = [step for step in steps if isinstance(step, Take)]
        ranges = ([one for one in takes if (one.a > 0, one.b > 0) == kind] for kind in ((True, False), (False, True), (True, True)))
        words = [_range(group[0], group[-1]) for group in ranges if group]
        return joined(", ", [*words, *(str(step) for step in steps if not isinstance(step, Take))])

    def _players(self, state: Position, over: Over | None) -> list[str]:
        betting = self._options.betting
        lines: list[str] = [say("          options left    purse, in coins") if betting else say("          options left")]
        for seat in (WHITE, BLACK):
            unused = state.unused[seat - 1]
            left = ", ".join(word for word, there in (("pass", unused.passing), ("add", unused.adding)) if there) or say("none")
            mark = "*" if seat == state.mover and over is None else ""
            lines.append(
                say("{who:6}{mark:4}{left:16}{coins}", who=name(seat), mark=mark, left=left, coins=purse(state, seat, over))
                if betting
                else say("{who:6}{mark:4}{left}", who=name(seat), mark=mark, left=left)
            )
        return lines

    def _legend(self, state: Position, last: Step | None) -> str:
        entries = [say("$ coin") if self._options.betting else say("o stone")]
        entries += [say(". taken last")] if isinstance(last, Take) else [say("+ added last")] if isinstance(last, Add) else []
        entries += [say("* on turn")] if state.mover is not None and not state.over else []
        return joined(", ", entries)

    def _told(self, state: Position, step: Step, after: Position) -> str:
        if isinstance(step, Opening):
            return _told_start(step)
        assert state.mover is not None  # noqa: S101  # only a roll for the start comes before there is a mover
        who = name(state.mover)
        match step:
            case Throw():
                return say("{who} rolled {roll}: {order}.", who=who, roll=str(step), order=allows(step, self._options))
            case Take():
                return self._told_take(who, step, after)
            case Pass():
                other, roll = name(opponent(state.mover)), str(state.roll)
                if state.passed:
                    return say("{who} passed {roll} back to {other}.", who=who, roll=roll, other=other)
                return say("{who} passed {roll} on to {other}.", who=who, roll=roll, other=other)
            case Add():
                return self._told_add(state, state.mover, step, after.piles[step.pile])
            case _:
                assert_never(step)

    def _told_take(self, who: str, take: Take, after: Position) -> str:
        a, b = after.piles
        stones = counted(take.a or take.b, self._options)
        if take.a and take.b:
            return say("{who} took {stones} from each pile, which leaves {a} in A and {b} in B.", who=who, stones=stones, a=a, b=b)
        pile = "A" if take.a else "B"
        return say("{who} took {stones} from pile {pile}, which leaves {a} in A and {b} in B.", who=who, stones=stones, pile=pile, a=a, b=b)

    def _told_add(self, state: Position, adder: Seat, add: Add, number: int) -> str:
        who, pile = name(adder), PILES[add.pile].upper()
        if not self._options.betting:
            return say("{who} added a stone to pile {pile}, which now holds {number}.", who=who, pile=pile, number=number)
        if state.purses[adder - 1]:
            return say("{who} added a coin from {who}'s purse to pile {pile}, which now holds {number}.", who=who, pile=pile, number=number)
        return say("{who} added a coin from the bank to pile {pile}, which now holds {number}.", who=who, pile=pile, number=number)


def _ending(state: Position, over: Over) -> tuple[str, ...]:
    (winner,) = over.winners
    won = say("{winner} made the last move and wins.", winner=name(winner))
    return (say("{reason}.", reason=over.reason), won, *settlement(state, over))


def _range(first: Take, last: Take) -> str:
    return str(first) if first == last else say("{first} to {last}", first=str(first), last=str(last))


def _told_start(roll: Opening) -> str:
    if roll.white == roll.black:
        return say("For the start both players rolled {number}, so they roll again.", number=roll.white)
    starter = WHITE if roll.white > roll.black else BLACK
    return say(
        "For the start White rolled {white} and Black {black}, so {who} begins.", white=roll.white, black=roll.black, who=name(starter)
    )


def _last(state: Position, last: Step) -> str:
    """Return the last step in its notation. A choice was made by the seat that is not to move now."""
    if isinstance(last, Opening):
        return say("Last roll, White's die before Black's: {roll}", roll=str(last))
    if isinstance(last, Throw) or state.mover is None:
        return say("Last roll: {roll}", roll=str(last))
    return say("Last move, by {who}: {move}", who=name(opponent(state.mover)), move=str(last))
