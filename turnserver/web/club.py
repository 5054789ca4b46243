"""The first page, with what goes on here, and the page for those who want to check it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from turnserver import games
from turnserver.config import Settings
from turnserver.mail.outbound.language import language, record_time
from turnserver.mail.outbound.telling.events import name_of
from turnserver.service.pages.public import ListedGame, PublicAudit, PublicClub, nothing_to_see
from turnserver.service.service import Service
from turnserver.store.log.statement import instant
from turnserver.text import joined, listing, say
from turnserver.web import pages
from turnserver.web.game.page import Link, result_of
from turnserver.web.league.page import LeagueRow, league_row
from turnserver.web.routes import numbered, page
from turnserver.web.visitor import visitor

TEMPLATE: Final = "page/club.html.j2"
AUDIT: Final = "page/audit.html.j2"


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game in a list of several."""

    game: Annotated[Link, "the game"]
    picture: Annotated[str, "the address of its newest board"]
    players: Annotated[str, "its players, in the order of their seats"]
    result: Annotated[str, "how it ended, as a phrase; empty while it goes on"]
    when: Annotated[str, "the day on which it ended, in the reader's zone; empty while it goes on"]


@dataclass(frozen=True, slots=True)
class ClubPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    welcome: Annotated[tuple[str, ...], "what the admin says of it, in paragraphs"]
    leagues: Annotated[tuple[LeagueRow, ...], "the leagues that the reader may see"]
    running: Annotated[tuple[PlayedGame, ...], "games that go on, the newest first"]
    ended: Annotated[tuple[PlayedGame, ...], "games that are over, the last one first"]
    signed_in: Annotated[bool, "whether the reader has an account and is signed in"]
    join: Annotated[str, "the address of a mail to join by; empty if only an admin makes accounts"]
    address: Annotated[str, "the mail address of the service"]
    admin: Annotated[str, "the mail address of the admin; empty if none is named"]
    games: Annotated[str, "the titles of the games that can be played"]


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """A checkpoint in the list."""

    file: Annotated[Link, "the file: its name and address"]
    size: Annotated[int, "how many events there were"]
    when: Annotated[str, "when it was signed, in the reader's zone"]


@dataclass(frozen=True, slots=True)
class AuditPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    keys: Annotated[tuple[str, ...], "the keys whose signatures count, as `turnserver audit check --key` takes them"]
    checkpoints: Annotated[tuple[CheckpointRow, ...], "the newest checkpoints, the newest first"]
    admin: Annotated[str, "the mail address of the admin; empty if none is named"]


def club_page(found: PublicClub, settings: Settings, *, root: str = "") -> ClubPage:
    """Return the first page. `root` is the path of our addresses."""
    site = settings.site
    spoken = language(found.reader.language)
    words = quote(spoken.told(say("join <your name>")), safe="")
    page = ClubPage(
        site=site.name,
        welcome=tuple(part.strip() for part in settings.web.welcome.split("\n\n") if part.strip()),
        leagues=tuple(league_row(one.row, root) for one in found.leagues),
        running=tuple(_rows(found, found.running, root)),
        ended=tuple(_rows(found, found.ended, root)),
        signed_in=found.reader.who is not None,
        join=f"mailto:{quote(site.address, safe='@')}?subject={quote(site.name)}&body={words}" if site.registration == "open" else "",
        address=site.address,
        admin=site.admin,
        games=listing([entry.title for entry in games.CATALOGUE.values()], "and"),
    )
    return spoken.told(page)


def audit_page(found: PublicAudit, settings: Settings, *, root: str = "") -> AuditPage:
    """Return the page for those who want to check what happened here."""
    rows = tuple(
        CheckpointRow(
            Link(f"{one.size}.checkpoint", f"{root}/audit/checkpoints/{one.size}"), one.size, record_time(one.at, found.reader.zone)
        )
        for one in found.checkpoints
    )
    page = AuditPage(settings.site.name, tuple(map(str, found.keys)), rows, settings.site.admin)
    return language(found.reader.language).told(page)


def routes(service: Service) -> list[Route]:
    """Return the routes of both pages. They only show."""
    shown, settings = service.public_pages, service.settings

    def club(request: Request) -> Response:
        found, root = shown.club(visitor(service, request)), request.scope["root_path"]
        return HTMLResponse(pages.render(TEMPLATE, club_page(found, settings, root=root), found.reader.language, root))

    def audit(request: Request) -> Response:
        found, root = shown.audit(visitor(service, request)), request.scope["root_path"]
        return HTMLResponse(pages.render(AUDIT, audit_page(found, settings, root=root), found.reader.language, root))

    def checkpoint(request: Request) -> Response:
        found = shown.checkpoint(numbered(request, nothing_to_see(), "size"))
        headers = {"Content-Disposition": f'attachment; filename="{found.size}.checkpoint"'}
        return Response(found.note, media_type="text/plain; charset=utf-8", headers=headers)

    return [page("/", get=club), page("/audit", get=audit), page("/audit/checkpoints/{size}", get=checkpoint)]


def _rows(found: PublicClub, listed: tuple[ListedGame, ...], root: str) -> Iterator[PlayedGame]:
    for one in listed:
        row = one.seen.row
        yield PlayedGame(
            game=Link(f"{games.entry(row.game).title} {row.id}", f"{root}/games/{row.id}"),
            picture=f"{root}/games/{row.id}/board.svg",
            players=joined(" \N{EN DASH} ", [name_of(player, found.people.names) for player in one.players]),
            result=result_of(one, found.people.names) if row.ended_at is not None else "",
            when=record_time(instant(row.ended_at), found.reader.zone).partition(" ")[0] if row.ended_at is not None else "",
        )
