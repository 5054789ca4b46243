"""The report on a league that may be looked into: what was seen, with the games, and nothing about what it means."""

from fractions import Fraction

from tests.cases import for_each
from tests.cli.club import Club
from tests.cli.league.rated_club import play
from tests.cli.typed import declared, typed
from turnserver.cli.league.report import KINDS, as_finding, told
from turnserver.cli.league.shapes import LeagueFinding
from turnserver.ids import GameId, PlayerId
from turnserver.league.formats.swiss import Breach
from turnserver.league.scoring.fairness import Crowded, Finding, FirstMoves, Forced, Gifts, Streak, Traded, Unexpected

ADA, BOB, STRANGER = map(PlayerId, (1, 2, 9))
NAMES = {ADA: "Ada", BOB: "Bob"}


def games(*numbers: int) -> tuple[GameId, ...]:
    return tuple(map(GameId, numbers))


FINDINGS: list[tuple[Finding, str, list[int], str]] = [
    (
        Streak(ADA, games(1, 4, 7)),
        "given up in a row",
        [1],
        "In 3 games in a row, Ada did not come, ran out of time or resigned within 10 turns: games 1, 4 and 7.",
    ),
    (
        Traded((ADA, BOB), games(1, 2), (BOB, ADA), (1, 4)),
        "wins in turn",
        [1, 2],
        "Ada and Bob gave up short games against each other by turns: game 1 to Bob after 1 turn and game 2 to Ada after 4 turns.",
    ),
    (
        Gifts(BOB, ADA, games(1, 2), (3, 5)),
        "short wins",
        [2, 1],
        "Bob has won every short game against Ada: game 1 after 3 turns and game 2 after 5 turns.",
    ),
    (
        Unexpected((BOB, ADA), games(1, 2, 3), Fraction(5, 2), 0.314),
        "unexpected",
        [2, 1],
        "Bob has 2.5 points in 3 games against Ada, where 0.3 was to be expected by their ratings: games 1, 2 and 3.",
    ),
    (
        FirstMoves(STRANGER, 6, 5, Fraction(3), games(8)),
        "first moves",
        [9],
        "player 9 has the first move in 5 of 6 games, where 3 would be even: game 8.",
    ),
    (FirstMoves(ADA, 3, 0, Fraction(3, 2)), "first moves", [1], "Ada has the first move in 0 of 3 games, where 1.5 would be even."),
    (
        Crowded(ADA, games(5, 6), 1),
        "at once",
        [1],
        "Ada has 2 games at the same time, and the league wants 1 at most: games 5 and 6.",
    ),
    (
        Forced(Breach.REMATCH, 3, (ADA, BOB), games(7)),
        "forced",
        [1, 2],
        "Round 3 could not be paired otherwise: Ada and Bob meet again: game 7.",
    ),
    (
        Forced(Breach.SECOND_BYE, 3, (ADA,), ()),
        "forced",
        [1],
        "Round 3 could not be paired otherwise: Ada has a point without a game once more.",
    ),
    (
        Forced(Breach.CLASH, 3, (ADA, BOB), games(7)),
        "forced",
        [1, 2],
        "Round 3 could not be paired otherwise: Ada and Bob are both due the same move, first or second: game 7.",
    ),
    (
        Forced(Breach.ASKED_BYE, 3, (ADA, BOB), games(7)),
        "forced",
        [1, 2],
        "Round 3 was paired by hand: Ada and Bob are paired, although a bye was asked for: game 7.",
    ),
]


@for_each(("finding", "kind", "players", "says"), FINDINGS)
def test_findings_are_told(finding: Finding, kind: str, players: list[int], says: str) -> None:
    assert told(finding, NAMES, 10) == says
    found = as_finding(finding, NAMES, 10)
    assert (found.kind, found.players, found.says) == (kind, players, says)
    assert all(str(game) in says for game in found.games)


def test_every_kind_of_finding_has_a_name() -> None:
    assert {type(finding) for finding, *_ in FINDINGS} == KINDS.keys()
    assert all(kind in str(LeagueFinding.__annotations__["kind"]) for kind in KINDS.values())


def test_a_report(club: Club) -> None:
    play(club, "Ada", "Ada", "Bob", "Bob", "Cleo", "Bob")
    printed = club.printed("league report 1")
    assert printed.startswith(
        "6 games were looked at in all seasons up to season 1. Those that a withdrawal\nended are left out.\n\n- In 3 games in a row, "
    )
    assert "it proves nothing" in printed
    assert max(map(len, printed.splitlines())) <= 80
    found = declared(typed(club, "league report league-1 --season 1 --json").stdout, "league report")
    assert isinstance(found, list)
    assert "given up in a row" in [one.kind for one in found]
    assert club.printed("league report 'take winter' --season 1").startswith("6 games were looked at in season 1. Those")


def test_where_nothing_stands_out(club: Club) -> None:
    play(club, "Ada")
    assert club.printed("league report 1") == (
        "1 game was looked at in all seasons up to season 1. Those that a withdrawal\nended are left out.\n\nNothing stands out.\n"
    )
    result = club.run("league report 1 --season 2")
    assert result.exit_code == 1
    assert "League 1 has had no season 2." in result.stderr
