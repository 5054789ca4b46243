"""Our own mails fed back as quotations, however a mail program mangles them: never a command, and the answer above them is found."""

import textwrap
from collections.abc import Callable

import pytest

from tests.mail.outbound.mails import composed, html, occasions
from tests.shortened import shortened
from turnserver import games
from turnserver.mail.inbound.admission import confirms, keyed, names_wanted
from turnserver.mail.inbound.phrases import Resign
from turnserver.mail.inbound.read import Reading, read
from turnserver.mail.inbound.understanding import understand
from turnserver.mail.outbound.compose import Composed
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.language import ENGLISH, languages
from turnserver.rules.kit import reads_as_turn

pytestmark = pytest.mark.thorough

OURS = "turns@example.org"
TAKE = games.find("take")


def is_move(text: str) -> bool:
    return reads_as_turn(TAKE.rules, TAKE.rules.start(), text)


def plain(body: str) -> bytes:
    return f"From: Ada <ada@example.org>\nContent-Type: text/plain; charset=utf-8\n\n{body}".encode()


def in_html(body: str) -> bytes:
    return f"From: Ada <ada@example.org>\nContent-Type: text/html; charset=utf-8\n\n<html><body>{body}</body></html>".encode()


def without_marker(text: str) -> str:
    return text.split("\n", 1)[1]


MANGLERS: dict[str, Callable[[str, Composed], bytes]] = {
    "quoted": lambda answer, mail: plain(
        f"{answer}\n\nOn 6 May 2025 at 19:02, Turns wrote:\n" + textwrap.indent(mail.text, "> ", lambda _: True)
    ),
    "quoted above": lambda answer, mail: plain(textwrap.indent(mail.text, "> ", lambda _: True) + f"\n\n{answer}\n"),
    "unmarked": lambda answer, mail: plain(f"{answer}\n\n{mail.text}"),
    "unmarked, no marker": lambda answer, mail: plain(f"{answer}\n\n{without_marker(mail.text)}"),
    "unmarked, no marker, refilled": lambda answer, mail: plain(f"{answer}\n\n" + textwrap.fill(without_marker(mail.text), 24)),
    "quoted, then wrapped without marks": lambda answer, mail: plain(
        f"{answer}\n\n" + "\n".join("> " + "\n".join(textwrap.wrap(line, 20)) for line in without_marker(mail.text).split("\n"))
    ),
    "html, quoted": lambda answer, mail: in_html(f"<div>{answer}</div><blockquote>{html(mail)}</blockquote>"),
    "html, unmarked": lambda answer, mail: in_html(f"<div>{answer}</div><div>{html(mail)}</div>"),
}
RESIGN = {key: next(iter(one.words.get("resign", ())), "resign") for key, one in languages().items()}


def answered(mail: Composed, answer: bytes) -> Reading:
    return read(answer, lambda _: [mail.text], OURS)


def names_in(key: str) -> str:
    # as the tests of other languages compose them
    return "plain names" if key == ENGLISH else "nasty names"


def mails(about: str) -> dict[str, Composed]:
    """A mail in each language in which it is written."""
    to_admins = occasions()[about].kind is MailKind.ADMIN_REPORT
    return {key: composed(about, names=names_in(key), key=key) for key in languages() if key == ENGLISH or not to_admins}


# Every mail is mangled in one of eight ways, and every way is tried on fifty mails; `make long` tries the others.
WAYS = len(MANGLERS)


@pytest.mark.parametrize("shift", shortened(range(WAYS)))
@pytest.mark.parametrize("way", range(WAYS))
def test_a_quotation_of_ours_holds_no_command(way: int, shift: int) -> None:
    some = list(occasions())[(way + shift) % WAYS :: WAYS]
    mangled = list(MANGLERS)[way]
    for about in some:
        for key, mail in mails(about).items():
            # one mail in two says something of its own, in each language another one
            answer, phrases = (RESIGN[key], (Resign(),)) if (way + (key == ENGLISH)) % 2 else ("", ())
            reading = answered(mail, MANGLERS[mangled](answer, mail))
            understood = understand(reading.lines, is_move, games.CATALOGUE)
            assert (understood.phrases, understood.conflict) == (phrases, ()), f"{about}, {key}, {mangled}: {answer}"
            asked = (keyed(reading.lines).keys, names_wanted(reading.lines), confirms(reading.lines))
            assert asked == ((), (), False), f"{about}, {key}, {mangled}"


def test_a_mail_of_ours_that_comes_back_is_known() -> None:
    unknown = [
        (about, key)
        for about in occasions()
        for key, mail in mails(about).items()
        if read(mail.raw, None, OURS).automatic != "our own mail"
    ]
    assert unknown == []
