"""Everything that somebody can do who may write to the database, and who finds it: the table behind "What finds what" in AUDIT.md.

`make docs` writes that table anew. Whoever finds something is a letter. V is `audit verify` by the log, the
rules and the rows; N stands for it where it only tells that instants are out of order; P is `audit verify` by the checkpoints that were
published as files; C is `audit checkpoint verify` with an older one that was kept elsewhere; W is a witness, the digest in an older mail;
and B is `audit check` of a bundle that was made afterwards, with the published key and that older checkpoint.
"""

# ruff: noqa: S608  # tampering is SQL made of our own columns

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from sqlalchemy import text

from turnserver.store.log.database import Transaction
from turnserver.store.log.log import chain
from turnserver.store.log.statement import Statement
from turnserver.store.log.tables import METADATA

RUNNING, ENDED, DICE, DICE_RUNNING = "game-1", "game-3", "game-4", "game-5"
COLUMNS: Final = ("position", "stream", "version", "type", "schema", "at", "actor", "cause", "ordinal", "data")
DROP: Final = {
    "sqlite": (
        "DROP TRIGGER IF EXISTS event_no_update",
        "DROP TRIGGER IF EXISTS event_no_delete",
        "DROP TRIGGER IF EXISTS checkpoint_no_update",
        "DROP TRIGGER IF EXISTS checkpoint_no_delete",
        "PRAGMA defer_foreign_keys = ON",  # a view is rewritten row by row
    ),
    "postgresql": ("DROP TRIGGER IF EXISTS event_append_only ON event", "DROP TRIGGER IF EXISTS checkpoint_append_only ON checkpoint"),
}
"""The guards that stand in the way of any SQL."""

Rows = list[dict[str, Any]]


class Tampered:
    """A database that somebody writes to, who also has what follows.

    `another` are the rows of a club in which the dice fell otherwise; `backup` are all rows by table as they were once.
    `resign` makes note, root and frontier for hashes as the service would, `forged` is the newest note with another key, and `before` the
    row of the running game before its last event.
    """

    def __init__(  # noqa: PLR0917  # all that somebody has
        self,
        tx: Transaction,
        another: Rows,
        backup: dict[str, Rows],
        resign: Callable[[list[bytes]], tuple[str, str, bytes]],
        forged: str,
        before: dict[str, Any],
    ) -> None:
        self.tx, self.another, self.backup, self.resign, self.forged, self.before = tx, another, backup, resign, forged, before

    def sql(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run any statement."""
        # what stands in a JSON of a statement without values is none
        words, bind = Statement(text(statement if values else statement.replace(":", "\\:"))).compile(self.tx.database.engine.dialect)
        cursor = self.tx._driver.execute(words, bind(values))
        return cursor.fetchall() if cursor.description else []

    def event(self, stream: str, type_: str) -> dict[str, Any]:
        """The newest event of a type."""
        [row] = self.sql(
            "SELECT position, version, data FROM event WHERE stream = :s AND type = :t ORDER BY version DESC LIMIT 1", s=stream, t=type_
        )
        return {"position": row[0], "version": row[1], "data": json.loads(row[2])}

    def say(self, stream: str, type_: str, change: Callable[[Any], object]) -> None:
        """Change what the newest event of a type says."""
        found = self.event(stream, type_)
        change(found["data"])
        written = json.dumps(found["data"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        self.sql("UPDATE event SET data = :d WHERE position = :p", d=written, p=found["position"])

    def rechain(self) -> None:
        """Work out every hash of every stream anew."""
        heads: dict[str, str] = {}
        for *envelope, stored in self.sql(f"SELECT {', '.join(COLUMNS)}, hash FROM event ORDER BY position"):
            stream = envelope[1]
            heads[stream] = chain(heads.get(stream, ""), tuple(envelope))
            if heads[stream] != stored:
                self.sql("UPDATE event SET hash = :h WHERE position = :p", h=heads[stream], p=envelope[0])

    def replace(self, stream: str, rows: Rows) -> None:
        """Have a stream consist of other events, at the positions that it had, as far as these go."""
        positions = [row[0] for row in self.sql("SELECT position FROM event WHERE stream = :s ORDER BY version", s=stream)]
        self.sql("DELETE FROM event WHERE stream = :s", s=stream)
        for position, row in zip(positions, rows, strict=False):
            whole = {**row, "position": position, "stream": stream}
            named = ", ".join(f":{name}" for name in (*COLUMNS, "hash"))
            self.sql(f"INSERT INTO event ({', '.join(COLUMNS)}, hash) VALUES ({named})", **whole)

    def forge(self) -> None:
        """Put the signature of another key below the newest checkpoint."""
        self.sql("UPDATE checkpoint SET note = :n WHERE id = (SELECT MAX(id) FROM checkpoint)", n=self.forged)

    def rows(self, stream: str) -> Rows:
        """The events of a stream."""
        found = self.sql(f"SELECT {', '.join(COLUMNS)}, hash FROM event WHERE stream = :s ORDER BY version", s=stream)
        return [dict(zip((*COLUMNS, "hash"), row, strict=True)) for row in found]


class Deed(NamedTuple):
    """Something that is done, and the letters of who finds it. `why` says what there is to know.

    Whoever changes the log has to drop its triggers, and puts them back afterwards, unless the deed `leaves_traces`.
    """

    name: str
    found: str
    do: Callable[[Tampered], object]
    rechain: bool = False
    why: str = ""
    leaves_traces: bool = False


def put_back(log: Tampered) -> None:
    """Have every table be as it was in a backup."""
    for table in reversed(METADATA.sorted_tables):
        log.sql(f'DELETE FROM "{table.name}"')
    for table in METADATA.sorted_tables:
        # A mail that was merged names a later one, which has to be there; rows of other tables name earlier ones.
        for row in log.backup[table.name][:: -1 if table.name == "outbox" else 1]:
            names = [f'"{name}"' for name in row]
            log.sql(f'INSERT INTO "{table.name}" ({", ".join(names)}) VALUES ({", ".join(f":{name}" for name in row)})', **row)


def column(name: str, value: str) -> Callable[[Tampered], object]:
    """Put a value into a column of an event in the middle of a game."""
    return lambda log: log.sql(f"UPDATE event SET \"{name}\" = {value} WHERE stream = '{ENDED}' AND version = 5")


def delete(where: str) -> Callable[[Tampered], object]:
    """Remove events."""
    return lambda log: log.sql(f"DELETE FROM event WHERE {where}")


def closed_up(log: Tampered) -> None:
    """Remove an event in the middle, and move all that came after it."""
    [(position,)] = log.sql("SELECT position FROM event WHERE stream = :s AND version = 5", s=ENDED)
    log.sql("DELETE FROM event WHERE position = :p", p=position)
    log.sql("UPDATE event SET version = -version WHERE stream = :s AND version > 5", s=ENDED)
    log.sql("UPDATE event SET version = -version - 1 WHERE version < 0")
    _shift(log, position, -1)
    log.sql("UPDATE game SET version = version - 1 WHERE id = 3")


def inserted(log: Tampered) -> None:
    """Let a player have offered a draw."""
    row = log.rows(DICE_RUNNING)[-1]
    _shift(log, row["position"], 1)
    new = {**row, "position": row["position"] + 1, "version": row["version"] + 1, "cause": "mail:forged", "ordinal": 0}
    new |= {"type": "game.draw_offered", "schema": 1, "data": '{"seat":1}', "actor": "player-1"}
    named = ", ".join(f":{name}" for name in (*COLUMNS, "hash"))
    log.sql(f"INSERT INTO event ({', '.join(COLUMNS)}, hash) VALUES ({named})", **new)
    log.sql("UPDATE game SET version = version + 1 WHERE id = 5")


def swapped(one: int, other: int) -> Callable[[Tampered], object]:
    """Have two events of a game, or their contents, change places."""

    def do(log: Tampered) -> None:
        rows = log.rows(ENDED)
        for here, there in ((one, other), (other, one)):
            new = rows[there - 1]
            log.sql(
                "UPDATE event SET type = :t, schema = :c, data = :d, actor = :a WHERE stream = :s AND version = :v",
                t=new["type"], c=new["schema"], d=new["data"], a=new["actor"], s=ENDED, v=here,
            )  # fmt: skip

    return do


def crossed(log: Tampered) -> None:
    """Swap the moves of two games."""
    moves = {stream: log.event(stream, "game.turn_played")["data"]["steps"] for stream in (RUNNING, ENDED)}
    for stream, other in ((RUNNING, ENDED), (ENDED, RUNNING)):
        log.say(stream, "game.turn_played", _steps(moves[other]))


def _steps(steps: list[str]) -> Callable[[Any], object]:
    return lambda data: data.update(steps=steps)


def truncated(count: int) -> Callable[[Tampered], object]:
    """Cut so many events off the log, and set everything back that counts."""

    def do(log: Tampered) -> None:
        [(cut,)] = log.sql("SELECT MAX(position) FROM event")
        log.sql("DELETE FROM event WHERE position > :p", p=cut - count)
        log.sql("UPDATE counter SET value = :p WHERE name = 'position'", p=cut - count)
        log.sql("UPDATE game SET version = (SELECT MAX(version) FROM event WHERE stream = 'game-' || game.id)")
        columns = ", ".join(f"{name} = :{name}" for name in log.before)
        log.sql(f"UPDATE game SET {columns} WHERE id = 1", **log.before)

    return do


def neighbours(log: Tampered) -> None:
    """Have an event of one game and the next one, of another game, change places."""
    [(position,)] = log.sql(
        "SELECT one.position FROM event AS one JOIN event AS other ON other.position = one.position + 1 "
        "WHERE one.stream LIKE 'game-%' AND other.stream LIKE 'game-%' AND one.stream <> other.stream AND one.version > 1 "
        "AND other.version > 1 ORDER BY one.position LIMIT 1"
    )
    for here, there in ((position, 999999), (position + 1, position), (999999, position + 1)):
        log.sql("UPDATE event SET position = :n WHERE position = :p", n=there, p=here)


def moved_to_the_end(stream: str) -> Callable[[Tampered], object]:
    """Let a whole stream stand behind everything else."""

    def do(log: Tampered) -> None:
        [(last,)] = log.sql("SELECT MAX(position) FROM event")
        order = [row[0] for row in log.sql("SELECT position FROM event ORDER BY stream = :s, position", s=stream)]
        log.sql("UPDATE event SET position = -position")
        for at, position in enumerate(order, start=last - len(order) + 1):
            log.sql("UPDATE event SET position = :n WHERE position = :p", n=at, p=-position)

    return do


def stamped(stream: str, type_: str, at: str) -> Callable[[Tampered], object]:
    """Have the newest event of a type be of another instant."""
    return lambda log: log.sql("UPDATE event SET at = :a WHERE position = :p", a=at, p=log.event(stream, type_)["position"])


def _shift(log: Tampered, after: int, by: int) -> None:
    later = [position for (position,) in log.sql("SELECT position FROM event WHERE position > :p ORDER BY position", p=after)]
    for position in later if by < 0 else reversed(later):
        log.sql("UPDATE event SET position = :n WHERE position = :p", n=position + by, p=position)
    log.sql("UPDATE counter SET value = value + :n WHERE name = 'position'", n=by)


def winner(stream: str, to: int) -> Callable[[Tampered], object]:
    """Let the other one have resigned, in the log and in the rows."""

    def do(log: Tampered) -> None:
        loser = 3 - to
        log.say(stream, "game.seat_resigned", lambda data: data.update(seat=loser))
        log.say(stream, "game.ended", lambda data: data.update(winners=[to]))
        position = log.event(stream, "game.seat_resigned")["position"]
        log.sql("UPDATE event SET actor = :a WHERE position IN (:p, :p + 1)", a=f"player-{loser}", p=position)
        log.sql("UPDATE game SET winners = :w WHERE id = :g", w=str(to), g=int(stream.removeprefix("game-")))

    return do


def another_game(log: Tampered) -> None:
    """Have the whole game with dice come from other dice: secret, rolls, moves, everything fits."""
    rows = [row for row in log.another if row["stream"] == DICE]
    log.replace(DICE, rows)
    last, fitting = len(log.rows(DICE)), next(row["data"] for row in rows if row["type"] == "game.secret_revealed")
    log.sql("UPDATE secret SET value = :v WHERE name = :s", v=bytes.fromhex(json.loads(fitting)["secret"]), s=DICE)
    log.sql("UPDATE game SET version = :v WHERE id = 4", v=last)


def rolled(log: Tampered) -> None:
    """Have a die fall otherwise."""
    kind = "game.turn_played" if log.event(DICE, "game.turn_played")["data"]["rolls"] else "game.started"

    def other(data: Any) -> None:
        data["rolls"][0]["value"] = 1 - min(data["rolls"][0]["value"], 1)

    log.say(DICE, kind, other)


_NAMES: Final = "the log knows numbers only; whoever is meant sees it in their mails"
_COPIES: Final = "the mail itself lies in its reader's mailbox; the copy here proves nothing"
_FRESH: Final = "nothing outside has it yet: publish checkpoints often"


def signed_anew(log: Tampered) -> None:
    """Have every checkpoint say that the log was always as it is now, signed with the service's own key, which was stolen."""
    hashes = [bytes.fromhex(each) for (each,) in log.sql("SELECT hash FROM event ORDER BY position")]
    for number, size in log.sql("SELECT id, size FROM checkpoint ORDER BY id"):
        note, root, frontier = log.resign(hashes[:size])
        log.sql("UPDATE checkpoint SET note = :n, root = :r, frontier = :f WHERE id = :i", n=note, r=root, f=frontier, i=number)


def after(*deeds: Callable[[Tampered], object]) -> Callable[[Tampered], object]:
    """One deed after the other."""
    return lambda log: [deed(log) for deed in deeds]


def sql(*statements: str) -> Callable[[Tampered], object]:
    """Plain statements."""
    return lambda log: [log.sql(statement) for statement in statements]


def said(stream: str, type_: str, change: Callable[[Any], object]) -> Callable[[Tampered], object]:
    """Change what the newest event of a type says."""
    return lambda log: log.say(stream, type_, change)


def later(data: Any) -> None:
    """A deadline that is a day later than it was."""
    data["clock"]["deadline"] = "2026-03-30T12:00:00.000000Z"


_VALUES: Final = {
    "position": "999999",
    "stream": "'game-77'",
    "version": "55",
    "type": "'game.draw_accepted'",
    "schema": "2",
    "at": "'2026-02-27T12:00:00.000000Z'",
    "actor": "'player-3'",
    "cause": "'mail:forged'",
    "ordinal": "7",
    "data": "'{\"seat\":1}'",
    "hash": "'" + "0" * 64 + "'",
}
_BY_COLUMN: Final = {"position": "VPCWB", "hash": "VPCWB"}
"""An edit of one of these makes published checkpoints untrue, which look at hashes by their position alone."""

DEEDS: Final = (
    *(Deed(f"an event's `{name}` is edited", _BY_COLUMN.get(name, "VCWB"), column(name, value)) for name, value in _VALUES.items()),
    Deed("an event's `actor` is edited", "VPCWB", column("actor", "'player-3'"), rechain=True),
    Deed("an event's `cause` is edited", "PCWB", column("cause", "'mail:forged'"), rechain=True),
    Deed("the `at` of a move is edited", "VPCWB", column("at", "'2026-03-01T11:00:00.000000Z'"), rechain=True),
    Deed("the `at` of a plan is an hour later", "NPCWB", stamped(RUNNING, "game.plan_laid", "2026-05-02T13:15:00.000000Z"), rechain=True),
    Deed(
        "the `at` of an account is years ago",
        "NPCWB",
        stamped("player-2", "player.registered", "2020-03-01T12:00:00.000000Z"),
        rechain=True,
    ),
    Deed(
        "the `at` of an account is still to come",
        "NPCWB",
        stamped("player-2", "player.registered", "2099-03-01T12:00:00.000000Z"),
        rechain=True,
    ),
    Deed("an event in the middle of a game is deleted", "VPCWB", delete(f"stream = '{ENDED}' AND version = 5")),
    Deed(
        "the last event of a game is deleted",
        "VPCWB",
        delete(f"stream = '{ENDED}' AND version = (SELECT MAX(version) FROM event WHERE stream = '{ENDED}')"),
    ),
    Deed("an event is deleted, everything after it moved up", "VPCWB", closed_up, rechain=True),
    Deed("an event is put in, everything after it moved down", "VPCWB", inserted, rechain=True),
    Deed("two events of a game change places", "VCWB", swapped(4, 5)),
    Deed("two events of a game change places", "VPCWB", swapped(4, 5), rechain=True),
    Deed("neighbouring events of two games change places", "PCWB", neighbours, rechain=True),
    Deed("all events of a game stand at the end of the log", "NPCWB", moved_to_the_end(ENDED), rechain=True),
    Deed("two games change moves", "VCWB", crossed),
    Deed("two games change moves", "VPCWB", crossed, rechain=True),
    Deed("the log is cut off in the time of a checkpoint", "VPCWB", truncated(5)),
    Deed("the log is cut off after the newest checkpoint and mail, rows set back too", "", truncated(2), why=_FRESH),
    Deed("the text of a plan that waits is edited", "V", sql("UPDATE plan SET text = 'if b2 then c2'")),
    Deed("a game gets the events of another one", "VPCWB", lambda log: log.replace(ENDED, log.rows(RUNNING)), rechain=True),
    Deed("the whole database is put back to an older backup", "PCWB", put_back),
    Deed("another result, legal", "VCWB", winner(ENDED, 2)),
    Deed("another result, legal", "PCWB", winner(ENDED, 2), rechain=True),
    Deed("a roll is another one", "VCWB", rolled),
    Deed("a roll is another one", "VPCWB", rolled, rechain=True),
    Deed("a whole game is another one, with a secret of its own from which all rolls follow", "VPCWB", another_game, rechain=True),
    Deed(
        "the secret of a running game is replaced",
        "V",
        sql(f"UPDATE secret SET value = secret.value || secret.value WHERE name = '{DICE_RUNNING}'"),
    ),
    Deed("the secret of a running game is deleted", "V", sql(f"DELETE FROM secret WHERE name = '{DICE_RUNNING}'")),
    Deed("a deadline is moved", "VCWB", said(RUNNING, "game.turn_played", later)),
    Deed("a deadline is moved", "VPCWB", said(RUNNING, "game.turn_played", later), rechain=True),
    Deed(
        "when a move arrived is changed, to another legal instant",
        "PCWB",
        said(ENDED, "game.turn_played", lambda data: data.update(received_at="2026-03-01T11:59:00.000000Z")),
        rechain=True,
    ),
    Deed(
        "a vacation is another one than its freezes",
        "VPCWB",
        said("player-1", "player.vacation_declared", lambda data: data.update(begins="2026-03-02T12:00:00.000000Z")),
        rechain=True,
    ),
    Deed(
        "the events of an account are another's",
        "VPCWB",
        said("player-1", "player.registered", lambda data: data.update(player=2)),
        rechain=True,
    ),
    Deed(
        "a checkpoint's root is edited",
        "PW",
        sql("UPDATE checkpoint SET root = '" + "0" * 64 + "' WHERE id = (SELECT MAX(id) FROM checkpoint)"),
    ),
    Deed("the newest checkpoint is deleted", "P", sql("DELETE FROM checkpoint WHERE id = (SELECT MAX(id) FROM checkpoint)")),
    Deed("a checkpoint is signed with another key", "P", lambda log: log.forge()),
    Deed(
        "another result, and a checkpoint of that, signed with the stolen key",
        "PCWB",
        after(winner(ENDED, 2), lambda log: log.rechain(), signed_anew),
        rechain=True,
    ),
    Deed("the counter of positions is changed", "V", sql("UPDATE counter SET value = value + 1 WHERE name = 'position'")),
    *(
        Deed(f"the counter `{name}` is {how}", "V", sql(f"UPDATE counter SET value = value {by} WHERE name = '{name}'"))
        for name in ("game", "league", "player")
        for how, by in (("lowered", "- 1"), ("raised", "+ 1"))
    ),
    *(
        Deed(f"how reliable a player is, is edited: `{name}`", "V", sql(f"UPDATE reliability SET {name} = {name} + 1 WHERE player = 1"))
        for name in ("turns", "in_time", "flags", "graces")
    ),
    Deed("how reliable a player is, is deleted", "V", sql("DELETE FROM reliability WHERE player = 1")),
    Deed(
        "a player is said to be unreachable",
        "V",
        sql("INSERT INTO reach (player, since, why) VALUES (1, '2026-03-01T12:00:00.000000Z', 'no such mailbox')"),
    ),
    Deed(
        "an account is added without its events",
        "V",
        sql(
            "INSERT INTO player SELECT 77, 'Eve', 'eve', 'eve@example.net', 'eve@example.net', "
            + ", ".join(column for column in METADATA.tables["player"].columns.keys()[5:])
            + " FROM player WHERE id = 1"
        ),
    ),
    Deed(
        "the row of a game is edited: when it was opened",
        "V",
        sql("UPDATE game SET opened_at = '2026-01-01T12:00:00.000000Z' WHERE id = 1"),
    ),
    Deed("the row of a league is edited: a phase that there is not", "V", sql("UPDATE league SET phase = 'asleep'")),
    Deed("the row of a league is edited: its name", "V", sql("UPDATE league SET name = 'Others', name_key = 'others'")),
    Deed("the row of a league is edited: when it is looked at", "V", sql("UPDATE league SET due_at = '2026-01-01T12:00:00.000000Z'")),
    Deed("a player is taken out of a league's rows", "V", sql("DELETE FROM league_player")),
    Deed(
        "the triggers that protect the log are dropped",
        "V",
        sql("DROP TRIGGER event_no_update", "DROP TRIGGER event_no_delete"),
        leaves_traces=True,
    ),
    Deed("an index is dropped", "V", sql("DROP INDEX game_due"), leaves_traces=True),
    Deed("the row of a game is edited: who won", "V", sql("UPDATE game SET winners = '2' WHERE id = 3")),
    Deed("the row of a game is edited: its deadline", "V", sql("UPDATE game SET deadline_at = '2026-03-30T12:00:00.000000Z' WHERE id = 1")),
    Deed("a seat is given to somebody else in its row", "V", sql("UPDATE seat SET player = 3 WHERE game = 3 AND seat = 1")),
    Deed("the row of a game is deleted", "V", sql("DELETE FROM plan", "DELETE FROM seat WHERE game = 3", "DELETE FROM game WHERE id = 3")),
    Deed("the result of a league's game is edited in its row", "V", sql("UPDATE result SET places = '[2,1]'")),
    Deed("a rating is edited", "V", sql("UPDATE rating SET mean = mean + 1")),
    Deed("the row of a league is edited: its version", "V", sql("UPDATE league SET version = version - 1")),
    Deed(
        "two accounts exchange their names",
        "",
        sql("UPDATE player SET name = CASE id WHEN 1 THEN 'Bob' WHEN 2 THEN 'Ada' ELSE name END"),
        why=_NAMES,
    ),
    Deed("the text of a mail that was sent is edited", "", sql("UPDATE outbox SET text = 'another text'"), why=_COPIES),
    Deed(
        "the newest event is edited, before any mail or checkpoint has it, to another legal one",
        "",
        winner(RUNNING, 1),
        rechain=True,
        why=_FRESH,
    ),
)


def as_table() -> str:
    """The table for the docs."""
    letters = {"V": "`verify`", "P": "published", "C": "kept", "W": "mail", "B": "bundle"}
    lines = ["| What is done | " + " | ".join(letters.values()) + " |", "|---|" + "---|" * len(letters)]
    for deed in DEEDS:
        marks = " | ".join(
            "noticed" if (letter, deed.found[:1]) == ("V", "N") else "found" if letter in deed.found else "" for letter in letters
        )
        lines.append(f"| {deed.name}{', all hashes worked out anew' * deed.rechain} | {marks} |")
    return "\n".join(lines) + "\n"


def plainly() -> str:
    """Return what nobody finds, and why."""
    return "".join(f"- {deed.name}{', all hashes worked out anew' * deed.rechain}: {deed.why}\n" for deed in DEEDS if not deed.found)
