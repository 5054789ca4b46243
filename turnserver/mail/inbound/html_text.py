"""The text of an HTML mail, without the mails that it quotes."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from inscriptis.html_engine import Inscriptis  # type: ignore[import-untyped]  # ships no types
from lxml import etree, html  # type: ignore[import-untyped]  # ships no types

from turnserver.mail.format.mime import Room

PART_ELEMENTS = 8
"""The cost of a part before anything of it is read, in elements."""

QUOTE = "> quoted"
BELOW = "----- quoted mail -----"

_QUOTE_CLASSES = frozenset({"gmail_attr", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote"})
_BELOW_IDS = frozenset({"divrplyfwdmsg", "appendonsend", "olk_src_body_section", "mail-editor-reference-message-container"})
_UNSEEN = frozenset(
    """
    head script style title svg math object template noscript iframe noframes noembed frameset applet
    select datalist textarea audio video canvas dialog map
    """.split()
)
_HIDING = re.compile(
    r"(?:^|[;{ ])(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all|(?:max-)?(?:height|width):0(?![.\d%])|opacity:0*\.?0*(?![.\d])"
    r"|(?:text-indent|left|top|margin-left):-\d{3,}|clip:rect\(0|clip-path:inset\((?:50|100)%)"
)
_NO_HEIGHT_ALONE = ("height:0", "width:0")
_COLOURS = re.compile(r"(?:^|;)(color|background(?:-color)?|font-size):([^;]{1,60})")
_COLOUR = re.compile(r"#[0-9a-f]{3,8}|rgba?\([0-9.,%]{5,30}\)|white|black|transparent")
_NAMED = {"white": "#ffffff", "black": "#000000", "transparent": "transparent"}
_NO_COLOURS = ("url", "inherit", "initial", "unset", "revert", "currentcolor", "none", "repeat", "left", "top")
_NO_SIZE = re.compile(r"0*(?:\.\d+)?(?:px|pt|em|rem|%)?|0*1(?:\.0*)?(?:px|pt)")
_SIMPLE_SELECTOR = re.compile(r"[a-z0-9]*([.#][\w-]+)")
_SHEETS = 9
_SHEET = 20_000
_STYLE = 600
"""The number of characters of a style that are looked at."""


def html_text(source: str, room: Room | None = None) -> str:
    """Return the text that a reader sees of an HTML mail, as lines. Never raises.

    Beyond the `room` of the mail, only the beginning is read. A quotation becomes the one line `> quoted`. Where a mail program marks the
    rest of the mail as quoted, a line of dashes says so.
    """
    room = room or Room()
    room.elements -= PART_ELEMENTS
    if room.elements <= 0:
        room.is_exceeded = room.is_exceeded or bool(source.strip())
        return ""
    try:
        tree = _parsed(_beginning(source, room), room)
        _simplify(tree, room)
        _leave_out_elements(tree, room)
        _leave_out_words(tree, room)
        return str(Inscriptis(tree).get_text())
    except etree.ParserError:
        # there is nothing in it
        return ""
    except (etree.LxmlError, ValueError, RecursionError, AssertionError):
        room.is_exceeded = True
        return ""


def _beginning(source: str, room: Room) -> str:
    beginning = "<".join(source[: room.source].split("<", room.tags + 1)[: room.tags + 1])
    room.source -= len(beginning)
    room.tags -= beginning.count("<")
    room.is_exceeded = room.is_exceeded or bool(source[len(beginning) :].strip())
    return beginning.replace("\0", " ")


def _parsed(source: str, room: Room) -> html.HtmlElement:
    # as bytes, since lxml refuses text that names an encoding, and names are often wrong
    parser = html.HTMLParser(encoding="utf-8")
    tree = html.document_fromstring(source.encode("utf-8", "replace"), parser)
    # a fatal error is where it stops, at a depth of 256 elements for instance
    if parser.error_log.filter_levels(etree.ErrorLevels.FATAL):
        room.is_exceeded = True
    return tree


class _Ink(NamedTuple):
    """The way words are shown: their colour, the colour behind them, and whether they have any size. At first, black ink on white paper."""

    colour: str = "#000000"
    behind: str = "#ffffff"
    has_size: bool = True

    @property
    def is_invisible(self) -> bool:
        return self.colour == self.behind or not self.has_size


_PLAIN = _Ink()


def _simplify(tree: html.HtmlElement, room: Room) -> None:
    """Replace quotations by placeholders, and drop attributes and elements that are never seen.

    Styles are read only while there is room.
    """
    hidden = _hidden_names(tree)
    inks: dict[html.HtmlElement, _Ink] = {}
    for element in list(tree.iter(etree.Element)):
        classes = element.get("class", "").lower().split()
        parent = element.getparent()
        style = "".join(element.get("style", "")[:_STYLE].lower().split()) if len(inks) < room.elements else ""
        if element.tag == "blockquote" or not _QUOTE_CLASSES.isdisjoint(classes):
            _replace(element, QUOTE)
        # Outlook puts x_ before the ids of a mail that is quoted
        elif element.get("id", "").lower().removeprefix("x_") in _BELOW_IDS:
            _replace(element, BELOW)
        elif (_is_unseen(element, classes, hidden) or _is_hidden(style)) and parent is not None:
            element.drop_tree()
        else:
            ink = _ink(element, style, inks.get(parent, _PLAIN)) if element.attrib else inks.get(parent, _PLAIN)
            inks[element] = ink
            # styles could ask for gigabytes of margin
            element.attrib.clear()
            # words that a reader does not see must not be carried out
            if ink.is_invisible:
                element.text = None
                for child in element:
                    child.tail = None


def _ink(element: html.HtmlElement, style: str, ink: _Ink) -> _Ink:
    """Return the ink of an element's words. `ink` is its parent's."""
    stated = [("color", element.get("color", "")), ("background", element.get("bgcolor", ""))]
    for name, value in (*stated, *_COLOURS.findall(style)):
        if name == "font-size":
            ink = ink._replace(has_size=_NO_SIZE.fullmatch(value) is None)
            continue
        colour = _colour(value.lower())
        # words without a colour of their own look like what is behind them
        if name == "color" and colour:
            ink = ink._replace(colour=ink.behind if colour == "transparent" else colour)
        elif colour and colour != "transparent":
            ink = ink._replace(behind=colour)
    return ink


def _colour(value: str) -> str:
    """Return a colour as six hexadecimal digits where this is easy, else as it is written; empty if there is no colour."""
    found = _COLOUR.search(value)
    if found is None:
        return "" if value.startswith(_NO_COLOURS) else value
    colour = found[0]
    if colour in _NAMED:
        return _NAMED[colour]
    if colour.startswith("rgb"):
        numbers = colour[colour.index("(") + 1 : -1].split(",")
        # the fourth number is the opacity
        if numbers[3:] and numbers[3].strip("0.") == "":
            return "transparent"
        digits = [f"{min(int(number), 255):02x}" for number in numbers[:3] if number.isdigit()]
        return "#" + "".join(digits) if len(digits) == 3 else colour  # red, green and blue
    # three digits stand for six; a digit or two more are the opacity
    return "#" + "".join(2 * digit for digit in colour[1:4]) if len(colour) in (4, 5) else colour[:7]


def _leave_out_elements(tree: html.HtmlElement, room: Room) -> None:
    """Remove the elements for which there is no room, and the words after them."""
    elements = list(tree.iter())
    beyond = elements[room.elements :]
    room.elements = max(0, room.elements - len(elements))
    if not beyond:
        return
    around = list(beyond[0].iterancestors())
    words = [*(one.text for one in beyond if isinstance(one.tag, str)), *(one.tail for one in (*beyond, *around))]
    room.is_exceeded = room.is_exceeded or any(text.strip() for text in words if text)
    for element in beyond:
        element.getparent().remove(element)
    # the words behind the first element that was left out would follow a gap
    for element in around:
        element.tail = None


def _leave_out_words(tree: html.HtmlElement, room: Room) -> None:
    # in reading order: the text of an element comes at its start, the words behind it at its end
    for event, element in list(etree.iterwalk(tree, events=("start", "end", "comment", "pi"))):
        place = "text" if event == "start" else "tail"
        words = getattr(element, place) or ""
        if len(words) > room.words:
            setattr(element, place, words[: room.words])
            room.is_exceeded = room.is_exceeded or bool(words[room.words :].strip())
        room.words -= min(room.words, len(words))


def _hidden_names(tree: html.HtmlElement) -> frozenset[str]:
    """Return the classes (`.name`) and identifiers (`#name`) that the style sheets of a page hide."""
    sheets = "\n".join(element.text or "" for element in islice(tree.iter("style"), _SHEETS))[:_SHEET].lower()
    names: set[str] = set()
    for rule in sheets.split("}"):
        selectors, brace, style = rule.rpartition("{")
        if brace and _is_hidden("".join(style.split())):
            names.update(found[1] for one in selectors.rpartition("{")[2].split(",") if (found := _SIMPLE_SELECTOR.fullmatch(one.strip())))
    return frozenset(names)


def _is_unseen(element: html.HtmlElement, classes: Sequence[str], hidden: frozenset[str]) -> bool:
    if element.tag in _UNSEEN or "hidden" in element.attrib:
        return True
    # a style sheet may hide a class or an identifier
    return bool(hidden) and (f"#{element.get('id', '').lower()}" in hidden or any(f".{name}" in hidden for name in classes))


def _is_hidden(style: str) -> bool:
    """Return whether a style, in lower case and without white space, hides everything in an element.

    A height or width of zero hides only content that may not overflow.
    """
    found = _HIDING.search(style)
    if found is None:
        return False
    return not found[0].lstrip(";{ ").startswith(_NO_HEIGHT_ALONE) or "overflow:hidden" in style or "overflow:clip" in style


def _replace(element: html.HtmlElement, line: str) -> None:
    tail = element.tail
    element.clear()
    element.tag, element.text, element.tail = "p", line, tail
