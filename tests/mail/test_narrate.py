"""Events in words: every one has its sentence."""

from typing import get_args

import pytest

from tests.decide.given import ADA, BLUE, BOB, CLEO, COMMITTED, ENTROPY, NIM, PAIRS, RED, REVEALED, TRIO, day, ended, left, opened, played
from tests.decide.small_games import find
from turnserver.envelope import PlayerId
from turnserver.mail.narrate import Table, outcome, sentence
from turnserver.play.events import (
    ClockCredited,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    EndedBy,
    GameEvent,
    GameStarted,
    InvitationAccepted,
    InvitationDeclined,
    Outcome,
    PlayerReminded,
    ResultAnnulled,
    Rolled,
    SeatResigned,
    TurnsRetracted,
    TurnTimedOut,
)
from turnserver.play.evolve import fold
from turnserver.play.state import Result
from turnserver.rules import Seat

PEOPLE = {ADA: "Ada", BOB: "Bob", CLEO: "Cleo", PlayerId(14): "Dan\n"}
TABLE = Table(fold(NIM, find=find), PEOPLE)
TEAMS = Table(fold(PAIRS, find=find), PEOPLE)

ROLLS = (Rolled(number=1, below=6, value=4, outcome="2"), Rolled(number=2, below=6, value=1, outcome="1"))

SENTENCES: list[tuple[GameEvent, str]] = [
    (opened(days=1), "The game was set up by an admin, 1 day a move."),
    (
        opened("dice", days=1),
        f"The game was set up by an admin, 1 day a move. Its chance comes from a secret with the SHA-256 {COMMITTED}.",
    ),
    (
        InvitationAccepted(player=ADA, entropy=ENTROPY[ADA]),
        f"The invitation was accepted by Ada, who added {ENTROPY[ADA]} to its chance.",
    ),
    (
        GameStarted(to_move=RED, deadline=day(3), remind_at=day(2), rolls=ROLLS),
        "The game began with Ada (Red). Chance then gave 2 and 1.",
    ),
    (GameStarted(to_move=None, deadline=None, remind_at=None, rolls=ROLLS[:1]), "The game began. Chance then gave 2."),
    (played(3, BLUE, "1", RED, at=1, rolls=ROLLS), "Turn 3: Bob (Blue) played 1. Chance then gave 2 and 1."),
    (left(BLUE, RED, since=1), "The others play on without Bob (Blue)."),
    (left(BLUE, RED, since=1, rolls=ROLLS[:1]), "The others play on without Bob (Blue). Chance then gave 2."),
    (left(BLUE, None, since=1), "The table was left by Bob (Blue)."),
    (REVEALED, f"The secret that its chance came from was {REVEALED.secret}."),
    (
        ended(EndedBy.RULES, BLUE, scores=(3, 7)),
        "The game ended: Bob (Blue) wins. By the rules of Nim. The scores are Ada (Red) 3 and Bob (Blue) 7.",
    ),
    (InvitationAccepted(player=ADA), "The invitation was accepted by Ada."),
    (InvitationDeclined(player=BOB), "The invitation was declined by Bob."),
    (GameStarted(to_move=RED, deadline=day(3), remind_at=day(2)), "The game began with Ada (Red)."),
    (played(3, BLUE, "1; 2", RED, at=1), "Turn 3: Bob (Blue) played 1; 2."),
    (DrawOffered(seat=RED), "A draw was offered by Ada (Red)."),
    (DrawAccepted(seat=BLUE), "The draw was accepted by Bob (Blue)."),
    (DrawDeclined(seat=BLUE), "The draw was declined by Bob (Blue)."),
    (SeatResigned(seat=BLUE), "The game was given up by Bob (Blue)."),
    (PlayerReminded(seat=RED, turn=4), "A reminder of turn 4 went to Ada (Red)."),
    (TurnTimedOut(seat=RED, turn=4, deadline=day(3)), "Time ran out for Ada (Red) at turn 4."),
    (
        TurnsRetracted(first=2, reason="a slip.\n", to_move=RED, deadline=day(3), remind_at=day(2)),
        "An admin took back the turns from 2 on: a slip.",
    ),
    (
        ClockCredited(turn=4, seconds=90_000, reason="", deadline=day(3), remind_at=day(2)),
        "The clock of turn 4 was given 1 day 1 hour more.",
    ),
    (
        ended(EndedBy.RULES, BLUE, reason="the heap is empty"),
        "The game ended: Bob (Blue) wins. By the rules of Nim: the heap is empty.",
    ),
    (ResultAnnulled(reason="wrong game"), "An admin took the result back: wrong game."),
]


@pytest.mark.parametrize(("event", "words"), SENTENCES)
def test_what_happened(event: GameEvent, words: str) -> None:
    assert sentence(event, TABLE) == words


def test_every_event_has_a_sentence() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(get_args(GameEvent))


@pytest.mark.parametrize(
    ("table", "result", "reader", "words"),
    [
        (TABLE, Result(Outcome.WON, EndedBy.TIME, (RED,), ""), RED, "you win. Time ran out for Bob (Blue)."),
        (TABLE, Result(Outcome.WON, EndedBy.TIME, (RED,), ""), BLUE, "Ada (Red) wins. Time ran out for Bob (Blue)."),
        (TABLE, Result(Outcome.VOID, EndedBy.TIME, (), ""), RED, "there is no result. Time ran out before every side had played."),
        (TABLE, Result(Outcome.DRAWN, EndedBy.AGREEMENT, (), ""), RED, "it is a draw. The players agreed on it."),
        (TABLE, Result(Outcome.DRAWN, EndedBy.ADJUDICATION, (), "dead"), RED, "it is a draw. An admin decided the game: dead."),
        (TABLE, Result(Outcome.VOID, EndedBy.CANCELLATION, (), ""), None, "there is no result. An admin cancelled the game."),
        (TABLE, Result(Outcome.VOID, EndedBy.ANNULMENT, (), "why"), None, "there is no result. An admin annulled the game: why."),
        (TABLE, Result(Outcome.VOID, EndedBy.REFUSAL, (), ""), None, "there is no result. The invitation was declined."),
        (
            TEAMS,
            Result(Outcome.WON, EndedBy.RESIGNATION, (Seat(2), Seat(4)), "nobody else is left"),
            Seat(4),
            "you win, with Bob (Blue). It was decided by a resignation: nobody else is left.",
        ),
        (
            TEAMS,
            Result(Outcome.WON, EndedBy.TIME, (Seat(2), Seat(4)), "nobody else is left"),
            Seat(1),
            "Bob (Blue) and Dan (Black) win. It was decided by the clock: nobody else is left.",
        ),
        (TEAMS, Result(Outcome.VOID, EndedBy.TIME, (), ""), None, "there is no result. Time ran out before every side had played."),
    ],
)
def test_how_it_ended(table: Table, result: Result, reader: Seat | None, words: str) -> None:
    assert outcome(result, table, reader) == words


def test_a_player_whose_name_is_gone_has_a_number() -> None:
    assert sentence(InvitationAccepted(player=ADA), Table(fold(TRIO, find=find), {})) == "The invitation was accepted by player 11."
