"""The commands as people are told of them; `turnserver.mail.inbound.one_line` reads them."""

from typing import NamedTuple

from turnserver.text import say


class Usage(NamedTuple):
    """One command for people: its first word, how to write it, what it does, and an example that reads as it stands."""

    word: str
    usage: str
    meaning: str
    example: str


HELP: tuple[Usage, ...] = (
    Usage(
        "move",
        say("move <your move>"),
        say("Play a turn. The move alone, on a line of its own, does it too."),
        say("move d3"),
    ),
    Usage(
        "preview",
        say("preview [<your move>]"),
        say("See what a turn would come to, without playing it. On a line of its own it does so for the lines of a turn in the same mail."),
        say("preview d3"),
    ),
    Usage(
        "if",
        say("if <their move> then <your move>; else <your move>"),
        say(
            "In games of two, answer a move before it is played. Give as many moves and answers as you like; what comes after an answer "
            "stands in brackets behind it. If your opponent plays one of them, your answer is played at once; if not, it is your turn as "
            "always. Nobody else hears of the plan before the game is over."
        ),
        say("if c6 then d3; else d4"),
    ),
    Usage("plan", say("plan"), say("See your plan: what you have written with if."), say("plan")),
    Usage("forget", say("forget plan"), say("Drop your plan. A new plan takes its place as well."), say("forget plan")),
    Usage(
        "undo",
        say("undo [<your move>]"),
        say(
            "Take your last move back, and play the one behind it. For some minutes after a move nobody else hears of it; "
            "later, undo alone asks the others to agree."
        ),
        say("undo d3"),
    ),
    Usage("resign", say("resign"), say("Give the game up. You get a mail first that asks you to confirm it."), say("resign")),
    Usage("confirm", say("confirm resign"), say("Give the game up for good."), say("confirm resign")),
    Usage("draw", say("draw"), say("Offer a draw, in games that know draws."), say("draw")),
    Usage(
        "accept",
        say("accept [<words>]"),
        say("Join the game that you are invited to, or agree to what is on offer. Words of your own behind it go into the dice of a game."),
        say("accept"),
    ),
    Usage("decline", say("decline"), say("Decline the invitation, or what is on offer."), say("decline")),
    Usage(
        "pause",
        say("pause [<days>]"),
        say("Propose a pause to the others. If they accept, no clock of the game runs for that long; moves may be played all the same."),
        say("pause 14 days"),
    ),
    Usage(
        "resume",
        say("resume"),
        say("End the pause. Clocks run again a day later, or at once when everybody at the table has written it."),
        say("resume"),
    ),
    Usage(
        "nudge",
        say("nudge"),
        say("Ask whoever has the turn for the move: once a day, and not on the first day of a turn. No news means that it was passed on."),
        say("nudge"),
    ),
    Usage(
        "reopen",
        say("reopen"),
        say("Offer to play on, when you have won a game of two on time. It goes on if the other side accepts."),
        say("reopen"),
    ),
    Usage(
        "substitute",
        say("substitute <player> | off"),
        say(
            "Propose that somebody takes over your seat, or one that waits for somebody. If the others accept, the player you named is "
            "asked; until the answer comes you play on. The word off instead of a name calls it off."
        ),
        say("substitute Carl"),
    ),
    Usage(
        "vacation",
        say("vacation [<first day> to <last day> | <days> | off]"),
        say(
            "Be away for whole days, the last one included, or for some days from now on: your clock stands still in all of your "
            "games that allow it, and the others are told. "
            "Alone, it tells you how many days you have left this year and what you have declared; off ends a vacation."
        ),
        say("vacation 2027-07-01 to 2027-07-14"),
    ),
    Usage(
        "challenge",
        say("challenge <player> [and <player>] [<game>] [<option>=<value> ...] [first|second] [time=<time>]"),
        say(
            "Invite others to a game, by name or address. The first turn goes by lot unless you say first or second. To play for a place "
            "on the ladder of a league, put in and the number of the league behind one name."
        ),
        say("challenge Bob take size=4 first time=3d"),
    ),
    Usage("leagues", say("leagues"), say("Get the list of the leagues that there are, and what each of them waits for."), say("leagues")),
    Usage(
        "table",
        say("table <league>"),
        say("See how a league stands: who has entered, or the table with all results. Its number alone, as in league-3, does it too."),
        say("table league-3"),
    ),
    Usage(
        "join",
        say("join <league>"),
        say("Enter the season of a league whose entries are open. Its games then begin without invitations."),
        say("join league-3"),
    ),
    Usage(
        "ready", say("ready <league>"), say("Let us know that you are there, when a mail of the league asks for it."), say("ready league-3")
    ),
    Usage(
        "leave",
        say("leave <league>"),
        say("Leave the season of a league. Once it has begun, games that are not over are lost by forfeit, or do not count."),
        say("leave league-3"),
    ),
    Usage("show", say("show [turn <n>]"), say("Get the board by mail, as it is or as it was after a turn."), say("show turn 12")),
    Usage("history", say("history"), say("Get the whole game so far."), say("history")),
    Usage("clock", say("clock"), say("See why the deadline of the present turn is when it is, as a small bill."), say("clock")),
    Usage("games", say("games"), say("Get the list of your games."), say("games")),
    Usage(
        "resend",
        say("resend"),
        say("Get the mails once more that wait for your move or your answer, if you have lost them."),
        say("resend"),
    ),
    Usage("rules", say("rules [<game>]"), say("Get the rules of a game."), say("rules take")),
    Usage(
        "say",
        say("say <words>"),
        say("Tell the others something. After a line with only say: everything to the next empty line is told."),
        say("say Well played!"),
    ),
    Usage(
        "settings",
        say("settings"),
        say("Get the list of what you can set: how much mail comes, when, and what it looks like."),
        say("settings"),
    ),
    Usage(
        "set",
        say("set <name> <value>"),
        say("Change one of your settings; several such lines in one mail are fine. The answer to settings lists them all."),
        say("set digest 18:00"),
    ),
    Usage(
        "unsubscribe",
        say("unsubscribe"),
        say("Get no more mail from us, except answers to your own. Your games go on."),
        say("unsubscribe"),
    ),
    Usage("subscribe", say("subscribe"), say("Get mail again."), say("subscribe")),
    Usage("help", say("help [<command>]"), say("Get this list, or what there is to know about one command."), say("help challenge")),
)
"""Every command. Shown by the help mail and the manual; `example` is what the tests read, in every language."""
