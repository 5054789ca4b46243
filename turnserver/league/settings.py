"""The settings of a league: how its seasons are played, who may enter, what counts, and who moves up and down."""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec.structs import replace

from turnserver.errors import BadOption
from turnserver.league.divisions import Tier
from turnserver.league.formats.knockout import Drawn
from turnserver.league.formats.ladder import LadderRules, Winner
from turnserver.league.formats.multiseat import MOST
from turnserver.league.scoring.marks import USUAL, Mark, Scoring
from turnserver.league.scoring.sheets import NO_PLACES, PairingTime, Places
from turnserver.league.scoring.tiebreaks import FOR_TWO, LARGE_TABLES, UNFIT, USUAL_AT_TABLES, USUAL_ORDER, TieBreak
from turnserver.text import say


class Format(StrEnum):
    """The way in which the pairs of a division are found."""

    ROUND_ROBIN = "round robin"
    DOUBLE_ROUND_ROBIN = "double round robin"
    SWISS = "swiss"
    MCMAHON = "mcmahon"
    KNOCKOUT = "knockout"
    DOUBLE_KNOCKOUT = "double knockout"
    LADDER = "ladder"
    TABLES = "tables"
    """Tables of three or four that change from round to round, so that all meet about equally often."""


class Pace(StrEnum):
    """The pace of rounds: all go on `together`, or each begins when the one before is over."""

    TOGETHER = "together"
    ROUND_BY_ROUND = "round by round"


class Seeding(StrEnum):
    """In which order players are numbered for pairing: the strongest first, or as the lots fall, as always where all meet."""

    RATING = "rating"
    LOTS = "lots"


class WhenUnfinished(StrEnum):
    """The consequence for a game that is not over at the deadline of its round.

    An `admin` decides, it has `no result`, it is a `draw`, or a `forfeit` of whoever has the turn. A game that was never opened has no
    result, unless an admin decides.
    """

    ADMIN = "admin"
    NO_RESULT = "no result"
    DRAW = "draw"
    FORFEIT = "forfeit"


class Approval(StrEnum):
    """A thing that a director approves before it holds: the `pairings` of a round before its games begin, and the final `table`."""

    PAIRINGS = "pairings"
    TABLE = "table"


FIXED: Final = frozenset({Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN})
SCHEDULED: Final = FIXED | {Format.TABLES}
"""Formats whose rounds do not depend on results."""
SWISS: Final = frozenset({Format.SWISS, Format.MCMAHON})
"""Formats whose rounds are paired by the standings."""
CUPS: Final = frozenset({Format.KNOCKOUT, Format.DOUBLE_KNOCKOUT})
WITHOUT_POINTS: Final = CUPS | {Format.LADDER}
"""The formats in which places do not come from points."""
OF_LADDER: Final = (
    "reach",
    "challenges",
    "defences",
    "rest_days",
    "winner",
    "draw_lifts",
    "late_drop",
    "idle_days",
    "idle_drop",
    "season_days",
)
"""The settings that only a ladder has."""
TABLE_SIZES: Final = (3, 4)
LONGEST: Final = 366
"""The most days that anything here may last."""
MOST_PLAYERS: Final = 1000
MOST_DIVISIONS: Final = 50
NEWEST: Final = 3
"""The rules of leagues that are set up now. Logs have leagues of all earlier ones, and audits decide these again."""
LIMITS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "rules": (1, NEWEST),
        "rounds": (1, 50),
        "seats": (0, 4),
        "at_once": (0, 100),
        "replays": (0, 10),
        "remind_percent": (0, 99),
        "round_every": (0, LONGEST),
        "round_days": (0, LONGEST),
        "least": (2, MOST_PLAYERS),
        "most": (0, MOST_PLAYERS),
        "entry_days": (0, LONGEST),
        "reliability": (0, 100),
        "ready_hours": (0, 24 * LONGEST),
        "next_days": (0, LONGEST),
        "approve_hours": (0, 24 * LONGEST),
        "reach": (1, MOST_PLAYERS),
        "challenges": (1, 100),
        "defences": (1, 100),
        "rest_days": (0, LONGEST),
        "late_drop": (0, MOST_PLAYERS),
        "idle_days": (0, LONGEST),
        "idle_drop": (0, MOST_PLAYERS),
        "season_days": (0, LONGEST),
    }
)
"""The ranges of numbers among the settings."""
POINTS = re.compile(r"-?[0-9]{1,3}(/[1-9][0-9]{0,2}|\.[0-9]{1,3})?")


class TierSize(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tier: so many `divisions` side by side of `size` players each. `moves` players of it go down, and as many of the next come up."""

    size: int
    divisions: int = 1
    moves: int = 0


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a league; 0 is no limit, and no days or hours where there are none to wait.

    `rounds` are those of Swiss and McMahon events and of tables, `bounds` the ratings at which the bands of McMahon begin. A player has at
    most `at_once` games at the same time. Rounds begin `round_every` days apart, later if they have to wait for the one before; without
    that distance, with the season, or as soon as they need not wait. A round is to be over `round_days` after it began; where all begin
    with the season, the second one after twice as many days, and so on; whoever still plays is reminded when `remind_percent` of that time
    has passed. In a cup, a draw is replayed `replays` times, and then `cup_draw` says who goes on, as it does between two who are not to
    meet; a `third_place` may be played for. `points` are exact numbers in text (`1/2`, `0.5`) for marks that are not to count as usual; in
    a round robin, where everybody has them, byes usually count for nothing. `tie_breaks` decide in their order, and none at all stands for
    the usual ones.

    A game has as many `seats` as its options say: two, but three or four at tables. There, `places` are the points for the first, the
    second, ..., usually one for each player who is left behind. Those who share places have equal shares of the points for them, and a bye
    is usually worth as much as a place on average.

    A season needs `least` players and takes `most`, others wait; entries are open for `entry_days` if it announces itself. Whoever enters
    has a rating from `rating_from` to `rating_to`, and plays at least `reliability` percent of their turns in time. Before the start,
    players have `ready_hours` to say that they are there. The last of the `tiers` takes all who remain; without any, everybody is in one
    division. The next season is announced `next_days` after the end of one, with everybody who played to the end; never, if that is None.

    A director approves what `approve` names: until then, pairings are published but their games do not begin, and the season is not over.
    After `approve_hours` it holds by itself; without them it waits for the director.

    On a ladder, players challenge those who stand up to `reach` places above them, and whoever is challenged plays: they have to meet
    `defences` challenges at once, and rest for `rest_days` after each that they have met. A player has `challenges` of their own at once.
    Who wins one `steps in` to the place of the other, or `swaps` with them (`winner`); a draw lifts right below only if it `draw_lifts`.
    Who loses on time or forfeits drops `late_drop` places, who plays nothing for `idle_days` drops `idle_drop`; at the top, nobody is
    idle. A challenge is to be played within `round_days`. After `season_days` there are no new ones, and the season ends with the last
    game; without them, it ends when an admin closes it.

    `rules` say which of our own rules hold where later ones differ. From the second on, those who are to play for the third place of a cup
    have places 3 and 4 also before their game begins; and Swiss and McMahon rounds do not have players take turns at a seat where chance
    decides who begins.
    """

    format: Format = Format.ROUND_ROBIN
    rounds: int = 5
    seats: int = 0
    bounds: tuple[int, ...] = ()
    pace: Pace = Pace.TOGETHER
    at_once: int = 0
    round_every: int = 0
    round_days: int = 0
    when_unfinished: WhenUnfinished = WhenUnfinished.ADMIN
    remind_percent: int = 75
    seeding: Seeding = Seeding.RATING
    replays: int = 2
    cup_draw: Drawn = Drawn.HIGHER_SEED
    third_place: bool = False
    points: dict[Mark, str] = {}
    places: tuple[str, ...] = ()
    tie_breaks: tuple[TieBreak, ...] = ()
    least: int = 3
    most: int = 0
    entry_days: int = 14
    rating_from: int | None = None
    rating_to: int | None = None
    reliability: int = 0
    ready_hours: int = 0
    tiers: tuple[TierSize, ...] = ()
    next_days: int | None = None
    approve: tuple[Approval, ...] = ()
    approve_hours: int = 0
    reach: int = 3
    challenges: int = 2
    defences: int = 2
    rest_days: int = 7
    winner: Winner = Winner.STEPS_IN
    draw_lifts: bool = False
    late_drop: int = 1
    idle_days: int = 60
    idle_drop: int = 1
    season_days: int = 0
    # leagues of before there were others say nothing
    rules: int = 1

    @property
    def pairing(self) -> PairingTime:
        """The pairing of the format: fixed if all pairs are known beforehand.

        A ladder counts as fixed, for nobody stays away from a round there.
        """
        return PairingTime.FIXED if self.format in SCHEDULED or self.format is Format.LADDER else PairingTime.BY_STANDING

    @property
    def usual_seats(self) -> int:
        """The number of players of a game, if nothing else is said."""
        return self.seats or (4 if self.format is Format.TABLES else 2)

    @property
    def usual_places(self) -> tuple[str, ...]:
        """The points for places, if nothing else is said. Only tables of more than two have some."""
        # one point for each player who is left behind
        behind = range(self.usual_seats - 1, -1, -1) if self.format is Format.TABLES else ()
        return self.places or tuple(map(str, behind))

    @property
    def usual_order(self) -> tuple[TieBreak, ...]:
        """The tie-breaks, if no others are given. A cup and a ladder have none."""
        usual = USUAL_AT_TABLES if self.format is Format.TABLES else USUAL_ORDER[self.pairing]
        return () if self.format in WITHOUT_POINTS else self.tie_breaks or usual


def complete(settings: Settings) -> Settings:
    """Return the settings with all defaults spelled out. Refuses with BadOption settings that cannot be played."""
    for told in _wrong(settings):
        raise BadOption(told)
    usual = {mark: str(points) for mark, points in USUAL.points.items()} | _usual_bye(settings)
    return replace(
        settings,
        points={mark: settings.points.get(mark, usual[mark]) for mark in Mark},
        seats=settings.usual_seats,
        places=settings.usual_places,
        tie_breaks=settings.usual_order,
        # where pairs follow from results, a round has to wait for the one before
        pace=settings.pace if settings.format in SCHEDULED else Pace.ROUND_BY_ROUND,
        seeding=Seeding.LOTS if settings.format in SCHEDULED else settings.seeding,
        least=max(settings.least, settings.usual_seats),
    )


def _usual_bye(settings: Settings) -> dict[Mark, str]:
    """Return the usual worth of a bye in formats that have one of their own; empty elsewhere."""
    if settings.format in FIXED:
        # everybody has as many byes as everybody else
        return {Mark.BYE: "0"}
    values = list(map(Fraction, settings.usual_places))
    return {Mark.BYE: str(sum(values) / len(values))} if values else {}


def scoring(settings: Settings) -> Scoring:
    """Return the worth of marks under complete settings."""
    return Scoring({mark: Fraction(text) for mark, text in settings.points.items()}, USUAL.rated, USUAL.played)


def place_points(settings: Settings) -> Places:
    """Return the points for places at a table of more than two under complete settings."""
    return {settings.seats: tuple(map(Fraction, settings.places))} if settings.places else NO_PLACES


def tiers(settings: Settings, players: int) -> tuple[Tier, ...]:
    """Return the tiers for so many players. A table takes so many at most, and one full table at least."""
    at_tables = settings.format is Format.TABLES
    sizes = settings.tiers or (TierSize(size=min(max(players, 2), MOST if at_tables else MOST_PLAYERS)),)
    return tuple(Tier(each.size, each.divisions, each.moves, least=settings.seats if at_tables else 1) for each in sizes)


def ladder_rules(settings: Settings) -> LadderRules:
    """Return the rules of a ladder of these settings."""
    return LadderRules(
        reach=settings.reach,
        games=settings.challenges,
        defences=settings.defences,
        rest=timedelta(days=settings.rest_days),
        winner=settings.winner,
        draw_lifts=settings.draw_lifts,
        late_drop=settings.late_drop,
        idle=timedelta(days=settings.idle_days) or None,
        idle_drop=settings.idle_drop,
    )


def _wrong(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each mistake in the settings."""
    yield from _out_of_range(settings)
    yield from _bad_points(settings)
    yield from _unfit_tie_breaks(settings)
    yield from _unfit_tables(settings)
    if any(lower >= upper for lower, upper in pairwise(settings.bounds)):
        yield say("The bounds of the bands have to go up, such as 1400, 1600, 1800.")
    if settings.bounds and settings.format is not Format.MCMAHON:
        yield say("Only McMahon events have bands. Leave out the bounds, or choose that format.")
    if settings.rating_from is not None and settings.rating_to is not None and settings.rating_from > settings.rating_to:
        yield say("No rating can be from {low} to {high}. Swap the two.", low=settings.rating_from, high=settings.rating_to)
    # a league of tables cannot begin with fewer than one table
    least = max(settings.least, settings.usual_seats)
    if settings.most and settings.most < least:
        yield say("A season can't need {least} players and take only {most}.", least=least, most=settings.most)
    yield from _unfit_for_cups(settings)
    yield from _unfit_for_ladder(settings)
    if settings.approve_hours and not settings.approve:
        yield say("With approve_hours, something has to be approved. Name pairings or table in approve.")
    for tier in settings.tiers:
        if not 2 <= tier.size <= MOST_PLAYERS or not 1 <= tier.divisions <= MOST_DIVISIONS:
            yield say("A tier has 1 to {most} divisions, and a division at least 2 players.", most=MOST_DIVISIONS)
        if not 0 <= 2 * tier.moves <= tier.size * tier.divisions:
            yield say("At most half a tier can move up or down. Let fewer move, or make the divisions larger.")


def _unfit_for_cups(settings: Settings) -> Iterator[str]:
    """Yield sentences about settings that a cup cannot have, or only a cup."""
    if settings.format in CUPS and settings.when_unfinished is WhenUnfinished.NO_RESULT:
        yield say("In a cup, somebody has to go through. Let an admin decide unfinished games, or make them draws or forfeits.")
    if settings.third_place and settings.format is not Format.KNOCKOUT:
        yield say("Only a knockout has a game for third place. Leave it out, or choose that format.")
    if settings.cup_draw is not Drawn.HIGHER_SEED and settings.format not in CUPS:
        yield say("Only in a cup does somebody have to go through after a draw. Leave this out, or choose such a format.")


def _unfit_for_ladder(settings: Settings) -> Iterator[str]:
    """Yield sentences about settings that a ladder cannot have, or only a ladder."""
    if settings.format is not Format.LADDER:
        usual = Settings()
        yield from (
            say("Only a ladder has {name}. Leave it out, or choose that format.", name=name)
            for name in OF_LADDER
            if getattr(settings, name) != getattr(usual, name)
        )
        return
    if settings.tiers:
        yield say("A ladder is one table from top to bottom. Leave out the tiers.")
    if settings.at_once:
        yield say("On a ladder, challenges and defences say how many games a player has at the same time. Leave out at_once.")
    if settings.round_every:
        yield say("On a ladder, games begin when somebody challenges. Leave out round_every.")
    if Approval.PAIRINGS in settings.approve:
        yield say("On a ladder, nobody is paired, so there are no pairings to approve. Leave them out.")
    if settings.tie_breaks:
        yield say("On a ladder, the order is the table. Leave out the tie-breaks.")


def _out_of_range(settings: Settings) -> Iterator[str]:
    for name, (low, high) in LIMITS.items():
        value = getattr(settings, name)
        if value is not None and not low <= value <= high:
            yield say("The setting {name} can't be {value}. Choose {low} to {high}.", name=name, value=value, low=low, high=high)


def _bad_points(settings: Settings) -> Iterator[str]:
    """Yield sentences about points that are not numbers, or the wrong way round."""
    places = ((text, say("place {number}", number=at)) for at, text in enumerate(settings.places, start=1))
    for text, what in (*((text, mark.value) for mark, text in settings.points.items()), *places):
        if not POINTS.fullmatch(text):
            yield say("'{text}' isn't a number of points for {mark}. Write 1, 0.5 or 1/2.", text=text[:20], mark=what)
    # bad text was told above, and the caller takes the first sentence only: this generator stops there
    values = {mark: Fraction(settings.points.get(mark, str(USUAL.points[mark]))) for mark in (Mark.WIN, Mark.DRAW, Mark.LOSS)}
    if not values[Mark.WIN] > values[Mark.LOSS] or not values[Mark.WIN] >= values[Mark.DRAW] >= values[Mark.LOSS]:
        yield say("A win has to be worth more than a loss, and a draw something in between.")


def _unfit_tie_breaks(settings: Settings) -> Iterator[str]:
    """Yield sentences about tie-breaks that are useless in these settings."""
    order = settings.tie_breaks
    if order and settings.format in CUPS:
        yield say("In a cup, places come from the bracket. Leave out the tie-breaks.")
    for at, tie_break in enumerate(order):
        name = tie_break.value
        if tie_break is TieBreak.POINTS:
            yield say("Points come before all tie-breaks. Leave them out of the order.")
        if tie_break in order[:at]:
            yield say("'{name}' is in the order of tie-breaks twice. Once is enough.", name=name)
        if tie_break in FOR_TWO and settings.format is Format.TABLES:
            yield say("'{name}' is for games of two. Leave it out of the tie-breaks.", name=name)
        elif tie_break in UNFIT[settings.pairing] and settings.format is not Format.TABLES:
            yield say("'{name}' says nothing where everybody plays everybody. Leave it out of the tie-breaks.", name=name)
        if tie_break in LARGE_TABLES and settings.format is not Format.TABLES:
            yield say("'{name}' is for games of more than two. Leave it out of the tie-breaks.", name=name)
        if TieBreak.LOTS in order[:at]:
            yield say("Lots separate everybody, so '{name}' after them would never count. Put lots last.", name=name)


def _unfit_tables(settings: Settings) -> Iterator[str]:
    """Yield sentences about a wrong number of seats, or wrong points for places."""
    if settings.format is not Format.TABLES:
        if settings.usual_seats != 2:
            yield say("In this format, games are for two. Choose the format 'tables' for games of three or four.")
        if settings.places:
            yield say("Only tables of three or four have points for places. Leave them out, or choose the format 'tables'.")
        return
    seats = settings.usual_seats
    if seats not in TABLE_SIZES:
        yield say("Tables are for three or four players. Choose another format for games of two.")
    if len(settings.usual_places) != seats:
        yield say(
            "There are {n} at a table. Give the points of {n} places, such as {example}.", n=seats, example=", ".join("6310"[-seats:])
        )
    worth = [Fraction(text) for text in settings.places]
    if worth and (worth[0] <= worth[-1] or any(better < worse for better, worse in pairwise(worth))):
        yield say("No place can be worth more than the one above it, and the first has to be worth more than the last.")
    if any(tier.size < seats for tier in settings.tiers):
        yield say("There are {n} at a table, so no division can be smaller. Make the tiers larger.", n=seats)
