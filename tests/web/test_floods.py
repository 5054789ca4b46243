"""Limits on requests of one player from pages: as many as by mail, and both count together."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.service.mailroom.letters import outcomes
from tests.web.club import SETTINGS, Club, serving
from turnserver.config import Incoming

PAGE, MOST = "/turns/play/1-2", 3


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path) -> Iterator[Club]:
    """A world with pages on a free port, where three mails an hour are looked at, and a game of Ada and Bob."""
    with serving(sqlite_url, tmp_path, replace(SETTINGS, incoming=Incoming(mails_per_hour=MOST))) as served:
        served.world.open({"size": 3})
        served.world.wait(hours=2)
        yield served


def test_words_above_the_limit_of_an_hour_are_refused(club: Club) -> None:
    """Nobody hears them, and their writer still has them in the field; an hour later they can be sent."""
    bob, heard = club.visitor("Bob"), len(club.world.mails("Ada"))
    statuses = []
    for number in range(MOST + 2):
        bob.go(PAGE)
        bob.send("Send", text=f"word {number}")
        statuses.append(bob.answer.status)
    club.world.settle()
    assert statuses == [200] * MOST + [429] * 2
    assert len(club.world.mails("Ada")) == heard + MOST
    assert bob.page.says("More than 3 requests by mail or page came from you within an hour, so nothing has changed.")
    assert f"word {MOST + 1}" in bob.answer.text
    club.world.wait(minutes=61)
    bob.send("Send", text="an hour later")
    assert bob.answer.status == 200


def test_a_form_that_was_carried_out_is_no_flood_when_it_is_sent_again(club: Club) -> None:
    bob = club.visitor("Bob")
    bob.go(PAGE)
    first = bob.page.form("Send")
    bob.post(first.action, first.fields | {"text": "hello"})
    for number in range(MOST):
        bob.go(PAGE)
        bob.send("Send", text=f"word {number}")
    assert bob.answer.status == 429
    bob.post(first.action, first.fields | {"text": "hello"})
    assert bob.answer.status == 200


def test_mails_and_forms_count_together(club: Club) -> None:
    bob = club.visitor("Bob")
    for number in range(MOST - 1):
        bob.go(PAGE)
        bob.send("Send", text=f"word {number}")
    club.world.settle()
    invited = next(mail for mail in club.world.mails("Bob") if "[Take 1]" in mail["Subject"])
    club.world.answer("Bob", "say by mail", mail=invited)
    club.world.answer("Bob", "say by mail again", mail=invited)
    assert outcomes(club.world)[-2:] == ["said", "refused: too_many"]
    bob.send("Send", text="from the page again")
    assert bob.answer.status == 429


def test_a_move_is_played_however_much_was_said(club: Club) -> None:
    ada = club.visitor("Ada")
    for number in range(MOST):
        ada.go("/turns/play/1-1")
        ada.send("Send", text=f"word {number}")
    ada.go("?t=b2")
    ada.send("Play b2")
    assert ada.page.says("Ada played b2")


def test_settings_of_a_page_are_refused_on_it(club: Club) -> None:
    bob = club.visitor("Bob")
    bob.go("/turns/me")
    for receipts in ("on", "off", "on", "off"):
        bob.send("Save the settings", receipts=receipts)
    assert bob.answer.status == 429
    assert club.world.service.people.find("Bob").preferences.receipts == "on"
