"""Send mail over SMTP, or into a maildir that another program empties.

A failure is temporary when trying again may help: the server is down, busy or misconfigured, or it refuses ourselves (login,
sender). It is permanent when the server refused this recipient or this message with a 5xx answer.
"""

import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.parser import BytesHeaderParser
from hashlib import sha256
from pathlib import Path
from typing import Protocol, Self

from turnserver import files
from turnserver.addresses import check_address, on_the_wire
from turnserver.config import Outgoing
from turnserver.errors import PermanentFailure, Refused, TemporaryFailure, Unanswered, Unreachable

_PERMANENT = 500
_OK = 250
_TAKEN = (_OK, 251)
"""The answers to RCPT that mean yes. 251 promises to forward (RFC 5321, 4.2.3)."""
_GO_ON = 354
_CLOSING = 421
"""The answer to any command of a server that ends the session (RFC 5321, 3.8)."""


class Transport(Protocol):
    """A way out for mails, one after another. Leaving the context closes connections that were open for the batch."""

    def send(self, mail: bytes, envelope_from: str, recipient: str) -> str:
        """Hand one mail on, and return the answer of the next system. From then on, that system is responsible for the mail.

        The bytes, whose lines end in CRLF, go as they are: they may be signed.

        Raise TemporaryFailure if trying again may help, else PermanentFailure. Its kind Refused means that the next system said so.
        The temporary ones Unreachable and Unanswered say that the next mail would hardly fare better.
        """

    def __enter__(self) -> Self:
        """Begin a batch."""

    def __exit__(self, *_: object) -> None:
        """End the batch."""


def transport_for(settings: Outgoing) -> Transport:
    """Return the transport of the settings. Nothing is connected or created before the first mail."""
    return MaildirTransport(settings.maildir) if settings.transport == "maildir" else SmtpTransport(settings)


class SmtpTransport:
    """Mail over SMTP, a batch over one connection. TLS is verified against the system's authorities (`SSL_CERT_FILE` adds others)."""

    def __init__(self, settings: Outgoing) -> None:
        self._settings = settings
        self._server: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, mail: bytes, envelope_from: str, recipient: str) -> str:
        """Hand one mail to the server; see `Transport.send`."""
        check_address(recipient)
        recipient = on_the_wire(recipient)
        kept = self._server is not None
        try:
            with _sorted_failures(recipient):
                server = self._connected(envelope_from.rpartition("@")[2])
        except TemporaryFailure as error:
            # no mail can leave: a server that is down must not use up the attempts of mails that it was never offered
            raise Unreachable(str(error)) from error
        with _sorted_failures(recipient):
            try:
                _announce(server, mail, envelope_from, recipient)
                return _handed_over(server, mail, recipient)
            except (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPDataError):
                # the server answered, so the session can go on
                with suppress(smtplib.SMTPServerDisconnected):
                    server.rset()
                raise
            except _SessionOverError:
                self._drop()
                # servers end a session in which nothing happens for a while
                if not kept:
                    raise
            except Exception:
                self._drop()
                raise
        return self.send(mail, envelope_from, recipient)

    def check(self, domain: str) -> None:
        """Connect, secure and log in without sending anything. Raise TemporaryFailure with the reason."""
        with _sorted_failures(""):
            self._connected(domain)

    def offers(self, domain: str) -> Mapping[str, str]:
        """Return the extensions of the server by name in lower case, with their parameters.

        Raise TemporaryFailure with the reason if there is no session.
        """
        with _sorted_failures(""):
            server = self._connected(domain)
            server.ehlo_or_helo_if_needed()
            return dict(server.esmtp_features)

    def close(self) -> None:
        """End the session, if there is one."""
        if self._server is not None:
            try:
                self._server.quit()
            except (OSError, smtplib.SMTPException):
                self._server.close()
            self._server = None

    def _drop(self) -> None:
        # without QUIT: the session is in an unknown state
        if self._server is not None:
            self._server.close()
            self._server = None

    def _connected(self, domain: str) -> smtplib.SMTP:
        """Return the open session, which the server may have ended meanwhile, or else a new one, introduced as `domain`."""
        if self._server is not None:
            return self._server
        self._server = server = self._dialled(domain)
        try:
            if self._settings.security == "starttls":
                server.starttls(context=ssl.create_default_context())
            if self._settings.username:
                server.login(self._settings.username, self._settings.password)
        except Exception:
            self._drop()
            raise
        return server

    def _dialled(self, domain: str) -> smtplib.SMTP:
        host, port, timeout = self._settings.host, self._settings.port, self._settings.timeout_seconds
        name = domain or "localhost"
        if self._settings.security == "tls":
            return smtplib.SMTP_SSL(host, port, name, timeout=timeout, context=ssl.create_default_context())
        return smtplib.SMTP(host, port, name, timeout=timeout)


class MaildirTransport:
    """Mail into a maildir. A mail is complete when it appears. A mail that is sent twice replaces itself while it is unread."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End a batch. Nothing is open."""

    def send(self, mail: bytes, envelope_from: str, recipient: str) -> str:
        """Write one mail durably; see `Transport.send`. The file is named after its Message-ID and recipient."""
        check_address(recipient)
        named = str(BytesHeaderParser().parsebytes(mail.partition(b"\r\n\r\n")[0])["Message-ID"]).strip()
        # the same mail has the same name, so one that is sent twice replaces itself while it is unread
        name = sha256(f"{named}\n{recipient}".encode()).hexdigest()[:40] + ".turnserver"
        head = f"Return-Path: <{envelope_from}>\nDelivered-To: {recipient}\n".encode()
        try:
            for folder in ("tmp", "new", "cur"):
                (self._path / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = self._path / "tmp" / name
            # a process that was killed may have left it behind
            draft.unlink(missing_ok=True)
            # a mail holds a reply key
            files.write_new(draft, head + mail.replace(b"\r\n", b"\n"))
            draft.rename(self._path / "new" / name)
            files.settle(self._path / "new")
        except OSError as error:
            raise Unreachable(f"the maildir {self._path} cannot be written: {error.strerror}") from error
        return f"kept in {self._path}"


class _SessionOverError(smtplib.SMTPServerDisconnected):
    """The server had ended the session before a mail began in it, or ends it instead of taking the mail. It has not got that mail."""


def _announce(server: smtplib.SMTP, mail: bytes, sender: str, recipient: str) -> None:
    """Begin a mail in the open session. Raise SMTPSenderRefused with the words of the server, or _SessionOverError."""
    server.ehlo_or_helo_if_needed()
    size = (f"size={len(mail)}",) if server.does_esmtp and server.has_extn("size") else ()
    options = _options(server, sender, recipient)
    if options:
        server.command_encoding = "utf-8"
    # `smtplib.SMTP.mail` and `rcpt` read each address as one in a header, and `a,b@example.org` is `a` there
    try:
        reply = server.docmd("mail", " ".join((f"FROM:<{sender}>", *size, *options)))
    except smtplib.SMTPServerDisconnected as error:
        raise _SessionOverError(*error.args) from error
    code, answer = _still_open(reply)
    if code != _OK:
        raise smtplib.SMTPSenderRefused(code, answer, sender)


def _still_open(reply: tuple[int, bytes]) -> tuple[int, bytes]:
    """Return an answer of the server. Raise _SessionOverError with its words if it ends the session: that says nothing of the mail."""
    code, answer = reply
    if code == _CLOSING:
        raise _SessionOverError(f"{code} {_plain(answer)}")
    return reply


def _handed_over(server: smtplib.SMTP, mail: bytes, recipient: str) -> str:
    """Send the mail that was begun and return the server's last answer, which `smtplib.SMTP.sendmail` does not return.

    Raise SMTPRecipientsRefused or SMTPDataError with the words of the server if it refuses the mail, or _SessionOverError.
    """
    code, answer = _still_open(server.docmd("rcpt", f"TO:<{recipient}>"))
    if code not in _TAKEN:
        raise smtplib.SMTPRecipientsRefused({recipient: (code, answer)})
    code, answer = _data(server, mail)
    if code != _OK:
        raise smtplib.SMTPDataError(code, answer)
    return f"{code} {_plain(answer)}"


def _data(server: smtplib.SMTP, mail: bytes) -> tuple[int, bytes]:
    """Send the content of a mail, whose lines end in CRLF, and return the answer. Raise SMTPDataError if the server does not wait for it.

    `smtplib.SMTP.data` looks for dots by a pattern, which takes seven times as long for a mail with a picture.
    """
    code, answer = _still_open(server.docmd("data"))
    # a server that says yes here has got no mail yet
    if code != _GO_ON:
        raise smtplib.SMTPDataError(code, answer)
    # RFC 5321, 4.5.2: a dot that begins a line is doubled, and one alone ends the mail. No mail begins with a dot.
    server.send(mail.replace(b"\n.", b"\n..") + (b".\r\n" if mail.endswith(b"\n") else b"\r\n.\r\n"))
    return _still_open(server.getreply())


def _options(server: smtplib.SMTP, *addresses: str) -> tuple[str, ...]:
    """Return the options of MAIL FROM: addresses beyond ASCII need a server that takes them (RFC 6531)."""
    if all(address.isascii() for address in addresses):
        return ()
    server.ehlo_or_helo_if_needed()
    if not server.has_extn("smtputf8"):
        raise smtplib.SMTPNotSupportedError("it takes no addresses beyond ASCII (SMTPUTF8)")
    return ("SMTPUTF8", "BODY=8BITMIME")


@contextmanager
def _sorted_failures(recipient: str) -> Iterator[None]:
    """Turn errors of smtplib into one of the two failures."""
    try:
        yield
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = error.recipients[recipient]
        raise _failure(code, answer, f"the mail server does not take mail for {recipient}", recipient=True) from error
    except smtplib.SMTPDataError as error:
        raise _failure(error.smtp_code, error.smtp_error, "the mail server does not take this mail", recipient=False) from error
    except smtplib.SMTPResponseException as error:
        raise TemporaryFailure(f"the mail server does not work with us: {error.smtp_code} {_plain(error.smtp_error)}") from error
    except smtplib.SMTPException as error:
        kind = Unanswered if _has_waited(error) else TemporaryFailure
        raise kind(f"the mail server does not work with us: {error}") from error
    except OSError as error:
        raise TemporaryFailure(f"the mail server cannot be reached: {error.strerror or error}") from error
    except ValueError as error:
        # a login that is not ASCII
        raise TemporaryFailure(f"the mail server cannot be used like this: {error}") from error


def _has_waited(error: BaseException | None) -> bool:
    """Return whether the time of an answer ran out. `smtplib` has one error for this and for a server that hangs up."""
    return error is not None and (isinstance(error, TimeoutError) or _has_waited(error.__context__))


def _failure(code: int, answer: bytes | str, what: str, *, recipient: bool) -> PermanentFailure | TemporaryFailure:
    said = f"{code} {_plain(answer)}"
    return Refused(f"{what}: {said}", said, recipient=recipient) if code >= _PERMANENT else TemporaryFailure(f"{what}: {said}")


def _plain(answer: bytes | str) -> str:
    return " ".join((answer if isinstance(answer, str) else answer.decode("utf-8", "replace")).split())
