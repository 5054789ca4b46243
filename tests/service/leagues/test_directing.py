"""Those who direct a league, by mail: what each may do, what they hear, and what nobody can do in their name."""

from collections.abc import Sequence

import pytest

from tests.service.leagues.league_world import ADMIN, begin, meeting, number, open_league, pass_days, season, sound, state, sweep
from tests.service.world import PEOPLE, SITE, World
from tests.terms import PLAIN
from turnserver import config
from turnserver.errors import NotAllowed
from turnserver.ids import LeagueId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.events import Role
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Approval, Format, Settings
from turnserver.league.state import Phase
from turnserver.mail.inbound.directions import ACTS
from turnserver.mail.outbound.kinds import MailKind

PLAYERS = ("Ada", "Bob", "Dan", "Eve")
CLEO = "Cleo"
"""She directs the league, and does not play in it."""


def directed(world: World, *roles: Role, settings: Settings | None = None, players: Sequence[str] = PLAYERS) -> LeagueId:
    """A league whose season has begun, unless nobody plays, and that Cleo directs with these roles."""
    world.service.people.add("Eve", "eve@example.org", actor=ADMIN, cause="test:Eve")
    league = open_league(world, settings or Settings(round_days=14, least=2))
    if players:
        begin(world, league, tuple(players))
    for role in roles:
        give(world, league, role)
    return league


def give(world: World, league: LeagueId, role: Role, name: str = CLEO, *, take: bool = False) -> None:
    command = (c.TakeRole if take else c.GiveRole)(number(world, name), role, "she knows the rules")
    world.service.leagues.handle(league, command, actor=ADMIN, cause=f"test:{take}:{role}:{name}:{state(world, league).version}")
    world.settle()


def text(world: World, name: str = CLEO) -> str:
    return " ".join(world.text(name).split())


def kind(world: World, name: str = CLEO) -> str:
    """Of the newest mail that a player got."""
    return str(world.mails(name)[-1]["Message-ID"]).partition(".")[0].strip("<")


def test_a_result_is_entered_by_mail(world: World) -> None:
    """The log names the arbiter; they get an answer, and the players of the meeting hear of it with the reason."""
    league = directed(world, Role.ARBITER)
    assert (kind(world), "Take Winter: you now act as arbiter." in text(world)) == (MailKind.LEAGUE_NEWS, True)
    assert "league-1 result <meeting> <result>" in text(world)
    first = meeting(world, league, "Ada", "Bob")
    world.answer(CLEO, f"league-1 result {first.number} win-loss because Bob did not come")
    assert (world.outcome(), kind(world)) == (f"done: result league-{league}", MailKind.LEAGUE_ANSWER)
    assert "The result in season 1 of Take Winter is entered: " in text(world)
    assert season(world, league).fixtures[first.number - 1].marks == (Mark.WIN, Mark.LOSS)
    row = world.service.leagues.history(league)[-1]
    assert (row.actor, row.cause.partition(":")[0]) == (f"player-{number(world, CLEO)}", "mail")
    assert isinstance(row.event, e.ResultRecorded)
    assert row.event.reason == "Bob did not come"
    assert first.game is not None
    assert world.state(first.game).result is not None
    assert "Reason: Bob did not come." in text(world, "Bob")
    assert sound(world)


def test_who_overrules_another_director_reads_it_and_so_does_the_other(world: World) -> None:
    league = directed(world, Role.ARBITER)
    give(world, league, Role.DIRECTOR, "Eve")
    lines = (world.mails(CLEO)[-1], world.mails("eve@example.org")[-1])
    one = meeting(world, league, "Ada", "Dan").number
    world.answer(CLEO, f"league-1 result {one} win-loss", mail=lines[0])
    assert "Before" not in text(world)
    world.answer("eve@example.org", f"league-1 result {one} loss-win", mail=lines[1], sender="eve@example.org")
    assert "Before, the organisers had decided: Ada beat Dan." in text(world, "eve@example.org")
    assert ("The organisers corrected a result in season 1 of Take Winter: Dan beat Ada." in text(world), kind(world)) == (
        True,
        MailKind.LEAGUE_NEWS,
    )
    assert sound(world)


SAID = {
    "a result by its game": (Role.ARBITER, "league-1 result game-1 draw", " drew."),
    "a result by players": (Role.ARBITER, "league-1 result Ada, Bob win", "is entered: Ada beat Bob"),
    "a result by two words": (Role.ARBITER, "League 1 result Bob and Ada win by forfeit-forfeit", "Bob beat Ada by forfeit"),
    "a result by its word": (Role.DIRECTOR, "direct league-1 result Ada & Bob draw", "Ada and Bob drew"),
    "a result in German": (Role.ARBITER, "liga-1 ergebnis Ada, Bob sieg-niederlage weil Bob fehlt", "Ada beat Bob"),
    "more time for one": (Role.ARBITER, "league-1 extend 2 3 days", "1 deadline is moved to "),
    "more time by players": (Role.ARBITER, "league-1 extend Bob, Ada 3 days", "1 deadline is moved to "),
    "more time by game": (Role.ARBITER, "league-1 extend game-1 3 days", "1 deadline is moved to "),
    "more time for all": (Role.DIRECTOR, "league-1 extend 1 week because of the holidays", "6 deadlines are moved, the first to "),
    "more time in German": (Role.ARBITER, "liga-1 verlängern 3 tage", "6 deadlines are moved, the first to "),
    "a reminder": (Role.SECRETARY, "league-1 remind", "the players of 6 games are reminded."),
    "a withdrawal": (Role.SECRETARY, "league-1 withdraw Dan", "Dan is withdrawn from season 1 of Take Winter."),
    "a pause": (Role.DIRECTOR, "league-1 pause because of the holidays", "season 1 is paused."),
    "a substitute": (Role.SECRETARY, "league-1 substitute Dan, Cleo because he is away", "Cleo plays on for Dan in season 1"),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("role", "line", "told"), SAID.values(), ids=SAID)
def test_what_a_role_allows_is_done_and_answered(world: World, role: Role, line: str, told: str) -> None:
    """With another role it is refused; the log tells who did it, and the audit finds it in order."""
    league = directed(world)
    other = Role.ARBITER if role is Role.SECRETARY else Role.SECRETARY
    give(world, league, other)
    before = state(world, league)
    world.answer(CLEO, line)
    if "remind" not in line:
        assert (world.outcome(), kind(world)) == ("done: refused: no_right", MailKind.REFUSAL)
        assert state(world, league) == before
    give(world, league, role)
    world.answer(CLEO, line)
    assert kind(world) == MailKind.LEAGUE_ANSWER, text(world)
    assert told in text(world)
    assert world.service.leagues.history(league)[-1].actor == f"player-{number(world, CLEO)}"
    assert sound(world)


PLAYED_OUT = Settings(round_days=14, least=2, tie_breaks=(TieBreak.PLAYOFF,), approve=(Approval.TABLE,))


def test_all_of_a_season_is_directed_by_mail(world: World) -> None:
    """Every act is done once here, those that undo another one too."""
    league = directed(world, Role.DIRECTOR, settings=PLAYED_OUT, players=())
    lines = {
        "open": "season 1 is open for entries.",
        **{f"enter {name}": f"{name} is entered for season 1" for name in ("Ada", "Bob", "Eve", "Dan")},
        "remove Dan": "Dan is withdrawn from season 1",
        "start": "season 1 has started.",
        "mail\nSee you on Sunday.": "your words go to 3 players.",
        "substitute Bob, Dan": "Dan plays on for Bob",
        "withdraw Eve": "Eve is withdrawn from season 1",
        "return Eve": "Eve is back in season 1",
        "pause": "season 1 is paused.",
        "resume": "season 1 goes on.",
        "remind": "the players of 3 games are reminded.",
        "extend 2 1 day": "1 deadline is moved to ",
        "result Ada, Dan draw": " drew.",
        "result Ada & Eve draw": " drew.",
        "result Eve and Dan draw because they both want it": " drew.",
        "playoff 1 Dan, Ada, Eve": "the order of the playoff is entered.",
        "approve": "season 1 is over, and its table stands.",
    }
    for line, told in lines.items():
        world.answer(CLEO, f"league-1 {line}")
        answer = next(row for row in world.outbox() if row.kind in (MailKind.LEAGUE_ANSWER, MailKind.REFUSAL))
        assert told in " ".join(str(answer.text).split())
        sweep(world)
    assert {line.split()[0] for line in lines} == set(ACTS)
    assert season(world, league).phase is Phase.CLOSED
    assert [line.player for line in state(world, league).last[0].lines] == [number(world, name) for name in ("Dan", "Ada", "Eve")]
    assert sound(world)


REFUSED = (
    ("league-7 result 1 win-loss", "There is no league"),
    ("league-1 result 99 win-loss", "There is no meeting 99 in this season."),
    ("league-1 result game-99 win-loss", "Game 99 does not belong to season 1 of Take Winter."),
    ("league-1 result 1 win-win", "These results don't fit together."),
    ("league-1 result four win-loss", '"four" is not the number of a meeting, such as 4, or of its game, such as game-17.'),
    ("league-1 result Ada, Zoe win", 'There is nobody here with the number, name or address "Zoe"'),
    ("league-1 result Ada, Cleo win", "Ada and Cleo don't play each other in season 1 of Take Winter."),
    ("league-1 result 1 1-2-3", '"1-2-3" has 3 results, but 2 players are in that meeting.'),
    ("league-1 result 1 2-1", '"2-1" isn\'t a result.'),
    ("league-1 extend 99 3 days", "There is no meeting 99 in this season. The last one is 6."),
    ("league-1 result 1", "Did you mean: league-1 result <meeting> <result>"),
    ("league-1 reslut 1 win-loss", 'Did you mean "league-1 result 1 win-loss"? Reply yes.'),
    ("liga-1 ergebnsi 1 win-loss", 'Did you mean "liga-1 ergebnis 1 win-loss"? Reply yes.'),
    ("liga-1 schreibn\nHallo!", "Did you mean: league-1 mail <lines below>"),
    ("liga-1 niederlge 1 2", "I couldn't find a move or a command in that."),
    ("league-1 extend", "Did you mean: league-1 extend <meeting> <time>"),
    ("league-1 withdraw Bob\nleague-1 withdraw Eve", "A command about a league needs a mail of its own."),
    ("league-1 withdraw Bob\nleagues", "A command about a league needs a mail of its own."),
    ("league-1 resume", "isn't paused"),
    ("league-1 start", "Season 1 has begun already."),
    ("league-1 enter Cleo", "Season 1 has begun. Ask the admin whether Cleo can still come in."),
    ("league-1 withdraw Cleo", "Cleo isn't in season 1, or has left it."),
    ("league-1 return Cleo", "Cleo hasn't left season 1 since it began, so there is nothing to undo."),
    ("league-1 substitute Cleo, Bob", "Cleo isn't in season 1, or has left it."),
    ("league-1 remove Bob", "Bob was in season 1 from its start. Withdraw them instead."),
    ("league-1 withdraw Bob because he moves away", "No reason is kept for that, so nobody would read yours, and nothing has changed."),
)


def test_what_cannot_be_done_is_refused_with_a_reason(world: World) -> None:
    league = directed(world, Role.DIRECTOR)
    before, mail = state(world, league), world.mails(CLEO)[-1]
    for line, told in REFUSED:
        # There are so many answers a day.
        world.wait(hours=3)
        world.answer(CLEO, line, mail=mail)
        assert (kind(world), told in text(world)) == (MailKind.REFUSAL, True), text(world)
        assert state(world, league) == before


def test_results_of_a_season_stand_once_the_next_one_is_announced(world: World) -> None:
    """Until then they are corrected. The refusal names the season whose results stand, and no meeting of the next one is meant instead."""
    league = directed(world, Role.DIRECTOR, settings=Settings(least=2), players=("Ada", "Bob"))
    lines = {
        "result 1 win-loss": "is entered: ",
        "result 1 loss-win": "is entered: ",
        "open": "season 2 is open for entries.",
        "result 1 draw": "Season 2 has no games yet. The results of the season before it stand: they could be changed until season 2 was",
        "result game-1 draw": "Season 2 has no games yet.",
        "start": "season 2 has started.",
        "result game-1 win-loss": "Game 1 was played in season 1 of Take Winter, which is closed. Its result stands.",
    }
    for line, told in lines.items():
        world.wait(days=1)
        world.answer(CLEO, f"league-1 {line}", mail=world.mails(CLEO)[0])
        assert told in text(world), text(world)
        pass_days(world, 1)
    assert season(world, league).fixtures[0].marks == ()


LETTER = """\
Dear all,

the final is on Sunday.
- Bring a board, if you have\u00a0one.
league-1 withdraw Bob

Cleo
"""


def readers(world: World) -> dict[str, set[str]]:
    """Return the readers of each letter, by its first line."""
    names = {number(world, name): name for name in (*PLAYERS, CLEO)}
    found: dict[str, set[str]] = {}
    for row in world.outbox():
        if row.kind == MailKind.LEAGUE_WORDS and row.player is not None:
            found.setdefault(str(row.detail["words"]).splitlines()[0], set()).add(names[row.player])
    return found


def test_a_secretary_writes_to_many_by_mail(world: World) -> None:
    """The text below the line goes to all, as it is and once; the writer, who plays nowhere, gets a copy."""
    league = directed(world, Role.SECRETARY, settings=Settings(format=Format.SWISS, rounds=2, least=2))
    assert "Whatever stands in your mail below league-1 mail goes to the players, and nobody can take it back." in text(world)
    mail, before = world.mails(CLEO)[-1], season(world, league)
    world.answer("Bob", "unsubscribe")
    world.answer(CLEO, f"Good evening!\n\nleague-1 mail\n\n{LETTER}", mail=mail)
    assert world.outcome() == "done: mail league-1"
    assert readers(world) == {"Dear all,": {*PLAYERS, CLEO}}
    [answer] = [row for row in world.outbox() if row.kind == MailKind.LEAGUE_ANSWER]
    assert "Take Winter: your words go to 4 players." in " ".join(str(answer.text).split())
    letters = [row for row in world.outbox() if row.kind == MailKind.LEAGUE_WORDS]
    assert {row.player: row.status for row in letters} == {
        number(world, name): "unwanted" if name == "Bob" else "sent" for name in (*PLAYERS, CLEO)
    }
    told = "Dear all, the final is on Sunday. - Bring a board, if you have one. league-1 withdraw Bob Cleo"
    assert [told in " ".join(str(row.text).split()) for row in letters if row.status == "sent"] == [True] * 4
    # The lines of the letter are words, and none of them is done.
    assert season(world, league).withdrawn == before.withdrawn
    world.answer(CLEO, f"league-1 mail\n{LETTER}", mail=mail)
    assert "All of them have had these words." in text(world)
    # Who plays and writes gets it as all others do, and nothing twice.
    give(world, league, Role.DIRECTOR, "Ada")
    world.answer("Ada", "league-1 mail\nSee you.")
    assert readers(world)["See you."] == {*PLAYERS}
    assert sum(row.kind == MailKind.LEAGUE_WORDS and row.player == number(world, "Ada") for row in world.outbox()) == 2
    assert sound(world)


def test_letters_to_some_are_short_and_few(world: World) -> None:
    """A division or a round may be named, also in German; what is too long, too much, of nobody or by an arbiter goes to nobody."""
    league = directed(world, Role.ARBITER, settings=Settings(format=Format.SWISS, rounds=2, least=2))
    mail = world.mails(CLEO)[-1]

    def written(line: str, *below: str) -> str:
        world.wait(hours=1)
        world.answer(CLEO, "\n".join((line, *below)), mail=mail)
        return text(world)

    assert "In Take Winter, that takes the role of director or secretary." in written("league-1 mail", "Hello.")
    give(world, league, Role.SECRETARY)
    for line, *below, refusal in (
        ("league-1 mail", "", "Did you mean: league-1 mail <lines below>"),
        ("league-1 mial", "Hello.", "Did you mean: league-1 mail <lines below>"),
        ("league-1 mail to Bob", "Hello.", "Did you mean: league-1 mail <lines below>"),
        ("league-1 mail division 7", "Hello.", "There is no division '7' in this season."),
        ("league-1 mail round 2", "Hello.", "Nobody plays there, so there is nobody to write to."),
        ("league-1 mail", *["one word more"] * 300, "Your words have 4199 characters, and 4000 fit into a mail."),
        ("leagues", "league-1 mail", "Hello.", "A command about a league needs a mail of its own."),
        ("Hi!", "", "From: Ada <ada@example.org>", "Sent: Monday", "To: me", "Subject: x", "", "league-1 mail", "Hi.", "didn't work"),
    ):
        assert (refusal in written(line, *below), readers(world)) == (True, {}), (line, text(world))
    world.wait(days=1)
    for at, line in enumerate(("league-1 mail round 1", "liga-1 schreiben Runde 1:", "liga-1 rundmail Staffel 1")):
        # Longer than a line of commands, as programs that wrap no lines send it.
        written(line, f"{at} {'long ' * 300}end")
        assert world.outcome() == "done: mail league-1", text(world)
    assert [words.split()[-1] for words in readers(world)] == ["end"] * 3
    assert "You have written to players of Take Winter 3 times within a day. Write again tomorrow." in written("league-1 mail", "More.")
    world.wait(days=1)
    written("league-1 mail", "More.")
    assert readers(world)["More."] == {*PLAYERS, CLEO}
    assert sound(world)


@pytest.mark.parametrize(
    ("mail", "sent"),
    [
        ("liga-1 schreiben\nTreffpunkt: Café Jansen\nZeit: 19 Uhr", "Treffpunkt: Café Jansen"),
        ("league-1 mail\nPlace: Café Jansen\nTime: 7 pm", "Place: Café Jansen"),
        ("liga-1 schreiben\n\nHallo,\n\nBringt mit:\n- Kuchen", "Hallo,"),
        ("Good evening!\n\nleague-1 mail\nWe begin on 5.12.2026 at 19:00.\nAsk jansen@example.org.", "We begin on 5.12.2026 at 19:00."),
        ("league-1 mail\nHello.\n\nBob <bob@example.org> 5.12.2026 19:00\nDon't tell them.", None),
        ("league-1 mail\nHello.\n\n05.12.2026, Bob:\nDon't tell them.", None),
        ("league-1 mail\nHello.\n\nBob schrieb\nDon't tell them.", None),
        ("Hello.\n\nBob napsal:\n\nleague-1 mail\nDon't tell them.", None),
    ],
)
def test_a_letter_has_all_lines_below_the_command_but_no_other_mail(world: World, mail: str, sent: str | None) -> None:
    """A place and a time or a list are the writer's; what looks like the head of another mail is asked about, and nothing is sent."""
    directed(world, Role.SECRETARY)
    world.answer(CLEO, mail)
    assert readers(world) == ({} if sent is None else {sent: {*PLAYERS, CLEO}})
    assert (text(world).count("didn't work") == 0) == (sent is not None)


def two_directors(world: World, settings: Settings) -> None:
    league = directed(world, Role.DIRECTOR, settings=settings, players=("Ada", "Bob"))
    give(world, league, Role.DIRECTOR, "Bob")


def test_two_directors_who_give_time_read_what_it_comes_to(world: World) -> None:
    """Each names a length of time, and the two add up, so the answers name the deadline that holds now."""
    two_directors(world, Settings(round_days=14, least=2))
    for name, now in ((CLEO, "Tue 17 Mar"), ("Bob", "Thu 19 Mar")):
        world.answer(name, "league-1 extend 1 2 days")
        assert f"1 deadline is moved to {now}, 12:00 (UTC)." in text(world, name)


def test_a_correction_of_a_cup_that_is_over_is_answered_with_what_is_missing(world: World) -> None:
    settings = Settings(format=Format.KNOCKOUT, third_place=True, least=2)
    league = directed(world, Role.ARBITER, settings=settings)
    for _ in range(2):
        for one in season(world, league).fixtures:
            if not one.marks:
                world.answer(CLEO, f"league-1 result {one.number} win-loss")
        assert "Not decided now" not in text(world)
        sweep(world)
    assert season(world, league).phase is Phase.CLOSED
    world.answer(CLEO, "league-1 result 1 loss-win because it was a typo")
    assert "Not decided now: " in text(world)
    assert "in round 2. Ask the admin to reopen the season, so that it is played." in text(world)
    world.service.leagues.handle(league, c.ReopenSeason(""), actor=ADMIN, cause="test:reopen")
    sweep(world)
    for one in season(world, league).fixtures:
        if not one.marks:
            world.answer(CLEO, f"league-1 result {one.number} win-loss")
    sweep(world)
    assert [line.place for line in state(world, league).last[0].lines] == [1, 2, 3, 4]
    world.answer(CLEO, "league-1 result 1 win-loss because it was no typo")
    assert "Not decided now" not in text(world)
    world.answer(CLEO, "league-1 result 4 no result")
    assert "Not decided now: meeting 4 of " in text(world)
    assert "in round 2. Enter what is missing, or ask the admin" in text(world)
    # a draw is entered and needs a replay, which only a season that goes on has
    world.answer(CLEO, "league-1 result 4 draw")
    assert ("meeting 4" in text(world), "in round 2. Ask the admin to reopen the season" in text(world)) == (False, True)


def test_a_second_approval_is_told_of_the_first(world: World) -> None:
    two_directors(world, Settings(least=2, approve=(Approval.TABLE,)))
    world.answer(CLEO, "league-1 result 1 draw")
    sweep(world)
    for name in (CLEO, "Bob"):
        world.answer(name, "league-1 approve")
    assert (world.outcome(), "season 1 is over, and its table stands." in text(world, "Bob")) == ("done: refused: nothing_to_approve", True)


def test_two_who_meet_twice_are_told_apart_by_number(world: World) -> None:
    directed(world, Role.ARBITER, settings=Settings(format=Format.DOUBLE_ROUND_ROBIN, least=2), players=("Ada", "Bob"))
    world.answer(CLEO, "league-1 result Ada, Bob win")
    assert "Ada and Bob meet more than once here, in meetings 1 and 2. Give a number" in text(world)
    world.answer(CLEO, "league-1 result 1 win-loss")
    world.answer(CLEO, "league-1 result Bob, Ada draw")
    assert {one.marks for one in season(world, LeagueId(1)).fixtures} == {(Mark.WIN, Mark.LOSS), (Mark.DRAW, Mark.DRAW)}


def test_nobody_directs_without_a_token_or_with_another_players(world: World) -> None:
    """The From address alone proves nothing, a token of another player acts as that player, and two tokens are no one's."""
    league = directed(world, Role.DIRECTOR)
    line, before = "league-1 result 1 win-loss", state(world, league)
    hers = world.mails(CLEO)[-1]["Reply-To"]
    local, domain = str(hers).strip("<>").split("@")
    forged = f"{local[:-2]}aa@{domain}"
    for sender, to, outcome in (
        # as Cleo, to our address without a token
        (PEOPLE[CLEO], SITE, "refused: no_token"),
        # as Cleo, with the token of Bob
        (PEOPLE[CLEO], world.mails("Bob")[-1]["Reply-To"], "refused: borrowed_token"),
        # as nobody we know, with the token of Bob: that is Bob, who directs nothing
        ("zoe@example.org", world.mails("Bob")[-1]["Reply-To"], "refused: no_right"),
        # as Bob, with the token of Cleo
        (PEOPLE["Bob"], hers, "refused: borrowed_token"),
        # as Cleo, with a token that nobody signed
        (PEOPLE[CLEO], forged, "refused: bad_token"),
        # as Bob, with a token of Bob's
        (PEOPLE["Bob"], world.mails("Bob")[-1]["Reply-To"], "refused: no_right"),
    ):
        world.answer(CLEO, line, sender=sender, to=to)
        assert world.outcome() == f"done: {outcome}"
        assert state(world, league) == before
    assert "You don't direct Take Winter, so nothing has changed." in text(world, "Bob")
    # her own token from another place is hers, and she hears of it
    world.answer(CLEO, line, sender="cleo@work.example", to=hers)
    assert world.outcome() == "done: result league-1"
    assert season(world, league).fixtures[0].marks == (Mark.WIN, Mark.LOSS)


def test_an_old_token_of_somebody_whose_role_was_taken_does_nothing(world: World) -> None:
    league = directed(world, Role.ARBITER)
    old = world.mails(CLEO)[-1]
    give(world, league, Role.ARBITER, take=True)
    assert "Take Winter: you no longer act as arbiter." in text(world)
    before = state(world, league)
    world.answer(CLEO, "league-1 result 1 win-loss", mail=old)
    assert (world.outcome(), state(world, league)) == ("done: refused: no_right", before)
    give(world, league, Role.SECRETARY)
    world.answer(CLEO, "league-1 result 1 win-loss", mail=old)
    assert "In Take Winter, that takes the role of director or arbiter." in text(world)
    assert season(world, league) == before.season


def test_a_role_in_one_league_is_none_in_another(world: World) -> None:
    directed(world, Role.DIRECTOR)
    other = open_league(world, Settings(least=2), name="Other")
    begin(world, other, ("Ada", "Bob"))
    before = state(world, other)
    world.answer(CLEO, f"league-{other} result 1 win-loss")
    assert (world.outcome(), state(world, other)) == ("done: refused: no_right", before)


def test_no_role_lets_anybody_give_one(world: World) -> None:
    league = directed(world, Role.DIRECTOR)
    with pytest.raises(NotAllowed, match="Only the admin of this server can do that"):
        world.service.leagues.handle(
            league, c.GiveRole(number(world, "Bob"), Role.DIRECTOR, ""), actor=f"player-{number(world, CLEO)}", cause="test:give"
        )
    assert list(state(world, league).roles) == [number(world, CLEO)]


def test_what_is_quoted_from_an_older_mail_is_not_done(world: World) -> None:
    league = directed(world, Role.ARBITER)
    before = state(world, league)
    world.answer(CLEO, "Hello!\n\nFrom: Somebody <x@example.org>\nSent: Monday\nTo: me\nSubject: x\n\nleague-1 result 1 win-loss")
    assert state(world, league) == before


def test_what_waits_for_a_director_goes_to_whoever_may_decide_it(world: World) -> None:
    """Late games and claims go to the arbiters, a withdrawal to the secretaries, each by a mail that says what to reply."""
    league = directed(world, Role.ARBITER)
    give(world, league, Role.SECRETARY, "Eve")
    world.answer("Bob", "confirm leave league-1")
    assert "Take Winter: a player withdrew." in text(world, "eve@example.org")
    assert "league-1 return <player>" in text(world, "eve@example.org")
    assert kind(world) != MailKind.LEAGUE_DUTY
    world.answer(CLEO, "set language de")
    world.wait(days=15)
    sweep(world)
    assert kind(world) == MailKind.LEAGUE_DUTY
    assert "Take Winter: Partien sind am Ende ihrer Runde nicht vorbei." in text(world)
    assert "league-1 ergebnis <Begegnung> <Ergebnis>" in text(world)
    assert not [row for row in world.outbox() if row.kind == MailKind.ADMIN_REPORT]
    late = next(one for one in season(world, league).fixtures if one.overdue)
    world.answer(CLEO, f"liga-1 ergebnis {late.number} sieg-niederlage weil die Frist vorbei ist")
    assert season(world, league).fixtures[late.number - 1].marks == (Mark.WIN, Mark.LOSS)
    assert "Das Ergebnis in Saison 1 von Take Winter ist eingetragen" in text(world)
    assert sound(world)


@pytest.mark.parametrize("reads", [True, False])
def test_a_claim_in_a_league_goes_to_its_arbiters_or_to_the_admin_if_none_wants_mail(world: World, reads: bool) -> None:
    world.restart(config.Settings(site=config.Site(address=SITE, admin="admin@example.net"), play=PLAIN))
    league = directed(world, Role.ARBITER, players=("Ada", "Bob"))
    game = meeting(world, league, "Ada", "Bob").game
    assert game is not None
    playing = world.state(game)
    assert playing.to_move is not None
    silent = "Ada" if playing.player_at(playing.to_move) == number(world, "Ada") else "Bob"
    claimant = "Bob" if silent == "Ada" else "Ada"
    if not reads:
        world.answer(CLEO, "unsubscribe")
    world.wait(days=2)
    world.answer(claimant, "claim\nsay Nothing since Monday.")
    claims = [row for row in world.outbox() if row.detail.get("about") == "claim"]
    assert (world.outcome(), len(claims)) == ("done: carried out", int(not reads))
    if reads:
        assert kind(world) == MailKind.LEAGUE_DUTY
        assert "Take Winter: a player asks you to decide a game." in text(world)
        assert f"Claimed by: {claimant} * Words: Nothing since Monday." in text(world)
    world.answer(CLEO, f"league-1 result {claimant}, {silent} win because nobody hears of {silent}")
    result = world.state(game).result
    assert result is not None
    assert result.winners == (playing.seat_of(number(world, claimant)),)
    assert sound(world)
