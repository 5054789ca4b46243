"""Letters about mail that does not arrive: to the others at a table, and to the admin."""

from collections.abc import Sequence
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


def unreachable_report(context: MailContext) -> Letter:
    """Write the report of mail to a player that comes back, its meaning, and the possible steps."""
    detail = context.detail
    meaning = ["Everything but reminders is still sent, in case that mail gets through again; this report comes once."]
    if detail["games"]:
        clock = "time counts for nobody who cannot be told of a turn" if detail["waits"] else "their clocks run on"
        meaning.append(f"The other players of these games were told; {clock} (play.undelivered).")
    headline = f"Mail to {one_line(detail['name'])} comes back."
    facts = (*_player(detail), *_lost_mail(detail))
    return AdminReport(**common(context, headline), facts=facts, meaning=tuple(meaning), steps=_to_reach(detail))


def held_report(context: MailContext) -> Letter:
    """Write the report of a game that has waited for mail to a player as long as it may, its meaning, and the possible steps."""
    detail = context.detail
    told = detail.get("told")
    whom = "whom mail reached only now" if told else "whom mail does not reach"
    meaning = (
        *(("Who gets our mail could write such reports.",) if told else ()),
        "The game waits no longer: its clock runs, and the others were told until when (play.max_undelivered_days).",
        "This mail comes once for this turn.",
    )
    ends = (Fact("To end the game", f"turnserver game result {game} --help") for game in detail["games"])
    headline = f"{_games(detail['games'])} has waited {counted(detail['days'], 'day')} for {one_line(detail['name'])}, {whom}."
    facts = (*_player(detail), *_lost_mail(detail))
    return AdminReport(**common(context, headline), facts=facts, meaning=meaning, steps=(*_to_reach(detail), *ends))


def vacant_report(context: MailContext) -> Letter:
    """Write the report of a seat that waits for a substitute, its meaning, and the possible steps."""
    detail = context.detail
    seat, games = detail["seat"], detail["games"]
    meaning = (
        f"Time ran out. If nobody sits at seat {seat} within {VACANCY.days} days, it is lost as the clock would have it.",
        "The players were told. Nobody has to play until then.",
    )
    steps = [
        step
        for game in games
        for step in (
            Fact("To put somebody in", f"turnserver game substitute {game} {seat} PLAYER"),
            Fact("To give more time for it", f"turnserver game credit {game} --help"),
        )
    ]
    headline = f"{_games(games)} waits for a substitute for {one_line(detail['name'])}."
    return AdminReport(**common(context, headline), facts=_player(detail), meaning=meaning, steps=tuple(steps))


def _player(detail: Detail) -> tuple[Fact, ...]:
    return Fact("Player", f"{one_line(detail['name'])}, number {detail['player']}"), Fact("Address", one_line(detail["address"]))


def _lost_mail(detail: Detail) -> tuple[Fact, ...]:
    why = one_line(detail["why"], _LONGEST_REASON) or "not known"
    return Fact("Reason", why), Fact("Running games", _listed(detail["games"]) or "none")


def _to_reach(detail: Detail) -> tuple[Fact, ...]:
    number = detail["player"]
    return (
        Fact("To see what came back", "turnserver mail outbox list --status bounced"),
        Fact("If there is another address", f"turnserver player set {number} address ADDRESS"),
        Fact("If mail gets through again", f"turnserver player set {number} reachable yes"),
    )


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


def _games(numbers: Sequence[int]) -> str:
    return f"{'Game' if len(numbers) == 1 else 'Games'} {_listed(numbers)}"


def _listed(numbers: Sequence[int]) -> str:
    return listing([str(number) for number in numbers], "and") if numbers else ""


def _who(desk: GameDesk) -> str:
    return desk.table.name(desk.context.detail["player"])


def _seated(desk: GameDesk) -> str:
    seat = desk.state.seat_of(desk.context.detail["player"])
    return desk.table.at(seat) if seat is not None else _who(desk)
