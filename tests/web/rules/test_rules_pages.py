"""The rules on pages: every game is there with its pictures, and can be tried to its end by addresses alone."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.web.club import Club, serving
from tests.web.turn.visitor import Visitor
from turnserver import games
from turnserver.config import Site
from turnserver.rules import Over
from turnserver.web.rules.page import MOST_STEPS, Tried, rules_page

KEYS = list(games.CATALOGUE)
SITE = Site()


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Club]:
    directory = tmp_path_factory.mktemp("rules")
    (directory / "turnserver.db").write_bytes(sqlite_template.read_bytes())
    with serving(f"sqlite:///{directory / 'turnserver.db'}", directory) as club:
        yield club


@pytest.fixture
def stranger(club: Club) -> Visitor:
    return club.visitor()


def text(visitor: Visitor, address: str) -> str:
    visitor.go(f"/turns{address}", Accept="text/html")
    return unescape(visitor.answer.text)


def test_every_game_is_listed_with_its_board(stranger: Visitor) -> None:
    page = text(stranger, "/rules")
    for key, entry in games.CATALOGUE.items():
        assert f'href="/turns/rules/{key}"' in page
        assert entry.summary in page
        assert "<svg" in text(stranger, f"/rules/{key}/board.svg")


@pytest.mark.parametrize("key", KEYS)
def test_the_rules_have_their_words_and_pictures(stranger: Visitor, key: str) -> None:
    page = text(stranger, f"/rules/{key}")
    assert stranger.answer.status == 200
    assert "Rulings</h2>" in page
    pictures = re.findall(rf'<img src="/turns(/rules/{key}/board\.svg[^"]*)"', page)
    boards = [text(stranger, one) for one in pictures]
    assert len(set(boards)) == len(pictures) >= 4
    assert pictures[0].endswith("&part=board")


@pytest.mark.parametrize("key", KEYS)
def test_an_opening_is_legal(key: str) -> None:
    opening = games.entry(key).opening
    board, _ = Tried.read(key, [("dice", "1"), *(("s", step) for turn in opening for step in turn.split("; "))]).board()
    assert (board.turns, board.refusal) == (opening, "")
    assert len(opening) > 5


SHORT = {"take": "size=2", "tako-judo": "players=2", "okago": "advanced=yes", "sneaky-octopuses": "target=3"}
"""Options of games that are long otherwise."""


@pytest.mark.thorough
@pytest.mark.parametrize("key", KEYS)
def test_a_game_is_tried_by_links_alone_and_back_is_where_it_was(key: str) -> None:
    """A visitor who follows links at random gets on, through rolls too; each way back leads to the position before the last step."""
    chance, was = Random(1), dict[tuple[str, ...], Any]()  # noqa: S311  # the same way each time
    tried = Tried.read(key, parse_qsl(f"{SHORT.get(key, '')}&dice=7"))
    for _ in range(25):
        page = rules_page(key, tried, SITE, "en")
        assert page.board is not None
        assert page.refusal == ""
        was[page.board.steps] = tried.board()[1]
        back = Tried.read(key, parse_qsl(page.board.back[1:]))
        assert not page.board.back or back.board()[1] == was[back.sofar.steps]
        places = [one.query for one in (*page.board.spots, *page.board.buttons) if one.state == "next"]
        ways = places + [one.query for one in page.board.offers]
        if not ways:
            break
        tried = Tried.read(key, parse_qsl(chance.choice(ways)[1:]))
    assert len(was) > 4
    is_over = rules_page(key, tried, SITE, "en").headline.startswith("The game is over.")
    assert is_over == isinstance(tried.game.rules.next(tried.board()[1].at), Over)


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/rules/chess", 404, "There is no such game here."),
        pytest.param(f"/games/{9_999 * '9'}", 404, "There is nothing here that you may see.", id="a number too long for the router"),
        ("/rules/chess/board.svg", 404, ""),
        ("/rules/take?size=99", 200, 'The option size can\'t be "99". Choose 2 to 8.'),
        ("/rules/take?size=2&s=a1&s=a1", 200, "Your opponent's stone is on a1 already."),
        ("/rules/take?size=2&s=<script>", 200, "isn't a move"),
        ("/rules/take?size=2&t=nowhere", 200, ""),
        ("/rules/take?dice=x&dice=-1", 200, "Red to move"),
    ],
)
def test_what_cannot_be_is_said_in_words(stranger: Visitor, address: str, status: int, says: str) -> None:
    page = text(stranger, address)
    assert (stranger.answer.status, says in page) == (status, True), page
    assert "<script>" not in stranger.answer.text


def test_a_try_goes_so_far_and_says_so() -> None:
    tried = Tried.read("take", [("size", "8")])
    for _ in range(MOST_STEPS + 1):
        page = rules_page("take", tried, SITE, "en")
        assert page.board is not None
        assert (len(page.board.steps) == MOST_STEPS) == page.refusal.startswith("A board to try goes as far as")
        tried = Tried.read("take", parse_qsl(page.board.listed[0].query[1:]))
    assert len(tried.board()[0].steps) == MOST_STEPS


def test_a_file_has_no_board_to_try() -> None:
    page = rules_page("take", None, SITE, "de")
    assert (page.board, page.scene, page.options, page.anew) == (None, None, (), "")
    assert any(block.text == "Spiel in einer Minute" or "Minute" in block.text for block in page.blocks)


def test_dice_fall_otherwise_anew_and_the_same_on_the_way_back(stranger: Visitor) -> None:
    first, again = (text(stranger, "/rules/tako/board.svg?dice=3") for _ in range(2))
    assert first == again
    others = {text(stranger, f"/rules/tako/board.svg?dice={seed}") for seed in range(1, 12)}
    assert len(others) > 1


def test_looking_changes_no_row(club: Club, stranger: Visitor) -> None:
    before = club.everything
    text(stranger, "/rules/okago?advanced=yes&s=c3&t=a5")
    assert club.everything == before
