"""Records that people write by hand, and their mistakes: each with the place and what to do about it."""

from textwrap import dedent

import pytest

from tests.cases import for_each
from turnserver.errors import BadRecord
from turnserver.records import jsonform
from turnserver.records.reading import read, split
from turnserver.records.record import Record
from turnserver.records.writing import write

HEADING = '[Game "take"]\n[Options "size 3"]\n[Red "Ada"]\n[Blue "Bob"]\n'

BY_HAND = {
    "case, blanks and line breaks": (
        '[game "TAKE"][OPTIONS " SIZE  3 "] [blue "Bob"]\r\n[Red "A" "da"]\r\n\r\n1.RED:  A1\n\n2.  b2(red RESIGNS)  0-1',
        "1. Red: a1 2. Blue: b2 (Red resigns) 0-1\n",
    ),
    "no seats": (HEADING + "1. a1 2. b2 *", "1. Red: a1 2. Blue: b2 *\n"),
    "no numbers": (HEADING + "Red: a1 Blue: b2 *", "1. Red: a1 2. Blue: b2 *\n"),
    "as in chess": (HEADING + "1.a1 2...b2 *", "1. Red: a1 2. Blue: b2 *\n"),
    "comments": (HEADING + "{ Ada\n  was  late }{}1. a1{\\}} *", "{Ada was late} 1. Red: a1 {\\}} *\n"),
    "nothing was played": (HEADING + "VOID", "void\n"),
    "a title for a key": (
        '[Game "Tako Judo"][North "?"][South "?"](draw agreed) 1/2-1/2',
        "(draw agreed) 1/2-1/2\n",
    ),
}


@for_each(("text", "course"), BY_HAND.values(), ids=BY_HAND)
def test_reads_what_people_write(text: str, course: str) -> None:
    record = read(text)
    assert write(record).partition("\n\n")[2] == course
    assert read(write(record)) == record


def test_a_byte_order_mark_is_no_word() -> None:
    assert read("\ufeff" + HEADING + "*") == read(HEADING + "*")


def test_what_a_heading_leaves_out_follows_from_the_game() -> None:
    record = read('[Game "tako"][White "?"][Black "?"]<3 4>*'.replace("<3 4>", ""))
    assert (record.players, record.revision, record.options) == (("", ""), 1, {"variant": "standard", "betting": False, "stake": 11})


def test_other_lines_are_kept() -> None:
    record = read('[Annotator "Eve"]' + HEADING + "*")
    assert record.others == {"Annotator": "Eve"}
    assert '[Annotator "Eve"]' in write(record)


WRONG = {
    "nothing": ("", "Line 1, column 1: there is no game in this file"),
    "no heading": ("1. a1 *", 'Line 1, column 1: a game begins with its heading, such as [Game "take"]'),
    "no such game": ('[Game "tak"]*', 'Line 1, column 2: There is no game called "tak". Did you mean "'),
    "no game": ('[Red "Ada"]*', "Line 1, column 1: the heading does not say which game it is"),
    "no such option": ('[Game "take"]\n[Options "siz 3"]*', 'Line 2, column 2: There is no option "siz". Did you mean "size"?'),
    "no such value": ('[Game "take"]\n[Options "size 9"]*', 'Line 2, column 2: The option size can\'t be "9". Choose 2 to 8.'),
    "no list of options": (
        '[Game "take"]\n[Options "size"]*',
        "Line 2, column 2: Options is a list such as size 5, betting yes",
    ),
    "no player": ('[Game "take"]\n[Red "Ada"]*', 'Line 1, column 1: the heading does not say who played: [Blue "?"]'),
    "a line twice": (HEADING + '[blue "Eve"]*', "Line 5, column 2: there is a second blue"),
    "an open string": ('[Game "take]\n*', "Line 1, column 7: this quotation mark has no partner on its line"),
    "an open comment": (HEADING + "{ a1 *", "Line 5, column 1: this comment does not end"),
    "an open roll": (HEADING + "<5\n{x} *", "Line 5, column 1: this roll does not end"),
    "no character": (HEADING + "{\\uffffff;} *", "Line 5, column 1: there is no character \\uffffff;"),
    "half a character": (HEADING + "{\\ud800;} *", "Line 5, column 1: there is no character \\ud800;"),
    "no value": (HEADING + "[Site]*", "Line 5, column 6: a text in quotation marks is missing before ']'"),
    "no bracket": (HEADING + '[Site "x" *', "Line 5, column 11: ] is missing"),
    "no end": (HEADING + "1. a1", "Line 5, column 6: there is no turn with its number, nor the result that ends a game"),
    "talk": (HEADING + "then 1. a1 *", "Line 5, column 1: 'then' is no turn with its number, nor the result that ends a game"),
    "no such seat": (HEADING + "Green: a1 *", "Line 5, column 1: Green is none of the seats, which are Red, Blue"),
    "the wrong seat": (HEADING + "1. a1\n2. Red: b2 *", "Line 6, column 1: turn 2 is Blue's, not Red's"),
    "the wrong turn": (HEADING + "1. a1\n3. b2 *", "Line 6, column 1: this is turn 2, not 3"),
    "turn 0": (HEADING + "0. a1 *", "Line 5, column 1: turns have the numbers 1, 2, ..., and not 0"),
    "an illegal step": (HEADING + "1. a1\n  2. a1 *", "Line 6, column 3: Your oppon"),
    "no step": (HEADING + "1. 2. a1 *", "Line 5, column 1: There is no move in that."),
    "no notation": (HEADING + "1. what *", "Line 5, column 1: "),
    "two turns in one": (HEADING + "1. a1; b2 *", 'Line 5, column 1: The turn ends with "a1". Leave out what follows.'),
    "a roll without chance": (HEADING + "1. a1 <5> *", "Line 5, column 7: chance has nothing to decide here"),
    "a roll left out": ('[Game "tako"][White ""][Black ""]1. a1 *', "Line 1, column 34: what chance decides first is missing"),
    "a last roll left out": (
        '[Game "tako"][White ""][Black ""]<3 4> <HI 2>\n1. a1 *',
        "Line 2, column 1: what chance decides next is missing",
    ),
    "by nobody": (HEADING + "1. (mouse) a1 *", "Line 5, column 5: a turn may be by house, by plan, or skipped, not 'mouse'"),
    "skipping what cannot be": (HEADING + "1. (skipped) *", "Line 5, column 1: no turn of this game can be skipped"),
    "an unknown note": (HEADING + "(Red sleeps) *", "Line 5, column 2: Red may resign (resigns), run out of time"),
    "no draws": (HEADING + "(draw agreed) 1/2-1/2", "Line 5, column 1: in Take nobody can agree on a draw"),
    "late out of turn": (HEADING + "(Blue runs out of time) 1-0", "Line 5, column 1: the turn is Red's, so Blue cannot run out of time"),
    "after the end": (HEADING + "(Red resigns) 1. a1 0-1", "Line 5, column 15: Red has resigned, so nothing can follow"),
    "won by whom": (HEADING + "(Red resigns)\n1-0", "Line 6, column 1: the result is not what the game came to: won by seat 2"),
    "no result": (HEADING + "(Red resigns)\n*", "Line 6, column 1: the game has ended, but the record has no result"),
    "too early": (HEADING + "1. a1 1-0", "Line 5, column 7: by the rules the game goes on"),
    "another ending": (
        HEADING + '[Termination "time"](Red resigns) 0-1',
        "Line 5, column 35: the game is said to have ended by time, but the last thing in it has not ended it so",
    ),
    "an adjudication of nothing": (
        HEADING + '[Termination "adjudication"]void',
        "Line 5, column 29: an adjudication names winners or is a draw",
    ),
    "two results": (HEADING + '[Result "1-0"]\n(Red resigns) 0-1', "Line 6, column 15: the game ends with 0-1, but its heading says 1-0"),
    "no share": (HEADING + '[Result "win"]\n*', "Line 5, column 2: a result is 1 or 0 for each of the 2 seats"),
    "too many shares": (HEADING + "1-0-0", "Line 5, column 1: a result is 1 or 0 for each of the 2 seats"),
    "half a win": (HEADING + "1-1/2", "Line 5, column 1: a result is 1 or 0 for each of the 2 seats"),
    "no termination": (HEADING + '[Termination "luck"]*', "Line 5, column 2: Termination is one of rules, resignation, "),
    "no day": (HEADING + '[Date "yesterday"]*', "Line 5, column 2: Date is a day such as 2026.11.22, not 'yesterday'"),
    "no day of the calendar": (HEADING + '[Date "2026.02.30"]*', "Line 5, column 2: Date is a day such as 2026.11.22, not '2026.02.30'"),
    "no last day": (HEADING + '[Ended "9999.99.99"]*', "Line 5, column 2: Ended is a day such as 2026.11.22, not '9999.99.99'"),
    "no year": (HEADING + '[Date "0000.??.??"]*', "Line 5, column 2: Date is a day such as 2026.11.22, not '0000.??.??'"),
    "no digest": (HEADING + '[Digest "12"]*', "Line 5, column 2: Digest is 64 hexadecimal digits, not '12'"),
    "no number": (HEADING + '[Revision "first"]*', "Line 5, column 2: Revision is a number, not 'first'"),
    "no teams": (HEADING + '[Teams "Red and Blue"]*', "Line 5, column 2: there are no teams in this game"),
    "no scores": (HEADING + '[Scores "1 2"](Red resigns)0-1', "Line 5, column 28: the scores are none, not 1 2"),
}


@for_each(("text", "says"), WRONG.values(), ids=WRONG)
def test_says_where_it_is_wrong_and_why(text: str, says: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read(text)
    assert str(caught.value)[: len(says)] == says


def test_goes_on_behind_a_game_that_is_wrong() -> None:
    good, bad = HEADING + "1. a1 *\n\n", HEADING + "1. z9 *\n\n"
    found = list(split(good + bad + '[Game "take"\n\n' + good))
    assert [line for line, _ in found] == [1, 7, 13, 15]
    assert [isinstance(one, Record) for _, one in found] == [True, False, False, True]


WRONG_JSON = {
    "nothing": ("", "This is no JSON: "),
    "too deep": ('{"a":' * 100_000, "This is no record: "),
    "no record": ("{}", "Object missing required field `game`"),
    "another format": ('{"format": "x"}', "Invalid value 'x' - at `$.format`"),
    "an unknown field": (
        dedent("""{"game": "take", "revision": 1, "options": {}, "players": ["", ""], "course": [], "names": []}"""),
        "Object contains unknown field `names`",
    ),
    "too few players": ('{"game": "take", "revision": 1, "options": {}, "players": [""], "course": []}', "there are 2 seats in this game"),
    "another revision": (
        '{"game": "take", "revision": 99, "options": {}, "players": ["", ""], "course": []}',
        "Take is not installed in revision 99 of its rules, only in 1",
    ),
    "an illegal item": (
        '{"game": "take", "revision": 1, "options": {}, "players": ["", ""], "course": [{"type": "draw_agreed"}]}',
        "Item 1 of its course: in Take nobody can agree on a draw",
    ),
    "no day of the calendar": (
        '{"game": "take", "revision": 1, "options": {}, "players": ["", ""], "course": [], "ended": "????.04.31"}',
        "A day is such as 2026.11.22, not '????.04.31'",
    ),
    "a line of ours": (
        '{"game": "take", "revision": 1, "options": {}, "players": ["", ""], "course": [], "others": {"red": "x"}}',
        "a heading cannot have a line 'red' of its own",
    ),
}


@for_each(("text", "says"), WRONG_JSON.values(), ids=WRONG_JSON)
def test_says_what_is_wrong_in_json(text: str, says: str) -> None:
    ((_, found),) = jsonform.split(text)
    assert isinstance(found, BadRecord)
    assert str(found)[: len(says)] == says
