"""Decide a recorded league again, to see whether all its events follow.

A fold trusts the log. This does not: events of one decision are put together, the request is read off them (`audit.league.readings`), and
`decide` decides it once more on what was known then. So pairings and who moves first, lots, byes, dates, forfeits, points, tables, who goes
up and down, and whether anything could happen at all where it stands are worked out anew.

Some facts can only be believed: which player entered, an admin's decisions and reasons, the results of games (the games themselves tell),
and the rating with which a player came in. So are the instant of a decision by mail or by the service, as long as it is not later than its
record, and, where a deadline was judged, who had the turn. Lots are believed for a season whose secret nobody knows yet.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby, zip_longest
from typing import Final, NamedTuple, assert_never

import msgspec

from turnserver.audit.league.readings import HEARD, checking, instants, may, readings
from turnserver.errors import Malformed
from turnserver.ids import Event, GameId, PlayerId, Recorded, Version
from turnserver.league import events as e
from turnserver.league.commands import Command
from turnserver.league.course import go_on
from turnserver.league.decide import decide
from turnserver.league.evolve import fold
from turnserver.league.pairing import may_open
from turnserver.league.scoring.lots import Lots, commitment, draw
from turnserver.league.scoring.marks import WON
from turnserver.league.settings import CUPS
from turnserver.league.state import LeagueState, Season


@dataclass(frozen=True, slots=True)
class Evidence:
    """The known secrets of a league's seasons, in place of its `Lots`.

    `committed` are the commitments by season, `told` the revealed secrets, `kept` all lots, if their stored secret is known. If no known
    secret fits the commitment of a season, its lots are believed: `orders` are those in the events that are checked.
    """

    committed: Mapping[int, str]
    told: Mapping[int, str] = field(repr=False)
    kept: Lots | None = None
    orders: Mapping[frozenset[PlayerId], tuple[PlayerId, ...]] = field(default_factory=dict)

    def knows(self, season: int) -> bool:
        """Return whether the lots of a season can be checked."""
        return self._secret(season) is not None

    def beside(self, events: Iterable[e.LeagueEvent]) -> "Evidence":
        """Return the evidence with the lots that these events speak of."""
        return replace(self, orders=dict(_orders(events)))

    def of(self, season: int) -> str:
        """Return the secret that was told of a season; empty if none was."""
        return self.told.get(season, "")

    def commitment(self, season: int) -> str:
        """Return the commitment of a season; empty if there was none."""
        return self.committed.get(season, "")

    def drawn(self, season: int, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """Return the players in the order of the season's secret, or else of the record."""
        secret, those = self._secret(season), tuple(players)
        return self.orders.get(frozenset(those), those) if secret is None else draw(secret, purpose, those)

    def _secret(self, season: int) -> str | None:
        known = (self.told.get(season), None if self.kept is None else self.kept.of(season))
        return next((each for each in known if each is not None and commitment(each) == self.committed.get(season)), None)


def evidence(events: Iterable[e.LeagueEvent], kept: bytes | None) -> Evidence:
    """Return the evidence about lots in the events of a league and in its stored secret, or None as `kept` if that is lost."""
    committed, told, number = dict[int, str](), dict[int, str](), 0
    for event in events:
        if isinstance(event, e.SeasonAnnounced):
            number = event.season
            committed[number] = event.commitment
        elif isinstance(event, e.SeasonClosed | e.SeasonCancelled):
            is_known = number in told and commitment(told[number]) == committed.get(number)
            told[number] = told[number] if is_known else event.secret
    return Evidence(committed, told, None if kept is None else Lots(kept))


def _orders(events: Iterable[e.LeagueEvent]) -> Iterator[tuple[frozenset[PlayerId], tuple[PlayerId, ...]]]:
    # As far as events show it: for a season whose secret nobody knows, the record is all there is.
    met = dict[int, tuple[PlayerId, ...]]()
    for event in events:
        match event:
            case e.SeasonStarted():
                yield from ((frozenset(each.players), each.players) for each in event.divisions)
                yield frozenset({PlayerId(0), PlayerId(1)}), (PlayerId(event.odd_first), PlayerId(not event.odd_first))
            case e.LotsDrawn() | e.ChallengeMade():
                yield frozenset(event.players), event.players
            case e.RoundPaired() | e.MeetingsAdded():
                met |= {each.number: each.players for each in event.meetings}
            case e.ResultRecorded(by=e.DecidedBy.BARRED) if event.meeting in met:
                won = [player for player, mark in zip(met[event.meeting], event.marks, strict=False) if mark in WON]
                players = met[event.meeting]
                yield frozenset(players), (*won, *(player for player in players if player not in won))
            case (
                e.SeasonAnnounced()
                | e.SeasonDivided()
                | e.SeasonMoved()
                | e.RoundsMoved()
                | e.ReadyCheckBegun()
                | e.SeasonDropped()
                | e.RoundUnpaired()
                | e.RoundHeld()
                | e.RoundApproved()
                | e.RoundReminded()
                | e.PlayerJoined()
                | e.PlayersSunk()
                | e.ChallengesEnded()
                | e.RoundOverdue()
                | e.DeadlinesMoved()
                | e.GameAttached()
                | e.ResultRecorded()
                | e.ResultCorrected()
                | e.ResultReopened()
                | e.PlayoffDecided()
                | e.TablesHeld()
                | e.SeasonClosed()
                | e.SeasonCancelled()
                | e.SeasonPaused()
                | e.SeasonResumed()
                | e.SeasonReopened()
                | e.TablesCorrected()
                | e.SettingsEvent()
                | e.EntryEvent()
                | e.PlaceEvent()
                | e.AdminEvent()
            ):
                pass
            case _:
                assert_never(event)


SHOWN: Final = 80
"""The number of characters of a value that an objection shows."""


class LeagueObjection(NamedTuple):
    """A fault of the event that led to `version`, as a clause."""

    version: Version
    problem: str


class _Attempt(NamedTuple):
    """The result of trying a command: so many events are as recorded, and then there is a `problem`, or None."""

    events: int
    problem: str | None = None


class _KnownGames(NamedTuple):
    """The games that a league has had so far, and the seasons and numbers of the meetings that they were opened for."""

    games: set[GameId]
    meetings: set[tuple[int, int]]


def recheck(history: Iterable[Recorded[e.LeagueEvent]], kept: bytes | None = None) -> Iterator[LeagueObjection]:
    """Yield an objection for everything in the events of a league, from the first on, that does not follow where it stands.

    Lots are checked against the secrets that seasons have told, and for those that have told none against the one that is `kept`, if the
    caller has it. Ends at the first event after which nobody can say how the league stands.
    """
    rows = tuple(history)
    yield from _onwards(rows, evidence((row.event for row in rows), kept), None, _KnownGames(set(), set()))


def _onwards(
    rows: Iterable[Recorded[e.LeagueEvent]], known: Evidence, state: LeagueState | None, seen: _KnownGames
) -> Iterator[LeagueObjection]:
    """Yield the objections from where a league stood."""
    # Events of one request have the same instant, actor and cause, and were decided together.
    for _, those in groupby(rows, key=lambda row: (row.at, row.actor, row.cause)):
        request = tuple(those)
        try:
            yield from _Request(known.beside(row.event for row in request), seen).objections(state, request)
            state = _followed(state, (row.event for row in request))
        # Decisions trust the state, and the state the log: whoever has changed the log can have either of them trip over anything.
        except Exception as error:  # noqa: BLE001
            yield LeagueObjection(request[0].version, f"nobody can say how the league stands after this: {type(error).__name__}: {error}")
            return


def _followed(state: LeagueState | None, events: Iterable[e.LeagueEvent]) -> LeagueState | None:
    """Return the state after `events`. Raises Malformed for a round that is not the next one, or with other numbers or without players."""
    for event in events:
        # What is due is worked out from these numbers. With others it could stay due for ever, and the audit would come to no end.
        if isinstance(event, e.RoundPaired) and state is not None and state.season is not None:
            paired = state.season.paired.get(event.division, 0)
            # A cup has replays, and plays a round again when a correction has others meet. Its bracket knows the rounds.
            is_next = event.round == paired + 1 or state.settings.format in CUPS
            if not is_next or not _goes_on(state.season, event.meetings):
                raise Malformed(f"round {event.round} of division {event.division} does not go on where its season stood")
        season = state.season if state is not None else None
        if isinstance(event, e.MeetingsAdded) and season is not None and not _goes_on(season, event.meetings):
            raise Malformed(f"meetings that are added to division {event.division} do not go on where its season stood")
        state = fold([event], state)
    return state


def _goes_on(season: Season, meetings: Sequence[e.Meeting | e.AddedMeeting]) -> bool:
    """Return whether meetings have the numbers after those of the season, and players."""
    first = len(season.fixtures) + 1
    return all(one.number == number and one.players for number, one in enumerate(meetings, first))


@dataclass(frozen=True, slots=True)
class _Request:
    """A check of the events of one request. `known` is the evidence about lots."""

    known: Evidence
    seen: _KnownGames

    def objections(self, state: LeagueState | None, rows: Sequence[Recorded[e.LeagueEvent]]) -> Iterator[LeagueObjection]:
        """Yield the faults of events of the same cause and instant. They are one decision, or several if the league hears of its games."""
        while rows:
            best = self._closest(state, rows)
            done, rest = rows[: best.events], rows[best.events :]
            if best.problem is not None:
                yield LeagueObjection((rest or done)[0 if rest else -1].version, best.problem)
                return
            for row in done:
                yield from (LeagueObjection(row.version, problem) for problem in self._besides(state, row.event))
                state = fold([row.event], state)
            rows = rest

    def _closest(self, state: LeagueState | None, rows: Sequence[Recorded[e.LeagueEvent]]) -> _Attempt:
        best = _Attempt(0, f"{_name(rows[0].event)} is nothing that {rows[0].actor} can bring about here")
        for number, command in enumerate(each for each in readings(state, rows) if may(state, rows[0], each)):
            for at, now in enumerate(instants(state, rows)):
                found = self._attempt(state, command, now, rows)
                if found.problem is None:
                    return found
                # What comes closest tells most about what is wrong; of equals the likeliest, which is tried first.
                if found.events > best.events or (number, at) == (0, 0):
                    best = found
        return best

    def _attempt(self, state: LeagueState | None, command: Command, now: datetime, rows: Sequence[Recorded[e.LeagueEvent]]) -> _Attempt:
        """Return how far the record is what a command leads to at an instant."""
        try:
            due = self._due(state, command, now, [row.event for row in rows])
        # A decision that trips over what was changed before is no decision. Another command may explain the record, so it is tried too.
        except Exception as error:  # noqa: BLE001
            return _Attempt(0, f"{_name(rows[0].event)} could not follow here: {error}")
        for at, (event, row) in enumerate(zip_longest(due, rows[: len(due)])):
            if row is None:
                return _Attempt(at, f"{_name(event)} should have followed at once")
            if row.event != event:
                return _Attempt(at, _difference(event, row.event))
        # What a league hears from its games in one go is several decisions, and the rest follows from the next one.
        if len(due) < len(rows) and not rows[0].cause.endswith(HEARD):
            return _Attempt(len(due), f"{_name(rows[len(due)].event)} does not follow from what was asked for")
        return _Attempt(len(due))

    def _due(
        self, state: LeagueState | None, command: Command, now: datetime, events: Sequence[e.LeagueEvent]
    ) -> tuple[e.LeagueEvent, ...]:
        """Return the events that follow from a command.

        Lots that nobody can check are believed where they say which players begin a season in which division.
        """
        due = decide(state, command, now, self.known)
        first, begun = due[0], events[0]
        believed = isinstance(first, e.SeasonStarted) and isinstance(begun, e.SeasonStarted) and _alike(first, begun)
        if state is None or state.season is None or not believed or self.known.knows(state.season.number):
            return due
        # From what was recorded, or all that follows would differ along with the lots.
        return (begun, *go_on(fold([begun], state), checking(state, events), now, self.known))

    def _besides(self, state: LeagueState | None, event: e.LeagueEvent) -> Iterator[str]:
        season = state.season if state is not None else None
        match event:
            case e.SeasonAnnounced() if self.known.kept is not None and self.known.kept.commitment(event.season) != event.commitment:
                yield "the secret that is kept for the league is not the one that the season has committed to"
            case e.SeasonClosed() | e.SeasonCancelled() if season is not None and commitment(event.secret) != season.commitment:
                yield "the secret is not the one that the season has committed to"
            case e.GameAttached() if state is not None and season is not None:
                if event.game in self.seen.games:
                    yield f"game {event.game} was the game of another meeting already"
                if not may_open(state, season, event.meeting):
                    yield f"the game of meeting {event.meeting} was opened while its players had as many games as they may have"
                if season.fixtures[event.meeting - 1].held:
                    yield f"the game of meeting {event.meeting} was opened while it waited for approval"
                self.seen.games.add(event.game)
                self.seen.meetings.add((season.number, event.meeting))
            case e.ResultRecorded(by=e.DecidedBy.GAME) if season is not None and (season.number, event.meeting) not in self.seen.meetings:
                yield f"meeting {event.meeting} has the result of a game, but had none"
            case (
                e.SeasonAnnounced()
                | e.SeasonDivided()
                | e.SeasonMoved()
                | e.RoundsMoved()
                | e.ReadyCheckBegun()
                | e.SeasonDropped()
                | e.SeasonStarted()
                | e.RoundPaired()
                | e.RoundUnpaired()
                | e.RoundHeld()
                | e.RoundApproved()
                | e.RoundReminded()
                | e.RoundOverdue()
                | e.MeetingsAdded()
                | e.DeadlinesMoved()
                | e.GameAttached()
                | e.ResultRecorded()
                | e.ResultCorrected()
                | e.ResultReopened()
                | e.TablesHeld()
                | e.SeasonClosed()
                | e.SeasonCancelled()
                | e.SeasonPaused()
                | e.SeasonResumed()
                | e.SeasonReopened()
                | e.TablesCorrected()
                | e.SettingsEvent()
                | e.EntryEvent()
                | e.LadderEvent()
                | e.PlaceEvent()
                | e.OrderEvent()
                | e.AdminEvent()
            ):
                pass
            case _:
                assert_never(event)


def _alike(due: e.SeasonStarted, begun: e.SeasonStarted) -> bool:
    # Which player is in which division may come from lots, and is not compared.
    def parts(event: e.SeasonStarted) -> tuple[object, ...]:
        divisions = [(each.name, each.tier, len(each.players)) for each in event.divisions]
        ratings = sorted(one for each in event.divisions for one in zip(each.players, each.ratings, each.start, strict=True))
        return event.at, divisions, ratings, sorted(move.player for move in event.moves)

    return parts(due) == parts(begun)


def _name(event: Event) -> str:
    return e.EVENT_TYPES[type(event)].name


def _difference(due: object, found: object, where: str = "") -> str:
    if type(due) is not type(found):
        if isinstance(due, Event) and isinstance(found, Event):
            return f"{_name(found)} stands where {_name(due)} is due"
    elif isinstance(due, msgspec.Struct):
        names = (name for name in due.__struct_fields__ if getattr(due, name) != getattr(found, name))
        return next(_difference(getattr(due, name), getattr(found, name), f"{where} {name}".lstrip()) for name in names)
    elif isinstance(due, tuple) and isinstance(found, tuple) and len(due) == len(found):
        pairs = ((at, *pair) for at, pair in enumerate(zip(due, found, strict=True), 1) if pair[0] != pair[1])
        return next(_difference(one, other, f"{where} {at}") for at, one, other in pairs)
    return f"{where} is {_shown(found)}, worked out anew {_shown(due)}"


def _shown(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
