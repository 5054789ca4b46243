"""`turnserver audit trail`: who did what, when, and through which mail or command."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from io import StringIO
from itertools import islice
from typing import Annotated, Final, assert_never

import msgspec
import typer

from turnserver.audit import past
from turnserver.audit.past import Because, because
from turnserver.cli import complete
from turnserver.cli.audit.shapes import TrailEntry
from turnserver.cli.game.commands import game_number
from turnserver.cli.game.found import FoundGame, actor_told, load
from turnserver.cli.league.act import told_events
from turnserver.cli.output import show
from turnserver.cli.output.shapes import names, times
from turnserver.cli.session import Session, session
from turnserver.errors import BadOption, NotFound, TurnserverError
from turnserver.ids import GameId, LeagueId, PlayerId, Stream, game_stream, is_admin, league_stream
from turnserver.league.presentation.exports import harmless
from turnserver.mail.outbound.language import counted, record_time
from turnserver.mail.outbound.telling.events import happened, name_of
from turnserver.play import events as e
from turnserver.play.events import PlayerEvent
from turnserver.store.log import trail
from turnserver.store.log.codec import EVENT_TYPES
from turnserver.store.log.database import Transaction
from turnserver.store.log.statement import stamp
from turnserver.store.log.trail import Asked, Trace
from turnserver.text import listing


class Teller:
    """Tells events of any stream; each game and league is read once."""

    def __init__(self, run: Session) -> None:
        """Tell what the database of a run holds."""
        self._run = run
        self._zone = run.settings.site.zone
        self.people: Mapping[PlayerId, str] = names(run)
        # A page of the trail often has many events of the same game, and telling one of them takes all of that game.
        self._game = cache(self._found)
        self._league = cache(self._sentences)

    def tell(self, trace: Trace) -> str:
        """Return a sentence that tells an event. An event that cannot be read any more is told by its type and the reason."""
        noun, _, number = trace.stream.partition("-")
        try:
            match noun:
                case "game":
                    found = self._game(int(number))
                    return happened(found.rows[trace.version - 1], replace(found.table, zone=self._zone))
                case "league":
                    return self._league(int(number))[trace.version - 1]
                case "archive":
                    return f"Game {number} of the archive was imported."
                case _:
                    return of_player(trace.recorded().event, self.people, self._zone)
        except TurnserverError as error:
            return f"{trace.type}: {error}"

    def _found(self, number: int) -> FoundGame:
        return load(self._run, number)

    def _sentences(self, number: int) -> list[str]:
        return [one.what for one in told_events(self._run, LeagueId(number))]


def of_player(event: PlayerEvent, people: Mapping[PlayerId, str], zone: str) -> str:
    """Return a sentence that tells an event of an account."""
    name = name_of(event.player, people)
    match event:
        case e.PlayerRegistered():
            return f"{name} got an account."
        case e.PlayerEdited():
            return f"The account of {name} was changed: {listing(list(event.fields), 'and')}."
        case e.PlayerUnreachable():
            return f"Mail does not reach {name} any more."
        case e.PlayerReachable():
            return f"Mail reaches {name} again."
        case e.PlayerErased():
            return f"Everything was erased that named {name}."
        case e.VacationDeclared():
            return f"{name} declared vacation {event.number}, from {record_time(event.begins, zone)} to {record_time(event.ends, zone)}."
        case e.VacationEnded():
            return f"{name} ended vacation {event.number}, as of {record_time(event.ends, zone)}."
        case _:
            assert_never(event)


PER_PAGE: Final = 50
KINDS: Final = {"players": "player-", "admins": "admin:", "service": "service", "strangers": "stranger"}
TYPES: Final = sorted(kind.name for kind in EVENT_TYPES.values())


def _types(incomplete: str) -> list[str]:
    return [name for name in TYPES if name.startswith(incomplete)]


@show.emits(list[TrailEntry])
def trail_(
    ctx: typer.Context,
    *,
    game: Annotated[
        int | None,
        typer.Option(metavar="GAME", parser=game_number, autocompletion=complete.games, help="Only events of this game."),
    ] = None,
    league: Annotated[
        str | None,
        typer.Option(metavar="LEAGUE", autocompletion=complete.leagues, help="Only events of this league, without those of its games."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            autocompletion=complete.players,
            help="Only events about this player: their own, those of their account, of games while they had a seat, "
            "and of leagues that name them.",
        ),
    ] = None,
    actor: Annotated[
        str | None,
        typer.Option(
            metavar="WHO", autocompletion=complete.players, help=f"Only what this player did; or {', '.join(KINDS)}; or admin:NAME."
        ),
    ] = None,
    type_: Annotated[
        str | None,
        typer.Option(
            "--type",
            metavar="TYPE",
            autocompletion=_types,
            help="Only events of this type, such as game.turn_played, or of a group of types, such as game.",
        ),
    ] = None,
    cause: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Only events whose cause begins like this, such as mail:3f9c or cli."),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="WHEN", help="Only events from then on: #48211, 2026-11-03 or '2026-11-03 18:00'.")
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="WHEN", help="Only events up to then, inclusive.")] = None,
    page: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Show this page; else the last one, or for programs all of them.")
    ] = None,
    per_page: Annotated[int, typer.Option("--per-page", min=1, max=10_000, metavar="N", help="The number of events on a page.")] = PER_PAGE,
    json: show.Json = False,
    lines: Annotated[bool, typer.Option("--lines", help="Print JSON for programs, one event a line.")] = False,
    csv_: Annotated[bool, typer.Option("--csv", help="Print CSV for spreadsheets.")] = False,
) -> None:
    """List who did what, when, and through which mail or command, the oldest first.

    Names are those of today; erased players have only a number. Without filters, the whole log is listed; a table shows its last page.
    """
    if json + lines + csv_ > 1:
        raise BadOption("Choose one of --json, --lines and --csv.")
    run = session(ctx)
    with run.service.db.read() as conn:
        asked = _asked(run, conn, game, league, player, actor, type_, cause, since, until)
        if json or lines or csv_:
            # Read while it is printed, so the transaction has to last until then.
            found = trail.every(conn, asked)
            entries = _entries(run, conn, found if page is None else _page(found, page, per_page))
            (_as_csv if csv_ else _as_lines if lines else _as_list)(entries)
            return
        total = trail.count(conn, asked)
        # Rounded up; a trail without events has one empty page.
        pages = max(1, -(-total // per_page))
        if page is not None and page > pages:
            raise NotFound(f"There {'is one page' if pages == 1 else f'are {pages} pages'} of such events; there is no page {page}.")
        shown = list(_page(trail.every(conn, asked), page or pages, per_page))
        told = list(_entries(run, conn, shown))
    # Only now: the teller reads games and leagues in transactions of its own.
    teller, clock = Teller(run), times(run)
    rows = [
        (str(one.position), clock.at(one.at), (one.name, one.how), (f"{one.stream} @ {one.version}", teller.tell(trace)))
        for one, trace in zip(told, shown, strict=True)
    ]
    note = f"Page {page or pages} of {pages}; {counted(total, 'event')} in all. {clock.note}"
    show.table(("#", "At", "By", "What"), rows, right=("#",), empty="There are no such events.", note=note)


def _asked(  # noqa: PLR0917  # one argument a filter
    run: Session,
    conn: Transaction,
    game: int | None,
    league: str | None,
    player: str | None,
    actor: str | None,
    type_: str | None,
    cause: str | None,
    since: str | None,
    until: str | None,
) -> Asked:
    """Return the filters as they were typed. Raises NotFound and BadOption."""
    if game is not None and league is not None:
        raise BadOption("An event is of a game or of a league: give --game or --league.")
    stream: Stream | None = game_stream(GameId(game)) if game is not None else None
    # An empty trail would read as if nothing had ever happened there.
    if game is not None and not trail.newest(conn, game_stream(GameId(game)), 1):
        raise NotFound(f"There is no game {game} here.")
    if league is not None:
        stream = league_stream(run.service.leagues.find(league))
    if type_ is not None and not any(name.startswith(type_) for name in TYPES):
        raise BadOption(f"No type of event begins with {type_!r}; there are, for example, {', '.join(TYPES[:3])}.")
    asked = Asked(stream, type=type_, cause=cause, player=run.service.people.find(player).id if player is not None else None)
    if actor in KINDS:
        asked = asked._replace(kind=KINDS[actor])
    elif actor is not None:
        asked = asked._replace(actor=_who(run, actor))
    zone = run.settings.site.zone
    begin = _bound("--since", since, zone) if since is not None else None
    end = _bound("--until", until, zone) if until is not None else None
    if begin is not None:
        asked = asked._replace(first=begin.position, since=begin.time.begins if begin.time else None)
    if end is not None:
        asked = asked._replace(last=end.position, until=end.time.ends if end.time else None)
    return asked


def _bound(name: str, text: str, zone: str) -> past.WrittenMoment:
    # A version counts within one stream, and a part of the log has many.
    written = past.read(text, zone)
    if written.version is not None:
        raise BadOption(f"{name} takes a position of the log such as #48211 or a time such as 2026-11-03, not {text!r}.")
    return written


def _who(run: Session, actor: str) -> str:
    return actor if is_admin(actor) else f"player-{run.service.people.find(actor.removeprefix('player-')).id}"


def _page(found: Iterable[Trace], page: int, per_page: int) -> Iterator[Trace]:
    return islice(found, (page - 1) * per_page, page * per_page)


def _entries(run: Session, conn: Transaction, found: Iterable[Trace]) -> Iterator[TrailEntry]:
    people = names(run)
    last: dict[str, Because] = {}
    for one in found:
        if one.cause not in last:  # what one request asked for stands together
            last = {one.cause: because(conn, one.cause)}
        why = last[one.cause]
        yield TrailEntry(
            position=one.position,
            stream=one.stream,
            version=one.version,
            at=one.at,
            actor=one.actor,
            name=actor_told(one.actor, people),
            type=one.type,
            how=why.told,
            cause=one.cause,
            mail=why.mail.id if why.mail else None,
            arrived_at=why.mail.received_at if why.mail else None,
            sender=why.mail.sender if why.mail else None,
            data=msgspec.json.decode(one.data),
            hash=one.hash,
        )


def _as_list(entries: Iterable[TrailEntry]) -> None:
    # Each entry is printed as it is read, so a million events need no memory.
    before = "["
    for one in entries:
        typer.echo(f"{before}\n  {show.as_json(one).decode()}", nl=False)
        before = ","
    typer.echo("[]" if before == "[" else "\n]")


def _as_lines(entries: Iterable[TrailEntry]) -> None:
    for one in entries:
        typer.echo(show.as_json(one).decode())


def _as_csv(entries: Iterable[TrailEntry]) -> None:
    _csv_row(TrailEntry.__struct_fields__)
    for one in entries:
        values = msgspec.structs.asdict(one)
        times_ = {name: stamp(at) if at else "" for name, at in (("at", one.at), ("arrived_at", one.arrived_at))}
        # Sorted keys, so that the same event is written alike every time.
        data = {"data": msgspec.json.encode(one.data, order="sorted").decode()}
        _csv_row(harmless(str("" if value is None else value)) for value in {**values, **times_, **data}.values())


def _csv_row(cells: Iterable[str]) -> None:
    written = StringIO()
    csv.writer(written, lineterminator="\n").writerow(cells)
    typer.echo(written.getvalue(), nl=False)
