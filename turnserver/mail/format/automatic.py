"""Recognise mail that no person wrote just now. It is never carried out and never answered (RFC 3834)."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final
from unicodedata import category, normalize

from turnserver.mail.format.mime import Part, addresses

LOOP_HEADER = "X-Loop"
"""The name of the field with our own address that every mail of ours carries."""


def normalised(subject: str) -> str:
    """Return a subject in the form for comparing: in one Unicode form and case, without marks of direction and doubled blanks."""
    plain = subject if subject.isascii() else "".join(char for char in normalize("NFKC", subject) if category(char) != "Cf")
    return " ".join(plain.casefold().split())


_BULK = frozenset({"bulk", "list", "junk", "auto_reply"})
_REPORTS = frozenset(
    {
        "multipart/report",
        "multipart/digest",
        "message/delivery-status",
        "message/disposition-notification",
        "message/feedback-report",
    }
)
_CALENDAR = "text/calendar"
CALENDAR_DEPTH = 3
CALENDAR_PARTS = 6
"""The limits within which every calendar program puts its part: no deeper, and not behind more others."""

# RFC 5546, 1.4, less PUBLISH: a person may well send a calendar along
_CALENDAR_METHODS = frozenset({"request", "reply", "counter", "declinecounter", "cancel", "refresh", "add"})
_EXCHANGE_CLASSES = ("calendarmessage", "dsn", "mdn", "recallmessage")
"""The ends of Content-Class values that Outlook or Exchange writes for its user."""

_MACHINE_FIELDS = (
    "list-",
    "x-autoreply",
    "x-autorespond",
    "x-autoresponse",
    "x-failed-recipients",
    "x-hmxmroriginalrecipient",  # a complaint through Microsoft's JMRP
    "x-zendesk",
)
"""The beginnings of fields that only machines write."""

_MACHINE = re.compile(
    r"(?:.+[-_.+])?(?:mailer[-_]?daemon|postmaster|no[-_.]?reply|do[-_.]?not[-_.]?reply|auto[-_.]?reply|autoresponder|bounces?)(?:[-_.+].*)?"
)
_LIST_ENDS = ("-request", "-owner", "-bounces")

SUBJECTS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        "auto:",
        "automatic reply",
        "auto reply",
        "autoreply",
        "out of office",
        "out of the office",
        "undeliverable:",
        "undelivered mail",
        "delivery failure",
        "delivery status notification",
        "failure notice",
        "mail could not be delivered",
        "mail delivery fail",
        "mail delivery warning",
        "mail delivery system",
        "returned mail",
        "read:",
        "not read:",
        "recall:",
    ),
    "ar": ("رد تلقائي", "الرد التلقائي", "تعذر التسليم", "غير قابل للتسليم", "خارج المكتب"),
    "bg": ("автоматичен отговор", "извън офиса", "недоставимо"),
    "ca": ("resposta automàtica", "fora de l'oficina", "no es pot lliurar"),
    "cs": ("automatická odpověď", "mimo kancelář", "nelze doručit", "nedoručitelné", "přečteno:"),
    "da": ("automatisk svar", "autosvar", "ikke til stede", "fraværende:", "kan ikke leveres", "uanbringelig", "læst:"),
    "de": (
        "automatische antwort",
        "abwesenheitsnotiz",
        "abwesenheit:",
        "abwesend:",
        "automatisch erstellte antwort",
        "nicht im büro",
        "unzustellbar:",
        "nicht zustellbar:",
        "gelesen:",
        "ungelesen:",
    ),
    "el": ("αυτόματη απάντηση", "εκτός γραφείου", "δεν παραδόθηκε", "μη παραδοτέο"),
    "es": ("respuesta automática", "fuera de la oficina", "fuera de oficina", "no se puede entregar", "no entregado", "leído:"),
    "et": ("automaatvastus", "automaatne vastus", "kontorist väljas", "kättetoimetamatu"),
    "eu": ("erantzun automatikoa",),
    "fa": ("پاسخ خودکار",),
    "fi": ("automaattinen vastaus", "poissa toimistosta", "poissaoloilmoitus", "ei voi toimittaa", "toimittamaton", "luettu:"),
    "fr": ("réponse automatique", "absence du bureau", "absent du bureau", "message d'absence", "non remis", "lu :", "lu:"),
    "he": ("מענה אוטומטי", "תשובה אוטומטית", "מחוץ למשרד", "לא ניתן למסירה"),
    "hi": ("स्वचालित उत्तर", "स्वतः उत्तर"),
    "hr": ("automatski odgovor", "izvan ureda", "nije moguće isporučiti", "neisporučivo"),
    "hu": ("automatikus válasz", "házon kívül", "irodán kívül", "nem kézbesíthető", "kézbesíthetetlen"),
    "id": ("balasan otomatis", "di luar kantor", "tidak terkirim"),
    "it": ("risposta automatica", "fuori sede", "fuori ufficio", "non recapitabile", "letto:"),
    "ja": ("自動応答", "自動返信", "不在通知", "配信不能", "開封済み:"),
    "ko": ("자동 회신", "자동 응답", "자동회신", "부재중", "배달되지 않음", "배달할 수 없음"),
    "lt": ("automatinis atsakymas", "ne biure", "nepristatyta"),
    "lv": ("automātiska atbilde", "automātiskā atbilde", "ārpus biroja", "nepiegādājams"),
    "nb": ("automatisk svar", "autosvar", "ikke på kontoret", "fraværsmelding", "kan ikke leveres", "lest:"),
    "nl": ("automatisch antwoord", "afwezig:", "afwezigheidsbericht", "niet op kantoor", "onbestelbaar", "gelezen:"),
    "pl": ("automatyczna odpowiedź", "odpowiedź automatyczna", "poza biurem", "nie można dostarczyć", "niedostarczone", "przeczytano:"),
    "pt": ("resposta automática", "fora do escritório", "fora da empresa", "não é possível entregar", "não entregue", "lida:"),
    "ro": ("răspuns automat", "în afara biroului", "absent de la birou", "nelivrabil", "nu se poate livra"),
    "ru": (
        "автоматический ответ",
        "автоответ",
        "вне офиса",
        "не удается доставить",
        "недоставленное сообщение",
        "ваше сообщение не доставлено",
    ),
    "sk": ("automatická odpoveď", "mimo kancelárie", "nedoručiteľné", "nedá sa doručiť"),
    "sl": ("samodejni odgovor", "odsoten:", "ni mogoče dostaviti", "nedostavljivo"),
    "sr": ("аутоматски одговор", "automatski odgovor", "ван канцеларије", "не може да се испоручи"),
    "sv": ("automatiskt svar", "autosvar", "frånvaro:", "frånvarande:", "inte på kontoret", "kan inte levereras", "ej levererat", "läst:"),
    "th": ("ตอบกลับอัตโนมัติ", "การตอบกลับอัตโนมัติ", "ไม่อยู่ที่สำนักงาน", "ไม่สามารถส่ง"),
    "tr": ("otomatik yanıt", "otomatik cevap", "ofis dışında", "iş yeri dışında", "teslim edilemedi", "okundu:"),
    "uk": ("автоматична відповідь", "автовідповідь", "поза офісом", "не вдалося доставити", "недоставлене"),
    "vi": ("trả lời tự động", "thư trả lời tự động", "vắng mặt", "không thể gửi", "không gửi được"),
    "zh": ("自动回复", "自动答复", "自動回覆", "自動回复", "无法送达", "未送达", "無法傳遞", "已读:", "已讀:"),
}
"""The beginnings of machines' subjects, by language: absence, failure, receipt. A person's answer begins with `Re:`."""

_SUBJECTS: Final = tuple(normalised(subject) for known in SUBJECTS.values() for subject in known)
_SUBJECT_ENDS = ("(delivery failed)",)


def why_automatic(mail: Part, envelope_sender: str | None, own_address: str) -> str | None:
    """Return the reason to take a mail for a machine's, in a few words, or None for a person's mail.

    `envelope_sender` comes from the transport (`""` or `<>` is the null sender). None if it is not known.
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
    yield from (f"{_CALENDAR}; method={method}" for method in _methods(mail, 0) if method in _CALENDAR_METHODS)
    yield from (value for value in headers.every("content-class") if value.strip().lower().endswith(_EXCHANGE_CLASSES))
    submitted = [_keyword(value) for value in headers.every("auto-submitted")]
    # `no` says that a person wrote it (RFC 3834, 5.1)
    yield from (f"Auto-Submitted: {keyword[:40]}" for keyword in submitted if keyword not in ("", "no"))
    yield from (f"Precedence: {keyword}" for value in headers.every("precedence") if (keyword := _keyword(value)) in _BULK)
    yield from (name for name in headers.fields if name.startswith(_MACHINE_FIELDS))
    suppressed = " ".join(headers.every("x-auto-response-suppress")).lower().replace(",", " ").split()
    if not {"all", "oof", "autoreply"}.isdisjoint(suppressed):
        yield "x-auto-response-suppress"
    yield from (f"from {address[:80]}" for address in (*senders, envelope_sender or "") if is_machine(address))
    subject = normalised(headers.text("subject"))
    if subject.startswith(_SUBJECTS) or subject.endswith(_SUBJECT_ENDS):
        yield "automatic subject"


def _methods(part: Part, depth: int) -> Iterator[str]:
    """Yield the method of every calendar part (RFC 6047, 2.4). A calendar in an attached file is no part of the mail's text."""
    if part.media_type == _CALENDAR and not part.is_attachment:
        yield part.parameters.get("method", "").lower()
    # most mails need not be taken apart for this
    elif depth < CALENDAR_DEPTH and b"calendar" in part.body.lower():
        for child in islice(part.parts(), CALENDAR_PARTS):
            yield from _methods(child, depth + 1)


def _keyword(value: str) -> str:
    # without parameters and comments (RFC 3834, 5)
    return value.partition(";")[0].partition("(")[0].strip().lower()


def is_machine(address: str) -> bool:
    """Return whether an address looks by its name as if nobody read it, or as if it were a mailing list (RFC 3834, 2)."""
    box = address.rpartition("@")[0].lower()
    return bool(_MACHINE.fullmatch(box)) or box.startswith("owner-") or box.endswith(_LIST_ENDS)


def same_box(address: str, own_address: str) -> bool:
    """Return whether an address is ours, with or without a reply token after a `+`."""
    local, _, domain = address.lower().rpartition("@")
    own_local, _, own_domain = own_address.lower().rpartition("@")
    return domain == own_domain and local.partition("+")[0] == own_local.partition("+")[0]
