"""`turnserver player`: accounts, vacations, personal data."""

import os
from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Meta

from turnserver.audit.past import person_then
from turnserver.cli import complete
from turnserver.cli.output import moments, show
from turnserver.cli.output.moments import AtAll
from turnserver.cli.output.shapes import (
    GAME_COLUMNS,
    Player,
    PlayerDetails,
    VacationOut,
    Vacations,
    VacationYear,
    as_game,
    as_player,
    game_cells,
    names,
    times,
)
from turnserver.cli.player.list import NOT_CONFIRMED
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption, NotFound
from turnserver.mail.inbound.time_phrases import Vacation as Wanted
from turnserver.mail.outbound.language import beginning, counted, ending
from turnserver.mail.outbound.telling.reliability import reliability_told
from turnserver.play.reliability import Tally
from turnserver.rules.options import closest
from turnserver.service.people import vacations
from turnserver.service.people.preferences import CHOICES, values
from turnserver.store.games import views
from turnserver.store.mail import delivery_reports

ACCOUNT = ("name", "address", "reachable")
"""The settings that only an admin can change, besides those of a player."""

SETTINGS = (*ACCOUNT, *CHOICES)
"""Everything that `player set` sets, in the order of help."""

Who = Annotated[str, typer.Argument(metavar="WHO", autocompletion=complete.players, help="The player's number, name or mail address.")]


@show.emits(Player)
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that others see.")],
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The mail address; a welcome goes there.")],
    *,
    zone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="The player's time zone, such as Europe/Berlin; else the site's.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="The language of the player's mails, such as de; else the site's.")
    ] = None,
    json: show.Json = False,
) -> None:
    """Make an account and send the player a welcome."""
    run = session(ctx)
    person = run.service.people.add(name, address, zone, language, actor=run.actor, cause=run.cause)
    if json:
        show.json(as_player(person, Tally()))
        return
    typer.echo(f"{person.name} is player {person.id}; a welcome goes to {person.address}.")


@show.emits(PlayerDetails)
def show_(ctx: typer.Context, who: Who, *, at: AtAll = None, json: show.Json = False) -> None:
    """Show an account and its games. With --at, show what the log said of the player at that moment.

    An account has no past: name, address, zone and settings are those of today. `turnserver audit told` shows what a player had been told.
    """
    run = session(ctx)
    if at is None:
        _show(run, who, json=json)
    else:
        _show_then(run, who, at, json=json)


@show.emits(PlayerDetails)
def set_(
    ctx: typer.Context,
    who: Who,
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"What to set: {', '.join(SETTINGS)}.")],
    value: Annotated[list[str], typer.Argument(metavar="VALUE", help="The new value, in one word or several, as in a mail.")],
    *,
    json: show.Json = False,
) -> None:
    """Change an account or a setting of a player, as players do themselves with `set` in a mail.

    A new address holds once an answer from there confirms it. `reachable yes` says that mail gets through again. The answer to `settings`
    in a mail lists the settings with their values. `subscribed off` does the same as `unsubscribe` in a mail: the player gets a last mail,
    which says what becomes of their games.
    """
    run = session(ctx)
    people, key, text = run.service.people, name.casefold(), " ".join(value)
    if key not in SETTINGS:
        near = closest(key, SETTINGS)
        meant = f" Did you mean {near}?" if near else ""
        raise BadOption(f"There is no setting '{name}'; the settings are {', '.join(SETTINGS)}.{meant}")
    match key:
        case "name":
            person = people.edit(who, name=text, actor=run.actor, cause=run.cause)
        case "address":
            person = people.edit(who, address=text, actor=run.actor, cause=run.cause)
        case "reachable":
            if text.casefold() not in {"yes", "on"}:
                raise BadOption(
                    "The service finds out by itself whether mail gets through. You can only set `reachable yes`, to try again."
                )
            person = people.edit(who, reachable=True, actor=run.actor, cause=run.cause)
        case _:
            person = people.choose(who, [(name, text)], actor=run.actor, cause=run.cause)
    # By number: `who` may be the name or the address that was just changed.
    _show(run, str(person.id), json=json)


def _show(run: Session, who: str, *, json: bool) -> None:
    service = run.service
    person = service.people.find(who)
    moving = service.people.new_address(person.id)
    called = names(run)
    with service.db.read() as conn:
        games = [as_game(one, called) for one in views.list_games(conn, player=person.id)]
        mail = delivery_reports.deliverability(conn, person.id)
        refused = delivery_reports.refused_by_policy(conn).get(person.id)
        tally = views.tally_of(conn, person.id)
    if json:
        show.json(
            PlayerDetails(
                **msgspec.structs.asdict(as_player(person, tally)),
                new_address=moving.address if moving else None,
                settings=values(person),
                unreachable_since=mail.since,
                unreachable_why=mail.why if mail.since else None,
                refused_why=refused,
                games=games,
            )
        )
        return
    clock = times(run)
    made = clock.full(person.created_at)
    show.facts(
        (
            ("Player", str(person.id)),
            ("Name", person.name),
            ("Address", person.address),
            ("", "" if person.confirmed_at or person.erased_at else NOT_CONFIRMED),
            ("Erased", clock.full(person.erased_at)),
            ("To be", f"{moving.address}, if that is confirmed until {clock.full(moving.expires_at)}" if moving else ""),
            ("Mail", f"comes back since {clock.full(mail.since)}: {mail.why}" if mail.since else ""),
            ("", f"is refused: {refused or 'no reason was given'}" if refused is not None else ""),
            ("Zone", person.zone),
            ("Since", made),
            ("Keeps to time", reliability_told(person.name, tally)),
        )
    )
    typer.echo()
    # The zone stands above.
    show.facts(tuple((chosen, value) for chosen, value in values(person).items() if chosen != "zone"))
    typer.echo()
    show.table(GAME_COLUMNS, [game_cells(game, clock) for game in games], right=("No", "Turn"), empty=f"{person.name} has no games.")


def _show_then(run: Session, who: str, at: str, *, json: bool) -> None:
    person = run.service.people.find(who)
    called = names(run)
    with run.service.db.read() as conn:
        then = moments.log_moment(run, conn, at, "a player")
        if then is None or then.instant < person.created_at:
            raise NotFound(f"{person.name} has an account since {times(run).full(person.created_at)}.")
        found = person_then(conn, run.service.ledger, person.id, then)
    games = [as_game(one, called) for one in found.games]
    if json:
        known = msgspec.structs.asdict(as_player(person, found.tally))
        # The log keeps no settings, no address to be, and no reason why mail came back.
        since = found.unreachable_since
        show.json(
            PlayerDetails(
                **known, new_address=None, settings={}, unreachable_since=since, unreachable_why=None, refused_why=None, games=games
            )
        )
        return
    clock = times(run, then)
    show.facts(
        (
            ("Player", f"{person.id}, {person.name}"),
            ("As of", clock.full(then.instant)),
            ("Mail", f"came back since {clock.full(found.unreachable_since)}" if found.unreachable_since else ""),
            ("Since", clock.full(person.created_at)),
            ("Keeps to time", reliability_told(person.name, found.tally)),
        )
    )
    typer.echo()
    show.table(GAME_COLUMNS, [game_cells(game, clock) for game in games], right=("No", "Turn"), empty=f"{person.name} had no games.")


class PlayerData(msgspec.Struct, frozen=True):
    """The file that was written."""

    player: Annotated[int, Meta(description="the player's number")]
    file: Annotated[str, Meta(description="the path of the ZIP")]
    files: Annotated[list[str], Meta(description="the files in it")]


@show.emits(PlayerData)
def data(
    ctx: typer.Context,
    who: Who,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.zip", dir_okay=False, help="The file to write; else player-N.zip here.")
    ] = None,
    json: show.Json = False,
) -> None:
    """Write everything that is kept on a player into a ZIP: account, events, mails, chat, notes, plans, ratings.

    Its README explains the files. Of other players it has only what was sent to this one. Nobody but you can read the file.
    """
    run = session(ctx)
    person = run.service.people.find(who)
    target = output or Path(f"player-{person.id}.zip")
    files, packed = run.service.people.data(person.id)
    try:
        # Made with its mode, or others could open it before a chmod.
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(packed)
    except OSError as error:
        raise BadOption(f"The file {target} cannot be written: {error.strerror}.") from error
    if json:
        show.json(PlayerData(person.id, str(target), files))
        return
    typer.echo(f"Everything that is kept on {person.name}, player {person.id}, is in {target}: {counted(len(files), 'file')}.")


class ErasedPlayer(msgspec.Struct, frozen=True):
    """The data of a player that was erased."""

    player: Annotated[int, Meta(description="the player's number, which is never given to anybody else")]
    left: Annotated[list[str], Meta(description="the games and leagues that the player left first")]
    mails: Annotated[
        int,
        Meta(
            description="the number of mails in the inbox that were emptied, as the player wrote them or they named the "
            "player; digest and length stay"
        ),
    ]
    texts: Annotated[
        int,
        Meta(
            description="the number of mails in the outbox that were emptied, as they went to the player or named them; "
            "digest and length stay"
        ),
    ]
    chat: Annotated[int, Meta(description="the number of chat lines by the player that were erased")]
    plans: Annotated[int, Meta(description="the number of conditional moves of the player that were erased")]
    notes: Annotated[int, Meta(description="the number of private notes of the player that were erased")]
    renamed: Annotated[bool, Meta(description="whether the player has had another name before, which is not stored any more")]


@show.emits(ErasedPlayer)
def erase(
    ctx: typer.Context,
    who: Who,
    *,
    leave: Annotated[
        bool, typer.Option("--leave", help="First resign all games, withdraw from leagues and decline open offers; the others are told.")
    ] = False,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="TEXT", help="Another name or address that the player has or had; may be repeated."),
    ] = None,
    yes: show.Yes = False,
    json: show.Json = False,
) -> None:
    """Erase everything that names a player: name, address, mails, chat, notes, plans. It cannot be undone.

    Games and leagues stay, and say `former player 8` where the name was. Mails of others that name the player are emptied too.
    What is erased is gone from the files of the database as well; backups, log lines and mail programs are not reached: see AUDIT.md.
    Done again, it erases what has come since, and what `--also` finds.
    """
    run = session(ctx)
    person = run.service.people.find(who)
    # Before the question, and before --leave resigns games for nothing.
    run.service.people.check_erasure(person.id, also or (), leaves=leave)
    show.confirm(f"Erase {person.name}, player {person.id}, for ever?", yes=yes)
    left = run.service.people.leave(person.id, actor=run.actor, cause=run.cause) if leave else []
    done = run.service.people.erase(person.id, also or (), actor=run.actor, cause=run.cause)
    if json:
        show.json(ErasedPlayer(done.player, left, done.came, done.went, done.chat, done.plans, done.notes, done.renamed))
        return
    for one in left:
        typer.echo(f"Left: {one}.")
    typer.echo(
        f"Player {done.player} is erased: {counted(done.came, 'mail')} that came, {counted(done.went, 'mail')} that went, "
        f"{counted(done.chat, 'line')} of chat, {counted(done.plans, 'plan')}, {counted(done.notes, 'note')}."
    )
    if done.renamed:
        typer.echo("The player once had another name, which is not known here any more. If you know it, erase again with --also NAME.")
    typer.echo('Backups, log lines and published pages may still name the player: see "Personal data" in AUDIT.md.')


def _day(text: str) -> date:
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
    days: Annotated[int | None, typer.Option(min=1, max=366, metavar="N", help="Start now, for this number of days.")] = None,
    end: Annotated[bool, typer.Option("--end", help="End the current vacation, or call off the one ahead.")] = False,
    number: Annotated[int | None, typer.Option(min=1, metavar="N", help="With --end: the vacation of that number.")] = None,
    json: show.Json = False,
) -> None:
    """Show, declare or end a player's vacations, as players do themselves with `vacation` in a mail.

    The player's clock stands still in all games that allow it; the player and their opponents are told.
    """
    wanted = Wanted(first, last, days, end, number)
    if (first is None) != (last is None) or (first is not None) + (days is not None) + end > 1 or (number is not None and not end):
        raise typer.BadParameter("give --from with --to, or --days, or --end, or none of them", ctx=ctx)
    run = session(ctx)
    if not wanted.asks:
        run.service.people.take_vacation(who, wanted, actor=run.actor, cause=run.cause)
    _show_vacation(run, who, json=json)


def _show_vacation(run: Session, who: str, *, json: bool) -> None:
    person, now = run.service.people.find(who), run.service.clock()
    with run.service.db.read() as conn:
        known = vacations.known(conn, person.id)
    years = vacations.years(known, person, run.settings.play.vacation_days, now)
    there = [VacationOut(each.number, each.begins, each.ends) for each in known if each.open(now)]
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
