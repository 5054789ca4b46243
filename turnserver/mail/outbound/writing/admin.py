"""Reports to the admin, in English: about the service, about games, about players whom mail does not reach, and all that waits."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.game_words import WrittenLetter, common, site_subject
from turnserver.mail.outbound.kinds import Detail
from turnserver.mail.outbound.language import counted, date_and_time, one_line, span
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter
from turnserver.mail.outbound.telling.league_report import write_league_report
from turnserver.play.timeouts import VACANCY
from turnserver.text import capitalised, listing

_LONGEST_REASON: Final = 500
_LONGEST_ANSWER: Final = 300
"""The most characters of the words of a mail server."""


def _clock_report(context: MailContext) -> Letter:
    """Write the report of a wrong clock: the reason, the work that stands still, and the steps to take."""
    meaning = (
        "No deadline is enforced and no mail is handled. Mail servers are asked to keep their mail and to try again.",
        "Everything goes on by itself as soon as the clock is right. This report comes once a day.",
    )
    # Reports that wait since before there were others can be confirmed.
    confirm = (Fact("If the clock is right", "turnserver confirm-clock"),) if context.detail.get("confirmable", True) else ()
    steps = (
        Fact("To see what the clock says", "timedatectl status"),
        *confirm,
        Fact("To see whether all is well now", "turnserver doctor"),
    )
    facts = (Fact("Reason", one_line(context.detail["why"], _LONGEST_REASON)),)
    return AdminReport(**common(context, "The clock of the machine cannot be right."), facts=facts, meaning=meaning, steps=steps)


def _given_up_report(context: MailContext) -> Letter:
    """Write the report of a mail that was given up: the reason, the consequence for its player, and the steps to take."""
    detail = context.detail
    number = detail["mail"]
    facts = (
        Fact("Mail", f"number {number} of the outbox ({detail['kind']})"),
        Fact("Player", f"{one_line(detail['name'])}, number {detail['player']}"),
        Fact("Address", one_line(detail["address"])),
        Fact("Tried", counted(detail["attempts"], "time")),
        Fact("Reason", one_line(detail["why"], _LONGEST_REASON)),
    )
    clock = "no time counts for a turn that its player was not told of" if detail["waits"] else "clocks run on all the same"
    meaning = (
        f"It is not tried again by itself, and nobody else is told. {capitalised(clock)} (play.undelivered).",
        "This report comes once a day for a player.",
    )
    steps = (
        Fact("To see all that was given up", "turnserver mail outbox list --status dead"),
        Fact("To send it again, when the reason is gone", f"turnserver mail outbox retry {number}"),
        Fact("To send all that waits for this player", f"turnserver mail resend {detail['player']}"),
        Fact("If there is another address", f"turnserver player set {detail['player']} address ADDRESS"),
    )
    about = f"about game {detail['game']}" if detail["game"] else "about their games"
    headline = f"A mail to {one_line(detail['name'])} {about} was given up."
    return AdminReport(**common(context, headline), facts=facts, meaning=meaning, steps=steps)


def _claim_report(context: MailContext) -> Letter:
    """Write the report of a claim: who does not move, what the claimant says, and how it is decided."""
    detail = context.detail
    game, words = detail["game"], one_line(detail["words"], _LONGEST_REASON)
    facts = (
        Fact("Game", f"{game}, turn {detail['turn']}"),
        Fact("Claim by", one_line(detail["claimant"])),
        Fact("Does not move", one_line(detail["mover"])),
        *([Fact("Words", words)] if words else []),
    )
    meaning = ("The claim waits for you. Both players are told what you decide, with your reason, and a move settles it before that.",)
    steps = (
        Fact("To see whether mail reaches the player", f"turnserver player show {one_line(detail['mover'])}"),
        Fact("To see the game", f"turnserver game history {game}"),
        Fact("To grant it, which wins the game", f"turnserver game claim {game} --grant --reason TEXT"),
        Fact("To dismiss it", f"turnserver game claim {game} --dismiss --reason TEXT"),
    )
    headline = f"{one_line(detail['claimant'])} asks you to decide game {game}."
    return AdminReport(**common(context, headline), facts=facts, meaning=meaning, steps=steps)


MOST: Final = 20
"""The number of losses that a report names."""


def _loss_report(context: MailContext) -> Letter:
    """Write the report of lost history: the losses, their evidence, and the steps to take."""
    detail, zone = context.detail, context.site.zone
    lost = list(detail["lost"])
    # Each is written as `subject: evidence`.
    facts = [Fact(*(part.strip() for part in one.partition(": ")[::2])) for one in lost[:MOST]]
    more = [f"{counted(len(lost) - MOST, 'more thing')} of this kind."] if len(lost) > MOST else []
    shown = "Mails answer what is in no history here, or something published says more than there is. Nobody can forge that."
    if detail["since"] is not None:
        meaning = f"The database was put back to how it was on {date_and_time(datetime.fromisoformat(detail['since']), zone)}."
    else:
        meaning = "So the database is an older one than the service worked on, or another service signs with the same keys."
    told = (
        "Every player with open games has been told what they are now, and whoever answers an older mail is told again."
        if detail["told"]
        else "Players who answer an older mail are told. To tell all of them, stop the service and run `turnserver restored`."
    )
    steps = (
        Fact("All that is known to be lost", "turnserver audit loss"),
        Fact("To see whether all is well now", "turnserver doctor"),
    )
    headline = f"History was lost: {counted(len(lost), 'thing')} that happened {'is' if len(lost) == 1 else 'are'} not here any more."
    return AdminReport(**common(context, headline), facts=tuple(facts), meaning=(shown, meaning, told, *more), steps=steps)


def _rest_report(context: MailContext) -> Letter:
    """Write the report of a game that rests: the reason, the fate of its players' mail and time, and the steps to take."""
    detail = context.detail
    facts = (
        Fact("Game", str(detail["game"])),
        Fact("Reason", one_line(detail["why"], _LONGEST_REASON)),
        Fact("No time counts from", str(date_and_time(datetime.fromisoformat(detail["since"]), context.site.zone))),
    )
    meaning = (
        "Nobody is served in this game, and nobody loses on time. Whoever writes about it hears that; the mail is kept.",
        "As soon as a program runs that can follow it, it goes on by itself: time is given back, and the mail that was kept is handled.",
        "The other games go on. This report comes once.",
    )
    steps = (
        Fact("To see which games rest", "turnserver doctor"),
        Fact("To see which games this program cannot follow", "turnserver audit replay-all"),
        Fact("Before the next upgrade, with the new program", "turnserver doctor --upgrade"),
    )
    headline = f"Game {detail['game']} rests: this program cannot follow its log."
    return AdminReport(**common(context, headline), facts=facts, meaning=meaning, steps=steps)


def _outage_report(context: MailContext) -> Letter:
    """Write the report of an outage: its beginning and end, its evidence, and the clocks that got the time back."""
    detail, zone = context.detail, context.site.zone
    began, ended = (datetime.fromisoformat(detail[name]) for name in ("began", "ended"))
    at_odds = [str(game) for game in detail["at_odds"]]
    facts = (
        Fact("From", str(date_and_time(began, zone))),
        Fact("To", str(date_and_time(ended, zone))),
        Fact("Clocks that got the time back", str(detail["games"])),
        Fact("Clocks at odds", ", ".join(at_odds) or "none"),
    )
    noticed = (
        f"No sweep of the deadlines ran in this time, or a mailbox could not be read to its end. A gap of more than "
        f"{counted(detail['minutes'], 'minute')} counts (jobs.outage_minutes)."
    )
    if ended - began <= timedelta(minutes=detail["minutes"]):
        # a gap as short as this is kept for nothing else
        noticed = "The database was put back in this time, or the clock of the machine was confirmed."
    meaning = "Nobody loses on time because of it: every clock that was running stood still, and whoever had the turn was told."
    odds = f"The games {', '.join(at_odds)} could not be given their time; the log of the service says why."
    steps = (
        *(Fact(f"To look at game {game}", f"turnserver game why-deadline {game}") for game in at_odds),
        Fact("To see whether all is well now", "turnserver doctor"),
    )
    return AdminReport(
        **common(context, f"The service was down for {span(ended - began)}."),
        facts=facts,
        meaning=(noticed, meaning, *([odds] if at_odds else [])),
        steps=steps,
    )


def _status_report(context: MailContext) -> Letter:
    """Write the weekly report of everything that waits for the admin, with what to type for each thing."""
    tasks = [[one_line(part, _LONGEST_REASON) for part in task] for task in context.detail["tasks"]]
    # Several things of one league are looked at with one command.
    commands = {command: about for about, _, command in tasks}
    steps = (*(Fact(about, command) for command, about in commands.items()), Fact("All of it, as it is now", "turnserver status"))
    return AdminReport(
        **common(context, f"{counted(len(tasks), 'thing')} {'waits' if len(tasks) == 1 else 'wait'} for you."),
        facts=tuple(Fact(about, says) for about, says, _ in tasks),
        meaning=("This report comes once a week, as long as anything waits.",),
        steps=steps,
    )


def _unreachable_report(context: MailContext) -> Letter:
    """Write the report of mail to a player that comes back, its meaning, and the possible steps."""
    detail = context.detail
    meaning = ["Everything but reminders is still sent, in case that mail gets through again; this report comes once."]
    if detail["games"]:
        clock = "time counts for nobody who cannot be told of a turn" if detail["waits"] else "their clocks run on"
        meaning.append(f"The other players of these games were told; {clock} (play.undelivered).")
    headline = f"Mail to {one_line(detail['name'])} comes back."
    facts = (*_player(detail), *_lost_mail(detail))
    return AdminReport(**common(context, headline), facts=facts, meaning=tuple(meaning), steps=_to_reach(detail))


def _held_report(context: MailContext) -> Letter:
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


def _vacant_report(context: MailContext) -> Letter:
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
    why = one_line(detail["why"], _LONGEST_ANSWER) or "not known"
    return Fact("Reason", why), Fact("Running games", _listed(detail["games"]) or "none")


def _to_reach(detail: Detail) -> tuple[Fact, ...]:
    number = detail["player"]
    return (
        Fact("To see what came back", "turnserver mail outbox list --status bounced"),
        Fact("If there is another address", f"turnserver player set {number} address ADDRESS"),
        Fact("If mail gets through again", f"turnserver player set {number} reachable yes"),
    )


def _provider_report(context: MailContext) -> Letter:
    """Write the report of a provider that refuses our mail to anybody, its meaning, and the possible steps."""
    detail = context.detail
    missing = detail["missing"]
    facts = (
        Fact("Provider", one_line(detail["provider"])),
        Fact("Reason", one_line(detail["why"], _LONGEST_ANSWER) or "not known"),
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


_REPORTS: Final[Mapping[str, Callable[[MailContext], Letter]]] = {
    "claim": _claim_report,
    "clock": _clock_report,
    "given up": _given_up_report,
    "held": _held_report,
    "league": write_league_report,
    "loss": _loss_report,
    "outage": _outage_report,
    "provider": _provider_report,
    "rest": _rest_report,
    "status": _status_report,
    "unreachable": _unreachable_report,
    "vacant": _vacant_report,
}
"""The writer of each report, by what it is about."""


def admin_report(context: MailContext) -> WrittenLetter:
    """Write the report that a mail to the admin is."""
    letter = _REPORTS[context.detail["about"]](context)
    return WrittenLetter(letter, site_subject(context, letter.headline.rstrip(".")))
