"""Command lines, each with a fragment of its output; and the lines that are refused, each with its sentence."""

import pytest

from tests.cli.club import Club

SAYS = {
    "version": ("--version", "turnserver 0."),
    "list players": ("player list", " 2  Bob   bob@example.org   Europe/Berlin"),
    "add a player": ("player add Dan dan@example.org --zone Asia/Tokyo", "Dan is player 4; a welcome goes to dan@example.org."),
    "show a player by number": ("player show 2", "bob@example.org"),
    "show a player by address": ("player show CLEO@example.org", "Cleo"),
    "show a player's games": ("player show Cleo", "waits for Cleo and Ada"),
    "edit a name": ("player set Bob name Robert", "Robert"),
    "edit an address": ("player set Bob address new@example.org", "new@example.org"),
    "edit a zone": ("player set Bob zone Asia/Tokyo", "Asia/Tokyo"),
    "catalogue": ("games", "Tako Judo"),
    "a game of the catalogue": ("games take", "2 to 8"),
    "open": ("game open take Bob Cleo", "Game 4, Take is open and the invitations are on their way: Bob (Red), Cleo (Blue)."),
    "open by address and number": ("game open take cleo@example.org 2 --option size=4", "Cleo (Red), Bob (Blue)"),
    "settings": ("player show Bob", "digest      off"),
    "set": ("player set Bob digest 6pm", "digest      18:00"),
    "set a pseudonym": ("player set Bob public as Blue Fox", "public      as Blue Fox"),
    "show who sees a game": ("game show 1", "Visible  seats, as web.games says"),
    "let everybody see a game": ("game set 1 --visible public", "Game 1 is now visible to: public."),
    "let a game follow the settings": ("game set 1 --visible usual", "Game 1 is now visible to: seats, as web.games says."),
    "set the language": ("player set Ada language German", "language    Deutsch"),
    "add a player who reads German": ("player add Dan dan@example.org --language de", "Dan is player 4"),
    "set in several words": ("player set Bob quiet 22:00 to 7:00", "quiet       22:00-07:00"),
    "set the zone": ("player set Bob zone asia/tokyo", "Asia/Tokyo"),
    "unsubscribe": ("player set Bob subscribed off", "subscribed  off"),
    "list games that go on": ("game list", "4  Bob to move, 5 days"),
    "list invitations": ("game list --status inviting", "waits for Cleo and Ada"),
    "list ended games": ("game list --status ended", "won by Ada"),
    "list all games": ("game list --all", "(resignation)"),
    "list a player's games": ("game list --player cleo", "Cleo (Red), Ada (Blue)"),
    "nothing to list": ("game list --status ended --player cleo", "There are no such games."),
    "deadline in the site's zone and as a span": ("game show 1", "Bob to move by 2026-03-06 13:00 (Europe/Berlin), in 5 days"),
    "options": ("game show 1", "variant standard, size 3"),
    "last moves": ("game show 1", "   3  Ada (Red)   a2    2026-03-01 13:00"),
    "result": ("game show 3", "Ada (Red) wins. Bob (Blue) resigned."),
    "game by its stream": ("game show game-3", "Game     3, Take"),
    "board": ("game board 1", "after turn 3 of 3: Ada (Red) played a2"),
    "board, last move marked": ("game board 1", "  a1  R[R]#  a3"),
    "board at the start": ("game board 1 --turn 0", "Game 1, Take, before the first turn"),
    "board after one turn": ("game board 1 --turn 1", "  a1 [R]# #  a3"),
    "board with turns that were taken back": ("game board 1 --at 9", "after turn 5 of 5: Ada (Red) played a3"),
    "legal moves": ("game board 1 --turn 0 --moves", "Legal: a1 a2 a3 b1"),
    "legal moves of a bounded colour": ("game board 3 --turn 1 --moves", "Legal: a2 b1 b2 b3 c1 c2"),
    "history": ("game history 1", "The organisers set up the game"),
    "history names who": ("game history 1", "Ada"),
    "history names the cause": ("game history 1", "mail:1.1"),
    "history marks what was undone": ("game history 1", "[undone by 10] Turn 5: Ada"),
    "history gives the reason": ("game history 1", "Reason: meant for"),
    "why a turn is due": ("game why-deadline 1", "+  5 days  for each turn"),
    "what it comes to": ("game why-deadline 1", "Deadline  2026-03-06 13:00 (Europe/Berlin)"),
    "replay": ("game replay 1", "Game 1, Take, after turn 2 of 3: Bob (Blue) played e3"),
    "replay ends with the result": ("game replay 3", "The game ended: Ada (Red) wins."),
    "text record": ("game record 1", "1. Red: a1 2. Blue: e3 3. Red: a2 *"),
    "text record of an ended game": ("game record 3", "(Blue resigns) 1-0"),
    "record in a file": ("game record 1 -o {dir}/record.txt", "The record of game 1 is in "),
    "credit": ("game credit 1 --hours 30 --reason 'the server was down'", "Bob to move by 2026-03-07 19:00"),
    "substitute by seat": ("game substitute 1 blue Cleo --reason 'Bob is gone' -y", "Game 1, Take: Ada (Red), Cleo (Blue); now "),
    "substitute by player": ("game substitute 1 Bob cleo@example.org --rating none --reason 'Bob is gone' -y", "Cleo (Blue)"),
    "cancel": ("game cancel 2 --reason 'Cleo is away' --yes", "no result (cancellation)"),
    "adjudicate by seat": ("game result 1 2 win --reason 'Ada is gone' --yes", "won by Bob (adjudication)"),
    "adjudicate by colour": ("game result 1 blue win --reason 'Ada is gone' -y", "won by Bob (adjudication)"),
    "adjudicate by player": ("game result 1 ADA win --reason 'Bob is gone' -y", "won by Ada (adjudication)"),
    "decide by who loses": ("game result 1 Ada loss --reason 'Ada is gone' -y", "won by Bob (adjudication)"),
    "a draw by decision": ("game result 1 draw --reason 'both are gone' -y", "drawn (adjudication)"),
    "no result": ("game result 1 no result --reason 'played twice' -y", "no result (annulment)"),
    "take a result back": ("game result 3 no result --reason 'played twice' -y", "no result (annulment)"),
    "retract": ("game retract 1 --from 2 --reason 'wrong board' -y", "Bob to move by"),
    "reopen": ("game reopen 3 --reason 'Bob had not written that' -y", "Ada to move by 2026-03-08 01:00"),
    "retract and reopen": ("game retract 3 --from 2 --reason 'wrong board' -y", "Bob to move by 2026-03-06 13:00"),
}

REFUSES = {
    "unknown command": ("gmae", 2, "No such command 'gmae'"),
    "nearly a command": ("game shw", 2, "No such command 'shw'. Did you mean 'show'? Try `turnserver game --help`."),
    "unknown option": ("game list --everything", 2, "No such option: --everything"),
    "missing argument": ("game show", 2, "Missing argument 'GAME'"),
    "no number": ("game show seventeen", 2, "'seventeen' is not the number of a game"),
    "a number too long for any game": ("game show 99999999999999999999", 2, "is not the number of a game"),
    "a number without end": (f"game show {'9' * 5000}", 2, f"'{'9' * 199}... is not the number of a game, such as 17"),
    "what a terminal would obey": ("games '\x1b]0;a\u202eb\u009bc'", 1, 'There is no game called " ]0;a b c"'),
    "negative turn": ("game board 1 --turn=-1", 2, "--turn"),
    "no time": ("game open take Ada Bob --time 0d", 1, "0d"),
    "option without a value": ("game open take Ada Bob --option size", 2, "write an option as name=value"),
    "unknown order": ("game open take Ada Bob --order alphabet", 2, "--order"),
    "two filters": ("game list --all --status ended", 2, "give either --all or --status"),
    "reason missing": ("game cancel 1 --yes", 2, "Missing option '--reason'"),
    "no verdict": ("game result 1 Ada --reason x --yes", 1, "'Ada' isn't a result. Write a player and `win` or `loss`, or just `draw`"),
    "two verdicts": ("game result 1 Ada draw --reason x --yes", 1, "'Ada draw' isn't a result."),
    "nobody wins": ("game result 1 win --reason x --yes", 1, "'win' isn't a result."),
    "why a game that has ended is due": ("game why-deadline 3", 1, "This game is over"),
    "unknown game": ("game show 17", 1, "There is no game 17 here."),
    "unknown game to cancel": ("game cancel 17 --reason x --yes", 1, "There is no game 17 here."),
    "unknown key": ("games tkae", 1, 'There is no game called "tkae". Did you mean "take"?'),
    "unknown key to open": ("game open chess Ada Bob", 1, 'There is no game called "chess"'),
    "unknown option of a game": ("game open take Ada Bob --option sise=5", 1, 'There is no option "sise". Did you mean "size"?'),
    "option out of range": ("game open take Ada Bob --option size=9", 1, 'The option size can\'t be "9". Choose 2 to 8.'),
    "too many players": ("game open take Ada Bob Cleo", 1, "Take with these options is for 2 players, not 3."),
    "same player twice": ("game open take Ada ada@example.org", 1, "Name each player once."),
    "too slow": ("game open take Ada Bob --time 400d", 1, "400d"),
    "unknown player": ("game open take Ada Zoe", 1, 'There is nobody here with the number, name or address "Zoe"'),
    "unknown player to show": ("player show Zoe", 1, 'There is nobody here with the number, name or address "Zoe"'),
    "name taken": ("player add ADA other@example.org", 1, "The name ADA is taken."),
    "address taken": ("player set Bob address Ada@example.org", 1, "Another player has the address Ada@example.org."),
    "no language": (
        "player set Ada language Klingon",
        1,
        "Our mails don't come in 'Klingon'. Choose English (en) or Deutsch (de).",
    ),
    "no address": ("player add Dan dan", 1, '"dan" isn\'t a mail address'),
    "a machine's address": ("player add Dan Postmaster@example.org", 1, "Postmaster@example.org looks like the address of a program"),
    "a list's address": ("player set Bob address owner-chess@example.org", 1, "owner-chess@example.org looks like"),
    "our own address": ("player add Dan TURNS@club.example", 1, "TURNS@club.example is the address of this service"),
    "one of our reply addresses": ("player add Dan turns+abc@club.example", 1, "turns+abc@club.example is the address of this service"),
    "our own address in quotation marks": (
        """player set Bob address '"turns"@club.example'""",
        1,
        "turns@club.example is the address of this service",
    ),
    "no zone": ("player add Dan dan@example.org --zone Mars", 1, "'Mars' isn't a time zone."),
    "no setting": (
        "player set Bob digst off",
        1,
        "There is no setting 'digst'; the settings are name, address, reachable, language, zone, mail, board, subjects, digest",
    ),
    "no setting, but nearly one of the account": ("player set Bob adress x@x.org", 1, "subscribed. Did you mean address?"),
    "no setting, and like none": ("player set Bob xyzzy 1", 1, "public, subscribed.\n"),
    "no value of a setting": ("player set Bob digest soon", 1, "The setting digest can't be 'soon'. It can be off, or a time"),
    "nobody is out of reach by command": ("player set Bob reachable no", 1, "The service finds out by itself whether mail gets through."),
    "turn to come": ("game board 1 --turn 4", 1, "Game 1 has had 3 turns so far; there is no turn 4."),
    "version to come": ("game board 1 --at 11", 1, "Game 1 has had 10 events so far; there is no version 11."),
    "wrong seat": ("game result 1 3 win --reason x -y", 1, "is called '3'; its seats are 1 Red (Ada) and 2 Blue (Bob)."),
    "wrong winner": ("game result 1 Cleo win --reason x -y", 1, "Nobody in game 1 is called 'Cleo'"),
    "decide an ended game": ("game result 3 draw --reason x -y", 1, "This game is over: Red won by resignation."),
    "cancel an ended game": ("game cancel 3 --reason x -y", 1, "This game is over"),
    "retract what was not played": ("game retract 1 --from 4 --reason x -y", 1, "Turn 4 cannot be taken back; choose a turn from 1 to 3."),
    "retract without a reason": ("game retract 1 --from 1 --reason ' ' -y", 1, "Taking turns back needs a reason"),
    "reopen a running game": ("game reopen 1 --reason x -y", 1, "This game is still running."),
    "reopen without a reason": ("game reopen 3 --reason ' ' -y", 1, "Taking an end back needs a reason"),
    "credit to an ended game": ("game credit 3 --hours 1 --reason x", 1, "This game is over"),
    "substitute in an ended game": ("game substitute 3 1 Cleo --reason x -y", 1, "This game is over"),
    "substitute at no seat": ("game substitute 1 3 Cleo --reason x -y", 1, "Nobody in game 1 is called '3'"),
    "substitute who plays": ("game substitute 1 1 Bob --reason x -y", 1, "That player is in this game already."),
    "credit nothing": ("game credit 1 --hours 0 --reason x", 1, "Credit 1 to "),
    "credit for ever": (f"game credit 1 --hours {'9' * 400} --reason x", 1, "Credit 1 to "),
    "picture nowhere": ("game board 1 --svg {dir}/no/where.svg", 1, "no/where.svg: No such file or directory."),
    "page nowhere": ("game record 1 --format html -o {dir}/no/where.html", 1, "no/where.html: No such file or directory."),
    "configuration missing": ("--config {dir}/none.toml player list", 1, "There is no configuration file"),
}


@pytest.mark.parametrize(("line", "fragment"), SAYS.values(), ids=SAYS)
def test_says(club: Club, line: str, fragment: str) -> None:
    assert fragment in club.printed(line)


@pytest.mark.parametrize(("line", "code", "fragment"), REFUSES.values(), ids=REFUSES)
def test_refuses_in_one_sentence(club: Club, line: str, code: int, fragment: str) -> None:
    result = club.run(line)
    assert fragment in result.stderr
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
    assert result.stderr.startswith("turnserver: ")
    assert result.stderr.endswith((".\n", "?\n", "!\n", "`\n"))


TABLES = ("player list", "player show Ada", "games", "games take", "game list --all", "game show 1", "game show 3", "game board 1 --moves")
MORE_TABLES = ("game history 1", "game history 3", "game record 1")


@pytest.mark.parametrize("line", [*TABLES, *MORE_TABLES])
def test_fits_80_columns(club: Club, line: str) -> None:
    assert [text for text in club.printed(line).splitlines() if len(text) > 80] == []


@pytest.mark.parametrize("line", ["", "player", "game"])
def test_without_a_command_shows_help(club: Club, line: str) -> None:
    result = club.run(line)
    assert "Usage: " in result.stdout
    assert (result.exit_code, result.stderr) == (2, "")
