"""A season of a club of 60 whose director makes mistakes, and puts each of them right by a command."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.club import CONFIG, Club
from tests.cli.league.league_club import swept
from tests.cli.league.test_evening import PEOPLE
from tests.cli.typed import service_of
from turnserver.ids import LeagueId
from turnserver.league.commands import SetResult
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format
from turnserver.league.state import Phase, Season

WINTER = LeagueId(1)
ROUNDS = 5
BEGIN = (
    "player import {dir}/people.csv --yes",
    "player add Late late@example.org",
    "player add New new@example.org",
    "player add Other other@example.org",
    "league add Winter --preset swiss --game take --set round_every=0 --set round_days=14",
    "league open Winter",
    "league enter Winter --file {dir}/people.csv",
    "league start Winter --now --yes",
)
PUT_RIGHT = {
    "the wrong player was withdrawn": (
        ("league withdraw Winter 'Member 07' -y",),
        ("league withdraw Winter 'Member 07' --back --reason 'the wrong name' -y",),
    ),
    "somebody left, and somebody new wants to play": (
        ("league withdraw Winter 'Member 08' -y",),
        ("league substitute Winter 'Member 08' New --reason 'a place is free' -y",),
    ),
    "an entry was lost in the post": ((), ("league enter Winter Late --past half --reason 'lost in the post' -y",)),
    "the wrong player was let in": (
        ("league enter Winter Other --past half --reason 'lost in the post' -y",),
        ("league enter Winter Other --back --reason 'it was another' -y",),
    ),
    "a round was paired without somebody": ((), ("league pair Winter --again --reason 'with Late' -y",)),
    "a round was paired by hand, and wrongly": (
        ("league pair Winter 'Member 01' 'Member 02' --bye 'Member 03' --again --reason 'as promised' -y",),
        ("league pair Winter --again --reason 'it was promised for another round' -y",),
    ),
    "a deadline is too early": (
        ("league extend Winter --round 1 --until 5d --reason 'a typo' -y",),
        ("league extend Winter --round 1 --longer 9d --reason 'five days are too few' -y",),
    ),
    "nobody thought of the holidays": (
        ("league pause Winter --reason 'the holidays' -y",),
        ("league resume Winter --reason 'all are back' -y",),
    ),
    "a bye was promised to the wrong player": (
        ("league bye Winter 'Member 10' --reason 'away'",),
        ("league bye Winter 'Member 10' --back --reason 'it was another'", "league bye Winter 'Member 11' --reason 'away'"),
    ),
    "points were taken from the wrong player": (
        ("league penalize Winter 'Member 12' 1 --reason late",),
        ("league penalize Winter 'Member 12' 1 --back --reason 'it was another'",),
    ),
    "the season was closed": (("league close Winter --reason 'a typo' -y",), ("league reopen Winter --reason 'not yet' -y",)),
    "the season was called off": (
        ("league drop Winter --begun --reason 'a typo' -y",),
        ("league reopen Winter --reason 'not that one' -y",),
    ),
}
"""Things that went wrong, and the commands that put them right, all of it in the first round."""


def season(club: Club) -> Season:
    service = service_of(club)
    found = service.leagues.state(WINTER).season
    service.db.close()
    assert found is not None
    return found


def played(club: Club) -> None:
    """Every open game of the round is over: the lower number wins, and every third is drawn."""
    service = service_of(club)
    for one in season(club).fixtures:
        if not one.marks:
            mark = Mark.DRAW if one.number % 3 == 0 else Mark.WIN if one.players[0] == min(one.players) else Mark.LOSS
            marks = (mark, {Mark.DRAW: Mark.DRAW, Mark.WIN: Mark.LOSS, Mark.LOSS: Mark.WIN}[mark])
            service.leagues.handle(WINTER, SetResult(one.number, marks, ""), actor="admin:test", cause=f"test:{one.round}:{one.number}")
    service.db.close()


@pytest.mark.long
def test_ten_mistakes_of_a_season_of_sixty_are_put_right(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.config.write_text(CONFIG, encoding="utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8-sig")
    for line in ("init", *BEGIN):
        done = club.run(line)
        assert done.exit_code == 0, done.output
    swept(club)
    for wrong, right in PUT_RIGHT.values():
        for line in (*wrong, *right):
            done = club.run(line)
            assert done.exit_code == 0, f"{line}: {done.output}"
        swept(club)
    assert "everything is as it was written" in club.printed("audit verify")
    for number in range(1, ROUNDS + 1):
        assert max(season(club).paired.values()) == number
        played(club)
        club.printed("league pair Winter")
        swept(club)
    # a result of the last round but one is corrected when all is over
    first = next(one.number for one in season(club).fixtures if one.round == ROUNDS - 1 and not one.void and len(one.players) == 2)
    club.printed(f"league result Winter {first} 'no result' --reason 'it was another game' -y")
    assert season(club).phase is Phase.CLOSED
    table: Any = club.json("league standings Winter --json")
    assert len(table[0]["lines"]) == 61
    names = {line["name"] for line in table[0]["lines"]}
    assert {"Late", "New for Member 08", "Member 07"} <= names
    assert club.run("league export Winter --format trf").exit_code == 0
    assert club.run("league explain Winter Late").exit_code == 0
    assert "everything is as it was written" in club.printed("audit verify")
    assert Format.SWISS.value in club.printed("league show Winter").lower()
