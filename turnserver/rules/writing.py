"""What no notation takes amiss in the text of a step."""

import re
from typing import Final

_AROUND: Final = " .,;:!\"'()[]*_`\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2026"
_DASH: Final = re.compile("[-\u2010-\u2015\u2212]>|=>|[>\u2010-\u2015\u2212\u2192]")


def plain(text: str) -> str:
    """The text in small letters and with single blanks, every dash and arrow a hyphen, without quotes and punctuation around it."""
    return _DASH.sub("-", " ".join(text.lower().split()).strip(_AROUND))
