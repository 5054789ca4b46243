"""Recognise mail that no person wrote just now. It is never carried out and never answered (RFC 3834).

Some signs are sure. Others stand in mails of people too: a gateway adds a `List-` field, Exchange rewrites the envelope's sender, somebody
begins a subject with `Auto:`. Each of those says how much else must speak for a person (`Evidence`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from itertools import islice
from typing import Final, NamedTuple
from unicodedata import category, normalize

from turnserver.addresses import same_box
from turnserver.mail.format.mime import Part, addresses


class Evidence(IntEnum):
    """The evidence that a person wrote a mail although it bears a sign of a machine, the strongest first. A later kind needs less."""

    # no evidence is enough: the sign is sure
    NONE = 0
    # it answers a mail of ours from the player's own address, and has a move: an automatic answer may well say `accept`
    MOVE = 1
    # likewise, with any command
    COMMAND = 2
    # it comes from a player's own address
    AUTHOR = 3


class Sign(NamedTuple):
    """A sign of a machine in a mail, in a few words, and what shows that a person wrote the mail all the same."""

    reason: str
    overruled_by: Evidence


LOOP_HEADER = "X-Loop"
"""The name of the field with our own address that every mail of ours carries."""


def normalised(subject: str) -> str:
    """Return a subject in the form for comparing: in one Unicode form and case, without marks of direction and doubled blanks."""
    plain = subject if subject.isascii() else "".join(char for char in normalize("NFKC", subject) if category(char) != "Cf")
    return " ".join(plain.casefold().split())


_BULK = {"bulk": Evidence.MOVE, "list": Evidence.COMMAND, "junk": Evidence.NONE, "auto_reply": Evidence.NONE}
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
_CALENDAR_METHODS = {
    # somebody plans a meeting, and writes to us in the same mail
    "request": Evidence.MOVE,
    **dict.fromkeys(("reply", "counter", "declinecounter", "cancel", "refresh", "add"), Evidence.NONE),
}
_EXCHANGE_CLASSES = ("calendarmessage", "dsn", "mdn", "recallmessage")
"""The ends of Content-Class values that Outlook or Exchange writes for its user."""

_LIST_FIELD = "list-"
_MACHINE_FIELDS = (
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
_PROGRAM = re.compile(r"mailer[-_]?daemon|double-bounce|auto[-_.]?reply|autoresponder")
"""Senders in an envelope that are programs, whoever is named in the mail."""
_REWRITTEN = re.compile(r"(?:^|[-_.+=])srs[01]?[-+=]")
"""The mark of a sender that a forwarding server has written into an envelope in place of another one (SRS): `bounces+SRS=Vx3kT=AB`."""
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


def sign_of_machine(mail: Part, envelope_sender: str | None, own_address: str) -> Sign | None:
    """Return the surest sign that a mail is a machine's, or None for a person's mail.

    `envelope_sender` comes from the transport (`""` or `<>` is the null sender). None if it is not known.
    """
    return min(_signs(mail, envelope_sender, own_address.lower()), key=lambda sign: sign.overruled_by, default=None)


def _signs(mail: Part, envelope_sender: str | None, own_address: str) -> Iterator[Sign]:
    yield from (Sign(reason, Evidence.NONE) for reason in _sure(mail, envelope_sender, own_address))
    headers = mail.headers
    yield from (Sign(f"{_CALENDAR}; method={method}", needed) for method, needed in _known(_CALENDAR_METHODS, _methods(mail, 0)))
    precedence = map(_keyword, headers.every("precedence"))
    yield from (Sign(f"Precedence: {keyword}", needed) for keyword, needed in _known(_BULK, precedence))
    yield from (Sign(name, Evidence.COMMAND) for name in headers.fields if name.startswith(_LIST_FIELD))
    # it asks others not to answer by themselves, and some servers write it into all mail
    suppressed = " ".join(headers.every("x-auto-response-suppress")).lower().replace(",", " ").split()
    if not {"all", "oof", "autoreply"}.isdisjoint(suppressed):
        yield Sign("x-auto-response-suppress", Evidence.COMMAND)
    subject = normalised(headers.text("subject"))
    if subject.startswith(_SUBJECTS) or subject.endswith(_SUBJECT_ENDS):
        # programs repeat the subject of ours that they answer, with its mark
        yield Sign("automatic subject", Evidence.NONE if "[" in subject else Evidence.MOVE)
    if envelope_sender and is_machine(envelope_sender) and not _REWRITTEN.search(_box(envelope_sender)):
        program = _PROGRAM.search(_box(envelope_sender))
        # servers of providers send the mail of people under addresses of their own, to which it can come back
        yield Sign(f"from {envelope_sender[:80]}", Evidence.NONE if program else Evidence.AUTHOR)


def _sure(mail: Part, envelope_sender: str | None, own_address: str) -> Iterator[str]:
    headers = mail.headers
    senders = addresses(headers.every("from"))
    loops = [value.strip().lower() for value in headers.every(LOOP_HEADER.lower())]
    if own_address and (own_address in loops or any(same_box(address, own_address) for address in senders)):
        yield "our own mail"
    if envelope_sender in ("", "<>") or any(path.strip() == "<>" for path in headers.every("return-path")):
        yield "null sender"
    if mail.media_type in _REPORTS:
        yield mail.media_type
    yield from (value for value in headers.every("content-class") if value.strip().lower().endswith(_EXCHANGE_CLASSES))
    submitted = [_keyword(value) for value in headers.every("auto-submitted")]
    # `no` says that a person wrote it (RFC 3834, 5.1)
    yield from (f"Auto-Submitted: {keyword[:40]}" for keyword in submitted if keyword not in ("", "no"))
    # the field for Exchange has the same beginning, and is no such sign
    yield from (name for name in headers.fields if name.startswith(_MACHINE_FIELDS) and name != "x-auto-response-suppress")
    yield from (f"from {address[:80]}" for address in senders if is_machine(address))


def _known(signs: Mapping[str, Evidence], found: Iterable[str]) -> Iterator[tuple[str, Evidence]]:
    return ((one, signs[one]) for one in found if one in signs)


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
    box = _box(address)
    return bool(_MACHINE.fullmatch(box)) or box.startswith("owner-") or box.endswith(_LIST_ENDS)


def _box(address: str) -> str:
    return address.rpartition("@")[0].lower()
