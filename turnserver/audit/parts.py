"""The parts of an audit that say nothing of one another, shared out among processes: pages of the log, leagues and games."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple, TypeAlias, assert_never

from turnserver.audit.league import leagues
from turnserver.audit.replaying import AT_ONCE, played_again
from turnserver.audit.workers import WorkerPool
from turnserver.errors import StoreError
from turnserver.ids import GameId, LeagueId, PlayerId
from turnserver.play.reliability import Tally, add_up
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database, Transaction
from turnserver.store.log.verify import Finding, Page


class OneLeague(NamedTuple):
    """A league, to be decided again and compared with its games."""

    league: LeagueId


class OneGame(NamedTuple):
    """A game, to be played again."""

    game: GameId


Part: TypeAlias = Page | OneLeague | OneGame


class Checked(NamedTuple):
    """The result of checking one part. A page has a finding if it has any fault; which ones, only those before it can tell.

    `tallies` are how reliable the players of a game were in it, None if that cannot be told.
    """

    findings: tuple[Finding, ...]
    tallies: Mapping[PlayerId, Tally] | None = None


class Parts(NamedTuple):
    """All parts of a database, as it was at one moment."""

    pages: Sequence[Page]
    leagues: Sequence[LeagueId]
    games: Sequence[GameId]

    @classmethod
    def of(cls, conn: Transaction) -> "Parts":
        """Return the parts of the database."""
        begun = audit.begun(conn)
        return cls(audit.pages(conn), begun.leagues, begun.games)

    @property
    def events(self) -> int:
        """The number of positions that were given out."""
        return self.pages[-1].last if self.pages else 0


class Audited(NamedTuple):
    """The findings about games and leagues, the position up to which the log was found sound, and the sums of all tallies, if there are."""

    games: list[Finding]
    leagues: list[Finding]
    sound: int
    tallies: Mapping[PlayerId, Tally] | None


def audited(
    url: str,
    parts: Parts,
    workers: int,
    *,
    busy_timeout_seconds: float = 5.0,
    done: Callable[[Part], object] = lambda _: None,
    at_once: int = AT_ONCE,
) -> Audited:
    """Check all parts of a database, several at a time, and call `done` with each of them.

    Raises StoreError if the database cannot be opened, and WorkerLost.
    """
    # pages first: the games, which are many and small, then keep every process busy until all are done
    todo: list[Part] = [*parts.pages, *map(OneLeague, parts.leagues), *map(OneGame, parts.games)]
    pool = WorkerPool(_checker, lambda those: f"checked {len(those)} pages, leagues or games", workers, at_once)
    of_games, of_leagues, sound = list[Finding](), list[Finding](), 0
    tallies: dict[PlayerId, Tally] | None = {}
    for part, checked in zip(todo, pool.run(todo, url, busy_timeout_seconds), strict=True):
        match part:
            case Page():
                sound = part.last if part.after == sound and not checked.findings else sound
            case OneLeague():
                of_leagues += checked.findings
            case OneGame():
                of_games += checked.findings
                if tallies is not None and checked.tallies is not None:
                    add_up(tallies, checked.tallies)
                else:
                    tallies = None
            case _:
                assert_never(part)
        done(part)
    return Audited(of_games, of_leagues, sound, tallies)


@contextmanager
def _checker(url: str, busy_timeout_seconds: float) -> Iterator[Callable[[Part], Checked]]:
    with closing(Database.connect(url, busy_timeout_seconds)) as db:
        yield lambda part: _checked(db, part)


def _checked(db: Database, part: Part) -> Checked:
    match part:
        case Page():
            return Checked(tuple(_faults(db, part)))
        case OneLeague(league):
            return Checked(tuple(leagues.verify(db, league)))
        case OneGame(game):
            again = played_again(db, game)
            return Checked(again.findings, again.tallies)
        case _:
            assert_never(part)


def _faults(db: Database, page: Page) -> Iterator[Finding]:
    try:
        with db.read() as conn:
            yield from audit.faults(conn, page)
    # What keeps a page from being read is said by whoever looks at the whole log then.
    except StoreError as error:
        yield Finding(None, None, None, str(error))
