"""Deciding what an admin changes for rounds and seasons to come: settings, tiers of players, who is not to meet."""

from datetime import datetime, timedelta

from turnserver.errors import NotAllowed
from turnserver.league.commands import BarPair, ChangeSettings, MovePlayer
from turnserver.league.events import LeagueEvent, PairAllowed, PairBarred, PlayerMoved, SettingsChanged
from turnserver.league.formats.seating import seated
from turnserver.league.settings import Settings, complete
from turnserver.league.state import LeagueState, Phase
from turnserver.text import say


def change_settings(state: LeagueState, command: ChangeSettings, now: datetime) -> tuple[LeagueEvent, ...]:
    """Change the settings of the seasons to come: every one of them may be another, and who is in which tier is kept.

    A season keeps those that it was announced with, so this is refused (`season_open`) while there is one that is not over. Refuses
    (`as_it_is`) what changes nothing, and with BadOption what cannot be played.
    """
    season = state.season
    if season is not None and season.phase is not Phase.CLOSED:
        raise NotAllowed("season_open", say("Season {n} is not over yet. Close it, or drop it if it has not begun.", n=season.number))
    before = state.for_next
    settings = complete(seated(command.settings, state.game, state.options))
    time = before.time if command.time is None else command.time
    if (settings, time) == before:
        raise _as_it_is()
    return (SettingsChanged(settings=settings, time=time, next_at=_next_at(state, settings, now), reason=command.reason),)


def _next_at(state: LeagueState, settings: Settings, now: datetime) -> datetime | None:
    """When the next season is announced by itself: so long after the end of the last, or from now on if none was to come."""
    before, after = state.for_next.settings.next_days, settings.next_days
    if after is None or state.season is None:
        return None
    ended = now if state.next_at is None or before is None else state.next_at - timedelta(days=before)
    return ended + timedelta(days=after)


def move(state: LeagueState, command: MovePlayer) -> tuple[LeagueEvent, ...]:
    """Put a player into another tier. Refuses (`no_tier`) one that there is not."""
    lowest = max(len(state.for_next.settings.tiers), 1)
    if not 1 <= command.tier <= lowest:
        raise NotAllowed("no_tier", say("There is no tier {tier}. The tiers of this league are 1 to {n}.", tier=command.tier, n=lowest))
    return (PlayerMoved(player=command.player, tier=command.tier, reason=command.reason),)


def bar(state: LeagueState, command: BarPair) -> tuple[LeagueEvent, ...]:
    """Keep two players apart, or no more. Refuses (`same_player`) one alone, and (`as_it_is`) what is so already."""
    pair = frozenset(command.players)
    if len(pair) < 2:
        raise NotAllowed("same_player", say("Nobody meets himself. Name two players."))
    if (pair in state.barred) is command.barred:
        raise _as_it_is()
    return (PairBarred(players=command.players),) if command.barred else (PairAllowed(players=command.players),)


def _as_it_is() -> NotAllowed:
    return NotAllowed("as_it_is", say("That is so already. There is nothing to change."))
