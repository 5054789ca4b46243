"""Whole seasons with whatever may happen in them."""

from collections import Counter, defaultdict
from datetime import timedelta
from fractions import Fraction
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from tests.league.seasons import LOTS, League, ending
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.course import due
from turnserver.league.deadlines import still_open
from turnserver.league.entering import waiting
from turnserver.league.evolve import fold
from turnserver.league.formats.knockout import Drawn
from turnserver.league.scoring.lots import draw
from turnserver.league.scoring.marks import ON_THE_BOARD, USUAL, Mark
from turnserver.league.settings import CUPS, FIXED, Approval, Format, Pace, Seeding, Settings, TierSize, WhenUnfinished
from turnserver.league.state import Fixture, LeagueState, Phase, Season

pytestmark = pytest.mark.thorough

THREE_TIERS = (TierSize(size=4, moves=1), TierSize(size=4, divisions=2, moves=2), TierSize(size=4))
LEAGUES = {
    "round robin": Settings(tiers=THREE_TIERS, round_days=4, when_unfinished=WhenUnfinished.FORFEIT, at_once=2),
    "double round robin": Settings(
        format=Format.DOUBLE_ROUND_ROBIN, pace=Pace.ROUND_BY_ROUND, round_days=3, when_unfinished=WhenUnfinished.DRAW
    ),
    "dated": Settings(round_every=2, round_days=5, remind_percent=60, when_unfinished=WhenUnfinished.FORFEIT, most=12, tiers=THREE_TIERS),
    "swiss": Settings(format=Format.SWISS, rounds=5, round_days=3, when_unfinished=WhenUnfinished.NO_RESULT),
    "approved": Settings(
        format=Format.SWISS, rounds=4, round_days=3, approve=tuple(Approval), approve_hours=30, tiers=(TierSize(size=7), TierSize(size=8))
    ),
    "knockout": Settings(format=Format.KNOCKOUT, round_days=3, third_place=True, when_unfinished=WhenUnfinished.FORFEIT),
    "cup by lots": Settings(format=Format.KNOCKOUT, round_every=2, replays=0, cup_draw=Drawn.LOTS, seeding=Seeding.LOTS, most=13),
    "double knockout": Settings(format=Format.DOUBLE_KNOCKOUT, tiers=THREE_TIERS[1:], replays=1),
    "mcmahon": Settings(format=Format.MCMAHON, rounds=4, bounds=(1400, 1600), tiers=THREE_TIERS[:1] + THREE_TIERS[2:]),
    "tables of four": Settings(format=Format.TABLES, rounds=5, round_days=4, when_unfinished=WhenUnfinished.FORFEIT, at_once=2),
    "tables of three": Settings(
        format=Format.TABLES,
        pace=Pace.ROUND_BY_ROUND,
        rounds=6,
        seats=3,
        places=("5", "2", "1/2"),
        round_days=3,
        when_unfinished=WhenUnfinished.DRAW,
        tiers=(TierSize(size=7, moves=2), TierSize(size=4)),
    ),
}
SEVERAL = {"tables of four": 4, "tables of three": 3}
"""The number of players in the leagues whose games are not for two."""


class Driver:
    """Plays seasons at random: all that players, admins and the clock can do."""

    def __init__(self, name: str, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  # repeatable seasons, not secrets
        settings = replace(LEAGUES[name], next_days=5, ready_hours=24, entry_days=3)
        several = name in SEVERAL
        options = {"players": SEVERAL[name]} if several else {}
        self.league = League(settings, game="sneaky-octopuses" if several else "take", options=options)
        self.strangers = iter(map(PlayerId, range(1000, 2000)))

    def season(self) -> None:
        """One season, from its announcement to its end; the last one has to be over."""
        league = self.league
        league.now += timedelta(days=3)
        self._due()
        assert league.season.ready_until
        for entry in league.season.entries:
            if self.random.random() < 0.95:
                league.do(c.Confirm(entry.player))
        league.do(c.StartSeason())
        while league.season.phase is Phase.RUNNING:
            league.now += timedelta(hours=self.random.randrange(1, 8))
            self._something()
            self._due()

    def _due(self) -> None:
        league = self.league
        instant = due(league.state)
        if instant is not None and instant <= league.now:
            running = [fixture for fixture in league.season.fixtures if fixture.game is not None and not fixture.marks]
            league.do(c.CheckLeague(turns={one.game: self.random.choice(one.players) for one in running if one.game}))

    def _something(self) -> None:  # noqa: C901, PLR0912  # one branch for each thing that may happen
        league, random = self.league, self.random
        if random.random() < 0.1:
            league.refusal(c.Approve())
        league.open_games()
        running = [one for one in league.season.fixtures if one.game is not None and not one.marks]
        lines = [line for each in league.season.divisions for line in each.players if line not in league.season.withdrawn]
        chance = random.random()
        if chance < 0.04 and len(lines) > 4:
            league.do(c.Withdraw(league.season.who(random.choice(lines))))
        elif chance < 0.05 and league.season.withdrawn:
            self._put_right(random.choice(league.season.withdrawn))
        elif chance < 0.052:
            paused = league.season.paused_at is not None
            league.refusal(c.ResumeSeason("all are back") if paused else c.PauseSeason("the holidays"))
        elif league.season.paused_at is not None and chance < 0.2:
            league.do(c.ResumeSeason("all are back"))
        elif chance < 0.055:
            division = random.choice(league.season.divisions).name
            league.refusal(c.Admit(next(self.strangers), 1500.0, "late", random.choice(list(c.Past)), division))
        elif chance < 0.056:
            league.refusal(c.MoveRounds(timedelta(hours=random.randrange(-20, 40)), "a feast"))
        elif chance < 0.0565:
            self._divide(random.choice(league.season.divisions), random.choice(lines))
        elif chance < 0.057:
            self._pair_again(random.choice(league.season.divisions))
        elif chance < 0.06:
            self._substitute(random.choice(lines))
        elif chance < 0.12:
            self._second_thoughts()
        elif chance < 0.15:
            self._reproach(random.choice(lines))
        elif chance < 0.155:
            league.refusal(c.CloseSeason("by mistake"))
            if league.season.phase is Phase.CLOSED:
                league.do(c.ReopenSeason("sorry"))
        elif running:
            league.do(c.CarryResult(*ending(random.choice(running), random, league.now)))

    def _substitute(self, line: PlayerId) -> None:
        """Somebody from the waiting list, a stranger, or the player if they were away."""
        season = self.league.season
        coming = None if waiting(self.league.state, season) else line if season.who(line) != line else next(self.strangers)
        self.league.do(c.SubstitutePlayer(season.who(line), coming, Burden.SUBSTITUTE, "ill"))

    def _put_right(self, line: PlayerId) -> None:
        """A withdrawal is undone, or somebody new comes into the place; and somebody gets more time."""
        league, who = self.league, self.league.season.who(line)
        decided = [one.number for one in league.season.fixtures if one.by is e.DecidedBy.WITHDRAWAL and line in one.players]
        meetings = self.random.choice((None, (), tuple(decided)))
        if self.random.random() < 0.5:
            league.do(c.ReturnPlayer(who, "a typo", meetings))
        else:
            league.do(c.SubstitutePlayer(who, next(self.strangers), Burden.SEAT, "a typo", meetings))
        late = [one.number for one in still_open(league.season, player=league.season.who(line))]
        league.refusal(c.MoveDeadlines(dict.fromkeys(late, league.now + timedelta(days=3)), "so that they can be played"))

    def _pair_again(self, division: e.Division) -> None:
        there = [line for line in division.players if line not in self.league.season.withdrawn]
        some = tuple(map(self.league.season.who, self.random.sample(there, 2))) if len(there) > 2 else ()
        self.league.refusal(c.PairAgain(division.name, "a typo", (some,) if some else ()))
        for line in there[:2]:
            who = self.league.season.who(line)
            self.league.refusal(c.AskBye(who) if self.random.random() < 0.8 else c.DropBye(who))

    def _divide(self, division: e.Division, line: PlayerId) -> None:
        """A player moves, or half a division is split off or comes into another one."""
        league, random = self.league, self.random
        there = [league.season.who(one) for one in division.players if one not in league.season.withdrawn]
        some = random.choice(([league.season.who(line)], there, there[::2]))
        names = [one.name for one in league.season.divisions]
        league.refusal(c.Divide(dict.fromkeys(some, random.choice((*names, f"{division.tier}.7"))), "as they wish"))

    def _reproach(self, line: PlayerId) -> None:
        season, chance = self.league.season, self.random.random()
        if chance < 0.4:
            self.league.refusal(c.Penalize(season.who(line), self.random.choice(("1/2", "1", "-1/2")), "late"))
        elif chance < 0.7:
            self.league.refusal(c.Remind())
        else:
            other = self.random.choice([player for division in season.divisions for player in division.players if player != line])
            self.league.do(c.BarPair((line, other), barred=frozenset((line, other)) not in self.league.state.barred))

    def _second_thoughts(self) -> None:
        over = [one for one in self.league.season.fixtures if len(one.players) > 1 and one.marks and one.game]
        if over:
            fixture = self.random.choice(over)
            if self.random.random() < 0.5:
                self.league.refusal(c.ReopenResult(fixture.number))
            else:
                annulled = (Mark.ANNULLED,) * len(fixture.players)
                self.league.refusal(c.SetResult(fixture.number, annulled, "they had agreed on it before"))


@pytest.fixture(scope="module", params=LEAGUES)
def driver(request: pytest.FixtureRequest) -> Driver:
    """Three seasons of 15 players."""
    driver = Driver(request.param, 7)
    league = driver.league
    league.begin([PlayerId(number) for number in range(1, 16)], [1300 + 25 * number for number in range(1, 16)])
    for player in range(1, 16):
        league.do(c.Confirm(PlayerId(player)))
    league.do(c.StartSeason())
    while league.season.phase is Phase.RUNNING:
        league.now += timedelta(hours=3)
        driver._something()
        driver._due()
    for number in (2, 3):
        league.do(c.MovePlayer(PlayerId(number), 1, "a favour"))
        league.do(c.ChangeSettings(replace(league.state.settings, remind_percent=number, reliability=number), "more reminders"))
        league.now += timedelta(days=5)
        driver._due()
        if number == 2:
            league.refusal(c.Enter(PlayerId(500), 1450.0))
        driver.season()
    return driver


def closings(league: League) -> list[tuple[LeagueState, Season, e.SeasonClosed]]:
    """The ends of the seasons, each with the state before it; the last one of a season that was closed by mistake."""
    found = {}
    state = None
    for event in league.events:
        if isinstance(event, e.SeasonClosed):
            assert state is not None
            assert state.season is not None
            found[state.seasons] = (state, state.season, event)
        state = fold([event], state)
    return list(found.values())


@pytest.mark.thorough
def test_seasons_come_to_their_end(driver: Driver) -> None:
    assert [season.number for _, season, _ in closings(driver.league)] == [1, 2, 3]


@pytest.mark.thorough
def test_what_is_replayed_is_what_was_there(driver: Driver) -> None:
    events: list[e.LeagueEvent] = []
    for event in driver.league.events:
        stored = msgspec.json.encode(event)
        again = msgspec.json.decode(stored, type=type(event))
        assert msgspec.json.encode(again) == stored
        events.append(again)
    assert fold(events) == driver.league.state


def recounted(settings: Settings, fixture: Fixture, player: PlayerId, mark: Mark) -> Fraction:
    """Return what a meeting brought to a player, counted from the points that stand in the settings."""
    if fixture.worth is not None:
        return fixture.worth
    if settings.format is not Format.TABLES:
        return Fraction(0) if mark is Mark.BYE and settings.format in FIXED else USUAL.points[mark]
    prizes = [Fraction(text) for text in settings.places]
    if mark is Mark.BYE:
        return sum(prizes, Fraction(0)) / len(prizes)
    if mark is Mark.FORFEIT or not fixture.places:
        return Fraction(0)
    purse = Fraction(0)
    place = fixture.places[fixture.players.index(player)]
    company = [other for other in fixture.places if other == place]
    for at in range(len(company)):
        purse += prizes[place - 1 + at]
    return purse / len(company)


@pytest.mark.thorough
def test_final_tables_are_the_recount(driver: Driver) -> None:
    for state, season, closed in closings(driver.league):
        for division, table in zip(season.divisions, closed.tables, strict=True):
            points = dict(zip(division.players, map(Fraction, division.start), strict=True))
            for fixture in season.fixtures:
                if fixture.division == division.name and not season.struck & set(fixture.players):
                    for player, mark in zip(fixture.players, fixture.marks, strict=True):
                        points[player] += recounted(state.settings, fixture, player, mark)
            points = {player: found - sum(one.points for one in season.penalties.get(player, ())) for player, found in points.items()}
            expected = {season.who(player): found for player, found in points.items() if player not in season.struck}
            assert {line.player: Fraction(line.points) for line in table.lines} == expected
            places = [line.place for line in table.lines]
            if state.settings.format in CUPS:
                assert places.count(1) == places.count(2) == 1
                assert places == sorted(places)
                continue
            assert [Fraction(line.points) for line in table.lines] == sorted(expected.values(), reverse=True)
            assert places == list(range(1, len(places) + 1))


def test_everybody_has_the_games_that_are_due(driver: Driver) -> None:
    times = {Format.ROUND_ROBIN: 1, Format.DOUBLE_ROUND_ROBIN: 2}
    away = left_once(driver.league)
    for state, season, _ in closings(driver.league):
        played, barred = (
            who_played(driver.league),
            {frozenset(event.players) for event in driver.league.events if isinstance(event, e.PairBarred)},
        )
        for division in season.divisions:
            fixtures = season.of(division)
            met = Counter(frozenset(one.players) for one in fixtures if len(one.players) > 1)
            there = [player for player in division.players if player not in season.withdrawn]
            if state.settings.format in FIXED:
                pairs = {frozenset((one, other)) for one in there for other in there if one != other}
                kept_apart = {pair for pair in pairs if any(bar <= played[season.number, pair] for bar in barred)}
                # whoever is late has missed what was paired before
                pairs = {pair for pair in pairs if pair.isdisjoint(season.late)}
                assert {met[pair] for pair in pairs - kept_apart} <= {times[state.settings.format]}
                assert all(met[pair] <= times[state.settings.format] for pair in kept_apart)
            elif state.settings.format not in CUPS:
                rounds = {player: [one.round for one in fixtures if player in one.players] for player in there}
                is_swiss = state.settings.format is not Format.TABLES
                most = len(division.players) - 1 + len(division.players) % 2 if is_swiss else state.settings.rounds
                due = min(state.settings.rounds, most)
                # whoever was away for some rounds has missed them
                always = [found for player, found in rounds.items() if (season.number, player) not in away]
                assert all(found == list(range(1, due + 1)) for found in always) or len(there) < state.settings.seats


def left_once(league: League) -> set[tuple[int, PlayerId]]:
    """Return the lines that were left at some time or came late, with the season."""
    found, number = set(), 0
    for event in league.events:
        number += isinstance(event, e.SeasonStarted)
        if isinstance(event, e.PlayerWithdrawn | e.PlayerAdmitted):
            found.add((number, event.player))
    return found


def who_played(league: League) -> dict[tuple[int, frozenset[PlayerId]], frozenset[PlayerId]]:
    """For each two lines of a season all who have played for them."""
    found: defaultdict[tuple[int, PlayerId], set[PlayerId]] = defaultdict(set)
    for state, season, _ in closings(league):
        for division in season.divisions:
            for line in division.players:
                found[state.seasons, line].add(line)
    number = 0
    for event in league.events:
        if isinstance(event, e.SeasonStarted):
            number += 1
        if isinstance(event, e.PlayerSubstituted):
            found[number, event.player].add(event.substitute)
    return {
        (at, frozenset((one, other))): frozenset(found[at, one] | found[at, other])
        for at, one in found
        for when, other in found
        if at == when
    }


def test_a_round_is_reminded_of_in_its_time(driver: Driver) -> None:
    state = None
    for event in driver.league.events:
        if isinstance(event, e.RoundReminded):
            assert state is not None
            assert state.season is not None
            told = [state.season.fixtures[number - 1] for number in event.meetings]
            assert all((one.division, one.round) == (event.division, event.round) and not one.marks for one in told)
        state = fold([event], state)


def test_nobody_plays_after_leaving(driver: Driver) -> None:
    state = None
    gone: dict[int, set[PlayerId]] = {}
    for event in driver.league.events:
        if isinstance(event, e.PlayerWithdrawn):
            assert state is not None
            gone.setdefault(state.seasons, set()).add(event.player)
        if isinstance(event, e.PlayerReturned):
            assert state is not None
            gone[state.seasons].remove(event.player)
        state = fold([event], state)
    for _, season, _ in closings(driver.league):
        assert set(season.withdrawn) == gone.get(season.number, set())
        unplayed = [one for one in season.fixtures if one.game is None and set(season.withdrawn).intersection(one.players)]
        assert not any(ON_THE_BOARD.intersection(one.marks) for one in unplayed)


def test_lots_are_what_the_secret_says(driver: Driver) -> None:
    for _, season, closed in closings(driver.league):
        assert LOTS.commitment(season.number) == season.commitment
        assert all(players == draw(closed.secret, f"places in {name}", players) for name, players in season.lots.items())
        for name, decided in season.cup_lots.items():
            for lot, winner in decided.items():
                assert winner == draw(closed.secret, f"round {lot.round} of {name}", lot.players)[0]


def test_names_of_events_are_stored_once() -> None:
    names = [kind.name for kind in e.EVENT_TYPES.values()]
    assert len(set(names)) == len(names)
    assert all(name.startswith("league.") for name in names)


def test_a_game_is_of_one_meeting() -> None:
    league = League(Settings())
    league.begin([PlayerId(number) for number in range(1, 9)])
    league.play(Random(3))  # noqa: S311  # repeatable seasons, not secrets
    games = [fixture.game for fixture in league.season.fixtures]
    assert len(set(games)) == 28
    assert league.refusal(c.AttachGame(1, games[0])) == "no_season"  # type: ignore[arg-type]  # every one has a game
