"""Ratings as an admin sees them, from games that were played in a league."""

import sqlite3
from pathlib import Path

import pytest

from tests.cli.club import Club, copied
from tests.cli.rated_club import play
from tests.cli.typed import declared, typed

TAKE = """\
   Player  Rating    \N{PLUS-MINUS SIGN}  Games
──────────────────────────────────────────
1  Cleo      1778  262      2  provisional
2  Ada       1563  229      3  provisional
3  Bob       1221  234      3  provisional

A rating is provisional while the figure behind \N{PLUS-MINUS SIGN} is more than 110.
"""
ADA = """\
Player  Ada (1)
Game    Take
Rating  1563 \N{PLUS-MINUS SIGN} 229, provisional, after 3 games

As of             Game  Rating    \N{PLUS-MINUS SIGN}  Games
───────────────────────────────────────────────────────
2026-04-01 14:05     4    1662  290      1  provisional
2026-05-02 14:10     5    1497  256      2  provisional
2026-07-03 14:20     7    1563  229      3  provisional

The games of a month count together; its last one is named. A rating is
provisional while the figure behind \N{PLUS-MINUS SIGN} is more than 110. Times are in
Europe/Berlin.
"""


@pytest.fixture(scope="session")
def rated_template(club_template: Club, tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A club in which Ada, Bob, Cleo and Ada have won a game."""
    club = copied(club_template, tmp_path_factory.mktemp("rated"))
    play(club, "Ada", "Bob", "Cleo", "Ada")
    return club


@pytest.fixture
def rated(rated_template: Club, tmp_path: Path) -> Club:
    club = copied(rated_template, tmp_path)
    club.now = rated_template.now
    return club


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("league ratings take", TAKE),
        ("league ratings take Ada", ADA),
        ("league ratings tako", "Nobody has a rating at TAKO yet: no game of a league has ended.\n"),
        (
            "league ratings tako-judo Bob",
            "Player  Bob (2)\nGame    TAKO JUDO\nRating  1500 \N{PLUS-MINUS SIGN} 350, provisional, as everybody begins\n",
        ),
    ],
)
def test_what_is_printed(rated: Club, line: str, printed: str) -> None:
    assert rated.printed(line) == printed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("league ratings tke", "tke"),
        ("league ratings take Zoe", "There is no player 'Zoe' here"),
        ("league ratings take --svg board.svg", "A picture is of one player."),
    ],
)
def test_what_cannot_be_is_refused(rated: Club, line: str, says: str) -> None:
    result = rated.run(line)
    assert result.exit_code != 0
    assert says in result.stderr


def test_json_has_it_all(rated: Club) -> None:
    everybody = declared(typed(rated, "league ratings take --json").stdout, "league ratings")
    (ada,) = declared(typed(rated, "league ratings take Ada --json").stdout, "league ratings")  # type: ignore[misc]  # it is a list
    assert [(one.name, one.games, one.history) for one in everybody] == [("Cleo", 2, []), ("Ada", 3, []), ("Bob", 3, [])]  # type: ignore[attr-defined]
    assert [(one.game, one.games) for one in ada.history] == [(4, 1), (5, 2), (7, 3)]
    assert ada.history[-1].rating == ada.rating


def test_pictures_are_written(rated: Club) -> None:
    printed = rated.printed("league ratings take Ada --svg {dir}/ada.svg --png {dir}/ada.png")
    assert printed.endswith(f"The picture is in {rated.directory}/ada.svg.\nThe picture is in {rated.directory}/ada.png.\n")
    assert "Ada, Take" in (rated.directory / "ada.svg").read_text("utf-8")
    assert (rated.directory / "ada.png").read_bytes().startswith(b"\x89PNG")


def test_the_audit_looks_at_ratings_too(rated: Club) -> None:

    assert rated.run("audit verify").exit_code == 0
    with sqlite3.connect(rated.directory / "club.db") as hand:
        hand.execute("UPDATE rating SET mean = 2400 WHERE player = 1")
    result = rated.run("audit verify")
    assert result.exit_code == 1
    assert "the rating of player 1 at take is not what the results come to" in " ".join(result.stdout.split())
