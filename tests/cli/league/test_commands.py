"""The commands about leagues: their lines, their questions and their refusals."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.club import BOB, Club
from tests.cli.league.league_club import swept
from tests.cli.test_completion import candidates
from tests.cli.typed import declared
from turnserver.ids import PlayerId
from turnserver.play import commands as c

SAYS = {
    "new": ("league add Summer --game take", "League 7, Summer, is set up: Take (size 5, standard), round robin."),
    "new says what to type next": ("league add Summer --game take", "Announce its first season with `turnserver league open 7`"),
    "new by a preset": ("league add Summer --game take --preset swiss", "swiss."),
    "new with the preset's time": ("league add Summer --game take --preset quick", "Take (size 5, standard), swiss, 1d."),
    "new with a time of its own": ("league add Summer --game take --preset quick --time 2d", "swiss, 2d."),
    "new with an option": ("league add Summer --game take --option size=3", "Take (size 3, standard)"),
    "new at tables of three": ("league add Summer --game sneaky-octopuses --option players=3 --preset tables", "10), tables."),
    "new with a setting": ("league add Summer --game take --set format=knockout", "knockout."),
    "list": ("league list", " 1  Take Winter  take       1  running  2026-03-12 01:00"),
    "list a player's": ("league list --player cleo", " 2  Cup "),
    "open until somebody says so": ("league open 3", "entries are open until it starts"),
    "open says how to go on": ("league open 3", "Then `turnserver league start 3`."),
    "open until the end of a day": ("league open 3 --until 2026-04-01", "entries are open until 2026-04-02 00:00."),
    "open until an hour": ("league open 3 --until '2026-04-01 18:00'", "entries are open until 2026-04-01 18:00."),
    "open with a start": ("league open 3 --until 14d --starts '2026-04-01 18:00'", "It starts on\n2026-04-01 18:00."),
    "open with a day of the start": ("league open 3 --until 14d --starts 2026-04-01", "It starts on\n2026-04-01 00:00."),
    "set": ("league set 3 at_once=7 next_days=never --reason 'too fast'", "From the next season on: at_once = 7, next_days = none"),
    "show who sees it": ("league show 1", "Visible   seats, as web.leagues says"),
    "let everybody see it": ("league set 1 --visible public", "League 1, Take Winter, is now visible to: public."),
    "set the time": ("league set 3 --time 5d --reason x", 'From the next season on: time = 5d ("x").'),
    "penalize": ("league penalize 4 Cleo 1/2 --reason late", "The organisers took points from Cleo in season 1 of Autumn: ½."),
    "open for some days": ("league open 3 --until 14d", "entries are open until 2026-03-15 15:00."),
    "a result in words": ("league result 1 2 win by forfeit-forfeit --reason x -y", "Cleo beat Bob by forfeit, as the"),
    "a result in several words, quoted": ("league result 1 2 'win by forfeit-forfeit' --reason x -y", "Meeting 2: "),
    "a league that waits for nobody": ("league show 3", "Next      No season is announced."),
    "withdraw before the start": ("league withdraw 2 Ada", "Ada took the entry back."),
    "withdraw strikes": ("league withdraw 1 Cleo -y", "Cleo withdrew from season 1 of Take Winter."),
    "withdraw ends games": ("league withdraw 1 Cleo -y", "Meeting 2: Cleo and Bob have no result, because of a withdrawal."),
    "enter late": ("league enter 5 Cleo --past play --reason x", 'Cleo came in late, rated 1662, as number 3 ("x").'),
    "extend": ("league extend 1 --longer 3d --reason x -y", "New deadline 2026-03-18 13:00: meeting 2, Cleo - Bob."),
    "extend one": ("league extend 1 --meeting 2 --until 2026-04-01 --reason x -y", "New deadline 2026-04-02 00:00: meeting 2, Cleo - Bob."),
    "extend without an end": ("league extend 1 --player Bob --until none --reason x -y", "No more deadline: meeting 2, Cleo - Bob;"),
    "ready check": ("league start 2 -y", "No more entries; everybody is asked whether they will play, until 2026-03-03"),
    "a director": ("league director add 1 Ada arbiter --reason fair", 'Ada now acts as arbiter of the league ("fair").'),
    "no director": ("league director list", "Nobody directs a league but you; `turnserver league director add` lets a player do so."),
    "pause": ("league pause 1 --reason 'the holidays' -y", 'The season is paused ("the holidays").'),
    "drop what has begun": ("league drop 1 --begun --reason 'a typo' -y", 'The season was cancelled; it has no table ("a typo").'),
    "drop": ("league drop 2 --reason 'too few' -y", 'The season was dropped ("too few").'),
    "remind": ("league remind 1", "A reminder of round 1 went out: meeting 2, Cleo - Bob."),
    "status of all": ("league show", " 5  Duel         season 1: running, 1 of 1 game over"),
    "status of all says what waits": ("league show", "League 5, Duel, waits for you:"),
    "status": ("league show 1", "Now       season 1: running, 0 of 3 games over"),
    "status by stream": ("league show league-1", "League    1, Take Winter"),
    "status by name": ("league show 'take winter'", "League    1, Take Winter"),
    "status has open games": ("league show 1", "2     4  1      Cleo - Bob     1  Cleo to move, 3 days left"),
    "status has what is next": ("league show 1", "in 10 days 10 hours: a reminder of"),
    "status has the waiting list": ("league show 2", " 3  Cleo      1500  waits, place 1"),
    "status has what waits for the admin": ("league show 5", "playoff 5 1 Ada Bob`, the best first."),
    "status without a season": ("league show 3", "No season is announced. `turnserver league open 3` opens entries"),
    "status between seasons": ("league show 4", "Next      2026-03-08 14:59 (Europe/Berlin), in 7 days: season 2 is announced"),
    "standings": ("league standings 4", "1 Cleo  ■ 1    1   0  1   1"),
    "standings have a legend": ("league standings 4", "Pts: Points, SB: Sonneborn-Berger"),
    "standings of a season": ("league standings 4 --season 1", "Autumn, season 1. Final table."),
    "standings of a division": ("league standings 4 --division 1", "Autumn, season 1. Final table."),
    "explain": ("league explain 4 Ada", "  Round 1: 0 against Cleo (lost)."),
    "schedule": ("league schedule 1", "2026-03-15 13:00  in 13 days 22 hours  round 1 ends; 1 game is not over yet"),
    "schedule of entries": ("league schedule 2", "entries end, and everybody is asked"),
    "schedule of a ladder": ("league schedule 6", "2026-08-30 14:00  in 181 days 22 hours  challenges end"),
    "schedule after a season": ("league schedule 4", "season 2 is announced"),
    "nothing happens by itself": ("league schedule 3", "Nothing happens by itself in League 3, Spring"),
    "history": ("league history 1", "Meeting 2, Cleo - Bob, is game"),
    "history names who": ("league history 4", "Meeting 1: Cleo beat Ada, as "),
    "correct": ("league result 1 2 win-loss --reason x -y", 'Meeting 2: Cleo beat Bob, as the organisers decided ("x").'),
    "correct by points": ("league result 1 2 0-1 --reason x -y", "Meeting 2: Bob beat Cleo, as the"),
    "correct by the game": ("league result 1 game-4 draw --reason x -y", "Meeting 2: Cleo and Bob drew"),
    "correct without a result": ("league result 1 2 'no result' --reason x -y", "Meeting 2: Cleo and Bob have no result"),
    "the first one named wins": ("league result 1 Bob Cleo win --reason x -y", 'Bob beat Cleo, as the organisers decided ("x").'),
    "the first one named loses": ("league result 1 3 2 loss --reason x -y", "Bob beat Cleo, as the organisers"),
    "players and no result": ("league result 1 bob@example.org Cleo no result --reason x -y", "Meeting 2: Cleo and Bob have no result"),
    "players and marks for both": ("league result 1 Bob Cleo loss-win --reason x -y", "Meeting 2: Cleo beat Bob, as the"),
    "whoever moved first wins": ("league result 1 2 win --reason x -y", "Meeting 2: Cleo beat Bob, as the"),
    "correct after the end": ("league result 4 1 win-loss --reason x -y", "The final tables were corrected."),
    "substitute": ("league substitute 5 Ada Cleo --reason ill -y", "Cleo plays on for Ada in season 1 of Duel."),
    "playoff": ("league playoff 5 1 Bob Ada", "The playoff was decided, the best first: Bob, Ada."),
    "move": ("league move 3 Ada 2 --reason 'asked for it'", 'Ada plays in tier 2 next season ("asked for it").'),
    "bar": ("league bar 1 Ada Bob", "Ada and Bob are not to meet."),
    "challenge": ("league challenge 6 Bob Ada", "Bob challenged Ada: meeting 1, "),
    "close": ("league close 1 --reason x -y", "The season ended. "),
}  # fmt: skip

REFUSES = {
    "no such league": ("league show 17", 1, 'There is no league with the number or name "17" here'),
    "no such player": ("league enter 2 Ada Zoe", 1, 'There is nobody here with the number, name or address "Zoe"'),
    "no game": ("league add Summer", 2, "give the --game; the preset is for any."),
    "no such game": ("league add Summer --game chess", 1, 'There is no game called "chess"'),
    "no such preset": ("league add Summer --game take --preset swis", 1, "There is no preset 'swis'. Did you mean swiss?"),
    "no such setting": ("league add Summer --game take --set ronds=3", 1, "There is no setting ronds. Did you mean rounds?"),
    "settings that do not go together": ("league add Summer --game take --set third_place=yes", 1, "Only a knockout has a game for"),
    "no such time": ("league add Summer --game take --time soon", 1, "soon"),
    "a name in use": ("league add CUP --game take", 1, "There is a league called CUP already."),
    "a name that is a number": ("league add 7 --game take", 1, "The name of a league is one line of 1 to 60 characters, and not a number."),
    "a season that runs": ("league open 1", 1, "Season 1 of Take Winter is not over yet."),
    "a time that is none": ("league open 3 --until soon", 2, "'soon' isn't a time such as 2026-12-01, '2026-12-01 18:00' or 14d."),
    "a time after all others": ("league open 3 --until 9999-12-31", 2, "'9999-12-31' is more than 100 years away."),
    "a span that no league lasts": ("league open 3 --until 9999w", 2, "'9999w' is more than 100 years away."),
    "a time before all others": ("league open 3 --starts 0001-01-01", 2, "'0001-01-01' is more than 100 years away."),
    "a time that is past": ("league open 3 --until 2026-02-01", 1, "Entries would end in the past."),
    "entered already": ("league enter 2 Bob", 1, "Bob has entered season 1 of Cup already."),
    "no entries": ("league enter 1 Bob", 1, "Season 1 of Take Winter has begun. `turnserver league enter --past` lets players in"),
    "nobody to be ready": ("league ready 1 Bob", 1, "Season 1 of Take Winter has begun."),
    "started already": ("league start 1 -y", 1, "Season 1 of Take Winter has begun."),
    "nothing to drop": ("league drop 1 --reason x -y", 1, "`turnserver league drop --begun` calls it off."),
    "nothing to approve": ("league approve 1 -y", 1, "Nothing waits for approval in Take Winter."),
    "nothing paused": ("league resume 1 --reason x -y", 1, "Season 1 of Take Winter is not paused"),
    "nothing begun to drop": ("league drop 2 --begun --reason x -y", 1, "Season 1 of Cup has not begun."),
    "entered a ladder already": ("league enter 6 Bob", 1, "Bob has entered season 1 of Climb already."),
    "challenged from above": ("league challenge 6 Ada Bob", 1, "Ada can challenge only players who stand above."),
    "a challenge of nobody on the ladder": ("league challenge 6 House Bob", 1, 'the number, name or address "House"'),
    "not in": ("league withdraw 4 Bob", 1, "This league has no season now."),
    "nobody asked": ("league ready 2 Bob", 1, "Nobody has been asked yet whether they will play for season 1 of Cup."),
    "nothing to start": ("league start 3 -y", 1, "This league has no season now."),
    "a result of nothing": ("league result 1 win --reason x -y", 1, "Name the meeting, by its players or its number, and then the result"),
    "a result of strangers": ("league result 4 Ada Bob win --reason x -y", 1, "Ada and Bob don't play each other in season 1 of Autumn."),
    "nothing due": ("league pair 1", 1, "There is nothing to do in this league now."),
    "nothing to close": ("league close 4 --reason x -y", 1, "This league has no season now."),
    "no table yet": ("league standings 2", 1, "Season 1 of Cup has not begun, so there is no table yet."),
    "no season yet": ("league standings 3", 1, "League 3, Spring, has no season yet. `turnserver league open 3` announces one."),
    "no such season": ("league standings 4 --season 2", 1, "There was no season 2 in this league. It has had 1 so far."),
    "no such season before the first": ("league standings 3 --season 1", 1, "There was no season 1 in this league. It has had none yet."),
    "no such division": ("league standings 4 --division 2", 1, "There is no division '2' in season 1 of Autumn. It has 1."),
    "explain who is not there": ("league explain 4 Bob", 1, "Bob is not in season 1 of Autumn."),
    "no such meeting": ("league result 1 17 win-loss --reason x -y", 1, "There is no meeting 17 in this season."),
    "no number of a meeting": ("league result 1 first win-loss --reason x -y", 1, '"first" is not the number of a meeting'),
    "another league's game": ("league result 1 game-7 win-loss --reason x -y", 1, "Game 7 does not belong to season 1 of Take Winter."),
    "no result": ("league result 1 2 won --reason x -y", 1, '"won" isn\'t a result. Write one word per player'),
    "too many marks": ("league result 1 2 win-loss-loss --reason x -y", 1, "has 3 results, but 2 players are in that meeting."),
    "marks that do not go together": ("league result 1 2 win-win --reason x -y", 1, "These results don't fit together."),
    "an entry of the start undone": ("league enter 1 Ada --back --reason x -y", 1, "Ada was in season 1 of Take Winter from its start."),
    "an entry undone without a reason": ("league enter 1 Ada --back -y", 1, "Say why with --reason TEXT."),
    "two entries undone": ("league enter 1 Ada Bob --back --reason x", 1, "Name one player whose entry is undone"),
    "the result of a bye": ("league result 1 1 win-loss --reason x -y", 1, "Meeting 1 is a bye, and a bye has no other result."),
    "the same result": ("league result 4 1 loss-win --reason x -y", 1, "Meeting 1 has that result already."),
    "no playoff": ("league playoff 5 1 Bob", 1, "There is no playoff between these players."),
    "a substitute who plays": ("league substitute 5 Ada Bob --reason x -y", 1, "The substitute is in this season already."),
    "one tier only": ("league move 1 Ada 1 --reason x", 1, "Take Winter has one tier only, so nobody can be moved. Give it tiers"),
    "no such tier": ("league move 3 Ada 4 --reason x", 1, "There is no tier 4."),
    "barred from themselves": ("league bar 1 Ada Ada", 1, "Nobody can play against themselves."),
    "allowed already": ("league bar 1 Ada Bob --allow", 1, "That is how it is already."),
    "no ladder": ("league challenge 1 Ada Bob", 1, "Take Winter is no ladder"),
    "settings without a reason": ("league set 3 at_once=3", 1, "Say why with --reason TEXT."),
    "settings beside who sees it": ("league set 3 at_once=3 --visible public", 1, "with a command of its own"),
    "settings of a season that runs": ("league set 1 at_once=3 --reason x", 1, "Season 1 of Take Winter is not over yet."),
    "the same settings": ("league set 3 --reason x", 1, "That is how it is already."),
    "no such time to set": ("league set 3 --time soon --reason x", 1, '"soon" isn\'t a time control.'),
    "no such points": ("league penalize 4 Cleo 1/3 --reason x", 1, "That isn't a penalty."),
    "nothing to go on with": ("league reopen 4 --reason x -y", 1, "Every game of season 1 is over."),
    "nobody on the waiting list": ("league substitute 1 Ada --reason x -y", 1, "Nobody is on the waiting list."),
    "no rounds": ("league export 6 --format trf", 1, "TRF is for games of two that are played in rounds."),
    "back without a reason": ("league withdraw 1 Ada --back", 1, "Say why with --reason TEXT."),
    "back who is there": ("league withdraw 1 Ada --back --reason x -y", 1, "Ada has not withdrawn from season 1 of Take Winter"),
    "back to no meetings": ("league withdraw 1 Ada --back --reason x --again two -y", 1, "Write in-time, all, none, or their numbers"),
    "late into a cup": ("league enter 5 Cleo --past half", 1, "can't be \"half\" here. Choose one of these: play."),
    "late onto a ladder": ("league enter 6 Bob --past absent", 1, "Climb takes nobody once it has begun"),
    "late who is there": ("league enter 1 Bob --past play", 1, "Bob has entered season 1 of Take Winter already."),
    "late with nothing to play": ("league enter 5 Cleo --past absent", 1, "can't be \"absent\" here. Choose one of these: play."),
    "late into no division": ("league enter 5 Cleo --past play --division 9", 1, "There is no division '9'"),
    "a division before the start": ("league enter 2 Cleo --division 1", 1, "Write --past with them."),
    "no round to pair again": ("league pair 1 --again --reason x -y", 1, "Only rounds of Swiss and McMahon events can be paired again"),
    "one alone": ("league pair 1 Ada --again --reason x", 1, "Name the players of the pairs two by two."),
    "again without a reason": ("league pair 1 --again", 1, "Say why with --reason TEXT."),
    "pairs without again": ("league pair 1 Ada Bob", 1, "Write --again with them."),
    "a bye where all meet": ("league bye 1 Ada --reason x", 1, "Byes can be asked for in Swiss and McMahon events only."),
    "a bye worth a win": ("league bye 1 Ada --points 1 --reason x", 1, "A bye that was asked for is worth 1/2 or 0."),
    "no dates of rounds": ("league dates 5 --later 7d --reason x -y", 1, "`turnserver league extend 5 --longer 7d` gives"),
    "no new deadline": ("league extend 1 --reason x -y", 1, "Say the new deadline with --until"),
    "two new deadlines": ("league extend 1 --until 3d --longer 3d --reason x -y", 1, "Say the new deadline with --until"),
    "so much longer": ("league extend 1 --longer soon --reason x -y", 2, "'soon' isn't a time such as 14d, 36h or 2w."),
    "no deadline to move": ("league extend 1 --round 9 --until 3d --reason x -y", 1, "None of these games is open with a deadline"),
    "a deadline in the past": ("league extend 1 --until 2026-02-01 --reason x -y", 1, "That deadline would be in the past."),
    "nobody to remind": ("league remind 5", 1, "so there is nobody to remind."),
}  # fmt: skip


@pytest.mark.parametrize(("line", "fragment"), SAYS.values(), ids=SAYS)
def test_says(leagues: Club, line: str, fragment: str) -> None:
    assert fragment in leagues.printed(line)


@pytest.mark.parametrize(("line", "code", "fragment"), REFUSES.values(), ids=REFUSES)
def test_refuses_in_one_sentence(leagues: Club, line: str, code: int, fragment: str) -> None:
    result = leagues.run(line)
    assert fragment in result.stderr
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
    # The organisers read it, who are not the player.
    assert not re.search(r"\bask the admin|\bthe organisers\b|(?<!Did )\byou\b", result.stderr, re.IGNORECASE)


def test_a_mcmahon_event_says_who_begins_with_how_much(leagues: Club) -> None:
    leagues.printed("league add Summer --game take --set format=mcmahon --set rounds=3 --set bounds=1400,1600")
    assert "a point to begin with for each rating reached of 1400, 1600;" in " ".join(leagues.printed("league show Summer").split())


def test_rounds_that_follow_one_another_have_no_dates_to_move(leagues: Club) -> None:
    for line in (
        "add Alps --preset swiss --game take --set ready_hours=0 --set least=2",
        "open Alps",
        "enter Alps Ada Bob Cleo",
        "start Alps --yes",
    ):
        leagues.printed(f"league {line}")
    told = leagues.run("league dates Alps --later 7d --reason x -y").stderr
    assert "Each round of Alps begins when the one before is over, so no dates of rounds can be moved. `turnserver league extend 7" in told


SEVERAL = {
    "one of them is in": (
        "Bob Ada Carla",
        "Ada has entered season 1 of Spring already. Nothing was changed: try again without this one.",
    ),
    "several are in": (
        "Ada Bob Cleo Carla",
        "Ada has entered season 1 of Spring already. Cleo has entered season 1 of Spring already. Nothing was changed: try again without",
    ),
    "one wants no mail": (
        "Carla Dan",
        "Dan doesn't want mail at the moment, so they can't enter a league. Nothing was changed: try again without this one.",
    ),
    "one is not known": ("Bob Zoe", 'There is nobody here with the number, name or address "Zoe"'),
    "the only one is in": ("Ada", "Ada has entered season 1 of Spring already.\n"),
}


@pytest.mark.parametrize(("players", "told"), SEVERAL.values(), ids=SEVERAL)
def test_all_enter_or_nobody(leagues: Club, players: str, told: str) -> None:
    for line in ("player add Carla carla@example.org", "player add Dan dan@example.org", "player set Dan subscribed off", "league open 3"):
        leagues.printed(line)
    leagues.printed("league enter 3 Cleo Ada")
    before = leagues.printed("league history 3")
    result = leagues.run(f"league enter 3 {players}")
    assert (result.exit_code, result.stdout) == (1, "")
    assert told in result.stderr
    assert leagues.printed("league history 3") == before


def test_the_audit_decides_again_what_was_entered_together(leagues: Club) -> None:
    leagues.printed("league open 3")
    leagues.printed("league enter 3 Ada Bob Cleo")
    assert leagues.run("audit verify").exit_code == 0


def test_whoever_is_named_twice_enters_once(leagues: Club) -> None:
    leagues.printed("league open 3")
    assert leagues.printed("league enter 3 Bob Ada bob").count("Bob") == 1


def test_an_admin_is_told_that_the_result_of_a_player_who_is_struck_is_in_no_table(leagues: Club) -> None:
    leagues.printed("league withdraw 1 Cleo -y")
    table = leagues.printed("league standings 1")
    told = "It is in no table, because Cleo was struck; it counts for ratings only."
    assert told in leagues.run("league result 1 2 win-loss --reason x", "n\n").stderr
    assert told in leagues.printed("league result 1 2 win-loss --reason x -y").replace("\n", " ")
    assert leagues.printed("league standings 1") == table


WITHDRAWN = {
    "what is in time": ("in-time", "To be played: meeting 2, Cleo - Bob; meeting 4, Ada - Cleo."),
    "all": ("all", "To be played: meeting 2, Cleo - Bob; meeting 4, Ada - Cleo."),
    "some": ("4", "To be played: meeting 4, Ada - Cleo."),
    "none": ("none", "Cleo is back in season 1 of Take Winter: the organisers undid the withdrawal."),
}


@pytest.mark.parametrize(("again", "told"), WITHDRAWN.values(), ids=WITHDRAWN)
def test_a_withdrawal_is_undone_and_audited(leagues: Club, again: str, told: str) -> None:
    leagues.printed("league withdraw 1 Cleo -y")
    said = leagues.printed(f"league withdraw 1 Cleo --back --again {again} --reason 'a typo' -y").replace("\n", " ")
    assert told in said
    assert ("To be played" in said) is (again != "none")
    swept(leagues)
    assert leagues.run("audit verify").exit_code == 0


def test_a_late_entry_is_audited(leagues: Club) -> None:
    leagues.printed("player add Dan dan@example.org")
    leagues.printed("league enter 1 Dan --past play --reason 'the post was late'")
    swept(leagues)
    assert "Dan" in leagues.printed("league standings 1")
    assert leagues.run("audit verify").exit_code == 0


def test_a_swiss_round_is_paired_by_hand_and_a_bye_is_given(leagues: Club) -> None:
    leagues.printed("league add Open --game take --preset swiss --set least=2 --set round_every=0")
    for line in ("league open 7", "league enter 7 Ada Bob Cleo", "league start 7 --now -y"):
        leagues.printed(line)
    swept(leagues)
    asked = leagues.run("league pair 7 Ada Bob --again --reason 'as they wish'", "n\n").stderr
    assert "Round 1 is paired again" in asked
    assert "Round 1: Ada - Bob; Cleo has a bye." in asked
    leagues.printed("league pair 7 Ada Bob --again --reason 'as they wish' -y")
    leagues.printed("league pair 7 --bye Bob --again --reason 'as they wish' -y")
    leagues.printed("player add Dan dan@example.org")
    late = "league enter 7 Dan --past half --reason late"
    asked = " ".join(leagues.run(late, "n\n").stderr.split())
    assert "This would happen: Dan came in late" in asked
    assert "worth ½" in asked
    assert "Dan" not in leagues.printed("league standings 7")
    assert "There is no round 9. A bye can be asked for in rounds" in leagues.run("league bye 7 Ada --round 9 --reason ill").stderr
    line = "league bye 7 Ada --reason ill"
    declared(leagues.printed(f"{line} --json"), line)
    assert "Ada has a bye in that round of Open already. `turnserver league bye --back`" in leagues.run(line).stderr
    assert "Ada plays in round 2 after all" in leagues.printed("league bye 7 Ada --back --reason well")
    leagues.printed("league bye 7 Ada --points 0 --reason ill")
    swept(leagues)
    leagues.printed("league result 7 Ada Cleo win --reason x -y")
    leagues.printed("league pair 7")
    told = "Round 2 is paired already and stays; `turnserver league pair 7 --again --division 1` pairs it anew"
    assert told in leagues.run("league result 7 Ada Cleo loss --reason x", "n\n").stderr
    assert told in " ".join(leagues.printed("league result 7 Ada Cleo loss --reason x -y").split())
    leagues.printed("league result 7 Ada Cleo win --reason x -y --json")
    assert "Z zero-point bye" in leagues.printed("league standings 7").replace("\n", " ")
    assert leagues.run("audit verify").exit_code == 0


def test_no_bye_is_listed_of_somebody_who_is_out(leagues: Club) -> None:
    leagues.printed("league add Open --game take --preset swiss --set least=2 --set ready_hours=24")
    for line in ("open 7", "enter 7 Ada Bob Cleo", "bye 7 Bob --round 2 --reason ill", "bye 7 Cleo --round 2 --reason ill", "start 7 -y"):
        leagues.printed(f"league {line}")
    assert "Byes asked for Bob" in " ".join(leagues.printed("league show 7").split())
    for line in ("ready 7 Ada Bob", "start 7 --now -y"):
        leagues.printed(f"league {line}")
    shown = " ".join(leagues.printed("league show 7").split())
    assert ("Bob in round 2" in shown, "Cleo in round 2" in shown) == (True, False)


def test_a_paused_season_waits_for_somebody_to_go_on(leagues: Club) -> None:
    leagues.printed("league pause 1 --reason 'the holidays' -y")
    assert "paused, 0 of 3 games over" in leagues.printed("league show 1")
    assert "`turnserver league resume 1 --reason TEXT` goes on" in " ".join(leagues.printed("league show 1").split())
    swept(leagues)
    leagues.printed("league resume 1 --reason 'all are back' -y")
    swept(leagues)
    assert leagues.run("audit verify").exit_code == 0


def test_a_place_that_was_left_is_filled_and_audited(leagues: Club) -> None:
    leagues.printed("player add Dan dan@example.org")
    leagues.printed("league withdraw 1 Cleo -y")
    said = leagues.printed("league substitute 1 Cleo Dan --reason 'Dan wants to play' -y").replace("\n", " ")
    assert "To be played: meeting 2, Cleo - Bob; meeting 4, Ada - Cleo." in said
    assert "Dan plays on for Cleo in season 1 of Take Winter." in said
    swept(leagues)
    assert "Dan" in leagues.printed("league standings 1")
    assert leagues.run("audit verify").exit_code == 0


def test_whoever_comes_back_into_their_place_plays_on_for_whoever_had_it(leagues: Club) -> None:
    leagues.printed("league substitute 5 Ada Cleo --reason ill -y")
    assert "Ada plays on for Cleo in season 1 of Duel." in leagues.printed("league substitute 5 Cleo Ada --reason well -y")
    assert "Ada plays on for Cleo in" in leagues.printed("league history 5")


ASKED = {
    "withdraw": ("league withdraw 1 Ada", "Take Ada out of season 1 of Take Winter, and end the games that run?"),
    "start": ("league start 2", "End the entries of Cup, with 3 players, and ask whether they will play"),
    "drop": ("league drop 2 --reason x", "Call season 1 of Cup off?"),
    "close": ("league close 1 --reason x", "End season 1 of Take Winter with 3 games open?"),
    "correct": ("league result 1 2 win-loss --reason x", "Meeting 2, Cleo - Bob (game 4): now Cleo beat Bob?"),
    "substitute": ("league substitute 5 Ada Cleo --reason x", "Have Cleo play on for Ada in season 1 of Duel?"),
    "withdraw says what would happen": ("league withdraw 1 Cleo", "Meeting 2: Cleo and Bob have no result, because of a withdrawal."),
    "close says what would happen": ("league close 1 --reason x", "This would happen:"),
    "extend": ("league extend 1 --longer 3d --reason x", "Move the deadlines in Take Winter?"),
}


@pytest.mark.parametrize(("line", "question"), ASKED.values(), ids=ASKED)
def test_asks_before_what_cannot_be_undone(leagues: Club, line: str, question: str) -> None:
    before = leagues.printed("league history 1") + leagues.printed("league history 2")
    result = leagues.run(line, "n\n")
    assert question in result.stderr
    assert result.exit_code == 1
    assert leagues.printed("league history 1") + leagues.printed("league history 2") == before


TABLES = (
    "league list", "league show", *(f"league show {number}" for number in range(1, 7)), "league schedule 1", "league schedule 2",
    "league schedule 3", "league standings 1", "league standings 4",
    "league standings 6", "league explain 1 Ada", "league explain 6 Ada", "league schedule 6", "league history 1", "league presets",
    "league settings", "league settings tie_breaks", "league add Summer --game take --preset divisions", "league start 2 -y",
)  # fmt: skip


@pytest.mark.parametrize("line", TABLES)
def test_fits_80_columns(leagues: Club, line: str) -> None:
    assert [text for text in leagues.printed(line).splitlines() if len(text) > 80] == []


TYPED = {
    "leagues": ("turnserver league show ", ["1", "2", "3", "4", "5", "6"]),
    "a league by name": ("turnserver league show C", ["Climb", "Cup"]),
    "presets": ("turnserver league add X --preset dou", ["double-round-robin", "double-knockout"]),
    "settings": ("turnserver league add X --set thir", ["third_place"]),
    "results": ("turnserver league result 1 2 dr", ["draw"]),
    "players": ("turnserver league enter 2 B", ["Bob"]),
}


@pytest.mark.parametrize(("typed", "expected"), TYPED.values(), ids=TYPED)
def test_candidates(leagues: Club, monkeypatch: pytest.MonkeyPatch, typed: str, expected: list[str]) -> None:
    monkeypatch.chdir(leagues.directory)
    done = candidates(typed)
    assert (sorted(done.stdout.split()), done.stderr) == (sorted(expected), "")


EXPORTS = {
    "json": ("json", '"league": "Autumn"'),
    "csv": ("csv", "1,1,1,Cleo,"),
    "results": ("results", "Autumn,1,1,1,1,7,"),
    "svg": ("svg", "Autumn, season 1</text>"),
}


@pytest.mark.parametrize(("kind", "fragment"), EXPORTS.values(), ids=EXPORTS)
def test_exports(leagues: Club, tmp_path: Path, kind: str, fragment: str) -> None:
    printed = leagues.printed(f"league export 4 --format {kind}")
    assert fragment in printed
    assert "Season 1 of Autumn is in " in leagues.printed(f"league export 4 --format {kind} -o {tmp_path / 'file'}")
    assert (tmp_path / "file").read_text("utf-8").strip() == printed.strip()


def test_exports_a_picture_into_a_file(leagues: Club, tmp_path: Path) -> None:
    leagues.printed(f"league export 1 --format png -o {tmp_path / 'table.png'}")
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")
    assert "a PNG can't be shown in a terminal; give --output" in leagues.run("league export 1 --format png").stderr


def test_a_report_says_which_round_it_leaves_out(leagues: Club, tmp_path: Path) -> None:
    leagues.printed("league add Chess --game take --set format=swiss --set rounds=2 --set ready_hours=0")
    leagues.printed("league open 7")
    leagues.printed("league enter 7 Ada Bob Cleo")
    leagues.printed("league start 7 --yes")
    said = leagues.run(f"league export 7 --format trf -o {tmp_path / 'report'}")
    remark = "Round 1 is not over, and TRF cannot hold a running game. The report has no rounds yet."
    assert (said.exit_code, said.stderr) == (0, f"{remark}\n")
    assert (tmp_path / "report").read_bytes().startswith(f"### {remark}\r\n012 Chess, season 1\r\n".encode())


def test_the_admin_is_told_who_plays_and_wants_no_mail(leagues: Club) -> None:
    leagues.printed("league challenge 6 Bob Ada")
    assert leagues.json("league show 6 --json")[0]["to_do"] == []  # type: ignore[index]
    leagues.printed("player set Ada subscribed off")
    (told,) = leagues.json("league show 6 --json")[0]["to_do"]  # type: ignore[index]
    assert told.startswith("Ada has games and wants no mail, and so loses them on time. `turnserver player set Ada subscribed on`")


def test_a_table_of_three_is_decided_by_places(leagues: Club) -> None:
    leagues.printed("league add Reef --preset tables --game sneaky-octopuses --option players=3 --set ready_hours=0")
    leagues.printed("league open 7")
    leagues.printed("league enter 7 Ada Bob Cleo")
    leagues.printed("league start 7 --yes")
    assert "has 2 results, but 3 players are in that meeting." in leagues.run("league result 7 1 win-loss --reason x -y").stderr
    assert "a place for each player, such as `1-2-3`" in leagues.run("league result 7 1 won --reason x -y").stderr
    assert "Meeting 1: 1. Ada, 2. Cleo, 3. Bob, as the organisers decided" in leagues.printed("league result 7 1 1-2-3 --reason x -y")


def test_games_of_several_divisions_are_told_apart(leagues: Club) -> None:
    leagues.printed("league add Steps --game take --set 'tiers=[{{size=2, moves=1}}, {{size=2}}]'")
    leagues.printed("league open 7")
    leagues.printed("player add Dan dan@example.org")
    leagues.printed("league enter 7 Ada Bob Cleo Dan")
    assert "The season began. Division 1: " in leagues.printed("league start 7 --yes")
    swept(leagues)
    assert "Meeting  Game  Division  Round  Players" in leagues.printed("league show 7")
    assert "choose one with --division: 1, 2" in leagues.run("league export 7 --format svg").stderr


def test_a_league_from_its_first_day_to_its_second_season(leagues: Club) -> None:
    leagues.printed("league playoff 5 1 Ada Bob")
    leagues.now += timedelta(hours=1)
    assert "The season ended. Ada came first." in leagues.printed("league pair 5")
    leagues.printed("league open 5")
    assert [entry["player_name"] for entry in leagues.json("league show 5 --json")[0]["season"]["entries"]] == ["Ada", "Bob"]  # type: ignore[index]
    assert "Duel, season 1. Final table." in leagues.printed("league standings 5 --season 1")
    swept(leagues)


def test_a_game_that_is_taken_up_again_after_its_season(leagues: Club) -> None:
    leagues.printed("league add Again --game take --set least=2 --set ready_hours=0")
    leagues.printed("league open 7")
    leagues.printed("league enter 7 Ada Bob")
    leagues.printed("league start 7 --yes")
    swept(leagues)
    game = leagues.value("league show 7", "0.season.meetings.0.game")
    leagues.ask(game, c.Resign(BOB, leagues.now))
    leagues.now += timedelta(hours=1)
    swept(leagues)
    assert "Again, season 1. Final table." in leagues.printed("league standings 7")
    warning = "belongs to season 1 of Again, which is over: its final table changes."
    assert warning in leagues.run(f"game reopen {game} --reason no", "n\n").stderr
    assert warning in leagues.run(f"game reopen {game} --reason no --yes").stderr
    leagues.now += timedelta(hours=1)
    swept(leagues)
    assert "Again, season 1. The season is over, but 1 game goes on again, so the table isn't final." in leagues.printed(
        "league standings 7"
    )
    shown = leagues.printed("league show 7")
    assert "season 1: over, but 1 game on again" in shown
    assert "Ada - Bob" in shown


def test_no_season_is_nothing_that_waits(leagues: Club) -> None:
    assert "Waits for you" not in leagues.printed("league show 3")
    assert leagues.value("league show 3", "0.to_do") == []


def test_games_of_somebody_who_was_struck_are_not_counted(leagues: Club) -> None:
    leagues.printed("league withdraw 1 Cleo -y")
    assert "season 1: running, 0 of 1 game over" in leagues.printed("league show 1")
    assert "Games finished: 0 of 1." in leagues.printed("league standings 1")


def test_of_two_meetings_the_one_without_a_result_is_meant(leagues: Club) -> None:
    leagues.printed("league add Twice --preset double-round-robin --game take --set least=2 --set ready_hours=0 --set pace=together")
    leagues.printed("league open 7")
    leagues.printed("league enter 7 Ada Bob")
    leagues.printed("league start 7 --yes")
    refused = leagues.run("league result 7 Ada Bob win --reason x -y").stderr
    assert "Ada and Bob meet more than once here, in meetings 1 and 2. Give a number" in " ".join(refused.split())
    leagues.printed("league result 7 1 draw --reason x -y")
    assert "Meeting 2: Ada beat Bob" in leagues.printed("league result 7 Ada Bob win --reason x -y")


def test_words_are_asked_about_sent_once_and_refused(leagues: Club) -> None:
    words = leagues.directory / "words.txt"
    words.write_text("The final is on Sunday.", encoding="utf-8")
    line = "league mail 1 --file {dir}/words.txt"
    question = leagues.run(line, "n\n")
    assert "Send 3 mails to players of League 1, Take Winter?" in question.output
    assert question.exit_code == 1
    told: Any = leagues.json(f"{line} --yes --json")
    assert [event["type"] for event in told] == ["league.words_sent"]
    assert "All of them have had these words" in " ".join(leagues.run(line).stderr.split())
    for content, why in ((b"", "no words"), (b"x" * 4001, "Shorten them"), (b"\xff", "UTF-8"), (b"a\x07", "control characters")):
        words.write_bytes(content)
        refused = leagues.run(line)
        assert (refused.exit_code, why in refused.stderr) == (1, True), refused.output


SHEETS = {
    "pairings": ("league sheet 1 pairings", "Board  Seat 1"),
    "a round": ("league sheet 1 pairings --round 1", "Pairings of round 1."),
    "chart": ("league sheet 1 chart", "No  Player"),
    "crosstable": ("league sheet 1 crosstable", "Place  Player"),
    "standings as CSV": ("league sheet 1 standings --format csv", "division,Place,Player,"),
    "pairings as CSV": ("league sheet 1 pairings --format csv", ",2026-04-12 14:00+02:00"),
    "pairings for a printer": ("league sheet 1 pairings --format html", '<th scope="col">Seat 1</th>'),
}


@pytest.mark.parametrize(("line", "says"), SHEETS.values(), ids=SHEETS)
def test_sheets_are_printed_or_written(leagues: Club, line: str, says: str) -> None:
    assert says in leagues.printed(line)
    assert leagues.printed(f"{line} -o {{dir}}/sheet").startswith("The sheet is in ")
    assert says in (leagues.directory / "sheet").read_text(encoding="utf-8")


NO_SHEET = {
    "a round of a table": ("league sheet 1 standings --round 1", "Only pairings are those of a round"),
    "a round to come": ("league sheet 1 pairings --round 99", "Round 99 of this division is not paired yet"),
    "before the start": ("league sheet 2 pairings", "has not begun, so there is no table yet"),
    "another division": ("league sheet 1 chart --division 9", "There is no division '9' in season 1 of Take Winter. It has 1."),
    "a season that runs begins": ("league start 1", "turnserver: Season 1 of Take Winter has begun."),
    "a season that runs is reopened": ("league reopen 1 --reason x -y", "There is no closed season."),
    "one division is merged": ("league merge 1 --division 1 --reason x -y", "Name two divisions at least, each with --division."),
    "no such rest": ("league enter 1 Ada --past Bob", "Invalid value for '--past': 'Bob' is not one of 'absent', "),
}


@pytest.mark.parametrize(("line", "why"), NO_SHEET.values(), ids=NO_SHEET)
def test_what_cannot_be_says_why_and_asks_nothing_before(leagues: Club, line: str, why: str) -> None:
    refused = leagues.run(line)
    assert refused.exit_code in (1, 2)
    assert why in " ".join(refused.stderr.split())
    assert "[y/N]" not in refused.stderr


def test_a_director_does_by_command_what_their_role_allows(leagues: Club) -> None:
    """The log has the director as actor, and in the cause whoever typed it; without the role nothing happens."""
    draw, withdraw = "league result 1 Cleo Bob draw --reason x --as Ada", "league withdraw 1 Cleo --as Ada"
    before = leagues.printed("league history 1")
    for line in (draw, withdraw, f"{withdraw} -y"):
        refused = leagues.run(line)
        assert (refused.exit_code, "that takes the role of director or" in " ".join(refused.stderr.split())) == (1, True), refused.output
    assert leagues.printed("league history 1") == before
    leagues.printed("league director add 1 Ada arbiter --reason 'she knows the rules'")
    leagues.printed(f"{draw} -y")
    assert leagues.run(f"{withdraw} -y").exit_code == 1
    result: Any = leagues.json("audit trail --json --league 1 --actor Ada")
    assert [(one["actor"], one["type"]) for one in result] == [("player-1", "league.result_recorded")]
    assert result[0]["cause"].startswith("cli:")
    assert ":admin:" in result[0]["cause"]
    directors: Any = leagues.json("league director list 1 --json")
    [listed] = directors
    assert (listed["name"], listed["role"], listed["reason"]) == ("Ada", "arbiter", "she knows the rules")
    assert "Directed by  Ada (arbiter)" in leagues.printed("league show 1")
    assert "arbiter (may decide its results and games)" in leagues.printed("league explain 1 Ada")
    leagues.printed("league director add 4 Bob secretary --reason x")
    assert "Bob in Autumn\n\nsecretary (may enter and withdraw" in leagues.printed("league explain 4 Bob")
    leagues.printed("league director drop 1 Ada arbiter --reason 'she moves away'")
    refused = leagues.run("league extend 1 --longer 3d --reason x -y --as Ada")
    assert "In Take Winter, that takes the role of director or arbiter." in " ".join(refused.stderr.split())
    for line, why in (
        ("league set 1 --visible public", "Who may see the league is for an admin to say"),
        ("league split 2 Ada --into X", "Only an admin opens a league"),
        ("league merge 2 3 --reason x", "Only an admin merges leagues"),
    ):
        refused = leagues.run(f"{line} --as Ada")
        assert (refused.exit_code, why in " ".join(refused.stderr.split())) == (1, True), refused.output
    assert leagues.run("league director add 1 Zoe arbiter --reason x").exit_code == 1
    assert leagues.run("audit verify").exit_code == 0


def test_a_claim_waits_where_its_game_is_played_until_it_is_settled(leagues: Club) -> None:
    game = leagues.json("league show 1 --json")[0]["season"]["meetings"][1]["game"]  # type: ignore[index]
    leagues.now += timedelta(days=1)
    leagues.ask(game, c.MakeClaim(BOB, leagues.now))
    (told,) = leagues.json("league show 1 --json")[0]["to_do"]  # type: ignore[index]
    assert told.startswith(
        f"Bob asks you to decide game {game}, as turn 1 is not played. `turnserver game claim {game} --grant --reason TEXT`"
    )
    for line, count in (("league show 1", 1), ("league show", 1), ("league show 2", 0), ("league show 1 --at 5", 0)):
        assert leagues.printed(line).count("asks you to decide") == count, line
    leagues.printed(f"game claim {game} --dismiss --reason 'she is back'")
    assert leagues.json("league show 1 --json")[0]["to_do"] == []  # type: ignore[index]


def test_a_result_that_somebody_decided_in_its_game_says_who_and_why(leagues: Club) -> None:
    """The service records it in the league, so the league's own history does not have who decided."""
    meeting = leagues.json("league show 1 --json")[0]["season"]["meetings"][1]  # type: ignore[index]
    game, number = meeting["game"], meeting["number"]
    leagues.now += timedelta(days=1)
    leagues.ask(game, c.MakeClaim(BOB, leagues.now))
    leagues.printed(f"game claim {game} --grant --reason 'she is silent' -y")
    told: Any = leagues.json("league director add 1 Ada arbiter --reason x --json")
    assert [one["type"] for one in told] == ["league.role_given"]
    granted = f'granted the claim in game {game} ("she is silent").'
    explained = " ".join(leagues.printed("league explain 1 Bob").split())
    assert f"Results that were decided (not by the games themselves) Meeting {number}: " in explained
    assert granted in explained
    assert "Results that were decided" not in leagues.printed("league explain 1 Ada")
    leagues.printed(f"league result 1 {number} draw --reason agreed -y --as Ada")
    explained = " ".join(leagues.printed("league explain 1 Bob").split())
    assert (f'drew ("agreed"). Recorded by Ada on {leagues.now:%Y-%m-%d}' in explained, granted in explained) == (True, False)
    history: Any = leagues.json("league history 1 --json")
    results = [one for one in history if "result" in one["type"]]
    assert [one["decided_by"] for one in results] == [results[0]["decided_by"], "player-1"]
    assert results[0]["actor"] == "service"
    assert results[0]["decided_by"].startswith("admin:")
    assert results[0]["what"].endswith(granted)
    before = results[0]["version"] - 1
    assert "Results that were decided" not in leagues.printed(f"league explain 1 Bob --at {before}")


def test_a_game_that_went_on_keeps_who_decided_it_before(leagues: Club) -> None:
    meeting = leagues.json("league show 1 --json")[0]["season"]["meetings"][1]  # type: ignore[index]
    game, first = meeting["game"], PlayerId(meeting["players"][0])
    leagues.ask(game, c.PlayTurn(first, leagues.now, "a1"))
    leagues.printed(f"game result {game} draw --reason 'a mistake' -y")
    swept(leagues)
    leagues.printed(f"game retract {game} --from 1 --reason 'it was the wrong game' -y")
    swept(leagues)
    leagues.ask(game, c.Resign(first, leagues.now))
    swept(leagues)
    history: Any = leagues.json("league history 1 --json")
    decided, _, last = [one for one in history if "result" in one["type"]]
    assert decided["what"].endswith(f'decided game {game} ("a mistake").')
    assert last["decided_by"] is None
    assert "Results that were decided" not in leagues.printed("league explain 1 Bob")
