"""Mails in other languages: everything in them can be told in one, and what is told stands as well as the English does."""

import calendar
import re
from dataclasses import replace

import pytest

from tests.cases import for_each
from tests.mail.outbound.mails import OTHERS, commands_in, composed, every_mail_to_players, html, occasions
from tests.mail.outbound.occasions import ADA, NOTES, begun, context, finished
from turnserver import games
from turnserver.mail.format.mime import MARKER
from turnserver.mail.inbound.html_text import html_text
from turnserver.mail.inbound.phrases import Resign
from turnserver.mail.inbound.read import read
from turnserver.mail.inbound.understanding import understand
from turnserver.mail.outbound.calendar import deadlines
from turnserver.mail.outbound.compose import render_html, render_text
from turnserver.mail.outbound.context import Form
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.language import Language, language, languages
from turnserver.mail.outbound.letters import GameLetter, RulesSheet
from turnserver.mail.outbound.writing.games import write
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.guards import reason_of
from turnserver.play.state import Result
from turnserver.rules import Seat
from turnserver.text import Sentence

pytestmark = pytest.mark.thorough


class Shouting(Language, frozen=True):
    """English in capitals: what is in small letters was not said in a way that can be told in other languages."""

    def template(self, template: str, plural: str, number: int) -> str:
        chosen = plural if plural and number != 1 else template
        return (
            chosen
            if chosen in PATTERNS
            else re.sub(r"\{\w+\}|[^{]+", lambda part: part[0] if part[0][0] == "{" else part[0].upper(), chosen)
        )


PATTERNS = {"EEEE d MMMM y, HH:mm", "EEE d MMM, HH:mm", "EEE d MMM, HH:mm:ss"}
SHOUTING = Shouting("en-GB", "LOUD")
PEOPLES_OWN = (
    "Nothing was heard of the player",
    "A long journey",
    "Well played!",
    *(line for note in NOTES for line in note.text.splitlines()),
    "Good luck!",
    "To you too.",
    "Will you be at the club on Thursday?",
    "Bob's mail program had changed his move",
    "Bob agreed by telephone",
    "Ada's mail had been here in time",
    "Ada had meant another game",
    "the service was down",
    "the club is closed",
    "it was the wrong game",
    "challange Bob",
    "challenge Bob",
    "the letter was lost",
    "the club is on a journey",
    "a storm",
    "gone",
    "The final is on Sunday.",
    "Bring a board, if you have one.",
    "Doors open at ten.",
    "Please play soon.",
    "standard",
    "Mark Steere",
)
NOT_SAID = re.compile(r"https?://\S+|\bleague-[0-9]+\b|\S+@\S+|\b[0-9a-f]{16,64}\b|\b\w+/\w+\b|\b[a-z]+(?:-[a-z]+)+\b|\S+-\S+-\S+-\S+")
"""Pages, leagues, addresses, hashes, time zones, games and options, keys."""

SMALL = re.compile(r"\b\w*[a-z]{4,}\w*\b")
TITLES = {word for entry in games.CATALOGUE.values() for word in (*entry.title.split(), entry.key)}
LANGUAGES = {one.name for one in languages().values()}
NAMED = {
    *calendar.day_name,
    *calendar.month_name,
    *TITLES,
    *LANGUAGES,
    "Cleo",
    "Winter",
    "Turns",
    "size",
    "resign",
    "chess",
    "quoted",
    "challenge",
    "clock",
    "leagues",
}


def shouted(about: str) -> str:
    """A mail in capitals, both forms of it, without what a game of the tests' own says and the rule sheet, which is told as a whole."""
    one = occasions()[about]
    written = SHOUTING.told(write(one))
    letter = replace(written.letter, blocks=()) if isinstance(written.letter, RulesSheet) else written.letter
    if isinstance(letter, GameLetter) and one.state is not None and one.state.game.entry.key not in games.CATALOGUE:
        letter = replace(letter, game=replace(letter.game, options="", notation="", board=None))
    page = render_html(one.kind, letter, SHOUTING, "SUBJECT")
    unseen = re.findall(r'alt="([^"]*)"', page)
    return "\n".join([written.subject, render_text(one.kind, letter, SHOUTING), html_text(page), *unseen])


OWN = [re.compile(re.escape(words).replace(r"\ ", r"\s+(?:\|\s+)?")) for words in PEOPLES_OWN]


def untold(about: str) -> set[str]:
    """The words of a mail that cannot be told in another language."""
    text = shouted(about).replace(MARKER, "")
    for words in OWN:
        text = words.sub("", text)
    return {word for word in SMALL.findall(NOT_SAID.sub("", text)) if word not in NAMED}


def test_everything_can_be_told_in_another_language() -> None:
    to_players = (about for about, one in occasions().items() if one.kind is not MailKind.ADMIN_REPORT)
    found = {about: words for about in to_players if (words := untold(about))}
    assert found == {}, "Write sentences with `say`. People's own words belong in PEOPLES_OWN, the words of commands in NAMED, no others."


@every_mail_to_players
def test_a_mail_stands_in_every_language_as_in_english(about: str) -> None:
    for key in OTHERS:
        mail = composed(about, names="nasty names", key=key)
        assert [line for line in mail.text.splitlines() if len(line) > 72 or line != line.rstrip()] == []
        marker = language(key).marker
        assert mail.text.splitlines()[0] == marker
        assert mail.text.count(marker) == html(mail).count(marker) == 1
        assert f'<html lang="{key}">' in html(mail)
        assert commands_in(mail, occasions("nasty names")[about].state) == {}


def test_a_game_keeps_its_subject() -> None:
    subjects = {composed(about, key=key).subject for key in languages() for about in ("turn", "game_over, won")}
    assert {subject.partition(":")[0] for subject in subjects} == {"[Take 17] Ada - Bob"}


SAYS = [
    ("turn", "Bob hat gespielt: g5. Du bist am Zug, noch 3 Tage."),
    ("turn", "DU BIST AM ZUG, bis Mi. 25.11., 22:30 Uhr (Europe/Berlin), noch 3 Tage."),
    ("turn", "Rot: Ada (du), am Zug Blau: Bob"),
    ("turn, the first", "um aufzugeben: aufgeben"),
    ("turn", "Prüfsumme von 12 Ereignissen: "),
    ("turn with words", "Bob sagt: | Well played! | resign"),
    ("invitation from a player", "Bob lädt dich zu einer Partie ein: Take 17."),
    ("game_over, on time", "Take 17 ist zu Ende: Gewonnen hat Bob (Blau). Zeit überschritten: Ada (Rot)."),
    ("game_over, adjudicated", "Die Spielleitung hat die Partie entschieden. Grund: Bob agreed by telephone."),
    ("games", "Du hast 4 Partien; 2 warten auf dich."),
    ("digest", "Neues aus 5 Partien; davon warten 3 auf dich."),
    ("digest", "Jeder Zug darf 3 Tage dauern. Optionen: standard, 5 Felder auf jeder Seite. Antworte um mitzuspielen: annehmen"),
    ("transcript", "Die Einladung nahm Ada an."),
    ("transcript", "Die Spielleitung hat die Partie angesetzt. Jeder Zug darf 3 Tage dauern."),
    ("transcript", "22.11.2026 22:30 Im 8. Zug hat Bob (Blau) gespielt: g5."),
    ("left", "Blau: Bob, ausgestiegen"),
    ("clock_changed, an outage", "Weil der Dienst ausgefallen war, läuft von Mo. 23.11., 10:30 Uhr bis Mo. 23.11., 22:30 Uhr"),
    ("clock_changed, a vacation", "Urlaub von Ada (Rot): Di. 24.11.2026, 04:30 Uhr bis Sa. 28.11.2026, 04:30 Uhr."),
    ("clock_changed, halted", "DU BIST AM ZUG, die Uhr steht still."),
    ("turn without a limit", "Du bist am Zug, ohne Zeitlimit."),
    ("refusal without a game", "Alles, was du schreiben kannst, sagt dir „hilfe“."),
    ("help on one", "Über den Befehl „herausfordern“."),
    ("subscription, ended", "wann immer du wieder Mail möchtest"),
    ("preview", "So sähe dein Zug aus."),
]


@for_each(("about", "words"), SAYS)
def test_what_the_mail_says_in_german(about: str, words: str) -> None:
    assert words in " ".join(composed(about, key="de").text.split())


def test_a_phone_answers_in_the_language_of_the_mail() -> None:
    page = html(composed("invitation from a player", key="de"))
    assert re.findall(r"&amp;body=(\w+)", page) == ["annehmen", "ablehnen"]


ANSWERS = [
    "{answer}\n\nAm 6. Mai 2025 um 19:02 schrieb Turns:\n{quoted}",
    "{quoted}\n\n{answer}\n",
    "{answer}\n\n{mail}",
]


@for_each("answer", ["aufgeben", "ich gebe auf", "resign"])
@for_each("layout", ANSWERS)
@for_each("known", [True, False])
def test_an_answer_to_a_mail_in_german_is_read(layout: str, answer: str, known: bool) -> None:
    mail = composed("turn with words", key="de")
    quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
    body = layout.format(answer=answer, quoted=quoted, mail=mail.text)
    raw = f"From: Ada <ada@example.org>\nContent-Type: text/plain; charset=utf-8\n\n{body}".encode()
    reading = read(raw, (lambda _: [mail.text]) if known else None, "turns@example.org")
    assert understand(reading.lines, lambda _: False, games.CATALOGUE).phrases == (Resign(),)


def test_a_deadline_in_the_calendar_is_told_in_the_readers_language() -> None:
    story = begun()
    one = context(story, story.notice(ADA))
    (entry,) = deadlines(replace(one, form=Form(calendar=True, language="de")))
    unfolded = entry.calendar.decode().replace("\r\n ", "")
    assert "SUMMARY:Take 17: dein Zug gegen Bob" in unfolded.replace("\\", "")
    assert "DESCRIPTION:Take 17 wartet auf deinen Zug." in unfolded
    assert "DESCRIPTION:Bis dahin muss dein Zug angekommen sein." in unfolded


@pytest.mark.parametrize(("reason", "is_live"), [(None, True), ("something else", False), ("", False)])
def test_a_reason_is_told_where_the_rules_still_give_it(reason: str | None, is_live: bool) -> None:
    state = finished().state
    assert state is not None
    assert state.result is not None
    logged = str(state.result.reason) if reason is None else reason
    told = reason_of(state, Result(Outcome.WON, EndedBy.RULES, (Seat(1),), logged))
    assert told == logged
    assert isinstance(told, Sentence) == is_live
    assert type(logged) is str


def test_rules_are_sent_in_the_readers_language() -> None:
    sheet = language("de").rules("take")
    assert sheet is not None
    heading = next(line for line in sheet.splitlines() if line.startswith("## "))
    assert heading.removeprefix("## ") in composed("rules", key="de").text
