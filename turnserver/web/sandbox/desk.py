"""The service at work for the page of `turnserver try`: what it sends is caught, and what is answered there comes in as mail."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from threading import Event, Lock, Thread
from typing import NamedTuple, Self
from uuid import uuid4

import msgspec

from turnserver import games
from turnserver.config import Settings, reading
from turnserver.errors import ConfigError, NotAllowed, TurnserverError
from turnserver.ids import PlayerId
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.outside import Clock, DrawLots, draw_lots, system_clock
from turnserver.play.events import SeatOrder
from turnserver.play.state import GameState, Status
from turnserver.rules.options import Value
from turnserver.service.service import Service
from turnserver.store.log.database import Database
from turnserver.store.mail import inbox
from turnserver.web.sandbox.mails import Capture

logger = logging.getLogger(__name__)

PULSE_SECONDS = 1.0
"""The time between two looks of the service for what other commands have left to do."""
SOURCE = "sandbox"
ACTOR = "admin:try"
YOURS = ("Ada", "Bob", "Cleo", "Dan")
HOUSE = ("House", "House Two", "House Three")
MOST_CHARACTERS = 20_000

MARK = "# Made by `turnserver try`."
CONFIG = f"""{MARK} Other commands can look at its games with --config.
[site]
name = "turnserver"
address = "turns@try.example"
admin = "admin@try.example"

[database]
url = "sqlite:///turnserver.db"

[outgoing]
transport = "maildir"
maildir = "mails"

[play]
correction_minutes = 0

[audit]
key_files = []
"""


class Answered(NamedTuple):
    """An answer that was sent from the page, and what came of it."""

    text: str
    outcome: str


def new_site(path: Path) -> Settings:
    """Return the settings of a site that needs none: a file at `path`, and a database beside it. Makes both unless they are there.

    Raises ConfigError for a directory with anything else in it: on the database of real players, nobody would get their mails.
    """
    if not path.exists() and not any(path.parent.iterdir()):
        path.write_text(CONFIG, encoding="utf-8")
    elif not path.exists() or not path.read_bytes().startswith(MARK.encode()):
        raise ConfigError(f"{path.parent} is not empty, and `turnserver try` has not made it. Name a new or an empty directory.")
    settings = reading.load(path, {})
    Service.initialise(settings).db.close()
    return settings


@contextmanager
def service_into(maildir: Path, settings: Settings, clock: Clock = system_clock, lot: DrawLots = draw_lots) -> Iterator[Service]:
    """Open the service of `settings` with another way out for its mails and no way in but the page. Raises ConfigError and StoreError.

    Nobody has to be protected here from loops and floods, no mail server vouches for what is answered, and who plays both sides waits for
    nobody.
    """
    changed = msgspec.structs.replace(
        settings,
        incoming=msgspec.structs.replace(
            settings.incoming, answers_per_day=10_000, mails_per_hour=100_000, authentication="off", maildir=""
        ),
        imap={},
        play=msgspec.structs.replace(settings.play, correction_minutes=0),
    )
    with closing(Database.connect(settings.database.url, settings.database.busy_timeout_seconds)) as db:
        yield Service(db, changed, clock=clock, lot=lot, transport=lambda: MaildirTransport(maildir))


class Desk:
    """A service at work whose mails stay in a directory, and which hears the answers of the page; from `with` to its end."""

    def __init__(self, service: Service, maildir: Path, *, players: Sequence[str] = (), house: Sequence[str] = ()) -> None:
        """`service` sends into `maildir`. Games are opened between `players`, then those of the `house`, which answers by itself."""
        self.capture = Capture(maildir)
        self.site = service.settings.site.name
        self.trouble = ""
        self._service = service
        self._seats = (*players, *house)
        self._house = {address_of(name): name for name in house}
        self._heard: set[str] = set()
        self._answered: dict[str, list[Answered]] = {}
        self._working = Lock()
        self._ended = Event()
        self._thread = Thread(target=self._beat, name="sandbox service", daemon=True)
        # whose phones are shown unless others are asked for
        self.first = tuple(address_of(name) for name in players[:2])

    def __enter__(self) -> Self:
        """Begin to work."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Finish what is under way."""
        self._ended.set()
        self._thread.join()

    @property
    def games(self) -> Mapping[str, str]:
        """Return the games that can be opened here, their titles by their keys."""
        return {key: entry.title for key, entry in games.CATALOGUE.items()} if self._seats else {}

    def open(self, key: str, options: Mapping[str, Value] | None = None) -> None:
        """Open another game; two play it unless `options` say otherwise. Raises Refusal."""
        entry = games.entry(key)
        fewest = {"players": min(entry.seats)} if "players" in {one.name for one in games.describe_options(entry)} else {}
        chosen = {**fewest, **(options or {})}
        seats = games.find(key, **chosen).rules.seats
        if seats > len(self._seats):
            raise NotAllowed("seats", f"{entry.title} with these options has {seats} seats, and there are {len(self._seats)} players here.")
        names = self._seats[:seats]
        known = {person.name for person in self._service.people.everybody()}
        for name in names:
            if name not in known:
                self._service.people.add(name, address_of(name), actor=ACTOR, cause=f"try:{name}")
        # In the given order, so that whoever tries a game moves first.
        self._service.games.open(key, chosen, names, order=SeatOrder.GIVEN, actor=ACTOR, cause=f"try:{uuid4()}")
        self.work()

    def answer(self, number: str, text: str, to: str = "") -> Answered:
        """Answer a mail as its recipient, and have the answer handled. It goes where the mail wants it, or `to` an address in it.

        Raises NotFound, and Refusal for an answer that cannot be sent.
        """
        if not text.strip():
            raise NotAllowed("empty", "Write something first.")
        if len(text) > MOST_CHARACTERS:
            raise NotAllowed("too_long", f"An answer may have {MOST_CHARACTERS} characters.")
        # A link in a mail may lead to another game than the mail is about, but nowhere else.
        if to.split() != [to] or self._service.mail.token_in(to) is None:
            to = ""
        kept = self._receive(answer_to(self.capture.message(number), text, self._service.clock(), to))
        self.work()
        with self._service.db.read() as conn:
            row = inbox.get(conn, kept)
        answered = Answered(text, row.outcome or row.error or "waits to be handled")
        self._answered[number] = [*self._answered.get(number, ()), answered]
        return answered

    def answers(self, number: str) -> Sequence[Answered]:
        """Return the answers to a mail, the oldest first."""
        return self._answered.get(number, ())

    def work(self) -> None:
        """Do one round of everything; an error is shown on the page."""
        # The beat and an answer from the page may come at once.
        with self._working:
            try:
                self._service.tick()
                while self._house_answers():
                    self._service.tick()
            except TurnserverError as error:
                self.trouble = str(error)
            # Whatever a mail trips over, the page is the only place where somebody looks, so it goes on and shows it.
            except Exception as error:
                logger.exception("nobody foresaw this")
                self.trouble = f"{type(error).__name__}: {error}"
            else:
                self.trouble = ""

    def _beat(self) -> None:
        self.work()
        while not self._ended.wait(PULSE_SECONDS):
            self.work()

    def _receive(self, mail: EmailMessage) -> int:
        to, by = (mail[name].addresses[0].addr_spec for name in ("To", "From"))
        return self._service.mail.receive(mail.as_bytes(policy=policy.SMTP), to, by, SOURCE)

    def _house_answers(self) -> bool:
        """Answer the mails to the house that have come; return whether there was anything to say."""
        came = [mail for mail in self.capture.list() if mail.address in self._house and mail.id not in self._heard] if self._house else []
        said = False
        for one in came:
            # Before it is read: a mail that trips the house must not trip it every second.
            self._heard.add(one.id)
            mail = self.capture.message(one.id)
            token = self._service.mail.token_in(mail["Reply-To"].addresses[0].addr_spec)
            if token is None or not token.game:
                continue
            state = self._service.games.state(token.game)
            text = words_for(state, token.player)
            # A mail may be older than the state: only the one about the pending turn is answered.
            if text is not None and token.turn == state.turn:
                self._receive(answer_to(mail, text, self._service.clock()))
                said = True
        return said


def address_of(name: str) -> str:
    """Return the mailbox of a player here."""
    return f"{name.lower().replace(' ', '-')}@try.example"


def words_for(state: GameState, player: PlayerId) -> str | None:
    """Return a house player's answer to a mail about this game: an acceptance or a move. None if no answer is due."""
    if state.status is Status.INVITING:
        return None if player in state.accepted else "accept"
    if state.mover == player:
        return "; ".join(games.house_turn(state.game, state.line.position))
    return None


def answer_to(mail: EmailMessage, text: str, at: datetime | None = None, to: str = "") -> EmailMessage:
    """Return the mail that a mail program makes of `text` written above a quoted mail.

    It is dated `at`, or as the quoted mail is, and goes `to` an address, or where that mail wants its answers.
    """
    body = mail.get_body(("plain",))
    quoted = "".join(f"> {line}\n" for line in (body.get_content() if body else "").splitlines())
    answer = EmailMessage()
    answer["From"] = mail["To"]
    answer["To"] = to or mail["Reply-To"]
    answer["Subject"] = f"Re: {mail['Subject']}"
    answer["Date"] = format_datetime(at or mail["Date"].datetime)
    # Without a domain, it would look up the name of this machine.
    answer["Message-ID"] = make_msgid(domain="try.example")
    answer["In-Reply-To"] = mail["Message-ID"]
    answer["References"] = " ".join(filter(None, (mail["References"], mail["Message-ID"])))
    answer.set_content(f"{text}\n\nOn {mail['Date']}, {mail['From']} wrote:\n{quoted}")
    return answer
