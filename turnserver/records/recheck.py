"""Whether the rules bear out what lies in an archive."""

from turnserver.records.archive import ArchiveImported, apart, together, without_words
from turnserver.records.check import canonical, game_of
from turnserver.records.course import Wrong


def problem(event: object, version: int) -> str:
    """What is wrong with an event in the history of an archived game, as a clause; empty if nothing is."""
    if not isinstance(event, ArchiveImported) or version != 1:
        return "the history of an archived game is one import"
    try:
        seats = game_of(together(event, without_words(0, event))).rules.seats
        by_rules, _ = apart(canonical(together(event, without_words(seats, event))))
    except Wrong as error:
        return f"{f'item {error.index + 1} of its course: ' if error.index is not None else ''}{error}"
    return "" if by_rules == event else "it is not written as the rules write it"
