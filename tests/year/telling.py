"""Mails of players, as short as mails can be."""

from typing import NamedTuple

from turnserver.ids import PlayerId
from turnserver.mail.format.tokens import Token, reply_address
from turnserver.service.keys import ReplyKeys
from turnserver.store.log.database import Database


class Letter(NamedTuple):
    """An answer to the mail about a turn, or to any other mail of ours."""

    answers: Token
    text: str
    number: int

    @property
    def sender(self) -> str:
        return address(self.answers.player)

    def to(self, site: str, db: Database) -> str:
        """The address that the mail which is answered asked to answer to."""
        keys = ReplyKeys(db)
        keys.refresh()
        return reply_address(site, keys, self.answers)

    def raw(self, site: str) -> bytes:
        head = f"From: {self.sender}\r\nTo: {site}\r\nSubject: Re: Your games\r\nMessage-ID: <{self.number}@example.org>\r\n"
        return f"{head}MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n{self.text}\r\n".encode()


def address(player: PlayerId) -> str:
    """Return the address where a player gets their mail."""
    return f"p{player}@example.org"
