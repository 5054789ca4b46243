"""The schedule of a league: what happens by itself and when, as said before the season, in it, and by division."""

from tests.cases import for_each
from tests.league.seasons import League, day
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league.presentation.schedule import coming
from turnserver.league.settings import Format, Pace, Settings, TierSize

NAMES = {PlayerId(number): name for number, name in enumerate("ABCDEFGH", start=1)}


def announced(settings: Settings, until: float | None, starts: float | None) -> League:
    league = League(settings)
    league.do(c.AnnounceSeason(None if until is None else day(until), starts_at=None if starts is None else day(starts)))
    return league


def told(league: League) -> list[tuple[float, str]]:
    """Days after the league was opened, and what is told of them."""
    return [((one.at - day(0)).total_seconds() / 86400, one.what) for one in coming(league.state, NAMES)]


ASKING = Settings(ready_hours=48)
BEFORE = {
    "nothing is known": (Settings(), None, None, []),
    "entries end, and it begins": (Settings(least=2), 3, None, [(3, "season 1 begins, if at least 2 players have entered")]),
    "it begins later": (Settings(least=3), 3, 5, [(3, "entries end"), (5, "season 1 begins, if at least 3 players have entered")]),
    "everybody is asked as entries end": (
        ASKING,
        3,
        5,
        [(3, "entries end, and everybody is asked whether they will play"), (5, "season 1 begins with those who said that they will play")],
    ),
    "everybody is asked later": (
        ASKING,
        3,
        6,
        [
            (3, "entries end"),
            (4, "everybody is asked whether they will play"),
            (6, "season 1 begins with those who said that they will play"),
        ],
    ),
}


@for_each(("settings", "until", "starts", "expected"), BEFORE.values(), ids=BEFORE)
def test_before_a_season(settings: Settings, until: float | None, starts: float | None, expected: list[tuple[float, str]]) -> None:
    assert told(announced(settings, until, starts)) == expected


def test_rounds_at_fixed_distances_by_division() -> None:
    """Four play three rounds, a week apart. Each round is to be over ten days after it began."""
    two = (TierSize(size=4), TierSize(size=4))
    league = League(Settings(tiers=two, pace=Pace.ROUND_BY_ROUND, round_every=7, round_days=10, remind_percent=0))
    league.begin([PlayerId(number) for number in range(1, 9)])
    league.open_games()
    found = told(league)
    for name in ("1", "2"):
        assert [one for one in found if one[1].endswith(f"of division {name}") or f"of division {name} " in one[1]] == [
            (7, f"round 2 of division {name} begins, unless it waits for the one before"),
            (10, f"round 1 of division {name} ends; 2 games are not over yet"),
            (14, f"round 3 of division {name} begins, unless it waits for the one before"),
        ]


def test_a_meeting_with_a_deadline_of_its_own_is_told_apart() -> None:
    """Its end and its reminder say which meeting it is, and whose; the others of the round are told together."""
    league = League(Settings(round_days=10, remind_percent=50))
    league.begin([PlayerId(number) for number in range(1, 7)])
    league.open_games()
    first = league.season.fixtures[0]
    league.do(c.MoveDeadlines({first.number: day(20)}, "a journey"))
    pair = " - ".join(NAMES[player] for player in first.players)
    assert [one for one in told(league) if "round 1" in one[1]] == [
        (5, "a reminder of round 1 goes to those who have not finished"),
        (10, f"a reminder of meeting 1 in round 1, {pair}, goes to those who have not finished"),
        (10, "round 1 ends; 2 games are not over yet"),
        (20, f"meeting 1 in round 1, {pair}, has its deadline"),
    ]


@for_each(
    ("days", "expected"),
    [
        (
            20,
            [
                (10, "a reminder of meeting 1, {pair}, goes to those who have not finished"),
                (20, "meeting 1, {pair}, has its deadline"),
                (100, "challenges end"),
            ],
        ),
        (0, [(100, "challenges end")]),
    ],
)
def test_a_ladder_has_challenges_and_no_rounds(days: int, expected: list[tuple[float, str]]) -> None:
    league = League(Settings(format=Format.LADDER, round_days=days, remind_percent=50, season_days=100))
    league.begin([PlayerId(number) for number in range(1, 4)])
    league.do(c.Challenge(league.season.order[1], league.season.order[0]))
    pair = " - ".join(NAMES[player] for player in league.season.fixtures[0].players)
    assert told(league) == [(at, what.format(pair=pair)) for at, what in expected]


def test_without_a_season_nothing_is_told() -> None:
    assert told(League(Settings())) == []
