"""How plans are written and what becomes of them, for people who ask."""

from turnserver.play.conditional_moves import MAX_BRANCHES
from turnserver.text import say


def plan_rules() -> tuple[str, ...]:
    """The rules about plans, in paragraphs."""
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
