"""`turnserver game why-deadline`: the account of a deadline, and what the turns have done to the banks."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import typer

from turnserver.cli.game.commands import Which
from turnserver.cli.game.found import FoundGame, bank_told, load
from turnserver.cli.output import show
from turnserver.cli.output.moments import At
from turnserver.cli.output.shapes import BankTurn, DeadlineItem, WhyDeadline, times
from turnserver.cli.session import session
from turnserver.mail.outbound.language import span
from turnserver.mail.outbound.telling.deadline_bill import bill
from turnserver.play.clock.clock import control
from turnserver.play.clock.explain_deadline import Account, BankRow, bank_rows, explain_deadline
from turnserver.play.events import EVENT_TYPES
from turnserver.play.guards import not_running

_BANK_COLUMNS = ("Turn", "Player", "Had", "Used", "Left", "Granted", "Bank")


@show.emits(WhyDeadline)
def why_deadline(ctx: typer.Context, game: Which, *, at: At = None, json: show.Json = False) -> None:
    """Explain the deadline of the pending turn, or of the one at a moment of the past.

    It lists every grant, freeze and day off that adds up to the deadline, then the effect of each turn on the clock of its seat.
    """
    run = session(ctx)
    found = load(run, game, at)
    made, banks = explain_deadline(found.rows), bank_rows(found.rows)
    if made is None:
        raise not_running(found.state)
    if json:
        show.json(
            WhyDeadline(
                id=game,
                turn=made.turn,
                seat=made.seat,
                since=made.since,
                items=list(_items(made)),
                deadline=made.deadline,
                time=found.state.terms.time,
                banks=[_bank(row) for row in banks],
            )
        )
        return
    clock = times(run, found.then)
    # In the zone of all else that is printed here.
    told = bill(made, replace(found.table, zone=clock.zone))
    show.facts(
        (
            ("Game", found.title),
            ("As of", found.as_of(clock)),
            ("Turn", f"{made.turn}, {found.table.at(made.seat)}"),
            ("Time", found.state.terms.time),
            ("Began", clock.full(made.since)),
        )
    )
    typer.echo()
    show.table(("", "Time", "What for"), [("+", line.amount, line.text) for line in told.lines], empty="It has no limit of time.")
    typer.echo()
    show.facts((("Deadline", clock.full(made.deadline) or "none"), ("Note", told.note)))
    typer.echo()
    show.table(_BANK_COLUMNS, [_cells(row, found) for row in banks], right=("Turn",), empty="No turn has been played.")


def _items(made: Account) -> Iterator[DeadlineItem]:
    for part in made.parts:
        yield DeadlineItem("time", part.source, part.span.total_seconds())
    for one in made.given:
        # Not every event that gives time has a reason: an admin has one, a player who gives time has none.
        name, reason = EVENT_TYPES[type(one.event)].name, getattr(one.event, "reason", "")
        yield DeadlineItem("given", name, one.span.total_seconds(), begins=one.at, actor=one.actor, reason=reason)
    for stop in made.stops:
        took = stop.took.total_seconds()
        yield DeadlineItem("stop", stop.why, took, stop.begins, stop.ends, stop.number, stop.seat, stop.actor, stop.reason)


def _bank(row: BankRow) -> BankTurn:
    had, used, left = (None if one is None else one.total_seconds() for one in (row.had, row.used, row.left))
    return BankTurn(row.turn, row.seat, had, used, left, row.granted.total_seconds(), row.bank.time.total_seconds(), row.bank.periods)


def _cells(row: BankRow, found: FoundGame) -> tuple[str, ...]:
    bank = bank_told(control(found.state).control, row.bank) or "nothing"
    return (str(row.turn), found.table.by(row.seat, row.turn), _span(row.had), _span(row.used), _span(row.left), _span(row.granted), bank)


def _span(length: timedelta | None) -> str:
    return span(length) if length else ""
