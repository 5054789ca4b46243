"""The history of a game as its reader may read it: the course of the game, and to those at the table all that their mails tell."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final, assert_never

from turnserver.config import Site
from turnserver.errors import NotFound
from turnserver.ids import Recorded
from turnserver.mail.outbound.context import DIGEST_DIGITS
from turnserver.mail.outbound.language import full_time, language
from turnserver.mail.outbound.telling import history
from turnserver.mail.outbound.telling.events import happened
from turnserver.play import events as e
from turnserver.records.check import Proof
from turnserver.service.pages.public import PublicGame
from turnserver.store.web.visibility import Relation
from turnserver.text import say
from turnserver.web.game.page import desk_of, no_moment, proof_for
from turnserver.web.pages import Link

TEMPLATE: Final = "page/game_history.html.j2"
CHANCE: Final = "page/game_chance.html.j2"
EVENTS: Final = 100
"""The number of events on one page."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event."""

    when: Annotated[str, "the instant, in the reader's zone"]
    text: Annotated[str, "what happened, as a sentence"]


@dataclass(frozen=True, slots=True)
class GameHistoryPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    name: Annotated[str, "title and number of the game"]
    events: Annotated[tuple[EventRow, ...], "what happened, oldest first"]
    zone: Annotated[str, "the time zone of the instants"]
    parts: Annotated[tuple[Link, ...], "the other pages of the history; none if there is only this one"]
    head: Annotated[str, "the hash of the last event that the reader may know of, in hexadecimal; its first digits while the game goes on"]
    version: Annotated[int, "how many events the reader may know of"]
    game: Annotated[str, "the address of the game"]


@dataclass(frozen=True, slots=True)
class GameChancePage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    name: Annotated[str, "title and number of the game"]
    proof: Annotated[Proof, "what the rolls came from"]
    game: Annotated[str, "the address of the game"]


def is_public(event: e.GameEvent) -> bool:
    """Return whether an event belongs to the course of a game, which everybody reads who may see it.

    Offers, reminders, and why a clock stands still concern those at the table alone.
    """
    match event:
        case (
            e.GameOpened()
            | e.InvitationAccepted()
            | e.InvitationDeclined()
            | e.GameStarted()
            | e.TurnPlayed()
            | e.TurnSkipped()
            | e.TurnTimedOut()
            | e.TurnsRetracted()
            | e.EndRetracted()
            | e.DrawAccepted()
            | e.SeatResigned()
            | e.SeatLeft()
            | e.SubstituteSeated()
            | e.GameReopened()
            | e.GameEnded()
            | e.SecretRevealed()
            | e.ResultAnnulled()
        ):
            return True
        case (
            e.PlanLaid()
            | e.PlanDropped()
            | e.PlanActed()
            | e.DrawOffered()
            | e.DrawDeclined()
            | e.ProposalMade()
            | e.ProposalAgreed()
            | e.ProposalDeclined()
            | e.PlayerReminded()
            | e.PlayerNudged()
            | e.ClaimMade()
            | e.ClaimDropped()
            | e.ClaimDecided()
            | e.GraceGranted()
            | e.SeatVacated()
            | e.SubstituteInvited()
            | e.SubstituteDeclined()
            | e.SubstituteWithdrawn()
            | e.ClockCredited()
            | e.TimeGiven()
            | e.ClockFrozen()
            | e.ClockThawed()
        ):
            return False
        case _:
            assert_never(event)


def readable(sight: PublicGame) -> Iterator[Recorded[e.GameEvent]]:
    """Yield the events that the reader may read, oldest first."""
    # Whoever sits there has read all of this in mails; plans stay with the one who has laid them.
    if sight.relation is Relation.SEAT and sight.reader.who is not None:
        yield from history.readable(sight.history, sight.state, sight.state.seat_of(sight.reader.who))
        return
    unknown = history.corrected(sight.history)
    yield from (row for row in sight.history if is_public(row.event) and row.version not in unknown)


def history_page(sight: PublicGame, site: Site, number: int, *, address: str) -> GameHistoryPage:
    """Return the page of that number, from 1 on, of the history. Raises NotFound if there is none. `address` is that of the game."""
    rows, desk = list(readable(sight)), desk_of(sight, site)
    count = max((len(rows) - 1) // EVENTS + 1, 1)
    if not 1 <= number <= count:
        raise no_moment()
    shown, digest = rows[(number - 1) * EVENTS : number * EVENTS], sight.told.last.hash.hex()
    page = GameHistoryPage(
        site=site.name,
        name=desk.name,
        events=tuple(EventRow(full_time(row.at, sight.reader.zone), happened(row, desk.table)) for row in shown),
        zone=sight.reader.zone,
        parts=tuple(Link(str(one), f"{address}/history?page={one}") for one in range(1, count + 1) if one != number),
        head=digest if sight.state.result else digest[:DIGEST_DIGITS],
        version=sight.told.events,
        game=address,
    )
    return language(sight.reader.language).told(page)


def chance_page(sight: PublicGame, site: Site, *, address: str) -> GameChancePage:
    """Return the page that lets its reader check every roll. Raises NotFound if there is nothing to check, or not yet."""
    proof = proof_for(sight)
    if proof is None:
        raise NotFound(say("There is nothing to check here: the game is not over, or nothing was rolled in it."))
    return language(sight.reader.language).told(GameChancePage(site.name, desk_of(sight, site).name, proof, address))
