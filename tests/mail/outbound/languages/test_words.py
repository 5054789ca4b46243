"""Sentences that remember how they were made, and the languages in which they are told."""

import copy
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import pytest

from tests.cases import for_each
from turnserver import resources
from turnserver.mail.outbound import language
from turnserver.mail.outbound.language import ENGLISH, Instant, Language, named
from turnserver.text import Moment, Sentence, Words, joined, listing, pack, retold, say, unpack, with_texts


class Backwards:
    """A language that has its words for some templates, and knows one thing from two and two from more."""

    key = "back"

    TEMPLATES = MappingProxyType(
        {
            "{square} is empty.": "Nothing is on {square}.",
            "{some} or {last}": "{last}, else {some}",
            "{some} and {last}": "{last} with {some}",
            "{who} has {what}": "{what}: {who}",
            "red": "rot",
            "blue": "blau",
        }
    )

    def template(self, template: str, plural: str, number: int) -> str:
        if plural == "{n} stones":
            return {1: "one only ({n})", 2: "a pair ({n})"}.get(number, "lots ({n})")
        return self.TEMPLATES.get(template) or (plural if plural and number != 1 else template)


BACKWARDS = Backwards()


class Told(NamedTuple):
    """A text, what it is in English, and what it is told as."""

    text: str
    english: str
    told: str


SENTENCES = {
    "no places": Told(say("red"), "red", "rot"),
    "a place": Told(say("{square} is empty.", square="c6"), "c6 is empty.", "Nothing is on c6."),
    "a sentence in a sentence": Told(say("{square} is empty.", square=say("red")), "red is empty.", "Nothing is on rot."),
    "plain text in a sentence": Told(say("{square} is empty.", square="red"), "red is empty.", "Nothing is on red."),
    "what nobody has translated": Told(say("the {colour} one", colour=say("blue")), "the blue one", "the blau one"),
    "one": Told(say("{n} stone", "{n} stones", n=1), "1 stone", "one only (1)"),
    "two": Told(say("{n} stone", "{n} stones", n=2), "2 stones", "a pair (2)"),
    "none": Told(say("{n} stone", "{n} stones", n=0), "0 stones", "lots (0)"),
    "a number that nobody has translated": Told(say("{n} tile", "{n} tiles", n=4), "4 tiles", "4 tiles"),
    "a number that is no plural": Told(say("turn {turn}", turn=3), "turn 3", "turn 3"),
    "braces": Told(say("{who} has {what}", who="{what}", what="{{"), "{what} has {{", "{{: {what}"),
    "braces of ours": Told(say("{{{square}}}", square=say("red")), "{red}", "{rot}"),
    "this or that": Told(listing([say("red"), say("blue")]), "red or blue", "blau, else rot"),
    "this, that and more": Told(listing([say("red"), "c6", say("blue")], "and"), "red, c6 and blue", "blau with rot, c6"),
    "plain things": Told(listing(["a", "b", "c"]), "a, b or c", "c, else a, b"),
    "a single one": Told(listing([say("red")]), "red", "rot"),
    "joined": Told(joined("\n", [say("red"), "c6", say("blue")]), "red\nc6\nblue", "rot\nc6\nblau"),
    "joined by braces": Told(joined("{}", [say("red"), "{p0}"]), "red{}{p0}", "rot{}{p0}"),
    "joined by nothing": Told(joined("", ["<", say("red"), ">"]), "<red>", "<rot>"),
    "joined sentences in a sentence": Told(
        say("{who} has {what}", who="Ada", what=joined("+", [say("red"), say("{n} stone", "{n} stones", n=2)])),
        "Ada has red+2 stones",
        "rot+a pair (2): Ada",
    ),
}
every_sentence = for_each("case", SENTENCES.values(), ids=SENTENCES)


@every_sentence
def test_a_sentence_is_its_english_text(case: Told) -> None:
    assert case.text == case.english
    assert hash(case.text) == hash(case.english)
    assert {case.english: 1}[case.text] == 1
    assert type(str(case.text)) is str


@every_sentence
def test_a_sentence_is_told_in_another_language(case: Told) -> None:
    told = retold(case.text, BACKWARDS)
    assert told == case.told
    assert type(told) is str


def unpickled(text: str) -> object:
    return pickle.loads(pickle.dumps(text))  # noqa: S301  # written in this line


def sent(text: str) -> object:
    return unpack(msgspec.json.decode(msgspec.json.encode(pack(text))))


@every_sentence
@for_each("again", [copy.copy, copy.deepcopy, unpickled, sent])
def test_a_sentence_that_was_away_is_told_as_before(case: Told, again: Callable[[str], str]) -> None:
    back = again(case.text)
    assert back == case.english
    assert retold(back, BACKWARDS) == case.told


def test_plain_text_stays_plain() -> None:
    assert type(joined(", ", ["a", "b"])) is str
    assert type(listing(["a"])) is str
    assert pack("a {b}") == "a {b}"
    assert unpack("a {b}") == "a {b}"
    assert retold("red", BACKWARDS) == "red"
    assert joined(", ", []) == ""


def test_words_of_another_kind_are_packed_as_what_they_are_in_english() -> None:
    morning = Instant(datetime(2026, 11, 24, 8, tzinfo=UTC), say("EEEE"))
    assert pack(morning) == "Tuesday"
    assert type(pack(morning)) is str
    assert pack(say("{square} is empty.", square=morning)) == {"say": ["{square} is empty.", ""], "values": {"square": "Tuesday"}}


EIGHT = Moment("2026-11-24T08:00:15+00:00")


@for_each("again", [copy.copy, copy.deepcopy, unpickled, sent])
def test_a_moment_in_a_sentence_is_told_by_the_clock_of_its_reader(again: Callable[[str], str]) -> None:
    what = listing([EIGHT, say("red"), Moment("2026-11-24T08:00:00.900000+00:00")], "and")
    back = again(say("{who} has {what}", who="ada", what=what))
    assert back == "ada has 2026-11-24 08:00:15 UTC, red and 2026-11-24 08:00:00 UTC"
    there = language.by_clock(back, "Asia/Tokyo")
    assert there == "ada has Tue 24 Nov, 17:00:15 (Asia/Tokyo), red and Tue 24 Nov, 17:00 (Asia/Tokyo)"
    german = "ada has Di. 24.11., 17:00:15 Uhr (Asia/Tokyo), rot und Di. 24.11., 17:00 Uhr (Asia/Tokyo)"
    assert language.language("de").told(there).replace("\N{NO-BREAK SPACE}", " ") == german
    assert language.by_clock(again(EIGHT), "Europe/Berlin") == "Tue 24 Nov, 09:00:15 (Europe/Berlin)"
    assert retold(again(EIGHT), BACKWARDS) == EIGHT
    assert language.by_clock("plain", "UTC") == "plain"


def test_a_place_needs_a_value() -> None:
    with pytest.raises(KeyError, match="square"):
        say("{square} is empty.")
    with pytest.raises(ValueError, match="not enough values"):
        listing([])


def test_what_is_cut_out_is_a_plain_string() -> None:
    assert [type(text) for text in (say("red").upper(), say("red")[:2], say("red") + "!", f"{say('red')}")] == [str] * 4


@for_each(
    ("text", "english", "told"),
    [
        ("red", "RED", "RED"),
        (say("red"), "red", "rot"),
        (say("{who} has {what}", who="ada", what=say("red")), "ADA has red", "rot: ADA"),
        (say("{who} has {what}", who="ada", what=say("{square} is empty.", square="c6")), "ADA has C6 is empty.", "Nothing is on C6.: ADA"),
        (say("{n} stone", "{n} stones", n=2), "2 stones", "a pair (2)"),
        (listing(["a", say("red")]), "A or red", "rot, else A"),
    ],
)
def test_texts_within_a_sentence_are_changed_and_not_what_we_say(text: str, english: str, told: str) -> None:
    changed = with_texts(text, str.upper)
    assert changed == english
    assert retold(changed, BACKWARDS) == told


@dataclass(frozen=True)
class Leaf:
    word: str
    count: int = 3


@dataclass(frozen=True, slots=True)
class Branch:
    leaf: Leaf | None
    words: tuple[str, ...]
    by_name: dict[str, str]


class Pair(NamedTuple):
    left: str
    right: object


@for_each(
    ("thing", "told"),
    [
        (Leaf(say("red")), Leaf("rot")),
        (Branch(Leaf(say("red")), (say("blue"), "c6"), {"red": say("red")}), Branch(Leaf("rot"), ("blau", "c6"), {"red": "rot"})),
        (Branch(None, (), {}), Branch(None, (), {})),
        (Pair(say("red"), [say("blue"), 1]), Pair("rot", ["blau", 1])),
        ([Pair("red", None), (say("red"),)], [Pair("red", None), ("rot",)]),
        (MappingProxyType({say("red"): say("red")}), {"red": "rot"}),
        (17, 17),
        (None, None),
        (Leaf, Leaf),
        (b"red", b"red"),
    ],
)
def test_sentences_are_found_wherever_they_are(thing: Any, told: Any) -> None:
    found = retold(thing, BACKWARDS)
    assert found == told
    assert type(found) is type(told)


HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {plurals};\\n"\n\n'
POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"


@pytest.fixture
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Language]:
    """A language in two catalogues, which have not everything, beside two empty ones."""
    files = {
        "pl/language.toml": 'key = "pl"\nname = "Polski"\nnames = ["Polish", "Język Polski"]\n',
        "pl/stones.po": (
            f"{HEADER.format(plurals=POLISH)}"
            'msgid "{n} stone"\nmsgid_plural "{n} stones"\nmsgstr[0] "{n} kamień"\nmsgstr[1] "{n} kamienie"\nmsgstr[2] "{n} kamieni"\n\n'
            'msgid "{n} tile"\nmsgid_plural "{n} tiles"\nmsgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""\n'
        ),
        "pl/words.po": (
            f"{HEADER.format(plurals=POLISH)}"
            'msgid "red"\nmsgstr "czerwony"\n\nmsgid "blue"\nmsgstr ""\n\nmsgid "EEEE d MMMM y"\nmsgstr "EEEE, d MMMM y"\n'
        ),
        "pl/rules/take.md": "# Reguły\n",
        "pt-BR/language.toml": 'key = "pt-BR"\nname = "Nothing either"\n',
        "sw/language.toml": 'key = "sw"\nname = "Nothing"\n',
        "README.md": "Not a language.\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(resources, "languages_dir", lambda: tmp_path)
    _forget()
    yield language.language("pl")
    _forget()


def _forget() -> None:
    """Have the languages read anew."""
    language.languages.cache_clear()
    language._catalogue.cache_clear()  # there is no other way to have catalogues of a test read


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (say("red"), "czerwony"),
        (say("blue"), "blue"),
        (say("green"), "green"),
        (say("{n} stone", "{n} stones", n=1), "1 kamień"),
        (say("{n} stone", "{n} stones", n=3), "3 kamienie"),
        (say("{n} stone", "{n} stones", n=5), "5 kamieni"),
        (say("{n} stone", "{n} stones", n=12), "12 kamieni"),
        (say("{n} stone", "{n} stones", n=22), "22 kamienie"),
        (say("{n} tile", "{n} tiles", n=1), "1 tile"),
        (say("{n} tile", "{n} tiles", n=5), "5 tiles"),
        (say("{n} head", "{n} heads", n=1), "1 head"),
        (say("{n} head", "{n} heads", n=5), "5 heads"),
        (listing([say("red"), say("blue")]), "czerwony or blue"),
    ],
)
def test_what_a_language_lacks_is_said_in_english(polish: Language, text: str, told: str) -> None:
    assert polish.told(text) == told
    assert language.language("sw").told(text) == text
    if isinstance(text, Sentence):
        assert polish.say(text.template, text.plural, **text.values) == told


def test_languages_are_found_by_key_and_by_every_name(polish: Language) -> None:
    assert list(language.languages()) == [ENGLISH, "pl", "pt-BR", "sw"]
    assert [named(text) for text in ("pl", " PL ", "polski", "POLISH", "język POLSKI")] == [polish] * 5
    assert [named(text) for text in ("pt-BR", "PT-br")] == [language.language("pt-BR")] * 2
    assert [named(text) for text in ("", "Latin", "p")] == [None] * 3
    assert named("english") == language.language("en")
    assert language.language("la").key == ENGLISH


def test_rule_sheets_are_those_that_there_are(polish: Language) -> None:
    assert polish.rules("take") == "# Reguły\n"
    assert polish.rules("chess") is None
    assert language.language(ENGLISH).rules("take") is None


@pytest.mark.parametrize(
    ("key", "written"),
    [("en", "Tuesday 24 November 2026"), ("pl", "wtorek, 24 listopada 2026"), ("de", "Tuesday 24 November 2026")],
    ids=["english", "its own pattern", "no such language here"],
)
@pytest.mark.usefixtures("polish")
def test_days_are_called_as_the_language_calls_them(key: str, written: str) -> None:
    morning = Instant(datetime(2026, 11, 24, 8, tzinfo=UTC), say("EEEE d MMMM y"))
    assert morning == "Tuesday 24 November 2026"
    assert language.language(key).told(morning) == written


def test_german_has_days_of_its_own() -> None:
    morning = Instant(datetime(2026, 3, 24, 8, tzinfo=UTC), say("EEEE MMMM"))
    assert language.language("de").told(morning) == "Dienstag März"


def test_english_has_nothing_to_tell_but_sentences() -> None:
    english = language.language(ENGLISH)
    leaf = Leaf(say("red"))
    assert english.told(leaf) is leaf
    assert type(english.told(say("red"))) is str
    assert not isinstance(english.say("red"), Words)


GERMAN = [
    (say("{low} to {high}", low=2, high=8), "2 bis 8"),
    (listing(["standard", "wide"]), "standard oder wide"),
    (
        say("{who} hasn't accepted the invitation yet", "{who} haven't accepted the invitation yet", who="Ada", n=1),
        "Ada hat die Einladung noch nicht angenommen",
    ),
    (
        say(
            "{who} hasn't accepted the invitation yet",
            "{who} haven't accepted the invitation yet",
            who=listing(["Ada", "Bob"], "and"),
            n=2,
        ),
        "Ada und Bob haben die Einladung noch nicht angenommen",
    ),
]


@for_each(("text", "told"), GERMAN)
def test_german(text: str, told: str) -> None:
    assert language.language("de").told(text) == told
