"""How players keep to the time, as sentences."""

from collections.abc import Iterator

from turnserver.envelope import PlayerId
from turnserver.mail.gamedesk import GameDesk
from turnserver.play.reliability import Tally
from turnserver.words import say


def kept_to_time(desk: GameDesk) -> Iterator[str]:
    """A sentence for each of the others who has had a turn in any game. Detail: `reliability`, the figures by player."""
    for player, figures in sorted(desk.occasion.detail.get("reliability", {}).items()):
        if told := reliability_told(desk.table.name(PlayerId(int(player))), Tally(*figures)):
            yield told


def reliability_told(who: str, tally: Tally) -> str:
    """`Bob: 98 % of 412 turns in time; time ran out once.`; nothing for somebody who has had no turn."""
    if not tally.turns:
        return ""
    percent = tally.in_time * 100 // tally.turns
    kept = say("{percent} % of {n} turn in time", "{percent} % of {n} turns in time", percent=percent, n=tally.turns)
    if not tally.flags:
        return say("{player}: {kept}.", player=who, kept=kept)
    if tally.flags == 1:
        return say("{player}: {kept}; time ran out once.", player=who, kept=kept)
    times = say("{n} time", "{n} times", n=tally.flags)
    return say("{player}: {kept}; time ran out {times}.", player=who, kept=kept, times=times)
