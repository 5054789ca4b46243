"""`turnserver doctor --upgrade`: whether this program, not yet in use, could take over a database from the one that is. Changes nothing."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from turnserver import games, resources
from turnserver.cli.audit.group import played, progress
from turnserver.cli.doctor.findings import Check, check
from turnserver.cli.session import Session
from turnserver.config import DatabaseSettings
from turnserver.errors import BadOption, StoreError, TurnserverError, UnknownRevision, WrongRevision
from turnserver.ids import GameId
from turnserver.mail.outbound.language import counted
from turnserver.store.catalogue import events as catalogue
from turnserver.store.incidents import backup, health, outages
from turnserver.store.log import codec, log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.text import listing

MOST_NAMED = 5


def examine(run: Session, workers: int | None) -> Iterator[Check]:
    """Yield the findings about the database as this program reads it, the last one being the verdict, `upgrade`."""
    found: list[Check] = []
    for one in _looked_at(run, workers):
        found.append(one)
        yield one
    wrong = [one for one in found if one.state == "wrong"]
    if not any(one.about == "events" for one in found):
        yield check("upgrade", "wrong", "not checked, as the database could not be looked at; keep the program that is in use until it was")
    elif wrong:
        yield check("upgrade", "wrong", f"not safe: {counted(len(wrong), 'thing')} above would go wrong; keep the program that is in use")
    elif any((one.about, one.state) == ("games", "ok") for one in found):
        yield check("upgrade", "ok", "safe: this program comes to the same in every game")
    else:
        yield check("upgrade", "note", "nothing is in its way, but without a game nothing could be: is this the right database?")


def _looked_at(run: Session, workers: int | None) -> Iterator[Check]:
    problems = catalogue.check(resources.events_dir())
    if problems:
        yield check("catalogue", "wrong", f"{counted(len(problems), 'thing')} in it do not hold, such as {problems[0]}")
    else:
        yield check("catalogue", "ok", "every event that was ever released can be read and means what it meant")
    where = health.place(run.settings.database.url)
    with ExitStack() as stack:
        try:
            settings, says = _readable(run, stack)
            db = Database.connect(settings.url, settings.busy_timeout_seconds)
        except (TurnserverError, OSError) as error:
            yield check("database", "wrong", f"{where}: {error}")
            if isinstance(error.__cause__, WrongRevision):
                yield from _copying(run.settings.database.url)
            return
        yield check("database", "ok", f"{where} {says}")
        yield from _read(db, settings, workers)


def _copying(url: str) -> Iterator[Check]:
    """Name the steps to a copy of a database of PostgreSQL. Each is a check of its own, as long commands would be cut off."""
    createdb, dump = health.copying(url, "check")
    yield check("database", "note", f"a role that may create databases, such as postgres, makes the copy: `{createdb}`")
    yield check("database", "note", f"fill it: `{dump}`")
    says = "with TURNSERVER_DATABASE__URL set to the copy type `turnserver init` and `turnserver doctor --upgrade`"
    yield check("database", "note", says)


def _readable(run: Session, stack: ExitStack) -> tuple[DatabaseSettings, str]:
    """Return the way to the database and a clause about it; or, if its tables are older, the way to a copy with those of this program.

    The copy is there until the stack ends. Raises StoreError.
    """
    settings = run.settings.database
    try:
        Database.connect(settings.url, settings.busy_timeout_seconds).close()
    except WrongRevision as error:
        file = health.file_of(settings.url)
        if file is None:
            raise StoreError("older tables, not looked at. Look at a copy") from error
    else:
        return settings, "has the tables of this program; nothing is to be migrated"
    beside = Path(tempfile.gettempdir())
    copy = stack.enter_context(backup.room(beside, run.outside.clock())) / "copy.db"
    try:
        backup.copied(file, copy, settings.busy_timeout_seconds)
        backup.brought_up(copy).close()
    except WrongRevision:
        raise
    except StoreError as error:
        raise StoreError(
            f"{error}; a copy of {file.stat().st_size >> 20} MB is upgraded in {beside}; TMPDIR names another place"
        ) from error
    return replace(settings, url=f"sqlite:///{copy}"), f"has older tables: a copy in {beside} was upgraded, and is looked at here"


def _read(db: Database, settings: DatabaseSettings, workers: int | None) -> Iterator[Check]:
    try:
        with db.read() as conn:
            shapes, pinned, numbers = log.shapes(conn), audit.pinned(conn), audit.begun(conn).games
            still = outages.quarantined_numbers(conn)
            yield _events(shapes)
            yield _revisions(pinned, still)
    finally:
        db.close()
    # The connection is closed before: the processes that play the games have their own.
    with progress() as shown:
        done = played(settings, numbers, workers, shown)
    # A game in quarantine is not played by the program that is in use either, so it cannot become worse.
    worse = [one for one in done.differences if one.game not in still]
    if worse:
        those = sorted({one.game for one in worse})
        says = f"{counted(len(those), 'game')} would differ: {_named(those)}; in game {worse[0].game}, {worse[0].problem}"
        yield check("games", "wrong", f"{says}; `turnserver audit replay-all` names all")
    elif not done.games:
        yield check("games", "note", "there are none")
    else:
        beside = " that is played now" if done.differences else ""
        yield check("games", "ok", f"{counted(done.games, 'game')} were played again, and none{beside} would differ")
    if still:
        stay = {one.game: one.problem for one in done.differences if one.game in still}
        rest = f"; {_named(sorted(stay))} would stay there: in game {min(stay)}, {stay[min(stay)]}" if stay else ""
        yield check("games", "note", f"of {counted(len(still), 'game')} in quarantine, {len(still) - len(stay)} would go on{rest}")


def _events(shapes: list[tuple[str, int]]) -> Check:
    unknown = [f"{type_} v{schema}" for type_, schema in shapes if not codec.PRODUCT.reads(type_, schema)]
    if unknown:
        return check("events", "wrong", f"this program cannot read {listing(unknown, 'and')}")
    return check("events", "ok", f"this program reads all {len(shapes)} types and versions of events that the log holds")


def _revisions(pinned: Mapping[GameId, tuple[str, int]], still: frozenset[GameId]) -> Check:
    unknown = {rules for rules in {*pinned.values()} if _lacks(*rules)}
    lacking = {game: rules for game, rules in pinned.items() if rules in unknown}
    missing = [
        f"{key} revision {revision} ({counted(count, 'game')})" for (key, revision), count in sorted(Counter(lacking.values()).items())
    ]
    if not missing:
        return check("rules", "ok", f"every revision that a game was opened under is installed, {len({*pinned.values()})} in all")
    alone = lacking.keys() <= still
    says = f"not installed: {listing(missing, 'and')}{', in quarantine as now' if alone else ''}"
    return check("rules", "note" if alone else "wrong", says)


def _lacks(key: str, revision: int) -> bool:
    try:
        games.entry(key, revision)
    except (BadOption, UnknownRevision):
        return True
    return False


def _named(numbers: Sequence[int]) -> str:
    named = [str(number) for number in numbers[:MOST_NAMED]]
    return listing([*named, f"{len(numbers) - MOST_NAMED} more"] if len(numbers) > MOST_NAMED else named, "and")
