"""The reader's newest notes, in short: as much as fits into three lines."""

from collections.abc import Sequence
from typing import Final

from turnserver.mail.outbound.context import OwnNote
from turnserver.mail.outbound.language import one_line
from turnserver.mail.outbound.letters import NotesView
from turnserver.text import say

_MOST_LINES: Final = 3
_COLUMNS: Final = 64
"""The characters of a line of text, with some room for longer words in front of a note in other languages."""


def newest(notes: Sequence[OwnNote]) -> NotesView:
    """Return the newest of some notes, which come oldest first, as they stand in a mail about something else."""
    lines: list[str] = []
    room, whole = _MOST_LINES, 0
    for note in reversed(notes):
        text, label = one_line(note.text, len(note.text)), len(say("Your note of turn {turn}: {text}", turn=note.turn, text=""))
        shown = one_line(text, room * _COLUMNS - label)
        if shown != text and lines:
            break
        lines.append(say("Your note of turn {turn}: {text}", turn=note.turn, text=shown))
        whole += shown == text
        room -= -(-(label + len(shown)) // _COLUMNS)
        if room <= 0:
            break
    return NotesView(tuple(lines), more=whole < len(notes))
