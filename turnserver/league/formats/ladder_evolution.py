"""What the events of a ladder make of a season, and what any event makes of a ladder."""

from typing import TypeAlias, assert_never

from msgspec.structs import replace

from turnserver.league.events import (
    ChallengeMade,
    ChallengesEnded,
    Division,
    EntryWithdrawn,
    GameAttached,
    LeagueEvent,
    LeagueOpened,
    LotsDrawn,
    PairAllowed,
    PairBarred,
    PenaltyGiven,
    PlayerEntered,
    PlayerJoined,
    PlayerMoved,
    PlayerReady,
    PlayersSunk,
    PlayerSubstituted,
    PlayerWithdrawn,
    PlayoffDecided,
    ReadyCheckBegun,
    ResultCorrected,
    ResultRecorded,
    ResultReopened,
    RoundOverdue,
    RoundPaired,
    RoundReminded,
    SeasonAnnounced,
    SeasonClosed,
    SeasonDropped,
    SeasonReopened,
    SeasonStarted,
    SettingsChanged,
    TablesCorrected,
)
from turnserver.league.formats.ladder import Claim, begun
from turnserver.league.formats.ladder_history import Climb, Joined, Left, Made, Over, Sunk, after, corrected, reopened
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings, ladder_rules
from turnserver.league.state import Entry, Fixture, Season

OfLadder: TypeAlias = PlayerJoined | ChallengeMade | PlayersSunk | ChallengesEnded


def on_ladder(season: Season, event: OfLadder) -> Season:
    """The season one event later, but for the order of its ladder."""
    match event:
        case PlayerJoined():
            return _joined(season, event)
        case ChallengeMade():
            return replace(season, fixtures=(*season.fixtures, _made(event)))
        case PlayersSunk():
            return season
        case ChallengesEnded():
            return replace(season, ended=True)
        case _:
            assert_never(event)


def as_ladder(season: Season, event: SeasonStarted, settings: Settings) -> Season:
    """The season as it begins: a ladder stands in the order of its only division."""
    if settings.format is not Format.LADDER:
        return season
    start = begun(event.divisions[0].players, event.at)
    return replace(season, climb=Climb(ladder_rules(settings), start, start))


def climbed(season: Season, event: LeagueEvent) -> Season:
    """The season with its ladder, if it is one, after an event that it has had."""
    return season if season.climb is None else replace(season, climb=_after(season, season.climb, event))


def _after(season: Season, climb: Climb, event: LeagueEvent) -> Climb:
    match event:
        case PlayerJoined():
            return after(climb, Joined(event.player, event.at))
        case PlayerWithdrawn():
            return after(climb, Left(event.player, event.at))
        case ChallengeMade():
            other = next(player for player in event.players if player != event.challenger)
            return after(climb, Made(Claim(event.meeting, event.challenger, other), event.at))
        case PlayersSunk():
            return after(climb, Sunk(event.players, event.at))
        case ResultRecorded():
            return after(climb, Over(event.meeting, _from_below(season, event.meeting), event.at))
        case ResultCorrected():
            return corrected(climb, event.meeting, _from_below(season, event.meeting))
        case ResultReopened():
            return reopened(climb, event.meeting)
        case (
            LeagueOpened()
            | SettingsChanged()
            | SeasonAnnounced()
            | PlayerEntered()
            | EntryWithdrawn()
            | ReadyCheckBegun()
            | PlayerReady()
            | SeasonDropped()
            | SeasonStarted()
            | RoundPaired()
            | RoundReminded()
            | ChallengesEnded()
            | RoundOverdue()
            | GameAttached()
            | PlayerSubstituted()
            | PenaltyGiven()
            | LotsDrawn()
            | PlayoffDecided()
            | SeasonClosed()
            | SeasonReopened()
            | TablesCorrected()
            | PlayerMoved()
            | PairBarred()
            | PairAllowed()
        ):
            return climb
        case _:
            assert_never(event)


def _from_below(season: Season, meeting: int) -> tuple[Mark, Mark]:
    """What a challenge was to the challenger, and to the other."""
    fixture = season.fixtures[meeting - 1]
    one, other = fixture.marks
    return (one, other) if fixture.players[0] == fixture.challenger else (other, one)


def _made(event: ChallengeMade) -> Fixture:
    return Fixture(
        number=event.meeting,
        division=event.division,
        round=event.round,
        players=event.players,
        deadline=event.deadline,
        challenger=event.challenger,
        remind_at=event.remind_at,
    )


def _joined(season: Season, event: PlayerJoined) -> Season:
    """With a player on the ladder, whether or not he has been there before; his rating is what he has now."""
    entries = (*(entry for entry in season.entries if entry.player != event.player), Entry(event.player, event.rating, ready=True))
    withdrawn = tuple(player for player in season.withdrawn if player != event.player)
    return replace(season, entries=entries, withdrawn=withdrawn, divisions=tuple(_with(each, event) for each in season.divisions))


def _with(division: Division, event: PlayerJoined) -> Division:
    if event.player in division.players:
        return division
    return replace(
        division,
        players=(*division.players, event.player),
        start=(*division.start, "0"),
        ratings=(*division.ratings, event.rating),
    )
