"""Given these events, when this is asked at that time, then those events follow, or a refusal."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest

from tests.cases import for_each
from tests.play.small_games import TABLE, find, house
from tests.terms import THREE_DAYS, three_days
from turnserver.errors import Refusal
from turnserver.ids import GameId, PlayerId
from turnserver.play import events as e
from turnserver.play.chance import Chance
from turnserver.play.commands import Command
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.rules import Seat
from turnserver.store.log.codec import encode

ADA, BOB, CLEO, DAN, EVE = (PlayerId(number) for number in (11, 12, 13, 14, 15))
RED, BLUE, GREEN, BLACK = (Seat(number) for number in (1, 2, 3, 4))
"""Eve never plays; the others sit in this order."""
CHANCE = Chance(GameId(17), bytes(range(32)))
"""The secret from which all games with chance roll."""
COMMITTED = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
"""The SHA-256 of that secret."""
REVEALED = e.SecretRevealed(secret="000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")  # noqa: S106  # made up
ENTROPY = {
    ADA: "4a0f8ec16075337568dbe5b05d147b737cbf1068b67dbc3491cff40f17634ea1",
    BOB: "e8ee7a0f07b0dcb9cd2caa246399cd6243918552b41120641466fc5dcb58e989",
    CLEO: "1c41f8d034b99376e041b65bbe91076b34e9fb28160c1b178cf9e7d78c66a925",
    DAN: "771268a4bb8259f75d8a5ff68207052f6e657c4d12a7ff36c14b789700687744",
}
"""The entropy of each in a game with chance: the SHA-256 of `red words`, `blue words`, `green words` and `black words`."""


def day(days: float, *, seconds: float = 0) -> datetime:
    """So long after the first game was opened."""
    return datetime(2025, 3, 1, 12, tzinfo=UTC) + timedelta(days=days, seconds=seconds)


class Refused(NamedTuple):
    """`code` is the refusal's; `says` must stand in its message."""

    code: str
    says: str


class Case(NamedTuple):
    name: str
    given: tuple[e.GameEvent, ...]
    when: Command
    at: datetime
    then: tuple[e.GameEvent, ...] | Refused


def check(case: Case) -> None:
    state = fold(case.given, find=find) if case.given else None
    if isinstance(case.then, Refused):
        with pytest.raises(Refusal) as refused:
            decide(state, case.when, case.at, find, CHANCE, house=house)
        assert (refused.value.code, case.then.says in refused.value.message) == (case.then.code, True), refused.value.message
    else:
        decided = decide(state, case.when, case.at, find, CHANCE, house=house)
        assert decided == case.then
        for event in decided:
            encode(event)  # the log takes plain text and no sentences


def named(cases: Iterable[Case]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test over `cases`."""
    return for_each("case", cases, ids=lambda case: case.name)


def opened(
    game: str = "nim", players: tuple[PlayerId, ...] = (ADA, BOB), terms: e.Terms = THREE_DAYS, **options: str | int | bool
) -> e.GameOpened:
    """An admin's game with options spelled out."""
    spelled_out = {"heap": 6, "steps": 1, "ending": "last wins", "dice_from": 0, "dice": 1, **options}
    return e.GameOpened(
        game=game,
        revision=4,
        options=spelled_out,
        players=players,
        order=e.SeatOrder.GIVEN,
        terms=terms,
        opened_by=None,
        commitment=COMMITTED if game in TABLE and TABLE[game].chance else None,
    )


def running(
    game: str = "nim",
    players: tuple[PlayerId, ...] = (ADA, BOB),
    terms: e.Terms = THREE_DAYS,
    rolls: tuple[e.Rolled, ...] = (),
    **options: str | int | bool,
) -> tuple[e.GameEvent, ...]:
    """A game that everybody accepted on day 0, so that the first turn is due on day 3, with a reminder on day 2, unless `terms` differ."""
    first = opened(game, players, terms, **options)
    return (
        first,
        *(e.InvitationAccepted(player=player, zone="UTC", entropy=ENTROPY[player] if first.commitment else None) for player in players),
        e.GameStarted(to_move=RED, clock=clock(0), rolls=rolls),
    )


def clock(since: float) -> e.TurnClock:
    """The clock of a turn of three days that begins on a day."""
    return three_days(day(since))


def due(since: float, days: float, *, by: float | None = None, remind: float | None = None) -> e.TurnClock:
    """The clock of a turn that begins on a day and may take so many, with the days of its deadline and of the next reminder."""
    deadline, remind_at = (None if at is None else day(at) for at in (by, remind))
    return e.TurnClock(since=day(since), time=timedelta(days=days), deadline=deadline, remind_at=remind_at)


def played(  # the parts of a turn
    turn: int, seat: Seat, steps: str, to_move: Seat | None, *, at: float, began: float | None = None, rolls: tuple[e.Rolled, ...] = ()
) -> e.TurnPlayed:
    """A turn that arrived and was played on that day, at three days a move; without `to_move` it ended the game.

    It `began` on the day before, unless that is said.
    """
    return e.TurnPlayed(
        turn=turn,
        seat=seat,
        steps=tuple(steps.split("; ")),
        received_at=day(at),
        to_move=to_move,
        clock=clock(at) if to_move else None,
        left=timedelta(days=3 - at + (at - 1 if began is None else began)),
        rolls=rolls,
    )


def reminded(seat: Seat, turn: int) -> e.PlayerReminded:
    """The only reminder of a turn of three days."""
    return e.PlayerReminded(seat=seat, turn=turn, marks=("24h",), remind_at=None)


def left(seat: Seat, to_move: Seat | None, *, since: float, rolls: tuple[e.Rolled, ...] = ()) -> e.SeatLeft:
    """Somebody has left; the pending turn began on day `since`. Without `to_move` that ended the game."""
    return e.SeatLeft(seat=seat, to_move=to_move, clock=clock(since) if to_move else None, rolls=rolls)


def ended(by: e.EndedBy, *winners: Seat, drawn: bool = False, reason: str = "", scores: tuple[int, ...] = ()) -> e.GameEnded:
    """Won by the `winners`, or else void, or `drawn`."""
    outcome = e.Outcome.DRAWN if drawn else e.Outcome.WON if winners else e.Outcome.VOID
    return e.GameEnded(outcome=outcome, by=by, winners=winners, reason=reason, scores=scores)


INVITING: tuple[e.GameEvent, ...] = (opened(), e.InvitationAccepted(player=ADA, zone="UTC"))
NIM = running()
"""Six counters; Red is to take the first by day 3."""
NIM_1 = (*NIM, played(1, RED, "2", BLUE, at=1))
"""Four left; Blue's by day 4, with a reminder on day 3."""
NIM_2 = (*NIM_1, played(2, BLUE, "1", RED, at=2))
"""Three left; Red's by day 5, with a reminder on day 4."""
WON = (*NIM_2, played(3, RED, "3", None, at=3), ended(e.EndedBy.RULES, RED, reason="the heap is empty"))
"""Red took the last three."""
TRIO = running("trio", (ADA, BOB, CLEO))
PAIRS = running("pairs", (ADA, BOB, CLEO, DAN))
