"""A game's state from its events.

`evolve` never refuses and looks nothing up but the rules of the game, in the revision that the game was opened under: recorded events have
happened.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, TypeAlias, assert_never

from msgspec.structs import replace

from turnserver import games
from turnserver.errors import Malformed
from turnserver.ids import PlayerId, Version
from turnserver.play import events as e
from turnserver.play.clock.clock import AGAIN, banks_after, first_bank
from turnserver.play.line import Line
from turnserver.play.state import Claim, Freeze, GameState, LaidPlan, Proposal, Result, SeatOffer, Status, Takeover, with_seat
from turnserver.rules import Game, Seat

FindGame: TypeAlias = Callable[..., Game[Any, Any]]
"""Returns the game for a key, a revision of its rules (None: the newest) and options, as `turnserver.games.find` does."""

NO_MARKS: frozenset[str] = frozenset()
NO_GRACE = timedelta(0)


def fold(events: Iterable[e.GameEvent], state: GameState | None = None, find: FindGame = games.find) -> GameState:
    """Return the state after `events`, beginning from `state` or from nothing. Raises Malformed if there is neither."""
    for event in events:
        state = evolve(state, event, find)
    if state is None:
        raise Malformed("a game's history is empty")
    return state


def evolve(  # noqa: C901, PLR0912  # one branch an event
    state: GameState | None, event: e.GameEvent, find: FindGame = games.find
) -> GameState:
    """Return the state one event later.

    Raises Malformed for a history that doesn't begin with its only `game.opened`, and for nothing else.

    A game whose rules are not installed raises as `find` does.
    """
    if isinstance(event, e.GameOpened):
        if state is not None:
            raise Malformed("a game's history holds a second game.opened")
        return _opened(event, find)
    if state is None:
        raise Malformed(f"a game's history begins with {type(event).__name__} instead of game.opened")
    version = Version(state.version + 1)
    match event:
        case e.TurnPlayed():
            # whoever plays themselves has left their plan
            plans = state.plans if event.by_plan else with_seat(state.plans, event.seat, None)
            return _handed_over(state, version, event, state.line.played(event), plans)
        case e.PlanLaid():
            return replace(state, version=version, plans=with_seat(state.plans, event.seat, LaidPlan(event.digest, event.turn)))
        case e.PlanDropped() | e.PlanActed():
            return replace(state, version=version, plans=with_seat(state.plans, event.seat, None))
        case e.PlayerReminded():
            return _reminded(state, version, event)
        case e.InvitationAccepted():
            return _accepted(state, version, event)
        case e.GameStarted():
            return replace(
                state,
                version=version,
                status=Status.RUNNING,
                line=state.line.began(event),
                to_move=event.to_move,
                clock=event.clock,
                draws_made=len(event.rolls),
            )
        case e.SeatLeft():
            return _left(state, version, event)
        case e.InvitationDeclined() | e.SeatResigned() | e.SecretRevealed():
            return replace(state, version=version)
        case e.TurnTimedOut():
            return replace(state, version=version, flagged_at=event.deadline)
        case e.GameReopened():
            return _reopened(state, version, event)
        case e.DrawOffered():
            return replace(
                state,
                version=version,
                proposal=Proposal(e.ProposalKind.DRAW, event.seat),
                draw_offers=with_seat(state.draw_offers, event.seat, state.turn),
            )
        case e.ProposalMade():
            return _proposed(state, version, event)
        case e.DrawAccepted() | e.ProposalAgreed():
            # `None` if the log has an answer to nothing: a fold does not refuse
            on_offer = state.proposal
            return replace(state, version=version, proposal=on_offer and replace(on_offer, agreed=on_offer.agreed | {event.seat}))
        case e.DrawDeclined() | e.ProposalDeclined():
            return replace(state, version=version, proposal=None)
        case e.PlayerNudged():
            return replace(state, version=version, nudged_at=event.asked_at)
        case e.ClaimMade():
            return replace(state, version=version, claim=Claim(event.seat, event.turn, state.edition))
        case e.ClaimDropped() | e.ClaimDecided():
            dismissed = isinstance(event, e.ClaimDecided) and not event.granted
            return replace(state, version=version, claim=state.claim and replace(state.claim, open=False, dismissed=dismissed))
        case e.GraceGranted():
            hours = timedelta(hours=event.hours)
            later = replace(state, graces=state.graces | {event.seat}, grace=hours, clock=event.clock)
            return _told_all(later, version)
        case e.TurnSkipped():
            return _handed_over(state, version, event, state.line.skipped(event), state.plans)
        case e.SeatVacated():
            told = _told_all(replace(state, vacant=event.seat, clock=event.clock), version)
            # nobody at the seat could play any more, so nobody is told that its clock runs again
            return replace(told, reminded=told.reminded | {AGAIN})
        case e.SubstituteInvited():
            offer = SeatOffer(event.seat, event.player, event.asked_by, state.turn, state.edition)
            return replace(state, version=version, proposal=None, seat_offers=(*_without(state, event.seat, event.player), offer))
        case e.SubstituteDeclined():
            return replace(state, version=version, seat_offers=_without(state, event.seat, event.player))
        case e.SubstituteWithdrawn():
            return _withdrawn(state, version, event)
        case e.SubstituteSeated():
            return _substituted(state, version, event)
        case e.ClockCredited() | e.TimeGiven():
            return replace(state, version=version, clock=event.clock)
        case e.ClockFrozen():
            return _frozen(state, version, event)
        case e.ClockThawed():
            return _thawed(state, version, event)
        case e.TurnsRetracted():
            return _retracted(state, version, event)
        case e.EndRetracted():
            return _end_retracted(state, version, event)
        case e.GameEnded():
            return _ended(state, version, Result(event.outcome, event.by, event.winners, event.reason, event.scores))
        case e.ResultAnnulled():
            return replace(state, version=version, result=Result(e.Outcome.VOID, e.EndedBy.ANNULMENT, (), event.reason), proposal=None)
        case _:
            assert_never(event)


def _opened(event: e.GameOpened, find: FindGame) -> GameState:
    game = find(event.game, event.revision, **event.options)
    return GameState(
        version=Version(1),
        game=game,
        terms=event.terms,
        players=event.players,
        zones=("UTC",) * len(event.players),
        accepted=frozenset(),
        opened_by=event.opened_by,
        status=Status.INVITING,
        line=Line.empty(game),
        turn=1,
        edition=0,
        to_move=None,
        clock=None,
        banks=(first_bank(event.terms),) * len(event.players),
        draw_offers=(None,) * len(event.players),
        take_backs=(None,) * len(event.players),
        plans=(None,) * len(event.players),
        result=None,
        commitment=event.commitment,
        entropies=("",) * len(event.players),
    )


def _accepted(state: GameState, version: Version, event: e.InvitationAccepted) -> GameState:
    """Record an acceptance. Entropy and zones are kept in seat order, not in the order in which the players accept."""
    # somebody without a seat has accepted: a fold does not refuse
    seat = state.seat_of(event.player)
    if seat is None:
        return replace(state, version=version, accepted=state.accepted | {event.player})
    entropies, zones = with_seat(state.entropies, seat, event.entropy or ""), with_seat(state.zones, seat, event.zone)
    return replace(state, version=version, accepted=state.accepted | {event.player}, entropies=entropies, zones=zones)


def _reminded(state: GameState, version: Version, event: e.PlayerReminded) -> GameState:
    clock = state.clock and replace(state.clock, remind_at=event.remind_at)
    return replace(state, version=version, reminded=state.reminded | {*event.marks}, clock=clock)


def _told_all(state: GameState, version: Version) -> GameState:
    # a player who was told that their time is up needs no further reminder of this turn
    return replace(state, version=version, reminded=state.reminded.union(state.terms.reminders))


def _proposed(state: GameState, version: Version, event: e.ProposalMade) -> GameState:
    take_backs = state.take_backs
    if event.kind is e.ProposalKind.TAKE_BACK and (turn := state.line.last_of(event.seat)) is not None:
        take_backs = with_seat(take_backs, event.seat, turn.turn)
    made = Proposal(event.kind, event.seat, days=event.days, player=event.player, place=event.place)
    return replace(state, version=version, proposal=made, take_backs=take_backs)


def _frozen(state: GameState, version: Version, event: e.ClockFrozen) -> GameState:
    player = state.player_at(event.seat) if event.seat in state.seats else None
    freeze = Freeze(event.number, event.kind, event.seat, event.begins, event.ends, player)
    # the pause is what was on offer, and with it that is carried out
    on_offer = None if event.kind is e.FreezeKind.PAUSE else state.proposal
    return replace(state, version=version, freezes=(*state.freezes, freeze), clock=event.clock, proposal=on_offer)


def _thawed(state: GameState, version: Version, event: e.ClockThawed) -> GameState:
    asked = frozenset[Seat]() if event.by is None else frozenset({event.by})
    freezes = tuple(
        replace(each, ends=event.ends, ended_by=each.ended_by | asked) if each.number == event.number else each for each in state.freezes
    )
    return replace(state, version=version, freezes=freezes, clock=event.clock)


def _handed_over(
    state: GameState, version: Version, event: e.TurnPlayed | e.TurnSkipped, line: Line, plans: tuple[LaidPlan | None, ...]
) -> GameState:
    return replace(
        state,
        version=version,
        line=line,
        turn=event.turn + 1,
        to_move=event.to_move,
        clock=event.clock,
        banks=with_seat(state.banks, event.seat, event.bank),
        reminded=NO_MARKS,
        grace=NO_GRACE,
        proposal=None,
        plans=plans,
        draws_made=state.draws_made + len(event.rolls),
    )


def _left(state: GameState, version: Version, event: e.SeatLeft) -> GameState:
    # an offer was made to the old table; the turn and its reminders stay unless the leaver had the turn
    same_turn = event.to_move == state.to_move
    return replace(
        state,
        version=version,
        line=state.line.left(event),
        to_move=event.to_move,
        clock=event.clock,
        reminded=state.reminded if same_turn else NO_MARKS,
        grace=state.grace if same_turn else NO_GRACE,
        vacant=state.vacant if same_turn else None,
        proposal=None,
        left=state.left | {event.seat},
        seat_offers=_without(state, event.seat),
        draws_made=state.draws_made + len(event.rolls),
    )


def _substituted(state: GameState, version: Version, event: e.SubstituteSeated) -> GameState:
    """Seat the substitute, who has agreed to nothing, asked for nothing, planned nothing, had no grace and missed no turn yet."""
    if event.seat not in state.seats:
        return replace(state, version=version)
    # entropies stay: the rolls of the game are fixed since its start
    former, own_turn = state.player_at(event.seat), event.seat == state.to_move
    return replace(
        state,
        version=version,
        players=with_seat(state.players, event.seat, event.player),
        zones=with_seat(state.zones, event.seat, event.zone),
        accepted=state.accepted - {former} | {event.player},
        takeovers=(*state.takeovers, Takeover(version, state.turn, event.seat, former, event.player)),
        clock=event.clock,
        claim=None,
        draw_offers=with_seat(state.draw_offers, event.seat, None),
        take_backs=with_seat(state.take_backs, event.seat, None),
        graces=state.graces - {event.seat},
        reminded=NO_MARKS if own_turn else state.reminded,
        grace=NO_GRACE if own_turn else state.grace,
        vacant=None if own_turn else state.vacant,
        proposal=None,
        plans=with_seat(state.plans, event.seat, None),
        seat_offers=_without(state, event.seat, event.player),
    )


def _without(state: GameState, seat: Seat, player: PlayerId | None = None) -> tuple[SeatOffer, ...]:
    # drops the offers of a seat that is no longer free, and the offers of a player who has answered
    return tuple(offer for offer in state.seat_offers if offer.seat != seat and offer.player != player)


def _withdrawn(state: GameState, version: Version, event: e.SubstituteWithdrawn) -> GameState:
    proposal = state.proposal
    own = proposal is not None and (proposal.kind, proposal.seat) == (e.ProposalKind.SUBSTITUTE, event.seat)
    asked = tuple(offer for offer in state.seat_offers if offer.asked_by != event.seat)
    return replace(state, version=version, proposal=None if own else proposal, seat_offers=asked)


def _retracted(state: GameState, version: Version, event: e.TurnsRetracted) -> GameState:
    """Make turn `first` pending again in a new edition, as if neither it nor anything since had happened."""
    # Left alone are `draws_made`, or a draw would be used twice, and `graces`: a used grace stays used.
    line = state.line.before(event.first)
    unknown = event.kind is e.RetractionKind.CORRECTION
    # a turn that was played on grace is on grace again when it is corrected
    undone = state.line.entry
    lent = undone.grace if unknown and isinstance(undone, e.TurnPlayed) else None
    return replace(
        state,
        version=version,
        status=Status.RUNNING,
        line=line,
        turn=event.first,
        edition=state.edition + 1,
        known_edition=state.known_edition if unknown else state.edition + 1,
        to_move=event.to_move,
        clock=event.clock,
        banks=banks_after(state, line),
        reminded=NO_MARKS,
        grace=min(lent, event.clock.time) if lent and event.clock.time else NO_GRACE,
        vacant=None,
        proposal=None,
        # players who left since are back at the table
        left=_left_in(line),
        draw_offers=_until(event.first, state.draw_offers),
        take_backs=_until(event.first, state.take_backs),
        # a plan that begins with this turn or before was made without knowing the turn, so it survives a correction
        plans=tuple(plan if unknown and plan is not None and plan.turn <= event.first else None for plan in state.plans),
        takeovers=tuple(replace(each, turn=min(each.turn, event.first)) for each in state.takeovers),
        result=None,
    )


def _until(first: int, turns: tuple[int | None, ...]) -> tuple[int | None, ...]:
    return tuple(turn if turn is not None and turn < first else None for turn in turns)


def _end_retracted(state: GameState, version: Version, event: e.EndRetracted) -> GameState:
    """Make the pending turn go on, as if neither the end nor anything else had happened during it."""
    line = state.line.before_end()
    left, draw_offers = _left_in(line), _until(state.turn, state.draw_offers)
    return _reopened(replace(state, line=line, left=left, draw_offers=draw_offers), version, event)


def _left_in(line: Line) -> frozenset[Seat]:
    return frozenset(entry.seat for entry in line.entries if isinstance(entry, e.SeatLeft))


def _reopened(state: GameState, version: Version, event: e.GameReopened | e.EndRetracted) -> GameState:
    # a new edition: mails of the turn before say nothing about this one
    return replace(
        state,
        version=version,
        status=Status.RUNNING,
        edition=state.edition + 1,
        known_edition=state.edition + 1,
        to_move=event.to_move,
        clock=event.clock,
        proposal=None,
        result=None,
    )


def _ended(state: GameState, version: Version, result: Result) -> GameState:
    return replace(
        state,
        version=version,
        status=Status.ENDED,
        to_move=None,
        clock=None,
        reminded=NO_MARKS,
        grace=NO_GRACE,
        vacant=None,
        proposal=None,
        plans=(None,) * len(state.plans),
        seat_offers=(),
        result=result,
    )
