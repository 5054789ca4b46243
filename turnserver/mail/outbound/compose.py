"""Turn a context into a mail: a letter in its templates, with headers for mail programs and automatic readers.

Everything that goes into a header has been made one line before.
"""

import re
from collections.abc import Iterable
from dataclasses import fields
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from functools import cache, partial
from hashlib import sha256
from typing import Any, Final, NamedTuple

import css_inline
from markupsafe import Markup, escape

from turnserver.mail.format.addresses import check_address, local_part, on_the_wire
from turnserver.mail.format.automatic import LOOP_HEADER
from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.game_words import Picture
from turnserver.mail.outbound.kinds import FORMS, MailKind, is_answer
from turnserver.mail.outbound.language import Language, language, one_line, wrap
from turnserver.mail.outbound.letters import Letter
from turnserver.mail.outbound.picture import png
from turnserver.mail.outbound.writing.games import write
from turnserver.templates import environment
from turnserver.text import say

MOST_REFERENCES: Final = 10
_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]{1,250}>")
_BLANK_LINES: Final = re.compile(r"\n{3,}")


class Composed(NamedTuple):
    """A mail ready to be sent, and its text, which the reader of the answer drops from that."""

    message: EmailMessage
    text: str

    @property
    def raw(self) -> bytes:
        """Return the mail as it is sent: lines end in CRLF, and all is ASCII unless an address has more (RFC 6532)."""
        spoken = [one for name in ("From", "To", "Reply-To") for one in self.message[name].addresses]
        ascii_only = all(one.addr_spec.isascii() for one in spoken)
        return self.message.as_bytes(policy=POLICY if ascii_only else POLICY.clone(utf8=True))


def compose(context: MailContext) -> Composed:
    """Write the mail. The same context gives the same bytes.

    Raise PermanentFailure for an address that no mail can carry, ValueError for a context that lacks what its kind needs.
    """
    spoken = language(context.form.language)
    written = spoken.told(write(context))
    text = render_text(context.kind, written.letter, spoken)
    message = EmailMessage(policy=POLICY)
    _address(message, context, written.subject)
    message.set_content(text, cte="7bit" if text.isascii() else "quoted-printable")
    if context.form.html:
        message.add_alternative(render_html(context.kind, written.letter, spoken, written.subject), subtype="html", cte="quoted-printable")
        for picture in written.pictures:
            _attach(message, picture, context.form.picture_width)
    if context.form.calendar:
        _enclose_deadlines(message, context)
    _fix_boundaries(message, context.message_id)
    return Composed(message, text)


def render_text(kind: MailKind, letter: Letter, spoken: Language) -> str:
    """Return the letter, which is already in the language, as plain text of at most 72 columns. It ends in a line break."""
    lent = {"say": spoken.say, "code": partial(_quoted, spoken), "language": spoken.key}
    rendered = environment(wrap=wrap).get_template(f"mail/{FORMS[kind].template}.txt.j2").render(_variables(letter) | lent)
    # A template leaves blank lines where an optional part is empty.
    lines = "\n".join(line.rstrip() for line in rendered.splitlines())
    return _BLANK_LINES.sub("\n\n", lines).strip("\n") + "\n"


def render_html(kind: MailKind, letter: Letter, spoken: Language, subject: str) -> str:
    """Return the letter, which is already in the language, as HTML. Its title is the `subject`: spam filters give points for another title.

    Styles are in the elements. The rules for dark screens stay in a style sheet.
    """
    lent = {"say": partial(_say, spoken), "code": _set_off, "language": spoken.key, "subject": subject}
    return _inliner().inline(environment(wrap=wrap).get_template(f"mail/{FORMS[kind].template}.html.j2").render(_variables(letter) | lent))


def _say(spoken: Language, template: str, plural: str = "", /, **values: str | int) -> Markup:
    # Values are escaped, unless they are HTML themselves.
    number = values.get("n", 1)
    return escape(spoken.template(template, plural, number if isinstance(number, int) else 1)).format(**values)


def _quoted(spoken: Language, words: str) -> str:
    return spoken.told(say('"{words}"', words=words))


def _set_off(words: str) -> Markup:
    return Markup('<span class="code">{}</span>').format(words)


MOST_COLUMNS: Final = 78
"""The recommended length of a header line (RFC 5322, 2.1.1)."""


class _Identifiers(UnstructuredHeader):
    """A list of Message-IDs or addresses, one on each line: the standard folding would cut long ones into encoded words."""

    name: str

    def fold(self, *, policy: "EmailPolicy[EmailMessage]") -> str:
        """Return the folded field; see `email.headerregistry`. By now, identifiers are ASCII without white space."""
        return f"{self.name}: {(policy.linesep + ' ').join(str(self).split())}{policy.linesep}"


class _Addresses(_Identifiers):
    """A list of addresses with lines as short as possible. The first one may stand below the name of the field."""

    def fold(self, *, policy: "EmailPolicy[EmailMessage]") -> str:
        """Return the folded field; see `_Identifiers.fold`."""
        lines = [f"{self.name}:"]
        for word in str(self).split():
            if len(lines[-1]) + 1 + len(word) <= MOST_COLUMNS:
                lines[-1] += f" {word}"
            else:
                lines.append(f" {word}")
        return "".join(f"{line}{policy.linesep}" for line in lines)


class _Registry(HeaderRegistry):
    """A registry that makes the class of a header once. The standard one makes a class for each header that it writes."""

    def __init__(self) -> None:
        """Know the headers of the standard library."""
        super().__init__()
        self._made: dict[str, type[BaseHeader]] = {}

    def __getitem__(self, name: str) -> type[BaseHeader]:
        """Return the class of the headers of a name; see `email.headerregistry`."""
        key = name.lower()
        return self._made.get(key) or self._made.setdefault(key, super().__getitem__(name))


def _policy() -> "EmailPolicy[EmailMessage]":
    registry = _Registry()
    registry.map_to_type("list-unsubscribe", _Addresses)  # type: ignore[arg-type]  # see below
    for name in ("message-id", "in-reply-to", "references"):
        registry.map_to_type(name, _Identifiers)  # type: ignore[arg-type]  # it is mixed into BaseHeader by the registry
    return SMTP.clone(header_factory=registry)


POLICY: Final = _policy()


@cache
def _inliner() -> css_inline.CSSInliner:
    # The rules for dark screens are at-rules, which cannot stand in an element.
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def _variables(letter: Letter) -> dict[str, Any]:
    return {one.name: getattr(letter, one.name) for one in fields(letter)}


def _address(message: EmailMessage, context: MailContext, subject: str) -> None:
    """Set every header except those of the content."""
    site, person = context.site, context.person
    box, _, domain = site.address.rpartition("@")
    message["From"] = _mailbox(site.name, site.address)
    message["To"] = _mailbox(person.name, person.address)
    message["Reply-To"] = _mailbox(site.name, context.reply_to)
    message["Subject"] = one_line(subject, longest=200)
    message["Date"] = context.now
    message["Message-ID"] = context.message_id
    thread = list(_identifiers(context.references))
    for parent in _identifiers([context.in_reply_to or ""]):
        message["In-Reply-To"] = parent
        # RFC 5322, 3.6.4: the last reference is the mail that is answered.
        thread = [*(one for one in thread if one != parent), parent]
    if thread:
        # A long list is cut in the middle: the first one names the thread, the last ones are the nearest mails.
        message["References"] = " ".join(thread if len(thread) <= MOST_REFERENCES else [thread[0], *thread[1 - MOST_REFERENCES :]])
    # RFC 3834. There is no `Precedence`: it was never standardised, and some servers hold mail back that carries it.
    message["Auto-Submitted"] = "auto-replied" if is_answer(context.kind, context.detail) else "auto-generated"
    message[LOOP_HEADER] = site.address
    # Exchange does not read `Auto-Submitted`.
    message["X-Auto-Response-Suppress"] = "DR, RN, NRN, OOF, AutoReply"
    # RFC 2919: one for the whole service, so that a player needs one filter.
    message["List-Id"] = f"<{box}.{domain}>"
    # This stops everything except answers, and works with one touch where there is a web page for it (RFC 8058).
    if context.unsubscribing is not None:
        address, url = context.unsubscribing.address, context.unsubscribing.url
        message["List-Unsubscribe"] = " ".join(
            [f"<mailto:{address}?subject=unsubscribe>" + ("," if url else ""), *([f"<{url}>"] if url else [])]
        )
        if url:
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def _mailbox(name: str, address: str) -> Address:
    check_address(address)
    return Address(one_line(name), username=local_part(address), domain=on_the_wire(address).rpartition("@")[2])


def _identifiers(texts: Iterable[str]) -> Iterable[str]:
    # Others may have written these texts.
    return (text.strip() for text in texts if _MESSAGE_ID.fullmatch(text.strip()))


def _attach(message: EmailMessage, picture: Picture, width: int) -> None:
    # The picture belongs to the HTML part alone, so that mail programs do not list it as an attachment.
    _, page = message.iter_parts()
    page.add_related(png(picture.svg, width), "image", "png", cid=f"<{picture.cid}>", filename="board.png", disposition="inline")


def _enclose_deadlines(message: EmailMessage, context: MailContext) -> None:
    from turnserver.mail.outbound.calendar import deadlines  # noqa: PLC0415  # its library takes long to load, and few want it

    for method, name, calendar in deadlines(context):
        # RFC 6047, 2.4: the type of the part names the method, as the calendar does.
        parameters = {"method": method, "charset": "utf-8"}
        message.add_attachment(calendar, "text", "calendar", cte="base64", filename=name, params=parameters)


def _fix_boundaries(message: EmailMessage, seed: str) -> None:
    # The boundaries come from the mail, so that a repeated mail is the same to the byte.
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_{sha256(f'{seed} {number}'.encode()).hexdigest()[:32]}")
