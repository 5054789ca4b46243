"""Find the files that the program reads but does not import: templates, event schemas, the default configuration, the font.

In a checkout they lie beside the package. A wheel carries them inside it, under `_data/`.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CARRIED = _PACKAGE / "_data"
_ROOT = _CARRIED if _CARRIED.is_dir() else _PACKAGE.parent


def templates_dir() -> Path:
    """Return the directory of the Jinja templates."""
    return _ROOT / "templates"


def languages_dir() -> Path:
    """Return the directory of the languages that mails can be written in; see `turnserver.mail.outbound.language`."""
    return templates_dir() / "languages"


def events_dir() -> Path:
    """Return the directory of the event catalogue: `schema/`, `examples/`, `histories/`."""
    return _ROOT / "events"


def config_dir() -> Path:
    """Return the directory of the annotated default configuration and the systemd unit."""
    return _ROOT / "config"


def font_file() -> Path:
    """Return the path of the only font that pictures are drawn with."""
    return _PACKAGE / "fonts" / "DejaVuSans.ttf"
