"""Deliverability of a player's address. Bounce mail counts against it; once that is too much, everybody who must know is told.

Hard and soft bounces of one address add up, and half of each is forgotten every week. One bounce that reports no such mailbox is enough.
Four that report a full mailbox are, if they come within a few days; those of a few hours count once. A server that refuses us says
nothing about an address. Neither does a provider that suddenly reports most mailboxes missing: then the admin hears of it, once a week for
each provider.

A report about another address than the player's own is about a place to which their mailbox forwards. That may be one of several copies:
two such reports are needed, some hours apart. Once the player has answered a mail of which a copy came back from there, reports about that
place count for nothing: our mail stays sent.

A report counts if it came to the return path of our mail, or if it shows the signed address at which that mail asked for replies. A
Message-ID alone is known to whoever was sent a copy of an answer.

From then on the player counts as unreachable until they write, or an admin says that mail gets through again. Meanwhile everything but
reminders is still sent: there is little of it while their games wait, and each is a try. Who is gone again within a day of having been
back is gone without a word to others, and back without one: players could write the reports themselves.
"""

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from turnserver.addresses import same_box
from turnserver.config import Settings
from turnserver.errors import NotFound
from turnserver.ids import DeliveryStatus, GameId, PlayerId
from turnserver.mail.format import tokens
from turnserver.mail.format.bounces import Report, is_about_letters, report
from turnserver.mail.format.tokens import Keys, Token
from turnserver.mail.inbound.read import Reading
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices.admin import provider_report, unreachable_report
from turnserver.play.clock.clock import waiting_since
from turnserver.play.events import PlayerReachable, PlayerUnreachable
from turnserver.play.state import GameState, Status
from turnserver.service.games.ledger import Ledger
from turnserver.service.mailroom import lost_history
from turnserver.service.mailroom.open_games import waiting_for
from turnserver.service.people import player_log
from turnserver.service.request import Request
from turnserver.store.games import views
from turnserver.store.incidents import outages
from turnserver.store.log.database import Transaction
from turnserver.store.mail import delivery_reports, inbox
from turnserver.store.mail.inbox import InboxItem
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import address_key

HALF_LIFE: Final = timedelta(days=7)
WEIGHTS: Final = {DeliveryStatus.HARD: 1.0, DeliveryStatus.SOFT: 0.25}
ENOUGH: Final = 0.8
"""Less than one hard bounce, more than three soft ones, and less than four over three days."""

APART: Final = timedelta(hours=6)
"""Mails that come back within so long of the first of them count once: one state of a mailbox may turn back several."""

ENOUGH_ELSEWHERE: Final = 1.5
"""More than one hard bounce, and no more than two in a week."""

REMEMBERED: Final = 5
"""The number of answered mails whose reports are looked at."""

LATELY: Final = timedelta(days=1)
FEW: Final = 3
"""So many missing mailboxes of one provider within a day are no chance, if they are more than half of those that mail went to."""

_EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


def score(came_back: Sequence[tuple[DeliveryStatus, datetime]], now: datetime) -> float:
    """Return the sum of the weights of returned mails, the oldest first, each halved for every HALF_LIFE since its return.

    Of those within APART only the heaviest counts.
    """
    total, heaviest, began = 0.0, 0.0, _EVER
    for fate, at in came_back:
        if at - began >= APART:
            heaviest, began = 0.0, at
        total += max(WEIGHTS[fate] - heaviest, 0.0) * 0.5 ** ((now - at) / HALF_LIFE)
        heaviest = max(WEIGHTS[fate], heaviest)
    return total


def is_elsewhere(address: str, recipients: Sequence[str]) -> bool:
    """Return whether a mail to `address` ended at `recipients` that are all other mailboxes. Without any, nothing tells so."""
    return bool(recipients) and not any(same_box(one, address) for one in recipients)


def fate_at(address: str, fate: DeliveryStatus, why: str) -> tuple[DeliveryStatus, str]:
    """Return the fate of a mail to `address` and its reason: an address with letters that its server does not take cannot be reached."""
    if fate is DeliveryStatus.POLICY and not address.isascii() and is_about_letters(why):
        return DeliveryStatus.HARD, f"its server takes no address with letters beyond ASCII, so the player needs another one: {why}"
    return fate, why


def _is_news(back: datetime | None, gone: datetime | None) -> bool:
    """Return whether others are told of a player who was `back` at some time before, if at all, and `gone` again at another."""
    return back is None or gone is None or gone - back >= LATELY


class Unlogged(NamedTuple):
    """An event of a player that is still to be logged: appending comes last in a transaction."""

    event: PlayerUnreachable | PlayerReachable
    cause: str


class Deliverability:
    """Marks players whom mail does not reach, and tells their opponents and the admin."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        """Judge the players of `ledger`."""
        self._ledger = ledger
        self._admin = settings.site.admin
        self._waits = settings.play.undelivered == "wait"

    def judge(  # noqa: PLR0917  # a mail, its fate, and where it ended
        self, tx: Transaction, player: PlayerId, fate: DeliveryStatus, why: str, request: Request, recipients: Sequence[str] = ()
    ) -> None:
        """Count the returned mail of a player, the last one with its `fate` and `why`. Appends to the log, so nothing may follow it.

        `recipients` are the addresses at which it ended, if the report tells.
        """
        address = people.player(tx, player).address
        elsewhere = is_elsewhere(address, recipients)
        provider = (recipients[0] if elsewhere else address).rpartition("@")[2]
        if fate is DeliveryStatus.POLICY:
            self._report_provider(tx, provider, why, (), request)
            return
        known = delivery_reports.deliverability(tx, player)
        # What came back before the player was reachable again counts no more.
        enough = ENOUGH_ELSEWHERE if elsewhere else ENOUGH
        if known.since is not None or score(delivery_reports.came_back(tx, player, known.cleared_at or _EVER), request.now) < enough:
            return
        lately = delivery_reports.provider(tx, provider, request.now - LATELY)
        # Then it is about us or the provider, and not about this player.
        if len(lately.missing) >= FEW and 2 * len(lately.missing) > len(lately.mailed):
            self._report_provider(tx, provider, why, sorted(lately.missing), request)
            return
        if elsewhere:
            why = f"forwarded to {recipients[0]}: {why}"
        delivery_reports.mark_unreachable(tx, player, request.now, why)
        own = self._own(request, "unreachable")
        is_news = _is_news(known.cleared_at, request.now)
        tables = list(self._tables(tx, player)) if is_news else []
        for game, state in tables:
            self._ledger.post.queue(tx, notices.unreachable(state, player, waits=self._waits), own, game, state)
        if self._admin and is_news:
            person = people.player(tx, player)
            report = unreachable_report(self._admin, person, why, [game for game, _ in tables], waits=self._waits)
            self._ledger.post.queue(tx, [report], own)
        self.log(tx, Unlogged(PlayerUnreachable(player=player), own.cause), request)

    def _report_provider(self, tx: Transaction, provider: str, why: str, missing: Sequence[PlayerId], request: Request) -> None:
        if self._admin:
            # Named by the week, so that each provider is reported once a week.
            year, week, _ = request.now.isocalendar()
            once = Request("service", f"job:provider:{provider.lower()}:{year}-{week}", request.now)
            marked = [player for player in missing if delivery_reports.deliverability(tx, player).since is not None]
            self._ledger.post.queue(tx, [provider_report(self._admin, provider, why, len(missing), marked)], once)

    def heard(self, tx: Transaction, player: PlayerId, request: Request, answered: Container[GameId] = ()) -> Unlogged | None:
        """Note that mail reaches the player again: tell the others, and send everything that waits for the player once more.

        Return the change, to be logged with `log` after all other writing, or None if the player counted as reachable. The player hears
        of the games in `answered` anyway, so nothing is sent again for them.
        """
        known = delivery_reports.deliverability(tx, player)
        # Nearly everybody is reachable, and then nothing is written.
        if known.since is None or not delivery_reports.mark_reachable(tx, player, request.now):
            return None
        own = self._own(request, "reachable")
        for game, state in self._tables(tx, player) if _is_news(known.cleared_at, known.since) else ():
            self._ledger.post.queue(tx, notices.reachable(state, player), own, game, state)
        for fresh in waiting_for(tx, self._ledger, people.player(tx, player), request.now):
            if fresh.game not in answered:
                self._ledger.post.queue(tx, [fresh.notice], own, fresh.game, fresh.state)
        return Unlogged(PlayerReachable(player=player), own.cause)

    @staticmethod
    def log(tx: Transaction, change: Unlogged | None, request: Request) -> None:
        """Append a change to its player's stream. Raises Conflict if that has grown meanwhile."""
        if change is None:
            return
        player_log.append(tx, player_log.load(tx, change.event.player), change.event, request._replace(cause=change.cause))

    def _tables(self, conn: Transaction, player: PlayerId) -> Iterator[tuple[GameId, GameState]]:
        # A game in quarantine cannot be loaded.
        resting = outages.quarantined_numbers(conn)
        for row in views.list_games(conn, player=player, status=Status.RUNNING):
            if row.id in resting:
                continue
            state = self._ledger.games.load(conn, row.id).state
            if player in [state.player_at(seat) for seat in state.staying]:
                yield row.id, state

    @staticmethod
    def _own(request: Request, what: str) -> Request:
        # Another cause, since the request that brought this about may be about the same stream.
        return request._replace(cause=f"{request.cause}:{what}", in_reply_to=None)


def note_answer(tx: Transaction, ledger: Ledger, token: Token, references: Sequence[str], arrived_at: datetime) -> None:
    """Keep that a player has read a mail of ours, since a mail of theirs with `token` answers it.

    `references` are the Message-IDs in the player's mail, the direct one first. If that is none about the pending
    turn of `token`, the newest mail about it counts.
    """
    # Only the direct one: the others were copied from a mail that names them, and those mails may have bounced.
    named = delivery_reports.answered(tx, token.player, references[0], arrived_at) if references else None
    if not token.game:
        return
    with suppress(NotFound):
        state = ledger.games.load(tx, token.game).state
        if (state.mover, state.turn, state.edition) != (token.player, token.turn, token.edition) or named == (token.game, state.version):
            return
        since = waiting_since(ledger.games.history(tx, token.game))
        if since is not None and not (named and named.game == token.game and named.version and named.version >= since.version):
            delivery_reports.newest_answered(tx, token.game, token.player, since.version, arrived_at)


_WORDS = {
    DeliveryStatus.HARD: "hard bounce of mail",
    DeliveryStatus.POLICY: "refusal of us by policy, of mail",
    DeliveryStatus.SOFT: "soft bounce of mail",
    DeliveryStatus.DELAYED: "delay of mail",
    DeliveryStatus.DELIVERED: "delivery of mail",
    DeliveryStatus.UNCLASSIFIED: "ignored: nothing about mail",
}


class Bounce(NamedTuple):
    """A mail that may be a delivery report.

    `tag` is the tag of the bounce address that it came to; None if it came to another address. `tokens` are the texts in the addresses that
    it went to, or that the returned mail asked for replies at, which may be signed.
    """

    tag: str | None
    report: Report
    tokens: tuple[str, ...] = ()


class Bounces:
    """Handles delivery reports, which arrive among other mail."""

    def __init__(self, keys: Keys, deliverability: Deliverability) -> None:
        self._keys = keys
        self._deliverability = deliverability

    def read(self, item: InboxItem, reading: Reading) -> Bounce | None:
        """Read a mail before anything is decided; return None if it certainly is no report."""
        if tag := tokens.find_bounce([item.recipient]) or self._named(item, reading):
            return Bounce(tag, report(item.raw))
        # An answer of a person may quote a report, and is an answer all the same.
        if reading.automatic and (found := report(item.raw)).fate is not DeliveryStatus.UNCLASSIFIED:
            shown = tokens.find_all([item.recipient, *reading.recipients, *found.reply_to])
            return Bounce(None, found, tuple(dict.fromkeys(shown)))
        return None

    def _named(self, item: InboxItem, reading: Reading) -> str | None:
        tag = tokens.find_bounce(reading.recipients) if tokens.find([item.recipient]) is None else None
        return tag if tag is not None and tokens.verify_bounce(self._keys, tag) is not None else None

    def handle(self, tx: Transaction, item: InboxItem, bounce: Bounce, now: datetime) -> bool:
        """Keep the report in a mail, judge the player, and finish the mail.

        Return False, and do nothing, if it is about no mail of ours.
        """
        found = bounce.report
        if bounce.tag is None:
            number = delivery_reports.find(tx, found.message_ids)
            if number is None:
                return False
            whose = delivery_reports.addressee(tx, number)
            if whose is not None and whose not in [token.player for text in bounce.tokens if (token := tokens.verify(self._keys, text))]:
                inbox.done(tx, item.id, f"ignored: a report that shows no more of mail {number} than others know", now)
                return True
        else:
            # The number may be that of a lost mail, and then says nothing about the present mail of that number.
            number = tokens.verify_bounce(self._keys, bounce.tag)
            if (
                number is None
                or not delivery_reports.exists(tx, number)
                or lost_history.mail_is_lost(tx, number, tokens.bounce_signed_by(bounce.tag))
            ):
                inbox.done(tx, item.id, "ignored: a bounce address that is not ours", now)
                return True
        player = delivery_reports.addressee(tx, number)
        if player is not None and found.fate.came_back and self._is_of_a_copy(tx, player, found):
            inbox.done(tx, item.id, f"ignored: a forwarded copy of mail {number} came back, as did one of a mail that was answered", now)
            return True
        fate, reason = found.fate, found.reason
        if player is not None:
            fate, reason = fate_at(people.player(tx, player).address, fate, reason)
        inbox.done(tx, item.id, f"{_WORDS[fate]} {number}", now)
        if fate is not DeliveryStatus.UNCLASSIFIED:
            player = delivery_reports.returned(tx, number, fate, reason, now, mail=item.id)
            if player is not None and fate.came_back:
                why = reason or f"a {fate} bounce"
                self._deliverability.judge(tx, player, fate, why, Request("service", f"mail:{item.identity}", now), found.recipients)
        return True

    @staticmethod
    def _is_of_a_copy(conn: Transaction, player: PlayerId, found: Report) -> bool:
        """Return whether a report is about a place to which the player's mail is forwarded and which is not where they read it."""
        if not is_elsewhere(people.player(conn, player).address, found.recipients):
            return False
        before = (report(inbox.get(conn, mail).raw).recipients for mail in delivery_reports.reports_on_read(conn, player, REMEMBERED))
        known = {address_key(address) for addresses in before for address in addresses}
        return all(address_key(address) in known for address in found.recipients)
