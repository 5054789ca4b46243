"""Requests to leagues by mail: entering, leaving, being there, challenging, looking."""

from datetime import timedelta
from fractions import Fraction

import pytest
from msgspec.structs import replace

from tests.service.leagues.league_world import ADMIN, begin, lose_all, number, open_league, season, state, sweep
from tests.service.world import PEOPLE, World
from turnserver.audit.league import leagues
from turnserver.config import Level
from turnserver.errors import NotAllowed
from turnserver.ids import GameId, LeagueId, Version
from turnserver.league.settings import Format, Settings
from turnserver.league.state import Phase
from turnserver.mail.outbound.kinds import MailKind
from turnserver.service.leagues.commands import refuse_past
from turnserver.store.mail import outbox

DAN = "dan@example.org"


def announced(world: World, settings: Settings | None = None) -> LeagueId:
    """A league whose entries are open for ten days."""
    league = open_league(world, settings or Settings(ready_hours=48, most=3))
    world.service.leagues.announce(league, world.now + timedelta(days=10), actor=ADMIN, cause="test:announce")
    return league


def kind(world: World, name: str) -> str:
    """Of the newest mail that a player got."""
    return str(world.mails(name)[-1]["Message-ID"]).partition(".")[0].strip("<")


def entered(world: World, league: LeagueId) -> list[int]:
    found = state(world, league).season
    assert found is not None
    return [entry.player for entry in found.entries]


def test_a_player_enters_and_leaves_by_mail(world: World) -> None:
    league = announced(world)
    world.answer("Ada", "join league-1")
    assert (world.outcome(), kind(world, "Ada")) == ("done: join league-1", MailKind.LEAGUE_ANSWER)
    assert "You entered season 1 of Take Winter." in world.text("Ada")
    assert entered(world, league) == [number(world, "Ada")]
    world.answer("Ada", "leave Take Winter")
    assert "You left season 1 of Take Winter." in world.text("Ada")
    assert entered(world, league) == []
    assert world.service.leagues.history(league)[-1].actor == f"player-{number(world, 'Ada')}"


def test_who_comes_late_waits_and_hears_of_a_place(world: World) -> None:
    announced(world)
    for name in ("Ada", "Bob", "Cleo", DAN):
        world.answer(name, "mitspielen league-1", sender=PEOPLE.get(name, name))
    assert "you are number 1 on the waiting list" in " ".join(world.text(DAN).split())
    world.answer("Bob", "leave league-1")
    assert kind(world, DAN) == MailKind.LEAGUE_ENTRY
    assert "you got their place" in " ".join(world.text(DAN).split())


def test_one_word_says_that_one_is_there(world: World) -> None:
    league = announced(world)
    for name in ("Ada", "Bob", "Cleo"):
        world.answer(name, "join league-1")
    world.wait(days=10)
    sweep(world)
    assert kind(world, "Ada") == MailKind.LEAGUE_READY
    world.answer("Ada", "Ready!")
    assert (world.outcome(), kind(world, "Ada")) == ("done: ready league-1", MailKind.LEAGUE_ANSWER)
    found = state(world, league).season
    assert found is not None
    assert [entry.ready for entry in found.entries] == [True, False, False]


def test_a_player_asks_for_a_bye_and_plays_after_all(world: World) -> None:
    league = open_league(world, Settings(format=Format.SWISS, rounds=3))
    begin(world, league)
    world.answer("Ada", "bye league-1")
    assert (world.outcome(), kind(world, "Ada")) == ("done: bye league-1", MailKind.LEAGUE_ANSWER)
    assert "Points for it: ½." in " ".join(world.text("Ada").split())
    assert season(world, league).byes == {(number(world, "Ada"), 2): Fraction(1, 2)}
    world.answer("Ada", "ready league-1")
    assert "You play in round 2 of season 1 of Take Winter after all." in " ".join(world.text("Ada").split())
    assert season(world, league).byes == {}
    world.answer("Ada", "bye league-1 0")
    assert season(world, league).byes == {(number(world, "Ada"), 2): 0}
    world.answer("Ada", "ready league-1")
    world.answer("Bob", "freilos league-1")
    lose_all(world, league)
    sweep(world)
    assert [one.worth for one in season(world, league).fixtures if one.players == (number(world, "Bob"),)] == [Fraction(1, 2)]
    assert "you have a bye, so no game" in " ".join(world.text("Bob").split())


def test_byes_are_asked_for_before_the_start_and_for_later_rounds(world: World) -> None:
    league = announced(world, Settings(format=Format.SWISS, rounds=4, ready_hours=24))
    world.answer("Ada", "bye league-1")
    assert "You aren't in season 1. Enter it first." in " ".join(world.text("Ada").split())
    for name in ("Ada", "Bob", "Cleo"):
        world.answer(name, "join league-1")
    ada = number(world, "Ada")
    asked: dict[str, dict[int, Fraction | int]] = {
        "bye league-1": {1: Fraction(1, 2)},
        "freilos liga-1 runde 3": {1: Fraction(1, 2), 3: 0},
        "bye league-1 0 round 2": {1: Fraction(1, 2), 2: 0, 3: 0},
        "ready league-1 round 3": {1: Fraction(1, 2), 2: 0},
        "bye league-1 round 7": {1: Fraction(1, 2), 2: 0},
        "ready league-1 round 4": {1: Fraction(1, 2), 2: 0},
    }
    for text, byes in asked.items():
        world.answer("Ada", text)
        assert season(world, league).byes == {(ada, at): worth for at, worth in byes.items()}, text
    refused = [mail for mail in world.outbox() if mail.kind == MailKind.REFUSAL and mail.player == ada]
    assert len(refused) == 3
    assert "No bye was asked for in round 4, but in rounds 1 and 2." in " ".join(world.text("Ada").split())
    world.answer("Ada", "league-1")
    assert "You have a bye in rounds 1 and 2." in " ".join(world.text("Ada").split())
    # whoever is asked whether they are there says that by it, and only then that they play after all
    world.service.leagues.start(league, actor=ADMIN, cause="test:start")
    for name in ("Ada", "Bob", "Cleo"):
        world.answer(name, "ready league-1")
    assert set(season(world, league).byes) == {(ada, 1), (ada, 2)}
    world.answer("Cleo", "bye league-1")
    world.answer("Cleo", "ready league-1")
    world.service.leagues.start(league, ask=False, actor=ADMIN, cause="test:begin")
    sweep(world)
    assert [(one.round, one.worth) for one in season(world, league).fixtures if one.players == (ada,)] == [(1, Fraction(1, 2))]
    assert list(leagues.verify(world.service.db, league)) == []


def asked_who_plays(world: World) -> LeagueId:
    """A league that has asked its three players whether they will play, and waits for two days."""
    league = announced(world)
    for name in ("Ada", "Bob", "Cleo"):
        world.answer(name, "join league-1")
    world.wait(days=10)
    sweep(world)
    return league


SAID = [
    *(("done: ready league-1", text) for text in ("Yes, I'm in!", "Bin dabei!", "Ja, klar. Ich freue mich!", "Bereit!", "I am ready")),
    *(("done: leave league-1", text) for text in ("leider nicht", "Nein danke, diesmal nicht.")),
]


@pytest.mark.parametrize(("outcome", "text"), SAID)
def test_a_yes_or_no_says_whether_one_is_there(world: World, text: str, outcome: str) -> None:
    asked_who_plays(world)
    world.answer("Ada", text)
    assert (world.outcome(), kind(world, "Ada")) == (outcome, MailKind.LEAGUE_ANSWER)


@pytest.mark.parametrize("bye", ["bye league-1 round 2", "ready league-1 round 3"])
def test_a_bye_does_not_say_that_one_is_there_and_the_answer_says_so(world: World, bye: str) -> None:
    league = announced(world, Settings(format=Format.SWISS, rounds=4, ready_hours=24))
    for name in ("Ada", "Bob", "Cleo", "Ada"):
        world.answer(name, "bye league-1 round 3" if entered(world, league)[2:] else "join league-1")
    world.wait(days=10)
    sweep(world)
    world.answer("Ada", bye)
    told = " ".join(world.text("Ada").split())
    assert "If you will, write ready league-1 before Thursday 12 March 2026, 12:01 (UTC). If we hear nothing, you are not in it." in told
    world.answer("Ada", "yes")
    assert world.outcome() == "done: ready league-1"
    world.answer("Ada", "bye league-1")
    assert "If you will" not in world.text("Ada")


STILL_ASKED = {
    "en": "Will you play? Answer before Friday 13 March 2026, 12:01 (UTC). If you do not answer, you are not in this season. "
    "Reply, if you will play: ready league-1 not to play this time: leave league-1",
    "de": "bereit league-1",
}


@pytest.mark.parametrize(("text", "outcome"), [("ja", "ready"), ("Bin dabei", "ready"), ("bereit", "ready"), ("no", "leave")])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_refusal_asks_once_more_whether_one_is_there(world: World, language: str, text: str, outcome: str) -> None:
    asked_who_plays(world)
    asked = world.mails("Ada")[-1]
    world.service.people.choose("Ada", [("language", language)], actor=ADMIN, cause="test:language")
    world.answer("Ada", "Das sage ich dir morgen.", mail=asked)
    told = " ".join(world.text("Ada").split())
    assert (kind(world, "Ada"), STILL_ASKED[language] in told, "Take Winter" in told) == (MailKind.REFUSAL, True, True)
    world.answer("Ada", text)
    assert world.outcome() == f"done: {outcome} league-1"


def test_a_second_yes_to_whether_one_is_there_drops_no_bye(world: World) -> None:
    league = announced(world, Settings(format=Format.SWISS, rounds=4, ready_hours=48, least=2))
    for name in ("Ada", "Bob", "Cleo"):
        world.answer(name, "join league-1")
    world.answer("Ada", "bye league-1 round 2")
    world.wait(days=10)
    sweep(world)
    asked, byes = world.mails("Ada")[-1], season(world, league).byes
    outcomes = []
    for _ in range(2):
        world.answer("Ada", "yes", mail=asked)
        outcomes.append(world.outcome())
    assert outcomes == ["done: ready league-1", "done: refused: already_ready"]
    assert (len(byes), season(world, league).byes) == (1, byes)


def test_a_refusal_quotes_the_yes_that_was_written(world: World) -> None:
    asked_who_plays(world)
    asked = world.mails("Ada")[-1]
    world.answer("Ada", "Ja, ich spiele mit.")
    world.answer("Ada", "Ja, ich spiele mit!", mail=asked)
    assert "You wrote: | Ja, ich spiele mit! -> You have told us already." in " ".join(world.text("Ada").split())


def test_a_refusal_asks_nothing_that_is_answered(world: World) -> None:
    asked_who_plays(world)
    asked = world.mails("Ada")[-1]
    world.answer("Ada", "yes")
    world.answer("Ada", "That will be fun.", mail=asked)
    assert "Will you play?" not in world.text("Ada")


def test_a_yes_to_a_refusal_that_asked_about_an_earlier_season_enters_no_later_one(world: World) -> None:
    league = asked_who_plays(world)
    world.answer("Ada", "Let me think about it.")
    refusal = world.mails("Ada")[-1]
    world.wait(days=3)
    sweep(world)
    world.service.leagues.announce(league, world.now + timedelta(days=10), actor=ADMIN, cause="test:again")
    world.answer("Ada", "yes", mail=refusal)
    assert world.outcome() == "done: refused: earlier_season"
    with world.service.db.read() as conn:
        row = outbox.by_message_id(conn, str(refusal["Message-ID"]))
        assert row is not None
        # as where the mail that was refused had come to the address of a game, which goes on for long
        with pytest.raises(NotAllowed):
            refuse_past(conn, replace(row, game=GameId(1), version=Version(99)))


@pytest.mark.parametrize("text", ["I have to think.", "Ja, ich spiele mit", "Ja\nvielleicht", "Yes\nI play on"])
def test_a_refusal_asks_once_more_whether_one_leaves(world: World, text: str) -> None:
    league = open_league(world)
    begin(world, league, ("Ada", "Bob", "Cleo"))
    world.answer("Ada", "leave league-1")
    world.answer("Ada", text)
    told = " ".join(world.text("Ada").split())
    assert "Do you want to leave season 1 of Take Winter?" in told
    assert "To play on, do nothing. Reply, to leave: confirm leave league-1" in told
    world.answer("Ada", "yes")
    assert (world.outcome(), season(world, league).withdrawn) == ("done: leave league-1", (number(world, "Ada"),))
    # nobody is asked to leave what they have left
    world.answer("Ada", "Bye, all!", mail=world.mails("Ada")[-2])
    assert "Do you want to leave" not in world.text("Ada")


@pytest.mark.parametrize(
    ("language", "confirmation"),
    [
        ("en", "yes"),
        ("en", "confirm leave"),
        ("en", "confirm leave league-1"),
        ("de", "bestätige abmelden liga-1"),
        ("de", "Bestätige Abmeldung"),
    ],
)
def test_nobody_leaves_a_season_that_has_begun_before_they_confirm_it(world: World, language: str, confirmation: str) -> None:
    league = open_league(world)
    begin(world, league, ("Ada", "Bob", "Cleo"))
    world.answer("Ada", f"set language {language}")
    before = state(world, league)
    world.answer("Ada", "leave league-1")
    assert (state(world, league), kind(world, "Ada")) == (before, MailKind.LEAGUE_LEAVING)
    asked = {"en": "confirm leave league-1", "de": "bestätige abmeldung league-1"}
    assert asked[language] in world.text("Ada")
    world.answer("Ada", confirmation)
    assert (world.outcome(), kind(world, "Ada")) == ("done: leave league-1", MailKind.LEAGUE_ANSWER)
    assert season(world, league).withdrawn == (number(world, "Ada"),)
    if language == "en":
        world.answer("Ada", "leave league-1")
        assert "You aren't in season 1, so there is nothing to leave." in " ".join(world.text("Ada").split())


@pytest.mark.parametrize("confirmation", ["yes", "confirm leave league-1"])
def test_a_yes_to_a_question_about_an_earlier_season_leaves_no_later_one(world: World, confirmation: str) -> None:
    league = open_league(world)
    begin(world, league, ("Ada", "Bob", "Cleo"))
    world.answer("Ada", "leave league-1")
    asked = world.mails("Ada")[-1]
    lose_all(world, league)
    sweep(world)
    begin(world, league, ("Ada", "Bob", "Cleo"))
    before = season(world, league)
    world.answer("Ada", confirmation, mail=asked)
    assert (world.outcome(), season(world, league)) == ("done: refused: earlier_season", before)
    assert "For the present one, write ready league-1 or leave league-1." in " ".join(world.text("Ada").split())


def test_whoever_will_be_asked_is_not_told_that_there_is_nothing_to_do(world: World) -> None:
    league = open_league(world, Settings(least=2, ready_hours=48))
    begin(world, league, ("Ada", "Bob"))
    for name in ("Ada", "Bob"):
        world.answer(name, "yes")
    world.service.leagues.start(league, ask=False, actor=ADMIN, cause="test:now")
    sweep(world)
    lose_all(world, league)
    sweep(world)
    world.service.leagues.announce(league, world.now + timedelta(days=10), actor=ADMIN, cause="test:again")
    world.wait(hours=1)
    sweep(world)
    told = " ".join(world.text("Ada").split())
    assert ("Only those who answer it in time are in." in told, "Nothing for you to do" in told) == (True, False)


def test_a_no_to_an_earlier_ready_check_keeps_a_later_entry(world: World) -> None:
    league = announced(world, Settings(ready_hours=48, most=3))
    world.answer("Ada", "join league-1")
    world.wait(days=10)
    sweep(world)
    asked = world.mails("Ada")[-1]
    world.wait(days=3)
    sweep(world)
    assert state(world, league).season is None
    world.service.leagues.announce(league, world.now + timedelta(days=10), actor=ADMIN, cause="test:again")
    world.answer("Ada", "join league-1")
    world.answer("Ada", "no", mail=asked)
    assert (world.outcome(), entered(world, league)) == ("done: refused: earlier_season", [number(world, "Ada")])


def test_an_entry_that_arrives_in_time_counts(world: World) -> None:
    league = announced(world)
    world.answer("Ada", "join league-1")
    world.wait(days=9.99)
    world.answer("Bob", "join league-1", settle=False)
    world.wait(days=1)
    sweep(world)
    found = state(world, league).season
    assert found is not None
    assert (found.phase, len(found.entries)) == (Phase.READY_CHECK, 2)


REFUSED = [
    ("join league-7", "There is no league"),
    ("join league-1\nleave league-1", "needs a mail of its own"),
    ("join league-1\nleagues", "needs a mail of its own"),
    ("leave league-1", "You aren't in season 1, so there is nothing to leave."),
    ("ready league-1", "We haven't asked yet whether you are there."),
    ("challenge Bob in league-1", "Season 1 hasn't begun yet. That can be done once it has."),
    ("challenge 2 in league-1", 'There is nobody here with the name or address "2"'),
    ("challenge Bob in league-1 time=1d", "Write nothing behind its name: challenge Bob in league-1"),
]


@pytest.mark.parametrize(("text", "told"), REFUSED)
def test_what_cannot_be_done_is_refused_with_a_reason(world: World, text: str, told: str) -> None:
    league = announced(world)
    before = state(world, league)
    world.answer("Ada", text)
    assert kind(world, "Ada") == MailKind.REFUSAL
    assert told in " ".join(world.text("Ada").split())
    assert state(world, league) == before


def test_a_command_needs_an_answer_to_one_of_our_mails_and_a_question_does_not(world: World) -> None:
    league = announced(world)
    site = world.service.settings.site.address
    world.answer("Ada", "join league-1", to=site)
    assert world.outcome() == "done: refused: no_token"
    assert entered(world, league) == []
    world.answer("Ada", "leagues\nleague-1", to=site)
    texts = [str(mail.get_content()) for one in world.mails("Ada")[-2:] if (mail := one.get_body(("plain",)))]
    assert any("* Take Winter (league-1): season 1 is open for entries until" in text for text in texts)
    assert any("  to enter:" in text for text in texts)


@pytest.mark.parametrize(("level", "outcome"), [(None, "done: refused: not_shown"), ("players", "done: answered")])
def test_the_table_of_a_league_is_for_those_who_may_see_its_page(world: World, level: Level | None, outcome: str) -> None:
    league = open_league(world, Settings(least=2))
    begin(world, league, ("Ada", "Bob"))
    if level:
        world.service.pages.public.show_to("league", league, level)
    world.answer("Cleo", "table league-1")
    assert world.outcome() == outcome
    assert ("Ada" in world.text("Cleo")) == (level is not None)
    world.answer("Cleo", "leagues")
    assert ("Take Winter" in world.text("Cleo")) == (level is not None)
    world.answer("Ada", "table league-1")
    assert "Bob" in world.text("Ada")


def test_a_ladder_that_is_played_is_listed_for_those_who_may_still_enter(world: World) -> None:
    league = open_league(world, Settings(format=Format.LADDER, least=2))
    begin(world, league, ("Ada", "Bob"))
    world.answer("Cleo", "leagues")
    assert "join league-1" in world.text("Cleo")
    world.answer("Ada", "leagues")
    assert "join league-1" not in world.text("Ada")


def test_a_ladder_is_climbed_by_mail(world: World) -> None:
    league = open_league(world, Settings(format=Format.LADDER, least=2))
    begin(world, league, ("Ada", "Bob", "Cleo"))
    names = {person.id: person.name for person in world.service.people.everybody()}
    order = [names[one] for one in season(world, league).order]
    example = {name: " ".join(world.text(name).split()).partition("to challenge ")[2].partition(":")[0] for name in ("Ada", "Bob")}
    assert example == {"Ada": "Bob", "Bob": "Ada"}
    world.answer(order[1], f"challenge {order[0]} in league-1")
    assert world.outcome() == "done: challenge league-1"
    assert f"you challenged {order[0]}" in world.text(order[1])
    sweep(world)
    (fixture,) = season(world, league).fixtures
    assert fixture.game is not None
    assert "League: Take Winter, season 1." in world.text(order[0])
    world.answer(order[0], f"challenge {order[2]} in league-1")
    assert kind(world, order[0]) == MailKind.REFUSAL
    world.answer(DAN, "join league-1", sender=DAN)
    assert "You start at the bottom of the ladder" in world.text(DAN)


def test_a_league_is_shown_to_whoever_asks(world: World) -> None:
    league = open_league(world)
    begin(world, league)
    world.answer("Ada", "league-1")
    assert kind(world, "Ada") == MailKind.LEAGUE_TABLE
    text = world.text("Ada")
    assert "This is how season 1 of Take Winter stands." in text
    assert "Games finished: 0 of 6." in text
    assert "* Round 1, Take " in text
