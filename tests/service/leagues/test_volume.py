"""The number of mails of a season: one for all that an admin does in an evening, one for a round and its game. Nothing is lost by it."""

from collections import Counter

import pytest

from tests.service.leagues.a_swiss_of_twenty import NAMES, Club, address, by_kind
from tests.service.leagues.league_world import ADMIN, FOUR, begin, do, lose_all, number, open_league, resign, season, state, sweep
from tests.service.leagues.tellings import tellings
from tests.service.world import World
from turnserver.ids import LeagueId
from turnserver.league.commands import ChangeSettings, ReturnPlayer, Withdraw
from turnserver.league.settings import Format, Settings
from turnserver.mail.outbound.kinds import MailKind
from turnserver.service.mailroom.post import GATHER
from turnserver.service.people.importing import PersonLine
from turnserver.store.mail import outbox

pytestmark = pytest.mark.thorough

ALL = len(NAMES)
GAMES = {MailKind.TURN: ALL // 2, MailKind.GAME_STARTED: ALL // 2}
SWISS_OF_FOUR = Settings(format=Format.SWISS, rounds=2, least=2)
ENTERING = (MailKind.WELCOME, MailKind.LEAGUE_ENTRY, MailKind.LEAGUE_READY)


def sent(world: World) -> list[tuple[str, str]]:
    """The kinds of all mails that have left, with the names of their readers, in the order in which they left."""
    names = {person.id: person.name for person in world.service.people.everybody()}
    mails = sorted(
        (mail for mail in world.outbox() if mail.status == "sent" and mail.player is not None), key=lambda one: (one.next_at, one.id)
    )
    return [(mail.kind, names[mail.player]) for mail in mails if mail.player is not None]


def words(text: str | None) -> str:
    return " ".join((text or "").split())


def start_swiss_of_four(world: World, time: str = "") -> LeagueId:
    """All have read that they are entered. The news of the first round waits. The `time` need be none that games can be opened with."""
    league, leagues = open_league(world, SWISS_OF_FOUR), world.service.leagues
    if time:
        do(world, league, ChangeSettings(SWISS_OF_FOUR, "other holidays", time=time))
    leagues.announce(league, None, actor=ADMIN, cause="test:announce")
    leagues.enter_all(league, FOUR, actor=ADMIN, cause="test:enter")
    world.now += GATHER
    world.settle()
    leagues.start(league, actor=ADMIN, cause="test:start")
    return league


def test_a_swiss_of_twenty_sends_few_mails_and_everybody_learns_everything(world: World) -> None:
    club = Club(world)
    club.evening()
    asked = club.sent()
    assert by_kind(asked) == {MailKind.LEAGUE_READY: ALL}
    for part in (
        "The organisers entered you for season 1 of Take Winter.",
        "Format: Swiss, 5 rounds",
        "slow board games by mail",
        "ready league-1",
    ):
        assert all(part in words(mail.text) for mail in asked)
    club.all_ready()
    begun = club.sent()
    assert by_kind(begun) == {MailKind.LEAGUE_ANSWER: ALL, **GAMES}
    told = {mail.player: words(mail.text) for mail in begun if mail.kind in GAMES}
    assert len(told) == ALL
    for fixture in season(world, club.league).fixtures:
        for player, other in (fixture.players, fixture.players[::-1]):
            assert f"Take Winter, round 1: you meet {world.service.leagues.names(state(world, club.league))[other]};" in told[player]
            assert "Take Winter: season 1 has started." in told[player]
    club.play_round()
    second = club.sent()
    assert by_kind(second) == {MailKind.GAME_OVER: ALL, **GAMES}
    assert all(
        "Take Winter, round 2: you meet" in text and "Pts" in text for text in (words(one.text) for one in second if one.kind in GAMES)
    )
    assert Counter(one for one in tellings(world) if one[0] != MailKind.LEAGUE_ANSWER and one[1] in told) == Counter(
        (kind, number(world, name)) for name in NAMES for kind in (*ENTERING, MailKind.LEAGUE_STARTED, MailKind.LEAGUE_ROUND)
    )


def test_a_withdrawal_is_told_to_those_whom_it_concerns_and_to_the_others_with_the_next_round(world: World) -> None:
    club = Club(world)
    club.evening(ask=False)
    assert by_kind(club.sent()) == {MailKind.LEAGUE_STARTED: ALL, **GAMES}
    club.play_round()
    club.sent()
    (game,) = (one for one in season(world, club.league).fixtures if not one.marks and number(world, "Player C") in one.players)
    club.withdraw("Player C")
    news = club.sent()
    assert Counter((mail.kind, mail.player) for mail in news) == Counter(
        (kind, player) for player in game.players for kind in (MailKind.GAME_OVER, MailKind.LEAGUE_NEWS)
    )
    club.play_round()
    third = [mail for mail in club.sent() if mail.kind in (*GAMES, MailKind.LEAGUE_ROUND)]
    assert {mail.player for mail in third} == {number(world, name) for name in NAMES if name != "Player C"}
    assert all("Since the last round began, Player C withdrew." in words(mail.text) for mail in third)
    club.play_round()
    fourth = [words(mail.text) for mail in club.sent() if mail.kind in GAMES]
    assert fourth
    assert not any("withdrew" in text for text in fourth)


def test_a_withdrawal_in_the_last_round_is_told_with_the_final_table(world: World) -> None:
    league = open_league(world, Settings(format=Format.SWISS, rounds=1, least=2))
    begin(world, league)
    do(world, league, Withdraw(number(world, "Dan")))
    for fixture in season(world, league).fixtures:
        if not fixture.marks:
            assert fixture.game is not None
            resign(world, fixture.game, fixture.players[0])
    sweep(world)
    finals = [words(mail.text) for mail in world.outbox() if mail.kind == MailKind.LEAGUE_FINAL]
    assert len(finals) == len(FOUR) - 1
    assert all("Since the last round began, Dan withdrew." in text for text in finals)


def test_nobody_reads_that_a_player_withdrew_who_is_back(world: World) -> None:
    league = open_league(world, SWISS_OF_FOUR)
    begin(world, league)
    do(world, league, Withdraw(number(world, "Cleo")))
    do(world, league, ReturnPlayer(number(world, "Cleo"), "a typo"))
    sweep(world)
    do(world, league, Withdraw(number(world, "Dan")))
    lose_all(world, league)
    sweep(world)
    rounds = [words(mail.text) for mail in world.outbox() if "round 2: you " in words(mail.text)]
    assert rounds
    assert [text for text in rounds if "Since the last round began, Dan withdrew." not in text] == []


def test_a_mail_that_nothing_follows_leaves_by_itself(world: World) -> None:
    world.service.people.add_all([PersonLine(2, "Eve", "eve@example.net")], actor=ADMIN, cause="test:import")
    world.settle()
    assert not world.mails("eve@example.net")
    world.now += GATHER
    world.settle()
    assert [mail["Subject"] for mail in world.mails("eve@example.net")] == ["[turnserver] Welcome"]


def test_what_comes_first_is_told_first(world: World) -> None:
    """A game that somebody is invited to does not come before the welcome, and what is taken back is told last."""
    world.service.people.add_all([PersonLine(2, "Eve", "eve@example.net")], actor=ADMIN, cause="test:import")
    world.service.games.open("take", {"size": 2}, ["Ada", "Eve"], actor=ADMIN, cause="test:open")
    world.settle()
    assert [kind for kind, player in sent(world) if player == "Eve"] == [MailKind.WELCOME, MailKind.INVITATION]
    league = open_league(world)
    world.service.leagues.announce(league, None, actor=ADMIN, cause="test:announce")
    world.service.leagues.enter(league, "Eve", by_admin=True, actor=ADMIN, cause="test:enter")
    do(world, league, Withdraw(number(world, "Eve")))
    world.settle()
    world.now += GATHER
    world.settle()
    assert [kind for kind, player in sent(world) if player == "Eve"][2:] == [MailKind.LEAGUE_ENTRY]
    assert "The organisers took back your entry" in words(world.text("eve@example.net"))


def test_a_round_is_told_by_itself_if_its_game_cannot_begin(world: World) -> None:
    # as where nobody knows the holidays of a region any more
    start_swiss_of_four(world, "3d, holidays ZZ")
    world.wait(minutes=10)
    sweep(world)
    assert MailKind.LEAGUE_STARTED not in [kind for kind, _ in sent(world)]
    world.now += GATHER
    sweep(world)
    assert sorted(player for kind, player in sent(world) if kind == MailKind.LEAGUE_STARTED) == sorted(FOUR)


def test_a_mail_that_is_leaving_is_not_told_by_another_one_too(any_world: World) -> None:
    """Another process has claimed the mail about the round, and perhaps has sent it, when the game begins."""
    world = any_world
    start_swiss_of_four(world)
    world.now += GATHER
    claimed = outbox.claim(world.service.db, world.now, 2, GATHER, "somebody else")
    assert [mail.kind for mail in claimed] == [MailKind.LEAGUE_STARTED] * 2
    assert world.service.upkeep.sweep().acted
    world.now += GATHER
    sweep(world)
    every = Counter((MailKind.LEAGUE_STARTED, number(world, name)) for name in FOUR)
    assert Counter(one for one in tellings(world) if one[0] == MailKind.LEAGUE_STARTED) == every
    assert {mail.player for mail in world.outbox() if mail.kind == MailKind.LEAGUE_STARTED and mail.status == "sent"} == {
        mail.player for mail in claimed
    }


@pytest.mark.parametrize(("setting", "value"), [("digest", "20:00"), ("subscribed", "off")])
def test_a_round_is_not_told_by_a_game_whose_mail_does_not_leave(world: World, setting: str, value: str) -> None:
    start_swiss_of_four(world)
    world.service.people.choose("Dan", [(setting, value)], actor=ADMIN, cause="test:choose")
    sweep(world)
    world.now += GATHER
    sweep(world)
    (mail,) = (mail for mail in world.outbox() if mail.kind == MailKind.LEAGUE_STARTED and mail.player == number(world, "Dan"))
    assert mail.status == ("sent" if setting == "digest" else "unwanted")
    world.service.people.choose("Dan", [("subscribed", "on")], actor=ADMIN, cause="test:subscribe")
    world.wait(hours=1)
    sweep(world)


def test_who_has_several_games_reads_of_the_season_once_and_before_them(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    kinds = [kind for kind, player in sent(world) if player == "Ada"]
    assert kinds.count(MailKind.LEAGUE_STARTED) == 1
    assert kinds.index(MailKind.LEAGUE_STARTED) < min(kinds.index(kind) for kind in GAMES if kind in kinds)


def test_the_league_can_be_left_by_an_answer_to_the_mail_of_a_game(world: World) -> None:
    club = Club(world)
    club.evening()
    club.all_ready()
    world.answer(address(NAMES[0]), "confirm leave league-1", sender=address(NAMES[0]))
    assert world.outcome() == "done: leave league-1"
    assert season(world, club.league).withdrawn == (number(world, NAMES[0]),)
