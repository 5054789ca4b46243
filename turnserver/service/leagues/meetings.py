"""Meetings as directors name them: by number, by game, or by players."""

from collections.abc import Sequence

from turnserver.errors import BadOption, NotAllowed, NotFound
from turnserver.ids import GameId, LeagueId
from turnserver.league.course import meeting_of
from turnserver.league.guards import fixture_of, with_table
from turnserver.league.scoring.record import Verdict
from turnserver.league.scoring.written import verdict_of
from turnserver.league.state import Fixture, LeagueState, Season
from turnserver.store.leagues import views as leagues
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import listing, say

_LONGEST = 10


def meeting(conn: Transaction, league: LeagueId, name: str, season: Season, named: Sequence[str]) -> Fixture:
    """Return the meeting that is named by its number, its game or its players. `name` is the name of the league.

    Raises NotFound, and BadOption for words that name no meeting, and for two who meet more than once. Refuses (`season_stands`) a game of
    an earlier season.
    """
    if len(named) == 1:
        return _fixture(conn, league, name, season, named[0])
    return _between(name, season, [people.find_player(conn, who) for who in named])


def decided(conn: Transaction, league: LeagueId, state: LeagueState, named: Sequence[str], how: str) -> tuple[Fixture, Verdict]:
    """Return a meeting of a season with a table, named as for `meeting`, and its result.

    The result of a meeting that is named by its players is that of whoever is named first. Raises as `meeting` and `with_table` do, and
    BadOption for a result that is none.
    """
    season = with_table(state)
    if len(named) == 1:
        fixture = _fixture(conn, league, state.name, season, named[0])
        return fixture, verdict_of(how, max(len(fixture.players), 2))
    found = [people.find_player(conn, who) for who in named]
    fixture, verdict, ids = _between(state.name, season, found), verdict_of(how, len(found)), [one.id for one in found]
    at = [ids.index(season.who(line)) for line in fixture.players]
    return fixture, Verdict(tuple(verdict.marks[one] for one in at), tuple(verdict.places[one] for one in at) if verdict.places else ())


def _between(league: str, season: Season, players: Sequence[Person]) -> Fixture:
    ids = sorted(one.id for one in players)
    theirs = [one for one in season.fixtures if not one.void and sorted(map(season.who, one.players)) == ids]
    who = listing([one.name for one in players], "and")
    if not theirs:
        raise NotFound(say("{players} don't play each other in season {n} of {league}.", players=who, n=season.number, league=league))
    # If they meet several times, the meeting that has no result is most likely meant.
    meant = [one for one in theirs if not one.marks] or theirs
    if len(meant) > 1:
        numbers = listing([str(one.number) for one in meant], "and")
        told = say(
            "{players} meet more than once here, in meetings {numbers}. "
            "Give a number, with the result for whoever the pairing names first.",
            players=who,
            numbers=numbers,
        )
        raise BadOption(told)
    return meant[0]


def _fixture(conn: Transaction, league: LeagueId, name: str, season: Season, text: str) -> Fixture:
    word = text.strip().lower()
    digits = word.removeprefix("game-")
    # `isdigit` alone takes a superscript, which is no number to `int`.
    if not (digits.isascii() and digits.isdigit() and len(digits) < _LONGEST):
        told = say('"{text}" is not the number of a meeting, such as 4, or of its game, such as game-17.', text=text)
        raise BadOption(told)
    if digits == word:
        return fixture_of(season, int(digits))
    game = GameId(int(digits))
    fixture = meeting_of(season, game)
    if fixture is not None:
        return fixture
    earlier = leagues.meeting_of(conn, game)
    if earlier is not None and earlier.league == league and earlier.season < season.number:
        told = say(
            "Game {game} was played in season {n} of {league}, which is closed. Its result stands.",
            game=digits,
            n=earlier.season,
            league=name,
        )
        raise NotAllowed("season_stands", told)
    raise NotFound(say("Game {game} does not belong to season {n} of {league}.", game=digits, n=season.number, league=name))
