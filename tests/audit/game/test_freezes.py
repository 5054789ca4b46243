"""Vacations that stop clocks, held against what players have declared."""

from collections.abc import Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import ADA, BLUE, BOB, EVE, NIM_1, RED, clock, day, running
from tests.play.test_substitutes import away, back, seated
from tests.terms import THREE_DAYS
from turnserver.audit.game.transitions import undeclared
from turnserver.ids import PlayerId, Position, Recorded, Stream, Version
from turnserver.play import events as e

E = TypeVar("E")
NOW = clock(1)
FOUR = running(terms=replace(THREE_DAYS, vacation_days=4))
TRIP = e.VacationDeclared(player=BOB, number=1, begins=day(2), ends=day(9), zone="UTC")
SECOND = e.VacationDeclared(player=BOB, number=2, begins=day(20), ends=day(24), zone="UTC")
HERS = replace(TRIP, player=EVE, begins=day(1))
SPRING = 29 - 1 / 48
"""From the hour of day 27 on, a third day of Berlin has begun by then, since its clocks went forward, but none of UTC."""
NO_SUCH = f"player {BOB} has declared no such vacation"


class Held(NamedTuple):
    """Game events and those of the players, each with the day on which it was recorded."""

    game: tuple[tuple[float, e.GameEvent], ...]
    players: tuple[tuple[float, e.VacationDeclared | e.VacationEnded], ...]
    wrong: tuple[str, ...] = ()
    given: tuple[e.GameEvent, ...] = NIM_1
    clocks: Mapping[float, float] = MappingProxyType({})
    """What the clock of another machine said when the log was there."""


CASES = {
    "as declared": Held(((1, away(BLUE, 2, 9, NOW)),), ((1, TRIP),)),
    "a part of it": Held(((1, away(BLUE, 3, 8, NOW)),), ((1, TRIP),)),
    "none": Held(((1, away(BLUE, 2, 9, NOW)),), (), (NO_SUCH,)),
    "declared later": Held(((1, away(BLUE, 2, 9, NOW)),), ((1.5, TRIP),), (NO_SUCH,)),
    "of the other": Held(((1, away(RED, 2, 9, NOW)),), ((1, TRIP),), (f"player {ADA} has declared no such vacation",)),
    "longer": Held(((1, away(BLUE, 2, 10, NOW)),), ((1, TRIP),), (NO_SUCH,)),
    "sooner": Held(((1, away(BLUE, 1.5, 9, NOW)),), ((1, TRIP),), (NO_SUCH,)),
    "after it was called off": Held(
        ((1, away(BLUE, 2, 9, NOW)),), ((1, TRIP), (1, e.VacationEnded(player=BOB, number=1, ends=day(3)))), (NO_SUCH,)
    ),
    "ended early": Held(
        ((1, away(BLUE, 2, 9, NOW)), (3, back(BLUE, 3, NOW))), ((1, TRIP), (3, e.VacationEnded(player=BOB, number=1, ends=day(3))))
    ),
    "called off": Held(((1, away(BLUE, 2, 9, NOW)), (1, back(BLUE, 2, NOW))), ((1, TRIP),)),
    "made longer": Held(((1, away(BLUE, 2, 9, NOW)), (3, back(BLUE, 12, NOW))), ((1, TRIP),), (NO_SUCH,)),
    "something else": Held(((1, replace(away(BLUE, 2, 9, NOW), kind=e.FreezeKind.UNDELIVERED)),), ()),
    "of no seat": Held(((1, replace(away(BLUE, 2, 9, NOW), seat=None)),), ()),
    "a substitute's": Held(((1, seated(BLUE, NOW)), (1, away(BLUE, 2, 9, NOW))), ((1, HERS),)),
    "a substitute's whose it is not": Held(
        ((1, seated(BLUE, NOW)), (1, away(BLUE, 2, 9, NOW))), ((1, TRIP),), (f"player {EVE} has declared no such vacation",)
    ),
    "as many days as the game allows": Held(((1, away(BLUE, 2, 6, NOW)),), ((1, TRIP),), given=FOUR),
    "more days than the game allows": Held(
        ((1, away(BLUE, 2, 6, NOW)), (1, away(BLUE, 20, 21, NOW, number=2))),
        ((1, TRIP), (1, SECOND)),
        (f"vacations stop the clock of player {BOB} for 5 days, and the game allows 4",),
        given=FOUR,
    ),
    "days that came back": Held(
        ((1, away(BLUE, 2, 6, NOW)), (3, back(BLUE, 3, NOW)), (4, away(BLUE, 20, 23, NOW, number=2))),
        ((1, TRIP), (1, SECOND)),
        given=FOUR,
    ),
    "days that are more in the zone that the player had before": Held(
        ((1, away(BLUE, 27, SPRING, NOW)), (29, away(BLUE, 30, 32, NOW, number=2)), (30, back(BLUE, 28.9, NOW))),
        ((1, replace(TRIP, begins=day(27), ends=day(SPRING), zone="Europe/Berlin")), (29, replace(SECOND, begins=day(30), ends=day(32)))),
        given=FOUR,
    ),
    "days that are too many only when one of them ends, in the zone that the player had before": Held(
        ((1, away(BLUE, 27, SPRING, NOW)), (29, away(BLUE, 30, 32, NOW, number=2)), (30, back(BLUE, SPRING - 1 / 1440, NOW))),
        ((1, replace(TRIP, begins=day(27), ends=day(SPRING), zone="Europe/Berlin")), (29, replace(SECOND, begins=day(30), ends=day(32)))),
        given=FOUR,
    ),
    "declared by a clock that was ahead": Held(((2, away(BLUE, 2, 9, NOW)),), ((1, TRIP),), clocks={1: 2.001}),
    "declared later by a clock that was behind": Held(((2, away(BLUE, 2, 9, NOW)),), ((3, TRIP),), (NO_SUCH,), clocks={3: 1}),
    "besides the end of one that was never declared": Held(
        ((1, away(BLUE, 2, 9, NOW)),), ((0.5, e.VacationEnded(player=BOB, number=7, ends=day(3))), (1, TRIP))
    ),
    "another's days": Held(
        ((1, away(BLUE, 2, 6, NOW)), (2, seated(BLUE, NOW)), (2, away(BLUE, 3, 5, NOW, number=2))), ((1, TRIP), (1, HERS)), given=FOUR
    ),
}


@for_each("held", CASES.values(), ids=CASES)
def test_whether_it_was_declared(held: Held) -> None:
    told = [*((0.0, event) for event in held.given), *held.game]
    # A vacation is the end of its request, behind the freezes that follow from it. What differs in time is another request.
    log = sorted(
        [*((at, at, event) for at, event in told), *((at, held.clocks.get(at, at), event) for at, event in held.players)], key=itemgetter(0)
    )
    game, players = list[Recorded[e.GameEvent]](), list[Recorded[e.VacationDeclared | e.VacationEnded]]()
    for position, (order, at, event) in enumerate(log, 1):
        if isinstance(event, e.VacationDeclared | e.VacationEnded):
            players.append(recorded(position, len(players) + 1, order, at, event))
        else:
            game.append(recorded(position, len(game) + 1, order, at, event))

    def of(player: PlayerId) -> list[Recorded[object]]:
        return [row for row in players if row.event.player == player]

    assert tuple(undeclared(game, of)) == tuple((game[-1].version, says) for says in held.wrong)


def recorded(position: int, version: int, request: float, at: float, event: E) -> Recorded[E]:
    """Return an event as the log keeps it, all of one request with one cause."""
    return Recorded(Position(position), Stream("some-1"), Version(version), day(at), "service", f"test:{request:g}", event, b"")
