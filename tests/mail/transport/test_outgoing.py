"""Sending: against a real SMTP server on loopback that answers as it is told, and into a real maildir."""

import asyncio
import mailbox
import os
import shutil
import socket
import ssl
import stat
import subprocess
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from msgspec.structs import replace

from turnserver.config import Outgoing
from turnserver.errors import PermanentFailure, Refused, TemporaryFailure, Unanswered
from turnserver.mail.transport.outgoing import MaildirTransport, SmtpTransport, transport_for

SITE = "turns@example.org"
OPENSSL = shutil.which("openssl")


def mail(number: int = 1, text: str = "Ein Zug: d3\n.\n..dots\n", subject: str = "Über Züge", to: str = "ada@example.org") -> bytes:
    message = EmailMessage(policy=policy.SMTP)
    message["From"], message["To"], message["Subject"] = SITE, to, subject
    message["Message-ID"] = f"<{number}@example.org>"
    message.set_content(text)
    return message.as_bytes(policy=policy.SMTP.clone(utf8=not to.isascii()))


class Server:
    """Takes mail and remembers it; a recipient such as `550@...` or a subject of `data 451` gets that answer."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, list[str], EmailMessage]] = []
        self.raw: list[bytes] = []
        self.sessions: set[Session] = set()
        self.greetings: list[str] = []
        self.heard: list[str] = []
        self.options: list[list[str]] = []
        self.sender_answer = "250 OK"
        self.hang_up_after_data = False
        self.silent_after_data = False
        self.one_a_session = ""

    def _over(self, command: str, session: Session) -> str:
        """The answer to a command in a session that has had its mail, if that ends there."""
        return "421 one mail a session" if command == self.one_a_session and session in self.sessions else ""

    async def handle_EHLO(  # noqa: N802  # aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        del server, envelope
        session.host_name = hostname
        self.greetings.append(hostname)
        return responses

    async def handle_MAIL(  # noqa: N802  # aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server
        self.options.append(options)
        if over := self._over("MAIL", session):
            return over
        if self.sender_answer.startswith("2"):
            envelope.mail_from = address
        return self.sender_answer

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server, options
        if over := self._over("RCPT", session):
            return over
        code = address.partition("@")[0]
        if code.isdigit() and not code.startswith("2"):
            return f"{code} not this one"
        envelope.rcpt_tos.append(address)
        return f"{code} forwarded" if code.isdigit() else "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        assert isinstance(envelope.content, bytes)
        if over := self._over("the mail", session):
            return over
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        if str(message["Subject"]).startswith("data "):
            return f"{message['Subject'][5:]} not like this"
        assert envelope.original_content is not None
        self.raw.append(envelope.original_content)
        self.taken.append((str(envelope.mail_from), list(envelope.rcpt_tos), message))
        self.sessions.add(session)
        if self.hang_up_after_data:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
            await asyncio.sleep(0)
        if self.silent_after_data:
            await asyncio.Event().wait()
        return "250 taken"


class Tired(Controller):
    """Its server ends a session that has had its mail instead of waiting for another."""

    def factory(self) -> SMTP:
        handler = self.handler

        class Said(SMTP):
            async def smtp_DATA(self, arg: str) -> None:  # noqa: N802  # aiosmtpd's name
                if self.session in handler.sessions:
                    await self.push("421 one mail a session")
                else:
                    await super().smtp_DATA(arg)

        return Said(self.handler, **self.SMTP_kwargs)


class Hasty(Controller):
    """Its server says yes to DATA before it has got a mail."""

    def factory(self) -> SMTP:
        class Said(SMTP):
            async def smtp_DATA(self, arg: str) -> None:  # noqa: N802  # aiosmtpd's name
                del arg
                await self.push("250 OK")

        return Said(self.handler, **self.SMTP_kwargs)


class Listening(Controller):
    """Its server remembers the recipients as they were said, and refuses them."""

    def factory(self) -> SMTP:
        handler = self.handler

        class Heard(SMTP):
            async def smtp_RCPT(self, arg: str) -> None:  # noqa: N802  # aiosmtpd's name
                handler.heard.append(arg)
                await self.push("550 not this one")

        return Heard(handler, **self.SMTP_kwargs)


Start = Callable[..., tuple[Server, Outgoing]]


@pytest.fixture
def start() -> Iterator[Start]:
    controllers: list[Controller] = []

    def begin(
        security: Any = "none", username: str = "", password: str = "", kind: type[Controller] = Controller, **options: Any
    ) -> tuple[Server, Outgoing]:
        server = Server()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        controller = kind(server, hostname="127.0.0.1", port=port, **options)
        controller.start()
        controllers.append(controller)
        return server, Outgoing(host="localhost", port=port, security=security, username=username, password=password, timeout_seconds=5.0)

    yield begin
    for controller in controllers:
        controller.stop()


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A certificate for localhost that is its own authority, and a server's context with it."""
    if OPENSSL is None:
        pytest.skip("the openssl command, which makes the test certificate, is not installed")
    directory = tmp_path_factory.mktemp("ca")
    certificate, key = directory / "certificate.pem", directory / "key.pem"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    subprocess.run([OPENSSL, "req", "-x509", *curve, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return certificate, context


def test_a_mail_arrives_as_it_was_sent(start: Start) -> None:
    server, settings = start()
    with SmtpTransport(settings) as transport:
        transport.send(mail(), "bounces@example.org", "ada@example.net")
    ((sender, recipients, message),) = server.taken
    assert (sender, recipients) == ("bounces@example.org", ["ada@example.net"])
    assert (message["Subject"], message.get_content()) == ("Über Züge", "Ein Zug: d3\r\n.\r\n..dots\r\n")
    assert server.greetings == ["example.org"]


def test_a_server_that_promises_to_forward_has_taken_it(start: Start) -> None:
    server, settings = start()
    with SmtpTransport(settings) as transport:
        transport.send(mail(), SITE, "251@example.net")
    assert [recipients for _, recipients, _ in server.taken] == [["251@example.net"]]


def test_the_server_gets_the_very_bytes(start: Start) -> None:
    server, settings = start()
    given = mail(text="Trailing blanks \t\n\n\n.\n=3D\n\n\n")
    with SmtpTransport(settings) as transport:
        transport.send(given, SITE, "ada@example.net")
    assert server.raw == [given]


@pytest.mark.parametrize("able", [True, False])
def test_an_address_beyond_ascii_needs_a_server_that_takes_it(start: Start, *, able: bool) -> None:
    server, settings = start(enable_SMTPUTF8=able)
    with SmtpTransport(settings) as transport:
        if able:
            transport.send(mail(to="jörg@example.net"), SITE, "jörg@example.net")
            transport.send(mail(2), SITE, "ada@example.net")
        else:
            with pytest.raises(TemporaryFailure, match="SMTPUTF8"):
                transport.send(mail(to="jörg@example.net"), SITE, "jörg@example.net")
    assert [recipients for _, recipients, _ in server.taken] == ([["jörg@example.net"], ["ada@example.net"]] if able else [])


def test_the_server_hears_how_large_a_mail_is_and_what_it_has_to_know(start: Start) -> None:
    server, settings = start(enable_SMTPUTF8=True)
    mails = {to: mail(to=to) for to in ("ada@example.org", "jörg@example.org")}
    with transport_for(settings) as transport:
        for to, raw in mails.items():
            transport.send(raw, SITE, to)
    plain, other = (f"SIZE={len(raw)}" for raw in mails.values())
    assert server.options == [[plain], [other, "SMTPUTF8", "BODY=8BITMIME"]]


@pytest.mark.parametrize("address", ["o'hara+x@example.org", "a,b@example.org", "ada(x)@example.org", '"a b"@example.org'])
def test_the_server_hears_the_address_of_the_player_and_no_part_of_it(start: Start, address: str) -> None:
    """A comma or a comment in it would end it in a header."""
    server, settings = start(kind=Listening)
    with transport_for(settings) as transport, pytest.raises(Refused):
        transport.send(mail(), SITE, address)
    assert server.heard == [f"TO:<{address}>"]


def test_a_domain_beyond_ascii_needs_no_such_server(start: Start) -> None:
    server, settings = start(enable_SMTPUTF8=False)
    with SmtpTransport(settings) as transport:
        transport.send(mail(to="ada@xn--exmple-cua.org"), SITE, "ada@exämple.org")
        transport.send(mail(2), SITE, '"a b"@example.org')
    assert [recipients for _, recipients, _ in server.taken] == [["ada@xn--exmple-cua.org"], ['"a b"@example.org']]


def test_a_batch_goes_over_one_connection_and_the_next_over_another(start: Start) -> None:
    server, settings = start()
    transport = SmtpTransport(settings)
    for batch in range(2):
        with transport:
            for number in range(3):
                transport.send(mail(3 * batch + number), SITE, "ada@example.org")
    assert [message["Message-ID"] for _, _, message in server.taken] == [f"<{number}@example.org>" for number in range(6)]
    assert len(server.greetings) == 2


@pytest.mark.parametrize(
    ("recipient", "subject", "failure", "words"),
    [
        ("550@example.org", "", PermanentFailure, "550@example.org: 550 not this one"),
        ("552@example.org", "", PermanentFailure, "552 not this one"),
        ("450@example.org", "", TemporaryFailure, "450 not this one"),
        ("452@example.org", "", TemporaryFailure, "452 not this one"),
        ("421@example.org", "", TemporaryFailure, "421 not this one"),
        ("ada@example.org", "data 554", PermanentFailure, "this mail: 554 not like this"),
        ("ada@example.org", "data 451", TemporaryFailure, "this mail: 451 not like this"),
        ("ada@example.org\r\nRSET", "", PermanentFailure, "no mail can be addressed"),
        ("nobody", "", PermanentFailure, "no mail can be addressed"),
    ],
)
def test_what_the_server_says_decides_whether_to_try_again(
    start: Start, recipient: str, subject: str, failure: type[Exception], words: str
) -> None:
    server, settings = start()
    with SmtpTransport(settings) as transport:
        with pytest.raises(failure, match=words):
            transport.send(mail(subject=subject), SITE, recipient)
        transport.send(mail(2), SITE, "ada@example.org")
    assert [message["Message-ID"] for _, _, message in server.taken] == ["<2@example.org>"]


def test_what_the_server_says_is_told(start: Start, tmp_path: Path) -> None:
    """A receipt quotes the server when it takes a mail; a refusal for good also says whether the address or the mail was at fault."""
    _, settings = start()
    with SmtpTransport(settings) as transport:
        assert transport.send(mail(1), SITE, "ada@example.org") == "250 taken"
        for recipient, subject, answer in (
            ("550@example.org", "", "550 not this one"),
            ("ada@example.org", "data 554", "554 not like this"),
        ):
            with pytest.raises(Refused) as refused:
                transport.send(mail(2, subject=subject), SITE, recipient)
            assert (refused.value.answer, refused.value.recipient) == (answer, not subject)
    assert MaildirTransport(tmp_path / "box").send(mail(3), SITE, "ada@example.org") == f"kept in {tmp_path / 'box'}"


def test_a_refusal_of_ourselves_is_worth_trying_again(start: Start) -> None:
    server, settings = start()
    server.sender_answer = "550 who are you"
    with SmtpTransport(settings) as transport, pytest.raises(TemporaryFailure, match="550 who are you"):
        transport.send(mail(), SITE, "ada@example.org")


def test_a_yes_before_the_mail_was_sent_is_none(start: Start) -> None:
    _, settings = start(kind=Hasty)
    with SmtpTransport(settings) as transport, pytest.raises(TemporaryFailure, match="this mail: 250 OK"):
        transport.send(mail(), SITE, "ada@example.org")


def test_a_server_that_is_down_is_worth_trying_again() -> None:
    with socket.socket() as nobody_listens:
        nobody_listens.bind(("127.0.0.1", 0))
        settings = Outgoing(host="127.0.0.1", port=nobody_listens.getsockname()[1], timeout_seconds=1.0)
        with SmtpTransport(settings) as transport, pytest.raises(TemporaryFailure, match="cannot be reached"):
            transport.send(mail(), SITE, "ada@example.org")


def test_a_server_that_says_nothing_is_given_up_in_time() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        settings = Outgoing(host="127.0.0.1", port=silent.getsockname()[1], timeout_seconds=0.1)
        with SmtpTransport(settings) as transport, pytest.raises(TemporaryFailure):
            transport.send(mail(), SITE, "ada@example.org")


def test_a_server_that_falls_silent_with_a_mail_is_told_from_one_that_hangs_up(start: Start) -> None:
    server, settings = start()
    server.silent_after_data = True
    with SmtpTransport(replace(settings, timeout_seconds=0.2)) as transport:
        with pytest.raises(Unanswered, match="timed out"):
            transport.send(mail(), SITE, "ada@example.org")
        server.silent_after_data, server.hang_up_after_data = False, True
        with pytest.raises(TemporaryFailure) as hung_up:
            transport.send(mail(), SITE, "ada@example.org")
    assert type(hung_up.value) is TemporaryFailure


def test_a_connection_lost_before_the_answer_is_worth_trying_again_on_a_new_one(start: Start) -> None:
    server, settings = start()
    server.hang_up_after_data = True
    with SmtpTransport(settings) as transport:
        with pytest.raises(TemporaryFailure):
            transport.send(mail(1), SITE, "ada@example.org")
        server.hang_up_after_data = False
        transport.send(mail(1), SITE, "ada@example.org")
    assert [message["Message-ID"] for _, _, message in server.taken] == ["<1@example.org>"] * 2


def test_a_connection_that_was_closed_meanwhile_is_replaced(start: Start) -> None:
    server, settings = start()
    with SmtpTransport(settings) as transport:
        transport.send(mail(1), SITE, "ada@example.org")
        assert transport._server is not None
        assert transport._server.sock is not None
        transport._server.sock.shutdown(socket.SHUT_RDWR)
        transport.send(mail(2), SITE, "ada@example.org")
        transport._server.sock.shutdown(socket.SHUT_RDWR)
    assert len(server.taken) == 2


@pytest.mark.parametrize(("command", "kind"), [("MAIL", Controller), ("RCPT", Controller), ("DATA", Tired), ("the mail", Controller)])
def test_a_server_that_takes_a_few_mails_a_session_gets_the_others_in_new_ones(start: Start, command: str, kind: type[Controller]) -> None:
    server, settings = start(kind=kind)
    server.one_a_session = command
    with SmtpTransport(settings) as transport:
        for number in range(3):
            transport.send(mail(number), SITE, "ada@example.org")
    assert (len(server.taken), len(server.greetings)) == (3, 3)


def test_a_server_that_ends_a_new_session_at_once_is_left_alone(start: Start) -> None:
    server, settings = start()
    server.sender_answer = "421 closing"
    with SmtpTransport(settings) as transport, pytest.raises(TemporaryFailure, match="421 closing"):
        transport.send(mail(), SITE, "ada@example.org")
    assert len(server.greetings) == 1


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")  # the server counts only STARTTLS as TLS
@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_encrypted_and_logged_in(
    start: Start, certificates: tuple[Path, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch, security: str
) -> None:
    certificate, context = certificates
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    seen: list[tuple[bytes, bytes, bool]] = []

    def authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: LoginPassword) -> AuthResult:
        del envelope, mechanism
        assert server.transport is not None
        encrypted = session.ssl is not None or server.transport.get_extra_info("ssl_object") is not None
        seen.append((data.login, data.password, encrypted))
        return AuthResult(success=data.password == b"right", handled=False)

    how = {"starttls": {"tls_context": context, "require_starttls": True}, "tls": {"ssl_context": context, "auth_require_tls": False}}
    options = {"auth_required": True, "authenticator": authenticate, **how[security]}
    server, settings = start(security, "turns", "right", **options)
    with SmtpTransport(settings) as transport:
        transport.check("example.org")
        transport.send(mail(), SITE, "ada@example.org")
    assert (len(server.taken), seen) == (1, [(b"turns", b"right", True)])

    _, wrong = start(security, "turns", "wrong", **options)
    with SmtpTransport(wrong) as transport, pytest.raises(TemporaryFailure, match="535"):
        transport.send(mail(), SITE, "ada@example.org")


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")  # the server counts only STARTTLS as TLS
def test_a_login_that_cannot_be_sent_is_the_operators_business(start: Start) -> None:
    _, settings = start("none", "turns", "schlüssel", auth_required=True, auth_require_tls=False)
    with SmtpTransport(settings) as transport, pytest.raises(TemporaryFailure, match="cannot be used"):
        transport.send(mail(), SITE, "ada@example.org")


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_certificate_that_nobody_vouches_for_is_not_accepted(
    start: Start, certificates: tuple[Path, ssl.SSLContext], security: str
) -> None:
    _, context = certificates
    server, settings = start(security, **({"tls_context": context} if security == "starttls" else {"ssl_context": context}))
    with SmtpTransport(settings) as transport, pytest.raises(TemporaryFailure, match=r"(?i)certificate"):
        transport.send(mail(), SITE, "ada@example.org")
    assert server.taken == []


def test_a_server_without_encryption_gets_nothing_if_encryption_is_asked_for(start: Start) -> None:
    server, settings = start("starttls")
    with SmtpTransport(settings) as transport, pytest.raises(TemporaryFailure, match="STARTTLS"):
        transport.send(mail(), SITE, "ada@example.org")
    assert server.taken == []


def test_a_maildir_gets_whole_mails(tmp_path: Path) -> None:
    with MaildirTransport(tmp_path / "out") as transport:
        transport.send(mail(1), SITE, "ada@example.org")
        transport.send(mail(1), SITE, "bob@example.org")
        transport.send(mail(2), SITE, "ada@example.org")
    box = mailbox.Maildir(tmp_path / "out", create=False)
    found = {(one["Message-ID"], one["Delivered-To"]) for one in box}
    assert found == {("<1@example.org>", "ada@example.org"), ("<1@example.org>", "bob@example.org"), ("<2@example.org>", "ada@example.org")}
    assert list((tmp_path / "out" / "tmp").iterdir()) == []
    raw = next((tmp_path / "out" / "new").iterdir()).read_bytes()
    assert raw.startswith(b"Return-Path: <turns@example.org>\nDelivered-To: ")
    assert b"\r" not in raw


def test_nobody_else_reads_what_lies_in_a_maildir(tmp_path: Path) -> None:
    """Each mail holds a reply key. What a process left half written that was killed is no obstacle."""
    before = os.umask(0)
    try:
        (tmp_path / "box" / "tmp").mkdir(parents=True)
        transport = MaildirTransport(tmp_path / "box")
        transport.send(mail(1), SITE, "ada@example.org")
        [file] = (tmp_path / "box" / "new").iterdir()
        (tmp_path / "box" / "tmp" / file.name).write_bytes(b"half")
        transport.send(mail(1), SITE, "ada@example.org")
    finally:
        os.umask(before)
    [file] = (tmp_path / "box" / "new").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "box" / "new").stat().st_mode) == 0o700
    assert b"half" not in file.read_bytes()


def test_a_mail_that_is_sent_again_replaces_itself(tmp_path: Path) -> None:
    with MaildirTransport(tmp_path) as transport:
        transport.send(mail(1, "first\n"), SITE, "ada@example.org")
        transport.send(mail(1, "second\n"), SITE, "ada@example.org")
    (only,) = mailbox.Maildir(tmp_path, create=False)
    assert only.get_payload() == "second\n"


def test_a_maildir_gets_no_forged_headers(tmp_path: Path) -> None:
    with MaildirTransport(tmp_path) as transport, pytest.raises(PermanentFailure, match="no mail can be addressed"):
        transport.send(mail(), SITE, "ada@example.org\nSubject: forged")


def test_a_maildir_that_cannot_be_written_is_worth_trying_again(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with MaildirTransport(tmp_path / "out") as transport, pytest.raises(TemporaryFailure, match="maildir"):
        transport.send(mail(), SITE, "ada@example.org")


def test_the_settings_choose_the_transport(tmp_path: Path) -> None:
    assert isinstance(transport_for(Outgoing()), SmtpTransport)
    assert isinstance(transport_for(Outgoing(transport="maildir", maildir=tmp_path)), MaildirTransport)
