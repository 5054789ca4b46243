"""The post: turns notices into rows of the outbox, each at its time and under its Message-ID. Nothing is rendered or sent here."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from turnserver.errors import ConfigError
from turnserver.ids import GameId, LeagueId, PlayerId, Stream, Version, actor, game_stream, league_stream
from turnserver.mail.format import tokens
from turnserver.mail.outbound.kinds import CAN_WAIT, JOINED, OF_LEAGUES, TELLS, Detail, MailKind, Notice
from turnserver.mail.outbound.notices.game import combined, notices
from turnserver.play.second_thoughts import announced_at, unannounced
from turnserver.play.state import GameState
from turnserver.service.games.folds import Decision, Games
from turnserver.service.mailroom.scheduling import Slot, needs_no_reminder, plan_ahead, slot, turn_ends
from turnserver.service.request import Request
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.store.mail import delivery_reports, gathering, outbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person

_URGING: Final = frozenset({MailKind.REMINDER, MailKind.NUDGED, MailKind.LEAGUE_REMINDER})

GATHER: Final = timedelta(minutes=15)
"""The time that a mail waits for another one that may tell its news too: an admin imports, enters and starts within one evening."""


class Post:
    """Queues mails. Threads may share it."""

    def __init__(self, games: Games, domain: str) -> None:
        """Write about `games`. Message-IDs end in the mail `domain`."""
        self._games = games
        self._domain = domain
        self._keys: Mapping[int, bytes] = {}

    def forget_keys(self) -> None:
        """Read the keys of Message-IDs again before the next one is made."""
        self._keys = {}

    def queue_news(
        self,
        tx: Transaction,
        decision: Decision,
        request: Request,
        more: Sequence[Notice] = (),
        heard: Container[PlayerId] = frozenset(),
        *,
        opened_by: LeagueId | None = None,
    ) -> None:
        """Queue the mails that follow from a decision, and `more`. Players in `heard` know of the decision already and get no mail.

        If a league has opened the game just now, its mails tell of the round too, where that was not told yet.
        """
        found = notices(decision.before, decision.events, decision.after)
        told = (self._with_reliability(tx, notice, decision.after, request.now) for notice in found if notice.player not in heard)
        news = [_with_words(notice, more) for notice in told]
        self.queue(tx, combined((*news, *more)), request, decision.game, decision.after, opened_by=opened_by)

    def _with_reliability(self, conn: Transaction, notice: Notice, state: GameState, now: datetime) -> Notice:
        # Notices are made from events alone; the figures are in the database, as they are now.
        if notice.kind not in (MailKind.INVITATION, MailKind.SEAT_OFFERED):
            return notice
        others = [player for player in state.players if player != notice.player]
        tallies = {str(player): list(self._games.tally(conn, player, notice.player, now)) for player in others}
        return replace(notice, detail={**notice.detail, "reliability": tallies})

    def queue(
        self,
        tx: Transaction,
        told: Iterable[Notice],
        request: Request,
        game: GameId | None = None,
        state: GameState | None = None,
        *,
        league: tuple[LeagueId, Version] | None = None,
        opened_by: LeagueId | None = None,
    ) -> list[int]:
        """Queue a mail for each notice, to leave when its player wants it, and return the mails' numbers.

        The mails are about a `game` as it is in `state`, or else about a `league` at a version. The same request queues the same
        Message-IDs, so a repetition cannot send twice. Answers also keep the address that they go to, by which they are counted.
        """
        numbers: list[int | None] = []
        about = game_stream(game) if game else league_stream(league[0]) if league else None
        for ordinal, notice in enumerate(told):
            person = people.player(tx, notice.player) if notice.player is not None else None
            if person is not None and person.erased_at is not None:
                continue
            shown, at = self._tellable(tx, game, state, notice, request.now)
            version = shown.version if shown else league[1] if league else None
            place = _slot(person, notice.kind, request._replace(now=at), shown)
            # Whoever gets no mail loses no time by it, so there is nothing to remind them of.
            if place is None or (notice.kind in _URGING and person and delivery_reports.deliverability(tx, person.id).since):
                continue
            if notice.kind is MailKind.REMINDER and person is not None and game is not None and shown is not None:
                if needs_no_reminder(tx, person, game, shown, request.now, place.due_at):
                    continue
                outbox.swallow_reminders(tx, game, person.id, place.due_at)
            gathers = notice.gathers and place.status == "queued"
            joined = _joined(tx, notice, person, place, league[0] if league else opened_by, request.now)
            number = outbox.queue(
                tx,
                kind=notice.kind,
                player=notice.player,
                address=person.address if person and notice.is_answer else notice.address,
                game=game,
                league=league[0] if league else None,
                version=version,
                detail={**notice.detail, **_telling(joined), **({gathering.GATHERS: True} if gathers else {})},
                message_id=self._message_id(tx, request.cause, about, version, notice, ordinal),
                in_reply_to=_answered(notice, request),
                at=request.now,
                status=place.status,
                due_at=max(place.due_at, request.now + GATHER) if gathers else place.due_at,
            )
            numbers.append(number)
            # mails that have ended must have somebody who tells them
            assert number is not None or not joined  # noqa: S101
            if number is not None:
                outbox.merge_into(tx, (item.id for item in joined), number)
            if person is not None and person.preferences.quiet and game is not None and shown is not None:
                self.plan_reminders(tx, person, game, shown, at, f"{request.cause}:{ordinal}")
        return [number for number in numbers if number is not None]

    def plan_reminders(self, tx: Transaction, person: Person, game: GameId, state: GameState, now: datetime, cause: str) -> None:  # noqa: PLR0917  # whose, of which game, and why
        """Queue the reminders that have to come before the player's quiet hours, in the place of those that were planned before."""
        for ordinal, (notice, due_at) in enumerate(plan_ahead(tx, person, game, state, now)):
            outbox.queue(
                tx,
                kind=notice.kind,
                player=person.id,
                address=None,
                game=game,
                version=state.version,
                detail=notice.detail,
                message_id=self._message_id(tx, f"{cause}:ahead", game_stream(game), state.version, notice, ordinal),
                in_reply_to=None,
                at=now,
                due_at=due_at,
            )

    def _tellable(
        self, tx: Transaction, game: GameId | None, state: GameState | None, notice: Notice, now: datetime
    ) -> tuple[GameState | None, datetime]:
        """Return the state that a mail shows, and its earliest instant: news of an unknown turn wait, answers leave that turn out."""
        turn = unannounced(state, now) if state else None
        if state is None or game is None or turn is None or notice.player in (None, state.player_at(turn.seat)):
            return state, now
        if notice.kind in CAN_WAIT:
            return state, announced_at(state, now)
        return self._games.seen(tx, game, state, notice.player, now) if notice.player else state, now

    def _message_id(  # noqa: PLR0917  # what a mail is made from
        self, conn: Transaction, cause: str, about: Stream | None, version: Version | None, notice: Notice, ordinal: int
    ) -> str:
        """Return a Message-ID: the same for the same request, and none that anybody can guess.

        An answer that names it comes from its reader.
        """
        keys = self._keys = self._keys or keyring.keys(conn, keyring.MESSAGE_ID)
        if not keys:
            raise ConfigError("There is no key for Message-IDs: run `turnserver init`.")
        request = "\n".join(map(str, (cause, about, version, notice.kind, notice.player, notice.address, ordinal)))
        return tokens.write_message_id(keys, notice.kind, about, request, self._domain)


def _slot(person: Person | None, kind: MailKind, request: Request, state: GameState | None) -> Slot | None:
    if person is None:
        return Slot("queued", request.now)
    return slot(person, kind, request.now, turn_ends(state, person.id), asked=request.actor == actor(person.id))


def _joined(  # noqa: PLR0917  # the mail, its reader and its time
    tx: Transaction, notice: Notice, person: Person | None, place: Slot, league: LeagueId | None, now: datetime
) -> list[OutboxItem]:
    """End the waiting mails whose news a new one tells too, and return them. The others that have to come before it wait no longer."""
    # Only mails about leagues ever wait, and the welcome of somebody who has not written yet.
    if person is None or (league is None and person.confirmed_at is not None):
        return []
    told, leaves = list[OutboxItem](), place.status == "queued"
    for item in gathering.waiting(tx, person.id):
        if league is not None and item.league not in (None, league):
            continue
        # A game tells of its round, but not of a league that its player has not read about yet.
        if leaves and item.kind in TELLS.get(notice.kind, ()) and (notice.kind in OF_LEAGUES or JOINED not in item.detail):
            told += [item] if gathering.take(tx, item.id) else []
        else:
            gathering.release(tx, item.id, place.due_at if leaves else now)
    return told


def _telling(joined: Sequence[OutboxItem]) -> Detail:
    """Return the detail that has a mail tell the news of others, and of those that they were to tell."""
    if not joined:
        return {}
    own = [{"kind": item.kind, "league": item.league, "version": item.version, "since": item.detail.get("since")} for item in joined]
    return {JOINED: [*(each for item in joined for each in item.detail.get(JOINED, ())), *own]}


def _answered(notice: Notice, request: Request) -> str | None:
    # A mail to another player answers nothing: that player did not write the mail that asked.
    return request.in_reply_to if notice.player is None or actor(notice.player) == request.actor else None


def _with_words(notice: Notice, more: Sequence[Notice]) -> Notice:
    """Return a notice that a turn was taken back with whether its player's words beside it reach the others all the same, by `more`."""
    if notice.kind is not MailKind.RETRACTED:
        return notice
    passed_on = any(line["player"] == notice.player for one in more for line in one.detail.get("said", ()))
    return replace(notice, detail={**notice.detail, "words": True}) if passed_on else notice
