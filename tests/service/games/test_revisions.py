"""Two readings of one ruling side by side, through a real service: games keep the one that they began under, whatever is installed."""

from email.message import EmailMessage

import msgspec
import pytest

from tests.service.games import two_readings
from tests.service.world import World
from turnserver import games
from turnserver.audit.replaying import played_again
from turnserver.errors import UnknownRevision
from turnserver.ids import GameId
from turnserver.play.evolve import FindGame

MOVES = ("c3", "c1", "e2", "b2", "d1")
"""Red's last one bounds a stone of their own and one of Blue's."""
TOGETHER = " d1 [.]# # #  d4"
GO_LIKE = " d1 [R]# # #  d4"


def upgraded(world: World, find: FindGame) -> None:
    """The service ends, and another program begins on the same database."""
    world._find = find
    world.restart()


def play(world: World, game: GameId, *moves: str) -> None:
    """Answers to the newest mail of that game that each player has."""
    for move in moves:
        state = world.state(game)
        assert state.to_move is not None
        name = ("Ada", "Bob")[state.to_move - 1]
        world.wait(minutes=1)
        world.answer(name, move, mail=newest(world, name, game))
        assert world.state(game).turn == state.turn + 1, world.outcome()


def newest(world: World, name: str, game: GameId) -> EmailMessage:
    """The newest mail of a player about a game."""
    return next(mail for mail in reversed(world.mails(name)) if f"Take {game}" in mail["Subject"])


@pytest.fixture
def two_games(any_world: World) -> tuple[World, GameId, GameId]:
    """A game that began before a ruling was changed, and one that began after; the same has been played in both."""
    world = any_world
    before = world.open({"size": 3})
    play(world, before, *MOVES[:2])
    upgraded(world, two_readings.find)
    world.wait(minutes=1)
    after = world.open({"size": 3})
    for move in range(len(MOVES)):
        if move > 1:
            play(world, before, MOVES[move])
        play(world, after, MOVES[move])
    return world, before, after


def board(world: World, name: str, game: GameId) -> str:
    """The text of the newest mail of a player about a game."""
    body = newest(world, name, game).get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def test_the_same_moves_take_another_course(two_games: tuple[World, GameId, GameId]) -> None:
    """Each game keeps its reading: the players see it on their boards, and what is legal next differs."""
    world, before, after = two_games
    assert [msgspec.structs.asdict(world.service.games.history(game)[0].event)["revision"] for game in (before, after)] == [1, 2]
    texts = [board(world, "Bob", game) for game in (before, after)]
    assert [TOGETHER in text for text in texts] == [True, False]
    assert [GO_LIKE in text for text in texts] == [False, True]
    play(world, before, "a1", "e1")
    play(world, after, "a1")
    world.answer("Ada", "e1", mail=newest(world, "Ada", after))
    assert world.outcome().startswith("done: refused: ")
    assert [world.state(game).turn for game in (before, after)] == [8, 7]


def test_both_are_borne_out_by_the_audit(two_games: tuple[World, GameId, GameId]) -> None:
    world, before, after = two_games
    assert [played_again(world._db, game, two_readings.find).findings for game in (before, after)] == [(), ()]
    (finding,) = played_again(world._db, after, games.find).findings
    assert "Take is not installed in revision 2 of its rules, only in 1" in finding.problem
    (finding,) = played_again(world._db, before, two_readings.without_the_first).findings
    assert "Take is not installed in revision 1 of its rules, only in 2" in finding.problem


def test_the_rules_say_how_the_own_game_differs(two_games: tuple[World, GameId, GameId]) -> None:
    world, before, after = two_games
    for game, told in ((before, True), (after, False)):
        world.answer("Bob", "rules", mail=newest(world, "Bob", game))
        text = " ".join(world.text("Bob").split())
        assert ("by the rules as they were when it began, revision 1. All bounded groups are removed together" in text) is told


def test_other_revisions_are_unknown() -> None:
    assert games.find("take").entry.revision == games.find("take", 1).entry.revision == 1
    assert two_readings.find("take").entry.revision == 2
    with pytest.raises(UnknownRevision, match="Take is not installed in revision 3 of its rules, only in 1 and 2"):
        two_readings.find("take", 3)
