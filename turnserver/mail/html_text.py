"""The text of an HTML mail, without the mails that it quotes."""

from inscriptis.html_engine import Inscriptis  # type: ignore[import-untyped]  # ships no types
from lxml import etree, html  # type: ignore[import-untyped]  # ships no types

from turnserver.mail.room import Room

PART_ELEMENTS = 8
"""What a part costs before anything of it is read, in elements."""

QUOTE = "> quoted"
BELOW = "----- quoted mail -----"

_QUOTE_CLASSES = frozenset({"gmail_attr", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote"})
_BELOW_IDS = frozenset({"divrplyfwdmsg", "appendonsend", "olk_src_body_section", "mail-editor-reference-message-container"})
_UNSEEN = frozenset({"head", "script", "style", "title", "svg", "math", "object", "template", "noscript", "iframe"})


def html_text(source: str, room: Room | None = None) -> str:
    """What a reader sees of an HTML mail, as lines. Never raises; reads the beginning of what is beyond the `room` that its mail has.

    A quotation becomes the one line `> quoted`; where a mail program marks the rest of the mail as quoted, a line of dashes says so.
    """
    room = room or Room()
    room.elements -= PART_ELEMENTS
    if room.elements <= 0:
        room.is_exceeded = room.is_exceeded or bool(source.strip())
        return ""
    try:
        tree = _parsed(_beginning(source, room), room)
        _simplify(tree)
        _leave_out_elements(tree, room)
        _leave_out_words(tree, room)
        return str(Inscriptis(tree).get_text())
    except etree.ParserError:  # there is nothing in it
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
    # As bytes, since lxml refuses text that names an encoding, and names are often wrong.
    parser = html.HTMLParser(encoding="utf-8")
    tree = html.document_fromstring(source.encode("utf-8", "replace"), parser)
    if parser.error_log.filter_levels(etree.ErrorLevels.FATAL):  # it stops there, at a depth of 256 elements for instance
        room.is_exceeded = True
    return tree


def _simplify(tree: html.HtmlElement) -> None:
    """Put placeholders for quotations, drop what is never seen, and drop attributes: styles could ask for gigabytes of margin."""
    for element in list(tree.iter(etree.Element)):
        classes = element.get("class", "").lower().split()
        if element.tag == "blockquote" or not _QUOTE_CLASSES.isdisjoint(classes):
            _replace(element, QUOTE)
        elif element.get("id", "").lower().removeprefix("x_") in _BELOW_IDS:
            _replace(element, BELOW)
        elif (element.tag in _UNSEEN or _is_hidden(element)) and element.getparent() is not None:
            element.drop_tree()
        else:
            element.attrib.clear()


def _leave_out_elements(tree: html.HtmlElement, room: Room) -> None:
    """Leave out the elements that there is no room for, and the words after them."""
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
    for element in around:
        element.tail = None


def _leave_out_words(tree: html.HtmlElement, room: Room) -> None:
    """Leave out the words that there is no room for, in the order in which they are read."""
    for event, element in list(etree.iterwalk(tree, events=("start", "end", "comment", "pi"))):
        place = "text" if event == "start" else "tail"
        words = getattr(element, place) or ""
        if len(words) > room.words:
            setattr(element, place, words[: room.words])
            room.is_exceeded = room.is_exceeded or bool(words[room.words :].strip())
        room.words -= min(room.words, len(words))


def _is_hidden(element: html.HtmlElement) -> bool:
    return "display:none" in element.get("style", "").replace(" ", "").lower()


def _replace(element: html.HtmlElement, line: str) -> None:
    tail = element.tail
    element.clear()
    element.tag, element.text, element.tail = "p", line, tail
