"""How mail programs begin what is not the writer's own: attributions, separators, copied headers and signatures, in many languages.

Every function takes the lines of a mail, stripped, and looks at a few of them only.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from turnserver.mail.language import languages
from turnserver.mail.verdict import Verdict

_LOOK = 400
_DATED_NAME = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2} (?=.{0,30}\d:\d\d.{0,100}[^\W\d]|.{0,100}<[^<>\s]{1,200}@)")
_ADDRESS_THEN_COLON = re.compile(r"<[^<>\s]{1,200}@[^<>\s]{1,200}>\s?:$")
_YEAR_AND_TIME = re.compile(r"(?=.{0,60}(?<!\d)\d{4}(?!\d)).{0,60}(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
_COLONS = (":", "\uff1a", ":*")
_RULES = "-_=\u2013\u2014"
_RULE = 5


def attribution(lines: Sequence[str], verdicts: Sequence[Verdict], index: int) -> int | None:
    """Where the attribution begins that ends at this line, such as `On Friday Ada wrote:`; None if none does."""
    line = lines[index]
    named = line.endswith(_COLONS) or line[-_LOOK:].casefold().endswith(_VERBS)
    if named:
        begin = _begin(lines, index)
        text = " ".join(lines[begin : index + 1])[-_LOOK:]
        if _is_dated(text) and (_has_verb(text) or _ADDRESS_THEN_COLON.search(text) or is_quoted_below(lines, verdicts, index)):
            return begin
    if _DATED_NAME.match(line) or (_opens(line) and _YEAR_AND_TIME.match(line) and not _is_continued(lines, index)):
        return index
    return None


def is_quoted_below(lines: Sequence[str], verdicts: Sequence[Verdict], index: int) -> bool:
    """Whether the next line with text is a quoted one."""
    follower = next((after for after in range(index + 1, min(index + 4, len(lines))) if lines[after]), None)
    return follower is not None and verdicts[follower] is Verdict.QUOTED


def _begin(lines: Sequence[str], end: int) -> int:
    """Where an attribution that a mail program wrapped begins: at most three lines up, at a line like `On 3 May ...`."""
    for index in range(end, max(end - 4, -1), -1):
        line = lines[index][:_LOOK]
        if _opens(line) and any(letter.isdigit() for letter in line):
            return index
        if not lines[index]:
            break
    return end


def _is_continued(lines: Sequence[str], begin: int) -> bool:
    """Whether an attribution that begins here may end on one of the next lines."""
    for line in lines[begin + 1 : begin + 4]:
        if not line:
            return False
        if line.endswith(_COLONS):
            return True
    return False


def _is_dated(text: str) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    return digits >= 4 or "@" in text or (digits > 0 and _opens(text))


def _opens(line: str) -> bool:
    return line.partition(" ")[0].casefold().rstrip(",") in _OPENERS


def _has_verb(text: str) -> bool:
    words = text.casefold()
    return any(verb in words for verb in _VERBS)


def opening(lines: Sequence[str], index: int) -> Verdict:
    """What begins at this line: KEPT if nothing does."""
    return next((verdict for verdict, opens in _OPENINGS if opens(lines, index)), Verdict.KEPT)


def _opens_with_marker(lines: Sequence[str], index: int) -> bool:
    line = " ".join(lines[index][:_LOOK].casefold().split())
    return any(words in line for words in _marker_words())


@cache
def _marker_words() -> tuple[str, ...]:
    """What our line begins with, in each language: enough of it to be told from anything else."""
    return tuple(" ".join(re.findall(r"[^\W\d_]+", one.marker.casefold())[:4]) for one in languages().values())


def _opens_signature(lines: Sequence[str], index: int) -> bool:
    return lines[index] in _SIGNATURE_LINES


def _is_separator(lines: Sequence[str], index: int) -> bool:
    """A long rule, or words between dashes: `-----Original Message-----` in any language."""
    line = lines[index].strip("*_ ") or lines[index]
    if not line.strip(_RULES):
        return len(line) >= _RULE or line.startswith("__")
    return line.startswith("--") and line.endswith("--") and any(letter.isalpha() for letter in line[:_LOOK])


def _opens_header_block(lines: Sequence[str], index: int) -> bool:
    return _is_header(lines[index]) and sum(_is_header(line) for line in lines[index : index + 6]) >= 3


def _names_device(lines: Sequence[str], index: int) -> bool:
    line = lines[index][:_LOOK].casefold()
    return line.startswith(_DEVICE_LINES) or line.endswith(_DEVICE_ENDS)


_OPENINGS: tuple[tuple[Verdict, Callable[[Sequence[str], int], bool]], ...] = (
    (Verdict.MARKER, _opens_with_marker),
    (Verdict.SIGNATURE, _opens_signature),
    (Verdict.SEPARATOR, _is_separator),
    (Verdict.HEADERS, _opens_header_block),
    (Verdict.DEVICE, _names_device),
)


def _is_header(line: str) -> bool:
    name, colon, _ = line[:40].replace("\uff1a", ":").partition(":")
    return bool(colon) and name.strip(" *_\xa0").casefold() in _HEADER_WORDS


_SIGNATURE_LINES = frozenset({"--", "\u2014", "\u2013"})

_OPENERS = frozenset({"on", "am", "le", "el", "il", "op", "em", "den", "dnia", "w", "dne", "pe", "på", "на", "в", "от", "vào", "pada"})

_VERBS = (
    "wrote",
    "writes",
    "schrieb",
    "écrit",
    "escribió",
    "escribio",
    "scritto",
    "schreef",
    "geschreven",
    "escreveu",
    "skrev",
    "kirjoitti",
    "napisa",
    "pisze",
    "пише",
    "писал",
    "написа",
    "napsal",
    "írta",
    "scris",
    "yazdı",
    "έγραψε",
    "viết",
    "menulis",
    "写道",
    "寫道",
    "作成",
    "書きました",
    "작성",
    "forwarded message",
)

_HEADER_WORDS = frozenset(
    """
    from von de da van från fra od от від lähettäjä feladó kimden expéditeur remitente mittente absender 发件人 寄件者 差出人 보낸사람
    sent gesendet date datum data fecha envoyé enviado enviada inviato verzonden skickat sendt wysłano дата отправлено надіслано
    lähetetty dato tarih päivämäärä 发送时间 寄件日期 送信日時 日期 日付 보낸날짜
    to an à para a aan till til do кому vastaanottaja címzett kime destinatario 收件人 宛先 받는사람 cc kopie copie
    subject betreff objet sujet asunto assunto oggetto onderwerp ämne emne temat тема aihe tárgy konu předmět 主题 主旨 件名 제목 reply-to
    """.split()
)

_DEVICE_LINES = (
    "sent from ",
    "sent via ",
    "sent with ",
    "sent using ",
    "get outlook for ",
    "gesendet von ",
    "gesendet mit ",
    "diese nachricht wurde von mein",
    "holen sie sich outlook",
    "envoyé de ",
    "envoyé depuis ",
    "envoyé à partir de ",
    "obtenez outlook ",
    "télécharger outlook ",
    "enviado desde ",
    "enviado do ",
    "enviado con ",
    "obtener outlook ",
    "inviato da",
    "inviato con ",
    "scarica outlook ",
    "verzonden vanaf ",
    "verstuurd vanaf ",
    "outlook voor ",
    "skickat från ",
    "hämta outlook ",
    "sendt fra ",
    "lähetetty ",
    "отправлено с ",
    "отправлено из ",
    "надіслано з ",
    "wysłane z ",
    "wysłano z ",
    "pobierz outlook ",
    "odesláno z ",
    "从我的",
    "發自我的",
    "发自我的",
)
_DEVICE_ENDS = (" gesendet", " gesendet.", "から送信", "에서 보냄")
