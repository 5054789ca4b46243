"""Rulings 13 and 14 of Sneaky Octopuses, rounds, and what becomes of a game that somebody leaves or in which a turn is skipped."""

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.changes import QUIET, RULES, check_changes, facts
from tests.games.sneaky_octopuses.scenes import play, scene
from turnserver.errors import Illegal
from turnserver.games.sneaky_octopuses.position import Options, Position
from turnserver.games.sneaky_octopuses.rules import SneakyRules, SneakyTable
from turnserver.rules import Choose, Over, Roll, Seat
from turnserver.rules.kit import format_turn, parse_turn

PLENTY = "3 c9, 3 d9, 3 e9, 3 g9"
CONTACT = scene(
    "Blue Tako b8, Blue Squish b10", keepers="north e11 south, east k7 west, south g1 north, west c10 east", fish=f"3 b8, {PLENTY}"
)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        pytest.param("keeper k7", "keeper k7", id="the keeper alone"),
        pytest.param(
            "tako throw yellow to b10; squish keep\nsquish b10-b9\nspeedy escape c10; shower west\nkeeper north",
            "Tako throw 3 b10; Squish keep; Squish move b10-b9; Speedy escape c10; shower a5; keeper e11",
            id="with a chain, and a shower, in which only one is free",
        ),
    ],
)
def test_ruling_13_a_turn_is_one_text(text: str, canonical: str) -> None:
    turn = parse_turn(RULES, CONTACT, text)
    assert format_turn(RULES, CONTACT, turn.steps) == canonical
    assert turn.next == Roll(Seat(1), 7, (1,) * 6)


@for_each(
    ("text", "code"),
    [
        ("Tako move b8-b9", "too_few_steps"),
        ("Tako throw 3 b10; keeper k7", "chain_first"),
        ("Speedy escape c10; keeper k7", "shower_first"),
        ("keeper k7; Tako move b8-b9", "too_many_steps"),
        ("Tako move b8-b9; Tako move b9-b8; keeper k7", "acted"),
    ],
)
def test_ruling_13_a_turn_is_played_whole_or_not_at_all(text: str, code: str) -> None:
    with pytest.raises(Illegal) as refused:
        parse_turn(RULES, CONTACT, text)
    assert refused.value.code == code


def end_of_turn(state: Position, rules: SneakyRules) -> Position:
    for text in ("keeper a6", "die 1"):
        state = rules.apply(state, rules.parse(state, text))
    return state


@for_each(
    ("players", "first", "to_move", "after"),
    [
        pytest.param(4, 1, "Blue", (2, 2), id="from the first player on"),
        pytest.param(4, 1, "Green", (1, 3), id="back to the first player"),
        pytest.param(4, 3, "Red", (3, 3), id="who need not be the first seat"),
        pytest.param(4, 3, "Green", (1, 2), id="past the last seat, but not the first player"),
        pytest.param(3, 2, "Blue", (2, 3), id="of three"),
        pytest.param(2, 2, "Purple", (1, 2), id="of two"),
    ],
)
def test_fine_point_a_round_ends_when_the_turn_comes_back_to_the_first_player(
    players: int, first: int, to_move: str, after: tuple[int, int]
) -> None:
    options = Options(players=players)
    state = end_of_turn(scene(to_move=to_move, options=options, fish=PLENTY)._replace(first=first), SneakyRules(options))
    assert (state.seat, state.round, state.turn) == (*after, 8)


@for_each(
    ("to_move", "home", "outcome"),
    [
        pytest.param("Purple", "Red 3", Choose(Seat(4), 8), id="the last round is not over"),
        pytest.param(
            "Green", "Red 3", Over(frozenset({Seat(2)}), "the 2 rounds are over, and Red has most points", (0, 1, 0, 0)), id="most points"
        ),
        pytest.param(
            "Green",
            "Red 3 3, Blue 4 4 1",
            Over(frozenset({Seat(1)}), "the 2 rounds are over, and Blue has most points", (4, 3, 0, 0)),
            id="points, not fish of a colour",
        ),
        pytest.param(
            "Green",
            "Red 3 3, Blue 4 4",
            Over(frozenset({Seat(1), Seat(2)}), "the 2 rounds are over, and Blue and Red have most points", (3, 3, 0, 0)),
            id="ties share",
        ),
    ],
)
def test_ruling_13_the_last_round(to_move: str, home: str, outcome: Over | Choose) -> None:
    options = Options(max_rounds=2)
    rules = SneakyRules(options)
    after = end_of_turn(scene(to_move=to_move, home=home, fish=PLENTY, options=options), rules)
    assert rules.next(after) == outcome
    assert bool(rules.steps(after)) == isinstance(outcome, Choose)


@for_each(
    ("fish", "home", "outcome"),
    [
        pytest.param("3 b9, 3 c9, 3 d9, 3 e9", "", Choose(Seat(1), 7), id="1 and 2, 3, 4 of one colour make 10"),
        pytest.param(
            "3 b9, 3 c9, 3 d9, 2 c7",
            "",
            Over(frozenset({Seat(1)}), "nobody can get 10 points any more, and Blue has most", (1, 0, 0, 0)),
            id="6 and another one do not",
        ),
        pytest.param("3 b9, 3 h4, 3 f4", "Purple 3 3", Choose(Seat(1), 7), id="somebody else can, with loose fish"),
        pytest.param(
            "3 b9, 3 h4, 1 f4",
            "Purple 3 3",
            Over(frozenset({Seat(3)}), "nobody can get 10 points any more, and Purple has most", (1, 0, 3, 0)),
            id="nobody can",
        ),
        pytest.param(
            "3 b9, 3 h4",
            "Purple 3 3 2, Blue 1 1",
            Over(frozenset({Seat(1), Seat(3)}), "nobody can get 10 points any more, and Blue and Purple have most", (4, 0, 4, 0)),
            id="ties share",
        ),
    ],
)
def test_ruling_14_a_hopeless_game_ends(fish: str, home: str, outcome: Over | Choose) -> None:
    after, _ = play(scene("Blue Squirt b9, Red Squirt h4", fish=fish, home=home), "Squirt throw 3 home")
    assert RULES.next(after) == outcome
    assert bool(RULES.steps(after)) == isinstance(outcome, Choose)


@pytest.mark.parametrize(
    ("fourth", "home", "over"),
    [
        pytest.param("4 e3, 4 g5, 4 e5, 4 g3", "", False, id="all 24 fish of the board make 70"),
        pytest.param("4 e3, 4 g5, 4 e5", "Red 4", True, id="without Red's one it would take the one left out"),
    ],
)
def test_ruling_14_the_fish_left_out_is_of_no_use(fourth: str, home: str, over: bool) -> None:
    rules = SneakyRules(Options(target=70))
    three_colours = "1 c9, 2 d9, 3 e9, 1 g9, 2 g8, 3 g7, 1 i9, 2 i8, 3 i7, 1 c7, 2 d7, 3 e7, 1 c5, 2 c4, 3 c3"
    fish = f"{three_colours}, {fourth}, 5 e4, 5 h5, 5 h3, 5 i3, 5 b9"
    state = scene("Blue Squirt b9", fish=fish, home=home, options=rules.options)
    after = state._replace(loose=(), landed=((0, 0, 0, 0, 1), *state.landed[1:]))
    assert isinstance(rules.next(after), Over) == over


TABLE = SneakyTable(Options())


@pytest.mark.parametrize(
    ("to_move", "leaver", "seat", "gone"),
    [
        pytest.param("Blue", 1, 2, "Blue Tako home, Blue Squirt home", id="whose turn it is: the next one has it"),
        pytest.param("Blue", 3, 1, "Purple Speedy home", id="somebody else: it goes on"),
        pytest.param("Green", 4, 1, "", id="the last seat"),
    ],
)
def test_leaving_sends_octopuses_home_and_leaves_fish_where_they_are(to_move: str, leaver: int, seat: int, gone: str) -> None:
    octopuses = "Blue Tako b9, Blue Squirt f4, Purple Speedy h4, Red Tako j4"
    before = scene(octopuses, fish=f"3 b9, 4 f4, 5 h4, {PLENTY}", home="Blue 3", keepers=QUIET, to_move=to_move)
    after = TABLE.leave(before, Seat(leaver))
    assert TABLE.next(after) == Choose(Seat(seat), 7)
    assert sorted(set(facts(after, Options())) - set(facts(before, Options()))) == sorted(one for one in gone.split(", ") if one)
    assert sorted(after.loose) == sorted(before.loose)


def test_leaving_skips_turns() -> None:
    state = TABLE.leave(TABLE.leave(scene(fish=PLENTY), Seat(2)), Seat(3))
    assert TABLE.next(end_of_turn(state, TABLE)) == Choose(Seat(4), 8)


@pytest.mark.parametrize(
    ("to_move", "leaver", "expected"),
    [
        pytest.param("Blue", 1, (2, 2), id="the first player's own turn: the same round"),
        pytest.param("Green", 4, (1, 3), id="the last turn of a round"),
        pytest.param("Red", 1, (2, 2), id="out of turn"),
    ],
)
def test_leaving_and_rounds(to_move: str, leaver: int, expected: tuple[int, int]) -> None:
    state = TABLE.leave(scene(fish=PLENTY, to_move=to_move), Seat(leaver))
    assert (state.seat, state.round) == expected


def test_leaving_of_the_first_player_does_not_stop_the_rounds() -> None:
    state = TABLE.leave(scene(fish=PLENTY, to_move="Green"), Seat(1))
    after = end_of_turn(state, TABLE)
    assert (after.seat, after.round) == (2, 3)


@for_each(
    ("players", "leavers", "home", "outcome"),
    [
        pytest.param(3, [1, 2], "Blue 3", Over(frozenset({Seat(3)}), "only Purple is left", (1, 0, 0)), id="the last one left wins"),
        pytest.param(3, [2, 1], "Blue 3", Over(frozenset({Seat(3)}), "only Purple is left", (1, 0, 0)), id="in whatever order"),
        pytest.param(4, [1, 2], "Blue 3", Choose(Seat(3), 7), id="two are left"),
        pytest.param(
            4,
            [1],
            "Blue 3 3 3, Red 1",
            Over(frozenset({Seat(2)}), "nobody can get 10 points any more, and Red has most", (6, 1, 0, 0)),
            id="only the one who has left could have got there",
        ),
    ],
)
def test_leaving_can_end_the_game(players: int, leavers: list[int], home: str, outcome: Over | Choose) -> None:
    options = Options(players=players)
    table = SneakyTable(options)
    state = scene(fish=PLENTY if "3 3" not in home else "3 h4", home=home, options=options)
    for leaver in leavers:
        state = table.leave(state, Seat(leaver))
    assert table.next(state) == outcome


def test_leaving_those_who_left_win_nothing_at_the_last_round() -> None:
    options = Options(max_rounds=2)
    table = SneakyTable(options)
    state = table.leave(scene(fish=PLENTY, home="Blue 3 3, Red 1", to_move="Green", options=options), Seat(1))
    over = table.next(end_of_turn(state, table))
    assert over == Over(frozenset({Seat(2)}), "the 2 rounds are over, and Red has most points", (3, 1, 0, 0))


@for_each(
    ("to_move", "left", "after"),
    [
        pytest.param("Blue", [], (2, 2), id="the next one has the turn"),
        pytest.param("Blue", [2, 3], (4, 2), id="the next one who is there"),
        pytest.param("Green", [], (1, 3), id="back to the first player: a round is over"),
        pytest.param("Green", [1], (2, 3), id="past the first player, who has left"),
    ],
)
def test_a_skipped_turn_counts_but_changes_nothing(to_move: str, left: list[int], after: tuple[int, int]) -> None:
    octopuses = "Blue Tako b9, Green Squirt f4, Purple Speedy h4"
    before = scene(octopuses, fish=f"3 b9, 4 f4, {PLENTY}", home="Blue 3", keepers=QUIET, to_move=to_move)
    for seat in left:
        before = TABLE.leave(before, Seat(seat))
    skipped = TABLE.skip(before)
    assert (skipped.seat, skipped.round) == after
    assert TABLE.next(skipped) == Choose(Seat(after[0]), 8)
    assert set(facts(skipped, Options())) == set(facts(before, Options()))


def test_a_skipped_turn_still_shows_the_turn_before() -> None:
    before = end_of_turn(scene("Blue Tako b9", fish=PLENTY), TABLE)
    assert TABLE.skip(before).trails == before.trails != ()


def test_a_skipped_turn_may_be_the_last_of_the_last_round() -> None:
    options = Options(max_rounds=2)
    table = SneakyTable(options)
    state = scene(fish=PLENTY, home="Red 1", to_move="Purple", options=options)
    assert table.next(state := table.skip(state)) == Choose(Seat(4), 8)
    assert table.next(table.skip(state)) == Over(frozenset({Seat(2)}), "the 2 rounds are over, and Red has most points", (0, 1, 0, 0))


def test_everything_in_its_turn() -> None:
    """Acts, catches and the keeper's walk together, through the end of a turn."""
    check_changes(
        CONTACT,
        "Tako throw 3 b10; Squish keep; Squish move b10+3-b9; Speedy escape c10; shower a5; keeper e11; die 5",
        "3 b9, Squish b9, north f10 south, east k6 west, south f1 north, west a6 east".replace("Squish", "Blue Squish"),
    )
