"""The visibility of games and leagues: one rule, the rows by which an admin says so, and the queries that ask by both.

A level is an admin's choice for a game or a league, or the settings' for those about which no admin has said anything. Games of a league
have its level, unless one has a level of its own.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Executable, String, bindparam, case, cast, delete, exists, false, func, literal, or_
from sqlmodel import Session, col, select

from turnserver.config import Level, Web
from turnserver.ids import GameId, LeagueId, PlayerId
from turnserver.play.events import Outcome
from turnserver.play.state import Status
from turnserver.store.games.views import OVER
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Inserting, Statement
from turnserver.store.log.tables import ARCHIVED, GameRow, LeagueGameRow, LeaguePlayerRow, LeagueRow, SeatOfferRow, SeatRow, VisibilityRow

What: TypeAlias = Literal["game", "league"]


class Relation(Enum):
    """The part that somebody has in a game or a league: none, none but an account here, or a seat or a line of the table."""

    STRANGER = "stranger"
    PLAYER = "player"
    SEAT = "seat"


SEEN_BY: Final[Mapping[Relation, frozenset[Level]]] = MappingProxyType(
    {
        Relation.STRANGER: frozenset({"public"}),
        Relation.PLAYER: frozenset({"public", "players"}),
        Relation.SEAT: frozenset({"public", "players", "seats"}),
    }
)


class SeenGame(NamedTuple):
    """A game that somebody may see, and their relation to it. `league` is None if it belongs to none, or they may not see that."""

    row: GameRow
    relation: Relation
    league: LeagueId | None


class GameResults(NamedTuple):
    """The numbers of games that a player has won, lost and drawn, of those of one kind."""

    game: str
    won: int
    lost: int
    drawn: int


_own = VisibilityRow.__table__.alias("own")  # type: ignore[attr-defined]  # SQLModel does not declare it
_league = VisibilityRow.__table__.alias("of_league")  # type: ignore[attr-defined]  # as above


def game(session: Session, who: PlayerId | None, usual: Web, number: GameId) -> SeenGame | None:
    """Return a game if somebody may see it; None if they may not, or there is none. `who` is None for a stranger.

    `usual` has the levels of games without a league, and of leagues, about which no admin has said anything, here and below.
    """
    return next(iter(_games(session, who, usual, col(GameRow.id) == number)), None)


def games(session: Session, who: PlayerId | None, usual: Web, numbers: Collection[int]) -> dict[GameId, SeenGame]:
    """Return those of some games that somebody may see, by number."""
    found = _games(session, who, usual, col(GameRow.id).in_(numbers))
    return {GameId(one.row.id): one for one in found}


def games_of(
    session: Session, who: PlayerId | None, usual: Web, of: PlayerId, *, ended: bool, most: int, before: int | None = None
) -> list[SeenGame]:
    """Return the newest games of a player that somebody may see: those that are over, or those that are not.

    Return `most` of them, with numbers below `before`.
    """
    goes_on = col(GameRow.status) != Status.ENDED.value
    wanted = [*(OVER if ended else (goes_on,)), col(GameRow.id).in_(select(SeatRow.game).where(SeatRow.player == of))]
    if before is not None:
        wanted.append(col(GameRow.id) < before)
    return _games(session, who, usual, *wanted, most=most)


BATCH: Final = 500
"""The number of games that are asked for at a time where all are wanted."""


def all_games(session: Session, who: PlayerId | None, usual: Web) -> Iterator[GameId]:
    """Yield the numbers of all games that somebody may see, the newest first."""
    before: list[ColumnElement[bool]] = []
    while found := _games(session, who, usual, *before, most=BATCH):
        yield from (GameId(one.row.id) for one in found)
        before = [col(GameRow.id) < found[-1].row.id]


RECENT: Final = 2_000
"""The number of the newest games among which the site looks for those that it shows to everybody. A big site looks at no more."""


def recent_games(session: Session, who: PlayerId | None, usual: Web, *, ended: bool, most: int) -> list[SeenGame]:
    """Return `most` games that somebody may see: those that ended last, or of those that have begun and go on the newest."""
    newest = select(func.coalesce(func.max(GameRow.id), 0) - RECENT).scalar_subquery()
    order = (col(GameRow.ended_at).desc(),) if ended else ()
    wanted = OVER if ended else (col(GameRow.status) == Status.RUNNING.value,)
    return _games(session, who, usual, *wanted, col(GameRow.id) > newest, most=most, order=order)


def results_of(session: Session, who: PlayerId | None, usual: Web, of: PlayerId) -> list[GameResults]:
    """Return what became of a player's games that somebody may see and that were won or drawn, by game."""
    seat = table(SeatRow).alias("seat_of")  # whether the reader has a seat is asked of the table itself
    winners, own = (literal(" ") + func.coalesce(text, "") + " " for text in (col(GameRow.winners), cast(seat.c.seat, String)))
    drawn = col(GameRow.outcome) == Outcome.DRAWN.value
    won = ~drawn & winners.contains(own)
    counted = [func.sum(case((one, 1), else_=0)) for one in (won, ~won & ~drawn, drawn)]
    statement = (
        _visible(select(col(GameRow.game), *counted), who, usual)
        .join(seat, (seat.c.game == col(GameRow.id)) & (seat.c.player == of))
        .where(col(GameRow.outcome).in_((Outcome.WON.value, Outcome.DRAWN.value)))
        .group_by(col(GameRow.game))
    )
    return [GameResults(*row) for row in session.exec(statement)]


def meetings(
    session: Session, who: PlayerId | None, usual: Web, players: Collection[PlayerId], *, besides: GameId, most: int
) -> list[SeenGame]:
    """Return `most` other games that all these players have played, the one that ended last first, if somebody may see them."""
    sat = [col(GameRow.id).in_(select(SeatRow.game).where(SeatRow.player == one)) for one in players]
    order = (col(GameRow.ended_at).desc(),)
    return _games(session, who, usual, *OVER, col(GameRow.id) != besides, *sat, most=most, order=order)


def beside(session: Session, who: PlayerId | None, usual: Web, number: GameId) -> tuple[GameId | None, GameId | None]:
    """Return the games before and after a game in the season of its league, by meetings, skipping those that somebody may not see."""
    row = session.get(LeagueGameRow, number)
    if row is None:
        return None, None
    season = col(LeagueGameRow.league) == row.league, col(LeagueGameRow.season) == row.season
    meeting = col(LeagueGameRow.meeting)
    earlier = _games(session, who, usual, *season, meeting < row.meeting, most=1, order=(meeting.desc(),))
    later = _games(session, who, usual, *season, meeting > row.meeting, most=1, order=(meeting.asc(),))
    before, after = (GameId(found[0].row.id) if found else None for found in (earlier, later))
    return before, after


def _games(
    session: Session,
    who: PlayerId | None,
    usual: Web,
    *wanted: ColumnElement[bool],
    most: int | None = None,
    order: Sequence[ColumnElement[Any]] = (),
) -> list[SeenGame]:
    listed = exists().where(col(LeagueRow.id) == col(LeagueGameRow.league), col(LeagueRow.phase) != ARCHIVED)
    league_seen = listed & or_(_of_league(usual).in_(_levels(who)), _entered(who, LeagueGameRow.league))
    chosen: Any = select(GameRow, _seated(who, GameRow.id), LeagueGameRow.league, league_seen)
    statement = _visible(chosen, who, usual).where(*wanted).order_by(*order, col(GameRow.id).desc()).limit(most)
    return [
        SeenGame(row, _relation(who, has_part=has_seat), LeagueId(league) if league is not None and seen else None)
        for row, has_seat, league, seen in session.exec(statement)
    ]


def _visible(chosen: Any, who: PlayerId | None, usual: Web) -> Any:  # noqa: ANN401  # selects of several columns
    """Return what is chosen of games, their leagues and their levels, of the games that somebody may see."""
    level = func.coalesce(_own.c.level, case((col(LeagueGameRow.league).is_not(None), _of_league(usual)), else_=literal(usual.games)))
    return (
        chosen.select_from(GameRow)
        .outerjoin(LeagueGameRow, col(LeagueGameRow.game) == col(GameRow.id))
        .outerjoin(_own, (_own.c.what == "game") & (_own.c.number == col(GameRow.id)))
        .outerjoin(_league, (_league.c.what == "league") & (_league.c.number == col(LeagueGameRow.league)))
        .where(or_(level.in_(_levels(who)), _seated(who, GameRow.id)))
    )


def _of_league(usual: Web) -> ColumnElement[Any]:
    return func.coalesce(_league.c.level, literal(usual.leagues))


def league(session: Session, who: PlayerId | None, usual: Web, number: LeagueId) -> LeagueRow | None:
    """Return a league if somebody may see it; None if they may not, or there is none. `who` is None for a stranger."""
    return next(iter(leagues(session, who, usual, col(LeagueRow.id) == number)), None)


def leagues(session: Session, who: PlayerId | None, usual: Web, *wanted: ColumnElement[bool]) -> list[LeagueRow]:
    """Return the leagues that somebody may see and for which all that is `wanted` holds, by number."""
    level = func.coalesce(_own.c.level, literal(usual.leagues))
    statement = (
        select(LeagueRow)
        .outerjoin(_own, (_own.c.what == "league") & (_own.c.number == col(LeagueRow.id)))
        .where(col(LeagueRow.phase) != ARCHIVED, or_(level.in_(_levels(who)), _entered(who, LeagueRow.id)), *wanted)
        .order_by(col(LeagueRow.id))
    )
    return [*session.exec(statement)]


def _levels(who: PlayerId | None) -> Sequence[str]:
    return sorted(SEEN_BY[_relation(who, has_part=False)])


def _relation(who: PlayerId | None, *, has_part: bool) -> Relation:
    if who is None:
        return Relation.STRANGER
    return Relation.SEAT if has_part else Relation.PLAYER


def _seated(who: PlayerId | None, game: Any) -> ColumnElement[bool]:  # noqa: ANN401  # a column, which SQLModel types as its value
    if who is None:
        return false()
    seat = exists().where(col(SeatRow.game) == game, col(SeatRow.player) == who)
    return or_(seat, exists().where(col(SeatOfferRow.game) == game, col(SeatOfferRow.player) == who))


def _entered(who: PlayerId | None, league: Any) -> ColumnElement[bool]:  # noqa: ANN401  # as above
    if who is None:
        return false()
    now = exists().where(col(LeaguePlayerRow.league) == league, col(LeaguePlayerRow.player) == who)
    # also somebody who has played in a season of the past
    played = table(LeagueGameRow).alias("played")
    once = exists().where(played.c.league == league, played.c.game == col(SeatRow.game), col(SeatRow.player) == who)
    return or_(now, once)


_visibility = table(VisibilityRow)
_FORGET = Statement(delete(_visibility).where(_visibility.c.what == bindparam("subject"), _visibility.c.number == bindparam("which")))


def _keep(insert_into: Inserting) -> Executable:
    new = insert_into(_visibility).values({name: bindparam(name) for name in ("what", "number", "level")})
    return new.on_conflict_do_update(index_elements=["what", "number"], set_={"level": bindparam("level")})


_KEEP = Statement(_keep)


def show_to(tx: Transaction, what: What, number: int, level: Level | None) -> None:
    """Note the level of a game or league, or none for the usual one."""
    if level is None:
        tx.run(_FORGET, subject=what, which=number)
    else:
        tx.run(_KEEP, what=what, number=number, level=level)


def league_of(session: Session, game: int) -> LeagueId | None:
    """Return the league that a game belongs to; None if it belongs to none."""
    row = session.get(LeagueGameRow, game)
    return None if row is None else LeagueId(row.league)


def levels(session: Session, what: What, numbers: Collection[int]) -> dict[int, Level]:
    """Return the levels that an admin has given some games or leagues, by number."""
    rows = session.exec(select(VisibilityRow).where(VisibilityRow.what == what, col(VisibilityRow.number).in_(numbers)))
    return {row.number: _level(row.level) for row in rows}


def _level(text: str) -> Level:
    return next(level for level in SEEN_BY[Relation.SEAT] if level == text)
