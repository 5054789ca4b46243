"""The exported site: what a stranger may see and nothing else, as the server shows it, with links that lead somewhere."""

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, normpath

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from tests.service.leagues.league_world import FOUR, lose_all, open_any, open_league, pass_days, resign, sweep
from tests.web.browsing import browsing, in_a_browser
from tests.web.club import SETTINGS
from tests.web.public.showing import STRANGER, Shown, shown
from tests.web.turn.visitor import Page
from turnserver.config import Audit, Level
from turnserver.config import leagues as presets
from turnserver.errors import Refusal
from turnserver.ids import GameId, PlayerId
from turnserver.league.commands import OpenLeague
from turnserver.league.settings import TierSize
from turnserver.play import commands as c
from turnserver.service.upkeep import checkpoints as signing
from turnserver.store.web.visibility import What
from turnserver.web.export.directory import ASIDE, LIST
from turnserver.web.export.site import Exported, export

ADMIN = "admin:test"
HIDDEN = "Secret Cup"
"""A league that only its players see."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Shown]:
    """A club with a page of every kind.

    Game 1 is for everybody, and so are the league, with its second season begun, and another one with divisions; one game of the league
    is for those at the table. Of another game and another league nobody has said anything, so
    they are for their players. Ada is named, Cleo by another name.
    """
    directory = tmp_path_factory.mktemp("export")
    (directory / "turnserver.db").write_bytes(sqlite_template.read_bytes())
    signing.make(directory / "checkpoint.pem")
    settings = replace(SETTINGS, audit=Audit(key_files=(directory / "checkpoint.pem",)))
    with shown(f"sqlite:///{directory / 'turnserver.db'}", directory, settings) as found:
        world, pages, leagues = found.club.world, found.club.world.service.pages.public, found.club.world.service.leagues
        people = world.service.people
        people.choose("Ada", [("public", "name")], actor=ADMIN, cause="test:name:Ada")
        people.choose("Cleo", [("public", "as Blue Fox")], actor=ADMIN, cause="test:name:Cleo")
        for name, move in (("Ada", "a1"), ("Bob", "b3"), ("Ada", "c2")):
            world.answer(name, move, mail=next(one for one in reversed(world.mails(name)) if "[Take 1]" in one["Subject"]))
        rolled = world.open_any("sneaky-octopuses", ["Ada", "Bob"], {"target": 3})
        resign(world, rolled, PlayerId(2))
        world.open({"size": 2})
        lose_all(world, found.league)
        pass_days(world, 1)
        leagues.announce(found.league, None, actor=ADMIN, cause="test:second")
        tiers = (TierSize(size=2, divisions=2),)
        swiss = replace(presets.preset("swiss").settings, tiers=tiers, least=4)
        tiered = open_any(world, OpenLeague("Tiers", "take", {"size": 2}, swiss))
        leagues.announce(tiered, None, actor=ADMIN, cause="test:tiers")
        leagues.enter_all(tiered, FOUR, actor=ADMIN, cause="test:enter")
        leagues.start(tiered, ask=False, actor=ADMIN, cause="test:start")
        sweep(world)
        open_league(world, name=HIDDEN)
        world.service.upkeep.checkpoints.make()
        for what, number, level in (
            ("game", found.game, "public"),
            ("game", rolled, "public"),
            ("league", found.league, "public"),
            ("game", found.played, "seats"),
            ("league", tiered, "public"),
        ):
            pages.show_to(what, number, level)  # type: ignore[arg-type]  # both are literals
        yield found


@pytest.fixture(scope="module")
def site(there: Shown, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exported site."""
    place = tmp_path_factory.mktemp("sites") / "site"
    export(there.club.world.service, place)
    return place


class Links(HTMLParser):
    """All that a page leads to or loads, its anchors, and the elements that ask a server."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.to: list[str] = []
        self.ids: set[str] = set()
        self.amiss: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.to += [given[name] for name in ("href", "src", "data-album", "srcset", "poster") if name in given]
        self.ids |= {given["id"]} if "id" in given else set()
        if tag in {"form", "iframe", "base", "object"} or (tag in {"a", "img"} and not {"href", "src"} & given.keys()):
            self.amiss.append(tag)


def files(site: Path) -> dict[str, bytes]:
    """All files by name, without the list."""
    return {str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file() and path.name != LIST}


def pages(site: Path) -> dict[str, str]:
    return {name: content.decode() for name, content in files(site).items() if name.endswith(".html")}


def astray(site: Path) -> list[tuple[str, str]]:
    """Every link that leads nowhere, with the page that it is on; and whatever a file cannot do."""
    every, found = files(site), []
    moments = {name: set(re.findall(r'"name":"([\d.]+)"', text)) for name, text in pages(site).items()}
    for name, text in pages(site).items():
        read = Links(text)
        found += [(name, tag) for tag in read.amiss]
        for link in read.to:
            path, _, anchor = link.partition("#")
            if re.match("(mailto|https|data):", link):
                continue
            target = normpath(f"{dirname(name)}/{path}").lstrip("/") if path else name
            known = moments[target] if target.endswith("replay.html") else read.ids
            if path.startswith("/") or target not in every or (anchor and anchor not in known):
                found.append((name, link))
    return found


def test_every_link_leads_somewhere(site: Path) -> None:
    assert astray(site) == []
    linked = {
        normpath(f"{dirname(name)}/{link}").lstrip("/").partition("#")[0] for name, text in pages(site).items() for link in Links(text).to
    }
    # all that is there is found from the first page, but for games that are in no list
    assert files(site).keys() - linked == set()


GONE = {"My games", "You have an account?", "Sign in", "Rules, with a board to try them on", "Flip", "Turn", "Show", "Link to this move"}
GONE |= {"Arrow keys step, Home and End go to the ends, f flips the board.", "Or invite somebody on your own page."}
NEW = {"Rules of the games", "Step through the game"}
"""Words that are on pages of the server alone, and in files alone."""


def address(file: str) -> str:
    """The address of a file on the server; empty if there is none."""
    if file.endswith("replay.html") or re.search(r"board-\d", file):
        return ""
    path = re.sub(r"/(\d+)\.html$", r"?page=\1", re.sub(r"/before-(\d+)\.html$", r"?before=\1", file))
    return "/" + path.removesuffix("index.html").rstrip("/").removesuffix(".checkpoint")


def words(text: str, unlike: set[str]) -> list[str]:
    """Return the words of a page, without the time that is left and without the board to try moves on."""
    told = [re.sub(r", in \d+ (day|hour|minute)s?( \d+ \w+)?(?=\.)", "", one) for one in Page(text).words]
    told = [one for one in told if not re.fullmatch(r"\d+ days?( \d+ hours?)? (left|for the next move)", one)]
    begins = told.index("Try it") if "Try it" in told else len(told)
    ends = told.index("The first turns of a game") if "The first turns of a game" in told else len(told)
    return [one for one in (*told[:begins], *told[max(begins, ends) if begins < len(told) else begins :]) if one not in unlike]


def test_pages_say_what_the_server_shows_a_stranger(there: Shown, site: Path) -> None:
    compared = set()
    export(there.club.world.service, site)
    for name, content in files(site).items():
        if shown_at := address(name):
            text = there.text(STRANGER, shown_at)
            assert there.at[STRANGER].answer.status == 200, name
            if name.endswith(".html"):
                assert words(content.decode(), NEW) == words(text, GONE), name
            else:
                assert content.decode() == text, name
            compared.add(name.split("/")[0])
    assert compared == {"audit", "club.css", "games", "index.html", "leagues", "players", "rules", "static"}


@pytest.mark.parametrize(("of_game", "of_league"), [("seats", "seats"), ("players", "public"), ("public", "seats")])
def test_what_is_hidden_is_nowhere(there: Shown, tmp_path: Path, of_game: Level, of_league: Level) -> None:
    """Each number has a page if and only if the server shows a stranger one. Real names, and what is hidden, stand in no file."""
    service = there.club.world.service
    service.pages.public.show_to("game", there.game, of_game)
    service.pages.public.show_to("league", there.league, of_league)
    try:
        export(service, tmp_path)
        numbers = {"games": 14, "leagues": 5, "players": 7}
        for kind, most in numbers.items():
            seen = {str(one) for one in range(most) if there.status(STRANGER, f"/{kind}/{one}") == 200}
            assert {path.name for path in (tmp_path / kind).iterdir() if path.is_dir()} == seen
        everything = b"".join(files(tmp_path).values())
        assert re.findall(rf"\b(?:Bob|Cleo|Dan|Eve|{HIDDEN}|example\.org)\b".encode(), everything) == []
        assert (b"Take Winter" in everything) is (of_league == "public")
        assert astray(tmp_path) == []
    finally:
        for what, number in (("game", there.game), ("league", there.league)):
            service.pages.public.show_to(what, number, "public")  # type: ignore[arg-type]  # both are literals


def test_the_same_state_gives_the_same_bytes_at_any_time(there: Shown, site: Path, tmp_path: Path) -> None:
    world = there.club.world
    export(world.service, site)
    before, times = files(site), {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    world.wait(hours=5)
    done = export(world.service, site)
    assert files(site) == before
    assert {path: path.stat().st_mtime_ns for path in times if path.name != LIST} == {
        path: time for path, time in times.items() if path.name != LIST
    }
    export(world.service, tmp_path / "other")
    assert files(tmp_path / "other") == before
    leagues, games, players = (len([one for one in (site / kind).iterdir() if one.is_dir()]) for kind in ("leagues", "games", "players"))
    assert done == Exported(len(pages(site)), leagues, games, players, len(before), changed=0, removed=0)


def test_what_is_hidden_later_is_removed(there: Shown, tmp_path: Path) -> None:
    service = there.club.world.service
    export(service, tmp_path)
    (tmp_path / "games" / "1" / "note.txt").write_text("of the club's own")
    before = sum(path.is_file() for path in (tmp_path / "games" / "1").rglob("*"))
    service.pages.public.show_to("game", there.game, "seats")
    done = export(service, tmp_path)
    service.pages.public.show_to("game", there.game, "public")
    assert [path.name for path in (tmp_path / "games" / "1").iterdir()] == ["note.txt"]
    assert done.removed == before - 1
    assert astray(tmp_path) == []


@pytest.mark.parametrize(("what", "number"), [("game", 1), ("league", 1)])
def test_a_page_that_is_hidden_meanwhile_stops_it(there: Shown, site: Path, what: What, number: int) -> None:
    """The files that were there stay, and the next export is without it."""
    service, before = there.club.world.service, files(site)

    def hiding(games: Sequence[GameId]) -> Iterator[GameId]:
        service.pages.public.show_to(what, number, "players")
        yield from games

    with pytest.raises(Refusal, match=r"is as it was: somebody hid a page while it was made\. Try again\."):
        export(service, site, hiding)
    service.pages.public.show_to(what, number, "public")
    assert files(site) == before
    assert not (site / ASIDE).exists()


def test_what_is_shown_meanwhile_is_named_without_a_link(there: Shown, tmp_path: Path) -> None:
    service = there.club.world.service

    def showing(games: Sequence[GameId]) -> Iterator[GameId]:
        service.pages.public.show_to("game", there.played, "public")
        yield from games

    export(service, tmp_path, showing)
    service.pages.public.show_to("game", there.played, "seats")
    text = (tmp_path / "leagues" / "1" / "seasons" / "1" / "index.html").read_text()
    assert f"<a>Take {there.played}</a>" in text
    assert {tag for _, tag in astray(tmp_path)} == {"a"}


def test_a_long_game_and_many_games(there: Shown, tmp_path: Path) -> None:
    """The history of a long game has several pages, and so have the games of a player; its moves are one list."""
    world = there.club.world
    games, pages_of = world.service.games, world.service.pages.public
    ada, bob = (PlayerId(1), PlayerId(2))
    opened = [games.open("take", {"size": 2}, ["Ada", "Bob"], actor=ADMIN, cause=f"test:many:{n}").game for n in range(52)]
    long = games.open("take", {"size": 8}, ["Ada", "Bob"], actor=ADMIN, cause="test:long").game
    for game in (*opened, long):
        for player in (ada, bob):
            games.handle(game, c.Accept(player, world.now), actor=f"player-{player}", cause=f"test:{player}")
        pages_of.show_to("game", game, "public")
    for game in opened:
        games.handle(game, c.Resign(bob, world.now), actor="player-2", cause="test:resign")
    for turn in range(99):
        state = world.state(long)
        assert state.to_move is not None
        move = state.game.rules.format(state.line.position, state.game.rules.steps(state.line.position)[0])
        mover = state.player_at(state.to_move)
        games.handle(long, c.PlayTurn(mover, world.now, move), actor=f"player-{mover}", cause=f"test:turn:{turn}")
    export(world.service, tmp_path)
    made = pages(tmp_path)
    assert f"players/1/before-{opened[2]}.html" in made
    assert f"games/{long}/history/2.html" in made
    assert Links(made[f"games/{long}/index.html"]).to.count("replay.html#99") == 1
    assert astray(tmp_path) == []
    for game in (*opened, long):
        pages_of.show_to("game", game, None)


@pytest.mark.thorough
@in_a_browser
def test_in_a_browser_without_a_server(there: Shown, site: Path, browser: Browser) -> None:
    """From the first page to a replay and to the check of rolls. Nothing is missing, or the console would say so."""
    with browsing(browser, 360) as tab:
        tab.goto(f"{site.as_uri()}/index.html")
        tab.get_by_role("link", name=f"Take {there.game}", exact=True).click()
        board = tab.locator("#board")
        assert board.evaluate("one => one.complete && one.naturalWidth > 0")
        tab.locator("#moves a").nth(1).click()
        expect(tab.locator("#now")).to_have_text("Turn 2 of 3: Blue b3")
        tab.locator("#next").click()
        expect(tab.locator("#now")).to_have_text("Turn 3 of 3: Red c2")
        tab.get_by_role("link", name="To the page of the game").click()
        tab.get_by_role("link", name="History").click()
        assert tab.evaluate("getComputedStyle(document.querySelector('.skip')).position") == "absolute"
        tab.goto(next(site.glob("games/*/chance/index.html")).as_uri())
        expect(tab.locator("#verdict")).to_contain_text("This page has just worked out")
        # one page of each kind
        for page in {re.sub(r"\d+", "", name): name for name in pages(site)}.values():
            tab.goto(f"{site.as_uri()}/{page}")
            assert tab.evaluate("document.documentElement.scrollWidth") <= 360
