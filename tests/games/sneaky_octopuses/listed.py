"""The rulings of Sneaky Octopuses in small aquariums: what may be done."""

from tests.games.sneaky_octopuses.aquarium import aquarium, played

EXACTLY = {
    "fine point: escapes, a team-mate and an opponent in the way, a keeper not": (
        aquarium("1 Tako b10, 2 Tako b9", "c10 N"),
        "Speedy escape",
        "c10",
    ),
    "ruling 3: escapes of the second seat": (aquarium(seat=2), "Squirt escape", "i2, j2, j3"),
    "ruling 4: steals from the tanks beside, not twice": (
        aquarium("1 Tako d6", fish="d7 1, c7 2, e7 3"),
        "Tako steal",
        "d7",
    ),
    "ruling 4: steals on both sides": (aquarium("1 Tako d4", fish="c4 1, e4 2, e5 3"), "Tako steal", "c4, e4"),
    "ruling 7: throws over empty floor up to the first piece, into no empty entrance": (
        aquarium("1 Speedy f8, 2 Tako f4", fish="f8 3, f6 1"),
        "Speedy throw 3",
        "f10, f9, e8, d8, c8, b8, f7, f6, f5, f4",
    ),
    "fine point: throws at a keeper in an entrance": (
        aquarium("1 Speedy f8, 1 Tako e8", "f11 S, f6 N", fish="f8 3"),
        "Speedy throw 3",
        "f11, f10, f9, e8, f7, f6",
    ),
    "ruling 7: home only from a square beside it": (
        aquarium("1 Speedy c10, 1 Tako c8, 1 Squish b8, 1 Squirt d10", fish="c10 2, b8 1, d10 3"),
        "Speedy throw 2",
        "home, b10, d10",
    ),
    "ruling 7: not from further away": (
        aquarium("1 Speedy b8, 1 Tako b9, 1 Squish b7, 1 Squirt c8", fish="b8 1"),
        "Speedy throw",
        "1 b9, 1 b7, 1 c8",
    ),
    "ruling 7: not into another's home": (aquarium("1 Speedy j9, 2 Tako j8", fish="j9 1"), "Speedy throw 1", "j10, j8"),
    "ruling 8: ink towards floor and entrances": (aquarium("1 Squirt f10"), "Squirt ink", "N, E, S, W"),
    "ruling 8: not towards tanks": (aquarium("1 Squirt f8"), "Squirt ink", "N, S, W"),
    "ruling 8: not towards walls and showers": (aquarium("1 Squirt b5"), "Squirt ink", "N, S"),
    "ruling 8: towards a neighbour": (aquarium("1 Squirt f8, 2 Tako f7", "f9 S"), "Squirt ink", "N, S, W"),
    "ruling 8: not from a corner": (aquarium("1 Squirt j2"), "Squirt ink", ""),
    "ruling 9: slides of four squares or more": (aquarium("1 Speedy b2"), "Speedy slide", "b6, b7, b8, b9, b10, f2, g2, h2, i2, j2"),
    "ruling 9: past team-mates, up to an opponent, onto a keeper": (
        aquarium("1 Speedy b2, 1 Tako b6, 2 Tako h2", "b9 S"),
        "Speedy slide",
        "b7, b8, b9, f2, g2",
    ),
    "ruling 9: no slide with a fish": (aquarium("1 Speedy b2", fish="b2 1"), "Speedy slide", ""),
    "ruling 9: a keeper before the fourth square stops it": (aquarium("1 Speedy b2", "b4 N, d2 N"), "Speedy slide", ""),
    "ruling 6: free showers": (played(aquarium("1 Tako b9", "b8 N, a6 E"), "Tako move b9-b8"), "shower", "a5, g1"),
    "ruling 6: the only free shower": (played(aquarium("1 Tako b9", "b8 N"), "Tako move b9-b8"), "shower", "g1"),
    "ruling 7: what the receiver may do": (
        played(aquarium("1 Speedy f8, 1 Squish f5, 1 Tako j4", fish="f8 3, f5 1"), "Speedy throw 3 f5"),
        "Squish",
        "keep, throw 3 f6, throw 3 f7, throw 3 f8, throw 3 f4, throw 3 f3, throw 3 f2",
    ),
    "ruling 2: keepers, one in a shower by the shower's square": (aquarium("", "f6 N, a6 E"), "keeper", "f6, a6, e11, k7"),
    "ruling 11: six sides": (played(aquarium(), "keeper a5"), "die", "1, 2, 3, 4, 5, 6"),
}
"""A position, the beginning of some steps, and all the ways in which such steps go on there."""

PASSING = aquarium("1 Tako b8, 2 Squish b7", fish="b8 3, b7 2")
LISTED = {
    "ruling 5: an opponent is passed in two steps": (PASSING, "Tako move b8-b7-b6, Tako move b8+3-b7-b6", ""),
    "fine point: back to the start": (PASSING, "Tako move b8-b7-b8", ""),
    "ruling 5: not in three": (PASSING, "", "Tako move b8-b7-b6-b5, Tako move b8-b9-b8-b7, Tako move b8-b7-b8-b9"),
    "ruling 5: not in one": (PASSING, "", "Tako move b8-b7"),
    "fine point: no fish from under an opponent": (PASSING, "", "Tako move b8-b7+2-b6, Tako move b8+3-b7+2-b6"),
    "fine point: no keeper behind the opponent": (
        aquarium("1 Tako b8, 2 Squish b7", "b6 N"),
        "Tako move b8-b7-b8",
        "Tako move b8-b7-b6",
    ),
    "ruling 5: nobody behind the opponent": (
        aquarium("1 Tako b8, 2 Squish b7, 1 Speedy b6"),
        "Tako move b8-b7-b8",
        "Tako move b8-b7-b6",
    ),
    "fine point: no squeeze to the opponent": (aquarium("1 Squish d10, 2 Tako d8"), "", "Squish move d10-d8-c8, Squish move d10-d8-d6"),
    "fine point: no squeeze behind the opponent": (aquarium("1 Squish c8, 2 Tako d8"), "Squish move c8-d8-e8", "Squish move c8-d8-d6"),
    "fine point: no fish from under a team-mate": (
        aquarium("1 Tako b9, 1 Squish b8", fish="b8 2"),
        "Tako move b9-b8-b7",
        "Tako move b9-b8+2-b7, Tako move b9-b8",
    ),
    "ruling 5: up to three squares": (
        aquarium("1 Tako b9"),
        "Tako move b9-b8, Tako move b9-b8-b7, Tako move b9-b8-b7-b6",
        "Tako move b9, Tako move b9-b8-b7-b6-b5",
    ),
    "ruling 3: turning freely, not diagonally": (aquarium("1 Tako b9"), "Tako move b9-b10-c10-d10", "Tako move b9-c10"),
    "ruling 3: not into homes, tanks, entrances, showers": (
        aquarium("1 Tako b6, 1 Squish b5, 1 Speedy b9, 1 Squirt d8"),
        "",
        "Tako move b6-a6, Squish move b5-a5, Speedy move b9-a9, Squirt move d8-d7, Squirt move d8-d6",
    ),
    "ruling 6: a keeper ends a move": (aquarium("1 Tako b9", "b8 N"), "Tako move b9-b8", "Tako move b9-b8-b7, Tako move b9-b8-b9"),
    "ruling 4: what there is to take": (
        aquarium("1 Tako b9", fish="b9 3, b9 4, b9 4, b8 3"),
        "Tako move b9-b8, Tako move b9+3-b8, Tako move b9+4-b8, Tako move b9+4-b8+3-b7, Tako move b9-b8+3-b7",
        "Tako move b9+3-b8+3-b7, Tako move b9-b8+3, Tako move b9+5-b8, Tako move b9-b8+4-b7",
    ),
    "fine point: over the start, what was left is there and what was taken is not": (
        aquarium("1 Tako b9", fish="b9 3, b9 4"),
        "Tako move b9-b8-b9+4-b10, Tako move b9+3-b8-b9+4-b10",
        "Tako move b9+3-b8-b9+3-b10",
    ),
    "ruling 2: one action for each octopus": (
        played(aquarium("1 Tako b9, 1 Squish b5"), "Tako move b9-b8"),
        "Squish move b5-b4, Speedy escape b9",
        "Tako move b8-b9",
    ),
    "ruling 2: who is sent home before acting may escape": (
        played(aquarium("1 Squirt f8, 1 Tako f4"), "Squirt ink S"),
        "Tako escape b10",
        "Squirt move f8-f7, Tako move f4-f3",
    ),
    "ruling 2: who acted may not": (played(aquarium("", "b8 N"), "Speedy escape b9"), "Tako escape b10", "Speedy escape b10"),
    "ruling 7: a chain leaves the receiver its own action": (
        played(aquarium("1 Speedy f8, 1 Tako f4", fish="f8 3"), "Speedy throw 3 f4; Tako throw 3 f2"),
        "Tako move f4-f3",
        "Speedy move f8-f7",
    ),
    "ruling 7: nothing else while a chain is open": (
        played(aquarium("1 Speedy f8, 1 Tako f4", fish="f8 3"), "Speedy throw 3 f4"),
        "Tako keep",
        "keeper a5, Tako move f4-f3, Squirt escape b9",
    ),
    "ruling 7: a fish that comes back is no choice": (
        played(aquarium("1 Speedy f8, 1 Tako f4", fish="f8 3"), "Speedy throw 3 f4; Tako throw 3 f8"),
        "Tako move f4-f3, keeper a5",
        "Speedy keep, Speedy throw 3 f7",
    ),
}
"""A position, some of the steps there, and some that are none."""
