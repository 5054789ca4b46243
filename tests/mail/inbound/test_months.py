"""Names of months in vacations, in every language that may be installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel import Locale

from turnserver import resources
from turnserver.mail.inbound import time_phrases
from turnserver.mail.inbound.synonyms import synonyms
from turnserver.mail.inbound.time_phrases import DayOfYear, Vacation, read_vacation
from turnserver.mail.outbound import language

KEYS = ("az", "cs", "de", "el", "fr", "hr", "ja", "lt", "pl", "ru", "tr", "zh")


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for key in KEYS:
        (tmp_path / key).mkdir()
        (tmp_path / key / "language.toml").write_text(f'key = "{key}"\nname = "{key}"\n', encoding="utf-8")
    monkeypatch.setattr(resources, "languages_dir", lambda: tmp_path)
    cached = language.languages, synonyms, time_phrases._months, time_phrases._days  # there is no other way to have them read anew
    for one in cached:
        one.cache_clear()
    yield
    for one in cached:
        one.cache_clear()


@pytest.mark.usefixtures("many")
def test_each_is_read_in_any_case() -> None:
    """But for those that mean two months in two languages, such as `lis`."""
    wrong = []
    for key in KEYS:
        for number, name in Locale.parse(key).months["format"]["wide"].items():
            for written in (name, name.upper(), name.lower(), name.casefold()):
                found = read_vacation(f"5 {written} - 12 {written}", frozenset())
                if found not in (None, Vacation(DayOfYear(number, 5), DayOfYear(number, 12))):
                    wrong.append((key, written, found))
    assert wrong == []
    assert read_vacation("5 May\u0131s - 12 KASIM", frozenset()) == Vacation(DayOfYear(5, 5), DayOfYear(11, 12))
    assert read_vacation("5. listopad - 12. listopad", frozenset()) is None
