"""Recognise mail that belongs to a lost history: we signed what it carries, and yet this database, put back to an older state, lacks it.

A reply address says under which key it was signed, and each history has keys of its own (`service.upkeep.losses`). What was signed
under an older key is either from before the backup, or from after it and lost. The end of the old history tells the two apart:
players, games and turns up to there are known. Anything beyond it is lost, even once the new history reaches the same number.
A turn at which the game stood then is the same turn in both.

A Message-ID of ours that no outbox has belongs to a mail of a lost history. `Lost.restoration` is None if the database was put back and
nobody has said so: either no restoration is recorded, or the mail lies beyond everything that this history has had.
"""

from collections.abc import Sequence
from typing import NamedTuple

from turnserver.errors import NotFound
from turnserver.ids import GameId, PlayerId
from turnserver.mail.format import tokens
from turnserver.mail.format.tokens import Token
from turnserver.mail.outbound.language import date_and_time
from turnserver.play.state import GameState
from turnserver.service.games.ledger import Ledger
from turnserver.store import refusals
from turnserver.store.incidents import restorations
from turnserver.store.incidents.restorations import Restoration
from turnserver.store.log import log
from turnserver.store.log import secrets as keyring
from turnserver.store.log.database import Transaction
from turnserver.text import joined, say


class Lost(NamedTuple):
    """Something that is lost, as a mail shows it.

    `subject` names it, always in the same form. `game` is set if a whole game is lost, `account` if the writer's account is. `restoration`
    is the one that lost it, if that is known.
    """

    subject: str
    evidence: str
    restoration: Restoration | None
    game: GameId | None = None
    account: bool = False


def in_address(conn: Transaction, ledger: Ledger, token: Token, parting: Restoration | None) -> Lost | None:
    """Return what a reply address shows to be lost, or None. `parting` ended its history, None for the present one (see `parted`)."""
    evidence = f"a reply address of player {token.player}"
    if token.player > (parting.player if parting else log.last_number(conn, "player")):
        return Lost(f"player {token.player}", evidence, parting, account=True)
    if not token.game:
        return None
    try:
        state = _ended_at(conn, ledger, token.game, parting)
    except NotFound:
        return Lost(f"game {token.game}", evidence, parting, token.game)
    if (token.edition, token.turn) <= (state.edition, state.turn):
        return None
    return Lost(f"game {token.game}, turn {token.turn}, edition {token.edition}", evidence, parting)


def _ended_at(conn: Transaction, ledger: Ledger, game: GameId, parting: Restoration | None) -> GameState:
    """Return a game at the end of the old history, or as it is now if there was none. Raises NotFound if the game was not there."""
    if parting is None:
        return ledger.games.load(conn, game).state
    before = [row for row in ledger.games.history(conn, game) if row.position <= parting.position]
    if not before:
        raise refusals.no_game(game)
    return ledger.games.state_after(game, before)


def in_references(conn: Transaction, references: Sequence[str]) -> Lost | None:
    """Return what Message-IDs that no outbox has show to be lost, or None. Only the first one that is ours counts."""
    keys = None
    for message_id in references:
        keys = keys or keyring.keys(conn, keyring.MESSAGE_ID)
        named = tokens.verify_message_id(keys, message_id)
        if named is not None:
            parting = next((one for one in restorations.every(conn) if one.message_key > named.key), None)
            return Lost(named.about or f"a mail ({named.kind})", f"the answer to a mail ({named.kind})", parting)
    return None


def parted(conn: Transaction, key: int) -> Restoration | None:
    """Return the restoration that ended the history of this version of the reply key; None if the key is of the present history."""
    return next((one for one in restorations.every(conn) if one.reply_key > key), None)


def in_confirmation(conn: Transaction, number: int, parting: Restoration | None) -> Lost | None:
    """Return what an address for confirming shows to be lost, or None. Its number may belong to another confirmation now."""
    if number <= (log.last_number(conn, "confirmation") if parting is None else parting.confirmation):
        return None
    return Lost(f"confirmation {number}", "an answer to it", parting, account=True)


def player_is_lost(conn: Transaction, player: PlayerId, key: int) -> bool:
    """Return whether the player of that number had their account in a lost history. The number may belong to another player now."""
    parting = parted(conn, key)
    return parting is not None and player > parting.player


def mail_is_lost(conn: Transaction, number: int, key: int) -> bool:
    """Return whether the mail of that number in the outbox was one of a lost history. The number may belong to another mail now."""
    parting = parted(conn, key)
    return parting is not None and number > parting.mail


def told(lost: Lost, zone: str) -> str:
    """Return the sentences for a writer whose mail belongs to a lost history."""
    instant = lost.restoration.put_back_to if lost.restoration else None
    if instant is None:
        what = say("We had to put our service back to an earlier state, and what happened after it is lost.")
    else:
        when = date_and_time(instant, zone)
        what = say("We had to put our service back to how it was on {when}, and what happened after that is lost.", when=when)
    if lost.account:
        then = say("Your account was made later, so it is lost too. We are sorry. Please ask for it again.")
    elif lost.game is not None:
        then = say("Game {game} was opened later, so it is lost too. We are sorry. Please start it again.", game=lost.game)
    else:
        then = say(
            "The mail you replied to is lost too, so your reply changed nothing. We are sorry. "
            "Please look where things stand now, and send your move again if it is your turn."
        )
    return joined(" ", (what, then))
