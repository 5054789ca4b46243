"""Letters to those who direct a league: what they may do now, and what they have done."""

from collections.abc import Iterator
from typing import assert_never

from turnserver.league import events as e
from turnserver.league.events import Role
from turnserver.league.formats.formats import undecided_ties
from turnserver.league.formats.knockout import BracketTie
from turnserver.league.rights import role_told
from turnserver.league.state import Fixture, Season
from turnserver.mail.inbound.directions import usage
from turnserver.mail.outbound.game_words import WrittenLetter
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import Fact, LineToWrite
from turnserver.mail.outbound.notices.league import Step
from turnserver.mail.outbound.telling.events import because, paragraph
from turnserver.mail.outbound.telling.league_report import Matter, said
from turnserver.text import joined, say, unpack


def appointed(desk: LeagueDesk) -> WrittenLetter | None:
    """Tell the reader which role they have now, or have no more. None if neither is so."""
    event = next((step.event for step in desk.steps if isinstance(step.event, e.RoleGiven | e.RoleTaken)), None)
    if event is None or event.player != desk.reader:
        return None
    role = role_told(event.role)
    if isinstance(event, e.RoleTaken):
        headline = say("{league}: you no longer act as {role}.", league=desk.name, role=role)
        stays = paragraph(say("What you have decided stays as it is."), because(event.reason))
        return desk.written(headline, say("your role"), meaning=(stays,))
    headline = say("{league}: you now act as {role}.", league=desk.name, role=role)
    meaning = (paragraph(_allowed(event.role), because(event.reason)), _naming(event.role), _letters(desk, event.role), _how())
    return desk.written(headline, say("your role"), meaning=meaning, also=tuple(lines(desk, event.role)))


def waiting(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader what waits for a decision of theirs, and which lines decide it."""
    detail = desk.context.detail
    told = said(Matter(detail["matter"]), desk.name, desk.key)
    facts = tuple(Fact(unpack(label), unpack(text)) for label, text in detail["items"])
    todo = tuple(LineToWrite(label, line) for label, line in told.lines)
    return desk.written(told.headline, say("for you to decide"), meaning=(told.meaning,), facts=facts, also=todo)


def directed(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader that what they have decided is done. Raise ValueError if they have decided nothing."""
    done = [(step, told) for step in desk.steps if (told := _done(desk, step))]
    reminded = [number for step in desk.steps if isinstance(step.event, e.RoundReminded) for number in step.event.meetings]
    if reminded:
        n = len(reminded)
        told_of = say(
            "{league}: the players of {n} game are reminded.", "{league}: the players of {n} games are reminded.", league=desk.name, n=n
        )
        return desk.written(told_of, say("done"))
    if not done:
        raise ValueError(f"the reader has asked for nothing in {desk.name}")
    headline, *more = (told for _, told in done)
    undo = tuple(line for step, _ in done if (line := _undo(desk, step)) is not None)
    before = tuple(told for step, _ in done if (told := _before(desk, step)))
    meaning = (*more, *before, say("All whom it concerns get a mail."), _undecided(desk))
    return desk.written(headline, say("done"), meaning=meaning, also=undo)


def _done(desk: LeagueDesk, step: Step) -> str:
    """Return what came of a direction, as a sentence; empty for an event that only follows from it."""
    event, season = step.event, step.after.season
    if isinstance(event, e.DeadlinesMoved):
        return _moved(desk, event)
    if isinstance(event, e.ResultCorrected) or (isinstance(event, e.ResultRecorded) and event.by is e.DecidedBy.ADMIN):
        result = desk.result(desk.season, desk.season.fixtures[event.meeting - 1])
        return say("The result in {season} is entered: {result}.", season=desk.where(desk.season, None), result=result)
    if isinstance(event, e.RoundApproved):
        return say("{league}: the games of round {round} start.", league=desk.name, round=event.round)
    if isinstance(event, e.SeasonClosed):
        return say("{league}: season {n} is over, and its table stands.", league=desk.name, n=desk.state.seasons)
    if isinstance(event, e.WordsSent):
        n = len(event.players)
        return say("{league}: your words go to {n} player.", "{league}: your words go to {n} players.", league=desk.name, n=n)
    if isinstance(event, e.PlayoffDecided):
        return say("{league}: the order of the playoff is entered.", league=desk.name)
    return _in_season(desk, step, season) if season is not None else ""


def _before(desk: LeagueDesk, step: Step) -> str:
    """Return the result that a correction has replaced, since another director may have decided it meanwhile; empty for anything else."""
    if not isinstance(step.event, e.ResultCorrected) or step.was is None:
        return ""
    fixture = step.was.fixtures[step.event.meeting - 1]
    result = desk.result(step.was, fixture)
    if fixture.by is e.DecidedBy.ADMIN:
        return say("Before, the organisers had decided: {result}.", result=result)
    return say("Before, it was: {result}.", result=result)


def _moved(desk: LeagueDesk, event: e.DeadlinesMoved) -> str:
    # with the dates that hold now, since another director may have moved them too
    n, dates = len(event.deadlines), sorted({one.deadline for one in event.deadlines if one.deadline is not None})
    first, last = desk.deadline_time(dates[0]), desk.deadline_time(dates[-1])
    if len(dates) == 1:
        return say(
            "{league}: {n} deadline is moved to {when}.", "{league}: {n} deadlines are moved to {when}.", league=desk.name, n=n, when=first
        )
    return say(
        "{league}: {n} deadlines are moved, the first to {first}, the last to {last}.", league=desk.name, n=n, first=first, last=last
    )


def _undecided(desk: LeagueDesk) -> str:
    """Return what a cup that is over lacks since a correction has others meet; empty without a correction, or if it lacks nothing."""
    if not any(isinstance(step.event, e.TablesCorrected) for step in desk.steps):
        return ""
    season = desk.season
    ties = undecided_ties(desk.state, season)
    if not ties:
        return ""
    told = [_tie(desk, season, tie, meeting) for tie, meeting in ties]
    if any(meeting is None for _, meeting in ties):
        todo = say("Ask the admin to reopen the season, so that it is played.")
    else:
        todo = say("Enter what is missing, or ask the admin to reopen the season, so that it is played.")
    return paragraph(say("Not decided now: {ties}.", ties=joined("; ", told)), todo)


def _tie(desk: LeagueDesk, season: Season, tie: BracketTie, meeting: Fixture | None) -> str:
    players = desk.players([season.who(line) for line in tie.players])
    if meeting is None:
        return say("{players} in round {round}", players=players, round=tie.round)
    return say("meeting {number} of {players} in round {round}", number=meeting.number, players=players, round=tie.round)


def _in_season(desk: LeagueDesk, step: Step, season: Season) -> str:  # noqa: C901  # one branch an event
    event, where = step.event, desk.where(season, None)
    if isinstance(event, e.SeasonAnnounced):
        return say("{league}: season {n} is open for entries.", league=desk.name, n=season.number)
    if isinstance(event, e.ReadyCheckBegun):
        return say("{league}: all who have entered are asked whether they will play.", league=desk.name)
    if isinstance(event, e.SeasonStarted):
        return say("{league}: season {n} has started.", league=desk.name, n=season.number)
    if isinstance(event, e.SeasonPaused):
        return say("{league}: season {n} is paused.", league=desk.name, n=season.number)
    if isinstance(event, e.SeasonResumed):
        return say("{league}: season {n} goes on.", league=desk.name, n=season.number)
    if isinstance(event, e.PlayerEntered | e.PlayerJoined):
        return say("{player} is entered for {season}.", player=desk.player(event.player), season=where)
    if isinstance(event, e.EntryWithdrawn | e.PlayerWithdrawn):
        return say("{player} is withdrawn from {season}.", player=desk.player(season.who(event.player)), season=where)
    if isinstance(event, e.AdmissionUndone):
        who = desk.player(step.was.who(event.player) if step.was is not None else event.player)
        return say("The entry of {player} into {season} is undone.", player=who, season=where)
    if isinstance(event, e.PlayerReturned):
        return say("{player} is back in {season}.", player=desk.player(season.who(event.player)), season=where)
    if isinstance(event, e.PlayerSubstituted):
        former = desk.player(step.was.who(event.player) if step.was is not None else event.player)
        return say("{player} plays on for {former} in {season}.", player=desk.player(event.substitute), former=former, season=where)
    return ""


def _undo(desk: LeagueDesk, step: Step) -> LineToWrite | None:
    """Return the form of the line that undoes what came of a direction, or None.

    It names no player: an answer that repeats four words of ours in a row would count as a quotation.
    """
    event = step.event
    if isinstance(event, e.PlayerEntered | e.PlayerJoined):
        return LineToWrite(say("to undo that:"), usage(desk.key, "withdraw"))
    if isinstance(event, e.EntryWithdrawn):
        return LineToWrite(say("to undo that:"), usage(desk.key, "enter"))
    if isinstance(event, e.PlayerWithdrawn):
        return LineToWrite(say("to undo that:"), usage(desk.key, "return"))
    return LineToWrite(say("to go on:"), usage(desk.key, "resume")) if isinstance(event, e.SeasonPaused) else None


def _allowed(role: Role) -> str:
    match role:
        case Role.DIRECTOR:
            return say("You can decide everything in this league. What waits for a decision comes to you by mail.")
        case Role.ARBITER:
            return say("You can decide about its results and deadlines. What waits for such a decision comes to you by mail.")
        case Role.SECRETARY:
            return say("You can enter, withdraw and replace its players. What waits for such a decision comes to you by mail.")
        case _:
            assert_never(role)


def _naming(role: Role) -> str:
    if role is Role.SECRETARY:
        return ""
    return say(
        "Name a meeting by its number, by its game as in game-17, or by its players with a comma between them. "
        "A result, such as win-loss or draw, is that of whoever stands in front. In a playoff, the best comes first."
    )


def _letters(desk: LeagueDesk, role: Role) -> str:
    if role is Role.ARBITER:
        return ""
    return say(
        "Whatever stands in your mail below {line} goes to the players, and nobody can take it back. "
        "For some of them, name a division or a round behind it, as in round 2.",
        line=say("{league} mail", league=desk.key),
    )


def _how() -> str:
    return say(
        "Write your reason for a result, more time, a replacement, a withdrawal or late entry that is undone, or a pause "
        "behind the word because. "
        "Players read it, and it stays in the history of the league, so name no illness and nothing else that is private."
    )


def lines(desk: LeagueDesk, role: Role) -> Iterator[LineToWrite]:
    """Yield the lines that somebody with a role may write."""
    acts = {
        Role.ARBITER: (
            ("result", say("for a result:")),
            ("extend", say("for more time:")),
            ("playoff", say("for a playoff:")),
            ("approve", say("for what waits:")),
        ),
        Role.SECRETARY: (
            ("enter", say("to enter a player:")),
            ("withdraw", say("to withdraw one:")),
            ("return", say("to undo that:")),
            ("remove", say("to undo an entry:")),
            ("substitute", say("to replace one:")),
            ("mail", say("to write to all:")),
        ),
        Role.DIRECTOR: (
            ("open", say("for a new season:")),
            ("start", say("to start it:")),
            ("pause", say("to stop all clocks:")),
            ("resume", say("to go on:")),
        ),
    }
    known = tuple(Role) if role is Role.DIRECTOR else (role,)
    yield from (LineToWrite(label, usage(desk.key, act)) for each in known for act, label in acts[each])
    yield LineToWrite(say("to remind all:"), usage(desk.key, "remind"))
