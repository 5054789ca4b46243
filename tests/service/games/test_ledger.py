"""The ledger's memory: bounded by events rather than games, and never asked for what it has dropped."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.service.world import World
from turnserver.errors import Conflict, DatabaseBusy
from turnserver.ids import PlayerId, Stream, Version
from turnserver.mail.outbound.notices.game import MailKind, Notice
from turnserver.service.games.ledger import ATTEMPTS, Ledger
from turnserver.store.log.database import Transaction

OPENING = 4
"""Events of a game in which nothing was played."""


@pytest.mark.parametrize(
    ("most", "looked_at", "remembered"),
    [
        (3 * OPENING, [1, 2, 3], [1, 2, 3]),
        (3 * OPENING - 1, [1, 2, 3], [2, 3]),
        (3 * OPENING - 1, [1, 2, 1, 3], [1, 3]),
        (3 * OPENING - 1, [1, 1, 2, 2], [1, 2]),
        (OPENING - 1, [1, 2], []),
    ],
)
def test_the_games_looked_at_last_are_remembered(world: World, most: int, looked_at: Sequence[int], remembered: Sequence[int]) -> None:
    games = [world.open() for _ in range(3)]
    ledger = Ledger(world.service.db, "club.example", cached_events=most)
    with world.service.db.read() as conn:
        for number in looked_at:
            assert ledger.load(conn, games[number - 1]).state.version == OPENING
    assert sorted(ledger._folds._games) == [games[number - 1] for number in remembered]


def test_a_game_that_goes_on_counts_with_all_its_events(world: World) -> None:
    first, second = world.open(), world.open()
    ledger = Ledger(world.service.db, "club.example", cached_events=2 * OPENING)
    for game, version in ((first, OPENING), (second, OPENING)):
        with world.service.db.read() as conn:
            assert ledger.load(conn, game).state.version == version
    world.answer("Ada", "a1", mail=next(mail for mail in reversed(world.mails("Ada")) if f"{second}" in mail["Subject"]))
    with world.service.db.read() as conn:
        assert ledger.load(conn, second).state.version == OPENING + 1
    assert list(ledger._folds._games) == [second]


@pytest.mark.parametrize(("lost", "tries"), [(0, 1), (1, 2), (ATTEMPTS - 1, ATTEMPTS)])
def test_who_loses_the_race_for_a_version_decides_again(world: World, lost: int, tries: int) -> None:
    begun: list[Transaction] = []

    def work(tx: Transaction) -> str:
        begun.append(tx)
        if len(begun) <= lost:
            raise Conflict("the game has grown")
        return "decided"

    assert world.service.ledger.attempt(work) == "decided"
    assert len(set(begun)) == len(begun) == tries


def test_who_loses_every_race_is_told_so(world: World) -> None:
    def work(_: Transaction) -> None:
        raise Conflict("the game has grown")

    with pytest.raises(DatabaseBusy):
        world.service.ledger.attempt(work)


def test_mails_that_differ_in_anything_have_different_names(any_world: World) -> None:
    """And the same request has the same one, whoever works it out again."""
    ledger = any_world.service.ledger
    usual: dict[str, Any] = {
        "cause": "mail:1",
        "about": Stream("game-1"),
        "version": Version(3),
        "notice": Notice(MailKind.TURN, PlayerId(1)),
        "ordinal": 0,
    }
    others: list[dict[str, Any]] = [
        {"cause": "mail:2"},
        {"about": Stream("game-2")},
        {"about": None},
        {"version": Version(4)},
        {"notice": Notice(MailKind.HELP, PlayerId(1))},
        {"notice": Notice(MailKind.TURN, PlayerId(2))},
        {"notice": Notice(MailKind.TURN, None, address="ada@example.org")},
        {"notice": Notice(MailKind.TURN, None, address="bob@example.org")},
        {"ordinal": 1},
    ]
    with any_world.service.db.read() as conn:
        names = [ledger._message_id(conn, **{**usual, **other}) for other in ({}, *others)]
        # what is behind the first dots tells nothing of what the mail is about
        digests = {name.split("@")[0].rsplit(".", 1)[-1] for name in names}
        assert len(set(names)) == len(names)
        assert len(digests) == len(names)
        assert ledger._message_id(conn, **usual) == names[0]
