"""The languages that mails are written in, and commands may be.

A language is a directory `templates/languages/<key>/`, the key being that of BCP 47. `language.toml` has its name, the line at the top of
our mails, and the commands as its speakers write them; `*.po` are gettext catalogues of everything that is said; `rules/<game>.md` are rule
sheets. What is missing there is said in English, in which the code is written and which needs no catalogue. Catalogues are read as they
are: adding a language, or mending a sentence, is editing a file.
"""

import gettext
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from types import MappingProxyType
from typing import Final

import msgspec
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from turnserver import resources
from turnserver.mail.format.marker import MARKER
from turnserver.text import AnyT, Sentence, Words, retold

ENGLISH: Final = "en"
_FILE: Final = "language.toml"


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language, a `turnserver.text.Tongue`.

    `name` is what its speakers call it, `names` what else it may be called, `marker` the line at the top of our mails. The other fields say
    how its speakers write commands: for each English one, what they have for the whole line (`lines`), for its first word whatever comes
    then (`words`), for words behind that one (`arguments`). `assent` are the words that a mere yes is made of.
    """

    key: str
    name: str
    names: tuple[str, ...] = ()
    marker: str = MARKER
    lines: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    words: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    arguments: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    assent: tuple[str, ...] = ()

    def template(self, template: str, plural: str, number: int) -> str:
        """See `Tongue`."""
        found = _catalogue(self.key)
        return found.ngettext(template, plural, number) if plural else found.gettext(template)

    def say(self, template: str, plural: str = "", /, **values: str | int) -> str:
        """A sentence of a template of ours, in this language."""
        return self.told(Sentence(template, plural, **values))

    def told(self, thing: AnyT) -> AnyT:
        """A value with every sentence in it in this language; see `turnserver.text.retold`."""
        return thing if self.key == ENGLISH and not isinstance(thing, Words) else retold(thing, self)

    def rules(self, game: str) -> str | None:
        """The rule sheet of a game in Markdown, None if there is none in this language."""
        path = resources.languages_dir() / self.key / "rules" / f"{game}.md"
        return path.read_text(encoding="utf-8") if path.is_file() else None


@cache
def languages() -> Mapping[str, Language]:
    """Every language there is by its key, English first."""
    files = sorted(resources.languages_dir().glob(f"*/{_FILE}"))
    others = (msgspec.toml.decode(path.read_bytes(), type=Language) for path in files)
    return MappingProxyType({ENGLISH: Language(ENGLISH, "English"), **{one.key: one for one in others}})


def language(key: str) -> Language:
    """The language of that key, English if there is none."""
    return languages().get(key) or languages()[ENGLISH]


def named(text: str) -> Language | None:
    """The language that somebody calls by its key or by one of its names."""
    word = text.strip().casefold()
    return next((one for one in languages().values() if word in (one.key, *(name.casefold() for name in (one.name, *one.names)))), None)


@cache
def _catalogue(key: str) -> gettext.NullTranslations:
    """All catalogues of a language as one."""
    found = gettext.NullTranslations()
    for path in sorted((resources.languages_dir() / key).glob("*.po")):
        compiled = BytesIO()
        with path.open("rb") as file:
            write_mo(compiled, read_po(file, locale=key.replace("-", "_")))
        compiled.seek(0)
        one = gettext.GNUTranslations(compiled)
        one.add_fallback(found)
        found = one
    return found
