"""Copies of a mail have one identity, different mails have different ones."""

from tests.cases import for_each
from turnserver.mail.format.envelope import identity

HEAD = """\
From: Ada <ada@example.org>
To: turns+k7f3@play.example.org
Subject: Re: Take 17
Date: Tue, 6 May 2025 21:14:03 +0200
Message-ID: <1@example.org>
"""
BODY = "move f4\n\n> quoted\n"
RECIPIENT = "turns+k7f3@play.example.org"
NO_ID = HEAD.replace("Message-ID: <1@example.org>\n", "")

COPIES = {
    "trace headers": ("Return-Path: <ada@example.org>\nReceived: from b by c\nDelivered-To: x@y\n" + HEAD, BODY, RECIPIENT),
    "filters": (HEAD + "X-Spam-Score: 1\nDKIM-Signature: v=1\nAuthentication-Results: mx; dkim=pass\n", BODY, RECIPIENT),
    "list prefix in the subject": (HEAD.replace("Re: Take", "[play] Re: Take"), BODY, RECIPIENT),
    "folding": (HEAD.replace("Ada <", "Ada\n\t<"), BODY, RECIPIENT),
    "line ends": (HEAD.replace("\n", "\r\n"), BODY.replace("\n", "\r\n"), RECIPIENT),
    "empty lines at the end": (HEAD, BODY + "\n\n", RECIPIENT),
    "case of the recipient": (HEAD, BODY, RECIPIENT.upper()),
    "order of the fields": ("\n".join(reversed(HEAD.splitlines())) + "\n", BODY, RECIPIENT),
}
OTHERS = {
    "same id, other text": (HEAD, "move f5\n\n> quoted\n", RECIPIENT),
    "same id, other sender": (HEAD.replace("ada@", "bob@"), BODY, RECIPIENT),
    "same id, other date": (HEAD.replace("21:14", "21:15"), BODY, RECIPIENT),
    "other id": (HEAD.replace("<1@", "<2@"), BODY, RECIPIENT),
    "other recipient": (HEAD, BODY, "turns+other@play.example.org"),
    "a second sender on top": ("From: Bob <bob@example.org>\n" + HEAD, BODY, RECIPIENT),
    "no id": (NO_ID, BODY, RECIPIENT),
    "no id, but a trace": ("Received: from b by c\n" + NO_ID, BODY, RECIPIENT),
    "no id, and another trace": ("Received: from b by c later\n" + NO_ID, BODY, RECIPIENT),
    "a date inside the sender": (
        NO_ID.replace(">\nTo:", ">date:Tue, 6 May 2025 21:14:03 +0200\nTo:").replace("Date:", "X-Date:"),
        BODY,
        RECIPIENT,
    ),
    "words moved between fields": (
        HEAD.replace("Ada <ada@example.org>", "").replace("Date: ", "Date: Ada <ada@example.org>"),
        BODY,
        RECIPIENT,
    ),
}


def of(head: str, body: str, recipient: str) -> str:
    return identity(f"{head}\n{body}".encode(), recipient)


@for_each("copy", COPIES)
def test_a_copy_has_the_same_identity(copy: str) -> None:
    assert of(*COPIES[copy]) == of(HEAD, BODY, RECIPIENT)


def test_different_mails_have_different_identities() -> None:
    identities = [of(HEAD, BODY, RECIPIENT), *(of(*other) for other in OTHERS.values())]
    assert len(set(identities)) == len(OTHERS) + 1


def test_crlf_ends_the_head_like_lf() -> None:
    raw = f"{HEAD}\n{BODY}".encode()
    assert identity(raw.replace(b"\n", b"\r\n"), RECIPIENT) == identity(raw, RECIPIENT)
