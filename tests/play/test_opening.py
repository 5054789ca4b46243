"""Opening a game, accepting and declining the invitation."""

from dataclasses import replace
from datetime import timedelta

import pytest
from msgspec import structs

from tests.cases import for_each
from tests.play.given import (
    ADA,
    BOB,
    CHANCE,
    CLEO,
    DAN,
    EVE,
    INVITING,
    RED,
    Case,
    Refused,
    check,
    clock,
    day,
    ended,
    named,
    opened,
)
from tests.terms import THREE_DAYS
from turnserver import games
from turnserver.errors import NotAllowed
from turnserver.ids import PlayerId
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.decide import decide
from turnserver.play.evolve import fold


def asked(
    game: str = "nim",
    players: tuple[PlayerId, ...] = (ADA, BOB),
    terms: e.Terms = THREE_DAYS,
    opened_by: PlayerId | None = None,
    **options: str | int | bool,
) -> c.OpenGame:
    return c.OpenGame(game=game, options=options, players=players, order=e.SeatOrder.GIVEN, terms=terms, opened_by=opened_by)


NIGHTLY = structs.replace(THREE_DAYS, time="8h, nights 22:00-07:00", reminders=("50%",))
"""From noon in UTC, which is 21:00 in Tokyo, there is an hour until the night there, and seven are left at 22:00 in UTC."""

CASES = [
    Case("an admin opens a game", (), asked(), day(0), (opened(),)),
    Case("the options are spelled out", (), asked(heap=9), day(0), (opened(heap=9),)),
    Case(
        "a challenger has accepted",
        (),
        asked(players=(BOB, ADA), opened_by=ADA),
        day(0),
        (structs.replace(opened(players=(BOB, ADA)), opened_by=ADA), e.InvitationAccepted(player=ADA, zone="UTC")),
    ),
    Case(
        "an hour is the fastest",
        (),
        asked(terms=structs.replace(THREE_DAYS, time="1h")),
        day(0),
        (opened(terms=structs.replace(THREE_DAYS, time="1h")),),
    ),
    Case(
        "a year is the slowest",
        (),
        asked(terms=structs.replace(THREE_DAYS, time="366d")),
        day(0),
        (opened(terms=structs.replace(THREE_DAYS, time="366d")),),
    ),
    Case("no time at all", (), asked(terms=structs.replace(THREE_DAYS, time="59m")), day(0), Refused("bad_option", "1 hour to 366 days")),
    Case(
        "more than a year", (), asked(terms=structs.replace(THREE_DAYS, time="367d")), day(0), Refused("bad_option", "1 hour to 366 days")
    ),
    Case("an unknown game", (), asked("chess"), day(0), Refused("bad_option", "nim, trio and pairs")),
    Case("an option out of range", (), asked(steps=4), day(0), Refused("bad_option", "1 to 3")),
    Case("too few players", (), asked("trio"), day(0), Refused("wrong_number_of_players", "for 3 players, not 2")),
    Case("too many players", (), asked(players=(ADA, BOB, CLEO)), day(0), Refused("wrong_number_of_players", "for 2 players, not 3")),
    Case("against oneself", (), asked(players=(ADA, ADA)), day(0), Refused("same_player_twice", "each player once")),
    Case("a challenger who stays out", (), asked(opened_by=EVE), day(0), Refused("challenger_not_playing", "Add yourself")),
    Case("nothing to play", (), asked(heap=0), day(0), Refused("nothing_to_play", "Choose others")),
    Case("twice", (opened(),), asked(), day(0), Refused("already_open", "Open a new one")),
    Case("the first to accept", (opened(),), c.Accept(BOB, day(1)), day(1), (e.InvitationAccepted(player=BOB, zone="UTC"),)),
    Case(
        "the last to accept starts the game",
        INVITING,
        c.Accept(BOB, day(1)),
        day(1.5),
        (e.InvitationAccepted(player=BOB, zone="UTC"), e.GameStarted(to_move=RED, clock=clock(1.5))),
    ),
    Case(
        "the first turn has what its time control gives, in the zone of whoever has it",
        (opened(terms=NIGHTLY), e.InvitationAccepted(player=ADA, zone="Asia/Tokyo")),
        c.Accept(BOB, day(1), zone="America/New_York"),
        day(1),
        (
            e.InvitationAccepted(player=BOB, zone="America/New_York"),
            e.GameStarted(
                to_move=RED,
                clock=e.TurnClock(
                    since=day(1), time=timedelta(hours=8), deadline=day(1, seconds=17 * 3600), remind_at=day(1, seconds=13 * 3600)
                ),
            ),
        ),
    ),
    Case(
        "a challenger's zone",
        (),
        replace(asked(opened_by=ADA), zone="Asia/Tokyo"),
        day(0),
        (structs.replace(opened(), opened_by=ADA), e.InvitationAccepted(player=ADA, zone="Asia/Tokyo")),
    ),
    Case(
        "a time control that is none",
        (),
        asked(terms=structs.replace(THREE_DAYS, time="3x")),
        day(0),
        Refused("bad_option", '"3x" isn\'t a span of time.'),
    ),
    Case(
        "two of three are not all",
        (opened("trio", (ADA, BOB, CLEO)), e.InvitationAccepted(player=ADA, zone="UTC")),
        c.Accept(BOB, day(1)),
        day(1),
        (e.InvitationAccepted(player=BOB, zone="UTC"),),
    ),
    Case("accepting twice", INVITING, c.Accept(ADA, day(1)), day(1), Refused("already_accepted", "Blue hasn't accepted")),
    Case("a stranger accepts", INVITING, c.Accept(EVE, day(1)), day(1), Refused("not_in_game", '"games"')),
    Case(
        "declining calls the game off",
        INVITING,
        c.Decline(BOB, day(1)),
        day(1),
        (e.InvitationDeclined(player=BOB), ended(e.EndedBy.REFUSAL)),
    ),
    Case(
        "declining after having accepted",
        INVITING,
        c.Decline(ADA, day(1)),
        day(1),
        (e.InvitationDeclined(player=ADA), ended(e.EndedBy.REFUSAL)),
    ),
    Case("a stranger declines", INVITING, c.Decline(EVE, day(1)), day(1), Refused("not_in_game", '"games"')),
    Case("a turn before the start", INVITING, c.PlayTurn(ADA, day(1), "2"), day(1), Refused("not_started", "Blue hasn't accepted")),
    Case("two are missing", (opened(),), c.PlayTurn(ADA, day(1), "2"), day(1), Refused("not_started", "Red and Blue haven't accepted")),
    Case("resigning before the start", INVITING, c.Resign(BOB, day(1)), day(1), Refused("not_started", "decline")),
    Case("a draw before the start", INVITING, c.OfferDraw(ADA, day(1)), day(1), Refused("not_started", "it begins")),
    Case("a clock before the start", INVITING, c.CheckClock(), day(9), Refused("not_due", "No clock runs")),
    Case("a credit before the start", INVITING, c.CreditClock(60, ""), day(1), Refused("not_started", "Blue")),
    Case("adjudicating before the start", INVITING, c.Adjudicate((RED,), "r"), day(1), Refused("not_started", "Blue")),
    Case("annulling before the start", INVITING, c.Annul("r"), day(1), Refused("not_started", "Cancel it")),
    Case(
        "a pause before the start", INVITING, c.FreezeClock(e.FreezeKind.PAUSE, None, day(1), None), day(1), Refused("not_started", "Blue")
    ),
    Case("the end of a pause before the start", INVITING, c.ThawClock(1, day(1)), day(1), Refused("not_started", "Blue")),
    Case("retracting before the start", INVITING, c.Retract(1, "r"), day(1), Refused("not_started", "Blue")),
    *(
        Case(f"{type(command).__name__} in no game", (), command, day(0), Refused("not_found", "no such game"))
        for command in (
            c.PlayTurn(ADA, day(0), "2"),
            c.Resign(ADA, day(0)),
            c.OfferDraw(ADA, day(0)),
            c.Accept(ADA, day(0)),
            c.Decline(ADA, day(0)),
            c.CheckClock(),
            c.CreditClock(60, ""),
            c.FreezeClock(e.FreezeKind.PAUSE, None, day(0), None),
            c.ThawClock(1, day(0)),
            c.Cancel("r"),
            c.Adjudicate((), "r"),
            c.Annul("r"),
            c.Retract(1, "r"),
        )
    ),
]


@named(CASES)
def test_opening(case: Case) -> None:
    check(case)


def test_a_game_from_the_catalogue_is_found_without_being_told_where() -> None:
    (event,) = decide(None, asked("take", size=4), day(0))
    assert isinstance(event, e.GameOpened)
    assert (event.game, event.options) == ("take", {"variant": "standard", "size": 4})
    assert fold([event]).game is games.find("take", size=4)


FOUR = (ADA, BOB, CLEO, DAN)


def real(key: str, who: tuple[PlayerId, ...], **options: str | int | bool) -> c.OpenGame:
    return c.OpenGame(key, options, who, e.SeatOrder.GIVEN, THREE_DAYS, None)


@for_each(
    ("command", "spelled_out"),
    [
        (real("sneaky-octopuses", FOUR[:2]), {"players": 2, "target": 10, "max_rounds": 60}),
        (real("sneaky-octopuses", FOUR[:3], target=7), {"players": 3, "target": 7, "max_rounds": 60}),
        (real("sneaky-octopuses", FOUR), {"players": 4, "target": 10, "max_rounds": 60}),
        (real("tako-judo", FOUR[:2]), {"variant": "duel", "repetition": True}),
        (real("tako-judo", FOUR, variant="teams"), {"variant": "teams", "repetition": True}),
    ],
)
def test_for_how_many_a_game_is_follows_from_who_plays(command: c.OpenGame, spelled_out: dict[str, object]) -> None:
    opened = decide(None, command, day(0), chance=CHANCE)[0]
    assert isinstance(opened, e.GameOpened)
    assert opened.options == spelled_out


@for_each(
    ("command", "says"),
    [
        (real("sneaky-octopuses", FOUR[:2], players=3), 'is for 3 players, not 2. For 2, add "players=2" after the name of the game.'),
        (real("tako-judo", FOUR), 'add "variant=teams" or "variant=free-for-all" after the name of the game'),
        (real("tako-judo", FOUR[:2], variant="teams"), 'add "variant=duel" after the name of the game'),
        (real("sneaky-octopuses", FOUR[:1]), "is for 4 players, not 1."),
    ],
)
def test_a_refusal_for_too_many_or_too_few_names_what_to_write(command: c.OpenGame, says: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        decide(None, command, day(0), chance=CHANCE)
    assert says in refused.value.message
