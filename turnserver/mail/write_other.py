"""Letters that are about no game, or about several."""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final

from turnserver import games
from turnserver.mail.gamedesk import GameDesk, Picture, Written, common, own_row, picture_id
from turnserver.mail.letters import (
    AddressChanges,
    Board,
    CatalogueRow,
    CommandRow,
    Confirm,
    GameRow,
    Help,
    NewAddress,
    OwnGames,
    ProblemLine,
    Refused,
    RulesSheet,
    SettingRow,
    Settings,
    Subscription,
    Unknown,
    Welcome,
)
from turnserver.mail.notices import Kind
from turnserver.mail.occasion import Occasion
from turnserver.mail.phrases import HELP
from turnserver.mail.rulesheet import blocks
from turnserver.mail.wording import counted, date_and_time, one_line
from turnserver.mail.write_digest import digest
from turnserver.mail.write_reach import admin_report, report_headline
from turnserver.words import unpack

_LONGEST_REASON: Final = 500


def _refusal(occasion: Occasion) -> Written:
    """Refusals are about a game or about none."""
    detail = occasion.detail
    whole = "Your mail could not be carried out, and nothing has changed. This is why:"
    headline = "Something about your mail needs your attention." if detail["done"] else whole
    problems = tuple(
        ProblemLine(one_line(one["quoted"], _LONGEST_REASON), one_line(unpack(one["message"]), 4 * _LONGEST_REASON))
        for one in detail["problems"]
    )
    done = tuple(one_line(unpack(line), _LONGEST_REASON) for line in detail["done"])
    desk = GameDesk.of(occasion) if occasion.state is not None else None
    letter = Refused(**common(occasion, headline), problems=problems, done=done, game=desk.view if desk else None)
    return Written(letter, desk.subject if desk else _site_subject(occasion, "Your mail"), desk.pictures if desk else ())


def _welcome(occasion: Occasion) -> Written:
    name, site = one_line(occasion.person.name), one_line(occasion.site.name)
    letter = Welcome(**common(occasion, f"Welcome to {site}, {name}."), reply_to=occasion.reply_to, catalogue=_catalogue())
    return Written(letter, _site_subject(occasion, "Welcome"))


def _rows(occasion: Occasion) -> tuple[GameRow, ...]:
    """The reader's games, those that wait for the reader first and the most urgent of them at the top."""
    rows = [(own.state.deadline, own_row(occasion, own)) for own in occasion.games]
    rows.sort(key=lambda row: (not row[1].yours, row[0] is None, row[0] or occasion.now))
    return tuple(row for _, row in rows)


def _games(occasion: Occasion) -> Written:
    rows = _rows(occasion)
    waiting = sum(row.yours for row in rows)
    if rows:
        headline = (
            f"You play in {counted(len(rows), 'game')}, and {waiting or 'none'} of them {'waits' if waiting <= 1 else 'wait'} for you."
        )
    else:
        headline = "You play in no game at present."
    return Written(OwnGames(**common(occasion, headline), rows=rows), _site_subject(occasion, "Your games"))


def _settings(occasion: Occasion) -> Written:
    rows = tuple(SettingRow(one.name, one.value, one.about, one.lines) for one in occasion.settings)
    headline = "What you have set here, and how to change it."
    letter = Settings(**common(occasion, headline), settings=rows, subscribed=occasion.subscribed)
    return Written(letter, _site_subject(occasion, "Your settings"))


def _subscription(occasion: Occasion) -> Written:
    site = one_line(occasion.site.name)
    if occasion.subscribed:
        headline = f"You get mail from {site} again."
    else:
        headline = f"You have unsubscribed. {site} sends you nothing any more, except answers to your own mails."
    letter = Subscription(**common(occasion, headline), subscribed=occasion.subscribed, rows=_rows(occasion))
    return Written(letter, _site_subject(occasion, "Your mail from us"))


def _help(occasion: Occasion) -> Written:
    topic = one_line(str(occasion.detail.get("topic", ""))).lower()
    commands = [CommandRow(one.usage, one.meaning, one.example) for one in HELP if not topic or one.word == topic]
    if topic and commands:
        headline = f'About the command "{topic}".'
    elif topic:
        headline = f'There is no command "{topic}". These are the ones that there are.'
    else:
        headline = "Everything that you can write, each on a line of its own."
    every = tuple(commands) or tuple(CommandRow(one.usage, one.meaning, one.example) for one in HELP)
    letter = Help(**common(occasion, headline), commands=every, catalogue=_catalogue())
    return Written(letter, _site_subject(occasion, "Help"))


def _rules(occasion: Occasion) -> Written:
    """The sheet of a game with the board of its default options."""
    game = games.find(occasion.detail["game"])
    start = game.rules.start()
    board = Board(
        game.view.text(start).rstrip("\n"),
        picture_id(occasion),
        f"The board of {game.entry.title} at the start.",
        occasion.form.shown_width,
    )
    sheet = blocks(games.rules_text(game.entry.key))
    letter = RulesSheet(
        **common(occasion, f"The rules of {game.entry.title}, a game by {game.entry.designer}."),
        blocks=sheet[1:] if sheet and sheet[0].kind == "heading" else sheet,
        board=board,
        key=game.entry.key,
    )
    return Written(letter, _site_subject(occasion, f"The rules of {game.entry.title}"), (Picture(game.view.svg(start), board.cid),))


def _unknown_sender(occasion: Occasion) -> Written:
    headline = "This address does not belong to any player here, so nothing was done with your mail."
    letter = Unknown(**common(occasion, headline), open=occasion.site.registration == "open")
    return Written(letter, _site_subject(occasion, "Your mail"))


def _confirm(occasion: Occasion) -> Written:
    name, site = one_line(occasion.detail["name"]), one_line(occasion.site.name)
    headline = f"Somebody, probably you, asked for an account at {site}: as {name}, with this address."
    return Written(Confirm(**common(occasion, headline), until=_until(occasion)), _site_subject(occasion, "Please confirm"))


def _new_address(occasion: Occasion) -> Written:
    name, site = one_line(occasion.detail["name"]), one_line(occasion.site.name)
    headline = f"This is to be the new address of {name} at {site}."
    return Written(NewAddress(**common(occasion, headline), until=_until(occasion)), _site_subject(occasion, "Please confirm"))


def _address(occasion: Occasion) -> Written:
    new = one_line(occasion.detail["address"], _LONGEST_REASON)
    pending = f"Your mail from us is to go to another address: {new}."
    headline = pending if occasion.detail["until"] else "From now on, your mail from us comes to this address."
    return Written(AddressChanges(**common(occasion, headline), until=_until(occasion)), _site_subject(occasion, "Your address"))


def _until(occasion: Occasion) -> str:
    until = occasion.detail["until"]
    return date_and_time(datetime.fromisoformat(until), occasion.person.zone) if until else ""


def _admin_report(occasion: Occasion) -> Written:
    headline = report_headline(occasion.detail)
    return Written(admin_report(occasion, headline), _site_subject(occasion, headline.rstrip(".")))


def _catalogue() -> tuple[CatalogueRow, ...]:
    return tuple(CatalogueRow(entry.key, entry.title, entry.summary) for entry in games.CATALOGUE.values())


def _site_subject(occasion: Occasion, words: str) -> str:
    return f"[{one_line(occasion.site.name)}] {words}"


ABOUT_OTHER_THINGS: Final[Mapping[Kind, Callable[[Occasion], Written]]] = MappingProxyType(
    {
        Kind.WELCOME: _welcome,
        Kind.REFUSAL: _refusal,
        Kind.GAMES: _games,
        Kind.HELP: _help,
        Kind.RULES: _rules,
        Kind.SETTINGS: _settings,
        Kind.SUBSCRIPTION: _subscription,
        Kind.DIGEST: digest,
        Kind.UNKNOWN_SENDER: _unknown_sender,
        Kind.ADMIN_REPORT: _admin_report,
        Kind.CONFIRM: _confirm,
        Kind.NEW_ADDRESS: _new_address,
        Kind.ADDRESS: _address,
    }
)
"""Who writes the letters of which kind."""
