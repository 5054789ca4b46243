"""Finds the files that the program reads but does not import: templates, event schemas, the default configuration, the font.

In a checkout they lie beside the package; a wheel carries them inside it, under `_data/`.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CARRIED = _PACKAGE / "_data"
_ROOT = _CARRIED if _CARRIED.is_dir() else _PACKAGE.parent


def templates_dir() -> Path:
    """The directory of the Jinja templates."""
    return _ROOT / "templates"


def languages_dir() -> Path:
    """The directory of the languages that mails can be written in; see `turnserver.mail.outbound.language`."""
    return templates_dir() / "languages"


def events_dir() -> Path:
    """The directory of the event catalogue: `schema/`, `examples/`, `histories/`."""
    return _ROOT / "events"


def config_dir() -> Path:
    """The directory of the annotated default configuration and the systemd unit."""
    return _ROOT / "config"


def font_file() -> Path:
    """The one font that pictures are drawn with."""
    return _PACKAGE / "fonts" / "DejaVuSans.ttf"
