"""The reports to the admin, about what only an admin can put right. Those about leagues: `telling.league_report`."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from turnserver.ids import GameId, PlayerId
from turnserver.mail.outbound.context import Person
from turnserver.mail.outbound.kinds import MailKind, Notice
from turnserver.rules import Seat


def unreachable_report(admin: str, person: Person, why: str, games: Sequence[GameId], *, waits: bool) -> Notice:
    """Report to the admin that mail to a player comes back. Detail: as for `_about_player`."""
    return _about_player(admin, "unreachable", person, why=why, games=list(games), waits=waits)


def held_report(admin: str, person: Person, why: str, game: GameId, days: int, *, told: bool) -> Notice:
    """Report to the admin that a game has waited for mail to a player for many `days`. Detail: as for `_about_player`."""
    return _about_player(admin, "held", person, why=why, games=[game], waits=True, days=days, told=told)


def vacant_report(admin: str, person: Person, game: GameId, seat: Seat) -> Notice:
    """Report to the admin that the `seat` of a player waits for a substitute. Detail: as for `_about_player`."""
    return _about_player(admin, "vacant", person, games=[game], waits=True, seat=seat)


def _about_player(admin: str, about: str, person: Person, *, waits: bool, **told: Any) -> Notice:  # noqa: ANN401  # JSON
    """Report one player's trouble to the admin.

    Detail: `about`; `player`, their `name` and `address`; `games`, those concerned; `why`, in the words of the mail system; `waits`,
    whether time does not count for players who cannot be told of their turn; `days`; `told`, whether mail has reached the player by now;
    `seat`.
    """
    who = {"about": about, "player": person.id, "name": person.name, "address": person.address, "waits": waits}
    nothing = {"why": "", "games": [], "days": 0, "told": False, "seat": None}
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail={**who, **nothing, **told})


def claim_report(admin: str, game: GameId, claimant: str, mover: str, turn: int, words: str) -> Notice:  # noqa: PLR0917  # a claim
    """Report to the admin that a player wants a game to be decided because another one, the `mover`, does not move.

    Detail: `about` (claim), and all arguments except `admin`. `words` are what the claimant says about it, if anything.
    """
    detail = {"about": "claim", "game": game, "claimant": claimant, "mover": mover, "turn": turn, "words": words}
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail=detail)


def provider_report(admin: str, provider: str, why: str, missing: int, marked: Sequence[PlayerId]) -> Notice:
    """Report to the admin that a provider refuses our mail, and that single addresses are not the reason.

    Detail: `about` (provider), `provider` (a domain), `why` in the words of its server, `missing` (the number of mailboxes that it says do
    not exist, 0 if it objects to us explicitly), `marked` (its players who were marked as unreachable before this was seen).
    """
    detail = {"about": "provider", "provider": provider, "why": why, "missing": missing, "marked": list(marked)}
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail=detail)


def outage_report(admin: str, began: datetime, ended: datetime, *, games: int, at_odds: Sequence[GameId], tolerated: timedelta) -> Notice:
    """Report to the admin that the service did not work between two instants, and that `games` clocks got the time back.

    Detail: `about` (outage), `began` and `ended` in ISO 8601, `games`, `at_odds` (the games whose clocks could not get it back), and
    `minutes` (the length from which a gap counts).
    """
    detail = {"about": "outage", "began": began.isoformat(), "ended": ended.isoformat(), "games": games, "at_odds": list(at_odds)}
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail={**detail, "minutes": tolerated // timedelta(minutes=1)})


def clock_report(admin: str, why: str, *, confirmable: bool) -> Notice:
    """Report to the admin that the clock of the machine cannot be right.

    Detail: `about` (clock), `why`, with what to do, and `confirmable` (whether an admin may say that it is right all the same).
    """
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail={"about": "clock", "why": why, "confirmable": confirmable})


def loss_report(admin: str, lost: Sequence[str], since: datetime | None, *, told: bool) -> Notice:
    """Report to the admin that history is lost, as mails show.

    Detail: `about` (loss), `lost` (a phrase for each loss, with its evidence), `since` (the instant of the restored state in ISO 8601, if
    somebody has declared a restoration), `told` (whether the players know).
    """
    detail = {"about": "loss", "lost": list(lost), "since": since.isoformat() if since else None, "told": told}
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail=detail)


def rest_report(admin: str, game: GameId, why: str, since: datetime) -> Notice:
    """Report to the admin that a game rests, because the installed program cannot follow its log.

    Detail: `about` (rest), `game`, `why` as a clause, and `since`, in ISO 8601, from when its time does not count.
    """
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail={"about": "rest", "game": game, "why": why, "since": since.isoformat()})


def given_up_report(  # noqa: PLR0917  # a mail and its reader
    admin: str, mail: int, kind: str, person: Person, game: GameId | None, attempts: int, why: str, *, waits: bool
) -> Notice:
    """Report to the admin that a mail to a player, about a `game` or a digest, was given up.

    Detail: `about` (given up); `mail`, its number in the outbox; its `kind`; `player`, their `name` and `address`; `game`; the number of
    `attempts`; the reason (`why`); and whether the clock `waits` for a player who was not told.
    """
    detail = {"about": "given up", "mail": mail, "kind": kind, "player": person.id, "name": person.name, "address": person.address}
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail={**detail, "game": game, "attempts": attempts, "why": why, "waits": waits})


def status_report(admin: str, tasks: Sequence[tuple[str, str, str]]) -> Notice:
    """Report to the admin what waits for them.

    Detail: `about` (status), and `tasks`: for each its subject, a sentence, and what to type for it.
    """
    return Notice(MailKind.ADMIN_REPORT, address=admin, detail={"about": "status", "tasks": [list(task) for task in tasks]})
