"""The page of a player who lets themself be seen: everything that its template shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from markupsafe import Markup

from turnserver import games
from turnserver.config import Site
from turnserver.ids import PlayerId
from turnserver.league.scoring.ratings import RatingPoint
from turnserver.mail.outbound.game_words import everybody
from turnserver.mail.outbound.language import language, record_time
from turnserver.mail.outbound.telling.events import name_of
from turnserver.mail.outbound.telling.reliability import reliability_told
from turnserver.service.pages.public import ListedGame, PublicPlayer
from turnserver.store.log.statement import optional_instant
from turnserver.text import say
from turnserver.web.game.page import Link
from turnserver.web.player.curve import curve

TEMPLATE: Final = "page/player.html.j2"


@dataclass(frozen=True, slots=True)
class RatingPart:
    """A player's rating at one game."""

    game: Annotated[str, "the game"]
    rating: Annotated[str, "the rating with its deviation, and that it is provisional if it is"]
    games: Annotated[int, "how many games have counted"]
    curve: Annotated[Markup, "the curve of the rating as SVG; empty before the second game"]


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game of the player's that the reader may see."""

    game: Annotated[Link, "the game"]
    against: Annotated[str, "the others at the table"]
    result: Annotated[str, "what it came to for the player; empty while it goes on"]
    when: Annotated[str, "the day on which it ended, in the reader's zone; empty while it goes on"]


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    name: Annotated[str, "the player, as the reader may read them"]
    own: Annotated[bool, "whether the reader is that player"]
    hidden: Annotated[bool, "whether nobody else may see the page"]
    reliability: Annotated[str, "how the player keeps to the time, as a sentence; empty before their first turn"]
    ratings: Annotated[tuple[RatingPart, ...], "the player's ratings"]
    running: Annotated[tuple[GameRow, ...], "games that go on, the newest first"]
    ended: Annotated[tuple[GameRow, ...], "games that are over, the newest first"]
    earlier: Annotated[str, "the address of earlier games; empty if there are none"]


def player_page(sight: PublicPlayer, site: Site, *, root: str = "") -> PlayerPage:
    """Return the page of a player. `root` is the path of our addresses."""
    name = name_of(sight.id, sight.people.names)
    page = PlayerPage(
        site=site.name,
        name=name,
        own=sight.is_self,
        hidden=not sight.consents,
        reliability=reliability_told(name, sight.tally),
        ratings=tuple(_rating(name, key, points) for key, points in sight.ratings.items() if points),
        running=tuple(_rows(sight, sight.running, root)),
        ended=tuple(_rows(sight, sight.ended, root)),
        earlier=f"{root}/players/{sight.id}?before={sight.earlier}" if sight.earlier is not None else "",
    )
    return language(sight.reader.language).told(page)


def _rating(name: str, key: str, points: tuple[RatingPoint, ...]) -> RatingPart:
    title, now = games.entry(key).title, points[-1].rating
    # the words in it are in English: the page says the same in the reader's language beside it
    drawn = Markup(curve(points, f"{title}: {name}"))  # noqa: S704  # drawn by us, and words in it are escaped
    return RatingPart(title, now.told(), now.games, drawn)


def _rows(sight: PublicPlayer, listed: tuple[ListedGame, ...], root: str) -> Iterator[GameRow]:
    for one in listed:
        row = one.seen.row
        ended = optional_instant(row.ended_at)
        yield GameRow(
            game=Link(f"{games.entry(row.game).title} {row.id}", f"{root}/games/{row.id}"),
            against=everybody([name_of(player, sight.people.names) for player in one.players if player != sight.id]),
            result=_result(sight.id, one) if ended is not None else "",
            when=record_time(ended, sight.reader.zone).partition(" ")[0] if ended is not None else "",
        )


def _result(player: PlayerId, listed: ListedGame) -> str:
    row = listed.seen.row
    if row.outcome != "won":
        return say("draw") if row.outcome == "drawn" else say("no result")
    winners = {listed.players[int(seat) - 1] for seat in (row.winners or "").split()}
    return say("won") if player in winners else say("lost")
