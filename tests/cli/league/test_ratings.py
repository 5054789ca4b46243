"""Ratings as an admin sees them, from games that were played in a league."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.club import Club, copied
from tests.cli.league.rated_club import play
from tests.cli.typed import declared, typed
from turnserver.cli.league.shapes import LeagueRating

PLUS_MINUS = "\N{PLUS-MINUS SIGN}"
TAKE = f"""\
   Player  Rating    {PLUS_MINUS}  Games
──────────────────────────────────────────
1  Cleo      1662  290      1  provisional
2  Bob       1338  290      1  provisional

A rating is provisional while the figure behind {PLUS_MINUS} is more than 110.
"""
"""The figures of Glicko-2 for a game between two who are new."""

CLEO = f"""\
Player  Cleo (3)
Game    Take
Rating  1662 {PLUS_MINUS} 290, provisional, after 1 game

As of             Game  Rating    {PLUS_MINUS}  Games
───────────────────────────────────────────────────────
2026-04-01 14:05     4    1662  290      1  provisional

The games of a month count together; its last one is named. A rating is
provisional while the figure behind {PLUS_MINUS} is more than 110. Times are in
Europe/Berlin.
"""
JUDO = f"""\
Player  Bob (2)
Game    Tako Judo
Rating  1500 {PLUS_MINUS} 350, provisional, as everybody begins
"""


@pytest.fixture(scope="session")
def rated_template(club_template: Club, tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A club in which Cleo has won a game against Bob."""
    club = copied(club_template, tmp_path_factory.mktemp("rated"))
    play(club, "Cleo")
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
        ("league ratings take Cleo", CLEO),
        ("league ratings tako", "Nobody has a rating at TAKO yet: no game of a league has ended.\n"),
        ("league ratings tako-judo Bob", JUDO),
    ],
)
def test_what_is_printed(rated: Club, line: str, printed: str) -> None:
    assert rated.printed(line) == printed


def test_a_line_is_a_month(club: Club) -> None:
    play(club, "Cleo", "Ada", "Bob", days=10)
    (moment,) = _ratings(club, "league ratings take Bob --json")[0].history
    assert (moment.at.month, moment.games) == (3, 2)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("league ratings tke", "tke"),
        ("league ratings take Zoe", 'There is nobody here with the number, name or address "Zoe"'),
        ("league ratings take --svg board.svg", "A picture shows one player."),
    ],
)
def test_what_cannot_be_is_refused(rated: Club, line: str, says: str) -> None:
    result = rated.run(line)
    assert result.exit_code != 0
    assert says in result.stderr


def test_json_has_it_all(rated: Club) -> None:
    everybody = _ratings(rated, "league ratings take --json")
    (cleo,) = _ratings(rated, "league ratings take Cleo --json")
    assert [(one.name, one.player, one.games, one.provisional, one.history) for one in everybody] == [
        ("Cleo", 3, 1, True, []),
        ("Bob", 2, 1, True, []),
    ]
    assert (cleo.rating, cleo.deviation) == (everybody[0].rating, everybody[0].deviation)
    assert [(one.game, one.games, one.rating) for one in cleo.history] == [(4, 1, cleo.rating)]


def _ratings(club: Club, line: str) -> list[LeagueRating]:
    found = declared(typed(club, line).stdout, "league ratings")
    assert isinstance(found, list)
    return found


def test_pictures_are_written(rated: Club) -> None:
    printed = rated.printed("league ratings take Cleo --svg {dir}/cleo.svg --png {dir}/cleo.png")
    assert printed.endswith(f"The picture is in {rated.directory}/cleo.svg.\nThe picture is in {rated.directory}/cleo.png.\n")
    assert "Cleo, Take" in (rated.directory / "cleo.svg").read_text("utf-8")
    assert (rated.directory / "cleo.png").read_bytes().startswith(b"\x89PNG")


def test_the_audit_looks_at_ratings_too(rated: Club) -> None:

    assert rated.run("audit verify").exit_code == 0
    with closing(sqlite3.connect(rated.directory / "club.db")) as hand, hand:
        hand.execute("UPDATE rating SET mean = 2400 WHERE player = 3")
    result = rated.run("audit verify")
    assert result.exit_code == 1
    assert "the rating of player 3 at take is not what the results come to" in " ".join(result.stdout.split())
