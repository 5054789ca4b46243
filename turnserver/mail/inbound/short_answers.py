"""Read a mere yes or no, the answer of somebody who was asked one thing: `ok`, `ja gerne`, `No, thanks!`."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import dropwhile, takewhile
from typing import Final, NamedTuple

from turnserver.mail.inbound.one_line import MAX_LINE, notes, tells, tidy
from turnserver.mail.inbound.synonyms import any_of
from turnserver.mail.outbound.language import languages

_WORD: Final = re.compile(r"[^\W_]+")
_THUMBS: Final = str.maketrans({"\U0001f44d": " yes ", "\U0001f44e": " no "})
_MOST_WORDS: Final = 3
"""A line right below the answer with more words than a signature has may take it back. A greeting has no more words of a name."""

_GREETINGS: Final = ("hi", "hi there", "hello", "hello there", "good morning", "good afternoon", "good evening")

_YES: Final = frozenset({"i am fine with", "im fine with"}) | frozenset(
    "yes yep yeah yup y ok okay k sure agreed agree gladly absolutely definitely certainly course alright fine looks sounds lets love "
    "confirm confirmed accepted go count do send submit right correct deal".split()
)
_NO: Final = frozenset("no nope nah n not never dont wont cant".split())
_BESIDE: Final = frozenset({"i am", "i will", "this time"}) | frozenset(
    "a ahead all and by can game good great i id ill im in is it like me move my now of perfect play please pleasure rather so sorry thank "
    "thanks that the then this to turn us very we well with you".split()
)

_JOINING: Final = frozenset(
    {"ready", "im in", "i am in", "im here", "i am here", "im there", "i am there", "ill play", "i will play", "ill be there"}
)

_TERMS: Final = frozenset(
    "but if only when unless until once after before except provided however though maybe perhaps possibly probably later tomorrow soon "
    "wait hold hang kidding joking joke guess think thought unsure instead or hm hmm oops stop cancel actually".split()
)

# Their words would make a yes: whoever is fine may be fine without, and a verb before its subject asks.
_NO_YES: Final = frozenset(
    "i am fine,im fine,i am alright,im alright,i am all right,im all right,i am ok,im ok,i am okay,im okay,"
    "can i,can it,can that,can this,can we,can you,do i,do we,do you,is it,is that,is this".split(",")
)
_ASKING: Final = frozenset({"is my", "is the"})

_COURTESY: Final = frozenset({"i am", "see you soon", "see you later", "see you tomorrow"}) | frozenset(
    "all best by cheers do i im is it kind many me now of please regards so sorry thank thanks that this very wishes you yours".split()
)


class _Tables(NamedTuple):
    """The words of all languages that mean yes, those that mean no, those that may stand beside either, and those that set terms.

    `joining` are those that mean yes to somebody who asks whether the writer will play, such as "I'm in". `asking` ask where they begin
    a line. `courtesy` are those that may stand beside a yes that cannot be taken back, or below it.
    """

    yes: frozenset[str]
    no: frozenset[str]
    beside: frozenset[str]
    terms: frozenset[str]
    joining: frozenset[str]
    asking: frozenset[str]
    courtesy: frozenset[str]


def short_answer(lines: Iterable[str], beside: Collection[str] = (), *, joins: bool = False, final: bool = False) -> bool | None:
    """Return whether some lines are a mere yes (True) or no (False). None for anything that says more, asks, or could be both.

    Every word of the first line has to be known, or to be one that the question allows `beside` its answer. A question that `joins`
    asks whether the writer will play. Lines right below the first may only be as short as a signature; what stands below an empty line is
    conversation, and from a `say` or `note` on all is for the others, or for the writer. To a `final` question, whose yes cannot be taken
    back, a yes is one only alone, or with thanks, a greeting or a name.
    """
    paragraph = list(takewhile(lambda line: line and not (tells(line) or notes(line)), dropwhile(lambda line: not line, lines)))
    if not paragraph or any("?" in line for line in paragraph):
        return None
    known = _tables()
    joining = known.joining if joins else frozenset[str]()
    words = _words(paragraph[0], joining)
    if any(len(_words(line)) > _MOST_WORDS or (known.yes | known.no | known.terms) & _words(line) for line in paragraph[1:]):
        return None
    if not words <= known.yes | known.no | joining | known.beside.union(beside):
        return None
    no = bool(words & known.no)
    # "nicht dabei" is a no: a word that may stand beside either is a yes only without one
    yes = bool(words & (known.yes | (joining - known.beside if no else joining)))
    if yes and final and not (words <= known.yes | known.courtesy and all(map(_signs, paragraph[1:]))):
        return None
    return None if yes == no else yes


def less_greeting(lines: Iterable[str]) -> Sequence[str]:
    """Return the lines from the first one on that has text, without a greeting: `Hallo Jürgen,`.

    For where a yes that was none can be undone: people greet before they chat, too.
    """
    below = list(dropwhile(lambda line: not line, lines))
    return below[1:] if below and _greets(below[0]) else below


def _greets(line: str) -> bool:
    """Return whether a line is a greeting, perhaps with a name behind it. It is none if it may say on what terms the answer holds."""
    found, known = _greeting().fullmatch(line[:MAX_LINE]), _tables()
    if found is None or (known.yes | known.no) & _words(found["name"]):
        return False
    return all(word[0].isupper() for word in found["name"].split())


def _signs(line: str) -> bool:
    """Return whether a line below an answer is a courtesy, one name, or both: `LG Ada`."""
    names = _words(line) - _tables().courtesy
    return len(names) <= 1 and names.isdisjoint(_WORD.findall(line))  # a name is not written as small as the words are here


@cache
def _greeting() -> re.Pattern[str]:
    words = any_of((*_GREETINGS, *(words for one in languages().values() for words in one.greetings)))
    return re.compile(rf"(?:{words})(?P<name>(?: [^\W\d_][\w.'-]*){{0,{_MOST_WORDS}}}) ?[,.!]?", re.IGNORECASE)


def _words(line: str, joining: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the words of a line. Several that mean something only together, such as `na klar`, are one of them."""
    text = " ".join(_WORD.findall(tidy(line[:MAX_LINE].translate(_THUMBS)).replace("'", "").casefold()))
    known = _tables()
    found = _together(known.yes | known.beside | known.terms | known.courtesy | joining, known.asking)
    return frozenset(one.replace("_", " ") for one in found.sub(lambda words: words[0].replace(" ", "_"), text).split())


@cache
def _together(words: frozenset[str], first: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\A(?:{_any_of_several(first)})\b|\b(?:{_any_of_several(words)})\b")


def _any_of_several(words: frozenset[str]) -> str:
    return "|".join(sorted((one for one in words if " " in one), key=len, reverse=True))


@cache
def _tables() -> _Tables:
    others = languages().values()
    return _Tables(
        _all(_YES, (one.yes for one in others)),
        _all(_NO, (one.no for one in others)),
        _all(_BESIDE, (one.beside for one in others)),
        _all(_TERMS | _NO_YES, (one.terms for one in others)),
        _all(_JOINING, (one.joining for one in others)),
        _all(_ASKING, (one.asking for one in others)),
        _all(_COURTESY, (one.courtesy for one in others)),
    )


def _all(english: frozenset[str], theirs: Iterable[Iterable[str]]) -> frozenset[str]:
    """All words, written as `_words` returns them: "außer" is "ausser" there."""
    return frozenset(word.casefold() for word in english.union(*theirs))
