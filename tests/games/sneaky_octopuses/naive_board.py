"""The aquarium of the second, naive engine for Sneaky Octopuses: its squares by name, and a position as dictionaries over them.

It shares no code with `turnserver` and imports none of it. A square is a file letter from the left and a rank from the bottom.
"""

from dataclasses import dataclass, field

BOARD = """
    a b c d e f g h i j k
11  B B B # S e # # R R R
10  B . . . . . . . . . R
 9  B . F F F . F . F . R
 8  # . . . . . F . F . #
 7  # . F F F . F . F . S
 6  e . . . . . . . . . e
 5  S . F . F . F F F . #
 4  # . F . F . . . . . #
 3  G . F . F . F F F . P
 2  G . . . . . . . . . P
 1  G G G # # e S # P P P
"""
"""B, R, P and G are the homes, F the fish tanks, S the showers, e their entrances, . the floor."""

TANKS = ["c9 d9 e9", "g9 g8 g7", "i9 i8 i7", "c7 d7 e7", "c5 c4 c3", "e5 e4 e3", "g5 h5 i5", "g3 h3 i3"]
SQUEEZES = ["d10 d9 d8", "d8 d7 d6", "f8 g8 h8", "h8 i8 j8", "b4 c4 d4", "d4 e4 f4", "h6 h5 h4", "h4 h3 h2"]
"""From one side, through the middle of a tank, to the other side; as good the other way."""
CORNERS = ["b10", "j10", "b2", "j2"]
SHOWERS = {"e11": "f11", "k7": "k6", "a5": "a6", "g1": "f1"}
"""Each shower's entrance."""
INTO_THE_ROOM = {"f11": "S", "k6": "W", "a6": "E", "f1": "N"}
"""The direction in which a keeper in an entrance faces the floor."""

DIRECTIONS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
"""File and rank steps, clockwise."""
RIGHT = {"N": "E", "E": "S", "S": "W", "W": "N"}
LEFT = {"N": "W", "W": "S", "S": "E", "E": "N"}

NAMES = ["Speedy", "Tako", "Squish", "Squirt"]
COLOURS = [1, 2, 3, 4, 5]
TEAMS = {2: {1: "B", 2: "P"}, 3: {1: "B", 2: "R", 3: "P"}, 4: {1: "B", 2: "R", 3: "P", 4: "G"}}
"""The home letter of every seat, by the number of players."""
FIRST = {"B": "first blue", "R": "first red", "P": "first purple", "G": "first green"}
HOME = "home"


def read_board() -> dict[str, str]:
    """The letter of every square, in reading order."""
    header, *rows = BOARD.strip().splitlines()
    return {file + row.split()[0]: letter for row in rows for file, letter in zip(header.split(), row.split()[1:], strict=True)}


KIND = read_board()
READING_ORDER = list(KIND)
FISH_SQUARES = [square for square in READING_ORDER if KIND[square] == "F"]
FLOOR = [square for square in READING_ORDER if KIND[square] == "."]


def next_to(square: str, direction: str) -> str:
    """The name of the next square in that direction; it may lie off the board."""
    across, up = DIRECTIONS[direction]
    return f"{chr(ord(square[0]) + across)}{int(square[1:]) + up}"


def beside(square: str) -> list[str]:
    """The squares of the board that share an edge with this one."""
    return [other for direction in DIRECTIONS if (other := next_to(square, direction)) in KIND]


def touches(square: str, letter: str) -> bool:
    """Return whether a square of that kind lies beside this one."""
    return any(KIND[other] == letter for other in beside(square))


def ray(square: str, direction: str) -> list[str]:
    """The squares in a straight line from this one, itself left out, as far as there is floor or an entrance."""
    found = []
    here = next_to(square, direction)
    while KIND.get(here) in {".", "e"}:
        found.append(here)
        here = next_to(here, direction)
    return found


def direction_of(start: str, end: str) -> str:
    """The direction in which `end` lies on a ray from `start`."""
    return next(direction for direction in DIRECTIONS if end in ray(start, direction))


@dataclass
class Position:
    """Everything there is to know. `play` and `leave` change a copy.

    `stage` is what has to happen next: "deal", "first", "act", "chain", "shower", "die" or "over".
    """

    players: int
    target: int
    max_rounds: int
    stage: str = "deal"
    fish: dict[str, list[int]] = field(default_factory=lambda: {square: [] for square in [*FISH_SQUARES, *FLOOR]})
    """The fish that lie on each square of tank or floor."""
    home: dict[int, list[int]] = field(default_factory=dict)
    """The fish that each seat has brought home."""
    octopuses: dict[tuple[int, str], str] = field(default_factory=dict)
    """The square of each seat's octopuses, or HOME."""
    keepers: dict[str, str] = field(default_factory=lambda: dict(INTO_THE_ROOM))
    """The direction in which the keeper on each of these squares faces."""
    left: set[int] = field(default_factory=set)
    first: int = 0
    seat: int = 1
    turn: int = 1
    rounds: int = 0
    """The number of rounds that are over."""
    acted: set[str] = field(default_factory=set)
    """The octopuses that have had their action in this turn."""
    involved: list[str] = field(default_factory=list)
    """The octopuses of the active player that take part in the action under way."""
    noise: list[str] = field(default_factory=list)
    """The squares on which the action under way sounded, in order."""
    thrown: int = 0
    """While a chain is open: the fish that the last of the `involved` has just caught."""
    hit: str = ""
    """The square of a keeper that has to go to a shower."""
    nominated: str = ""
    """The square of the keeper that the die will move."""
    winners: frozenset[int] = frozenset()

    def copy(self) -> "Position":
        """A position that can be changed without changing this one."""
        return Position(
            self.players,
            self.target,
            self.max_rounds,
            self.stage,
            {square: list(fish) for square, fish in self.fish.items()},
            {seat: list(fish) for seat, fish in self.home.items()},
            dict(self.octopuses),
            dict(self.keepers),
            set(self.left),
            self.first,
            self.seat,
            self.turn,
            self.rounds,
            set(self.acted),
            list(self.involved),
            list(self.noise),
            self.thrown,
            self.hit,
            self.nominated,
            self.winners,
        )

    def playing(self) -> list[int]:
        """The seats that have not left."""
        return [seat for seat in TEAMS[self.players] if seat not in self.left]

    def octopus_on(self, square: str) -> tuple[int, str] | None:
        """Return whose octopus stands on the square, and which one; none if it is free of them."""
        return next((who for who, where in self.octopuses.items() if where == square), None)

    def points(self, seat: int) -> int:
        """Return what the seat's home is worth: the first fish of a colour counts 1, the second 2, and so on."""
        return worth(self.home[seat])


def worth(fish: list[int]) -> int:
    """The first fish of each colour counts 1, the second 2, and so on."""
    return sum(nth for colour in COLOURS for nth in range(1, fish.count(colour) + 1))
