"""The one question that a mail of ours leaves open: what a mere yes or no to it stands for, and what is asked about an unclear line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from turnserver.errors import Refusal
from turnserver.mail.format.tokens import Token
from turnserver.mail.inbound.phrases import Accept, Confirm, Decline, Leave, Move, Note, Phrase, Ready, Say
from turnserver.mail.inbound.understanding import Understood
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.commands import PlayTurn
from turnserver.play.state import GameState
from turnserver.play.turns import look_ahead
from turnserver.service.leagues.commands import question_of
from turnserver.store.mail.outbox import OutboxItem

_MOST_WORDS: Final = 30
"""The number of words of a sentence in which a move is looked for."""

_LONGEST_MOVE: Final = 4
"""The number of words of the longest move that is looked for."""

_AROUND: Final = ".,;:!?()[]*_~'\""


class Question(NamedTuple):
    """The phrases that a yes and a no stand for. A text is a line, to be read as if it stood there; a None changes nothing.

    If it `joins`, it asks whether the reader will play. If it is `final`, its yes cannot be taken back.
    """

    yes: Phrase | str
    no: Phrase | None = None
    joins: bool = False
    final: bool = False


def question(answered: OutboxItem | None, token: Token, state: GameState | None) -> Question | None:
    """Return the question that is open to the writer of a mail, who answers that mail of ours with that token; None if there is none.

    A mail that asks something of its own asks that. Every other mail about a game asks what the game asks of the player.
    """
    if answered is not None and answered.player == token.player and (answered.game or 0) == token.game:
        if suggested := answered.detail.get("suggestion"):
            return Question(suggested, final=True)  # may be `confirm resign`
        match question_of(answered):
            case MailKind.RESIGNING, _:
                return Question(Confirm(), final=True)
            case MailKind.PREVIEW, _:
                return Question(Move("\n".join(answered.detail["steps"])))
            case MailKind.LEAGUE_LEAVING, int(league):
                return Question(Leave(f"league-{league}", confirmed=True), final=True)
            case MailKind.LEAGUE_READY, int(league):
                return Question(Ready(f"league-{league}", asked=True), Leave(f"league-{league}"), joins=True)
            case _:  # asks nothing of its own
                pass
    if state is None or not state.asks(token.player):
        return None
    return Question(Accept(), Decline(), joins=state.invites(token.player))


def leaves_room(said: Understood, lines: Sequence[str]) -> bool:
    """Return whether the first of these lines may be a yes or no beside what is said: words for the others, notes, or nothing at all.

    Beside a line that nearly is a command it is not, since that one has to be asked about.
    """
    first = next(filter(None, lines), "")
    others = [one for one in said.unclear if one.suggestion is not None and one.line != first]
    return not (said.conflict or others) and all(isinstance(phrase, Say | Note) for phrase in said.phrases)


def suggestion(said: Understood, state: GameState | None, turn: PlayTurn) -> str:
    """Return the one line that a writer of unclear lines may have meant, or an empty text: a command, or a legal move in a sentence.

    `turn` is a turn of the writer's, without its text, to be tried with a move.
    """
    if said.phrases:
        return ""
    found: set[str] = set()
    for one in said.unclear:
        moves = _moves_in(one.line, state, turn)
        found.update(moves if one.suggestion is None or len(moves) > 1 else [one.suggestion])
    only = found.pop() if len(found) == 1 else ""
    return "" if "<" in only else only  # a form to fill in


def _moves_in(line: str, state: GameState | None, turn: PlayTurn) -> Sequence[str]:
    """Return the longest legal moves among the words of a line, in canonical notation; none where a turn may take several steps."""
    if state is None or state.game.entry.several:
        return ()
    words = [word.strip(_AROUND) for word in line.split()[:_MOST_WORDS]]
    for size in range(_LONGEST_MOVE, 0, -1):
        found = [move for at in range(len(words) - size + 1) if (move := _legal(" ".join(words[at : at + size]), state, turn))]
        if found:
            return found
    return ()


def _legal(text: str, state: GameState, turn: PlayTurn) -> str:
    try:
        return "; ".join(look_ahead(state, replace(turn, text=text)))
    except Refusal:
        return ""
