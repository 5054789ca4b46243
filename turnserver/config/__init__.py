"""All settings, as frozen values.

Every setting is described and limited here. `handbook` makes the phrases of error messages and `config/turnserver.toml` from that,
`reading` makes Settings of a file and the environment, and `python -m turnserver.config` prints the file.
"""

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from turnserver.text import STEERING

_LINE = rf"\A[^{STEERING}]*\Z"
_LOCAL = rf"[^@+\s<>\"(),:;\[\\\]{STEERING}]"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
SELECTOR = rf"{_LABEL}(\.{_LABEL})*"
"""A regular expression for a DKIM selector: labels of DNS with dots between them (RFC 6376, 3.1)."""

SECRET = {"secret": True}
"""The `extra` of a setting that must not reach a log line or a terminal."""

Seconds: TypeAlias = Annotated[float, Meta(ge=0.1, le=86_400)]

Level: TypeAlias = Literal["seats", "players", "public"]
"""The people who may see a game or a league: its own players, everybody with an account, or everybody."""


def meta(kind: object) -> Meta:
    """Return the last Meta of an annotated type."""
    # the first ones may belong to a type that several settings share, such as Seconds; the last one is the setting's own
    found = [each for each in getattr(kind, "__metadata__", ()) if isinstance(each, Meta)]
    return found[-1] if found else Meta()


def variable(section: str, key: str) -> str:
    """Return the environment variable that overrides a setting."""
    return f"TURNSERVER_{section}__{key}".upper().replace(".", "__")


def _shown(section: msgspec.Struct) -> list[tuple[str, object]]:
    # a section may reach a log line or a terminal: rich asks for `__rich_repr__`, everybody else for `__repr__`
    values = [(field, getattr(section, field.name)) for field in msgspec.structs.fields(section)]
    return [(field.name, "(secret)" if value and meta(field.type).extra == SECRET else value) for field, value in values]


def _discreet(section: msgspec.Struct) -> str:
    return f"{type(section).__name__}({', '.join(f'{name}={value!r}' for name, value in _shown(section))})"


class Site(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The service as players see it."""

    name: Annotated[
        str,
        Meta(
            max_length=80,
            pattern=rf"\A[^{STEERING}]*[^\s{STEERING}][^{STEERING}]*\Z",
            title="one line of text of at most 80 characters",
            description="The name that mails come from.",
        ),
    ] = "turnserver"
    address: Annotated[
        str,
        Meta(
            # a local part may have 64 octets (RFC 5321, 4.5.3.1.1), and the token behind the + needs the other 49
            pattern=rf"\A{_LOCAL}{{1,14}}@.+\Z",
            title="a mail address with at most 14 characters and no + before the @, such as turns@example.org",
            description="The mailbox of the service. Players answer to it with a token behind a +, so the mail system must deliver"
            " turns+anything@example.org like turns@example.org.",
        ),
    ] = "turns@localhost"
    admin: Annotated[
        str,
        Meta(
            pattern=rf"\A((\+|{_LOCAL}){{1,64}}@.+)?\Z",
            title="a mail address, or nothing",
            description="Where players find a human; stands at the foot of help and error mails.",
        ),
    ] = ""
    zone: Annotated[
        str,
        Meta(title="a time zone such as Europe/Berlin", description="The time zone of players who have not named theirs."),
    ] = "UTC"
    language: Annotated[
        str,
        Meta(
            title="a language that there is, such as en or de",
            description="The language of mails to players who have not chosen theirs, and to strangers.",
        ),
    ] = "en"
    registration: Annotated[
        Literal["closed", "open"],
        Meta(
            description="Whether only an admin makes accounts, or anybody can have one who writes `join` and a name,"
            " and answers the mail that asks whether it was really them."
        ),
    ] = "closed"

    @property
    def domain(self) -> str:
        """The part behind the @ of every address of ours."""
        return self.address.rpartition("@")[2]


class DatabaseSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The place of the log."""

    __repr__, __rich_repr__ = _discreet, _shown

    url: Annotated[
        str,
        Meta(
            extra=SECRET,
            title="a file, as sqlite:///path without a question mark, or PostgreSQL, as postgresql+psycopg://user:password@host/database",
            description="The database. A file serves a club with one process; PostgreSQL serves several processes.",
        ),
    ] = "sqlite:///turnserver.db"
    busy_timeout_seconds: Annotated[Seconds, Meta(description="How long to wait for another process to let go of the database.")] = 5.0


class Outgoing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mail that leaves."""

    __repr__, __rich_repr__ = _discreet, _shown

    transport: Annotated[
        Literal["smtp", "maildir"],
        Meta(description="Hand mail to a server, or put it into a maildir for another program to send."),
    ] = "smtp"
    host: Annotated[str, Meta(title="a host name or address", description="The SMTP server.")] = "localhost"
    port: Annotated[int, Meta(ge=1, le=65_535, description="Its port: 25 as a rule, 587 with starttls, 465 with tls.")] = 25
    security: Annotated[
        Literal["none", "starttls", "tls"],
        Meta(description="How the connection is encrypted; none is for a server on the same machine."),
    ] = "none"
    username: Annotated[str, Meta(description="The login, if the server wants one.")] = ""
    password: Annotated[str, Meta(extra=SECRET, description="Its password; TURNSERVER_OUTGOING__PASSWORD keeps it out of this file.")] = ""
    timeout_seconds: Annotated[Seconds, Meta(description="How long to wait for each answer of the server.")] = 30.0
    maildir: Annotated[Path, Meta(description="The maildir, for the transport of that name; made when missing.")] = Path("outgoing")
    lease_seconds: Annotated[
        int, Meta(ge=10, le=86_400, description="How long a process may take to send a mail before another one tries.")
    ] = 120
    retry_seconds: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=2_592_000)], ...],
        Meta(description="How long to wait after each failure; a mail that fails once more after the last is dead."),
    ] = (60, 300, 1800, 7200, 21600, 43200, 86400)
    batch: Annotated[int, Meta(ge=1, le=10_000, description="How many mails are claimed at once.")] = 50
    max_deaths: Annotated[
        int,
        Meta(
            ge=1, le=1_000_000, description="How often a process may end while it sends a mail, and that one alone, before it is given up."
        ),
    ] = 10


class Incoming(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mail that arrives."""

    lmtp_host: Annotated[
        str,
        Meta(
            title="a host name or address",
            description="Where the LMTP listener is bound; whoever reaches it can post mail under any name.",
        ),
    ] = "127.0.0.1"
    lmtp_port: Annotated[int, Meta(ge=0, le=65_535, description="Its port; 0 takes a free one.")] = 8024
    maildir: Annotated[
        str, Meta(pattern=_LINE, title="a path, or nothing", description="A maildir to collect mail from, besides LMTP.")
    ] = ""
    max_bytes: Annotated[int, Meta(ge=10_000, le=100_000_000, description="The size in bytes above which a mail is not taken.")] = 1_000_000
    max_attempts: Annotated[
        int, Meta(ge=1, le=100, description="How often a mail whose handling breaks down is tried before it waits for an admin.")
    ] = 5
    sender_policy: Annotated[
        Literal["off", "warn", "require"],
        Meta(
            description="What to do with a valid token that comes from another address than the player's:"
            " accept it, accept it and tell the player, or refuse it. Unless off, a token from another player's address is always refused."
            " A mail that shows only which mail of ours it answers needs the player's own address in any case."
        ),
    ] = "warn"
    authserv_id: Annotated[
        str,
        Meta(
            pattern=r"\A[^\s;\"()]*\Z",
            title="a name such as mx.example.org, or nothing to trust no such header",
            description="The name under which your own mail server writes Authentication-Results into each mail."
            " It must remove those that come with its name already.",
        ),
    ] = ""
    authentication: Annotated[
        Literal["off", "warn", "require"],
        Meta(
            description="What to do with a valid token in a mail of which that header does not prove, by DMARC or by aligned DKIM or SPF,"
            " that it comes from the domain in its From line: accept it, accept it and tell the player, or refuse it."
        ),
    ] = "off"
    answers_per_day: Annotated[
        int,
        Meta(
            ge=0,
            le=10_000,
            description="How many automatic answers one address gets within a day, against mail loops. Mails that are not proven to be"
            " the player's own use up at most half of them.",
        ),
    ] = 40
    mails_per_hour: Annotated[
        int,
        Meta(
            ge=1,
            le=100_000,
            description="How many mails of one sender are looked at within an hour; the forms that a player sends from pages count like"
            " mails. Mails above that are kept and counted as refused, and forms are refused, but for moves.",
        ),
    ] = 100


class Dkim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signatures of outgoing mail (DKIM, RFC 6376), by which others see that it is ours."""

    domain: Annotated[
        str,
        Meta(
            pattern=r"\A([A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*)?\Z",
            title="a domain, or nothing for the domain of site.address",
            description="The domain that signs.",
        ),
    ] = ""
    key_files: Annotated[
        tuple[Path, ...],
        Meta(
            title="a list of different files, each named after its selector, such as s1.pem",
            description="The private keys, RSA or Ed25519; `turnserver mail dkim-key` makes them. Every mail is signed by each of them;"
            " without keys, none is signed.",
        ),
    ] = ()


Folder: TypeAlias = Annotated[str, Meta(min_length=1, pattern=_LINE)]


class ImapAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mailbox that mail is fetched from over IMAP.

    There may be any number of such sections, each with a name of lower-case letters and digits in the place of `club`, and
    TURNSERVER_IMAP__CLUB__PASSWORD sets the password of this one. Mail that lies in a mailbox when it is first read is left alone.
    """

    __repr__, __rich_repr__ = _discreet, _shown

    host: Annotated[
        str,
        Meta(title="a host name or address", description="The IMAP server.", examples=["imap.example.org"]),
    ]
    username: Annotated[
        str, Meta(min_length=1, pattern=_LINE, title="one line of text", description="The login.", examples=["turns@example.org"])
    ]
    password: Annotated[
        str,
        Meta(
            pattern=_LINE,
            extra=SECRET,
            title="one line of text",
            description="Its password; the variable named above keeps it out of this file. Only what fetches mail needs it.",
            examples=["..."],
        ),
    ] = ""
    port: Annotated[int, Meta(ge=1, le=65_535, description="The server's port: 993 with tls, 143 as a rule with starttls and none.")] = 993
    security: Annotated[
        Literal["tls", "starttls", "none"],
        Meta(description="How the connection is encrypted; none is for a server on the same machine."),
    ] = "tls"
    folders: Annotated[
        tuple[Folder, ...],
        Meta(
            min_length=1,
            title="a list of at least one folder",
            description="The folders that mail arrives in; name the one for spam too if you want nothing to be missed."
            " The first is watched all the time where the server offers that.",
        ),
    ] = ("INBOX",)
    move_to: Annotated[
        str,
        Meta(
            pattern=_LINE,
            title="a folder that is not in the list above, or nothing",
            description="Where a mail is moved once it is stored; made when missing. With nothing, it stays where it is, marked as read.",
        ),
    ] = ""
    idle: Annotated[bool, Meta(description="Whether to let the server tell of new mail at once (IDLE), if it can.")] = True
    poll_seconds: Annotated[
        # 29 minutes: a server may hang up on an IDLE that lasts for half an hour (RFC 2177)
        float, Meta(ge=1, le=1_740, description="Seconds between two looks into the folders, whatever the server tells in between.")
    ] = 60.0
    timeout_seconds: Annotated[Seconds, Meta(description="How long to wait for each answer of the server.")] = 30.0


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pages, such as the one to unsubscribe with one touch (RFC 8058), behind a web server that speaks HTTPS; off without a url."""

    url: Annotated[
        str,
        Meta(
            # the address stands between < and > in List-Unsubscribe, where commas part several; ours goes on behind it
            pattern=rf"\A(https://[^\s<>,?#\"{STEERING}]+)?\Z",
            title="an https address without a user, ? and #, or nothing",
            description="Where the web server passes requests on to us from, such as https://example.org/turns; it stands in every mail.",
        ),
    ] = ""
    host: Annotated[
        str,
        Meta(
            title="a host name or address",
            description="Where the pages are bound; only the web server needs to reach it.",
        ),
    ] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535, description="Their port; 0 takes a free one.")] = 8026
    serve: Annotated[bool, Meta(description="Whether `serve` has the pages too; with false, only `turnserver web` has them.")] = True
    proxies: Annotated[
        tuple[Annotated[str, Meta(min_length=1, pattern=_LINE)], ...],
        Meta(
            title="a list of addresses and networks, such as 10.0.0.5 or 10.0.0.0/8",
            description="The addresses or networks of the web server. Its X-Forwarded-For is believed, and nobody may ask too often.",
        ),
    ] = ("127.0.0.1", "::1")
    health: Annotated[
        str,
        Meta(
            # the highest port is 65535
            pattern=r"\A(\S+:([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?\Z",
            title="a host and a port, such as 127.0.0.1:8027, or nothing",
            description="Where /healthz, /readyz and /metrics are served to whatever watches a process; each process needs one of its own. "
            "Empty turns them off.",
        ),
    ] = "127.0.0.1:8027"
    link_play: Annotated[
        Literal["on", "sign-in", "off"],
        Meta(
            description="Whether mails about games link to a page on which their reader plays by touch. With `on`, whoever has the mail has"
            " the link, so a mail that is passed on lets others play that one turn. With `sign-in`, the page opens once its player has"
            " signed in, by a link that is mailed to them, and shows nothing to anybody else."
        ),
    ] = "on"
    games: Annotated[
        Level,
        Meta(
            description="Who may see the page of a game that belongs to no league: its own players (seats), everybody with an account, or"
            " everybody. `turnserver game set --visible` says so of one game."
        ),
    ] = "seats"
    leagues: Annotated[
        Level,
        Meta(
            description="Who may see the page of a league, and the pages of its games. `turnserver league set --visible` says so of one"
            " league. Whatever this says, strangers read `Player 7` instead of a name, unless that player has chosen to be named."
        ),
    ] = "seats"
    welcome: Annotated[
        str,
        Meta(
            title="text, with blank lines between paragraphs, or nothing",
            description="What the first page says about the club, above what goes on there: who you are, where you meet.",
        ),
    ] = ""
    colour: Annotated[
        str,
        Meta(
            pattern=r"\A(#[0-9a-fA-F]{6})?\Z",
            title="a colour such as #1f6b3f, or nothing",
            description="The colour of buttons and of the line below the name of the site. It is made darker or lighter as far as that is"
            " needed to be read.",
        ),
    ] = ""


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Defaults of new games, and what holds in all of them."""

    time: Annotated[
        str,
        Meta(
            title="a time control such as 5d+36h cap 10d",
            description="The time for a game, unless it is opened with another one, as in `turnserver game open --time`.",
        ),
    ] = "5d+36h cap 10d"
    reminders: Annotated[
        tuple[
            Annotated[
                str, Meta(pattern=r"^([1-9][0-9]?%|[1-9][0-9]{0,2}h)$", title="a part of the time such as 50%, or hours such as 24h")
            ],
            ...,
        ],
        Meta(max_length=9, description="When to remind of a turn: when a part of its time has passed (50%), or before its end (24h)."),
    ] = ("50%", "80%", "24h", "4h")
    grace_hours: Annotated[
        int, Meta(ge=0, le=720, description="Hours that a player gets once a game when their time is up; 0 for none.")
    ] = 24
    when_late: Annotated[
        Literal["loss", "skip", "house", "substitute"],
        Meta(
            description="What becomes of a turn whose time is up: the player loses their seat, and with it a game of two, or the seat waits"
            " for a substitute. In a larger game the turn can also be skipped, or played by the house; one of two is lost then."
        ),
    ] = "loss"
    void_turns: Annotated[
        int, Meta(ge=0, le=100, description="A game that ends on time is void if one side has completed fewer turns than this.")
    ] = 1
    reopen_hours: Annotated[
        int, Meta(ge=0, le=720, description="For how many hours the winner on time may offer to take the game up again; 0 for never.")
    ] = 48
    vacation_days: Annotated[int, Meta(ge=0, le=366, description="Days of vacation that a player has a year.")] = 30
    vacation_days_a_game: Annotated[
        int, Meta(ge=0, le=3660, description="Days of vacation that may stop a player's clock in one game.")
    ] = 60
    pause_days: Annotated[int, Meta(ge=0, le=366, description="The longest pause, in days, that players may agree on; 0 for none.")] = 60
    correction_minutes: Annotated[
        int,
        Meta(
            ge=0,
            le=1_440,
            description="Minutes in which a turn may be corrected before the others are told of it; 0 for none. A game that was opened"
            " with fewer keeps those.",
        ),
    ] = 10
    receipts: Annotated[
        int, Meta(ge=0, le=1_000, description="How many of a player's first moves a mail confirms, unless they set receipts otherwise.")
    ] = 3
    draw_turns: Annotated[int, Meta(ge=1, le=1_000, description="After how many turns of the game a player may offer a draw again.")] = 10
    max_open_challenges: Annotated[
        int,
        Meta(
            ge=0,
            le=10_000,
            description="How many challenges a player may have out that are unanswered, or were opened and called off within a day.",
        ),
    ] = 10
    undelivered: Annotated[
        Literal["wait", "count"],
        Meta(
            description="What a player's clock does while the mail that tells them of their turn cannot be delivered:"
            " they get that time back before they can lose on time, or it counts like any other."
        ),
    ] = "wait"
    max_undelivered_days: Annotated[
        int,
        Meta(ge=1, le=366, description="How many days of such waiting one turn gets back. Then the clock runs, and the others are told."),
    ] = 14
    max_undelivered_days_a_game: Annotated[
        int, Meta(ge=1, le=366, description="How many days of such waiting a player gets back in one game.")
    ] = 30
    max_undelivered_days_a_year: Annotated[
        int, Meta(ge=1, le=366, description="How many days of such waiting a player gets back within 365 days, in all games.")
    ] = 60


class Audit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Checkpoints: states of the log, signed, so that whoever has one notices when the past is rewritten."""

    origin: Annotated[
        str,
        Meta(
            pattern=r"\A[^\s+]*\Z",
            title="a name without spaces and +, such as example.org/turnserver, or nothing for the domain of site.address and /turnserver",
            description="What the log is called in its checkpoints. Another log needs another name, also this one after history was lost.",
        ),
    ] = ""
    key_files: Annotated[
        tuple[Path, ...],
        Meta(
            title="a list of different files such as checkpoint.pem",
            description="The private keys, Ed25519, that sign every checkpoint; `turnserver init` makes those that are missing."
            " Without keys there are no checkpoints.",
        ),
    ] = (Path("checkpoint.pem"),)
    verification_keys: Annotated[
        tuple[str, ...],
        Meta(
            title="a list of keys as `turnserver audit key show` prints them",
            description="The public halves of keys that sign no more, so that what they signed still counts.",
        ),
    ] = ()
    publish: Annotated[
        str,
        Meta(
            pattern=_LINE,
            title="a directory, or nothing",
            description="Where every checkpoint is written to as a file too; best a place that is copied to another machine.",
        ),
    ] = ""
    checkpoint_hours: Annotated[
        int,
        Meta(ge=0, le=8_760, description="Hours between two checkpoints of a log that grows; 0 for none but at the ends of seasons."),
    ] = 24


class Jobs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The intervals of recurring jobs."""

    send_seconds: Annotated[Seconds, Meta(description="Seconds between two looks at the outbox.")] = 5.0
    read_seconds: Annotated[Seconds, Meta(description="Seconds between two looks at the inbox.")] = 5.0
    sweep_seconds: Annotated[Seconds, Meta(description="Seconds between two looks for deadlines that have passed.")] = 15.0
    outage_minutes: Annotated[
        int, Meta(ge=1, le=10_080, description="After how many minutes without a sweep the time is given back to the players.")
    ] = 30


class Retention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The age at which old mail is given up. The log of games, leagues and players stays for ever, and is enough for every audit."""

    mail_days: Annotated[
        int,
        Meta(
            ge=0,
            le=36_500,
            description="After how many days a mail that was handled gives up its bytes, of which digest and length are kept, and a mail of"
            " ours its text, unless it is about a game that goes on; 0 for never.",
        ),
    ] = 730


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be configured."""

    site: Site = Site()
    database: DatabaseSettings = DatabaseSettings()
    outgoing: Outgoing = Outgoing()
    incoming: Incoming = Incoming()
    dkim: Dkim = Dkim()
    web: Web = Web()
    play: Play = Play()
    audit: Audit = Audit()
    jobs: Jobs = Jobs()
    retention: Retention = Retention()
    imap: dict[str, ImapAccount] = {}

    @property
    def lacks_admin(self) -> bool:
        """True if players write from elsewhere and no admin is named, so that nobody hears of the service's troubles."""
        return not self.site.admin and self.site.domain != "localhost"

    @property
    def signing_domain(self) -> str:
        """The domain that signs mails."""
        return self.dkim.domain or self.site.domain

    @property
    def origin(self) -> str:
        """The name of the log in its checkpoints."""
        return self.audit.origin or f"{self.site.domain}/turnserver"
