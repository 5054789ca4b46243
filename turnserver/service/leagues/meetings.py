"""Meetings as directors name them: by number, by game, or by players."""

from collections.abc import Sequence

from turnserver.errors import BadOption, NotFound
from turnserver.ids import GameId
from turnserver.league.course import meeting_of
from turnserver.league.guards import fixture_of
from turnserver.league.scoring.record import Verdict
from turnserver.league.scoring.written import verdict_of
from turnserver.league.state import Fixture, Season
from turnserver.store.log.database import Transaction
from turnserver.store.people import accounts as people
from turnserver.store.people.accounts import Person
from turnserver.text import listing, say

_LONGEST = 10


def meeting(conn: Transaction, league: str, season: Season, named: Sequence[str]) -> Fixture:
    """Return the meeting that is named by its number, its game or its players. `league` is the name of the league.

    Raises NotFound, and BadOption for words that name no meeting, and for two who meet more than once.
    """
    if len(named) == 1:
        return _fixture(league, season, named[0])
    return _between(league, season, [people.find_player(conn, who) for who in named])


def decided(conn: Transaction, league: str, season: Season, named: Sequence[str], how: str) -> tuple[Fixture, Verdict]:
    """Return a meeting, named as for `meeting`, and its result.

    The result of a meeting that is named by its players is that of whoever is named first. Raises as `meeting` does, and BadOption for a
    result that is none.
    """
    if len(named) == 1:
        fixture = _fixture(league, season, named[0])
        return fixture, verdict_of(how, max(len(fixture.players), 2))
    found = [people.find_player(conn, who) for who in named]
    fixture, verdict, ids = _between(league, season, found), verdict_of(how, len(found)), [one.id for one in found]
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


def _fixture(league: str, season: Season, text: str) -> Fixture:
    word = text.strip().lower()
    digits = word.removeprefix("game-")
    # `isdigit` alone takes a superscript, which is no number to `int`.
    if not (digits.isascii() and digits.isdigit() and len(digits) < _LONGEST):
        told = say('"{text}" is not the number of a meeting, such as 4, or of its game, such as game-17.', text=text)
        raise BadOption(told)
    if digits == word:
        return fixture_of(season, int(digits))
    fixture = meeting_of(season, GameId(int(digits)))
    if fixture is None:
        raise NotFound(say("Game {game} does not belong to season {n} of {league}.", game=digits, n=season.number, league=league))
    return fixture
