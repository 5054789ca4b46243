"""A league of Ada, Bob, Cleo and Dan as the service would tell of it by mail: an occasion for every kind of mail about leagues."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from msgspec import structs

from turnserver.ids import Burden, GameId, LeagueId, PlayerId, Version
from turnserver.league.commands import (
    AnnounceSeason,
    AttachGame,
    CarryResult,
    Challenge,
    CheckLeague,
    CloseSeason,
    Command,
    Confirm,
    DropSeason,
    Enter,
    MovePlayer,
    OpenLeague,
    Penalize,
    Remind,
    ReopenResult,
    ReopenSeason,
    SetResult,
    StartSeason,
    SubstitutePlayer,
    Withdraw,
)
from turnserver.league.decide import decide
from turnserver.league.events import LeagueEvent, SeasonStarted
from turnserver.league.evolve import fold
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.ratings import Rating
from turnserver.league.settings import Format, Pace, Settings, TierSize, WhenUnfinished
from turnserver.league.state import LeagueState, Season
from turnserver.mail.outbound.context import LeagueOccasion
from turnserver.mail.outbound.notices import league as league_notices
from turnserver.mail.outbound.notices.game import Notice

LEAGUE = LeagueId(3)
RATING = Rating(1561.4, 112.0, 6, 110)
LOTS = Lots(bytes(range(32)))
BEGIN = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
ADA, BOB, CLEO, DAN = (PlayerId(number) for number in (8, 9, 10, 11))
EVERYBODY = (ADA, BOB, CLEO, DAN)
EVE = PlayerId(12)


@dataclass(frozen=True)
class Tale:
    """What was asked of a league, one thing a day, and what came of the last of it."""

    state: LeagueState | None = None
    before: LeagueState | None = None
    events: tuple[LeagueEvent, ...] = ()
    now: datetime = BEGIN

    def then(self, *commands: Command, days: float = 1) -> "Tale":
        tale = self
        for command in commands:
            now = tale.now + timedelta(days=days)
            events = decide(tale.state, command, now, LOTS)
            tale = Tale(fold(events, tale.state), tale.state, events, now)
        return tale

    def on(self, command: Callable[[LeagueState], Command], days: float = 1) -> "Tale":
        """What depends on how the league stands."""
        assert self.state is not None
        return self.then(command(self.state), days=days)

    def notices(self, by: PlayerId | None = None) -> tuple[Notice, ...]:
        assert self.state is not None
        return league_notices.league_notices(self.before, self.events, self.state, by=by)

    def notice(self, player: PlayerId, by: PlayerId | None = None) -> Notice:
        (found,) = (notice for notice in self.notices(by) if notice.player == player)
        return found

    def about(self) -> LeagueOccasion:
        """What the service gathers."""
        assert self.state is not None
        return LeagueOccasion(league=LEAGUE, state=self.state, before=self.before, events=self.events, time="3d")


def opened(settings: Settings, name: str = "Take Winter") -> Tale:
    return Tale().then(OpenLeague(name, "take", {"size": 5}, settings), days=0)


def entries(settings: Settings, players: Sequence[PlayerId] = EVERYBODY) -> Tale:
    tale = opened(settings)
    tale = tale.then(AnnounceSeason(tale.now + timedelta(days=14)))
    return tale.then(*(Enter(player, 1500.0 + player) for player in players), days=0.1)


def running(settings: Settings, players: Sequence[PlayerId] = EVERYBODY) -> Tale:
    return entries(settings, players).then(StartSeason())


def with_result(tale: Tale, meeting: int, mark: Mark, game: int) -> Tale:
    tale = tale.then(AttachGame(meeting, GameId(game)))
    return tale.then(CarryResult(meeting, (mark, OTHER_SIDE[mark]), tale.now))


def played(tale: Tale, marks: Sequence[Mark] = (Mark.WIN, Mark.DRAW, Mark.LOSS)) -> Tale:
    """All that is paired, with these results in turn."""
    assert tale.state is not None
    assert tale.state.season is not None
    for fixture in tale.state.season.fixtures:
        if not fixture.marks:
            tale = with_result(tale, fixture.number, marks[fixture.number % len(marks)], 40 + fixture.number)
    return tale


ROBIN = Settings(round_days=30, least=3)
SWISS = Settings(format=Format.SWISS, rounds=3, round_days=14, least=3)
CUP = Settings(format=Format.KNOCKOUT, round_days=21, least=2)
LADDER = Settings(format=Format.LADDER, round_days=30, least=3)
TIERS = Settings(pace=Pace.ROUND_BY_ROUND, least=3, tiers=(TierSize(size=2, moves=1), TierSize(size=2)), next_days=7)


def tales() -> dict[str, tuple[Tale, Notice]]:
    """Every mail that tells of a league, by a name that begins with its kind."""
    open_ = entries(ROBIN)
    full = entries(Settings(most=3, least=3, ready_hours=48))
    asked = full.then(StartSeason())
    robin, swiss, tiers, cup = running(ROBIN), running(SWISS, EVERYBODY[:3]), running(TIERS), running(CUP)
    second = played(swiss).then(CheckLeague())
    slow = with_result(swiss, 1, Mark.WIN, 17)
    late = running(ROBIN).then(CheckLeague(), days=31)
    reminded = running(ROBIN).then(CheckLeague(), days=23)
    both = running(Settings(least=3)).then(Remind())
    whenever = running(Settings(format=Format.SWISS, rounds=3, least=3)).then(AttachGame(1, GameId(17)), Remind())
    void = running(Settings(round_days=30, when_unfinished=WhenUnfinished.NO_RESULT)).then(CheckLeague(), days=31)
    one_over = with_result(robin, 1, Mark.WIN, 17)
    left = one_over.then(Withdraw(BOB))
    over = played(robin).then(CheckLeague())
    up = played(tiers).then(CheckLeague())
    next_one = over.then(AnnounceSeason(over.now + timedelta(days=14)))
    again = up.then(CheckLeague(), days=8)
    restarted = again.then(StartSeason())
    ladder = running(LADDER)
    claim = ladder.on(lambda state: Challenge(_of(state).order[1], _of(state).order[0]))
    challenger = _season(claim).fixtures[0].challenger
    assert challenger is not None
    late_comer = ladder.then(Enter(EVE, 1500.0))
    sunk = ladder.then(CheckLeague(), days=61)
    found: dict[str, tuple[Tale, Notice]] = {
        "league_started, a ladder": (ladder, ladder.notice(ADA)),
        "league_answer, challenged": (claim, claim.notice(challenger, by=challenger)),
        "league_answer, joined": (late_comer, late_comer.notice(EVE, by=EVE)),
        "league_entry, joined": (late_comer, late_comer.notice(EVE)),
        "league_news, sunk": (sunk, sunk.notices()[-1]),
        "league_season": (next_one, next_one.notice(ADA)),
        "league_entry, by an admin": (open_, open_.notice(DAN)),
        "league_entry, taken back": (open_.then(Withdraw(DAN)), open_.then(Withdraw(DAN)).notice(DAN)),
        "league_entry, moved up": (full.then(Withdraw(BOB)), full.then(Withdraw(BOB)).notice(DAN)),
        "league_entry, not in": (_started_without(asked), _started_without(asked).notice(DAN)),
        "league_answer, entered": (open_, open_.notice(DAN, by=DAN)),
        "league_answer, waiting": (full, full.notice(DAN, by=DAN)),
        "league_answer, left before": (open_.then(Withdraw(DAN)), open_.then(Withdraw(DAN)).notice(DAN, by=DAN)),
        "league_answer, left": (left, left.notice(BOB, by=BOB)),
        "league_answer, ready": (asked.then(Confirm(ADA)), asked.then(Confirm(ADA)).notice(ADA, by=ADA)),
        "league_answer, ready and waiting": (_three_ready(asked), _three_ready(asked).notice(DAN, by=DAN)),
        "league_ready": (asked, asked.notice(ADA)),
        "league_ready, waiting": (asked, asked.notice(DAN)),
        "league_dropped": (open_.then(DropSeason("the club is closed")), open_.then(DropSeason("the club is closed")).notice(ADA)),
        "league_dropped, too few": (_too_few(), _too_few().notice(ADA)),
        "league_started": (robin, robin.notice(ADA)),
        "league_started, a Swiss": (swiss, swiss.notice(BOB)),
        "league_started, promoted": (restarted, restarted.notice(_moving(restarted, up=True))),
        "league_started, relegated": (restarted, restarted.notice(_moving(restarted, up=False))),
        "league_round": (second, second.notice(ADA)),
        "league_round, first": (second, second.notice(BOB)),
        "league_round, a bye": (second, second.notice(CLEO)),
        "league_round of a cup": (played(cup, (Mark.WIN,)).then(CheckLeague()), played(cup, (Mark.WIN,)).then(CheckLeague()).notice(ADA)),
        "league_reminder": (reminded, reminded.notice(ADA)),
        "league_reminder, several": (both, both.notice(ADA)),
        "league_reminder, without a deadline": (whenever, whenever.notice(ADA)),
        "league_news, withdrawn": (left, left.notice(ADA)),
        "league_news, withdrawn by an admin": (left, left.notice(BOB)),
        "league_news, overdue": (late, late.notice(ADA)),
        "league_news, no result": (void, void.notice(ADA)),
        "league_news, going on afterwards": (over.then(ReopenResult(1)), over.then(ReopenResult(1)).notice(CLEO)),
        "league_news, annulled afterwards": (_annulled(over), _annulled(over).notice(CLEO)),
        "league_final": (over, over.notice(ADA)),
        "league_final, without a rating": (over, over.notice(CLEO)),
        "league_final, with tiers": (up, up.notice(ADA)),
        "league_final, with tiers, below": (up, up.notice(DAN)),
        "league_table": (slow, league_notices.table(ADA, LEAGUE, Version(1))),
        "league_table, entries": (open_, league_notices.table(ADA, LEAGUE, Version(1))),
        "league_table, waiting list": (full, league_notices.table(DAN, LEAGUE, Version(1))),
        "league_table, no season": (opened(ROBIN), league_notices.table(ADA, LEAGUE, Version(1))),
        "league_table, over": (over, league_notices.table(ADA, LEAGUE, Version(1))),
    }
    corrected = one_over.on(lambda _: SetResult(1, (Mark.FORFEIT, Mark.WIN_BY_FORFEIT), "it was the wrong game"))
    decided = robin.then(SetResult(2, (Mark.DRAW, Mark.DRAW), "the club is closed"))
    fined = one_over.then(Penalize(ADA, "1/2", "it was the wrong game"))
    forgiven = fined.then(Penalize(ADA, "-1/2", "A long journey"))
    on = one_over.then(CloseSeason(""), ReopenSeason("it was the wrong game"))
    afterwards = over.then(SetResult(1, (Mark.FORFEIT, Mark.WIN_BY_FORFEIT), "it was the wrong game"))
    seated = one_over.then(SubstitutePlayer(DAN, EVE, Burden.SEAT, "A long journey"))
    for burden in Burden:
        seated = one_over.then(SubstitutePlayer(DAN, EVE, burden, "A long journey"))
        found[f"league_news, a substitute, {burden.value}"] = (seated, seated.notice(ADA))
    return found | {
        "league_news, to the substitute": (seated, seated.notice(EVE)),
        "league_news, who is replaced": (seated, seated.notice(DAN)),
        "league_news, a correction": (corrected, corrected.notice(CLEO)),
        "league_news, points taken": (fined, fined.notice(ADA)),
        "league_news, points of somebody else": (fined, fined.notice(BOB)),
        "league_news, points back": (forgiven, forgiven.notice(ADA)),
        "league_news, points back for somebody else": (forgiven, forgiven.notice(BOB)),
        "league_news, going on": (on, on.notice(BOB)),
        "league_news, decided": (decided, _first_of(decided, 2)),
        "league_news, a correction afterwards": (afterwards, afterwards.notice(DAN)),
        "league_news, another tier": (
            over.then(MovePlayer(ADA, 1, "A long journey")),
            over.then(MovePlayer(ADA, 1, "A long journey")).notice(ADA),
        ),
    }


def _annulled(over: Tale) -> Tale:
    """The first game of a season that is over has no result any more."""
    return over.then(ReopenResult(1), CarryResult(1, (Mark.ANNULLED, Mark.ANNULLED), over.now))


def _started_without(asked: Tale) -> Tale:
    """Dan has said nothing."""
    return asked.then(Confirm(ADA), Confirm(BOB), Confirm(CLEO), StartSeason(), days=0.1)


def _three_ready(asked: Tale) -> Tale:
    return asked.then(Confirm(ADA), Confirm(BOB), Confirm(CLEO), Confirm(DAN), days=0.1)


def _too_few() -> Tale:
    tale = opened(ROBIN)
    tale = tale.then(AnnounceSeason(tale.now + timedelta(days=2)), days=0.5)
    return tale.then(Enter(ADA, 1500.0), days=0.1).then(CheckLeague(), days=3)


def _first_of(tale: Tale, meeting: int) -> Notice:
    """To the first player of a meeting."""
    return tale.notice(_season(tale).fixtures[meeting - 1].players[0])


def _moving(tale: Tale, *, up: bool) -> PlayerId:
    """Somebody who has come up, or down."""
    moves = next(event.moves for event in tale.events if isinstance(event, SeasonStarted))
    return next(
        move.player for move in moves if move.before and move.after and (move.after < move.before) == up != (move.after == move.before)
    )


def _season(tale: Tale) -> Season:
    assert tale.state is not None
    return _of(tale.state)


def _of(state: LeagueState) -> Season:
    assert state.season is not None
    return state.season


def league_lists() -> tuple[LeagueOccasion, ...]:
    """One league in each phase, and one without a season."""
    asked = entries(Settings(most=3, least=3, ready_hours=48)).then(StartSeason())
    over = played(running(ROBIN)).then(CheckLeague())
    left = running(ROBIN).then(Withdraw(ADA))
    found = (
        opened(ROBIN),
        entries(ROBIN),
        entries(ROBIN, (BOB,)),
        entries(Settings(most=3), (BOB, CLEO, DAN, ADA)),
        opened(ROBIN).then(AnnounceSeason()),
        asked,
        running(TIERS),
        running(ROBIN),
        left,
        running(ROBIN, (BOB, CLEO, DAN)),
        over,
    )
    return tuple(
        replace(tale.about(), league=LeagueId(number), state=structs.replace(tale.about().state, name=f"Winter {number}"))
        for number, tale in enumerate(found, 1)
    )
