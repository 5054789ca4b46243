"""The recipients of news about a league: something happens, and then each player gets at most this one mail."""

from datetime import timedelta
from typing import get_args

from msgspec.structs import replace

from tests.cases import for_each
from tests.mail.outbound.league_occasions import (
    ADA,
    BOB,
    CLEO,
    CUP,
    DAN,
    EVE,
    HELD,
    LADDER,
    ROBIN,
    SWISS,
    TIERS,
    Tale,
    entries,
    opened,
    played,
    running,
    with_result,
)
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league import commands as c
from turnserver.league.events import LeagueEvent, Role
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Pace, Settings, TierSize, WhenUnfinished
from turnserver.league.state import LeagueState
from turnserver.mail.outbound.kinds import MailKind

ALL = (ADA, BOB, CLEO, DAN)
FULL = Settings(most=3, least=3, ready_hours=48)


def every(kind: MailKind, *players: PlayerId) -> dict[PlayerId, MailKind]:
    return dict.fromkeys(players or ALL, kind)


def told(tale: Tale, by: PlayerId | None = None) -> dict[PlayerId, MailKind]:
    found = {notice.player: notice.kind for notice in tale.notices(by) if notice.player is not None}
    assert len(found) == len(tale.notices(by))
    assert all(notice.detail == {"since": tale.before.version if tale.before else 0} for notice in tale.notices(by))
    return found


def lost(tale: Tale) -> Tale:
    """The first meeting has a result."""
    return with_result(tale, 1, Mark.WIN, 17)


def challenge_won(tale: Tale) -> Tale:
    """The challenger of the first meeting beats the other."""

    def won(state: LeagueState) -> c.Command:
        assert state.season is not None
        one = state.season.fixtures[0]
        marks = tuple(Mark.WIN if line == one.challenger else Mark.LOSS for line in one.players)
        return c.CarryResult(1, marks, tale.now)

    return tale.on(won)


def first_two(tale: Tale) -> tuple[PlayerId, ...]:
    assert tale.state is not None
    assert tale.state.season is not None
    return tale.state.season.fixtures[0].players


ROBINS = running(ROBIN)
HELDS = running(HELD)
NEXT = played(running(Settings(next_days=3))).then(c.CheckLeague())
SIX = (*ALL, EVE, PlayerId(13))
TIERED = Settings(round_days=14, tiers=(TierSize(size=2), TierSize(size=4)))
DATED = running(Settings(round_every=7))
OVER = played(running(SWISS, ALL[:3])).then(c.CheckLeague())
AFTER_A_CUP_ROUND = played(running(CUP), (Mark.WIN,)).then(c.CheckLeague())
VOID = Settings(round_days=5, when_unfinished=WhenUnfinished.NO_RESULT)
LADDERS = running(LADDER)
SHORT = running(replace(LADDER, season_days=10))
TIED = played(running(Settings(tie_breaks=(TieBreak.PLAYOFF,))), (Mark.DRAW,))
WON = c.SetResult(1, (Mark.FORFEIT, Mark.WIN_BY_FORFEIT), "a mistake")
MISSED = played(running(replace(ROBIN, pace=Pace.ROUND_BY_ROUND)).then(c.Withdraw(BOB))).then(c.CheckLeague()).then(c.ReturnPlayer(BOB, ""))
STRUCK = tuple(player for player in ALL if player != DAN)
CASES: dict[str, tuple[Tale, dict[PlayerId, MailKind]]] = {
    "a league that is opened": (opened(ROBIN), {}),
    "a first season": (opened(ROBIN).then(c.AnnounceSeason()), {}),
    "an entry by an admin": (entries(ROBIN), every(MailKind.LEAGUE_ENTRY, DAN)),
    "an entry taken back": (entries(ROBIN).then(c.Withdraw(ADA)), every(MailKind.LEAGUE_ENTRY, ADA)),
    "a place for who waits": (entries(FULL).then(c.Withdraw(ADA)), every(MailKind.LEAGUE_ENTRY, ADA, DAN)),
    "the ready check": (entries(FULL).then(c.StartSeason()), every(MailKind.LEAGUE_READY)),
    "somebody is there": (entries(FULL).then(c.StartSeason(), c.Confirm(ADA)), {}),
    "a season dropped": (entries(ROBIN).then(c.DropSeason("")), every(MailKind.LEAGUE_DROPPED)),
    "the start, with all its rounds": (ROBINS, every(MailKind.LEAGUE_STARTED)),
    "the start without some": (
        entries(Settings(most=3, least=3)).then(c.StartSeason()),
        every(MailKind.LEAGUE_STARTED, *ALL[:3]) | every(MailKind.LEAGUE_ENTRY, DAN),
    ),
    "a game is opened": (ROBINS.then(c.AttachGame(1, GameId(17))), {}),
    "a game is over": (lost(ROBINS), {}),
    "a round": (OVER, every(MailKind.LEAGUE_ROUND, *ALL[:3])),
    "a round of a cup": (AFTER_A_CUP_ROUND, every(MailKind.LEAGUE_ROUND)),
    "a slow round": (ROBINS.then(c.CheckLeague(), days=23), every(MailKind.LEAGUE_REMINDER)),
    "a round that is late": (ROBINS.then(c.CheckLeague(), days=31), every(MailKind.LEAGUE_NEWS)),
    "a withdrawal": (lost(ROBINS).then(c.Withdraw(DAN)), every(MailKind.LEAGUE_NEWS)),
    "a withdrawal in one of two divisions": (running(TIERS).then(c.Withdraw(DAN)), every(MailKind.LEAGUE_NEWS, DAN, CLEO)),
    "a withdrawal undone": (lost(ROBINS).then(c.Withdraw(DAN), c.ReturnPlayer(DAN, "")), every(MailKind.LEAGUE_NEWS)),
    "a withdrawal undone, without games": (
        lost(ROBINS).then(c.Withdraw(DAN), c.ReturnPlayer(DAN, "", ())),
        every(MailKind.LEAGUE_NEWS, DAN, *STRUCK),
    ),
    "a withdrawal undone after a round": (MISSED, every(MailKind.LEAGUE_NEWS, ADA, BOB, DAN)),
    "a late entry": (running(SWISS).then(c.Admit(EVE, 1500.0, "", c.Past.HALF)), {EVE: MailKind.LEAGUE_ENTRY}),
    "a late entry with games": (
        ROBINS.then(c.Admit(EVE, 1500.0, "", c.Past.PLAY)),
        every(MailKind.LEAGUE_NEWS) | {EVE: MailKind.LEAGUE_ENTRY},
    ),
    "an undone entry": (
        running(SWISS, ALL[:3]).then(c.Admit(EVE, 1500.0, "", c.Past.HALF), c.PairAgain("1", "", ((BOB, EVE),)), c.UndoAdmission(EVE, "")),
        every(MailKind.LEAGUE_NEWS, BOB, EVE),
    ),
    "an undone entry where all meet": (
        ROBINS.then(c.Admit(EVE, 1500.0, "", c.Past.PLAY), c.UndoAdmission(EVE, "")),
        every(MailKind.LEAGUE_NEWS, *ALL, EVE),
    ),
    "a round paired again": (running(SWISS).then(c.PairAgain("1", "", ((ADA, DAN),))), every(MailKind.LEAGUE_ROUND)),
    "words of an admin, whose mails are made with the words": (running(SWISS).then(c.SendWords("5d" * 32)), {}),
    "a bye by an admin": (running(SWISS).then(c.AskBye(BOB, 2, "0")), {BOB: MailKind.LEAGUE_NEWS}),
    "no bye by an admin": (running(SWISS).then(c.AskBye(BOB, 2, "0"), c.DropBye(BOB)), {BOB: MailKind.LEAGUE_NEWS}),
    "a season cancelled": (lost(ROBINS).then(c.Withdraw(DAN)).then(c.CancelSeason("")), every(MailKind.LEAGUE_DROPPED, ADA, BOB, CLEO)),
    "a pairing that waits": (HELDS.then(c.PairAgain("1", "")), every(MailKind.LEAGUE_ROUND)),
    "a pairing approved": (HELDS.then(c.Approve()), every(MailKind.LEAGUE_NEWS)),
    "a table that waits": (played(HELDS.then(c.Approve())).then(c.CheckLeague()), every(MailKind.LEAGUE_NEWS)),
    "a table approved": (played(HELDS.then(c.Approve())).then(c.CheckLeague(), c.Approve()), every(MailKind.LEAGUE_FINAL)),
    "other divisions": (running(TIERED, SIX).then(c.Divide({ADA: "1"}, "")), every(MailKind.LEAGUE_NEWS, *SIX)),
    "other divisions beside one that stays": (
        running(TIERED, SIX).then(c.Divide(dict.fromkeys((ADA, BOB), "2.2"), "")),
        every(MailKind.LEAGUE_NEWS),
    ),
    "a new name": (ROBINS.then(c.RenameLeague("Spring", "")), every(MailKind.LEAGUE_NEWS)),
    "a new name before the start": (entries(ROBIN).then(c.RenameLeague("Spring", "")), every(MailKind.LEAGUE_NEWS)),
    "a new name after the end": (played(ROBINS).then(c.CheckLeague(), c.RenameLeague("Spring", "")), {}),
    "a league archived": (NEXT.then(c.ArchiveLeague("")), every(MailKind.LEAGUE_NEWS)),
    "a league archived of which nobody expects more": (played(ROBINS).then(c.CheckLeague(), c.ArchiveLeague("")), {}),
    "a league brought back": (NEXT.then(c.ArchiveLeague(""), c.ArchiveLeague("", archived=False)), {}),
    "other dates before the start": (
        entries(ROBIN).then(c.MoveSeason(None, ROBINS.now + timedelta(days=30), "")),
        every(MailKind.LEAGUE_NEWS),
    ),
    "other dates of rounds": (DATED.then(c.MoveRounds(timedelta(days=3), "")), every(MailKind.LEAGUE_NEWS)),
    "a role": (ROBINS.then(c.GiveRole(EVE, Role.ARBITER, "")), {EVE: MailKind.LEAGUE_NEWS}),
    "a role that is taken": (
        opened(ROBIN).then(c.GiveRole(EVE, Role.ARBITER, "")).then(c.TakeRole(EVE, Role.ARBITER, "")),
        {EVE: MailKind.LEAGUE_NEWS},
    ),
    "a pause": (ROBINS.then(c.PauseSeason("")), every(MailKind.LEAGUE_NEWS)),
    "the end of a pause": (ROBINS.then(c.PauseSeason(""), c.ResumeSeason("")), every(MailKind.LEAGUE_NEWS)),
    "a place filled": (
        ROBINS.then(c.Withdraw(DAN), c.SubstitutePlayer(DAN, EVE, Burden.SEAT, "")),
        every(MailKind.LEAGUE_NEWS, *ALL, EVE),
    ),
    "a deadline moved": (
        ROBINS.then(c.MoveDeadlines({1: ROBINS.now + timedelta(days=90)}, "")),
        every(MailKind.LEAGUE_NEWS, *first_two(ROBINS)),
    ),
    "a substitute": (ROBINS.then(c.SubstitutePlayer(DAN, EVE, Burden.SEAT, "")), every(MailKind.LEAGUE_NEWS, *ALL, EVE)),
    "a result by an admin": (ROBINS.then(WON), every(MailKind.LEAGUE_NEWS, *first_two(ROBINS))),
    "points taken": (ROBINS.then(c.Penalize(ADA, "1/2", "late")), every(MailKind.LEAGUE_NEWS)),
    "points taken in one of two divisions": (running(TIERS).then(c.Penalize(DAN, "1/2", "")), every(MailKind.LEAGUE_NEWS, DAN, CLEO)),
    "a season that goes on": (ROBINS.then(c.CloseSeason(""), c.ReopenSeason("")), every(MailKind.LEAGUE_NEWS)),
    "a correction": (lost(ROBINS).then(WON), every(MailKind.LEAGUE_NEWS)),
    "a correction in one of two divisions": (lost(running(TIERS)).then(WON), every(MailKind.LEAGUE_NEWS, *first_two(running(TIERS)))),
    "another tier": (running(TIERS).then(c.MovePlayer(ADA, 1, "")), every(MailKind.LEAGUE_NEWS, ADA)),
    "a pair that is not to meet": (ROBINS.then(c.BarPair((ADA, BOB))), {}),
    "the end": (played(ROBINS).then(c.CheckLeague()), every(MailKind.LEAGUE_FINAL)),
    "the end without who has left": (ROBINS.then(c.Withdraw(DAN), c.CloseSeason("")), every(MailKind.LEAGUE_FINAL, ADA, BOB, CLEO)),
    "the end, and the next season at once": (
        played(running(Settings(next_days=0))).then(c.CheckLeague()),
        every(MailKind.LEAGUE_FINAL),
    ),
    "the next season": (played(ROBINS).then(c.CheckLeague(), c.AnnounceSeason()), every(MailKind.LEAGUE_SEASON)),
    "a correction after the end": (played(ROBINS).then(c.CheckLeague(), WON), every(MailKind.LEAGUE_NEWS)),
    "a challenge": (LADDERS.then(c.Challenge(BOB, CLEO)), every(MailKind.LEAGUE_ROUND, BOB, CLEO)),
    "a ladder on which nobody plays, so all stay where they are": (LADDERS.then(c.CheckLeague(), days=61), {}),
    "a ladder on which a newcomer passes others": (
        LADDERS.then(c.Enter(EVE, 1500.0), days=30).then(c.CheckLeague(), days=31),
        every(MailKind.LEAGUE_NEWS, ADA, BOB, CLEO),
    ),
    "a ladder whose days are over": (SHORT.then(c.Challenge(BOB, CLEO)).then(c.CheckLeague(), days=11), every(MailKind.LEAGUE_NEWS)),
    "a challenge that is won": (
        challenge_won(LADDERS.then(c.Challenge(BOB, DAN))),
        every(MailKind.LEAGUE_NEWS, BOB, CLEO, DAN),
    ),
    "a result taken back": (lost(ROBINS).then(c.ReopenResult(1)), {}),
    "a result taken back after the end": (played(ROBINS).then(c.CheckLeague(), c.ReopenResult(1)), every(MailKind.LEAGUE_NEWS)),
    "a playoff": (TIED.then(c.DecidePlayoff("1", ALL)), {}),
    "other settings": (played(ROBINS).then(c.CheckLeague(), c.ChangeSettings(VOID, "")), {}),
    "a pair that may meet again": (ROBINS.then(c.BarPair((ADA, BOB)), c.BarPair((ADA, BOB), barred=False)), {}),
    "somebody comes to a ladder": (LADDERS.then(c.Enter(EVE, 1500.0)), every(MailKind.LEAGUE_ENTRY, EVE)),
}


@for_each("name", CASES)
def test_who_is_told_what(name: str) -> None:
    tale, expected = CASES[name]
    assert told(tale) == expected


OWN: dict[str, tuple[Tale, PlayerId]] = {
    "an entry": (entries(ROBIN), DAN),
    "an entry on the waiting list": (entries(FULL), DAN),
    "leaving before the start": (entries(ROBIN).then(c.Withdraw(ADA)), ADA),
    "being there": (entries(FULL).then(c.StartSeason(), c.Confirm(ADA)), ADA),
    "leaving": (ROBINS.then(c.Withdraw(DAN)), DAN),
    "leaving as a substitute": (ROBINS.then(c.SubstitutePlayer(DAN, EVE, Burden.SEAT, ""), c.Withdraw(EVE)), EVE),
    "challenging": (LADDERS.then(c.Challenge(BOB, CLEO)), BOB),
    "coming to a ladder": (LADDERS.then(c.Enter(EVE, 1500.0)), EVE),
}


@for_each("name", OWN)
def test_what_somebody_did_themselves_is_answered(name: str) -> None:
    tale, player = OWN[name]
    others = told(tale)
    others.pop(player, None)
    assert told(tale, by=player) == {player: MailKind.LEAGUE_ANSWER} | others


def test_what_is_not_their_own_is_answered_to_whoever_directed_it() -> None:
    tale, _ = OWN["challenging"]
    assert told(tale, by=EVE) == {EVE: MailKind.LEAGUE_ANSWER} | told(tale)


@for_each("name", ["the ready check", "the start, with all its rounds", "a round of a cup"])
def test_a_director_who_plays_is_answered_and_told_what_all_are_told(name: str) -> None:
    tale, expected = CASES[name]
    found = [notice.kind for notice in tale.notices(ADA) if notice.player == ADA]
    assert found == [MailKind.LEAGUE_ANSWER, expected[ADA]]


def test_a_director_who_plays_reads_no_news_of_what_they_have_just_done() -> None:
    tale, expected = CASES["a withdrawal"]
    assert told(tale, by=ADA) == expected | {ADA: MailKind.LEAGUE_ANSWER}


def test_a_cup_is_told_to_those_who_were_in_the_last_round_or_are_in_this_one() -> None:
    players = tuple(PlayerId(number) for number in range(1, 9))
    tale = played(running(CUP, players), (Mark.WIN,)).then(c.CheckLeague())
    assert set(told(tale)) == set(players)
    final = played(tale, (Mark.WIN,)).then(c.CheckLeague())
    assert len(told(final)) == 4
    assert set(told(final).values()) == {MailKind.LEAGUE_ROUND}
    assert final.state is not None


def test_every_event_is_in_a_case() -> None:
    seen = {type(event) for tale in (*(tale for tale, _ in CASES.values()), *(tale for tale, _ in OWN.values())) for event in tale.events}
    assert [event.__name__ for event in get_args(LeagueEvent) if event not in seen] == []


def test_a_deadline_that_decides_a_game_is_told_to_its_players() -> None:
    tale = running(VOID).then(c.CheckLeague(), days=6)
    assert set(told(tale).values()) == {MailKind.LEAGUE_NEWS}
    assert set(told(tale)) == set(ALL)
