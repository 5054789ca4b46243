"""Letters to the others at a table about mail that does not arrive."""

from datetime import datetime

from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.language import date_and_time
from turnserver.mail.outbound.letters import Letter, Reach
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.text import say


def unreachable(desk: GameDesk) -> Letter:
    """Tell the reader that mail to another player comes back, or that the game has stopped waiting for that player."""
    name = _who(desk)
    if "until" in desk.context.detail:
        return _waited_enough(desk)
    if desk.context.detail["waits"]:
        clock = say(
            "So {player} may not know what happens in the game. Nobody loses on time because of that: once {player} has been told of a "
            "turn, {player} has the full time for it. Your own clock runs as ever.",
            player=name,
        )
    else:
        clock = say(
            "So {player} may not know what happens in the game. The clock runs on all the same, as it does for everybody here.", player=name
        )
    headline = say("In {game}, our mail to {player} comes back.", game=desk.name, player=_seated(desk))
    return Reach(**desk.common(headline), meaning=(clock, _what_to_do(name, desk.context.site.admin)))


def _waited_enough(desk: GameDesk) -> Letter:
    """Tell the reader that the game has waited for another player as long as it may."""
    detail, state = desk.context.detail, desk.state
    headline = say("In {game}, the clock of {player} runs again.", game=desk.name, player=_seated(desk))
    waited = say(
        "The game has waited {n} day for mail to reach {player}, and it waits no longer.",
        "The game has waited {n} days for mail to reach {player}, and it waits no longer.",
        n=detail["days"],
        player=_who(desk),
    )
    until = date_and_time(datetime.fromisoformat(detail["until"]), desk.context.person.zone)
    limit = say("The time of {player} is up at {deadline}.", player=_who(desk), deadline=until)
    may_be_taken_up = len(state.seats) == 2 and state.commitment is None and state.terms.reopen_hours > 0
    choice = say('If you win by that and would rather play on, answer the mail about it with "reopen".') if may_be_taken_up else ""
    return Reach(**desk.common(headline), meaning=(paragraph(waited, limit, choice),))


def _what_to_do(name: str, admin: str) -> str:
    if admin:
        return say(
            "You will get a mail when {player} can be reached again. If you know each other, pass the word on: {player} has only to "
            "answer any mail of ours, or to write to {admin}.",
            player=name,
            admin=admin,
        )
    return say(
        "You will get a mail when {player} can be reached again. If you know each other, pass the word on: {player} has only to "
        "answer any mail of ours.",
        player=name,
    )


def reachable(desk: GameDesk) -> Letter:
    """Tell the reader that another player can be reached again."""
    back = say(
        "The game goes on as before. If a turn waits for {player}, the clock counts from when {player} was told of it.", player=_who(desk)
    )
    headline = say("In {game}, {player} can be reached again.", game=desk.name, player=_seated(desk))
    return Reach(**desk.common(headline), meaning=(back,))


def _who(desk: GameDesk) -> str:
    return desk.table.name(desk.context.detail["player"])


def _seated(desk: GameDesk) -> str:
    seat = desk.state.seat_of(desk.context.detail["player"])
    return desk.table.at(seat) if seat is not None else _who(desk)
