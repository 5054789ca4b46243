"""`turnserver league mail`: words to many players at once."""

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from turnserver import files
from turnserver.cli.league.act import about, report
from turnserver.cli.league.group import By, Which, acting
from turnserver.cli.league.shapes import LeagueEventTold
from turnserver.cli.output import show
from turnserver.errors import BadOption
from turnserver.league.commands import SendWords
from turnserver.league.events import WordsSent
from turnserver.league.words import LONGEST
from turnserver.mail.outbound.language import counted


@show.emits(list[LeagueEventTold])
def mail(
    ctx: typer.Context,
    league: Which,
    *,
    file: Annotated[Path, typer.Option(metavar="FILE", dir_okay=False, exists=True, help="The words, as plain text in UTF-8.")],
    division: Annotated[str | None, typer.Option(metavar="NAME", help="Only to the players of this division, such as 1.2.")] = None,
    round_: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="Only to those who are paired in this round.")] = None,
    yes: show.Yes = False,
    by: By = None,
    json: show.Json = False,
) -> None:
    """Write to all players of the season, of a division or of a round, by a mail to each.

    Nobody gets the same words twice in a season: when you repeat the command, only those who are new get them. Who wants no mail gets none.
    """
    run, found = acting(ctx, league, by)
    words = _words(file)
    command = SendWords(sha256(words.encode()).hexdigest(), division, round_)
    if not yes:
        with about(found):
            would = run.service.leagues.preview(found.id, command, actor=run.actor)
        players = [player for event in would.own if isinstance(event, WordsSent) for player in event.players]
        silent = len(found.silent.intersection(players))
        but = f", but not to {counted(silent, 'player')} who {'wants' if silent == 1 else 'want'} no mail" if silent else ""
        show.confirm(f"Send {counted(len(players) - silent, 'mail')} to players of {found.title}{but}?", yes=yes)
    with about(found):
        plan = run.service.leagues.send_words(found.id, words, command, actor=run.actor, cause=run.cause)
    report(run, plan, json=json)


def _words(file: Path) -> str:
    """Return the words in a file. Raises BadOption."""
    try:
        # A character takes four bytes at most, so this reads all that is allowed, and no file of any size.
        words = files.read_text(file, 4 * LONGEST).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadOption(f"The words could not be read as text in UTF-8: {error}.") from error
    if not words:
        raise BadOption(f"There are no words in {file}.")
    if len(words) > LONGEST:
        raise BadOption(f"The words have {len(words)} characters, and {LONGEST} fit into a mail. Shorten them.")
    if any(not letter.isprintable() and letter not in "\n\t" for letter in words):
        raise BadOption(f"There are control characters in {file}. Save it as plain text.")
    return words
