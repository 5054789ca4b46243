"""Presets of leagues, and settings that are given one by one.

A preset is a file in TOML, which comes with the program or is an admin's own. It has a sentence about itself (`about`). It may name a
`game` of the catalogue with its `[options]` and a time control (`time`). Settings of the league stand under `[settings]`, and those that
are missing have their usual values. See `config/LEAGUES.md`.
"""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, fields

from turnserver.config.handbook import shown, toml
from turnserver.config.reading import read_toml
from turnserver.errors import BadOption, ConfigError
from turnserver.league.settings import LIMITS, NEWEST, Settings, TierSize, complete
from turnserver.resources import config_dir

MEANING: Final[Mapping[str, str]] = MappingProxyType(
    {
        "format": "How it is found out who meets whom.",
        "rounds": "How many rounds a Swiss or McMahon event has, or one at tables. In round robins and cups, the number of players says "
        "it.",
        "seats": "How many play a game: 3 or 4 at tables, otherwise 2. The options of the game say it, so it can be left at 0.",
        "bounds": "The ratings at which the bands of a McMahon event begin; who is in a higher band starts with more points.",
        "pace": "Whether the rounds of a round robin go on together, or each one begins when the one before it is over.",
        "at_once": "How many games of the season a player has at the same time, at most; 0 is no limit. Others wait until one is over.",
        "round_every": "How many days apart rounds begin, counted from the start of the season; a round that waits for the one before may "
        "begin later. With 0, all begin with the season, or as soon as they need not wait.",
        "round_days": "How many days after its beginning a round is to be over; 0 leaves that to the clocks of the games. Where all rounds "
        "begin with the season, the second one has twice as long, and so on.",
        "remind_percent": "How much of the time to the deadline of a round has passed when those are reminded who have not finished; 0 "
        "reminds nobody.",
        "when_unfinished": "What becomes of a game that is not over by then: an admin is asked, it has no result, it is a draw, or whoever "
        "has the turn forfeits it.",
        "seeding": "Whether players are numbered by rating, the strongest first, or by lots, as always in a round robin.",
        "replays": "How often a draw in a cup is replayed.",
        "cup_draw": "Who goes on in a cup if the last replay is a draw too, or if the two are not to meet: the higher seed, or by lots.",
        "third_place": "Whether the losers of the semi-finals of a knockout meet.",
        "points": "What results are worth, where that is not as usual: a win 1, a draw 1/2, a loss 0, the same on time or without a game, "
        "nothing for what has no result. A bye is worth 1; in a round robin, where everybody has them, nothing.",
        "places": "At tables, what the first place is worth, the second, and so on; usually a point for each player who is left behind: 3, "
        "2, 1 and 0. Players who share places have equal shares of the points for them. A bye is worth the mean of all places, if "
        "points.bye does not say otherwise; who does not come has the points for a forfeit, and the others share the places above.",
        "tie_breaks": "What parts players with equal points, in this order. Empty stands for "
        "the usual ones: in a round robin head to head, sonneborn-berger, wins, games won as second player, lots, but without those won as "
        "second player in a game in which chance decides who begins; in a Swiss event "
        "buchholz cut-1, buchholz, sonneborn-berger, wins, lots; at tables first places, second places, lots.",
        "least": "How many players a season needs; with fewer it does not begin.",
        "most": "How many players a season takes, 0 for any number. Others wait, and move up when somebody goes.",
        "entry_days": "For how many days entries are open when a season announces itself; 0 is until an admin starts it.",
        "rating_from": "The lowest rating that may enter. An admin can enter anybody.",
        "rating_to": "The highest rating that may enter.",
        "reliability": "How many percent of their turns somebody must have played in time who enters; whoever has played none may.",
        "ready_hours": "How many hours before the start players are asked whether they will play; who does not answer is not in. 0 asks "
        "nobody.",
        "tiers": "Divisions one above the other, the best first. Each tier has a size, how many divisions of that size stand side by side, "
        "and how many of its players move down while as many come up. The last one takes all who remain. Without any, all are in one.",
        "next_days": "How many days after the end of a season the next one is announced by itself, with everybody who played to the end.",
        "approve": "What a director approves before it holds: the pairings of a round, which are published while its games wait, and the "
        "final table.",
        "approve_hours": "How many hours after that it holds by itself; with 0, it waits for the director.",
        "reach": "On a ladder, up to how many places above oneself one may challenge.",
        "challenges": "On a ladder, how many challenges of their own a player has at the same time, at most.",
        "defences": "On a ladder, how many challenges of others a player has to meet at the same time, at most.",
        "rest_days": "On a ladder, for how many days nobody may challenge a player who has just met a challenge.",
        "winner": "On a ladder, what a challenger wins: the place of the other, who moves down with all between them; or the two "
        "change places.",
        "draw_lifts": "On a ladder, whether a challenger who draws moves up to right below the other.",
        "late_drop": "On a ladder, how many places somebody drops who loses on time or does not play, besides what the other wins.",
        "idle_days": "On a ladder, after how many days without a game somebody drops, and again after as many; 0 for never. Who stands at "
        "the top has nobody to challenge, and does not. A vacation does not stop it, but a challenge that is being played does.",
        "idle_drop": "On a ladder, how many places somebody drops then.",
        "season_days": "On a ladder, how many days there are challenges for; the season ends with the last game. With 0, it ends when an "
        "admin closes it.",
        "rules": "Which of our own rules hold, where later ones differ. A league keeps those that it was set up with until an admin "
        "changes this. By 2, those who are to play for the third place of a cup have places 3 and 4 also if their game has not begun, and "
        "Swiss and McMahon rounds do not have players take turns at seat 1 in a game in which chance decides who begins. By 3, tables of "
        "three or four keep apart the players who are barred from meeting also where one of them is a substitute, and where rounds have "
        "no end, neither has a meeting that is played after all because its player is back.",
    }
)
"""The meaning of each setting, in the order of the reference."""

USUAL: Final = Settings(rules=NEWEST)
"""The settings of a league that is set up now, where nothing else is said."""

NO_VALUE: Final = MappingProxyType(
    {"rating_from": "there is no lowest", "rating_to": "there is no highest", "next_days": "an admin opens each season"}
)
"""The meaning of having no value, for the settings that may have none."""


@dataclass(frozen=True, slots=True)
class LeagueSetting:
    """A setting as it is documented: its `meaning`, and a phrase for the values that it `may_be`."""

    name: str
    type: object
    default: object
    meaning: str
    may_be: str

    @property
    def usual(self) -> str:
        """The value if nothing is said, as TOML, or in words where TOML has none."""
        return f"none: {NO_VALUE[self.name]}" if self.default is None else toml(self.default)


def every_league_setting() -> tuple[LeagueSetting, ...]:
    """Return all settings in the order of the reference."""
    declared = {field.name: field for field in msgspec.structs.fields(Settings)}
    return tuple(
        LeagueSetting(name, declared[name].type, getattr(USUAL, name), meaning, _may_be_value(name, declared[name].type))
        for name, meaning in MEANING.items()
    )


def _may_be_value(name: str, kind: Any) -> str:  # noqa: ANN401  # a type expression
    if name in LIMITS:
        low, high = LIMITS[name]
        phrase = f"a whole number from {low} to {high}"
        return f"{phrase}, or none" if name in NO_VALUE else phrase
    return _phrase(msgspec.inspect.type_info(kind))


def _phrase(info: msgspec.inspect.Type) -> str:
    match info:
        case msgspec.inspect.IntType():
            phrase = "a whole number"
        case msgspec.inspect.BoolType():
            phrase = "true or false"
        case msgspec.inspect.EnumType(cls=cls):
            phrase = "one of " + ", ".join(toml(one.value) for one in cls)
        case msgspec.inspect.UnionType(types=types):
            phrase = ", or ".join(_phrase(one) for one in types)
        case msgspec.inspect.NoneType():
            phrase = "none"
        case msgspec.inspect.VarTupleType(item_type=item):
            phrase = f"a list; each item is {_phrase(item)}"
        case msgspec.inspect.DictType(key_type=key):
            phrase = f"a section of exact numbers such as 1, 0.5 or 1/2, each behind {_phrase(key)}"
        case msgspec.inspect.StructType(cls=cls) if cls is TierSize:
            phrase = "{ size = 8, divisions = 1, moves = 2 }"
        case _:
            phrase = "text"
    return phrase


SUFFIX: Final = ".toml"
YES_OR_NO: Final = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
NOTHING: Final = frozenset({"none", "never"})
"""The words for having no value, where there may be none."""


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A named set of settings to open leagues with. `path` is its file. `game` and `time` are empty where the preset leaves them open."""

    path: Path
    about: str
    game: str = ""
    time: str = ""
    options: dict[str, str | int | bool] = {}
    settings: Settings = USUAL

    @property
    def name(self) -> str:
        """The name of the file, without its ending."""
        return self.path.stem


def presets_dir() -> Path:
    """Return the directory of the presets that come with the program."""
    return config_dir() / "leagues"


def presets() -> tuple[Preset, ...]:
    """Return the presets that come with the program, by name."""
    return tuple(read_preset(path) for path in sorted(presets_dir().glob(f"*{SUFFIX}")))


def preset(named: str) -> Preset:
    """Return a preset: one that comes with the program by its name, or any file by its path. Raises BadOption."""
    own = Path(named)
    # an ending or a directory makes it a path, so a file never hides a preset of the program
    if own.suffix == SUFFIX or len(own.parts) > 1:
        return read_preset(own)
    path = presets_dir() / f"{named.strip().lower().replace(' ', '-')}{SUFFIX}"
    if not path.is_file():
        names = [one.stem for one in sorted(presets_dir().glob(f"*{SUFFIX}"))]
        hint = _suggestion(named, names) or " `turnserver league presets` lists them."
        raise BadOption(f"There is no preset {named!r}.{hint} For a file of your own, write its ending too, {SUFFIX}.")
    return read_preset(path)


def read_preset(path: Path) -> Preset:
    """Return the preset in a file. Raises BadOption with the name of the file, the mistake, and the values that may stand there."""
    try:
        content = read_toml(path)
    except ConfigError as error:
        raise BadOption(str(error)) from error
    try:
        return _preset(path, content)
    except BadOption as error:
        raise BadOption(f"{path}: {error}") from error


def _preset(path: Path, content: Mapping[str, Any]) -> Preset:
    parts = [field.name for field in fields(Preset) if field.name != "path"]
    for key, value in content.items():
        if key not in parts:
            where = f" Write it below [settings]: {key} is a setting." if key in SETTINGS else _suggestion(key, parts)
            raise BadOption(f"There is no {key} in a preset.{where}")
        if not isinstance(value, dict if key in {"settings", "options"} else str):
            raise BadOption(f"The key {key} must be {'a section' if key in {'settings', 'options'} else 'text'}.")
    if not content.get("about"):
        raise BadOption('The key about is missing. Say in a sentence what such a league is like: about = "Everybody meets everybody."')
    settings = settings_of(content.get("settings", {}))
    # called for its refusals: a preset of settings that do not go together is refused when it is read, not when a league is opened
    complete(settings)
    rest = {key: value for key, value in content.items() if key != "settings"}
    return Preset(path=path, settings=settings, **rest)


def settings_of(given: Mapping[str, Any], before: Settings | None = None) -> Settings:
    """Return `before`, or else the defaults, with values from TOML on top.

    Raises BadOption for an unknown name and for a value of the wrong kind. It does not check whether the settings go together; that is done
    by `league.settings.complete`.
    """
    values: dict[str, Any] = asdict(before or USUAL)
    for name, value in given.items():
        values[name] = _converted(known(name), _as_text(value) if name in EXACT else value)
    return Settings(**values)


def with_assignments(settings: Settings, given: Iterable[str]) -> Settings:
    """Return the settings with typed assignments on top, such as `rounds=7`.

    Commas separate the values of a list. `points.draw=1/3` sets one of several values of a setting. Raises BadOption.
    """
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals):
            raise BadOption(f"Write a setting as name=value, not {text!r}.")
        name, _, inner = name.replace("-", "_").partition(".")
        one: object = {**_named_values(settings, known(name)), inner: value} if inner else _typed(known(name), value)
        settings = settings_of({name: one}, settings)
    return settings


def _named_values(settings: Settings, name: str) -> Mapping[str, str]:
    """Return the named values of a setting of which one is about to be set. Raises BadOption for a setting without any."""
    before = getattr(settings, name)
    if not isinstance(before, dict):
        raise BadOption(f"The setting {name} is one value and has no parts. Write {name}=value.")
    return before


def _typed(name: str, text: str) -> object:
    """Return the value that somebody has typed, as TOML or without its quotes and brackets."""
    kind = SETTINGS[name].type
    try:
        value: object = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = _plain(kind, text)
    # a list of one item needs no brackets
    return [value] if _may_be(kind, []) and not isinstance(value, list) else value


def _plain(kind: object, text: str) -> object:
    word = text.lower()
    if word in NOTHING and _may_be(kind, None):
        return None
    if word in YES_OR_NO and _may_be(kind, True):  # noqa: FBT003  # a value of the setting
        return YES_OR_NO[word]
    if not _may_be(kind, []):
        return text
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [int(part) if part.isdecimal() else part for part in parts]


def _may_be(kind: Any, value: object) -> bool:  # noqa: ANN401  # a type expression
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _converted(name: str, value: object) -> object:
    """Return a value in the type of the setting. Raises BadOption."""
    setting = SETTINGS[name]
    try:
        made: object = msgspec.convert(value, setting.type)
    except msgspec.ValidationError as error:
        raise BadOption(f"The setting {name} must be {setting.may_be}, not {shown(value)}.") from error
    return made


def known(name: str) -> str:
    """Return the name of a setting. Raises BadOption for any other name."""
    if name not in SETTINGS:
        raise BadOption(f"There is no setting {name}.{_suggestion(name, SETTINGS)} `turnserver league settings` lists them.")
    return name


def _as_text(value: object) -> object:
    if isinstance(value, dict):
        return {key: _as_text(one) for key, one in value.items()}
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _suggestion(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, sorted(known), n=1)
    return f" Did you mean {close[0]}?" if close else ""


SETTINGS: Final = {setting.name: setting for setting in every_league_setting()}
"""Every setting by name, in the order of the reference."""
EXACT: Final = frozenset({"points"})
"""Settings whose numbers are kept as text: as floats, three thirds of a point would not be a point."""
