"""Mails of a league's news: a headline of one sentence, then what it means for the reader, under the names of those who play now."""

import pytest

from tests.mail.outbound.occasions import every_occasion
from turnserver.mail.outbound.compose import compose

SAID = {
    "league_news, a place is filled": (
        "Eve plays on for Bob in season 1 of Take Winter.",
        "To be played with a new game: Cleo - Eve. You get a mail when it starts.",
    ),
    "league_news, to whoever fills a place": (
        "You play on for Bob in season 1 of Take Winter.",
        "Their unfinished games are yours now, and so are those to come; you get a mail for each.",
    ),
    "league_news, somebody is back": (
        "Bob is back in season 1 of Take Winter: an admin undid the withdrawal.",
        "The games that Bob finished count again. To be played with a new game: Cleo - Bob. You get a mail when it starts.",
    ),
    "league_news, one more game": ("Take Winter: you also play Eve - Ada.", "You get a mail when it starts. Finish by "),
    "league_entry, late with games": (
        "An admin entered you for season 1 of Take Winter, which has begun.",
        "You play Eve - Ada, Cleo - Eve, Eve - Dan, Bob - Eve. You get a mail for each when it starts.",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_what_it_says_first_and_then(name: str) -> None:
    said = compose(every_occasion()[name]).text.split("\n\n")
    headline, then = (" ".join(part.split()) for part in (said[1], " ".join(said[2:])))
    assert (headline, SAID[name][1] in then) == (SAID[name][0], True), then
