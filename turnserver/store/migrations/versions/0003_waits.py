"""A count for each player: how often a clock was given time back because mail did not reach them, counted from the log so far."""

import json
from collections import Counter

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_EVENTS = "SELECT stream, type, data FROM event WHERE type IN (:opened, :seated, :frozen) ORDER BY position"
_TYPES = {"opened": "game.opened", "seated": "game.substitute_seated", "frozen": "game.clock_frozen"}
_COUNT = "UPDATE reliability SET waits = :waits WHERE player = :player"
_FIRST = (
    "INSERT INTO reliability (player, turns, in_time, flags, graces, waits) SELECT :player, 0, 0, 0, 0, :waits"
    " WHERE NOT EXISTS (SELECT 1 FROM reliability WHERE player = :player)"
)


def upgrade() -> None:
    """Add the column and fill it in."""
    op.add_column("reliability", sa.Column("waits", sa.Integer, nullable=False, server_default="0"))
    players: dict[str, list[int]] = {}
    waits = Counter[int]()
    connection = op.get_bind()
    for stream, type_, text in connection.execute(sa.text(_EVENTS), _TYPES):
        data = json.loads(text)
        if type_ == _TYPES["opened"]:
            players[stream] = list(data["players"])
        elif type_ == _TYPES["seated"]:
            players[stream][data["seat"] - 1] = data["player"]
        elif data["kind"] == "undelivered" and data["seat"] is not None:
            waits[players[stream][data["seat"] - 1]] += 1
    for player, count in sorted(waits.items()):
        connection.execute(sa.text(_COUNT), {"player": player, "waits": count})
        connection.execute(sa.text(_FIRST), {"player": player, "waits": count})
