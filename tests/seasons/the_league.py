"""A league of many divisions over several seasons, played on a real database through the service, by players with habits.

Every game is opened, played and ended as any other: by turns, by resigning, by an admin's word, or by nobody coming until time is up.
Players withdraw, are replaced in the league or in a single game, and admins correct results and take them back. Sweeps are done by two
processes at once, or by one that is killed at some statement. Everything is drawn from one seed.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from tests.seasons.recount import Recount
from tests.store.child import mortal
from turnserver import games
from turnserver.audit.league import leagues
from turnserver.config import Jobs, Play, Settings, Site
from turnserver.errors import AlreadyDone, Refusal
from turnserver.ids import Burden, GameId, LeagueId, PlayerId, league_stream
from turnserver.league import commands
from turnserver.league.events import Role
from turnserver.league.evolve import fold
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.ratings import ratings as rate
from turnserver.league.settings import Approval, Pace, TierSize
from turnserver.league.settings import Settings as LeagueSettings
from turnserver.league.state import Fixture, Phase, Season
from turnserver.play import commands as c
from turnserver.play.state import GameState, Status
from turnserver.rules import Seat
from turnserver.service import keys
from turnserver.service.service import Service
from turnserver.store.leagues import ratings, results
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

BEGIN = datetime(2027, 1, 1, 8, tzinfo=UTC)
STEP = timedelta(hours=9)
SETTINGS = Settings(
    site=Site(address="turns@club.example"),
    play=Play(time="3d", reminders=(), grace_hours=0, correction_minutes=0, receipts=0, undelivered="count"),
    jobs=Jobs(outage_minutes=60 * 24),
)
EACH = 0.05
"""The chance, for each division and step, that a player withdraws or is replaced, or that a result is corrected."""
CORRECTIONS = (Mark.WIN, Mark.DRAW, Mark.LOSS, Mark.ANNULLED)


class Played:
    """A league of `divisions` of eight, and so many seasons of it."""

    def __init__(self, path: str, divisions: int, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # no secret
        self.url = f"sqlite:///{path}"
        self.path = path
        self.now = BEGIN
        self.figures: Counter[str] = Counter()
        self.numbers = 0
        self.most = divisions + 2
        self.moved: dict[PlayerId, str] = {}
        Database.create_or_upgrade(self.url).close()
        self.databases = [Database.connect(self.url) for _ in range(2)]
        with self.databases[0].write() as tx:
            keys.ensure(tx, lambda size: b"k" * size)
        self.restart()
        self.players = [self.register(f"P{number}") for number in range(1, 8 * divisions + 1)]
        self.reserve = [self.register(f"R{number}") for number in range(1, 4 * divisions + 1)]
        self.ghosts: set[PlayerId] = set()
        self.league = self.open(divisions)
        self.directors = [self.register(f"D{number}") for number in range(1, 4)]

    def restart(self) -> None:
        """Processes that remember nothing."""
        self.services = [self.process(db) for db in self.databases]

    def process(self, db: Database) -> Service:
        return Service(db, SETTINGS, clock=lambda: self.now, lot=tuple, entropy=lambda size: bytes(range(size)))

    def close(self) -> None:
        for db in self.databases:
            db.close()

    def register(self, name: str) -> PlayerId:
        return self.services[0].people.add(name, f"{name}@club.example", actor="admin:test", cause=f"test:{name}").id

    def open(self, divisions: int) -> LeagueId:
        """Tiers of one division, then of two, four, eight; the last one takes who remains."""
        sizes = [count for count in (1, 2, 4, 8, 16) if count <= divisions]
        tiers = tuple(TierSize(size=8, divisions=count, moves=2 * count if count == 1 else count) for count in sizes)
        settings = LeagueSettings(
            pace=Pace.TOGETHER, at_once=4, round_days=60, next_days=3, entry_days=2, tiers=tiers, approve=tuple(Approval), approve_hours=36
        )
        command = commands.OpenLeague("Winter", "take", {"size": 3}, settings, "3d")
        return self.services[0].leagues.open(command, actor="admin:test", cause="test:league")

    # the course of the seasons

    def run(self, seasons: int) -> None:
        """Everything, to the end of the last season."""
        leagues = self.services[0].leagues
        leagues.announce(self.league, None, actor="admin:test", cause="test:announce")
        for player in self.players:
            leagues.enter(self.league, str(player), by_admin=True, actor="admin:test", cause=f"test:enter:{player}")
        leagues.start(self.league, actor="admin:test", cause="test:start")
        for role, player in zip(Role, self.directors, strict=True):
            self.told(commands.GiveRole(player, role, "as they wish"), "admin:test")
        for number in range(1, seasons + 1):
            self.ghosts = set(self.random.sample(self.players, len(self.players) // 20))
            self.play(number)
            self.figures["seasons"] += 1

    def play(self, number: int) -> None:
        """A season to its end, and on to the beginning of the next one."""
        while not ((season := self.season) and season.number == number and season.phase is Phase.CLOSED):
            self.now += STEP
            if season is not None and season.phase is Phase.RUNNING:
                self.live(season)
            elif season is not None and season.phase is Phase.ENTRIES and self.random.random() < 0.1:
                later = commands.MoveSeason(self.now + timedelta(days=1), self.now + timedelta(days=2), "the hall is taken")
                self.figures["starts moved"] += self.tell(later)
            self.sweep()
        self.put_away()

    def put_away(self) -> None:
        """The league has another name each year, and is archived by mistake in some."""
        self.figures["leagues renamed"] += self.tell(commands.RenameLeague(f"Winter {self.figures['seasons'] + 1}", "another year"))
        if self.random.random() < 0.5:
            self.figures["leagues archived"] += self.tell(commands.ArchiveLeague("by mistake"))
            self.tell(commands.ArchiveLeague("it was one", archived=False))
            self.did(lambda cause: self.services[0].leagues.announce(self.league, self.now + STEP, actor="admin:test", cause=cause))

    @property
    def season(self) -> Season | None:
        return self.services[0].leagues.state(self.league).season

    def sweep(self) -> None:
        """One round of everything: by two at once, or by one that is killed on the way and then by another."""
        way = self.random.random()
        if way < 0.1:
            self.killed()
        if way > 0.8:
            with ThreadPoolExecutor(2) as threads:
                list(threads.map(lambda service: service.upkeep.sweep(), self.services))
            self.figures["sweeps by two at once"] += 1
        while any(self.services[0].upkeep.sweep()):
            pass
        self.figures["sweeps"] += 1

    def killed(self) -> None:
        """A process sweeps and is killed at some statement."""
        fatal = self.random.randrange(1, 60)
        child = os.fork()
        if child == 0:
            try:
                database, _ = mortal(self.url, fatal)
                self.process(database).upkeep.sweep()
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        self.figures["crashes" if os.WIFSIGNALED(status) else "crashes that came too late"] += 1
        self.restart()

    def live(self, season: Season) -> None:
        """Do what players and the admin do between two sweeps."""
        for fixture in season.fixtures:
            if fixture.game is not None and not fixture.marks:
                self.turn(fixture.game)
        if self.random.random() < 0.3:
            self.figures["approvals"] += self.tell(commands.Approve())
        self.stand_still(season)
        over = [fixture for fixture in season.fixtures if fixture.marks and len(fixture.players) == 2]
        if over and self.random.random() < EACH and (game := self.random.choice(over).game) is not None:
            self.ask(game, c.Reopen("by mistake"))
        for _ in season.divisions:
            if over and self.random.random() < EACH:
                self.correct(self.random.choice(over))
            if self.random.random() < EACH:
                self.withdraw(season)
            self.put_right()
            # with more, there would always be games to come
            if self.random.random() < EACH / 3 and len(season.late) < len(season.divisions):
                self.come_late()
            self.undo_entry()
            if self.random.random() < EACH:
                self.substitute(season)

    def turn(self, number: GameId) -> None:
        """Let the player who has the turn do something, or not."""
        state = self.services[0].games.state(number)
        if state.status is not Status.RUNNING or state.to_move is None:
            return
        player = state.player_at(state.to_move)
        if player in self.ghosts or self.random.random() < 0.2:
            return
        way = self.random.random()
        if way < 0.35:
            self.ask(number, c.Resign(player, self.now))
        elif way < 0.40:
            self.ask(number, c.Adjudicate((), "as agreed"))
        elif way < 0.41:
            self.ask(number, c.Adjudicate((Seat(1),), "as agreed"))
        elif way < 0.42:
            self.ask(number, c.Annul("played on another board"))
        elif way < 0.43:
            self.figures["seats taken over"] += self.take_over(number, state)
        else:
            text = "; ".join(games.house_turn(state.game, state.line.position))
            self.ask(number, c.PlayTurn(player, self.now, text))

    def take_over(self, number: GameId, state: GameState) -> bool:
        """Somebody else plays on in one game."""
        assert state.to_move is not None
        who = self.random.choice(self.reserve)
        return self.did(
            lambda cause: self.services[0].games.substitute(
                number, state.to_move or Seat(1), str(who), Burden.SEAT, "moves house", actor="admin:test", cause=cause
            )
        )

    def ask(self, number: GameId, command: object) -> None:
        """A command to a game, which may be refused."""
        done = self.did(lambda cause: self.services[0].games.handle(number, command, actor="admin:test", cause=cause))  # type: ignore[arg-type]
        self.figures[f"{type(command).__name__}{'' if done else ', refused'}"] += 1

    def did(self, work: Callable[[str], object]) -> bool:
        self.numbers += 1
        try:
            work(f"test:{self.numbers}")
        except AlreadyDone:
            return True
        except Refusal as refused:
            self.figures[f"refused: {refused.code}"] += 1
            return False
        return True

    def correct(self, fixture: Fixture) -> None:
        """An admin changes a result."""
        mark = self.random.choice(CORRECTIONS)
        command = commands.SetResult(fixture.number, (mark, OTHER_SIDE[mark]), "the mail came in time")
        self.figures["corrections"] += self.tell(command)

    def withdraw(self, season: Season) -> None:
        lines = [line for division in season.divisions for line in division.players if line not in season.withdrawn]
        self.figures["withdrawals"] += self.tell(commands.Withdraw(season.who(self.random.choice(lines))))

    def stand_still(self, season: Season) -> None:
        """The season is paused, or goes on; or it is called off by mistake, and goes on at once."""
        if season.paused_at is not None and self.random.random() < 0.2:
            self.figures["pauses"] += self.tell(commands.ResumeSeason("all are back"))
        elif season.paused_at is None and self.random.random() < EACH / 2:
            self.tell(commands.PauseSeason("the holidays"))
        elif self.random.random() < EACH / 4:
            self.figures["seasons called off"] += self.tell(commands.CancelSeason("a typo"))
            self.tell(commands.ReopenSeason("not that one"))

    def put_right(self) -> None:
        """Divisions change; a withdrawal is undone, or somebody comes into the place that was left, and its games have more time."""
        if self.random.random() < EACH / 2:
            self.divide()
        season = self.season
        if season is None or not season.withdrawn or self.random.random() > EACH:
            return
        line = self.random.choice(season.withdrawn)
        if self.random.random() < 0.6:
            self.figures["withdrawals undone"] += self.tell(commands.ReturnPlayer(season.who(line), "by mistake"))
        else:
            coming = commands.SubstitutePlayer(season.who(line), self.random.choice(self.reserve), Burden.SEAT, "by mistake")
            self.figures["places filled"] += self.tell(coming)
        fixtures = self.season.fixtures if self.season is not None else ()
        later = {one.number: self.now + timedelta(days=60) for one in fixtures if line in one.players and not one.marks}
        self.figures["deadlines moved"] += self.tell(commands.MoveDeadlines(later, "so that they can be played"))

    def divide(self) -> None:
        """A player moves to another division, some are split off, or two divisions become one; or the last of these is undone."""
        season = self.season
        if season is None or season.phase is not Phase.RUNNING:
            return
        home = {season.who(line): one for one in season.divisions for line in one.players if line not in season.withdrawn}
        way, division = self.random.random(), self.random.choice(season.divisions)
        there = [player for player in home if home[player] == division]
        if self.moved and way < 0.4:
            moves = {player: name for player, name in self.moved.items() if player in home}
            self.figures["divisions as before"] += self.tell(commands.Divide(moves, "by mistake"))
            self.moved = {}
            return
        if way < 0.8:
            moves = dict.fromkeys(self.random.sample(there, min(len(there), 1)), self.random.choice(season.divisions).name)
            kind = "players moved"
        elif way < 0.9 and len(season.divisions) < self.most:
            moves = dict.fromkeys(there[: len(there) // 2], f"{division.tier}.{self.random.randrange(2, 9)}")
            kind = "divisions split"
        else:
            moves, kind = dict.fromkeys(there, self.random.choice(season.divisions).name), "divisions merged"
        if self.tell(commands.Divide(moves, "as they wish")):
            self.figures[kind] += 1
            self.moved = {player: home[player].name for player in moves}

    def come_late(self) -> None:
        """Somebody enters while the season runs, and plays with everybody."""
        self.numbers += 1
        who = self.register(f"L{self.numbers}")
        self.figures["late entries"] += self.did(
            lambda cause: self.services[0].leagues.admit_all(
                self.league, [str(who)], commands.Past.PLAY, None, "late", actor="admin:test", cause=cause
            )
        )

    def undo_entry(self) -> None:
        """Somebody who came late is not to be there after all, unless they have played a game to its end."""
        season = self.season
        if season is not None and season.late and self.random.random() < EACH:
            command = commands.UndoAdmission(season.who(self.random.choice(season.late)), "by mistake")
            self.figures["late entries undone"] += self.tell(command)

    def substitute(self, season: Season) -> None:
        """Somebody else goes on for a player, in all of their games."""
        lines = [line for division in season.divisions for line in division.players if line not in season.withdrawn]
        player, other = season.who(self.random.choice(lines)), self.random.choice(self.reserve)
        command = commands.SubstitutePlayer(player, other, self.random.choice(list(Burden)), "went away")
        self.figures["substitutes"] += self.tell(command)

    def tell(self, command: object) -> bool:
        """A command to the league, which may be refused: by somebody who may direct it, or else by an admin."""
        self.roles()
        if self.random.random() < 0.8 and self.told(command, f"player-{self.random.choice(self.directors)}"):
            self.figures["acts of directors"] += 1
            return True
        return self.told(command, "admin:test")

    def told(self, command: object, actor: str) -> bool:
        leagues = self.services[0].leagues
        return self.did(lambda cause: leagues.handle(self.league, command, actor=actor, cause=cause))  # type: ignore[arg-type]

    def roles(self) -> None:
        """Somebody may get a role in the league, or lose it."""
        if self.random.random() < 0.2:
            kind = self.random.choice((commands.GiveRole, commands.GiveRole, commands.TakeRole))
            done = self.told(kind(self.random.choice(self.directors), self.random.choice(list(Role)), "as they wish"), "admin:test")
            self.figures["roles given or taken"] += done

    # what is looked at

    def problems(self) -> list[str]:
        """Return all that is wrong with the log, and all that differs from an independent count or from everything done anew."""
        with self.databases[0].read() as conn:
            wrong = [each.problem for each in audit.verify(conn)]
        wrong += [each.problem for each in leagues.verify(self.databases[0], self.league)]
        recount = Recount(self.path)
        self.figures["games"] = len(recount.games)
        self.figures["flags"] = sum(game.by == "time" for game in recount.games.values())
        return wrong + list(recount.differences(league_stream(self.league))) + recount.wrongs + list(self.differences())

    def differences(self) -> Iterator[str]:
        """Yield each difference between the league or a rating and its log, read again from the beginning."""
        leagues = self.services[0].leagues
        if fold(row.event for row in leagues.history(self.league)) != leagues.state(self.league):
            yield "the league is not what its log says"
        with self.databases[0].read() as conn:
            known = results.between(conn, "take", BEGIN, self.now + STEP)
            found = {player: ratings.history(conn, "take", player) for player in (*self.players, *self.reserve)}
        anew = rate("take", known)
        self.figures["results that are rated"] = len(known)
        yield from (f"player {who}: {found[who]}, not {anew.history(who)}" for who in found if found[who] != anew.history(who))
