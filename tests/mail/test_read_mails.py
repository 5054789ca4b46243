"""Answers in the manner of each mail program: exactly the sender's own lines are read, whatever stands in the quotation."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from turnserver.mail.phrases import Accept, Decline, Move, Phrase, Resign, Say, Show, understand
from turnserver.mail.read import read

DATA = Path(__file__).parent.parent / "data" / "mail"
SENT = (DATA / "sent.txt").read_text()
OURS = "turns@play.example.org"

MAILS: dict[str, tuple[tuple[str, ...], tuple[Phrase, ...]]] = {
    "apple-mail.eml": (("F4.", "", "\u2013 Ada"), (Move("F4"),)),
    "empty-plain-attachments.eml": (("f4",), (Move("f4"),)),
    "gmail-german-below.eml": (("h1",), (Move("h1"),)),
    "gmail.eml": (("move f4", "", "Nice one!"), (Move("f4"),)),
    "gmx-html.eml": (("Hallo!", "f4", "Gru\u00df", "Ada"), (Move("f4"),)),
    "iphone.eml": (("Resign",), (Resign(),)),
    "japanese-iso-2022.eml": (("f4",), (Move("f4"),)),
    "k9-german.eml": (("Zug f4 gefiel mir besser, aber:", "", "move h1"), (Move("h1"),)),
    "mutt.eml": (("f4",), (Move("f4"),)),
    "outlook-desktop.eml": (("f4", "", "Best regards", "Ada"), (Move("f4"),)),
    "outlook-ios-french.eml": (("f4",), (Move("f4"),)),
    "outlook-web-html.eml": (("move f4", "say sch\u00f6nes Spiel"), (Move("f4"), Say("sch\u00f6nes Spiel"))),
    "pgp-signed-inline.eml": (("move f4",), (Move("f4"),)),
    "proton.eml": (("f4",), (Move("f4"),)),
    "russian-koi8.eml": (("\u0445\u043e\u0434\u0438\u043b \u0434\u043e\u043b\u0433\u043e", "", "move f4"), (Move("f4"),)),
    "smime-signed.eml": (("move f4",), (Move("f4"),)),
    "swedish-broken-wrap.eml": (("decline",), (Decline(),)),
    "thunderbird-below.eml": (
        ("move f4", "say This was a long thought and I am still not sure that it is the best move on the board."),
        (Move("f4"), Say("This was a long thought and I am still not sure that it is the best move on the board.")),
    ),
    "thunderbird-between.eml": (("show turn 3", "", "say: thanks"), (Show(3), Say("thanks"))),
    "unmarked-rewrapped.eml": (("f4",), (Move("f4"),)),
    "yahoo.eml": (("accept",), (Accept(),)),
}


def is_move(text: str) -> bool:
    return len(text) == 2 and text[0].casefold() in "abcdefghi" and text[1] in "123456789"


def check(raw: bytes, lines: tuple[str, ...], phrases: tuple[Phrase, ...]) -> None:
    reading = read(raw, lambda _: [SENT], OURS)
    assert reading.lines == lines
    assert (reading.automatic, reading.problem) == (None, None)
    assert reading.sender == "ada@example.org"
    assert reading.recipients[0] == "turns+k7f3q2x5m4n6p8r9@play.example.org"
    assert reading.references == ("<turn-17-9@play.example.org>", "<opened-17@play.example.org>")
    understood = understand(reading.lines, is_move, ["take"])
    assert (understood.phrases, understood.conflict) == (phrases, ())


def test_every_mail_has_its_expectation() -> None:
    assert {path.name for path in DATA.glob("*.eml")} == set(MAILS)


@pytest.mark.parametrize("name", MAILS)
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_exactly_the_answer_is_read(name: str, line_end: bytes) -> None:
    check((DATA / name).read_bytes().replace(b"\n", line_end), *MAILS[name])


def test_the_texts_of_the_mails_it_answers_are_asked_for() -> None:
    asked: list[tuple[str, ...]] = []

    def sent_texts(references: Sequence[str]) -> list[str]:
        asked.append(tuple(references))
        return []

    read((DATA / "gmail.eml").read_bytes(), sent_texts, OURS)
    assert asked == [("<turn-17-9@play.example.org>", "<opened-17@play.example.org>")]


@pytest.mark.parametrize(
    ("name", "subject"),
    [("gmail-german-below.eml", "AW: Take 17"), ("gmx-html.eml", "Aw: Take 17"), ("iphone.eml", "Re: Take 17")],
)
def test_the_subject_is_decoded(name: str, subject: str) -> None:
    assert read((DATA / name).read_bytes()).subject == subject
