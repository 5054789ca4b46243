"""Explanations of a player's line of the table, as sentences for that player: their place, and every summand of every figure."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias, assert_never

from turnserver.ids import PlayerId
from turnserver.league.events import Division
from turnserver.league.formats.knockout import BracketTie, Vacancy
from turnserver.league.formats.ladder import ChallengeMadeAt, ChallengeOver, Climb, Joined, Ladder, Left, Stood, Sunk, stepped
from turnserver.league.formats.seating import seat_begins
from turnserver.league.presentation.words import MARKS, MEANINGS, TIE_BREAKS, line_told, points_told
from turnserver.league.scoring.marks import ON_THE_BOARD
from turnserver.league.scoring.record import PlayerPart
from turnserver.league.scoring.sheets import LineKind, PairingTime, Sheets
from turnserver.league.scoring.standings import Standing, Table, bracket_of, counted, division_table, sheets
from turnserver.league.scoring.tiebreaks import ABOUT_SECOND, AMONG_TIED, COUNTED, Figure, Term, TieBreak, head_to_head
from turnserver.league.settings import CUPS, FIXED
from turnserver.league.state import LeagueState, Penalty, Phase, Season
from turnserver.text import joined, listing, say

Moving: TypeAlias = Joined | Left | ChallengeOver | Sunk


def way_of(climb: Climb, line: PlayerId, names: Mapping[PlayerId, str]) -> Iterator[str]:
    """Yield a sentence for each step that has moved a player, in the order in which they count, with the player's place after it.

    The player's own meetings are included even if they moved nobody. `names` has everybody who has been on the ladder.
    """
    ladder = climb.start
    if line in ladder.order:
        yield say("At the start: place {place}.", place=_place(ladder, line))
    for step in climb.steps:
        before, ladder = ladder, stepped(climb.rules, ladder, step)
        is_own = isinstance(step, ChallengeOver) and any(claim.meeting == step.meeting and line in claim[1:] for claim in before.claims)
        # a challenge alone moves nobody, and neither does a pause
        if not isinstance(step, ChallengeMadeAt | Stood) and (is_own or _place(before, line) != _place(ladder, line)):
            yield _told(step, before, line, names, _place(ladder, line))


def _place(ladder: Ladder, line: PlayerId) -> int:
    # place 0 is no place on the ladder
    return ladder.order.index(line) + 1 if line in ladder.order else 0


def _told(step: Moving, before: Ladder, line: PlayerId, names: Mapping[PlayerId, str], place: int) -> str:
    match step:
        case Joined():
            return say("Joined the ladder: place {place}.", place=place)
        case Left():
            if step.player == line:
                return say("Left the ladder.")
            return say("{name} left the ladder: place {place}.", name=names[step.player], place=place)
        case Sunk():
            if line in step.players:
                return say("Didn't play for too long: place {place}.", place=place)
            listed = listing([names[player] for player in step.players], "and")
            return say("{names} didn't play for too long: place {place}.", names=listed, place=place)
        case ChallengeOver():
            return _met(step, before, line, names, place)
        case _:
            assert_never(step)


def _met(step: ChallengeOver, before: Ladder, line: PlayerId, names: Mapping[PlayerId, str], place: int) -> str:
    """Return a sentence about the result of a meeting, for one of its players or for somebody else whom it has moved."""
    _, challenger, defender = next(claim for claim in before.claims if claim.meeting == step.meeting)
    own, others = (MARKS[mark] for mark in step.marks)
    if line == challenger:
        return say("Challenged {name}, {mark}: place {place}.", name=names[defender], mark=own, place=place)
    if line == defender:
        return say("Challenged by {name}, {mark}: place {place}.", name=names[challenger], mark=others, place=place)
    return say(
        "{challenger} challenged {name}, {mark}: place {place}.",
        challenger=names[challenger],
        name=names[defender],
        mark=own,
        place=place,
    )


KINDS: Final[Mapping[LineKind, str]] = MappingProxyType(
    {
        LineKind.WALKOVER: say("won by forfeit"),
        LineKind.DEFAULT: say("lost by forfeit"),
        LineKind.VOID: say("no result"),
        LineKind.BYE: say("bye"),
        LineKind.REQUESTED: say("bye on request"),
        LineKind.ABSENT: say("not there"),
    }
)
"""The words for a round that was not a game."""


class Explanation(NamedTuple):
    """A heading such as `Sonneborn-Berger: 2¾`, its meaning (perhaps empty), and its summands."""

    heading: str
    meaning: str
    summands: tuple[str, ...]


def explain(
    state: LeagueState, season: Season, division: Division, line: PlayerId, names: Mapping[PlayerId, str]
) -> tuple[Explanation, ...]:
    """Return the explanations of a line: its place, then its figures in the order in which they are asked.

    Empty for a line not in the table.
    """
    return explain_lines(state, season, division, [line], names).get(line, ())


def explain_lines(
    state: LeagueState, season: Season, division: Division, lines: Collection[PlayerId], names: Mapping[PlayerId, str]
) -> dict[PlayerId, tuple[Explanation, ...]]:
    """Return the explanations of several lines, as `explain` does of one, without lines that are not in the table."""
    found = division_table(state, season, division)
    explaining = _Explaining(state, season, division, found, names)
    return {standing.player: tuple(explaining.line(standing)) for standing in found.standings if standing.player in lines}


def parted_by(found: Sheets, order: Sequence[TieBreak], one: Standing, other: Standing) -> TieBreak | None:
    """Return the first tie-break that has parted two lines of a table: the points or one of `order`. None if nothing has."""
    for tie_break in (TieBreak.POINTS, *order):
        here, there = one.explain(tie_break), other.explain(tie_break)
        if not here or not there:
            continue
        if tie_break is TieBreak.HEAD_TO_HEAD:
            # two may have different figures and yet be together, if somebody among them has not met all others
            tiers, _ = head_to_head(found, here[0].among)
            if not any({one.player, other.player} <= set(tier) for tier in tiers):
                return tie_break
        elif here[0].value != there[0].value:
            return tie_break
    return None


class _Explaining:
    """A division whose lines are explained."""

    def __init__(self, state: LeagueState, season: Season, division: Division, found: Table, names: Mapping[PlayerId, str]) -> None:
        self.state, self.season, self.division, self.found = state, season, division, found
        self.record = counted(season, division)
        self.sheets = sheets(state, season, division)
        self.everybody = names
        self.names = {line: line_told(season, line, names) for line in division.players}

    def line(self, standing: Standing) -> Iterator[Explanation]:
        """Yield how a line came to its place, and how each of its figures came about."""
        if self.state.settings.format in CUPS:
            yield self.cup(standing)
        elif self.season.climb is not None:
            yield self.on_ladder(standing, self.season.climb)
        else:
            yield self.place(standing)
            yield from (self.figure(standing, figure) for figure in standing.figures)
            yield from self.parted(standing.player)

    def place(self, standing: Standing) -> Explanation:
        """Return how a line came to its place: the figures that have parted it from lines with as many points."""
        return Explanation(self._place(standing), "", tuple(self._parted(standing)))

    def cup(self, standing: Standing) -> Explanation:
        """Return how far a player of a cup has come."""
        ties = bracket_of(self.state, self.season, self.division).ties
        return Explanation(
            self._place(standing), "", tuple(self._tie(standing.player, tie) for tie in ties if standing.player in tie.players)
        )

    def on_ladder(self, standing: Standing, climb: Climb) -> Explanation:
        """Return the steps by which a player has come to their place on the ladder."""
        return Explanation(self._place(standing), "", tuple(way_of(climb, standing.player, self.names)))

    def parted(self, line: PlayerId) -> Iterator[Explanation]:
        """Yield the games that are over and count here no more, since somebody has moved to another division."""
        homes = {player: division.name for division in self.season.divisions for player in division.players}
        gone = [
            say(
                "Round {round} against {names}, now in division {division}.",
                round=one.round,
                names=self._all(other for other in one.players if other != line),
                division=next(homes[other] for other in one.players if homes[other] != self.division.name),
            )
            for one in self.season.fixtures
            if one.parted and line in one.players
        ]
        if gone:
            kept = "" if self.state.settings.format in FIXED else say("Their points are kept as byes.")
            yield Explanation(say("Games that are out of this table"), kept, tuple(gone))

    def _all(self, lines: Iterable[PlayerId]) -> str:
        return listing([line_told(self.season, line, self.everybody) for line in lines], "and")

    def figure(self, standing: Standing, figure: Figure) -> Explanation:
        """Return how a figure came about."""
        tie_break, value = figure.tie_break, points_told(figure.value)
        name, meaning = TIE_BREAKS[tie_break], MEANINGS[tie_break]
        if tie_break in ABOUT_SECOND and not seat_begins(self.state):
            meaning = say("{counted}; second stands for the second seat, whoever began", counted=meaning)
        if tie_break is TieBreak.HEAD_TO_HEAD:
            heading = say("{name} between {players}: {value}", name=name, players=self._listed(figure.among), value=value)
            return Explanation(heading, meaning, tuple(self._met(figure)))
        if tie_break in AMONG_TIED:
            heading = say("{name} between {players}", name=name, players=self._listed(figure.among))
            return Explanation(heading, meaning, (self._order(figure),))
        heading = say("{name}: {value}", name=name, value=value)
        if tie_break is TieBreak.POINTS:
            return Explanation(heading, meaning, tuple(self._points(standing.player, figure)))
        others = {TieBreak.PROGRESSIVE: self._progress, TieBreak.KOYA: self._against_half}
        told = self._counted if tie_break in COUNTED else others.get(tie_break, self._strength)
        return Explanation(heading, meaning, tuple(told(standing.player, figure, term) for term in figure.terms))

    def _place(self, standing: Standing) -> str:
        return say("Place {place} of {n}", place=standing.place, n=len(self.found.standings))

    def _parted(self, standing: Standing) -> Iterator[str]:
        order = self.state.settings.tie_breaks
        at = self.found.standings.index(standing)
        for number, other in enumerate(self.found.standings):
            by = parted_by(self.sheets, order, standing, other)
            if by is TieBreak.POINTS or other is standing:
                continue
            name = self.names[other.player]
            if by is None or standing.place == other.place:
                yield say("Level with {name}: no tie-break separates the two.", name=name)
            elif number > at:
                yield say(
                    "Before {name} by {tie_break}{figures}.", name=name, tie_break=TIE_BREAKS[by], figures=_compared(by, standing, other)
                )
            else:
                yield say(
                    "Behind {name} by {tie_break}{figures}.", name=name, tie_break=TIE_BREAKS[by], figures=_compared(by, standing, other)
                )

    def _tie(self, line: PlayerId, tie: BracketTie) -> str:
        """Return a sentence about the outcome of a player's tie in a cup."""
        opponents = [player for player in tie.players if player != line]
        if not opponents:
            return say("Round {round}: no opponent.", round=tie.round)
        name = self.names[opponents[0]]
        if tie.winner == line:
            return say("Round {round}: went through against {name}.", round=tie.round, name=name)
        if tie.winner is Vacancy.YET and self.season.phase is Phase.CLOSED:
            return say("Round {round}: not decided against {name}.", round=tie.round, name=name)
        if tie.winner is Vacancy.YET:
            return say("Round {round}: still plays against {name}.", round=tie.round, name=name)
        return say("Round {round}: lost against {name}.", round=tie.round, name=name)

    def _points(self, line: PlayerId, figure: Figure) -> Iterator[str]:
        """Yield a sentence for each round.

        The finished parts of the record come in the same order as the rounds in which there was one.
        """
        parts = iter([part for part in self.record.parts(line) if part.mark is not None])
        penalties = iter(self.season.penalties.get(line, ()))
        for term in figure.terms:
            points = points_told(term.value)
            if term.kind is None:
                yield say("{points} at the start.", points=points)
            elif term.kind is LineKind.PENALTY:
                yield _penalty(points, next(penalties))
            elif term.kind is LineKind.ABSENT:
                yield say("Round {round}: {points} ({what}).", round=term.round, points=points, what=KINDS[term.kind])
            else:
                yield self._scored(line, term, points, next(parts))

    def _scored(self, line: PlayerId, term: Term, points: str, part: PlayerPart) -> str:
        what = MARKS[part.mark] if part.mark is not None else ""
        if part.worth is not None:
            what = self._without_game(line, LineKind.REQUESTED, part.round)
        if not part.opponents:
            return say("Round {round}: {points} ({what}).", round=term.round, points=points, what=what)
        names = self._listed(part.opponents)
        if part.place is not None and part.mark in ON_THE_BOARD:
            place = part.place
            return say(
                "Round {round}: {points} for place {place} against {names}.", round=term.round, points=points, place=place, names=names
            )
        return say("Round {round}: {points} against {names} ({what}).", round=term.round, points=points, names=names, what=what)

    def _without_game(self, line: PlayerId, kind: LineKind, number: int) -> str:
        """Return what a round without a game was to a line."""
        if kind is not LineKind.REQUESTED or (line, number) in self.season.byes:
            return KINDS[kind]
        moved = any(one.parted and one.round == number and line in one.players for one in self.season.fixtures)
        return say("kept from another division") if moved or line not in self.season.late else say("entered late")

    def _strength(self, line: PlayerId, figure: Figure, term: Term) -> str:
        """Return the sentence about a summand of Buchholz or Sonneborn-Berger."""
        has, value = self._has(line, term), points_told(term.value)
        if figure.tie_break is TieBreak.SONNEBORN_BERGER:
            return say(
                "Round {round}: {has}; times {factor} is {value}.", round=term.round, has=has, factor=points_told(term.factor), value=value
            )
        if not term.factor:
            return say("Round {round}: {has}; this one is left out.", round=term.round, has=has)
        return say("Round {round}: {has}.", round=term.round, has=has)

    def _progress(self, _line: PlayerId, _: Figure, term: Term) -> str:
        """Return the sentence about a summand of the progressive score."""
        points, value, times = points_told(term.score), points_told(term.value), int(term.factor)
        if not term.round:
            return say(
                "{points} at the start; in the score of {n} round, {value}.",
                "{points} at the start; in the score of {n} rounds, {value}.",
                points=points,
                n=times,
                value=value,
            )
        return say(
            "Round {round}: {points}; in the score of {n} round, {value}.",
            "Round {round}: {points}; in the score of {n} rounds, {value}.",
            round=term.round,
            points=points,
            n=times,
            value=value,
        )

    def _against_half(self, _line: PlayerId, _: Figure, term: Term) -> str:
        """Return the sentence about a summand of Koya."""
        (opponent,) = term.opponents
        has = points_told(self.sheets.score(opponent))
        return say(
            "Round {round}: {points} against {name}, who has {has}.",
            round=term.round,
            points=points_told(term.score),
            name=self.names[opponent],
            has=has,
        )

    def _has(self, line: PlayerId, term: Term) -> str:
        """Return a clause that says whose points count, and how many."""
        score = points_told(term.score)
        if term.kind is not None and term.kind is not LineKind.GAME and self.sheets.pairing is PairingTime.BY_STANDING:
            return say(
                "{what}, so a virtual opponent with {score} counts", what=self._without_game(line, term.kind, term.round), score=score
            )
        (opponent,) = term.opponents
        # an opponent who came no more counts with draws for the rounds that were missed
        own = self.sheets.score(opponent)
        if own == term.score:
            return say("{name} has {score}", name=self.names[opponent], score=score)
        return say(
            "{name} has {own}; with missed rounds at the end counted as draws, {score}",
            name=self.names[opponent],
            own=points_told(own),
            score=score,
        )

    def _counted(self, line: PlayerId, _: Figure, term: Term) -> str:
        what = self._without_game(line, term.kind, term.round) if term.kind is not None and term.kind in KINDS else None
        if not term.opponents:
            return say("Round {round}: {what}.", round=term.round, what=what or "")
        names = self._listed(term.opponents)
        points = points_told(term.value)
        if what is not None and term.value != 1:
            return say("Round {round}: {points} against {names} ({what}).", round=term.round, points=points, names=names, what=what)
        if what is not None:
            return say("Round {round}: against {names} ({what}).", round=term.round, names=names, what=what)
        if term.value != 1:
            return say("Round {round}: {points} against {names}.", round=term.round, points=points, names=names)
        return say("Round {round}: against {names}.", round=term.round, names=names)

    def _met(self, figure: Figure) -> Iterator[str]:
        if not figure.terms:
            yield say("There were no games against any of them.")
        for term in figure.terms:
            names, points = self._listed(term.opponents), points_told(term.score)
            if term.factor == 1:
                yield say("Round {round}: {points} against {names}.", round=term.round, points=points, names=names)
            else:
                yield say(
                    "Round {round}: {points} against {names}; as this is one of {n} games, {value} counts.",
                    round=term.round,
                    points=points,
                    names=names,
                    n=term.factor.denominator,
                    value=points_told(term.value),
                )

    def _order(self, figure: Figure) -> str:
        """Return the sentence about the order in which lots or a playoff have put players."""
        if figure.tie_break is TieBreak.LOTS:
            drawn = self.season.lots[self.division.name]
            return say(
                "Lots were drawn for division {division}, in this order: {names}.", division=self.division.name, names=self._in_order(drawn)
            )
        groups = self.season.playoffs[self.division.name]
        group = next(group for group in groups if set(figure.among) <= set(group))
        return say("The playoff ended in this order: {names}.", names=self._in_order(group))

    def _listed(self, lines: Sequence[PlayerId]) -> str:
        return listing([self.names[line] for line in lines], "and")

    def _in_order(self, lines: Sequence[PlayerId]) -> str:
        return joined(", ", [self.names[line] for line in lines])


def _penalty(points: str, penalty: Penalty) -> str:
    # those who are not in the league do not read what its organisers wrote
    if not penalty.reason:
        return (
            say("{points} given back after a penalty", points=points) if penalty.points < 0 else say("{points} as a penalty", points=points)
        )
    if penalty.points < 0:
        return say("{points} given back after a penalty: {reason}", points=points, reason=penalty.reason)
    return say("{points} as a penalty: {reason}", points=points, reason=penalty.reason)


def _compared(by: TieBreak, one: Standing, other: Standing) -> str:
    """Return the two figures of a tie-break in parentheses. Empty for lots and playoffs, whose figures are only an order."""
    here, there = one.explain(by)[-1], other.explain(by)[-1]
    if by in AMONG_TIED and (by is not TieBreak.HEAD_TO_HEAD or here.among != there.among):
        return ""
    return say(" ({own} to {other})", own=points_told(here.value), other=points_told(there.value))
