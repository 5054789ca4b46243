"""The record of a game, with facts that its history lacks: names, the league and its round, the days."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from turnserver.errors import NotFound
from turnserver.ids import ArchiveId, GameId, PlayerId, Recorded, archive_stream, league_stream
from turnserver.league.course import meeting_of
from turnserver.league.events import GameAttached
from turnserver.league.evolve import fold as fold_league
from turnserver.play.events import GameEnded, GameEvent, GameStarted
from turnserver.play.state import GameState
from turnserver.records.check import event_problem, game_of
from turnserver.records.making import Circumstances, record_of
from turnserver.records.record import Record
from turnserver.store.games import archives, notes
from turnserver.store.leagues import views as leagues
from turnserver.store.log import log
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database, Transaction
from turnserver.store.log.verify import Finding
from turnserver.store.people import accounts as people


def link(tx: Transaction, number: ArchiveId, seat: str, who: str | None) -> None:
    """Set the account of the name at a seat, or none if `who` is None. A later player of a seat is `Red 2`. Raises NotFound."""
    archived = archives.load(tx, number)
    seats = game_of(archived.record).view.seat_names
    known: dict[str, int] = {}
    for name in archived.names:
        label = seats[name.seat - 1].casefold()
        nth = 1 + sum(other.seat == name.seat for other in archived.names[: name.number - 1])
        known[label if nth == 1 else f"{label} {nth}"] = name.number
    place = known.get(" ".join(seat.casefold().split()))
    if place is None:
        raise NotFound(f"There is no seat {seat!r} in game {number} of the archive; there are {', '.join(known)}.")
    archives.link(tx, number, place, people.find_player(tx, who).id if who is not None else None)


def verify(db: Database) -> Iterator[Finding]:
    """Yield a finding for everything in the archive that the rules do not confirm."""
    with db.read() as conn:
        for number in audit.begun(conn).archives:
            stream = archive_stream(number)
            for row in log.load(conn, stream):
                if wrong := event_problem(row.event, row.version):
                    yield Finding(row.position, stream, row.version, wrong)


def record(
    conn: Transaction,
    game: GameId,
    state: GameState,
    history: Sequence[Recorded[GameEvent]],
    *,
    site: str,
    names: Mapping[PlayerId, str] | None = None,
    league: bool = True,
) -> Record:
    """Return the record of a game that stands in `state` after this history, played at this `site`. Days are those of UTC.

    Players have the `names` given, else those of their accounts. Without `league`, it does not say in which one the game was played.
    """
    began = next((row.at for row in history if isinstance(row.event, GameStarted)), None)
    ended = next((row.at for row in reversed(history) if isinstance(row.event, GameEnded)), None) if state.result else None
    event, round_ = _meeting(conn, game) if league else ("", "")
    names = names if names is not None else {person.id: person.name for person in people.list_players(conn)}
    # they are about the whole game
    published = notes.published(conn, game) if state.result else []
    about = Circumstances(
        names=names,
        event=event,
        site=site,
        round=round_,
        began=began,
        ended=ended,
        digest=history[-1].hash.hex(),
        comments=[(note.turn, f"{names[note.player]}: {note.text}") for note in published],
    )
    return record_of(state, [row.event for row in history], about)


def _meeting(conn: Transaction, game: GameId) -> tuple[str, str]:
    """Return `Club league, season 2` and the round for a game that belongs to a league."""
    where = leagues.meeting_of(conn, game)
    if where is None:
        return "", ""
    rows = log.load(conn, league_stream(where.league))
    attached = next((row.version for row in rows if isinstance(row.event, GameAttached) and row.event.game == game), 0)
    state = fold_league(row.event for row in takewhile(lambda row: row.version <= attached, rows))
    fixture = meeting_of(state.season, game) if state.season else None
    name = f"{state.name}, season {where.season}"
    return (f"{name}, division {fixture.division}", str(fixture.round)) if fixture else (name, "")
