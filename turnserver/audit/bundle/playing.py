"""One game played again from its log: what its rules, its chance, its clocks and the vacations of its players do not bear out.

And whether its rows are what its events come to: a change of the program that leads a game elsewhere, legal or not, shows there.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from turnserver import games
from turnserver.audit.game.freezes import undeclared
from turnserver.audit.game.plan_texts import Kept, unfaithful
from turnserver.audit.game.recheck import recheck
from turnserver.errors import TurnserverError
from turnserver.ids import GameId, Recorded, game_stream, player_stream
from turnserver.play.events import GameEvent, GameOpened, SecretRevealed
from turnserver.play.evolve import Find, fold
from turnserver.store import refusals
from turnserver.store.games import plans, views
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database
from turnserver.store.log.verify import Finding


class Outcome(NamedTuple):
    """What came of playing a game again: how many events it has, and what is wrong with them; nothing if all is well."""

    game: GameId
    events: int
    findings: tuple[Finding, ...]


class _Kept(NamedTuple):
    """What is kept of a game, as it was at one moment."""

    rows: Sequence[Recorded[GameEvent]]
    secret: bytes | None
    plans: dict[str, Kept]
    view: views.Stored | None


def played_again(db: Database, game: GameId, find: Find = games.find) -> Outcome:
    """Play a game of the database again, as far as its log allows; what is in the way is a finding too."""
    stream = game_stream(game)
    rows: Sequence[Recorded[GameEvent]] = ()
    try:
        kept = _load(db, game)
        rows = kept.rows
        found = tuple(_at_odds(db, game, kept, find))
    except TurnserverError as error:
        found = (Finding(None, stream, None, f"the game cannot be played again: {error}"),)
    except Exception as error:  # noqa: BLE001  # whatever some rules stumble over, the other games are to be looked at too
        found = (Finding(None, stream, None, f"the game cannot be played again: {type(error).__name__}: {error}"),)
    return Outcome(game, len(rows), found)


def _load(db: Database, game: GameId) -> _Kept:
    with db.read() as conn:
        rows: list[Recorded[GameEvent]] = log.load(conn, game_stream(game))
        if not rows:
            raise refusals.no_game(game)
        texts = {plan.digest: Kept(plan.text, plan.salt) for plan in plans.of_game(conn, game)}
        return _Kept(rows, keyring.of_stream(conn, game_stream(game)), texts, views.stored(conn, game))


def _at_odds(db: Database, game: GameId, kept: _Kept, find: Find) -> Iterator[Finding]:
    stream, rows = game_stream(game), kept.rows
    if _unkept(rows, kept.secret):
        yield Finding(
            rows[0].position, stream, rows[0].version, "the secret that it has committed to is not kept, so no roll can be checked"
        )
    found = list(recheck((row.event for row in rows), game, find, kept=kept.secret, recorded=[row.at for row in rows]))
    if not found:  # where something else is wrong, nobody can say what a plan had to answer
        found = list(unfaithful((row.event for row in rows), kept.plans, find))
    for wrong in found:
        yield Finding(rows[wrong.version - 1].position, stream, wrong.version, wrong.problem)
    if not found and kept.view is not None:
        state = fold((row.event for row in rows), find=find)
        for problem in views.differences(kept.view, state):
            yield Finding(rows[-1].position, stream, state.version, problem)
    try:
        with db.read() as conn:
            for version, problem in undeclared(rows, lambda player: log.load(conn, player_stream(player))):
                yield Finding(rows[version - 1].position, stream, version, problem)
    except TurnserverError as error:
        yield Finding(None, stream, None, f"the vacations of its players cannot be read: {error}")


def _unkept(rows: Sequence[Recorded[GameEvent]], secret: bytes | None) -> bool:
    """Whether nobody has the secret of a game with chance any more, and its log does not tell it either."""
    committed = any(isinstance(row.event, GameOpened) and row.event.commitment is not None for row in rows)
    return committed and secret is None and not any(isinstance(row.event, SecretRevealed) for row in rows)
