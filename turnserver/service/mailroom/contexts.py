"""All that one mail needs to be written, gathered from the database for a row of the outbox."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from urllib.parse import quote

import msgspec

from turnserver.config import Settings
from turnserver.ids import GameId, LeagueId, PlayerId, Version
from turnserver.mail.format.tokens import Keys, Purpose, Token, reply_address, sign
from turnserver.mail.outbound.context import Form, LeagueContext, MailContext, OwnGame, OwnNote, Stranger, Unsubscribing
from turnserver.mail.outbound.kinds import ASKED_FOR, WITH_NOTES, MailKind, Notice, round_told
from turnserver.mail.outbound.language import ENGLISH
from turnserver.mail.outbound.notices.game import CONFIRMATIONS
from turnserver.play.state import GameState
from turnserver.play.substitution import asked
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues.contexts import LeagueContexts, names, sees
from turnserver.service.leagues.ratings import rating_then
from turnserver.service.mailroom.open_games import own_games
from turnserver.service.people import preferences
from turnserver.store import refusals
from turnserver.store.games import notes
from turnserver.store.log.database import Transaction
from turnserver.store.mail import outbox
from turnserver.store.mail.outbox import OutboxItem
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person

PICTURE_WIDTHS = {"small": (420, 340), "medium": (640, 520), "large": (960, 760)}
"""The width of pictures of boards, and the width at which they are shown at most, in pixels."""

_LANGUAGE = "language"
"""The detail of a mail to an address without an account that names the language of whoever reads it, if that is known."""


def calendar_path(keys: Keys, person: Person) -> str:
    """Return the secret address of a player's calendar, below that of all pages."""
    token = Token(person.id, edition=person.preferences.calendar_edition)
    return f"calendar/{sign(keys, token, Purpose.CALENDAR)}.ics"


def read_in(language: str, notice: Notice) -> Notice:
    """Return the notice for somebody without an account who reads a language."""
    return replace(notice, detail={**notice.detail, _LANGUAGE: language})


class MailContexts:
    """Gathers the contexts of mails; reads, but writes nothing."""

    def __init__(self, ledger: Ledger, leagues: LeagueContexts, settings: Settings, keys: Keys) -> None:
        """Sign the addresses for answers with `keys`."""
        self._ledger = ledger
        self._settings = settings
        self._keys = keys
        self._leagues = leagues

    def of(self, conn: Transaction, item: OutboxItem) -> MailContext:
        """Return the context of a row, about the game as it was at the row's version. Raises NotFound if its player is gone."""
        if item.player is None:
            return self._about_one(conn, item, None)
        person = people.player(conn, item.player)
        if person.erased_at is not None:
            raise refusals.erased(person.id)
        return self._digest(conn, item, person) if item.kind == MailKind.DIGEST else self._about_one(conn, item, person)

    def _about_one(self, conn: Transaction, item: OutboxItem, person: Person | None) -> MailContext:
        """Return the context of a mail about one game, or about none."""
        kind = MailKind(item.kind)
        history = self._ledger.games.history(conn, item.game, item.version) if item.game else []
        state = self._ledger.games.state_after(item.game, history) if item.game else None
        about = self._league(conn, item, kind, person)
        thread = outbox.thread(conn, item.game, item.player, item.id) if item.game and item.player else []
        games = (
            self._own_games(conn, person, item.due_at)
            if person and kind in (MailKind.GAMES, MailKind.SUBSCRIPTION, MailKind.RESTORED)
            else ()
        )
        return MailContext(
            kind=kind,
            person=person or Stranger(item.address or "", self._settings.site.zone),
            site=self._settings.site,
            # When it was to leave: so a mail that is sent again is the same to the byte, and a mail program that gets both shows one.
            now=item.due_at,
            message_id=item.message_id,
            reply_to=self._confirming(item) if kind in CONFIRMATIONS else self._reply_to(person, item.game, state),
            detail=item.detail,
            # An answer stands below the mail that it answers, and any other mail below the last one about the game.
            in_reply_to=item.in_reply_to or next(reversed(thread), None),
            references=thread,
            game_id=item.game,
            state=state,
            history=history,
            # An answer with all games of a player may stand in the thread of one of them.
            people=self._names(conn, [*([state] if state else []), *(own.state for own in games)], asked(row.event for row in history))
            | (names(conn, about) if about else {}),
            games=games,
            form=_form(person, self._foreign(item)),
            unsubscribing=self._unsubscribing(person) if person and kind not in ASKED_FOR else None,
            shown=self._shown(conn, item, person),
            settings=preferences.listed(person) if person and kind is MailKind.SETTINGS else (),
            subscribed=person is None or person.preferences.subscribed,
            league=about,
            parts=self._moved(conn, item, person) if kind is MailKind.VACATION and person else (),
            leagues=self._listed(conn, kind, person),
            notes=self._notes(conn, item, kind, person),
            league_game=self._leagues.game(conn, item.game) if item.game else None,
            web=self._settings.web.url.rstrip("/"),
            page=self._page(item, kind, person, state),
        )

    def _listed(self, conn: Transaction, kind: MailKind, person: Person | None) -> tuple[LeagueContext, ...]:
        """Return the leagues that a mail lists: all that the player sees or may enter, or those that they are in who get no more mail."""
        if person is None or kind not in (MailKind.SUBSCRIPTION, MailKind.LEAGUES):
            return ()
        if kind is MailKind.SUBSCRIPTION:
            return self._leagues.every(conn, person.id)
        every, web = self._leagues.every(conn), self._settings.web
        return tuple(
            one
            for one in every
            if (one.state.season is not None and one.state.season.takes_entries) or sees(conn, web, person.id, one.league, one.state)
        )

    def _league(self, conn: Transaction, item: OutboxItem, kind: MailKind, person: Person | None) -> LeagueContext | None:
        """Return the league that a mail to a player is about, as it was at the row's version, or when the round began that it tells."""
        asks_again = kind is MailKind.REFUSAL and "asked" in item.detail
        if asks_again or kind in (MailKind.LEAGUE_TABLE, MailKind.LEAGUE_LEAVING, MailKind.LEAGUE_DUTY):
            version = Version(item.detail["version"])
            return self._leagues.at(conn, LeagueId(item.detail["league"]), version, version)
        if item.game is not None:
            begun = round_told(item.detail)
            return self._leagues.at(conn, LeagueId(begun["league"]), Version(begun["version"]), begun["since"]) if begun else None
        if item.league is None or item.version is None or kind is MailKind.ADMIN_REPORT:
            return None
        about = self._leagues.at(conn, item.league, item.version, item.detail.get("since", item.version))
        if kind is not MailKind.LEAGUE_FINAL or person is None:
            return about
        return replace(about, rating=rating_then(conn, about.state.game, person.id, item.due_at))

    def _digest(self, conn: Transaction, item: OutboxItem, person: Person) -> MailContext:
        told = [
            msgspec.structs.replace(item, game=GameId(each["game"]), version=each["version"], detail=each) for each in item.detail["games"]
        ]
        parts = tuple(self._about_one(conn, each, person) for each in told)
        return MailContext(
            kind=MailKind.DIGEST,
            person=person,
            site=self._settings.site,
            now=item.due_at,
            message_id=item.message_id,
            # A digest about one game can be answered like a mail of that game.
            reply_to=parts[0].reply_to if len(parts) == 1 else self._reply_to(person, None, None),
            form=_form(person, self._settings.site.language),
            unsubscribing=self._unsubscribing(person),
            parts=parts,
        )

    def _moved(self, conn: Transaction, item: OutboxItem, person: Person) -> tuple[MailContext, ...]:
        """Return the player's turns whose deadlines a change of the vacation has moved, for players who have them in their calendar."""
        if item.game is not None or not item.detail["change"] or not person.preferences.calendar:
            return ()
        games = [each for each in item.detail["change"]["games"] if each["mine"] and "version" in each]  # older rows have no version
        rows = [msgspec.structs.replace(item, game=GameId(each["game"]), version=each["version"], detail={}) for each in games]
        return tuple(self._about_one(conn, row, person) for row in rows)

    @staticmethod
    def _notes(conn: Transaction, item: OutboxItem, kind: MailKind, person: Person | None) -> tuple[OwnNote, ...]:
        # Those that were kept until the mail was to leave: so a mail that is sent again is the same to the byte.
        if item.game is None or person is None or kind not in WITH_NOTES:
            return ()
        return tuple(
            OwnNote(note.turn, note.text, note.published) for note in notes.own(conn, person.id, item.game) if note.at <= item.due_at
        )

    def _shown(self, conn: Transaction, item: OutboxItem, person: Person | None) -> GameState | None:
        # Only players who have its deadlines in their calendar need the game at the mail before.
        if person is None or item.game is None or not person.preferences.calendar:
            return None
        version = outbox.shown_version(conn, item.game, person.id, item.id)
        return None if version is None else self._ledger.games.state_after(item.game, self._ledger.games.history(conn, item.game, version))

    def _own_games(self, conn: Transaction, person: Person, now: datetime) -> tuple[OwnGame, ...]:
        theirs = own_games(conn, self._ledger, person, now)
        return tuple(OwnGame(game, state, self._reply_to(person, game, state)) for game, state in theirs)

    def _reply_to(self, person: Person | None, game: GameId | None, state: GameState | None) -> str:
        site = self._settings.site.address
        if person is None:
            return site
        if game is None or state is None:
            return reply_address(site, self._keys, Token(person.id))
        return reply_address(site, self._keys, Token(person.id, game, state.turn, state.edition))

    def _page(self, item: OutboxItem, kind: MailKind, person: Person | None, state: GameState | None) -> str:
        """Return the address that a mail leads its reader to; empty if it leads to none."""
        web = self._settings.web
        root = web.url.rstrip("/")
        if person is None:
            return ""
        if kind is MailKind.SIGN_IN:
            to, drawn = item.detail["to"], GameId(item.detail["drawn"])
            return f"{root}/sign-in/{sign(self._keys, Token(person.id, drawn), Purpose.SIGN_IN)}{f'?to={quote(to)}' if to else ''}"
        if kind is MailKind.SETTINGS and root:
            return f"{root}/{calendar_path(self._keys, person)}"
        if item.game is None or state is None or not root or web.link_play == "off":
            return ""
        return f"{root}/turn/{sign(self._keys, Token(person.id, item.game, state.turn, state.edition), Purpose.PAGE)}"

    def _confirming(self, item: OutboxItem) -> str:
        # The number of the confirmation stands where other tokens have a game.
        number = GameId(item.detail["number"])
        return reply_address(self._settings.site.address, self._keys, Token(PlayerId(0), number), Purpose.CONFIRM)

    def _foreign(self, item: OutboxItem) -> str:
        return ENGLISH if item.kind == MailKind.ADMIN_REPORT else item.detail.get(_LANGUAGE) or self._settings.site.language

    def _unsubscribing(self, person: Person) -> Unsubscribing:
        site, web = self._settings.site.address, self._settings.web
        token = Token(person.id)
        url = f"{web.url.rstrip('/')}/unsubscribe/{sign(self._keys, token, Purpose.UNSUBSCRIBE)}" if web.url else ""
        return Unsubscribing(reply_address(site, self._keys, token, Purpose.UNSUBSCRIBE), url)

    @staticmethod
    def _names(conn: Transaction, tables: Iterable[GameState], others: Iterable[PlayerId]) -> dict[PlayerId, str]:
        return people.names(conn, {*others, *(player for table in tables for player in table.everybody)})


def _form(person: Person | None, language: str) -> Form:
    if person is None:
        return Form(language=language)
    chosen = person.preferences
    return Form(chosen.mail == "html", *PICTURE_WIDTHS[chosen.board], chosen.calendar, chosen.language, chosen.subjects)
