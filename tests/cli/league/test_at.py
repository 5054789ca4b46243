"""A league and its ratings at a moment of the past."""

import pytest

from tests.cli.club import Club
from tests.cli.league.league_club import AUTUMN, DUEL
from tests.cli.league.rated_club import play
from tests.cli.typed import declared, service_of, typed
from turnserver.audit import derived_rows
from turnserver.cli.league.group import load
from turnserver.cli.league.shapes import LeagueDetails, LeagueRating
from turnserver.cli.session import Session
from turnserver.ids import LeagueId
from turnserver.league.evolve import fold

SAYS = {
    "before a result": ("league standings 4 --at '2026-03-01 13:30'", "Autumn"),
    "as of when": ("league show 4 --at 5", "after 5 events"),
    "before it began": ("league show 1 --at 2", "Nobody has entered yet."),
    "games as they were": ("league show 4 --at '2026-03-01 13:30'", "to move"),
    "a history until then": ("league history 1 --at 3", "Ada"),
    "a line explained": ("league explain 1 Ada --at '2026-03-01 14:30'", "Ada in"),
}
REFUSES = {
    "no league": ("league show --at 5", "Name the league to show as it was."),
    "a version to come": ("league standings 4 --at 99", "League 4 has had "),
    "before it was set up": ("league show 4 --at 2026-02-01", "League 4 begins with event #"),
    "no table yet": ("league standings 1 --at 1", "has no season yet"),
    "ratings have no versions": ("league ratings take --at 3", "'3' is a version, and what all leagues came to has none."),
}


@pytest.mark.parametrize(("line", "fragment"), SAYS.values(), ids=SAYS)
def test_says(leagues: Club, line: str, fragment: str) -> None:
    assert fragment in leagues.printed(line)


@pytest.mark.parametrize(("line", "fragment"), REFUSES.values(), ids=REFUSES)
def test_refuses_in_one_sentence(leagues: Club, line: str, fragment: str) -> None:
    result = leagues.run(line)
    assert fragment in result.stderr
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("league", [AUTUMN, DUEL])
def test_each_version_is_the_fold_of_its_events(leagues: Club, league: int) -> None:
    service = service_of(leagues)
    events = [row.event for row in service.leagues.history(LeagueId(league))]
    service.db.close()
    run = Session(leagues.config, leagues.outside)
    for version in range(1, len(events) + 1):
        assert load(run, str(league), at=str(version)).state == fold(events[:version])
    run.close()


def test_a_result_that_came_later_is_in_no_table_before(leagues: Club) -> None:
    now = leagues.printed(f"league standings {AUTUMN}")
    then = leagues.printed(f"league standings {AUTUMN} --at '2026-03-01 13:30'")
    assert now != then
    assert leagues.printed(f"league standings {AUTUMN} --at '2026-03-01 15:00'") == now
    found = declared(typed(leagues, f"league show {AUTUMN} --at '2026-03-01 13:30' --json").stdout, "league show")
    assert isinstance(found, list)
    one: LeagueDetails = found[0]
    assert one.season is not None
    assert [(meeting.marks, meeting.turn) for meeting in one.season.meetings] == [([], 1)]


def ratings(club: Club, line: str) -> dict[str, tuple[float, int]]:
    found = declared(typed(club, f"league ratings take {line} --json").stdout, "league ratings")
    assert isinstance(found, list)
    those: list[LeagueRating] = found
    return {one.name: (one.rating, one.games) for one in those}


def test_ratings_are_as_they_were_known_whatever_was_corrected_later(club: Club) -> None:
    league = play(club, "Cleo", "Ada", "Bob")
    then, before = club.now, ratings(club, "")
    position = len(club.printed("audit trail --lines").splitlines())
    club.now = then.replace(month=then.month + 1)
    club.printed(f"league result {league} 2 draw --reason 'the wrong player resigned' --yes")
    service = service_of(club)
    service.upkeep.sweep()
    with service.db.read() as conn:
        assert list(derived_rows.verify_ratings(conn)) == []
    service.db.close()
    assert ratings(club, "") != before
    assert ratings(club, f"--at {then:%Y-%m-%dT%H:%M:%S.%fZ}") == before
    assert {name: games for name, (_, games) in ratings(club, f"--at '#{position}'").items()} == {
        name: games for name, (_, games) in before.items()
    }
    assert ratings(club, f"--at {club.now:%Y-%m-%dT%H:%M:%SZ}") == ratings(club, "")
    assert ratings(club, "--at 2026-03-01") == {}
    assert ratings(club, f"Cleo --at {then:%Y-%m-%dT%H:%M:%S.%fZ}")["Cleo"] == before["Cleo"]
