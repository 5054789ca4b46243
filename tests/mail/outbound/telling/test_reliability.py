"""The sentences about players' reliability."""

from tests.cases import for_each
from turnserver.mail.outbound.telling.reliability import reliability_told
from turnserver.play.reliability import Tally


@for_each(
    ("tally", "told"),
    [
        (Tally(), ""),
        (Tally(1, 1), "Bob: 100 % of 1 turn in time."),
        (Tally(412, 405, 1), "Bob: 98 % of 412 turns in time; time ran out in 1 turn."),
        (Tally(3, 0, 3), "Bob: 0 % of 3 turns in time; time ran out in 3 turns."),
        (Tally(20, 20, 0, 1), "Bob: 100 % of 20 turns in time; grace used in 1 turn."),
        (Tally(20, 18, 2, 3), "Bob: 90 % of 20 turns in time; grace used in 3 turns; time ran out in 2 turns."),
        (Tally(0, 0, 0, 1), ""),
        (Tally(1000, 999, 0), "Bob: 99 % of 1000 turns in time."),
    ],
)
def test_how_it_is_told(tally: Tally, told: str) -> None:
    assert reliability_told("Bob", tally) == told
