"""The course of each recorded game. A new one goes to the end of the list: its place there is its number, and rolls depend on that."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import cycle
from typing import NamedTuple

from msgspec.structs import replace

from tests.histories.table import ADA, BOB, CYD, DOT, ZONES, Table
from turnserver.ids import Burden, PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.rules import Seat


class Recording(NamedTuple):
    """`about` says in one phrase what the game shows; `script` plays it."""

    name: str
    about: str
    script: Callable[[Table], None]


def to_the_end(game: str, **options: str | int | bool) -> Callable[[Table], None]:
    """A challenge, accepted, and played until the rules end it."""

    def script(table: Table) -> None:
        table.start(game, ADA, e.SeatOrder.LOT, **options)
        table.play()

    return script


def opened_by_an_admin(table: Table) -> None:
    table.start("take", variant="high-churn", size=4)
    table.play()


def resigned(table: Table) -> None:
    table.start("take", BOB, e.SeatOrder.LOT, size=4)
    table.play(until=10)
    table.resign(Seat(2))


def lost_on_time(table: Table) -> None:
    table.start("take", ADA, size=3)
    table.play(until=6)
    table.let_time_pass()


def retracted(table: Table) -> None:
    table.start("take", size=4)
    table.play(until=12)
    table.wait(hours=1)
    table.admin(c.Retract(10, "Turn 10 was meant for another game."))
    table.play()


def adjudicated(table: Table) -> None:
    table.start("take", size=4)
    table.play(until=8)
    table.wait(days=2, hours=1)
    table.clock()
    table.admin(c.CreditClock(2 * 86400, "The service was down for two days."))
    table.wait(days=1)
    table.admin(c.Adjudicate((Seat(2),), "Red stopped playing; Blue is ahead."))


def annulled(table: Table) -> None:
    table.start("take", ADA, size=3)
    table.play(until=5)
    table.mail(ADA, c.Resign)
    table.wait(days=10)
    table.admin(c.Annul("Both sides were played by one person."))


def cancelled(table: Table) -> None:
    table.open("take")
    table.wait(days=30)
    table.admin(c.Cancel("One of the two never answered."))


def declined(table: Table) -> None:
    table.open("take", ADA, e.SeatOrder.LOT)
    table.wait(hours=7)
    table.answer(BOB, c.Decline)


def drawn_by_repetition(table: Table) -> None:
    table.start("tako-judo", BOB)
    table.play(turns=cycle(("c6-a4", "c1-a1", "a4-b5", "a1-b1", "b5-c6", "b1-c1")))


def drawn_by_agreement(table: Table) -> None:
    table.start("tako-judo", ADA)
    table.play(until=8)
    table.mail(BOB, c.OfferDraw)
    table.wait(hours=2)
    table.answer(ADA, c.Decline)
    table.play(until=11)
    table.mail(ADA, c.OfferDraw)
    table.wait(hours=5)
    table.answer(BOB, c.Accept)


def paused_by_agreement(table: Table) -> None:
    """One pause is declined, one lapses with a turn, one is agreed on and ended early."""
    table.start("take", ADA, size=3)
    table.play(until=3)
    table.mail(BOB, partial(c.Propose, kind=e.ProposalKind.PAUSE))
    table.wait(hours=2)
    table.answer(ADA, c.Decline)
    table.mail(BOB, partial(c.Propose, kind=e.ProposalKind.PAUSE, days=10))
    table.play(until=4)
    table.mail(ADA, partial(c.Propose, kind=e.ProposalKind.PAUSE, days=21))
    table.wait(hours=7)
    table.answer(BOB, c.Accept)
    table.wait(days=12)
    table.mail(BOB, c.Resume)
    table.play()


def second_thoughts(table: Table) -> None:
    """A turn is corrected before the other hears of it, another is taken back by agreement, a third was to be."""
    table.terms = replace(table.terms, correction_minutes=10)
    table.start("take", ADA, size=3)
    table.play(until=3)
    table.mail(table.game.player_at(Seat(2)), c.Undo)
    table.play(until=4)
    table.wait(hours=3)
    table.mail(table.game.player_at(Seat(1)), c.Undo)
    table.wait(hours=2)
    table.mail(table.game.player_at(Seat(2)), c.Accept)
    table.play(until=5)
    table.wait(hours=1)
    table.mail(table.game.player_at(Seat(1)), c.Undo)
    table.wait(hours=1)
    table.mail(table.game.player_at(Seat(2)), c.Decline)
    table.play()


def with_stopped_clocks(table: Table) -> None:
    """Freezes of every kind, some over one another and some that weekends hide; then one side lets its time pass after all."""
    table.terms = replace(table.terms, time="5d+36h cap 10d, no weekends", reminders=("50%", "24h"))
    table.start("take", ADA, size=4)
    table.play(until=4)
    table.wait(hours=50)
    table.job(c.FreezeClock(e.FreezeKind.OUTAGE, None, table.now - timedelta(hours=20), table.now - timedelta(hours=5)), "outage")
    table.job(c.FreezeClock(e.FreezeKind.UNDELIVERED, having_the_turn(table), table.now - timedelta(hours=30), table.now), "undelivered")
    table.play(until=6)
    table.job(c.FreezeClock(e.FreezeKind.VACATION, having_the_turn(table), table.now, table.now + timedelta(days=9)), "vacation")
    table.wait(days=4)
    table.job(c.ThawClock(3, table.now), "vacation")
    table.play(until=8)
    table.mail(ADA, partial(c.Propose, kind=e.ProposalKind.PAUSE, days=2))
    table.wait(days=1)
    table.mail(BOB, c.Accept)
    table.wait(hours=5)
    table.admin(c.FreezeClock(e.FreezeKind.HALT, None, table.now, None, "The club is on a journey."))
    table.wait(days=12)
    table.admin(c.ThawClock(5, table.now, "The club is back."))
    table.play(until=11)
    while table.game.deadline is not None:
        assert table.game.due_at is not None
        table.now = table.game.due_at
        table.wait(seconds=9)
        table.clock()


def having_the_turn(table: Table) -> Seat:
    return next(seat for seat in table.game.staying if seat == table.game.to_move)


def waiting(table: Table) -> Seat:
    return next(seat for seat in table.game.staying if seat != table.game.to_move)


def one_of_a_team_left(table: Table) -> None:
    table.start("tako-judo", ADA, variant="teams")
    table.play(until=32)
    table.resign(having_the_turn(table))
    table.play()


def one_by_one(table: Table) -> None:
    table.start("tako-judo", variant="free-for-all")
    table.play(until=11)
    table.resign(having_the_turn(table))
    table.play(until=15)
    table.resign(waiting(table))
    table.play(until=19)
    table.let_time_pass()


def end_taken_back(table: Table) -> None:
    one_by_one(table)
    table.wait(hours=9)
    table.admin(c.Reopen("The mail had been here in time."))
    table.play(until=table.game.turn + 4)
    table.resign(having_the_turn(table))


def draws_taken_back(table: Table) -> None:
    table.start("tako", ADA, betting=True, stake=7)
    table.play(until=6)
    table.wait(hours=1)
    table.admin(c.Retract(3, "Two players had confused their games."))
    table.play()


def annulled_while_running(table: Table) -> None:
    table.start("tako", BOB, variant="adept")
    table.play(until=4)
    table.wait(hours=2)
    table.admin(c.Annul("One player had two accounts."))


def never_rolled(table: Table) -> None:
    table.open("tako", ADA)
    table.wait(days=30)
    table.admin(c.Cancel("One of the two never answered."))


def two_left_of_four(table: Table) -> None:
    table.start("sneaky-octopuses", CYD, e.SeatOrder.LOT, players=4, target=6)
    table.play(until=7)
    table.let_time_pass()
    table.play(until=10)
    table.resign(waiting(table))
    table.play()


def left_and_back(table: Table) -> None:
    table.start("sneaky-octopuses", BOB, players=3, max_rounds=5)
    table.play(until=6)
    table.resign(waiting(table))
    table.play(until=9)
    table.wait(hours=1)
    table.admin(c.Retract(5, "Somebody else had sent the resignation."))
    table.play()


def skipped(table: Table) -> None:
    """Somebody comes back after two turns; somebody else does not, and loses the seat with the fourth."""
    table.terms = replace(table.terms, grace_hours=24, when_late=e.WhenLate.SKIP)
    table.start("tako-judo", ADA, variant="free-for-all")
    table.play(until=6)
    table.wait(hours=30)
    table.mail(table.game.player_at(waiting(table)), c.Nudge)
    table.wait(hours=18)
    table.clock()
    table.wait(days=1, seconds=9)
    table.clock()
    table.wait(days=1)
    table.clock()
    table.play(until=10)
    table.let_time_pass()
    table.play(until=15)
    late = having_the_turn(table)
    table.let_grace_pass()
    while late not in table.game.left:
        while table.game.to_move != late:
            table.play(until=table.game.turn + 1)
        table.let_time_pass()
    table.play(until=table.game.turn + 2)
    table.admin(c.Adjudicate((having_the_turn(table),), "The others went home."))


def played_by_the_house(table: Table) -> None:
    table.terms = replace(table.terms, when_late=e.WhenLate.HOUSE)
    table.start("sneaky-octopuses", BOB, players=3, max_rounds=5)
    table.play(until=3)
    table.let_time_pass()
    table.play(until=5)
    table.let_time_pass()
    table.play()


def waited_for_a_substitute(table: Table) -> None:
    table.terms = replace(table.terms, grace_hours=24, when_late=e.WhenLate.SUBSTITUTE)
    table.start("take", ADA, size=4)
    table.play(until=8)
    table.let_grace_pass()
    table.wait(days=7)
    table.clock()


def taken_up_again(table: Table) -> None:
    """Lost on time and taken up again, after the winner had been refused once."""
    table.start("take", ADA, size=3)
    table.play(until=6)
    table.let_time_pass()
    for answer in (c.Decline, c.Accept):
        table.wait(hours=5)
        assert table.game.result is not None
        winner = table.game.result.winners[0]
        table.mail(table.game.player_at(winner), lambda player, at: c.Propose(player, at, e.ProposalKind.REOPENING))
        table.wait(hours=5)
        table.answer(next(player for player in table.game.players if player != table.game.player_at(winner)), answer)
    table.play()


def taken_over(table: Table) -> None:
    """The seat of one who stayed away is taken over, and then that of the other, who is on vacation; turns are taken back over both."""
    table.terms = replace(table.terms, grace_hours=24, when_late=e.WhenLate.SUBSTITUTE)
    table.start("take", ADA, size=4)
    table.play(until=6)
    table.let_grace_pass()
    table.wait(days=2)
    late = having_the_turn(table)
    table.admin(c.Substitute(late, CYD, ZONES[CYD], Burden.SEAT, "Nothing was heard of the player."))
    table.wait(hours=5)
    table.play_turn(late, next(table.recorded, None) or table.new_turn())
    table.play(until=9)
    other = next(seat for seat in table.game.staying if seat != late)
    table.job(c.FreezeClock(e.FreezeKind.VACATION, other, table.now, table.now + timedelta(days=9)), "vacation")
    table.wait(hours=9)
    table.admin(c.Substitute(other, DOT, ZONES[DOT], Burden.NONE, "A long journey."))
    table.play(until=11)
    table.wait(hours=1)
    table.admin(c.Retract(5, "The players want to begin from there."))
    table.play()


def planned(table: Table) -> None:
    """Plans answer two turns, have no answer, turn out not to be legal, and are forgotten; the others play on by hand."""
    table.terms = replace(table.terms, correction_minutes=10)
    table.start("take", size=4)
    table.play(until=2, turns=iter(["a1"]))
    for text, turns in PLANS.items():
        mover = having_the_turn(table)
        table.wait(minutes=7)
        table.plan(Seat(3 - mover), text)
        table.play(until=table.game.turn + 1, turns=iter(turns[:1]))
        if text == FORGOTTEN:
            table.mail(table.game.player_at(Seat(3 - mover)), c.ForgetPlan)
        else:
            table.answer_by_plan(text)
        for turn in turns[1:]:
            table.play(until=table.game.turn + 1, turns=iter([turn]))
            table.answer_by_plan(text)
    table.play()


FORGOTTEN = "if g1 then e6"
RESIGNING = "if g1 then resign"
DRAWING = "else draw"
PLANS = {
    "if b1 then a2 (if b2 then a3; else d4); else c3": ("b1", "c4"),
    "if d3 then e5": ("d2",),
    "else d4": ("f5",),
    FORGOTTEN: ("g1",),
}
"""The plan, in the notation of the log, and the turns that are played while the plan is at work."""


def handed_over(table: Table) -> None:
    """The seat of one is to go to somebody else: the other does not agree, nobody is wanted after all, one declines, one comes."""
    table.start("take", ADA, size=3)
    table.play(until=4)
    giving, other = table.game.players

    def propose(player: PlayerId) -> None:
        table.wait(hours=2)
        table.mail(giving, partial(c.Propose, kind=e.ProposalKind.SUBSTITUTE, substitute=player))
        table.wait(hours=1)

    propose(CYD)
    table.answer(other, c.Decline)
    propose(CYD)
    table.answer(other, c.Accept)
    table.wait(hours=1)
    table.mail(giving, c.Withdraw)
    propose(CYD)
    table.answer(other, c.Accept)
    table.play(until=6)
    table.wait(hours=1)
    table.answer(CYD, c.Decline)
    propose(DOT)
    table.answer(other, c.Accept)
    table.wait(hours=3)
    table.answer(DOT, c.Accept)
    table.play()


def time_given(table: Table) -> None:
    table.start("take", size=3)
    table.play(until=4)
    assert table.game.to_move is not None
    giver = table.game.player_at(Seat(3 - table.game.to_move))
    table.wait(hours=5)
    table.mail(giver, lambda player, at: c.GiveTime(player, at, 48))
    table.play(until=6)
    table.wait(hours=1)
    table.mail(giver, lambda player, at: c.GiveTime(player, at, 12))
    table.play()


def claimed(table: Table) -> None:
    """Claims: one is taken back, one dismissed, one settled by a move, and one is granted."""
    table.start("take", size=3)

    def claim() -> None:
        table.play(until=table.game.turn + 1)
        table.wait(hours=30)
        table.mail(table.game.player_at(waiting(table)), c.MakeClaim)

    claim()
    table.mail(table.game.player_at(waiting(table)), c.DropClaim)
    claim()
    table.admin(c.DecideClaim(granted=False, reason="The mail came back only yesterday."))
    claim()
    claim()
    table.admin(c.DecideClaim(granted=True, reason="Nothing was heard for weeks."))


def resigned_by_plan(table: Table) -> None:
    table.start("take", size=4)
    table.play(until=3)
    table.plan(waiting(table), RESIGNING)
    table.play(until=4, turns=iter(["g1"]))
    table.answer_by_plan(RESIGNING)


def drawn_by_plan(table: Table) -> None:
    """A plan offers a draw, which is declined; a later one is accepted."""
    table.start("tako-judo")
    for answer in (c.Decline, c.Accept):
        table.play(until=table.game.turn + 1)
        table.plan(waiting(table), DRAWING)
        table.play(until=table.game.turn + 1)
        table.answer_by_plan(DRAWING)
        table.wait(hours=1)
        table.answer(table.game.player_at(waiting(table)), answer)
        if answer is c.Decline:
            table.play(until=table.game.turn + 24)


RECORDINGS = (
    Recording("take-won", "Standard Take, side 5, a challenge: won by the rules", to_the_end("take", size=5)),
    Recording("take-high-churn-won", "High-churn Take, side 4, opened by an admin: won by the rules", opened_by_an_admin),
    Recording("take-resigned", "The challenger resigns", resigned),
    Recording("take-lost-on-time", "One reminder, then the deadline passes", lost_on_time),
    Recording("take-retracted", "An admin takes two turns back; they are played again, and the game ends by the rules", retracted),
    Recording("take-adjudicated", "An admin gives two days back after an outage, and later decides the game", adjudicated),
    Recording("take-annulled", "A game ends by resignation and its result is taken back", annulled),
    Recording("take-cancelled", "An admin calls a game off that never started", cancelled),
    Recording("take-declined", "A challenge is declined", declined),
    Recording("tako-judo-won", "Tako Judo for two, a challenge: won by the rules", to_the_end("tako-judo")),
    Recording(
        "tako-judo-no-repetition-won", "Tako Judo in which repeating a position is no draw", to_the_end("tako-judo", repetition=False)
    ),
    Recording("tako-judo-teams-won", "Tako Judo for two teams: won by the rules", to_the_end("tako-judo", variant="teams")),
    Recording("tako-judo-free-for-all-won", "Tako Judo, four against each other", to_the_end("tako-judo", variant="free-for-all")),
    Recording("tako-judo-drawn-by-repetition", "Both players go in circles until it is a draw", drawn_by_repetition),
    Recording("tako-judo-drawn-by-agreement", "A draw is offered and declined, and offered later and accepted", drawn_by_agreement),
    Recording("tako-judo-teams-left", "One of a team resigns, its partner plays on alone", one_of_a_team_left),
    Recording("tako-judo-left-one-by-one", "Of four, one resigns on its turn and one off it, and one runs out of time", one_by_one),
    Recording("tako-won", "Standard TAKO, with its rolls", to_the_end("tako")),
    Recording("tako-adept-won", "Adept TAKO", to_the_end("tako", variant="adept")),
    Recording("tako-betting-won", "Betting TAKO: the piles are coins", to_the_end("tako", betting=True)),
    Recording("tako-adept-betting-won", "Adept and betting TAKO", to_the_end("tako", variant="adept", betting=True, stake=15)),
    Recording("tako-retracted", "Turns with rolls are taken back: what is drawn then was never drawn before", draws_taken_back),
    Recording("tako-cancelled", "A game with chance is called off before it starts, and tells its secret all the same", never_rolled),
    Recording("okago-won", "Okago on 5 x 5", to_the_end("okago")),
    Recording("okago-8-won", "Okago on 8 x 8", to_the_end("okago", size=8)),
    Recording("okago-advanced-won", "Okago with the No-Go", to_the_end("okago", advanced=True)),
    Recording("tako-small-stake-won", "Betting TAKO with the smallest piles", to_the_end("tako", betting=True, stake=5)),
    Recording("tako-annulled", "A game with chance is annulled while it runs, and its secret told", annulled_while_running),
    Recording("sneaky-octopuses-2-won", "Sneaky Octopuses for two", to_the_end("sneaky-octopuses", players=2)),
    Recording("sneaky-octopuses-3-won", "Sneaky Octopuses for three, six rounds", to_the_end("sneaky-octopuses", players=3, max_rounds=6)),
    Recording("sneaky-octopuses-4-won", "Sneaky Octopuses for four", to_the_end("sneaky-octopuses", players=4)),
    Recording("sneaky-octopuses-left", "Of four, one runs out of time and one resigns off its turn; the others play on", two_left_of_four),
    Recording("sneaky-octopuses-back", "One of three resigns, and is back when an admin has taken that and some turns back", left_and_back),
    Recording("take-stopped-clocks", "Clocks with a bank that stand still at weekends and for every other reason", with_stopped_clocks),
    Recording("take-paused", "Pauses are proposed: one is declined, one lapses, one is agreed on and ended early", paused_by_agreement),
    Recording("tako-judo-skipped", "Grace, then turns are skipped; one comes back, another loses the seat with the fourth", skipped),
    Recording("sneaky-octopuses-by-house", "The house plays turns whose time was up", played_by_the_house),
    Recording("take-vacated", "A seat waits for a substitute for a week, and nobody comes", waited_for_a_substitute),
    Recording("take-reopened", "Lost on time; the winner offers to play on, and the second time that is accepted", taken_up_again),
    Recording("take-second-thoughts", "A turn is corrected, another is taken back by agreement, a third is not", second_thoughts),
    Recording("take-taken-over", "Both seats are taken over by substitutes, and turns of all four are taken back", taken_over),
    Recording("take-planned", "Plans answer two turns, have no answer, turn out not to be legal, and are forgotten", planned),
    Recording("take-handed-over", "A player hands the seat over to somebody whom both have agreed to ask", handed_over),
    Recording("take-time-given", "A player gives the other one more time for two turns", time_given),
    Recording("take-resigned-by-plan", "A plan gives the game up", resigned_by_plan),
    Recording("tako-judo-drawn-by-plan", "Plans offer a draw, which is declined once and then accepted", drawn_by_plan),
    Recording("take-claimed", "Claims: one is taken back, one dismissed, one settled by a move, and one granted", claimed),
    Recording("tako-judo-end-taken-back", "Three of four leave; the end is taken back, and the last of them plays on", end_taken_back),
)
