"""Where the lots of a league come from when somebody looks at them afterwards: the secrets that it has told, or that are still kept."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from turnserver.ids import PlayerId
from turnserver.league.events import (
    ChallengeMade,
    ChallengesEnded,
    DecidedBy,
    EntryWithdrawn,
    GameAttached,
    LeagueEvent,
    LeagueOpened,
    LotsDrawn,
    PairAllowed,
    PairBarred,
    PenaltyGiven,
    PlayerEntered,
    PlayerJoined,
    PlayerMoved,
    PlayerReady,
    PlayersSunk,
    PlayerSubstituted,
    PlayerWithdrawn,
    PlayoffDecided,
    ReadyCheckBegun,
    ResultCorrected,
    ResultRecorded,
    ResultReopened,
    RoundOverdue,
    RoundPaired,
    RoundReminded,
    SeasonAnnounced,
    SeasonClosed,
    SeasonDropped,
    SeasonReopened,
    SeasonStarted,
    SettingsChanged,
    TablesCorrected,
)
from turnserver.league.scoring.lots import Lots, commitment, draw
from turnserver.league.scoring.marks import WON


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the secrets of a league's seasons, in the stead of its `Lots`.

    `committed` are the commitments by season, `told` the secrets that were revealed, `kept` those of whoever still has them all. Where no
    secret is known that fits the commitment of a season, lots are believed: `orders` are those that the events at hand speak of.
    """

    committed: Mapping[int, str]
    told: Mapping[int, str] = field(repr=False)
    kept: Lots | None = None
    orders: Mapping[frozenset[PlayerId], tuple[PlayerId, ...]] = field(default_factory=dict)

    def knows(self, season: int) -> bool:
        """Whether the lots of a season can be checked."""
        return self._secret(season) is not None

    def beside(self, events: Iterable[LeagueEvent]) -> "Evidence":
        """The same with the lots that these events speak of."""
        return replace(self, orders=dict(_orders(events)))

    def of(self, season: int) -> str:
        """The secret that was told of a season; empty if none was."""
        return self.told.get(season, "")

    def commitment(self, season: int) -> str:
        """What a season has committed to; empty if there was none."""
        return self.committed.get(season, "")

    def drawn(self, season: int, purpose: str, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """The players as the secret of the season has it, or else as it was recorded."""
        secret, those = self._secret(season), tuple(players)
        return self.orders.get(frozenset(those), those) if secret is None else draw(secret, purpose, those)

    def _secret(self, season: int) -> str | None:
        known = (self.told.get(season), None if self.kept is None else self.kept.of(season))
        return next((each for each in known if each is not None and commitment(each) == self.committed.get(season)), None)


def evidence(events: Iterable[LeagueEvent], kept: bytes | None) -> Evidence:
    """What the events of a league and the secret that is kept of it, if it is, say about its lots."""
    committed, told, number = dict[int, str](), dict[int, str](), 0
    for event in events:
        if isinstance(event, SeasonAnnounced):
            number = event.season
            committed[number] = event.commitment
        elif isinstance(event, SeasonClosed) and (number not in told or commitment(told[number]) != committed.get(number)):
            told[number] = event.secret
    return Evidence(committed, told, None if kept is None else Lots(kept))


def _orders(events: Iterable[LeagueEvent]) -> Iterator[tuple[frozenset[PlayerId], tuple[PlayerId, ...]]]:
    """Players and the order that lots have given them, as far as events show it."""
    met = dict[int, tuple[PlayerId, ...]]()
    for event in events:
        match event:
            case SeasonStarted():
                yield from ((frozenset(each.players), each.players) for each in event.divisions)
                yield frozenset({PlayerId(0), PlayerId(1)}), (PlayerId(event.odd_first), PlayerId(not event.odd_first))
            case LotsDrawn() | ChallengeMade():
                yield frozenset(event.players), event.players
            case RoundPaired():
                met |= {each.number: each.players for each in event.meetings}
            case ResultRecorded(by=DecidedBy.BARRED) if event.meeting in met:
                won = [player for player, mark in zip(met[event.meeting], event.marks, strict=False) if mark in WON]
                players = met[event.meeting]
                yield frozenset(players), (*won, *(player for player in players if player not in won))
            case (
                LeagueOpened()
                | SettingsChanged()
                | SeasonAnnounced()
                | PlayerEntered()
                | EntryWithdrawn()
                | ReadyCheckBegun()
                | PlayerReady()
                | SeasonDropped()
                | RoundReminded()
                | PlayerJoined()
                | PlayersSunk()
                | ChallengesEnded()
                | RoundOverdue()
                | GameAttached()
                | ResultRecorded()
                | ResultCorrected()
                | ResultReopened()
                | PlayerWithdrawn()
                | PlayerSubstituted()
                | PenaltyGiven()
                | PlayoffDecided()
                | SeasonClosed()
                | SeasonReopened()
                | TablesCorrected()
                | PlayerMoved()
                | PairBarred()
                | PairAllowed()
            ):
                pass
            case _:
                assert_never(event)
