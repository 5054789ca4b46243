"""Write a record as a text that can be read, printed and read back. `RECORD.md` has the grammar."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, assert_never

from turnserver.play.events import Outcome
from turnserver.records.check import game_of
from turnserver.records.record import (
    UNKNOWN_DATE,
    Agreed,
    By,
    Comment,
    Item,
    Record,
    Resigned,
    Result,
    Rolled,
    Seated,
    Skipped,
    TimedOut,
    Turn,
)
from turnserver.records.tokens import UNKNOWN, commented, quoted
from turnserver.rules import Game
from turnserver.rules.options import in_words

COLUMNS: Final = 80
_INDENT: Final = 4
_HALF: Final = "1/2"


def write(record: Record, game: Game[Any, Any] | None = None) -> str:
    """Return the text of a canonical record, in lines of at most 80 characters unless a word is longer.

    Raise Wrong if its game is unknown.
    """
    game = game or game_of(record)
    names = game.view.seat_names
    headers = "".join(_header(name, text) for name, text in headings(record, game))
    # games of one step a turn read like the moves of chess; long turns begin a line each
    flowing = not game.entry.several
    pieces = [_piece(item, names) for item in record.course] + [[shares(record.result, len(names))]]
    rows = [[word for piece in pieces for word in piece]] if flowing else _rows(record.course, pieces)
    lines = [line for row in rows for line in _filled(row, 0 if flowing else _INDENT)]
    return headers + "\n" + "\n".join(lines) + "\n"


def headings(record: Record, game: Game[Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the heading, in order."""
    result = record.result
    yield "Event", record.event
    yield "Site", record.site
    yield "Date", record.date
    yield "Ended", record.ended
    yield "Round", record.round
    yield from zip(game.view.seat_names, record.players, strict=True)
    yield "Game", record.game
    yield "Revision", str(record.revision)
    if record.options:
        yield "Options", in_words(record.options)
    # said for readers; the rules know them
    if teams := teams_of(game):
        yield "Teams", teams
    yield "TimeControl", record.time
    yield "Result", shares(result, game.rules.seats)
    if result is not None:
        yield "Termination", result.by.value
        if result.reason:
            yield "Reason", result.reason
        if result.scores:
            yield "Scores", " ".join(map(str, result.scores))
    if record.digest is not None:
        yield "Digest", record.digest
    yield from record.others.items()


def teams_of(game: Game[Any, Any]) -> str:
    """Return the teams, such as `Red and Green, Blue and Yellow`; empty if everybody plays alone."""
    teams = [sorted(team) for team in game.rules.teams]
    if all(len(team) == 1 for team in teams):
        return ""
    return ", ".join(" and ".join(game.view.seat_names[seat - 1] for seat in team) for team in teams)


def shares(result: Result | None, seats: int) -> str:
    """Return the share of each seat: `1-0`, `1/2-1/2`, `1-0-1-0`; `void` for a game without a result, and `*` while the game goes on."""
    if result is None:
        return "*"
    match result.outcome:
        case Outcome.WON:
            return "-".join("1" if seat in result.winners else "0" for seat in range(1, seats + 1))
        case Outcome.DRAWN:
            return "-".join([_HALF] * seats)
        case Outcome.VOID:
            return "void"
        case _:
            assert_never(result.outcome)


def _header(name: str, text: str) -> str:
    """Return a line of the heading. A long text goes on in strings below."""
    # the marks in an unknown day are the day, and no unknown value
    value = text if text == UNKNOWN_DATE else quoted(text)
    room = COLUMNS - len(name) - len('[ ""]')
    if len(value) <= room:
        return f'[{name} "{value}"]\n'
    lines, line = [], ""
    for part in _characters(text):
        if len(line) + len(part) > room:
            lines.append(line)
            line = ""
        line += part
    lines.append(line)
    gap = "\n" + " " * (len(name) + 2)
    return f"[{name} {gap.join(f'{chr(34)}{one}{chr(34)}' for one in lines)}]\n"


def _characters(text: str) -> Iterator[str]:
    # characters, so that no line is cut within an escape
    return (quoted(each) if each != UNKNOWN else each for each in text)


def _rows(course: Iterable[Item], pieces: Iterable[list[str]]) -> list[list[str]]:
    """Return the words of each line. A turn begins a line."""
    rows: list[list[str]] = [[]]
    for item, piece in zip([*course, None], pieces, strict=True):
        if isinstance(item, Turn | Skipped) or item is None:
            rows.append([])
        rows[-1] += piece
    return [row for row in rows if row]


def _piece(item: Item, names: tuple[str, ...]) -> list[str]:
    match item:
        case Turn():
            by = [] if item.by is By.SEAT else [f"({item.by.value})"]
            return [f"{item.turn}. {names[item.seat - 1]}:", *by, *"; ".join(item.steps).split(" ")]
        case Skipped():
            return [f"{item.turn}. {names[item.seat - 1]}:", "(skipped)"]
        case Rolled():
            return [f"<{item.outcome}>"]
        case Resigned():
            return [f"({names[item.seat - 1]}", "resigns)"]
        case TimedOut():
            return [f"({names[item.seat - 1]}", "runs", "out", "of", "time)"]
        case Seated():
            return [f"({names[item.seat - 1]}", "is", "now", f'"{quoted(item.name)}")']
        case Agreed():
            return ["(draw", "agreed)"]
        case Comment():
            return f"{{{commented(item.text)}}}".split(" ")
        case _:
            assert_never(item)


def _filled(words: Iterable[str], indent: int) -> Iterator[str]:
    """Yield the words in lines. All lines except the first are indented."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > COLUMNS:
            yield line
            line = " " * indent + word
        else:
            line = f"{line} {word}" if line else word
    yield line
