"""The page of a turn for somebody who is signed in: their session is the right to it, and with `link_play = "sign-in"` the only one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.service.world import PEOPLE
from tests.terms import PLAIN
from tests.web.club import SETTINGS, SIGNED_IN, Club, serving
from tests.web.turn.visitor import URL, link
from turnserver.config import Settings
from turnserver.ids import GameId, PlayerId
from turnserver.play.events import TurnPlayed
from turnserver.store.games import notes
from turnserver.store.people import accounts

SLOW = replace(SETTINGS, play=replace(PLAIN, correction_minutes=10))


@pytest.fixture
def settings() -> Settings:
    """The settings of the club, for a test to choose others."""
    return SETTINGS


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path, settings: Settings) -> Iterator[Club]:
    """A world with pages on a free port, and a game of Ada and Bob."""
    with serving(sqlite_url, tmp_path, settings) as served:
        served.world.open({"size": 3})
        yield served


GAME = GameId(1)
PAGE = {"Ada": "/turns/play/1-1", "Bob": "/turns/play/1-2", "Cleo": "/turns/play/1-3"}


def moves(club: Club) -> list[str]:
    return [turn.text for turn in club.world.state(GAME).line.turns]


def test_a_move_is_played_without_a_link(club: Club) -> None:
    ada = club.visitor("Ada")
    ada.go(PAGE["Ada"])
    ada.go("?t=b2")
    assert ada.send("Play b2").says("Ada played b2")
    assert ada.path == PAGE["Ada"]
    (turn,) = (row for row in club.world.service.games.history(GAME) if isinstance(row.event, TurnPlayed))
    assert (turn.actor, turn.cause.partition(":")[0]) == ("player-1", "web")


def test_a_form_that_is_sent_twice_plays_once(club: Club) -> None:
    ada = club.visitor("Ada")
    ada.go(f"{PAGE['Ada']}?t=b2")
    form = ada.page.form("Play")
    for _ in range(2):
        ada.post(form.action, form.fields)
        assert ada.answer.status == 200
    assert moves(club) == ["b2"]


def test_the_other_forms_of_a_page_are_requests_of_their_own(club: Club) -> None:
    """All of them carry one nonce: what can still be done is done, once each, and a second move is refused."""
    ada = club.visitor("Ada")
    ada.go(f"{PAGE['Ada']}?s=b2")
    first = ada.page.form("Play")
    sent = [
        ({"do": "say", "text": "hello"}, 200),
        ({"do": "say", "text": "and good luck"}, 200),
        ({"do": "note", "text": "the middle is mine"}, 200),
        (first.fields, 200),
        (first.fields | {"then": "next"}, 200),
        (first.fields | {"text": "c3"}, 409),
        ({"do": "resign"}, 200),
    ]
    for fields, status in [one for one in sent for _ in range(2)]:
        ada.post(PAGE["Ada"], {name: first.fields[name] for name in ("nonce", "turn")} | fields)
        assert ada.answer.status == status
    club.world.settle()
    with club.world.service.db.read() as conn:
        assert [line.text for line in accounts.chat(conn, GAME)] == ["hello", "and good luck"]
        assert [note.text for note in notes.own(conn, PlayerId(1), GAME)] == ["the middle is mine"]
    assert moves(club) == ["b2"]
    assert club.world.state(GAME).result is not None


def test_what_is_kept_of_a_form_does_not_tell_what_it_said(club: Club) -> None:
    ada = club.visitor("Ada")
    ada.go(PAGE["Ada"])
    nonce = ada.page.form("Send").fields["nonce"]
    ada.send("Send", text="hello")
    assert len(club.everything["form"]) == 1
    assert nonce not in repr(club.everything)


def test_a_tab_of_an_earlier_turn_does_nothing(club: Club) -> None:
    ada = club.visitor("Ada")
    ada.go(f"{PAGE['Ada']}?t=b2")
    old = ada.page.form("Play")
    club.world.answer("Ada", "c3", mail=club.world.mails("Ada")[-2])
    club.world.answer("Bob", "a1")
    ada.post(old.action, old.fields)
    assert ada.answer.status == 409
    assert moves(club) == ["c3", "a1"]


STRANGERS = [("Bob", PAGE["Ada"], 200), ("Cleo", PAGE["Ada"], 200), ("Cleo", PAGE["Cleo"], 404), ("Ada", "/turns/play/9-1", 404)]


def test_the_page_of_somebody_else_is_not_shown(club: Club) -> None:
    """They may sign in as that player; and whether there is a game of others is not told."""
    for name, path, status in STRANGERS:
        visitor = club.visitor(name)
        visitor.go(path)
        assert visitor.answer.status == status
        assert visitor.page.says(f"You are signed in as {name}." if status == 200 else "You have no game")
        assert "Take" not in visitor.answer.text


def test_somebody_who_signed_out_meanwhile_plays_nothing(club: Club) -> None:
    ada = club.visitor("Ada")
    ada.go(f"{PAGE['Ada']}?t=b2")
    club.world.service.pages.sessions.end_all(club.world.service.people.find("Ada").id)
    assert ada.send("Play").says("Mail me a link")
    assert moves(club) == []


def test_what_no_form_of_ours_sends_does_nothing(club: Club) -> None:
    ada = club.visitor("Ada")
    ada.go(f"{PAGE['Ada']}?t=b2")
    form = ada.page.form("Play")
    for turn in ("", "1", "x-y", "1-0-0", "99999999999-0"):
        ada.post(PAGE["Ada"], form.fields | {"turn": turn})
        assert ada.answer.status == 404
    assert moves(club) == []


def test_the_next_game_that_waits_needs_no_link_either(club: Club) -> None:
    club.world.open({"size": 3})
    ada = club.visitor("Ada")
    ada.go(PAGE["Ada"])
    assert ada.page.links["Next game that waits for you"] == "/turns/play/2-1"
    assert ada.page.links["Your games"] == "/turns/me"


def test_one_tap_plays_and_leads_on(club: Club) -> None:
    """To the next game that waits; to that of the turn if none does."""
    club.world.open({"size": 3})
    ada = club.visitor("Ada")
    ada.go(f"{PAGE['Ada']}?s=b2")
    ada.send("Play b2", then="next")
    assert ada.path == "/turns/play/2-1"
    assert [turn.text for turn in club.world.state(GAME).line.turns] == ["b2"]
    ada.go("?s=b2")
    assert "on to the next game" not in ada.answer.text
    ada.send("Play b2", then="next")
    assert ada.path == "/turns/play/2-1"
    # whoever has a link of one game alone is not led to another one
    assert "on to the next game" not in club.visitor().go(f"{link(club.world, GAME, 'Ada')}?s=c3").words


def test_the_page_leads_to_every_board_of_the_game(club: Club) -> None:
    """For whoever is signed in: a link of one mail does not open it."""
    ada, by_link = club.visitor("Ada"), club.visitor()
    ada.go(PAGE["Ada"])
    assert ada.press("Every board so far, history and downloads").says("Link to this move")
    assert "Every board so far, history and downloads" not in by_link.go(link(club.world, GAME, "Ada")).links


@pytest.mark.parametrize("settings", [SLOW])
def test_a_turn_that_can_still_be_corrected_is_not_shown(club: Club) -> None:
    ada, bob = club.visitor("Ada"), club.visitor("Bob")
    ada.go(f"{PAGE['Ada']}?t=b2")
    ada.send("Play b2")
    assert not bob.go(PAGE["Bob"]).says("b2")
    assert bob.page.form("Send").fields["turn"] == "1-0"
    club.world.wait(minutes=11)
    assert bob.go(PAGE["Bob"]).says("Ada played b2")


def test_using_a_session_prolongs_it_and_looking_does_not(club: Club) -> None:
    ada = club.visitor("Ada")
    before = club.everything["session"]
    club.world.wait(days=2)
    ada.go(PAGE["Ada"])
    assert club.everything["session"] == before
    kept = []
    for wait in (0, 0.5, 1):
        club.world.wait(days=wait)
        ada.go(PAGE["Ada"])
        ada.send("Send", text=f"hello {wait}")
        kept.append(club.everything["session"])
    assert before != kept[0] == kept[1] != kept[2]
    assert "2026-06-" in str(kept[2])


@pytest.mark.parametrize("settings", [SIGNED_IN, replace(SETTINGS, web=replace(SETTINGS.web, link_play="off"))], ids=["sign-in", "off"])
def test_a_link_that_was_passed_on_shows_and_plays_nothing(club: Club) -> None:
    for name in ("", "Bob", "Cleo"):
        visitor = club.visitor(name)
        page = visitor.go(link(club.world, GAME, "Ada") + "?s=b2")
        assert page.says("Mail me a link")
        assert not [word for word in ("Take", "Ada", "Red", "<svg") if word in visitor.answer.text]
        visitor.cookies["/turns/play"] = f"turn={link(club.world, GAME, 'Ada').rpartition('/')[2]}"
        for path in (PAGE["Ada"], f"{PAGE['Ada']}/board.svg"):
            assert visitor.go(path).says("Mail me a link")
        visitor.post(PAGE["Ada"], {"do": "move", "text": "b2", "turn": "1-0", "nonce": 20 * "n"})
        assert visitor.page.says("Mail me a link")
    assert moves(club) == []


@pytest.mark.parametrize("settings", [SIGNED_IN])
def test_who_signs_in_comes_back_to_the_move(club: Club) -> None:
    ada = club.visitor()
    ada.go(link(club.world, GAME, "Ada") + "?s=b2")
    ada.send("Mail me a link", email=PEOPLE["Ada"])
    club.world.settle()
    (mailed,) = re.findall(rf"{URL}(/sign-in/\S+)", club.world.text("Ada"))
    ada.go(f"/turns{mailed}")
    assert ada.send("Sign in as Ada").says("Your move: b2")
    ada.send("Play b2")
    assert moves(club) == ["b2"]
    assert club.visitor("Bob").go(link(club.world, GAME, "Bob")).says("Ada played b2")
