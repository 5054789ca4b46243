"""The page of a turn as a browser without scripts shows it, and what it withstands."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from msgspec.structs import replace

from tests.service.leagues.league_world import begin, open_league
from tests.service.signing import sign_in_link
from tests.terms import PLAIN
from tests.web.club import SETTINGS, Club, serving
from tests.web.serving import asked
from tests.web.turn.visitor import URL, link
from turnserver.ids import GameId, PlayerId
from turnserver.play.events import WhenLate
from turnserver.records import writing
from turnserver.rules.kit import example_turns


@pytest.fixture
def club(sqlite_url: str, tmp_path: Path) -> Iterator[Club]:
    """A world with pages on a free port."""
    with serving(sqlite_url, tmp_path) as served:
        yield served


@pytest.fixture
def slow(sqlite_url: str, tmp_path: Path) -> Iterator[Club]:
    """The same, and the others hear of a turn after ten minutes."""
    with serving(sqlite_url, tmp_path, replace(SETTINGS, play=replace(PLAIN, correction_minutes=10))) as served:
        yield served


def moves(club: Club, game: GameId) -> list[str]:
    return [turn.text for turn in club.world.state(game).line.turns]


def test_from_the_mail_to_the_move_in_two_taps(club: Club) -> None:
    """The button of an example opens the board as it would be, and one more tap plays it."""
    club.world.want("html", "Ada")
    game = club.world.open({"size": 3})
    html = club.world.mails("Ada")[-1].get_body(("html",))
    assert html is not None
    state = club.world.state(game)
    example = example_turns(state.game.rules, state.line.position)[0]
    (address,) = re.findall(rf'href="({URL}/turn/[^"]*)"[^>]*>Play {example}<', html.get_content())
    ada = club.visitor()
    assert ada.go(address).says(f"Your move: {example}")
    assert ada.send(f"Play {example}").says(f"{example} is in.") or ada.page.says(f"Ada played {example}")
    club.world.settle()
    assert moves(club, game) == [example]
    assert f"Ada played {example}. Your move" in club.world.text("Bob")


def test_time_is_given_by_a_tap_while_the_other_side_thinks(club: Club) -> None:
    game = club.world.open()
    ada, bob = (club.visitor() for _ in range(2))
    assert not ada.go(link(club.world, game, "Ada")).says("a day more")
    before = club.world.state(game).deadline
    assert before is not None
    assert bob.go(link(club.world, game, "Bob")).says("Give Red a day more")
    assert bob.send("Give Red a day more").says("given by Bob (Blue) on")
    assert club.world.state(game).deadline == before + timedelta(days=1)


def test_the_token_leaves_the_address_bar(club: Club) -> None:
    ada, opened = club.visitor(), link(club.world, club.world.open(), "Ada")
    ada.go(opened)
    assert ada.path == "/turns/play/1-1"
    token = opened.rpartition("/")[2]
    assert token not in ada.answer.text
    first = club.visitor()
    first.go(opened.replace("/turn/", "/play/"))
    assert first.answer.status == 404


def test_the_cookie_is_for_its_page_alone(club: Club) -> None:
    opened = link(club.world, club.world.open(), "Ada")
    kept = asked(club.port, "GET", opened).headers["set-cookie"]
    for part in ("HttpOnly", "Secure", "SameSite=lax", "Path=/turns/play/1-1"):
        assert part in kept


@pytest.mark.parametrize(
    ("game", "options", "touches", "played"),
    [
        ("take", {"size": 3}, ["b2"], "b2"),
        ("okago", {}, ["c3"], "c3"),
        ("tako-judo", {}, ["c2", "c3"], ""),
    ],
)
def test_places_are_touched_one_after_the_other(club: Club, game: str, options: dict[str, Any], touches: list[str], played: str) -> None:
    opened = club.world.open_any(game, ["Ada", "Bob"], options)
    ada = club.visitor()
    ada.go(link(club.world, opened, "Ada"))
    for name in touches:
        ada.go(next(href for href in ada.page.links.values() if parse_qs(urlsplit(href).query).get("t", [""])[-1] == name))
    if played:
        ada.send("Play")
        assert moves(club, opened) == [played]


def test_a_touch_that_leads_nowhere_says_why(club: Club) -> None:
    game = club.world.open({"size": 3})
    club.world.answer("Ada", "c3")
    club.world.answer("Bob", "a1")
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    assert ada.go(f"{ada.path}?t=a1").says("a1")
    assert 'class="warn"' in ada.answer.text
    assert moves(club, game) == ["c3", "a1"]


def test_a_turn_of_several_steps_is_put_together_and_taken_back_step_by_step(club: Club) -> None:
    game = club.world.open_any("sneaky-octopuses", ["Ada", "Bob"])
    state = club.world.state(game)
    mover = club.world.service.people.find(str(state.player_at(state.to_move or state.seats[0]))).name
    turn = example_turns(state.game.rules, state.line.position, count=2)[0]
    first, *rest = turn.split("; ")
    player = club.visitor()
    player.go(link(club.world, game, mover))
    player.press(first)
    assert player.page.says(f"Your move: {first}")
    assert moves(club, game) == []
    back = player.press("Back")
    assert not back.says("Your move:")
    for step in (first, *rest):
        player.press(step)
    player.send("Play")
    assert moves(club, game) == [turn]


def test_undo_until(slow: Club) -> None:
    game = slow.world.open({"size": 3})
    slow.world.wait(minutes=11)
    ada = slow.visitor()
    ada.go(link(slow.world, game, "Ada"))
    ada.press("b2, empty") if "b2, empty" in ada.page.links else ada.go("?t=b2")
    assert ada.send("Play b2").says("b2 is in.")
    bob = slow.visitor()
    assert not bob.go(link(slow.world, game, "Bob").replace("-2-0-", "-2-0-")).says("b2")
    assert ada.send("Take it back (until").says("Choose from a list")
    assert moves(slow, game) == []
    # nobody has to go back to the mailbox to play that turn again
    ada.go("?t=c3")
    assert ada.send("Play c3").says("c3 is in.")


def test_conditional_moves_are_laid_on_the_board(club: Club) -> None:
    game = club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    ada.go(f"{ada.path}?t=c3")
    ada.send("Play c3")
    ada.press("Add conditional moves")
    for name in ("a1", "b3"):
        ada.go(next(href for href in ada.page.links.values() if parse_qs(urlsplit(href).query).get("t", [""])[-1] == name))
    assert ada.page.says("if a1 then b3")
    assert ada.send("Lay these").says("if a1 then b3")
    club.world.settle()
    club.world.answer("Bob", "a1")
    club.world.wait(minutes=1)
    club.world.service.upkeep.sweep()
    assert moves(club, game) == ["c3", "a1", "b3"]


def test_talk_and_resigning_asks_again(club: Club) -> None:
    game = club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    assert ada.send("Send", text="Good luck & <b>fun</b>").says("Your words are on their way to the others.")
    club.world.settle()
    assert "Good luck & <b>fun</b>" in club.world.text("Bob")
    ada.press("Resign")
    assert club.world.state(game).result is None
    assert ada.page.says("Resign Take 1?")
    assert ada.send("Resign").says("Take 1 is over")


def test_whoever_lost_a_seat_that_waits_for_a_substitute_does_not_resign_there(sqlite_url: str, tmp_path: Path) -> None:
    with serving(sqlite_url, tmp_path, replace(SETTINGS, play=replace(PLAIN, when_late=WhenLate.SUBSTITUTE))) as club:
        game = club.world.open({"size": 3})
        for name, move in (("Ada", "b2"), ("Bob", "b3")):
            club.world.answer(name, move)
        club.world.sweep_until(club.world.now + timedelta(days=3, hours=1))
        offered = ["Resign" in club.visitor().go(link(club.world, game, name)).links for name in ("Ada", "Bob")]
        assert offered == [False, True]


def test_moves_are_tried_on_another_board_and_the_game_is_played_again(club: Club) -> None:
    game = club.world.open({"size": 3})
    club.world.answer("Ada", "b2")
    bob = club.visitor()
    bob.go(link(club.world, game, "Bob"))
    assert bob.press("Try moves for both sides on another board").says("Played so far: b2")
    assert bob.page.says("Blue to move")
    assert moves(club, game) == ["b2"]
    bob.go(link(club.world, game, "Bob"))
    bob.press("Resign")
    bob.send("Resign")
    assert bob.page.links["Play again"] == "/turns/me?player=Ada&game=take#challenge"
    # dice would not fall as they did
    dice = club.world.open_any("tako", ["Ada", "Bob"], {})
    for name in ("Ada", "Bob"):
        assert "Try moves for both sides on another board" not in club.visitor().go(link(club.world, dice, name)).links


def test_an_offer_stands_on_the_page_until_it_is_answered(club: Club) -> None:
    game = club.world.open_any("tako-judo", ["Ada", "Bob"], {})
    ada, bob = (club.visitor() for _ in range(2))
    for who, name in ((ada, "Ada"), (bob, "Bob")):
        who.go(link(club.world, game, name))
    assert ada.send("Offer a draw").says("Not answered yet: Ada (North) offers a draw.")
    assert bob.go(link(club.world, game, "Bob")).says("Ada (North) offers a draw. Accept")
    assert not bob.page.says("Not answered yet")
    bob.send("Decline")
    assert not ada.go(link(club.world, game, "Ada")).says("offers a draw")


def test_a_note_stands_on_the_page_of_its_player_alone(club: Club) -> None:
    game = club.world.open({"size": 3})
    ada, bob = club.visitor(), club.visitor()
    ada.go(link(club.world, game, "Ada"))
    assert ada.send("Keep it", text="look at b2 <next>").says("look at b2 <next>")
    assert not bob.go(link(club.world, game, "Bob")).says("look at b2")


def test_notes_are_published_and_taken_back_once_the_game_is_over(club: Club) -> None:
    game = club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    ada.send("Keep it", text="the corner decides")
    assert not [one for one in ada.page.forms if one.fields.get("do") == "publish"]
    club.world.answer("Ada", "confirm resign")

    def in_record() -> bool:
        return "the corner decides" in writing.write(club.world.service.pages.public.game(PlayerId(2), game).record)

    ada.go(ada.path)
    for label, shown in (("Publish my notes", True), ("Take them out again", False)):
        ada.send(label)
        assert (ada.answer.status, in_record()) == (200, shown)


def test_a_refusal_names_its_moments_by_the_clock_of_the_player(club: Club) -> None:
    game = club.world.open({"size": 3})
    club.world.answer("Ada", "set zone Asia/Tokyo")
    ada = club.visitor()
    ada.go(f"{link(club.world, game, 'Ada')}?s=b2")
    form = ada.page.form("Play")
    club.world.wait(days=4)
    ada.post(form.action, form.fields)
    assert (ada.answer.status, moves(club, game)) == (409, [])
    assert ada.page.says("ran out at Wed 4 Mar, 21:00 (Asia/Tokyo), and your mail came at Thu 5 Mar, 21:00 (Asia/Tokyo).")


def test_words_go_with_the_move_in_one_mail(club: Club) -> None:
    """If the move is refused, they are still there."""
    game = club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(f"{link(club.world, game, 'Ada')}?s=b2")
    form, heard = ada.page.form("Play"), len(club.world.mails("Bob"))
    ada.post(form.action, form.fields | {"text": "b9", "words": "Your turn & <b>luck</b>!"})
    assert (ada.answer.status, moves(club, game)) == (409, [])
    assert "Your turn &amp; &lt;b&gt;luck&lt;/b&gt;!</textarea>" in ada.answer.text
    ada.post(form.action, form.fields | {"words": "Your turn & <b>luck</b>!"})
    club.world.settle()
    assert moves(club, game) == ["b2"]
    assert len(club.world.mails("Bob")) == heard + 1
    for words in ("Ada played b2", "Your turn & <b>luck</b>!"):
        assert words in club.world.text("Bob")


def links_in(club: Club, name: str) -> list[str]:
    """The links to the page of a game in the newest mail to a player, in its text and in its HTML."""
    parts = [club.world.mails(name)[-1].get_body((kind,)) for kind in ("plain", "html")]
    return [re.findall(rf"{URL}(/turn/[^\s\"<?]+)", part.get_content())[0] for part in parts if part is not None]


def test_the_mail_of_an_invitation_leads_to_a_page_that_says_to_what(club: Club) -> None:
    club.world.want("html", "Ada")
    game = club.world.open({"size": 3}, accepted=False)
    text, html = links_in(club, "Ada")
    assert text == html
    ada = club.visitor()
    page = ada.go(f"/turns{text}")
    for words in (f"Take {game}, standard, 3 cells along each side", "Each turn may take 3 days.", "Bob"):
        assert page.says(words)
    assert ada.press("Rules, with a board to try them on").says("You play all sides")
    ada.go(f"/turns{text}")
    ada.send("Accept")
    assert PlayerId(1) in club.world.state(game).accepted


def test_whoever_is_asked_to_play_on_sees_the_board_and_answers_there(club: Club) -> None:
    club.world.want("html", "Cleo")
    game = club.world.open({"size": 3})
    club.world.answer("Ada", "substitute Cleo")
    club.world.answer("Bob", "accept")
    text, html = links_in(club, "Cleo")
    assert text == html
    cleo = club.visitor()
    cleo.go(f"/turns{text}")
    assert cleo.page.says("Each turn may take 3 days.")
    cleo.send("Accept")
    assert PlayerId(3) in club.world.state(game).players


def test_a_link_of_an_old_turn_shows_the_board_and_nothing_of_its_players_own(club: Club) -> None:
    game = club.world.open({"size": 3})
    ada, first = club.visitor(), link(club.world, game, "Ada")
    ada.go(first)
    ada.send("Keep it", text="look at b2")
    for name, move in (("Ada", "c3"), ("Bob", "a1")):
        club.world.answer(name, move)
    assert not ada.go(first).says("look at b2")
    assert ada.go(link(club.world, game, "Ada")).says("look at b2")


def test_the_next_game_that_waits_opens_for_its_player_and_not_for_whoever_has_a_link_of_this_one(club: Club) -> None:
    first, second = club.world.open({"size": 3}), club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(link(club.world, first, "Ada"))
    ada.press("Next game that waits for you")
    assert ada.path == "/turns/sign-in?to=/play/2-1"
    ada.go(link(club.world, second, "Ada"))
    ada.go(link(club.world, first, "Ada"))
    ada.press("Next game that waits for you")
    assert ada.path == "/turns/play/2-1"


def test_the_page_speaks_the_language_of_its_player(club: Club) -> None:
    club.world.service.people.choose("Ada", [("language", "de")], actor="admin:test", cause="test:language")
    ada = club.visitor()
    page = ada.go(link(club.world, club.world.open({"size": 3}), "Ada"))
    assert page.says("Aus einer Liste wählen")
    assert 'lang="de"' in ada.answer.text


def test_what_is_told_of_the_same_turn_follows_zone_language_and_names(club: Club) -> None:
    game = club.world.open({"size": 3})
    club.world.answer("Bob", "give 1 day")
    people, ada = club.world.service.people, club.visitor()
    assert ada.go(link(club.world, game, "Ada")).says("given by Bob (Blue) on")
    began = next(words for words in ada.page.words if words.startswith("The turn began"))
    assert "(UTC)" in began
    people.choose("Ada", [("zone", "Asia/Tokyo")], actor="admin:test", cause="test:zone")
    assert "(Asia/Tokyo)" in next(words for words in ada.go(link(club.world, game, "Ada")).words if words.startswith("The turn began"))
    people.choose("Ada", [("language", "de")], actor="admin:test", cause="test:language")
    assert ada.go(link(club.world, game, "Ada")).says("Der Zug begann")
    people.edit("Bob", name="Robert", actor="admin:test", cause="test:rename")
    assert ada.go(link(club.world, game, "Ada")).says("geschenkt von Robert (Blau)")


def test_a_scanner_that_follows_every_link_changes_nothing(sqlite_url: str, tmp_path: Path) -> None:
    """Mail servers ask for all addresses in a mail, of whatever kind; some also for those in the pages behind them."""
    public = replace(SETTINGS, web=replace(SETTINGS.web, games="public", leagues="public"))
    with serving(sqlite_url, tmp_path, public) as club:
        league = open_league(club.world)
        begin(club.world, league)
        club.world.open({"size": 3})
        club.world.answer("Ada", "c3")
        club.world.answer("Bob", "confirm resign")
        club.world.open({"size": 3}, accepted=False)
        for asked in ("settings", "games", f"standings league-{league}"):
            club.world.answer("Ada", asked, mail=club.world.welcomes["Ada"])
        sign_in_link(club.world, "Ada")
        before, scanner, seen, further = club.everything, club.visitor(), set[str](), set[str]()
        for name in ("Ada", "Bob"):
            for mail in club.world.mails(name):
                parts = "".join(str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text")
                headers = " ".join(str(value) for value in mail.values())
                seen |= set(re.findall(rf"{URL}[^\s\"<>]*", parts + headers))
        assert {one.removeprefix(f"{URL}/").partition("/")[0] for one in seen} == KINDS
        for address in sorted(seen):
            for method in ("HEAD", "GET"):
                scanner.go(address.replace("&amp;", "&"), method)
                assert scanner.answer.status == 200, address
            further |= {urljoin(scanner.path, one) for one in (*scanner.page.links.values(), *scanner.page.loads)}
        assert len(further) > 20
        for address in sorted(further):
            scanner.go(address)
            assert scanner.answer.status == 200 or address.startswith("mailto:"), address
        assert club.everything == before


KINDS = {"turn", "unsubscribe", "games", "leagues", "calendar", "sign-in"}
"""The addresses to which mails lead."""


HOSTILE = [
    ({"Sec_Fetch_Site": "cross-site"}, 403),
    ({"Sec_Fetch_Site": "same-site"}, 403),
    ({"Sec_Fetch_Site": "", "Origin": "https://evil.example"}, 403),
]


@pytest.mark.parametrize(("headers", "status"), HOSTILE)
def test_a_form_from_another_site_does_nothing(club: Club, headers: dict[str, str], status: int) -> None:
    game = club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    ada.go(f"{ada.path}?t=b2")
    form = ada.page.form("Play")
    ada.post(form.action, form.fields, **headers)
    assert ada.answer.status == status
    assert moves(club, game) == []


def test_a_form_that_is_sent_twice_plays_once(club: Club) -> None:
    game = club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    ada.go(f"{ada.path}?t=b2")
    form = ada.page.form("Play")
    for _ in range(2):
        ada.post(form.action, form.fields)
        assert ada.answer.status == 200
    assert moves(club, game) == ["b2"]


def test_a_tab_of_an_earlier_turn_is_told_so(club: Club) -> None:
    """The cookie of the page is that of the newest link, so the tab says for itself which turn it shows."""
    game = club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    ada.go(f"{ada.path}?t=b2")
    old = ada.page.form("Play")
    club.world.answer("Ada", "c3")
    club.world.answer("Bob", "a1")
    ada.go(link(club.world, game, "Ada"))
    ada.post(old.action, old.fields)
    assert ada.answer.status == 409
    assert ada.page.says("This page was of an earlier turn")
    assert moves(club, game) == ["c3", "a1"]


@pytest.mark.parametrize("fields", [{}, {"do": "move"}, {"do": "abandon"}, {"do": "move", "text": "b2", "nonce": "x"}])
def test_what_no_form_of_ours_sends_does_nothing(club: Club, fields: dict[str, str]) -> None:
    game = club.world.open({"size": 3})
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    ada.post(ada.path, fields)
    assert ada.answer.status == 404
    assert moves(club, game) == []


def test_names_are_text(club: Club) -> None:
    club.world.service.people.add("<i>Eve</i> O'Hara", "eve@example.net", actor="admin:test", cause="test:eve")
    game = club.world.open_any("take", ["Ada", "<i>Eve</i> O'Hara"], {"size": 3}, accepted=False)
    ada = club.visitor()
    ada.go(link(club.world, game, "Ada"))
    assert "<i>" not in ada.answer.text
    assert ada.page.says("<i>Eve</i> O'Hara")


def test_a_link_of_an_earlier_turn_only_shows_the_game(club: Club) -> None:
    game = club.world.open({"size": 3})
    ada = club.visitor()
    old = link(club.world, game, "Ada")
    ada.go(old)
    assert ada.page.form("Send").fields["do"] == "say"
    for name, move in (("Ada", "c3"), ("Bob", "a1"), ("Ada", "c4")):
        club.world.answer(name, move)
    ada.go(old)
    assert ada.page.says("This link was for an earlier turn")
    assert [form.fields["do"] for form in ada.page.forms] == []
