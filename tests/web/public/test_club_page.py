"""The first page, and the page for those who want to check: what goes on, how to join, keys and checkpoints."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.service.leagues.league_world import resign
from tests.terms import PLAIN
from tests.web.club import SETTINGS
from tests.web.public.showing import STRANGER, Shown, shown
from turnserver.config import Audit, Settings
from turnserver.ids import PlayerId
from turnserver.play.commands import Accept, Cancel, Decline
from turnserver.proof.checkpoint import verify
from turnserver.proof.note import verification_key
from turnserver.service.upkeep import checkpoints as signing

NUMBERS, NAMES = "Player 1 \N{EN DASH} Player 2", "Ada \N{EN DASH} Bob"
PUBLIC = replace(SETTINGS, web=replace(SETTINGS.web, games="public", leagues="public", colour="#8a1c1c"))


@pytest.fixture
def there(sqlite_url: str, tmp_path: Path) -> Iterator[Shown]:
    """A club where everybody sees all, and hears of a turn after ten minutes."""
    with shown(sqlite_url, tmp_path, replace(PUBLIC, play=replace(PLAIN, correction_minutes=10))) as found:
        yield found


def say(there: Shown, who: str) -> str:
    """The first page in words, as somebody reads it."""
    there.text(who, "/")
    return " ".join(there.at[who].page.words)


def test_what_goes_on_here(there: Shown) -> None:
    """Under names that the reader may read, and with the result once there is one."""
    number = there.game
    for who, players in ((STRANGER, NUMBERS), ("Eve", NUMBERS), ("Ada", NAMES)):
        assert f"Take {there.played} {players}" in say(there, who)
        assert f"Take {number} {players}" in say(there, who)
        assert "Leagues Take Winter Take; season 1, running" in say(there, who)
        assert "Latest results" not in say(there, who)
    resign(there.club.world, number, PlayerId(2))
    there.club.world.settle()
    assert f"Latest results Take {number} {NUMBERS}: Player 1 won Sun 1 Mar 2026" in say(there, STRANGER)
    assert f"Latest results Take {number} {NAMES}: Ada won Sun 1 Mar 2026" in say(there, "Bob")
    there.club.world.service.games.handle(there.played, Cancel("a test"), actor="admin:test", cause="test:void")
    assert f"Take {there.played} {NUMBERS}: no result" in say(there, STRANGER)


def test_an_invitation_is_no_game_that_goes_on(there: Shown) -> None:
    world = there.club.world
    invited = world.open({"size": 2}, accepted=False)
    assert f"Take {invited}" not in say(there, "Ada")
    for player in (1, 2):
        world.service.games.handle(invited, Accept(PlayerId(player), world.now), actor=f"player-{player}", cause=f"test:accept:{player}")
    assert f"Take {invited} {NAMES}" in say(there, "Ada")


def test_a_challenge_that_was_declined_is_no_result(there: Shown) -> None:
    world = there.club.world
    declined = world.open({"size": 2}, accepted=False)
    resign(world, there.game, PlayerId(2))
    world.service.games.handle(declined, Decline(PlayerId(1), world.now), actor="player-1", cause="test:declined")
    world.settle()
    for path in ("/", "/players/1", f"/games/{there.game}"):
        assert f"/games/{declined}" not in there.text("Ada", path)


def test_nothing_of_it_tells_of_a_turn_that_can_be_corrected(there: Shown) -> None:
    before = say(there, STRANGER)
    mail = next(one for one in there.club.world.mails("Ada") if f"[Take {there.game}]" in one["Subject"] and "your move" in one["Subject"])
    there.club.world.answer("Ada", "a1", mail=mail)
    assert there.club.world.state(there.game).turn == 2
    assert say(there, STRANGER) == before


def test_boards_in_lists_are_the_newest(there: Shown) -> None:
    """Their addresses stay, so no browser keeps them; that of the page of a game names the turns, so it does."""
    there.text(STRANGER, "/")
    listed = there.at[STRANGER].page.loads
    there.text(STRANGER, f"/games/{there.game}")
    own = there.at[STRANGER].page.loads[-1]
    kept = []
    for address in (*listed, own):
        there.at[STRANGER].go(address)
        kept.append(there.at[STRANGER].answer.headers["cache-control"])
    assert kept == [*["no-store"] * len(listed), "private, max-age=600"]
    assert len(listed) > 1


def test_what_is_not_for_everybody_is_not_listed(there: Shown) -> None:
    pages = there.club.world.service.pages.public
    for number in (there.game, there.played):
        pages.show_to("game", number, "seats")
    pages.show_to("league", there.league, "seats")
    for who in (STRANGER, "Eve"):
        assert "Take Winter" not in say(there, who)
        assert "Games that go on" not in say(there, who)
    assert NAMES in say(there, "Ada")
    assert "Take Winter" in say(there, "Dan")


@pytest.mark.parametrize(
    ("site", "words", "link"),
    [
        ({}, "Accounts are made by the admin of this site.", None),
        ({"admin": "wei@club.example"}, "Ask wei@club.example for an account.", "mailto:wei@club.example"),
        (
            {"registration": "open"},
            "Write a mail to turns@club.example that says: join <your name>",
            "mailto:turns@club.example?subject=turnserver&body=join%20%3Cyour%20name%3E",
        ),
    ],
)
def test_how_to_join(sqlite_url: str, tmp_path: Path, site: dict[str, str], words: str, link: str | None) -> None:
    settings = replace(SETTINGS, site=replace(SETTINGS.site, **site))
    with shown(sqlite_url, tmp_path, settings, league=False) as found:
        assert words in say(found, STRANGER)
        links = found.at[STRANGER].page.links
        assert next((links[one] for one in ("Write this mail", "Write a mail") if one in links), None) == link
        assert links["Sign in"] == "/turns/sign-in"
        assert "All you need is a mailbox" not in say(found, "Eve")


def test_the_club_has_a_name_a_colour_and_words_of_its_own(sqlite_url: str, tmp_path: Path) -> None:
    web = replace(PUBLIC.web, welcome="We meet on Thursdays.\nBring <tea>.\n\n\nGuests are welcome.")
    with shown(sqlite_url, tmp_path, replace(PUBLIC, web=web, site=replace(PUBLIC.site, name="Seven Gulls")), league=False) as found:
        text = found.text(STRANGER, "/")
        assert '<p class="lines">We meet on Thursdays.\nBring &lt;tea&gt;.</p>\n<p class="lines">Guests are welcome.</p>' in text
        assert "<h1>Seven Gulls</h1>" in text
        assert "--do: #8a1c1c" in found.text(STRANGER, "/club.css")
        assert 'href="/turns/club.css"' in text
        # the name of the site leads here from every page
        found.text(STRANGER, "/rules")
        assert found.at[STRANGER].press("Seven Gulls").says("We meet on Thursdays.")


def test_a_log_that_is_signed(sqlite_url: str, tmp_path: Path) -> None:
    key = tmp_path / "checkpoint.pem"
    signing.make(key)
    settings: Settings = replace(PUBLIC, audit=Audit(key_files=(key,)))
    with shown(sqlite_url, tmp_path, settings, league=False) as found:
        made = found.club.world.service.upkeep.checkpoints.make().stored
        (text,) = [word for word in found.at[STRANGER].go("/turns/audit").words if word.startswith("club.example/turnserver+")]
        page = found.at[STRANGER].page
        assert f"Sun 1 Mar 2026, 12:00 ({settings.site.zone})" in found.at[STRANGER].answer.text
        note = found.text(STRANGER, page.links[f"{made.size}.checkpoint"].removeprefix("/turns"))
        said = verify(note, [verification_key(text)], "club.example/turnserver")
        assert (said.size, said.root) == (made.size, made.root)
        assert found.status(STRANGER, f"/audit/checkpoints/{made.size + 1}") == 404
        # a process that may not read the key shows those that the settings have
        key.write_text("nothing")
        assert text not in found.text(STRANGER, "/audit")
        assert found.at[STRANGER].page.says("The key that signs the checkpoints cannot be shown here.")
