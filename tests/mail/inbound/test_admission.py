"""Mails are read before it is known who writes: keys, names that are wanted, confirmations; and conversation."""

from tests.cases import for_each
from turnserver.ids import GameId, PlayerId
from turnserver.mail.format.tokens import Token, sign
from turnserver.mail.inbound.admission import confirms, keyed, names_wanted

KEY = sign({1: b"k" * 32}, Token(PlayerId(8), GameId(17), 12, 1))


@for_each(
    ("line", "found"),
    [
        (f"key {KEY}", KEY),
        (f"KEY: {KEY.upper()}", KEY.upper()),
        (f"  *key*  {KEY}.  ", KEY),
        (f"key <{KEY}>", KEY),
        (f"Key of this mail: {KEY}", None),
        (f"> key {KEY}", None),
        (f"my key {KEY}", None),
        (f"key {KEY} thanks", None),
        (f"key {KEY[:-1]}", None),
        (f"keys {KEY}", None),
        ("key", None),
        ("key moves are always fun", None),
        (KEY, None),
    ],
)
def test_a_key_line_is_taken_out_of_the_others(line: str, found: str | None) -> None:
    assert keyed(["Hello", line, "f4"]) == ((found,), ("Hello", "f4")) if found else ((), ("Hello", line, "f4"))


@for_each(
    ("lines", "names"),
    [
        (["join Ada"], ("Ada",)),
        (["Hi,", "", "Join: Ada Lovelace!", "Thanks"], ("Ada Lovelace",)),
        (["join Ada", "join Ada"], ("Ada",)),
        (["join Ada", "join Eve"], ("Ada", "Eve")),
        (["join"], ()),
        (["I would like to join Ada"], ()),
        (["joining Ada"], ()),
        (["x"] * 300 + ["join Ada"], ()),
        (["join " + "a" * 1000], ("a" * 295,)),
    ],
)
def test_names_that_are_wanted(lines: list[str], names: tuple[str, ...]) -> None:
    assert names_wanted(lines) == names


@for_each(
    ("line", "does"),
    [
        ("confirm", True),
        (" Confirm. ", True),
        ("*CONFIRM!*", True),
        ("I confirm", False),
        ("confirm nothing", False),
        ("confirmed", False),
        ("> confirm", False),
        ("", False),
    ],
)
def test_a_confirmation_is_one_word(line: str, does: bool) -> None:
    assert confirms(["Hello", line]) is does
