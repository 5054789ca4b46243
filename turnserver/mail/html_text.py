"""The text of an HTML mail, without the mails that it quotes."""

from inscriptis.html_engine import Inscriptis  # type: ignore[import-untyped]  # ships no types
from lxml import etree, html  # type: ignore[import-untyped]  # ships no types

MAX_HTML = 200_000
MAX_TAGS = 4_000
MAX_ELEMENTS = 800
"""Beyond the quotations. The conversion takes some tens of microseconds an element."""

MAX_WORDS = 65_536
"""Characters of text, which cost a fraction of a microsecond each."""

QUOTE = "> quoted"
BELOW = "----- quoted mail -----"

_QUOTE_CLASSES = frozenset({"gmail_attr", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote"})
_BELOW_IDS = frozenset({"divrplyfwdmsg", "appendonsend", "olk_src_body_section", "mail-editor-reference-message-container"})
_UNSEEN = frozenset({"head", "script", "style", "title", "svg", "math", "object", "template", "noscript", "iframe"})


def html_text(source: str) -> str:
    """What a reader sees of an HTML mail, as lines. Never raises; reads the beginning of a mail that is beyond the limits above.

    A quotation becomes the one line `> quoted`; where a mail program marks the rest of the mail as quoted, a line of dashes says so.
    """
    try:
        # As bytes, since lxml refuses text that names an encoding, and names are often wrong.
        beginning = "<".join(source[:MAX_HTML].replace("\0", " ").split("<", MAX_TAGS)[:MAX_TAGS])
        tree = html.document_fromstring(beginning.encode("utf-8", "replace"), html.HTMLParser(encoding="utf-8"))
        _simplify(tree)
        for element in list(tree.iter())[MAX_ELEMENTS:]:
            element.getparent().remove(element)
        _shorten(tree)
        return str(Inscriptis(tree).get_text())
    except (etree.LxmlError, ValueError, RecursionError, AssertionError):
        return ""


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


def _shorten(tree: html.HtmlElement) -> None:
    """Leave out the words beyond MAX_WORDS characters."""
    room = MAX_WORDS
    for element in tree.iter(etree.Element):
        element.text = (element.text or "")[:room]
        room -= len(element.text)
        element.tail = (element.tail or "")[:room]
        room -= len(element.tail)


def _is_hidden(element: html.HtmlElement) -> bool:
    return "display:none" in element.get("style", "").replace(" ", "").lower()


def _replace(element: html.HtmlElement, line: str) -> None:
    tail = element.tail
    element.clear()
    element.tag, element.text, element.tail = "p", line, tail
