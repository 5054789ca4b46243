"""Deciding about players who come into a season that has begun."""

from collections.abc import Iterator
from datetime import datetime
from typing import assert_never

from turnserver.errors import NotAllowed
from turnserver.league import events as e
from turnserver.league.commands import Admit, Past
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import is_complete, schedule, starting_scores
from turnserver.league.guards import division_of, running
from turnserver.league.pairing import add_meetings
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter, forfeited
from turnserver.league.settings import CUPS, FIXED, SWISS, Format, scoring
from turnserver.league.state import LeagueState, Season
from turnserver.text import say


def admit(state: LeagueState, command: Admit, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Let a player into a running season.

    Where everybody meets everybody, they have meetings with all others: those of rounds that are to come, and those of earlier rounds if
    they are to be played or forfeited. Elsewhere they are paired from the next round on. Refuses (`no_late_entry`) cups and ladders,
    (`already_entered`) somebody who is there, (`has_left`) a line that was left, (`plays_already`) a former substitute or somebody who has
    one, (`no_more_rounds`) a division that has nothing to play any more, and (`bad_past`) what cannot be chosen there.
    """
    season = running(state)
    _may_come(state, season, command)
    division = _division(season, command.division)
    _past_allowed(state, season, division, command.past)
    score = starting_scores({command.player: command.rating}, state.settings.bounds)[command.player]
    event = e.PlayerAdmitted(
        player=command.player,
        rating=float(command.rating),
        division=division.name,
        place=place_in_order(state, division, command.rating),
        start=str(score),
        reason=command.reason,
    )
    after = fold([event], state)
    return (event, *_past(after, running(after), division.name, command, now))


def _may_come(state: LeagueState, season: Season, command: Admit) -> None:
    form, player = state.settings.format, command.player
    if form in CUPS or form is Format.LADDER:
        raise NotAllowed("no_late_entry", say("Nobody can be entered late in this format. Let them play on for somebody instead."))
    if season.plays_as(player) is not None:
        raise NotAllowed("already_entered", say("You are in season {n} already.", n=season.number))
    if player in season.withdrawn:
        raise NotAllowed(
            "has_left", say("Player {number} has left season {n}. Undo the withdrawal instead.", number=player, n=season.number)
        )
    if player in season.acted or any(player in division.players for division in season.divisions):
        message = say("Player {number} has a part in season {n} as a substitute already.", number=player, n=season.number)
        raise NotAllowed("plays_already", message)


def _past_allowed(state: LeagueState, season: Season, division: e.Division, chosen: Past) -> None:
    form = state.settings.format
    allowed = {Past.ABSENT, Past.BYE} | ({Past.HALF} if form in SWISS else set()) | ({Past.FORFEIT, Past.PLAY} if form in FIXED else set())
    if is_complete(state, season, division):
        # Nothing is to come, so only games of the rounds before are left to play.
        allowed &= {Past.PLAY}
    if not allowed:
        raise NotAllowed("no_more_rounds", say("All rounds of this season are paired. Enter this player for the next one."))
    if chosen not in allowed:
        words = ", ".join(past.value for past in Past if past in allowed)
        message = say('The rounds before can\'t be "{word}" here. Choose one of these: {words}.', word=chosen.value, words=words)
        raise NotAllowed("bad_past", message)


def _division(season: Season, name: str | None) -> e.Division:
    if name is not None:
        return division_of(season, name)
    lowest = max(division.tier for division in season.divisions)
    return min((division for division in season.divisions if division.tier == lowest), key=lambda one: len(one.players))


def place_in_order(state: LeagueState, division: e.Division, rating: float) -> int:
    """Return the place of somebody who comes into the order of a division, 1 being the first."""
    # by strength where pairs follow from standings; last where numbers were drawn, so that the schedule of the others stays
    if state.settings.format not in SWISS:
        return len(division.players) + 1
    return 1 + max((at for at, other in enumerate(division.ratings, 1) if other >= rating), default=0)


def _past(state: LeagueState, season: Season, name: str, command: Admit, now: datetime) -> Iterator[e.LeagueEvent]:
    """Yield what becomes of the rounds that were paired before."""
    division, paired = division_of(season, name), season.paired.get(name, 0)
    match command.past:
        case Past.ABSENT:
            return
        case Past.BYE | Past.HALF:
            worth = scoring(state.settings).points[Mark.DRAW] if command.past is Past.HALF else None
            byes = [Encounter(number, (command.player,), (Mark.BYE,), worth=worth) for number in range(1, paired + 1)]
            yield from add_meetings(state, season, division, byes, now)
        case Past.FORFEIT | Past.PLAY:
            missed = [one for one in schedule(state, season, division) if command.player in one.players and one.round <= paired]
            yield from add_meetings(state, season, division, missed, now)
            away = missed if command.past is Past.FORFEIT else []
            for number, one in enumerate(away, len(season.fixtures) + 1):
                marks, places = forfeited(one.players, [command.player])
                by = e.DecidedBy.ADMIN
                yield e.ResultRecorded(meeting=number, marks=marks, places=places, at=now, by=by, reason=command.reason)
        case _:
            assert_never(command.past)
