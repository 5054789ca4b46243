"""The access of everybody to every page and download of a game and a league, at every level; and the names that they read."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.service.leagues.league_world import ADMIN, begin, do, lose_all, number, pass_days, season, sweep
from tests.web.club import SETTINGS
from tests.web.public.showing import EVERYBODY, GAME, LEAGUE, STRANGER, Shown, shown
from turnserver.config import Level
from turnserver.errors import NotFound
from turnserver.ids import GameId, PlayerId
from turnserver.league.commands import CloseSeason, GiveRole, Penalize, TakeRole, Withdraw
from turnserver.league.events import Role
from turnserver.play.commands import Adjudicate, Cancel
from turnserver.rules import Seat
from turnserver.service.pages.public import PublicPages
from turnserver.store.web.visibility import SEEN_BY, Relation

LEVELS: tuple[Level, ...] = ("seats", "players", "public")

REQUESTS = count()
AT_THE_TABLE = {"Ada"}
IN_THE_LEAGUE = {"Ada", "Dan"}
WITH_AN_ACCOUNT = {"Ada", "Dan", "Eve"}
ALL = {"Ada", "Dan", "Eve", STRANGER}


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Shown]:
    directory = tmp_path_factory.mktemp("visibility")
    (directory / "turnserver.db").write_bytes(sqlite_template.read_bytes())
    with shown(f"sqlite:///{directory / 'turnserver.db'}", directory) as found:
        yield found


@pytest.fixture(autouse=True)
def unsaid(there: Shown) -> Iterator[None]:
    """No admin has said anything, and nobody has chosen a name."""
    yield
    pages, people = there.club.world.service.pages.public, there.club.world.service.people
    for game in (there.game, there.played):
        pages.show_to("game", game, None)
    pages.show_to("league", there.league, None)
    people.choose("Ada", [("public", "off")], actor="admin:test", cause=f"test:unsaid:{next(REQUESTS)}")


@pytest.mark.parametrize(
    ("level", "relation", "sees"),
    [
        ("seats", Relation.STRANGER, False),
        ("seats", Relation.PLAYER, False),
        ("seats", Relation.SEAT, True),
        ("players", Relation.STRANGER, False),
        ("players", Relation.PLAYER, True),
        ("players", Relation.SEAT, True),
        ("public", Relation.STRANGER, True),
        ("public", Relation.PLAYER, True),
        ("public", Relation.SEAT, True),
    ],
)
def test_the_rule(level: Level, relation: Relation, sees: bool) -> None:
    assert (level in SEEN_BY[relation]) is sees


@pytest.mark.parametrize(
    ("own", "of_league", "sees"),
    [
        # no admin has said anything: the settings say seats
        (None, None, (AT_THE_TABLE, AT_THE_TABLE, IN_THE_LEAGUE)),
        ("players", None, (WITH_AN_ACCOUNT, WITH_AN_ACCOUNT, IN_THE_LEAGUE)),
        # a game of a league follows it
        (None, "public", (AT_THE_TABLE, ALL, ALL)),
        # unless it has a level of its own
        ("seats", "public", (AT_THE_TABLE, AT_THE_TABLE, ALL)),
        ("public", "seats", (ALL, ALL, IN_THE_LEAGUE)),
    ],
)
def test_every_page_and_download(
    there: Shown, own: Level | None, of_league: Level | None, sees: tuple[set[str], set[str], set[str]]
) -> None:
    """`own` is the level of both games, and `of_league` that of the league that the second one belongs to."""
    game, played, league = sees
    pages = there.club.world.service.pages.public
    for one in (there.game, there.played):
        pages.show_to("game", one, own)
    pages.show_to("league", there.league, of_league)
    expected = {f"/games/{there.game}{path}": game for path in GAME}
    expected |= {f"/games/{there.played}{path}": played for path in GAME}
    expected |= {f"/leagues/{there.league}{path}": league for path in LEAGUE}
    assert {path: there.seen_by(path) for path in expected} == expected
    # and in lists
    listed = {who for who in EVERYBODY if "Take Winter" in there.text(who, "/leagues")}
    assert listed == league


def test_what_is_hidden_is_refused_as_what_there_is_not(there: Shown) -> None:
    for who in (STRANGER, "Eve"):
        for path in GAME:
            hidden, missing = (there.text(who, f"/games/{number}{path}") for number in (there.game, 900))
            assert hidden.replace(f"games/{there.game}", "games/900") == missing
        for path in LEAGUE:
            hidden, missing = (there.text(who, f"/leagues/{number}{path}") for number in (there.league, 900))
            assert hidden.replace(f"leagues/{there.league}", "leagues/900") == missing
        hidden, missing = (there.text(who, f"/players/{number}") for number in (1, 900))
        assert hidden.replace("players/1", "players/900") == missing


def test_a_stranger_may_sign_in_and_come_back(there: Shown) -> None:
    there.text(STRANGER, f"/games/{there.game}")
    assert there.at[STRANGER].page.links["Sign in"] == f"/turns/sign-in?to=/games/{there.game}"
    there.text("Eve", f"/games/{there.game}")
    assert "Sign in" not in there.at["Eve"].page.links


def test_whoever_is_signed_in_no_longer_is_offered_to_sign_in(there: Shown) -> None:
    """Their browser still has the cookie, and perhaps that of a link."""
    eve, people = there.at["Eve"], there.club.world.service.people
    eve.cookies |= {"/turns/play": "turn=x"}
    there.club.world.service.pages.sessions.end_all(people.find("Eve").id)
    for path in (f"/games/{there.game}", "/nowhere", f"/play/{there.game}-5"):
        assert there.status("Eve", path) == 404
        assert eve.page.links["Sign in"] == f"/turns/sign-in?to={path}"


@pytest.mark.parametrize("games", LEVELS)
@pytest.mark.parametrize("leagues", LEVELS)
def test_the_settings_of_the_site(there: Shown, games: Level, leagues: Level) -> None:
    """Each is for its own kind: a game of a league is none of the others."""
    service = there.club.world.service
    settings = replace(SETTINGS, web=replace(SETTINGS.web, games=games, leagues=leagues))
    pages = PublicPages(service.ledger, service.leagues, settings, service.clock)
    eve = service.people.find("Eve").id

    def sees(who: PlayerId | None) -> tuple[bool, bool, bool, bool]:
        found = []
        for ask in (
            lambda: pages.game(who, there.game),
            lambda: pages.game(who, there.played),
            lambda: pages.league(who, there.league),
        ):
            try:
                ask()
            except NotFound:
                found.append(False)
            else:
                found.append(True)
        return (*found, bool(pages.leagues(who).leagues))  # type: ignore[return-value]  # there are three

    for who, level in ((None, ("public",)), (eve, ("players", "public"))):
        assert sees(who) == (games in level, leagues in level, leagues in level, leagues in level)


def test_a_game_does_not_tell_of_a_league_that_is_hidden(there: Shown) -> None:
    """Nor does a league lead to a game that is."""
    pages = there.club.world.service.pages.public
    pages.show_to("game", there.played, "public")
    for path in GAME:
        assert "Take Winter" not in there.text(STRANGER, f"/games/{there.played}{path}")
    assert "Take Winter" in there.text("Dan", f"/games/{there.played}")
    pages.show_to("game", there.played, "seats")
    pages.show_to("league", there.league, "public")
    its_season = f"/leagues/{there.league}/seasons/1"
    assert f"/games/{there.played}" not in there.text(STRANGER, its_season)
    assert f'"/turns/games/{there.played}"' in there.text("Ada", its_season)


def test_a_game_leads_to_those_beside_it_in_its_league(there: Shown) -> None:
    """Games that the reader may not see are passed over, and so is the league where that is hidden."""
    pages, fixtures = there.club.world.service.pages.public, season(there.club.world, there.league).fixtures
    games = [one.game for one in sorted(fixtures, key=lambda one: one.number)]
    assert len(games) == 6
    pages.show_to("league", there.league, "public")

    def walk(words: str, begin: GameId | None) -> list[GameId | None]:
        found, at = [begin], there.at[STRANGER]
        there.text(STRANGER, f"/games/{begin}")
        while f"{words} game of Take Winter" in at.page.links:
            at.press(f"{words} game of Take Winter")
            found.append(GameId(int(at.path.rpartition("/")[2])))
        return found

    assert walk("Next", games[0]) == games
    assert walk("Previous", games[-1]) == games[::-1]
    pages.show_to("game", there.played, "seats")
    seen = [one for one in games if one != there.played]
    assert walk("Next", seen[0]) == seen
    assert walk("Previous", seen[-1]) == seen[::-1]
    pages.show_to("game", there.played, None)
    do(there.club.world, there.league, CloseSeason("too long"))
    begin(there.club.world, there.league)
    assert walk("Next", games[0]) == games, "the next season has games of its own"
    pages.show_to("league", there.league, None)
    pages.show_to("game", there.played, "public")
    assert walk("Next", there.played) == walk("Previous", there.played) == [there.played]


PAGES = ("/games/{game}", "/games/{game}/history", "/games/{game}/record.txt", "/games/{played}/record.json", "/leagues/{league}")
FILES = ("/leagues/{league}/seasons/1/tables.csv", "/leagues/{league}/seasons/1/results.csv", "/leagues/{league}/seasons/1/season.json")


@pytest.mark.parametrize(
    ("choice", "strangers", "page"),
    [("off", "Player 1", set()), ("name", "Ada", ALL - {"Ada"}), ("as Blue Fox", "Blue Fox", ALL - {"Ada"})],
)
def test_names(there: Shown, choice: str, strangers: str, page: set[str]) -> None:
    """Those who share a game or a league with Ada read her name as mails have it; others read what she has chosen."""
    service = there.club.world.service
    service.pages.public.show_to("game", there.game, "public")
    service.pages.public.show_to("league", there.league, "public")
    service.people.choose("Ada", [("public", choice)], actor="admin:test", cause=f"test:{choice}:{next(REQUESTS)}")
    for form in (*PAGES, *FILES):
        path = form.format(game=there.game, played=there.played, league=there.league)
        for who in EVERYBODY:
            name = "Ada" if who in IN_THE_LEAGUE else strangers
            text = there.text(who, path)
            assert [one for one in ("Ada", "Player 1", "Blue Fox") if one in text] == [name], (who, path)
    # everybody sees their own
    assert there.seen_by("/players/1") == page | {"Ada"}
    linked = {who for who in EVERYBODY if "/turns/players/1" in there.text(who, f"/games/{there.game}")}
    assert linked == (ALL if page else set())


@pytest.mark.engines
def test_results_count_what_the_reader_may_see(database_url: str, tmp_path: Path) -> None:
    """Of Ada's games: won, lost and drawn by game; neither those that go on nor those without a result."""
    with shown(database_url, tmp_path, league=False) as found:
        world, service = found.club.world, found.club.world.service
        service.people.choose("Ada", [("public", "name")], actor="admin:test", cause="test:ada")
        played: list[tuple[str, str, Level, tuple[str, ...]]] = [
            ("take", "Bob", "public", ("Bob: confirm resign",)),
            ("take", "Bob", "seats", ("Ada: confirm resign",)),
            ("tako-judo", "Cleo", "players", ("Ada: draw", "Cleo: accept")),
            ("okago", "Bob", "public", ()),
            ("take", "Cleo", "public", ()),
        ]
        for game, opponent, level, said in played:
            opened = world.open_any(game, ["Ada", opponent], {})
            service.pages.public.show_to("game", opened, level)
            for line in said:
                name, _, words = line.partition(": ")
                world.answer(name, words)
                world.settle()
            if game == "okago":
                service.games.handle(opened, Cancel("a test"), actor="admin:test", cause="test:void")
        table = {
            who: re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td>', found.text(who, "/players/1"))
            for who in (STRANGER, "Eve", "Cleo", "Bob", "Ada")
        }
        to_all, draw, to_two = ("Take", "1", "0", "0"), ("Tako Judo", "0", "1", "0"), ("Take", "1", "0", "1")
        assert table == {STRANGER: [to_all], "Eve": [to_all, draw], "Cleo": [to_all, draw], "Bob": [to_two, draw], "Ada": [to_two, draw]}
        service.people.choose("Eve", [("language", "de")], actor="admin:test", cause="test:de")
        assert "Ergebnisse der Partien, die du sehen darfst Spiel gewonnen remis verloren Take 1 0 0" in " ".join(
            found.at["Eve"].go("/turns/players/1").words
        )
        service.people.choose("Ada", [("public", "off")], actor="admin:test", cause="test:off")
        assert found.seen_by("/players/1") == {"Ada"}


def test_what_organisers_wrote_is_read_by_those_whom_it_concerns(sqlite_url: str, tmp_path: Path) -> None:
    """Reasons may name anybody: those of a game are for its table, those of a league for who plays in it."""
    with shown(sqlite_url, tmp_path) as found:
        world, service = found.club.world, found.club.world.service
        service.games.handle(found.game, Adjudicate((Seat(1),), "Bob has the flu"), actor=ADMIN, cause="test:result")
        do(world, found.league, Penalize(number(world, "Dan"), "1", "Dan moved too late"))
        service.pages.public.show_to("game", found.game, "public")
        service.pages.public.show_to("league", found.league, "public")
        of_game = {who for who in EVERYBODY for path in GAME if "flu" in found.text(who, f"/games/{found.game}{path}")}
        of_league = {who for who in EVERYBODY for path in LEAGUE if "too late" in found.text(who, f"/leagues/{found.league}{path}")}
        assert (of_game, of_league) == ({"Ada"}, {"Ada", "Dan"})
        assert "The organisers decided the game." in found.text(STRANGER, f"/games/{found.game}/history")
        assert "as a penalty" in found.text(STRANGER, f"/leagues/{found.league}")


@pytest.mark.parametrize("role", [GiveRole, TakeRole])
def test_who_organises_a_league_today_reads_reasons_of_earlier_seasons(
    sqlite_url: str, tmp_path: Path, role: type[GiveRole | TakeRole]
) -> None:
    """And nobody else, whoever did so then."""
    with shown(sqlite_url, tmp_path) as found:
        world, league = found.club.world, found.league
        eve, leagues = number(world, "Eve"), world.service.leagues
        do(world, league, Penalize(number(world, "Dan"), "1", "Dan moved too late"))
        world.service.pages.public.show_to("league", league, "public")
        if role is TakeRole:
            do(world, league, GiveRole(eve, Role.DIRECTOR, ""))
        lose_all(world, league)
        pass_days(world, 1)
        leagues.announce(league, None, actor=ADMIN, cause="test:second")
        leagues.start(league, actor=ADMIN, cause="test:start")
        sweep(world)
        do(world, league, role(eve, Role.DIRECTOR, ""))
        assert ("too late" in found.text("Eve", f"/leagues/{league}/seasons/1")) == (role is GiveRole)


def test_names_of_a_season_are_read_by_those_who_were_in_it(sqlite_url: str, tmp_path: Path) -> None:
    """Dan has played in the first season and Eve in the second one."""
    with shown(sqlite_url, tmp_path) as found:
        world, league = found.club.world, found.league
        lose_all(world, league)
        pass_days(world, 1)
        leagues = world.service.leagues
        leagues.announce(league, None, actor=ADMIN, cause="test:second")
        do(world, league, Withdraw(number(world, "Dan")))
        leagues.enter(league, "Eve", by_admin=True, actor=ADMIN, cause="test:Eve")
        leagues.start(league, actor=ADMIN, cause="test:start")
        sweep(world)
        read = {(who, one): found.text(who, f"/leagues/{league}/seasons/{one}") for who in ("Dan", "Eve", "Ada") for one in (1, 2)}
        names = {
            at: {name for name in ("Ada", "Bob", "Cleo", "Dan", "Eve") if name in text.partition("<h1")[2]} for at, text in read.items()
        }
        assert names == {
            ("Dan", 1): {"Ada", "Bob", "Cleo", "Dan"},
            ("Dan", 2): {"Ada", "Bob", "Cleo"},
            ("Eve", 1): {"Ada", "Bob", "Cleo"},
            ("Eve", 2): {"Ada", "Bob", "Cleo", "Eve"},
            ("Ada", 1): {"Ada", "Bob", "Cleo", "Dan"},
            ("Ada", 2): {"Ada", "Bob", "Cleo", "Eve"},
        }


def test_who_was_erased_has_neither_name_nor_page(sqlite_url: str, tmp_path: Path) -> None:
    with shown(sqlite_url, tmp_path) as found:
        people, pages = found.club.world.service.people, found.club.world.service.pages.public
        pages.show_to("game", found.game, "public")
        bob = people.find("Bob").id
        people.choose("Bob", [("public", "as Red Owl")], actor="admin:test", cause="test:bob")
        assert "Red Owl" in found.text(STRANGER, f"/games/{found.game}")
        people.leave(bob, actor="admin:test", cause="test:leave")
        found.club.world.settle()
        people.erase(bob, actor="admin:test", cause="test:erase")
        for who in EVERYBODY:
            text = found.text(who, f"/games/{found.game}")
            assert "former player 2" in text
            assert "Red Owl" not in text
        assert found.seen_by(f"/players/{bob}") == set()
        # and the pseudonym is free
        people.choose("Eve", [("public", "as red owl")], actor="admin:test", cause="test:eve")


@pytest.mark.engines
def test_both_engines_answer_alike(database_url: str, tmp_path: Path) -> None:
    with shown(database_url, tmp_path) as found:
        pages = found.club.world.service.pages.public
        pages.show_to("league", found.league, "players")
        pages.show_to("league", found.league, "public")
        pages.show_to("game", found.played, "seats")
        pages.show_to("game", found.game, "players")
        assert found.seen_by(f"/leagues/{found.league}") == ALL
        assert found.seen_by(f"/games/{found.played}") == AT_THE_TABLE
        assert found.seen_by(f"/games/{found.game}") == WITH_AN_ACCOUNT
        assert found.seen_by("/players/1") == AT_THE_TABLE
        with pytest.raises(NotFound):
            pages.show_to("game", 900, "public")
