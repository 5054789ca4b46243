"""Whatever is asked of a game, whenever: its rows say what its events say, the log is whole, and whoever must act was told."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decide import small_games
from tests.service.world import World
from turnserver.envelope import GameId, PlayerId
from turnserver.errors import Refusal
from turnserver.mail.notices import Kind
from turnserver.play import commands
from turnserver.play.commands import Command
from turnserver.play.events import GameEnded, GameEvent, InvitationDeclined, ResultAnnulled
from turnserver.play.evolve import fold
from turnserver.play.state import GameState, Status
from turnserver.store import audit, views
from turnserver.store.database import Database

PLAYERS = [PlayerId(number) for number in (1, 2, 3)]
WORDS = ["1", "2", "accept", "decline", "draw", "resign", "say hello", "draw\n1", "say bye\nresign", "show", "nonsense", "1\n2"]

players = st.sampled_from(PLAYERS)
seats = st.sampled_from([1, 2, 3])
reasons = st.sampled_from(["a mistake", ""])


def by_player(kind: Callable[..., Command]) -> st.SearchStrategy[Callable[[World], Command]]:
    """A command of a player that arrives now."""
    return players.map(lambda player: lambda world: kind(player, world.now))


def by_admin(command: st.SearchStrategy[Command]) -> st.SearchStrategy[Callable[[World], Command]]:
    return command.map(lambda chosen: lambda _: chosen)


asked = st.one_of(
    st.builds(
        lambda player, text, turn: lambda world: commands.PlayTurn(player, world.now, text, turn),
        players,
        st.sampled_from(["1", "2", "9"]),
        st.sampled_from([None, 1, 2]),
    ),
    by_player(commands.Accept),
    by_player(commands.Accept),
    by_player(commands.Decline),
    by_player(commands.OfferDraw),
    by_player(commands.Resign),
    by_admin(st.builds(commands.CreditClock, st.sampled_from([0, 3600]), reasons)),
    by_admin(st.builds(commands.Cancel, reasons)),
    by_admin(st.builds(commands.Adjudicate, st.lists(seats, max_size=2).map(tuple), reasons)),
    by_admin(st.builds(commands.Annul, reasons)),
    by_admin(st.builds(commands.Retract, st.integers(0, 3), reasons)),
)
written = st.tuples(st.sampled_from(["Ada", "Bob", "Cleo"]), st.sampled_from(WORDS))
passed = st.sampled_from([timedelta(minutes=20), timedelta(hours=25), timedelta(days=4)])


@settings(max_examples=60, deadline=None)
@given(table=st.sampled_from([("nim", 2), ("trio", 3)]), steps=st.lists(st.one_of(asked, written, passed), min_size=8, max_size=25))
def test_rows_follow_events(sqlite_template: Path, table: tuple[str, int], steps: list[object]) -> None:
    """By mail, by command and by time, in any order."""
    game, size = table
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "turnserver.db"
        shutil.copyfile(sqlite_template, path)
        db = Database.connect(f"sqlite:///{path}")
        world = World(db, Path(directory) / "mail", find=small_games.find)
        opened = world.open_any(game, ["Ada", "Bob", "Cleo"][:size], {"heap": 8})
        for number, step in enumerate(steps):
            happen(world, opened, number, step)
            check_rows(world, opened)
            check_everybody_was_told(world, opened)
        with db.read() as conn:
            assert list(audit.verify(conn)) == []
        assert {row.status for row in world.outbox()} == {"sent"}
        db.close()


def happen(world: World, game: GameId, number: int, step: object) -> None:
    """Let a command be given, a mail be answered, or time pass with the sweeps of a service that runs."""
    if isinstance(step, timedelta):
        until = world.now + step
        while world.now < until:
            world.wait(minutes=29)
            world.service.sweep()
        world.settle()
    elif isinstance(step, tuple):
        name, text = step
        mails = [mail for mail in world.mails(name) if f" {game}]" in mail["Subject"]]
        if mails:
            world.answer(name, text, mail=mails[-1])
    else:
        assert callable(step)
        before = world.service.history(game)
        try:
            world.service.handle(game, step(world), actor="admin:test", cause=f"test:{number}")
        except Refusal:
            assert world.service.history(game) == before
        world.settle()


def folded(world: World, game: GameId) -> tuple[list[GameEvent], GameState]:
    """The events, and what they come to by themselves."""
    events = [row.event for row in world.service.history(game)]
    return events, fold(events, find=small_games.find)


def check_rows(world: World, game: GameId) -> None:
    """The row is the fold; a game has an end exactly if it has ended, and that is when it did."""
    _, state = folded(world, game)
    rows = world.service.history(game)
    with world.service.db.read() as conn:
        row = views.game_row(conn, game)
    assert world.service.game(game) == state
    result = state.result
    assert (row.version, row.status, row.turn, row.to_move, row.deadline, row.due_at) == (
        len(rows),
        state.status,
        state.turn,
        state.to_move,
        state.deadline,
        state.due_at,
    )
    assert (row.outcome, row.ended_by, row.winners) == ((result.outcome, result.by, result.winners) if result else (None, None, ()))
    assert (row.players, row.accepted) == (state.players, tuple(player in state.accepted for player in state.players))
    ends = [one.at for one in rows if isinstance(one.event, GameEnded)]
    assert (row.opened_at, row.ended_at) == (rows[0].at, ends[-1] if state.status is Status.ENDED else None)


def check_everybody_was_told(world: World, game: GameId) -> None:
    """One mail at most a player and decision; whoever has the turn was told so since it began; an end was told to all but its author."""
    events, state = folded(world, game)
    told = [row for row in world.outbox() if row.game == game and row.kind in TELLING]
    assert max(Counter((row.player, row.version) for row in told).values()) == 1
    if state.status is Status.RUNNING:
        assert state.to_move is not None
        begun = next(version for version in range(1, len(events) + 1) if same_turn(fold(events[:version], find=small_games.find), state))
        assert [row for row in told if row.player == state.player_at(state.to_move) and (row.version or 0) >= begun]
    if isinstance(events[-1], GameEnded | ResultAnnulled):
        decliners = {event.player for event in events if isinstance(event, InvitationDeclined)}
        hearers = {row.player for row in told if row.version == len(events) and row.kind == Kind.GAME_OVER}
        assert hearers == set(state.players) - decliners


TELLING = {Kind.INVITATION, Kind.GAME_STARTED, Kind.TURN, Kind.REMINDER, Kind.RETRACTED, Kind.CREDITED, Kind.GAME_OVER}


def same_turn(then: GameState, now: GameState) -> bool:
    """Whether a turn is pending and it is the one that is pending now."""
    return then.status is Status.RUNNING and (then.turn, then.edition) == (now.turn, now.edition)
