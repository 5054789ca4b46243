"""Letters about the reader's own notes."""

from typing import assert_never

from turnserver.mail.outbound.game_words import GameDesk
from turnserver.mail.outbound.language import lines_of
from turnserver.mail.outbound.letters import Letter, NoteLine, NotesShown
from turnserver.mail.outbound.notices.game import NotesNews
from turnserver.play.state import Status
from turnserver.text import say


def notes_shown(desk: GameDesk) -> Letter:
    """Write all notes of the reader, or that a note is kept."""
    news: NotesNews = desk.context.detail["news"]
    notes = desk.context.notes
    listed = () if news == "kept" else tuple(NoteLine(say("Turn {turn}", turn=one.turn), lines_of(one.text)) for one in notes)
    return NotesShown(
        **desk.common(*_headline(desk, news)),
        lines=listed,
        more=news == "kept" and len(notes) > 1,
        publish=news != "kept" and desk.state.status is Status.ENDED and not all(one.published for one in notes),
        hide=news != "kept" and any(one.published for one in notes),
    )


def _headline(desk: GameDesk, news: NotesNews) -> tuple[str, str]:
    match news:
        case "kept":
            return say("Your note is kept. Nobody else sees it."), ""
        case "shown" if not desk.context.notes:
            return say("You have no notes of {game}.", game=desk.name), ""
        case "shown":
            return say("Your notes of {game}.", game=desk.name), ""
        case "published":
            return say("Your notes are published."), say("They are comments in the record of {game}, with your name.", game=desk.name)
        case "hidden":
            return say("Your notes are private again."), say("The record of {game} no longer has them.", game=desk.name)
        case _:
            assert_never(news)
