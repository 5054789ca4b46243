"""The reliability of players in keeping time, as sentences."""

from collections.abc import Iterator

from turnserver.ids import PlayerId
from turnserver.mail.outbound.game_words import GameDesk
from turnserver.play.reliability import Tally
from turnserver.text import joined, say


def kept_to_time(desk: GameDesk) -> Iterator[str]:
    """Yield a sentence for each of the others who has had a turn in any game. Detail: `reliability`, the figures by player."""
    for player, figures in sorted(desk.context.detail.get("reliability", {}).items()):
        if told := reliability_told(desk.table.name(PlayerId(int(player))), Tally(*figures)):
            yield told


def reliability_told(who: str, tally: Tally) -> str:
    """Return `Bob: 98 % of 412 turns in time; grace used in 3 turns; time ran out in 1 turn.`; empty for somebody without a turn."""
    if not tally.turns:
        return ""
    percent = tally.in_time * 100 // tally.turns
    kept = [
        say("{percent} % of {n} turn in time", "{percent} % of {n} turns in time", percent=percent, n=tally.turns),
        say("grace used in {n} turn", "grace used in {n} turns", n=tally.graces) if tally.graces else "",
        say("time ran out in {n} turn", "time ran out in {n} turns", n=tally.flags) if tally.flags else "",
        say("time given back {n} time for lost mail", "time given back {n} times for lost mail", n=tally.waits) if tally.waits else "",
    ]
    return say("{player}: {kept}.", player=who, kept=joined("; ", [clause for clause in kept if clause]))
