"""Vacations that stop clocks, held against what players have declared."""

from typing import NamedTuple

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.clock.test_explain_deadline import history
from tests.play.given import ADA, BLUE, BOB, EVE, NIM_1, RED, clock, day, running
from tests.play.test_substitutes import away, back, seated
from tests.terms import THREE_DAYS
from turnserver.audit.game.transitions import undeclared
from turnserver.ids import PlayerId, Recorded
from turnserver.play import events as e

NOW = clock(1)
FOUR = running(terms=replace(THREE_DAYS, vacation_days=4))
TRIP = e.VacationDeclared(player=BOB, number=1, begins=day(2), ends=day(9), zone="UTC")
SECOND = e.VacationDeclared(player=BOB, number=2, begins=day(20), ends=day(24), zone="UTC")
HERS = replace(TRIP, player=EVE, begins=day(1))
NO_SUCH = f"player {BOB} has declared no such vacation"


class Held(NamedTuple):
    """Game events and those of the players, each with the day on which it was recorded."""

    game: tuple[tuple[float, e.GameEvent], ...]
    players: tuple[tuple[float, e.VacationDeclared | e.VacationEnded], ...]
    wrong: tuple[str, ...] = ()
    given: tuple[e.GameEvent, ...] = NIM_1


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
    "another's days": Held(
        ((1, away(BLUE, 2, 6, NOW)), (2, seated(BLUE, NOW)), (2, away(BLUE, 3, 5, NOW, number=2))), ((1, TRIP), (1, HERS)), given=FOUR
    ),
}


@for_each("held", CASES.values(), ids=CASES)
def test_whether_it_was_declared(held: Held) -> None:
    events = [*((0.0, event) for event in held.given), *held.game]
    game = history([(day(at), "service", event) for at, event in events])

    def of(player: PlayerId) -> list[Recorded[object]]:
        return history([(day(at), f"player-{player}", event) for at, event in held.players if event.player == player])

    assert tuple(undeclared(game, of)) == tuple((game[-1].version, says) for says in held.wrong)
