"""Pictures of boards on pages: turned round, and in two parts."""

from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageChops

from turnserver import games
from turnserver.games import house_turn
from turnserver.mail.outbound import picture
from turnserver.rules import Choose
from turnserver.rules.svg import WIDTH
from turnserver.web.picture import cropped, flipped
from turnserver.web.turn.board import Dice, Position, Sofar, put_together

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = {
    "take": (512, "last move"),
    "tako-judo": (640, "moved to"),
    "tako": (439, "to move"),
    "okago": (640, "in hand"),
    "sneaky-octopuses": (640, "0 of 10"),
}
"""For each game the lower end of its board, in a picture as wide as in a mail, and words that stand beneath it after some turns."""


def drawn(key: str) -> str:
    """The board after two turns of house players."""
    game, texts, position = games.find(key), list[str](), Position(games.find(key).rules.start())
    for _ in range(2):
        _, position = put_together(game, Position(game.rules.start()), Sofar(tuple(texts), ahead=True), Dice("1"))
        assert isinstance(game.rules.next(position.at), Choose)
        texts += house_turn(game, position.at)
    return game.view.svg(position.at, position.last)


def tall(svg: str) -> int:
    """Return the height of a picture as wide as in a mail."""
    width, height = (float(ET.fromstring(svg).attrib[name]) for name in ("width", "height"))  # noqa: S314  # ours
    return round(height * WIDTH / width)


def seen(svg: str) -> Image.Image:
    return picture._rendered(svg, (int(WIDTH), tall(svg)), "white").layer.colours


def alike(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and ImageChops.difference(one, other).getbbox() is None


@pytest.mark.parametrize("key", games.CATALOGUE)
def test_a_board_is_turned_or_shown_alone_and_what_stands_beneath_it_stays(key: str) -> None:
    below, words = BOARDS[key]
    svg = drawn(key)
    before, after = seen(svg), seen(flipped(svg))
    board, beneath = (0, 0, before.width, below), (0, below + 1, *before.size)
    assert alike(before.crop(beneath), after.crop(beneath))
    assert not alike(before.crop(board), after.crop(board))
    plain, turned = (list(ET.fromstring(one).iter(f"{SVG}text")) for one in (svg, flipped(svg)))  # noqa: S314  # ours
    assert sorted(text.text or "" for text in plain) == sorted(text.text or "" for text in turned)
    (around,) = ET.fromstring(flipped(svg)).findall(f"{SVG}g[@transform]")  # noqa: S314  # as above
    assert {text.attrib["transform"].partition(" ")[0] for text in around.iter(f"{SVG}text")} == {"rotate(180"}
    assert {part: words in cropped(svg, part) for part in ("board", "beneath", "")} == {"board": False, "beneath": True, "": True}
    assert abs(tall(cropped(svg, "board")) - below) <= 1
    assert abs(tall(cropped(svg, "beneath")) - (before.height - below)) <= 1


def test_nothing_stands_beneath_a_board_without_signs() -> None:
    tako = games.find("tako")
    assert cropped(tako.view.svg(tako.rules.start(), None), "beneath") == ""
