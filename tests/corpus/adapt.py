"""The mails of the collections as answers to a mail of ours: their writer's words replaced by an answer, what they quote by our mail."""

import re
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import partial
from html import escape
from pathlib import Path
from typing import NamedTuple

from tests.corpus import replies
from tests.corpus.replies import Regions
from tests.mail.inbound.turn_mails import TurnMail

_HEAD = {"From": "Ada <ada@example.org>", "To": "turns@example.org", "Subject": "Re: Take 17"}
COMMANDS = ("resign",)
_ANSWERED = "<1.fixed@example.org>"
_MARKED = re.compile(r"\s{0,3}(?:[A-Za-z]{0,10}>|\|)\s?")


class Quote(NamedTuple):
    """Our mail as it stands in the answer, as text and as HTML."""

    text: str
    html: str


class Adapted(NamedTuple):
    """A mail of the collections. `build` makes an answer in its manner; `has_answer` is False where a writer's words never stood."""

    name: str
    build: Callable[[Sequence[str], Quote], bytes]
    has_answer: bool = True


def quotes(mail: TurnMail) -> dict[str, Quote]:
    """Our mail as we sent it, and without its first line, as some programs and people leave it.

    And mere commands, as an older answer has them that is quoted along: neither our marker nor what we sent gives them away.
    """
    first = '<p class="marker"'
    before, _, after = mail.body_html.partition(first)
    return {
        "whole": Quote(mail.text, mail.body_html),
        "without marker": Quote(mail.text.split("\n", 1)[1], before + after.partition("</p>")[2]),
        "commands": Quote("\n".join(COMMANDS), "<br>".join(COMMANDS)),
    }


def crisp(directory: Path) -> Iterator[Adapted]:
    for path in sorted((directory / "crisp/test/fixtures").glob("*.txt")):
        if path.name not in replies.TEMPLATES:
            yield from _text_mails(path, replies.CRISP.get(path.name, replies.CRISP_OTHERS))


def discourse_trimmer(directory: Path) -> Iterator[Adapted]:
    for path in sorted((directory / "discourse_trimmer/test/emails").glob("*.txt")):
        trimmed = _lines(path.parent.parent / "trimmed" / path.name)
        yield from _text_mails(path, replies.DISCOURSE.get(path.name, _beginning(_lines(path), sum(map(bool, map(str.strip, trimmed))))))


def talon(directory: Path) -> Iterator[Adapted]:
    fixtures = directory / "talon/tests/fixtures"
    for path in sorted((fixtures / "standard_replies").glob("*.eml")):
        own_html = "Allo! Follow up MIME!" if path.stem == "outlook" else "Hello"
        yield from _mime_mails(path, "Hello", own_html, "Hello" if path.stem == "sparrow" else "Hi")
    for path in sorted((fixtures / "html_replies").glob("*.html")):
        yield _html_mail(path, "Hi. I am fine.", "Hello! How are you?")
    yield _html_mail(fixtures / "reply-separated-by-hr.html", "Hi", "Hello")
    yield _html_mail(fixtures / "OLK_SRC_BODY_SECTION.html", "Reply", "Hi")
    for path in sorted((fixtures / "signature/emails/stripped").glob("*_body")):
        lines = _lines(path)
        signed = _lines(path.with_name(path.name.replace("_body", "_signature")))
        own = lines.index(signed[0]) if signed and signed[0] in lines else len(lines)
        yield from _text_mails(path, ((1, own),))


def _beginning(lines: Sequence[str], filled: int) -> Regions:
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    return ((numbers[0], numbers[filled - 1]),)


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8", "replace").splitlines()


def _text_mails(path: Path, regions: Regions) -> Iterator[Adapted]:
    """One a region of the writer's words; the other regions are left out."""
    lines = _lines(path)
    for place in range(len(regions)):
        yield Adapted(f"{path.name}:{place}" if place else path.name, partial(_region_answered, lines, regions, place))
    if not regions:
        yield Adapted(path.name, lambda _, quote: _plain(_quoting(lines, quote)), has_answer=False)


def _region_answered(lines: Sequence[str], regions: Regions, place: int, answer: Sequence[str], quote: Quote) -> bytes:
    at = regions[place]
    above = [line if not _within(number, regions) else "" for number, line in enumerate(lines[: at[0] - 1], 1)]
    below = [line if not _within(number, regions) else "" for number, line in enumerate(lines[at[1] :], at[1] + 1)]
    if any(map(_MARKED.match, above)) and not any(map(_MARKED.match, below)):
        return _plain("\n".join([_quoting(above, quote), *answer, *below]))
    return _plain("\n".join([*above, *answer, _quoting(below, quote) if any(map(str.strip, below)) else ""]))


def _within(number: int, regions: Regions) -> bool:
    return any(first <= number <= last for first, last in regions)


def _quoting(lines: Sequence[str], quote: Quote) -> str:
    """The lines with our mail in place of the first marked ones; if there are none, below all, as what was quoted without marks."""
    begin = next((index for index, line in enumerate(lines) if _MARKED.match(line) and not _opens_quotation(line)), None)
    if begin is None:
        return "\n".join([*lines, "", quote.text])
    mark = _MARKED.match(lines[begin])
    assert mark is not None
    end = next((index for index in range(begin, len(lines)) if not _MARKED.match(lines[index])), len(lines))
    return "\n".join([*lines[:begin], *(mark[0] + line for line in quote.text.split("\n")), *lines[end:]])


def _opens_quotation(line: str) -> bool:
    """Return whether a marked line only says whom it quotes."""
    return line.rstrip().endswith(":") or "@" in line


def _plain(text: str) -> bytes:
    mail = EmailMessage()
    for name, value in (*_HEAD.items(), ("In-Reply-To", _ANSWERED)):
        mail[name] = value
    mail.set_content(text, cte="8bit")
    return mail.as_bytes()


def _html_mail(path: Path, own: str, quoted: str) -> Adapted:
    source = path.read_bytes().decode("utf-8", "replace")

    def build(answer: Sequence[str], quote: Quote) -> bytes:
        return _html(_html_placed(source, own, quoted, answer, quote))

    return Adapted(path.name, build)


def _html(source: str) -> bytes:
    mail = EmailMessage()
    for name, value in (*_HEAD.items(), ("In-Reply-To", _ANSWERED)):
        mail[name] = value
    mail.set_content(source, subtype="html", cte="8bit")
    return mail.as_bytes()


def _html_placed(source: str, own: str, quoted: str, answer: Sequence[str], quote: Quote) -> str:
    before, found, after = source.partition(own)
    assert found, "the writer's words are not there"
    *_, match = re.finditer(rf"(&gt; )?(?<!\w){re.escape(quoted)}(?!\w)", after)
    ours = "<br>".join("&gt; " + escape(line) for line in quote.text.split("\n")) if match[1] else quote.html
    return before + "<br>".join(map(escape, answer)) + after[: match.start()] + ours + after[match.end() :]


def _mime_mails(path: Path, own: str, own_html: str, quoted: str) -> Iterator[Adapted]:
    """The mail, and if it has an HTML part its HTML alone."""
    raw = path.read_bytes()

    def build(answer: Sequence[str], quote: Quote) -> bytes:
        mail = message_from_bytes(raw, policy=policy.default)
        for part in mail.walk():
            if part.get_content_type() == "text/plain":
                part.set_content(_text_placed(part.get_content(), own, quoted, answer, quote), cte="8bit")
            elif part.get_content_type() == "text/html":
                part.set_content(_html_placed(part.get_content(), own_html, quoted, answer, quote), subtype="html", cte="8bit")
        del mail["In-Reply-To"]
        mail["In-Reply-To"] = _ANSWERED
        return mail.as_bytes()

    yield Adapted(path.name, build)
    html = message_from_bytes(raw, policy=policy.default).get_body(("html",))
    if html is not None:
        source = html.get_content()
        yield Adapted(f"{path.name}, HTML alone", lambda answer, quote: _html(_html_placed(source, own_html, quoted, answer, quote)))


def _text_placed(text: str, own: str, quoted: str, answer: Sequence[str], quote: Quote) -> str:
    lines = text.splitlines()
    at = next(index for index, line in enumerate(lines) if line.strip() == own)
    below = lines[at + 1 :]
    match = next((index for index, line in enumerate(below) if _is_quoted(line, quoted)), None)
    if match is None:  # the answer stands below
        above = lines[:at]
        match = next(index for index, line in enumerate(above) if _is_quoted(line, quoted))
        return "\n".join([*_replaced(above, match, quote), *answer, *below])
    return "\n".join([*lines[:at], *answer, *_replaced(below, match, quote)])


def _is_quoted(line: str, quoted: str) -> bool:
    return line.lstrip("> ").startswith(quoted)


def _replaced(lines: Sequence[str], at: int, quote: Quote) -> list[str]:
    mark = "> " if lines[at].startswith(">") else ""
    return [*lines[:at], *(mark + line for line in quote.text.split("\n")), *lines[at + 1 :]]
