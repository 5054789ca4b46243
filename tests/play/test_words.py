"""Sentences to people can be translated; texts that play writes into events cannot, and are plain."""

import re
from collections.abc import Iterator
from typing import get_args

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import ADA, BLUE, CHANCE, RED, Case, Refused, day, ended, played, running
from tests.play.small_games import find
from tests.play.test_refusals import CASES
from tests.terms import THREE_DAYS
from turnserver import games
from turnserver.audit.game.recheck import recheck
from turnserver.errors import Malformed, Refusal
from turnserver.ids import GameId, PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.play.guards import how_it_ended, reason_of
from turnserver.play.state import Result
from turnserver.rules import Seat
from turnserver.rules.kit import example_turns
from turnserver.store.log.codec import PRODUCT
from turnserver.text import retold, say

OURS = (*get_args(c.AdminCommand), c.AnswerByPlan, c.CheckClock)
"""Commands that no player can give: their refusals stay English."""
OUR_FREEZES = {e.FreezeKind.HALT, e.FreezeKind.UNDELIVERED, e.FreezeKind.OUTAGE}
"""Nor for clocks that stand still because of these."""

NAMES = {"chess", "pairs", "dice", "bones", "lots", "trio", "dice_from", "steps"}
"""Keys of games and options, which are called the same everywhere."""


def ours(command: c.Command) -> bool:
    return isinstance(command, OURS) or (isinstance(command, c.FreezeClock) and command.kind in OUR_FREEZES)


REFUSED = [case for case in CASES if isinstance(case.then, Refused) and not ours(case.when)]

WON = (*running(heap=1), played(1, RED, "1", None, at=1), ended(e.EndedBy.RULES, RED, reason="the heap is empty"))


class Shouting:
    """A language whose words are the English ones in capitals."""

    key = "loud"

    def template(self, template: str, plural: str, number: int) -> str:
        return re.sub(r"[^{}]+(?![^{]*})", lambda found: found[0].upper(), plural if plural and number != 1 else template)


LOUD = Shouting()


@for_each("case", [pytest.param(case, id=case.name.replace(" ", "-")) for case in REFUSED])
def test_every_refusal_can_be_told(case: Case) -> None:
    state = fold(case.given, find=find) if case.given else None
    with pytest.raises(Refusal) as refused:
        decide(state, case.when, case.at, find, CHANCE)
    told = retold(refused.value.message, LOUD)
    assert told.upper() == refused.value.message.upper()
    assert set(re.findall(r"\b[a-z_]{4,}\b", told)) <= NAMES


def test_the_reason_that_the_rules_give_is_written_down_in_english() -> None:
    state = fold(WON[:-2], find=find)
    *_, over = decide(state, c.PlayTurn(player=ADA, arrived_at=day(1), text="1"), day(1), find)
    assert isinstance(over, e.GameEnded)
    assert type(over.reason) is str
    assert over == WON[-1]
    assert PRODUCT.decode(*PRODUCT.encode(over)) == over
    assert list(recheck(WON, GameId(1), find)) == []


def test_a_reason_that_is_a_sentence_is_credited_in_english() -> None:
    asked = c.CreditClock(seconds=60, reason=say("the service stood still"))
    (credited,) = decide(fold(running(), find=find), asked, day(1), find)
    assert isinstance(credited, e.ClockCredited)
    assert type(credited.reason) is str


@for_each("key", games.CATALOGUE)
def test_nothing_that_a_game_says_reaches_the_log(key: str) -> None:
    """As many turns as there are within a few days, and then everybody gives up."""
    players = tuple(PlayerId(number) for number in range(1, games.find(key).rules.seats + 1))
    opening = c.OpenGame(game=key, options={}, players=players, order=e.SeatOrder.GIVEN, terms=THREE_DAYS, opened_by=players[0])
    history = decide(None, opening, day(0), chance=CHANCE)
    asked: Iterator[c.PlayerCommand] = iter(
        (
            *(c.Accept(player=player, arrived_at=day(0)) for player in players[1:]),
            *(c.PlayTurn(player=players[0], arrived_at=day(1), text="") for _ in range(40)),
            *(c.Resign(player=player, arrived_at=day(1)) for player in players),
        )
    )
    state = fold(history)
    while state.result is None:
        command = next(asked)
        if isinstance(command, c.PlayTurn) and state.to_move is not None:
            text, *_ = example_turns(state.game.rules, state.line.position, 1)
            command = c.PlayTurn(player=state.player_at(state.to_move), arrived_at=day(1), text=text)
        happened = decide(state, command, day(1), chance=CHANCE)
        history, state = history + happened, fold(happened, state)
    assert [PRODUCT.decode(*PRODUCT.encode(event)) for event in history] == list(history)
    assert type(state.result.reason) is str
    assert list(recheck(history, CHANCE.game)) == []


ENDINGS = [
    (e.Outcome.WON, e.EndedBy.RULES, (RED,), "Red won by the rules"),
    (e.Outcome.WON, e.EndedBy.RESIGNATION, (RED,), "Red won by resignation"),
    (e.Outcome.WON, e.EndedBy.TIME, (BLUE,), "Blue won on time"),
    (e.Outcome.WON, e.EndedBy.ADJUDICATION, (RED, BLUE), "Red and Blue won by the organisers' decision"),
    (e.Outcome.DRAWN, e.EndedBy.RULES, (), "a draw by the rules"),
    (e.Outcome.DRAWN, e.EndedBy.RESIGNATION, (), "a draw by resignation"),
    (e.Outcome.DRAWN, e.EndedBy.TIME, (), "a draw on time"),
    (e.Outcome.DRAWN, e.EndedBy.AGREEMENT, (), "a draw by agreement"),
    (e.Outcome.DRAWN, e.EndedBy.ADJUDICATION, (), "a draw by the organisers' decision"),
    (e.Outcome.VOID, e.EndedBy.TIME, (), "no result, because time ran out"),
    (e.Outcome.VOID, e.EndedBy.CANCELLATION, (), "no result, because the organisers cancelled it"),
    (e.Outcome.VOID, e.EndedBy.REFUSAL, (), "no result, because an invitation was declined"),
    (e.Outcome.VOID, e.EndedBy.ANNULMENT, (), "no result, because the organisers annulled it"),
]


@for_each(("outcome", "by", "winners", "words"), ENDINGS, ids=[words for *_, words in ENDINGS])
def test_every_ending_can_be_told(outcome: e.Outcome, by: e.EndedBy, winners: tuple[Seat, ...], words: str) -> None:
    result = Result(outcome, by, winners, "")
    told = how_it_ended(fold(WON, find=find), result)
    assert told == words
    assert retold(told, LOUD) == words.upper()
    said_why = how_it_ended(fold(WON, find=find), replace(result, reason="as Cleo saw"))
    assert retold(said_why, LOUD) == f"{words.upper()} (as Cleo saw)"


@for_each(
    ("events", "reason", "loud"),
    [
        (WON, "the heap is empty", "THE HEAP IS EMPTY"),
        ((*WON[:-1], ended(e.EndedBy.ADJUDICATION, RED, reason="a quarrel")), "a quarrel", "a quarrel"),
        ((*WON, e.ResultAnnulled(reason="cheating")), "cheating", "cheating"),
        ((*running(), ended(e.EndedBy.ADJUDICATION, RED, reason="the heap is empty")), "the heap is empty", "the heap is empty"),
        ((*running(), ended(e.EndedBy.RESIGNATION, RED)), "", ""),
    ],
)
def test_the_rules_tell_their_reason_and_people_keep_theirs(events: tuple[e.GameEvent, ...], reason: str, loud: str) -> None:
    state = fold(events, find=find)
    assert state.result is not None
    assert type(state.result.reason) is str
    assert reason_of(state, state.result) == reason
    assert retold(reason_of(state, state.result), LOUD) == loud


def test_the_log_takes_no_sentence() -> None:
    with pytest.raises(Malformed, match="Sentence"):
        PRODUCT.encode(ended(e.EndedBy.RULES, RED, reason=say("the heap is empty")))
