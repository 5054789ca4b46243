"""Mistakes of a director that are put right over a real database: league, games, mails and both audits agree afterwards."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import pytest

from tests.service.leagues.league_world import (
    ADMIN,
    begin,
    do,
    lose_all,
    meeting,
    number,
    open_league,
    pass_days,
    resign,
    season,
    sound,
    sweep,
)
from tests.service.leagues.tellings import tellings
from tests.service.world import World
from turnserver.audit.league import leagues
from turnserver.ids import Burden, GameId, LeagueId
from turnserver.league import commands as c
from turnserver.league.events import Role
from turnserver.league.settings import Format, Pace, Settings
from turnserver.league.state import Phase
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.commands import FreezeClock, Reopen
from turnserver.play.events import EndedBy, FreezeKind
from turnserver.play.state import Status

SWISS = Settings(format=Format.SWISS, rounds=3)


def told(world: World, since: int) -> Counter[tuple[str, str]]:
    """Count how often every player was told of what by mail."""
    names = {person.id: person.name for person in world.service.people.everybody()}
    return Counter((kind, names[player]) for kind, player in tellings(world, since) if kind.startswith("league"))


def checked(world: World, league: LeagueId) -> bool:
    return sound(world) and list(leagues.verify(world.service.db, league)) == []


def to_the_end(world: World, league: LeagueId) -> None:
    while season(world, league).phase is Phase.RUNNING:
        for fixture in season(world, league).fixtures:
            if fixture.game is not None and world.state(fixture.game).status is Status.RUNNING:
                resign(world, fixture.game, max(world.state(fixture.game).players))
        sweep(world)


@pytest.mark.engines
def test_a_round_is_paired_again_and_its_games_end(any_world: World) -> None:
    world = any_world
    league = open_league(world, SWISS)
    begin(world, league)
    lose_all(world, league)
    sweep(world)
    first = [one for one in season(world, league).fixtures if one.round == 2]
    one, other = first[0].players[0], first[1].players[0]
    before = max(mail.id for mail in world.outbox())
    do(world, league, c.PairAgain("1", "as they wish", ((one, other),)))
    for fixture in first:
        assert fixture.game is not None
        result = world.state(fixture.game).result
        assert result is not None
        assert result.by is EndedBy.ANNULMENT
    sweep(world)
    again = [fixture for fixture in season(world, league).fixtures if fixture.round == 2 and not fixture.void]
    assert again[0].players == (one, other)
    assert all(fixture.game is not None and world.state(fixture.game).status is Status.RUNNING for fixture in again)
    rounds = {key: count for key, count in told(world, before).items() if key[0] == MailKind.LEAGUE_ROUND}
    assert rounds == {(MailKind.LEAGUE_ROUND, name): 1 for name in ("Ada", "Bob", "Cleo", "Dan")}
    assert checked(world, league)
    to_the_end(world, league)
    assert checked(world, league)


def test_a_withdrawal_is_undone_while_games_run(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    old = meeting(world, league, "Ada", "Bob")
    do(world, league, c.Withdraw(number(world, "Ada")))
    sweep(world)
    before = max(mail.id for mail in world.outbox())
    do(world, league, c.ReturnPlayer(number(world, "Ada"), "a wrong name"))
    sweep(world)
    new = meeting(world, league, "Ada", "Bob")
    assert new.game not in (None, old.game)
    news = {key: count for key, count in told(world, before).items() if key[0] == MailKind.LEAGUE_NEWS}
    assert news == {(MailKind.LEAGUE_NEWS, name): 1 for name in ("Ada", "Bob", "Cleo", "Dan")}
    to_the_end(world, league)
    assert checked(world, league)


def test_somebody_comes_late_and_somebody_fills_a_place(world: World) -> None:
    league = open_league(world, Settings(pace=Pace.ROUND_BY_ROUND))
    begin(world, league, ("Ada", "Bob", "Cleo"))
    lose_all(world, league)
    sweep(world)
    eve = world.service.people.add("Eve", "eve@example.org", actor=ADMIN, cause="test:Eve").id
    world.service.leagues.admit_all(league, ["Dan"], c.Past.PLAY, None, "late", actor=ADMIN, cause="test:late")
    sweep(world)
    assert meeting(world, league, "Dan", "Bob").game is not None
    do(world, league, c.Withdraw(number(world, "Bob")))
    do(world, league, c.SubstitutePlayer(number(world, "Bob"), eve, Burden.SEAT, "Eve wants to play"))
    sweep(world)
    assert checked(world, league)
    to_the_end(world, league)
    assert {line.player for line in world.service.leagues.state(league).last[0].lines} == {
        *(number(world, name) for name in ("Ada", "Cleo", "Dan")),
        eve,
    }
    assert checked(world, league)


@pytest.mark.parametrize("settings", [SWISS, Settings(pace=Pace.ROUND_BY_ROUND)])
def test_a_late_entry_is_undone_by_a_director_in_a_mail(world: World, settings: Settings) -> None:
    league = open_league(world, settings)
    begin(world, league, ("Ada", "Bob", "Cleo"))
    eve = world.service.people.add("Eve", "eve@example.org", actor=ADMIN, cause="test:Eve").id
    do(world, league, c.GiveRole(number(world, "Ada"), Role.SECRETARY, "she knows everybody"))
    past = c.Past.HALF if settings is SWISS else c.Past.PLAY
    world.service.leagues.admit_all(league, ["Eve"], past, None, "late", actor=ADMIN, cause="test:late")
    if settings is SWISS:
        do(world, league, c.PairAgain("1", "with Eve"))
    sweep(world)
    mine = next(one for one in season(world, league).fixtures if eve in one.players and one.game is not None and not one.void)
    assert mine.game is not None
    before = max(mail.id for mail in world.outbox())
    world.answer("Ada", "league-1 remove Eve because it was another Eve")
    assert world.outcome() == "done: remove league-1"
    assert "The entry of Eve into season 1 of Take Winter is undone." in " ".join(world.text("Ada").split())
    result = world.state(mine.game).result
    assert result is not None
    assert result.by is EndedBy.ANNULMENT
    met = {name for name in ("Bob", "Cleo") if number(world, name) in mine.players}
    assert {name for kind, name in told(world, before) if kind == MailKind.LEAGUE_NEWS} >= {"Eve", *met}
    assert eve not in {one.player for one in season(world, league).entries}
    sweep(world)
    assert checked(world, league)
    to_the_end(world, league)
    assert eve not in {line.player for line in world.service.leagues.state(league).last[0].lines}
    assert checked(world, league)


def test_a_season_that_was_begun_by_mistake_is_called_off_and_goes_on_after_all(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    games = [fixture.game for fixture in season(world, league).fixtures if fixture.game is not None]
    resign(world, games[0], world.state(games[0]).players[0])
    before = max(mail.id for mail in world.outbox())
    do(world, league, c.CancelSeason("begun by mistake"))
    sweep(world)
    results = [world.state(game).result for game in games]
    assert [result.by for result in results if result is not None] == [EndedBy.RESIGNATION, *[EndedBy.ANNULMENT] * 5]
    dropped = {key: count for key, count in told(world, before).items() if key[0] == MailKind.LEAGUE_DROPPED}
    assert dropped == {(MailKind.LEAGUE_DROPPED, name): 1 for name in ("Ada", "Bob", "Cleo", "Dan")}
    assert world.service.leagues.state(league).last == ()
    assert checked(world, league)
    do(world, league, c.ReopenSeason("it was none"))
    sweep(world)
    to_the_end(world, league)
    assert len(world.service.leagues.state(league).last) == 1
    assert checked(world, league)


def test_clocks_stand_still_while_a_season_is_paused(world: World) -> None:
    league = open_league(world, Settings(round_days=90), time="3d")
    begin(world, league)
    games = [fixture.game for fixture in season(world, league).fixtures if fixture.game is not None]
    world.service.games.handle(games[0], FreezeClock(FreezeKind.HALT, None, world.now, None, "a dispute"), actor=ADMIN, cause="test:halt")
    world.wait(hours=1)
    before, paused_at = deadlines(world, games), world.now
    do(world, league, c.PauseSeason("the holidays"))
    assert deadlines(world, games) == [None] * 6
    pass_days(world, 10)
    assert {world.state(game).status for game in games} == {Status.RUNNING}
    assert checked(world, league)
    do(world, league, c.ResumeSeason("all are back"))
    # the game that was stopped before stays so
    assert deadlines(world, games) == [None, *(at + (world.now - paused_at) for at in before if at is not None)]
    assert checked(world, league)


@pytest.mark.parametrize("settings", [Settings(round_days=90), SWISS])
def test_a_division_is_split_and_its_games_end_and_go_on(world: World, settings: Settings) -> None:
    league = open_league(world, settings)
    begin(world, league)
    first, second, *_ = season(world, league).fixtures
    assert first.game is not None
    # the first game is over and the others go on
    resign(world, first.game, first.players[0])
    sweep(world)
    other = next(player for player in second.players if player not in first.players)
    do(world, league, c.Divide({first.players[0]: "1.2", other: "1.2"}, "too many"))
    for fixture in season(world, league).fixtures:
        if fixture.game is not None:
            ended = world.state(fixture.game).status is Status.ENDED
            assert ended is bool(fixture.marks)
    assert checked(world, league)
    do(world, league, c.Divide({first.players[0]: "1", other: "1"}, "by mistake"))
    assert checked(world, league)
    to_the_end(world, league)
    assert checked(world, league)
    assert [len(table.lines) for table in world.service.leagues.state(league).last] == [4]


def test_a_game_that_is_taken_up_again_goes_on_although_its_players_were_parted(world: World) -> None:
    league = open_league(world, SWISS)
    begin(world, league)
    first, second, *_ = season(world, league).fixtures
    assert first.game is not None
    resign(world, first.game, first.players[0])
    sweep(world)
    do(world, league, c.Divide({first.players[0]: "1.2", second.players[0]: "1.2"}, "too many"))
    world.service.games.handle(first.game, Reopen("by mistake"), actor=ADMIN, cause="test:reopen")
    do(world, league, c.PairAgain("1", "with fewer players"))
    assert world.state(first.game).status is Status.RUNNING
    assert checked(world, league)


def deadlines(world: World, games: Sequence[GameId]) -> list[datetime | None]:
    clocks = [world.state(game).clock for game in games]
    return [clock.deadline if clock is not None else None for clock in clocks]
