"""The roles of players who direct a league, and the commands that each role allows.

An admin may do everything. A player may do for a league what one of their roles allows at that moment, and always what is their own to do,
such as leaving. Nobody but an admin gives or takes a role.
"""

from typing import Final, assert_never

from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.events import Role
from turnserver.league.guards import changing
from turnserver.league.state import LeagueState
from turnserver.text import listing, say

NOBODY: Final = frozenset[Role]()
DIRECTORS: Final = frozenset({Role.DIRECTOR})
ARBITERS: Final = frozenset({Role.DIRECTOR, Role.ARBITER})
SECRETARIES: Final = frozenset({Role.DIRECTOR, Role.SECRETARY})
ANY: Final = frozenset(Role)


def give_role(state: LeagueState, command: c.GiveRole) -> tuple[e.RoleGiven]:
    """Give a role to a player. Refuses (`as_it_is`) one that they have."""
    changing(same=command.role in state.roles.get(command.player, NOBODY))
    return (e.RoleGiven(player=command.player, role=command.role, reason=command.reason),)


def take_role(state: LeagueState, command: c.TakeRole) -> tuple[e.RoleTaken]:
    """Take a role from a player. Refuses (`as_it_is`) one that they do not have."""
    changing(same=command.role not in state.roles.get(command.player, NOBODY))
    return (e.RoleTaken(player=command.player, role=command.role, reason=command.reason),)


def roles_for(command: c.LeagueCommand) -> frozenset[Role]:
    """Return the roles that allow a command; none of them if only an admin or the service may ask for it."""
    match command:
        case c.SetResult() | c.MoveDeadlines() | c.PairAgain() | c.BarPair() | c.DecidePlayoff() | c.Penalize() | c.Approve():
            return ARBITERS
        case (
            c.Enter()
            | c.Confirm()
            | c.Withdraw()
            | c.ReturnPlayer()
            | c.Admit()
            | c.UndoAdmission()
            | c.AskBye()
            | c.DropBye()
            | c.Challenge()
            | c.SubstitutePlayer()
            | c.MovePlayer()
            | c.SendWords()
        ):
            return SECRETARIES
        case c.Remind():
            return ANY
        case (
            c.ChangeSettings()
            | c.RenameLeague()
            | c.ArchiveLeague()
            | c.MoveSeason()
            | c.MoveRounds()
            | c.Divide()
            | c.AnnounceSeason()
            | c.StartSeason()
            | c.DropSeason()
            | c.CheckLeague()
            | c.PauseSeason()
            | c.ResumeSeason()
            | c.CloseSeason()
            | c.CancelSeason()
            | c.ReopenSeason()
        ):
            return DIRECTORS
        case c.GiveRole() | c.TakeRole() | c.AttachGame() | c.CarryResult() | c.ReopenResult():
            return NOBODY
        case _:
            assert_never(command)


def is_own(player: PlayerId, command: c.LeagueCommand) -> bool:
    """Return whether a command is a player's own to give: about themselves, and with nothing that only a director may choose."""
    if not isinstance(command, c.Enter | c.Confirm | c.Withdraw | c.AskBye | c.DropBye | c.Challenge) or command.player != player:
        return False
    has_points = isinstance(command, c.AskBye) and command.worth not in {None, "0"}
    return not has_points and not (isinstance(command, c.Enter) and command.by_admin)


def may(state: LeagueState, player: PlayerId, command: c.LeagueCommand) -> bool:
    """Return whether a player may give a command to the league as it is: it is their own to give, or one of their roles allows it."""
    return is_own(player, command) or bool(roles_for(command) & state.roles.get(player, NOBODY))


def require(state: LeagueState, player: PlayerId, command: c.LeagueCommand) -> None:
    """Refuse (`no_right`) a command that the player may not give, and say who may."""
    if may(state, player, command):
        return
    allowed = roles_for(command)
    if not allowed:
        raise NotAllowed("no_right", say("Only the admin of this server can do that. Nothing has changed."))
    roles = listing([role_told(role) for role in Role if role in allowed], "or")
    raise NotAllowed("no_right", say("In {league}, that takes the role of {roles}. Nothing has changed.", league=state.name, roles=roles))


def directors(state: LeagueState, roles: frozenset[Role]) -> tuple[PlayerId, ...]:
    """Return the players who have one of the roles, by their numbers."""
    return tuple(sorted(player for player, theirs in state.roles.items() if theirs & roles))


def role_told(role: Role) -> str:
    """Return the name of a role in a sentence."""
    match role:
        case Role.DIRECTOR:
            return say("director")
        case Role.ARBITER:
            return say("arbiter")
        case Role.SECRETARY:
            return say("secretary")
        case _:
            assert_never(role)
