"""Do something again and again, killed at another statement each time: `python -m tests.service.mortal ROLE URL ARGUMENTS...`.

`mail URL DIRECTORY RECIPIENT SENDER RAW` takes in, handles and answers a mail; `page URL DIRECTORY LINK MOVE` plays by
a page; `sign_in URL DIRECTORY LINK ADDRESS` signs in, and asks for a link; `rotate URL` replaces the key of reply addresses;
`lay URL GAME PLAYER TEXT` lays a plan; `erase URL PLAYER` erases somebody;
`sweep URL DIRECTORY` does what is due; `league URL DIRECTORY SINCE ACTION` does something about
the league Winter, from an instant on; `reopen URL SINCE GAME` takes back the end of a game and lets its league hear of it;
`checkpoint URL DIRECTORY` makes the checkpoint that is due; `age URL DAYS` gives up mail that is older than so many days, a year later.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from tests.service.leagues.acts import act
from tests.service.upkeep import checkpointed
from tests.service.world import BEGIN, SITE
from tests.store.child import lives, mortal
from tests.terms import PLAIN
from turnserver.config import Incoming, Outgoing, Retention, Settings, Site
from turnserver.errors import AlreadyDone, NotAllowed
from turnserver.ids import GameId, PlayerId
from turnserver.league.commands import GiveRole, OpenLeague, ReturnPlayer, SendWords, Withdraw
from turnserver.league.events import Role
from turnserver.league.settings import Format
from turnserver.league.settings import Settings as LeagueSettings
from turnserver.mail.inbound.phrases import Move, Say
from turnserver.mail.transport.outgoing import MaildirTransport
from turnserver.play.commands import LayPlan, Reopen
from turnserver.play.conditional_moves import SALT_BYTES
from turnserver.service.games.ledger import Ledger
from turnserver.service.leagues import ratings
from turnserver.service.service import Service
from turnserver.service.upkeep.retention import OldMail

TWO = LeagueSettings(format=Format.DOUBLE_ROUND_ROBIN, least=2)
"""Two who meet twice."""

BETWEEN_LIVES = timedelta(minutes=5)
"""Longer than any lease, so that the next life may take up what the last one held."""


def mail(url: str, directory: str, recipient: str, sender: str, raw: str) -> None:
    """For each number that is heard: the mail server hands the mail in, and the process does all it can before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = BEGIN + fatal * BETWEEN_LIVES
        incoming, outgoing = Incoming(max_attempts=1_000), Outgoing(max_deaths=1_000)
        # as long as the game says
        play = replace(PLAIN, correction_minutes=1_440)
        settings = Settings(site=Site(address=SITE), play=play, incoming=incoming, outgoing=outgoing)
        service = Service(database, settings, clock=lambda: now, lot=tuple, transport=lambda: MaildirTransport(Path(directory)))
        service.mail.receive(Path(raw).read_bytes(), recipient, sender, "test")
        service.mail.read_inbox()
        service.mail.send_outbox()
        tick()

    lives(live)


def page(url: str, directory: str, link: str, move: str) -> None:
    """For each number that is heard: a player sends the same form of their page, and the process does all it can before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = BEGIN + fatal * BETWEEN_LIVES
        settings = Settings(site=Site(address=SITE), play=replace(PLAIN, correction_minutes=1_440), outgoing=Outgoing(max_deaths=1_000))
        service = Service(database, settings, clock=lambda: now, lot=tuple, transport=lambda: MaildirTransport(Path(directory)))
        service.pages.turns.act(link, (Move(move), Say("good luck")), "one form")
        service.mail.send_outbox()
        tick()

    lives(live)


def sign_in(url: str, directory: str, link: str, address: str) -> None:
    """For each number that is heard: a player sends the same form to sign in, and another one the same form that asks for a link."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        settings = Settings(site=Site(address=SITE), play=PLAIN, outgoing=Outgoing(max_deaths=1_000))
        moment = BEGIN + fatal * timedelta(seconds=5)
        service = Service(database, settings, clock=lambda: moment, transport=lambda: MaildirTransport(Path(directory)))
        service.pages.sessions.sign_in(link, "one form", "a test")
        service.pages.sessions.ask(address, "", "another form")
        tick()

    lives(live)


def rotate(url: str) -> None:
    """For each number that is heard: sign with a new key and retire the oldest one, and do all that before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        service = Service(database, Settings(site=Site(address=SITE), play=PLAIN))
        service.mail.rotate_key(retire=service.mail.reply_keys()[0].version)
        tick()

    lives(live)


def lay(url: str, game: str, player: str, text: str) -> None:
    """For each number that is heard: lay a plan in a game, and do all that before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        service = Service(database, Settings(site=Site(address=SITE), play=PLAIN), clock=lambda: BEGIN)
        command = LayPlan(PlayerId(int(player)), BEGIN, text, service.ledger.entropy(SALT_BYTES))
        with suppress(AlreadyDone):
            service.games.handle(GameId(int(game)), command, actor=f"player-{player}", cause="test:plan")
        tick()

    lives(live)


def sweep(url: str, directory: str) -> None:
    """For each number that is heard: do what is due, send what there is to be sent, and do all that before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = BEGIN + fatal * BETWEEN_LIVES
        settings = Settings(site=Site(address=SITE), play=PLAIN, outgoing=Outgoing(max_deaths=1_000))
        service = Service(database, settings, clock=lambda: now, transport=lambda: MaildirTransport(Path(directory)))
        service.upkeep.sweep()
        service.mail.send_outbox()
        tick()

    lives(live)


def league(url: str, directory: str, since: str, action: str) -> None:
    """For each number that is heard: do something about the league Winter, and do all that before that statement.

    To `open` it, to enter Ada (`enter`), to `start` a season, to let Ada go (`withdraw`), to take her `back`,
    to write `words` to all, to give Ada a `role`, to `sweep`, or to do what `acts.act` knows.
    """

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = datetime.fromisoformat(since) + fatal * BETWEEN_LIVES
        settings = Settings(site=Site(address=SITE), play=PLAIN, outgoing=Outgoing(max_deaths=1_000))
        service = Service(database, settings, clock=lambda: now, transport=lambda: MaildirTransport(Path(directory)))
        leagues, asked = service.leagues, {"actor": "admin:test", "cause": f"test:{action}"}
        with suppress(AlreadyDone, NotAllowed):
            match action:
                case "open":
                    leagues.open(OpenLeague("Winter", "take", {"size": 2}, TWO), **asked)
                case "enter":
                    leagues.enter(leagues.find("Winter"), "Ada", by_admin=True, **asked)
                case "start":
                    leagues.start(leagues.find("Winter"), ask=True, **asked)
                case "withdraw":
                    ada = Withdraw(service.people.find("Ada").id)
                    leagues.handle(leagues.find("Winter"), ada, **asked)
                case "words":
                    # Another request each time, as by somebody who does not know whether the last one was carried out.
                    words = SendWords(sha256(b"Hello.").hexdigest())
                    leagues.send_words(leagues.find("Winter"), "Hello.", words, actor="admin:test", cause=f"test:words:{fatal}")
                case "role":
                    leagues.handle(leagues.find("Winter"), GiveRole(service.people.find("Ada").id, Role.ARBITER, "a jurist"), **asked)
                case "back":
                    leagues.handle(leagues.find("Winter"), ReturnPlayer(service.people.find("Ada").id, "a typo"), **asked)
                case "sweep":
                    service.upkeep.sweep()
                case _:
                    act(service, leagues.find("Winter"), action)
        tick()

    lives(live)


def reopen(url: str, since: str, game: str) -> None:
    """For each number that is heard: take back the end of a game, let its league hear of it, and do all that before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = datetime.fromisoformat(since) + fatal * BETWEEN_LIVES
        service = Service(database, Settings(site=Site(address=SITE), play=PLAIN), clock=lambda: now)
        with suppress(AlreadyDone, NotAllowed):
            service.games.handle(GameId(int(game)), Reopen("granted by mistake"), actor="admin:test", cause="test:reopen")
        service.upkeep.sweep()
        tick()

    lives(live)


def erase(url: str, player: str) -> None:
    """For each number that is heard: erase a player, and do all that before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        service = Service(database, Settings(site=Site(address=SITE), play=PLAIN), clock=lambda: BEGIN)
        service.people.erase(PlayerId(int(player)), actor="admin:test", cause="test:erase")
        tick()

    lives(live)


def follow(url: str) -> None:
    """For each number that is heard: let ratings follow the results, and do all that before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        ratings.follow(Ledger(database, "club.example"))
        tick()

    lives(live)


def age(url: str, days: str) -> None:
    """For each number that is heard: go through the mail that is old by then, and do all that before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = BEGIN + timedelta(days=365)
        OldMail(Service(database, Settings(), clock=lambda: now).ledger, Retention(mail_days=int(days))).round(now)
        tick()

    lives(live)


def checkpoint(url: str, directory: str) -> None:
    """For each number that is heard: make the checkpoint that is due and publish it, and do all that before that statement."""

    def live(fatal: int) -> None:
        database, tick = mortal(url, fatal)
        now = BEGIN + fatal * BETWEEN_LIVES
        service = Service(database, checkpointed.settings(Path(directory)), clock=lambda: now)
        service.upkeep.checkpoints.follow()
        tick()

    lives(live)


ROLES: Mapping[str, Callable[..., None]] = {
    "mail": mail,
    "page": page,
    "sign_in": sign_in,
    "rotate": rotate,
    "lay": lay,
    "sweep": sweep,
    "follow": follow,
    "reopen": reopen,
    "erase": erase,
    "league": league,
    "checkpoint": checkpoint,
    "age": age,
}


if __name__ == "__main__":
    ROLES[sys.argv[1]](*sys.argv[2:])
