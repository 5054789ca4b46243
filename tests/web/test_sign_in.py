"""Signing in by mail, as a browser without scripts does it, and what the pages for it withstand."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.service.signing import sign_in_link
from tests.service.world import PEOPLE
from tests.web.club import Club, serving
from tests.web.serving import asked
from tests.web.turn.visitor import URL, Visitor
from turnserver.web.sign_in import browser_of


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path) -> Iterator[Club]:
    """A world with pages on a free port."""
    with serving(sqlite_url, tmp_path) as served:
        yield served


def ask(club: Club, address: str, to: str = "") -> Visitor:
    """Somebody types an address."""
    visitor = club.visitor()
    visitor.go("/turns/sign-in" + (f"?to={to}" if to else ""))
    visitor.send("Mail me a link", email=address)
    club.world.settle()
    return visitor


def mailed(club: Club, name: str) -> str:
    """The link in the newest mail to a player."""
    (found,) = re.findall(rf"{URL}(/sign-in/\S+)", club.world.text(name))
    return f"/turns{found}"


def test_from_the_address_to_being_signed_in(club: Club) -> None:
    assert ask(club, "ADA@example.org").page.says("Look into your mailbox.")
    ada = club.visitor()
    assert ada.go(mailed(club, "Ada")).says("Sign in as Ada")
    assert mailed(club, "Ada").rpartition("/")[2] not in ada.path + ada.answer.text
    ada.send("Sign in as Ada")
    assert ada.path == "/turns/me"
    assert ada.go("/turns/sign-in").says("You are signed in as Ada.")


def test_the_mail_says_what_it_is_and_keeps_no_link(club: Club) -> None:
    ask(club, PEOPLE["Ada"])
    link, text = mailed(club, "Ada"), club.world.text("Ada")
    for words in ("here is your link", "It works once", "12:15", "If you did not ask for it, do nothing"):
        assert words in " ".join(text.split())
    assert f"\n{URL}{link.removeprefix('/turns')}\n" in text
    mail = club.world.mails("Ada")[-1]
    assert (mail["Subject"], mail["Auto-Submitted"], mail["List-Unsubscribe"]) == ("[turnserver] Sign in", "auto-generated", None)
    assert link.rpartition("-")[2] not in str(club.everything)


def test_one_comes_back_to_the_page_that_asked(club: Club) -> None:
    ask(club, PEOPLE["Ada"], "/play/1-1")
    ada = club.visitor()
    ada.go(mailed(club, "Ada"))
    ada.send("Sign in as Ada")
    assert ada.path == "/turns/play/1-1"


ELSEWHERE = ("//evil.example", "https://evil.example", "/\\evil.example", "/play/1-1/../..", "javascript:x", "/a b", "me")


def test_nobody_is_led_elsewhere(club: Club) -> None:
    for to in ELSEWHERE:
        club.world.wait(days=1)
        visitor = club.visitor()
        visitor.go("/turns/sign-in")
        visitor.send("Mail me a link", email=PEOPLE["Ada"], to=to)
        club.world.settle()
        assert "?to=" not in mailed(club, "Ada")
        visitor.go(f"{mailed(club, 'Ada')}?to={to.replace(' ', '%20')}")
        visitor.send("Sign in as Ada", to=to)
        assert visitor.path == "/turns/me"


def test_nothing_tells_whether_somebody_has_an_address(club: Club) -> None:
    club.world.service.people.choose("Bob", [("subscribed", "off")], actor="admin:test", cause="test:unsubscribed")
    club.world.settle()
    seen, written = list[object](), list[int]()
    for address in (PEOPLE["Ada"], PEOPLE["Bob"], "nobody@example.org"):
        before = club.everything
        visitor = ask(club, address)
        text = visitor.answer.text
        seen.append((visitor.answer.status, visitor.path, text))
        written.append(len(club.everything["sign_in"]) - len(before["sign_in"]))
    assert seen == [seen[0]] * 3
    assert written == [1] * 3
    assert "link to sign in" in club.world.text("Bob")
    assert not club.world.mails("nobody@example.org")


def test_a_mailbox_gets_a_few_links_at_a_time(club: Club) -> None:
    """However often anybody asks, and not so few that a stranger who asks could keep the player from signing in."""

    def links(name: str) -> int:
        return sum("Sign in" in mail["Subject"] for mail in club.world.mails(name))

    for number in range(6):
        ask(club, PEOPLE["Ada"] if number % 2 else "Ada@Example.org")
    assert links("Ada") == 4
    ask(club, PEOPLE["Bob"])
    assert links("Bob") == 1
    found = []
    for minutes in (14, 1, 14, 1, 15, 15, 15, 15, 15, 60, 44, 1):
        club.world.wait(minutes=minutes)
        ask(club, PEOPLE["Ada"])
        found.append(links("Ada"))
    assert found == [4, 5, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]


def test_whoever_uses_a_link_may_ask_for_the_next(club: Club) -> None:
    visitor = club.visitor()
    for _ in range(6):
        ask(club, PEOPLE["Ada"])
        visitor.go(mailed(club, "Ada"))
        visitor.send("Sign in as Ada")
        assert visitor.path == "/turns/me"


def test_links_that_were_asked_for_use_up_no_answers(club: Club) -> None:
    ask(club, PEOPLE["Ada"])
    (row,) = [one for one in club.world.outbox() if one.kind == "sign_in"]
    assert row.address is None


def test_a_text_that_is_no_address_is_refused(club: Club) -> None:
    visitor = club.visitor()
    visitor.go("/turns/sign-in")
    assert visitor.send("Mail me a link", email="ada at <example>").says("isn't a mail address such as")
    assert visitor.page.form("Mail me").fields["email"] == "ada at <example>"


def test_a_form_that_is_sent_twice_mails_once(club: Club) -> None:
    visitor = club.visitor()
    visitor.go("/turns/sign-in")
    form = visitor.page.form("Mail me a link")
    for _ in range(2):
        visitor.post(form.action, form.fields | {"email": PEOPLE["Ada"]})
    club.world.settle()
    assert len(club.everything["sign_in"]) == 1
    assert [mail["Subject"] for mail in club.world.mails("Ada")].count("[turnserver] Sign in") == 1


def test_a_click_that_is_a_double_click_signs_in(club: Club) -> None:
    ada, link = club.visitor(), sign_in_link(club.world, "Ada")
    ada.go(f"/turns/sign-in/{link}")
    form = ada.page.form("Sign in as Ada")
    for _ in range(2):
        ada.cookies.pop("/turns", None)
        ada.post(form.action, form.fields)
        assert ada.path == "/turns/me"
    assert len(club.everything["session"]) == 1


def test_of_two_tabs_one_signs_in(club: Club) -> None:
    ada, other, link = club.visitor(), club.visitor(), sign_in_link(club.world, "Ada")
    for one in (ada, other):
        one.go(f"/turns/sign-in/{link}")
    ada.send("Sign in as Ada")
    assert other.send("Sign in as Ada").says("This link was used already")
    assert other.answer.status == 409
    assert other.go(f"/turns/sign-in/{link}").says("This link was used already")
    assert "/turns" not in other.cookies


def test_signing_in_anew_ends_the_session_of_that_browser(club: Club) -> None:
    visitor = club.visitor("Bob")
    visitor.go(f"/turns/sign-in/{sign_in_link(club.world, 'Ada')}")
    visitor.send("Sign in as Ada")
    (only,) = club.everything["session"]
    assert ", 1, " in only


def test_a_scanner_that_follows_the_link_signs_nobody_in(club: Club) -> None:
    ask(club, PEOPLE["Ada"], "/play/1-1")
    before, scanner = club.everything, club.visitor()
    for method in ("HEAD", "GET", "GET"):
        scanner.go(mailed(club, "Ada"), method)
        assert scanner.answer.status == 200
    scanner.go("/turns/sign-in/confirm", "HEAD")
    assert club.everything == before
    ada = club.visitor()
    ada.go(mailed(club, "Ada"))
    ada.send("Sign in as Ada")
    assert ada.path == "/turns/play/1-1"


HOSTILE = [{"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"Sec_Fetch_Site": "", "Origin": "https://evil.example"}]


def test_a_form_from_another_site_does_nothing(club: Club) -> None:
    visitor, link = club.visitor(), sign_in_link(club.world, "Ada")
    before = club.everything
    for headers in HOSTILE:
        for path, label in ((f"/turns/sign-in/{link}", "Sign in as Ada"), ("/turns/sign-in", "Mail me a link")):
            visitor.go(path)
            form = visitor.page.form(label)
            visitor.post(form.action, form.fields | {"email": PEOPLE["Bob"]}, **headers)
            assert visitor.answer.status == 403
            assert club.everything == before


@pytest.mark.parametrize("token", ["x", "1-7-7-7-1-" + 26 * "a"])
def test_a_link_that_nobody_made_signs_nobody_in(club: Club, token: str) -> None:
    visitor = club.visitor()
    assert visitor.go(f"/turns/sign-in/{token}").says("This link signs nobody in")
    assert visitor.answer.status == 404
    visitor.post("/turns/sign-in/confirm", {"nonce": 20 * "x", "to": ""})
    assert visitor.answer.status == 409
    assert club.everything["session"] == []


def test_an_address_that_fits_into_no_cookie_is_no_page(club: Club) -> None:
    visitor = club.visitor()
    visitor.go("/turns/sign-in/%E2%98%83", Accept="text/html")
    assert visitor.answer.status == 404


def test_what_no_form_of_ours_sends_does_nothing(club: Club) -> None:
    visitor, link = club.visitor(), sign_in_link(club.world, "Ada")
    visitor.go(f"/turns/sign-in/{link}")
    before = club.everything
    for fields in ({}, {"nonce": "short"}, {"nonce": 20 * "é"}):
        for path in ("/turns/sign-in/confirm", "/turns/sign-in"):
            visitor.post(path, fields | {"email": PEOPLE["Bob"]})
            assert visitor.answer.status in (400, 409)
    assert club.everything == before


def test_nobody_asks_for_links_too_often(club: Club) -> None:
    """Whichever addresses they type; somebody else may go on."""
    visitor, statuses = club.visitor(), []
    for number in range(13):
        visitor.go("/turns/sign-in")
        form = visitor.page.form("Mail me a link")
        client = "203.0.113.8" if number == 12 else "203.0.113.7"
        visitor.post(form.action, form.fields | {"email": f"n{number}@example.org"}, X_Forwarded_For=client)
        statuses.append(visitor.answer.status)
    assert statuses == [200] * 10 + [429] * 2 + [200]


def test_the_cookies_are_for_our_pages_alone(club: Club) -> None:
    kept = asked(club.port, "GET", f"/turns/sign-in/{sign_in_link(club.world, 'Ada')}").headers["set-cookie"]
    for part in ("HttpOnly", "Secure", "SameSite=lax", "Path=/turns/sign-in", "Max-Age=900"):
        assert part in kept


def test_the_pages_speak_the_language_of_the_player(club: Club) -> None:
    club.world.service.people.choose("Ada", [("language", "de")], actor="admin:test", cause="test:language")
    ask(club, PEOPLE["Ada"])
    visitor = club.visitor()
    assert visitor.go(mailed(club, "Ada")).says("Als Ada anmelden")
    assert 'lang="de"' in visitor.answer.text


WINDOWS, KIT = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "AppleWebKit/537.36 (KHTML, like Gecko)"
BROWSERS = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox, Linux",
    f"{WINDOWS} {KIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0": "Edge, Windows",
    f"Mozilla/5.0 (Linux; Android 15; Pixel 9) {KIT} Chrome/138.0 Mobile Safari/537.36": "Chrome, Android",
    f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) {KIT} Version/18.5 Safari/604.1": "Safari, iPhone",
    f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {KIT} Version/18.5 Safari/605.1.15": "Safari, Mac OS X",
    "curl/8.5.0": "",
    "": "",
}


@for_each("user_agent", BROWSERS)
def test_a_browser_is_told_in_a_few_words(user_agent: str) -> None:
    assert browser_of(user_agent) == BROWSERS[user_agent]
