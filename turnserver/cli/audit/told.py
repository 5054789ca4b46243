"""`turnserver audit told`: what a player had been told, now or at a moment of the past."""

from collections.abc import Iterator
from typing import Annotated

import typer

from turnserver.audit.past import KnownGame, LogMoment, known, newest_of_leagues
from turnserver.cli import complete
from turnserver.cli.audit.shapes import ToldGame, ToldLeague, ToldMail, ToldPlayer
from turnserver.cli.game.commands import game_number
from turnserver.cli.output import moments, show
from turnserver.cli.output.moments import AtAll
from turnserver.cli.output.shapes import times
from turnserver.cli.player.commands import Who
from turnserver.cli.session import session
from turnserver.errors import NotFound
from turnserver.mail.outbound.language import counted
from turnserver.play.state import Status
from turnserver.store.mail import outbox, retention
from turnserver.store.mail import told as mails
from turnserver.store.mail.told import Letter, Reached

HOW = {
    Reached.WAITING: "waits since",
    Reached.TAKEN: "taken by the next server",
    Reached.DELIVERED: "delivered",
    Reached.BOUNCED: "came back",
    Reached.ANSWERED: "answered",
}


@show.emits(ToldPlayer)
def told(
    ctx: typer.Context,
    who: Who,
    *,
    at: AtAll = None,
    game: Annotated[
        int | None,
        typer.Option(
            metavar="GAME",
            parser=game_number,
            autocompletion=complete.games,
            help="Only this game, even if it is over, with every mail about it and the text of the last one.",
        ),
    ] = None,
    json: show.Json = False,
) -> None:
    """Show what a player had been told: for each game, the newest state that a mail had shown them, and what they could not know yet.

    A mail counts as received once the next server took it, unless it came back. A mail that was answered counts as read.
    """
    run = session(ctx)
    person = run.service.people.find(who)
    with run.service.db.read() as conn:
        then = moments.log_moment(run, conn, at, "what a player was told") or LogMoment(run.service.clock())
        found: list[KnownGame] = []
        others: list[int] = []
        for one in known(conn, run.service.ledger, person.id, then):
            if _wanted(one, game):
                found.append(one)
            else:
                others.append(one.game)
        if game is not None and not found:
            raise NotFound(f"{person.name} had not been written about game {game} by then.")
        letters = mails.letters(conn, person.id, then.instant)
        last = found[0].newest if game is not None else None
        said = outbox.get(conn, last.mail).text if last is not None else None
        left = retention.left_of_went(conn, last.mail) if last is not None else None
    leagues = newest_of_leagues(letters) if game is None else {}
    if json:
        of_leagues = [ToldLeague(int(stream.rpartition("-")[2]), one.version, one.mail) for stream, one in sorted(leagues.items())]
        show.json(ToldPlayer(person.id, person.name, then.instant, [_as_game(one) for one in found], of_leagues))
        return
    clock = times(run, then)
    typer.echo(f"What {person.name} had been told by {clock.full(then.instant)}\n")
    rows = [(str(one.game), one.state.game.entry.title, _known(one), _by(one.newest, clock), tuple(_besides(one, clock))) for one in found]
    empty = "There were no games under way that any mail to the player was about."
    show.table(("Game", "", "Knew", "By", "Besides"), rows, right=("Game",), empty=empty)
    if game is None and others:
        has = "is 1 game that was" if len(others) == 1 else f"are {len(others)} games that were"
        show.words(f"Left out {has} over; `--game {others[-1]}` shows what the player had been told of one.")
    if leagues:
        typer.echo()
        rows_of = [(stream, f"version {one.version}", _by(one, clock)) for stream, one in sorted(leagues.items())]
        show.table(("League", "Knew", "By"), rows_of)
    if game is not None:
        typer.echo()
        cells = [
            (str(one.mail), one.kind, str(one.version), clock.at(one.written_at), f"{HOW[one.reached]} {clock.at(one.at)}")
            for one in found[0].letters
        ]
        show.table(("Mail", "Kind", "Shows", "Written", "What became of it"), cells, right=("Mail", "Shows"), note=clock.note)
        if last is not None:
            typer.echo()
            look = f"`turnserver mail outbox show {last.mail}`"
            if left is None:
                typer.echo(f"Mail {last.mail} said ({look} shows all of it):\n\n{said or ''}")
            else:
                show.words(f"The text of mail {last.mail} is not kept any more: {left}. {look} shows it as it would be today.")


def _wanted(one: KnownGame, game: int | None) -> bool:
    return one.game == game if game is not None else one.state.status is not Status.ENDED


def _known(one: KnownGame) -> str:
    return f"version {one.newest.version} of {one.state.version}" if one.newest else f"nothing of {counted(one.state.version, 'event')}"


def _by(letter: Letter | None, clock: show.Times) -> str:
    return f"mail {letter.mail}, {letter.kind}, {HOW[letter.reached]} {clock.at(letter.at)}" if letter else ""


def _besides(one: KnownGame, clock: show.Times) -> Iterator[str]:
    if one.own is not None:
        yield f"the player's own last act was version {one.own}"
    if one.held_turn is not None:
        yield f"turn {one.held_turn} was not told before {clock.at(one.held_until)}, as it could be corrected"
    elif one.unknown:
        yield f"{counted(one.unknown, 'event')} no mail could have told"
    if one.planned is not None:
        yield f"a plan answers from turn {one.planned} on; no mail tells of such turns"


def _as_game(one: KnownGame) -> ToldGame:
    return ToldGame(
        game=one.game,
        title=one.state.game.entry.title,
        status=one.state.status.value,
        version=one.state.version,
        known=one.newest.version if one.newest else None,
        mail=one.newest.mail if one.newest else None,
        own=one.own,
        unknown=one.unknown,
        held_turn=one.held_turn,
        held_until=one.held_until,
        planned=one.planned,
        mails=[ToldMail(each.mail, each.kind, each.version, each.written_at, each.reached.value, each.at) for each in one.letters],
    )
