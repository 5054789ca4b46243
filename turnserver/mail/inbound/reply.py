"""Find the lines in a mail's text that its sender wrote just now.

Mail programs put the answered mail above, below or around the answer. The answer is the text that remains after dropping quoted lines,
everything below a line that opens a quoted mail or a signature, and every word that we sent ourselves. In doubt a line is dropped: we ask
about a lost command, but nobody can take back a quoted one that was carried out. Time is linear in the length of the text.
"""

import re
from collections.abc import Iterable, Sequence

from turnserver.mail.inbound.openings import LineKind, MailLine, attribution, is_quoted_below, may_open_mail, opening, opens_between_marks
from turnserver.mail.inbound.sent_words import drop_sent

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
    verdicts = [LineKind.QUOTED if _QUOTED.match(line) else LineKind.KEPT for line in lines]
    _drop_armour(lines, verdicts)
    is_ended = _drop_attributions(lines, verdicts)
    is_ended = _cut(lines, verdicts) or is_ended
    drop_sent(lines, verdicts, tuple(sent))
    result = [MailLine(*pair) for pair in zip(lines, verdicts, strict=True)]
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
        if verdicts[index] is not LineKind.KEPT or (begin := attribution(lines, verdicts, index)) is None:
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
        if verdicts[index] in _READABLE and opens_between_marks(lines, verdicts, index):
            verdicts[index] = LineKind.SEPARATOR
            _below(verdicts, index + 1)
            return True
        if not line or verdicts[index] is not LineKind.KEPT:
            continue
        verdict = verdicts[index] = opening(lines, index)
        # the line that a telephone adds stands above everything if the answer is below the quotation
        if verdict in _CUTS or (verdict is LineKind.DEVICE and written):
            _below(verdicts, index + 1)
            return True
        written = written or verdict is LineKind.KEPT
    return False


def _below(verdicts: list[LineKind], begin: int) -> None:
    for index in range(begin, len(verdicts)):
        if verdicts[index] is LineKind.KEPT:
            verdicts[index] = LineKind.BELOW
