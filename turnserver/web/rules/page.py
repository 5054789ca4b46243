"""The rules of a game with pictures and a board to try moves on, and the list of all games: everything that their templates show."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Final, NamedTuple

from turnserver import games
from turnserver.config import Site
from turnserver.errors import BadOption
from turnserver.mail.outbound.language import language
from turnserver.mail.outbound.markdown import Block, blocks
from turnserver.rules import Choose, Entry, Game, Over
from turnserver.rules.options import OptionInfo, Value, told, written
from turnserver.text import listing, say
from turnserver.web.picture import cropped
from turnserver.web.routes import whole
from turnserver.web.turn.board import Dice, Position, Sofar, TouchBoard, picture, put_together
from turnserver.web.turn.page import Scene, scene_of

TEMPLATE: Final = "page/rules.html.j2"
LIST: Final = "page/games.html.j2"
MOST_STEPS: Final = 60
"""The most steps that the address of a board to try has. Each view plays them all, and each of its links names them all."""
MOST_VALUES: Final = 20
"""An option with more values is a number to write."""
TURNS_SHOWN: Final = (1, 5, 12)
"""After which turns of the opening the rules show the board."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of an option."""

    value: Annotated[str, "the value in addresses"]
    words: Annotated[str, "the value for people"]
    chosen: Annotated[bool, "whether the board has it"]


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option of the game."""

    name: Annotated[str, "its name"]
    doc: Annotated[str, "what it means"]
    choices: Annotated[tuple[Choice, ...], "its values; empty for a number that is to be written"]
    low: Annotated[int, "the least number"]
    high: Annotated[int, "the largest number"]
    value: Annotated[str, "the value that the board has"]


@dataclass(frozen=True, slots=True)
class Example:
    """A picture of the first turns of a game."""

    words: Annotated[str, "the last turn before the picture, or that it is the start"]
    query: Annotated[str, "what the addresses of the picture and of the board to try say of the position, from the question mark on"]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    title: Annotated[str, "the game"]
    designer: Annotated[str, "who invented it"]
    summary: Annotated[str, "the game in a sentence"]
    key: Annotated[str, "the game's name in commands and addresses"]
    blocks: Annotated[
        tuple[Block, ...], "the rules, block by block: `kind` is heading, paragraph, item (with its `mark`) or code; and `text`"
    ]
    examples: Annotated[tuple[Example, ...], "the board at the start and after some turns"]
    board: Annotated[TouchBoard | None, "the board to try; none in a file, where nothing answers"]
    scene: Annotated[Scene | None, "the parts of that board as HTML, as on the page of a turn; none in a file"]
    headline: Annotated[str, "who is to move on that board, or how the game on it ended"]
    refusal: Annotated[str, "why something that was asked for cannot be; empty if it can"]
    picture: Annotated[str, "the address of the picture of that board"]
    beneath: Annotated[str, "the address of the picture of what stands beneath it; empty if nothing does"]
    alt: Annotated[str, "that picture in a sentence"]
    options: Annotated[tuple[OptionField, ...], "the options that may be chosen for it"]
    chosen: Annotated[str, "the options that are chosen, in words; may be empty"]
    anew: Annotated[str, "the address of the same board before the first turn, with other dice"]
    address: Annotated[str, "the address of the page without a question mark"]


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the list."""

    title: Annotated[str, "the game"]
    designer: Annotated[str, "who invented it"]
    summary: Annotated[str, "the game in a sentence"]
    players: Annotated[str, "how many may play"]
    address: Annotated[str, "the address of its rules"]
    picture: Annotated[str, "the address of the picture of its board"]
    alt: Annotated[str, "that picture in a sentence"]


@dataclass(frozen=True, slots=True)
class GamesPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    games: Annotated[tuple[GameLine, ...], "all games"]


class Tried(NamedTuple):
    """A board that somebody tries: the game with its options, what was chosen, and the dice. `refusal` says what could not be."""

    game: Game[Any, Any]
    sofar: Sofar
    dice: Dice
    refusal: str = ""

    @classmethod
    def read(cls, key: str, query: list[tuple[str, str]]) -> "Tried":
        """Read an address of the page. Raise BadOption if there is no such game; options that cannot be are left out."""
        # Of several values the first counts, as in forms.
        entry, fields = games.entry(key), dict(reversed(query))
        texts = {info.name: fields[info.name] for info in games.describe_options(entry) if info.name in fields}
        seed = fields.get("dice", "1")
        try:
            game, refusal = games.find(key, **games.options_from_text(entry, texts)), ""
        except BadOption as refused:
            game, texts, refusal = games.find(key), {}, refused.message
        kept = (*texts.items(), ("dice", seed if whole(seed) is not None else "1"))
        return cls(game, Sofar.read(query, MOST_STEPS)._replace(ahead=True, kept=kept), Dice(kept[-1][1]), refusal)

    @property
    def anew(self) -> str:
        """Return what the address of the same board before the first turn says, with other dice."""
        other = (*self.sofar.kept[:-1], ("dice", str(int(self.dice.seed) % 9999 + 1)))
        return Sofar(kept=other).query

    def board(self) -> tuple[TouchBoard, Position]:
        """Return the board and the position on it."""
        return put_together(self.game, _start(self.game), self.sofar, self.dice)


def rules_page(key: str, tried: Tried | None, site: Site, language_key: str, *, root: str = "") -> RulesPage:
    """Return the rules of a game, with a board to try unless that is None. `root` is the path of our addresses. Raise BadOption."""
    entry, spoken, address = games.entry(key), language(language_key), f"{root}/rules/{key}"
    sheet = blocks(spoken.rules(key) or games.rules_text(key))
    board, position = tried.board() if tried is not None else (None, None)
    scene = scene_of(tried.game, board, position, spoken.key) if tried is not None and position is not None else None
    drawn = f"{address}/board.svg{board.query}" if board is not None else ""
    page = RulesPage(
        site=site.name,
        title=entry.title,
        designer=entry.designer,
        summary=entry.summary,
        key=key,
        # The page has the title of the game as its own heading.
        blocks=sheet[1:] if sheet and sheet[0].kind == "heading" else sheet,
        examples=_examples(key),
        board=board,
        scene=scene,
        headline=_headline(tried.game, position) if tried is not None and position is not None else "",
        refusal=_refusal(tried, board) if tried is not None and board is not None else "",
        picture=f"{drawn}&part=board" if drawn else "",
        beneath=f"{drawn}&part=beneath" if scene is not None and scene.has_beneath else "",
        alt=say("The board of {game} as you have played it here.", game=entry.title),
        options=tuple(_field(info, tried.game.options) for info in games.describe_options(entry)) if tried is not None else (),
        chosen=told(tried.game.options) if tried is not None else "",
        anew=f"{address}{tried.anew}" if tried is not None else "",
        address=address,
    )
    return spoken.told(page)


def drawn(tried: Tried, language_key: str, part: str = "") -> str:
    """Return the board that somebody tries as SVG, in a language, or a part of it."""
    _, position = tried.board()
    return cropped(language(language_key).told(picture(tried.game, position.at, position.last).svg), part)


def games_page(site: Site, language_key: str, *, root: str = "") -> GamesPage:
    """Return the list of all games. `root` is the path of our addresses."""
    lines = tuple(_line(one, f"{root}/rules/{key}") for key, one in games.CATALOGUE.items())
    return language(language_key).told(GamesPage(site.name, lines))


def _start(game: Game[Any, Any]) -> Position:
    return Position(game.rules.start())


def _line(entry: Entry, address: str) -> GameLine:
    players = say("{numbers} players", numbers=listing([str(one) for one in entry.seats]))
    alt = say("The board of {game} at the start.", game=entry.title)
    return GameLine(entry.title, entry.designer, entry.summary, players, address, f"{address}/board.svg?part=board", alt)


def _refusal(tried: Tried, board: TouchBoard) -> str:
    if len(board.steps) >= MOST_STEPS:
        return say("A board to try goes as far as {n} steps. Start anew.", n=MOST_STEPS)
    return tried.refusal or board.refusal


def _headline(game: Game[Any, Any], position: Position) -> str:
    names = game.view.seat_names
    match game.rules.next(position.at):
        case Choose(seat=seat):
            return say("{seat} to move", seat=names[seat - 1])
        case Over(winners=winners, reason=reason) if winners:
            seats = listing([names[one - 1] for one in sorted(winners)], "and")
            return say("The game is over. Winner: {seats} ({reason}).", seats=seats, reason=reason)
        case _:
            return say("The game is over. It is a draw.")


def _field(info: OptionInfo, options: object) -> OptionField:
    now = getattr(options, info.name)
    choices = tuple(Choice(written(one), _words(info, one), one == now) for one in _values(info))
    return OptionField(info.name, info.doc, choices, info.low, info.high, written(now))


def _values(info: OptionInfo) -> tuple[Value, ...]:
    if info.kind == "flag":
        return (False, True)
    return info.choices or info.numbers or (tuple(range(info.low, info.high + 1)) if info.high - info.low < MOST_VALUES else ())


def _words(info: OptionInfo, value: Value) -> str:
    return info.phrase(value) if info.phrase is not None else written(value)


@lru_cache(maxsize=32)
def _examples(key: str) -> tuple[Example, ...]:
    """Return pictures of the start of a game and of some turns of its opening."""
    game, dice, start = games.find(key), Dice("1"), Sofar(ahead=True, kept=(("dice", "1"),))
    steps, found = list[str](), [Example(say("The start"), start.query)]
    for turn, played in enumerate(game.entry.opening, start=1):
        before = start._replace(steps=tuple(steps))
        steps += played.split("; ")
        if turn in TURNS_SHOWN:
            here = game.rules.next(put_together(game, _start(game), before, dice)[1].at)
            assert isinstance(here, Choose), key  # noqa: S101  # no opening goes on after the end
            words = say("Turn {turn}: {seat} plays {moves}", turn=turn, seat=game.view.seat_names[here.seat - 1], moves=played)
            found.append(Example(words, start._replace(steps=tuple(steps)).query))
    return tuple(found)
