"""A ladder as a season: challenges, newcomers, idle players, and how it ends and goes on."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from random import Random

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.league.seasons import ADA, BOB, CLEO, DAN, DECISIVE, EVE, LEAGUES, League, day
from turnserver.audit.league.recheck import recheck
from turnserver.errors import NotAllowed
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.decide import decide
from turnserver.league.entering import waiting
from turnserver.league.evolve import fold
from turnserver.league.formats.formats import rounds_due
from turnserver.league.formats.ladder import replayed
from turnserver.league.pairing import openable
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.standings import division_table
from turnserver.league.settings import Format, Settings, WhenUnfinished
from turnserver.league.state import LeagueState, Phase

FIVE = (ADA, BOB, CLEO, DAN, EVE)
FAY, GUS = PlayerId(16), PlayerId(17)
LADDER = Settings(format=Format.LADDER, rest_days=0, idle_days=0, late_drop=0, remind_percent=0)
NAMES = {**dict(zip(FIVE, "abcde", strict=True)), FAY: "f", GUS: "g"}


def ladder(settings: Settings = LADDER, players: Sequence[PlayerId] = FIVE) -> League:
    """Begun on the first day, the strongest first."""
    league = League(settings)
    league.begin(players, [2000 - player for player in players])
    return league


def order(league: League) -> str:
    return "".join(NAMES[player] for player in league.season.order)


def played(league: League, challenger: PlayerId, opponent: PlayerId, mark: Mark = Mark.WIN) -> int:
    """A challenge, and what it was to the challenger; the number of its meeting."""
    league.do(c.Challenge(challenger, opponent))
    over(league, mark)
    return len(league.season.fixtures)


def over(league: League, mark: Mark, meeting: int = 0) -> None:
    """The end of a meeting, or of the last one: what it was to the challenger."""
    fixture = league.season.fixtures[meeting - 1]
    own = mark if fixture.players[0] == fixture.challenger else OTHER_SIDE[mark]
    league.do(c.CarryResult(fixture.number, (own, OTHER_SIDE[own]), league.now))


def after_days(league: League, days: float) -> League:
    league.now = day(days)
    return league


def test_a_ladder_begins_in_the_order_of_strength() -> None:
    league = ladder(players=FIVE[::-1])
    assert order(league) == "abcde"
    assert (due(league.state), openable(league.state, league.season)) == (None, ())
    assert rounds_due(league.state, league.season, league.season.divisions[0]) == 0


def test_a_challenge_is_a_meeting_whose_game_can_be_opened() -> None:
    league = after_days(ladder(replace(LADDER, round_days=20)), 35)
    (made,) = league.do(c.Challenge(DAN, ADA))
    assert isinstance(made, e.ChallengeMade)
    assert (made.meeting, made.round, made.challenger, sorted(made.players)) == (1, 2, DAN, [ADA, DAN])
    assert (made.at, made.deadline, made.division) == (day(35), day(55), "1")
    assert openable(league.state, league.season) == league.season.fixtures
    assert league.do(c.AttachGame(1, GameId(7))) == [e.GameAttached(meeting=1, game=GameId(7))]
    assert rounds_due(league.state, league.season, league.season.divisions[0]) == 2


def test_months_do_not_go_back() -> None:
    league = after_days(ladder(), 35)
    league.do(c.Challenge(DAN, ADA))
    after_days(league, 1).do(c.Challenge(EVE, BOB))
    assert [fixture.round for fixture in league.season.fixtures] == [2, 2]


def test_results_move_players() -> None:
    league = ladder()
    played(league, DAN, BOB)
    assert order(league) == "adbce"
    played(league, BOB, ADA, Mark.LOSS)
    assert order(league) == "adbce"


def test_the_table_is_the_order() -> None:
    league = ladder()
    played(league, DAN, BOB)
    played(league, EVE, CLEO, Mark.DRAW)
    table = division_table(league.state, league.season, league.season.divisions[0])
    told = [(one.place, one.player, str(one.figures[0].value)) for one in table.standings]
    assert (told, table.open) == ([(1, ADA, "0"), (2, DAN, "1"), (3, BOB, "0"), (4, CLEO, "1/2"), (5, EVE, "1/2")], ())


def test_who_has_left_stands_below_in_the_table_alone() -> None:
    league = ladder()
    league.do(c.Withdraw(BOB), c.Withdraw(ADA), c.CloseSeason("enough"))
    told = [(line.place, NAMES[line.player], line.left) for line in league.state.last[0].lines]
    assert told == [(1, "c", False), (2, "d", False), (3, "e", False), (4, "b", True), (4, "a", True)]


def test_a_challenger_whose_defender_leaves_has_beaten_them() -> None:
    """The first challenge counts first, and a place is no less won since its holder ran away."""
    league = ladder()
    league.do(c.Challenge(DAN, ADA), c.Challenge(BOB, ADA), c.Challenge(EVE, CLEO))
    events = league.do(c.Withdraw(ADA))
    assert [type(event) for event in events] == [e.ResultRecorded, e.ResultRecorded, e.PlayerWithdrawn]
    assert order(league) == "dbce"
    league.do(c.ReturnPlayer(ADA, "a typo"))
    assert order(league) == "abcde"
    assert [one.marks for one in league.season.fixtures] == [(), (), ()]


def test_of_an_old_withdrawal_the_challenges_are_void_and_the_audit_takes_it() -> None:
    league = ladder()
    league.do(c.Challenge(DAN, ADA))
    events = league.do(c.Withdraw(ADA, results_first=False))
    assert [type(event) for event in events] == [e.PlayerWithdrawn, e.ResultRecorded]
    assert order(league) == "bcde"
    assert list(recheck(league.rows)) == []
    LEAGUES.clear()


def test_who_has_moved_first_less_often_does() -> None:
    league = ladder()
    played(league, DAN, BOB, Mark.LOSS)
    first, second = league.season.fixtures[0].players
    # Between these two, the next game is the other way round; whoever has the second seat now is due the first one against anybody else.
    played(league, DAN, BOB, Mark.LOSS)
    assert league.season.fixtures[1].players == (second, first)
    # A game that nobody came to has no seats.
    league.do(c.SetResult(2, (Mark.FORFEIT, Mark.FORFEIT), "nobody came"))
    played(league, DAN, BOB, Mark.LOSS)
    assert league.season.fixtures[2].players == (second, first)


def test_lots_say_who_moves_first_in_the_first_game() -> None:
    seats = set()
    for secret in range(6):
        lots = Lots(bytes([secret] * 32))
        league = League(LADDER, lots)
        league.begin(FIVE)
        higher, lower = league.season.order[:2]
        league.do(c.Challenge(lower, higher))
        assert league.season.fixtures[0].players == lots.drawn(1, "first move of meeting 1", (lower, higher))
        seats.add(league.season.fixtures[0].players.index(lower))
    assert seats == {0, 1}


def barred() -> League:
    league = ladder()
    league.do(c.BarPair((CLEO, BOB)))
    return league


def resting() -> League:
    league = ladder(replace(LADDER, rest_days=7))
    played(league, BOB, ADA, Mark.LOSS)
    return league


def busy() -> League:
    league = ladder()
    league.do(c.Challenge(DAN, BOB), c.Challenge(DAN, CLEO), c.Challenge(CLEO, BOB))
    return league


def left() -> League:
    league = ladder()
    league.do(c.Withdraw(CLEO))
    return league


def substituted() -> League:
    league = ladder()
    league.do(c.SubstitutePlayer(CLEO, FAY, Burden.SUBSTITUTE, "ill"))
    return league


def round_robin() -> League:
    league = League(Settings())
    league.begin(FIVE)
    return league


def announced() -> League:
    league = League(LADDER)
    league.do(c.AnnounceSeason())
    return league


def late() -> League:
    return after_days(ladder(replace(LADDER, season_days=100)), 100)


def ended() -> League:
    league = late()
    league.now = day(99)
    league.do(c.Challenge(EVE, DAN))
    after_days(league, 100).do(c.CheckLeague())
    return league


REFUSED: list[tuple[Callable[[], League], c.Challenge, str]] = [
    (lambda: League(LADDER), c.Challenge(CLEO, BOB), "no_season"),
    (announced, c.Challenge(CLEO, BOB), "season_not_begun"),
    (round_robin, c.Challenge(CLEO, BOB), "no_ladder"),
    (late, c.Challenge(CLEO, BOB), "challenges_ended"),
    (ended, c.Challenge(CLEO, BOB), "challenges_ended"),
    (lambda: after_days(ended(), 98), c.Challenge(CLEO, BOB), "challenges_ended"),
    (ladder, c.Challenge(FAY, BOB), "not_on_ladder"),
    (ladder, c.Challenge(BOB, FAY), "not_on_ladder"),
    (left, c.Challenge(CLEO, BOB), "not_on_ladder"),
    (left, c.Challenge(DAN, CLEO), "not_on_ladder"),
    (substituted, c.Challenge(CLEO, BOB), "not_on_ladder"),
    (substituted, c.Challenge(DAN, CLEO), "not_on_ladder"),
    (ladder, c.Challenge(BOB, BOB), "not_above"),
    (ladder, c.Challenge(BOB, CLEO), "not_above"),
    (ladder, c.Challenge(EVE, ADA), "out_of_reach"),
    (busy, c.Challenge(DAN, BOB), "open_already"),
    (busy, c.Challenge(DAN, ADA), "too_many_games"),
    (busy, c.Challenge(EVE, BOB), "too_many_defences"),
    (resting, c.Challenge(CLEO, ADA), "resting"),
    (barred, c.Challenge(CLEO, BOB), "barred"),
]


@for_each(("made", "command", "code"), REFUSED, ids=[f"{code}-{at}" for at, (*_, code) in enumerate(REFUSED)])
def test_what_nobody_may_challenge(made: Callable[[], League], command: c.Challenge, code: str) -> None:
    league = made()
    assert league.refusal(command) == code


def open_to(league: League, player: PlayerId) -> list[PlayerId]:
    """The players whom a player may challenge now, the highest first."""

    def refused(one: PlayerId) -> bool:
        try:
            decide(league.state, c.Challenge(player, one), league.now, league.lots)
        except NotAllowed:
            return True
        return False

    return [one for one in map(league.season.who, league.season.order) if not refused(one)]


def test_whom_one_may_challenge() -> None:
    assert open_to(busy(), EVE) == [CLEO, DAN]
    assert open_to(barred(), CLEO) == [ADA]
    assert open_to(substituted(), EVE) == [BOB, FAY, DAN]
    assert open_to(substituted(), FAY) == [ADA, BOB]


def test_a_substitute_plays_for_the_line() -> None:
    league = substituted()
    played(league, FAY, BOB)
    assert order(league) == "acbde"
    played(league, BOB, FAY)
    assert order(league) == "abcde"


def test_whoever_comes_while_it_runs_stands_at_the_bottom() -> None:
    league = ladder()
    assert league.do(c.Enter(FAY, 1900)) == [e.PlayerJoined(player=FAY, rating=1900.0, at=day(0))]
    assert order(league) == "abcdef"
    played(league, FAY, CLEO)
    assert order(league) == "abfcde"
    league.do(c.CloseSeason("enough"))
    assert (league.state.ratings[FAY], league.state.last[0].lines[2]) == (1900.0, e.FinalLine(place=3, player=FAY, points="1"))


def test_whoever_leaves_may_come_again() -> None:
    league = ladder()
    league.do(c.Challenge(CLEO, BOB))
    assert league.do(c.Withdraw(CLEO))[-1] == e.PlayerWithdrawn(player=CLEO, struck=False, at=day(0))
    assert (order(league), league.season.fixtures[0].by) == ("abde", e.DecidedBy.WITHDRAWAL)
    league.do(c.Enter(CLEO, 1400))
    assert (order(league), league.season.withdrawn) == ("abdec", ())
    league.do(
        c.SetResult(1, tuple(Mark.WIN if one == CLEO else Mark.LOSS for one in league.season.fixtures[0].players), "played after all")
    )
    assert order(league) == "abdec"
    assert [entry.rating for entry in league.season.entries if entry.player == CLEO] == [1400.0]


RATED = replace(LADDER, rating_from=1400, most=5)


def full() -> League:
    """Cleo has left, Gus has come for her, and Fay waits."""
    league = ladder(replace(RATED, ready_hours=2))
    league.do(*(c.Confirm(player) for player in FIVE), c.StartSeason(), c.Enter(GUS, 1600), c.Withdraw(CLEO), c.Enter(FAY, 1500))
    return league


def test_who_waits_joins_when_somebody_leaves() -> None:
    league = ladder(RATED)
    assert league.do(c.Enter(GUS, 1600)) == [e.PlayerEntered(player=GUS, rating=1600.0), e.PlayerReady(player=GUS)]
    league.do(c.Enter(FAY, 1500))
    assert (order(league), waiting(league.state, league.season)) == ("abcde", (GUS, FAY))
    assert league.do(c.Withdraw(CLEO))[1:] == [e.PlayerJoined(player=GUS, rating=1600.0, at=day(0))]
    assert (order(league), waiting(league.state, league.season)) == ("abdeg", (FAY,))
    assert waiting(full().state, full().season) == (FAY,)


def test_nobody_joins_a_season_that_is_about_to_end() -> None:
    league = ladder(replace(RATED, season_days=100))
    league.do(c.Enter(GUS, 1600))
    assert len(after_days(league, 100).do(c.Withdraw(CLEO))) == 1


@for_each(
    ("made", "command", "code"),
    [
        (late, c.Enter(FAY, 1500), "entries_closed"),
        (ended, c.Enter(FAY, 1500), "entries_closed"),
        (ladder, c.Enter(ADA, 1500), "already_entered"),
        (substituted, c.Enter(FAY, 1500), "already_entered"),
        (substituted, c.Enter(CLEO, 1500), "plays_already"),
        (full, c.Enter(FAY, 1500), "already_entered"),
        (full, c.Enter(CLEO, 1500), "season_full"),
        (full, c.Withdraw(FAY), "nothing"),
        (lambda: ladder(replace(RATED, most=6)), c.Enter(FAY, 1399), "bad_rating"),
        (lambda: ladder(replace(RATED, most=6)), c.Enter(FAY, 1399, by_admin=True), "nothing"),
    ],
)
def test_who_may_come_late(made: Callable[[], League], command: c.Enter | c.Withdraw, code: str) -> None:
    assert made().refusal(command) == code


def test_a_correction_makes_the_order_again() -> None:
    league = ladder()
    meeting = played(league, DAN, BOB)
    played(league, EVE, DAN)
    assert order(league) == "aedbc"
    league.do(c.SetResult(meeting, (Mark.ANNULLED, Mark.ANNULLED), "agreed beforehand"))
    assert order(league) == "abced"
    league.do(c.CloseSeason("enough"))
    corrected = league.do(c.SetResult(meeting + 1, (Mark.DRAW, Mark.DRAW), "agreed too"))[-1]
    assert isinstance(corrected, e.TablesCorrected)
    assert [NAMES[line.player] for line in corrected.tables[0].lines] == list("abcde")


def test_a_game_that_goes_on_has_changed_nothing() -> None:
    league = ladder()
    meeting = played(league, DAN, BOB)
    league.do(c.ReopenResult(meeting))
    assert (order(league), league.refusal(c.Challenge(DAN, BOB))) == ("abcde", "open_already")
    over(league, Mark.WIN)
    assert order(league) == "adbce"


def test_what_ended_first_counts_first() -> None:
    league = ladder()
    league.do(c.Challenge(DAN, BOB), c.Challenge(EVE, DAN))
    after_days(league, 3)
    over(league, Mark.WIN, 1)
    league.now = day(2)
    over(league, Mark.WIN, 2)
    assert order(league) == "adbce"


IDLE = replace(LADDER, idle_days=60)


def test_who_plays_nothing_drops() -> None:
    league = ladder(IDLE)
    assert due(league.state) == day(60)
    after_days(league, 10)
    league.do(c.Challenge(CLEO, BOB))
    after_days(league, 70)
    assert league.do(c.CheckLeague()) == [e.PlayersSunk(players=(DAN, EVE), at=day(60))]
    assert (order(league), due(league.state)) == ("abcde", day(120))
    over(league, Mark.LOSS)
    after_days(league, 131)
    assert league.do(c.CheckLeague()) == [e.PlayersSunk(players=(DAN, EVE), at=day(120)), e.PlayersSunk(players=(BOB, CLEO), at=day(130))]
    assert order(league) == "adbce"


def test_a_season_ends_with_its_last_game() -> None:
    league = ladder(replace(IDLE, season_days=100, next_days=7))
    after_days(league, 55).do(c.Challenge(EVE, BOB))
    assert due(after_days(league, 61).state) == day(60)
    league.do(c.CheckLeague())
    assert due(league.state) == day(100)
    after_days(league, 130)
    assert league.do(c.CheckLeague()) == [e.ChallengesEnded(at=day(100))]
    assert (due(league.state), league.refusal(c.CheckLeague())) == (None, "nothing_due")
    over(league, Mark.WIN)
    (closed,) = league.do(c.CheckLeague())
    assert isinstance(closed, e.SeasonClosed)
    assert [NAMES[line.player] for line in closed.tables[0].lines] == list("aebcd")
    assert closed.next_at == day(137)


def test_the_next_season_begins_where_the_last_one_ended() -> None:
    league = ladder()
    played(league, EVE, BOB)
    league.do(c.Withdraw(CLEO), c.CloseSeason("enough"), c.AnnounceSeason(), c.Enter(FAY, 2500), c.Enter(CLEO, 2400))
    started = league.do(c.StartSeason())[0]
    assert isinstance(started, e.SeasonStarted)
    assert order(league) == "aebdfc"


def test_closing_leaves_what_is_not_over_without_result() -> None:
    league = ladder()
    league.do(c.Challenge(CLEO, BOB))
    first, closed = league.do(c.CloseSeason("enough"))
    assert isinstance(first, e.ResultRecorded)
    assert (first.by, first.marks, order(league)) == (e.DecidedBy.CLOSING, (Mark.NO_RESULT, Mark.NO_RESULT), "abcde")
    assert isinstance(closed, e.SeasonClosed)


@pytest.mark.parametrize(("policy", "expected"), [(WhenUnfinished.FORFEIT, "acdbe"), (WhenUnfinished.DRAW, "abcde")])
def test_a_challenge_is_to_be_played_in_time(policy: WhenUnfinished, expected: str) -> None:
    league = ladder(replace(LADDER, round_days=20, when_unfinished=policy, late_drop=1))
    league.do(c.Challenge(CLEO, BOB), c.AttachGame(1, GameId(1)))
    assert due(league.state) == day(20)
    after_days(league, 20).do(c.CheckLeague(turns={GameId(1): BOB}))
    assert order(league) == expected


def test_each_challenge_has_its_own_reminder() -> None:
    league = ladder(replace(LADDER, round_days=20, remind_percent=50))
    league.do(c.Challenge(CLEO, BOB))
    after_days(league, 4).do(c.Challenge(DAN, BOB))
    assert due(league.state) == day(10)
    assert after_days(league, 10).do(c.CheckLeague()) == [e.RoundReminded(division="1", round=1, meetings=(1,))]
    assert due(league.state) == day(14)
    assert after_days(league, 14).do(c.CheckLeague()) == [e.RoundReminded(division="1", round=1, meetings=(2,))]
    assert due(league.state) == day(20)


def test_an_admin_may_be_asked() -> None:
    league = ladder(replace(LADDER, round_days=20))
    league.do(c.Challenge(CLEO, BOB), c.Challenge(DAN, BOB))
    assert after_days(league, 20).do(c.CheckLeague()) == [e.RoundOverdue(division="1", round=1, meetings=(1, 2))]


def test_a_substitute_may_go_and_come_back_on_their_own() -> None:
    league = substituted()
    assert league.refusal(c.Enter(CLEO, 1500)) == "plays_already"
    league.do(c.SubstitutePlayer(FAY, CLEO, Burden.SEAT, "well again"), c.Enter(FAY, 1500))
    assert order(league) == "abcdef"
    league.do(c.Withdraw(CLEO), c.Enter(CLEO, 1500))
    assert order(league) == "abdefc"


def test_a_season_that_was_closed_too_early_goes_on() -> None:
    league = ladder()
    played(league, DAN, BOB)
    league.do(c.Challenge(EVE, DAN), c.CloseSeason("by mistake"), c.ReopenSeason("a mistake"))
    over(league, Mark.WIN)
    assert order(league) == "aedbc"


def test_a_ladder_may_become_empty_and_fill_again() -> None:
    league = ladder()
    league.do(*(c.Withdraw(player) for player in FIVE))
    assert (order(league), due(league.state), league.season.phase) == ("", None, Phase.RUNNING)
    league.do(c.Enter(FAY, 1500), c.Enter(ADA, 1500), c.Challenge(ADA, FAY))
    over(league, Mark.WIN)
    assert order(league) == "af"


class Climbers:
    """Seasons of a ladder at random: all that players, admins and the clock can do."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  # repeatable seasons, not secrets
        self.league = League(settings)
        self.league.begin([PlayerId(number) for number in range(1, 13)], [2000 - number for number in range(1, 13)])
        self.strangers = iter(map(PlayerId, range(100, 2000)))

    def season(self) -> None:
        """To the end of a season."""
        league = self.league
        while league.season.phase is Phase.RUNNING:
            league.now += timedelta(hours=self.random.randrange(1, 30))
            self.something()
            league.open_games()
            instant = due(league.state)
            if instant is not None and instant <= league.now:
                running = [one for one in league.season.fixtures if one.game is not None and not one.marks]
                league.do(c.CheckLeague(turns={one.game: self.random.choice(one.players) for one in running if one.game}))

    def something(self) -> None:
        league, random = self.league, self.random
        players = [league.season.who(line) for line in league.season.order]
        running = [one for one in league.season.fixtures if not one.marks]
        decided = [one for one in league.season.fixtures if one.marks]
        chance = random.random()
        if chance < 0.02 and len(players) > 6:
            league.do(c.Withdraw(random.choice(players)))
        elif chance < 0.05:
            league.refusal(c.Enter(random.choice([next(self.strangers), *league.season.withdrawn]), 1500))
        elif chance < 0.06 and players:
            league.do(c.SubstitutePlayer(random.choice(players), next(self.strangers), Burden.SUBSTITUTE, "ill"))
        elif chance < 0.09 and decided:
            fixture = random.choice(decided)
            league.refusal(c.ReopenResult(fixture.number))
            mark = random.choice([Mark.ANNULLED, Mark.WIN])
            league.refusal(c.SetResult(fixture.number, (mark, OTHER_SIDE[mark]), "on second thoughts"))
        elif chance < 0.6:
            player = random.choice(players)
            for opponent in open_to(league, player)[:1]:
                league.do(c.Challenge(player, opponent))
        elif running:
            mark = random.choice(DECISIVE)
            ended = league.now - timedelta(hours=random.randrange(48))
            league.do(c.CarryResult(random.choice(running).number, (mark, OTHER_SIDE[mark]), ended))


@pytest.fixture(scope="module", params=[3, 8])
def climbers(request: pytest.FixtureRequest) -> Climbers:
    """Two seasons."""
    found = Climbers(
        Settings(
            format=Format.LADDER,
            season_days=200,
            round_days=40,
            rest_days=3,
            idle_days=20,
            next_days=0,
            entry_days=0,
            draw_lifts=bool(request.param % 2),
            when_unfinished=WhenUnfinished.FORFEIT,
        ),
        request.param,
    )
    found.season()
    found.league.do(c.StartSeason())
    found.season()
    return found


def states(league: League) -> list[tuple[LeagueState, e.LeagueEvent, LeagueState]]:
    """Every event with the state before and after it."""
    found = []
    before = fold(league.events[:1])
    for event in league.events[1:]:
        after = fold([event], before)
        found.append((before, event, after))
        before = after
    return found


@pytest.mark.thorough
def test_seasons_have_everything_in_them(climbers: Climbers) -> None:
    kinds = {type(event) for event in climbers.league.events}
    assert kinds.issuperset({e.ChallengeMade, e.PlayersSunk, e.PlayerJoined, e.PlayerWithdrawn, e.ChallengesEnded, e.SeasonClosed})
    assert sum(isinstance(event, e.ChallengeMade) for event in climbers.league.events) > 100


def test_the_order_is_always_of_those_who_are_in(climbers: Climbers) -> None:
    for _, _, after in states(climbers.league):
        season = after.season
        if season is not None and season.phase is Phase.RUNNING:
            there = [player for player in season.divisions[0].players if player not in season.withdrawn]
            assert sorted(season.order) == sorted(there)


@pytest.mark.thorough
def test_nobody_is_challenged_beyond_the_limits(climbers: Climbers) -> None:
    for before, event, _ in states(climbers.league):
        if isinstance(event, e.ChallengeMade):
            season, settings = before.season, before.settings
            assert season is not None
            running = [one for one in season.fixtures if not one.marks]
            (defender,) = {*event.players} - {event.challenger}
            assert sum(one.challenger == event.challenger for one in running) < settings.challenges
            assert sum(defender in one.players and one.challenger != defender for one in running) < settings.defences
            above = season.order.index(event.challenger) - season.order.index(defender)
            assert 1 <= above <= settings.reach
            assert not any({*one.players} == {*event.players} for one in running)


@pytest.mark.thorough
def test_the_live_order_is_that_of_the_replay(climbers: Climbers) -> None:
    for _, _, after in states(climbers.league):
        if after.season is not None and after.season.climb is not None:
            assert after.season.climb.ladder == replayed(after.season.climb)


def test_the_next_season_goes_on_with_the_order(climbers: Climbers) -> None:
    for before, event, after in states(climbers.league):
        if isinstance(event, e.SeasonStarted) and before.last:
            assert after.season is not None
            assert [line.player for line in before.last[0].lines if not line.left] == list(after.season.order)
        if isinstance(event, e.SeasonClosed):
            assert before.season is not None
            there = [line.player for line in event.tables[0].lines if not line.left]
            assert there == [before.season.who(line) for line in before.season.order]
