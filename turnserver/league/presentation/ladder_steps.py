"""How a player has come to his place on a ladder, as sentences: every step that has moved him, his own or those of others."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias, assert_never

from turnserver.ids import PlayerId
from turnserver.league.formats.ladder import Ladder
from turnserver.league.formats.ladder_history import Climb, Joined, Left, Made, Over, Sunk, stepped
from turnserver.league.presentation.words import MARKS
from turnserver.text import listing, say

Moving: TypeAlias = Joined | Left | Over | Sunk


def way_of(climb: Climb, line: PlayerId, names: Mapping[PlayerId, str]) -> Iterator[str]:
    """What has moved a player, in the order in which it counts, and his own meetings even if they have not; each with his place then.

    `names` are those of everybody who has been on the ladder.
    """
    ladder = climb.start
    if line in ladder.order:
        yield say("At the start: place {place}.", place=_place(ladder, line))
    for step in climb.steps:
        before, ladder = ladder, stepped(climb.rules, ladder, step)
        is_own = isinstance(step, Over) and any(claim.meeting == step.meeting and line in claim[1:] for claim in before.claims)
        if not isinstance(step, Made) and (is_own or _place(before, line) != _place(ladder, line)):
            yield _told(step, before, line, names, _place(ladder, line))


def _place(ladder: Ladder, line: PlayerId) -> int:
    """The place of a player, 0 if he is not on the ladder."""
    return ladder.order.index(line) + 1 if line in ladder.order else 0


def _told(step: Moving, before: Ladder, line: PlayerId, names: Mapping[PlayerId, str], place: int) -> str:
    match step:
        case Joined():
            return say("Joined the ladder: place {place}.", place=place)
        case Left():
            if step.player == line:
                return say("Left the ladder.")
            return say("{name} left the ladder: place {place}.", name=names[step.player], place=place)
        case Sunk():
            if line in step.players:
                return say("Played nothing for too long: place {place}.", place=place)
            those = listing([names[player] for player in step.players], "and")
            return say("{names} played nothing for too long: place {place}.", names=those, place=place)
        case Over():
            return _met(step, before, line, names, place)
        case _:
            assert_never(step)


def _met(step: Over, before: Ladder, line: PlayerId, names: Mapping[PlayerId, str], place: int) -> str:
    """What a meeting came to, for one of its players or for somebody else whom it has moved."""
    _, challenger, defender = next(claim for claim in before.claims if claim.meeting == step.meeting)
    own, others = (MARKS[mark] for mark in step.marks)
    if line == challenger:
        return say("Challenged {name}, {mark}: place {place}.", name=names[defender], mark=own, place=place)
    if line == defender:
        return say("Challenged by {name}, {mark}: place {place}.", name=names[challenger], mark=others, place=place)
    return say(
        "{challenger} challenged {name}, {mark}: place {place}.",
        challenger=names[challenger],
        name=names[defender],
        mark=own,
        place=place,
    )
