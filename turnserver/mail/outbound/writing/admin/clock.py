"""The report to the admin of a clock that cannot be right; in English, as all that admins get."""

from turnserver.mail.outbound.context import Occasion
from turnserver.mail.outbound.game_words import common
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter
from turnserver.mail.outbound.wording import one_line

CLOCK_HEADLINE = "The clock of the machine cannot be right."
_LONGEST_REASON = 500


def clock_report(occasion: Occasion) -> Letter:
    """What the clock says, what stands still, and what to do."""
    meaning = (
        "No deadline is enforced and no mail is handled. Mail servers are asked to keep their mail and to try again.",
        "Everything goes on by itself as soon as the clock is right. This report comes once a day.",
    )
    steps = (
        Fact("To see what the clock says", "timedatectl status"),
        Fact("If the clock is right", "turnserver confirm-clock"),
        Fact("To see whether all is well now", "turnserver doctor"),
    )
    facts = (Fact("Reason", one_line(occasion.detail["why"], _LONGEST_REASON)),)
    return AdminReport(**common(occasion, CLOCK_HEADLINE), facts=facts, meaning=meaning, steps=steps)
