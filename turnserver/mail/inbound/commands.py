"""Every command by mail, in one table: its name, its reader, its words in mails, and the commands that it goes together with.

The effects of a command are decided in one place, `service.mailroom.command_handler`. Its words in other languages stand in the catalogue
of each language (`templates/languages`), under the word here.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

from turnserver.mail.inbound import phrases as p
from turnserver.mail.inbound.directions import read_directing
from turnserver.mail.inbound.synonyms import any_of, synonyms
from turnserver.mail.inbound.time_phrases import (
    Give,
    Nudge,
    Pause,
    Reopen,
    Resume,
    Vacation,
    read_end,
    read_give,
    read_pause,
    read_vacation,
)
from turnserver.text import say

Reader: TypeAlias = Callable[[str, frozenset[str]], p.Phrase | None]
"""Read what stands behind a first word, given the names of the games; None if it is no such command."""


@dataclass(frozen=True, slots=True)
class MailCommand:
    """One command by mail."""

    word: str
    """The word that it begins with; its name in help, in the catalogues of other languages, and in `clashes`."""

    phrase: type[p.Phrase]
    """The class that a line of it becomes."""

    usage: str
    """Its form, for its writer."""

    meaning: str
    """Its effect, in words for its writer."""

    sample: str = ""
    """A line that reads as it stands, in every language; empty where its form does."""

    lines: Mapping[str, p.Phrase] = field(default_factory=dict)
    """Whole lines that are this command, in lower case."""

    reads: Mapping[str, Reader] = field(default_factory=dict)
    """The readers of the words behind a first word."""

    harmless: bool = False
    """A question that anybody may ask by mistake: a misspelled one is no near miss."""

    askable: bool = False
    """A question mark behind it changes nothing: `draw?` offers a draw. Everything else that is not harmless is asked about then."""

    guessed: bool = True
    """A misspelled word is compared with this one."""

    final: bool = False
    """It gives something away that an older mail may well name: it is not carried out if it may be quoted."""

    general: bool = False
    """A question that needs no game and is answered to the registered address, whoever has asked."""

    once: bool = False
    """Two different ones in a mail contradict each other."""

    clashes: frozenset[str] = frozenset()
    """The words of commands above it in the table that cannot be meant in the same mail."""

    @property
    def example(self) -> str:
        """A line that reads as it stands."""
        return self.sample or self.usage


FORGETTING: Final = ("forget", "delete", "cancel", "drop")
_SHOW_FILLERS = frozenset({"the", "board", "at", "after", "turn"})
_SEAT_WISHES = {"first": True, "second": False}
_CHALLENGE_FILLERS = frozenset({"to", "at", "a", "game", "of"})
_NUMBER = re.compile(r"[0-9]{1,6}")
_EDGES = "*_~'\" "
_TO = "to "


def _move(argument: str, _games: frozenset[str]) -> p.Move:
    return p.Move(argument)


def _preview(argument: str, _games: frozenset[str]) -> p.Preview:
    return p.Preview(argument)


def _rules(argument: str, games: frozenset[str]) -> p.Rules | None:
    game = argument.casefold().removeprefix("of ").removeprefix("for ")
    return p.Rules(game) if game in games or " " not in game else None


def _help(argument: str, _games: frozenset[str]) -> p.Help | None:
    return p.Help(argument.casefold().rstrip(":")) if " " not in argument else None


def _show(argument: str, _games: frozenset[str]) -> p.Show | None:
    words = [word for word in argument.casefold().split() if word not in _SHOW_FILLERS]
    return p.Show(int(words[0])) if len(words) == 1 and _NUMBER.fullmatch(words[0]) else None


def _challenge(argument: str, games: frozenset[str]) -> p.Challenge | None:
    about, marked, time = _words_for("time", r"(?:^|[ ,]){} ?[=:]").sub("\n", argument, count=1).partition("\n")
    about, written = about.strip(" ,"), time.replace('"', "").strip(" ,")
    # the stroke in `3 days/move` stands between two words to translate; one in `Europe/Berlin` does not
    time = _in_english(_words_for("move", r"/(?={}\b)").sub(" / ", written)).replace(" / ", "/")
    if marked and not time:
        return None
    # people write `size = 4`
    tight = about.replace(" = ", "=").replace("= ", "=").replace(" =", "=").split()
    given = dict(word.lower().split("=", 1) for word in tight if "=" in word)
    settings = tuple((_in_english(name), _in_english(value)) for name, value in given.items())
    words = [word for word in tight if "=" not in word]
    first = None
    if len(words) > 1 and (wish := _in_english(words[-1].casefold())) in _SEAT_WISHES:
        words.pop()
        first = _SEAT_WISHES[wish]
    # names of games have up to three words; the longest one is tried first, and somebody has to be left to challenge
    game = next((name for size in (3, 2, 1) if len(words) > size and (name := " ".join(words[-size:]).casefold()) in games), None)
    filling: list[str] = []
    if game is not None:
        del words[-len(game.split()) :]
        while len(words) > 1 and _in_english(words[-1].casefold()) in _CHALLENGE_FILLERS:
            filling.insert(0, words.pop())
    parts = _words_for("and", r" ?(?:,|&|\b{}\b) ?").split(" ".join(words), maxsplit=9)
    opponents = tuple(name.strip(_EDGES) for name in parts if name.strip(_EDGES))
    if not opponents:
        return None
    return p.Challenge(opponents, game, settings, time or None, first, filling=tuple(filling), time_as_written=written)


def _in_english(word: str) -> str:
    return synonyms().in_english("challenge", word)


@cache
def _words_for(english: str, pattern: str) -> re.Pattern[str]:
    """Return the pattern, with the words of all languages for a word behind `challenge` in place of `{}`."""
    return re.compile(pattern.format(f"(?:{any_of(synonyms().argument('challenge', english))})"), re.IGNORECASE)


def _set(argument: str, _games: frozenset[str]) -> p.Set | None:
    name, value = name_and_value(argument)
    return p.Set(name, value) if name in p.SETTABLE and value else None


def name_and_value(argument: str) -> tuple[str, str]:
    """Return the two parts of `digest 18:00`, whether a space, `=` or `to` joins them."""
    name, _, value = argument.replace("=", " ").partition(" ")
    value = value.strip(_EDGES)
    return name.casefold().rstrip(_EDGES + ":"), value[len(_TO) :] if value.casefold().startswith(_TO) else value


COMMANDS: Final[tuple[MailCommand, ...]] = (
    MailCommand(
        "move",
        p.Move,
        say("move <your move>"),
        say("Play a turn. The move alone, on a line of its own, works too."),
        say("move d3"),
        reads={"move": _move},
        once=True,
    ),
    MailCommand(
        "preview",
        p.Preview,
        say("preview [<your move>]"),
        say("See what a turn would do, without playing it. On a line of its own, it previews the moves in the same mail."),
        say("preview d3"),
        lines=dict.fromkeys(("preview", "preview turn", "preview the turn", "preview my turn"), p.Preview("")),
        reads={"preview": _preview},
        askable=True,
        once=True,
    ),
    MailCommand(
        "if",
        p.If,
        say("if <their move> then <your move>; else <your move>"),
        say(
            "Conditional moves, in games of two: answer a move before it is played. "
            "Give as many moves and answers as you like; what comes after an answer goes in brackets behind it. "
            "If your opponent plays one of them, your answer is played at once; if not, it is your move as always. "
            "Nobody else sees them before the game is over."
        ),
        say("if c6 then d3; else d4"),
        guessed=False,
        once=True,
        clashes=frozenset({"preview"}),
    ),
    MailCommand(
        "plan",
        p.Plan,
        say("plan"),
        say("See your conditional moves."),
        lines=dict.fromkeys(("plan", "my plan", "show plan", "show the plan", "show my plan"), p.Plan()),
        harmless=True,
    ),
    MailCommand(
        "forget",
        p.Forget,
        say("forget plan"),
        say("Cancel your conditional moves. New ones replace the old ones too."),
        lines={f"{verb} {article}plan": p.Forget() for verb in FORGETTING for article in ("", "the ", "my ")},
        guessed=False,
        clashes=frozenset({"if"}),
    ),
    MailCommand(
        "undo",
        p.Undo,
        say("undo [<your move>]"),
        say(
            "Take your last move back, and play the one after the word. "
            "Until the others are told of the move, nobody hears of it; afterwards, undo alone asks them to agree."
        ),
        say("undo d3"),
        lines=dict.fromkeys(("undo", "undo my move", "undo my last move", "take back", "take it back", "take back my move"), p.Undo()),
        clashes=frozenset({"preview"}),
    ),
    MailCommand(
        "resign",
        p.Resign,
        say("resign"),
        say("Give up the game. You first get a mail that asks you to confirm."),
        lines=dict.fromkeys(("resign", "i resign", "give up", "i give up"), p.Resign()),
        final=True,
        clashes=frozenset({"move", "preview", "if", "undo"}),
    ),
    MailCommand(
        "confirm",
        p.Confirm,
        say("confirm resign"),
        say("This resigns the game for good."),
        lines=dict.fromkeys(("confirm resign", "confirm resignation", "confirm: resign", "i confirm resign"), p.Confirm()),
        guessed=False,
        final=True,
        clashes=frozenset({"move", "preview", "if", "undo"}),
    ),
    MailCommand(
        "draw",
        p.Draw,
        say("draw"),
        say("Offer a draw, in games that can end in one."),
        lines=dict.fromkeys(("draw", "offer draw", "offer a draw", "i offer a draw", "draw offer"), p.Draw()),
        askable=True,
        final=True,
        clashes=frozenset({"resign", "confirm"}),
    ),
    MailCommand(
        "accept",
        p.Accept,
        say("accept [<words>]"),
        say("Agree to an invitation or an offer. Any words you add go into the dice of the game."),
        say("accept"),
        lines=dict.fromkeys(
            ("accept", "i accept", "accept draw", "accept the draw", "accept invitation", "accept the invitation"), p.Accept()
        ),
        final=True,
        once=True,
        clashes=frozenset({"move", "preview", "undo", "resign", "confirm", "draw"}),
    ),
    MailCommand(
        "decline",
        p.Decline,
        say("decline"),
        say("Turn down an invitation or an offer."),
        lines=dict.fromkeys(
            ("decline", "i decline", "decline draw", "decline the draw", "decline invitation", "decline the invitation"), p.Decline()
        ),
        final=True,
        clashes=frozenset({"resign", "confirm", "accept"}),
    ),
    MailCommand(
        "pause",
        Pause,
        say("pause [<days>]"),
        say("Propose a pause. If the others accept, no clock of the game runs for that long; everybody can still move."),
        say("pause 14 days"),
        lines=dict.fromkeys(("pause", "a pause", "propose a pause", "pause the game"), Pause()),
        reads={"pause": read_pause},
        askable=True,
        once=True,
        clashes=frozenset({"draw", "accept"}),
    ),
    MailCommand(
        "resume",
        Resume,
        say("resume"),
        say("End the pause. Clocks run again a day later, or at once when everybody has replied it."),
        lines=dict.fromkeys(("resume", "resume the game", "end the pause", "end pause", "pause off"), Resume()),
        clashes=frozenset({"pause"}),
    ),
    MailCommand(
        "nudge",
        Nudge,
        say("nudge"),
        say("Ask the player to move for their move: once a day, and not on the first day of a turn. If you hear nothing, we passed it on."),
        lines=dict.fromkeys(("nudge", "nudge them", "send a reminder"), Nudge()),
    ),
    MailCommand(
        "claim",
        p.Claim,
        say("claim [off]"),
        say(
            "In games of two: when your opponent has been silent for more than a day, ask the organisers to decide the game. "
            "Say why with say, in the same mail. A move settles it; claim off takes it back."
        ),
        say("claim"),
        lines={
            **dict.fromkeys(("claim", "claim the game", "claim a decision"), p.Claim()),
            **dict.fromkeys(("claim off", "drop the claim", "drop my claim"), p.Claim(off=True)),
        },
        final=True,
        once=True,
        clashes=frozenset({"move", "undo", "resign", "confirm", "draw", "accept", "pause"}),
    ),
    MailCommand(
        "give",
        Give,
        say("give <time>"),
        say(
            "In games of two: give your opponent more time for this turn, in hours, days or weeks. "
            "It can stand in the mail with your move. If you hear nothing, they have it, and their mail says so."
        ),
        say("give 2 days"),
        reads={"give": read_give},
        guessed=False,
        final=True,
        once=True,
        clashes=frozenset({"undo", "resign", "confirm", "pause", "claim"}),
    ),
    MailCommand(
        "reopen",
        Reopen,
        say("reopen"),
        say("Offer to play on after you have won a game of two on time. It goes on if the other side accepts."),
        lines=dict.fromkeys(("reopen", "reopen the game", "play on"), Reopen()),
    ),
    MailCommand(
        "substitute",
        p.Substitute,
        say("substitute <player> | off"),
        say(
            "Propose somebody to take over your seat, or one that waits for a substitute. "
            "If the others accept, we ask the player you named; until they answer, you play on. "
            "The word off instead of a name calls it off."
        ),
        say("substitute Carl"),
        reads={"substitute": p.read_substitute},
        askable=True,
        final=True,
        once=True,
        clashes=frozenset({"resign", "confirm", "draw", "accept", "pause"}),
    ),
    MailCommand(
        "vacation",
        Vacation,
        say("vacation [<first day> to <last day> | <days> | off]"),
        say(
            "Be away for whole days, the last one included, or for some days from now on. "
            "Your clock stands still in all your games that allow it, and the others are told. "
            "Alone, it shows how many days you have left this year and what you have declared; off ends a vacation."
        ),
        say("vacation 2027-07-01 to 2027-07-14"),
        lines={
            **dict.fromkeys(("vacation", "vacations", "my vacation", "my vacations", "show vacation"), Vacation()),
            **dict.fromkeys(("vacation off", "end vacation", "end my vacation", "end the vacation"), Vacation(off=True)),
        },
        reads={"vacation": read_vacation, "end": read_end},
        once=True,
    ),
    MailCommand(
        "challenge",
        p.Challenge,
        say("challenge <player> [and <player>] [<game>] [<option>=<value> ...] [first|second] [time=<time>]"),
        say(
            "Invite others to a game, by name or address. Lots decide who moves first unless you say first or second. "
            "To play for a place on the ladder of a league, add in and the number of the league after one name."
        ),
        say("challenge Bob take size=4 first time=3d"),
        reads={"challenge": _challenge},
        askable=True,
    ),
    MailCommand(
        "leagues",
        p.Leagues,
        say("leagues"),
        say("Get a list of the leagues here, and what each of them waits for."),
        lines=dict.fromkeys(("leagues", "list leagues", "show leagues", "all leagues"), p.Leagues()),
        harmless=True,
        general=True,
    ),
    MailCommand(
        "table",
        p.Table,
        say("table <league>"),
        say("See how a league stands: who has entered, or the table with all results. Its number alone, as in league-3, works too."),
        say("table league-3"),
        harmless=True,
        guessed=False,
        general=True,
    ),
    MailCommand(
        "join",
        p.Join,
        say("join <league>"),
        say("Enter a season of a league while entries are open. Its games then begin without invitations."),
        say("join league-3"),
        guessed=False,
    ),
    MailCommand(
        "ready",
        p.Ready,
        say("ready <league>"),
        say("Tell us that you are there, when a mail of the league asks, or that you play after all where you asked for a bye."),
        say("ready league-3"),
        guessed=False,
    ),
    MailCommand(
        "bye",
        p.Bye,
        say("bye <league>"),
        say(
            "Ask not to be paired in the next Swiss round, which may be the first, or in another, as in bye league-3 round 4. "
            "The first bye of a season is worth half a point, unless it is in the last round; others none. "
            "With 0 behind the league, as in bye league-3 0, it has none."
        ),
        say("bye league-3"),
        guessed=False,
    ),
    MailCommand(
        "leave",
        p.Leave,
        say("leave <league>"),
        say(
            "Leave the season of a league. Once it has begun, your unfinished games are lost by forfeit, or don't count, "
            "so you first get a mail that asks you to confirm."
        ),
        say("leave league-3"),
        guessed=False,
        final=True,
    ),
    MailCommand(
        "direct",
        p.Direct,
        say("direct <league> <what you decide>"),
        say(
            "For whoever directs a league: decide about it, by the lines in the mail that named you. "
            "The word direct may be left out; the word because begins your reason."
        ),
        say("direct league-3 result 4 win-loss"),
        reads={"direct": read_directing},
        guessed=False,
        final=True,
    ),
    MailCommand(
        "show",
        p.Show,
        say("show [turn <n>]"),
        say("Get the board, as it is now or as it was after a turn."),
        say("show turn 12"),
        lines=dict.fromkeys(("show", "show board", "show the board", "board"), p.Show()),
        reads={"show": _show},
        harmless=True,
    ),
    MailCommand(
        "history",
        p.History,
        say("history"),
        say("Get the whole game so far."),
        lines=dict.fromkeys(("history", "show history", "transcript"), p.History()),
        harmless=True,
    ),
    MailCommand(
        "clock",
        p.Clock,
        say("clock"),
        say("See how the deadline of this turn comes about, as a small bill."),
        lines=dict.fromkeys(("clock", "show clock", "show the clock", "my clock", "deadline"), p.Clock()),
        harmless=True,
    ),
    MailCommand(
        "games",
        p.Games,
        say("games"),
        say("Get a list of your games."),
        lines=dict.fromkeys(("games", "my games", "list games", "show games"), p.Games()),
        harmless=True,
        general=True,
    ),
    MailCommand(
        "resend",
        p.Resend,
        say("resend"),
        say("Get the mails again that wait for your move or your answer, if you have lost them."),
        lines=dict.fromkeys(("resend", "send again", "resend mails", "resend my mails"), p.Resend()),
        harmless=True,
        general=True,
    ),
    MailCommand(
        "rules",
        p.Rules,
        say("rules [<game>]"),
        say("Get the rules of a game."),
        say("rules take"),
        lines=dict.fromkeys(("rules", "show rules"), p.Rules()),
        reads={"rules": _rules},
        harmless=True,
        general=True,
    ),
    MailCommand(
        "say",
        p.Say,
        say("say <words>"),
        say("Tell the others something, up to an empty line or a command. Below a line with only say: it may be all up to an empty line."),
        say("say Well played!"),
        guessed=False,
    ),
    MailCommand(
        "note",
        p.Note,
        say("note <words>"),
        say(
            "Keep a private note with this turn. Your next mails of the game show it; nobody else sees it. "
            "With a colon behind the word, alone on a line, we keep everything up to the next empty line."
        ),
        say("note Watch their corner."),
        guessed=False,
    ),
    MailCommand(
        "notes",
        p.Notes,
        say("notes"),
        say("Get all your notes of the game."),
        lines=dict.fromkeys(("notes", "note", "my notes", "show notes", "show my notes", "list notes"), p.Notes()),
        harmless=True,
    ),
    MailCommand(
        "publish",
        p.Publish,
        say("publish notes"),
        say("When the game is over: add your notes to its record as comments, for everybody to read."),
        lines=dict.fromkeys(("publish notes", "publish my notes", "publish the notes"), p.Publish()),
        guessed=False,
        final=True,
    ),
    MailCommand(
        "hide",
        p.Hide,
        say("hide notes"),
        say("Take your notes out of the record again."),
        lines=dict.fromkeys(("hide notes", "hide my notes", "hide the notes"), p.Hide()),
        guessed=False,
        clashes=frozenset({"publish"}),
    ),
    MailCommand(
        "settings",
        p.Settings,
        say("settings"),
        say("Get a list of your settings: how much mail comes, when, and what it looks like."),
        lines=dict.fromkeys(("settings", "my settings", "show settings", "preferences"), p.Settings()),
        harmless=True,
        general=True,
    ),
    MailCommand(
        "set",
        p.Set,
        say("set <name> <value>"),
        say("Change a setting; several such lines in one mail are fine. Reply settings for the list."),
        say("set digest 18:00"),
        reads={"set": _set},
        guessed=False,
    ),
    MailCommand(
        "unsubscribe",
        p.Unsubscribe,
        say("unsubscribe"),
        say("Get no more mail from us, except answers to your own. Your games go on."),
        lines=dict.fromkeys(("unsubscribe", "unsubscribe me"), p.Unsubscribe()),
    ),
    MailCommand(
        "subscribe",
        p.Subscribe,
        say("subscribe"),
        say("Get mail again."),
        lines=dict.fromkeys(("subscribe", "subscribe me", "resubscribe"), p.Subscribe()),
        clashes=frozenset({"unsubscribe"}),
    ),
    MailCommand(
        "help",
        p.Help,
        say("help [<command>]"),
        say("Get this list, or everything about one command."),
        say("help challenge"),
        lines=dict.fromkeys(("help", "commands"), p.Help()),
        reads={"help": _help},
        harmless=True,
        general=True,
    ),
)
"""Every command by mail, in the order of the help mail and the manual."""


def classes(of: Callable[[MailCommand], bool]) -> tuple[type[p.Phrase], ...]:
    """Return the classes of phrases whose command has some property, for `isinstance`."""
    return tuple(one.phrase for one in COMMANDS if of(one))


LINES: Final[Mapping[str, p.Phrase]] = MappingProxyType({line: phrase for one in COMMANDS for line, phrase in one.lines.items()})
"""Whole lines that are commands, in lower case."""

READERS: Final[Mapping[str, Reader]] = MappingProxyType({word: read for one in COMMANDS for word, read in one.reads.items()})
"""The readers of the words behind a first word."""

GUESSED: Final = tuple(one.word for one in COMMANDS if one.guessed)
"""The words that a misspelled one is compared with."""

_OF_WORD: Final = {one.word: one.phrase for one in COMMANDS}

CLASHES: Final = tuple(frozenset({one.phrase, _OF_WORD[word]}) for one in COMMANDS for word in one.clashes)
"""Pairs of phrases that cannot both be meant."""
