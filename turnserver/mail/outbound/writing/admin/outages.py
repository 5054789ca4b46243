"""The report to the admin of a time during which the service did not do its work; in English, as all that admins get."""

from datetime import datetime

from turnserver.mail.outbound.context import Occasion
from turnserver.mail.outbound.game_words import common
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter
from turnserver.mail.outbound.wording import counted, date_and_time, span


def outage_report(occasion: Occasion) -> Letter:
    """From when to when it was, how it was noticed, and which clocks got the time back."""
    detail, zone = occasion.detail, occasion.site.zone
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
    meaning = "Nobody loses on time because of it: every clock that was running stood still, and whoever had the turn was told."
    odds = f"The games {', '.join(at_odds)} could not be given their time; the log of the service says why."
    steps = (
        *(Fact(f"To look at game {game}", f"turnserver game why-deadline {game}") for game in at_odds),
        Fact("To see whether all is well now", "turnserver doctor"),
    )
    return AdminReport(
        **common(occasion, f"The service was down for {span(ended - began)}."),
        facts=facts,
        meaning=(noticed, meaning, *([odds] if at_odds else [])),
        steps=steps,
    )
