"""Letters about time that is up, and about a move that somebody waits for."""

from collections.abc import Sequence
from datetime import timedelta
from typing import assert_never

from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.language import deadline_time, span
from turnserver.mail.outbound.letters import Letter, YourTurn
from turnserver.mail.outbound.telling.events import end_taken_back, happened, paragraph
from turnserver.play import events as e
from turnserver.play.leaving import never_under_way
from turnserver.play.proposals import reopening_until
from turnserver.play.timeouts import PATIENCE
from turnserver.rules import Seat, Skipping
from turnserver.text import listing, say


def nudged(desk: GameDesk) -> Letter:
    """Tell the reader that somebody asks for their move."""
    asking = desk.table.at(desk.newest(e.PlayerNudged).asked_by)
    headline = say("{player} asks whether you have seen that it is your move.", player=asking)
    return YourTurn(**desk.common(paragraph(headline, desk.your_move)), happenings=desk.news())


def claim(desk: GameDesk) -> Letter:
    """Tell the reader that a player wants the game to be decided, or what came of that."""
    recorded = next(one for one in reversed(desk.context.history) if isinstance(one.event, e.ClaimMade | e.ClaimDropped | e.ClaimDecided))
    told, own = happened(recorded, desk.table), getattr(recorded.event, "seat", None) == desk.seat
    if not isinstance(recorded.event, e.ClaimMade):
        return desk.letter(told, "" if own else desk.your_move)
    if own:
        asked = say("You asked the organisers to decide the game, because turn {turn} is not played.", turn=recorded.event.turn)
        waits = say("Your claim waits for the organisers, and a mail tells you the decision. It is settled as soon as your opponent plays.")
        return desk.letter(asked, waits, say('To take it back, reply "claim off".'))
    return desk.letter(told, desk.your_move, settled_by_a_move())


def settled_by_a_move() -> str:
    """Return the sentence for a player whose opponent has made a claim."""
    return say("If you play it before the organisers have decided, the claim is settled.")


def grace(desk: GameDesk) -> Letter:
    """Tell the reader that a player's time was up and is extended."""
    event = desk.newest(e.GraceGranted)
    more = span(timedelta(hours=event.hours))
    if event.seat != desk.seat:
        told = say("{player} ran out of time and gets {span} more, {when}.", player=desk.table.at(event.seat), span=more, when=desk.when)
        return desk.letter(told, say("That happens once a game."))
    # The turn arrived after the deadline and before the sweep: it brought its grace along and is played already.
    if event.turn != desk.state.turn:
        told = say("Your move came after your time was up. It counts.")
        return desk.letter(told, say("Everybody gets {span} more once a game, and you have used that now.", span=more))
    told = say("Your time ran out. You get {span} more, {when}.", span=more, when=desk.when)
    return desk.letter(told, say("This is the last extension in this game."), _then(desk, event.seat))


def missed(desk: GameDesk) -> Letter:
    """Tell the reader that their turn was skipped, or played by the house."""
    turn = desk.state.line.numbered[desk.context.detail["turn"] - 1]
    told: str
    if isinstance(turn, e.TurnSkipped):
        told = say("Your time for turn {turn} ran out, and the turn was skipped.", turn=turn.turn)
    else:
        told = say("Your time for turn {turn} ran out, and the house played {moves} for you.", turn=turn.turn, moves=turn.text)
    last = say("If your time runs out once more in your next turn, you lose your seat.")
    again = say("You will get a mail when it is your turn again.")
    missed_in_a_row = desk.state.line.missed(turn.seat, desk.state.seated_since(turn.seat))
    return desk.letter(told, again, last if missed_in_a_row >= PATIENCE else "")


def vacant(desk: GameDesk) -> Letter:
    """Tell the reader that a seat waits for somebody to take it over."""
    late = desk.state.to_move
    if late is not None and late == desk.seat:
        told = say("Your time ran out, and you cannot play on.")
        taken = say("Somebody else may take over your seat, {when}.", when=desk.when)
        return desk.letter(told, taken, say("If something went wrong on our side, write to the organisers."))
    told = say("{player} ran out of time.", player=desk.table.at(late) if late is not None else say("nobody"))
    taken = say("Somebody else may take over the seat, {when}; if nobody does, it is lost.", when=desk.when)
    propose = say('You may name somebody who plays here: write "{line}" on a line of its own.', line=say("substitute <player>"))
    return desk.letter(told, taken, propose)


def reopened(desk: GameDesk) -> Letter:
    """Tell the reader that a game goes on that had ended: its players have agreed on it, or an admin took its end back."""
    history = desk.context.history
    event = next(one.event for one in reversed(history) if isinstance(one.event, e.GameReopened | e.EndRetracted))
    if isinstance(event, e.GameReopened):
        if event.to_move == desk.seat:
            return desk.letter(paragraph(say("The game goes on."), desk.your_move))
        told = say("The game goes on. {player} to move, {when}.", player=desk.table.at(event.to_move), when=desk.when)
        return desk.letter(told)
    newest_end = max(at for at, one in enumerate(history) if isinstance(one.event, e.GameEnded))
    before = history[newest_end - 1].event
    returned = [desk.table.at(before.seat)] if isinstance(before, e.SeatLeft) else []
    goes_on = say("The game goes on. Its result no longer counts, and neither do replies to earlier mails.")
    return desk.letter(end_taken_back(event.reason), back(returned), goes_on)


def back(returned: Sequence[str]) -> str:
    """Return the sentence that these players are at the table again; empty for none."""
    if not returned:
        return ""
    who = listing(returned, "and")
    return say("{player} is back at the table.", player=who) if len(returned) == 1 else say("{players} are back at the table.", players=who)


def may_be_reopened(desk: GameDesk) -> str:
    """Return the way for a winner to let the other side play on; empty for anybody else."""
    until, result = reopening_until(desk.state), desk.state.result
    if until is None or until <= desk.context.now or result is None or desk.seat not in result.winners:
        return ""
    return say(
        'Would you rather play on? Reply "{reopen}" by {when}; the game goes on if the other side agrees by then.',
        reopen=say("reopen"),
        when=deadline_time(until, desk.context.person.zone),
    )


def after_missed_turn(desk: GameDesk) -> str:
    """Return the news of a turn mail after a turn that was skipped or played by the house; empty after any other."""
    newest = desk.state.line.entry
    if isinstance(newest, e.TurnSkipped):
        return say("{player} ran out of time, and turn {turn} was skipped.", player=desk.table.of(newest), turn=newest.turn)
    if isinstance(newest, e.TurnPlayed) and newest.by_house:
        return say("{player} ran out of time, and the house played {moves}.", player=desk.table.of(newest), moves=newest.text)
    return ""


def _then(desk: GameDesk, late: Seat) -> str:
    large = len(desk.state.seats) > 2
    match desk.state.terms.when_late:
        case e.WhenLate.SKIP if large and isinstance(desk.state.game.rules, Skipping):
            return say("After that your turn is skipped.")
        case e.WhenLate.HOUSE if large:
            return say("After that the house plays for you.")
        case e.WhenLate.SUBSTITUTE:
            return say("After that somebody else may take your seat over.")
        case e.WhenLate.SKIP | e.WhenLate.HOUSE | e.WhenLate.LOSS:
            if large:
                return say("After that you lose your seat.")
            if never_under_way(desk.state, late):
                return say("After that the game ends without a result.")
            return say("After that you lose the game.")
        case _:
            assert_never(desk.state.terms.when_late)
