"""The page of a game: the board at every moment, what nobody is told yet, the history, and what it weighs."""

import gzip
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from tests.cases import for_each
from tests.terms import PLAIN
from tests.web.club import SETTINGS
from tests.web.public.showing import GAME, STRANGER, Shown, shown
from turnserver.ids import PlayerId
from turnserver.mail.outbound.context import DIGEST_DIGITS
from turnserver.play.commands import PlayTurn, Resign
from turnserver.play.evolve import fold
from turnserver.rules import Seat
from turnserver.web.game.page import TURNS, window

PUBLIC = replace(SETTINGS, web=replace(SETTINGS.web, games="public", leagues="public"))


@pytest.fixture
def there(sqlite_url: str, tmp_path: Path) -> Iterator[Shown]:
    """A club where everybody sees all, and hears of a turn after ten minutes."""
    with shown(sqlite_url, tmp_path, replace(PUBLIC, play=replace(PLAIN, correction_minutes=10)), league=False) as found:
        yield found


def say_so(there: Shown, name: str, text: str, *, wait: int = 11) -> None:
    """A player answers the newest mail of the game, and time passes."""
    world = there.club.world
    mail = next(one for one in reversed(world.mails(name)) if f"[Take {there.game}]" in one["Subject"])
    world.answer(name, text, mail=mail)
    world.now += timedelta(minutes=wait)
    world.settle()


def test_nothing_tells_what_no_mail_tells_yet(there: Shown) -> None:
    """A turn that can be corrected is seen by its player alone; conditional moves, talk and notes are not seen at all."""

    def read(who: str) -> dict[str, str]:
        return {path: there.text(who, f"/games/{there.game}{path}") for path in GAME}

    before = read(STRANGER)
    say_so(there, "Ada", "a1\n\nsay Good luck, dear Bob\n\nnote the corner is mine", wait=0)
    assert read(STRANGER) == before
    assert there.status(STRANGER, f"/games/{there.game}?turn=1") == 404
    assert "Turn 1 of 1: Red a1" in there.text("Ada", f"/games/{there.game}?turn=1")
    there.club.world.wait(minutes=11)
    there.club.world.settle()
    known = {who: read(who) for who in (STRANGER, "Eve")}
    assert "Turn 1 of 1: Red a1" in known[STRANGER][""]
    say_so(there, "Ada", "if a2 then b3", wait=0)
    assert {who: read(who) for who in known} == known
    say_so(there, "Bob", "a2")
    there.club.world.service.upkeep.sweep()
    found = read(STRANGER)
    assert "Turn 3 of 3: Red b3" in found[""]
    assert [words for words in ("Good luck", "corner is mine") if words in "".join(found.values())] == []


def test_a_page_says_who_still_has_to_answer_an_invitation(there: Shown) -> None:
    """It is the same for everybody, so it does not call a stranger invited."""
    world = there.club.world
    game = world.service.games.open("take", {"size": 2}, ["Ada", "Bob"], actor="admin:test", cause="test:invited").game
    for who in ("Ada", "Eve", STRANGER):
        page = there.text(who, f"/games/{game}")
        assert ("You are invited." in page, "The invitation still has to be answered by" in page) == (False, True)


def test_a_turn_that_can_be_corrected_is_in_no_count_yet(there: Shown) -> None:
    """Its player alone reads how many turns they have played with it; an opponent's turn counts for the opponent."""
    there.club.world.answer("Ada", "set public name", mail=there.club.world.welcomes["Ada"])
    say_so(there, "Ada", "a1")
    say_so(there, "Bob", "b2")
    pages = {who: there.text(who, "/players/1") for who in (STRANGER, "Bob")}
    own = there.text("Ada", "/players/1")
    assert "1 turn" in pages[STRANGER]
    say_so(there, "Ada", "a2", wait=0)
    assert {who: there.text(who, "/players/1") for who in pages} == pages
    assert there.text("Ada", "/players/1") != own
    there.club.world.wait(minutes=11)
    assert "2 turns" in there.text(STRANGER, "/players/1")


def test_no_number_tells_that_conditional_moves_wait(there: Shown) -> None:
    """Nor that they are laid or forgotten, whatever else happens; it counts only what everybody may know."""
    say_so(there, "Ada", "a1")

    def numbers(who: str) -> list[str]:
        pages = [there.text(who, f"/games/{there.game}{path}") for path in ("", "/history", "/record.txt")]
        pages += [there.text(who, f"/play/{there.game}-2")] if who == "Bob" else []
        say_so(there, "Bob", "board", wait=0)
        mail = there.club.world.mails("Bob")[-1]
        # the rest of Bob's mail is the same, so what is left are its numbers
        said = [line for line in there.club.world.text("Bob").splitlines() if "digest of" in line]
        assert f".g{there.game}.0." in mail["Message-ID"]
        return said + [
            found for page in pages for found in re.findall(r"board.svg[^\"]*|replay.json[^\"]*|[0-9a-f]{16,}|\d+ events?", page)
        ]

    before = {who: numbers(who) for who in ("Bob", "Eve", STRANGER)}
    assert all(len(found) > 4 for found in before.values())
    # with all of a hash, somebody could try out whether the next one has conditional moves between
    assert [one for found in before.values() for one in found if len(one) > DIGEST_DIGITS and one.isalnum()] == []
    say_so(there, "Ada", "if a2 then b3", wait=0)
    assert {who: numbers(who) for who in before} == before
    say_so(there, "Ada", "forget plan", wait=0)
    say_so(there, "Ada", "if a2 then b3", wait=0)
    say_so(there, "Bob", "pause 3 days", wait=0)
    counted = {who: [int(one.split()[0]) for one in before[who] if one.endswith("events")] for who in before}
    assert {who: [int(one.split()[0]) - 1 for one in numbers(who) if one.endswith("events")] for who in before} == counted
    say_so(there, "Ada", "decline", wait=0)
    say_so(there, "Bob", "b2")
    after = {who: numbers(who) for who in before}
    assert all(set(after[who]).isdisjoint(before[who]) for who in before)


def test_notes_are_seen_once_they_are_published(there: Shown) -> None:
    say_so(there, "Ada", "a1\n\nnote the corner is mine")
    say_so(there, "Bob", "resign")
    say_so(there, "Bob", "confirm resign")
    assert "corner is mine" not in there.text(STRANGER, f"/games/{there.game}?turn=1")
    say_so(there, "Ada", "publish notes")
    for path in ("?turn=1", "/record.txt", "/record.json", "/replay.json?turn=1"):
        assert "Player 1: the corner is mine" in there.text(STRANGER, f"/games/{there.game}{path}"), path


def test_offers_and_reminders_concern_those_at_the_table_alone(there: Shown) -> None:
    """Their history is that of their mails; everybody else reads the course of the game."""
    say_so(there, "Ada", "a1")
    say_so(there, "Bob", "pause 3 days")
    told = {who: there.text(who, f"/games/{there.game}/history") for who in ("Ada", "Eve", STRANGER)}
    assert all("played a1" in text for text in told.values())
    assert {who for who, text in told.items() if "pause" in text} == {"Ada"}


def test_a_player_goes_on_to_the_page_to_play_on(there: Shown) -> None:
    for who, leads in (("Ada", f"/turns/play/{there.game}-1"), ("Eve", None), (STRANGER, None)):
        there.text(who, f"/games/{there.game}")
        assert there.at[who].page.links.get("To your page of the game") == leads
    assert there.at["Ada"].press("To your page of the game").says("Your move")


def test_who_is_away_is_told_at_the_table_alone(there: Shown) -> None:
    say_so(there, "Bob", "vacation 5 days", wait=0)
    shown_to = {who for who in ("Ada", "Eve", STRANGER) if "on vacation until" in there.text(who, f"/games/{there.game}")}
    assert shown_to == {"Ada"}


def test_a_turn_that_was_corrected_is_nobody_else_s_business(there: Shown) -> None:
    say_so(there, "Ada", "a1", wait=1)
    say_so(there, "Ada", "undo", wait=1)
    say_so(there, "Ada", "b1")
    told = {who: there.text(who, f"/games/{there.game}/history") for who in ("Ada", "Eve", STRANGER)}
    assert {who for who, text in told.items() if "played a1" in text} == {"Ada"}
    assert all("played b1" in text for text in told.values())


def test_steps_through_every_moment_without_scripts(there: Shown) -> None:
    for name, move in (("Ada", "a1"), ("Bob", "b3"), ("Ada", "c2")):
        say_so(there, name, move)
    visitor = there.at[STRANGER]
    there.text(STRANGER, f"/games/{there.game}?turn=0")
    seen = []
    while True:
        seen.append(next(words for words in visitor.page.words if words.startswith(("Before", "Turn "))))
        if not visitor.page.links.get("Next"):
            break
        visitor.press("Next")
    assert seen[0] == "Before the first turn"
    assert seen[1:] == ["Turn 1 of 3: Red a1", "Turn 2 of 3: Blue b3", "Turn 3 of 3: Red c2"]
    visitor.press("First")
    assert visitor.page.says("This is an earlier board.")
    visitor.press("Newest")
    assert not visitor.page.says("This is an earlier board.")
    for missing in ("4", "1.2", "x", "-1", "1.x", "99999999999", "%C2%B2"):
        assert there.status(STRANGER, f"/games/{there.game}?turn={missing}") == 404
        assert there.status(STRANGER, f"/games/{there.game}/board.svg?turn={missing}") == 404


def test_the_boards_for_scripts_are_the_boards_of_the_pages(there: Shown) -> None:
    for name, move in (("Ada", "a1"), ("Bob", "b3")):
        say_so(there, name, move)
    for flip in ("", "&flip=1"):
        reel = json.loads(there.text(STRANGER, f"/games/{there.game}/replay.json?turn=1{flip}"))
        assert [one["name"] for one in reel["moments"]] == ["0", "1", "2"]
        drawn = [("board", reel["frames"]), ("beneath", reel["beneath"])]
        shown = [(part, *one) for part, frames in drawn for one in zip(reel["moments"], frames, strict=True)]
        assert len(shown) == 6
        for part, moment, frame in shown:
            box, *parts = (reel["parts"][number] for number in frame)
            address = f"/games/{there.game}/board.svg?turn={moment['name']}{flip}&part={part}"
            page = ET.fromstring(there.text(STRANGER, address))  # noqa: S314  # ours
            assert box == page.attrib["viewBox"]
            made = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>')  # noqa: S314  # as above
            assert [ET.tostring(one) for one in made] == [ET.tostring(one) for one in page]


def test_the_words_for_scripts_are_the_words_of_the_pages(there: Shown) -> None:
    """The words in place of the picture, and the board as text, are in the language of the reader."""
    for name, move in (("Ada", "a1"), ("Bob", "b3")):
        say_so(there, name, move)
    there.club.world.service.people.choose("Eve", [("language", "de")], actor="admin:test", cause="test:language")
    for who in (STRANGER, "Eve"):
        for moment in json.loads(there.text(who, f"/games/{there.game}/replay.json"))["moments"]:
            page = unescape(there.text(who, f"/games/{there.game}?turn={moment['name']}"))
            assert f'alt="{moment["alt"]}"' in page
            assert f">{moment['text']}</pre>" in page


def test_whoever_has_left_is_named_in_the_language_of_the_reader(there: Shown) -> None:
    world = there.club.world
    game = world.open_any("sneaky-octopuses", ["Ada", "Bob", "Cleo"])
    world.service.people.choose("Eve", [("language", "de")], actor="admin:test", cause="test:language")
    world.service.games.handle(game, Resign(PlayerId(3), world.now), actor="player-3", cause="test:resign")
    assert "Spieler 3" in there.text("Eve", f"/games/{game}")
    assert "Player 3" not in there.at["Eve"].answer.text
    assert '"Player 3"' in there.text("Eve", f"/games/{game}/record.json")


def test_a_list_of_boards_names_the_moments_beside_it(there: Shown) -> None:
    """So a script can tell whether the game goes on before and after it, and leads there as the links of the page do."""
    world = there.club.world
    games, game = world.service.games, world.open_any("take", ["Ada", "Bob"], {"size": 6})
    for turn in range(TURNS + 2):
        state = world.state(game)
        mover = state.player_at(state.to_move or Seat(1))
        move = state.game.rules.format(state.line.position, state.game.rules.steps(state.line.position)[0])
        games.handle(game, PlayTurn(mover, world.now, move), actor=f"player-{mover}", cause=f"test:turn:{turn}")
    world.now += timedelta(minutes=11)
    for asked, beside in ((0, ("", str(TURNS + 1))), (TURNS, ("", str(TURNS + 1))), (TURNS + 1, (str(TURNS), ""))):
        reel = json.loads(there.text(STRANGER, f"/games/{game}/replay.json?turn={asked}"))
        assert (reel["before"], reel["after"]) == beside
        for at, way, name in ((0, "Previous", reel["before"]), (-1, "Next", reel["after"])):
            there.text(STRANGER, f"/games/{game}?turn={reel['moments'][at]['name']}")
            assert there.at[STRANGER].page.links.get(way, "").partition("turn=")[2] == name


@for_each(
    ("turns", "lists"), [(0, [(0, 0)]), (1, [(0, 1)]), (50, [(0, 50)]), (51, [(0, 50), (51, 51)]), (130, [(0, 50), (51, 100), (101, 130)])]
)
def test_a_long_game_comes_in_lists_of_turns(turns: int, lists: list[tuple[int, int]]) -> None:
    """Each turn is in one of them."""
    found = [window(turn, turns) for turn in range(turns + 1)]
    assert sorted(set(found)) == lists
    assert all(first <= turn <= last for turn, (first, last) in enumerate(found))
    assert all(last - first <= TURNS for first, last in lists)
    assert all(later[0] == earlier[1] + 1 for earlier, later in pairwise(lists))


def test_rolls_can_be_checked_when_the_game_is_over(there: Shown) -> None:
    service = there.club.world.service
    dice = there.club.world.open_any("sneaky-octopuses", ["Ada", "Bob"], {"target": 3})
    assert there.status(STRANGER, f"/games/{dice}/chance") == 404
    bob = service.people.find("Bob").id
    service.games.handle(dice, Resign(bob, there.club.world.now), actor="player-2", cause="test:resign")
    text = there.text(STRANGER, f"/games/{dice}/chance")
    secret = fold(row.event for row in service.games.history(dice)).commitment
    assert secret is not None
    assert secret in text
    assert there.at[STRANGER].page.loads[0].startswith("/turns/static/chance-")


def test_it_is_light(there: Shown) -> None:
    """With picture, style and script, packed as it is sent."""
    dice = there.club.world.open_any("sneaky-octopuses", ["Ada", "Bob"])
    there.text(STRANGER, f"/games/{dice}")
    visitor = there.at[STRANGER]
    parts = [visitor.answer.text, *(there.text(STRANGER, one.removeprefix("/turns")) for one in visitor.page.loads)]
    parts += [there.text(STRANGER, f"/games/{dice}/replay.json"), (Path("templates/page/static/style.css")).read_text(encoding="utf-8")]
    assert sum(len(gzip.compress(one.encode())) for one in parts) < 60_000


def test_hostile_names_are_words(there: Shown) -> None:
    service = there.club.world.service
    there.text("Ada", "/leagues")
    service.people.edit("Ada", name="<b>Ada</b>\"'", actor="admin:test", cause="test:name")
    service.people.choose("Bob", [("public", "as <i>Bob</i>")], actor="admin:test", cause="test:bob")
    for who in (STRANGER, "Ada"):
        for path in (f"/games/{there.game}", f"/games/{there.game}/history", "/players/2"):
            text = there.text(who, path)
            assert "<b>" not in text.replace("<b>a", "").replace("<b>0", "").replace("<b>1", "")
            assert "<i>" not in text


def test_the_time_of_each_seat_stands_beside_its_player(there: Shown) -> None:
    """One side has the rest of its turn, the other its time for the next; neither has any once the game is over."""

    def seats() -> list[str]:
        text = there.text(STRANGER, f"/games/{there.game}")
        return re.findall(r'<span class="quiet">([^<]*)</span></dd>', text)

    assert seats() == ["3 days left", "3 days for the next move"]
    there.club.world.wait(hours=30)
    assert seats() == ["1 day 18 hours left", "3 days for the next move"]
    say_so(there, "Ada", "a1")
    assert seats()[0] == "3 days for the next move"
    there.club.world.service.games.handle(there.game, Resign(PlayerId(2), there.club.world.now), actor="player-2", cause="test:resign")
    assert seats() == []


def test_the_time_of_a_seat_on_grace_is_that_until_its_deadline(sqlite_url: str, tmp_path: Path) -> None:
    with shown(sqlite_url, tmp_path, replace(PUBLIC, play=replace(PLAIN, grace_hours=24)), league=False) as there:
        there.club.world.sweep_until(there.club.world.now + timedelta(days=3, minutes=6))
        text = there.text(STRANGER, f"/games/{there.game}")
    assert ", in 23 hours 54 minutes" in text
    assert ">23 hours 54 minutes left<" in text


def test_earlier_meetings_of_two_are_listed(there: Shown) -> None:
    world = there.club.world
    page = f"/games/{there.game}"
    assert "Earlier meetings" not in there.text("Ada", page)
    before = world.open({"size": 2})
    with_cleo = world.open_any("take", ["Ada", "Cleo"], {"size": 2})
    for game, loser in ((before, 1), (with_cleo, 1)):
        world.service.games.handle(game, Resign(PlayerId(loser), world.now), actor=f"player-{loser}", cause=f"test:over:{game}")
    for who, name in (("Ada", "Bob"), (STRANGER, "Player 2")):
        there.text(who, page)
        assert f"Earlier meetings Take {before} {name} won Sun 1 Mar 2026" in " ".join(there.at[who].page.words)
        assert f"Take {with_cleo}" not in there.at[who].page.links
    world.service.pages.public.show_to("game", before, "seats")
    assert "Earlier meetings" not in there.text(STRANGER, page)
