"""Games in a list: on the first page, on the page of a player, and the earlier ones of two on the page of a game."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from turnserver import games
from turnserver.ids import PlayerId
from turnserver.mail.outbound.language import day
from turnserver.mail.outbound.telling.events import everybody, name_of
from turnserver.service.pages.public import ListedGame, Named, Reader
from turnserver.store.log.statement import optional_instant
from turnserver.text import joined, listing, say
from turnserver.web.pages import Link


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A game in a list of several."""

    game: Annotated[Link, "the game"]
    picture: Annotated[str, "the address of its newest board"]
    players: Annotated[str, "its players in the order of their seats, without the one that the list is about"]
    result: Annotated[str, "how it ended, as a phrase, for the player that the list is about, if any; empty while it goes on"]
    when: Annotated[str, "the day on which it ended, in the reader's zone; empty while it goes on"]


def rows(listed: Iterable[ListedGame], people: Named, reader: Reader, root: str, of: PlayerId | None = None) -> Iterator[ListedRow]:
    """Yield the rows of some games; in a list that is about one player, as that player sees them."""
    for one in listed:
        row, names = one.seen.row, [name_of(player, people.names) for player in one.players if player != of]
        ended = optional_instant(row.ended_at)
        yield ListedRow(
            game=Link(f"{games.entry(row.game).title} {row.id}", f"{root}/games/{row.id}"),
            # Without the mark of its turns, which only a fold of the game has; a list reads rows.
            picture=f"{root}/games/{row.id}/board.svg?part=board",
            players=joined(" \N{EN DASH} ", names) if of is None else everybody(names),
            result=_result(one, people, of) if ended is not None else "",
            when=day(ended, reader.zone) if ended is not None else "",
        )


def _result(listed: ListedGame, people: Named, of: PlayerId | None) -> str:
    row = listed.seen.row
    if row.outcome != "won":
        return say("draw") if row.outcome == "drawn" else say("no result")
    winners = [listed.players[int(seat) - 1] for seat in (row.winners or "").split()]
    if of is not None:
        return say("won") if of in winners else say("lost")
    names = listing([name_of(player, people.names) for player in winners], "and")
    return say("{players} won", "{players} won", players=names, n=len(winners))
