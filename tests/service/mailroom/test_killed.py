"""From the bytes of a mail to the opponent's mailbox, killed with SIGKILL at every statement on the way."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from tests.mail.format.returned import dsn, group
from tests.play import small_games
from tests.processes import start
from tests.service.world import PEOPLE, SITE, World
from tests.shortened import shortened
from tests.terms import PLAIN
from turnserver.audit.game.recheck import recheck
from turnserver.config import Settings, Site
from turnserver.errors import NotAllowed
from turnserver.ids import GameId, PlayerId, game_stream, player_stream
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play import events as e
from turnserver.play.commands import PlayTurn
from turnserver.rules import Roll, Rules
from turnserver.service.service import Service
from turnserver.store.games import views
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database
from turnserver.store.mail import delivery_reports, inbox

pytestmark = [pytest.mark.engines, pytest.mark.thorough]

STATEMENTS = 25
"""At least so many are executed on the way; a test that killed at fewer would have missed something."""


RACES = 15
"""The number of turns that two workers accept at the same time."""


class Trace(NamedTuple):
    """The effects of the mail: turns in the log, the version of the game's row less that of its log, mails to Bob, mails handled."""

    turns: int
    astray: int
    told: int
    handled: int


def trace(world: World, game: GameId, told_before: int) -> Trace:
    """Look at what a dead process left behind. The log has to be whole, and what it says was rolled is what the secret gives."""
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        handled = [mail for mail in inbox.list_inbox(conn) if mail.status == "done" and mail.outcome == "carried out"]
        version = views.game_row(conn, game).version
    history = world.service.games.history(game)
    with world.service.db.read() as conn:
        assert list(recheck((row.event for row in history), game, kept=keyring.of_stream(conn, game_stream(game)))) == []
    told = sum(mail.kind == MailKind.TURN for mail in world.outbox()) - told_before
    return Trace(sum(isinstance(row.event, e.TurnPlayed) for row in history), version - len(history), told, len(handled))


def rolling_turn(rules: Rules[Any, Any], position: object) -> str:
    """A turn after which chance has something to decide: after a pass, for one, it has not."""
    turns = (step for step in rules.steps(position) if isinstance(rules.next(rules.apply(position, step)), Roll))
    return rules.format(position, next(turns))


@pytest.mark.parametrize("every", shortened([3, 1]))
def test_a_mail_is_carried_out_once_wherever_its_process_is_killed(any_world: World, database_url: str, tmp_path: Path, every: int) -> None:
    """Every life ends with nothing done or everything done; in the end the turn is played once and told once, with what was rolled."""
    game = any_world.open_any("tako", ["Ada", "Bob"])
    before = any_world.state(game)
    mover, other = ("Ada", "Bob") if before.to_move == 1 else ("Bob", "Ada")
    turn = rolling_turn(before.game.rules, before.line.position)
    told_before = sum(mail.kind == MailKind.TURN for mail in any_world.outbox())
    turn_mail = any_world.mails(mover)[-1]
    recipient = turn_mail["Reply-To"].addresses[0].addr_spec
    raw = tmp_path / "answer.eml"
    raw.write_bytes(f"From: {PEOPLE[mover]}\nTo: {recipient}\nMessage-ID: <answer@example.org>\n\n{turn}\n".encode())
    with any_world.service.db.read() as conn:
        accepted = sum(mail.outcome == "carried out" for mail in inbox.list_inbox(conn))
    nothing, everything = Trace(0, 0, 0, accepted), Trace(1, 0, 1, accepted + 1)

    seen: list[Trace] = []
    end = "killed"
    arguments = (database_url, str(any_world.directory), recipient, PEOPLE[mover], str(raw))
    with start("mail", *arguments, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(every * len(seen) + 1))
            if (end := process.hear()) == "killed":
                seen.append(trace(any_world, game, told_before))

    assert end == "done"
    assert trace(any_world, game, told_before) == everything
    turning = seen.index(everything)
    assert seen == [nothing] * turning + [everything] * (len(seen) - turning)
    assert turning
    assert every * len(seen) > STATEMENTS
    mails = Counter(mail["Message-ID"] for mail in any_world.mails(other))
    assert set(mails.values()) == {1}
    played = any_world.state(game).line.turns[-1]
    assert played.rolls
    assert f"played {played.text}" in any_world.text(other)


def test_a_turn_that_two_workers_accept_at_once_rolls_once(database_url: str, tmp_path: Path) -> None:
    """Each over a connection of its own, with a memory of its own: one of them wins, and asked once more it rolls no other number."""
    world = World(Database.connect(database_url), tmp_path / "mail", find=small_games.find)
    game = world.open_any("dice", ["Ada", "Bob"], {"dice_from": 1, "dice": 2, "heap": 1_000_000})
    settings = Settings(site=Site(address=SITE), play=PLAIN)
    workers = [Service(Database.connect(database_url), settings, clock=lambda: world.now, find=small_games.find) for _ in range(2)]
    together = Barrier(len(workers))

    def play(worker: Service, name: str) -> list[str]:
        ends = []
        for number in range(1, RACES + 1):
            together.wait(30)
            player = PlayerId(2 - number % 2)
            turn = PlayTurn(player, world.now, "1", number)
            ends.append(attempt(worker, game, turn, f"mail:{number}.{name}"))
            ends.append(attempt(worker, game, turn, f"mail:{number}.{name}"))
        return ends

    with ThreadPoolExecutor(len(workers)) as pool:
        ends = [end for each in pool.map(play, workers, "ab") for end in each]
    played = [row.event for row in world.service.games.history(game) if isinstance(row.event, e.TurnPlayed)]
    assert Counter(ends) == {"done": RACES, "turn_already_played": 3 * RACES}
    assert [event.turn for event in played] == list(range(1, RACES + 1))
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        kept = keyring.of_stream(conn, game_stream(game))
        assert list(recheck((row.event for row in world.service.games.history(game)), game, small_games.find, kept)) == []
    for worker in workers:
        worker.db.close()
    world.service.db.close()


def attempt(worker: Service, game: GameId, turn: PlayTurn, cause: str) -> str:
    """Return what becomes of a turn."""
    try:
        worker.games.handle(game, turn, actor=f"player-{turn.player}", cause=cause)
    except NotAllowed as refusal:
        return refusal.code
    return "done"


@pytest.mark.long
def test_a_report_counts_once_wherever_its_process_is_killed(any_world: World, database_url: str, tmp_path: Path) -> None:
    """Ada's mailbox is gone. Every life ends with nothing or everything of it; in the end it is logged once and Bob is told once."""
    any_world.open()
    lost = any_world.mails("Ada")[-1]
    raw = tmp_path / "report.eml"
    raw.write_bytes(dsn(group("failed", "5.1.1")))
    ada = PlayerId(1)

    def seen() -> tuple[int, int, bool, str]:
        with any_world.service.db.read() as conn:
            assert list(audit.verify(conn)) == []
            logged = sum(row.event == e.PlayerUnreachable(player=ada) for row in log.load(conn, player_stream(ada)))
            since = delivery_reports.deliverability(conn, ada).since
        told = sum(mail.kind == MailKind.UNREACHABLE for mail in any_world.outbox())
        status = next(mail.status for mail in any_world.outbox() if mail.message_id == lost["Message-ID"].strip())
        return logged, told, since is not None, status

    nothing, everything = (0, 0, False, "sent"), (1, 1, True, "bounced")
    lives: list[tuple[int, int, bool, str]] = []
    end = "killed"
    arguments = (database_url, str(any_world.directory), lost["Return-Path"].strip("<> "), "", str(raw))
    with start("mail", *arguments, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(lives) + 1))
            if (end := process.hear()) == "killed":
                lives.append(seen())

    assert end == "done"
    turning = lives.index(everything)
    assert lives == [nothing] * turning + [everything] * (len(lives) - turning)
    assert turning
    assert seen() == everything
    assert [kind for kind in (mail["Message-ID"].partition(".")[0] for mail in any_world.mails("Bob")) if kind == "<unreachable"] == [
        "<unreachable"
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "text", "nothing", "everything"),
    [
        ((), "vacation 10 days", (0, 0, 0, 0), (1, 1, 1, 1)),
        (
            ("vacation 2026-12-02 to 2026-12-31", "vacation 2027-01-10 to 2027-01-19"),
            "vacation off 1",
            # The days that the first vacation leaves in each game go to the second, of which Bob had not heard: it had stopped no clock.
            (2, 1, 1, 1),
            (3, 3, 3, 2),
        ),
    ],
)
def test_a_vacation_is_in_all_games_or_none_wherever_its_process_is_killed(  # noqa: PLR0917  # a world and a case
    any_world: World,
    database_url: str,
    tmp_path: Path,
    before: tuple[str, ...],
    text: str,
    nothing: tuple[int, ...],
    everything: tuple[int, ...],
) -> None:
    """Ada plays twice with Bob. In the end both of her clocks stand still as she says, it is logged once, and Bob has one mail more."""
    any_world.restart(Settings(site=Site(address=SITE), play=replace(PLAIN, vacation_days_a_game=30)))
    games = [any_world.open(), any_world.open()]
    for earlier in before:
        any_world.answer("Ada", earlier)
    ada, recipient = PlayerId(1), any_world.mails("Ada")[-1]["Reply-To"].addresses[0].addr_spec
    raw = tmp_path / "vacation.eml"
    raw.write_bytes(f"From: {PEOPLE['Ada']}\nTo: {recipient}\nMessage-ID: <away@example.org>\n\n{text}\n".encode())

    def seen() -> tuple[int, ...]:
        with any_world.service.db.read() as conn:
            assert list(audit.verify(conn)) == []
            told = [row.event for row in log.load(conn, player_stream(ada))]
        logged = sum(isinstance(event, e.VacationDeclared | e.VacationEnded) for event in told)
        changes = e.ClockFrozen | e.ClockThawed
        frozen = [len([row for row in any_world.service.games.history(game) if isinstance(row.event, changes)]) for game in games]
        return logged, *frozen, sum(mail.kind == MailKind.AWAY for mail in any_world.outbox())

    lives: list[tuple[int, ...]] = []
    end = "killed"
    with start(
        "mail", database_url, str(any_world.directory), recipient, PEOPLE["Ada"], str(raw), module="tests.service.mortal"
    ) as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(lives) + 1))
            if (end := process.hear()) == "killed":
                lives.append(seen())

    assert end == "done"
    turning = lives.index(everything)
    assert lives == [nothing] * turning + [everything] * (len(lives) - turning)
    assert turning
    assert seen() == everything
    assert len(lives) > STATEMENTS


@pytest.mark.long
def test_a_seat_is_taken_over_once_wherever_the_process_is_killed(any_world: World, database_url: str, tmp_path: Path) -> None:
    """Cleo sits down as both players have asked: in the log, in the rows and in the mails, or in none of them."""
    game = any_world.open()
    any_world.answer("Ada", "substitute Cleo")
    any_world.answer("Bob", "accept")
    raw, recipient = tmp_path / "yes.eml", any_world.mails("Cleo")[-1]["Reply-To"].addresses[0].addr_spec
    raw.write_bytes(f"From: {PEOPLE['Cleo']}\nTo: {recipient}\nMessage-ID: <yes@example.org>\n\naccept\n".encode())

    def seen() -> tuple[object, ...]:
        with any_world.service.db.read() as conn:
            assert list(audit.verify(conn)) == []
            offered, players = views.seats_offered(conn, PlayerId(3)), views.game_row(conn, game).players
        history = any_world.service.games.history(game)
        assert list(recheck((row.event for row in history), game)) == []
        seated = sum(isinstance(row.event, e.SubstituteSeated) for row in history)
        return seated, players, offered, sum(mail.kind == MailKind.SUBSTITUTED for mail in any_world.outbox())

    nothing: tuple[object, ...] = (0, (1, 2), [game], 0)
    everything: tuple[object, ...] = (1, (3, 2), [], 3)
    lives: list[tuple[object, ...]] = []
    end = "killed"
    arguments = (database_url, str(any_world.directory), recipient, PEOPLE["Cleo"], str(raw))
    with start("mail", *arguments, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(lives) + 1))
            if (end := process.hear()) == "killed":
                lives.append(seen())

    assert end == "done"
    turning = lives.index(everything)
    assert lives == [nothing] * turning + [everything] * (len(lives) - turning)
    assert turning
    assert len(lives) > STATEMENTS
    assert seen() == everything


class Corrected(NamedTuple):
    """The effects of a correction: turns that stand, turns taken back, and what became of the mails to Bob."""

    standing: tuple[str, ...]
    taken_back: int
    told: tuple[tuple[str, str], ...]
    handled: int


@pytest.mark.long
def test_a_correction_is_carried_out_once_wherever_its_process_is_killed(database_url: str, tmp_path: Path) -> None:
    """Ada corrects her turn, of which Bob is to hear in a day: the mail about the wrong turn is called off in the same transaction."""
    slow = Settings(site=Site(address=SITE), play=replace(PLAIN, correction_minutes=1_440))
    world = World(Database.connect(database_url), tmp_path / "mail", settings=slow)
    game = world.open()
    world.answer("Ada", "a2\nsay Here I come")
    raw, recipient = tmp_path / "undo.eml", world.mails("Ada")[-1]["Reply-To"].addresses[0].addr_spec
    raw.write_bytes(f"From: {PEOPLE['Ada']}\nTo: {recipient}\nMessage-ID: <undo@example.org>\n\nundo a1\n".encode())

    def seen() -> Corrected:
        with world.service.db.read() as conn:
            assert list(audit.verify(conn)) == []
            handled = sum(mail.outcome == "carried out" for mail in inbox.list_inbox(conn))
        history = world.service.games.history(game)
        assert list(recheck((row.event for row in history), game)) == []
        told = tuple(
            (mail.kind, mail.status) for mail in world.outbox() if mail.kind in (MailKind.TURN, MailKind.SAID) and mail.player == 2
        )
        taken_back = sum(isinstance(row.event, e.TurnsRetracted) for row in history)
        return Corrected(tuple(turn.text for turn in world.state(game).line.turns), taken_back, told, handled)

    nothing = seen()
    assert nothing[:3] == (("a2",), 0, (("turn", "queued"),))
    everything = Corrected(("a1",), 1, (("turn", "queued"), ("turn", "called off")), nothing.handled + 1)
    lives: list[Corrected] = []
    end = "killed"
    arguments = (database_url, str(world.directory), recipient, PEOPLE["Ada"], str(raw))
    with start("mail", *arguments, module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(lives) + 1))
            if (end := process.hear()) == "killed":
                lives.append(seen())

    assert end == "done"
    turning = lives.index(everything)
    assert lives == [nothing] * turning + [everything] * (len(lives) - turning)
    assert turning
    assert len(lives) > STATEMENTS
    assert seen() == everything
    before = len(world.mails("Bob"))
    world.wait(days=2)
    world.settle()
    assert len(world.mails("Bob")) == before + 1
    assert [said in world.text("Bob") for said in ("played a1", "played a2", "Here I come")] == [True, False, True]
    world.service.db.close()
