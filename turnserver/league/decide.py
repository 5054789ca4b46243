"""Deciding about a command to a league: the events that follow, or a refusal. Pure: the instant and the source of lots are arguments."""

from datetime import datetime, timedelta
from typing import TypeAlias, assert_never

from turnserver.errors import NotAllowed, NotFound, SecretLost
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.approving import approve
from turnserver.league.byes import ask_bye, drop_bye
from turnserver.league.closing import cancel, carry, close, decide_playoff, penalize, reopen, reopen_season, set_result, with_tables
from turnserver.league.course import check, go_on
from turnserver.league.dates import move_rounds, move_season
from turnserver.league.deadlines import move_deadlines
from turnserver.league.dividing import divide
from turnserver.league.entering import announce, confirm, drop, enter, start
from turnserver.league.evolve import fold
from turnserver.league.formats.ladder_decisions import challenge
from turnserver.league.formats.seating import seated
from turnserver.league.guards import between_seasons, changing
from turnserver.league.late_entries import admit, undo_admission
from turnserver.league.leaving import come_back, substitute, withdraw
from turnserver.league.pairing import attach, remind
from turnserver.league.pairing_again import pair_again
from turnserver.league.pausing import pause, resume
from turnserver.league.rights import give_role, take_role
from turnserver.league.scoring.lots import Drawing
from turnserver.league.settings import Settings, complete
from turnserver.league.state import LeagueState, Phase
from turnserver.league.words import send_words
from turnserver.text import say


def change_settings(state: LeagueState, command: c.ChangeSettings, now: datetime) -> tuple[e.LeagueEvent, ...]:
    """Change the settings of the seasons to come. Every setting may change, and the tiers of players are kept.

    A season keeps the settings that it was announced with, so this is refused (`season_open`) while a season is not over. Refuses
    (`as_it_is`) a command that changes nothing, and with BadOption settings that cannot be played.
    """
    between_seasons(state)
    before = state.for_next
    settings = complete(seated(command.settings, state.game, state.options))
    time = before.time if command.time is None else command.time
    changing(same=(settings, time) == before)
    return (e.SettingsChanged(settings=settings, time=time, next_at=_next_at(state, settings, now), reason=command.reason),)


def _next_at(state: LeagueState, settings: Settings, now: datetime) -> datetime | None:
    """Return when the next season is announced by itself, after the end of the last season. None if it is not.

    If none was to be announced before, the time counts from `now`.
    """
    before, after = state.for_next.settings.next_days, settings.next_days
    if after is None or state.season is None or state.archived:
        return None
    # the end of a season is not kept, but `next_at` was worked out from it
    ended = now if state.next_at is None or before is None else state.next_at - timedelta(days=before)
    return ended + timedelta(days=after)


def rename(state: LeagueState, command: c.RenameLeague) -> tuple[e.LeagueEvent, ...]:
    """Give a league another name. Refuses (`as_it_is`) the name that it has."""
    changing(same=state.name == command.name)
    return (e.LeagueRenamed(name=command.name, reason=command.reason),)


def archive(state: LeagueState, command: c.ArchiveLeague) -> tuple[e.LeagueEvent, ...]:
    """Archive a league, or bring it back. Refuses (`season_open`) a season that is not over, and (`as_it_is`) no change."""
    changing(same=state.archived is command.archived)
    between_seasons(state)
    return (e.LeagueArchived(reason=command.reason),) if command.archived else (e.LeagueUnarchived(reason=command.reason),)


def move(state: LeagueState, command: c.MovePlayer) -> tuple[e.LeagueEvent, ...]:
    """Put a player into another tier. Refuses (`no_tier`) a tier that does not exist."""
    lowest = max(len(state.for_next.settings.tiers), 1)
    if not 1 <= command.tier <= lowest:
        raise NotAllowed("no_tier", say("There is no tier {tier}. The lowest one is {n}.", tier=command.tier, n=lowest))
    return (e.PlayerMoved(player=command.player, tier=command.tier, reason=command.reason),)


def bar(state: LeagueState, command: c.BarPair) -> tuple[e.LeagueEvent, ...]:
    """Keep two players apart, or let them meet again. Refuses (`same_player`) one player alone, and (`as_it_is`) no change."""
    pair = frozenset(command.players)
    if len(pair) < 2:
        raise NotAllowed("same_player", say("Nobody can play against themselves. Name two players."))
    changing(same=(pair in state.barred) is command.barred)
    return (e.PairBarred(players=command.players),) if command.barred else (e.PairAllowed(players=command.players),)


AfterTheEnd: TypeAlias = c.SetResult | c.CarryResult | c.ReopenResult | c.Penalize | c.ReopenSeason
"""The commands that may change a season that is over, and so its tables."""


def decide(state: LeagueState | None, command: c.Command, now: datetime, lots: Drawing) -> tuple[e.LeagueEvent, ...]:
    """Return the events that follow from `command` at the instant `now` (UTC), at least one. `state` is None before the league is opened.

    Raises SecretLost if the lots are not those that the season has committed to. Raises a Refusal with a stable code and a message that
    says what to do instead: NotAllowed if the state forbids the command, BadOption for settings, NotFound for a missing league, meeting or
    division.
    """
    if isinstance(command, c.OpenLeague):
        if state is not None:
            raise NotAllowed("already_open", say("This league is open already. Open a new one."))
        return (_opened(command),)
    if state is None:
        raise NotFound(say("There is no such league. Ask the organisers which leagues there are."))
    if state.archived and isinstance(command, c.AnnounceSeason | c.ReopenSeason):
        raise NotAllowed("archived", say("This league is archived. Bring it back first."))
    season = state.season
    # A season that is not over may draw lots with any command. One that is over draws some only where its tables change.
    drawing = season is not None and (season.phase is not Phase.CLOSED or isinstance(command, AfterTheEnd))
    if season is not None and drawing and lots.commitment(season.number) != season.commitment:
        raise SecretLost("The secret that is kept for this league is not the one that its log commits to. Restore it from a backup.")
    events = _decide(state, command, now, lots)
    if isinstance(command, AfterTheEnd):
        return with_tables(state, events, lots)
    if isinstance(command, c.StartSeason) and isinstance(events[0], e.SeasonStarted):
        # rounds that begin with the season are paired in the same decision, so nobody sees a season without its first round
        return (*events, *go_on(fold(events, state), c.CheckLeague(command.ratings), now, lots))
    return events


def _opened(command: c.OpenLeague) -> e.LeagueOpened:
    settings = complete(seated(command.settings, command.game, command.options))
    return e.LeagueOpened(name=command.name, game=command.game, options=dict(command.options), time=command.time, settings=settings)


def _decide(  # noqa: C901, PLR0912  # one branch a command
    state: LeagueState, command: c.LeagueCommand, now: datetime, lots: Drawing
) -> tuple[e.LeagueEvent, ...]:
    match command:
        case c.ChangeSettings():
            return change_settings(state, command, now)
        case c.RenameLeague():
            return rename(state, command)
        case c.ArchiveLeague():
            return archive(state, command)
        case c.MoveSeason():
            return move_season(state, command, now)
        case c.MoveRounds():
            return move_rounds(state, command, now)
        case c.AnnounceSeason():
            return announce(state, command, now, lots)
        case c.Enter():
            return enter(state, command, now)
        case c.Confirm():
            return confirm(state, command)
        case c.Withdraw():
            return withdraw(state, command, now)
        case c.AskBye():
            return ask_bye(state, command)
        case c.DropBye():
            return drop_bye(state, command)
        case c.Admit():
            return admit(state, command, now)
        case c.UndoAdmission():
            return undo_admission(state, command, now)
        case c.Divide():
            return divide(state, command, now)
        case c.ReturnPlayer():
            return come_back(state, command, now)
        case c.StartSeason():
            return start(state, command, now, lots)
        case c.DropSeason():
            return drop(state, command)
        case c.CheckLeague():
            return check(state, command, now, lots)
        case c.Remind():
            return remind(state, command)
        case c.PairAgain():
            return pair_again(state, command, now)
        case c.Approve():
            return approve(state, command, now, lots)
        case c.MoveDeadlines():
            return move_deadlines(state, command, now)
        case c.Challenge():
            return challenge(state, command, now, lots)
        case c.AttachGame():
            return attach(state, command)
        case c.CarryResult():
            return carry(state, command)
        case c.ReopenResult():
            return reopen(state, command)
        case c.SetResult():
            return set_result(state, command, now)
        case c.SubstitutePlayer():
            return substitute(state, command, now)
        case c.DecidePlayoff():
            return decide_playoff(state, command)
        case c.PauseSeason():
            return pause(state, command, now)
        case c.ResumeSeason():
            return resume(state, command, now)
        case c.CancelSeason():
            return cancel(state, command, now, lots)
        case c.CloseSeason():
            return close(state, command, now, lots)
        case c.ReopenSeason():
            return reopen_season(state, command, now)
        case c.Penalize():
            return penalize(state, command)
        case c.MovePlayer():
            return move(state, command)
        case c.BarPair():
            return bar(state, command)
        case c.SendWords():
            return send_words(state, command)
        case c.GiveRole():
            return give_role(state, command)
        case c.TakeRole():
            return take_role(state, command)
        case _:
            assert_never(command)
