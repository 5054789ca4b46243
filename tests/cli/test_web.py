"""`turnserver web export`: what it prints and refuses. What it writes is in `tests.web.export`."""

from pathlib import Path

import msgspec
import pytest

from tests.cli.club import Club
from turnserver.cli.web import ExportedSite


def test_says_what_it_made_and_what_to_do_with_it(club: Club) -> None:
    says = club.printed("web export {dir}/site").split("\n")
    first = "9 pages of 0 leagues, 0 games and 0 players are in {}/site. Copy it to your web space; links work from any directory."
    assert says[0] == first.format(club.directory)
    assert "No league and no game is public yet: `turnserver league set 1 --visible" in says[1]
    club.printed("game set 3 --visible public")
    club.printed("player set Bob public name")
    says = club.printed("web export {dir}/site").split("\n")
    assert says[0].startswith("13 pages of 0 leagues, 1 game and 1 player are in ")
    assert says[1:] == [""]
    assert "Bob" in (club.directory / "site" / "games" / "3" / "index.html").read_text()


def test_prints_json(club: Club) -> None:
    club.printed("game set 3 --visible public")
    made = msgspec.json.decode(club.printed("web export {dir}/site --json"), type=ExportedSite)
    files = len([path for path in (club.directory / "site").rglob("*") if path.is_file()]) - 1
    assert made == ExportedSite(str(club.directory / "site"), 12, 0, 1, 0, files, files, 0)
    club.printed("game set 3 --visible usual")
    made = msgspec.json.decode(club.printed("web export {dir}/site --json"), type=ExportedSite)
    assert (made.pages, made.games, made.removed) == (9, 0, 6)


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("web export", 2, "Missing argument 'DIR'"),
        ("web export {dir}", 1, "is not empty, and no export has made it. Name a new or an empty directory."),
        ("web export {dir}/club.db", 1, "club.db: File exists."),
        ("web", 1, "web.url is empty, so there are no pages."),
        ("web exprot site", 2, "No such command 'exprot'"),
    ],
)
def test_refuses(club: Club, line: str, code: int, says: str) -> None:
    before = sorted(club.directory.rglob("*"))
    result = club.run(line)
    assert (result.exit_code, result.stdout) == (code, "")
    assert says in " ".join(result.stderr.split())
    assert sorted(club.directory.rglob("*")) == before


def test_needs_a_database(club: Club) -> None:
    (club.directory / "club.db").rename(club.directory / "elsewhere.db")
    result = club.run("web export {dir}/site")
    assert result.exit_code == 1
    assert "turnserver init" in result.stderr
    assert not Path(club.directory / "site").exists()
