"""A player with a browser that runs no scripts: it keeps cookies, follows links and redirects, and sends forms as the page has them."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

from tests.service.world import World
from tests.web.serving import Answer, asked
from turnserver.ids import GameId
from turnserver.mail.format.tokens import Token

URL = "https://club.example/turns"


@dataclass
class Form:
    """A form of a page: where it goes, its fields, and the words on its first button."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    label: str = ""


class Page(HTMLParser):
    """A page as a reader without eyes has it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, str] = {}
        self.loads: list[str] = []
        self.words: list[str] = []
        self._link = ""
        self._choice = ""
        self._hidden = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._hidden = self._hidden or (tag == "p" and "hidden" in given)
        match tag:
            case "form":
                self.forms.append(Form(given.get("action", "")))
            case "input" if "name" in given:
                self.forms[-1].fields[given["name"]] = given.get("value", "")
            case "select":
                self._choice = given["name"]
            case "option" if "selected" in given or self._choice not in self.forms[-1].fields:
                self.forms[-1].fields[self._choice] = given["value"]
            case "textarea":
                self.forms[-1].fields[given["name"]] = ""
            case "a":
                self._link = given.get("href", "")
                if "aria-label" in given:
                    self.links[given["aria-label"]] = self._link
            case "img" | "script" if "src" in given:
                self.loads.append(given["src"])

    def handle_data(self, data: str) -> None:
        words = " ".join(data.split())
        if words and not self._hidden:
            self.words.append(words)
        if words and self._link:
            self.links.setdefault(words, self._link)
        if words and self.forms and self.lasttag == "button":
            self.forms[-1].label = self.forms[-1].label or words

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._link = ""
        if tag == "p":
            self._hidden = False

    def form(self, label: str) -> Form:
        """The form with that button."""
        return next(form for form in self.forms if form.label.startswith(label))

    def says(self, words: str) -> bool:
        return words in " ".join(self.words)


class Visitor:
    """Somebody at a browser."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cookies: dict[str, str] = {}
        self.path = ""
        self.answer = Answer(0, {}, "")
        self._read: Page | None = None

    @property
    def page(self) -> Page:
        """The page that the visitor is at, read once and only if somebody looks."""
        self._read = self._read or Page(self.answer.text)
        return self._read

    def go(self, address: str, method: str = "GET", body: str | None = None, **headers: str) -> Page:
        """Open an address, and where it leads, and read the page there."""
        self.open(address, method, body, **headers)
        return self.page

    def open(self, address: str, method: str = "GET", body: str | None = None, **headers: str) -> None:
        """Open an address, and where it leads."""
        # for urljoin an empty query is none, and for browsers it is one
        address = self.path.partition("?")[0] + address if address.startswith("?") else urljoin(self.path, address)
        for _ in range(3):
            path = urlsplit(address)
            target = path.path + (f"?{path.query}" if path.query else "")
            cookies = "; ".join(cookie for place, cookie in self.cookies.items() if path.path.startswith(place))
            sent = headers | ({"Cookie": cookies} if cookies else {})
            self.answer = asked(self._port, method, target, body, **sent)
            kept = self.answer.headers.get("set-cookie", "")
            if kept:
                self.cookies[re.findall(r"Path=([^;]*)", kept)[0]] = kept.partition(";")[0]
            self.path = target
            if self.answer.status != 303:
                break
            address, method, body = urljoin(address, self.answer.headers["location"]), "GET", None
        self._read = None

    def press(self, words: str) -> Page:
        """Follow the link with these words."""
        return self.go(self.page.links[words])

    def send(self, label: str, **fields: str) -> Page:
        """Press the button of a form."""
        form = self.page.form(label)
        return self.post(form.action, form.fields | fields)

    def post(self, address: str, fields: dict[str, str], **headers: str) -> Page:
        """Send fields as a form does."""
        usual = {"Content_Type": "application/x-www-form-urlencoded", "Sec_Fetch_Site": "same-origin"}
        return self.go(address, "POST", urlencode(fields), **(usual | headers))


def link(world: World, game: GameId, name: str) -> str:
    """The path of a player's link for the turn that the game is at."""
    state = world.state(game)
    token = Token(world.service.people.find(name).id, game, state.turn, state.edition)
    return f"/turns/turn/{world.service.pages.turns.link(token)}"
