"""Mail that no person wrote just now: never carried out and never answered (RFC 3834)."""

from turnserver.mail.mime import Part, addresses

LOOP_HEADER = "X-Loop"
"""Every mail of ours carries this field with our own address."""

_BULK = frozenset({"bulk", "list", "junk", "auto_reply"})
_REPORTS = frozenset({"multipart/report", "message/delivery-status", "message/disposition-notification", "message/feedback-report"})
_LIST_FIELDS = ("list-id", "list-post", "list-unsubscribe")
_RESPONDER_FIELDS = ("x-autoreply", "x-autorespond", "x-autoresponse", "x-failed-recipients")
_MACHINES = frozenset({"mailer-daemon", "postmaster", "noreply", "no-reply", "donotreply", "do-not-reply", "bounce", "bounces"})
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
    "risposta automatica",
    "automatisch antwoord",
    "autosvar",
    "undeliverable:",
    "undelivered mail",
    "delivery status notification",
    "mail delivery failed",
)


def why_automatic(mail: Part, envelope_sender: str | None, own_address: str) -> str | None:
    """Why a mail is taken for a machine's, in a few words, or None for a person's mail.

    `envelope_sender` is what the transport said (`""` or `<>` is the null sender) or None if it is not known.
    """
    headers = mail.headers
    senders = addresses(headers.every("from"))
    if any(same_box(address, own_address) for address in senders) or own_address.lower() in map(str.lower, headers.every(LOOP_HEADER.lower())):
        return "our own mail"
    if envelope_sender in ("", "<>") or any(path.strip() == "<>" for path in headers.every("return-path")):
        return "null sender"
    if mail.media_type in _REPORTS:
        return mail.media_type
    submitted = headers.first("auto-submitted").partition(";")[0].strip().lower()
    if submitted not in ("", "no"):
        return f"Auto-Submitted: {submitted}"[:80]
    precedence = headers.first("precedence").strip().lower()
    if precedence in _BULK:
        return f"Precedence: {precedence}"
    marks = [name for name in (*_LIST_FIELDS, *_RESPONDER_FIELDS) if headers.every(name)]
    if marks:
        return marks[0]
    if not {"all", "oof", "autoreply"}.isdisjoint(headers.first("x-auto-response-suppress").lower().replace(",", " ").split()):
        return "x-auto-response-suppress"
    machine = next((address for address in senders if address.partition("@")[0].lower() in _MACHINES), None)
    if machine is not None:
        return f"from {machine}"[:80]
    subject = headers.text("subject").strip().casefold()
    return "automatic subject" if subject.startswith(_SUBJECTS) else None


def same_box(address: str, own_address: str) -> bool:
    """Whether an address is ours, with or without a reply token after a `+`."""
    local, _, domain = address.lower().rpartition("@")
    own_local, _, own_domain = own_address.lower().rpartition("@")
    return domain == own_domain and local.partition("+")[0] == own_local.partition("+")[0]
