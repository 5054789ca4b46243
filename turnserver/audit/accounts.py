"""Check the stream of an account: its events are of that player, by somebody who could ask for them, and in an order that can be."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final, assert_never

from turnserver.ids import PlayerId, Recorded, Version, actor, is_admin, player_of
from turnserver.play import events as e
from turnserver.play.vacations import AHEAD, Vacation

_STRANGER: Final = "stranger"
"""The actor of a mail whose writer is not known for sure, such as one that unsubscribes."""
_A_DAY: Final = timedelta(days=1)


def faults(  # noqa: C901, PLR0912  # one branch an event
    player: PlayerId, history: Sequence[Recorded[e.PlayerEvent]]
) -> Iterator[tuple[Version, str]]:
    """Yield the versions of the events of an account that nobody could bring about there, each with what is wrong."""
    known: dict[int, Vacation] = {}
    away, erased = False, False
    for row in history:
        event = row.event
        if event.player != player:
            yield row.version, f"it is about player {event.player}, in the stream of player {player}"
        if not _may(row.actor, event, player):
            yield row.version, f"it is said to be by {row.actor}, who has nothing to do with the account"
        if isinstance(event, e.PlayerRegistered) is not (row.version == 1):
            yield row.version, "an account is registered once, before anything else"
        match event:
            case e.PlayerRegistered() | e.PlayerEdited():
                pass
            case e.PlayerUnreachable() | e.PlayerReachable():
                gone = isinstance(event, e.PlayerUnreachable)
                if gone is away:
                    yield row.version, f"mail {'did not reach' if gone else 'reached'} the player before it either"
                away = gone
            case e.PlayerErased():
                if erased:
                    yield row.version, "the player was erased before"
                # Nothing is known of a mailbox that is forgotten.
                away, erased = False, True
            case e.VacationDeclared():
                yield from ((row.version, problem) for problem in _declaring(known, row, event))
                known[event.number] = Vacation(event.number, event.begins, event.ends, event.zone)
            case e.VacationEnded():
                there = known.get(event.number)
                if there is None:
                    yield row.version, f"vacation {event.number} ends, which was never declared"
                    continue
                # A clock that was set back lets a player end one again, still sooner.
                if not there.begins <= event.ends < there.ends:
                    yield row.version, f"vacation {event.number} does not end sooner by it than was declared"
                known[event.number] = there._replace(ends=event.ends)
            case _:
                assert_never(event)


def _may(who: str, event: e.PlayerEvent, player: PlayerId) -> bool:
    # A confirmation may come from the mailbox of somebody else who plays: its address alone proves whose it is.
    if isinstance(event, e.PlayerRegistered | e.PlayerReachable) and player_of(who) is not None:
        return True
    return who in (actor(player), "service", _STRANGER) or is_admin(who)


def _declaring(known: dict[int, Vacation], row: Recorded[e.PlayerEvent], event: e.VacationDeclared) -> Iterator[str]:
    if event.number != len(known) + 1:
        yield f"vacation {event.number} is declared, where vacation {len(known) + 1} is next"
    if event.ends <= event.begins:
        yield "the vacation ends before it begins"
    if event.begins > row.at + AHEAD + _A_DAY:
        yield "the vacation begins more than a year after it was declared"
    for other in known.values():
        if max(event.begins, other.begins) < min(event.ends, other.ends):
            yield f"the player had vacation {other.number} in that time already"
