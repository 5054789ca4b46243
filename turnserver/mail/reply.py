"""What in a mail's text its sender wrote just now, line by line.

Mail programs put the mail that is being answered above, below or around the answer. The answer is what is left after dropping quoted
lines, everything below a line that opens a quoted mail or a signature, and every word that we sent ourselves. When in doubt a line is
dropped: a lost command is asked about, a quoted one that is carried out cannot be taken back. Linear in the length of the text.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from turnserver.mail.marker import MARKER

MAX_TEXT = 65_536
MAX_LINES = 2_000
MAX_SENT = 262_144

_RUN = 4
_LOOK = 400
_QUOTED = re.compile(r"\w{0,4}[>\uff1e]|\|")
_MARKER_WORDS = " ".join(re.findall(r"[a-z]+", MARKER.casefold())[:4])
_WORD = re.compile(r"[^\W_]+")
_OFFER = re.compile(r"^ *(?:e\.g\.:?|\|) +(.*)$", re.MULTILINE)
_CONTINUED = re.compile(r"\n {5,}\| ")
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), 127, 0x85, 0x2028, 0x2029), " ")
"""Only a line feed ends a line: any other character that some program shows as a new line could smuggle a command out of a quoted one."""

_DATED_NAME = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2} (?=.{0,30}\d:\d\d.{0,100}[^\W\d]|.{0,100}<[^<>\s]{1,200}@)")
_ADDRESS_THEN_COLON = re.compile(r"<[^<>\s]{1,200}@[^<>\s]{1,200}>\s?:$")


class Verdict(StrEnum):
    """Why a line counts or does not."""

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


class Line(NamedTuple):
    """One line of a mail's text, and what was made of it."""

    text: str
    verdict: Verdict


_CUTS = frozenset({Verdict.MARKER, Verdict.HEADERS, Verdict.SEPARATOR, Verdict.SIGNATURE})


def unflow(text: str, *, delsp: bool) -> str:
    """Undo `format=flowed` (RFC 3676): lines that end in a space continue on the next one if it is quoted as deeply."""
    paragraphs: list[list[str]] = []
    depth_before, open_before = 0, False
    lines = text.split("\n", MAX_LINES)
    for line in lines[:MAX_LINES]:
        content = line.removesuffix("\r")
        unquoted = content.lstrip(">")
        depth = len(content) - len(unquoted)
        unquoted = unquoted.removeprefix(" ")
        flows = unquoted.endswith(" ") and unquoted != "-- "
        piece = unquoted[:-1] if flows and delsp else unquoted
        if open_before and depth == depth_before and unquoted != "-- ":
            paragraphs[-1].append(piece)
        else:
            paragraphs.append([">" * depth + (" " if depth else "") + piece])
        depth_before, open_before = depth, flows
    return "\n".join(["".join(pieces) for pieces in paragraphs] + lines[MAX_LINES:])


def sift(text: str, sent: Iterable[str] = ()) -> tuple[Line, ...]:
    """Every line of a mail's text with a verdict. `sent` is what we wrote in the mails that this one may be quoting."""
    readable = text[:MAX_TEXT].replace("\r\n", "\n").translate(_CONTROL).split("\n")
    lines = [line.strip() for line in readable[:MAX_LINES]]
    verdicts = [Verdict.QUOTED if _QUOTED.match(line) else Verdict.KEPT for line in lines]
    _drop_armour(lines, verdicts)
    _drop_attributions(lines, verdicts)
    _cut(lines, verdicts)
    _subtract(lines, verdicts, tuple(sent))
    result = [Line(*pair) for pair in zip(lines, verdicts, strict=True)]
    if len(readable) > MAX_LINES or len(text) > MAX_TEXT:
        result.append(Line("...", Verdict.BEYOND))
    return tuple(result)


def kept(lines: Iterable[Line]) -> tuple[str, ...]:
    """The sender's own lines. Whatever was dropped between two of them leaves one empty line."""
    result: list[str] = []
    for line in lines:
        if line.verdict is Verdict.KEPT and line.text:
            result.append(line.text)
        elif result and result[-1]:
            result.append("")
    return tuple(result[:-1] if result and not result[-1] else result)


def _drop_armour(lines: Sequence[str], verdicts: list[Verdict]) -> None:
    """The opening of a PGP-signed text is no separator: what it signs is the answer."""
    for index, line in enumerate(lines):
        if line == "-----BEGIN PGP SIGNED MESSAGE-----":
            verdicts[index] = Verdict.ATTRIBUTION
            for after in range(index + 1, min(index + 4, len(lines))):
                if not lines[after].startswith("Hash:"):
                    break
                verdicts[after] = Verdict.ATTRIBUTION
            return


def _drop_attributions(lines: Sequence[str], verdicts: list[Verdict]) -> None:
    """Lines such as `On Friday Ada wrote:`. If no quoted line follows, the quotation is unmarked and everything below is it."""
    for index, line in enumerate(lines):
        if verdicts[index] is not Verdict.KEPT or not (line.endswith((":", "\uff1a", ":*")) or _DATED_NAME.match(line)):
            continue
        begin = _attribution_begin(lines, index)
        text = " ".join(lines[begin : index + 1])[-_LOOK:]
        follower = next((after for after in range(index + 1, min(index + 4, len(lines))) if lines[after]), None)
        quoted = follower is not None and verdicts[follower] is Verdict.QUOTED
        if not _is_dated(text) or not (quoted or _has_verb(text) or _ADDRESS_THEN_COLON.search(text) or _DATED_NAME.match(text)):
            continue
        verdicts[begin : index + 1] = [Verdict.ATTRIBUTION] * (index + 1 - begin)
        if not quoted:
            _below(verdicts, index + 1)
            return


def _attribution_begin(lines: Sequence[str], end: int) -> int:
    """Where an attribution that a mail program wrapped begins: at most three lines up, at a line like `On 3 May ...`."""
    for index in range(end, max(end - 4, -1), -1):
        line = lines[index][:_LOOK]
        if _opens(line) and any(letter.isdigit() for letter in line):
            return index
        if not lines[index]:
            break
    return end


def _is_dated(text: str) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    return digits >= 4 or "@" in text or (digits > 0 and _opens(text))


def _opens(line: str) -> bool:
    return line.partition(" ")[0].casefold().rstrip(",") in _OPENERS


def _has_verb(text: str) -> bool:
    words = text.casefold()
    return any(verb in words for verb in _VERBS)


def _cut(lines: Sequence[str], verdicts: list[Verdict]) -> None:
    """Find the first line that opens a quoted mail or a signature; it and everything below do not count."""
    for index, line in enumerate(lines):
        if not line or verdicts[index] is not Verdict.KEPT:
            continue
        verdict = _opening(lines, index)
        verdicts[index] = verdict
        if verdict in _CUTS:
            _below(verdicts, index + 1)
            return


def _opening(lines: Sequence[str], index: int) -> Verdict:
    return next((verdict for verdict, opens in _OPENINGS if opens(lines, index)), Verdict.KEPT)


def _opens_with_marker(lines: Sequence[str], index: int) -> bool:
    return _MARKER_WORDS in " ".join(lines[index][:_LOOK].casefold().split())


def _opens_signature(lines: Sequence[str], index: int) -> bool:
    return lines[index] in _SIGNATURE_LINES


def _is_separator(lines: Sequence[str], index: int) -> bool:
    """A long rule, or words between dashes: `-----Original Message-----` in any language."""
    line = lines[index].strip("*_ ") or lines[index]
    if line[:5] in ("_____", "====="):
        return not line.strip("_=")
    return line.startswith("--") and line.endswith("--") and any(letter.isalpha() for letter in line[:_LOOK])


def _opens_header_block(lines: Sequence[str], index: int) -> bool:
    return _is_header(lines[index]) and sum(_is_header(line) for line in lines[index : index + 6]) >= 3


def _names_device(lines: Sequence[str], index: int) -> bool:
    return lines[index][:_LOOK].casefold().startswith(_DEVICE_LINES)


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


def _below(verdicts: list[Verdict], begin: int) -> None:
    for index in range(begin, len(verdicts)):
        if verdicts[index] is Verdict.KEPT:
            verdicts[index] = Verdict.BELOW


def _subtract(lines: Sequence[str], verdicts: list[Verdict], sent: Sequence[str]) -> None:
    """Drop lines all of whose words stand in runs of four that we sent, whatever the line breaks and quote marks did in between.

    What a mail program broke off the end of a quoted line goes by itself. Else what stands together goes together, since a turn may
    take several lines and must not lose one of them: only if all of it is ours. And what we offered for copying was copied.
    """
    ours = {run for text in _within(sent, MAX_SENT) for run in _runs(_words(text))}
    if not ours:
        return
    offered = {step for text in _within(sent, MAX_SENT) for step in _offered(text)}
    words: list[str] = []
    begin = 0
    spans: list[range] = []
    for line in lines:
        words.extend(_words(line))
        spans.append(range(begin, len(words)))
        begin = len(words)
    covered = [_is_covered(words, span, ours) for span in spans]
    copied = [all(tuple(_words(step)) in offered for step in line.split(";")) for line in lines]
    for block in _blocks(lines, verdicts):
        after_quoted = block.start > 0 and verdicts[block.start - 1] is Verdict.QUOTED
        rest = block.start
        while after_quoted and rest < block.stop and covered[rest] and _goes_on(words, spans[rest], ours):
            rest += 1
        written = not all(covered[rest : block.stop]) or all(copied[rest : block.stop])
        end = rest if written else block.stop
        verdicts[block.start : end] = [Verdict.SENT] * (end - block.start)


def _blocks(lines: Sequence[str], verdicts: Sequence[Verdict]) -> Iterator[range]:
    """Lines that were kept and stand together, without an empty or a dropped one between them."""
    begin = 0
    for index in range(len(lines) + 1):
        if index == len(lines) or verdicts[index] is not Verdict.KEPT or not _words(lines[index]):
            if begin < index:
                yield range(begin, index)
            begin = index + 1


def _offered(text: str) -> Iterator[tuple[str, ...]]:
    """The steps of the examples and previews in a mail of ours, which stand behind `e.g.` and `|`."""
    joined = _CONTINUED.sub(" ", text)
    for match in _OFFER.finditer(joined):
        for step in match[1].split(";"):
            yield tuple(_words(step))


def _goes_on(words: Sequence[str], span: range, ours: Container[tuple[str, ...]]) -> bool:
    """Whether one of our runs leads into the span."""
    return any(tuple(words[begin : begin + _RUN]) in ours for begin in range(max(0, span.start - _RUN + 1), span.start))


def _within(texts: Sequence[str], budget: int) -> Iterator[str]:
    """The texts up to so many characters in all."""
    for text in texts:
        yield text[:budget]
        budget = max(0, budget - len(text))


def _is_covered(words: Sequence[str], span: range, ours: Container[tuple[str, ...]]) -> bool:
    """Whether every word of the span stands in one of our runs, which may begin before the span and end after it."""
    covered = span.start
    for begin in range(max(0, span.start - _RUN + 1), span.stop):
        if begin > covered:
            return False
        if tuple(words[begin : begin + _RUN]) in ours:
            covered = begin + _RUN
    return covered >= span.stop


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _runs(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[offset:] for offset in range(_RUN)), strict=False)


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
    subject betreff objet asunto assunto oggetto onderwerp ämne emne temat тема aihe tárgy konu předmět 主题 主旨 件名 제목 reply-to
    """.split()
)

_DEVICE_LINES = (
    "sent from ",
    "sent via ",
    "sent with ",
    "get outlook for ",
    "von meinem ",
    "gesendet von ",
    "gesendet mit ",
    "diese nachricht wurde von meinem ",
    "envoyé de ",
    "envoyé depuis ",
    "envoyé à partir de ",
    "enviado desde ",
    "enviado do ",
    "inviato da ",
    "verzonden vanaf ",
    "skickat från ",
    "отправлено с ",
    "wysłane z ",
)
