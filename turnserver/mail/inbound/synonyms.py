"""Commands in other languages. Before a line is read, it is translated to English, and for answers back again."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple
from unicodedata import normalize

from turnserver.mail.outbound.language import Language, languages
from turnserver.text import UMLAUTS

_EDGES: Final = "*_~'\" "
_HEAD: Final = re.compile(r"([^\s:]+)(?:([*_~]*:[*_~]*)\s*|\s+|$)(.*)", re.DOTALL)
_LIKENESS: Final = 0.8
_LINE_LIKENESS: Final = 0.9
_LENGTHS: Final = range(3, 15)
_LONGEST_LINE: Final = 40
_FREE: Final = "as"
"""The word behind which words of the writer's own begin, that are not translated: `set public as Blue Fox`."""

_NAMING: Final = frozenset({"challenge", "direct", "substitute"})
"""The commands that name players. Any word may be a name, such as Day in German, so their readers translate what is none."""


@dataclass(frozen=True, slots=True)
class Wordbook:
    """The English for a language's commands: whole `lines`, first `words`, and `arguments`, the words after those.

    Keys are in lower case. First words in `marked` count only before a colon: a sentence may begin with them.
    """

    language: Language
    lines: Mapping[str, str]
    words: Mapping[str, str]
    marked: Mapping[str, str]
    arguments: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, language: Language) -> "Wordbook":
        """Return the wordbook of a language. A first word that is written with a colon is marked."""
        bare = {english: tuple(word for word in words if not word.endswith(":")) for english, words in language.words.items()}
        marked = {english: tuple(word[:-1] for word in words if word.endswith(":")) for english, words in language.words.items()}
        arguments = {command: _turned(meanings) for command, meanings in language.arguments.items()}
        return cls(language, _turned(language.lines), _turned(bare), _turned(marked), MappingProxyType(arguments))

    def in_english(self, text: str) -> str | None:
        """Return a line, given without decoration, as the same command in English. None if it is no command of this language."""
        whole = self.lines.get(_folded(text))
        if whole is not None:
            return whole
        head, colon, rest = _parted(text)
        command = self.words.get(head) or (self.marked.get(head) if colon else None)
        return None if command is None else self._translated(command, colon, rest)

    def nearly(self, text: str) -> tuple[str, bool] | None:
        """Guess the English of a line that is no command. None if nothing is like it.

        The second value says whether the first word is a command that lacks only its colon.
        """
        head, colon, rest = _parted(text)
        if head in self.marked:
            return self._translated(self.marked[head], colon, rest), True
        if len(text) <= _LONGEST_LINE and (whole := _closest(_folded(text), tuple(self.lines), _LINE_LIKENESS)):
            return self.lines[whole], False
        known = {**self.marked, **self.words}
        close = alike(head, known)
        return None if close is None else (self._translated(known[close], colon, rest), False)

    def argument_like(self, command: str, word: str) -> str | None:
        """Return the English for the argument of a command of which `word` is a misspelling, or None."""
        meanings = self.arguments.get(command, {})
        close = alike(_folded(word), meanings)
        return None if close is None else meanings[close]

    def argument(self, command: str, english: str) -> str:
        """Return an English argument of a command as it is written in this language, or as it is if the language has no word for it."""
        return self.language.arguments.get(command, {}).get(english, (english,))[0]

    def in_words(self, english: str) -> str:
        """Return an English command in this language. Return any other text as it is."""
        command, space, rest = english.partition(" ")
        words = self.language.words.get(command)
        if not words:
            return english
        arguments = {} if command in _NAMING else self.language.arguments.get(command, {})
        meanings = {meaning: spelled[0] for meaning, spelled in arguments.items()}
        told = " ".join(_meanings(rest.split(" "), meanings))
        return f"{words[0]}{space}{told}" if rest else words[0].removesuffix(":")

    def argument_in_english(self, command: str, argument: str) -> str:
        """Return the argument of a command, with English words in place of this language's."""
        meanings = self.arguments.get(command, {})
        return " ".join(_meanings(argument.split(" "), meanings)) if meanings else argument

    def _translated(self, command: str, colon: bool, rest: str) -> str:  # noqa: FBT001  # whether one stood there
        told = rest if command in _NAMING else self.argument_in_english(command, rest)
        return f"{command}{':' if colon else ''}{' ' if told else ''}{told}"


class Meaning(NamedTuple):
    """A line in English, and the wordbook of its language. `book` is None if the line was left as it is.

    If `sure`, the first word is a command of that language, and not just similar to one.
    """

    text: str
    book: Wordbook | None = None
    sure: bool = True


class Synonyms(NamedTuple):
    """The commands of all languages. If several languages could read a line, the first one does."""

    books: tuple[Wordbook, ...]

    def read(self, text: str) -> Meaning:
        """Translate a line, given without decoration, to English. A line that is no command of another language stays as it is."""
        for book in self.books:
            english = book.in_english(text)
            if english is not None:
                return Meaning(english, book)
        return Meaning(text)

    def nearly(self, text: str) -> Meaning | None:
        """Guess the English of a line that begins nearly like a command of another language. None if none is like it."""
        for book in self.books:
            found = book.nearly(text)
            if found is not None:
                return Meaning(found[0], book, found[1])
        return None

    def argument_like(self, command: str, word: str) -> str | None:
        """Return the English for the argument of a command of which `word`, in another language, is a misspelling; else None."""
        return next((found for book in self.books if (found := book.argument_like(command, word))), None)

    def in_words(self, language: str | None, english: str) -> str:
        """Return an English command in the language with this key, or as it is if there is no such language."""
        return next((book.in_words(english) for book in self.books if book.language.key == language), english)

    def in_english(self, command: str, argument: str) -> str:
        """Return the argument of a command, with English words in place of other languages' words.

        They are welcome behind an English command too.
        """
        for book in self.books:
            argument = book.argument_in_english(command, argument)
        return argument

    def argument(self, command: str, english: str) -> frozenset[str]:
        """Return the words of all languages that mean this English argument of a command, in lower case. The English word is among them."""
        return frozenset({english, *(word for book in self.books for word, it in book.arguments.get(command, {}).items() if it == english)})

    def first_words(self, command: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the first words of all languages for a command, English among them: those that stand alone, those that need a colon."""
        bare = {command, *(word for book in self.books for word, english in book.words.items() if english == command)}
        return frozenset(bare), frozenset(word for book in self.books for word, english in book.marked.items() if english == command)


@cache
def synonyms() -> Synonyms:
    """Return the commands of all languages."""
    return Synonyms(tuple(Wordbook.of(one) for one in languages().values() if one.words))


def any_of(words: Iterable[str]) -> str:
    """Return the pattern of any of these words. The longest stands first, or the beginning of a word would be found in place of it."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def alike(word: str, known: Collection[str]) -> str | None:
    """Return the known word of which `word` is a misspelling, with letters swapped or one or two of them wrong. None if there is none."""
    if len(word) not in _LENGTHS:
        return None
    swapped = (one for one in known if one[0] == word[0] and sorted(one) == sorted(word))
    return next(swapped, None) or _closest(word, tuple(known), _LIKENESS)


# a mail repeats its words, and an attack its lines
@lru_cache(maxsize=4_096)
def _closest(word: str, known: tuple[str, ...], likeness: float) -> str | None:
    # most are too long or too short; `difflib` would find that out too, but it takes ten times as long
    size = len(word)
    near = [one for one in known if 2.0 * min(size, len(one)) / (size + len(one)) >= likeness]
    return next(iter(get_close_matches(word, near, 1, likeness)), None)


def _turned(meanings: Mapping[str, tuple[str, ...]]) -> Mapping[str, str]:
    return MappingProxyType({spelled: english for english, words in meanings.items() for word in words for spelled in _spellings(word)})


def _spellings(word: str) -> Iterator[str]:
    yield _folded(word)
    # people without umlauts on their keyboard write ae for ä
    yield _folded(word).translate(UMLAUTS)


def _folded(text: str) -> str:
    return normalize("NFC", text).casefold()


def _parted(text: str) -> tuple[str, bool, str]:
    """Split a text into its first word in lower case and without decoration, whether a colon follows it, and the rest."""
    found = _HEAD.fullmatch(text)
    return (_folded(found[1]).strip(_EDGES), bool(found[2]), found[3]) if found else ("", False, text)


def _meanings(words: Sequence[str], meanings: Mapping[str, str]) -> Iterator[str]:
    for at, word in enumerate(words):
        meaning = _meaning(word, meanings)
        yield meaning
        if _FREE in (word, meaning):
            yield from words[at + 1 :]
            return


def _meaning(word: str, meanings: Mapping[str, str]) -> str:
    # both the name and the value of `sammelmail=aus` may be words of another language
    name, equals, value = word.partition("=")
    return f"{_known(name, meanings)}{equals}{_known(value, meanings)}"


def _known(word: str, meanings: Mapping[str, str]) -> str:
    bare = word.strip("(:,;.)")
    found = meanings.get(bare) or meanings.get(_folded(bare))
    return word if found is None else word.replace(bare, found, 1)
