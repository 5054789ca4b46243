"""Commands that change a game: they ask first, say what they are about to do, and leave their trace in the history."""

from datetime import timedelta
from typing import Any, cast

import pytest

from tests.cli.club import ADA, BOB, Club
from turnserver.play import commands as c

ASKS = {
    "cancel": ("game cancel 2 --reason x", "Stop Game 2, Take (Cleo (Red), Ada (Blue)) without a result?"),
    "adjudicate": ("game result 1 Ada win --reason x", "End Game 1, Take (Ada (Red), Bob (Blue)) as won by Ada (Red)?"),
    "draw": ("game result 1 draw --reason x", "as a draw?"),
    "void": ("game result 1 no result --reason x", "without a result?"),
    "reopen": (
        "game reopen 3 --reason x",
        "Game 3, Take (Ada (Red), Bob (Blue)) has ended: Ada (Red) wins. Bob (Blue) resigned. Take that back and let the game go on?",
    ),
    "retract": ("game retract 1 --from 2 --reason x", "Take back these turns of Game 1, Take (Ada (Red), Bob (Blue)): 2 e3, 3 a2?"),
}


def history(club: Club, game: int) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", club.json(f"game history {game} --json"))


@pytest.mark.parametrize(("line", "question"), ASKS.values(), ids=ASKS)
@pytest.mark.parametrize("answer", ["n\n", "", "\n"], ids=["no", "nothing", "return"])
def test_asks_and_takes_no_for_an_answer(club: Club, line: str, question: str, answer: str) -> None:
    before = [history(club, game) for game in (1, 2, 3)]
    result = club.run(line, answer)
    assert question in result.output
    assert (result.exit_code, "Nothing was changed." in result.stderr) == (1, True)
    assert [history(club, game) for game in (1, 2, 3)] == before


def test_asks_with_names_as_they_are(club: Club) -> None:
    club.printed("player set Bob name '{{name}} {{Bob'")
    assert "as won by {name} {Bob (Blue)?" in club.run("game result 1 Blue win --reason x", "n\n").output


@pytest.mark.parametrize("line", [line for line, _ in ASKS.values()])
def test_goes_on_after_yes(club: Club, line: str) -> None:
    game = int(line.split()[2])
    before = history(club, game)
    assert club.run(line, "y\n").exit_code == 0
    event = history(club, game)[len(before)]
    assert event["actor"].startswith("admin:")
    assert event["cause"].startswith("cli:")


REFUSED = {
    "reopen a game with chance": ("game reopen 4 --reason x", "its secret has been told at the end"),
    "retract in a game with chance": ("game retract 4 --from 1 --reason x", "its secret has been told at the end"),
    "reopen a running game": ("game reopen 1 --reason x", "still running"),
    "retract nothing": ("game retract 1 --from 9 --reason x", "cannot be taken back"),
    "cancel an ended game": ("game cancel 3 --reason x", "This game is over"),
    "grant no claim": ("game claim 1 --grant --reason x", "No claim waits"),
}


@pytest.mark.parametrize(("line", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_refused_without_a_question(club: Club, line: str, why: str) -> None:
    club.printed("game open tako Ada Bob --order given")
    club.ask(4, c.Accept(ADA, club.now), c.Accept(BOB, club.now), c.Resign(BOB, club.now))
    result = club.run(line, "n\n")
    assert (result.exit_code, "[y/N]" in result.output, why in " ".join(result.stderr.split())) == (1, False, True)


def test_each_run_has_a_cause_of_its_own(club: Club) -> None:
    club.printed("game credit 1 --hours 1 --reason x")
    club.printed("game credit 1 --hours 1 --reason x")
    causes = [event["cause"] for event in history(club, 1) if event["type"] == "game.clock_credited"]
    assert len(set(causes)) == 2


def test_a_result_that_is_taken_back_is_marked(club: Club) -> None:
    club.printed("game retract 3 --from 2 --reason 'wrong board' -y")
    undone = [event["type"] for event in history(club, 3) if event["undone_by"] == 9]
    assert undone == ["game.turn_played", "game.ended"]


def test_an_undone_turn_is_undone_once(club: Club) -> None:
    club.play(1, (BOB, ADA), "e2", "a3")
    club.printed("game retract 1 --from 3 --reason again -y")
    marks = {event["version"]: event["undone_by"] for event in history(club, 1) if event["type"] == "game.turn_played"}
    assert marks == {5: None, 6: None, 7: 13, 8: 10, 9: 10, 11: 13, 12: 13}


def test_what_an_admin_writes_can_neither_colour_nor_move_anything(club: Club) -> None:
    club.printed("game credit 1 --hours 1 --reason '\x1b[31mlate [bold]mail[/bold]\r\n17'")
    printed = club.printed("game history 1")
    assert [char for char in printed if char != "\n" and not char.isprintable()] == []
    assert "[bold]mail[/bold]" in printed
    assert history(club, 1)[-1]["what"].endswith(": [31mlate [bold]mail[/bold] 17.")


def test_claims_are_listed_and_decided(club: Club) -> None:
    """Granting asks first, as it ends the game."""
    assert club.json("game list --claims --json") == []
    assert "No claim waits" in club.run("game claim 1 --grant --reason x -y").stderr
    club.now += timedelta(days=1)
    waiting = ADA if club.json("game show 1 --json")["to_move"] == 2 else BOB  # type: ignore[index]  # JSON
    club.ask(1, c.MakeClaim(waiting, club.now))
    assert "asks you to decide it" in club.printed("game show 1")
    assert [game["id"] for game in cast("list[dict[str, Any]]", club.json("game list --claims --json"))] == [1]
    assert "--grant or --dismiss" in club.run("game claim 1 --reason x").stderr
    assert "as won by" in club.run("game claim 1 --grant --reason x", "n\n").output
    claimed = cast("dict[str, Any]", club.json("game claim 1 --dismiss --reason x --json"))
    assert (claimed["claimed_by"], claimed["status"]) == (None, "running")
    assert "was dismissed already" in club.run("game claim 1 --grant --reason x -y").stderr
