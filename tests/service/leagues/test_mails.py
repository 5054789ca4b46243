"""The mails of a league to its players, from the announcement of a season to its end."""

from collections import Counter

import pytest
from msgspec.structs import replace

from tests.service.leagues.league_world import ADMIN, FOUR, begin, do, lose_all, number, open_any, open_league, season, sweep
from tests.service.leagues.tellings import tellings
from tests.service.world import World
from turnserver.league.commands import Approve, OpenLeague, SetResult, Withdraw
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Approval, Format, Settings
from turnserver.mail.outbound.kinds import MailKind
from turnserver.service.leagues.ratings import rating_of

SWISS = Settings(format=Format.SWISS, rounds=2, next_days=0)
HELD = replace(SWISS, approve=(Approval.PAIRINGS,))


def kinds(world: World, since: int = 0) -> Counter[tuple[str, str]]:
    """Count how often every player was told what mails of a kind about leagues tell, by such a mail or by another one."""
    names = {person.id: person.name for person in world.service.people.everybody()}
    return Counter((kind, names[player]) for kind, player in tellings(world, since) if kind.startswith("league"))


def test_a_season_is_told_from_beginning_to_end(world: World) -> None:
    league = open_league(world, SWISS)
    begin(world, league)
    lose_all(world, league)
    sweep(world)
    lose_all(world, league)
    sweep(world)
    every = {
        (kind, name): 1
        for kind in (MailKind.LEAGUE_ENTRY, MailKind.LEAGUE_STARTED, MailKind.LEAGUE_ROUND, MailKind.LEAGUE_FINAL)
        for name in FOUR
    }
    assert kinds(world) == Counter(every)
    final = next(mail for mail in world.outbox() if mail.kind == MailKind.LEAGUE_FINAL and mail.player == number(world, "Ada"))
    assert final.text is not None
    assert "Take Winter: season 1 is over. You finished in place 1 of 4." in final.text
    with world.service.db.read() as conn:
        rating = rating_of(conn, "take", number(world, "Ada"), world.now).told()
    assert f"Your rating was 1500 at the start. Now it is {rating}." in final.text.replace("\n", " ")
    assert "Season 2 is already announced, and you are in." in final.text
    assert "  not to play this time:  leave league-1" in final.text


def test_a_corrected_result_of_a_player_who_is_struck_is_told_with_what_it_counts_for(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    do(world, league, Withdraw(number(world, "Dan")))
    sweep(world)
    since = max(mail.id for mail in world.outbox())
    struck = next(one for one in season(world, league).fixtures if number(world, "Dan") in one.players)
    do(world, league, SetResult(struck.number, (Mark.WIN, Mark.LOSS), "they had played"))
    sweep(world)
    told = [(mail.text or "").replace("\n", " ") for mail in world.outbox() if mail.id > since and mail.kind == MailKind.LEAGUE_NEWS]
    assert told
    assert all("The table stays as it is, because Dan left early; only ratings can change." in text for text in told)


def test_mails_of_the_games_name_the_league(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    about = next(fixture for fixture in season(world, league).fixtures if fixture.game is not None)
    texts = [mail.text or "" for mail in world.outbox() if mail.game == about.game]
    assert texts
    assert all(f"League: Take Winter, season 1, round {about.round}." in text for text in texts)


def test_whoever_is_withdrawn_by_an_admin_hears_of_it_and_so_do_the_others(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    since = max(mail.id for mail in world.outbox())
    do(world, league, Withdraw(number(world, "Dan")))
    sweep(world)
    assert kinds(world, since) == Counter({(MailKind.LEAGUE_NEWS, name): 1 for name in FOUR})


def test_what_is_said_of_one_game_is_no_mail_of_the_league(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    since = max(mail.id for mail in world.outbox())
    lose_all(world, league)
    assert kinds(world, since) == Counter()


@pytest.mark.parametrize("name", ["Ada", "Dan"])
def test_a_season_that_is_called_off_is_told_to_whoever_entered(world: World, name: str) -> None:
    league = open_league(world)
    leagues = world.service.leagues
    leagues.announce(league, world.now.replace(year=world.now.year + 1), actor=ADMIN, cause="test:announce")
    leagues.enter(league, name, by_admin=True, actor=ADMIN, cause="test:enter")
    world.wait(days=400)
    sweep(world)
    assert kinds(world)[MailKind.LEAGUE_DROPPED, name] == 1


@pytest.mark.parametrize("game", ["take", "tako"])
@pytest.mark.parametrize("settings", [Settings(), SWISS, HELD], ids=["all at once", "round by round", "held for a director"])
def test_mails_say_who_moves_first_where_the_seat_says_it(world: World, game: str, settings: Settings) -> None:
    league = open_any(world, OpenLeague("Winter", game, {}, settings))
    begin(world, league)
    if settings is HELD:
        do(world, league, Approve())
        sweep(world)
    lose_all(world, league)
    sweep(world)
    told = " ".join(" ".join((mail.text or "") for mail in world.outbox()).split())
    assert ("you move first" in told, "moves first" in told) == (game == "take", game == "take")
    assert "Winter" in told
