"""Every language says everything, with everything that stands in it, and commands that are read."""

import re
from string import Formatter

import pytest

from tests.cases import for_each
from tests.mail.outbound.languages.catalogues import LANGUAGES, brought_up, catalogue, parts
from turnserver.games import CATALOGUE
from turnserver.mail.inbound.synonyms import any_of, synonyms

OTHERS = sorted(path.parent.name for path in LANGUAGES.glob("*/language.toml"))
EVERY_PART = [(language, path.stem) for language in OTHERS for path in sorted((LANGUAGES / language).glob("*.po"))]
each_part = for_each(("language", "part"), EVERY_PART, ids=[f"{language}-{part}" for language, part in EVERY_PART])


@pytest.mark.parametrize("language", OTHERS)
def test_there_is_a_catalogue_of_every_part(language: str) -> None:
    assert {part for of, part in EVERY_PART if of == language} == set(parts())


@pytest.mark.parametrize("language", OTHERS)
def test_the_rules_of_every_game_are_told(language: str) -> None:
    assert {path.stem for path in (LANGUAGES / language / "rules").glob("*.md")} == set(CATALOGUE)


@each_part
def test_it_stands_as_make_docs_writes_it(language: str, part: str) -> None:
    assert (LANGUAGES / language / f"{part}.po").read_text(encoding="utf-8") == brought_up(language, part)


@each_part
def test_nothing_is_left_to_translate(language: str, part: str) -> None:
    said, known = parts()[part], catalogue(language, part)
    missing = [text for text in said if text not in known or not all(_strings(known[text].string))]
    assert missing == []
    assert [one.id for one in known if one.id and _text(one.id) not in said] == []


@each_part
def test_whatever_stands_in_a_sentence_stands_in_its_translation(language: str, part: str) -> None:
    known = [(_text(one.id), text) for one in catalogue(language, part) for text in _strings(one.string) if one.id]
    assert [text for text, translated in known if _places(text) != _places(translated)] == []


@each_part
def test_no_translation_says_a_thing_twice(language: str, part: str) -> None:
    said = {text: re.findall(r"[^.;:!?]{25,}", text) for one in catalogue(language, part) if one.id for text in _strings(one.string)}
    assert [text for text, clauses in said.items() if len(clauses) > len(set(clauses))] == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_said_twice_is_said_alike(language: str) -> None:
    said: dict[str, set[object]] = {}
    for part in parts():
        for one in catalogue(language, part):
            said.setdefault(_text(one.id), set()).add(one.string)
    assert [text for text, strings in said.items() if text and len(strings) > 1] == []


@each_part
def test_a_command_in_a_sentence_does_not_read_as_a_word_of_it(language: str, part: str) -> None:
    """What to write is told by an imperative: `schreib nochmal` would be "write again" in German, and is quoted."""
    book = next(one for one in synonyms().books if one.language.key == language)
    words = any_of({*book.words, *book.marked, *book.language.yes})
    bare = re.compile(rf"\b([Ss]chreib|[Aa]ntworte),? (?:{words})\b")
    assert [text for one in catalogue(language, part) for text in _strings(one.string) if bare.search(text)] == []


def _strings(string: object) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string)  # type: ignore[arg-type]  # babel has a tuple for plurals


def _text(identifier: object) -> str:
    return _strings(identifier)[0] if identifier else ""


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
