"""Deciding about the players of a season, and beginning it: entries, the waiting list, the ready check, divisions."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.divisions import TierMove as Placing
from turnserver.league.formats.formats import starting_scores
from turnserver.league.formats.ladder_decisions import join_late
from turnserver.league.guards import before_start, between_seasons, season_of
from turnserver.league.scoring.lots import Drawing
from turnserver.league.scoring.standings import planned
from turnserver.league.settings import Format, Seeding
from turnserver.league.state import Entry, LeagueState, Phase, Season
from turnserver.text import say

UNRATED: Final = 1500.0
"""The rating of a player about whom nothing is known."""


def announce(state: LeagueState, command: c.AnnounceSeason, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Announce the next season, and enter everybody who played the last one to the end.

    Refuses (`season_open`) a second season at the same time, and (`bad_instant`) entries that end before they begin, or after the start.
    """
    between_seasons(state)
    until = entries_until(state, command, now)
    number = state.seasons + 1
    staying = [line.player for table in state.last for line in table.lines if not line.left]
    # the newest that is known: of today, of the last season's entry, or that of somebody new
    ratings = dict.fromkeys(staying, UNRATED) | dict(state.ratings) | dict(command.ratings)
    return (
        e.SeasonAnnounced(season=number, entries_until=until, commitment=lots.commitment(number), starts_at=command.starts_at),
        *(e.PlayerEntered(player=player, rating=float(ratings[player])) for player in staying),
    )


def entries_until(state: LeagueState, command: c.AnnounceSeason, now: datetime) -> datetime | None:
    """Return when entries end. If only a start is given, they end earlier than it by the length of the ready check.

    Refuses (`bad_instant`) an end in the past or too late for the start.
    """
    hours = state.for_next.settings.ready_hours
    # the ready check lies between the end of the entries and the start
    latest = None if command.starts_at is None else command.starts_at - timedelta(hours=hours)
    until = command.entries_until or latest
    if until is not None and until <= now:
        raise NotAllowed("bad_instant", say("Entries would end in the past. Choose a later time."))
    if until is None or latest is None or until <= latest:
        return until
    if not hours:
        raise NotAllowed("bad_instant", say("The season can't start before entries end. Move one of the two."))
    message = say(
        "Entries have to end {n} hour before the start. Move one of the two.",
        "Entries have to end {n} hours before the start. Move one of the two.",
        n=hours,
    )
    raise NotAllowed("bad_instant", message)


def enter(state: LeagueState, command: c.Enter, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Enter a player, on a ladder also while it is played: see `join_late`.

    Refuses (`entries_closed`, `already_entered`) and, by the conditions of the league, (`bad_rating`, `unreliable`).
    """
    season = season_of(state)
    if season.climb is not None and command.player in waiting(state, season):
        raise _entered_already(season)
    events = _entered(state, command, now) if season.climb is None else join_late(state, season, command, now)
    # last of all: a player who has entered already hears that, and not a condition
    if not command.by_admin:
        _fulfils(state, command)
    return events


def _entered(state: LeagueState, command: c.Enter, now: datetime) -> tuple[e.LeagueEvent, ...]:
    season = before_start(state)
    if any(entry.player == command.player for entry in season.entries):
        raise _entered_already(season)
    # entries end in time even if nobody has checked the league since
    if season.phase is not Phase.ENTRIES or (season.entries_until is not None and now > season.entries_until):
        raise NotAllowed("entries_closed", say("Entries for season {n} are closed. Wait for the next one.", n=season.number))
    return (e.PlayerEntered(player=command.player, rating=float(command.rating)),)


def _entered_already(season: Season) -> NotAllowed:
    return NotAllowed("already_entered", say("You are in season {n} already.", n=season.number))


def _fulfils(state: LeagueState, command: c.Enter) -> None:
    settings = state.settings
    if settings.rating_from is not None and command.rating < settings.rating_from:
        message = say(
            "This league is for ratings of {low} and above. Yours is {rating}.", low=settings.rating_from, rating=round(command.rating)
        )
        raise NotAllowed("bad_rating", message)
    if settings.rating_to is not None and command.rating > settings.rating_to:
        message = say("This league is for ratings up to {high}. Yours is {rating}.", high=settings.rating_to, rating=round(command.rating))
        raise NotAllowed("bad_rating", message)
    if command.in_time is not None and command.in_time < settings.reliability:
        message = say(
            "This league is for players who play {least} percent of their turns in time, and you are at {own}. "
            "Ask the organisers to enter you.",
            least=settings.reliability,
            own=command.in_time,
        )
        raise NotAllowed("unreliable", message)


def confirm(state: LeagueState, command: c.Confirm) -> tuple[e.LeagueEvent, ...]:
    """Record that a player is there. Refuses (`no_ready_check`, `not_entered`, `already_ready`)."""
    season = before_start(state)
    if season.phase is not Phase.READY_CHECK:
        raise NotAllowed("no_ready_check", say("We haven't asked yet whether you are there. You will get a mail before the start."))
    entry = next((entry for entry in season.entries if entry.player == command.player), None)
    if entry is None:
        raise NotAllowed("not_entered", say("You aren't in season {n}. Wait for the next one.", n=season.number))
    if entry.ready:
        raise NotAllowed("already_ready", say("You have told us already. Just wait for the start."))
    return (e.PlayerReady(player=command.player),)


def drop(state: LeagueState, command: c.DropSeason) -> tuple[e.LeagueEvent, ...]:
    """Call a season off that has not begun."""
    before_start(state)
    return (e.SeasonDropped(reason=command.reason),)


def admitted(state: LeagueState, season: Season) -> tuple[Entry, ...]:
    """Return the entries that are in if the season begins now, in order, as many as there is room for.

    During a ready check only the players who are ready count.
    """
    there = [entry for entry in season.entries if entry.ready or season.phase is not Phase.READY_CHECK]
    # 0 is no limit
    return tuple(there[: state.settings.most or None])


def waiting(state: LeagueState, season: Season) -> tuple[PlayerId, ...]:
    """Return the waiting list: players for whom there is no room unless somebody else goes, in the order of entries.

    In a season that has begun, they are those who were there and have not come in for somebody.
    """
    if season.divisions:
        # also former substitutes: whoever has played for one line does not come in for another
        there = {player for division in season.divisions for player in division.players} | season.acted
        asked = season.ready_until is not None
        return tuple(entry.player for entry in season.entries if entry.player not in there and (entry.ready or not asked))
    return tuple(entry.player for entry in season.entries[state.settings.most or len(season.entries) :])


def start(state: LeagueState, command: c.StartSeason, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """End the entries: begin the ready check, or the season. Refuses (`too_few`) too few players."""
    season = before_start(state)
    if command.ask and has_to_ask(state, season):
        return (e.ReadyCheckBegun(until=now + timedelta(hours=state.settings.ready_hours)),)
    there = admitted(state, season)
    if len(there) < state.settings.least:
        message = say(
            "A season of this league needs {least} players, and there is {n}.",
            "A season of this league needs {least} players, and there are {n}.",
            least=state.settings.least,
            n=len(there),
        )
        raise NotAllowed("too_few", message)
    return (_started(state, season, command.ratings, now, lots),)


def start_by_itself(
    state: LeagueState, season: Season, ratings: Mapping[PlayerId, float], now: datetime, lots: Drawing
) -> tuple[e.LeagueEvent, ...]:
    """Do as `start` once the time has come; before that, return no events. A season with too few players is dropped."""
    at = goes_on_at(state, season)
    if at is None or at > now:
        return ()
    there, least = len(admitted(state, season)), state.settings.least
    if there < least and not has_to_ask(state, season):
        return (e.SeasonDropped(reason=f"{there} players of {least}"),)
    return start(state, c.StartSeason(ratings), now, lots)


def goes_on_at(state: LeagueState, season: Season) -> datetime | None:
    """Return when a season that has not begun, or its ready check, begins by itself. None if an admin decides."""
    if season.phase is Phase.READY_CHECK:
        return season.ready_until
    return season.entries_until if season.starts_at is None else season.starts_at - timedelta(hours=state.settings.ready_hours)


def has_to_ask(state: LeagueState, season: Season) -> bool:
    """Return whether a ready check comes before the start."""
    return season.phase is Phase.ENTRIES and state.settings.ready_hours > 0


def _started(state: LeagueState, season: Season, ratings: Mapping[PlayerId, float], now: datetime, lots: Drawing) -> e.SeasonStarted:
    known = {entry.player: ratings.get(entry.player, entry.rating) for entry in admitted(state, season)}
    drawn = lots.drawn(season.number, "order of equals", known)
    # sorting is stable, so lots decide between equal ratings
    strongest = sorted(drawn, key=lambda player: -known[player])
    moves = planned(state, strongest)
    seats = {player: at for player, _, at, _ in moves if at is not None}
    several = {seat.tier for seat in seats.values() if seat.division > 1}
    divisions = []
    for seat in sorted(set(seats.values())):
        name = f"{seat.tier}.{seat.division}" if seat.tier in several else str(seat.tier)
        members = [player for player in strongest if seats[player] == seat]
        divisions.append(_division(state, name, seat.tier, _order(state, season, name, members, lots), known))
    first = lots.drawn(season.number, "odd numbers move first", (PlayerId(0), PlayerId(1)))[0]
    return e.SeasonStarted(at=now, divisions=tuple(divisions), moves=tuple(map(_move, moves)), odd_first=bool(first))


def _order(state: LeagueState, season: Season, name: str, members: Sequence[PlayerId], lots: Drawing) -> tuple[PlayerId, ...]:
    """Return the pairing order: drawn by lot, or by strength.

    A ladder continues as the last one ended, and this is the order of its new players.
    """
    order = lots.drawn(season.number, f"numbers of {name}", members) if state.settings.seeding is Seeding.LOTS else tuple(members)
    if state.settings.format is not Format.LADDER:
        return order
    # the strongest newcomer stands below the last of those who have climbed before
    before = [line.player for table in state.last for line in table.lines if line.player in members and not line.left]
    return (*before, *(player for player in order if player not in before))


def _division(state: LeagueState, name: str, tier: int, players: tuple[PlayerId, ...], ratings: Mapping[PlayerId, float]) -> e.Division:
    scores = starting_scores({player: ratings[player] for player in players}, state.settings.bounds)
    return e.Division(
        name=name,
        tier=tier,
        players=players,
        start=tuple(str(scores[player]) for player in players),
        ratings=tuple(float(ratings[player]) for player in players),
    )


def _move(placing: Placing) -> e.Move:
    before, after = placing.before, placing.after
    return e.Move(
        player=placing.player,
        why=placing.why,
        before=None if before is None else before.tier,
        after=None if after is None else after.tier,
    )
