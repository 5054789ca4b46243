"""Plans as players have them, by mail and nothing else: laid, asked about, replaced and forgotten."""

import re

from tests.service.games.test_plans import begin, kinds, slow, sweep, turns
from tests.service.world import World

__all__ = ["slow"]

TREE = "if b1 then a1 (if c2 then b3; else c2); else if b3 then a1"


def told(world: World, name: str) -> str:
    """The newest mail to a player, on one line."""
    return " ".join(world.text(name).split())


def test_a_plan_by_mail_is_shown_as_it_was_understood_and_answers(world: World) -> None:
    game = begin(world)
    world.answer("Ada", TREE)
    laid = world.text("Ada")
    assert "\n1. if b1 then a1\n   1.1. if c2 then b3\n   1.2. else c2\n2. if b3 then a1\n" in laid
    plan = world.state(game).plans[0]
    assert plan is not None
    assert plan.digest in laid
    world.answer("Bob", "b1")
    sweep(world, minutes=1)
    assert turns(world, game)[-1] == ("a1", True)
    assert "Your conditional move was played: a1." in told(world, "Ada")
    assert "You have more conditional moves." in told(world, "Ada")
    assert "Ada had an answer ready: a1." in told(world, "Bob")
    world.answer("Ada", "plan")
    left = world.text("Ada")
    assert "Your conditional moves in Take 1." in left
    assert "\n1. if c2 then b3\n2. else c2\n" in left
    assert plan.digest in left
    world.answer("Bob", "b2")
    sweep(world, minutes=1)
    assert "Your conditional move was played: c2." in told(world, "Ada")
    assert "Those were all your conditional moves." in told(world, "Ada")
    world.answer("Bob", "b3")
    assert "Take 1 is over: you win." in told(world, "Ada")
    assert "Turn 5: Ada (Red) played c2, as planned beforehand." in told(world, "Ada")


def test_a_plan_stands_below_the_move_that_it_follows(world: World) -> None:
    game = world.open()
    world.answer("Ada", "a2\n\nIf you like, then we can meet on Sunday.\n\nif b1\nthen a1")
    assert turns(world, game) == [("a2", False)]
    assert "1. if b1 then a1" in world.text("Ada")
    world.answer("Bob", "b1")
    sweep(world, minutes=1)
    assert turns(world, game) == [("a2", False), ("b1", False), ("a1", True)]


def test_a_new_plan_takes_the_place_of_the_old_one(world: World) -> None:
    game = begin(world)
    world.answer("Ada", "if b1 then a1")
    world.answer("Ada", "wenn b1 dann c1; sonst a1")
    world.answer("Bob", "b1")
    sweep(world, minutes=1)
    assert turns(world, game)[-1] == ("c1", True)


def test_the_opponent_hears_of_the_answer_and_not_of_what_becomes_of_the_plan(world: World) -> None:
    begin(world)
    world.answer("Ada", "if b1 then a1")
    world.answer("Bob", "b1")
    sweep(world, minutes=1)
    assert "Ada had an answer ready: a1." in told(world, "Bob")
    assert "is played out" not in told(world, "Bob")


def test_a_plan_is_forgotten(world: World) -> None:
    game = begin(world)
    world.answer("Ada", "forget plan")
    assert "You have no conditional moves in this game now" in told(world, "Ada")
    world.answer("Ada", "if b1 then a1")
    world.answer("Ada", "Vergiss den Plan.")
    assert "Your conditional moves in Take 1 are cancelled." in told(world, "Ada")
    world.answer("Ada", "plan")
    assert "You have no conditional moves in Take 1." in told(world, "Ada")
    world.answer("Bob", "b1")
    sweep(world, minutes=1)
    assert turns(world, game)[-1] == ("b1", False)
    assert "plan" not in world.text("Ada")


def test_what_cannot_be_a_plan_is_answered_and_leaves_the_old_one(world: World) -> None:
    game = begin(world)
    world.answer("Ada", "if b1 then a1")
    laid = world.state(game).plans
    for text, why in (
        ("if b1 then b1", 'In "if b1 then b1":'),
        ("if b1 then a1; if b1 then c1", '"if b1" is there twice'),
        ("if b99 then a1", 'In "if b99":'),
        ("if b1: c1", "Did you mean: if <their move> then <your move>"),
        ("if b1 then c1\nforget plan", "These lines contradict each other"),
        ("1. if b1 then c1", "Did you mean: if <their move> then <your move>"),
    ):
        world.answer("Ada", text)
        assert why in told(world, "Ada"), text
    assert world.state(game).plans == laid


def test_who_has_the_turn_is_told_to_play_it(world: World) -> None:
    game = world.open()
    world.answer("Ada", "if b1 then a1")
    assert "It is your move, turn 1: write it first." in told(world, "Ada")
    assert world.state(game).plans == (None, None)


def numbers(world: World, plan: str) -> list[str]:
    """Play a game in which Ada may have a plan that answers nothing, and return the numbers of events that mails tell Bob meanwhile."""
    begin(world)
    heard = len(world.mails("Bob"))
    if plan:
        world.answer("Ada", plan)
    turn = world.mails("Bob")[-1]
    for name, words in (("Bob", "pause 3 days"), ("Ada", "decline"), ("Bob", "substitute Cleo"), ("Bob", "substitute off"), ("Bob", "b1")):
        world.answer(name, words, mail=turn if name == "Bob" else world.mails(name)[-1])
    for words in ("show", "undo", "show", "b3", "show"):
        world.wait(minutes=1)
        world.answer("Bob", words, mail=turn)
    sweep(world, minutes=20)
    world.answer("Ada", "c1")
    sweep(world, minutes=20)
    told_to = " ".join(world.mails("Bob")[at].get_body(("plain",)).get_content() for at in range(heard, len(world.mails("Bob"))))  # type: ignore[union-attr]
    return re.findall(r"digest of (\d+) events", " ".join(told_to.split()))


def test_no_number_tells_the_opponent_of_a_plan(slow: World) -> None:
    """Not while it waits, nor after something else has happened, nor in a receipt of a move that can be corrected, nor afterwards."""
    slow.answer("Bob", "set receipts on", mail=slow.welcomes["Bob"])
    without = numbers(slow, "")
    assert len(without) > 5
    assert numbers(slow, "if c2 then b2") == without


def test_no_answer_gives_a_turn_away_that_is_not_told_yet(slow: World) -> None:
    game = begin(slow)
    rows = len(slow.outbox())
    slow.answer("Bob", "b1")
    slow.wait(minutes=2)
    slow.answer("Ada", "if b1 then a1; else c1")
    assert "Your conditional moves in Take 1 are in." in told(slow, "Ada")
    assert "turn 2;" in told(slow, "Ada")
    slow.answer("Ada", "plan")
    assert "1. if b1 then a1 2. else c1" in told(slow, "Ada")
    assert "turn 2;" in told(slow, "Ada")
    slow.answer("Ada", "forget plan")
    assert "Your conditional moves in Take 1 are cancelled." in told(slow, "Ada")
    assert "turn 2;" in told(slow, "Ada")
    sweep(slow, minutes=10)
    assert turns(slow, game)[-1] == ("b1", False)
    assert sorted(kinds(slow, "Ada", rows)) == ["plan", "plan", "plan", "turn"]


def test_a_plan_in_a_quotation_is_nobody_s(world: World) -> None:
    game = begin(world)
    world.answer("Ada", "show\n\n> if b1 then a1\n\nsay: if b3 then a1\n\n-- \nif b1 then a1")
    assert world.state(game).plans == (None, None)


def test_a_correction_takes_the_plan_along_that_stood_below_the_move(slow: World) -> None:
    game = slow.open()
    slow.answer("Ada", "a2\nif b1 then a1")
    slow.answer("Ada", "undo c1")
    assert "Your conditional moves in Take 1 are cancelled." in told(slow, "Ada")
    slow.answer("Ada", "undo a2\nif b3 then a1")
    assert "1. if b3 then a1" in slow.text("Ada")
    sweep(slow, minutes=10)
    slow.answer("Bob", "b3")
    sweep(slow, minutes=11)
    assert turns(slow, game) == [("a2", False), ("b3", False), ("a1", True)]
