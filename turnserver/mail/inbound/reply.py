"""Find the lines in a mail's text that its sender wrote just now.

Mail programs put the answered mail above, below or around the answer. The answer is the text that remains after dropping quoted lines,
everything below a line that opens a quoted mail or a signature, and every word that we sent ourselves. In doubt a line is dropped: we ask
about a lost command, but nobody can take back a quoted one that was carried out. Time is linear in the length of the text.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise

from turnserver.mail.inbound.openings import (
    MARKS,
    LineKind,
    MailLine,
    attribution,
    is_quoted_below,
    may_open_mail,
    opening,
    opens_between_marks,
)
from turnserver.mail.outbound.language import languages

MAX_SENT = 262_144

_RUN = 4
_BREAKS = 3
"""The number of words of one run that may be broken. Each broken word costs a comparison."""

_STRETCH = 40
_STEP = 16
"""The largest number of words in a step."""
_WORD = re.compile(r"[^\W_]+")
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum())
_CONTINUED = re.compile(r"\n {5,}\| ")
_BETWEEN_STEPS = re.compile("[;()]")


def drop_sent(lines: Sequence[str], verdicts: list[LineKind], sent: Sequence[str]) -> None:
    """Mark lines as SENT if all of their words stand in runs of four words that we sent, across line breaks and quote marks.

    Lines that stand together are marked together, and only if all of them are ours. Steps that we offered for copying are kept, and so is a
    turn that we told of. From a run of more words than a turn has on, every line of ours is marked.
    """
    blocks = list(_blocks(lines, verdicts))
    # most answers are one line of new words, which is seen without taking our mail apart
    letters = [_letters(text) for text in _within(sent, MAX_SENT)] if blocks else []
    if not any(_may_be_ours(lines, block, letters) for block in blocks):
        return
    ours = {run for text in _within(sent, MAX_SENT) for run in _runs(words_of(text))}
    known = {step for text in _within(sent, MAX_SENT) for step in (*_offered(text), *_told(text))}
    words: list[str] = []
    begin = 0
    spans: list[range] = []
    for line in lines:
        words.extend(words_of(line))
        spans.append(range(begin, len(words)))
        begin = len(words)
    reached = _reached(words, {span.start for span in spans}, ours)
    covered = [all(reached[at] > at for at in span) for span in spans]
    # a semicolon may end the line, with the next step on another one
    steps = [all(step in known for step in map(tuple, map(words_of, line.split(";"))) if step) for line in lines]
    for block in blocks:
        rest = block.start
        # a mail program breaks long quoted lines, and the piece that it breaks off has no mark
        if block.start > 0 and verdicts[block.start - 1] is LineKind.QUOTED:
            while rest < block.stop and covered[rest] and reached[max(spans[rest].start - 1, 0)] > spans[rest].start:
                rest += 1
        # a turn may take several lines and must not lose one of them; what we offered or told of may be meant as a turn
        written = not all(covered[rest : block.stop]) or all(steps[rest : block.stop])
        end = rest if written else block.stop
        verdicts[block.start : end] = [LineKind.SENT] * (end - block.start)
        # forty words of ours in a row are our mail and no turn
        for index in range(_stretch(covered, spans, range(end, block.stop)), block.stop):
            if covered[index]:
                verdicts[index] = LineKind.SENT


def _may_be_ours(lines: Sequence[str], block: range, letters: Sequence[str]) -> bool:
    """Return whether any of a block of lines may have to be marked, given the letters of all words that we sent.

    A block of few words is marked only from its first line on, and so only if a run of ours begins near it.
    """
    if sum(len(words_of(lines[index])) for index in block) >= _STRETCH:
        return True
    above, here = list[str](), list[str]()
    for index in range(block.start - 1, -1, -1):
        if len(above) >= _RUN - 1:
            break
        above = words_of(lines[index]) + above
    for index in range(block.start, len(lines)):
        if len(here) >= _RUN:
            break
        here += words_of(lines[index])
    around = [*above[1 - _RUN :], *here[:_RUN]]
    # the letters of a run of ours stand in ours together, those of a part of it too, and so wherever a mail program broke its words
    return any(run in text for run in _runs(around) for text in letters)


def _stretch(covered: Sequence[bool], spans: Sequence[range], block: range) -> int:
    """Return the index in a block where the first long stretch of our words begins, or the end of the block."""
    begin = block.start
    for index in block:
        if not covered[index]:
            begin = index + 1
        elif spans[index].stop - spans[begin].start >= _STRETCH:
            return begin
    return block.stop


def _blocks(lines: Sequence[str], verdicts: Sequence[LineKind]) -> Iterator[range]:
    """Yield the ranges of kept lines that stand together, without an empty or a dropped one between them."""
    begin = 0
    for index in range(len(lines) + 1):
        if index == len(lines) or verdicts[index] is not LineKind.KEPT or not words_of(lines[index]):
            if begin < index:
                yield range(begin, index)
            begin = index + 1


def _offered(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the steps of the examples, previews and words on notation in a mail of ours.

    They stand behind `|`, behind a colon, and behind `e.g.`, in any language, where a line or a column begins.
    """
    joined = _CONTINUED.sub(" ", text)
    for match in _offer().finditer(joined):
        for step in _BETWEEN_STEPS.split(match[1]):
            yield tuple(words_of(step))


@cache
def _offer() -> re.Pattern[str]:
    leads = "|".join(sorted(re.escape(one.template("e.g.", "", 1)) for one in languages().values()))
    return re.compile(rf"^(?:(?:.*  )?(?:{leads}):?| *\||.*:) +(.*)$", re.MULTILINE)


def _told(text: str) -> Iterator[tuple[str, ...]]:
    """Yield texts that may be steps of a turn told in a mail of ours, in any language: words before and behind each semicolon."""
    pieces = [words_of(piece) for piece in text.split(";")]
    for piece, following in pairwise(pieces):
        yield from (tuple(piece[-length:]) for length in range(1, min(len(piece), _STEP) + 1))
        yield from (tuple(following[:length]) for length in range(1, min(len(following), _STEP) + 1))


def _reached(words: Sequence[str], line_starts: Container[int], ours: Container[str]) -> list[int]:
    """Return, for each word, the place where the farthest run of ours ends that begins at this word or above it.

    A word that belongs to such a run is reached beyond its own place.
    """
    # a mail program may have broken a line within a word, so only the letters of a run count, and it may have a word more for each line
    breaks = list(accumulate((at in line_starts for at in range(len(words))), initial=0))
    reached: list[int] = []
    farthest = 0
    for begin, run in enumerate(_runs(words)):
        if run in ours:
            farthest = begin + _RUN
        elif breaks[begin + _RUN] > breaks[begin + 1]:
            farthest = max(farthest, _broken_run(words, breaks, begin, ours))
        reached.append(farthest)
    return reached + [farthest] * (len(words) - len(reached))


def _broken_run(words: Sequence[str], breaks: Sequence[int], begin: int, ours: Container[str]) -> int:
    for end in range(begin + _RUN + 1, min(begin + _RUN + _BREAKS, len(words)) + 1):
        if end - begin - _RUN > breaks[end] - breaks[begin + 1]:
            break
        if "".join(words[begin:end]) in ours:
            return end
    return 0


def _within(texts: Sequence[str], budget: int) -> Iterator[str]:
    for text in texts:
        yield text[:budget]
        budget = max(0, budget - len(text))


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, without punctuation."""
    return _WORD.findall(text.casefold())


def _letters(text: str) -> str:
    """Return the letters of all words of a text."""
    # most of our mails are ASCII, where this takes a twentieth of the time
    return text.lower().encode().translate(None, _NO_LETTERS).decode() if text.isascii() else "".join(words_of(text))


def _runs(words: Sequence[str]) -> Iterable[str]:
    return map("".join, zip(*(words[offset:] for offset in range(_RUN)), strict=False))


MAX_TEXT = 65_536
MAX_LINES = 2_000

_QUOTED = re.compile(r"\w{0,4}[>\uff1e]|\|")
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), 127, 0x85, 0x2028, 0x2029), " ")
"""Only a line feed ends a line. Any other character that some program shows as a new line could smuggle a command out of a quoted one."""
_BLANK = "".join(
    map(
        chr, (0x9, 0x20, 0xA0, 0xAD, 0x1680, *range(0x2000, 0x2010), *range(0x202A, 0x2030), 0x205F, *range(0x2060, 0x206A), 0x3000, 0xFEFF)
    )
)
"""White space and invisible characters: a mark for the direction of writing may stand before the mark of a quotation."""
_OWN = re.compile(r"^[^\S\n]*+(?!\w{0,4}[>\uff1e]|\|)\S", re.MULTILINE)
_READABLE = frozenset({LineKind.KEPT, LineKind.QUOTED})
_CUTS = frozenset({LineKind.MARKER, LineKind.HEADERS, LineKind.SEPARATOR, LineKind.SIGNATURE})


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
        # the line above a signature ends in a space and does not flow (RFC 3676, 4.3)
        flows = unquoted.endswith(" ") and unquoted != "-- "
        piece = unquoted[:-1] if flows and delsp else unquoted
        if open_before and depth == depth_before and unquoted != "-- ":
            paragraphs[-1].append(piece)
        else:
            paragraphs.append([">" * depth + (" " if depth else "") + piece])
        depth_before, open_before = depth, flows
    return "\n".join(["".join(pieces) for pieces in paragraphs] + lines[MAX_LINES:])


def sift(text: str, sent: Iterable[str] = (), *, more: bool = False) -> tuple[MailLine, ...]:
    """Return every line of a mail's text with a verdict. `sent` are our texts that this mail may be quoting.

    The last line is BEYOND if the sender may have written something behind the lines that were read. This is so if there is `more`, or text
    beyond the limits that is not quoted, and no line before says that all the rest is not the sender's.
    """
    readable = text[:MAX_TEXT].replace("\r\n", "\n").translate(_CONTROL).split("\n")
    # the limit lies within this line, and half a line could be a command
    torn = readable.pop() if text[MAX_TEXT:].partition("\n")[0].strip() else ""
    beyond = "\n".join([*readable[MAX_LINES:], torn]) + text[MAX_TEXT:]
    lines = [line.strip(_BLANK) for line in readable[:MAX_LINES]]
    verdicts = [LineKind.QUOTED if line.startswith(">") or _QUOTED.match(line) else LineKind.KEPT for line in lines]
    _drop_armour(lines, verdicts)
    is_ended = _drop_attributions(lines, verdicts)
    is_ended = _cut(lines, verdicts) or is_ended
    drop_sent(lines, verdicts, tuple(sent))
    result = list(map(MailLine, lines, verdicts))
    if not is_ended and (more or _OWN.search(beyond)):
        result.append(MailLine("...", LineKind.BEYOND))
    return tuple(result)


def kept(lines: Iterable[MailLine]) -> tuple[str, ...]:
    """Return the sender's own lines. One empty line stands for all lines that were dropped between two of them."""
    result: list[str] = []
    for line in lines:
        if line.verdict is LineKind.KEPT and line.text:
            result.append(line.text)
        elif result and result[-1]:
            result.append("")
    return tuple(result[:-1] if result and not result[-1] else result)


def certain(lines: Sequence[MailLine]) -> tuple[str, ...]:
    """Return the sender's own lines above the first one at which another mail may begin."""
    own = [index for index, line in enumerate(lines) if line.verdict is LineKind.KEPT and line.text]
    first = own[0] if own else 0
    texts = [line.text for line in lines[first:]]
    seam = next((index for index in own if may_open_mail(texts, index - first)), len(lines))
    return kept(lines[:seam])


def _drop_armour(lines: list[str], verdicts: list[LineKind]) -> None:
    """Drop the opening of a PGP-signed text, and undo its escaped dashes (RFC 9580, 7.2). The text itself is the answer."""
    for index, line in enumerate(lines):
        if line == "-----BEGIN PGP SIGNED MESSAGE-----":
            verdicts[index] = LineKind.ATTRIBUTION
            for after in range(index + 1, min(index + 4, len(lines))):
                if not lines[after].startswith("Hash:"):
                    break
                verdicts[after] = LineKind.ATTRIBUTION
            lines[index + 1 :] = [after.removeprefix("- ") for after in lines[index + 1 :]]
            return


def _drop_attributions(lines: Sequence[str], verdicts: list[LineKind]) -> bool:
    """Drop lines such as `On Friday Ada wrote:`, and everything below one that no quoted line follows. Return whether there was one."""
    for index in range(len(lines)):
        if not lines[index] or verdicts[index] is not LineKind.KEPT or (begin := attribution(lines, verdicts, index)) is None:
            continue
        verdicts[begin : index + 1] = [LineKind.ATTRIBUTION] * (index + 1 - begin)
        # some programs quote without marks, so nobody can tell where the quotation ends
        if not is_quoted_below(lines, verdicts, index):
            _below(verdicts, index + 1)
            return True
    return False


def _cut(lines: Sequence[str], verdicts: list[LineKind]) -> bool:
    """Drop the first line that opens a quoted mail or a signature, and everything below it. Return whether there is one.

    The line that a telephone adds stands at the end of the answer. It stands above everything if the answer is below the quotation.
    """
    written = False
    for index, line in enumerate(lines):
        if MARKS in line and verdicts[index] in _READABLE and opens_between_marks(lines, verdicts, index):
            verdicts[index] = LineKind.SEPARATOR
            _below(verdicts, index + 1)
            return True
        if not line or verdicts[index] is not LineKind.KEPT:
            continue
        verdict = verdicts[index] = opening(lines, index)
        if verdict in _CUTS or (verdict is LineKind.DEVICE and written):
            _below(verdicts, index + 1)
            return True
        written = written or verdict is LineKind.KEPT
    return False


def _below(verdicts: list[LineKind], begin: int) -> None:
    for index in range(begin, len(verdicts)):
        if verdicts[index] is LineKind.KEPT:
            verdicts[index] = LineKind.BELOW
