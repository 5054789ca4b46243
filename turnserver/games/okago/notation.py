"""Okago's notation: `c3`, `c3 down`, `c3xe5`. The grammar stands in RULES.md."""

import re

from turnserver.errors import Illegal, Unreadable
from turnserver.games.okago.position import Ground, Jump, Placement, Position, Step
from turnserver.rules.options import shown
from turnserver.rules.square import WRITTEN, Square, called
from turnserver.rules.writing import plain
from turnserver.text import say

_PLACEMENT = re.compile(f"(?:place )?(?:on |at )?({WRITTEN})(?:[ ,(-]*(?:face)?[ -]*(up|down))?")
_JUMP = re.compile(f"(?:jump )?(?:from )?({WRITTEN}) ?(?:x|-|:|to|jumps(?: to)?) ?({WRITTEN})")


def read(ground: Ground, text: str) -> Step:
    """Return the step that the text names, in any case and spacing, with or without final punctuation.

    Raises Unreadable, or Illegal for squares that are not on this board or between which nothing ever jumps.
    """
    # the log, and most players, write the step as it is
    if text in ground.by_text:
        return ground.by_text[text]
    words = plain(text)
    if match := _PLACEMENT.fullmatch(words):
        square, facing = called(ground.board, match[1]), match[2]
        return ground.face_down[square] if facing == "down" else ground.face_up[square]
    if match := _JUMP.fullmatch(words):
        origin, landing = (called(ground.board, name) for name in match.groups())
        # what is jumped follows from the two squares, so nobody has to name it
        jump = next((jump for _, _, jump in ground.leaps[origin] if jump.landing == landing), None)
        if jump is None:
            raise _no_jump(ground, origin, landing)
        return jump
    raise unreadable(text)


def unreadable(text: str) -> Unreadable:
    """Return the error for text that is not a step."""
    return Unreadable(
        say(
            "{text} isn't a move in Okago. Write a square to place a piece there (for Blue's first piece, you can add the "
            "word down), or the two squares of a jump with an x between them.",
            text=shown(text),
        )
    )


def refusal(ground: Ground, position: Position, step: Step) -> Illegal | None:
    """Return the error of the rule that forbids the step; None if no rule forbids it."""
    if ground.fours(position.theirs):
        return Illegal(say("The game is over."), code="over")
    free = ground.board.full & ~position.taken
    # a player with no legal move has lost already (ruling 4)
    if not position.my_left and not any(ground.jumps(position.my_up, position.their_up, free)):
        return Illegal(say("The game is over."), code="over")
    if isinstance(step, Jump):
        return _jump_refusal(ground, position, step)
    return _placement_refusal(ground, position, step)


def _placement_refusal(ground: Ground, position: Position, step: Placement) -> Illegal | None:
    name, square = ground.board.names[step.square], 1 << step.square
    if not position.my_left:
        return Illegal(say("You have no pieces left in hand, so you have to jump."), code="hand_empty")
    if position.mine & square:
        return Illegal(say("Your own piece is on {square} already. Choose an empty square.", square=name), code="occupied")
    if position.theirs & square:
        return Illegal(say("Your opponent's piece is on {square} already. Choose an empty square.", square=name), code="occupied")
    if position.no_go & square:
        return _no_go(name, first=position.turn == 1)
    # ruling 1
    if step.down and position.turn != 2:
        return Illegal(say("Only Blue's first piece can be placed face-down. Yours go face-up."), code="face_down", meant=[name])
    return None


def _no_go(name: str, *, first: bool) -> Illegal:
    if first:
        return Illegal(
            say("The No-Go is on {square}: in the advanced game, Red's first piece can't go to the centre.", square=name), code="no_go"
        )
    return Illegal(
        say(
            "The No-Go is on {square} until your next turn: you can't place a piece where one was just jumped, but a jump can land there.",
            square=name,
        ),
        code="no_go",
    )


def _jump_refusal(ground: Ground, position: Position, step: Jump) -> Illegal | None:
    origin, over, landing = (1 << square for square in step)
    origin_name, over_name, landing_name = (ground.board.names[square] for square in step)
    if position.theirs & origin:
        return Illegal(say("The piece on {square} is your opponent's. Jump with one of your own.", square=origin_name), code="not_yours")
    if not position.mine & origin:
        return Illegal(say("There is no piece on {square} that could jump.", square=origin_name), code="no_piece")
    if position.my_down & origin:
        return Illegal(say("The piece on {square} is face-down, so it can't jump.", square=origin_name), code="face_down_cannot_jump")
    if position.mine & over:
        return Illegal(
            say("The piece on {square} is your own. You can only jump over your opponent's.", square=over_name), code="own_piece_jumped"
        )
    if not position.theirs & over:
        return Illegal(say("There is no piece on {square} to jump over.", square=over_name), code="nothing_to_jump")
    if position.their_down & over:
        return Illegal(
            say("The piece on {square} is face-down, so you can't jump over it.", square=over_name), code="face_down_cannot_be_jumped"
        )
    # the No-Go may lie there: it stops placements only (ruling 2)
    if position.taken & landing:
        taken = say("Another piece is on {landing}, so a jump over {over} can't land there.", landing=landing_name, over=over_name)
        return Illegal(taken, code="landing_taken")
    return None


def _no_jump(ground: Ground, origin: Square, landing: Square) -> Illegal:
    written = f"{ground.board.names[origin]}x{ground.board.names[landing]}"
    meant = [ground.text(jump) for _, _, jump in ground.leaps[origin] if jump.over == landing]
    message = say("The move {text} isn't a jump: a jump lands two squares away in a straight line.", text=written)
    return Illegal(message, code="no_jump", meant=meant)
