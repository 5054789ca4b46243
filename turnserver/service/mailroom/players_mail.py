"""A player's mail: read in the context of its game, and carried out or refused.

All or nothing: if anything in a mail cannot be done, nothing is, and the answer says why.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property, partial
from itertools import groupby, takewhile
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard

from turnserver import config, games
from turnserver.errors import NotAllowed, Refusal
from turnserver.mail.format.automatic import Evidence
from turnserver.mail.format.tokens import Token
from turnserver.mail.inbound.commands import classes
from turnserver.mail.inbound.directions import WRITING
from turnserver.mail.inbound.one_line import command_begun
from turnserver.mail.inbound.openings import LineKind, heads_mail
from turnserver.mail.inbound.phrases import WORDS as OF_LEAGUES
from turnserver.mail.inbound.phrases import Confirm, Direct, If, Leave, Move, Phrase, Preview, Resign
from turnserver.mail.inbound.read import Reading
from turnserver.mail.inbound.short_answers import less_greeting, short_answer
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.time_phrases import Vacation
from turnserver.mail.inbound.understanding import Understood, understand
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.game import NotDone
from turnserver.outside import DrawLots
from turnserver.play.commands import PlayTurn
from turnserver.play.state import GameState, Status
from turnserver.rules import Rules as GameRules
from turnserver.rules.kit import reads_as_turn
from turnserver.service.games.folds import GameAt
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues import commands as league_commands
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom.answers import Answer, UnfitMail
from turnserver.service.mailroom.authorship import Author, doubts, refuse_untrusted, sender_told
from turnserver.service.mailroom.command_handler import MailCommandHandler
from turnserver.service.mailroom.lost_history import told
from turnserver.service.mailroom.questions import leaves_room, question, suggestion
from turnserver.service.request import Request
from turnserver.service.upkeep.deadlines import Watch
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people.accounts import Person
from turnserver.text import say

_FINAL: Final = classes(lambda one: one.final)
_RESIGNS: Final = re.compile(r"\b(?:then|else)[\s:,]+resign\b", re.IGNORECASE)
_GENERAL: Final = classes(lambda one: one.general)

Board: TypeAlias = tuple[GameRules[Any, Any], Any]
"""Rules and a position in them."""

Reader: TypeAlias = Callable[[Sequence[str]], Understood]
"""Reads lines in the context of a mail."""

MAX_PROBLEMS: Final = 5
"""The number of a mail's unclear lines that are quoted back."""


class Letter(NamedTuple):
    """A mail that a person wrote: its inbox row, what is read in it, the lines that count, its author, and the request that it makes."""

    item: inbox.InboxItem
    reading: Reading
    lines: Sequence[str]
    author: Author
    request: Request


class PlayersMail:
    """Answers the mails of players. Reads the database and writes nothing."""

    def __init__(self, ledger: Ledger, leagues: Leagues, settings: config.Settings, watch: Watch, lot: DrawLots) -> None:
        """Decide about the games of `ledger` and about `leagues`; `watch` says what waits, and `lot` orders the players of a challenge."""
        self._ledger = ledger
        self._leagues = leagues
        self._settings = settings
        self._watch = watch
        self._lot = lot

    def shows_person(self, conn: Transaction, author: Author, reading: Reading, lines: Sequence[str]) -> bool:
        """Return whether a person wrote a mail with a sign of a machine: it has the evidence by which that sign is overruled."""
        if author.person is None or author.foreign:
            return False
        if reading.overruled_by is Evidence.AUTHOR:
            return True
        # Only now: a game that cannot be loaded is told to the player.
        if author.token is None or author.fault is not None or author.lost is not None:
            return False
        said = self.said(conn, author, author.token, lines)
        if reading.overruled_by is Evidence.COMMAND:
            return bool(said.phrases or said.conflict)
        return any(isinstance(phrase, Move | Preview | If) for phrase in said.phrases)

    def said(self, conn: Transaction, author: Author, token: Token, lines: Sequence[str]) -> Understood:
        """Return what lines of an author say, or nothing if they cannot be read."""
        state = self._ledger.games.load(conn, token.game).state if token.game else None
        try:
            return _reader(conn, state, author.answers, partial(_is_move, boards(state)))(lines)
        except Refusal:
            return Understood()

    def answer(self, tx: Transaction, letter: Letter, person: Person) -> Answer:
        """Return the answer to a player's mail. Never raises a Refusal; raises TooSoonError for a mail that has to wait for another one."""
        item, reading, author, now = letter.item, letter.reading, letter.author, letter.request.now
        token = author.token or Token(person.id)
        at: GameAt | None = None
        state: GameState | None = None
        said = Understood()
        try:
            refuse_untrusted(author, reading.sender, self._settings.incoming)
            if author.lost is not None and author.lost.game is not None:
                # Another game may have the same number now, so nothing of it is looked at.
                raise NotAllowed("lost", told(author.lost, person.zone))
            if token.game:
                at = self._ledger.games.load(tx, token.game)
                state = self._ledger.games.seen(tx, token.game, at.state, person.id, now)
            # Only now, so that the refusal shows the game as it is.
            if author.lost is not None:
                raise NotAllowed("lost", told(author.lost, person.zone))
            is_move = partial(_is_move, boards(state))
            understood = _reader(tx, state, author.answers, is_move)
            said = interpret(reading, letter.lines, understood, state, is_move)
            asked = question(author.answers, token, state)
            inviting = state is not None and state.status is Status.INVITING
            lines = less_greeting(reading.certain_lines) if inviting else reading.certain_lines
            yes = short_answer(lines, joins=asked.joins, final=asked.final) if asked is not None and leaves_room(said, lines) else None
            if asked is not None and yes is not None:
                meant = asked.yes if yes else asked.no
                if meant is None:
                    return Answer("answered: no")
                said = _with(meant, said, understood, next(filter(None, lines)))
            _refuse_past(tx, author.answers, said, shortly=yes is not None)
            if author.token is None:
                _refuse_unauthorised(said)
            # No mail comes after it was read, whatever a clock said that was set back since: audits ask for that.
            arrived = min(item.received_at, now)
            handler = MailCommandHandler(
                self._settings, self._ledger, self._leagues, self._watch, self._lot, person, token, at, state, arrived, now, item.raw
            )
            _refuse_unclear(said, suggestion(said, state, PlayTurn(person.id, arrived, "", token.turn, token.edition)))
            answer = handler.carry_out(tx, _confirmed(author.answers, handler, said.phrases))
        except UnfitMail as unfit:
            answer = _refused(person, unfit, unfit.problems, state, token, asked=self._still_asked(tx, author, person, now))
        except Refusal as refusal:
            problems, still = [NotDone.of(_quoted(said), refusal)], self._still_asked(tx, author, person, now)
            answer = _refused(person, refusal, problems, state, token, asked=still, alone=len(said.phrases) < 2)
        # Whoever is named as the author hears of a mail that was carried out although it looks foreign.
        doubt = doubts(author, reading.sender, self._settings.incoming)
        if doubt and (not answer.changes_nothing or answer.said or answer.notes or answer.published is not None or answer.chosen):
            noted = notices.foreign(person.id, sender_told(reading.sender), doubt, _quoted(said))
            answer = answer._replace(told=(*answer.told, noted))
        return answer

    def _still_asked(self, tx: Transaction, author: Author, person: Person, now: datetime) -> Notice | None:
        return None if author.answers is None else league_commands.still_asked(tx, self._leagues, author.answers, person, now)


class _LeagueNames(Iterable[str]):
    """The names of all leagues but archived ones, in lower case. They are read once a line asks for them: a mail with a move needs none."""

    def __init__(self, conn: Transaction) -> None:
        self._conn = conn

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(one.name.casefold() for one in leagues.listed(self._conn) if not one.archived)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)


def _reader(conn: Transaction, state: GameState | None, answered: OutboxItem | None, is_move: Callable[[str], bool]) -> Reader:
    """Return what reads lines in the context of the game that a mail is about, and of the mail that it answers."""
    several = state is not None and state.game.entry.several
    resembles = partial(resembles_step, state.game.entry.step_words) if state is not None and several else None
    # `accept` may have words behind it only in answer to an invitation to a game with chance.
    lucky = state is not None and state.status is Status.INVITING and state.commitment is not None
    # The words of leagues begin ordinary sentences too, so they count only where a league is meant and no game.
    number = None if state is not None or answered is None else league_commands.question_of(answered)[1]
    league = "" if number is None else f"league-{number}"
    names = _LeagueNames(conn)
    return partial(understand, is_move=is_move, games=games.NAMES, resembles=resembles, lucky=lucky, leagues=names, league=league)


def interpret(
    reading: Reading, lines: Sequence[str], understood: Reader, state: GameState | None, is_move: Callable[[str], bool]
) -> Understood:
    """Return the phrases in the `lines` of a mail.

    Refuses a mail that cannot be used, and a mail whose turn would lack lines that its writer has copied.
    """
    said = understood(lines)
    several = state is not None and state.game.entry.several
    if several and (not lines or any(isinstance(phrase, Move | Preview) for phrase in said.phrases)):
        _refuse_lost_steps(reading, understood, is_move)
    # A mail without words may have unsubscribed by its subject, and then it can be used.
    if reading.problem is not None and (reading.lines or not lines):
        raise NotAllowed(reading.problem.code, reading.problem.message)
    if any(map(_is_final, said.phrases)):
        _refuse_doubtful(reading, said, understood)
    return said


def _with(meant: Phrase | str, said: Understood, understood: Reader, answer: str) -> Understood:
    """Return what is said if it begins with a phrase, or with a line, that the `answer` stands for."""
    first = understood([meant]) if isinstance(meant, str) else Understood((meant,), quotes=(answer,))
    return Understood((*first.phrases, *said.phrases), quotes=(*first.quotes, *said.quotes))


def _confirmed(answered: OutboxItem | None, handler: MailCommandHandler, phrases: Sequence[Phrase]) -> Sequence[Phrase]:
    """Return the phrases, with `resign` for a `confirm resign` that may not be about the game as it stands: then we ask once more.

    It surely is if the mail answers the one that asked, or any mail of the present turn.
    """
    if (
        Confirm() not in phrases
        or handler.state is None
        or (handler.token.turn, handler.token.edition) == (handler.state.turn, handler.state.edition)
    ):
        return phrases
    if answered is not None and (answered.kind, answered.player, answered.game) == (
        MailKind.RESIGNING,
        handler.person.id,
        handler.token.game,
    ):
        return phrases
    return tuple(dict.fromkeys(Resign() if phrase == Confirm() else phrase for phrase in phrases))


def _refuse_past(conn: Transaction, answered: OutboxItem | None, said: Understood, *, shortly: bool) -> None:
    """Refuse a yes, a no or a confirmation that answers our question about a season of a league that is past."""
    if answered is not None and (shortly or any(isinstance(phrase, Leave) and phrase.confirmed for phrase in said.phrases)):
        league_commands.refuse_past(conn, answered)


def _is_final(phrase: Phrase) -> bool:
    return isinstance(phrase, _FINAL) or (isinstance(phrase, If) and _RESIGNS.search(phrase.text) is not None)


def _refuse_doubtful(reading: Reading, said: Understood, understood: Reader) -> None:
    """Ask about a phrase that gives something away for good if it stands only below what looks like another mail."""
    certain = reading.certain_lines
    if len(certain) == len(reading.lines):
        return
    above = understood(certain).phrases
    doubtful: list[NotDone] = []
    for phrase, quote in zip(said.phrases, said.quotes, strict=True):
        # a word stands for those of the letter, which may all be uncertain
        if _is_letter(phrase) and _addressed(phrase) in map(_addressed, filter(_is_letter, understood([*certain, "-"]).phrases)):
            _refuse_forwarding(phrase)
        elif _is_final(phrase) and phrase not in above:
            message = say(
                "This is below what looks like an older mail, so I can't tell whether you mean it now. "
                "If you do, write it at the top of your reply."
            )
            doubtful.append(NotDone(quote, message, "below_another_mail"))
    if doubtful:
        raise UnfitMail("below_another_mail", doubtful)


def _is_letter(phrase: Phrase) -> TypeGuard[Direct]:
    return isinstance(phrase, Direct) and phrase.act == WRITING


def _addressed(letter: Direct) -> tuple[str, Sequence[str]]:
    """Return the league and the players that a letter goes to."""
    return letter.league, letter.words[:-1]


def _refuse_forwarding(direction: Direct) -> None:
    """Ask about the first line of a letter to players that looks like the head of another mail.

    A place to meet, a list below a colon and a line with a date look like it at most a little, as they do in `say`, and the writer gets a
    copy of what was sent. But nobody can take a private mail back from all players of a league, so an attribution has to go.
    """
    head = next((line for line in direction.words[-1].split("\n") if heads_mail(line)), None)
    if head is not None:
        message = say(
            "Another mail may begin with this line, and the players would get to read it. "
            "Leave it out with all that stands below it, or put the line in other words."
        )
        raise UnfitMail("forwards_another_mail", [NotDone(head, message, "forwards_another_mail")])


def _refuse_lost_steps(reading: Reading, understood: Reader, is_move: Callable[[str], bool]) -> None:
    """Ask about lines that count as quotation though they may be steps of the writer's turn, which would be played without them."""
    own = list(takewhile(lambda line: line.verdict in (LineKind.KEPT, LineKind.QUOTED, LineKind.SENT), reading.text))
    barred = next((line.text for line in own if line.text.startswith("|") and is_move(line.text.removeprefix("|").lstrip())), None)
    if barred is not None:
        message = say("A line that begins with a bar counts as quoted text. Send the whole turn again without the bars.")
        raise UnfitMail("barred", [NotDone(barred, message, "barred")])
    # below all that counts, a turn has had its last step
    written = [index for index, line in enumerate(own) if line.text and line.verdict is LineKind.KEPT]
    for _, lines in groupby(own[: written[-1]] if written else own, key=lambda line: line.text != ""):
        paragraph = list(lines)
        # what we sent has words around its steps, wherever a mail program breaks it into paragraphs
        if all(
            line.verdict is LineKind.SENT and any(isinstance(one, Move) for one in understood([line.text]).phrases) for line in paragraph
        ):
            message = say(
                "Our mail has these words too, so I can't tell whether they are yours. "
                'Send the whole turn again, on one line that begins with "move".'
            )
            raise UnfitMail("sent", [NotDone(paragraph[0].text, message, "sent")])


def boards(state: GameState | None) -> tuple[Board, ...]:
    """Return the boards on which a line may make a move: of the game that the mail is about, or of all games if it is about none."""
    if state is not None:
        return ((state.game.rules, state.line.position),)
    rules = (games.find(key).rules for key in games.CATALOGUE)
    return tuple((each, each.start()) for each in rules)


def _is_move(where: Sequence[Board], text: str) -> bool:
    return any(reads_as_turn(rules, position, text) for rules, position in where)


def _refused(  # a refusal, and whose mail about what was refused
    person: Person,
    refusal: Refusal,
    problems: Sequence[NotDone],
    state: GameState | None,
    token: Token,
    *,
    asked: Notice | None,
    alone: bool = True,
) -> Answer:
    # A yes stands for one line, and would leave out the others of a mail that had several.
    told = notices.refusal(problems, suggestion=refusal.suggestion if alone else "", asked=asked, player=person.id)
    return Answer(f"refused: {refusal.code}", (told,), state, token.game if state else None)


def _quoted(said: Understood) -> str:
    # a line may be several phrases, such as one that takes a turn back and plays another
    return " / ".join(dict.fromkeys(said.quotes))


def _refuse_unclear(said: Understood, suggested: str) -> None:
    # A mail is carried out whole or not at all, so one line that may have been meant as a command stops it.
    if said.conflict:
        message = say("These lines contradict each other. Send only the one you mean.")
        raise UnfitMail("conflict", [NotDone(" / ".join(said.conflict), message, "conflict")])
    if said.unclear:
        raise UnfitMail(
            "not_understood", [_unclear(line, instead, asked=suggested) for line, instead in said.unclear[:MAX_PROBLEMS]], suggested
        )
    if not said.phrases:
        message = say('I couldn\'t find a command in your mail. Reply "help" to see what you can write.')
        raise UnfitMail("nothing_asked", [NotDone("", message, "nothing_asked")])


def _unclear(line: str, instead: str | None, *, asked: str) -> NotDone:
    if instead and instead == asked:
        return NotDone(line, say("I didn't understand that."), "not_understood")
    if instead:
        return NotDone(line, say("I didn't understand that. Did you mean: {line}", line=instead), "not_understood")
    begun = command_begun(line)
    if begun is None:
        message = say("I couldn't find a move or a command in that.")
    elif begun.word == "set":
        message = say("I know no such setting. Reply settings for a list of them. It works like this: {example}", example=begun.example)
    elif begun.word in OF_LEAGUES and not any(map(str.isdigit, line)):
        message = say("I know no such league. Reply leagues for a list of them. It works like this: {example}", example=begun.example)
    else:
        message = say("I didn't understand that. It works like this: {example}", example=begun.example)
    return NotDone(line, message, "not_understood")


def _is_question(phrase: Phrase) -> bool:
    # Questions are answered to the registered address, so anybody may ask them.
    if isinstance(phrase, Vacation):
        return phrase.asks
    return isinstance(phrase, _GENERAL)


def _refuse_unauthorised(said: Understood) -> None:
    if not said.phrases or not all(_is_question(phrase) for phrase in said.phrases):
        message = say(
            "Moves and other commands count only in a reply to one of our mails, so that we know it is you. "
            'Reply to the newest mail of the game, or write "resend" to get it again. For a challenge or a league, reply to this mail.'
        )
        raise NotAllowed("no_token", message)
