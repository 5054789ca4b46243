"""The terms of a new game: the time control that was asked for, and all other terms about time from the settings."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from msgspec.structs import replace

from turnserver.config import Settings
from turnserver.errors import BadOption, ConfigError
from turnserver.play.clock import controls
from turnserver.play.clock.clock import NEWEST
from turnserver.play.clock.live_time import is_place
from turnserver.play.events import Terms, WhenLate
from turnserver.text import say

YEARS_AHEAD: Final = 5
"""The number of years for which the holidays of a game are fixed when it is opened. One that lasts longer goes on without any."""


def terms(settings: Settings, text: str | None, today: date, zone: str | None = None, *, kept: bool = False) -> Terms:
    """Return the terms of a game that is opened on a day. `text` is its time control; None means that of the settings.

    A fixed hour is one of the `zone`, or of the site, unless the text names another. Raises BadOption, also for the hour of a zone that may
    not be chosen, unless the text was `kept` since somebody chose it.
    """
    play = settings.play
    agreed = controls.parse(play.time if text is None else text, zone if zone and is_place(zone) else settings.site.zone)
    if not kept:
        controls.require_place(agreed)
    return Terms(
        time=controls.written(agreed),
        holidays=tuple(_holidays(agreed.holidays, range(today.year, today.year + YEARS_AHEAD))) if agreed.holidays else (),
        reminders=play.reminders,
        grace_hours=play.grace_hours,
        when_late=WhenLate(play.when_late),
        void_turns=play.void_turns,
        reopen_hours=play.reopen_hours,
        vacation_days=play.vacation_days_a_game if agreed.vacation else 0,
        pause_days=play.pause_days,
        correction_minutes=play.correction_minutes,
        draw_turns=play.draw_turns,
        clock=NEWEST,
    )


def league_terms(settings: Settings, text: str, today: date, *, kept: bool = False) -> Terms:
    """Return the terms of a game in a league. An empty text means the time control of the settings. Raises BadOption.

    In a league a result counts from the first turn on: a player who loses on time has lost, even without having played a turn. No game is
    reopened, since the next round may be paired already.
    """
    return replace(terms(settings, text or None, today, kept=kept), void_turns=0, reopen_hours=0)


def check_time(settings: Settings, today: date) -> None:
    """Raise ConfigError unless games can be opened with the time control of the settings."""
    try:
        terms(settings, None, today)
    except BadOption as error:
        raise ConfigError(f"The setting play.time cannot be used: {error}") from error


def _holidays(region: str, years: Iterable[int]) -> list[date]:
    import holidays  # noqa: PLC0415  # 4 MB of memory for the few services that look any up

    # A country is written as `DE`, a part of it as `DE-BY`.
    country, _, part = region.partition("-")
    try:
        return sorted(holidays.country_holidays(country, subdiv=part or None, years=years))
    except NotImplementedError as error:
        told = say(
            "I don't know the holidays of {region}. Name a country by its two letters, such as DE, or a part of it, such as DE-BY.",
            region=region,
        )
        raise BadOption(told) from error
