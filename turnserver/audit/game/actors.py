"""Check who brought the events of a game about: the part of an audit that reads actors and requests, not the board.

An admin may do everything, since whatever an admin does is recorded as theirs. Anybody else may do what `_doer` says.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, assert_never

from turnserver.ids import PlayerId, Recorded, Version, actor, is_admin, player_of
from turnserver.play import events as e
from turnserver.rules import Seat

_SERVICE: Final = "service"


class _Doer(NamedTuple):
    """Who may bring an event about, besides an admin: a `player`, the `service`, or `anybody` who is a player.

    An event that `follows` is of the request of the event before it, whoever asked for that. One that `may_go_along` needs no doer of its
    own if it is of the request of the event before or after it.
    """

    player: PlayerId | None = None
    service: bool = False
    anybody: bool = False
    follows: bool = False
    may_go_along: bool = False

    def allows(self, who: str) -> bool:
        """Return whether the actor is one of them."""
        if who == _SERVICE:
            return self.service
        return is_admin(who) or (self.player is not None and who == actor(self.player)) or (self.anybody and player_of(who) is not None)

    def told(self) -> str:
        """Return a phrase for all of them."""
        named = [actor(self.player)] if self.player is not None else []
        return " or ".join([*named, *(["a player"] * self.anybody), *(["the service"] * self.service), "an admin"])


_FOLLOWS: Final = _Doer(follows=True)
_BY_SERVICE: Final = _Doer(service=True)
_BY_ADMIN: Final = _Doer()
_BY_ANYBODY: Final = _Doer(service=True, anybody=True)


def misattributed(history: Sequence[Recorded[e.GameEvent]]) -> Iterator[tuple[Version, str]]:
    """Yield the versions of the events that their actor could not bring about, or not in a request of its own, each with what is wrong."""
    table = _Table()
    before: Recorded[e.GameEvent] | None = None
    for row, after in zip_longest(history, history[1:]):
        if isinstance(row.event, e.GameOpened):
            table = _Table(row.event.players, in_league=row.actor == _SERVICE)
        doer = _doer(table, row.event, before.event if before is not None else None)
        if doer.follows:
            if not _together(before, row):
                yield row.version, "it follows at once from the event before it, but is of another request: instant, actor or cause differ"
        elif not (doer.allows(row.actor) or (doer.may_go_along and (_together(before, row) or _together(row, after)))):
            yield row.version, f"it is said to be by {row.actor}, but only {doer.told()} can bring it about"
        if isinstance(row.event, e.SubstituteSeated):
            table = table.with_player(row.event.seat, row.event.player)
        before = row


def _together(one: Recorded[e.GameEvent] | None, other: Recorded[e.GameEvent] | None) -> bool:
    # Neither is there before the first event and after the last one.
    return one is not None and other is not None and (one.at, one.actor, one.cause) == (other.at, other.actor, other.cause)


class _Table(NamedTuple):
    """The players in seat order, and whether a league has opened the game, whose directors may decide about it then."""

    players: tuple[PlayerId, ...] = ()
    in_league: bool = False

    def at(self, seat: Seat | None) -> _Doer:
        """Return the player at a seat as the only doer; nobody for a seat that there is not."""
        return _Doer(self.players[seat - 1] if seat is not None and 1 <= seat <= len(self.players) else None)

    def with_player(self, seat: Seat, player: PlayerId) -> "_Table":
        """Return the table with another player at a seat."""
        return self._replace(players=tuple(player if at == seat else each for at, each in enumerate(self.players, 1)))

    @property
    def organisers(self) -> _Doer:
        """Admins, and in a league its directors and the service, which does what the league decides.

        The game does not know its directors, nor does a player ask for that who leaves a league.
        """
        return _BY_ANYBODY if self.in_league else _BY_ADMIN


def _doer(table: _Table, event: e.GameEvent, before: e.GameEvent | None) -> _Doer:  # noqa: C901, PLR0912  # one branch an event
    match event:
        # First, as most events are turns.
        case e.TurnPlayed():
            return _BY_SERVICE if event.by_house or event.by_plan else table.at(event.seat)
        case e.GameOpened(opened_by=None):
            return _BY_SERVICE
        case e.GameOpened(opened_by=player):
            return _Doer(player)
        case e.InvitationAccepted(player=player):
            return _Doer(player, service=table.in_league)
        case e.InvitationDeclined(player=player) | e.SubstituteDeclined(player=player):
            return _Doer(player)
        case e.GameStarted() | e.SeatLeft() | e.SubstituteInvited() | e.GameReopened() | e.SecretRevealed():
            return _FOLLOWS
        # What a plan does instead of a turn.
        case e.SeatResigned() | e.DrawOffered() if isinstance(before, e.PlanActed):
            return _FOLLOWS
        case e.SeatResigned():
            # By leaving a league, or by the organisers of that, whoever they are.
            return _BY_ANYBODY if table.in_league else table.at(event.seat)
        case e.PlanDropped() if event.reason is not e.PlanEnd.FORGOTTEN:
            return _BY_SERVICE
        case (
            e.PlanLaid()
            | e.PlanDropped()
            | e.DrawOffered()
            | e.DrawAccepted()
            | e.DrawDeclined()
            | e.ProposalMade()
            | e.ProposalAgreed()
            | e.ProposalDeclined()
            | e.SubstituteWithdrawn()
            | e.ClaimMade()
            | e.ClaimDropped()
            | e.TimeGiven()
        ):
            return table.at(event.seat)
        case e.PlayerNudged():
            return table.at(event.asked_by)
        case e.PlanActed() | e.PlayerReminded() | e.SeatVacated() | e.TurnSkipped() | e.TurnTimedOut():
            return _BY_SERVICE
        case e.GraceGranted():
            # Any late command brings the grace along.
            return _BY_ANYBODY
        case e.SubstituteSeated():
            return table.organisers if event.reason else _Doer(event.player)
        case e.TurnsRetracted(kind=e.RetractionKind.AGREEMENT):
            return _FOLLOWS
        case e.TurnsRetracted(kind=e.RetractionKind.CORRECTION):
            return table.at(event.seat)
        case e.TurnsRetracted() | e.EndRetracted() | e.ClockCredited() | e.ClaimDecided() | e.ResultAnnulled():
            return _BY_ADMIN
        case e.ClockFrozen() | e.ClockThawed():
            return _stopping(table, event)
        case e.GameEnded():
            return _ending(table, event, before)
        case _:
            assert_never(event)


def _stopping(table: _Table, event: e.ClockFrozen | e.ClockThawed) -> _Doer:
    match event.kind:
        case e.FreezeKind.VACATION:
            # Whoever sits down has their vacation at this table, and whoever stands up has it no longer, whoever brought that about.
            return table.at(event.seat)._replace(service=True, may_go_along=True)
        case e.FreezeKind.UNDELIVERED:
            return _Doer(service=True, may_go_along=isinstance(event, e.ClockThawed))
        case e.FreezeKind.OUTAGE:
            return _BY_SERVICE
        case e.FreezeKind.PAUSE:
            if isinstance(event, e.ClockFrozen):
                return _FOLLOWS
            # An earlier program did not record which seat wanted to go on.
            return table.at(event.by) if event.by is not None else _Doer(anybody=True)
        case e.FreezeKind.HALT:
            return table.organisers
        case _:
            assert_never(event.kind)


def _ending(table: _Table, event: e.GameEnded, before: e.GameEvent | None) -> _Doer:
    match event.by:
        case e.EndedBy.ADJUDICATION if isinstance(before, e.ClaimDecided):
            return _FOLLOWS
        case e.EndedBy.ADJUDICATION | e.EndedBy.ANNULMENT:
            return table.organisers
        case e.EndedBy.CANCELLATION:
            return _BY_ADMIN
        case e.EndedBy.RULES | e.EndedBy.RESIGNATION | e.EndedBy.AGREEMENT | e.EndedBy.TIME | e.EndedBy.REFUSAL:
            return _FOLLOWS
        case _:
            assert_never(event.by)
