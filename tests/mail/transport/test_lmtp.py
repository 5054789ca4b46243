"""The LMTP listener, spoken to by a real client over a real socket."""

import asyncio
import smtplib
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import pytest
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from tests.cases import for_each
from turnserver.errors import StoreError
from turnserver.mail.transport.lmtp import MOST_CONNECTIONS, MOST_RECIPIENTS, Listener, _Connection, _Handler

MAIL = b"From: ada@example.org\r\nSubject: x\r\n\r\nmove f4\r\n..dot\r\n"


class Inbox:
    """Stores mails; fails where a recipient begins with `bad`."""

    def __init__(self) -> None:
        self.mails: list[tuple[Sequence[str], str | None, bytes]] = []

    def deliver(self, recipients: Sequence[str], sender: str | None, raw: bytes) -> None:
        if any(recipient.startswith("bad") for recipient in recipients):
            raise OSError("no space left")
        self.mails.append((recipients, sender, raw))


@contextmanager
def connected(listener: Listener) -> Iterator[smtplib.LMTP]:
    """A client that has said LHLO to a listening listener."""
    client = smtplib.LMTP(*listener.start(), timeout=10)
    try:
        client.ehlo("client.example.org")
        yield client
    finally:
        client.close()
        listener.stop()


def envelope(client: smtplib.LMTP, *recipients: str, sender: str = "ada@example.org") -> None:
    assert client.docmd("MAIL", f"FROM:<{sender}>")[0] == 250
    for recipient in recipients:
        assert client.docmd("RCPT", f"TO:<{recipient}>")[0] == 250


def address_of(client: smtplib.LMTP) -> tuple[str, int]:
    assert client.sock is not None
    host, port = client.sock.getpeername()
    return host, port


def data(client: smtplib.LMTP, raw: bytes, answers: int) -> list[int]:
    """Send a mail as it goes over the wire, and read that many answers."""
    assert client.docmd("DATA")[0] == 354
    client.send(raw + b".\r\n")
    return [client.getreply()[0] for _ in range(answers)]


@for_each(
    ("recipients", "answers"),
    [
        (("a@x.org",), [250]),
        (("bad@x.org",), [451]),
        (("a@x.org", "bad@x.org", "c@x.org"), [451, 451, 451]),
        (("bad1@x.org", "bad2@x.org"), [451, 451]),
        (("a@x.org", "a@x.org"), [250, 250]),
    ],
)
def test_one_answer_a_recipient(recipients: tuple[str, ...], answers: list[int]) -> None:
    inbox = Inbox()
    with connected(Listener(inbox.deliver)) as client:
        envelope(client, *recipients)
        assert data(client, MAIL, len(recipients)) == answers
        assert client.docmd("NOOP")[0] == 250
    assert [to for to, _, _ in inbox.mails] == [recipients] * (250 in answers)


def test_so_many_recipients_and_no_more_have_a_mail() -> None:
    inbox = Inbox()
    with connected(Listener(inbox.deliver)) as client:
        envelope(client, *(f"a{number}@x.org" for number in range(MOST_RECIPIENTS)))
        assert client.docmd("RCPT", "TO:<one-more@x.org>")[0] == 452
        assert data(client, MAIL, MOST_RECIPIENTS) == [250] * MOST_RECIPIENTS
        envelope(client, "one-more@x.org")
        assert data(client, MAIL, 1) == [250]
    assert [len(to) for to, _, _ in inbox.mails] == [MOST_RECIPIENTS, 1]


def test_so_many_connections_and_no_more_are_taken() -> None:
    listener = Listener(Inbox().deliver)
    with connected(listener) as client, ExitStack() as others:
        address = address_of(client)
        silent = [others.enter_context(socket.create_connection(address, timeout=10)) for _ in range(MOST_CONNECTIONS - 1)]
        assert all(one.recv(4) == b"220 " for one in silent)
        with socket.create_connection(address, timeout=10) as late:
            assert (late.recv(4), late.makefile().read()[-1:]) == (b"421 ", "\n")
        assert client.docmd("NOOP")[0] == 250
        silent[0].close()
        envelope(client, "a@x.org")  # by then the listener knows that somebody has left
        with smtplib.LMTP(*address, timeout=10) as next_one:
            assert next_one.ehlo()[0] == 250


def test_the_mail_arrives_as_it_was_sent() -> None:
    inbox = Inbox()
    with connected(Listener(inbox.deliver)) as client:
        envelope(client, "turns+k7@x.org")
        data(client, MAIL + "Gr\u00fc\u00dfe\r\n".encode(), 1)
    assert inbox.mails == [(("turns+k7@x.org",), "ada@example.org", MAIL.replace(b"..dot", b".dot") + "Gr\u00fc\u00dfe\r\n".encode())]


def test_the_null_sender_is_empty() -> None:
    inbox = Inbox()
    with connected(Listener(inbox.deliver)) as client:
        envelope(client, "a@x.org", sender="")
        data(client, MAIL, 1)
    assert inbox.mails[0][1] == ""


def test_several_mails_over_one_connection() -> None:
    inbox = Inbox()
    with connected(Listener(inbox.deliver)) as client:
        for count in (2, 1, 3):
            envelope(client, *(f"a{n}@x.org" for n in range(count)))
            assert data(client, MAIL, count) == [250] * count
    assert [len(to) for to, _, _ in inbox.mails] == [2, 1, 3]


def test_what_it_offers() -> None:
    with connected(Listener(Inbox().deliver, max_bytes=12_345)) as client:
        assert client.esmtp_features["size"] == "12345"
        assert {"8bitmime", "smtputf8", "pipelining"} <= set(client.esmtp_features)


PLAIN = [
    "<ada@example.org>",
    "<ada@example.org> SIZE=100 BODY=8BITMIME",
    "<ada.b+tag=x_y@mail-1.example.org>SIZE=1",
    "<ada@localhost>  ",
]


def listening() -> _Connection:
    """A connection before anybody speaks."""
    with closing(asyncio.new_event_loop()) as loop:
        return _Connection(_Handler(Inbox().deliver, loop.time), 1_000, loop)


@pytest.mark.parametrize("argument", PLAIN)
def test_a_plain_address_is_not_parsed_as_one_in_a_header(argument: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = listening()
    monkeypatch.delattr(SMTP, "_getaddr")
    assert connection._getaddr(argument)[0] == argument[1:].partition(">")[0]


@for_each(
    "argument",
    [
        *PLAIN,
        "  <ada@example.org>",
        "<>",
        "<> SIZE=3",
        "",
        "ada@example.org",
        "<ada>",
        "<ada@>",
        "<@example.org>",
        "<ada..b@example.org>",
        '<"a b"@example.org>',
        "<ada@[127.0.0.1]>",
        "<@relay.org:ada@example.org>",
        "<ada@example.org> (a comment) SIZE=1",
        "<ada@example.org",
        "<ada@example.org>>",
        "<ad a@example.org>",
        "<ädä@example.org>",
    ],
)
def test_an_address_is_what_the_library_takes_it_for(argument: str) -> None:
    connection = listening()
    assert connection._getaddr(argument) == LMTP._getaddr(connection, argument)


def test_addresses_beyond_ascii() -> None:
    inbox = Inbox()
    with connected(Listener(inbox.deliver)) as client:
        client.command_encoding = "utf-8"
        assert client.docmd("MAIL", "FROM:<\u00e4da@example.org> SMTPUTF8 BODY=8BITMIME")[0] == 250
        assert client.docmd("RCPT", "TO:<z\u00fcge@example.org>")[0] == 250
        assert data(client, MAIL, 1) == [250]
    assert inbox.mails[0][:2] == (("z\u00fcge@example.org",), "\u00e4da@example.org")


def test_an_announced_size_that_is_too_large_is_refused_at_once() -> None:
    with connected(Listener(Inbox().deliver, max_bytes=1000)) as client:
        assert client.docmd("MAIL", "FROM:<ada@example.org> SIZE=1001")[0] == 552
        assert client.docmd("MAIL", "FROM:<ada@example.org> SIZE=1000")[0] == 250


def test_a_mail_that_turns_out_too_large_is_refused_for_every_recipient() -> None:
    inbox = Inbox()
    with connected(Listener(inbox.deliver, max_bytes=1000)) as client:
        envelope(client, "a@x.org", "b@x.org")
        assert data(client, MAIL * 100, 2) == [552, 552]
        envelope(client, "a@x.org")
        assert data(client, MAIL, 1) == [250]
    assert len(inbox.mails) == 1


LONG = _Connection.line_length_limit
WIRES = [
    b".\r\n",
    b"\r\n.\r\n",
    b"..\r\n.\r\n",
    b".a\r\n...\r\n..b\r\n.\r\n",
    b"a.\r\nb.\r\n.\r\n",
    b"a..\r\n\r\n..\r\n.\r\n",
    b"a\n.\nb\n.\r\nc\r.\r\n\r\n.\n\r\n.\r\n",
    b"Subject: x\r\n\r\n" + b"y" * 3 * LONG + b"\r\n.\r\n",
    *(b"y" * (LONG - more) + b"\r\n.\r\n" for more in range(8)),
    *(b"y" * (LONG - more) + b".\r\n.z\r\n.\r\n" for more in range(8)),
]
"""Mails as they go over the wire, up to their end: what is nearly an end is none, and a line may be longer than what is read at a time."""


@pytest.mark.parametrize("at_once", [1, 1 << 20])
def test_a_mail_is_read_to_its_end_and_no_further(at_once: int) -> None:
    inbox = Inbox()
    wires = [wire for wire in WIRES if len(wire) < LONG / 2 or at_once > 1]
    with connected(Listener(inbox.deliver)) as client:
        for wire in wires:
            envelope(client, "a@x.org")
            assert client.docmd("DATA")[0] == 354
            for begin in range(0, len(wire), at_once):
                client.send(wire[begin : begin + at_once])
            assert client.getreply()[0] == 250
            assert client.docmd("NOOP")[0] == 250
    # RFC 5321, 4.5.2: the first dot of a line is not the writer's, and a line of one dot ends the mail.
    lines = [wire.split(b"\r\n")[:-2] for wire in wires]
    assert [raw for _, _, raw in inbox.mails] == [b"".join(line.removeprefix(b".") + b"\r\n" for line in one) for one in lines]


@for_each(("more", "answer"), [(0, 250), (1, 552)])
def test_a_mail_may_be_as_large_as_is_said(more: int, answer: int) -> None:
    inbox = Inbox()
    with connected(Listener(inbox.deliver, max_bytes=2 * LONG)) as client:
        envelope(client, "a@x.org")
        assert data(client, b"y" * (2 * LONG - 2 + more) + b"\r\n", 1) == [answer]
        assert client.docmd("NOOP")[0] == 250
    assert [len(raw) for _, _, raw in inbox.mails] == [2 * LONG] * (answer == 250)


def test_data_takes_no_argument() -> None:
    with connected(Listener(Inbox().deliver)) as client:
        envelope(client, "a@x.org")
        assert client.docmd("DATA", "now")[0] == 501
        assert data(client, MAIL, 1) == [250]


def test_data_without_recipients_has_one_answer() -> None:
    with connected(Listener(Inbox().deliver)) as client:
        assert client.docmd("DATA")[0] == 503
        assert client.docmd("NOOP")[0] == 250


def test_everything_may_be_sent_in_one_go() -> None:
    with connected(Listener(Inbox().deliver)) as client:
        client.send("MAIL FROM:<ada@x.org>\r\nRCPT TO:<a@x.org>\r\nRCPT TO:<b@x.org>\r\nDATA\r\n")
        assert [client.getreply()[0] for _ in range(4)] == [250, 250, 250, 354]
        client.send(MAIL + b".\r\nQUIT\r\n")
        assert [client.getreply()[0] for _ in range(3)] == [250, 250, 221]


def test_nothing_is_accepted_before_it_is_stored() -> None:
    delivering, stored = threading.Event(), threading.Event()

    def deliver(_recipients: Sequence[str], _sender: str | None, _raw: bytes) -> None:
        delivering.set()
        stored.wait(10)

    with connected(Listener(deliver)) as client:
        envelope(client, "a@x.org")
        client.docmd("DATA")
        client.send(MAIL + b".\r\n")
        assert delivering.wait(10)
        assert client.sock is not None
        client.sock.settimeout(0.05)
        with pytest.raises(TimeoutError):
            client.sock.recv(1)
        client.sock.settimeout(10)
        stored.set()
        assert client.getreply()[0] == 250


def test_a_client_that_goes_away_before_the_answer_does_no_harm() -> None:
    delivering, gone, stored = threading.Event(), threading.Event(), threading.Event()

    def deliver(_recipients: Sequence[str], _sender: str | None, _raw: bytes) -> None:
        delivering.set()
        gone.wait(10)
        stored.set()

    with connected(Listener(deliver)) as client:
        envelope(client, "a@x.org")
        client.docmd("DATA")
        client.send(MAIL + b".\r\n")
        assert delivering.wait(10)
        client.close()
        gone.set()
        assert stored.wait(10)


def test_a_mail_that_breaks_off_is_not_delivered() -> None:
    inbox = Inbox()
    listener = Listener(inbox.deliver)
    with connected(listener) as client:
        envelope(client, "a@x.org")
        client.docmd("DATA")
        client.send(MAIL)
    assert inbox.mails == []


def test_stopping_waits_for_a_delivery_and_answers_it() -> None:
    delivering, stored = threading.Event(), threading.Event()

    def deliver(_recipients: Sequence[str], _sender: str | None, _raw: bytes) -> None:
        delivering.set()
        stored.wait(10)

    listener = Listener(deliver, grace_seconds=60)
    with connected(listener) as client, smtplib.LMTP(*address_of(client), timeout=5) as idle:
        envelope(client, "a@x.org")
        client.docmd("DATA")
        client.send(MAIL + b".\r\n")
        assert delivering.wait(10)
        stopping = threading.Thread(target=listener.stop)
        stopping.start()
        with pytest.raises(smtplib.SMTPServerDisconnected, match=r"closed$"):  # at once, and not because this client waits no longer
            idle.getreply()
        stored.set()
        assert client.getreply()[0] == 250
        stopping.join(10)
        assert not stopping.is_alive()


def test_stopping_hangs_up_on_those_who_say_nothing() -> None:
    listener = Listener(Inbox().deliver)
    with connected(listener) as client:
        listener.stop()
        with pytest.raises(smtplib.SMTPServerDisconnected):
            client.docmd("NOOP")


def test_after_stopping_nobody_listens_and_stopping_again_is_harmless() -> None:
    listener = Listener(Inbox().deliver)
    address = listener.start()
    listener.stop()
    listener.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=10)
    assert listener.start()[0] == "127.0.0.1"
    listener.stop()


def test_a_port_that_is_taken_is_said() -> None:
    first = Listener(Inbox().deliver)
    _, port = first.start()
    with pytest.raises(OSError, match="in use"):
        Listener(Inbox().deliver, port=port).start()
    first.stop()


def test_without_a_database_the_log_has_a_line_and_not_one_a_mail(caplog: pytest.LogCaptureFixture) -> None:
    away = True

    def deliver(_recipients: Sequence[str], _sender: str | None, _raw: bytes) -> None:
        if away:
            raise StoreError("the database cannot be reached")

    listener = Listener(deliver)
    host, port = listener.start()
    with smtplib.LMTP(host, port) as client:
        for _ in range(20):
            with pytest.raises(smtplib.SMTPDataError):
                client.sendmail("ada@example.org", ["turns@example.org"], b"Subject: x\r\n\r\nhelp\r\n")
        away = False
        client.sendmail("ada@example.org", ["turns@example.org"], b"Subject: x\r\n\r\nhelp\r\n")
    listener.stop()
    said = [record.getMessage() for record in caplog.records if record.name == "turnserver.mail.transport.lmtp"]
    assert len(said) == 2
    assert "the database cannot be reached" in said[0]
    assert "works again, after 20 failures" in said[1]
    assert "Traceback" not in caplog.text
