"""Every mail that the service writes: its words, its form, its headers."""

import re
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from html import unescape
from typing import NamedTuple

import pytest
from msgspec import structs

from tests.cases import for_each
from tests.mail.outbound.mails import NAME_SETS, commands_in, composed, html, occasions, read
from tests.mail.outbound.occasions import ADA, BOB, CLEO, after, at_three, begun, context, finished, invited
from turnserver.config import Site
from turnserver.errors import PermanentFailure
from turnserver.mail.format.mime import MARKER
from turnserver.mail.outbound.compose import MOST_REFERENCES, Composed, compose
from turnserver.mail.outbound.context import Form, MailContext
from turnserver.mail.outbound.kinds import ANSWERS, FORMS, OF_LEAGUES, MailKind
from turnserver.mail.outbound.writing.games import write
from turnserver.play import commands as c
from turnserver.rules.kit import parse_turn

pytestmark = pytest.mark.thorough


class Mail(NamedTuple):
    """A mail as all its properties are asked of."""

    about: str
    one: MailContext
    composed: Composed
    message: EmailMessage
    html: str

    @classmethod
    def read(cls, names: str, about: str) -> "Mail":
        mail = composed(about, names=names)
        return cls(about, occasions(names)[about], mail, read(mail), html(mail))


def test_there_is_an_occasion_of_every_kind() -> None:
    assert {one.kind for one in occasions().values()} == set(MailKind) == set(FORMS)


def check_widths(mail: Mail) -> None:
    assert [line for line in mail.composed.text.splitlines() if len(line) > 72 or line != line.rstrip()] == []


def check_that_the_mark_under_which_nothing_is_read_comes_first(mail: Mail) -> None:
    assert mail.composed.text.splitlines()[0] == MARKER
    assert mail.composed.text.count(MARKER) == mail.html.count(MARKER) == 1


def check_that_nothing_reads_as_a_command(mail: Mail) -> None:
    assert commands_in(mail.composed, mail.one.state) == {}


def check_text_html_and_picture(mail: Mail) -> None:
    """They stand as mail programs expect them."""
    assert mail.message.get_content_type() == "multipart/alternative"
    text, page = mail.message.iter_parts()
    assert isinstance(text, EmailMessage)
    assert (text.get_content_type(), text.get_content().replace("\r\n", "\n")) == ("text/plain", mail.composed.text)
    pictures = re.findall(r'src="cid:([^"]+)"', mail.html)
    if pictures:
        assert isinstance(page, EmailMessage)
        assert page.get_content_type() == "multipart/related"
        _, *drawn = page.iter_parts()
        assert [f"<{one}>" for one in pictures] == [picture["Content-ID"] for picture in drawn]
        for picture in drawn:
            assert (picture.get_content_type(), picture.get_content_disposition()) == ("image/png", "inline")
            assert isinstance(picture, EmailMessage)
            assert picture.get_content().startswith(b"\x89PNG")
        assert re.search(r'<img[^>]* alt="The (?:board|table) of [^"]+\."', mail.html)
    else:
        assert page.get_content_type() == "text/html"


def check_that_only_the_rules_for_dark_screens_stay_in_a_style_sheet(mail: Mail) -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", mail.html, re.DOTALL)
    assert re.fullmatch(r"\s*@media \(prefers-color-scheme: dark\)\s*\{.*\}\s*", style, re.DOTALL)
    assert re.search(r"<h1[^>]* style=", mail.html)
    assert not re.search(r"<script|<link", mail.html)


def check_that_nothing_is_loaded_and_links_lead_to_our_pages(mail: Mail) -> None:
    addresses = re.findall(r'(\w+)="(https?://[^"?]*)', mail.html)
    public = f"games/{mail.one.game_id}" if mail.one.league is None else f"leagues/{mail.one.league.league}"
    led = {mail.one.page, f"{mail.one.web}/{public}" if mail.one.web else ""} - {""}
    assert set(addresses) == {("href", one) for one in led}
    # in the text they stand on a line of their own
    assert [one for one in led if f"\n{one}\n" not in mail.composed.text] == []
    assert len(re.findall("https?://", mail.html)) == len(addresses)


def check_that_names_can_forge_neither_headers_nor_html(mail: Mail) -> None:
    headers = mail.composed.raw.partition(b"\r\n\r\n")[0]
    assert b"\r\nBcc:" not in headers
    assert b"\n" not in headers.replace(b"\r\n", b"")
    assert "<b>&amp;amp;" not in mail.html
    assert "<b>&amp;</b>" not in mail.html
    assert "\u202e" not in mail.composed.text + mail.html


def check_that_it_is_marked_as_automatic(mail: Mail) -> None:
    message, kind = mail.message, mail.one.kind
    assert message["Auto-Submitted"] == ("auto-replied" if kind in ANSWERS or mail.about.endswith(", again") else "auto-generated")
    assert message["List-Id"] == "<turns.example.org>"
    assert message["X-Auto-Response-Suppress"] == "DR, RN, NRN, OOF, AutoReply"
    to_a_player = mail.one.person.id is not None
    assert (message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click") == (to_a_player and kind not in ANSWERS)
    assert (message["List-Unsubscribe"] is not None) == (message["List-Unsubscribe-Post"] is not None)
    assert message["Precedence"] is None


def check_that_the_same_occasion_gives_the_same_bytes(mail: Mail) -> None:
    assert compose(mail.one).raw == mail.composed.raw


def check_that_the_headline_is_read_at_a_glance(mail: Mail) -> None:
    """Four lines on a phone at most: what goes on for longer stands below it."""
    (headline,) = re.findall(r"<h1[^>]*>(.*?)</h1>", mail.html, re.DOTALL)
    assert 0 < len(" ".join(unescape(headline).split())) <= 150


# Every mail to a player has nasty names in the tests of other languages, so one in four has them here.
NAMED = [
    pytest.param(
        names, about, marks=[pytest.mark.long] if at % 4 and names == "nasty names" and one.kind is not MailKind.ADMIN_REPORT else []
    )
    for names in NAME_SETS
    for at, (about, one) in enumerate(occasions().items())
]


@pytest.mark.parametrize(("names", "about"), NAMED)
def test_every_mail_stands_as_it_should(names: str, about: str) -> None:
    mail = Mail.read(names, about)
    check_widths(mail)
    check_that_the_mark_under_which_nothing_is_read_comes_first(mail)
    check_that_nothing_reads_as_a_command(mail)
    check_text_html_and_picture(mail)
    check_that_only_the_rules_for_dark_screens_stay_in_a_style_sheet(mail)
    check_that_nothing_is_loaded_and_links_lead_to_our_pages(mail)
    check_that_names_can_forge_neither_headers_nor_html(mail)
    check_that_it_is_marked_as_automatic(mail)
    if names == "plain names":
        check_that_the_headline_is_read_at_a_glance(mail)
    else:
        check_that_the_same_occasion_gives_the_same_bytes(mail)


def test_no_board_is_drawn_beside_text_alone() -> None:
    story = begun()
    one = context(story, story.notice(ADA))
    assert write(one).pictures
    assert write(replace(one, form=Form(html=False))).pictures == ()


def test_sender_reader_and_answer_are_addressed() -> None:
    one = occasions()["turn"]
    message = read(compose(one))
    assert message["From"] == "Turns <turns@example.org>"
    assert message["To"] == "Ada <ada@example.org>"
    assert message["Reply-To"] == f"Turns <{one.reply_to}>"
    assert message["Date"].datetime == one.now
    assert message["Message-ID"] == "<1.fixed@example.org>"
    assert (message["In-Reply-To"], message["References"]) == (None, None)


def test_all_mails_about_a_game_have_its_subject_and_no_others() -> None:
    of_each_kind = {one.kind: about for about, one in occasions().items()}
    subjects = {kind: read(composed(about))["Subject"] for kind, about in of_each_kind.items()}
    apart = {
        MailKind.WELCOME,
        MailKind.GAMES,
        MailKind.RESTORED,
        MailKind.HELP,
        MailKind.RULES,
        MailKind.SETTINGS,
        MailKind.SUBSCRIPTION,
        MailKind.VACATION,
        MailKind.AWAY,
        MailKind.DIGEST,
        MailKind.UNKNOWN_SENDER,
        MailKind.CONFIRM,
        MailKind.NEW_ADDRESS,
        MailKind.ADDRESS,
        MailKind.SIGN_IN,
        MailKind.ADMIN_REPORT,
        MailKind.LEAGUE_ANSWER,
        MailKind.LEAGUE_LEAVING,
        MailKind.LEAGUE_TABLE,
        MailKind.LEAGUES,
        *OF_LEAGUES,
    }
    del subjects[MailKind.REFUSAL]
    about_a_game = {"[Take 17] Ada - Bob", "[Trio 17] Ada - Bob - Cleo"}
    assert {kind for kind, subject in subjects.items() if subject.partition(":")[0] not in about_a_game} == apart


@for_each(
    ("about", "wanted"),
    [
        ("turn", "your move"),
        ("reminder", "your move"),
        ("invitation from a player", "your answer"),
        ("proposed, to play on", "your answer"),
        ("game_over, won", "game over"),
        ("game_started", ""),
        ("receipt", ""),
        ("board of the past", ""),
        ("vacant", ""),
    ],
)
def test_the_subject_ends_in_what_the_game_wants_of_the_reader(about: str, wanted: str) -> None:
    assert composed(about).subject.partition(": ")[2] == wanted


@for_each("about", ["turn", "turn, the first", "turn, the second", "reminder"])
def test_a_turn_has_thirty_lines_beside_its_board(about: str) -> None:
    text = composed(about).text
    board = occasions()[about].state.game.view.text(occasions()[about].state.line.position, None)  # type: ignore[union-attr]
    assert len(text.splitlines()) - len(board.splitlines()) <= 30


def test_the_subject_stays_the_same_for_whoever_wants_that() -> None:
    one = occasions()["turn"]
    assert compose(replace(one, form=replace(one.form, subjects=False))).subject == "[Take 17] Ada - Bob"


def test_a_thread_is_named_from_its_beginning_with_the_parent_last() -> None:
    thread = [f"<{number}@example.org>" for number in range(30)]
    parent = "<" + "A" * 150 + "@mail.example.net>"
    one = replace(occasions()["turn"], references=[*thread, "no identifier", "<a\r\nBcc: eve@example.org>"], in_reply_to=parent)
    message = read(compose(one))
    assert message["In-Reply-To"] == parent
    named = str(message["References"]).split()
    assert named == [thread[0], *thread[22:], parent]
    assert len(named) == MOST_REFERENCES
    assert max(len(line) for line in compose(one).raw.split(b"\r\n")) < 998


def test_what_a_mail_is_about_stands_behind_a_long_name() -> None:
    one = occasions()["welcome"]
    subject = str(read(compose(replace(one, site=structs.replace(one.site, name="Turns " * 100))))["Subject"])
    assert subject.startswith("[Turns Turns ")
    assert subject.endswith("] Welcome")


@for_each("address", ["", "nobody", "a\nb@example.org", "ada@exa mple.org>\r\nBcc: x@example.org"])
def test_an_address_that_no_mail_can_carry_is_given_up(address: str) -> None:
    one = occasions()["unknown_sender"]
    with pytest.raises(PermanentFailure):
        compose(replace(one, person=replace(one.person, address=address)))  # type: ignore[type-var]  # a Stranger


@pytest.mark.parametrize("kind", [MailKind.TURN, MailKind.GAME_OVER])
def test_a_mail_about_a_game_needs_the_game(kind: MailKind) -> None:
    with pytest.raises(ValueError, match="needs a game"):
        compose(replace(occasions()["welcome"], kind=kind))


SAYS = [
    ("turn", "Bob played g5. Your move, 3 days left."),
    ("turn", "YOUR MOVE, until Wed 25 Nov, 22:30 (Europe/Berlin), in 3 days."),
    ("turn", "Red: Ada (you), to move Blue: Bob"),
    ("turn", "g1 # # # B[B]# # g7"),
    ("turn, the first", "A move is one cell: row letter, then the number from the left."),
    ("turn, the first", "to see the whole game: history"),
    ("turn", 'Reply "help" to see what else you can write, and how moves are written.'),
    ("turn", "Take 17, turn 9; digest of 12 events: "),
    ("turn with words", "Bob says: | Well played! | resign | Will you be at the club on Thursday?"),
    ("turn, the first", "The game against Bob has begun. Your move, 3 days left."),
    ("turn, the second", "YOUR MOVE, until Mon 23 Nov, 22:30 (America/New_York), in 3 days."),
    ("game_started", "Ada (Red) plays first; you will get a mail when it is your move."),
    ("game_started", "Ada (Red) to move, until Mon 23 Nov, 16:30 (America/New_York)"),
    ("invitation from an admin", "You are invited to a game against Bob: Take 17."),
    ("invitation from an admin", "drawn by lot: Ada (Red) and Bob (Blue). Each turn may take 3 days."),
    ("invitation from a player", "Bob invites you to a game: Take 17."),
    ("invitation from a player", "as arranged: Ada (Red) and Bob (Blue)."),
    ("opened", "waits for Bob to accept it."),
    ("reminder", "Reminder: your move, 21 hours 35 minutes left."),
    ("vacation", "In 2026, you have 16 days of 30 left."),
    ("vacation, declared", "You are on vacation from Wed 1 Jul 2026 to the end of Tue 14 Jul 2026."),
    (
        "vacation, declared",
        "Take 17: your clock stands still. The deadline was Thu 2 Jul, 18:00; it is Thu 16 Jul, 18:00 (Europe/Berlin)",
    ),
    ("vacation, declared", "Tako Judo 18: your clock stands still. "),
    ("vacation, declared", "Okago 19: your clock stands still until Thu 9 Jul 2026, 18:30 only; no more vacation is allowed in this game."),
    ("vacation, declared", "Take 20: no more vacation is allowed in this game, and your clock runs on."),
    ("vacation, declared", "3: from Wed 1 Jul 2026 to the end of Tue 14 Jul 2026"),
    ("vacation, ended", "Your vacation is over. "),
    ("vacation, ended", "Tako Judo 18: your clock runs."),
    ("vacation, called off", "The vacation that you had declared is off."),
    ("away", "Bob is on vacation from Wed 1 Jul 2026 to the end of Tue 14 Jul 2026."),
    ("away", "Okago 19: the clock of Bob stands still until Thu 9 Jul 2026, 18:30 only."),
    ("away", "Tako Judo 18: the clock of Bob stands still. "),
    ("away, over", "The vacation of Bob is over. "),
    ("away, over", "Tako Judo 18: the clock of Bob runs."),
    ("away, called off", "Bob has called off a vacation."),
    ("proposed, a pause", "Ada (Red) proposes a pause of 10 days."),
    ("proposed, a pause", "Ada (Red) proposes a pause of 10 days, in which no clock runs. Reply "),
    *(
        (about, "you have at least a day for it. You can agree until Fri 27 Nov, 22:30 (Europe/Berlin). Reply ")
        for about in ("proposed, to play on", "board with an offer to play on")
    ),
    ("vacant", "Red: Ada (you), has left Blue: Bob"),
    ("proposal_sent, a substitute for another", "Your proposal of a substitute is on its way to Cleo. "),
    ("vacant", "A substitute for Ada (Red) to move"),
    ("declined, a pause", "Bob (Blue) declined the pause. The game goes on."),
    ("clock_changed, a pause", "as its players have agreed"),
    ("proposed", "Ada (Red) offers a draw."),
    ("proposed", 'Reply "accept" to agree'),
    ("declined", "Bob (Blue) declined the draw. The game goes on."),
    ("left", "Bob (Blue) resigned. The others play on."),
    ("left", "Red: Ada, to move Blue: Bob, has left Green: Cleo (you)"),
    ("turn that somebody left", "Ada (Red) has left the game. Your move, "),
    ("turn that somebody left", "YOUR MOVE, until"),
    ("left, to the one on move", "YOUR MOVE, until"),
    ("left, out of time", "Ada (Red) ran out of time and is out of the game. The others play on."),
    ("left, to the one out of time", "Your time ran out, so you are out of the game. The others play on."),
    ("left, to the one out of time", "Bob (Blue) to move, until Fri 27 Nov, 10:30 (Europe/Berlin)"),
    ("said", "Bob says: | Well played!"),
    ("retracted", "The organisers took back the turns from 7 on. Reason: Bob's mail program had changed his move."),
    ("retracted", "* Turn 7: Ada (Red) played f6. * Turn 8: Bob (Blue) played g5."),
    ("retracted", "YOUR MOVE, until Thu 26 Nov, 04:30 (Europe/Berlin)"),
    ("clock_changed, time given", "The clock of turn 9 was given 1 day 12 hours more. Reason: the letter was lost."),
    ("clock_changed, time given", "YOUR MOVE, until Fri 27 Nov, 10:30 (Europe/Berlin), in 4 days 6 hours."),
    ("clock_changed, an outage", "Because the service was down, no clock runs from Mon 23 Nov, 10:30 to Mon 23 Nov, 22:30, so that"),
    ("clock_changed, an outage", "YOUR MOVE, until Thu 26 Nov, 10:30 (Europe/Berlin), in 2 days 12 hours."),
    ("clock_changed, no mail", "No mail got through to you from Mon 23 Nov, 10:30 to Mon 23 Nov, 22:30. Your clock did not run."),
    ("clock_changed, a vacation", "Vacation of Ada (Red) from Tue 24 Nov 2026, 04:30 to Sat 28 Nov 2026, 04:30."),
    (
        "clock_changed, a vacation",
        "Ada (Red) to move, until Sun 29 Nov, 16:30 (America/New_York)",
    ),
    (
        "clock_changed, halted",
        "The organisers have stopped all clocks of the game from Mon 23 Nov, 10:30. Reason: the club is on a journey.",
    ),
    ("clock_changed, halted", "YOUR MOVE, the clock stands still."),
    ("clock_changed, running again", "The clocks of the game run again from Fri 27 Nov, 10:30."),
    ("clock_changed, running again", "YOUR MOVE, until Sun 29 Nov, 22:30 (Europe/Berlin), in 2 days 12 hours."),
    ("turn without a limit", "Ada played 1. Your move; there is no time limit."),
    ("turn without a limit", "YOUR MOVE, without a limit of time. "),
    (
        "invitation to a game with a bank",
        "Each side has 5 days; every turn adds 36 hours, up to 10 days in all. There is no vacation",
    ),
    ("game_over, won", "Take 17 is over: you win. By the rules of Take: "),
    ("game_over, won", "to play again: challenge <player> <game>"),
    ("game_over, lost on time, to the winner", "to offer to play on: reopen"),
    ("game_over, lost", "Take 17 is over: Ada (Red) wins. By the rules of Take: "),
    ("game_over, resigned", "Take 17 is over: you win. Bob (Blue) resigned."),
    ("game_over, on time", "Take 17 is over: Bob (Blue) wins. Ada (Red) ran out of time."),
    ("game_over, on time at once", "Take 17 is over: no result. Ada (Red) ran out of time before every side had played."),
    ("game_over, drawn", "Take 17 is over: a draw. The players agreed on it."),
    ("game_over, adjudicated", "Take 17 is over: Ada (Red) wins. The organisers decided the game. Reason: Bob agreed by telephone."),
    ("game_over, cancelled", "Take 17 is over: no result. The organisers cancelled the game. Reason: the club is closed."),
    ("game_over, called off", "Take 17 will not be played: the organisers called it off."),
    ("game_over, declined", "Take 17 will not be played: the invitation was declined by Bob."),
    ("game_over, annulled", "The result of Take 17 no longer counts. The organisers took it back. Reason: it was the wrong game."),
    ("refusal", "nothing has changed. You wrote: | e5 -> Your own stone is on e5 already."),
    ("refusal of several", "This was done: * Your words were passed on."),
    ("refusal of what confirms no leaving", "To play on, do nothing. Reply, to leave: confirm leave league-3"),
    ("refusal without a game", 'Reply "help" to see everything that you can write.'),
    ("refusal of nothing, from elsewhere", "We carried out a mail from eve@example.net in your name."),
    ("refusal of nothing, from elsewhere", "The mail says: | e5 -> It went to your reply address, but we can't tell"),
    ("refusal out of turn", "Ada (Red) to move, until"),
    ("preview", "Your turn would look like this. Nothing has been played yet."),
    ("preview", "Your turn: | b2"),
    ("preview", "To play it, reply yes."),
    ("board of the past", "The board after turn 3."),
    ("board of the past", "This is the past; you can't play here."),
    ("board at the start", "The board before the first turn."),
    ("board after the end", "Take 17 is over: you win."),
    ("transcript", "2026-11-22 22:30 Turn 8: Bob (Blue) played g5. 2026-11-23 04:30 The organisers took back the turns from 7 on"),
    ("transcript after the end", "The game ended: Ada (Red) wins."),
    ("games", "You have 4 games; 2 wait for you. >> Take 19 against Bob: your move, until Wed 25 Nov, 22:30"),
    ("games", ">> Take 18 against Bob: you are invited. Take 17 against Bob: Bob (Blue) to move, until"),
    ("games, none", "You have no games at present."),
    ("help in a game", "Moves of Take: A move is one cell: row letter, then the number from the left."),
    ("help on one", 'About the command "challenge".'),
    ("help on nothing", 'There is no command "chess".'),
    ("rules", "The rules of Take, a game by Mark Steere."),
    ("unknown_sender", "ask admin@example.org for an account"),
    ("welcome", "Welcome to Turns, Ada."),
]


@for_each(("about", "words"), SAYS)
def test_what_the_mail_says(about: str, words: str) -> None:
    assert words in " ".join(composed(about).text.split())


LEAVES_OUT = [
    ("turn", "draw"),
    ("game_over, won", "YOUR MOVE"),
    ("game_over of a league", "challenge"),
    ("game_over, declined", "challenge"),
    ("game_over, won", "reopen"),
    ("game_over, declined", "[ ] last move"),
    ("board of the past", "YOUR MOVE"),
    ("proposed", "to offer a draw"),
    *(("vacant", words) for words in ("Ada (you), to move", "Nothing for you to do", "to offer a draw", "to resign", "say <words>")),
    ("board with an offer to play on that is over", "offers to play on"),
    ("proposed", "nothing for you to do"),
    ("said, to the other", "[ ] last move"),
    ("help on one", "Give up the game."),
    ("help", "Moves of"),
    ("refusal out of turn", "e.g."),
]


@for_each(("about", "words"), LEAVES_OUT)
def test_what_the_mail_does_not_say(about: str, words: str) -> None:
    assert words not in composed(about).text


@for_each("about", ["turn", "turn, the first", "reminder", "retracted", "refusal", "board"])
def test_the_examples_are_legal_right_now(about: str) -> None:
    state = occasions()[about].state
    assert state is not None
    examples = re.findall(r"^  e\.g\. (.+)$", composed(about).text, re.MULTILINE)
    assert len(set(examples)) == 3
    for example in examples:
        parse_turn(state.game.rules, state.line.position, example)
        assert f">Play {example}</a>" in html(composed(about))


def test_the_digest_begins_the_hash_of_the_newest_event() -> None:
    one = occasions()["turn"]
    assert f"events: {one.history[-1].hash.hex()[:16]} " in " ".join(compose(one).text.split())


def test_a_phone_answers_an_invitation_with_one_touch() -> None:
    one = occasions()["invitation from a player"]
    answers = re.findall(r'href="mailto:([^?]+)\?subject=([^&]+)&amp;body=(\w+)"', html(composed("invitation from a player")))
    address = one.reply_to.replace("+", "%2B")
    assert answers == [(address, "Re%3A%20%5BTake%2017%5D%20Ada%20-%20Bob", word) for word in ("accept", "decline")]


def test_only_what_is_new_to_the_reader_is_told() -> None:
    story = begun().play("e5", "c3", "e6", "c4")
    told = composed_text(context(story.play("d4"), story.play("d4").notice(BOB)))
    assert "played d4" in told
    assert "played c4" not in told
    assert "played e6" not in told


def test_the_final_mail_is_for_both_and_shows_the_final_board() -> None:
    story = finished()
    assert story.state is not None
    board = story.state.game.view.text(story.state.line.position, story.state.line.last_step).rstrip()
    for player in (ADA, BOB):
        assert board in composed_text(context(story, story.notice(player)))


def test_a_deadline_is_counted_from_the_moment_of_writing() -> None:
    story = begun()
    one = context(story, story.notice(ADA))
    assert story.state is not None
    assert story.state.deadline is not None
    for left, words in ((timedelta(hours=5, minutes=3), "in 5 hours 3 minutes."), (timedelta(0), "the time is up.")):
        assert words in " ".join(composed_text(replace(one, now=story.state.deadline - left)).split())


def test_an_unknown_zone_is_shown_in_utc() -> None:
    one = occasions()["turn"]
    abroad = replace(one, person=replace(one.person, zone="Mars/Olympus"))  # type: ignore[type-var]  # a Player
    assert "Wed 25 Nov, 21:30 (UTC)" in " ".join(composed_text(abroad).split())


def test_an_invitation_is_plain_about_who_plays() -> None:
    story = invited(size=3)
    assert "standard, 3 cells along each side" in composed_text(context(story, story.notice(BOB)))


def test_the_site_is_named_as_configured() -> None:
    one = replace(occasions()["welcome"], site=Site(name="Dragon\r\nClub", address="turns@example.org"))
    message = read(compose(one))
    assert message["From"] == "Dragon Club <turns@example.org>"
    assert "Welcome to Dragon Club, Ada." in compose(one).text
    assert "human being" not in compose(one).text


def composed_text(one: MailContext) -> str:
    return compose(one).text


def test_whoever_is_back_since_the_end_was_taken_back_is_not_back_once_more() -> None:
    left = at_three().then(c.Resign(BOB, after(1))).play("1").then(c.Resign(ADA, after(1)))
    again = left.then(c.Reopen("a slip")).play("1").then(c.Retract(1, "a slip"))
    told = " ".join(compose(context(again, again.notice(CLEO))).text.split())
    assert "The organisers took back the turns from 1 on. Reason: a slip." in told
    assert "back at the table" not in told
