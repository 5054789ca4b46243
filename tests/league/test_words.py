"""Words of an admin to many: to whom they go, and that nobody gets the same ones twice."""

import pytest

from tests.league.seasons import ADA, BOB, CLEO, DAN, EVE, League
from turnserver.errors import NotFound
from turnserver.ids import Burden, PlayerId
from turnserver.league import commands as c
from turnserver.league import events as e
from turnserver.league.settings import Format, Settings, TierSize

DIGEST, OTHER = "5d" * 32, "6e" * 32
GUEST = PlayerId(77)


def begun() -> League:
    """Two divisions; in the first one Bob has left and a guest plays for Ada."""
    league = League(Settings(tiers=(TierSize(size=2), TierSize(size=3))))
    league.begin((ADA, BOB, CLEO, DAN, EVE), (1800, 1700, 1600, 1500, 1400))
    league.open_games()
    league.do(c.SubstitutePlayer(ADA, GUEST, Burden.SEAT, "ill"), c.Withdraw(BOB))
    return league


@pytest.mark.parametrize(("division", "readers"), [(None, (CLEO, DAN, EVE, GUEST)), ("2", (CLEO, DAN, EVE))])
def test_words_go_to_those_who_play_there(division: str | None, readers: tuple[PlayerId, ...]) -> None:
    league = begun()
    assert league.do(c.SendWords(DIGEST, division)) == [e.WordsSent(players=readers, digest=DIGEST, division=division)]


def test_words_of_a_round_go_to_those_who_are_paired_in_it() -> None:
    league = begun()
    first = next(one for one in league.season.fixtures if one.division == "2" and one.round == 1 and len(one.players) == 2)
    alone = {line for one in league.season.fixtures if one.division == "2" and one.round == 1 for line in one.players}
    (sent,) = league.do(c.SendWords(DIGEST, "2", 1))
    assert isinstance(sent, e.WordsSent)
    assert set(first.players) <= set(sent.players) == alone
    assert sent.round == 1


def test_nobody_has_the_same_words_twice_in_a_season() -> None:
    league = begun()
    league.do(c.SendWords(DIGEST, "2"))
    assert league.do(c.SendWords(DIGEST)) == [e.WordsSent(players=(GUEST,), digest=DIGEST)]
    assert league.refusal(c.SendWords(DIGEST)) == "told_already"
    assert league.do(c.SendWords(OTHER, "1")) == [e.WordsSent(players=(GUEST,), digest=OTHER, division="1")]


def test_before_a_season_begins_all_who_have_entered_are_written_to() -> None:
    league = League(Settings(format=Format.SWISS))
    assert league.refusal(c.SendWords(DIGEST)) == "no_season"
    league.do(c.AnnounceSeason(None))
    assert league.refusal(c.SendWords(DIGEST)) == "no_readers"
    league.do(c.Enter(BOB, 1500.0), c.Enter(ADA, 1500.0))
    assert league.refusal(c.SendWords(DIGEST, None, 1)) == "season_not_begun"
    assert league.refusal(c.SendWords(DIGEST, "1")) == "season_not_begun"
    assert league.do(c.SendWords(DIGEST)) == [e.WordsSent(players=(ADA, BOB), digest=DIGEST)]


def test_there_is_nobody_in_a_round_that_does_not_exist() -> None:
    league = begun()
    assert league.refusal(c.SendWords(DIGEST, None, 9)) == "no_readers"
    with pytest.raises(NotFound, match="no division '3'"):
        league.do(c.SendWords(DIGEST, "3"))
