"""Vacations: declared or ended for a person, and in the same transaction in all of the person's running games."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from turnserver.ids import GameId, PlayerId, Recorded
from turnserver.mail.inbound.time_phrases import Vacation as Wanted
from turnserver.mail.outbound.kinds import Notice
from turnserver.mail.outbound.notices import vacations as vacation_notices
from turnserver.mail.outbound.notices.vacations import Stopped, VacationChange, Year
from turnserver.play.clock.live_time import on_the_wall
from turnserver.play.events import PlayerEvent, VacationDeclared, VacationEnded
from turnserver.play.state import Freeze, GameState, Status
from turnserver.play.vacations import (
    Span,
    Vacation,
    declared,
    ended,
    from_now,
    spent,
    stops,
    vacations,
    whole_days,
)
from turnserver.rules import Seat
from turnserver.service.games.absences import stopped_for
from turnserver.service.games.folds import Decision, undecided
from turnserver.service.games.ledger import Ledger
from turnserver.service.people import player_log
from turnserver.service.request import Request
from turnserver.store import refusals
from turnserver.store.games import views
from turnserver.store.incidents import outages
from turnserver.store.log.database import Transaction
from turnserver.store.people.accounts import Person


class VacationDecision(NamedTuple):
    """A change to a person's vacations, decided and not yet written: the event, and its consequences for their games."""

    person: Person
    history: Sequence[Recorded[PlayerEvent]]
    event: VacationDeclared | VacationEnded
    change: VacationChange
    decisions: tuple[Decision, ...]


def known(conn: Transaction, player: PlayerId) -> tuple[Vacation, ...]:
    """Return all vacations that a player has declared, with those that were cancelled."""
    return vacations(row.event for row in player_log.load(conn, player))


def years(there: Sequence[Vacation], person: Person, days: int, now: datetime) -> tuple[Year, ...]:
    """Return what is left of `days` a year, for the player's present calendar year and the next."""
    used, this = spent(there), on_the_wall(now, person.zone).year
    return tuple(Year(year, days, max(0, days - used[year])) for year in (this, this + 1))


def decide(  # noqa: PLR0917  # who asks for what, where and when
    conn: Transaction, ledger: Ledger, person: Person, wanted: Wanted, days: int, request: Request, arrived_at: datetime
) -> VacationDecision:
    """Return the change that declares or ends a vacation, at `days` of vacation a year. Raises Refusal."""
    if person.erased_at is not None:
        raise refusals.erased(person.id)
    history = player_log.load(conn, person.id)
    event = _event(vacations(row.event for row in history), person, wanted, days, request, arrived_at)
    known = vacations([*(row.event for row in history), event])
    changed = next(each for each in known if each.number == event.number)
    stopped: list[Stopped] = []
    decisions: list[Decision] = []
    for game in _tables(conn, person.id):
        at = ledger.games.load(conn, game)
        seat = at.state.seat_of(person.id)
        assert seat is not None  # noqa: S101  # it is one of their games
        planned = stopped_for(undecided(game, at), seat, known, request.now, arrived_at)
        if planned.events:
            decisions.append(planned)
        if planned.events or (isinstance(event, VacationDeclared) and seat in at.state.staying):
            # Told by the game as they know it, which may be without the last turn.
            theirs = ledger.games.seen(conn, game, at.state, person.id, request.now)
            stopped.append(_stopped(planned, seat, event, request.now, mine=theirs.mover == person.id))
    change = VacationChange(changed, tuple(stopped), over=isinstance(event, VacationEnded))
    return VacationDecision(person, history, event, change, tuple(decisions))


def write(tx: Transaction, ledger: Ledger, away: VacationDecision, request: Request, told: Sequence[Notice] = ()) -> None:
    """Write a change: mails to everybody who plays with that person, one each, and `told`; then the log. Comes last in a transaction."""
    own = request._replace(cause=f"{request.cause}:vacation", in_reply_to=None)
    others = Counter(player for one in away.decisions for player in _others(one.after, away.person.id))
    # Whoever shares several games gets one mail for all; whoever shares one hears of it in that game.
    several = {player for player, tables in others.items() if tables > 1}
    for player in sorted(several):
        shared = {one.game for one in away.decisions if player in _others(one.after, away.person.id)}
        change = away.change._replace(games=tuple(one for one in away.change.games if one.game in shared))
        ledger.post.queue(tx, [vacation_notices.away(player, away.person.name, change)], own)
    ledger.post.queue(tx, told, request)
    if away.person.preferences.quiet:
        for one in away.decisions:
            ledger.post.plan_reminders(tx, away.person, one.game, one.after, own.now, own.cause)
    for one in away.decisions:
        ledger.prepare(tx, one, own, heard=several)
    # The log comes last: games in the order of their numbers, then the person.
    for one in away.decisions:
        ledger.append(tx, one, own)
    player_log.append(tx, away.history, away.event, own)


def answer(conn: Transaction, person: Person, days: int, now: datetime, away: VacationDecision | None = None) -> Notice:
    """Return the notice about a player's vacations. `away` is a change that is still to be written, if there is one."""
    events = [row.event for row in player_log.load(conn, person.id)] + ([away.event] if away else [])
    there = vacations(events)
    ahead = [each for each in there if each.open(now)]
    return vacation_notices.vacation(person.id, ahead, years(there, person, days, now), away.change if away else None)


def _event(  # noqa: PLR0917  # see plan
    there: tuple[Vacation, ...], person: Person, wanted: Wanted, days: int, request: Request, arrived_at: datetime
) -> VacationDeclared | VacationEnded:
    zone = person.zone
    if wanted.off:
        return ended(there, person.id, wanted.number, request.now)
    named = wanted.whole_days(on_the_wall(arrived_at, zone).date())
    span = from_now(wanted.days or 0, zone, arrived_at) if named is None else whole_days(*named, zone, arrived_at)
    return declared(there, person.id, span, zone, days, request.now)


def _tables(conn: Transaction, player: PlayerId) -> list[GameId]:
    # Sorted, since everybody locks games in this order; games in quarantine hear of the vacation when they go on.
    return sorted({row.id for row in views.list_games(conn, player=player, status=Status.RUNNING)} - outages.quarantined_numbers(conn))


def _others(state: GameState, player: PlayerId) -> Iterator[PlayerId]:
    return (other for seat in state.staying if (other := state.player_at(seat)) != player)


def _stopped(planned: Decision, seat: Seat, event: VacationDeclared | VacationEnded, now: datetime, *, mine: bool) -> Stopped:
    before, after = planned.before, planned.after
    known = len(before.freezes) if before else 0
    there = stops(after, seat, now)
    new = [stop for stop in there if stop.number > known]
    vacation = event if isinstance(event, VacationDeclared) else None
    own = next((stop for stop in new if vacation and vacation.begins <= stop.begins < vacation.ends), None)
    # What goes on when one ends is all of it; a new one is told of by itself, and by what changes with it.
    others = [stop for stop in new if stop is not own] if vacation else there
    return Stopped(
        planned.game,
        f"{after.game.entry.title} {planned.game}",
        before.deadline if before else None,
        after.deadline,
        own.ends if own else None,
        tuple(_on_end(others)),
        mine=mine,
        version=after.version,
        late=own.begins if vacation and own and own.begins > vacation.begins else None,
    )


def _on_end(stops: Iterable[Freeze]) -> Iterator[Span]:
    """Yield the times of stops, in their order; of those that follow on one another, the whole time."""
    span: Span | None = None
    for stop in stops:
        begins, ends = stop.begins, stop.ends or stop.begins
        if span is not None and span.ends == begins:
            begins = span.begins
        elif span is not None:
            yield span
        span = Span(begins, ends)
    if span is not None:
        yield span
