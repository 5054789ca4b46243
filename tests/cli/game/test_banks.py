"""What an admin reads of the time that a clock holds."""

from datetime import timedelta

from tests.cases import for_each
from turnserver.cli.game.found import bank_told
from turnserver.play.clock.controls import Bank, parse

DAY = timedelta(days=1)
BANKS = [
    ("20d then 5x2d", Bank(20 * DAY, 5), "20 days and 5 periods"),
    ("20d then 5x2d", Bank(periods=1), "1 period"),
    ("5d+36h cap 10d", Bank(DAY), "1 day"),
    ("3d", Bank(), ""),
]


@for_each("time, bank, told", BANKS)
def test_a_bank_is_told_by_its_control(time: str, bank: Bank, told: str) -> None:
    assert bank_told(parse(time).control, bank) == told
