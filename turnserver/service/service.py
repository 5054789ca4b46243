"""Everything that can be asked of turnserver, over one database: the face that the command line, the jobs and the listener see."""

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from turnserver import games
from turnserver.config import Settings
from turnserver.errors import ClockWrong, NotAllowed
from turnserver.ids import Burden, GameId, PlayerId, Recorded, Version
from turnserver.mail.format.envelope import as_arrived, envelope
from turnserver.mail.format.tokens import Token, find, verify
from turnserver.mail.inbound.read import Reading
from turnserver.mail.inbound.time_phrases import Vacation
from turnserver.mail.transport.outgoing import Transport, transport_for
from turnserver.play.commands import Accept, Command, OpenGame, Substitute
from turnserver.play.events import GameEvent, SeatOrder
from turnserver.play.evolve import Find
from turnserver.play.state import GameState
from turnserver.play.timeouts import House
from turnserver.records.record import Record
from turnserver.rules import Seat
from turnserver.service import keys
from turnserver.service.clock import Clock, Entropy, Lot, Running, draw_lots, system_clock, system_entropy
from turnserver.service.games import records
from turnserver.service.games.ledger import Ledger, Plan, Request
from turnserver.service.games.ledger import actor as actor_of
from turnserver.service.games.terms import check_time, terms
from turnserver.service.keys import ReplyKeys, Rotated
from turnserver.service.leagues.deadlines import LeagueWatch
from turnserver.service.leagues.ratings import Ratings
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom import lost_history
from turnserver.service.mailroom.deliverability import Reachability
from turnserver.service.mailroom.digests import Digests
from turnserver.service.mailroom.dispatch import Dispatcher, Rendered, Sent
from turnserver.service.mailroom.reception import MAILDIR, NULL_SENDER, Handled, Reception
from turnserver.service.people import accounts, erasing, vacations
from turnserver.service.people import leaving as ties
from turnserver.service.people.accounts import Profile
from turnserver.service.people.erasing import Erased, Erasing
from turnserver.service.people.vacations import Away
from turnserver.service.upkeep import processes
from turnserver.service.upkeep.checkpoints import Checkpoints
from turnserver.service.upkeep.deadlines import SETTLE, Swept, Watch
from turnserver.service.upkeep.losses import Losses
from turnserver.service.upkeep.quarantine import Resting
from turnserver.store.incidents import outages
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database, Transaction
from turnserver.store.log.secrets import KeyVersion
from turnserver.store.mail import inbox, mailboxes, outbox
from turnserver.store.mail.inbox import InboxItem
from turnserver.store.mail.mailboxes import Place
from turnserver.store.people import accounts as people
from turnserver.store.people import confirmations
from turnserver.store.people.accounts import Person
from turnserver.store.people.confirmations import Confirmation

logger = logging.getLogger(__name__)


class Ticked(NamedTuple):
    """The results of one round of everything."""

    handled: Handled
    swept: Swept
    sent: Sent


class Service:
    """A running turnserver. Threads may share one; processes make their own over the same database."""

    def __init__(
        self,
        db: Database,
        settings: Settings,
        *,
        clock: Clock = system_clock,
        lot: Lot = draw_lots,
        entropy: Entropy = system_entropy,
        running: Running | None = None,
        transport: Callable[[], Transport] | None = None,
        find: Find = games.find,
        house: House = games.house_turn,
    ) -> None:
        """Serve the games of `db`, which `find` knows and `house` plays. The other arguments are the ways to the outside world.

        With `running`, the service notices a `clock` that is set meanwhile.
        """
        self.db = db
        self.settings = settings
        self.clock = clock
        self._lot = lot
        self._entropy = entropy
        self._keys = ReplyKeys(db)
        self.ledger = Ledger(db, settings.site.domain, find, house=house, entropy=entropy)
        self._reachability = Reachability(self.ledger, settings)
        self.leagues = Leagues(self.ledger, settings, clock)
        resting = Resting(self.ledger, settings, clock)
        owner = processes.new_name()
        self._reception = Reception(self.ledger, settings, self._keys, clock, lot, self._reachability, self.leagues, resting, owner)
        self._digests = Digests(self.ledger, clock)
        way_out = transport or (lambda: transport_for(settings.outgoing))
        self._dispatcher = Dispatcher(self.ledger, settings, self._keys, clock, way_out, self._reachability, resting, owner)
        lies_unseen = timedelta(seconds=settings.jobs.read_seconds if settings.incoming.maildir else 0)
        folders = [(name, folder) for name, account in settings.imap.items() for folder in account.folders]
        look_every = timedelta(seconds=max((account.poll_seconds for account in settings.imap.values()), default=0))
        self._clock_wrong = False
        self._steady = processes.Steady(running)
        self._losses = Losses(self.ledger, settings)
        self._ratings = Ratings(self.ledger)
        self.checkpoints = Checkpoints(db, settings, clock)
        self._league_watch = LeagueWatch(self.leagues)
        self._watch = Watch(self.ledger, settings, resting, SETTLE + lies_unseen, folders, look_every)

    @classmethod
    def connect(cls, settings: Settings) -> Self:
        """Open the database that the settings name. Raises StoreError if it cannot be used."""
        return cls(Database.connect(settings.database.url, settings.database.busy_timeout_seconds), settings)

    @classmethod
    def initialise(cls, settings: Settings) -> Self:
        """Create the database that the settings name, or bring it up to date, and see to it that it has its keys."""
        db = Database.create_or_upgrade(settings.database.url, settings.database.busy_timeout_seconds)
        with db.write() as tx:
            keys.ensure(tx, system_entropy)
        return cls(db, settings)

    # mail

    def receive(self, raw: bytes, recipient: str, sender: str | None, source: str, arrived_at: datetime | None = None) -> int:
        """Store a mail as it arrived, and return the number of its inbox row. The mail is durable when this returns.

        `recipient` and `sender` are the envelope's; an empty sender is the null sender, None an unknown one. `source` is `lmtp`, `pipe`,
        `maildir` or `imap`. `arrived_at` is when the mail reached this side, if that was before now. Copies of a mail that would be handled
        under the same reply token are one mail, whichever way each came.
        """
        return self.ledger.attempt(self._arrival([recipient], raw, sender, source, arrived_at))

    def receive_for(self, recipients: Sequence[str], raw: bytes, sender: str | None, source: str) -> None:
        """Store one mail for all recipients or for none, like `receive`. Its bytes are kept once."""
        self.ledger.attempt(self._arrival(recipients, raw, sender, source))

    def receive_from(self, place: Place, raw: bytes, arrived_at: datetime | None) -> bool:
        """Store the mail at a place in an IMAP mailbox, like `receive`. Return False, and store nothing, if it was stored before.

        The envelope is read from the mail's own headers.
        """
        recipient, sender = envelope(raw, self.settings.site.address)
        arrive = self._arrival([recipient], raw, sender, "imap", arrived_at)
        return self.ledger.attempt(lambda tx: mailboxes.take(tx, place) and arrive(tx) > 0)

    def _arrival(
        self, recipients: Sequence[str], raw: bytes, sender: str | None, source: str, arrived_at: datetime | None = None
    ) -> Callable[[Transaction], int]:
        """Return a function that stores a mail for each recipient, its bytes once, and returns the number of the first row."""
        now = self.clock()
        at = now if arrived_at is None else min(arrived_at, now)
        identities = {recipient: as_arrived(raw, recipient) for recipient in recipients}
        known = NULL_SENDER if sender == "" else sender or ""

        def arrive(tx: Transaction) -> int:
            self._require_clock(tx, now)
            first = None
            for recipient, identity in identities.items():
                number = inbox.receive(
                    tx, identity=identity, source=source, recipient=recipient, sender=known, received_at=at, raw=raw, bytes_of=first
                )
                first = first or number
            return first or 0

        return arrive

    def read_inbox(self) -> Handled:
        """Handle a batch of the mail that waits. Time that an outage took is given back first, since the mail is judged by deadlines.

        Handle nothing while the clock of the machine cannot be right.
        """
        if not self._clock_is_right():
            return Handled()
        self._watch.catch_up(self.clock())
        self._keys.refresh()
        return self._reception.round()

    def send_outbox(self) -> Sent:
        """Send a batch of the mail that is due, digests among it."""
        self._keys.refresh()
        self._digests.round()
        return self._dispatcher.round()

    def make_ready(self) -> None:
        """Check that mail can be signed and games be opened by the settings; release what a killed process held. Raises ConfigError."""
        self._dispatcher.make_ready()
        check_time(self.settings, self.clock())
        processes.take_over(self.db)

    def listening(self) -> None:
        """Note that this process takes mail itself: a time without sweeps is then one without mail (see `Watch`)."""
        self._watch.listening()

    def sweep(self) -> Swept:
        """Remind and time out players, let leagues go on, let ratings and checkpoints follow, and forget unconfirmed addresses.

        Do nothing while the clock of the machine cannot be right.
        """
        if not self._clock_is_right():
            return Swept()
        with self.db.read() as conn:
            expired = confirmations.any_expired(conn, self.clock())
        if expired:
            self.ledger.attempt(lambda tx: confirmations.erase_expired(tx, self.clock()))
        now = self.clock()
        swept, heard = self._watch.sweep(now), self._watch.heard(now)
        told = self._losses.round(now)
        done = self._league_watch.sweep(heard, now) if heard is not None else 0
        self._ratings.follow()
        self.checkpoints.follow()
        return swept._replace(acted=swept.acted + done + told)

    def _clock_is_right(self) -> bool:
        """Return whether the clock can be right. If it cannot, tell the admin, once until it is right again."""
        now = self.clock()
        try:
            with self.db.read() as conn:
                self._require_clock(conn, now)
        except ClockWrong as error:
            if not self._clock_wrong:
                processes.tell_of_clock(self.ledger, self.settings.site.admin, error, now)
            self._clock_wrong = True
            return False
        if self._clock_wrong:
            logger.warning("the clock of this machine is right again: %s", now)
        self._clock_wrong = False
        return True

    def _require_clock(self, conn: Transaction, now: datetime) -> None:
        processes.require_plausible(conn, now)
        self._steady.require(conn, now)

    def confirm_clock(self) -> datetime:
        """Take the clock of the machine for right, whatever was noted before, and return its instant."""
        now = self.clock()
        self.ledger.attempt(lambda tx: outages.confirm(tx, now))
        return now

    def tick(self) -> Ticked:
        """Do everything once, until nothing is left to do: for cron."""
        processes.take_over(self.db)
        handled, sent = Handled(), Sent()
        while any(last := self.read_inbox()):
            handled = Handled(*map(sum, zip(handled, last, strict=True)))
        swept = self.sweep()
        while any(sending := self.send_outbox()):
            sent = Sent(*map(sum, zip(sent, sending, strict=True)))
            if not (sending.sent or sending.dead):
                break  # whatever is in the way, the next round tries again
        return Ticked(handled, swept, sent)

    def render(self, outbox_id: int) -> Rendered:
        """Return the mail that an outbox row stands for, sent or not. Raises NotFound."""
        with self.db.read() as conn:
            item = outbox.get(conn, outbox_id)
        return self._dispatcher.render(item)

    def sealed(self, outbox_id: int) -> bytes:
        """Return the mail of an outbox row to the byte, signed as it would be now. Raises NotFound and ConfigError."""
        return self._dispatcher.sealed(self.render(outbox_id).mail)

    def resend(self, who: str, *, actor: str, cause: str) -> int:
        """Send a player everything that waits for them again, or else the list of their games; return the number of mails.

        Raises NotFound.
        """
        request = Request(actor, cause, self.clock())
        return self.ledger.attempt(lambda tx: lost_history.resend(tx, self.ledger, people.find_player(tx, who), request))

    def begin_collecting(self) -> None:
        """Note when mail is first looked for in the maildir of the settings. Mail that lay there before is not answered."""
        folder, now = self.settings.incoming.maildir, self.clock()
        with self.db.read() as conn:
            begun = mailboxes.began_at(conn, MAILDIR, folder)
        if begun is None:
            self.ledger.attempt(lambda tx: mailboxes.watch(tx, MAILDIR, folder, now))

    def new_address(self, player: PlayerId) -> Confirmation | None:
        """Return the new address of a player that still has to be confirmed."""
        with self.db.read() as conn:
            return confirmations.of_player(conn, player, self.clock())

    def rotate_key(self, *, retire: int = 0, retire_days: int | None = None) -> Rotated:
        """Sign reply addresses with a new key from now on; see `keys.rotate`. Raises BadOption."""
        now = self.clock()
        return self.ledger.attempt(lambda tx: keys.rotate(tx, self._entropy, now, retire=retire, retire_days=retire_days))

    def reply_keys(self) -> list[KeyVersion]:
        """Return the versions of the key of reply addresses that verify; the last one signs."""
        with self.db.read() as conn:
            return keyring.versions(conn, keyring.REPLY)

    def token_in(self, address: str) -> Token | None:
        """Return the token in a reply address of ours; None for any other address."""
        text = find([address])
        self._keys.refresh()
        return verify(self._keys, text) if text else None

    def mails_written(self) -> int:
        """Return the number of mails ever put into the outbox, sent or not."""
        with self.db.read() as conn:
            return sum(outbox.counts(conn).values())

    def inbox_waiting(self) -> int:
        """Return the number of mails that have arrived and are still to be handled."""
        with self.db.read() as conn:
            return inbox.counts(conn).get("new", 0)

    def retry(self, outbox_id: int) -> None:
        """Queue a dead mail again, due now. Raises NotFound."""
        self.ledger.attempt(lambda tx: outbox.requeue(tx, outbox_id))

    def reading(self, inbox_id: int) -> tuple[InboxItem, Reading]:
        """Return a mail of the inbox, and what is read in it. Raises NotFound."""
        with self.db.read() as conn:
            item = inbox.get(conn, inbox_id)
        return item, self._reception.read(item)

    def handle_again(self, inbox_id: int) -> None:
        """Give a mail whose handling failed for good another round of attempts. Raises NotFound."""
        self.ledger.attempt(lambda tx: inbox.requeue(tx, inbox_id))

    # players

    def add_player(
        self, name: str, address: str, zone: str | None = None, language: str | None = None, *, actor: str, cause: str
    ) -> Person:
        """Make an account and send the player a welcome. Raises BadOption, and NotAllowed if the name or the address is taken."""
        request = Request(actor, cause, self.clock())
        site = self.settings.site
        profile = Profile(name, address, zone or site.zone, language or site.language)
        return self.ledger.attempt(lambda tx: accounts.add(tx, self.ledger, profile, request))

    def edit_player(  # the fields of an account
        self,
        who: str,
        *,
        name: str | None = None,
        address: str | None = None,
        zone: str | None = None,
        reachable: bool = False,
        actor: str,
        cause: str,
    ) -> Person:
        """Change fields of an account; None leaves a field as it is. Raises NotFound, BadOption, and NotAllowed for what is taken.

        `reachable` says that mail gets through to the player again; so does an address that is new.
        """
        request = Request(actor, cause, self.clock())
        profile = Profile(name, address, zone)

        def work(tx: Transaction) -> Person:
            before = people.find_player(tx, who)
            after = before if reachable and profile == Profile() else accounts.edit(tx, self.ledger, who, profile, request)
            if reachable or after.address != before.address:
                self._reachability.log(tx, self._reachability.heard(tx, after.id, request), request)
            return after

        return self.ledger.attempt(work)

    def choose(self, who: str, settings: Sequence[tuple[str, str]], *, actor: str, cause: str) -> Person:
        """Set a player's settings to the values beside their names, as text. Raises NotFound and BadOption."""

        def work(tx: Transaction) -> Person:
            return accounts.choose(tx, self.ledger, people.find_player(tx, who).id, settings, Request(actor, cause, self.clock()))

        return self.ledger.attempt(work)

    def leave(self, player: PlayerId, *, actor: str, cause: str) -> list[str]:
        """Have a player leave everything that they are part of, and tell the others. Return phrases for what was left. Raises Refusal."""

        def request(part: str) -> Request:
            return Request(actor, f"{cause}:{part}", self.clock())

        left = ties.leave(self.ledger, self.leagues, player, request, self.settings.play.vacation_days)
        return [tie.what for tie in left]

    def erase_player(
        self, player: PlayerId, also: Iterable[str] = (), *, actor: str, cause: str, seen: Callable[[int], object] = lambda _: None
    ) -> Erased:
        """Erase everything that names a player: see `Erasing.erase`. Raises NotFound, NotAllowed and DatabaseBusy."""
        with self.db.read() as conn:
            person = people.player(conn, player)
        return Erasing(self.ledger, self.clock).erase(person, also, actor=actor, cause=cause, seen=seen)

    def player_data(self, player: PlayerId) -> tuple[list[str], bytes]:
        """Return everything that is kept on a player as a ZIP, and the names of its files. Raises NotFound."""
        self._keys.refresh()
        with self.db.read() as conn:
            found = erasing.files(conn, player, self._dispatcher)
        return sorted(found), erasing.packed(found)

    def take_vacation(self, who: str, wanted: Vacation, *, actor: str, cause: str) -> Away:
        """Declare a vacation for a player, or end one, and tell the player and the others. Raises NotFound and NotAllowed."""

        def work(tx: Transaction) -> Away:
            person, days, request = people.find_player(tx, who), self.settings.play.vacation_days, Request(actor, cause, self.clock())
            away = vacations.plan(tx, self.ledger, person, wanted, days, request, request.now)
            vacations.write(tx, self.ledger, away, request, [vacations.answer(tx, person, days, request.now, away)])
            return away

        return self.ledger.attempt(work)

    def unsubscriber(self, token: str) -> Person | None:
        """Return the person whose mail an address for unsubscribing stops; None if the address is none of ours."""
        self._keys.refresh()
        with self.db.read() as conn:
            return accounts.unsubscriber(conn, self._keys, token)

    def unsubscribe(self, token: str, *, cause: str) -> Person | None:
        """Send the player whose token it is no more mail but answers; see `unsubscriber`. Doing it again changes nothing."""
        person = self.unsubscriber(token)
        if person is None:
            return None
        return self.choose(str(person.id), [("subscribed", "off")], actor=actor_of(person.id), cause=cause)

    def players(self) -> list[Person]:
        """Return everybody with an account."""
        with self.db.read() as conn:
            return people.list_players(conn)

    def player(self, who: str) -> Person:
        """Return the player with that number, name or address. Raises NotFound."""
        with self.db.read() as conn:
            return people.find_player(conn, who)

    # games

    def open_game(
        self,
        game: str,
        options: Mapping[str, str | int | bool],
        players: Sequence[str],
        *,
        order: SeatOrder = SeatOrder.LOT,
        time: str | None = None,
        actor: str,
        cause: str,
    ) -> Plan:
        """Open a game and invite its players, named by number, name or address. Raises Refusal."""

        def work(tx: Transaction) -> Plan:
            now = self.clock()
            seated = tuple(people.find_player(tx, who).id for who in players)
            command = OpenGame(
                game,
                options,
                self._lot(seated) if order is SeatOrder.LOT else seated,
                order,
                terms(self.settings, time, now.date()),
            )
            plan = self.ledger.plan_new(tx, command, now)
            self.ledger.write(tx, plan, Request(actor, cause, now))
            return plan

        return self.ledger.attempt(work)

    def handle(self, game: GameId, command: Command, *, actor: str, cause: str) -> Plan:
        """Carry out a command. Raises Refusal, and then nothing has changed.

        An acceptance without entropy of its own adds the digest of the `cause`; its time zone is that of the player's account.
        """
        if isinstance(command, Accept):
            entropy = command.entropy or hashlib.sha256(cause.encode()).hexdigest()
            command = replace(command, entropy=entropy, zone=self.player(str(command.player)).zone)
        return self.ledger.act(game, [command], Request(actor, cause, self.clock()))

    def substitute(self, game: GameId, seat: Seat, who: str, rating: Burden, reason: str, *, actor: str, cause: str) -> Plan:
        """Have the player with that number, name or address play on at a seat. Raises Refusal, and then nothing has changed.

        Nobody plays on who wants no mail.
        """

        def work(tx: Transaction) -> Plan:
            person, now = people.find_player(tx, who), self.clock()
            if not person.preferences.subscribed:
                raise NotAllowed("unsubscribed", f"{person.name} wants no mail at present and cannot play on for anybody.")
            command = Substitute(seat, person.id, person.zone, rating, reason)
            plan = self.ledger.plan(game, self.ledger.load(tx, game), [command], now)
            return self.ledger.write(tx, plan, Request(actor, cause, now))

        return self.ledger.attempt(work)

    def record(self, game: GameId, version: Version | None = None) -> Record:
        """Return the record of a game as it is, or was after its first `version` events, for people. Raises NotFound."""
        with self.ledger.db.read() as conn:
            history = self.ledger.history(conn, game, version)
            return records.record(conn, game, self.ledger.state_after(game, history), history, self.settings.site.domain)

    def history(self, game: GameId) -> list[Recorded[GameEvent]]:
        """Return every event of a game. Raises NotFound."""
        with self.db.read() as conn:
            return self.ledger.history(conn, game)

    def game(self, game: GameId) -> GameState:
        """Return the game as it is. Raises NotFound."""
        with self.db.read() as conn:
            return self.ledger.load(conn, game).state
