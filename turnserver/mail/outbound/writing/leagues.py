"""Letters about all leagues, and the situation of one in sentences that several letters and pages have."""

from collections.abc import Iterator
from fractions import Fraction
from typing import assert_never

from turnserver.league import events as e
from turnserver.league.byes import byes_to_come, rounds_told
from turnserver.league.presentation.words import UNFINISHED, points_told
from turnserver.league.state import Phase, Season
from turnserver.mail.outbound.context import LeagueContext, MailContext
from turnserver.mail.outbound.game_words import WrittenLetter
from turnserver.mail.outbound.league_words import LeagueDesk, listed
from turnserver.mail.outbound.letters import Fact, LineToWrite
from turnserver.mail.outbound.notices.league import division_of
from turnserver.mail.outbound.telling.events import because, paragraph
from turnserver.text import say


def all_leagues(context: MailContext) -> WrittenLetter:
    """Write the list of all leagues, each with its situation."""
    desks = [LeagueDesk(context, one) for one in context.leagues]
    facts = tuple(Fact(say("{league} ({key})", league=desk.name, key=desk.key), situation(desk, desk.about)) for desk in desks)
    if not facts:
        return listed(context, say("There are no leagues here now."), (), ())
    headline = say("There is {n} league here.", "There are {n} leagues here.", n=len(facts))
    also = [
        LineToWrite(say("to enter {league}:", league=desk.name), say("join {key}", key=desk.key))
        for desk in desks
        if desk.state.season is not None and desk.state.season.takes_entries and not _has_entered(desk, desk.state.season)
    ]
    shown = LineToWrite(say("to see the table of {league}:", league=desks[0].name), desks[0].key)
    return listed(context, headline, facts, (*also, shown))


def _has_entered(desk: LeagueDesk, season: Season) -> bool:
    return desk.reader in season.order or any(entry.player == desk.reader for entry in season.entries)


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
        case Phase.CLOSED if again := len(season.reopened):
            return say(
                "season {season} is over, but {n} game of it goes on again.",
                "season {season} is over, but {n} games of it go on again.",
                season=season.number,
                n=again,
            )
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


def before_start(desk: LeagueDesk, season: Season) -> Iterator[str]:
    """Yield the next events of a season that has not begun, in paragraphs."""
    hours = desk.state.settings.ready_hours
    if season.phase is Phase.ENTRIES and season.entries_until is not None:
        yield say("Entries are open until {deadline}.", deadline=desk.long_time(season.entries_until))
    elif season.phase is Phase.ENTRIES:
        yield say("Entries are open until the organisers start the season.")
    if season.phase is Phase.ENTRIES and hours:
        yield say("Then a mail asks whether you will play. Only those who answer it in time are in.")
    yield from start_told(desk, season)


def start_told(desk: LeagueDesk, season: Season) -> Iterator[str]:
    """Yield when the season begins, and how, in paragraphs."""
    if season.starts_at is not None:
        yield say("The season starts {when}.", when=desk.long_time(season.starts_at))
    yield say("Your games start with the season. You get a mail for each, and there is nothing to accept.")


def bye_told(desk: LeagueDesk, season: Season, event: e.ByeAsked | e.ByeDropped, *, by_admin: bool) -> Iterator[str]:
    """Tell the reader that they have a bye in a round to come, or none after all."""
    where = desk.where(season, division_of(season, event.player))
    if isinstance(event, e.ByeDropped):
        yield say("You play in round {round} of {season} after all.", round=event.round, season=where)
        yield because(event.reason) if by_admin else say("You get a mail when the round is paired.")
    else:
        yield say("You have a bye in round {round} of {season}: you are not paired.", round=event.round, season=where)
        points = say("Points for it: {points}.", points=points_told(Fraction(event.worth)))
        yield paragraph(points, because(event.reason))
    if season.ready_until is not None and season.asks(desk.reader):
        yield say(
            "This does not say whether you will play the season. If you will, write {ready} before {deadline}. If we hear nothing, you "
            "are not in it.",
            ready=say("ready {league}", league=desk.key),
            deadline=desk.long_time(season.ready_until),
        )


def answers_to_bye(desk: LeagueDesk, event: e.ByeAsked | e.ByeDropped) -> tuple[LineToWrite, ...]:
    """Return what the reader may answer to news of a bye."""
    if isinstance(event, e.ByeDropped):
        return ()
    return (LineToWrite(say("to play after all:"), say("ready {league} round {round}", league=desk.key, round=event.round)),)


def challenge_told(desk: LeagueDesk) -> tuple[str, tuple[str, ...]] | None:
    """Return the news of a challenge for one of its two players: its place, and what comes of it. None if the mail is about none."""
    step = next((one for one in desk.steps if isinstance(one.event, e.ChallengeMade)), None)
    season = step.after.season if step is not None else None
    if step is None or season is None or not isinstance(step.event, e.ChallengeMade):
        return None
    challenger = step.event.challenger
    defender = next(line for line in step.event.players if line != challenger)
    place = season.order.index(defender) + 1
    until = step.event.deadline
    ends = ""
    if until is not None:
        last = say("Finish it by {deadline}.", deadline=desk.long_time(until))
        ends = paragraph(last, UNFINISHED[desk.state.settings.when_unfinished])
    if season.who(challenger) == desk.reader:
        other = desk.player(season.who(defender))
        return say("{league}: you challenged {player} for place {place}.", league=desk.name, player=other, place=place), (ends,)
    who = desk.player(season.who(challenger))
    told = say("{league}: {player} challenges you for place {place}.", league=desk.name, player=who, place=place)
    loses = say("If you lose, {player} gets your place.", player=who)
    return told, (paragraph(say("A challenge cannot be declined."), loses), ends)


def challenge_mail(desk: LeagueDesk, words: str) -> WrittenLetter | None:
    """Write to a player about a challenge whose game is still to come; `words` say what the mail is. None if it is about no challenge."""
    told = challenge_told(desk)
    if told is None:
        return None
    headline, meaning = told
    return desk.written(headline, words, meaning=(say("The game starts by itself, and you get a mail."), *meaning))


def mail_for(games: int) -> str:
    """Return the sentence that games to come are told by mail."""
    return say("You get a mail when it starts.", "You get a mail for each when it starts.", n=games)
