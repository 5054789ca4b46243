"""Letters about vacations: to the player on vacation, and to players who share several games with them."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.game_words import WrittenLetter, common, site_subject
from turnserver.mail.outbound.kinds import Detail
from turnserver.mail.outbound.language import beginning, deadline_time, ending, one_line, short_time
from turnserver.mail.outbound.letters import Away, VacationLetter
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.text import say


def vacation(context: MailContext) -> WrittenLetter:
    """Write the player's list of vacations, with the effect of a change on their games, and the number of days that are left."""
    detail, zone = context.detail, context.person.zone
    change, (ahead, years) = detail["change"], vacation_lines(detail, zone)
    letter = VacationLetter(
        **common(context, _headline(change, context) if change else say("Your vacations, and the days that you have left.")),
        games=tuple(_own(game, change, context) for game in change["games"]) if change else (),
        ahead=ahead,
        years=years,
    )
    return WrittenLetter(letter, site_subject(context, say("Your vacation")))


def vacation_lines(detail: Detail, zone: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the vacations of a player that are not over, with their numbers, and the days that are left, from the detail of a mail."""
    ahead = (
        say("{number}: from {begins} to {ends}", number=one["number"], begins=_begins(one, zone), ends=_ends(one, zone))
        for one in detail["ahead"]
    )
    years = (
        say(
            "In {year}, you have {n} day of {all} left.",
            "In {year}, you have {n} days of {all} left.",
            year=str(one["year"]),
            n=one["left"],
            all=one["days"],
        )
        for one in detail["years"]
    )
    return tuple(ahead), tuple(years)


def away(context: MailContext) -> WrittenLetter:
    """Tell the reader that another player is away or back, and the effect on each game."""
    detail, zone = context.detail, context.person.zone
    who, over = one_line(detail["name"]), detail["over"]
    if over:
        headline = _ended(detail["vacation"], who)
    else:
        begins, ends = _begins(detail["vacation"], zone), _ends(detail["vacation"], zone)
        if _ahead(detail["vacation"], context):
            headline = say("{player} will be on vacation from {begins} to {ends}.", player=who, begins=begins, ends=ends)
        else:
            headline = say("{player} is on vacation from {begins} to {ends}.", player=who, begins=begins, ends=ends)
    games = tuple(_others(game, detail, who, context) for game in detail["games"])
    return WrittenLetter(Away(**common(context, headline), games=games), site_subject(context, say("Vacation of {player}", player=who)))


def _headline(change: Mapping[str, Any], context: MailContext) -> str:
    one, zone = change["vacation"], context.person.zone
    if not change["over"] and _ahead(one, context):
        return say("You will be on vacation from {begins} to {ends}.", begins=_begins(one, zone), ends=_ends(one, zone))
    if not change["over"]:
        return say("You are on vacation from {begins} to {ends}.", begins=_begins(one, zone), ends=_ends(one, zone))
    if one["begins"] == one["ends"]:
        return say("The vacation that you had declared is off.")
    return say("Your vacation is over.")


def _ended(vacation: Mapping[str, Any], who: str) -> str:
    if vacation["begins"] == vacation["ends"]:
        return say("{player} has called off a vacation.", player=who)
    return say("The vacation of {player} is over.", player=who)


def _own(game: Mapping[str, Any], change: Mapping[str, Any], context: MailContext) -> str:
    name, zone, ahead = game["name"], context.person.zone, _ahead(change["vacation"], context)
    others = [
        say("{game}: your clock stands still from {begins} to {ends}, for another vacation.", game=name, begins=begins, ends=ends)
        for begins, ends in _other_stops(game, zone)
    ]
    if change["over"]:
        said = "" if _stopped(game, context) else say("{game}: your clock runs.", game=name)
    elif game["until"] is None:
        said = say("{game}: no more vacation is allowed in this game, and your clock runs on.", game=name)
    elif late := _late(game, zone):
        up = say("{game}: your time for this move was up before, so play by {late}.", game=name, late=late)
        said = paragraph(up, _from_then(game, change, zone))
    elif game["until"] == change["vacation"]["ends"]:
        said = say("{game}: your clock will stand still.", game=name) if ahead else say("{game}: your clock stands still.", game=name)
    elif ahead:
        until = ending(_at(game["until"]), zone)
        said = say(
            "{game}: your clock will stand still until {until} only; no more vacation is allowed in this game.", game=name, until=until
        )
    else:
        until = ending(_at(game["until"]), zone)
        said = say("{game}: your clock stands still until {until} only; no more vacation is allowed in this game.", game=name, until=until)
    return paragraph(said, *others, _deadline(game, zone))


def _others(game: Mapping[str, Any], change: Mapping[str, Any], who: str, context: MailContext) -> str:
    name, zone, ahead = game["name"], context.person.zone, _ahead(change["vacation"], context)
    others = [
        say(
            "{game}: the clock of {player} stands still from {begins} to {ends}, for another vacation.",
            game=name,
            player=who,
            begins=begins,
            ends=ends,
        )
        for begins, ends in _other_stops(game, zone)
    ]
    # A declared vacation of which they hear without a stop of its own has brought about one for another.
    if change["over"] or game["until"] is None:
        said = "" if _stopped(game, context) else say("{game}: the clock of {player} runs.", game=name, player=who)
    elif late := _late(game, zone):
        up = say("{game}: the time of {player} was up before, so their clock runs until {late}.", game=name, player=who, late=late)
        said = paragraph(up, _from_then(game, change, zone))
    elif game["until"] == change["vacation"]["ends"] and ahead:
        said = say("{game}: the clock of {player} will stand still.", game=name, player=who)
    elif game["until"] == change["vacation"]["ends"]:
        said = say("{game}: the clock of {player} stands still.", game=name, player=who)
    elif ahead:
        until = ending(_at(game["until"]), zone)
        said = say("{game}: the clock of {player} will stand still until {until} only.", game=name, player=who, until=until)
    else:
        until = ending(_at(game["until"]), zone)
        said = say("{game}: the clock of {player} stands still until {until} only.", game=name, player=who, until=until)
    return paragraph(said, *others, _deadline(game, zone))


def _late(game: Mapping[str, Any], zone: str) -> str:
    """Return the end of a turn whose time was up when the vacation was declared, until when the clock runs. Empty for others."""
    # a mail that has waited in the queue since before it was told says nothing of it
    late = game.get("late")
    return deadline_time(_at(late), zone) if late else ""


def _from_then(game: Mapping[str, Any], change: Mapping[str, Any], zone: str) -> str:
    if game["until"] == change["vacation"]["ends"]:
        return say("The clock stands still from then on.")
    return say("The clock stands still from then until {until} only.", until=ending(_at(game["until"]), zone))


def _other_stops(game: Mapping[str, Any], zone: str) -> Iterator[tuple[str, str]]:
    # a mail that has waited in the queue since before days could come back has no such list
    for span in game.get("others", ()):
        yield _begins(span, zone), _ends(span, zone)


def _stopped(game: Mapping[str, Any], context: MailContext) -> bool:
    """Return whether another vacation stops the clock at the moment of the mail."""
    return any(_at(span["begins"]) <= context.now < _at(span["ends"]) for span in game.get("others", ()))


def _ahead(vacation: Mapping[str, Any], context: MailContext) -> bool:
    """Return whether a vacation begins after the moment of the mail, until when the clocks run."""
    return context.now < _at(vacation["begins"])


def _deadline(game: Mapping[str, Any], zone: str) -> str:
    # Only the clock of the player on vacation has stopped, so no other turn has a new deadline.
    before, after = game["before"], game["after"]
    if not game["mine"] or before is None or after is None or before == after:
        return ""
    return deadline_moved(_at(before), _at(after), zone)


def deadline_moved(before: datetime, after: datetime, zone: str) -> str:
    """Return the old and the new deadline, in a sentence."""
    return say("The deadline was {before}; it is {after} now.", before=short_time(before, zone), after=deadline_time(after, zone))


def _begins(vacation: Mapping[str, Any], zone: str) -> str:
    return beginning(_at(vacation["begins"]), zone)


def _ends(vacation: Mapping[str, Any], zone: str) -> str:
    return ending(_at(vacation["ends"]), zone)


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)
