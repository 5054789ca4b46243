"""Bounce addresses: they name a mail of ours, and nobody can make one up."""

import hashlib
import hmac
from base64 import b32encode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import for_each
from turnserver.errors import ConfigError
from turnserver.ids import PlayerId
from turnserver.mail.format import tokens
from turnserver.mail.format.tokens import Token, bounce_address, find_bounce, reply_address, verify_bounce

OLD = {1: b"old key" * 5}
BOTH = {**OLD, 2: b"new key" * 5}
SITE = "turns@example.org"
BIGGEST = 10**12 - 1


def tag(mail: int) -> str:
    found = find_bounce([bounce_address(SITE, OLD, mail)])
    assert found is not None
    return found


@given(st.integers(1, BIGGEST))
@example(BIGGEST)
def test_what_was_written_is_read_in_any_case(mail: int) -> None:
    address = bounce_address(SITE, OLD, mail)
    for seen in (address, address.upper(), f"Turns <{address.title()}>"):
        found = find_bounce([seen])
        assert found is not None
        assert verify_bounce(OLD, found) == mail


def test_the_number_stands_in_the_clear() -> None:
    assert bounce_address(SITE, BOTH, 4711).startswith("turns+b-4711-2-")


def test_every_change_of_a_character_is_noticed() -> None:
    text = tag(4711)
    for at, old in enumerate(text):
        for new in "abcdefghijklmnopqrstuvwxyz0123456789-":
            if new != old:
                assert verify_bounce(OLD, text[:at] + new + text[at + 1 :]) is None


def test_a_key_is_rotated() -> None:
    assert verify_bounce(BOTH, tag(5)) == 5
    assert verify_bounce({2: BOTH[2]}, tag(5)) is None


def test_reply_addresses_and_bounce_addresses_are_not_mistaken_for_each_other() -> None:
    """Neither by their look nor, under one key, by their code."""
    reply, bounce = reply_address(SITE, OLD, Token(PlayerId(8))), bounce_address(SITE, OLD, 8)
    assert (find_bounce([reply]), tokens.find([bounce])) == (None, None)
    digest = hmac.new(OLD[1], b"turnserver bounce address\x00b-8-1", hashlib.sha256).digest()
    assert tag(8) == "b-8-1-" + b32encode(digest[:16]).decode().strip("=").lower()


def test_the_longest_fits_into_an_address() -> None:
    address = bounce_address("fourteen-chars@example.org", {1295: b"k" * 32}, BIGGEST)
    assert len(address.partition("@")[0]) <= tokens.LOCAL_PART_OCTETS
    with pytest.raises(ConfigError, match="at most 14 characters"):
        bounce_address("a-box-of-more-than-14@example.org", {1295: b"k" * 32}, BIGGEST)


def test_without_a_key_it_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match="turnserver init"):
        bounce_address(SITE, {}, 1)


@for_each("text", ["", "b-1-1", "b-1-1-" + "a" * 26, "b-0-1-" + "a" * 26, tag(5) + "a", "é" * 40, "\0"])
def test_anything_else_is_nothing(text: str) -> None:
    assert verify_bounce(OLD, text) is None
