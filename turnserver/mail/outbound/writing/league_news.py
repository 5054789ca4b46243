"""Letters about what happens in a season between rounds: withdrawals, substitutes, results that the games have not brought."""

from collections.abc import Iterator
from fractions import Fraction
from typing import assert_never

from turnserver.ids import Burden, PlayerId
from turnserver.league.events import (
    ChallengeMade,
    ChallengesEnded,
    DecidedBy,
    EntryWithdrawn,
    GameAttached,
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
from turnserver.league.presentation.words import points_told
from turnserver.league.state import Fixture, Phase, Season
from turnserver.mail.outbound.game_words import Picture, Written
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import LeagueNews, LeagueTable
from turnserver.mail.outbound.notices.league import Step, division_of
from turnserver.mail.outbound.telling.events import given, paragraph
from turnserver.mail.outbound.writing.leagues import games_of_yours
from turnserver.text import say


def news(desk: LeagueDesk) -> Written:
    """What has happened between rounds. Raises ValueError if nothing has that the reader is told of."""
    told = [one for step in desk.steps for one in _told(desk, step)]
    if not told:
        raise ValueError(f"nothing has happened in {desk.name} that the reader is told of")
    return desk.written(LeagueNews, told[0], say("news"), meaning=told[1:], table=_table_of_reader(desk))


def _table_of_reader(desk: LeagueDesk) -> tuple[LeagueTable, Picture] | None:
    """The table of the reader's division, if he plays in it; nothing while it tells no news."""
    season = desk.state.season
    division = desk.division(season) if season is not None else None
    if season is None or division is None or desk.line(season) in season.withdrawn:
        return None
    return None if all(isinstance(step.event, PlayerMoved) for step in desk.steps) else desk.table(desk.state, season, division)


def _told(desk: LeagueDesk, step: Step) -> Iterator[str]:
    """What there is to say of an event, the headline first."""
    season = step.after.season
    match step.event:
        case PlayerMoved(player=player, tier=tier, reason=reason) if player == desk.reader:
            yield say("{league}: an admin puts you into tier {tier} when the next season begins.", league=desk.name, tier=tier)
            yield _because(reason)
        case PlayersSunk(players=lines) if season is not None and desk.line(season) in lines:
            yield say("{league}: you go down on the ladder, because you have played nothing for a long time.", league=desk.name)
            yield say("It happens again after as long. Whoever challenges, or is challenged, stays.")
        case PlayerWithdrawn() as event if season is not None:
            yield from _withdrawn(desk, season, event)
        case PlayerSubstituted() as event if season is not None:
            yield from _substituted(desk, step, season, event)
        case PenaltyGiven() as event if season is not None:
            yield from _penalized(desk, season, event)
        case SeasonReopened(reason=reason) if season is not None:
            yield say("{league}: season {n}, which was over, goes on.", league=desk.name, n=season.number)
            yield paragraph(say("Games that its end has left without a result are played anew; you get a mail of each."), _because(reason))
        case ResultCorrected() | ResultRecorded() | RoundOverdue() as event if season is not None:
            yield from _of_results(desk, season, event)
        case ResultReopened() as event if season is not None and not _has_ended_again(desk, event):
            yield from _goes_on(desk, season, season.fixtures[event.meeting - 1])
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
            | PlayerJoined()
            | ChallengeMade()
            | PlayersSunk()
            | ChallengesEnded()
            | RoundOverdue()
            | GameAttached()
            | ResultRecorded()
            | ResultCorrected()
            | ResultReopened()
            | PlayerWithdrawn()
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
            pass
        case _:
            assert_never(step.event)


def _withdrawn(desk: LeagueDesk, season: Season, event: PlayerWithdrawn) -> Iterator[str]:
    who, where = season.who(event.player), desk.where(season, None)
    if who == desk.reader:
        yield say("An admin has withdrawn you from {season}.", season=where)
        yield games_of_yours(struck=event.struck)
    else:
        yield say("{player} has withdrawn from {season}.", player=desk.player(who), season=where)
        yield _games_of(desk.player(who), struck=event.struck)


def _penalized(desk: LeagueDesk, season: Season, event: PenaltyGiven) -> Iterator[str]:
    points, where = Fraction(event.points), desk.where(season, division_of(season, event.player))
    who, amount = season.who(event.player), points_told(abs(points))
    told = {"season": where, "player": desk.player(who), "points": amount}
    if points < 0 and who == desk.reader:
        yield say("An admin gives you points back in the table of {season}: {points}.", **told)
    elif points < 0:
        yield say("An admin gives points back to {player} in the table of {season}: {points}.", **told)
    elif who == desk.reader:
        yield say("An admin takes points from you in the table of {season}: {points}.", **told)
    else:
        yield say("An admin takes points from {player} in the table of {season}: {points}.", **told)
    yield _because(event.reason)


def _games_of(player: str, *, struck: bool) -> str:
    """What somebody's leaving does to games."""
    if struck:
        return say(
            "{player} had played less than half of the games, so none of those is in the table any more. Those that were played to the end "
            "still count for ratings; the others have no result.",
            player=player,
        )
    return say("The games that {player} has played count as they are. The other ones are won by forfeit.", player=player)


def _has_ended_again(desk: LeagueDesk, event: ResultReopened) -> bool:
    """Whether the mail tells of another result of that game."""
    return any(isinstance(step.event, ResultRecorded) and step.event.meeting == event.meeting for step in desk.steps)


def _goes_on(desk: LeagueDesk, season: Season, fixture: Fixture) -> Iterator[str]:
    if _in_final_table(desk, season, fixture):
        yield say("A game goes on after all that had ended in {season}.", season=desk.where(season, fixture.division))
        yield paragraph(_which(desk, season, fixture), say("As long as it has no result, it counts for nothing in the table."))


def _of_results(desk: LeagueDesk, season: Season, event: ResultCorrected | ResultRecorded | RoundOverdue) -> Iterator[str]:
    if isinstance(event, RoundOverdue):
        for fixture in (season.fixtures[meeting - 1] for meeting in event.meetings):
            if desk.line(season) in fixture.players:
                pair = desk.pair(season, fixture)
                yield say(
                    "{league}: the time for round {round} is over, and {pair} is not.", league=desk.name, round=event.round, pair=pair
                )
                yield say("An admin decides what becomes of that game. Until then, it goes on: play your turns as always.")
        return
    fixture = season.fixtures[event.meeting - 1]
    if isinstance(event, ResultCorrected):
        where, result = desk.where(season, fixture.division), desk.result(season, fixture)
        yield say("An admin has corrected a result in {season}: {result}.", season=where, result=result)
    elif _concerns(desk, season, fixture, event.by):
        yield _decided(desk, season, fixture, event.by)
    else:
        return
    by_game = isinstance(event, ResultRecorded) and event.by is DecidedBy.GAME
    yield paragraph(_which(desk, season, fixture), "" if by_game else _because(event.reason), _uncounted(desk, season, fixture))


def _concerns(desk: LeagueDesk, season: Season, fixture: Fixture, by: DecidedBy) -> bool:
    """Whether the reader is told that a result was set: his own, and any in a season that is over, for it changes the final table."""
    own = by in (DecidedBy.DEADLINE, DecidedBy.ADMIN) and desk.line(season) in fixture.players
    return own or (by in (DecidedBy.GAME, DecidedBy.ADMIN) and _in_final_table(desk, season, fixture))


def _in_final_table(desk: LeagueDesk, season: Season, fixture: Fixture) -> bool:
    """Whether a game is in the final table of the reader's division."""
    division = desk.division(season)
    return season.phase is Phase.CLOSED and division is not None and division.name == fixture.division


def _decided(desk: LeagueDesk, season: Season, fixture: Fixture, by: DecidedBy) -> str:
    where, result = desk.where(season, fixture.division), desk.result(season, fixture)
    if by is DecidedBy.DEADLINE:
        return say("The time for round {round} is over in {season}: {result}.", round=fixture.round, season=where, result=result)
    if by is DecidedBy.GAME:
        return say("A result in {season}, which is over, has changed: {result}.", season=where, result=result)
    return say("An admin has decided a game in {season}: {result}.", season=where, result=result)


def _which(desk: LeagueDesk, season: Season, fixture: Fixture) -> str:
    """Which game it is."""
    pair = desk.pair(season, fixture)
    if fixture.game is None:
        return say("This is about {pair}, round {round}.", pair=pair, round=fixture.round)
    return say("This is about {pair}, round {round}, {game}.", pair=pair, round=fixture.round, game=desk.game(fixture))


def _uncounted(desk: LeagueDesk, season: Season, fixture: Fixture) -> str:
    """Why the result of a meeting is not in the table."""
    struck = [season.who(line) for line in fixture.players if line in season.struck]
    if not struck:
        return ""
    return say("The table stays as it is, because {players} left it early; only ratings can change.", players=desk.players(struck))


def _because(reason: str) -> str:
    return say("Reason: {reason}.", reason=given(reason)) if reason else ""


def _substituted(desk: LeagueDesk, step: Step, season: Season, event: PlayerSubstituted) -> Iterator[str]:
    was = step.before.season if step.before is not None else None
    former = was.who(event.player) if was is not None else event.player
    where = desk.where(season, division_of(season, event.player))
    if desk.reader == event.substitute:
        yield say("You play on for {player} in {season}.", player=desk.player(former), season=where)
        yield say(
            "Those of the games that are not over are yours now, and so are those to come. You get a mail of each. The results so far stay."
        )
    elif desk.reader == former:
        yield say("{player} plays on for you in {season}.", player=desk.player(event.substitute), season=where)
    else:
        yield say(
            "{player} plays on for {former} in {season}.", player=desk.player(event.substitute), former=desk.player(former), season=where
        )
    yield paragraph(_counts(desk, former, event), _because(event.reason))


def _counts(desk: LeagueDesk, former: PlayerId, event: PlayerSubstituted) -> str:
    """Whose rating the games count for that are being played."""
    match event.rating:
        case Burden.SEAT:
            return say("The games that are being played count for the rating of {player}.", player=desk.player(former))
        case Burden.SUBSTITUTE:
            return say("The games that are being played count for the rating of {player}.", player=desk.player(event.substitute))
        case Burden.NONE:
            return say("The games that are being played count for nobody's rating at that seat.")
        case _:
            assert_never(event.rating)
