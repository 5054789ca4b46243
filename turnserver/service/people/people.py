"""Commands and questions of admins and of pages about players."""

from collections.abc import Callable, Iterable, Sequence

from turnserver.config import Settings
from turnserver.errors import WrongLines
from turnserver.ids import PlayerId
from turnserver.ids import actor as actor_of
from turnserver.mail.inbound.time_phrases import Vacation
from turnserver.outside import Clock
from turnserver.service.games.ledger import Ledger
from turnserver.service.keys import ReplyKeys
from turnserver.service.leagues.repository import Leagues
from turnserver.service.mailroom import authorship
from turnserver.service.mailroom.deliverability import Deliverability
from turnserver.service.mailroom.dispatch import Dispatcher
from turnserver.service.people import accounts, erasing, importing, leaving, vacations
from turnserver.service.people.accounts import Profile, check_players_address
from turnserver.service.people.erasing import Erased
from turnserver.service.people.importing import ImportPlan, PersonLine
from turnserver.service.people.vacations import VacationDecision
from turnserver.service.request import Request
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people import confirmations
from turnserver.store.people.accounts import Person
from turnserver.store.people.confirmations import Confirmation


class People:
    """Makes and changes accounts, and shows them. Each call has a transaction of its own. Threads may share it."""

    def __init__(  # noqa: PLR0917  # what everything in this room is made of
        self,
        ledger: Ledger,
        leagues: Leagues,
        settings: Settings,
        keys: ReplyKeys,
        clock: Clock,
        deliverability: Deliverability,
        dispatcher: Dispatcher,
    ) -> None:
        """Serve the players of `ledger`. `keys` verify tokens for unsubscribing.

        `deliverability` hears of new addresses; `dispatcher` renders mails for players who want to have their data.
        """
        self._ledger = ledger
        self._leagues = leagues
        self._settings = settings
        self._keys = keys
        self._clock = clock
        self._deliverability = deliverability
        self._dispatcher = dispatcher

    def add(self, name: str, address: str, zone: str | None = None, language: str | None = None, *, actor: str, cause: str) -> Person:
        """Make an account and send the player a welcome. Raises BadOption, and NotAllowed if the name or the address is taken."""
        request = Request(actor, cause, self._clock())
        site = self._settings.site
        profile = Profile(name, check_players_address(address, site.address), zone or site.zone, language or site.language)
        return self._ledger.attempt(lambda tx: accounts.add(tx, self._ledger, [profile], request)[0])

    def plan_import(self, lines: Sequence[PersonLine]) -> ImportPlan:
        """Return what a list of people comes to. Changes nothing."""
        with self._ledger.db.read() as conn:
            return self._import_plan(conn, lines)

    def add_all(self, lines: Sequence[PersonLine], *, actor: str, cause: str) -> list[Person]:
        """Make an account for everybody on a list who has none, and welcome them. Raises WrongLines, and then nobody has been added."""
        request = Request(actor, cause, self._clock())

        def work(tx: Transaction) -> list[Person]:
            planned = self._import_plan(tx, lines)
            if planned.wrong:
                raise WrongLines(planned.wrong)
            return accounts.add(tx, self._ledger, planned.new, request, gathers=True)

        return self._ledger.attempt(work)

    def _import_plan(self, conn: Transaction, lines: Sequence[PersonLine]) -> ImportPlan:
        site = self._settings.site
        return importing.plan(conn, lines, site)

    def edit(  # the fields of an account
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
        request = Request(actor, cause, self._clock())
        profile = Profile(name, None if address is None else check_players_address(address, self._settings.site.address), zone)

        def work(tx: Transaction) -> Person:
            before = people.find_player(tx, who)
            # To change nothing is refused; but to say that mail gets through is a change.
            after = before if reachable and profile == Profile() else accounts.edit(tx, self._ledger, who, profile, request)
            if reachable or after.address != before.address:
                self._deliverability.log(tx, self._deliverability.heard(tx, after.id, request), request)
            return after

        return self._ledger.attempt(work)

    def choose(self, who: str, settings: Sequence[tuple[str, str]], *, actor: str, cause: str) -> Person:
        """Set a player's settings to the values beside their names, as text. Raises NotFound and BadOption."""

        def work(tx: Transaction) -> Person:
            return accounts.choose(tx, self._ledger, people.find_player(tx, who).id, settings, Request(actor, cause, self._clock()))

        return self._ledger.attempt(work)

    def leave(self, player: PlayerId, *, actor: str, cause: str) -> list[str]:
        """Have a player leave everything that they are part of, and tell the others. Return phrases for what was left. Raises Refusal."""

        def request(part: str) -> Request:
            return Request(actor, f"{cause}:{part}", self._clock())

        left = leaving.leave(self._ledger, self._leagues, player, request, self._settings.play.vacation_days)
        return [tie.what for tie in left]

    def check_erasure(self, player: PlayerId, also: Iterable[str] = (), *, leaves: bool = False) -> None:
        """Raise the NotAllowed that `erase` would raise now, or after a player who `leaves` has left everything. Changes nothing."""
        with self._ledger.db.read() as conn:
            person = people.player(conn, player)
        erasing.check(self._ledger, person, also, leaves=leaves)

    def erase(
        self, player: PlayerId, also: Iterable[str] = (), *, actor: str, cause: str, seen: Callable[[int], object] = lambda _: None
    ) -> Erased:
        """Erase everything that names a player: see `erasing.erase`. Raises NotFound, NotAllowed and DatabaseBusy."""
        with self._ledger.db.read() as conn:
            person = people.player(conn, player)
        return erasing.erase(self._ledger, self._clock, person, also, actor=actor, cause=cause, seen=seen)

    def data(self, player: PlayerId) -> tuple[list[str], bytes]:
        """Return everything that is kept on a player as a ZIP, and the names of its files. Raises NotFound."""
        self._keys.refresh()
        with self._ledger.db.read() as conn:
            found = erasing.files(conn, player, self._dispatcher)
        return sorted(found), erasing.packed(found)

    def take_vacation(self, who: str, wanted: Vacation, *, actor: str, cause: str) -> VacationDecision:
        """Declare a vacation for a player, or end one, and tell the player and the others. Raises NotFound and NotAllowed."""

        def work(tx: Transaction) -> VacationDecision:
            person, days, request = people.find_player(tx, who), self._settings.play.vacation_days, Request(actor, cause, self._clock())
            away = vacations.decide(tx, self._ledger, person, wanted, days, request, request.now)
            vacations.write(tx, self._ledger, away, request, [vacations.answer(tx, person, days, request.now, away)])
            return away

        return self._ledger.attempt(work)

    def unsubscriber(self, token: str) -> Person | None:
        """Return the person whose mail an address for unsubscribing stops; None if the address is none of ours."""
        self._keys.refresh()
        with self._ledger.db.read() as conn:
            return authorship.unsubscriber(conn, self._keys, token)

    def unsubscribe(self, token: str, *, cause: str) -> Person | None:
        """Send the player whose token it is no more mail but answers; see `unsubscriber`. Doing it again changes nothing."""
        person = self.unsubscriber(token)
        if person is None:
            return None
        return self.choose(str(person.id), [("subscribed", "off")], actor=actor_of(person.id), cause=cause)

    def everybody(self) -> list[Person]:
        """Return everybody with an account."""
        with self._ledger.db.read() as conn:
            return people.list_players(conn)

    def find(self, who: str) -> Person:
        """Return the player with that number, name or address. Raises NotFound."""
        with self._ledger.db.read() as conn:
            return people.find_player(conn, who)

    def new_address(self, player: PlayerId) -> Confirmation | None:
        """Return the new address of a player that still has to be confirmed."""
        with self._ledger.db.read() as conn:
            return confirmations.of_player(conn, player, self._clock())
