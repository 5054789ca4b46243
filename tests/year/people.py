"""The people of the year: players who play in good time, late or never, change their minds, and go away; and an admin.

A player's wish is an instant and a request, given as a mail or to the service at once. What has to become of it, as far as the naive
clocks know, is checked where it is given.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from tests.year.absent import Absence, after_days
from tests.year.followed import SETTLE, Difference, Pending
from tests.year.naive_clock import DAY, instant
from tests.year.places import changes, changing
from tests.year.telling import address
from tests.year.when import BEGIN, HOUR, MINUTE, SECOND, SWEEP
from turnserver.config import Play
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.mail.format.tokens import Token
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.rules import Seat

if TYPE_CHECKING:
    from tests.year.the_year import Year

CONTROLS = (
    *("3d", "1d", "36h", "1d12h", "7d", "no limit"),
    *("5d+36h cap 10d", "2d+12h cap 4d", "14d+3d cap 28d", "60d in all", "15d in all", "20d then 5x2d", "3d then 4x1d"),
    *("next 20:00 Europe/Berlin, at least 24h", "next 02:30 America/New_York, at least 12h", "next 09:00 Pacific/Auckland, at least 2d"),
)
OPTIONS = ("no weekends", "nights 22:00-07:00", "nights 00:30-03:30", "holidays DE", "holidays US-CA", "no vacation")
LAST_MOMENTS = (-HOUR, -MINUTE, -SECOND, timedelta(0), timedelta(microseconds=1), 10 * SECOND, 44 * SECOND)
"""The arrival of a turn that nearly is too late, counted from its deadline."""


class People:
    """Everybody, and what they will do."""

    def __init__(self, year: "Year") -> None:
        self.year = year
        self.random = year.random
        self.zones: dict[PlayerId, str] = {}
        self.slow: set[GameId] = set()
        self.away: set[tuple[GameId, PlayerId]] = set()
        self.offered: set[tuple[GameId, datetime]] = set()

    def settle(self) -> None:
        """They come from all zones whose clocks are changed, and some others."""
        zones = self.random.sample(changing(BEGIN.year), len(changing(BEGIN.year)))
        for number in range(1, max(20, min(2 * len(zones), self.year.games // 2)) + 1):
            zone = (
                zones[number % len(zones)] if number % 9 else self.random.choice(("UTC", "Asia/Tokyo", "Asia/Kathmandu", "America/Bogota"))
            )
            service, who = self.year.services[0], PlayerId(number)
            self.zones[service.people.add(f"P{who}", address(who), zone, actor="admin:test", cause=f"test:p{who}").id] = zone

    def plan(self) -> None:
        """Plan the year. In a year of many games, one is played over every change of the clocks of every zone."""
        zones = sorted(set(self.zones.values()) & set(changing(BEGIN.year)))
        spanning = [(zone, at) for zone in zones for at in changes(zone, BEGIN.year)]
        self.random.shuffle(spanning)
        spanning = spanning[: self.year.games // 3]
        for zone, at in spanning:
            self.year.at(max(BEGIN, at - self.random.random() * DAY), partial(self._open_over, zone))
        for _ in range(self.year.games - len(spanning)):
            self.year.at(BEGIN + self.random.random() * 340 * DAY, partial(self._open, None))
        for player in self.zones:
            for _ in range(self.random.randrange(4)):
                self.year.at(self.year.some_time(), partial(self._vacation, player))
        for happens, times in ((self._admin, self.year.games), (self._second_thought, self.year.games)):
            for _ in range(max(10, times)):
                self.year.at(self.year.some_time(), happens)

    # games

    def _open_over(self, zone: str) -> None:
        """A game whose first turn, of somebody who lives there, lasts for days."""
        here = self.random.choice([player for player, lives in self.zones.items() if lives == zone])
        other = self.random.choice([player for player in self.zones if player != here])
        self.slow.add(self._open((here, other)))

    def _open(self, seated: Sequence[PlayerId] | None) -> GameId:
        """A game of these players, or of some, who accept by and by."""
        kinds = (("nim", 2), ("dice", 2), ("trio", 3), ("bones", 3), ("pairs", 4))
        game, seats = self.random.choice(kinds[: 2 if seated else None])
        players = seated or self.random.sample(list(self.zones), seats)
        chosen = {option[:4]: option for option in OPTIONS if self.random.random() < 0.15}  # one of each kind
        text = ", ".join([self.random.choice(CONTROLS), *chosen.values()])
        heap = {"heap": 2 * self.random.randrange(3, 25), "dice_from": 2 if game in {"dice", "bones"} else 0}
        who, cause = [str(player) for player in players], f"test:{next(self.year.numbers)}"
        service = self.year.service(play=self._terms())
        number = service.games.open(game, heap, who, order=e.SeatOrder.GIVEN, time=text, actor="admin:test", cause=cause).game
        for player in players:
            self.year.at(self.year.real + (0 if seated else self.random.random()) * DAY, partial(self._join, number, player))
        return number

    def _terms(self) -> Play:
        return replace(
            self.year.services[0].settings.play,
            grace_hours=self.random.choice((0, 24)),
            when_late=self.random.choice(("loss", "skip", "house", "substitute")),
            correction_minutes=self.random.choice((0, 10, 45)),
            vacation_days_a_game=self.random.choice((60, 60, 12)),
        )

    def _join(self, game: GameId, player: PlayerId) -> None:
        self.year.handle(game, c.Accept(player, self.year.now), f"player-{player}")

    # turns

    def have_turn(self, game: GameId, pending: Pending) -> None:
        """Schedule what the player who has the turn does about it: in good time, in the last moment, or never. They may hear later."""
        followed, now = self.year.followed[game], self.year.now
        last, deadline = followed.last, followed.deadline
        if last is not None and last.open is not None and now < last.open and self.random.random() < 0.2:
            self._changes_mind(game, pending, last.seat, now, last.open)
        mood, chance = self.random.random(), 0.15
        begins = max(followed.since or now, now)
        if (game, pending.player) in self.away:
            return
        if deadline is None:
            when = begins + self.random.expovariate(1 / 4) * DAY
        elif pending.turn == 1 and game in self.slow:
            when = deadline - 0.1 * self.random.random() * (deadline - begins)
        elif mood < 0.06:
            if mood < 0.03:
                self.away.add((game, pending.player))
            return
        elif mood < 0.16:
            when, chance = deadline + self.random.choice(LAST_MOMENTS), 0.5
            self.year.later(deadline + self.random.random() * SETTLE, self.year.sweep)  # too early for a flag
            self.year.later(deadline + SETTLE + SWEEP, self.year.sweep)  # too early, if a mail waits
        else:
            when = begins + self.random.betavariate(1, 3) * (deadline - begins)
        by_mail = self.random.random() < chance
        self.year.later(max(when, begins), partial(self._writes if by_mail else self._plays, game, pending))

    def _hears_later(self, game: GameId, pending: Pending, act: Callable[[GameId, Pending], None]) -> bool:
        """Return whether the clock was set back since they were to hear of their turn, so that they do it later."""
        since = self.year.followed[game].since
        if since is None or since <= self.year.now:
            return False
        self.year.later(since, partial(act, game, pending))
        return True

    def _plays(self, game: GameId, pending: Pending) -> None:
        followed = self.year.followed[game]
        if not self.year.awake() or followed.pending != pending or self._hears_later(game, pending, self._plays):
            return
        if self.random.random() < 0.01:
            self._asks(game, c.Resign(pending.player, self.year.now))
            return
        in_time = followed.deadline is None or self.year.now <= followed.deadline
        played = self._asks(game, c.PlayTurn(pending.player, self.year.now, "1", pending.turn, pending.edition))
        if in_time and not played and followed.pending == pending and not followed.vacant:
            raise Difference(f"game {game}: turn {pending} came at {self.year.now}, before {followed.deadline}, and was refused")
        if played and followed.vacant:
            raise Difference(f"game {game}: turn {pending} was played, though its seat waited for somebody")

    def _writes(self, game: GameId, pending: Pending) -> None:
        followed, arrived = self.year.followed[game], self.year.now
        if followed.pending != pending or self._hears_later(game, pending, self._writes):
            return

        def expected() -> str | None:
            in_time = followed.deadline is None or arrived <= followed.deadline
            return "carried out" if followed.pending == pending and in_time and not followed.vacant else None

        self.year.mail(_token(game, pending, pending.player), "1", pending, expected)

    def _asks(self, game: GameId, command: c.PlayerCommand) -> bool:
        return self.year.handle(game, command, f"player-{command.player}")

    # second thoughts

    def _changes_mind(self, game: GameId, pending: Pending, seat: int, now: datetime, told: datetime) -> None:
        """Somebody corrects their turn before the others hear of it, or a moment too late."""
        when = self.random.choice((now + self.random.random() * (told - now), told - SECOND, told, told + SECOND))
        self.year.later(when, partial(self._corrects, game, pending, seat, told))

    def _corrects(self, game: GameId, pending: Pending, seat: int, told: datetime) -> None:
        if not self.year.awake() or self.year.followed[game].pending != pending:
            return
        followed, arrived = self.year.followed[game], self.year.now
        player, again, last = followed.players[seat - 1], self.random.random() < 0.5, followed.last
        assert last is not None

        def early() -> bool:
            at = min(arrived, self.year.now)  # no mail comes after it was read
            return told - followed.terms.correction_minutes * MINUTE <= at < told  # or else the clock was set back

        def may() -> bool:
            left = followed.had_left(last, min(arrived, self.year.now))
            return early() and (left is None or left > timedelta(0))

        def expected() -> str | None:
            if followed.pending != pending:
                return None
            if early() and self.year.finds_outage and not may():
                return None  # what it took is given back first, and may be all that was used
            late = "refused: time_used_up" if early() else "refused: already_told" if again else None
            return "carried out" if may() else late

        if self.random.random() < 0.4:
            followed.ask_back(arrived)
            self.year.mail(_token(game, pending, player), "undo 1" if again else "undo", None, expected)
            return
        done = self._asks(game, c.Undo(player, arrived, again, pending.edition))
        if followed.pending == pending and done is not may() and (again or early()):
            raise Difference(f"game {game}: asked at {arrived} for a turn that others heard of at {told}, which was {done}")

    def _second_thought(self) -> None:
        """Somebody asks the others: for their last turn back, or for a pause, which may be over before its end."""
        game = self._some_game() if self.year.awake() else None
        if game is None:
            return
        followed = self.year.followed[game]
        pending, seat = followed.pending, self.random.choice(followed.staying)
        assert pending is not None
        player, now = followed.players[seat - 1], self.year.now
        if self.random.random() < 0.3:
            days = self.random.randrange(1, 20)
            asked = self._asks(game, c.Propose(player, now, e.ProposalKind.PAUSE, days))
            self.year.later(now + self.random.random() * 2 * days * DAY, partial(self._resumes, game, player))
        else:
            asked = self._asks(game, c.Undo(player, now, edition=pending.edition))
        if asked:
            self._others_answer(game, seat, pending)

    def _resumes(self, game: GameId, player: PlayerId) -> None:
        if self.year.awake():
            self._asks(game, c.Resume(player, self.year.now))

    def _others_answer(self, game: GameId, asks: int, pending: Pending) -> None:
        followed = self.year.followed[game]
        for seat in followed.staying:
            if seat != asks and self.random.random() < 0.9:
                when = self.year.now + self.random.random() ** 3 * 2 * DAY
                self.year.later(when, partial(self._answers, game, followed.players[seat - 1], pending))

    def _answers(self, game: GameId, player: PlayerId, asked: Pending) -> None:
        yes = self.random.random() < 0.85
        if self.random.random() < 0.3:
            self.year.mail(_token(game, asked, player), "accept" if yes else "decline")
        elif self.year.awake():
            command = c.Accept if yes else c.Decline
            self._asks(game, command(player, self.year.now, asked.turn, asked.edition))

    # games that are over

    def are_done(self, game: GameId) -> None:
        """A game has ended. It may be taken up again by its players, if it was lost on time, or by an admin."""
        followed, flag = self.year.followed[game], self.year.followed[game].flagged
        result = followed.result
        if result is not None and result.by is e.EndedBy.TIME and flag is not None and self.random.random() < 0.6:
            winner = followed.players[result.winners[0] - 1] if result.winners else followed.players[0]
            self.year.later(self.year.now + self.random.random() * 55 * HOUR, partial(self._reopens, game, winner))
        elif self.random.random() < 0.5:
            first = max(1, len(followed.line) - self.random.randrange(3))
            by_people = result is not None and result.by is not e.EndedBy.RULES
            command = c.Reopen("wrong result") if by_people and self.random.random() < 0.7 else c.Retract(first, "wrong result")
            self.year.later(self.year.now + self.random.random() * 9 * DAY, lambda: self.year.handle(game, command))

    def _reopens(self, game: GameId, winner: PlayerId) -> None:
        if not self.year.awake():
            return
        followed, now = self.year.followed[game], self.year.now
        flag, result = followed.flagged, followed.result
        if flag is None or result is None or (game, flag.deadline) in self.offered:
            return
        self.offered.add((game, flag.deadline))
        until = flag.deadline + followed.terms.reopen_hours * HOUR
        may = result.outcome is e.Outcome.WON and len(followed.players) == 2 and not followed.chance and now < until
        if self._asks(game, c.Propose(winner, now, e.ProposalKind.REOPENING)) is not may:
            raise Difference(f"game {game}: to be taken up again at {now}, flagged at {flag.deadline}, {result}")
        if may:
            loser = next(player for player in followed.players if player != winner)
            self.year.later(now + self.random.random() * 20 * HOUR, partial(self._plays_on, game, loser))

    def _plays_on(self, game: GameId, loser: PlayerId) -> None:
        if not self.year.awake():
            return
        followed, now = self.year.followed[game], self.year.now
        flag = followed.flagged
        if flag is None or followed.result is None:
            return
        may = now < flag.deadline + followed.terms.reopen_hours * HOUR
        if self._asks(game, c.Accept(loser, now)) is not may:
            raise Difference(f"game {game}: to be played on at {now}, flagged at {flag.deadline}")

    # going away

    def _vacation(self, player: PlayerId) -> None:
        """Somebody declares a vacation, at once or ahead, by days or by dates, and may come back early."""
        zone, arrived = self.zones[player], self.year.now
        days = self.random.randrange(1, 19)
        if self.random.random() < 0.5:
            text, begins, ends = f"vacation {days} days", arrived, after_days(arrived, days, zone)
        else:
            first = arrived.astimezone(ZoneInfo(zone)).date() + self.random.randrange(20) * DAY
            last = first + (days - 1) * DAY
            text = f"vacation {first.isoformat()} to {last.isoformat()}"
            midnights = (instant(day, datetime.min.time(), zone) for day in (first, last + DAY))
            begins, ends = (max(arrived, at) for at in midnights)

        def expected() -> str | None:
            refusal = self.year.absences.refusal(Absence(player, 0, begins, ends, zone))
            return f"refused: {refusal}" if refusal else "vacation"

        self.year.mail(Token(player), text, None, expected)
        if self.random.random() < 0.4:
            self.year.later(arrived + self.random.random() * (ends - arrived), partial(self._comes_back, player))

    def _comes_back(self, player: PlayerId) -> None:
        def expected() -> str | None:
            there = [absence for absence in self.year.absences.of(player) if self.year.now < absence.ends]
            current = [absence for absence in there if absence.begins <= self.year.now]
            if not there:
                return "refused: no_vacation"
            return "vacation" if current or len(there) == 1 else "refused: which_vacation"

        self.year.mail(Token(player), "vacation off", None, expected)

    # an admin

    def _some_game(self) -> GameId | None:
        running = [game for game, followed in self.year.followed.items() if followed.pending is not None]
        return self.random.choice(running) if running else None

    def _admin(self) -> None:
        """An admin does something about a game."""
        game, now = self._some_game(), self.year.now
        if game is None:
            return
        pending = self.year.followed[game].pending
        assert pending is not None
        match self.random.randrange(8):
            case 0:
                self._freeze(game, c.FreezeClock(e.FreezeKind.HALT, None, now, now + self.random.random() * 30 * DAY))
            case 1:
                self._freeze(game, c.FreezeClock(e.FreezeKind.HALT, None, now, None))
            case 2:
                self.year.handle(game, c.CreditClock(self.random.randrange(1, 200_000), "lost mail"))
            case 5 if len(self.year.followed[game].staying) == 2:
                giver = next(seat for seat in self.year.followed[game].staying if seat != pending.seat)
                self.year.handle(game, c.GiveTime(self.year.followed[game].players[giver - 1], now, self.random.randrange(1, 200)))
            case 3:
                self.year.handle(game, c.Retract(max(1, pending.turn - self.random.randrange(1, 4)), "wrong board"))
            case 4:
                self._freeze(game, c.FreezeClock(e.FreezeKind.UNDELIVERED, Seat(pending.seat), now - self.random.random() * 5 * DAY, now))
            case _:
                self.substitute(game, self.random.choice(self.year.followed[game].staying))

    def wait(self, game: GameId) -> None:
        """A seat waits for somebody: perhaps somebody comes, perhaps too late."""
        pending = self.year.followed[game].pending
        if pending is not None and self.random.random() < 0.8:
            self.year.later(self.year.now + self.random.random() * 9 * DAY, partial(self._comes, game, pending))

    def _comes(self, game: GameId, pending: Pending) -> None:
        if self.year.followed[game].pending == pending:
            self.substitute(game, pending.seat)

    def substitute(self, game: GameId, seat: int) -> None:
        """Somebody who does not sit at the table plays on at a seat."""
        there = self.year.followed[game].players
        who = str(self.random.choice([player for player in self.zones if player not in there]))
        self.year.ask(
            lambda service, cause: service.games.substitute(
                game, Seat(seat), who, Burden.NONE, "stays away", actor="admin:test", cause=cause
            )
        )

    def _freeze(self, game: GameId, freeze: c.FreezeClock) -> None:
        """Stop a clock; now and then it goes on earlier or later than was in sight."""
        clock = self.year.followed[game].clock
        number = len(clock.stops) + 1 if clock else 1
        if not self.year.handle(game, freeze):
            return
        end = freeze.ends or self.year.now + self.random.random() * 9 * DAY
        changed = self.random.random()
        if freeze.ends is None or changed < 0.3:
            other = self.year.now + self.random.random() * (end - self.year.now)
            self.year.later(other, lambda: self.year.handle(game, c.ThawClock(number, self.year.now)))
        elif changed < 0.45:
            self.year.later(end - self.random.random() * 2 * DAY, lambda: self.year.handle(game, c.ThawClock(number, end + 3 * DAY)))


def _token(game: GameId, answers: Pending, player: PlayerId) -> Token:
    return Token(player, game, answers.turn, answers.edition)
