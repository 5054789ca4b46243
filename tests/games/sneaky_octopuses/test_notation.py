"""The notation of Sneaky Octopuses: what is read as which step, and what is answered to anything else."""

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.changes import RULES, legal
from tests.games.sneaky_octopuses.scenes import play, scene
from turnserver.errors import Ambiguous, Illegal, Unreadable
from turnserver.games.sneaky_octopuses.board import at
from turnserver.games.sneaky_octopuses.moves import Move
from turnserver.games.sneaky_octopuses.position import Options, Position
from turnserver.games.sneaky_octopuses.rules import SneakyRules

OPENED = scene(
    "Blue Speedy b10, Blue Tako b8, Blue Squish d10, Red Tako f8",
    keepers="north h10 west, west b7 north",
    fish="3 b8, 4 b8, 1 c9, 1 c7, 2 c5, 5 d9, 2 b9",
    to_move="Blue",
)
CHAIN, _ = play(OPENED, "Tako throw 3 b10")
CONTACT, _ = play(OPENED, "Tako move b8-b7")
NAMED, _ = play(OPENED, "keeper b7")
THROWN = "Speedy has just caught the yellow fish. Say"
TWO_STEPS = "To pass, a move has exactly two steps: onto that square and on to a free one next to it, without a squeeze."


@for_each(
    ("state", "text", "canonical"),
    [
        (OPENED, "Tako move b8+3-b9-b8", "Tako move b8+3-b9-b8"),
        (OPENED, "tako b8-b9", "Tako move b8-b9"),
        (OPENED, "TAKO MOVES B8 - B9", "Tako move b8-b9"),
        (OPENED, "tako b8 b9", "Tako move b8-b9"),
        (OPENED, "tako b8 > b9", "Tako move b8-b9"),
        (OPENED, "tako b8->b9->b8", "Tako move b8-b9-b8"),
        (OPENED, "Tako b8 \u2013 b9", "Tako move b8-b9"),
        (OPENED, "tako move b8+yellow-b9", "Tako move b8+3-b9"),
        (OPENED, "tako move b8 + white - b9 + orange - b8", "Tako move b8+4-b9+2-b8"),
        (OPENED, "  'Squish  move d10-d8.' ", "Squish move d10-d8"),
        (OPENED, "Squirt escapes to b9!", "Squirt escape b9"),
        (OPENED, "squirt escape b9", "Squirt escape b9"),
        (OPENED, "squish steals d9", "Squish steal d9"),
        (OPENED, "Squish steal black", "Squish steal d9"),
        (OPENED, "squish steals 5", "Squish steal d9"),
        (OPENED, "tako throws white to d8", "Tako throw 4 d8"),
        (OPENED, "tako throw 4 at f8", "Tako throw 4 f8"),
        (OPENED, "Tako throw 3 b7", "Tako throw 3 b7"),
        (OPENED, "keeper B7", "keeper b7"),
        (OPENED, "Keeper west", "keeper b7"),
        (OPENED, "keeper North", "keeper h10"),
        (OPENED, "keeper south.", "keeper f1"),
        (OPENED, "Tako: move b8-b9", "Tako move b8-b9"),
        (OPENED, "tako, move b8 to b9", "Tako move b8-b9"),
        (OPENED, "Tako \u2013 b8, b9, b8", "Tako move b8-b9-b8"),
        (OPENED, "tako moves from B 8 to B 9", "Tako move b8-b9"),
        (OPENED, "tako b8\u2192b9", "Tako move b8-b9"),
        (OPENED, "\u201cTako b8\u2011b9\u201d", "Tako move b8-b9"),
        (OPENED, "1. Tako b8 b9", "Tako move b8-b9"),
        (OPENED, "2) tako goes b8-b9", "Tako move b8-b9"),
        (OPENED, "squish squeezes d10-d8", "Squish move d10-d8"),
        (OPENED, "escape b9 with squirt", "Squirt escape b9"),
        (OPENED, "throw white to d8 with Tako", "Tako throw 4 d8"),
        (OPENED, "squish steals the black fish", "Squish steal d9"),
        (OPENED, "squish steals from d9", "Squish steal d9"),
        (OPENED, "Tako throws the yellow fish to b7", "Tako throw 3 b7"),
        (OPENED, "keeper on b7", "keeper b7"),
        (OPENED, "Keeper: W", "keeper b7"),
        (OPENED, "the north keeper", "keeper h10"),
        (CHAIN, "speedy keeps", "Speedy keep"),
        (CHAIN, "speedy keeps the fish", "Speedy keep"),
        (CHAIN, "speedy keep it", "Speedy keep"),
        (CONTACT, "Shower: E", "shower k7"),
        (CONTACT, "the east shower", "shower k7"),
        (CHAIN, "speedy throw yellow home", "Speedy throw 3 home"),
        (CONTACT, "shower K7", "shower k7"),
        (CONTACT, "shower east", "shower k7"),
        (NAMED, "DIE 6", "die 6"),
        (RULES.start(), "Deal C9 red", "deal c9 1"),
    ],
)
def test_reading_forgives(state: Position, text: str, canonical: str) -> None:
    assert RULES.format(state, RULES.parse(state, text)) == canonical


@for_each(
    ("text", "canonical"),
    [
        ("squirt inks north", "Squirt ink N"),
        ("SQUIRT INK s", "Squirt ink S"),
        ("squirt shoots ink to the south", "Squirt ink S"),
        ("speedy slides to b5", "Speedy slide b5"),
    ],
)
def test_reading_forgives_ways_and_directions(text: str, canonical: str) -> None:
    state = scene("Blue Squirt b9, Blue Speedy b10")
    assert RULES.format(state, RULES.parse(state, text)) == canonical


@for_each(
    "text",
    [
        "",
        "b9",
        "b9-b8",
        "Tako",
        "Tako and Squirt keep an eye on b9",
        "Tako keeps cool",
        "keeper",
        "The keeper on f6 is nice",
        "keeper of the seal",
        "shower",
        "a cold shower",
        "die",
        "die 7",
        "to die 4 nothing",
        "first",
        "first of all",
        "deal",
        "deal with it",
        "home",
        "steal c9",
        "throw 3 home",
        "Tako throw blue home",
        "Tako steal blue",
        "Tako steal fish from c9",
        "Tako move",
        "Tako moves on",
        "Squirt ink Q",
        "ink N",
        "Octo move b9-b8",
        "Tako move b9-b8, then b7",
        "I think Tako steal c9 was a mistake",
        "Squirt escape b9, not Tako",
        "Speedy slide",
        "resign",
        "first pink",
        "Tako is hungry today",
        "Pass me the salt",
        "see you at 8",
        "Squirt is great",
        "Best, Tako",
        "Love, Squirt",
        "Speedy recovery",
        "I move to a new flat",
        "shower time",
        "Tako: b9 is far",
        "Squirt keeps it real",
        "the north keeper is slow",
        "The north",
        "come with Tako",
        "keeper f6 with Tako",
        "with Speedy",
    ],
)
def test_what_is_no_step_is_unreadable(text: str) -> None:
    rules = SneakyRules(Options(players=2))
    state = scene("Blue Tako b9", options=rules.options)
    with pytest.raises(Unreadable) as refused:
        rules.parse(state, text)
    assert refused.value.message.endswith(" Write an octopus, what it does and the squares for it, or keeper and a keeper's square.")


@for_each("text", ["Tako steal red", "keeper north", "shower west", "Tako steal z9", "Tako move b9-b8+3", "steal", "Tako"])
def test_replaying_reads_what_says_the_same_everywhere(text: str) -> None:
    with pytest.raises(Unreadable):
        RULES.replay(OPENED, text)


def test_replaying_does_not_ask_whether_a_step_is_legal() -> None:
    assert RULES.replay(OPENED, "Tako move k1-a1") == Move(1, (at("k1"), at("a1")), (0,))


@for_each(
    ("text", "code", "words"),
    [
        ("Tako b7", "way_missing", "Name every square on the way to b7, first the one where Tako is."),
        ("Squirt moves to j2", "way_missing", "Name every square on the way to j2, first the one where Squirt is."),
        ("Speedy slide b10-b5", "slide_with_start", "For a slide, name only the square where it ends."),
        ("Tako steals red from c9", "fish_and_square", "Name the fish or its square, not both."),
        ("Tako throw home", "which_fish", "Say by colour or number which fish Tako throws."),
        ("speedy throws to h 8", "which_fish", "Say by colour or number which fish Speedy throws."),
    ],
)
def test_what_says_too_little_or_too_much_is_told_what_to_write(text: str, code: str, words: str) -> None:
    for state in (OPENED, CHAIN, RULES.start()):
        with pytest.raises(Illegal) as refused:
            RULES.parse(state, text)
        assert (refused.value.code, refused.value.message) == (code, words)


def test_a_colour_next_to_an_octopus_twice_is_ambiguous() -> None:
    state = scene("Blue Tako c8", fish="1 c9, 1 c7")
    with pytest.raises(Ambiguous) as refused:
        RULES.parse(state, "Tako steal red")
    assert refused.value.message == "Tako is next to 2 red fish. Name the square of the one to steal."


@for_each(
    ("state", "text", "code", "words"),
    [
        (OPENED, "Squirt move b9-b8", "in_tank", "Squirt is still at home and has to escape first."),
        (OPENED, "Squirt steal red", "in_tank", "Squirt is still at home and has to escape first."),
        (OPENED, "Tako escape b9", "out_already", "Tako has left home already and is on b8."),
        (OPENED, "Squirt escape b10", "taken", "Your Speedy is on b10 already."),
        (OPENED, "Squirt escape j9", "not_an_exit", "The square j9 doesn't touch Blue's home tank."),
        (OPENED, "Tako move b9-b8", "wrong_start", "Tako is on b8, not on b9. Begin the path there."),
        (OPENED, "Tako move b8-c8-d8-c8-b8", "too_far", "A move goes at most 3 squares, and this one goes 4."),
        (OPENED, "Tako move b8-d8", "not_adjacent", "The squares b8 and d8 aren't next to each other. Name every square on the way."),
        (
            OPENED,
            "Tako move b8-b9-c9",
            "tank",
            "There is a fish tank on c9. Only Squish can squeeze through, under the middle: name the squares before and after it.",
        ),
        (OPENED, "Tako move b8-c8-d8-d6", "tank", "The fish tank d7 is between d8 and d6, and only Squish can squeeze through."),
        (OPENED, "Tako move b8-a8", "wall", "There is a wall on a8."),
        (OPENED, "Tako move b8-a9", "home_tank", "There is a home tank on a9, and octopuses don't walk in."),
        (OPENED, "Tako move b8-b9-b10", "taken", "Your Speedy is on b10. You can pass there, but not stay."),
        (OPENED, "Tako move b8-b7-b6", "keeper_ends_it", "The move ends on b7, where the west keeper is. Leave out what follows."),
        (OPENED, "Tako move b8+5-b9", "no_such_fish", "There is no black fish on b8 for Tako to take along."),
        (OPENED, "Tako move b8-b9+5-b8", "no_such_fish", "There is no black fish on b9 for Tako to take along."),
        (
            OPENED,
            "Tako move b8-b9+2",
            "plus_at_the_end",
            "The way ends on b9, and nothing is picked up at its end. Leave out the plus.",
        ),
        (OPENED, "Tako steal c5", "not_adjacent", "The square c5 is not next to Tako on b8."),
        (OPENED, "Tako steal b9", "no_tank", "There is no fish tank on b9."),
        (OPENED, "Tako steal white", "no_such_fish", "No white fish is in a tank next to Tako on b8."),
        (OPENED, "Tako throw 5 b9", "no_such_fish", "Tako has no black fish on b8."),
        (OPENED, "Tako throw 3 home", "far_from_home", "You can throw fish home only from b9, b10 or c10, and Tako is on b8."),
        (OPENED, "Tako throw 3 b4", "blocked", "The west keeper is in the way on b7: a fish stops at the first piece."),
        (OPENED, "Tako throw 3 c7", "not_straight", "There is no straight way across the floor from b8 to c7."),
        (OPENED, "Tako ink N", "not_squirt", "Only Squirt shoots ink, not Tako."),
        (OPENED, "Squish slide d2", "not_speedy", "Only Speedy slides, not Squish."),
        (OPENED, "Speedy slide c10", "too_near", "A slide goes further than 3 squares. To c10, write move instead."),
        (OPENED, "Speedy slide b5", "blocked", "The west keeper is in the way on b7."),
        (OPENED, "Speedy slide c8", "not_straight", "There is no straight way across the floor from b10 to c8."),
        (OPENED, "Speedy keep", "no_chain", "Nobody has just thrown a fish to Speedy, so there is none to keep."),
        (OPENED, "shower a5", "no_shower_now", "No keeper has to go to a shower now, because nobody has just hit one or run into one."),
        (
            OPENED,
            "keeper b8",
            "no_keeper",
            "There is no keeper on b8. The keepers are on h10 (north), k6 (east), f1 (south) and b7 (west).",
        ),
        (OPENED, "die 4", "chance", "Chance decides about fish, the first player and the die. Leave this out."),
        (OPENED, "Tako steal z9", "off_board", "This board has no z9; its squares are a1 to k11."),
        (OPENED, "keeper a12", "off_board", "This board has no a12; its squares are a1 to k11."),
        (NAMED, "Tako steal c9", "roll_first", "Chance comes first: there is nothing to choose before it."),
        (NAMED, "first red", "other_draw", "The die is rolled now, not that."),
        (RULES.start(), "deal d9 1", "deal", "The next fish is for c9, and it can be red, orange, yellow, white or black."),
        (
            CHAIN,
            "Squish steal d9",
            "chain_first",
            f"{THROWN} first what it does with that.",
        ),
        (CHAIN, "Speedy throw 3 e10", "blocked", "Your Squish is in the way on d10: a fish stops at the first piece."),
        (
            CONTACT,
            "keeper k6",
            "shower_first",
            "The west keeper has to go to a shower first.",
        ),
        (CONTACT, "shower f6", "no_such_shower", "There is no shower on f6."),
    ],
)
def test_refusals_name_the_rule(state: Position, text: str, code: str, words: str) -> None:
    with pytest.raises(Illegal) as refused:
        RULES.parse(state, text)
    assert (refused.value.code, refused.value.message) == (code, words)


@for_each(
    ("octopuses", "keepers", "fish", "text", "code", "words"),
    [
        (
            "Blue Tako b10, Red Squish b8",
            "",
            "",
            "Tako move b10-b9-b8-b7",
            "passing",
            f"Red's Squish is on b8. {TWO_STEPS}",
        ),
        (
            "Blue Tako b9, Red Squish b8",
            "",
            "",
            "Tako move b9-b8",
            "passing",
            f"Red's Squish is on b8. {TWO_STEPS}",
        ),
        (
            "Blue Tako b9, Red Squish b8",
            "",
            "4 b8",
            "Tako move b9-b8+4-b7",
            "fish_held",
            "Red's Squish is on the fish on b8, so Tako can't pick them up.",
        ),
        (
            "Blue Tako b9",
            "",
            "4 b8, 4 b9",
            "Tako move b9+4-b8+4-b7",
            "same_colour",
            "Tako already brings a white fish to b8. Leave out the plus there.",
        ),
        ("Blue Tako b9", "", "4 b9", "Tako move b9+4-b8-b9+4-b8", "no_such_fish", "There is no white fish on b9 for Tako to take along."),
        ("Blue Tako b9", "", "", "Tako steal c9", "no_such_fish", "There is no fish left on c9."),
        ("Blue Tako b6", "", "", "Tako move b6-a6", "entrance", "There is the entrance of a shower on a6, and octopuses stay out of it."),
        ("Blue Tako b6", "", "", "Tako move b6-a5", "shower", "There is a shower on a5, and octopuses stay out of it."),
        ("Blue Squirt b10", "", "", "Squirt ink E", "corner", "Squirt is in the corner b10, and you can't shoot out of a corner."),
        ("Blue Squirt b9", "", "", "Squirt ink W", "no_room", "There is no open square west of b9 for the ink."),
        (
            "Blue Speedy b9",
            "",
            "4 b9",
            "Speedy slide b4",
            "holds_fish",
            "Speedy slides only without fish, and has one on b9.",
        ),
        ("Blue Speedy b9, Blue Tako b4", "", "", "Speedy slide b4", "taken", "Your Tako is on b4 already."),
        ("Blue Speedy b9, Red Tako b5", "", "", "Speedy slide b4", "blocked", "Red's Tako is in the way on b5."),
        (
            "Blue Tako f8",
            "north f9 north",
            "4 f8",
            "Tako throw 4 f11",
            "blocked",
            "The north keeper is in the way on f9: a fish stops at the first piece.",
        ),
        (
            "Blue Tako f8",
            "north e11 south",
            "4 f8",
            "Tako throw 4 f11",
            "entrance",
            "No fish stays in an entrance, and nobody is on f11 to catch it.",
        ),
    ],
)
def test_refusals_of_acts_name_the_rule(  # noqa: PLR0917  # a case has as many parts as it has
    octopuses: str, keepers: str, fish: str, text: str, code: str, words: str
) -> None:
    state = scene(octopuses, keepers=keepers, fish=fish)
    with pytest.raises(Illegal) as refused:
        RULES.parse(state, text)
    assert (refused.value.code, refused.value.message) == (code, words)


def test_a_shower_with_a_keeper_is_refused() -> None:
    state, _ = play(scene("Blue Tako b9", keepers="west b8 north, south a5 east"), "Tako move b9-b8")
    with pytest.raises(Illegal) as refused:
        RULES.parse(state, "shower west")
    assert refused.value.message == "There is a keeper in the shower a5 already."


def test_a_team_that_does_not_play_is_refused() -> None:
    rules = SneakyRules(Options(players=2))
    with pytest.raises(Illegal) as refused:
        rules.parse(rules.start(), "first green")
    assert (refused.value.code, refused.value.message) == ("no_such_team", "Green isn't in this game. The teams are Blue and Purple.")


def test_who_has_acted_is_refused() -> None:
    state, _ = play(scene("Blue Speedy b9"), "Speedy move b9-b8")
    with pytest.raises(Illegal) as refused:
        RULES.parse(state, "Speedy move b8-b9")
    assert (refused.value.code, refused.value.message) == ("acted", "Speedy has acted already this turn.")


def test_nothing_is_read_once_the_game_is_over() -> None:
    state = scene("Blue Tako b9", home="Red 3 3 3 3")
    with pytest.raises(Illegal) as refused:
        RULES.parse(state, "keeper f11")
    assert (refused.value.code, refused.value.message) == ("over", "The game is over.")


def test_steps_are_listed_octopus_by_octopus_and_keepers_last() -> None:
    texts = legal(scene("Blue Speedy f10, Blue Tako b9, Blue Squirt f9", fish="3 b9, 4 c9"), "")
    order = ["Speedy move", "Speedy slide", "Tako move b9-b8", "Tako move b9-b8-b7", "Tako move b9-b10", "Tako move b9+3-b8"]
    order += [
        "Tako steal c9",
        "Tako throw 3 b8",
        "Tako throw 3 b10",
        "Tako throw 3 home",
        "Squish escape b10",
        "Squirt move",
        "Squirt ink N",
    ]
    order += ["Squirt ink S", "keeper"]
    places = [next(place for place, text in enumerate(texts) if text.startswith(beginning)) for beginning in order]
    assert places == sorted(places)
    assert texts[-4:] == ["keeper f11", "keeper a6", "keeper k6", "keeper f1"]
