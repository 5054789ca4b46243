"""The names of players: which ones there can be, and which one somebody reads on a page."""

import re
from typing import Final

from turnserver.errors import BadOption
from turnserver.ids import PlayerId
from turnserver.mail.inbound.phrases import numbered_league
from turnserver.mail.inbound.synonyms import synonyms
from turnserver.mail.outbound.language import languages
from turnserver.rules.writing import mixes_alphabets, shows_nothing, skeleton
from turnserver.store.log.tables import PlayerRow
from turnserver.store.refusals import former
from turnserver.text import say

NOBODY: Final = PlayerId(0)
"""The number of no player."""

MAX_NAME: Final = 40
MARKS: Final = "@,&=()"
_OFFICES: Final = frozenset(
    "admin administrator admins director directors house moderator organiser organisers organizer organizers postmaster referee system"
    " turnserver umpire"
    " haus leitung schiedsrichter schiedsrichterin spielleiter spielleiterin spielleitung turnierleitung veranstalter verwaltung".split()
)
"""What mails call those who run the service, in all languages."""


def check_name(name: str) -> str:
    """Return a name as it is shown to others and written in a challenge: one line of 1 to 40 printable characters. Raises BadOption."""
    name = " ".join(name.split())
    # Players are also called by their numbers.
    if not name or len(name) > MAX_NAME or not name.isprintable() or name.isdigit():
        raise BadOption(say("A player's name is one line of 1 to {most} characters, and not a number.", most=MAX_NAME))
    # `join league-3` enters a league, and nobody should be taken for one.
    if numbered_league(name) is not None:
        raise BadOption(say("A player's name can't be {name}: that stands for a league. Choose another.", name=name))
    if any(map(shows_nothing, name)) or mixes_alphabets(name):
        raise BadOption(say("A player's name can't have characters that nobody sees, or words of letters from several alphabets."))
    if _numberless(name) in {skeleton(one.told(words)) for one in languages().values() for words in (numbered(NOBODY), former(NOBODY))}:
        raise _somebody_else(name)
    # The word between two names of a challenge, in every language of our commands.
    joints = synonyms().argument("challenge", "and")
    if any(mark in name for mark in MARKS) or not joints.isdisjoint(name.casefold().split()):
        word = next((word for word in name.casefold().split() if word in joints), "and")
        raise BadOption(
            say(
                "A player's name can't have the marks {marks} or the word {word} in it, so that others can challenge them by it.",
                marks=" ".join(MARKS),
                word=word,
            )
        )
    return name


def check_chosen(name: str) -> str:
    """Return a name that players give themselves, as `check_name` does. It is not how mails speak of those who run the service either."""
    name = check_name(name)
    if re.sub(r"^(the|der|die|das) ", "", skeleton(name)) in _OFFICES:
        raise _somebody_else(name)
    return name


def _numberless(name: str) -> str:
    # any number, in any language, with any case
    return re.sub(r"\d+", str(NOBODY), skeleton(name))


def _somebody_else(name: str) -> BadOption:
    return BadOption(say("A player's name can't be {name}: others would read it as somebody else. Choose another.", name=name))


def numbered(player: PlayerId) -> str:
    """Return the text that stands for a player whose name is not to be read."""
    return say("Player {number}", number=player)


def shown(player: PlayerRow, *, met: bool) -> str:
    """Return the name of a player that somebody reads on a page, who has `met` them in a game or a league, or not.

    Whoever has met a player reads the name that mails have. Others read what the player has chosen, and a number at first.
    """
    number = PlayerId(player.id)
    if player.erased_at is not None:
        return former(number)
    if met or player.public == "name":
        return player.name
    return player.pseudonym if player.public == "as" and player.pseudonym else numbered(number)
