"""Letters about the members of a season and about all leagues: entries, the ready check, dropped seasons, and news between rounds."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from typing import assert_never

from msgspec.structs import replace

from turnserver.league import events as e
from turnserver.league.byes import byes_to_come, rounds_told
from turnserver.league.dates import coming_dates
from turnserver.league.entering import admitted
from turnserver.league.pairing_again import later_round
from turnserver.league.presentation.words import points_told
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import FIXED, scoring
from turnserver.league.state import Fixture, LeagueState, Phase, Season
from turnserver.mail.outbound.context import LeagueContext, MailContext
from turnserver.mail.outbound.game_words import Picture, WrittenLetter
from turnserver.mail.outbound.kinds import MailKind, tells_too
from turnserver.mail.outbound.league_words import LeagueDesk, listed
from turnserver.mail.outbound.letters import Fact, LeagueLetter, LeagueTable, LineToWrite
from turnserver.mail.outbound.notices.league import News, Step, asker, division_of
from turnserver.mail.outbound.telling.events import given, paragraph
from turnserver.mail.outbound.telling.leagues import (
    because,
    games_of_yours,
    penalty_story,
    return_story,
    substitution_story,
    undone_story,
    withdrawal_story,
)
from turnserver.mail.outbound.writing.directing import appointed, directed
from turnserver.text import joined, say


def season_announced(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader that they are in a season without having done anything. Raise ValueError if no season is announced."""
    season = season_of(desk)
    headline = say("{league}: season {n} is announced. You are in, because you played the last one.", league=desk.name, n=season.number)
    leave = desk.to_leave(say("not to play this time:"))
    return desk.written(
        LeagueLetter,
        headline,
        say("season {n}: entries", n=season.number),
        meaning=(say("Nothing for you to do."), *before_start(desk, season)),
        facts=desk.facts(),
        also=(leave,),
    )


def entry(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader about a change of their entry, by an admin or by another player's leaving, or that the season begins without them."""
    for step in desk.steps:
        # At the start of a season, only those who are left out get this kind of mail.
        if isinstance(step.event, e.SeasonStarted):
            return _without(desk, step)
        if isinstance(step.event, e.PlayerEntered) and step.event.player == desk.reader:
            return entered(desk, LeagueLetter, say("The organisers entered you for {season}.", season=desk.where(season_of(desk), None)))
        if isinstance(step.event, e.PlayerJoined) and step.event.player == desk.reader:
            return _joined(desk, LeagueLetter, say("The organisers entered you for {season}.", season=desk.where(season_of(desk), None)))
        if isinstance(step.event, e.PlayerAdmitted) and step.event.player == desk.reader:
            return _admitted(desk, step.event)
        if isinstance(step.event, e.EntryWithdrawn) and step.event.player == desk.reader:
            told = say("The organisers took back your entry for {season}.", season=desk.where(season_of(desk), None))
            return desk.written(LeagueLetter, told, say("your entry"), meaning=(say("Nothing for you to do."),))
    season = season_of(desk)
    told = say("You are in {season}: somebody left, and you got their place.", season=desk.where(season, None))
    return desk.written(
        LeagueLetter,
        told,
        say("your entry"),
        meaning=tuple(before_start(desk, season)),
        facts=desk.facts(),
        also=(desk.to_leave(say("to leave before the start:")),),
    )


def _admitted(desk: LeagueDesk, event: e.PlayerAdmitted) -> WrittenLetter:
    """Tell the reader that they are in a season that has begun, what earlier rounds are to them, and when they play."""
    season = season_of(desk)
    own = [one for one in season.fixtures if event.player in one.players and not one.void]
    to_play = [desk.pair(season, one) for one in own if not one.marks]
    if to_play:
        then = paragraph(say("You play {pairs}.", pairs=joined(", ", to_play)), _mail_for(len(to_play)))
    else:
        then = say("You play from the next round on. You get a mail when it is paired, and there is nothing to accept.")
    past = (
        say(
            "For {n} earlier round you have a result already; the table shows it.",
            "For {n} earlier rounds you have results already; the table shows them.",
            n=len(own) - len(to_play),
        )
        if len(own) > len(to_play)
        else ""
    )
    return desk.written(
        LeagueLetter,
        say("The organisers entered you for {season}, which has begun.", season=desk.where(season, event.division)),
        say("your entry"),
        meaning=(then, paragraph(past, because(event.reason))),
        facts=desk.facts(),
        also=(desk.to_leave(say("to leave the season:")),),
    )


def answer(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader that their request is done, or what they have directed. Raise ValueError if the reader has asked for nothing."""
    done = next((step for step in desk.steps if asker(step) == desk.reader), None)
    if done is None or done.after.season is None:
        return directed(desk)
    season, event = done.after.season, done.event
    if isinstance(event, e.PlayerEntered):
        return entered(desk, LeagueLetter, say("You entered {season}.", season=desk.where(season, None)))
    if isinstance(event, e.PlayerJoined):
        return _joined(desk, LeagueLetter, say("You entered {season}.", season=desk.where(season, None)))
    if isinstance(event, e.PlayerReady):
        return _ready(desk, season)
    if isinstance(event, e.ChallengeMade):
        return _challenged(desk, season, event)
    if isinstance(event, e.ByeAsked | e.ByeDropped):
        headline, *meaning = _bye_told(desk, season, event, by_admin=False)
        return desk.written(LeagueLetter, headline, say("your bye"), meaning=tuple(meaning), also=_of_byes(desk, event))
    told = say("You left {season}.", season=desk.where(season, desk.division(season)))
    if isinstance(event, e.PlayerWithdrawn):
        return desk.written(LeagueLetter, told, say("you have left"), meaning=(games_of_yours(struck=event.struck),))
    back = LineToWrite(say("to enter again:"), say("join {league}", league=desk.key))
    is_open = season.phase is Phase.ENTRIES
    return desk.written(
        LeagueLetter, told, say("you have left"), meaning=(say("Nothing else for you to do."),), also=(back,) if is_open else ()
    )


def _joined(desk: LeagueDesk, letter: type[LeagueLetter], headline: str) -> WrittenLetter:
    return desk.written(
        letter,
        headline,
        say("your entry"),
        meaning=(say("You start at the bottom of the ladder and can challenge others right away."),),
        facts=desk.facts(),
        also=(desk.to_challenge(), desk.to_leave(say("to leave the season:"))),
    )


def _challenged(desk: LeagueDesk, season: Season, event: e.ChallengeMade) -> WrittenLetter:
    """Tell the reader that their challenge is made."""
    fixture = season.fixtures[event.meeting - 1]
    other = next(season.who(line) for line in event.players if line != event.challenger)
    headline = say("{league}: you challenged {player}.", league=desk.name, player=desk.player(other))
    opens = say("The game starts by itself. You both get a mail, and there is nothing to accept.")
    until = say("Finish it by {deadline}.", deadline=desk.long_time(fixture.deadline)) if fixture.deadline is not None else ""
    return desk.written(LeagueLetter, headline, say("your challenge"), meaning=(paragraph(opens, until),))


def entered(desk: LeagueDesk, letter: type[LeagueLetter], headline: str) -> WrittenLetter:
    """Tell the reader that they have entered, or that they wait for a place."""
    season = season_of(desk)
    waits = desk.waits(season)
    if waits:
        queue = say(
            "All places are taken: you are number {place} on the waiting list. If somebody leaves before the start, the first in line gets "
            "the place and a mail.",
            place=waits,
        )
        meaning = (queue, *before_start(desk, season))
    else:
        meaning = tuple(before_start(desk, season))
    return desk.written(
        letter,
        headline,
        say("your entry"),
        meaning=meaning,
        facts=desk.facts(),
        also=(desk.to_leave(say("to leave before the start:")),),
    )


def before_start(desk: LeagueDesk, season: Season) -> Iterator[str]:
    """Yield the next events of a season that has not begun, in paragraphs."""
    hours = desk.state.settings.ready_hours
    if season.phase is Phase.ENTRIES and season.entries_until is not None:
        yield say("Entries are open until {deadline}.", deadline=desk.long_time(season.entries_until))
    elif season.phase is Phase.ENTRIES:
        yield say("Entries are open until the organisers start the season.")
    if season.phase is Phase.ENTRIES and hours:
        yield say("Then a mail asks whether you will play. Only those who answer it in time are in.")
    yield from _then(desk, season)


def _then(desk: LeagueDesk, season: Season) -> Iterator[str]:
    """Yield when the season begins, and how, in paragraphs."""
    if season.starts_at is not None:
        yield say("The season starts {when}.", when=desk.long_time(season.starts_at))
    yield say("Your games start with the season. You get a mail for each, and there is nothing to accept.")


def entered_by_admin(desk: LeagueDesk) -> str:
    """Return the news of the reader's entry, if the mail tells it along with its own; else an empty text."""
    if tells_too(desk.context.detail, MailKind.LEAGUE_ENTRY):
        return say("The organisers entered you for {season}.", season=desk.where(season_of(desk), None))
    if tells_too(desk.context.detail, MailKind.LEAGUE_SEASON):
        return say("You are in, because you played the last season.")
    return ""


def ready_check(desk: LeagueDesk) -> WrittenLetter:
    """Ask the reader whether they will play. Raise ValueError if no ready check has begun."""
    season = season_of(desk)
    begun = next((step.event for step in desk.steps if isinstance(step.event, e.ReadyCheckBegun)), None)
    if begun is None:
        raise ValueError(f"nobody asks who is there in {desk.name}")
    until, waits, new = desk.long_time(begun.until), desk.waits(season), bool(entered_by_admin(desk))
    headline = say("{league}: season {n} is about to start. Will you play?", league=desk.name, n=season.number)
    told = say("Answer before {deadline}. If you do not answer, you are not in this season.", deadline=until)
    queue = say(
        "You are number {place} on the waiting list. Please answer all the same: without an answer you cannot move up.", place=waits
    )
    return desk.written(
        LeagueLetter,
        headline,
        say("season {n}: will you play?", n=season.number),
        todo=(LineToWrite(say("if you will play:"), say("ready {league}", league=desk.key), say("I will play")),),
        meaning=(entered_by_admin(desk), told, queue if waits else "", byes_asked(desk, season), *(_then(desk, season) if new else ())),
        facts=desk.facts() if new else (),
        also=(desk.to_leave(say("not to play this time:")),),
    )


def _ready(desk: LeagueDesk, season: Season) -> WrittenLetter:
    until = season.ready_until
    headline = say("Thank you. We noted that you want to play in {season}.", season=desk.where(season, None))
    when = say("The season starts after {deadline}. A mail then tells you whom you meet.", deadline=desk.long_time(until)) if until else ""
    waits = desk.reader not in [one.player for one in admitted(desk.state, season)]
    queue = say("You are still on the waiting list: you are in if somebody before you does not answer.") if waits else ""
    return desk.written(LeagueLetter, headline, say("you will play"), meaning=(paragraph(queue, when),))


def _without(desk: LeagueDesk, step: Step) -> WrittenLetter:
    """Tell the reader that the season begins without them."""
    was = step.before.season if step.before is not None else None
    season = step.after.season
    assert was is not None and season is not None  # noqa: PT018, S101  # it begins
    own = next(one for one in was.entries if one.player == desk.reader)
    headline = say("{league}: season {n} has started without you.", league=desk.name, n=season.number)
    if was.phase is Phase.READY_CHECK and not own.ready:
        why = say("You were asked whether you would play, and no answer came in time.")
    else:
        why = say("You were on the waiting list, and no place became free for you.")
    return desk.written(LeagueLetter, headline, say("season {n}", n=season.number), meaning=(paragraph(why, next_time(desk.state)),))


def next_time(state: LeagueState) -> str:
    """Return the way into the next season, as a sentence."""
    if state.settings.next_days is None:
        return say("If there is another season, you can enter it.")
    return say("You can enter the next season when this one is over.")


def dropped(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader that a season does not take place, or is called off. Raise ValueError if it is not."""
    called_off = next((one.event for one in desk.steps if isinstance(one.event, e.SeasonCancelled)), None)
    if called_off is not None:
        return _cancelled(desk, called_off)
    step = next((one for one in desk.steps if isinstance(one.event, e.SeasonDropped)), None)
    season = step.before.season if step is not None and step.before is not None else None
    if step is None or season is None or not isinstance(step.event, e.SeasonDropped):
        raise ValueError(f"no season of {desk.name} was dropped")
    headline = say("{league}: season {n} is cancelled.", league=desk.name, n=season.number)
    # Counted before the decision, which has taken the season away.
    least, there = desk.state.settings.least, len(admitted(step.before or desk.state, season))
    if there < least:
        why = say("It needs {least} players, and there was {n}.", "It needs {least} players, and there were {n}.", least=least, n=there)
    else:
        why = (
            say("The organisers called it off: {reason}.", reason=given(step.event.reason))
            if step.event.reason
            else say("The organisers called it off.")
        )
    return desk.written(LeagueLetter, headline, say("season {n}", n=season.number), meaning=(why, say("Nothing for you to do.")))


def _cancelled(desk: LeagueDesk, event: e.SeasonCancelled) -> WrittenLetter:
    season = season_of(desk)
    headline = say("{league}: season {n} is cancelled.", league=desk.name, n=season.number)
    why = (
        say("The organisers called it off: {reason}.", reason=given(event.reason)) if event.reason else say("The organisers called it off.")
    )
    games = say("There is no table and no winner. Unfinished games end without a result; the others count for ratings.")
    meaning = (why, games, say("Nothing for you to do."))
    return desk.written(LeagueLetter, headline, say("season {n}", n=season.number), meaning=meaning)


def season_of(desk: LeagueDesk) -> Season:
    """Return the current season. Raise ValueError if there is none."""
    if desk.state.season is None:
        raise ValueError(f"{desk.name} has no season")
    return desk.state.season


def all_leagues(context: MailContext) -> WrittenLetter:
    """Write the list of all leagues, each with its situation."""
    desks = [LeagueDesk(context, one) for one in context.leagues]
    facts = tuple(Fact(say("{league} ({key})", league=desk.name, key=desk.key), situation(desk, desk.about)) for desk in desks)
    if not facts:
        return listed(context, say("There are no leagues here now."), (), ())
    headline = say("There is {n} league here.", "There are {n} leagues here.", n=len(facts))
    open_ones = [desk for desk in desks if desk.state.season is not None and desk.state.season.phase is Phase.ENTRIES]
    mine = [desk for desk in open_ones if desk.state.season and any(one.player == desk.reader for one in desk.state.season.entries)]
    also = [
        LineToWrite(say("to enter {league}:", league=desk.name), say("join {key}", key=desk.key)) for desk in open_ones if desk not in mine
    ]
    shown = LineToWrite(say("to see the table of {league}:", league=desks[0].name), desks[0].key)
    return listed(context, headline, facts, (*also, shown))


def situation(desk: LeagueDesk, about: LeagueContext) -> str:
    """Return the situation of a league, and whether the reader is in it."""
    season = about.state.season
    return paragraph(season_told(desk, season), *((_part(desk, season), byes_asked(desk, season)) if season is not None else ()))


def byes_asked(desk: LeagueDesk, season: Season) -> str:
    """Return the rounds to come in which the reader has a bye, as a sentence; empty if there are none."""
    line = desk.line(season) if season.divisions else desk.reader
    rounds = byes_to_come(season, line) if line is not None and line not in season.withdrawn and season.phase is not Phase.CLOSED else {}
    return say("You have a bye in {rounds}.", rounds=rounds_told(rounds)) if rounds else ""


def season_told(desk: LeagueDesk, season: Season | None) -> str:
    """Return how far a season has come, as a sentence that follows a colon."""
    if season is None:
        return say("there is no season now.")
    match season.phase:
        case Phase.ENTRIES if season.entries_until is not None:
            return say(
                "season {n} is open for entries until {deadline}.", n=season.number, deadline=desk.deadline_time(season.entries_until)
            )
        case Phase.ENTRIES:
            return say("season {n} is open for entries.", n=season.number)
        case Phase.READY_CHECK:
            return say("season {n} is about to start.", n=season.number)
        case Phase.RUNNING:
            return say("season {n} is being played.", n=season.number)
        case Phase.CLOSED if season.cancelled:
            return say("season {n} was cancelled.", n=season.number)
        case Phase.CLOSED:
            return say("season {n} is over.", n=season.number)
        case _:
            assert_never(season.phase)


def _part(desk: LeagueDesk, season: Season) -> str:
    """Return the reader's part in a season; empty if they have none."""
    if season.phase in (Phase.ENTRIES, Phase.READY_CHECK):
        waits = desk.waits(season)
        if waits:
            return say("You are number {place} on the waiting list.", place=waits)
        return say("You are in.") if any(one.player == desk.reader for one in season.entries) else ""
    division = desk.division(season)
    if division is None or season.phase is Phase.CLOSED:
        return ""
    if desk.line(season) in season.withdrawn:
        return say("You left it.")
    return say("You are in division {division}.", division=division.name) if len(season.divisions) > 1 else say("You are in.")


def news(desk: LeagueDesk) -> WrittenLetter:
    """Write the news between rounds. Raise ValueError if there is none for the reader."""
    role = appointed(desk)
    if role is not None:
        return role
    # Who comes into a place is told before what becomes of its games.
    order = sorted(desk.steps, key=lambda step: not isinstance(step.event, e.PlayerSubstituted))
    told = [one for step in order for one in _told(desk, step)]
    if not told:
        raise ValueError(f"nothing has happened in {desk.name} that the reader is told of")
    return desk.written(LeagueLetter, told[0], say("news"), meaning=told[1:], table=_table_of_reader(desk))


def words_to_many(desk: LeagueDesk) -> WrittenLetter:
    """Write what an admin has to say to the players. Raise ValueError if the league has no season."""
    detail, season = desk.context.detail, desk.state.season
    if season is None:
        raise ValueError(f"{desk.name} has no season whose players are written to")
    where = desk.where(season, detail["division"])
    headline = say("The organisers write to the players of {season}.", season=where)
    if detail["round"] is not None:
        headline = say("The organisers write to the players of round {round} of {season}.", round=detail["round"], season=where)
    return desk.written(LeagueLetter, headline, say("from the organisers"), meaning=_paragraphs(detail["words"]))


def _paragraphs(words: str) -> Sequence[str]:
    """Return the paragraphs of a text: parted by empty lines, and each point of a list on its own."""
    found: list[list[str]] = [[]]
    for line in map(str.strip, words.splitlines()):
        if not line or line.startswith(("- ", "* ")):
            found.append([])
        found[-1] += [line] if line else []
    return [" ".join(lines) for lines in found if lines]


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


def _told_in_season(desk: LeagueDesk, step: Step, event: News, season: Season) -> Iterator[str]:  # noqa: C901, PLR0912  # one branch an event
    match event:
        case e.PlayersSunk(players=lines):
            if desk.line(season) in lines:
                yield say("{league}: you went down the ladder, because you have not played for a long time.", league=desk.name)
                yield say("If you still do not play, it happens again after the same time. To keep your place, challenge somebody.")
        case e.PlayerWithdrawn():
            who = season.who(event.player)
            yield from withdrawal_story(event, desk.player(who), desk.where(season, None), own=who == desk.reader)
        case (
            e.LeagueRenamed()
            | e.LeagueArchived()
            | e.SeasonMoved()
            | e.RoundsMoved()
            | e.SeasonPaused()
            | e.SeasonResumed()
            | e.TablesHeld()
            | e.SeasonReopened()
        ):
            yield from _of_season(desk, step, event, season)
        case e.SeasonDivided():
            yield from _divided(desk, step, season, event)
        case e.RoundApproved():
            yield from _approved(desk, season, event)
        case e.PlayerReturned():
            yield from _returned(desk, season, event)
        case e.AdmissionUndone():
            yield from _undone(desk, step, season, event)
        case e.ByeAsked() | e.ByeDropped():
            yield from _bye_told(desk, season, event, by_admin=True)
        case e.MeetingsAdded():
            yield from _added(desk, season, event)
        case e.DeadlinesMoved():
            yield from _moved(desk, season, event)
        case e.PlayerSubstituted():
            was = step.before.season if step.before is not None else None
            # Whoever played for the line until now may have been a substitute too.
            former = was.who(event.player) if was is not None else event.player
            names = (desk.player(former), desk.player(event.substitute))
            where = desk.where(season, division_of(season, event.player))
            yield from substitution_story(event, names, where, own=(former == desk.reader, event.substitute == desk.reader))
        case e.PenaltyGiven():
            who, where = season.who(event.player), desk.where(season, division_of(season, event.player))
            yield from penalty_story(event, desk.player(who), where, own=who == desk.reader)
        case e.ResultCorrected() | e.ResultRecorded() | e.RoundOverdue():
            yield from _of_results(desk, season, event)
        case e.ResultReopened():
            # If the game has ended again in the same decision, its new result is the news.
            if not _has_ended_again(desk, event):
                yield from _goes_on(desk, season, season.fixtures[event.meeting - 1])
        case _:
            assert_never(event)


def _of_season(
    desk: LeagueDesk,
    step: Step,
    event: e.LeagueRenamed
    | e.LeagueArchived
    | e.SeasonMoved
    | e.RoundsMoved
    | e.SeasonPaused
    | e.SeasonResumed
    | e.TablesHeld
    | e.SeasonReopened,
    season: Season,
) -> Iterator[str]:
    """Tell what happens to the season, or to the league, as a whole."""
    match event:
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
        case _:
            assert_never(event)


def _returned(desk: LeagueDesk, season: Season, event: e.PlayerReturned) -> Iterator[str]:
    """Tell that a withdrawal is undone, and which games of the reader are played after all."""
    who, where = season.who(event.player), desk.where(season, division_of(season, event.player))
    headline, counts, why = return_story(event, desk.player(who), where, own=who == desk.reader)
    again = [season.fixtures[number - 1] for number in event.meetings]
    # Under the names of those who play them now, who may have come in the same decision.
    mine = [desk.pair(season_of(desk), one) for one in again if desk.line(season) in one.players and not one.marks]
    to_play = paragraph(say("To be played with a new game: {pairs}.", pairs=joined(", ", mine)), _mail_for(len(mine))) if mine else ""
    # A place that somebody else fills is told with that somebody, and with the reason.
    filled = any(isinstance(step.event, e.PlayerSubstituted) and step.event.player == event.player for step in desk.steps)
    yield from (to_play,) if filled else (headline, paragraph(counts, to_play, why))


def _undone(desk: LeagueDesk, step: Step, season: Season, event: e.AdmissionUndone) -> Iterator[str]:
    """Tell that a late entry is undone, and what becomes of the reader's meetings with that player."""
    was = step.before.season if step.before is not None else None
    if was is None:
        return
    who, where = was.who(event.player), desk.where(season, division_of(was, event.player))
    headline, gone = undone_story(event, desk.player(who), where, own=who == desk.reader)
    yield headline
    line = desk.line(season)
    met = [one for one in was.fixtures if line in one.players and event.player in one.players and not one.void]
    added = [one for each in desk.steps if isinstance(each.event, e.MeetingsAdded) for one in each.event.meetings]
    byes = [one.round for one in added if one.players == (line,)]
    lost = ""
    if any(not one.marks for one in met):
        lost = say("Your game ends without a result.", "Your games end without a result.", n=sum(not one.marks for one in met))
    instead = [say("You have a bye in round {round} instead.", round=at) for at in byes]
    worth = say("Points for it: {points}.", points=points_told(_full(desk))) if byes else ""
    yield paragraph(lost, *instead, worth, gone)


def _full(desk: LeagueDesk) -> Fraction:
    return scoring(desk.state.settings).points[Mark.BYE]


def _bye_told(desk: LeagueDesk, season: Season, event: e.ByeAsked | e.ByeDropped, *, by_admin: bool) -> Iterator[str]:
    """Tell the reader that they have a bye in a round to come, or none after all."""
    where = desk.where(season, division_of(season, event.player))
    if isinstance(event, e.ByeDropped):
        yield say("You play in round {round} of {season} after all.", round=event.round, season=where)
        yield because(event.reason) if by_admin else say("You get a mail when the round is paired.")
        return
    worth = Fraction(event.worth)
    yield say("You have a bye in round {round} of {season}: you are not paired.", round=event.round, season=where)
    points = say("Points for it: {points}.", points=points_told(worth))
    yield paragraph(points, because(event.reason))


def _of_byes(desk: LeagueDesk, event: e.ByeAsked | e.ByeDropped) -> tuple[LineToWrite, ...]:
    if isinstance(event, e.ByeDropped):
        return ()
    return (LineToWrite(say("to play after all:"), say("ready {league} round {round}", league=desk.key, round=event.round)),)


def _added(desk: LeagueDesk, season: Season, event: e.MeetingsAdded) -> Iterator[str]:
    """Tell the meetings of the reader that were added to rounds."""
    fixtures = [season.fixtures[added.number - 1] for added in event.meetings]
    mine = [one for one in fixtures if desk.line(season) in one.players and len(one.players) > 1]
    if mine:
        yield say("{league}: you also play {pairs}.", league=desk.name, pairs=joined(", ", [desk.pair(season, one) for one in mine]))
        until = say("Finish by {deadline}.", deadline=desk.long_time(mine[0].deadline)) if mine[0].deadline is not None else ""
        yield paragraph(_mail_for(len(mine)), until)


def _mail_for(games: int) -> str:
    return say("You get a mail when it starts.", "You get a mail for each when it starts.", n=games)


def _approved(desk: LeagueDesk, season: Season, event: e.RoundApproved) -> Iterator[str]:
    """Tell that the reader's games begin; once for all rounds that are approved together."""
    line = desk.line(season)
    rounds = [step.event for step in desk.steps if isinstance(step.event, e.RoundApproved)]
    mine = [(one, number) for one in rounds for number in one.meetings if line in season.fixtures[number - 1].players]
    if mine and mine[0][0] is event:
        pairs = joined(", ", [desk.pair(season, season.fixtures[number - 1]) for _, number in mine])
        yield say("{league}: the pairing is final. You play {pairs}.", league=desk.name, pairs=pairs)
        yield _mail_for(len(mine))


def _divided(desk: LeagueDesk, step: Step, season: Season, event: e.SeasonDivided) -> Iterator[str]:
    """Tell that the divisions are others now, and what becomes of the reader's games."""
    was, line = step.before.season if step.before is not None else None, desk.line(season)
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


def _has_ended_again(desk: LeagueDesk, event: e.ResultReopened) -> bool:
    return any(isinstance(step.event, e.ResultRecorded) and step.event.meeting == event.meeting for step in desk.steps)


def _goes_on(desk: LeagueDesk, season: Season, fixture: Fixture) -> Iterator[str]:
    if _in_final_table(desk, season, fixture):
        yield say("A game that was over goes on in {season}.", season=desk.where(season, fixture.division))
        yield paragraph(_which(desk, season, fixture), say("It does not count in the table until it has a result."))


def _of_results(desk: LeagueDesk, season: Season, event: e.ResultCorrected | e.ResultRecorded | e.RoundOverdue) -> Iterator[str]:
    if isinstance(event, e.RoundOverdue):
        for fixture in (season.fixtures[meeting - 1] for meeting in event.meetings):
            if desk.line(season) in fixture.players:
                pair = desk.pair(season, fixture)
                yield say("{league}: time is up for round {round}, and {pair} is not over.", league=desk.name, round=event.round, pair=pair)
                yield say("The organisers will decide about that game. Until then, play on as usual.")
        return
    fixture = season.fixtures[event.meeting - 1]
    if isinstance(event, e.ResultCorrected):
        where, result = desk.where(season, fixture.division), desk.result(season, fixture)
        yield say("The organisers corrected a result in {season}: {result}.", season=where, result=result)
    elif _concerns(desk, season, fixture, event.by):
        yield _decided(desk, season, fixture, event.by)
    else:
        return
    by_game = isinstance(event, e.ResultRecorded) and event.by is e.DecidedBy.GAME
    later = later_round(desk.state, season, fixture)
    stays = say("Round {round} was paired before and stays as it is.", round=later) if later is not None else ""
    yield paragraph(_which(desk, season, fixture), "" if by_game else because(event.reason), _uncounted(desk, season, fixture), stays)


def _concerns(desk: LeagueDesk, season: Season, fixture: Fixture, by: e.DecidedBy) -> bool:
    # A result is news to the players of its meeting. In a season that is over it changes the final table, so it is news to the division.
    own = by in (e.DecidedBy.DEADLINE, e.DecidedBy.ADMIN) and desk.line(season) in fixture.players
    return own or (by in (e.DecidedBy.GAME, e.DecidedBy.ADMIN) and _in_final_table(desk, season, fixture))


def _in_final_table(desk: LeagueDesk, season: Season, fixture: Fixture) -> bool:
    division = desk.division(season)
    return season.phase is Phase.CLOSED and division is not None and division.name == fixture.division


def _decided(desk: LeagueDesk, season: Season, fixture: Fixture, by: e.DecidedBy) -> str:
    where, result = desk.where(season, fixture.division), desk.result(season, fixture)
    if by is e.DecidedBy.DEADLINE:
        return say("Time is up for round {round} of {season}: {result}.", round=fixture.round, season=where, result=result)
    if by is e.DecidedBy.GAME:
        return say("A result changed in {season}, which is over: {result}.", season=where, result=result)
    return say("The organisers decided a game in {season}: {result}.", season=where, result=result)


def _which(desk: LeagueDesk, season: Season, fixture: Fixture) -> str:
    pair = desk.pair(season, fixture)
    if fixture.game is None:
        return say("This is about {pair}, round {round}.", pair=pair, round=fixture.round)
    return say("This is about {pair}, round {round}, {game}.", pair=pair, round=fixture.round, game=desk.game(fixture))


def _uncounted(desk: LeagueDesk, season: Season, fixture: Fixture) -> str:
    struck = [season.who(line) for line in fixture.players if line in season.struck]
    if not struck:
        return ""
    return say("The table stays as it is, because {players} left early; only ratings can change.", players=desk.players(struck))
