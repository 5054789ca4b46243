"""Turns of several steps as people write them by mail, each played whole or not at all."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

import pytest

from tests.service.games.test_stories import corner, names
from tests.service.mailroom.test_play_again import button
from tests.service.world import World
from turnserver.config import Incoming
from turnserver.ids import GameId
from turnserver.store.log.database import Database

PLAYED = [
    "{a}\n{b}\n{c}",
    "Hello,\n{a}\n{b}\n{c}\nBest wishes,\nAda",
    "Hello there\n{a}\n{b}\n{c}",
    "Dear all\n\nthis one was hard to find.\n{a}\n{b}\n{c}\n\nPS: good luck with yours",
    "Here is my move\n{a}\n\n{b}\n\nand that is all I dare.\n\n{c}\n--\nAda",
    "My turn:\n1. {a}\n2. {b}\n3. {c}",
    "(1) {a}\n(2) {b}\n(3) {c}",
    "1: {a}\n2: {b}\n3: {c}",
    "Step 1: {a}\nStep 2: {b}\nStep 3: {c}",
    "- {a}\n- {b}\n- {c}",
    " * {a}\n * {b}\n * {c}",
    "\u00b7 {a}\n\u00b7 {b}\n\u00b7 {c}",
    "-> {a}\n-> {b}\n-> {c}",
    "{a}\nthen {b}\nand then {c}",
    "First {a}\nThen, {b}\nFinally {c}.",
    "{a}, then\n{b}, and\n{c}!",
    "{a}, {b}, {c}",
    "{a};{b}; {c};",
    "{a}. {b}. {c}.",
    "{a}, then {b} and finally {c}",
    "1. {a}; 2. {b}; 3. {c}",
    "move {a}\nmove {b}\nmove {c}",
    "> What do you play?\n{a}\n> And then?\n{b}\n{c}\n\n> {a}\n> {c}",
    "play it like this:\n{a}\n{b}\n{c}",
]
"""The steps stand for a, b and c, the last of them a keeper."""

STOPPED = [
    ("{wrong_a}\n{b}\n{c}", "not_understood"),
    ("{wrong_a},\n{b}\n{c}", "not_understood"),
    ("{wrong_a}\n\n{b}\n{c}", "not_understood"),
    ("Hello,\n\nthen {wrong_a}\n\n{c}", "not_understood"),
    ("{a}\n{wrong_b}\n{c}", "not_understood"),
    ("{a}\n\n{wrong_b}\n\n{c}", "not_understood"),
    ("{a}\n{b}\nkepper north\nAda", "not_understood"),
    ("squrit keeps\n\n{c}", "not_understood"),
    ("{a}\nI am not sure about this\n{b}\n{c}", "not_understood"),
    ("{a} (I think)\n\n{c}", "not_understood"),
    ("say you will not believe how long I have thought about what comes now\n{wrong_a}\n{b}\n{c}", "not_understood"),
    ("{a}, {wrong_b}, {c}", "not_understood"),
    ("{a}; {wrong_b}; {c}", "unreadable"),
    ("{a}\n{b}", "too_few_steps"),
    ("{a}\n{b}\n\nkepper north", "too_few_steps"),
    ("{a}\n{b}\n{c}\nsquish escape b10", "too_many_steps"),
    ("{a}\n{b}\n{c}\n\n{a}\n{b}\n{c}", "too_many_steps"),
    ("| {a}\n| {b}\n{c}", "barred"),
    ("ok", "not_understood"),
    ("{a}\n{b}\n{c}\nresign", "conflict"),
]
"""`wrong_a` is a with a typing error."""


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that plays the games of the catalogue and does not tire of answering."""
    db = Database.connect(sqlite_url)
    yield World(db, tmp_path / "mail", Incoming(answers_per_day=1_000))
    db.close()


@pytest.fixture
def game(club: World) -> GameId:
    """A game whose first turn is due."""
    return club.open_any("sneaky-octopuses", ["Ada", "Bob"], {"players": 2})


def turn(world: World, game: GameId) -> dict[str, str]:
    """The steps of a turn for whoever has it, and two of them with typing errors."""
    first, second = corner(world, game)
    a, b = f"Speedy escape {first}", f"Squirt escape {second}"
    return {"a": a, "b": b, "c": "keeper north", "wrong_a": a.replace("Speedy", "Sppeedy"), "wrong_b": b.replace("escape", "escpae")}


def test_a_turn_is_read_however_its_lines_are_written(club: World, game: GameId) -> None:
    steps, mover = turn(club, game), names(club, game)[0]
    asked = club.mails(mover)[-1]
    for text in PLAYED:
        club.answer(mover, "preview\n\n" + text.format(**steps), mail=asked)
        assert (text, previewed(club, mover)) == (text, [steps["a"], steps["b"], "keeper f11"])
    assert club.state(game).line.length == 0
    club.answer(mover, PLAYED[3].format(**steps), mail=asked)
    assert [entry.steps for entry in club.state(game).line.turns] == [(steps["a"], steps["b"], "keeper f11")]


def test_no_turn_is_played_in_part(club: World, game: GameId) -> None:
    steps, mover = turn(club, game), names(club, game)[0]
    asked = club.mails(mover)[-1]
    before = club.state(game)
    for text, code in STOPPED:
        club.answer(mover, text.format(**steps), mail=asked)
        assert (text, club.outcome()) == (text, f"done: refused: {code}")
    assert club.state(game) == before


def previewed(world: World, mover: str) -> list[str]:
    """The steps that the newest mail shows."""
    assert world.outcome() == "done: answered"
    return [line.removeprefix("| ") for line in world.text(mover).splitlines() if line.startswith("| ")]


LONG = (
    "1. Speedy escapes to {first}; 2. Squirt escapes to {second}; 3. Finally, the north keeper.",
    "First Speedy escapes to {first}, then Squirt escapes to {second}, and finally the north keeper.",
    "preview Speedy escapes to {first}, and then Squirt escapes to {second}, and finally the north keeper",
)


@pytest.mark.parametrize("line", LONG)
def test_a_long_line_is_read_wherever_the_mail_program_wraps_it(club: World, game: GameId, line: str) -> None:
    mover, (first, second), steps = names(club, game)[0], corner(club, game), turn(club, game)
    asked = club.mails(mover)[-1]
    for width in (68, 70, 72, 75, 78):
        club.answer(mover, "preview\n" + fill(line.format(first=first, second=second), width), mail=asked)
        assert (width, previewed(club, mover)) == (width, [steps["a"], steps["b"], "keeper f11"])


def test_flowed_text_is_read_as_its_lines_were_typed(club: World, game: GameId) -> None:
    """RFC 3676: a blank at the end of a line says that it goes on, wherever the mail program broke it."""
    mover, steps = names(club, game)[0], turn(club, game)
    asked = club.mails(mover)[-1]
    body = "{a}; \n{b};\nkeeper \nnorth\n".format(**steps).replace("\n", "\r\n")
    headers = f"From: {mover.lower()}@example.org\r\nTo: {asked['Reply-To']}\r\nMessage-ID: <flowed@example.org>\r\n"
    club.deliver(f"{headers}Content-Type: text/plain; format=flowed\r\n\r\n{body}".encode())
    assert club.state(game).line.turns[-1].steps == (steps["a"], steps["b"], "keeper f11")


def test_lines_that_were_copied_with_their_bars_are_asked_about(club: World, game: GameId) -> None:
    """Some mail programs quote with a bar, so it cannot be told what such lines are; in a preview quoted as it was they do no harm."""
    mover, steps = names(club, game)[0], turn(club, game)
    club.answer(mover, "preview\n{a}\n{b}".format(**steps))
    preview = club.mails(mover)[-1]
    shown = club.text(mover)
    for copied in ("| {a}\n| {b}\nkeeper f11", "| {a}\n| {b}\n| keeper f11", "{a}\n| {b}\nkeeper f11"):
        club.answer(mover, copied.format(**steps), mail=preview)
        assert (copied, club.outcome()) == (copied, "done: refused: barred")
    club.answer(mover, "{a}\nkeeper f11\n\n".format(**steps) + shown, mail=preview)
    assert club.state(game).line.turns[-1].steps == (steps["a"], "keeper f11")


COPIES = [
    "{}; {}",
    "{};\n{}",
    "{}\n\n{}",
    "{};\n\n{}",
    "{};\n\n{};",
    "\u2022 {};\n\n\u2022 {}.",
    "- {},\n\n- {}",
    "{} ;\n\n\n{} ;",
    "{}\uff1b\n\n{}\uff1b",
]
"""A turn of two steps, as mail programs and people take it over from our mail."""


@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize("step", ["speedy", "Speedy"])
def test_an_example_of_ours_is_played_whole_however_it_is_copied(club: World, game: GameId, copy: str, step: str) -> None:
    mover = names(club, game)[0]
    example = next(line for line in club.text(mover).splitlines() if line.startswith("  e.g. ") and ";" in line)
    steps = example.removeprefix("  e.g. ").split("; ")
    club.answer(mover, copy.format(*(one.replace("Speedy", step) for one in steps)) + "\n\nSent from my phone")
    assert club.state(game).line.turns[-1].steps == tuple(steps)


def test_a_step_that_our_mail_has_in_a_sentence_is_asked_about(club: World, game: GameId) -> None:
    """It counts as a quotation, and the turn would be played without it."""
    (mover, other), escape = names(club, game), f"Tako escape {corner(club, game)[1]}"
    club.answer(other, f"say I fear {escape}, keeper f11 most. Or is it Speedy move i2-i3-i4 that you have in mind?")
    said = club.mails(mover)[-1]
    for text in (f"{escape}\n\nkeeper f11", "Speedy move i2-i3-i4\n\nkeeper north", "- Speedy move i2-i3-i4;\n\nkeeper f11"):
        club.answer(mover, text, mail=said)
        assert (text, club.outcome()) == (text, "done: refused: sent")
    club.answer(mover, f"move {escape}; keeper f11", mail=said)
    assert club.state(game).line.turns[-1].steps == (escape, "keeper f11")


def test_what_our_mail_quotes_of_an_earlier_one_is_no_part_of_the_turn_above_it(club: World, game: GameId) -> None:
    mover, (first, second) = names(club, game)[0], corner(club, game)
    club.answer(mover, f"Speedy escape {first}\nSquirt escape {second}")
    club.answer(mover, f"Tako escape {second}\nkeeper north\n\nSpeedy escape {first}\nSquirt escape {second}")
    assert [turn.text for turn in club.state(game).line.turns] == [f"Tako escape {second}; keeper f11"]


@pytest.mark.parametrize(("part", "way"), [("plain", "below"), ("html", "below"), ("plain", "above")])
def test_our_whole_mail_without_marks_holds_no_step(club: World, game: GameId, part: str, way: str) -> None:
    mover = names(club, game)[0]
    club.want("html", mover)
    club.answer(mover, "show")
    found = club.mails(mover)[-1].get_body((part,))
    assert found is not None
    ours, line_end = str(found.get_content()), "<br>" if part == "html" else "\n\n"
    own = "<p>keeper north</p>" if part == "html" else "keeper north"
    body = own + line_end + ours if way == "below" else ours.partition("\n")[2] + line_end + own
    head = f"From: {mover.lower()}@example.org\nTo: {club.mails(mover)[-1]['Reply-To']}\nMessage-ID: <whole@example.org>\n"
    club.deliver(f"{head}References: {club.mails(mover)[-1]['Message-ID']}\nContent-Type: text/{part}; charset=utf-8\n\n{body}".encode())
    assert [turn.text for turn in club.state(game).line.turns] == ["keeper f11"]


@pytest.mark.parametrize("command", ["preview", "Preview:", "Vorschau"])
def test_a_preview_shows_all_steps_of_its_line(club: World, game: GameId, command: str) -> None:
    mover, steps = names(club, game)[0], turn(club, game)
    club.answer(mover, "{command} {a}; {b}; {c}".format(command=command, **steps))
    assert previewed(club, mover) == [steps["a"], steps["b"], "keeper f11"]


@pytest.mark.parametrize("command", ["move", "Move:", "ziehe"])
def test_a_move_has_all_steps_of_its_line(club: World, game: GameId, command: str) -> None:
    mover, steps = names(club, game)[0], turn(club, game)
    club.answer(mover, "{command} {a}; {b}; {c}".format(command=command, **steps))
    assert club.state(game).line.turns[-1].steps == (steps["a"], steps["b"], "keeper f11")


SYNTAX = ["Tako move b9-b8-b7", "Tako move b9+3-b8-b7", "Squish move d10-d8", "Speedy slide b5", "Tako throw 3 e6"]


@pytest.mark.parametrize("step", SYNTAX)
def test_a_step_from_our_lines_on_how_to_write_is_read(club: World, game: GameId, step: str) -> None:
    """It is not legal at the beginning, which is what the answer says."""
    club.answer(names(club, game)[0], f"{step};\n\nkeeper north")
    assert club.outcome() not in {"done: refused: sent", "done: refused: not_understood", "done: refused: unreadable"}
    assert club.state(game).line.length == 0


@pytest.mark.parametrize("words", ["ok", "Yes!", "Looks good.\n--\nAda", "> | keeper f11\nyes, go ahead"])
def test_a_yes_to_a_preview_plays_its_lines(club: World, game: GameId, words: str) -> None:
    mover, steps = names(club, game)[0], turn(club, game)
    club.answer(mover, "preview\n{a}\n{b}\n{c}".format(**steps))
    club.answer(mover, words)
    assert club.state(game).line.turns[-1].steps == (steps["a"], steps["b"], "keeper f11")


@pytest.mark.parametrize(("language", "label"), [("en", "Play it"), ("de", "Zug spielen")])
def test_the_button_of_a_preview_plays_its_lines(club: World, game: GameId, language: str, label: str) -> None:
    """It opens a new mail, which names no other."""
    mover, steps = names(club, game)[0], turn(club, game)
    club.want("html", mover)
    club.service.people.choose(mover, [("language", language)], actor="admin:test", cause="test:language")
    club.answer(mover, "preview\n{a}\n{b}\n{c}".format(**steps))
    to, text = button(club, mover, label) or ("", "")
    head = f"From: {mover.lower()}@example.org\nTo: {to}\nMessage-ID: <touched@example.org>\n"
    club.deliver(f"{head}Content-Type: text/plain\n\n{text}".encode())
    assert club.state(game).line.turns[-1].steps == (steps["a"], steps["b"], "keeper f11")


def test_a_yes_to_a_part_of_a_turn_plays_nothing(club: World, game: GameId) -> None:
    mover, steps = names(club, game)[0], turn(club, game)
    club.answer(mover, "preview\n{a}\n{b}".format(**steps))
    before = club.state(game)
    club.answer(mover, "yes")
    assert (club.outcome()[:13], club.state(game)) == ("done: refused", before)


def test_a_yes_to_anything_else_is_not_understood(club: World, game: GameId) -> None:
    """Nor does one to a preview of a turn that was played since show it again."""
    mover, other = names(club, game)
    steps = turn(club, game)
    club.answer(mover, "preview\n{a}\n{b}\n{c}".format(**steps))
    preview = club.mails(mover)[-1]
    club.answer(other, "ok")
    assert club.outcome() == "done: refused: not_understood"
    club.answer(mover, "{a}\n{c}".format(**steps), mail=preview)
    club.answer(mover, "ok", mail=preview)
    assert club.outcome() == "done: refused: turn_already_played"
