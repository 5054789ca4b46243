"""Whoever leaves a league or cannot be reached, and whoever sits down in their place."""

import pytest

from tests.service.leagues.league_world import (
    ADMIN,
    ADMINS,
    FOUR,
    begin,
    do,
    lose_all,
    marks,
    meeting,
    number,
    open_league,
    reports,
    resign,
    result,
    running,
    sound,
    state,
    sweep,
)
from tests.service.world import World
from turnserver.errors import NotAllowed, NotFound
from turnserver.ids import Burden
from turnserver.league import commands
from turnserver.league import events as e
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Settings
from turnserver.play.events import EndedBy, Outcome
from turnserver.service.leagues.games import WHY


def test_whoever_leaves_early_is_struck_and_their_games_have_no_result(any_world: World) -> None:
    world = any_world
    league = open_league(world)
    begin(world, league)
    played = meeting(world, league, "Ada", "Bob")
    assert played.game is not None
    resign(world, played.game, number(world, "Ada"))
    do(world, league, commands.Withdraw(number(world, "Ada")))
    assert marks(world, league, "Ada", "Bob") == (Mark.LOSS, Mark.WIN)
    assert marks(world, league, "Ada", "Dan") == (Mark.NO_RESULT, Mark.NO_RESULT)
    assert result(world, league, "Ada", "Cleo") == (Outcome.VOID, EndedBy.ANNULMENT, WHY[e.DecidedBy.WITHDRAWAL])
    assert running(world, league) == 3
    sweep(world)
    lose_all(world, league)
    sweep(world)
    assert [line.player for line in state(world, league).last[0].lines] == [2, 3, 4]
    assert sound(world)


def test_whoever_leaves_late_loses_the_games_that_are_left(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    for other in ("Bob", "Cleo"):
        game = meeting(world, league, "Ada", other).game
        assert game is not None
        resign(world, game, number(world, "Ada"))
    plan = do(world, league, commands.Withdraw(number(world, "Ada")))
    assert [type(event) for event in plan.own] == [e.PlayerWithdrawn, e.ResultRecorded]
    assert marks(world, league, "Dan", "Ada") == (Mark.WIN_BY_FORFEIT, Mark.FORFEIT)
    seat = meeting(world, league, "Ada", "Dan").players.index(number(world, "Dan")) + 1
    game = meeting(world, league, "Ada", "Dan").game
    assert game is not None
    ended = world.state(game).result
    assert ended is not None
    assert (ended.outcome, ended.by, ended.winners) == (Outcome.WON, EndedBy.ADJUDICATION, (seat,))
    sweep(world)
    assert sound(world)
    history = world.service.leagues.history(league)
    assert [row.actor for row in history if isinstance(row.event, e.ResultRecorded)] == ["service", "service", ADMIN]


def test_whoever_wants_no_mail_any_more_plays_all_the_same(admin_world: World) -> None:
    world = admin_world
    league = open_league(world)
    leagues = world.service.leagues
    leagues.announce(league, None, actor=ADMIN, cause="test:announce")
    for name in FOUR:
        leagues.enter(league, name, by_admin=True, actor=ADMIN, cause=f"test:enter:{name}")
    world.service.people.choose("Dan", [("subscribed", "off")], actor=ADMIN, cause="test:off")
    leagues.start(league, actor=ADMIN, cause="test:start")
    sweep(world)
    assert (running(world, league), reports(world)) == (6, [])
    assert sound(world)


def test_a_game_that_cannot_be_opened_is_reported_once_and_tried_again(admin_world: World) -> None:
    world = admin_world
    league = open_league(world)
    # as where nobody knows the holidays of a region any more
    do(world, league, commands.ChangeSettings(state(world, league).settings, "faster", time="3d, holidays ZZ"))
    begin(world, league, FOUR[:3])
    assert (running(world, league), reports(world)) == (0, ["Take Winter: a game could not be opened"] * 3)
    world.wait(hours=2)
    sweep(world)
    assert (running(world, league), len(reports(world))) == (0, 3)
    assert sound(world)


def test_whoever_wants_no_mail_does_not_enter(world: World) -> None:
    league = open_league(world)
    leagues = world.service.leagues
    leagues.announce(league, None, actor=ADMIN, cause="test:announce")
    world.service.people.choose("Dan", [("subscribed", "off")], actor=ADMIN, cause="test:off")
    with pytest.raises(NotAllowed, match="Dan doesn't want mail"):
        leagues.enter(league, "Dan", by_admin=True, actor=ADMIN, cause="test:enter")
    with pytest.raises(NotFound):
        leagues.enter(league, "Nobody", by_admin=True, actor=ADMIN, cause="test:enter")


def test_a_substitute_sits_down_in_the_games_that_run(any_world: World) -> None:
    world = any_world
    league = open_league(world)
    begin(world, league, ("Ada", "Bob", "Cleo"))
    over = meeting(world, league, "Ada", "Bob").game
    assert over is not None
    resign(world, over, number(world, "Bob"))
    do(world, league, commands.SubstitutePlayer(number(world, "Ada"), number(world, "Dan"), Burden.SUBSTITUTE, "ill"))
    assert number(world, "Dan") not in world.state(over).players
    game = meeting(world, league, "Ada", "Cleo").game
    assert game is not None
    assert set(world.state(game).players) == {number(world, "Dan"), number(world, "Cleo")}
    assert world.leagues(number(world, "Dan")) == world.leagues()
    resign(world, game, number(world, "Cleo"))
    assert marks(world, league, "Ada", "Cleo") == (Mark.WIN, Mark.LOSS)
    sweep(world)
    assert sound(world)


@pytest.mark.parametrize("substitute", ["Dan", "Eve"])
def test_a_substitute_also_has_the_game_that_somebody_took_over_alone(world: World, substitute: str) -> None:
    """Perhaps it was the substitute."""
    league = open_league(world)
    begin(world, league, ("Ada", "Bob", "Cleo"))
    world.service.people.add("Eve", "eve@example.org", actor=ADMIN, cause="test:eve")
    games = [meeting(world, league, "Ada", other).game for other in ("Bob", "Cleo")]
    alone = games[0]
    assert alone is not None
    seat = world.state(alone).seat_of(number(world, "Ada"))
    assert seat is not None
    world.service.games.substitute(alone, seat, "Eve", Burden.SEAT, "ill", actor=ADMIN, cause="test:alone")
    do(world, league, commands.SubstitutePlayer(number(world, "Ada"), number(world, substitute), Burden.SUBSTITUTE, "ill"))
    assert [number(world, substitute) in world.state(game).players for game in games if game is not None] == [True, True]
    sweep(world)
    assert sound(world)


def test_a_substitute_who_wants_no_mail_is_refused(world: World) -> None:
    league = open_league(world)
    begin(world, league, ("Ada", "Bob", "Cleo"))
    world.service.people.choose("Dan", [("subscribed", "off")], actor=ADMIN, cause="test:off")
    before = state(world, league)
    with pytest.raises(NotAllowed, match="Dan doesn't want mail"):
        do(world, league, commands.SubstitutePlayer(number(world, "Ada"), number(world, "Dan"), Burden.SEAT, "ill"))
    assert state(world, league) == before


def test_the_admin_hears_of_whoever_withdraws_by_mail_and_knows_of_the_others(admin_world: World) -> None:
    league = open_league(admin_world)
    begin(admin_world, league)
    do(admin_world, league, commands.Withdraw(number(admin_world, "Dan")))
    admin_world.answer("Ada", "confirm leave league-1")
    assert reports(admin_world) == ["Take Winter: a player withdrew"]
    assert "Player: Ada" in admin_world.text(ADMINS)
    told = [" ".join(str(row.text).split()) for row in admin_world.outbox() if row.player == number(admin_world, "Cleo")]
    assert any("Ada withdrew from season 1 of Take Winter." in text for text in told)


def test_a_late_move_is_told_in_german_why_the_league_has_ended_the_game(world: World) -> None:
    league = open_league(world, Settings(least=2))
    begin(world, league, ("Ada", "Bob"))
    world.service.people.choose("Ada", [("language", "de")], actor=ADMIN, cause="test:de")
    game = world.mails("Ada")[-1]
    do(world, league, commands.Withdraw(number(world, "Bob")))
    sweep(world)
    world.answer("Ada", "a1", mail=game)
    assert "(Jemand hat sich von der Liga abgemeldet)" in " ".join(world.text("Ada").split())
