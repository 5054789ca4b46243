"""One case a line: what players write, and what it is taken for."""

import gc
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.corpus.hostile import done_in_time
from turnserver.mail.inbound import phrases as p
from turnserver.mail.inbound.commands import COMMANDS, MailCommand
from turnserver.mail.inbound.time_phrases import DayOfYear, Give, NoDay, Nudge, Pause, Reopen, Resume, Vacation
from turnserver.mail.inbound.understanding import Unclear, Understood, understand

GAMES = ["take", "tako-judo", "Tako Judo", "tako"]


def is_move(text: str) -> bool:
    """Squares from a1 to i9, and steps from one to another."""
    squares = text.casefold().split("-")
    return len(squares) in (1, 2) and all(len(square) == 2 and square[0] in "abcdefghi" and square[1] in "123456789" for square in squares)


def check(text: str, **expected: object) -> None:
    assert understand(text.split("\n"), is_move, GAMES) == Understood(**expected)  # type: ignore[arg-type]  # a case names its fields


PHRASES: list[tuple[str, p.Phrase]] = [
    ("d3", p.Move("d3")),
    ("  D3  ", p.Move("D3")),
    ("d3.", p.Move("d3")),
    ("d3!!", p.Move("d3")),
    ("**d3**", p.Move("d3")),
    ("_d3_", p.Move("d3")),
    ("`d3`", p.Move("d3")),
    ('"d3"', p.Move("d3")),
    ("\u201cd3\u201d", p.Move("d3")),
    ("\u300cd3\u300d", p.Move("d3")),
    ("- d3", p.Move("d3")),
    ("* d3", p.Move("d3")),
    ("\u2022 d3", p.Move("d3")),
    ("\u00a0d3\u00a0", p.Move("d3")),
    ("d\u200b3", p.Move("d3")),
    ("\ufeffd3", p.Move("d3")),
    ("c6\u2013a4", p.Move("c6-a4")),
    ("move d3", p.Move("d3")),
    ("MOVE  d3.", p.Move("d3")),
    ("Move: d3", p.Move("d3")),
    ("move\u00a0d3", p.Move("d3")),
    ("*move* d3", p.Move("d3")),
    ("move **d3**", p.Move("d3")),
    ("move Tako throw 3 home; keeper f6", p.Move("Tako throw 3 home; keeper f6")),
    ("resign", p.Resign()),
    ("undo", p.Undo()),
    ("Take it back!", p.Undo()),
    ("zug zurücknehmen", p.Undo()),
    ("confirm resign", p.Confirm()),
    ("Confirm resign!", p.Confirm()),
    ("aufgeben bestätigen", p.Confirm()),
    ("bestätige aufgeben", p.Confirm()),
    ("RESIGN!", p.Resign()),
    ("I resign.", p.Resign()),
    ("i  give up", p.Resign()),
    ("give up", p.Resign()),
    ("draw", p.Draw()),
    ("draw?", p.Draw()),
    ("pause", Pause()),
    ("Pause the game.", Pause()),
    ("pause?", Pause()),
    ("pause 14 days", Pause(14)),
    ("pause 10", Pause(10)),
    ("pause: for 2 weeks", Pause(14)),
    ("pause a week", Pause(7)),
    ("pause 3 tage", Pause(3)),
    ("pausieren 3 tage", Pause(3)),
    ("pausieren für eine Woche", Pause(7)),
    ("resume", Resume()),
    ("end the pause", Resume()),
    ("fortsetzen", Resume()),
    ("vacation", Vacation()),
    ("my vacation", Vacation()),
    ("vacation 2027-07-01 to 2027-07-14", Vacation(date(2027, 7, 1), date(2027, 7, 14))),
    ("Vacation from 2027-7-1 until 2027-7-14.", Vacation(date(2027, 7, 1), date(2027, 7, 14))),
    ("vacation: 1.7.2027 - 14.7.2027", Vacation(date(2027, 7, 1), date(2027, 7, 14))),
    ("vacation 10.3. - 14.3.", Vacation(DayOfYear(3, 10), DayOfYear(3, 14))),
    ("vacation 10.3.-14.3.", Vacation(DayOfYear(3, 10), DayOfYear(3, 14))),
    ("vacation from 10.3.\N{EN DASH}14.3.2027", Vacation(DayOfYear(3, 10), date(2027, 3, 14))),
    ("vacation 29.2. to 14. 3. 2028", Vacation(DayOfYear(2, 29), date(2028, 3, 14))),
    ("vacation 2027-07-01-2027-07-14", Vacation(date(2027, 7, 1), date(2027, 7, 14))),
    ("vacation 2027-02-30 to 2027-03-14", Vacation(NoDay("2027-02-30"), date(2027, 3, 14))),
    ("vacation 30.2. to 14.3.", Vacation(NoDay("30.2."), DayOfYear(3, 14))),
    ("vacation 2027-07-14 to 2027-07-01", Vacation(date(2027, 7, 14), date(2027, 7, 1))),
    ("vacation 1.7.27 to 14.7.27", Vacation(date(2027, 7, 1), date(2027, 7, 14))),
    ("vacation 1 July to 14 July", Vacation(DayOfYear(7, 1), DayOfYear(7, 14))),
    ("vacation from July 1st, 2027 to Aug. 2nd 2027", Vacation(date(2027, 7, 1), date(2027, 8, 2))),
    ("vacation 1 July 27 to 14 July '27", Vacation(date(2027, 7, 1), date(2027, 7, 14))),
    ("vacation 1 July 14 July", Vacation(DayOfYear(7, 1), DayOfYear(7, 14))),
    ("vacation 1 July, 14.7.", Vacation(DayOfYear(7, 1), DayOfYear(7, 14))),
    ("vacation 3 to 14 August", Vacation(DayOfYear(8, 3), DayOfYear(8, 14))),
    ("vacation August 3rd - 14th, 2027", Vacation(DayOfYear(8, 3), date(2027, 8, 14))),
    ("vacation 3.-14.8.2027", Vacation(date(2027, 8, 3), date(2027, 8, 14))),
    ("vacation 3rd to the 14th of August", Vacation(DayOfYear(8, 3), DayOfYear(8, 14))),
    ("vacation 2027-08-03 until the 14th!", Vacation(date(2027, 8, 3), date(2027, 8, 14))),
    ("vacation July 1 27 to July 14, '27", Vacation(date(2027, 7, 1), date(2027, 7, 14))),
    ("vacation from 31 to 2 June", Vacation(NoDay("31.6."), DayOfYear(6, 2))),
    ("vacation 3 to 31 June", Vacation(NoDay("31 June"), NoDay("31 June"))),
    ("vacation 28 February 2027 to 29", Vacation(date(2027, 2, 28), NoDay("2027-02-29"))),
    ("vacation 3rd sept - 4 Oct. 2027", Vacation(DayOfYear(9, 3), date(2027, 10, 4))),
    ("vacation 30 February to 1.MARCH", Vacation(NoDay("30 February"), DayOfYear(3, 1))),
    ("vacation 5 Apr\u0131l to 12 APR\u0130L", Vacation(DayOfYear(4, 5), DayOfYear(4, 12))),
    ("urlaub vom 1.7. bis zum 14.7.", Vacation(DayOfYear(7, 1), DayOfYear(7, 14))),
    ("vacation 10 days", Vacation(days=10)),
    ("vacation for a week", Vacation(days=7)),
    ("vacation off", Vacation(off=True)),
    ("vacation off 2", Vacation(off=True, number=2)),
    ("end vacation", Vacation(off=True)),
    ("end vacation 12", Vacation(off=True, number=12)),
    ("urlaub", Vacation()),
    ("Urlaub vom 1.7.2027 bis 14.7.2027", Vacation(date(2027, 7, 1), date(2027, 7, 14))),
    ("urlaub 10 tage", Vacation(days=10)),
    ("urlaub absagen 2", Vacation(off=True, number=2)),
    ("I offer a draw", p.Draw()),
    ("accept", p.Accept()),
    ("I accept!", p.Accept()),
    ("accept the draw", p.Accept()),
    ("Accept invitation", p.Accept()),
    ("decline", p.Decline()),
    ("decline the invitation.", p.Decline()),
    ("nudge", Nudge()),
    ("Nudge them!", Nudge()),
    ("send a reminder", Nudge()),
    ("claim", p.Claim()),
    ("Claim the game.", p.Claim()),
    ("reklamation", p.Claim()),
    ("claim off", p.Claim(off=True)),
    ("Reklamation zurückziehen", p.Claim(off=True)),
    ("give 2 days", Give(48)),
    ("Give them a week!", Give(168)),
    ("give 12 hours more", Give(12)),
    ("gib 2 Tage", Give(48)),
    ("Gib ihr eine Stunde mehr.", Give(1)),
    ("reopen", Reopen()),
    ("Reopen the game.", Reopen()),
    ("play on", Reopen()),
    ("substitute Carl", p.Substitute("Carl")),
    ("Substitute: Carl Smith.", p.Substitute("Carl Smith")),
    ("substitute carl@example.org?", p.Substitute("carl@example.org")),
    ("substitute off", p.Substitute()),
    ("SUBSTITUTE OFF!", p.Substitute()),
    ("show", p.Show()),
    ("board?", p.Show()),
    ("show the board", p.Show()),
    ("show 12", p.Show(12)),
    ("show turn 12", p.Show(12)),
    ("show the board after turn 12", p.Show(12)),
    ("history", p.History()),
    ("clock", p.Clock()),
    ("Show the clock.", p.Clock()),
    ("games", p.Games()),
    ("my games?", p.Games()),
    ("rules", p.Rules()),
    ("rules take", p.Rules("take")),
    ("Rules of Tako Judo", p.Rules("tako judo")),
    ("rules go", p.Rules("go")),
    ("help", p.Help()),
    ("help!", p.Help()),
    ("Help Challenge", p.Help("challenge")),
    ("say Well played!", p.Say("Well played!")),
    ("SAY  *hello*", p.Say("*hello*")),
    ("say: hello", p.Say("hello")),
    ("say:hello", p.Say("hello")),
    ("say resign", p.Say("resign")),
    ("note Watch *c4*!", p.Note("Watch *c4*!")),
    ("NOTIZ: d3", p.Note("d3")),
    ("note", p.Notes()),
    ("note:", p.Notes()),
    ("My notes", p.Notes()),
    ("Notizen.", p.Notes()),
    ("publish my notes", p.Publish()),
    ("Notizen veröffentlichen", p.Publish()),
    ("hide notes", p.Hide()),
    ("say \u201cnice\u201d", p.Say("\u201cnice\u201d")),
    ("settings", p.Settings()),
    ("My settings?", p.Settings()),
    ("set digest 18:00", p.Set("digest", "18:00")),
    ("Set Digest = off.", p.Set("digest", "off")),
    ("set quiet: 22:00\u201307:00", p.Set("quiet", "22:00-07:00")),
    ("set quiet 10 pm to 7 am", p.Set("quiet", "10 pm to 7 am")),
    ("set zone to Europe/Berlin", p.Set("zone", "Europe/Berlin")),
    ("*set mail text*", p.Set("mail", "text")),
    ("unsubscribe", p.Unsubscribe()),
    ("UNSUBSCRIBE!", p.Unsubscribe()),
    ("subscribe", p.Subscribe()),
    ("challenge Bob", p.Challenge(("Bob",))),
    ("challenge bob@example.org", p.Challenge(("bob@example.org",))),
    ("challenge Bob take", p.Challenge(("Bob",), "take")),
    ("challenge Bob to a game of Take", p.Challenge(("Bob",), "take", filling=("to", "a", "game", "of"))),
    ("challenge Kim At take", p.Challenge(("Kim",), "take", filling=("At",))),
    ("challenge Sabine Tag take", p.Challenge(("Sabine Tag",), "take")),
    ("challenge Bob Tako Judo", p.Challenge(("Bob",), "tako judo")),
    ("challenge Bob tako", p.Challenge(("Bob",), "tako")),
    ("challenge take", p.Challenge(("take",))),
    ("challenge Ada Bea take", p.Challenge(("Ada Bea",), "take")),
    ("challenge Bob and Cleo take", p.Challenge(("Bob", "Cleo"), "take")),
    ("challenge Bob, Cleo & Dan", p.Challenge(("Bob", "Cleo", "Dan"))),
    ("challenge Sandy take", p.Challenge(("Sandy",), "take")),
    ("challenge \u201cBob\u201d take", p.Challenge(("Bob",), "take")),
    ("challenge Bob take size=4", p.Challenge(("Bob",), "take", (("size", "4"),))),
    ("challenge Bob take size = 4 Variant=High-Churn", p.Challenge(("Bob",), "take", (("size", "4"), ("variant", "high-churn")))),
    ("challenge Bob take time=5d", p.Challenge(("Bob",), "take", (), "5d")),
    ("challenge Bob take time=3 days/move", p.Challenge(("Bob",), "take", (), "3 days/move")),
    ("challenge Bob take time=3 Tage pro Zug, keine Wochenenden", p.Challenge(("Bob",), "take", (), "3 days per move, no weekends")),
    ('challenge Bob take time="3 days"', p.Challenge(("Bob",), "take", (), "3 days")),
    ('challenge Bob take time="1 Woche"', p.Challenge(("Bob",), "take", (), "1 week")),
    ("challenge Bob take time=„3 Tage pro Zug“, keine Wochenenden", p.Challenge(("Bob",), "take", (), "3 days per move, no weekends")),
    ("challenge Bob take time=36 Std.", p.Challenge(("Bob",), "take", (), "36 hours")),
    ("challenge Bob take time=täglich um 20:00 Uhr", p.Challenge(("Bob",), "take", (), "daily at 20:00 o'clock")),
    ("challenge Bob take Time = 5d+36h cap 10d", p.Challenge(("Bob",), "take", (), "5d+36h cap 10d")),
    (
        "challenge Bob take size=4 first, time: no limit, no vacation",
        p.Challenge(("Bob",), "take", (("size", "4"),), "no limit, no vacation", first=True),
    ),
    ("challenge Bob take first", p.Challenge(("Bob",), "take", (), None, first=True)),
    ("challenge Bob take size=4 second", p.Challenge(("Bob",), "take", (("size", "4"),), None, first=False)),
]

DAYS_OFF = "vacation <first day> to <last day>, as in vacation 1 July to 14 July"
ASKED: list[tuple[str, str | None]] = [
    ("resing", "resign"),
    ("rsign", "resign"),
    ("resign?", "resign"),
    ("resign please", "resign"),
    ("I resing", "resign"),
    ("drwa", "draw"),
    ("puase", "pause"),
    ("pause three weeks", "pause <time>"),
    ("vacation off?", "vacation off"),
    ("vacation 10 days?", "vacation 10 days"),
    ("vacation 2027-07-01 to 2027-07-14?", "vacation 2027-07-01 to 2027-07-14"),
    ("vacation soon", DAYS_OFF),
    ("vacation from 1 July", DAYS_OFF),
    ("vacation from 1 July for 14 days", DAYS_OFF),
    ("vacation 3 to 14", DAYS_OFF),
    ("vacation 3 to 14 to 20 August", DAYS_OFF),
    ("vacation 2 from 14 August", DAYS_OFF),
    ("vacation July 1, 27", DAYS_OFF),
    ("vacation 3 14 August", DAYS_OFF),
    ("vacation 5 2027-08-14", DAYS_OFF),
    ("vacation 1 July 27", DAYS_OFF),
    ("vacation 7/1/27 to 7/14/27", DAYS_OFF),
    ("vacation 1.7.277 to 14.7.27", DAYS_OFF),
    ("vacation 10.3. - 14.3. - 15.3.", DAYS_OFF),
    ("vacation 10.3. - 14.3. or so", DAYS_OFF),
    ("vacaton 10.3. - 14.3.", "vacation 10.3. - 14.3"),
    ("pausse for a week", "pause for a week"),
    ("hlep challenge", None),
    ("vacation 10.3. - 14.3.?", "vacation 10.3. to 14.3."),
    ("vacation off now", "vacation"),
    ("end the game", None),
    ("resume?", "resume"),
    ("acept", "accept"),
    ("declien", "decline"),
    ("histroy", "history"),
    ("mvoe d3", "move d3"),
    ("moves d3", "move d3"),
    ("move", "move <your move>"),
    ("move d3?", "move d3"),
    ("d3?", "move d3"),
    ("d3, good luck", "d3"),
    ("say", "say <words>"),
    ("say:", "say <words>"),
    ("challenge", "challenge <player> <game>"),
    ("challnge Bob take", "challenge Bob take"),
    ("challenge time=3d", "challenge <player> <game>"),
    ("challenge Bob take time=", "challenge <player> <game>"),
    ("challenge Bob take, time:", "challenge <player> <game>"),
    ("substitute", "substitute <player>"),
    ("substitut Carl", "substitute Carl"),
    ("Substitutes", "substitute <player>"),
    ("Substitute players are always welcome here", None),
    ("Substitutes are always a good idea", None),
    ("show me the money", "show"),
    ("set digst off", "set digest off"),
    ("ste digest off", "set digest off"),
    ("set digest", "settings"),
    ("set", "settings"),
    ("set digest off?", "set digest off"),
    ("unsubscribe?", "unsubscribe"),
    ("unsubcribe", "unsubscribe"),
    ("subscribe me to the news", "subscribe"),
    ("setings", "settings"),
    ("Set up the pieces again, will you", None),
    ("Nice game!", None),
    ("Hi Bob,", None),
    ("I will not resign", None),
    ("mvoe along", None),
    ("d33", None),
    ("We agreed on a draw, I think, so please accept", None),
]

CONFLICTS = [
    ("d3\nd4", ("d3", "d4")),
    ("move d3\nd4", ("move d3", "d4")),
    ("d3\nresign", ("d3", "resign")),
    ("d3\nresing", ("d3", "resing")),
    ("d3\nmvoe d4", ("d3", "mvoe d4")),
    ("resign\ndraw", ("resign", "draw")),
    ("accept\ndecline", ("accept", "decline")),
    ("accept\nd3", ("accept", "d3")),
    ("set digest off\nset digest 18:00\nset mail text", ("set digest off", "set digest 18:00")),
    ("subscribe\nunsubscribe", ("subscribe", "unsubscribe")),
    ("help\nd3\nsay hi\nresign", ("d3", "resign")),
    ("substitute Carl\nsubstitute Dan", ("substitute Carl", "substitute Dan")),
    ("substitute Carl\nsubstitute off", ("substitute Carl", "substitute off")),
    *((f"substitute Carl\n{other}", ("substitute Carl", other)) for other in ("accept", "confirm resign", "draw", "pause", "resign")),
]

TOGETHER: list[tuple[str, tuple[p.Phrase, ...], tuple[Unclear, ...]]] = [
    ("Hi Bob,\n\nd3\n\nAda", (p.Move("d3"),), ()),
    ("d3\nD3\nmove d3", (p.Move("d3"),), ()),
    ("draw\ndraw", (p.Draw(),), ()),
    ("d3\ndraw", (p.Move("d3"), p.Draw()), ()),
    ("d3\nsubstitute Carl", (p.Move("d3"), p.Substitute("Carl")), ()),
    ("decline\nd3", (p.Decline(), p.Move("d3")), ()),
    ("accept\nsay Let us begin", (p.Accept(), p.Say("Let us begin")), ()),
    ("show 1\nshow 2", (p.Show(1), p.Show(2)), ()),
    ("challenge Bob take\nchallenge Cleo take", (p.Challenge(("Bob",), "take"), p.Challenge(("Cleo",), "take")), ()),
    ("d3\nJames", (p.Move("d3"),), ()),
    ("set digest off\nset mail text\nd3", (p.Set("digest", "off"), p.Set("mail", "text"), p.Move("d3")), ()),
    ("undo d3", (p.Undo(), p.Move("d3")), ()),
    ("correct: d3", (p.Undo(), p.Move("d3")), ()),
    ("korrigiere d3", (p.Undo(), p.Move("d3")), ()),
    ("undo\nd3", (p.Undo(), p.Move("d3")), ()),
    ("correct me if I am wrong\nd3", (p.Move("d3"),), ()),
    ("say hi\nresing", (p.Say("hi"),), (Unclear("resing", "resign"),)),
    ("d3\nmvoe d3", (p.Move("d3"),), (Unclear("mvoe d3", "move d3"),)),
    ("say:\nresign\nand d3\n\nd4", (p.Say("resign\nand d3"), p.Move("d4")), ()),
    ("say: hi\nd3", (p.Say("hi"), p.Move("d3")), ()),
    ("say:\nhi\nnote d4 is weak\nd3", (p.Say("hi"), p.Note("d4 is weak"), p.Move("d3")), ()),
    ("note:\nd4 is weak\nresign\n\nd3", (p.Note("d4 is weak\nresign"), p.Move("d3")), ()),
    (f"note {'long ' * 500}\nd3", (p.Note(("long " * 500).strip()), p.Move("d3")), ()),
    ("d3\npublish notes?", (p.Move("d3"),), (Unclear("publish notes?", "publish notes"),)),
    ("say short\nwords\n\nand others", (p.Say("short\nwords"),), ()),
    ("say short\nd3", (p.Say("short"), p.Move("d3")), ()),
    ("say short\nresgin", (p.Say("short"),), (Unclear("resgin", "resign"),)),
    ("say short\nhistroy", (p.Say("short"),), ()),
    (
        "say This line is so long that a mail program would have wrapped it\nhere, and\nnot here",
        (p.Say("This line is so long that a mail program would have wrapped it here, and\nnot here"),),
        (),
    ),
    (
        "say This line is so long that a mail program would have wrapped it\nd3",
        (p.Say("This line is so long that a mail program would have wrapped it"), p.Move("d3")),
        (),
    ),
    ("Hello\nGood bye", (), (Unclear("Hello", None), Unclear("Good bye", None))),
    ("Hello\nHello", (), (Unclear("Hello", None),)),
    ("", (), ()),
    ("***\n---\n...", (), ()),
]


@for_each(("line", "phrase"), PHRASES)
def test_a_line_that_is_a_command(line: str, phrase: p.Phrase) -> None:
    check(line, phrases=(phrase,))


@for_each(("line", "suggestion"), ASKED)
def test_a_line_that_is_none(line: str, suggestion: str | None) -> None:
    check(line, unclear=(Unclear(line, suggestion),))


@for_each(("text", "lines"), CONFLICTS)
def test_nothing_is_done_about_lines_that_contradict_each_other(text: str, lines: tuple[str, ...]) -> None:
    check(text, conflict=lines)


@for_each(("text", "phrases", "unclear"), TOGETHER)
def test_several_lines(text: str, phrases: tuple[p.Phrase, ...], unclear: tuple[Unclear, ...]) -> None:
    check(text, phrases=phrases, unclear=unclear)


@for_each("usage", COMMANDS, ids=lambda usage: usage.word)
def test_every_command_in_the_help_works_as_it_says(usage: MailCommand) -> None:
    phrase, *_ = understand([usage.example], is_move, GAMES).phrases
    assert type(phrase) is usage.phrase
    assert usage.usage.split()[0] == usage.word


def test_every_phrase_is_one_command() -> None:
    assert sorted(one.phrase.__name__ for one in COMMANDS) == sorted(kind.__name__ for kind in p.Phrase.__args__)


def test_a_command_clashes_with_those_above_it() -> None:
    words = [one.word for one in COMMANDS]
    assert [one.word for at, one in enumerate(COMMANDS) if not one.clashes.issubset(words[:at])] == []


@given(st.lists(st.text(max_size=50), max_size=10))
def test_nothing_raises_and_what_changes_a_game_is_a_whole_line(lines: list[str]) -> None:
    understood = understand(lines, is_move, GAMES)
    assert not (understood.conflict and understood.phrases)
    if any(isinstance(phrase, p.Resign) for phrase in understood.phrases):
        assert any("resign" in line.casefold() or "give up" in line.casefold() for line in lines)


@given(st.sampled_from(["resign", "draw", "accept", "decline", "d3", "move d3"]), st.text("abcxyz ,", min_size=8).filter(str.strip))
def test_a_command_inside_a_sentence_is_no_command(command: str, words: str) -> None:
    for line in (f"we {words} {command}", f"so {command} {words} there it is then"):
        assert understand([line], is_move, GAMES).phrases == ()


@pytest.mark.parametrize(
    "lines",
    [
        ["On " * 20_000],
        ["x"] * 100_000,
        [" " * 100_000],
        ["-" * 100_000],
        ["resing"] * 1_000,
        ["challenge " + "a," * 400] * 1_000,
        ["say:"] + ["word " * 150] * 1_000,
        ["say " + "word " * 150] + ["word " * 150] * 1_000,
        ["if d3 then e4"] * 1_000,
        ["if d3 then e4 " + "word " * 20] + ["word " * 20] * 1_000,
        ["if d3 then e4 " + "(" * 60_000],
        ["if " * 20_000],
    ],
    ids=[
        "words",
        "lines",
        "spaces",
        "dashes",
        "near misses",
        "opponents",
        "block",
        "wrapped",
        "plans",
        "wrapped plan",
        "brackets",
        "conditions",
    ],
)
def test_no_text_takes_long(lines: list[str]) -> None:
    gc.collect()
    gc.freeze()  # what other tests left in memory does not count
    assert done_in_time(lambda: understand(lines, is_move, GAMES))


@for_each("usage", COMMANDS, ids=lambda usage: usage.word)
def test_a_phrase_is_written_so_that_it_reads_the_same(usage: MailCommand) -> None:
    """Every example of the help, read, written and read again."""
    phrases = understand([usage.example], is_move, GAMES).phrases
    assert phrases
    assert understand(map(str, phrases), is_move, GAMES).phrases == phrases


SEVERAL: list[tuple[str, Understood]] = [
    ("d3\ne4\nf5", Understood((p.Move("d3\ne4\nf5"),))),
    ("d3\n\ne4\n\nAda", Understood((p.Move("d3\ne4"),))),
    ("d3; e4\nf5", Understood((p.Move("d3; e4\nf5"),))),
    ("1) d3, then e4\n- and f5", Understood((p.Move("d3; e4\nf5"),))),
    ("move d3, e4\npreview", Understood((p.Preview("d3; e4"),))),
    ("Hello there\nd3\ne4", Understood((p.Move("d3\ne4"),))),
    ("d3,\ne4", Understood((p.Move("d3\ne4"),))),
    ("d33,\ne4", Understood((p.Move("e4"),), (Unclear("d33,", None),))),
    ("d33\n\ne4", Understood((p.Move("e4"),), (Unclear("d33", None),))),
    ("d3\ne44", Understood((p.Move("d3"),), (Unclear("e44", None),))),
    ("d3\n\nFlat 44", Understood((p.Move("d3"),))),
    ("d3\nnot sure\ne4", Understood((p.Move("d3\ne4"),), (Unclear("not sure", None),))),
    ("d3, e44", Understood((), (Unclear("d3, e44", "d3"),))),
    ("say " + "so " * 20 + "\nd33\ne4", Understood((p.Say(("so " * 20).strip()), p.Move("e4")), (Unclear("d33", None),))),
    ("d3\nd3", Understood((p.Move("d3\nd3"),))),
    ("move d3\ne4", Understood((p.Move("d3\ne4"),))),
    ("Hello Bob,\nd3\ne4\nBest wishes\nAda", Understood((p.Move("d3\ne4"),))),
    ("This was hard.\n\nd3\n\nNot sure about this one:\ne4", Understood((p.Move("d3\ne4"),))),
    ("d3\ne44\nf5", Understood((p.Move("d3\nf5"),), (Unclear("e44", None),))),
    ("e44\nd3", Understood((p.Move("d3"),), (Unclear("e44", None),))),
    ("d3\ndraw\ne4", Understood((p.Draw(), p.Move("d3\ne4")))),
    ("d3\nsay so\ne4", Understood((p.Say("so"), p.Move("d3\ne4")))),
    ("preview\nd3\ne4", Understood((p.Preview("d3\ne4"),))),
    ("d3\ne4\npreview", Understood((p.Preview("d3\ne4"),))),
    ("preview d3\ne4", Understood((p.Preview("d3\ne4"),))),
    ("d3\ne4\nresign", Understood(conflict=("d3 / e4", "resign"))),
]


@for_each(("text", "expected"), SEVERAL)
def test_several_lines_are_one_turn_where_a_turn_may_take_several_steps(text: str, expected: Understood) -> None:
    reads = lambda part: all(is_move(step.strip()) for step in part.split(";"))  # noqa: E731  # as the service's, with these moves
    assert understand(text.split("\n"), reads, GAMES, resembles=lambda line: any(letter.isdigit() for letter in line)) == expected


PREVIEWS: list[tuple[str, Understood]] = [
    ("preview d3", Understood((p.Preview("d3"),))),
    ("preview\nd3", Understood((p.Preview("d3"),))),
    ("d3\n\nPreview!", Understood((p.Preview("d3"),))),
    ("preview d3\nD3", Understood((p.Preview("d3"),))),
    ("preview", Understood((), (Unclear("preview", "preview <your move>"),))),
    ("preveiw d3", Understood((), (Unclear("preveiw d3", "preview d3"),))),
    ("preview d3\npreview e4", Understood(conflict=("preview d3", "preview e4"))),
    ("preview d3\nresign", Understood(conflict=("preview d3", "resign"))),
    ("preview d3\nshow", Understood((p.Preview("d3"), p.Show()))),
]


@for_each(("text", "expected"), PREVIEWS)
def test_a_turn_can_be_shown_before_it_is_played(text: str, expected: Understood) -> None:
    assert understand(text.split("\n"), is_move, GAMES) == expected


LUCKY: list[tuple[str, Understood]] = [
    ("accept my lucky words", Understood((p.Accept("my lucky words"),))),
    ("Accept: My  lucky\u00a0Words!", Understood((p.Accept("My lucky Words"),))),
    ("> **accept** 7", Understood((), (Unclear("> **accept** 7", None),))),
    ("**accept** \u201c7 times 7\u201d", Understood((p.Accept("7 times 7"),))),
    ("accept", Understood((p.Accept(),))),
    ("I accept!", Understood((p.Accept(),))),
    ("accept the invitation", Understood((p.Accept(),))),
    ("accept the invitation with pleasure", Understood((p.Accept("the invitation with pleasure"),))),
    ("accept my words?", Understood((), (Unclear("accept my words?", "accept"),))),
    ("I accept your kind invitation", Understood((), (Unclear("I accept your kind invitation", "accept"),))),
    ("acept my words", Understood((), (Unclear("acept my words", None),))),
    ("accept one\nsay two", Understood((p.Accept("one"), p.Say("two")))),
    ("accept one\naccept one", Understood((p.Accept("one"),))),
    ("accept one\naccept two", Understood(conflict=("accept one", "accept two"))),
    ("accept my apologies\ndecline", Understood(conflict=("accept my apologies", "decline"))),
]


@for_each(("text", "expected"), LUCKY)
def test_words_come_with_an_acceptance_where_they_are_lucky(text: str, expected: Understood) -> None:
    assert understand(text.split("\n"), is_move, GAMES, lucky=True) == expected
    assert all(understand([str(phrase)], is_move, GAMES, lucky=True).phrases == (phrase,) for phrase in expected.phrases)


@pytest.mark.parametrize("text", ["accept my apologies for the delay", "accept my lucky words", "Accept no substitutes"])
def test_elsewhere_a_sentence_that_begins_so_accepts_nothing(text: str) -> None:
    """It may be about anything, and what is on offer may be a draw."""
    assert understand([text], is_move, GAMES).phrases == ()
