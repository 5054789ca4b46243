"""Leagues over a real database: seasons from their opening to the final table, and what league and games do to each other."""

from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import bindparam, delete, update

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
    open_any,
    open_league,
    pass_days,
    reports,
    resign,
    result,
    running,
    season,
    sound,
    state,
    sweep,
)
from tests.service.world import World
from turnserver.config import DatabaseSettings
from turnserver.config import Settings as Configuration
from turnserver.errors import BadOption, DatabaseBusy, NotAllowed, NotFound, SecretLost
from turnserver.ids import GameId, LeagueId, PlayerId, Stream, league_stream
from turnserver.league import commands
from turnserver.league import events as e
from turnserver.league.closing import AFTERWARDS
from turnserver.league.formats.swiss import Breach
from turnserver.league.scoring.fairness import Forced
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Pace, Settings, WhenUnfinished
from turnserver.league.state import Phase
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play import commands as c
from turnserver.play.events import EndedBy, InvitationAccepted, Outcome
from turnserver.play.state import Status
from turnserver.rules import Seat
from turnserver.rules.kit import example_turns
from turnserver.service.leagues.contexts import LeagueContexts
from turnserver.service.leagues.fairness import look_into
from turnserver.service.leagues.games import WHY, opening
from turnserver.service.request import Request
from turnserver.store.games import views
from turnserver.store.log import secrets as keyring
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Transaction, table
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import LeagueRow, SecretRow

SECRETS = table(SecretRow)


def test_a_win_that_two_share_is_a_draw_for_their_league(world: World) -> None:
    reef = commands.OpenLeague("Reef", "sneaky-octopuses", {"players": 2, "max_rounds": 1}, Settings(least=2))
    league = open_any(world, reef)
    (fixture,) = begin(world, league, ("Ada", "Bob")).fixtures
    game = fixture.game
    assert game is not None
    while (there := world.state(game)).to_move is not None:
        text = example_turns(there.game.rules, there.line.position)[-1]
        player = there.player_at(there.to_move)
        world.service.games.handle(game, c.PlayTurn(player, world.now, text), actor=f"player-{player}", cause=f"test:{there.turn}")
    assert there.result is not None
    assert there.result.winners == (1, 2)
    sweep(world)
    assert marks(world, league, "Ada", "Bob") == (Mark.DRAW, Mark.DRAW)
    assert sound(world)


def test_a_round_robin_of_four_from_its_opening_to_the_final_table(any_world: World) -> None:
    world = any_world
    league = open_league(world)
    found = begin(world, league)
    games = [fixture.game for fixture in found.fixtures]
    assert len(games) == len(set(games)) == 6
    assert None not in games
    for fixture in found.fixtures:
        assert fixture.game is not None
        game = world.state(fixture.game)
        assert (game.players, game.status) == (fixture.players, Status.RUNNING)
        assert (game.terms.void_turns, game.terms.reopen_hours) == (0, 0)
    lose_all(world, league)
    sweep(world)
    final = state(world, league)
    assert season(world, league).phase is Phase.CLOSED
    [table] = final.last
    assert [(line.player, line.points) for line in table.lines] == [(1, "3"), (2, "2"), (3, "1"), (4, "0")]
    assert world.service.leagues.names(final) == dict(enumerate(FOUR, start=1))
    assert sound(world)
    assert [row.version for row in world.leagues()] == [final.version]


def test_all_leagues_and_their_games_are_found_at_once(any_world: World) -> None:
    world = any_world
    one, other = open_league(world), open_league(world, name="Other")
    begin(world, one)
    lose_all(world, one)
    assert world.service.leagues.states() == {one: state(world, one), other: state(world, other)}
    games = {fixture.game for fixture in season(world, one).fixtures}
    with world.service.db.read() as conn:
        found, those, none = views.season_games(conn), views.season_games(conn, one), views.season_games(conn, other)
        assert found == {game: views.game_row(conn, game) for game in games if game is not None}
    assert (those, none) == (found, {})


RESULTS = [
    ((Mark.WIN, Mark.LOSS), Outcome.WON, EndedBy.ADJUDICATION),
    ((Mark.TIMEOUT, Mark.WIN_ON_TIME), Outcome.WON, EndedBy.ADJUDICATION),
    ((Mark.DRAW, Mark.DRAW), Outcome.DRAWN, EndedBy.ADJUDICATION),
    ((Mark.FORFEIT, Mark.FORFEIT), Outcome.VOID, EndedBy.ANNULMENT),
    ((Mark.NO_RESULT, Mark.NO_RESULT), Outcome.VOID, EndedBy.ANNULMENT),
]


@pytest.mark.parametrize(("given", "outcome", "by"), RESULTS)
def test_a_result_that_an_admin_enters_ends_the_game_and_stands(
    world: World, given: tuple[Mark, Mark], outcome: Outcome, by: EndedBy
) -> None:
    league = open_league(world)
    begin(world, league)
    first = season(world, league).fixtures[0]
    do(world, league, commands.SetResult(first.number, given, "both agreed"))
    assert first.game is not None
    ended = world.state(first.game).result
    assert ended is not None
    assert (ended.outcome, ended.by, ended.reason) == (outcome, by, "both agreed")
    sweep(world)
    again = season(world, league).fixtures[0]
    assert (again.marks, again.by) == (given, e.DecidedBy.ADMIN)
    for command in (c.Reopen("by mistake"), c.Retract(1, "by mistake")):
        with pytest.raises(NotAllowed, match=r"Meeting 1 of Take Winter was decided in the league, .* use `turnserver league result`"):
            world.service.games.handle(first.game, command, actor=ADMIN, cause="test:reopen")
    assert running(world, league) == 5
    assert sound(world)


def test_a_result_that_an_admin_enters_ends_a_game_that_has_just_been_reopened(world: World) -> None:
    league = open_league(world)
    first = begin(world, league).fixtures[0]
    assert first.game is not None
    resign(world, first.game, first.players[0])
    sweep(world)
    world.service.games.handle(first.game, c.Reopen("by mistake"), actor=ADMIN, cause="test:reopen")
    do(world, league, commands.SetResult(first.number, (Mark.LOSS, Mark.WIN), "both agreed"))
    ended = world.state(first.game).result
    assert ended is not None
    assert (ended.winners, ended.by) == ((2,), EndedBy.ADJUDICATION)
    sweep(world)
    assert season(world, league).fixtures[0].marks == (Mark.LOSS, Mark.WIN)
    assert sound(world)


COMMANDS = [
    (c.Adjudicate((Seat(2),), "as agreed"), (Mark.LOSS, Mark.WIN)),
    (c.Adjudicate((), "as agreed"), (Mark.DRAW, Mark.DRAW)),
    (c.Cancel("as agreed"), (Mark.NO_RESULT, Mark.NO_RESULT)),
    (c.Annul("as agreed"), (Mark.ANNULLED, Mark.ANNULLED)),
]


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_what_an_admin_does_to_a_game_reaches_its_league(world: World, command: c.Command, expected: tuple[Mark, Mark]) -> None:
    league = open_league(world)
    begin(world, league)
    first = season(world, league).fixtures[0]
    assert first.game is not None
    world.service.games.handle(first.game, command, actor=ADMIN, cause="test:admin")
    assert season(world, league).fixtures[0].marks == expected
    before = world.leagues()[0].version
    sweep(world)
    assert world.leagues()[0].version == before + 1
    assert season(world, league).fixtures[0].by is e.DecidedBy.GAME


def test_a_turn_that_is_out_of_time_loses_from_the_first_on(admin_world: World) -> None:
    world = admin_world
    league = open_league(world, time="2d")
    first = begin(world, league).fixtures[0]
    pass_days(world, 3)
    assert season(world, league).fixtures[0].marks == (Mark.TIMEOUT, Mark.WIN_ON_TIME)
    assert first.game is not None
    assert season(world, league).phase is Phase.CLOSED
    assert sound(world)


def test_a_result_follows_its_game(any_world: World) -> None:
    """It is taken up again by an admin and comes to something else, and at last has no result any more: in the season, and after it."""
    world = any_world
    league = open_league(world)
    first = begin(world, league).fixtures[0]
    assert first.game is not None
    play(world, first.game)
    resign(world, first.game, first.players[1])
    sweep(world)
    for command in (c.Reopen("wrong game"), c.Retract(1, "wrong board")):
        assert season(world, league).fixtures[0].marks == (Mark.WIN, Mark.LOSS)
        world.service.games.handle(first.game, command, actor=ADMIN, cause=f"test:{command}")
        assert season(world, league).fixtures[0].marks == ()
        sweep(world)
        assert isinstance(world.service.leagues.history(league)[-1].event, e.ResultReopened)
        if isinstance(command, c.Reopen):
            resign(world, first.game, first.players[1])
            sweep(world)
    play(world, first.game)
    resign(world, first.game, first.players[0])
    lose_all(world, league)
    sweep(world)
    assert season(world, league).phase is Phase.CLOSED
    assert season(world, league).fixtures[0].marks == (Mark.LOSS, Mark.WIN)
    before = points(world, league)
    world.service.games.handle(first.game, c.Annul("wrong board"), actor=ADMIN, cause="test:annul")
    sweep(world)
    events = [row.event for row in world.service.leagues.history(league)]
    annulled = next(event for event in reversed(events) if isinstance(event, e.ResultRecorded))
    assert (annulled.marks, annulled.reason) == ((Mark.ANNULLED, Mark.ANNULLED), AFTERWARDS)
    assert isinstance(events[-1], e.TablesCorrected)
    assert points(world, league) == {**before, first.players[1]: before[first.players[1]] - 1}
    assert sound(world)


def test_what_changes_after_the_season_is_told_to_the_admin(admin_world: World) -> None:
    """In the latest season the table follows, in an older one it does not."""
    world = admin_world
    league = open_league(world)
    games = [fixture.game for fixture in begin(world, league).fixtures]
    lose_all(world, league)
    sweep(world)
    annul(world, games[0])
    sweep(world)
    assert reports(world) == ["Take Winter: a result has changed after the season"]
    told = [row for row in world.outbox() if row.kind == MailKind.LEAGUE_NEWS]
    assert sorted((row.player or 0, row.status) for row in told) == [(number(world, name), "sent") for name in FOUR]
    assert "A result changed in season 1 of Take Winter, which is over: " in world.text("Ada").replace("\n", " ")
    version = state(world, league).version
    begin(world, league)
    before = season(world, league)
    annul(world, games[1])
    sweep(world)
    assert season(world, league) == before
    assert version < state(world, league).version
    assert reports(world)[1:] == ["Take Winter: a result has changed that cannot be carried to its table"]
    text = world.text(ADMINS)
    assert f"Game {games[1]}: season 1, meeting 2" in text
    assert sound(world)


def test_what_a_cup_lacks_after_the_season_is_told_with_the_change(admin_world: World) -> None:
    world = admin_world
    league = open_league(world, Settings(format=Format.KNOCKOUT, third_place=True))
    semifinal = begin(world, league).fixtures[0]
    for _ in range(2):
        lose_all(world, league)
        sweep(world)
    annul(world, semifinal.game)
    sweep(world)
    names = world.service.leagues.names(state(world, league))
    one, other = (names[player] for player in semifinal.players)
    told = world.text(ADMINS)
    assert any(f"Not decided now: {', '.join(pair)} in round 1" in told for pair in ((one, other), (other, one)))


def test_one_game_at_a_time(world: World) -> None:
    """As many as a player may have at once are open, and nobody waits for a game that cannot be opened."""
    league = open_league(world, Settings(at_once=1))
    found = begin(world, league)
    assert running(world, league) == 2
    leaving = found.fixtures[0].players[0]
    while season(world, league).phase is Phase.RUNNING:
        lose_all(world, league)
        sweep(world)
        assert running(world, league) in {0, 2}
    assert leaving in {line.player for line in state(world, league).last[0].lines}


def test_an_admin_is_asked_about_games_that_are_not_over_in_time(admin_world: World) -> None:
    world = admin_world
    league = open_league(world, Settings(round_days=7, pace=Pace.ROUND_BY_ROUND), time="30d")
    begin(world, league)
    pass_days(world, 7)
    assert [fixture.overdue for fixture in season(world, league).fixtures] == [True, True]
    assert reports(world) == ["Take Winter: games are not over at the end of their round"]
    assert "Meeting 1: " in world.text(ADMINS)
    pass_days(world, 7)
    assert len(reports(world)) == 1
    for fixture in season(world, league).fixtures:
        do(world, league, commands.SetResult(fixture.number, (Mark.DRAW, Mark.DRAW), "slow"))
    sweep(world)
    assert running(world, league) == 2


def test_whoever_has_the_turn_at_the_deadline_forfeits(admin_world: World) -> None:
    """A mail that arrived before it counts, though it was handled after it."""
    world = admin_world
    settings = Settings(round_days=7, pace=Pace.ROUND_BY_ROUND, when_unfinished=WhenUnfinished.FORFEIT)
    league = open_league(world, settings, time="30d")
    one, other = begin(world, league).fixtures
    deadline = one.deadline
    assert deadline is not None
    assert one.game is not None
    while world.now + timedelta(days=1) < deadline:
        pass_days(world, 1)
    world.now = deadline - timedelta(seconds=5)
    mover = world.state(one.game).player_at(Seat(1))
    turn = next(mail for mail in world.mails(world.service.people.find(str(mover)).name) if f" {one.game}]" in mail["Subject"])
    world.answer(world.service.people.find(str(mover)).name, step(world, one.game), mail=turn, settle=False)
    world.wait(seconds=40)
    world.service.upkeep.sweep()
    assert season(world, league).fixtures[0].marks == ()
    sweep(world)
    assert season(world, league).fixtures[0].marks == (Mark.WIN_BY_FORFEIT, Mark.FORFEIT)
    assert season(world, league).fixtures[1].marks == (Mark.FORFEIT, Mark.WIN_BY_FORFEIT)
    assert other.game is not None
    ended = world.state(other.game).result
    assert ended is not None
    assert (ended.by, ended.winners, ended.reason) == (EndedBy.ADJUDICATION, (2,), WHY[e.DecidedBy.DEADLINE])


def test_a_season_that_is_closed_early_ends_its_games(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    game = meeting(world, league, "Ada", "Bob").game
    assert game is not None
    resign(world, game, number(world, "Ada"))
    do(world, league, commands.CloseSeason("summer"))
    assert marks(world, league, "Ada", "Bob") == (Mark.LOSS, Mark.WIN)
    assert result(world, league, "Ada", "Cleo") == (Outcome.VOID, EndedBy.ANNULMENT, "summer")
    version = state(world, league).version
    sweep(world)
    assert state(world, league).version == version
    assert running(world, league) == 0
    assert sound(world)


def test_a_game_is_not_reopened_whose_league_would_not_hear_of_it(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    lost = meeting(world, league, "Ada", "Bob").game
    assert lost is not None
    resign(world, lost, number(world, "Ada"))
    do(world, league, commands.CloseSeason("summer"))
    do(world, league, commands.AnnounceSeason())
    for command in (c.Reopen("by mistake"), c.Retract(1, "by mistake")):
        with pytest.raises(NotAllowed, match="Season 1 of Take Winter is past, so its results stay as they are"):
            world.service.games.handle(lost, command, actor=ADMIN, cause="test:reopen")
    assert world.state(lost).result is not None


def test_a_season_that_goes_on_after_all_has_new_games_for_those_that_its_end_has_annulled(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    before = [fixture.game for fixture in season(world, league).fixtures]
    resign(world, meeting(world, league, "Ada", "Bob").game or GameId(0), number(world, "Ada"))
    do(world, league, commands.CloseSeason("by mistake"))
    do(world, league, commands.ReopenSeason("sorry"))
    sweep(world)
    kept = meeting(world, league, "Ada", "Bob")
    after = [fixture.game for fixture in season(world, league).fixtures]
    assert [one == other for one, other in zip(before, after, strict=True)].count(True) == 1
    assert before[kept.number - 1] == after[kept.number - 1]
    assert running(world, league) == 5
    lose_all(world, league)
    sweep(world)
    assert season(world, league).phase is Phase.CLOSED
    assert sound(world)


def test_a_game_of_whoever_has_withdrawn_since_can_still_be_annulled(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    game = meeting(world, league, "Ada", "Bob").game
    resign(world, game or GameId(0), number(world, "Ada"))
    do(world, league, commands.Withdraw(number(world, "Ada")))
    annul(world, game)
    sweep(world)
    assert marks(world, league, "Ada", "Bob") == (Mark.ANNULLED, Mark.ANNULLED)
    assert sound(world)


def test_a_game_of_a_cup_ends_when_a_correction_has_others_meet(world: World) -> None:
    league = open_league(world, Settings(format=Format.KNOCKOUT))
    first = begin(world, league).fixtures
    for fixture in first:
        resign(world, fixture.game or GameId(0), fixture.players[1])
    sweep(world)
    final = season(world, league).fixtures[2]
    do(world, league, commands.SetResult(1, (Mark.LOSS, Mark.WIN), "the log was wrong"))
    sweep(world)
    assert final.game is not None
    ended = world.state(final.game).result
    assert ended is not None
    assert (ended.outcome, ended.by, ended.reason) == (Outcome.VOID, EndedBy.ANNULMENT, WHY[e.DecidedBy.BRACKET])
    assert set(season(world, league).fixtures[3].players) == {first[0].players[1], first[1].players[0]}
    assert sound(world)


def test_seasons_go_on_by_themselves(admin_world: World) -> None:
    world = admin_world
    league = open_league(world, Settings(next_days=30, entry_days=7, ready_hours=24))
    begin(world, league)
    leagues = world.service.leagues
    for name in FOUR:
        leagues.handle(league, commands.Confirm(number(world, name)), actor=ADMIN, cause=f"test:ready:{name}")
    world.wait(hours=24)
    sweep(world)
    lose_all(world, league)
    sweep(world)
    assert season(world, league).phase is Phase.CLOSED
    pass_days(world, 30)
    assert (season(world, league).number, season(world, league).phase) == (2, Phase.ENTRIES)
    pass_days(world, 7)
    assert season(world, league).phase is Phase.READY_CHECK
    world.wait(hours=24)
    sweep(world)
    assert state(world, league).season is None
    assert reports(world) == ["Take Winter: the season was dropped, since there were too few players"]


def test_a_league_without_its_secret_holds_up_no_other(world: World) -> None:
    """It can be looked at, and goes on when the secret is back."""
    lost, other = open_league(world), open_league(world, name="Take Summer")
    begin(world, lost)
    begin(world, other)
    with world.service.db.write() as tx:
        secret = keyring.of_stream(tx, league_stream(lost))
        forget_secret(tx, league_stream(lost))
    world.restart()
    lose_all(world, lost)
    lose_all(world, other)
    sweep(world)
    assert season(world, lost).phase is Phase.RUNNING
    assert season(world, other).phase is Phase.CLOSED
    with pytest.raises(SecretLost):
        do(world, lost, commands.CloseSeason("lost"))
    assert secret is not None
    for restored, expected in ((bytes(32), Phase.RUNNING), (secret, Phase.CLOSED)):
        with world.service.db.write() as tx:
            forget_secret(tx, league_stream(lost))
            keyring.keep(tx, league_stream(lost), restored)
        sweep(world)
        assert season(world, lost).phase is expected
    assert sound(world)


def test_tables_of_three_have_places(any_world: World) -> None:
    """The first to leave is last, and an admin's places end a game that runs."""
    world = any_world
    command = commands.OpenLeague("Reef", "sneaky-octopuses", {"players": 3}, Settings(format=Format.TABLES, rounds=2))
    league = open_any(world, command)
    first = begin(world, league, ("Ada", "Bob", "Cleo")).fixtures[0]
    assert state(world, league).settings.seats == 3
    assert first.game is not None
    one, two, three = first.players
    for player in (two, one):
        resign(world, first.game, player)
    found = season(world, league).fixtures[0]
    assert (found.marks, found.places) == ((Mark.LOSS, Mark.LOSS, Mark.WIN), (2, 3, 1))
    sweep(world)
    second = season(world, league).fixtures[1]
    assert second.game is not None
    do(world, league, commands.SetResult(second.number, (Mark.LOSS, Mark.WIN, Mark.LOSS), "seen at the club", places=(2, 1, 3)))
    ended = world.state(second.game).result
    assert ended is not None
    assert (ended.by, ended.winners) == (EndedBy.ADJUDICATION, (2,))
    sweep(world)
    assert season(world, league).phase is Phase.CLOSED
    assert three in points(world, league)
    assert sound(world)


def test_a_challenge_on_a_ladder_opens_its_game(world: World) -> None:
    league = open_league(world, Settings(format=Format.LADDER, season_days=30))
    begin(world, league)
    assert running(world, league) == 0
    order = [number(world, name) for name in FOUR]
    do(world, league, commands.Challenge(order[1], order[0]))
    sweep(world)
    assert running(world, league) == 1
    game = season(world, league).fixtures[0].game
    assert game is not None
    resign(world, game, order[0])
    sweep(world)
    assert sound(world)


def test_rows_that_are_not_as_the_log_says_are_found(any_world: World) -> None:
    world = any_world
    league = open_league(world)
    begin(world, league)
    version = state(world, league).version
    other = open_league(world, name="Take Summer")
    row = table(LeagueRow)
    with world.service.db.write() as tx:
        tx.run(Statement(update(row).where(row.c.id == bindparam("which")).values(version=bindparam("wrong"))), which=league, wrong=3)
        tx.run(Statement(delete(row).where(row.c.id == bindparam("which"))), which=other)
    with world.service.db.read() as conn:
        found = [(finding.stream, finding.version, finding.problem) for finding in audit.verify(conn)]
        assert audit.begun(conn).leagues == [league, other]
    assert found == [
        ("league-1", version, f"the league's row is at version 3, its stream at {version}"),
        ("league-2", None, "the league has no row"),
    ]


BAD = [
    (commands.OpenLeague("Reef", "sneaky-octopuses", {"players": 3}, Settings()), "games are for two"),
    (commands.OpenLeague("Reef", "sneaky-octopuses", {"players": 2}, Settings(format=Format.TABLES)), "three or four"),
    (commands.OpenLeague("Reef", "sneaky-octopuses", {"players": 3}, Settings(format=Format.TABLES, seats=4)), "4"),
    (commands.OpenLeague("Winter", "chess", {}, Settings()), "chess"),
    (commands.OpenLeague("Winter", "take", {"size": 99}, Settings()), "size"),
    (commands.OpenLeague("Winter", "take", {}, Settings(), time="soon"), "soon"),
    (commands.OpenLeague("Winter", "take", {}, Settings(rounds=0)), "rounds"),
    (commands.OpenLeague("", "take", {}, Settings()), "name"),
    (commands.OpenLeague("17", "take", {}, Settings()), "name"),
    (commands.OpenLeague("League-17", "take", {}, Settings()), "name"),
    (commands.OpenLeague("x" * 61, "take", {}, Settings()), "name"),
    (commands.OpenLeague("two\nlines", "take", {}, Settings()), "name"),
]


@pytest.mark.parametrize(("command", "about"), BAD)
def test_what_cannot_be_played_is_not_opened(world: World, command: commands.OpenLeague, about: str) -> None:
    with pytest.raises(BadOption, match=about):
        world.service.leagues.open(command, actor=ADMIN, cause="test:open")
    assert world.leagues() == []


def test_two_leagues_cannot_have_one_name(world: World) -> None:
    league = open_league(world)
    with pytest.raises(NotAllowed, match="called take winter"):
        open_league(world, name="take winter")
    assert world.service.leagues.find("TAKE winter") == league
    for text in ("9", "Summer"):
        with pytest.raises(NotFound):
            world.service.leagues.find(text)
    with pytest.raises(NotFound):
        world.service.leagues.history(LeagueId(9))
    with pytest.raises(NotFound):
        world.service.leagues.state(LeagueId(9))


def test_nothing_is_due_before_its_time(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    with pytest.raises(NotAllowed, match="nothing"):
        world.service.leagues.check(league, actor=ADMIN, cause="test:check")
    lose_all(world, league)
    world.service.leagues.check(league, actor=ADMIN, cause="test:check")
    assert season(world, league).phase is Phase.CLOSED


def test_what_decides_a_game_for_the_league_is_played_by_its_terms(world: World) -> None:
    """Games of a league begin with everybody's consent on record, and what each adds to their chance."""
    league = open_league(world)
    game = begin(world, league).fixtures[0].game
    assert game is not None
    accepted = [row.event for row in world.service.games.history(game) if isinstance(row.event, InvitationAccepted)]
    assert [event.player for event in accepted] == list(world.state(game).players)
    kinds = [row.kind for row in world.outbox() if row.game == game]
    assert sorted(kinds) == [MailKind.GAME_STARTED, MailKind.TURN]


def forget_secret(tx: Transaction, stream: Stream) -> None:
    tx.run(Statement(delete(SECRETS).where(SECRETS.c.name == bindparam("which"))), which=stream)


def annul(world: World, game: GameId | None) -> None:
    assert game is not None
    world.service.games.handle(game, c.Annul("wrong board"), actor=ADMIN, cause=f"test:annul:{game}")


def points(world: World, league: LeagueId) -> dict[PlayerId, int]:
    return {line.player: int(line.points) for line in state(world, league).last[0].lines}


def step(world: World, game: GameId) -> str:
    """A legal turn."""
    now = world.state(game)
    return now.game.rules.format(now.line.position, now.game.rules.steps(now.line.position)[0])


def play(world: World, game: GameId) -> None:
    now = world.state(game)
    command = c.PlayTurn(now.player_at(now.to_move or Seat(1)), world.now, step(world, game))
    world.service.games.handle(game, command, actor="test", cause=f"test:play:{now.version}")


def test_a_rematch_that_cannot_be_avoided_is_told_to_the_admin_the_players_and_in_the_report(admin_world: World) -> None:
    world = admin_world
    league = open_league(world, Settings(format=Format.SWISS, rounds=3, least=2))
    begin(world, league)
    stay = set(season(world, league).fixtures[0].players)
    for name in FOUR:
        if number(world, name) not in stay:
            do(world, league, commands.Withdraw(number(world, name)))
    lose_all(world, league)
    sweep(world)
    fixture = season(world, league).fixtures[-1]
    assert (fixture.round, set(fixture.players)) == (2, stay)
    letters = {mail.player: " ".join((mail.text or "").split()) for mail in reversed(world.outbox())}
    told = "You two have already met this season. No better pairing was possible."
    assert {player for player, text in letters.items() if told in text} == stay
    reports = [" ".join((mail.text or "").split()) for mail in world.outbox() if mail.kind == MailKind.ADMIN_REPORT]
    assert [f"Meeting {fixture.number}" in text and "they have met before" in text for text in reports] == [True]
    with world.service.db.read() as conn:
        found = look_into(conn, league)
    assert [one for one in found.findings if isinstance(one, Forced)] == [
        Forced(Breach.REMATCH, 2, fixture.players, () if fixture.game is None else (fixture.game,))
    ]


def test_a_league_whose_zone_cannot_be_chosen_any_more_goes_on(world: World) -> None:
    league = open_league(world)
    (fixture, *_) = begin(world, league).fixtures
    old = msgspec.structs.replace(state(world, league), time="next 20:00 Factory")
    opened = opening(old, season(world, league), fixture, world._settings, Request(ADMIN, "test:open", world.now))
    assert opened.terms.time == "next 20:00 Factory, at least 24h"


def test_who_waits_for_another_thread_to_read_of_leagues_is_told_so(world: World) -> None:
    """A database that says nothing keeps that one for a minute, and would keep all others behind it."""
    contexts = LeagueContexts(Configuration(database=DatabaseSettings(busy_timeout_seconds=0.1)))
    with contexts._lock, world._db.read() as conn, pytest.raises(DatabaseBusy):
        contexts.game(conn, GameId(1))
