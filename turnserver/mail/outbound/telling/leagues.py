"""The events of a league as sentences: all of them for admins, in English, and those that players hear of for players too.

A `story` is told to anybody in the third person, and with `own` to the player whom it is about.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from operator import itemgetter
from typing import Final, NamedTuple, assert_never

from msgspec import to_builtins
from msgspec.structs import asdict

from turnserver.config.handbook import toml
from turnserver.ids import Burden, PlayerId
from turnserver.league import events as e
from turnserver.league.evolve import OfEntries, OfFixtures, OfLeague, OfSeason, evolve
from turnserver.league.formats.formats import broken_promises
from turnserver.league.formats.ladder_decisions import OfLadder
from turnserver.league.presentation.words import points_told
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import FIXED, Format
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.mail.outbound.language import counted, record_time, span
from turnserver.mail.outbound.notices.league import division_of
from turnserver.mail.outbound.telling.events import because, paragraph
from turnserver.text import listing, say

BOTH: Final[Mapping[tuple[Mark, Mark], str]] = {
    (Mark.WIN, Mark.LOSS): "{0} beat {1}",
    (Mark.LOSS, Mark.WIN): "{1} beat {0}",
    (Mark.DRAW, Mark.DRAW): "{0} and {1} drew",
    (Mark.WIN_BY_FORFEIT, Mark.FORFEIT): "{0} beat {1} by forfeit",
    (Mark.FORFEIT, Mark.WIN_BY_FORFEIT): "{1} beat {0} by forfeit",
    (Mark.FORFEIT, Mark.FORFEIT): "{0} and {1} both forfeited",
    (Mark.WIN_ON_TIME, Mark.TIMEOUT): "{0} beat {1} on time",
    (Mark.TIMEOUT, Mark.WIN_ON_TIME): "{1} beat {0} on time",
    (Mark.NO_RESULT, Mark.NO_RESULT): "{0} and {1} have no result",
    (Mark.ANNULLED, Mark.ANNULLED): "{0} against {1} was annulled",
}
"""The sentence for the marks of the first mover and of the other player."""

DECIDED: Final[Mapping[e.DecidedBy, str]] = {
    e.DecidedBy.GAME: "",
    e.DecidedBy.WITHDRAWAL: ", because of a withdrawal",
    e.DecidedBy.DEADLINE: ", at the deadline of the round",
    e.DecidedBy.ADMIN: ", as the organisers decided",
    e.DecidedBy.CLOSING: ", when the season was closed",
    e.DecidedBy.BARRED: ", as the two are not to meet",
    e.DecidedBy.BRACKET: ", as others have to meet after a correction",
}


class LeagueTeller(NamedTuple):
    """The names of players and the zone of instants, as sentences about a league need them."""

    names: Mapping[PlayerId, str]
    zone: str

    def name(self, player: PlayerId) -> str:
        """Return a player's name."""
        return self.names.get(player, f"player {player}")

    def by_line(self, state: LeagueState | None) -> "LeagueTeller":
        """Return the same for lines of the table. Each has the name of the player who plays for it then."""
        season = state.season if state is not None else None
        return (
            self if season is None else self._replace(names={**self.names, **{line: self.name(season.who(line)) for line in season.acting}})
        )

    def all(self, players: Iterable[PlayerId]) -> str:
        """Return `Ada, Bob and Carl`, or `nobody`."""
        named = [self.name(player) for player in players]
        return str(listing(named, "and")) if named else "nobody"

    def order(self, players: Iterable[PlayerId]) -> str:
        """Return `Ada, Bob, Carl`."""
        return ", ".join(map(self.name, players))

    def at(self, instant: datetime) -> str:
        """Return `2026-11-24 08:00`."""
        return record_time(instant, self.zone)


def where(season: Season, league: str, division: str | None = None) -> str:
    """Return `season 2 of Take Winter`, with the division if there are several."""
    if division is None or len(season.divisions) < 2:
        return say("season {n} of {league}", n=season.number, league=league)
    return say("season {n} of {league}, division {division}", n=season.number, league=league, division=division)


def withdrawal_story(
    event: e.PlayerWithdrawn, player: str, season: str, form: Format | None = None, *, own: bool = False
) -> tuple[str, str]:
    """Tell that a player has left a season of that format, and what becomes of their games."""
    if own:
        return say("The organisers withdrew you from {season}.", season=season), games_of_yours(form, struck=event.struck)
    return say("{player} withdrew from {season}.", player=player, season=season), _games_of(player, form, struck=event.struck)


def games_of_yours(form: Format | None, *, struck: bool) -> str:
    """Return the effect of leaving on the reader's games."""
    if form is Format.TABLES:
        return say("The games that you finished count. The others finish the tables that have begun.")
    if struck:
        return say(
            "You had played less than half of your games, so they are out of the table. Those that you finished still count for ratings; "
            "the others have no result."
        )
    return say("The games that you finished count. You lose the others by forfeit.")


def games_if_you_leave(form: Format, *, struck: bool) -> str:
    """Return the effect that leaving would have on the reader's games, while they may still stay."""
    if form is Format.TABLES:
        return say("The games that you finished would count. The others would finish the tables that have begun.")
    if struck:
        return say(
            "You have played less than half of your games, so they would be out of the table. Those that you finished would still count "
            "for ratings; the others would have no result."
        )
    return say("The games that you finished would count. You would lose the others by forfeit.")


def _games_of(player: str, form: Format | None, *, struck: bool) -> str:
    if form is Format.TABLES:
        return say("The games that {player} finished count. The others finish the tables that have begun.", player=player)
    if struck:
        return say(
            "{player} had played less than half of their games, so these are out of the table. Those that are finished still count for "
            "ratings; the others have no result.",
            player=player,
        )
    return say("The games that {player} finished count. The others are won by forfeit.", player=player)


def return_story(event: e.PlayerReturned, player: str, season: str, *, own: bool = False) -> tuple[str, str, str]:
    """Tell that a withdrawal is undone, and what becomes of the games."""
    if own:
        headline = say("The organisers undid your withdrawal: you are back in {season}.", season=season)
        counts = say("The games that you finished count again.")
    else:
        headline = say("{player} is back in {season}: the organisers undid the withdrawal.", player=player, season=season)
        counts = say("The games that {player} finished count again.", player=player)
    return headline, counts, because(event.reason)


def undone_story(event: e.AdmissionUndone, player: str, season: str, *, own: bool = False) -> tuple[str, str]:
    """Tell that a late entry is as if it had not been, and why."""
    if own:
        headline = say("The organisers undid your entry into {season}.", season=season)
        gone = say("You are no longer in its table. Games that were not over end without a result.")
    else:
        headline = say("The organisers undid the entry of {player} into {season}.", player=player, season=season)
        gone = say("{player} is no longer in its table.", player=player)
    return headline, paragraph(gone, because(event.reason))


def penalty_story(event: e.PenaltyGiven, player: str, season: str, *, own: bool = False) -> tuple[str, str]:
    """Tell that an admin changes a player's points in a table, and why."""
    points = Fraction(event.points)
    told = {"season": season, "player": player, "points": points_told(abs(points))}
    if points < 0 and own:
        headline = say("The organisers gave you points back in {season}: {points}.", **told)
    elif points < 0:
        headline = say("The organisers gave {player} points back in {season}: {points}.", **told)
    elif own:
        headline = say("The organisers took points from you in {season}: {points}.", **told)
    else:
        headline = say("The organisers took points from {player} in {season}: {points}.", **told)
    return headline, because(event.reason)


def substitution_story(
    event: e.PlayerSubstituted, names: tuple[str, str], season: str, *, own: tuple[bool, bool] = (False, False)
) -> Iterator[str]:
    """Tell that somebody plays on for somebody else. `names` and `own` are those of the former player and of the substitute."""
    former, substitute = names
    if own[1]:
        yield say("You play on for {player} in {season}.", player=former, season=season)
        yield say("Their unfinished games are yours now, and so are those to come; you get a mail for each. The results so far stay.")
    elif own[0]:
        yield say("{player} plays on for you in {season}.", player=substitute, season=season)
    else:
        yield say("{player} plays on for {former} in {season}.", player=substitute, former=former, season=season)
    yield paragraph(_counts(event, former, substitute), because(event.reason))


def _counts(event: e.PlayerSubstituted, former: str, substitute: str) -> str:
    match event.rating:
        case Burden.SEAT:
            return say("The games that have begun count for the rating of {player}.", player=former)
        case Burden.SUBSTITUTE:
            return say("The games that have begun count for the rating of {player}.", player=substitute)
        case Burden.NONE:
            return say("The games that have begun count for nobody's rating at that seat.")
        case _:
            assert_never(event.rating)


def result_told(players: Sequence[str], marks: Sequence[Mark], places: Sequence[int] = ()) -> str:
    """Return `Ada beat Bob on time`, or `1. Ada, 2. Bob, 2. Carl`, for players by name in their order."""
    if len(players) == 1:
        return f"{players[0]} has a bye"
    if places:
        # By place alone, so that those who share one stay in their order.
        return ", ".join(f"{place}. {name}" for place, name in sorted(zip(places, players, strict=True), key=itemgetter(0)))
    words = BOTH.get((marks[0], marks[1])) if len(marks) == 2 else None
    if words is None:
        return ", ".join(f"{name}: {mark.value}" for name, mark in zip(players, marks, strict=True))
    return words.format(*players)


def happened(event: e.LeagueEvent, before: LeagueState | None, told: LeagueTeller) -> str:
    """Return a sentence that tells an event. `before` is the league's state before it."""
    if isinstance(event, e.LeagueOpened):
        return f"The league was set up as {event.name}: {event.game}, {event.settings.format.value}."
    if isinstance(event, OfEntries):
        return _of_entries(event, told)
    if isinstance(event, OfFixtures):
        return _of_fixtures(event, before, told.by_line(before))
    if isinstance(event, OfLadder):
        return _of_ladder(event, told.by_line(before))
    if isinstance(event, OfLeague):
        return _of_league(event, before, told)
    return _of_season(event, before, told)


def _of_league(  # noqa: C901, PLR0912  # one branch an event
    event: OfLeague, before: LeagueState | None, told: LeagueTeller
) -> str:
    match event:
        case e.SeasonAnnounced():
            return f"Season {event.season} was announced: {_dates(event, told)}"
        case e.LeagueRenamed():
            return f"The league is called {event.name} now{_because(event.reason)}."
        case e.LeagueArchived():
            return f"The league was archived{_because(event.reason)}."
        case e.LeagueUnarchived():
            return f"The league was brought back from the archive{_because(event.reason)}."
        case e.SeasonDivided():
            lines = told.by_line(before)
            divisions = " ".join(f"Division {each.name}: {lines.all(each.players)}." for each in event.divisions)
            return paragraph(f"The divisions are others now{_because(event.reason)}. {divisions}", *_parted(event, before, told))
        case e.SeasonDropped():
            return f"The season was dropped{_because(event.reason)}."
        case e.SeasonCancelled():
            return f"The season was cancelled; it has no table{_because(event.reason)}."
        case e.SeasonClosed():
            then = f" The next one is announced on {told.at(event.next_at)}." if event.next_at is not None else ""
            return f"The season ended.{_winners(event.tables, told)}{then}"
        case e.SettingsChanged():
            then = f" That is announced on {told.at(event.next_at)}." if event.next_at is not None else ""
            return f"From the next season on: {_changes(event, before)}{_because(event.reason)}.{then}"
        case e.SeasonReopened():
            return f"The season goes on after all{_because(event.reason)}."
        case e.TablesCorrected():
            return "The final tables were corrected."
        case e.PlayerMoved():
            return f"{told.name(event.player)} plays in tier {event.tier} next season{_because(event.reason)}."
        case e.WordsSent(division=division, round=number):
            of = " of the season" if division is None and number is None else ""
            of += f" of round {number}" if number is not None else ""
            of += f" of division {division}" if division is not None else ""
            return f"The organisers wrote to {counted(len(event.players), 'player')}{of}; the digest of the words is {event.digest[:16]}."
        case e.PairBarred():
            return f"{told.all(event.players)} are not to meet."
        case e.PairAllowed():
            return f"{told.all(event.players)} may meet again."
        case e.RoleGiven():
            return f"{told.name(event.player)} now acts as {event.role.value} of the league{_because(event.reason)}."
        case e.RoleTaken():
            return f"{told.name(event.player)} no longer acts as {event.role.value} of the league{_because(event.reason)}."
        case _:
            assert_never(event)


def _of_entries(event: OfEntries, told: LeagueTeller) -> str:
    match event:
        case e.PlayerEntered():
            return f"{told.name(event.player)} entered, rated {event.rating:.0f}."
        case e.EntryWithdrawn():
            return f"{told.name(event.player)} took the entry back."
        case e.ReadyCheckBegun():
            return f"No more entries; everybody is asked whether they will play, until {told.at(event.until)}."
        case e.PlayerReady():
            return f"{told.name(event.player)} is ready."
        case _:
            assert_never(event)


def _of_ladder(event: OfLadder, told: LeagueTeller) -> str:
    match event:
        case e.PlayerJoined():
            return f"{told.name(event.player)} joined at the bottom, rated {event.rating:.0f}."
        case e.ChallengeMade():
            who = f"{told.name(event.challenger)} challenged {told.all(one for one in event.players if one != event.challenger)}"
            by = f" To be over by {told.at(event.deadline)}." if event.deadline else ""
            return f"{who}: meeting {event.meeting}, {_pair(event.players, told)}.{by}"
        case e.PlayersSunk():
            return f"For playing nothing, {told.all(event.players)} lost places, unless they were last already."
        case e.ChallengesEnded():
            return "No more challenges: the season ends when the games that run are over."
        case _:
            assert_never(event)


def _of_season(  # noqa: C901, PLR0912  # one branch an event
    event: OfSeason, before: LeagueState | None, told: LeagueTeller
) -> str:
    # The table names lines, each of which is called by whoever plays for it then.
    lines = told.by_line(before)
    match event:
        case e.SeasonStarted():
            return f"The season began{_divisions(event.divisions, lines)}"
        case e.PlayerWithdrawn():
            form = before.settings.format if before is not None else None
            return " ".join(withdrawal_story(event, lines.name(event.player), _where(event.player, before), form))
        case e.SeasonMoved():
            return f"The season has other dates{_because(event.reason)}: {_dates(event, lines)}"
        case e.RoundsMoved():
            by, way = timedelta(seconds=abs(event.seconds)), "later" if event.seconds > 0 else "earlier"
            return f"What is to come has its date {span(by)} {way}{_because(event.reason)}."
        case e.TablesHeld(approved_at=until):
            return f"Everything is played; the tables are final once they are approved{_or_at(until, lines)}."
        case e.SeasonPaused():
            return f"The season is paused{_because(event.reason)}."
        case e.SeasonResumed():
            return f"The season goes on after a pause{_because(event.reason)}."
        case e.PlayerReturned():
            again = f"To be played: {_which(event.meetings, before, lines)}." if event.meetings else ""
            return paragraph(*return_story(event, lines.name(event.player), _where(event.player, before)), again)
        case e.PlayerSubstituted():
            # The substitute is a player and no line.
            names = (lines.name(event.player), told.name(event.substitute))
            return " ".join(substitution_story(event, names, _where(event.player, before)))
        case e.ByeAsked():
            worth = points_told(Fraction(event.worth))
            return f"{lines.name(event.player)} has a bye in round {event.round}, worth {worth}{_because(event.reason)}."
        case e.ByeDropped():
            return f"{lines.name(event.player)} plays in round {event.round} after all{_because(event.reason)}."
        case e.PlayerAdmitted():
            who, where_ = lines.name(event.player), _of(event.division, before, "in")
            return f"{who} came in late{where_}, rated {event.rating:.0f}, as number {event.place}{_because(event.reason)}."
        case e.AdmissionUndone():
            return paragraph(*undone_story(event, lines.name(event.player), _where(event.player, before)), _ended(event, before, lines))
        case e.PenaltyGiven():
            return paragraph(*penalty_story(event, lines.name(event.player), _where(event.player, before)))
        case e.LotsDrawn() if event.round:
            first, second = map(lines.name, event.players)
            return f"By lots, {first} goes on in round {event.round}{_of(event.division, before)}, and not {second}."
        case e.LotsDrawn():
            return f"Lots were drawn{_of(event.division, before, 'in')}, the best first: {lines.order(event.players)}."
        case e.PlayoffDecided():
            return f"The playoff{_of(event.division, before, 'in')} was decided, the best first: {lines.order(event.players)}."
        case _:
            assert_never(event)


def _of_fixtures(  # noqa: C901, PLR0912  # one branch an event
    event: OfFixtures, before: LeagueState | None, told: LeagueTeller
) -> str:
    match event:
        case e.RoundPaired():
            return _paired(event, before, told)
        case e.RoundHeld():
            those = _which(event.meetings, before, told)
            return f"Round {event.round}{_of(event.division, before)} begins once it is approved{_or_at(event.approved_at, told)}: {those}."
        case e.RoundApproved():
            return f"Round {event.round}{_of(event.division, before)} may begin: {_which(event.meetings, before, told)}."
        case e.RoundReminded():
            of = "" if _is_ladder(before) else f" of round {event.round}{_of(event.division, before)}"
            return f"A reminder{of} went out: {_which(event.meetings, before, told)}."
        case e.RoundOverdue():
            in_ = "" if _is_ladder(before) else f" in round {event.round}{_of(event.division, before)}"
            return f"Not over in time{in_}: {_which(event.meetings, before, told)}."
        case e.RoundUnpaired():
            return f"Round {event.round}{_of(event.division, before)} is paired again{_because(event.reason)}."
        case e.MeetingsAdded():
            pairs = "; ".join(
                f"meeting {one.number}, {_pair(one.players, told)}{_worth(one)} in round {one.round}" for one in event.meetings
            )
            return f"Added{_of(event.division, before, 'to')}: {pairs}."
        case e.DeadlinesMoved():
            return " ".join([*_moved(event, before, told), *([because(event.reason)] if event.reason else [])])
        case e.GameAttached():
            return f"Meeting {event.meeting}, {_pair(_players(event.meeting, before), told)}, is game {event.game}."
        case e.ResultRecorded():
            counts = _uncounted(event, before, told) if event.by is e.DecidedBy.ADMIN else ""
            # a ladder has no rounds: each challenge has a deadline of its own
            by = ", at its deadline" if event.by is e.DecidedBy.DEADLINE and _is_ladder(before) else DECIDED[event.by]
            return f"{_result(event, before, told)}{by}{_because(event.reason)}.{counts}"
        case e.ResultCorrected():
            return f"Corrected: {_result(event, before, told)}{_because(event.reason)}.{_uncounted(event, before, told)}"
        case e.ResultReopened():
            return f"Meeting {event.meeting}, {_pair(_players(event.meeting, before), told)}, goes on: it has no result now."
        case _:
            assert_never(event)


def _changes(event: e.SettingsChanged, before: LeagueState | None) -> str:
    """Return `rounds = 7, time = 3d`."""
    if before is None:
        return "other settings"
    # An earlier change may have made settings for the next season already.
    was, now = asdict(before.for_next.settings), asdict(event.settings)
    changed = [f"{name} = {_value(value)}" for name, value in now.items() if value != was[name]]
    return ", ".join([*changed, *([f"time = {event.time or 'as usual'}"] if event.time != before.for_next.time else [])])


def _value(value: object) -> str:
    return "none" if value is None else toml(to_builtins(value))


def _divisions(divisions: Sequence[e.Division], told: LeagueTeller) -> str:
    if len(divisions) == 1:
        return f" with {told.all(divisions[0].players)}."
    return ". " + " ".join(f"Division {division.name}: {told.all(division.players)}." for division in divisions)


def _winners(tables: Sequence[e.FinalTable], told: LeagueTeller) -> str:
    first = [(table.division, told.name(table.lines[0].player)) for table in tables if table.lines]
    if len(first) == 1:
        return f" {first[0][1]} came first."
    return f" First in division {'; '.join(f'{division}: {name}' for division, name in first)}." if first else ""


def _of(division: str, before: LeagueState | None, how: str = "of") -> str:
    # A league with one division has no name for it.
    season = before.season if before is not None else None
    return f" {how} division {division}" if season is None or len(season.divisions) != 1 else ""


def _is_ladder(before: LeagueState | None) -> bool:
    # What its events call a round is a month of the season.
    return before is not None and before.season is not None and before.season.climb is not None


def _where(line: PlayerId, before: LeagueState | None) -> str:
    if before is None or before.season is None:
        return "the season"
    return where(before.season, before.name, division_of(before.season, line))


def _paired(event: e.RoundPaired, before: LeagueState | None, told: LeagueTeller) -> str:
    pairs = "; ".join(_pair(meeting.players, told) for meeting in event.meetings)
    by = f" To be over by {told.at(event.deadline)}." if event.deadline else ""
    return f"Round {event.round}{_of(event.division, before)}: {pairs or 'no games'}.{by}{_broken(event, before, told)}"


def _broken(event: e.RoundPaired, before: LeagueState | None, told: LeagueTeller) -> str:
    """Return the promises of a Swiss pairing that a round breaks, as a sentence; empty if it keeps them."""
    after = evolve(before, event) if before is not None else None
    season = after.season if after is not None else None
    division = next((one for one in season.divisions if one.name == event.division), None) if season is not None else None
    if after is None or season is None or division is None:
        return ""
    found = broken_promises(after, season, division, event.round)
    return f" Not kept: {'; '.join(f'{_pair(one.players, told)} ({breach.value})' for breach, one in found)}." if found else ""


def _parted(event: e.SeasonDivided, before: LeagueState | None, told: LeagueTeller) -> Iterator[str]:
    """Yield what becomes of the meetings of players who are in different divisions from then on; nothing if there are none."""
    season = before.season if before is not None else None
    if before is None or season is None:
        return
    after, lines = evolve(before, event).season or season, told.by_line(before)
    gone = [one for one in season.fixtures if not one.void and after.fixtures[one.number - 1].void]
    yield _without_result(gone, lines)
    # In a Swiss event everybody keeps their points.
    if before.settings.format in FIXED and (over := "; ".join(_pair(one.players, lines) for one in gone if one.marks)):
        yield f"Out of the table are {over}."


def _ended(event: e.AdmissionUndone, before: LeagueState | None, told: LeagueTeller) -> str:
    """Return the games that end with a line, as a sentence; empty if there are none."""
    fixtures = before.season.fixtures if before is not None and before.season is not None else ()
    return _without_result([one for one in fixtures if event.player in one.players and not one.void], told)


def _without_result(ends: Iterable[Fixture], told: LeagueTeller) -> str:
    pairs = "; ".join(_pair(one.players, told) for one in ends if not one.marks)
    return f"Without a result end {pairs}." if pairs else ""


def _pair(players: Sequence[PlayerId], told: LeagueTeller) -> str:
    return " - ".join(told.name(player) for player in players) if len(players) > 1 else f"{told.all(players)} has a bye"


def _players(meeting: int, before: LeagueState | None) -> tuple[PlayerId, ...]:
    season = before.season if before is not None else None
    return season.fixtures[meeting - 1].players if season is not None else ()


def _which(meetings: Sequence[int], before: LeagueState | None, told: LeagueTeller) -> str:
    return "; ".join(f"meeting {number}, {_pair(_players(number, before), told)}" for number in meetings)


def _worth(meeting: e.AddedMeeting) -> str:
    return f" worth {points_told(Fraction(meeting.worth))}" if meeting.worth else ""


def _moved(event: e.DeadlinesMoved, before: LeagueState | None, told: LeagueTeller) -> Iterator[str]:
    """Yield a sentence for each new deadline."""
    meetings: dict[datetime | None, list[int]] = {}
    for one in event.deadlines:
        meetings.setdefault(one.deadline, []).append(one.meeting)
    for deadline, those in meetings.items():
        until = f"New deadline {told.at(deadline)}" if deadline is not None else "No more deadline"
        yield f"{until}: {_which(those, before, told)}."


def _result(event: e.ResultRecorded | e.ResultCorrected, before: LeagueState | None, told: LeagueTeller) -> str:
    names = [told.name(player) for player in _players(event.meeting, before)]
    return f"Meeting {event.meeting}: {result_told(names, event.marks, event.places)}"


def _uncounted(event: e.ResultRecorded | e.ResultCorrected, before: LeagueState | None, told: LeagueTeller) -> str:
    season = before.season if before is not None else None
    words = uncounted(season, season.fixtures[event.meeting - 1], told) if season is not None else ""
    return f" {words}" if words else ""


def uncounted(season: Season, fixture: Fixture, told: LeagueTeller) -> str:
    """Return why the result of a meeting is in no table; empty if it is in one. Ratings count it none the less if there was a game."""
    struck = [season.who(line) for line in fixture.players if line in season.struck]
    if not struck:
        return ""
    counts = "it counts for ratings only" if fixture.game is not None else "nor was there a game that could count for ratings"
    return f"It is in no table, because {told.all(struck)} {'was' if len(struck) == 1 else 'were'} struck; {counts}."


def _dates(event: e.SeasonAnnounced | e.SeasonMoved, told: LeagueTeller) -> str:
    starts = f" It starts on {told.at(event.starts_at)}." if event.starts_at is not None else ""
    until = f"until {told.at(event.entries_until)}" if event.entries_until is not None else "until it starts"
    return f"entries are open {until}.{starts}"


def _or_at(until: datetime | None, told: LeagueTeller) -> str:
    return f", or on {told.at(until)}" if until is not None else ""


def _because(reason: str) -> str:
    return f' ("{reason}")' if reason else ""
