"""Commands about a season as a whole: told before, done once, and audited afterwards."""

import re
from datetime import timedelta

from tests.cli.club import Club
from tests.cli.league.league_club import swept


def later(club: Club) -> None:
    """An hour has passed, and the service has done what was due."""
    club.now += timedelta(hours=1)
    swept(club)


def begun(club: Club, *settings: str, preset: str = "round-robin") -> Club:
    """A league of three, whose season has begun."""
    club.entropy = bytes  # so that lots fall as they always do
    chosen = " ".join(f"--set {setting}" for setting in settings)
    club.printed(f"league add Winter --preset {preset} --game take --set least=2 --set ready_hours=0 {chosen}")
    for line in ("open Winter", "enter Winter Ada Bob Cleo", "start Winter -y"):
        club.printed(f"league {line}")
    return club


def told(club: Club, line: str) -> str:
    """The words of a command, whatever the width of its lines."""
    return " ".join(club.printed(line).split())


def test_a_pairing_and_a_final_table_wait_for_a_director(club: Club) -> None:
    begun(club, "rounds=1", "approve=pairings,table", preset="swiss")
    later(club)
    assert "Round 1 is paired. `turnserver league approve 1` lets its games begin." in told(club, "league show Winter")
    asked = club.run("league approve Winter", "n\n")
    assert "Round 1 may begin: meeting 1, " in asked.stderr
    assert "Approve this in Winter?" in asked.stderr
    club.printed("league approve Winter -y")
    later(club)
    club.printed("league result Winter 1 win-loss --reason 'as both say' -y")
    later(club)
    assert "Everything is played. `turnserver league approve 1` makes the tables final." in told(club, "league show Winter")
    assert "The season ended. " in told(club, "league approve Winter -y")
    assert club.run("audit verify").exit_code == 0


def test_a_league_is_renamed_archived_and_brought_back(club: Club) -> None:
    assert "`turnserver league list --archived` lists former ones" in told(club, "league list")
    begun(club)
    club.printed("league add Other --game take")
    assert "The league is called Spring now" in told(club, "league rename Winter Spring --reason 'the winter is over'")
    assert (
        club.run("league rename Spring OTHER --reason x").stderr
        == "turnserver: There is a league called OTHER already. Choose another name.\n"
    )
    assert club.run("league rename Spring 7 --reason x").exit_code == 1
    assert "is not over yet" in club.run("league archive Spring --reason x -y").stderr
    club.printed("league close Spring --reason enough -y")
    assert "The league was archived" in club.run("league archive Spring --reason x", "n\n").stderr
    club.printed("league archive Spring --reason 'nobody plays' -y")
    assert [row["name"] for row in records(club, "league list")] == ["Other"]
    assert [row["name"] for row in records(club, "league list --archived")] == ["Spring"]
    assert "Spring" not in club.printed("league show")
    assert "archived" in club.printed("league show Spring")
    assert "`turnserver league archive 1 --back` brings it back." in " ".join(club.run("league open Spring").stderr.split())
    club.printed("league archive Spring --back --reason 'some do'")
    club.printed("league open Spring")
    assert club.run("audit verify").exit_code == 0


def records(club: Club, line: str) -> list[dict[str, object]]:
    """Return the JSON list that a line prints."""
    found = club.json(f"{line} --json")
    assert isinstance(found, list)
    return found


def test_dates_of_a_season_are_moved_before_and_after_its_start(club: Club) -> None:
    club.printed("league add Winter --game take --set round_every=7 --set least=2")
    club.printed("league open Winter --until 5d")
    assert "It starts on 2026-03-19 00:00." in told(club, "league dates Winter --starts 2026-03-19 --reason 'a day' -y")
    assert "It starts on 2026-03-20 13:00." in told(club, "league dates Winter --starts '2026-03-20 13:00' --reason 'the holidays' -y")
    club.printed("league enter Winter Ada Bob Cleo")
    assert "before the season begins" in " ".join(club.run("league dates Winter --starts 9d --later 1d --reason x").stderr.split())
    assert "has not begun" in club.run("league dates Winter --later 1d --reason x -y").stderr
    club.printed("league start Winter -y")
    later(club)
    asked = club.run("league dates Winter --later 3d --reason 'a feast'", "n\n")
    assert "What is to come has its date 3 days later" in asked.stderr
    club.printed("league dates Winter --later 3d --reason 'a feast' -y")
    assert "2026-03-11 13:00" in club.printed("league schedule Winter")
    club.printed("league dates Winter --earlier 1d --reason 'a short one' -y")
    assert club.run("audit verify").exit_code == 0


def test_a_ladder_is_paused(club: Club) -> None:
    begun(club, preset="ladder")
    club.printed("league pause Winter --reason 'the holidays' -y")
    assert "Challenge when it goes on" in " ".join(club.run("league challenge Winter Bob Ada").stderr.split())
    later(club)
    club.printed("league resume Winter --reason 'all are back' -y")
    club.printed("league challenge Winter Bob Ada")
    assert club.run("audit verify").exit_code == 0


def test_a_ladder_has_no_rounds(club: Club) -> None:
    begun(club, "when_unfinished=admin", "round_days=2", preset="ladder")
    club.printed("league challenge Winter Bob Ada")
    later(club)
    club.printed("league remind Winter")
    assert "A reminder went out: meeting 1, " in told(club, "league history Winter")
    assert ": meeting 1, Bob - Ada, has its deadline" in told(club, "league show Winter")
    for _day in range(9):
        club.now += timedelta(days=1)
        swept(club)
    assert "Not over in time: meeting 1, " in told(club, "league history Winter")
    assert [line for line in ("show", "schedule", "history") if "round" in told(club, f"league {line} Winter").lower()] == []


def test_players_move_between_divisions_that_are_split_and_merged(club: Club) -> None:
    for name in ("Dan", "Eve"):
        club.printed(f"player add {name} {name.lower()}@example.org")
    club.printed("league add Winter --game take --set least=2")
    for line in ("open Winter", "enter Winter Ada Bob Cleo Dan Eve", "start Winter -y"):
        club.printed(f"league {line}")
    later(club)
    club.printed("league result Winter Ada Dan win --reason 'agreed' -y")
    asked = " ".join(club.run("league split Winter Dan Eve --division 1 --reason 'too many'", "n\n").stderr.split())
    assert "Division 1.2: " in asked
    apart = {frozenset({one, other}) for one in ("Ada", "Bob", "Cleo") for other in ("Dan", "Eve")}
    ended, _, over = asked.partition("Without a result end ")[2].partition(". Out of the table are ")
    assert {frozenset(pair.split(" - ")) for pair in ended.split("; ")} == apart - {frozenset({"Ada", "Dan"})}
    assert frozenset(over.partition(".")[0].split(" - ")) == {"Ada", "Dan"}
    club.printed("league split Winter Dan Eve --division 1 --reason 'too many' -y")
    assert "Division 1.2 would have too few players" in " ".join(club.run("league move Winter Dan 1 --now --reason x -y").stderr.split())
    club.printed("league move Winter Cleo 1.2 --now --reason 'as they wish' -y")
    assert "is no tier" in club.run(f"league move Winter Cleo {'9' * 5000} --reason x").stderr
    assert "is no tier" in club.run("league move Winter Cleo 1.2 --reason x").stderr
    assert "is not in division 1 " in club.run("league split Winter Cleo --division 1 --reason x -y").stderr
    club.printed("league merge Winter --division 1 --division 1.2 --reason 'too few' -y")
    later(club)
    assert "Winter, season 1" in club.printed("league standings Winter")
    assert club.run("audit verify").exit_code == 0


def test_leagues_are_split_and_merged_before_a_season(club: Club) -> None:
    club.printed("league add Winter --game take --set least=2")
    club.printed("league open Winter --until 5d")
    club.printed("league enter Winter Ada Bob Cleo")
    assert club.run("league split Winter Bob Cleo", "n\n").exit_code == 1
    said = club.run("league split Winter Bob Cleo --into Autumn", "n\n").stderr
    assert "Open Autumn for Bob and Cleo, who leave season 1?" in said
    [entries] = re.findall(r"until (.*)\.", said)
    assert said.splitlines()[:7] == [
        "This would happen:",
        "  Winter: Bob took the entry back.",
        "  Winter: Cleo took the entry back.",
        "  Autumn: The league was set up as Autumn: take, round robin.",
        f"  Autumn: Season 1 was announced: entries are open until {entries}.",
        "  Autumn: Bob entered, rated 1500.",
        "  Autumn: Cleo entered, rated 1500.",
    ]
    assert [row["name"] for row in records(club, "league list")] == ["Winter"]
    assert "Bob entered" in club.printed("league split Winter Bob Cleo --into Autumn -y")
    assert [row["name"] for row in records(club, "league list --player Bob")] == ["Autumn"]
    for answer in ("", " -y"):
        assert "called AUTUMN already" in club.run(f"league split Winter Ada --into AUTUMN{answer}").stderr
    said = club.run("league merge Winter Autumn --reason 'too few'", "n\n").stderr
    assert said.splitlines()[:5] == [
        "This would happen:",
        '  Autumn: The season was dropped ("too few").',
        '  Autumn: The league was archived ("too few").',
        "  Winter: Bob entered, rated 1500.",
        "  Winter: Cleo entered, rated 1500.",
    ]
    assert "Bob entered" in club.printed("league merge Winter Autumn --reason 'too few' -y")
    assert [row["name"] for row in records(club, "league list")] == ["Winter"]
    assert "cannot be merged with itself" in club.run("league merge Winter Winter --reason x -y").stderr
    club.printed("league start Winter -y")
    assert "has begun" in club.run("league merge Winter Autumn --reason x -y").stderr
    assert club.run("audit verify").exit_code == 0


def test_a_game_that_its_league_has_decided_is_refused_without_a_question(club: Club) -> None:
    begun(club)
    later(club)
    club.printed("league result Winter 2 win-loss --reason x -y")
    game = club.value("league show Winter", "0.season.meetings.1.game")
    result = club.run(f"game reopen {game} --reason x", "n\n")
    assert ("[y/N]" in result.output, "was decided in the league" in " ".join(result.stderr.split())) == (False, True), result.output
