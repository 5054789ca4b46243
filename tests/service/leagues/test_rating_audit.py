"""Changes by hand to results and ratings are found, and nothing else is."""

import pytest
from sqlalchemy import text

from tests.audit.tampering import DROP
from tests.store.leagues.rated import ADA, BOB, CLEO, DAN, Kept, add_everybody
from tests.store.scene import day
from turnserver.audit.derived_rows import verify_ratings
from turnserver.league.scoring.marks import Mark
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.ratings import follow
from turnserver.store.log.database import Database
from turnserver.store.log.statement import Statement


@pytest.fixture
def league(database: Database) -> Kept:
    """Three games in three months; ratings have followed the first two."""
    add_everybody(database)
    found = Kept(database)
    found.begin(ADA, BOB, CLEO, DAN)
    for at in (1, 2, 3):
        found.now = day(31 * at)
        found.result(at, Mark.WIN)
        if at < 3:
            follow(Ledger(database, "club.example"))
    return found


def problems(database: Database) -> list[str]:
    with database.read() as conn:
        return [f"{one.stream}: {one.problem}" if one.stream else one.problem for one in verify_ratings(conn)]


def test_what_is_behind_is_not_wrong(league: Kept) -> None:
    assert problems(league.database) == []
    follow(Ledger(league.database, "club.example"))
    assert problems(league.database) == []


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        (["UPDATE result SET meeting = 5 WHERE game = 3"], ["game-3: what is kept of its result"]),
        (["DELETE FROM result WHERE game = 3"], ["game-3: what is kept of its result"]),
        (["UPDATE rating SET mean = mean + 0.001 WHERE player = 1"], ["the rating of player 1 at take is not"]),
        (["UPDATE rating SET games = games + 1 WHERE player = 4"], ["the rating of player 4 at take is not"]),
        (["DELETE FROM rating WHERE player = 2"], ["the rating of player 2 at take is not"]),
        (
            ["INSERT INTO rated (key, changes, since) VALUES ('abalone', 1, NULL)"],
            ["the ratings of abalone cannot be worked out"],
        ),
    ],
)
def test_what_was_changed_by_hand_is_named(league: Kept, statements: list[str], says: list[str]) -> None:
    with league.database.write() as tx:
        for statement in statements:
            tx.run(Statement(text(statement)))
    found = problems(league.database)
    assert len(found) == len(says)
    assert [told.startswith(start) for told, start in zip(found, says, strict=True)] == [True] * len(says), found


def test_a_league_that_cannot_be_read_is_named(league: Kept) -> None:
    with league.database.write() as tx:
        for statement in (
            *DROP[league.database.engine.dialect.name],
            "UPDATE event SET data = '[' WHERE stream = 'league-1' AND version = 1",
        ):
            tx.run(Statement(text(statement)))
    [told] = problems(league.database)
    assert told.startswith("league-1: which of its games count for ratings cannot be told: ")
