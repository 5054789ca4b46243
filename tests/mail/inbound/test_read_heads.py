"""Heads of other mails within an answer, in the words of many languages: nothing below one is read, and a doubtful one is doubted."""

import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import for_each
from turnserver.mail.inbound.read import Earlier, Reading, less_earlier, may_quote, read
from turnserver.mail.inbound.reply import certain, kept, sift

WHO = (
    "turnserver <turns+8-h-9-0-1-hqc3rxvufjfrskw25zwofmwx2a@play.example.org>",
    '"turnserver" <turns@play.example.org>',
    "turnserver",
)
_TABLE = tomllib.loads(Path(__file__).with_name("heads.toml").read_text("utf-8"))
HEADS = {f"{kind}: {key}": head for kind, heads in _TABLE.items() for key, head in heads.items()}


def wrapped(head: str, width: int) -> str:
    lines = (textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) for line in head.split("\n"))
    return "\n".join(lines)


def written(head: str) -> Iterator[str]:
    """The head as programs leave it."""
    for who in WHO:
        whole = head.format(who=who)
        yield from (whole, wrapped(whole, 78), wrapped(whole, 72), whole.replace("\n", "\n\n"))
        yield "\n".join(f"\u200f{line}" for line in whole.split("\n"))
        if "\n" in head:
            yield "\n".join(f"*{line}".replace(": ", ":* ", 1) for line in whole.split("\n"))


@for_each("head", HEADS.values(), ids=HEADS)
@for_each("own", ["g2", "say thanks\n\ng2"])
def test_nothing_below_the_head_of_another_mail_is_read(own: str, head: str) -> None:
    for form in written(head):
        for gap in ("\n\n", "\n"):
            text = kept(sift(f"{own}{gap}{form}\n\nconfirm resign\naccept\nh3\n"))
            assert text[: own.count("\n") + 1] == tuple(own.split("\n"))
            assert not {"confirm resign", "accept", "h3"} & set(text)


OWN_WORDS = [
    "Hello Bob:\n\naccept",
    "Meet me at 10:30: I am free.\n\naccept",
    "move: g2\nsay: until 12.05.2026 then, at 10:30, or write to bob@example.net\nshow: 3",
    "say: my address is now ada@example.net:\nresign",
    "vacation 2027-07-01 to 2027-07-14:\nresign",
    "Ratio 3:2, or 16:9, as of 2025.\n\ng2",
]


@for_each("text", OWN_WORDS)
def test_words_of_ones_own_that_are_like_a_head_are_kept(text: str) -> None:
    assert kept(sift(text)) == tuple(text.split("\n"))


SEAMS = [
    "Ada wrote:",
    "Ada napsal:",
    "*Turns* <turns@example.org>",
    "6 May 2025, 19:02",
    "From: Turns\nTo: Ada",
    "---",
    "* * *",
    "-- Original",
    "Turns schrieb",
]


@for_each("seam", SEAMS)
def test_what_may_be_the_head_of_another_mail_is_doubted(seam: str) -> None:
    lines = sift(f"say thanks\n\n{seam}\n\nresign")
    assert kept(lines)[-1] == "resign"
    assert certain(lines) == ("say thanks",)


@for_each("text", ["Hello Bob:\n\nresign", "say: thanks\nresign", "Well played, Bob!\n\nresign", "> Ada wrote:\n\nresign"])
def test_what_is_no_head_is_not_doubted(text: str) -> None:
    assert certain(sift(text)) == kept(sift(text))


def mail(text: str, references: str = "") -> Reading:
    return read(f"From: Ada <ada@example.org>\nMessage-ID: <now@x>\nReferences: {references}\n\n{text}\n".encode())


def sent(text: str, *, is_done: bool = True) -> Earlier:
    quoted = "\n\nOn 6 May 2025 at 19:02, Turns wrote:\n> It is your move.\n"
    return Earlier.of(f"From: Ada <ada@example.org>\nMessage-ID: <then@x>\n\n{text}{quoted}".encode(), is_done=is_done)


TURN = "Hello!\n\nTako steal c9; keeper f11\n\nAda"


@for_each(
    ("text", "references", "earlier", "lines"),
    [
        ("g2\n\nTurns\n\nresign", "<then@x>", sent("resign"), ("g2", "", "Turns")),
        ("g2\n\nTurns\n\nresign", "<other@x>", sent("resign"), ("g2", "", "Turns", "", "resign")),
        (f"g2\n\nTurns\n\n{TURN}", "", sent(TURN), ("g2", "", "Turns")),
        ("g2\n\nTurns\n\n" + TURN.replace("; ", ";\n"), "", sent(TURN), ("g2", "", "Turns")),
        (f"g2\n\nTurns\n\n{TURN}", "", sent(TURN, is_done=False), ("g2", "", "Turns", "", *TURN.split("\n"))),
        (TURN, "<then@x>", sent(TURN), tuple(TURN.split("\n"))),
        ("Again!\n\nTako steal c9; keeper f11", "", sent(TURN), ("Again!", "", "Tako steal c9; keeper f11")),
        ("g2\n\nresign", "<then@x>", sent(""), ("g2", "", "resign")),
    ],
)
def test_what_was_sent_before_is_subtracted(text: str, references: str, earlier: Earlier, lines: tuple[str, ...]) -> None:
    reading = mail(text, references)
    assert may_quote(reading.text)
    assert less_earlier(reading, [earlier]).lines == lines


def test_a_mail_that_only_repeats_what_was_sent_has_no_words() -> None:
    reading = less_earlier(mail("Turns\n\nresign", "<then@x>"), [sent("resign")])
    assert (reading.lines, reading.problem) == (("Turns",), None)


@pytest.mark.parametrize("text", ["resign", "resign\nsay bye", "> x\n\nresign\n\n> y"])
def test_only_below_other_words_may_earlier_ones_stand(text: str) -> None:
    assert not may_quote(mail(text).text)
