"""Chance: the method against figures from other programs, its edges, and that its secret is not shown."""

from collections import Counter

import pytest

from tests.cases import for_each
from tests.play import by_hand
from tests.play.given import ADA, BOB, CHANCE, COMMITTED, ENTROPY, RED, REVEALED
from tests.play.small_games import find
from turnserver.ids import GameId
from turnserver.play import chance
from turnserver.play.chance import Chance, Settled
from turnserver.play.events import Rolled
from turnserver.rules import Choose, Over

BOTH = (ENTROPY[ADA], ENTROPY[BOB])

KEY = bytes.fromhex("a89bcb63bbe03383688b5c507103bae14cbe2360e0143b04c746580959dd7373")
"""printf 'game 17\\n%s\\n%s' $RED $BLUE | openssl dgst -sha256 -mac HMAC -macopt hexkey:$SECRET"""

GAP = bytes.fromhex("4753d7d2cb2b9039a977cb8e5359a6a3bb5c2800eb3e1c0003db90b7771742b5")
"""The same for three seats, Red and Blue being the first and the last and the second having added nothing."""

DRAWS = {
    "draw 1": 0x33BA812B28CE86E32518EE76FF5C341201BEE9B032168B316A635BFB5BC08FF8,
    "draw 2": 0xC04F77B74A7D18BEABD8488DDEB74B7102C62580BF0C1623A8A2B7BEE6DEAC4F,
    "draw 3": 0xA57B1F71060946EDD790770FC3506EDDD3ACAC85C56896050BAA4D5EADDB4442,
    "draw 4": 0x8F6158044C798EEFC99F5EB8F4EAEFCE27AAD9A855A2195DC1BC00F924E821D7,
    "draw 2 again 1": 0x0622256E0BFE424DC7BB03209906FCFFBFF51099C841782FD205FFBE798E645B,
    "draw 3 again 1": 0x62342A0A969622615306581FED5A4E812DAB02AE9CE0815192E809E3CC9559AE,
    "draw 4 again 1": 0xB4F9754CF5E5042BDED103EB1D28E5EDDC86CC198907B98CD83F7017F95CCFFA,
    "draw 4 again 2": 0x2D9CD0D138EFDC88085D332F07BE92FEA4F62DA51D20ECB5D46F19D9763B5A4E,
}
"""printf 'draw 1' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY, and so on"""

HALF = 2**255 + 1
"""Only one multiple of it is below 2**256, so nearly half of what is drawn has to be thrown away."""


def test_a_commitment_is_the_sha_256_of_the_secret() -> None:
    """As `sha256sum` has it for the bytes 0 to 31."""
    assert chance.commitment(CHANCE.secret) == COMMITTED
    assert bytes.fromhex(REVEALED.secret) == CHANCE.secret


@pytest.mark.parametrize(
    ("entropies", "expected"), [(BOTH, KEY), ((ENTROPY[ADA], "", "1c41f8d034b99376e041b65bbe91076b34e9fb28160c1b178cf9e7d78c66a925"), GAP)]
)
def test_a_key_is_that_of_openssl(entropies: tuple[str, ...], expected: bytes) -> None:
    assert CHANCE.key(entropies) == expected
    assert by_hand.key_of(CHANCE.secret, CHANCE.game, entropies) == expected


@for_each(
    "other",
    [
        (bytes(32), GameId(17), BOTH),
        (CHANCE.secret, GameId(1), BOTH),
        (CHANCE.secret, GameId(17), BOTH[::-1]),
        (CHANCE.secret, GameId(17), (*BOTH, "")),
        (CHANCE.secret, GameId(17), ("", BOTH[0])),
    ],
    ids=["secret", "game", "order", "one seat more", "another seat"],
)
def test_whatever_differs_gives_another_key(other: tuple[bytes, GameId, tuple[str, ...]]) -> None:
    assert chance.key(*other) not in (KEY, chance.key(CHANCE.secret, CHANCE.game, BOTH[:1]))


@for_each(
    ("number", "below", "expected"),
    [
        (1, 6, 4),
        (2, 6, 1),
        (3, 6, 2),
        (4, 6, 1),
        (1, 36, 28),
        (2, 36, 7),
        (3, 36, 26),
        (4, 36, 31),
        (1, 1, 0),
        (1, 2**256, DRAWS["draw 1"]),
        (1, HALF, DRAWS["draw 1"]),
        (2, HALF, DRAWS["draw 2 again 1"]),
        (3, HALF, DRAWS["draw 3 again 1"]),
        (4, HALF, DRAWS["draw 4 again 2"]),
        (1, DRAWS["draw 1"] + 1, DRAWS["draw 1"]),
        (1, DRAWS["draw 1"], 0),
    ],
)
def test_a_draw_is_that_of_openssl_and_bc(number: int, below: int, expected: int) -> None:
    assert chance.draw(KEY, number, below) == expected
    assert by_hand.value_of(KEY, number, below) == expected


def test_nothing_is_favoured() -> None:
    """Of 6000 throws of a die each face has its thousand, within five standard deviations."""
    faces = Counter(chance.draw(KEY, number, 6) for number in range(1, 6001))
    assert sorted(faces) == list(range(6))
    assert all(abs(count - 1000) < 5 * 29 for count in faces.values())


@for_each(
    ("weights", "expected"),
    [((1,), [0]), ((1, 1, 1), [0, 1, 2]), ((3, 2, 1), [0, 0, 0, 1, 1, 2]), ((1, 4), [0, 1, 1, 1, 1])],
)
def test_a_value_points_at_what_is_as_wide_as_its_weight(weights: tuple[int, ...], expected: list[int]) -> None:
    assert [chance.pointed_at(weights, value) for value in range(sum(weights))] == expected


def test_two_dice_are_two_draws_and_go_on_where_the_last_one_ended() -> None:
    """Draws 3 and 4 of 6 are 2 and 1: both are faces of the first step, whose weight is 3."""
    rules = find("dice", dice_from=1, dice=2).rules
    rolls = (Rolled(number=3, below=6, value=2, outcome="1"), Rolled(number=4, below=6, value=1, outcome="1"))
    settled = chance.settle(rules, rules.start(), KEY, 2)
    assert (settled.rolls, settled.next) == (rolls, Choose(RED, 1))
    assert settled.position.left == 4


def test_a_roll_may_end_a_game() -> None:
    rules = find("dice", dice_from=1, heap=1).rules
    settled = chance.settle(rules, rules.start(), KEY, 0)
    assert settled.rolls == (Rolled(number=1, below=3, value=DRAWS["draw 1"] % 3, outcome="1"),)
    assert settled.next == Over(frozenset({RED}), "the heap is empty", (1, 0))


def test_where_nothing_is_rolled_there_is_no_need_of_a_key() -> None:
    rules = find("dice", dice_from=2).rules
    assert chance.settle(rules, rules.start(), None, 0) == Settled((), rules.start(), Choose(RED, 1))


def test_a_roll_that_the_entry_does_not_know_of_is_a_mistake_of_the_game() -> None:
    rules = find("dice", dice_from=1).rules
    with pytest.raises(ValueError, match="promises that there is none"):
        chance.settle(rules, rules.start(), None, 0)


def test_a_secret_is_not_shown() -> None:
    shown = repr(Chance(GameId(17), b"not for the log"))
    assert "not for the log" not in shown
    assert "17" in shown
