"""Find our own words in an answer. Mail programs change quotations, but the words still follow each other as in the mail that we sent."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise

from turnserver.mail.inbound.openings import LineKind
from turnserver.mail.outbound.language import languages

MAX_SENT = 262_144

_RUN = 4
_BREAKS = 3
"""The number of words of one run that may be broken. Each broken word costs a comparison."""

_STRETCH = 40
_STEP = 16
"""The largest number of words in a step."""
_WORD = re.compile(r"[^\W_]+")
_CONTINUED = re.compile(r"\n {5,}\| ")


def drop_sent(lines: Sequence[str], verdicts: list[LineKind], sent: Sequence[str]) -> None:
    """Mark lines as SENT if all of their words stand in runs of four words that we sent, across line breaks and quote marks.

    Lines that stand together are marked together, and only if all of them are ours. Steps that we offered for copying are kept, and so is a
    turn that we told of. From a run of more words than a turn has on, every line of ours is marked.
    """
    ours = {run for text in _within(sent, MAX_SENT) for run in _runs(_words(text))}
    if not ours:
        return
    known = {step for text in _within(sent, MAX_SENT) for step in (*_offered(text), *_told(text))}
    words: list[str] = []
    begin = 0
    spans: list[range] = []
    for line in lines:
        words.extend(_words(line))
        spans.append(range(begin, len(words)))
        begin = len(words)
    reached = _reached(words, {span.start for span in spans}, ours)
    covered = [all(reached[at] > at for at in span) for span in spans]
    steps = [all(tuple(_words(step)) in known for step in line.split(";")) for line in lines]
    for block in _blocks(lines, verdicts):
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
        if index == len(lines) or verdicts[index] is not LineKind.KEPT or not _words(lines[index]):
            if begin < index:
                yield range(begin, index)
            begin = index + 1


def _offered(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the steps of the examples and previews in a mail of ours. They stand behind `e.g.`, in any language, and behind `|`."""
    joined = _CONTINUED.sub(" ", text)
    for match in _offer().finditer(joined):
        for step in match[1].split(";"):
            yield tuple(_words(step))


@cache
def _offer() -> re.Pattern[str]:
    leads = "|".join(sorted(re.escape(one.template("e.g.", "", 1)) for one in languages().values()))
    return re.compile(rf"^ *(?:(?:{leads}):?|\|) +(.*)$", re.MULTILINE)


def _told(text: str) -> Iterator[tuple[str, ...]]:
    """Yield texts that may be steps of a turn told in a mail of ours, in any language: words before and behind each semicolon."""
    pieces = [_words(piece) for piece in text.split(";")]
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


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _runs(words: Sequence[str]) -> Iterable[str]:
    return map("".join, zip(*(words[offset:] for offset in range(_RUN)), strict=False))
