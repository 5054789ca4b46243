"""What a mail asks for, given the game that it is about and the mail of ours that it answers."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile

from turnserver import games
from turnserver.errors import NotAllowed
from turnserver.mail.inbound.league_phrases import Leave
from turnserver.mail.inbound.phrases import Accept, Confirm, Decline, Draw, Move, Phrase, Preview, Resign
from turnserver.mail.inbound.read import Reading
from turnserver.mail.inbound.seat_phrases import Substitute
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.understanding import Understood, assents, understand
from turnserver.mail.inbound.verdict import Verdict
from turnserver.mail.outbound.notices.game import Kind, Problem
from turnserver.play.state import GameState, Status
from turnserver.service.mailroom.command_handler import Answer, Desk, Unfit
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.mail import outbox
from turnserver.text import say

_FINAL = (Resign, Confirm, Accept, Decline, Draw, Substitute, Leave)
"""Phrases that an older mail may well hold and that give something away: none is carried out if it may be quoted."""


def understood(
    conn: Transaction, reading: Reading, lines: Sequence[str], state: GameState | None, is_move: Callable[[str], bool]
) -> Understood:
    """What a mail asks for in its `lines`, or in lines that stand in their stead.

    Refuses a mail that cannot be used, and one whose turn would lack lines that its writer has copied.
    """
    several = state is not None and state.game.entry.several
    resembles = partial(resembles_step, state.game.entry.step_words) if state is not None and several else None
    lucky = state is not None and state.status is Status.INVITING and state.commitment is not None
    names = [one.name for one in leagues.listed(conn)]
    league = _answered(conn, reading) if state is None and names else ""
    interpret = partial(understand, is_move=is_move, games=games.CATALOGUE, resembles=resembles, lucky=lucky, leagues=names, league=league)
    said = interpret(lines)
    if several and (not lines or any(isinstance(phrase, Move | Preview) for phrase in said.phrases)):
        _refuse_barred(reading, is_move)
    if reading.problem is not None and (reading.lines or not lines):
        raise NotAllowed(reading.problem.code, reading.problem.message)
    if any(isinstance(phrase, _FINAL) for phrase in said.phrases):
        _refuse_doubtful(reading, said, interpret)
    return said


def _answered(conn: Transaction, reading: Reading) -> str:
    """What the league is called whose mail is answered; empty if it was about none."""
    mail = outbox.by_message_id(conn, reading.references[0]) if reading.references else None
    return f"league-{mail.league}" if mail is not None and mail.league is not None else ""


def confirmed(conn: Transaction, desk: Desk, reading: Reading, phrases: Sequence[Phrase]) -> Sequence[Phrase]:
    """The phrases, with `resign` for a `confirm resign` that is not sure to be about the game as it stands: then we ask once more.

    It is sure if the mail answers the one that asked, or any mail of the present turn.
    """
    if Confirm() not in phrases or desk.state is None or (desk.token.turn, desk.token.edition) == (desk.state.turn, desk.state.edition):
        return phrases
    answered = outbox.by_message_id(conn, reading.references[0]) if reading.references else None
    if answered is not None and (answered.kind, answered.player, answered.game) == (Kind.RESIGNING, desk.person.id, desk.token.game):
        return phrases
    return tuple(dict.fromkeys(Resign() if phrase == Confirm() else phrase for phrase in phrases))


def previewed_again(conn: Transaction, desk: Desk, reading: Reading, said: Understood) -> Answer | None:
    """The answer to a mere yes to a preview: its lines, for sending them. None to any other mail; refuses what can be played no more."""
    if said.phrases or not reading.references or not assents(reading.lines):
        return None
    answered = outbox.by_message_id(conn, reading.references[0])
    if answered is None or answered.kind != Kind.PREVIEW or (answered.player, answered.game) != (desk.person.id, desk.token.game):
        return None
    return desk.preview_again(answered.detail["steps"])


def _refuse_doubtful(reading: Reading, said: Understood, interpret: Callable[[Sequence[str]], Understood]) -> None:
    """Ask about a phrase that gives something away for good, if only a line below what looks like another mail says it."""
    certain = reading.certain_lines
    if len(certain) == len(reading.lines):
        return
    above = interpret(certain).phrases
    doubtful = [
        quote for phrase, quote in zip(said.phrases, said.quotes, strict=True) if isinstance(phrase, _FINAL) and phrase not in above
    ]
    if doubtful:
        message = say(
            "This stands below what looks like another mail, so I cannot tell whether you mean it now, and nothing was done. "
            "If you do, write it at the top of your answer."
        )
        raise Unfit("below_another_mail", [Problem(quote, message, "below_another_mail") for quote in doubtful])


def _refuse_barred(reading: Reading, is_move: Callable[[str], bool]) -> None:
    """A turn must not lose the steps that were copied with the bars in front of them, which count as quoted."""
    own = (line.text for line in takewhile(lambda line: line.verdict in (Verdict.KEPT, Verdict.QUOTED), reading.text))
    barred = next((text for text in own if text.startswith("|") and is_move(text.removeprefix("|").lstrip())), None)
    if barred is not None:
        message = say("A line that begins with a bar counts as quoted. Send the turn again, all of it, without the bars.")
        raise Unfit("barred", [Problem(barred, message, "barred")])
