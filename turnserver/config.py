"""Settings: `config/turnserver.toml` overlaid by the file in use and by `TURNSERVER_<SECTION>__<KEY>` variables, as frozen values."""

from pathlib import Path
from typing import Literal

import msgspec


class Site(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who we are to players."""

    name: str = "turnserver"
    address: str = "turns@localhost"
    admin: str = ""
    zone: str = "UTC"


class DatabaseSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the log lives: `sqlite:///path` or `postgresql+psycopg://...`."""

    url: str = "sqlite:///turnserver.db"
    busy_timeout_seconds: float = 5.0


class Outgoing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How mail leaves."""

    transport: Literal["smtp", "maildir"] = "smtp"
    host: str = "localhost"
    port: int = 25
    security: Literal["none", "starttls", "tls"] = "none"
    username: str = ""
    password: str = ""
    timeout_seconds: float = 30.0
    maildir: Path = Path("outgoing")
    lease_seconds: int = 120
    retry_seconds: tuple[int, ...] = (60, 300, 1800, 7200, 21600, 43200, 86400)
    batch: int = 50


class Incoming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How mail arrives."""

    lmtp_host: str = "127.0.0.1"
    lmtp_port: int = 8024
    maildir: str = ""
    max_bytes: int = 1_000_000
    max_attempts: int = 5
    sender_policy: Literal["off", "warn", "require"] = "warn"
    answers_per_day: int = 10


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Defaults of new games."""

    days_per_move: int = 3
    max_open_challenges: int = 10


class Jobs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ticks how often."""

    send_seconds: float = 5.0
    read_seconds: float = 5.0
    sweep_seconds: float = 15.0
    outage_minutes: int = 30


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be configured."""

    site: Site = Site()
    database: DatabaseSettings = DatabaseSettings()
    outgoing: Outgoing = Outgoing()
    incoming: Incoming = Incoming()
    play: Play = Play()
    jobs: Jobs = Jobs()
