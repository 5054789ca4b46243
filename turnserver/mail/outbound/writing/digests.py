"""The digest: one letter about several games."""

from collections.abc import Sequence

from turnserver.mail.outbound.context import Occasion, OwnGame
from turnserver.mail.outbound.game_words import GameDesk, Written, common, pending, site_subject, speeches, urgency
from turnserver.mail.outbound.letters import Digest, DigestEntry
from turnserver.mail.outbound.telling.events import paragraph
from turnserver.play.state import Status
from turnserver.text import say


def digest(occasion: Occasion) -> Written:
    """Each game once, those that wait for the reader first and the most urgent of them at the top."""
    desks = [GameDesk.of(part) for part in occasion.parts]
    games = sorted(((desk, _entry(desk)) for desk in desks), key=lambda one: urgency(one[0].state, yours=one[1].yours))
    entries = tuple(entry for _, entry in games)
    letter = Digest(**common(occasion, _headline(entries)), entries=entries)
    pictures = tuple(picture for desk, _ in games for picture in desk.pictures)
    return Written(letter, site_subject(occasion, say("Your games today")), pictures)


def _headline(entries: Sequence[DigestEntry]) -> str:
    waiting = sum(entry.yours for entry in entries)
    if waiting == len(entries):
        return say("{n} game waits for you.", "{n} games wait for you.", n=waiting)
    if not waiting:
        return say(
            "There is news of {n} game. It does not wait for you.",
            "There is news of {n} games. None of them waits for you.",
            n=len(entries),
        )
    news = say("{n} game", "{n} games", n=len(entries))
    return say(
        "There is news of {games}, and {n} of them waits for you.",
        "There is news of {games}, and {n} of them wait for you.",
        games=news,
        n=waiting,
    )


def _entry(desk: GameDesk) -> DigestEntry:
    part, ended = desk.occasion, desk.state.status is Status.ENDED
    view = desk.view
    waits = None if ended else pending(part, OwnGame(desk.game_id, desk.state, part.reply_to))
    outside = waits is not None and bool(waits.seat)
    invited = outside or (waits is not None and waits.yours and desk.state.status is Status.INVITING)
    options = say("Options: {options}.", options=view.options) if view.options else ""
    return DigestEntry(
        title=say("{game} against {players}", game=desk.name, players=desk.opponents),
        situation=waits.sentence if waits else desk.ending(),
        yours=waits is not None and (waits.yours or bool(view.proposal)),
        invited=invited,
        terms=paragraph(desk.time, options) if invited else "",
        said=speeches(part),
        happenings=() if outside or desk.state.status is Status.INVITING else desk.news(with_own_turn=ended),
        game=view,
        answer_to=part.reply_to,
    )
