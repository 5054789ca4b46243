"""How leagues are played, for people who ask."""

from typing import Final

from turnserver.text import say

COMMANDS: Final = ("leagues", "table", "join", "ready", "leave", "challenge")
"""What is told together with it."""


def league_rules() -> tuple[str, ...]:
    """The rules about leagues, in paragraphs."""
    return (
        say(
            "A league is called by its number, as in league-3, or by its whole name. In an answer to a mail about a league, the first word "
            "alone is enough."
        ),
        say(
            "Whoever enters a season agrees to all of its games: they begin by themselves, without invitations. Each game is played "
            "in mails of its own, as any other game."
        ),
        say(
            "Where there are more players than places, the others are on a waiting list, and come in when somebody leaves before the "
            "start. Some leagues ask shortly before the start who is there; whoever does not answer is left out."
        ),
        say(
            "Whoever plays a season to its end is entered for the next one, and may leave it again. Whoever leaves a season that has begun "
            "loses the other games of it by forfeit; where everybody meets everybody and less than half was played, nothing of it "
            "counts in the table."
        ),
    )
