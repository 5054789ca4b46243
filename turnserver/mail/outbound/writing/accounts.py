"""Letters that are about no game, or about several."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from turnserver import games
from turnserver.mail.inbound.commands import COMMANDS
from turnserver.mail.inbound.synonyms import synonyms
from turnserver.mail.outbound.context import MailContext, OwnGame, Setting
from turnserver.mail.outbound.game_words import (
    GameDesk,
    Picture,
    WrittenLetter,
    common,
    mailto,
    own_row,
    own_title,
    pending,
    picture_id,
    site_subject,
    speeches,
    urgency,
)
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.language import by_clock, date_and_time, language, one_line
from turnserver.mail.outbound.league_words import LeagueDesk
from turnserver.mail.outbound.letters import (
    AddressChanges,
    BoardPicture,
    CatalogueRow,
    CommandRow,
    Confirm,
    Digest,
    DigestEntry,
    Fact,
    GameRow,
    Help,
    LineToWrite,
    NewAddress,
    OwnGames,
    ProblemLine,
    Refused,
    RulesSheet,
    SettingGroup,
    SettingRow,
    SettingsLetter,
    SignIn,
    Subscription,
    Unknown,
    Welcome,
)
from turnserver.mail.outbound.markdown import blocks
from turnserver.mail.outbound.notices.game import FOREIGN, RESTS
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.mail.outbound.telling.rules import COMMANDS as OF_LEAGUES
from turnserver.mail.outbound.telling.rules import clock_rules, league_rules, plan_rules
from turnserver.mail.outbound.writing import entries
from turnserver.mail.outbound.writing.admin import admin_report
from turnserver.mail.outbound.writing.leagues import all_leagues
from turnserver.mail.outbound.writing.timeouts import settled_by_a_move
from turnserver.mail.outbound.writing.vacations import away, vacation
from turnserver.play.state import Status
from turnserver.rules import Entry
from turnserver.text import joined, say, unpack


def digest(context: MailContext) -> WrittenLetter:
    """Write the digest: each game once, first those that wait for the reader, with the most urgent one at the top."""
    desks = [GameDesk.of(part) for part in context.parts]
    games = sorted(((desk, _entry(desk)) for desk in desks), key=lambda one: urgency(one[0].state, yours=one[1].yours))
    entries = tuple(entry for _, entry in games)
    letter = Digest(**common(context, _headline(entries)), entries=entries)
    pictures = tuple(picture for desk, _ in games for picture in desk.pictures)
    return WrittenLetter(letter, site_subject(context, say("Your games today")), pictures)


def _headline(entries: Sequence[DigestEntry]) -> str:
    # A digest has only games with news. Others may wait since an earlier mail, so no sentence here counts all that wait.
    waiting = sum(entry.yours for entry in entries)
    if waiting == len(entries):
        return say(
            "News of {n} game. It waits for you.",
            "News of {n} games. All of them wait for you.",
            n=waiting,
        )
    if not waiting:
        return say(
            "News of {n} game. It does not wait for you.",
            "News of {n} games. None waits for you.",
            n=len(entries),
        )
    news = say("{n} game", "{n} games", n=len(entries))
    return say(
        "News of {games}; {n} of them waits for you.",
        "News of {games}; {n} of them wait for you.",
        games=news,
        n=waiting,
    )


def _entry(desk: GameDesk) -> DigestEntry:
    part, ended = desk.context, desk.state.status is Status.ENDED
    view = desk.view
    waits = None if ended else pending(part, OwnGame(desk.game_id, desk.state, part.reply_to))
    outside = waits is not None and bool(waits.seat)
    invited = outside or (waits is not None and waits.yours and desk.state.status is Status.INVITING)
    options = say("Options: {options}.", options=view.options) if view.options else ""
    claimed = view.clock is not None and view.clock.yours and desk.state.open_claim is not None
    return DigestEntry(
        title=own_title(part, desk.game_id, desk.state),
        situation=paragraph(waits.sentence, settled_by_a_move() if claimed else "") if waits else desk.ending(),
        yours=waits is not None and (waits.yours or bool(view.proposal)),
        invited=invited,
        terms=paragraph(desk.seating(), desk.time, options) if invited else "",
        said=speeches(part),
        # There is nothing to tell of a game that has not begun, or in which the reader has no seat yet.
        happenings=()
        if outside or desk.state.status is Status.INVITING
        else desk.news(with_own_turn=ended or "played" in part.detail, since=part.detail.get("since"), in_full=True),
        game=view,
        answer_to=part.reply_to,
    )


_LONGEST_REASON: Final = 500
_RULES: Final = {"clock": clock_rules, "if": plan_rules, "plan": plan_rules, "forget": plan_rules, "leagues": league_rules}
"""The rules that belong to a command."""


def _refusal(context: MailContext) -> WrittenLetter:
    # A refusal is about a game or about none.
    detail, zone = context.detail, context.person.zone
    done = tuple(one_line(by_clock(unpack(line), zone), _LONGEST_REASON) for line in detail["done"])
    foreign = bool(done) and all(one["code"] == FOREIGN for one in detail["problems"])
    if foreign:
        # the first sentence says that it was done, and in whose name
        headline, *rest = done
        done = tuple(rest)
    elif done:
        headline = say("Some of your mail did not work.")
    elif all(one["code"] == RESTS for one in detail["problems"]):
        headline = say("We keep your mail until the game can go on.")
    else:
        headline = say("That didn't work; nothing has changed.")
    problems = tuple(
        ProblemLine(one_line(one["quoted"], _LONGEST_REASON), one_line(by_clock(unpack(one["message"]), zone), 4 * _LONGEST_REASON))
        for one in detail["problems"]
    )
    desk = GameDesk.of(context) if context.state is not None else None
    subject = desk.subject if desk else site_subject(context, say("Your mail"))
    question, todo = entries.question(LeagueDesk.of(context)) if "asked" in detail else ("", ())
    letter = Refused(
        **common(context, headline),
        problems=problems,
        foreign=foreign,
        done=done,
        suggestion=synonyms().in_words(context.form.language, detail.get("suggestion", "")),
        question=question,
        todo=todo,
        game=desk.view if desk else None,
        mailto=mailto(context.reply_to, subject),
    )
    return WrittenLetter(letter, subject, desk.pictures if desk else ())


def _welcome(context: MailContext) -> WrittenLetter:
    name, site = one_line(context.person.name), one_line(context.site.name)
    letter = Welcome(
        **common(context, say("Welcome to {site}, {player}.", site=site, player=name)), reply_to=context.reply_to, catalogue=_catalogue()
    )
    return WrittenLetter(letter, site_subject(context, say("Welcome")))


def _rows(context: MailContext) -> tuple[GameRow, ...]:
    rows = [(own, own_row(context, own)) for own in context.games]
    rows.sort(key=lambda one: urgency(one[0].state, yours=one[1].yours))
    return tuple(row for _, row in rows)


def _games(context: MailContext) -> WrittenLetter:
    rows = _rows(context)
    return WrittenLetter(OwnGames(**common(context, count_games(rows)), rows=rows), site_subject(context, say("Your games")))


def _restored(context: MailContext) -> WrittenLetter:
    when = date_and_time(datetime.fromisoformat(context.detail["when"]), context.person.zone)
    headline = say("We had to put our service back to how it was on {when}. What happened after that is lost. We are sorry.", when=when)
    return WrittenLetter(OwnGames(**common(context, headline), rows=_rows(context)), site_subject(context, say("Your games are put back")))


def count_games(rows: Sequence[GameRow]) -> str:
    """Return the number of games, and of those that wait for the reader, in a sentence."""
    if not rows:
        return say("You have no games at present.")
    all_of_them, waiting = say("{n} game", "{n} games", n=len(rows)), sum(row.yours for row in rows)
    if not waiting:
        return say("You have {games}; none waits for you.", games=all_of_them)
    return say(
        "You have {games}; {n} waits for you.",
        "You have {games}; {n} wait for you.",
        games=all_of_them,
        n=waiting,
    )


def _settings(context: MailContext) -> WrittenLetter:
    subject = site_subject(context, say("Your settings"))
    headline = say("Your settings, each with a line that changes it.")
    besides = say("Reply with one such line or with several. They are carried out together, or not at all.")
    letter = SettingsLetter(
        **common(context, headline, besides),
        mailto=mailto(context.reply_to, subject),
        groups=tuple(
            SettingGroup(heading, tuple(_setting(one) for one in rows)) for heading, rows in groupby(context.settings, attrgetter("group"))
        ),
        calendar=context.page,
        subscribed=context.subscribed,
    )
    return WrittenLetter(letter, subject)


def _setting(setting: Setting) -> SettingRow:
    """Return a setting with its first line in full, and of the others only the values."""
    first, *others = setting.ways
    labels = (first.line, *(way.value for way in others))
    change = say("{some} or {last}", some=joined(", ", labels[:-1]), last=labels[-1]) if others else first.line
    ways = tuple(LineToWrite("", way.line, label) for way, label in zip(setting.ways, labels, strict=True))
    return SettingRow(setting.name, setting.value, setting.about, change, ways)


def _subscription(context: MailContext) -> WrittenLetter:
    site = one_line(context.site.name)
    if context.subscribed:
        headline = say("You get mail from {site} again.", site=site)
    else:
        headline = say("You have unsubscribed. {site} now sends you only answers to your own mails.", site=site)
    desks = [LeagueDesk(context, one) for one in context.leagues]
    leaving = tuple(LineToWrite(desk.name, say("leave {league}", league=desk.key)) for desk in desks)
    letter = Subscription(**common(context, headline), subscribed=context.subscribed, rows=_rows(context), leagues=leaving)
    return WrittenLetter(letter, site_subject(context, say("Your mail from us")))


def _help(context: MailContext) -> WrittenLetter:
    topic = one_line(str(context.detail.get("topic", ""))).lower()
    wanted = OF_LEAGUES if topic == "leagues" else (topic,)
    commands = [CommandRow(one.usage, one.meaning, one.example) for word in wanted for one in COMMANDS if word in ("", one.word)]
    if topic and commands:
        headline = say('About the command "{command}".', command=synonyms().in_words(context.form.language, topic))
    elif topic:
        headline = say('There is no command "{command}". These are all commands.', command=topic)
    else:
        headline = say("All that you can write, each on a line of its own.")
    every = tuple(commands) or tuple(CommandRow(one.usage, one.meaning, one.example) for one in COMMANDS)
    about = _RULES[topic]() if topic in _RULES else ()
    game = context.state.game.entry if context.state is not None and not topic else None
    moves = Fact(say("Moves of {game}:", game=game.title), game.notation) if game else None
    letter = Help(**common(context, headline), commands=every, about=about, moves=moves, catalogue=_catalogue())
    return WrittenLetter(letter, site_subject(context, say("Help")))


def _rules(context: MailContext) -> WrittenLetter:
    """Write the rule sheet of a game, with the board of its default options."""
    game = games.find(context.detail["game"])
    start = game.rules.start()
    board = BoardPicture(
        game.view.text(start),
        picture_id(context),
        say("The board of {game} at the start.", game=game.entry.title),
        context.form.shown_width,
    )
    sheet = blocks(language(context.form.language).rules(game.entry.key) or games.rules_text(game.entry.key))
    letter = RulesSheet(
        **common(context, say("The rules of {game}, a game by {designer}.", game=game.entry.title, designer=game.entry.designer)),
        # The headline of the mail names the game already.
        blocks=sheet[1:] if sheet and sheet[0].kind == "heading" else sheet,
        board=board,
        key=game.entry.key,
        reading=_reading(context, game.entry),
    )
    subject = site_subject(context, say("The rules of {game}", game=game.entry.title))
    return WrittenLetter(letter, subject, (Picture(game.view.svg(start), board.cid),))


def _reading(context: MailContext, newest: Entry) -> str:
    # The sheet has the newest revision of the rules; a game that began under an earlier one goes on by that.
    own = context.state.game.entry if context.state else newest
    if context.game_id is None or own.key != newest.key or not own.differs:
        return ""
    return say(
        "Your game {game} goes on by the rules as they were when it began, revision {revision}. {differs}",
        game=context.game_id,
        revision=own.revision,
        differs=own.differs,
    )


def _unknown_sender(context: MailContext) -> WrittenLetter:
    headline = say("We do not know this address, so we did nothing with your mail.")
    letter = Unknown(**common(context, headline), open=context.site.registration == "open")
    return WrittenLetter(letter, site_subject(context, say("Your mail")))


def _confirm(context: MailContext) -> WrittenLetter:
    # Nothing of what they wrote, such as the name: the address may be that of somebody who never wrote to us.
    headline = say("Somebody, probably you, asked for an account at {site} with this address.", site=one_line(context.site.name))
    return WrittenLetter(Confirm(**common(context, headline), until=_until(context)), site_subject(context, say("Please confirm")))


def _new_address(context: MailContext) -> WrittenLetter:
    name, site = one_line(context.detail["name"]), one_line(context.site.name)
    headline = say("Is this the new address of {player} at {site}?", player=name, site=site)
    return WrittenLetter(NewAddress(**common(context, headline), until=_until(context)), site_subject(context, say("Please confirm")))


def _address(context: MailContext) -> WrittenLetter:
    new = one_line(context.detail["address"], _LONGEST_REASON)
    if context.detail["until"]:
        headline = say("You asked us to send your mail to {address} from now on.", address=new)
    else:
        headline = say("From now on, your mail from us comes to this address.")
    return WrittenLetter(AddressChanges(**common(context, headline), until=_until(context)), site_subject(context, say("Your address")))


def _sign_in(context: MailContext) -> WrittenLetter:
    name, site = one_line(context.person.name), one_line(context.site.name)
    headline = say("{player}, here is your link to sign in to {site}.", player=name, site=site)
    letter = SignIn(**common(context, headline), page=context.page, until=_until(context))
    return WrittenLetter(letter, site_subject(context, say("Sign in")))


def _until(context: MailContext) -> str:
    until = context.detail["until"]
    return date_and_time(datetime.fromisoformat(until), context.person.zone) if until else ""


def _catalogue() -> tuple[CatalogueRow, ...]:
    return tuple(CatalogueRow(entry.key, entry.title, entry.summary) for entry in games.CATALOGUE.values())


ABOUT_OTHER_THINGS: Final[Mapping[MailKind, Callable[[MailContext], WrittenLetter]]] = MappingProxyType(
    {
        MailKind.WELCOME: _welcome,
        MailKind.REFUSAL: _refusal,
        MailKind.GAMES: _games,
        MailKind.HELP: _help,
        MailKind.RULES: _rules,
        MailKind.SETTINGS: _settings,
        MailKind.SUBSCRIPTION: _subscription,
        MailKind.RESTORED: _restored,
        MailKind.VACATION: vacation,
        MailKind.AWAY: away,
        MailKind.DIGEST: digest,
        MailKind.LEAGUES: all_leagues,
        MailKind.UNKNOWN_SENDER: _unknown_sender,
        MailKind.ADMIN_REPORT: admin_report,
        MailKind.CONFIRM: _confirm,
        MailKind.NEW_ADDRESS: _new_address,
        MailKind.ADDRESS: _address,
        MailKind.SIGN_IN: _sign_in,
    }
)
"""The writer of each kind of letter."""
