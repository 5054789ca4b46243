"""Printouts of divisions as a page for a printer: black on white, headings on each sheet, nothing from elsewhere and no scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from turnserver.league.presentation.printouts import Printout
from turnserver.mail.outbound.language import ENGLISH, language
from turnserver.web import pages

TEMPLATE: Final = "page/printouts.html.j2"


@dataclass(frozen=True, slots=True)
class PrintoutPage:
    """The variables of the template."""

    printouts: Annotated[Sequence[Printout], "what is printed, each on sheets of its own"]


def page(printouts: Sequence[Printout], language_key: str = ENGLISH) -> str:
    """Return a whole page in a language with these printouts."""
    return pages.render(TEMPLATE, PrintoutPage(language(language_key).told(tuple(printouts))), language_key)
