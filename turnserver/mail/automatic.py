"""Mail that no person wrote just now: never carried out and never answered (RFC 3834)."""

from collections.abc import Iterator

from turnserver.mail.mime import Part, addresses

LOOP_HEADER = "X-Loop"
"""Every mail of ours carries this field with our own address."""

_BULK = frozenset({"bulk", "list", "junk", "auto_reply"})
_REPORTS = frozenset({"multipart/report", "message/delivery-status", "message/disposition-notification", "message/feedback-report"})
_LIST_PREFIX = "list-"
_RESPONDER_FIELDS = ("x-autoreply", "x-autorespond", "x-autoresponse", "x-failed-recipients")
_MACHINES = frozenset({"mailer-daemon", "postmaster", "noreply", "no-reply", "donotreply", "do-not-reply", "bounce", "bounces"})
_LIST_ENDS = ("-request", "-owner", "-bounces")
_SUBJECTS = (
    "auto:",
    "automatic reply",
    "auto reply",
    "autoreply",
    "out of office",
    "out of the office",
    "automatische antwort",
    "abwesenheitsnotiz",
    "réponse automatique",
    "respuesta automática",
    "resposta automática",
    "risposta automatica",
    "automatisch antwoord",
    "automatyczna odpowiedź",
    "autosvar",
    "автоответ",
    "自动回复",
    "自動応答",
    "undeliverable:",
    "undelivered mail",
    "unzustellbar:",
    "non remis",
    "delivery failure",
    "delivery status notification",
    "failure notice",
    "mail could not be delivered",
    "mail delivery fail",
    "mail delivery warning",
    "mail delivery system",
    "returned mail",
)
"""How subjects of machines begin; a person's answer to one begins with `Re:`."""

_SUBJECT_ENDS = ("(delivery failed)",)


def why_automatic(mail: Part, envelope_sender: str | None, own_address: str) -> str | None:
    """Why a mail is taken for a machine's, in a few words, or None for a person's mail.

    `envelope_sender` is what the transport said (`""` or `<>` is the null sender) or None if it is not known.
    """
    return next(_reasons(mail, envelope_sender, own_address.lower()), None)


def _reasons(mail: Part, envelope_sender: str | None, own_address: str) -> Iterator[str]:
    headers = mail.headers
    senders = addresses(headers.every("from"))
    loops = [value.strip().lower() for value in headers.every(LOOP_HEADER.lower())]
    if own_address and (own_address in loops or any(same_box(address, own_address) for address in senders)):
        yield "our own mail"
    if envelope_sender in ("", "<>") or any(path.strip() == "<>" for path in headers.every("return-path")):
        yield "null sender"
    if mail.media_type in _REPORTS:
        yield mail.media_type
    submitted = [_keyword(value) for value in headers.every("auto-submitted")]
    yield from (f"Auto-Submitted: {keyword[:40]}" for keyword in submitted if keyword not in ("", "no"))
    yield from (f"Precedence: {keyword}" for value in headers.every("precedence") if (keyword := _keyword(value)) in _BULK)
    yield from (name for name in headers.fields if name.startswith(_LIST_PREFIX) or name in _RESPONDER_FIELDS)
    suppressed = " ".join(headers.every("x-auto-response-suppress")).lower().replace(",", " ").split()
    if not {"all", "oof", "autoreply"}.isdisjoint(suppressed):
        yield "x-auto-response-suppress"
    yield from (f"from {address[:80]}" for address in (*senders, envelope_sender or "") if is_machine(address))
    subject = headers.text("subject").strip().casefold()
    if subject.startswith(_SUBJECTS) or subject.endswith(_SUBJECT_ENDS):
        yield "automatic subject"


def _keyword(value: str) -> str:
    """The first word of a value, without parameters and comments (RFC 3834, 5)."""
    return value.partition(";")[0].partition("(")[0].strip().lower()


def is_machine(address: str) -> bool:
    """Whether an address is by its name one that nobody reads, or that of a mailing list (RFC 3834, 2)."""
    box = address.rpartition("@")[0].lower()
    return box in _MACHINES or box.startswith("owner-") or box.endswith(_LIST_ENDS)


def same_box(address: str, own_address: str) -> bool:
    """Whether an address is ours, with or without a reply token after a `+`."""
    local, _, domain = address.lower().rpartition("@")
    own_local, _, own_domain = own_address.lower().rpartition("@")
    return domain == own_domain and local.partition("+")[0] == own_local.partition("+")[0]
