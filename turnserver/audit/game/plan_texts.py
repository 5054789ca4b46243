"""Check whether plans did what they say: the part of an audit that needs their texts, which are kept apart from the log.

Written apart from what decides, as `turnserver.audit.game.transitions` is. A text may have been erased, and then nothing can be said of its
plan.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, assert_never

from turnserver import games
from turnserver.audit.game.recheck import Objection
from turnserver.audit.game.transitions import draw_in_place
from turnserver.errors import Refusal, StepError
from turnserver.ids import Version
from turnserver.play import events as e
from turnserver.play.conditional_moves import SALT_BYTES, Branch, Plan, read_plan
from turnserver.play.evolve import FindGame, evolve
from turnserver.play.state import GameState
from turnserver.rules.kit import parse_turn


class KeptPlan(NamedTuple):
    """A stored plan: its text and the salt of its digest."""

    text: str
    salt: bytes


def unfaithful(events: Iterable[e.GameEvent], kept: Mapping[str, KeptPlan], find: FindGame = games.find) -> Iterator[Objection]:
    """Yield the objections to the plans of a game. `recheck` must have passed its events.

    `kept` are the stored plans by their digests. Each has to be what its digest commits to, and every turn that was played by a plan has
    to be what the plan says there.
    """
    # most games have no plan whose text is kept, and nothing to say of any other
    if not kept:
        return
    state: GameState | None = None
    for number, event in enumerate(events, start=1):
        if state is not None:
            yield from (Objection(Version(number), problem) for problem in _at_odds(state, event, kept))
        state = evolve(state, event, find)


def _at_odds(state: GameState, event: e.GameEvent, kept: Mapping[str, KeptPlan]) -> Iterator[str]:
    match event:
        case e.PlanLaid() if event.digest in kept:
            yield from _kept_wrongly(kept[event.digest], event.digest)
        case e.TurnPlayed(by_plan=True, seat=seat) | e.PlanDropped(seat=seat) | e.PlanActed(seat=seat):
            laid = state.plans[seat - 1]
            text = kept.get(laid.digest) if laid is not None else None
            # Without its text a plan cannot be held against anything.
            if laid is None or text is None:
                return
            try:
                plan = read_plan(state.game.rules, state.line.before(laid.turn).position, text.text)
            except Refusal as refused:
                yield f"the text that is kept of the plan is none: {refused}"
                return
            turns = [turn for turn in state.line.turns if turn.turn >= laid.turn]
            yield from _dropped(state, plan, turns, event) if isinstance(event, e.PlanDropped) else _answered(plan, turns, event)
        case (
            e.TurnPlayed()
            | e.PlanLaid()
            | e.TurnSkipped()
            | e.GameReopened()
            | e.TurnsRetracted()
            | e.EndRetracted()
            | e.OpeningEvent()
            | e.InvitationEvent()
            | e.ProposalEvent()
            | e.SeatEvent()
            | e.LateEvent()
            | e.SeatOfferEvent()
            | e.ClockEvent()
            | e.EndEvent()
        ):
            pass
        case _:
            assert_never(event)


def _kept_wrongly(kept: KeptPlan, digest: str) -> Iterator[str]:
    if len(kept.salt) != SALT_BYTES or sha256(kept.salt + kept.text.encode()).hexdigest() != digest:
        yield "the text that is kept of the plan is not what its digest commits to"


def _answered(plan: Plan, turns: Sequence[e.TurnPlayed], event: e.TurnPlayed | e.PlanActed) -> Iterator[str]:
    answer = _answer(plan, event.seat, turns)
    if answer is None:
        yield "it was played by plan, but the plan has no answer there"
    elif answer.reply != (event.steps if isinstance(event, e.TurnPlayed) else (event.act.value,)):
        yield f"it was played by plan, but the plan says {'; '.join(answer.reply)}"


def _dropped(state: GameState, plan: Plan, turns: Sequence[e.TurnPlayed], event: e.PlanDropped) -> Iterator[str]:
    answer = _answer(plan, event.seat, turns)
    match event.reason:
        case e.PlanEnd.NOT_EXPECTED if answer is not None:
            yield f"the plan was dropped as if it had no answer, but it says {'; '.join(answer.reply)}"
        case e.PlanEnd.NOT_LEGAL if answer is None or _legal(state, answer):
            yield "the plan was dropped as if its answer were not legal"
        case e.PlanEnd.PLAYED_OUT if (last := _answer(plan, event.seat, turns[:-1])) is None or last.then:
            yield "the plan was dropped as if it had nothing more to say"
        case e.PlanEnd.FORGOTTEN | e.PlanEnd.ASKED | e.PlanEnd.LOST | e.PlanEnd.NOT_EXPECTED | e.PlanEnd.NOT_LEGAL | e.PlanEnd.PLAYED_OUT:
            pass  # a text that fits its reason; the first three say nothing of a text
        case _:
            assert_never(event.reason)


def _answer(plan: Plan, seat: int, turns: Sequence[e.TurnPlayed]) -> Branch | None:
    """Return the branch by which the plan of a seat answers the last of these turns, or None.

    The turns are, in turn, the opponent's and the plan's own.
    """
    if not turns or turns[0].seat == seat:
        return None
    branch = next((one for one in plan if one.expected in (None, turns[0].steps)), None)
    if branch is None or len(turns) == 1:
        return branch
    return _answer(branch.then, seat, turns[2:]) if turns[1].seat == seat else None


def _legal(state: GameState, answer: Branch) -> bool:
    match answer.reply:
        case ("resign",):
            return True
        case ("draw",):
            return state.to_move is not None and draw_in_place(state, state.to_move)
    try:
        parse_turn(state.game.rules, state.line.position, "; ".join(answer.reply))
    except StepError:
        return False
    return True
