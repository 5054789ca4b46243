"""Tables of three and four by mail, where turns, leavings, draws and retractions cross each other."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.play import small_games
from tests.service.world import BEGIN, World
from turnserver import games
from turnserver.audit.game.recheck import recheck
from turnserver.ids import GameId, game_stream
from turnserver.play.commands import Retract
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.evolve import FindGame
from turnserver.play.state import Result
from turnserver.rules.kit import example_turns
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Database

DAN = "dan@example.org"
FOUR = ("Ada", "Bob", "Cleo", DAN)


def seated(database: Database, directory: Path, find: FindGame) -> World:
    """A world with Dan."""
    world = World(database, directory, find=find)
    world.add("Dan", DAN)
    world.settle()
    return world


@pytest.fixture
def world(sqlite_url: str, tmp_path: Path) -> Iterator[World]:
    """A world that plays the small games."""
    db = Database.connect(sqlite_url)
    yield seated(db, tmp_path / "mail", small_games.find)
    db.close()


def write(world: World, name: str, text: str) -> str:
    """Return what becomes of a mail by one of the four."""
    world.answer(name, text, sender=name if "@" in name else None)
    return world.outcome().removeprefix("done: ").removeprefix("refused: ")


def opened(world: World, key: str, options: dict[str, str | int | bool], players: tuple[str, ...] = FOUR) -> GameId:
    """A running game between the first of the four."""
    game = world.open_any(key, players, options, accepted=False)
    for name in players:
        write(world, name, "accept")
    return game


def counts(world: World) -> list[int]:
    """Return the number of mails that each of the four has got."""
    return [len(world.mails(name)) for name in FOUR]


def said(world: World, name: str) -> str:
    """The newest mail of somebody as one line."""
    return " ".join(world.text(name).split())


def check_sound(world: World, game: GameId, find: FindGame = small_games.find) -> None:
    with world.service.db.read() as conn:
        kept = keyring.of_stream(conn, game_stream(game))
        assert list(recheck((row.event for row in world.service.games.history(game)), game, find, kept)) == []


# each line: who writes what, what becomes of it, whose turn it is then, who has left, and how many mails each of the four gets
CROSSING = [
    ("Ada", "1", "carried out", 2, [], [0, 1, 0, 0]),
    ("Ada", "confirm resign", "answered", 2, [], [1, 0, 0, 0]),
    ("Ada", "confirm resign", "carried out", 2, [1], [0, 1, 1, 1]),
    ("Ada", "1", "left_game", 2, [1], [1, 0, 0, 0]),
    ("Ada", "preview 1", "left_game", 2, [1], [1, 0, 0, 0]),
    ("Ada", "say hello", "left_game", 2, [1], [1, 0, 0, 0]),
    ("Ada", "show\nhistory", "answered", 2, [1], [2, 0, 0, 0]),
    ("Cleo", "1", "not_your_turn", 2, [1], [0, 0, 1, 0]),
    ("Bob", "1\nresign", "conflict", 2, [1], [0, 1, 0, 0]),
    ("Bob", "confirm resign\nsay bye", "carried out", 3, [1, 2], [0, 0, 1, 1]),
    ("Cleo", "1\nsay thanks", "carried out", 4, [1, 2], [0, 0, 0, 1]),
    (None, "an admin takes the turns from 1 on back", "", 1, [], [1, 1, 1, 1]),
    (DAN, "1", "not_your_turn", 1, [], [0, 0, 0, 1]),
    ("Cleo", "2", "not_your_turn", 1, [], [0, 0, 1, 0]),
    ("Ada", "2", "carried out", 2, [], [0, 1, 0, 0]),
    ("Bob", "1", "carried out", 3, [], [0, 0, 1, 0]),
]


def test_who_leaves_between_turns_and_comes_back_with_a_turn_that_is_taken_back(world: World) -> None:
    game = opened(world, "lots", {"heap": 60, "dice_from": 1})
    for name, text, becomes, to_move, left, mails in CROSSING:
        before = counts(world)
        if name is None:
            world.service.games.handle(game, Retract(1, "the wrong board"), actor="admin:test", cause="cli:retract")
            world.settle()
            assert all("Ada (Red) and Bob (Blue) are back at the table." in said(world, each) for each in FOUR)
        else:
            assert (text, write(world, name, text)) == (text, becomes)
        state = world.state(game)
        got = [after - one for after, one in zip(counts(world), before, strict=True)]
        assert (text, state.to_move, sorted(state.left), got) == (text, to_move, left, mails)
    check_sound(world, game)


def test_flags_fall_one_after_the_other(world: World) -> None:
    """Each gets a whole turn's time and a reminder; the team that is left wins, with the one of it who had to go."""
    game = opened(world, "lots", {"heap": 60, "dice_from": 1})
    for name in FOUR:
        assert write(world, name, "1") == "carried out"
    falls = []
    state = world.state(game)
    while state.result is None and world.now < BEGIN + timedelta(days=10):
        world.wait(minutes=30)
        if any(world.service.upkeep.sweep()):
            world.settle()
        before, state = state, world.state(game)
        if state.left != before.left:
            assert before.deadline is not None
            assert timedelta() < world.now - before.deadline < timedelta(hours=1)
            falls.append((*(state.left - before.left), state.to_move, state.turn))
    assert falls == [(1, 2, 5), (2, 3, 5), (3, None, 5)]
    assert state.result is not None
    assert (state.result.outcome, state.result.by, state.result.winners) == (Outcome.WON, EndedBy.TIME, (2, 4))
    assert "you win, with Dan (Black)" in said(world, "Bob")
    assert "you win, with Bob (Blue)" in said(world, DAN)
    assert all("Bob (Blue) and Dan (Black) win" in said(world, name) for name in ("Ada", "Cleo"))
    assert [sum(mail["Message-ID"].startswith("<reminder.") for mail in world.mails(name)) for name in FOUR] == [1, 1, 1, 0]
    check_sound(world, game)


OFFERS = [
    ((("Bob", "draw"), ("Cleo", "accept"), ("Ada", "accept")), (1, 2, 3)),
    ((("Bob", "draw"), ("Cleo", "confirm resign"), ("Ada", "accept")), None),
    ((("Bob", "draw"), ("Bob", "confirm resign"), ("Cleo", "accept"), ("Ada", "accept")), None),
    ((("Bob", "draw"), ("Cleo", "accept"), ("Ada", "confirm resign")), None),
    ((("Bob", "draw"), ("Cleo", "decline"), ("Ada", "accept")), None),
    ((("Bob", "draw"), ("Cleo", "accept"), ("Ada", "1"), ("Ada", "accept")), None),
    ((("Bob", "confirm resign"), ("Cleo", "draw"), ("Ada", "accept")), (1, 3)),
]


@pytest.mark.parametrize(("mails", "agreed"), OFFERS)
def test_a_draw_needs_everybody_who_is_there(world: World, mails: tuple[tuple[str, str], ...], agreed: tuple[int, ...] | None) -> None:
    """And an offer lapses with the table that it was made to."""
    game = opened(world, "trio", {"heap": 60}, FOUR[:3])
    for name, text in mails:
        write(world, name, text)
    state = world.state(game)
    assert state.result == (Result(Outcome.DRAWN, EndedBy.AGREEMENT, (), "") if agreed else None)
    assert state.proposal is None or agreed
    check_sound(world, game)


def test_mails_of_two_that_come_at_once_are_judged_in_turn(world: World) -> None:
    """The turn of the one is played, and that of the other waits for its own mail, whichever comes first."""
    game = opened(world, "trio", {"heap": 60}, FOUR[:3])
    mails = {name: world.mails(name)[-1] for name in FOUR[:3]}
    for name in ("Cleo", "Bob", "Ada", "Ada"):
        world.answer(name, "1\nsay here I am", mail=mails[name], settle=False)
    world.settle()
    state = world.state(game)
    assert (state.line.length, state.to_move) == (1, 2)
    assert "here I am" in said(world, "Bob")


def test_the_final_mail_names_the_team(sqlite_url: str, tmp_path: Path) -> None:
    db = Database.connect(sqlite_url)
    world = seated(db, tmp_path / "mail", games.find)
    game = opened(world, "tako-judo", {"variant": "teams"})
    for name in FOUR:
        state = world.state(game)
        assert write(world, name, example_turns(state.game.rules, state.line.position, 1)[0]) == "carried out"
    for name in ("Bob", DAN):
        assert (write(world, name, "resign"), write(world, name, "confirm resign")) == ("answered", "carried out")
    assert [said(world, name).partition(" is over: ")[2].partition(" A resignation")[0] for name in FOUR] == [
        "you win, with Cleo (South).",
        "Ada (North) and Cleo (South) win.",
        "you win, with Ada (North).",
        "Ada (North) and Cleo (South) win.",
    ]
    check_sound(world, game, games.find)
    db.close()


def test_a_partner_is_no_opponent(sqlite_url: str, tmp_path: Path) -> None:
    db = Database.connect(sqlite_url)
    world = seated(db, tmp_path / "mail", games.find)
    game = world.open_any("tako-judo", FOUR, {"variant": "teams"}, accepted=False)
    against = "Bob and Dan (with Cleo on the same side)"
    assert f"You are invited to a game against {against}: Tako Judo {game}." in said(world, "Ada")
    assert "Ada and Cleo play together. Bob and Dan play together." in said(world, "Ada")
    for name in FOUR:
        write(world, name, "accept")
    assert f"The game against {against} has begun." in said(world, "Ada")
    assert [name for name in FOUR[1:] if "Ada and Cleo play together." in said(world, name)] == [*FOUR[1:]]
    write(world, "Ada", "games")
    assert f"Tako Judo {game} against {against}: your move," in said(world, "Ada")
    world.add("Eve", "eve@example.org")
    write(world, "Ada", "substitute Eve")
    for name in FOUR[1:]:
        write(world, name, "accept")
    asked = said(world, "eve@example.org")
    assert f"in Tako Judo {game}, against Bob (East) and Dan (West) (with Cleo (South) on the same side)?" in asked
    write(world, "eve@example.org", "games")
    assert f"against {against}: you are asked to play on for Ada (North)" in said(world, "eve@example.org")
    db.close()
