"""Lines that are a plan: its text as it is read, what is asked about, and what is left alone as conversation."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.mail.inbound.test_phrases import GAMES, is_move
from turnserver.mail.inbound import phrases as p
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.understanding import Unclear, Understood, understand

LONG = "if c6-a4 then d3-d4; else if b5-b6 then e2-e3; else if b1-b2 then"
WRITE = "if <their move> then <your move>"

PLANS: list[tuple[str, str]] = [
    ("if c6-a4 then d3-d4", "if c6-a4 then d3-d4"),
    ("IF c6\u2013a4, THEN d3-d4.", "if c6-a4, then d3-d4"),
    ("- **if c6-a4 then d3-d4**", "if c6-a4 then d3-d4"),
    ("plan: if c6-a4 then d3-d4", "if c6-a4 then d3-d4"),
    ("Plan if c6-a4 then d3-d4", "if c6-a4 then d3-d4"),
    (
        "if c6-a4 then d3-d4; else if b5-b6 then e2-e3 (if a1-a2 then e3-e4); else d3-d5",
        "if c6-a4 then d3-d4; else if b5-b6 then e2-e3 (if a1-a2 then e3-e4); else d3-d5",
    ),
    ("if c6-a4 then d3-d4; otherwise d3-d5", "if c6-a4 then d3-d4; else d3-d5"),
    ("if c6-a4 then d3-d4\nelse d3-d5", "if c6-a4 then d3-d4\nelse d3-d5"),
    ("if c6-a4 then d3-d4\nif b5-b6 then e2-e3", "if c6-a4 then d3-d4\nif b5-b6 then e2-e3"),
    ("if c6-a4 then d3-d4\n\nelse d3-d5", "if c6-a4 then d3-d4\nelse d3-d5"),
    ("if c6-a4 then d3-d4\n\n\nif b5-b6 then e2-e3", "if c6-a4 then d3-d4\nif b5-b6 then e2-e3"),
    ("if c6-a4\nthen d3-d4", "if c6-a4\nthen d3-d4"),
    ("if c6-a4 then\nd3-d4", "if c6-a4 then d3-d4"),
    ("if\nc6-a4 then d3-d4", "if c6-a4 then d3-d4"),
    ("if c6-a4 then d3-d4 (\nif b5 then b6\n)", "if c6-a4 then d3-d4 ( if b5 then b6\n)"),
    ("if c6-a4 then d3-d4\n(if b5 then b6\n\nif a1 then a2)", "if c6-a4 then d3-d4\n(if b5 then b6\nif a1 then a2)"),
    (f"{LONG}\nb2-b3", f"{LONG} b2-b3"),
    (f"{LONG} b2-\nb3", f"{LONG} b2- b3"),
    ("if c6-a4 then d33", "if c6-a4 then d33"),
    ("if c66-a4 then d3-d4", "if c66-a4 then d3-d4"),
    ("if c66 a4 then d33", "if c66 a4 then d33"),
    ("if c6-a4 then d3-d4\nif b55 then e3", "if c6-a4 then d3-d4\nif b55 then e3"),
    ("plan if then", "if then"),
    ("plan if you like", "if you like"),
    ("wenn c6-a4 dann d3-d4", "if c6-a4 then d3-d4"),
    ("Wenn c6-a4, dann d3-d4; sonst d3-d5", "if c6-a4, then d3-d4; else d3-d5"),
    ("falls c6-a4 dann d3-d4 (wenn b5 dann b6; sonst; b7)", "if c6-a4 then d3-d4 (if b5 then b6; else; b7)"),
    ("wenn c6-a4 then d3-d4\nandernfalls d3-d5", "if c6-a4 then d3-d4\nelse d3-d5"),
    ("Plan: wenn c6-a4 dann d3-d4", "if c6-a4 then d3-d4"),
    (f"if c6-a4 then d3-d4{'; else if b5 then b6' * 100}", f"if c6-a4 then d3-d4{'; else if b5 then b6' * 100}"),
]

OTHERS: list[tuple[str, p.Phrase]] = [
    ("plan", p.Plan()),
    ("My plan?", p.Plan()),
    ("Zeige den Plan", p.Plan()),
    ("forget plan", p.Forget()),
    ("Delete my plan!", p.Forget()),
    ("Vergiss den Plan.", p.Forget()),
    ("plan vergessen", p.Forget()),
    ("help if", p.Help("if")),
    ("say: if c6-a4 then d3-d4", p.Say("if c6-a4 then d3-d4")),
    ("say if c6-a4 then d3-d4", p.Say("if c6-a4 then d3-d4")),
    ("say:\nif c6-a4 then d3-d4\nelse d3-d5", p.Say("if c6-a4 then d3-d4\nelse d3-d5")),
]

ASKED: list[tuple[str, str | None]] = [
    ("if c6-a4 d3-d4", WRITE),
    ("if c6-a4: d3-d4", WRITE),
    ("if c6-a4, I play d3-d4", WRITE),
    ("if c6-a4", WRITE),
    ("else d3-d4", WRITE),
    ("1. if c6-a4 then d3-d4", WRITE),
    ("2.1. if c6-a4 then d3-d4", WRITE),
    ("3. else d3-d5", WRITE),
    ('"if c6-a4 then d3-d4"', None),
    ("\u201cif c6-a4 then d3-d4\u201d. The first that fits is played", None),
    ("If you like, then we can meet at 8", None),
    ("If you play like that then I am lost", None),
    ("If only I had seen it", None),
    ("Wenn du willst, dann k\u00f6nnen wir uns treffen", None),
    ("or else", None),
    ("if", None),
    ("if then", None),
    ("forget plan?", "forget plan"),
    ("forgt plan", "forget plan"),
    ("forget the paln", "forget plan"),
    ("planning ahead", None),
]

TOGETHER: list[tuple[str, tuple[p.Phrase, ...], tuple[Unclear, ...]]] = [
    ("d3-d4\nif c6-a4 then e3-e4", (p.Move("d3-d4"), p.If("if c6-a4 then e3-e4")), ()),
    ("if c6-a4 then e3-e4\nd3-d4", (p.If("if c6-a4 then e3-e4"), p.Move("d3-d4")), ()),
    ("if c6-a4 then e3-e4;\nd3-d4", (p.If("if c6-a4 then e3-e4;"), p.Move("d3-d4")), ()),
    (
        "Hi Bob,\n\nd3\n\nIf you like, then we can meet at 8.\nIf not, then on Sunday.\n\nThen I am off\n\nAda",
        (p.Move("d3"),),
        (),
    ),
    ("if c6-a4 then e3-e4\nIf you like, we can meet.", (p.If("if c6-a4 then e3-e4"),), ()),
    ("if c6-a4 then e3-e4\nThen I win.\n(I hope)", (p.If("if c6-a4 then e3-e4"),), ()),
    ("if c6-a4 then e3-e4\n\nGreetings", (p.If("if c6-a4 then e3-e4"),), ()),
    ("if c6-a4 then e3-e4\nGreetings\nif c6-a4 then E3-e4", (p.If("if c6-a4 then e3-e4"),), ()),
    ("d3\nif c6-a4 d3-d4", (p.Move("d3"),), (Unclear("if c6-a4 d3-d4", WRITE),)),
    ("d3\n1. if c6-a4 then d3-d4", (p.Move("d3"),), (Unclear("1. if c6-a4 then d3-d4", WRITE),)),
    (
        "say This line is so long that a mail program would have wrapped it\nif c6-a4 then d3-d4",
        (p.Say("This line is so long that a mail program would have wrapped it"), p.If("if c6-a4 then d3-d4")),
        (),
    ),
]

CONFLICTS = [
    ("if c6 then d3\nHello\nif c7 then d3", ("if c6 then d3", "if c7 then d3")),
    ("if c6 then d3\nelse d4\nresign", ("if c6 then d3 / else d4", "resign")),
    ("forget plan\nif c6 then d3", ("forget plan", "if c6 then d3")),
    ("preview d3\nif c6 then d3", ("preview d3", "if c6 then d3")),
]

STEPWISE: list[tuple[str, tuple[p.Phrase, ...], tuple[str, ...]]] = [
    ("if b2-b3; c2-c3 then d4-d5\ne4-e5", (p.If("if b2-b3; c2-c3 then d4-d5\ne4-e5"),), ()),
    ("b2-b3\nc2-c3\nif d4-d5 then e4-e5", (p.Move("b2-b3\nc2-c3"), p.If("if d4-d5 then e4-e5")), ()),
    ("if d4-d5 then e4-e5\nand g1 too", (p.If("if d4-d5 then e4-e5\nand g1 too"),), ()),
    ("if d4-d5 then e4-e5\n\nb2-b3", (p.If("if d4-d5 then e4-e5"), p.Move("b2-b3")), ()),
]


def check(text: str, **expected: object) -> None:
    assert understand(text.split("\n"), is_move, GAMES) == Understood(**expected)  # type: ignore[arg-type]  # a case names its fields


@for_each(("text", "plan"), PLANS)
def test_lines_that_are_a_plan(text: str, plan: str) -> None:
    check(text, phrases=(p.If(plan),))


@for_each(("text", "phrase"), OTHERS)
def test_what_else_there_is_about_plans(text: str, phrase: p.Phrase) -> None:
    check(text, phrases=(phrase,))


@for_each(("line", "suggestion"), ASKED)
def test_a_line_that_is_none(line: str, suggestion: str | None) -> None:
    check(line, unclear=(Unclear(line, suggestion),))


@for_each(("text", "phrases", "unclear"), TOGETHER)
def test_a_plan_among_other_lines(text: str, phrases: tuple[p.Phrase, ...], unclear: tuple[Unclear, ...]) -> None:
    check(text, phrases=phrases, unclear=unclear)


@for_each(("text", "lines"), CONFLICTS)
def test_a_plan_and_what_contradicts_it(text: str, lines: tuple[str, ...]) -> None:
    check(text, conflict=lines)


@for_each(("text", "phrases", "unclear"), STEPWISE)
def test_where_a_turn_has_several_steps(text: str, phrases: tuple[p.Phrase, ...], unclear: tuple[str, ...]) -> None:
    resembles = partial(resembles_step, ("throw",))
    said = understand(text.split("\n"), is_move, GAMES, resembles=resembles)
    assert (said.phrases, tuple(one.line for one in said.unclear)) == (phrases, unclear)


@for_each("text", [text for text, _ in PLANS if "plan if" not in text and len(text) < 1_000])
def test_what_was_understood_is_quoted_so_that_it_reads_the_same(text: str) -> None:
    said = understand([text.replace("\n", " ")], is_move, GAMES)
    assert understand(list(said.quotes), is_move, GAMES) == said


def test_a_plan_is_quoted_in_its_own_language() -> None:
    text = "wenn c6 dann d3 (wenn c7 dann d4); sonst d5"
    assert understand([text], is_move, GAMES).quotes == (text,)


PIECES = (
    "if",
    "then",
    "else",
    "(",
    ")",
    "",
    "d3",
    "d3-d4",
    "if d3 then",
    "if d3 then e4;",
    "then e4",
    "1. if d3",
    "say so",
    "so " * 30,
    "plan",
)


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_whatever_stands_below_an_if_raises_nothing_and_no_line_is_lost(lines: list[str]) -> None:
    for resembles in (None, lambda line: "d" in line):
        said = understand(lines, is_move, GAMES, resembles=resembles)
        assert said.phrases or said.unclear or said.conflict or not any(any(map(str.isalnum, line)) for line in lines)
