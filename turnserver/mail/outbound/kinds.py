"""The kinds of mail, and what is to be known of each; and the notice, one mail that is to be written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from turnserver.ids import PlayerId
from turnserver.mail.outbound import letters


class MailKind(StrEnum):
    """The purpose of a mail, and the name of its template."""

    WELCOME = "welcome"
    INVITATION = "invitation"
    OPENED = "opened"
    GAME_STARTED = "game_started"
    TURN = "turn"
    ANSWERED = "answered"
    RECEIPT = "receipt"
    REMINDER = "reminder"
    NUDGED = "nudged"
    CLAIM = "claim"
    GRACE = "grace"
    MISSED = "missed"
    VACANT = "vacant"
    REOPENED = "reopened"
    SUBSTITUTED = "substituted"
    SEAT_OFFERED = "seat_offered"
    SEAT_NEWS = "seat_news"
    SEAT_GONE = "seat_gone"
    VACATION = "vacation"
    AWAY = "away"
    PROPOSED = "proposed"
    PROPOSAL_SENT = "proposal_sent"
    DECLINED = "declined"
    SAID = "said"
    RETRACTED = "retracted"
    CLOCK_CHANGED = "clock_changed"
    LEFT = "left"
    GAME_OVER = "game_over"
    REFUSAL = "refusal"
    RESIGNING = "resigning"
    PREVIEW = "preview"
    PLAN = "plan"
    NOTES = "notes"
    BOARD = "board"
    TRANSCRIPT = "transcript"
    CLOCK = "clock"
    GAMES = "games"
    HELP = "help"
    RULES = "rules"
    SETTINGS = "settings"
    SUBSCRIPTION = "subscription"
    RESTORED = "restored"
    DIGEST = "digest"
    LEAGUE_SEASON = "league_season"
    LEAGUE_ENTRY = "league_entry"
    LEAGUE_ANSWER = "league_answer"
    LEAGUE_READY = "league_ready"
    LEAGUE_LEAVING = "league_leaving"
    LEAGUE_DROPPED = "league_dropped"
    LEAGUE_STARTED = "league_started"
    LEAGUE_ROUND = "league_round"
    LEAGUE_REMINDER = "league_reminder"
    LEAGUE_NEWS = "league_news"
    LEAGUE_WORDS = "league_words"
    LEAGUE_DUTY = "league_duty"
    LEAGUE_FINAL = "league_final"
    LEAGUE_TABLE = "league_table"
    LEAGUES = "leagues"
    UNKNOWN_SENDER = "unknown_sender"
    UNREACHABLE = "unreachable"
    REACHABLE = "reachable"
    ADMIN_REPORT = "admin_report"
    CONFIRM = "confirm"
    NEW_ADDRESS = "new_address"
    ADDRESS = "address"
    SIGN_IN = "sign_in"


class Timing(Enum):
    """The moment at which mails of a kind leave."""

    ANSWER = auto()
    """At once: it is sent only because somebody wrote to us. Floods of these are limited, and they are marked as automatic replies."""
    REQUEST = auto()
    """At once, whatever its player has chosen: somebody asked for it on a page. It is no answer to a mail, and does not count as one."""
    AT_ONCE = auto()
    """At once, unless its player has unsubscribed."""
    NEWS = auto()
    """It tells of a game, and its player may want it later: after quiet hours, or all of a day in one digest."""
    TASK = auto()
    """Like news, but it asks its player for something, and means nothing any more once that is not waited for."""
    LEAGUE_NEWS = auto()
    """It tells of a league. It waits for the end of quiet hours, but not for a digest: a season has few of them."""


class BoardUse(Enum):
    """The use that mails of a kind make of the board of their game."""

    SHOWN = auto()
    ONCE_BEGUN = auto()
    """Not if the game has not begun, or ended before the first turn: there is nothing on it to see."""
    ON_MOVE = auto()
    """Only if the reader has the turn: what is said is often about the move that they answer."""
    NONE = auto()
    """The mail is about no game, or about something else than the position."""


class Form(NamedTuple):
    """The parts of a kind of mail."""

    letter: type[letters.Letter]
    """The letter that its template gets."""

    template: str
    """Its template in `templates/mail`, without `.txt.j2` or `.html.j2`; kinds that say nothing but their headline share one."""

    timing: Timing
    """The time at which it leaves."""

    board: BoardUse = BoardUse.NONE
    """The use that it makes of the game's board."""

    to: str = ""
    """The people who get it, and when; empty where the class of the letter says so, which no other kind uses then."""


def _headline(to: str, timing: Timing = Timing.NEWS) -> Form:
    """Return the form of a kind that says nothing about its game but a headline, above the board."""
    return Form(letters.GameLetter, "_game", timing, BoardUse.SHOWN, to)


def _league(to: str, timing: Timing = Timing.LEAGUE_NEWS) -> Form:
    return Form(letters.LeagueLetter, "_league", timing, to=to)


FORMS: Final[Mapping[MailKind, Form]] = MappingProxyType(
    {
        MailKind.WELCOME: Form(letters.Welcome, "account/welcome", Timing.AT_ONCE),
        MailKind.INVITATION: Form(letters.Invitation, "game/invitation", Timing.TASK, BoardUse.SHOWN),
        MailKind.OPENED: Form(letters.Opened, "game/opened", Timing.NEWS),
        MailKind.GAME_STARTED: _headline("To the players who do not have the first turn."),
        MailKind.TURN: Form(letters.YourTurn, "game/turn", Timing.TASK, BoardUse.SHOWN, "To the player who has the turn."),
        MailKind.ANSWERED: Form(letters.Answered, "game/answered", Timing.NEWS, BoardUse.SHOWN),
        MailKind.RECEIPT: Form(letters.Receipt, "game/receipt", Timing.ANSWER),
        MailKind.REMINDER: Form(letters.YourTurn, "game/turn", Timing.TASK, BoardUse.SHOWN, "To the player whose time is running out."),
        MailKind.NUDGED: Form(letters.YourTurn, "game/turn", Timing.TASK, BoardUse.SHOWN, "To the player whose move another one asks for."),
        MailKind.CLAIM: _headline(
            "To both players when one asks the organisers to decide the game because the other does not move, and about the decision."
        ),
        MailKind.GRACE: _headline("To all players when the time of one was up and is extended, once in the game."),
        MailKind.MISSED: _headline("To the player whose turn was skipped, or played by the house, because the time was up."),
        MailKind.VACANT: _headline("To all players when the time of one was up and somebody else may take the seat over."),
        MailKind.REOPENED: _headline("To all players of a game that had ended and goes on all the same."),
        MailKind.SUBSTITUTED: _headline("To all players, the former one too, when somebody has taken a seat over."),
        MailKind.SEAT_OFFERED: Form(letters.SeatOffered, "game/seat_offered", Timing.TASK, BoardUse.SHOWN),
        MailKind.SEAT_NEWS: _headline(
            "To the players when somebody is asked to take a seat over, does not want to, or is not wanted any more."
        ),
        MailKind.SEAT_GONE: _headline("To somebody who was asked to take a seat over and need not answer any more.", Timing.AT_ONCE),
        MailKind.PROPOSED: _headline("To the players to whom something is proposed: a draw, a pause.", Timing.TASK),
        MailKind.PROPOSAL_SENT: Form(
            letters.GameLetter, "_game", Timing.ANSWER, to="To the player who has proposed something, as it is on its way."
        ),
        MailKind.DECLINED: _headline("To the others at the table when somebody has declined what was proposed."),
        MailKind.SAID: Form(letters.YourTurn, "game/said", Timing.NEWS, BoardUse.ON_MOVE, "Words from another player and nothing else."),
        MailKind.RETRACTED: Form(letters.Retracted, "game/retracted", Timing.NEWS, BoardUse.SHOWN),
        MailKind.CLOCK_CHANGED: _headline(
            "To those whom it concerns when a player has got more time, when clocks stand still, and when they run again."
        ),
        MailKind.LEFT: _headline(
            "To those who play on after somebody has left a table of more than two, and to that player if it was the clock's doing."
        ),
        MailKind.GAME_OVER: Form(letters.GameOver, "game/game_over", Timing.NEWS, BoardUse.ONCE_BEGUN),
        MailKind.REFUSAL: Form(letters.Refused, "account/refusal", Timing.ANSWER, BoardUse.SHOWN),
        MailKind.RESIGNING: Form(
            letters.GameLetter,
            "game/resigning",
            Timing.ANSWER,
            BoardUse.SHOWN,
            "The answer to `resign`: nothing is given up before that is confirmed.",
        ),
        MailKind.PREVIEW: Form(letters.Previewed, "game/preview", Timing.ANSWER, BoardUse.SHOWN),
        MailKind.PLAN: Form(letters.Planned, "game/plan", Timing.ANSWER),
        MailKind.NOTES: Form(letters.NotesShown, "game/notes", Timing.ANSWER),
        MailKind.BOARD: Form(letters.BoardShown, "game/board", Timing.ANSWER, BoardUse.SHOWN),
        MailKind.TRANSCRIPT: Form(letters.Transcript, "game/transcript", Timing.ANSWER, BoardUse.SHOWN),
        MailKind.CLOCK: Form(letters.ClockShown, "game/clock", Timing.ANSWER),
        MailKind.GAMES: Form(letters.OwnGames, "account/games", Timing.ANSWER, to="The answer to `games`."),
        MailKind.HELP: Form(letters.Help, "account/help", Timing.ANSWER),
        MailKind.RULES: Form(letters.RulesSheet, "account/rules", Timing.ANSWER),
        MailKind.SETTINGS: Form(letters.SettingsLetter, "account/settings", Timing.ANSWER),
        MailKind.SUBSCRIPTION: Form(letters.Subscription, "account/subscription", Timing.ANSWER),
        MailKind.RESTORED: Form(
            letters.OwnGames,
            "account/restored",
            Timing.AT_ONCE,
            to="To every player with open games, when the service was put back to an earlier state.",
        ),
        MailKind.VACATION: Form(letters.VacationLetter, "account/vacation", Timing.ANSWER),
        MailKind.AWAY: Form(letters.Away, "account/away", Timing.AT_ONCE),
        MailKind.DIGEST: Form(letters.Digest, "account/digest", Timing.AT_ONCE, BoardUse.ONCE_BEGUN),
        MailKind.LEAGUE_SEASON: _league("To a player who is in a season that was announced, because they played the last one."),
        MailKind.LEAGUE_ENTRY: _league(
            "To a player about an entry: that the organisers made or took back, that the wait is over, that a season begins without them."
        ),
        MailKind.LEAGUE_ANSWER: _league("The answer to `join`, `leave` and `ready`.", Timing.ANSWER),
        MailKind.LEAGUE_READY: _league("To a player who has to say that they are there before a season begins."),
        MailKind.LEAGUE_LEAVING: _league(
            "The answer to `leave` once a season has begun: nobody leaves it before that is confirmed.", Timing.ANSWER
        ),
        MailKind.LEAGUE_DROPPED: _league("To those who had entered a season that does not take place."),
        MailKind.LEAGUE_STARTED: _league("To the players of a season that begins: division, pairings, dates."),
        MailKind.LEAGUE_ROUND: _league(
            "To the players of a division when a round begins: the pairings of it and the report of the last one."
        ),
        MailKind.LEAGUE_REMINDER: _league("To the players of games that are slow for their round."),
        MailKind.LEAGUE_NEWS: _league(
            "To those whom it concerns when something happens between rounds: a withdrawal, a substitute, a result set by the organisers."
        ),
        MailKind.LEAGUE_WORDS: _league("To the players of a season, a division or a round, with words that the organisers write to them."),
        MailKind.LEAGUE_DUTY: _league(
            "To those who direct a league, about what waits for their decision. The admin gets it if there is nobody."
        ),
        MailKind.LEAGUE_FINAL: _league("To the players of a season that is over: the final table and what follows from it."),
        MailKind.LEAGUE_TABLE: _league("The answer to the name of a league.", Timing.ANSWER),
        MailKind.LEAGUES: _league("The answer to `leagues`.", Timing.ANSWER),
        MailKind.UNKNOWN_SENDER: Form(letters.Unknown, "account/unknown_sender", Timing.ANSWER),
        MailKind.UNREACHABLE: Form(
            letters.Reach, "game/reachable", Timing.AT_ONCE, BoardUse.SHOWN, "To the others at a table when mail to one of them comes back."
        ),
        MailKind.REACHABLE: Form(
            letters.Reach, "game/reachable", Timing.AT_ONCE, BoardUse.SHOWN, "To the others at a table when a player can be reached again."
        ),
        MailKind.ADMIN_REPORT: Form(letters.AdminReport, "account/admin_report", Timing.AT_ONCE),
        MailKind.CONFIRM: Form(letters.Confirm, "account/confirm", Timing.ANSWER),
        MailKind.NEW_ADDRESS: Form(letters.NewAddress, "account/new_address", Timing.AT_ONCE),
        MailKind.ADDRESS: Form(letters.AddressChanges, "account/address", Timing.AT_ONCE),
        MailKind.SIGN_IN: Form(letters.SignIn, "account/sign_in", Timing.REQUEST),
    }
)
"""The form of every kind of mail."""

ANSWERS: Final = frozenset(kind for kind, form in FORMS.items() if form.timing is Timing.ANSWER)
ASKED_FOR: Final = ANSWERS | frozenset(kind for kind, form in FORMS.items() if form.timing is Timing.REQUEST)
"""The kinds that players get although they have unsubscribed."""
UNTIL_ACTED_ON: Final = frozenset(kind for kind, form in FORMS.items() if form.timing is Timing.TASK)
CAN_WAIT: Final = frozenset(kind for kind, form in FORMS.items() if form.timing is Timing.NEWS) | UNTIL_ACTED_ON
OF_EVENTS: Final = CAN_WAIT - UNTIL_ACTED_ON - {MailKind.SAID}
"""The kinds that tell what has happened in a game, whatever their player does then."""
OF_LEAGUES: Final = frozenset(kind for kind, form in FORMS.items() if form.timing is Timing.LEAGUE_NEWS)

WITH_NOTES: Final = frozenset({MailKind.DIGEST, MailKind.GAME_OVER}) | frozenset(
    kind for kind, form in FORMS.items() if form.letter in (letters.YourTurn, letters.BoardShown, letters.NotesShown)
)
"""The kinds of mail that may show their reader's own notes of the game, or say that there are some."""

_ENTERED: Final = frozenset({MailKind.WELCOME, MailKind.LEAGUE_SEASON, MailKind.LEAGUE_ENTRY})
_BEGUN: Final = frozenset({MailKind.LEAGUE_STARTED, MailKind.LEAGUE_ROUND})

TELLS: Final[Mapping[MailKind, frozenset[MailKind]]] = MappingProxyType(
    {
        MailKind.LEAGUE_SEASON: frozenset({MailKind.WELCOME}),
        MailKind.LEAGUE_ENTRY: _ENTERED,
        MailKind.LEAGUE_READY: _ENTERED,
        MailKind.LEAGUE_DROPPED: _ENTERED,
        MailKind.LEAGUE_STARTED: _ENTERED,
        MailKind.TURN: _BEGUN,
        MailKind.GAME_STARTED: _BEGUN,
    }
)
"""The kinds of mail that wait for a mail of a kind, which tells their news too. Those about a league have to be about the same one."""

Detail: TypeAlias = Mapping[str, Any]
"""JSON that a mail needs besides the game itself. The keys of each kind stand with the function that makes its notice."""

JOINED: Final = "joined"
"""The detail of a mail that tells the news of others too, with the `kind`, `league`, `version` and `since` of each."""

AGAIN: Final = "again"
"""The detail of a mail that its player has asked for again."""


def tells_too(detail: Detail, kind: MailKind) -> bool:
    """Return whether a mail tells the news of another one of a kind too."""
    return any(one["kind"] == kind for one in detail.get(JOINED, ()))


def round_told(detail: Detail) -> Detail | None:
    """Return the entry of the mail about a season's start or about a round that the mail of a game tells too; None if it tells none."""
    return next((one for one in detail.get(JOINED, ()) if one["kind"] in _BEGUN), None)


@dataclass(frozen=True, slots=True)
class Notice:
    """One mail to be written: to a player, or to an `address` without an account.

    If it `gathers`, it waits for a short while: another mail to the player may tell its news as well (`TELLS`).
    """

    kind: MailKind
    player: PlayerId | None = None
    address: str | None = None
    detail: Detail = field(default_factory=dict)
    gathers: bool = False

    @property
    def is_answer(self) -> bool:
        """True if it is sent only because somebody wrote to us: its kind always is, or somebody asked for it `again`."""
        return is_answer(self.kind, self.detail)


def is_answer(kind: MailKind, detail: Detail) -> bool:
    """Return whether a mail is sent only because somebody wrote to us; see `Notice.is_answer`."""
    return kind in ANSWERS or AGAIN in detail
