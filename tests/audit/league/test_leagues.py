"""Every contradiction between a league and its games is found."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.service.leagues import league_world
from tests.service.world import World
from turnserver.audit.league import leagues as audit
from turnserver.audit.league.leagues import crosscheck, misplaced, verify
from turnserver.ids import Burden, GameId, LeagueId, PlayerId, Position, Recorded, league_stream
from turnserver.league import events as e
from turnserver.league.commands import SubstitutePlayer
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Pace, Settings, WhenUnfinished
from turnserver.play.events import GameEnded, GameEvent, GameOpened, GameStarted
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Database

Rows = list[Recorded[Any]]


Told = tuple[Rows, dict[GameId, Rows]]
"""The rows that a league and its games have in the log."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """A league of four after the first game was resigned."""
    with league_of(tmp_path_factory) as (world, league):
        league_world.begin(world, league)
        resign_first(world, league)
        yield histories(world, league)


@pytest.fixture(scope="module")
def forfeited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """A league of four after the deadline of its first round: one game was resigned, the player to move forfeits the other."""
    settings = Settings(round_days=7, pace=Pace.ROUND_BY_ROUND, when_unfinished=WhenUnfinished.FORFEIT)
    with league_of(tmp_path_factory, settings, time="30d") as (world, league):
        league_world.begin(world, league)
        resign_first(world, league)
        league_world.pass_days(world, 8)
        yield histories(world, league)


@pytest.fixture(scope="module")
def taken_over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """A league of three by an hour of the day where the site is, in which Dan has sat down for Ada."""
    with league_of(tmp_path_factory, time="next 20:00") as (world, league):
        league_world.begin(world, league, ("Ada", "Bob", "Cleo"))
        ada, dan = league_world.number(world, "Ada"), league_world.number(world, "Dan")
        league_world.do(world, league, SubstitutePlayer(ada, dan, Burden.SUBSTITUTE, "ill"))
        yield histories(world, league)


@contextmanager
def league_of(factory: pytest.TempPathFactory, settings: Settings | None = None, time: str = "") -> Iterator[tuple[World, LeagueId]]:
    directory: Path = factory.mktemp("league")
    url = f"sqlite:///{directory}/league.db"
    Database.create_or_upgrade(url).close()
    db = Database.connect(url)
    world = World(db, directory / "mail")
    yield world, league_world.open_league(world, settings, time=time)
    db.close()


def resign_first(world: World, league: LeagueId) -> None:
    first = league_world.season(world, league).fixtures[0]
    assert first.game is not None
    league_world.resign(world, first.game, first.players[0])
    league_world.sweep(world)


def histories(world: World, league: LeagueId) -> Told:
    season = league_world.season(world, league)
    games = {fixture.game: world.service.games.history(fixture.game) for fixture in season.fixtures if fixture.game is not None}
    return list(world.service.leagues.history(league)), games


def problems(rows: Rows, games: dict[GameId, Rows]) -> str:
    def history(game: GameId) -> Sequence[Recorded[GameEvent]] | None:
        return games.get(game, [])

    return " ".join(found.problem for found in crosscheck(rows, history))


def changed(rows: Rows, kind: type, change: Callable[[Any], Any]) -> Rows:
    """With the first event of a kind changed."""
    at = next(at for at, row in enumerate(rows) if isinstance(row.event, kind))
    return [*rows[:at], rows[at]._replace(event=change(rows[at].event)), *rows[at + 1 :]]


def test_they_tell_the_same(told: Told) -> None:
    rows, games = told
    assert any(isinstance(row.event, e.ResultRecorded) for row in rows)
    assert problems(rows, games) == ""
    assert list(crosscheck(rows, lambda _game: None)) == []


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        (e.GameAttached, lambda event: replace(event, game=GameId(99)), "game 99 was not there"),
        (e.GameAttached, lambda event: replace(event, meeting=event.meeting + 1), "who meet"),
        (e.ResultRecorded, lambda event: replace(event, marks=event.marks[::-1]), "and not to"),
        (e.ResultRecorded, lambda event: replace(event, marks=(Mark.DRAW, Mark.DRAW)), "and not to draw-draw"),
        (e.ResultRecorded, lambda event: replace(event, at=event.at.replace(year=2020)), "came to that at"),
    ],
)
def test_a_league_that_tells_otherwise_is_found(told: Told, kind: type, change: Callable[[Any], Any], says: str) -> None:
    rows, games = told
    assert says in problems(changed(rows, kind, change), games)


def test_a_result_that_was_left_out_is_missed(told: Told) -> None:
    rows, games = told
    at = next(at for at, row in enumerate(rows) if isinstance(row.event, e.ResultRecorded))
    without = [*rows[:at], *rows[at + 1 :]]
    assert problems(without, games) == ""  # as if the game had ended at that very moment
    end = rows[-1]
    for number, event in enumerate(
        (e.PairBarred(players=(PlayerId(1), PlayerId(2))), e.PairAllowed(players=(PlayerId(1), PlayerId(2)))), 1
    ):
        without.append(end._replace(position=Position(end.position + number), cause=f"cli:{number}", event=event))
    assert "which the league has not heard of" in problems(without, games)


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        (GameOpened, lambda event: replace(event, players=(PlayerId(3), PlayerId(4))), "is played by 3, 4, but it is"),
        (GameOpened, lambda event: replace(event, options={"size": 3}), "is not what is played in this league"),
        (GameEnded, lambda event: replace(event, winners=(3 - event.winners[0],)), "has come to"),
    ],
)
def test_a_game_that_tells_otherwise_is_found(told: Told, kind: type, change: Callable[[Any], Any], says: str) -> None:
    rows, games = told
    game = next(game for game, each in games.items() if any(isinstance(row.event, kind) for row in each))
    assert says in problems(rows, {**games, game: changed(games[game], kind, change)})


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        (e.LeagueOpened, lambda event: replace(event, time="60d"), "at least 24h, but the league has 60d"),
        (e.LeagueOpened, lambda event: replace(event, time="next 21:00"), "at least 24h, but the league has next 21:00"),
        (
            e.PlayerSubstituted,
            lambda event: replace(event, rating=Burden.SEAT),
            "counts for the rating of substitute, and the league says seat",
        ),
    ],
)
def test_a_league_that_agreed_on_something_else_is_found(taken_over: Told, kind: type, change: Callable[[Any], Any], says: str) -> None:
    rows, games = taken_over
    assert problems(rows, games) == ""
    assert says in problems(changed(rows, kind, change), games)


@pytest.mark.parametrize(
    ("played", "agreed", "is_same"),
    [
        ("next 20:00 Europe/Berlin, at least 24h", "next 20:00", True),
        ("next 20:00 Europe/Berlin, at least 24h", "next 20:00 UTC", False),
        ("3d", "3 days", True),
        ("3d", "4d", False),
    ],
)
def test_an_hour_without_a_zone_is_one_where_the_site_is(played: str, agreed: str, is_same: bool) -> None:
    assert audit._same_time(played, agreed) is is_same


def judged(rows: Rows) -> tuple[int, GameId]:
    """Return the index of the result that a deadline has led to, and its game."""
    at, meeting = next(
        (at, row.event.meeting)
        for at, row in enumerate(rows)
        if isinstance(row.event, e.ResultRecorded) and row.event.by is e.DecidedBy.DEADLINE
    )
    return at, next(row.event.game for row in rows if isinstance(row.event, e.GameAttached) and row.event.meeting == meeting)


def another_loses(rows: Rows, games: dict[GameId, Rows]) -> Told:
    at, _ = judged(rows)
    event = rows[at].event
    return [*rows[:at], rows[at]._replace(event=replace(event, marks=event.marks[::-1], places=event.places[::-1])), *rows[at + 1 :]], games


def never_ended(rows: Rows, games: dict[GameId, Rows]) -> Told:
    _, game = judged(rows)
    return rows, {**games, game: [row for row in games[game] if not isinstance(row.event, GameEnded)]}


def ended_before(rows: Rows, games: dict[GameId, Rows]) -> Told:
    _, game = judged(rows)
    return rows, {**games, game: [row._replace(cause="mail:before") for row in games[game]]}


def moved_by_nobody(rows: Rows, games: dict[GameId, Rows]) -> Told:
    _, game = judged(rows)
    return rows, {**games, game: changed(games[game], GameStarted, lambda event: replace(event, to_move=99))}


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (another_loses, "would have been forfeit-win by forfeit at its deadline, and not win by forfeit-forfeit"),
        (never_ended, "goes on, though the league has decided what it comes to"),
        (moved_by_nobody, "cannot be looked at: IndexError: list index out of range"),
        (ended_before, "would have been loss-win at its deadline, and not forfeit-win by forfeit"),
    ],
)
def test_a_deadline_is_judged_as_the_game_stood(forfeited: Told, tamper: Callable[[Rows, dict[GameId, Rows]], Told], says: str) -> None:
    rows, games = forfeited
    assert problems(rows, games) == ""
    _, game = judged(rows)
    assert problems(*tamper(rows, games)) == f"game {game} {says}"


def test_a_game_that_cannot_be_followed_is_named_and_the_others_are_looked_at(told: Told) -> None:
    rows, games = told
    first, last = min(games), max(games)
    beheaded = {**games, first: games[first][1:], last: changed(games[last], GameOpened, lambda event: replace(event, options={"size": 3}))}
    found = problems(rows, beheaded)
    assert found.startswith(f"game {first} cannot be looked at: ")
    assert found.endswith(f"game {last} is not what is played in this league")


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "DELETE FROM event WHERE type = 'league.season_announced'",
            "league.player_entered could not follow here: This league has no season now.",
        ),
        ("UPDATE event SET data = '[' WHERE type = 'league.season_announced'", "the league cannot be checked: "),
    ],
)
def test_where_a_league_itself_is_wrong_its_games_are_not_asked(sqlite_url: str, tmp_path: Path, statement: str, says: str) -> None:
    """Nobody can say what it should tell of them."""
    db = Database.connect(sqlite_url)
    league = league_world.open_league(world := World(db, tmp_path / "mail"))
    league_world.begin(world, league)
    assert list(verify(db, league)) == []
    with db.engine.connect() as conn:
        for protected in ("event_no_update", "event_no_delete"):
            conn.exec_driver_sql(f"DROP TRIGGER {protected}")
        conn.exec_driver_sql(statement)
        conn.commit()
    found = [(each.stream, each.problem) for each in verify(db, league)]
    db.close()
    assert found
    assert found[0][0] == league_stream(league)
    assert found[0][1].startswith(says)


def test_games_are_kept_where_their_league_says(sqlite_url: str, tmp_path: Path) -> None:
    db = Database.connect(sqlite_url)
    world = World(db, tmp_path / "mail")
    league = league_world.open_league(world)
    league_world.begin(world, league)
    rows = world.service.leagues.history(league)
    with world.service.db.read() as conn:
        kept = leagues.games_of(conn, league)
    db.close()
    assert list(misplaced(league, rows, kept)) == []
    game, meeting = next(iter(kept.items()))
    elsewhere = {**kept, game: meeting._replace(meeting=99), GameId(500): meeting._replace(league=LeagueId(1))}
    assert [found.problem for found in misplaced(league, rows, elsewhere)] == [
        f"game {game} is not kept as the game of meeting {meeting.meeting} of season 1",
        "game 500 is kept as one of this league, which does not know it",
    ]
