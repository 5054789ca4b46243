"""Letters about mail that does not arrive: to the others at a table, and to the admin."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.game_words import GameDesk, common
from turnserver.mail.outbound.kinds import Detail
from turnserver.mail.outbound.language import counted, date_and_time, one_line
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter, Reach
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.play.timeouts import VACANCY
from turnserver.text import listing, say

_LONGEST_REASON: Final = 300


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


def _headline(detail: Detail) -> str:
    name = one_line(detail["name"])
    if detail["about"] == "held":
        whom = "whom mail reached only now" if detail.get("told") else "whom mail does not reach"
        return f"{_games(detail['games'])} has waited {counted(detail['days'], 'day')} for {name}, {whom}."
    if detail["about"] == "vacant":
        return f"{_games(detail['games'])} waits for a substitute for {name}."
    return f"Mail to {name} comes back."


def lost_mail_report(context: MailContext) -> Letter:
    """Write the report of mail to a player that does not arrive, its meaning, and the possible steps."""
    detail = context.detail
    facts: tuple[Fact, ...] = (
        Fact("Player", f"{one_line(detail['name'])}, number {detail['player']}"),
        Fact("Address", one_line(detail["address"])),
        Fact("Reason", one_line(detail["why"], _LONGEST_REASON) or "not known"),
        Fact("Running games", _listed(detail["games"]) or "none"),
    )
    if detail["about"] == "vacant":
        facts = facts[:2]
    return AdminReport(**common(context, _headline(detail)), facts=facts, meaning=tuple(_meaning(detail)), steps=tuple(_steps(detail)))


def provider_report(context: MailContext) -> Letter:
    """Write the report of a provider that refuses our mail to anybody, its meaning, and the possible steps."""
    detail = context.detail
    missing = detail["missing"]
    facts = (
        Fact("Provider", one_line(detail["provider"])),
        Fact("Reason", one_line(detail["why"], _LONGEST_REASON) or "not known"),
    )
    if missing:
        seen = f"Within a day it has said of {missing} mailboxes, more than half of those we wrote to, that there are none."
        why = f"{seen} So this is most likely about us, or its own trouble, and no player is marked as unreachable for it."
    else:
        why = "Its server objects to us or to our mail, not to an address. So no player is marked as unreachable for it."
    look = (
        "Players there may not be told of their turns. Mail is sent as ever. If it stays like that, look at SPF, DKIM, the reverse name of "
        "your server, and at the lists of blocked addresses; the reason often names a page."
    )
    meaning = (why, look, "This report comes once a week for a provider, while it lasts.")
    steps = (
        Fact("To see what came back", "turnserver mail outbox list --status bounced"),
        Fact("To see how your mail looks from outside", "turnserver doctor --mail"),
        *(Fact("A player marked before this was seen", f"turnserver player set {player} reachable yes") for player in detail["marked"]),
    )
    headline = f"{one_line(detail['provider'])} refuses our mail."
    return AdminReport(**common(context, headline), facts=facts, meaning=meaning, steps=steps)


def _meaning(detail: Detail) -> Iterator[str]:
    if detail["about"] == "vacant":
        yield f"Time ran out. If nobody sits at seat {detail['seat']} within {VACANCY.days} days, it is lost as the clock would have it."
        yield "The players were told. Nobody has to play until then."
        return
    if detail["about"] == "held":
        if detail.get("told"):
            yield "Who gets our mail could write such reports."
        yield "The game waits no longer: its clock runs, and the others were told until when (play.max_undelivered_days)."
        yield "This mail comes once for this turn."
        return
    yield "Everything but reminders is still sent, in case that mail gets through again; this report comes once."
    if detail["games"]:
        clock = "time counts for nobody who cannot be told of a turn" if detail["waits"] else "their clocks run on"
        yield f"The other players of these games were told; {clock} (play.undelivered)."


def _steps(detail: Detail) -> Iterator[Fact]:
    number = detail["player"]
    if detail["about"] == "vacant":
        for game in detail["games"]:
            yield Fact("To put somebody in", f"turnserver game substitute {game} {detail['seat']} PLAYER")
            yield Fact("To give more time for it", f"turnserver game credit {game} --help")
        return
    yield Fact("To see what came back", "turnserver mail outbox list --status bounced")
    yield Fact("If there is another address", f"turnserver player set {number} address ADDRESS")
    yield Fact("If mail gets through again", f"turnserver player set {number} reachable yes")
    if detail["about"] == "held":
        yield from (Fact("To end the game", f"turnserver game result {game} --help") for game in detail["games"])


def _games(numbers: Sequence[int]) -> str:
    return f"{'Game' if len(numbers) == 1 else 'Games'} {_listed(numbers)}"


def _listed(numbers: Sequence[int]) -> str:
    return listing([str(number) for number in numbers], "and") if numbers else ""


def _who(desk: GameDesk) -> str:
    return desk.table.name(desk.context.detail["player"])


def _seated(desk: GameDesk) -> str:
    seat = desk.state.seat_of(desk.context.detail["player"])
    return desk.table.at(seat) if seat is not None else _who(desk)
