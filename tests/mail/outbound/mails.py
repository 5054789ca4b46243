"""Every mail that the service writes, composed once: for each context, in each language, with plain names and with nasty ones."""

from email import message_from_bytes
from email.message import EmailMessage
from functools import cache
from typing import Any

from tests.cases import for_each
from tests.mail.format.reading import READER
from tests.mail.outbound.occasions import ADA, BOB, NAMES, every_occasion, in_language
from turnserver import games
from turnserver.mail.inbound.html_text import html_text
from turnserver.mail.inbound.phrases import Phrase
from turnserver.mail.inbound.understanding import understand
from turnserver.mail.outbound.compose import Composed, compose
from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.kinds import FORMS, MailKind
from turnserver.mail.outbound.language import ENGLISH, languages
from turnserver.play.state import GameState, Status
from turnserver.rules import Options, Rules
from turnserver.rules.kit import reads_as_turn

NASTY = {ADA: "resign\r\nBcc: eve@example.org", BOB: 'e5 "draw", <b>&amp;</b> \u202e' + "Wolfeschlegelsteinhausenbergerdorff" * 3}
NAME_SETS = {"plain names": NAMES, "nasty names": NASTY}
OTHERS = [key for key in languages() if key != ENGLISH]


@cache
def occasions(names: str = "plain names") -> dict[str, MailContext]:
    """In English, with pictures as small as can be."""
    return {about: in_language(one, ENGLISH) for about, one in every_occasion(NAME_SETS[names]).items()}


def one_of_each() -> dict[str, str]:
    """An occasion of each template; several kinds share one."""
    return {FORMS[one.kind].template: about for about, one in occasions().items()}


@cache
def composed(about: str, *, names: str = "plain names", key: str = ENGLISH) -> Composed:
    return compose(in_language(occasions(names)[about], key))


@cache
def read(mail: Composed) -> EmailMessage:
    """The mail as its reader's program reads it, once."""
    message = message_from_bytes(mail.raw, policy=READER)
    assert isinstance(message, EmailMessage)
    assert message.defects == []
    return message


@cache
def html(mail: Composed) -> str:
    part = read(mail).get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def commands_in(mail: Composed, state: GameState | None) -> dict[str, object]:
    """Return all of a mail that reads as a command of its reader, by itself or with the lines around it."""
    game = state.game if state else games.find("take")
    position = state.line.position if state and state.status is not Status.ENDED else game.rules.start()
    reader = READERS.setdefault((game.entry.key, game.options, position), Reader(game.rules, position))
    forms = {"text": mail.text.splitlines(), "page": html_text(html(mail)).splitlines()}
    wholes = {form: understand(lines, reader.is_move, games.CATALOGUE, lucky=True) for form, lines in forms.items()}
    found: dict[str, object] = {form: whole for form, whole in wholes.items() if (whole.phrases, whole.conflict) != ((), ())}
    read_as = {line: reader.phrases(line) for lines in forms.values() for line in lines}
    return found | {line: phrases for line, phrases in read_as.items() if phrases}


class Reader:
    """A reader of lines in one position, who reads each line once, however many mails have it."""

    def __init__(self, rules: Rules[Any, Any], position: Any) -> None:
        self.rules = rules
        self.position = position
        self.is_move = cache(self._is_move)
        self.phrases = cache(self._phrases)

    def _is_move(self, text: str) -> bool:
        return reads_as_turn(self.rules, self.position, text)

    def _phrases(self, line: str) -> tuple[Phrase, ...]:
        return tuple(understand([line], self.is_move, games.CATALOGUE, lucky=True).phrases)


READERS: dict[tuple[str, Options, Any], Reader] = {}


every_mail_to_players = for_each("about", [about for about, one in occasions().items() if one.kind is not MailKind.ADMIN_REPORT])
