"""Rolls worked out a second time, from the description of the method alone and with nothing but SHA-256."""

from collections.abc import Sequence
from hashlib import sha256

from tests.play.given import CHANCE
from turnserver.play.events import Rolled

BLOCK = 64


def hmac(key: bytes, text: str) -> bytes:
    """RFC 2104, for keys of at most 64 bytes."""
    padded = key.ljust(BLOCK, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + text.encode()).digest()
    return sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def key_of(secret: bytes, game: int, entropies: Sequence[str]) -> bytes:
    return hmac(secret, f"game {game}" + "".join(f"\n{entropy}" for entropy in entropies))


def value_of(key: bytes, number: int, below: int) -> int:
    text, tries = f"draw {number}", 0
    while True:
        drawn = int(hmac(key, text).hex(), 16)
        if drawn // below < 2**256 // below:
            return drawn % below
        tries += 1
        text = f"draw {number} again {tries}"


def roll(number: int, entropies: Sequence[str], weights: Sequence[int] = (3, 2, 1), game: int = CHANCE.game) -> Rolled:
    """The roll of that number in a game with these entropies, where the outcomes are 1, 2, ... with these weights."""
    below = sum(weights)
    value = value_of(key_of(CHANCE.secret, game, entropies), number, below)
    faces = [face for face, weight in enumerate(weights, start=1) for _ in range(weight)]
    return Rolled(number=number, below=below, value=value, outcome=str(faces[value]))
