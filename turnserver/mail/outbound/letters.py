"""The contents of mails: one frozen dataclass per template, holding finished words and no logic.

A template knows the fields of its letter and nothing else. `turnserver.tools.template_guide` makes
`templates/README.md` of what stands here.
"""

from dataclasses import dataclass
from typing import Annotated

from turnserver.mail.outbound.markdown import Block


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board in both of its forms."""

    text: Annotated[str, "the mono-spaced board with coordinates and legend, at most 72 columns"]
    cid: Annotated[str, 'the Content-ID of the picture, without angle brackets, for `src="cid:..."`']
    alt: Annotated[str, "the board in one sentence, for those who do not see the picture"]
    width: Annotated[int, "how wide the picture is shown at most, in pixels"]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One place at the table."""

    colour: Annotated[str, "what the game calls the seat"]
    player: Annotated[str, "who sits there"]
    yours: Annotated[bool, "whether the reader sits there"]
    on_move: Annotated[bool, "whether its player has the pending turn"]
    left: Annotated[bool, "whether it was given up while the others play on, or waits for a substitute"]
    away: Annotated[str, "that its player is on vacation and until when, or empty"]


@dataclass(frozen=True, slots=True)
class Clock:
    """The pending turn's time."""

    yours: Annotated[bool, "whether the reader has the turn"]
    mover: Annotated[str, "who has the turn, as `Bob (Blue)`"]
    when: Annotated[
        str, "by when, as `until Wed 4 March 2026, 12:00, in 2 days 23 hours`, or that there is no limit, or that the clock stands still"
    ]
    in_hand: Annotated[str, "what becomes of time that the reader does not use, in a game with a bank; else empty"] = ""


@dataclass(frozen=True, slots=True)
class NotesView:
    """The reader's newest notes of a game, in a mail about something else."""

    lines: Annotated[tuple[str, ...], "the notes, newest first, each with its turn, three lines of text at most; may be empty"]
    more: Annotated[bool, "whether there is more to read than these lines"]


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as it stands for the reader."""

    name: Annotated[str, "title and number, as `Take 17`"]
    options: Annotated[str, "the options that were chosen, as `standard, 5 cells along each side`; may be empty"]
    league: Annotated[str, "the league that the game belongs to, with season, round and division; empty if it belongs to none"]
    turn: Annotated[int, "the number of the pending turn, or of the last one played; 0 if there is none"]
    version: Annotated[int, "how many events of the history the reader may know"]
    digest: Annotated[str, "the first 16 hexadecimal digits of the hash of the last of them"]
    board: Annotated[BoardPicture | None, "the board, unless it would tell nothing"]
    seats: Annotated[tuple[SeatLine, ...], "the seats in order"]
    clock: Annotated[Clock | None, "the pending turn's time; none while nobody has the turn"]
    examples: Annotated[tuple[str, ...], "turns that are legal right now; none unless the reader has the turn"]
    notation: Annotated[str, "the notation in a few lines"]
    proposal: Annotated[str, "what is on offer to the reader, as a sentence, or empty"]
    invited: Annotated[bool, "whether the reader is invited, to the game or to a seat of it, and has not answered"]
    draws: Annotated[bool, "whether a draw may be offered now"]
    new_to_it: Annotated[bool, "whether the reader has played so little of this game that the mail explains how to write moves"]
    left: Annotated[bool, "whether the reader has given up a game that the others play on, or waits to be replaced"]
    mailto: Annotated[str, "the answer as a `mailto:` address without a body"]
    key: Annotated[str, "what says in a mail written anew which turn it answers"]
    page: Annotated[str, "the address of the reader's page of the game, to play by touch; empty if there is none"]
    notes: Annotated[NotesView, "the reader's notes; none in mails that ask for no move and show no board because it was asked for"]


@dataclass(frozen=True, slots=True)
class Speech:
    """Something that a player said to the others."""

    speaker: Annotated[str, "who said it"]
    text: Annotated[str, "the words, possibly of several lines"]


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened."""

    when: Annotated[str, "the instant in the reader's zone, in short"]
    text: Annotated[str, "a sentence"]
    told: Annotated[tuple[str, ...], "what came of it on the board, as sentences in order; empty if the notation says it all"] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something with its name."""

    label: Annotated[str, "the name"]
    text: Annotated[str, "what there is to say of it"]


@dataclass(frozen=True, slots=True)
class BillLine:
    """Some of the time that makes a deadline."""

    amount: Annotated[str, "how much it is, as `1 day 12 hours`; or that it is not over yet"]
    text: Annotated[str, "where it comes from, as a phrase that follows a colon"]


@dataclass(frozen=True, slots=True)
class Bill:
    """The reckoning of a deadline: the instant at which the turn began, and all that is added to it."""

    began: Annotated[str, "the instant at which the turn began"]
    lines: Annotated[tuple[BillLine, ...], "what is added to it, the turn's own time first"]
    deadline: Annotated[str, "the instant that it comes to; empty if there is none"]
    note: Annotated[str, "why there is no deadline, or what is odd for somebody who adds up times of the day; may be empty"]


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One branch of a plan."""

    number: Annotated[str, "its number, as `2.1` for the first one in the brackets behind the second"]
    text: Annotated[str, "the branch, as `if c6-a4 then d3-d4`"]


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """Something that could not be done."""

    quoted: Annotated[str, "the words of the mail; may be empty"]
    message: Annotated[str, "why not, and what to write instead"]


@dataclass(frozen=True, slots=True)
class GameRow:
    """One of the reader's games."""

    name: Annotated[str, "title and number"]
    opponents: Annotated[str, "the opponents, and whoever is on the reader's side"]
    yours: Annotated[bool, "whether the reader has to act"]
    situation: Annotated[str, "what the game waits for, and until when, as a phrase that follows a colon"]
    running: Annotated[bool, "whether it has begun; else it is an invitation"]
    mailto: Annotated[str, "the address that answers to this game, as `mailto:`"]


@dataclass(frozen=True, slots=True)
class CommandRow:
    """Something that players may write."""

    usage: Annotated[str, "how to write it"]
    meaning: Annotated[str, "what it does, in sentences"]
    example: Annotated[str, "an example"]


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """A game that can be played here."""

    key: Annotated[str, "its name in commands"]
    title: Annotated[str, "its title"]
    summary: Annotated[str, "what it is about, in one sentence"]


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """One game in a digest."""

    title: Annotated[str, "the game and the others at the table, as `Take 17 against Bob`"]
    situation: Annotated[str, "what the game waits for and until when, or how it ended, as a sentence"]
    yours: Annotated[bool, "whether the reader has to act"]
    invited: Annotated[bool, "whether what the reader has to do is to answer an invitation"]
    terms: Annotated[str, "for an invitation, how much time there is and the options of the game, in sentences; else empty"]
    said: Annotated[tuple[Speech, ...], "what players said to the reader"]
    happenings: Annotated[tuple[Happening, ...], "what happened since the reader's last turn"]
    game: Annotated[GameView, "the game as it stands"]
    answer_to: Annotated[str, "the address that answers to this game"]


@dataclass(frozen=True, slots=True)
class LineToWrite:
    """Something that the reader may answer."""

    meaning: Annotated[str, "what it is for, as `to leave before the start:`"]
    line: Annotated[str, "what to write"]
    label: Annotated[str, "what a button for it says; empty if it needs none"] = ""

    @property
    def pair(self) -> tuple[str, str]:
        """The meaning and the line, as a legend shows them."""
        return self.meaning, self.line


@dataclass(frozen=True, slots=True)
class SettingRow:
    """Something that the reader may choose."""

    name: Annotated[str, "its name"]
    value: Annotated[str, "what holds"]
    about: Annotated[str, "what it does, in sentences"]
    change: Annotated[str, "what to write: a line, and the other values that it may end in, as `set board small or large`"]
    ways: Annotated[tuple[LineToWrite, ...], "the same to tap: each `line`, and what its link says as `label`"]


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that belong together."""

    heading: Annotated[str, "the heading"]
    rows: Annotated[tuple[SettingRow, ...], "the settings"]


@dataclass(frozen=True, slots=True)
class Section:
    """Some lines under a heading."""

    heading: Annotated[str, "the heading"]
    lines: Annotated[tuple[str, ...], "the lines"]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table of a league, in short."""

    place: Annotated[str, "the place"]
    player: Annotated[str, "whose line it is"]
    points: Annotated[str, "the points; empty in a cup"]
    yours: Annotated[bool, "whether it is the reader's"]


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The table of a division with all results."""

    heading: Annotated[str, "which table it is, and how far it has come"]
    text: Annotated[str, "the mono-spaced table, at most 72 columns"]
    picture: Annotated[BoardPicture, "the same as a picture, with all in it that stands in the legend"]
    legend: Annotated[str, "what stands for what in the text, in lines; may be empty"]
    rows: Annotated[tuple[TableRow, ...], "its lines in short"]


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The round of a league that begins with a game, for the mail of that game."""

    headline: Annotated[str, "whom the reader meets, in which round of which league"]
    meaning: Annotated[tuple[str, ...], "what there is to know, in paragraphs"]
    sections: Annotated[tuple[Section, ...], "pairings, results, lists"]
    table: Annotated[LeagueTable | None, "the table, without its picture; none before the first result"]
    long: Annotated[bool, "whether `sections` and `table` are so long that they stand last"]
    page: Annotated[str, "the address of the page that has what is too long for the mail; empty if the mail has it all"]
    also: Annotated[tuple[LineToWrite, ...], "what may be written about the league"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """The fields that every mail has."""

    marker: Annotated[str, "the line above which an answer is read"]
    site: Annotated[str, "the name of the service"]
    address: Annotated[str, "the address of the service"]
    admin: Annotated[str, "the address of a human being, or empty"]
    account: Annotated[bool, "whether the reader has an account, and so something to set"]
    headline: Annotated[str, "the news in a sentence or two"]
    besides: Annotated[str, "what else belongs to the news, in sentences; may be empty"]
    said: Annotated[tuple[Speech, ...], "what players said to the reader along with it"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLetter(Letter):
    """The fields that every mail about a game has."""

    game: Annotated[GameView, "the game as it stands"]
    round: Annotated[RoundBegun | None, "the round of a league that begins with the game, if no other mail tells of it"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome(Letter):
    """To a player whose account was just made."""

    reply_to: Annotated[str, "the reader's personal address for answers"]
    catalogue: Annotated[tuple[CatalogueRow, ...], "the games that can be played"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation(GameLetter):
    """To a player who is asked to take a seat."""

    seating: Annotated[str, "which seat it is and how it came about, in a sentence"]
    time: Annotated[str, "how much time there is, in sentences"]
    reliability: Annotated[tuple[str, ...], "how the others keep to the time, a sentence for each who has had a turn in any game"]
    rules_key: Annotated[str, "the game's name in commands"]
    chance: Annotated[bool, "whether something will be rolled, so that the reader may add words to what it comes from"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(GameLetter):
    """To a player whose challenge went out."""

    seating: Annotated[str, "which seat it is and how it came about, in a sentence"]
    time: Annotated[str, "how much time there is, in sentences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class YourTurn(GameLetter):
    """To the player who has the turn."""

    happenings: Annotated[tuple[Happening, ...], "what happened since the reader's last turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(GameLetter):
    """To the player whose move has come in, if they want that to be confirmed; it shows no board."""

    undo_until: Annotated[str, "until when the move can be corrected, as `11:05`; empty if the others know of it already"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(GameLetter):
    """To the player whose plan has answered a turn."""

    happenings: Annotated[tuple[Happening, ...], "the turn that was answered, and the answer"]
    goes_on: Annotated[bool, "whether the plan has more answers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOffered(GameLetter):
    """To somebody who is asked to take a seat of a running game over."""

    terms: Annotated[tuple[str, ...], "what the reader gets into, in paragraphs: how much time there is, and whose rating it counts for"]
    reliability: Annotated[tuple[str, ...], "how the others keep to the time, a sentence for each who has had a turn in any game"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retracted(GameLetter):
    """To all players after turns were taken back."""

    undone: Annotated[tuple[str, ...], "the turns that no longer stand, as sentences"]
    unknown: Annotated[bool, "whether nobody but the reader knew of them"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationLetter(Letter):
    """The player's own vacations, because they asked or have changed something about them."""

    games: Annotated[tuple[str, ...], "what a change does in each of the games, as sentences; empty without one"]
    ahead: Annotated[tuple[str, ...], "every vacation that is declared and not over, as `2: from Thu 1 Jul 2027 to ...`"]
    years: Annotated[tuple[str, ...], "how many days are left, this year and the next, as sentences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Away(Letter):
    """To somebody who shares several games with a player who is away, or is back; whoever shares one hears of it in that game."""

    games: Annotated[tuple[str, ...], "what comes of it in each of the games, as sentences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach(GameLetter):
    """To the others at a table when mail to one of them comes back, and when that player can be reached again."""

    meaning: Annotated[tuple[str, ...], "what that means for the game and its clock, in paragraphs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver(GameLetter):
    """To all players when a game has ended, or when its result was taken back."""

    happenings: Annotated[tuple[Happening, ...], "what happened from the reader's last turn on"]
    played: Annotated[bool, "whether any turn was played"]
    again: Annotated[str, "the line that invites the opponent to the same game again, or empty"]
    reopen: Annotated[bool, "whether the reader may offer to play on"]
    replay: Annotated[str, "the address of the page that replays the game; empty if there is none or nothing was played"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(Letter):
    """The answer to a mail of which not everything could be done."""

    problems: Annotated[tuple[ProblemLine, ...], "what could not be done"]
    foreign: Annotated[bool, "whether all was done, and the problem is that the reader may not have written the mail"]
    done: Annotated[tuple[str, ...], "what was done all the same, as sentences"]
    suggestion: Annotated[str, "a line that the writer may have meant, and that a yes stands for; empty if there is none"]
    question: Annotated[str, "the question of a league that the mail left open, in sentences; empty if there is none"]
    todo: Annotated[tuple[LineToWrite, ...], "what answers the question, the first with a button"]
    game: Annotated[GameView | None, "the game that the mail was about, if any"]
    mailto: Annotated[str, "the answer as a `mailto:` address without a body"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Previewed(GameLetter):
    """The answer to `preview`; the board is the one after the steps given."""

    steps: Annotated[tuple[str, ...], "the turn as far as it is given, step by step"]
    told: Annotated[tuple[str, ...], "what comes of it, as sentences in order"]
    complete: Annotated[bool, "whether these steps are a whole turn"]
    chance: Annotated[bool, "whether something is rolled before the next choice, which a preview cannot tell"]
    more: Annotated[tuple[str, ...], "how a turn that is not complete may go on, for example"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned(GameLetter):
    """The answer to a plan, to `plan` and to `forget plan`; it shows no board."""

    lines: Annotated[tuple[PlanLine, ...], "the plan, or what is left of it, branch by branch; empty if there is none"]
    digest: Annotated[str, "the digest of the plan as it was laid; empty if there is none"]


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A note of the reader."""

    turn: Annotated[str, "its turn, as `Turn 7`"]
    text: Annotated[str, "the words, possibly of several lines"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesShown(GameLetter):
    """The answer to `notes`, `publish notes` and `hide notes`, and to a mail that had nothing but a note."""

    lines: Annotated[tuple[NoteLine, ...], "all notes, oldest first; none in answer to a note"]
    more: Annotated[bool, "whether there are notes that the mail does not show"]
    publish: Annotated[bool, "whether the reader may publish notes now"]
    hide: Annotated[bool, "whether any note is published"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShown(GameLetter):
    """The answer to `show`."""

    past: Annotated[bool, "whether this is an earlier moment, so that nothing is to be done on this board"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript(GameLetter):
    """The answer to `history`."""

    record: Annotated[tuple[Happening, ...], "everything that happened, oldest first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockShown(GameLetter):
    """The answer to `clock`."""

    bill: Annotated[Bill, "why the pending turn is due when it is"]
    time: Annotated[str, "how much time there is in the game, in sentences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnGames(Letter):
    """The games of the reader."""

    rows: Annotated[tuple[GameRow, ...], "the reader's open games, those that wait for the reader first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(Letter):
    """The answer to `help`."""

    commands: Annotated[tuple[CommandRow, ...], "the commands asked about, or all of them"]
    about: Annotated[tuple[str, ...], "what else there is to know about what was asked, in paragraphs"]
    moves: Annotated[Fact | None, "how moves are written in the game that the mail was about, if it was about one"]
    catalogue: Annotated[tuple[CatalogueRow, ...], "the games that can be played"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSheet(Letter):
    """The answer to `rules`."""

    blocks: Annotated[
        tuple[Block, ...], "the rules, block by block: `kind` is heading, paragraph, item (with its `mark`) or code; and `text`"
    ]
    board: Annotated[BoardPicture, "the board at the start"]
    key: Annotated[str, "the game's name in commands"]
    reading: Annotated[str, "how the game that the mail is about is played by an earlier reading of these rules; empty if it is not"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsLetter(Letter):
    """The answer to `settings` and `set`."""

    mailto: Annotated[str, "the answer as a `mailto:` address without a body"]
    groups: Annotated[tuple[SettingGroup, ...], "everything that can be set"]
    calendar: Annotated[str, "the secret address of a calendar with all deadlines of the reader; empty if there are no pages"]
    subscribed: Annotated[bool, "whether the reader gets mail other than answers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription(Letter):
    """The answer to `unsubscribe` and `subscribe`."""

    subscribed: Annotated[bool, "whether the reader gets mail other than answers from now on"]
    rows: Annotated[tuple[GameRow, ...], "the reader's open games, those that wait for the reader first"]
    leagues: Annotated[tuple[LineToWrite, ...], "the leagues that the reader is in, each with the line that leaves it"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest(Letter):
    """One mail a day about everything that could wait, to whoever wants it so."""

    entries: Annotated[tuple[DigestEntry, ...], "the games that there is something to tell of, those that wait for the reader first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueLetter(Letter):
    """The fields that every mail about leagues has. All of them have the same form; a field without content is empty."""

    mailto: Annotated[str, "the answer as a `mailto:` address without a body"]
    welcome: Annotated[bool, "whether the mail welcomes somebody whose account was just made"] = False
    todo: Annotated[tuple[LineToWrite, ...], "what the reader has to do, or may want to do at once"] = ()
    meaning: Annotated[tuple[str, ...], "what there is to know, in paragraphs"] = ()
    own: Annotated[tuple[Section, ...], "the reader's own meetings"] = ()
    sections: Annotated[tuple[Section, ...], "pairings, results, lists"] = ()
    table: Annotated[LeagueTable | None, "the table that the mail shows, if it shows one"] = None
    long: Annotated[bool, "whether `sections` and `table` are so long that they stand last, below all that can be done"] = False
    facts: Annotated[tuple[Fact, ...], "how the season is played"] = ()
    also: Annotated[tuple[LineToWrite, ...], "what else may be written"] = ()
    league: Annotated[str, "the league's name; empty in the list of leagues"] = ""
    version: Annotated[int, "how many events the league has"] = 0
    digest: Annotated[str, "the first digits of the hash of its history"] = ""
    page: Annotated[str, "the address of the league's page; empty if there are no pages"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminReport(Letter):
    """To the admin, about something that only an admin can put right."""

    facts: Annotated[tuple[Fact, ...], "what is known"]
    meaning: Annotated[tuple[str, ...], "what it means, in paragraphs"]
    steps: Annotated[tuple[Fact, ...], "what can be done: `label` says when, `text` is the command to type in a terminal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown(Letter):
    """The answer to somebody without an account."""

    open: Annotated[bool, "whether anybody can have an account"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Letter):
    """To an address that wants an account, if it is true that it does."""

    until: Annotated[str, "until when the answer is waited for"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAddress(Letter):
    """To the address that a player is said to have from now on."""

    until: Annotated[str, "until when the answer is waited for"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChanges(Letter):
    """To a player who gets another address: to the old one when it is asked for, and to the new one when it holds."""

    until: Annotated[str, "until when the new address can be confirmed; empty once it holds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn(Letter):
    """To the address of a player for whom somebody, probably they, asked for a link to sign in."""

    page: Annotated[str, "the link: the address of a page with a button, which signs in once"]
    until: Annotated[str, "the instant until which it works"]
