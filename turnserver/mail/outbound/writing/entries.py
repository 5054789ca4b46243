"""Letters about a season that has not begun: its announcement, entries, the ready check, and that it does not take place."""

from fractions import Fraction

from turnserver.league import events as e
from turnserver.league.byes import byes_of
from turnserver.league.entering import admitted
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.mail.outbound.game_words import WrittenLetter
from turnserver.mail.outbound.kinds import MailKind, tells_too
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import LineToWrite
from turnserver.mail.outbound.notices.league import Step, asker
from turnserver.mail.outbound.telling.events import because, paragraph
from turnserver.mail.outbound.telling.leagues import (
    games_if_you_leave,
    games_of_yours,
)
from turnserver.mail.outbound.writing.directing import directed
from turnserver.mail.outbound.writing.leagues import (
    answers_to_bye,
    before_start,
    bye_told,
    byes_asked,
    challenge_mail,
    mail_for,
    start_told,
)
from turnserver.text import joined, say


def season_announced(desk: LeagueDesk) -> WrittenLetter:
    """Tell the reader that they are in a season without having done anything. Raise ValueError if no season is announced."""
    season = desk.season
    headline = say("{league}: season {n} is announced. You are in, because you played the last one.", league=desk.name, n=season.number)
    leave = desk.to_leave(say("not to play this time:"))
    return desk.written(
        headline,
        say("season {n}: entries", n=season.number),
        # a ready check asks them later
        meaning=("" if desk.state.settings.ready_hours else say("Nothing for you to do."), *before_start(desk, season)),
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
            return entered(desk, say("The organisers entered you for {season}.", season=desk.where(desk.season, None)))
        if isinstance(step.event, e.PlayerJoined) and step.event.player == desk.reader:
            return _joined(desk, say("The organisers entered you for {season}.", season=desk.where(desk.season, None)))
        if isinstance(step.event, e.PlayerAdmitted) and step.event.player == desk.reader:
            return _admitted(desk, step.event)
        if isinstance(step.event, e.EntryWithdrawn) and step.event.player == desk.reader:
            told = say("The organisers took back your entry for {season}.", season=desk.where(desk.season, None))
            return desk.written(told, say("your entry"), meaning=(say("Nothing for you to do."),))
    season = desk.season
    told = say("You are in {season}: somebody left, and you got their place.", season=desk.where(season, None))
    return desk.written(
        told,
        say("your entry"),
        meaning=tuple(before_start(desk, season)),
        facts=desk.facts(),
        also=(desk.to_leave(say("to leave before the start:")),),
    )


def _admitted(desk: LeagueDesk, event: e.PlayerAdmitted) -> WrittenLetter:
    """Tell the reader that they are in a season that has begun, what earlier rounds are to them, and when they play."""
    season = desk.season
    own = [one for one in season.fixtures if event.player in one.players and not one.void]
    to_play = [desk.pair(season, one) for one in own if not one.marks]
    if to_play:
        then = paragraph(say("You play {pairs}.", pairs=joined(", ", to_play)), mail_for(len(to_play)))
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
        return entered(desk, say("You entered {season}.", season=desk.where(season, None)))
    if isinstance(event, e.PlayerJoined):
        return _joined(desk, say("You entered {season}.", season=desk.where(season, None)))
    if isinstance(event, e.PlayerReady):
        return _ready(desk, season)
    if isinstance(event, e.ChallengeMade) and (challenge := challenge_mail(desk, say("your challenge"))):
        return challenge
    if isinstance(event, e.ByeAsked | e.ByeDropped):
        headline, *meaning = bye_told(desk, season, event, by_admin=False)
        if isinstance(event, e.ByeAsked) and not Fraction(event.worth) and event.round == byes_of(done.after, desk.reader).last:
            meaning.append(say("In the last round, a bye counts no points."))
        return desk.written(headline, say("your bye"), meaning=tuple(meaning), also=answers_to_bye(desk, event))
    told = say("You left {season}.", season=desk.where(season, desk.division(season)))
    if isinstance(event, e.PlayerWithdrawn):
        return desk.written(told, say("you have left"), meaning=(games_of_yours(desk.state.settings.format, struck=event.struck),))
    back = LineToWrite(say("to enter again:"), say("join {league}", league=desk.key))
    is_open = season.phase is Phase.ENTRIES
    return desk.written(told, say("you have left"), meaning=(say("Nothing else for you to do."),), also=(back,) if is_open else ())


def _joined(desk: LeagueDesk, headline: str) -> WrittenLetter:
    return desk.written(
        headline,
        say("your entry"),
        meaning=(say("You start at the bottom of the ladder and can challenge others right away."),),
        facts=desk.facts(),
        also=(desk.to_challenge(), desk.to_leave(say("to leave the season:"))),
    )


def entered(desk: LeagueDesk, headline: str) -> WrittenLetter:
    """Tell the reader that they have entered, or that they wait for a place."""
    season = desk.season
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
        headline,
        say("your entry"),
        meaning=meaning,
        facts=desk.facts(),
        also=(desk.to_leave(say("to leave before the start:")),),
    )


def entered_by_admin(desk: LeagueDesk) -> str:
    """Return the news of the reader's entry, if the mail tells it along with its own; else an empty text."""
    if tells_too(desk.context.detail, MailKind.LEAGUE_ENTRY):
        return say("The organisers entered you for {season}.", season=desk.where(desk.season, None))
    if tells_too(desk.context.detail, MailKind.LEAGUE_SEASON):
        return say("You are in, because you played the last season.")
    return ""


def ready_check(desk: LeagueDesk) -> WrittenLetter:
    """Ask the reader whether they will play. Raise ValueError if no ready check has begun."""
    season = desk.season
    begun = next((step.event for step in desk.steps if isinstance(step.event, e.ReadyCheckBegun)), None)
    if begun is None:
        raise ValueError(f"nobody asks who is there in {desk.name}")
    waits, new = desk.waits(season), bool(entered_by_admin(desk))
    headline, told, ready, leave = _will_you_play(desk, season)
    queue = say(
        "You are number {place} on the waiting list. Please answer all the same: without an answer you cannot move up.", place=waits
    )
    return desk.written(
        headline,
        say("season {n}: will you play?", n=season.number),
        todo=(ready,),
        meaning=(
            entered_by_admin(desk),
            told,
            queue if waits else "",
            byes_asked(desk, season),
            *(start_told(desk, season) if new else ()),
        ),
        facts=desk.facts() if new else (),
        also=(leave,),
    )


def _will_you_play(desk: LeagueDesk, season: Season) -> tuple[str, str, LineToWrite, LineToWrite]:
    """Return the question of a ready check, until when it is open, and the lines that answer yes and no."""
    until = desk.long_time(season.ready_until) if season.ready_until else ""
    return (
        say("{league}: season {n} is about to start. Will you play?", league=desk.name, n=season.number),
        say("Answer before {deadline}. If you do not answer, you are not in this season.", deadline=until),
        LineToWrite(say("if you will play:"), say("ready {league}", league=desk.key), say("I will play")),
        desk.to_leave(say("not to play this time:")),
    )


def question(desk: LeagueDesk) -> tuple[str, tuple[LineToWrite, ...]]:
    """Return the question that a refusal asks once more, in sentences, and the lines that answer it."""
    if desk.context.detail["asked"] == MailKind.LEAGUE_READY:
        headline, told, *lines = _will_you_play(desk, desk.season)
        return paragraph(headline, told), tuple(lines)
    headline, meaning, leave = _do_you_leave(desk, desk.season)
    return paragraph(headline, *meaning), (leave,)


def leaving(desk: LeagueDesk) -> WrittenLetter:
    """Ask the reader whether they really leave the season, with all that this would mean."""
    season = desk.season
    headline, meaning, leave = _do_you_leave(desk, season)
    return desk.written(
        headline,
        say("do you want to leave?"),
        todo=(leave,),
        meaning=meaning,
        own=desk.open_games(season),
        asked=True,
    )


def _do_you_leave(desk: LeagueDesk, season: Season) -> tuple[str, tuple[str, str], LineToWrite]:
    return (
        say("Do you want to leave {season}?", season=desk.where(season, desk.division(season))),
        (games_if_you_leave(desk.state.settings.format, struck=desk.context.detail["struck"]), say("To play on, do nothing.")),
        LineToWrite(say("to leave:"), say("confirm leave {league}", league=desk.key), say("Yes, leave")),
    )


def _ready(desk: LeagueDesk, season: Season) -> WrittenLetter:
    until = season.ready_until
    headline = say("Thank you. We noted that you want to play in {season}.", season=desk.where(season, None))
    when = say("The season starts after {deadline}. A mail then tells you whom you meet.", deadline=desk.long_time(until)) if until else ""
    waits = desk.reader not in [one.player for one in admitted(desk.state, season)]
    queue = say("You are still on the waiting list: you are in if somebody before you does not answer.") if waits else ""
    return desk.written(headline, say("you will play"), meaning=(paragraph(queue, when),))


def _without(desk: LeagueDesk, step: Step) -> WrittenLetter:
    """Tell the reader that the season begins without them."""
    season = step.after.season
    assert step.was is not None and season is not None  # noqa: PT018, S101  # it begins
    own = next(one for one in step.was.entries if one.player == desk.reader)
    headline = say("{league}: season {n} has started without you.", league=desk.name, n=season.number)
    if step.was.phase is Phase.READY_CHECK and not own.ready:
        why = say("You were asked whether you would play, and no answer came in time.")
    else:
        why = say("You were on the waiting list, and no place became free for you.")
    return desk.written(headline, say("season {n}", n=season.number), meaning=(paragraph(why, next_time(desk.state)),))


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
    season = step.was if step is not None else None
    if step is None or season is None or not isinstance(step.event, e.SeasonDropped):
        raise ValueError(f"no season of {desk.name} was dropped")
    headline = say("{league}: season {n} is cancelled.", league=desk.name, n=season.number)
    # Counted before the decision, which has taken the season away.
    least, there = desk.state.settings.least, len(admitted(step.before or desk.state, season))
    why: str
    if there < least:
        why = say("It needs {least} players, and there was {n}.", "It needs {least} players, and there were {n}.", least=least, n=there)
    else:
        why = paragraph(say("The organisers called it off."), because(step.event.reason))
    return desk.written(headline, say("season {n}", n=season.number), meaning=(why, say("Nothing for you to do.")))


def _cancelled(desk: LeagueDesk, event: e.SeasonCancelled) -> WrittenLetter:
    season = desk.season
    headline = say("{league}: season {n} is cancelled.", league=desk.name, n=season.number)
    why = paragraph(say("The organisers called it off."), because(event.reason))
    games = say("There is no table and no winner. Unfinished games end without a result; the others count for ratings.")
    meaning = (why, games, say("Nothing for you to do."))
    return desk.written(headline, say("season {n}", n=season.number), meaning=meaning)
