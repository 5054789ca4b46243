"""Every change to the history of a league is found: rows changed, left out, exchanged or put in. Free words alone may differ."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple, TypeAlias

import msgspec
import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.league.histories import HISTORIES, IDA
from tests.league.seasons import ADA, BOB, CLEO, DAN, LEAGUES, League
from tests.shortened import shortened
from turnserver.audit.league import recheck as audit
from turnserver.audit.league.recheck import recheck
from turnserver.ids import GameId, Recorded
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.commands import AttachGame, CancelSeason
from turnserver.league.events import Role
from turnserver.league.scoring.marks import Mark
from turnserver.league.settings import Format, Settings
from turnserver.league.state import LeagueState

EACH = [pytest.param(name, marks=[pytest.mark.thorough] if name == "tables" else []) for name in HISTORIES]
SOME = [pytest.param(name, marks=[pytest.mark.long] if name in {"divisions", "tables", "cup"} else []) for name in HISTORIES]
"""Meetings of tables are searched for, so checking them takes as long as all others."""
History: TypeAlias = Sequence[Recorded[e.LeagueEvent]]


@pytest.mark.long
def test_everything_happens_in_one_of_them() -> None:
    happened = {type(event) for make in HISTORIES.values() for event in make().events}
    assert set(e.EVENT_TYPES) - happened == set()


@pytest.mark.parametrize("name", EACH)
def test_nothing_is_wrong_with_what_was_decided(name: str) -> None:
    league = HISTORIES[name]()
    assert list(recheck(league.rows)) == list(recheck(league.rows, league.lots.secret)) == []


def variants(value: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: C901, PLR0912  # one branch a kind of value
    """The value with one thing in it changed, and what that is."""
    match value:
        case bool():
            yield path, not value
        case StrEnum():
            yield path, next(other for other in type(value) if other is not value)
        case int() | float():
            yield path, value + 1
        case datetime():
            yield from ((path, value + timedelta(seconds=by)) for by in (-1, 1))
        case str() if len(value) == 64:
            yield path, value[::-1]
        case str():
            yield path, str(int(value) + 1) if value.isdigit() else f"{value}x"
        case None:
            return
        case msgspec.Struct():
            for name in value.__struct_fields__:
                for where, other in variants(getattr(value, name), f"{path}.{name}"):
                    yield where, replace(value, **{name: other})
        case tuple():
            for at, each in enumerate(value):
                yield from ((where, (*value[:at], other, *value[at + 1 :])) for where, other in variants(each, path))
            if value:
                yield f"{path} less one", value[:-1]
            if len(set(map(str, value))) > 1:
                yield f"{path} exchanged", (*value[1:], value[0])
        case dict():
            for key, each in value.items():
                yield from ((where, {**value, key: other}) for where, other in variants(each, path))


class Stood(NamedTuple):
    """A league before the event at an index, which begins a request, with the games that it had had until then."""

    at: int
    state: LeagueState | None
    games: frozenset[GameId]
    meetings: frozenset[tuple[int, int]]


class Whole:
    """A history in which nothing is wrong. What is changed in it is checked from there on: all before is as it was."""

    def __init__(self, league: League) -> None:
        self.rows: History = tuple(league.rows)
        self.secret = league.lots.secret
        self.known = self._evidence(self.rows)
        self.stood = list[Stood]()
        state, seen, at = None, audit._KnownGames(set(), set()), 0
        for _, those in groupby(self.rows, key=lambda row: (row.at, row.actor, row.cause)):
            self.stood.append(Stood(at, state, frozenset(seen.games), frozenset(seen.meetings)))
            request = tuple(those)
            assert list(audit._onwards(request, self.known, state, seen)) == []
            state, at = audit._followed(state, (row.event for row in request)), at + len(request)

    def is_noticed(self, at: int, *instead: Recorded[e.LeagueEvent], of: int = 1) -> bool:
        """Return whether somebody notices that so many events, from an index on, were others."""
        rows = (*self.rows[:at], *instead, *self.rows[at + of :])
        known = self._evidence(rows)
        # From the request before: what is put in or left out may make one request of two.
        begin = self.stood[0] if known != self.known else [one for one in self.stood if one.at <= at][-2:][0]
        seen = audit._KnownGames(set(begin.games), set(begin.meetings))
        return any(True for _ in audit._onwards(rows[begin.at :], known, begin.state, seen))

    def _evidence(self, rows: History) -> audit.Evidence:
        return audit.evidence((row.event for row in rows), self.secret)


@cache
def whole(name: str) -> Whole:
    return Whole(HISTORIES[name]())


def unnoticed(history: Whole, many: int) -> set[str]:
    """Return what may be changed of the first few events of each kind, and nobody notices."""
    found, done = set[str](), Counter[type]()
    for at, row in enumerate(history.rows):
        done[type(row.event)] += 1
        if done[type(row.event)] > many:
            continue
        for path, event in variants(row.event, e.EVENT_TYPES[type(row.event)].name.removeprefix("league.")):
            if not history.is_noticed(at, row._replace(event=event)):
                found.add(path)
    return found


SAID_BY_AN_ADMIN = (
    *("opened.name", "opened.time", "opened.settings", "settings_changed.reason", "settings_changed.time", "settings_changed.settings"),
    *("season_announced.entries_until", "season_announced.starts_at", "season_dropped.reason", "season_reopened.reason"),
    *("penalty_given.reason", "player_moved.reason", "player_substituted.reason", "player_substituted.rating", "result_recorded.reason"),
    *("deadlines_moved.reason", "deadlines_moved.deadlines", "player_returned.reason", "player_returned.meetings"),
    "player_admitted.reason",
    "admission_undone.reason",
    "round_unpaired.reason",
    *("words_sent.digest", "words_sent.round"),
    "bye_asked.reason",
    "bye_dropped.reason",
    "season_cancelled.reason",
    *("season_paused.reason", "season_resumed.reason"),
    *("renamed.name", "renamed.reason", "archived.reason", "unarchived.reason"),
    *("season_moved", "rounds_moved", "season_divided.reason"),
    *("result_corrected.reason", "pair_barred.players", "pair_allowed.players"),
    *("role_given.player", "role_given.role", "role_given.reason", "role_taken.reason"),
)
KNOWN_OF_PLAYERS = ("player_entered.rating", "player_admitted.rating", "player_joined.rating", "season_started.divisions.ratings")
TOLD_BY_GAMES = ("game_attached.game", "result_recorded.at", "result_recorded.marks")
"""`audit.league.leagues` holds it against them."""
WHEN_A_MAIL_CAME_OR_ALL_MAIL_WAS_READ = (
    *("player_joined.at", "player_withdrawn.at", "ready_check_begun.until", "season_closed.next_at", "season_announced.entries_until"),
    *("round_held.approved_at", "tables_held.approved_at"),
    *("result_recorded.at", "round_paired.deadline", "round_paired.remind_at", "challenge_made.at"),
)
BY_HAND = dict.fromkeys(("paired again", "approved", "undone"), ("round_paired.meetings.players exchanged",))
"""The histories in which an admin says who moves first."""
BELIEVED = SAID_BY_AN_ADMIN + KNOWN_OF_PLAYERS + TOLD_BY_GAMES + WHEN_A_MAIL_CAME_OR_ALL_MAIL_WAS_READ


@pytest.mark.thorough
@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("many", shortened([1, 3]))
def test_what_is_changed_is_found(name: str, many: int) -> None:
    believed = (*BELIEVED, *BY_HAND.get(name, ()))
    assert [path for path in sorted(unnoticed(whole(name), many)) if not path.startswith(believed)] == []


NOT_MISSED = {
    e.LeagueOpened: "nothing comes before it",
    e.PlayerEntered: "of a season that never began",
    e.PairBarred: "of two who would not have met",
    e.LeagueRenamed: "of a name that changes nothing",
    e.SeasonMoved: "of a season that began by an admin's word",
    e.RoundsMoved: "of rounds that would have begun as well",
    e.WordsSent: "of words that change nothing",
    e.PairAllowed: "of two who would not have met",
    e.RoleGiven: "of somebody who did nothing with it",
    e.RoleTaken: "of somebody who did nothing afterwards",
    e.GameAttached: "of a game that the league has decided; audit.leagues knows of it",
    e.RoundReminded: "by an admin",
    e.DeadlinesMoved: "of games that were over before either deadline",
    e.TablesHeld: "before an admin ended the season, who may without it",
    e.SeasonClosed: "the end of a history; the log knows its length",
}


@pytest.mark.parametrize("name", EACH)
def test_what_is_left_out_is_missed(name: str) -> None:
    history = whole(name)
    kinds = {type(row.event) for at, row in enumerate(history.rows) if not history.is_noticed(at)}
    # a game of two who are in different divisions now, or of an entry that is undone, changes nothing here, but `audit.leagues` has read
    # what it came to
    parted = {e.ResultRecorded} if name in {"divided", "undone"} else set()
    assert kinds - NOT_MISSED.keys() - parted == set()


@pytest.mark.parametrize("name", EACH)
def test_nothing_happens_twice(name: str) -> None:
    history = whole(name)
    kinds = {type(row.event) for at, row in enumerate(history.rows) if not history.is_noticed(at, row, row)}
    assert kinds - {e.PlayerMoved} == set()  # whom an admin has moved, they may move again


@pytest.mark.parametrize("name", EACH)
def test_what_followed_at_once_followed_in_that_order(name: str) -> None:
    history = whole(name)
    rows = history.rows
    together = [at for at, (one, other) in enumerate(pairwise(rows)) if one.cause == other.cause]
    assert together
    assert [at for at in together if not history.is_noticed(at, rows[at + 1], rows[at], of=2)] == []


def at_of(history: History, kind: type[object]) -> int:
    """Return the index of the first event of a kind."""
    return next(at for at, row in enumerate(history) if isinstance(row.event, kind))


def told(history: History, secret: bytes | None = None) -> str:
    """The first objection."""
    return next(iter(recheck(history, secret))).problem


def changed(history: History, kind: type[e.LeagueEvent], **fields: object) -> History:
    at = at_of(history, kind)
    return (*history[:at], history[at]._replace(event=replace(history[at].event, **fields)), *history[at + 1 :])


@for_each(
    ("name", "kind", "fields", "says"),
    [
        ("divisions", e.RoundPaired, {"round": 2}, "round is 2, worked out anew 1"),
        ("divisions", e.SeasonStarted, {"odd_first": False}, "odd_first is false, worked out anew true"),
        ("swiss", e.SeasonClosed, {"secret": "0" * 64}, "the secret is not the one that the season has committed to"),
        ("divisions", e.SeasonReopened, {"meetings": ()}, "meetings is [], worked out anew ["),
        ("swiss", e.PlayerEntered, {"player": IDA}, "league.player_entered is nothing that player-11 can bring about here"),
        ("cup", e.ResultRecorded, {"meeting": 99}, "league.result_recorded could not follow here: There is no meeting 99"),
        ("ladder", e.ChallengeMade, {"challenger": BOB}, "challenger is 12, worked out anew 13"),
        ("ladder", e.GameAttached, {"game": GameId(2)}, "game 2 was the game of another meeting already"),
        ("swiss", e.SeasonClosed, {"tables": ()}, "tables is [], worked out anew [{"),
        ("tables", e.LeagueOpened, {"game": "ludo"}, "league.opened could not follow here: "),
        ("ladder", e.ChallengeMade, {"players": ()}, "nobody can say how the league stands after this: ValueError: not enough values"),
        ("tables", e.ResultRecorded, {"places": (1,)}, "league.result_recorded could not follow here: every player has a mark and a place"),
        ("swiss", e.RoundPaired, {"remind_at": None}, 'remind_at is null, worked out anew "2025-03-10T'),
        ("swiss", e.ResultRecorded, {"marks": (Mark.DRAW, Mark.DRAW)}, 'marks 1 is "draw", worked out anew "no result"'),
    ],
)
def test_what_is_said_of_it(name: str, kind: type[e.LeagueEvent], fields: dict[str, object], says: str) -> None:
    assert says in " ".join(found.problem for found in recheck(changed(HISTORIES[name]().rows, kind, **fields)))


def test_a_league_has_the_rules_that_it_was_set_up_with() -> None:
    """A cup that is closed before the game for the third place has other places under the first rules than under the second."""
    league = League(Settings(format=Format.KNOCKOUT, third_place=True, least=4, rules=1))
    league.begin((ADA, BOB, CLEO, DAN))
    league.open_games()
    for fixture in league.season.fixtures:
        league.result(fixture.number, Mark.WIN)
    league.do(c.CheckLeague())
    league.do(c.CloseSeason("no time left"))
    assert list(recheck(league.rows)) == []
    newer = replace(league.state.settings, rules=2)
    assert "tables 1 lines 1 player is" in told(changed(league.rows, e.LeagueOpened, settings=newer))
    LEAGUES.clear()


def test_another_secret_is_not_the_one_that_was_committed_to() -> None:
    rows = HISTORIES["swiss"]().rows
    assert told(rows, bytes(32)) == "the secret that is kept for the league is not the one that the season has committed to"


def test_players_act_for_themselves_and_games_for_nobody() -> None:
    rows = HISTORIES["divisions"]().rows
    at = at_of(rows, e.PlayerEntered)
    assert told((*rows[:at], rows[at]._replace(actor="player-99"), *rows[at + 1 :])) == (
        "league.player_entered is nothing that player-99 can bring about here"
    )
    at = at_of(rows, e.ResultRecorded)
    assert "nothing that admin:test can bring about" in told((*rows[:at], rows[at]._replace(actor="admin:test"), *rows[at + 1 :]))
    assert "league.opened is nothing that player-99 can bring about" in told((rows[0]._replace(actor="player-99"), *rows[1:]))


ACTS = {
    "a result, by an arbiter": (Role.ARBITER, c.SetResult(1, (Mark.DRAW, Mark.DRAW), "")),
    "a deadline, by a director": (Role.DIRECTOR, c.MoveDeadlines({1: None}, "")),
    "a withdrawal, by a secretary": (Role.SECRETARY, c.Withdraw(BOB)),
    "an end, by a director": (Role.DIRECTOR, c.CloseSeason("")),
    "words, by a secretary": (Role.SECRETARY, c.SendWords("5d" * 32)),
    "a pause, by a director": (Role.DIRECTOR, c.PauseSeason("")),
}


@for_each(("role", "act"), ACTS.values(), ids=ACTS)
def test_what_a_director_did_without_the_right_is_found(role: Role, act: c.LeagueCommand) -> None:
    """With the role it is right; before it was given, after it was taken, with another one, or by somebody else it is not."""

    def objections(*before: c.LeagueCommand) -> list[str]:
        league = League(Settings(round_days=5))
        league.begin((ADA, BOB, CLEO, DAN))
        league.do(*before)
        league.actor = f"player-{IDA}"
        league.do(act)
        return [one.problem for one in recheck(league.rows)]

    other = Role.SECRETARY if role is not Role.SECRETARY else Role.ARBITER
    assert objections(c.GiveRole(IDA, role, "")) == []
    for wrong in (
        (),
        (c.GiveRole(ADA, role, ""),),
        (c.GiveRole(IDA, other, ""),),
        (c.GiveRole(IDA, role, ""), c.TakeRole(IDA, role, "")),
    ):
        [said] = objections(*wrong)
        assert "is nothing that player-" in said
    LEAGUES.clear()


def test_a_director_gives_no_rights() -> None:
    league = League(Settings())
    league.do(c.GiveRole(IDA, Role.DIRECTOR, ""))
    league.actor = f"player-{IDA}"
    league.do(c.GiveRole(ADA, Role.DIRECTOR, ""))
    assert told(league.rows) == f"league.role_given is nothing that player-{IDA} can bring about here"
    LEAGUES.clear()


def test_a_game_is_opened_when_its_players_may_have_another() -> None:
    league = League(Settings(at_once=1))
    league.begin((ADA, BOB, CLEO, DAN))
    league.do(AttachGame(1, GameId(1)))
    meeting = next(one for one in league.season.fixtures if one.number > 1 and set(one.players) & set(league.season.fixtures[0].players))
    league.do(AttachGame(meeting.number, GameId(2)))
    assert told(league.rows) == f"the game of meeting {meeting.number} was opened while its players had as many games as they may have"
    LEAGUES.clear()


def test_a_result_of_a_game_needs_one() -> None:
    league = League(Settings())
    league.begin((ADA, BOB, CLEO, DAN))
    league.result(1, Mark.WIN)
    assert told(league.rows) == "meeting 1 has the result of a game, but had none"


def test_what_cannot_be_folded_ends_it() -> None:
    rows = HISTORIES["swiss"]().rows
    found = list(recheck(rows[at_of(rows, e.SeasonStarted) :]))
    assert found[-1].problem.startswith("nobody can say how the league stands after this: Malformed")
    assert list(recheck(())) == []


ODD_ROUNDS = {
    "a round before the first": lambda paired: replace(paired, round=-1),
    "a round that nobody could count to": lambda paired: replace(paired, round=10**12),
    "a meeting left out": lambda paired: replace(paired, meetings=tuple(replace(one, number=one.number + 1) for one in paired.meetings)),
    "a meeting of nobody": lambda paired: replace(paired, meetings=(replace(paired.meetings[0], players=()), *paired.meetings[1:])),
}


@for_each("odd", ODD_ROUNDS.values(), ids=ODD_ROUNDS)
@for_each("name", ["swiss", "tables"])
def test_a_round_that_does_not_go_on_ends_it(name: str, odd: Callable[[Any], Any]) -> None:
    """Due things would be worked out from it: a deadline that is judged again and again, or rounds without an end."""
    rows = HISTORIES[name]().rows
    at = at_of(rows, e.RoundPaired)
    round_ = odd(rows[at].event)
    found = list(recheck((*rows[:at], rows[at]._replace(event=round_), *rows[at + 1 :])))
    said = f"round {round_.round} of division 1 does not go on where its season stood"
    assert found[-1].problem == f"nobody can say how the league stands after this: Malformed: {said}"


@pytest.mark.parametrize("odd", ["a meeting left out", "a meeting of nobody"])
def test_meetings_that_are_added_beside_others_end_it(odd: str) -> None:
    rows = HISTORIES["put right"]().rows
    at = at_of(rows, e.MeetingsAdded)
    found = list(recheck((*rows[:at], rows[at]._replace(event=ODD_ROUNDS[odd](rows[at].event)), *rows[at + 1 :])))
    said = "meetings that are added to division 1 do not go on where its season stood"
    assert found[-1].problem == f"nobody can say how the league stands after this: Malformed: {said}"


def test_a_season_is_called_off_in_which_nobody_has_met() -> None:
    league = League(Settings(format=Format.LADDER, next_days=7))
    league.begin((ADA, BOB, CLEO, DAN))
    league.do(CancelSeason("by mistake"))
    assert isinstance(league.events[-1], e.SeasonCancelled)
    assert list(recheck(league.rows)) == []


def test_long_values_are_shown_in_part() -> None:
    rows = HISTORIES["divisions"]().rows
    [started] = [row.event for row in rows if isinstance(row.event, e.SeasonStarted)][:1]
    assert told(changed(rows, e.SeasonStarted, moves=started.moves[1:])).count("...") == 2


def test_lots_that_nobody_knows_yet_are_believed_and_all_else_is_not() -> None:
    league = HISTORIES["divisions"]()
    rows = league.rows[: at_of(league.rows, e.SeasonClosed)]
    started = next(row.event for row in rows if isinstance(row.event, e.SeasonStarted))
    exchanged = replace(started, odd_first=not started.odd_first)
    assert told(changed(rows, e.SeasonStarted, divisions=started.divisions[:1]))
    assert "odd_first" in told(changed(rows, e.SeasonStarted, odd_first=exchanged.odd_first), league.lots.secret)
