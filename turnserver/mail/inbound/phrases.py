"""What players may write: the phrases that lines of text become. Nothing here knows of games, accounts or mail programs."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from turnserver.mail.inbound import league_phrases, seat_phrases, time_phrases
from turnserver.mail.inbound.league_phrases import Join, LeagueDeed, LeagueQuestion, Leagues, Leave, Ready, Table
from turnserver.mail.inbound.seat_phrases import Substitute
from turnserver.mail.inbound.time_phrases import Nudge, Pause, Reopen, Resume, TimeDeed, Vacation


@dataclass(frozen=True, slots=True)
class Move:
    """Play a turn: `move d3`, or a line that reads as a move. The text is as written, less decoration."""

    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Show what a turn comes to, without playing it: `preview d3`, or `preview` above or below the lines of the turn."""

    text: str


@dataclass(frozen=True, slots=True)
class If:
    """Answer turns that the opponent has yet to play: a plan, in the words of `turnserver.play.conditional_moves`."""

    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Show the plan that there is."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Answer nothing any more that the opponent has yet to play: `forget plan`."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Ask to give the game up; the answer says how to confirm it."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Give the game up: `confirm resign`."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take one's last turn back, or ask the others for it: `undo`. `undo d3` is that and the move."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """Offer a draw."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the invitation or what is on offer. `words` go into the chance of the game: `accept my lucky words`."""

    words: str = ""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the invitation or what is on offer."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Invite players, named in any way, to a game. `first` is whether the challenger wants the first seat; None leaves it to the lot.

    With a `league`, one of them is to play for his place on its ladder: `challenge Bob in league-3`.
    """

    opponents: tuple[str, ...]
    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    time: str | None = None
    first: bool | None = None
    league: str = ""


@dataclass(frozen=True, slots=True)
class Show:
    """Show the board as it is, or as it was after a turn."""

    turn: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    """Send the whole game so far."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Say why the deadline of the pending turn is what it is."""


@dataclass(frozen=True, slots=True)
class Games:
    """List the sender's games."""


@dataclass(frozen=True, slots=True)
class Resend:
    """Send everything once more that waits for the sender."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Send the rules of a game, by default the one that the mail is about."""

    game: str | None = None


@dataclass(frozen=True, slots=True)
class Help:
    """Send the list of commands, or what there is to say about one of them."""

    topic: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Show what the sender has set."""


@dataclass(frozen=True, slots=True)
class Set:
    """Change one of the sender's settings: `set digest 18:00`. The name is one of `SETTABLE`."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """Send no more mail but answers."""


@dataclass(frozen=True, slots=True)
class Subscribe:
    """Send mail again."""


@dataclass(frozen=True, slots=True)
class Say:
    """Tell the others of the game something."""

    text: str


Deed: TypeAlias = Move | If | Forget | Undo | Confirm | Draw | TimeDeed | Accept | Decline
"""What changes the game that the mail is about."""

Question: TypeAlias = Resign | Preview | Plan | Show | History | Clock | Games | Resend | Rules | Help | Settings
"""What is answered by mail and changes nothing."""

Choice: TypeAlias = Set | Unsubscribe | Subscribe
"""What changes how the sender gets his mail."""

Phrase: TypeAlias = Deed | Substitute | Challenge | LeagueDeed | LeagueQuestion | Question | Choice | Vacation | Say

SETTABLE: tuple[str, ...] = ("language", "zone", "mail", "board", "digest", "quiet", "reminders", "calendar")
"""What `set` can be followed by."""


def written(phrase: Phrase) -> str:  # noqa: C901, PLR0912  # one branch a phrase
    """The phrase as its writer may have put it, for quoting it back."""
    match phrase:
        case Accept(words=words):
            return f"accept {words}".rstrip()
        case Pause() | Vacation():
            return time_phrases.written(phrase)
        case Join() | Leave() | Ready() | Table():
            return league_phrases.written(phrase)
        case Substitute():
            return seat_phrases.written(phrase)
        case Undo(text=text):
            return " ".join(["undo", *text.split("\n")]).rstrip()
        case Confirm():
            return "confirm resign"
        case Forget():
            return "forget plan"
        case If(text=text):
            return " ".join(text.split())
        case Move(text=text):
            return " / ".join(text.split("\n"))
        case Preview(text=text):
            return " ".join(["preview", *text.split("\n")])
        case Say(text=text):
            return f"say {text}"
        case Show(turn=int() as turn):
            return f"show turn {turn}"
        case Rules(game=str() as name) | Help(topic=str() as name):
            return f"{type(phrase).__name__.lower()} {name}"
        case Set(name=name, value=value):
            return f"set {name} {value}"
        case Challenge():
            who = " and ".join(phrase.opponents)
            options = [f"{name}={value}" for name, value in phrase.options]
            time = [] if phrase.time is None else [f"time={phrase.time}"]
            order = [] if phrase.first is None else ["first" if phrase.first else "second"]
            if phrase.league:
                return f"challenge {who} in {phrase.league}"
            return " ".join(["challenge", who, *([phrase.game] if phrase.game else []), *options, *order, *time])
        case (
            Draw()
            | Resume()
            | Nudge()
            | Reopen()
            | Decline()
            | Leagues()
            | Resign()
            | Plan()
            | Show()
            | History()
            | Clock()
            | Games()
            | Resend()
            | Rules()
            | Help()
            | Settings()
            | Unsubscribe()
            | Subscribe()
        ):
            return type(phrase).__name__.lower()
        case _:
            assert_never(phrase)


def canonical(phrase: Phrase) -> str:
    """The phrase as a line that is it and nothing else; of most, the first word."""
    if isinstance(phrase, Move):
        return f"move {phrase.text}"
    whole = isinstance(phrase, Set | Pause | Vacation | Confirm | Undo | Forget | Substitute | Join | Leave | Ready | Table)
    return written(phrase) if whole else type(phrase).__name__.lower()
