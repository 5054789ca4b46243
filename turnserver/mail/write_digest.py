"""The digest: one letter about several games."""

from turnserver.mail.gamedesk import GameDesk, Written, common, own_row, speeches
from turnserver.mail.letters import Digest, DigestEntry
from turnserver.mail.occasion import Occasion, OwnGame
from turnserver.mail.wording import counted, one_line
from turnserver.play.state import Status


def digest(occasion: Occasion) -> Written:
    """Each game once, those that wait for the reader first and the most urgent of them at the top."""
    desks = [GameDesk.of(part) for part in occasion.parts]
    entries = [(desk.state.deadline, _entry(desk), desk.pictures) for desk in desks]
    entries.sort(key=lambda one: (not one[1].yours, one[0] is None, one[0] or occasion.now))
    letter = Digest(**common(occasion, _headline([entry for _, entry, _ in entries])), entries=tuple(entry for _, entry, _ in entries))
    subject = f"[{one_line(occasion.site.name)}] Your games today"
    return Written(letter, subject, tuple(picture for _, _, pictures in entries for picture in pictures))


def _headline(entries: list[DigestEntry]) -> str:
    waiting = sum(entry.yours for entry in entries)
    if waiting == len(entries):
        return "1 game waits for you." if waiting == 1 else f"{waiting} games wait for you."
    news = f"There is news of {counted(len(entries), 'game')}"
    if not waiting:
        return f"{news}. {'It does' if len(entries) == 1 else 'None of them'} {'not wait' if len(entries) == 1 else 'waits'} for you."
    return f"{news}, and {waiting} of them {'waits' if waiting == 1 else 'wait'} for you."


def _entry(desk: GameDesk) -> DigestEntry:
    part, ended = desk.occasion, desk.state.status is Status.ENDED
    view = desk.view
    row = None if ended else own_row(part, OwnGame(desk.game_id, desk.state, part.reply_to))
    situation = f"{row.situation[0].upper()}{row.situation[1:]}." if row else desk.ending()
    invited = row is not None and row.yours and desk.state.status is Status.INVITING
    return DigestEntry(
        title=f"{desk.name} against {desk.opponents}",
        situation=situation,
        yours=row is not None and (row.yours or bool(view.draw_offer)),
        invited=invited,
        terms="; ".join(filter(None, (view.options, f"{counted(desk.state.days_per_move, 'day')} for each move"))) if invited else "",
        said=speeches(part),
        happenings=() if desk.state.status is Status.INVITING else desk.news(with_own_turn=ended),
        game=view,
        answer_to=part.reply_to,
    )
