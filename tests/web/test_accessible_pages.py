"""Every page in a real browser: nothing that axe-core finds wrong, on phone and desk, light and dark. A new page is a line of `PAGES`."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.cli.game.test_replay_page import of
from tests.histories.recorded import events_of
from tests.service.leagues.league_world import FOUR, lose_all, open_any, sweep
from tests.service.signing import sign_in_link, signed_in
from tests.service.world import PEOPLE, SITE, Chance, World
from tests.terms import PLAIN
from tests.web.accessibility import SCHEMES, SHA256, VENDORED, VERSION, Screen, accessible_tab, show, violations
from tests.web.browsing import in_a_browser
from tests.web.sandbox.boxes import Box, new
from tests.web.turn.visitor import link
from turnserver import resources
from turnserver.config import Settings, Site, Web
from turnserver.config import leagues as presets
from turnserver.errors import NotFound
from turnserver.ids import GameId
from turnserver.league.commands import OpenLeague
from turnserver.league.presentation.printouts import Column, Printout
from turnserver.store.log.database import Database
from turnserver.web import printouts, replay
from turnserver.web.app import public_server
from turnserver.web.counts import Counts
from turnserver.web.export.site import export
from turnserver.web.server import LOOPBACK

pytestmark = [in_a_browser, pytest.mark.thorough]

URL = "http://club.example/turns"
PHONE, DESK = 360, 1280
SCREENS: tuple[Screen, ...] = ((PHONE, "light"), (DESK, "dark"))
EVERY_SCREEN: tuple[Screen, ...] = tuple(product((320, PHONE, DESK), SCHEMES))


@dataclass(frozen=True)
class Club:
    """A service with all pages, and the sandbox of another."""

    world: World
    address: str
    box: Box
    tab: Page
    directory: Path

    def phones(self, show: str) -> str:
        """The page of the sandbox with a side of a mail."""
        return f"http://{LOOPBACK}:{self.box.port}/?mail={self.box.desk.capture.list()[0].id}&show={show}"

    def turn(self, game: str, **options: int | str) -> str:
        """The link of whoever has the first turn of a new game."""
        opened = self.world.open_any(game, ["Ada", "Bob"], options)
        state = self.world.state(opened)
        assert state.to_move is not None
        return self.link(opened, next(one for one in PEOPLE if self.world.service.people.find(one).id == state.player_at(state.to_move)))

    def link(self, game: GameId, name: str) -> str:
        """A player's link for the present turn of a game."""
        return f"{self.address}{link(self.world, game, name)}"

    @cached_property
    def played(self) -> GameId:
        """A game of Take with some moves, to which Bob keeps a note and a conditional move."""
        game = self.world.open({"size": 3})
        for name, words in (("Ada", "b2\nGood luck!"), ("Bob", "c3"), ("Ada", "d3"), ("Bob", "a1")):
            self.world.answer(name, words)
        self.world.answer("Bob", "note Watch the corner.\nif a2 then b1")
        return game

    @cached_property
    def over(self) -> GameId:
        """A game that Ada has given up."""
        game = self.world.open()
        self.world.answer("Ada", "confirm resign")
        return game

    def offered(self) -> str:
        """The page of a game in which Ada has just offered a draw and said something."""
        game = self.world.open_any("tako-judo", ["Ada", "Bob"], {})
        self.world.answer("Ada", "draw")
        return f"{self.link(game, 'Ada')}?done=say"

    def invited(self) -> str:
        """The page of a game to which Bob is invited."""
        return self.link(self.world.open_any("okago", ["Ada", "Bob"], {}, accepted=False), "Bob")

    def public_game(self, path: str = "") -> str:
        """A game that everybody may see."""
        game = self.played
        self.world.service.pages.public.show_to("game", game, "public")
        return f"{self.address}/turns/games/{game}{path}"

    def exported(self, page: str) -> str:
        """The file that has a page in the exported site."""
        site = self.directory / "site"
        export(self.world.service, site)
        return (site / page.partition("/turns/")[2] / "index.html").as_uri()

    def rolls(self) -> str:
        """The rolls of a game that is over."""
        game = self.world.open_any("sneaky-octopuses", ["Ada", "Bob"], {"target": 3})
        self.world.answer("Bob", "confirm resign")
        self.world.service.pages.public.show_to("game", game, "public")
        return f"{self.address}/turns/games/{game}/chance"

    def public_league(self, preset: str) -> str:
        """A league that everybody may see, of four of whom one is named; the same one if there is one already."""
        with suppress(NotFound):
            return f"{self.address}/turns/leagues/{self.world.service.leagues.find(f'Take by {preset}')}"
        command = OpenLeague(f"Take by {preset}", "take", {"size": 2}, presets.preset(preset).settings)
        league, leagues = open_any(self.world, command), self.world.service.leagues
        leagues.announce(league, None, actor="admin:test", cause=f"test:announce:{preset}")
        leagues.enter_all(league, FOUR, actor="admin:test", cause=f"test:enter:{preset}")
        leagues.start(league, ask=False, actor="admin:test", cause=f"test:start:{preset}")
        sweep(self.world)
        if preset != "ladder":
            lose_all(self.world, league)
            sweep(self.world)
        self.world.service.pages.public.show_to("league", league, "public")
        return f"{self.address}/turns/leagues/{league}"

    def public_player(self) -> str:
        """Bob's page, who is named, with a game that everybody may see."""
        self.world.service.pages.public.show_to("game", self.over, "public")
        self.world.service.people.choose("Bob", [("public", "name")], actor="admin:test", cause="test:public")
        return f"{self.address}/turns/players/2"

    def at_home(self, query: str = "") -> str:
        """Ada's own page, with a game that is over and others that are not; the tab is signed in."""
        for game in (self.over, self.played):
            assert self.world.service.people.find("Ada").id in self.world.state(game).players
        self.tab.context.add_cookies([{"name": "session", "value": signed_in(self.world, "Ada"), "url": self.address}])
        return f"{self.address}/turns/me{query}"

    def unsubscribing(self, name: str = "Ada") -> str:
        """The address behind `List-Unsubscribe` in a player's mail."""
        listed = str(self.world.welcomes[name]["List-Unsubscribe"])
        return f"{self.address}/turns/{listed.partition(f'<{URL}/')[2].removesuffix('>')}"


LARGE = "Before the first turn"
"""A page of a hundred boards, which axe-core takes long to look at."""
PAIRINGS = Printout(
    "1", "Take Winter", "Round 1.", (Column("Board", right=True), Column("First", names=True)), (("1", "Ada"),), ("A note.",)
)
PAGES: list[tuple[str, str, Callable[[Club], str]]] = [
    # before there are games that this page shows the boards of, which axe-core takes long to look at too
    ("me", "Your deadlines in your calendar", lambda club: club.at_home()),
    ("me", "Your settings are saved.", lambda club: club.at_home("?done=settings")),
    ("sign_in", "You are signed in as Ada.", lambda club: club.at_home().replace("/me", "/sign-in")),
    ("turn", "Take", lambda club: club.turn("take")),
    ("turn", "Tako Judo", lambda club: club.turn("tako-judo")),
    ("turn", "TAKO", lambda club: club.turn("tako")),
    ("turn", "Okago", lambda club: club.turn("okago")),
    ("turn", "Sneaky Octopuses", lambda club: club.turn("sneaky-octopuses")),
    ("turn", "Back", lambda club: f"{club.turn('tako-judo')}?t=c7"),
    ("turn", "Your move: b2", lambda club: f"{club.turn('take', size=3)}?s=b2"),
    ("turn", "Bob played a1. Your move", lambda club: club.link(club.played, "Ada")),
    ("turn", "if a2 then b1", lambda club: club.link(club.played, "Bob")),
    ("turn", "Touch a move of your opponent", lambda club: f"{club.link(club.played, 'Bob')}?plan=1"),
    ("turn", "This cannot be taken back.", lambda club: f"{club.link(club.played, 'Ada')}?ask=resign"),
    ("turn", "Not answered yet", lambda club: club.offered()),
    ("turn", "You are invited", lambda club: club.invited()),
    ("turn", "is over: you win", lambda club: club.link(club.over, "Bob")),
    ("unsubscribe", "Send me nothing more", lambda club: club.unsubscribing()),
    ("unsubscribe", "There is nobody here.", lambda club: f"{club.address}/turns/unsubscribe/x"),
    ("sign_in", "Mail me a link", lambda club: f"{club.address}/turns/sign-in"),
    ("sign_in", "Look into your mailbox.", lambda club: f"{club.address}/turns/sign-in?sent=1"),
    ("sign_in", "Sign in as Bob", lambda club: f"{club.address}/turns/sign-in/{sign_in_link(club.world, 'Bob')}"),
    ("sign_in", "This link signs nobody in.", lambda club: f"{club.address}/turns/sign-in/x"),
    ("club", "Games that go on", lambda club: f"{club.public_game().partition('/games/')[0]}/"),
    ("club", "Rules of the games", lambda club: club.exported("/turns/")),
    ("game", "Step through the game", lambda club: club.exported(club.public_game())),
    ("audit", "Checking a game yourself", lambda club: f"{club.address}/turns/audit"),
    ("game", "Link to this move", lambda club: club.public_game()),
    ("game", "This is an earlier board.", lambda club: club.public_game("?turn=2&flip=1")),
    ("game_history", "Digest of the", lambda club: club.public_game("/history")),
    ("game_chance", "Check it yourself, with Python", lambda club: club.rolls()),
    ("league", "Why this place?", lambda club: club.public_league("round-robin")),
    ("league", "Bracket", lambda club: club.public_league("knockout")),
    ("league", "Challenges", lambda club: club.public_league("ladder")),
    ("leagues", "Take by double-round-robin", lambda club: club.public_league("double-round-robin").rpartition("/")[0]),
    ("player", "Games that are over", lambda club: club.public_player()),
    ("games", "Sneaky Octopuses", lambda club: f"{club.address}/turns/rules"),
    ("rules", "You play all sides", lambda club: f"{club.address}/turns/rules/tako-judo?t=c7"),
    ("rules", "Played so far", lambda club: f"{club.address}/turns/rules/take?size=3&s=b2&s=c3"),
    ("words", "There is nothing at this address.", lambda club: f"{club.address}/turns/nowhere"),
    ("sandbox", "Answer as Ada", lambda club: club.phones("mail")),
    ("sandbox", "== Write above", lambda club: club.phones("text")),
    ("sandbox", "Reply-To", lambda club: club.phones("headers")),
    ("printouts", "Board", lambda _: printouts.page([PAIRINGS])),
    ("replay", LARGE, lambda _: replay.page(of(events_of("okago-won")))),
    ("replay", "draws", lambda _: replay.page(of(events_of("tako-won")))),
]
"""The template of a page, words that it says, and its address; or the whole page, if it is written to a file."""


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """A tab with axe in it."""
    with accessible_tab(browser) as tab:
        yield tab


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, tab: Page) -> Iterator[Club]:
    """A club, and the sandbox of another."""
    directory = tmp_path_factory.mktemp("pages")
    (directory / "turnserver.db").write_bytes(sqlite_template.read_bytes())
    settings = Settings(site=Site(address=SITE), play=PLAIN, web=Web(url=URL, port=0))
    with ExitStack() as stack:
        db = Database.connect(f"sqlite:///{directory / 'turnserver.db'}")
        stack.callback(db.close)
        world = World(db, directory / "mail", settings=settings, entropy=Chance())
        served = stack.enter_context(public_server(world.service, Counts()))
        box = stack.enter_context(new(tmp_path_factory.mktemp("box")))
        box.desk.open("take", {"size": 3})
        box.desk.work()
        yield Club(world, served.address.rstrip("/"), box, tab, directory)


def visit(tab: Page, page: Callable[[Club], str], club: Club) -> None:
    """Open a page as somebody who has not signed in, or has for this page alone."""
    tab.context.clear_cookies()
    show(tab, page(club))


@pytest.mark.parametrize(
    ("says", "page"),
    [pytest.param(says, page, marks=[pytest.mark.long] * (says == LARGE), id=f"{template}-{says}") for template, says, page in PAGES],
)
def test_nothing_is_wrong_with_a_page(club: Club, tab: Page, says: str, page: Callable[[Club], str]) -> None:
    visit(tab, page, club)
    assert says in tab.inner_text("body")
    assert violations(tab, SCREENS) == {}


@pytest.mark.long
def test_nothing_is_wrong_with_a_page_by_any_rule_on_any_screen(club: Club, tab: Page) -> None:
    found = {}
    for _, says, page in PAGES:
        visit(tab, page, club)
        found[says] = violations(tab, EVERY_SCREEN, thoroughly=True)
    assert {says: one for says, one in found.items() if one} == {}


def test_every_page_is_looked_at() -> None:
    made = {path.name.removesuffix(".html.j2") for path in (resources.templates_dir() / "page").glob("[!_]*.html.j2")}
    assert {template for template, _, _ in PAGES} == made


WRONG = """<!DOCTYPE html><html lang="en"><title>A page</title><style>
@media (prefers-color-scheme: dark) { body { background: #333 } } @media (min-width: 999px) { h1 { color: #777; font-size: 9px } }
</style><main><h1>A page</h1><details><img src="data:,"></details></main>"""
"""The picture says nothing, and may not be seen; the ground is as dark as the words; and on a desk the words are too pale."""


def test_what_is_wrong_is_found_on_the_screen_that_it_is_on(tab: Page) -> None:
    show(tab, WRONG)
    found = violations(tab, product((PHONE, DESK), SCHEMES))
    assert set(found) == {
        "image-alt, 360 px, light",
        "color-contrast, 360 px, dark",
        "color-contrast, 1280 px, light",
        "color-contrast, 1280 px, dark",
    }


def test_axe_is_the_one_that_was_published() -> None:
    script = (VENDORED / "axe.min.js").read_bytes()
    assert sha256(script).hexdigest() == SHA256
    assert f"axe v{VERSION}".encode() in script[:100]
    assert (VENDORED / "LICENSE").read_text("utf-8").startswith("Mozilla Public License")
