"""The page of `turnserver try`: what is sent is caught and can be answered, by this machine alone, also by the links of a mail."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.club import RUNNING, Club, copied
from tests.cli.typed import configure, typed
from tests.service.world import unread
from tests.web.sandbox.boxes import OURS, Box, new, opened
from turnserver import games
from turnserver.ids import GameId
from turnserver.store.mail import inbox
from turnserver.web.routes import MOST_BYTES
from turnserver.web.sandbox.desk import HOUSE, YOURS, address_of

pytestmark = pytest.mark.thorough


def test_shows_every_mail_once_and_those_who_got_the_newest(box: Box) -> None:
    before, version = box.desk.capture.list(), box.ask("GET", "/news").text
    assert len(before) == box.service.mail.mails_written()
    assert len(box.phones()) == 2
    assert box.ask("GET", "/news").text == version
    box.service.people.add("Dan", "dan@example.org", actor="admin:test", cause="test:dan")
    box.desk.work()
    assert box.desk.capture.list()[1:] == before
    assert "Dan" in box.phones()
    assert box.ask("GET", "/news").text != version
    others = re.findall(r'<a href="/\?who=([^"]+)"', box.ask("GET", "/").text)
    assert others[0].partition("%")[0].capitalize() in box.phones(f"/?who={others[0]}")


@pytest.mark.parametrize(("language", "news"), [("English", "Welcome to turnserver, Dan."), ("Deutsch", "Willkommen bei turnserver, Dan.")])
def test_lists_what_a_mail_says_first_in_its_language(box: Box, language: str, news: str) -> None:
    box.service.people.add("Dan", "dan@example.org", language=language, actor="admin:test", cause="test:dan")
    box.desk.work()
    assert f">{news}</a>" in box.ask("GET", "/").text


def test_shows_a_mail_in_every_form(box: Box) -> None:
    mail = box.newest("Bob")
    page = box.ask("GET", f"/?mail={mail.id}").text
    assert f'<iframe src="/mails/{mail.id}/rendered"' in page
    assert "== Write above" not in page
    assert "== Write above" in box.ask("GET", f"/?mail={mail.id}&show=text").text
    headers = re.findall(r"<dt>(.+?)</dt>", box.ask("GET", f"/?mail={mail.id}&show=headers").text)
    assert {"From", "To", "Reply-To", "Subject", "Message-ID"} <= {*headers}
    assert "Return-Path" not in headers
    source = box.ask("GET", f"/mails/{mail.id}/source")
    assert source.body == box.desk.capture.raw(mail.id)
    assert source.headers["content-disposition"] == f'attachment; filename="{mail.id}.eml"'
    assert "Message-ID: <" in box.ask("GET", f"/?mail={mail.id}&show=source").text
    html = box.ask("GET", f"/mails/{mail.id}/rendered").text
    assert 'src="data:image/png;base64,' in html
    assert "cid:" not in html


def test_a_mail_without_html_shows_its_text(box: Box) -> None:
    """A player who wants it so gets plain text only."""
    box.service.people.choose("Bob", [("mail", "text")], actor="admin:test", cause="test:plain")
    box.answer(box.newest("Bob").id, "show")
    page = box.ask("GET", f"/?mail={box.newest('Bob').id}").text
    assert ("<iframe" in page.partition("Mails of Bob")[2].partition("</section>")[0], ">== Write above" in page) == (False, True)


def test_a_link_of_a_mail_leads_to_its_box_with_its_words(box: Box) -> None:
    box.answer(box.newest("Ada").id, "draw")
    box.answer(box.newest("Bob").id, "resign")
    mail = box.newest("Bob")
    html = box.ask("GET", f"/mails/{mail.id}/rendered").text
    (link,) = re.findall(r'<a [^>]*target="_top" href="([^"]+)"[^>]*>Yes, resign', html)
    assert "mailto:" not in html
    page = box.ask("GET", link.partition("#")[0]).text
    (words,) = re.findall(r'id="answer"[^>]*>\n([^<]*)<', page)
    (to,) = [to for to in re.findall(r'name="to" value="([^"]*)"', page) if to]
    assert (words, to in box.desk.capture.raw(mail.id).decode().replace("=\r\n", "")) == ("confirm resign", True)
    box.answer(mail.id, words, to)
    assert box.service.games.state(GameId(RUNNING)).result is not None


def test_an_answer_is_handled_like_any_mail_that_comes(box: Box) -> None:
    mail = box.newest("Bob")
    before = len(box.desk.capture.list())
    reply_to = str(box.desk.capture.message(mail.id)["Reply-To"])
    sent = box.answer(mail.id, "e2\r\nsay Wohl gespielt, schön!")
    assert (sent.status, sent.headers["location"]) == (303, f"/?sent={mail.id}")
    assert 'e2\nsay Wohl gespielt, schön!\n<span class="quiet">carried out</span>' in box.ask("GET", sent.headers["location"]).text
    assert box.service.games.state(GameId(RUNNING)).line.turns[-1].text == "e2"
    with box.service.db.read() as conn:
        (row,) = inbox.list_inbox(conn)
        raw = inbox.get(conn, row.id).raw.decode()
    assert (row.source, row.sender, row.recipient) == ("sandbox", "bob@example.org", re.findall(r"<(.+)>", reply_to)[0])
    assert "\nIn-Reply-To: <" in raw.replace("\r", "")
    assert "> ==" in raw
    assert len(box.desk.capture.list()) > before


@pytest.mark.parametrize("to", ["eve@example.org", "turns@club.example", "x\r\nBcc: eve@example.org", "<"])
def test_an_answer_goes_to_the_service_whatever_a_link_says(box: Box, to: str) -> None:
    mail = box.newest("Bob")
    assert box.answer(mail.id, "e2", to).status == 303
    assert box.desk.answers(mail.id)[-1].outcome == "carried out"


def test_an_answer_that_is_refused_says_so_and_the_answer_to_it_comes(box: Box) -> None:
    mail, before = box.newest("Bob"), len(box.desk.capture.list())
    box.answer(mail.id, "e2\nresign")
    assert box.desk.answers(mail.id)[-1].outcome.startswith("refused: ")
    assert (len(box.desk.capture.list()), box.desk.capture.list()[0].name) == (before + 1, "Bob")


@pytest.mark.parametrize(("words", "says"), [(" \n", "Write something first."), ("x" * 20_001, "An answer may have 20000 characters.")])
def test_an_answer_that_cannot_be_sent_stays_in_its_box(box: Box, words: str, says: str) -> None:
    page = box.answer(box.newest("Bob").id, words)
    assert (page.status, says in page.text, words[:20_000] in page.text) == (400, True, True)
    assert unread(box.service) == 0


def test_the_same_words_twice_are_two_answers(box: Box) -> None:
    mail = box.newest("Bob")
    for _ in range(2):
        box.answer(mail.id, "e2")
    first, second = (answer.outcome for answer in box.desk.answers(mail.id))
    assert (first, second.startswith("refused: ")) == ("carried out", True)


def test_no_turn_waits_for_a_correction_whoever_opened_its_game(club: Club) -> None:
    """Another command may open games with the delay of its own configuration while the sandbox is at work."""
    club.config.write_text(club.config.read_text().replace("correction_minutes = 0", "correction_minutes = 10"))
    with opened(club) as box:
        assert typed(club, "game open take Ada Bob --option size=2 --order given").exit_code == 0
        box.desk.work()
        for name, words in (("Ada", "accept"), ("Bob", "accept"), ("Ada", "a2")):
            mail = next(mail for mail in box.desk.capture.list() if mail.name == name and "[Take 4]" in mail.subject)
            box.answer(mail.id, words)
        assert next(mail.news for mail in box.desk.capture.list() if mail.name == "Bob").startswith("Ada played a2.")


def test_what_protects_the_service_from_strangers_does_not_hinder(club: Club) -> None:
    configure(club, '\n[incoming]\nanswers_per_day = 0\nmails_per_hour = 1\nauthserv_id = "mx.club.example"\nauthentication = "require"\n')
    with opened(club) as box:
        before = len(box.desk.capture.list())
        for words, outcome in (("show", "answered"), ("e2", "carried out")):
            mail = box.newest("Bob")
            box.answer(mail.id, words)
            assert box.desk.answers(mail.id)[-1].outcome == outcome
        assert len(box.desk.capture.list()) > before + 1


class Case(NamedTuple):
    """A request that is turned down, and the words that it gets."""

    method: str
    path: str
    body: bytes | None
    headers: dict[str, str]
    status: int
    says: str


ANSWER = "/mails/{id}/answer"
REFUSED = {
    "another host": Case("GET", "/", None, {"Host": "turns.example.org"}, 421, "no other name is answered"),
    "another site": Case("POST", ANSWER, b"words=e2", {"Origin": "http://turns.example.org"}, 403, "Only the page itself"),
    "another page here": Case("POST", ANSWER, b"words=e2", {"Origin": "http://127.0.0.1:1"}, 403, "Only the page itself"),
    "no site": Case("POST", ANSWER, b"words=e2", {}, 403, "Only the page itself"),
    "far too much": Case("POST", ANSWER, b"x" * (MOST_BYTES + 1), OURS, 413, "too long"),
    "not UTF-8": Case("POST", ANSWER, b"words=\xff", OURS, 400, "not what the page sends"),
    "no such mail": Case("POST", f"/mails/{'0' * 40}/answer", b"words=e2", OURS, 404, "There is no mail 0000"),
    "no such mail to see": Case("GET", f"/?mail={'0' * 40}", None, {}, 404, "There is no such mail."),
    "no such mail to show": Case("GET", f"/mails/{'0' * 40}/rendered", None, {}, 404, "There is no mail 0000"),
    "a file": Case("GET", "/mails/..%5Cturnserver/source", None, {}, 404, "There is no such mail."),
    "another file": Case("GET", "/mails/..%2F..%2Fturnserver/source", None, {}, 404, "There is nothing at this address."),
    "no attachment": Case("GET", "/mails/{id}/files/0", None, {}, 404, "0 attachments"),
    "no number": Case("GET", "/mails/{id}/files/-1", None, {}, 404, "There is nothing at this address."),
    "answer to nothing": Case("POST", "/mails", b"words=e2", OURS, 404, "There is nothing at this address."),
    "a game at a site of others": Case("POST", "/games", b"game=take", OURS, 400, "0 players"),
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, club_template: Club) -> Iterator[Box]:
    """A sandbox for tests that change nothing."""
    with opened(copied(club_template, tmp_path_factory.mktemp("sandbox"))) as box:
        yield box


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_refuses(shared: Box, case: Case) -> None:
    before = shared.ask("GET", "/news").text
    refused = shared.ask(case.method, case.path.format(id=shared.newest("Bob").id), case.body, **case.headers)
    assert (refused.status, refused.headers["content-type"]) == (case.status, "text/plain; charset=utf-8")
    assert case.says in refused.text
    assert unread(shared.service) == 0
    assert shared.ask("GET", "/news").text == before


def test_names_on_this_machine_are_answered(shared: Box) -> None:
    assert shared.ask("GET", "/", Host=f"localhost:{shared.port}").status == 200


def test_needs_nothing_from_elsewhere_and_obeys_nobody_else(shared: Box) -> None:
    page = shared.ask("GET", "/")
    elsewhere = re.findall(r"""\b(?:src|href|action)="(?!/)[^"]*|url\(|@import|//[\w.-]+\.\w{2,}/""", page.text)
    assert elsewhere == ['href="data:,']  # the empty icon
    (nonce,) = set(re.findall(r'nonce="([\w-]+)"', page.text))
    assert f"script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    assert nonce not in shared.ask("GET", "/").text
    frame = shared.ask("GET", f"/mails/{shared.newest('Bob').id}/rendered").headers["content-security-policy"]
    assert frame.startswith("sandbox allow-top-navigation-by-user-activation; default-src 'none';")


def test_what_goes_wrong_is_shown_and_the_page_goes_on(club: Club) -> None:
    configure(club, '\n[dkim]\nkey_files = ["s1.pem"]\n')
    with opened(club) as box:
        assert (box.desk.capture.list(), "s1.pem cannot be read" in box.ask("GET", "/").text) == ([], True)
        assert typed(club, "mail dkim-key --selector s1").exit_code == 0
        box.desk.work()
        assert (len(box.desk.capture.list()), box.desk.trouble) == (box.service.mail.mails_written(), "")


def test_what_nobody_foresaw_is_shown_too_and_the_page_goes_on(club: Club) -> None:
    hours = [club.now.hour]
    broken = replace(club.outside, clock=lambda: club.now.replace(hour=hours[0]))
    with opened(club, broken) as box:
        hours[0] = 99
        box.desk.work()
        assert "ValueError: hour must be in 0..23" in box.ask("GET", "/").text
        hours[0] = club.now.hour
        box.desk.work()
        assert box.desk.trouble == ""


def test_every_game_can_be_started_on_the_page(tmp_path: Path) -> None:
    """It begins as soon as both have accepted, and its dice are rolled."""
    with new(tmp_path) as box:
        for key in games.CATALOGUE:
            sent = box.send("/games", game=key)
            assert (sent.status, box.phones()) == (303, ["Ada", "Bob"]), key
            for name in ("Ada", "Bob"):
                box.answer(next(mail.id for mail in box.desk.capture.list() if mail.name == name), "accept")
            news = [mail.news for mail in box.desk.capture.list()[:2]]
            assert all("has begun" in one for one in news), (key, news)


def test_the_house_accepts_and_plays(tmp_path: Path) -> None:
    with new(tmp_path, YOURS[:1], HOUSE) as box:
        box.desk.open("take", {"size": 2})
        assert box.phones() == ["Ada"]
        for words in ("accept", "a2"):
            box.answer(next(mail.id for mail in box.desk.capture.list() if mail.name == "Ada"), words)
        news = next(mail.news for mail in box.desk.capture.list() if mail.name == "Ada")
        assert re.match(r"House played \w\d\. Your move, ", news), news
        assert box.phones(f"/?who={address_of(HOUSE[0])}") == ["House"]
