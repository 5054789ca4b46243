"""Letters about plans: the reader's own plan, a plan that has answered, and the reason why one has not."""

from collections.abc import Sequence
from typing import Final, assert_never

from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.letters import Answered, Letter, PlanLine, Planned
from turnserver.play.events import PlanDropped, PlanEnd, TurnPlayed
from turnserver.play.line import Entry
from turnserver.text import say

_LONGEST_TURN: Final = 60


def planned(desk: GameDesk) -> Letter:
    """Write the reader's own plan, as it was understood."""
    detail = desk.context.detail
    lines = tuple(PlanLine(one["number"], _branch(one["expected"], one["reply"])) for one in detail["branches"])
    return Planned(**desk.common(_news(desk.name, detail["news"], any_left=bool(lines))), lines=lines, digest=detail["digest"])


def answered(desk: GameDesk) -> Letter:
    """Tell the reader that their plan has answered. Raise ValueError if the last turn was played by hand."""
    last = desk.state.line.entry
    if not isinstance(last, TurnPlayed) or not last.by_plan:
        raise ValueError(f"no plan has answered in {desk.name}")
    told = say("In {game}, your plan has answered.", game=desk.name)
    if len(last.text) <= _LONGEST_TURN:
        told = say("In {game}, your plan has answered: {moves}.", game=desk.name, moves=last.text)
    latest = desk.state.line.entries[-2:]
    happenings = tuple(desk.happening(one) for one in desk.context.history if isinstance(one.event, Entry) and one.event in latest)
    return Answered(**desk.common(told), happenings=happenings, goes_on=desk.state.plans[last.seat - 1] is not None)


def unanswered(desk: GameDesk) -> str:
    """Return the reason why the reader's plan has not answered, as a sentence. Empty if no plan was dropped since the last turn."""
    for one in reversed(desk.context.history):
        if isinstance(one.event, PlanDropped) and one.event.seat == desk.seat:
            return _why_not(one.event.reason)
        if isinstance(one.event, Entry):
            break
    return ""


def answered_by_plan(desk: GameDesk) -> str:
    """Return a sentence that a plan has answered and the reader has the turn; empty if none has answered."""
    last, when = desk.state.line.entry, desk.when
    if not isinstance(last, TurnPlayed) or not last.by_plan or not when:
        return ""
    if last.seat == desk.seat:
        return say("In {game}, your plan has answered {moves}. It is your move again, {when}.", game=desk.name, moves=last.text, when=when)
    return say(
        "In {game}, {player} had planned an answer, so it was played at once: {moves}. It is your move, {when}.",
        game=desk.name,
        player=desk.table.of(last),
        moves=last.text,
        when=when,
    )


def _news(game: str, news: str, *, any_left: bool) -> str:
    if news == "forgotten":
        return say("Your plan in {game} is dropped. You will get a mail when it is your turn, as always.", game=game)
    if not any_left:
        return say("You have no plan in {game}.", game=game)
    if news == "laid":
        return say("Your plan in {game} is kept. As soon as one of these moves is played, so is your answer.", game=game)
    return say("This is your plan in {game}. As soon as one of these moves is played, so is your answer.", game=game)


def _branch(expected: Sequence[str] | None, reply: Sequence[str]) -> str:
    answer = "; ".join(reply)
    if expected is None:
        return say("else {reply}", reply=answer)
    return say("if {turn} then {reply}", turn="; ".join(expected), reply=answer)


def _why_not(reason: PlanEnd) -> str:
    match reason:
        case PlanEnd.NOT_EXPECTED:
            return say("Your plan had no answer to that, so it is dropped.")
        case PlanEnd.NOT_LEGAL:
            return say("Your plan has not answered: the move that it had for this is not legal now. It is dropped.")
        case PlanEnd.ASKED:
            return say("Your plan has not answered, so that you can look at what you are offered first. It is dropped.")
        case PlanEnd.LOST:
            return say("Your plan has not answered: its text is lost, which is our fault. It is dropped.")
        case PlanEnd.FORGOTTEN | PlanEnd.PLAYED_OUT:
            return ""
        case _:
            assert_never(reason)
