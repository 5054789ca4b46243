"""Read the text of records, strictly by the grammar in `RECORD.md`. Errors name line and column."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from turnserver import games
from turnserver.errors import BadOption, BadRecord, UnknownRevision
from turnserver.play.events import EndedBy, Outcome
from turnserver.records.check import canonical
from turnserver.records.course import UNSAID, Wrong
from turnserver.records.record import (
    UNKNOWN_DATE,
    Agreed,
    By,
    Comment,
    Item,
    Record,
    Resigned,
    Result,
    Rolled,
    Seated,
    Skipped,
    TimedOut,
    Turn,
    is_day,
)
from turnserver.records.tokens import Kind, Place, Token, tokens
from turnserver.records.writing import teams_of
from turnserver.rules import Game, Seat

_DIGITS: Final = 64
_LONGEST_NUMBER: Final = 9
_SHARES: Final = {"1", "0"}


class Read(NamedTuple):
    """A record, in canonical form, and the line at which it begins."""

    record: Record
    line: int


def read(text: str) -> Record:
    """Return the only record of a text, in canonical form. Raise BadRecord if the text is wrong or holds another number of games."""
    found = list(read_all(text))
    if len(found) != 1:
        raise BadRecord(None, f"There are {len(found)} games in it, not one")
    return found[0].record


def read_all(text: str) -> Iterator[Read]:
    """Yield the records of a text, in canonical form. Raise BadRecord at the first game that is wrong, and for a text without any game."""
    for line, parsed in split(text):
        if isinstance(parsed, BadRecord):
            raise parsed
        yield Read(parsed, line)


def split(text: str) -> Iterator[tuple[int, Record | BadRecord]]:
    """Yield each game of a text with the line at which it begins: its record, or its problem.

    After a game that is wrong, reading goes on at the next heading behind an empty line. A text without any game is one that is wrong.
    """
    # Windows editors put a byte order mark before UTF-8
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    line: int | None = 1
    while line is not None:
        begins = line
        try:
            reader = _Reader(text, line)
            while True:
                begins = reader.here.place.line
                yield begins, reader.record()
                if reader.here.kind is Kind.END:
                    return
        except BadRecord as error:
            yield begins, error
            line = _next_heading(text, begins, error.place[0] if error.place else begins)


def _next_heading(text: str, begins: int, wrong: int) -> int | None:
    """Return the line of the next heading, at or behind the line that is `wrong` in a game that `begins` before it."""
    lines = text.split("\n")
    # only behind an empty line, for a comment or a string may have a bracket at the beginning of a line
    later = range(max(begins, wrong - 1), len(lines))
    return next((at + 1 for at in later if lines[at].lstrip().startswith("[") and not lines[at - 1].strip()), None)


class _Headings:
    """The heading of a game: values with their places, by name without regard to case."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._values: dict[str, tuple[str, str, Place]] = {}

    def enter(self, name: str, text: str, place: Place) -> None:
        if name.casefold() in self._values:
            raise BadRecord(place, f"there is a second {name}")
        self._values[name.casefold()] = (name, text, place)

    def take(self, name: str) -> tuple[str, Place] | None:
        """Remove and return the value of that name. None if it is missing or unknown."""
        _, text, place = self._values.pop(name.casefold(), ("", "", self.place))
        return (text, place) if text else None

    def text(self, name: str) -> str:
        found = self.take(name)
        return found[0] if found else ""

    def has(self, name: str) -> bool:
        return name.casefold() in self._values

    def rest(self) -> dict[str, str]:
        return {name: text for name, text, _ in self._values.values()}

    def read(self, name: str, form: Callable[[str], Any], wants: str) -> Any:  # noqa: ANN401  # whatever `form` makes of it
        """Return the result of `form` for a value; None if there is none.

        Raise BadRecord, with the form that it `wants`, if `form` raises ValueError.
        """
        found = self.take(name)
        if found is None:
            return None
        try:
            return form(found[0])
        except ValueError as error:
            raise BadRecord(found[1], f"{name} is {wants}, not {found[0]!r}") from error
        except (BadOption, UnknownRevision) as error:
            raise BadRecord(found[1], str(error)) from error


class _Reader:
    """A reader of one game after the other. `here` is the next token."""

    def __init__(self, text: str, line: int) -> None:
        self._tokens = tokens(text, line)
        self.here = next(self._tokens)

    def record(self) -> Record:
        """Return the next game in canonical form. Raise BadRecord if it is wrong or missing."""
        headings = self._headings()
        game = _game(headings)
        names = game.view.seat_names
        players = tuple(_player(headings, name) for name in names)
        _check_teams(headings, game)
        course, places, shares = _Course(self, names).read()
        # the result stands twice, in the heading and at the end, as in the files of chess
        said, result_place = headings.take("Result") or (shares.text, shares.place)
        if _shares(said, result_place, len(names)) != _shares(shares.text, shares.place, len(names)):
            raise BadRecord(shares.place, f"the game ends with {shares.text}, but its heading says {said}")
        record = Record(
            game=game.entry.key,
            revision=game.entry.revision,
            options={name: getattr(game.options, name) for name in game.options.__dataclass_fields__},
            players=players,
            course=course,
            result=_result(headings, _shares(shares.text, shares.place, len(names)), course),
            event=headings.text("Event"),
            site=headings.text("Site"),
            date=headings.read("Date", _day, "a day such as 2026.11.22") or UNKNOWN_DATE,
            ended=headings.read("Ended", _day, "a day such as 2026.11.22") or UNKNOWN_DATE,
            round=headings.text("Round"),
            time=headings.text("TimeControl"),
            digest=headings.read("Digest", _digest, "64 hexadecimal digits"),
            # what nobody has asked for by now is a line of the author's own
            others=headings.rest(),
        )
        try:
            return canonical(record)
        except Wrong as error:
            raise BadRecord(result_place if error.index is None else places[error.index], str(error)) from error

    def _headings(self) -> _Headings:
        headings = _Headings(self.here.place)
        if self.here.kind is Kind.END:
            raise BadRecord(self.here.place, "there is no game in this file")
        if not self.at("["):
            raise BadRecord(self.here.place, 'a game begins with its heading, such as [Game "take"]')
        while self.at("["):
            self.take()
            name = self.take(Kind.WORD, "the name of what is said")
            text = self.take(Kind.STRING, "a text in quotation marks").text
            while self.here.kind is Kind.STRING:
                text += self.take().text
            self.sign("]")
            headings.enter(name.text, text, name.place)
        return headings

    def at(self, sign: str) -> bool:
        """Return whether the next token is `sign`."""
        return self.here.kind is Kind.SIGN and self.here.text == sign

    def take(self, kind: Kind | None = None, wants: str = "") -> Token:
        """Take the next token. Raise BadRecord if it is not of that kind."""
        taken = self.here
        if kind is not None and taken.kind is not kind:
            raise BadRecord(taken.place, f"{wants} is missing before {taken.text!r}" if taken.text else f"{wants} is missing")
        if taken.kind is not Kind.END:
            self.here = next(self._tokens)
        return taken

    def sign(self, sign: str) -> None:
        """Take that sign. Raise BadRecord if another token comes next."""
        if not self.at(sign):
            raise BadRecord(self.here.place, f"{sign} is missing")
        self.take()


@dataclass(slots=True)
class _Course:
    """A reader of the course of a game up to its result."""

    reader: _Reader
    names: tuple[str, ...]
    items: list[Item] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def read(self) -> tuple[tuple[Item, ...], list[Place], Token]:
        reader = self.reader
        while (here := reader.here).kind is not Kind.RESULT:
            match here.kind:
                case Kind.COMMENT:
                    reader.take()
                    # an empty comment says nothing and is left out
                    item: Item | None = Comment(text=here.text) if here.text else None
                case Kind.ROLL:
                    reader.take()
                    item = Rolled(outcome=here.text)
                case Kind.NUMBER | Kind.LABEL:
                    item = self._turn()
                case Kind.SIGN if here.text == "(":
                    item = self._note()
                case _:
                    what = f"{here.text!r} is no" if here.text else "there is no"
                    raise BadRecord(here.place, f"{what} turn with its number, nor the result that ends a game")
            if item is not None:
                self.items.append(item)
                self.places.append(here.place)
        return tuple(self.items), self.places, reader.take()

    def _turn(self) -> Item:
        reader, number, seat = self.reader, UNSAID, Seat(UNSAID)
        if reader.here.kind is Kind.NUMBER:
            number = _turn_number(reader.take())
        if reader.here.kind is Kind.LABEL:
            seat = self._seat(reader.take())
        by = By.SEAT
        if reader.at("("):
            reader.take()
            word = reader.take(Kind.WORD, "house, plan or skipped")
            reader.sign(")")
            if word.text.lower() == "skipped":
                return Skipped(turn=number, seat=seat)
            if word.text.lower() not in {By.HOUSE, By.PLAN}:
                raise BadRecord(word.place, f"a turn may be by house, by plan, or skipped, not {word.text!r}")
            by = By(word.text.lower())
        return Turn(turn=number, seat=seat, steps=tuple(self._steps()), by=by)

    def _steps(self) -> Iterator[str]:
        reader, words = self.reader, list[str]()
        while reader.here.kind is Kind.WORD or reader.at(";"):
            token = reader.take()
            if token.kind is Kind.WORD:
                words.append(token.text)
            # a semicolon ends a step; one after nothing is no mistake
            elif words:
                yield " ".join(words)
                words = []
        if words:
            yield " ".join(words)

    def _note(self) -> Item:
        reader = self.reader
        reader.take()
        first = reader.take(Kind.WORD, "what has happened")
        words = []
        while reader.here.kind is Kind.WORD:
            words.append(reader.take().text.lower())
        said = " ".join(words)
        name = reader.take().text if reader.here.kind is Kind.STRING else None
        reader.sign(")")
        if (first.text.lower(), said, name) == ("draw", "agreed", None):
            return Agreed()
        seat = self._seat(first)
        if said == "resigns" and name is None:
            return Resigned(seat=seat)
        if said == "runs out of time" and name is None:
            return TimedOut(seat=seat)
        if said == "is now" and name is not None:
            return Seated(seat=seat, name=name)
        raise BadRecord(first.place, f'{first.text} may resign (resigns), run out of time (runs out of time), or change (is now "Carl")')

    def _seat(self, token: Token) -> Seat:
        for number, name in enumerate(self.names, start=1):
            if name.casefold() == token.text.casefold():
                return Seat(number)
        raise BadRecord(token.place, f"{token.text} is none of the seats, which are {', '.join(self.names)}")


def _game(headings: _Headings) -> Game[Any, Any]:
    """Return the game with its options, by the newest revision of its rules unless the heading names another."""
    key = headings.read("Game", lambda text: games.entry("-".join(text.lower().split())).key, "a game")
    if key is None:
        raise BadRecord(headings.place, 'the heading does not say which game it is: [Game "take"]')
    # the options need the key, and the revision needs both: each is checked when it is read
    options = headings.read(
        "Options", lambda text: games.options_from_text(games.entry(key), _pairs(text)), "a list such as size 5, betting yes"
    )
    return headings.read("Revision", lambda text: games.find(key, _number(text), **(options or {})), "a number") or games.find(
        key, **(options or {})
    )


def _pairs(text: str) -> Mapping[str, str]:
    """Read `size 5, betting yes` as names and values. Raise ValueError if the text has another form."""
    pairs = dict[str, str]()
    for part in text.split(","):
        name, value = part.split()
        if name.lower() in pairs:
            raise ValueError(name)
        pairs[name.lower()] = value
    return pairs


def _player(headings: _Headings, seat: str) -> str:
    if not headings.has(seat):
        raise BadRecord(headings.place, f'the heading does not say who played: [{seat} "?"]')
    return headings.text(seat)


def _check_teams(headings: _Headings, game: Game[Any, Any]) -> None:
    found, teams = headings.take("Teams"), teams_of(game)
    if found and " ".join(found[0].casefold().split()) != teams.casefold():
        raise BadRecord(found[1], f"the teams of this game are {teams}" if teams else "there are no teams in this game")


def _shares(text: str, place: Place, seats: int) -> tuple[Outcome, tuple[Seat, ...]] | None:
    """Return the outcome and the winners that a result says; None for a game that goes on. Raise BadRecord for any other text."""
    parts = text.strip().lower().split("-")
    if parts == ["*"]:
        return None
    if parts == ["void"]:
        return Outcome.VOID, ()
    if len(parts) == seats and set(parts) == {"1/2"}:
        return Outcome.DRAWN, ()
    if len(parts) != seats or not set(parts) <= _SHARES or "1" not in parts:
        raise BadRecord(place, f"a result is 1 or 0 for each of the {seats} seats, or 1/2 for all, or void, or * for a game that goes on")
    return Outcome.WON, tuple(Seat(number) for number, part in enumerate(parts, start=1) if part == "1")


def _result(headings: _Headings, shares: tuple[Outcome, tuple[Seat, ...]] | None, course: tuple[Item, ...]) -> Result | None:
    by = headings.read("Termination", lambda text: EndedBy(text.strip().lower()), f"one of {', '.join(EndedBy)}")
    reason, scores = headings.text("Reason"), headings.read("Scores", _figures, "a number for each seat")
    if shares is None:
        return None
    outcome, winners = shares
    return Result(outcome=outcome, by=by or _guessed(outcome, course), winners=winners, reason=reason, scores=scores or ())


def _guessed(outcome: Outcome, course: tuple[Item, ...]) -> EndedBy:
    match next((item for item in reversed(course) if not isinstance(item, Comment)), None):
        case Resigned():
            return EndedBy.RESIGNATION
        case TimedOut():
            return EndedBy.TIME
        case Agreed():
            return EndedBy.AGREEMENT
    return EndedBy.CANCELLATION if outcome is Outcome.VOID else EndedBy.RULES


def _turn_number(token: Token) -> int:
    if not 0 < len(token.text) <= _LONGEST_NUMBER or not int(token.text):
        raise BadRecord(token.place, f"turns have the numbers 1, 2, ..., and not {token.text}")
    return int(token.text)


def _number(text: str) -> int:
    # Python's int() takes digits of all alphabets, signs and underscores, and of any length
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER):
        raise ValueError(text)
    return int(text)


def _figures(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split())


def _day(text: str) -> str:
    if not is_day(text):
        raise ValueError(text)
    return text


def _digest(text: str) -> str:
    if len(text) != _DIGITS or not text.isascii():
        raise ValueError(text)
    # in small letters, as hashes are written everywhere else
    return bytes.fromhex(text).hex()
