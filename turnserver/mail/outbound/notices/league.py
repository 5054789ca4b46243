"""The notices about leagues: who must be told what. Pure: events in, notices out; no text, no addresses, no clock.

One decision gives each player at most one mail, the one that says most. A player who asked for something gets the answer to that mail, and
the mail about a start, a round or an end besides. Nobody hears that a game of theirs has ended, for the game told them. The mails are made
from the events: `since` in the detail of each is the league's version before them, 0 before its first.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum, auto
from typing import NamedTuple, TypeAlias, assert_never

from turnserver.ids import LeagueId, PlayerId, Version
from turnserver.league import events as e
from turnserver.league.entering import waiting
from turnserver.league.evolve import evolve
from turnserver.league.pairing import openable
from turnserver.league.rights import ARBITERS
from turnserver.league.settings import CUPS
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.kinds import MailKind, Notice


class Step(NamedTuple):
    """An event, and the league before and after it."""

    before: LeagueState | None
    event: e.LeagueEvent
    after: LeagueState

    @property
    def was(self) -> Season | None:
        """The season before the event."""
        return self.before.season if self.before is not None else None


News: TypeAlias = (
    e.PlayerWithdrawn
    | e.PlayerReturned
    | e.AdmissionUndone
    | e.ByeAsked
    | e.ByeDropped
    | e.PlayerSubstituted
    | e.PenaltyGiven
    | e.ResultRecorded
    | e.ResultCorrected
    | e.ResultReopened
    | e.RoundOverdue
    | e.MeetingsAdded
    | e.DeadlinesMoved
    | e.RoundApproved
    | e.TablesHeld
    | e.PlayersSunk
    | e.ChallengesEnded
    | e.LeagueRenamed
    | e.LeagueArchived
    | e.SeasonMoved
    | e.SeasonDivided
    | e.RoundsMoved
    | e.SeasonPaused
    | e.SeasonResumed
    | e.SeasonReopened
)
"""An event between rounds that players of the season hear of."""


def asker(step: Step) -> PlayerId | None:
    """Return the player who may have asked for this event by a mail, and gets an answer to it then; None if only admins or time do.

    A line of the table belongs to the player who plays for it.
    """
    event, season = step.event, step.after.season
    match event:
        case e.PlayerEntered() | e.EntryWithdrawn() | e.PlayerReady() | e.PlayerJoined():
            return event.player
        case e.PlayerWithdrawn(player=line) | e.ByeAsked(player=line) | e.ByeDropped(player=line) | e.ChallengeMade(challenger=line):
            return season.who(line) if season is not None else None
        case (
            e.LeagueOpened()
            | e.SettingsChanged()
            | e.LeagueRenamed()
            | e.LeagueArchived()
            | e.LeagueUnarchived()
            | e.SeasonMoved()
            | e.SeasonDivided()
            | e.RoundsMoved()
            | e.SeasonAnnounced()
            | e.ReadyCheckBegun()
            | e.SeasonDropped()
            | e.SeasonStarted()
            | e.RoundPaired()
            | e.RoundHeld()
            | e.RoundApproved()
            | e.RoundReminded()
            | e.RoundOverdue()
            | e.RoundUnpaired()
            | e.MeetingsAdded()
            | e.DeadlinesMoved()
            | e.GameAttached()
            | e.PlayersSunk()
            | e.ChallengesEnded()
            | e.ResultRecorded()
            | e.ResultCorrected()
            | e.ResultReopened()
            | e.PlayerReturned()
            | e.PlayerAdmitted()
            | e.AdmissionUndone()
            | e.PlayerSubstituted()
            | e.PenaltyGiven()
            | e.LotsDrawn()
            | e.PlayoffDecided()
            | e.TablesHeld()
            | e.SeasonClosed()
            | e.SeasonCancelled()
            | e.SeasonPaused()
            | e.SeasonResumed()
            | e.SeasonReopened()
            | e.TablesCorrected()
            | e.PlayerMoved()
            | e.WordsSent()
            | e.PairBarred()
            | e.PairAllowed()
            | e.RoleGiven()
            | e.RoleTaken()
        ):
            return None
        case _:
            assert_never(event)


class _Weight(IntEnum):
    """The weight of a mail. Of several mails, a player gets the one that comes first here."""

    FINAL = auto()
    STARTED = auto()
    DROPPED = auto()
    SEASON = auto()
    READY = auto()
    ROUND = auto()
    NEWS = auto()
    REMINDER = auto()
    ENTRY = auto()


class _DueMail(NamedTuple):
    weight: _Weight
    player: PlayerId
    kind: MailKind


def league_notices(
    before: LeagueState | None, events: Sequence[e.LeagueEvent], after: LeagueState, *, by: PlayerId | None = None
) -> tuple[Notice, ...]:
    """Return the notices that are due because `events` turned `before` into `after`, in the order of players.

    `by` is the player whose mail asked for it. They get an answer first, which stands for news, and for mails about what they did for
    themselves. A director who plays gets the mails about a start, a round or an end like everybody else.
    """
    best: dict[PlayerId, _DueMail] = {}
    # Players who are entered along with the announcement get the mail about the season, not one about an entry.
    announced = any(isinstance(event, e.SeasonAnnounced) for event in events)
    for step in steps(before, events):
        for due in _due_mails(step, announced=announced):
            if due.player == by and (due.kind is MailKind.LEAGUE_NEWS or asker(step) == by):
                continue
            if due.player not in best or due.weight < best[due.player].weight:
                best[due.player] = due
    since = after.version - len(events)
    opening = _with_one_game(after)
    answer = () if by is None else (Notice(MailKind.LEAGUE_ANSWER, by, detail={"since": since, **_asking(by, events, after)}),)
    return answer + tuple(
        Notice(best[player].kind, player, detail={"since": since}, gathers=_gathers(best[player], player, events, opening))
        for player in sorted(best)
    )


def _asking(player: PlayerId, events: Sequence[e.LeagueEvent], after: LeagueState) -> Mapping[str, MailKind]:
    """Return the detail of an answer that asks whether its reader will play, since a bye does not say it: `asked`."""
    byes = any(isinstance(event, e.ByeAsked | e.ByeDropped) for event in events)
    return {"asked": MailKind.LEAGUE_READY} if byes and after.season is not None and after.season.asks(player) else {}


def words_sent(event: e.WordsSent, words: str) -> tuple[Notice, ...]:
    """Return the mails with the words of an admin. Detail: `words`; `division` and `round` that they are for, or null."""
    detail = {"words": words, "division": event.division, "round": event.round}
    return tuple(Notice(MailKind.LEAGUE_WORDS, player, detail=detail) for player in event.players)


def _gathers(due: _DueMail, player: PlayerId, events: Sequence[e.LeagueEvent], opening: Collection[PlayerId]) -> bool:
    """Return whether another mail may soon tell the news of a mail: of an entry that of the start, of a round that of its only game."""
    if due.kind is MailKind.LEAGUE_ENTRY:
        return any(isinstance(event, e.PlayerEntered) and event.player == player for event in events)
    return due.kind is MailKind.LEAGUE_SEASON or (due.kind in (MailKind.LEAGUE_STARTED, MailKind.LEAGUE_ROUND) and player in opening)


def _with_one_game(state: LeagueState) -> frozenset[PlayerId]:
    """Return the players of a running season who have exactly one game to be opened now."""
    season = state.season
    if season is None or season.phase is not Phase.RUNNING:
        return frozenset()
    count = Counter(season.who(line) for fixture in openable(state, season) for line in fixture.players)
    return frozenset(player for player, games in count.items() if games == 1)


def steps(before: LeagueState | None, events: Sequence[e.LeagueEvent]) -> Iterator[Step]:
    """Yield the events one by one, each with the league before and after it."""
    state = before
    for event in events:
        was, state = state, evolve(state, event)
        yield Step(was, event, state)


def table(player: PlayerId, league: LeagueId, version: Version) -> Notice:
    """Show a league as it stands at a version. Detail: `league`, `version`."""
    return Notice(MailKind.LEAGUE_TABLE, player, detail={"league": league, "version": version})


def leaving(player: PlayerId, league: LeagueId, version: Version, *, struck: bool) -> Notice:
    """Ask a player whether they really leave. Detail: `league`, `version`; `struck`, whether none of their games would count."""
    return Notice(MailKind.LEAGUE_LEAVING, player, detail={"league": league, "version": version, "struck": struck})


def ready_check(player: PlayerId, league: LeagueId, version: Version) -> Notice:
    """Ask a player once more whether they will play. Detail: `league`, `version`."""
    return Notice(MailKind.LEAGUE_READY, player, detail={"league": league, "version": version})


def playing(season: Season, division: str | None = None) -> tuple[PlayerId, ...]:
    """Return the players of a running season, or of one of its divisions. Substitutes stand in the place of the players they play for."""
    lines = (line for each in season.divisions if division in (None, each.name) for line in each.players)
    return tuple(season.who(line) for line in lines if line not in season.withdrawn)


def division_of(season: Season, line: PlayerId) -> str | None:
    """Return the name of the division that a line of the table is in, or None."""
    return next((division.name for division in season.divisions if line in division.players), None)


def moved_up(step: Step) -> tuple[PlayerId, ...]:
    """Return the players who no longer wait for a place after this step."""
    if step.before is None or step.before.season is None or step.after.season is None:
        return ()
    still = waiting(step.after, step.after.season)
    there = [entry.player for entry in step.after.season.entries]
    return tuple(player for player in waiting(step.before, step.before.season) if player in there and player not in still)


def _due_mails(step: Step, *, announced: bool) -> Iterator[_DueMail]:
    event, season = step.event, step.after.season
    if isinstance(event, e.SeasonDropped):
        # After this event the league has no season to look at.
        yield from (_DueMail(_Weight.DROPPED, entry.player, MailKind.LEAGUE_DROPPED) for entry in (step.was.entries if step.was else ()))
    elif isinstance(event, e.PlayerMoved | e.RoleGiven | e.RoleTaken):
        yield _DueMail(_Weight.NEWS, event.player, MailKind.LEAGUE_NEWS)
    elif season is not None:
        yield from _due_in_season(step, season, announced=announced)


def _due_in_season(  # noqa: C901, PLR0912, PLR0915  # one branch an event
    step: Step, season: Season, *, announced: bool
) -> Iterator[_DueMail]:
    event = step.event
    if isinstance(event, News):
        yield from (_DueMail(_Weight.NEWS, player, MailKind.LEAGUE_NEWS) for player in _readers_of_news(step, event, season))
        return
    match event:
        case e.PlayerEntered(player=player) if announced:
            yield _DueMail(_Weight.SEASON, player, MailKind.LEAGUE_SEASON)
        case e.PlayerEntered(player=player) | e.PlayerJoined(player=player):
            yield _DueMail(_Weight.ENTRY, player, MailKind.LEAGUE_ENTRY)
        case e.PlayerAdmitted(player=player):
            # Before the news of the meetings that come with it.
            yield _DueMail(_Weight.STARTED, player, MailKind.LEAGUE_ENTRY)
        case e.EntryWithdrawn(player=player):
            yield from (_DueMail(_Weight.ENTRY, each, MailKind.LEAGUE_ENTRY) for each in (player, *moved_up(step)))
        case e.ReadyCheckBegun():
            yield from (_DueMail(_Weight.READY, entry.player, MailKind.LEAGUE_READY) for entry in season.entries)
        case e.SeasonStarted():
            inside = playing(season)
            for entry in season.entries:
                yield _DueMail(_Weight.STARTED, entry.player, MailKind.LEAGUE_STARTED if entry.player in inside else MailKind.LEAGUE_ENTRY)
        case e.RoundPaired(division=division, round=number):
            those = _met_lately(season, division, number) if step.after.settings.format in CUPS else playing(season, division)
            yield from (_DueMail(_Weight.ROUND, player, MailKind.LEAGUE_ROUND) for player in those)
        case e.RoundReminded(meetings=meetings):
            yield from (_DueMail(_Weight.REMINDER, player, MailKind.LEAGUE_REMINDER) for player in _of_meetings(season, meetings))
        case e.SeasonCancelled():
            yield from (_DueMail(_Weight.DROPPED, player, MailKind.LEAGUE_DROPPED) for player in playing(season))
        case e.SeasonClosed():
            yield from (_DueMail(_Weight.FINAL, player, MailKind.LEAGUE_FINAL) for player in playing(season))
        case e.SeasonDropped() | e.PlayerMoved() | e.RoleGiven() | e.RoleTaken():
            pass  # told by `_due_mails`, since the league may have no season then
        case e.SeasonAnnounced():
            pass  # those who are entered along with it are told of their entry; whoever may enter is not known here
        case e.ChallengeMade(players=lines):
            # The challenger gets an answer, unless somebody else made the challenge for them.
            yield from (_DueMail(_Weight.ROUND, season.who(line), MailKind.LEAGUE_ROUND) for line in lines)
        case e.PlayerReady():
            pass  # whoever did it gets an answer
        case e.RoundHeld():
            pass  # told with the pairing
        case e.RoundUnpaired():
            pass  # the same decision pairs the round again, and that is told
        case e.GameAttached():
            pass  # the game itself tells its players
        case e.LotsDrawn() | e.PlayoffDecided():
            pass  # told with the next round of a cup, or with the final table
        case e.TablesCorrected():
            pass  # the correction of the result that it follows is told
        case e.WordsSent():
            pass  # the words are not in the event: `words_sent` makes the mails with them
        case e.LeagueUnarchived():
            pass  # the next season is announced when an admin says so
        case e.LeagueOpened() | e.SettingsChanged() | e.PairBarred() | e.PairAllowed():
            pass  # it changes nothing in a season that is played: later seasons and pairings follow it
        case _:
            assert_never(event)


def change_of_place(step: Step, line: PlayerId) -> tuple[int, int] | None:
    """Return the places of a line of a ladder before and after a step. None if it stands where it stood, or was or is not there."""
    was, season = step.was, step.after.season
    if was is None or season is None or line not in was.order or line not in season.order:
        return None
    places = was.order.index(line) + 1, season.order.index(line) + 1
    return places if places[0] != places[1] else None


def went_down(step: Step, line: PlayerId) -> bool:
    """Return whether a line of a ladder stands lower after a step. Idle players may pass one another, and the last can only stay."""
    places = change_of_place(step, line)
    return places is not None and places[0] < places[1]


def _met_lately(season: Season, division: str, number: int) -> tuple[PlayerId, ...]:
    # Players who were out of the cup earlier hear only of its end.
    rounds = [one for one in season.fixtures if one.division == division and one.round in (number - 1, number)]
    those = {season.who(line) for one in rounds for line in one.players}
    return tuple(player for player in playing(season, division) if player in those)


def _readers_of_news(  # noqa: C901, PLR0912  # one branch an event
    step: Step, event: News, season: Season
) -> Iterator[PlayerId]:
    match event:
        case e.PlayerWithdrawn(player=line, struck=struck):
            # Those who had, or still have, something to win or lose by it; the others read it in the mail about the next round.
            meetings = [one for one in (step.was.fixtures if step.was else ()) if line in one.players and (struck or _given_up(one, event))]
            yield from _concerned(season, line, meetings)
        case e.PlayerReturned(player=line, meetings=again):
            struck = step.was is not None and line in step.was.struck
            yield from _concerned(season, line, [one for one in season.fixtures if line in one.players and (struck or one.number in again)])
        case e.AdmissionUndone(player=line):
            # The state after no longer has the line.
            if step.was is not None:
                yield from _concerned(step.was, line, [one for one in step.was.fixtures if line in one.players and not one.void])
        case e.ByeAsked(player=line) | e.ByeDropped(player=line):
            # before the start, there are entries and no lines
            yield season.who(line)
        case e.PlayerSubstituted(player=line):
            # The line belongs to the substitute by now, so the state before tells the former player.
            yield from (step.was.who(line) if step.was else line, *playing(season, division_of(season, line)))
        case e.PenaltyGiven(player=line):
            yield from playing(season, division_of(season, line))
        case e.ResultCorrected(meeting=meeting):
            yield from playing(season, season.fixtures[meeting - 1].division)
            # Whoever decided it is one of these.
            if step.was is not None and step.was.fixtures[meeting - 1].by is e.DecidedBy.ADMIN:
                yield from (player for player, roles in step.after.roles.items() if roles & ARBITERS)
        # After the season, a result changes the final table, so it concerns all who are in it.
        case e.ResultRecorded(meeting=meeting) | e.ResultReopened(meeting=meeting) if season.phase is Phase.CLOSED:
            yield from playing(season, season.fixtures[meeting - 1].division)
        # A result that the game itself brought was told by the game.
        case e.ResultRecorded(by=by, meeting=meeting):
            yield from _of_meetings(season, [meeting] if by in (e.DecidedBy.DEADLINE, e.DecidedBy.ADMIN) else [])
            # On a ladder it also moves those between the two. After a withdrawal their places are not known yet.
            on_it = season.order if by is not e.DecidedBy.WITHDRAWAL else ()
            yield from (season.who(line) for line in on_it if change_of_place(step, line) is not None)
        case e.ResultReopened():
            pass
        case e.LeagueRenamed() if season.phase is Phase.CLOSED:
            pass  # the next season tells it
        case e.LeagueRenamed() | e.SeasonMoved():
            yield from (playing(season) if season.divisions else (entry.player for entry in season.entries))
        case e.SeasonDivided(divisions=divisions):
            known = {each.name: frozenset(each.players) for each in (step.was.divisions if step.was is not None else ())}
            for each in divisions:
                yield from (playing(season, each.name) if known.get(each.name) != frozenset(each.players) else ())
        case e.LeagueArchived():
            # To whom another season was announced; others expect none.
            yield from (playing(season) if step.before is not None and step.before.next_at is not None else ())
        case e.ChallengesEnded() | e.RoundsMoved() | e.TablesHeld() | e.SeasonPaused() | e.SeasonResumed() | e.SeasonReopened():
            yield from playing(season)
        case e.PlayersSunk(players=lines):
            yield from (season.who(line) for line in lines if went_down(step, line))
        case e.RoundOverdue(meetings=meetings) | e.RoundApproved(meetings=meetings):
            yield from _of_meetings(season, meetings)
        case e.MeetingsAdded(meetings=added):
            yield from _of_meetings(season, [one.number for one in added if len(one.players) > 1])
        case e.DeadlinesMoved(deadlines=deadlines):
            yield from _of_meetings(season, [one.meeting for one in deadlines])
        case _:
            assert_never(event)


def _given_up(one: Fixture, event: e.PlayerWithdrawn) -> bool:
    # On a ladder it has its result just before the player leaves.
    return not one.marks or (one.by is e.DecidedBy.WITHDRAWAL and one.at == event.at)


def _concerned(season: Season, line: PlayerId, meetings: Iterable[Fixture]) -> Iterator[PlayerId]:
    """Yield the player of a line, who may have left, and those whom they meet and who are still there."""
    concerned = {season.who(other) for one in meetings for other in one.players}
    # `playing` no longer has a player who left.
    yield from {season.who(line): None, **{one: None for one in playing(season, division_of(season, line)) if one in concerned}}


def _of_meetings(season: Season, meetings: Iterable[int]) -> Iterator[PlayerId]:
    return (season.who(line) for meeting in meetings for line in season.fixtures[meeting - 1].players)
