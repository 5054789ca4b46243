"""A league from its opening to its final table, killed with SIGKILL at every statement on the way; and workers that sweep at once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import NamedTuple

import pytest

from tests.processes import start
from tests.service.leagues.acts import ACTS, PLAYOFF, SETTINGS, act
from tests.service.leagues.league_world import ADMIN, begin, lose_all, number, open_league, resign, season, sound, sweep
from tests.service.leagues.tellings import tellings
from tests.service.mortal import BETWEEN_LIVES
from tests.service.world import PEOPLE, World
from tests.shortened import shortened
from turnserver.audit.league import leagues as league_audit
from turnserver.errors import NotFound
from turnserver.ids import LeagueId, PlayerId
from turnserver.league import events as e
from turnserver.league.commands import GiveRole, SetResult, Withdraw
from turnserver.league.events import Role
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings
from turnserver.league.state import Phase
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.state import Status
from turnserver.service.mailroom.post import GATHER
from turnserver.service.service import Service
from turnserver.store.games import views
from turnserver.store.leagues import views as leagues
from turnserver.store.log import secrets
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

pytestmark = [pytest.mark.engines, pytest.mark.thorough]

STATEMENTS = 5
"""At least so many are executed for anything; a test that killed at fewer would have missed something."""

AT_A_TIME = 6
"""The number of acts of a director that one test kills, as it takes its time."""

SEASONS = 4
"""The number of seasons in which workers race."""


class Trace(NamedTuple):
    """The remains of a dead process: what happened to the league, by the names of events, and how many games there are, and over."""

    league: tuple[str, ...]
    games: int
    ended: int
    secrets: int
    listed: int

    def count(self, event: type) -> int:
        return self.league.count(event.__name__)


def trace(world: World) -> Trace:
    """Look at it. The log has to be whole, rows have to agree with it, and every game belongs to a meeting."""
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        tellings(world)
        rows = views.list_games(conn)
        games = [row.id for row in rows]
        listed = leagues.listed(conn)
        kept = sum(len(secrets.keys(conn, f"league-{each}")) for each in (1, 2))
        belonging = [game for game in games if leagues.meeting_of(conn, game)]
    try:
        history = [row.event for row in world.service.leagues.history(world.service.leagues.find("Winter"))]
    except NotFound:
        history = []
    attached = [event.game for event in history if isinstance(event, e.GameAttached)]
    assert sorted(attached) == sorted(games) == sorted(belonging)
    over = sum(row.status is Status.ENDED for row in rows)
    return Trace(tuple(type(event).__name__ for event in history), len(games), over, kept, len(listed))


def lives(world: World, url: str, action: str, every: int = 1) -> list[Trace]:
    """Return what each life of a process that does something has left behind, the last one being the one that did all.

    It is killed at each statement, or at one of so many.
    """
    seen: list[Trace] = []
    end = "killed"
    with start("league", url, str(world.directory), world.now.isoformat(), action, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(every * len(seen) + 1))
            end = process.hear()
            seen.append(trace(world))
    assert end == "done"
    assert every * len(seen) > STATEMENTS
    world.now += every * len(seen) * BETWEEN_LIVES
    return seen


def mailed(world: World, url: str, text: str, raw: Path, every: int = 1) -> list[Trace]:
    """Return the same for a process that takes a mail of Ada's, who answers the newest one that she got."""
    recipient = world.mails("Ada")[-1]["Reply-To"].addresses[0].addr_spec
    raw.write_bytes(f"From: {PEOPLE['Ada']}\nTo: {recipient}\nMessage-ID: <one@example.org>\n\n{text}\n".encode())
    seen, end = list[Trace](), "killed"
    with start("mail", url, str(world.directory), recipient, PEOPLE["Ada"], str(raw), module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(every * len(seen) + 1))
            end = process.hear()
            seen.append(trace(world))
    assert end == "done"
    assert every * len(seen) > STATEMENTS
    return seen


def steps(seen: list[Trace]) -> list[Trace]:
    """The traces that differ from those before them."""
    return [after for before, after in zip([None, *seen], seen, strict=False) if before != after]


@pytest.mark.long
def test_a_season_happens_once_wherever_its_processes_are_killed(any_world: World, database_url: str) -> None:
    """Each step leaves nothing or everything of each of its transactions, and at last every one of them has happened once."""
    world = any_world
    nothing, opened = steps(lives(world, database_url, "open"))
    assert nothing == Trace((), 0, 0, 0, 0)
    assert opened == Trace(("LeagueOpened",), 0, 0, 1, 1)
    league = world.service.leagues.find("Winter")
    world.service.leagues.announce(league, None, actor=ADMIN, cause="test:announce")
    before, entered = steps(lives(world, database_url, "enter"))
    assert (before.count(e.PlayerEntered), entered.count(e.PlayerEntered)) == (0, 1)
    world.service.leagues.enter(league, "Bob", by_admin=True, actor=ADMIN, cause="test:Bob")
    before, started = steps(lives(world, database_url, "start"))
    assert (before.count(e.SeasonStarted), before.count(e.RoundPaired)) == (0, 0)
    assert (started.count(e.SeasonStarted), started.count(e.RoundPaired)) == (1, 2)
    world.now += BETWEEN_LIVES
    assert [one.games for one in steps(lives(world, database_url, "sweep"))] == [0, 1, 2]
    first, second = season(world, league).fixtures
    assert first.game is not None
    assert second.game is not None
    resign(world, first.game, number(world, "Bob"))
    assert [one.count(e.ResultRecorded) for one in steps(lives(world, database_url, "sweep"))] == [0, 1]
    left = steps(lives(world, database_url, "withdraw"))
    assert [(one.count(e.PlayerWithdrawn), one.count(e.ResultRecorded), one.ended) for one in left] == [(0, 1, 1), (1, 2, 2)]
    back = steps(lives(world, database_url, "back"))
    assert [(one.count(e.PlayerReturned), one.games) for one in back] == [(0, 2), (1, 2)]
    assert [one.games for one in steps(lives(world, database_url, "sweep"))] == [2, 3]
    world.service.leagues.handle(league, Withdraw(number(world, "Ada")), actor=ADMIN, cause="test:again")
    assert [one.count(e.SeasonClosed) for one in steps(lives(world, database_url, "sweep"))] == [0, 1]
    assert season(world, league).phase is Phase.CLOSED


@pytest.mark.long
def test_words_reach_everybody_once_wherever_their_process_is_killed(any_world: World, database_url: str) -> None:
    """Also if somebody repeats the command because they do not know what became of it."""
    world, everybody = any_world, ("Ada", "Bob", "Cleo")
    league = open_league(world, name="Winter")
    world.service.leagues.announce(league, None, actor=ADMIN, cause="test:announce")
    world.service.leagues.enter_all(league, everybody, actor=ADMIN, cause="test:enter")
    assert [one.count(e.WordsSent) for one in steps(lives(world, database_url, "words"))] == [0, 1]
    world.settle()
    told = Counter(row.player for row in world.outbox() if row.kind == MailKind.LEAGUE_WORDS and row.status == "sent")
    assert told == Counter(number(world, name) for name in everybody)


def directed(world: World, role: Role) -> tuple[PlayerId, LeagueId]:
    """Ada, who has that role in a league of Bob and Cleo, and the league."""
    league = open_league(world, Settings(least=2), name="Winter")
    begin(world, league, ("Bob", "Cleo"))
    ada = number(world, "Ada")
    world.service.leagues.handle(league, GiveRole(ada, role, "a test"), actor=ADMIN, cause="test:directed")
    world.settle()
    return ada, league


@pytest.mark.long
def test_a_letter_by_mail_reaches_everybody_once_wherever_its_process_is_killed(
    any_world: World, database_url: str, tmp_path: Path
) -> None:
    """Its writer too, who plays nowhere and gets a copy, and one answer."""
    world = any_world
    ada, _ = directed(world, Role.SECRETARY)
    seen = mailed(world, database_url, "league-1 mail\nHello.\n\nSee you.", tmp_path / "letter.eml")
    assert [one.count(e.WordsSent) for one in steps(seen)] == [0, 1]
    kinds = Counter((row.kind, row.player) for row in world.outbox())
    assert kinds[MailKind.LEAGUE_ANSWER, ada] == 1
    assert [kinds[MailKind.LEAGUE_WORDS, number(world, name)] for name in ("Ada", "Bob", "Cleo", "Dan")] == [1, 1, 1, 0]
    assert {row.detail["words"] for row in world.outbox() if row.kind == MailKind.LEAGUE_WORDS} == {"Hello.\n\nSee you."}


@pytest.mark.parametrize("every", shortened([4, 1]))
def test_a_direction_is_done_once_and_a_role_given_once_wherever_a_process_is_killed(
    any_world: World, database_url: str, tmp_path: Path, every: int
) -> None:
    """Every life leaves nothing or everything: the result, the end of its game, and all mails; then the role, and the mail about it."""
    world = any_world
    ada, league = directed(world, Role.DIRECTOR)
    seen = mailed(world, database_url, "league-1 result 1 win-loss", tmp_path / "result.eml", every)
    assert [(one.count(e.ResultRecorded), one.ended) for one in steps(seen)] == [(0, 0), (1, 1)]
    assert [row.actor for row in world.service.leagues.history(league) if isinstance(row.event, e.ResultRecorded)] == [f"player-{ada}"]
    kinds = Counter((row.kind, row.player) for row in world.outbox())
    assert kinds[MailKind.LEAGUE_ANSWER, ada] == 1
    assert {kinds[MailKind.GAME_OVER, number(world, name)] for name in ("Bob", "Cleo")} == {1}

    world.now += every * len(seen) * BETWEEN_LIVES
    told = kinds[MailKind.LEAGUE_NEWS, ada]
    assert [one.count(e.RoleGiven) for one in steps(lives(world, database_url, "role", every))] == [1, 2]
    assert sum(row.kind == MailKind.LEAGUE_NEWS and row.player == ada for row in world.outbox()) == told + 1


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, len(ACTS), AT_A_TIME), ids=list(ACTS)[::AT_A_TIME])
def test_what_a_director_does_is_done_once_wherever_its_process_is_killed(any_world: World, database_url: str, first: int) -> None:
    """The league, its games and its mails have all of it or nothing; and nobody hears of it twice. Acts before the `first` are done."""
    world = any_world
    for name in ("Eve", "Fay"):
        world.service.people.add(name, f"{name}@example.org", actor=ADMIN, cause=f"test:{name}")
    league = open_league(world, SETTINGS, name="Winter")
    world.service.leagues.announce(league, None, actor=ADMIN, cause="test:announced")
    world.service.leagues.enter_all(league, ("Ada", "Bob", "Cleo", "Dan"), actor=ADMIN, cause="test:enter")
    world.service.leagues.start(league, actor=ADMIN, cause="test:start")
    for name in list(ACTS)[:first]:
        act(world.service, league, name)
        # the two divisions stay in the same round
        if name != "split a division":
            sweep(world)
    for name, (_, event) in list(ACTS.items())[first : first + AT_A_TIME]:
        seen = steps(lives(world, database_url, name))
        assert [one.count(event) - seen[0].count(event) for one in seen] == [0, 1], name
        if name != "split a division":
            sweep(world)
    assert sound(world)
    assert list(league_audit.verify(world.service.db, league)) == []


@pytest.mark.long
def test_leagues_are_split_and_merged_once_wherever_a_process_is_killed(any_world: World, database_url: str) -> None:
    world = any_world
    league = open_league(world, SETTINGS, name="Winter")
    world.service.leagues.announce(league, None, actor=ADMIN, cause="test:announced")
    world.service.leagues.enter_all(league, ("Ada", "Bob", "Cleo", "Dan"), actor=ADMIN, cause="test:enter")
    before, apart = steps(lives(world, database_url, "split"))
    assert (before.listed, apart.listed, apart.count(e.EntryWithdrawn)) == (1, 2, 1)
    before, after = steps(lives(world, database_url, "merge"))
    assert (before.count(e.PlayerEntered), after.count(e.PlayerEntered)) == (4, 5)
    assert sound(world)
    for number_of_it in (1, 2):
        assert list(league_audit.verify(world.service.db, LeagueId(number_of_it))) == []


@pytest.mark.long
def test_a_playoff_is_entered_once_wherever_a_process_is_killed(any_world: World, database_url: str) -> None:
    """The season that waits for it ends with its order."""
    world = any_world
    league = open_league(world, Settings(least=2, tie_breaks=(TieBreak.PLAYOFF,)), name="Winter")
    begin(world, league, ("Ada", "Bob"))
    sweep(world)
    world.service.leagues.handle(league, SetResult(1, (Mark.DRAW, Mark.DRAW), "as agreed"), actor=ADMIN, cause="test:draw")
    entered = steps(lives(world, database_url, PLAYOFF))
    assert [(one.count(e.PlayoffDecided), one.count(e.SeasonClosed)) for one in entered] == [(0, 0), (1, 0)]
    world.wait(days=1)
    sweep(world)
    [table] = world.service.leagues.state(league).last
    assert [line.player for line in table.lines] == [number(world, name) for name in ("Bob", "Ada")]
    assert sound(world)
    assert list(league_audit.verify(world.service.db, league)) == []


@pytest.mark.long
def test_a_round_and_its_game_are_told_once_wherever_a_process_is_killed(any_world: World, database_url: str) -> None:
    """The mail about the start waits by itself, or is told by that of the game, never both and never neither."""
    world, everybody = any_world, ("Ada", "Bob", "Cleo")
    league = open_league(world, Settings(format=Format.SWISS, rounds=2, least=2), name="Winter")
    world.service.leagues.announce(league, None, actor=ADMIN, cause="test:announce")
    world.service.leagues.enter_all(league, everybody, actor=ADMIN, cause="test:enter")
    world.now += GATHER
    world.settle()
    world.service.leagues.start(league, actor=ADMIN, cause="test:start")
    told = steps(lives(world, database_url, "sweep"))
    assert [one.games for one in told] == [0, 1]
    world.settle()
    started = Counter(one for one in tellings(world) if one[0] == MailKind.LEAGUE_STARTED)
    assert started == Counter((MailKind.LEAGUE_STARTED, number(world, name)) for name in everybody)
    assert sum(mail.kind == MailKind.LEAGUE_STARTED and mail.status == "sent" for mail in world.outbox()) == 1


def test_workers_that_sweep_at_once_do_everything_once(database_url: str, tmp_path: Path) -> None:
    """Two of them open games, carry results and close seasons, while players end their games."""
    db = Database.connect(database_url)
    world = World(db, tmp_path / "mail")
    league = open_league(world, Settings(next_days=0, entry_days=0))
    begin(world, league)
    workers = [world.another_process() for _ in range(2)]
    for _ in range(SEASONS):
        lose_all(world, league)
        while season(world, league).phase is not Phase.ENTRIES:
            world.wait(minutes=2)
            at_once(workers)
        world.service.leagues.start(league, actor=ADMIN, cause=f"test:start:{world.now}")
        while any(fixture.game is None for fixture in season(world, league).fixtures):
            world.wait(minutes=2)
            at_once(workers)
    history = [row.event for row in world.service.leagues.history(league)]
    found = Counter(type(event) for event in history)
    assert (found[e.SeasonStarted], found[e.SeasonClosed]) == (SEASONS + 1, SEASONS)
    assert (found[e.ResultRecorded], found[e.GameAttached]) == (6 * SEASONS, 6 * (SEASONS + 1))
    with db.read() as conn:
        assert len(views.list_games(conn)) == 6 * (SEASONS + 1)
    assert sound(world)
    sweep(world)
    db.close()


def at_once(workers: list[Service]) -> None:
    """All sweep at the same moment."""
    ready = Barrier(len(workers))

    def work(service: Service) -> None:
        ready.wait()
        service.upkeep.sweep()

    with ThreadPoolExecutor(len(workers)) as pool:
        list(pool.map(work, workers))
