"""What becomes of a turn whose time is up, for people who ask."""

from turnserver.play.timeouts import PATIENCE, VACANCY
from turnserver.text import say


def clock_rules() -> tuple[str, ...]:
    """The rules about time that hold whatever a game's time control is, in paragraphs."""
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
