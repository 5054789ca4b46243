"""Leagues in which everything happens that can, each event of every kind at least once in one of them."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from random import Random

from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League, day
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league.closing import playoffs_due
from turnserver.league.events import Role
from turnserver.league.formats.knockout import Drawn
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Approval, Format, Pace, Settings, TierSize, WhenUnfinished
from turnserver.league.state import Phase

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
    league.do(c.ChangeSettings(settings, "as we agreed", "2d"), c.AnnounceSeason(day(4)))
    league.do(*(c.Enter(player, 1500.0 + 10 * (player % 3)) for player in (*EIGHT, IDA)), c.Withdraw(BOB), c.Enter(BOB, 1490.0))
    league.do(c.MovePlayer(HAL, 1, "strong"), c.BarPair((ADA, EVE)), c.BarPair((ADA, EVE), barred=False), c.BarPair((CLEO, DAN)))
    league.do(c.GiveRole(IDA, Role.ARBITER, "she knows the rules"), c.GiveRole(EVE, Role.SECRETARY, "she knows everybody"))
    league.do(c.TakeRole(EVE, Role.SECRETARY, "she moves away"))
    league.now = day(5)
    league.do(c.CheckLeague(), *(c.Confirm(player) for player in (*EIGHT, IDA) if player != EVE))
    league.now = day(6) + timedelta(minutes=1)
    league.do(c.CheckLeague())
    random = Random(5)  # noqa: S311  # no secret
    first, *_ = league.open_games()
    league.now = day(7)
    league.do(c.CarryResult(first.number, (Mark.WIN, Mark.LOSS), day(6.5)))
    league.do(c.ReopenResult(first.number), c.CarryResult(first.number, (Mark.LOSS, Mark.WIN), day(7)))
    league.actor = f"player-{IDA}"
    league.do(c.SetResult(first.number, (Mark.DRAW, Mark.DRAW), "it was a draw"))
    league.actor = ""
    league.do(c.Penalize(first.players[0], "1/2", "late"), c.SubstitutePlayer(first.players[1], PlayerId(77), Burden.SUBSTITUTE, "ill"))
    gone = next(line for line in league.season.divisions[0].players if line not in first.players)
    league.do(c.Withdraw(gone), c.ReturnPlayer(gone, "a typo"), c.Withdraw(gone))
    play(league, random, 3)
    later = [one.number for one in league.season.fixtures if not one.marks][:2]
    league.do(c.MoveDeadlines(dict.fromkeys(later, day(25)), "the holidays"))
    league.do(c.Remind(), c.Remind(league.season.divisions[1].name))
    league.now = day(30)
    league.do(c.CheckLeague())
    league.now = day(31)
    league.do(c.CloseSeason("spring is here"), c.ReopenSeason("not yet"))
    while any(not fixture.marks for fixture in league.season.fixtures):
        play(league, random, 10)
    league.do(c.CheckLeague())
    late = next(fixture for fixture in league.season.fixtures if len(fixture.players) == 2 and fixture.marks[0] in DECISIVE)
    league.do(c.SetResult(late.number, (Mark.WIN_BY_FORFEIT, Mark.FORFEIT), "the log was wrong"))
    line = next(line for line in league.season.divisions[0].players if line not in league.season.withdrawn)
    league.do(c.Penalize(league.season.who(line), "1", "as found later"))
    assert league.state.next_at
    league.now = league.state.next_at + timedelta(hours=2)
    league.do(c.CheckLeague())
    league.do(c.DropSeason("rain"), c.AnnounceSeason())
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
    league.do(c.AnnounceSeason(day(3), starts_at=day(4)))
    league.do(*(c.Enter(player, 1450.0 + 50 * at, by_admin=at == 2) for at, player in enumerate(EIGHT[:6])))
    league.now = day(4)
    ratings = {ADA: 1710.0}
    league.do(c.CheckLeague(ratings))
    league.open_games()
    late = next(fixture for fixture in league.season.fixtures if len(fixture.players) == 2)
    assert late.game is not None
    league.now = day(12)
    league.do(c.CheckLeague({}, {late.game: late.players[1]}))
    league.now = day(13)
    league.do(c.CheckLeague())
    league.open_games()
    for fixture in league.season.fixtures:
        if not fixture.marks:
            league.result(fixture.number, Mark.DRAW)
    while found := playoffs_due(league.state, league.season):
        division, tied = found[0]
        league.do(c.DecidePlayoff(division.name, tuple(tied.players)))
    league.do(c.CheckLeague())
    return league


def cup() -> League:
    """Lots where nobody wins, and two who are not to meet."""
    settings = Settings(
        format=Format.KNOCKOUT, replays=0, cup_draw=Drawn.LOTS, least=2, third_place=True, round_days=5, next_days=0, entry_days=0
    )
    league = League(settings, Lots(bytes([3]) * 32))
    league.do(c.BarPair((DAN, ADA)))
    league.begin((ADA, BOB, CLEO, DAN, EVE), (1800, 1700, 1600, 1500, 1400))
    for at in range(1, 9):
        league.now = day(at)
        league.open_games()
        if running := [fixture for fixture in league.season.fixtures if fixture.game is not None and not fixture.marks]:
            league.result(running[0].number, Mark.DRAW if at % 2 else Mark.WIN)
            if not [fixture for fixture in league.season.fixtures if not fixture.marks]:
                league.do(c.CheckLeague())
    return league


def ladder() -> League:
    """Challenges, who comes late and who waits, who leaves and who drops, until there are no more challenges."""
    settings = Settings(format=Format.LADDER, rest_days=0, idle_days=10, season_days=40, most=5, round_days=14, next_days=3)
    league = League(settings)
    league.begin((ADA, BOB, CLEO, DAN), (1800, 1700, 1600, 1500))
    league.now = day(1)
    league.do(c.Challenge(CLEO, BOB), c.Enter(EVE, 1400.0), c.Enter(FAY, 1500.0), c.SubstitutePlayer(DAN, GUS, Burden.NONE, "on leave"))
    league.open_games()
    league.now = day(2)
    league.do(c.Withdraw(ADA), c.Challenge(GUS, CLEO), c.Challenge(EVE, GUS))
    league.open_games()
    for number, mark in ((1, Mark.WIN), (2, Mark.DRAW)):
        league.now += timedelta(hours=5)
        fixture = league.season.fixtures[number - 1]
        own = mark if fixture.players[0] == fixture.challenger else OTHER_SIDE[mark]
        league.do(c.CarryResult(number, (own, OTHER_SIDE[own]), league.now))
    league.do(c.ReopenResult(2))
    for at in (13, 16.5, 25, 41):
        league.now = day(at)
        league.do(c.CheckLeague())
    league.do(c.SetResult(2, (Mark.WIN, Mark.LOSS), "as both say"), c.SetResult(3, (Mark.LOSS, Mark.WIN), "as one says"))
    league.do(c.CheckLeague())
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
    league.do(c.Withdraw(first.players[3]))
    league.now = day(10) + timedelta(minutes=5)
    league.do(c.CheckLeague({}, {first.game: first.players[0]}, {first.game: frozenset({first.players[2]})}))
    league.now = day(21)
    league.do(c.CheckLeague())
    return league


def put_right() -> League:
    """Everything that a director puts right in a season."""
    league = League(Settings(pace=Pace.ROUND_BY_ROUND, round_days=10))
    league.begin((ADA, BOB, CLEO, DAN), (1800, 1700, 1600, 1500))
    league.open_games()
    league.do(c.Withdraw(ADA))
    play(league, Random(5), 1)  # noqa: S311  # no secret
    league.do(c.CheckLeague(), c.ReturnPlayer(ADA, "a typo"), c.Admit(EVE, 1500.0, "the post was late", c.Past.FORFEIT))
    league.do(c.CancelSeason("by mistake"), c.ReopenSeason("it was none"), c.PauseSeason("the holidays"))
    league.now += timedelta(days=2)
    league.do(c.ResumeSeason("all are back"), c.SendWords("5d" * 32), c.SendWords("6e" * 32, "1", 1))
    league.do(c.MoveDeadlines({one.number: day(30) for one in league.season.fixtures if not one.marks}, "the holidays"))
    while league.season.phase is Phase.RUNNING:
        play(league, Random(6), 1)  # noqa: S311  # no secret
        league.refusal(c.CheckLeague())
    return league


def paired_again() -> League:
    """A Swiss event whose second round is paired anew, by the rules and by hand."""
    league = League(Settings(format=Format.SWISS, rounds=3, round_days=10))
    league.begin((ADA, BOB, CLEO, DAN, EVE), (1800, 1700, 1600, 1500, 1400))
    play(league, Random(5), 2)  # noqa: S311  # no secret
    league.do(c.CheckLeague())
    league.open_games()
    league.do(c.Admit(FAY, 1750.0, "the post was late", c.Past.HALF), c.PairAgain("1", "with Fay"))
    league.do(c.AskBye(BOB), c.AskBye(CLEO, 3, "1/2", "ill"), c.AskBye(DAN), c.DropBye(DAN))
    league.open_games()
    league.do(c.PairAgain("1", "as they wish", ((FAY, ADA), (EVE, DAN))))
    while league.season.phase is Phase.RUNNING:
        play(league, Random(6), 1)  # noqa: S311  # no secret
        league.refusal(c.CheckLeague())
    return league


def approved() -> League:
    """A director approves pairings and the final table, or lets their time pass."""
    settings = Settings(
        format=Format.SWISS, rounds=2, round_days=10, approve=(Approval.PAIRINGS, Approval.TABLE), approve_hours=48, next_days=1
    )
    league = League(settings)
    league.begin((ADA, BOB, CLEO, DAN), (1800, 1700, 1600, 1500))
    league.do(c.PairAgain("1", "as they wish", ((BOB, ADA),)), c.Approve("1", 1))
    while league.season.phase is Phase.RUNNING:
        play(league, Random(5), 1)  # noqa: S311  # no secret
        league.now += timedelta(days=1)
        league.refusal(c.CheckLeague())
    league.now += timedelta(days=2)
    league.do(c.CheckLeague(), c.StartSeason(), c.Approve())
    play(league, Random(6), 2)  # noqa: S311  # no secret
    league.do(c.CheckLeague(), c.Approve(None, 2))
    play(league, Random(7), 2)  # noqa: S311  # no secret
    league.do(c.CheckLeague(), c.Approve())
    return league


def moved() -> League:
    """An admin moves the dates of seasons, renames the league and archives it for a time."""
    league = League(Settings(pace=Pace.TOGETHER, round_every=7, ready_hours=24))
    league.do(c.AnnounceSeason(day(10), starts_at=day(14)), c.RenameLeague("Spring", "the winter is over"))
    league.do(c.MoveSeason(day(11), day(20), "the holidays"), *(c.Enter(player, 1500.0) for player in (ADA, BOB, CLEO)))
    league.do(c.StartSeason(), c.MoveSeason(day(11), day(18), "all are there"), *(c.Confirm(player) for player in (ADA, BOB, CLEO)))
    league.now = day(18)
    league.do(c.CheckLeague(), c.MoveRounds(timedelta(days=3), "a feast"), c.MoveRounds(timedelta(days=-1), "a short one"))
    while league.season.phase is Phase.RUNNING:
        play(league, Random(5), 1)  # noqa: S311  # no secret
        league.now += timedelta(days=1)
        league.refusal(c.CheckLeague())
    league.do(c.ArchiveLeague("nobody plays"), c.ArchiveLeague("some do", archived=False))
    league.do(c.AnnounceSeason())
    return league


def divided() -> League:
    """A player moves to another division and back, and a division is split; where all meet, and in a Swiss event."""
    league = League(Settings(round_days=10, tiers=(TierSize(size=3), TierSize(size=3)), next_days=1))
    league.begin((ADA, BOB, CLEO, DAN, EVE, FAY), (1800, 1700, 1600, 1500, 1400, 1300))
    play(league, Random(5), 3)  # noqa: S311  # no secret
    league.do(c.Divide({CLEO: "2"}, "by mistake"), c.Divide({CLEO: "1"}, "it was one"), c.Withdraw(FAY))
    league.do(c.Divide(dict.fromkeys((DAN, EVE), "1"), "too few"))
    play(league, Random(6), 2)  # noqa: S311  # no secret
    league.do(c.Divide(dict.fromkeys((ADA, EVE), "1.2"), "too many"))
    to_the_end(league, Random(7))  # noqa: S311  # no secret
    league.do(c.ChangeSettings(Settings(format=Format.SWISS, rounds=3, tiers=(TierSize(size=4), TierSize(size=2))), "shorter"))
    league.begin((), ())
    league.open_games()
    league.do(c.Divide({league.season.divisions[0].players[0]: league.season.divisions[1].name}, "too strong"))
    to_the_end(league, Random(8))  # noqa: S311  # no secret
    return league


def undone() -> League:
    """Late entries are undone, where all meet and in a Swiss event, of which somebody asks for byes before it begins."""
    league = League(Settings(pace=Pace.ROUND_BY_ROUND, round_days=10, next_days=1))
    league.begin((ADA, BOB, CLEO), (1800, 1700, 1600))
    league.do(c.Admit(DAN, 1500.0, "the post was late", c.Past.PLAY), c.Admit(EVE, 1400.0, "the post was late", c.Past.FORFEIT))
    league.open_games()
    league.do(c.UndoAdmission(EVE, "the wrong Eve"), c.Withdraw(DAN), c.UndoAdmission(DAN, "the wrong Dan"))
    to_the_end(league, Random(5))  # noqa: S311  # no secret
    league.do(c.ChangeSettings(Settings(format=Format.SWISS, rounds=3, ready_hours=24), "shorter"), c.AnnounceSeason())
    league.do(c.Enter(DAN, 1500.0), c.Enter(FAY, 1450.0), c.AskBye(CLEO), c.AskBye(BOB, 2), c.AskBye(ADA, 3))
    league.do(c.StartSeason(), c.DropBye(ADA), *(c.Confirm(player) for player in (ADA, BOB, CLEO, DAN, FAY)), c.StartSeason())
    league.do(c.Admit(EVE, 1550.0, "the post was late", c.Past.HALF), c.PairAgain("1", "with Eve"))
    league.open_games()
    league.do(c.UndoAdmission(EVE, "the wrong Eve"))
    to_the_end(league, Random(6))  # noqa: S311  # no secret
    return league


def to_the_end(league: League, random: Random) -> None:
    while league.season.phase is Phase.RUNNING:
        play(league, random, 1)
        league.refusal(c.CheckLeague())


HISTORIES: Mapping[str, Callable[[], League]] = {
    "divisions": divisions,
    "swiss": swiss,
    "cup": cup,
    "ladder": ladder,
    "tables": tables,
    "put right": put_right,
    "paired again": paired_again,
    "approved": approved,
    "moved": moved,
    "divided": divided,
    "undone": undone,
}
