"""Tables fit into 80 columns, and break no name."""

import pytest

from tests.cli.club import Club
from tests.cli.league.league_club import swept
from turnserver.cli.output import show

ADDRESS = "hubert.blaine.wolfeschlegelsteinhausenbergerdorff.senior@a-rather-long-domain.example.org"
NAMES = ("Wolfeschlegelsteinhaus zu Bergerdorff", "Maximiliane-Theodora Hohenlohe")
WORDS = [word for name in NAMES for word in name.split()]


@pytest.fixture
def named(club: Club) -> Club:
    """A club with players of long names, who play each other and in a league."""
    club.printed(f"player add '{NAMES[0]}' {ADDRESS} --zone America/Argentina/Buenos_Aires")
    club.printed(f"player add '{NAMES[1]}' maximiliane@example.org")
    club.printed("game open take 4 5")
    club.printed("league add Winter --game take --set ready_hours=0 --set least=2")
    club.printed("league open 1")
    club.printed("league enter 1 4 5")
    club.printed("league start 1 --yes")
    swept(club)
    return club


@pytest.mark.parametrize(
    "line", ["player list", "game list", "mail outbox list", "league show 1", "league history 1", "audit trail", "player show 4"]
)
def test_names_are_whole_and_lines_fit(named: Club, line: str) -> None:
    printed = named.printed(line)
    assert [word for word in WORDS if word not in printed] == []
    assert max(map(len, printed.splitlines())) <= 80


WIDE = ("1", "Ada von Hohenlohe", f"ada@{'example.' * 9}org")


@pytest.mark.parametrize(
    ("columns", "seen"),
    [
        (120, [" 1  Ada von Hohenlohe  ada@example.example.example.example.example.example.example.example.example.org"]),
        (40, [" 1  Ada von    ada@example.example.examp", "    Hohenlohe  le.example.example.exampl"]),
        (24, [" 1  Ada von    ada@examp", "    Hohenlohe  le.exampl"]),
    ],
)
def test_what_is_no_name_is_broken_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int, seen: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    show.table(("No", "Name", "Address"), [WIDE], right=("No",))
    assert capsys.readouterr().out.splitlines()[2 : 2 + len(seen)] == seen


def test_a_name_stays_on_one_line_where_there_is_room(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show.table(("No", "Name", "What"), [("1", "Ada von Hohenlohe", "has not been heard of for a while")], right=("No",))
    assert capsys.readouterr().out.splitlines()[2:] == [
        " 1  Ada von Hohenlohe  has not been",
        "                       heard of for a",
        "                       while",
    ]
