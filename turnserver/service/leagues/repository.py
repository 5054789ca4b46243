"""Leagues: load, decide, append, as `Ledger` does it for games.

A league hears of its games late: whoever ends a game notes that beside the log (`store.leagues.views.note`). So a league is loaded
together with the news of its games, every decision is made on both, and whoever writes to the league writes the news too. The league's
decisions about its games happen in the same transaction, games in the order of their numbers and the league last.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Final, TypeAlias

from turnserver.config import Settings
from turnserver.errors import BadOption, Conflict, NotAllowed, SecretLost, SomeRefused
from turnserver.ids import GameId, LeagueId, PlayerId, Recorded, Version, league_stream, player_of
from turnserver.league import commands as c
from turnserver.league import rights
from turnserver.league.decide import decide
from turnserver.league.events import LeagueEvent, WordsSent
from turnserver.league.evolve import fold
from turnserver.league.guards import before_start
from turnserver.league.scoring.lots import Lots
from turnserver.league.state import LeagueState, Phase
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.notices.league import league_notices, words_sent
from turnserver.outside import Clock
from turnserver.play.chance import SECRET_BYTES
from turnserver.service.fold_cache import FoldCache
from turnserver.service.games.absences import with_vacations
from turnserver.service.games.folds import Decision
from turnserver.service.games.ledger import Ledger
from turnserver.service.games.terms import league_terms
from turnserver.service.leagues.contexts import LeagueContexts
from turnserver.service.leagues.folds import REMEMBERED, GameNews, LeagueAt, LeagueDecision, history, known
from turnserver.service.leagues.games import consequences, tables
from turnserver.service.leagues.news import heard
from turnserver.service.leagues.ratings import in_time, rating_of, ratings
from turnserver.service.leagues.reports import reports
from turnserver.service.request import Request
from turnserver.store import refusals
from turnserver.store.games import views
from turnserver.store.leagues import results
from turnserver.store.leagues import views as leagues
from turnserver.store.leagues.views import Meeting
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import say

MAX_NAME: Final = 60

_Steps: TypeAlias = list[tuple[LeagueDecision, Request]]
_Whom: TypeAlias = Callable[[Transaction, LeagueAt], Iterable[Person]]
_Make: TypeAlias = Callable[[Transaction, LeagueAt, Person], c.LeagueCommand]
"""Decisions about one league, each made on the state after the one before."""


class Leagues:
    """The leagues of one database, and their `contexts` for mails and pages. Threads may share it."""

    def __init__(self, ledger: Ledger, settings: Settings, clock: Clock) -> None:
        """Keep the leagues beside the games of `ledger`."""
        self.ledger = ledger
        self.settings = settings
        self._clock = clock
        self.contexts = LeagueContexts(settings)
        self._folds = FoldCache[LeagueId, LeagueAt](REMEMBERED)

    # asking

    def open(self, command: c.OpenLeague, *, actor: str, cause: str) -> LeagueId:
        """Set up a league. Raises BadOption for settings, a game, a time control or a name that cannot be, NotAllowed for a name in use."""
        now = self._clock()
        name = check_name(command.name)
        game = self.ledger.find(command.game, **command.options)
        # Called for its refusal: else a time control that cannot be would show only when the first game is opened.
        league_terms(self.settings, command.time, now.date())
        whole = c.OpenLeague(name, command.game, asdict(game.options), command.settings, command.time)

        def work(tx: Transaction) -> LeagueId:
            opened = _opened(*self._numbered(tx), whole, now)
            self.write(tx, opened, Request(actor, cause, now))
            return opened.league

        return self.ledger.attempt(work)

    def change(self, league: LeagueId, command: c.ChangeSettings, *, actor: str, cause: str) -> LeagueDecision:
        """Change the settings of the next seasons. Raises Refusal, and BadOption for an impossible time control."""
        if command.time is not None:
            # Called for its refusal.
            league_terms(self.settings, command.time, self._clock().date())
        return self.handle(league, command, actor=actor, cause=cause)

    def rename(self, league: LeagueId, name: str, reason: str, *, actor: str, cause: str) -> LeagueDecision:
        """Give a league another name. Raises BadOption for a name that cannot be, and NotAllowed for one in use."""
        return self.handle(league, c.RenameLeague(check_name(name), reason), actor=actor, cause=cause)

    def split(self, league: LeagueId, name: str, who: Sequence[PlayerId], *, actor: str, cause: str) -> LeagueId:
        """Open a league of that name like another one, for players who have entered its next season: they are in the new one instead.

        Its season is announced with the same dates. Raises Refusal, and then nothing has changed.
        """
        name = check_name(name)

        def work(tx: Transaction) -> LeagueId:
            there, lots = self._numbered(tx)
            here, begun = self._splitting(tx, league, (name, who), (there, lots), Request(actor, cause, self._clock()))
            self._write_all(tx, here)
            self._write_all(tx, begun)
            return there

        return self.ledger.attempt(work)

    def preview_split(self, league: LeagueId, name: str, who: Sequence[PlayerId], *, actor: str) -> list[LeagueDecision]:
        """Decide what `split` would do now, in both leagues, and write nothing. Raises Refusal."""
        name = check_name(name)
        with self.ledger.db.read() as conn:
            leagues.require_free(conn, name)
            # No number and no secret is given out for a league that is only talked about.
            nowhere = LeagueId(0), Lots(bytes(SECRET_BYTES))
            here, begun = self._splitting(conn, league, (name, who), nowhere, Request(actor, "", self._clock()))
        return [decision for decision, _ in (*here, *begun)]

    def _splitting(
        self, conn: Transaction, league: LeagueId, into: tuple[str, Sequence[PlayerId]], new: tuple[LeagueId, Lots], request: Request
    ) -> tuple[_Steps, _Steps]:
        """Decide what happens in a league that is split, and in the new one, of that name and for these players."""
        (name, who), (there, lots), at = into, new, self.load(conn, league)
        season, coming = before_start(at.state), at.state.for_next
        leaving = [c.Withdraw(player) for player in dict.fromkeys(who)]
        here = self._steps(league, at, leaving, request)
        ratings = {entry.player: entry.rating for entry in season.entries}
        like = c.OpenLeague(name, at.state.game, at.state.options, coming.settings, coming.time)
        opened = _opened(there, lots, like, request.now)
        commands: list[c.LeagueCommand] = [
            c.AnnounceSeason(season.entries_until, {}, season.starts_at),
            *(c.Enter(one.player, ratings[one.player], by_admin=True) for one in leaving),
        ]
        begun = self._steps(there, LeagueAt(opened.after, b"", lots, opened.after), commands, request)
        return here, [(opened, request._replace(cause=f"{request.cause}/0")), *begun]

    def merge(self, league: LeagueId, other: LeagueId, reason: str, *, actor: str, cause: str) -> None:
        """Enter the players of another league into the announced season of a league, and archive the other one.

        They are those who have entered its announced season, which is dropped, or else those who would be in its next one. Raises Refusal,
        and then nothing has changed.
        """

        def work(tx: Transaction) -> None:
            for steps in filter(None, self._merging(tx, league, other, reason, Request(actor, cause, self._clock()))):
                self._write_all(tx, steps)

        self.ledger.attempt(work)

    def preview_merge(self, league: LeagueId, other: LeagueId, reason: str, *, actor: str) -> list[LeagueDecision]:
        """Decide what `merge` would do now, in both leagues, and write nothing. Raises Refusal."""
        with self.ledger.db.read() as conn:
            ended, entered = self._merging(conn, league, other, reason, Request(actor, "", self._clock()))
        return [decision for decision, _ in (*ended, *entered)]

    def _merging(self, conn: Transaction, league: LeagueId, other: LeagueId, reason: str, request: Request) -> tuple[_Steps, _Steps]:
        """Decide what happens in the league that ends, and in the one that takes its players; nothing if it has them all."""
        at, gone = self.load(conn, league), self.load(conn, other)
        there = {entry.player for entry in before_start(at.state).entries}
        past = gone.state.season
        if past is not None and past.phase is not Phase.CLOSED:
            coming = [entry.player for entry in before_start(gone.state).entries]
            ending: list[c.LeagueCommand] = [c.DropSeason(reason)]
        else:
            coming, ending = [line.player for table in gone.state.last for line in table.lines if not line.left], []
        entering = (self.entry(conn, at, people.player(conn, player), by_admin=True) for player in coming if player not in there)
        ended = self._steps(other, gone, [*ending, c.ArchiveLeague(reason)], request)
        return ended, self._steps(league, at, entering, request)

    def _numbered(self, tx: Transaction) -> tuple[LeagueId, Lots]:
        """Take a number for a new league, and keep its secret."""
        league, secret = LeagueId(log.next_number(tx, "league")), self.ledger.entropy(SECRET_BYTES)
        keyring.keep(tx, league_stream(league), secret)
        return league, Lots(secret)

    def _steps(self, league: LeagueId, at: LeagueAt, commands: Iterable[c.LeagueCommand], request: Request) -> _Steps:
        """Decide commands one after another. Each is a decision with a cause of its own, as the audit decides it again."""
        found = []
        for number, command in enumerate(commands, 1):
            decision = self._asked(league, at, command, request)
            found.append((decision, request._replace(cause=f"{request.cause}/{number}")))
            at = at.after(decision)
        return found

    def announce(
        self, league: LeagueId, until: datetime | None, starts_at: datetime | None = None, *, actor: str, cause: str
    ) -> LeagueDecision:
        """Let players enter the next season, until an instant or until it is started, perhaps at an instant by itself. Raises Refusal."""
        return self._act(league, lambda tx, at: c.AnnounceSeason(until, self.ratings(tx, at.state), starts_at), actor, cause)

    def enter(self, league: LeagueId, who: str, *, by_admin: bool, actor: str, cause: str) -> LeagueDecision:
        """Enter the player with that number, name or address. Raises Refusal."""
        return self._act(league, lambda tx, at: self.entry(tx, at, people.find_player(tx, who), by_admin=by_admin), actor, cause)

    def enter_all(self, league: LeagueId, who: Sequence[str], *, actor: str, cause: str) -> LeagueDecision:
        """Enter several players for an admin, in that order: all of them or, with SomeRefused, none. A player named twice enters once.

        Raises NotFound for a name that is not known.
        """
        return self._act_for_all(
            league,
            _called(who),
            lambda tx, at, person: self.entry(tx, at, person, by_admin=True),
            actor,
            cause,
        )

    def admit_all(
        self, league: LeagueId, who: Sequence[str], past: c.Past, division: str | None, reason: str, *, actor: str, cause: str
    ) -> LeagueDecision:
        """Let several players into a running season, in that order: all of them or, with SomeRefused, none.

        Raises NotFound for a name or a division that is not known.
        """
        return self._act_for_all(league, *self._admitting(who, past, division, reason), actor, cause)

    def preview_admit_all(
        self, league: LeagueId, who: Sequence[str], past: c.Past, division: str | None, reason: str, *, actor: str
    ) -> LeagueDecision:
        """Decide what `admit_all` would do now, and write nothing. Raises what it raises."""
        with self.ledger.db.read() as conn:
            return self._decide_for_all(conn, league, *self._admitting(who, past, division, reason), Request(actor, "", self._clock()))[0]

    def _admitting(self, who: Sequence[str], past: c.Past, division: str | None, reason: str) -> tuple[_Whom, _Make]:
        def make(tx: Transaction, at: LeagueAt, person: Person) -> c.LeagueCommand:
            return c.Admit(person.id, self.entry(tx, at, person, by_admin=True).rating, reason, past, division)

        return _called(who), make

    def confirm_all(self, league: LeagueId, who: Sequence[str] | None, *, actor: str, cause: str) -> LeagueDecision:
        """Say of several players that they are there, or of everybody who has not said so if `who` is None.

        It is said of all of them or, with SomeRefused, of none.

        Raises NotFound for a name that is not known, and NotAllowed (`already_ready`) if everybody has said so.
        """

        def missing(tx: Transaction, at: LeagueAt) -> Iterator[Person]:
            entries = at.state.season.entries if at.state.season is not None else ()
            return (people.player(tx, one.player) for one in entries if not one.ready)

        return self._act_for_all(
            league,
            missing if who is None else _called(who),
            lambda _tx, _at, person: c.Confirm(person.id),
            actor,
            cause,
        )

    def _act_for_all(  # for whom, what, and who asks
        self,
        league: LeagueId,
        whom: _Whom,
        make: _Make,
        actor: str,
        cause: str,
    ) -> LeagueDecision:
        def work(tx: Transaction) -> LeagueDecision:
            decision, steps = self._decide_for_all(tx, league, whom, make, Request(actor, cause, self._clock()))
            self._write_all(tx, steps)
            return decision

        return self.ledger.attempt(work)

    def _decide_for_all(
        self, tx: Transaction, league: LeagueId, whom: _Whom, make: _Make, request: Request
    ) -> tuple[LeagueDecision, _Steps]:
        """Return all decisions as one, and each by itself."""
        at = self.load(tx, league)
        so_far, steps = at, _Steps()
        refused: dict[str, NotAllowed] = {}
        for person in {person.id: person for person in whom(tx, at)}.values():
            try:
                # every refusal is collected, so that an admin does not hear of one after another
                decision = self._asked(league, so_far, make(tx, so_far, person), request)
            except NotAllowed as refusal:
                refused[person.name] = refusal
            else:
                # each is a decision with a cause of its own, as the audit decides it again
                steps.append((decision, request._replace(cause=f"{request.cause}/{person.id}")))
                # The first decision has the news of games; the next one is made on the league with that written.
                so_far = so_far.after(decision)
        if refused:
            raise SomeRefused(refused)
        if not steps:
            raise NotAllowed("already_ready", "Everybody has answered already.")
        events = tuple(event for decision, _ in steps for event in decision.events)
        return LeagueDecision(league, at.stored, events, so_far.state, at.head, at.heard), steps

    def start(self, league: LeagueId, *, ask: bool = True, actor: str, cause: str) -> LeagueDecision:
        """End the entries: begin the ready check, unless nobody is to be asked, or the season. Raises Refusal."""
        return self._act(league, lambda tx, at: c.StartSeason(self.ratings(tx, at.state), ask=ask), actor, cause)

    def check(self, league: LeagueId, *, actor: str, cause: str) -> LeagueDecision:
        """Do what is due now. Raises NotAllowed (`nothing_due`)."""
        return self._act(league, self.due, actor, cause)

    def preview(self, league: LeagueId, command: c.LeagueCommand, *, actor: str) -> LeagueDecision:
        """Decide a command as it would be decided now, and write nothing. Raises Refusal."""
        with self.ledger.db.read() as conn:
            return self._asked(league, self.load(conn, league), command, Request(actor, "", self._clock()))

    def handle(self, league: LeagueId, command: c.LeagueCommand, *, actor: str, cause: str) -> LeagueDecision:
        """Carry out any other command. Raises Refusal, and then nothing has changed."""
        return self._act(league, lambda _tx, _at: command, actor, cause)

    def _act(self, league: LeagueId, make: Callable[[Transaction, LeagueAt], c.LeagueCommand], actor: str, cause: str) -> LeagueDecision:
        def work(tx: Transaction) -> LeagueDecision:
            request, at = Request(actor, cause, self._clock()), self.load(tx, league)
            return self.write(tx, self._asked(league, at, make(tx, at), request), request)

        return self.ledger.attempt(work)

    def send_words(self, league: LeagueId, words: str, command: c.SendWords, *, actor: str, cause: str) -> LeagueDecision:
        """Write to the players whom a command names; its digest is that of the `words`. Raises Refusal, and then nobody gets a mail."""

        def work(tx: Transaction) -> LeagueDecision:
            request = Request(actor, cause, self._clock())
            decision = self._asked(league, self.load(tx, league), command, request)
            mails = [mail for event in decision.own if isinstance(event, WordsSent) for mail in words_sent(event, words)]
            return self.write(tx, decision, request, mails)

        return self.ledger.attempt(work)

    def _asked(self, league: LeagueId, at: LeagueAt, command: c.LeagueCommand, request: Request) -> LeagueDecision:
        """Decide a request. Refuses (`no_right`) that of a player who has no role that allows it as the league stands."""
        player = player_of(request.actor)
        if player is not None:
            rights.require(at.state, player, command)
        return self.decide(league, at, command, request.now)

    # looking

    def find(self, text: str) -> LeagueId:
        """Return the league that `3`, `league-3` or a name stands for. Raises NotFound."""
        with self.ledger.db.read() as conn:
            return leagues.find(conn, text)

    def state(self, league: LeagueId) -> LeagueState:
        """Return the league as it is, with everything that its games have come to. Raises NotFound."""
        with self.ledger.db.read() as conn:
            return self.load(conn, league).state

    def states(self) -> dict[LeagueId, LeagueState]:
        """Return all leagues as they are, in the order of their numbers, with the results of all their games.

        Asks once for all of them, and once more for each league that has not heard of some game yet.
        """
        with self.ledger.db.read() as conn:
            behind = frozenset(leagues.changed(conn))
            return {
                league: self.load(conn, league).state if league in behind else fold(row.event for row in rows)
                for league, rows in leagues.histories(conn).items()
            }

    def history(self, league: LeagueId) -> list[Recorded[LeagueEvent]]:
        """Return every event of a league. Raises NotFound."""
        with self.ledger.db.read() as conn:
            return history(conn, league)

    def names(self, state: LeagueState) -> dict[PlayerId, str]:
        """Return the names of all players whom a league knows of."""
        with self.ledger.db.read() as conn:
            return people.names(conn, sorted(known(state)))

    # inside a transaction

    def load(self, conn: Transaction, league: LeagueId) -> LeagueAt:
        """Return the league as it is now. Raises NotFound.

        Without its secret, or with another one than it has committed to, it can be looked at, but hears nothing of its games.
        """
        cached = self._folds.get(league)
        newer = log.load(conn, league_stream(league), after=cached.stored.version if cached else Version(0))
        if newer:
            state = fold((row.event for row in newer), cached.stored if cached else None)
            cached = LeagueAt(state, newer[-1].hash, cached.lots if cached else None, state)
        if cached is None:
            raise refusals.no_league(str(league))
        lost = cached.waits_for_secret
        if lost:
            # Asked for at every look, since it may be restored while the service runs.
            secret = keyring.of_stream(conn, league_stream(league))
            cached = cached._replace(lots=Lots(secret) if secret is not None else None)
        if newer or lost:
            self._folds.put(league, cached)
        if cached.lots is None or cached.waits_for_secret:
            return cached
        # Not remembered with the rest: the news changes without a new version of the league.
        news = heard(conn, self.ledger, league, cached.stored, cached.lots)
        return cached._replace(state=fold(news.events, cached.stored), heard=news)

    def deadline(self, conn: Transaction, game: GameId) -> datetime | None:
        """Return when the league of a game wants it to be over. None if it belongs to no league, or to a season that is past."""
        meeting = leagues.meeting_of(conn, game)
        season = self.load(conn, meeting.league).state.season if meeting is not None else None
        if meeting is None or season is None or season.number != meeting.season:
            return None
        return season.fixtures[meeting.meeting - 1].deadline

    @staticmethod
    def decide(league: LeagueId, at: LeagueAt, command: c.LeagueCommand | None, now: datetime) -> LeagueDecision:
        """Decide a command on a league as it was loaded, or, without a command, only the news of its games. Writes nothing.

        Raises Refusal, and SecretLost if the secret that lots come from is missing.
        """
        if at.lots is None:
            raise SecretLost(f"The secret of league {league} is lost. Restore it from a backup.")
        own = decide(at.state, command, now, at.lots) if command is not None else ()
        return LeagueDecision(league, at.stored, (*at.heard.events, *own), fold(own, at.state), at.head, at.heard)

    def write(self, tx: Transaction, decision: LeagueDecision, request: Request, told: Sequence[Notice] = ()) -> LeagueDecision:
        """Write a decision and what follows from it for games: views, mails (with those in `told`), events. Nothing may follow it.

        Raises Conflict if the league or one of these games has moved on since, AlreadyDone if the same request was written before, and
        Refusal if a game refuses what follows.
        """
        self._write_all(tx, [(decision, request)], told)
        return decision

    def _write_all(self, tx: Transaction, steps: Sequence[tuple[LeagueDecision, Request]], told: Sequence[Notice] = ()) -> None:
        """Do what `write` does for several decisions, each made on the state after the one before."""
        (first, _), (last, _) = steps[0], steps[-1]
        # Before anything else, so that the games of the news stay as they were read.
        self._hear(tx, first.heard)
        games = [(one, request) for decision, request in steps for one in consequences(tx, self.ledger, decision, request)]
        for one, request in games:
            self.ledger.prepare(tx, one, request)
        season = last.after.season
        decided = {fixture.game for fixture in season.fixtures if fixture.marks} if season is not None else frozenset()
        # Their flags were set just now; but what the league itself has decided is no news to it.
        leagues.carried(tx, [one.game for one, _ in games if one.game in decided])
        for decision, request in steps:
            self.prepare(tx, decision, request, told if decision is first else ())
        # The log comes last: games in the order of their numbers, then the league.
        for one, request in games:
            self.ledger.append(tx, one, request)
        head = first.head
        for decision, request in steps:
            # Only the first decision knows the hash that it follows: the others were made before the one before them was written.
            head = self.append(tx, decision._replace(head=head), request)

    def write_opening(self, tx: Transaction, decision: LeagueDecision, game: Decision, meeting: Meeting, request: Request) -> None:
        """Write a decision like `write`, for the game of a meeting that is opened and attached at once."""
        self._hear(tx, decision.heard)
        whole = with_vacations(tx, game, game.sitting_down(), request.now)
        self.ledger.prepare(tx, whole, request, opened_by=decision.league)
        leagues.attach(tx, game.game, meeting)
        if whole.after.result is not None:  # chance alone has decided it
            leagues.note(tx, game.game)
        self.prepare(tx, decision, request)
        self.ledger.append(tx, whole, request)
        self.append(tx, decision, request)

    def prepare(self, tx: Transaction, decision: LeagueDecision, request: Request, told: Sequence[Notice] = ()) -> None:
        """Do the part of `write` that is rows and mails of the league itself."""
        leagues.save(tx, decision.league, decision.before, decision.after, opened_at=request.now if decision.before is None else None)
        results.save(tx, decision.league, decision.before, decision.events)
        about = decision.league, decision.after.version
        # What somebody does by a command on a terminal is answered there.
        by = None if request.cause.startswith("cli:") else player_of(request.actor)
        news = league_notices(decision.before, decision.events, decision.after, by=by)
        self.ledger.post.queue(tx, (*told, *news, *reports(tx, decision, request, self.settings.site.admin)), request, league=about)

    @staticmethod
    def append(tx: Transaction, decision: LeagueDecision, request: Request) -> bytes | None:
        """Write the events of a decision to the log; return the last hash. Raises Conflict, AlreadyDone."""
        stream, version, head = league_stream(decision.league), decision.before.version if decision.before else Version(0), decision.head
        count = len(decision.heard.events)
        # Nobody has asked for the news of games, so they are the doing of the service, with a cause of their own.
        service = request._replace(actor="service", cause=f"{request.cause}:results")
        for who, events in ((service, decision.events[:count]), (request, decision.own)):
            rows = log.append(tx, stream, version, events, at=who.now, actor=who.actor, cause=who.cause, previous=head)
            if rows:
                version, head = rows[-1].version, rows[-1].hash
        return head

    @staticmethod
    def _hear(tx: Transaction, news: GameNews) -> None:
        # Raises Conflict if one of the games has changed since it was read, so that no result is lost.
        leagues.carried(tx, [game for game, _ in news.games])  # from here on, whoever changes one of them waits for us
        for game, version in news.games:
            if views.game_row(tx, game).version != version:
                raise Conflict(f"game {game} has changed meanwhile")

    def entry(self, conn: Transaction, at: LeagueAt, person: Person, *, by_admin: bool = False) -> c.Enter:
        """Return the command that enters a player, with their rating and reliability. Refuses (`unsubscribed`) one who wants no mail."""
        if not person.preferences.subscribed:
            raise NotAllowed("unsubscribed", say("{name} doesn't want mail at the moment, so they can't enter a league.", name=person.name))
        rating = rating_of(conn, at.state.game, person.id, self._clock()).rating
        return c.Enter(person.id, rating, in_time(conn, person.id), by_admin)

    def due(self, conn: Transaction, at: LeagueAt) -> c.CheckLeague:
        """Return the command to do what is due, with what has to be known for it."""
        season = at.state.season
        if season is None:
            return c.CheckLeague(self.ratings(conn, at.state))
        # Whoever has the turn at the deadline of a round may forfeit, and only the games know who that is.
        playing = tables(conn, self.ledger, season)
        turns = {game: one.turn for game, one in playing.items() if one.turn is not None}
        return c.CheckLeague(self.ratings(conn, at.state), turns, {game: one.left for game, one in playing.items()})

    def ratings(self, conn: Transaction, state: LeagueState) -> dict[PlayerId, float]:
        """Return the present ratings of all players in the game of a league."""
        return {player: rating.rating for player, rating in ratings(conn, state.game, self._clock())}


def _called(who: Sequence[str]) -> _Whom:
    """Return what finds the players with these numbers, names or addresses."""
    return lambda tx, _at: (people.find_player(tx, one) for one in who)


def _opened(league: LeagueId, lots: Lots, command: c.OpenLeague, now: datetime) -> LeagueDecision:
    events = decide(None, command, now, lots)
    return LeagueDecision(league, None, events, fold(events), None)


def check_name(name: str) -> str:
    """Return the name of a league without spaces around it. Raises BadOption for one that nobody could ask for."""
    name = name.strip()
    # Leagues are also called by their numbers, `3` or `league-3`.
    if not name or len(name) > MAX_NAME or not name.isprintable() or name.casefold().removeprefix("league-").isdigit():
        raise BadOption(say("The name of a league is one line of 1 to {most} characters, and not a number.", most=MAX_NAME))
    return name
