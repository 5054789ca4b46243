"""The text of `templates/README.md`: every template with its variables."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from turnserver import resources
from turnserver.mail.outbound import letters
from turnserver.mail.outbound.compose import LENT
from turnserver.mail.outbound.kinds import FORMS
from turnserver.mail.outbound.letters import Letter


def readme() -> str:
    """The text of `templates/README.md`: every template with its variables."""
    return "\n".join(_readme_lines())


def _readme_lines() -> Iterator[str]:
    yield "# Templates"
    yield ""
    yield "Made by `make docs`; the texts below stand in `letters.py` and `kinds.py` of `turnserver/mail/outbound/`."
    yield ""
    yield "Each kind of mail has two templates, in the folder of its subject: one ends in `.txt.j2` (72 columns; the filter `wrap` fills"
    yield "lines), the other in `.html.j2` (the rules of `mail/style.css` are written into the tags: in a tag its class comes first, as it"
    yield "is, then a style of its own). Kinds that say nothing but their headline share `mail/_game` or `mail/_league`; the other files"
    yield "that begin with `_` are parts. A name that is not in these lists is an error, in HTML everything is escaped, and no line of a"
    yield "text may read as a command."
    yield ""
    yield "The letters are told in the reader's language already. What the templates themselves say, they say with these, which all of"
    yield "them get:"
    yield ""
    yield from (f"- `{name}`: {text}" for name, text in LENT.items())
    yield ""
    yield "## In every mail"
    yield ""
    yield from _variables(Letter, ())
    inherited = tuple(one.name for one in fields(Letter))
    for kind, form in FORMS.items():
        yield f"## {kind}"
        yield ""
        yield form.to or str(form.letter.__doc__)
        yield ""
        yield f"Template: `mail/{form.template}`"
        yield ""
        yield from _variables(form.letter, inherited)
    for part in _parts():
        yield f"## The fields of a {part.__name__}"
        yield ""
        yield from _variables(part, ())


def _parts() -> Iterator[type[Any]]:
    mine = (one for one in vars(letters).values() if getattr(one, "__module__", "") == letters.__name__)
    yield from (one for one in mine if isinstance(one, type) and is_dataclass(one) and not issubclass(one, Letter))


def _variables(model: type[Any], known: tuple[str, ...]) -> Iterator[str]:
    hints = get_type_hints(model, include_extras=True)
    own = [one.name for one in fields(model) if one.name not in known]
    for name in own:
        shape, text = get_args(hints[name])
        parts = [part.__name__ for part in (shape, *get_args(shape)) if isinstance(part, type) and is_dataclass(part)]
        yield f"- `{name}`{f' ({parts[0]})' if parts else ''}: {text}"
    if own:
        yield ""


if __name__ == "__main__":
    (resources.templates_dir() / "README.md").write_text(readme(), encoding="utf-8")
