"""What happened, in words, whatever stream it happened in."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import assert_never

from turnserver.cli.game.found import Found, load, names
from turnserver.cli.league.changes import told_events
from turnserver.cli.session import Session
from turnserver.errors import TurnserverError
from turnserver.ids import LeagueId, PlayerId
from turnserver.mail.outbound.telling.events import happened, name_of
from turnserver.mail.outbound.wording import record_time
from turnserver.play.events import (
    PlayerEdited,
    PlayerErased,
    PlayerReachable,
    PlayerRegistered,
    PlayerUnreachable,
    VacationDeclared,
    VacationEnded,
)
from turnserver.service.games.ledger import PlayerEvent
from turnserver.store.log.trail import Trace
from turnserver.text import listing


class Teller:
    """Tells events of any stream; each game and league is read once."""

    def __init__(self, run: Session) -> None:
        """Tell what the database of a run holds."""
        self._run = run
        self._zone = run.settings.site.zone
        self.people: Mapping[PlayerId, str] = names(run)
        self._game = cache(self._found)
        self._league = cache(self._sentences)

    def tell(self, trace: Trace) -> str:
        """What happened, as a sentence; of what cannot be read any more, the type and why."""
        noun, _, number = trace.stream.partition("-")
        try:
            match noun:
                case "game":
                    found = self._game(int(number))
                    return happened(found.rows[trace.version - 1], replace(found.table, zone=self._zone))
                case "league":
                    return self._league(int(number))[trace.version - 1]
                case "archive":
                    return f"Game {number} of the archive was imported."
                case _:
                    return of_player(trace.recorded().event, self.people, self._zone)
        except TurnserverError as error:
            return f"{trace.type}: {error}"

    def _found(self, number: int) -> Found:
        return load(self._run, number)

    def _sentences(self, number: int) -> list[str]:
        return [one.what for one in told_events(self._run, LeagueId(number))]


def of_player(event: PlayerEvent, people: Mapping[PlayerId, str], zone: str) -> str:
    """What happened to an account, as a sentence."""
    name = name_of(event.player, people)
    match event:
        case PlayerRegistered():
            return f"{name} got an account."
        case PlayerEdited():
            return f"The account of {name} was changed: {listing(list(event.fields), 'and')}."
        case PlayerUnreachable():
            return f"Mail does not reach {name} any more."
        case PlayerReachable():
            return f"Mail reaches {name} again."
        case PlayerErased():
            return f"Everything was erased that named {name}."
        case VacationDeclared():
            return f"{name} declared vacation {event.number}, from {record_time(event.begins, zone)} to {record_time(event.ends, zone)}."
        case VacationEnded():
            return f"{name} ended vacation {event.number}, as of {record_time(event.ends, zone)}."
        case _:
            assert_never(event)
