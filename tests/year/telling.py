"""Mails of players, as short as mails can be."""

from typing import NamedTuple

from tests.year.followed import Pending
from turnserver.envelope import GameId, PlayerId
from turnserver.mail.tokens import Token, reply_address
from turnserver.service.keys import ReplyKeys
from turnserver.store.database import Database


class Letter(NamedTuple):
    """An answer to the mail about a turn: take one."""

    game: GameId
    player: PlayerId
    answers: Pending
    number: int

    @property
    def sender(self) -> str:
        return f"p{self.player - 1}@example.org"

    def to(self, site: str, db: Database) -> str:
        """The address that the mail about the turn asked to answer to."""
        keys = ReplyKeys(db)
        keys.refresh()
        return reply_address(site, keys, Token(self.player, self.game, self.answers.turn, self.answers.edition))

    def raw(self, site: str) -> bytes:
        head = f"From: {self.sender}\r\nTo: {site}\r\nSubject: Re: Game {self.game}\r\nMessage-ID: <{self.number}@example.org>\r\n"
        return f"{head}MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n1\r\n".encode()
