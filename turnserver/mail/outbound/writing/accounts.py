"""Letters that are about no game, or about several."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final

from turnserver import games
from turnserver.mail.inbound.commands import COMMANDS
from turnserver.mail.inbound.synonyms import synonyms
from turnserver.mail.outbound.context import Occasion, OwnGame
from turnserver.mail.outbound.game_words import (
    GameDesk,
    Picture,
    Written,
    common,
    own_row,
    pending,
    picture_id,
    site_subject,
    speeches,
    urgency,
)
from turnserver.mail.outbound.language import date_and_time, language, one_line
from turnserver.mail.outbound.letters import (
    AddressChanges,
    Board,
    CatalogueRow,
    CommandRow,
    Confirm,
    Digest,
    DigestEntry,
    GameRow,
    Help,
    NewAddress,
    OwnGames,
    ProblemLine,
    Refused,
    Restored,
    RulesSheet,
    SettingRow,
    Settings,
    Subscription,
    Unknown,
    Welcome,
)
from turnserver.mail.outbound.notices.game import RESTS, Kind
from turnserver.mail.outbound.picture import blocks
from turnserver.mail.outbound.telling.clock_rules import COMMANDS as OF_LEAGUES
from turnserver.mail.outbound.telling.clock_rules import clock_rules, league_rules, plan_rules
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.mail.outbound.telling.league_report import report_title, write_league_report
from turnserver.mail.outbound.writing.admin import (
    CLOCK_HEADLINE,
    clock_report,
    given_up_headline,
    given_up_report,
    loss_report,
    outage_report,
    rest_headline,
    rest_report,
)
from turnserver.mail.outbound.writing.deliverability import admin_report, provider_headline, provider_report, report_headline
from turnserver.mail.outbound.writing.leagues import all_leagues
from turnserver.mail.outbound.writing.vacations import away, vacation
from turnserver.play.state import Status
from turnserver.rules import Entry
from turnserver.text import say, unpack


def digest(occasion: Occasion) -> Written:
    """Write the digest: each game once, first those that wait for the reader, with the most urgent one at the top."""
    desks = [GameDesk.of(part) for part in occasion.parts]
    games = sorted(((desk, _entry(desk)) for desk in desks), key=lambda one: urgency(one[0].state, yours=one[1].yours))
    entries = tuple(entry for _, entry in games)
    letter = Digest(**common(occasion, _headline(entries)), entries=entries)
    pictures = tuple(picture for desk, _ in games for picture in desk.pictures)
    return Written(letter, site_subject(occasion, say("Your games today")), pictures)


def _headline(entries: Sequence[DigestEntry]) -> str:
    waiting = sum(entry.yours for entry in entries)
    if waiting == len(entries):
        return say("{n} game waits for you.", "{n} games wait for you.", n=waiting)
    if not waiting:
        return say(
            "There is news of {n} game. It does not wait for you.",
            "There is news of {n} games. None of them waits for you.",
            n=len(entries),
        )
    news = say("{n} game", "{n} games", n=len(entries))
    return say(
        "There is news of {games}, and {n} of them waits for you.",
        "There is news of {games}, and {n} of them wait for you.",
        games=news,
        n=waiting,
    )


def _entry(desk: GameDesk) -> DigestEntry:
    part, ended = desk.occasion, desk.state.status is Status.ENDED
    view = desk.view
    waits = None if ended else pending(part, OwnGame(desk.game_id, desk.state, part.reply_to))
    outside = waits is not None and bool(waits.seat)
    invited = outside or (waits is not None and waits.yours and desk.state.status is Status.INVITING)
    options = say("Options: {options}.", options=view.options) if view.options else ""
    return DigestEntry(
        title=say("{game} against {players}", game=desk.name, players=desk.opponents),
        situation=waits.sentence if waits else desk.ending(),
        yours=waits is not None and (waits.yours or bool(view.proposal)),
        invited=invited,
        terms=paragraph(desk.time, options) if invited else "",
        said=speeches(part),
        happenings=() if outside or desk.state.status is Status.INVITING else desk.news(with_own_turn=ended),
        game=view,
        answer_to=part.reply_to,
    )


_LONGEST_REASON: Final = 500
_RULES: Final = {"clock": clock_rules, "if": plan_rules, "plan": plan_rules, "forget": plan_rules, "leagues": league_rules}
"""The rules that belong to a command."""


def _refusal(occasion: Occasion) -> Written:
    # A refusal is about a game or about none.
    detail = occasion.detail
    if detail["done"]:
        headline = say("Something about your mail needs your attention.")
    elif all(one["code"] == RESTS for one in detail["problems"]):
        headline = say("Your mail is kept until the game can go on.")
    else:
        headline = say("Your mail could not be carried out, and nothing has changed. This is why:")
    problems = tuple(
        ProblemLine(one_line(one["quoted"], _LONGEST_REASON), one_line(unpack(one["message"]), 4 * _LONGEST_REASON))
        for one in detail["problems"]
    )
    done = tuple(one_line(unpack(line), _LONGEST_REASON) for line in detail["done"])
    desk = GameDesk.of(occasion) if occasion.state is not None else None
    letter = Refused(**common(occasion, headline), problems=problems, done=done, game=desk.view if desk else None)
    return Written(letter, desk.subject if desk else site_subject(occasion, say("Your mail")), desk.pictures if desk else ())


def _welcome(occasion: Occasion) -> Written:
    name, site = one_line(occasion.person.name), one_line(occasion.site.name)
    letter = Welcome(
        **common(occasion, say("Welcome to {site}, {player}.", site=site, player=name)), reply_to=occasion.reply_to, catalogue=_catalogue()
    )
    return Written(letter, site_subject(occasion, say("Welcome")))


def _rows(occasion: Occasion) -> tuple[GameRow, ...]:
    """Return the reader's games, first those that wait for the reader, with the most urgent one at the top."""
    rows = [(own, own_row(occasion, own)) for own in occasion.games]
    rows.sort(key=lambda one: urgency(one[0].state, yours=one[1].yours))
    return tuple(row for _, row in rows)


def _games(occasion: Occasion) -> Written:
    rows = _rows(occasion)
    return Written(OwnGames(**common(occasion, _count(rows)), rows=rows), site_subject(occasion, say("Your games")))


def _restored(occasion: Occasion) -> Written:
    when = date_and_time(datetime.fromisoformat(occasion.detail["when"]), occasion.person.zone)
    headline = say("Our service had to be put back to how it was on {when}. What happened after that is lost, and we are sorry.", when=when)
    return Written(Restored(**common(occasion, headline), rows=_rows(occasion)), site_subject(occasion, say("Your games are put back")))


def _count(rows: Sequence[GameRow]) -> str:
    """Return the number of games, and of those that wait for the reader, in a sentence."""
    if not rows:
        return say("You play in no game at present.")
    all_of_them, waiting = say("{n} game", "{n} games", n=len(rows)), sum(row.yours for row in rows)
    if not waiting:
        return say("You play in {games}, and none of them waits for you.", games=all_of_them)
    return say(
        "You play in {games}, and {n} of them waits for you.",
        "You play in {games}, and {n} of them wait for you.",
        games=all_of_them,
        n=waiting,
    )


def _settings(occasion: Occasion) -> Written:
    rows = tuple(SettingRow(one.name, one.value, one.about, one.lines) for one in occasion.settings)
    headline = say("What you have set here, and how to change it.")
    letter = Settings(**common(occasion, headline), settings=rows, subscribed=occasion.subscribed)
    return Written(letter, site_subject(occasion, say("Your settings")))


def _subscription(occasion: Occasion) -> Written:
    site = one_line(occasion.site.name)
    if occasion.subscribed:
        headline = say("You get mail from {site} again.", site=site)
    else:
        headline = say("You have unsubscribed. {site} sends you nothing any more, except answers to your own mails.", site=site)
    letter = Subscription(**common(occasion, headline), subscribed=occasion.subscribed, rows=_rows(occasion))
    return Written(letter, site_subject(occasion, say("Your mail from us")))


def _help(occasion: Occasion) -> Written:
    topic = one_line(str(occasion.detail.get("topic", ""))).lower()
    wanted = OF_LEAGUES if topic == "leagues" else (topic,)
    commands = [CommandRow(one.usage, one.meaning, one.example) for word in wanted for one in COMMANDS if word in ("", one.word)]
    if topic and commands:
        headline = say('About the command "{command}".', command=synonyms().in_words(occasion.form.language, topic))
    elif topic:
        headline = say('There is no command "{command}". These are the ones that there are.', command=topic)
    else:
        headline = say("Everything that you can write, each on a line of its own.")
    every = tuple(commands) or tuple(CommandRow(one.usage, one.meaning, one.example) for one in COMMANDS)
    about = _RULES[topic]() if topic in _RULES else ()
    letter = Help(**common(occasion, headline), commands=every, about=about, catalogue=_catalogue())
    return Written(letter, site_subject(occasion, say("Help")))


def _rules(occasion: Occasion) -> Written:
    """Write the rule sheet of a game, with the board of its default options."""
    game = games.find(occasion.detail["game"])
    start = game.rules.start()
    board = Board(
        game.view.text(start),
        picture_id(occasion),
        say("The board of {game} at the start.", game=game.entry.title),
        occasion.form.shown_width,
    )
    sheet = blocks(language(occasion.form.language).rules(game.entry.key) or games.rules_text(game.entry.key))
    letter = RulesSheet(
        **common(occasion, say("The rules of {game}, a game by {designer}.", game=game.entry.title, designer=game.entry.designer)),
        blocks=sheet[1:] if sheet and sheet[0].kind == "heading" else sheet,
        board=board,
        key=game.entry.key,
        reading=_reading(occasion, game.entry),
    )
    subject = site_subject(occasion, say("The rules of {game}", game=game.entry.title))
    return Written(letter, subject, (Picture(game.view.svg(start), board.cid),))


def _reading(occasion: Occasion, newest: Entry) -> str:
    """Return the difference between the sheet and the rules of a game that began under an earlier revision; else an empty text."""
    own = occasion.state.game.entry if occasion.state else newest
    if occasion.game_id is None or own.key != newest.key or not own.differs:
        return ""
    return say(
        "Your game {game} goes on by the rules as they were when it began, revision {revision}. {differs}",
        game=occasion.game_id,
        revision=own.revision,
        differs=own.differs,
    )


def _unknown_sender(occasion: Occasion) -> Written:
    headline = say("This address does not belong to any player here, so nothing was done with your mail.")
    letter = Unknown(**common(occasion, headline), open=occasion.site.registration == "open")
    return Written(letter, site_subject(occasion, say("Your mail")))


def _confirm(occasion: Occasion) -> Written:
    name, site = one_line(occasion.detail["name"]), one_line(occasion.site.name)
    headline = say("Somebody, probably you, asked for an account at {site}: as {player}, with this address.", site=site, player=name)
    return Written(Confirm(**common(occasion, headline), until=_until(occasion)), site_subject(occasion, say("Please confirm")))


def _new_address(occasion: Occasion) -> Written:
    name, site = one_line(occasion.detail["name"]), one_line(occasion.site.name)
    headline = say("This is to be the new address of {player} at {site}.", player=name, site=site)
    return Written(NewAddress(**common(occasion, headline), until=_until(occasion)), site_subject(occasion, say("Please confirm")))


def _address(occasion: Occasion) -> Written:
    new = one_line(occasion.detail["address"], _LONGEST_REASON)
    if occasion.detail["until"]:
        headline = say("Your mail from us is to go to another address: {address}.", address=new)
    else:
        headline = say("From now on, your mail from us comes to this address.")
    return Written(AddressChanges(**common(occasion, headline), until=_until(occasion)), site_subject(occasion, say("Your address")))


def _until(occasion: Occasion) -> str:
    until = occasion.detail["until"]
    return date_and_time(datetime.fromisoformat(until), occasion.person.zone) if until else ""


def _admin_report(occasion: Occasion) -> Written:
    if occasion.detail["about"] == "outage":
        return Written(outage_report(occasion), site_subject(occasion, "Outage"))
    if occasion.detail["about"] == "rest":
        return Written(rest_report(occasion), site_subject(occasion, rest_headline(occasion).rstrip(".")))
    if occasion.detail["about"] == "clock":
        return Written(clock_report(occasion), site_subject(occasion, CLOCK_HEADLINE.rstrip(".")))
    if occasion.detail["about"] == "given up":
        return Written(given_up_report(occasion), site_subject(occasion, given_up_headline(occasion).rstrip(".")))
    if occasion.detail["about"] == "league":
        return Written(write_league_report(occasion), site_subject(occasion, report_title(occasion).rstrip(".")))
    if occasion.detail["about"] == "loss":
        return Written(loss_report(occasion), site_subject(occasion, "Lost history"))
    if occasion.detail["about"] == "provider":
        return Written(provider_report(occasion), site_subject(occasion, provider_headline(occasion).rstrip(".")))
    headline = report_headline(occasion.detail)
    return Written(admin_report(occasion, headline), site_subject(occasion, headline.rstrip(".")))


def _catalogue() -> tuple[CatalogueRow, ...]:
    return tuple(CatalogueRow(entry.key, entry.title, entry.summary) for entry in games.CATALOGUE.values())


ABOUT_OTHER_THINGS: Final[Mapping[Kind, Callable[[Occasion], Written]]] = MappingProxyType(
    {
        Kind.WELCOME: _welcome,
        Kind.REFUSAL: _refusal,
        Kind.GAMES: _games,
        Kind.HELP: _help,
        Kind.RULES: _rules,
        Kind.SETTINGS: _settings,
        Kind.SUBSCRIPTION: _subscription,
        Kind.RESTORED: _restored,
        Kind.VACATION: vacation,
        Kind.AWAY: away,
        Kind.DIGEST: digest,
        Kind.LEAGUES: all_leagues,
        Kind.UNKNOWN_SENDER: _unknown_sender,
        Kind.ADMIN_REPORT: _admin_report,
        Kind.CONFIRM: _confirm,
        Kind.NEW_ADDRESS: _new_address,
        Kind.ADDRESS: _address,
    }
)
"""The writer of each kind of letter."""
