"""Private notes, from the mail that keeps them to the mails that show them: to their player alone, until they are published."""

import re

import pytest

from tests.service.world import World
from turnserver.ids import GameId, Version, game_stream
from turnserver.records.record import Comment, Turn
from turnserver.service.games.notes import LONGEST, MOST
from turnserver.store.games import notes
from turnserver.store.log import log


def kept(world: World, game: GameId, name: str = "Ada") -> list[tuple[int, str]]:
    """A player's notes of a game, each with its turn."""
    with world.service.db.read() as conn:
        return [(one.turn, one.text) for one in notes.own(conn, world.service.people.find(name).id, game)]


def flat(text: str) -> str:
    return " ".join(text.replace("\n| ", "\n").split())


def over(world: World) -> GameId:
    """A game that Ada has resigned after three turns, with two notes of hers and one of Bob's."""
    game = world.open({"size": 4})
    world.answer("Ada", "note wide open\nd4")
    world.answer("Bob", "note a trap\na1")
    world.answer("Ada", "d1")
    world.answer("Bob", "resign")
    world.answer("Bob", "confirm resign")
    world.answer("Ada", "note {won} at last")
    return game


KEPT: list[tuple[str, list[tuple[int, str]], int]] = [
    ("note watch a1\nb2", [(1, "watch a1")], 1),
    ("Note: watch *a1*\nb2", [(1, "watch *a1*")], 1),
    ("notiz auf a1 achten\nb2", [(1, "auf a1 achten")], 1),
    ("note watch a1", [(1, "watch a1")], 0),
    ("note:\nwatch a1\nb2\n\nb2", [(1, "watch a1\nb2")], 1),
    ("note watch a1\nnote watch c2\nnote watch a1", [(1, "watch a1"), (1, "watch c2")], 0),
    ("say hello\nnote watch a1\nb2", [(1, "watch a1")], 1),
    ("say:\nhello\nnote watch a1\nb2", [(1, "watch a1")], 1),
    (f"note {'x' * LONGEST}", [(1, "x" * LONGEST)], 0),
    (f"note {'x' * LONGEST}y\nb2", [], 0),
    ("note", [], 0),
    ("note watch a1\nz9", [], 0),
]


@pytest.mark.parametrize(("mail", "expected", "turns"), KEPT)
def test_a_note_is_kept_with_its_turn_and_told_to_nobody(world: World, mail: str, expected: list[tuple[int, str]], turns: int) -> None:
    world.want("html", "Bob", "Cleo")
    game = world.open()
    world.answer("Ada", mail)
    assert kept(world, game) == expected
    assert world.state(game).line.length == turns
    mails = [mail for name in ("Bob", "Cleo") for mail in world.mails(name)]
    told = [str(part.get_content()) for mail in mails for part in mail.walk() if part.get_content_maintype() == "text"]
    with world.service.db.read() as conn:
        told += [str(row) for row in log.load(conn, game_stream(game))]
    assert not [one for one in told if any(word in one for word in ("watch", "achten", "xxxx"))]


def test_the_same_note_is_kept_once_a_turn(any_world: World) -> None:
    world = any_world
    game = world.open()
    mail = world.mails("Ada")[-1]
    for _ in range(2):
        world.answer("Ada", "note again", mail=mail)
    world.answer("Ada", "b2", mail=mail)
    world.answer("Bob", "a1")
    world.answer("Ada", "note again")
    # the first mail of the game answers the first turn, whatever has happened since
    world.answer("Ada", "note late", mail=mail)
    assert kept(world, game) == [(1, "again"), (3, "again"), (1, "late")]


SHOWN: list[tuple[str, str, list[str], list[str]]] = [
    ("en", "note watch a1", ["Your note of turn 1: watch a1"], ["for all your notes"]),
    ("de", "notiz auf a1 achten", ["Deine Notiz zum 1. Zug: auf a1 achten"], ["of turn"]),
    ("en", "note one\nnote two\nnote three\nnote four", ["turn 1: four", "three", 'two Reply "notes" for all your notes.'], [": one"]),
    ("en", f"note {'word ' * 60}end", ["Your note of turn 1: word word", '\u2026 Reply "notes" for all your notes.'], ["end Reply"]),
]


@pytest.mark.parametrize(("language", "mail", "there", "missing"), SHOWN)
def test_the_next_mail_of_a_turn_shows_the_newest_notes(
    world: World, language: str, mail: str, there: list[str], missing: list[str]
) -> None:
    world.service.people.choose("Ada", [("language", language)], actor="admin:test", cause="test:language")
    world.open()
    world.answer("Ada", f"{mail}\nb2")
    world.answer("Bob", "a1")
    shown = {"turn": world.text("Ada")}
    world.answer("Ada", "show")
    shown["board"] = world.text("Ada")
    world.wait(days=2, hours=1)
    world.service.upkeep.sweep()
    world.settle()
    shown["reminder"] = world.text("Ada")
    assert len(set(shown.values())) == len(shown)
    for text in shown.values():
        assert [one for one in there if one not in flat(text)] == []
        assert [one for one in missing if one in flat(text)] == []
        lines = [line for line in text.splitlines() if re.search(r"of turn 1|zum 1\. Zug|^\| word", line)]
        assert 1 <= len(lines) <= 3
    assert "of turn 1" not in world.text("Bob")


def test_the_digest_shows_them(world: World) -> None:
    game = world.open()
    world.answer("Ada", "note watch a1\nb2")
    world.service.people.choose("Ada", [("digest", "18:00")], actor="admin:test", cause="test:digest")
    world.answer("Bob", "a1")
    world.wait(days=1)
    world.settle()
    assert "Your games today" in str(world.mails("Ada")[-1]["Subject"])
    assert "Your note of turn 1: watch a1" in world.text("Ada")
    assert kept(world, game) == [(1, "watch a1")]


def test_a_mail_with_nothing_else_is_answered(world: World) -> None:
    world.open()
    world.answer("Ada", "note first")
    assert "Your note is kept. Nobody else sees it." in world.text("Ada")
    assert "first" not in world.text("Ada")
    world.answer("Ada", "note:\nsecond\nand more")
    assert 'Reply "notes" for all your notes.' in world.text("Ada")
    for asked in ("notes", "note", "notizen", "note:"):
        world.answer("Ada", asked)
        assert "Your notes of Take 1. Turn 1: first Turn 1: second and more" in flat(world.text("Ada"))
    world.answer("Bob", "notes")
    assert "You have no notes of Take 1." in world.text("Bob")


def test_a_yes_may_stand_beside_a_note(world: World) -> None:
    game = world.open(accepted=False)
    world.answer("Ada", "yes\nnote they are strong")
    world.answer("Bob", "yes")
    assert world.state(game).to_move == 1
    assert kept(world, game) == [(1, "they are strong")]


REFUSED: list[tuple[str, str, str]] = [
    ("Ada", "publish notes", "not_over"),
    ("Ada", "notizen veröffentlichen", "not_over"),
    ("Ada", "hide notes", "no_notes"),
    ("Ada", f"note {'x' * (LONGEST + 1)}", "long_note"),
    ("Ada", "publish notes\nhide notes", "conflict"),
    ("Cleo", "note let me in", "which_game"),
]


@pytest.mark.parametrize(("name", "mail", "code"), REFUSED)
def test_what_is_refused(world: World, name: str, mail: str, code: str) -> None:
    world.open()
    world.answer(name, mail)
    assert world.outcome() == f"done: refused: {code}"


def test_there_is_an_end_to_room(world: World) -> None:
    game = world.open()
    player = world.service.people.find("Ada").id
    with world.service.db.write() as tx:
        for number in range(MOST - 1):
            notes.add(tx, player, game, 1, f"note {number}", world.now)
    world.answer("Ada", "note one\nnote two")
    assert f"There is room for {MOST} notes a game, and you have {MOST - 1}." in flat(world.text("Ada"))
    world.answer("Ada", "note note 1\nnote one")
    assert len(kept(world, game)) == MOST


COMMENTS = ["Ada: wide open", "Ada: {won} at last"]


def comments(world: World, game: GameId, version: Version | None = None) -> list[str]:
    return [item.text for item in world.service.games.record(game, version).course if isinstance(item, Comment)]


@pytest.mark.parametrize(("publish", "hide"), [("publish notes", "hide notes"), ("notizen veröffentlichen", "notizen verbergen")])
def test_after_the_end_notes_become_comments(any_world: World, publish: str, hide: str) -> None:
    world = any_world
    game = over(world)
    assert kept(world, game) == [(1, "wide open"), (3, "{won} at last")]
    assert comments(world, game) == []
    world.answer("Ada", publish)
    assert "They are comments in the record of Take 1, with your name." in flat(world.text("Ada"))
    assert comments(world, game) == COMMENTS
    course = world.service.games.record(game).course
    turns = [getattr(course[at - 1], "turn", None) for at, item in enumerate(course) if isinstance(item, Comment)]
    assert turns == [1, 3]
    assert isinstance(course[0], Turn)
    # a later note is as private as the first were
    world.answer("Ada", "note for me alone")
    assert comments(world, game) == COMMENTS
    world.answer("Ada", hide)
    assert "Your notes are private again." in world.text("Ada")
    assert comments(world, game) == []


def test_nothing_is_told_while_a_game_goes_on_after_all(world: World) -> None:
    """Not even what its player had published when the game seemed to be over."""
    game = world.open({"size": 4})
    world.answer("Ada", "note wide open\nd4")
    world.answer("Bob", "a1")
    world.answer("Ada", "d1")
    world.wait(days=3, hours=1)
    world.service.upkeep.sweep()
    world.settle()
    assert 'You have kept notes of this game. Reply "notes" to read or publish them.' in flat(world.text("Ada"))
    ended = world.state(game).version
    world.answer("Ada", "publish notes")
    assert comments(world, game, ended) == ["Ada: wide open"]
    world.answer("Ada", "reopen")
    world.answer("Bob", "accept")
    assert world.state(game).result is None
    assert comments(world, game) == comments(world, game, ended) == []
