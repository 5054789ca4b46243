"""The report to the admin of a game that the installed program cannot follow; in English, as all that admins get."""

from datetime import datetime

from turnserver.mail.outbound.context import Occasion
from turnserver.mail.outbound.game_words import common
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter
from turnserver.mail.outbound.wording import date_and_time, one_line

_LONGEST_REASON = 500


def rest_headline(occasion: Occasion) -> str:
    """Which game it is about."""
    return f"Game {occasion.detail['game']} rests: this program cannot follow its log."


def rest_report(occasion: Occasion) -> Letter:
    """Which game rests, why, what becomes of its players' mail and time, and what to do."""
    detail = occasion.detail
    facts = (
        Fact("Game", str(detail["game"])),
        Fact("Reason", one_line(detail["why"], _LONGEST_REASON)),
        Fact("No time counts from", str(date_and_time(datetime.fromisoformat(detail["since"]), occasion.site.zone))),
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
    return AdminReport(**common(occasion, rest_headline(occasion)), facts=facts, meaning=meaning, steps=steps)
