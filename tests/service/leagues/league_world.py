"""A league in a world: four players of Take who have entered it, and what they do."""

from dataclasses import replace

from tests.service.world import World
from turnserver.ids import GameId, LeagueId, PlayerId
from turnserver.league.commands import LeagueCommand, OpenLeague
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Settings
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.play.commands import Resign
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.state import Status
from turnserver.service.leagues.folds import LeagueDecision
from turnserver.store.log import verify as audit

FOUR = ("Ada", "Bob", "Cleo", "Dan")
ADMINS = "admin@example.org"
"""The address of the admin."""
ADMIN = "admin:test"
SWEEPS = 100
"""More than any season here needs."""


TAKE = OpenLeague("Take Winter", "take", {"size": 2}, Settings())


def open_league(world: World, settings: Settings | None = None, name: str = "Take Winter", time: str = "") -> LeagueId:
    """A league of Take at two by two."""
    return open_any(world, replace(TAKE, settings=settings or Settings(), name=name, time=time))


def open_any(world: World, command: OpenLeague) -> LeagueId:
    """Return any league; Dan gets an account if there is none."""
    if "Dan" not in [person.name for person in world.service.people.everybody()]:
        world.add("Dan", "dan@example.org")
        world.settle()
    return world.service.leagues.open(command, actor=ADMIN, cause=f"test:open:{command.name}")


def begin(world: World, league: LeagueId, players: tuple[str, ...] = FOUR) -> Season:
    """A season of these, whose games are open."""
    leagues = world.service.leagues
    leagues.announce(league, None, actor=ADMIN, cause=f"test:announce:{world.now}")
    there = [leagues.names(state(world, league))[entry.player] for entry in season(world, league).entries]
    for name in [name for name in players if name not in there]:
        leagues.enter(league, name, by_admin=True, actor=ADMIN, cause=f"test:enter:{name}:{world.now}")
    leagues.start(league, actor=ADMIN, cause=f"test:start:{world.now}")
    sweep(world)
    return season(world, league)


def sweep(world: World) -> None:
    """Do what is due by now, until nothing is."""
    world.wait(minutes=2)
    world.settle()
    for _ in range(SWEEPS):
        if not world.service.upkeep.sweep().acted:
            break
    else:
        raise AssertionError("the sweep never rests")
    world.settle()


def pass_days(world: World, days: int) -> None:
    """Time passes with the sweeps of a service that runs."""
    for _ in range(days):
        world.wait(days=1)
        sweep(world)


def do(world: World, league: LeagueId, command: LeagueCommand) -> LeagueDecision:
    """An admin asks for something."""
    version = world.service.leagues.state(league).version
    return world.service.leagues.handle(league, command, actor=ADMIN, cause=f"test:{type(command).__name__}:{version}")


def state(world: World, league: LeagueId) -> LeagueState:
    return world.service.leagues.state(league)


def season(world: World, league: LeagueId) -> Season:
    found = state(world, league).season
    assert found is not None
    return found


def number(world: World, name: str) -> PlayerId:
    return world.service.people.find(name).id


def resign(world: World, game: GameId, player: PlayerId) -> None:
    """A player gives a game up."""
    world.service.games.handle(game, Resign(player, world.now), actor=f"player-{player}", cause=f"test:resign:{world.state(game).version}")


def lose_all(world: World, league: LeagueId) -> None:
    """In every running game of the league, whoever has the higher number gives up."""
    for fixture in season(world, league).fixtures:
        if fixture.game is not None and not fixture.marks and world.state(fixture.game).status is Status.RUNNING:
            resign(world, fixture.game, max(fixture.players))


def meeting(world: World, league: LeagueId, one: str, other: str) -> Fixture:
    """The latest meeting of two."""
    both = {number(world, one), number(world, other)}
    return [fixture for fixture in season(world, league).fixtures if set(fixture.players) == both][-1]


def marks(world: World, league: LeagueId, one: str, other: str) -> tuple[Mark, ...]:
    """Return what the latest meeting of two was to the one and to the other."""
    fixture = meeting(world, league, one, other)
    found = dict(zip(fixture.players, fixture.marks, strict=False))
    return tuple(found[number(world, name)] for name in (one, other)) if found else ()


def sound(world: World) -> bool:
    """Return whether log and rows are as they should be."""
    with world.service.db.read() as conn:
        return list(audit.verify(conn)) == []


def reports(world: World) -> list[str]:
    """Return what the admin was told when it happened, by the subjects of the mails."""
    told = [str(mail["Subject"]).partition("] ")[2] for mail in world.mails(ADMINS)]
    return [subject for subject in told if not subject.endswith("for you")]


def running(world: World, league: LeagueId) -> int:
    """Return the number of games of a season that run."""
    games = [fixture.game for fixture in season(world, league).fixtures if fixture.game is not None]
    return sum(world.state(game).status is Status.RUNNING for game in games)


def result(world: World, league: LeagueId, one: str, other: str) -> tuple[Outcome, EndedBy, str]:
    """Return the outcome of the game of two, what ended it, and the reason."""
    game = meeting(world, league, one, other).game
    assert game is not None
    ended = world.state(game).result
    assert ended is not None
    return ended.outcome, ended.by, ended.reason
