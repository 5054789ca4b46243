"""Every mail in a real browser, as narrow as a phone: nothing in it is cut off at the side, and a turn is not long."""

from base64 import b64encode
from collections.abc import Iterable
from email.message import EmailMessage
from html import escape
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.mail.outbound.mails import composed, html, occasions, one_of_each, read
from tests.mail.outbound.occasions import every_occasion
from tests.web.browsing import in_a_browser
from turnserver.mail.outbound.compose import Composed, compose

pytestmark = [in_a_browser, pytest.mark.thorough]

PHONE: Final = 340
"""Pixels: the narrow ones have 360, and mail programs keep some for themselves."""

MEASURE: Final = """() => Object.fromEntries([...document.querySelectorAll("iframe")].map((one) => {
  const root = one.contentDocument.documentElement;
  return [one.title, [root.scrollWidth, root.scrollHeight]];
}))"""


def check_widths(browser: Browser, abouts: Iterable[str], language: str) -> None:
    """See that no mail of these is wider than a phone."""
    mails = {about: html(composed(about, key=language)) for about in abouts}
    widths = {name: width for name, (width, _) in measured(browser, mails, PHONE).items()}
    assert widths.keys() == mails.keys()
    assert {name: width for name, width in widths.items() if width > PHONE} == {}


# German words are longer than English ones.
def test_no_mail_of_any_template_is_wider_than_a_phone(browser: Browser) -> None:
    check_widths(browser, one_of_each().values(), "de")


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "en"])
def test_no_mail_is_wider_than_a_phone(browser: Browser, language: str) -> None:
    check_widths(browser, occasions(), language)


def test_a_turn_is_not_long(browser: Browser) -> None:
    (width, height) = measured(browser, {"turn": with_its_picture(compose(every_occasion()["turn"]))}, 390)["turn"]
    assert width == 390
    assert 600 < height <= 900


def with_its_picture(mail: Composed) -> str:
    (picture,) = (part for part in read(mail).walk() if part.get_content_type() == "image/png")
    assert isinstance(picture, EmailMessage)
    data = b64encode(picture.get_content()).decode()
    return html(mail).replace(f"cid:{picture['Content-ID'].strip('<>')}", f"data:image/png;base64,{data}")


def measured(browser: Browser, mails: dict[str, str], wide: int) -> dict[str, tuple[int, int]]:
    """Return the width and height in pixels of the HTML of each mail on a screen of some width."""
    frames = (
        f'<iframe title="{escape(name)}" width="{wide}" height="100" frameborder="0" srcdoc="{escape(mail)}"></iframe>'
        for name, mail in mails.items()
    )
    with browser.new_page() as tab:
        tab.set_content("<!DOCTYPE html>" + "".join(frames))
        return {name: (width, height) for name, (width, height) in tab.evaluate(MEASURE).items()}
