"""The state of the service: everything that waits for an admin, what is stuck, and when it last worked, signed and was backed up.

`turnserver status` shows it, and once a week a mail tells the admin what waits. Things that were told by mail when they happened are told
here for as long as they last.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from turnserver.config import Settings
from turnserver.errors import ClocksDiffer, ClockWrong, ConfigError
from turnserver.ids import PlayerId
from turnserver.mail.outbound.language import counted, span
from turnserver.mail.outbound.telling.leagues import LeagueTeller
from turnserver.service.games.claims import waiting_claims
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.repository import Leagues
from turnserver.service.leagues.tasks import tasks
from turnserver.service.upkeep.checkpoints import require_known
from turnserver.service.upkeep.folders import folders
from turnserver.service.upkeep.plausible_clock import CONFIRM, ClockGuard
from turnserver.store.incidents import backup, health, outages, restorations
from turnserver.store.incidents.backup import LastBackup
from turnserver.store.incidents.restorations import Worked
from turnserver.store.log import checkpoints, log
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.database import Transaction
from turnserver.store.mail import delivery_reports, inbox, mailboxes, outbox
from turnserver.store.mail.delivery_reports import Reach
from turnserver.store.mail.mailboxes import MAILDIR
from turnserver.store.mail.outbox import Retrying
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import listing

MOST_NAMED: Final = 5
"""The number of games or players that a sentence names."""

MOST_OF_A_LEAGUE: Final = 3
"""The number of things that are told of one league. If there are more, the league's own status tells them."""


class Task(NamedTuple):
    """Something that waits for an admin: a subject, a sentence, and what to type for it."""

    about: str
    says: str
    command: str


class Traffic(NamedTuple):
    """Mails in the inbox and in the outbox by their status, since when the oldest waits to be read, and those that are tried again."""

    came: dict[str, int]
    waiting: datetime | None
    leaving: dict[str, int]
    retrying: Retrying


class Standing(NamedTuple):
    """The state of the service. `worked` is when it last looked at the clocks, `backup` the last backup that is known."""

    tasks: list[Task]
    traffic: Traffic
    worked: Worked
    checkpoint: Stored | None
    backup: LastBackup | None


def standing(ledger: Ledger, leagues: Leagues, settings: Settings, guard: ClockGuard, now: datetime) -> Standing:
    """Return how the service stands. Changes nothing."""
    patience = timedelta(minutes=settings.jobs.outage_minutes)
    with ledger.db.read() as conn:
        mails, beat, last = traffic(conn), outages.last_beat(conn), checkpoints.last(conn)
        found = [
            *_working(conn, settings, guard, beat, now),
            *_came(mails, now, patience),
            *_leaving(mails),
            *_unreached(conn),
            *_refused(conn),
            *_resting(conn),
            *_claims(conn, ledger),
            *_unsigned(conn, settings, last, now),
        ]
        worked, everybody = restorations.last_worked(conn), people.list_players(conn)
    found += _leagues(leagues, everybody, settings.site.zone)
    return Standing(found, mails, worked, last, backup.last(health.file_of(settings.database.url)))


def traffic(conn: Transaction) -> Traffic:
    """Return how many mails wait, were given up, or are tried again."""
    return Traffic(inbox.counts(conn), inbox.oldest_waiting(conn), outbox.counts(conn), outbox.retrying(conn))


def _working(conn: Transaction, settings: Settings, guard: ClockGuard, beat: datetime | None, now: datetime) -> Iterator[Task]:
    try:
        guard.require(outages.signs(conn, now))
    except ClocksDiffer as error:
        yield Task("Clock", str(error), "timedatectl status")
    except ClockWrong as error:
        yield Task("Clock", str(error), CONFIRM)
    else:
        recent = now - timedelta(minutes=settings.jobs.outage_minutes)
        unread = list(_unread(conn, settings, beat, recent, now))
        yield from unread
        if not unread and beat is not None and beat < recent:
            says = f"It has not worked for {span(now - beat)}: no mail is handled and no clock watched."
            yield Task("Service", says, "turnserver serve")


def _unread(conn: Transaction, settings: Settings, beat: datetime | None, recent: datetime, now: datetime) -> Iterator[Task]:
    """Yield the folders that nobody could read though somebody is at work: others are read, clocks are watched, or one is tried again."""
    # an instant that lies ahead was written by a clock that was wrong, and says nothing
    read = {(box.account, box.folder): box.read_at if box.read_at <= now else beat or now for box in mailboxes.every(conn)}
    watched = [(each, read[each.account, each.folder]) for each in folders(settings) if (each.account, each.folder) in read]
    again = {each.reader: mailboxes.trouble(conn, each.reader).retry_at for each, _ in watched}
    if all(at is None or at <= recent for at in (beat, *(at for _, at in watched), *again.values())):
        return
    for each, at in watched:
        # a server that does not answer may do so soon, but a file that cannot be read waits for somebody
        is_stuck = each.account == MAILDIR and again[each.reader] is not None
        if at < recent or is_stuck:
            tried = "" if is_stuck else _tried(again[each.reader], now)
            says = f"The {each.name} has not been read for {span(now - at)}; no deadline is enforced before it is.{tried}"
            yield Task("Mailbox", says, "turnserver doctor")


def _tried(at: datetime | None, now: datetime) -> str:
    """Return the sentence that tells when an account in trouble is tried again: if that is over, nobody may be at work."""
    if at is None:
        return ""
    return f" It is tried again in {span(at - now)}." if at > now else f" `turnserver serve` was to try again {span(now - at)} ago."


def _came(mails: Traffic, now: datetime, patience: timedelta) -> Iterator[Task]:
    if mails.waiting is not None and now - mails.waiting > patience:
        many = counted(mails.came.get("new", 0), "mail")
        yield Task("Inbox", f"{many} to be read, the oldest for {span(now - mails.waiting)}.", "turnserver doctor")
    if failed := mails.came.get("failed", 0):
        yield Task("Inbox", f"{counted(failed, 'mail')} could not be handled.", "turnserver mail inbox list --status failed")


def _leaving(mails: Traffic) -> Iterator[Task]:
    if dead := mails.leaving.get("dead", 0):
        yield Task("Outbox", f"{counted(dead, 'mail')} could not be sent at all.", "turnserver mail outbox list --status dead")
    if mails.retrying.mails:
        why = f"; the last time: {mails.retrying.why}" if mails.retrying.why else ""
        yield Task(
            "Outbox", f"{counted(mails.retrying.mails, 'mail')} could not leave yet{why}.", "turnserver mail outbox list --status queued"
        )


def _unreached(conn: Transaction) -> Iterator[Task]:
    if lost := delivery_reports.unreachable(conn):
        yield Task("Players", f"Mail to {unreached(conn, lost)} comes back.", f"turnserver player show {lost[0].player}")


def _refused(conn: Transaction) -> Iterator[Task]:
    if refused := delivery_reports.refused_by_policy(conn):
        those = some([f"{people.player(conn, one).name} ({one})" for one in [*refused][:MOST_NAMED]], len(refused))
        says = f"Mail to {those} is refused by policy: {next(iter(refused.values())) or 'no reason was given'}."
        yield Task("Players", says, "turnserver mail outbox list --status bounced")


def unreached(conn: Transaction, lost: list[Reach]) -> str:
    """Return the players whom mail does not reach, by name and number, the first few of them."""
    return some([f"{people.player(conn, one.player).name} ({one.player})" for one in lost[:MOST_NAMED]], len(lost))


def _resting(conn: Transaction) -> Iterator[Task]:
    if resting := outages.quarantined_games(conn):
        those = some([str(one.game) for one in resting[:MOST_NAMED]], len(resting))
        which = "game" if len(resting) == 1 else "games"
        yield Task("Games", f"This program cannot follow {which} {those}. Nobody is served there; mail is kept.", "turnserver doctor")


def _claims(conn: Transaction, ledger: Ledger) -> Iterator[Task]:
    for game, says in waiting_claims(conn, ledger.games).items():
        yield Task("Claim", says, f"turnserver game show {game}")


def some(named: Sequence[str], number: int) -> str:
    """Return names as one phrase that says how many more of the `number` there are: `Ada, Bob and 3 more`."""
    whole = [*named, f"{number - len(named)} more"] if number > len(named) else named
    return listing(whole, "and") if whole else ""


def _unsigned(conn: Transaction, settings: Settings, last: Stored | None, now: datetime) -> Iterator[Task]:
    if not settings.audit.key_files:
        return
    try:
        require_known(last, settings)
    except ConfigError as error:
        yield Task("Checkpoint", str(error), "turnserver doctor")
        return
    if late := overdue(conn, settings, last, now):
        says = f"The last one was made {span(late)} ago." if last else f"None was made in the {span(late)} since the first event."
        yield Task("Checkpoint", says, "turnserver audit checkpoint add")


def overdue(conn: Transaction, settings: Settings, last: Stored | None, now: datetime) -> timedelta | None:
    """Return the time since the `last` checkpoint, or else since the first event, if another one is overdue; else None."""
    every, since = timedelta(hours=settings.audit.checkpoint_hours), last.at if last is not None else log.first_at(conn)
    # A log without new events needs no new checkpoint. The patience of outages is granted on top.
    if not every or since is None or (last is not None and log.last_position(conn) <= last.size):
        return None
    return now - since if now - since > every + timedelta(minutes=settings.jobs.outage_minutes) else None


def _leagues(leagues: Leagues, everybody: list[Person], zone: str) -> Iterator[Task]:
    names: dict[PlayerId, str] = {one.id: one.name for one in everybody}
    silent = frozenset(one.id for one in everybody if not one.preferences.subscribed)
    for league, state in leagues.states().items():
        found = list(tasks(league, state, LeagueTeller(names, zone), silent))
        command, about = f"turnserver league show {league}", f"League {league}, {state.name}"
        if len(found) > MOST_OF_A_LEAGUE:
            late = sum(one.overdue and not one.marks for one in state.season.fixtures) if state.season is not None else 0
            behind = f", {counted(late, 'game')} behind the schedule" if late else ""
            yield Task(about, f"{counted(len(found), 'thing')} to decide{behind}.", command)
        else:
            yield from (Task(about, one, command) for one in found)
