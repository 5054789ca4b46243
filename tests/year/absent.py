"""Vacations by the dumbest means: every day of them is in a list, and so is every stop of a clock that they are to bring about."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tests.year.followed import Difference, Followed
from tests.year.naive_clock import instant
from turnserver.ids import GameId, PlayerId, Recorded
from turnserver.play import events as e

DAY = timedelta(days=1)
A_YEAR = 30
"""The days of vacation that a player has in a year."""


class Absence(NamedTuple):
    """A vacation of somebody; one that ends when it begins is not to be."""

    player: PlayerId
    number: int
    begins: datetime
    ends: datetime
    zone: str


class Stopped(NamedTuple):
    """The effect of a vacation on a game: which freeze it is, when it had to end if there were too few days left, and who was away."""

    game: GameId
    freeze: int
    seat: int
    player: PlayerId
    most: datetime


def after_days(at: datetime, days: int, zone: str) -> datetime:
    """The same time of the day so many days later, on the wall of a zone."""
    shown = at.astimezone(ZoneInfo(zone))
    return instant(shown.date() + days * DAY, shown.time(), zone)


def days_of(begins: datetime, ends: datetime, zone: str) -> Iterator[datetime]:
    """Yield the beginning of each day of a time; a part of a day is one."""
    number = 0
    while (at := after_days(begins, number, zone)) < ends:
        yield at
        number += 1


class Absences:
    """All vacations of everybody. `tell` and `look` raise Difference."""

    def __init__(self, games: Mapping[GameId, Followed]) -> None:
        self.games = games
        self.known: dict[tuple[PlayerId, int], Absence] = {}
        self.stopped: list[Stopped] = []
        self.changed: set[GameId] = set()

    def tell(self, event: e.VacationDeclared | e.VacationEnded) -> None:
        """Somebody has declared a vacation, or ended one."""
        key = event.player, event.number
        if isinstance(event, e.VacationDeclared):
            new = Absence(event.player, event.number, event.begins, event.ends, event.zone)
            if refusal := self.refusal(new):
                raise Difference(f"{event} should have been refused: {refusal}")
            self.known[key] = new
        else:
            self.known[key] = self.known[key]._replace(ends=event.ends)
        self.changed |= {game for game, followed in self.games.items() if event.player in followed.players}

    def refusal(self, new: Absence) -> str | None:
        """Return why a vacation cannot be declared: too short, at the same time as another, or too many days in a year. None if it can."""
        days = list(days_of(new.begins, new.ends, new.zone))
        if len(days) < 2:
            return "vacation_short"
        others = self.of(new.player)
        if any(other.begins < new.ends and new.begins < other.ends for other in others):
            return "vacation_overlaps"
        all_days = Counter(_year(day, new.zone) for day in days)
        all_days.update(_year(day, other.zone) for other in others for day in days_of(other.begins, other.ends, other.zone))
        return "vacation_spent" if any(all_days[year] > A_YEAR for year in {_year(day, new.zone) for day in days}) else None

    def of(self, player: PlayerId) -> list[Absence]:
        return [absence for absence in self.known.values() if absence.player == player and absence.begins < absence.ends]

    def froze(self, followed: Followed, row: Recorded[e.GameEvent]) -> None:
        """A clock of a game has been stopped, perhaps by a vacation; to be told before the game is, and before the vacation."""
        self.changed.add(followed.game)
        event = row.event
        if not isinstance(event, e.ClockFrozen) or event.kind is not e.FreezeKind.VACATION or event.seat is None:
            return
        clock, zone, player = followed.clock, followed.zones[event.seat], followed.players[event.seat - 1]
        assert clock is not None
        own = [clock.stops[one.freeze] for one in self._here(followed, event.seat) if one.player == player]
        taken = sum(len(list(days_of(stop.begins, stop.ends or stop.begins, zone))) for stop in own)
        most = after_days(event.begins, followed.terms.vacation_days - taken, zone)
        self.stopped.append(Stopped(followed.game, event.number, event.seat, player, most))

    def look(self, now: datetime) -> None:
        """In every game that has changed, clocks are stopped as the vacations say, neither more nor less."""
        for game in sorted(self.changed):
            followed = self.games[game]
            if followed.pending is not None:
                for seat in followed.staying:
                    self._look(followed, seat, now)
        self.changed = set()

    def _here(self, followed: Followed, seat: int) -> list[Stopped]:
        return [one for one in self.stopped if (one.game, one.seat) == (followed.game, seat)]

    def _look(self, followed: Followed, seat: int, now: datetime) -> None:
        clock, player = followed.clock, followed.players[seat - 1]
        assert clock is not None
        here = self._here(followed, seat)
        stops = [(clock.stops[one.freeze], one.most) for one in here if one.player == player]
        spans = [clock.stops[one.freeze] for one in here]
        days = sum(len(list(days_of(stop.begins, stop.ends or now, followed.zones[seat]))) for stop, _ in stops)
        told = f"game {followed.game}, seat {seat}, player {player}, {now}: {self.of(player)}, {stops}"
        if days > followed.terms.vacation_days:
            raise Difference(f"{told}: more than {followed.terms.vacation_days} days")
        for absence in self.of(player):
            if absence.ends <= now:
                continue
            found = [(stop, most) for stop, most in stops if absence.begins <= stop.begins < absence.ends and stop.begins != stop.ends]
            if not any(stop.ends == absence.ends for stop, _ in found) and days < followed.terms.vacation_days:
                raise Difference(f"{told}: no stop for {absence}, or not to its end")
            if any(stop.ends != min(most, absence.ends) for stop, most in found):
                raise Difference(f"{told}: another end than that of {absence}")
            # Days that come back to a vacation follow on those that it had.
            if any(one.ends is None or other.begins < one.ends for (one, _), (other, _) in pairwise(found)):
                raise Difference(f"{told}: two stops at the same time for {absence}")
        for stop in spans:
            lasts = stop.begins != stop.ends and (stop.ends is None or stop.ends > now)
            if lasts and not any(absence.begins <= stop.begins and (stop.ends or now) <= absence.ends for absence in self.of(player)):
                raise Difference(f"{told}: {stop} stems from no vacation")


def _year(at: datetime, zone: str) -> int:
    return at.astimezone(ZoneInfo(zone)).year
