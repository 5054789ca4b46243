"""A game as a record: its players, its course and its result. Text and JSON hold the same value.

A record is for reading; it proves nothing. The proof of a game is its history. A record names the last digest of it.
"""

import re
from collections.abc import Collection
from datetime import date
from enum import StrEnum
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from turnserver.ids import Digest
from turnserver.play.events import EndedBy, Outcome
from turnserver.play.state import GameState
from turnserver.rules import Seat
from turnserver.rules.options import Value

DATE: Final = r"^([0-9]{4}|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)$"
"""A day as files of games write it: `2026.11.22`, with question marks for unknown parts."""

HEADINGS: Final = (
    *("Event", "Site", "Date", "Ended", "Round", "Game", "Revision", "Options", "Teams"),
    *("TimeControl", "Result", "Termination", "Reason", "Scores", "Digest"),
)
"""The names of the lines of a heading, except those of the seats."""

UNKNOWN_DATE: Final = "????.??.??"

Day: TypeAlias = Annotated[str, Meta(pattern=DATE)]


class By(StrEnum):
    """The origin of a turn: its seat, the house because the seat's time was up, or a plan of the seat's player."""

    SEAT = "seat"
    HOUSE = "house"
    PLAN = "plan"


class Happening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """Something in the course of a game."""


class Turn(Happening, frozen=True, tag="turn"):
    """A whole turn, its steps in canonical notation."""

    turn: int
    seat: Seat
    steps: tuple[str, ...]
    by: By = By.SEAT


class Skipped(Happening, frozen=True, tag="skipped"):
    """A turn that its seat let pass."""

    turn: int
    seat: Seat


class Rolled(Happening, frozen=True, tag="roll"):
    """The outcome of chance, in canonical notation."""

    outcome: str


class Resigned(Happening, frozen=True, tag="resigned"):
    """A seat gives up. At a table of more than two the others play on."""

    seat: Seat


class TimedOut(Happening, frozen=True, tag="out_of_time"):
    """A seat has lost its game on time. At a table of more than two the others play on."""

    seat: Seat


class Seated(Happening, frozen=True, tag="substitute"):
    """Somebody else plays on at a seat. An empty name is not known."""

    seat: Seat
    name: str


class Agreed(Happening, frozen=True, tag="draw_agreed"):
    """The players have agreed on a draw."""


class Comment(Happening, frozen=True, tag="comment"):
    """Words about what stands before; words are parted by one blank each, and there is at least one."""

    text: str


Item: TypeAlias = Turn | Skipped | Rolled | Resigned | TimedOut | Seated | Agreed | Comment


class Result(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The result of a game. `winners` are the seats that won, in order; several are a team or a shared win, none is a draw or void."""

    outcome: Outcome
    by: EndedBy
    winners: tuple[Seat, ...] = ()
    reason: str = ""
    scores: tuple[int, ...] = ()


class Record(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="format", tag="turnserver record 1"
):
    """A game. An empty text is not known; `result` is null while the game goes on."""

    game: Annotated[str, Meta(description="the key of the game in the catalogue")]
    revision: Annotated[int, Meta(description="which reading of its rules it was played by")]
    options: Annotated[dict[str, Value], Meta(description="every option of the game with its value")]
    players: Annotated[tuple[str, ...], Meta(description="who sat there at the beginning, in seat order")]
    course: Annotated[tuple[Item, ...], Meta(description="what happened, in order")]
    result: Annotated[Result | None, Meta(description="what it came to; null while the game goes on")] = None
    event: Annotated[str, Meta(description="the league and season, or whatever it was played for")] = ""
    site: Annotated[str, Meta(description="where it was played")] = ""
    date: Annotated[Day, Meta(description="the day on which it began, such as 2026.11.22")] = UNKNOWN_DATE
    ended: Annotated[Day, Meta(description="the day on which it ended")] = UNKNOWN_DATE
    round: Annotated[str, Meta(description="the round")] = ""
    time: Annotated[str, Meta(description="the time control")] = ""
    digest: Annotated[Digest | None, Meta(description="the hash of the last event of its history")] = None
    others: Annotated[dict[str, str], Meta(description="whatever else a heading says, by name")] = {}


def result_of(state: GameState) -> Result | None:
    """Return the result of a game, None while it goes on."""
    found = state.result
    if found is None:
        return None
    return Result(outcome=found.outcome, by=found.by, winners=found.winners, reason=str(found.reason), scores=found.scores)


def is_day(text: str) -> bool:
    """Return whether the text is a day in the form of records, and may be one of the calendar by what is known of it."""
    found = re.fullmatch(DATE, text)
    if found is None:
        return False
    # a leap year and a month of 31 days have all days that there may be
    known = (usual if part.startswith("?") else int(part) for part, usual in zip(found.groups(), (2000, 1, 1), strict=True))
    try:
        date(*known)
    except ValueError:
        return False
    return True


def is_other(name: str, seats: Collection[str]) -> bool:
    """Return whether `name` is well formed and neither one of our headings nor a seat."""
    taken = {each.casefold() for each in (*HEADINGS, *seats)}
    return re.fullmatch(r"[^\W\d][\w-]*", name) is not None and name.casefold() not in taken
