"""From the bytes of a mail to the opponent's mailbox, killed with SIGKILL at every statement on the way."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.service.world import World
from tests.store.test_processes import start
from turnserver.envelope import GameId
from turnserver.mail.notices import Kind
from turnserver.play.events import TurnPlayed
from turnserver.store import audit, inbox, views

STATEMENTS = 25
"""At least so many are executed on the way; a test that killed at fewer would have missed something."""


class Trace(NamedTuple):
    """What the mail has come to: turns in the log, the version of the game's row less that of its log, mails to Bob, mails handled."""

    turns: int
    astray: int
    told: int
    handled: int


def trace(world: World, game: GameId, told_before: int) -> Trace:
    """Look at what a dead process left behind. The log has to be whole."""
    with world.service.db.read() as conn:
        assert list(audit.verify(conn)) == []
        handled = [mail for mail in inbox.list_inbox(conn) if mail.status == "done" and mail.outcome == "carried out"]
        version = views.game_row(conn, game).version
    history = world.service.history(game)
    told = sum(mail.kind == Kind.TURN for mail in world.outbox()) - told_before
    return Trace(sum(isinstance(row.event, TurnPlayed) for row in history), version - len(history), told, len(handled))


def test_a_mail_is_carried_out_once_wherever_its_process_is_killed(any_world: World, database_url: str, tmp_path: Path) -> None:
    """Every life ends with nothing done or everything done; in the end the turn is played once and told once."""
    game = any_world.open()
    told_before = sum(mail.kind == Kind.TURN for mail in any_world.outbox())
    turn_mail = any_world.mails("Ada")[-1]
    recipient = turn_mail["Reply-To"].addresses[0].addr_spec
    raw = tmp_path / "answer.eml"
    raw.write_bytes(f"From: ada@example.org\nTo: {recipient}\nMessage-ID: <answer@example.org>\n\na1\n".encode())
    with any_world.service.db.read() as conn:
        accepted = sum(mail.outcome == "carried out" for mail in inbox.list_inbox(conn))
    nothing, everything = Trace(0, 0, 0, accepted), Trace(1, 0, 1, accepted + 1)

    seen: list[Trace] = []
    end = "killed"
    with start("mail", database_url, str(any_world.directory), recipient, str(raw), module="tests.service.mortal") as process:
        assert process.hear() == "ready"
        while end == "killed":
            process.say(str(len(seen) + 1))
            if (end := process.hear()) == "killed":
                seen.append(trace(any_world, game, told_before))

    assert end == "done"
    assert trace(any_world, game, told_before) == everything
    turning = seen.index(everything)
    assert seen == [nothing] * turning + [everything] * (len(seen) - turning)
    assert turning
    assert len(seen) > STATEMENTS
    mails = Counter(mail["Message-ID"] for mail in any_world.mails("Bob"))
    assert set(mails.values()) == {1}
    assert "played a1" in any_world.text("Bob")
