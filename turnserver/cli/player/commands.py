"""`turnserver player`: accounts."""

from typing import Annotated

import msgspec
import typer

from turnserver.audit.past.people import person_then
from turnserver.cli import complete
from turnserver.cli.output import at as moments
from turnserver.cli.output import show
from turnserver.cli.output.at import AtAll
from turnserver.cli.output.shapes import Player, PlayerDetails, Reliability
from turnserver.cli.output.tables import GAME_COLUMNS, as_game, game_cells, times
from turnserver.cli.session import Session, session
from turnserver.errors import NotFound
from turnserver.mail.outbound.telling.reliability import reliability_told
from turnserver.play.reliability import Tally
from turnserver.service.people.preferences import CHOICES, values
from turnserver.store.games import views
from turnserver.store.mail import deliverability as reach
from turnserver.store.people import reliability
from turnserver.store.people.accounts import Person

app = typer.Typer(no_args_is_help=True, help="Make, list and change players' accounts.")

NOT_CONFIRMED = "not confirmed"
"""Beside an address that no mail has come from."""

ERASED = "erased"
"""Beside somebody of whom nothing else is known any more."""

Who = Annotated[str, typer.Argument(metavar="WHO", autocompletion=complete.players, help="The player's number, name or mail address.")]


@app.command("add")
@show.emits(Player)
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What others see.")],
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
    person = run.service.add_player(name, address, zone, language, actor=run.actor, cause=run.cause)
    if json:
        show.json(_as_player(person, Tally()))
        return
    typer.echo(f"{person.name} is player {person.id}; a welcome goes to {person.address}.")


@app.command("list")
@show.emits(list[Player])
def list_(ctx: typer.Context, *, json: show.Json = False) -> None:
    """List everybody."""
    run = session(ctx)
    everybody = run.service.players()
    if json:
        with run.service.db.read() as conn:
            known = reliability.every(conn)
        show.json([_as_player(person, known.get(person.id, Tally())) for person in everybody])
        return
    rows = [(str(person.id), person.name, person.address, person.zone, _mark(person)) for person in everybody]
    show.table(
        ("No", "Name", "Address", "Zone", ""), rows, right=("No",), empty="There are no players yet; `turnserver player add` makes one."
    )


@app.command("show")
@show.emits(PlayerDetails)
def show_(ctx: typer.Context, who: Who, *, at: AtAll = None, json: show.Json = False) -> None:
    """Show an account and its games, or what the log says of the player at a moment of the past.

    An account has no past: name, address, zone and settings are those of today. `turnserver audit told` shows what mails had told him.
    """
    run = session(ctx)
    if at is None:
        _show(run, who, json=json)
    else:
        _show_then(run, who, at, json=json)


@app.command("edit")
@show.emits(PlayerDetails)
def edit(
    ctx: typer.Context,
    who: Who,
    *,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The new name.")] = None,
    address: Annotated[str | None, typer.Option(metavar="ADDRESS", help="The new mail address.")] = None,
    zone: Annotated[str | None, typer.Option(metavar="ZONE", help="The new time zone.")] = None,
    reachable: Annotated[bool, typer.Option("--reachable", help="Mail gets through to the player again.")] = False,
    json: show.Json = False,
) -> None:
    """Change an account. What is not named stays. A new address must be confirmed by an answer from there; until then the old one holds."""
    run = session(ctx)
    person = run.service.edit_player(who, name=name, address=address, zone=zone, reachable=reachable, actor=run.actor, cause=run.cause)
    _show(run, str(person.id), json=json)


@app.command("set")
@show.emits(PlayerDetails)
def set_(
    ctx: typer.Context,
    who: Who,
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"What to set: {', '.join(CHOICES)}.")],
    value: Annotated[list[str], typer.Argument(metavar="VALUE", help="What to set it to, in one word or several, as in a mail.")],
    *,
    json: show.Json = False,
) -> None:
    """Choose for a player how mail comes, as he can do himself with a mail that says `set`.

    The settings and what they may be stand in the answer to a mail that says `settings`. `subscribed off` is what `unsubscribe` does:
    the player gets a last mail, which tells him what becomes of his games.
    """
    run = session(ctx)
    person = run.service.choose(who, [(name, " ".join(value))], actor=run.actor, cause=run.cause)
    _show(run, str(person.id), json=json)


def _show(run: Session, who: str, *, json: bool) -> None:
    service = run.service
    person = service.player(who)
    moving = service.new_address(person.id)
    names = {one.id: one.name for one in service.players()}
    with service.db.read() as conn:
        games = [as_game(one, names) for one in views.list_games(conn, player=person.id)]
        mail = reach.of(conn, person.id)
        tally = reliability.of(conn, person.id)
    if json:
        show.json(
            PlayerDetails(
                **msgspec.structs.asdict(_as_player(person, tally)),
                new_address=moving.address if moving else None,
                settings=values(person),
                unreachable_since=mail.since,
                unreachable_why=mail.why if mail.since else None,
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
            ("Zone", person.zone),
            ("Since", made),
            ("Keeps to time", reliability_told(person.name, tally)),
        )
    )
    typer.echo()
    show.facts(tuple((chosen, value) for chosen, value in values(person).items() if chosen != "zone"))
    typer.echo()
    show.table(GAME_COLUMNS, [game_cells(game, clock) for game in games], right=("No", "Turn"), empty=f"{person.name} has no games.")


def _show_then(run: Session, who: str, at: str, *, json: bool) -> None:
    person = run.service.player(who)
    names = {one.id: one.name for one in run.service.players()}
    with run.service.db.read() as conn:
        then = moments.of_log(run, conn, at, "a player")
        if then is None or then.instant < person.created_at:
            raise NotFound(f"{person.name} has an account since {times(run).full(person.created_at)}.")
        found = person_then(conn, run.service.ledger, person.id, then)
    games = [as_game(one, names) for one in found.games]
    if json:
        known = msgspec.structs.asdict(_as_player(person, found.tally))
        since = found.unreachable_since
        show.json(PlayerDetails(**known, new_address=None, settings={}, unreachable_since=since, unreachable_why=None, games=games))
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


def _as_player(person: Person, tally: Tally) -> Player:
    known = Reliability(*tally)
    return Player(person.id, person.name, person.address, person.zone, person.created_at, person.confirmed_at, known, person.erased_at)


def _mark(person: Person) -> str:
    if person.erased_at is not None:
        return ERASED
    return "" if person.confirmed_at else NOT_CONFIRMED
