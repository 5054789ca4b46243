"""What DNS has to say about a domain whose mail is ours, record by record, as it is typed in."""

from dataclasses import dataclass
from typing import Final

MOST_OF_A_STRING: Final = 255
"""Octets of one character-string (RFC 1035, 3.3); longer texts are several strings, which readers join without a space."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record. `name` has no dot at its end; `value` is one line, as web forms of DNS providers take it."""

    name: str
    type: str
    value: str

    @property
    def line(self) -> str:
        """The record in a zone file."""
        value = self.value if self.type != "TXT" else " ".join(f'"{part}"' for part in _strings(self.value))
        return f"{self.name}. IN {self.type} {value}"


def dkim(selector: str, domain: str, text: str) -> Record:
    """Where the public half of a signing key is found (RFC 6376, 3.6.2)."""
    return Record(f"{selector}._domainkey.{domain}", "TXT", text)


def _strings(text: str) -> list[str]:
    return [text[start : start + MOST_OF_A_STRING] for start in range(0, len(text), MOST_OF_A_STRING)]
