"""The report to the admin of history that is lost; in English, as all that admins get."""

from datetime import datetime
from typing import Final

from turnserver.mail.outbound.context import Occasion
from turnserver.mail.outbound.game_words import common
from turnserver.mail.outbound.letters import AdminReport, Fact, Letter
from turnserver.mail.outbound.wording import counted, date_and_time

MOST: Final = 20
"""How many losses a report names."""


def loss_report(occasion: Occasion) -> Letter:
    """What is lost, what shows it, and what to do about it."""
    detail, zone = occasion.detail, occasion.site.zone
    lost = list(detail["lost"])
    facts = [Fact(*(part.strip() for part in one.partition(": ")[::2])) for one in lost[:MOST]]
    more = [f"{counted(len(lost) - MOST, 'more thing')} of this kind."] if len(lost) > MOST else []
    shown = "Mails came that answer what is in no history here, or something published says more than there is; nobody can make that up."
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
    return AdminReport(**common(occasion, headline), facts=tuple(facts), meaning=(shown, meaning, told, *more), steps=steps)
