"""Reports of mail systems: what they say has become of a mail, whoever wrote them and however."""

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from tests.corpus.hostile import done_in_time
from tests.mail.format.returned import (
    ADDRESS,
    RETURNED,
    RETURNED_ID,
    away,
    dsn,
    exim,
    group,
    in_words,
    old_exchange,
    qmail,
    still_trying,
    workmail,
    yahoo,
)
from turnserver.ids import DeliveryStatus
from turnserver.mail.format.bounces import MAX_REASON, Report, judged, report, status_in

HARD, POLICY, SOFT, DELAYED, DELIVERED, UNCLASSIFIED = DeliveryStatus
GMAIL_GONE = (
    "smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\n"
    " 550-5.1.1 double-checking the recipient's email address for typos or\n 550 5.1.1 unnecessary spaces."
)
EXCHANGE_GONE = "smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.org not found by SMTP address lookup"


@for_each(
    ("said", "fate"),
    [
        ("5.1.1", HARD),
        ("5.1.2 (bad destination system: no such domain)", HARD),
        ("5.1.10", HARD),
        ("5.4.4", HARD),
        ("550 5.0.0 5.1.1 user unknown", HARD),
        ("smtp; 550 no such user", HARD),
        ("No such user here", HARD),
        ("Host unknown", HARD),
        ("Sorry, no mailbox here by that name. (#5.1.1)", HARD),
        ("5.7.1 553 Invalid recipient ada@example.org (Mode: normal)", HARD),
        ("5.5.0 550 Requested action not taken: mailbox unavailable", HARD),
        ("550 5.4.1 Recipient address rejected: Access denied.", HARD),
        ("550 #5.1.0 Address rejected.", HARD),
        ("521 example.org takes no mail", HARD),
        ("4.1.1 450 Recipient address rejected: User unknown in virtual alias table", HARD),
        ("5.0.0", SOFT),
        ("5.1.0", SOFT),
        ("5.3.0", SOFT),
        ("553 sorry", SOFT),
        ("550 Rejected", SOFT),
        ("5.2.1", SOFT),
        ("5.2.0 550 Unknown user ada@example.org", SOFT),
        ("5.1.1 552 5.2.2 Over quota", SOFT),
        ("554 delivery error: This account has been disabled or discontinued", SOFT),
        ("5.4.6 hop count exceeded", SOFT),
        ("5.4.312 550 5.4.312 Message expired, DNS query failed", SOFT),
        ("4.0.0 DNS type 'mx' lookup of example.org responded with code NXDOMAIN Domain name not found", SOFT),
        ("550 Unknown user (in reply to end of DATA command)", SOFT),
        (">>> DATA\n<<< 550 : User unknown", SOFT),
        ("5.1.7", POLICY),
        ("5.1.8", POLICY),
        ("5.2.2", SOFT),
        ("5.2.3", SOFT),
        ("5.3.4", SOFT),
        ("5.4.7", SOFT),
        ("5.5.1", SOFT),
        ("5.6.3", POLICY),
        ("554 5.6.0 bad content", POLICY),
        ("550 5.6.0 the mailbox is full", SOFT),
        ("5.7.1", POLICY),
        ("550-5.7.26 Unauthenticated email is not accepted", POLICY),
        ("5.1.1 550 5.7.1 IP address blacklisted by recipient", POLICY),
        ("5.0.0 550 Bad SPF records for [example.org:192.0.2.2]", POLICY),
        ("554 All mail servers must have a PTR record with a valid reverse DNS entry", POLICY),
        ("4.0.0 554 Blocked - see the list", POLICY),
        ("5.1.1 550 5.1.1 <ada@example.org> - 192.0.2.7 has sent to too many recipients this hour", POLICY),
        ("5.0.0 550 Virus Detected; Content Rejected", POLICY),
        ("5.1.0 550 5.1.0 <turns@example.org> sender rejected", POLICY),
        ("5.0.0 550 Denied by policy", POLICY),
        ("5.0.0 550 Connection frequency limited", POLICY),
        ("4.2.2", SOFT),
        ("4.4.1 connection timed out", SOFT),
        ("smtp; 552 mailbox full", SOFT),
        ("552 over", SOFT),
        ("550 The user is over quota", SOFT),
        ("5.0.0 smtp; 552 5.2.2 mailbox full", SOFT),
        ("4.0.0", SOFT),
        ("451 try again later", SOFT),
        ("quota exceeded: user unknown", SOFT),
        ("something went wrong", SOFT),
        ("host 192.0.2.5.1.1 went away", SOFT),
        ("", SOFT),
    ],
)
def test_hard_is_only_what_is_about_the_recipient(said: str, fate: DeliveryStatus) -> None:
    assert judged(said) is fate


def test_the_status_that_says_most() -> None:
    assert [status_in(text) for text in ("5.0.0 then 5.1.1", "5.0.0", "version 1.2.3", "")] == ["5.1.1", "5.0.0", "", ""]


MARSHAL = f"Your message could not be delivered because of\n\n550 5.1.1 User unknown\n\nThe following were affected:\n\n{ADDRESS}\n"
LOST = dsn(group("failed", "5.1.1")).replace(b'boundary="the/end"', b'boundary="end"')
AT_DATA = f"<{ADDRESS}>: host mx.example.org said: 550 unknown user (in reply to end of\n    DATA command)"


class Case(NamedTuple):
    name: str
    raw: bytes
    fate: DeliveryStatus
    reason: str
    about: str = ADDRESS
    returns: str = RETURNED_ID


POSTFIX_FULL = group("failed", "5.2.2", "X-Postfix; the mailbox is full")
CASES = [
    Case("Postfix, unknown", dsn(group("failed", "5.1.1", "smtp; 550 5.1.1 <ada@example.org>: unknown")), HARD, "5.1.1 550 5.1.1 <"),
    Case("Postfix, full", dsn(POSTFIX_FULL), SOFT, "5.2.2 the mailbox is full"),
    Case("Postfix, expired", dsn(group("failed", "4.4.1", "X-Postfix; connect to mx: Connection timed out")), SOFT, "4.4.1 connect"),
    Case("Postfix, late", dsn(group("delayed", "4.4.1", "X-Postfix; connect to mx")), DELAYED, "4.4.1 connect"),
    Case("Postfix, wrapped by a gateway", dsn(group("failed", "5.1.1"), wrapped=True), HARD, "5.1.1"),
    Case("Gmail", dsn(group("failed", "5.1.1", GMAIL_GONE)), HARD, "5.1.1 550-5.1.1 The email account"),
    Case("Gmail, policy", dsn(group("failed", "5.7.26", "smtp; 550-5.7.26 unauthenticated")), POLICY, "5.7.26"),
    Case("Exchange", dsn(group("failed", "5.1.10", EXCHANGE_GONE, original=ADDRESS)), HARD, "5.1.10 550 5.1.10 RESOLVER"),
    Case("Exchange, too large", dsn(group("failed", "5.2.3", "smtp;550 5.2.3 RESOLVER.RST.SendSizeLimit")), SOFT, "5.2.3"),
    Case("Exim with DSN", dsn(group("failed", "5.0.0", "smtp; 550 5.1.1 no such user")), HARD, "5.0.0 550 5.1.1"),
    Case("Exim with DSN, full", dsn(group("failed", "5.0.0", "smtp; 552 5.2.2 over quota")), SOFT, "5.0.0 552"),
    Case("no words but those for people", dsn(group("failed", "5.0.0"), words="The account does not exist."), HARD, "5.0.0"),
    Case("unknown only once it had the mail", dsn(group("failed", "5.0.0", "smtp; 550 unknown user"), words=AT_DATA), SOFT, "5.0.0 550"),
    Case("fields in the text, as Amazon WorkMail writes them", workmail(), HARD, "5.1.1 550 5.1.1"),
    Case("a boundary that is another one", LOST, HARD, "5.1.1"),
    Case("words of a mail system that nobody knows", in_words(MARSHAL, subject="Undeliverable"), HARD, "550 5.1.1", returns=""),
    Case("words of a mail system about us", in_words("Spam. 550 blocked", subject="Undeliverable"), POLICY, "Spam", "", ""),
    Case("words of a person", in_words("550 no such user", sender="bob@example.org", subject="help"), UNCLASSIFIED, "", "", ""),
    Case("OpenSMTPD", dsn(group("error", "5.1.1")), HARD, "5.1.1"),
    Case("sendmail, with a comment", dsn(group("failed (permanent)", "5.1.1 (bad)")), HARD, "5.1.1 (bad)"),
    Case("delivered", dsn(group("delivered", "2.0.0")), DELIVERED, "2.0.0"),
    Case("relayed", dsn(group("relayed", "2.0.0")), DELIVERED, "2.0.0"),
    Case("a list of two, one of them gone", dsn(group("failed", "5.1.1"), group("delivered", "2.0.0")), DELIVERED, "2.0.0"),
    Case("a list of two, both gone", dsn(group("failed", "5.1.1"), POSTFIX_FULL), SOFT, "5.2.2"),
    Case("without the mail", dsn(group("failed", "5.1.1"), returned=""), HARD, "5.1.1", returns=""),
    Case("only the headers", dsn(group("failed", "5.1.1")).replace(b"message/rfc822", b"text/rfc822-headers"), HARD, "5.1.1"),
    Case("lines that end in CRLF", dsn(group("failed", "5.1.1")).replace(b"\n", b"\r\n"), HARD, "5.1.1"),
    Case("Exim", exim("host mx.example.org [192.0.2.5]", "550 5.1.1 user unknown"), HARD, "550 5.1.1 user unknown"),
    Case("Exim, full", exim("mailbox is full: retry timeout exceeded"), SOFT, "mailbox is full"),
    Case("Exim, no code", exim("Unrouteable address"), HARD, "Unrouteable address"),
    Case("qmail", qmail("Sorry, no mailbox here by that name. (#5.1.1)"), HARD, "Sorry, no mailbox"),
    Case("qmail, full", qmail("The users mailfolder is over the allowed quota (size). (#5.2.2)"), SOFT, "The users mailfolder"),
    Case("Yahoo", yahoo("Remote host said: 554 delivery error: dd This user doesn't have an account"), HARD, "Remote host said: 554"),
    Case("Yahoo, full", yahoo("Remote host said: 552 1 Requested mail action aborted, mailbox not found"), SOFT, "Remote host said: 552"),
    Case("Exchange of old", old_exchange("The recipient name is not recognized"), HARD, "The recipient name"),
    Case("a warning in words", still_trying(), DELAYED, "", returns=""),
    Case("an answering machine", away(), UNCLASSIFIED, "", about=""),
    Case("a question", in_words("help", sender=ADDRESS, subject="help"), UNCLASSIFIED, "", about="", returns=""),
    Case("a read receipt", dsn(group("displayed")).replace(b"delivery-status", b"disposition-notification"), UNCLASSIFIED, "", about=""),
    Case("an action that nobody knows", dsn(group("pondered", "5.1.1")), UNCLASSIFIED, "", about=""),
    Case("nothing", b"", UNCLASSIFIED, "", about="", returns=""),
]


@for_each("case", CASES, ids=lambda case: case.name)
def test_what_a_report_says(case: Case) -> None:
    found = report(case.raw)
    assert found.fate is case.fate
    assert found.reason.startswith(case.reason)
    assert found.addresses == ((case.about,) if case.about else ())
    assert found.message_ids[:1] == ((case.returns,) if case.returns else ())


def test_what_a_returned_mail_says_is_not_about_it() -> None:
    """The mail that came back may itself have been a report."""
    inner = dsn(group("failed", "5.1.1")).decode().replace("the/end", "inner")
    assert report(dsn(group("delayed", "4.0.0"), returned=inner)).fate is DELAYED
    assert report(dsn(returned=inner)).fate is not HARD


def test_a_reason_is_one_line_of_a_sane_length() -> None:
    said = report(dsn(group("failed", "5.1.1", "smtp; \x1b[31m" + "no " * 5_000))).reason
    assert len(said) <= MAX_REASON
    assert said.isprintable()


HEAD = b"From: mailer-daemon@example.org\nSubject: Undelivered\n"
STATUS = HEAD + b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
HOSTILE = {
    "lines": HEAD + b"\n" + b"\n" * 200_000,
    "attributions": HEAD + b"\nOn ... at ...\n" * 20_000,
    "groups": STATUS + b"Final-Recipient: rfc822; a@b\nAction: failed\nStatus: 5.1.1\n\n" * 30_000,
    "blank lines": STATUS + (b"\n" + b" " * 50) * 20_000,
    "a diagnosis": STATUS + b"\nAction: failed\nDiagnostic-Code: " + b"5.1. " * 200_000,
    "statuses": HEAD + b"\n" + b"5." * 100_000,
    "replies": HEAD + b"\n" + b"550 " * 100_000,
    "addresses": HEAD + b"\ncould not be delivered\n" + b"<a@" * 100_000,
    "identifiers": HEAD + b"\n" + b"Message-ID: <a@b>\n" * 50_000,
    "parts": b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(3_000)),
    "mails in mails": b"Content-Type: message/rfc822\n\n" * 3_000,
    "recipients": HEAD + b"X-Failed-Recipients: " + b"a@b, " * 100_000 + b"\n\n",
}


@for_each("name", HOSTILE)
def test_no_mail_keeps_it_busy(name: str) -> None:
    """Processor time: what else this machine does is not measured."""
    assert done_in_time(lambda: report(HOSTILE[name]))


@settings(max_examples=60)
@given(st.binary(max_size=300), st.integers(0, 1_000), st.sampled_from([dsn(group("failed", "5.1.1")), exim("550 no"), qmail("no")]))
def test_it_never_raises(noise: bytes, at: int, raw: bytes) -> None:
    assert isinstance(report(raw[:at] + noise + raw[at:]), Report)
    assert isinstance(report(raw[:at]), Report)


def test_our_own_mail_is_no_report() -> None:
    assert report(RETURNED.encode()) == Report(UNCLASSIFIED, message_ids=())
