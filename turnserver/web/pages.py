"""Pages of HTML from `templates/page`, and the list of their variables, which `make docs` writes."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from turnserver import resources
from turnserver.mail.outbound.language import ENGLISH, language
from turnserver.templates import environment


def render(template: str, described: Any, language_key: str = ENGLISH) -> str:  # noqa: ANN401  # any dataclass
    """Return a page as HTML in a language. The fields of the dataclass `described` are the variables of its template.

    The template also has `language`, the key of the language, and `say`, which says a sentence in it.
    """
    spoken = language(language_key)
    variables = {one.name: getattr(described, one.name) for one in fields(described)}
    return environment().get_template(template).render(**variables, language=spoken.key, say=spoken.say)


def readme() -> str:
    """Return the text of `templates/page/README.md`: every page with its variables."""
    return "\n".join(_readme_lines()) + "\n"


def _models() -> Iterator[tuple[str, type[Any]]]:
    from turnserver.cli.game import replay  # noqa: PLC0415  # they use this module
    from turnserver.records import check  # noqa: PLC0415  # see above
    from turnserver.web import crosstables, unsubscribe  # noqa: PLC0415  # see above
    from turnserver.web.sandbox import page as sandboxpage  # noqa: PLC0415  # see above

    yield "crosstables.html.j2", crosstables.CrosstablePage
    yield "replay.html.j2", replay.ReplayPage
    yield "The fields of a Move", replay.ReplayMove
    yield "The fields of a Moment", replay.ReplayStop
    yield "The fields of an Album", replay.Album
    yield "The fields of a Proof", check.Proof
    yield "The fields of a Draw", check.Draw
    yield "sandbox.html.j2", sandboxpage.SandboxPage
    yield "The fields of a Phone", sandboxpage.Phone
    yield "unsubscribe.html.j2", unsubscribe.UnsubscribePage


def _readme_lines() -> Iterator[str]:
    yield "# Pages"
    yield ""
    yield "Made by `make docs`; the texts below stand in `cli/game/replay.py`, `records/check.py`,"
    yield "`web/crosstables.py`, `web/sandbox/page.py` and `web/unsubscribe.py` of `turnserver`."
    yield ""
    yield "A page is one file that needs no other and no network. A name that is not in these lists is an error, and everything is escaped."
    yield "In all of them `say` says a sentence in the language of the page, and `language` is the key of that."
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
