"""Letters about plans: the reader's own plan, a plan that has answered, and the reason why one has not."""

from collections.abc import Sequence
from typing import Final, assert_never

from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.kinds import Detail
from turnserver.mail.outbound.letters import Answered, Letter, PlanLine, Planned
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.play.conditional_moves import ACTS
from turnserver.play.events import PlanAct, PlanActed, PlanDropped, PlanEnd, TurnPlayed
from turnserver.play.line import Entry
from turnserver.text import say

_LONGEST_TURN: Final = 60


def planned(desk: GameDesk) -> Letter:
    """Write the reader's own plan, as it was understood."""
    detail = desk.context.detail
    lines = plan_lines(detail)
    resigns = any(tuple(one["reply"]) == (PlanAct.RESIGN.value,) for one in detail["branches"])
    warned = say("If it comes to that, your conditional moves resign the game for good, and we do not ask you again.") if resigns else ""
    headline = _news(desk.name, detail["news"], any_left=bool(lines))
    return Planned(**desk.common(headline, warned), lines=lines, digest=detail["digest"])


def plan_lines(detail: Detail) -> tuple[PlanLine, ...]:
    """Return the branches in the detail of a notice about a plan, in words."""
    return tuple(PlanLine(one["number"], _branch(one["expected"], one["reply"])) for one in detail["branches"])


def answered(desk: GameDesk) -> Letter:
    """Tell the reader that their plan has answered. Raise ValueError if the last turn was played by hand."""
    last = desk.state.line.entry
    if not isinstance(last, TurnPlayed) or not last.by_plan:
        raise ValueError(f"no plan has answered in {desk.name}")
    told = say("Your conditional move was played.")
    if len(last.text) <= _LONGEST_TURN:
        told = say("Your conditional move was played: {moves}.", moves=last.text)
    latest = desk.state.line.entries[-2:]
    happenings = tuple(desk.happening(one) for one in desk.context.history if isinstance(one.event, Entry) and one.event in latest)
    return Answered(**desk.common(told), happenings=happenings, goes_on=desk.state.plans[last.seat - 1] is not None)


def unanswered(desk: GameDesk) -> str:
    """Return the reason why the reader's plan has not answered, as a sentence. Empty if no plan was dropped since the last turn."""
    for one in reversed(desk.context.history):
        if isinstance(one.event, PlanActed) and one.event.seat == desk.seat:
            return say("Your conditional moves have offered a draw for you. You can wait for the answer, or play on, which ends the offer.")
        if isinstance(one.event, PlanDropped) and one.event.seat == desk.seat:
            return _why_not(one.event.reason)
        if isinstance(one.event, Entry):
            break
    return ""


def answered_by_plan(desk: GameDesk) -> str:
    """Return a sentence that a plan has answered and the reader has the turn; empty if none has answered."""
    last = desk.state.line.entry
    told: str
    if not isinstance(last, TurnPlayed) or not last.by_plan or desk.state.clock is None:
        return ""
    if last.seat == desk.seat:
        told = say("Your conditional move was played: {moves}.", moves=last.text)
    else:
        told = say("{player} had an answer ready: {moves}.", player=desk.table.name_of(last), moves=last.text)
    return paragraph(told, desk.your_move)


def _news(game: str, news: str, *, any_left: bool) -> str:
    if news == "forgotten":
        return say("Your conditional moves in {game} are cancelled. You will get a mail when it is your move, as always.", game=game)
    if not any_left:
        return say("You have no conditional moves in {game}.", game=game)
    if news == "laid":
        return say("Your conditional moves in {game} are in. As soon as one of these moves is played, so is your answer.", game=game)
    return say("Your conditional moves in {game}. As soon as one of these moves is played, so is your answer.", game=game)


def _branch(expected: Sequence[str] | None, reply: Sequence[str]) -> str:
    answer = _in_words(reply)
    if expected is None:
        return say("else {reply}", reply=answer)
    return say("if {turn} then {reply}", turn="; ".join(expected), reply=answer)


def _in_words(reply: Sequence[str]) -> str:
    match ACTS.get(tuple(reply)):
        case PlanAct.RESIGN:
            return say("resign")
        case PlanAct.DRAW:
            return say("draw")
        case None:
            return "; ".join(reply)
        case act:
            assert_never(act)


def _why_not(reason: PlanEnd) -> str:
    match reason:
        case PlanEnd.NOT_EXPECTED:
            return say("Your conditional moves had no answer to that, so they are cancelled.")
        case PlanEnd.NOT_LEGAL:
            return say("Your conditional moves were cancelled because your answer to this is not legal now.")
        case PlanEnd.ASKED:
            return say("Your conditional moves were cancelled because there is an offer for you to look at first.")
        case PlanEnd.LOST:
            return say("Your conditional moves were cancelled because we lost their text. That is our fault.")
        case PlanEnd.FORGOTTEN | PlanEnd.PLAYED_OUT:
            return ""
        case _:
            assert_never(reason)
