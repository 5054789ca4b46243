"""Plans: a player's answers to turns that the opponent has yet to play.

A plan is text of this grammar, in which capitals do not matter:

    plan   = branch , { separator , branch } ;
    branch = ( "if" , turn , "then" , answer | "else" , answer ) , [ "(" , plan , ")" ] ;
    answer = turn | "resign" | "draw" ;

The first turn of a branch is the opponent's, the answer the player's, and the plan in brackets goes on after both. The answer `resign`
gives the game up; `draw` offers a draw, and the player goes on by hand. Branches are parted by a semicolon, a line break, an `else` before
the `if`, or several of them. Within a turn, steps are parted by semicolons or line breaks as everywhere. No notation of a game uses these
words. Some use brackets (`c3 (face down)`), so a bracket belongs to the plan only if its first word is `if` or `else`.
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeAlias

from turnserver.errors import Illegal, NotAllowed, Refusal, StepError, Unreadable
from turnserver.play import events as e
from turnserver.play.chance import Chance
from turnserver.play.commands import AnswerByPlan, ForgetPlan, LayPlan, OfferDraw, Resign
from turnserver.play.guards import pending, seat_of
from turnserver.play.leaving import resign
from turnserver.play.line import Line
from turnserver.play.proposals import offer_draw
from turnserver.play.second_thoughts import unannounced
from turnserver.play.state import GameState, LaidPlan
from turnserver.play.turns import play_planned
from turnserver.rules import Choose, Next, Over, Rules, Seat, StateT, StepT
from turnserver.rules.kit import format_steps, parse_turn, split_turn
from turnserver.rules.writing import plain
from turnserver.text import say

MAX_BRANCHES: Final = 40
"""The most branches of a plan: more than anybody writes by hand. It also bounds the depth of a plan, so that functions may recurse."""

MAX_TEXT: Final = 4_000
"""The most characters of a plan, as written and in canonical notation: about two pages.

That is enough for forty branches of short moves or for ten of the longest turns. Any text of that size is read in ten milliseconds.
"""

SALT_BYTES: Final = 32
"""The length of a digest's salt: too long to be guessed. It is fixed, so that nobody can later call a part of the text salt."""

ACTS: Final[Mapping[tuple[str, ...], e.PlanAct]] = MappingProxyType({(act.value,): act for act in e.PlanAct})
"""The replies of a branch that are no turns."""

_MAX_TURN: Final = 60
_MARK: Final = re.compile(r"\b(?P<word>if|then|else)\b|(?P<plan>\((?=\s*(?:if|else)\b))|(?P<bracket>\()|(?P<close>\))", re.IGNORECASE)
_BETWEEN: Final = " \t\r\n;,.:"
_WORDS: Final = {"if": say("if"), "then": say("then"), "else": say("else")}


@dataclass(frozen=True, slots=True)
class Branch:
    """A `reply` to the `expected` turn (None: to any turn), and the answers after it in `then`. Turns are canonical steps.

    A reply in `ACTS` is no turn, and nothing comes after it.
    """

    expected: tuple[str, ...] | None
    reply: tuple[str, ...]
    then: "Plan" = ()


Plan: TypeAlias = tuple[Branch, ...]
"""Branches to be tried in this order. No two expect the same turn, and one that expects any turn is the last."""


def read_plan(rules: Rules[StateT, StepT], position: StateT, text: str) -> Plan:
    """Return the plan in a text that is given while the opponent has the turn in `position`.

    Turns are checked against the rules while their position is known: up to the first roll or the first `else`. After that each step must
    be notation that means the same in every position; whether it is legal shows when it is played.

    Raises NotAllowed: `no_plans` in a game that is not for two, `bad_plan` where the grammar is broken, `plan_too_long` beyond the limits,
    `answered_twice` for a turn that is expected twice at once, `no_answer` for an answer when the game is over or it is not one's turn. For
    a turn it raises as `parse_turn` does, with the part of the plan in which the turn stands.
    """
    check_for_two(rules)
    pending = rules.next(position)
    if isinstance(pending, Over):
        raise Illegal(say("The game is over."), code="over")
    _check_length(text)
    tokens = _tokens(text)
    if not tokens:
        raise _bad(say('I couldn\'t find a conditional move in that. Write "if", a move of your opponent, "then", and your answer.'))
    # a list, since all levels of the plan count down the same number
    raw = _level(tokens, [MAX_BRANCHES])
    plan = _checked(rules, _Place(position, pending), raw, ())
    # the canonical text is what is stored, and it may be longer than what was written
    _check_length(write_plan(plan))
    return plan


def check_for_two(rules: Rules[StateT, StepT]) -> None:
    """Refuse (`no_plans`) a game that is not for two."""
    if rules.seats != 2:
        raise NotAllowed("no_plans", say("Conditional moves are for games of two. Here, others move before your next turn."))


def write_plan(plan: Plan) -> str:
    """Write the plan on one line, as `read_plan` reads it in the same position: `if a1 then b2 (else c3); else if a2 then b1; else b3`."""
    return "; ".join(f"else {_written(branch)}" if number and branch.expected else _written(branch) for number, branch in enumerate(plan))


def with_line(plan: Plan, line: Sequence[tuple[str, ...]]) -> Plan:
    """Return the plan with the answers of one line of turns: an expected turn, the reply to it, the turn expected then, its reply, ...

    A turn is a tuple of canonical steps. Another reply to the same turn gives way to the one of the line, with what came after it.
    """
    expected, reply, *rest = line
    before = next((branch for branch in plan if branch.expected == expected), None)
    kept = before.then if before is not None and before.reply == reply else ()
    branch = Branch(expected, reply, with_line(kept, rest) if rest else kept)
    if before is not None:
        return tuple(branch if one is before else one for one in plan)
    # an answer to any turn stays the last
    others = [one for one in plan if one.expected is not None]
    return (*others, branch, *plan[len(others) :])


def fitting(plan: Plan, steps: Sequence[str]) -> Branch | None:
    """Return the branch that answers a turn, which is given as canonical steps. None if no branch does.

    A reply that could not be checked when the plan was given may be illegal. The caller has to check.
    """
    played = tuple(steps)
    return next((branch for branch in plan if branch.expected is None or branch.expected == played), None)


def plan_digest(salt: bytes, plan: Plan) -> str:
    """Return the SHA-256 of the salt followed by the plan as `write_plan` writes it, in UTF-8: 64 hexadecimal digits.

    A log with the digest commits to the plan and does not give it away while the salt is secret. Raises ValueError for a salt that is not
    `SALT_BYTES` long.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    return sha256(salt + write_plan(plan).encode()).hexdigest()


class _Token(NamedTuple):
    """A word or bracket of the grammar in small letters, or a `text` between them, with an empty `mark`.

    `joined` marks a word right behind text, without a semicolon or a line break between.
    """

    mark: str
    text: str
    joined: bool = False


class _Raw(NamedTuple):
    """A branch in its writer's words."""

    expected: str | None
    reply: str
    then: "tuple[_Raw, ...]"

    @property
    def condition(self) -> str:
        return _WORDS["else"] if self.expected is None else _if(self.expected)

    @property
    def whole(self) -> str:
        reply = _cut(self.reply)
        if self.expected is None:
            return say("else {reply}", reply=reply)
        return say("if {turn} then {reply}", turn=_cut(self.expected), reply=reply)


class _Place(NamedTuple, Generic[StateT]):
    """The place where a turn of a plan is played: in `state` if `next` is a choice, otherwise in an unknown position after `state`."""

    state: StateT
    next: Next | None


def _tokens(text: str) -> deque[_Token]:
    """Cut the text into tokens, with balanced brackets. Refuses unbalanced brackets (`bad_plan`)."""
    found: deque[_Token] = deque()
    # of each open bracket, whether it is the plan's
    unclosed: list[bool] = []
    begin = 0
    for mark in _MARK.finditer(text):
        if mark.lastgroup in ("plan", "bracket"):
            unclosed.append(mark.lastgroup == "plan")
        if mark.lastgroup == "close" and not unclosed:
            raise _bad(say("A bracket is closed that was never opened. Brackets go round what comes after your answer."))
        # a bracket of a notation, such as `c3 (face down)`, belongs to the text of its turn
        within_turn = mark.lastgroup == "bracket" or (mark.lastgroup == "close" and not unclosed.pop())
        if not within_turn:
            before = text[begin : mark.start()]
            bare = before.rstrip()
            joined = _add_text(found, before) and not bare.endswith(";") and "\n" not in before[len(bare) :]
            found.append(_Token(mark[0].lower(), mark[0], joined))
            begin = mark.end()
    if unclosed:
        raise _bad(say("A bracket is opened and never closed. Brackets go round what comes after your answer."))
    _add_text(found, text[begin:])
    return found


def _add_text(found: deque[_Token], text: str) -> bool:
    """Append the text as a token unless it is blank. Return whether a token was appended."""
    words = text.strip(_BETWEEN)
    if words:
        found.append(_Token("", words))
    return bool(words)


def _level(tokens: deque[_Token], left: list[int]) -> tuple[_Raw, ...]:
    """Take the branches of one level off the tokens. `left[0]` is how many more branches the plan may have."""
    branches: list[_Raw] = []
    while tokens and tokens[0].mark != ")":
        if branches and branches[-1].expected is None:
            raise _bad(say('"{part}" answers any move, so nothing can come after it.', part=branches[-1].whole))
        left[0] -= 1
        if left[0] < 0:
            message = say("There can be at most {most} conditional moves. Leave out the least likely ones.", most=MAX_BRANCHES)
            raise NotAllowed("plan_too_long", message)
        branches.append(_branch(tokens, left))
    return tuple(branches)


def _branch(tokens: deque[_Token], left: list[int]) -> _Raw:
    first = tokens.popleft()
    if first.mark == "else" and tokens and tokens[0].mark == "if":
        first = tokens.popleft()
    if first.mark not in ("if", "else"):
        raise _bad(say('I expected "if" or "else" where you wrote "{text}".', text=_as_quoted(first)))
    expected = None
    if first.mark == "if":
        expected = _turn_text(tokens, first)
        if first.joined:
            part = _if(expected)
            raise _bad(say('Write a semicolon before "{part}", or put it in brackets if it comes after your answer.', part=part))
        if not tokens or tokens[0].mark != "then":
            raise _bad(say('After "{part}", write "then" and your answer.', part=_if(expected)))
        first = tokens.popleft()
    reply = _turn_text(tokens, first)
    if not tokens or tokens[0].mark != "(":
        return _Raw(expected, reply, ())
    tokens.popleft()
    # brackets are balanced by now, so what ends the level is its closing bracket
    then = _level(tokens, left)
    tokens.popleft()
    return _Raw(expected, reply, then)


def _turn_text(tokens: deque[_Token], behind: _Token) -> str:
    if not tokens or tokens[0].mark:
        raise _bad(say('There is no move after "{word}".', word=_as_quoted(behind)))
    return tokens.popleft().text


def _checked(rules: Rules[StateT, StepT], place: _Place[StateT], level: tuple[_Raw, ...], above: tuple[str, ...]) -> Plan:
    """Return the plan that the branches make at `place`. `above` are the parts of the plan that lead there."""
    plan: list[Branch] = []
    for raw in level:
        branch = _checked_branch(rules, place, raw, above)
        if any(branch.expected == other.expected for other in plan):
            message = say('"{part}" is there twice. Keep the one you mean.', part=_part(*above, raw.condition))
            raise NotAllowed("answered_twice", message)
        plan.append(branch)
    return tuple(plan)


def _checked_branch(rules: Rules[StateT, StepT], place: _Place[StateT], raw: _Raw, above: tuple[str, ...]) -> Branch:
    expected, part = None, (*above, raw.whole)
    after = _Place(place.state, None)
    if raw.expected is not None:
        condition = (*above, raw.condition)
        expected, after = _turn(rules, place, raw.expected, condition)
        if isinstance(after.next, Over):
            raise _no_answer(condition, say("That ends the game, so there is nothing to answer."))
        if _moves_again(place, after):
            raise _no_answer(condition, say("After that it is your opponent's move again, so there is nothing to answer."))
    act = (plain(raw.reply).casefold(),)
    if act in ACTS:
        if raw.then:
            raise _no_answer(part, say("Conditional moves end with that, so nothing can come after it."))
        return Branch(expected, act)
    reply, end = _turn(rules, after, raw.reply, part)
    if raw.then and isinstance(end.next, Over):
        raise _no_answer(part, say("That ends the game, so nothing can come after it."))
    if raw.then and _moves_again(after, end):
        raise _no_answer(part, say("After that it is your move again, and conditional moves only answer your opponent."))
    return Branch(expected, reply, _checked(rules, end, raw.then, part))


def _turn(rules: Rules[StateT, StepT], place: _Place[StateT], text: str, part: tuple[str, ...]) -> tuple[tuple[str, ...], _Place[StateT]]:
    try:
        if not isinstance(place.next, Choose):
            # after a roll or an `else` nobody knows the position, so legality shows when the answer is played
            steps = [_unchecked(rules, place.state, step) for step in split_turn(text)]
            return tuple(steps), place
        read = parse_turn(rules, place.state, text)
    except StepError as refused:
        message = say('In "{part}": {why}', part=_part(*part), why=refused.message)
        raise type(refused)(message, refused.code) from None
    return format_steps(rules, place.state, read.steps), _Place(read.state, read.next)


def _unchecked(rules: Rules[StateT, StepT], state: StateT, text: str) -> str:
    """Return a step in canonical notation that does not depend on the position.

    `Rules.parse` cannot promise that, for it may go by what stands on the board. Raises Unreadable for anything that is not canonical but
    for capitals, blanks and punctuation.
    """
    words = plain(text)
    for spelling in (words, words.replace(" ", "")):
        with suppress(Unreadable):
            return rules.format(state, rules.replay(state, spelling))
    # not among the attempts, so that the refusal quotes the text as it was written
    return rules.format(state, rules.replay(state, text))


def _moves_again(before: _Place[StateT], after: _Place[StateT]) -> bool:
    # after a roll it may be the same seat's turn too, but nobody can know
    return isinstance(before.next, Choose) and isinstance(after.next, Choose) and before.next.seat == after.next.seat


def _written(branch: Branch) -> str:
    condition = "else" if branch.expected is None else f"if {'; '.join(branch.expected)} then"
    then = f" ({write_plan(branch.then)})" if branch.then else ""
    return f"{condition} {'; '.join(branch.reply)}{then}"


def _check_length(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise NotAllowed(
            "plan_too_long", say("Conditional moves can take at most {most} characters. Leave out the least likely ones.", most=MAX_TEXT)
        )


def _part(*parts: str) -> str:
    """Return the innermost of some nested parts of a plan, with the part around it, as they are written."""
    part = parts[-1]
    for above in (*parts[-2:-1], *(["..."] if len(parts) > 2 else [])):
        part = say("{above} ({part})", above=above, part=part)
    return part


def _if(expected: str) -> str:
    return say("if {turn}", turn=_cut(expected))


def _cut(turn: str) -> str:
    text = " ".join(turn.split())
    return text if len(text) <= _MAX_TURN else f"{text[:_MAX_TURN]}..."


def _as_quoted(token: _Token) -> str:
    return _WORDS.get(token.mark) or _cut(token.text)


def _bad(told: str) -> NotAllowed:
    return NotAllowed("bad_plan", told)


def _no_answer(part: tuple[str, ...], why: str) -> NotAllowed:
    return NotAllowed("no_answer", say('In "{part}": {why}', part=_part(*part), why=why))


class Intended(NamedTuple):
    """A plan as its player means it: the seat, the opponent's turn that it begins with, and the branches."""

    seat: Seat
    turn: int
    plan: Plan


def intended(state: GameState, command: LayPlan) -> Intended:
    """Return the plan that the command means in the game as the player knows it.

    A turn that the player cannot know of yet counts as to come.

    Refuses (`your_turn`) to plan instead of playing, (`plan_out_of_date`) an answer to a mail that is too old, (`no_draws`) to offer a draw
    in a game without draws, and as `read_plan` does.
    """
    seat = seat_of(state, command.player)
    check_for_two(state.game.rules)
    turn, line = _first(state, seat, command)
    _check_mail(state, turn, command)
    plan = read_plan(state.game.rules, line.position, command.text)
    if not state.game.entry.draws and _offers_draw(plan):
        raise NotAllowed("no_draws", say('{game} can\'t end in a draw, so "draw" is no answer here.', game=state.game.entry.title))
    return Intended(seat, turn, plan)


def _offers_draw(plan: Plan) -> bool:
    return any(ACTS.get(branch.reply) is e.PlanAct.DRAW or _offers_draw(branch.then) for branch in plan)


def lay_plan(state: GameState, command: LayPlan) -> tuple[e.GameEvent, ...]:
    """Lay a plan in place of the present one. Refuses as `intended` does."""
    seat, turn, plan = intended(state, command)
    return (e.PlanLaid(seat=seat, turn=turn, digest=plan_digest(command.salt, plan)),)


def forget_plan(state: GameState, command: ForgetPlan) -> tuple[e.GameEvent, ...]:
    """Drop the player's plan. Refuses (`no_plan`) where there is none."""
    seat = seat_of(state, command.player)
    pending(state)
    if state.plans[seat - 1] is None:
        message = say("You have no conditional moves in this game now. If you had some, they were played or cancelled.")
        raise NotAllowed("no_plan", message)
    return (e.PlanDropped(seat=seat, reason=e.PlanEnd.FORGOTTEN),)


def answer_by_plan(state: GameState, command: AnswerByPlan, now: datetime, chance: Chance | None) -> tuple[e.GameEvent, ...]:
    """Play the planned answer of the seat that has the turn, or drop its plan.

    A plan without an answer is dropped, and its player has the turn as if there had been none. A plan that is played out is dropped too.
    Refuses (`not_due`) while there is nothing to answer, or while the last turn may still be corrected.
    """
    laid = state.planned
    if laid is None or state.to_move != command.seat or pending(state).clock.since > now:
        raise NotAllowed("not_due", "There is no turn that a plan of this seat could answer.")
    if state.asked(command.seat) is not None:
        # a turn would let the offer lapse before the player has seen it
        return _dropped(command.seat, e.PlanEnd.ASKED)
    plan = kept_plan(state, laid, command.text, command.salt)
    if plan is None:
        return _dropped(command.seat, e.PlanEnd.LOST)
    branch = reached(plan, command.seat, [turn for turn in state.line.turns if turn.turn >= laid.turn])
    if branch is None:
        return _dropped(command.seat, e.PlanEnd.NOT_EXPECTED)
    try:
        if act := ACTS.get(branch.reply):
            return _acted(state, command.seat, act, now, chance)
        played = play_planned(state, "; ".join(branch.reply), now, chance)
    except (StepError, NotAllowed):
        # a draw may have been offered too lately
        return _dropped(command.seat, e.PlanEnd.NOT_LEGAL)
    goes_on = branch.then or any(isinstance(event, e.GameEnded) for event in played)
    return played if goes_on else (*played, *_dropped(command.seat, e.PlanEnd.PLAYED_OUT))


def _acted(state: GameState, seat: Seat, act: e.PlanAct, now: datetime, chance: Chance | None) -> tuple[e.GameEvent, ...]:
    here, player = pending(state), state.player_at(seat)
    acted = e.PlanActed(seat=seat, turn=here.turn, act=act)
    # as of the beginning of the turn: a plan is never late
    if act is e.PlanAct.DRAW:
        return (acted, *offer_draw(state, OfferDraw(player, here.clock.since)))
    return (acted, *resign(state, Resign(player, here.clock.since), now, chance))


def kept_plan(state: GameState, laid: LaidPlan, text: str | None, salt: bytes) -> Plan | None:
    """Return the plan that was laid, read from its stored text. None if the text is lost or does not match the digest."""
    if text is None:
        return None
    try:
        # a row that was damaged or changed counts as lost: the digest in the log says what was laid
        plan = read_plan(state.game.rules, state.line.before(laid.turn).position, text)
        return plan if plan_digest(salt, plan) == laid.digest else None
    except (Refusal, ValueError):
        return None


def reached(plan: Plan, seat: Seat, since: Sequence[e.TurnPlayed]) -> Branch | None:
    """Return the branch of a seat's plan that answers the last of the turns played `since` the plan begins. None if no branch does.

    The opponent's turns and the seat's own answers alternate.
    """
    branch = None
    for number, turn in enumerate(since):
        # if one seat has played twice in a row, the plan does not fit any more
        own = number % 2 == 1
        if own is not (turn.seat == seat):
            return None
        if not own:
            branch = fitting(plan, turn.steps)
            plan = branch.then if branch else ()
    return branch if len(since) % 2 == 1 else None


def _first(state: GameState, seat: Seat, command: LayPlan) -> tuple[int, Line]:
    """Return the turn that the plan begins with, and the line before that turn."""
    unknown = unannounced(state, command.arrived_at)
    # the opponent may still correct it: to refuse or to answer by that turn would tell the player of it
    if unknown is not None and unknown.seat != seat:
        return unknown.turn, state.line.before(unknown.turn)
    here = pending(state)
    if here.seat == seat:
        message = say(
            "It is your move, turn {turn}: write it first. Conditional moves for what comes next can stand below it, in the same mail.",
            turn=here.turn,
        )
        raise NotAllowed("your_turn", message)
    return here.turn, state.line


def _check_mail(state: GameState, turn: int, command: LayPlan) -> None:
    """Refuse a plan that answers a mail from which its writer cannot know the board: a mail neither of this turn nor of the one before."""
    edition = state.edition if command.edition is None else command.edition
    answered = turn if command.turn is None else command.turn
    if answered not in (turn - 1, turn) or not state.known_edition <= edition <= state.edition:
        message = say("The game has moved on since that mail. Reply to the newest mail of this game.")
        raise NotAllowed("plan_out_of_date", message)


def _dropped(seat: Seat, reason: e.PlanEnd) -> tuple[e.GameEvent, ...]:
    return (e.PlanDropped(seat=seat, reason=reason),)
