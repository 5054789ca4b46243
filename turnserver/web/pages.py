"""Pages of HTML from `templates/page`, and the list of their variables, which `make docs` writes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_type_hints

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from turnserver import resources
from turnserver.mail.outbound.language import ENGLISH, language
from turnserver.templates import environment
from turnserver.web import static


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page."""

    text: Annotated[str, "what it says"]
    address: Annotated[str, "where it leads"]


def render(
    template: str,
    described: Any,  # noqa: ANN401  # any dataclass
    language_key: str = ENGLISH,
    root: str = "",
    *,
    served: bool = True,
) -> str:
    """Return a page as HTML in a language. The fields of the dataclass `described` are the variables of its template.

    The template also has `language`, the key of the language, `say`, which says a sentence in it, `root`, the path that our addresses begin
    with, `static`, which returns the address of a file of `templates/page/static`, and `served`, which is false where nothing answers.
    """
    spoken = language(language_key)
    variables = {one.name: getattr(described, one.name) for one in fields(described)}
    return (
        environment()
        .get_template(template)
        .render(**variables, language=spoken.key, say=spoken.say, root=root, served=served, static=lambda name: root + static.address(name))
    )


def answer(  # noqa: PLR0917  # a page, to whom, and how
    request: Request,
    template: str,
    described: Any,  # noqa: ANN401  # any dataclass
    language_key: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a page as the answer to a request; see `render`."""
    return HTMLResponse(render(template, described, language_key, request.scope["root_path"]), status, headers)


@cache
def macros(template: str, language_key: str) -> Any:  # noqa: ANN401  # what the template defines
    """Return the macros of a template as functions that return HTML in a language."""
    return environment().get_template(template).make_module({"say": language(language_key).say})


def given() -> Mapping[str, frozenset[str]]:
    """Return the names of the variables that each template of a page gets, those left out that other templates refer to."""
    lent = frozenset({"language", "say", "root", "served", "static"})
    own = {f"page/{heading}": {one.name for one in fields(model)} for heading, model in _models() if heading.endswith(".j2")}
    return {"page/_touch.html.j2": frozenset({"say"}), **{name: lent | names for name, names in own.items()}}


def readme() -> str:
    """Return the text of `templates/page/README.md`: every page with its variables."""
    return "\n".join(_readme_lines()) + "\n"


def _models() -> Iterator[tuple[str, type[Any]]]:
    from turnserver.records import check  # noqa: PLC0415  # with the pages that show it
    from turnserver.web import club, printouts, replay, sign_in, unsubscribe, words  # noqa: PLC0415  # they use this module
    from turnserver.web.game import history, listed  # noqa: PLC0415  # see above
    from turnserver.web.game import page as game  # noqa: PLC0415  # see above
    from turnserver.web.league import page as league  # noqa: PLC0415  # see above
    from turnserver.web.me import page as mepage  # noqa: PLC0415  # see above
    from turnserver.web.player import page as player  # noqa: PLC0415  # see above
    from turnserver.web.rules import page as rules  # noqa: PLC0415  # see above
    from turnserver.web.sandbox import page as sandboxpage  # noqa: PLC0415  # see above
    from turnserver.web.turn import board  # noqa: PLC0415  # see above
    from turnserver.web.turn import page as turnpage  # noqa: PLC0415  # see above

    yield from (
        ("audit.html.j2", club.AuditPage),
        ("The fields of a CheckpointRow", club.CheckpointRow),
        ("club.html.j2", club.ClubPage),
        ("The fields of a TableParts", league.TableParts),
        ("game.html.j2", game.GamePage),
        ("The fields of a SeatRow", game.SeatRow),
        ("The fields of a TurnRow", game.TurnRow),
        ("The fields of a Link", Link),
        ("The fields of a ListedRow", listed.ListedRow),
        ("game_chance.html.j2", history.GameChancePage),
        ("game_history.html.j2", history.GameHistoryPage),
        ("The fields of an EventRow", history.EventRow),
        ("games.html.j2", rules.GamesPage),
        ("The fields of a GameLine", rules.GameLine),
        ("league.html.j2", league.LeaguePage),
        ("The fields of a DivisionPart", league.DivisionPart),
        ("The fields of a StandingRow", league.StandingRow),
        ("The fields of a RoundRow", league.RoundRow),
        ("The fields of a PairRow", league.PairRow),
        ("The fields of a DateRow", league.DateRow),
        ("leagues.html.j2", league.LeaguesPage),
        ("The fields of a LeagueRow", league.LeagueRow),
        ("me.html.j2", mepage.MePage),
        ("The fields of a GameLine", mepage.GameLine),
        ("The fields of a LeagueLine", mepage.LeagueLine),
        ("The fields of a SettingLine", mepage.SettingLine),
        ("The fields of an Option", mepage.Option),
        ("The fields of a VacationLine", mepage.VacationLine),
        ("The fields of a SessionLine", mepage.SessionLine),
        ("player.html.j2", player.PlayerPage),
        ("The fields of a RatingPart", player.RatingPart),
        ("printouts.html.j2", printouts.PrintoutPage),
        ("replay.html.j2", replay.ReplayPage),
        ("The fields of a Move", replay.ReplayMove),
        ("The fields of a Moment", replay.ReplayStop),
        ("The fields of an Album", replay.Album),
        ("The fields of a Proof", check.Proof),
        ("The fields of a Draw", check.Draw),
        ("rules.html.j2", rules.RulesPage),
        ("The fields of an Example", rules.Example),
        ("The fields of an OptionField", rules.OptionField),
        ("The fields of a Choice", rules.Choice),
        ("sandbox.html.j2", sandboxpage.SandboxPage),
        ("The fields of a Phone", sandboxpage.Phone),
        ("sign_in.html.j2", sign_in.SignInPage),
        ("turn.html.j2", turnpage.TurnPage),
        ("The fields of a TouchBoard", board.TouchBoard),
        ("The fields of a Spot", board.Spot),
        ("The fields of an Offer", board.Offer),
        ("The fields of a MoveLine", turnpage.MoveLine),
        ("The fields of a NoteLine", turnpage.NoteLine),
        ("unsubscribe.html.j2", unsubscribe.UnsubscribePage),
        ("words.html.j2", words.WordsPage),
    )


def _readme_lines() -> Iterator[str]:
    yield "# Pages"
    yield ""
    yield "Made by `make docs`; the texts below stand in `records/check.py`, `web/club.py`, `web/replay.py`,"
    yield "`web/sign_in.py`, `web/unsubscribe.py`, `web/words.py`, and in the rooms `game`, `league`, `me`, `player`, `rules`, `sandbox`"
    yield "and `turn` of `web`, in `turnserver`."
    yield ""
    yield "A name that is not in these lists is an error, and everything is escaped. In all of them `say` says a sentence in the language"
    yield "of the page, `language` is the key of that, `root` is the path that our addresses begin with, `static` returns the address"
    yield "of a file of `static/`, and `served` is false where the page is made for an export, and no server answers. Pages for the"
    yield "public begin with `_layout.html.j2`: no style and no script may stand in them. Those that"
    yield "are written as a file (printouts, replays) need no other file and no network."
    for heading, model in _models():
        yield ""
        yield f"## {heading}"
        yield ""
        hints = get_type_hints(model, include_extras=True)
        for one in fields(model):
            shape, text = get_args(hints[one.name])
            parts = [part.__name__ for part in (shape, *get_args(shape)) if isinstance(part, type) and is_dataclass(part)]
            yield f"- `{one.name}`{f' ({parts[0]})' if parts else ''}: {text}"


if __name__ == "__main__":
    (resources.templates_dir() / "page" / "README.md").write_text(readme(), encoding="utf-8")
