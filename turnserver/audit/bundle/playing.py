"""Play one game again from its log, and find what its rules, chance, clocks and its players' vacations do not confirm.

The game's rows are compared with its events too: that shows a change of the program that leads a game elsewhere, legal or not.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from turnserver import games
from turnserver.audit.bundle.findings import BundleFault, Subject
from turnserver.audit.bundle.writing import players
from turnserver.audit.game.recheck import About
from turnserver.audit.game.transitions import undeclared
from turnserver.audit.replaying import replay
from turnserver.errors import LogError, in_words
from turnserver.ids import GameId, PlayerId, Recorded
from turnserver.play import events as e
from turnserver.play.evolve import FindGame
from turnserver.store.log import history, log
from turnserver.store.log.codec import PRODUCT
from turnserver.store.log.history import Row

Vacations = Mapping[PlayerId, Sequence[Recorded[Any]]]
"""The vacations that players have declared, as far as they stand in the bundle."""

UNREADABLE: Final = (LogError, msgspec.DecodeError, ValueError)
"""The errors of an event that is none, by its type or by its data."""

_ABOUT: Final = {
    About.RULES: Subject.RULES,
    About.CHANCE: Subject.CHANCE,
    About.CLOCKS: Subject.CLOCKS,
    About.RESULTS: Subject.RESULTS,
}


class StreamRead(NamedTuple):
    """A stream as far as it can be read: all of its events, or none of them, and the faults."""

    events: tuple[Recorded[Any], ...]
    wrong: tuple[BundleFault, ...]


class GameCheck(NamedTuple):
    """A game that was played again: how much there was to check, its players, its rules, and the faults."""

    turns: int
    rolls: int
    secret_rolls: int
    clocks: int
    results: int
    players: frozenset[PlayerId]
    rules: str
    wrong: tuple[BundleFault, ...]


def look(rows: Sequence[Row]) -> StreamRead:
    """Check the hashes of a stream and read its events."""
    wrong: list[BundleFault] = []
    events: list[Recorded[Any]] = []
    before = ""
    for row in rows:
        columns = msgspec.structs.astuple(row)[:-2]
        if log.chain(before, (*columns, row.text)) != row.hash:
            wrong.append(wrong_with(row, Subject.HASHES, "it does not have the hash of its contents and of the event before it"))
        before = row.hash
        try:
            events.append(history.recorded(row))
            if not PRODUCT.is_canonical(row.type, row.schema, row.text):
                wrong.append(wrong_with(row, Subject.SCHEMA, "its data is not written as events are"))
        except UNREADABLE as error:
            wrong.append(wrong_with(row, Subject.SCHEMA, f"it cannot be read: {error}"))
    return StreamRead(tuple(events) if len(events) == len(rows) else (), tuple(wrong))


def play(rows: Sequence[Row], vacations: Vacations, find: FindGame = games.find) -> GameCheck:
    """Check the stream of a game: all of `look`, and then play it again."""
    events, wrong = look(rows)
    if not events or not isinstance(events[0].event, e.GameOpened):
        problem = "the game cannot be played again, because it cannot be read"
        return GameCheck(0, 0, 0, 0, 0, frozenset(), "", (*wrong, wrong_with(rows[0], Subject.RULES, problem)))
    told: list[e.GameEvent] = [each.event for each in events]
    opened = events[0].event
    rolls = sum(len(getattr(event, "rolls", ())) for event in told)
    revealed = any(isinstance(event, e.SecretRevealed) for event in told)
    return GameCheck(
        turns=sum(isinstance(event, e.TurnPlayed) for event in told),
        rolls=rolls if revealed else 0,
        secret_rolls=0 if revealed else rolls,
        clocks=sum(getattr(event, "clock", None) is not None for event in told),
        results=sum(isinstance(event, e.GameEnded) for event in told),
        players=frozenset(players(told)),
        rules=f"{opened.game} (revision {opened.revision})",
        wrong=(*wrong, *_unconfirmed(rows, events, vacations, find)),
    )


def wrong_with(row: Row, about: Subject, problem: str) -> BundleFault:
    """Return the fault of an event."""
    return BundleFault(about, row.position, row.stream, row.version, problem)


def _unconfirmed(
    rows: Sequence[Row], events: Sequence[Recorded[e.GameEvent]], vacations: Vacations, find: FindGame
) -> Iterator[BundleFault]:
    game = GameId(int(rows[0].stream.removeprefix("game-")))
    try:
        for each in replay(events, game, find):
            yield wrong_with(rows[each.version - 1], _ABOUT[each.about], each.problem)
        for version, problem in undeclared(events, lambda player: vacations.get(player, ())):
            yield wrong_with(rows[version - 1], Subject.CLOCKS, problem)
    # Rules trust the positions that they made, and here come others: they may trip over anything, and the rest is to be looked at too.
    except Exception as error:  # noqa: BLE001
        yield wrong_with(rows[0], Subject.RULES, f"the game cannot be played again here: {in_words(error)}")
