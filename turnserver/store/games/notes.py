"""Players' private notes on turns of games: ordinary rows, apart from the log so that they can be erased."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, insert, literal_column, select, update

from turnserver.ids import GameId, PlayerId
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement, instant, plain, stamp
from turnserver.store.log.tables import GameRow, NoteRow


class Note(NamedTuple):
    """A note of a player on a turn. Nobody else sees it unless it is `published`, and then only after the end of the game."""

    player: PlayerId
    turn: int
    text: str
    at: datetime
    published: bool


_notes = table(NoteRow)
_note = _notes.c
_games = table(GameRow)
_NOTE = (_note.player, _note.turn, _note.text, _note.at, _note.published)
_ADD = Statement(insert(_notes).values({name: bindparam(name) for name in ("game", "player", "turn", "text", "at", "published")}).inline())
_OWN = Statement(select(*_NOTE).where(_note.game == bindparam("which"), _note.player == bindparam("who")).order_by(_note.id))
_PUBLISHED = Statement(
    select(*_NOTE)
    .join(_games, _games.c.id == _note.game)
    # a game may go on after all
    .where(_note.game == bindparam("which"), _note.published.is_(True), _games.c.status == literal_column("'ended'"))
    .order_by(_note.turn, _note.id)
)
_PUBLISH = Statement(
    update(_notes).where(_note.game == bindparam("which"), _note.player == bindparam("who")).values(published=bindparam("shown"))
)


def add(  # noqa: PLR0917  # the columns of a row, in their order
    tx: Transaction, player: PlayerId, game: GameId, turn: int, text: str, at: datetime
) -> None:
    """Keep a note, for its player alone."""
    tx.run(_ADD, game=game, player=player, turn=turn, text=plain(text), at=stamp(at), published=False)


def own(conn: Transaction, player: PlayerId, game: GameId) -> list[Note]:
    """Return a player's notes of a game, oldest first."""
    return [_read(row) for row in conn.rows(_OWN, which=game, who=player)]


def published(conn: Transaction, game: GameId) -> list[Note]:
    """Return the notes of a game that their players have published, by turn. None while the game is played."""
    return [_read(row) for row in conn.rows(_PUBLISHED, which=game)]


def publish(tx: Transaction, player: PlayerId, game: GameId, *, shown: bool) -> None:
    """Publish all notes of a player of a game, or take that back."""
    tx.run(_PUBLISH, which=game, who=player, shown=shown)


def _read(row: tuple[int, int, str, str, bool]) -> Note:
    player, turn, text, at, shown = row
    return Note(PlayerId(player), turn, text, instant(at), bool(shown))
