"""The report to the admin of a mail about a game that was given up; in English, as all that admins get."""

from turnserver.mail.outbound.context import Occasion
from turnserver.mail.outbound.game_words import common
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter
from turnserver.mail.outbound.wording import counted, one_line

_LONGEST_REASON = 500


def given_up_headline(occasion: Occasion) -> str:
    """Which mail it is about."""
    detail = occasion.detail
    about = f"about game {detail['game']}" if detail["game"] else "about their games"
    return f"A mail to {one_line(detail['name'])} {about} was given up."


def given_up_report(occasion: Occasion) -> Letter:
    """Which mail could not be sent, why, what that means for its player, and what to do."""
    detail = occasion.detail
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
        f"It is not tried again by itself, and nobody else is told. {clock[:1].upper()}{clock[1:]} (play.undelivered).",
        "This report comes once a day for a player.",
    )
    steps = (
        Fact("To see all that was given up", "turnserver mail outbox --status dead"),
        Fact("To send it again, when the reason is gone", f"turnserver mail retry {number}"),
        Fact("To send all that waits for this player", f"turnserver mail resend {detail['player']}"),
        Fact("If there is another address", f"turnserver player edit {detail['player']} --address ADDRESS"),
    )
    return AdminReport(**common(occasion, given_up_headline(occasion)), facts=facts, meaning=meaning, steps=steps)
