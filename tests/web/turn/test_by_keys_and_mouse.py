"""The board of the turn page and the one to try, by arrows and Enter and by dragging, and what a screen reader hears there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.browsing import browsing, in_a_browser
from tests.web.club import Club, serving
from tests.web.turn.visitor import link
from turnserver.games import CATALOGUE
from turnserver.ids import GameId

pytestmark = [in_a_browser, pytest.mark.thorough]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Club]:
    """A club whose players have a game of Tako Judo to begin."""
    directory = tmp_path_factory.mktemp("keys")
    (directory / "turnserver.db").write_bytes(sqlite_template.read_bytes())
    with serving(f"sqlite:///{directory / 'turnserver.db'}", directory) as served:
        served.world.open_any("tako-judo", ["Ada", "Bob"])
        yield served


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """A tab on a desk."""
    with browsing(browser, 1280) as opened:
        yield opened


BOARDS = {"turn": "Your move: d6-d5", "try": "Played so far: d6-d5"}


def show(club: Club, tab: Page, which: str) -> None:
    """Show the board of a turn, or the one to try, before its first move."""
    path = link(club.world, GameId(1), "Ada") if which == "turn" else "/turns/rules/tako-judo"
    tab.goto(f"http://127.0.0.1:{club.port}{path}")


def place(tab: Page, name: str) -> Locator:
    return tab.locator(f'.board [data-name="{name}"]')


@pytest.mark.parametrize("which", BOARDS)
def test_arrows_go_over_the_board_and_enter_touches(club: Club, tab: Page, which: str) -> None:
    """After a touch the keyboard stays on the board, though the piece can be touched no longer; and in the end it is on the button."""
    show(club, tab, which)
    loads: list[str] = []
    tab.on("load", lambda page: loads.append(page.url))
    place(tab, "c6").focus()
    for key, arrives in (
        ("ArrowRight", "d6"),
        ("Enter", "d5"),
        ("ArrowDown", "d4"),
        ("ArrowLeft", "c4"),
        ("ArrowRight", "d4"),
        ("ArrowUp", "d5"),
    ):
        tab.keyboard.press(key)
        expect(place(tab, arrives)).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.locator(".turn")).to_contain_text(BOARDS[which])
    if which == "turn":
        expect(tab.get_by_role("button", name="Play d6-d5")).to_be_focused()
    assert loads == []


@pytest.mark.parametrize("which", BOARDS)
def test_a_piece_is_dragged(club: Club, tab: Page, which: str) -> None:
    show(club, tab, which)
    place(tab, "d6").hover()
    tab.mouse.down()
    place(tab, "d5").hover()
    tab.mouse.up()
    expect(tab.locator(".turn")).to_contain_text(BOARDS[which])


def test_a_screen_reader_hears_the_place_what_is_there_and_whether_it_can_be_chosen(club: Club, tab: Page) -> None:
    """It also says why a place leads nowhere, once that is chosen."""
    show(club, tab, "turn")
    board = tab.get_by_role("group", name="The board: choose a place")
    for name, is_disabled in (("d6, tentacle of North", False), ("d5, empty", True), ("d1, head of South", True)):
        expect(board.get_by_role("link", name=name, exact=True, disabled=is_disabled)).to_have_count(1)
    place(tab, "d1").focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("alert")).to_contain_text("d1")
    place(tab, "c8").focus()
    tab.keyboard.press("Enter")
    expect(board.get_by_role("link", name="b8, empty", exact=True, disabled=False)).to_have_count(1)


@pytest.mark.parametrize("key", list(CATALOGUE))
def test_on_a_desk_nobody_scrolls_to_play(club: Club, tab: Page, key: str) -> None:
    """The board is seen whole, what is to be done stands beside it, and a place is touched where it is seen."""
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(f"http://127.0.0.1:{club.port}/turns/rules/{key}")
    tab.locator("#try").evaluate("one => one.scrollIntoView()")
    expect(tab.locator(".board img")).to_be_in_viewport(ratio=0.99)
    tab.locator(".board a.next").last.click()
    expect(tab.locator(".turn a").first).to_be_in_viewport()


def test_a_double_click_plays_once_and_the_way_back_plays_nothing(club: Club, tab: Page) -> None:
    """The browser's way back takes touches back, too."""
    game = club.world.open_any("tako-judo", ["Ada", "Bob"])
    tab.goto(f"http://127.0.0.1:{club.port}{link(club.world, game, 'Ada')}")
    place(tab, "d6").click()
    expect(place(tab, "d6")).to_have_count(0)
    tab.go_back()
    expect(place(tab, "d6")).to_have_count(1)
    for name in ("d6", "d5"):
        place(tab, name).click()
    tab.get_by_role("button", name="Play d6-d5").dblclick()
    expect(tab.locator("h1")).to_contain_text("Ada played d6-d5")
    for _ in range(2):
        tab.go_back()
        expect(tab.locator("h1")).to_contain_text("Ada played d6-d5")
        expect(tab.locator("button.broad")).to_have_count(0)
    assert [turn.text for turn in club.world.state(game).line.turns] == ["d6-d5"]
