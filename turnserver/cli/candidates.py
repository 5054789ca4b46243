"""Candidates for the shell's completion.

They come while somebody is typing: without a configuration, a database or patience there are none, and nothing is printed.
"""

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import typer

from turnserver import games as catalogue
from turnserver.config import leagues as presets_of
from turnserver.config import reading
from turnserver.errors import TurnserverError
from turnserver.ids import Stream
from turnserver.league.scoring.marks import OTHER_SIDE
from turnserver.rules.options import OptionInfo, Value, describe
from turnserver.store.games import views
from turnserver.store.leagues import views as store_leagues
from turnserver.store.log import trail
from turnserver.store.log.database import Database, Transaction
from turnserver.store.people import accounts as people

Candidate = tuple[str, str]
"""The text that is put in, and a few words about it for the shells that show them."""

PATIENCE_SECONDS = 0.3
"""The time to wait for a locked database before giving up on candidates."""

MOST_GAMES = 200
MOST_VERSIONS = 30
MOST_NUMBERS = 20

T = TypeVar("T")


def players(ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return names of players, each with their address."""
    # Shells compare candidates with what was typed letter by letter, so an address or a number could not stand for its player.
    return [
        (person.name, person.address)
        for person in _ask(ctx, people.list_players)
        if person.erased_at is None and person.name.startswith(incomplete)
    ]


def games(ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return numbers of games, the newest first."""
    known = {person.id: person.name for person in _ask(ctx, people.list_players)}
    return [
        (str(game.id), f"{game.game}: {', '.join(known.get(player, '?') for player in game.players)}, {game.status}")
        for game in _ask(ctx, lambda conn: views.list_games(conn, limit=MOST_GAMES))
        if str(game.id).startswith(incomplete)
    ]


def leagues(ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return numbers of leagues, and their names once a letter is typed."""
    found = _ask(ctx, store_leagues.listed)
    numbers = [(str(league.id), league.name) for league in found]
    # Before a letter is typed, each league would be there twice.
    named = [(league.name, f"league {league.id}") for league in found] if incomplete else []
    return [candidate for candidate in (*numbers, *named) if candidate[0].startswith(incomplete)]


def versions(ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return versions of the game or league named before, the newest first, each with what happened and when."""
    stream = next(map(Stream, _streams(_typed())), None)
    if stream is None:
        return []
    newest = _ask(ctx, lambda conn: trail.newest(conn, stream, MOST_VERSIONS))
    found = [
        (f"v{version}" if incomplete[:1] in {"v", ""} else str(version), f"{at:%Y-%m-%d %H:%M}Z {kind}") for version, at, kind in newest
    ]
    return [candidate for candidate in found if candidate[0].startswith(incomplete)]


def _streams(words: Iterable[str]) -> Iterable[str]:
    noun = ""
    for word in words:
        if word in {"game", "league"}:
            noun = word
        elif noun and (found := re.fullmatch(rf"(?:{noun}-)?([0-9]{{1,9}})", word)):
            yield f"{noun}-{int(found[1])}"


def keys(_ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return keys of the catalogue of games."""
    return [(entry.key, entry.summary) for entry in catalogue.CATALOGUE.values() if entry.key.startswith(incomplete)]


def options(ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return `name=value` for the options of the game named before, or of every game."""
    before = {ctx.params.get("game"), *_typed()}
    named = [key for key in catalogue.CATALOGUE if key in before]
    found = [
        (f"{info.name}={value}", info.doc)
        for key in named or catalogue.CATALOGUE
        for info in describe(catalogue.entry(key).options)
        for value in _values(info)
    ]
    # Games share options; each is offered once.
    return [candidate for candidate in dict(found).items() if candidate[0].startswith(incomplete)]


def presets(_ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return presets of leagues."""
    return [(one.name, one.about) for one in presets_of.presets() if one.name.startswith(incomplete)]


def league_settings(_ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return names of the settings of leagues."""
    return [(one.name, one.meaning) for one in presets_of.SETTINGS.values() if one.name.startswith(incomplete)]


def results(_ctx: typer.Context, incomplete: str) -> list[Candidate]:
    """Return the possible results of a meeting of two players."""
    pairs = [(mark.value, other.value) for mark, other in OTHER_SIDE.items()]
    written = [first if first == second else f"{first}-{second}" for first, second in pairs]
    return [(result, "for whoever the pairing names first, and for the other") for result in written if result.startswith(incomplete)]


def _values(info: OptionInfo) -> Iterable[Value]:
    # Nobody picks from a list of a thousand numbers, so a long range offers its default alone.
    if info.kind == "flag":
        return ("yes", "no")
    if info.kind == "choice":
        return info.choices
    return info.numbers or (range(info.low, info.high + 1) if info.high - info.low < MOST_NUMBERS else (info.default,))


def _typed() -> list[str]:
    # An option that still lacks its value would keep click from telling the arguments before it apart.
    # Bash puts the line into the first of these variables, zsh and fish have the second.
    return next((os.environ[name].split() for name in ("COMP_WORDS", "_TYPER_COMPLETE_ARGS") if name in os.environ), [])


def _ask(ctx: typer.Context, question: Callable[[Transaction], list[T]]) -> list[T]:
    # Completion is asked while somebody types: it says nothing rather than that the database is away.
    named = ctx.find_root().params.get("config")
    try:
        settings = reading.load(Path(named) if named else None, os.environ)
        # A connection of its own: that of the session waits for a lock as long as the settings say.
        database = Database.connect(settings.database.url, min(PATIENCE_SECONDS, settings.database.busy_timeout_seconds))
        try:
            with database.read() as conn:
                return question(conn)
        finally:
            database.close()
    except (TurnserverError, OSError):
        return []
