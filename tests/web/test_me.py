"""The player's own page, as a browser without scripts shows it, and what it withstands."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.leagues.league_world import begin, open_league
from tests.web.club import Club, serving
from tests.web.turn.visitor import Visitor
from turnserver.ids import GameId, player_stream
from turnserver.play.commands import Cancel
from turnserver.service.people.preferences import CHOICES
from turnserver.store.log import log
from turnserver.web.me.page import CONTROLS

ME = "/turns/me"


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path) -> Iterator[Club]:
    """A world with pages on a free port."""
    with serving(sqlite_url, tmp_path) as served:
        yield served


def at_home(club: Club, name: str = "Ada") -> Visitor:
    """A player at their page."""
    visitor = club.visitor(name)
    visitor.go(ME)
    assert visitor.answer.status == 200
    return visitor


def chosen(club: Club, name: str = "Ada") -> Any:
    return club.world.service.people.find(name).preferences


def causes(club: Club) -> list[tuple[str, str]]:
    """Return who changed something about Ada, and what asked for it."""
    with club.world.service.db.read() as conn:
        return [(row.actor, row.cause.partition(":")[0]) for row in log.load(conn, player_stream(club.world.service.people.find("Ada").id))]


def test_nobody_but_a_player_who_is_signed_in_has_such_a_page(club: Club) -> None:
    for cookie in ("", "session=nobody"):
        visitor = club.visitor()
        visitor.cookies["/turns"] = cookie
        assert visitor.go(ME).says("Mail me a link")
        assert visitor.path == "/turns/sign-in?to=/me"
        visitor.post(ME, {"do": "all-out", "nonce": 20 * "n"})
        assert visitor.page.says("Mail me a link")


def test_games_that_wait_come_first_and_lead_to_their_pages(club: Club) -> None:
    first, second = club.world.open({"size": 3}), club.world.open_any("take", ["Bob", "Ada"], {"size": 3})
    over = club.world.open({"size": 2})
    club.world.answer("Ada", "confirm resign")
    declined = club.world.open({"size": 2}, accepted=False)
    club.world.answer("Bob", "decline")
    cancelled = club.world.open({"size": 2})
    club.world.service.games.handle(cancelled, Cancel("a test"), actor="admin:test", cause="test:cancelled")
    ada = at_home(club)
    words = " ".join(ada.page.words)
    assert (
        words.index("You have 2 games; 1 waits for you.") < words.index(f"Take {first} against Bob") < words.index(f"Take {second} against")
    )
    assert "your move, until Wed 4 Mar, 12:00 (UTC), in 3 days" in words
    assert "Bob (Blue) to move" in words or "Bob (Red) to move" in words
    assert f"Take {over} against Bob you lost" in words
    assert f"Take {cancelled} against Bob no result" in words
    assert f"Take {declined} against" not in words
    assert at_home(club, "Bob").page.says("you won")
    assert ada.press(f"Take {first} against Bob").says("Your move")
    assert ada.path == f"/turns/play/{first}-1"


def test_games_that_are_not_over_are_known_by_their_boards(club: Club) -> None:
    """A picture has another address after each turn, since browsers keep it."""
    game, seen = club.world.open({"size": 3}), list[str]()
    ada = at_home(club)
    for name, words in (("Ada", "b2"), ("Bob", "c3"), ("Ada", "confirm resign")):
        seen += ada.go(ME).loads
        newest = next(one for one in reversed(club.world.mails(name)) if f"[Take {game}]" in one["Subject"])
        club.world.answer(name, words, mail=newest)
    assert len(set(seen)) == 3
    ada.go(seen[-1])
    assert (ada.answer.status, ada.answer.headers["content-type"]) == (200, "image/svg+xml")
    assert ada.go(ME).loads == []
    assert ada.page.says(f"Take {game} against Bob")


def test_a_turn_that_can_still_be_corrected_is_not_told(club: Club) -> None:
    game = club.world.open({"size": 3})
    state = club.world.service.pages.own.see(at_home(club, "Bob").cookies["/turns"].removeprefix("session=")).games[0].state
    assert (state.line.length, game) == (0, GameId(1))


def test_leagues_are_listed(club: Club) -> None:
    begin(club.world, open_league(club.world), ("Ada", "Bob", "Dan"))
    ada = at_home(club)
    assert ada.page.says("Take Winter season 1 is being played.")
    ada.go(ada.page.links["Take Winter"])
    assert (ada.path, ada.answer.status) == ("/turns/leagues/1", 200)
    assert not at_home(club, "Cleo").page.says("Take Winter")


def test_every_setting_has_a_field(club: Club) -> None:
    fields = at_home(club).page.form("Save the settings").fields
    assert set(fields) - {"nonce", "do", "quiet-until"} == set(CHOICES)
    assert set(CONTROLS) < set(CHOICES)


SETTINGS = [
    ({"digest": "18:00"}, "digest", "18:00"),
    ({"quiet": "22:00", "quiet-until": "07:00"}, "quiet", "22:00-07:00"),
    ({"board": "large", "subjects": "off"}, "board", "large"),
    ({"receipts": "off"}, "receipts", "off"),
    ({"subscribed": "off"}, "subscribed", "off"),
    ({"zone": "europe/berlin"}, "zone", "Europe/Berlin"),
    ({"language": "Deutsch"}, "language", "Deutsch"),
    ({"public": "as Blue Fox"}, "public", "as Blue Fox"),
]


def test_a_setting_is_changed_as_by_mail(club: Club) -> None:
    ada, mails = at_home(club), len(club.world.mails("Ada"))
    for number, (fields, name, value) in enumerate(SETTINGS, start=1):
        form = next(form for form in ada.page.forms if form.fields.get("do") == "settings")
        ada.post(ME, form.fields | fields)
        assert ada.path == f"{ME}?done=settings"
        assert str(CHOICES[name].show(club.world.service.people.find("Ada"))) == value
        assert causes(club)[-number:] == [("player-1", "web")] * number
    club.world.settle()
    assert len(club.world.mails("Ada")) == mails


def test_what_is_off_is_saved_as_off_and_what_stays_writes_nothing(club: Club) -> None:
    ada = at_home(club)
    ada.send("Save the settings", digest="18:00", quiet="22:00", **{"quiet-until": "07:00"})
    assert chosen(club).digest is not None
    ada.send("Save the settings", digest="", quiet="", **{"quiet-until": ""})
    assert (chosen(club).digest, chosen(club).quiet) == (None, None)
    before = causes(club)
    assert ada.send("Save the settings").says("Your settings are saved.")
    assert causes(club) == before


REFUSED = [
    ({"zone": "Atlantis", "board": "large"}, "'Atlantis' isn't a time zone", "zone"),
    ({"quiet": "22:00"}, "The setting quiet can't be", "quiet"),
    ({"board": "huge"}, "The setting board can't be 'huge'", "zone"),
]


def test_a_setting_that_cannot_be_changes_nothing_and_says_why(club: Club) -> None:
    ada = at_home(club)
    before = club.everything
    for fields, words, name in REFUSED:
        ada.go(ME)
        assert ada.send("Save the settings", **fields).says(words)
        assert ada.answer.status == 409
        assert ada.page.form("Save the settings").fields[name] == fields.get(name, "UTC")
        assert 'role="alert"' in ada.answer.text
        assert club.everything == before


def test_a_vacation_is_declared_and_called_off(club: Club) -> None:
    club.world.open({"size": 3})
    ada = at_home(club)
    assert ada.send("Go on vacation", first="2026-07-01", last="2026-07-14").says("from Wed 1 Jul 2026 to the end of Tue 14 Jul 2026")
    assert ada.page.says("Your vacation is declared")
    assert ada.page.says("In 2026, you have 16 days of 30 left.")
    assert causes(club)[-1] == ("player-1", "web")
    assert ada.send("End it, or call it off").says("That vacation is over")
    assert not ada.page.says("1 Jul 2026")


BACKWARDS = ("2026-07-14", "2026-07-01", "Your vacation would end before it begins.")


def test_a_vacation_that_cannot_be_is_refused(club: Club) -> None:
    ada = at_home(club)
    before = club.everything
    for first, last, words in (("2026-07-01", "", "Choose the first"), ("2020-01-01", "2020-01-02", ""), ("x", "y", "Choose"), BACKWARDS):
        ada.send("Go on vacation", first=first, last=last)
        assert ada.answer.status == 409
        assert ada.page.says(words)
        assert club.everything == before


def test_a_vacation_that_is_over_already_cannot_be_ended_once_more(club: Club) -> None:
    ada, other = at_home(club), at_home(club)
    ada.send("Go on vacation", first="2026-07-01", last="2026-07-14")
    other.go(ME)
    ada.send("End it, or call it off")
    before = club.everything
    other.send("End it, or call it off")
    (section,) = re.findall(r'<details id="vacation" open>.*?</details>', other.answer.text, re.DOTALL)
    assert (other.answer.status, 'role="alert"' in section) == (409, True)
    assert club.everything == before


def test_somebody_is_invited(club: Club) -> None:
    ada = at_home(club)
    assert ada.send("Send the invitation", player="Bob", game="take", options="size=4", seat="first", time="3d").says("is on its way")
    club.world.settle()
    assert "invites you" in club.world.text("Bob") or "You are invited" in club.world.text("Bob")
    state = club.world.state(GameId(1))
    assert [state.player_at(seat) for seat in state.seats] == [1, 2]
    assert ada.send("Send the invitation", player="Nobody", options="size=4").says("There is nobody here")
    assert ada.page.form("Send the invitation").fields["options"] == "size=4"


def test_an_invitation_is_begun_on_other_pages(club: Club) -> None:
    """On the page of a player whom the reader knows by name, and on the rules of a game; nothing is sent before the form is."""
    for name, public in (("Bob", "as Blue Fox"), ("Cleo", "as Red Fox")):
        club.world.service.people.choose(name, [("public", public)], actor="admin:test", cause=f"test:public:{name}")
    club.world.open()
    ada, stranger = club.visitor("Ada"), club.visitor()
    before = club.everything
    invite = "Invite Bob to a game"
    ada.go("/turns/players/2")
    assert ada.press(invite).form("Send the invitation").fields["player"] == "Bob"
    assert 'id="challenge" open' in ada.answer.text
    for visitor, path in ((ada, "/turns/players/3"), (ada, "/turns/players/1"), (stranger, "/turns/players/2")):
        assert not [one for one in visitor.go(path).links if "Invite" in one]
    ada.go("/turns/rules/okago")
    assert ada.press("Or invite somebody on your own page.").form("Send the invitation").fields["game"] == "okago"
    assert ada.go(f"{ME}?player=%3Cb%3E%22").form("Send the invitation").fields["player"] == '<b>"'
    assert club.everything == before


def test_sessions_are_listed_and_ended(club: Club) -> None:
    ada, other, bob = at_home(club), at_home(club), at_home(club, "Bob")
    ada.go(ME)
    assert [form.fields["do"] for form in ada.page.forms if form.fields["do"] in ("end", "out")] == ["out", "end"]
    foreign = next(form for form in bob.page.forms if form.fields["do"] == "out").fields["session"]
    ada.post(ME, ada.page.form("Sign out there").fields | {"session": foreign})
    assert at_home_still(bob)
    assert at_home_still(other)
    ada.go(ME)
    assert ada.send("Sign out there").says("That browser is signed out.")
    assert not at_home_still(other)
    assert at_home_still(ada)
    ada.go(ME)
    kept = ada.cookies["/turns"]
    assert ada.send("Sign out here").says("You are signed out.")
    assert ada.cookies["/turns"] != kept
    ada.cookies["/turns"] = kept
    assert not at_home_still(ada)


def at_home_still(visitor: Visitor) -> bool:
    return not visitor.go(ME).says("Mail me a link")


def test_signing_out_everywhere(club: Club) -> None:
    ada, other, bob = at_home(club), at_home(club), at_home(club, "Bob")
    assert ada.send("Sign out everywhere").says("You are signed out.")
    assert [at_home_still(one) for one in (ada, other, bob)] == [False, False, True]


def test_a_form_that_is_sent_twice_is_carried_out_once(club: Club) -> None:
    ada = at_home(club)
    form = ada.page.form("Send the invitation")
    for _ in range(2):
        ada.post(ME, form.fields | {"player": "Bob"})
        assert ada.answer.status == 200
    assert len(club.everything["game"]) == 1


def test_the_other_forms_of_a_page_are_requests_of_their_own(club: Club) -> None:
    """All of them carry one nonce. Each may be sent from another tab, one of them with other fields, and again."""
    ada = at_home(club)
    page = ada.page
    sent: list[tuple[str, dict[str, str], str]] = [
        ("Save the settings", {"board": "large"}, "settings"),
        ("Go on vacation", {"first": "2026-07-01", "last": "2026-07-14"}, "vacation"),
        ("Send the invitation", {"player": "Bob"}, "challenge"),
        ("Send the invitation", {"player": "Cleo"}, "challenge"),
    ]
    for label, fields, done in [one for one in sent for _ in range(2)]:
        ada.post(ME, page.form(label).fields | fields)
        assert ada.path == f"{ME}?done={done}"
    assert chosen(club).board == "large"
    assert ada.page.says("from Wed 1 Jul 2026 to the end of Tue 14 Jul 2026")
    assert len(club.everything["game"]) == 2
    assert {player for game in (1, 2) for player in club.world.state(GameId(game)).everybody} == {1, 2, 3}


HOSTILE: list[dict[str, str]] = [{"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "", "Origin": "https://evil.example"}]


def test_a_form_from_another_site_does_nothing(club: Club) -> None:
    ada = at_home(club)
    before, page = club.everything, ada.page
    for headers in HOSTILE:
        for label in ("Save the settings", "Sign out everywhere", "Replace the address"):
            ada.post(ME, page.form(label).fields | {"board": "large"}, **headers)
            assert ada.answer.status == 403
            assert club.everything == before


def test_what_no_form_of_ours_sends_does_nothing(club: Club) -> None:
    ada = at_home(club)
    before = club.everything
    for fields in ({}, {"do": "settings"}, {"do": "erase", "nonce": 20 * "n"}, {"do": "settings", "nonce": "x", "board": "large"}):
        ada.post(ME, fields)
        assert ada.answer.status == 404
        assert club.everything == before


def test_looking_changes_nothing(club: Club) -> None:
    ada = at_home(club)
    before = club.everything
    club.world.wait(days=2)
    for path in (ME, f"{ME}?done=settings", f"{ME}?do=all-out"):
        for method in ("GET", "HEAD"):
            ada.go(path, method)
    assert club.everything == before


def test_names_are_text(club: Club) -> None:
    club.world.service.people.add("<i>Eve</i>", "eve@example.net", actor="admin:test", cause="test:eve")
    club.world.open_any("take", ["Ada", "<i>Eve</i>"], {"size": 3}, accepted=False)
    assert "<i>" not in at_home(club).answer.text


def test_the_page_speaks_the_language_of_its_player(club: Club) -> None:
    club.world.service.people.choose("Ada", [("language", "de")], actor="admin:test", cause="test:language")
    club.world.open({"size": 3})
    ada = at_home(club)
    assert ada.page.says("Du hast 1 Partie; 1 wartet auf dich.")
    ada.send("Einstellungen speichern", board="large")
    assert ada.page.says("Deine Einstellungen sind gespeichert.")
    assert chosen(club).board == "large"
    assert re.search(r'<html lang="de">', ada.answer.text)
