"""The site as a stranger may see it, written page by page: by the functions that make pages for the server, with links between files."""

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from turnserver import games
from turnserver.errors import NotFound, Refusal
from turnserver.ids import GameId, LeagueId, PlayerId
from turnserver.league.presentation import trf
from turnserver.records import jsonform, writing
from turnserver.service.pages.public import PublicGame, PublicLeague, PublicNumbers
from turnserver.service.service import Service
from turnserver.text import say
from turnserver.web import club, colours, pages, replay, static
from turnserver.web.export.directory import Directory, exporting
from turnserver.web.export.links import Links
from turnserver.web.game import history
from turnserver.web.game import page as game
from turnserver.web.league import files as season_files
from turnserver.web.league import page as league
from turnserver.web.player import page as player
from turnserver.web.rules import page as rules

Progress = Callable[[Sequence[GameId]], Iterable[GameId]]
"""Goes through the games while their pages are made."""

STATIC: Final = ("style.css", "chance.js")
"""The files that exported pages load. The other scripts ask a server."""

_EVERY_LINE: Final = 1 << 30
"""The length of a table whose lines are all explained on its page: nobody can ask for one of them."""


class Exported(NamedTuple):
    """An export: its pages, the leagues, games and players with pages, all its files, those that changed, and those removed."""

    pages: int
    leagues: int
    games: int
    players: int
    files: int
    changed: int
    removed: int


def export(service: Service, place: Path, progress: Progress = iter) -> Exported:
    """Write what a stranger may see into a directory. The same state gives the same bytes. Holds the pages of one game at a time.

    Raises Refusal if the directory is not for this, or if a page is hidden meanwhile: then the files that were there are as they were.
    """
    with exporting(place) as directory:
        seen = service.pages.public.everything()
        site = _Site(service, seen, directory)
        try:
            site.first_pages()
            site.rules()
            for number in progress(seen.games):
                site.game(number)
            for one in seen.leagues:
                site.league(one)
            for each in seen.players:
                site.player(each)
        except NotFound as error:
            raise Refusal("hidden_meanwhile", f"{place} is as it was: somebody hid a page while it was made. Try again.") from error
        done = directory.finish()
    return Exported(site.pages, len(seen.leagues), len(seen.games), len(seen.players), *done)


class _Site:
    """Makes pages and puts them into a directory. Each has the address that it has on a server."""

    def __init__(self, service: Service, seen: PublicNumbers, directory: Directory) -> None:
        self._shown, self._settings, self._site = service.pages.public, service.settings, service.settings.site
        self._language = self._shown.reader(None).language
        self._pictures: dict[str, str] = {}
        # The links look into the same dictionary, which is filled while the rules are written.
        self._links = Links(seen, self._pictures)
        self._directory = directory
        self.pages = 0

    def first_pages(self) -> None:
        """Write the first page, the list of leagues, the page for those who want to check with its checkpoints, and what all pages load."""
        self._page("/", club.TEMPLATE, club.club_page(self._shown.club(None), self._settings))
        self._page("/leagues", league.LIST, league.leagues_page(self._shown.leagues(None), self._site))
        audit = self._shown.audit(None)
        self._page("/audit", club.AUDIT, club.audit_page(audit, self._settings))
        for one in audit.checkpoints:
            self._file(f"/audit/checkpoints/{one.size}", one.note)
        for name in STATIC:
            self._file(static.address(name), static.content(name))
        self._file(colours.COLOURS, colours.style(self._settings.web.colour))

    def rules(self) -> None:
        """Write the rules of all games, without the board to try moves on: that needs a server."""
        self._page("/rules", rules.LIST, rules.games_page(self._site, self._language))
        for key in games.CATALOGUE:
            made, board = rules.rules_page(key, None, self._site, self._language), f"/rules/{key}/board.svg"
            self._file(board, rules.drawn(rules.Tried.read(key, []), self._language))
            for number, one in enumerate(made.examples, start=1):
                # the address says the whole position, and is too long for the name of a file
                self._pictures[f"{board}{one.query}"] = f"rules/{key}/board-{number}.svg"
                self._file(f"{board}{one.query}", rules.drawn(rules.Tried.read(key, parse_qsl(one.query[1:])), self._language))
            self._page(f"/rules/{key}", rules.TEMPLATE, made)

    def game(self, number: GameId) -> None:
        """Write the page of a game, its newest board, a replay in one file, its history, the proof of its rolls, and its record."""
        sight, address, newest = self._shown.game(None, number), f"/games/{number}", game.Wanted()
        made = game.game_page(sight, self._site, newest, address=address, exported=True)
        self._page(address, game.TEMPLATE, made)
        board = game.drawn(sight.state.game, game.moment_of(sight, newest), flip=False, language_key=self._language)
        self._file(f"{address}/board.svg", board)
        self._whole(f"{address}/replay", _replay(sight, made, self._language))
        first = history.history_page(sight, self._site, 1, address=address)
        self._page(f"{address}/history", history.TEMPLATE, first)
        # The first page lists all others, so they are made by its own links.
        for other in first.parts:
            part = history.history_page(sight, self._site, int(other.text), address=address)
            self._page(other.address, history.TEMPLATE, part)
        if made.draws:
            self._page(f"{address}/chance", history.CHANCE, history.chance_page(sight, self._site, address=address))
        self._file(f"{address}/record.txt", writing.write(sight.record))
        self._file(f"{address}/record.json", jsonform.write(sight.record))

    def league(self, number: LeagueId) -> None:
        """Write the pages and files of all seasons of a league."""
        latest, address = self._shown.league(None, number), f"/leagues/{number}"
        self._season(latest, address)
        for season in range(1, latest.seasons):
            self._season(self._shown.league(None, number, season), f"{address}/seasons/{season}")

    def player(self, number: PlayerId) -> None:
        """Write the pages of a player who lets themself be seen."""
        sight, address = self._shown.player(None, number), f"/players/{number}"
        self._page(address, player.TEMPLATE, player.player_page(sight, self._site))
        while sight.earlier is not None:
            before = sight.earlier
            sight = self._shown.player(None, number, before)
            self._page(f"{address}?before={before}", player.TEMPLATE, player.player_page(sight, self._site))

    def _season(self, sight: PublicLeague, address: str) -> None:
        made = league.league_page(sight, self._site, league.Asked(most=_EVERY_LINE))
        self._page(address, league.TEMPLATE, made)
        season = sight.state.season
        if season is None or not season.divisions:
            return
        place = f"/leagues/{sight.id}/seasons/{season.number}"
        for one in season_files.OF_SEASON:
            self._file(f"{place}/{one.name}", one.content(sight))
        for division in season.divisions:
            below = f"{place}/divisions/{division.name}"
            if len(season.divisions) > 1:
                asked = league.Asked(division.name, most=_EVERY_LINE)
                self._page(below, league.TEMPLATE, league.league_page(sight, self._site, asked))
            if sight.state.settings.format in trf.TYPES:
                self._file(f"{below}/report.trf", season_files.report(sight, division.name))

    def _page(self, address: str, template: str, made: object) -> None:
        self._whole(address, pages.render(template, made, self._language, served=False))

    def _whole(self, address: str, page: str) -> None:
        file = self._links.file(address)
        self._directory.write(file, self._links.relative(page, file))
        self.pages += 1

    def _file(self, address: str, content: str | bytes) -> None:
        self._directory.write(self._links.file(address), content)


def _replay(sight: PublicGame, made: game.GamePage, language_key: str) -> str:
    """Return a game as a page that steps through it and needs no other file: scripts of pages that are files may load none."""
    facts = ((say("Options"), made.options), (say("Time"), made.time))
    over = sight.state.result is not None
    shown = dataclasses.replace(
        game.replay_of(sight),
        title=made.title,
        result=made.situation if over else "",
        facts=tuple((name, text) for name, text in facts if text),
        back=made.address,
    )
    return replay.page(shown, language_key=language_key)
