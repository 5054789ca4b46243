"""Games, leagues and players as somebody may see them on pages: values, of which `web` makes HTML for a visitor or for an export.

Whoever asks is a player or, as None, a stranger. What there is not and what they may not see are refused in the same words.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from turnserver.config import Level, Settings
from turnserver.errors import ConfigError, NotFound
from turnserver.ids import GameId, LeagueId, PlayerId, Recorded
from turnserver.league.scoring.ratings import RatingPoint
from turnserver.league.state import LeagueState, Season
from turnserver.mail.outbound.context import LeagueGame
from turnserver.mail.outbound.telling.history import Told, told_end
from turnserver.outside import Clock
from turnserver.play import reasons
from turnserver.play.events import GameEnded, GameEvent
from turnserver.play.reliability import Tally
from turnserver.play.state import GameState
from turnserver.play.substitution import asked
from turnserver.proof.note import VerificationKey, verification_key
from turnserver.records.record import Record
from turnserver.service.games import records
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues import folds
from turnserver.service.leagues.repository import Leagues
from turnserver.service.people.names import shown
from turnserver.service.upkeep.checkpoints import verifying
from turnserver.store.games import views
from turnserver.store.leagues import ratings
from turnserver.store.log import checkpoints
from turnserver.store.log.checkpoints import Stored
from turnserver.store.log.database import Session, Transaction
from turnserver.store.log.tables import LeagueRow
from turnserver.store.web import players as accounts
from turnserver.store.web import visibility
from turnserver.store.web.visibility import GameResults, Relation, SeenGame, What
from turnserver.text import say

MOST_GAMES = 50
"""The number of games on one page of a list."""

LATELY = 8
"""The number of games that go on, and of those that are over, on the page of the site."""

MEETINGS = 5
"""The number of earlier games of the same players on the page of a game."""

CHECKPOINTS = 30
"""The number of checkpoints on the page about audits."""


class Reader(NamedTuple):
    """A visitor of a page, with the language and the zone that the page is in. `who` is None for a stranger."""

    who: PlayerId | None
    language: str
    zone: str


class Named(NamedTuple):
    """The names of players as a reader may read them, and the players of whom there is a page to see."""

    names: dict[PlayerId, str]
    with_page: frozenset[PlayerId]


class ListedGame(NamedTuple):
    """A game in a list, and its players in seat order."""

    seen: SeenGame
    players: tuple[PlayerId, ...]


class PublicGame(NamedTuple):
    """A game as its reader may see it at an instant. `place` and `league` are None unless they may see its league, too.

    `told` is the end of the `history` as they may know it, `meetings` are earlier games of the same players, `beside` the games
    before and after it in the season of its league.
    """

    id: GameId
    reader: Reader
    now: datetime
    relation: Relation
    state: GameState
    history: Sequence[Recorded[GameEvent]]
    told: Told
    people: Named
    place: LeagueGame | None
    league: LeagueId | None
    record: Record
    meetings: tuple[ListedGame, ...]
    beside: tuple[GameId | None, GameId | None]


class PublicLeague(NamedTuple):
    """A league as its reader may see it, as it is or as an earlier season left it. `games` are those of its games that they may see.

    `time` is the time control of its games, `seasons` the number of its seasons.
    """

    id: LeagueId
    reader: Reader
    now: datetime
    state: LeagueState
    seasons: int
    time: str
    people: Named
    games: frozenset[GameId]


class PublicLeagues(NamedTuple):
    """The leagues that a reader may see."""

    reader: Reader
    leagues: tuple[LeagueRow, ...]


class PublicPlayer(NamedTuple):
    """A player who lets themself be seen. `ratings` are the moments of their rating by game; `earlier` says that there are more games.

    `results` counts all of their games that ended and that the reader may see.

    `is_known` says that the reader is another player, who reads the name that mails have.
    """

    id: PlayerId
    reader: Reader
    is_self: bool
    consents: bool
    is_known: bool
    people: Named
    tally: Tally
    ratings: dict[str, tuple[RatingPoint, ...]]
    running: tuple[ListedGame, ...]
    ended: tuple[ListedGame, ...]
    earlier: int | None
    results: tuple[GameResults, ...]


class PublicClub(NamedTuple):
    """The state of the club, as far as a reader may see it: games that go on, games that ended last, and leagues."""

    reader: Reader
    running: tuple[ListedGame, ...]
    ended: tuple[ListedGame, ...]
    leagues: tuple[LeagueRow, ...]
    people: Named


class PublicNumbers(NamedTuple):
    """The games, leagues and players that a stranger may see, in order."""

    games: tuple[GameId, ...]
    leagues: tuple[LeagueId, ...]
    players: tuple[PlayerId, ...]


class PublicAudit(NamedTuple):
    """The means of somebody who does not trust the service: the keys whose signatures count, and the newest checkpoints."""

    reader: Reader
    keys: tuple[VerificationKey, ...]
    checkpoints: tuple[Stored, ...]


class PublicPages:
    """Shows games, leagues and players to whoever may see them. Threads may share it."""

    def __init__(self, ledger: Ledger, leagues: Leagues, settings: Settings, clock: Clock) -> None:
        """Show what `ledger` and `leagues` keep, by the levels of `settings.web` where no admin has said otherwise."""
        self._ledger = ledger
        self._leagues = leagues
        self._settings = settings
        self._usual = settings.web
        self._clock = clock

    def reader(self, who: PlayerId | None) -> Reader:
        """Return how somebody reads pages that are the same for everybody."""
        with self._ledger.db.session() as session:
            return self._reader(session, who)

    def club(self, who: PlayerId | None) -> PublicClub:
        """Return what goes on here, as far as `who` may see it."""
        with self._ledger.db.session() as session:
            reader = self._reader(session, who)
            running, ended = (
                _listed(session, visibility.recent_games(session, reader.who, self._usual, ended=over, most=LATELY))
                for over in (False, True)
            )
            leagues = tuple(visibility.leagues(session, reader.who, self._usual))
            people = _named(session, reader, {player for one in (*running, *ended) for player in one.players})
            return PublicClub(reader, running, ended, leagues, people)

    def everything(self) -> PublicNumbers:
        """Return the numbers of all that a stranger may see."""
        with self._ledger.db.session() as session:
            games = sorted(visibility.all_games(session, None, self._usual))
            leagues = (LeagueId(one.id) for one in visibility.leagues(session, None, self._usual))
            return PublicNumbers(tuple(games), tuple(leagues), tuple(accounts.public(session)))

    def audit(self, who: PlayerId | None) -> PublicAudit:
        """Return the keys and the newest checkpoints, which are for everybody. Keys that this process may not read are left out."""
        with self._ledger.db.read() as conn, conn.session() as session:
            found = tuple(checkpoints.latest(conn, CHECKPOINTS))
            reader = self._reader(session, who)
        try:
            keys = verifying(self._settings)
        except ConfigError:
            keys = [verification_key(text) for text in self._settings.audit.verification_keys]
        return PublicAudit(reader, tuple(keys), found)

    def checkpoint(self, size: int) -> Stored:
        """Return the newest checkpoint of so many events. Raises NotFound if there is none."""
        with self._ledger.db.read() as conn:
            found = checkpoints.of_size(conn, size)
        if found is None:
            raise NotFound(say("There is no checkpoint of that size."))
        return found

    def game(self, who: PlayerId | None, number: GameId) -> PublicGame:
        """Return a game. Raises NotFound unless there is one that `who` may see."""
        now = self._clock()
        with self._ledger.db.read() as conn, conn.session() as session:
            reader = self._reader(session, who)
            seen = visibility.game(session, reader.who, self._usual, number)
            if seen is None:
                raise nothing_to_see()
            games = self._ledger.games
            state = games.known_to(conn, number, reader.who, now)
            history = games.history(conn, number, state.version)
            told = told_end(history, state, state.seat_of(reader.who) if reader.who is not None else None)
            if seen.relation is not Relation.SEAT:
                state, history = _without_words(state, history)
            at_table = {*asked(row.event for row in history), *state.everybody}
            met = _listed(session, visibility.meetings(session, reader.who, self._usual, state.players, besides=number, most=MEETINGS))
            everybody = at_table.union(*(one.players for one in met))
            people = _named(session, reader, everybody, at_table if seen.relation is Relation.SEAT else ())
            in_league = seen.league is not None
            record = records.record(
                conn, number, state, history[: told.last.version], site=self._settings.site.domain, names=people.names, league=in_league
            )
            if state.result is None:
                # With all of one hash, somebody could try out whether the next one has conditional moves between.
                record = replace(record, digest=None)
            place = self._leagues.contexts.game(conn, number) if in_league else None
            beside = visibility.beside(session, reader.who, self._usual, number) if in_league else (None, None)
            return PublicGame(number, reader, now, seen.relation, state, history, told, people, place, seen.league, record, met, beside)

    def leagues(self, who: PlayerId | None) -> PublicLeagues:
        """Return all leagues that `who` may see."""
        with self._ledger.db.session() as session:
            reader = self._reader(session, who)
            return PublicLeagues(reader, tuple(visibility.leagues(session, reader.who, self._usual)))

    def league(self, who: PlayerId | None, number: LeagueId, season: int | None = None) -> PublicLeague:
        """Return a league, or how a season left it. Raises NotFound unless there is one that `who` may see."""
        with self._ledger.db.read() as conn, conn.session() as session:
            reader = self._reader(session, who)
            if visibility.league(session, reader.who, self._usual, number) is None:
                raise nothing_to_see()
            state = self._leagues.load(conn, number).state
            seasons, organises = state.seasons, reader.who in state.roles
            if season not in (None, seasons):
                state = folds.at_season(folds.history(conn, number), season)
            company = folds.company(state, reader.who) if reader.who is not None else set[PlayerId]()
            people = _named(session, reader, folds.known(state), company)
            if not company and not organises:
                state = replace(state, season=_without_reasons_of_penalties(state.season))
            played = [one.game for one in state.season.fixtures if one.game is not None] if state.season is not None else []
            games = frozenset(visibility.games(session, reader.who, self._usual, played))
            time = state.time or self._settings.play.time
            return PublicLeague(number, reader, self._clock(), state, seasons, time, people, games)

    def player(self, who: PlayerId | None, number: PlayerId, before: int | None = None) -> PublicPlayer:
        """Return a player, with their games that ended and have numbers below `before`.

        Raises NotFound unless there is one who lets themself be seen. Everybody may see themself.
        """
        with self._ledger.db.read() as conn, conn.session() as session:
            reader = self._reader(session, who)
            row = accounts.account(session, number)
            if row is None or not (accounts.has_page(row) or reader.who == number):
                raise nothing_to_see()
            running = visibility.games_of(session, reader.who, self._usual, number, ended=False, most=MOST_GAMES)
            ended = visibility.games_of(session, reader.who, self._usual, number, ended=True, most=MOST_GAMES + 1, before=before)
            more = ended[MOST_GAMES - 1].row.id if len(ended) > MOST_GAMES else None
            going_on, over = (_listed(session, some) for some in (running, ended[:MOST_GAMES]))
            players = {number, *(player for one in (*going_on, *over) for player in one.players)}
            people = _named(session, reader, players)
            return PublicPlayer(
                number,
                reader,
                reader.who == number,
                accounts.has_page(row),
                reader.who not in (None, number) and people.names[number] == row.name,
                people,
                self._ledger.games.tally(conn, number, reader.who, self._clock()),
                {key: ratings.history(conn, key, number) for key in accounts.rated(session, number)},
                going_on,
                over,
                more,
                tuple(visibility.results_of(session, reader.who, self._usual, number)),
            )

    def levels(self, what: What, numbers: Collection[int]) -> dict[int, Level]:
        """Return the levels that an admin has given some games or leagues, by number. For those without, league or settings say it."""
        with self._ledger.db.session() as session:
            return visibility.levels(session, what, numbers)

    def league_of(self, game: int) -> LeagueId | None:
        """Return the league that a game belongs to; None if it belongs to none."""
        with self._ledger.db.session() as session:
            return visibility.league_of(session, game)

    def show_to(self, what: What, number: int, level: Level | None) -> None:
        """Give a game or a league a level, or None to have it follow its league or the settings again. Raises NotFound."""

        def work(tx: Transaction) -> None:
            # looked at first, so that there is no level of what there is not
            if what == "game":
                self._ledger.games.history(tx, GameId(number))
            else:
                self._leagues.load(tx, LeagueId(number))
            visibility.show_to(tx, what, number, level)

        self._ledger.attempt(work)

    def _reader(self, session: Session, who: PlayerId | None) -> Reader:
        row = accounts.account(session, who) if who is not None else None
        if row is None:
            return Reader(None, self._settings.site.language, self._settings.site.zone)
        return Reader(who, row.language, row.zone)


def nothing_to_see() -> NotFound:
    """Return the one refusal of what there is not and of what somebody may not see."""
    return NotFound(say("There is nothing here that you may see. If you play here, sign in: some pages are for players only."))


def _named(session: Session, reader: Reader, players: Collection[PlayerId], company: Collection[PlayerId] = ()) -> Named:
    """Return the names of players on a page. Those of the `company` share with the reader what the page shows."""
    known = accounts.met(session, reader.who).union(company) if reader.who is not None else frozenset()
    rows = accounts.accounts(session, players)
    names = {PlayerId(row.id): shown(row, met=row.id in known) for row in rows}
    return Named(names, frozenset(PlayerId(row.id) for row in rows if accounts.has_page(row)))


def _without_words(state: GameState, history: Sequence[Recorded[GameEvent]]) -> tuple[GameState, list[Recorded[GameEvent]]]:
    """Return a game without the reasons that its organisers wrote, since these may name anybody. Those of rules and leagues stay."""
    result = state.result
    if result is not None and result.by in views.BY_HAND and not reasons.is_ours(result.reason):
        state = replace(state, result=replace(result, reason=""))
    return state, [row._replace(event=_without_reason(row.event)) for row in history]


def _without_reason(event: GameEvent) -> GameEvent:
    reason: object = getattr(event, "reason", "")
    by_rules = isinstance(event, GameEnded) and event.by not in views.BY_HAND
    # the reason for which a plan ends is none of these texts
    written = type(reason) is str and reason and not by_rules and not reasons.is_ours(reason)
    return replace(event, reason="") if written else event


def _without_reasons_of_penalties(season: Season | None) -> Season | None:
    return season and replace(
        season, penalties={line: tuple(one._replace(reason="") for one in those) for line, those in season.penalties.items()}
    )


def _listed(session: Session, seen: Iterable[SeenGame]) -> tuple[ListedGame, ...]:
    games = tuple(seen)
    seats = accounts.seats(session, [GameId(one.row.id) for one in games])
    return tuple(ListedGame(one, tuple(PlayerId(seat.player) for seat in seats if seat.game == one.row.id)) for one in games)
