"""A player who has finished a game asks for another one with a tap: same opponent, same options, same time."""

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tests.service.world import World
from turnserver.ids import GameId
from turnserver.rules.kit import example_turns

FRIEND = "anna.lena@example.org"


def button(world: World, name: str, label: str) -> tuple[str, str] | None:
    """Return the address and the text of a button in the newest mail of a player."""
    page = world.mails(name)[-1].get_body(("html",))
    assert page is not None
    found = re.search(rf'href="(mailto:[^"]+)"[^>]*>{label}<', page.get_content())
    if found is None:
        return None
    link = urlsplit(found[1].replace("&amp;", "&"))
    return unquote(link.path), parse_qs(link.query)["body"][0]


@pytest.mark.parametrize(
    ("game", "options", "language"),
    [
        ("take", {}, "en"),
        ("take", {"size": 4}, "de"),
        ("okago", {"size": 6}, "en"),
        ("tako", {"variant": "adept"}, "de"),
    ],
)
def test_the_button_opens_the_same_game(world: World, game: str, options: dict[str, str | int | bool], language: str) -> None:
    world.want("html", "Ada", "Bob")
    for name in ("Ada", "Bob"):
        world.service.people.choose(name, [("language", language)], actor="admin:test", cause=f"test:{name}:language")
    first = world.open_any(game, ["Bob", "Ada"], options)
    state = world.state(first)
    mover, waiting = ("Bob", "Ada") if state.to_move == 1 else ("Ada", "Bob")  # TAKO rolls for it
    world.answer(mover, example_turns(state.game.rules, state.line.position, count=1)[0])
    world.answer(waiting, "confirm resign")
    again = button(world, mover, {"en": "Play again", "de": "Noch eine Partie"}[language])
    assert again is not None
    world.answer(mover, again[1], to=again[0])
    assert world.outcome() == "done: opened game 2"
    second = world.state(GameId(first + 1))
    assert (second.game.options, second.terms.time) == (world.state(first).game.options, world.state(first).terms.time)
    assert {*second.players} == {*world.state(first).players}


def test_a_name_of_two_words_is_no_hindrance(world: World) -> None:
    world.want("html", "Bob")
    world.add("Anna Lena", FRIEND)
    world.settle()
    world.open_any("take", ["Bob", "Anna Lena"], {"size": 4}, accepted=False)
    world.answer("Bob", "accept")
    world.answer("Anna Lena", "accept", mail=world.mails(FRIEND)[-1], sender=FRIEND)
    world.answer("Bob", "d4")
    world.answer("Anna Lena", "confirm resign", mail=world.mails(FRIEND)[-1], sender=FRIEND)
    again = button(world, "Bob", "Play again")
    assert again is not None
    assert again[1].startswith("challenge Anna Lena take size=4 time=")
    world.answer("Bob", again[1], to=again[0])
    assert "Anna Lena" in " ".join(world.text("Bob").split())
    assert world.outcome() == "done: opened game 2"
