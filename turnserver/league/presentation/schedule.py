"""The events that a league will bring by itself, and their times, as far as they are known."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from turnserver.ids import PlayerId
from turnserver.league.approving import waiting_for_approval
from turnserver.league.closing import closes_at, is_played, playoffs_due
from turnserver.league.entering import goes_on_at, has_to_ask
from turnserver.league.events import Division
from turnserver.league.formats.formats import next_begins, planned_begin, rounds_due
from turnserver.league.formats.ladder_decisions import challenges_end
from turnserver.league.pairing import reminders
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.text import say


class Coming(NamedTuple):
    """Something that is to happen: when, and what, as a phrase."""

    at: datetime
    what: str


def coming(state: LeagueState, names: Mapping[PlayerId, str]) -> list[Coming]:
    """Return what will happen by itself, as far as it is known, the soonest first. `names` has what players are called."""
    season = state.season
    if season is None or season.phase is Phase.CLOSED or season.paused_at is not None:
        found = [Coming(state.next_at, say("season {n} is announced", n=state.seasons + 1))] if state.next_at is not None else []
    elif season.phase is Phase.RUNNING:
        found = [
            *_deadlines(season, names),
            *_approvals(season),
            *(one for division in season.divisions for one in _rounds(state, season, division)),
        ]
        ends = challenges_end(state, season) if season.climb is not None and not season.ended else None
        if ends is not None:
            found.append(Coming(ends, say("challenges end")))
        # A place that is shared has to be played out first, and when that is done nobody knows.
        if is_played(state, season) and not playoffs_due(state, season):
            over = closes_at(season)
            if over is not None:
                found.append(Coming(over, say("season {n} ends, because everything is played", n=season.number)))
    else:
        found = list(_beginning(state, season))
    return sorted(found, key=lambda one: one.at)


def _beginning(state: LeagueState, season: Season) -> Iterator[Coming]:
    at = goes_on_at(state, season)
    # Entries that end as the season goes on need no line of their own.
    if season.phase is Phase.ENTRIES and season.entries_until is not None and season.entries_until != at:
        yield Coming(season.entries_until, say("entries end"))
    if at is None:
        return
    if has_to_ask(state, season):
        over = season.entries_until is not None and season.entries_until < at
        asked = say("everybody is asked whether they will play")
        yield Coming(at, asked if over else say("entries end, and everybody is asked whether they will play"))
        begins = say("season {n} begins with those who said that they will play", n=season.number)
        yield Coming(at + timedelta(hours=state.settings.ready_hours), begins)
    else:
        least = state.settings.least
        yield Coming(
            at,
            say(
                "season {season} begins, if at least {n} player has entered",
                "season {season} begins, if at least {n} players have entered",
                season=season.number,
                n=least,
            ),
        )


def _deadlines(season: Season, names: Mapping[PlayerId, str]) -> Iterator[Coming]:
    open_ = [one for one in season.fixtures if not one.marks and not one.overdue]
    ends = Counter((division, number) for _, division, number in {(one.deadline, one.division, one.round) for one in open_})

    def alone(games: Sequence[Fixture]) -> bool:
        # A meeting whose deadline was moved is told apart from the others of its round.
        return len(games) == 1 and ends[games[0].division, games[0].round] > 1

    if season.climb is not None:
        yield from _challenges(season, open_, names)
        return
    for (at, division, number), games in _together(reminders(season)).items():
        if alone(games):
            one = _meeting(season, games[0], names)
            yield Coming(at, say("a reminder of meeting {meeting} in {round}, {players}, goes to those who have not finished", **one))
        else:
            yield Coming(at, say("a reminder of {round} goes to those who have not finished", round=_round(season, division, number)))
    for (at, division, number), games in _together((one.deadline, one) for one in open_ if one.deadline is not None).items():
        if alone(games):
            over = say("meeting {meeting} in {round}, {players}, has its deadline", **_meeting(season, games[0], names))
        else:
            over = say(
                "{round} ends; {n} game is not over yet",
                "{round} ends; {n} games are not over yet",
                round=_round(season, division, number),
                n=len(games),
            )
        yield Coming(at, over)


def _challenges(season: Season, open_: Sequence[Fixture], names: Mapping[PlayerId, str]) -> Iterator[Coming]:
    """Yield the reminders and deadlines of a ladder, which has no rounds."""
    for at, one in reminders(season):
        about = _meeting(season, one, names)
        yield Coming(at, say("a reminder of meeting {meeting}, {players}, goes to those who have not finished", **about))
    for one in open_:
        if one.deadline is not None:
            yield Coming(one.deadline, say("meeting {meeting}, {players}, has its deadline", **_meeting(season, one, names)))


def _together(games: Iterable[tuple[datetime, Fixture]]) -> dict[tuple[datetime, str, int], list[Fixture]]:
    """Return the meetings of each round at each instant, the soonest first."""
    found: dict[tuple[datetime, str, int], list[Fixture]] = {}
    for at, one in games:
        found.setdefault((at, one.division, one.round), []).append(one)
    return dict(sorted(found.items()))


def _meeting(season: Season, one: Fixture, names: Mapping[PlayerId, str]) -> dict[str, Any]:
    players = " - ".join(names[player] for player in one.players)
    return {"meeting": one.number, "round": _round(season, one.division, one.round), "players": players}


def _approvals(season: Season) -> Iterator[Coming]:
    held = {(one.held_until, one.division, one.round) for one in waiting_for_approval(season) if one.held_until is not None}
    for at, division, number in sorted(held):
        yield Coming(at, say("{round} is approved, so its games begin", round=_round(season, division, number)))


def _rounds(state: LeagueState, season: Season, division: Division) -> Iterator[Coming]:
    """Yield the beginnings of coming rounds: the next one, and the earliest ones of those that follow at fixed distances."""
    begins = next_begins(state, season, division)
    number = season.paired.get(division.name, 0) + 1
    if begins is not None:
        yield Coming(begins, say("{round} begins", round=_round(season, division.name, number)))
    if not state.settings.round_every:
        return
    # The next round is told above, if its beginning is known.
    first = number + 1 if begins is not None else number
    for later in range(first, rounds_due(state, season, division) + 1):
        yield Coming(
            planned_begin(state, season, later),
            say("{round} begins, unless it waits for the one before", round=_round(season, division.name, later)),
        )


def _round(season: Season, division: str, number: int) -> str:
    if len(season.divisions) < 2:
        return say("round {round}", round=number)
    return say("round {round} of division {division}", round=number, division=division)
