"""The cost of what leagues calculate: the slowest round of a large Swiss event, its table, and ratings from very many results."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time
from typing import Final

from tests.bench.measure import LOOP, Budget, Figure, loop
from tests.bench.scale import Scale
from turnserver.ids import GameId, PlayerId
from turnserver.league.formats.swiss import pair
from turnserver.league.scoring.marks import OTHER_SIDE, USUAL, Mark
from turnserver.league.scoring.ratings import ratings
from turnserver.league.scoring.record import Encounter, PlayRecord
from turnserver.league.scoring.results import Bearer, RatedResult
from turnserver.league.scoring.sheets import PairingTime, sheets_of
from turnserver.league.scoring.standings import table
from turnserver.league.scoring.tiebreaks import USUAL_ORDER

ROUNDS: Final = 11
MARKS: Final = (Mark.WIN, Mark.LOSS, Mark.DRAW)
BEGIN: Final = datetime(2027, 1, 1, tzinfo=UTC)
ROUND: Final = Budget(5_000, absolute=True)


def leagues(directory: Path, scale: Scale) -> Iterator[Figure]:
    """In processor time; results are drawn, each mark as likely as the others."""
    del directory
    chance = random.Random(0)  # noqa: S311  # repeatable on purpose
    players = [PlayerId(number) for number in range(1, scale.swiss + 1)]
    played: list[Encounter] = []
    took = []
    for number in range(1, min(ROUNDS, scale.swiss // 2) + 1):
        began = process_time()
        paired = pair(number, players, PlayRecord(players, played), USUAL)
        took.append(process_time() - began)
        played += (_with_result(one, chance) for one in paired)
    if sorted(set(Counter(player for one in played for player in one.players).values())) != [len(took)]:
        raise AssertionError("somebody was left out of a round")
    slowest = f"pair the slowest of {len(took)} rounds of {len(players)} players"
    baseline = loop() * 1e3
    yield Figure("swiss", slowest, "ms", max(took) * 1e3, LOOP, baseline, max(took) * 1e3 / baseline, ROUND)
    began = process_time()
    standings = table(
        sheets_of(PlayRecord(players, played), USUAL, PairingTime.BY_STANDING), USUAL_ORDER[PairingTime.BY_STANDING]
    ).standings
    spent = process_time() - began
    if len(standings) != len(players):
        raise AssertionError(f"the table has {len(standings)} of {len(players)} players")
    yield Figure("standings", "the table of that event", "ms", spent * 1e3)
    results = [_drawn(number, chance, scale.swiss) for number in range(1, scale.results + 1)]
    began = process_time()
    rated = ratings("take", results)
    spent = process_time() - began
    counted = sum(rated.history(player)[-1].rating.games for player in rated.players())
    if counted != 2 * len(results):
        raise AssertionError(f"{len(results)} games of two were counted {counted} times")
    yield Figure("ratings", f"ratings from {scale.results:,} results", "ms", spent * 1e3)


def _with_result(one: Encounter, chance: random.Random) -> Encounter:
    if len(one.players) < 2:
        return one
    mark = chance.choice(MARKS)
    return Encounter(one.round, one.players, (mark, OTHER_SIDE[mark]))


def _drawn(number: int, chance: random.Random, players: int) -> RatedResult:
    """A game of two of the players, some minutes after the one before."""
    sides = chance.sample(range(1, players + 1), 2)
    places = chance.choice(((1, 2), (2, 1), (1, 1)))
    return RatedResult(BEGIN + number * timedelta(minutes=10), GameId(number), tuple((Bearer(PlayerId(one)),) for one in sides), places)
