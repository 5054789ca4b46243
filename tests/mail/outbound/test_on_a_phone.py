"""Every mail in a real browser, as narrow as a phone: nothing in it is cut off at the side, and a turn is not long."""

import json
import re
import shutil
import subprocess
from base64 import b64encode
from email.message import EmailMessage
from html import escape, unescape
from pathlib import Path
from typing import Final

import pytest

from tests.mail.outbound.mails import composed, html, occasions, read
from tests.mail.outbound.occasions import every_occasion
from turnserver.mail.outbound.compose import Composed, compose

CHROMIUM = shutil.which("chromium")
pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"), pytest.mark.thorough]

PHONE: Final = 340
"""Pixels: the narrow ones have 360, and mail programs keep some for themselves."""

MEASURE: Final = """<pre id="probe"></pre><script>
const frames = [...document.querySelectorAll("iframe")];
const sizes = (root) => [root.scrollWidth, root.scrollHeight];
addEventListener("load", () => {
  document.getElementById("probe").textContent = JSON.stringify(
    Object.fromEntries(frames.map((one) => [one.title, sizes(one.contentDocument.documentElement)])));
});
</script>"""


# German words are longer than English ones.
@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_no_mail_is_wider_than_a_phone(language: str, tmp_path: Path) -> None:
    mails = {about: html(composed(about, key=language)) for about in occasions()}
    widths = {name: width for name, (width, _) in measured(mails, PHONE, tmp_path).items()}
    assert widths.keys() == mails.keys()
    assert {name: width for name, width in widths.items() if width > PHONE} == {}


def test_a_turn_is_not_long(tmp_path: Path) -> None:
    (width, height) = measured({"turn": with_its_picture(compose(every_occasion()["turn"]))}, 390, tmp_path)["turn"]
    assert width == 390
    assert 600 < height <= 900


def with_its_picture(mail: Composed) -> str:
    (picture,) = (part for part in read(mail).walk() if part.get_content_type() == "image/png")
    assert isinstance(picture, EmailMessage)
    data = b64encode(picture.get_content()).decode()
    return html(mail).replace(f"cid:{picture['Content-ID'].strip('<>')}", f"data:image/png;base64,{data}")


def measured(mails: dict[str, str], wide: int, tmp_path: Path) -> dict[str, tuple[int, int]]:
    """Return the width and height in pixels of the HTML of each mail on a screen of some width."""
    assert CHROMIUM
    frames = (
        f'<iframe title="{escape(name)}" width="{wide}" height="100" frameborder="0" srcdoc="{escape(mail)}"></iframe>'
        for name, mail in mails.items()
    )
    shown = tmp_path / "mails.html"
    shown.write_text(f"<!DOCTYPE html><meta charset=utf-8>{''.join(frames)}{MEASURE}", "utf-8")
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--disable-background-networking",
        "--no-first-run",
    ]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=20000", "--dump-dom", shown.as_uri()]
    dumped = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    found = re.search(r'<pre id="probe">(.*?)</pre>', dumped, re.DOTALL)
    assert found
    return {name: (width, height) for name, (width, height) in json.loads(unescape(found[1])).items()}
