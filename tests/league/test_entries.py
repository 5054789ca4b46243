"""Entries to a season, and its beginning."""

from collections.abc import Callable

import pytest

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, LOTS, League, day
from turnserver.errors import NotAllowed, NotFound, SecretLost
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.decide import decide
from turnserver.league.entering import waiting
from turnserver.league.scoring.lots import Lots
from turnserver.league.settings import Format, Settings, TierSize, complete
from turnserver.league.state import Phase

FOUR = (ADA, BOB, CLEO, DAN)


def announced(settings: Settings | None = None, *, until: float | None = None) -> League:
    league = League(settings or Settings())
    league.do(c.AnnounceSeason(None if until is None else day(until)))
    return league


def entered(settings: Settings | None = None, *, until: float | None = None) -> League:
    league = announced(settings, until=until)
    league.do(*(c.Enter(player, 1500 + player) for player in FOUR))
    return league


def asked() -> League:
    league = entered(Settings(ready_hours=48))
    league.do(c.StartSeason())
    return league


def running() -> League:
    league = League(Settings())
    league.begin(FOUR)
    return league


REFUSED: list[tuple[Callable[[], League], object, str]] = [
    (running, c.OpenLeague("Winter", "take", {}, Settings()), "already_open"),
    (announced, c.AnnounceSeason(), "season_open"),
    (lambda: League(Settings()), c.AnnounceSeason(day(0)), "bad_instant"),
    (lambda: League(Settings()), c.Enter(ADA, 1500), "no_season"),
    (lambda: League(Settings()), c.CheckLeague(), "nothing_due"),
    (entered, c.CheckLeague(), "nothing_due"),
    (entered, c.Enter(ADA, 1500), "already_entered"),
    (asked, c.Enter(ADA, 1500), "already_entered"),
    (asked, c.Enter(EVE, 1500), "entries_closed"),
    (running, c.Enter(EVE, 1500), "season_running"),
    (lambda: announced(Settings(rating_from=1400)), c.Enter(ADA, 1399.0), "bad_rating"),
    (lambda: announced(Settings(rating_to=1400)), c.Enter(ADA, 1401.0), "bad_rating"),
    (lambda: announced(Settings(reliability=90)), c.Enter(ADA, 1500, 89), "unreliable"),
    (entered, c.Confirm(ADA), "no_ready_check"),
    (asked, c.Confirm(EVE), "not_entered"),
    (entered, c.Withdraw(EVE), "not_in_season"),
    (announced, c.StartSeason(), "too_few"),
    (asked, c.StartSeason(), "too_few"),
    (running, c.StartSeason(), "season_running"),
    (running, c.DropSeason("rain"), "season_running"),
]


@for_each(("given", "command", "code"), REFUSED, ids=[f"{code}-{type(command).__name__}" for _, command, code in REFUSED])
def test_refusals(given: Callable[[], League], command: object, code: str) -> None:
    league = given()
    before = league.state
    assert league.refusal(command) == code  # type: ignore[arg-type]  # every one of them is a command
    assert league.state == before


def test_a_league_is_opened_with_everything_spelled_out() -> None:
    opened = League(Settings()).events
    assert opened == [e.LeagueOpened(name="Winter", game="take", options={}, time="", settings=complete(Settings()))]


def test_there_is_nothing_to_ask_of_a_league_that_was_never_opened() -> None:
    with pytest.raises(NotFound):
        decide(None, c.StartSeason(), day(0), LOTS)


def test_another_secret_than_was_committed_to_is_noticed() -> None:
    league = announced()
    with pytest.raises(SecretLost):
        decide(league.state, c.Enter(ADA, 1500), day(0), Lots(bytes(32)))


def test_announcing_and_entering() -> None:
    league = League(Settings(rating_from=1400, rating_to=1600, reliability=80))
    assert league.do(c.AnnounceSeason(day(7))) == [e.SeasonAnnounced(season=1, entries_until=day(7), commitment=LOTS.commitment(1))]
    assert league.do(c.Enter(ADA, 1400.0, 80)) == [e.PlayerEntered(player=ADA, rating=1400.0)]
    assert league.do(c.Enter(BOB, 2000.0, 10, by_admin=True)) == [e.PlayerEntered(player=BOB, rating=2000.0)]
    assert league.do(c.Enter(CLEO, 1600.0)) == [e.PlayerEntered(player=CLEO, rating=1600.0)]
    assert league.do(c.Withdraw(BOB)) == [e.EntryWithdrawn(player=BOB)]
    assert [entry.player for entry in league.season.entries] == [ADA, CLEO]


def test_entries_end_in_time_even_if_nobody_has_looked() -> None:
    league = announced(until=7)
    league.now = day(7.1)
    assert league.refusal(c.Enter(ADA, 1500)) == "entries_closed"


def test_the_waiting_list_moves_up() -> None:
    league = entered(Settings(most=3))
    assert waiting(league.state, league.season) == (DAN,)
    league.do(c.Withdraw(BOB))
    assert waiting(league.state, league.season) == ()
    league.do(c.Enter(EVE, 1500))
    started = league.do(c.StartSeason())[0]
    assert isinstance(started, e.SeasonStarted)
    assert sorted(started.divisions[0].players) == [ADA, CLEO, DAN]


def test_who_does_not_say_that_they_are_there_is_out() -> None:
    league = entered(Settings(ready_hours=48, most=3), until=7)
    assert due(league.state) == day(7)
    league.now = day(7)
    assert league.do(c.CheckLeague()) == [e.ReadyCheckBegun(until=day(9))]
    assert due(league.state) == day(9)
    assert league.do(c.Confirm(ADA)) == [e.PlayerReady(player=ADA)]
    assert league.refusal(c.Confirm(ADA)) == "already_ready"
    league.do(c.Confirm(DAN), c.Confirm(CLEO))
    league.now = day(9)
    started = league.do(c.CheckLeague())[0]
    assert isinstance(started, e.SeasonStarted)
    assert sorted(started.divisions[0].players) == [ADA, CLEO, DAN]


def test_an_admin_need_not_wait_for_the_end_of_the_ready_check() -> None:
    league = asked()
    league.do(c.Confirm(ADA), c.Confirm(BOB), c.Confirm(CLEO), c.StartSeason())
    assert league.season.phase is Phase.RUNNING


def test_a_season_with_too_few_players_is_dropped_and_another_can_be_announced() -> None:
    league = announced(until=7)
    league.now = day(7)
    assert league.do(c.CheckLeague()) == [e.SeasonDropped(reason="0 players of 3")]
    assert due(league.state) is None
    assert league.do(c.AnnounceSeason())[0] == e.SeasonAnnounced(season=2, entries_until=None, commitment=LOTS.commitment(2))
    assert league.do(c.DropSeason("rain")) == [e.SeasonDropped(reason="rain")]
    assert league.refusal(c.Withdraw(ADA)) == "no_season"


def test_divisions_by_strength_with_the_newest_ratings() -> None:
    league = entered(Settings(format=Format.SWISS, least=2, tiers=(TierSize(size=2, moves=1), TierSize(size=2))))
    started = league.do(c.StartSeason({ADA: 1600.0}))[0]
    assert isinstance(started, e.SeasonStarted)
    assert [(each.name, each.tier, each.players) for each in started.divisions] == [("1", 1, (ADA, DAN)), ("2", 2, (CLEO, BOB))]
    assert {move.player: (move.before, move.after) for move in started.moves} == {
        ADA: (None, 1),
        DAN: (None, 1),
        CLEO: (None, 2),
        BOB: (None, 2),
    }


def test_divisions_side_by_side_have_names_of_their_own() -> None:
    league = entered(Settings(tiers=(TierSize(size=2, divisions=2),)))
    league.do(c.StartSeason())
    assert [each.name for each in league.season.divisions] == ["1.1", "1.2"]


def test_a_start_in_points() -> None:
    league = entered(Settings(format=Format.MCMAHON, bounds=(1513, 1514)))
    league.do(c.StartSeason())
    division = league.season.divisions[0]
    assert (division.players, division.start) == ((DAN, CLEO, BOB, ADA), ("2", "1", "0", "0"))


def test_numbers_are_drawn_where_everybody_meets_everybody() -> None:
    league = running()
    assert league.season.divisions[0].players == LOTS.drawn(1, "numbers of 1", FOUR)


def test_too_few_players_are_counted() -> None:
    with pytest.raises(NotAllowed, match="needs 3 players, and there are 0"):
        decide(announced().state, c.StartSeason(), day(0), LOTS)
