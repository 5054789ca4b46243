"""A league of Ada, Bob, Cleo and Dan as the service would tell of it by mail: a context for every kind of mail about leagues."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from msgspec import structs

from turnserver.ids import Burden, GameId, LeagueId, PlayerId, Version
from turnserver.league import commands as c
from turnserver.league.decide import decide
from turnserver.league.events import LeagueEvent, Role, SeasonStarted, WordsSent
from turnserver.league.evolve import fold
from turnserver.league.scoring.lots import Lots
from turnserver.league.scoring.marks import OTHER_SIDE, Mark
from turnserver.league.scoring.ratings import Rating
from turnserver.league.settings import Approval, Format, Pace, Settings, TierSize, WhenUnfinished
from turnserver.league.state import LeagueState, Season
from turnserver.mail.outbound.context import LeagueContext
from turnserver.mail.outbound.kinds import JOINED, MailKind, Notice
from turnserver.mail.outbound.notices import league as league_notices
from turnserver.mail.outbound.notices.game import NotDone, refusal
from turnserver.mail.outbound.notices.league import words_sent
from turnserver.mail.outbound.telling.league_report import Matter, duty
from turnserver.text import say

LEAGUE = LeagueId(3)
RATING = Rating(1561.4, 112.0, 6, 110)
LOTS = Lots(bytes(range(32)))
BEGIN = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
ADA, BOB, CLEO, DAN = (PlayerId(number) for number in (8, 9, 10, 11))
EVERYBODY = (ADA, BOB, CLEO, DAN)
EVE = PlayerId(12)


@dataclass(frozen=True)
class Tale:
    """Requests to a league, one a day, and what came of the last of it."""

    state: LeagueState | None = None
    before: LeagueState | None = None
    events: tuple[LeagueEvent, ...] = ()
    now: datetime = BEGIN
    earlier: tuple[LeagueEvent, ...] = ()

    def then(self, *commands: c.Command, days: float = 1) -> "Tale":
        tale = self
        for command in commands:
            now = tale.now + timedelta(days=days)
            events = decide(tale.state, command, now, LOTS)
            tale = Tale(fold(events, tale.state), tale.state, events, now, (*tale.earlier, *tale.events))
        return tale

    def on(self, command: Callable[[LeagueState], c.Command], days: float = 1) -> "Tale":
        """Return what depends on how the league stands."""
        assert self.state is not None
        return self.then(command(self.state), days=days)

    def notices(self, by: PlayerId | None = None) -> tuple[Notice, ...]:
        assert self.state is not None
        return league_notices.league_notices(self.before, self.events, self.state, by=by)

    def notice(self, player: PlayerId, by: PlayerId | None = None) -> Notice:
        (found,) = (notice for notice in self.notices(by) if notice.player == player)
        return found

    def about(self) -> LeagueContext:
        """Return what the service gathers."""
        assert self.state is not None
        return LeagueContext(league=LEAGUE, state=self.state, before=self.before, events=self.events, earlier=self.earlier, time="3d")


def opened(settings: Settings, name: str = "Take Winter") -> Tale:
    return Tale().then(c.OpenLeague(name, "take", {"size": 5}, settings), days=0)


def entries(settings: Settings, players: Sequence[PlayerId] = EVERYBODY) -> Tale:
    tale = opened(settings)
    tale = tale.then(c.AnnounceSeason(tale.now + timedelta(days=14)))
    return tale.then(*(c.Enter(player, 1500.0 + player) for player in players), days=0.1)


def running(settings: Settings, players: Sequence[PlayerId] = EVERYBODY) -> Tale:
    return entries(settings, players).then(c.StartSeason())


def with_result(tale: Tale, meeting: int, mark: Mark, game: int) -> Tale:
    tale = tale.then(c.AttachGame(meeting, GameId(game)))
    return tale.then(c.CarryResult(meeting, (mark, OTHER_SIDE[mark]), tale.now))


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
HELD = Settings(format=Format.SWISS, rounds=1, round_days=14, least=3, approve=(Approval.PAIRINGS, Approval.TABLE), approve_hours=48)
LADDER = Settings(format=Format.LADDER, round_days=30, least=3)
TIERS = Settings(pace=Pace.ROUND_BY_ROUND, least=3, tiers=(TierSize(size=2, moves=1), TierSize(size=2)), next_days=7)


def _words(words: str, number: int | None) -> Notice:
    return words_sent(WordsSent(players=(ADA,), digest="5d" * 32, division="1", round=number), words)[0]


def _duty(tale: Tale, matter: Matter) -> Notice:
    assert tale.state is not None
    return duty(EVE, LEAGUE, tale.state.version, matter, [(say("Meeting {number}", number=4), "Ada - Bob")])


def _asked_again(asked: Notice) -> Notice:
    message = say("I couldn't find a move or a command in that.")
    return refusal([NotDone("yes and no", message, "not_understood")], asked=asked, player=ADA)


def tales() -> dict[str, tuple[Tale, Notice]]:
    """Every mail that tells of a league, by a name that begins with its kind."""
    open_ = entries(ROBIN)
    bands = entries(Settings(format=Format.MCMAHON, rounds=3, least=3, bounds=(1400, 1600, 1800)))
    dismissed = open_.then(c.GiveRole(EVE, Role.ARBITER, "")).then(c.TakeRole(EVE, Role.ARBITER, "the club is closed"))
    full = entries(Settings(most=3, least=3, ready_hours=48))
    asked = full.then(c.StartSeason())
    robin, swiss, tiers, cup = running(ROBIN), running(SWISS, EVERYBODY[:3]), running(TIERS), running(CUP)
    second = played(swiss).then(c.CheckLeague())
    slow = with_result(swiss, 1, Mark.WIN, 17)
    late = running(ROBIN).then(c.CheckLeague(), days=31)
    reminded = running(ROBIN).then(c.CheckLeague(), days=23)
    both = running(Settings(least=3)).then(c.Remind())
    whenever = running(Settings(format=Format.SWISS, rounds=3, least=3)).then(c.AttachGame(1, GameId(17)), c.Remind())
    void = running(Settings(round_days=30, when_unfinished=WhenUnfinished.NO_RESULT)).then(c.CheckLeague(), days=31)
    one_over = with_result(robin, 1, Mark.WIN, 17)
    left = one_over.then(c.Withdraw(BOB))
    over = played(robin).then(c.CheckLeague())
    up = played(tiers).then(c.CheckLeague())
    next_one = over.then(c.AnnounceSeason(over.now + timedelta(days=14)))
    again = up.then(c.CheckLeague(), days=8)
    restarted = again.then(c.StartSeason())
    found: dict[str, tuple[Tale, Notice]] = {
        **_ladders(),
        "league_season": (next_one, next_one.notice(ADA)),
        "league_entry, by an admin": (open_, open_.notice(DAN)),
        "league_entry, with points to begin with": (bands, bands.notice(DAN)),
        "league_entry, taken back": (open_.then(c.Withdraw(DAN)), open_.then(c.Withdraw(DAN)).notice(DAN)),
        "league_entry, moved up": (full.then(c.Withdraw(BOB)), full.then(c.Withdraw(BOB)).notice(DAN)),
        "league_entry, not in": (_started_without(asked), _started_without(asked).notice(DAN)),
        "league_answer, entered": (open_, open_.notice(DAN, by=DAN)),
        "league_answer, waiting": (full, full.notice(DAN, by=DAN)),
        "league_answer, left before": (open_.then(c.Withdraw(DAN)), open_.then(c.Withdraw(DAN)).notice(DAN, by=DAN)),
        "league_answer, left": (left, left.notice(BOB, by=BOB)),
        "league_answer, ready": (asked.then(c.Confirm(ADA)), asked.then(c.Confirm(ADA)).notice(ADA, by=ADA)),
        "league_answer, ready and waiting": (_three_ready(asked), _three_ready(asked).notice(DAN, by=DAN)),
        "league_leaving": (slow, league_notices.leaving(ADA, LEAGUE, Version(1), struck=False)),
        "league_leaving, struck": (one_over, league_notices.leaving(BOB, LEAGUE, Version(1), struck=True)),
        "refusal of what answers no ready check": (asked, _asked_again(league_notices.ready_check(ADA, LEAGUE, Version(1)))),
        "refusal of what confirms no leaving": (slow, _asked_again(league_notices.leaving(ADA, LEAGUE, Version(1), struck=False))),
        "league_ready": (asked, asked.notice(ADA)),
        "league_ready, waiting": (asked, asked.notice(DAN)),
        "league_ready, all in one": (asked, _with(asked.notice(ADA), MailKind.WELCOME, MailKind.LEAGUE_ENTRY)),
        "league_ready, all in one and waiting": (asked, _with(asked.notice(DAN), MailKind.WELCOME, MailKind.LEAGUE_ENTRY)),
        "league_ready, of the players of the last season": (asked, _with(asked.notice(ADA), MailKind.LEAGUE_SEASON)),
        "league_entry, by an admin, with a welcome": (open_, _with(open_.notice(DAN), MailKind.WELCOME)),
        "league_started, all in one": (swiss, _with(swiss.notice(BOB), MailKind.WELCOME, MailKind.LEAGUE_ENTRY)),
        "league_dropped": (open_.then(c.DropSeason("the club is closed")), open_.then(c.DropSeason("the club is closed")).notice(ADA)),
        "league_dropped, too few": (_too_few(), _too_few().notice(ADA)),
        "league_started": (robin, robin.notice(ADA)),
        "league_started, a Swiss": (swiss, swiss.notice(BOB)),
        "league_started, promoted": (restarted, restarted.notice(_moving(restarted, up=True))),
        "league_started, relegated": (restarted, restarted.notice(_moving(restarted, up=False))),
        "league_round": (second, second.notice(ADA)),
        "league_round, first": (second, second.notice(BOB)),
        "league_round, a bye": (second, second.notice(CLEO)),
        "league_round of a cup": (
            played(cup, (Mark.WIN,)).then(c.CheckLeague()),
            played(cup, (Mark.WIN,)).then(c.CheckLeague()).notice(ADA),
        ),
        "league_reminder": (reminded, reminded.notice(ADA)),
        "league_reminder, several": (both, both.notice(ADA)),
        "league_reminder, without a deadline": (whenever, whenever.notice(ADA)),
        "league_news, withdrawn": (left, left.notice(ADA)),
        "league_news, withdrawn by an admin": (left, left.notice(BOB)),
        "league_news, withdrawn from a table": (table_left := _table_left(), table_left.notice(ADA)),
        "league_leaving, a table": (table_left, league_notices.leaving(ADA, LEAGUE, Version(1), struck=False)),
        "league_news, overdue": (late, late.notice(ADA)),
        "league_news, no result": (void, void.notice(ADA)),
        "league_news, going on afterwards": (over.then(c.ReopenResult(1)), over.then(c.ReopenResult(1)).notice(CLEO)),
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
    corrected = one_over.on(lambda _: c.SetResult(1, (Mark.FORFEIT, Mark.WIN_BY_FORFEIT), "it was the wrong game"))
    decided = robin.then(c.SetResult(2, (Mark.DRAW, Mark.DRAW), "the club is closed"))
    fined = one_over.then(c.Penalize(ADA, "1/2", "it was the wrong game"))
    forgiven = fined.then(c.Penalize(ADA, "-1/2", "A long journey"))
    on = one_over.then(c.CloseSeason(""), c.ReopenSeason("it was the wrong game"))
    afterwards = over.then(c.SetResult(1, (Mark.FORFEIT, Mark.WIN_BY_FORFEIT), "it was the wrong game"))
    seated = one_over.then(c.SubstitutePlayer(DAN, EVE, Burden.SEAT, "A long journey"))
    for burden in Burden:
        seated = one_over.then(c.SubstitutePlayer(DAN, EVE, burden, "A long journey"))
        found[f"league_news, a substitute, {burden.value}"] = (seated, seated.notice(ADA))
    back = left.then(c.ReturnPlayer(BOB, "A long journey"))
    filled = left.then(c.SubstitutePlayer(BOB, EVE, Burden.SEAT, "A long journey"))
    moved = robin.then(c.MoveDeadlines(dict.fromkeys((1, 3), robin.now + timedelta(days=60)), "A long journey"))
    endless = robin.then(c.MoveDeadlines({1: None}, ""))
    missed = _missed()
    still = swiss.then(c.PauseSeason("A long journey"))
    off = robin.then(c.CancelSeason("the club is closed"))
    earlier = second.then(c.SetResult(1, (Mark.LOSS, Mark.WIN), "it was the wrong game"))
    away = swiss.then(c.AskBye(BOB))
    granted = swiss.then(c.AskBye(BOB, 2, "0", "A long journey"))
    resting = played(away).then(c.CheckLeague())
    repaired = played(swiss).then(c.CheckLeague()).then(c.PairAgain("1", "A long journey", ((BOB, ADA),)))
    found |= _waiting() | _dates() | _second_thoughts(robin, swiss)
    found |= {
        **{
            f"league_news, {role}": (to_role := swiss.then(c.GiveRole(EVE, role, "the club is closed")), to_role.notice(EVE))
            for role in Role
        },
        **{f"league_duty, {matter}": (swiss, _duty(swiss, matter)) for matter in Matter},
        "league_answer, a result": (entered := swiss.then(c.SetResult(1, (Mark.WIN, Mark.LOSS), "")), entered.notice(EVE, by=EVE)),
        "league_answer, a withdrawal": (let_go := swiss.then(c.Withdraw(CLEO)), let_go.notice(EVE, by=EVE)),
        "league_news, no role": (dismissed, dismissed.notice(EVE)),
        "league_news, a pause": (still, still.notice(ADA)),
        "league_news, the end of a pause": (still.then(c.ResumeSeason("")), still.then(c.ResumeSeason("")).notice(ADA)),
        "league_dropped, begun": (off, off.notice(ADA)),
        "league_news, a correction of an earlier round": (earlier, earlier.notice(CLEO)),
        "league_answer, a bye": (away, away.notice(BOB, by=BOB)),
        "league_answer, no bye": (away.then(c.DropBye(BOB)), away.then(c.DropBye(BOB)).notice(BOB, by=BOB)),
        "league_words": (
            swiss,
            _words("The final is on Sunday.\n\n- Bring a board,\n  if you have one.\n- Doors open at ten.", None),
        ),
        "league_words of a round": (swiss, _words("Please play soon.\nCleo", 1)),
        "league_news, a bye by an admin": (granted, granted.notice(BOB)),
        "league_round, a bye that was asked for": (resting, resting.notice(BOB)),
        "league_round, paired again": (repaired, repaired.notice(ADA)),
        "league_entry, late": (swiss.then(_late(c.Past.HALF)), swiss.then(_late(c.Past.HALF)).notice(EVE)),
        "league_entry, late with games": (robin.then(_late(c.Past.PLAY)), robin.then(_late(c.Past.PLAY)).notice(EVE)),
        "league_news, one more game": (robin.then(_late(c.Past.PLAY)), robin.then(_late(c.Past.PLAY)).notice(ADA)),
        "league_news, back again": (back, back.notice(BOB)),
        "league_news, somebody is back": (back, back.notice(CLEO)),
        "league_news, to whoever fills a place": (filled, filled.notice(EVE)),
        "league_news, a place is filled": (filled, filled.notice(CLEO)),
        "league_news, a deadline moved": (moved, moved.notice(ADA)),
        "league_news, no more deadline": (endless, _first_of(endless, 1)),
        "league_news, back to rounds that were missed": (missed, missed.notice(BOB)),
    }
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
            over.then(c.MovePlayer(ADA, 1, "A long journey")),
            over.then(c.MovePlayer(ADA, 1, "A long journey")).notice(ADA),
        ),
    }


def _waiting() -> dict[str, tuple[Tale, Notice]]:
    """Mails about what a director approves."""
    held = running(HELD)
    fine = held.then(c.Approve())
    patient = running(Settings(format=Format.SWISS, rounds=1, least=3, approve=HELD.approve))
    final = played(fine).then(c.CheckLeague())
    return {
        "league_started, held": (held, held.notice(ADA)),
        "league_started, held without an end": (patient, patient.notice(ADA)),
        "league_round, held": (held.then(c.PairAgain("1", "A long journey")), held.then(c.PairAgain("1", "A long journey")).notice(ADA)),
        "league_news, approved": (fine, fine.notice(ADA)),
        "league_news, a table held": (final, final.notice(ADA)),
        "league_news, a table held without an end": (
            played(patient.then(c.Approve())).then(c.CheckLeague()),
            played(patient.then(c.Approve())).then(c.CheckLeague()).notice(ADA),
        ),
    }


def _dates() -> dict[str, tuple[Tale, Notice]]:
    """Mails about dates that an admin moves, and about the league as a whole."""
    open_, over = entries(ROBIN), played(running(Settings(next_days=3))).then(c.CheckLeague())
    dated, ladder = running(Settings(round_every=7)), running(structs.replace(LADDER, season_days=90))
    later, sooner = (c.MoveRounds(timedelta(days=days), "A long journey") for days in (3, -1))
    found = {
        "a new name": open_.then(c.RenameLeague("Winter", "A long journey")),
        "archived": over.then(c.ArchiveLeague("A long journey")),
        "other dates": open_.then(c.MoveSeason(None, open_.now + timedelta(days=30), "A long journey")),
        "rounds later": dated.then(later),
        "rounds sooner": dated.then(sooner),
        "the end of challenges later": ladder.then(later),
        "the end of challenges sooner": ladder.then(sooner),
    }
    six = running(Settings(format=Format.SWISS, rounds=3, tiers=(TierSize(size=2), TierSize(size=4))), (*EVERYBODY, EVE, PlayerId(13)))
    robins = running(Settings(round_days=30, tiers=(TierSize(size=3), TierSize(size=3))), (*EVERYBODY, EVE, PlayerId(13)))
    found |= {
        "another division": robins.then(c.Divide({ADA: "1"}, "A long journey")),
        "somebody has left the division": robins.then(c.Divide({BOB: "1"}, "A long journey")),
        "somebody has come into the division": robins.then(c.Divide({EVE: "2"}, "")),
        "another division in a Swiss": six.then(c.Divide({ADA: "1"}, "A long journey")),
    }
    return {f"league_news, {name}": (tale, tale.notice(ADA)) for name, tale in found.items()}


def _second_thoughts(robin: Tale, swiss: Tale) -> dict[str, tuple[Tale, Notice]]:
    """Mails about late entries that are undone, and about byes before the start and for later rounds."""
    undone = swiss.then(_late(c.Past.HALF), c.PairAgain("1", "", ((BOB, EVE),))).then(c.UndoAdmission(EVE, "A long journey"))
    missed_by_nobody = robin.then(_late(c.Past.PLAY)).then(c.UndoAdmission(EVE, "A long journey"))
    early = entries(structs.replace(SWISS, ready_hours=48)).then(c.AskBye(ADA))
    away = swiss.then(c.AskBye(BOB), c.AskBye(BOB, 3))
    at_last = swiss.then(c.AskBye(BOB, 3))
    unpaid = swiss.then(c.AskBye(BOB, worth="0"))
    return {
        "league_answer, an undone entry": (undone, undone.notice(DAN, by=DAN)),
        "league_news, an undone entry": (undone, undone.notice(EVE)),
        "league_news, an undone entry of an opponent": (undone, undone.notice(BOB)),
        "league_news, an undone entry where all meet": (missed_by_nobody, missed_by_nobody.notice(ADA)),
        "league_answer, a bye in the last round": (at_last, at_last.notice(BOB, by=BOB)),
        "league_answer, a bye without points": (unpaid, unpaid.notice(BOB, by=BOB)),
        "league_answer, a bye before the start": (early, early.notice(ADA, by=ADA)),
        "league_ready, with a bye": (early.then(c.StartSeason()), early.then(c.StartSeason()).notice(ADA)),
        "league_table, with byes": (away, league_notices.table(BOB, LEAGUE, Version(1))),
    }


def _late(past: c.Past) -> c.Admit:
    return c.Admit(EVE, 1512.0, "A long journey", past)


def _missed() -> Tale:
    """Bob is back after a round without a game."""
    tale = running(Settings(pace=Pace.ROUND_BY_ROUND, round_days=14, least=3)).then(c.Withdraw(BOB))
    return played(tale).then(c.CheckLeague()).then(c.ReturnPlayer(BOB, "A long journey"))


def joined(kind: MailKind, state: LeagueState | None = None, since: int = 0) -> dict[str, object]:
    """A mail that is told along with another one, as the detail of that has it."""
    about = {"league": LEAGUE, "version": state.version} if state is not None else {"league": None, "version": None}
    return {"kind": kind, **about, "since": since}


def _table_left() -> Tale:
    """Somebody leaves a table of three that has begun."""
    tale = Tale().then(
        c.OpenLeague("Reef", "sneaky-octopuses", {"players": 3}, Settings(format=Format.TABLES, rounds=1, least=3, ready_hours=0)), days=0
    )
    tale = tale.then(c.AnnounceSeason(tale.now + timedelta(days=14)))
    tale = tale.then(*(c.Enter(player, 1500.0 + player) for player in (ADA, BOB, CLEO)), days=0.1).then(c.StartSeason())
    return tale.then(c.AttachGame(1, GameId(17))).then(c.Withdraw(BOB))


def _ladders() -> dict[str, tuple[Tale, Notice]]:
    """Mails about a ladder."""
    ladder = running(LADDER)
    claim = ladder.on(lambda state: c.Challenge(_of(state).order[1], _of(state).order[0]))
    challenger = _season(claim).fixtures[0].challenger
    assert challenger is not None
    late_comer = ladder.then(c.Enter(EVE, 1500.0))
    sunk = ladder.then(c.Enter(EVE, 1500.0), days=30).then(c.CheckLeague(), days=31)
    ending = running(structs.replace(LADDER, season_days=10)).on(lambda state: c.Challenge(_of(state).order[1], _of(state).order[0]))
    ending = ending.then(c.CheckLeague(), days=11)
    climbed = claim.on(
        lambda state: c.CarryResult(
            1, tuple(Mark.WIN if one == challenger else Mark.LOSS for one in _of(state).fixtures[0].players), claim.now
        )
    )
    return {
        "league_started, a ladder": (ladder, ladder.notice(ADA)),
        "league_answer, challenged": (claim, claim.notice(challenger, by=challenger)),
        "league_round, a challenge": (claim, claim.notice(next(one for one in _season(claim).fixtures[0].players if one != challenger))),
        "league_news, a place won": (climbed, climbed.notice(challenger)),
        "league_news, no more challenges": (ending, ending.notice(ADA)),
        "league_answer, joined": (late_comer, late_comer.notice(EVE, by=EVE)),
        "league_entry, joined": (late_comer, late_comer.notice(EVE)),
        "league_news, sunk": (sunk, sunk.notices()[-1]),
    }


def rounds_of_games() -> dict[str, tuple[Tale, MailKind]]:
    """Return, by the name of the occasion, the leagues that the mail of a game tells of too, and the kind of the mail that is spared."""
    swiss = running(SWISS, (*EVERYBODY, EVE))
    without_eve = played(swiss).then(c.Withdraw(EVE)).then(c.CheckLeague())
    tiers = played(running(TIERS)).then(c.CheckLeague()).then(c.CheckLeague(), days=8).then(c.StartSeason())
    return {
        "a season": (swiss, MailKind.LEAGUE_STARTED),
        "a season in a division": (tiers, MailKind.LEAGUE_STARTED),
        "a round": (played(swiss).then(c.CheckLeague()), MailKind.LEAGUE_ROUND),
        "a round after a withdrawal": (without_eve, MailKind.LEAGUE_ROUND),
        "a challenge": (running(LADDER).then(c.Challenge(ADA, BOB)), MailKind.LEAGUE_ROUND),
    }


def _annulled(over: Tale) -> Tale:
    """The first game of a season that is over has no result any more."""
    return over.then(c.ReopenResult(1), c.CarryResult(1, (Mark.ANNULLED, Mark.ANNULLED), over.now))


def _with(notice: Notice, *kinds: MailKind) -> Notice:
    """The notice when it tells the news of mails of these kinds too."""
    return replace(notice, detail={**notice.detail, JOINED: [joined(kind) for kind in kinds]})


def _started_without(asked: Tale) -> Tale:
    """Dan has said nothing."""
    return asked.then(c.Confirm(ADA), c.Confirm(BOB), c.Confirm(CLEO), c.StartSeason(), days=0.1)


def _three_ready(asked: Tale) -> Tale:
    return asked.then(c.Confirm(ADA), c.Confirm(BOB), c.Confirm(CLEO), c.Confirm(DAN), days=0.1)


def _too_few() -> Tale:
    tale = opened(ROBIN)
    tale = tale.then(c.AnnounceSeason(tale.now + timedelta(days=2)), days=0.5)
    return tale.then(c.Enter(ADA, 1500.0), days=0.1).then(c.CheckLeague(), days=3)


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


def league_lists() -> tuple[LeagueContext, ...]:
    """One league in each phase, and one without a season."""
    asked = entries(Settings(most=3, least=3, ready_hours=48)).then(c.StartSeason())
    over = played(running(ROBIN)).then(c.CheckLeague())
    left = running(ROBIN).then(c.Withdraw(ADA))
    found = (
        opened(ROBIN),
        entries(ROBIN),
        entries(ROBIN, (BOB,)),
        entries(Settings(most=3), (BOB, CLEO, DAN, ADA)),
        opened(ROBIN).then(c.AnnounceSeason()),
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
