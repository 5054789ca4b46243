"""A mere yes or no answers the question that a mail asks; what may have been meant is asked about; no refusal loses a question."""

from collections.abc import Callable

import pytest

from tests.service.world import World
from turnserver.ids import GameId
from turnserver.play.state import Status


def invited(world: World) -> GameId:
    """Ada and Bob are invited to a game."""
    return world.open(accepted=False)


def playing(world: World) -> GameId:
    """A game in which it is Ada's turn."""
    return world.open()


def played(world: World, game: GameId) -> list[tuple[str, ...]]:
    """The turns that stand, step by step."""
    return [turn.steps for turn in world.state(game).line.turns]


def refused(world: World, name: str) -> str:
    """Return what a mail that was not carried out is answered with, on one line."""
    assert world.outcome().startswith("done: refused"), world.outcome()
    return " ".join(world.text(name).split())


@pytest.mark.parametrize(
    "text",
    ["yes", "ok, lets play!", "ja gerne", "Bin dabei!", "Ja, mache ich", "\U0001f44d", "Hallo Jürgen,\nja gerne!\nLiebe Grüße\nÄnne"],
)
def test_a_yes_accepts_an_invitation(world: World, text: str) -> None:
    game = invited(world)
    world.answer("Ada", text)
    assert world.state(game).accepted == {world.service.people.find("Ada").id}


@pytest.mark.parametrize("text", ["no", "lieber nicht", "no thanks"])
def test_a_no_declines_an_invitation(world: World, text: str) -> None:
    game = invited(world)
    world.answer("Bob", text)
    assert world.state(game).status is Status.ENDED


@pytest.mark.parametrize(
    "text",
    [
        *("ok?", "yes and no", "yes, but not before Friday", "Hi Ada,\nyes, but not before Friday", "Hi\nyes, that was me"),
        *("I'm fine, thanks", "I'm all right, thanks", "yes\nmaybe", "bin ich dabei", "Bin dabei\neventuell"),
    ],
)
def test_what_could_mean_two_things_is_asked_and_the_question_stays(world: World, text: str) -> None:
    game = invited(world)
    world.answer("Bob", text)
    assert 'You are invited to this game. Reply "accept" to play' in refused(world, "Bob")
    world.answer("Bob", "yes")
    assert world.service.people.find("Bob").id in world.state(game).accepted


def test_an_invitation_that_was_answered_asks_no_more(world: World) -> None:
    game = invited(world)
    invitation = world.mails("Ada")[-1]
    world.answer("Ada", "yes")
    world.answer("Ada", "no", mail=invitation)
    assert "invited" not in refused(world, "Ada")
    assert world.state(game).status is Status.INVITING


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_yes_with_words_for_the_others_tells_them(world: World, between: str) -> None:
    game = invited(world)
    world.answer("Ada", f"yes{between}say Good luck, and have fun with it!")
    assert world.service.people.find("Ada").id in world.state(game).accepted
    assert "Good luck, and have fun with it!" in world.text("Bob")


def test_a_yes_beside_what_nearly_is_a_command_is_asked_about(world: World) -> None:
    game = invited(world)
    world.answer("Ada", "yes\n\ndeclinee")
    assert "declinee" in refused(world, "Ada")
    assert world.state(game).accepted == frozenset()


def test_a_yes_below_another_mail_counts_for_nothing(world: World) -> None:
    game = invited(world)
    world.answer("Ada", "Ada napsal:\n\nyes")
    assert world.state(game).accepted == frozenset()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("yes", Status.ENDED),
        ("do it", Status.ENDED),
        ("no", Status.RUNNING),
        ("nein", Status.RUNNING),
        ("Hi Bob,\nok", Status.RUNNING),  # people greet before they chat
        ("Ja, leider.\nLG Änne", Status.ENDED),
        *((text, Status.RUNNING) for text in ("Ja, lass es", "klar, lass mal", "I'm fine, thanks", "ok\nmaybe tomorrow", "Ja\nvielleicht")),
        *((text, Status.RUNNING) for text in ("Ok, let's play!", "Ja\nweiter")),
    ],
)
def test_whoever_is_asked_whether_to_resign_says_yes_or_no(world: World, text: str, status: Status) -> None:
    game = playing(world)
    world.answer("Ada", "resign")
    world.answer("Ada", text)
    assert world.state(game).status is status


def test_a_yes_beside_other_words_resigns_nothing_and_the_question_stays(world: World) -> None:
    game = playing(world)
    world.answer("Ada", "resign")
    asked = world.mails("Ada")[-1]
    world.answer("Ada", "ok, let's play!")
    assert refused(world, "Ada")
    world.answer("Ada", "yes", mail=asked)
    assert world.state(game).status is Status.ENDED


def test_what_may_have_been_meant_is_confirmed_by_a_mere_yes(world: World) -> None:
    game = playing(world)
    world.answer("Ada", "confirm resign?")
    asked = world.mails("Ada")[-1]
    world.answer("Ada", "ok, let's play!")
    assert world.state(game).status is Status.RUNNING
    world.answer("Ada", "Yes, thanks", mail=asked)
    assert world.state(game).status is Status.ENDED


def test_a_no_that_changes_nothing_is_not_answered(world: World) -> None:
    playing(world)
    world.answer("Ada", "resign")
    before = len(world.mails("Ada"))
    world.answer("Ada", "no")
    assert (world.outcome(), len(world.mails("Ada"))) == ("done: answered: no", before)


def test_a_yes_plays_what_was_previewed(world: World) -> None:
    game = playing(world)
    world.answer("Ada", "preview a2")
    world.answer("Ada", "looks good")
    assert played(world, game) == [("a2",)]


def test_the_question_of_another_game_is_not_answered(world: World) -> None:
    """A mail with the address of one game, below a mail of another that asks whether to resign."""
    first, second = playing(world), playing(world)
    other = world.mails("Ada")[-1]
    world.answer("Ada", "resign", mail=next(mail for mail in world.mails("Ada") if f"[Take {first}]" in mail["Subject"]))
    mail = world.mails("Ada")[-1]
    mail.replace_header("Reply-To", other["Reply-To"])
    world.answer("Ada", "yes", mail=mail)
    assert [world.state(game).status for game in (first, second)] == [Status.RUNNING, Status.RUNNING]


def test_a_yes_to_a_preview_of_another_turn_plays_nothing(world: World) -> None:
    game = playing(world)
    world.answer("Ada", "preview a2")
    preview = world.mails("Ada")[-1]
    world.answer("Ada", "b1")
    world.answer("Ada", "yes", mail=preview)
    assert world.outcome().startswith("done: refused")
    assert played(world, game) == [("b1",)]


def test_a_yes_to_somebody_else_further_down_the_thread_plays_nothing(world: World) -> None:
    """The preview is among the mails of the thread, but what was answered is a mail that is not ours."""
    game = playing(world)
    world.answer("Ada", "preview a2")
    preview = world.mails("Ada")[-1]
    thread = f"In-Reply-To: <friend@example.org>\r\nReferences: {preview['Message-ID']} <friend@example.org>"
    head = f"From: ada@example.org\r\nTo: {preview['Reply-To']}\r\nSubject: Re: {preview['Subject']}\r\n{thread}"
    world.deliver(f"{head}\r\n\r\nyes\r\n".encode())
    assert played(world, game) == []


OFFERS: dict[str, Callable[[World, GameId, bool], bool]] = {
    "pause": lambda world, game, yes: bool(world.state(game).freezes) is yes,
    "undo": lambda world, game, yes: (world.state(game).line.length == 0) is yes,
}


@pytest.mark.parametrize("yes", [True, False], ids=["yes", "no"])
@pytest.mark.parametrize("offer", OFFERS)
def test_an_offer_is_answered(world: World, offer: str, yes: bool) -> None:
    game = playing(world)
    world.answer("Ada", "a2")
    world.answer("Ada", offer)
    world.answer("Bob", "yes" if yes else "no")
    assert world.state(game).proposal is None
    assert OFFERS[offer](world, game, yes)


def test_without_a_question_a_yes_is_not_understood(world: World) -> None:
    playing(world)
    world.answer("Ada", "yes")
    assert "| yes" in refused(world, "Ada")


@pytest.mark.parametrize("text", ["I think a2", "hm, I'll take a2 then.", "a2 for me please"])
def test_a_legal_move_in_a_sentence_is_offered(world: World, text: str) -> None:
    game = playing(world)
    world.answer("Ada", text)
    assert 'Did you mean "a2"? Reply yes.' in refused(world, "Ada")
    world.answer("Ada", "yes")
    assert played(world, game) == [("a2",)]


@pytest.mark.parametrize("text", ["a2 or b1?", "I think z9", "nice weather"])
def test_no_move_is_offered_if_none_is_legal_or_several_are(world: World, text: str) -> None:
    playing(world)
    world.answer("Ada", text)
    assert "Reply yes." not in refused(world, "Ada")


def test_a_move_is_offered_to_nobody_who_has_not_the_turn(world: World) -> None:
    playing(world)
    world.answer("Bob", "I think a2")
    assert "Reply yes." not in refused(world, "Bob")


def test_a_misspelled_command_is_offered(world: World) -> None:
    playing(world)
    world.answer("Ada", "hystory")
    assert refused(world, "Ada").count("Did you mean") == 1
    world.answer("Ada", "yes")
    assert "every turn" in world.text("Ada") or world.outcome() == "done: answered"


def test_a_yes_to_one_of_several_lines_would_leave_out_the_others(world: World) -> None:
    playing(world)
    world.answer("Ada", "a2\nresing")
    assert "Reply yes." not in refused(world, "Ada")


@pytest.mark.parametrize(("typed", "zone"), [("America/New York", "America/New_York"), ("america/new_york", "America/New_York")])
def test_a_zone_is_found_with_spaces(world: World, typed: str, zone: str) -> None:
    world.answer("Ada", f"set zone {typed}", mail=world.welcomes["Ada"])
    assert world.service.people.find("Ada").zone == zone


def test_the_only_zone_that_may_be_meant_is_offered(world: World) -> None:
    world.answer("Ada", "set zone New York", mail=world.welcomes["Ada"])
    assert 'Did you mean "set zone America/New_York"? Reply yes.' in refused(world, "Ada")
    world.answer("Ada", "yes")
    assert world.service.people.find("Ada").zone == "America/New_York"


def test_no_zone_is_offered_beside_another_line_which_a_yes_would_leave_out(world: World) -> None:
    world.answer("Ada", "set zone New York\nset digest 18:00", mail=world.welcomes["Ada"])
    assert "Reply yes." not in refused(world, "Ada")


def test_a_game_that_there_is_not(world: World) -> None:
    world.answer("Ada", "challenge Bob chess", mail=world.welcomes["Ada"])
    assert "There is no game called chess here. The games are Take, Tako Judo, TAKO, Okago and Sneaky Octopuses." in refused(world, "Ada")


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("Tako Judo", "tako-judo"),
        ("to a game of Tako Judo", "tako-judo"),
        ("sneaky octopuses players=2", "sneaky-octopuses"),
        ("tako", "tako"),
        ("Tako-Judo", "tako-judo"),
    ],
)
def test_a_game_is_known_by_the_title_that_mails_have(world: World, words: str, key: str) -> None:
    world.answer("Ada", f"challenge Bob {words}", mail=world.welcomes["Ada"])
    assert world.state(GameId(1)).game.entry.key == key


def test_the_rules_of_a_game_are_sent_by_its_title(world: World) -> None:
    world.answer("Ada", "rules tako judo", mail=world.welcomes["Ada"])
    assert "Tako Judo" in world.mails("Ada")[-1]["Subject"]


@pytest.mark.parametrize("words", ["Take, 3 days per move", "take, please", "tako judo 3 days per move"])
def test_what_follows_a_game_is_told_from_a_game_that_there_is_not(world: World, words: str) -> None:
    world.answer("Ada", f"challenge Bob {words}", mail=world.welcomes["Ada"])
    assert "It works like this: challenge Bob take size=4 first time=3d" in refused(world, "Ada")


@pytest.mark.parametrize("line", ["challenge Ada Day At take", "herausfordern Ada Day at zu einer Partie take"])
def test_a_name_may_have_words_of_a_command_in_it(world: World, line: str) -> None:
    world.add("Ada Day", "day@example.org")
    world.add("Ada Day At", "at@example.org")
    world.answer("Bob", line, mail=world.welcomes["Bob"])
    assert world.service.people.find("Ada Day At").id in world.state(GameId(1)).players


def test_the_list_of_games_names_those_who_do_not_play_the_game_of_the_mail(world: World) -> None:
    world.open_any("take", ["Ada", "Cleo"], {"size": 2})
    playing(world)
    world.answer("Ada", "games")
    assert "Cleo" in world.text("Ada")
    assert "Player" not in world.text("Ada")


def test_a_player_that_there_is_not(world: World) -> None:
    world.answer("Ada", "challenge Dirk chess", mail=world.welcomes["Ada"])
    assert '"Dirk chess". The games here are Take, Tako Judo,' in refused(world, "Ada")


@pytest.mark.parametrize("text", ["\uff41\uff12", "1. a2", "(1) a2", "\u2013 a2", "\u201ca2\u201d", "a2\u3002", "- a2;"])
def test_marks_of_other_keyboards_and_lists_are_read_as_meant(world: World, text: str) -> None:
    game = playing(world)
    world.answer("Ada", text)
    assert played(world, game) == [("a2",)]
