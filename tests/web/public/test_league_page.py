"""The page of a league in every format, its seasons and files; and the page of a player with the curve of a rating."""

import csv
import json
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from tests.service.leagues.league_world import FOUR, begin, do, lose_all, meeting, open_any, pass_days, resign, season, sweep
from tests.service.world import BEGIN
from tests.web.club import SETTINGS
from tests.web.public.showing import STRANGER, Shown, shown
from turnserver.config import leagues as presets
from turnserver.ids import GameId, LeagueId
from turnserver.league.commands import ArchiveLeague, Challenge, CloseSeason, OpenLeague, RenameLeague
from turnserver.league.scoring.ratings import Rating, RatingPoint
from turnserver.league.settings import Settings, TierSize
from turnserver.league.state import Phase
from turnserver.play.commands import Reopen
from turnserver.web.league.page import Asked, league_page
from turnserver.web.player.curve import MOST, curve

PUBLIC = replace(SETTINGS, web=replace(SETTINGS.web, games="public", leagues="public"))


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Shown]:
    directory = tmp_path_factory.mktemp("leagues")
    (directory / "turnserver.db").write_bytes(sqlite_template.read_bytes())
    with shown(f"sqlite:///{directory / 'turnserver.db'}", directory, PUBLIC, league=False) as found:
        yield found


def opened(there: Shown, name: str, settings: Settings, *, start: bool = True) -> LeagueId:
    """A league of Ada, Bob, Cleo and Dan whose season has begun."""
    world = there.club.world
    league, leagues = open_any(world, OpenLeague(name, "take", {"size": 2}, settings)), world.service.leagues
    leagues.announce(league, None, actor="admin:test", cause=f"test:announce:{name}")
    leagues.enter_all(league, FOUR, actor="admin:test", cause=f"test:enter:{name}")
    if start:
        leagues.start(league, ask=False, actor="admin:test", cause=f"test:start:{name}")
        sweep(world)
    return league


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("round-robin", ("Points: 1", "1 game 1 Why", "0 games 0 Why", "All results", "Round 1", "CSV")),
        ("double-round-robin", ("All results", "Points")),
        ("swiss", ("Buchholz", "FIDE's TRF", "Round 1")),
        ("mcmahon", ("All results", "Points")),
        ("knockout", ("Bracket", "Semifinals", "goes through")),
        ("double-knockout", ("Bracket", "without a loss")),
        ("ladder", ("At the start: place", "Challenges", "Month 1")),
    ],
)
def test_every_format(there: Shown, preset: str, says: tuple[str, ...]) -> None:
    league = opened(there, preset, replace(presets.preset(preset).settings, least=4))
    if preset == "ladder":
        order = season(there.club.world, league).order
        do(there.club.world, league, Challenge(order[2], order[1]))
        sweep(there.club.world)
    first = season(there.club.world, league).fixtures[0]
    assert first.game is not None
    resign(there.club.world, first.game, max(first.players))
    sweep(there.club.world)
    text = there.text(STRANGER, f"/leagues/{league}")
    page = there.at[STRANGER].page
    assert [words for words in (*says, "Standings", "Why this place?", "How it is played") if not page.says(words)] == []
    assert f'href="/turns/games/{first.game}"' in text


def test_before_a_season(there: Shown) -> None:
    """It says who has entered and how to; there is no table yet, and no file."""
    league = opened(there, "Spring", Settings(), start=False)
    there.text(STRANGER, f"/leagues/{league}")
    page = there.at[STRANGER].page
    assert page.says("4 players have entered")
    assert page.says(f"To enter, write a mail that says: join league-{league}")
    there.club.world.service.people.choose("Eve", [("language", "de")], actor="admin:test", cause="test:language")
    assert f"mitspielen league-{league}" in there.text("Eve", f"/leagues/{league}")
    for path in ("/seasons/1/tables.csv", "/seasons/1/season.json", "/seasons/1/divisions/1", "/seasons/7"):
        assert there.status(STRANGER, f"/leagues/{league}{path}") == 404


def test_divisions_have_pages_of_their_own(there: Shown) -> None:
    """The page of a season has them all in short."""
    tiers = (TierSize(size=2, moves=1), TierSize(size=2))
    league = opened(there, "Tiers", Settings(tiers=tiers, least=4))
    lose_all(there.club.world, league)
    there.text(STRANGER, f"/leagues/{league}")
    page = there.at[STRANGER].page
    first, second = (one.name for one in season(there.club.world, league).divisions)
    assert not page.says("Why this place?")
    page = there.at[STRANGER].press(f"Division {second}")
    assert there.at[STRANGER].path == f"/turns/leagues/{league}/seasons/1/divisions/{second}"
    assert page.says("Why this place?")
    assert page.links["All divisions"] == f"/turns/leagues/{league}"
    assert f"Division {first}" not in page.links


def test_seasons_of_the_past_stay(there: Shown) -> None:
    league = opened(there, "Years", Settings())
    while season(there.club.world, league).phase.value != "over" and season(there.club.world, league).phase.value != "closed":
        lose_all(there.club.world, league)
        pass_days(there.club.world, 1)
    begin(there.club.world, league)
    there.text(STRANGER, f"/leagues/{league}")
    page = there.at[STRANGER].press("Season 1")
    assert page.says("Years, season 1")
    assert page.says("Final table.")
    assert page.links["Season 2"] == f"/turns/leagues/{league}"


def test_an_archived_league_is_on_no_page_until_it_is_back(there: Shown) -> None:
    world = there.club.world
    league = opened(there, "Old", Settings())
    game = season(world, league).fixtures[0].game
    do(world, league, CloseSeason("enough"))
    do(world, league, RenameLeague("Very old", ""))
    assert "Very old" in there.text(STRANGER, "/leagues")
    assert "Very old" in there.text(STRANGER, f"/games/{game}")
    do(world, league, ArchiveLeague(""))
    assert there.status("Ada", f"/leagues/{league}") == 404
    assert "Very old" not in there.text("Ada", "/leagues")
    assert "Very old" not in there.text("Ada", f"/games/{game}")
    do(world, league, ArchiveLeague("", archived=False))
    assert there.status(STRANGER, f"/leagues/{league}") == 200


def test_a_long_table_explains_the_line_that_is_asked_for(there: Shown) -> None:
    league = opened(there, "Long", Settings())
    sight, site = there.club.world.service.pages.public.league(None, league), PUBLIC.site
    (found,) = league_page(sight, site, Asked(most=3)).divisions
    assert [(bool(line.explained), line.explain) for line in found.lines if line.anchor == "line-2"] == [
        (False, f"/leagues/{league}?explain=2#line-2")
    ]
    (found,) = league_page(sight, site, Asked(explain=2, most=3)).divisions
    assert [line.anchor for line in found.lines if line.explained] == ["line-2"]


def test_a_game_that_goes_on_again_after_the_season_is_told(there: Shown) -> None:
    league, world = opened(there, "Again", Settings()), there.club.world
    lose_all(world, league)
    pass_days(world, 1)
    assert season(world, league).phase is Phase.CLOSED
    world.service.games.handle(meeting(world, league, "Ada", "Bob").game or GameId(0), Reopen("no"), actor="admin:test", cause="test:again")
    sweep(world)
    there.text(STRANGER, f"/leagues/{league}")
    page = there.at[STRANGER].page
    assert page.says("season 1 is over, but 1 game of it goes on again.")
    assert page.says("The season is over, but 1 game goes on again, so the table isn't final.")


def test_files_are_what_they_say(there: Shown) -> None:
    league = opened(there, "=Formula", Settings())
    lose_all(there.club.world, league)
    sweep(there.club.world)
    place = f"/leagues/{league}/seasons/1"
    lines = list(csv.reader(StringIO(there.text(STRANGER, f"{place}/tables.csv"))))
    assert sorted(line[lines[0].index("name")] for line in lines[1:]) == [f"Player {number}" for number in (1, 2, 3, 4)]
    results = list(csv.reader(StringIO(there.text(STRANGER, f"{place}/results.csv"))))
    assert len(results) == 7
    assert results[1][0] == "'=Formula"
    assert json.loads(there.text(STRANGER, f"{place}/season.json"))["league"] == "=Formula"
    assert "attachment" in there.at[STRANGER].answer.headers["content-disposition"]


@pytest.fixture
def owl(there: Shown, request: pytest.FixtureRequest) -> Iterator[None]:
    """Bob is shown as Red Owl."""
    people, test = there.club.world.service.people, request.node.name
    people.choose("Bob", [("public", "as Red Owl")], actor="admin:test", cause=f"test:bob:{test}")
    yield
    people.choose("Bob", [("public", "off")], actor="admin:test", cause=f"test:bob again:{test}")


@pytest.mark.usefixtures("owl")
def test_a_report_has_the_ratings_of_those_with_a_page(there: Shown) -> None:
    league = opened(there, "Reported", replace(presets.preset("swiss").settings, least=4))
    text = there.text(STRANGER, f"/leagues/{league}/seasons/1/divisions/1/report.trf")
    ratings = {line[14:47].rstrip(): int(line[48:52]) for line in text.splitlines() if line.startswith("001")}
    assert {name: rating > 0 for name, rating in ratings.items()} == {
        "Player 1": False,
        "Red Owl": True,
        "Player 3": False,
        "Player 4": False,
    }


@pytest.mark.usefixtures("owl")
def test_a_player_has_games_results_rating_and_reliability(there: Shown) -> None:
    lose_all(there.club.world, opened(there, "Owls", Settings()))
    there.text(STRANGER, "/players/2")
    page = there.at[STRANGER].page
    assert page.says("Red Owl")
    assert page.says("Games that are over")
    assert "Bob" not in there.at[STRANGER].answer.text
    there.text("Ada", "/players/1")
    assert there.at["Ada"].page.says("nobody else can see it")


def test_the_curve_of_a_rating_is_in_its_frame() -> None:
    def point(day: int, rating: float) -> RatingPoint:
        return RatingPoint(BEGIN + timedelta(days=day), GameId(day), Rating(rating, 90.0, day, 110), None)  # type: ignore[arg-type]  # unused

    assert curve([point(1, 1500)], "Take") == ""
    for points in ([point(1, 1500), point(2, 1500)], [point(day, 1500 + day % 170) for day in range(1, 900)]):
        drawn = ET.fromstring(curve(points, "Take: <b>"))  # noqa: S314  # ours
        (line,) = drawn.iter("polyline")
        places = [tuple(map(float, place.split(","))) for place in line.attrib["points"].split()]
        assert 2 <= len(places) <= MOST + 1
        assert all(0 < across < 640 and 0 < down < 220 for across, down in places)
        assert [across for across, _ in places] == sorted(across for across, _ in places)
        assert drawn.findtext("title") == "Take: <b>"
