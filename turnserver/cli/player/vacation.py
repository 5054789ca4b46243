"""`turnserver player vacation`: show, declare and end vacations for a player."""

from datetime import date
from typing import Annotated

import typer

from turnserver.cli.output import show
from turnserver.cli.output.shapes import Vacation, Vacations, VacationYear
from turnserver.cli.player.commands import Who
from turnserver.cli.session import Session, session
from turnserver.mail.inbound.time_phrases import Vacation as Wanted
from turnserver.mail.outbound.wording import beginning, ending
from turnserver.service.people import vacations


def _day(text: str) -> date:
    """Read a day. Raises typer.BadParameter."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is not a day such as 2027-07-01.") from error


@show.emits(Vacations)
def vacation(
    ctx: typer.Context,
    who: Who,
    *,
    first: Annotated[date | None, typer.Option("--from", parser=_day, metavar="DAY", help="The first day, such as 2027-07-01.")] = None,
    last: Annotated[date | None, typer.Option("--to", parser=_day, metavar="DAY", help="The last day; it belongs to the vacation.")] = None,
    days: Annotated[int | None, typer.Option(min=1, max=366, metavar="N", help="From now on, for so many days.")] = None,
    end: Annotated[bool, typer.Option("--end", help="End the current vacation, or call off the one ahead.")] = False,
    number: Annotated[int | None, typer.Option(min=1, metavar="N", help="With --end: the vacation of that number.")] = None,
    json: show.Json = False,
) -> None:
    """Show a player's vacations, or declare or end one as he can do himself with a mail that says `vacation`.

    His clock stands still in all games that allow it; he and those who play with him are told.
    """
    wanted = Wanted(first, last, days, end, number)
    if (first is None) != (last is None) or (first is not None) + (days is not None) + end > 1 or (number is not None and not end):
        raise typer.BadParameter("give --from with --to, or --days, or --end, or none of them", ctx=ctx)
    run = session(ctx)
    if not wanted.asks:
        run.service.take_vacation(who, wanted, actor=run.actor, cause=run.cause)
    _show(run, who, json=json)


def _show(run: Session, who: str, *, json: bool) -> None:
    person, now = run.service.player(who), run.service.clock()
    with run.service.db.read() as conn:
        known = vacations.known(conn, person.id)
    years = vacations.years(known, person, run.settings.play.vacation_days, now)
    there = [Vacation(each.number, each.begins, each.ends) for each in known if each.open(now)]
    if json:
        show.json(Vacations(there, [VacationYear(*year) for year in years]))
        return
    rows = [(str(each.number), beginning(each.begins, person.zone), ending(each.ends, person.zone)) for each in there]
    show.table(
        ("No", "From", "To"),
        rows,
        right=("No",),
        note=f"Times are those of {person.zone}.",
        empty=f"{person.name} has declared no vacation.",
    )
    typer.echo("\n".join(f"{year.left} of {year.days} days of {year.year} are left." for year in years))
