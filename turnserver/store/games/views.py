"""Rows about games for lists and for the sweep. They follow from a fold and can be made again from it at any time."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Executable, String, bindparam, case, cast, delete, exists, func, insert, literal_column, or_, select, update

from turnserver.ids import GameId, LeagueId, PlayerId, Version
from turnserver.play.events import EndedBy
from turnserver.play.reliability import Tally
from turnserver.play.state import GameState, Status
from turnserver.rules import Seat
from turnserver.store import refusals
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Inserting, Statement, Value, instant, optional_instant, optional_stamp, row_into, stamp
from turnserver.store.log.tables import EventRow, GameRow, LeagueGameRow, LeagueRow, ReliabilityRow, RestRow, SeatOfferRow, SeatRow

_rows = table(ReliabilityRow)
_row = _rows.c
_FIGURES = (_row.turns, _row.in_time, _row.flags, _row.graces, _row.waits)
"""In the order of `Tally`."""
_GET = Statement(select(*_FIGURES).where(_row.player == bindparam("who")))
_EVERY = Statement(select(_row.player, *_FIGURES).order_by(_row.player))


def _adding(insert_into: Inserting) -> Executable:
    new = insert_into(_rows).values({column.name: bindparam(column.name) for column in _row}).inline()
    more = {figure.name: figure + new.excluded[figure.name] for figure in _FIGURES}
    return new.on_conflict_do_update(index_elements=["player"], set_=more)


_ADD = Statement(_adding)


def add_tallies(tx: Transaction, more: Mapping[PlayerId, Tally]) -> None:
    """Add to the figures of players, in the transaction that logs the turns."""
    for player, tally in sorted(more.items()):
        tx.run(_ADD, player=player, **tally._asdict())


def tally_of(conn: Transaction, player: PlayerId) -> Tally:
    """Return a player's figures of punctuality; only zeros for a player who has had no turn."""
    row = conn.row(_GET, who=player)
    return Tally(*row) if row else Tally()


def lately_changed(conn: Transaction, player: PlayerId, since: datetime) -> list[GameId]:
    """Return the games of a player that go on and whose newest event came after `since`."""
    return [GameId(number) for (number,) in conn.rows(_LATELY, who=player, since=stamp(since))]


def every_tally(conn: Transaction) -> dict[PlayerId, Tally]:
    """Return the figures of everybody who has had a turn."""
    return {PlayerId(player): Tally(*figures) for player, *figures in conn.rows(_EVERY)}


class GameSummary(msgspec.Struct, frozen=True):
    """A game in a list. `players` and `accepted` stand in seat order; `due_at` is when its clock must be looked at next."""

    id: GameId
    version: Version
    game: str
    options: Mapping[str, str | int | bool]
    status: Status
    turn: int
    to_move: Seat | None
    deadline: datetime | None
    due_at: datetime | None
    opened_at: datetime
    ended_at: datetime | None
    outcome: str | None
    ended_by: str | None
    winners: tuple[Seat, ...]
    players: tuple[PlayerId, ...]
    accepted: tuple[bool, ...]


_games = table(GameRow)
_game = _games.c
_leagues = table(LeagueRow)
_meetings = table(LeagueGameRow)
_meeting = _meetings.c
_seats = table(SeatRow)
_seat = _seats.c
_offers = table(SeatOfferRow)
_offer = _offers.c

_CHANGING = ("version", "status", "turn", "to_move", "deadline_at", "due_at", "outcome", "ended_by", "winners")
_UPDATE = Statement(
    update(_games)
    .where(_game.id == bindparam("which"))
    .values(
        **{name: bindparam(name) for name in _CHANGING},
        # an earlier end stays, and is forgotten when the game goes on again
        ended_at=func.coalesce(bindparam("ended"), case((bindparam("status") == literal_column(f"'{Status.ENDED}'"), _game.ended_at))),
    )
)
_INSERT = Statement(
    insert(_games).values({name: bindparam(name) for name in (*_CHANGING, "id", "game", "options", "opened_at", "ended_at")})
)
_STORED = Statement(
    select(*(_game[name] for name in (*_CHANGING, "game")), _game.options, _game.ended_at).where(_game.id == bindparam("which"))
)
_SEATED = Statement(
    select(_seat.player, _seat.accepted, _offer.player)
    .join_from(_seats, _offers, (_offer.game == _seat.game) & (_offer.seat == _seat.seat), isouter=True)
    .where(_seat.game == bindparam("of"))
    .order_by(_seat.seat)
)
_INSERT_SEAT = Statement(row_into(_seats))
_CHANGE_SEAT = Statement(
    update(_seats)
    .where(_seat.game == bindparam("of"), _seat.seat == bindparam("which"))
    .values(player=bindparam("who"), accepted=bindparam("accepted"))
)
_FORGET_OFFERS = Statement(delete(_offers).where(_offer.game == bindparam("of")))
_INSERT_OFFER = Statement(row_into(_offers))
_OFFERED = Statement(select(_offer.game).where(_offer.player == bindparam("who")).order_by(_offer.game))
_resting = table(RestRow).c
# a game in quarantine cannot be played by this program, so looking at its clock would only fail again
_SERVED = ~exists().where(_resting.game == _game.id)
_DUE = Statement(
    select(_game.id).where(_game.due_at <= bindparam("now"), _SERVED).order_by(_game.due_at, _game.id).limit(bindparam("most"))
)

OVER: Final = (_game.status == Status.ENDED.value, ~exists().where(_seat.game == _game.id, ~_seat.accepted))
"""Says that a game is over. One that ended before everybody had accepted never was a game, whoever called it off."""

BY_HAND: Final = (EndedBy.ADJUDICATION, EndedBy.ANNULMENT, EndedBy.CANCELLATION)
"""The ends of games that an admin decides."""

_event = table(EventRow).c
_CLAIMED = Statement(
    select(_game.id)
    .where(
        _game.status == literal_column(f"'{Status.RUNNING}'"),
        _SERVED,
        exists().where(
            _event.stream == literal_column("'game-'").concat(cast(_game.id, String)), _event.type == literal_column("'game.claim_made'")
        ),
    )
    .order_by(_game.id)
)
_LATELY = Statement(
    select(_game.id)
    .join_from(_seats, _games, _seat.game == _game.id)
    .where(
        _seat.player == bindparam("who"),
        _game.status == literal_column(f"'{Status.RUNNING}'"),
        _SERVED,
        exists().where(
            _event.stream == literal_column("'game-'").concat(cast(_game.id, String)),
            _event.version == _game.version,
            _event.at > bindparam("since"),
        ),
    )
    .order_by(_game.id)
)
_BY_HAND = Statement(
    select(_game.id)
    .join_from(_meetings, _games, _meeting.game == _game.id)
    .where(_meeting.league == bindparam("of"), or_(*(_game.ended_by == literal_column(f"'{end}'") for end in BY_HAND)))
)
_COUNTS = Statement(select(_game.status, func.count()).group_by(_game.status))

_to_json = msgspec.json.Encoder(order="sorted").encode


def save_game(
    tx: Transaction, game_id: GameId, state: GameState, *, opened_at: datetime | None = None, ended_at: datetime | None = None
) -> None:
    """Write the rows of a game as its fold says. `opened_at` is needed the first time; given again, it has the seats written anew.

    `ended_at` is when these events ended the game, or None if they did not: an earlier end stays as it is, and is forgotten if the
    game goes on again.
    """
    changing = _changing(state)
    existed = tx.run(_UPDATE, which=game_id, ended=optional_stamp(ended_at), **changing)
    if not existed:
        if opened_at is None:
            raise ValueError(f"game {game_id} has no row yet: say when it was opened")
        options = _to_json(asdict(state.game.options)).decode()
        fixed: dict[str, Value] = {"id": game_id, "game": state.game.entry.key, "options": options, "opened_at": stamp(opened_at)}
        tx.run(_INSERT, ended_at=optional_stamp(ended_at), **fixed, **changing)
    if existed and opened_at is None and state.turn > _FIRST_TURN and not state.takeovers:
        # everybody accepted before the first turn, so nothing about the seats has changed since: a turn writes one row
        return
    for seat, player in enumerate(state.players, start=1):
        accepted = player in state.accepted
        if existed:
            tx.run(_CHANGE_SEAT, of=game_id, which=seat, who=player, accepted=accepted)
        else:
            tx.run(_INSERT_SEAT, game=game_id, seat=seat, player=player, accepted=accepted)


def _changing(state: GameState) -> dict[str, Value]:
    result = state.result
    return {
        "version": state.version,
        "status": state.status.value,
        "turn": state.turn,
        "to_move": state.to_move,
        "deadline_at": optional_stamp(state.deadline),
        "due_at": optional_stamp(state.due_at),
        "outcome": result.outcome.value if result else None,
        "ended_by": result.by.value if result else None,
        "winners": " ".join(map(str, result.winners)) if result else None,
    }


class Stored(NamedTuple):
    """The stored rows of a game: columns by name, and each seat: its player, whether they have accepted, who is asked to take it over."""

    columns: Mapping[str, Value]
    options: Mapping[str, object]
    ended_at: datetime | None
    seats: tuple[tuple[PlayerId, bool, PlayerId | None], ...]


def stored(conn: Transaction, game_id: GameId) -> Stored | None:
    """Return the rows of a game; None if it has none."""
    row = conn.row(_STORED, which=game_id)
    if row is None:
        return None
    *columns, options, ended_at = row
    seats = tuple((player, bool(accepted), asked) for player, accepted, asked in conn.rows(_SEATED, of=game_id))
    named = dict(zip((*_CHANGING, "game"), columns, strict=True))
    return Stored(named, msgspec.json.decode(options), optional_instant(ended_at), seats)


def differences(rows: Stored, state: GameState, ends: Collection[datetime]) -> list[str]:
    """Return where a game's rows differ from its fold. `ends` are the instants at which its events say that it ended.

    The list is empty if the two are at different versions.
    """
    # that is a fault of its own, which the proof of the log reports
    if rows.columns["version"] != state.version:
        return []
    found = [
        f"the game's row has {rows.columns[name]!r} as {name}, its events come to {value!r}"
        for name, value in {**_changing(state), "game": state.game.entry.key}.items()
        if rows.columns[name] != value
    ]
    # an earlier revision of the rules may have had fewer options
    if not rows.options.items() <= asdict(state.game.options).items():
        found.append("the game's row has other options than its events")
    # a game that was corrected in one go, from one end to another, keeps the instant of the first
    if rows.ended_at not in (ends if state.status is Status.ENDED else (None,)):
        found.append(f"the game's row has {optional_stamp(rows.ended_at)} as ended_at, which is no instant at which it ended")
    asked = {offer.seat: offer.player for offer in state.seat_offers}
    seats = tuple((player, player in state.accepted, asked.get(Seat(seat))) for seat, player in enumerate(state.players, start=1))
    return found + (["the game's rows seat others than its events, or ask others to take a seat over"] if rows.seats != seats else [])


def save_seat_offers(tx: Transaction, game_id: GameId, state: GameState) -> None:
    """Write the open offers of seats of a game, as its fold has them."""
    tx.run(_FORGET_OFFERS, of=game_id)
    for offer in state.seat_offers:
        tx.run(_INSERT_OFFER, game=game_id, seat=offer.seat, player=offer.player)


def seats_offered(conn: Transaction, player: PlayerId) -> list[GameId]:
    """Return the games in which a player was asked to take a seat over and has not answered, the oldest first."""
    return [game for (game,) in conn.rows(_OFFERED, who=player)]


def due_games(conn: Transaction, now: datetime, limit: int) -> list[GameId]:
    """Return the games whose clock must be looked at, the longest due first, without those in quarantine.

    Equally quick for many open games.
    """
    return [game for (game,) in conn.rows(_DUE, now=stamp(now), most=limit)]


def claimed_games(conn: Transaction) -> list[GameId]:
    """Return the running games in which somebody ever made a claim, by number, without those in quarantine."""
    return [game for (game,) in conn.rows(_CLAIMED)]


def games_ended_by_hand(conn: Transaction, league: LeagueId) -> frozenset[GameId]:
    """Return the games of a league that an admin has ended, or whose result an admin has taken back."""
    return frozenset(GameId(game) for (game,) in conn.rows(_BY_HAND, of=league))


def list_games(
    conn: Transaction,
    *,
    status: Status | None = None,
    over: bool = False,
    player: PlayerId | None = None,
    since: datetime | None = None,
    limit: int | None = None,
) -> list[GameSummary]:
    """Return the games of a status, or only those that are over (`OVER`), of a player, opened `since` then, or all, the newest first."""
    opened = stamp(since) if since else None
    wanted: dict[str, Value] = {"wanted": status.value if status else None, "who": player, "since": opened, "most": limit}
    asked = {name: value for name, value in wanted.items() if value is not None}
    return _summaries(conn.rows(_listing(frozenset(asked), over=over), **asked))


def count_games(conn: Transaction) -> dict[Status, int]:
    """Return the number of games of each status, without statuses that no game has."""
    return {Status(status): number for status, number in conn.rows(_COUNTS)}


def game_row(conn: Transaction, number: GameId) -> GameSummary:
    """Return one game. Raises NotFound."""
    found = _summaries(conn.rows(_ONE, which=number))
    if not found:
        raise refusals.no_game(number)
    return found[0]


def season_games(conn: Transaction, league: LeagueId | None = None) -> dict[GameId, GameSummary]:
    """Return all games of a league's present season, or of the present seasons of all leagues, in one statement."""
    rows = conn.rows(_OF_SEASONS) if league is None else conn.rows(_OF_SEASON, of=league)
    return {one.id: one for one in _summaries(rows)}


_FIRST_TURN = 1
_WITH_SEATS = select(*_games.columns, _seat.player, _seat.accepted).join_from(_games, _seats, _seat.game == _game.id)
_IN_ORDER = (_game.id.desc(), _seat.seat)
_ONE = Statement(_WITH_SEATS.where(_game.id == bindparam("which")).order_by(*_IN_ORDER))
_PRESENT = (
    _WITH_SEATS.join(_meetings, _meeting.game == _game.id)
    .join(_leagues, (_leagues.c.id == _meeting.league) & (_leagues.c.season == _meeting.season))
    .order_by(*_IN_ORDER)
)
_OF_SEASONS = Statement(_PRESENT)
_OF_SEASON = Statement(_PRESENT.where(_meeting.league == bindparam("of")))


@cache
def _listing(asked: frozenset[str], *, over: bool = False) -> Statement:
    """Return the statement for the filters in use, so that each can use its index."""
    chosen = select(_game.id).order_by(_game.id.desc())
    if "wanted" in asked:
        chosen = chosen.where(_game.status == bindparam("wanted"))
    if over:
        chosen = chosen.where(*OVER)
    if "who" in asked:
        chosen = chosen.where(_game.id.in_(select(_seat.game).where(_seat.player == bindparam("who"))))
    if "since" in asked:
        chosen = chosen.where(_game.opened_at >= bindparam("since"))
    if "most" in asked:
        chosen = chosen.limit(bindparam("most"))
    return Statement(_WITH_SEATS.where(_game.id.in_(chosen)).order_by(*_IN_ORDER))


def _summaries(rows: list[tuple[Any, ...]]) -> list[GameSummary]:
    return [_summary(list(seats)) for _, seats in groupby(rows, key=itemgetter(0))]


def _summary(seats: list[tuple[Any, ...]]) -> GameSummary:
    game_id, version, game, options, status, turn, to_move, deadline, due, opened, ended, outcome, by, winners = seats[0][:-2]
    return GameSummary(
        id=game_id,
        version=version,
        game=game,
        options=msgspec.json.decode(options),
        status=Status(status),
        turn=turn,
        to_move=to_move,
        deadline=optional_instant(deadline),
        due_at=optional_instant(due),
        opened_at=instant(opened),
        ended_at=optional_instant(ended),
        outcome=outcome,
        ended_by=by,
        winners=tuple(Seat(int(seat)) for seat in (winners or "").split()),
        players=tuple(row[-2] for row in seats),
        accepted=tuple(bool(row[-1]) for row in seats),
    )
