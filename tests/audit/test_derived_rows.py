"""Rows that follow from the log and were edited by hand, and streams of the log that cannot be read any more."""

import pytest

from tests.cli.audit.test_verify import Burglar
from tests.cli.club import Club
from tests.cli.typed import declared, service_of, typed
from turnserver.audit import derived_rows
from turnserver.audit.parts import Parts, audited
from turnserver.cli.audit.group import AuditReport
from turnserver.store.games import views

NAMED = "id, name, name_key, address, address_key"
CHOSEN = "zone, created_at, mail, board, reminders, calendar, subscribed, language"
EDITED: dict[str, tuple[str, tuple[str | None, int | None, str]]] = {
    "a player's stream": (
        "UPDATE event SET data = '[' WHERE stream = 'player-1' AND version = 1",
        ("player-1", None, "whether mail reaches its player cannot be told: "),
    ),
    "a game": (
        "UPDATE event SET data = '[' WHERE stream = 'game-1' AND version = 1",
        (None, None, "how reliable players are cannot be worked out: "),
    ),
    "how often a player was in time": (
        "UPDATE reliability SET turns = turns + 1 WHERE player = 1",
        ("player-1", None, "what is kept of its player's reliability is not what the games come to"),
    ),
    "when a game was opened": (
        "UPDATE game SET opened_at = '2020-01-01T12:00:00.000000Z' WHERE id = 1",
        ("game-1", 1, "the game's row has another instant of its opening than the event"),
    ),
    "an account that nobody made": (
        f"INSERT INTO player ({NAMED}, {CHOSEN}) SELECT 0, 'x', 'x', 'x', 'x', {CHOSEN} FROM player WHERE id = 1",  # noqa: S608  # columns
        ("player-0", None, "there is an account without its stream"),
    ),
    "who has done something to an account": (
        "UPDATE event SET actor = 'nobody' WHERE stream = 'player-1' AND version = 1",
        ("player-1", 1, "it is said to be by nobody, who has nothing to do with the account"),
    ),
    "since when no mail arrives": (
        "INSERT INTO reach (player, since, why) VALUES (1, '2026-03-01T12:00:00.000000Z', 'no such mailbox')",
        ("player-1", None, "its row says that mail does not reach its player, or since when, wrongly"),
    ),
    "an address that waits under a number to come": (
        "INSERT INTO confirmation VALUES (9, 1, NULL, 'a@example.net', 'a@example.net', '2026-03-09T12:00:00.000000Z')",
        (None, None, "the counter confirmation stands at 0, but number 9 was given out"),
    ),
}


@pytest.mark.parametrize(("statement", "finding"), EDITED.values(), ids=EDITED)
def test_what_was_edited_is_named(club: Club, statement: str, finding: tuple[str | None, int | None, str]) -> None:
    with Burglar(club) as burglar:
        burglar.run(statement)
    service = service_of(club)
    with service.db.read() as conn:
        counted = audited(service.settings.database.url, Parts.of(conn), workers=1).tallies
        for found in (derived_rows.verify(conn), derived_rows.verify(conn, counted)):
            assert [(one.stream, one.version, one.problem[: len(finding[2])]) for one in found] == [finding]
    service.db.close()


def test_how_reliable_players_are_is_counted_while_their_games_are_played_again(club: Club) -> None:
    service = service_of(club)
    with service.db.read() as conn:
        counted = audited(service.settings.database.url, Parts.of(conn), workers=1).tallies
        assert counted == views.every_tally(conn)
        assert counted
        assert list(derived_rows.verify(conn, counted)) == []
    service.db.close()


def test_vacations_that_cannot_be_read_are_a_finding_of_each_game_that_they_stop(club: Club) -> None:
    with Burglar(club) as burglar:
        burglar.run("UPDATE event SET data = '[' WHERE stream = 'player-1' AND type = 'player.vacation_declared'")
    audit = declared(typed(club, "audit verify --json --workers 1").stdout, "audit verify")
    assert isinstance(audit, AuditReport)
    stopped = [found.stream for found in audit.findings if found.problem.startswith("the vacations of its players cannot be read: ")]
    assert stopped == ["game-1", "game-5"]
