"""Every mail in a real browser, as narrow as a phone: nothing in it is cut off at the side, and a turn is not long."""

from base64 import b64encode
from email.message import EmailMessage
from html import escape
from typing import Final

import pytest

from tests.mail.outbound.mails import composed, html, occasions, read
from tests.mail.outbound.occasions import every_occasion
from tests.web.browsing import in_a_browser, launched
from turnserver.mail.outbound.compose import Composed, compose

pytestmark = [in_a_browser, pytest.mark.thorough]

PHONE: Final = 340
"""Pixels: the narrow ones have 360, and mail programs keep some for themselves."""

MEASURE: Final = """() => Object.fromEntries([...document.querySelectorAll("iframe")].map((one) => {
  const root = one.contentDocument.documentElement;
  return [one.title, [root.scrollWidth, root.scrollHeight]];
}))"""


# German words are longer than English ones.
@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_no_mail_is_wider_than_a_phone(language: str) -> None:
    mails = {about: html(composed(about, key=language)) for about in occasions()}
    widths = {name: width for name, (width, _) in measured(mails, PHONE).items()}
    assert widths.keys() == mails.keys()
    assert {name: width for name, width in widths.items() if width > PHONE} == {}


def test_a_turn_is_not_long() -> None:
    (width, height) = measured({"turn": with_its_picture(compose(every_occasion()["turn"]))}, 390)["turn"]
    assert width == 390
    assert 600 < height <= 900


def with_its_picture(mail: Composed) -> str:
    (picture,) = (part for part in read(mail).walk() if part.get_content_type() == "image/png")
    assert isinstance(picture, EmailMessage)
    data = b64encode(picture.get_content()).decode()
    return html(mail).replace(f"cid:{picture['Content-ID'].strip('<>')}", f"data:image/png;base64,{data}")


def measured(mails: dict[str, str], wide: int) -> dict[str, tuple[int, int]]:
    """Return the width and height in pixels of the HTML of each mail on a screen of some width."""
    frames = (
        f'<iframe title="{escape(name)}" width="{wide}" height="100" frameborder="0" srcdoc="{escape(mail)}"></iframe>'
        for name, mail in mails.items()
    )
    with launched() as browser:
        tab = browser.new_page()
        tab.set_content("<!DOCTYPE html>" + "".join(frames))
        return {name: (width, height) for name, (width, height) in tab.evaluate(MEASURE).items()}
