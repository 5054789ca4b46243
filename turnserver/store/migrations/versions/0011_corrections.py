"""Count a turn once that its player has corrected: each correction counted as a turn more, in time, in how reliable they are."""

import json
from collections import Counter

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_EVENTS = """
SELECT type, data FROM event
WHERE type IN ('game.opened', 'game.substitute_seated', 'game.turns_retracted')
AND stream IN (SELECT stream FROM event WHERE type = 'game.turns_retracted')
ORDER BY stream, version
"""


def upgrade() -> None:
    """Take the corrections of all games off the figures of whoever had the seat then."""
    corrections = Counter[int]()
    players: list[int] = []
    for what, data in op.get_bind().execute(sa.text(_EVENTS)):
        event = json.loads(data)
        if what == "game.opened":
            players = list(event["players"])
        elif what == "game.substitute_seated":
            players[event["seat"] - 1] = event["player"]
        elif event.get("kind") == "correction":
            corrections[players[event["seat"] - 1]] += 1
    less = sa.text("UPDATE reliability SET turns = turns - :number, in_time = in_time - :number WHERE player = :player")
    for player, number in corrections.items():
        op.execute(less.bindparams(player=player, number=number))
