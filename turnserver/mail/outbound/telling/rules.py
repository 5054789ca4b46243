"""The rules about plans, leagues and time, as the help tells them."""

from typing import Final

from turnserver.play.conditional_moves import MAX_BRANCHES
from turnserver.play.timeouts import PATIENCE, VACANCY
from turnserver.text import say


def plan_rules() -> tuple[str, ...]:
    """Return the rules about plans, in paragraphs."""
    return (
        say(
            "A plan answers for you, without your clock running. You may write one in games of two: while you wait, or below your own move."
        ),
        say(
            'One branch stands on a line, or several with semicolons between them: "{one}". The first that fits is played. An answer '
            'to whatever else is played comes last: "{other}". What comes after an answer stands in brackets behind it: "{then}".',
            one=say("if c6-a4 then d3-d4"),
            other=say("else d3-d5"),
            then=say("if b5-b6 then e2-e3 (if a1-a2 then e3-e4)"),
        ),
        say(
            "All of it is checked against the rules, as far as the board is known, and you get a mail that shows how it was understood. "
            'Until you hear of the move you can change it: a new plan takes the place of the old one, and "{forget}" drops it. "{plan}" '
            "shows what is left of it.",
            forget=say("forget plan"),
            plan=say("plan"),
        ),
        say(
            "A plan that has no answer to a move is dropped, and so is one whose answer is not legal then: it is your turn as always, and "
            "the mail says why. It does not answer either when your opponent has made you an offer. A turn that you play by hand, a "
            "substitute and the end of the game end it too."
        ),
        say("It has at most {n} branches. The log keeps only a digest of it and what was played by it.", n=MAX_BRANCHES),
    )


COMMANDS: Final = ("leagues", "table", "join", "ready", "leave", "challenge")
"""The commands that are explained together with leagues."""


def league_rules() -> tuple[str, ...]:
    """Return the rules about leagues, in paragraphs."""
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


def clock_rules() -> tuple[str, ...]:
    """Return the rules about time that hold for every time control, in paragraphs."""
    return (
        say("A turn counts by when your mail reached us, not by when we read it. While we are down, nobody's clock runs."),
        say(
            "When your time is up for the first time in a game, you get a day more, or what the game was opened with. A mail tells you and "
            "the others until when. You get that once in a game, it is not saved up, and there are no further reminders."
        ),
        say(
            "After that a game of two is lost. At a larger table you lose your seat and the others play on, unless the game was opened to "
            "have such turns skipped or played by the house: then you go on with your next turn, and lose your seat when it happens more "
            "than {n} times in a row.",
            n=PATIENCE,
        ),
        say(
            "Where the game was opened for substitutes, your seat waits {n} days for somebody to take it over. "
            "Nobody has to play until then.",
            n=VACANCY.days,
        ),
        say("A game that ends on time counts for nothing if one side has hardly played, as a rule not a single turn."),
        say(
            'Whoever has won a game of two on time can offer to play on with "{reopen}", as a rule for two days. Games with chance cannot '
            "be taken up again: what would be rolled is known then.",
            reopen=say("reopen"),
        ),
        say(
            'Whoever waits can ask with "{nudge}": once a day, not on the first day of a turn, and not while the clock stands still. '
            'Reminders come whether or not you have been here meanwhile; with "{off}" you get none.',
            nudge=say("nudge"),
            off=say("set reminders off"),
        ),
    )
