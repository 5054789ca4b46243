"""Draws by agreement."""

from msgspec.structs import replace

from tests.play.given import (
    ADA,
    BLUE,
    BOB,
    CLEO,
    EVE,
    GREEN,
    NIM,
    NIM_1,
    NIM_2,
    PAIRS,
    RED,
    TRIO,
    WON,
    Case,
    Refused,
    check,
    clock,
    day,
    ended,
    named,
    played,
    running,
)
from tests.play.test_substitutes import seated
from tests.terms import THREE_DAYS
from turnserver.play import events as e
from turnserver.play.commands import Accept, Decline, OfferDraw

OFFERED = (*NIM_1, e.DrawOffered(seat=RED))
DECLINED = (*OFFERED, e.DrawDeclined(seat=BLUE))
TURN_2, TURN_3, TURN_4 = (played(2, BLUE, "1", RED, at=2), played(3, RED, "1", BLUE, at=3), played(4, BLUE, "1", RED, at=4))
DECLINED_OF_THREE = (*running(terms=replace(THREE_DAYS, draw_turns=3)), *DECLINED[-3:])
LAPSED = (*OFFERED, played(2, BLUE, "1", RED, at=2))
TRIO_OFFERED = (*TRIO, e.DrawOffered(seat=BLUE))
TRIO_HALF_AGREED = (*TRIO_OFFERED, e.DrawAccepted(seat=GREEN))
RETRACTED = (*DECLINED, e.TurnsRetracted(first=1, reason="r", to_move=RED, clock=clock(2)))
PLAYED_AGAIN = (
    *DECLINED,
    played(2, BLUE, "1", RED, at=2),
    e.TurnsRetracted(first=2, reason="r", to_move=BLUE, clock=clock(3)),
)

CASES = [
    Case("an offer out of turn", NIM_1, OfferDraw(ADA, day(1)), day(1), (e.DrawOffered(seat=RED),)),
    Case("an offer on one's turn", NIM_1, OfferDraw(BOB, day(1)), day(1), (e.DrawOffered(seat=BLUE),)),
    Case("the other's offer on the next turn", (*DECLINED, TURN_2), OfferDraw(BOB, day(2)), day(2), (e.DrawOffered(seat=BLUE),)),
    Case(
        "a new offer on the next turn",
        (*DECLINED, TURN_2),
        OfferDraw(ADA, day(2)),
        day(2),
        Refused("draw_offered_lately", "You can offer again from turn 12 on"),
    ),
    Case(
        "a new offer a turn too early",
        (*DECLINED_OF_THREE, TURN_2, TURN_3),
        OfferDraw(ADA, day(3)),
        day(3),
        Refused("draw_offered_lately", "from turn 5 on"),
    ),
    Case("a new offer in time", (*DECLINED_OF_THREE, TURN_2, TURN_3, TURN_4), OfferDraw(ADA, day(4)), day(4), (e.DrawOffered(seat=RED),)),
    Case(
        "by a substitute, who has offered nothing yet",
        (*DECLINED, TURN_2, seated(RED, clock(2))),
        OfferDraw(EVE, day(2)),
        day(2),
        (e.DrawOffered(seat=RED),),
    ),
    Case("a new offer after a retraction", RETRACTED, OfferDraw(ADA, day(2)), day(2), (e.DrawOffered(seat=RED),)),
    Case("a new offer on the turn that was retracted", PLAYED_AGAIN, OfferDraw(ADA, day(3)), day(3), (e.DrawOffered(seat=RED),)),
    Case("where the game knows no draws", PAIRS, OfferDraw(ADA, day(1)), day(1), Refused("no_draws", '"resign"')),
    Case("one's own offer is open", OFFERED, OfferDraw(ADA, day(1)), day(1), Refused("already_proposed", "Wait for the answer")),
    Case("the opponent's offer is open", OFFERED, OfferDraw(BOB, day(1)), day(1), Refused("proposal_open", '"accept"')),
    Case("twice in a turn", DECLINED, OfferDraw(ADA, day(1)), day(1), Refused("draw_offered_this_turn", "Offer again after it")),
    Case(
        "by the one who just declined", DECLINED, OfferDraw(BOB, day(1)), day(1), Refused("draw_offered_this_turn", "Offer again after it")
    ),
    Case(
        "yes to an offer of this turn",
        OFFERED,
        Accept(BOB, day(1), 2, 0),
        day(1),
        (e.DrawAccepted(seat=BLUE), ended(e.EndedBy.AGREEMENT, drawn=True)),
    ),
    Case(
        "yes to an earlier mail", OFFERED, Accept(BOB, day(1), 1, 0), day(1), Refused("answer_to_earlier_mail", "reply to the newest mail")
    ),
    Case(
        "no to an earlier mail", OFFERED, Decline(BOB, day(1), 1, 0), day(1), Refused("answer_to_earlier_mail", "reply to the newest mail")
    ),
    Case("yes to a mail of before", OFFERED, Accept(BOB, day(1), 2, 1), day(1), Refused("answer_to_earlier_mail", "newest mail")),
    Case("an offer at the last instant", NIM_1, OfferDraw(BOB, day(4)), day(5), (e.DrawOffered(seat=BLUE),)),
    Case("an offer too late", NIM_1, OfferDraw(BOB, day(4, seconds=1)), day(5), Refused("too_late", "ran out")),
    Case("an offer after the end", WON, OfferDraw(BOB, day(4)), day(4), Refused("game_over", "Red won")),
    Case("a stranger's offer", NIM, OfferDraw(EVE, day(1)), day(1), Refused("not_in_game", '"games"')),
    Case("accepting", OFFERED, Accept(BOB, day(2)), day(2), (e.DrawAccepted(seat=BLUE), ended(e.EndedBy.AGREEMENT, drawn=True))),
    Case("the first of two to accept", TRIO_OFFERED, Accept(CLEO, day(1)), day(1), (e.DrawAccepted(seat=GREEN),)),
    Case(
        "the second of two to accept",
        TRIO_HALF_AGREED,
        Accept(ADA, day(1)),
        day(1),
        (e.DrawAccepted(seat=RED), ended(e.EndedBy.AGREEMENT, drawn=True)),
    ),
    Case(
        "an earlier yes is to an earlier offer",
        (*TRIO_HALF_AGREED, played(1, RED, "1", BLUE, at=1), e.DrawOffered(seat=BLUE)),
        Accept(ADA, day(1)),
        day(1),
        (e.DrawAccepted(seat=RED),),
    ),
    Case("accepting twice", TRIO_HALF_AGREED, Accept(CLEO, day(1)), day(1), Refused("already_accepted", "Wait for them")),
    Case("accepting one's own offer", OFFERED, Accept(ADA, day(2)), day(2), Refused("nothing_to_accept", "or play on")),
    Case("one's own offer, half agreed", TRIO_HALF_AGREED, Accept(BOB, day(2)), day(2), Refused("nothing_to_accept", "or play on")),
    Case("accepting nothing", NIM_1, Accept(BOB, day(2)), day(2), Refused("nothing_to_accept", "Play on")),
    Case("accepting what was declined", DECLINED, Accept(BOB, day(2)), day(2), Refused("nothing_to_accept", "Play on")),
    Case("accepting what lapsed", LAPSED, Accept(BOB, day(2)), day(2), Refused("nothing_to_accept", "Play on")),
    Case("accepting what was retracted", (*OFFERED, *RETRACTED[-1:]), Accept(BOB, day(2)), day(2), Refused("nothing_to_accept", "Play on")),
    Case("accepting too late", OFFERED, Accept(BOB, day(5)), day(5), Refused("too_late", "ran out")),
    Case("accepting after the end", WON, Accept(BOB, day(4)), day(4), Refused("game_over", "Red won")),
    Case("a stranger accepts", OFFERED, Accept(EVE, day(2)), day(2), Refused("not_in_game", '"games"')),
    Case("declining", OFFERED, Decline(BOB, day(2)), day(2), (e.DrawDeclined(seat=BLUE),)),
    Case("declining after having accepted", TRIO_HALF_AGREED, Decline(CLEO, day(1)), day(1), (e.DrawDeclined(seat=GREEN),)),
    Case("declining one's own offer", OFFERED, Decline(ADA, day(2)), day(2), Refused("nothing_to_decline", "or play on")),
    Case("declining nothing", NIM_2, Decline(ADA, day(2)), day(2), Refused("nothing_to_decline", "Play on")),
    Case("declining too late", OFFERED, Decline(BOB, day(5)), day(5), Refused("too_late", "ran out")),
    Case("declining after the end", WON, Decline(BOB, day(4)), day(4), Refused("game_over", "Red won")),
    Case("a stranger declines", OFFERED, Decline(EVE, day(2)), day(2), Refused("not_in_game", '"games"')),
]


@named(CASES)
def test_draws(case: Case) -> None:
    check(case)
