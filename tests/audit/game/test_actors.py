"""Who brought the events of a game about: nobody does what only somebody else can do."""

from datetime import timedelta
from typing import NamedTuple

from msgspec.structs import replace

from tests.cases import for_each
from tests.histories.recorded import every_history, recorded_of
from tests.play.clock.test_explain_deadline import history
from tests.play.given import ADA, BLUE, BOB, EVE, NIM_1, clock, day
from tests.play.test_substitutes import away, back, seated
from turnserver.audit.game.actors import misattributed
from turnserver.audit.replaying import replay
from turnserver.games import find
from turnserver.ids import GameId, actor
from turnserver.play import events as e
from turnserver.rules import Seat

ANOTHER_REQUEST = "it follows at once from the event before it, but is of another request: instant, actor or cause differ"
LATER = "an hour later"
"""In place of an actor: the same one, an hour later."""


def only(doers: str, by: str) -> str:
    return f"it is said to be by {by}, but only {doers} can bring it about"


class Forged(NamedTuple):
    """An event of a recorded game, by the name of the game and its version, that is said to be by somebody else."""

    name: str
    version: int
    by: str
    doers: str = ""
    league: bool = False

    @property
    def says(self) -> str:
        return only(self.doers, self.by) if self.doers else ANOTHER_REQUEST


FORGED = {
    "opened by another": Forged("take-won", 1, "player-3", "player-8 or an admin"),
    "opened for an admin by a player": Forged("take-planned", 1, "player-3", "the service or an admin"),
    "an invitation accepted by the other": Forged("take-won", 2, "player-3", "player-8 or an admin"),
    "an invitation accepted by the service": Forged("take-planned", 2, "service", "player-8 or an admin"),
    "an invitation declined by the other": Forged("take-declined", 3, "player-8", "player-3 or an admin"),
    "a game that began later": Forged("take-won", 4, LATER),
    "the other's turn": Forged("take-won", 5, "player-3", "player-8 or an admin"),
    "a turn by nobody": Forged("take-won", 5, "nobody at all", "player-8 or an admin"),
    "a turn by the service": Forged("take-won", 5, "service", "player-8 or an admin"),
    "an end by rules that came later": Forged("take-won", 115, LATER),
    "a secret told by another": Forged("tako-won", 18, "admin:cleo"),
    "a house turn by its player": Forged("sneaky-octopuses-by-house", 9, "player-3", "the service or an admin"),
    "a planned turn by its player": Forged("take-planned", 10, "player-8", "the service or an admin"),
    "a plan laid by the other": Forged("take-planned", 6, "player-3", "player-8 or an admin"),
    "a plan dropped by its player": Forged("take-planned", 11, "player-8", "the service or an admin"),
    "a plan forgotten by the service": Forged("take-planned", 20, "service", "player-8 or an admin"),
    "a plan that acts for its player": Forged("take-resigned-by-plan", 9, "player-3", "the service or an admin"),
    "a plan that resigned later": Forged("take-resigned-by-plan", 10, LATER),
    "a plan that offered a draw for another": Forged("tako-judo-drawn-by-plan", 9, "player-8"),
    "a resignation by the other": Forged("take-resigned", 14, "player-8", "player-3 or an admin"),
    "a resignation by nobody in a league": Forged("take-resigned", 14, "player-x", "a player or the service or an admin", league=True),
    "an end by resignation by another": Forged("take-resigned", 15, "player-8"),
    "a seat left later": Forged("sneaky-octopuses-left", 20, LATER),
    "a time that is up for a player": Forged("take-lost-on-time", 11, "player-8", "the service or an admin"),
    "an end on time a long time later": Forged("take-lost-on-time", 12, LATER),
    "grace from nobody": Forged("take-vacated", 13, "nobody", "a player or the service or an admin"),
    "a seat vacated by a player": Forged("take-vacated", 14, "player-8", "the service or an admin"),
    "a turn skipped by a player": Forged("tako-judo-skipped", 15, "player-3", "the service or an admin"),
    "a reminder by a player": Forged("sneaky-octopuses-by-house", 8, "player-8", "the service or an admin"),
    "a nudge by another": Forged("tako-judo-skipped", 12, "player-3", "player-8 or an admin"),
    "a claim by the other": Forged("take-claimed", 6, "player-3", "player-8 or an admin"),
    "a claim dropped by the other": Forged("take-claimed", 7, "player-3", "player-8 or an admin"),
    "a claim decided by a player": Forged("take-claimed", 15, "player-3", "an admin"),
    "an end by a claim that another granted": Forged("take-claimed", 16, "admin:bob"),
    "an adjudication by a player": Forged("take-adjudicated", 14, "player-3", "an admin"),
    "an adjudication by the service": Forged("take-adjudicated", 14, "service", "an admin"),
    "time credited by a player": Forged("take-adjudicated", 13, "player-3", "an admin"),
    "time given by the other": Forged("take-time-given", 8, "player-3", "player-8 or an admin"),
    "a result annulled by the loser": Forged("take-annulled", 11, "player-8", "an admin"),
    "a game made void by a player": Forged("tako-annulled", 8, "player-3", "an admin"),
    "a game cancelled by a player": Forged("take-cancelled", 2, "player-8", "an admin"),
    "a game of a league cancelled by a player": Forged("take-cancelled", 2, "player-8", "an admin", league=True),
    "a draw offered by the other": Forged("tako-judo-drawn-by-agreement", 12, "player-8", "player-3 or an admin"),
    "a draw accepted by who offered it": Forged("tako-judo-drawn-by-agreement", 18, "player-8", "player-3 or an admin"),
    "a draw declined by who offered it": Forged("tako-judo-drawn-by-agreement", 13, "player-3", "player-8 or an admin"),
    "a proposal by the other": Forged("take-paused", 7, "player-8", "player-3 or an admin"),
    "a proposal agreed to by who made it": Forged("take-paused", 12, "player-8", "player-3 or an admin"),
    "a proposal declined by who made it": Forged("take-paused", 8, "player-3", "player-8 or an admin"),
    "a pause later than agreed": Forged("take-paused", 13, LATER),
    "a pause ended by the other": Forged("take-paused", 14, "player-8", "player-3 or an admin"),
    "a pause ended for an admin by a player": Forged("take-stopped-clocks", 20, "player-8", "an admin"),
    "clocks halted by a player": Forged("take-stopped-clocks", 19, "player-8", "an admin"),
    "an outage by a player": Forged("take-stopped-clocks", 8, "player-8", "the service or an admin"),
    "a game reopened later": Forged("take-reopened", 17, LATER),
    "turns taken back by a player": Forged("take-retracted", 16, "player-8", "an admin"),
    "a turn corrected by the other": Forged("take-second-thoughts", 7, "player-8", "player-3 or an admin"),
    "a turn taken back by another than agreed": Forged("take-second-thoughts", 12, "player-8"),
    "an end taken back by a player": Forged("tako-judo-end-taken-back", 33, "player-3", "an admin"),
    "a substitute asked later": Forged("take-handed-over", 12, LATER),
    "a substitute called off by the other": Forged("take-handed-over", 13, "player-3", "player-8 or an admin"),
    "a seat declined by another": Forged("take-handed-over", 19, "player-3", "player-12 or an admin"),
    "a seat taken by another": Forged("take-handed-over", 23, "player-3", "player-5 or an admin"),
    "a turn of a former player": Forged("take-handed-over", 25, "player-8", "player-5 or an admin"),
    "a substitute seated by a player": Forged("take-taken-over", 13, "player-5", "an admin"),
}


@for_each("forged", FORGED.values(), ids=FORGED)
def test_who_cannot_have_done_it(forged: Forged) -> None:
    rows = recorded_of(forged.name)
    if forged.league:
        rows[0] = rows[0]._replace(actor="service")
    row = rows[forged.version - 1]
    changed = row._replace(at=row.at + timedelta(hours=1)) if forged.by == LATER else row._replace(actor=forged.by)
    rows[forged.version - 1] = changed
    assert dict(misattributed(rows)).get(row.version) == forged.says


def test_a_game_that_is_played_again_is_asked_who_played_it() -> None:
    rows = recorded_of("take-won")
    rows[4] = rows[4]._replace(actor="service")
    assert [found.problem for found in replay(rows, GameId(1), find)] == [only("player-8 or an admin", "service")]


@every_history
def test_what_was_recorded_was_done_by_whom_it_says(name: str) -> None:
    assert list(misattributed(recorded_of(name))) == []


def test_who_ended_a_pause_was_not_always_recorded() -> None:
    rows = recorded_of("take-paused")
    ended = rows[13].event
    assert isinstance(ended, e.ClockThawed)
    rows[13] = rows[13]._replace(event=replace(ended, by=None))
    assert list(misattributed(rows)) == []


@for_each("by", ["service", "player-8", "player-44", "admin:cleo"])
@for_each("name, version", [("take-adjudicated", 14), ("tako-annulled", 8), ("take-taken-over", 13), ("take-stopped-clocks", 20)])
def test_a_league_decides_about_its_games(name: str, version: int, by: str) -> None:
    rows = recorded_of(name)
    rows[0] = rows[0]._replace(actor="service", event=rows[0].event)
    rows[version - 1] = rows[version - 1]._replace(actor=by)
    assert version not in dict(misattributed(rows))


@for_each("version", [number for number, row in enumerate(recorded_of("take-claimed"), 1) if not isinstance(row.event, e.GameStarted)])
def test_an_admin_does_what_anybody_does(version: int) -> None:
    rows = recorded_of("take-claimed")
    rows[version - 1] = rows[version - 1]._replace(actor="admin:cleo")
    assert version not in dict(misattributed(rows))


class Stopped(NamedTuple):
    """Events after those of a game of Ada and Bob, each with its actor and the day of its request."""

    events: tuple[tuple[float, str, e.GameEvent], ...]
    wrong: dict[int, str] = {}  # noqa: RUF012  # nobody changes it


NOW = clock(1)
TAKES = replace(seated(BLUE, NOW), reason="")
GONE = away(BLUE, 2, 9, NOW)
UNDELIVERED = e.ClockFrozen(number=1, kind=e.FreezeKind.UNDELIVERED, seat=BLUE, begins=day(1), ends=day(9), clock=NOW)
TOLD = e.ClockThawed(number=1, kind=e.FreezeKind.UNDELIVERED, seat=BLUE, ends=day(3), clock=NOW)
NOBODY = e.ClockFrozen(number=1, kind=e.FreezeKind.VACATION, seat=Seat(9), begins=day(2), ends=day(9), clock=NOW)
STOPPED = {
    "one's own vacation": Stopped(((2, actor(BOB), GONE),)),
    "the other's vacation": Stopped(((2, actor(ADA), GONE),), {6: only(f"{actor(BOB)} or the service or an admin", actor(ADA))}),
    "of no seat": Stopped(((2, actor(ADA), NOBODY),), {6: only("the service or an admin", actor(ADA))}),
    "a vacation of who sits down": Stopped(((2, actor(EVE), TAKES), (2, actor(EVE), GONE))),
    "a vacation of who stands up": Stopped(((1, actor(BOB), GONE), (3, actor(EVE), back(BLUE, 3, NOW)), (3, actor(EVE), TAKES))),
    "time not told to who stands up": Stopped(((1, "service", UNDELIVERED), (3, actor(EVE), TOLD), (3, actor(EVE), TAKES))),
    "a vacation that another ends": Stopped(
        ((1, actor(BOB), GONE), (3, actor(ADA), back(BLUE, 3, NOW))), {7: only(f"{actor(BOB)} or the service or an admin", actor(ADA))}
    ),
    "time that another gives back": Stopped(((2, actor(BOB), UNDELIVERED),), {6: only("the service or an admin", actor(BOB))}),
}


@for_each("stopped", STOPPED.values(), ids=STOPPED)
def test_whose_clock_stands_still(stopped: Stopped) -> None:
    begun = [(day(0), actor(ADA), event) for event in NIM_1]
    rows = history([*begun, *((day(at), who, event) for at, who, event in stopped.events)])
    assert {version: says for version, says in misattributed(rows) if version > len(begun)} == stopped.wrong
