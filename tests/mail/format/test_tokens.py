"""Reply addresses: they say who answers what, and nobody can make one up."""

import hashlib
import hmac
import re
from base64 import b32encode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.corpus.hostile import done_in_time
from turnserver.errors import ConfigError
from turnserver.ids import GameId, PlayerId, game_stream
from turnserver.mail.format.tokens import Purpose, Token, bounce_address, find, masked, reply_address, sign, verify, write_message_id

OLD = {1: b"old key" * 5}
BOTH = {**OLD, 2: b"new key" * 5}
TOKEN = Token(PlayerId(8), GameId(17), 12, 1)
BIGGEST = Token(PlayerId(10**9), GameId(10**9), 36**3 - 1, 36**2 - 1)
SITE = "turns@example.org"

tokens = st.builds(Token, *(st.integers(0, 10**9) for _ in range(4)))


@given(tokens)
@example(TOKEN)
@example(BIGGEST)
def test_what_was_signed_is_verified_in_any_case(token: Token) -> None:
    text = sign(OLD, token)
    assert verify(OLD, text) == token
    assert verify(OLD, text.upper()) == token
    assert verify(OLD, f" {text.title()}\n") == token


def test_the_fields_stand_in_the_clear() -> None:
    assert sign(OLD, TOKEN).split("-")[:5] == ["8", "h", "c", "1", "1"]


def test_the_code_is_hmac_sha256_cut_to_128_bits() -> None:
    digest = hmac.new(OLD[1], b"turnserver reply address\x008-h-c-1-1", hashlib.sha256).digest()
    assert sign(OLD, TOKEN) == "8-h-c-1-1-" + b32encode(digest[:16]).decode().strip("=").lower()


@pytest.mark.parametrize("purpose", [Purpose.CONFIRM, Purpose.UNSUBSCRIBE, Purpose.PAGE])
def test_a_token_is_good_for_what_it_was_signed_for_alone(purpose: Purpose) -> None:
    other = sign(OLD, TOKEN, purpose)
    assert verify(OLD, other, purpose) == TOKEN
    assert verify(OLD, other) is None
    assert verify(OLD, sign(OLD, TOKEN), purpose) is None


def test_every_change_of_a_character_is_noticed() -> None:
    text = sign(OLD, TOKEN)
    for at, old in enumerate(text):
        for new in "abcdefghijklmnopqrstuvwxyz0123456789-":
            if new != old:
                assert verify(OLD, text[:at] + new + text[at + 1 :]) is None


@for_each(
    "text",
    [
        "",
        "8-h-c-1-1",
        "8-h-c-1-1-" + "a" * 26,
        "0" + sign(OLD, TOKEN),
        sign(OLD, TOKEN) + "a",
        "é" * 40,
        "\0",
        "-" * 10_000,
        sign(BOTH, TOKEN),
    ],
)
def test_what_was_not_signed_is_nothing(text: str) -> None:
    assert verify(OLD, text) is None


@given(st.text())
def test_garbage_is_nothing(text: str) -> None:
    assert verify(OLD, text) is None


def test_the_newest_key_signs_and_a_removed_one_no_longer_counts() -> None:
    before, after = sign(OLD, TOKEN), sign(BOTH, TOKEN)
    assert (verify(BOTH, before), verify(BOTH, after), verify({2: BOTH[2]}, before)) == (TOKEN, TOKEN, None)


def test_a_key_under_another_version_does_not_count() -> None:
    assert verify({2: OLD[1]}, sign(OLD, TOKEN)) is None


@pytest.mark.parametrize("box", ["turns", "a" * 14])
def test_the_biggest_numbers_fit_into_64_octets(box: str) -> None:
    address = reply_address(f"{box}@example.org", OLD, BIGGEST)
    local, _, domain = address.partition("@")
    assert (len(local) <= 64, domain, verify(OLD, find([address]) or "")) == (True, "example.org", BIGGEST)


@for_each("site", ["a" * 15 + "@example.org", "example.org", "@example.org", "turns@", ""])
def test_an_address_that_cannot_carry_a_token_is_refused(site: str) -> None:
    with pytest.raises(ConfigError, match=r"site\.address"):
        reply_address(site, OLD, BIGGEST)


def test_without_a_key_nothing_is_signed() -> None:
    with pytest.raises(ConfigError, match="turnserver init"):
        sign({}, TOKEN)


@for_each(
    ("recipients", "found"),
    [
        ([], False),
        (["turns@example.org", "Ada <ada+games@example.org>"], False),
        (["ada@example.org", reply_address(SITE, OLD, TOKEN)], True),
        ([f"Turns <{reply_address(SITE, OLD, TOKEN).upper()}>"], True),
        ([sign(OLD, TOKEN)], False),
    ],
)
def test_a_token_is_found_among_the_recipients(recipients: list[str], found: bool) -> None:
    assert (find(recipients) == sign(OLD, TOKEN)) is found


SIGNED = {
    "a token": sign(OLD, TOKEN),
    "the biggest": sign(BOTH, BIGGEST),
    "one to confirm by": sign(OLD, TOKEN, Purpose.CONFIRM),
    "a reply address": reply_address(SITE, OLD, TOKEN),
    "in capitals": sign(OLD, TOKEN).upper(),
    "a bounce address": bounce_address(SITE, OLD, 4711),
    "a Message-ID": write_message_id(OLD, "turn", game_stream(GameId(17)), "x", "example.org"),
}


@for_each("text", SIGNED.values(), ids=SIGNED)
def test_what_we_sign_is_masked_wherever_it_stands(text: str) -> None:
    secret = max(re.findall(r"[a-zA-Z2-7]{16,}", text), key=len)
    for lines in (
        [f"say my key is {text}, keep it"],
        [text],
        [f"({text})", "x"],
        ["a", f"x,{text[:30]}", f"{text[30:]}!", "b"],
        [text, text],
    ):
        hidden = masked(lines)
        assert "***" in "".join(hidden)
        assert secret not in "".join(hidden)
        assert len(hidden) == len(lines)
    assert masked([f"say my key is {text}, keep it"])[0].startswith("say my key is ")
    assert masked([f"say my key is {text}, keep it"])[0].endswith(", keep it")
    assert masked(["a1", text])[0] == "a1"


@given(st.lists(st.text("ab-2. @c", max_size=40)))
def test_other_words_stay(lines: list[str]) -> None:
    assert masked(lines) == tuple(lines)


@for_each("text", ["_" * 65_000, "x" * 65_000, "a-" * 32_000, "a." * 32_000, "-" * 65_000, "a-b-c-d-e-f" * 6_000])
def test_looking_for_what_to_mask_takes_no_time(text: str) -> None:
    assert masked([text]) == (text,)
    assert done_in_time(lambda: masked([text]))


def test_many_tokens_are_masked_at_once() -> None:
    lines = [" ".join([sign(OLD, TOKEN)] * 20)] * 500
    assert set(masked(lines)) == {" ".join(["***"] * 20)}
