"""The lines of a text that are the sender's own: one case a habit of some mail program."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.mail.format.mime import MARKER
from turnserver.mail.inbound.commands import COMMANDS
from turnserver.mail.inbound.openings import LineKind
from turnserver.mail.inbound.reply import MAX_LINES, MAX_SENT, MAX_TEXT, kept, sift, unflow

ATTRIBUTIONS = [
    "On Tue, 6 May 2025 at 19:02, turnserver <turns@play.example.org> wrote:",
    "On Tue, 6 May 2025 at 19:02, turnserver\n<turns@play.example.org> wrote:",
    "On Tuesday, May 6th, 2025 at 7:02 PM, turnserver\n<turns@play.example.org>\nwrote:",
    "Am Dienstag, 6. Mai 2025 um 19:02:11 MESZ hat turnserver <turns@play.example.org> Folgendes geschrieben:",
    "Am 06.05.25 um 19:02 schrieb turnserver:",
    "Le mar. 6 mai 2025 \u00e0 19:02, turnserver <turns@play.example.org> a \u00e9crit :",
    "Le mar. 6 mai 2025 \u00e0 19:02, turnserver <turns@play.example.org> a \u00e9crit\u00a0:",
    "El mar, 6 may 2025 a las 19:02, turnserver (<turns@play.example.org>) escribi\u00f3:",
    "Il giorno mar 6 mag 2025 alle ore 19:02 turnserver ha scritto:",
    "Op di 6 mei 2025 om 19:02 schreef turnserver <turns@play.example.org>:",
    "Em ter., 6 de mai. de 2025 \u00e0s 19:02, turnserver escreveu:",
    "Den tis 6 maj 2025 kl 19:02 skrev turnserver <turns@play.example.org>:",
    "ti 6. toukok. 2025 klo 19.02 turnserver kirjoitti:",
    "wt., 6 maj 2025 o 19:02 turnserver napisa\u0142(a):",
    "\u0432\u0442, 6 \u043c\u0430\u044f 2025 \u0433. \u0432 19:02, turnserver \u043f\u0438\u0441\u0430\u043b(\u0430):",
    "2025\u5e745\u67086\u65e5 19:02\uff0cturnserver <turns@play.example.org> \u5199\u9053\uff1a",
    "2025-05-06 19:02 GMT+02:00 turnserver <turns@play.example.org>:",
    "2025-05-06 19:02 GMT+02:00 turnserver",
    "2025/5/6 turnserver <turns@play.example.org>",
]
CUTS = [
    "Sent from my phone",
    "Von meinem iPhone gesendet",
    "\u2014\u2014\u2014\u2014\u2014",
    "----------",
    "=====",
    "__",
    "De : turnserver\n\u00c0 : Ada\nSujet : Take 17",
    "On Wed, 14 May 2025 08:14:43 -0200 turnserver <turns@play.example.org> wrote",
    "On Wed, 14 May 2025 at 8:14 turnserver\n\n<\nmailto:turns@play.example.org\n> wrote:",
    MARKER,
    MARKER.upper(),
    f"  {MARKER}  ",
    MARKER.replace(" ", "\u00a0"),
    MARKER.replace("=", "*"),
    "-----Original Message-----",
    "*----- Original Message -----*",
    "-------- Urspr\u00fcngliche Nachricht --------",
    "---------- Forwarded message ---------",
    "________________________________",
    "From: turnserver <turns@play.example.org>\nSent: Tuesday, May 6, 2025 7:02 PM\nTo: Ada\nSubject: Take 17",
    "*From:* turnserver\n*Date:* Tuesday, 6 May 2025\n*To:* Ada",
    "Von: turnserver\nGesendet: Dienstag, 6. Mai 2025\nAn: Ada\nBetreff: Take 17",
    "De\u00a0: turnserver\nEnvoy\u00e9\u00a0: mardi 6 mai 2025\n\u00c0\u00a0: Ada\nObjet\u00a0: Take 17",
    "\u53d1\u4ef6\u4eba\uff1aturnserver\n\u53d1\u9001\u65f6\u95f4\uff1a2025\u5e745\u67086\u65e5\n\u6536\u4ef6\u4eba\uff1aAda",
    "--",
    "-- ",
    "\u2014",
    *ATTRIBUTIONS,
]
QUOTES = [
    "> resign",
    ">resign",
    "  > resign",
    ">> resign",
    "\uff1e resign",
    "AL> resign",
    "| resign",
    "> x\rresign",
    "> x\u2028resign",
    "> x\x0cresign",
    "> x\x85resign",
]
OWN = [
    "f4",
    "From: what I see f4 is good",
    "Bob wrote:",
    "I wrote 2 lines:",
    "- f4",
    "-- f4",
    "To: the point",
    "on f4 then",
    "2025-05-06 19:02",
    "----",
    "say: 3 things",
    "===",
]
SENT = """Hello Ada, Bob has played c3 and now it is your turn in this game of Take.
To give the game up the word is resign. Good luck to you all.
"""
REWRAPPED = """f4

Bob has played c3 and now it
is your turn in this game of
Take. To give the game up the word is
resign. Good
luck to you all."""


TOLD = """What has happened:
* Turn 4: House One (Blue) played Speedy escape b9; Tako escape c10;
  Squish move b10-c10-d10-d8; keeper f11. Chance then gave 5. [Sat 21 Nov, 10:00]
  - Speedy escapes to b9.
"""


@for_each("cut", CUTS)
def test_everything_below_a_cut_is_dropped(cut: str) -> None:
    assert kept(sift(f"f4\n\n{cut}\n\nresign\n> quoted\nmove a1")) == ("f4",)


@for_each(
    ("heads", "is_cut"),
    [
        (("From: Turns", "To: Ada", "Subject: Take 17"), True),
        (("From: Turns", "To: Ada"), False),
        (("From: Turns", "", "", "To: Ada", "", "Subject: Take 17"), True),
        (("From: Turns", "", "", "", "To: Ada", "", "Subject: Take 17"), False),
        (("Turns", "From: Turns", "To: Ada", "Subject: Take 17"), True),
        (("move: f4", "To: Ada", "Subject: Take 17"), False),
    ],
)
def test_three_known_names_of_six_lines_are_a_head(heads: tuple[str, ...], is_cut: bool) -> None:
    own = kept(sift("\n".join(["f4", *heads, "g2"])))
    assert (own[0], own[-1] != "g2") == ("f4", is_cut)
    assert ("Turns" in own) is ("Turns" in heads)


@for_each("attribution", ATTRIBUTIONS)
def test_an_answer_below_a_marked_quotation_is_read(attribution: str) -> None:
    assert kept(sift(f"{attribution}\n> Hello\n> resign\n\nf4")) == ("f4",)


@for_each("quote", QUOTES)
def test_quoted_lines_are_dropped(quote: str) -> None:
    assert kept(sift(f"f4\n{quote}\ng2")) == ("f4", "", "g2")


@for_each("line", OWN)
def test_a_line_that_only_looks_like_a_cut_is_kept(line: str) -> None:
    assert kept(sift(f"{line}\ng2")) == (line, "g2")


@for_each(
    ("reply", "expected"),
    [
        (REWRAPPED, ("f4",)),
        ("> To give the game up the word is\nresign. Good luck\n> to you all.\nf4", ("f4",)),
        ("> To give the game up the word is\n> resign. Good luck\nresign", ("resign",)),
        ("resign", ("resign",)),
        ("the word is resign", ()),
        ("To give the game up\nthe word is resign", ()),
        ("To gi\nve the game up the word is resign", ()),
        ("> To give the game up the\nword is resign.\nf4", ("f4",)),
        ("To give the game up\nthe word is resign\nf4", ("To give the game up", "the word is resign", "f4")),
        ("Good luck to all", ("Good luck to all",)),
        ("f4\nGood luck", ("f4", "Good luck")),
    ],
)
def test_our_own_words_are_subtracted(reply: str, expected: tuple[str, ...]) -> None:
    assert kept(sift(reply, [SENT])) == expected


def test_the_mails_that_one_may_be_quoting_share_the_room_for_them() -> None:
    text = "Hello Ada, Bob has played c3\nand now it is your turn"
    assert kept(sift(text, ["x" * (MAX_SENT - len(SENT)), SENT])) == ()
    assert kept(sift(text, ["x" * MAX_SENT, SENT])) == tuple(text.split("\n"))


@for_each("lead", ["  e.g. ", "  etwa ", "| ", "    e.g.:  "])
def test_what_we_offered_can_be_copied_in_any_language(lead: str) -> None:
    assert kept(sift("Squish move d10-d8-e8", [f"There is this, for one:\n{lead}Squish move d10-d8-e8\n"])) == ("Squish move d10-d8-e8",)


@pytest.mark.parametrize(
    "turn",
    [
        ("Speedy escape b9; Tako escape c10; Squish move b10-c10-d10-d8; keeper f11",),
        ("Speedy escape b9", "Tako escape c10", "Squish move b10-c10-d10-d8", "keeper f11"),
        ("Squish move b10-c10-d10-d8; keeper f11",),
    ],
)
def test_a_turn_that_we_told_of_can_be_played_again(turn: tuple[str, ...]) -> None:
    quoted = "".join(f"> {line}\n" for line in TOLD.splitlines())
    assert kept(sift("\n".join(turn) + f"\n\nOn 2026-11-21 10:05, House wrote:\n{quoted}", [TOLD])) == turn


@for_each(
    "quoted",
    [
        TOLD,
        TOLD.replace("\n  ", "\n"),
        TOLD.replace("played ", "played\n"),
        TOLD.replace("; ", ";\n"),
        "> * Turn 4: House One (Blue) played Speedy escape b9; Tako escape c10;\nSquish move b10-c10-d10-d8; keeper f11",
    ],
)
def test_what_we_told_of_a_turn_is_not_played_again(quoted: str) -> None:
    assert kept(sift(f"Speedy slide b3\nkeeper f2\n\n{quoted}", [TOLD])) == ("Speedy slide b3", "keeper f2")


def test_one_broken_word_does_not_save_a_whole_quotation() -> None:
    ours = " ".join(f"word{number}" for number in range(60)) + " c020c59364b6dc35 then the word is resign"
    quoted = textwrap.fill(ours.replace("b6dc", "b6 x dc"), 30).replace(" resign", "\nresign")
    assert kept(sift(f"f4\n{quoted}", [ours])) == ("f4", "", "word58 word59 c020c59364b6 x", "dc35 then the word is")


@for_each("width", [7, 11, 16, 23, 30])
def test_a_word_of_ours_that_was_broken_by_a_line_end_is_still_ours(width: int) -> None:
    ours = "To give the game up the word is resign and the move that was told is b4 and nothing else, wherever it stands"
    broken = [ours[at : at + width] for at in range(0, len(ours), width)]
    assert kept(sift("g2\n\n" + "\n".join(broken), [ours])) == ("g2",)
    marked = "\n".join(line if at % 2 else f"> {line}" for at, line in enumerate(broken))
    assert kept(sift(f"g2\n\n{marked}", [ours])) == ("g2",)


OFFERING = """Bob played Speedy slide b5; Tako steal c9; keeper f11. It is your turn.
  e.g. Speedy escape b9; keeper f11
  e.g. Tako move b9-b8-b7; Squirt throw 4 home; Squish move d10-d8-e8;
     | keeper f11
| Tako steal c9
| Squirt ink N
"""


@for_each(
    ("reply", "expected"),
    [
        ("Speedy escape b9; keeper f11", None),
        ("speedy escape b9\nkeeper f11", None),
        ("Speedy escape b9\nkeeper north", None),
        ("Tako move b9-b8-b7; Squirt throw 4 home; Squish move d10-d8-e8; keeper f11", None),
        ("Tako steal c9\nSquirt ink N", None),
        ("Tako steal c9; Squirt ink N", None),
        ("Speedy slide b5\nTako steal c9\nkeeper north", None),
        ("Speedy slide b5\nTako steal c9\nkeeper f11", None),
        ("> Bob\n\nSpeedy escape b9; keeper f11", ("Speedy escape b9; keeper f11",)),
        ("> e.g. Tako move b9-b8-b7; Squirt\nthrow 4 home; Squish move d10-d8-e8;\n> | keeper f11\nSquirt ink N", ("Squirt ink N",)),
        ("Bob played Speedy slide b5; Tako\nsteal c9; keeper f11. It is your\nturn.", ()),
    ],
)
def test_what_was_offered_may_be_copied_and_a_turn_loses_none_of_its_lines(reply: str, expected: tuple[str, ...] | None) -> None:
    assert kept(sift(reply, [OFFERING])) == (tuple(reply.split("\n")) if expected is None else expected)


@for_each(
    ("text", "expected"),
    [
        ("say a long \nline\nf4", "say a long line\nf4"),
        ("> a \n> b\nf4 ", "> a b\nf4 "),
        ("> a \nf4", "> a \nf4"),
        (" From here\n >not a quote", "From here\n>not a quote"),
        ("f4\n-- \nAda", "f4\n-- \nAda"),
        ("f4 \n-- \nAda", "f4 \n-- \nAda"),
        ("f4 \r\n> quoted", "f4 \n> quoted"),
    ],
)
def test_flowed_text_is_joined(text: str, expected: str) -> None:
    assert unflow(text, delsp=False) == expected


def test_what_a_telephone_adds_above_the_answer_cuts_nothing() -> None:
    assert kept(sift("Sent from my phone\n> quoted\n\nf4")) == ("f4",)


def test_flowed_text_may_ask_to_drop_the_space() -> None:
    assert unflow("f \n4", delsp=True) == "f4"


@pytest.mark.parametrize("text", ["f4" + "\n" * MAX_LINES + "g2", "f4" + " " * MAX_TEXT + "g2", "f4\n" + "x" * MAX_TEXT])
def test_what_is_beyond_the_limits_is_said(text: str) -> None:
    assert sift(text)[-1].verdict is LineKind.BEYOND


@for_each(
    "text",
    [
        "f4" + "\n" * MAX_LINES,
        "f4" + " " * MAX_TEXT,
        "f4\n" + "> x\n" * MAX_LINES,
        "f4\n" + ("> " + "x" * 99 + "\n") * 1_000,
        f"f4\n{MARKER}\n" + "resign\n" * MAX_LINES,
        "f4\n\nOn 6 May 2025 Ada wrote:\n\n" + "resign\n" * MAX_LINES,
    ],
)
def test_what_is_beyond_the_limits_and_cannot_be_the_senders_does_no_harm(text: str) -> None:
    lines = sift(text)
    assert kept(lines) == ("f4",)
    assert lines[-1].verdict is not LineKind.BEYOND


def test_a_verdict_for_every_line() -> None:
    ours = "Hello Ada, Bob has played c3\nand now it is your turn"
    text = f"Sent from my phone\nf4\n\n> old\nOn 6 May Ada wrote:\n> b\n{ours}\n{MARKER}\nresign"
    assert [line.verdict for line in sift(text, [SENT])] == [
        LineKind.DEVICE,
        LineKind.KEPT,
        LineKind.KEPT,
        LineKind.QUOTED,
        LineKind.ATTRIBUTION,
        LineKind.QUOTED,
        LineKind.SENT,
        LineKind.SENT,
        LineKind.MARKER,
        LineKind.BELOW,
    ]


EXAMPLES = st.sampled_from([usage.example for usage in COMMANDS])
WORDS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n>\uff1e"), max_size=30), max_size=5)


@given(command=EXAMPLES, before=WORDS, after=WORDS, mark=st.sampled_from(["> ", ">", ">> ", " > "]))
def test_a_quoted_command_is_never_among_the_lines(command: str, before: list[str], after: list[str], mark: str) -> None:
    text = "\n".join([*(mark + line for line in before), mark + command, *after])
    assert command not in kept(sift(text)) or command in after


@given(command=EXAMPLES, above=WORDS, below=WORDS)
def test_nothing_below_the_marker_is_read(command: str, above: list[str], below: list[str]) -> None:
    assert kept(sift("\n".join([*above, MARKER, *below, command]))) == kept(sift("\n".join(above)))


@given(st.text(), st.lists(st.text(), max_size=3))
def test_every_line_gets_a_verdict(text: str, sent: list[str]) -> None:
    assert len(sift(text, sent)) == text.replace("\r\n", "\n").count("\n") + 1
