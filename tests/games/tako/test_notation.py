"""The notation of TAKO: what may be written for a step, and the answers to anything else."""

import pytest

from tests.cases import for_each
from tests.games.tako.piles import played, position, rules_for
from turnserver.errors import Ambiguous, Illegal, Unreadable
from turnserver.games.tako.position import Position

ALL = "pass add"
OPEN = position(9, 9, "LO 1", white=ALL, black=ALL)
HOW = "a move is a pile (a, b, or ab for both) and a number, the word pass, or the word add and a pile."


@for_each(
    ("text", "canonical"),
    [
        ("a3", "a3"),
        ("A3", "a3"),
        (" a 3 ", "a3"),
        ("(b2)", "b2"),
        ('"ab2".', "ab2"),
        ("AB 2!", "ab2"),
        ("ba2", "ab2"),
        ("take a3", "a3"),
        ("take  ab2", "ab2"),
        ("a-3", "a3"),
        ("A: 3", "a3"),
        ("pile a 3", "a3"),
        ("*a3*", "a3"),
        ("\u201ca3\u201d", "a3"),
        ("a3\u2026", "a3"),
        ("3 from a", "a3"),
        ("Take 3 from pile A.", "a3"),
        ("take 1 stone from b", "b1"),
        ("2 stones from each pile", "ab2"),
        ("I pass", "pass"),
        ("Ich passe.", "pass"),
        ("passen", "pass"),
        ("add zu a", "add a"),
        ("add 1 to a", "add a"),
        ("Add one stone to pile B", "add b"),
        ("add a stone to b", "add b"),
        ("a2 b2", "ab2"),
        ("b2, a2", "ab2"),
        ("a2+b2", "ab2"),
        ("a2b2", "ab2"),
        ("take a2 and b2", "ab2"),
        ("Pass.", "pass"),
        ("ADD A", "add a"),
        ("adda", "add a"),
        ("add  to b", "add b"),
        ("add to pile B", "add b"),
    ],
)
def test_reading_forgives(text: str, canonical: str) -> None:
    rules = rules_for()
    assert rules.format(OPEN, rules.parse(OPEN, text)) == canonical


@pytest.mark.parametrize(
    ("state", "text", "canonical"),
    [
        (rules_for().start(), " 1  4. ", "1 4"),
        (position(9, 9), "hi 5", "HI 5"),
        (position(9, 9), "Lo5", "LO 5"),
    ],
)
def test_reading_forgives_in_rolls(state: Position, text: str, canonical: str) -> None:
    assert str(rules_for().parse(state, text)) == canonical


@for_each(
    "text",
    [
        "resign",
        "",
        "a",
        "a03",
        "c3",
        "ab",
        "abb2",
        "pass on",
        "Pass me the salt",
        "pass a3",
        "I add a note",
        "add a note",
        "a 3 day trip",
        "3",
        "3a",
        "see you at 8",
        "ok see you",
        "Take care",
        "take it easy",
        "a friend",
        "I move to a new flat",
        "TAKO is hungry today",
        "take a",
        "take a seat",
        "Hi",
        "high 5",
        "add c",
        "add a b",
        "HI 11",
        "HI 0",
        "1 11",
        "0 4",
    ],
    ids=lambda text: ascii(text).strip("'"),
)
def test_what_is_no_step_is_answered(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        rules_for().parse(OPEN, text)
    assert (refused.value.code, refused.value.message) == ("unreadable", f'"{text}" isn\'t a move in TAKO; {HOW}')


@pytest.mark.parametrize("text", ["free 3", "HI 10", "10 7"])
def test_the_adept_dice_roll_more(text: str) -> None:
    rules = rules_for(variant="adept")
    state = rules.start() if text[0].isdigit() else played(rules, "10 1")
    assert str(rules.parse(state, text)) == text.upper()


@for_each(
    ("text", "code", "words"),
    [
        ("a0", "nothing", "You can't take nothing. Take at least one stone."),
        ("BA 0", "nothing", "You can't take nothing. Take at least one stone."),
        ("HI 7", "no_such_roll", "HI 7 can't be rolled here: the coin shows HI or LO, and the die 1 to 6."),
        ("free 3", "no_such_roll", "FREE 3 can't be rolled here: the coin shows HI or LO, and the die 1 to 6."),
        ("1 10", "no_such_roll", "1 10 can't be rolled here: the coin shows HI or LO, and the die 1 to 6."),
        ("a1 b2", "unequal", "You can only take the same number from both piles, not 1 and 2."),
        ("b1 and a3", "unequal", "You can only take the same number from both piles, not 3 and 1."),
    ],
)
def test_what_is_never_legal_is_explained(text: str, code: str, words: str) -> None:
    for state in (OPEN, position(9, 9), rules_for().start()):
        with pytest.raises(Illegal) as refused:
            rules_for().parse(state, text)
        assert (refused.value.code, refused.value.message) == (code, words)


def test_a_pile_can_grow_by_two() -> None:
    rules = rules_for()
    state = played(rules, "4 1, HI 1, add a, HI 1, add a, LO 6")
    assert str(rules.parse(state, "a13")) == "a13"
    with pytest.raises(Illegal, match=r"^Pile B holds 11 stones; b13 takes 13\.$"):
        rules.parse(state, "b13")
    with pytest.raises(Illegal, match=r"^Pile A holds 13 stones; a999999999 takes 999999999\.$"):
        rules.parse(state, "a999999999")


@for_each(
    ("state", "error", "words"),
    [
        (OPEN, Ambiguous, "Say which pile you add to."),
        (position(9, 9, "LO 1"), Illegal, "You have used your add. Each player can add a stone once a game."),
        (position(9, 9), Illegal, "Coin and die come first: there is nothing to choose before the roll."),
        (position(0, 0, "LO 1"), Illegal, "The game is over."),
    ],
)
def test_an_add_names_its_pile(state: Position, error: type[Ambiguous | Illegal], words: str) -> None:
    with pytest.raises(error) as refused:
        rules_for().parse(state, "add")
    assert refused.value.message == words


@pytest.mark.parametrize("text", ["add one", "Add a stone.", "add a coin"])
def test_an_add_of_one_names_its_pile(text: str) -> None:
    with pytest.raises(Ambiguous, match="Say which pile you add to"):
        rules_for().parse(OPEN, text)


@for_each(
    ("text", "code", "words"),
    [
        ("take 3", "which_pile", "Say which pile you take 3 from, or whether from each."),
        ("Take 2 stones", "which_pile", "Say which pile you take 2 from, or whether from each."),
        ("2 from both", "both_or_each", "Say whether you take 2 from each pile, or 2 from both together."),
        ("take 4 from both piles", "both_or_each", "Say whether you take 4 from each pile, or 4 from both together."),
    ],
)
def test_a_take_names_its_pile(text: str, code: str, words: str) -> None:
    with pytest.raises(Ambiguous) as refused:
        rules_for().parse(OPEN, text)
    assert (refused.value.code, refused.value.message) == (code, words)


def test_coins_are_called_coins() -> None:
    rules = rules_for(betting=True, stake=5)
    with pytest.raises(Illegal, match=r"^HI 2: take at most 2 coins in all; a3 takes 3\.$"):
        rules.parse(position(5, 5, "HI 2"), "a3")
    with pytest.raises(Illegal, match=r"^Pile A holds 5 coins; a8 takes 8\.$"):
        rules.parse(position(5, 5, "HI 2"), "a8")


@for_each("text", ["1 4", "HI 5", "a3", "ab2", "pass", "add b"])
def test_replaying_reads_canonical_text_in_any_position(text: str) -> None:
    rules = rules_for()
    assert str(rules.replay(rules.start(), text)) == text


@for_each("text", ["A3", "a 3", "hi 5", "ADD B", "a14", "FREE 1", ""])
def test_replaying_reads_nothing_else(text: str) -> None:
    with pytest.raises(Unreadable):
        rules_for().replay(rules_for().start(), text)
