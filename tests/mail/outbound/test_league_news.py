"""Mails of a league's news: a headline of one sentence, then what it means for the reader, under the names of those who play now."""

from dataclasses import replace

from tests.cases import for_each
from tests.mail.outbound.league_occasions import ADA, LEAGUE, SWISS, played, running
from tests.mail.outbound.mails import composed
from tests.mail.outbound.occasions import NAMES, Story, context, every_occasion
from turnserver.ids import PlayerId, Version
from turnserver.league import commands as c
from turnserver.mail.outbound.compose import compose
from turnserver.mail.outbound.context import MailContext
from turnserver.mail.outbound.kinds import MailKind
from turnserver.mail.outbound.notices import league as league_notices

SAID = {
    "league_news, a place is filled": (
        "Eve plays on for Bob in season 1 of Take Winter.",
        "To be played with a new game: Cleo - Eve. You get a mail when it starts.",
    ),
    "league_news, to whoever fills a place": (
        "You play on for Bob in season 1 of Take Winter.",
        "Their unfinished games are yours now, and so are those to come; you get a mail for each.",
    ),
    "league_news, somebody is back": (
        "Bob is back in season 1 of Take Winter: the organisers undid the withdrawal.",
        "The games that Bob finished count again. To be played with a new game: Cleo - Bob. You get a mail when it starts.",
    ),
    "league_news, sunk": (
        "Take Winter: you went down the ladder, because you have not played for a long time.",
        "If you still do not play, it happens again after the same time.",
    ),
    "league_news, one more game": ("Take Winter: you also play Eve - Ada.", "You get a mail when it starts. Finish by "),
    "league_answer, a bye in the last round": (
        "You have a bye in round 3 of season 1 of Take Winter: you are not paired.",
        "Points for it: 0. In the last round, a bye counts no points.",
    ),
    "league_entry, late with games": (
        "The organisers entered you for season 1 of Take Winter, which has begun.",
        "You play Eve - Ada, Cleo - Eve, Eve - Dan, Bob - Eve. You get a mail for each when it starts.",
    ),
}


@for_each("name", SAID)
def test_what_it_says_first_and_then(name: str) -> None:
    said = composed(name).text.split("\n\n")
    headline, then = (" ".join(part.split()) for part in (said[1], " ".join(said[2:])))
    assert (headline, SAID[name][1] in then) == (SAID[name][0], True), then


def test_a_bye_without_points_is_explained_only_in_the_last_round() -> None:
    said = composed("league_answer, a bye without points").text
    assert ("Points for it: 0." in said, "last round" in said) == (True, False)


def test_whoever_enters_a_mcmahon_event_reads_who_begins_with_how_much() -> None:
    said = " ".join(composed("league_entry, with points to begin with").text.split())
    assert "Points at the start: one for each of these ratings that you have reached when the season begins: 1400, 1600 and 1800." in said


def test_the_short_lines_of_whoever_writes_stay_lines() -> None:
    assert "\n\nPlease play soon.\nCleo\n" in composed("league_words of a round").text


def large() -> dict[str, MailContext]:
    """Return mails to Ada in a Swiss event of thirty: of their own, and beside a turn."""
    many = tuple(PlayerId(ADA + number) for number in range(30))
    names = NAMES | {player: f"Player {player} of the Chess Club" for player in many if player not in NAMES}
    begun = running(SWISS, many)
    second = played(begun).then(c.CheckLeague())
    beside, kinds = every_occasion(), {"season": MailKind.LEAGUE_STARTED, "round": MailKind.LEAGUE_ROUND}
    own = {"season": (begun, begun.notice(ADA)), "round": (second, second.notice(ADA))}
    asked = {"table": (second, league_notices.table(ADA, LEAGUE, Version(1)))}
    assert [notice.kind for _, notice in own.values()] == list(kinds.values())
    return {
        **{
            name: replace(context(Story(now=tale.now), notice, names=names), league=tale.about(), people=names)
            for name, (tale, notice) in (own | asked).items()
        },
        **{f"turn, {name}": replace(beside[f"turn with a {name}"], league=tale.about(), people=names) for name, (tale, _) in own.items()},
    }


def test_long_lists_stand_below_all_that_can_be_done_unless_they_are_asked_for() -> None:
    """With pages, the mail of a game sends its reader there instead."""
    mails = large()
    for name, mail in mails.items():
        text = compose(mail).text
        assert (text.index("leave league-3") < text.index("Dan")) is (name != "table"), name
        assert len(text[: text.index("leave league-3")].splitlines()) < (90 if name == "table" else 60), name
    for name in ("turn, season", "turn, round"):
        text = compose(replace(mails[name], web="https://example.org")).text
        assert "https://example.org/leagues/3" in text
        assert "Dan" not in text
        assert len(text.splitlines()) < 65
