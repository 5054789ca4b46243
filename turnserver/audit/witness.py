"""Digests as players send them: typed in by hand, or somewhere in a mail."""

import re
from email import message_from_bytes
from email.policy import default
from typing import Final

from turnserver.errors import BadOption

PRINTED: Final = 16
"""How many digits a mail prints."""
_PRINTED = re.compile(r"(?<![\w+.@=-])[0-9a-f]{16}(?![\w@=-])", re.IGNORECASE)
_TYPED = re.compile(r"[0-9a-f]{8,64}")


def typed(text: str) -> str:
    """A digest that somebody has typed, with spaces and capitals as he likes. Raises BadOption for what is none."""
    digest = "".join(text.split()).lower().removesuffix(".")
    if not _TYPED.fullmatch(digest):
        raise BadOption(f"{text[:70]!r} is no digest. Write the 8 to 64 digits (0 to 9, a to f) that stand at the end of the mail.")
    return digest


def in_text(raw: bytes) -> list[str]:
    """The digests that a mail, or any text, shows, each once and in their order. Raises BadOption if it shows none."""
    mail = message_from_bytes(raw, policy=default)
    parts = [part for part in mail.walk() if part.get_content_maintype() == "text"]
    texts = [raw.decode("utf-8", "replace"), *(_decoded(part.get_payload(decode=True)) for part in parts)]
    found = [each.lower() for text in texts for each in _PRINTED.findall(text)]
    if not found:
        raise BadOption(f"There is no digest in this text: {PRINTED} digits (0 to 9, a to f) that stand alone.")
    return list(dict.fromkeys(found))


def _decoded(payload: object) -> str:
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
