"""Records of games played at random, with everything in them that can happen to a game."""

import random
from collections.abc import Iterator
from typing import Any

from turnserver.play.events import EndedBy, Outcome
from turnserver.records.record import Agreed, By, Comment, Item, Record, Resigned, Result, Rolled, Seated, Skipped, TimedOut, Turn
from turnserver.rules import Choose, Game, Leaving, Over, Roll, Seat, Skipping

NAMES = ("Ada", 'Bob "the Boat"', "Cleo \\ Co", "?", "Żółć 木村", "x" * 100, "[Red]", "a\nb", "1-0", "", "}{;<>()", "  spaces  ")
WORDS = ("good", "{sic}", "\\", "1-0", "2.", "<die", 'say "no"', "y" * 90, "木", "[Event", ";", "(draw", "x\x00")


class Table:
    """A game that is being played at random."""

    def __init__(self, game: Game[Any, Any], seed: int) -> None:
        self.game, self.chance = game, random.Random(seed)  # noqa: S311  # repeatable games, not secrets
        self.position: Any = game.rules.start()
        self.course: list[Item] = []
        self.left: set[Seat] = set()

    def play(self, turns: int) -> None:
        """Play that many turns, or up to the end."""
        rules, choice = self.game.rules, self.chance.choice
        for _ in range(turns):
            self.roll()
            here = rules.next(self.position)
            if isinstance(here, Over):
                return
            assert isinstance(here, Choose)
            happens = self.chance.random()
            if happens < 0.05 and isinstance(rules, Skipping):
                self.position = rules.skip(self.position)
                self.course.append(Skipped(turn=here.turn, seat=here.seat))
            elif happens < 0.08 and isinstance(rules, Leaving):
                self.leave(choice([here.seat, self.staying()[-1]]))
            else:
                steps = []
                while rules.next(self.position) == here:
                    step = choice(rules.steps(self.position))
                    steps.append(rules.format(self.position, step))
                    self.position = rules.apply(self.position, step)
                self.course.append(Turn(turn=here.turn, seat=here.seat, steps=tuple(steps), by=choice(list(By))))
            self.talk()
        self.roll()

    def roll(self) -> None:
        """Let chance decide until somebody has to choose."""
        rules = self.game.rules
        while isinstance(rules.next(self.position), Roll):
            step = self.chance.choice(rules.steps(self.position))
            self.course.append(Rolled(outcome=rules.format(self.position, step)))
            self.position = rules.apply(self.position, step)

    def staying(self) -> list[Seat]:
        return [Seat(seat) for seat in range(1, self.game.rules.seats + 1) if seat not in self.left]

    def leave(self, seat: Seat) -> None:
        rules, here = self.game.rules, self.game.rules.next(self.position)
        assert isinstance(rules, Leaving)
        assert isinstance(here, Choose)
        self.course.append(TimedOut(seat=seat) if seat == here.seat else Resigned(seat=seat))
        self.position = rules.leave(self.position, seat)
        self.left.add(seat)

    def talk(self) -> None:
        """Now and then somebody says something, or somebody else sits down."""
        if self.chance.random() < 0.1:
            self.course.append(Comment(text=" ".join(self.chance.choices(WORDS, k=self.chance.randint(1, 12)))))
        if self.chance.random() < 0.05:
            self.course.append(Seated(seat=self.chance.choice(self.staying()), name=self.chance.choice(NAMES)))


def results(table: Table) -> Iterator[tuple[tuple[Item, ...], Result | None]]:
    """Every way in which a game can be said to end that stands like this, with what happens last."""
    rules = table.game.rules
    here = rules.next(table.position)
    yield (), Result(outcome=Outcome.VOID, by=EndedBy.ANNULMENT, reason="it was “tried out” \\ only")
    if isinstance(here, Over):
        gone = bool(table.course) and isinstance(table.course[-1], Resigned | TimedOut)
        by = EndedBy.RULES if not gone else EndedBy.TIME if isinstance(table.course[-1], TimedOut) else EndedBy.RESIGNATION
        outcome = Outcome.WON if here.winners else Outcome.DRAWN
        yield (), Result(outcome=outcome, by=by, winners=tuple(sorted(here.winners)), reason=str(here.reason), scores=here.scores)
        return
    assert isinstance(here, Choose)
    yield (), None
    yield (), Result(outcome=Outcome.VOID, by=EndedBy.CANCELLATION, reason="nobody came")
    winners = (here.seat,)
    yield (), Result(outcome=Outcome.WON, by=EndedBy.ADJUDICATION, winners=winners, reason="?")
    yield (), Result(outcome=Outcome.DRAWN, by=EndedBy.ADJUDICATION)
    if table.game.entry.draws:
        yield (Agreed(),), Result(outcome=Outcome.DRAWN, by=EndedBy.AGREEMENT)
    if not isinstance(rules, Leaving):
        other = (Seat(3 - here.seat),)
        yield (Resigned(seat=here.seat),), Result(outcome=Outcome.WON, by=EndedBy.RESIGNATION, winners=other)
        yield (TimedOut(seat=here.seat), Comment(text="alas")), Result(outcome=Outcome.WON, by=EndedBy.TIME, winners=other)
        yield (TimedOut(seat=here.seat),), Result(outcome=Outcome.VOID, by=EndedBy.TIME)


def records(game: Game[Any, Any], seed: int, turns: int) -> Iterator[Record]:
    """The records of a random game, one for each way in which it can end."""
    table = Table(game, seed)
    table.play(turns)
    choice = table.chance.choice
    for last, result in results(table):
        yield Record(
            game=game.entry.key,
            revision=game.entry.revision,
            options={name: getattr(game.options, name) for name in game.options.__dataclass_fields__},
            players=tuple(choice(NAMES) for _ in range(game.rules.seats)),
            course=(*table.course, *last),
            result=result,
            event=choice(NAMES),
            site=choice(NAMES),
            date=choice(("2026.11.22", "2026.??.??", "????.??.??")),
            ended=choice(("2027.01.02", "????.??.??")),
            round=choice(NAMES),
            time=choice(("3d", "")),
            digest=choice((None, "ab" * 32)),
            others={"Annotator": choice(NAMES[:3]), "Élan-vital": "x"},
        )
