"""Acts of directors in the league Winter, by names that a process of its own understands. Each goes on from the one before."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from turnserver.ids import Burden, LeagueId, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Approval, Format, Settings
from turnserver.league.state import LeagueState, Season
from turnserver.service.service import Service

SETTINGS = Settings(format=Format.SWISS, rounds=3, least=2, round_days=30, approve=(Approval.PAIRINGS,), next_days=None)
"""Of a league whose season has Ada, Bob, Cleo and Dan in it as it begins."""

LONG_AFTER = datetime(2040, 1, 1, tzinfo=UTC)

Act: TypeAlias = "Callable[[LeagueState, Callable[[str], PlayerId]], c.LeagueCommand]"


def _season(state: LeagueState) -> Season:
    assert state.season is not None
    return state.season


def _open(state: LeagueState) -> list[int]:
    return [one.number for one in _season(state).fixtures if not one.marks]


def _last(state: LeagueState) -> int:
    return max(one.number for one in _season(state).fixtures if len(one.players) == 2 and not one.void)


def _decided(state: LeagueState) -> int:
    return max(one.number for one in _season(state).fixtures if len(one.players) == 2 and not one.void and one.by is e.DecidedBy.ADMIN)


def _later(state: LeagueState) -> c.LeagueCommand:
    deadlines = {number: _season(state).fixtures[number - 1].deadline for number in _open(state)}
    return c.MoveDeadlines({number: at + timedelta(days=9) for number, at in deadlines.items() if at is not None}, "the holidays")


def _playoff(state: LeagueState, _who: Callable[[str], PlayerId]) -> c.LeagueCommand:
    [division] = _season(state).divisions
    return c.DecidePlayoff(division.name, tuple(sorted(division.players, reverse=True)))


def _apart(name: str) -> Act:
    return lambda _, who: c.Divide({who("Ada"): name, who("Eve"): name}, "a try")


ACTS: Mapping[str, tuple[Act, type[e.LeagueEvent]]] = {
    "approve": (lambda *_: c.Approve(), e.RoundApproved),
    "let somebody in": (lambda _, who: c.Admit(who("Eve"), 1500.0, "late", c.Past.HALF), e.PlayerAdmitted),
    "let another in": (lambda _, who: c.Admit(who("Fay"), 1500.0, "late", c.Past.HALF), e.PlayerAdmitted),
    # so that the two who came late play with each other
    "pair again": (
        lambda _, who: c.PairAgain("1", "as they wish", ((who("Bob"), who("Ada")), (who("Cleo"), who("Dan")))),
        e.RoundUnpaired,
    ),
    "approve again": (lambda *_: c.Approve(), e.RoundApproved),
    "undo an entry": (lambda _, who: c.UndoAdmission(who("Fay"), "the wrong one"), e.AdmissionUndone),
    "split a division": (_apart("1.2"), e.SeasonDivided),
    "merge divisions": (_apart("1"), e.SeasonDivided),
    "give a bye": (lambda _, who: c.AskBye(who("Cleo"), 2, "1/2", "away"), e.ByeAsked),
    "take the bye back": (lambda _, who: c.DropBye(who("Cleo"), 2, "here"), e.ByeDropped),
    "move deadlines": (lambda state, _: _later(state), e.DeadlinesMoved),
    "remind": (lambda *_: c.Remind(None), e.RoundReminded),
    "let somebody go": (lambda _, who: c.Withdraw(who("Bob")), e.PlayerWithdrawn),
    "fill a place": (lambda _, who: c.SubstitutePlayer(who("Bob"), who("Fay"), Burden.SEAT, "free"), e.PlayerSubstituted),
    "decide": (lambda state, _: c.SetResult(_last(state), (Mark.DRAW, Mark.DRAW), "as agreed"), e.ResultRecorded),
    "correct": (lambda state, _: c.SetResult(_decided(state), (Mark.WIN, Mark.LOSS), "a typo"), e.ResultCorrected),
    "penalize": (lambda _, who: c.Penalize(who("Dan"), "1", "late"), e.PenaltyGiven),
    "keep apart": (lambda _, who: c.BarPair((who("Ada"), who("Eve")), barred=True), e.PairBarred),
    "let meet": (lambda _, who: c.BarPair((who("Ada"), who("Eve")), barred=False), e.PairAllowed),
    "pause": (lambda *_: c.PauseSeason("the holidays"), e.SeasonPaused),
    "resume": (lambda *_: c.ResumeSeason("all are back"), e.SeasonResumed),
    "rename": (lambda *_: c.RenameLeague("WINTER", "louder"), e.LeagueRenamed),
    "cancel": (lambda *_: c.CancelSeason("a typo"), e.SeasonCancelled),
    "reopen": (lambda *_: c.ReopenSeason("not that one"), e.SeasonReopened),
    "close": (lambda *_: c.CloseSeason("enough"), e.SeasonClosed),
    "archive": (lambda *_: c.ArchiveLeague("nobody plays"), e.LeagueArchived),
    "bring back": (lambda *_: c.ArchiveLeague("some do", archived=False), e.LeagueUnarchived),
    "announce": (lambda *_: c.AnnounceSeason(), e.SeasonAnnounced),
    "move dates": (lambda *_: c.MoveSeason(None, LONG_AFTER, "the holidays"), e.SeasonMoved),
}
"""In their order, each with an event that it brings about once."""

PLAYOFF = "enter a playoff"
"""An act in a season of which everything is played, between all who are tied for its first place."""


def act(service: Service, league: LeagueId, name: str) -> None:
    """Carry out an act, `split` the league or `merge` the two, once however often it is asked for."""
    asked = {"actor": "admin:test", "cause": f"test:{name}"}
    if name == "split":
        service.leagues.split(league, "Autumn", [service.people.find("Bob").id], **asked)
        return
    if name == "merge":
        service.leagues.merge(league, service.leagues.find("Autumn"), "too few", **asked)
        return
    make = _playoff if name == PLAYOFF else ACTS[name][0]
    command = make(service.leagues.state(league), lambda who: service.people.find(who).id)
    service.leagues.handle(league, command, **asked)
