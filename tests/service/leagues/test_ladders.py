"""A ladder over a real database: challenges are games at once, and what these come to makes the order."""

from datetime import timedelta

import pytest

from tests.service.leagues.league_world import ADMIN, FOUR, begin, do, number, open_league, resign, season, sound, state, sweep
from tests.service.world import World
from turnserver.errors import NotAllowed
from turnserver.ids import LeagueId
from turnserver.league.commands import Challenge, SetResult, Withdraw
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings
from turnserver.league.state import Phase
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.state import Status

LADDER = Settings(format=Format.LADDER, least=2, rest_days=0, season_days=30, idle_days=20, round_days=0)


def order(world: World, league: LeagueId) -> list[str]:
    names = world.service.leagues.names(state(world, league))
    return [names[player] for player in season(world, league).order]


def challenge(world: World, league: LeagueId, challenger: str, opponent: str) -> None:
    do(world, league, Challenge(number(world, challenger), number(world, opponent)))


def loses(world: World, league: LeagueId, name: str) -> None:
    """A player gives up their latest game."""
    player = number(world, name)
    game = [fixture.game for fixture in season(world, league).fixtures if player in fixture.players][-1]
    assert game is not None
    resign(world, game, player)


def test_a_season_of_a_ladder_from_its_first_challenge_to_the_final_table(any_world: World) -> None:
    world = any_world
    league = open_league(world, LADDER)
    assert begin(world, league, FOUR[:3]).fixtures == ()
    start = order(world, league)
    challenge(world, league, start[2], start[0])
    sweep(world)
    [fixture] = season(world, league).fixtures
    assert fixture.game is not None
    assert (world.state(fixture.game).players, world.state(fixture.game).status) == (fixture.players, Status.RUNNING)
    loses(world, league, start[0])
    assert order(world, league) == [start[2], start[0], start[1]]
    # Somebody comes, somebody goes, and their game with them.
    world.service.leagues.enter(league, "Dan", by_admin=False, actor=ADMIN, cause="test:late")
    challenge(world, league, "Dan", start[1])
    sweep(world)
    [_, second] = season(world, league).fixtures
    do(world, league, Withdraw(number(world, start[1])))
    assert second.game is not None
    assert world.state(second.game).result is not None
    assert order(world, league) == [start[2], start[0], "Dan"]
    assert [found.id for found in world.leagues(number(world, "Dan"))] == [league]
    assert world.leagues(number(world, start[1])) == []
    # An admin's word on the first game makes the order again.
    do(world, league, SetResult(1, tuple(Mark.ANNULLED for _ in fixture.players), "agreed"))
    assert order(world, league) == [start[0], "Dan", start[2]]
    world.wait(days=31)
    sweep(world)
    assert season(world, league).phase is Phase.CLOSED
    assert sound(world)


def test_a_challenge_that_is_not_allowed_leaves_everything_as_it_is(world: World) -> None:
    league = open_league(world, LADDER)
    begin(world, league)
    names = order(world, league)
    before = state(world, league)
    with pytest.raises(NotAllowed, match="only challenge players above you"):
        challenge(world, league, names[0], names[1])
    assert state(world, league) == before


def test_who_plays_nothing_drops_by_the_sweep(world: World) -> None:
    league = open_league(world, LADDER)
    begin(world, league)
    names = order(world, league)
    challenge(world, league, names[2], names[0])
    world.wait(days=20)
    sweep(world)
    assert order(world, league) == [names[0], names[2], names[1], names[3]]
    loses(world, league, names[0])
    sweep(world)
    assert order(world, league) == [names[2], names[0], names[1], names[3]]


def test_whoever_wants_no_mail_defends_their_place_all_the_same(any_world: World) -> None:
    """As in a game that had begun before: they hear nothing of it, and lose on time."""
    world = any_world
    league = open_league(world, LADDER, time="3d")
    begin(world, league, FOUR[:3])
    names = order(world, league)
    world.service.people.choose(names[0], [("subscribed", "off")], actor=ADMIN, cause="test:off")
    challenge(world, league, names[2], names[0])
    sweep(world)
    [fixture] = season(world, league).fixtures
    assert fixture.game is not None
    if fixture.players[0] == number(world, names[2]):
        world.answer(names[2], "a1")
    world.sweep_until(world.now + timedelta(days=4))
    # the first is last: a place goes to the challenger, and one more for the loss on time
    assert order(world, league) == [names[2], names[1], names[0]]
    assert sound(world)


def test_who_leaves_loses_their_place_to_the_challenger(any_world: World) -> None:
    world = any_world
    league = open_league(world, LADDER)
    begin(world, league)
    names = order(world, league)
    challenge(world, league, names[2], names[0])
    sweep(world)
    do(world, league, Withdraw(number(world, names[0])))
    sweep(world)
    assert order(world, league) == [names[2], names[1], names[3]]
    [told] = [row for row in world.outbox() if row.kind == MailKind.LEAGUE_NEWS and row.player == number(world, names[2])]
    assert f"The organisers withdrew {names[0]} from season 1 of Take Winter." in " ".join(str(told.text).split())
    assert sound(world)


def test_the_final_mail_of_a_ladder_names_who_left_since_the_season_began(world: World) -> None:
    """It has no rounds."""
    league = open_league(world, LADDER)
    begin(world, league)
    do(world, league, Withdraw(number(world, "Dan")))
    world.wait(days=31)
    sweep(world)
    finals = [mail.text or "" for mail in world.outbox() if mail.kind == MailKind.LEAGUE_FINAL]
    assert len(finals) == len(FOUR) - 1
    assert all("Since the season began, Dan withdrew." in text for text in finals)
