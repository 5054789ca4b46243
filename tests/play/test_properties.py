"""The laws of any sequence of commands."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.play.given import ADA, BOB, CHANCE, CLEO, COMMITTED, DAN, ENTROPY, EVE, day
from tests.play.small_games import TABLE, find, house
from tests.terms import THREE_DAYS
from turnserver import games
from turnserver.audit.game.recheck import recheck
from turnserver.errors import Refusal
from turnserver.ids import Burden, PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play import playable
from turnserver.play.clock.clock import anew
from turnserver.play.decide import decide
from turnserver.play.evolve import evolve, fold
from turnserver.play.state import GameState, Status
from turnserver.rules import Choose, Seat

PLAYERS = (ADA, BOB, CLEO, DAN)
TABLES = st.sampled_from((("nim", 2), ("trio", 3), ("pairs", 4)))
WITH_DICE = st.sampled_from((("dice", 2), ("bones", 3), ("lots", 4)))
REASONS = st.sampled_from(("", " ", "a reason"))
TIMES = ("1h", "3d", "5d+36h cap 10d", "60d in all", "2d then 3x1d", "next 20:00 Europe/Berlin, at least 24h", "no limit")
OFF = ("", ", no weekends", ", nights 22:00-07:00", ", no weekends, nights 20:00-08:00, holidays DE")
REMINDERS = ((), ("24h",), ("50%",), ("50%", "80%", "24h", "4h"))
TERMS = st.builds(
    lambda time, off, reminders, grace, late, void: replace(
        THREE_DAYS,
        time=time + off,
        holidays=(day(2).date(), day(9).date()),
        reminders=reminders,
        grace_hours=grace,
        when_late=late,
        void_turns=void,
    ),
    st.sampled_from(TIMES),
    st.sampled_from(OFF),
    st.sampled_from(REMINDERS),
    st.sampled_from((0, 24)),
    st.sampled_from(e.WhenLate),
    st.integers(0, 2),
)
ZONES = st.sampled_from(("UTC", "Asia/Tokyo", "America/New_York"))

openings = (TABLES | WITH_DICE).flatmap(
    lambda table: st.builds(
        c.OpenGame,
        game=st.just(table[0]),
        options=st.fixed_dictionaries(
            {"heap": st.integers(1, 30), "dice_from": st.integers(0, 3 * TABLE[table[0]].chance), "dice": st.integers(1, 2)},
            optional={"steps": st.integers(1, 3), "ending": st.just("nobody wins")},
        ),
        players=st.just(PLAYERS[: table[1]]),
        order=st.sampled_from(e.SeatOrder),
        terms=TERMS,
        opened_by=st.none() | st.just(ADA),
        entropy=st.none() | st.just(ENTROPY[ADA]),
    )
)
any_openings = st.builds(
    c.OpenGame,
    game=st.sampled_from((*TABLE, "chess")),
    options=st.fixed_dictionaries({}, optional={"heap": st.integers(-1, 30), "steps": st.integers(0, 4), "dice_from": st.integers(0, 3)}),
    players=st.lists(st.sampled_from(PLAYERS), max_size=5).map(tuple),
    order=st.sampled_from(e.SeatOrder),
    terms=TERMS | st.just(replace(THREE_DAYS, time="soon")),
    opened_by=st.none() | st.sampled_from((*PLAYERS, EVE)),
)


def sensible(state: GameState, now: datetime) -> st.SearchStrategy[c.Command]:
    """Return what brings a game on: accepting, playing the turn that is pending, and reopening a game that has ended."""
    if state.result is not None:
        retract = st.builds(c.Retract, st.integers(1, max(1, state.line.length)), st.just("a reason"))
        return retract | st.just(c.Reopen("a reason"))
    if state.to_move is None:
        player = next(player for player in state.players if player not in state.accepted)
        return ZONES.map(lambda zone: c.Accept(player, now, zone=zone, entropy=ENTROPY[player]))
    texts = st.lists(st.integers(1, 2), min_size=1, max_size=3).map(lambda steps: "; ".join(map(str, steps)))
    return st.builds(c.PlayTurn, st.just(state.player_at(state.to_move)), st.just(now), st.just("1") | texts)


def anything(now: datetime) -> st.SearchStrategy[c.Command]:
    """Any command, whether or not it makes sense."""
    who, at = st.sampled_from((*PLAYERS, EVE)), st.just(now)
    numbers = st.none() | st.integers(-1, 9)
    seat, moments = st.sampled_from((Seat(1), Seat(2))), st.integers(-99, 99).map(lambda hours: now + timedelta(hours=hours))
    seats = st.lists(st.integers(0, 5).map(Seat), max_size=4).map(tuple)
    return st.one_of(
        st.builds(c.PlayTurn, who, at, st.sampled_from(("1", "take 2", "4", "x", "")), numbers, numbers),
        *(
            st.builds(command, who, at)
            for command in (c.Resign, c.Resume, c.Nudge, c.OfferDraw, c.OfferDraw, c.Accept, c.Accept, c.Decline)
        ),
        st.builds(c.Propose, who, at, st.sampled_from((e.ProposalKind.PAUSE,)), st.none() | st.integers(-1, 99)),
        st.builds(c.Propose, who, at, st.just(e.ProposalKind.SUBSTITUTE), st.none(), who),
        st.builds(c.Withdraw, who, at),
        st.just(c.CheckClock()),
        st.builds(c.CreditClock, st.integers(-1, 10**8), REASONS),
        st.builds(c.FreezeClock, st.just(e.FreezeKind.HALT), st.none(), moments, st.none() | moments, REASONS),
        st.builds(c.FreezeClock, st.just(e.FreezeKind.OUTAGE), st.none(), moments, moments),
        st.builds(c.FreezeClock, st.sampled_from((e.FreezeKind.VACATION, e.FreezeKind.UNDELIVERED)), seat, moments, moments),
        st.builds(c.ThawClock, st.integers(0, 3), moments, REASONS),
        st.builds(c.ThawClock, st.just(1), moments, REASONS),
        st.builds(c.Substitute, seats.map(lambda some: some[0] if some else Seat(1)), who, ZONES, st.sampled_from(Burden), REASONS),
        st.builds(c.Cancel, REASONS),
        st.builds(c.Adjudicate, seats, REASONS),
        st.builds(c.Annul, REASONS),
        st.builds(c.Retract, st.integers(-1, 6), REASONS),
        st.builds(c.Reopen, REASONS),
        any_openings,
    )


def check_state(state: GameState) -> None:
    """Check what is true of every game between two commands."""
    playable.check(state)
    assert (state.to_move is None) is (state.clock is None) is (state.status is not Status.RUNNING)
    assert state.clock == anew(state), "an event that changes a clock tells how it is then"
    assert (state.result is not None) is (state.status is Status.ENDED)
    assert state.turn == state.line.length + 1 == len(state.line.numbered) + 1
    assert [turn.turn for turn in state.line.numbered] == list(range(1, state.turn))
    assert state.accepted <= set(state.players)
    assert len(set(state.players)) == len(state.players)
    assert all(takeover.turn <= state.turn for takeover in state.takeovers)
    assert state.left == {entry.seat for entry in state.line.entries if isinstance(entry, e.SeatLeft)}
    assert state.to_move not in state.left
    assert state.vacant in (None, state.to_move)
    assert state.grace == timedelta(hours=24 * (state.to_move in state.graces)) or not state.grace
    if state.proposal is not None:
        assert not {state.proposal.seat, *state.proposal.agreed} & state.left
        assert state.proposal.seat not in state.proposal.agreed
        assert {state.proposal.seat, *state.proposal.agreed} < {*state.staying}
    assert not {offer.player for offer in state.seat_offers} & {*state.players}
    assert len({offer.seat for offer in state.seat_offers} & {*state.staying}) == len(state.seat_offers)
    assert state.status is Status.RUNNING or not state.seat_offers
    if state.status is Status.RUNNING:
        assert state.game.rules.next(state.line.position) == Choose(Seat(state.to_move or 0), state.turn)
        assert state.accepted == set(state.players)
        endless = any(freeze.ends is None for freeze in state.freezes)
        assert state.deadline is not None or endless or state.terms.time.startswith("no limit")


def check_chance(history: list[e.GameEvent]) -> None:
    """Draws are numbered without a gap, whatever was taken back, and the secret is told after the end and nowhere else."""
    rolls = [
        roll for event in history if isinstance(event, e.GameStarted | e.TurnPlayed | e.TurnSkipped | e.SeatLeft) for roll in event.rolls
    ]
    assert [roll.number for roll in rolls] == list(range(1, len(rolls) + 1))
    committed = bool(history) and getattr(history[0], "commitment", None) == COMMITTED
    ends = [at for at, event in enumerate(history) if isinstance(event, e.GameEnded)]
    told = [at for at, event in enumerate(history) if isinstance(event, e.SecretRevealed)]
    assert told == ([at + 1 for at in ends] if committed else [])
    assert len(told) <= 1


def check_clocks(history: list[e.GameEvent]) -> None:
    """No reminder goes out twice in a turn, and no turn has more time left than it began with and was given."""
    sent, most, mover = set[str](), timedelta(0), Seat(0)
    for event in history:
        match event:
            case e.PlayerReminded():
                assert not sent & {*event.marks}
                sent |= {*event.marks}
            case e.ClockCredited():
                most += timedelta(seconds=event.seconds)
            case e.GraceGranted(hours=hours):
                most += timedelta(hours=hours)
            case e.SeatLeft(seat=seat) | e.SubstituteSeated(seat=seat) if seat != mover:
                pass
            case e.SubstituteSeated():
                sent, most = set(), event.clock.time or timedelta(0)
            case e.GameStarted() | e.TurnPlayed() | e.TurnSkipped() | e.TurnsRetracted() | e.EndRetracted() | e.SeatLeft():
                if isinstance(event, e.TurnPlayed) and event.left is not None:
                    assert timedelta(0) <= event.left <= most
                if event.clock is not None and event.to_move is not None:
                    sent, most, mover = set(), event.clock.time or timedelta(0), event.to_move


@pytest.mark.thorough
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_commands_give_events_that_fold_or_refusals(data: st.DataObject) -> None:
    now = day(0)
    history: list[e.GameEvent] = []
    refusals: list[Refusal] = []
    state: GameState | None = None
    for _ in range(data.draw(st.integers(5, 30))):
        now += timedelta(hours=data.draw(st.integers(0, 40)))
        brings_on = sensible(state, now) if state else openings
        command = data.draw(brings_on if data.draw(st.integers(0, 4)) else anything(now))
        try:
            events = decide(state, command, now, find, CHANCE, house=house)
        except Refusal as refusal:
            refusals.append(refusal)
            continue
        assert events
        for event in events:
            state = evolve(state, event, find)
        history.extend(events)
        assert state is not None
        assert state.version == len(history)
        assert state == fold(history, find=find)
        check_state(state)
    check_chance(history)
    check_clocks(history)
    assert list(recheck(history, CHANCE.game, find, CHANCE.secret)) == []
    assert all(refusal.code.isidentifier() and refusal.message.endswith(".") for refusal in refusals)


def play(state: GameState, turn_texts: list[str], from_turn: int) -> GameState:
    """Play the texts, each half a day after the turn of its number began. Turns that are taken back at that moment are played as before."""
    for turn, text in enumerate(turn_texts, from_turn):
        assert state.to_move is not None
        at = day(turn / 2)
        state = fold(decide(state, c.PlayTurn(state.player_at(state.to_move), at, text), at, find), state, find)
    return state


@st.composite
def games_and_turns(draw: st.DrawFn) -> tuple[str, tuple[PlayerId, ...], list[str]]:
    """A game with some legal turns, perhaps all of them up to the end."""
    name, seats = draw(TABLES)
    left, turns = 30, []
    for _ in range(draw(st.integers(1, 30))):
        if left == 0:
            break
        taken = draw(st.integers(1, min(3, left)))
        left -= taken
        turns.append(str(taken))
    return name, PLAYERS[:seats], turns


@settings(max_examples=100)
@given(games_and_turns(), st.data())
def test_a_game_retracted_and_played_again_is_the_straight_game_but_for_its_edition(
    chosen: tuple[str, tuple[PlayerId, ...], list[str]], data: st.DataObject
) -> None:
    name, seated, turns = chosen
    opening = c.OpenGame(
        game=name, options={"heap": 30}, players=seated, order=e.SeatOrder.LOT, terms=replace(THREE_DAYS, time="5d+36h cap 10d")
    )
    state = fold(decide(None, opening, day(0), find), find=find)
    for player in seated:
        state = fold(decide(state, c.Accept(player, day(0)), day(0), find), state, find)
    straight = play(state, turns, 1)
    first = data.draw(st.integers(1, len(turns)))
    retracted = fold(decide(straight, c.Retract(first, "misread"), day((first - 1) / 2), find), straight, find)
    assert retracted.line == play(state, turns[: first - 1], 1).line
    assert (retracted.status, retracted.result, retracted.turn, retracted.edition) == (Status.RUNNING, None, first, 1)
    again = play(retracted, turns[first - 1 :], first)
    assert replace(again, edition=0, known_edition=0, version=straight.version) == straight
    assert again.version == straight.version + 1 + (again.version - retracted.version)


@settings(max_examples=50)
@given(st.integers(0, 72 * 3600), st.integers(0, 10**8))
def test_what_arrived_in_time_counts_however_late_it_is_handled(arrived_after: int, handled_after: int) -> None:
    opening = c.OpenGame(game="nim", options={}, players=(ADA, BOB), order=e.SeatOrder.LOT, terms=THREE_DAYS, opened_by=ADA)
    state = fold(decide(None, opening, day(0), find), find=find)
    state = fold(decide(state, c.Accept(BOB, day(0)), day(0), find), state, find)
    arrived_at = day(0, seconds=arrived_after)
    now = arrived_at + timedelta(seconds=handled_after)
    state = fold(decide(state, c.PlayTurn(ADA, arrived_at, "1"), now, find), state, find)
    assert state.deadline == now + timedelta(days=3)


@settings(max_examples=10)
@given(st.randoms(use_true_random=False))
def test_a_game_of_take_ends_where_the_rules_say(random: Any) -> None:
    """A random game through commands, beside the same steps applied to the rules directly."""
    rules = games.find("take", size=3).rules
    position = rules.start()
    opening = c.OpenGame(game="take", options={"size": 3}, players=(ADA, BOB), order=e.SeatOrder.LOT, terms=THREE_DAYS, opened_by=ADA)
    state = fold(decide(None, opening, day(0)))
    state = fold(decide(state, c.Accept(BOB, day(0)), day(0)), state)
    while steps := rules.steps(position):
        step = random.choice(steps)
        assert state.to_move is not None
        state = fold(decide(state, c.PlayTurn(state.player_at(state.to_move), day(0), rules.format(position, step)), day(0)), state)
        position = rules.apply(position, step)
    assert state.line.position == position
    assert state.result is not None
    assert frozenset(state.result.winners) == rules.next(position).winners  # type: ignore[union-attr] # nothing to choose means it is over
