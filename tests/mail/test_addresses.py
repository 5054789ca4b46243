"""Addresses in headers: the quick way for a plain one and the standard library's for everything else come to the same."""

from email.utils import getaddresses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnserver.mail.mime import addresses

CASES: dict[str, tuple[str, ...]] = {
    "ada@example.org": ("ada@example.org",),
    "Ada <ada@example.org>": ("ada@example.org",),
    "<ada@example.org>": ("ada@example.org",),
    "Ada B. Carter-Dee <turns+8-h-5@club.example>": ("turns+8-h-5@club.example",),
    '"Ada, of the club" <ada@example.org>': ("ada@example.org",),
    "Ada <ada@example.org>, Bob <bob@example.org>": ("ada@example.org", "bob@example.org"),
    "ada@example.org (Ada)": ("ada@example.org",),
    "ada@example.org, ": ("ada@example.org",),
    "Ada": (),
    "": (),
}


@pytest.mark.parametrize("value", CASES)
def test_addresses_in_a_header(value: str) -> None:
    assert addresses([value]) == CASES[value]


@given(st.lists(st.lists(st.sampled_from(["Ada", "b", ".", "+", "-", "@", "@", "<", ">", " ", '"', ",", "x@y.z", "<x@y.z>"])).map("".join)))
def test_the_quick_way_finds_what_the_standard_library_finds(values: list[str]) -> None:
    listed = (address.strip() for _, address in getaddresses(values))
    assert addresses(values) == tuple(
        address for address in listed if address.count("@") == 1 and " " not in address and address[0] != "@" != address[-1]
    )
