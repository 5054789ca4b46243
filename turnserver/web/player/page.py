"""The page of a player who lets themself be seen: everything that its template shows."""

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import urlencode

from markupsafe import Markup

from turnserver import games
from turnserver.config import Site
from turnserver.league.scoring.ratings import RatingPoint
from turnserver.mail.outbound.language import language
from turnserver.mail.outbound.telling.events import name_of
from turnserver.mail.outbound.telling.reliability import reliability_told
from turnserver.service.pages.public import PublicPlayer
from turnserver.web.game.listed import ListedRow, rows
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
class ResultRow:
    """The results of a player's games of one kind, of those that the reader may see."""

    game: Annotated[str, "the game"]
    won: Annotated[int, "how many games they have won"]
    lost: Annotated[int, "how many they have lost"]
    drawn: Annotated[int, "how many were drawn"]


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """The variables of the template."""

    site: Annotated[str, "the name of the service"]
    name: Annotated[str, "the player, as the reader may read them"]
    own: Annotated[bool, "whether the reader is that player"]
    hidden: Annotated[bool, "whether nobody else may see the page"]
    invite: Annotated[str, "the address at which the reader invites the player to a game; empty if they do not know them, or in a file"]
    reliability: Annotated[str, "how the player keeps to the time, as a sentence; empty before their first turn"]
    ratings: Annotated[tuple[RatingPart, ...], "the player's ratings"]
    results: Annotated[tuple[ResultRow, ...], "what became of their games, of which the reader may see at least one; by game"]
    running: Annotated[tuple[ListedRow, ...], "games that go on, the newest first"]
    ended: Annotated[tuple[ListedRow, ...], "games that are over, the newest first"]
    earlier: Annotated[str, "the address of earlier games; empty if there are none"]


def player_page(sight: PublicPlayer, site: Site, *, root: str = "") -> PlayerPage:
    """Return the page of a player. `root` is the path of our addresses."""
    name = name_of(sight.id, sight.people.names)
    page = PlayerPage(
        site=site.name,
        name=name,
        own=sight.is_self,
        hidden=not sight.consents,
        invite=f"{root}/me?{urlencode({'player': name})}#challenge" if sight.is_known else "",
        reliability=reliability_told(name, sight.tally),
        ratings=tuple(_rating(name, key, points) for key, points in sight.ratings.items() if points),
        results=tuple(sorted((ResultRow(games.entry(one.game).title, *one[1:]) for one in sight.results), key=lambda row: row.game)),
        running=tuple(rows(sight.running, sight.people, sight.reader, root, sight.id)),
        ended=tuple(rows(sight.ended, sight.people, sight.reader, root, sight.id)),
        earlier=f"{root}/players/{sight.id}?before={sight.earlier}" if sight.earlier is not None else "",
    )
    return language(sight.reader.language).told(page)


def _rating(name: str, key: str, points: tuple[RatingPoint, ...]) -> RatingPart:
    title, now = games.entry(key).title, points[-1].rating
    # the words in it are in English: the page says the same in the reader's language beside it
    drawn = Markup(curve(points, f"{title}: {name}"))  # noqa: S704  # drawn by us, and words in it are escaped
    return RatingPart(title, now.told(), now.games, drawn)
