"""An admin's commands for a Swiss of 60 players, from an empty database to the mails of the first round; and what lists may hold."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.club import CONFIG, Club
from tests.cli.league.league_club import swept
from tests.cli.typed import service_of
from turnserver.store.mail import outbox

PLAYERS = 60
MOST_COMMANDS = 6
EVENING = (
    "player import {dir}/people.csv --yes",
    "league add Winter --preset swiss --game take",
    "league open Winter",
    "league enter Winter --file {dir}/people.csv",
    "league start Winter --now --yes",
    "tick",
)
PEOPLE = "name;address;zone\r\n" + "".join(f"Member {n:02};p{n}@example.org;Europe/Berlin\r\n" for n in range(PLAYERS))


def test_a_swiss_of_sixty_takes_six_commands(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.config.write_text(f'{CONFIG}\n[outgoing]\ntransport = "maildir"\nmaildir = "leaving"\n', encoding="utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8-sig")
    club.printed("init")
    for line in EVENING:
        done = club.run(line)
        assert done.exit_code == 0, done.output
    service = service_of(club)
    with service.db.read() as conn:
        kinds = [mail.kind for mail in outbox.list_outbox(conn, None, 10_000)]
    service.db.close()
    league: Any = club.json("league show Winter --json")
    assert len(EVENING) <= MOST_COMMANDS
    assert [len(meeting["players"]) for meeting in league[0]["season"]["meetings"] if meeting["game"]] == [2] * (PLAYERS // 2)
    assert (kinds.count("welcome"), kinds.count("league_ready"), kinds.count("game_started") + kinds.count("turn")) == (PLAYERS, 0, PLAYERS)
    assert "everything is as it was written" in club.printed("audit verify")


@pytest.fixture
def cup(club: Club) -> Club:
    """A league that asks whether everybody is there, open for entries."""
    club.printed("player add Dan dan@example.org")
    club.printed("league add Cup --preset knockout --game take --set least=2")
    club.printed("league open Cup")
    return club


def test_a_correction_of_a_cup_that_is_over_says_what_is_missing(club: Club) -> None:
    club.printed("player add Dan dan@example.org")
    for line in (
        "add Cup --preset knockout --game take --set third_place=yes",
        "open Cup",
        "enter Cup Ada Bob Cleo Dan",
        "start Cup --now -y",
    ):
        club.printed(f"league {line}")
    for number in (1, 2, 3, 4):
        club.now += timedelta(hours=1)
        swept(club)
        assert "Not decided now" not in club.printed(f"league result Cup {number} win-loss --reason seen --yes")
    club.now += timedelta(hours=1)
    swept(club)
    missing = r"\w+ and \w+ in round 2; \w+ and \w+ in round 2. `turnserver league reopen 1 --reason TEXT` lets it be played."
    asked = " ".join(club.run("league result Cup 1 loss-win --reason 'a typo'", "y").output.split())
    assert (bool(re.search(f"Not decided then: {missing}", asked)), asked.count("Not decided")) == (True, 1)
    club.printed("league result Cup 1 win-loss --reason 'no typo' --yes")
    told = club.printed("league result Cup 1 loss-win --reason 'a typo' --yes")
    assert re.search(f"Not decided now: {missing}", " ".join(told.split()))
    club.printed("league result Cup 1 win-loss --reason 'no typo' --yes")
    told = club.printed("league result Cup 4 'no result' --reason 'nobody came' --yes")
    entered = r"meeting 4 of \w+ and \w+ in round 2. Enter it by `turnserver league result 1 MEETING win\|loss --reason TEXT`, or"
    assert re.search(f"Not decided now: {entered}", " ".join(told.split()))


def entered(club: Club) -> dict[str, bool]:
    league: Any = club.json("league show Cup --json")
    return {entry["player_name"]: entry["ready"] for entry in league[0]["season"]["entries"]}


LISTS = {
    "names, addresses and numbers": "Ada\n\nbob@example.org\n3\n",
    "names under a heading": "name\nAda\nBob\nCleo\n",
    "as for the import": "name;address;zone\nAnother name;ada@example.org;UTC\nBob;bob@example.org;\nCleo;cleo@example.org;\n",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_a_list_enters_who_has_not(cup: Club, text: str) -> None:
    (cup.directory / "list").write_text(text, encoding="utf-8")
    cup.printed("league enter Cup Bob Dan")
    assert "1 player of the list entered before.\nAda entered" in cup.printed("league enter Cup --file {dir}/list")
    assert list(entered(cup)) == ["Bob", "Dan", "Ada", "Cleo"]
    assert cup.printed("league enter Cup --file {dir}/list").endswith("Nobody is new; nothing has changed.\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Ada\nNobody\nBob, Cleo\nAlso nobody\n",
            'line 2: There is nobody here with the number, name or address "Nobody"',
        ),
        ("Ada\nNobody\nBob, Cleo\nAlso nobody\n", "line 3: There is to be one player on a line."),
        ("Ada\nNobody\nBob, Cleo\nAlso nobody\n", 'line 4: There is nobody here with the number, name or address "Also nobody"'),
        ("name\nNobody\nBob,Cleo\n", 'line 2: There is nobody here with the number, name or address "Nobody"'),
        ("name\nNobody\nBob,Cleo\n", "line 3: It has 2 cells, and the first line names 1 column."),
    ],
)
def test_every_wrong_line_of_a_list_is_told_and_nobody_enters(cup: Club, text: str, told: str) -> None:
    (cup.directory / "list").write_text(text, encoding="utf-8")
    done = cup.run("league enter Cup --file {dir}/list")
    assert (done.exit_code, told in done.stderr, entered(cup)) == (1, True, {})


def test_a_ready_check_says_how_it_goes_on_and_who_has_answered(cup: Club) -> None:
    cup.printed("league enter Cup Ada Bob Cleo Dan")
    begun = " ".join(cup.printed("league start Cup --yes").split())
    assert "everybody is asked whether they will play, until 2026-03-03" in begun
    assert "`turnserver league start 1 --now` begins at once, with those who have answered by then." in begun
    cup.printed("league ready Cup Ada cleo@example.org")
    told = " ".join(cup.printed("league start Cup --yes").split())
    assert "2 of 4 are ready: Ada and Cleo. No answer yet from Bob and Dan." in told
    assert entered(cup) == {"Ada": True, "Bob": False, "Cleo": True, "Dan": False}
    asked = cup.run("league start Cup --now", "n\n")
    assert "Begin season 1 of Cup with 2 players, without Bob and Dan?" in asked.stderr
    assert "Ada and Cleo" in cup.printed("league start Cup --now --yes").replace("Cleo and Ada", "Ada and Cleo")


def test_everybody_is_ready_at_once(cup: Club) -> None:
    too_early = cup.run("league ready Cup --all")
    cup.printed("league enter Cup Ada Bob Cleo")
    assert "Nobody has been asked yet whether they will play for season 1 of Cup." in cup.run("league ready Cup --all").stderr
    cup.printed("league start Cup --yes")
    assert set(entered(cup).values()) == {False}
    assert cup.printed("league ready Cup --all") == "Ada is ready.\nBob is ready.\nCleo is ready.\n"
    again = cup.run("league ready Cup --all")
    assert "Everybody has answered already. `turnserver league start 1` begins the season." in again.stderr
    some = cup.run("league ready Cup Ada Dan")
    assert "Ada is ready for season 1 of Cup already. Dan has not entered season 1 of Cup." in some.stderr
    assert "The season began with" in cup.printed("league start Cup --yes")
    assert too_early.exit_code == 1


def test_nobody_is_asked_if_nobody_is_to_be(cup: Club) -> None:
    cup.printed("league enter Cup Ada Bob")
    asked = cup.run("league start Cup --now", "n\n")
    assert "End the entries of Cup, with 2 players, and begin the season?" in asked.stderr
    assert "The season began with" in cup.printed("league start Cup --now --yes")
    assert "everything is as it was written" in cup.printed("audit verify")


@pytest.mark.parametrize("line", ["enter Cup", "enter Cup Ada --file {dir}/list", "ready Cup", "ready Cup Ada --all"])
def test_either_names_or_all_of_them(cup: Club, line: str) -> None:
    (cup.directory / "list").write_text("Ada\n", encoding="utf-8")
    done = cup.run(f"league {line}")
    assert (done.exit_code, "Name the players, or write --" in done.stderr) == (1, True)
