"""After any command at any time, the rows of a game say what its events say, the log is whole, and the player to act was told."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.play import small_games
from tests.service.world import World
from turnserver.audit.game.recheck import recheck
from turnserver.errors import Refusal
from turnserver.ids import Burden, GameId, PlayerId, game_stream
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play import commands
from turnserver.play import events as e
from turnserver.play.commands import Command
from turnserver.play.evolve import evolve, fold
from turnserver.play.reliability import reliability as from_log
from turnserver.play.state import GameState, Status
from turnserver.rules import Seat
from turnserver.store.games import views
from turnserver.store.log import secrets as keyring
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

Step: TypeAlias = Callable[[World, GameId], None]
"""Something that happens in a world."""


def asks(make: Callable[[World, GameState], Command]) -> Step:
    """Somebody gives a command, which may be refused."""

    def step(world: World, game: GameId) -> None:
        before = world.service.games.history(game)
        cause = f"test:{world.now}:{len(before)}"
        try:
            world.service.games.handle(game, make(world, world.state(game)), actor="admin:test", cause=cause)
        except Refusal:
            assert world.service.games.history(game) == before
        world.settle()

    return step


def writes(name: str, text: str) -> Step:
    """Somebody answers the newest mail that they have of the game."""

    def step(world: World, game: GameId) -> None:
        mails = [mail for mail in world.mails(name) if f" {game}]" in mail["Subject"]]
        if mails:
            world.answer(name, text, mail=mails[-1])

    return step


def passes(**span: float) -> Step:
    """Time passes with the sweeps of a service that runs."""

    def step(world: World, _: GameId) -> None:
        until = world.now + timedelta(**span)
        while world.now < until:
            world.wait(minutes=29)
            world.service.upkeep.sweep()
        world.settle()

    return step


def plays(world: World, state: GameState) -> Command:
    """Return a legal turn of the player who has it."""
    return commands.PlayTurn(state.player_at(state.to_move or Seat(1)), world.now, "1")


PLAYERS = [PlayerId(number) for number in (1, 2, 3)]
NAMES = ["Ada", "Bob", "Cleo"]
ORDINARY: list[Step] = [
    *[asks(plays)] * 8,
    *[writes(name, text) for name in NAMES for text in ("1", "say hello", "draw\n1", "1\nshow", "accept", "decline", "9", "1\n2")],
    *[asks(lambda world, _, who=player: commands.OfferDraw(who, world.now)) for player in PLAYERS],  # type: ignore[misc]
    *[asks(lambda world, _, who=player: commands.PlayTurn(who, world.now, "1", 1)) for player in PLAYERS],  # type: ignore[misc]
    *[asks(lambda *_, first=number: commands.Retract(first, "a mistake")) for number in (0, 1, 2)],
    *[asks(lambda _, state: commands.Retract(state.line.length, "a mistake"))] * 4,
    asks(lambda *_: commands.Retract(1, "")),
    *[asks(lambda *_: commands.Reopen("a mistake"))] * 2,
    *[asks(lambda *_, where=seat: commands.Substitute(Seat(where), PlayerId(3), "UTC", Burden.SEAT, "stays away")) for seat in (1, 2)],
    *[writes(name, f"substitute {who}") for name in ("Ada", "Bob") for who in ("Cleo", "off")],
    asks(lambda *_: commands.CreditClock(3600, "")),
    asks(lambda *_: commands.CreditClock(0, "")),
    writes("Bob", "confirm resign"),
    passes(minutes=20),
    passes(hours=49),
]
"""Commands that mostly leave the game going on, the more frequent the more often it stands here."""

ENDING: list[Step] = [
    *[writes(name, "say bye\nconfirm resign") for name in NAMES],
    asks(lambda *_: commands.Cancel("")),
    asks(lambda *_: commands.Adjudicate((Seat(1),), "")),
    asks(lambda *_: commands.Adjudicate((), "")),
    asks(lambda *_: commands.Annul("")),
    passes(days=4),
]

first = st.lists(st.sampled_from(ORDINARY), min_size=3, max_size=12)
then = st.lists(st.sampled_from(ENDING), min_size=1, max_size=2)
last = st.lists(st.sampled_from(ORDINARY), max_size=6)


REOPENED: Sequence[Sequence[Step]] = [
    [asks(plays)] * 3,
    [writes("Ada", "say bye\nconfirm resign")] * 2,
    [asks(lambda *_: commands.Reopen("a mistake"))],
]


@settings(max_examples=15)
@example(table=("nim", 2), accepted=True, parts=REOPENED)
@given(
    table=st.sampled_from([("nim", 2), ("trio", 3), ("dice", 2), ("bones", 3)]),
    accepted=st.sampled_from([True, True, False]),
    parts=st.tuples(first, then, last),
)
def test_rows_follow_events(sqlite_template: Path, table: tuple[str, int], accepted: bool, parts: Sequence[Sequence[Step]]) -> None:
    """By mail, by command and by time, in any order."""
    game, size = table
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "turnserver.db"
        shutil.copyfile(sqlite_template, path)
        db = Database.connect(f"sqlite:///{path}")
        world = World(db, Path(directory) / "mail", find=small_games.find)
        options = {"heap": 20, "dice_from": 2} if small_games.TABLE[game].chance else {"heap": 12}
        opened = world.open_any(game, NAMES[:size], options, accepted=accepted)
        for step in chain(*parts):
            step(world, opened)
            check_rows(world, opened)
            check_everybody_was_told(world, opened)
        with db.read() as conn:
            assert list(audit.verify(conn)) == []
            assert views.every_tally(conn) == from_log(
                [[row.event for row in world.service.games.history(each.id)] for each in views.list_games(conn)]
            )
            kept = keyring.of_stream(conn, game_stream(opened))
        assert list(recheck(folded(world, opened)[0], opened, small_games.find, kept)) == []
        assert {row.status for row in world.outbox() if row.kind != MailKind.REMINDER} == {"sent"}
        assert {row.status for row in world.outbox()} <= {"sent", "unwanted"}  # a planned reminder whose turn is over
        db.close()


def folded(world: World, game: GameId) -> tuple[list[e.GameEvent], GameState]:
    """The events, and what they come to by themselves."""
    events = [row.event for row in world.service.games.history(game)]
    return events, fold(events, find=small_games.find)


def check_rows(world: World, game: GameId) -> None:
    """The row is the fold; a game has an end exactly if it has ended, and that is when it did."""
    _, state = folded(world, game)
    rows = world.service.games.history(game)
    with world.service.db.read() as conn:
        row = views.game_row(conn, game)
        offered = {player: views.seats_offered(conn, player) for player in PLAYERS}
    assert offered == {player: [game] if state.seat_offer(player) else [] for player in PLAYERS}
    assert world.service.games.state(game) == state
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
    ends = [one.at for one in rows if isinstance(one.event, e.GameEnded)]
    assert (row.opened_at, row.ended_at) == (rows[0].at, ends[-1] if state.status is Status.ENDED else None)


def check_everybody_was_told(world: World, game: GameId) -> None:
    """One mail at most a player and decision; whoever has the turn was told so since it began; an end was told to all but its author."""
    events, state = folded(world, game)
    told = [row for row in world.outbox() if row.game == game and row.kind in TELLING]
    assert max(Counter((row.player, row.version) for row in told).values()) == 1
    if state.status is Status.RUNNING:
        assert state.to_move is not None
        begun = next(version for version, then in enumerate(prefixes(events), 1) if same_turn(then, state))
        assert [row for row in told if row.player == state.player_at(state.to_move) and (row.version or 0) >= begun]
    if isinstance(events[-1], e.GameEnded | e.SecretRevealed | e.ResultAnnulled):
        decliners = {event.player for event in events if isinstance(event, e.InvitationDeclined)}
        hearers = {row.player for row in told if row.version == len(events) and row.kind == MailKind.GAME_OVER}
        assert hearers == set(state.players) - decliners


def prefixes(events: Sequence[e.GameEvent]) -> Iterator[GameState]:
    """The game after each of its events."""
    state = None
    for event in events:
        state = evolve(state, event, small_games.find)
        yield state


TELLING = {
    MailKind.INVITATION,
    MailKind.GAME_STARTED,
    MailKind.TURN,
    MailKind.SUBSTITUTED,
    MailKind.REMINDER,
    MailKind.RETRACTED,
    MailKind.CLOCK_CHANGED,
    MailKind.GAME_OVER,
    MailKind.REOPENED,
}


def same_turn(then: GameState, now: GameState) -> bool:
    """Return whether a turn is pending and it is the one that is pending now, of the same player."""
    return then.status is Status.RUNNING and _turn_of(then) == _turn_of(now)


def _turn_of(state: GameState) -> tuple[object, ...]:
    return state.turn, state.edition, state.to_move, state.players[(state.to_move or 1) - 1]
