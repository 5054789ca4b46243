"""Every error that turnserver raises on purpose.

TurnserverError
├── Refusal             what was asked for cannot be done; the message is a sentence for the person who asked
│   ├── StepError           text that does not become a legal step
│   │   ├── Unreadable          not a step in this game's notation
│   │   ├── Illegal             readable, but against the rules now; the message names the rule
│   │   └── Ambiguous           several legal steps fit; the message lists them
│   ├── BadOption           an unknown game, an unknown option or a value outside its range
│   │   └── WrongLines          lines of a file of an admin's are wrong, so nothing was done
│   ├── BadRecord           a file of games that cannot be read, or a game in it that the rules do not bear out
│   ├── NotAllowed          the state of a game says no to a command
│   │   └── SomeRefused         a request for several players is refused for some of them, so nothing was done
│   └── NotFound            no such player, game, message or version
├── Conflict            somebody else appended to the stream first: load and decide again
│   ├── AlreadyDone         the same cause is in the stream already: there is nothing left to do
│   └── AlreadyHandled      another process has finished with this row of the inbox or the outbox, or taken it over
├── ConfigError         the configuration cannot be used
├── StoreError          the database cannot be used
│   ├── DatabaseUnavailable it can do nothing now, whatever it is asked
│   │   ├── DatabaseMissing     there is none yet: run `turnserver init`
│   │   ├── DatabaseBusy        it stayed locked for longer than the busy timeout
│   │   ├── DatabaseReplaced    it is another one than this process opened, or damaged
│   │   ├── DatabaseFull        its disk has no room
│   │   └── WrongRevision       its tables are older or newer than this program
│   ├── SecretLost          it does not hold the secret that a game's rolls come from
│   └── KeyTaken            a row with this unique key exists
├── ClockWrong          the clock of the machine cannot be right, so nothing is decided
│   ├── ClockAhead      it has moved on by more than the time that passed
│   └── ClocksDiffer    it and the clock of the database's server tell different times
├── LogError            the log holds something that this program cannot accept
│   ├── UnknownEvent        a type or schema version without a decoder
│   ├── Malformed           data that does not fit its schema
│   ├── UnknownRevision     a game was opened under a reading of its rules that is not installed
│   ├── Unplayable          a game cannot be played again from its log
│   └── LogRewritten        it is not the log any more that an earlier checkpoint was made of
├── NoBundle            what should be a bundle of events cannot be read as one
├── ProofError          a note, a checkpoint or a proof is not to be believed
│   ├── MalformedProof      it is not in the published format, or of another log
│   ├── NotSigned           no known key has signed it
│   ├── WrongSignature      a known key is said to have signed it, and has not
│   └── NotProved           it does not prove what it should
├── WorkerLost          a process that worked for this one has died
└── MailError           a mail could not be read or sent
    ├── TemporaryFailure    worth trying again later
    │   ├── Unreachable         there is no way out for any mail now
    │   ├── Unanswered          the next server fell silent while it had this mail
    │   └── MailboxClosed       a mailbox cannot be read now
    │       └── LoginRefused        its server does not take the password
    └── PermanentFailure    never going to work as it is
        └── Refused             the next server said so

A `Refusal` changes nothing and is answered; everything else is an operator's business.
"""

from collections.abc import Mapping, Sequence


def in_words(error: Exception) -> str:
    """Return what an error says, with its type if it is none of ours."""
    return str(error) if isinstance(error, TurnserverError) else f"{type(error).__name__}: {error}"


class TurnserverError(Exception):
    """The root of the tree. `str(error)` is one clear sentence that needs no traceback."""


class Refusal(TurnserverError):
    """A request that cannot be done.

    `code` is a stable lower-case name for tests, templates and JSON; the message is for people and may change. `suggestion` is a line that
    somebody who wrote a mail may have meant, and that a yes stands for; empty if there is none.
    """

    def __init__(self, code: str, message: str, suggestion: str = "") -> None:
        """Keep the stable `code` and the `suggestion` beside the `message` for people."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.suggestion = suggestion


class StepError(Refusal):
    """Text that does not become exactly one legal step. The message says why and has no example of a step in it.

    `meant` are steps, as they are written, that the player may have meant, legal or not: `turnserver.rules.offers` names the legal ones.
    """

    def __init__(self, message: str, code: str = "", meant: Sequence[str] = ()) -> None:
        """Take the class's own name as the code unless a rule has a name of its own."""
        super().__init__(code or type(self).__name__.lower(), message)
        self.meant = tuple(meant)


class Unreadable(StepError):
    """The text is not a step in this game's notation, whatever the position."""


class Illegal(StepError):
    """The text names a step, but the rules forbid it in this position."""


class Ambiguous(StepError):
    """The text fits several legal steps."""


class BadOption(Refusal):
    """An unknown game, an unknown option, or a value that the option does not take."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        """Keep the `message`: which option is wrong, and its possible values."""
        super().__init__("bad_option", message, suggestion)


class WrongLines(BadOption):
    """Lines of a file are wrong, so nothing was done. `lines` has everything that is wrong with a line, by its number."""

    def __init__(self, lines: Mapping[int, Sequence[str]]) -> None:
        """Tell all of them, one a line."""
        told = [f"line {number}: {' '.join(faults)}" for number, faults in sorted(lines.items())]
        wrong = "1 line is" if len(told) == 1 else f"{len(told)} lines are"
        super().__init__("\n  ".join([f"{wrong} wrong, so nothing was changed:", *told]))
        self.lines = lines


class BadRecord(Refusal):
    """A file of games that cannot be read, or a game in it that the rules do not bear out.

    `place` is line and column, both from 1, where they are known; the message begins with them.
    """

    def __init__(self, place: tuple[int, int] | None, problem: str) -> None:
        """Put the place before the problem."""
        super().__init__("bad_record", f"Line {place[0]}, column {place[1]}: {problem}" if place else problem)
        self.place = place


class NotAllowed(Refusal):
    """The state of a game, or a player's part in it, says no to a command."""


class SomeRefused(NotAllowed):
    """A request for several players is refused for some of them, so nothing was done.

    `refusals` has the refusal of each of these players by their name.
    """

    def __init__(self, refusals: Mapping[str, NotAllowed]) -> None:
        """Keep all refusals. Code and message are those of the first."""
        first = next(iter(refusals.values()))
        super().__init__(first.code, first.message)
        self.refusals = refusals


class NotFound(Refusal):
    """There is no such player, game, message or version."""

    def __init__(self, message: str) -> None:
        """Keep the `message`: what is missing, and where."""
        super().__init__("not_found", message)


class Conflict(TurnserverError):
    """The stream has grown since it was read; nothing was written."""


class AlreadyDone(Conflict):
    """The stream holds events of this very cause: the same request was handled before. Deciding again would do it twice."""


class AlreadyHandled(Conflict):
    """Another process has finished with this row of the inbox or the outbox, or holds its lease; nothing was written."""


class ConfigError(TurnserverError):
    """The configuration cannot be used; the message names the setting."""


class StoreError(TurnserverError):
    """The database cannot be used."""


class DatabaseUnavailable(StoreError):
    """The database can do nothing now, whatever it is asked: it cannot be reached, or has no room."""


class DatabaseMissing(DatabaseUnavailable):
    """No database, or no tables in it."""


class DatabaseBusy(DatabaseUnavailable):
    """Another process held the database for longer than the busy timeout."""


class DatabaseReplaced(DatabaseUnavailable):
    """The database is another one than this process opened, or its files are damaged, so nothing can be kept in it.

    A process that meets it has to stop, with 3.
    """

    exit_code = 3


class DatabaseFull(DatabaseUnavailable):
    """The disk of the database has no room."""


class WrongRevision(DatabaseUnavailable):
    """The tables belong to an older or newer version of the program."""


class SecretLost(StoreError):
    """The secret that a game committed to is missing or another one. Without it the game cannot go on."""


class KeyTaken(StoreError):
    """A unique constraint failed: a row with this key exists. The transaction can only be rolled back."""

    def __init__(self, constraint: str) -> None:
        """Keep the constraint's name, the same on both engines."""
        super().__init__(f"the database holds a row with this key already ({constraint})")
        self.constraint = constraint


class ClockWrong(TurnserverError):
    """The clock of the machine contradicts what has happened. Nothing is decided by it, and no mail is taken, until it is right."""


class ClockAhead(ClockWrong):
    """The clock of the machine has moved on by more than the time that passed, which only a process knows that has run meanwhile."""


class ClocksDiffer(ClockWrong):
    """The clock of the machine and the one of the database's server tell different times. Nobody can confirm that both are right."""


class LogError(TurnserverError):
    """The log holds something that this program cannot accept."""


class UnknownEvent(LogError):
    """An event type, or a schema version of one, that has no decoder."""


class Malformed(LogError):
    """An event whose data does not fit its schema."""


class UnknownRevision(LogError):
    """A game was opened under a revision of its rules that is not installed."""


class Unplayable(LogError):
    """A game cannot be played again from its log by the installed program, so it is not served. `why` is a clause."""

    def __init__(self, game: int, why: str) -> None:
        """Keep the number of the `game` and the reason beside the sentence."""
        super().__init__(f"Game {game} rests, because this program cannot play it again from its log: {why}")
        self.game = game
        self.why = why


class LogRewritten(LogError):
    """Events that a signed checkpoint covers are gone or were changed. No checkpoint can follow on that one."""


class NoBundle(TurnserverError):
    """A supposed bundle of events cannot be read as one, so nothing can be said of it. A command that meets it ends with 2."""

    exit_code = 2


class ProofError(TurnserverError):
    """A note, a checkpoint or a proof is not to be believed."""


class MalformedProof(ProofError):
    """A key, a note, a checkpoint or a proof that is not in the published format, or belongs to another log."""


class NotSigned(ProofError):
    """None of the known keys has signed the note."""


class WrongSignature(ProofError):
    """A signature that has the name and id of a known key, but was not made over this text with that key."""


class NotProved(ProofError):
    """A proof that is in the right format, and signed, but does not prove what it should."""


class WorkerLost(TurnserverError):
    """A process that worked for this one has died, so nobody knows the result of its work."""


class MailError(TurnserverError):
    """A mail could not be read or sent."""


class TemporaryFailure(MailError):
    """A failure after which trying again may help: a server is down or busy."""


class Unreachable(TemporaryFailure):
    """No mail can leave now, neither this one nor any other: the server does not answer, or it refuses our login."""


class Unanswered(TemporaryFailure):
    """The next server fell silent while it had this mail: perhaps it hangs, perhaps only on this one. It may have taken it."""


class MailboxClosed(TemporaryFailure):
    """A mailbox cannot be read now: its server does not answer, or does not work with us."""


class FolderClosed(MailboxClosed):
    """One folder of a mailbox cannot be read now: its server has none of that name, or does not open it. Others may be read."""


class LoginRefused(MailboxClosed):
    """The server of a mailbox does not take our login. Trying often may lock it."""


class PermanentFailure(MailError):
    """A failure after which trying again does not help: the server refused for good."""


class Refused(PermanentFailure):
    """The next server refused a mail for good. `answer` are its words.

    If `recipient`, it refused the address before it had seen the mail.
    """

    def __init__(self, message: str, answer: str, *, recipient: bool) -> None:
        """Keep the server's answer, beside the sentence for an admin."""
        super().__init__(message)
        self.answer = answer
        self.recipient = recipient
