"""The settings of a league as they are documented: in error messages, by `turnserver league settings` and in `config/LEAGUES.md`."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import msgspec

from turnserver.config.handbook import toml
from turnserver.league.settings import LIMITS, Settings, TierSize

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
        "points.bye does not say otherwise; who does not come has the points for a forfeit, and the others share the places above him.",
        "tie_breaks": "What parts players with equal points, in this order. Empty stands for "
        "the usual ones: in a round robin head to head, sonneborn-berger, wins, games won as second player, lots; in a Swiss event "
        "buchholz cut-1, buchholz, sonneborn-berger, wins, lots; at tables first places, second places, lots.",
        "least": "How many players a season needs; with fewer it does not begin.",
        "most": "How many players a season takes, 0 for any number. Others wait, and move up when somebody goes.",
        "entry_days": "For how many days entries are open when a season announces itself; 0 is until an admin starts it.",
        "rating_from": "The lowest rating that may enter. An admin can enter anybody.",
        "rating_to": "The highest rating that may enter.",
        "reliability": "How many percent of his turns somebody must have played in time who enters; whoever has played none may.",
        "ready_hours": "How many hours before the start players are asked whether they are there; who does not answer is not in. 0 asks "
        "nobody.",
        "tiers": "Divisions one above the other, the best first. Each tier has a size, how many divisions of that size stand side by side, "
        "and how many of its players move down while as many come up. The last one takes all who remain. Without any, all are in one.",
        "next_days": "How many days after the end of a season the next one is announced by itself, with everybody who played to the end.",
        "reach": "On a ladder, up to how many places above oneself one may challenge.",
        "challenges": "On a ladder, how many challenges of his own a player has at the same time, at most.",
        "defences": "On a ladder, how many challenges of others a player has to meet at the same time, at most.",
        "rest_days": "On a ladder, for how many days nobody may challenge a player who has just met a challenge.",
        "winner": "On a ladder, what a challenger wins: he takes the place of the other, who moves down with all between them; or the two "
        "change places.",
        "draw_lifts": "On a ladder, whether a challenger who draws moves up to right below the other.",
        "late_drop": "On a ladder, how many places somebody drops who loses on time or does not play, besides what the other wins.",
        "idle_days": "On a ladder, after how many days without a game somebody drops, and again after as many; 0 for never. Who stands at "
        "the top has nobody to challenge, and does not.",
        "idle_drop": "On a ladder, how many places somebody drops then.",
        "season_days": "On a ladder, how many days there are challenges for; the season ends with the last game. With 0, it ends when an "
        "admin closes it.",
    }
)
"""What each setting does, in the order of the reference."""

NO_VALUE: Final = MappingProxyType(
    {"rating_from": "there is no lowest", "rating_to": "there is no highest", "next_days": "an admin opens each season"}
)
"""What it means if there is no value."""


@dataclass(frozen=True, slots=True)
class LeagueSetting:
    """One setting as it is documented: what it does, and what it `may_be` as a phrase."""

    name: str
    type: object
    default: object
    meaning: str
    may_be: str

    @property
    def usual(self) -> str:
        """Its value if nothing is said, as TOML; in words where TOML has none."""
        return f"none: {NO_VALUE[self.name]}" if self.default is None else toml(self.default)


def every_league_setting() -> tuple[LeagueSetting, ...]:
    """All settings in the order of the reference."""
    declared = {field.name: field for field in msgspec.structs.fields(Settings)}
    return tuple(
        LeagueSetting(name, declared[name].type, _default(declared[name]), meaning, _may_be(name, declared[name].type))
        for name, meaning in MEANING.items()
    )


def _default(field: msgspec.structs.FieldInfo) -> object:
    made = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    return {} if made == {} else made


def _may_be(name: str, kind: Any) -> str:  # noqa: ANN401  # a type expression
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
