"""Mails that came back, written in the manner of the programs that send them back."""

from collections.abc import Sequence
from typing import Final

RETURNED_ID: Final = "<turn.0123456789abcdef@club.example>"
TO: Final = "turns+b-17-1-abcdefghijklmnopqrstuvwxyz@club.example"
ADDRESS: Final = "ada@example.org"
RETURNED: Final = f"""\
From: Turns <turns@club.example>
To: Ada <{ADDRESS}>
Subject: [Take 17] Ada - Bob
Message-ID: {RETURNED_ID}

It is your move.
resign
"""


def group(action: str, status: str = "", diagnosis: str = "", *, final: str = ADDRESS, original: str = "") -> str:
    """The fields about one recipient."""
    fields = {
        "Original-Recipient": f"rfc822;{original}" if original else "",
        "Final-Recipient": f"rfc822; {final}",
        "Action": action,
        "Status": status,
        "Diagnostic-Code": diagnosis,
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value)


def dsn(*groups: str, words: str = "This is the mail system.", returned: str = RETURNED, to: str = TO, wrapped: bool = False) -> bytes:
    """A notification by RFC 3464, as Postfix writes them; `wrapped` by a gateway that puts a notice below."""
    status = "Reporting-MTA: dns; mx.example.org\nX-Queue-ID: 4D2\nArrival-Date: Sun, 1 Mar 2026 12:00:00 +0000\n\n" + "\n".join(groups)
    report = f"""\
Content-Type: multipart/report; report-type=delivery-status; boundary="the/end"

This is a MIME-encapsulated message.

--the/end
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

{words}

--the/end
Content-Description: Delivery report
Content-Type: message/delivery-status

{status}
--the/end
Content-Description: Undelivered Message
Content-Type: message/rfc822

{returned}
--the/end--
"""
    if wrapped:
        report = f"Content-Type: multipart/mixed; boundary=outer\n\n--outer\n{report}\n--outer\n\nScanned at the border.\n--outer--\n"
    head = f"Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.org (Mail Delivery System)\nTo: {to}\nMessage-ID: <r1@mx.example.org>\n"
    return f"{head}Subject: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\n{report}".encode()


def in_words(
    *lines: str, sender: str = "MAILER-DAEMON@mx.example.org", subject: str = "failure notice", fields: Sequence[str] = (), to: str = TO
) -> bytes:
    """A notification without a structure."""
    head = [f"From: {sender}", f"To: {to}", f"Subject: {subject}", "Message-ID: <r2@mx.example.org>", *fields]
    return "\n".join([*head, "", *lines, ""]).encode()


def exim(*said: str) -> bytes:
    """As Exim writes without DSN."""
    return in_words(
        "This message was created automatically by mail delivery software.",
        "",
        "A message that you sent could not be delivered to one or more of its",
        "recipients. This is a permanent error. The following address(es) failed:",
        "",
        f"  {ADDRESS}",
        *(f"    {line}" for line in said),
        "",
        "------ This is a copy of the message, including all the headers. ------",
        "",
        RETURNED,
        subject="Mail delivery failed: returning message to sender",
        fields=[f"X-Failed-Recipients: {ADDRESS}", "Auto-Submitted: auto-replied"],
    )


def qmail(*said: str) -> bytes:
    """As qmail writes."""
    return in_words(
        "Hi. This is the qmail-send program at mx.example.org.",
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        "",
        f"<{ADDRESS}>:",
        *said,
        "",
        "--- Below this line is a copy of the message.",
        "",
        RETURNED,
    )


def yahoo(*said: str) -> bytes:
    """As Yahoo wrote."""
    return in_words(
        "Sorry, we were unable to deliver your message to the following address.",
        "",
        f"<{ADDRESS}>:",
        *said,
        "",
        "--- Below this line is a copy of the message.",
        "",
        RETURNED,
        sender="MAILER-DAEMON@yahoo.com",
        subject="Failure Notice",
    )


def old_exchange(reason: str) -> bytes:
    """As the Internet Mail Service of Exchange wrote."""
    return in_words(
        "This message is in MIME format.",
        "",
        "------_=_Next",
        "Content-Type: text/plain",
        "",
        "Your message",
        "",
        f"  To:      {ADDRESS}",
        "  Subject: [Take 17] Ada - Bob",
        "",
        "did not reach the following recipient(s):",
        "",
        f"{ADDRESS} on Sun, 1 Mar 2026 12:00:00 -0000",
        f"    {reason}",
        "",
        "------_=_Next",
        "Content-Type: message/rfc822",
        "",
        RETURNED,
        "------_=_Next--",
        sender="System Administrator <postmaster@example.org>",
        subject="Undeliverable: [Take 17] Ada - Bob",
        fields=["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="----_=_Next"', "X-Mailer: Internet Mail Service (5.5)"],
    )


def workmail() -> bytes:
    """As Amazon WorkMail writes: the fields of RFC 3464, in the text."""
    return in_words(
        "An error occurred while trying to deliver the mail to the following recipients:",
        ADDRESS,
        "",
        "Technical report:",
        "",
        group("failed", "5.1.1", "smtp; 550 5.1.1 no such account"),
        "",
        f"Message-ID: {RETURNED_ID}",
    )


def still_trying() -> bytes:
    """A warning in words."""
    return in_words(
        "This message was created automatically by mail delivery software.",
        "A message that you sent has not yet been delivered to one or more of its",
        "recipients after more than 24 hours on the queue on mx.example.org.",
        "",
        "The message has not yet been delivered to the following addresses:",
        "",
        f"  {ADDRESS}",
        "",
        "No action is required on your part. Delivery attempts will continue for",
        "some time.",
        subject="Warning: message delayed 24 hours",
    )


def away(to: str = TO) -> bytes:
    """Somebody's answering machine, which answers the envelope sender as RFC 3834 wants."""
    return in_words(
        "I am on holiday until Monday. Ask <bob@example.org>.",
        sender=ADDRESS,
        subject="Out of office",
        fields=["Auto-Submitted: auto-replied", f"In-Reply-To: {RETURNED_ID}"],
        to=to,
    )
