"""House players play a whole game of every variant against each other, by mail from the invitation to the result."""

from pathlib import Path

import pytest

from tests.service.games.test_tables_of_four import FOUR, seated
from turnserver import games
from turnserver.audit.game.recheck import recheck
from turnserver.ids import game_stream
from turnserver.mail.outbound.kinds import MailKind
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.state import Status
from turnserver.store.log import secrets as keyring
from turnserver.store.log import verify as audit
from turnserver.store.log.database import Database

pytestmark = pytest.mark.thorough

VARIANTS = [
    "take size=3",
    pytest.param("take size=3 variant=high-churn", marks=pytest.mark.long),
    "tako-judo variant=duel",
    pytest.param("tako-judo variant=teams", marks=pytest.mark.long),
    pytest.param("tako-judo variant=free-for-all", marks=pytest.mark.long),
    pytest.param("tako variant=standard", marks=pytest.mark.long),
    pytest.param("tako variant=adept", marks=pytest.mark.long),
    "tako variant=standard betting=yes",
    pytest.param("tako variant=adept betting=yes stake=15", marks=pytest.mark.long),
    pytest.param("okago size=5", marks=pytest.mark.long),
    pytest.param("okago size=8", marks=pytest.mark.long),
    "okago size=5 advanced=yes",
    pytest.param("sneaky-octopuses players=2", marks=pytest.mark.long),
    pytest.param("sneaky-octopuses players=3", marks=pytest.mark.long),
    pytest.param("sneaky-octopuses players=4", marks=pytest.mark.long),
]


def test_every_game_is_among_them() -> None:
    assert {str(getattr(variant, "values", [variant])[0]).split()[0] for variant in VARIANTS} == set(games.CATALOGUE)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game(sqlite_url: str, tmp_path: Path, variant: str) -> None:
    """Every turn is a mail that answers a mail; it ends by the rules, everybody hears of it, and every roll can be recomputed."""
    key, *chosen = variant.split()
    options = games.options_from_text(games.entry(key), dict(option.split("=") for option in chosen))
    players = FOUR[: games.find(key, **options).rules.seats]
    database = Database.connect(sqlite_url)
    world = seated(database, tmp_path / "mail", games.find)
    for name in players:  # drawing hundreds of boards is no part of this; mails with pictures are tested elsewhere
        world.service.people.choose(name, [("mail", "text")], actor="admin:test", cause=f"test:text:{name}")
    game = world.open_any(key, players, options, accepted=False)
    for name in players:
        world.answer(name, "accept", sender=name if "@" in name else None)

    while (state := world.state(game)).status is Status.RUNNING:
        assert state.to_move is not None
        name = players[state.to_move - 1]
        world.wait(hours=1)
        world.answer(name, "; ".join(games.house_turn(state.game, state.line.position)), sender=name if "@" in name else None)
        assert world.state(game).turn > state.turn or world.state(game).result, world.outcome()

    assert state.result is not None
    assert (state.result.outcome, state.result.by) == (Outcome.WON, EndedBy.RULES)
    assert sorted(row.player or 0 for row in world.outbox() if row.kind == MailKind.GAME_OVER) == list(state.players)
    with database.read() as conn:
        assert list(audit.verify(conn)) == []
        kept = keyring.of_stream(conn, game_stream(game))
    assert list(recheck([row.event for row in world.service.games.history(game)], game, games.find, kept)) == []
    database.close()
