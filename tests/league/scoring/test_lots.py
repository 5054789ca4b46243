"""Lots that anybody can check afterwards."""

from hashlib import sha256

from turnserver.ids import PlayerId
from turnserver.league.scoring.lots import Lots, draw

PLAYERS = tuple(map(PlayerId, range(1, 9)))
LOTS = Lots(bytes(range(32)))


def test_what_is_drawn_follows_from_the_secret_that_is_told() -> None:
    secret = LOTS.of(3)
    assert sha256(bytes.fromhex(secret)).hexdigest() == LOTS.commitment(3)
    by_hand = [(sha256(b"%s numbers of A %d" % (secret.encode(), player)).hexdigest(), player) for player in PLAYERS]
    assert LOTS.drawn(3, "numbers of A", PLAYERS) == tuple(player for _, player in sorted(by_hand))
    assert draw(secret, "numbers of A", reversed(PLAYERS)) == LOTS.drawn(3, "numbers of A", PLAYERS)


def test_seasons_and_purposes_have_lots_of_their_own() -> None:
    drawn = {LOTS.drawn(season, purpose, PLAYERS) for season in (1, 2) for purpose in ("numbers of A", "numbers of B")}
    assert len(drawn) == 4
    assert LOTS.of(1) != LOTS.of(2)


def test_the_secret_stays_out_of_what_is_shown() -> None:
    assert repr(LOTS) == "Lots()"
