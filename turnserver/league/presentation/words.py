"""The words for leagues: names of formats, phases, marks and tie-breaks, the signs of tables, and points as people write them.

Names are sentences (see `turnserver.text`), so they are told in each player's language. `crosstable` makes tables of them, and
`explanations` says how each figure of a player came about.
"""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from turnserver.ids import PlayerId
from turnserver.league.events import Division
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, WhenUnfinished
from turnserver.league.state import LeagueState, Phase, Season
from turnserver.text import say

FORMATS: Final[Mapping[Format, str]] = MappingProxyType(
    {
        Format.ROUND_ROBIN: say("round robin"),
        Format.DOUBLE_ROUND_ROBIN: say("double round robin"),
        Format.SWISS: say("Swiss"),
        Format.MCMAHON: say("McMahon"),
        Format.KNOCKOUT: say("knockout"),
        Format.DOUBLE_KNOCKOUT: say("double knockout"),
        Format.LADDER: say("ladder"),
        Format.TABLES: say("tables"),
    }
)

PHASES: Final[Mapping[Phase, str]] = MappingProxyType(
    {
        Phase.ENTRIES: say("open for entries"),
        Phase.READY_CHECK: say("ready check"),
        Phase.RUNNING: say("running"),
        Phase.CLOSED: say("over"),
    }
)

UNFINISHED: Final[Mapping[WhenUnfinished, str]] = MappingProxyType(
    {
        WhenUnfinished.ADMIN: say("At the deadline, the organisers decide unfinished games."),
        WhenUnfinished.NO_RESULT: say("Games unfinished at the deadline have no result."),
        WhenUnfinished.DRAW: say("Games unfinished at the deadline are draws."),
        WhenUnfinished.FORFEIT: say("Whoever is to move at the deadline forfeits the game."),
    }
)

MARKS: Final[Mapping[Mark, str]] = MappingProxyType(
    {
        Mark.WIN: say("won"),
        Mark.DRAW: say("drawn"),
        Mark.LOSS: say("lost"),
        Mark.WIN_BY_FORFEIT: say("won by forfeit"),
        Mark.FORFEIT: say("lost by forfeit"),
        Mark.WIN_ON_TIME: say("won on time"),
        Mark.TIMEOUT: say("lost on time"),
        Mark.NO_RESULT: say("no result"),
        Mark.ANNULLED: say("annulled"),
        Mark.BYE: say("bye"),
    }
)

SIGNS: Final[Mapping[Mark, str]] = MappingProxyType(
    {
        Mark.WIN: "1",
        Mark.DRAW: "½",
        Mark.LOSS: "0",
        Mark.WIN_BY_FORFEIT: "+",
        Mark.FORFEIT: "-",
        Mark.WIN_ON_TIME: "1t",
        Mark.TIMEOUT: "0t",
        Mark.NO_RESULT: "/",
        Mark.ANNULLED: "x",
        Mark.BYE: "F",
    }
)
"""The signs in the cells of a table, the same in every language."""

HALF_BYE: Final = "H"
ZERO_BYE: Final = "Z"
"""The signs of byes that were asked for, as in FIDE's files."""

RUNNING: Final = "*"
"""The sign of a game that is not over."""

FIRST: Final = "•"
"""The sign beside a game in which the player moved first."""

TIE_BREAKS: Final[Mapping[TieBreak, str]] = MappingProxyType(
    {
        TieBreak.POINTS: say("Points"),
        TieBreak.HEAD_TO_HEAD: say("Head-to-head"),
        TieBreak.SONNEBORN_BERGER: say("Sonneborn-Berger"),
        TieBreak.BUCHHOLZ: say("Buchholz"),
        TieBreak.BUCHHOLZ_CUT_1: say("Buchholz cut 1"),
        TieBreak.BUCHHOLZ_MEDIAN_1: say("Median Buchholz"),
        TieBreak.PROGRESSIVE: say("Progressive score"),
        TieBreak.KOYA: say("Koya"),
        TieBreak.WINS: say("Wins"),
        TieBreak.GAMES_WON: say("Games won"),
        TieBreak.GAMES_AS_SECOND: say("Games as second player"),
        TieBreak.WINS_AS_SECOND: say("Games won as second player"),
        TieBreak.GAMES_PLAYED: say("Games played"),
        TieBreak.FIRST_PLACES: say("First places"),
        TieBreak.SECOND_PLACES: say("Second places"),
        TieBreak.THIRD_PLACES: say("Third places"),
        TieBreak.PLAYOFF: say("Playoff"),
        TieBreak.LOTS: say("Lots"),
    }
)

SHORT: Final[Mapping[TieBreak, str]] = MappingProxyType(
    {
        TieBreak.POINTS: say("Pts"),
        TieBreak.HEAD_TO_HEAD: say("H2H"),
        TieBreak.SONNEBORN_BERGER: say("SB"),
        TieBreak.BUCHHOLZ: say("Bh"),
        TieBreak.BUCHHOLZ_CUT_1: say("Bh-1"),
        TieBreak.BUCHHOLZ_MEDIAN_1: say("BhM"),
        TieBreak.PROGRESSIVE: say("PS"),
        TieBreak.KOYA: say("KS"),
        TieBreak.WINS: say("W"),
        TieBreak.GAMES_WON: say("GW"),
        TieBreak.GAMES_AS_SECOND: say("G2"),
        TieBreak.WINS_AS_SECOND: say("W2"),
        TieBreak.GAMES_PLAYED: say("GP"),
        TieBreak.FIRST_PLACES: say("1st"),
        TieBreak.SECOND_PLACES: say("2nd"),
        TieBreak.THIRD_PLACES: say("3rd"),
        TieBreak.PLAYOFF: say("PO"),
        TieBreak.LOTS: say("Lots"),
    }
)
"""Short names for the columns of a table; its legend gives their meanings."""

MEANINGS: Final[Mapping[TieBreak, str]] = MappingProxyType(
    {
        TieBreak.POINTS: say("points from all rounds"),
        TieBreak.HEAD_TO_HEAD: say("points from games against those who are tied with the player"),
        TieBreak.SONNEBORN_BERGER: say("for each game, the opponent's points times what was scored against them"),
        TieBreak.BUCHHOLZ: say("the points of all opponents"),
        TieBreak.BUCHHOLZ_CUT_1: say("the points of all opponents except the lowest"),
        TieBreak.BUCHHOLZ_MEDIAN_1: say("the points of all opponents except the lowest and the highest"),
        TieBreak.PROGRESSIVE: say("the points after each round, added up"),
        TieBreak.KOYA: say("points from games against those who have at least half of all that could be won"),
        TieBreak.WINS: say("rounds worth a win, played or not"),
        TieBreak.GAMES_WON: say("games played and won"),
        TieBreak.GAMES_AS_SECOND: say("games played as second player"),
        TieBreak.WINS_AS_SECOND: say("games played as second player and won"),
        TieBreak.GAMES_PLAYED: say("games played"),
        TieBreak.FIRST_PLACES: say("how often the player came first"),
        TieBreak.SECOND_PLACES: say("how often the player came second"),
        TieBreak.THIRD_PLACES: say("how often the player came third"),
        TieBreak.PLAYOFF: say("games between tied players, after all others"),
        TieBreak.LOTS: say("drawn from a secret that was fixed before the season and is published at its end"),
    }
)
"""The meanings of tie-breaks, to stand behind their names and a colon."""

VULGAR: Final = MappingProxyType({(1, 2): "½", (1, 4): "¼", (3, 4): "¾", (1, 3): "⅓", (2, 3): "⅔"})


def points_told(points: Fraction) -> str:
    """Return points as people write them, exact: `0`, `2½`, `-1¼`, `3 2/5`."""
    whole, rest = divmod(abs(points), 1)
    sign = "-" if points < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    part = VULGAR.get((rest.numerator, rest.denominator))
    if part is not None:
        return f"{sign}{whole or ''}{part}"
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"


def player_told(player: PlayerId, names: Mapping[PlayerId, str]) -> str:
    """Return a player's name, or `player N` if the name is not known."""
    return names.get(player) or say("Player {number}", number=player)


def line_told(season: Season, line: PlayerId, names: Mapping[PlayerId, str]) -> str:
    """Return the name of a line of the table: `Ada`, or `Carl for Ada` if a substitute plays on."""
    name = player_told(line, names)
    who = season.who(line)
    return name if who == line else say("{substitute} for {name}", substitute=player_told(who, names), name=name)


def division_told(state: LeagueState, season: Season, division: Division) -> str:
    """Return `Take Winter, season 2, division 1.2`; without the division if there is only one."""
    if len(season.divisions) < 2:
        return say("{league}, season {season}", league=state.name, season=season.number)
    return say("{league}, season {season}, division {division}", league=state.name, season=season.number, division=division.name)
