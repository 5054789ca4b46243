"""Reliability: how well a player keeps to the time, counted over the turns of all their games."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import Final, NamedTuple, assert_never

from turnserver.ids import PlayerId
from turnserver.play import events as e
from turnserver.play.state import with_seat
from turnserver.rules import Seat


class Tally(NamedTuple):
    """Counts for one player: turns that came to an end, those in time, how often the time ran out, how often grace was given.

    A turn that was played on grace was in time, and its grace counts beside it. Turns that were taken back by agreement or by an admin
    count as well, for they were played; one that its player corrects before anybody knows of it counts once. `waits` is how often a clock
    got time back because mail did not reach the player.
    """

    turns: int = 0
    in_time: int = 0
    flags: int = 0
    graces: int = 0
    waits: int = 0

    def plus(self, other: "Tally") -> "Tally":
        """Return the sum of both."""
        return Tally(*map(add, self, other))


_IN_TIME: Final = Tally(turns=1, in_time=1)
_LATE: Final = Tally(turns=1, flags=1)
_ON_GRACE: Final = Tally(graces=1)
_UNREACHED: Final = Tally(waits=1)
_CORRECTED: Final = Tally(turns=-1, in_time=-1)


def tallied(  # noqa: C901, PLR0912  # one branch an event
    seated: Sequence[PlayerId], events: Iterable[e.GameEvent], vacant: Seat | None = None
) -> dict[PlayerId, Tally]:
    """Return the counts that some events of a game add for its players, without players for whom nothing changes.

    `seated` are the players before the events, in seat order. A seat that was `vacant` then waited for a substitute: its former player let
    the time pass, even if somebody takes the seat over.
    """
    players = tuple(seated)
    found = defaultdict[PlayerId, list[Tally]](list)
    missed: tuple[int, int] | None = None
    for event in events:
        match event:
            # a turn whose time was up and that was played all the same was played by somebody else; first, as most events are turns
            case e.TurnPlayed(by_house=False):
                if (event.seat, event.turn) != missed:
                    found[players[event.seat - 1]].append(_IN_TIME)
            case e.SeatVacated():
                vacant = event.seat
            case e.TurnsRetracted(kind=e.RetractionKind.CORRECTION):
                # it was in time, or nobody could correct it
                found[players[event.to_move - 1]].append(_CORRECTED)
            case e.TurnsRetracted() | e.GameReopened() | e.EndRetracted():
                # a turn that ran out is begun anew
                vacant = missed = None
            case e.GraceGranted():
                found[players[event.seat - 1]].append(_ON_GRACE)
            case e.ClockFrozen(kind=e.FreezeKind.UNDELIVERED, seat=int() as seat):
                found[players[seat - 1]].append(_UNREACHED)
            case e.SubstituteSeated():
                if event.seat == vacant:
                    vacant = None
                    found[players[event.seat - 1]].append(_LATE)
                players = with_seat(players, event.seat, event.player)
            case e.TurnSkipped() | e.TurnPlayed():
                found[players[event.seat - 1]].append(_LATE)
            case e.TurnTimedOut():
                vacant = None
                missed = event.seat, event.turn
                found[players[event.seat - 1]].append(_LATE)
            case (
                e.SeatResigned()
                | e.SeatLeft()
                | e.PlayerReminded()
                | e.PlayerNudged()
                | e.ClaimMade()
                | e.ClaimDropped()
                | e.ClaimDecided()
                | e.ClockCredited()
                | e.TimeGiven()
                | e.ClockFrozen()
                | e.ClockThawed()
                | e.OpeningEvent()
                | e.InvitationEvent()
                | e.PlanEvent()
                | e.ProposalEvent()
                | e.SeatOfferEvent()
                | e.EndEvent()
            ):
                pass
            case _:
                assert_never(event)
    # one sum a player instead of one an event
    return {player: Tally(*map(sum, zip(*tallies, strict=True))) for player, tallies in found.items()}


def reliability(histories: Iterable[Sequence[e.GameEvent]]) -> Mapping[PlayerId, Tally]:
    """Return the tally of every player over all games, from nothing but the log. Each history begins with its first event."""
    found: dict[PlayerId, Tally] = {}
    for history in histories:
        players = next(event.players for event in history if isinstance(event, e.GameOpened))
        add_up(found, tallied(players, history))
    return found


def add_up(found: dict[PlayerId, Tally], more: Mapping[PlayerId, Tally]) -> None:
    """Add more counts of some players to those that were found before."""
    for player, tally in more.items():
        found[player] = found.get(player, Tally()).plus(tally)
