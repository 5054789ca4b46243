"""SpamAssassin, with the rules that Debian ships and without the network, has nothing against any kind of mail."""

import re
import shutil
import subprocess
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from functools import cache

import pytest

from tests.mail.outbound.occasions import every_occasion
from turnserver.mail.outbound.compose import compose
from turnserver.mail.outbound.context import Form, MailContext
from turnserver.mail.outbound.kinds import MailKind

POINTS = re.compile(r"score=(-?[\d.]+).*?tests=(.*?)(?:autolearn|version)=", re.DOTALL)
BOX = b"From turns@club.example Sun Mar  1 12:00:00 2026\n"

pytestmark = [pytest.mark.skipif(shutil.which("spamassassin") is None, reason="SpamAssassin is not installed"), pytest.mark.thorough]


@cache
def judged_occasions() -> dict[str, MailContext]:
    """One mail of every kind, and mails that put a deadline into the calendar or take it off.

    Judging one takes as long as writing ten, and mails of a kind differ in words that a person or a game chose.
    """
    every = every_occasion()
    kinds = {one.kind: name for name, one in reversed(every.items())}
    turn, over = (replace(every[name], form=Form(calendar=True)) for name in ("turn", "game_over, won"))
    return {name: every[name] for name in kinds.values()} | {
        "turn, put into the calendar": turn,
        "game_over, taken off the calendar": replace(over, shown=turn.state),
    }


@cache
def points() -> dict[str, tuple[float, str]]:
    """The points of every mail, and what they are for: all of them judged by one process, which takes a second to start."""
    names = list(judged_occasions())
    mails = [f"X-Number: {number}\n".encode() + compose(one).raw for number, one in enumerate(judged_occasions().values())]
    box = b"".join(BOX + raw.replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ") + b"\n\n" for raw in mails)
    command = ["spamassassin", "--local", "--mbox", "--cf=use_bayes 0"]
    judged = message_box(subprocess.run(command, input=box, capture_output=True, check=True).stdout)
    found = {names[int(mail["X-Number"])]: POINTS.search(mail["X-Spam-Status"]) for mail in judged}
    assert found.keys() == set(names)
    return {name: (float(said[1]), "".join(said[2].split())) for name, said in found.items() if said}


def message_box(box: bytes) -> list[Message]:
    """The mails of a box, in whatever order they are."""
    return [message_from_bytes(raw.partition(b"\n")[2]) for raw in re.split(rb"^From ", box, flags=re.MULTILINE)[1:]]


@pytest.mark.long
@pytest.mark.parametrize("kind", MailKind)
def test_no_kind_of_mail_gets_points(kind: MailKind) -> None:
    about = {name: points()[name] for name, one in judged_occasions().items() if one.kind is kind}
    assert {name: why for name, why in about.items() if why[0] > 0} == {}
