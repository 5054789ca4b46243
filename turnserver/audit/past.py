"""The past as it was known then: games, players, ratings and mails at a moment that an admin names.

It folds the log up to that moment, and never reads rows that show the present.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import groupby, takewhile
from typing import Any, Final, NamedTuple, TypeVar

from turnserver.errors import BadOption, NotFound
from turnserver.ids import GameId, PlayerId, Position, Recorded, Stream, Version, actor, player_stream
from turnserver.league.scoring.ratings import Ratings, ratings
from turnserver.mail.outbound.language import counted, record_time
from turnserver.play import events as e
from turnserver.play.clock.live_time import zone_of
from turnserver.play.evolve import FindGame, evolve
from turnserver.play.reliability import Tally, reliability
from turnserver.play.second_thoughts import announced_at, unannounced
from turnserver.play.state import GameState, Status
from turnserver.service.games.ledger import Ledger
from turnserver.store.games.views import GameSummary
from turnserver.store.leagues import results
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log, trail
from turnserver.store.log.database import Transaction
from turnserver.store.mail import inbox, told
from turnserver.store.mail.inbox import InboxSummary
from turnserver.store.mail.told import TOLD, Letter

E = TypeVar("E")

FORMS: Final = "a version such as 12, a position of the log such as #48211, or a time such as 2026-11-03 or '2026-11-03 18:00'"

_VERSION: Final = re.compile(r"v?(?P<number>[0-9]{1,18})", re.IGNORECASE)
_POSITION: Final = re.compile(r"#(?P<number>[0-9]{1,18})")
_TIME: Final = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[ T](?P<minute>[0-9]{2}:[0-9]{2})(?:(?P<second>:[0-9]{2})(?P<part>\.[0-9]{1,6})?)?[ ]?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?",
    re.IGNORECASE,
)
_LEAST: Final = timedelta(microseconds=1)


class AtTime(NamedTuple):
    """A time as it was written: from its first to its last microsecond."""

    begins: datetime
    ends: datetime


class WrittenMoment(NamedTuple):
    """A moment as somebody has written it: one of the three is set."""

    text: str
    version: Version | None = None
    position: Position | None = None
    time: AtTime | None = None


class LogMoment(NamedTuple):
    """A moment of the past.

    `instant` is the clock's time. If `position` is given, events up to that position had happened; else those recorded until the instant.
    """

    instant: datetime
    position: Position | None = None

    def covers(self, position: Position, at: datetime) -> bool:
        """Return whether an event of that position, recorded at that instant, stood in the log by then."""
        return position <= self.position if self.position is not None else at <= self.instant

    def had_happened(self, row: Recorded[Any]) -> bool:
        """Return whether an event stood in the log by then."""
        return self.covers(row.position, row.at)

    def upto(self, rows: Iterable[Recorded[E]]) -> list[Recorded[E]]:
        """Return the first events of a stream, up to the first that had not happened by then."""
        # Not a filter: where the clock was set back, that would leave a gap in the stream.
        return list(takewhile(self.had_happened, rows))


def read(text: str, zone: str) -> WrittenMoment:
    """Return the version, position or time that a text means in a time zone. Raises BadOption for a text that is none of the three."""
    asked = text.strip()
    if found := _VERSION.fullmatch(asked):
        return WrittenMoment(asked, version=Version(int(found["number"])))
    if found := _POSITION.fullmatch(asked):
        return WrittenMoment(asked, position=Position(int(found["number"])))
    return WrittenMoment(asked, time=read_time(asked, zone))


def read_time(text: str, zone: str) -> AtTime:
    """Return the day or time that a text means, in a zone unless the text has an offset of its own. Raises BadOption."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise _no_moment(text)
    exact = f"{found['day']}T{found['minute'] or '00:00'}{found['second'] or ':00'}{_micro(found['part'])}{(found['zone'] or '').upper()}"
    try:
        written = datetime.fromisoformat(exact)
        begins = _utc(written, zone)
        if found["minute"] is None:
            # To the next midnight there: a day may have 23 or 25 hours.
            return AtTime(begins, _utc(written + timedelta(days=1), zone) - _LEAST)
    except (ValueError, OverflowError) as error:
        # OverflowError: no day follows the last one of the year 9999.
        raise _no_moment(text) from error
    if found["part"]:
        return AtTime(begins, begins)
    return AtTime(begins, begins + (timedelta(seconds=1) if found["second"] else timedelta(minutes=1)) - _LEAST)


def _no_moment(text: str) -> BadOption:
    return BadOption(f"{text!r} is no moment. Write {FORMS}.")


def _micro(part: str | None) -> str:
    return "" if part is None else part.ljust(len(".000000"), "0")


def _utc(at: datetime, zone: str) -> datetime:
    return (at if at.tzinfo else at.replace(tzinfo=zone_of(zone))).astimezone(UTC)


def in_stream(conn: Transaction, rows: Sequence[Recorded[Any]], at: WrittenMoment, *, title: str, zone: str, now: datetime) -> LogMoment:
    """Return the moment that `at` means in a stream of the events `rows`, which people call `title`, such as `Game 17`.

    Raises NotFound, saying what there is, for an unknown version or position, and for a time before the first event or to come.
    """
    if at.version is not None:
        if not 1 <= at.version <= len(rows):
            told = f"{title} has had {counted(len(rows), 'event')} so far"
            raise NotFound(f"{told}; there is no version {at.version}." if at.version else f"{told}; they are numbered from 1.")
        row = rows[at.version - 1]
        return LogMoment(row.at, row.position)
    moment = in_log(conn, at, of=title, zone=zone, now=now)
    first = rows[0]
    if not moment.had_happened(first):
        then = f"#{moment.position}" if moment.position is not None else _told(moment.instant, zone)
        raise NotFound(f"{title} begins with event #{first.position} on {_told(first.at, zone)}; there was nothing of it at {then}.")
    return moment


def in_log(conn: Transaction, at: WrittenMoment, *, of: str, zone: str, now: datetime) -> LogMoment:
    """Return the moment that `at` means in the whole log. `of` names the subject, which is no single stream.

    Raises NotFound as `in_stream` does, and BadOption for a version, which only a stream has.
    """
    if at.position is not None:
        found = trail.at_position(conn, at.position)
        if found is None:
            had = counted(log.last_position(conn), "event")
            raise NotFound(f"The log has had {had} so far; there is no position #{at.position}.")
        return LogMoment(found.at, at.position)
    if at.time is None:
        raise BadOption(f"{at.text!r} is a version, and {of} has none. Write a position such as #48211, or a time such as 2026-11-03.")
    if at.time.begins > now:
        raise NotFound(f"{_told(at.time.begins, zone)} is in the future: it is {_told(now, zone)} now.")
    # A day or a minute that is not over ends now.
    return LogMoment(min(at.time.ends, now))


def _told(at: datetime, zone: str) -> str:
    return f"{record_time(at, zone)} ({zone})"


def summary(game: GameId, rows: Sequence[Recorded[e.GameEvent]], find: FindGame) -> tuple[GameState, GameSummary]:
    """Return the state of a game after its first events, at least one, and its row as it was then."""
    state = evolve(None, rows[0].event, find)
    ended_at: datetime | None = None
    for row in rows[1:]:
        ended = state.status is Status.ENDED
        state = evolve(state, row.event, find)
        # A result that was taken back was no end.
        if state.status is not Status.ENDED:
            ended_at = None
        elif not ended:
            ended_at = row.at
    result = state.result
    return state, GameSummary(
        id=game,
        version=state.version,
        game=state.game.entry.key,
        options=asdict(state.game.options),
        status=state.status,
        turn=state.turn,
        to_move=state.to_move,
        deadline=state.deadline,
        due_at=state.due_at,
        opened_at=rows[0].at,
        ended_at=ended_at,
        outcome=result.outcome.value if result else None,
        ended_by=result.by.value if result else None,
        winners=result.winners if result else (),
        players=state.players,
        accepted=tuple(player in state.accepted for player in state.players),
    )


class PersonThen(NamedTuple):
    """A player at a moment: the games in which they sat, the newest first; how they had kept to the time; since when no mail arrived."""

    games: list[GameSummary]
    tally: Tally
    unreachable_since: datetime | None


def person_then(conn: Transaction, ledger: Ledger, player: PlayerId, then: LogMoment) -> PersonThen:
    """Return a player as they were, from nothing but the log. Raises UnknownEvent and Malformed."""
    histories = [(game, then.upto(ledger.games.history(conn, game))) for game in trail.tables_of(conn, player)]
    begun = [(game, rows) for game, rows in histories if rows]
    rows_of = [summary(game, rows, ledger.find)[1] for game, rows in begun]
    tally = reliability([row.event for row in rows] for _, rows in begun).get(player, Tally())
    since = None
    for row in then.upto(log.load(conn, player_stream(player))):
        if isinstance(row.event, e.PlayerUnreachable):
            since = row.at
        elif isinstance(row.event, e.PlayerReachable):
            since = None
    # The tables are those of all times: by then the player may not have sat there yet, or not any more.
    return PersonThen([row for row in reversed(rows_of) if player in row.players], tally, since)


def ratings_then(conn: Transaction, key: str, then: LogMoment) -> Ratings:
    """Return the ratings at a game of the catalogue by the results that leagues had by then.

    Raises BadOption, UnknownEvent and Malformed.
    """
    of_game = [league.id for league in leagues.listed(conn) if league.game == key]
    known = [kept.result for league in of_game for kept in results.logged(conn, league, then.covers).values()]
    return ratings(key, known)


MAIL = "mail"

_KINDS = {
    MAIL: "a mail",
    "cli": "a command",
    "job": "a job",
    "web": "the page to unsubscribe",
}


class Because(NamedTuple):
    """The cause of an event.

    `kind` is the beginning of the cause, such as `mail`; `key` names the mail, the invocation or the job; `told` is that in words. `mail`
    is the row of the mail; None if the mail is not kept any more, and if the cause was no mail.
    """

    kind: str
    key: str
    told: str
    mail: InboxSummary | None = None


def because(conn: Transaction, cause: str) -> Because:
    """Return what a cause stands for."""
    kind, _, key = cause.partition(":")
    what = _KINDS.get(kind, kind)
    if kind != MAIL:
        name = key.partition(":")[0] if kind == "job" else key[:8]
        return Because(kind, key, f"{what}, {name}" if name else what)
    identity = key.partition(":")[0]
    mail = inbox.by_identity(conn, identity)
    told = _mail_told(mail) if mail else f"a mail that is not kept, {identity[:8]}"
    return Because(kind, identity, told, mail)


def _mail_told(mail: InboxSummary) -> str:
    return f"mail {mail.id} from {mail.sender}" if mail.sender else f"mail {mail.id}"


class KnownGame(NamedTuple):
    """A player's knowledge of a game at a moment.

    `newest` is the letter that had reached the player and shows the most of the game, `own` the version of the last thing that they did
    themselves. `unknown` counts the events that no letter had told and that were not theirs; plans of others are nobody's to know. Before
    `held_until` only its player knows of the turn `held_turn`. `planned` is the turn from which the player's plan answers.
    """

    game: GameId
    state: GameState
    letters: list[Letter]
    newest: Letter | None
    own: Version | None
    unknown: int
    held_turn: int | None
    held_until: datetime | None
    planned: int | None


def known(conn: Transaction, ledger: Ledger, player: PlayerId, then: LogMoment) -> Iterator[KnownGame]:
    """Yield a player's knowledge of each game that they had been written about, by the games' numbers."""
    by_stream = sorted(told.letters(conn, player, then.instant), key=lambda one: (one.stream, one.mail))
    games = {_number(stream): list(those) for stream, those in groupby(by_stream, key=lambda one: one.stream) if stream.startswith(_GAME)}
    for game in sorted(games):
        rows = then.upto(ledger.games.history(conn, game))
        if rows:
            state, _ = summary(game, rows, ledger.find)
            yield _known(state, player, then, rows, games[game])


def _known(state: GameState, player: PlayerId, then: LogMoment, rows: list[Recorded[e.GameEvent]], letters: list[Letter]) -> KnownGame:
    newest = max((one for one in letters if one.reached in TOLD), key=lambda one: (one.version, one.mail), default=None)
    held, seat = unannounced(state, then.instant), state.seat_of(player)
    kept_from_them = held is not None and state.player_at(held.seat) != player
    plan = state.plans[seat - 1] if seat is not None else None
    return KnownGame(
        game=_number(rows[0].stream),
        state=state,
        letters=letters,
        newest=newest,
        own=max((row.version for row in rows if row.actor == actor(player)), default=None),
        unknown=sum(1 for row in rows[newest.version if newest else 0 :] if _is_news(row, player)),
        held_turn=held.turn if held is not None and kept_from_them else None,
        held_until=announced_at(state, then.instant) if kept_from_them else None,
        planned=plan.turn if plan is not None else None,
    )


def _is_news(row: Recorded[e.GameEvent], player: PlayerId) -> bool:
    return row.actor != actor(player) and not isinstance(row.event, e.PlanLaid | e.PlanDropped)


def newest_of_leagues(letters: Iterable[Letter]) -> dict[Stream, Letter]:
    """Return, for each league, the letter that had reached the player and shows the most of it."""
    found: dict[Stream, Letter] = {}
    for one in letters:
        if not one.stream.startswith(_GAME) and one.reached in TOLD:
            found[one.stream] = max(found.get(one.stream, one), one, key=lambda letter: (letter.version, letter.mail))
    return found


_GAME = "game-"


def _number(stream: Stream) -> GameId:
    return GameId(int(stream.rpartition("-")[2]))
