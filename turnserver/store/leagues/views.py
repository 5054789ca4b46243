"""Rows about leagues for lists and for the sweep. They follow from a fold and can be made again from it at any time.

The log of a league does not know the results of its games. The end of a game, its going on, or the loss of its result is noted here in the
same transaction (`note`), and the sweep carries it to the league. So nothing is lost, and nobody waits for anybody.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import String, bindparam, cast, delete, literal_column, select, text, update

from turnserver.errors import KeyTaken, NotAllowed, StoreError
from turnserver.ids import GameId, LeagueId, PlayerId, Recorded, Version
from turnserver.league.course import due
from turnserver.league.events import LeagueEvent
from turnserver.league.pairing import openable
from turnserver.league.state import EARLIEST, LeagueState, Phase, Season
from turnserver.store import refusals
from turnserver.store.log import log
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, Value, instant, optional_instant, optional_stamp, row_into, stamp
from turnserver.store.log.tables import ARCHIVED, EventRow, LeagueGameRow, LeaguePlayerRow, LeagueRow
from turnserver.store.people.accounts import fold_case
from turnserver.text import say


class LeagueSummary(msgspec.Struct, frozen=True):
    """A league in a list. `season` is 0 before the first, `phase` None if none is announced or the league is `archived`.

    `due_at` is when it must be looked at next.
    """

    id: LeagueId
    version: Version
    name: str
    game: str
    season: int
    phase: Phase | None
    due_at: datetime | None
    opened_at: datetime
    archived: bool


class Called(NamedTuple):
    """The name of a league at a version."""

    version: Version
    name: str


class Meeting(NamedTuple):
    """The place of a game: a meeting of a season of a league."""

    league: LeagueId
    season: int
    meeting: int


_AT_ONCE = stamp(EARLIEST)

_leagues = table(LeagueRow)
_league = _leagues.c
_games = table(LeagueGameRow)
_game = _games.c
_events = table(EventRow)
_players = table(LeaguePlayerRow)
_player = _players.c

_CHANGING = ("version", "name", "name_key", "season", "phase", "due_at", "opens_at")
_COLUMNS = (_league.id, _league.version, _league.name, _league.game, _league.season, _league.phase, _league.due_at, _league.opened_at)
_UPDATE = Statement(update(_leagues).where(_league.id == bindparam("which")).values({name: bindparam(name) for name in _CHANGING}))
_INSERT = Statement(row_into(_leagues))
_STORED_COLUMNS = (*_CHANGING, "game", "opened_at")
_STORED = Statement(select(*(_leagues.c[name] for name in _STORED_COLUMNS)).where(_league.id == bindparam("which")))
_LIST = Statement(select(*_COLUMNS).order_by(_league.id))
_STREAM = literal_column("'league-'").concat(cast(_league.id, String))
"""The name of a league's stream, as `league_stream` makes it."""
_HISTORIES = Statement(
    select(_league.id, *log.READ).join_from(_leagues, _events, _events.c.stream == _STREAM).order_by(_league.id, _events.c.version)
)
_LIST_OF = Statement(
    select(*_COLUMNS).join(_players, _player.league == _league.id).where(_player.player == bindparam("who")).order_by(_league.id)
)
_BY_NAME = Statement(select(_league.id).where(_league.name_key == bindparam("name_key")))
_BY_NUMBER = Statement(select(_league.id).where(_league.id == bindparam("which")))
_CALLED = Statement(select(_league.version, _league.name).where(_league.id == bindparam("which")))
_DUE = Statement(select(_league.id).where(_league.due_at <= bindparam("now")).order_by(_league.due_at, _league.id).limit(bindparam("most")))
_OPENING = Statement(select(_league.id).where(_league.opens_at <= bindparam("now")).order_by(_league.opens_at, _league.id))
# a league that has changed since the failure may be able to open its games at once, so it is not put off
_POSTPONE = Statement(
    update(_leagues)
    .where(_league.id == bindparam("which"), _league.version == bindparam("known"), _league.opens_at.is_not(None))
    .values(opens_at=bindparam("until"))
)
_FORGET_PLAYERS = Statement(delete(_players).where(_player.league == bindparam("which")))
_INSERT_PLAYER = Statement(row_into(_players))
_ENTERED = Statement(select(_players.c.player).where(_players.c.league == bindparam("which")))
_INSERT_GAME = Statement(row_into(_games))
_MEETING = Statement(select(_game.league, _game.season, _game.meeting).where(_game.game == bindparam("which")))
_GAMES_OF = Statement(select(_game.game, _game.season, _game.meeting).where(_game.league == bindparam("which")).order_by(_game.game))
_NOTE = Statement(update(_games).where(_game.game == bindparam("which")).values(changed=literal_column("true")))
_CARRIED = Statement(update(_games).where(_game.game == bindparam("which")).values(changed=literal_column("false")))
# as the index has it: spelled otherwise, SQLite would not know it again and read the whole table
_IS_CHANGED = text("changed")
_CHANGED = Statement(select(_game.league).distinct().where(_IS_CHANGED).order_by(_game.league))
_CHANGED_IN = Statement(
    select(_game.game, _game.league, _game.season, _game.meeting)
    .where(_IS_CHANGED, _game.league == bindparam("which"))
    .order_by(_game.game)
)


def save(tx: Transaction, league: LeagueId, before: LeagueState | None, after: LeagueState, *, opened_at: datetime | None = None) -> None:
    """Write the rows of a league as its fold says; `opened_at` is needed the first time.

    Refuses (`name_taken`) a league with the name of another one, in any case.
    """
    season, changing = after.season, _changing(after)
    try:
        if opened_at is not None:
            tx.run(_INSERT, id=league, opened_at=stamp(opened_at), game=after.game, **changing)
        else:
            tx.run(_UPDATE, which=league, **changing)
    # the unique index settles it: another process may give a league the same name at this moment
    except KeyTaken as error:
        raise _taken(after.name) from error
    # most events of a league leave its players as they are
    if before is None or _in(before.season) != _in(season):
        tx.run(_FORGET_PLAYERS, which=league)
        for player in sorted(_in(season)):
            tx.run(_INSERT_PLAYER, league=league, player=player)


def _changing(after: LeagueState) -> dict[str, Value]:
    season = after.season
    return {
        "version": after.version,
        "name": after.name,
        "name_key": fold_case(after.name),
        "season": after.seasons,
        "phase": ARCHIVED if after.archived else season.phase.value if season is not None else "",
        "due_at": optional_stamp(due(after)),
        "opens_at": _AT_ONCE if season is not None and season.phase is Phase.RUNNING and openable(after, season) else None,
    }


def differences(conn: Transaction, league: LeagueId, after: LeagueState, opened_at: datetime) -> list[str]:
    """Return where the rows of a league differ from its fold. The list is empty if the two are at different versions."""
    row = conn.row(_STORED, which=league)
    # another process may have written meanwhile, which is no difference
    if row is None or row[0] != after.version:
        return []
    right = {**_changing(after), "game": after.game, "opened_at": stamp(opened_at)}
    found = [
        f"the league's row has {kept!r} as {name}, its events come to {right[name]!r}"
        for name, kept in zip(_STORED_COLUMNS, row, strict=True)
        # games that could not be opened are tried again later, and no event says when
        if kept != right[name] and not (name == "opens_at" and kept is not None and right[name] is not None)
    ]
    entered = frozenset(PlayerId(player) for (player,) in conn.rows(_ENTERED, which=league))
    return found + (["the league's rows have others in it than its events"] if entered != _in(after.season) else [])


def _in(season: Season | None) -> frozenset[PlayerId]:
    """Return the players who have entered a season or play in it."""
    if season is None or season.phase is Phase.CLOSED:
        return frozenset()
    if season.phase is not Phase.RUNNING:
        return frozenset(entry.player for entry in season.entries)
    lines = {line for division in season.divisions for line in division.players}
    return frozenset(season.who(line) for line in lines.difference(season.withdrawn))


def listed(conn: Transaction, player: PlayerId | None = None) -> list[LeagueSummary]:
    """Return all leagues, or those that a player has entered, by their numbers."""
    return [_summary(row) for row in (conn.rows(_LIST) if player is None else conn.rows(_LIST_OF, who=player))]


def histories(conn: Transaction) -> dict[LeagueId, list[Recorded[LeagueEvent]]]:
    """Return every event of every league in one statement, by the numbers of the leagues. Raises UnknownEvent or Malformed."""
    found = defaultdict[LeagueId, list[Recorded[LeagueEvent]]](list)
    for league, *event in conn.rows(_HISTORIES):
        found[LeagueId(league)].append(log.recorded(tuple(event)))
    return dict(found)


def find(conn: Transaction, text: str) -> LeagueId:
    """Return the league that `3`, `league-3` or a name stands for. Raises NotFound."""
    number = text.strip().casefold().removeprefix("league-")
    if number.isascii() and number.isdigit() and len(number) < _DIGITS:
        rows = conn.rows(_BY_NUMBER, which=int(number))
    else:
        rows = conn.rows(_BY_NAME, name_key=fold_case(text))
    if not rows:
        raise refusals.no_league(text)
    return LeagueId(rows[0][0])


def require_free(conn: Transaction, name: str) -> None:
    """Refuse (`name_taken`) a name that a league has now, in any case."""
    if conn.rows(_BY_NAME, name_key=fold_case(name)):
        raise _taken(name)


def _taken(name: str) -> NotAllowed:
    return NotAllowed("name_taken", say("There is a league called {name} already. Choose another name.", name=name))


def due_leagues(conn: Transaction, now: datetime, limit: int) -> list[LeagueId]:
    """Return the leagues that must be looked at, the longest due first."""
    return [LeagueId(league) for (league,) in conn.rows(_DUE, now=stamp(now), most=limit)]


def opening_leagues(conn: Transaction, now: datetime) -> list[LeagueId]:
    """Return the leagues with games that are to be opened, the longest waiting first."""
    return [LeagueId(league) for (league,) in conn.rows(_OPENING, now=stamp(now))]


def postpone(tx: Transaction, league: LeagueId, version: Version, until: datetime) -> None:
    """Try again at an instant to open the games of a league that could not be opened; sooner if it has changed since that version."""
    tx.run(_POSTPONE, which=league, known=version, until=stamp(until))


def attach(tx: Transaction, game: GameId, meeting: Meeting) -> None:
    """Note which meeting a game is that is being opened."""
    tx.run(_INSERT_GAME, game=game, league=meeting.league, season=meeting.season, meeting=meeting.meeting, changed=False)


def called(conn: Transaction, league: LeagueId) -> Called:
    """Return what a league is called now. Raises NotFound."""
    row = conn.row(_CALLED, which=league)
    if row is None:
        raise refusals.no_league(str(league))
    return Called(Version(row[0]), row[1])


def meeting_of(conn: Transaction, game: GameId) -> Meeting | None:
    """Return the meeting of a game; None if it belongs to no league."""
    row = conn.row(_MEETING, which=game)
    return None if row is None else Meeting(LeagueId(row[0]), row[1], row[2])


def note(tx: Transaction, game: GameId) -> None:
    """Note for its league that a game has ended, goes on, or has lost its result. Do nothing if the game belongs to no league."""
    tx.run(_NOTE, which=game)


def changed(conn: Transaction) -> list[LeagueId]:
    """Return the leagues that have not heard all news of their games yet, by their numbers."""
    return [LeagueId(league) for (league,) in conn.rows(_CHANGED)]


def changed_in(conn: Transaction, league: LeagueId) -> dict[GameId, Meeting]:
    """Return the games of a league that it has not heard of yet, by their numbers."""
    return {GameId(game): Meeting(LeagueId(of), season, meeting) for game, of, season, meeting in conn.rows(_CHANGED_IN, which=league)}


def games_of(conn: Transaction, league: LeagueId) -> dict[GameId, Meeting]:
    """Return all games that are kept as games of a league, each with its meeting."""
    return {GameId(game): Meeting(league, season, meeting) for game, season, meeting in conn.rows(_GAMES_OF, which=league)}


def carried(tx: Transaction, games: Iterable[GameId]) -> None:
    """Note that the league of these games has heard all their news."""
    for game in games:
        tx.run(_CARRIED, which=game)


_DIGITS = 10
"""No league has a number that long."""


def _summary(row: tuple[Any, ...]) -> LeagueSummary:
    league, version, name, game, season, phase, due_at, opened_at = row
    return LeagueSummary(
        id=LeagueId(league),
        version=Version(version),
        name=name,
        game=game,
        season=season,
        phase=_phase(league, phase),
        due_at=optional_instant(due_at),
        opened_at=instant(opened_at),
        archived=phase == ARCHIVED,
    )


def _phase(league: int, kept: str) -> Phase | None:
    try:
        return Phase(kept) if kept not in ("", ARCHIVED) else None
    except ValueError as error:
        raise StoreError(f"the row of league {league} has no phase that there is: {kept}") from error
