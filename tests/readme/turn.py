"""The mail and the picture that README shows: `python -m tests.readme.turn` makes them anew."""

import tempfile
from datetime import timedelta
from pathlib import Path

from tests.service.world import World
from turnserver import games
from turnserver.play.commands import Accept, PlayTurn
from turnserver.play.events import SeatOrder
from turnserver.store.log.database import Database

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TURN = Path(__file__).with_name("turn.txt")
BOARD = ROOT / "turnserver/games/take/board.svg"
TURNS = 33
"""Far enough for both to have a position, and something to have been removed."""


def played() -> tuple[str, str]:
    """The text of the turn mail after some turns of the house against itself, and the board in it."""
    with tempfile.TemporaryDirectory() as directory:
        db = Database.create_or_upgrade(f"sqlite:///{directory}/turnserver.db")
        world = World(db, Path(directory) / "mail")
        service = world.service
        opened = service.games.open("take", {}, ["Ada", "Bob"], order=SeatOrder.GIVEN, actor="admin:readme", cause="readme").game
        for name in ("Ada", "Bob"):
            service.games.handle(opened, Accept(service.people.find(name).id, world.now), actor="admin:readme", cause=f"readme:{name}")
        game = games.find("take")
        choose = games.house("take")
        for turn in range(TURNS):
            world.wait(hours=5)
            state = service.games.state(opened)
            assert state.to_move is not None
            player, position = state.player_at(state.to_move), state.line.position
            command = PlayTurn(player, world.now, game.rules.format(position, choose(game, position)))
            service.games.handle(opened, command, actor=f"player-{player}", cause=f"readme:{turn}")
        world.now += timedelta(minutes=1)
        world.settle()
        state = service.games.state(opened)
        text = world.text("Bob")
        db.close()
    return text, game.view.svg(state.line.position, state.line.last_step)


def main() -> None:
    """Write the mail, into README too, and the picture."""
    text, svg = played()
    TURN.write_text(text, encoding="utf-8")
    BOARD.write_text(svg, encoding="utf-8")
    before, _, rest = README.read_text(encoding="utf-8").partition("```text\n")
    _, _, after = rest.partition("```\n")
    README.write_text(f"{before}```text\n{text}```\n{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
