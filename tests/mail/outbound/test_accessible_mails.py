"""Every kind of mail in a real browser: nothing that axe-core finds wrong on a phone, light and dark."""

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, Page

from tests.mail.outbound.mails import composed, html, occasions, one_of_each
from tests.web.accessibility import SCHEMES, accessible_tab, show, violations
from tests.web.browsing import in_a_browser
from turnserver.mail.outbound.kinds import FORMS

pytestmark = [in_a_browser, pytest.mark.thorough]

PHONE = 390


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """A tab with axe in it."""
    with accessible_tab(browser) as tab:
        yield tab


def wrong(tab: Page, about: str, *, key: str, thoroughly: bool) -> dict[str, list[str]]:
    show(tab, html(composed(about, key=key)))
    return violations(tab, product((PHONE,), SCHEMES), thoroughly=thoroughly)


# German words are longer than English ones.
def test_nothing_is_wrong_with_a_mail_of_each_template(tab: Page) -> None:
    assert one_of_each().keys() == {form.template for form in FORMS.values()}
    found = {about: wrong(tab, about, key="de", thoroughly=False) for about in one_of_each().values()}
    assert {about: one for about, one in found.items() if one} == {}


@pytest.mark.long
@pytest.mark.parametrize("key", ["en", "de"])
def test_nothing_is_wrong_with_any_mail(tab: Page, key: str) -> None:
    found = {about: wrong(tab, about, key=key, thoroughly=True) for about in occasions()}
    assert {about: one for about, one in found.items() if one} == {}
