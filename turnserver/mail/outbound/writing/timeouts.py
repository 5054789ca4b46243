"""Letters about time that is up, and about a move that somebody waits for."""

from datetime import timedelta
from typing import TypeVar, assert_never

from turnserver.ids import Event
from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.language import deadline_time, span
from turnserver.mail.outbound.letters import GameLetter, Letter, YourTurn
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.play import events as e
from turnserver.play.proposals import reopening_until
from turnserver.play.timeouts import PATIENCE
from turnserver.rules import Skipping
from turnserver.text import say

EventT = TypeVar("EventT", bound=Event)


def nudged(desk: GameDesk) -> Letter:
    """Tell the reader that somebody asks for their move."""
    asking = desk.table.at(_newest(desk, e.PlayerNudged).asked_by)
    headline = say(
        "In {game}, {player} asks whether you have seen that it is your move. You have time {when}.",
        game=desk.name,
        player=asking,
        when=desk.when,
    )
    return YourTurn(**desk.common(headline), happenings=desk.news())


def grace(desk: GameDesk) -> Letter:
    """Tell the reader that a player's time was up and is extended."""
    event = _newest(desk, e.GraceGranted)
    more = span(timedelta(hours=event.hours))
    told: str
    if event.seat != desk.seat:
        told = say(
            "In {game}, time ran out for {player}, who gets {span} more, once in the game, {when}.",
            game=desk.name,
            player=desk.table.at(event.seat),
            span=more,
            when=desk.when,
        )
    # The turn arrived after the deadline and before the sweep: it brought its grace along and is played already.
    elif event.turn != desk.state.turn:
        told = say(
            "In {game}, your turn came after your time was up. It counts all the same, because everybody gets {span} more once in a game; "
            "you have had them now.",
            game=desk.name,
            span=more,
        )
    else:
        extended = say("In {game}, your time ran out. You get {span} more, {when}.", game=desk.name, span=more, when=desk.when)
        told = paragraph(extended, say("This is the last extension in this game."), _then(desk))
    return GameLetter(**desk.common(told))


def missed(desk: GameDesk) -> Letter:
    """Tell the reader that their turn was skipped, or played by the house."""
    turn = desk.state.line.numbered[desk.context.detail["turn"] - 1]
    told: str
    if isinstance(turn, e.TurnSkipped):
        told = say("In {game}, your time for turn {turn} ran out, and the turn was skipped.", game=desk.name, turn=turn.turn)
    else:
        told = say(
            "In {game}, your time for turn {turn} ran out, and the house played {moves} for you.",
            game=desk.name,
            turn=turn.turn,
            moves=turn.text,
        )
    last = say("If your time runs out once more in your next turn, you lose your seat.")
    again = say("You will get a mail when it is your turn again.")
    missed_in_a_row = desk.state.line.missed(turn.seat, desk.state.seated_since(turn.seat))
    return GameLetter(**desk.common(paragraph(told, again, last if missed_in_a_row >= PATIENCE else "")))


def vacant(desk: GameDesk) -> Letter:
    """Tell the reader that a seat waits for somebody to take it over."""
    late = desk.state.to_move
    if late is not None and late == desk.seat:
        told = say(
            "In {game}, your time ran out. Your seat waits for somebody to take it over, {when}; you cannot play on.",
            game=desk.name,
            when=desk.when,
        )
        return GameLetter(**desk.common(paragraph(told, say("If something went wrong on our side, write to the admin."))))
    told = say(
        "In {game}, time ran out for {player}. The seat waits for somebody to take it over, {when}; if nobody does, it is lost.",
        game=desk.name,
        player=desk.table.at(late) if late is not None else say("nobody"),
        when=desk.when,
    )
    propose = say('You may name somebody who plays here: write "{line}" on a line of its own.', line=say("substitute <player>"))
    return GameLetter(**desk.common(paragraph(told, propose)))


def reopened(desk: GameDesk) -> Letter:
    """Tell the reader that a game goes on that was lost on time."""
    late = desk.state.to_move
    if late is not None and late == desk.seat:
        return GameLetter(**desk.common(say("{game} goes on, and it is your move, {when}.", game=desk.name, when=desk.when)))
    mover = desk.table.at(late) if late is not None else say("nobody")
    told = say("{game} goes on, and it is the move of {player}, {when}.", game=desk.name, player=mover, when=desk.when)
    return GameLetter(**desk.common(told))


def may_be_reopened(desk: GameDesk) -> str:
    """Return the way for a winner to let the other side play on; empty for anybody else."""
    until, result = reopening_until(desk.state), desk.state.result
    if until is None or until <= desk.context.now or result is None or desk.seat not in result.winners:
        return ""
    return say(
        'If you would rather play on, write "{reopen}" before {when}; the game goes on if the other side agrees by then.',
        reopen=say("reopen"),
        when=deadline_time(until, desk.context.person.zone),
    )


def after_missed_turn(desk: GameDesk) -> str:
    """Return the headline of a turn mail after a turn that was skipped or played by the house; empty after any other."""
    newest = desk.state.line.entry
    if isinstance(newest, e.TurnSkipped):
        return say(
            "In {game}, time ran out for {player}, and turn {turn} was skipped. It is your move, {when}.",
            game=desk.name,
            player=desk.table.of(newest),
            turn=newest.turn,
            when=desk.when,
        )
    if isinstance(newest, e.TurnPlayed) and newest.by_house:
        return say(
            "In {game}, time ran out for {player}, and the house played {moves}. It is your move, {when}.",
            game=desk.name,
            player=desk.table.of(newest),
            moves=newest.text,
            when=desk.when,
        )
    return ""


def _then(desk: GameDesk) -> str:
    large = len(desk.state.seats) > 2
    match desk.state.terms.when_late:
        case e.WhenLate.SKIP if large and isinstance(desk.state.game.rules, Skipping):
            return say("After that your turn is skipped.")
        case e.WhenLate.HOUSE if large:
            return say("After that the house plays for you.")
        case e.WhenLate.SUBSTITUTE:
            return say("After that somebody else may take your seat over.")
        case e.WhenLate.SKIP | e.WhenLate.HOUSE | e.WhenLate.LOSS:
            return say("After that you lose your seat.") if large else say("After that you lose the game.")
        case _:
            assert_never(desk.state.terms.when_late)


def _newest(desk: GameDesk, kind: type[EventT]) -> EventT:
    return next(one.event for one in reversed(desk.context.history) if isinstance(one.event, kind))
