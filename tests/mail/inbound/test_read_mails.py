"""Answers in the manner of each mail program: exactly the sender's own lines are read, whatever stands in the quotation."""

import textwrap
from collections.abc import Callable, Sequence
from email import message_from_bytes
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.mail.inbound.answers import HEAD, PROGRAMS, Quoted, answer
from tests.mail.inbound.turn_mails import TurnMail, sneaky_octopuses, take
from turnserver.mail.inbound import phrases as p
from turnserver.mail.inbound.read import Reading, read
from turnserver.mail.inbound.understanding import Understood

OURS = "turns@example.org"
G2 = (("g2",), (p.Move("g2"),))
STEPS = "Squish throw 2 home\nTako steal g7\nkeeper f10"

MAILS: dict[str, tuple[tuple[str, ...], tuple[p.Phrase, ...]]] = {
    "apple-mail": (("G2.", "", "\u2013 Ada"), (p.Move("G2"),)),
    "apple-mail-html-alone": (("show turn 3", "", "say thanks"), (p.Show(3), p.Say("thanks"))),
    "apple-mail-italian": (("Ciao,", "", "g2", "", "Grazie!"), (p.Move("g2"),)),
    "chinese-gmail": (("谢谢", "", "g2"), (p.Move("g2"),)),
    "chinese-qq": G2,
    "danish-dashes": G2,
    "dutch-roundcube": G2,
    "finnish-unknown-charset": G2,
    "gmail-android-spanish": G2,
    "gmail-html-alone": (("accept", "Thanks!"), (p.Accept(),)),
    "gmail-polish": G2,
    "gmail-russian": G2,
    "gmail-web": (("move g2", "", "Nice one!"), (p.Move("g2"),)),
    "gmail-web-german-below": G2,
    "gmx-german": (("Hallo!", "g2", "Gruß", "Ada"), (p.Move("g2"),)),
    "iphone": (("Resign",), (p.Resign(),)),
    "iphone-german-flowed": G2,
    "iphone-japanese": G2,
    "japanese-becky": G2,
    "japanese-iso-2022": (("次はこれです。", "", "g2"), (p.Move("g2"),)),
    "k9-german": (("Zug g2 gefiel mir besser, aber:", "", "move h3"), (p.Move("h3"),)),
    "k9-german-signature": (("resign",), (p.Resign(),)),
    "list-footer": G2,
    "mutt": G2,
    "mutt-several-steps": (
        ("Squish throw 2 home; Tako steal g7", "keeper f10"),
        (p.Move("Squish throw 2 home; Tako steal g7\nkeeper f10"),),
    ),
    "outlook-android": (("resign",), (p.Resign(),)),
    "outlook-desktop": (("g2", "", "Best regards", "Ada"), (p.Move("g2"),)),
    "outlook-desktop-german-html": (
        ("Hallo,", "", "move g2", "", "say schönes Spiel", "", "Viele Grüße", "", "Ada"),
        (p.Move("g2"), p.Say("schönes Spiel")),
    ),
    "outlook-desktop-polish": (("g2", "", "Pozdrawiam", "Ada"), (p.Move("g2"),)),
    "outlook-desktop-several-steps": (("Squish throw 2 home", "", "Tako steal g7", "", "keeper f10"), (p.Move(STEPS),)),
    "outlook-ios-french": G2,
    "outlook-web": (("move g2", "say what a fine café"), (p.Move("g2"), p.Say("what a fine café"))),
    "outlook-web-dutch": G2,
    "pgp-signed-inline": (("move g2",), (p.Move("g2"),)),
    "portuguese-utf-16": G2,
    "proton": G2,
    "proton-html-alone": G2,
    "russian-koi8": (("ходила долго", "", "move g2"), (p.Move("g2"),)),
    "russian-mailru-html": G2,
    "samsung": G2,
    "smime-signed": (("move g2",), (p.Move("g2"),)),
    "swedish-broken-wrap": (("decline",), (p.Decline(),)),
    "swedish-outlook-cp1252": (("g2", "Hälsningar"), (p.Move("g2"),)),
    "thunderbird-below": (
        ("move g2", "say This was a long thought and I am still not sure that it is the best move on the board."),
        (p.Move("g2"), p.Say("This was a long thought and I am still not sure that it is the best move on the board.")),
    ),
    "thunderbird-between": (("show turn 3", "", "say: thanks"), (p.Show(3), p.Say("thanks"))),
    "thunderbird-french-html": (("g2", "", "À bientôt"), (p.Move("g2"),)),
    "unmarked-rewrapped": G2,
    "yahoo": (("accept",), (p.Accept(),)),
    "yahoo-html-alone": G2,
}


def mail_of(name: str) -> TurnMail:
    return sneaky_octopuses() if name.endswith("several-steps") else take()


def reading_of(raw: bytes, mail: TurnMail) -> Reading:
    return read(raw, lambda _: [mail.text], OURS)


def check(raw: bytes, mail: TurnMail, lines: tuple[str, ...], phrases: tuple[p.Phrase, ...]) -> None:
    reading = reading_of(raw, mail)
    assert reading.lines == lines
    assert (reading.automatic, reading.problem) == (None, None)
    assert reading.sender == "ada@example.org"
    assert reading.recipients[0] == "turns+k7f3q2x5m4n6p8r9@example.org"
    assert reading.references == ("<turn-17-9@example.org>", "<opened-17@example.org>")
    understood = mail.understood(reading)
    assert (understood.phrases, understood.conflict) == (phrases, ())


def test_every_mail_has_its_expectation() -> None:
    assert {path.stem for path in PROGRAMS.iterdir()} == set(MAILS)


@for_each("name", MAILS)
@for_each("line_end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_exactly_the_answer_is_read(name: str, line_end: bytes) -> None:
    mail = mail_of(name)
    check(answer(name, Quoted(mail)).replace(b"\n", line_end), mail, *MAILS[name])


@for_each("name", MAILS)
def test_the_mails_are_mails(name: str) -> None:
    """The mail that a test makes of a file is the same to another parser."""
    mail = message_from_bytes(answer(name, Quoted(mail_of(name))))
    assert not any(part.defects for part in mail.walk())
    assert all(part.get_payload(decode=True) for part in mail.walk() if not part.is_multipart())


def test_the_texts_of_the_mails_it_answers_are_asked_for() -> None:
    asked: list[tuple[str, ...]] = []

    def sent_texts(references: Sequence[str]) -> list[str]:
        asked.append(tuple(references))
        return []

    read(answer("gmail-web", Quoted(take())), sent_texts, OURS)
    assert asked == [("<turn-17-9@example.org>", "<opened-17@example.org>")]


@pytest.mark.parametrize(
    ("name", "subject"),
    [("gmail-web-german-below", "Re: Take 17"), ("gmx-german", "Aw: Take 17"), ("russian-mailru-html", "Re[2]: Take 17")],
)
def test_the_subject_is_decoded(name: str, subject: str) -> None:
    assert read(answer(name, Quoted(take()))).subject == subject


def without_marker(text: str) -> str:
    return text.partition("\n")[2]


def rewrapped(text: str, width: int) -> str:
    return "\n".join(textwrap.fill(paragraph, width) for paragraph in text.split("\n\n"))


MANGLERS: dict[str, Callable[[str], str]] = {
    **{f"rewrapped to {width}": partial(rewrapped, width=width) for width in (60, 66, 72, 80)},
    "lines broken": lambda text: "\n".join("\n".join(textwrap.wrap(line, 40)) for line in text.split("\n")),
    "quoted again": lambda text: textwrap.indent(text, "> ", lambda _line: True),
    "bars": lambda text: textwrap.indent(text, "| ", lambda _line: True),
    "indented": lambda text: textwrap.indent(text, " " * 4),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "without marker": without_marker,
    "upper case": lambda text: text.upper(),
    "blank lines doubled": lambda text: text.replace("\n", "\n\n"),
    "blank lines dropped": lambda text: text.replace("\n\n", "\n"),
    "stars": lambda text: text.replace("resign", "*resign*"),
    "footer": lambda text: f"{text}\n_______________________\nclub mailing list\nresign",
}
ASKED = {(name, mark) for name in ("japanese-iso-2022", "yahoo") for mark in ("quoted again", "bars")}
"""Words that are not ours stand below a quotation with marks, as answers do."""
MANGLED = st.lists(st.sampled_from(sorted(MANGLERS)), min_size=1, max_size=4)
LINE_ENDS = st.sampled_from([b"\n", b"\r\n", b"\r", b"\r\r\n"])


def carried_out(understood: Understood) -> tuple[p.Phrase, ...]:
    """A conflict or an unclear line stops everything."""
    return () if understood.conflict or understood.unclear else understood.phrases


@given(name=st.sampled_from(sorted(MAILS)), mangled=MANGLED, line_end=LINE_ENDS)
@example(name="swedish-broken-wrap", mangled=["rewrapped to 72", "rewrapped to 72", "no-break spaces"], line_end=b"\n")
def test_whatever_becomes_of_the_quotation_nothing_in_it_is_carried_out(name: str, mangled: list[str], line_end: bytes) -> None:
    def mangle(text: str) -> str:
        for manner in mangled:
            text = MANGLERS[manner](text)
        return text

    mail = mail_of(name)
    reading = reading_of(answer(name, Quoted(mail, mangle)).replace(b"\n", line_end), mail)
    assert carried_out(mail.understood(reading)) in ((), MAILS[name][1])


@for_each("name", MAILS)
def test_the_answer_is_found_beside_a_mangled_quotation(name: str) -> None:
    mail = mail_of(name)
    mails = {key: answer(name, Quoted(mail, mangle)) for key, mangle in MANGLERS.items()}
    missed = {key for key, raw in mails.items() if carried_out(mail.understood(reading_of(raw, mail))) != MAILS[name][1]}
    assert missed == {key for asked, key in ASKED if asked == name}


@pytest.mark.parametrize("head", ["Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <x.example.org>", "Return-Path: <>"])
def test_a_machine_that_writes_as_a_person_does_is_a_machine(head: str) -> None:
    mails = {name: head.encode() + b"\n" + answer(name, Quoted(mail_of(name))) for name in MAILS}
    assert {name for name, raw in mails.items() if reading_of(raw, mail_of(name)).automatic is None} == set()


CONTRADICTIONS = {
    "two moves": "g2\n\nh3",
    "a move and the end": "g2\nresign",
    "yes and no": "accept\n\nOn 22 Nov 2026 Turns wrote:\n> x\n\ndecline",
}


@pytest.mark.parametrize("text", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_lines_that_contradict_each_other_are_asked_about(text: str) -> None:
    understood = take().understood(reading_of(f"{HEAD}\n{text}".encode(), take()))
    assert understood.conflict
    assert not understood.phrases
