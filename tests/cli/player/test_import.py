"""A list of people becomes accounts: all of them or none, whatever program has written it, and a second time nothing."""

from typing import Any

import msgspec
import pytest

from tests.cli.club import PEOPLE, Club
from tests.cli.typed import declared, service_of
from turnserver.store.mail import outbox

DAN_AND_EVE = {
    "commas": "name,address,zone,language\nDan,dan@example.org,Europe/Paris,de\nEve,eve@example.org,,\n",
    "any order, fewer columns": "address,zone,language,name\ndan@example.org,Europe/Paris,de,Dan\neve@example.org,,,Eve\n",
    "semicolons, CRLF and a mark, as Excel writes": (
        "\ufeffName;Address;Zone;Language;\r\nDan;dan@example.org;europe/paris;Deutsch;\r\nEve;eve@example.org\r\n"
    ),
    "quotes": 'name,address,zone,language\n"Dan","dan@example.org","Europe/Paris","de"\n\n"Eve","eve@example.org",,""\n,,,\n',
    "tabs": "name\taddress\tzone\tlanguage\nDan\tdan@example.org\tEurope/Paris\tde\nEve\teve@example.org\n",
}
HEADING = "name,address,zone,language\n"
WRONG = {
    "each line is told with all that is wrong in it": (
        f"{HEADING},dan@example.org,Nowhere,xx\nEve,eve,,\n\nFay,fay@example.org,Mars,en,more\n",
        [
            "3 lines are wrong, so nothing was changed:",
            "line 2: There is no name. 'Nowhere' isn't a time zone.",
            'line 3: "eve" isn\'t a mail address',
            "line 5: It has 5 cells, and the first line names 4 columns. 'Mars' isn't a time zone.",
        ],
    ),
    "what is no value": (
        f"{HEADING},dan@example.org,Nowhere,xx\nEve,eve,,\n",
        [
            "2 lines are wrong, so nothing was changed:",
            "line 2: There is no name. 'Nowhere' isn't a time zone. Write it like Europe/Berlin, or UTC. Our mails don't come in 'xx'.",
            'line 3: "eve" isn\'t a mail address such as ada@example.org.',
        ],
    ),
    "twice in the list": (
        f"{HEADING}Dan,dan@example.org\nDAN,dan2@example.org\nEve,Dan@example.org\n",
        ["line 3: The name stands in line 2 already.", "line 4: The address stands in line 2 already."],
    ),
    "a namesake": (f"{HEADING}ada,other@example.org\n", ["line 2: Ada is player 1 already, with the address ada@example.org."]),
    "nobody's heading": (
        "Dan,dan@example.org\n",
        ["line 1: There is no column name and no column address. The first line names"],
    ),
    "an unknown column": ("name,address,phone\nDan,dan@example.org,1\n", ["line 1: Nobody knows the column 'phone'. The first line names"]),
    "a column twice": ("name,address,name\nDan,dan@example.org,Dan\n", ["line 1: The column name stands there twice."]),
    "a quote that is left open": (
        f'{HEADING}Dan,dan@example.org\n"Eve,eve@example.org\nFay\n',
        ["line 3: Its quotation marks"],
    ),
    "nothing": ("\n \n", ["is empty."]),
    "another encoding": (
        f"{HEADING}J\u00f6rg,dan@example.org\n".encode("latin-1"),
        ["isn't in UTF-8."],
    ),
}


def written(club: Club, text: str | bytes) -> Club:
    (club.directory / "people.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    return club


def welcomed(club: Club) -> int:
    service = service_of(club)
    with service.db.read() as conn:
        number = sum(mail.kind == "welcome" for mail in outbox.list_outbox(conn, None, 1_000))
    service.db.close()
    return number


@pytest.mark.parametrize("text", DAN_AND_EVE.values(), ids=DAN_AND_EVE)
def test_everybody_is_added_and_welcomed_and_a_second_time_nobody(club: Club, text: str) -> None:
    written(club, text)
    done: Any = declared(club.printed("player import {dir}/people.csv --yes --json"), "player import")
    assert [(one.id, one.name, one.address, one.zone) for one in done.added] == [
        (4, "Dan", "dan@example.org", "Europe/Paris"),
        (5, "Eve", "eve@example.org", "Europe/Berlin"),
    ]
    settings = [msgspec.json.decode(club.printed(f"player show {name} --json"))["settings"] for name in ("Dan", "Eve")]
    assert [one["language"] for one in settings] == ["Deutsch", "English"]
    assert welcomed(club) == len(PEOPLE) + 2
    again = club.printed("player import {dir}/people.csv")
    assert again == "2 players of the list are here already.\nNobody is new; nothing has changed.\n"
    assert (len(club.json("player list --json")), welcomed(club)) == (5, 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "told"), WRONG.values(), ids=WRONG)
def test_every_wrong_line_is_told_and_nobody_is_added(club: Club, text: str | bytes, told: list[str]) -> None:
    done = written(club, text).run("player import {dir}/people.csv --yes")
    assert done.exit_code == 1
    assert [one for one in told if one not in done.stderr] == []
    assert len(club.json("player list --json")) == len(PEOPLE)  # type: ignore[arg-type]


def test_it_says_what_it_would_do_and_does_it_after_a_yes(club: Club) -> None:
    written(club, f"{HEADING}Dan,dan@example.org,UTC,\nBob,bob@example.org,,\n")
    before = club.run("player import {dir}/people.csv", "n\n")
    assert "Dan   dan@example.org  UTC   en" in before.stdout
    assert "1 player of the list is here already." in before.stdout
    assert "Add 1 player, and send each a welcome?" in before.stderr
    assert (before.exit_code, len(club.json("player list --json"))) == (1, 3)  # type: ignore[arg-type]
    assert "Added 1 player, as player 4." in club.run("player import {dir}/people.csv", "y\n").stdout


def test_what_is_otherwise_here_is_told_and_stays(club: Club) -> None:
    written(club, f"{HEADING}Ada B.,ADA@example.org,Asia/Tokyo,de\nDan,dan@example.org\n")
    done: Any = declared(club.printed("player import {dir}/people.csv --yes --json"), "player import")
    assert [(one.player, one.setting, one.here, one.there) for one in done.differences] == [
        (1, "name", "Ada", "Ada B."),
        (1, "zone", "Europe/Berlin", "Asia/Tokyo"),
        (1, "language", "en", "de"),
    ]
    told = " ".join(club.printed("player import {dir}/people.csv").split())
    assert "Line 2: Ada keeps the name Ada, though the list says Ada B.. To change it: `turnserver player set 1 name 'Ada B.'`." in told
    assert "Europe/Berlin" in club.printed("player show Ada")
