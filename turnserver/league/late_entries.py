"""Deciding about players who come into a season that has begun, and about such entries that were mistakes."""

from collections.abc import Iterator
from datetime import datetime
from typing import assert_never

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import events as e
from turnserver.league.commands import Admit, Past, UndoAdmission, Withdraw
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import is_complete, schedule, starting_scores
from turnserver.league.guards import division_of, running, season_of
from turnserver.league.leaving import withdraw
from turnserver.league.pairing import add_meetings, recorded
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.record import Encounter, forfeited
from turnserver.league.settings import CUPS, FIXED, SWISS, Format, scoring
from turnserver.league.state import LeagueState, Phase, Season
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
                yield recorded(number, forfeited(one.players, [command.player]), now, e.DecidedBy.ADMIN, command.reason)
        case _:
            assert_never(command.past)


def undo_admission(state: LeagueState, command: UndoAdmission, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Take a late entry back, as if it had not been. Before the season begins, any entry is taken back as `withdraw` does it.

    Nothing is left of the line, not even points for rounds before it. Its games end without a result. Where rounds follow from standings,
    its opponents have a bye in place of a game that is not over or that they won by forfeit; where everybody meets everybody, nobody
    misses it. Refuses (`not_in_season`) a player who is not there, (`not_late`) one who was there from the start, (`has_played`) a line
    that has played a game to its end, (`sits_with_others`) one at a table of more than two, and (`is_built_on`) one behind which others
    came whose meetings follow from it.
    """
    season = season_of(state)
    if season.phase is not Phase.RUNNING:
        return withdraw(state, Withdraw(command.player), now)
    line = _late_line(season, command.player)
    division = next(each for each in season.divisions if line in each.players)
    _may_vanish(state, season, division, line)
    byes = () if state.settings.format in FIXED else _in_its_place(season, line)
    return (e.AdmissionUndone(player=line, reason=command.reason), *add_meetings(state, season, division, byes, now))


def _late_line(season: Season, player: PlayerId) -> PlayerId:
    own = [line for each in season.divisions for line in each.players if player in (line, season.who(line))]
    if not own:
        raise NotAllowed("not_in_season", say("Player {number} isn't in season {n}.", number=player, n=season.number))
    for line in own:
        if line in season.late:
            return line
    message = say("Player {number} was in season {n} from its start. Withdraw them instead.", number=player, n=season.number)
    raise NotAllowed("not_late", message)


def _may_vanish(state: LeagueState, season: Season, division: e.Division, line: PlayerId) -> None:
    played = scoring(state.settings).played
    own = [one for one in season.fixtures if line in one.players and (not one.void or one.parted)]
    over = next((one for one in own if one.marks and not played.isdisjoint(one.marks)), None)
    if over is not None:
        message = say("Player {number} has a result in round {round}. Withdraw them instead.", number=line, round=over.round)
        raise NotAllowed("has_played", message)
    if any(len(one.players) > 2 for one in own):
        message = say("Player {number} sits at a table with others, who play on. Withdraw them instead.", number=line)
        raise NotAllowed("sits_with_others", message)
    # the schedule counts late lines, as far as it is not paired yet
    if state.settings.format in FIXED and division.players[-1] != line and not is_complete(state, season, division):
        message = say("Others came behind player {number}, and the rounds to come follow from that. Withdraw them instead.", number=line)
        raise NotAllowed("is_built_on", message)


def _in_its_place(season: Season, line: PlayerId) -> Iterator[Encounter]:
    """Yield what the opponents of a line have instead of it: as much as its withdrawal would give them."""
    for one in season.fixtures:
        if line in one.players and not one.void:
            for other, mark in zip(one.players, one.marks or (Mark.WIN_BY_FORFEIT,) * len(one.players), strict=True):
                if other != line and mark is Mark.WIN_BY_FORFEIT:
                    yield Encounter(one.round, (other,), (Mark.BYE,))
