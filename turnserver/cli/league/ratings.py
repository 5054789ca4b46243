"""`turnserver league ratings`: how strong players are, and how one's rating came about."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from turnserver import games
from turnserver.audit.past import ratings_then
from turnserver.cli import complete
from turnserver.cli.league.shapes import LeagueRating, RatingMoment
from turnserver.cli.output import moments, show
from turnserver.cli.output.moments import AtAll
from turnserver.cli.output.shapes import name_in, names, times
from turnserver.cli.session import Session, session
from turnserver.ids import PlayerId
from turnserver.league.presentation.rating_curve import draw_history
from turnserver.league.scoring.ratings import PERIODS_LIMIT, Rating, provisional_told
from turnserver.league.scoring.ratings import RatingPoint as RatingAt
from turnserver.mail.outbound.language import counted
from turnserver.mail.outbound.picture import png
from turnserver.service.leagues import ratings as rated
from turnserver.store.leagues import ratings as kept
from turnserver.store.people.accounts import Person

PICTURE_WIDTH: Final = 1000
FIGURES: Final = ("Rating", "\N{PLUS-MINUS SIGN}", "Games")
PROVISIONAL: Final = "provisional"
THEY: Final = "what all leagues came to"


@show.emits(list[LeagueRating])
def ratings(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", autocompletion=complete.keys, help="The game, by its key in `turnserver games`.")],
    player: Annotated[
        str | None,
        typer.Argument(
            metavar="PLAYER", autocompletion=complete.players, help="Explain the rating of this player: a number, name or mail address."
        ),
    ] = None,
    *,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Write a picture of the player's rating as SVG.")] = None,
    png_: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", dir_okay=False, help="Write a picture of the player's rating as PNG.")
    ] = None,
    at: AtAll = None,
    json: show.Json = False,
) -> None:
    """List the ratings at a game, the strongest first, or explain one player's. Games of leagues count, and no others.

    With --at, they follow from the results that leagues had at that moment, without later corrections.
    """
    run = session(ctx)
    found = games.entry(game)
    if player is None:
        if svg is not None or png_ is not None:
            raise typer.BadParameter("A picture shows one player. Name the player after the game.")
        _everybody(run, found.key, found.title, at, json=json)
        return
    person = run.service.people.find(player)
    with run.service.db.read() as conn:
        then = moments.log_moment(run, conn, at, THEY)
        if then is None:
            history = kept.history(conn, found.key, person.id)
            now = rated.rating_of(conn, found.key, person.id, run.service.clock())
        else:
            known = ratings_then(conn, found.key, then)
            history, now = known.history(person.id), known.rating(person.id, then.instant)
    title = f"{person.name}, {found.title}"
    # Before --json ends the command: pictures that were asked for are written beside it.
    files = _pictures(title, history, svg, png_)
    if json:
        show.json([_as_rating(person.id, person.name, now, history)])
        return
    _one(run, title, person, history, now)
    for file in files:
        typer.echo(f"The picture is in {file}.")


def _everybody(run: Session, key: str, title: str, at: str | None, *, json: bool) -> None:
    with run.service.db.read() as conn:
        then = moments.log_moment(run, conn, at, THEY)
        known = rated.ratings(conn, key, run.service.clock()) if then is None else ratings_then(conn, key, then).everybody(then.instant)
    people = names(run)
    if json:
        show.json([_as_rating(player, name_in(people, player), rating) for player, rating in known])
        return
    rows = [(str(place), name_in(people, player), *_figures(rating)) for place, (player, rating) in enumerate(known, start=1)]
    show.table(
        ("", "Player", *FIGURES, ""),
        rows,
        right=("", *FIGURES),
        empty=f"Nobody has a rating at {title} yet: no game of a league has ended.",
        note=provisional_told(known[0][1].limit) if known else "",
    )


def _one(run: Session, title: str, person: Person, moments: Sequence[RatingAt], now: Rating) -> None:
    clock = times(run)
    told = f"{now.told()}, after {counted(now.games, 'game')}" if moments else f"{now.told()}, as everybody begins"
    show.facts((("Player", f"{person.name} ({person.id})"), ("Game", title.removeprefix(f"{person.name}, ")), ("Rating", told)))
    if moments:
        typer.echo()
        rows = [(clock.at(one.at), str(one.game), *_figures(one.rating)) for one in moments]
        show.table(("As of", "Game", *FIGURES, ""), rows, right=("Game", *FIGURES))
        typer.echo()
        together = "The games of a month count together; its last one is named. " if now.limit == PERIODS_LIMIT else ""
        show.words(f"{together}{provisional_told(now.limit)} {clock.note}")


def _figures(rating: Rating) -> tuple[str, str, str, str]:
    return f"{rating.rating:.0f}", f"{rating.deviation:.0f}", str(rating.games), PROVISIONAL if rating.is_provisional else ""


def _pictures(title: str, moments: Sequence[RatingAt], svg: Path | None, png_: Path | None) -> list[Path]:
    """Write the pictures that are wanted; gives their files."""
    picture = draw_history(title, [(one.at, one.rating) for one in moments]) if svg is not None or png_ is not None else ""
    if svg is not None:
        svg.write_text(picture, encoding="utf-8")
    if png_ is not None:
        png_.write_bytes(png(picture, PICTURE_WIDTH))
    return [file for file in (svg, png_) if file is not None]


def _as_rating(player: PlayerId, name: str, rating: Rating, moments: Sequence[RatingAt] = ()) -> LeagueRating:
    return LeagueRating(
        player=player,
        name=name,
        rating=rating.rating,
        deviation=rating.deviation,
        provisional=rating.is_provisional,
        games=rating.games,
        history=[RatingMoment(one.at, one.game, one.rating.rating, one.rating.deviation, one.rating.games) for one in moments],
    )
