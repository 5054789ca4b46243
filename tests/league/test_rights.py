"""The roles of those who direct a league: what each allows, to whom, and until when."""

from datetime import timedelta
from typing import get_args

import pytest

from tests.league.seasons import ADA, BOB, CLEO, League
from turnserver.errors import NotAllowed
from turnserver.ids import Burden, GameId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.events import Role
from turnserver.league.rights import directors, is_own, may, require, role_told, roles_for
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Settings

DRAW = (Mark.DRAW, Mark.DRAW)
ALLOWED: dict[str, tuple[c.LeagueCommand, ...]] = {
    "das": (c.Remind(),),
    "da": (
        c.SetResult(1, DRAW, ""),
        c.MoveDeadlines({1: None}, ""),
        c.PairAgain("1", ""),
        c.BarPair((ADA, BOB)),
        c.DecidePlayoff("1", (ADA, BOB)),
        c.Penalize(BOB, "1", ""),
        c.Approve(),
    ),
    "ds": (
        c.Enter(BOB, 1500.0, by_admin=True),
        c.Confirm(BOB),
        c.Withdraw(BOB),
        c.ReturnPlayer(BOB, ""),
        c.Admit(BOB, 1500.0, "", c.Past.BYE),
        c.UndoAdmission(BOB, ""),
        c.AskBye(BOB, 2, "1/2"),
        c.DropBye(BOB, 2),
        c.Challenge(BOB, CLEO),
        c.SubstitutePlayer(BOB, CLEO, Burden.SEAT, ""),
        c.MovePlayer(BOB, 1, ""),
        c.SendWords("5d" * 32),
    ),
    "d": (
        c.ChangeSettings(Settings(), ""),
        c.RenameLeague("Spring", ""),
        c.ArchiveLeague(""),
        c.MoveSeason(None, None, ""),
        c.MoveRounds(timedelta(days=1), ""),
        c.Divide({BOB: "2"}, ""),
        c.AnnounceSeason(),
        c.StartSeason(),
        c.DropSeason(""),
        c.CheckLeague(),
        c.PauseSeason(""),
        c.ResumeSeason(""),
        c.CloseSeason(""),
        c.CancelSeason(""),
        c.ReopenSeason(""),
    ),
    "": (
        c.GiveRole(BOB, Role.ARBITER, ""),
        c.TakeRole(BOB, Role.ARBITER, ""),
        c.AttachGame(1, GameId(1)),
        c.CarryResult(1, DRAW, League(Settings()).now),
        c.ReopenResult(1),
    ),
}
"""By the first letters of the roles that allow it."""


def test_every_command_is_for_the_roles_that_it_is_for() -> None:
    assert {type(one) for those in ALLOWED.values() for one in those} == set(get_args(c.LeagueCommand))
    for letters, commands in ALLOWED.items():
        for role in Role:
            league = League(Settings())
            league.do(c.GiveRole(ADA, role, "a test"))
            for command in commands:
                assert may(league.state, ADA, command) is (role.value[0] in letters), (role, command)
                assert not may(league.state, CLEO, command), command


def test_what_is_their_own_players_do_without_a_role() -> None:
    state = League(Settings()).state
    byes = (c.AskBye(ADA), c.AskBye(ADA, worth="0"), c.DropBye(ADA))
    for own in (c.Enter(ADA, 1500.0), c.Confirm(ADA), c.Withdraw(ADA), *byes, c.Challenge(ADA, BOB)):
        assert may(state, ADA, own)
        assert not may(state, BOB, own)
        assert is_own(ADA, own)
    for other in (c.Enter(ADA, 1500.0, by_admin=True), c.AskBye(ADA, 1, "1/2"), c.Penalize(ADA, "1", "")):
        assert not may(state, ADA, other)


def test_a_role_is_given_once_and_taken_once() -> None:
    league = League(Settings())
    give, take = c.GiveRole(ADA, Role.ARBITER, "fair"), c.TakeRole(ADA, Role.ARBITER, "away")
    assert league.refusal(take) == "as_it_is"
    assert league.do(give, c.GiveRole(ADA, Role.SECRETARY, "")) == [
        e.RoleGiven(player=ADA, role=Role.ARBITER, reason="fair"),
        e.RoleGiven(player=ADA, role=Role.SECRETARY, reason=""),
    ]
    assert league.refusal(give) == "as_it_is"
    assert league.state.roles == {ADA: {Role.ARBITER, Role.SECRETARY}}
    assert league.do(take) == [e.RoleTaken(player=ADA, role=Role.ARBITER, reason="away")]
    assert league.state.roles == {ADA: {Role.SECRETARY}}
    league.do(c.TakeRole(ADA, Role.SECRETARY, ""))
    assert league.state.roles == {}


def test_those_who_are_told_have_one_of_the_roles() -> None:
    league = League(Settings())
    league.do(c.GiveRole(BOB, Role.DIRECTOR, ""), c.GiveRole(ADA, Role.ARBITER, ""), c.GiveRole(CLEO, Role.SECRETARY, ""))
    assert directors(league.state, roles_for(c.SetResult(1, DRAW, ""))) == (ADA, BOB)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (c.SetResult(1, DRAW, ""), "In Winter, that takes the role of director or arbiter. Nothing has changed."),
        (c.CloseSeason(""), "In Winter, that takes the role of director. Nothing has changed."),
        (c.GiveRole(BOB, Role.ARBITER, ""), "Only the admin of this server can do that. Nothing has changed."),
    ],
)
def test_a_refusal_says_who_may(command: c.LeagueCommand, told: str) -> None:
    state = League(Settings()).state
    with pytest.raises(NotAllowed) as refused:
        require(state, ADA, command)
    assert (refused.value.code, refused.value.message) == ("no_right", told)
    require(state, ADA, c.Withdraw(ADA))


def test_roles_have_names() -> None:
    assert [role_told(role) for role in Role] == [role.value for role in Role]
