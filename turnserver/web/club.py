"""The first page, with what goes on here, and the page for those who want to check it."""

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnserver import games
from turnserver.config import Settings
from turnserver.mail.outbound.language import full_time, language
from turnserver.service.pages.public import PublicAudit, PublicClub, nothing_to_see
from turnserver.service.service import Service
from turnserver.text import listing, say
from turnserver.web import pages
from turnserver.web.game.listed import ListedRow, rows
from turnserver.web.league.page import LeagueRow, league_row
from turnserver.web.pages import Link
from turnserver.web.routes import download, numbered, page
from turnserver.web.visitor import visitor

TEMPLATE: Final = "page/club.html.j2"
AUDIT: Final = "page/audit.html.j2"


@dataclass(frozen=True, slots=True)
class ClubPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    welcome: Annotated[tuple[str, ...], "what the admin says of it, in paragraphs"]
    leagues: Annotated[tuple[LeagueRow, ...], "the leagues that the reader may see"]
    running: Annotated[tuple[ListedRow, ...], "games that go on, the newest first"]
    ended: Annotated[tuple[ListedRow, ...], "games that are over, the last one first"]
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
        leagues=tuple(league_row(one, root) for one in found.leagues),
        running=tuple(rows(found.running, found.people, found.reader, root)),
        ended=tuple(rows(found.ended, found.people, found.reader, root)),
        signed_in=found.reader.who is not None,
        join=f"mailto:{quote(site.address, safe='@')}?subject={quote(site.name)}&body={words}" if site.registration == "open" else "",
        address=site.address,
        admin=site.admin,
        games=listing([entry.title for entry in games.CATALOGUE.values()], "and"),
    )
    return spoken.told(page)


def audit_page(found: PublicAudit, settings: Settings, *, root: str = "") -> AuditPage:
    """Return the page for those who want to check what happened here."""
    zone = found.reader.zone
    listed = tuple(
        CheckpointRow(
            Link(f"{one.size}.checkpoint", f"{root}/audit/checkpoints/{one.size}"),
            one.size,
            say("{time} ({zone})", time=full_time(one.at, zone), zone=zone),
        )
        for one in found.checkpoints
    )
    page = AuditPage(settings.site.name, tuple(map(str, found.keys)), listed, settings.site.admin)
    return language(found.reader.language).told(page)


def routes(service: Service) -> list[Route]:
    """Return the routes of both pages. They only show."""
    shown, settings = service.pages.public, service.settings

    def club(request: Request) -> Response:
        found, root = shown.club(visitor(service, request)), request.scope["root_path"]
        return pages.answer(request, TEMPLATE, club_page(found, settings, root=root), found.reader.language)

    def audit(request: Request) -> Response:
        found, root = shown.audit(visitor(service, request)), request.scope["root_path"]
        return pages.answer(request, AUDIT, audit_page(found, settings, root=root), found.reader.language)

    def checkpoint(request: Request) -> Response:
        found = shown.checkpoint(numbered(request, nothing_to_see(), "size"))
        return download(found.note, f"{found.size}.checkpoint", "text/plain; charset=utf-8")

    return [page("/", get=club), page("/audit", get=audit), page("/audit/checkpoints/{size}", get=checkpoint)]
