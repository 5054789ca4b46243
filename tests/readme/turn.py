"""The mail and its pictures that README and PLAYING.md show: `python -m tests.readme.turn` makes them anew, with Chromium."""

import tempfile
from base64 import b64encode
from datetime import timedelta
from email.message import EmailMessage
from email.utils import parseaddr
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from tests.service.world import World
from tests.web.browsing import launched
from turnserver import games
from turnserver.play.commands import Accept, PlayTurn
from turnserver.play.events import SeatOrder
from turnserver.store.log.database import Database

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "turnserver" / "PLAYING.md"
TURN = Path(__file__).with_name("turn.txt")
PHONE = Path(__file__).with_name("phone.png")
BOARD = ROOT / "turnserver/games/take/board.svg"
TURNS = 33
"""Far enough for both to have a position, and something to have been removed."""
WIDTH: Final = 390
"""Pixels that a phone has from side to side."""
GAP: Final = 40
"""Pixels of nothing between the phone and the text on its left."""
COLOURS: Final = 48
"""Enough for the eye; a picture of all colours would be four times as heavy."""

FRAME: Final = """<!DOCTYPE html><meta charset="utf-8"><style>
body {{ margin: 0; background: transparent; }}
#shown {{ display: inline-block; padding-left: {gap}px; }}
#phone {{ width: {width}px; border: 10px solid #24292f; border-radius: 40px; overflow: hidden; background: #fff; }}
#head {{ font: 15px/1.4 "Noto Sans", "DejaVu Sans", sans-serif; padding: 22px 20px 12px; color: #57606a; }}
#head {{ border-bottom: 1px solid #d0d7de; }}
#head b {{ display: block; font-size: 19px; color: #1f2328; }}
iframe {{ border: 0; display: block; width: 100%; }}
</style><div id="shown"><div id="phone"><div id="head"><b>{subject}</b>{sender}</div>
<iframe srcdoc="{html}" onload="this.height = this.contentDocument.documentElement.scrollHeight"></iframe></div></div>"""


def played() -> tuple[EmailMessage, str]:
    """The turn mail after some turns of the house against itself, and the board in it."""
    with tempfile.TemporaryDirectory() as directory:
        db = Database.create_or_upgrade(f"sqlite:///{directory}/turnserver.db")
        world = World(db, Path(directory) / "mail")
        world.want("html", "Ada", "Bob")
        service = world.service
        opened = service.games.open("take", {}, ["Ada", "Bob"], order=SeatOrder.GIVEN, actor="admin:readme", cause="readme").game
        for name in ("Ada", "Bob"):
            service.games.handle(opened, Accept(service.people.find(name).id, world.now), actor="admin:readme", cause=f"readme:{name}")
        game = games.find("take")
        choose = games.house("take")
        for turn in range(TURNS):
            world.wait(hours=5)
            state = service.games.state(opened)
            assert state.to_move is not None
            player, position = state.player_at(state.to_move), state.line.position
            command = PlayTurn(player, world.now, game.rules.format(position, choose(game, position)))
            service.games.handle(opened, command, actor=f"player-{player}", cause=f"readme:{turn}")
        world.now += timedelta(minutes=1)
        world.settle()
        state = service.games.state(opened)
        mail = world.mails("Bob")[-1]
        db.close()
    return mail, game.view.svg(state.line.position, state.line.last_step)


def text_of(mail: EmailMessage) -> str:
    """Return what a mail says as plain text."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def on_a_phone(mail: EmailMessage) -> bytes:
    """A picture of a mail, as a PNG of few colours, as a mail program on a phone shows it."""
    body = mail.get_body(("html",))
    assert body is not None
    html = str(body.get_content())
    for part in mail.walk():
        if part.get_content_type() == "image/png":
            data = b64encode(part.get_content()).decode()
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", f"data:image/png;base64,{data}")
    shown = FRAME.format(
        width=WIDTH, gap=GAP, subject=escape(mail["Subject"]), sender=escape(parseaddr(mail["From"])[0]), html=escape(html)
    )
    with launched() as browser:
        tab = browser.new_page(viewport={"width": 1200, "height": 900}, device_scale_factor=1.5)
        tab.set_content(shown)
        taken = tab.locator("#shown").screenshot(omit_background=True)
    small = BytesIO()
    Image.open(BytesIO(taken)).quantize(COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    """Write the mail, into PLAYING.md too, and the pictures."""
    mail, svg = played()
    text = text_of(mail)
    TURN.write_text(text, encoding="utf-8")
    BOARD.write_text(svg, encoding="utf-8")
    PHONE.write_bytes(on_a_phone(mail))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition("```text\n")
    _, _, after = rest.partition("```\n")
    PAGE.write_text(f"{before}```text\n{text}```\n{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
