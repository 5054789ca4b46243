"""Text that mail programs put around the sender's words: attributions, separators, copied headers and signatures.

Their shape is the same in all languages (see below). The words find those that lack this shape. Every function takes the lines of a
mail, stripped, and looks at a few of them only.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from typing import Final
from unicodedata import category

import msgspec

from turnserver.mail.inbound.synonyms import synonyms
from turnserver.mail.outbound.language import languages

LOOK: Final = 400
"""The number of characters of a line that are looked at."""

_MARKUP: Final = "*_ \t\xa0"
_COLONS: Final = (":", "\uff1a")
_ADDRESS: Final = re.compile(r"\S@\[?[\w-]{1,63}(?:[.:]\w|\])")
_YEAR: Final = re.compile(r"(?<![\d.])\d{4}(?!\d)")
_TIME: Final = re.compile(r"(?<!\d)\d{1,2}(?:[:.h\u6642\u65f6]|\uc2dc ?)\d\d(?!\d)")
_NUMERIC_DATE: Final = re.compile(r"(?<!\d)(?:\d{4}[-/.] ?\d{1,2}[-/.] ?\d{1,2}|\d{1,2}[-/.] ?\d{1,2}[-/.] ?\d{2}(?:\d\d)?)(?!\d)")
_FIELD: Final = re.compile(r"([^\W\d_][^\d:\uff1a<>@|;]{0,30}?)[*_ \xa0]*[:\uff1a](?!//)")
_NAMES: Final = re.compile(r"[^\W\d_] ?[:\uff1a](?!//)")
_MOST_WORDS: Final = 4
_FIELDS: Final = 3
_BLOCK: Final = 6
_FURTHEST: Final = 12
_SURELY: Final = 4


class _Seen(dict[int, int | None]):
    def __missing__(self, code: int) -> int | None:
        # an invisible character; each is looked up once, and a mail cannot fill the memory
        seen = None if category(chr(code)) == "Cf" else code
        if len(self) < _REMEMBERED:
            self[code] = seen
        return seen


_REMEMBERED: Final = 4_096
_SEEN: Final = _Seen()


def bare(line: str) -> str:
    """Return the beginning of a line without decoration and without invisible characters, such as marks for the direction of writing."""
    seen = line[:LOOK]
    return (seen if seen.isascii() else seen.translate(_SEEN)).strip(_MARKUP)


def ends_with_colon(line: str) -> bool:
    """Return whether a line, as `bare` returns it, ends with a colon."""
    return line.endswith(_COLONS)


def has_address(text: str) -> bool:
    """Return whether a mail address stands in the text."""
    return _ADDRESS.search(text) is not None


def has_date(text: str) -> bool:
    """Return whether a whole date stands in the text: in digits, or as a year together with a time of day."""
    return _NUMERIC_DATE.search(text) is not None or has_moment(text)


def has_moment(text: str) -> bool:
    """Return whether a time of day stands in the text, together with a year or with a day in digits."""
    without = _NUMERIC_DATE.sub(" 2000 ", text)
    return _YEAR.search(without) is not None and _TIME.search(without) is not None


def field_name(line: str) -> str | None:
    """Return the name in `Subject: Take 17`, in any language and in lower case.

    None if the line, as `bare` returns it, has no such name, or begins like a command.
    """
    found = _FIELD.match(line) if ":" in line or "\uff1a" in line else None
    if found is None or len(found[1].split()) > _MOST_WORDS:
        return None
    name = found[1].casefold()
    return name if is_no_command(name) else None


def is_no_command(line: str) -> bool:
    """Return whether the first word of a line begins no command in any language."""
    return line.casefold().partition(" ")[0].rstrip(":\uff1a*_") not in _commands()


def opens_block(lines: Sequence[str], index: int) -> bool:
    """Return whether the lines from here on look like the head of a mail: names with a colon, and among their values an address and a date.

    The first line is one of the names. Four names and a date with a time are enough: programs leave addresses out where they know a name.
    """
    block = [line for line in map(bare, lines[index : index + _FURTHEST]) if line][:_BLOCK]
    named = [at for at, line in enumerate(block) if field_name(line) is not None]
    if len(named) < _FIELDS:
        return False
    text = "\n".join(block[: named[-1] + 1])
    return (has_address(text) and has_date(text)) or (len(named) >= _SURELY and has_moment(text))


def is_line_of_fields(lines: Sequence[str]) -> bool:
    """Return whether the first line, perhaps wrapped, is a whole block of header fields: `From: ... Date: ... To: ...`."""
    first = bare(lines[0])
    if len(_NAMES.findall(first)) < _FIELDS - 1:
        return False
    text = " ".join(map(bare, lines))
    return len(_NAMES.findall(text)) >= _FIELDS and has_date(text) and (has_address(text) or has_moment(text))


@cache
def _commands() -> frozenset[str]:
    # people write a colon behind these words too, so a line of them is no header field
    words = (word for book in synonyms().books for pair in (*book.words.items(), *book.marked.items()) for word in pair)
    return frozenset({"say", "note", "set", "key", *words})


class LineKind(StrEnum):
    """The reason why a line counts, or does not."""

    KEPT = "kept"
    QUOTED = "quoted"
    SENT = "our own words"
    MARKER = "marker"
    ATTRIBUTION = "attribution"
    HEADERS = "quoted headers"
    SEPARATOR = "separator"
    SIGNATURE = "signature"
    DEVICE = "device"
    BELOW = "below the cut"
    BEYOND = "beyond the size limit"


class MailLine(msgspec.Struct, frozen=True):
    """One line of a mail's text, and the verdict on it."""

    text: str
    verdict: LineKind


_DATED_NAME = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2} (?=.{0,30}\d:\d\d.{0,100}[^\W\d]|.{0,100}<[^<>\s]{1,200}@)")
_YEAR_AND_TIME = re.compile(r"(?=.{0,60}(?<!\d)\d{4}(?!\d)).{0,60}(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
_BANNER = re.compile(r"-{4,}[^\n]{3,80}?-{4,}")
MARKS = ">>>"
"""Stands around the line that GroupWise puts above a quotation."""
_RULES = "-_=\u2013\u2014"
_RULE = 5
_SHORT_RULE = 3
_WRAPPED = 60
"""The least number of characters in a line, together with the first word below it, at which a mail program would have wrapped the line."""


def attribution(lines: Sequence[str], verdicts: Sequence[LineKind], index: int) -> int | None:
    """Return the index where an attribution, such as `On Friday Ada wrote:`, begins that ends at this line.

    None if no attribution ends here.
    """
    line = lines[index]
    if _ends_attribution(line):
        begin = _begin(lines, index)
        text = " ".join(lines[begin : index + 1])[-LOOK:]
        if (has_address(text) or has_moment(text)) and is_no_command(bare(text)):
            return begin
        if _is_dated(text) and (_has_verb(text) or is_quoted_below(lines, verdicts, index)):
            return begin
    if _DATED_NAME.match(line) or (_opens(line) and _YEAR_AND_TIME.match(line) and not _is_continued(lines, index)):
        return index
    return None


def is_quoted_below(lines: Sequence[str], verdicts: Sequence[LineKind], index: int) -> bool:
    """Return whether the next line with text is quoted."""
    follower = next((after for after in range(index + 1, min(index + 4, len(lines))) if lines[after]), None)
    return follower is not None and verdicts[follower] is LineKind.QUOTED


def _ends_attribution(line: str) -> bool:
    return ends_with_colon(bare(line[-LOOK:])) or line[-LOOK:].casefold().endswith(_VERBS)


def _begin(lines: Sequence[str], end: int) -> int:
    """Return the index where an attribution begins that a mail program wrapped: at most three lines up.

    It begins at a line like `On 3 May ...`. Failing that, it begins where the lines together hold a date and an address, if each line above
    was long enough to be wrapped.
    """
    for index in range(end, max(end - 4, -1), -1):
        line = lines[index][:LOOK]
        if _opens(line) and any(letter.isdigit() for letter in line):
            return index
        if not lines[index]:
            break
    moment = None
    for index in range(end, max(end - 4, -1), -1):
        text = " ".join(lines[index : end + 1])[-LOOK:]
        if has_address(text) and has_date(text):
            return index
        if moment is None and has_moment(text):
            moment = index
        if index == 0 or len(lines[index - 1]) + len(lines[index].partition(" ")[0]) < _WRAPPED:
            break
    return end if moment is None else moment


def _is_continued(lines: Sequence[str], begin: int) -> bool:
    for line in lines[begin + 1 : begin + 4]:
        if not line:
            return False
        if ends_with_colon(bare(line[-LOOK:])):
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


def opening(lines: Sequence[str], index: int) -> LineKind:
    """Return the kind of text that begins at this line: KEPT if none does."""
    return next((verdict for verdict, opens in _OPENINGS if opens(lines, index)), LineKind.KEPT)


def _opens_with_marker(lines: Sequence[str], index: int) -> bool:
    line = " ".join(lines[index][:LOOK].casefold().split())
    return any(words in line for words in _marker_words())


@cache
def _marker_words() -> tuple[str, ...]:
    # four words tell this line from any other, also where a mail program has broken the line behind them
    return tuple(" ".join(re.findall(r"[^\W\d_]+", one.marker.casefold())[:4]) for one in languages().values())


def _opens_signature(lines: Sequence[str], index: int) -> bool:
    return lines[index] in _SIGNATURE_LINES


def _is_separator(lines: Sequence[str], index: int) -> bool:
    """Return whether the line is a long rule, or words between dashes: `-----Original Message-----` in any language."""
    line = lines[index].strip("*_ ") or lines[index]
    if not line.strip(_RULES):
        return len(line) >= _RULE or line.startswith("__")
    if line.startswith("--") and line.endswith("--") and any(letter.isalpha() for letter in line[:LOOK]):
        return True
    banner = _BANNER.match(line)
    return banner is not None and any(letter.isalpha() for letter in banner[0])


def may_open_mail(lines: Sequence[str], index: int) -> bool:
    """Return whether another mail may begin at a line like an attribution, a copied header or a separator. It need not be sure.

    At the top of a mail, a line that ends with a colon is a salutation.
    """
    line = bare(lines[index])
    if not line:
        return len(lines[index]) >= _SHORT_RULE
    if field_name(line) is not None and any(field_name(bare(below)) is not None for below in lines[index + 1 : index + 3]):
        return True
    if ends_with_colon(line):
        return is_no_command(line) and (index > 0 or has_address(line) or has_date(line) or _has_verb(line))
    if line.casefold().endswith(_VERBS) or line.endswith(MARKS) or (line.startswith("--") and line != "-->"):
        return True
    if len(line) >= _SHORT_RULE and not line.strip(_RULES + " #~+"):
        return True
    return is_no_command(line) and (has_address(line) or has_moment(line))


def heads_mail(line: str) -> bool:
    """Return whether a line alone looks like an attribution: by its end and what it names, or by an address together with a time."""
    text = bare(line)
    if ends_with_colon(text):
        return is_no_command(text) and (has_address(text) or has_date(text) or _has_verb(text))
    return text.casefold().endswith(_VERBS) or text.endswith(MARKS) or (has_address(text) and has_moment(text))


def opens_between_marks(lines: Sequence[str], verdicts: Sequence[LineKind], index: int) -> bool:
    """Return whether an unmarked quotation follows a line of GroupWise: `>>> Ada <ada@example.org> 5/6/2025 7:02 PM >>>`."""
    line = lines[index]
    if line == MARKS or not line.startswith(MARKS):
        return line.endswith(MARKS) and any(above.startswith(MARKS) for above in lines[max(index - 2, 0) : index])
    named = line[len(MARKS) :]
    if line.endswith(MARKS):
        return any(letter.isalnum() for letter in line[:LOOK])
    return _ends_attribution(named) and (has_address(named) or has_moment(named[-LOOK:])) and not is_quoted_below(lines, verdicts, index)


def _opens_header_block(lines: Sequence[str], index: int) -> bool:
    if field_name(bare(lines[index])) is None:
        return False
    if opens_block(lines, index) or is_line_of_fields(lines[index : index + 3]):
        return True
    return _is_header(lines[index]) and sum(_is_header(line) for line in lines[index : index + 6]) >= 3


def _names_device(lines: Sequence[str], index: int) -> bool:
    line = lines[index][:LOOK].casefold()
    return line.startswith(_DEVICE_LINES) or line.endswith(_DEVICE_ENDS)


_OPENINGS: tuple[tuple[LineKind, Callable[[Sequence[str], int], bool]], ...] = (
    (LineKind.MARKER, _opens_with_marker),
    (LineKind.SIGNATURE, _opens_signature),
    (LineKind.SEPARATOR, _is_separator),
    (LineKind.HEADERS, _opens_header_block),
    (LineKind.DEVICE, _names_device),
)


def _is_header(line: str) -> bool:
    name = field_name(bare(line))
    return name is not None and "".join(name.split()) in _HEADER_WORDS


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
