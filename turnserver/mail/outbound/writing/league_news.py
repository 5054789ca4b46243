"""Letters about what happened in a season between its rounds: decisions, results, byes, dates, and words to many players."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final, assert_never

from msgspec.structs import replace

from turnserver.ids import actor
from turnserver.league import events as e
from turnserver.league.dates import coming_dates
from turnserver.league.pairing_again import later_round
from turnserver.league.presentation.words import points_told
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import FIXED, scoring
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.game_words import Picture, WrittenLetter
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import LeagueTable
from turnserver.mail.outbound.notices.league import News, Step, change_of_place, division_of, went_down
from turnserver.mail.outbound.telling.events import because, paragraph
from turnserver.mail.outbound.telling.leagues import (
    penalty_story,
    return_story,
    substitution_story,
    undone_story,
    withdrawal_story,
)
from turnserver.mail.outbound.writing.directing import appointed
from turnserver.mail.outbound.writing.leagues import before_start, bye_told, mail_for
from turnserver.text import joined, say

_NARROWEST: Final = 64
"""Columns: mail programs break lines behind more."""


def news(desk: LeagueDesk) -> WrittenLetter:
    """Write the news between rounds. Raise ValueError if there is none for the reader."""
    role = appointed(desk)
    if role is not None:
        return role
    # Who comes into a place is told before what becomes of its games.
    order = sorted(desk.steps, key=lambda step: not isinstance(step.event, e.PlayerSubstituted))
    # Who goes down a ladder twice reads it once.
    told = list(dict.fromkeys(one for step in order for one in _told(desk, step)))
    if not told:
        raise ValueError(f"nothing has happened in {desk.name} that the reader is told of")
    return desk.written(told[0], say("news"), meaning=told[1:], table=_table_of_reader(desk))


def words_to_many(desk: LeagueDesk) -> WrittenLetter:
    """Write what an admin has to say to the players. Raise ValueError if the league has no season."""
    detail = desk.context.detail
    where = desk.where(desk.season, detail["division"])
    headline = say("The organisers write to the players of {season}.", season=where)
    if detail["round"] is not None:
        headline = say("The organisers write to the players of round {round} of {season}.", round=detail["round"], season=where)
    return desk.written(headline, say("from the organisers"), meaning=_paragraphs(detail["words"]))


def _paragraphs(words: str) -> Sequence[str]:
    """Return the paragraphs of a text: parted by empty lines, and each point of a list on its own."""
    found: list[list[str]] = [[]]
    for line in map(str.strip, words.splitlines()):
        if not line or line.startswith(("- ", "* ")):
            found.append([])
        found[-1] += [line] if line else []
    return ["".join(_flowing(lines)) for lines in found if lines]


def _flowing(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a paragraph with what parts them: a line break where a mail program would not have broken the line by itself."""
    yield lines[0]
    for before, line in pairwise(lines):
        fits = len(before) + len(" ") + len(line.split()[0]) <= _NARROWEST
        yield f"\n{line}" if fits and not lines[0].startswith(("- ", "* ")) else f" {line}"


def _table_of_reader(desk: LeagueDesk) -> tuple[LeagueTable, Picture] | None:
    """Return the table of the reader's division, if the reader plays in it and the table is news."""
    season = desk.state.season
    division = desk.division(season) if season is not None else None
    if season is None or division is None or desk.line(season) in season.withdrawn:
        return None
    # Moving to another tier is about the next season and changes no table.
    return None if all(isinstance(step.event, e.PlayerMoved) for step in desk.steps) else desk.table(desk.state, season, division)


def _told(desk: LeagueDesk, step: Step) -> Iterator[str]:
    event, season = step.event, step.after.season
    if isinstance(event, e.PlayerMoved) and event.player == desk.reader:
        yield say("{league}: the organisers moved you to tier {tier} for the next season.", league=desk.name, tier=event.tier)
        yield because(event.reason)
    elif isinstance(event, News) and season is not None:
        yield from _told_in_season(desk, step, event, season)


def _told_in_season(  # noqa: C901, PLR0912, PLR0915  # one branch an event
    desk: LeagueDesk, step: Step, event: News, season: Season
) -> Iterator[str]:
    match event:
        case e.PlayersSunk(players=lines):
            line = desk.line(season)
            if line is not None and line in lines and went_down(step, line):
                # The table says to which place: others may have gone down since.
                yield say("{league}: you went down the ladder, because you have not played for a long time.", league=desk.name)
                yield say("If you still do not play, it happens again after the same time. To keep your place, challenge somebody.")
        case e.PlayerWithdrawn():
            who = season.who(event.player)
            form = step.after.settings.format
            headline, games = withdrawal_story(event, desk.player(who), desk.where(season, None), form, own=who == desk.reader)
            if who != desk.reader and desk.actor(step) not in ("", actor(who)):
                headline = say("The organisers withdrew {player} from {season}.", player=desk.player(who), season=desk.where(season, None))
            yield headline
            yield games
            yield _standing(desk, season)
        case e.ChallengesEnded():
            yield say("{league}: season {n} takes no more challenges.", league=desk.name, n=season.number)
            yield say("Games that are not over are played to their end. Then the season is over.")
        case e.LeagueRenamed(reason=reason):
            before = step.before.name if step.before is not None else ""
            yield say("{league}: this is the new name of {before}.", league=desk.name, before=before)
            yield because(reason)
        case e.LeagueArchived(reason=reason):
            yield say("{league}: there will be no next season for now.", league=desk.name)
            yield paragraph(say("Tables, games and ratings stay as they are."), because(reason))
        case e.SeasonMoved(reason=reason):
            yield say("{league}: season {n} has other dates.", league=desk.name, n=season.number)
            yield from (*before_start(desk, season), because(reason))
        case e.RoundsMoved():
            yield from _rounds_moved(desk, step.after, season, event)
        case e.SeasonPaused(reason=reason):
            yield say("{league}: season {n} is paused.", league=desk.name, n=season.number)
            stands = say("The clocks of your games stand still, and no deadline passes until it goes on. You can play meanwhile.")
            yield paragraph(stands, because(reason))
        case e.SeasonResumed(reason=reason):
            yield say("{league}: season {n} goes on.", league=desk.name, n=season.number)
            runs = say("The clocks of your games run again. Deadlines are later by the length of the pause.")
            yield paragraph(runs, because(reason))
        case e.TablesHeld(approved_at=until):
            yield say("{league}: all games of season {n} are over.", league=desk.name, n=season.number)
            yield _tables_held(desk, until)
        case e.SeasonReopened(reason=reason):
            yield say("{league}: season {n} was over and now goes on.", league=desk.name, n=season.number)
            yield paragraph(say("Games that were not finished when it ended are played again. You get a mail for each."), because(reason))
        case e.SeasonDivided():
            yield from _divided(desk, step, season, event)
        case e.RoundApproved():
            yield from _approved(desk, season, event)
        case e.PlayerReturned():
            yield from _returned(desk, season, event)
        case e.AdmissionUndone():
            yield from _undone(desk, step, season, event)
        case e.ByeAsked() | e.ByeDropped():
            yield from bye_told(desk, season, event, by_admin=True)
        case e.MeetingsAdded():
            yield from _added(desk, season, event)
        case e.DeadlinesMoved():
            yield from _moved(desk, season, event)
        case e.PlayerSubstituted():
            # Whoever played for the line until now may have been a substitute too.
            former = step.was.who(event.player) if step.was is not None else event.player
            names = (desk.player(former), desk.player(event.substitute))
            where = desk.where(season, division_of(season, event.player))
            yield from substitution_story(event, names, where, own=(former == desk.reader, event.substitute == desk.reader))
        case e.PenaltyGiven():
            who, where = season.who(event.player), desk.where(season, division_of(season, event.player))
            yield from penalty_story(event, desk.player(who), where, own=who == desk.reader)
        case e.ResultCorrected() | e.ResultRecorded() | e.RoundOverdue():
            yield from _of_results(desk, step, season, event)
        case e.ResultReopened():
            # If the game has ended again in the same decision, its new result is the news.
            if not any(isinstance(step.event, e.ResultRecorded) and step.event.meeting == event.meeting for step in desk.steps):
                yield from _goes_on(desk, season, season.fixtures[event.meeting - 1])
        case _:
            assert_never(event)


def _returned(desk: LeagueDesk, season: Season, event: e.PlayerReturned) -> Iterator[str]:
    """Tell that a withdrawal is undone, and which games of the reader are played after all."""
    who, where = season.who(event.player), desk.where(season, division_of(season, event.player))
    headline, counts, why = return_story(event, desk.player(who), where, own=who == desk.reader)
    again = [season.fixtures[number - 1] for number in event.meetings]
    # Under the names of those who play them now, who may have come in the same decision.
    mine = [desk.pair(desk.season, one) for one in again if desk.line(season) in one.players and not one.marks]
    to_play = paragraph(say("To be played with a new game: {pairs}.", pairs=joined(", ", mine)), mail_for(len(mine))) if mine else ""
    # A place that somebody else fills is told with that somebody, and with the reason.
    filled = any(isinstance(step.event, e.PlayerSubstituted) and step.event.player == event.player for step in desk.steps)
    yield from (to_play,) if filled else (headline, paragraph(counts, to_play, why))


def _undone(desk: LeagueDesk, step: Step, season: Season, event: e.AdmissionUndone) -> Iterator[str]:
    """Tell that a late entry is undone, and what becomes of the reader's meetings with that player."""
    if step.was is None:
        return
    who, where = step.was.who(event.player), desk.where(season, division_of(step.was, event.player))
    headline, gone = undone_story(event, desk.player(who), where, own=who == desk.reader)
    yield headline
    line = desk.line(season)
    met = [one for one in step.was.fixtures if line in one.players and event.player in one.players and not one.void]
    added = [one for each in desk.steps if isinstance(each.event, e.MeetingsAdded) for one in each.event.meetings]
    byes = [one.round for one in added if one.players == (line,)]
    lost = ""
    if any(not one.marks for one in met):
        lost = say("Your game ends without a result.", "Your games end without a result.", n=sum(not one.marks for one in met))
    instead = [say("You have a bye in round {round} instead.", round=at) for at in byes]
    points = scoring(desk.state.settings).points[Mark.BYE]
    worth = say("Points for it: {points}.", points=points_told(points)) if byes else ""
    yield paragraph(lost, *instead, worth, gone)


def _added(desk: LeagueDesk, season: Season, event: e.MeetingsAdded) -> Iterator[str]:
    """Tell the meetings of the reader that were added to rounds."""
    fixtures = [season.fixtures[added.number - 1] for added in event.meetings]
    mine = [one for one in fixtures if desk.line(season) in one.players and len(one.players) > 1]
    if mine:
        yield say("{league}: you also play {pairs}.", league=desk.name, pairs=joined(", ", [desk.pair(season, one) for one in mine]))
        until = say("Finish by {deadline}.", deadline=desk.long_time(mine[0].deadline)) if mine[0].deadline is not None else ""
        yield paragraph(mail_for(len(mine)), until)


def _approved(desk: LeagueDesk, season: Season, event: e.RoundApproved) -> Iterator[str]:
    """Tell that the reader's games begin; once for all rounds that are approved together."""
    line = desk.line(season)
    rounds = [step.event for step in desk.steps if isinstance(step.event, e.RoundApproved)]
    mine = [(one, number) for one in rounds for number in one.meetings if line in season.fixtures[number - 1].players]
    if mine and mine[0][0] is event:
        pairs = joined(", ", [desk.pair(season, season.fixtures[number - 1]) for _, number in mine])
        yield say("{league}: the pairing is final. You play {pairs}.", league=desk.name, pairs=pairs)
        yield mail_for(len(mine))


def _divided(desk: LeagueDesk, step: Step, season: Season, event: e.SeasonDivided) -> Iterator[str]:
    """Tell that the divisions are others now, and what becomes of the reader's games."""
    was, line = step.was, desk.line(season)
    now_in = division_of(season, line) if line is not None else None
    if was is None or line is None or now_in is None:
        return
    if now_in != division_of(was, line):
        yield say("{league}: the organisers put you into division {division}.", league=desk.name, division=now_in)
    else:
        yield say("{league}: the organisers changed division {division}.", league=desk.name, division=now_in)
    lost = [one for one in was.fixtures if line in one.players and not one.void and season.fixtures[one.number - 1].void]
    over = say("What you have played against those who are still with you counts as before.")
    if not lost:
        gone = ""
    elif desk.state.settings.format in FIXED:
        gone = say("Games against players of other divisions are out of the table, and those that were not over end without a result.")
    else:
        gone = say("You keep the points of games against players of other divisions; those that were not over end, and you have a bye.")
    yield paragraph(over, gone, because(event.reason))


def _rounds_moved(desk: LeagueDesk, state: LeagueState, season: Season, event: e.RoundsMoved) -> Iterator[str]:
    """Tell when the next round begins, or when challenges end, after an admin has moved that."""
    division = desk.division(season)
    own = replace(season, divisions=(division,)) if division is not None else season
    later = event.seconds > 0
    if season.climb is not None:
        changed = (
            say("{league}: challenges end later.", league=desk.name)
            if later
            else say("{league}: challenges end earlier.", league=desk.name)
        )
    else:
        changed = (
            say("{league}: the next rounds begin later.", league=desk.name)
            if later
            else say("{league}: the next rounds begin earlier.", league=desk.name)
        )
    yield changed
    when = min(coming_dates(state, own), default=None)
    yield paragraph(say("The new date: {when}.", when=desk.long_time(when)) if when is not None else "", because(event.reason))


def _tables_held(desk: LeagueDesk, until: datetime | None) -> str:
    wrong = say("If something in it is wrong, tell the organisers.")
    if until is None:
        return paragraph(say("This table is final once the organisers have approved it."), wrong)
    return paragraph(
        say("This table is final once the organisers have approved it, by {when} at the latest.", when=desk.long_time(until)), wrong
    )


def _moved(desk: LeagueDesk, season: Season, event: e.DeadlinesMoved) -> Iterator[str]:
    """Tell the new deadline of each meeting of the reader."""
    line = desk.line(season)
    pairs: dict[datetime | None, list[str]] = {}
    for moved in event.deadlines:
        fixture = season.fixtures[moved.meeting - 1]
        if line in fixture.players:
            pairs.setdefault(moved.deadline, []).append(desk.pair(season, fixture))
    begins = any(isinstance(step.event, e.RoundApproved) for step in desk.steps)
    for deadline, those in pairs.items():
        if begins and deadline is not None:
            yield say("Finish {pairs} by {deadline}.", pairs=joined(", ", those), deadline=desk.long_time(deadline))
        elif deadline is None:
            yield say("{league}: no more deadline for {pairs}.", league=desk.name, pairs=joined(", ", those))
        else:
            until = desk.long_time(deadline)
            yield say("{league}: new deadline for {pairs}: {deadline}.", league=desk.name, pairs=joined(", ", those), deadline=until)
    if pairs and not begins and not any(isinstance(step.event, e.SeasonResumed) for step in desk.steps):
        yield paragraph(say("The organisers moved it. The time for each turn stays as it was."), because(event.reason))


def _goes_on(desk: LeagueDesk, season: Season, fixture: Fixture) -> Iterator[str]:
    if _in_final_table(desk, season, fixture):
        yield say("A game that was over goes on in {season}.", season=desk.where(season, fixture.division))
        yield paragraph(_which(desk, season, fixture), say("It does not count in the table until it has a result."))


def _standing(desk: LeagueDesk, season: Season) -> str:
    """Return the place of the reader on a ladder, as a sentence; empty if they are on none."""
    line = desk.line(season)
    return say("You are at place {place} now.", place=season.order.index(line) + 1) if line in season.order else ""


def _of_results(
    desk: LeagueDesk, step: Step, season: Season, event: e.ResultCorrected | e.ResultRecorded | e.RoundOverdue
) -> Iterator[str]:
    if isinstance(event, e.RoundOverdue):
        for fixture in (season.fixtures[meeting - 1] for meeting in event.meetings):
            if desk.line(season) in fixture.players:
                names = {"league": desk.name, "pair": desk.pair(season, fixture)}
                if season.climb is not None:
                    yield say("{league}: time is up, and {pair} is not over.", **names)
                else:
                    yield say("{league}: time is up for round {round}, and {pair} is not over.", round=event.round, **names)
                yield say("The organisers will decide about that game. Until then, play on as usual.")
        return
    fixture = season.fixtures[event.meeting - 1]
    if isinstance(event, e.ResultCorrected):
        where, result = desk.where(season, fixture.division), desk.result(season, fixture)
        yield say("The organisers corrected a result in {season}: {result}.", season=where, result=result)
    elif _concerns(desk, season, fixture, event.by):
        yield _decided(desk, season, fixture, event.by)
    elif (line := desk.line(season)) is not None and event.by is not e.DecidedBy.WITHDRAWAL and change_of_place(step, line) is not None:
        yield say("{league}: {result}.", league=desk.name, result=desk.result(season, fixture))
    else:
        return
    by_game = isinstance(event, e.ResultRecorded) and event.by is e.DecidedBy.GAME
    later = later_round(desk.state, season, fixture)
    stays = say("Round {round} was paired before and stays as it is.", round=later) if later is not None else ""
    yield paragraph(
        _standing(desk, season),
        _which(desk, season, fixture),
        "" if by_game else because(event.reason),
        _uncounted(desk, season, fixture),
        stays,
    )


def _concerns(desk: LeagueDesk, season: Season, fixture: Fixture, by: e.DecidedBy) -> bool:
    # A result is news to the players of its meeting. In a season that is over it changes the final table, so it is news to the division.
    own = by in (e.DecidedBy.DEADLINE, e.DecidedBy.ADMIN) and desk.line(season) in fixture.players
    return own or (by in (e.DecidedBy.GAME, e.DecidedBy.ADMIN) and _in_final_table(desk, season, fixture))


def _in_final_table(desk: LeagueDesk, season: Season, fixture: Fixture) -> bool:
    division = desk.division(season)
    return season.phase is Phase.CLOSED and division is not None and division.name == fixture.division


def _decided(desk: LeagueDesk, season: Season, fixture: Fixture, by: e.DecidedBy) -> str:
    where, result = desk.where(season, fixture.division), desk.result(season, fixture)
    if by is e.DecidedBy.DEADLINE and season.climb is not None:
        return say("Time is up for a game in {season}: {result}.", season=where, result=result)
    if by is e.DecidedBy.DEADLINE:
        return say("Time is up for round {round} of {season}: {result}.", round=fixture.round, season=where, result=result)
    if by is e.DecidedBy.GAME:
        return say("A result changed in {season}, which is over: {result}.", season=where, result=result)
    return say("The organisers decided a game in {season}: {result}.", season=where, result=result)


def _which(desk: LeagueDesk, season: Season, fixture: Fixture) -> str:
    pair = desk.pair(season, fixture)
    if season.climb is not None:
        # its rounds are only months
        return say("This is about {pair}, {game}.", pair=pair, game=desk.game(fixture)) if fixture.game is not None else ""
    if fixture.game is None:
        return say("This is about {pair}, round {round}.", pair=pair, round=fixture.round)
    return say("This is about {pair}, round {round}, {game}.", pair=pair, round=fixture.round, game=desk.game(fixture))


def _uncounted(desk: LeagueDesk, season: Season, fixture: Fixture) -> str:
    struck = [season.who(line) for line in fixture.players if line in season.struck]
    if not struck:
        return ""
    return say("The table stays as it is, because {players} left early; only ratings can change.", players=desk.players(struck))
