"""Events in words: every one has its sentence."""

from collections.abc import Iterable
from dataclasses import replace as with_fields
from typing import get_args

from msgspec.structs import replace

from tests.cases import for_each
from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CLEO,
    COMMITTED,
    ENTROPY,
    NIM,
    PAIRS,
    RED,
    REVEALED,
    TRIO,
    clock,
    day,
    ended,
    left,
    opened,
    played,
)
from tests.play.small_games import find
from turnserver.ids import Burden, GameId, PlayerId, Position, Recorded, Version, game_stream
from turnserver.mail.outbound.language import language
from turnserver.mail.outbound.telling.events import SeatNames, happened, outcome, sentence
from turnserver.play import events as e
from turnserver.play import reasons
from turnserver.play.evolve import fold
from turnserver.play.state import Result
from turnserver.rules import Seat

PEOPLE = {ADA: "Ada", BOB: "Bob", CLEO: "Cleo", PlayerId(14): "Dan\n"}
TABLE = SeatNames(fold(NIM, find=find), PEOPLE)
TEAMS = SeatNames(fold(PAIRS, find=find), PEOPLE)

ROLLS = (e.Rolled(number=1, below=6, value=4, outcome="2"), e.Rolled(number=2, below=6, value=1, outcome="1"))


def frozen(kind: e.FreezeKind, seat: Seat | None, ends: float | None, reason: str = "") -> e.ClockFrozen:
    """A freeze from the second day on."""
    end = None if ends is None else day(ends)
    return e.ClockFrozen(number=1, kind=kind, seat=seat, begins=day(1), ends=end, clock=clock(0), reason=reason)


SENTENCES: list[tuple[e.GameEvent, str]] = [
    (opened(), "The organisers set up the game. Each turn may take 3 days."),
    (
        opened("dice"),
        (
            "The organisers set up the game. Each turn may take 3 days. "
            f"The chance of the game comes from a secret with the SHA-256 {COMMITTED}."
        ),
    ),
    (
        e.InvitationAccepted(player=ADA, zone="UTC", entropy=ENTROPY[ADA]),
        f"Ada accepted the invitation and added {ENTROPY[ADA]} to the chance of the game.",
    ),
    (
        e.GameStarted(to_move=RED, clock=clock(0), rolls=ROLLS),
        "The game began with Ada (Red). Chance then gave 2 and 1.",
    ),
    (e.GameStarted(to_move=None, clock=None, rolls=ROLLS[:1]), "The game began. Chance then gave 2."),
    (played(3, BLUE, "1", RED, at=1, rolls=ROLLS), "Turn 3: Bob (Blue) played 1. Chance then gave 2 and 1."),
    (left(BLUE, RED, since=1), "The others play on without Bob (Blue)."),
    (left(BLUE, RED, since=1, rolls=ROLLS[:1]), "The others play on without Bob (Blue). Chance then gave 2."),
    (left(BLUE, None, since=1), "Bob (Blue) has left the table."),
    (REVEALED, f"The secret that its chance came from was {REVEALED.secret}."),
    (
        ended(e.EndedBy.RULES, BLUE, scores=(3, 7)),
        "The game ended: Bob (Blue) wins. By the rules of Nim. The scores are Ada (Red) 3 and Bob (Blue) 7.",
    ),
    (e.InvitationAccepted(player=ADA, zone="UTC"), "Ada accepted the invitation."),
    (e.InvitationDeclined(player=BOB), "Bob declined the invitation."),
    (e.GameStarted(to_move=RED, clock=clock(0)), "The game began with Ada (Red)."),
    (played(3, BLUE, "1; 2", RED, at=1), "Turn 3: Bob (Blue) played 1; 2."),
    (e.DrawOffered(seat=RED), "Ada (Red) offered a draw."),
    (e.DrawAccepted(seat=BLUE), "Bob (Blue) accepted the draw."),
    (e.ProposalMade(seat=RED, kind=e.ProposalKind.PAUSE, days=14), "Ada (Red) proposed a pause of 14 days."),
    (e.ProposalAgreed(seat=BLUE), "Bob (Blue) agreed to it."),
    (e.ProposalDeclined(seat=BLUE), "Bob (Blue) declined it."),
    (e.DrawDeclined(seat=BLUE), "Bob (Blue) declined the draw."),
    (e.SeatResigned(seat=BLUE), "Bob (Blue) resigned."),
    (e.PlayerReminded(seat=RED, turn=4, marks=("24h",), remind_at=None), "Ada (Red) was reminded of turn 4."),
    (e.TurnTimedOut(seat=RED, turn=4, deadline=day(3)), "Ada (Red) ran out of time in turn 4."),
    (e.PlayerNudged(seat=RED, turn=4, asked_by=BLUE, asked_at=day(3)), "Turn 4: Bob (Blue) asked Ada (Red) for the move."),
    (
        e.GraceGranted(seat=RED, turn=4, hours=36, clock=clock(0)),
        "Ada (Red) ran out of time and got 1 day 12 hours more for turn 4. That happens once a game.",
    ),
    (e.TurnSkipped(seat=RED, turn=4, to_move=BLUE, clock=clock(0)), "Turn 4: Ada (Red) ran out of time, and the turn was skipped."),
    (
        e.TurnSkipped(seat=RED, turn=4, to_move=BLUE, clock=clock(0), rolls=ROLLS),
        "Turn 4: Ada (Red) ran out of time, and the turn was skipped. Chance then gave 2 and 1.",
    ),
    (
        replace(played(4, RED, "1", BLUE, at=1), by_house=True),
        "Turn 4: Ada (Red) ran out of time, and the house played 1 instead.",
    ),
    (replace(played(4, RED, "1", BLUE, at=1), by_plan=True), "Turn 4: Ada (Red) played 1, as planned beforehand."),
    (
        e.PlanLaid(seat=RED, turn=4, digest=COMMITTED),
        f"A plan of answers, the first to turn 4, was laid by Ada (Red); its digest is {COMMITTED}.",
    ),
    (e.PlanActed(seat=RED, turn=4, act=e.PlanAct.RESIGN), "Ada (Red) gave the game up, as planned beforehand."),
    (e.PlanActed(seat=RED, turn=4, act=e.PlanAct.DRAW), "Ada (Red) offered a draw, as planned beforehand."),
    (e.PlanDropped(seat=RED, reason=e.PlanEnd.FORGOTTEN), "The plan of Ada (Red) was called off."),
    (e.PlanDropped(seat=RED, reason=e.PlanEnd.PLAYED_OUT), "The plan of Ada (Red) is played out."),
    (e.PlanDropped(seat=RED, reason=e.PlanEnd.NOT_EXPECTED), "The plan of Ada (Red) had no answer to that."),
    (e.PlanDropped(seat=RED, reason=e.PlanEnd.NOT_LEGAL), "The plan of Ada (Red) did not answer: its move was not legal."),
    (e.PlanDropped(seat=RED, reason=e.PlanEnd.ASKED), "The plan of Ada (Red) did not answer: there was something on offer."),
    (e.PlanDropped(seat=RED, reason=e.PlanEnd.LOST), "The plan of Ada (Red) did not answer: its text is lost."),
    (e.ProposalMade(seat=RED, kind=e.ProposalKind.REOPENING), "Ada (Red) offered to play on."),
    (e.GameReopened(to_move=RED, clock=clock(0)), "The players agreed to play on. Ada (Red) to move."),
    (
        e.SubstituteSeated(seat=RED, player=CLEO, zone="UTC", rating=Burden.SEAT, reason="away.\n", clock=clock(0)),
        "Cleo took over the seat of Ada (Red). Reason: away. The result counts for the rating of whoever had the seat before.",
    ),
    (
        e.SubstituteSeated(seat=RED, player=CLEO, zone="UTC", rating=Burden.NONE, reason="", clock=clock(0)),
        "Cleo took over the seat of Ada (Red). The result counts for nobody's rating at that seat.",
    ),
    (
        e.ProposalMade(seat=RED, kind=e.ProposalKind.SUBSTITUTE, player=CLEO, place=RED),
        "Ada (Red) proposed to hand the seat over to Cleo.",
    ),
    (
        e.ProposalMade(seat=RED, kind=e.ProposalKind.SUBSTITUTE, player=CLEO, place=BLUE),
        "Ada (Red) proposed to ask Cleo to play on for Bob (Blue).",
    ),
    (e.SubstituteInvited(seat=BLUE, player=CLEO, asked_by=RED), "They agreed to ask Cleo to play on for Bob (Blue)."),
    (e.SubstituteDeclined(seat=BLUE, player=CLEO), "Cleo declined to play on for Bob (Blue)."),
    (e.SubstituteWithdrawn(seat=RED), "Ada (Red) no longer wants a substitute."),
    (e.SeatVacated(seat=RED, turn=4, clock=clock(0)), "Ada (Red) ran out of time in turn 4. The seat waits for a substitute."),
    (
        e.TurnsRetracted(first=2, reason="a slip.\n", to_move=RED, clock=clock(0)),
        "The organisers took back the turns from 2 on. Reason: a slip.",
    ),
    (
        e.EndRetracted(to_move=RED, clock=clock(0), reason="by mistake.\n"),
        "The organisers took back the end of the game. Reason: by mistake. Ada (Red) to move.",
    ),
    (
        e.ClockCredited(turn=4, seconds=90_000, reason="", clock=clock(0)),
        "The clock of turn 4 was given 1 day 1 hour more.",
    ),
    (
        e.ClaimMade(seat=BLUE, turn=4, claimed_at=day(3)),
        "Bob (Blue) asked the organisers to decide the game, because turn 4 is not played.",
    ),
    (e.ClaimDropped(seat=BLUE), "Bob (Blue) took the claim back."),
    (e.ClaimDecided(seat=BLUE, granted=True, reason="gone.\n"), "The organisers granted the claim of Bob (Blue). Reason: gone."),
    (e.ClaimDecided(seat=BLUE, granted=False, reason="a storm"), "The organisers did not grant the claim of Bob (Blue). Reason: a storm."),
    (e.TimeGiven(seat=BLUE, turn=4, seconds=172_800, clock=clock(0)), "Bob (Blue) gave 2 days more for turn 4."),
    (
        frozen(e.FreezeKind.OUTAGE, None, 2),
        "Because the service was down, no clock runs from Sun 2 Mar, 12:00 to Mon 3 Mar, 12:00, so that nobody loses time by it.",
    ),
    (
        frozen(e.FreezeKind.UNDELIVERED, BLUE, 2),
        "No mail got through to Bob (Blue) from Sun 2 Mar, 12:00 to Mon 3 Mar, 12:00. The clock did not run.",
    ),
    (
        frozen(e.FreezeKind.VACATION, RED, 8),
        "Vacation of Ada (Red) from Sun 2 Mar 2025, 12:00 to Sun 9 Mar 2025, 12:00. The clock does not run then.",
    ),
    (
        replace(frozen(e.FreezeKind.VACATION, RED, 7.5), begins=day(1.5)),
        "Vacation of Ada (Red) from Mon 3 Mar 2025 to the end of Sat 8 Mar 2025. The clock does not run then.",
    ),
    (
        frozen(e.FreezeKind.PAUSE, None, 8),
        "The game pauses from Sun 2 Mar, 12:00 to Sun 9 Mar, 12:00, as its players have agreed. No clock runs.",
    ),
    (
        frozen(e.FreezeKind.HALT, None, 8, reason="the club moves.\n"),
        "The organisers have stopped all clocks of the game from Sun 2 Mar, 12:00 to Sun 9 Mar, 12:00. Reason: the club moves.",
    ),
    (
        frozen(e.FreezeKind.HALT, None, 8),
        "The organisers have stopped all clocks of the game from Sun 2 Mar, 12:00 to Sun 9 Mar, 12:00.",
    ),
    (
        frozen(e.FreezeKind.HALT, None, None, reason="the club moves"),
        "The organisers have stopped all clocks of the game from Sun 2 Mar, 12:00. Reason: the club moves.",
    ),
    (frozen(e.FreezeKind.HALT, None, None), "The organisers have stopped all clocks of the game from Sun 2 Mar, 12:00."),
    (
        e.ClockThawed(number=1, kind=e.FreezeKind.VACATION, seat=BLUE, ends=day(2), clock=clock(0)),
        "The vacation of Bob (Blue) ends on Mon 3 Mar, 12:00. The clock runs again from then on.",
    ),
    (
        e.ClockThawed(number=1, kind=e.FreezeKind.HALT, seat=None, ends=day(2), clock=clock(0)),
        "The clocks of the game run again from Mon 3 Mar, 12:00.",
    ),
    (
        ended(e.EndedBy.RULES, BLUE, reason="the heap is empty"),
        "The game ended: Bob (Blue) wins. By the rules of Nim: the heap is empty.",
    ),
    (e.ResultAnnulled(reason="wrong game"), "The organisers annulled the result. Reason: wrong game."),
]


@for_each(("event", "words"), SENTENCES)
def test_what_happened(event: e.GameEvent, words: str) -> None:
    assert sentence(event, TABLE) == words


def test_notation_in_a_german_sentence_is_marked_as_such() -> None:
    told = language("de").told(sentence(e.GameStarted(to_move=None, clock=None, rolls=ROLLS), TABLE))
    assert told == "Die Partie begann. Der Zufall ergab dann „2 und 1“."


def test_when_a_clock_stood_still_is_told_by_the_clock_of_the_reader() -> None:
    table = SeatNames(TABLE.state, PEOPLE, "America/New_York")
    words = "Because the service was down, no clock runs from Sun 2 Mar, 07:00 to Mon 3 Mar, 07:00, so that nobody loses time by it."
    assert sentence(frozen(e.FreezeKind.OUTAGE, None, 2), table) == words


def test_everything_is_told_of_whoever_sat_there_then() -> None:
    seated = e.SubstituteSeated(seat=RED, player=CLEO, zone="UTC", rating=Burden.SUBSTITUTE, reason="", clock=clock(1))
    events = (*NIM, played(1, RED, "2", BLUE, at=1), played(2, BLUE, "1", RED, at=1), seated, played(3, RED, "1", BLUE, at=2))
    table = SeatNames(fold(events, find=find), PEOPLE)
    told = [happened(each, table) for each in recorded(events)]
    assert told[-4:] == [
        "Turn 1: Ada (Red) played 2.",
        "Turn 2: Bob (Blue) played 1.",
        "Cleo took over the seat of Ada (Red). The result counts for the rating of the substitute.",
        "Turn 3: Cleo (Red) played 1.",
    ]
    assert [table.of(turn) for turn in table.state.line.numbered] == ["Ada (Red)", "Bob (Blue)", "Cleo (Red)"]


def test_what_the_league_does_to_a_game_is_told_in_every_language() -> None:
    for reason in reasons.ENDS:
        plain = e.GameEnded(outcome=e.Outcome.VOID, by=e.EndedBy.ANNULMENT, winners=(), reason=str(reason))
        told = sentence(plain, TABLE)
        assert told == f"The game ended: no result. The league ended the game: {reason}."
        assert str(reason) not in language("de").told(told)
    paused = frozen(e.FreezeKind.HALT, None, None, str(reasons.PAUSED))
    assert language("de").told(sentence(paused, TABLE)).endswith(": Die Liga pausiert.")


def recorded(events: Iterable[e.GameEvent]) -> list[Recorded[e.GameEvent]]:
    return [
        Recorded(Position(at), game_stream(GameId(1)), Version(at), day(0), "service", "test", event, b"")
        for at, event in enumerate(events, 1)
    ]


@for_each(
    ("made", "agreed", "declined"),
    [
        (e.ProposalMade(seat=RED, kind=e.ProposalKind.PAUSE, days=3), "agreed to the pause", "declined the pause"),
        (e.ProposalMade(seat=RED, kind=e.ProposalKind.REOPENING), "agreed to play on", "declined to play on"),
        (e.ProposalMade(seat=RED, kind=e.ProposalKind.TAKE_BACK), "agreed that a move is taken back", "declined to take back a move"),
        (e.ProposalMade(seat=RED, kind=e.ProposalKind.SUBSTITUTE), "agreed to the substitute", "declined the substitute"),
    ],
)
def test_an_answer_names_what_was_proposed_last(made: e.GameEvent, agreed: str, declined: str) -> None:
    """Other news may stand between, or a list begin with the answer."""
    earlier = e.ProposalMade(seat=BLUE, kind=e.ProposalKind.PAUSE, days=9)
    for answer, words in ((e.ProposalAgreed(seat=BLUE), agreed), (e.ProposalDeclined(seat=BLUE), declined)):
        history = recorded((*NIM, earlier, made, e.TimeGiven(seat=RED, seconds=60, turn=1, clock=clock(1)), answer, earlier))
        table = with_fields(TABLE, history=history)
        assert happened(history[-2], table) == f"Bob (Blue) {words}."


def test_every_event_has_a_sentence() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(get_args(e.GameEvent))


@for_each(
    ("table", "result", "reader", "words"),
    [
        (TABLE, Result(e.Outcome.WON, e.EndedBy.TIME, (RED,), ""), RED, "you win. Bob (Blue) ran out of time."),
        (TABLE, Result(e.Outcome.WON, e.EndedBy.TIME, (RED,), ""), BLUE, "Ada (Red) wins. Bob (Blue) ran out of time."),
        (TABLE, Result(e.Outcome.VOID, e.EndedBy.TIME, (), ""), RED, "no result. Ada (Red) ran out of time before every side had played."),
        (
            TABLE,
            Result(e.Outcome.WON, e.EndedBy.ADJUDICATION, (RED,), str(reasons.WITHDRAWN)),
            BLUE,
            "Ada (Red) wins. The league ended the game: Bob (Blue) has withdrawn from it.",
        ),
        (
            TABLE,
            Result(e.Outcome.VOID, e.EndedBy.ANNULMENT, (), str(reasons.WITHDRAWN)),
            BLUE,
            "no result. The league ended the game: a player has withdrawn from the league.",
        ),
        (TABLE, Result(e.Outcome.DRAWN, e.EndedBy.AGREEMENT, (), ""), RED, "a draw. The players agreed on it."),
        (TABLE, Result(e.Outcome.DRAWN, e.EndedBy.ADJUDICATION, (), "dead"), RED, "a draw. The organisers decided the game. Reason: dead."),
        (TABLE, Result(e.Outcome.VOID, e.EndedBy.CANCELLATION, (), ""), None, "no result. The organisers cancelled the game."),
        (TABLE, Result(e.Outcome.VOID, e.EndedBy.ANNULMENT, (), "why"), None, "no result. The organisers annulled the game. Reason: why."),
        (TABLE, Result(e.Outcome.VOID, e.EndedBy.REFUSAL, (), ""), None, "no result. The invitation was declined."),
        (
            TEAMS,
            Result(e.Outcome.WON, e.EndedBy.RESIGNATION, (Seat(2), Seat(4)), "nobody else is left"),
            Seat(4),
            "you win, with Bob (Blue). A resignation decided it: nobody else is left.",
        ),
        (
            TEAMS,
            Result(e.Outcome.WON, e.EndedBy.TIME, (Seat(2), Seat(4)), "nobody else is left"),
            Seat(1),
            "Bob (Blue) and Dan (Black) win. The clock decided it: nobody else is left.",
        ),
        (TEAMS, Result(e.Outcome.VOID, e.EndedBy.TIME, (), ""), None, "no result. Ada (Red) ran out of time before every side had played."),
    ],
)
def test_how_it_ended(table: SeatNames, result: Result, reader: Seat | None, words: str) -> None:
    assert outcome(result, table, reader) == words


def test_a_player_whose_name_is_gone_has_a_number() -> None:
    nameless = SeatNames(fold(TRIO, find=find), {})
    assert sentence(e.InvitationAccepted(player=ADA, zone="UTC"), nameless) == "Player 11 accepted the invitation."
