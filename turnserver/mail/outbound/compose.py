"""Turn a context into a mail: a letter in its templates, with headers for mail programs and automatic readers.

Everything that goes into a header has been made one line before.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from email.headerregistry import Address
from email.utils import format_datetime
from functools import cache, lru_cache, partial
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from jinja2 import Environment
from jinja2.filters import do_urlencode
from markupsafe import Markup, escape

from turnserver.addresses import check_address, local_part, on_the_wire
from turnserver.mail.format import writing
from turnserver.mail.format.automatic import LOOP_HEADER
from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.kinds import FORMS, MailKind, is_answer
from turnserver.mail.outbound.language import Language, language, one_line, wrap
from turnserver.mail.outbound.letters import Letter
from turnserver.mail.outbound.picture import png
from turnserver.mail.outbound.styles import Styled, styled
from turnserver.mail.outbound.writing.games import write
from turnserver.templates import environment
from turnserver.text import say

MOST_REFERENCES: Final = 10
TEMPLATES: Final = 4000
"""The number of sentences kept as they stand in HTML, in any language."""
COMMANDS: Final = 1000
"""The number of commands kept as they stand in addresses."""
LENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "say": 'a sentence in that language: `say("{n} turn", "{n} turns", n=3)`; the English one has to stand there as it is',
        "code": "words that the reader may write, set off from the sentence that they stand in",
        "language": "what BCP 47 calls the language",
        "subject": "the subject of the mail; in HTML only",
    }
)
"""The names that every template gets besides its letter."""
_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]{1,250}>")
_BLANK_LINES: Final = re.compile(r"\n{3,}")


class Composed(NamedTuple):
    """A mail ready to be sent, its subject, and its text, which the reader of the answer drops from that.

    In `raw`, lines end in CRLF, and all is ASCII unless an address has more (RFC 6532).
    """

    raw: bytes
    subject: str
    text: str


def compose(context: MailContext) -> Composed:
    """Write the mail. The same context gives the same bytes.

    Raise PermanentFailure for an address that no mail can carry, ValueError for a context that lacks what its kind needs.
    """
    spoken = language(context.form.language)
    written = spoken.told(write(context))
    text, subject = render_text(context.kind, written.letter, spoken), one_line(written.subject, longest=200)
    content = writing.text(text, plainly=True)
    if context.form.html:
        page = writing.text(render_html(context.kind, written.letter, spoken, written.subject), "html")
        drawn = [writing.picture(png(one.svg, context.form.picture_width), "board.png", one.cid) for one in written.pictures]
        # The pictures belong to the HTML part alone, so that mail programs do not list them as attachments.
        page = writing.multipart("related", [page, *drawn], _boundary(context, 2)) if drawn else page
        content = writing.multipart("alternative", [content, page], _boundary(context, 1))
    if context.form.calendar:
        content = _with_deadlines(content, context)
    return Composed(writing.whole(_fields(context, subject), content), subject, text)


def render_text(kind: MailKind, letter: Letter, spoken: Language) -> str:
    """Return the letter, which is already in the language, as plain text of at most 72 columns. It ends in a line break."""
    lent = {"say": spoken.say, "code": partial(_quoted, spoken), "language": spoken.key}
    rendered = templates().get_template(f"mail/{FORMS[kind].template}.txt.j2").render(_variables(letter) | lent)
    # A template leaves blank lines where an optional part is empty.
    lines = "\n".join(line.rstrip() for line in rendered.splitlines())
    return _BLANK_LINES.sub("\n\n", lines).strip("\n") + "\n"


def render_html(kind: MailKind, letter: Letter, spoken: Language, subject: str) -> str:
    """Return the letter, which is already in the language, as HTML. Its title is the `subject`: spam filters give points for another title.

    Styles are in the elements. The rules for dark screens stay in a style sheet.
    """
    lent = {"say": partial(_say, spoken), "code": _code().format, "language": spoken.key, "subject": subject}
    return templates().get_template(f"mail/{FORMS[kind].template}.html.j2").render(_variables(letter) | lent)


@cache
def templates() -> Environment:
    """Return the environment of the templates of mails."""
    # Mails have the same few commands in their addresses.
    return environment(Styled, wrap=wrap, urlencode=lru_cache(maxsize=COMMANDS)(do_urlencode))


def given() -> Mapping[str, frozenset[str]]:
    """Return the names of the variables that each template of a mail gets."""
    both = [(form, end, {one.name for one in fields(form.letter)} | {*LENT}) for form in FORMS.values() for end in ("txt", "html")]
    return {f"mail/{form.template}.{end}.j2": frozenset(names - ({"subject"} if end == "txt" else set())) for form, end, names in both}


def _say(spoken: Language, template: str, plural: str = "", /, **values: str | int) -> Markup:
    # Values are escaped, unless they are HTML themselves.
    number = values.get("n", 1)
    told = _in_html(spoken.template(template, plural, number if isinstance(number, int) else 1))
    # This is what `Markup.format` does for plain places, in a fourth of the time.
    return Markup(told.format_map({name: escape(value) for name, value in values.items()}))  # noqa: S704  # both are escaped


@lru_cache(maxsize=TEMPLATES)
def _in_html(template: str) -> str:
    return str(escape(template))


def _quoted(spoken: Language, words: str) -> str:
    return spoken.told(say('"{words}"', words=words))


@cache
def _code() -> Markup:
    return Markup(styled('<span class="code">{}</span>'))  # noqa: S704  # nothing of it comes from outside


def _variables(letter: Letter) -> dict[str, Any]:
    return {one.name: getattr(letter, one.name) for one in fields(letter)}


def _fields(context: MailContext, subject: str) -> Iterator[str]:
    """Yield every field except those of the content."""
    site, person = context.site, context.person
    box, _, domain = site.address.rpartition("@")
    spoken_to = {"From": (site.name, site.address), "To": (person.name, person.address), "Reply-To": (site.name, context.reply_to)}
    mailboxes = {name: (one_line(words), _on_the_wire(address)) for name, (words, address) in spoken_to.items()}
    utf8 = not all(address.isascii() for _, address in mailboxes.values())
    for name, (words, address) in mailboxes.items():
        yield writing.mailbox(name, words, address, utf8=utf8)
    yield writing.unstructured("Subject", subject, utf8=utf8)
    yield writing.listed("Date", [format_datetime(context.now)])
    yield writing.identifiers("Message-ID", [context.message_id])
    thread = list(_identifiers(context.references))
    for parent in _identifiers([context.in_reply_to or ""]):
        yield writing.identifiers("In-Reply-To", [parent])
        # RFC 5322, 3.6.4: the last reference is the mail that is answered.
        thread = [*(one for one in thread if one != parent), parent]
    if thread:
        # A long list is cut in the middle: the first one names the thread, the last ones are the nearest mails.
        yield writing.identifiers("References", thread if len(thread) <= MOST_REFERENCES else [thread[0], *thread[1 - MOST_REFERENCES :]])
    # RFC 3834. There is no `Precedence`: it was never standardised, and some servers hold mail back that carries it.
    yield writing.listed("Auto-Submitted", ["auto-replied" if is_answer(context.kind, context.detail) else "auto-generated"])
    yield writing.listed(LOOP_HEADER, [site.address])
    # Exchange does not read `Auto-Submitted`.
    yield writing.listed("X-Auto-Response-Suppress", ["DR, RN, NRN, OOF, AutoReply"])
    # RFC 2919: one for the whole service, so that a player needs one filter.
    yield writing.listed("List-Id", [f"<{box}.{domain}>"])
    # This stops everything except answers, and works with one touch where there is a web page for it (RFC 8058).
    if context.unsubscribing is not None:
        address, url = context.unsubscribing.address, context.unsubscribing.url
        ways = [f"<mailto:{address}?subject=unsubscribe>" + ("," if url else ""), *([f"<{url}>"] if url else [])]
        yield writing.listed("List-Unsubscribe", ways)
        if url:
            yield writing.listed("List-Unsubscribe-Post", ["List-Unsubscribe=One-Click"])


def _on_the_wire(address: str) -> str:
    check_address(address)
    return Address(username=local_part(address), domain=on_the_wire(address).rpartition("@")[2]).addr_spec


def _identifiers(texts: Iterable[str]) -> Iterable[str]:
    # Others may have written these texts.
    return (text.strip() for text in texts if _MESSAGE_ID.fullmatch(text.strip()))


def _with_deadlines(content: writing.Part, context: MailContext) -> writing.Part:
    from turnserver.mail.outbound.calendar import deadlines  # noqa: PLC0415  # its library takes long to load, and few want it

    calendars = [writing.calendar(calendar, name, method) for method, name, calendar in deadlines(context)]
    return writing.multipart("mixed", [content, *calendars], _boundary(context, 0)) if calendars else content


def _boundary(context: MailContext, number: int) -> str:
    # It comes from the mail, so that a repeated mail is the same to the byte.
    return f"=_{sha256(f'{context.message_id} {number}'.encode()).hexdigest()[:32]}"
