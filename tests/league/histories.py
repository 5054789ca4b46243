"""Leagues in which everything happens that can, each event of every kind at least once in one of them."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from random import Random

from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.ids import Burden, PlayerId
from turnserver.league.closing import playoffs_due
from turnserver.league.commands import (
    AnnounceSeason,
    BarPair,
    CarryResult,
    Challenge,
    ChangeSettings,
    CheckLeague,
    CloseSeason,
    Confirm,
    DecidePlayoff,
    DropSeason,
    Enter,
    MovePlayer,
    Penalize,
    Remind,
    ReopenResult,
    ReopenSeason,
    SetResult,
    SubstitutePlayer,
    Withdraw,
)
from turnserver.league.formats.knockout import Drawn
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings, TierSize, WhenUnfinished

FAY, GUS, HAL, IDA = map(PlayerId, (16, 17, 18, 19))
EIGHT = (ADA, BOB, CLEO, DAN, EVE, FAY, GUS, HAL)
DECISIVE = (Mark.WIN, Mark.LOSS, Mark.DRAW)


def divisions() -> League:
    """Two divisions where everybody meets everybody, with a ready check, and all that an admin may do; twice."""
    league = League(Settings())
    settings = Settings(
        tiers=(TierSize(size=4, moves=1), TierSize(size=4)),
        ready_hours=24,
        entry_days=4,
        next_days=7,
        round_days=20,
        at_once=2,
        most=8,
        tie_breaks=(TieBreak.WINS, TieBreak.LOTS),
    )
    league.do(ChangeSettings(settings, "as we agreed", "2d"), AnnounceSeason(day(4)))
    league.do(*(Enter(player, 1500.0 + 10 * (player % 3)) for player in (*EIGHT, IDA)), Withdraw(BOB), Enter(BOB, 1490.0))
    league.do(MovePlayer(HAL, 1, "he is strong"), BarPair((ADA, EVE)), BarPair((ADA, EVE), barred=False), BarPair((CLEO, DAN)))
    league.now = day(5)
    league.do(CheckLeague(), *(Confirm(player) for player in (*EIGHT, IDA) if player != EVE))
    league.now = day(6) + timedelta(minutes=1)
    league.do(CheckLeague())
    random = Random(5)  # noqa: S311  # no secret
    first, *_ = league.open_games()
    league.now = day(7)
    league.do(CarryResult(first.number, (Mark.WIN, Mark.LOSS), day(6.5)))
    league.do(ReopenResult(first.number), CarryResult(first.number, (Mark.LOSS, Mark.WIN), day(7)))
    league.do(SetResult(first.number, (Mark.DRAW, Mark.DRAW), "it was a draw"))
    league.do(Penalize(first.players[0], "1/2", "late"), SubstitutePlayer(first.players[1], PlayerId(77), Burden.SUBSTITUTE, "ill"))
    league.do(Withdraw(next(line for line in league.season.divisions[0].players if line not in first.players)))
    play(league, random, 3)
    league.do(Remind(), Remind(league.season.divisions[1].name))
    league.now = day(30)
    league.do(CheckLeague())
    league.now = day(31)
    league.do(CloseSeason("spring is here"), ReopenSeason("not yet"))
    while any(not fixture.marks for fixture in league.season.fixtures):
        play(league, random, 10)
    league.do(CheckLeague())
    late = next(fixture for fixture in league.season.fixtures if len(fixture.players) == 2 and fixture.marks[0] in DECISIVE)
    league.do(SetResult(late.number, (Mark.WIN_BY_FORFEIT, Mark.FORFEIT), "the log was wrong"))
    line = next(line for line in league.season.divisions[0].players if line not in league.season.withdrawn)
    league.do(Penalize(league.season.who(line), "1", "as found later"))
    assert league.state.next_at
    league.now = league.state.next_at + timedelta(hours=2)
    league.do(CheckLeague())
    league.do(DropSeason("rain"), AnnounceSeason())
    return league


def play(league: League, random: Random, most: int) -> None:
    """So many games end, one an hour."""
    for _ in range(most):
        league.open_games()
        league.now += timedelta(hours=1)
        running = [fixture for fixture in league.season.fixtures if fixture.game is not None and not fixture.marks]
        if running:
            mark = random.choice(DECISIVE)
            league.result(random.choice(running).number, mark)


def swiss() -> League:
    """Bands, a bye, deadlines at which whoever has the turn loses, and a playoff."""
    settings = Settings(
        format=Format.MCMAHON,
        bounds=(1500, 1700),
        rounds=2,
        round_days=7,
        round_every=9,
        when_unfinished=WhenUnfinished.FORFEIT,
        least=2,
        most=5,
        tie_breaks=(TieBreak.PLAYOFF,),
    )
    league = League(settings)
    league.do(AnnounceSeason(day(3), starts_at=day(4)))
    league.do(*(Enter(player, 1450.0 + 50 * at, by_admin=at == 2) for at, player in enumerate(EIGHT[:6])))
    league.now = day(4)
    ratings = {ADA: 1710.0}
    league.do(CheckLeague(ratings))
    league.open_games()
    late = next(fixture for fixture in league.season.fixtures if len(fixture.players) == 2)
    assert late.game is not None
    league.now = day(12)
    league.do(CheckLeague({}, {late.game: late.players[1]}))
    league.now = day(13)
    league.do(CheckLeague())
    league.open_games()
    for fixture in league.season.fixtures:
        if not fixture.marks:
            league.result(fixture.number, Mark.DRAW)
    while found := playoffs_due(league.state, league.season):
        division, tied = found[0]
        league.do(DecidePlayoff(division.name, tuple(tied.players)))
    league.do(CheckLeague())
    return league


def cup() -> League:
    """Lots where nobody wins, and two who are not to meet."""
    settings = Settings(
        format=Format.KNOCKOUT, replays=0, cup_draw=Drawn.LOTS, least=2, third_place=True, round_days=5, next_days=0, entry_days=0
    )
    league = League(settings, Lots(bytes([3]) * 32))
    league.do(BarPair((DAN, ADA)))
    league.begin((ADA, BOB, CLEO, DAN, EVE), (1800, 1700, 1600, 1500, 1400))
    for at in range(1, 9):
        league.now = day(at)
        league.open_games()
        if running := [fixture for fixture in league.season.fixtures if fixture.game is not None and not fixture.marks]:
            league.result(running[0].number, Mark.DRAW if at % 2 else Mark.WIN)
            if not [fixture for fixture in league.season.fixtures if not fixture.marks]:
                league.do(CheckLeague())
    return league


def ladder() -> League:
    """Challenges, who comes late and who waits, who leaves and who drops, until there are no more challenges."""
    settings = Settings(format=Format.LADDER, rest_days=0, idle_days=10, season_days=40, most=5, round_days=14, next_days=3)
    league = League(settings)
    league.begin((ADA, BOB, CLEO, DAN), (1800, 1700, 1600, 1500))
    league.now = day(1)
    league.do(Challenge(CLEO, BOB), Enter(EVE, 1400.0), Enter(FAY, 1500.0), SubstitutePlayer(DAN, GUS, Burden.NONE, "on leave"))
    league.open_games()
    league.now = day(2)
    league.do(Withdraw(ADA), Challenge(GUS, CLEO), Challenge(EVE, GUS))
    league.open_games()
    for number, mark in ((1, Mark.WIN), (2, Mark.DRAW)):
        league.now += timedelta(hours=5)
        fixture = league.season.fixtures[number - 1]
        own = mark if fixture.players[0] == fixture.challenger else OTHER_SIDE[mark]
        league.do(CarryResult(number, (own, OTHER_SIDE[own]), league.now))
    league.do(ReopenResult(2))
    for at in (13, 16.5, 25, 41):
        league.now = day(at)
        league.do(CheckLeague())
    league.do(SetResult(2, (Mark.WIN, Mark.LOSS), "as both say"), SetResult(3, (Mark.LOSS, Mark.WIN), "as one says"))
    league.do(CheckLeague())
    return league


def tables() -> League:
    """Tables of four, at one of which somebody has left when the time is up."""
    settings = Settings(format=Format.TABLES, rounds=2, round_days=10, when_unfinished=WhenUnfinished.FORFEIT, least=4)
    league = League(settings, game="sneaky-octopuses")
    league.begin((*EIGHT, IDA))
    league.open_games()
    first, second, *_ = (fixture for fixture in league.season.fixtures if len(fixture.players) == 4)
    assert first.game is not None
    assert second.game is not None
    league.now = day(3)
    league.placed(second.number, 1, 2, 2, 4)
    league.do(Withdraw(first.players[3]))
    league.now = day(10) + timedelta(minutes=5)
    league.do(CheckLeague({}, {first.game: first.players[0]}, {first.game: frozenset({first.players[2]})}))
    league.now = day(21)
    league.do(CheckLeague())
    return league


HISTORIES: Mapping[str, Callable[[], League]] = {
    "divisions": divisions,
    "swiss": swiss,
    "cup": cup,
    "ladder": ladder,
    "tables": tables,
}
