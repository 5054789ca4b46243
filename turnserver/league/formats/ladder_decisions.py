"""Deciding about ladders: challenges, drops of idle players, and the end of challenges."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, TypeAlias, assert_never

from msgspec.structs import replace

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import Challenge, Enter
from turnserver.league.formats.ladder import (
    ChallengeMadeAt,
    ChallengeOver,
    Climb,
    Joined,
    LadderChallenge,
    Left,
    Stood,
    Sunk,
    after,
    begun,
    challenger_is_first,
    check,
    corrected,
    next_idle,
    reopened,
    returned,
)
from turnserver.league.formats.swiss import History
from turnserver.league.guards import running
from turnserver.league.pairing import reminder, time_up
from turnserver.league.scoring.lots import Drawing
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings, ladder_rules, scoring
from turnserver.league.state import Entry, Fixture, LeagueState, Season
from turnserver.text import say

OfLadder: TypeAlias = e.PlayerJoined | e.ChallengeMade | e.PlayersSunk | e.ChallengesEnded


def on_ladder(season: Season, event: OfLadder) -> Season:
    """Return the season one event later, without the effect on the order of its ladder."""
    match event:
        case e.PlayerJoined():
            return _joined(season, event)
        case e.ChallengeMade():
            return replace(season, fixtures=(*season.fixtures, _made(event)))
        # it only moves players, which `climbed` does
        case e.PlayersSunk():
            return season
        case e.ChallengesEnded():
            return replace(season, ended=True)
        case _:
            assert_never(event)


def as_ladder(season: Season, event: e.SeasonStarted, settings: Settings) -> Season:
    """Return the season at its start. A ladder stands in the order of its only division."""
    if settings.format is not Format.LADDER:
        return season
    start = begun(event.divisions[0].players, event.at)
    return replace(season, climb=Climb(ladder_rules(settings), start, start))


def climbed(season: Season, event: e.LeagueEvent, paused_at: datetime | None = None) -> Season:
    """Return the season with its ladder, if it has one, after an event that it includes already. It was paused since `paused_at`."""
    if season.climb is None:
        return season
    if isinstance(event, e.SeasonResumed):
        stood = Stood(paused_at or event.at, event.at)
        return replace(season, climb=after(season.climb, stood))
    return replace(season, climb=_after(season, season.climb, event))


def _after(season: Season, climb: Climb, event: e.LeagueEvent) -> Climb:
    match event:
        case e.PlayerJoined():
            return after(climb, Joined(event.player, event.at))
        case e.PlayerWithdrawn():
            return after(climb, Left(event.player, event.at))
        case e.PlayerReturned():
            return returned(climb, event.player)
        case e.ChallengeMade():
            other = next(player for player in event.players if player != event.challenger)
            return after(climb, ChallengeMadeAt(LadderChallenge(event.meeting, event.challenger, other), event.at))
        case e.PlayersSunk():
            return after(climb, Sunk(event.players, event.at))
        case e.ResultRecorded():
            return after(climb, ChallengeOver(event.meeting, _from_below(season, event.meeting), event.at))
        case e.ResultCorrected():
            return corrected(climb, event.meeting, _from_below(season, event.meeting))
        case e.ResultReopened():
            return reopened(climb, event.meeting)
        case (
            e.ChallengesEnded()
            | e.PlayerAdmitted()
            | e.AdmissionUndone()
            | e.ByeAsked()
            | e.ByeDropped()
            | e.PlayerSubstituted()
            | e.PenaltyGiven()
            | e.SettingsEvent()
            | e.SeasonEvent()
            | e.EntryEvent()
            | e.RoundEvent()
            | e.OrderEvent()
            | e.AdminEvent()
        ):
            return climb
        case _:
            assert_never(event)


def _from_below(season: Season, meeting: int) -> tuple[Mark, Mark]:
    """Return the marks of a challenge, the challenger's first."""
    fixture = season.fixtures[meeting - 1]
    one, other = fixture.marks
    return (one, other) if fixture.players[0] == fixture.challenger else (other, one)


def _made(event: e.ChallengeMade) -> Fixture:
    return Fixture(
        number=event.meeting,
        division=event.division,
        round=event.round,
        players=event.players,
        deadline=event.deadline,
        challenger=event.challenger,
        remind_at=event.remind_at,
    )


def _joined(season: Season, event: e.PlayerJoined) -> Season:
    """Return the season with a player on the ladder, new or back again, with their present rating."""
    entries = (*(entry for entry in season.entries if entry.player != event.player), Entry(event.player, event.rating, ready=True))
    withdrawn = tuple(player for player in season.withdrawn if player != event.player)
    (division,) = season.divisions
    # a player who comes again has kept their line of the table
    if event.player not in division.players:
        division = division.with_line(event.player, len(division.players) + 1, "0", event.rating)
    return replace(season, entries=entries, withdrawn=withdrawn, divisions=(division,))


MONTH: Final = timedelta(days=30)
"""The length of a ladder's rounds: meetings that began in the same month of the season are one round."""


def challenge(state: LeagueState, command: Challenge, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Make a meeting for the place of an opponent. Its game is to be opened at once.

    Refuses, with a sentence for the challenger, in this order: `no_season` and `season_not_begun`; `no_ladder` in a league of another
    format; `paused`; `challenges_ended` when the season is about to end; `not_on_ladder` if one of the two is not (any more); `not_above`
    for somebody below, or oneself; `out_of_reach`; `open_already`; `too_many_games` of the challenger; `too_many_defences` of the opponent,
    or `resting` from one; `barred` if an admin does not let the two meet. A name that nobody has is refused before a command is made.
    """
    season, climb = _ladder(state)
    if season.paused_at is not None:
        raise NotAllowed("paused", say("Season {n} is paused. Challenge when it goes on.", n=season.number))
    if _no_more(state, season, now):
        message = say("Season {n} takes no more challenges. Finish your games, and wait for the next season.", n=season.number)
        raise NotAllowed("challenges_ended", message)
    challenger = _on_ladder(season, command.player, say("You aren't on this ladder. Join the league first."))
    defender = _on_ladder(season, command.opponent, say("This player isn't on this ladder. The table shows who is."))
    check(climb.ladder, climb.rules, challenger, defender, now)
    # it is persons who are not to meet, also as substitutes
    if frozenset(map(season.who, (challenger, defender))) in state.barred:
        raise NotAllowed("barred", say("The organisers have ruled out games between the two of you. Choose another player."))
    deadline = time_up(state.settings, now)
    return (
        e.ChallengeMade(
            division=season.divisions[0].name,
            round=_month(season, now),
            meeting=len(season.fixtures) + 1,
            players=_seats(state, season, challenger, defender, lots),
            challenger=challenger,
            at=now,
            deadline=deadline,
            remind_at=reminder(state.settings, deadline, now),
        ),
    )


def join_late(state: LeagueState, season: Season, command: Enter, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Put a player at the bottom of a running ladder, or on the waiting list if there is no room. The player may have left it before.

    Refuses (`entries_closed`) when the season is about to end, (`already_entered`) a player who is on it, (`plays_already`) a player for
    whom a substitute plays or has played, and (`season_full`) a player who has left it when there is no room: they have a place in the
    table already.
    """
    if _no_more(state, season, now):
        raise NotAllowed("entries_closed", say("Entries for season {n} are closed. Wait for the next one.", n=season.number))
    if season.plays_as(command.player) is not None:
        raise NotAllowed("already_entered", say("You are in season {n} already.", n=season.number))
    # the line of this player was handed on, and two cannot have it
    if season.who(command.player) != command.player:
        message = say("A substitute played for you in season {n}. Wait for the next one.", n=season.number)
        raise NotAllowed("plays_already", message)
    if has_room(state, season, now):
        return (e.PlayerJoined(player=command.player, rating=float(command.rating), at=now),)
    if command.player in season.withdrawn:
        message = say("Season {n} is full. Try again when somebody has left it.", n=season.number)
        raise NotAllowed("season_full", message)
    return (e.PlayerEntered(player=command.player, rating=float(command.rating)), e.PlayerReady(player=command.player))


def next_joins(state: LeagueState, queue: Sequence[PlayerId], now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Let the first of a waiting list join a ladder if there is room. Otherwise return no events."""
    season = running(state)
    if not queue or season.climb is None or not has_room(state, season, now):
        return ()
    rating = next(entry.rating for entry in season.entries if entry.player == queue[0])
    return (e.PlayerJoined(player=queue[0], rating=rating, at=now),)


def instants(state: LeagueState, season: Season) -> Iterator[datetime]:
    """Yield the instants at which something happens on a ladder by itself: an idle player drops, or its days are over."""
    if season.climb is None or season.ended:
        return
    end = challenges_end(state, season)
    if end is not None:
        yield end
    idle = next_idle(season.climb.ladder, season.climb.rules)
    if idle is not None:
        yield idle[0]


def lapse(state: LeagueState, season: Season, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Return the next thing that happens on a ladder by itself, if its time has come by `now`; otherwise no events."""
    if season.climb is None or season.ended:
        return ()
    end, idle = challenges_end(state, season), next_idle(season.climb.ladder, season.climb.rules)
    # one step at a time: each drop may change who is idle next
    if idle is not None and idle[0] <= now and (end is None or idle[0] < end):
        return (e.PlayersSunk(players=idle[1], at=idle[0]),)
    return (e.ChallengesEnded(at=end),) if end is not None and end <= now else ()


def has_room(state: LeagueState, season: Season, now: datetime) -> bool:
    """Return whether a running ladder takes one more player."""
    return not _no_more(state, season, now) and not 0 < state.settings.most <= len(season.order)


def _ladder(state: LeagueState) -> tuple[Season, Climb]:
    season = running(state)
    if season.climb is None:
        message = say("This league isn't a ladder, so there are no challenges. A mail tells you whom you play.")
        raise NotAllowed("no_ladder", message)
    return season, season.climb


def _on_ladder(season: Season, player: PlayerId, told: str) -> PlayerId:
    line = season.plays_as(player)
    if line is None:
        raise NotAllowed("not_on_ladder", told)
    return line


def challenges_end(state: LeagueState, season: Season) -> datetime | None:
    """Return when a ladder takes no more challenges, which may be past. None if its seasons have no end."""
    days = state.settings.season_days
    return season.began + season.later_by + timedelta(days=days) if days else None


def _no_more(state: LeagueState, season: Season, now: datetime) -> bool:
    end = challenges_end(state, season)
    # no time passes in a pause
    return season.ended or (end is not None and end <= (season.paused_at or now))


def _month(season: Season, now: datetime) -> int:
    # never before the month of the last challenge
    latest = season.fixtures[-1].round if season.fixtures else 1
    return max(1 + (now - season.began) // MONTH, latest)


def _seats(state: LeagueState, season: Season, challenger: PlayerId, defender: PlayerId, lots: Drawing) -> tuple[PlayerId, PlayerId]:
    """Return the two in seat order: by how often each has moved first on this ladder, and then by lot."""
    drawn = lots.drawn(season.number, f"first move of meeting {len(season.fixtures) + 1}", (challenger, defender))
    is_first = challenger_is_first(_firsts(state, season, challenger), _firsts(state, season, defender), lot=drawn[0] == challenger)
    return (challenger, defender) if is_first else (defender, challenger)


def _firsts(state: LeagueState, season: Season, line: PlayerId) -> History:
    # a meeting without marks is still played, and counts too
    played = scoring(state.settings).played
    return tuple(fixture.players[0] == line for fixture in season.fixtures if line in fixture.players and played.issuperset(fixture.marks))
