"""Players as pages need them: typed rows, asked for with `sqlmodel.select`."""

from collections.abc import Collection

from sqlmodel import Session, col, select

from turnserver.ids import GameId, PlayerId
from turnserver.store.log.tables import LeaguePlayerRow, PlayerRow, RatingRow, SeatRow


def account(session: Session, number: PlayerId) -> PlayerRow | None:
    """Return a player's account; None if there is none, or if it was erased."""
    row = session.get(PlayerRow, number)
    return row if row is not None and row.erased_at is None else None


def accounts(session: Session, numbers: Collection[PlayerId]) -> list[PlayerRow]:
    """Return the accounts of these players, erased ones too, by number."""
    return [*session.exec(select(PlayerRow).where(col(PlayerRow.id).in_(numbers)).order_by(col(PlayerRow.id)))]


def has_page(row: PlayerRow) -> bool:
    """Return whether a player lets themself be seen, on a page of their own."""
    return row.erased_at is None and row.public != "off"


def public(session: Session) -> list[PlayerId]:
    """Return the players of whom `has_page` is true, by number."""
    wanted = select(PlayerRow.id).where(col(PlayerRow.erased_at).is_(None), PlayerRow.public != "off").order_by(col(PlayerRow.id))
    return [PlayerId(number) for number in session.exec(wanted)]


def seats(session: Session, games: Collection[GameId]) -> list[SeatRow]:
    """Return the seats of these games, in order."""
    return [*session.exec(select(SeatRow).where(col(SeatRow.game).in_(games)).order_by(col(SeatRow.game), col(SeatRow.seat)))]


def met(session: Session, who: PlayerId) -> frozenset[PlayerId]:
    """Return everybody at a table of the player's, or in a league with them now, and the player."""
    own = select(SeatRow.game).where(SeatRow.player == who)
    entered = select(LeaguePlayerRow.league).where(LeaguePlayerRow.player == who)
    at_tables = session.exec(select(SeatRow.player).where(col(SeatRow.game).in_(own)).distinct())
    in_leagues = session.exec(select(LeaguePlayerRow.player).where(col(LeaguePlayerRow.league).in_(entered)).distinct())
    return frozenset(PlayerId(player) for player in (who, *at_tables, *in_leagues))


def rated(session: Session, number: PlayerId) -> list[str]:
    """Return the games of the catalogue at which a player has a rating, by key."""
    return [*session.exec(select(RatingRow.key).where(RatingRow.player == number).distinct().order_by(RatingRow.key))]
