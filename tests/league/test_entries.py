"""Who gets into a season, and how it begins."""

from collections.abc import Callable

import pytest

from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, LOTS, League, day
from turnserver.errors import NotAllowed, NotFound, SecretLost
from turnserver.league.commands import AnnounceSeason, CheckLeague, Confirm, DropSeason, Enter, OpenLeague, StartSeason, Withdraw
from turnserver.league.course import due
from turnserver.league.decide import decide
from turnserver.league.entering import waiting
from turnserver.league.events import (
    EntryWithdrawn,
    LeagueOpened,
    PlayerEntered,
    PlayerReady,
    ReadyCheckBegun,
    SeasonAnnounced,
    SeasonDropped,
    SeasonStarted,
)
from turnserver.league.scoring.lots import Lots
from turnserver.league.settings import Format, Settings, TierSize, complete
from turnserver.league.state import Phase

FOUR = (ADA, BOB, CLEO, DAN)


def announced(settings: Settings | None = None, *, until: float | None = None) -> League:
    league = League(settings or Settings())
    league.do(AnnounceSeason(None if until is None else day(until)))
    return league


def entered(settings: Settings | None = None, *, until: float | None = None) -> League:
    league = announced(settings, until=until)
    league.do(*(Enter(player, 1500 + player) for player in FOUR))
    return league


def asked() -> League:
    league = entered(Settings(ready_hours=48))
    league.do(StartSeason())
    return league


def running() -> League:
    league = League(Settings())
    league.begin(FOUR)
    return league


REFUSED: list[tuple[Callable[[], League], object, str]] = [
    (running, OpenLeague("Winter", "take", {}, Settings()), "already_open"),
    (announced, AnnounceSeason(), "season_open"),
    (lambda: League(Settings()), AnnounceSeason(day(0)), "bad_instant"),
    (lambda: League(Settings()), Enter(ADA, 1500), "no_season"),
    (lambda: League(Settings()), CheckLeague(), "nothing_due"),
    (entered, CheckLeague(), "nothing_due"),
    (entered, Enter(ADA, 1500), "already_entered"),
    (asked, Enter(ADA, 1500), "already_entered"),
    (asked, Enter(EVE, 1500), "entries_closed"),
    (running, Enter(EVE, 1500), "season_running"),
    (lambda: announced(Settings(rating_from=1400)), Enter(ADA, 1399.0), "bad_rating"),
    (lambda: announced(Settings(rating_to=1400)), Enter(ADA, 1401.0), "bad_rating"),
    (lambda: announced(Settings(reliability=90)), Enter(ADA, 1500, 89), "unreliable"),
    (entered, Confirm(ADA), "no_ready_check"),
    (asked, Confirm(EVE), "not_entered"),
    (entered, Withdraw(EVE), "not_in_season"),
    (announced, StartSeason(), "too_few"),
    (asked, StartSeason(), "too_few"),
    (running, StartSeason(), "season_running"),
    (running, DropSeason("rain"), "season_running"),
]


@pytest.mark.parametrize(("given", "command", "code"), REFUSED, ids=[f"{code}-{type(command).__name__}" for _, command, code in REFUSED])
def test_refusals(given: Callable[[], League], command: object, code: str) -> None:
    league = given()
    before = league.state
    assert league.refusal(command) == code  # type: ignore[arg-type]  # every one of them is a command
    assert league.state == before


def test_a_league_is_opened_with_everything_spelled_out() -> None:
    opened = League(Settings()).events
    assert opened == [LeagueOpened(name="Winter", game="take", options={}, time="", settings=complete(Settings()))]


def test_there_is_nothing_to_ask_of_a_league_that_was_never_opened() -> None:
    with pytest.raises(NotFound):
        decide(None, StartSeason(), day(0), LOTS)


def test_another_secret_than_was_committed_to_is_noticed() -> None:
    league = announced()
    with pytest.raises(SecretLost):
        decide(league.state, Enter(ADA, 1500), day(0), Lots(bytes(32)))


def test_announcing_and_entering() -> None:
    league = League(Settings(rating_from=1400, rating_to=1600, reliability=80))
    assert league.do(AnnounceSeason(day(7))) == [SeasonAnnounced(season=1, entries_until=day(7), commitment=LOTS.commitment(1))]
    assert league.do(Enter(ADA, 1400.0, 80)) == [PlayerEntered(player=ADA, rating=1400.0)]
    assert league.do(Enter(BOB, 2000.0, 10, by_admin=True)) == [PlayerEntered(player=BOB, rating=2000.0)]
    assert league.do(Enter(CLEO, 1600.0)) == [PlayerEntered(player=CLEO, rating=1600.0)]
    assert league.do(Withdraw(BOB)) == [EntryWithdrawn(player=BOB)]
    assert [entry.player for entry in league.season.entries] == [ADA, CLEO]


def test_entries_end_in_time_even_if_nobody_has_looked() -> None:
    league = announced(until=7)
    league.now = day(7.1)
    assert league.refusal(Enter(ADA, 1500)) == "entries_closed"


def test_the_waiting_list_moves_up() -> None:
    league = entered(Settings(most=3))
    assert waiting(league.state, league.season) == (DAN,)
    league.do(Withdraw(BOB))
    assert waiting(league.state, league.season) == ()
    league.do(Enter(EVE, 1500))
    started = league.do(StartSeason())[0]
    assert isinstance(started, SeasonStarted)
    assert sorted(started.divisions[0].players) == [ADA, CLEO, DAN]


def test_who_does_not_say_that_he_is_there_is_out() -> None:
    league = entered(Settings(ready_hours=48, most=3), until=7)
    assert due(league.state) == day(7)
    league.now = day(7)
    assert league.do(CheckLeague()) == [ReadyCheckBegun(until=day(9))]
    assert due(league.state) == day(9)
    assert league.do(Confirm(ADA)) == [PlayerReady(player=ADA)]
    assert league.refusal(Confirm(ADA)) == "already_ready"
    league.do(Confirm(DAN), Confirm(CLEO))
    league.now = day(9)
    started = league.do(CheckLeague())[0]
    assert isinstance(started, SeasonStarted)
    assert sorted(started.divisions[0].players) == [ADA, CLEO, DAN]


def test_an_admin_need_not_wait_for_the_end_of_the_ready_check() -> None:
    league = asked()
    league.do(Confirm(ADA), Confirm(BOB), Confirm(CLEO), StartSeason())
    assert league.season.phase is Phase.RUNNING


def test_a_season_with_too_few_players_is_dropped_and_another_can_be_announced() -> None:
    league = announced(until=7)
    league.now = day(7)
    assert league.do(CheckLeague()) == [SeasonDropped(reason="0 players of 3")]
    assert due(league.state) is None
    assert league.do(AnnounceSeason())[0] == SeasonAnnounced(season=2, entries_until=None, commitment=LOTS.commitment(2))
    assert league.do(DropSeason("rain")) == [SeasonDropped(reason="rain")]
    assert league.refusal(Withdraw(ADA)) == "no_season"


def test_divisions_by_strength_with_the_newest_ratings() -> None:
    league = entered(Settings(format=Format.SWISS, least=2, tiers=(TierSize(size=2, moves=1), TierSize(size=2))))
    started = league.do(StartSeason({ADA: 1600.0}))[0]
    assert isinstance(started, SeasonStarted)
    assert [(each.name, each.tier, each.players) for each in started.divisions] == [("1", 1, (ADA, DAN)), ("2", 2, (CLEO, BOB))]
    assert {move.player: (move.before, move.after) for move in started.moves} == {
        ADA: (None, 1),
        DAN: (None, 1),
        CLEO: (None, 2),
        BOB: (None, 2),
    }


def test_divisions_side_by_side_have_names_of_their_own() -> None:
    league = entered(Settings(tiers=(TierSize(size=2, divisions=2),)))
    league.do(StartSeason())
    assert [each.name for each in league.season.divisions] == ["1.1", "1.2"]


def test_a_start_in_points() -> None:
    league = entered(Settings(format=Format.MCMAHON, bounds=(1513, 1514)))
    league.do(StartSeason())
    division = league.season.divisions[0]
    assert (division.players, division.start) == ((DAN, CLEO, BOB, ADA), ("2", "1", "0", "0"))


def test_numbers_are_drawn_where_everybody_meets_everybody() -> None:
    league = running()
    assert league.season.divisions[0].players == LOTS.drawn(1, "numbers of 1", FOUR)


def test_too_few_players_are_counted() -> None:
    with pytest.raises(NotAllowed, match="needs 3 players; there are 0"):
        decide(announced().state, StartSeason(), day(0), LOTS)
