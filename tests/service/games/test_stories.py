"""The story of turns in a mail to somebody who was not there: turns that came about on the board."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.world import World
from turnserver.ids import GameId
from turnserver.store.log.database import Database


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that plays the games of the catalogue."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail")
    db.close()


def names(world: World, game: GameId) -> tuple[str, str]:
    """Return who has the turn, and the other one."""
    return ("Ada", "Bob") if world.state(game).to_move == 1 else ("Bob", "Ada")


def corner(world: World, game: GameId) -> tuple[str, str]:
    """The two first squares out of the home of whoever has the turn."""
    return ("b9", "b10") if world.state(game).to_move == 1 else ("j3", "j2")


def test_both_hear_what_the_die_made_of_a_turn(club: World) -> None:
    """Also its writer, who could not know it then: the next mail begins with the reader's own last turn."""
    game = club.open_any("sneaky-octopuses", ["Ada", "Bob"], {"players": 2})
    mover, other = names(club, game)
    club.answer(mover, f"Speedy escape {corner(club, game)[0]}\nkeeper north")
    walked = "The die shows"
    assert club.text(other).count(walked) == 1
    assert "Speedy escapes to" in club.text(other)
    club.answer(other, "keeper south")
    text = club.text(mover)
    assert text.count(walked) == 2
    assert text.index("Speedy escapes to") < text.rindex("keeper f1")


def test_the_deal_and_the_lot_are_told_once(club: World) -> None:
    game = club.open_any("sneaky-octopuses", ["Ada", "Bob"], {"players": 2})
    text = club.text(names(club, game)[0])
    assert "deal c9" not in text
    assert text.count("The game began with") == 1


def test_a_preview_is_played_by_copying_its_lines(club: World) -> None:
    """The board shown is the one just before the die, nothing has happened, and sending the lines back plays them."""
    game = club.open_any("sneaky-octopuses", ["Ada", "Bob"], {"players": 2})
    mover, _ = names(club, game)
    first, second = corner(club, game)
    before = club.state(game)
    club.answer(mover, f"preview\nspeedy escape {first}\nsquirt escape {second}\nkeeper north")
    text = club.text(mover)
    assert club.state(game) == before
    assert "Nothing has been played yet." in " ".join(text.split())
    lines = [line.removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]
    assert lines == [f"Speedy escape {first}", f"Squirt escape {second}", "keeper f11"]
    assert f"Squirt escapes to {second}." in text
    assert "The die shows" not in text
    club.answer(mover, "\n".join(lines))
    assert club.state(game).line.turns[-1].steps == tuple(lines)


def test_a_typing_error_in_the_middle_plays_nothing(club: World) -> None:
    game = club.open_any("sneaky-octopuses", ["Ada", "Bob"], {"players": 2})
    mover, _ = names(club, game)
    first, _ = corner(club, game)
    club.answer(mover, f"Hello,\nSpeedy escape {first}\nTakoo escape b10\nkeeper north\nBest wishes\n{mover}")
    assert club.state(game).line.length == 0
    assert "| Takoo escape b10\n-> I couldn't find a move or a command in that." in club.text(mover)
    assert "Best wishes" not in club.text(mover)
