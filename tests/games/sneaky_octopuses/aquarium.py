"""Small hand-made positions of Sneaky Octopuses for the naive engine, and positions written down for comparison.

Octopuses are written `1 Tako b9, 2 Squirt f6`, keepers with the side they face `f6 N, k7` (none in a shower), fish `b9 3, c9 1`.
"""

from tests.games.sneaky_octopuses import naive_board as naive
from tests.games.sneaky_octopuses import naive_sneaky


def aquarium(octopuses: str = "", keepers: str = "a5, e11, g1, k7", fish: str = "", *, players: int = 2, seat: int = 1) -> naive.Position:
    """A position where `seat` begins its turn; who is not mentioned is at home, keepers not mentioned are in the showers left."""
    position = naive_sneaky.start(players)
    for words in split(octopuses):
        position.octopuses[int(words[0]), words[1]] = words[2]
    position.keepers = {words[0]: words[-1] for words in split(keepers)}
    while len(position.keepers) < 4:
        position.keepers[next(shower for shower in naive.SHOWERS if shower not in position.keepers)] = "N"
    for square, colour in split(fish):
        position.fish[square].append(int(colour))
    position.stage, position.first, position.seat, position.turn = "act", 1, seat, seat
    return position


def split(text: str) -> list[list[str]]:
    """The words of each item."""
    return [item.split() for item in text.split(",") if item.strip()]


def played(position: naive.Position, steps: str) -> naive.Position:
    """The position after steps that are parted by `; `."""
    for text in steps.split("; "):
        position = naive_sneaky.play(position, text)
    return position


def octopuses(position: naive.Position) -> str:
    """Return who is not at home."""
    return ", ".join(f"{seat} {name} {square}" for (seat, name), square in position.octopuses.items() if square != naive.HOME)


def keepers(position: naive.Position) -> str:
    """The keepers outside the showers, in reading order."""
    return ", ".join(
        f"{square} {position.keepers[square]}" for square in naive.READING_ORDER if square in set(position.keepers) - set(naive.SHOWERS)
    )


def loose(position: naive.Position) -> str:
    """The fish on the floor, in reading order."""
    return ", ".join(
        f"{square} {fish}" for square in naive.READING_ORDER if square not in naive.FISH_SQUARES for fish in position.fish.get(square, [])
    )
