"""Games of a list: one for each line, all or none."""

from typing import Any

import msgspec

from tests.cli.club import Club


def listed(club: Club) -> list[Any]:
    return msgspec.json.decode(club.printed("game list --all --json"), type=list[Any])


def test_each_line_is_a_game(club: Club) -> None:
    (club.directory / "pairs").write_text("Ada; bob@example.org\n\n3;1;\n", encoding="utf-8")
    said = club.printed("game open take --pairs {dir}/pairs --option size=2 --order given --time 2d")
    assert said.splitlines() == [
        "Game 4, Take is open and the invitations are on their way: Ada (Red), Bob (Blue).",
        "Game 5, Take is open and the invitations are on their way: Cleo (Red), Ada (Blue).",
    ]
    assert [game["options"]["size"] for game in listed(club)[:2]] == [2, 2]
    assert "everything is as it was written" in club.printed("audit verify")


def test_every_wrong_line_is_told_and_no_game_is_opened(club: Club) -> None:
    club.printed("player set Cleo subscribed off")
    (club.directory / "pairs").write_text("Ada,Bob\nAda\nAda,Nobody\nBob,Bob\nBob,Cleo\n", encoding="utf-8")
    first = club.run("game open take --pairs {dir}/pairs")
    assert 'line 3: There is nobody here with the number, name or address "Nobody"' in first.stderr
    (club.directory / "pairs").write_text("Ada,Bob\nAda\nBob,Bob\nBob,Cleo\n", encoding="utf-8")
    second = club.run("game open take --pairs {dir}/pairs")
    assert (first.exit_code, second.exit_code, len(listed(club))) == (1, 1, 3)
    assert [line.strip()[:6] for line in second.stderr.splitlines()[1:]] == ["line 2", "line 3", "line 4"]
    assert "line 4: Cleo doesn't want mail at the moment, so you can't invite them." in second.stderr


def test_either_players_or_a_list(club: Club) -> None:
    (club.directory / "pairs").write_text("Ada,Bob\n", encoding="utf-8")
    for line in ("game open take", "game open take Ada Bob --pairs {dir}/pairs"):
        assert "Name the players, or write --pairs" in club.run(line).stderr
