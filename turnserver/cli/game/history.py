"""A game's history with what was undone marked as such."""

from collections.abc import Mapping, Sequence

from turnserver.cli.output.shapes import Event
from turnserver.ids import PlayerId, Recorded, Version
from turnserver.mail.outbound.telling.events import Table, happened
from turnserver.play.events import EVENT_TYPES, GameEnded, GameEvent, GameReopened, ResultAnnulled, TurnPlayed, TurnSkipped, TurnsRetracted


def events_of(rows: Sequence[Recorded[GameEvent]], table: Table) -> list[Event]:
    """Every event in words."""
    undone = undone_by(rows)
    return [
        Event(
            version=row.version,
            position=row.position,
            at=row.at,
            actor=row.actor,
            cause=row.cause,
            type=EVENT_TYPES[type(row.event)].name,
            what=happened(row, table),
            undone_by=undone.get(row.version),
            hash=row.hash.hex(),
        )
        for row in rows
    ]


def undone_by(rows: Sequence[Recorded[GameEvent]]) -> dict[Version, Version]:
    """For each turn and each result that was taken back, the version that did it."""
    undone: dict[Version, Version] = {}
    for row in rows:
        if isinstance(row.event, TurnsRetracted | ResultAnnulled | GameReopened):
            for earlier in rows[: row.version - 1]:
                if _takes_back(row.event, earlier.event):
                    undone.setdefault(earlier.version, row.version)
    return undone


def _takes_back(event: TurnsRetracted | ResultAnnulled | GameReopened, earlier: GameEvent) -> bool:
    if isinstance(earlier, GameEnded):
        return True
    if isinstance(event, GameReopened):
        return False
    return isinstance(event, TurnsRetracted) and isinstance(earlier, TurnPlayed | TurnSkipped) and earlier.turn >= event.first


def actor_told(actor: str, people: Mapping[PlayerId, str]) -> str:
    """A player by name; an admin, the service or a player without an account as the log has it."""
    kind, _, number = actor.partition("-")
    return people.get(PlayerId(int(number)), actor) if kind == "player" and number.isdigit() else actor


def cause_told(cause: str) -> str:
    """`mail:3f9c02ab...`: enough to find it among the others."""
    kind, colon, key = cause.partition(":")
    return f"{kind}{colon}{key[:8]}"
