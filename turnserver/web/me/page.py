"""The player's own page: everything that its template shows, in the language of the player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from turnserver import games
from turnserver.config import Site
from turnserver.ids import PlayerId
from turnserver.mail.outbound.context import MailContext, OwnGame, unsent
from turnserver.mail.outbound.game_words import own_row, urgency
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.language import by_clock, day, language, one_line
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import GameRow
from turnserver.mail.outbound.telling.events import everybody, name_of
from turnserver.mail.outbound.writing.accounts import count_games
from turnserver.mail.outbound.writing.leagues import situation
from turnserver.mail.outbound.writing.vacations import vacation_lines
from turnserver.play.events import Outcome
from turnserver.service.pages.own import Own
from turnserver.service.pages.sessions import OpenSession
from turnserver.service.people import preferences
from turnserver.store.games.views import GameSummary
from turnserver.text import say
from turnserver.web.turn.board import mark_of

Control: TypeAlias = Literal["choice", "text", "time", "times"]

CONTROLS: Final[Mapping[str, Control]] = MappingProxyType({"zone": "text", "digest": "time", "quiet": "times", "public": "text"})
"""The kinds of fields for settings that have more than a few values. Those without a time are off."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of the player."""

    name: Annotated[str, "title and number"]
    address: Annotated[str, "the address of its page"]
    opponents: Annotated[str, "the others at the table"]
    situation: Annotated[str, "what it waits for and until when, or how it ended, as a phrase"]
    yours: Annotated[bool, "whether it waits for the player"] = False
    picture: Annotated[str, "the address of its newest board; empty for a game that is over"] = ""


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A league that the player is in."""

    name: Annotated[str, "its name"]
    address: Annotated[str, "the address of its page"]
    situation: Annotated[str, "what it waits for, and the player's part in it"]


@dataclass(frozen=True, slots=True)
class Option:
    """A value of a setting."""

    value: Annotated[str, "what the form says"]
    label: Annotated[str, "what it is called"]
    chosen: Annotated[bool, "whether it holds"]


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A setting of the player."""

    name: Annotated[str, "its name in forms"]
    label: Annotated[str, "what it is called"]
    about: Annotated[str, "what it does, in sentences"]
    control: Annotated[Control, "`choice` of its options, a `text`, a `time` that may be empty, or two `times`"]
    options: Annotated[tuple[Option, ...], "its values, if they are few"] = ()
    value: Annotated[str, "what holds; the first of two times"] = ""
    until: Annotated[str, "the second of two times"] = ""


@dataclass(frozen=True, slots=True)
class VacationLine:
    """A vacation that is not over."""

    number: Annotated[int, "its number"]
    text: Annotated[str, "from when to when"]


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A browser in which the player is signed in."""

    token: Annotated[str, "what names it in forms"]
    browser: Annotated[str, "what it is, in a few words"]
    since: Annotated[str, "the day of signing in"]
    seen: Annotated[str, "the day on which it was last used"]
    is_this: Annotated[bool, "whether it is the one that asks"]


@dataclass(frozen=True, slots=True)
class MePage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    player: Annotated[str, "the player"]
    headline: Annotated[str, "how many games there are, and how many wait for the player"]
    done: Annotated[str, "what a form has done; empty if none was sent just now"]
    refusal: Annotated[str, "why something that was asked for cannot be done; empty if it can"]
    section: Annotated[str, "the part of the page that the form was in, which is open"]
    typed: Annotated[Mapping[str, str], "what was typed into a form that was refused"]
    waiting: Annotated[tuple[GameLine, ...], "the games that wait for the player, the most urgent first"]
    others: Annotated[tuple[GameLine, ...], "the other games that are not over"]
    ended: Annotated[tuple[GameLine, ...], "the games that are over, the newest first"]
    leagues: Annotated[tuple[LeagueLine, ...], "the leagues that the player is in"]
    vacations: Annotated[tuple[VacationLine, ...], "the vacations that are declared and not over"]
    years: Annotated[tuple[str, ...], "how many days of vacation are left, as sentences"]
    catalogue: Annotated[tuple[Option, ...], "the games that can be played"]
    settings: Annotated[tuple[SettingLine, ...], "all settings"]
    profile: Annotated[str, "the address of the page that others see of the player"]
    calendar: Annotated[str, "the secret address of the player's calendar"]
    webcal: Annotated[str, "the same for a calendar program"]
    sessions: Annotated[tuple[SessionLine, ...], "where the player is signed in"]
    nonce: Annotated[str, "what every form of the page carries, so that one that is sent again with the same fields is carried out once"]


class Asked(NamedTuple):
    """A request for the page: the form that was sent, and what came of it."""

    section: str = ""
    done: str = ""
    refusal: str = ""
    typed: Mapping[str, str] = MappingProxyType({})


def me_page(
    own: Own, sessions: Sequence[OpenSession], site: Site, asked: Asked, *, root: str, calendar: str, nonce: str
) -> tuple[MePage, str]:
    """Return the page of a player and the key of its language. Games are at `root`, the calendar at an address with a scheme."""
    person, spoken, context = own.person, language(own.person.preferences.language), _context(own, site)
    rows = [(one, own_row(context, one)) for one in own.games]
    rows.sort(key=lambda one: urgency(one[0].state, yours=one[1].yours))
    lines = [_line(one, row, person.id, root) for one, row in rows]
    declared, years = vacation_lines(own.vacation, person.zone)
    page = MePage(
        site=site.name,
        player=person.name,
        headline=count_games([row for _, row in rows]),
        done=asked.done,
        refusal=by_clock(asked.refusal, person.zone),
        section=asked.section,
        typed=asked.typed,
        waiting=tuple(line for line in lines if line.yours),
        others=tuple(line for line in lines if not line.yours),
        ended=tuple(_ended(own, one, root) for one in own.ended),
        leagues=tuple(
            LeagueLine(one_line(one.state.name), f"{root}/leagues/{one.league}", situation(LeagueDesk(context, one), one))
            for one in own.leagues
        ),
        profile=f"{root}/players/{person.id}",
        vacations=tuple(VacationLine(one["number"], text) for one, text in zip(own.vacation["ahead"], declared, strict=True)),
        years=years,
        catalogue=tuple(Option(entry.key, entry.title, asked.typed.get("game") == entry.key) for entry in games.CATALOGUE.values()),
        calendar=calendar,
        # Calendar programs subscribe to this scheme; a browser would only save the file behind https.
        webcal=f"webcal:{calendar.partition(':')[2]}",
        settings=tuple(_setting(one, asked.typed) for one in preferences.fields(person)),
        sessions=tuple(
            SessionLine(
                one.token,
                one.browser or say("a browser"),
                day(one.made_at, person.zone),
                day(one.seen_at, person.zone),
                one.is_this,
            )
            for one in sorted(sessions, key=lambda one: not one.is_this)
        ),
        nonce=nonce,
    )
    return spoken.told(page), spoken.key


def _context(own: Own, site: Site) -> MailContext:
    """Return what a mail with the player's games would be written from, were it written now."""
    about = unsent(MailKind.GAMES, own.person, site, own.now, own.person.preferences.language)
    return replace(about, games=own.games, people=own.names)


def _line(game: OwnGame, row: GameRow, reader: PlayerId, root: str) -> GameLine:
    picture = f"{root}/games/{game.game_id}/board.svg?v={mark_of(game.state.line)}&part=board"
    return GameLine(row.name, f"{root}/play/{game.game_id}-{reader}", row.opponents, row.situation, row.yours, picture)


def _ended(own: Own, game: GameSummary, root: str) -> GameLine:
    reader = own.person.id
    others = everybody([name_of(player, own.names) for player in game.players if player != reader])
    won = any(game.players[seat - 1] == reader for seat in game.winners)
    match game.outcome:
        case Outcome.WON:
            result = say("you won") if won else say("you lost")
        case Outcome.DRAWN:
            result = say("a draw")
        case _:
            result = say("no result")
    told = say("{result}, {day}", result=result, day=day(game.ended_at, own.person.zone)) if game.ended_at else result
    title = games.entry(game.game).title
    return GameLine(f"{title} {game.id}", f"{root}/play/{game.id}-{reader}", others, told)


def _setting(one: preferences.Field, typed: Mapping[str, str]) -> SettingLine:
    control = CONTROLS.get(one.name, "choice")
    value = "" if one.value == preferences.OFF and control in {"time", "times"} else one.value
    first, _, second = value.partition("-") if control == "times" else (value, "", "")
    chosen = typed.get(one.name, str(one.value))
    options = tuple(Option(str(few), few, str(few) == chosen) for few in one.few)
    return SettingLine(one.name, one.label, one.about, control, options, typed.get(one.name, first), typed.get(f"{one.name}-until", second))
