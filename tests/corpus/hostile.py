"""Mails made to keep a reader busy."""

import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from tests.mail.inbound.turn_mails import take
from turnserver import games
from turnserver.errors import NotAllowed
from turnserver.mail.format.envelope import identity
from turnserver.mail.inbound.read import read, without_tokens
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.understanding import understand
from turnserver.rules import Choose, Game
from turnserver.rules.kit import playout, reads_as_turn
from turnserver.rules.options import Value
from turnserver.service.mailroom.players_mail import boards as all_boards

LIMIT_SECONDS = 0.05
TRIES = 5
_FROM = "From: Ada <ada@example.org>\nMessage-ID: <1@x>\n"
_WORDS = "== Write above this line " * 3_000

BODIES: Mapping[str, Callable[[], str]] = {
    "on": lambda: "On " * 20_000,
    "on-at": lambda: "On Friday at 10:00\n" * 18_000,
    "attributions": lambda: "On 1 May 2025 wrote:\n> x\n" * 12_000,
    "attributions without a quotation": lambda: "On 1 May 2025\n" * 3 + "x\n\n" + "On 1 May x\nBob wrote\n" * 12_000,
    "wrapped attributions": lambda: ("On 1 May 2025\n" + "x " * 300 + "\n") * 400,
    "colons": lambda: "a 2025 @:\n" * 30_000,
    "spaces": lambda: " " * 100_000,
    "newlines": lambda: "\n" * 200_000,
    "dashes": lambda: "-" * 100_000,
    "lines of dashes": lambda: "-a-\n" * 50_000,
    "underscores": lambda: "_" * 100_000,
    "quote marks": lambda: ">" * 100_000,
    "headers": lambda: "From: x\n" * 40_000,
    "open addresses": lambda: "<a@b.c" * 20_000 + ">:",
    "moves": lambda: "f4\n" * 50_000,
    "parts": lambda: "".join(f"--b{i}\nContent-Type: multipart/mixed; boundary=b{i + 1}\n\n" for i in range(5_000)),
    "boundaries": lambda: "--b0\n" * 60_000,
    "tags": lambda: "<div>" * 30_000,
    "quotations": lambda: "<blockquote>" * 30_000,
    "cells": lambda: "<table><tr>" + "<td>a" * 50_000,
    "tables": lambda: "<table><tr><td>" * 20_000,
    "breaks": lambda: "<br>" * 100_000,
    "angles": lambda: "<" * 100_000,
    "entities": lambda: "&nbsp;" * 50_000,
    "styles": lambda: '<p style="color:#fff;background:rgb(1,2,3);font-size:9px;max-height:1px;color:red">x' * 4_000,
    "a style sheet": lambda: "<style>" + ".a{display:none}" * 9_000 + "</style>" + "<p class=b>x" * 700,
    "long styles": lambda: f'<p style="{"color:#fff;" * 500}">x' * 50,
    "one attribute": lambda: "<p " + "a=b " * 100_000 + ">f4",
    "our own words": lambda: _WORDS,
    "our mail over and over": lambda: take().text * 100,
    "say and say": lambda: ("say " + "x" * 80 + "\n") * 20_000,
    "letters with marks": lambda: "e" + "\u0301" * 200_000,
}
_STEPS: Final = (
    "Tako steal c9",
    "Squirt move b9-b8-b7",
    "keeper f6",
    "throw 2 home",
    "a1-a2",
    "c3xe5",
    "c3 down",
    "take 2 from a",
    "add 1",
)
LINES: Mapping[str, Callable[[], str]] = {
    "chains of steps": lambda: ("move a1 then b2 and c3 finally " * 10 + "\n") * 150,
    "chains of steps of its own": lambda: "".join(f"{_chain(number)}\n" for number in range(150)),
    "steps of all games": lambda: "".join(f"{step} {number}\n" for number in range(25) for step in _STEPS),
    "prose": lambda: "This is an ordinary line of prose, which goes on and on, and then it ends, or so we hope.\n" * 80,
    "prose that differs": lambda: "".join(f"{_prose(number)}\n" for number in range(150)),
    "long prose": lambda: "".join(f"{' '.join(map(_prose, range(number, number + 9)))}\n" for number in range(0, 1_350, 9)),
    "squares in other alphabets": lambda: "".join(f"{' '.join(f'{letter}{number}' for letter in _OTHER * 4)}\n" for number in range(150)),
    "steps in other alphabets": lambda: "".join(f"Tako steal \u0433{number % 9}; \u0433{number}\n" for number in range(150)),
    "prose in another alphabet": lambda: "".join(f"{chr(0x430 + number % 32) * 5} \u0441 {number} " * 8 + "\n" for number in range(150)),
    "steps in full width": lambda: "".join(f"{_wide(f'Tako steal c{number}; keeper f{number}')}\n" for number in range(150)),
    "vacations": lambda: "vacation from 2027-01-01 to 2027-02-31 or so\n" * 150,
    "nearly commands": lambda: "".join(f"chellenge tacko sqish spedy escpe thraw hom keper movve inck {number}\n" for number in range(150)),
    "plans": lambda: "".join(f"if a{number} then b{number} ( if c3 then d4\n" for number in range(150)),
    "plans without an end": lambda: "if a1 then b2; else\n" * 150,
    "words for the others": lambda: "".join(f"say {_prose(number)}\n{_prose(number)}\n" for number in range(75)),
    "challenges": lambda: "".join(f"challenge {' and '.join('bcdefgh')}{number} take time=\n" for number in range(150)),
}
"""Lines that keep readers of moves busy, differently in each game."""

_OTHER = "\u0431\u0432\u0433\u0434\u0436\u03b3\u03b4\u03b6"
_TALK = "the board time would make them write about people which other number could than been who now find long down day".split()


def _prose(number: int) -> str:
    return " ".join(random.Random(number).choices(_TALK, k=15))  # noqa: S311  # no secret


def _wide(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if letter != " " else "\u3000" for letter in text)


def _chain(number: int) -> str:
    return " then ".join(f"Tako steal {'abcdefghij'[(number + step) % 10]}{step % 11 + 1}" for step in range(30))


class Board(NamedTuple):
    """A position in which somebody has to choose."""

    game: Game[Any, Any]
    position: Any


VARIANTS: Mapping[str, tuple[dict[str, Value], ...]] = {
    "take": ({}, {"variant": "high-churn"}, {"size": 7}),
    "tako-judo": ({}, {"variant": "teams"}, {"variant": "free-for-all"}),
    "tako": ({}, {"variant": "adept"}, {"betting": True}),
    "okago": ({}, {"size": 7}, {"advanced": True}),
    "sneaky-octopuses": ({"players": 2}, {"players": 3}, {"players": 4}),
}


def boards() -> dict[str, Board]:
    """Every game in its variants, some way into the game."""
    found = {}
    for key, variants in VARIANTS.items():
        for options in variants:
            game = games.find(key, **options)
            states = (state for state, _ in playout(game.rules, random.Random(5).choice))  # noqa: S311  # no secret
            *_, position = (state for state in islice(states, 60) if isinstance(game.rules.next(state), Choose))
            found[" ".join([key, *(f"{name}={value}" for name, value in options.items())])] = Board(game, position)
    return found


def line_mails() -> dict[str, bytes]:
    """Mails whose lines are the attack."""
    return {name: f"{_FROM}Content-Type: text/plain\n\n{make()}".encode() for name, make in LINES.items()}


TYPES = ("text/plain", "text/plain; format=flowed; delsp=yes", "text/html", "multipart/mixed; boundary=b0")

HEADS: Mapping[str, Callable[[], str]] = {
    "parentheses": lambda: "From: " + "(" * 50_000,
    "quotes": lambda: "From: " + '"\\' * 25_000,
    "semicolons": lambda: "Content-Type: " + ";" * 50_000,
    "open parameters": lambda: "Content-Type: text/plain; " + 'a="' * 15_000,
    "encoded words": lambda: "Subject: " + "=?utf-8?q?a?= " * 5_000,
    "half words": lambda: "Subject: " + "=?" * 25_000,
    "references": lambda: "References: " + "<" * 50_000,
    "recipients": lambda: "\n".join("To: " + "a@b.c, " * 500 for _ in range(20)),
    "folds": lambda: "Subject: a" + "\n b" * 50_000,
    "fields": lambda: "X-A: b\n" * 15_000,
    "one huge field": lambda: "X-A: " + "b" * 9_000_000,
    "received": lambda: "Received: from a by b; x\n" * 100_000,
}


def whole_mails() -> dict[str, Callable[[], bytes]]:
    """Mails whose structure is the attack."""
    base64 = f"{_FROM}Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n".encode()
    quoted = f"{_FROM}Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n".encode()
    return {
        "10 MB, one line": lambda: _FROM.encode() + b"\n" + b"x" * 10_000_000,
        "10 MB of attributions": lambda: _FROM.encode() + b"\n" + b"On 1 May 2025 at 10:00, Bob wrote:\n" * 290_000,
        "10 MB of base64": lambda: base64 + b"QUFB\n" * 2_000_000,
        "base64 that is none": lambda: base64 + b"!\n=" * 600_000,
        "base64 of boundaries": lambda: base64 + b"LS0tLS0K" * 250_000,
        "quoted-printable": lambda: quoted + b"=3D=\n" * 400_000,
        "many mails in one": lambda: f"{_FROM}Content-Type: message/rfc822\n\n".encode() * 1_000,
        "deep signatures": lambda: (
            _FROM.encode()
            + b"Content-Type: multipart/signed; boundary=a\n\n--a\n"
            + b"Content-Type: multipart/signed; boundary=a\n\n--a\n" * 20_000
        ),
        "many pages": lambda: _FROM.encode() + _parts("mixed", _page("<p>x" * 2_000), 120),
        "many empty pages": lambda: _FROM.encode() + _parts("mixed", _page("<p></p>" * 1_200), 120),
        "small pages in parts in parts": lambda: (
            _FROM.encode() + _parts("mixed", _parts("mixed", _page("<p>x<b>y</b></p>"), 100, "c"), 100)
        ),
        "empty versions in versions": lambda: (
            _FROM.encode() + _parts("alternative", _parts("alternative", _page("<p></p>"), 100, "c"), 100)
        ),
        "tables in many parts": lambda: _FROM.encode() + _parts("mixed", _page("<table><tr>" + "<td>a" * 100), 120),
        "long pages in many parts": lambda: _FROM.encode() + _parts("mixed", _page("x" * 10_000), 100),
        "six parts in six, eight deep": lambda: _FROM.encode() + _tree(8),
        "lines of dashes, eight deep": lambda: _FROM.encode() + _nest(9) + b"--\n" * 330_000,
        "lines like boundaries, eight deep": lambda: _FROM.encode() + _nest(9) + b"--bx\n" * 200_000,
        "a page of own lines, beyond all limits": lambda: _FROM.encode() + b"\n" + b"f4 \n" * 400_000,
    }


def _parts(kind: str, part: bytes, times: int, boundary: str = "b") -> bytes:
    begin = f"Content-Type: multipart/{kind}; boundary={boundary}\n\n".encode()
    return begin + f"--{boundary}\n".encode().join([b"", *[part + b"\n"] * times]) + f"--{boundary}--\n".encode()


def _page(source: str) -> bytes:
    return f"Content-Type: text/html\n\n{source}".encode()


def _tree(depth: int) -> bytes:
    part = b"Content-Type: text/plain\n\nx"
    for level in range(depth):
        part = _parts("mixed", part, 6, f"b{level}")[:1_000_000]
    return part


def _nest(depth: int) -> bytes:
    return b"".join(f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n".encode() for level in range(depth))


def mails() -> dict[str, Callable[[], bytes]]:
    """Whatever makes each mail, by its name: all of them together are large."""
    bodies = {f"{body}, {kind}": partial(_with_body, kind, make) for body, make in BODIES.items() for kind in TYPES}
    heads = {f"{head}, in the head": partial(_with_head, make) for head, make in HEADS.items()}
    return {**bodies, **heads, **whole_mails()}


def _with_body(kind: str, make: Callable[[], str]) -> bytes:
    return f"{_FROM}Content-Type: {kind}\n\n{make()}".encode()


def _with_head(make: Callable[[], str]) -> bytes:
    return f"{make()}\nMessage-ID: <1@x>\n\nf4".encode()


def seconds(raw: bytes, board: Board | None = None) -> float:
    """Return the processor time in seconds of reading a mail about this board, or about no game: the quickest of some tries."""

    def work() -> None:
        reading = without_tokens(read(raw, lambda _: [take().text], "turns@example.org"))
        assert len(reading.certain_lines) <= len(reading.lines)
        with suppress(NotAllowed):
            _understand(reading.lines, board)
        identity(raw, "turns@example.org")

    tries = []
    for _ in range(TRIES):
        tries.append(_taken(work))
        if tries[-1] < 2 * LIMIT_SECONDS:
            break
    return min(tries)


def _understand(lines: tuple[str, ...], board: Board | None) -> None:
    where = all_boards(None) if board is None else ((board.game.rules, board.position),)
    resembles = partial(resembles_step, board.game.entry.step_words) if board is not None and board.game.entry.several else None
    understand(lines, lambda text: any(reads_as_turn(*each, text) for each in where), games.CATALOGUE, resembles=resembles)


def in_time(taken: float, limit: float = LIMIT_SECONDS) -> bool:
    """Return whether something took less processor time than the limit, or than a machine takes that is so much slower or busier just now.

    Eight times that: a slow machine is not slow in everything alike, and the program is slower where it is measured which lines are
    reached. What takes too long takes a hundred times as long.
    """
    return taken < limit or taken < 8 * limit / LIMIT_SECONDS * _reference()


def done_in_time(work: Callable[[], object], limit: float = LIMIT_SECONDS) -> bool:
    """Return whether some work is done `in_time`, in one of some tries."""
    return any(in_time(_taken(work), limit) for _ in range(TRIES))


def _taken(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _reference() -> float:
    """Return the seconds that this machine, as busy as it is now, takes for what a quiet one does in about LIMIT_SECONDS."""
    return _taken(lambda: sum(number >> 1 for number in range(1_000_000)))
